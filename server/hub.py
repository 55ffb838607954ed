"""Frames from the ring to the connections of one node.

Laws of this module:
- A watcher is current or behind. Current: all that the room sent, it was sent; it costs one write a frame.
  Behind: it has a place, a seq, and one task a connection that serves it from the ring as its socket drains.
- A watcher's ranges join: each begins where the last one ended, or is the view at the head.
- Nothing is queued for a connection. Beyond 64 KiB unsent nothing is written to it, whoever it is.
- Whatever is in doubt is settled by the log, once for all that ask.
- Seats are served before onlookers.

Writing ready bytes beside `websockets` is safe because that library hands whole frames to the transport in
the same turn of the loop in which it makes them: between turns no frame is half written. What remains is that
the connection be open and that no message of several frames be under way; both are checked at every write.

Deliberately absent: who may watch what, prompts and answers (the gateway's), and what frames mean.
"""

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final
from uuid import UUID

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from server.bus import Bus
from server.fanout import ONLOOKERS, Frame, Pace, Source, TooFar, Topic, end, websocket_bytes
from server.presence import Changed, Presence
from server.ring import Piece, Ring

log = structlog.get_logger(__name__)

UNSENT: Final = 64 << 10
"""Bytes waiting in a connection's transport above which nothing more is written to it."""

CROWDED: Final = 500
"""Onlookers above which a match's frames are gathered."""

GATHERED: Final = UNSENT
"""Bytes gathered that are not kept waiting."""

TOO_SLOW: Final = 4008
"""The close code of a connection that stayed behind."""

INTERNAL_ERROR: Final = 1011
"""The close code of a connection that a fault of ours has left without its frames."""

AT_THE_HEAD: Final = -1
"""The place of one who is to be given the view."""

UNKNOWN_TO_THE_LOG: Final = 3
"""Looks at the log after which a seq it does not show is taken for a mistake."""

WORDS: Final = 64
"""Words of a room that are remembered, to know one's own again when they come back over the bus."""

OPEN: Final = State.OPEN


class Line:
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

    __slots__ = ("line", "new", "place", "ready", "room", "seat", "viewed")

    def __init__(self, line: Line, room: "Room", seat: int | None, place: int) -> None:
        self.line = line
        self.room = room
        self.seat = seat
        self.place = place  # means something only while behind
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
        "gathered",
        "heard",
        "mending",
        "ring",
        "sent",
        "timer",
        "topic",
        "view",
        "watchers",
        "words",
    )

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.ring: Ring | None = None  # none until the log has said where the match stands
        self.sent = 0  # what the current have been sent; less than the ring's end only while gathering
        self.heard = 0  # the highest seq there is reason to believe in
        self.watchers: dict[Line, Watcher] = {}
        self.current: dict[Line, Watcher] = {}
        self.gathered: list[bytes] = []
        self.timer: asyncio.TimerHandle | None = None
        self.mending: asyncio.Task[None] | None = None
        self.asking: dict[int, asyncio.Task[Piece]] = {}
        self.view: Piece | None = None
        self.words: deque[bytes] = deque(maxlen=WORDS)


