"""What waits to be sent to other nodes: broadcasts, letters, and the ranges of broadcasts that were dropped.

What was sent lately is known as ranges too: it is owed again where it may have been sent to the wrong place.

Deliberately absent: Redis, and when anything is sent (`server.fanout.redis_line`).
"""

from collections import deque
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct

from server.fanout.broadcasts import Broadcast

BATCH: Final = 512
"""Messages in one pipeline."""


QUEUE: Final = 4096
"""Messages that may be queued while a pipeline is running."""


QUEUE_BYTES: Final = 16 << 20
"""Bytes of text that may be queued."""


MOST_OWED: Final = 1 << 16
"""Matches of which a range may be owed; beyond it other nodes learn of facts when they next compare heads."""

Span = tuple[int, int]

Letter = tuple[bytes, bytes]
"""The channel that a letter goes into, and the letter, ready to be sent."""


class Batch(Struct, frozen=True):
    """What goes into one pipeline: broadcasts by the message that they go in, owed ranges, letters."""

    messages: list[Sequence[Broadcast]]
    owed: list[tuple[UUID, Span]]
    letters: list[Letter] = []


class Counts(Struct):
    """What a bus tells of itself: it may have several outboxes, which come and go."""

    dropped: int = 0
    """Broadcasts of which only the range was sent, since a queue was full or the way to others was lost."""
    queued: int = 0
    """Messages that wait to be sent."""
    refused: int = 0
    """Messages that no node of the cluster has made, or that came too late."""


class Outbox:
    """A bounded queue of messages, each the broadcasts of one command; of others only the range is kept."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._queue: deque[Sequence[Broadcast]] = deque()
        self._queued = 0
        self._owed: dict[UUID, Span] = {}
        self._letters: list[Letter] = []

    def __bool__(self) -> bool:
        """Whether anything is to be sent."""
        return bool(self._queue or self._owed or self._letters)

    def put(self, broadcasts: Sequence[Broadcast]) -> None:
        """Queue broadcasts of one match; if they do not fit, owe their range."""
        size = _size(broadcasts)
        if len(self._queue) >= QUEUE or self._queued + size > QUEUE_BYTES:
            self.drop(broadcasts)
        else:
            self._queue.append(broadcasts)
            self._queued += size
            self._counts.queued += 1

    def post(self, channel: bytes, letter: bytes) -> None:
        """Queue a letter; there are no more than commands under way."""
        self._letters.append((channel, letter))

    def next_batch(self) -> Batch:
        """Remove and return what goes into the next pipeline."""
        messages = [self._next() for _ in range(min(BATCH, len(self._queue)))]
        owed = [(match, self._owed.pop(match)) for match in list(self._owed)[:BATCH]]
        letters, self._letters = self._letters, []
        return Batch(messages, owed, letters)

    def put_off(self, batch: Batch) -> None:
        """After a failure drop the batch and the queue, and owe their ranges: texts would arrive too late.

        Letters are dropped: who waits for an answer is to be told.
        """
        for match, span in batch.owed:
            self.owe(match, *span)
        for broadcasts in (*batch.messages, *self._queue):
            self.drop(broadcasts)
        self._counts.queued -= len(self._queue)
        self._queue.clear()
        self._letters.clear()
        self._queued = 0

    def handed_over(self) -> list[tuple[UUID, Span]]:
        """Remove and return what is owed, all that is queued being dropped: another outbox is to owe it."""
        self.put_off(Batch([], []))
        owed, self._owed = self._owed, {}
        return list(owed.items())

    def _next(self) -> Sequence[Broadcast]:
        taken = self._queue.popleft()
        self._queued -= _size(taken)
        self._counts.queued -= 1
        return taken

    def drop(self, broadcasts: Sequence[Broadcast]) -> None:
        """Owe the range of broadcasts of one match."""
        self._counts.dropped += len(broadcasts)
        for broadcast in broadcasts:
            self.owe(broadcast.match, broadcast.after, broadcast.upto)

    def owe(self, match: UUID, after: int, upto: int) -> None:
        """Owe a range of a match, with what is owed of it already."""
        if not upto:  # not from the log: it may be lost
            return
        _join(self._owed, match, after, upto)


class Told:
    """The ranges of what has gone out lately: in so many seconds at least, and often in twice as many."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._new: dict[UUID, Span] = {}
        self._old: dict[UUID, Span] = {}
        self._since = float("-inf")  # when the first of the new ones went out

    def note(self, batch: Batch, now: float) -> None:
        """Learn that a batch has gone out, at a time in seconds."""
        if now - self._since > self._seconds:
            self._old, self._new, self._since = self._new, {}, now
        for match, span in batch.owed:
            _join(self._new, match, *span)
        for broadcasts in batch.messages:
            for broadcast in broadcasts:
                if broadcast.upto:
                    _join(self._new, broadcast.match, broadcast.after, broadcast.upto)

    def spans(self) -> list[tuple[UUID, Span]]:
        """Return the ranges; a match may have two."""
        return [*self._old.items(), *self._new.items()]


def _join(spans: dict[UUID, Span], match: UUID, after: int, upto: int) -> None:
    first, last = spans.get(match, (after, upto))
    if match in spans or len(spans) < MOST_OWED:
        spans[match] = min(first, after), max(last, upto)


def _size(broadcasts: Sequence[Broadcast]) -> int:
    return sum(len(broadcast.text) for broadcast in broadcasts)
