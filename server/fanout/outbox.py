"""The queue of broadcasts to other nodes, and the ranges owed: those of broadcasts that were dropped.

Deliberately absent: Redis, and when anything is sent (`server.fanout.redis_bus`).
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from server.fanout.broadcasts import Broadcast, Topic
from server.fanout.bus import pack

BATCH: Final = 512
"""Broadcasts in one pipeline."""


QUEUE: Final = 4096
"""Broadcasts that may be queued while a pipeline is running."""


QUEUE_BYTES: Final = 16 << 20
"""Bytes that may be queued."""


MOST_OWED: Final = 1 << 16
"""Topics of which a range may be owed; beyond it other nodes learn of facts when they next compare heads."""

Span = tuple[int, int]


class Batch(Struct, frozen=True):
    """The broadcasts and owed ranges of one pipeline."""

    broadcasts: list[tuple[Topic, int, int, bytes]]
    owed: list[tuple[Topic, Span]]


class Outbox:
    """A bounded queue of broadcasts; of those that do not fit only the range is kept."""

    def __init__(self) -> None:
        self.dropped = 0
        self._queue: deque[tuple[Topic, int, int, bytes]] = deque()
        self._queued = 0
        self._owed: dict[Topic, Span] = {}

    def __bool__(self) -> bool:
        """Whether anything is to be sent."""
        return bool(self._queue or self._owed)

    def put(self, broadcasts: Iterable[Broadcast]) -> None:
        """Queue broadcasts; drop those that do not fit and owe their ranges."""
        for broadcast in broadcasts:
            topic = (broadcast.match, broadcast.audience)
            data = pack(broadcast)
            if len(self._queue) >= QUEUE or self._queued + len(data) > QUEUE_BYTES:
                self._owe(topic, broadcast.after, broadcast.upto)
                self.dropped += 1
                continue
            self._queue.append((topic, broadcast.after, broadcast.upto, data))
            self._queued += len(data)

    def next_batch(self) -> Batch:
        """Remove and return what goes into the next pipeline."""
        batch = [self._next() for _ in range(min(BATCH, len(self._queue)))]
        return Batch(batch, [(topic, self._owed.pop(topic)) for topic in list(self._owed)[:BATCH]])

    def put_off(self, batch: Batch) -> None:
        """After a failure drop the batch and the queue, and owe their ranges: texts would arrive too late."""
        for topic, span in batch.owed:
            self._owe(topic, *span)
        for topic, after, upto, _ in (*batch.broadcasts, *self._queue):
            self._owe(topic, after, upto)
        self.dropped += len(batch.broadcasts) + len(self._queue)
        self._queue.clear()
        self._queued = 0

    def _next(self) -> tuple[Topic, int, int, bytes]:
        taken = self._queue.popleft()
        self._queued -= len(taken[3])
        return taken

    def _owe(self, topic: Topic, after: int, upto: int) -> None:
        if not upto:  # not from the log: it may be lost
            return
        first, last = self._owed.get(topic, (after, upto))
        if topic in self._owed or len(self._owed) < MOST_OWED:
            self._owed[topic] = min(first, after), max(last, upto)
