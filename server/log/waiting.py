"""The queue of appends, and which of them make up the next batch."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from domain.match.chain import Entry
from server.log.outcomes import Outcome

COMMANDS = 256
BYTES = 1 << 20
"""Commands, and bytes, that a batch may have. With more, node and Postgres would wait for each other."""


class QueuedAppend(Struct, eq=False):
    """A queued command and the future of its outcome."""

    entries: Sequence[Entry]
    prev: bytes
    size: int
    outcome: asyncio.Future[Outcome]
    token: bytes | None = None
    """Hash of the sender's link token; None for the server's own commands."""
    tries: int = 0


class Queue:
    """Commands by match, in order of arrival; those that must be sent alone come first."""

    def __init__(self) -> None:
        self._matches: OrderedDict[UUID, deque[QueuedAppend]] = OrderedDict()
        self._alone: deque[QueuedAppend] = deque()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, waiting: QueuedAppend) -> None:
        """Add a command behind the others of its match."""
        self._matches.setdefault(waiting.entries[0].match, deque()).append(waiting)
        self._size += 1

    def put_back(self, batch: Sequence[QueuedAppend], *, alone: bool = False) -> None:
        """Put back what has no outcome yet, to be sent first; if `alone`, each command in its own batch."""
        back = [waiting for waiting in batch if not waiting.outcome.done()]
        self._size += len(back)
        if alone:
            self._alone.extend(back)
            return
        for waiting in reversed(back):
            match = waiting.entries[0].match
            self._matches.setdefault(match, deque()).appendleft(waiting)
            self._matches.move_to_end(match, last=False)

    def next_batch(self) -> list[QueuedAppend]:
        """Remove and return the next batch. Matches with more commands go to the end of the queue."""
        if self._alone:
            self._size -= 1
            return [self._alone.popleft()]
        batch: list[QueuedAppend] = []
        size = 0
        for match in list(self._matches):
            line = self._matches[match]
            size += line[0].size
            if batch and (len(batch) == COMMANDS or size > BYTES):
                break
            batch.append(line.popleft())
            self._matches.move_to_end(match)
            if not line:
                del self._matches[match]
        self._size -= len(batch)
        return batch

    def drop(self, waiting: QueuedAppend) -> None:
        """Remove a command whose caller has gone, if it is still queued."""
        match = waiting.entries[0].match
        for line in (self._matches.get(match), self._alone):
            if line and waiting in line:
                line.remove(waiting)
                self._size -= 1
        if not self._matches.get(match, True):
            del self._matches[match]
