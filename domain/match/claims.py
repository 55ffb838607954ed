"""Claims of a seat that waits for another, and matches that are called off.

Who waits claims, and no more than a claim ever ends a match of which somebody is away: a match over weeks is
lost by nobody's clock while his opponent would rather wait. Where the clock says so (`by_claim`), a time-out
is decided by such a claim (`domain.match.notices.claim_time`), and of three in a row the third may be claimed
as a win, or the seat be offered to another (`domain.match.replacing`). Without a clock whoever has been
waited for for 14 days may be claimed against. Before both sides have decided once, either may call the match
off; a time-out that was claimed counts as a decision, so that nobody who is late gets away so.

As in `domain.match.notices`, the functions return what to record for a request, or raise `RequestError`.
Deliberately absent: time (`domain.match.clock`).
"""

from collections.abc import Collection
from typing import Final

from domain.kernel.facts import Notice
from domain.kernel.seats import Match
from domain.match.clock import Clocks
from domain.match.notices import (
    BY_MATCH,
    CALLED_OFF,
    GameEnded,
    check_going_on,
    check_out,
    check_playing,
    check_seat,
    check_waits,
)
from domain.match.refusals import RequestError
from domain.match.rest import DAY

THIRD: Final = 3
"""The time-out in a row of one seat that may be claimed as a win."""

ABSENT: Final = 14 * DAY
"""For how long somebody is waited for without a clock, in microseconds."""

OUT_OF_TIME: Final = "time"
AWAY: Final = "absence"


class WinClaimed(Notice, frozen=True):
    """A seat that waited for another claimed to have won."""

    seat: int
    by: int

    def words(self) -> str:
        """Return the sentence that says who claims the win, and against whom; why, the end says."""
        return f"[seat:{self.by}] claims the win against [seat:{self.seat}]"


class CalledOff(Notice, frozen=True):
    """A seat called the match off."""

    by: int
    seat: int | None = None
    """Who was away; None before both sides had decided."""

    def words(self) -> str:
        """Return the sentence that says who called the match off, and why."""
        if self.seat is None:
            return f"[seat:{self.by}] called the match off before both sides had decided"
        return f"[seat:{self.by}] called the match off: [seat:{self.seat}] stayed away"


def claim_win(
    match: Match,
    clocks: Clocks | None,
    seat: int,
    by: int,
    at: int,
    asked: Collection[int],
    since: int,
) -> list[Notice]:
    """Claim to have won against a seat, at `at`; `asked` are the seats that are asked, all since `since`.

    Both are in microseconds since the epoch. Raises RequestError: not_started, over, paused, no_seat,
    resigned, not_allowed, no_time_out.
    """
    if match.clock is None:
        _check_against(match, seat, by, asked)
        _check_away(at, since)
    else:
        check_third(match, clocks, seat, by, at, asked)
    won = GameEnded(1 - match.side(seat), AWAY if match.clock is None else OUT_OF_TIME, BY_MATCH)
    return [WinClaimed(seat, by), won]


def check_third(
    match: Match, clocks: Clocks | None, seat: int, by: int, at: int, asked: Collection[int]
) -> None:
    """Raise RequestError, as `claim_win`, unless a seat is out of time by `at`, three times in a row."""
    _check_against(match, seat, by, asked)
    if match.clock is None or not match.clock.by_claim:
        raise RequestError("not_allowed", "in this match the rules decide for whoever is out of time")
    check_out(clocks, seat, at)
    assert clocks is not None
    if clocks.late.get(seat, 0) + 1 < THIRD:
        raise RequestError("no_time_out", "that is claimed when time is out for the third time in a row")


def claim_off(match: Match, seat: int, by: int, at: int, asked: Collection[int], since: int) -> list[Notice]:
    """Call off a match without a clock for a seat that is away; otherwise as `claim_win`."""
    _check_claim(match, seat, by, asked)
    if match.clock is not None:
        raise RequestError("not_allowed", "in a match with a clock time runs out, and can be claimed then")
    _check_away(at, since)
    return [CalledOff(by, seat), GameEnded(None, CALLED_OFF, BY_MATCH)]


def call_off(match: Match, by: int, decided: Collection[int]) -> list[Notice]:
    """Call a match off before both sides have decided; `decided` are those of `Fold.decided`.

    Raises RequestError: not_started, over, no_seat, resigned, too_late.
    """
    check_playing(match)
    check_seat(match, by)
    if by in match.resigned:
        raise RequestError("resigned", "this seat has resigned")
    if not is_early(match, decided):
        raise RequestError("too_late", "both sides have decided: a draw can be offered, or one resigns")
    return [CalledOff(by), GameEnded(None, CALLED_OFF, BY_MATCH)]


def is_early(match: Match, decided: Collection[int]) -> bool:
    """Return whether a match may be called off: some side has not decided yet."""
    sides = {seat.side for seat in match.seats}
    return match.started and not match.over and sides != {match.side(seat) for seat in decided}


def _check_against(match: Match, seat: int, by: int, asked: Collection[int]) -> None:
    _check_claim(match, seat, by, asked)
    side = match.side(seat)
    if match.side(by) == side:
        raise RequestError("not_allowed", "nobody wins against a seat of the same side")
    if not set(match.seats_of(side)) <= {*match.resigned, seat}:
        raise RequestError("not_allowed", "other seats of that side play on: its time-outs can be claimed")


def _check_claim(match: Match, seat: int, by: int, asked: Collection[int]) -> None:
    check_playing(match)
    check_going_on(match)
    check_seat(match, seat)
    check_waits(match, by, asked)
    if seat not in asked:
        raise RequestError("no_time_out", "nobody waits for this seat")


def _check_away(at: int, since: int) -> None:
    if at < since + ABSENT:
        raise RequestError("no_time_out", "this seat has been waited for less than 14 days")
