"""Stories that go on where a node is killed in the midst of them, and another takes over.

A `Stage` is set once, with a server that lives; for each `Killed` its database is copied. There the first
node is `tests.server.mortal`, and what was said to it and not answered is said again to the next.
"""

import asyncio
import contextlib
import multiprocessing
import shutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Generic, TypeVar

import asyncpg

from server.postgres.database import Connection
from server.postgres.embedded import Embedded
from server.serving import Serving
from tests.conftest import new_place, numbers, run_sql, running
from tests.server.authenticator import Browser
from tests.server.mortal import DOOM, MOMENTS, mortal

T = TypeVar("T")
S = TypeVar("S")

READY = multiprocessing.get_context("forkserver")
"""Starts a process from one that has imported everything: that takes a second, and on a busy machine ten."""
READY.set_forkserver_preload(["tests.server.mortal", "server.commands.serve"])

DIES_WITHIN = 3.0
"""Seconds for a process to be gone once it has answered no more."""

STEP = 30.0
"""Seconds that a step of a story may take."""


class Stage(Generic[S]):
    """A database that a story begins with, the keys for it, and what the story knows of it."""

    def __init__(self, engine: Embedded, name: str, folder: Path, knows: S) -> None:
        self.engine, self.name, self.folder, self.knows = engine, name, folder, knows


@contextlib.asynccontextmanager
async def stage(
    engine: Embedded, template: str, prepare: Callable[[str, Serving], Awaitable[S]]
) -> AsyncIterator[Stage[S]]:
    """Set a stage by what `prepare` does at a server, given the URL of its database."""
    name, above = f"stage_{next(numbers)}", new_place()
    above.chmod(0o755)
    await run_sql(engine, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    try:
        async with running(engine.url(name), above / "node") as server:
            knows = await prepare(engine.url(name), server)
        yield Stage(engine, name, above / "node", knows)
    finally:
        await run_sql(engine, f"DROP DATABASE {name} WITH (FORCE)")
        shutil.rmtree(above)


class Killed:
    """A node that is killed at a moment, and the one that takes over."""

    def __init__(self, dsn: str, folder: Path, browsers: list[Browser]) -> None:
        self._dsn, self._folder, self._browsers = dsn, folder, browsers
        self._stack = contextlib.AsyncExitStack()
        self._process: ForkServerProcess | None = None
        self.url = ""
        self.died = ""
        """At what the first was killed; empty if that moment never came."""
        self.server: Serving | None = None
        """The one that has taken over."""
        self.taken_over: Callable[[], Awaitable[None]] | None = None
        """Called as soon as it has."""

    async def start(self, moment: int, how: str) -> None:
        """Start the node that is killed, and count its moments from now on."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = {
            "FLEETFOLD_DATABASE_URL": self._dsn,
            "FLEETFOLD_KEYS": str(self._folder / "keys"),
            "FLEETFOLD_DATA": str(self._folder),
            "FLEETFOLD_PORT": str(port),
            "FLEETFOLD_PROCESSES": "1",
        }
        self._process = READY.Process(target=mortal, args=(str(self._folder), settings), daemon=True)
        self._process.start()
        async with asyncio.timeout(60):
            while not await _listens(port):
                await asyncio.sleep(0.05)
        (self._folder / DOOM).write_text(f"{moment} {how}")
        self._go(f"http://127.0.0.1:{port}")

    def _go(self, url: str) -> None:
        self.url, port = url, int(url.rpartition(":")[2])
        for browser in self._browsers:
            browser.port, browser.origin = port, f"http://localhost:{port}"

    async def do(self, step: Callable[[], Awaitable[T]]) -> T:
        """Do something; do it again at the next node where it came to nothing as this one was killed."""
        while True:
            try:
                async with asyncio.timeout(STEP):
                    return await step()
            except Exception:
                if self.server is not None or not await self._is_dead():
                    raise
            await self._take_over()

    async def finish(self) -> Serving:
        """Return the node that has taken over; if none was killed until now, this one is."""
        if self.server is None:
            assert self._process is not None
            if not await self._is_dead(0):
                self._process.kill()
                assert await self._is_dead()
            await self._take_over()
        assert self.server is not None
        return self.server

    async def _is_dead(self, within: float = DIES_WITHIN) -> bool:
        """Whether the first node is gone, or goes within so many seconds."""
        assert self._process is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                while self._process.is_alive():
                    await asyncio.sleep(0.02)
        return not self._process.is_alive()

    async def _take_over(self) -> None:
        lines = self.moments()
        number, how = (self._folder / DOOM).read_text().split()
        last = lines[-1] if lines else ""
        self.died = last if last.startswith(f"{number} {how}") else ""
        self.server = await self._stack.enter_async_context(running(self._dsn, self._folder))
        self._go(self.server.url)
        if self.taken_over is not None:
            await self.taken_over()

    def moments(self) -> list[str]:
        """Return what the node that is killed wrote, in order."""
        file = self._folder / MOMENTS
        return file.read_text().splitlines() if file.exists() else []

    async def stop(self) -> None:
        """End both."""
        if self._process is not None:
            self._process.kill()
            assert await self._is_dead()
            self._process.close()
        await self._stack.aclose()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


@contextlib.asynccontextmanager
async def killed(
    on: Stage[S], moment: int, how: str, browsers: list[Browser]
) -> AsyncIterator[tuple[Killed, Connection]]:
    """Give a node that is killed at a moment of its own, on a copy of a stage, and a look at its database."""
    name, above = f"killed_{next(numbers)}", new_place()
    above.chmod(0o755)
    shutil.copytree(on.folder, above / "node")
    await run_sql(on.engine, f"CREATE DATABASE {name} TEMPLATE {on.name} STRATEGY file_copy")
    one = Killed(on.engine.url(name), above / "node", browsers)
    owner = await asyncpg.connect(on.engine.url(name))
    try:
        await one.start(moment, how)
        yield one, owner
    finally:
        await one.stop()
        await owner.close()
        await run_sql(on.engine, f"DROP DATABASE {name} WITH (FORCE)")
        shutil.rmtree(above)
