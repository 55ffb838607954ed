"""When the time of a seat runs low: a quarter of the bank is left of its clock.

It follows from matches as this node has them folded, as time-outs do (`server.play.clockwork`), and every
match with a clock is folded somewhere for those (`server.lobby.charges`). Who had no more than that when his
turn began is not told: he knows. Deliberately absent: the clock itself (`domain.match.clock`).
"""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from domain.match.rest import SECOND
from server.notices.due import DUE, HOLDS, PUT
from server.play.snapshot import Snapshot
from server.postgres.database import Pool, connection

PART: Final = 4
LAG: Final = 5 * SECOND
"""Microseconds by which it is told later: the view of turns may lag behind the log."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_LOW: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at)
{PUT}
SELECT c.id, c.person_id, t.match_id, t.seat, 'low', t.seq, {DUE.format(at="now.at")}
  FROM now CROSS JOIN unnest($1::uuid[], $2::smallint[], $3::timestamptz[]) AS low(match_id, seat, at)
  JOIN view.turn t ON t.match_id = low.match_id AND t.seat = low.seat AND t.since < low.at
  {HOLDS.format(match="t.match_id")} AND s.seat = t.seat
    ON CONFLICT DO NOTHING
"""  # noqa: S608 constants


class RunningLow:
    """The times at which clocks of matches in this node's memory run low."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._at: dict[UUID, dict[int, int]] = {}
        """By match and seat, in microseconds since the epoch."""

    def changed(self, live: Snapshot) -> None:
        """Take a match as it is now."""
        clock = live.standing.clock
        going = clock is not None and not live.standing.over and not live.standing.paused
        if clock is None or not going or not live.deadlines:
            self._at.pop(live.match, None)
            return
        part = clock.bank * SECOND // PART
        self._at[live.match] = {seat: deadline - part for seat, deadline in live.deadlines.items()}

    async def look(self, now: int) -> None:
        """Put in what has run low by `now`, in microseconds. Raises what the database does; then it stays."""
        low = [
            (match, seat, at)
            for match, seats in self._at.items()
            for seat, at in seats.items()
            if at + LAG <= now
        ]
        if not low:
            return
        matches, seats, times = zip(*low, strict=True)
        async with connection(self._pool) as conn:
            moments = [_EPOCH + timedelta(microseconds=at) for at in times]
            await conn.execute(_LOW, matches, seats, moments)
        for match, seat, at in low:
            if self._at.get(match, {}).get(seat) == at:
                del self._at[match][seat]
