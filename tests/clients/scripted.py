"""A server that does as a test says: real websockets, a real chain, no rules."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

from msgspec import json
from websockets.asyncio.server import ServerConnection, serve

from clients.client import Pace
from clients.links import Place
from domain.kernel.audience import Audience
from domain.match.chain import ZERO, commitment, link
from domain.match.telling import Told
from server.protocol import wire

QUICK = Pace(first=0.01, most=0.05, patience=3.0, welcome=1.0, answer=0.3, held=0.01)

MATCH = {
    "seats": [{"name": "one", "side": 0}, {"name": "two", "side": 1}],
    "taken": {"0": "bot", "1": "bot"},
    "promises": {"0": "", "1": ""},
    "nonces": {"0": "", "1": ""},
    "started": True,
}

Act = Callable[["Line"], Awaitable[None]]


class Story:
    """A match's log as one audience is told it; facts are numbered from 1."""

    def __init__(self) -> None:
        self.match = uuid4()
        self.hashes = [ZERO]
        self.told: dict[int, Told] = {}
        self.sealed: dict[int, str] = {}

    @property
    def head(self) -> int:
        return len(self.hashes) - 1

    def happens(self, count: int = 1, audience: Audience = Audience.ALL, salt: str = "") -> None:
        for _ in range(count):
            seq, command, body = self.head + 1, uuid4(), json.encode({"type": "Happened", "n": self.head})
            c = commitment(bytes.fromhex(salt), "Happened", 1, audience, command, seq, body)
            if audience is not Audience.UMPIRE:
                self.told[seq] = Told(
                    seq, seq, command, 0, 1, audience, "Happened", body.decode(), "It happened", salt
                )
            else:
                self.sealed[seq] = c.hex()
            self.hashes.append(link(self.match, seq, self.hashes[-1], c))

    def frame(
        self,
        after: int,
        upto: int,
        patch: dict[str, Any] | None = None,
        prompts: list[wire.Asked] | None = None,
    ) -> wire.Frame:
        span = range(after + 1, upto + 1)
        return wire.Frame(
            self.match,
            after,
            upto,
            self.hashes[upto].hex(),
            [self.told[seq] for seq in span if seq in self.told],
            [(seq, self.sealed[seq]) for seq in span if seq in self.sealed],
            {"table": {"turn": upto}} if patch is None else patch,
            prompts or [],
        )

    def view(self, prompts: list[wire.Asked] | None = None, **match: Any) -> wire.View:
        view = {"match": {**MATCH, **match}, "asked": [], "table": {"turn": self.head}}
        return wire.View(self.match, self.head, self.hashes[-1].hex(), view, prompts or [])

    def receipt(self, command: UUID) -> wire.Receipt:
        return wire.Receipt(self.match, command, self.head, self.hashes[-1].hex())


class Line:
    """The server's end of one connection."""

    def __init__(self, socket: ServerConnection, story: Story) -> None:
        self.socket, self.story = socket, story

    async def say(self, *messages: wire.Message) -> None:
        for message in messages:
            await self.socket.send(wire.encode(message).decode())

    async def hear(self) -> Any:
        return wire.decode_incoming(await self.socket.recv())

    async def welcome(self) -> wire.Hello:
        """Take a hello and answer with whose eyes these are."""
        hello = await self.hear()
        assert isinstance(hello, wire.Hello)
        await self.say(wire.Welcome(1, self.story.match, "tiny", "seat", self.story.head, seat=0, side=0))
        return hello

    async def opened(self, prompts: list[wire.Asked] | None = None, **match: Any) -> wire.Hello:
        """Take a hello and give the view at the head."""
        hello = await self.welcome()
        await self.say(self.story.view(prompts, **match))
        return hello


@contextlib.asynccontextmanager
async def scripted(story: Story, *acts: Act) -> AsyncIterator[Place]:
    """Serve each connection by the next act; what fails in an act fails the test."""
    waiting = list(acts)
    faults: list[BaseException] = []

    async def connected(socket: ServerConnection) -> None:
        if not waiting:
            faults.append(AssertionError("one connection too many"))
            return
        try:
            await waiting.pop(0)(Line(socket, story))
        except AssertionError as fault:
            faults.append(fault)

    async with serve(connected, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield Place(f"http://127.0.0.1:{port}", story.match, "token")
        await asyncio.sleep(0)
    assert not faults, faults
    assert not waiting, "fewer connections than acts"


async def stay(line: Line) -> None:
    """Keep the connection until the other end leaves."""
    await line.socket.wait_closed()
