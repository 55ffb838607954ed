"""The eight quiet hours of a person, in his own zone, summer time included."""

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

HOURS: Final = 8
DAY: Final = 24


def quiet_until(at: datetime, zone: str, night: int | None) -> datetime | None:
    """Return when the night ends that `at` falls in, in UTC; None by day.

    `night` is the hour of `zone`, a name of the tz database, at which it begins. Where that name is unknown
    here, there is no night: a notice at a bad hour is better than none. In the nights on which clocks are
    set, the end is where the clock on the wall says so.
    """
    if night is None:
        return None
    try:
        there = at.astimezone(ZoneInfo(zone))
    except (ValueError, OSError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return None
    passed = (there.hour - night) % DAY
    if passed >= HOURS:
        return None
    days, hour = divmod(night + HOURS, DAY)
    begun = there.date() if there.hour >= night else there.date() - timedelta(days=1)
    end = datetime(begun.year, begun.month, begun.day, hour, tzinfo=there.tzinfo) + timedelta(days=days)
    return max(end.astimezone(UTC), at + timedelta(seconds=1))
