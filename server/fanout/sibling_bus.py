"""The bus of the processes of one machine that have no Redis, under the laws of `server.fanout.bus`.

Broadcasts go over the lines of `server.siblings`, by way of the process that started all of them, to those
that watch the match. They are not sealed as those over Redis are: nobody else can get at a line. A line is
lost only when that process is gone, and then this one ends, too; a process that is started in place of one
that died says hello to the log as any node that starts.

Deliberately absent: a queue where there is room on the line.
"""

import contextlib
from collections.abc import Collection, Mapping, Sequence
from typing import Final
from uuid import UUID

from msgspec import msgpack

from domain.kernel.audience import VIEWERS, Viewer
from server.fanout import messages
from server.fanout.broadcasts import Broadcast, Node, Timing, Topic
from server.fanout.bus import BusListener, summed
from server.fanout.letters import NoAnswer
from server.fanout.outbox import Counts, Outbox
from server.fanout.presence import NOBODY, Crowd
from server.siblings.frames import Kind
from server.siblings.line import NUMBER, Line

CROWDS: Final = 1
"""The topic on which processes tell who is present."""

_ID: Final = 16
_NODE: Final = NUMBER.size  # a node's name is its number


class SiblingBus:
    """The bus of one process of several."""

    def __init__(self, line: Line, timing: Timing | None = None) -> None:
        self._line, self._within = line, (timing or Timing()).ask
        self.counts = Counts()
        self._out = Outbox(self.counts)
        self._listener: BusListener | None = None
        self._watched: dict[UUID, set[Viewer]] = {}
        self._here: dict[UUID, Crowd] = {}
        """The crowds that were told."""
        self._there: dict[int, dict[UUID, Crowd]] = {}
        """Those of each sibling."""
        line.published, line.watched, line.requested = self._arrived, self._confirmed, self._asked
        line.hear(CROWDS, self._crowds)
        line.when_came(lambda _: self._tell_crowds(self._here))
        line.when_gone(self._forget)
        line.when_clear(self._send)

    @property
    def up(self) -> bool:
        """Whether the line answers."""
        return self._listener is not None and self._line.up

    async def start(self, listener: BusListener) -> None:
        """Start to receive."""
        self._listener = listener

    async def stop(self) -> None:
        """Pass on what was said, within a deadline, and tell that nobody is here."""
        self._tell_crowds(dict.fromkeys(self._here, NOBODY))
        with contextlib.suppress(TimeoutError):
            await self._line.round_trip()
        self._listener = None

    # broadcasts

    def publish(self, broadcasts: Sequence[Broadcast]) -> None:
        """Send broadcasts of one match; where the line is congested, queue them."""
        if self._line.congested:
            self._out.put(broadcasts)
        else:
            self._publish(broadcasts)

    def _send(self) -> None:
        """Send what is queued as long as there is room."""
        while self._out and not self._line.congested:
            batch = self._out.next_batch()
            for match, span in batch.owed:
                self._publish([Broadcast(match, viewer, *span, b"") for viewer in VIEWERS])
            for broadcasts in batch.messages:
                self._publish(broadcasts)

    def _publish(self, broadcasts: Sequence[Broadcast]) -> None:
        self._line.say(Kind.PUBLISH, broadcasts[0].match.bytes, *messages.packed(broadcasts))

    def watch(self, topic: Topic) -> None:
        """Subscribe to a topic; the switch confirms it."""
        match, audience = topic
        self._watched.setdefault(match, set()).add(audience)
        self._line.say(Kind.WATCH, match.bytes)

    def unwatch(self, topic: Topic) -> None:
        """Unsubscribe from a topic."""
        match, audience = topic
        watched = self._watched.get(match, set())
        watched.discard(audience)
        if not watched:
            self._watched.pop(match, None)
            self._line.say(Kind.UNWATCH, match.bytes)

    def _arrived(self, message: bytes) -> None:
        node, match = message[:_NODE], UUID(bytes=message[_NODE : _NODE + _ID])
        watched = self._watched.get(match)
        if watched is None or self._listener is None:
            return
        for broadcast in messages.told(match, message, _NODE + _ID):
            if broadcast.audience in watched:
                self._listener.arrived(broadcast, node)

    # questions

    async def ask(self, node: Node, question: bytes) -> bytes:
        """Return a sibling's answer; one that is not there is known at once. Raises NoAnswer."""
        answer = await self._line.request(NUMBER.unpack(node)[0], question, self._within)
        if not answer:
            raise NoAnswer
        return answer

    async def _asked(self, question: bytes) -> bytes:
        return b"" if self._listener is None else await self._listener.asked(question)

    def _confirmed(self, channel: bytes) -> None:
        match = UUID(bytes=channel)
        if self._listener is not None:
            self._listener.compare_with_log([(match, viewer) for viewer in self._watched.get(match, ())])

    # presence

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Tell which crowds here have changed; return the sums over all processes, None if unknown."""
        changed = {match: crowd for match, crowd in here.items() if self._here.get(match, NOBODY) != crowd}
        self._here = {match: crowd for match, crowd in here.items() if crowd != NOBODY}
        self._tell_crowds(changed)
        try:
            await self._line.round_trip()
        except TimeoutError:
            return None
        return {match: summed([crowd, *self._elsewhere(match)]) for match, crowd in here.items()}

    async def elsewhere(self, matches: Collection[UUID]) -> dict[UUID, Crowd] | None:
        """Return the crowds that the siblings have told."""
        return {match: summed(self._elsewhere(match)) for match in matches} if self.up else None

    def _elsewhere(self, match: UUID) -> list[Crowd]:
        return [crowds[match] for crowds in self._there.values() if match in crowds]

    def _tell_crowds(self, crowds: Mapping[UUID, Crowd]) -> None:
        if crowds:
            told = [(match.bytes, crowd.seats, crowd.onlookers) for match, crowd in crowds.items()]
            self._line.tell(CROWDS, msgpack.encode(told))

    def _forget(self, number: int) -> None:
        self._there.pop(number, None)

    def _crowds(self, number: int, told: bytes) -> None:
        there = self._there.setdefault(number, {})
        for match, seats, onlookers in msgpack.decode(told, type=list[tuple[bytes, int, int]]):
            crowd = Crowd(seats, onlookers)
            if crowd == NOBODY:
                there.pop(UUID(bytes=match), None)
            else:
                there[UUID(bytes=match)] = crowd
