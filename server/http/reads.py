"""What is read of whole matches over HTTP: a long match costs thousands of times what a message does.

Laws of this module:
- Of each address one read is under way at a time. The others wait for their turn, and longer if it has read a
  great deal of late: by the facts of the match, whatever came of it.
- What several want at the same time is read once.
- Nobody waits for another address's turn.

Deliberately absent: what is read (`server.http.api`), and how much an address may (`server.limits`).
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
    """The reads of a node that are under way or wait."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[bytes]] = {}

    async def read(self, address: Address, wish: Hashable, cost: float, work: Work) -> bytes:
        """Return what the work returns, the same for all with this wish. Raises Busy, and what it raises."""
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
