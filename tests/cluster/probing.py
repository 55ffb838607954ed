"""When the database takes writes, seen by somebody who writes all the time and does nothing else."""

import asyncio
import time

import asyncpg
from asyncpg.connect_utils import SessionAttribute

from tests.cluster.programs import NAP

WITHIN = 1.0
"""Seconds after which a write that is not answered is tried anew, on another connection."""


class Probe:
    """Writes a row again and again, over a connection of its own."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.written: list[tuple[int, int]] = []
        """When each write that was stored was begun and answered, in nanoseconds."""

    async def run(self) -> None:
        """Write until cancelled."""
        while True:
            try:
                async with asyncio.timeout(3 * WITHIN):
                    conn = await asyncpg.connect(self._url, target_session_attrs=SessionAttribute.read_write)
                await self._write(conn)
            except Exception:  # whatever a crash makes of it
                await asyncio.sleep(NAP)

    async def _write(self, conn: "asyncpg.Connection[asyncpg.Record]") -> None:
        try:
            async with asyncio.timeout(3 * WITHIN):
                await conn.execute("CREATE SCHEMA IF NOT EXISTS probe")
                await conn.execute("CREATE TABLE IF NOT EXISTS probe.write (at bigint)")
            while True:
                begun = time.monotonic_ns()
                async with asyncio.timeout(WITHIN):
                    await conn.execute("INSERT INTO probe.write VALUES ($1)", begun)
                self.written.append((begun, time.monotonic_ns()))
                await asyncio.sleep(NAP)
        finally:
            conn.terminate()

    def back(self, after: int) -> float | None:
        """Return the seconds from a moment to the answer of the first write that was begun after it."""
        answers = (answered for begun, answered in self.written if begun > after)
        answered = next(answers, None)
        return None if answered is None else (answered - after) / 1e9
