"""The matches in a node's charge: those that have not ended whose bots it runs and whose clocks it sets.

Matches are dealt into SHARES by their ids, and every node holds an even part of the shares by lease
(`server.postgres.leases`). Each second it asks once which matches of its shares need something, so that what
a node leaves behind that was killed is taken up by others within seconds, and nothing is by two. Should two
run for a moment, the log stores each decision once, and the bot that was late looks again. A look costs with
what it finds; an end that nobody noted is found by going through all matches, a page a look.

A bot is run while it is asked, or something has happened in its match within AWAKE. Else the match is asleep:
it costs nothing, and is taken up again when a fact comes, whoever made it, or when somebody is at an offer
that has not begun. It is not ended: without a clock a match waits for its player as long as nobody claims
that he stays away.

A match with a clock is opened when somebody is asked, by whomever time-outs are decided: orders in advance
and the defaults of resigned seats are carried out, and it is told whose time runs low. When the first of that
is due is noted then, so that a node that starts opens those alone that have moved since, or are due within
AHEAD: play over weeks leaves tens of thousands in which nothing is for days.

Deliberately absent: what a bot does (`server.lobby.house`), when a time-out is due (`server.play.clockwork`).
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from msgspec import Struct

from projections.standings import BOT_ASKED
from server.lobby.clocks_due import AHEAD, ClocksDue
from server.lobby.house import House
from server.lobby.offers import Lobby
from server.play.clockwork import Clockwork
from server.play.failures import failed, put_off
from server.play.matches import Matches
from server.postgres.database import Pool, connection
from server.postgres.leases import Leases

SHARES: Final = 64

LOOK: Final = 1.0
"""Seconds between two looks."""

WHOLE: Final = 60.0
"""Seconds between two looks at all that waits or moved within AWAKE; the others see what moved since."""

AWAKE: Final = timedelta(hours=1)
"""For how long after its last fact a match's bots are kept running though they are not asked."""

OVERLAP: Final = timedelta(seconds=10)
"""How far two looks overlap: by so much standings may lag behind the log."""

_NAMES: Final = [f"matches {number}" for number in range(SHARES)]

PAGE: Final = 200
"""How many of all matches that have not ended are gone through a look, for ends that were never noted."""

CLOCKS: Final = 5000
"""How many matches are found at once whose clocks are to be set: those that are due, then any without a note.

After an upgrade none has a note: to find all would take longer than a statement may.
"""

TAIL: Final = 20_000
"""The most facts that standings lack which a look reads, the latest."""

