"""Turns at the database: so many ask it at once, and the others wait, in the order in which they came.

A crowd that comes at once takes as long as it takes, and nobody in it is refused for that. A turn is for
questions to the database alone: nobody waits in it for a client, or for another's decision. Where one had no
answer for SILENT seconds, and nobody else had any meanwhile, the database is away, and all who wait are told.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from server.log.outcomes import Unavailable
from server.play.failures import refusal_for

SILENT: Final = 1.0
"""Seconds without an answer to anybody after which one that failed tells that the database is away."""


class Turns:
    """The turns of a node, of which so many are taken at once."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._answered = 0
        """How many turns have ended otherwise than for the database."""

    @property
    def crowded(self) -> bool:
        """Whether any waits for a turn."""
        return bool(self._waiting)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the context. Raises Unavailable instead of giving one."""
        await self._wait()
        clock = asyncio.get_running_loop().time
        begun, answered = clock(), self._answered
        try:
            yield
        except Exception as why:
            refusal = refusal_for(why)
            if refusal is None or refusal.code != "unavailable":
                self._answered += 1
            elif self._answered == answered and clock() - begun > SILENT:
                self._refuse()
            raise
        else:
            self._answered += 1
        finally:
            self._next()

    async def _wait(self) -> None:
        if self._left:
            self._left -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._next()  # it was given a turn, and does not take it
            raise

    def _next(self) -> None:
        """Give the turn to who has waited longest."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._left += 1

    def _refuse(self) -> None:
        for turn in self._waiting:
            if not turn.done():
                turn.set_exception(Unavailable("the database gave no answer to others who asked"))
        self._waiting.clear()
