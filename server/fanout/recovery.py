"""Reads from the log what a ring does not have; concurrent equal requests share one query.

Laws of this module:
- The log decides what was missed. A broadcast that leaves a gap, a confirmed subscription, a bus that is
  away: each is a reason to read the log, and none is trusted by itself.
- One task at a time brings a room up to date, whoever asked for it. While the log does not answer it retries.

Deliberately absent: connections. What was missing is given to the room, which sends it.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from uuid import UUID

import structlog

from domain.kernel.audience import VIEWERS
from server.fanout.broadcasts import (
    BackgroundTasks,
    Broadcast,
    Source,
    Timing,
    TooFar,
    Topic,
    websocket_bytes,
)
from server.fanout.bus import Bus
from server.fanout.ring import Piece, Ring
from server.fanout.room import Room, Tally
from server.nobody import nobody

log = structlog.get_logger(__name__)

AT_THE_HEAD: Final = -1
"""The place of a watcher that is to be sent the view."""

UNKNOWN_TO_THE_LOG: Final = 3
"""Reads of the log after which an announced seq that it does not contain is ignored."""


class Recovery:
    """Keeps the rooms of a node level with the log."""

    def __init__(
        self,
        source: Source,
        bus: Bus,
        rooms: Mapping[Topic, Room],
        timing: Timing,
        tally: Tally,
        background: BackgroundTasks,
    ) -> None:
        self._source, self._bus, self._rooms = source, bus, rooms
        self._timing, self._tally, self._background = timing, tally, background
        self.filled: Callable[[UUID], None] = nobody
        """Called with a match of which a room was brought up to date from the log: who missed facts may have
        missed that a seat changed hands."""
        self._to_compare: set[UUID] = set()
        self._alarm = asyncio.Event()
        self._clock = asyncio.get_running_loop().time

    # one question

    async def ask(self, room: Room, place: int) -> Piece | None:
        """Return the piece from a place to the head, or the view; None where the room has closed meanwhile.

        Concurrent equal calls share one query. Raises what the source raises.
        """
        if place == AT_THE_HEAD and room.view is not None and room.ring is not None:
            if room.view.upto == room.ring.upto >= room.announced:
                return room.view
            room.view = None
        task = room.asking.get(place)
        if task is None:
            task = room.asking[place] = asyncio.create_task(self._read(room, place))
            task.add_done_callback(lambda task: _reading_done(room, place, task))
        # Neither ends with the other: who asks may have other rooms, and others may wait for the answer.
        await asyncio.wait({task})
        return None if task.cancelled() else task.result()

    async def _read(self, room: Room, place: int) -> Piece:
        match, audience = room.topic
        if place != AT_THE_HEAD:
            return _piece(await self._source.since(match, audience, place))
        room.view = _piece(await self._source.view(match, audience))
        return room.view

    # comparing with the log

    def compare_with_log(self, topics: Iterable[Topic]) -> None:
        """Have these matches compared with the log as soon as possible."""
        self._to_compare.update(match for match, _ in topics)
        self._alarm.set()

    async def look_after(self) -> None:
        """Compare requested matches at once, all every 15 seconds, twice a second while the bus is away."""
        due = self._clock() + self._timing.compare
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._timing.poll):
                    await self._alarm.wait()
            self._alarm.clear()
            if self._clock() >= due or not self._bus.up:
                self._to_compare.update(match for match, _ in self._rooms)
                due = self._clock() + self._timing.compare * random.uniform(2 / 3, 4 / 3)  # noqa: S311 - nodes apart
            try:
                answered = not self._to_compare or await self._compare()
            except Exception:
                log.exception("hub.fault")  # it must not end this task
                answered = False
            if not answered:
                await asyncio.sleep(self._timing.poll)

    async def _compare(self) -> bool:
        """Read the heads of the matches to compare, in one query; False when the log does not answer."""
        matches, self._to_compare = self._to_compare, set()
        self._tally.comparisons += 1
        try:
            heads = await self._source.heads(matches)
        except Exception as fault:
            log.warning("hub.log_unreachable", fault=repr(fault))
            self._to_compare |= matches
            self._alarm.set()
            return False
        for match, head in heads.items():
            self.log_reaches(match, head)
        return True

    def log_reaches(self, match: UUID, upto: int) -> None:
        """Learn that the log of a match reaches seq `upto`; tell all its rooms on this node."""
        for audience in VIEWERS:
            room = self._rooms.get((match, audience))
            if room is not None:
                self.bring_up_to(room, upto)

    def bring_up_to(self, room: Room, upto: int) -> None:
        """Learn that the log reaches seq `upto`; fetch what the room lacks, in the background."""
        room.announced = max(room.announced, upto)
        if room.ring is not None and room.announced > room.ring.upto and room.recovering is None:
            room.recovering = self._background.begin(self._recover(room, room.ring))

    async def _recover(self, room: Room, ring: Ring) -> None:
        """Bring the ring up to the highest seq announced. One such task at a time for a room."""
        misses = 0
        try:
            while room.announced > ring.upto:
                before = ring.upto
                if not await self._recover_once(room, ring):
                    await asyncio.sleep(self._timing.poll)
                elif ring.upto == before:
                    misses += 1
                    if misses == UNKNOWN_TO_THE_LOG:
                        log.warning("hub.not_in_the_log", match=str(room.topic[0]), seq=room.announced)
                        room.announced = ring.upto
                    await asyncio.sleep(self._timing.again)
            self.filled(room.topic[0])
        finally:
            room.recovering = None

    async def _recover_once(self, room: Room, ring: Ring) -> bool:
        """Read the log from the ring's end; False when it does not answer."""
        self._tally.resyncs += 1
        match, audience = room.topic
        try:
            broadcast = await self._source.since(match, audience, ring.upto)
        except TooFar:
            return await self._start_anew(room, ring)
        except Exception as fault:
            log.warning("hub.log_unreachable", fault=repr(fault))
            return False
        if broadcast.after == ring.upto < broadcast.upto:  # else the ring has grown: the caller checks again
            room.append(ring, broadcast)
        return True

    async def _start_anew(self, room: Room, ring: Ring) -> bool:
        """Send the view to the whole room, since too much was missed for a frame; False without an answer."""
        match, audience = room.topic
        try:
            view = _piece(await self._source.view(match, audience))
        except Exception as fault:
            log.warning("hub.log_unreachable", fault=repr(fault))
            return False
        if view.upto > ring.upto:
            room.restart(ring, view)
        return True


def _piece(broadcast: Broadcast) -> Piece:
    return Piece(broadcast.after, broadcast.upto, websocket_bytes(broadcast.text))


def _reading_done(room: Room, place: int, task: asyncio.Task[Piece]) -> None:
    room.asking.pop(place, None)
    if not task.cancelled():
        task.exception()  # retrieved, also when all callers have gone
