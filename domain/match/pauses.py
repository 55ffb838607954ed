"""Pauses: by agreement of all seats the clocks stand still, until any seat goes on.

While a match is paused nothing is decided and nothing taken back: no time runs, so none is used to think with
the pieces in hand. Talk, offers of a draw and resigning remain. As in `domain.match.notices`,
the functions at the end return what to record for a request, or raise `RequestError`.
"""

from collections.abc import Sequence

from msgspec import UNSET

from domain.kernel.facts import Notice
from domain.kernel.seats import Match
from domain.match.notices import check_going_on, check_may_answer, check_playing, check_seat
from domain.match.refusals import RequestError


class PauseOffered(Notice, frozen=True):
    """A seat offered a pause."""

    seat: int

    def note(self, match: Match) -> None:
        """Put the offer on the table."""
        match.pause = (self.seat,)

    def words(self) -> str:
        """Return the sentence that says who offered a pause."""
        return f"[seat:{self.seat}] offered a pause"


class PauseAnswered(Notice, frozen=True):
    """A seat agreed to the pause on offer, or declined it."""

    seat: int
    agreed: bool

    def note(self, match: Match) -> None:
        """Count the agreement, or take the offer off the table."""
        match.pause = (*(match.pause or ()), self.seat) if self.agreed else UNSET

    def words(self) -> str:
        """Return the sentence that says how the seat answered the pause."""
        return f"[seat:{self.seat}] {'agreed to' if self.agreed else 'declined'} the pause"


class ClocksStopped(Notice, frozen=True):
    """All agreed to a pause: no clock runs and nothing is decided until `ClocksStarted`."""

    def note(self, match: Match) -> None:
        """Mark the match as paused and take the offer off the table."""
        match.pause, match.paused = UNSET, True

    def words(self) -> str:
        """Return the sentence that says that the match is paused."""
        return "The match is paused, and the clocks stand still"


class ClocksStarted(Notice, frozen=True):
    """A seat ended the pause, for all at once."""

    seat: int
    running: tuple[int, ...]
    """The seats that are asked, whose time runs from here on."""

    def note(self, match: Match) -> None:
        """Mark the match as going on."""
        match.paused = UNSET

    def words(self) -> str:
        """Return the sentence that says who ended the pause."""
        return f"[seat:{self.seat}] goes on, and the clocks run again"


def offer(match: Match, seat: int) -> list[Notice]:
    """Offer a pause to all other seats; where there is none, or all have resigned, it begins at once.

    Raises RequestError: not_started, over, no_seat, no_clock, paused, offered.
    """
    check_playing(match)
    check_seat(match, seat)
    if match.clock is None:
        raise RequestError("no_clock", "this match has no clocks that could stand still")
    check_going_on(match)
    if match.pause and not _all_agree(match, match.pause):
        raise RequestError("offered", "a pause is on offer already")
    offered = PauseOffered(seat)
    return [offered, ClocksStopped()] if _all_agree(match, (seat,)) else [offered]


def answer(match: Match, seat: int, *, agreed: bool) -> list[Notice]:
    """Answer the pause on offer; it begins when all seats that have not resigned have agreed.

    Raises RequestError: not_started, over, no_seat, no_offer.
    """
    check_playing(match)
    check_seat(match, seat)
    agreeing = match.pause or ()
    check_may_answer(agreeing, seat)
    answered = PauseAnswered(seat, agreed)
    begins = agreed and _all_agree(match, (*agreeing, seat))
    return [answered, ClocksStopped()] if begins else [answered]


def resume(match: Match, seat: int, asked: tuple[int, ...]) -> list[Notice]:
    """End the pause for all, without asking; `asked` are the seats whose time runs from then on.

    Raises RequestError: not_started, over, no_seat, not_paused.
    """
    check_playing(match)
    check_seat(match, seat)
    if not match.paused:
        raise RequestError("not_paused", "the match is not paused")
    return [ClocksStarted(seat, asked)]


def _all_agree(match: Match, agreed: Sequence[int]) -> bool:
    """Return whether every seat has agreed or has resigned."""
    return set(range(len(match.seats))) <= {*agreed, *match.resigned}
