"""Turns at the database: so many ask it at once, and the others wait, in the order in which they came.

A crowd that comes at once takes as long as it takes, and nobody in it is refused for that. Who waits while
the database does not answer is told so as soon as one of those is who have asked.
"""

import asyncio
from collections import deque
from types import TracebackType

from server.log.outcomes import Unavailable
from server.play.failures import refusal_for


class Turns:
    """`async with turns:` waits for a turn and ends it. Raises Unavailable instead of giving one."""

    def __init__(self, most: int) -> None:
        """Take how many have their turn at once."""
        self._left = most
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
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

    async def __aexit__(
        self, _kind: type[BaseException] | None, why: BaseException | None, _trace: TracebackType | None
    ) -> None:
        refusal = refusal_for(why) if isinstance(why, Exception) else None
        if refusal is not None and refusal.code == "unavailable":
            self._refuse()
        self._next()

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
