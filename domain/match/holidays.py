"""Holidays: days on which no time of a seat runs, in a match whose time-outs are claimed.

A seat begins one at once and for so many days, as everybody is told; it ends by itself, or earlier when the
seat says so. A day that has begun is spent. As in `domain.match.notices`, the functions return what to record
for a request, or raise `RequestError`. Deliberately absent: what a clock makes of it (`domain.match.rest`).
"""

from typing import Final

from msgspec.structs import replace

from domain.kernel.facts import Notice
from domain.kernel.seats import Match, TimeOff
from domain.match.notices import check_playing, check_seat
from domain.match.refusals import RequestError
from domain.match.rest import DAY

AT_ONCE: Final = 14
"""Days of one holiday, at most."""

A_YEAR: Final = 30
"""Days of all holidays of a seat that begin within 365 days, at most."""


class HolidayBegan(Notice, frozen=True):
    """A seat goes on holiday for so many days, from `since` on, in microseconds since the epoch."""

    seat: int
    since: int
    days: int

    def note(self, match: Match) -> None:
        """Note the holiday."""
        begun = TimeOff(self.since, self.since + self.days * DAY)
        match.holidays = {**(match.holidays or {}), self.seat: (*taken(match, self.seat), begun)}

    def words(self) -> str:
        """Return the sentence that says who goes on holiday, and for how long."""
        return f"[seat:{self.seat}] goes on holiday for {self.days} {'day' if self.days == 1 else 'days'}"


class HolidayEnded(Notice, frozen=True):
    """A seat came back early, at `until`, in microseconds since the epoch."""

    seat: int
    until: int

    def note(self, match: Match) -> None:
        """End the holiday."""
        *others, last = taken(match, self.seat)
        match.holidays = {**(match.holidays or {}), self.seat: (*others, replace(last, until=self.until))}

    def words(self) -> str:
        """Return the sentence that says who is back."""
        return f"[seat:{self.seat}] is back from its holiday"


def taken(match: Match, seat: int) -> tuple[TimeOff, ...]:
    """Return the holidays of a seat so far, in order."""
    return (match.holidays or {}).get(seat, ())


def left(match: Match, seat: int, at: int) -> int:
    """Return how many days of a seat are left at `at`; all of a holiday that lasts are spent."""
    return A_YEAR - sum(spent(one) for one in taken(match, seat) if one.since > at - 365 * DAY)


def begin(match: Match, seat: int, days: int, at: int) -> list[Notice]:
    """Go on holiday at `at`, in microseconds since the epoch.

    Raises RequestError: not_started, over, no_seat, resigned, no_clock, no_holiday.
    """
    check_playing(match)
    check_seat(match, seat)
    if seat in match.resigned:
        raise RequestError("resigned", "this seat has resigned")
    if match.clock is None or not match.clock.by_claim:
        raise RequestError("no_clock", "holidays are for clocks whose time-outs are claimed")
    if not 0 < days <= AT_ONCE:
        raise RequestError("no_holiday", f"a holiday has 1 to {AT_ONCE} days")
    before = taken(match, seat)
    if before and at < before[-1].until:
        raise RequestError("no_holiday", "this seat is on holiday already")
    if days > (days_left := left(match, seat, at)):
        raise RequestError("no_holiday", f"of {A_YEAR} days a year {days_left} are left")
    return [HolidayBegan(seat, at, days)]


def end(match: Match, seat: int, at: int) -> list[Notice]:
    """Come back at `at`, in microseconds since the epoch. Raises RequestError: as `begin`."""
    check_playing(match)
    check_seat(match, seat)
    before = taken(match, seat)
    if not before or at >= before[-1].until:
        raise RequestError("no_holiday", "this seat is not on holiday")
    return [HolidayEnded(seat, at)]


def spent(holiday: TimeOff) -> int:
    """Return the days of a holiday that have begun by its end."""
    return -(-(holiday.until - holiday.since) // DAY)
