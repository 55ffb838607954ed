"""What all websockets of a node share: the list of them, checks of their tokens, and their shutdown.

Deliberately absent: the messages of one connection (`server.socket.visitor`), and frames
(`server.fanout.hub`).
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from uuid import UUID

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from domain.match.refusals import Code
from server.fanout.broadcasts import BackgroundTasks, end
from server.fanout.hub import Hub
from server.lobby.board import Board
from server.lobby.chat import Chat
from server.lobby.offers import Lobby
from server.lobby.suggestions import Suggestions
from server.people.sessions import Sessions
from server.play.failures import put_off
from server.play.matches import Matches
from server.play.passing import Passing
from server.protocol import wire
from server.socket.accesses import Holders
from server.socket.arriving import Arriving
from server.socket.paced import Paced
from server.socket.visitor import Visitor

LOOK_AGAIN = 15.0
"""Seconds between checks of all tokens in use: what other nodes tell of links may be lost."""

LOOK_REST = 0.1
"""Seconds between two checks, however often links change, or are said to by who repeats what nodes tell."""

SESSIONS = 15.0
"""Seconds between checks of all sessions in use: those that end at this process are looked for at once, those
that end at another, or by an operator's command, by then."""

LOOK_LATER = 1.0
"""Seconds after a check that failed until the next of the same matches."""

SEEN = 60.0
"""Seconds between two records of whose makers are there; by so much an offer may leave the list too early."""

FAREWELL = 1.0
"""Seconds within which a last message must be sent; after them it is given up."""


class Gateway:
    """All websocket connections of a node, and the parts of the server that they use."""

    def __init__(
        self,
        hub: Hub,
        all_matches: Matches,
        lobby: Lobby,
        chat: Chat,
        board: Board,
        sessions: Sessions,
        matches_per_connection: int,
        created: Callable[[UUID, dict[int, str]], None],
    ) -> None:
        """Take the parts of the node, the limit of matches, and a callback for a new match and its bots."""
        self.sessions, self._sessions_ended = sessions, asyncio.Event()
        self.hub, self.matches, self.lobby, self.chat = hub, all_matches, lobby, chat
        self.board, self.holders = board, Holders()
        self.passing = Passing(all_matches, hub, self.busy)
        self.suggestions = Suggestions(all_matches)
        self.most, self.created = matches_per_connection, created
        self.arriving = Arriving(lobby, all_matches, chat)
        self._doubted: set[UUID] = set()
        """Matches of which links may have changed since they were checked."""
        self._doubt = asyncio.Event()
        hub.links_doubted, lobby.seats.links_changed = self._look_at, self._links_changed
        self._busy = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._visitors: dict[Paced, Visitor] = {}
        self._background = BackgroundTasks()
        self.refusals: Counter[Code] = Counter()

    @property
    def connections(self) -> Collection[Paced]:
        """The open websockets."""
        return self._visitors.keys()

    async def serve(self, connection: Paced) -> None:
        """Serve one connection until it ends."""
        visitor = Visitor(self, connection)
        self._visitors[connection] = visitor
        try:
            await visitor.run()
        except ConnectionClosed as closed:
            visitor.ended(closed)
        finally:
            del self._visitors[connection]
            visitor.accesses.end_all()
            self.hub.leave_all(connection)
            self.board.leave(connection)

    async def look_after(self) -> None:
        """End accesses where links have changed, and all that are void every LOOK_AGAIN seconds."""
        clock = asyncio.get_running_loop().time
        due = clock() + LOOK_AGAIN
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await self._doubt.wait()
            self._doubt.clear()
            matches, self._doubted = self._doubted, set()
            everywhere, looked = clock() >= due, False
            with put_off("tokens not looked up"):
                await self._end_void_accesses(None if everywhere else matches)
                looked = True
            if not looked:
                self._doubted |= matches
                self._doubt.set()
            elif everywhere:
                due = clock() + LOOK_AGAIN
            await asyncio.sleep(LOOK_REST if looked else LOOK_LATER)

    def _links_changed(self, match: UUID) -> None:
        self._look_at(match)
        self.hub.links_changed(match)

    def _look_at(self, match: UUID) -> None:
        self._doubted.add(match)
        self._doubt.set()

    def look_at_sessions(self) -> None:
        """Close the connections of sessions that have ended, soon."""
        self._sessions_ended.set()

    async def look_after_sessions(self) -> None:
        """Do so every SESSIONS seconds, and where it is asked for, until cancelled."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SESSIONS):
                    await self._sessions_ended.wait()
            self._sessions_ended.clear()
            with put_off("sessions not looked up"):
                await self.end_sessions()
            await asyncio.sleep(LOOK_REST)

    async def end_sessions(self) -> None:
        """Close the connections of sessions that have ended, with a code that says so."""
        used = {one.caller.known.hash: None for one in self._visitors.values() if one.caller.known}
        in_force = await self.sessions.in_force(used)
        for visitor in list(self._visitors.values()):
            if visitor.caller.known and visitor.caller.known.hash not in in_force:
                self._background.begin(visitor.show_out())

    async def keep_seen(self) -> None:
        """Record every SEEN seconds whose offers have somebody there, until cancelled."""
        while True:
            await asyncio.sleep(SEEN)
            with put_off("makers not recorded"):
                await self.record_seen()

    async def record_seen(self) -> None:
        """Record that the makers of offers who are connected now are there, in one statement."""
        there = {place for visitor in self._visitors.values() for place in visitor.accesses.places()}
        await self.lobby.makers.seen(there)

    async def end_void_accesses(self, match: UUID) -> None:
        """End accesses to a match by void tokens here, before who made them void is answered."""
        await self._end_void_accesses({match})

    async def _end_void_accesses(self, matches: Collection[UUID] | None) -> None:
        """End accesses by void tokens, to some matches or (None) all; who had one is sent a refusal."""
        holders = self.holders.of(matches)
        used = {token for accesses in holders for token in accesses.tokens(matches)}
        void = await self.lobby.links.void(used)
        for accesses in holders if void else ():
            for refused in accesses.end_void(void):
                self._background.begin(self._farewell(accesses.connection, wire.encode(refused).decode()))

    def presence(self, match: UUID, seats: int, onlookers: int | None) -> None:
        """Send presence to the current watchers of a match; bit n of `seats` is set if seat n is present."""
        present = [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
        self.hub.send_here(match, wire.encode(wire.Presence(match, present, onlookers)))

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Count a message as being answered while the context lasts."""
        self._busy += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._busy -= 1
            if not self._busy:
                self._idle.set()

    async def idle(self) -> None:
        """Wait until no message is being answered."""
        await self._idle.wait()

    async def close(self, code: int) -> None:
        """Close all connections with this close code."""
        await end(self._background.tasks)
        await asyncio.gather(
            *(connection.close(code) for connection in list(self.connections)), return_exceptions=True
        )

    async def restart(self) -> None:
        """Send every connection the message that the server restarts."""
        farewell = wire.encode(wire.Restarting()).decode()
        await asyncio.gather(
            *(self._farewell(connection, farewell) for connection in list(self.connections)),
            return_exceptions=True,
        )

    @staticmethod
    async def _farewell(connection: ServerConnection, text: str) -> None:
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await connection.send(text)
