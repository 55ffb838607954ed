"""A whole server in a process of its own, whose notices are switched on and off while it runs.

Off, nothing is looked for and nothing is told; all else goes on. It answers what it is asked over a pipe.
"""

import asyncio
import contextlib
import logging
import resource
import sys
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from pathlib import Path

import structlog
import uvloop

from projections.every import PROJECTIONS
from server.limits import search_less_for_garbage
from server.notices.notifying import Notifying
from server.postgres.database import connection
from server.serving import Serving, serving
from server.settings import Settings
from tests.weeks.beside import beside

run = Notifying.run


class Switch:
    """Runs the notices while it is on."""

    def __init__(self) -> None:
        self.on = asyncio.Event()
        self._going: asyncio.Task[None] | None = None

    async def run(self, notices: Notifying) -> None:
        """Stand in for `Notifying.run`."""
        while True:
            await self.on.wait()
            self._going = asyncio.create_task(run(notices))
            await asyncio.wait([self._going])

    def set(self, on: bool) -> None:
        """Switch them."""
        if on:
            self.on.set()
        else:
            self.on.clear()
            if self._going is not None:
                self._going.cancel()


class Node:
    """The server as others see it."""

    def __init__(self, url: str, line: Connection) -> None:
        self.url, self._line = url, line

    async def ask(self, what: str) -> float:
        """Ask for what `_answer` knows."""
        self._line.send(what)
        answer: float = await asyncio.to_thread(self._line.recv)
        return answer


@contextlib.asynccontextmanager
async def node(settings: Settings) -> AsyncIterator[Node]:
    """Run a server; its notices are off."""
    async with beside(_process, settings) as line:
        yield Node(await asyncio.to_thread(line.recv), line)


def _process(settings: Settings, line: Connection) -> None:
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    uvloop.run(_serve(settings, line))


async def _serve(settings: Settings, line: Connection) -> None:
    switch, ended, loop = Switch(), asyncio.Event(), asyncio.get_running_loop()

    async def switched(notices: Notifying) -> None:
        await switch.run(notices)

    Notifying.run = switched  # type: ignore[method-assign, assignment]

    async def answered(server: Serving, asked: str) -> None:
        line.send(await _answer(server, switch, asked))

    async with asyncio.TaskGroup() as group, serving(settings) as server:

        def told() -> None:
            try:
                group.create_task(answered(server, line.recv()))
            except EOFError:
                loop.remove_reader(line.fileno())
                ended.set()

        loop.add_reader(line.fileno(), told)
        search_less_for_garbage()
        line.send(server.url)
        await ended.wait()


async def _answer(server: Serving, switch: Switch, asked: str) -> float:
    match asked:
        case "on" | "off":
            switch.set(asked == "on")
            return 0.0
        case "measure":  # the time, which was moved on
            await server.clock.measure()
            return 0.0
        case "unset":  # clocks that are to be set, as far as is known
            assert server.charges is not None
            looked = server.charges._whole > float("-inf")
            return float(len(server.charges._unset) + len(server.charges._due)) if looked else 1.0
        case "behind":  # projections that lack something of the log
            async with connection(server.database.http) as conn:
                return float(await conn.fetchval(BEHIND, [one.name for one in PROJECTIONS]))
    return float(int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize())


BEHIND = """
SELECT count(*) FROM unnest($1::text[]) AS wanted(name) WHERE NOT EXISTS (
  SELECT FROM view.cursor c JOIN (SELECT xid, match_id, seq FROM log.fact
                                   ORDER BY xid DESC, match_id DESC, seq DESC LIMIT 1) f
                              ON (c.xid, c.match_id, c.seq) >= (f.xid, f.match_id, f.seq)
   WHERE c.name = wanted.name AND c.live)
"""
