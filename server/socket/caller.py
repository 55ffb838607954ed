"""Who is on a connection: a guest, a person by his session, or a bot of one by its token.

It is asked once; whether it is still so the gateway looks up by itself (`server.socket.gateway`). Who comes
by a token that opens nothing is no guest: what he means to do as a bot he would do as nobody. Deliberately
absent: what a session is (`server.people.sessions`), and what a link opens (`server.socket.accesses`).
"""

from typing import Any, TypeVar

from msgspec import structs

from domain.match.refusals import RequestError
from server.lobby.seats import Holder
from server.people.sessions import Here, Sessions
from server.protocol import wire
from server.socket.arriving import Arriving
from server.socket.paced import Paced

Taking = TypeVar("Taking", wire.Sit, wire.Join, wire.Rematch)

READING = (wire.Hello, wire.Bye, wire.Foresee, wire.Suggest, wire.Lobby, wire.Ping)
"""The messages that change nothing: a bot whose token is for reading may send these."""


class Caller:
    """Who is on a connection. Methods raise ConnectionClosed if it has ended, and what a query raises."""

    def __init__(self, connection: Paced, arriving: Arriving, sessions: Sessions) -> None:
        self._connection, self._arriving, self._sessions = connection, arriving, sessions
        self._asked = False
        self.known: Here | None = None
        """The person or bot, once that was asked."""

    async def here(self) -> Here | None:
        """Return who is on this connection, None for a guest."""
        if self._connection.session and not self._asked:
            async with self._arriving.turn(self._connection):
                self.known = await self._sessions.by_hash(self._connection.session)
            self._asked = True
        return self.known

    async def may(self, message: Any) -> bool:
        """Whether he is who he says: not with a bot's token that opens nothing.

        Raises RequestError, not_allowed, for a message that a bot's token is not good for.
        """
        if not self._connection.bot:
            return True
        here = await self.here()
        if here is not None and "play" not in here.scopes and not isinstance(message, READING):
            raise RequestError("not_allowed", "this bot's token is for reading, and not for playing")
        return here is not None

    async def holder(self) -> Holder | None:
        """Return who takes a seat on this connection, None for a guest."""
        here = await self.here()
        return Holder(here.person, here.name) if here else None

    async def as_said(self, asked: Taking) -> Taking:
        """Return a message that takes a seat; from a bot's token it says that a bot does.

        A person who says no hours keeps those of his page, as they are now.
        """
        here = await self.here()
        if here is not None and here.bot:
            return structs.replace(asked, kind="bot")
        if here is None or asked.zone or asked.night is not None:
            return asked
        zone, hour = await self._sessions.night(here.person)
        return structs.replace(asked, zone=zone, night=None if hour is None else hour * 60)
