"""Names of hosts, looked up so that a name server that hangs keeps few others waiting.

Laws of this module:

1. A look-up by the system cannot be ended: it holds a thread for as long as the name server hangs, which is
   longer than anybody waits for it. So there are LOOK_UPS threads, of which what one person names, and what
   lies under one domain, holds EACH at most. Who finds no room waits for some, for as long as for an answer.
2. Of a host one look-up is under way at a time, and all who want it share what it finds.
3. A host whose look-up took longer than PATIENCE is not looked up for REST after that.

Deliberately absent: which addresses may be reached (`server.notices.outward`); a memory of what was found,
which is used once.
"""

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final
from uuid import UUID

from msgspec import Struct

LOOK_UPS: Final = 64
"""Look-ups at once."""

EACH: Final = 4
"""Of these for one person, and for one domain."""

PATIENCE: Final = 3.0
"""Seconds that a look-up may take."""

REST: Final = 300.0
"""Seconds for which a host that took longer is left alone."""

LookUp = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a host. Raises OSError, UnicodeError."""


class _UnderWay(Struct, frozen=True, eq=False):
    task: asyncio.Task[Sequence[str]]
    began: float
    on_behalf: tuple[UUID | None, str]


class Names:
    """The look-ups of one kind of channel on one node, in threads of their own."""

    def __init__(self, look_up: LookUp | None = None) -> None:
        """Take what looks up in place of the system."""
        self._threads = ThreadPoolExecutor(LOOK_UPS, "look up")
        self._look_up = look_up or self._by_system
        self._under_way: dict[str, _UnderWay] = {}
        self._held: Counter[UUID | str | None] = Counter()
        """Look-ups under way by person, and by domain."""
        self._resting: dict[str, float] = {}
        """By host until when, by the monotonic clock."""

    async def find(self, host: str, port: int, person: UUID | None = None) -> Sequence[str]:
        """Return the addresses of a host that this person has named.

        Raises OSError, UnicodeError, and TimeoutError where there is no answer, or no room, in time.
        """
        if self._hangs(host):
            raise TimeoutError
        on_behalf = person, domain_of(host)
        async with asyncio.timeout(PATIENCE):
            while host not in self._under_way and not self._has_room(on_behalf):
                tasks = [one.task for one in self._under_way.values()]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            one = self._under_way.get(host) or self._begin(host, port, on_behalf)
            return await asyncio.shield(one.task)

    def close(self) -> None:
        """End what is looked up. What hangs goes on in its thread, for nobody."""
        for one in self._under_way.values():
            one.task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _hangs(self, host: str) -> bool:
        one, now = self._under_way.get(host), time.monotonic()
        return now < self._resting.get(host, 0) or (one is not None and now - one.began > PATIENCE)

    def _has_room(self, on_behalf: tuple[UUID | None, str]) -> bool:
        return len(self._under_way) < LOOK_UPS and all(self._held[each] < EACH for each in on_behalf)

    def _begin(self, host: str, port: int, on_behalf: tuple[UUID | None, str]) -> _UnderWay:
        task = asyncio.create_task(self._looked_up(host, port))
        one = self._under_way[host] = _UnderWay(task, time.monotonic(), on_behalf)
        self._held.update(on_behalf)
        task.add_done_callback(partial(self._done, host, one))
        return one

    def _done(self, host: str, one: _UnderWay, task: asyncio.Task[Sequence[str]]) -> None:
        del self._under_way[host]
        self._held.subtract(one.on_behalf)
        self._held = +self._held
        now = time.monotonic()
        self._resting = {each: until for each, until in self._resting.items() if until > now}
        if not task.cancelled():
            task.exception()  # whoever waited may have left
            if now - one.began > PATIENCE:
                self._resting[host] = now + REST

    async def _looked_up(self, host: str, port: int) -> Sequence[str]:
        return await self._look_up(host, port)

    async def _by_system(self, host: str, port: int) -> Sequence[str]:
        look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(self._threads, look_up)
        return [str(place[0]) for *_, place in found]


def domain_of(host: str) -> str:
    """Return the last two labels of a host: who has a name has all below it."""
    return ".".join(host.rstrip(".").lower().rsplit(".", 2)[-2:])
