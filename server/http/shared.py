"""Work that several want at once and that is done once: it ends when none of them waits any more."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")

Work = Callable[[], Coroutine[Any, Any, T]]


class UnderWay(Struct):
    """Work that is under way, and how many wait for it."""

    task: asyncio.Task[Any]
    askers: int = 0


class Shared:
    """Works under way, by what is wanted."""

    def __init__(self) -> None:
        self._works: dict[Hashable, UnderWay] = {}

    def __len__(self) -> int:
        """How many are under way."""
        return len(self._works)

    async def once(self, key: Hashable, work: Work[T]) -> T:
        """Return the result of `work`, or of an equal one that is under way. Raises what that raises."""
        one = self._works.get(key)
        if one is None or one.task.done():
            one = self._works[key] = UnderWay(asyncio.create_task(work()))
        one.askers += 1
        try:
            result: T = await asyncio.shield(one.task)
        finally:
            one.askers -= 1
            if not one.askers:
                one.task.cancel()
                if self._works.get(key) is one:
                    del self._works[key]
        return result
