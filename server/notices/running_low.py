"""When the time of a seat runs low, by its clock (`domain.match.clock.LOW`).

Laws of this module:

1. It follows from matches as this node has them folded, as time-outs do (`server.play.clockwork`), and every
   match with a clock is folded somewhere for those (`server.lobby.charges`).
2. It is put in while the head of the log is the fact as of which it was computed, and the view of turns has
   that fact, or not at all. Whoever stored a later one has folded the match, and knows better.
3. Who had no more than that when his turn began is not told: he knows.

Deliberately absent: the clock itself.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.match.rest import SECOND
from server.notices.due import DUE, HOLDS, PUT
from server.play.snapshot import Snapshot
from server.postgres.database import Pool, connection

LAG: Final = 5 * SECOND
"""Microseconds for which a time is kept though the log is ahead: this node may be about to fold the rest."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_LOW: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at), low AS MATERIALIZED (
  SELECT l.match_id, l.seat, l.at, h.seq > l.seq AS behind,
         (c.xid, c.match_id, c.seq) >= (h.xid, l.match_id, h.seq) AS shown
    FROM unnest($1::uuid[], $2::smallint[], $3::int[], $4::timestamptz[]) AS l(match_id, seat, seq, at)
    JOIN view.cursor c ON c.name = 'turns' AND c.live
   CROSS JOIN LATERAL (SELECT xid, seq FROM log.fact WHERE match_id = l.match_id ORDER BY seq DESC LIMIT 1) h
), put AS (
{PUT}
SELECT c.id, c.person_id, t.match_id, t.seat, 'low', t.seq, {DUE.format(at="now.at")}
  FROM now JOIN low ON low.shown AND NOT low.behind
  JOIN view.turn t ON t.match_id = low.match_id AND t.seat = low.seat AND t.since < low.at
  {HOLDS.format(match="t.match_id")} AND s.seat = t.seat
    ON CONFLICT DO NOTHING
)
SELECT match_id, seat, behind FROM low WHERE behind OR shown
"""  # noqa: S608 constants


class Lows(Struct, frozen=True):
    """When the time of each seat of a match runs low, in microseconds since the epoch, as of fact `seq`."""

    seq: int
    at: Mapping[int, int]


class RunningLow:
    """The times at which clocks of matches in this node's memory run low."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._lows: dict[UUID, Lows] = {}
        """By match, while there is any."""

    def changed(self, live: Snapshot) -> None:
        """Take a match as it is now.

        A time that was low before its last fact, and is yet to be told, is so on.
        """
        known = self._lows.get(live.match)
        before = known.at if known else {}
        now = {seat: at if at > live.at else before.get(seat) for seat, at in live.low.items()}
        self._keep(live.match, live.seq, {seat: at for seat, at in now.items() if at is not None})

    async def look(self, now: int) -> None:
        """Put in what has run low by `now`, in microseconds. Raises what the database does; then it stays."""
        known = dict(self._lows)
        low = [
            (match, seat, lows.seq, _EPOCH + timedelta(microseconds=at))
            for match, lows in known.items()
            for seat, at in lows.at.items()
            if at <= now
        ]
        if not low:
            return
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_LOW, *zip(*low, strict=True))
        for match, seat, behind in rows:
            lows = self._lows.get(match)
            if lows is None or lows.seq != known[match].seq:
                continue  # it has been folded further meanwhile
            if not behind or known[match].at[seat] + LAG <= now:
                self._keep(match, lows.seq, {s: at for s, at in lows.at.items() if s != seat})

    def _keep(self, match: UUID, seq: int, at: Mapping[int, int]) -> None:
        if at:
            self._lows[match] = Lows(seq, at)
        else:
            self._lows.pop(match, None)
