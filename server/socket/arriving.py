"""What hellos ask of the database: so many at once, and once for all of a crowd who wait to ask the same.

A connection that ends waits no more, and nothing is asked for it. Deliberately absent: what is done with the
answers (`server.socket.watching`), and who is next (`server.turns`).
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Final, TypeVar
from uuid import UUID

from server.lobby.chat import Chat
from server.lobby.links import Access
from server.lobby.offers import Lobby
from server.play.matches import Matches
from server.protocol import wire
from server.socket.paced import Paced
from server.turns import Turns

T = TypeVar("T")

ARRIVING: Final = 16
"""Hellos that ask the database at once; the others wait for their turn, and none is refused for the crowd."""


class Arriving:
    """The questions of a node's hellos. Each method raises ConnectionClosed if the connection has ended."""

    def __init__(self, lobby: Lobby, matches: Matches, chat: Chat) -> None:
        self._lobby, self._matches, self._chat = lobby, matches, chat
        self.turns = Turns(ARRIVING)

    @asynccontextmanager
    async def turn(self, connection: Paced) -> AsyncIterator[None]:
        """Wait for a turn at the database, which lasts as long as the context."""
        async with self.turns.turn(connection.address, connection):
            yield

    async def access(self, connection: Paced, match: UUID, token: str) -> tuple[Access, int]:
        """Return what a token opens, and the log's head of the match. Raises what `Links.access` raises."""

        async def look() -> tuple[Access, int]:
            return await self._lobby.links.access(match, token), await self._matches.head(match)

        if not token:
            return await self._shared(connection, ("access", match), look)
        async with self.turn(connection):
            return await look()

    async def own(self, connection: Paced, match: UUID, person: UUID, seat: int | None) -> tuple[Access, int]:
        """Return the access that is a person's own, and the log's head. Raises what `Links.own` raises."""
        async with self.turn(connection):
            return await self._lobby.links.own(match, person, seat), await self._matches.head(match)

    async def last_lines(self, connection: Paced, match: UUID, room: wire.Room) -> list[bytes]:
        """Return the last lines of a room as they are sent."""

        async def look() -> list[bytes]:
            return [wire.encode(line) for line in await self._chat.last_lines(match, room)]

        return await self._shared(connection, ("lines", match, room), look)

    async def _shared(self, connection: Paced, key: Hashable, look: Callable[[], Awaitable[T]]) -> T:
        found = await self.turns.shared(key, connection.address, look, connection)
        connection.look_there()
        return found
