"""Seats that change hands: one whose player stays away is offered, and somebody else takes it.

A seat may be offered by whoever might as well claim the win (`domain.match.claims`). It stays its player's
until somebody has taken it: whoever comes back and decides himself has withdrawn the offer. Meanwhile its
time-outs are claimed as before, as default decisions or as the win, so nobody has to wait for another.

Who takes a seat has what it knew and what it said; he begins with the bank of the match (`Clocks`), his own
hours and his own days of holiday, and is bound by no offer of the one before. Nothing has to be done for the
dice: the nonces of all seats were shown before the first was thrown, so they are fixed whoever plays on.

As in `domain.match.notices`, the functions return what to record for a request, or raise `RequestError`.
Deliberately absent: who somebody is, which no log says (`server.lobby.seats`), and whether a seat is on offer
now, which goes by who has decided since (`Clocks.vacant`).
"""

from collections.abc import Collection

from msgspec import UNSET

from domain.kernel.facts import Notice
from domain.kernel.seats import Hours, Match
from domain.match.claims import check_third
from domain.match.clock import Clocks
from domain.match.hours import fix_hours
from domain.match.notices import KINDS, check_going_on, check_playing, check_seat
from domain.match.refusals import RequestError


class SeatOffered(Notice, frozen=True):
    """A seat that waited for another offers that one to anybody, as it is out of time for the third time."""

    seat: int
    by: int

    def words(self) -> str:
        """Return the sentence that says who offers which seat."""
        return f"[seat:{self.by}] offers the seat of [seat:{self.seat}] to somebody else"


class SeatReplaced(Notice, frozen=True):
    """A seat that was on offer has another player."""

    seat: int
    kind: str

    @property
    def bars_undo(self) -> bool:
        """Whether nothing before it is taken back: it was decided by somebody else."""
        return True

    def note(self, match: Match) -> None:
        """Put the new player in the place of the one before, whose hours, holidays and offers are void."""
        match.taken = {**match.taken, self.seat: self.kind}
        for said in ("hours", "holidays"):
            others = {seat: one for seat, one in (getattr(match, said) or {}).items() if seat != self.seat}
            setattr(match, said, others or UNSET)
        if self.seat in match.draw:
            match.draw = ()
        if self.seat in match.undo:
            match.undo, match.undo_to = (), 0
        if self.seat in (match.pause or ()):
            match.pause = UNSET
        if match.correction and self.seat in match.correction.agreed:
            match.correction = UNSET

    def words(self) -> str:
        """Return the sentence that says that somebody else plays on."""
        return f"Another {self.kind} takes over: [seat:{self.seat}]"


def offer_seat(
    match: Match, clocks: Clocks | None, seat: int, by: int, at: int, asked: Collection[int]
) -> list[Notice]:
    """Offer a seat, at `at`, in microseconds since the epoch; `asked` are the seats that are asked.

    Raises RequestError: as `claims.claim_win`, and offered.
    """
    if match.clock is None:
        raise RequestError("no_clock", "a seat is offered anew where a clock says that its player is late")
    check_third(match, clocks, seat, by, at, asked)
    assert clocks is not None
    if seat in clocks.vacant:
        raise RequestError("offered", "this seat is on offer already")
    return [SeatOffered(seat, by)]


def take_over(
    match: Match, clocks: Clocks | None, seat: int, kind: str, hours: Hours | None = None
) -> list[Notice]:
    """Take a seat that is on offer, as a `kind` of player, and fix the hours if there are any.

    Raises RequestError: not_started, over, paused, no_seat, no_offer, bad_kind, bad_hours.
    """
    check_playing(match)
    check_going_on(match)
    check_seat(match, seat)
    if clocks is None or seat not in clocks.vacant:
        raise RequestError("no_offer", "this seat is not on offer, or not any more")
    if kind not in KINDS:
        raise RequestError("bad_kind", f"a seat is taken by a {' or a '.join(KINDS)}")
    fixed = fix_hours(match, seat, hours) if hours else []
    return [SeatReplaced(seat, kind), *fixed]
