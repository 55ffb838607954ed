"""Broadcasts from the ring to the connections of one node: who watches what, and what arrives for them.

`server.fanout.room` writes to those who are current, `server.fanout.slow_watchers` serves those who are
behind, and `server.fanout.recovery` asks the log for what is missing. Seats are served before onlookers.

Deliberately absent: who may watch what, prompts and answers (the gateway's), and what broadcasts mean.
"""

import asyncio
from collections.abc import Iterable
from uuid import UUID

from websockets.asyncio.server import ServerConnection

from domain.kernel.audience import VIEWERS, Audience, Viewer
from server.fanout.broadcasts import BackgroundTasks, Broadcast, Pace, Source, Topic, end, websocket_bytes
from server.fanout.bus import Bus
from server.fanout.presence import Changed, Presence
from server.fanout.recovery import AT_THE_HEAD, Recovery
from server.fanout.room import Room, Subscriber, Tally, Watcher
from server.fanout.slow_watchers import SlowWatchers


class Hub:
    """All watchers of this node."""

    def __init__(
        self,
        source: Source,
        bus: Bus,
        pace: Pace | None = None,
        changed: Changed | None = None,
    ) -> None:
        self._bus = bus
        self._pace = pace or Pace()
        self._presence = Presence(bus, self._pace.presence, changed)
        self._subscribers: dict[ServerConnection, Subscriber] = {}
        self._rooms: dict[Topic, Room] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._background = BackgroundTasks()
        self.tally = Tally()
        self._recovery = Recovery(source, bus, self._rooms, self._pace, self.tally, self._background)
        self._slow = SlowWatchers(
            self._recovery, self._pace, self.tally, self._background, self._forget, self._drop
        )

    # Gauges

    @property
    def connections(self) -> int:
        """Connections that watch anything."""
        return len(self._subscribers)

    @property
    def watchers(self) -> int:
        """Matches watched, counted once for each connection."""
        return sum(len(subscriber.watchers) for subscriber in self._subscribers.values())

    @property
    def behind(self) -> int:
        """Of these, how many are behind."""
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
    def bus_dropped(self) -> int:
        """Broadcasts of which the other nodes were told the range only."""
        return self._bus.dropped

    # Begin and end

    async def start(self) -> None:
        """Begin to listen; waits for nothing."""
        await self._bus.start(self)
        self._tasks = [
            asyncio.create_task(self._recovery.look_after()),
            asyncio.create_task(self._presence.run()),
        ]

    async def stop(self) -> None:
        """End every task. The connections are the gateway's to close."""
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
    ) -> None:
        """Send the connection what it lacks and then all that comes.

        `after` is the last seq it has; 0 asks for the view at the head. `seat` is for presence only and is
        the side's own number unless told. `head` is the seq that the log is known to reach: no older view
        is sent. Returns when the connection is current, gone, or has left
        again. A second call for a match begins anew. Raises what the source raised; then nothing is watched.
        """
        topic = (match, audience)
        room = self._rooms.get(topic)
        if room is None:
            room = self._rooms[topic] = Room(topic, self._pace.gather, self.tally, self._slow.fell)
            self._bus.watch(topic)
        subscriber = self._subscribers.get(connection)
        if subscriber is None:
            subscriber = self._subscribers[connection] = Subscriber(connection)
        if match in subscriber.watchers:
            self._forget(subscriber.watchers[match], keep=room)
        if seat is None:
            seat = audience.side
        watcher = Watcher(subscriber, room, seat, after if after > 0 else AT_THE_HEAD, head)
        self._recovery.hear(room, head)
        room.watchers[subscriber] = subscriber.watchers[match] = watcher
        self._presence.enter(match, seat)
        self._slow.serve(watcher)
        await watcher.ready

    def leave(self, connection: ServerConnection, match: UUID) -> None:
        """Watch the match no longer."""
        subscriber = self._subscribers.get(connection)
        if subscriber is not None and match in subscriber.watchers:
            self._forget(subscriber.watchers[match])
            if not subscriber.watchers:
                self._hang_up(subscriber)

    def leave_all(self, connection: ServerConnection) -> None:
        """Forget the connection. To be called when it has ended, however it did."""
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
        """Forget a connection that watches nothing; its own task calls this."""
        self._subscribers.pop(subscriber.connection, None)

    def _forget(self, watcher: Watcher, keep: Room | None = None) -> None:
        subscriber, room = watcher.subscriber, watcher.room
        match = room.topic[0]
        del subscriber.watchers[match]
        subscriber.behind.pop(match, None)
        room.watchers.pop(subscriber)
        room.current.pop(subscriber, None)
        self._presence.leave(match, watcher.seat)
        watcher.settle()
        if not room.watchers and room is not keep:
            self._close(room)

    def _close(self, room: Room) -> None:
        del self._rooms[room.topic]
        self._bus.unwatch(room.topic)
        room.close()

    def presence(self, match: UUID) -> tuple[int, int | None]:
        """Seats present, a bit each (1 << seat), and the number of onlookers, None while it is unknown."""
        return self._presence.of(match)

    # Broadcasts arrive

    def deliver(self, broadcasts: Iterable[Broadcast]) -> None:
        """Hand on what a decision of this node has just put on disk: here at once, elsewhere by the bus."""
        ordered = sorted(broadcasts, key=_seats_first)
        for broadcast in ordered:
            self.arrived(broadcast)
        self._bus.publish(ordered)

    def arrived(self, broadcast: Broadcast) -> None:
        """Take a broadcast from wherever it came: it fits, is old, or shows that something is missing."""
        room = self._rooms.get((broadcast.match, broadcast.audience))
        if room is None:
            return
        if not broadcast.upto:
            room.word(broadcast.text)
            return
        ring = room.ring
        if ring is not None and broadcast.upto <= ring.upto:
            return
        if ring is not None and broadcast.after == ring.upto and broadcast.text:
            room.append(ring, broadcast)
        else:
            self._recovery.hear(room, broadcast.upto)

    def flush(self, match: UUID) -> None:
        """Send at once what is gathered for a match's onlookers."""
        room = self._rooms.get((match, Audience.ONLOOKERS))
        if room is not None:
            room.flush()

    def tell(self, match: UUID, text: bytes) -> None:
        """Send what is true of this moment (presence) to those of this node who are current."""
        data = websocket_bytes(text)
        for audience in VIEWERS:
            room = self._rooms.get((match, audience))
            if room is not None:
                room.write(data)

    def say(self, match: UUID, text: bytes, audiences: Iterable[Viewer]) -> None:
        """Send a word that is not in the log to those who are current, on all nodes; no two have one text."""
        words = [Broadcast(match, audience, 0, 0, text) for audience in audiences]
        for word in words:
            self.arrived(word)
        self._bus.publish(words)

    def reaches(self, match: UUID, upto: int) -> None:
        """Learn that the log of a match reaches so far: who was told less gets the rest from there."""
        self._recovery.reaches(match, upto)

    def doubt(self, topics: Iterable[Topic]) -> None:
        """Compare these matches with the log as soon as may be."""
        self._recovery.doubt(topics)


def _seats_first(broadcast: Broadcast) -> bool:
    return broadcast.audience is Audience.ONLOOKERS