class Hub:
    """All watchers of this node."""

    def __init__(
        self,
        source: Source,
        bus: Bus,
        pace: Pace | None = None,
        changed: Changed | None = None,
    ) -> None:
        self._source = source
        self._bus = bus
        self._pace = pace or Pace()
        self._presence = Presence(bus, self._pace.presence, changed)
        self._lines: dict[ServerConnection, Line] = {}
        self._rooms: dict[Topic, Room] = {}
        self._doubted: set[UUID] = set()
        self._alarm = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._errands: set[asyncio.Task[None]] = set()
        self._clock = asyncio.get_running_loop().time
        self.deliveries = 0
        """Frames written to connections."""
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

    # Gauges

    @property
    def connections(self) -> int:
        """Connections that watch anything."""
        return len(self._lines)

    @property
    def watchers(self) -> int:
        """Matches watched, counted once for each connection."""
        return sum(len(line.watchers) for line in self._lines.values())

    @property
    def behind(self) -> int:
        """Of these, how many are behind."""
        return sum(len(line.behind) for line in self._lines.values())

    @property
    def topics(self) -> int:
        """Topics this node is subscribed to."""
        return len(self._rooms)

    @property
    def bus_up(self) -> bool:
        """Whether frames are known to travel between nodes."""
        return self._bus.up

    @property
    def bus_dropped(self) -> int:
        """Frames of which the other nodes were told the range only."""
        return self._bus.dropped

    # Begin and end

    async def start(self) -> None:
        """Begin to listen; waits for nothing."""
        await self._bus.start(self)
        self._tasks = [asyncio.create_task(self._look_after()), asyncio.create_task(self._presence.run())]

    async def stop(self) -> None:
        """End every task. The connections are the gateway's to close."""
        for connection in list(self._lines):
            self.leave_all(connection)
        await end([*self._tasks, *self._errands])
        await self._bus.stop()

    def _errand(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
        return task

    # Watching

    async def watch(
        self,
        connection: ServerConnection,
        match: UUID,
        audience: int,
        after: int,
        seat: int | None = None,
    ) -> None:
        """Send the connection what it lacks and then all that comes.

        `after` is the last seq it has; 0 asks for the view at the head. `seat` is for presence only and is
        the audience's own number unless told. Returns when the connection is current, gone, or has left
        again. A second call for a match begins anew. Raises what the source raised; then nothing is watched.
        """
        topic = (match, audience)
        room = self._rooms.get(topic)
        if room is None:
            room = self._rooms[topic] = Room(topic)
            self._bus.watch(topic)
        line = self._lines.get(connection)
        if line is None:
            line = self._lines[connection] = Line(connection)
        if match in line.watchers:
            self._forget(line.watchers[match], keep=room)
        if seat is None and audience != ONLOOKERS:
            seat = audience
        watcher = Watcher(line, room, seat, after if after > 0 else AT_THE_HEAD)
        room.watchers[line] = line.watchers[match] = watcher
        self._presence.enter(match, seat)
        self._serve(watcher)
        await watcher.ready

    def leave(self, connection: ServerConnection, match: UUID) -> None:
        """Watch the match no longer."""
        line = self._lines.get(connection)
        if line is not None and match in line.watchers:
            self._forget(line.watchers[match])
            if not line.watchers:
                self._hang_up(line)

    def leave_all(self, connection: ServerConnection) -> None:
        """Forget the connection. To be called when it has ended, however it did."""
        line = self._lines.get(connection)
        if line is not None:
            for watcher in list(line.watchers.values()):
                self._forget(watcher)
            self._hang_up(line)

    def _hang_up(self, line: Line) -> None:
        del self._lines[line.connection]
        if line.task is not None:
            line.task.cancel()

    def _forget(self, watcher: Watcher, keep: Room | None = None) -> None:
        line, room = watcher.line, watcher.room
        match = room.topic[0]
        del line.watchers[match]
        line.behind.pop(match, None)
        room.watchers.pop(line)
        room.current.pop(line, None)
        self._presence.leave(match, watcher.seat)
        watcher.settle()
        if not room.watchers and room is not keep:
            self._close(room)

    def _close(self, room: Room) -> None:
        del self._rooms[room.topic]
        self._bus.unwatch(room.topic)
        if room.timer is not None:
            room.timer.cancel()
        for task in (room.mending, *room.asking.values()):
            if task is not None:
                task.cancel()

    def presence(self, match: UUID) -> tuple[int, int | None]:
        """Seats present, a bit each (1 << seat), and the number of onlookers, None while it is unknown."""
        return self._presence.of(match)

    # Frames arrive

    def deliver(self, frames: Iterable[Frame]) -> None:
        """Hand on what a decision of this node has just put on disk: here at once, elsewhere by the bus."""
        ordered = sorted(frames, key=_seats_first)
        for frame in ordered:
            self.arrived(frame)
        self._bus.publish(ordered)

    def arrived(self, frame: Frame) -> None:
        """Take a frame from wherever it came: it fits, is old, or shows that something is missing."""
        room = self._rooms.get((frame.match, frame.audience))
        if room is None:
            return
        if not frame.upto:
            self._word(room, frame.text)
            return
        ring = room.ring
        if ring is not None and frame.upto <= ring.upto:
            return
        if ring is not None and frame.after == ring.upto and frame.text:
            self._append(room, ring, frame)
        else:
            self._hear(room, frame.upto)

    def flush(self, match: UUID) -> None:
        """Send at once what is gathered for a match's onlookers."""
        room = self._rooms.get((match, ONLOOKERS))
        if room is not None:
            self._flush(room)

    def tell(self, match: UUID, text: bytes, audiences: Iterable[int] = (0, 1, ONLOOKERS)) -> None:
        """Send what is true of this moment (presence) to those of this node who are current."""
        data = websocket_bytes(text)
        for audience in audiences:
            room = self._rooms.get((match, audience))
            if room is not None:
                self._write(room, data)

    def say(self, match: UUID, text: bytes, audiences: Iterable[int]) -> None:
        """Send a word that is not in the log to those who are current, on all nodes; no two have one text."""
        words = [Frame(match, audience, 0, 0, text) for audience in audiences]
        for word in words:
            self.arrived(word)
        self._bus.publish(words)

    def _word(self, room: Room, text: bytes) -> None:
        """Write a word, unless it is our own that has come back."""
        if text in room.words:
            return
        room.words.append(text)
        self._write(room, websocket_bytes(text))

    def _append(self, room: Room, ring: Ring, frame: Frame) -> None:
        data = websocket_bytes(frame.text)
        ring.append(Piece(frame.after, frame.upto, data))
        if room.topic[1] != ONLOOKERS or (len(room.current) <= CROWDED and not room.gathered):
            self._send(room, data, 1)
            return
        room.gathered.append(data)
        if sum(map(len, room.gathered)) >= GATHERED:
            self._flush(room)
        elif room.timer is None:
            room.timer = asyncio.get_running_loop().call_later(self._pace.gather, self._flush, room)

    def _flush(self, room: Room) -> None:
        """Send what was gathered as one write."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        gathered, room.gathered = room.gathered, []
        if gathered:
            self._send(room, b"".join(gathered), len(gathered))

    def _send(self, room: Room, data: bytes, frames: int) -> None:
        """Write to all who are current. Who cannot take it falls behind, at the place reached before."""
        assert room.ring is not None
        place, room.sent = room.sent, room.ring.upto
        stalled = self._write(room, data)
        for line in stalled:
            watcher = room.current.pop(line)
            watcher.place = place
            self.fallen += 1
            line.late = self._clock() if line.late is None else line.late
            self._serve(watcher)
        self.deliveries += frames * len(room.current)

    @staticmethod
    def _write(room: Room, data: bytes) -> list[Line]:
        """Write the bytes to every current connection; return those that could not take them.

        This is the hot path: nothing is made, nothing awaited, and the checks of `Line.clear` stand in it as
        they are, since a call would cost as much as all of them.
        """
        stalled = []
        for line in room.current:
            try:
                if (
                    line.protocol.state is OPEN
                    and line.connection.send_in_progress is None
                    and line.unsent() < UNSENT
                ):
                    line.write(data)
                else:
                    stalled.append(line)
            except (OSError, RuntimeError):  # the transport ended in this very turn of the loop
                stalled.append(line)
        return stalled

    # Behind

    def _serve(self, watcher: Watcher) -> None:
        line = watcher.line
        line.behind[watcher.room.topic[0]] = watcher
        if line.task is None:
            line.task = self._errand(asyncio.create_task(self._catch_up(line)))

    async def _catch_up(self, line: Line) -> None:
        """Serve what is behind on a connection, a frame at a time, until all is current."""
        try:
            while line.behind and line.protocol.state is OPEN:
                if self._overdue(line):
                    self._dismiss(line)
                elif line.clear():
                    await self._advance(next(iter(line.behind.values())))
                else:
                    await self._drained(line)
        except (OSError, RuntimeError) as fault:
            log.info("hub.transport_ended", fault=repr(fault))
        except Exception:
            log.exception("hub.fault", matches=[str(match) for match in line.watchers])
            self._close_line(line, INTERNAL_ERROR, "internal error")
        finally:
            line.task = None
            line.late = None
            for watcher in list(line.behind.values()):  # the connection ended first
                self._forget(watcher)

    def _overdue(self, line: Line) -> bool:
        return line.late is not None and self._clock() - line.late >= self._pace.patience

    async def _drained(self, line: Line) -> None:
        """Wait until the socket may take more, or the connection's time is up."""
        if line.late is None:
            line.late = self._clock()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(line.late + self._pace.patience):
                await line.connection.drain()  # until its buffer is low, if it was high
                if not line.clear():  # its own limit is higher, or a message is under way
                    await asyncio.sleep(self._pace.again)

    async def _advance(self, watcher: Watcher) -> None:
        """Take one step: join the current, write the next piece, or ask the log."""
        room, ring = watcher.room, watcher.room.ring
        if ring is None:
            await self._ask_for(watcher)
            return
        if watcher.place > room.sent:
            self._flush(room)
        if watcher.place == room.sent:
            self._join(watcher)
            return
        piece = ring.following(watcher.place)
        if piece is not None:
            self._hand(watcher, piece)
        elif watcher.place > ring.upto and room.mending is not None:
            await asyncio.wait([room.mending])
        elif not watcher.new and AT_THE_HEAD < watcher.place < ring.oldest:
            await self._fallen_off(watcher)
        else:
            await self._ask_for(watcher)

    def _join(self, watcher: Watcher) -> None:
        line = watcher.line
        del line.behind[watcher.room.topic[0]]
        watcher.room.current[line] = watcher
        watcher.new = watcher.viewed = False
        watcher.settle()

    def _hand(self, watcher: Watcher, piece: Piece) -> None:
        watcher.line.write(piece.data)
        self.deliveries += 1
        if watcher.place == AT_THE_HEAD:
            self.views += 1
            watcher.viewed = True
        watcher.place = piece.upto
        watcher.new = False

    async def _fallen_off(self, watcher: Watcher) -> None:
        """Give the view once; whoever falls off again before being current waits for the end.

        One whose socket always took everything is not to blame: the ring began anew under it.
        """
        if not watcher.viewed or watcher.line.late is None:
            watcher.place = AT_THE_HEAD
            return
        behind = watcher.line.behind
        behind[watcher.room.topic[0]] = behind.pop(watcher.room.topic[0])  # others of this line go first
        await asyncio.sleep(self._pace.again)

    async def _ask_for(self, watcher: Watcher) -> None:
        """Serve from the log what the ring does not have."""
        room, place, line = watcher.room, watcher.place, watcher.line
        try:
            piece = await self._ask(room, place)
        except TooFar:
            watcher.place = AT_THE_HEAD
            return
        except Exception as fault:
            await self._unanswered(watcher, fault)
            return
        if line.behind.get(room.topic[0]) is not watcher:
            return
        if piece.upto < place:  # the client says it has more than there is
            watcher.place = AT_THE_HEAD
            return
        if room.ring is None:
            room.ring = Ring(piece.upto)
            room.sent = piece.upto
        self._hear(room, piece.upto)
        if piece.upto > place and line.clear():
            self._hand(watcher, piece)

    async def _unanswered(self, watcher: Watcher, fault: Exception) -> None:
        """Report the log's failure to a new watcher; wait with any other, and not at the cost of its time."""
        line = watcher.line
        if watcher.new:
            if watcher.room.topic[0] in line.watchers:
                watcher.settle(fault)
                self._forget(watcher)
            if not line.watchers:
                self._lines.pop(line.connection, None)
            return
        log.warning("hub.log_unreachable", fault=repr(fault))
        await asyncio.sleep(self._pace.poll)
        if line.late is not None:
            line.late += self._pace.poll

    async def _ask(self, room: Room, place: int) -> Piece:
        """Read the log from a place, or the view; whoever asks the same meanwhile shares the answer."""
        if place == AT_THE_HEAD and room.view is not None and room.ring is not None:
            if room.view.upto == room.ring.upto:
                return room.view
            room.view = None
        task = room.asking.get(place)
        if task is None:
            task = room.asking[place] = asyncio.create_task(self._read(room, place))
            task.add_done_callback(lambda task: _answered(room, place, task))
        return await asyncio.shield(task)

    async def _read(self, room: Room, place: int) -> Piece:
        match, audience = room.topic
        if place != AT_THE_HEAD:
            return _piece(await self._source.since(match, audience, place))
        room.view = _piece(await self._source.view(match, audience))
        return room.view

    def _dismiss(self, line: Line) -> None:
        """Close a connection that stayed behind."""
        self.closed_slow += 1
        self._close_line(line, TOO_SLOW, "too slow")

    def _close_line(self, line: Line, code: int, reason: str) -> None:
        """Close a connection without waiting for it."""
        for watcher in list(line.watchers.values()):
            self._forget(watcher)
        self._errand(asyncio.create_task(self._say_farewell(line.connection, code, reason)))

    async def _say_farewell(self, connection: ServerConnection, code: int, reason: str) -> None:
        # close() waits for room in the transport, which may never come.
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(self._pace.farewell):
                await connection.close(code, reason)
        if connection.protocol.state is not State.CLOSED:
            connection.transport.abort()

    # In doubt

    def doubt(self, topics: Iterable[Topic]) -> None:
        """Compare these matches with the log as soon as may be."""
        self._doubted.update(match for match, _ in topics)
        self._alarm.set()

    async def _look_after(self) -> None:
        """Compare what is doubted at once; all every 15 seconds, and twice a second while the bus is away."""
        due = self._clock() + self._pace.compare
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pace.poll):
                    await self._alarm.wait()
            self._alarm.clear()
            if self._clock() >= due or not self._bus.up:
                self._doubted.update(match for match, _ in self._rooms)
                due = self._clock() + self._pace.compare * random.uniform(2 / 3, 4 / 3)  # noqa: S311 - nodes apart
            if self._doubted and not await self._compare():
                await asyncio.sleep(self._pace.poll)

    async def _compare(self) -> bool:
        """Ask the log for the heads of the matches in doubt, in one query; False when it does not answer."""
        matches, self._doubted = self._doubted, set()
        self.comparisons += 1
        try:
            heads = await self._source.heads(matches)
        except Exception as fault:
            log.warning("hub.log_unreachable", fault=repr(fault))
            self._doubted |= matches
            self._alarm.set()
            return False
        for match, head in heads.items():
            for audience in (0, 1, ONLOOKERS):
                room = self._rooms.get((match, audience))
                if room is not None:
                    self._hear(room, head)
        return True

    def _hear(self, room: Room, upto: int) -> None:
        """Learn that the log reaches so far, and fetch what is missing unless that is under way."""
        room.heard = max(room.heard, upto)
        if room.ring is not None and room.heard > room.ring.upto and room.mending is None:
            room.mending = self._errand(asyncio.create_task(self._mend(room, room.ring)))

    async def _mend(self, room: Room, ring: Ring) -> None:
        """Bring the ring to what has been heard of. One at a time for a room, whoever asked for it."""
        misses = 0
        try:
            while room.heard > ring.upto:
                before = ring.upto
                if not await self._mend_once(room, ring):
                    await asyncio.sleep(self._pace.poll)
                elif ring.upto == before:
                    misses += 1
                    if misses == UNKNOWN_TO_THE_LOG:
                        log.warning("hub.not_in_the_log", match=str(room.topic[0]), seq=room.heard)
                        room.heard = ring.upto
                    await asyncio.sleep(self._pace.again)
        finally:
            room.mending = None

    async def _mend_once(self, room: Room, ring: Ring) -> bool:
        """Read the log from the ring's end; False when it does not answer."""
        self.resyncs += 1
        match, audience = room.topic
        try:
            frame = await self._source.since(match, audience, ring.upto)
        except TooFar:
            return await self._start_anew(room, ring)
        except Exception as fault:
            log.warning("hub.log_unreachable", fault=repr(fault))
            return False
        if frame.after == ring.upto < frame.upto:  # else frames came meanwhile, and more may be missing
            self._append(room, ring, frame)
        return True

    async def _start_anew(self, room: Room, ring: Ring) -> bool:
        """Give everybody in the room the view: more was missed than is worth sending."""
        match, audience = room.topic
        try:
            view = _piece(await self._source.view(match, audience))
        except Exception as fault:
            log.warning("hub.log_unreachable", fault=repr(fault))
            return False
        if view.upto > ring.upto:
            room.gathered.clear()
            self._flush(room)
            ring.restart(view.upto)
            self.views += len(room.current)
            self._send(room, view.data, 1)
        return True


def _seats_first(frame: Frame) -> bool:
    return frame.audience == ONLOOKERS


def _piece(frame: Frame) -> Piece:
    return Piece(frame.after, frame.upto, websocket_bytes(frame.text))


def _answered(room: Room, place: int, task: asyncio.Task[Piece]) -> None:
    room.asking.pop(place, None)
    if not task.cancelled():
        task.exception()  # seen, also when all who asked have left
