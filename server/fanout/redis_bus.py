"""The bus of many nodes, through Redis, under the laws of `server.fanout.bus`.

Deliberately absent: the sharded channels of a Redis Cluster. Channel names are made for them, but the client
library polls the shards one after the other.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Collection, Coroutine, Iterable
from typing import Any, Final
from uuid import UUID

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from server.fanout.broadcasts import Broadcast, Timing, Topic, end
from server.fanout.bus import BusListener, channel, summed, tag, unpack
from server.fanout.outbox import Batch, Outbox
from server.fanout.presence import NOBODY, Crowd

log = structlog.get_logger(__name__)

SUBSCRIBE_AT_ONCE: Final = 500
"""Channels in one SUBSCRIBE."""


NODES: Final = "p:nodes"
"""The sorted set of nodes, by the time at which each last published its presence."""


class HeartbeatLost(Exception):
    """Our own heartbeat has not come back."""


class RedisBus:
    """The bus of many nodes. Every command to Redis has a deadline; a connection that fails is replaced."""

    def __init__(self, url: str, node: str | None = None, timing: Timing | None = None) -> None:
        self._out = Outbox()
        self._timing = timing or Timing()
        self._node = node or secrets.token_hex(8)
        # No error may be retried: the library would make a new connection, for each task that uses the broken
        # one, even with no retries, and hide from us what we must doubt.
        self._redis: Any = Redis.from_url(
            url,
            socket_timeout=self._timing.answer,
            socket_connect_timeout=self._timing.answer,
            retry=Retry(NoBackoff(), 0, supported_errors=()),
            health_check_interval=0,
        )
        self._listener: BusListener | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._pulse = f"f:pulse:{self._node}"
        self._heard = float("-inf")  # when our heartbeat last came back
        self._beating = False  # whether one is due to be sent
        self._away = False  # whether it has been logged that Redis is away
        self._work = asyncio.Event()
        self._idle = asyncio.Event()
        self._topics: dict[bytes, Topic] = {}
        self._wanted: dict[Topic, bool] = {}  # subscriptions to begin (True) or to end
        self._change = asyncio.Event()
        self._told: dict[UUID, tuple[Crowd, float]] = {}

    @property
    def dropped(self) -> int:
        """Broadcasts of which only the range was sent."""
        return self._out.dropped

    @property
    def up(self) -> bool:
        """Whether our heartbeat came back within the last 1.5 intervals."""
        return asyncio.get_running_loop().time() - self._heard < 1.5 * self._timing.beat

    async def start(self, listener: BusListener) -> None:
        """Start to receive and to publish, without waiting for Redis."""
        self._listener = listener
        self._tasks = {asyncio.create_task(run()) for run in (self._pump, self._listen)}

    async def stop(self) -> None:
        """Publish what is queued if Redis is up, and end."""
        if self.up:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._timing.answer):
                    await self._idle.wait()
        await end(self._tasks)
        with contextlib.suppress(Exception):
            if self.up:
                await self._redis.zrem(NODES, self._node)
        self._heard = float("-inf")
        await self._redis.aclose()

    # Publishing

    def publish(self, broadcasts: Iterable[Broadcast]) -> None:
        """Queue the broadcasts for the next pipeline; of those that do not fit only the range is sent."""
        self._out.put(broadcasts)
        self._idle.clear()
        self._work.set()

    async def _pump(self) -> None:
        """Send batch after batch; what arrives while a pipeline is running goes into the next."""
        while True:
            await self._work.wait()
            self._work.clear()
            while self._out or self._beating:
                batch = self._out.next_batch()
                try:
                    await self._send(batch)
                except Exception as fault:
                    self._complain(fault)
                    self._out.put_off(batch)
                    await asyncio.sleep(self._timing.again)
            self._idle.set()

    async def _send(self, batch: Batch) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        if self._beating:
            self._beating = False
            pipeline.publish(self._pulse, b"")
        for topic, span in batch.owed:
            pipeline.publish(channel(topic), b"%d:%d\n" % span)
        for topic, _, _, data in batch.broadcasts:
            pipeline.publish(channel(topic), data)
        async with asyncio.timeout(self._timing.answer):
            await pipeline.execute()

    # Listening

    def watch(self, topic: Topic) -> None:
        """Request a subscription; a task makes it."""
        self._topics[channel(topic).encode()] = topic
        self._wanted[topic] = True
        self._change.set()

    def unwatch(self, topic: Topic) -> None:
        """Request the end of a subscription; what still arrives is ignored."""
        self._topics.pop(channel(topic).encode(), None)
        self._wanted[topic] = False
        self._change.set()

    async def _listen(self) -> None:
        """Receive over one connection after another, each until it fails or its heartbeat stops."""
        while True:
            try:
                await self._session()
            except Exception as fault:
                self._complain(fault)
            self._heard = float("-inf")
            await asyncio.sleep(self._timing.again)

    def _complain(self, fault: Exception) -> None:
        """Log that Redis is away, once, not at every attempt."""
        if not self._away:
            self._away = True
            log.warning("bus.away", fault=repr(fault))

    async def _session(self) -> None:
        pubsub = self._redis.pubsub(ignore_subscribe_messages=False)
        try:
            self._wanted.clear()
            topics = list(self._topics)
            async with asyncio.timeout(self._timing.answer):
                await pubsub.subscribe(self._pulse)
                for first in range(0, len(topics), SUBSCRIBE_AT_ONCE):
                    await pubsub.subscribe(*topics[first : first + SUBSCRIBE_AT_ONCE])
            await self._together(self._read(pubsub), self._steer(pubsub), self._beat())
        finally:
            with contextlib.suppress(Exception):
                await pubsub.aclose()

    async def _together(self, *work: Coroutine[Any, Any, None]) -> None:
        """Run until one fails, end the others, and raise what it raised.

        Not a task group, which cancels its tasks once: `end` says why that is not enough.
        """
        tasks = {asyncio.create_task(one) for one in work}
        self._tasks |= tasks
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end(tasks)
            self._tasks -= tasks

    async def _read(self, pubsub: Any) -> None:
        while True:
            message = await pubsub.get_message(timeout=None)
            if message is None:
                continue
            if message["type"] == "message":
                self._message(message["channel"], message["data"])
            elif message["type"] == "subscribe":
                self._confirmed(message["channel"])

    def _message(self, name: bytes, data: bytes) -> None:
        if name == self._pulse.encode():
            self._heard = asyncio.get_running_loop().time()
            if self._away:
                self._away = False
                log.info("bus.back", dropped=self.dropped)
            return
        topic = self._topics.get(name)
        if topic is None or self._listener is None:
            return
        try:
            broadcast = unpack(topic, data)
        except ValueError:
            log.warning("bus.not_a_frame", channel=name)
            self._listener.compare_with_log([topic])
            return
        self._listener.arrived(broadcast)

    def _confirmed(self, name: bytes) -> None:
        topic = self._topics.get(name)
        if topic is not None and self._listener is not None:
            self._listener.compare_with_log([topic])

    async def _steer(self, pubsub: Any) -> None:
        """Carry out requested changes of subscriptions, many in one command."""
        while True:
            await self._change.wait()
            self._change.clear()
            wanted, self._wanted = self._wanted, {}
            for wish, command in ((False, pubsub.unsubscribe), (True, pubsub.subscribe)):
                names = [channel(topic) for topic, wished in wanted.items() if wished is wish]
                for first in range(0, len(names), SUBSCRIBE_AT_ONCE):
                    async with asyncio.timeout(self._timing.answer):
                        await command(*names[first : first + SUBSCRIBE_AT_ONCE])

    async def _beat(self) -> None:
        """Send heartbeats the way broadcasts go.

        Raises HeartbeatLost when none has come back for `Timing.silence`.
        """
        clock = asyncio.get_running_loop().time
        begun = clock()
        while True:
            self._beating = True
            self._work.set()
            await asyncio.sleep(self._timing.beat)
            if clock() - max(begun, self._heard) > self._timing.silence:
                raise HeartbeatLost

    # Presence

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Write an expiring key for each match here; return the sums over all live nodes, None if unknown."""
        if not self.up:
            self._told.clear()
            return None
        try:
            async with asyncio.timeout(self._timing.answer):
                return await self._presence(here)
        except Exception as fault:
            self._complain(fault)
            self._told.clear()
            return None

    async def _presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd]:
        seconds, micros = await self._redis.time()  # Redis's clock, so that the nodes' clocks do not matter
        now = seconds + micros / 1e6
        pipeline = self._redis.pipeline(transaction=False)
        for match, crowd in here.items():
            self._write_crowd(pipeline, match, crowd, now)
        pipeline.zadd(NODES, {self._node: now})
        pipeline.zremrangebyscore(NODES, "-inf", now - self._timing.absence)
        pipeline.zrange(NODES, 0, -1)
        nodes = [name.decode() for name in (await pipeline.execute())[-1]]
        others = [node for node in nodes if node != self._node]
        if not others:
            return here
        return await self._sums(here, others)

    def _write_crowd(self, pipeline: Any, match: UUID, crowd: Crowd, now: float) -> None:
        key = self._key(match, self._node)
        if crowd == NOBODY:
            self._told.pop(match, None)
            pipeline.delete(key)
            return
        said, when = self._told.get(match, (NOBODY, 0.0))
        if said == crowd and now - when < self._timing.absence / 3:
            return
        self._told[match] = crowd, now
        pipeline.set(key, f"{crowd.seats} {crowd.onlookers}", px=int(self._timing.absence * 1000))

    async def _sums(self, here: dict[UUID, Crowd], others: Collection[str]) -> dict[UUID, Crowd]:
        pipeline = self._redis.pipeline(transaction=False)
        for match in here:
            pipeline.mget([self._key(match, node) for node in others])
        found = await pipeline.execute()
        return {
            match: summed([crowd, *(Crowd(*map(int, text.split())) for text in texts if text)])
            for (match, crowd), texts in zip(here.items(), found, strict=True)
        }

    @staticmethod
    def _key(match: UUID, node: str) -> str:
        return f"p:{tag(match)}:{match}:{node}"
