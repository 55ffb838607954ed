"""What becomes of Fleetfold when there are more facts: in the log, and in one match.

Openings are measured in this process, as `server.bench.long` measures them, cold from Postgres.
"""

import statistics
import time
from collections.abc import Sequence
from itertools import accumulate
from typing import Final
from uuid import UUID

import asyncpg

from domain.titles import TITLES
from server.bench import Say, scratch
from server.bench.append import appends
from server.bench.chance import Played, play, sealed
from server.bench.endless import ENDLESS
from server.bench.long import Figures, Lengths
from server.lobby.tokens import uuid7
from server.log.store import PostgresLog
from server.play.matches import Matches
from server.postgres.database import Database, connect
from server.postgres.embedded import Embedded
from server.proof import keys
from server.proof.keys import KeyRing
from tests.peers.figures import Figure, Tell

OURS: Final = "Fleetfold"
WRITERS: Final = 32
"""Matches that append at once beside a log of facts."""

PIECE: Final = 1000
"""Facts of the matches that fill the log."""

OPENED: Final = 10
"""Matches in the log that are opened."""

AT_ONCE: Final = 100
"""Matches that are put into the log by one statement."""

COPIED: Final = """
INSERT INTO log.fact (match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body)
SELECT new.id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body
  FROM unnest($1::uuid[]) AS new (id), log.fact WHERE match_id = $2
"""
SIZE: Final = "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('log.fact')"


async def in_the_log(postgres: Embedded, say: Say, tell: Tell, sizes: Sequence[int], seconds: float) -> None:
    """Measure appends and openings while the log has so many facts, of matches of a thousand."""
    ring = KeyRing({"bench": keys.match_key()})
    one = play(ENDLESS, "war", PIECE)
    async with scratch.scratch(postgres, "growth") as dsn:
        pieces = [(sealed(ENDLESS, one, uuid7()), one.key) for _ in range(OPENED)]
        ids = await scratch.put(dsn, pieces, ring)
        owner = await asyncpg.connect(dsn)
        database = await connect(dsn)
        TITLES[ENDLESS.name] = ENDLESS
        try:
            have = sum(len(entries) for entries, _ in pieces)
            for size in sizes:
                say(f"a log of {size:,} facts")
                have += await _filled(owner, ids[0], size - have)
                await owner.execute("ANALYZE log.fact")
                values = {
                    "rows/s appended": await appends(database, WRITERS, seconds),
                    "open ms": await _opened(database, ring, ids),
                    "MiB on disk": float(await owner.fetchval(SIZE)) / 2**20,
                }
                tell(Figure("in_the_log", OURS, size, values))
        finally:
            del TITLES[ENDLESS.name]
            await database.close()
            await owner.close()


async def _filled(owner: "asyncpg.Connection[asyncpg.Record]", like: UUID, count: int) -> int:
    """Copy a match under new ids until about so many facts have come; return how many did.

    The copies are there to be passed by: their hashes are those of the one match.
    """
    each: int = await owner.fetchval("SELECT count(*) FROM log.fact WHERE match_id = $1", like)
    wanted = max(0, round(count / each))
    for first in range(0, wanted, AT_ONCE):
        ids = [uuid7() for _ in range(min(AT_ONCE, wanted - first))]
        await owner.execute(COPIED, ids, like)
    return wanted * each


async def _opened(database: Database, ring: KeyRing, ids: Sequence[UUID]) -> float:
    """Return the milliseconds in which a match of a thousand facts is open, cold, at the median."""
    took = []
    for match in ids:
        node = Matches(PostgresLog(database), ring, lambda _: None)
        began = time.perf_counter()
        await node.get(match)
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


class _Beginnings(Lengths):
    """Beginnings of one match, opened; that they are gone through whole is for `fleetfold bench`."""

    async def opened(self, played: Played, lengths: Sequence[int]) -> dict[int, Figures]:
        """Return the figures of matches that have so many facts of a longer one."""
        ids: list[UUID] = []
        for length in lengths:
            cut = sealed(self._game, _beginning(played, length), uuid7())
            ids += await scratch.put(self._dsn, [(cut, played.key)], self._ring)
        self._say("its positions are kept")
        await self._follow()
        return await self._figures(ids, lengths)


def _beginning(played: Played, length: int) -> Played:
    """Return the first commands of a match, of at most so many facts."""
    ends = accumulate(map(len, played.commands))
    return Played(played.key, played.commands[: sum(end <= length for end in ends)], [])


async def of_a_match(postgres: Embedded, say: Say, tell: Tell, sizes: Sequence[int]) -> None:
    """Measure one match at so many facts."""
    TITLES[ENDLESS.name] = ENDLESS
    try:
        async with scratch.scratch(postgres, "lengths") as dsn:
            database = await connect(dsn)
            try:
                say(f"an endless match is played, {max(sizes):,} facts")
                found = await _Beginnings(dsn, database, say, ENDLESS).opened(
                    play(ENDLESS, "war", max(sizes)), sizes
                )
            finally:
                await database.close()
    finally:
        del TITLES[ENDLESS.name]
    for size, figures in found.items():
        values = {f"{name}, {unit}": value for name, (value, unit) in figures.items()}
        tell(Figure("of_a_match", OURS, size, values))
