"""The room: the watchers of a match and audience, and the broadcasts written to those that are current.

Laws of this module:
- A watcher is current or behind. A current one has been sent all that the room has sent; a broadcast costs
  one write to it.
- Nothing is queued for a connection. While 64 KiB or more are unsent, nothing is written to it.
- All are written to in rounds. A round begins in the loop's next iteration, and gives way to others after
  each SLICE. Seats are written to before that, once the receipt is there of who decided, which he has in one
  write with what he is told, after the other seats and before the crowd. Where another node has carried his
  command out, its broadcasts come before its answer: they are held back for it, for HELD_BACK at most.
- What comes for onlookers during a round, or in as much time again as it took, goes out together in the next,
  or in as many as it takes: one writes GATHERED bytes at most. So a small room gathers next to nothing, a
  crowd what came meanwhile, and none takes more than half of the loop, unless it gathers HELD bytes, which
  bound what it holds and are written at once. Seats wait for no such rest.

Writing encoded bytes to the transport past `websockets` is safe because that library passes each websocket
frame to the transport whole, within one iteration of the event loop, so that none is ever half written. The
connection must be open, and no message of several websocket frames under way; both are checked at every
write.

Deliberately absent: the log, and what happens to a watcher that could not be written to.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final
from uuid import UUID

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from domain.kernel.audience import Audience, Viewer
from server.durations import Durations
from server.fanout.broadcasts import Broadcast, Topic, websocket_bytes
from server.fanout.ring import Piece, Ring

UNSENT: Final = 64 << 10
"""Bytes unsent in a connection's transport from which on nothing more is written to it."""

SLICE: Final = 256
"""Onlookers who are written to before others have their turn, which takes 3 to 4 ms."""

GATHERED: Final = UNSENT
"""Bytes that a round writes to each at most, unless a single message has more."""

HELD: Final = 16 * GATHERED
"""Gathered bytes from which on they are written at once, to everybody."""

HELD_BACK: Final = 0.001
"""Seconds for which broadcasts wait for the receipt that is on its way to one of the seats."""

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
        self.to_seats, self.to_onlookers = Durations(), Durations()
        """From when a room has a broadcast until it is written to the last who is current."""

    def to(self, viewer: Viewer) -> Durations:
        """Return the durations of what was written to seats, or to onlookers."""
        return self.to_onlookers if viewer is Audience.ONLOOKERS else self.to_seats


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


class Round:
    """Bytes on their way to all who were current when it began."""

    __slots__ = ("begun", "data", "frames", "had", "left", "place", "unsent", "written")

    def __init__(
        self, pieces: Sequence[bytes], frames: int, place: int, had: float, left: dict[Subscriber, Watcher]
    ) -> None:
        self.data = b"".join(pieces)
        # Bytes unsent from which on a connection is not written to. Several pieces count beforehand, so that
        # no more is ever unsent than after a single one.
        self.unsent = UNSENT if len(pieces) == 1 else max(1, UNSENT - len(self.data))
        self.frames = frames  # how many broadcasts from the log it has
        self.place = place  # the seq that all had been sent before it
        self.had = had  # when its first broadcast came; 0 if none did
        self.left = left  # who has not been written to
        self.written = False  # whether anybody has
        self.begun = time.monotonic()


