"""A trial: bots play, onlookers look on, parts of the cluster are killed, and the history is checked."""

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

from msgspec import Struct, json

from server.limits import allow_files
from server.postgres.database import connect
from server.proof import keys
from tests.cluster import checking
from tests.cluster.cluster import Cluster, Node, cluster, memory
from tests.cluster.load import LATE, BrokenOff, Load
from tests.cluster.probing import Probe
from tests.server.history import Acknowledged, Invoked, follow
from tests.server.tables import bugs

EVERY = 5.0
"""Seconds between kills."""

AWAY = 1.0
"""Seconds for which a node or Redis stays away; Postgres comes back by itself."""

LOST = {"primary": "leader", "standby": "sync_standby"}
"""Members of Postgres that may go with all that is on their machine, by Patroni's names of their roles."""

LONG_AWAY = 30.0
"""Seconds for which such a one stays away: longer than the `ttl` of deploy/patroni."""

BACK = 120.0
"""Seconds within which all that was killed is there again."""

SETTLE = 3.0
"""Seconds of play after everything is back, so that every kill has an after."""

BESIDES = 2.0
"""Seconds that play may take to go on when the database does again."""

LEAST = 100
"""Acknowledged decisions that a trial without so many says little of."""


class Plan(Struct, frozen=True):
    """How much of everything."""

    seconds: float = 60.0
    nodes: int = 3
    tables: int = 8
    onlookers: int = 60
    think: float = 0.2
    seed: int = 1942
    every: float = EVERY
    kinds: tuple[str, ...] = ("node", "redis", "postgres")
    """What is killed, in turn."""


class Report(Struct, frozen=True):
    """The last line of a trial."""

    nodes: int
    kills: int
    decisions: int
    acknowledged: int
    violations: int
    recovery_p50_ms: int
    recovery_max_ms: int


class Look(Struct, frozen=True):
    """What a node weighed at a moment: MiB, open files, tasks."""

    at: float
    memory: float
    files: float
    tasks: float


class Outcome(Struct):
    """What a trial has found."""

    report: Report
    violations: list[str]
    looks: list[Look]
    """Of the node that was not killed, if one was left alone."""
    recoveries: list[checking.Recovery]


async def trial(plan: Plan, say: Callable[[str], None], *, spared: bool = False) -> Outcome:
    """Run a trial on a cluster of its own. `spared`: the first node is never killed, and is looked at.

    Raises NotThere, and BrokenOff where it comes to no end.
    """
    allow_files()
    say(f"Starting {plan.nodes} nodes, Redis, Postgres and a balancer …")
    settings = {
        "FLEETFOLD_OFFERS_PER_ADDRESS": "10000",
        "FLEETFOLD_LOG_LEVEL": "warning",
        # Those that are played and few that have ended: a node that keeps more grows until it has 1,000.
        "FLEETFOLD_TABLES_IN_MEMORY": str(plan.tables + 4),
    }
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)  # a database that is away is what is tried
    async with cluster(plan.nodes, **settings) as made, contextlib.AsyncExitStack() as stack:
        say(f"{made.postgres.kind}; {plan.tables} matches at once, {plan.onlookers} onlookers.")
        database = await connect(made.postgres.url)
        stack.push_async_callback(database.close)
        feed: list[tuple[UUID, int]] = []
        reading = asyncio.create_task(follow(database, feed, ()))
        stack.callback(reading.cancel)
        probe = Probe(made.postgres.url)
        probing = asyncio.create_task(probe.run())
        stack.callback(probing.cancel)
        load = Load(made.url, plan.tables, plan.onlookers, plan.think, plan.seed)
        stack.push_async_callback(load.leave)
        await load.start()
        nemesis = Nemesis(made, plan, spared=spared)
        await nemesis.run(load, say)
        say("Letting everybody see the end …")
        await load.leave_seats()
        ring = keys.find_ring(file=made.keys)
        logged = await checking.gathered(database, ring, load.book.tables, feed)
        await _all_seen(load, {match: entries[-1].seq for match, entries in logged.entries.items()})
        load.check()
        await load.leave()
        say(f"Checking {sum(map(len, logged.entries.values()))} facts of {len(logged.entries)} matches …")
        begun = time.monotonic()
        found = await asyncio.to_thread(checking.violations, load.book, logged)
        found += [bug for node in made.nodes for bug in bugs(node.program.log.read_text())]
        recoveries = checking.recoveries(load.book, nemesis.kills, plan.tables, probe.back)
        found += [
            f"after the kill of {one.what} not every table went on"
            for one in recoveries
            if one.seconds is None
        ]
        say("Every table went on after, in seconds: " + ", ".join(map(str, recoveries)))
        say(f"Checked in {checking.since(begun)}; {load.book.deliveries} frames were delivered to onlookers.")
        return Outcome(_report(plan, load, nemesis, recoveries, len(found)), found, nemesis.looks, recoveries)


def _report(
    plan: Plan, load: Load, nemesis: "Nemesis", recoveries: list[checking.Recovery], violations: int
) -> Report:
    events, decided = load.book.events, load.book.decided
    seconds = [one.seconds for one in recoveries if one.seconds is not None]
    return Report(
        nodes=plan.nodes,
        kills=len(nemesis.kills),
        decisions=sum(isinstance(event, Invoked) and event.command in decided for event in events),
        acknowledged=sum(isinstance(event, Acknowledged) and event.command in decided for event in events),
        violations=violations,
        recovery_p50_ms=round(1000 * checking.quantile(seconds, 0.5)),
        recovery_max_ms=round(1000 * max(seconds, default=0.0)),
    )


