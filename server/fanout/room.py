"""Who watches a match as one audience, and the broadcasts written to those of them who are current.

Laws of this module:
- A watcher is current or behind. To one that is current all was sent that the room has sent; a broadcast
  costs one write to it.
- Nothing is queued for a connection. Beyond 64 KiB unsent nothing is written to it, whoever it is.

Writing ready bytes beside `websockets` is safe because that library hands each websocket frame to the
transport whole, in the turn of the loop in which it makes it: between turns none is half written. What
remains is that the connection be open and that no message of several such frames be under way; both are
checked at every write.

Deliberately absent: the log, and whatever becomes of a watcher that could not be written to.
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
"""Bytes waiting in a connection's transport above which nothing more is written to it."""

CROWDED: Final = 500
"""Onlookers above which a match's broadcasts are gathered."""

GATHERED: Final = UNSENT
"""Bytes gathered that are not kept waiting."""

WORDS: Final = 64
"""Words of a room that are remembered, to know one's own again when they come back over the bus."""

OPEN: Final = State.OPEN


class Tally:
    """What the fan-out of a node has done so far."""

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
    """A connection: what it watches, and what of that is behind."""

    __slots__ = ("behind", "connection", "late", "protocol", "task", "unsent", "watchers", "write")

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.protocol = connection.protocol
        self.write: Callable[[bytes], None] = connection.transport.write
        self.unsent: Callable[[], int] = connection.transport.get_write_buffer_size
        self.watchers: dict[UUID, Watcher] = {}
        self.behind: dict[UUID, Watcher] = {}
        self.task: asyncio.Task[None] | None = None
        self.late: float | None = None  # since when its socket keeps it behind

    def clear(self) -> bool:
        """Whether bytes may be written now. The transport's own count is right while it is paused, too."""
        return (
            self.protocol.state is OPEN
            and self.connection.send_in_progress is None
            and self.unsent() < UNSENT
        )


class Watcher:
    """A connection's interest in one match as one audience."""

    __slots__ = ("head", "new", "place", "ready", "room", "seat", "subscriber", "viewed")

    def __init__(self, subscriber: Subscriber, room: "Room", seat: int | None, place: int, head: int) -> None:
        self.subscriber = subscriber
        self.room = room
        self.seat = seat
        self.place = place  # means something only while behind
        self.head = head  # the log was there when it came, and it was told so
        self.new = True  # not yet served: its place comes from the client and may be far back
        self.viewed = False  # whether the view has been sent since it fell behind
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def settle(self, fault: BaseException | None = None) -> None:
        """Let `watch` return, or raise."""
        if self.ready.done():
            return
        if fault is None:
            self.ready.set_result(None)
        else:
            self.ready.set_exception(fault)


class Room:
    """A topic with watchers: its ring and who has been sent all of it."""

    __slots__ = (
        "asking",
        "current",
        "fell",
        "gather",
        "gathered",
        "heard",
        "recovering",
        "ring",
        "sent",
        "tally",
        "timer",
        "topic",
        "view",
        "watchers",
        "words",
    )

    def __init__(self, topic: Topic, gather: float, tally: Tally, fell: Callable[[Watcher], None]) -> None:
        """Take how many seconds broadcasts to a crowd are gathered, and who hears of one that fell behind."""
        self.topic, self.gather, self.tally, self.fell = topic, gather, tally, fell
        self.ring: Ring | None = None  # none until the log has said where the match stands
        self.sent = 0  # what the current have been sent; less than the ring's end only while gathering
        self.heard = 0  # the highest seq there is reason to believe in
        self.watchers: dict[Subscriber, Watcher] = {}
        self.current: dict[Subscriber, Watcher] = {}
        self.gathered: list[bytes] = []
        self.timer: asyncio.TimerHandle | None = None
        self.recovering: asyncio.Task[None] | None = None
        self.asking: dict[int, asyncio.Task[Piece]] = {}
        self.view: Piece | None = None
        self.words: deque[bytes] = deque(maxlen=WORDS)

    def close(self) -> None:
        """End what is under way: nobody watches any more."""
        if self.timer is not None:
            self.timer.cancel()
        for task in (self.recovering, *self.asking.values()):
            if task is not None:
                task.cancel()

    def append(self, ring: Ring, broadcast: Broadcast) -> None:
        """Add a broadcast that joins the ring's end, and send it: at once, or with others to a crowd."""
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
        """Send what was gathered as one write."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        gathered, self.gathered = self.gathered, []
        if gathered:
            assert self.ring is not None  # which it was gathered from
            self.send(self.ring, b"".join(gathered), len(gathered))

    def send(self, ring: Ring, data: bytes, broadcasts: int) -> None:
        """Write to all who are current. Who cannot take it falls behind, at the place reached before."""
        place, self.sent = self.sent, ring.upto
        for subscriber in self.write(data):
            watcher = self.current.pop(subscriber)
            watcher.place = place
            self.fell(watcher)
        self.tally.deliveries += broadcasts * len(self.current)

    def write(self, data: bytes) -> list[Subscriber]:
        """Write the bytes to every current connection; return those that could not take them.

        This is the hot path: nothing is made, nothing awaited, and the checks of `Subscriber.clear` are
        repeated in it, since a call would cost as much as all of them.
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
            except (OSError, RuntimeError):  # the transport ended in this very turn of the loop
                stalled.append(subscriber)
        return stalled

    def word(self, text: bytes) -> None:
        """Write a word that is not in the log, unless it is our own that has come back."""
        if text in self.words:
            return
        self.words.append(text)
        self.write(websocket_bytes(text))
