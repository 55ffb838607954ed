"""From a decision to the last onlooker who sees it, through a whole server, with every commit on disk.

Two seats play by chance over websockets, as quickly as they are answered; so many onlookers watch. A decision
is timed from the write of its message to its receipt, and to the arrival of its frame at the last onlooker.
After each decision follow a bare commit on the same Postgres and an echo of as many bytes to as many sockets:
the least that any server needs, and other load of the machine affects all three alike.

The limit is what the design allows, two flushes and 2 ms, and for the onlookers the echo to as many on top.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

import asyncpg
from msgspec import Struct

from domain.titles import TITLES
from server.bench import Result, Say, share
from server.bench.chance import one_of
from server.bench.fanout import SPARE
from server.bench.node import ECHO, Node, Socket, begun, connected, node
from server.limits import allow_files
from server.protocol import wire

SIZES: Final = (1, 100, 500)
FLUSHES, ALLOWED = 2, 2.0
"""Bare commits, and milliseconds besides, within which a decision should be acknowledged."""

PATIENCE: Final = 60.0
"""Timeout of one step, in seconds."""

SETTLE: Final = 1.2
"""Seconds after which everybody has been told who is there."""

TABLE: Final = "CREATE TABLE public.bench (body bytea NOT NULL)"
COMMIT: Final = "INSERT INTO public.bench VALUES ($1)"
FRAME, VIEW = b'{"t":"frame"', b'{"t":"view"'


class Times(Struct):
    """Milliseconds of each decision and of its baselines."""

    acknowledged: list[float] = []
    last: list[float] = []
    flush: list[float] = []
    echo: list[float] = []


class Arrivals:
    """Counts received messages until the expected number is reached."""

    def __init__(self) -> None:
        self.at = 0.0
        self.size = 0
        """Bytes of the last text."""
        self._missing = 0
        self._last: asyncio.Future[None] | None = None

    def expect(self, count: int) -> None:
        """Wait for so many from now on."""
        self._missing, self._last = count, asyncio.get_running_loop().create_future()

    def count(self, size: int, many: int = 1) -> None:
        """Take note."""
        self.size = size
        self._missing -= many
        if self._last is not None and self._missing <= 0 and not self._last.done():
            self.at = time.perf_counter()
            self._last.set_result(None)

    async def all(self) -> None:
        """Wait for the last."""
        assert self._last is not None
        await self._last


class BenchSeat:
    """A seat at the table: what it is asked, and the answer to what it sent."""

    def __init__(self, frames: Arrivals) -> None:
        self.socket: Socket
        self.upto = 0
        self.prompts: list[wire.Asked] = []
        self.acknowledged = 0.0
        self.answer: asyncio.Future[wire.Receipt] | None = None
        self._frames = frames

    def hear(self, text: bytes) -> None:
        """Take a message in."""
        came = time.perf_counter()
        match wire.decode_outgoing(text):
            case wire.Frame() | wire.View() as news:
                self.upto, self.prompts = news.upto, news.prompts
                self._frames.count(len(text))
            case wire.Receipt() as receipt if self.answer is not None:
                self.acknowledged = came
                self.answer.set_result(receipt)
            case wire.Refused() as refused:
                raise RuntimeError(f"refused: {refused.reason}")


class BenchMatch:
    """A match under way on a server, with its seats and onlookers."""

    def __init__(
        self, match: UUID, seats: list[BenchSeat], onlookers: int, frames: Arrivals, seen: Arrivals
    ) -> None:
        self.match, self.seats, self.onlookers = match, seats, onlookers
        self.frames, self.seen = frames, seen
        self._chance = random.Random(1942)  # noqa: S311 a choice is not a secret

    async def decide(self, times: Times) -> bool:
        """Take one decision and note how long it took; False when nobody is asked any more."""
        asked = [(seat, prompt) for seat in self.seats for prompt in seat.prompts[:1]]
        if not asked:
            return False
        seat, prompt = self._chance.choice(asked)
        decide = wire.Decide(self.match, uuid4(), seat.upto, one_of(prompt.options, self._chance))
        seat.answer = asyncio.get_running_loop().create_future()
        self.frames.expect(len(self.seats))
        self.seen.expect(self.onlookers)
        begun_at = time.perf_counter()
        seat.socket.say(decide)
        await seat.answer
        await self.seen.all()
        await self.frames.all()
        times.acknowledged.append((seat.acknowledged - begun_at) * 1000)
        times.last.append((self.seen.at - begun_at) * 1000)
        return True


class _Listener(asyncio.Protocol):
    """One socket of the echo."""

    def __init__(self, heard: Arrivals) -> None:
        self._heard = heard

    def data_received(self, data: bytes) -> None:
        self._heard.count(len(data), len(data))


class Echo:
    """Sockets at the echo, the first of which sends."""

    def __init__(self, speaker: asyncio.Transport, listeners: int, heard: Arrivals) -> None:
        self._speaker, self._listeners, self._heard = speaker, listeners, heard

    async def say(self, size: int) -> float:
        """Have so many bytes sent to every listener; return the milliseconds to the last of them."""
        self._heard.expect(size * self._listeners)
        said = time.perf_counter()
        self._speaker.write(ECHO.pack(size))
        await self._heard.all()
        return (self._heard.at - said) * 1000


async def decision_bench(
    dsn: str, folder: Path, say: Say, sizes: Sequence[int] = SIZES, decisions: int = 200
) -> list[Result]:
    """Measure so many decisions with each number of onlookers; sizes beyond the open files are left out."""
    results: list[Result] = []
    database = await asyncpg.connect(dsn)
    try:
        await database.execute(TABLE)
        async with node(dsn, folder) as server:
            for size in sizes:
                if allow_files(2 * size + SPARE) < 2 * size + SPARE:
                    continue
                say(f"{decisions} decisions before {size} onlookers")
                times = await _measure(server, database, size, decisions)
                results += _results(times, size, first=not results)
    finally:
        await database.close()
    return results


async def _measure(
    server: Node, database: "asyncpg.Connection[asyncpg.Record]", size: int, decisions: int
) -> Times:
    times, commit = Times(), await database.prepare(COMMIT)
    async with playing(server, size) as table, echoing(server, size) as echo:
        await asyncio.sleep(SETTLE)
        for number in range(decisions + decisions // 10):
            if number == decisions // 10:
                times = Times()  # the decisions before were to warm up
            async with asyncio.timeout(PATIENCE):
                if not await table.decide(times):
                    break
                times.echo.append(await echo.say(table.seen.size))
                began = time.perf_counter()
                await commit.fetch(bytes(100))
                times.flush.append((time.perf_counter() - began) * 1000)
    return times


@contextlib.asynccontextmanager
async def playing(server: Node, onlookers: int, patience: float = PATIENCE) -> AsyncIterator[BenchMatch]:
    """Have a match begin and so many look on, within so many seconds."""
    match, tokens = await begun(server.url, next(iter(TITLES.values())))
    frames, seen, sockets = Arrivals(), Arrivals(), list[Socket]()

    def hear(text: bytes) -> None:
        if text.startswith((FRAME, VIEW)):
            seen.count(len(text))

    try:
        async with asyncio.timeout(patience):
            seen.expect(onlookers)
            for _ in range(onlookers):
                sockets.append(await connected(server.url, match, hear))
            await seen.all()
            seats = [BenchSeat(frames) for _ in tokens]
            frames.expect(len(seats))
            for seat, token in zip(seats, tokens.values(), strict=True):
                seat.socket = await connected(server.url, match, seat.hear, token)
                sockets.append(seat.socket)
            await frames.all()
        yield BenchMatch(match, seats, onlookers, frames, seen)
    finally:
        for socket in sockets:
            socket.close()


@contextlib.asynccontextmanager
async def echoing(server: Node, listeners: int) -> AsyncIterator[Echo]:
    """Have so many sockets listen to the echo."""
    heard, loop = Arrivals(), asyncio.get_running_loop()
    made = [
        await loop.create_connection(lambda: _Listener(heard), "127.0.0.1", server.echo)
        for _ in range(listeners)
    ]
    yield Echo(made[0][0], listeners, heard)
    for transport, _ in made:
        transport.abort()


def _results(times: Times, size: int, *, first: bool) -> list[Result]:
    results: list[Result] = []
    for part, keep in ((0.5, 1.0), (0.99, None)):
        flush, echo = share(times.flush, part), share(times.echo, part)
        limit = FLUSHES * flush + ALLOWED
        p = f"p{part * 100:.0f}"
        against = f"{FLUSHES} flushes of {flush:.2f} + {ALLOWED:.0f} ms"
        if first:
            took = share(times.acknowledged, part)
            results.append(Result(f"decision acknowledged, {p}", took, "ms", against, limit / took, keep))
        took, limit = share(times.last, part), limit + echo
        name = f"decision to the last of {size} onlookers" if size > 1 else "decision to one onlooker"
        results.append(Result(f"{name}, {p}", took, "ms", f"{against} + echo {echo:.2f}", limit / took, keep))
    return results
