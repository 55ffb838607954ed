"""What a long match costs beside a short one: opening it, deciding in it, scrubbing through it, holding it.

One match of a title without end, at several lengths. Every figure of a longer one is shown against that of
the shortest, as growth, and those of the longest against what a player may wait.
"""

import gc
import random
import secrets
import statistics
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from uuid import UUID, uuid4

from msgspec import Raw

from domain.kernel.audience import Audience
from domain.match.chain import Entry
from domain.match.game import Game
from domain.titles import TITLES
from projections.feed import catch_up
from projections.generations import prepare
from projections.positions import Positions, find
from projections.record import Record, record, written
from server.bench import Result, Say, rate
from server.bench.chance import Choice, Played, by_chance, command, play, sealed
from server.bench.endless import ENDLESS
from server.bench.scratch import alter, put
from server.bench.whole import Cost, brought_in, gone_through, written_out
from server.http.passages import Passage, lines
from server.lobby.tokens import uuid7
from server.log.store import PostgresLog
from server.play import acts
from server.play.live import Live
from server.play.matches import Matches
from server.postgres.database import Database, connect, connection
from server.proof import keys
from server.proof.keys import KeyRing

LENGTHS: Final = (1_000, 10_000, 100_000, 500_000)
"""Facts of the match."""

TIMES: Final = 30
"""Openings, decisions and moments of each length."""

STEPPED: Final = 200
"""Facts of the passages that are stepped through."""

LIMITS: Final = {
    "open, cold": 2000.0,
    "open, warm": 10.0,
    "the view of one who comes back": 10.0,
    "scrub to any moment": 100.0,
    "step, of each fact": 16.0,
}
"""The milliseconds within which each has to be done, however long the match is."""

GROWN: Final = 32.0
"""MiB by which a process may grow that goes through a whole match, however long it is."""

LEAST: Final = 0.25
"""MiB below which nobody can say what a process grew by."""

FED: Final = 10_000
"""Facts a second that are the target of keeping positions."""

Costs = dict[str, Cost]
"""By name the seconds, and the MiB by which a process grew."""

Figures = dict[str, tuple[float, str]]
"""By name a value and its unit; less is better."""


async def long_bench(dsn: str, say: Say, lengths: Sequence[int] = LENGTHS) -> list[Result]:
    """Measure matches of so many facts each, the shortest first."""
    TITLES[ENDLESS.name] = ENDLESS
    database = await connect(dsn)
    try:
        say(f"an endless match is played, {max(lengths):,} facts")
        played = play(ENDLESS, "war", max(lengths))
        return await Lengths(dsn, database, say, ENDLESS).measured(played, lengths)
    finally:
        await database.close()
        del TITLES[ENDLESS.name]


def _results(found: dict[int, Figures]) -> list[Result]:
    """Set each figure against that of the shortest match, and of the longest against its limit."""
    shortest, longest = min(found), max(found)
    results: list[Result] = []
    for name, (base, _) in found[shortest].items():
        for length, figures in found.items():
            value, unit = figures[name]
            told = f"{name}, {length:,} facts"
            results.append(Result(told, value, unit, f"{shortest:,} facts", base / value))
        if name in LIMITS:
            value, limit = found[longest][name][0], LIMITS[name]
            results.append(Result(name, value, "ms", f"limit {limit:,.0f}", limit / value, 1.0))
    return results


def _whole_results(found: dict[int, Costs]) -> list[Result]:
    """Set what it costs to go through a whole match beside the shortest, and the memory against its limit."""
    shortest, longest = min(found), max(found)
    results: list[Result] = []
    for name in found[shortest]:
        for length, costs in found.items():
            against, (base, _) = f"{shortest:,} facts", found[shortest][name]
            seconds, grown = costs[name]
            results.append(Result(f"{name}, {length:,} facts", seconds, "s", against, base / seconds))
            grown = max(grown, LEAST)
            less = max(found[shortest][name][1], LEAST)
            told = f"memory of a process, {name}, {length:,} facts"
            results.append(Result(told, grown, "MiB", against, less / grown))
        grown = max(found[longest][name][1], LEAST)
        results.append(
            Result(f"memory of a process, {name}", grown, "MiB", f"limit {GROWN:.0f}", GROWN / grown, 1.0)
        )
    return results


