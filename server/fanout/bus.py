"""Broadcasts from node to node: the protocol, and the bus of a server that is alone.

Laws of this module:
- Publishing never waits and never raises. What cannot be sent is owed: its range alone goes out later, and
  whoever hears it reads the log.
- Nothing that arrives is trusted to be all that was sent. A broadcast says which range it covers, and every
  confirmation of a subscription means that something may have been missed before it.
- The bus may be away at any moment. `up` says so, and the log is looked at meanwhile.

Deliberately absent: order, memory, acknowledgement.
"""

import asyncio
from collections.abc import Iterable
from typing import Final, Protocol
from uuid import UUID

from domain.kernel.audience import Audience
from server.fanout.broadcasts import Broadcast, Topic
from server.fanout.presence import NOBODY, Crowd

# fmt: off
TAGS: Final = (
    10, 18, 113, 342, 29, 21, 3, 122, 69, 61, 72, 162, 50, 58, 153, 43,
    11, 19, 112, 343, 28, 20, 2, 123, 68, 60, 73, 163, 51, 59, 152, 42,
    12, 102, 111, 119, 133, 23, 1, 9, 173, 63, 70, 78, 52, 142, 49, 41,
    13, 103, 110, 118, 132, 22, 0, 8, 172, 62, 71, 79, 53, 143, 48, 40,
)
# fmt: on
"""Hash tags; the n-th is the least number whose slot lies in the n-th 64th of a Cluster's 16,384 slots."""

LARGEST: Final = 16 << 10
"""Bytes of text a broadcast may carry through Redis; above it only its range goes."""


class Ear(Protocol):
    """Who listens to the bus: the hub. Neither method may raise or wait."""

    def arrived(self, broadcast: Broadcast) -> None:
        """Hear a broadcast; its text is empty where only the range was sent."""
        ...

    def doubt(self, topics: Iterable[Topic]) -> None:
        """Hear that something may have been missed here: read the log."""
        ...


class Bus(Protocol):
    """Carries broadcasts to all other nodes that watch their topic. The publisher may hear its own, too."""

    @property
    def up(self) -> bool:
        """Whether broadcasts are known to get through."""
        ...

    @property
    def dropped(self) -> int:
        """Broadcasts of which only the range went out, late, since the queue was full or Redis away."""
        ...

    async def start(self, ear: Ear) -> None:
        """Begin to listen. Does not wait for anything to be reachable."""
        ...

    async def stop(self) -> None:
        """Hand over what waits, if that is quick, and end."""
        ...

    def publish(self, broadcasts: Iterable[Broadcast]) -> None:
        """Send broadcasts, some time. Never waits, never raises."""
        ...

    def watch(self, topic: Topic) -> None:
        """Listen to a topic; the ear hears of doubt once that is so, and each time it is so again."""
        ...

    def unwatch(self, topic: Topic) -> None:
        """Listen to it no longer."""
        ...

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Tell who is with this node, hear who is with all nodes; None while that is unknown."""
        ...


def tag(match: UUID) -> str:
    """Give the match's hash tag: all that is kept about it in a Cluster lies in one slot."""
    return f"{{{TAGS[match.int % len(TAGS)]}}}"


def channel(topic: Topic) -> str:
    """Name the topic's channel: f:{tag}:<match>:0, :1 or :o."""
    match, audience = topic
    return f"f:{tag(match)}:{match}:{'o' if audience is Audience.ONLOOKERS else audience.side}"


def pack(broadcast: Broadcast) -> bytes:
    """Range and text as they travel: `after:upto`, a line feed, the text unless it is too large."""
    text = broadcast.text if len(broadcast.text) <= LARGEST else b""
    return b"%d:%d\n%b" % (broadcast.after, broadcast.upto, text)


def unpack(topic: Topic, data: bytes) -> Broadcast:
    """Give the broadcast that was packed; raises ValueError for anything else."""
    span, _, text = data.partition(b"\n")
    after, _, upto = span.partition(b":")
    return Broadcast(*topic, int(after), int(upto), text)


def summed(crowds: Iterable[Crowd]) -> Crowd:
    """One crowd made of many: a seat is present if it is anywhere."""
    seats = onlookers = 0
    for crowd in crowds:
        seats |= crowd.seats
        onlookers += crowd.onlookers
    return Crowd(seats, onlookers)


class Exchange:
    """What several local buses of one process share."""

    def __init__(self) -> None:
        self.buses: list[LocalBus] = []


class LocalBus:
    """The bus of a server that is alone: in the process, never away."""

    up = True
    dropped = 0

    def __init__(self, exchange: Exchange | None = None) -> None:
        self._exchange = exchange or Exchange()
        self._ear: Ear | None = None
        self._topics: set[Topic] = set()
        self._here: dict[UUID, Crowd] = {}

    async def start(self, ear: Ear) -> None:
        """Join the exchange."""
        self._ear = ear
        self._exchange.buses.append(self)

    async def stop(self) -> None:
        """Leave it."""
        self._ear = None
        self._exchange.buses.remove(self)

    def publish(self, broadcasts: Iterable[Broadcast]) -> None:
        """Hand the broadcasts to the other buses, in the loop's next round."""
        others = [bus for bus in self._exchange.buses if bus is not self]
        if not others:
            return
        loop = asyncio.get_running_loop()
        for broadcast in broadcasts:
            for bus in others:
                loop.call_soon(bus.receive, broadcast)

    def receive(self, broadcast: Broadcast) -> None:
        """Hear a broadcast of another bus."""
        if self._ear is not None and (broadcast.match, broadcast.audience) in self._topics:
            self._ear.arrived(broadcast)

    def watch(self, topic: Topic) -> None:
        """Listen to a topic."""
        self._topics.add(topic)
        asyncio.get_running_loop().call_soon(self._confirm, topic)

    def unwatch(self, topic: Topic) -> None:
        """Listen to it no longer."""
        self._topics.discard(topic)

    def _confirm(self, topic: Topic) -> None:
        if self._ear is not None and topic in self._topics:
            self._ear.doubt([topic])

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Sum over the buses of the exchange."""
        self._here = {match: crowd for match, crowd in here.items() if crowd != NOBODY}
        return {
            match: summed(bus._here.get(match, NOBODY) for bus in self._exchange.buses)  # noqa: SLF001 - a peer
            for match in here
        }
