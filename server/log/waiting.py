"""Appends that wait for their statement, and which of them go out together."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from domain.match.chain import Entry
from server.log.outcomes import Outcome

COMMANDS = 512
BYTES = 1 << 20
"""Commands and bytes of a statement."""


class Waiting(Struct, eq=False):
    """One command on its way, and whoever waits for what becomes of it."""

    entries: Sequence[Entry]
    prev: bytes
    size: int
    answer: asyncio.Future[Outcome]
    token: bytes | None = None
    """Hash of the token of the link by which it came, if it came by one."""
    tries: int = 0


class Queue:
    """What waits, by match and in order of arrival; those first that must each go by themselves."""

    def __init__(self) -> None:
        self._matches: OrderedDict[UUID, deque[Waiting]] = OrderedDict()
        self._alone: deque[Waiting] = deque()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, waiting: Waiting) -> None:
        """Take one more, behind the others of its match."""
        self._matches.setdefault(waiting.entries[0].match, deque()).append(waiting)
        self._size += 1

    def put_back(self, batch: Sequence[Waiting], *, alone: bool = False) -> None:
        """Take back what was sent without an answer, to go first; `alone` when each must go by itself."""
        back = [waiting for waiting in batch if not waiting.answer.done()]
        self._size += len(back)
        if alone:
            self._alone.extend(back)
            return
        for waiting in reversed(back):
            match = waiting.entries[0].match
            self._matches.setdefault(match, deque()).appendleft(waiting)
            self._matches.move_to_end(match, last=False)

    def next_batch(self) -> list[Waiting]:
        """Take the next statement's commands. Matches with more to come go to the end of the line."""
        if self._alone:
            self._size -= 1
            return [self._alone.popleft()]
        batch: list[Waiting] = []
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

    def drop(self, waiting: Waiting) -> None:
        """Forget one whose caller has gone, if it is still here.

        It is neither to go out late nor to take room.
        """
        match = waiting.entries[0].match
        for line in (self._matches.get(match), self._alone):
            if line and waiting in line:
                line.remove(waiting)
                self._size -= 1
        if not self._matches.get(match, True):
            del self._matches[match]
