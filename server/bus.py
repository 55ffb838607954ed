"""Frames from node to node: one protocol, in the process or through Redis.

Laws of this module:
- Publishing never waits and never raises. What cannot be sent is owed: its range alone goes out later, and
  whoever hears it reads the log.
- Nothing that arrives is trusted to be all that was sent. A frame says which range it covers, and every
  confirmation of a subscription means that something may have been missed before it.
- The bus may be away at any moment. `up` says so, and the log is looked at meanwhile.

Deliberately absent: order, memory, acknowledgement. And the sharded channels of a Redis Cluster: the names
are made for them, but the client library waits for the shards in turn rather than for all together.
"""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Collection, Iterable
from typing import Any, Final, Protocol
from uuid import UUID

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from server.fanout import ONLOOKERS, Frame, Pace, Topic
from server.presence import NOBODY, Crowd

log = structlog.get_logger(__name__)

# fmt: off
TAGS: Final = (
    10, 18, 113, 342, 29, 21, 3, 122, 69, 61, 72, 162, 50, 58, 153, 43,
    11, 19, 112, 343, 28, 20, 2, 123, 68, 60, 73, 163, 51, 59, 152, 42,
    12, 102, 111, 119, 133, 23, 1, 9, 173, 63, 70, 78, 52, 142, 49, 41,
    13, 103, 110, 118, 132, 22, 0, 8, 172, 62, 71, 79, 53, 143, 48, 40,
)
# fmt: on
"""Hash tags; the n-th is the least number whose slot lies in the n-th 64th of a Cluster's 16,384 slots."""

LARGEST: Final = 16 << 10
"""Bytes of text a frame may carry through Redis; above it only its range goes."""

BATCH: Final = 512
"""Frames in one pipeline."""

QUEUE: Final = 4096
"""Frames that may wait for the pipeline in flight."""

QUEUE_BYTES: Final = 16 << 20
"""Bytes that may wait for it."""

MOST_OWED: Final = 1 << 16
"""Topics whose ranges are owed; beyond it the others find out when they next compare heads."""

SUBSCRIBE_AT_ONCE: Final = 500
"""Channels in one SUBSCRIBE."""

NODES: Final = "p:nodes"
"""The sorted set of nodes, by when each last told who is with it."""


class Ear(Protocol):
    """Who listens to the bus: the hub. Neither method may raise or wait."""

    def arrived(self, frame: Frame) -> None:
        """Hear a frame; its text is empty where only the range was sent."""
        ...

    def doubt(self, topics: Iterable[Topic]) -> None:
        """Hear that something may have been missed here: read the log."""
        ...


class Bus(Protocol):
    """Carries frames to every other node that watches their topic. The publisher may hear its own, too."""

    @property
    def up(self) -> bool:
        """Whether frames are known to get through."""
        ...

    @property
    def dropped(self) -> int:
        """Frames of which only the range went out, late, since the queue was full or Redis away."""
        ...

    async def start(self, ear: Ear) -> None:
        """Begin to listen. Does not wait for anything to be reachable."""
        ...

    async def stop(self) -> None:
        """Hand over what waits, if that is quick, and end."""
        ...

    def publish(self, frames: Iterable[Frame]) -> None:
        """Send frames, some time. Never waits, never raises."""
        ...

    def watch(self, topic: Topic) -> None:
        """Listen to a topic; the ear hears of doubt once that is so, and each time it is so again."""
        ...

    def unwatch(self, topic: Topic) -> None:
        """Listen to it no longer."""
        ...

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Tell who is with this node, hear who is with all nodes; None while that is unknown."""
        ...


def tag(match: UUID) -> str:
    """Give the match's hash tag: all that is kept about it in a Cluster lies in one slot."""
    return f"{{{TAGS[match.int % len(TAGS)]}}}"


def channel(topic: Topic) -> str:
    """Name the topic's channel: f:{tag}:<match>:0, :1 or :o."""
    match, audience = topic
    return f"f:{tag(match)}:{match}:{'o' if audience == ONLOOKERS else audience}"


