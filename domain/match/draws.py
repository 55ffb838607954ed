"""Draws by agreement: offered by a seat, and the end of the match once all seats have agreed.

As in `domain.match.notices`, the functions at the end return what to record for a request, or raise
`RequestError`.
"""

from domain.kernel.facts import Notice
from domain.kernel.seats import Match
from domain.match.notices import BY_MATCH, GameEnded, check_may_answer, check_playing, check_seat
from domain.match.refusals import RequestError


class DrawOffered(Notice, frozen=True):
    """A seat offered a draw."""

    seat: int

    def note(self, match: Match) -> None:
        """Put the offer on the table."""
        match.draw = (self.seat,)

    def words(self) -> str:
        """Return the sentence that says who offered a draw."""
        return f"[seat:{self.seat}] offered a draw"


class DrawAnswered(Notice, frozen=True):
    """A seat agreed to the draw on offer, or declined it."""

    seat: int
    agreed: bool

    def note(self, match: Match) -> None:
        """Count the agreement, or take the offer off the table."""
        match.draw = (*match.draw, self.seat) if self.agreed else ()

    def words(self) -> str:
        """Return the sentence that says how the seat answered the draw."""
        return f"[seat:{self.seat}] {'agreed to' if self.agreed else 'declined'} the draw"


def offer_draw(match: Match, seat: int) -> list[Notice]:
    """Offer a draw to all other seats.

    Raises RequestError: not_started, over, no_seat, nobody if the other side has no seat, offered.
    """
    check_playing(match)
    check_seat(match, seat)
    if not match.seats_of(1 - match.side(seat)):
        raise RequestError("nobody", "no seat on the other side could agree to a draw")
    if match.draw:
        raise RequestError("offered", "a draw is on offer already")
    return [DrawOffered(seat)]


def answer_draw(match: Match, seat: int, *, agreed: bool) -> list[Notice]:
    """Answer the draw on offer; the match ends when all seats have agreed.

    Raises RequestError: not_started, over, no_seat, no_offer.
    """
    check_playing(match)
    check_seat(match, seat)
    check_may_answer(match.draw, seat)
    answered: list[Notice] = [DrawAnswered(seat, agreed)]
    if agreed and len(match.draw) + 1 == len(match.seats):
        answered.append(GameEnded(None, "agreement", BY_MATCH))
    return answered
