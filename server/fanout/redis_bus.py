"""The bus of many nodes, through Redis, under the laws of `server.fanout.bus`.

A match has one channel, whose messages hold what all its audiences are told: any node may know it. Redis is
not trusted: messages are sealed, and all that it could make up is our heartbeat and counts of who is present.

There is a line to each master (`server.fanout.redis_line`): one, or those of a Cluster, where a channel is
known to its own master only. Who is master is asked every few seconds, and when a line fails
(`server.fanout.redis_ways`). A line whose master or parts are others now is ended, a new one is laid, and
what had not gone out is owed by the new one, as a range; by its subscriptions the log is looked at. Owed is
also what went out in the last seconds: who learned of the change before us did not hear it.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from typing import Any, Final
from uuid import UUID

import structlog

from domain.kernel.audience import Viewer
from server import redis_url
from server.fanout import channels
from server.fanout.broadcasts import Broadcast, Node, Timing, Topic, end
from server.fanout.bus import BusListener
from server.fanout.channels import PARTS, part, part_of
from server.fanout.letters import Letters, NoAnswer
from server.fanout.messages import NotOurs, Seals, sender, wall_clock
from server.fanout.outbox import Counts, Outbox, Span
from server.fanout.presence import Crowd
from server.fanout.redis_line import RedisLine
from server.fanout.redis_presence import RedisPresence
from server.fanout.redis_ways import Masters, connected, reached, said
from server.redis_url import RedisFault

log = structlog.get_logger(__name__)

COMPLAIN: Final = 60.0
"""Seconds between log lines that tell of messages that were refused."""


class NoMaster(Exception):
    """No master is known for a part."""


class RedisBus:
    """The bus of many nodes. Every command to Redis has a deadline; a connection that fails is replaced."""

    def __init__(
        self,
        url: str,
        keys: Sequence[bytes],
        timing: Timing | None = None,
        now: Callable[[], int] = wall_clock,
    ) -> None:
        """Take the keys, the first of which seals, and what tells the cluster's time, in microseconds.

        Raises RedisFault.
        """
        self._timing = timing or Timing()
        self._seals = Seals(keys, now)
        self.counts = Counts()
        self._url = redis_url.parse(url)
        self._way = reached(self._url, self._timing.answer)
        self._lines: list[RedisLine] = []
        self._gone: list[RedisLine] = []  # lines that are being ended
        self._of_part: list[RedisLine | None] = [None] * PARTS
        self._owed = Outbox(self.counts)  # of parts that have no master
        self._unsure = asyncio.Event()  # whether another may be master now
        self._unknown = False  # whether it has been logged that nobody says who is
        self._listener: BusListener | None = None
        self._looking: set[asyncio.Task[None]] = set()
        self._watched: dict[UUID, set[Viewer]] = {}
        self._channels: dict[bytes, UUID] = {}  # of the matches that are watched
        self._letters = Letters(self._seals, self._post, self._timing.ask)
        self._crowds = RedisPresence(self._redis_of, self._seals.node.hex(), self._timing.absence)
        self._counting: set[asyncio.Task[dict[UUID, Crowd]]] = set()  # asks who is present
        self._counted = True  # whether it was last known who is present
        self._doubted: set[UUID] = set()  # of which something was refused, until the log has been looked at
        self._complained = float("-inf")  # when it was last logged that something was refused

    @property
    def up(self) -> bool:
        """Whether each part has a master, and our heartbeat comes back from all of these."""
        return None not in self._of_part and all(line.up for line in self._lines)

    async def start(self, listener: BusListener) -> None:
        """Start to receive and to publish; who is master is asked once before, and Redis not waited for.

        Raises RedisFault if what answers there is of no use.
        """
        self._listener = listener
        await self._look()
        self._looking = {asyncio.create_task(self._look_ever())}

    async def stop(self) -> None:
        """Publish what is queued where Redis is up, and end.

        An exchange of lines that is under way is completed: what the old ones had not sent goes by the new.
        """
        await end(self._looking)
        await self._end_gone()
        await asyncio.gather(*(line.flush() for line in self._lines))
        await self._letters.stop()
        with contextlib.suppress(Exception):
            if self.up:
                async with asyncio.timeout(self._timing.answer):
                    await self._crowds.leave()
        lines, self._lines, self._of_part = self._lines, [], [None] * PARTS
        await self._no_questions()
        await asyncio.gather(*(line.stop() for line in lines))

    # Masters

    async def _look_ever(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._timing.look):
                    await self._unsure.wait()
            await asyncio.sleep(self._timing.again)
            try:
                await self._look()
            except RedisFault:
                pass  # it was logged
            except Exception:
                log.exception("bus.fault")  # it must not end this task

    async def _look(self) -> None:
        """Ask who is master of what, and lay lines. Raises RedisFault."""
        self._unsure.clear()
        try:
            masters = await self._way.masters()
        except Exception as fault:
            if not self._unknown:
                self._unknown = True
                log.warning("bus.no_masters", fault=said(fault))
            if isinstance(fault, RedisFault):
                raise
            return
        self._unknown = False
        if masters != {line.place: line.parts for line in self._lines}:
            log.info("bus.masters", redis=[redis_url.named(place) for place in masters])
            await self._lay(masters)

    async def _lay(self, masters: Masters) -> None:
        """Lay lines to masters, and keep those that need not change."""
        kept = [line for line in self._lines if masters.get(line.place) == line.parts]
        gone = [line for line in self._lines if line not in kept]
        places = {line.place for line in kept}
        laid = [self._line(place, parts) for place, parts in masters.items() if place not in places]
        self._lines = kept + laid
        self._of_part = [None] * PARTS
        for line in self._lines:
            for one in line.parts:
                self._of_part[one] = line
        for line in laid:
            line.subscribe(name for name in self._names() if part_of(name) in line.parts)
            line.start()
        self._crowds.forget()
        self._letters.lost()  # those that the lines gone have not sent, and answers that would come by these
        self._gone += gone
        await self._end_gone()

    async def _end_gone(self) -> None:
        """End the lines that are no more; others owe what these have not sent, or may have sent in vain."""
        await self._no_questions()
        while self._gone:
            for match, span in await self._gone[-1].stop():
                self._owe(match, span)
            self._gone.pop()
        for match, span in self._owed.handed_over():
            self._owe(match, span)

    async def _no_questions(self) -> None:
        """Ask lines that are no more nothing: a closed client would connect anew."""
        await end(self._counting)

    def _owe(self, match: UUID, span: Span) -> None:
        line = self._of_part[part(match)]
        if line is None:
            self._owed.owe(match, *span)
        else:
            line.owe(match, span)

    def _line(self, place: redis_url.Place, parts: frozenset[int]) -> RedisLine:
        client = connected(self._url.redis(place), self._timing.answer)
        sharded = self._way.sharded
        return RedisLine(client, place, parts, self._seals, self, self.counts, self._timing, sharded=sharded)

    def _names(self) -> Iterable[bytes]:
        """Return the channels that are to be heard."""
        return self._letters.channel, *self._channels

    def _redis_of(self, part: int) -> Any:
        line = self._of_part[part]
        if line is None:
            raise NoMaster
        return line.redis

    def failed(self, line: RedisLine) -> None:
        """Learn that a line failed: another may be master now, unless it is known already."""
        if line in self._lines:
            self._unsure.set()

    # Publishing

    def publish(self, broadcasts: Sequence[Broadcast]) -> None:
        """Queue the broadcasts for the next pipeline; if they do not fit, only the range is sent."""
        line = self._of_part[part(broadcasts[0].match)]
        if line is None:
            self._owed.drop(broadcasts)
        else:
            line.publish(broadcasts)

    async def ask(self, node: Node, question: bytes) -> bytes:
        """Return another node's answer; one that is not there is known at once. Raises NoAnswer."""
        if not self.up:
            raise NoAnswer
        return await self._letters.ask(node, question)

    def _post(self, name: bytes, letter: bytes) -> None:
        line = self._of_part[part_of(name)]
        if line is not None:
            line.post(name, letter)

    def lost(self, line: RedisLine, name: bytes | None = None) -> None:
        """Learn that letters into a channel reached nobody, or (None) that some did not go out.

        Of a line that is being ended it is known: what is under way now goes by others.
        """
        if line in self._lines:
            self._letters.lost(name)

    # Listening

    def watch(self, topic: Topic) -> None:
        """Request a subscription; a task makes it."""
        match, audience = topic
        name = channels.channel(match).encode()
        self._watched.setdefault(match, set()).add(audience)
        self._channels[name] = match
        line = self._of_part[part(match)]
        if line is not None:
            line.subscribe([name])

    def unwatch(self, topic: Topic) -> None:
        """Request the end of a subscription; what still arrives is ignored."""
        match, audience = topic
        watched = self._watched.get(match, set())
        watched.discard(audience)
        if watched:
            return
        name = channels.channel(match).encode()
        self._watched.pop(match, None)
        self._channels.pop(name, None)
        line = self._of_part[part(match)]
        if line is not None:
            line.unsubscribe(name)

    def heard(self, name: bytes, data: bytes) -> None:
        """Receive a message of a channel."""
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

    def confirmed(self, name: bytes) -> None:
        """Learn that a subscription has begun."""
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

    # Presence

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Publish this node's crowds; return the sums over all live nodes, None if unknown."""
        if self.up:
            try:
                sums = await self._answered(self._crowds.sums(here))
            except Exception as fault:
                self._unsure.set()
                if self._counted:
                    log.warning("bus.no_presence", fault=said(fault))
                self._counted = False
            else:
                if sums is not None:
                    self._counted = True
                    return sums
        self._crowds.forget()
        return None

    async def elsewhere(self, matches: Collection[UUID]) -> dict[UUID, Crowd] | None:
        """Return the crowds of matches at other live nodes; None if unknown."""
        if not self.up:
            return None
        try:
            return await self._answered(self._crowds.elsewhere(matches))
        except Exception as fault:
            log.warning("bus.no_presence", fault=said(fault))
            return None

    async def _answered(self, asking: Coroutine[Any, Any, dict[UUID, Crowd]]) -> dict[UUID, Crowd] | None:
        """Return crowds, None where masters changed while they were asked. Raises what the client does."""
        asked = asyncio.create_task(asking)
        self._counting.add(asked)
        try:
            await asyncio.wait({asked}, timeout=self._timing.answer)
            if not asked.done():
                raise TimeoutError
            return None if asked.cancelled() else asked.result()
        finally:
            await end({asked})
            self._counting.discard(asked)