class Lengths:
    """Measures a match of a title at several lengths; `choose` decides on at the end of each."""

    def __init__(
        self, dsn: str, database: Database, say: Say, game: Game, choose: Choice = by_chance
    ) -> None:
        self._dsn, self._database, self._say = dsn, database, say
        self._game, self._choose = game, choose
        self._log = PostgresLog(database)
        self._ring = KeyRing({"bench": secrets.token_bytes(keys.SIZE)})
        self._random = random.Random(1942)  # noqa: S311 a choice is not a secret

    async def measured(self, played: Played, lengths: Sequence[int]) -> list[Result]:
        """Measure the beginnings of a match that have so many facts, the shortest first."""
        whole: dict[int, Costs] = {}
        ids = await self._keep(played, lengths, whole)
        self._say("its positions are kept")
        kept = await self._follow()
        return [
            *_results(await self._figures(ids, lengths)),
            *_whole_results(whole),
            rate("facts folded to keep positions", kept, "facts/s", FED),
        ]

    async def _figures(self, ids: Sequence[UUID], lengths: Sequence[int]) -> dict[int, Figures]:
        found: dict[int, Figures] = {}
        for length, match in zip(lengths, ids, strict=True):
            self._say(f"a match of {length:,} facts")
            found[length] = await self._measure(match, length)
        return found

    async def _keep(self, played: Played, lengths: Sequence[int], whole: dict[int, Costs]) -> list[UUID]:
        """Put the beginnings of one match into the log, each as a match of its own.

        The shortest and the longest are brought in from files and gone through whole; what that costs is put
        into `whole`.
        """
        ids: list[UUID] = []
        for length in lengths:
            entries = sealed(self._game, played, uuid7())
            end = next(e.seq - e.index - 1 for e in reversed(entries[: length + 1]) if not e.index)
            cut = entries if len(entries) <= length else entries[:end]
            if length in {min(lengths), max(lengths)}:
                self._say(f"a match of {length:,} facts is gone through whole")
                whole[length] = await self._gone_through(cut, played.key)
                ids.append(cut[0].match)
            else:
                ids += await put(self._dsn, [(cut, played.key)], self._ring)
        return ids

    async def _gone_through(self, entries: list[Entry], key: bytes) -> Costs:
        """Write a match into a file, bring it in without waiting for the disk, and go through it."""
        match = entries[0].match
        with TemporaryDirectory(prefix="fleetfold-bench-") as folder:
            path = Path(folder, "match.ndjson")
            _write(path, record(entries, Audience.UMPIRE, box=self._ring.seal(match, key)))
            async with connection(self._database.projector) as conn:
                name = await conn.fetchval("SELECT current_database()")
            await alter(self._dsn, f"ALTER DATABASE {name} SET synchronous_commit = off")
            costs = {"import": await brought_in(path, key, self._dsn)}
            await alter(self._dsn, f"ALTER DATABASE {name} RESET synchronous_commit")
            costs |= {"export": await written_out(Path(folder, "again.ndjson"), match, self._dsn)}
            return costs | await gone_through(path, key)

    async def _follow(self) -> float:
        """Keep positions of all; return the facts a second."""
        await prepare(self._database.projector, Positions())
        begun = time.perf_counter()
        facts = await catch_up(self._database.projector, Positions())
        return facts / (time.perf_counter() - begun)

    def _node(self) -> Matches:
        """Return a node that has no match in memory."""
        found = partial(find, self._database.read)
        return Matches(self._log, self._ring, lambda _: None, positions=found)

    async def _measure(self, match: UUID, length: int) -> Figures:
        """Return all figures of a match."""
        live = self._node()
        await live.get(match)  # which makes connection and plan
        return {
            "open, cold": await self._median(lambda: self._node().get(match)),
            "open, warm": await self._median(lambda: live.latest(match)),
            "open, from the first fact": await self._from_the_start(match),
            "the view of one who comes back": await self._median(lambda: live.view(match, Audience.SIDE_0)),
            "scrub to any moment": await self._scrubbed(live, match, length),
            "step, of each fact": await self._stepped(live, match, length),
            "memory of a match": await self._held(match),
            "a decision at the end": await self._decided(live, match),
        }

    async def _decided(self, live: Matches, match: UUID) -> tuple[float, str]:
        """Decide on; what is chosen is not measured."""

        def chosen(one: Live) -> tuple[int, list[bytes]]:
            assert one.table is not None
            seat = next(iter(one.table.prompts))
            decisions = command(one.table, seat, self._random, self._choose)
            return seat, [self._game.encode(decision) for decision in decisions]

        took = []
        for _ in range(TIMES):
            seat, decisions = await live.glance(match, chosen)
            begun = time.perf_counter()
            snapshot = await live.get(match)
            act, is_repetition = acts.decide(seat, snapshot.seq, [Raw(one) for one in decisions])
            await live.command(match, uuid4(), act, is_repetition)
            took.append((time.perf_counter() - begun) * 1000)
        return statistics.median(took), "ms"

    async def _median(self, work: Callable[[], Awaitable[object]], times: int = TIMES) -> tuple[float, str]:
        took = []
        for _ in range(times):
            begun = time.perf_counter()
            await work()
            took.append((time.perf_counter() - begun) * 1000)
        return statistics.median(took), "ms"

    async def _from_the_start(self, match: UUID) -> tuple[float, str]:
        node = Matches(self._log, self._ring, lambda _: None)
        return await self._median(lambda: node.get(match), 1)

    async def _scrubbed(self, live: Matches, match: UUID, length: int) -> tuple[float, str]:
        def moment() -> Awaitable[object]:
            seq = self._random.randrange(1, length)
            return self._passage(live, match, Passage(seq, seq))

        return await self._median(moment)

    async def _stepped(self, live: Matches, match: UUID, length: int) -> tuple[float, str]:
        def passage() -> Awaitable[object]:
            seq = self._random.randrange(1, length - STEPPED)
            return self._passage(live, match, Passage(seq, seq + STEPPED))

        value, unit = await self._median(passage)
        return value / STEPPED, unit

    async def _passage(self, live: Matches, match: UUID, passage: Passage) -> object:
        k_salt = (await live.latest(match)).k_salt
        return await lines(live.opening, match, passage, Audience.SIDE_0, k_salt, everything=False)

    async def _held(self, match: UUID) -> tuple[float, str]:
        """Return what a node holds of a match that it has opened."""
        node = self._node()
        gc.collect()
        tracemalloc.start()
        try:
            await node.get(match)
            gc.collect()
            return tracemalloc.get_traced_memory()[0] / 1024, "KiB"
        finally:
            tracemalloc.stop()


def _write(path: Path, one: Record) -> None:
    with path.open("wb") as file:
        file.writelines(written(one))
