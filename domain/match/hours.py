"""The hours that a seat keeps: its time on the wall, and when its night begins, said when it sits down.

They are on the log before any nonce is shown, where everybody sees them, and never change. A fact holds no
zone by name but its offsets from UTC for the years to come, as they were known when the seat was taken: the
rules of a zone change now and then, and a match of before must come out alike on every machine. Deliberately
absent: zones by name, which the server looks up (`server.play.zones`); when no time runs
(`domain.match.rest`).
"""

from itertools import pairwise

from msgspec import UNSET

from domain.kernel.facts import Notice
from domain.kernel.seats import Hours, Match
from domain.match.refusals import RequestError

MOST_OFFSETS = 64
"""Offsets that a seat may have: those of more than twenty years in which summer time begins once."""

FARTHEST = 16 * 3600
"""By how many seconds a time on a wall may differ from UTC."""

DAY = 24 * 60
"""Minutes."""

NIGHT = 8 * 60
"""Minutes that a night lasts."""


class HoursFixed(Notice, frozen=True):
    """A seat said by which time it lives; its clock stands still by it."""

    seat: int
    hours: Hours

    def note(self, match: Match) -> None:
        """Note the hours."""
        match.hours = {**(match.hours or {}), self.seat: self.hours}

    def words(self) -> str:
        """Return the sentence that says by which time the seat lives, and when its night is."""
        ahead = self.hours.offsets[0][1] // 60
        sign, far = "-" if ahead < 0 else "+", abs(ahead)
        told = f"[seat:{self.seat}] lives by UTC{sign}{_time(far)}"
        if self.hours.night is UNSET:
            return told
        return (
            f"{told}, its nights from {_time(self.hours.night)} to {_time((self.hours.night + NIGHT) % DAY)}"
        )


def keeps_hours(match: Match) -> bool:
    """Return whether the clocks of a match go by the hours of its seats."""
    return match.clock is not None and bool(match.clock.nights or match.clock.weekends)


def fix_hours(match: Match, seat: int, hours: Hours) -> list[Notice]:
    """Fix the hours of a seat that sits down; nothing where no clock goes by them.

    Raises RequestError: bad_hours.
    """
    if not keeps_hours(match):
        return []
    assert match.clock is not None
    if hours.night is not UNSET and (not match.clock.nights or not 0 <= hours.night < DAY):
        raise RequestError("bad_hours", "a night begins at a minute of the day, from 0 to 1439, if any")
    offsets = hours.offsets
    if not 0 < len(offsets) <= MOST_OFFSETS or any(abs(ahead) > FARTHEST for _, ahead in offsets):
        raise RequestError("bad_hours", "these are not the offsets of a time zone")
    if any(before >= after for (before, _), (after, _) in pairwise(offsets)):
        raise RequestError("bad_hours", "the offsets of a time zone are in the order of time")
    return [HoursFixed(seat, hours)]


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