def pack(frame: Frame) -> bytes:
    """Range and text as they travel: `after:upto`, a line feed, the text unless it is too large."""
    text = frame.text if len(frame.text) <= LARGEST else b""
    return b"%d:%d\n%b" % (frame.after, frame.upto, text)


def unpack(topic: Topic, data: bytes) -> Frame:
    """Give the frame that was packed; raises ValueError for anything else."""
    span, _, text = data.partition(b"\n")
    after, _, upto = span.partition(b":")
    return Frame(*topic, int(after), int(upto), text)


def summed(crowds: Iterable[Crowd]) -> Crowd:
    """One crowd made of many: a seat is present if it is anywhere."""
    seats = onlookers = 0
    for crowd in crowds:
        seats |= crowd.seats
        onlookers += crowd.onlookers
    return Crowd(seats, onlookers)


class Exchange:
    """What several local buses of one process share."""

    def __init__(self) -> None:
        self.buses: list[LocalBus] = []


class LocalBus:
    """The bus of a server that is alone: in the process, never away."""

    up = True
    dropped = 0

    def __init__(self, exchange: Exchange | None = None) -> None:
        self._exchange = exchange or Exchange()
        self._ear: Ear | None = None
        self._topics: set[Topic] = set()
        self._here: dict[UUID, Crowd] = {}

    async def start(self, ear: Ear) -> None:
        """Join the exchange."""
        self._ear = ear
        self._exchange.buses.append(self)

    async def stop(self) -> None:
        """Leave it."""
        self._ear = None
        self._exchange.buses.remove(self)

    def publish(self, frames: Iterable[Frame]) -> None:
        """Hand the frames to the other buses, in the loop's next round."""
        others = [bus for bus in self._exchange.buses if bus is not self]
        if not others:
            return
        loop = asyncio.get_running_loop()
        for frame in frames:
            for bus in others:
                loop.call_soon(bus.take, frame)

    def take(self, frame: Frame) -> None:
        """Hear a frame of another bus."""
        if self._ear is not None and (frame.match, frame.audience) in self._topics:
            self._ear.arrived(frame)

    def watch(self, topic: Topic) -> None:
        """Listen to a topic."""
        self._topics.add(topic)
        asyncio.get_running_loop().call_soon(self._confirm, topic)

    def unwatch(self, topic: Topic) -> None:
        """Listen to it no longer."""
        self._topics.discard(topic)

    def _confirm(self, topic: Topic) -> None:
        if self._ear is not None and topic in self._topics:
            self._ear.doubt([topic])

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Sum over the buses of the exchange."""
        self._here = {match: crowd for match, crowd in here.items() if crowd != NOBODY}
        return {
            match: summed(bus._here.get(match, NOBODY) for bus in self._exchange.buses)  # noqa: SLF001 - a peer
            for match in here
        }


class Silent(Exception):
    """Our own heartbeat did not come back."""


class RedisBus:
    """The bus of many nodes. Every await inside has a deadline; a connection that errs is not used again."""

    def __init__(self, url: str, node: str | None = None, pace: Pace | None = None) -> None:
        self.dropped = 0
        self._pace = pace or Pace()
        self._node = node or secrets.token_hex(8)
        # No retries: a second attempt inside the library would hide the very break we must hear of.
        self._redis: Any = Redis.from_url(
            url,
            socket_timeout=self._pace.answer,
            socket_connect_timeout=self._pace.answer,
            retry=Retry(NoBackoff(), 0),
            health_check_interval=0,
        )
        self._ear: Ear | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._pulse = f"f:pulse:{self._node}"
        self._heard = float("-inf")  # when our heartbeat last came back
        self._beating = False  # whether one is due to be sent
        self._away = False  # whether it has been said that Redis is
        self._queue: deque[tuple[Topic, int, int, bytes]] = deque()
        self._queued = 0
        self._owed: dict[Topic, tuple[int, int]] = {}
        self._work = asyncio.Event()
        self._idle = asyncio.Event()
        self._topics: dict[bytes, Topic] = {}
        self._wanted: dict[Topic, bool] = {}  # subscriptions to begin (True) or to end
        self._change = asyncio.Event()
        self._told: dict[UUID, tuple[Crowd, float]] = {}

    @property
    def up(self) -> bool:
        """Whether a heartbeat of ours came back lately; one late beat is reason enough to doubt."""
        return asyncio.get_running_loop().time() - self._heard < 1.5 * self._pace.beat

    async def start(self, ear: Ear) -> None:
        """Begin to listen and to publish, whether Redis is there or not."""
        self._ear = ear
        self._tasks = [asyncio.create_task(run()) for run in (self._pump, self._listen)]

    async def stop(self) -> None:
        """Publish what waits if Redis is there, and end."""
        if self.up:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pace.answer):
                    await self._idle.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(Exception):
            if self.up:
                await self._redis.zrem(NODES, self._node)
        self._heard = float("-inf")
        await self._redis.aclose()

    # Publishing

    def publish(self, frames: Iterable[Frame]) -> None:
        """Queue the frames for the next pipeline; where there is no room, owe their ranges."""
        for frame in frames:
            topic = (frame.match, frame.audience)
            data = pack(frame)
            if len(self._queue) >= QUEUE or self._queued + len(data) > QUEUE_BYTES:
                self._owe(topic, frame.after, frame.upto)
                self.dropped += 1
                continue
            self._queue.append((topic, frame.after, frame.upto, data))
            self._queued += len(data)
        self._idle.clear()
        self._work.set()

    def _owe(self, topic: Topic, after: int, upto: int) -> None:
        if not upto:  # a word that is not in the log: who misses it does without
            return
        first, last = self._owed.get(topic, (after, upto))
        if topic in self._owed or len(self._owed) < MOST_OWED:
            self._owed[topic] = min(first, after), max(last, upto)

    async def _pump(self) -> None:
        """Send what waits; what comes while a pipeline is in flight goes with the next."""
        while True:
            await self._work.wait()
            self._work.clear()
            while self._queue or self._owed or self._beating:
                batch = [self._next() for _ in range(min(BATCH, len(self._queue)))]
                owed = [(topic, self._owed.pop(topic)) for topic in list(self._owed)[:BATCH]]
                try:
                    await self._send(batch, owed)
                except Exception as fault:
                    self._complain(fault)
                    self._owe_all(batch, owed)
                    await asyncio.sleep(self._pace.again)
            self._idle.set()

    def _next(self) -> tuple[Topic, int, int, bytes]:
        taken = self._queue.popleft()
        self._queued -= len(taken[3])
        return taken

    async def _send(
        self,
        batch: list[tuple[Topic, int, int, bytes]],
        owed: list[tuple[Topic, tuple[int, int]]],
    ) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        if self._beating:
            self._beating = False
            pipeline.publish(self._pulse, b"")
        for topic, span in owed:
            pipeline.publish(channel(topic), b"%d:%d\n" % span)
        for topic, _, _, data in batch:
            pipeline.publish(channel(topic), data)
        async with asyncio.timeout(self._pace.answer):
            await pipeline.execute()

    def _owe_all(
        self,
        batch: list[tuple[Topic, int, int, bytes]],
        owed: list[tuple[Topic, tuple[int, int]]],
    ) -> None:
        """Keep the ranges of what failed and of what waits: the texts are stale by the time Redis is back."""
        for topic, span in owed:
            self._owe(topic, *span)
        for topic, after, upto, _ in (*batch, *self._queue):
            self._owe(topic, after, upto)
        self.dropped += len(batch) + len(self._queue)
        self._queue.clear()
        self._queued = 0

    # Listening

    def watch(self, topic: Topic) -> None:
        """Subscribe, some time."""
        self._topics[channel(topic).encode()] = topic
        self._wanted[topic] = True
        self._change.set()

    def unwatch(self, topic: Topic) -> None:
        """Unsubscribe, some time; what still comes is not heard."""
        self._topics.pop(channel(topic).encode(), None)
        self._wanted[topic] = False
        self._change.set()

    async def _listen(self) -> None:
        """One connection after another, each until it breaks or falls silent."""
        while True:
            try:
                await self._session()
            except Exception as fault:
                self._complain(fault)
            self._heard = float("-inf")
            await asyncio.sleep(self._pace.again)

    def _complain(self, fault: Exception) -> None:
        """Say once, not with every attempt, that Redis is away."""
        if not self._away:
            self._away = True
            log.warning("bus.away", fault=repr(fault))

    async def _session(self) -> None:
        pubsub = self._redis.pubsub(ignore_subscribe_messages=False)
        try:
            self._wanted.clear()
            topics = list(self._topics)
            async with asyncio.timeout(self._pace.answer):
                await pubsub.subscribe(self._pulse)
                for first in range(0, len(topics), SUBSCRIBE_AT_ONCE):
                    await pubsub.subscribe(*topics[first : first + SUBSCRIBE_AT_ONCE])
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read(pubsub))
                group.create_task(self._steer(pubsub))
                group.create_task(self._beat())
        finally:
            with contextlib.suppress(Exception):
                await pubsub.aclose()

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
        if topic is None or self._ear is None:
            return
        try:
            frame = unpack(topic, data)
        except ValueError:
            log.warning("bus.not_a_frame", channel=name)
            self._ear.doubt([topic])
            return
        self._ear.arrived(frame)

    def _confirmed(self, name: bytes) -> None:
        topic = self._topics.get(name)
        if topic is not None and self._ear is not None:
            self._ear.doubt([topic])

    async def _steer(self, pubsub: Any) -> None:
        """Bring the subscriptions to what is wanted, many in one command."""
        while True:
            await self._change.wait()
            self._change.clear()
            wanted, self._wanted = self._wanted, {}
            for wish, command in ((False, pubsub.unsubscribe), (True, pubsub.subscribe)):
                names = [channel(topic) for topic, wished in wanted.items() if wished is wish]
                for first in range(0, len(names), SUBSCRIBE_AT_ONCE):
                    async with asyncio.timeout(self._pace.answer):
                        await command(*names[first : first + SUBSCRIBE_AT_ONCE])

    async def _beat(self) -> None:
        """Send our heartbeat the way frames go, and leave a connection on which it does not come back."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        while True:
            self._beating = True
            self._work.set()
            await asyncio.sleep(self._pace.beat)
            if clock() - max(begun, self._heard) > self._pace.silence:
                raise Silent

    # Presence

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Keep a key with expiry for each match here; sum the keys of all nodes that are alive."""
        if not self.up:
            self._told.clear()
            return None
        try:
            async with asyncio.timeout(self._pace.answer):
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
            self._tell(pipeline, match, crowd, now)
        pipeline.zadd(NODES, {self._node: now})
        pipeline.zremrangebyscore(NODES, "-inf", now - self._pace.absence)
        pipeline.zrange(NODES, 0, -1)
        nodes = [name.decode() for name in (await pipeline.execute())[-1]]
        others = [node for node in nodes if node != self._node]
        if not others:
            return here
        return await self._sums(here, others)

    def _tell(self, pipeline: Any, match: UUID, crowd: Crowd, now: float) -> None:
        key = self._key(match, self._node)
        if crowd == NOBODY:
            self._told.pop(match, None)
            pipeline.delete(key)
            return
        said, when = self._told.get(match, (NOBODY, 0.0))
        if said == crowd and now - when < self._pace.absence / 3:
            return
        self._told[match] = crowd, now
        pipeline.set(key, f"{crowd.seats} {crowd.onlookers}", px=int(self._pace.absence * 1000))

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
