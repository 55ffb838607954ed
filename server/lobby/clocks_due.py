"""When the clock of each match has to be looked at next: noted once its match is folded, as of its last fact.

It is a convenience, for nodes that start. A note is of use while its fact is the last of the match: what was
computed of an earlier one says nothing, and a match without a note is opened. One that could not be written
is written with the next. Notices read from it until when a player has (`server.notices.deadlines`).
Deliberately absent: what is done when it is due (`server.play.clockwork`, `server.notices.running_low`).
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from msgspec import json

from server.play.clock import NO_DATE
from server.play.clockwork import Clockwork
from server.play.failures import failed
from server.play.snapshot import Snapshot
from server.postgres.database import Pool, connection

AHEAD: Final = 300
"""Seconds before it is due that a match is opened. Of live play nothing due within them is noted."""

TOLD: Final = timedelta(days=1)
"""How long ago a time has run low that has been told: a node that was away for less tells it yet."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NOTE: Final = """
INSERT INTO lobby.clock_due AS c (match_id, seq, due, noted, deadlines)
SELECT match_id, seq, due, seq, deadlines::jsonb
  FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::text[]) AS n(match_id, seq, due, deadlines)
    ON CONFLICT (match_id) DO UPDATE
   SET seq = excluded.seq, due = excluded.due, noted = excluded.noted, deadlines = excluded.deadlines
 WHERE c.seq <= excluded.seq
"""


class ClocksDue:
    """The notes that a node is to make."""

    def __init__(self, pool: Pool, clockwork: Clockwork, now: Callable[[], int]) -> None:
        """`now` returns the time in microseconds since the epoch."""
        self._pool, self._clockwork, self._now = pool, clockwork, now
        self._to_note: dict[UUID, tuple[int, datetime | None, str]] = {}

    def __len__(self) -> int:
        return len(self._to_note)

    def take(self, live: Snapshot) -> None:
        """Take a match as it is now, to be noted unless something is due within AHEAD in live play."""
        now = self._now()
        told = now - TOLD // timedelta(microseconds=1)
        times = (self._clockwork.due(live), *live.low.values(), *live.claimable.values())
        due = min((at for at in times if at is not None and told < at < NO_DATE), default=None)
        if due is None or due > now + AHEAD * 1_000_000 or live.claimable:
            at = None if due is None else _EPOCH + timedelta(microseconds=due)
            self._to_note[live.match] = live.seq, at, json.encode(dict(live.deadlines)).decode()

    async def note(self) -> None:
        """Note what was taken. What cannot be written is kept for the next time, and logged."""
        noted, self._to_note = self._to_note, {}
        if not noted:
            return
        matches = sorted(noted)
        try:
            async with connection(self._pool) as conn:
                await conn.execute(_NOTE, matches, *map(list, zip(*map(noted.get, matches), strict=True)))
        except Exception as why:
            if failed("clocks not noted", why):
                self._to_note = noted | self._to_note