# A match is in the lobby before its first fact is on the log, and on the log before it is in the standings.
# Where these have stopped, the facts behind their cursor tell what moves. Each source is found by an index of
# its own, so that a look costs with what it finds, and not with all that has not ended. The rest is looked up
# match by match: LIMIT keeps a plan that is made without knowing how little is found from reading all, as a
# subquery of one value does, where EXISTS may be answered by reading the first facts of all matches.
_NEEDS: Final = """
WITH since AS MATERIALIZED (
  SELECT log.now() - $2::interval AS at
), tail AS MATERIALIZED (
  SELECT f.match_id, min(f.at) AS lacked, max(f.at) AS at, bool_or(f.final) AS final
    FROM view.cursor c CROSS JOIN LATERAL (
      SELECT match_id, at, final FROM log.fact
       WHERE (xid, match_id, seq) > (c.xid, c.match_id, c.seq)
       ORDER BY xid DESC, match_id DESC, seq DESC LIMIT {tail}) f
   WHERE c.name = 'standings' AND c.live GROUP BY f.match_id
), perhaps AS MATERIALIZED (
  SELECT match_id FROM tail
   UNION SELECT match_id FROM view.standings WHERE last_at > (SELECT at FROM since)
   UNION SELECT match_id FROM lobby.match WHERE ended_at IS NULL AND seen_at > (SELECT at FROM since)
   UNION SELECT unnest($3::uuid[]){waiting}
), known AS MATERIALIZED (
  SELECT m.match_id, m.clocked, coalesce(t.final, false) OR coalesce(s.ended, false) AS ended, s.asked,
         greatest(s.last_at, t.at) AS last_at, NOT coalesce(s.over OR t.final, false) AS going,
         coalesce(t.lacked < (SELECT log.now()) - $4::interval, false) AS unknown, {rests} AS rests,
         greatest(s.last_at, t.at, m.seen_at) > (SELECT at FROM since)
           AND (s.match_id IS NOT NULL
                OR (SELECT true FROM log.fact f WHERE f.match_id = m.match_id AND f.seq = 1)) AS awake
    FROM perhaps p
   CROSS JOIN LATERAL (SELECT * FROM lobby.match WHERE match_id = p.match_id LIMIT 1) m
    LEFT JOIN LATERAL (SELECT * FROM view.standings WHERE match_id = p.match_id LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT * FROM lobby.clock_due WHERE match_id = p.match_id LIMIT 1) d ON true
    LEFT JOIN tail t ON t.match_id = p.match_id
   WHERE m.ended_at IS NULL AND get_byte(uuid_send(p.match_id), 15) % {shares} = ANY($1::int[])
), needs AS (
  SELECT k.*, b.seats, b.strengths,
         k.clocked AND k.going
           AND (k.unknown OR coalesce(cardinality(k.asked), 0) > 0 AND NOT k.rests) AS clock,
         b.seats IS NOT NULL AND k.going AND (k.awake OR k.asked && b.seats) AS bots
    FROM known k
    LEFT JOIN LATERAL (SELECT array_agg(o.seat) AS seats, array_agg(o.strength) AS strengths
                         FROM lobby.seat o WHERE o.match_id = k.match_id AND o.strength <> '') b ON true
)
SELECT match_id, seats, strengths, ended, last_at, coalesce(bots, false) AS bots, clock
  FROM needs WHERE ended OR bots OR clock
 ORDER BY asked && seats DESC NULLS LAST, last_at DESC NULLS FIRST
"""
_WAITING: Final = """
   UNION SELECT match_id FROM view.standings WHERE {asked}
   UNION (SELECT m.match_id FROM lobby.match m
            JOIN view.standings s ON s.match_id = m.match_id AND cardinality(s.asked) > 0 AND NOT s.over
            LEFT JOIN lobby.clock_due d ON d.match_id = m.match_id
           WHERE m.ended_at IS NULL AND m.clocked AND NOT {rests} ORDER BY d.due LIMIT {most})"""
_RESTS: Final = f"""coalesce(
  d.seq = s.facts AND (d.due IS NULL OR d.due > (SELECT log.now()) + interval '{AHEAD} seconds'), false)"""
_MOVED: Final = _NEEDS.format(tail=TAIL, shares=SHARES, waiting="", rests=_RESTS)
_WHOLE: Final = _NEEDS.format(
    tail=TAIL,
    shares=SHARES,
    waiting=_WAITING.format(asked=BOT_ASKED, rests=_RESTS, most=CLOCKS),
    rests=_RESTS,
)
_NEXT: Final = """
SELECT match_id FROM lobby.match WHERE ended_at IS NULL AND match_id > $1 ORDER BY match_id LIMIT $2
"""


class Need(Struct, frozen=True):
    """What a match needs: that its end is noted, bots (seat to strength) are run, or its clock is set.

    Its last fact, as far as standings know, was stored at `last_at`; None if they know of none.
    """

    match: UUID
    ended: bool
    last_at: datetime | None
    bots: dict[int, str]
    clock: bool


