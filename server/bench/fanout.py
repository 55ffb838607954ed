"""Deliveries per CPU second: the hub, `websockets`' own broadcast, and raw asyncio writes, side by side.

All three send the same bytes to the same number of sockets on the loopback, taking turns within each round,
so that what else the machine does falls on all alike. The clients live in a process of their own, which only
reads and counts. Time is the CPU time of this process, system calls included. Judge by the ratios.
"""

import asyncio
import contextlib
import multiprocessing
import statistics
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from multiprocessing.connection import Connection
from typing import Final, cast
from uuid import UUID, uuid4

from websockets.asyncio.server import ServerConnection, broadcast, serve

from domain.kernel.audience import Audience, Viewer
from server.bench import Result
from server.fanout.broadcasts import Broadcast, websocket_bytes
from server.fanout.bus import LocalBus
from server.fanout.hub import Hub
from server.limits import allow_files

SIZES: Final = (100, 1000, 4000)
FRAME: Final = 600
TEXT: Final = b'{"type":"facts","pad":"' + b"x" * (FRAME - 25) + b'"}'
BACKLOG: Final = 4096
"""Connections that may wait to be accepted."""

SECONDS: Final = 0.15
"""Seconds of CPU a contestant has before it is the next one's turn."""

OF_RAW, OF_LIBRARY = 0.85, 1.0
"""What the hub should reach of raw writes, where the best peer stands, and of the library's own way."""

SPARE: Final = 200
"""Files beside the sockets."""

