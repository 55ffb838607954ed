"""The crowds of all nodes, in Redis: a key for each match and node, which expires, and the set of nodes.

Anybody who holds Redis may write there, so that what is read is believed to be counts and nothing else:
what has another form counts as nobody.
"""

import re
from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from server.fanout.bus import summed, tag
from server.fanout.presence import NOBODY, Crowd

NODES: Final = "p:nodes"
"""The sorted set of nodes, by the time at which each last published its presence."""

MOST_NODES: Final = 1024
"""Nodes whose crowds are summed, the last heard first."""

CROWD: Final = re.compile(rb"([0-9]{1,6}) ([0-9]{1,7})")
"""A crowd as it is written: seats, a bit each, and onlookers."""


class RedisPresence:
    """The crowds of this node, written, and those of others, read. Any method raises what the client does."""

    def __init__(self, redis: Any, node: str, absence: float) -> None:
        """Take the seconds until a node that says nothing is forgotten."""
        self._redis, self._node, self._absence = redis, node, absence
        self._told: dict[UUID, tuple[Crowd, float]] = {}

    def forget(self) -> None:
        """Write all crowds anew the next time: Redis may have lost them."""
        self._told.clear()

    async def leave(self) -> None:
        """Remove this node from the set."""
        await self._redis.zrem(NODES, self._node)

    async def sums(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd]:
        """Write an expiring key for each match here; return the sums over all live nodes."""
        seconds, micros = await self._redis.time()  # Redis's clock, so that the nodes' clocks do not matter
        now = seconds + micros / 1e6
        pipeline = self._redis.pipeline(transaction=False)
        for match, crowd in here.items():
            self._write(pipeline, match, crowd, now)
        pipeline.zadd(NODES, {self._node: now})
        pipeline.zremrangebyscore(NODES, "-inf", now - self._absence)
        pipeline.zrange(NODES, -MOST_NODES, -1)
        nodes = [name.decode(errors="replace") for name in (await pipeline.execute())[-1]]
        others = [node for node in nodes if node != self._node]
        return await self._sums(here, others) if others else here

    def _write(self, pipeline: Any, match: UUID, crowd: Crowd, now: float) -> None:
        key = _key(match, self._node)
        if crowd == NOBODY:
            self._told.pop(match, None)
            pipeline.delete(key)
            return
        said, when = self._told.get(match, (NOBODY, 0.0))
        if said == crowd and now - when < self._absence / 3:
            return
        self._told[match] = crowd, now
        pipeline.set(key, f"{crowd.seats} {crowd.onlookers}", px=int(self._absence * 1000))

    async def _sums(self, here: dict[UUID, Crowd], others: Collection[str]) -> dict[UUID, Crowd]:
        pipeline = self._redis.pipeline(transaction=False)
        for match in here:
            pipeline.mget([_key(match, node) for node in others])
        found = await pipeline.execute()
        return {
            match: summed([crowd, *map(_read, texts)])
            for (match, crowd), texts in zip(here.items(), found, strict=True)
        }


def _key(match: UUID, node: str) -> str:
    return f"p:{tag(match)}:{match}:{node}"


def _read(text: bytes | None) -> Crowd:
    told = CROWD.fullmatch(text or b"")
    return Crowd(int(told[1]), int(told[2])) if told else NOBODY
