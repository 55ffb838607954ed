"""The process that starts several servers on one port, keeps them and ends them; it serves nobody itself.

It makes the database ready, holds the port, and has the end of each process's line (`server.siblings`). A
process that ends is started again, after a pause that grows as long as it does not live; one that stands
still is ended first. A fault of ours keeps none from being started again. When this process ends, however it
does, the others end: on Linux by the kernel, else by the lines, which are cut.

Deliberately absent: what a process does (`server.commands.child`).
"""

import asyncio
import contextlib
import os
import secrets
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import structlog
from msgspec import Struct, json
from msgspec.structs import replace

import server
from server.machine.cores import cores
from server.machine.port import reserved, shared_with_others
from server.machine.signs import LOOK, Signs
from server.postgres.database import Unfit, apply, own_login
from server.postgres.embedded import Embedded
from server.postgres.folder import refuse_half_restored
from server.proof import keys
from server.proof.notes import find_signer
from server.settings import Settings, refuse_without_keys
from server.siblings.frames import Kind, frame
from server.siblings.switch import End, Switch

log = structlog.get_logger()

PROGRAM: list[str] = ["-P", "-m", "server.commands.child"]
"""What Python is to run as one of the processes, before the number of its end of the line and our own."""

USUAL: Final = 8
"""Processes that are started at most where nobody says how many: each takes CONNECTIONS of Postgres, which
has a hundred unless it is told otherwise."""

CONNECTIONS: Final = 14
"""Connections to Postgres of one process, with some to spare."""

START_WITHIN: Final = 120.0
"""Seconds within which a process has to serve."""

QUIET: Final = 3.0
"""Seconds without a sign of life after which nobody waits for a process's answers until it is heard again."""

STILL: Final = 6.0
"""Seconds without a sign of life after which a process is ended: until then it is dealt newcomers. What was
seen to block an event loop longest is a search for garbage, of 0.3 s."""

PAUSES: Final = (0.1, 30.0)
"""Seconds until a process that ended is started again: at first, and at most; the pause doubles."""

LIVED: Final = 60.0
"""Seconds after which a process has lived, so that the pause is as at first."""

FAREWELL: Final = 30.0
"""Seconds besides those for its clients within which a process has to end."""


class Start(Struct, frozen=True):
    """What a process has to know before it can serve."""

    settings: Settings
    dsn: str
    number: int
    count: int
    house_pass: str
    """By which any of the processes knows the bots of all."""
    log_level: str
    ends: int = 0
    """How often the process of this number has ended before."""


class Serves(Struct, frozen=True):
    """What a process says when it serves: where, and whether it has the page."""

    url: str
    built: bool


def usual() -> int:
    """Return how many processes there are unless somebody says how many: a core each, at most USUAL."""
    return min(USUAL, cores())


def encoded(start: Start) -> bytes:
    """Return what a process has to know, as it is sent."""
    return json.encode(start, enc_hook=str)


def decoded(told: bytes) -> Start:
    """Return what `encoded` has made."""
    return json.decode(told, type=Start, dec_hook=_made)


def _made(kind: type[Any], value: Any) -> Any:
    return kind(value)


