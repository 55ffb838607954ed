"""Who plays beside a flood: how far that has come meanwhile, and clients that note what they are refused.

Laws of this module:
- Play is beside a flood only if that goes on: between the first decision and the last so much has been sent.
- Each command has a time-out of its own, and so has taking the seats.
- A client asks again by itself where it is answered "later". What it was told is noted.

Deliberately absent: what is sent (`tests.server.flood`).
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

from clients.client import Client, create
from clients.links import Place
from server.protocol import wire
from tests.server.history import ROOT
from tests.server.tables import Node

SECONDS = 120
"""Within which all of it is answered, on a machine that has as much else to do as may be."""

ANSWER = 10.0
"""Seconds within which each step of who plays is done, there too: where a node gave no turn to who sends
little, it would come after all that the others have sent."""

LINES = 2
"""Lines of a flood that come while somebody plays beside it."""


class Noting(Client):
    """A client that notes what it is refused, and why its connections end."""

    def __init__(self, place: Place, told: set[str]) -> None:
        super().__init__(place)
        self._told = told

    def _refused(self, message: wire.Refused) -> None:
        self._told.add(message.code)
        super()._refused(message)

    async def _one_connection(self) -> str:
        why = await super()._one_connection()
        self._told.add(why)
        return why


class Flood:
    """One that is under way."""

    def __init__(self, said: asyncio.StreamReader) -> None:
        self.lines = 0
        """Lines that it has written, each when it had sent so much more."""
        self._said = said

    async def follow(self) -> None:
        """Count its lines until it ends."""
        while await self._said.readline():
            self.lines += 1


@contextlib.asynccontextmanager
async def flood(kind: str, address: str, node: Node, match: str) -> AsyncIterator[Flood]:
    """Let sixty connections of an address send all they can."""
    attack = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.server.flood", kind, address, str(node.port), match,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert attack.stdout is not None
        async with asyncio.timeout(SECONDS):
            assert kind == (await attack.stdout.readline()).decode().strip()
        under_way = Flood(attack.stdout)
        following = asyncio.create_task(under_way.follow())
        yield under_way
        assert attack.returncode is None
    finally:
        with contextlib.suppress(ProcessLookupError):
            attack.kill()
        await attack.wait()
    await following


async def offered(url: str) -> tuple[UUID, list[str]]:
    """Offer a match; return it and its tokens, of the seats first."""
    created = await create(url, wire.Create(wire.VERSION, uuid4(), "tiny", "skirmish"))
    return created.match, [link.token for link in created.links]


@contextlib.asynccontextmanager
async def playing(url: str, told: set[str]) -> AsyncIterator[Client]:
    """Give who has a seat of a match that has begun; `told` is what either seat was refused.

    Raises TimeoutError where offering it, coming to it or taking the seats takes more than ANSWER seconds.
    """
    async with asyncio.timeout(ANSWER):
        match, (north, south, *_) = await offered(url)
    async with contextlib.AsyncExitStack() as stack:
        async with asyncio.timeout(ANSWER):
            client, other = [
                await stack.enter_async_context(Noting(Place(url, match, seat), told))
                for seat in (north, south)
            ]
        async with asyncio.timeout(ANSWER):
            await asyncio.gather(client.sit(), other.sit())
        yield client


async def stored(client: Client, command: wire.Decide | wire.Undo) -> None:
    """Send a command and see it. Raises TimeoutError where that takes more than ANSWER seconds."""
    async with asyncio.timeout(ANSWER):
        receipt = await client.send(command)
        await client.wait(lambda: client.upto >= receipt.seq)


async def played_beside(under_way: Flood, url: str, shown: UUID, decisions: int) -> int:
    """Offer a match, take its seats, decide and undo so often at least, look on elsewhere.

    It is decided until the flood has written LINES lines since the first decision; return how many it has at
    the last. Clients ask again where they are answered "later", as honest ones do, and give up where they are
    closed for good. Raises TimeoutError where a single command takes more than ANSWER seconds.
    """
    async with playing(url, set()) as client:
        begun, made = under_way.lines, 0
        while made < decisions or under_way.lines - begun < LINES:
            await client.wait(lambda: client.prompt is not None)
            assert client.prompt is not None
            option = client.prompt.options[0]
            await stored(client, wire.Decide(client.place.match, uuid4(), client.upto, option))
            await stored(client, wire.Undo(client.place.match, uuid4()))
            made += 1
        lines = under_way.lines - begun
    async with asyncio.timeout(ANSWER), Client(Place(url, shown, "")) as onlooker:
        assert onlooker.view
    return lines
