"""A server of several processes, started as operators start it, and which of them one has come to."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from websockets.exceptions import InvalidMessage, InvalidStatus

from server.proof.keys import generate
from tests.server.reading import get
from tests.server.talk import Talk, talking

ROOT = Path(__file__).parents[2]

PATIENCE = 60.0
"""Seconds that a machine that is busy elsewhere may take to start processes and to end them."""


class Machine:
    """A server that runs, reached at `url`; `log` is the file of its log lines."""

    def __init__(self, process: Process, port: int, log: Path) -> None:
        self.process, self.port, self.log = process, port, log
        self.url = ""

    @property
    def children(self) -> list[int]:
        """The ids of the processes that it has started: those that serve, and Postgres where it is ours."""
        pid = self.process.pid
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    @property
    def serving(self) -> list[int]:
        """The ids of those that serve."""
        return [pid for pid in self.children if "tests.server.node" in _command(pid)]

    async def numbers(self, name: str) -> dict[int, float]:
        """Return a metric by process."""
        text = (await get(self.url, "/metrics")).body.decode()
        found = re.findall(rf'^{name}{{process="(\d+)"}} (\S+)$', text, re.MULTILINE)
        return {int(process): float(value) for process, value in found}

    async def answering(self) -> int:
        """Return how many processes say that they are ready, 0 where none is."""
        with contextlib.suppress(OSError, TimeoutError):
            got = await get(self.url, "/readyz")
            return int(got.json.get("processes", 1)) if got.status == 200 else 0
        return 0

    @contextlib.asynccontextmanager
    async def talk_to(self, process: int) -> AsyncIterator[Talk]:
        """Connect until one has come to this process."""
        while True:
            before = await self.numbers("fleetfold_connections")
            async with talking(self.url) as talk:
                after = await self.numbers("fleetfold_connections")
                if after[process] > before[process]:
                    yield talk
                    return

    @contextlib.asynccontextmanager
    async def talk_again(self) -> AsyncIterator[Talk]:
        """Connect after a process was killed, again and again as players' pages do.

        The kernel closes what a killed process had open one by one, and players' connections before the
        port: who is cut off may connect to it once more, and is cut off at once.
        """
        async with asyncio.timeout(PATIENCE), contextlib.AsyncExitStack() as stack:
            while True:
                with contextlib.suppress(OSError, EOFError, InvalidMessage):
                    talk = await stack.enter_async_context(talking(self.url))
                    break
                await asyncio.sleep(0.05)
            opened = stack.pop_all()
        async with opened:
            yield talk


@contextlib.asynccontextmanager
async def started(
    folder: Path, dsn: str | None, processes: int = 2, **settings: Any
) -> AsyncIterator[Machine]:
    """Start a server with the tiny title, on a database or on one of its own; its URL is not known yet.

    It has a group of its own, as what is started at a terminal.
    """
    folder.mkdir(exist_ok=True)
    port = free_port()
    given = {"FLEETFOLD_DATA": str(folder), "FLEETFOLD_PORT": str(port)}
    if dsn is not None:
        generate(folder / "keys")
        given |= {"FLEETFOLD_DATABASE_URL": dsn, "FLEETFOLD_KEYS": str(folder / "keys")}
    given |= {f"FLEETFOLD_{name.upper()}": str(value) for name, value in settings.items()}
    log = folder.with_name("log")
    with log.open("wb") as lines:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.server.node", "--processes", str(processes), env=os.environ | given,
            cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=lines, process_group=0,
        )  # fmt: skip
    try:
        yield Machine(process, port, log)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), PATIENCE)
            except TimeoutError:
                process.kill()


@contextlib.asynccontextmanager
async def machine(folder: Path, dsn: str | None, **settings: Any) -> AsyncIterator[Machine]:
    """Start a server with two processes and the tiny title, and wait until it serves."""
    async with started(folder, dsn, **settings) as server:
        assert server.process.stdout is not None
        server.url = (await asyncio.wait_for(server.process.stdout.readline(), PATIENCE)).decode().strip()
        assert server.url, server.log.read_text()
        yield server


async def filled(stack: contextlib.AsyncExitStack, url: str, most: int) -> int:
    """Open so many websockets, which stay open, or until one is refused; return how many there are."""
    for opened in range(most):
        try:
            await stack.enter_async_context(talking(url))
        except InvalidStatus:
            return opened
    return most


async def bot_sits(url: str, match: str) -> bool:
    """Whether a bot of the house has come to seat 1."""
    return bool((await get(url, f"/api/matches/{match}")).json["seats"][1]["taken"] == "bot")


def alive(pid: int) -> bool:
    """Whether a process runs: one that has ended may wait for somebody to ask how."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    return False


def _command(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def until(holds: Callable[[], Awaitable[bool]], within: float = PATIENCE) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(within):
        while not await holds():
            await asyncio.sleep(0.05)
