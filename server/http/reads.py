"""Rate limits for reads of whole matches over HTTP: one may cost thousands of times as much as a message.

Laws of this module:
- Each address has one read under way at a time; its others wait in a queue, and for its token bucket. A read
  costs by the facts of the match, whether it succeeds or not.
- Concurrent equal reads share one execution.
- No address waits for the queue of another.

Deliberately absent: what is read (`server.http.api`), and the limits themselves (`server.limits`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from functools import partial
from typing import Any

from server.addresses import Address
from server.limits import READERS
from server.log.outcomes import Busy

Work = Callable[[], Coroutine[Any, Any, bytes]]


class Reads:
    """The reads of a node that are queued or under way."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[bytes]] = {}

    async def read(self, address: Address, wish: Hashable, cost: float, work: Work) -> bytes:
        """Return the result of `work`, shared by concurrent calls with an equal `wish`.

        `cost` is spent from the address's bucket. Raises Busy, and what the work raises.
        """
        in_turn = partial(self._in_turn, address, cost, partial(self._once, wish, work))
        return await self._once((address, wish), in_turn)

    def _once(self, key: Hashable, work: Work) -> Awaitable[bytes]:
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work())
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return asyncio.shield(task)

    async def _in_turn(self, address: Address, cost: float, work: Callable[[], Awaitable[bytes]]) -> bytes:
        if address.readers >= READERS:
            raise Busy("too much is read from one address at once")
        address.readers += 1
        try:
            async with address.turn:
                await asyncio.sleep(address.reads.owed())
                address.reads.spend(cost)
                return await work()
        finally:
            address.readers -= 1
