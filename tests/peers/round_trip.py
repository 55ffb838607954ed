"""Many matches at once, each with two seats and ten who look on: what a decision takes and costs.

Every server has the servers' core for itself. Players and onlookers, which are one process, and Postgres
share the others. A decision is timed from the write of its message to what tells the seat that it counts:
our receipt, behind which it is on disk; with the others the table after it, as everybody is sent it. The
processor's time is that of the server's processes; Postgres' is beside it.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final, Protocol

from msgspec import Struct

from domain.match.game import Game
from domain.titles import TITLES
from server.bench import Say, scratch, share
from server.bench.endless import ENDLESS
from server.bench.many import BusyMatch, Measured
from server.bench.node import begun, connected
from server.postgres.embedded import Embedded
from tests.peers.figures import Figure, Tell
from tests.peers.installed import HERE, Missing, Peers
from tests.peers.ours import serving
from tests.peers.processes import spent, started
from tests.peers.tables import BoardgameMatch, ColyseusMatch

SEATS: Final = 2
BESIDE: Final = 20
"""Matches that begin side by side."""

PATIENCE: Final = 180.0
"""Seconds within which all matches have to begin."""

WARM: Final = 0.25
"""Share of the measured seconds that goes before them."""


class Match(Protocol):
    """A match that can be played."""

    def go(self) -> None:
        """Begin to decide."""

    def stop(self) -> None:
        """Decide no more."""

    def close(self) -> None:
        """Let all sockets go."""


class Matches(Struct, frozen=True):
    """How many matches, and how many look on at each."""

    count: int = 200
    onlookers: int = 10


class Running(Struct, frozen=True):
    """Servers that run: how a match on them begins, and their processes."""

    begin: Callable[[int, Measured], Awaitable[Match]]
    pids: Sequence[int]


Run = Callable[[Peers, Embedded, Matches], contextlib.AbstractAsyncContextManager[Running]]


class OurMatch(BusyMatch):
    """One of ours."""

    def close(self) -> None:
        """Let all sockets go."""
        for socket in self.sockets:
            socket.close()


def fleetfold(game: Game, nodes: int = 1, redis: str = "") -> Run:
    """Return how so many nodes of ours are run, on which the seats and onlookers of each match are spread."""

    @contextlib.asynccontextmanager
    async def running(_: Peers, postgres: Embedded, wanted: Matches) -> AsyncIterator[Running]:
        async with serving(postgres, nodes, redis) as servers:
            urls = [server.line.decode().strip() for server in servers]

            async def begin(number: int, measured: Measured) -> Match:
                first = number % nodes
                return await _ours(game, urls[first:] + urls[:first], wanted, measured)

            yield Running(begin, [server.pid for server in servers])

    return running


async def _ours(game: Game, urls: Sequence[str], wanted: Matches, measured: Measured) -> OurMatch:
    match, tokens = await begun(urls[0], game)
    table = OurMatch(match, match.int & 0xFFFF, len(tokens), measured)
    for place, (seat, token) in enumerate(zip(table.seats, tokens.values(), strict=True)):
        seat.socket = await connected(urls[place % len(urls)], match, seat.hear, token)
        table.sockets.append(seat.socket)
    for place in range(wanted.onlookers):
        table.sockets.append(await connected(urls[place % len(urls)], match, lambda _: None))
    await table.ready.wait()
    return table


def boardgame(*, on_disk: bool) -> Run:
    """Return how boardgame.io is run, its state in memory or in Postgres."""

    @contextlib.asynccontextmanager
    async def running(peers: Peers, postgres: Embedded, wanted: Matches) -> AsyncIterator[Running]:
        async with _emptied(postgres, on_disk=on_disk) as place:
            with started(("node", HERE / "boardgame.mjs", place, peers.packages())) as server:
                port = server.told["port"]

                async def begin(number: int, measured: Measured) -> Match:
                    match = BoardgameMatch(measured, f"m{number}")
                    await match.open(
                        port, ["/socket.io/?EIO=4&transport=websocket"] * (SEATS + wanted.onlookers)
                    )
                    return match

                yield Running(begin, [server.pid])

    return running


@contextlib.asynccontextmanager
async def _emptied(postgres: Embedded, *, on_disk: bool) -> AsyncIterator[str]:
    """Give a database of its own to those who want one."""
    if not on_disk:
        yield "memory"
        return
    async with scratch.scratch(postgres, "peer") as dsn:
        yield dsn


@contextlib.asynccontextmanager
async def colyseus(peers: Peers, _: Embedded, wanted: Matches) -> AsyncIterator[Running]:
    """Run Colyseus; its state is in memory."""
    seats = str(SEATS + wanted.onlookers)
    with started(("node", HERE / "colyseus.mjs", str(wanted.count), seats, peers.packages())) as server:
        told = server.told

        async def begin(number: int, measured: Measured) -> Match:
            match = ColyseusMatch(measured)
            await match.open(told["port"], told["matches"][number])
            return match

        yield Running(begin, [server.pid])


SYSTEMS: Final[dict[str, Run]] = {
    "boardgame.io, in memory": boardgame(on_disk=False),
    "boardgame.io, Postgres": boardgame(on_disk=True),
    "Colyseus, in memory": colyseus,
    "Fleetfold, a small title": fleetfold(ENDLESS),
    **{
        f"Fleetfold, {TITLES[name].title}": fleetfold(TITLES[name])
        for name in ("midway", "coral_sea", "nimitz")
    },
}
WITHOUT_PEERS: Final = ("Fleetfold, a small title",)


async def measure(
    peers: Peers,
    postgres: Embedded,
    say: Say,
    tell: Tell,
    wanted: Matches,
    seconds: float,
    names: Sequence[str],
) -> None:
    """Measure these systems; one that is not there is told so."""
    for name in names:
        say(f"{wanted.count} matches at once on {name}")
        try:
            values = await played(peers, postgres, SYSTEMS[name], wanted, seconds)
        except (Missing, OSError, RuntimeError) as why:
            tell(Figure("round_trip", name, wanted.count, left_out=str(why)))
        else:
            tell(Figure("round_trip", name, wanted.count, values))


async def played(
    peers: Peers, postgres: Embedded, run: Run, wanted: Matches, seconds: float
) -> dict[str, float]:
    """Let matches be played for so long on a system, and return what was measured. Raises Missing."""
    measured = Measured()
    async with run(peers, postgres, wanted) as system, _tables(system, wanted, measured) as tables:
        for table in tables:
            table.go()
        await asyncio.sleep(seconds * WARM)
        measured.milliseconds.clear()
        measured.refused.clear()
        began, players = time.perf_counter(), time.process_time()
        server, database = spent(system.pids), _database(postgres)
        await asyncio.sleep(seconds)
        took, players = time.perf_counter() - began, time.process_time() - players
        server, database = spent(system.pids) - server, _database(postgres) - database
        times = list(measured.milliseconds)
        for table in tables:
            table.stop()
    if not times:
        raise Missing("no decision was answered")
    return {
        "decisions/s": len(times) / took,
        "µs of the server": server / len(times) * 1e6,
        "µs of Postgres": database / len(times) * 1e6,
        "p50 ms": share(times, 0.5),
        "p99 ms": share(times, 0.99),
        "refused": float(measured.refused.total()),
        "unavailable": float(measured.refused["unavailable"] + measured.refused["busy"]),
        "cores of the server": server / took,
        "cores of the players": players / took,
    }


def _database(postgres: Embedded) -> float:
    """Return what the processes of Postgres that run now have taken."""
    assert postgres.pid is not None
    return spent([postgres.pid])


@contextlib.asynccontextmanager
async def _tables(system: Running, wanted: Matches, measured: Measured) -> AsyncIterator[list[Match]]:
    tables, some = list[Match](), asyncio.Semaphore(BESIDE)

    async def begin(number: int) -> None:
        async with some:
            tables.append(await system.begin(number, measured))

    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*map(begin, range(wanted.count)))
        yield tables
    finally:
        for table in tables:
            table.close()
