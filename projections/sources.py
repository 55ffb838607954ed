"""Records that are gone through as often as need be and not held: in their file, or in the log.

Deliberately absent: the form of a record (`projections.record`), and what is done with its facts.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, Protocol, TypeVar
from uuid import UUID

from domain.match.chain import Entry, Sealed
from projections.record import BadRecord, Line, RecordHeader, read_fact, read_facts, read_header
from server.log.outcomes import Altered
from server.log.store import LogReader

T = TypeVar("T")

BLOCK: Final = 1 << 16
"""Bytes read at once to find the last line of a file."""


class Source(Protocol):
    """A record that is gone through fact by fact, as often as need be, and not held."""

    @property
    def header(self) -> RecordHeader:
        """Its first line."""

    @property
    def first(self) -> Entry | Sealed | None:
        """The first fact; None if it cannot be read, which `lines` says."""

    @property
    def last(self) -> Entry | Sealed | None:
        """The last fact; None likewise."""

    def lines(self) -> Iterator[Line]:
        """Yield its facts in order. Raises BadRecord where it is not what a record is."""


class RecordFile:
    """A record in a file that is open; nothing of it is held but its first and its last fact."""

    def __init__(self, file: BinaryIO) -> None:
        """Read the header. Raises BadRecord."""
        self._file = file
        file.seek(0)
        self.header: RecordHeader = read_header(file.readline())
        self._start = file.tell()
        self._read = False
        """Whether it was gone through to its end, and is a record."""
        self.first: Entry | Sealed | None = read_fact(self.header, file.readline())
        self.last: Entry | Sealed | None = read_fact(self.header, self._last_line())

    def lines(self) -> Iterator[Line]:
        """Yield its facts as the file is read, of which one reader at a time can be. Raises BadRecord."""
        self._file.seek(self._start)
        yield from read_facts(self.header, self._file, strictly=not self._read)
        self._read = True

    def _last_line(self) -> bytes:
        """Return the last line, from where the newline before it is found."""
        place, tail = self._file.seek(0, os.SEEK_END), b""
        while place > self._start and b"\n" not in tail[:-1]:
            place, end = max(self._start, place - BLOCK), place
            self._file.seek(place)
            tail = self._file.read(end - place) + tail
        return tail[tail[:-1].rfind(b"\n") + 1 :]


class RecordInLog:
    """A match in the log, up to the fact that its header names, read as `FactsInLog` are."""

    def __init__(self, log: LogReader, header: RecordHeader, first: Entry, last: Entry) -> None:
        """Take a log of the event loop that runs."""
        self.header, self.first, self.last = header, first, last
        self._facts = FactsInLog(log, UUID(header.match), header.head)

    def lines(self) -> Iterator[Line]:
        """Yield its facts, which the log gives in full. Raises Unavailable."""
        return ((entry, b"") for entry in self._facts)


class NobodyWaits(Exception):
    """What is made of the facts is wanted no more."""


class FactsInLog:
    """The facts of a match up to one that ends a command, gone through as often as need be and not held.

    They are for a thread beside the event loop, which reads them page by page and is not to wait for them.
    """

    def __init__(self, log: LogReader, match: UUID, upto: int) -> None:
        """Take a log of the event loop that runs."""
        self._log, self._match, self._upto = log, match, upto
        self._loop = asyncio.get_running_loop()
        self._given_up = False

    async def read_by(self, work: Callable[["FactsInLog"], T]) -> T:
        """Return what a thread makes of them, which goes no further than the next fact if nobody waits."""
        try:
            return await asyncio.to_thread(work, self)
        finally:
            self._given_up = True

    def __iter__(self) -> Iterator[Entry]:
        """Yield them in order.

        Raises Unavailable, BadRecord where they are in no commands, and NobodyWaits.
        """
        last = 0
        pages = self._log.pages(self._match, 0, self._upto)

        async def following() -> list[Entry] | None:
            return await anext(pages, None)

        try:
            while page := asyncio.run_coroutine_threadsafe(following(), self._loop).result():
                for fact in page:
                    if self._given_up:
                        raise NobodyWaits
                    yield fact
                last = page[-1].seq
        except Altered as why:
            raise BadRecord(last + 2, str(why)) from why
