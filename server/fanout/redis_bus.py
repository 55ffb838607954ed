"""The bus of many nodes, through Redis, under the laws of `server.fanout.bus`.

A match has one channel, whose messages hold what all its audiences are told: any node may know it. Redis is
not trusted: messages are sealed, and all that it could make up is our heartbeat and counts of who is present.

Deliberately absent: the sharded channels of a Redis Cluster. Channel names are made for them, but the client
library polls the shards one after the other.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final
from uuid import UUID

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from domain.kernel.audience import VIEWERS, Viewer
from server.fanout.broadcasts import Broadcast, Node, Timing, Topic, end
from server.fanout.bus import BusListener, channel
from server.fanout.letters import Letters, NoAnswer
from server.fanout.messages import NotOurs, Seals, sender, wall_clock
from server.fanout.outbox import Batch, Counts, Outbox
from server.fanout.presence import Crowd
from server.fanout.redis_presence import RedisPresence

log = structlog.get_logger(__name__)

SUBSCRIBE_AT_ONCE: Final = 500
"""Channels in one SUBSCRIBE."""

COMPLAIN: Final = 60.0
"""Seconds between log lines that tell of messages that were refused."""


class HeartbeatLost(Exception):
    """Our own heartbeat has not come back."""


class RedisBus:
    """The bus of many nodes. Every command to Redis has a deadline; a connection that fails is replaced."""

    def __init__(
        self,
        url: str,
        keys: Sequence[bytes],
        timing: Timing | None = None,
        now: Callable[[], int] = wall_clock,
    ) -> None:
        """Take the keys, the first of which seals, and what tells the cluster's time, in microseconds."""
        self.counts = Counts()
        self._out = Outbox(self.counts)
        self._timing = timing or Timing()
        self._seals = Seals(keys, now)
        name = self._seals.node.hex()
        # No error may be retried: the library would make a new connection, for each task that uses the broken
        # one, even with no retries, and hide from us what we must doubt.
        self._redis: Any = Redis.from_url(
            url,
            socket_timeout=None,  # a deadline for each answer costs as much as the answer
            socket_connect_timeout=self._timing.answer,
            retry=Retry(NoBackoff(), 0, supported_errors=()),
            health_check_interval=0,
        )
        self._listener: BusListener | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._pulse = f"f:pulse:{name}"
        self._heard = float("-inf")  # when our heartbeat last came back
        self._beating = False  # whether one is due to be sent
        self._away = False  # whether it has been logged that Redis is away
        self._work = asyncio.Event()
        self._idle = asyncio.Event()
        self._watched: dict[UUID, set[Viewer]] = {}
        self._channels: dict[bytes, UUID] = {}  # of the matches that are watched
        self._wanted: dict[UUID, bool] = {}  # subscriptions to begin (True) or to end
        self._change = asyncio.Event()
        self._letters = Letters(self._seals, self._post, self._timing.ask)
        self._crowds = RedisPresence(self._redis, name, self._timing.absence)
        self._doubted: set[UUID] = set()  # of which something was refused, until the log has been looked at
        self._complained = float("-inf")  # when it was last logged that something was refused

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
        await self._letters.stop()
        await end(self._tasks)
        with contextlib.suppress(Exception):
            if self.up:
                async with asyncio.timeout(self._timing.answer):
                    await self._crowds.leave()
        self._heard = float("-inf")
        await self._redis.aclose()

    # Publishing

    def publish(self, broadcasts: Sequence[Broadcast]) -> None:
        """Queue the broadcasts for the next pipeline; if they do not fit, only the range is sent."""
        self._out.put(broadcasts)
        self._idle.clear()
        self._work.set()

    async def ask(self, node: Node, question: bytes) -> bytes:
        """Return another node's answer; one that is not there is known at once. Raises NoAnswer."""
        if not self.up:
            raise NoAnswer
        return await self._letters.ask(node, question)

    def _post(self, name: bytes, letter: bytes) -> None:
        self._out.post(name, letter)
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
                    self._letters.lost()
                    await asyncio.sleep(self._timing.again)
            self._idle.set()

    async def _send(self, batch: Batch) -> None:
        commands = []
        if self._beating:
            self._beating = False
            commands.append(_publish(self._pulse.encode(), b""))
        owed = [[Broadcast(match, viewer, *span, b"") for viewer in VIEWERS] for match, span in batch.owed]
        for broadcasts in (*owed, *batch.messages):
            name = channel(broadcasts[0].match).encode()
            commands.append(_publish(name, self._seals.pack(name, broadcasts)))
        commands += [_publish(*letter) for letter in batch.letters]
        pool = self._redis.connection_pool
        async with asyncio.timeout(self._timing.answer):
            line = await pool.get_connection()
            try:
                await line.send_packed_command([b"".join(commands)])
                heard = [await line.read_response() for _ in commands]
            except BaseException:
                await line.disconnect(nowait=True)  # or answers would be taken for those of later commands
                raise
            finally:
                await pool.release(line)
        for (name, _), nodes in zip(reversed(batch.letters), reversed(heard), strict=False):
            if not nodes:
                self._letters.lost(name)

    # Listening

    def watch(self, topic: Topic) -> None:
        """Request a subscription; a task makes it."""
        match, audience = topic
        self._watched.setdefault(match, set()).add(audience)
        self._channels[channel(match).encode()] = match
        self._wanted[match] = True
        self._change.set()

    def unwatch(self, topic: Topic) -> None:
        """Request the end of a subscription; what still arrives is ignored."""
        match, audience = topic
        watched = self._watched.get(match, set())
        watched.discard(audience)
        if not watched:
            self._watched.pop(match, None)
            self._channels.pop(channel(match).encode(), None)
            self._wanted[match] = False
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
            channels = list(self._channels)
            async with asyncio.timeout(self._timing.answer):
                await pubsub.subscribe(self._pulse, self._letters.channel)
                for first in range(0, len(channels), SUBSCRIBE_AT_ONCE):
                    await pubsub.subscribe(*channels[first : first + SUBSCRIBE_AT_ONCE])
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
                log.info("bus.back", dropped=self.counts.dropped)
            return
        if name == self._letters.channel:
            self._letter(data)
            return
        match = self._channels.get(name)
        if match is None or self._listener is None or self._seals.is_own(data):
            return
        try:
            broadcasts = self._seals.open(name, match, data)
        except NotOurs:
            self._refuse(match)
            return
        watched, node = self._watched[match], sender(data)
        for broadcast in broadcasts:
            if broadcast.audience in watched:
                self._listener.arrived(broadcast, node)

    def _letter(self, data: bytes) -> None:
        try:
            if self._listener is not None:
                self._letters.arrived(data, self._listener.asked)
        except NotOurs:
            self.counts.refused += 1

    def _confirmed(self, name: bytes) -> None:
        match = self._channels.get(name)
        if match is not None:
            self._doubt(match)

    def _doubt(self, match: UUID) -> None:
        if self._listener is not None:
            self._listener.compare_with_log([(match, viewer) for viewer in self._watched.get(match, ())])

    def _refuse(self, match: UUID) -> None:
        """Believe nothing of a message; a little later, for all such together, look what the log says."""
        self.counts.refused += 1
        if not self._doubted:
            asyncio.get_running_loop().call_later(self._timing.again, self._after_refusals)
        self._doubted.add(match)

    def _after_refusals(self) -> None:
        now = time.monotonic()
        if now - self._complained > COMPLAIN:
            self._complained = now
            log.warning("bus.refused", messages=self.counts.refused)
        for match in self._doubted:
            self._doubt(match)
        self._doubted.clear()

    async def _steer(self, pubsub: Any) -> None:
        """Carry out requested changes of subscriptions, many in one command."""
        while True:
            await self._change.wait()
            self._change.clear()
            wanted, self._wanted = self._wanted, {}
            for wish, command in ((False, pubsub.unsubscribe), (True, pubsub.subscribe)):
                names = [channel(match) for match, wished in wanted.items() if wished is wish]
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
        """Publish this node's crowds; return the sums over all live nodes, None if unknown."""
        if self.up:
            try:
                async with asyncio.timeout(self._timing.answer):
                    return await self._crowds.sums(here)
            except Exception as fault:
                self._complain(fault)
        self._crowds.forget()
        return None


def _publish(name: bytes, data: bytes) -> bytes:
    """Return a PUBLISH as it is sent: the library's own pipeline takes twice as much of the processor."""
    return b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n" % (len(name), name, len(data), data)
