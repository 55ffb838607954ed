"""The hub: keeps the watchers of one node and routes broadcasts to their rooms.

`server.fanout.room` writes to watchers that are current, `server.fanout.slow_watchers` serves those that are
behind, and `server.fanout.recovery` reads what is missing from the log. All are written to from the loop's
next iteration on, seats before that, once the receipt is there of who decided.

Deliberately absent: who may watch what, and answers to requests (`server.socket.visitor`); what broadcasts
mean.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import Final
from uuid import UUID

from websockets.asyncio.server import ServerConnection

from domain.kernel.audience import VIEWERS, Audience, Viewer
from server.fanout.broadcasts import (
    BackgroundTasks,
    Broadcast,
    Node,
    Source,
    Timing,
    Topic,
    changes_hands,
    end,
    is_of_links,
    links_changed,
    websocket_bytes,
)
from server.fanout.bus import Bus
from server.fanout.homes import Homes
from server.fanout.outbox import Counts
from server.fanout.presence import Changed, Presence
from server.fanout.recovery import AT_THE_HEAD, Recovery
from server.fanout.room import Room, Subscriber, Tally, Watcher
from server.fanout.slow_watchers import SlowWatchers
from server.nobody import nobody

SIDES: Final = (Audience.SIDE_0, Audience.SIDE_1)


class Hub:
    """All watchers of this node, in their rooms."""

    def __init__(
        self,
        source: Source,
        bus: Bus,
        timing: Timing | None = None,
        changed: Changed | None = None,
    ) -> None:
        self._bus = bus
        self._timing = timing or Timing()
        self._presence = Presence(bus, self._timing.presence, changed)
        self._subscribers: dict[ServerConnection, Subscriber] = {}
        self._rooms: dict[Topic, Room] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._background = BackgroundTasks()
        self.tally = Tally()
        self.homes = Homes()
        self.answer: Callable[[bytes], Awaitable[bytes]] = _no_answer
        """Answers what other nodes ask."""
        self._asking: Counter[UUID] = Counter()
        """How many questions about each match another node has not answered."""
        self.links_doubted: Callable[[UUID], None] = nobody
        """Called with a watched match of which links may have changed on another node; often, at worst."""
        self._recovery = Recovery(source, bus, self._rooms, self._timing, self.tally, self._background)
        self._recovery.filled = self._missed
        self._slow = SlowWatchers(
            self._recovery, self._timing, self.tally, self._background, self._forget, self._drop
        )

    # Gauges

    @property
    def connections(self) -> int:
        """Connections that watch at least one match."""
        return len(self._subscribers)

    @property
    def watchers(self) -> int:
        """Matches watched, counted once for each connection."""
        return sum(len(subscriber.watchers) for subscriber in self._subscribers.values())

    @property
    def behind(self) -> int:
        """Watchers that are behind."""
        return sum(len(subscriber.behind) for subscriber in self._subscribers.values())

    @property
    def topics(self) -> int:
        """Topics this node is subscribed to."""
        return len(self._rooms)

    @property
    def bus_up(self) -> bool:
        """Whether broadcasts are known to travel between nodes."""
        return self._bus.up

    @property
    def bus_counts(self) -> Counts:
        """What the bus has dropped and refused, and what waits to be sent to other nodes."""
        return self._bus.counts

    @property
    def connections_behind(self) -> int:
        """Connections that are behind in at least one match."""
        return sum(bool(subscriber.behind) for subscriber in self._subscribers.values())

    # Begin and end

    async def start(self) -> None:
        """Start the bus and the background tasks, without waiting for a connection."""
        await self._bus.start(self)
        self._tasks = [
            asyncio.create_task(self._recovery.look_after()),
            asyncio.create_task(self._presence.run()),
        ]

    async def stop(self) -> None:
        """Drop all watchers and end all tasks. The gateway closes the connections."""
        for connection in list(self._subscribers):
            self.leave_all(connection)
        await end([*self._tasks, *self._background.tasks])
        await self._bus.stop()

    # Watching

    async def watch(
        self,
        connection: ServerConnection,
        match: UUID,
        audience: Viewer,
        after: int,
        seat: int | None = None,
        *,
        head: int = 0,
        counted: bool = True,
    ) -> None:
        """Send the connection what it lacks and then every new broadcast.

        `after` is the last seq it has; 0 asks for the view at the head. `seat` is for presence only, by
        default the number of the audience's side; who is not `counted` is not present. `head` is the seq that
        the log is known to reach: no older view is sent. Returns when the connection is current, closed, or
        watches the match no more. A second call for a match replaces its watcher. Raises what the source
        raised; then nothing is watched.
        """
        topic = (match, audience)
        room = self._rooms.get(topic)
        if room is None:
            room = self._rooms[topic] = Room(topic, self.tally, self._slow.fell)
            self._bus.watch(topic)
        subscriber = self._subscribers.get(connection)
        if subscriber is None:
            subscriber = self._subscribers[connection] = Subscriber(connection)
        if match in subscriber.watchers:
            self._forget(subscriber.watchers[match], keep=room)
        if seat is None:
            seat = audience.side
        watcher = Watcher(subscriber, room, seat, after if after > 0 else AT_THE_HEAD, head, counted=counted)
        self._recovery.bring_up_to(room, head)
        room.watchers[subscriber] = subscriber.watchers[match] = watcher
        if counted:
            self._presence.enter(match, seat)
        self._slow.serve(watcher)
        await watcher.ready

    def leave(self, connection: ServerConnection, match: UUID) -> None:
        """End the connection's watcher of a match, if it has one."""
        subscriber = self._subscribers.get(connection)
        if subscriber is not None and match in subscriber.watchers:
            self._forget(subscriber.watchers[match])
            if not subscriber.watchers:
                self._hang_up(subscriber)

    def leave_all(self, connection: ServerConnection) -> None:
        """Forget the connection and its watchers. To be called when it has ended, for whatever reason."""
        subscriber = self._subscribers.get(connection)
        if subscriber is not None:
            for watcher in list(subscriber.watchers.values()):
                self._forget(watcher)
            self._hang_up(subscriber)

    def _hang_up(self, subscriber: Subscriber) -> None:
        del self._subscribers[subscriber.connection]
        if subscriber.task is not None:
            subscriber.task.cancel()

    def _drop(self, subscriber: Subscriber) -> None:
        """Forget a connection without watchers; called by its own task, which must not cancel itself."""
        self._subscribers.pop(subscriber.connection, None)

    def _forget(self, watcher: Watcher, keep: Room | None = None) -> None:
        subscriber, room = watcher.subscriber, watcher.room
        match = room.topic[0]
        del subscriber.watchers[match]
        subscriber.behind.pop(match, None)
        room.forget(subscriber)
        if watcher.counted:
            self._presence.leave(match, watcher.seat)
        watcher.settle()
        if not room.watchers and room is not keep:
            self._close(room)

    def _close(self, room: Room) -> None:
        del self._rooms[room.topic]
        if not any((room.topic[0], audience) in self._rooms for audience in VIEWERS):
            self.homes.left(room.topic[0])
        self._bus.unwatch(room.topic)
        room.close()

    def seated(self, match: UUID) -> bool:
        """Return whether anybody watches a match from one of its sides, here."""
        return any((match, side) in self._rooms for side in SIDES)

    def presence(self, match: UUID) -> tuple[int, int | None]:
        """Return the seats present, a bit each (1 << seat), and the number of onlookers, None if unknown."""
        return self._presence.of(match)

    async def seats_at(self, matches: Collection[UUID]) -> dict[UUID, int] | None:
        """Return the seats present at matches on any node, a bit each; None while other nodes are unknown."""
        elsewhere = await self._bus.elsewhere(matches)
        if elsewhere is None:
            return None
        return {match: self._presence.here(match).seats | elsewhere[match].seats for match in matches}

    # Broadcasts arrive

    def deliver(self, broadcasts: Iterable[Broadcast]) -> None:
        """Deliver the broadcasts of a command that this node stored: here, and elsewhere by the bus."""
        ordered = sorted(broadcasts, key=_seats_first)
        for broadcast in ordered:
            self.arrived(broadcast)
        self._bus.publish(ordered)

    def arrived(self, broadcast: Broadcast, node: Node | None = None) -> None:
        """Take a broadcast of this or another node: send it, ignore an old one, or fill the gap before it."""
        room = self._rooms.get((broadcast.match, broadcast.audience))
        if room is None:
            return
        if (
            broadcast.upto and not broadcast.text
        ):  # a range that was owed may have been joined with one of links
            self.links_doubted(broadcast.match)
        if is_of_links(broadcast):
            return
        if not broadcast.upto:
            room.say_once(broadcast.text)
            return
        self.homes.moved(broadcast.match, broadcast.upto, node)
        ring = room.ring
        if ring is not None and broadcast.upto <= ring.upto:
            return
        if ring is not None and broadcast.after == ring.upto and broadcast.text:
            room.append(ring, broadcast, held=node is not None and broadcast.match in self._asking)
            if changes_hands(broadcast):
                self.links_doubted(broadcast.match)
        else:
            self._recovery.bring_up_to(room, broadcast.upto)

    def _missed(self, match: UUID) -> None:
        """Have links looked at, since a room had to be brought up to date from the log."""
        self.links_doubted(match)

    # Questions between nodes

    async def ask(self, node: Node, question: bytes, match: UUID) -> bytes:
        """Return another node's answer to a question about a match. Raises NoAnswer.

        What comes of it is told before it is answered, and waits here for the answer, as rooms let it.
        """
        self._asking[match] += 1
        try:
            return await self._bus.ask(node, question)
        finally:
            self._asking[match] -= 1
            if not self._asking[match]:
                del self._asking[match]

    async def asked(self, question: bytes) -> bytes:
        """Answer what another node asks."""
        return await self.answer(question)

    # Messages that are not from the log, and the log itself

    def receipt(self, connection: ServerConnection, match: UUID, text: bytes) -> bool:
        """Write at once what is on its way to the seats of a match: last to a connection, with its receipt.

        Return whether the receipt was written, which it is not where the connection is told nothing else.
        """
        subscriber = self._subscribers.get(connection)
        watcher = None if subscriber is None else subscriber.watchers.get(match)
        for side in SIDES:
            room = self._rooms.get((match, side))
            if room is not None and (watcher is None or room is not watcher.room):
                room.flush()
        told = watcher is not None and watcher.room.flush(watcher.subscriber, websocket_bytes(text))
        onlookers = self._rooms.get((match, Audience.ONLOOKERS))
        if onlookers is not None:
            onlookers.hold_no_more()
        return told

    def flush(self) -> None:
        """Write at once all that is on its way to anybody."""
        for room in self._rooms.values():
            room.flush()

    def send_here(self, match: UUID, text: bytes) -> None:
        """Send a message that is not from the log, such as presence, to this node's current watchers."""
        for audience in VIEWERS:
            room = self._rooms.get((match, audience))
            if room is not None:
                room.say(text)

    def send_everywhere(self, match: UUID, text: bytes, audiences: Iterable[Viewer]) -> None:
        """Send a message that is not from the log to current watchers on all nodes; texts must be unique."""
        broadcasts = [Broadcast(match, audience, 0, 0, text) for audience in audiences]
        for broadcast in broadcasts:
            self.arrived(broadcast)
        self._bus.publish(broadcasts)

    def links_changed(self, match: UUID) -> None:
        """Tell other nodes that watch a match that links to it have changed, or may have."""
        self._bus.publish(links_changed(match))

    def log_reaches(self, match: UUID, upto: int) -> None:
        """Learn that the log of a match reaches seq `upto`; what its rooms lack is read from the log."""
        self._recovery.log_reaches(match, upto)

    def compare_with_log(self, topics: Iterable[Topic]) -> None:
        """Have these matches compared with the log as soon as possible, and their links looked at."""
        topics = list(topics)
        self._recovery.compare_with_log(topics)
        for match, _ in topics:
            self.links_doubted(match)


async def _no_answer(_: bytes) -> bytes:
    return b""


def _seats_first(broadcast: Broadcast) -> bool:
    return broadcast.audience is Audience.ONLOOKERS
