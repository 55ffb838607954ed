"""Long work beside play: a slice at a time, and everybody else has a turn between two of them.

Work is a generator that yields wherever it may be interrupted and returns what it came to. Of all such work
on a node one slice is done in each round of the loop, so that many who ask for much do not add up.
Deliberately absent: threads, which would have to share what is live.
"""

import asyncio
import time
from collections.abc import Generator
from typing import TypeVar

SLICE = 0.004
"""Seconds of work after which everybody else has a turn."""

Result = TypeVar("Result")


class Slices:
    """The long work of a node."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def through(self, work: Generator[None, None, Result]) -> Result:
        """Do the work to its end, and return what it returns; raises what it raises."""
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
                await asyncio.sleep(0)  # with the turn in hand: other long work is not in this round