class Room:
    """A topic with watchers: its ring, those that are current, and the round in which they are written to."""

    __slots__ = (
        "announced",
        "asking",
        "current",
        "fell",
        "free",
        "gathered",
        "had",
        "held_until",
        "level",
        "recovering",
        "ring",
        "round",
        "sent",
        "size",
        "tally",
        "topic",
        "turn",
        "view",
        "watchers",
        "written_once",
    )

    def __init__(self, topic: Topic, tally: Tally, fell: Callable[[Watcher], None]) -> None:
        """Take a callback for each watcher that falls behind."""
        self.topic, self.tally, self.fell = topic, tally, fell
        self.ring: Ring | None = None  # None until the head was read from the log
        self.sent = 0  # up to which seq rounds have begun; below the ring's end while frames are gathered
        self.level = asyncio.Event()  # unset while that is so
        self.announced = 0  # the highest seq announced
        self.watchers: dict[Subscriber, Watcher] = {}
        self.current: dict[Subscriber, Watcher] = {}
        self.gathered: deque[tuple[bytes, int]] = (
            deque()
        )  # with the seq up to which it goes, 0 if not from the log
        self.size = 0  # of what is gathered, in bytes
        self.round: Round | None = None
        self.turn: asyncio.Handle | None = None  # of the next slice, or the next round
        self.free = 0.0  # when the last round will have rested
        self.held_until = 0.0  # before which the next round does not begin
        self.had = 0.0  # when the first broadcast came that is gathered; 0 while none is
        self.recovering: asyncio.Task[None] | None = None
        self.asking: dict[int, asyncio.Task[Piece]] = {}
        self.view: Piece | None = None
        self.written_once: deque[bytes] = deque(maxlen=WORDS)

    def close(self) -> None:
        """Cancel timers and tasks, since the room has no watchers."""
        if self.turn is not None:
            self.turn.cancel()
        self.level.set()
        for task in (self.recovering, *self.asking.values()):
            if task is not None:
                task.cancel()

    def forget(self, subscriber: Subscriber) -> None:
        """Remove a connection, to which nothing more is written."""
        self.watchers.pop(subscriber)
        self.current.pop(subscriber, None)
        if self.round is not None:
            self.round.left.pop(subscriber, None)

    # what is to be sent

    def append(self, ring: Ring, broadcast: Broadcast, *, held: bool = False) -> None:
        """Append a broadcast to the ring and send it; if `held`, in HELD_BACK seconds or when told to."""
        data = websocket_bytes(broadcast.text)
        ring.append(Piece(broadcast.after, broadcast.upto, data))
        now = time.monotonic()
        self.had = self.had or now
        if held:
            self.held_until = now + HELD_BACK
        self._add(data, broadcast.upto)

    def restart(self, ring: Ring, view: Piece) -> None:
        """Begin the ring anew at a view, and send that."""
        ring.restart(view.upto)
        self.tally.views += len(self.current)
        self._add(view.data, view.upto)

    def say(self, text: bytes) -> None:
        """Send a message that is not from the log."""
        if self.current:
            self._add(websocket_bytes(text), 0)

    def say_once(self, text: bytes) -> None:
        """Send a message that is not from the log, unless it was sent here before."""
        if text not in self.written_once:
            self.written_once.append(text)
            self.say(text)

    def _add(self, data: bytes, upto: int) -> None:
        self.gathered.append((data, upto))
        self.size += len(data)
        if upto:
            self.level.clear()
        if self.turn is None:
            self._plan()
        elif self.size >= HELD:
            self.flush()

    def flush(self, subscriber: Subscriber | None = None, message: bytes = b"") -> bool:
        """Write at once what is left of a round, and all that is gathered.

        Whoever is given is written the last of it and a message of his own, encoded, in one; return whether
        he was, which he is not where nothing is gathered or where he is behind.
        """
        self.held_until = 0.0
        self._finish()
        told = False
        while self.gathered:
            self._open()
            if subscriber is not None and not self.gathered:
                told = self._write_with(subscriber, message)
            self._finish()
        return told

    # rounds

    def _plan(self) -> None:
        """Have the next round begin in the loop's next iteration, or when the last has rested."""
        loop, until = asyncio.get_running_loop(), self.held_until
        if self.topic[1] is Audience.ONLOOKERS:
            until = max(until, self.free)
        wait = until - time.monotonic() if until else 0.0
        self.turn = loop.call_later(wait, self._begin) if wait > 0 else loop.call_soon(self._begin)

    def hold_no_more(self) -> None:
        """Let the next round begin as if nothing had been held back."""
        if self.held_until:
            self.held_until = 0.0
            if self.turn is not None and self.round is None:
                self.turn.cancel()
                self._plan()

    def _begin(self) -> None:
        self._open()
        self._go_on()

    def _go_on(self) -> None:
        """Write to the next onlookers, and then let others have their turn."""
        self.turn = None
        self._write_some()
        if self.round is not None:
            self.turn = asyncio.get_running_loop().call_soon(self._go_on)
        elif self.gathered:
            self._plan()

    def _open(self) -> None:
        """Begin a round of what is gathered, or the first GATHERED bytes, to all who are current now."""
        pieces: list[bytes] = []
        before, size, frames = self.sent, 0, 0
        while self.gathered and (not pieces or size + len(self.gathered[0][0]) <= GATHERED):
            data, upto = self.gathered.popleft()
            pieces.append(data)
            size += len(data)
            if upto:
                frames += 1
                self.sent = upto
        self.size -= size
        self.round = Round(pieces, frames, before, self.had, self.current.copy())
        if self.ring is None or self.sent == self.ring.upto:
            self.had = 0.0
            self.level.set()

    def _finish(self) -> None:
        """Write at once what is left of a round."""
        if self.turn is not None:
            self.turn.cancel()
            self.turn = None
        while self.round is not None:
            self._write_some()

    def _write_with(self, subscriber: Subscriber, message: bytes) -> bool:
        """Write a round just begun, and a message, to one; whether that could be done."""
        round_ = self.round
        assert round_ is not None
        if subscriber not in round_.left or not subscriber.clear() or subscriber.unsent() >= round_.unsent:
            return False
        try:
            subscriber.write(round_.data + message)
        except (OSError, RuntimeError):  # the transport ended in this iteration of the loop
            return False
        del round_.left[subscriber]
        round_.written = True
        self.tally.deliveries += round_.frames
        return True

    def _write_some(self) -> None:
        """Write to the next SLICE of a round; one that cannot take it falls behind, at its place before."""
        round_ = self.round
        assert round_ is not None
        some = round_.left
        if len(some) > SLICE:
            some = dict(round_.left.popitem() for _ in range(SLICE))
        else:
            self.round = None
        stalled = _write(round_.data, some, round_.unsent)
        if round_.frames:
            for subscriber in stalled:
                watcher = self.current.pop(subscriber)
                watcher.place = round_.place
                self.fell(watcher)
            self.tally.deliveries += round_.frames * (len(some) - len(stalled))
        round_.written = round_.written or len(some) > len(stalled)
        if self.round is None:
            now = time.monotonic()
            self.free = now + (now - round_.begun)
            if round_.had and round_.written:
                self.tally.to(self.topic[1]).add(now - round_.had)


def _write(data: bytes, subscribers: Iterable[Subscriber], unsent: int) -> list[Subscriber]:
    """Write the bytes to every connection with fewer than `unsent` bytes unsent; return the others.

    This is the hot path: it allocates and awaits nothing, and inlines the checks of `Subscriber.clear`, since
    the call would cost as much as the checks.
    """
    stalled = []
    for subscriber in subscribers:
        try:
            if (
                subscriber.protocol.state is OPEN
                and subscriber.connection.send_in_progress is None
                and subscriber.unsent() < unsent
            ):
                subscriber.write(data)
            else:
                stalled.append(subscriber)
        except (OSError, RuntimeError):  # the transport ended in this iteration of the loop
            stalled.append(subscriber)
    return stalled
