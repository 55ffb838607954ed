"""The room: the watchers of a match and audience, and the broadcasts written to those that are current.

Laws of this module:
- A watcher is current or behind. A current one has been sent all that the room has sent; a broadcast costs
  one write to it.
- Nothing is queued for a connection. While 64 KiB or more are unsent, nothing is written to it.

Writing encoded bytes to the transport past `websockets` is safe because that library passes each websocket
frame to the transport whole, within one iteration of the event loop, so that none is ever half written. The
connection must be open, and no message of several websocket frames under way; both are checked at every
write.

Deliberately absent: the log, and what happens to a watcher that could not be written to.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final
from uuid import UUID

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from domain.kernel.audience import Audience
from server.fanout.broadcasts import Broadcast, Topic, websocket_bytes
from server.fanout.ring import Piece, Ring

UNSENT: Final = 64 << 10
"""Bytes unsent in a connection's transport from which on nothing more is written to it."""

CROWDED: Final = 500
"""Current onlookers above which a match's broadcasts are collected into fewer writes."""

GATHERED: Final = UNSENT
"""Collected bytes from which on they are written at once."""

WORDS: Final = 64
"""Messages not from the log that a room remembers, to ignore its own when they come back over the bus."""

OPEN: Final = State.OPEN


class Tally:
    """Counters of the fan-out of a node."""

    def __init__(self) -> None:
        self.deliveries = 0
        """Broadcasts written to connections."""
        self.fallen = 0
        """Times a current connection fell behind."""
        self.views = 0
        """Views sent."""
        self.resyncs = 0
        """Times a room was brought up to date from the log."""
        self.comparisons = 0
        """Queries that compared heads."""
        self.closed_slow = 0
        """Connections closed with 4008."""


class Subscriber:
    """A connection in the fan-out, with its watchers and those of them that are behind."""

    __slots__ = ("behind", "connection", "late", "protocol", "task", "unsent", "watchers", "write")

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.protocol = connection.protocol
        self.write: Callable[[bytes], None] = connection.transport.write
        self.unsent: Callable[[], int] = connection.transport.get_write_buffer_size
        self.watchers: dict[UUID, Watcher] = {}
        self.behind: dict[UUID, Watcher] = {}
        self.task: asyncio.Task[None] | None = None
        self.late: float | None = None  # since when its socket has not kept up

    def clear(self) -> bool:
        """Whether bytes may be written now: open, no message under way, and less than UNSENT bytes unsent."""
        return (
            self.protocol.state is OPEN
            and self.connection.send_in_progress is None
            and self.unsent() < UNSENT
        )


class Watcher:
    """A connection's subscription to one match, as one audience."""

    __slots__ = ("counted", "head", "new", "place", "ready", "room", "seat", "subscriber", "viewed")

    def __init__(
        self,
        subscriber: Subscriber,
        room: "Room",
        seat: int | None,
        place: int,
        head: int,
        *,
        counted: bool = True,
    ) -> None:
        self.subscriber = subscriber
        self.room = room
        self.seat = seat
        self.counted = counted  # whether it is present: a seat that is there, or an onlooker
        self.place = place  # the last seq it was sent; valid only while behind
        self.head = head  # the log's head when it came, as its client was told
        self.new = True  # not yet served: its place comes from the client and may be far back
        self.viewed = False  # whether the view has been sent since it fell behind
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def settle(self, fault: BaseException | None = None) -> None:
        """Let `Hub.watch` return, or raise `fault`."""
        if self.ready.done():
            return
        if fault is None:
            self.ready.set_result(None)
        else:
            self.ready.set_exception(fault)


class Room:
    """A topic with watchers: its ring, and which of them are current."""

    __slots__ = (
        "announced",
        "asking",
        "current",
        "fell",
        "gather",
        "gathered",
        "recovering",
        "ring",
        "sent",
        "tally",
        "timer",
        "topic",
        "view",
        "watchers",
        "written_once",
    )

    def __init__(self, topic: Topic, gather: float, tally: Tally, fell: Callable[[Watcher], None]) -> None:
        """Take the seconds to collect broadcasts for, and a callback for each watcher that falls behind."""
        self.topic, self.gather, self.tally, self.fell = topic, gather, tally, fell
        self.ring: Ring | None = None  # None until the head was read from the log
        self.sent = 0  # up to which seq the current were sent; below the ring's end only while collecting
        self.announced = 0  # the highest seq announced
        self.watchers: dict[Subscriber, Watcher] = {}
        self.current: dict[Subscriber, Watcher] = {}
        self.gathered: list[bytes] = []
        self.timer: asyncio.TimerHandle | None = None
        self.recovering: asyncio.Task[None] | None = None
        self.asking: dict[int, asyncio.Task[Piece]] = {}
        self.view: Piece | None = None
        self.written_once: deque[bytes] = deque(maxlen=WORDS)

    def close(self) -> None:
        """Cancel timers and tasks, since the room has no watchers."""
        if self.timer is not None:
            self.timer.cancel()
        for task in (self.recovering, *self.asking.values()):
            if task is not None:
                task.cancel()

    def append(self, ring: Ring, broadcast: Broadcast) -> None:
        """Append a broadcast to the ring and send it: at once, or, to many onlookers, with others."""
        data = websocket_bytes(broadcast.text)
        ring.append(Piece(broadcast.after, broadcast.upto, data))
        if self.topic[1] is not Audience.ONLOOKERS or (len(self.current) <= CROWDED and not self.gathered):
            self.send(ring, data, 1)
            return
        self.gathered.append(data)
        if sum(map(len, self.gathered)) >= GATHERED:
            self.flush()
        elif self.timer is None:
            self.timer = asyncio.get_running_loop().call_later(self.gather, self.flush)

    def flush(self) -> None:
        """Send the collected broadcasts in one write."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        gathered, self.gathered = self.gathered, []
        if gathered:
            assert self.ring is not None  # `append` had it
            self.send(self.ring, b"".join(gathered), len(gathered))

    def send(self, ring: Ring, data: bytes, broadcasts: int) -> None:
        """Write to all current watchers; one that cannot take it falls behind, at the place sent before."""
        place, self.sent = self.sent, ring.upto
        for subscriber in self.write(data):
            watcher = self.current.pop(subscriber)
            watcher.place = place
            self.fell(watcher)
        self.tally.deliveries += broadcasts * len(self.current)

    def write(self, data: bytes) -> list[Subscriber]:
        """Write the bytes to every current connection; return those that could not take them.

        This is the hot path: it allocates and awaits nothing, and inlines the checks of `Subscriber.clear`,
        since the call would cost as much as the checks.
        """
        stalled = []
        for subscriber in self.current:
            try:
                if (
                    subscriber.protocol.state is OPEN
                    and subscriber.connection.send_in_progress is None
                    and subscriber.unsent() < UNSENT
                ):
                    subscriber.write(data)
                else:
                    stalled.append(subscriber)
            except (OSError, RuntimeError):  # the transport ended in this iteration of the loop
                stalled.append(subscriber)
        return stalled

    def write_once(self, text: bytes) -> None:
        """Write a message that is not from the log, unless it was written here before."""
        if text in self.written_once:
            return
        self.written_once.append(text)
        self.write(websocket_bytes(text))
