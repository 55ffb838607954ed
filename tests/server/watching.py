"""What the fan-out's tests watch with: a log that is a list, and hubs behind real sockets."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Collection
from uuid import UUID, uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve

from domain.kernel.audience import VIEWERS, Audience, Viewer
from server.fanout.broadcasts import Broadcast, Timing, TooFar
from server.fanout.hub import Hub

QUICK = Timing(beat=0.2, silence=0.6, answer=0.5, again=0.05, poll=0.05, compare=0.5, presence=0.05)


class ListLog:
    """The log as a list of heads. Every text says which range it covers and for whom, and has some weight."""

    def __init__(self, farthest: int = 2000) -> None:
        self.ends: dict[UUID, list[int]] = {}  # where each command ended
        self.farthest = farthest
        self.weight = 0
        self.reads = 0
        self.compared = 0
        self.fault: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    def head(self, match: UUID) -> int:
        return self.ends.get(match, [0])[-1]

    def text(self, kind: str, audience: Viewer, after: int, upto: int) -> bytes:
        told = {"type": kind, "for": audience.value, "after": after, "upto": upto, "pad": "x" * self.weight}
        return json.dumps(told).encode()

    def decide(self, match: UUID, facts: int = 1, audiences: Collection[Viewer] = VIEWERS) -> list[Broadcast]:
        after = self.head(match)
        upto = after + facts
        self.ends.setdefault(match, [0]).append(upto)
        return [Broadcast(match, a, after, upto, self.text("facts", a, after, upto)) for a in audiences]

    async def _reach(self) -> None:
        self.reads += 1
        await self.gate.wait()
        await asyncio.sleep(0)
        if self.fault is not None:
            raise self.fault

    async def since(self, match: UUID, audience: Viewer, after: int) -> Broadcast:
        upto = self.head(match)
        await self._reach()
        if upto - after > self.farthest:
            raise TooFar
        return Broadcast(match, audience, after, upto, self.text("facts", audience, after, upto))

    async def view(self, match: UUID, audience: Viewer) -> Broadcast:
        upto = self.head(match)
        await self._reach()
        return Broadcast(match, audience, 0, upto, self.text("view", audience, 0, upto))

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        self.compared += 1
        if self.fault is not None:
            raise self.fault
        return {match: self.head(match) for match in matches if match in self.ends}


class Watching:
    """A client and what it was sent; asserts that what it was sent joins up and was meant for it."""

    def __init__(self, client: ClientConnection, audience: Viewer, after: int) -> None:
        self.client = client
        self.audience = audience
        self.upto = after
        self.views = self.receipts = 0
        self.ranges: list[tuple[int, int]] = []
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self.client:
            told = json.loads(text)
            if told["type"] == "receipt":
                self.receipts += 1
                continue
            assert self.audience.value == told["for"]
            if told["type"] == "view":
                self.views += 1
                assert self.upto <= told["upto"]
            else:
                assert self.upto == told["after"] < told["upto"]
            self.upto = told["upto"]
            self.ranges.append((told["after"], told["upto"]))

    async def reach(self, upto: int, seconds: float = 5.0) -> None:
        async with asyncio.timeout(seconds):
            while self.upto < upto:
                assert not self.task.done(), self.task
                await asyncio.sleep(0.005)

    async def end(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        await self.client.close()


class Node:
    """A hub behind a websocket server; the path says what is watched: /match/audience/after/head."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.faults: list[Exception] = []
        self.connections: list[ServerConnection] = []
        self.server: Server | None = None
        self.watching: list[Watching] = []

    async def handle(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        self.connections.append(connection)
        by_value = {viewer.value: viewer for viewer in VIEWERS}
        _, match, audience, after, head = connection.request.path.split("/")
        try:
            await self.hub.watch(connection, UUID(match), by_value[int(audience)], int(after), head=int(head))
            async for _ in connection:
                pass
        except Exception as fault:
            self.faults.append(fault)
        finally:
            self.hub.leave_all(connection)

    async def connect(
        self,
        match: UUID,
        audience: Viewer = Audience.ONLOOKERS,
        after: int = 0,
        head: int = 0,
        **settings: object,
    ) -> ClientConnection:
        assert self.server is not None
        port = next(iter(self.server.sockets)).getsockname()[1]
        url = f"ws://127.0.0.1:{port}/{match}/{audience.value}/{after}/{head}"
        return await connect(url, compression=None, max_size=None, **settings)  # type: ignore[arg-type]

    async def watch(
        self, match: UUID, audience: Viewer = Audience.ONLOOKERS, after: int = 0, head: int = 0
    ) -> Watching:
        watching = Watching(await self.connect(match, audience, after, head), audience, after)
        self.watching.append(watching)
        return watching

    async def current(self, number: int) -> None:
        async with asyncio.timeout(5):
            while self.hub.watchers - self.hub.behind < number:
                await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def node(hub: Hub, **settings: object) -> AsyncIterator[Node]:
    """Serve a hub on a free port of the loopback."""
    made = Node(hub)
    await hub.start()
    async with serve(made.handle, "127.0.0.1", 0, compression=None, **settings) as made.server:  # type: ignore[arg-type]
        try:
            yield made
        finally:
            for watching in made.watching:
                await watching.end()
            await hub.stop()
    for watching in made.watching:
        if watching.task.done() and not watching.task.cancelled():
            watching.task.result()


async def until(holds: object, seconds: float = 5.0) -> None:
    """Wait until a condition holds."""
    assert callable(holds)
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


def match_id() -> UUID:
    return uuid4()
