"""What all websockets of a node share: who is connected, what may still be created, the end of all of them.

Deliberately absent: what is said on a connection (`server.socket.visitor`), and frames (`server.fanout.hub`).
"""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterator
from uuid import UUID

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from server.fanout.broadcasts import BackgroundTasks, end
from server.fanout.hub import Hub
from server.lobby.chat import Chat
from server.lobby.offers import Lobby
from server.play.failures import answered
from server.play.matches import Matches
from server.protocol import wire
from server.socket.paced import Paced
from server.socket.visitor import Visitor

logger = structlog.get_logger()

LOOK_AGAIN = 15.0
"""Seconds after which everybody's token is looked up again: it may have been replaced on another node."""

FAREWELL = 1.0
"""Seconds that somebody has to hear a last word."""


class Gateway:
    """What all connections of a node share."""

    def __init__(
        self,
        hub: Hub,
        all_matches: Matches,
        lobby: Lobby,
        chat: Chat,
        matches_per_connection: int,
        created: Callable[[UUID, dict[int, str]], None],
    ) -> None:
        """Take the parts of the node, a limit, and whom to tell of a new match and its bots."""
        self.hub, self.matches, self.lobby, self.chat = hub, all_matches, lobby, chat
        self.most, self.created = matches_per_connection, created
        self._busy = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._visitors: dict[Paced, Visitor] = {}
        self._background = BackgroundTasks()
        self.refusals = 0

    @property
    def connections(self) -> Collection[Paced]:
        """The websockets that are open."""
        return self._visitors.keys()

    async def serve(self, connection: Paced) -> None:
        """Serve one connection until it ends."""
        visitor = Visitor(self, connection)
        self._visitors[connection] = visitor
        try:
            await visitor.stay()
        except ConnectionClosed as closed:
            visitor.ended(closed)
        finally:
            del self._visitors[connection]
            self.hub.leave_all(connection)

    async def look_after(self) -> None:
        """Look again and again whose token has become void, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            try:
                await self.show_out()
            except Exception as why:
                if answered(why) is None:
                    raise
                logger.warning("tokens not looked up", why=type(why).__name__)

    async def show_out(self) -> None:
        """Let nobody watch any longer by a token that is void: whoever has the link may be somebody else."""
        tokens = {token for visitor in self._visitors.values() for token in visitor.tokens()}
        void = await self.lobby.void(tokens)
        for visitor in list(self._visitors.values()) if void else ():
            for word in visitor.shown_out(void):
                self._background.begin(self._farewell(visitor.connection, wire.encode(word).decode()))

    def presence(self, match: UUID, seats: int, onlookers: int | None) -> None:
        """Tell all who watch a match who is there."""
        present = [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
        self.hub.tell(match, wire.encode(wire.Presence(match, present, onlookers)))

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Count a message that is being answered."""
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
        """Close all connections."""
        await end(self._background.tasks)
        await asyncio.gather(
            *(connection.close(code) for connection in list(self.connections)), return_exceptions=True
        )

    async def restart(self) -> None:
        """Tell everybody to connect again."""
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