HANDSHAKE: Final = (
    b"GET / HTTP/1.1\r\nHost: fleetfold\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

Deliver = Callable[[], None]


class _Readers:
    """The clients of one contestant, in a process of their own: they read, count bytes, and keep nothing."""

    def __init__(self, line: Connection, hello: bytes) -> None:
        self.line = line
        self.hello = hello
        self.received = 0
        self.wanted: int | None = None
        self.ended = asyncio.Event()

    def told(self) -> None:
        """Take the next number of bytes to wait for; a negative one is the end."""
        self.wanted = self.line.recv()
        if self.wanted < 0:
            self.ended.set()
        self.count(0)

    def count(self, more: int) -> None:
        """Answer as soon as what was wanted is there."""
        self.received += more
        if self.wanted is not None and self.received >= self.wanted:
            self.wanted = None
            self.line.send(self.received)


class _Reader(asyncio.Protocol):
    """One client."""

    def __init__(self, readers: _Readers) -> None:
        self.readers = readers

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(self.readers.hello)

    def data_received(self, data: bytes) -> None:
        self.readers.count(len(data))


def _readers(port: int, count: int, hello: bytes, line: Connection) -> None:
    asyncio.run(_read(port, count, hello, line))


async def _read(port: int, count: int, hello: bytes, line: Connection) -> None:
    allow_files(count + SPARE)
    loop = asyncio.get_running_loop()
    readers = _Readers(line, hello)
    for _ in range(count):
        await loop.create_connection(lambda: _Reader(readers), "127.0.0.1", port)
    loop.add_reader(line.fileno(), readers.told)
    line.send(0)
    await readers.ended.wait()


class Contestant:
    """Something that delivers one frame to all its sockets, and the process that reads them."""

    def __init__(self, name: str, deliver: Deliver, size: int, line: Connection) -> None:
        self.name = name
        self.rates: list[float] = []
        self._deliver = deliver
        self._size = size  # bytes of one delivery to all
        self._line = line

    async def turn(self, sockets: int, seconds: float) -> None:
        """Deliver for so many seconds of CPU time, each frame when the last was read; note the rate."""
        start = await self._received(0)
        rounds = 0
        spent = 0.0
        while spent < seconds:
            begun = time.process_time()
            self._deliver()
            spent += time.process_time() - begun
            rounds += 1
            await self._received(start + rounds * self._size)
        self.rates.append(rounds * sockets / spent)

    async def _received(self, wanted: int) -> int:
        """Wait until so many bytes have been read; return how many were."""
        self._line.send(wanted)
        received: int = await asyncio.to_thread(self._line.recv)
        return received


@contextlib.asynccontextmanager
async def reading(port: int, count: int, hello: bytes) -> AsyncIterator[Connection]:
    """Have a process connect and read."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_readers, args=(port, count, hello, theirs), daemon=True)
    process.start()
    try:
        await asyncio.to_thread(ours.recv)
        yield ours
        ours.send(-1)
    finally:
        await asyncio.to_thread(process.join, 2)
        process.kill()


class _Open(asyncio.Protocol):
    """A raw connection: nothing but its transport."""

    transports: list[asyncio.Transport]

    def __init__(self, transports: list[asyncio.Transport]) -> None:
        self.transports = transports

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transports.append(cast(asyncio.Transport, transport))


class _Still:
    """A log in which nothing has happened before the measurement, and nothing is missed in it."""

    async def since(self, match: UUID, audience: Viewer, after: int) -> Broadcast:
        return Broadcast(match, audience, after, after, b"")

    async def view(self, match: UUID, audience: Viewer) -> Broadcast:
        return Broadcast(match, audience, 0, 0, b"{}")

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        return dict.fromkeys(matches, 0)


class Stand:
    """A server that delivers one frame to all its sockets."""

    def __init__(self, name: str, hello: bytes, text: bytes) -> None:
        self.name = name
        self.hello = hello
        """What a client sends to be among them."""
        self.port = 0
        self.deliver: Deliver
        self.frame = websocket_bytes(text)
        self._came: asyncio.Queue[None] = asyncio.Queue()

    def one_came(self) -> None:
        """Take note of a client to whom is delivered from now on."""
        self._came.put_nowait(None)

    async def all_came(self, count: int) -> None:
        """Wait for so many."""
        for _ in range(count):
            await self._came.get()


@contextlib.asynccontextmanager
async def raw(text: bytes) -> AsyncIterator[Stand]:
    """Write the bytes to bare transports: the machine's limit for this loop."""
    loop = asyncio.get_running_loop()
    transports: list[asyncio.Transport] = []
    stand = Stand("raw asyncio", b"", text)

    def deliver() -> None:
        for transport in transports:
            transport.write(stand.frame)

    def connection() -> _Open:
        stand.one_came()
        return _Open(transports)

    stand.deliver = deliver
    async with await loop.create_server(connection, "127.0.0.1", 0, backlog=BACKLOG) as server:
        stand.port = server.sockets[0].getsockname()[1]
        yield stand
        for transport in transports:
            transport.abort()


@contextlib.asynccontextmanager
async def library(text: bytes) -> AsyncIterator[Stand]:
    """Hand the text to `websockets.broadcast`."""
    connections: set[ServerConnection] = set()
    stand = Stand("websockets broadcast", HANDSHAKE, text)

    async def handle(connection: ServerConnection) -> None:
        connections.add(connection)
        stand.one_came()
        await connection.wait_closed()

    stand.deliver = lambda: broadcast(connections, text, text=True)
    async with serve(handle, "127.0.0.1", 0, compression=None, ping_interval=None, backlog=BACKLOG) as server:
        stand.port = next(iter(server.sockets)).getsockname()[1]
        yield stand
        for connection in connections:
            connection.transport.abort()


@contextlib.asynccontextmanager
async def ours(text: bytes) -> AsyncIterator[Stand]:
    """Deliver through the hub, ring and bus included, all in one turn of the loop."""
    hub, match, seq = Hub(_Still(), LocalBus()), uuid4(), 0
    stand = Stand("hub", HANDSHAKE, text)
    await hub.start()

    async def handle(connection: ServerConnection) -> None:
        await hub.watch(connection, match, Audience.ONLOOKERS, 0)
        stand.one_came()
        await connection.wait_closed()
        hub.leave_all(connection)

    def deliver() -> None:
        nonlocal seq
        hub.deliver([Broadcast(match, Audience.ONLOOKERS, seq, seq + 1, text)])
        hub.flush()
        seq += 1

    stand.deliver = deliver
    async with serve(handle, "127.0.0.1", 0, compression=None, ping_interval=None, backlog=BACKLOG) as server:
        stand.port = next(iter(server.sockets)).getsockname()[1]
        yield stand
        for connection in server.connections:
            connection.transport.abort()
        await hub.stop()


STANDS: Final = (raw, library, ours)


@contextlib.asynccontextmanager
async def entered(
    make: Callable[[bytes], contextlib.AbstractAsyncContextManager[Stand]], text: bytes, count: int
) -> AsyncIterator[Contestant]:
    """Have a stand with so many clients."""
    async with make(text) as stand, reading(stand.port, count, stand.hello) as line:
        await stand.all_came(count)
        yield Contestant(stand.name, stand.deliver, len(stand.frame) * count, line)


async def fanout_bench(
    sizes: Sequence[int] = SIZES, rounds: int = 4, seconds: float = SECONDS
) -> list[Result]:
    """Measure each size; a few seconds each. Sizes for which the machine has too few files are left out."""
    results: list[Result] = []
    for size in sizes:
        if allow_files(3 * size + SPARE) < 3 * size + SPARE:
            continue
        results += await _measure(size, rounds, seconds)
    return results


async def _measure(size: int, rounds: int, seconds: float) -> list[Result]:
    async with contextlib.AsyncExitStack() as stack:
        contestants = [await stack.enter_async_context(entered(one, TEXT, size)) for one in STANDS]
        limit, theirs, hub = contestants
        for number in range(rounds + 1):
            for contestant in contestants[number % 3 :] + contestants[: number % 3]:
                await contestant.turn(size, seconds)
        for contestant in contestants:
            del contestant.rates[0]  # the first round warms up
        return [
            _result(hub, size, limit, OF_RAW),
            _result(hub, size, theirs, OF_LIBRARY),
            _result(theirs, size, limit),
        ]


def _result(one: Contestant, size: int, other: Contestant, keep: float | None = None) -> Result:
    ratio = statistics.median(mine / yours for mine, yours in zip(one.rates, other.rates, strict=True))
    return Result(
        f"fan-out by {one.name}, {size} onlookers",
        round(statistics.median(one.rates)),
        "deliveries/CPU s",
        other.name,
        round(ratio, 3),
        keep,
    )
