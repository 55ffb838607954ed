"""What is said over a line in one round of the event loop, as one write.

A write wakes the process at the other end; on a busy node many commands are answered in one round, and each
says something. Deliberately absent: frames (`server.siblings.frames`), and who may wait for how much.
"""

import asyncio
from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 64 << 10
"""Bytes that are written without waiting for the end of the round."""


class Gathered:
    """The bytes that wait for the end of the round."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        """Take what writes; it is called with all that waits, in the order in which it was said."""
        self._write = write
        self._waiting: list[bytes] = []
        self._size = 0

    def put(self, data: bytes) -> None:
        """Write this with what else is said in this round."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.flush)
        self._waiting.append(data)
        self._size += len(data)
        if self._size >= AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what waits now."""
        if self._waiting:
            data = b"".join(self._waiting)
            self._waiting.clear()
            self._size = 0
            self._write(data)
