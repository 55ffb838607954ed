"""Taking back what a seat decided: a slip by itself, and more if all other seats agree.

How far back a seat may go says `domain.match.undo`; a correction, to which all agree, goes further
(`domain.match.corrections`). As in `domain.match.notices`, the functions at the end return what to record for
a request, or raise `RequestError`.
"""

from collections.abc import Sequence

from domain.kernel.facts import Fact, Notice
from domain.kernel.seats import Match
from domain.match.notices import check_going_on, check_may_answer, check_playing, check_seat
from domain.match.refusals import RequestError
from domain.match.undo import Undone, reach


class UndoOffered(Notice, frozen=True):
    """A seat asked to take back all that came after fact `back_to`."""

    seat: int
    back_to: int

    def note(self, match: Match) -> None:
        """Put the offer on the table."""
        match.undo, match.undo_to = (self.seat,), self.back_to

    def words(self) -> str:
        """Return the sentence that says who asks. What would be taken back is told from the facts before."""
        return f"[seat:{self.seat}] asked to take back the last decisions"


class UndoAnswered(Notice, frozen=True):
    """A seat agreed to the undo on offer, or declined it."""

    seat: int
    agreed: bool

    def note(self, match: Match) -> None:
        """Count the agreement, or take the offer off the table."""
        match.undo = (*match.undo, self.seat) if self.agreed else ()

    def words(self) -> str:
        """Return the sentence that says how the seat answered the undo."""
        return f"[seat:{self.seat}] {'agreed to' if self.agreed else 'declined'} the undo"


def undo_slip(match: Match, seat: int, facts: Sequence[tuple[int, Fact]]) -> list[Notice]:
    """Take back the seat's last command of decisions.

    `facts` are the `(seq, fact)` pairs in force. Raises RequestError: not_started, over, no_seat, paused,
    no_undo if others decided or learned anything since.
    """
    check_playing(match)
    check_seat(match, seat)
    check_going_on(match)
    back_to = reach(facts, seat, alone=True)
    if back_to is None:
        raise RequestError(
            "no_undo", "nothing of yours can be taken back: somebody has decided, rolled or learned since"
        )
    return [Undone(seat, back_to)]


def offer_undo(match: Match, seat: int, facts: Sequence[tuple[int, Fact]]) -> list[Notice]:
    """Ask the other seats to take back the seat's last command of decisions and all that came since.

    `facts` are the `(seq, fact)` pairs in force. An earlier offer that is out of date is replaced. Raises
    RequestError: not_started, over, no_seat, paused, nobody if the match has one seat only, offered, no_undo.
    """
    check_playing(match)
    check_seat(match, seat)
    check_going_on(match)
    if len(match.seats) == 1:
        raise RequestError("nobody", "no other seat could agree; a slip is taken back without asking")
    if match.undo and reach(facts, match.undo[0], alone=False) == match.undo_to:
        raise RequestError("offered", "an undo is on offer already")
    back_to = reach(facts, seat, alone=False)
    if back_to is None:
        raise RequestError(
            "no_undo", "nothing of yours can be taken back: dice fell or something was revealed since"
        )
    return [UndoOffered(seat, back_to)]


def answer_undo(match: Match, seat: int, facts: Sequence[tuple[int, Fact]], *, agreed: bool) -> list[Notice]:
    """Answer the undo on offer; it is carried out when all seats have agreed.

    `facts` are the `(seq, fact)` pairs in force. Raises RequestError: not_started, over, no_seat, paused,
    no_offer, no_undo.
    """
    check_playing(match)
    check_seat(match, seat)
    check_going_on(match)
    check_may_answer(match.undo, seat)
    answered: list[Notice] = [UndoAnswered(seat, agreed)]
    if agreed and len(match.undo) + 1 == len(match.seats):
        if reach(facts, match.undo[0], alone=False) != match.undo_to:
            raise RequestError("no_undo", "the match has moved on: dice fell or something was revealed since")
        answered.append(Undone(match.undo[0], match.undo_to))
    return answered
