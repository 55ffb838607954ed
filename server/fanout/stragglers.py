"""Watchers that are behind: each is served from the ring, or the log, as its socket drains.

Laws of this module:
- Behind, a watcher has a place, a seq, and its connection one task that serves it.
- A watcher's ranges join: each begins where the last one ended, or is the view at the head.
- Who stays behind too long is closed with 4008, and nobody waits for that. The log's delays are not held
  against anyone.

Deliberately absent: those who are current, who cost nothing but the room's write.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from server.fanout.frames import Errands, Pace, TooFar
from server.fanout.mending import AT_THE_HEAD, Mender
from server.fanout.ring import Piece, Ring
from server.fanout.room import OPEN, Line, Tally, Watcher

log = structlog.get_logger(__name__)

TOO_SLOW: Final = 4008
"""The close code of a connection that stayed behind."""

INTERNAL_ERROR: Final = 1011
"""The close code of a connection that a fault of ours has left without its frames."""


class Stragglers:
    """All of a node that are behind."""

    def __init__(
        self,
        mender: Mender,
        pace: Pace,
        tally: Tally,
        errands: Errands,
        forget: Callable[[Watcher], None],
        drop: Callable[[Line], None],
    ) -> None:
        """Take what forgets a watcher, and what drops a connection that watches nothing."""
        self._mender, self._pace, self._tally, self._errands = mender, pace, tally, errands
        self._forget, self._drop = forget, drop
        self._clock = asyncio.get_running_loop().time

    def fell(self, watcher: Watcher) -> None:
        """Take one that was current and could not be written to."""
        self._tally.fallen += 1
        line = watcher.line
        line.late = self._clock() if line.late is None else line.late
        self.serve(watcher)

    def serve(self, watcher: Watcher) -> None:
        """Bring a watcher up to date, and let it be current from then on."""
        line = watcher.line
        line.behind[watcher.room.topic[0]] = watcher
        if line.task is None:
            line.task = self._errands.begin(self._catch_up(line))

    async def _catch_up(self, line: Line) -> None:
        """Serve what is behind on a connection, a frame at a time, until all is current."""
        try:
            while line.behind and line.protocol.state is OPEN:
                if self._overdue(line):
                    self._dismiss(line)
                elif line.clear():
                    await self._advance(next(iter(line.behind.values())))
                else:
                    await self._drained(line)
        except (OSError, RuntimeError) as fault:
            log.info("hub.transport_ended", fault=repr(fault))
        except Exception:
            log.exception("hub.fault", matches=[str(match) for match in line.watchers])
            self._close_line(line, INTERNAL_ERROR, "internal error")
        finally:
            line.task = None
            line.late = None
            for watcher in list(line.behind.values()):  # the connection ended first
                self._forget(watcher)

    def _overdue(self, line: Line) -> bool:
        return line.late is not None and self._clock() - line.late >= self._pace.patience

    async def _drained(self, line: Line) -> None:
        """Wait until the socket may take more, or the connection's time is up."""
        if line.late is None:
            line.late = self._clock()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(line.late + self._pace.patience):
                await line.connection.drain()  # until its buffer is low, if it was high
                if not line.clear():  # its own limit is higher, or a message is under way
                    await asyncio.sleep(self._pace.again)

    async def _advance(self, watcher: Watcher) -> None:
        """Take one step: join the current, write the next piece, or ask the log."""
        room, ring = watcher.room, watcher.room.ring
        if ring is None:
            await self._ask_for(watcher)
            return
        if watcher.place > room.sent:
            room.flush()
        if watcher.place == room.sent:
            self._join(watcher)
            return
        piece = ring.following(watcher.place)
        if piece is not None:
            self._hand(watcher, piece)
        elif watcher.place > ring.upto and room.mending is not None:
            await asyncio.wait([room.mending])
        elif not watcher.new and AT_THE_HEAD < watcher.place < ring.oldest:
            await self._fallen_off(watcher)
        else:
            await self._ask_for(watcher)

    def _join(self, watcher: Watcher) -> None:
        line = watcher.line
        del line.behind[watcher.room.topic[0]]
        watcher.room.current[line] = watcher
        watcher.new = watcher.viewed = False
        watcher.settle()

    def _hand(self, watcher: Watcher, piece: Piece) -> None:
        watcher.line.write(piece.data)
        self._tally.deliveries += 1
        if watcher.place == AT_THE_HEAD:
            self._tally.views += 1
            watcher.viewed = True
        watcher.place = piece.upto
        watcher.new = False

    async def _fallen_off(self, watcher: Watcher) -> None:
        """Give the view once; whoever falls off again before being current waits for the end.

        One whose socket always took everything is not to blame: the ring began anew under it.
        """
        if not watcher.viewed or watcher.line.late is None:
            watcher.place = AT_THE_HEAD
            return
        behind = watcher.line.behind
        behind[watcher.room.topic[0]] = behind.pop(watcher.room.topic[0])  # others of this line go first
        await asyncio.sleep(self._pace.again)

    async def _ask_for(self, watcher: Watcher) -> None:
        """Serve from the log what the ring does not have."""
        room, place, line = watcher.room, watcher.place, watcher.line
        try:
            piece = await self._mender.ask(room, place)
        except TooFar:
            watcher.place = AT_THE_HEAD
            return
        except Exception as fault:
            await self._unanswered(watcher, fault)
            return
        if line.behind.get(room.topic[0]) is not watcher:
            return
        if piece.upto < place:  # the client says it has more than there is
            watcher.place = AT_THE_HEAD
            return
        if place == AT_THE_HEAD and piece.upto < watcher.head:  # it was asked for before this one came
            await asyncio.sleep(self._pace.again)
            return
        if room.ring is None:
            room.ring = Ring(piece.upto)
            room.sent = piece.upto
        self._mender.hear(room, piece.upto)
        if piece.upto > place and line.clear():
            self._hand(watcher, piece)

    async def _unanswered(self, watcher: Watcher, fault: Exception) -> None:
        """Report the log's failure to a new watcher; wait with any other, and not at the cost of its time."""
        line = watcher.line
        if watcher.new:
            if watcher.room.topic[0] in line.watchers:
                watcher.settle(fault)
                self._forget(watcher)
            if not line.watchers:
                self._drop(line)
            return
        log.warning("hub.log_unreachable", fault=repr(fault))
        await asyncio.sleep(self._pace.poll)
        if line.late is not None:
            line.late += self._pace.poll

    def _dismiss(self, line: Line) -> None:
        """Close a connection that stayed behind."""
        self._tally.closed_slow += 1
        self._close_line(line, TOO_SLOW, "too slow")

    def _close_line(self, line: Line, code: int, reason: str) -> None:
        """Close a connection without waiting for it."""
        for watcher in list(line.watchers.values()):
            self._forget(watcher)
        self._errands.begin(self._say_farewell(line.connection, code, reason))

    async def _say_farewell(self, connection: ServerConnection, code: int, reason: str) -> None:
        # close() waits for room in the transport, which may never come.
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(self._pace.farewell):
                await connection.close(code, reason)
        if connection.protocol.state is not State.CLOSED:
            connection.transport.abort()