class Child:
    """One of the processes: started, and started again."""

    def __init__(self, switch: Switch, start: Start) -> None:
        self._switch, self._start = switch, start
        self._process: Process | None = None
        self._end: End | None = None
        self._said: asyncio.Future[Serves] = asyncio.get_running_loop().create_future()
        self._pause = PAUSES[0]
        self._ends = 0
        self._log = log.bind(process=start.number)

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running and self._process is not None else None

    @property
    def _serves(self) -> bool:
        return self._said.done() and not self._said.cancelled() and self._said.exception() is None

    async def begin(self) -> Serves:
        """Start it and wait until it serves. Raises Unfit with what it says, or that it ended."""
        ours, theirs = socket.socketpair()
        self._said = asyncio.get_running_loop().create_future()
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *PROGRAM,
                str(theirs.fileno()),
                str(os.getpid()),
                stdin=asyncio.subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C goes to a whole group, and it is we who end them
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": _path()},
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._end = await self._switch.join(self._start.number, ours, self._hear)
        self._end.say(frame(Kind.START, encoded(replace(self._start, ends=self._ends))))
        try:
            async with asyncio.timeout(START_WITHIN):
                return await self._said
        except TimeoutError:
            raise Unfit(f"a server process did not serve within {START_WITHIN:.0f} s") from None

    def _hear(self, kind: Kind, text: bytes) -> None:
        if self._said.done():
            return
        if kind == Kind.READY:
            self._said.set_result(json.decode(text, type=Serves))
        else:
            self._said.set_exception(Unfit(text.decode()))
            self._said.exception()  # looked at: when it is ended, nobody waits for it any more

    async def keep(self) -> None:
        """Start it again whenever it ends, until cancelled."""
        while True:
            try:
                await self._again()
            except Exception:
                self._log.exception("bug")  # it must not end this task: nobody else would start it again
                await self._rest()

    async def _again(self) -> None:
        """Wait until it has ended, and start it once more."""
        clock = asyncio.get_running_loop().time
        since = clock()
        code = await self._ended()
        self._ends += 1
        if clock() - since > LIVED:
            self._pause = PAUSES[0]
        self._log.error("process.ended", code=code, again_in=self._pause)
        await self._rest()
        try:
            await self.begin()
        except (Unfit, OSError) as why:
            self._log.error("process.not_back", why=str(why))
            await self.end(0)
        else:
            self._log.info("process.back")

    async def _rest(self) -> None:
        """Pause, next time for longer."""
        await asyncio.sleep(self._pause)
        self._pause = min(2 * self._pause, PAUSES[1])

    async def _ended(self) -> int:
        """Wait until it has ended, and end it when it stands still; return its exit code."""
        assert self._process is not None
        assert self._end is not None
        waiting: asyncio.Task[int] = asyncio.create_task(self._process.wait())
        signs = Signs(self._process.pid)
        try:
            while not waiting.done():
                await asyncio.wait({waiting}, timeout=LOOK)
                still = signs.look(self._end.heard)
                if still > QUIET:
                    self._end.leave_out()
                if still > STILL and not waiting.done():
                    self._kill()  # before it is said: who reads the log may take his time
                    self._log.error("process.still", seconds=round(still))
                    await asyncio.wait({waiting})
        finally:
            waiting.cancel()
        return waiting.result()

    def _kill(self) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):  # it may have ended by itself, and nobody told us yet
            self._process.kill()

    async def end(self, patience: float) -> None:
        """End it in good order; by force when it takes longer than so many seconds, and before it serves."""
        if not self._serves:
            patience = 0
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            try:
                async with asyncio.timeout(patience):
                    await self._process.wait()
            except TimeoutError:
                if patience:
                    self._log.error("process.stuck")
                self._kill()
                await self._process.wait()
        if self._end is not None:
            self._end.close()


def _path() -> str:
    """Return where the processes find this very code, and nothing of the folder that one is in."""
    above = str(Path(server.__file__).parents[1])
    return os.pathsep.join(filter(None, [above, os.environ.get("PYTHONPATH", "")]))


class Processes(Struct, frozen=True):
    """The processes that serve: where they are reached, whether they have the page, and each of them."""

    url: str
    built: bool
    children: list[Child]


@contextlib.asynccontextmanager
async def processes(settings: Settings, count: int, log_level: str) -> AsyncIterator[Processes]:
    """Run so many server processes on one port, the first that is free of those to be tried."""
    refuse_without_keys(settings)
    refuse_half_restored(settings.data)
    async with contextlib.AsyncExitStack() as stack:
        dsn = await _database(stack, settings, count)
        port = stack.enter_context(reserved(settings.host, settings.ports))
        told = replace(settings, port=port)
        switch, house_pass = Switch(), secrets.token_urlsafe(16)
        children = [
            Child(switch, Start(told, dsn, number, count, house_pass, log_level)) for number in range(count)
        ]
        patience = settings.drain_seconds + FAREWELL
        stack.push_async_callback(_end_all, children, patience)
        served = await asyncio.gather(*(child.begin() for child in children))
        if shared_with_others(child.pid for child in children if child.pid is not None):
            raise Unfit(f"another server listens on port {port}, too: end it, or take another port")
        keeping = [asyncio.create_task(child.keep()) for child in children]
        stack.push_async_callback(_cancelled, keeping)
        log.info("processes", count=count, url=served[0].url)
        yield Processes(served[0].url, served[0].built, children)


async def _database(stack: contextlib.AsyncExitStack, settings: Settings, count: int) -> str:
    """Make ready what all processes use: the database with its schema, the keys, the signer."""
    dsn = settings.database_url
    if dsn is not None:
        await apply(dsn)
        return dsn
    options = {"max_connections": str(max(60, 20 + CONNECTIONS * count))}
    engine = Embedded(settings.data, options)
    owner = await engine.start()
    stack.push_async_callback(engine.stop)
    keys.find_ring(text=settings.keys, file=settings.keys_file, folder=settings.data)
    find_signer(settings.data / "signer", make=True)
    return await own_login(owner)


async def _end_all(children: list[Child], patience: float) -> None:
    await asyncio.gather(*(child.end(patience) for child in children))


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
