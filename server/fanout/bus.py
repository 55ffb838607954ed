"""Broadcasts between nodes: the interface of the bus, and the bus of a server with a single node.

Laws of this module:
- Publishing never blocks and never raises. Of a broadcast that cannot be sent the range alone is sent later,
  and receivers read the log.
- Delivery is not reliable. A broadcast names the range it covers, so that receivers notice gaps; every
  confirmation of a subscription means that something may have been missed before it.
- The bus may fail at any time. Then `up` is false, and the log is polled.

Deliberately absent: ordering, persistence, acknowledgement.
"""

import asyncio
import secrets
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol
from uuid import UUID

from server.fanout.broadcasts import Broadcast, Node, Topic
from server.fanout.letters import NoAnswer
from server.fanout.messages import NODE
from server.fanout.outbox import Counts
from server.fanout.presence import NOBODY, Crowd


class BusListener(Protocol):
    """The receiver of the bus: the hub. No method may raise or block."""

    def arrived(self, broadcast: Broadcast, node: Node | None = None) -> None:
        """Receive a broadcast of a node; its text is empty if only the range was sent."""
        ...

    async def asked(self, question: bytes) -> bytes:
        """Answer what another node asks."""
        ...

    def compare_with_log(self, topics: Iterable[Topic]) -> None:
        """Learn that broadcasts of these topics may have been missed: compare with the log, and the lobby."""
        ...


class Bus(Protocol):
    """Carries broadcasts to all other nodes that watch their topic."""

    @property
    def up(self) -> bool:
        """Whether broadcasts are known to reach the other nodes."""
        ...

    @property
    def counts(self) -> Counts:
        """What was dropped and refused so far, and what waits to be sent."""
        ...

    async def start(self, listener: BusListener) -> None:
        """Start to receive, whether there is a connection or not. Raises RedisFault if there can be none."""
        ...

    async def stop(self) -> None:
        """Send what is queued, within a deadline, and end."""
        ...

    def publish(self, broadcasts: Sequence[Broadcast]) -> None:
        """Queue broadcasts of one match, which are sent together. Never blocks, never raises."""
        ...

    def watch(self, topic: Topic) -> None:
        """Subscribe to a topic; at each confirmation, also after a reconnect, the listener is told."""
        ...

    def unwatch(self, topic: Topic) -> None:
        """Unsubscribe from a topic."""
        ...

    async def ask(self, node: Node, question: bytes) -> bytes:
        """Return another node's answer. Raises NoAnswer."""
        ...

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Publish this node's crowds, return their sums over all nodes; None while these are unknown."""
        ...

    async def elsewhere(self, matches: Collection[UUID]) -> dict[UUID, Crowd] | None:
        """Return the crowds of matches at other nodes, of those with one; None while these are unknown."""
        ...


def summed(crowds: Iterable[Crowd]) -> Crowd:
    """Return the sum of crowds: a seat is present if it is in any of them."""
    seats = onlookers = 0
    for crowd in crowds:
        seats |= crowd.seats
        onlookers += crowd.onlookers
    return Crowd(seats, onlookers)


class Exchange:
    """The buses of one process, between which broadcasts are exchanged."""

    def __init__(self) -> None:
        self.buses: list[LocalBus] = []


class LocalBus:
    """The bus of a server with a single node: within the process, always up."""

    up = True

    def __init__(self, exchange: Exchange | None = None) -> None:
        self.counts = Counts()
        self.node = secrets.token_bytes(NODE)
        self._exchange = exchange or Exchange()
        self._listener: BusListener | None = None
        self._topics: set[Topic] = set()
        self._here: dict[UUID, Crowd] = {}

    async def start(self, listener: BusListener) -> None:
        """Join the exchange."""
        self._listener = listener
        self._exchange.buses.append(self)

    async def stop(self) -> None:
        """Leave the exchange."""
        self._listener = None
        self._exchange.buses.remove(self)

    def publish(self, broadcasts: Sequence[Broadcast]) -> None:
        """Pass the broadcasts to the other buses, in the event loop's next iteration."""
        others = [bus for bus in self._exchange.buses if bus is not self]
        if not others:
            return
        loop = asyncio.get_running_loop()
        for broadcast in broadcasts:
            for bus in others:
                loop.call_soon(bus.receive, broadcast, self.node)

    def receive(self, broadcast: Broadcast, node: Node) -> None:
        """Receive a broadcast of another bus."""
        if self._listener is not None and (broadcast.match, broadcast.audience) in self._topics:
            self._listener.arrived(broadcast, node)

    async def ask(self, node: Node, question: bytes) -> bytes:
        """Return the answer of another bus of the exchange. Raises NoAnswer."""
        for bus in self._exchange.buses:
            if bus.node == node and bus._listener is not None:  # noqa: SLF001 - a peer
                return await bus._listener.asked(question)  # noqa: SLF001 - a peer
        raise NoAnswer

    def watch(self, topic: Topic) -> None:
        """Subscribe to a topic."""
        self._topics.add(topic)
        asyncio.get_running_loop().call_soon(self._confirm, topic)

    def unwatch(self, topic: Topic) -> None:
        """Unsubscribe from a topic."""
        self._topics.discard(topic)

    def _confirm(self, topic: Topic) -> None:
        if self._listener is not None and topic in self._topics:
            self._listener.compare_with_log([topic])

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Return the sums over the buses of the exchange."""
        self._here = {match: crowd for match, crowd in here.items() if crowd != NOBODY}
        return {
            match: summed(bus._here.get(match, NOBODY) for bus in self._exchange.buses)  # noqa: SLF001 - a peer
            for match in here
        }

    async def elsewhere(self, matches: Collection[UUID]) -> dict[UUID, Crowd] | None:
        """Return the crowds of the other buses of the exchange."""
        others = [bus._here for bus in self._exchange.buses if bus is not self]  # noqa: SLF001 - a peer
        return {match: summed(here.get(match, NOBODY) for here in others) for match in matches}
