"""A whole server in a process of its own, with an echo beside it, and the lightest of clients.

The echo is the upper bound for any server: it writes the same bytes to the same number of sockets, with
nothing decided, stored or encoded. Both run in one process, so that both have the same conditions.
Deliberately absent: `clients.client`, whose checks take time; only the server's work should count.
"""

import asyncio
import contextlib
import gc
import logging
import multiprocessing
import os
import resource
import signal
import struct
import sys
import time
from collections.abc import AsyncIterator, Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import structlog
import uvloop

from clients.client import Client, create
from clients.links import Place
from domain.match.game import Game
from server.bench.bare import TEXT, Line
from server.bench.chance import longest
from server.bench.fanout import SPARE
from server.limits import allow_files, search_less_for_garbage
from server.proof import keys
from server.protocol import wire
from server.serving import serving
from server.settings import Settings

MOST: Final = 10_000
"""Connections from one address; the limit of a real server is lower, and not what is measured."""

ECHO: Final = struct.Struct("!I")
"""How the speaker says how many bytes each listener is to be sent."""


class Node:
    """A running server: where it is, where its echo is, and what it weighs."""

    def __init__(self, url: str, echo: int, line: Connection) -> None:
        self.url, self.echo, self._line = url, echo, line

    async def resident(self) -> int:
        """Return its resident memory in bytes, after freeing what is unused; 0 if unknown."""
        self._line.send("weigh")
        weight: int = await asyncio.to_thread(self._line.recv)
        return weight

    async def spent(self) -> float:
        """Return the seconds of processor that it has taken so far."""
        self._line.send("spent")
        seconds: float = await asyncio.to_thread(self._line.recv)
        return seconds


@contextlib.asynccontextmanager
async def node(
    dsn: str,
    folder: Path,
    core: int | None = None,
    *,
    redis_url: str | None = None,
    keys_file: Path | None = None,
) -> AsyncIterator[Node]:
    """Run a server on a database, on one core if it is given; and its keys if they are given."""
    await asyncio.to_thread(folder.mkdir)
    if keys_file is None:
        keys_file = folder / "keys"
        await asyncio.to_thread(keys.generate, keys_file)
    settings = Settings(
        database_url=dsn,
        redis_url=redis_url,
        keys_file=keys_file,
        data=folder,
        port=0,
        connections_per_address=MOST,
        offers_per_address=MOST,
        drain_seconds=0,
    )
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_process, args=(settings, theirs, core), daemon=True)
    process.start()
    theirs.close()
    try:
        url, echo = await asyncio.to_thread(ours.recv)
        yield Node(url, echo, ours)
    finally:
        ours.close()
        await asyncio.to_thread(process.join, 5)
        process.kill()


def _process(settings: Settings, line: Connection, core: int | None) -> None:
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when its pipe is closed
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    uvloop.run(_serve(settings, line))


async def _serve(settings: Settings, line: Connection) -> None:
    allow_files(MOST + SPARE)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def told() -> None:
        try:
            asked = line.recv()
        except EOFError:
            loop.remove_reader(line.fileno())
            ended.set()
        else:
            line.send(_answer(asked))

    listeners: set[asyncio.Transport] = set()
    echo = await loop.create_server(lambda: _Echo(listeners), "127.0.0.1", 0, backlog=MOST)
    async with echo, serving(settings) as server:
        loop.add_reader(line.fileno(), told)
        search_less_for_garbage()
        line.send((server.url, echo.sockets[0].getsockname()[1]))
        await ended.wait()
        for transport in list(listeners):
            transport.abort()


def _answer(asked: str) -> float:
    if asked == "spent":
        return time.process_time()
    gc.collect()
    return _resident()


def _resident() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except FileNotFoundError:
        return 0
    return pages * resource.getpagesize()


class _Echo(asyncio.Protocol):
    """Sends every listener as many bytes as the speaker asks for."""

    def __init__(self, listeners: set[asyncio.Transport]) -> None:
        self._listeners = listeners

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._listeners.add(self._transport)

    def connection_lost(self, _: Exception | None) -> None:
        self._listeners.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        words = bytes(ECHO.unpack(data)[0])
        for transport in self._listeners:
            transport.write(words)


class Socket(Line):
    """A websocket that says hello to a match and passes each message received to a callback."""

    def __init__(self, url: str, hello: wire.Hello, hear: Callable[[bytes], None]) -> None:
        super().__init__(urlsplit(url).netloc, "/socket")
        self._hello, self._hear = hello, hear

    def opened(self) -> None:
        """Say hello."""
        self.say(self._hello)

    def heard(self, message: bytes) -> None:
        """Pass a message on."""
        self._hear(message)

    def say(self, message: wire.Message) -> None:
        """Send a message."""
        self.write(TEXT, wire.encode(message))


async def connected(url: str, match: UUID, hear: Callable[[bytes], None], token: str = "") -> Socket:
    """Open a websocket to a match."""
    place = urlsplit(url)
    assert place.hostname is not None
    assert place.port is not None
    hello = wire.Hello(wire.VERSION, match, token)
    made = await asyncio.get_running_loop().create_connection(
        lambda: Socket(url, hello, hear), place.hostname, place.port
    )
    return made[1]


async def begun(url: str, game: Game) -> tuple[UUID, dict[int, str]]:
    """Start a match of a title's longest scenario; return its id and the token that each seat is held by."""
    created = await create(url, wire.Create(wire.VERSION, uuid4(), game.name, longest(game)))
    seats = [link for link in created.links if link.role == "seat"]

    async def sit(link: wire.Link) -> tuple[int, str]:
        async with Client(Place(url, created.match, link.token)) as client:
            await client.sit(bot=True)
            assert client.seat is not None
            return client.seat, client.place.token

    return created.match, dict(await asyncio.gather(*map(sit, seats)))
