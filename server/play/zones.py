"""The hours of a seat, from the name of its time zone: looked up once, when it sits down.

What comes of it stands on the log, and nothing is looked up again: neither where a match is folded nor where
its record is checked. The database of zones is the system's, or that of the package `tzdata` where it has
none. Deliberately absent: what a clock makes of it (`domain.match.rest`).
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import UNSET

from domain.kernel.seats import Hours
from domain.match.hours import MOST_OFFSETS
from domain.match.refusals import RequestError

AHEAD: Final = timedelta(days=20 * 366)
"""For how long the offsets are told: twice as long as the greatest bank.

A zone that changes four times a year for a while has more than a seat may have: the last ones are left out.
"""

STEP: Final = timedelta(days=7)
"""No zone puts its clocks on and back again within it."""

LONGEST: Final = 64
"""Characters in the name of a zone; no name is as long as that."""


def hours_of(zone: str, night: int | None, now: int) -> Hours | None:
    """Return the hours of a zone, by its IANA name, from `now` on, in microseconds since the epoch.

    `night` is the minute of the day at which a night begins. None where neither is said; UTC without a zone.
    Raises RequestError: bad_hours.
    """
    if not zone and night is None:
        return None
    today = datetime.fromtimestamp(now // 1_000_000, UTC).replace(hour=0, minute=0, second=0)
    return Hours(_offsets(zone or "UTC", today), UNSET if night is None else night)


@lru_cache(maxsize=64)
def _offsets(zone: str, since: datetime) -> tuple[tuple[int, int], ...]:
    try:
        known = ZoneInfo(zone[:LONGEST])
    except (OSError, ValueError, LookupError):  # a file that is none, a path that leads out, a name unknown
        why = "there is no such time zone: one is called such as Europe/Berlin"
        raise RequestError("bad_hours", why) from None
    changes = islice(_changes(known, since), MOST_OFFSETS - 1)
    return ((int(since.timestamp()), _ahead(known, since)), *changes)


def _changes(zone: ZoneInfo, since: datetime) -> Iterator[tuple[int, int]]:
    """Yield when a zone changes its offset, in seconds since the epoch, and that offset in seconds."""
    at, end = since, since + AHEAD
    while at < end:
        before, after = at, at + STEP
        ahead = _ahead(zone, after)
        if ahead != _ahead(zone, before):
            while after - before > timedelta(seconds=1):
                middle = before + timedelta(seconds=(after - before) // timedelta(seconds=2))
                before, after = (before, middle) if _ahead(zone, middle) == ahead else (middle, after)
            yield int(after.timestamp()), ahead
        at += STEP


def _ahead(zone: ZoneInfo, at: datetime) -> int:
    offset = at.astimezone(zone).utcoffset()
    assert offset is not None
    return offset // timedelta(seconds=1)
