"""When the time of a seat runs low (`domain.match.clock.low_of`), or is out and may be claimed by who waits.

Laws of this module:

1. It follows from matches as this node has them folded, as time-outs do (`server.play.clockwork`), and every
   match with a clock is folded somewhere for those (`server.lobby.charges`).
2. It is put in while the head of the log is the fact as of which it was computed, and the view of turns has
   that fact, or not at all. Whoever stored a later one has folded the match, and knows better.
3. Who had no more than that when his turn began is not told: he knows. That it is out is told where nothing
   goes on until somebody claims it (`Clock.by_claim`).

Deliberately absent: the clock itself.
"""

import heapq
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, cast
from uuid import UUID

from msgspec import Struct

from domain.match.rest import SECOND
from server.notices.due import DUE, HOLDS, PUT
from server.play.snapshot import Snapshot
from server.postgres.database import Pool, connection

LAG: Final = 5 * SECOND
"""Microseconds for which a time is kept though the log is ahead: this node may be about to fold the rest."""

SPARE: Final = 1000
"""Matches that are looked at though nothing comes at them any more: so many are let be."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_LOW: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at), low AS MATERIALIZED (
  SELECT l.match_id, l.kind, l.seat, l.at, h.seq > l.seq AS behind,
         (c.xid, c.match_id, c.seq) >= (h.xid, l.match_id, h.seq) AS shown
    FROM unnest($1::uuid[], $2::text[], $3::smallint[], $4::int[], $5::timestamptz[])
      AS l(match_id, kind, seat, seq, at)
    JOIN view.cursor c ON c.name = 'turns' AND c.live
   CROSS JOIN LATERAL (SELECT xid, seq FROM log.fact WHERE match_id = l.match_id ORDER BY seq DESC LIMIT 1) h
), put AS (
{PUT}
SELECT c.id, c.person_id, t.match_id, s.seat, low.kind, t.seq, {DUE.format(at="now.at")}
  FROM now JOIN low ON low.shown AND NOT low.behind
  JOIN view.turn t ON t.match_id = low.match_id AND t.seat = low.seat AND t.since < low.at
  {HOLDS.format(match="t.match_id")}
   AND CASE low.kind WHEN 'low' THEN s.seat = t.seat
       ELSE NOT EXISTS (SELECT FROM view.turn own WHERE own.match_id = t.match_id AND own.seat = s.seat) END
    ON CONFLICT DO NOTHING
)
SELECT match_id, kind, seat, behind FROM low WHERE behind OR shown
"""  # noqa: S608 constants


Told = tuple[Literal["low", "out"], int]
"""What is told of the time of a seat."""


class Times(Struct, frozen=True):
    """When what is told of a match's clocks comes, in microseconds since the epoch, as of fact `seq`."""

    seq: int
    at: Mapping[Told, int]

    @property
    def first(self) -> int:
        """When the first of it comes."""
        return min(self.at.values())


class RunningLow:
    """The times at which clocks of matches in this node's memory run low, or out."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._times: dict[UUID, Times] = {}
        """By match, while there is any."""
        self._wake: list[tuple[int, UUID]] = []
        """A heap: when to look at which match, no later than the first of its times."""
        self._woken: dict[UUID, int] = {}
        """When each match is looked at next. What the heap has of it for later is passed over."""

    def changed(self, live: Snapshot) -> None:
        """Take a match as it is now.

        What was so before its last fact, and is yet to be told, is so on.
        """
        known = self._times.get(live.match)
        before = known.at if known else {}
        coming: dict[Told, int] = {("low", seat): at for seat, at in live.low.items()}
        coming |= {("out", seat): at for seat, at in live.claimable.items()}
        now = {told: at if at > live.at else before.get(told) for told, at in coming.items()}
        self._keep(live.match, live.seq, {told: at for told, at in now.items() if at is not None})

    async def look(self, now: int) -> None:
        """Put in what has come by `now`, in microseconds. Raises what the database does; then it stays."""
        self._tidy()
        known = dict(self._come(now))
        if not known:
            return
        try:
            await self._put_in(known, now)
        finally:
            for match in known:
                self._look_at(match)

    def _tidy(self) -> None:
        """Forget when to look at matches of which nothing comes any more, once there are many of them."""
        if len(self._wake) > 2 * len(self._times) + SPARE:
            self._woken = {match: times.first for match, times in self._times.items()}
            self._wake = [(at, match) for match, at in self._woken.items()]
            heapq.heapify(self._wake)

    def _come(self, now: int) -> Iterator[tuple[UUID, Times]]:
        """Yield what has come at matches, which are not looked at again before `_look_at`."""
        while self._wake and self._wake[0][0] <= now:
            at, match = heapq.heappop(self._wake)
            if self._woken.get(match) != at:
                continue
            del self._woken[match]
            times = self._times.get(match)
            if times is not None and times.first <= now:
                yield match, times
            else:
                self._look_at(match)

    async def _put_in(self, known: Mapping[UUID, Times], now: int) -> None:
        low = [
            (match, kind, seat, times.seq, _EPOCH + timedelta(microseconds=at))
            for match, times in known.items()
            for (kind, seat), at in times.at.items()
            if at <= now
        ]
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_LOW, *zip(*low, strict=True))
        for match, *told, behind in rows:
            times, one = self._times.get(match), cast("Told", tuple(told))
            if times is None or times.seq != known[match].seq:
                continue  # it has been folded further meanwhile
            if not behind or known[match].at[one] + LAG <= now:
                self._keep(match, times.seq, {other: at for other, at in times.at.items() if other != one})

    def _keep(self, match: UUID, seq: int, at: Mapping[Told, int]) -> None:
        if at:
            self._times[match] = Times(seq, at)
            self._look_at(match)
        else:
            self._times.pop(match, None)

    def _look_at(self, match: UUID) -> None:
        """See to it that a match is looked at when the first of its times comes."""
        times = self._times.get(match)
        if times is None:
            return
        # To look too early does no harm, and so a match has one place in the heap, not one for each decision.
        if match not in self._woken or times.first < self._woken[match]:
            self._woken[match] = times.first
            heapq.heappush(self._wake, (times.first, match))