async def _all_seen(load: Load, heads: dict[UUID, int]) -> None:
    """Wait until every onlooker is at the head of what it looks at, and name those who are not."""
    until = time.monotonic() + LATE
    behind = load.onlookers
    while behind and time.monotonic() < until:
        await asyncio.sleep(0.1)
        behind = [one for one in behind if one.upto < heads.get(one.match, 0)]
    load.book.faults += [
        f"an onlooker of {one.match} stays at {one.upto} of {heads[one.match]}: {one.why}" for one in behind
    ]


class Nemesis:
    """Kills something every few seconds, and has it started again."""

    def __init__(self, made: Cluster, plan: Plan, *, spared: bool) -> None:
        self.kills: list[tuple[str, int]] = []
        self.looks: list[Look] = []
        self._cluster, self._plan = made, plan
        self._spared = made.nodes[0] if spared else None
        self._chance = random.Random(plan.seed)
        self._coming: dict[str, asyncio.Task[None]] = {}

    async def run(self, load: Load, say: Callable[[str], None]) -> None:
        """Kill for as long as is planned; then wait until all of it is back, and play a little more."""
        begun = time.monotonic()
        bag: list[str] = []
        number = 0
        while (now := time.monotonic() - begun) < self._plan.seconds:
            if now >= self._plan.every * (number + 1):
                number += 1
                bag = bag or self._chance.sample(self._plan.kinds, len(self._plan.kinds))
                await self._kill(bag.pop(), say, now)
            await self._look(now)
            load.check()
            await asyncio.sleep(0.2)
        await self._back()
        await asyncio.sleep(SETTLE)
        await self._gone_on(load)

    async def _back(self) -> None:
        """Wait until all that was killed is there again. Raises BrokenOff."""
        try:
            async with asyncio.timeout(BACK):
                await asyncio.gather(*self._coming.values())
                while not await self._cluster.postgres.whole():
                    await asyncio.sleep(0.2)
        except TimeoutError:
            away = [what for what, task in self._coming.items() if task.cancelled()] or ["postgres"]
            raise BrokenOff(f"{', '.join(away)} is not back {BACK:g} s after the last kill") from None

    async def _gone_on(self, load: Load) -> None:
        """Wait until every table has gone on after the last kill; who does not is found by the check."""
        until = time.monotonic() + BACK
        while time.monotonic() < until:
            last = checking.recoveries(load.book, self.kills[-1:], self._plan.tables)
            if all(one.seconds is not None for one in last):
                return
            await asyncio.sleep(0.5)

    async def _kill(self, what: str, say: Callable[[str], None], now: float) -> None:
        """Kill one thing; what is still on its way back is left, and a node taken in its place."""
        if self._is_coming(what) or (self._is_postgres(what) and not await self._cluster.postgres.whole()):
            if "node" not in self._plan.kinds:
                return
            what = "node"
        if what == "postgres":
            await self._cluster.postgres.crash()  # which looks first who leads
            self._note(what)
        elif what in LOST:
            again = await self._cluster.postgres.lose(LOST[what])
            self._note(what)
            self._bring_back(what, again, LONG_AWAY)
        elif what == "redis":
            self._note(what)
            self._cluster.redis.program.kill()
            self._bring_back(what, self._cluster.redis.start)
        else:
            there = [
                node
                for node in self._cluster.nodes
                if node is not self._spared and node.program.pid is not None
            ]
            node = self._chance.choice(there)
            what = node.program.name
            self._note(what)
            node.program.kill()
            self._bring_back(what, node.again)
        say(f"{now:5.1f} s: {what} killed")

    def _note(self, what: str) -> None:
        self.kills.append((what, time.monotonic_ns()))

    def _is_coming(self, what: str) -> bool:
        task = self._coming.get(what)
        return task is not None and not task.done()

    @staticmethod
    def _is_postgres(what: str) -> bool:
        return what == "postgres" or what in LOST

    def _bring_back(
        self, what: str, start: Callable[[], Awaitable[object]], away: float | None = None
    ) -> None:
        async def later() -> None:
            await asyncio.sleep(AWAY if away is None else away)
            await start()

        if what in self._coming:
            self._coming[what].cancel()  # killed as it starts: two who start it would leave one behind
        self._coming[what] = asyncio.create_task(later())

    async def _look(self, now: float) -> None:
        node = self._spared
        if node is None or (self.looks and now - self.looks[-1].at < 2):
            return
        with contextlib.suppress(OSError, TimeoutError, IndexError):
            self.looks.append(await _weighed(node, now))


async def _weighed(node: Node, now: float) -> Look:
    pid = node.program.pid
    assert pid is not None, "the node that nobody kills has ended"
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Look(now, memory(pid) / (1 << 20), files, await node.number("fleetfold_tasks"))


def lost_or_late(found: Outcome, kills: int) -> list[str]:
    """Name what is wrong with a trial in which the database was killed at least so often.

    That is every violation, every kill after which play went on more than BESIDES seconds later than the
    database, or of which that is not known, and a trial in which too little happened.
    """
    few = found.report.kills < kills or found.report.acknowledged <= LEAST
    return [
        *found.violations,
        *([f"too little happened: {found.report}"] if few else []),
        *(f"play went on too late: {one}" for one in found.recoveries if is_late(one)),
    ]


def is_late(one: checking.Recovery) -> bool:
    """Whether play went on more than BESIDES seconds after the database did, as far as it is known."""
    return one.seconds is None or one.database is None or one.seconds >= one.database + BESIDES


def line(report: Report) -> str:
    """Return the report as the last line of a trial."""
    return json.encode(report).decode()
