"""The line to one Redis: publishes, and receives what is subscribed to, over a connection for each.

Laws of this module:
- Every command has a deadline. A connection that fails is replaced; whoever heard by it is told that he may
  have missed something, by the confirmation of each subscription.
- Whether Redis is there is known by a heartbeat, which goes the way of broadcasts and comes back.
- A master that is not ours to ask any more (in a Cluster it refuses, or ends our subscriptions) is a
  connection that fails: who is master is asked then (`server.fanout.redis_bus`).

Deliberately absent: what messages hold, but for owed ranges, which are made when they are sent.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, Final, Protocol
from uuid import UUID

import structlog

from domain.kernel.audience import VIEWERS
from server import redis_url
from server.fanout import channels
from server.fanout.broadcasts import Broadcast, Timing, end
from server.fanout.messages import Seals
from server.fanout.outbox import Batch, Counts, Outbox, Span, Told
from server.fanout.redis_ways import said
from server.redis_url import Place

log = structlog.get_logger(__name__)

SUBSCRIBE_AT_ONCE: Final = 500
"""Channels in one SUBSCRIBE."""

NEVER: Final = float("-inf")


class HeartbeatLost(Exception):
    """Our own heartbeat has not come back."""


class Elsewhere(Exception):
    """A channel that we are subscribed to is at another master now."""


class Ears(Protocol):
    """Who is told what happens on lines. No method may raise or block."""

    def heard(self, name: bytes, data: bytes) -> None:
        """Receive a message of a channel."""
        ...

    def confirmed(self, name: bytes) -> None:
        """Learn that a subscription has begun: what was published before may have been missed."""
        ...

    def lost(self, line: "RedisLine", name: bytes | None = None) -> None:
        """Learn that nobody hears a channel, or (None) that what was to go out by a line has not."""
        ...

    def failed(self, line: "RedisLine") -> None:
        """Learn that a line failed: another may be master now."""
        ...


class RedisLine:
    """The line to one Redis, for what lies in some of the parts."""

    def __init__(
        self,
        redis: Any,
        place: Place,
        parts: frozenset[int],
        seals: Seals,
        ears: Ears,
        counts: Counts,
        timing: Timing,
        *,
        sharded: bool,
    ) -> None:
        """Take the client, which the line closes, and whether channels are those of a Cluster."""
        self.redis, self.place, self.parts = redis, place, parts
        self._seals, self._ears, self._counts, self._timing, self._sharded = (
            seals,
            ears,
            counts,
            timing,
            sharded,
        )
        self._out = Outbox(counts)
        self._told = Told(timing.look + timing.again + timing.answer)
        self._tasks: set[asyncio.Task[None]] = set()
        self._pulse = channels.pulse(min(parts), seals.node)
        self._heard = NEVER  # when our heartbeat last came back
        self._beating = False  # whether one is due to be sent
        self._away = False  # whether it has been logged that Redis is away
        self._work = asyncio.Event()
        self._idle = asyncio.Event()  # whether all that was queued has gone out
        self._idle.set()
        self._names: set[bytes] = set()  # of channels that are to be heard
        self._wanted: dict[bytes, bool] = {}  # subscriptions to begin (True) or to end
        self._ending: Counter[bytes] = Counter()  # subscriptions that were asked to end, until they have
        self._change = asyncio.Event()

    @property
    def up(self) -> bool:
        """Whether our heartbeat came back within the last 1.5 intervals."""
        return asyncio.get_running_loop().time() - self._heard < 1.5 * self._timing.beat

    def start(self) -> None:
        """Start to receive and to publish, without waiting for Redis."""
        self._tasks = {asyncio.create_task(run()) for run in (self._pump, self._listen)}

    async def flush(self) -> None:
        """Wait until what is queued is published, if Redis is up, or it is too early to know."""
        if self.up or (self._heard == NEVER and not self._away):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._timing.answer):
                    await self._idle.wait()

    async def stop(self) -> list[tuple[UUID, Span]]:
        """End, and return the ranges of what was not published, or may have been where nobody listens now.

        Another node may have left this Redis for another as much earlier as it takes to learn of that.
        """
        await end(self._tasks)
        self._heard = NEVER
        with contextlib.suppress(Exception):
            await self.redis.aclose()
        for match, span in self._told.spans():
            self._out.owe(match, *span)
        return self._out.handed_over()

    # Publishing

    def publish(self, broadcasts: Sequence[Broadcast]) -> None:
        """Queue broadcasts of a match for the next pipeline; if they do not fit, only the range is sent."""
        self._out.put(broadcasts)
        self._put()

    def owe(self, match: UUID, span: Span) -> None:
        """Queue a range of a match."""
        self._out.owe(match, *span)
        self._put()

    def post(self, name: bytes, letter: bytes) -> None:
        """Queue a letter into a channel."""
        self._out.post(name, letter)
        self._put()

    def _put(self) -> None:
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
                except BaseException as fault:
                    self._out.put_off(batch)
                    self._ears.lost(self)
                    if not isinstance(fault, Exception):
                        raise
                    self._complain(fault)
                    await asyncio.sleep(self._timing.again)
            self._idle.set()

    async def _send(self, batch: Batch) -> None:
        commands = []
        publish = _spublish if self._sharded else _publish
        if self._beating:
            self._beating = False
            commands.append(publish(self._pulse, b""))
        owed = [[Broadcast(match, viewer, *span, b"") for viewer in VIEWERS] for match, span in batch.owed]
        for broadcasts in (*owed, *batch.messages):
            name = channels.channel(broadcasts[0].match).encode()
            commands.append(publish(name, self._seals.pack(name, broadcasts)))
        commands += [publish(*letter) for letter in batch.letters]
        pool = self.redis.connection_pool
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
        self._told.note(batch, asyncio.get_running_loop().time())
        for (name, _), nodes in zip(reversed(batch.letters), reversed(heard), strict=False):
            if not nodes:
                self._ears.lost(self, name)

    # Listening

    def subscribe(self, names: Iterable[bytes]) -> None:
        """Request subscriptions; a task makes them."""
        self._wish(names, begin=True)

    def unsubscribe(self, name: bytes) -> None:
        """Request the end of a subscription; what still arrives is told all the same."""
        self._wish([name], begin=False)

    def _wish(self, names: Iterable[bytes], *, begin: bool) -> None:
        for name in names:
            (self._names.add if begin else self._names.discard)(name)
            self._wanted[name] = begin
        self._change.set()

    async def _listen(self) -> None:
        """Receive over one connection after another, each until it fails or its heartbeat stops."""
        while True:
            try:
                await self._session()
            except Exception as fault:
                self._complain(fault)
            self._heard = NEVER
            await asyncio.sleep(self._timing.again)

    def _complain(self, fault: Exception) -> None:
        """Log that Redis is away, once, not at every attempt."""
        self._ears.failed(self)
        if not self._away:
            self._away = True
            log.warning("bus.away", redis=redis_url.named(self.place), fault=said(fault))

    async def _session(self) -> None:
        pubsub = self.redis.pubsub(ignore_subscribe_messages=False)
        begin = pubsub.ssubscribe if self._sharded else pubsub.subscribe
        try:
            self._wanted.clear()
            self._ending.clear()
            async with asyncio.timeout(self._timing.answer):
                for names in self._together({self._pulse, *self._names}):
                    await begin(*names)
            await self._beside(self._read(pubsub), self._steer(pubsub), self._beat())
        finally:
            with contextlib.suppress(Exception):
                await pubsub.aclose()

    def _together(self, names: Iterable[bytes]) -> Iterable[list[bytes]]:
        """Return names by the command that they go in: one of a Cluster is about one slot."""
        by_slot: dict[int, list[bytes]] = {}
        for name in names:
            by_slot.setdefault(channels.part_of(name) if self._sharded else 0, []).append(name)
        for group in by_slot.values():
            for first in range(0, len(group), SUBSCRIBE_AT_ONCE):
                yield group[first : first + SUBSCRIBE_AT_ONCE]

    async def _beside(self, *work: Coroutine[Any, Any, None]) -> None:
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
            name = message["channel"]
            match message["type"]:
                case "message" | "smessage" if name == self._pulse:
                    self._beats()
                case "message" | "smessage":
                    self._ears.heard(name, message["data"])
                case "subscribe" | "ssubscribe":
                    self._ears.confirmed(name)
                case "sunsubscribe" if self._ending[name]:
                    self._ending[name] -= 1
                case "sunsubscribe":
                    raise Elsewhere

    def _beats(self) -> None:
        self._heard = asyncio.get_running_loop().time()
        if self._away:
            self._away = False
            log.info("bus.back", redis=redis_url.named(self.place), dropped=self._counts.dropped)

    async def _steer(self, pubsub: Any) -> None:
        """Carry out requested changes of subscriptions, many in one command."""
        begin = pubsub.ssubscribe if self._sharded else pubsub.subscribe
        cease = pubsub.sunsubscribe if self._sharded else pubsub.unsubscribe
        while True:
            await self._change.wait()
            self._change.clear()
            wanted, self._wanted = self._wanted, {}
            self._ending.update(name for name, wished in wanted.items() if not wished)
            for wish, command in ((False, cease), (True, begin)):
                for names in self._together(name for name, wished in wanted.items() if wished is wish):
                    async with asyncio.timeout(self._timing.answer):
                        await command(*names)

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


def _publish(name: bytes, data: bytes) -> bytes:
    """Return a PUBLISH as it is sent: the library's own pipeline takes twice as much of the processor."""
    return b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n" % (len(name), name, len(data), data)


def _spublish(name: bytes, data: bytes) -> bytes:
    """Return an SPUBLISH as it is sent."""
    return b"*3\r\n$8\r\nSPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n" % (len(name), name, len(data), data)
