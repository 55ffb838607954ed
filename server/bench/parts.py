"""The parts of the measurement in their order, how much of each is done, and what comes out of all.

A part that cannot be measured here is left out, with a sentence; the others go on.
"""

import asyncio
import contextlib
import os
import platform
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct

from domain.titles import TITLES
from server.bench import LeftOut, Result, Say, scratch
from server.bench.apart import apart_bench
from server.bench.append import MATCHES, append_bench
from server.bench.chance import WHOLE
from server.bench.decision import SIZES as CROWDS
from server.bench.decision import decision_bench
from server.bench.fanout import SECONDS, SIZES, fanout_bench
from server.bench.feed import feed_bench
from server.bench.long import LENGTHS, long_bench
from server.bench.many import GOALS, many_bench
from server.bench.memory import memory_bench
from server.bench.opening import opening_bench
from server.bench.questions import questions_shares
from server.bench.rules import Shares, rules_bench, rules_shares
from server.bench.sensible import ENDLESS, sensible_bench
from server.bench.together import together_bench
from server.bench.views import views_bench
from server.bench.war import war_bench
from server.bench.watched import watched_bench
from server.postgres.embedded import Embedded


class Scale(Struct, frozen=True):
    """How much is measured. The defaults take a quarter of an hour, the war most of it."""

    append_matches: Sequence[int] = MATCHES
    append_seconds: float = 2.0
    append_rounds: int = 3
    fanout_sizes: Sequence[int] = SIZES
    fanout_rounds: int = 4
    fanout_seconds: float = SECONDS
    crowds: Sequence[int] = CROWDS
    decisions: int = 200
    matches: int = 200
    matches_seconds: float = 10.0
    matches_of: Sequence[str] = tuple(GOALS)
    together_matches: int = 60
    together_rounds: int = 8
    together_seconds: float = 4.0
    apart_decisions: int = 200
    apart_rounds: int = 3
    rules_rounds: int = 5
    by_chance: int = WHOLE
    scenarios: int = 9
    sensible: int = ENDLESS
    asked: int = ENDLESS
    opened: int = 40
    fed: int = 100
    lengths: Sequence[int] = LENGTHS
    war: int = ENDLESS
    connections: int = 1000
    watched: int = 1500


QUICK: Final = Scale(
    append_matches=(8,),
    append_seconds=0.3,
    append_rounds=1,
    fanout_sizes=(20,),
    fanout_rounds=1,
    fanout_seconds=0.005,
    crowds=(5,),
    decisions=10,
    matches=2,
    matches_seconds=0.3,
    matches_of=("midway", "nimitz"),
    together_matches=2,
    together_rounds=1,
    together_seconds=0.3,
    apart_decisions=10,
    apart_rounds=1,
    rules_rounds=1,
    by_chance=300,
    scenarios=1,
    sensible=300,
    asked=1_000,
    opened=3,
    fed=2,
    lengths=(300, 1_500),
    war=600,
    connections=40,
    watched=150,
)
"""A smoke test; its figures are not meaningful."""


class Machine(Struct, frozen=True):
    """What the figures were measured on, without its name."""

    cores: int
    system: str
    python: str
    uvloop: str
    websockets: str
    postgres: str = ""
    """Empty where no part needed one."""


class PartResults(Struct):
    """The results of one part, or why it was left out."""

    results: list[Result] = []
    left_out: str = ""


class BenchReport(Struct):
    """All that was measured in one run."""

    machine: Machine
    quick: bool
    parts: dict[str, PartResults] = {}
    shares: dict[str, Shares] = {}
    """Where the time of a decision goes in the rules of each title."""
    questions: dict[str, Shares] = {}
    """What dear questions take of the decisions of a match played sensibly."""


class Resources(Struct, frozen=True):
    """What a part is given: how much to do, whom to tell of it, a Postgres, and a folder for small files."""

    scale: Scale
    say: Say
    postgres: Embedded | None
    folder: Path

    @contextlib.asynccontextmanager
    async def database(self, name: str) -> AsyncIterator[str]:
        """Give the URL of a database for one part."""
        assert self.postgres is not None
        async with scratch.scratch(self.postgres, name) as dsn:
            yield dsn


async def _append(resources: Resources) -> list[Result]:
    scale, results = resources.scale, list[Result]()
    async with resources.database("append") as dsn:
        for matches in scale.append_matches:
            resources.say(f"commands of {matches} matches, beside pgbench")
            seconds, rounds = scale.append_seconds, scale.append_rounds
            results += await append_bench(dsn, seconds=seconds, rounds=rounds, matches=[matches])
    return results


async def _fanout(resources: Resources) -> list[Result]:
    results: list[Result] = []
    for size in resources.scale.fanout_sizes:
        resources.say(f"deliveries to {size} onlookers, beside raw writes and the library's broadcast")
        results += await fanout_bench([size], resources.scale.fanout_rounds, resources.scale.fanout_seconds)
    if not results:
        raise LeftOut("too few files may be open at once: see `ulimit -n`")
    return results


async def _decision(resources: Resources) -> list[Result]:
    async with resources.database("decision") as dsn:
        crowds, decisions = resources.scale.crowds, resources.scale.decisions
        return await decision_bench(dsn, resources.folder / "decision", resources.say, crowds, decisions)