class Charges:
    """The matches in the charge of this node."""

    def __init__(
        self, pool: Pool, leases: Leases, lobby: Lobby, matches: Matches, clockwork: Clockwork, house: House
    ) -> None:
        self._pool, self._leases, self._lobby, self._matches = pool, leases, lobby, matches
        self._clockwork, self._house = clockwork, house
        self._shares: frozenset[int] = frozenset()
        """The shares that were read at the last look."""
        self._looked = self._whole = float("-inf")
        """When the last look was, and the last at all matches."""
        self._bots: dict[UUID, dict[int, str]] = {}
        """The bots that are to run, as far as the looks have told."""
        self._unset: dict[UUID, datetime] = {}
        """Matches whose clocks are to be set, in this order, and when the last fact of each was stored."""
        self._set: dict[UUID, datetime] = {}
        """The same of matches whose clocks were set."""
        self._due = ClocksDue(pool, clockwork, matches.now)
        self._after = UUID(int=0)
        """How far all matches that have not ended were gone through."""
        leases.when_lost(self._leave)

    async def begin(self) -> None:
        """Take shares before anybody is served, so that the bots of the first match are there at once."""
        await self._leases.share(_NAMES)

    async def run(self) -> None:
        """Look every LOOK seconds until cancelled; beside it seats are given that a killed node has taken."""
        beside = [asyncio.create_task(one) for one in (self._set_clocks(), self._lobby.unfinished.run())]
        try:
            while True:
                with put_off("matches not looked after"):
                    await self.look()
                await asyncio.sleep(LOOK)
        finally:
            for task in beside:
                task.cancel()

    async def look(self) -> None:
        """Take up what needs this node, and stop the bots that it need not run any more."""
        held = await self._leases.share(_NAMES)
        shares = frozenset(number for number, name in enumerate(_NAMES) if name in held)
        now = asyncio.get_running_loop().time()
        whole = not shares <= self._shares or now - self._whole >= WHOLE
        needs = await self._needs(shares, now, whole=whole) if shares else []
        self._shares, self._looked = shares, now
        if whole:
            self._whole, self._bots = now, {}
        self._bots |= {need.match: need.bots for need in needs if need.bots}
        self._bots = {match: bots for match, bots in self._bots.items() if self._has(match)}
        self._house.run_these(self._bots, self._whole)
        clocks = {need.match: need.last_at for need in needs if need.clock and need.last_at}
        if whole:
            self._set = {match: at for match, at in self._set.items() if match in clocks}
        self._unset |= {match: at for match, at in clocks.items() if self._set.get(match) != at}
        for need in needs:
            if need.ended and need.last_at:
                await self._lobby.ended(need.match, need.last_at)

    def created(self, match: UUID, strengths: dict[int, str]) -> None:
        """Seat the bots of a new match, if it is in the charge of this node; else its node finds it."""
        if self._has(match):
            self._house.seat(match, strengths)

    async def _needs(self, shares: frozenset[int], now: float, *, whole: bool) -> Sequence[Need]:
        """Ask what needs something: of these shares all, or what has moved since the last look."""
        moved = AWAKE if whole else timedelta(seconds=now - self._looked) + OVERLAP
        async with connection(self._pool) as conn:
            page = [row["match_id"] for row in await conn.fetch(_NEXT, self._after, PAGE)]
            rows = await conn.fetch(_WHOLE if whole else _MOVED, list(shares), moved, page, OVERLAP)
        self._after = page[-1] if len(page) == PAGE else UUID(int=0)
        return [
            Need(
                row["match_id"],
                bool(row["ended"]),
                row["last_at"],
                dict(zip(row["seats"], row["strengths"], strict=True)) if row["bots"] else {},
                row["clock"],
            )
            for row in rows
        ]

    def _has(self, match: UUID) -> bool:
        """Whether a match is in the charge of this node."""
        return self._leases.holds(_NAMES[_share(match)])

    def _leave(self, lost: frozenset[str]) -> None:
        """Stop the bots of shares that are not this node's any more."""
        self._house.leave(lambda match: _NAMES[_share(match)] in lost)

    async def _set_clocks(self) -> None:
        """Open the matches whose clocks are to be set, one after the other."""
        while True:
            while self._unset:
                match, at = next(iter(self._unset.items()))
                try:
                    self._due.take(await self._matches.latest(match))  # which sets its clock
                except Exception as why:
                    if failed("clock not set", why, match=str(match)):
                        break  # and is tried again
                self._set[match] = at
                if self._unset[match] == at:  # else it has moved meanwhile
                    del self._unset[match]
                if len(self._due) >= PAGE:
                    await self._due.note()
            await self._due.note()
            await asyncio.sleep(LOOK)


def _share(match: UUID) -> int:
    """Return the share of a match: the last byte of its id is random."""
    return match.bytes[15] % SHARES
