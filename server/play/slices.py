"""Long work on the event loop, in slices between which other tasks run.

Work is a generator that yields wherever it may be interrupted; its return value is the result. All such work
of one kind together gets one slice in each iteration of the event loop, so that many long requests do not add
up. A node has two kinds: what is folded for who decides, under a match's lock, and what for all others.
Deliberately absent: threads, which would need locks around live matches.
"""

import asyncio
import time
from collections.abc import Generator
from typing import TypeVar

SLICE = 0.004
"""Seconds of work before control returns to the event loop."""

Result = TypeVar("Result")


class Slices:
    """Runs the long work of one kind, given as generators, one slice of SLICE seconds at a time."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def through(self, work: Generator[None, None, Result]) -> Result:
        """Run a generator to its end in slices; return its return value, or raise what it raises."""
        while True:
            async with self._turn:
                end = time.monotonic() + SLICE
                try:
                    next(work)
                    while time.monotonic() < end:
                        next(work)
                except StopIteration as done:
                    result: Result = done.value
                    return result
                await asyncio.sleep(0)  # holding the lock: no other long work runs in this iteration
