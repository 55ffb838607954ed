"""The crowds of all nodes, in Redis: a key for each match and node, which expires, and the set of nodes.

The set, sorted by the time at which each node last published its presence, is in the first part
(`server.fanout.channels`), and a match's keys in the match's: a pipeline goes to one master.

Anybody who holds Redis may write there, so that what is read is believed to be counts and nothing else:
what has another form counts as nobody.
"""

import asyncio
import re
from collections.abc import Callable, Collection
from typing import Any, Final
from uuid import UUID

from server.fanout import channels
from server.fanout.broadcasts import end
from server.fanout.bus import summed
from server.fanout.channels import NODES, part
from server.fanout.presence import NOBODY, Crowd

FIRST: Final = channels.part_of(NODES.encode())

MOST_NODES: Final = 1024
"""Nodes whose crowds are summed, the last heard first."""

CROWD: Final = re.compile(rb"([0-9]{1,6}) ([0-9]{1,7})")
"""A crowd as it is written: seats, a bit each, and onlookers."""


class RedisPresence:
    """The crowds of this node, written, and those of others, read. Any method raises what the client does."""

    def __init__(self, redis: Callable[[int], Any], node: str, absence: float) -> None:
        """Take the client of each part, and the seconds until a node that says nothing is forgotten."""
        self._redis, self._node, self._absence = redis, node, absence
        self._told: dict[UUID, tuple[Crowd, float]] = {}

    def forget(self) -> None:
        """Write all crowds anew the next time: Redis may have lost them."""
        self._told.clear()

    async def leave(self) -> None:
        """Remove this node from the set."""
        await self._redis(FIRST).zrem(NODES, self._node)

    async def sums(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd]:
        """Write an expiring key for each match here; return the sums over all live nodes."""
        first = self._redis(FIRST)
        seconds, micros = await first.time()  # Redis's clock, so that the nodes' clocks do not matter
        now = seconds + micros / 1e6
        pipeline = first.pipeline(transaction=False)
        pipeline.zadd(NODES, {self._node: now})
        pipeline.zremrangebyscore(NODES, "-inf", now - self._absence)
        pipeline.zrange(NODES, -MOST_NODES, -1)
        nodes = [name.decode(errors="replace") for name in (await pipeline.execute())[-1]]
        others = [node for node in nodes if node != self._node]
        at: dict[Any, list[UUID]] = {}
        for match in here:
            at.setdefault(self._redis(part(match)), []).append(match)
        asked = [
            asyncio.create_task(self._sums(redis, {match: here[match] for match in matches}, others, now))
            for redis, matches in at.items()
        ]
        try:
            return {match: crowd for sums in await asyncio.gather(*asked) for match, crowd in sums.items()}
        finally:
            await end(asked)  # where one fails, nothing more may be asked of the others

    async def elsewhere(self, matches: Collection[UUID]) -> dict[UUID, Crowd]:
        """Read the crowds of matches at all other live nodes, and write nothing."""
        first = self._redis(FIRST)
        seconds, micros = await first.time()
        since = seconds + micros / 1e6 - self._absence
        alive = await first.zrange(NODES, since, "+inf", byscore=True)
        names = [name.decode(errors="replace") for name in alive[-MOST_NODES:]]
        others = [name for name in names if name != self._node]
        found = dict[UUID, Crowd]()
        for match in matches:
            keys = [channels.crowd(match, node) for node in others]
            found[match] = summed(map(_read, await self._redis(part(match)).mget(keys))) if keys else NOBODY
        return found

    async def _sums(
        self, redis: Any, here: dict[UUID, Crowd], others: Collection[str], now: float
    ) -> dict[UUID, Crowd]:
        """Write and sum the crowds of matches at one master."""
        pipeline = redis.pipeline(transaction=False)
        for match, crowd in here.items():
            self._write(pipeline, match, crowd, now)
        written = len(pipeline)
        if others:
            for match in here:
                pipeline.mget([channels.crowd(match, node) for node in others])
        found = (await pipeline.execute())[written:] if len(pipeline) else []
        if not others:
            return here
        return {
            match: summed([crowd, *map(_read, texts)])
            for (match, crowd), texts in zip(here.items(), found, strict=True)
        }

    def _write(self, pipeline: Any, match: UUID, crowd: Crowd, now: float) -> None:
        key = channels.crowd(match, self._node)
        if crowd == NOBODY:
            self._told.pop(match, None)
            pipeline.delete(key)
            return
        said, when = self._told.get(match, (NOBODY, 0.0))
        if said == crowd and now - when < self._absence / 3:
            return
        self._told[match] = crowd, now
        pipeline.set(key, f"{crowd.seats} {crowd.onlookers}", px=int(self._absence * 1000))


def _read(text: bytes | None) -> Crowd:
    told = CROWD.fullmatch(text or b"")
    return Crowd(int(told[1]), int(told[2])) if told else NOBODY
