"""Clients, in a process of their own: they read what a server sends them, count its bytes, keep nothing."""

import asyncio
import contextlib
import multiprocessing
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, Final, cast

import uvloop

from server.bench.bare import BINARY, HEAD_ENDS, TEXT, masked, upgrade
from server.limits import allow_files
from tests.peers.processes import FILES

BESIDE: Final = 50
"""Connections that are made side by side."""

END: Final = -1
"""Said over the line in place of a number of bytes."""

QUIET: Final = 0.3
"""Seconds without a byte after which nothing more is thought to come."""
PATIENCE: Final = 60.0


class Readers:
    """The other end of the line to the process of readers."""

    def __init__(self, line: Connection) -> None:
        self._line = line

    def received(self, wanted: int = 0) -> int:
        """Wait until so many bytes have come since the beginning, and return how many have."""
        self._line.send(wanted)
        if not self._line.poll(PATIENCE):
            raise TimeoutError(f"of {wanted} bytes some have not come in {PATIENCE:.0f} s")
        count: int = self._line.recv()
        return count


@contextlib.contextmanager
def reading(told: dict[str, Any], count: int) -> Iterator[Readers]:
    """Have so many clients connect to a server that told where it is, and read."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_process, args=(told, count, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        ours.recv()
        yield Readers(ours)
        ours.send(END)
    finally:
        process.join(2)
        process.kill()
        ours.close()


class _Counted:
    """What all clients have received."""

    def __init__(self, line: Connection) -> None:
        self.line = line
        self.bytes = 0
        self._wanted: int | None = None
        self.ended = asyncio.Event()

    def told(self) -> None:
        """Take the next number of bytes to wait for."""
        wanted = self.line.recv()
        if wanted == END:
            self.ended.set()
            return
        self._wanted = wanted
        self.count(0)

    def count(self, more: int) -> None:
        """Answer as soon as what is wanted is there."""
        self.bytes += more
        if self._wanted is not None and self.bytes >= self._wanted:
            self._wanted = None
            self.line.send(self.bytes)


class _Reader(asyncio.Protocol):
    """One client: it says its first words, its second ones when it is greeted, and then nothing."""

    def __init__(self, counted: _Counted, first: bytes, second: bytes) -> None:
        self._counted, self._first, self._second = counted, first, second

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._first)

    def data_received(self, data: bytes) -> None:
        if self._second and data.partition(HEAD_ENDS)[2 if data.startswith(b"HTTP") else 0]:
            self._transport.write(self._second)
            self._second = b""
        self._counted.count(len(data))


def _process(told: dict[str, Any], count: int, line: Connection) -> None:
    allow_files(FILES)
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        uvloop.run(_read(told, _firsts(told, count), line))


def _firsts(told: dict[str, Any], count: int) -> Sequence[bytes]:
    """Return what each client says first."""
    if told.get("plain"):
        return [b""] * count
    paths = told.get("paths") or [told.get("path", "/")] * count
    return [upgrade(f"127.0.0.1:{told['port']}", path) for path in paths]


async def _read(told: dict[str, Any], firsts: Sequence[bytes], line: Connection) -> None:
    loop, counted, some = asyncio.get_running_loop(), _Counted(line), asyncio.Semaphore(BESIDE)
    then = told.get("then", "").encode()
    second = masked(BINARY if told.get("binary") else TEXT, then) if then else b""

    async def connect(first: bytes) -> None:
        async with some:
            await loop.create_connection(lambda: _Reader(counted, first, second), "127.0.0.1", told["port"])

    await asyncio.gather(*map(connect, firsts))
    before = -1
    while counted.bytes != before:
        before = counted.bytes
        await asyncio.sleep(QUIET)
    loop.add_reader(line.fileno(), counted.told)
    line.send(counted.bytes)
    await counted.ended.wait()
