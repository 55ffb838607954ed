"""Watchers that are behind: each is served from the ring, or the log, as its socket drains.

Laws of this module:
- A watcher that is behind has a place, the last seq it was sent; one task for each connection serves them.
- A watcher's ranges are contiguous: each begins where the last one ended, or is the view at the head.
- A connection that stays behind too long is closed with 4008, in the background. Time spent waiting for the
  log does not count.

Deliberately absent: watchers that are current, which the room writes to.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from server.fanout.broadcasts import BackgroundTasks, Timing, TooFar
from server.fanout.recovery import AT_THE_HEAD, Recovery
from server.fanout.ring import Piece, Ring
from server.fanout.room import OPEN, Subscriber, Tally, Watcher

log = structlog.get_logger(__name__)

TOO_SLOW: Final = 4008
"""The close code of a connection that stayed behind."""

INTERNAL_ERROR: Final = 1011
"""The close code after a bug in serving a connection."""


class SlowWatchers:
    """Serves all watchers of a node that are behind."""

    def __init__(
        self,
        recovery: Recovery,
        timing: Timing,
        tally: Tally,
        background: BackgroundTasks,
        forget: Callable[[Watcher], None],
        drop: Callable[[Subscriber], None],
    ) -> None:
        """Take, last, a function that removes a watcher, and one that forgets a connection without any."""
        self._recovery, self._timing, self._tally, self._background = recovery, timing, tally, background
        self._forget, self._drop = forget, drop
        self._clock = asyncio.get_running_loop().time

    def fell(self, watcher: Watcher) -> None:
        """Serve a watcher that was current and could not be written to."""
        self._tally.fallen += 1
        subscriber = watcher.subscriber
        subscriber.late = self._clock() if subscriber.late is None else subscriber.late
        self.serve(watcher)

    def serve(self, watcher: Watcher) -> None:
        """Bring a watcher up to date in the background; then it becomes current."""
        subscriber = watcher.subscriber
        subscriber.behind[watcher.room.topic[0]] = watcher
        if subscriber.task is None:
            subscriber.task = self._background.begin(self._catch_up(subscriber))

    async def _catch_up(self, subscriber: Subscriber) -> None:
        """Serve a connection's watchers that are behind, a broadcast at a time, until all are current."""
        try:
            while subscriber.behind and subscriber.protocol.state is OPEN:
                if self._overdue(subscriber):
                    self._dismiss(subscriber)
                elif subscriber.clear():
                    await self._advance(next(iter(subscriber.behind.values())))
                else:
                    await self._drained(subscriber)
        except (OSError, RuntimeError) as fault:
            log.info("hub.transport_ended", fault=repr(fault))
        except Exception:
            log.exception("hub.fault", matches=[str(match) for match in subscriber.watchers])
            self._close_line(subscriber, INTERNAL_ERROR, "internal error")
        finally:
            subscriber.task = None
            subscriber.late = None
            for watcher in list(subscriber.behind.values()):  # the connection ended first
                self._forget(watcher)

    def _overdue(self, subscriber: Subscriber) -> bool:
        return subscriber.late is not None and self._clock() - subscriber.late >= self._timing.patience

    async def _drained(self, subscriber: Subscriber) -> None:
        """Wait until the socket takes more, or has not kept up for `Timing.patience` seconds."""
        if subscriber.late is None:
            subscriber.late = self._clock()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(subscriber.late + self._timing.patience):
                await subscriber.connection.drain()  # until its buffer is low, if it was high
                if not subscriber.clear():  # drain's limit is above ours, or a message is under way
                    await asyncio.sleep(self._timing.again)

    async def _advance(self, watcher: Watcher) -> None:
        """Do one step for a watcher: make it current, write the next piece, or read the log."""
        room, ring = watcher.room, watcher.room.ring
        if ring is None:
            await self._ask_for(watcher)
            return
        if room.sent < watcher.place == ring.upto:  # it has what the others are sent in the next round
            await room.level.wait()
            return
        if watcher.place == room.sent:
            self._join(watcher)
            return
        piece = ring.following(watcher.place)
        if piece is not None:
            self._hand(watcher, piece)
        elif watcher.place > ring.upto and room.recovering is not None:
            await asyncio.wait([room.recovering])
        elif not watcher.new and AT_THE_HEAD < watcher.place < ring.oldest:
            await self._fallen_off(watcher)
        else:
            await self._ask_for(watcher)

    def _join(self, watcher: Watcher) -> None:
        subscriber = watcher.subscriber
        del subscriber.behind[watcher.room.topic[0]]
        watcher.room.current[subscriber] = watcher
        watcher.new = watcher.viewed = False
        watcher.settle()

    def _hand(self, watcher: Watcher, piece: Piece) -> None:
        watcher.subscriber.write(piece.data)
        self._tally.deliveries += 1
        if watcher.place == AT_THE_HEAD:
            self._tally.views += 1
            watcher.viewed = True
        watcher.place = piece.upto
        watcher.new = False

    async def _fallen_off(self, watcher: Watcher) -> None:
        """Serve a watcher whose place the ring no longer has: send the view, once.

        If that happens again before it is current, it waits until it is closed as too slow, unless its socket
        kept up: then the ring was restarted.
        """
        if not watcher.viewed or watcher.subscriber.late is None:
            watcher.place = AT_THE_HEAD
            return
        behind = watcher.subscriber.behind
        behind[watcher.room.topic[0]] = behind.pop(watcher.room.topic[0])  # the connection's others go first
        await asyncio.sleep(self._timing.again)

    async def _ask_for(self, watcher: Watcher) -> None:
        """Send what the ring does not have, read from the log."""
        room, place, subscriber = watcher.room, watcher.place, watcher.subscriber
        try:
            piece = await self._recovery.ask(room, place)
        except TooFar:
            watcher.place = AT_THE_HEAD
            return
        except Exception as fault:
            await self._unanswered(watcher, fault)
            return
        if piece is None or subscriber.behind.get(room.topic[0]) is not watcher:
            return
        if piece.upto < place:  # the client claims to have more than the log
            watcher.place = AT_THE_HEAD
            return
        if place == AT_THE_HEAD and piece.upto < watcher.head:  # a shared query from before this watcher came
            await asyncio.sleep(self._timing.again)
            return
        if room.ring is None:
            room.ring = Ring(piece.upto)
            room.sent = piece.upto
        self._recovery.bring_up_to(room, piece.upto)
        if piece.upto > place and subscriber.clear():
            self._hand(watcher, piece)

    async def _unanswered(self, watcher: Watcher, fault: Exception) -> None:
        """Fail a new watcher with `fault`; for any other wait, without counting that time against it."""
        subscriber = watcher.subscriber
        if watcher.new:
            if watcher.room.topic[0] in subscriber.watchers:
                watcher.settle(fault)
                self._forget(watcher)
            if not subscriber.watchers:
                self._drop(subscriber)
            return
        log.warning("hub.log_unreachable", fault=repr(fault))
        await asyncio.sleep(self._timing.poll)
        if subscriber.late is not None:
            subscriber.late += self._timing.poll

    def _dismiss(self, subscriber: Subscriber) -> None:
        """Close a connection that stayed behind too long."""
        self._tally.closed_slow += 1
        self._close_line(subscriber, TOO_SLOW, "too slow")

    def _close_line(self, subscriber: Subscriber, code: int, reason: str) -> None:
        """Remove a connection's watchers, and close it in the background."""
        for watcher in list(subscriber.watchers.values()):
            self._forget(watcher)
        self._background.begin(self._say_farewell(subscriber.connection, code, reason))

    async def _say_farewell(self, connection: ServerConnection, code: int, reason: str) -> None:
        # close() waits for room in the transport, which may never come.
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(self._timing.farewell):
                await connection.close(code, reason)
        if connection.protocol.state is not State.CLOSED:
            connection.transport.abort()
