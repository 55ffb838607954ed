"""One websocket connection: messages in, one after the other, each with one answer.

Broadcasts are sent by the hub; here the answers are. The seat follows from the token given at `hello`, never
from another message. A command passes that token's hash to the log, which stores nothing for a void one;
other requests look the token up. A request that is late, repeated, or for another's seat gets one answer and
leaves the match unchanged. Deliberately absent: rules, SQL, and what each message does: that stands in
`watching`, `offering`, `seating` and `deciding`.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from msgspec import MsgspecError
from websockets.exceptions import ConnectionClosed

from server.answering import NOTHING_TO_TELL, Answered, answering
from server.limits import KIB
from server.people.sessions import NO_BOT
from server.play.failures import refusal_for
from server.protocol import wire
from server.protocol.refusals import Refusal
from server.socket import deciding, offering, seating, watching
from server.socket.visit import BAD_MESSAGE, FLOOD, NOT_KNOWN, PATIENCE, SILENT, Answer, Visit

FIRST = 5.0
"""Seconds within which a connection must send its first message."""

TURNS = 10
"""Parts in which FIRST is waited: a stall of the server uses up one part at most."""

THEIRS = frozenset({1002, 1007, 1009})
"""Close codes that `websockets` sends by itself: an invalid websocket frame, invalid UTF-8, too long."""

ANSWERS: Final[Mapping[type[Any], Answer]] = {
    **watching.ANSWERS,
    **offering.ANSWERS,
    **seating.ANSWERS,
    **deciding.ANSWERS,
}
"""By the type of the message: all of the protocol."""


class Visitor(Visit):
    """Who is on a connection, for as long as it lasts."""

    async def run(self) -> None:
        """Answer messages until the connection ends; close it if the first does not come in time."""
        first = await self._first()
        if first is None:
            await self.close(SILENT, "nothing was said")
            return
        await self._receive(first)
        async for data in self.connection:
            await self._receive(data)

    async def _first(self) -> str | bytes | None:
        """Return the first message; None if none comes within FIRST seconds of listening."""
        left = TURNS
        while left:
            try:
                async with asyncio.timeout(FIRST / TURNS):
                    return await self.connection.recv()
            except TimeoutError:
                left -= not self.connection.held
        return None

    def ended(self, closed: ConnectionClosed) -> None:
        """Log a close that `websockets` has initiated by itself (THEIRS)."""
        if closed.sent is not None and closed.sent.code in THEIRS and not closed.rcvd_then_sent:
            self.log.info("closed", code=int(closed.sent.code))

    async def _receive(self, data: str | bytes) -> None:
        if self.over:
            return
        if isinstance(data, bytes):
            await self.close(BAD_MESSAGE, "messages are text")
            return
        self.frames = 1 + len(data) / KIB
        try:
            message = wire.decode_incoming(data)
        except (MsgspecError, RecursionError) as why:
            await self.close(BAD_MESSAGE, f"not of protocol {wire.VERSION}: {why}")
            return
        with self.gate.busy(), answering(self._answered(message)):
            try:
                if await self.caller.may(message):
                    await ANSWERS[type(message)](self, message)
                else:
                    await self.close(NOT_KNOWN, NO_BOT)
            except Exception as why:
                await self._unanswered(message, why)

    def _answered(self, message: wire.Message) -> Answered:
        """Return what every log line says while a message is answered: no token, no decision.

        Nor the command id of `create`: sent again, it would give anyone the match's links.
        """
        if isinstance(message, wire.Create):
            return NOTHING_TO_TELL
        match = getattr(message, "match", None)
        access = self.accesses.get(match) if match else None
        return Answered(match, getattr(message, "command", None), access.seat if access else None)

    async def _unanswered(self, message: wire.Message, why: Exception) -> None:
        """Send the refusal for an exception; close the connection after too many messages."""
        if isinstance(why, ConnectionClosed):
            raise why
        answer = refusal_for(why)
        if answer is None:
            self.log.error("bug", message=type(message).__name__, exc_info=why)
            answer = Refusal("bug", "the server has made a mistake; ask again")
        elif answer.code == "unavailable":
            self.log.warning("unavailable", why=type(why).__name__)
        elif answer.code == "too_fast" and self.too_many > PATIENCE:
            await self.close(FLOOD, "too many messages")
            return
        match, command = getattr(message, "match", None), getattr(message, "command", None)
        self.gate.refusals[answer.code] += 1
        self.log.info("refused", code=answer.code, rule=answer.rule)
        await self.send(wire.Refused(answer.code, answer.reason, match, command, answer.rule, answer.seq))
