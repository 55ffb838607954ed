"""Turns at what only few may use at once, the database above all: the others wait, each address in rotation.

A crowd that comes at once takes as long as it takes, and nobody in it is refused for that; who comes from
elsewhere does not wait behind it. In a turn nobody waits for a client, or for another's decision. Where one
had no answer of the database for SILENT seconds, and nobody else had any meanwhile, it is away, and all who
wait are told. Whoever asks may say how long he waits at most, and behind how many of his address.

Equal questions share one answer where they may: those that wait for the same turn. None is answered by a
question that had begun before it was asked, and may know less than who asks. Who goes waits no more, and
nothing is asked where all have gone who would share the answer.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, TypeVar

from server.addresses import Address
from server.log.outcomes import Busy, Unavailable
from server.play.failures import refusal_for
from server.rotation import Rotation
from server.single_flight import Connection, SingleFlight, done_or_gone

T = TypeVar("T")

LATER: Final = "too many ask for this at once: ask again in some seconds"

SILENT: Final = 1.0
"""Seconds without an answer to anybody after which one that failed tells that the database is away."""


class Turns:
    """The turns of a node, of which so many are taken at once."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._waiting = Rotation[asyncio.Future[None]]()
        self._shared = SingleFlight()
        """The questions that wait for their turn, and that others may share."""
        self._answered = 0
        """How many turns have ended otherwise than for the database."""

    @property
    def crowded(self) -> bool:
        """Whether any waits for a turn."""
        return bool(self._waiting)

    def waiting_at(self, address: Address) -> int:
        """Return how many wait at an address."""
        return self._waiting.at(address)

    @asynccontextmanager
    async def turn(
        self,
        address: Address,
        connection: Connection | None = None,
        *,
        longest: float | None = None,
        most: int | None = None,
    ) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the context.

        Raises ConnectionClosed instead if the connection that is named has ended or ends meanwhile, Busy
        where `most` wait at the address or after `longest` seconds, and Unavailable.
        """
        if most is not None and self.waiting_at(address) >= most:
            raise Busy(LATER)
        try:
            async with asyncio.timeout(longest):
                await self._wait(address, connection)
        except TimeoutError:
            raise Busy(LATER) from None
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

    async def shared(
        self,
        key: Hashable,
        address: Address,
        question: Callable[[], Awaitable[T]],
        connection: Connection | None = None,
    ) -> T:
        """Return the answer to a question, asked in a turn; calls with an equal key share one that waits.

        Raises what the question raises, to all who share it, and what `turn` raises.
        """
        if self._left:
            async with self.turn(address, connection):
                return await question()
        return await self._shared.once(key, partial(self._ask, key, address, question), connection)

    async def _ask(self, key: Hashable, address: Address, question: Callable[[], Awaitable[T]]) -> T:
        async with self.turn(address):
            self._shared.join_no_more(key)
            return await question()

    async def _wait(self, address: Address, connection: Connection | None) -> None:
        if connection is not None:
            connection.look_there()
        if self._left:
            self._left -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.add(address, turn)
        try:
            await done_or_gone(turn, connection)
            if connection is not None:
                connection.look_there()
        except BaseException:
            if not turn.done():
                self._waiting.discard(address, turn)
            elif turn.exception() is None:
                self._next()  # it was given a turn, and does not take it
            raise
        turn.result()

    def _next(self) -> None:
        """Give the turn to the next."""
        if self._waiting:
            self._waiting.take().set_result(None)
        else:
            self._left += 1

    def _refuse(self) -> None:
        while self._waiting:
            self._waiting.take().set_exception(Unavailable("the database gave no answer to others who asked"))
