"""The board: the lobby as it is watched over the socket, alive.

While anybody on this node watches, the list is read once a second by one query, compared with what was sent,
and only what differs is sent, encoded once for all. Without watchers nothing is read. What other nodes store
is found as fast as what this one does, since all read the same tables.

A watcher that cannot be written to, since it does not read, is behind; nothing is queued for it. When its
socket takes bytes again it is sent what differs from what it knows; after PATIENCE seconds it is closed with
4008. Whoever is concerned by a challenge is told so, and nobody else (`server.lobby.calls`). Deliberately
absent: what is on the list (`server.lobby.listing`).
"""

import asyncio
import contextlib
from typing import Any
from uuid import UUID

import structlog
from msgspec import structs
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from server.fanout.broadcasts import BackgroundTasks, websocket_bytes
from server.fanout.room import OPEN, Subscriber
from server.fanout.slow_watchers import TOO_SLOW
from server.lobby.calls import Calls
from server.lobby.listing import Listing
from server.play.failures import refusal_for
from server.postgres.database import Pool
from server.protocol import wire
from server.protocol.listing import MatchInfo, WhoIsHere

logger = structlog.get_logger()

EVERY = 1.0
"""Seconds between two looks at the list."""

PATIENCE = 30.0
"""Seconds that a watcher may stay behind."""

MOVES = 20
"""Matches of which nothing but moves is told in one look, those not told for longest first: hundreds may be
played at once, and nobody is to be sent all of them every second. The others follow in the next looks."""

Shown = dict[UUID, MatchInfo]

YOURS = websocket_bytes(wire.encode(wire.Listed([], yours=True)))


class Watcher:
    """A connection that watches, what it was sent (None: nothing yet), and whether a challenge is news."""

    __slots__ = ("called", "known", "subscriber")

    def __init__(self, connection: ServerConnection) -> None:
        self.subscriber = Subscriber(connection)
        self.known: Shown | None = None
        self.called = False


class Board:
    """The watchers of the lobby on this node, and what those of them who are current were sent."""

    def __init__(self, listing: Listing, pool: Pool) -> None:
        self._listing, self._calls = listing, Calls(pool)
        self._shown: Shown | None = None
        self._watchers: dict[ServerConnection, Watcher] = {}
        self._reading = asyncio.Lock()
        self._background = BackgroundTasks()
        self.here: WhoIsHere | None = None
        """Who is here, as was said last (`server.lobby.here`); told with the list."""
        self._told_here: WhoIsHere | None = None
        self.looks = 0
        """Queries so far."""

    @property
    def watchers(self) -> int:
        """Connections that watch the lobby."""
        return len(self._watchers)

    async def watch(self, connection: ServerConnection) -> None:
        """Send a connection the whole list, and from then on what changes; raises what the query raised."""
        async with self._reading:
            if self._shown is None:
                self._shown = await self._read()
            watcher = self._watchers[connection] = Watcher(connection)
            self._write(watcher, self._shown, _told(None, self._shown, self.here))

    def leave(self, connection: ServerConnection) -> None:
        """End a connection's watching, if it watches."""
        self._watchers.pop(connection, None)
        if not self._watchers:
            self._shown = self.here = self._told_here = None

    def who(self) -> tuple[set[bytes], int]:
        """Return the hashes of the sessions that watch, and the number of guests' addresses; no bots."""
        people: list[Any] = [one for one in self._watchers if not getattr(one, "bot", False)]
        guests = {id(one.address) for one in people if not one.session}
        return {one.session for one in people if one.session}, len(guests)

    async def run(self) -> None:
        """Look once a second while anybody watches, until cancelled."""
        try:
            while True:
                await asyncio.sleep(EVERY)
                if self._watchers:
                    await self._look_and_log()
        finally:
            for task in list(self._background.tasks):
                task.cancel()

    async def _look_and_log(self) -> None:
        try:
            await self.look()
            await self.call()
        except Exception as why:
            if refusal_for(why) is None:
                logger.exception("bug")
            else:
                logger.warning("lobby not read", why=type(why).__name__)

    async def look(self) -> None:
        """Read the list once, and send every watcher what differs from what it was sent."""
        async with self._reading:
            found, before = await self._read(), self._shown
            if before is None:  # the last watcher has left meanwhile
                return
            changed, gone = differences(before, found, MOVES)
            now, data = before, b""
            here = None if self.here == self._told_here else self.here
            if changed or gone or here:
                self._told_here = self.here
                told = {one.match: one for one in changed}
                self._shown = now = {match: told.get(match) or before[match] for match in found}
                data = websocket_bytes(wire.encode(wire.Listed(changed, gone, here=here)))
            for watcher in list(self._watchers.values()):
                if watcher.known is not now:
                    self._write(
                        watcher,
                        now,
                        data if watcher.known is before else _told(watcher.known, now, self.here),
                    )

    async def call(self) -> None:
        """Tell those who watch that something of their challenges is new. Raises what the query does."""
        sessions = {found for one in self._watchers if (found := getattr(one, "session", None))}
        news = await self._calls.news(sessions)
        for connection, watcher in self._watchers.items():
            watcher.called |= getattr(connection, "session", None) in news
            with contextlib.suppress(OSError, RuntimeError):  # as in `_write`
                if watcher.called and watcher.subscriber.clear():
                    watcher.subscriber.write(YOURS)
                    watcher.called = False

    async def _read(self) -> Shown:
        self.looks += 1
        return {one.match: one for one in await self._listing.lively()}

    def _write(self, watcher: Watcher, shown: Shown, data: bytes) -> None:
        """Write the bytes that lead to `shown`; who cannot take them is behind, and closed if that lasts."""
        subscriber, now = watcher.subscriber, asyncio.get_running_loop().time()
        with contextlib.suppress(OSError, RuntimeError):  # the transport ended in this iteration of the loop
            if subscriber.clear():
                subscriber.write(data)
                watcher.known, subscriber.late = shown, None
                return
        subscriber.late = now if subscriber.late is None else subscriber.late
        if subscriber.protocol.state is not OPEN:
            self.leave(subscriber.connection)
        elif now - subscriber.late >= PATIENCE:
            self.leave(subscriber.connection)
            self._background.begin(_dismiss(subscriber.connection))


def differences(shown: Shown, found: Shown, moves: int) -> tuple[list[MatchInfo], list[UUID]]:
    """Return the matches that are new or have changed, and the ids of those that are gone.

    Of matches that have only moved at most so many are returned; the others differ at the next look, too.
    """
    changed, moved = [], []
    for match, one in found.items():
        was = shown.get(match)
        if was == one:
            continue
        if was is not None and _still(was) == _still(one):
            moved.append(one)
        else:
            changed.append(one)
    moved.sort(key=lambda one: shown[one.match].last)
    return changed + moved[:moves], [match for match in shown if match not in found]


def _still(one: MatchInfo) -> MatchInfo:
    """Return a match without what changes with every move."""
    return structs.replace(one, asked=(), last=0, facts=0)


def _told(known: Shown | None, shown: Shown, here: WhoIsHere | None) -> bytes:
    """Return the bytes that lead one watcher from what it knows to what is shown; from nothing, all of it."""
    if known is None:
        return websocket_bytes(wire.encode(wire.Listed([*shown.values()], whole=True, here=here)))
    return websocket_bytes(wire.encode(wire.Listed(*differences(known, shown, len(shown)), here=here)))


async def _dismiss(connection: ServerConnection) -> None:
    with contextlib.suppress(ConnectionClosed, TimeoutError):
        async with asyncio.timeout(10.0):
            await connection.close(TOO_SLOW, "too slow")
