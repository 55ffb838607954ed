"""Until when a player has, as a notice says it.

Laws of this module:

1. It is the end of his time by the clock itself, with nights, weekends and holidays: the node that has the
   match in its charge notes it as of the last fact (`server.lobby.clocks_due`). A note of an earlier one says
   nothing.
2. It is read when the notice is told, and not when that was put in: it may have waited for a night to pass.
3. It is said by the person's own wall. Whose zone is unknown here reads it in UTC, and that it is.

Deliberately absent: the clock; of live play what is due within minutes, of which there is no note.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from server.play.clock import NO_DATE

UNTIL: Final = """
CASE WHEN o.kind IN ('turn', 'low') THEN
  (SELECT (d.deadlines ->> o.seat::text)::bigint FROM lobby.clock_due d
    WHERE d.match_id = o.match_id
      AND d.noted = (SELECT f.seq FROM log.fact f WHERE f.match_id = o.match_id ORDER BY f.seq DESC LIMIT 1))
END
"""
"""SQL: when the time is out of the seat that notice `o` is for, in microseconds since the epoch; or null."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def date_of(until: int | None) -> datetime | None:
    """Return the date of so many microseconds since the epoch; None for none, and from NO_DATE on."""
    if until is None or until >= NO_DATE:
        return None
    return _EPOCH + timedelta(microseconds=until)


def said(until: datetime | None, at: datetime, zone: str) -> str:
    """Return "you have until Fri 4 Dec, 18:00", by this zone of the tz database; empty without an end.

    The year is said where it is another than that of `at`. Seconds are cut off, so that nobody is late by it.
    """
    if until is None:
        return ""
    there, now = until.astimezone(_zone(zone)), at.astimezone(_zone(zone))
    year = "" if there.year == now.year else f" {there.year}"
    utc = " UTC" if there.tzinfo is UTC else ""
    when = f"{_DAYS[there.weekday()]} {there.day} {_MONTHS[there.month - 1]}{year}, {there:%H:%M}{utc}"
    return f"you have until {when}" if until > at else f"your time ran out on {when}"


def _zone(name: str) -> tzinfo:
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return UTC
