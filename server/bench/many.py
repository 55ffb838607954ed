"""Many matches at once through a whole server: so many decisions a second, every commit on disk.

The seats of each match, two in most, play by chance as quickly as they are answered; ten look on. The server
has one core of its own where the system can give it one; Postgres and the players share the others, so that
with two cores the players are part of what is measured. A decision is timed from the write of its message to
its receipt; the processor's time is the server's own, system calls included.
"""

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

from msgspec import Struct, field

from domain.match.game import Game
from server.bench import LeftOut, Result, Say, rate, share
from server.bench.chance import one_of
from server.bench.fanout import SPARE
from server.bench.node import Socket, begun, connected, node
from server.limits import allow_files
from server.proof import keys
from server.protocol import wire

ONLOOKERS: Final = 10
SEATS: Final = 2
"""Of a match, at most."""
BESIDE: Final = 20
"""Matches that are begun side by side."""

PATIENCE: Final = 120.0
"""Timeout, in seconds, within which all matches have to begin."""

GOALS: Final = {"midway": 2_500, "coral_sea": 2_000, "nimitz": 2_000}
"""Decisions a second that we want to reach on one core, by title."""

SLOWEST: Final = 80.0
"""Milliseconds within which 99 of 100 decisions should be acknowledged."""


class Measured(Struct):
    """What was measured of one title."""

    seconds: float = 0.0
    spent: float = 0.0
    """Seconds of processor that the server took."""
    milliseconds: list[float] = []
    """From the write of each decision to its receipt."""
    refused: Counter[str] = field(default_factory=Counter)
    """Decisions that were answered by a refusal, by its code."""


class Player:
    """A seat: what it is asked, and what it is told."""

    def __init__(self, table: "BusyMatch") -> None:
        self.socket: Socket
        self.upto = 0
        self.prompts: list[wire.Asked] = []
        self._table = table

    def hear(self, text: bytes) -> None:
        """Take a message in."""
        match wire.decode_outgoing(text):
            case wire.Frame() | wire.View() as news:
                self.upto, self.prompts = news.upto, news.prompts
                self._table.moved()
            case wire.Receipt() as receipt:
                self._table.stored(receipt.seq)
            case wire.Refused(code=code):
                self._table.refused(code)


class BusyMatch:
    """A match whose seats decide as soon as all have seen what came of the last decision."""

    def __init__(
        self, match: UUID, seed: int, seats: int, measured: Measured, most: int | None = None
    ) -> None:
        """Take how many decisions there are to be at most."""
        self.seats = [Player(self) for _ in range(seats)]
        self.sockets: list[Socket] = []
        self._match, self._measured, self._going = match, measured, False
        self._random = random.Random(seed)  # noqa: S311 a choice is not a secret
        self._sent, self._awaits = 0.0, 0
        self._left = most
        self.ended = asyncio.Event()
        """Set when nobody is asked any more, or there were so many decisions as there are to be."""
        self.ready = asyncio.Event()
        """Set when all seats have seen the table."""

    def go(self) -> None:
        """Begin to decide."""
        self._going = True
        self._decide()

    def stop(self) -> None:
        """Decide no more."""
        self._going = False

    def stored(self, seq: int) -> None:
        """Note the time that the decision took; its last fact is `seq`."""
        self._measured.milliseconds.append((time.perf_counter() - self._sent) * 1000)
        self._awaits = seq
        self.moved()

    def refused(self, code: str) -> None:
        """Note it, and decide anew."""
        self._measured.refused[code] += 1
        self._decide()

    def moved(self) -> None:
        """Decide again if all seats have seen what came of the last decision."""
        if all(seat.upto for seat in self.seats):
            self.ready.set()
        if self._awaits and all(seat.upto >= self._awaits for seat in self.seats):
            self._decide()

    def _decide(self) -> None:
        asked = [(seat, prompt) for seat in self.seats for prompt in seat.prompts[:1]]
        if not asked or self._left == 0:
            self.ended.set()
            return
        if not self._going:
            return
        if self._left is not None:
            self._left -= 1
        seat, prompt = self._random.choice(asked)
        option = one_of(prompt.options, self._random)
        self._sent, self._awaits = time.perf_counter(), 0
        seat.socket.say(wire.Decide(self._match, uuid4(), seat.upto, option))


async def many_bench(
    dsn: str, folder: Path, say: Say, games: Sequence[Game], matches: int, seconds: float
) -> list[Result]:
    """Measure decisions of so many matches of each title, for so many seconds. Raises LeftOut."""
    wanted = 2 * matches * (SEATS + ONLOOKERS) + SPARE
    if allow_files(wanted) < wanted:
        raise LeftOut(f"{matches} matches need {wanted} open files: see `ulimit -n`")
    await asyncio.to_thread(folder.mkdir)
    ring = folder / "keys"  # of all servers, since they find each other's matches
    await asyncio.to_thread(keys.generate, ring)
    results: list[Result] = []
    for game in games:
        say(f"decisions of {matches} matches of {game.title} at once")
        async with node(dsn, folder / game.name, core=0, keys_file=ring) as server:
            found = await load(server.url, server.spent, game, matches, seconds)
        results += _results(game, matches, found)
    return results


async def load(
    url: str, spent: Callable[[], Awaitable[float]], game: Game, matches: int, seconds: float
) -> Measured:
    """Let matches of a title be played on a server; `spent` tells the seconds of processor it has taken."""
    result = Measured()
    async with _tables(url, game, matches, result) as tables:
        for table in tables:
            table.go()
        await asyncio.sleep(seconds / 5)  # to warm up
        result.milliseconds.clear()
        before, begun_at = await spent(), time.perf_counter()
        await asyncio.sleep(seconds)
        result.spent = await spent() - before
        result.seconds = time.perf_counter() - begun_at
        for table in tables:
            table.stop()
    return result


def _results(game: Game, matches: int, found: Measured) -> list[Result]:
    count, goal = len(found.milliseconds), GOALS[game.name]
    if not count:
        raise LeftOut(f"no decision of {game.title} was stored")
    name = f"{matches} matches of {game.title}"
    slowest = share(found.milliseconds, 0.99)
    each, stored = found.spent / count * 1e6, count / (count + found.refused.total())
    return [
        rate(f"decisions of {name}", count / found.seconds, "decisions/s", goal),
        Result(f"{name}, processor", each, "µs a decision", f"{1e6 / goal:.0f} µs", 1e6 / goal / each),
        Result(f"{name}, p99", slowest, "ms", f"{SLOWEST:.0f} ms", SLOWEST / slowest),
        Result(f"{name}, stored", stored, "of all sent", "all", stored),
    ]


@contextlib.asynccontextmanager
async def _tables(url: str, game: Game, matches: int, result: Measured) -> AsyncIterator[list[BusyMatch]]:
    tables: list[BusyMatch] = []
    some = asyncio.Semaphore(BESIDE)

    async def begin(number: int) -> None:
        async with some:
            match, tokens = await begun(url, game)
            table = BusyMatch(match, number, len(tokens), result)
            tables.append(table)
            for seat, token in zip(table.seats, tokens.values(), strict=True):
                seat.socket = await connected(url, match, seat.hear, token)
                table.sockets.append(seat.socket)
            for _ in range(ONLOOKERS):
                table.sockets.append(await connected(url, match, lambda _: None))

    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*map(begin, range(matches)))
            await asyncio.gather(*(table.ready.wait() for table in tables))
        yield tables
    finally:
        for table in tables:
            for socket in table.sockets:
                socket.close()
