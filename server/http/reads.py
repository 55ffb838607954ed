"""Rate limits for reads of whole matches over HTTP: one may cost thousands of times as much as a message.

Laws of this module:
- Each address has one read under way at a time; its others wait in a queue, and for its token bucket. A read
  costs by the facts of the match, whether it succeeds or not.
- Concurrent equal reads share one execution, which ends when none of them waits any more.
- No address waits for the queue of another, but all of a node share so many places. Reads go before disputes
  there, and nothing begins while hellos wait, for a while.
- Who has waited too long, at his address or for a place, is told to come later.

Deliberately absent: what is read (`server.http.matches`), and the limits themselves (`server.limits`).
"""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Hashable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, TypeVar

from server.addresses import Address
from server.limits import READERS
from server.log.outcomes import Busy
from server.single_flight import SingleFlight, Work

T = TypeVar("T")

PLACES: Final = 2
"""Reads of a node that are under way at once: each takes the loop, or a thread beside it, from who plays."""

LONGEST: Final = 30.0
"""Seconds that a read waits for its address, and then for a place, before it is told to come later."""

TOO_MUCH: Final = "too much is read from one address at once: ask again later"

LOOK: Final = 0.05
"""Seconds after which what has a place looks again whether hellos wait; LOOKS times, and then it begins."""

LOOKS: Final = 40


async def beside_the_loop(work: Generator[None, None, T]) -> T | None:
    """Run a generator to its end in a thread; return its value, or raise what it raises.

    It goes no further than to its next step once nobody waits for it.
    """
    given_up = threading.Event()

    def run() -> T | None:
        while not given_up.is_set():
            try:
                next(work)
            except StopIteration as done:
                value: T = done.value
                return value
        work.close()
        return None

    try:
        return await asyncio.to_thread(run)
    finally:
        given_up.set()


class Places:
    """The places of a node for reads, and who waits for one."""

    def __init__(self, most: int, hellos_wait: Callable[[], bool]) -> None:
        """Take the number of places, and whether hellos wait."""
        self._left, self._hellos_wait = most, hellos_wait
        self._reads, self._disputes = deque[asyncio.Future[None]](), deque[asyncio.Future[None]]()

    @asynccontextmanager
    async def place(self, *, dispute: bool = False) -> AsyncIterator[None]:
        """Wait for a place, which lasts as long as the context. Raises Busy after LONGEST seconds."""
        await self._wait(self._disputes if dispute else self._reads)
        try:
            await self._let_hellos_go_first()
            yield
        finally:
            self._next()

    async def _wait(self, queue: "deque[asyncio.Future[None]]") -> None:
        if self._left:
            self._left -= 1
            return
        place = asyncio.get_running_loop().create_future()
        queue.append(place)
        try:
            await asyncio.wait({place}, timeout=LONGEST)
        except asyncio.CancelledError:
            if place.done():
                self._next()  # it was given a place, and does not take it
            else:
                queue.remove(place)
            raise
        if not place.done():
            queue.remove(place)
            raise Busy("too much is read at once: ask again later")

    def _next(self) -> None:
        """Give the place to the read that has waited longest, else to such a dispute."""
        for queue in (self._reads, self._disputes):
            if queue:
                queue.popleft().set_result(None)
                return
        self._left += 1

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return len(self._reads) + len(self._disputes)

    async def _let_hellos_go_first(self) -> None:
        for _ in range(LOOKS):
            if not self._hellos_wait():
                break
            await asyncio.sleep(LOOK)


class Reads:
    """The reads of a node that are queued or under way."""

    def __init__(self, hellos_wait: Callable[[], bool] = lambda: False) -> None:
        """Take whether hellos wait."""
        self._shared = SingleFlight()
        self._places = Places(PLACES, hellos_wait)

    async def read(
        self, address: Address, wish: Hashable, cost: float, work: Work[T], *, dispute: bool = False
    ) -> T:
        """Return the result of `work`, shared by concurrent calls with an equal `wish`.

        `cost` is spent from the address's bucket. Raises Busy, and what the work raises.
        """
        placed = partial(self._placed, work, dispute=dispute)
        in_turn = partial(self._in_turn, address, cost, partial(self._shared.once, wish, placed))
        return await self._shared.once((address, wish), in_turn)

    async def _in_turn(self, address: Address, cost: float, work: Callable[[], Awaitable[T]]) -> T:
        owed = address.reads.owed()
        if address.readers >= READERS or owed > LONGEST:
            address.turn_away("reads")
            raise Busy(TOO_MUCH, owed)
        address.readers += 1
        try:
            async with asyncio.timeout(LONGEST) as limit, address.turn:
                await asyncio.sleep(address.reads.owed())
                limit.reschedule(None)
                address.reads.spend(cost)
                return await work()
        except TimeoutError:
            if not limit.expired():
                raise
            address.turn_away("reads")
            raise Busy(TOO_MUCH, address.reads.owed()) from None
        finally:
            address.readers -= 1

    async def _placed(self, work: Work[T], *, dispute: bool) -> T:
        async with self._places.place(dispute=dispute):
            return await work()