async def _many(resources: Resources) -> list[Result]:
    scale = resources.scale
    games = [TITLES[name] for name in scale.matches_of]
    async with resources.database("many") as dsn:
        folder, seconds = resources.folder / "many", scale.matches_seconds
        return await many_bench(dsn, folder, resources.say, games, scale.matches, seconds)


async def _together(resources: Resources) -> list[Result]:
    scale = resources.scale
    async with resources.database("together") as dsn:
        folder, rounds = resources.folder / "together", scale.together_rounds
        game, seconds = TITLES[scale.matches_of[0]], scale.together_seconds
        matches = scale.together_matches
        return await together_bench(dsn, folder, resources.say, game, matches, seconds, rounds)


async def _apart(resources: Resources) -> list[Result]:
    scale = resources.scale
    games = [TITLES[name] for name in scale.matches_of]
    async with resources.database("apart") as dsn:
        folder, decisions = resources.folder / "apart", scale.apart_decisions
        return await apart_bench(dsn, folder, resources.say, games, decisions, scale.apart_rounds)


async def _rules(resources: Resources) -> list[Result]:
    resources.say("facts folded and decisions taken, in memory")
    return rules_bench(resources.scale.rules_rounds, resources.scale.by_chance)


async def _sensible(resources: Resources) -> list[Result]:
    resources.say("whole matches played sensibly, in memory")
    return sensible_bench(resources.scale.scenarios, resources.scale.sensible)


async def _views(resources: Resources) -> list[Result]:
    resources.say("views drawn up and patched, in memory")
    return views_bench(resources.scale.rules_rounds, resources.scale.by_chance)


async def _opening(resources: Resources) -> list[Result]:
    resources.say("matches opened from Postgres")
    async with resources.database("opening") as dsn:
        return await opening_bench(dsn, resources.scale.opened)


async def _feed(resources: Resources) -> list[Result]:
    resources.say("the log to projections")
    async with resources.database("feed") as dsn:
        return await feed_bench(dsn, resources.scale.fed)


async def _long(resources: Resources) -> list[Result]:
    async with resources.database("long") as dsn:
        return await long_bench(dsn, resources.say, resources.scale.lengths)


async def _war(resources: Resources) -> list[Result]:
    async with resources.database("war") as dsn:
        return await war_bench(dsn, resources.say, resources.scale.war)


async def _memory(resources: Resources) -> list[Result]:
    resources.say(f"{resources.scale.connections} connections at rest")
    async with resources.database("memory") as dsn:
        results = await memory_bench(dsn, resources.folder / "memory", resources.scale.connections)
    resources.say("matches that are watched, in memory")
    return results + await watched_bench(resources.scale.watched)


PARTS: Final[dict[str, Callable[[Resources], Awaitable[list[Result]]]]] = {
    "append": _append,
    "fanout": _fanout,
    "decision": _decision,
    "many": _many,
    "together": _together,
    "apart": _apart,
    "rules": _rules,
    "sensible": _sensible,
    "views": _views,
    "opening": _opening,
    "feed": _feed,
    "long": _long,
    "war": _war,
    "memory": _memory,
}
ON_DISK: Final = frozenset(
    {"append", "decision", "many", "together", "apart", "opening", "feed", "long", "war", "memory"}
)
"""The parts that need a Postgres."""


PATIENCE: Final = 300.0
"""Timeout of one part, in seconds."""

LONGER: Final = {"long": 1800.0, "war": 3600.0}
"""That of parts which take minutes by themselves."""


async def measure(names: Collection[str], say: Say, *, quick: bool = False) -> BenchReport:
    """Measure the named parts, in the order of PARTS. Raises EmbeddedError."""
    async with contextlib.AsyncExitStack() as stack:
        postgres = None
        if ON_DISK & set(names):
            say("starting a Postgres with its defaults, in a folder that goes afterwards")
            postgres = await stack.enter_async_context(scratch.engine(_temporary(stack)))
        report = BenchReport(_machine("" if postgres is None else await scratch.version(postgres)), quick)
        resources = Resources(QUICK if quick else Scale(), say, postgres, _temporary(stack))
        for name in PARTS:
            if name in names:
                report.parts[name] = await _part(name, resources)
        if "rules" in names:
            report.shares = rules_shares(resources.scale.by_chance)
        if "sensible" in names:
            report.questions = questions_shares(resources.scale.asked)
    return report


async def _part(name: str, resources: Resources) -> PartResults:
    try:
        async with asyncio.timeout(LONGER.get(name, PATIENCE)):
            return PartResults(await PARTS[name](resources))
    except LeftOut as why:
        return PartResults(left_out=str(why))
    except TimeoutError:
        return PartResults(
            left_out="this took longer than the measurement waits; the machine may be busy elsewhere"
        )


def _temporary(stack: contextlib.ExitStack | contextlib.AsyncExitStack) -> Path:
    folder = tempfile.TemporaryDirectory(prefix="fleetfold-bench-", ignore_cleanup_errors=True)
    return Path(stack.enter_context(folder))


def _machine(postgres: str) -> Machine:
    return Machine(
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        uvloop=version("uvloop"),
        websockets=version("websockets"),
        postgres=postgres,
    )
