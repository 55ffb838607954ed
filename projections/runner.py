"""Keeps projections up to date: each follows the log in a task of its own.

The walk of a fact: `projections.cursor` says where a projection stands, `projections.feed` reads the next
page and applies it, `projections.projection` is what it is applied to, and `projections.generations` has the
tables for that.

Deliberately absent: what a page does, and any title.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterable
from typing import Any, Final

import structlog

from projections.cursor import astray, is_behind, lag
from projections.feed import PAGE, turn
from projections.generations import Rebuilding, mend, prepare
from projections.projection import Projection, UnprojectableFact
from server.postgres.database import Pool, connection

EVERY: Final = 1.0
"""Seconds after which a projection looks for new facts even if it was not woken."""

GATHER: Final = 0.1
"""Seconds to wait after a wake-up for more facts, so that not every decision costs a transaction."""

REST: Final = 10.0
"""How many times as long as the last page took that wait is, on a node that is busy."""

LONGEST: Final = 0.5
"""The longest such wait, in seconds."""

log = structlog.get_logger()


class Runner:
    """Keeps projections up to date, each in a task of its own, until cancelled."""

    def __init__(self, pool: Pool, projections: Iterable[Projection[Any]], *, every: float = EVERY) -> None:
        """Take the projectors' pool; `every` is the most seconds between two looks for new facts."""
        self._pool = pool
        self._every = every
        self._projections = {projection.name: projection for projection in projections}
        self._news = {name: asyncio.Event() for name in self._projections}
        self._mending = asyncio.Lock()  # a rebuild takes two connections, and a pool may have no more
        self.stopped: dict[str, UnprojectableFact] = {}
        """The projections that stopped at a fact they could not apply, by name."""

    def wake(self) -> None:
        """Signal that there may be new facts. Cheap enough to call for every command."""
        for event in self._news.values():
            event.set()

    async def run(self) -> None:
        """Follow the log until cancelled; after a database error try again."""
        async with asyncio.TaskGroup() as group:
            for projection in self._projections.values():
                group.create_task(self._follow(projection), name=f"projection {projection.name}")

    async def lag(self) -> dict[str, float]:
        """Return by projection the age in seconds of the oldest fact not applied yet, see `cursor.lag`."""
        async with connection(self._pool) as conn:
            return {name: await lag(conn, name) for name in self._projections}

    async def _follow(self, projection: Projection[Any]) -> None:
        ready = False
        while projection.name not in self.stopped:
            news, took = self._news[projection.name], 0.0
            news.clear()
            try:
                if not ready:
                    await prepare(self._pool, projection)
                    if await astray(self._pool, projection) is not None:
                        async with self._mending:
                            await mend(self._pool, projection)
                    ready = True
                began = time.monotonic()
                applied = await turn(self._pool, projection) if await is_behind(self._pool, projection) else 0
                took = time.monotonic() - began
            except UnprojectableFact as bad:
                self._stop(bad)
                return
            except Rebuilding:
                applied = 0
            except Exception as fault:
                log.warning("projection.put_off", projection=projection.name, fault=repr(fault))
                applied, ready = 0, False  # what comes back may be another log, restored from a backup
            if applied < PAGE:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._every):
                        await news.wait()
                await asyncio.sleep(min(max(GATHER, REST * took), LONGEST))

    def _stop(self, bad: UnprojectableFact) -> None:
        self.stopped[bad.projection] = bad
        log.error(
            "projection.stopped",
            projection=bad.projection,
            match=str(bad.match),
            seq=bad.seq,
            fault=bad.why,
        )
