"""Work that several want at once and that is done once: it ends when none of them waits any more."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Protocol, TypeVar

from msgspec import Struct

T = TypeVar("T")

Work = Callable[[], Coroutine[Any, Any, T]]


class Connection(Protocol):
    """What is to be known of who may go while it waits (`server.socket.paced`)."""

    connection_lost_waiter: asyncio.Future[None]
    """Done when the connection has ended."""

    def look_there(self) -> None:
        """Raise ConnectionClosed if the connection has ended."""


class Flight(Struct):
    """Work that is under way, and how many wait for it."""

    task: asyncio.Task[Any]
    askers: int = 0


class SingleFlight:
    """Works under way, by what is wanted."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, Flight] = {}

    def __len__(self) -> int:
        """How many are under way that others may still join."""
        return len(self._flights)

    async def once(self, key: Hashable, work: Work[T], connection: Connection | None = None) -> T:
        """Return the result of `work`, or of an equal one that is under way.

        Raises what the work raises; ConnectionClosed if the connection that is named ends before it.
        """
        one = self._flights.get(key)
        if one is None or one.task.done():
            one = self._flights[key] = Flight(asyncio.create_task(work()))
        one.askers += 1
        try:
            await done_or_gone(one.task, connection)
            result: T = one.task.result()
        finally:
            one.askers -= 1
            if not one.askers:
                one.task.cancel()
                if self._flights.get(key) is one:
                    del self._flights[key]
        return result

    def join_no_more(self, key: Hashable) -> None:
        """Let nobody else join the work that calls this: who asks from now on begins it anew."""
        one = self._flights.get(key)
        if one is not None and one.task is asyncio.current_task():
            del self._flights[key]


async def done_or_gone(one: asyncio.Future[Any], connection: Connection | None) -> None:
    """Wait until something is done. Raises ConnectionClosed if the connection ends before it."""
    ends = set() if connection is None else {connection.connection_lost_waiter}
    await asyncio.wait({one} | ends, return_when=asyncio.FIRST_COMPLETED)
    if connection is not None and not one.done():
        connection.look_there()
