"""What every answer on a connection is made with: its node, its limits, its accesses, and the way back.

A message costs before it does anything: beyond the connection's limit it is refused, beyond the address's it
waits. Nothing is done any more for a connection that is being closed from here. Deliberately absent: which
message is answered how (`server.socket.visitor`).
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol
from uuid import UUID

import structlog

from domain.match.refusals import Code, RequestError
from server.fanout.hub import Hub
from server.limits import COMMAND, COMMANDS, HELLOS, LINES, Bucket
from server.lobby.board import Board
from server.lobby.chat import Chat
from server.lobby.offers import Lobby
from server.lobby.suggestions import Suggestions
from server.people.sessions import Sessions
from server.play.matches import BadToken, Matches, StoredCommand
from server.play.passing import Passing
from server.protocol import wire
from server.socket.accesses import Accesses, Holders
from server.socket.arriving import Arriving
from server.socket.caller import Caller
from server.socket.paced import Paced

logger = structlog.get_logger()

BAD_MESSAGE, FLOOD, NOT_KNOWN, SILENT = 4400, 1008, 4401, 4009
"""Close codes: a message not of the protocol · too many messages · too many invalid links · no first message
in time, after which the client may connect again."""

SIGNED_OUT = "signed out"
"""The reason of close code 4401 where a session has ended."""

PATIENCE = 10
"""Messages beyond the rate limit, or invalid links, after which a connection is closed."""


class Gate(Protocol):
    """What a connection uses of its node (`server.socket.gateway`)."""

    hub: Hub
    holders: Holders
    matches: Matches
    passing: Passing
    lobby: Lobby
    chat: Chat
    board: Board
    suggestions: Suggestions
    most: int
    """Matches that one connection may watch."""
    arriving: Arriving
    sessions: Sessions
    created: Callable[[UUID, dict[int, str]], None]
    """Called with a new match and its bots (seat to strength)."""
    refusals: Counter[Code]

    def busy(self) -> AbstractContextManager[None]:
        """Count a message as being answered while the context lasts."""

    async def end_void_accesses(self, match: UUID) -> None:
        """End all accesses to a match by void tokens."""


class Visit:
    """One connection, with its access to each match it watches."""

    def __init__(self, gate: Gate, connection: Paced) -> None:
        self.gate, self.connection = gate, connection
        self.commands, self.hellos, self.lines = Bucket(*COMMANDS), Bucket(*HELLOS), Bucket(*LINES)
        self.frames = 0.0
        """What the message that is being answered has cost of FRAMES (`server.limits`)."""
        self.too_many = 0
        """Messages beyond the limit so far."""
        self.bad_tokens = 0
        """Links that opened nothing, so far."""
        self.over = False
        """Whether the connection is being closed from here: what still comes is not answered."""
        self.caller = Caller(connection, gate.arriving, gate.sessions)
        self.log = logger.bind(connection=connection.id.hex)
        self.accesses = Accesses(connection, gate.holders, gate.hub, gate.lobby, self.log)

    async def spend(self, bucket: Bucket, work: float = COMMAND) -> None:
        """Spend a message's cost: refuse it beyond the connection's limit, delay it beyond the address's."""
        if not bucket.acquire():
            self.too_many += 1
            raise RequestError("too_fast", "too many messages at once; wait some seconds")
        await self.connection.spend(work)
        if self.over:
            raise RequestError("no_session", SIGNED_OUT)

    async def receipt(self, message: Any, stored: Awaitable[StoredCommand]) -> wire.Receipt:
        """Return the receipt of a command, and give back what it has cost."""
        try:
            receipt = await stored
        except BadToken:
            self.accesses.end(message.match)
            raise
        self.commands.give_back()
        self.connection.give_back(COMMAND, self.frames)
        return wire.Receipt(message.match, message.command, receipt.seq, receipt.hash.hex())

    async def confirm(self, receipt: wire.Receipt) -> None:
        """Send a receipt, in one write with what else is on its way to this connection of its match."""
        text = wire.encode(receipt)
        if not self.gate.hub.receipt(self.connection, receipt.match, text):
            await self.connection.tell(text)

    async def relink(self, match: UUID, link: wire.Link) -> None:
        """Send a link in place of the one by which this connection watches, and watch on by it."""
        self.accesses.hold(match, await self.gate.lobby.links.access(match, link.token))
        await self.send(wire.Linked(match, link))
        await self.gate.end_void_accesses(match)

    async def send(self, message: wire.Message) -> None:
        """Send a message of the protocol."""
        await self.connection.tell(wire.encode(message))

    async def close(self, code: int, reason: str) -> None:
        """Close the connection from here."""
        self.over = True
        self.log.info("closed", code=code, reason=reason[:100])
        await self.connection.close(code, reason.encode()[:120].decode(errors="ignore"))

    async def show_out(self) -> None:
        """Close the connection of somebody whose session, or whose bot's token, has ended.

        It may be some seconds until he answers that: he has no access to anything from now on, and neither
        what he sends meanwhile nor what waits for its turn is carried out.
        """
        self.over = True
        self.accesses.end_all()
        await self.close(NOT_KNOWN, SIGNED_OUT)


Answer = Callable[[Visit, Any], Awaitable[None]]
"""What a message does and is told. Raises RequestError, which is told as a refusal, and what a query does."""


def known_version(version: int) -> None:
    """Raise RequestError for a protocol version other than ours."""
    if version != wire.VERSION:
        raise RequestError("version", f"protocol {version} is not known; known is {wire.VERSION}")
