"""Rows stored in a second: our log, `eventsourcing`'s recorder for Postgres, and pgbench, in turns.

All are on the servers' core with Postgres on the others, and store rows of about the same size, every
commit on disk. Ours has so many matches at once, each sending its next command when the last is stored, with
encoding and hashes; theirs have as many writers or clients, at most 32: with more they gain nothing.
"""

import asyncio
import contextlib
import statistics
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from server.bench import LeftOut, Say, scratch
from server.bench.append import CLIENTS, TABLE, _pgbench, appends, find_pgbench
from server.postgres.database import connect
from server.postgres.embedded import Embedded
from tests.peers.figures import Figure, Tell
from tests.peers.installed import HERE, Missing, Peers
from tests.peers.processes import on, server_cores, started

Turn = Callable[[], Awaitable[float]]
"""Stores for some seconds, and returns the rows a second."""

OURS, PGBENCH, EVENTSOURCING = "Fleetfold's log", "pgbench", "eventsourcing"
CONTESTANTS: Final = (OURS, PGBENCH, EVENTSOURCING)
WITHOUT_PEERS: Final = (OURS, PGBENCH)


async def measure(
    peers: Peers,
    postgres: Embedded,
    say: Say,
    tell: Tell,
    matches: Sequence[int],
    rounds: int,
    seconds: float,
    names: Sequence[str],
) -> None:
    """Measure these contestants with each number of matches; one that is not there is told so."""
    for count in matches:
        say(f"rows of {count} matches at once, by {len(names)} contestants")
        async with scratch.scratch(postgres, "appends") as dsn, contextlib.AsyncExitStack() as stack:
            await scratch.alter(dsn, TABLE)
            turns: dict[str, Turn] = {}
            for name in names:
                try:
                    turns[name] = await _turn(stack, peers, dsn, name, count, seconds)
                except (Missing, LeftOut, OSError, RuntimeError) as why:
                    tell(Figure("appends", name, count, left_out=str(why)))
            rates: dict[str, list[float]] = {name: [] for name in turns}
            for number in range(rounds):
                for name in list(turns) if number % 2 else reversed(turns):
                    with on(server_cores()):
                        rates[name].append(await turns[name]())
        for name, found in rates.items():
            tell(Figure("appends", name, count, {"rows/s": statistics.median(found)}))


async def _turn(
    stack: contextlib.AsyncExitStack, peers: Peers, dsn: str, name: str, count: int, seconds: float
) -> Turn:
    clients = min(count, CLIENTS)
    if name == PGBENCH:
        program = find_pgbench()
        return lambda: _pgbench(program, dsn, clients, seconds)
    if name == OURS:
        database = await connect(dsn)
        stack.push_async_callback(database.close)
        return lambda: appends(database, count, seconds)
    recorder = stack.enter_context(started((peers.python(), HERE / "recorder.py", dsn, str(clients))))

    async def record() -> float:
        recorder.say(f"{seconds}\n".encode())
        line = await asyncio.to_thread(recorder.next_line)
        if not line:
            raise RuntimeError("its process ended while it stored")
        return float(line)

    return record
