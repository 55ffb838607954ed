"""Nodes of ours on a database of their own, as an operator runs them; and the Postgres for all of it."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from server.bench import scratch
from server.postgres.embedded import Embedded
from server.proof import keys
from tests.peers.processes import Started, load_cores, server_cores, started

LIMITS: Final = {
    "FLEETFOLD_LOG_LEVEL": "error",
    "FLEETFOLD_CONNECTIONS_PER_ADDRESS": "100000",
    "FLEETFOLD_OFFERS_PER_ADDRESS": "100000",
    "FLEETFOLD_TABLES_IN_MEMORY": "4000",
    "FLEETFOLD_DRAIN_SECONDS": "0",
}
"""All players come from one address here, and what is measured is no limit."""

CONNECTIONS: Final = {"max_connections": "200"}
"""What several nodes, pgbench and the writers of others need side by side."""


@contextlib.asynccontextmanager
async def engine() -> AsyncIterator[Embedded]:
    """Run a Postgres with its defaults, so that every commit is on disk, in a folder that goes afterwards."""
    with TemporaryDirectory(prefix="fleetfold-bench-", ignore_cleanup_errors=True) as folder:
        running = Embedded(Path(folder), CONNECTIONS)
        await running.start()
        try:
            yield running
        finally:
            await running.stop()


@contextlib.asynccontextmanager
async def serving(postgres: Embedded, count: int = 1, redis: str = "") -> AsyncIterator[Sequence[Started]]:
    """Run so many nodes on a new database.

    With a Redis, which is for several nodes, they are not held to one core: they would take turns there.
    """
    cores = server_cores() | load_cores() if redis else server_cores()
    async with scratch.scratch(postgres, "nodes") as dsn:
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="fleetfold-bench-")))
            await asyncio.to_thread(keys.generate, folder / "keys")
            environment = {
                "FLEETFOLD_PROCESSES": "1",  # each of them is a node
                **LIMITS,
                "FLEETFOLD_DATABASE_URL": dsn,
                "FLEETFOLD_REDIS_URL": redis,
                "FLEETFOLD_KEYS": str(folder / "keys"),
                "FLEETFOLD_DATA": str(folder),
            }
            command = (sys.executable, "-m", "tests.peers.node")
            yield [stack.enter_context(started(command, cores, environment)) for _ in range(count)]
