"""Compresses answers in threads: small ones at once, large ones one at a time and once for all who want them.

Whoever goes waits no more, and what nobody waits for is not begun.
"""

import asyncio
import gzip
from functools import partial
from typing import Final

from server.single_flight import SingleFlight

LEVEL: Final = 5
"""A record of a megabyte takes 15 ms, a tenth of what it takes to read and write it."""

SMALL: Final = 64 << 10
"""Bytes below which an answer takes a millisecond at most, and does not wait for whole matches."""


def compressed(body: bytes) -> bytes:
    """Return an answer compressed, the same each time."""
    return gzip.compress(body, LEVEL, mtime=0)


class Compressing:
    """What is compressed at present."""

    def __init__(self) -> None:
        self._shared = SingleFlight()
        self._turn = asyncio.Lock()

    async def __call__(self, body: bytes) -> bytes:
        """Return an answer compressed."""
        if len(body) < SMALL:
            return await asyncio.to_thread(compressed, body)
        return await self._shared.once(body, partial(self._in_turn, body))

    async def _in_turn(self, body: bytes) -> bytes:
        async with self._turn:
            thread = asyncio.create_task(asyncio.to_thread(compressed, body))
            try:
                return await asyncio.shield(thread)
            except asyncio.CancelledError:
                await asyncio.wait({thread})  # a thread cannot be ended, and the turn is that of one
                raise
