"""One websocket connection: what it may see and do, messages in, answers out.

Broadcasts are sent by the hub; this module sends the answers. The seat follows from the token given at
`hello`, never from another message. A command passes that token's hash to the log, which stores nothing for a
void one; other requests look the token up. A request that is late, repeated, or for another's seat gets one
answer and leaves the match unchanged. Deliberately absent: rules, SQL, what a command does
(`server.play.acts`).
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Protocol
from uuid import UUID

import structlog
from msgspec import MsgspecError
from websockets.exceptions import ConnectionClosed

from domain.kernel.audience import VIEWERS, Audience, Viewer
from domain.kernel.seats import Hours
from domain.match.refusals import Code, RequestError
from server.answering import NOTHING_TO_TELL, Answered, answering
from server.fanout.hub import Hub
from server.limits import COMMAND, COMMANDS, HELLO, HELLOS, KIB, LINES, Bucket
from server.lobby.board import Board
from server.lobby.chat import Chat
from server.lobby.links import Access
from server.lobby.offers import Lobby
from server.lobby.suggestions import Suggestions
from server.people.sessions import NO_BOT, Sessions
from server.play import acts
from server.play.acts import Action, IsRepetition
from server.play.commands import COMMANDS as MOVES
from server.play.commands import Command
from server.play.failures import refusal_for
from server.play.live import Live
from server.play.matches import BadToken, Matches, StoredCommand
from server.play.passing import Passing
from server.play.snapshot import Snapshot
from server.play.zones import hours_of
from server.protocol import wire
from server.protocol.refusals import Refusal
from server.socket.accesses import Accesses, Holders
from server.socket.arriving import Arriving
from server.socket.caller import Caller
from server.socket.paced import Paced
from server.tracing import span

logger = structlog.get_logger()

FIRST = 5.0
"""Seconds within which a connection must send its first message."""

TURNS = 10
"""Parts in which FIRST is waited: a stall of the server uses up one part at most."""

BAD_MESSAGE, FLOOD, NOT_KNOWN, SILENT = 4400, 1008, 4401, 4009
"""Close codes: a message not of the protocol · too many messages · too many invalid links · no first message
in time, after which the client may connect again."""

SIGNED_OUT = "signed out"
"""The reason of close code 4401 where a session has ended."""

THEIRS = frozenset({1002, 1007, 1009})
"""Close codes that `websockets` sends by itself: an invalid websocket frame, invalid UTF-8, too long."""

ROOMS: Mapping[wire.Room, tuple[Viewer, ...]] = {
    "table": (Audience.SIDE_0, Audience.SIDE_1),
    "onlookers": (Audience.ONLOOKERS,),
}
"""The audiences of each chat room."""

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


class Visitor:
    """One connection, with its access to each match it watches."""

    def __init__(self, gate: Gate, connection: Paced) -> None:
        self._gate, self.connection = gate, connection
        self._commands, self._hellos, self._lines = Bucket(*COMMANDS), Bucket(*HELLOS), Bucket(*LINES)
        self._frames = 0.0
        self._too_many = 0
        self._ended = False
        """Whether the connection is being closed from here: what still comes is not answered."""
        self._bad_tokens = 0
        self.caller = Caller(connection, gate.arriving, gate.sessions)
        self._log = logger.bind(connection=connection.id.hex)
        self.accesses = Accesses(connection, gate.holders, gate.hub, gate.lobby, self._log)

    async def run(self) -> None:
        """Answer messages until the connection ends; close it if the first does not come in time."""
        first = await self._first()
        if first is None:
            await self._close(SILENT, "nothing was said")
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
            self._log.info("closed", code=int(closed.sent.code))

    async def _receive(self, data: str | bytes) -> None:
        if self._ended:
            return
        if isinstance(data, bytes):
            await self._close(BAD_MESSAGE, "messages are text")
            return
        self._frames = 1 + len(data) / KIB
        try:
            message = wire.decode_incoming(data)
        except (MsgspecError, RecursionError) as why:
            await self._close(BAD_MESSAGE, f"not of protocol {wire.VERSION}: {why}")
            return
        with self._gate.busy(), answering(self._answered(message)):
            try:
                if await self.caller.may(message):
                    await self._ANSWERS[type(message)](self, message)
                else:
                    await self._close(NOT_KNOWN, NO_BOT)
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
            self._log.error("bug", message=type(message).__name__, exc_info=why)
            answer = Refusal("bug", "the server has made a mistake; ask again")
        elif answer.code == "unavailable":
            self._log.warning("unavailable", why=type(why).__name__)
        elif answer.code == "too_fast" and self._too_many > PATIENCE:
            await self._close(FLOOD, "too many messages")
            return
        match, command = getattr(message, "match", None), getattr(message, "command", None)
        self._gate.refusals[answer.code] += 1
        self._log.info("refused", code=answer.code, rule=answer.rule)
        await self._send(wire.Refused(answer.code, answer.reason, match, command, answer.rule, answer.seq))

    # watching

    async def _hello(self, hello: wire.Hello) -> None:
        with span("hello", match=hello.match):
            await self._let_in(hello)

    async def _let_in(self, hello: wire.Hello) -> None:
        await self._spend(self._hellos, HELLO)
        known_version(hello.version)
        if self.accesses.get(hello.match) is None and len(self.accesses) >= self._gate.most:
            raise RequestError("too_many", f"a connection watches at most {self._gate.most} matches")
        access, head = await self._resolve(hello)
        live = await self._gate.matches.level_with(hello.match, head)
        self.accesses.hold(hello.match, access)
        side = None if access.seat is None else live.standing.side(access.seat)
        if access.token:
            async with self._gate.arriving.turn(self.connection):
                if access.role != "onlooker" and not live.standing.started:
                    await self._gate.lobby.makers.seen([(access.match, access.seat)])
                # The link may have become void before we watched by it, and the access have ended for that.
                if self.accesses.get(hello.match) is not access:
                    raise BadToken
                await self.accesses.checked(hello.match)
        await self._send(
            wire.Welcome(
                wire.VERSION, hello.match, live.game.name, access.role, live.seq, seat=access.seat, side=side
            )
        )
        after = hello.after if _known(hello, live) else 0
        if self.accesses.get(hello.match) is not access:  # it has become void since
            raise BadToken
        await self._gate.hub.watch(
            self.connection,
            hello.match,
            Audience.of(side),
            after,
            access.seat,
            head=live.seq,
            counted=not (hello.glance and access.role == "onlooker"),
        )
        if self.accesses.get(hello.match) is not access:  # nor by now, and he watches no more
            raise BadToken
        # Only now that it watches: no line said after this query is missed.
        room: wire.Room = "onlookers" if side is None else "table"
        for line in await self._gate.arriving.last_lines(self.connection, hello.match, room):
            await self.connection.tell(line)
        seats, onlookers = self._gate.hub.presence(hello.match)
        present = [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
        await self._send(wire.Presence(hello.match, present, onlookers))

    async def _resolve(self, hello: wire.Hello) -> tuple[Access, int]:
        """Return what a token opens, or what is this person's own, and the log's head of the match."""
        here = await self.caller.here() if hello.mine and not hello.token else None
        try:
            if here is None:
                return await self._gate.arriving.access(self.connection, hello.match, hello.token)
            return await self._gate.arriving.own(self.connection, hello.match, here.person, hello.seat)
        except RequestError as why:
            self._bad_tokens += why.code == "bad_token"
            if self._bad_tokens > PATIENCE:
                await self._close(NOT_KNOWN, "too many links that are not valid")
            raise

    async def _bye(self, bye: wire.Bye) -> None:
        self.accesses.end(bye.match)

    async def _ping(self, _: wire.Ping) -> None:
        await self._send(wire.Pong(self._gate.matches.now()))

    # the lobby

    async def _create(self, create: wire.Create) -> None:
        await self._spend(self._commands)
        known_version(create.version)
        if not self.connection.address.creations.acquire():
            raise RequestError(
                "too_fast", "too many matches were offered from here; try again in some minutes"
            )
        here = await self.caller.here()
        person = here.person if here else None
        created = await self._gate.lobby.create(create, self.connection.address, person)
        self._gate.created(created.match, create.bots)
        await self._send(created)

    async def _exchange(self, exchange: wire.Exchange) -> None:
        await self._spend(self._commands)
        access = self.accesses.to(exchange.match)
        with self.accesses.relinks(exchange.match):
            await self._relink(exchange.match, await self._gate.lobby.links.exchange(access))

    async def _revoke(self, revoke: wire.Revoke) -> None:
        await self._spend(self._commands)
        link = await self._gate.lobby.links.revoke(await self.accesses.checked(revoke.match), revoke.seat)
        await self._gate.end_void_accesses(revoke.match)
        await self._send(wire.Linked(revoke.match, link))

    async def _withdraw(self, withdraw: wire.Withdraw) -> None:
        await self._spend(self._commands)
        await self._gate.lobby.links.withdraw(await self.accesses.checked(withdraw.match))
        await self._send(wire.Withdrawn(withdraw.match))

    async def _rematch(self, asked: wire.Rematch) -> None:
        await self._spend(self._commands)
        await self.accesses.checked(asked.match)
        before, asked = self.accesses.seat(asked.match), await self.caller.as_said(asked)
        rematch, new = await self._gate.lobby.rematches.of(asked.match, again=asked.again)
        if new:
            self._gate.created(rematch.match, rematch.bots)
        seat = rematch.seat(before)
        join = wire.Join(
            rematch.match, asked.command, seat, asked.token, asked.promise, asked.name, asked.kind
        )
        act = acts.sit(seat, asked.kind, asked.promise, self._hours(asked))
        link, receipt = await self._gate.lobby.seats.follow(
            join, lambda: self._beginning(join, act), await self.caller.holder()
        )
        # By the first who sits there, perhaps not the first who asked; from others it is not written again.
        told = wire.encode(wire.Rematched(asked.match, rematch.match))
        self._gate.hub.send_everywhere(asked.match, told, VIEWERS)
        await self._send(wire.Linked(rematch.match, link))
        await self._confirm(receipt)

    async def _say(self, say: wire.Say) -> None:
        await self._spend(self._lines)
        access = await self.accesses.checked(say.match)
        if (say.room == "table") != (access.seat is not None):
            raise RequestError("not_allowed", "seats talk at the table, onlookers among themselves")
        here, address = await self.caller.here(), self.connection.address
        person = here.person if here else None
        said = await self._gate.chat.say(say.match, say.room, access.seat, address, say.text, person)
        self._gate.hub.send_everywhere(say.match, wire.encode(said), ROOMS[say.room])

    async def _lobby(self, lobby: wire.Lobby) -> None:
        if not lobby.watching:
            self._gate.board.leave(self.connection)
            return
        await self._spend(self._hellos, HELLO)
        await self._gate.board.watch(self.connection)

    # the match

    async def _sit(self, sit: wire.Sit) -> None:
        seat, token = self.accesses.seat_and_token(sit.match)  # now: the access may end meanwhile
        await self._spend(self._commands)
        sit, holder = await self.caller.as_said(sit), await self.caller.holder()
        act = acts.sit(seat, sit.kind, sit.promise, self._hours(sit))
        with self.accesses.relinks(sit.match):
            link, receipt = await self._gate.lobby.seats.sit(
                sit, seat, lambda: self._beginning(sit, act, token), holder
            )
            if link is not None:
                await self._relink(sit.match, link)
        await self._confirm(receipt)

    async def _join(self, join: wire.Join) -> None:
        self.accesses.to(join.match)
        await self._spend(self._commands)
        join = await self.caller.as_said(join)
        act = acts.join(join.seat, join.kind, join.promise, self._hours(join))
        link, receipt = await self._gate.lobby.seats.join(
            join,
            lambda: self._beginning(join, act),
            await self.caller.holder(),
            sat=self.accesses.sat(join.match),
        )
        await self._gate.end_void_accesses(join.match)
        await self._send(wire.Linked(join.match, link))
        await self._confirm(receipt)

    def _hours(self, asked: wire.Sit | wire.Join | wire.Rematch) -> Callable[[], Hours | None]:
        return lambda: hours_of(asked.zone, asked.night, self._gate.matches.now())

    async def _show(self, show: wire.Show) -> None:
        seat, token = self.accesses.seat_and_token(show.match)
        act = acts.show(seat, show.nonce)
        await self._spend(self._commands)
        await self._confirm(await self._beginning(show, act, token))

    async def _foresee(self, foresee: wire.Foresee) -> None:
        """Answer without storing, broadcasting or logging anything: nobody else can learn of the request."""
        await self._spend(self._commands)
        await self.accesses.checked(foresee.match)
        seat = self.accesses.seat(foresee.match)

        def look(live: Live) -> wire.Foreseen:
            ahead = acts.foresee(live, seat, foresee.answers, foresee.decisions)
            return wire.Foreseen(foresee.match, foresee.command, live.seq, *live.foreseen(seat, ahead))

        foreseen = await self._gate.matches.glance(foresee.match, look, foresee.answers)
        self._commands.give_back()
        await self._send(foreseen)

    async def _suggest(self, suggest: wire.Suggest) -> None:
        """Answer as `_foresee` does; it costs as much as a command that is refused."""
        await self._spend(self._commands)
        await self.accesses.checked(suggest.match)
        seat, here = self.accesses.seat(suggest.match), self.connection
        await self._send(await self._gate.suggestions.answer(suggest, seat, here.address, here))

    async def _command(self, message: Command) -> None:
        seat, token = self.accesses.seat_and_token(message.match)
        await self._spend(self._commands)
        if isinstance(message, wire.Claim) and message.choice == "replace":
            await self._gate.lobby.check_offered(message.match)
        if isinstance(message, wire.Anew):
            # Else who was invited might commit the seat of somebody who has just taken it.
            await self._gate.lobby.seats.settle(message.match, seat)
        await self._confirm(await self._receipt(message, self._gate.passing.command(message, seat, token)))

    def _beginning(
        self, message: Any, act: tuple[Action, IsRepetition], token: bytes | None = None
    ) -> Awaitable[wire.Receipt]:
        """Carry out a command by which a match begins, without a token as one that takes none."""
        matches = self._gate.matches
        return self._receipt(message, matches.command(message.match, message.command, *act, token))

    async def _receipt(self, message: Any, stored: Awaitable[StoredCommand]) -> wire.Receipt:
        """Return the receipt of a command, and give back what it has cost."""
        try:
            receipt = await stored
        except BadToken:
            self.accesses.end(message.match)
            raise
        self._commands.give_back()
        self.connection.give_back(COMMAND, self._frames)
        return wire.Receipt(message.match, message.command, receipt.seq, receipt.hash.hex())

    # helpers

    async def show_out(self) -> None:
        """Close the connection of somebody whose session, or whose bot's token, has ended.

        It may be some seconds until he answers that: he has no access to anything from now on, and neither
        what he sends meanwhile nor what waits for its turn is carried out.
        """
        self._ended = True
        self.accesses.end_all()
        await self._close(NOT_KNOWN, SIGNED_OUT)

    async def _relink(self, match: UUID, link: wire.Link) -> None:
        """Send a link in place of the one by which this connection watches, and watch on by it."""
        self.accesses.hold(match, await self._gate.lobby.links.access(match, link.token))
        await self._send(wire.Linked(match, link))
        await self._gate.end_void_accesses(match)

    async def _spend(self, bucket: Bucket, work: float = COMMAND) -> None:
        """Spend a message's cost: refuse it beyond the connection's limit, delay it beyond the address's."""
        if not bucket.acquire():
            self._too_many += 1
            raise RequestError("too_fast", "too many messages at once; wait some seconds")
        await self.connection.spend(work)
        if self._ended:
            raise RequestError("no_session", SIGNED_OUT)

    async def _confirm(self, receipt: wire.Receipt) -> None:
        """Send a receipt, in one write with what else is on its way to this connection of its match."""
        text = wire.encode(receipt)
        if not self._gate.hub.receipt(self.connection, receipt.match, text):
            await self.connection.tell(text)

    async def _send(self, message: wire.Message) -> None:
        await self.connection.tell(wire.encode(message))

    async def _close(self, code: int, reason: str) -> None:
        self._ended = True
        self._log.info("closed", code=code, reason=reason[:100])
        await self.connection.close(code, reason.encode()[:120].decode(errors="ignore"))

    _ANSWERS: ClassVar[Mapping[type[Any], Callable[[Any, Any], Awaitable[None]]]] = {
        wire.Hello: _hello,
        wire.Bye: _bye,
        wire.Create: _create,
        wire.Sit: _sit,
        wire.Join: _join,
        wire.Show: _show,
        **dict.fromkeys(MOVES, _command),
        wire.Foresee: _foresee,
        wire.Suggest: _suggest,
        wire.Exchange: _exchange,
        wire.Revoke: _revoke,
        wire.Withdraw: _withdraw,
        wire.Rematch: _rematch,
        wire.Say: _say,
        wire.Lobby: _lobby,
        wire.Ping: _ping,
    }
    """Not of bound methods, which would refer back to whoever has them."""


def _known(hello: wire.Hello, live: Snapshot) -> bool:
    """Whether the fact and hash that a client names end a command on the log."""
    end = live.end(hello.after)
    return end is not None and hello.h in {"", end.hex()}


def known_version(version: int) -> None:
    """Raise RequestError for a protocol version other than ours."""
    if version != wire.VERSION:
        raise RequestError("version", f"protocol {version} is not known; known is {wire.VERSION}")
