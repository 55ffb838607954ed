"""A client of one match that reconnects by itself, patches the view, checks the chain, and retries commands.

Laws of this module:
- The view changes by whole contiguous frames, or is replaced by a later one: no fact is applied twice. After
  a gap, or a view older than the one shown, the client sends hello again.
- Every fact is linked to the one before it on arrival; a wrong hash ends the client with `Broken`.
- A command is sent with one id until it is answered, over as many connections as that takes.
- Nothing is queued: only the newest state is kept. A slow listener causes backpressure on the socket, and the
  server then sends the view instead of every frame.

Deliberately absent: the content of views, which decision is good, and any queue.
"""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID, uuid4

from msgspec import Raw, Struct, ValidationError, json, structs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from clients.links import Place, held_by, kept_seating, new_seating, socket_url
from clients.nonces import Nonces
from clients.trail import Broken, Trail
from server.protocol import wire
from server.protocol.listing import Kind

RETRYABLE: Final = frozenset({"busy", "unavailable", "conflict", "too_fast"})
"""Codes of refusals after which the same command is sent again later."""

FINAL_CLOSES: Final = frozenset({1002, 1003, 1007, 1009, *range(4400, 4500)})
"""Close codes after which the client does not reconnect, since it would be closed again."""

LARGEST: Final = 16 << 20
"""Bytes that a message may have; a larger one closes the connection."""

OVERTAKEN: Final = frozenset({"bad_nonce", "shown", "stale", "started", "too_early"})
"""Codes of refusals where somebody has committed anew, or begun, while a nonce was under way."""

HOLES: Final = 3
"""Hellos that did not fill a gap, after which the view is requested."""

Command = (
    wire.Sit
    | wire.Join
    | wire.Show
    | wire.Anew
    | wire.Decide
    | wire.Foresee
    | wire.Undo
    | wire.Offer
    | wire.Answer
    | wire.Resume
    | wire.Resign
    | wire.Claim
    | wire.CallOff
    | wire.Holiday
)
Reply = wire.Receipt | wire.Foreseen


class RequestRefused(Exception):
    """The server has refused a request; nothing has changed."""

    def __init__(self, refused: wire.Refused) -> None:
        rule = f" ({refused.rule})" if refused.rule else ""
        super().__init__(f"{refused.reason}{rule}")
        self.code, self.reason, self.rule, self.seq = refused.code, refused.reason, refused.rule, refused.seq


class Lost(Exception):
    """The server could not be reached for `Pace.patience` seconds, or has closed with a final code."""


class NoSeat(Exception):
    """The link opens no seat, or one whose nonce was committed by another client."""


class Pace(Struct, frozen=True):
    """Every duration of a client, in seconds."""

    first: float = 0.1  # before connecting again, doubled each time up to
    most: float = 10.0
    patience: float = 300.0  # without a welcome: lost
    welcome: float = 10.0  # to the server's first word
    answer: float = 10.0  # to a command, before it is sent again
    held: float = 1.0  # pause after `busy` and the like


class Heard(Struct, frozen=True):
    """A message, as a listener gets it, and the client that has applied it."""

    message: wire.Frame | wire.View | wire.Welcome | wire.Said | wire.Presence
    client: "Client"


Listener = Callable[[Heard], Awaitable[None]]

HEARD: Final = (wire.Frame, wire.View, wire.Welcome, wire.Said, wire.Presence)


def merged(target: Any, patch: Any) -> Any:
    """Return `target` with a JSON merge patch applied (RFC 7396); neither argument is changed."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


class Client:
    """A client of one match, with the seat that its link opens, if any.

    Use it as `async with Client(place) as client`: inside, `view`, `prompts`, `upto`, `h` are always
    consistent. `listen` is awaited for each message before `wait` checks its condition and before the next
    message is read; it must not wait for a command.
    """

    def __init__(
        self,
        place: Place,
        *,
        listen: Listener | None = None,
        nonces: Path | None = None,
        nonces_by: Callable[[int], bytes] | None = None,
        pace: Pace | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Take the folder `nonces`, where a seat's nonce and, if it is joined, its token are stored.

        Without one they are in memory only. A seat whose nonces follow from something else is given them as
        `nonces_by`, a function of how many of them count no more.

        `headers` are sent with the handshake of every connection. With the token of a registered bot as
        Authorization, and a place without a token, the client has that bot's own seat.
        """
        self.place = place
        self._headers = dict(headers or {})
        self.view: dict[str, Any] = {}
        self.prompts: list[wire.Asked] = []
        self.welcome: wire.Welcome | None = None
        self.trail = Trail(place.match)
        self.presence: wire.Presence | None = None
        self.connections = 0
        """Connections that were welcomed so far."""
        self._listen = listen
        self._folder, self._nonces = nonces, Nonces(place.match, nonces, nonces_by)
        self._heir = held_by(nonces, place) if nonces else ""
        """The token that the seat is held by once it is taken, as long as it is not known that it is."""
        self._pace = pace or Pace()
        self._socket: ClientConnection | None = None
        self._greeting = False
        self._holes = 0
        self._waiting: dict[UUID, tuple[Command, asyncio.Future[Reply]]] = {}
        self._changed = asyncio.Event()
        self._fault: BaseException | None = None
        self._task: asyncio.Task[None] | None = None

    # What there is to see

    @property
    def upto(self) -> int:
        """The seq of the last fact in the view."""
        return self.trail.seq

    @property
    def seat(self) -> int | None:
        """The seat of this connection's token."""
        return None if self.welcome is None else self.welcome.seat

    @property
    def match(self) -> dict[str, Any]:
        """The part of the view that all titles share: seats, nonces, offers, the end."""
        match: dict[str, Any] = self.view.get("match", {})
        return match

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return bool(self.match.get("over"))

    @property
    def prompt(self) -> wire.Asked | None:
        """The prompt of one's own seat; None if it is not asked."""
        return next((asked for asked in self.prompts if asked.seat == self.seat), None)

    async def wait(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds()` is true. Raises the error that has ended the client, if it has ended."""
        while not holds():
            if self._fault is not None:
                raise self._fault
            await self._changed.wait()

    # Begin and end

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        try:
            await self.wait(lambda: bool(self.view))
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._end(Lost("this client was closed"))

    # Commands

    async def decide(self, option: Any) -> wire.Receipt:
        """Choose an option of one's prompt, given as plain JSON or as received. Raises RequestRefused."""
        raw = option if isinstance(option, Raw) else Raw(json.encode(option))
        return await self.send(wire.Decide(self.place.match, uuid4(), self.upto, raw))

    async def decide_all(self, options: Sequence[Any], answers: int) -> wire.Receipt:
        """Choose several options in one command, all but the last of them quiet. Raises RequestRefused."""
        raw = tuple(Raw(json.encode(option)) for option in options)
        return await self.send(wire.Decide(self.place.match, uuid4(), answers, decisions=raw))

    async def foresee(self, options: Sequence[Any], answers: int) -> wire.Foreseen:
        """Return the prompt and the patch that quiet decisions would lead to, without taking them.

        Raises RequestRefused, Lost, Broken.
        """
        raw = tuple(Raw(json.encode(option)) for option in options)
        answer = await self._send_until_answered(wire.Foresee(self.place.match, uuid4(), answers, raw))
        assert isinstance(answer, wire.Foreseen)
        return answer

    async def join(self, seat: int, name: str = "", *, bot: bool = False) -> Place:
        """Take a free seat of a match that is not private, and return the link to it; then `sit` goes on.

        Sent again after a restart with the same folder of nonces, it has the same answer. Raises
        RequestRefused: `seat_taken` if somebody else was first.
        """
        by = kept_seating(self._folder, self.place, seat) if self._folder else new_seating()
        promise = self._nonces.promise(seat)
        kind: Kind = "bot" if bot else "person"
        await self.send(wire.Join(self.place.match, by.command, seat, by.token, promise, name, kind))
        await self.wait(lambda: self.seat == seat)
        return self.place

    async def sit(self, name: str = "", *, bot: bool = False) -> None:
        """Take the seat, reveal the nonce when every seat has committed to one, and wait for the start.

        The link that was come by is void once the seat is taken; `place` has the new one. Idempotent: steps
        done before are skipped, also after a restart with the same folder of nonces and the link of before.
        Raises NoSeat, RequestRefused.
        """
        seat = self.seat
        if seat is None:
            raise NoSeat("this link opens no seat; with it one can only look on")
        key = str(seat)
        if key not in self.match["taken"]:
            by = kept_seating(self._folder, self.place) if self._folder else new_seating()
            promise = self._nonces.promise(seat)
            self._heir = by.token
            kind: Kind = "bot" if bot else "person"
            await self.send(wire.Sit(self.place.match, by.command, by.token, promise, name, kind))
        await self._begin(seat)

    async def _begin(self, seat: int) -> None:
        """Show the seat's nonce, or commit anew, until the match has started. Raises NoSeat."""
        while not self.match["started"] and not self.over:
            at = self.upto
            try:
                said = self._nonces.next(seat, self.match)
            except LookupError as why:
                raise NoSeat(str(why)) from None
            try:
                if said is not None:
                    at = (await self.send(said)).seq - 1
            except RequestRefused as refused:
                if refused.code not in OVERTAKEN:
                    raise
            await self.wait(lambda seen=at: self.upto > seen)  # type: ignore[misc]

    async def send(self, command: Command) -> wire.Receipt:
        """Send a command until it is answered, and return its receipt.

        Raises RequestRefused, Lost, Broken.
        """
        answer = await self._send_until_answered(command)
        assert isinstance(answer, wire.Receipt)
        return answer

    async def _send_until_answered(self, command: Command) -> Reply:
        """Send a command, again after refusals that may pass. Raises RequestRefused, Lost, Broken."""
        while True:
            try:
                return await self._send_and_wait(command)
            except RequestRefused as refused:
                if refused.code not in RETRYABLE:
                    raise
            await asyncio.sleep(self._pace.held * random.uniform(0.5, 1.5))  # noqa: S311 not a secret

    async def _send_and_wait(self, command: Command) -> Reply:
        """Send a command, again while no answer comes. Raises RequestRefused, Lost, Broken."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[command.command] = (command, future)
        try:
            while not future.done():
                if self._fault is not None:
                    raise self._fault
                await self._post(command)
                await asyncio.wait({future}, timeout=self._pace.answer)
            return future.result()
        finally:
            del self._waiting[command.command]
            future.cancel()

    async def _post(self, message: wire.Message) -> None:
        """Send if welcomed; an unanswered command is sent again after the next welcome."""
        if self._socket is not None and not self._greeting:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(wire.encode(message), text=True)

    # The connection

    async def _run(self) -> None:
        """Connect and reconnect, with backoff, until an error is final."""
        try:
            await self._keep_connected()
        except asyncio.CancelledError:
            raise
        except Exception as fault:
            self._end(fault)

    async def _keep_connected(self) -> None:
        loop = asyncio.get_running_loop()
        seen, pause = loop.time(), self._pace.first
        while True:
            before = self.connections
            why = await self._one_connection()
            if self.connections > before:
                seen, pause = loop.time(), self._pace.first
            if loop.time() - seen > self._pace.patience:
                raise Lost(f"no welcome from {self.place.url} for {self._pace.patience:.0f} s: {why}")
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 spreads those who come back
            pause = min(2 * pause, self._pace.most)

    async def _one_connection(self) -> str:
        """Serve one connection and return why it ended; raises if reconnecting is useless."""
        try:
            async with connect(
                socket_url(self.place.url),
                compression=None,
                max_size=LARGEST,
                max_queue=4,
                close_timeout=1,
                additional_headers=self._headers,
            ) as socket:
                self._socket = socket
                return await self._serve(socket)
        except ConnectionClosed as closed:
            code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")
            if code in FINAL_CLOSES:
                raise Lost(f"the server closed for good: {code} {reason}") from closed
            return f"closed: {code} {reason}".strip()
        except InvalidStatus as answer:
            status = answer.response.status_code
            if 400 <= status < 500 and status not in {408, 425, 429}:  # noqa: PLR2004 HTTP's own classes
                raise Lost(f"{self.place.url} answers {status}") from answer
            return f"{self.place.url} answers {status}"
        except InvalidURI as fault:
            raise Lost(str(fault)) from fault
        except (OSError, TimeoutError, InvalidHandshake, EOFError) as fault:
            return str(fault) or type(fault).__name__
        finally:
            self._socket = None
            self._greeting = False

    async def _serve(self, socket: ClientConnection) -> str:
        """Apply messages until the server announces a restart."""
        await self._hello(socket)
        while True:
            patience = self._pace.welcome if self._greeting else None
            async with asyncio.timeout(patience):
                text = await socket.recv()
            try:
                message = wire.decode_outgoing(text)
            except ValidationError as fault:
                raise Lost(f"a message that this protocol does not have: {fault}") from fault
            if isinstance(message, wire.Restarting):
                return "the server restarts"
            await self._handle(socket, message)

    async def _hello(self, socket: ClientConnection) -> None:
        self._greeting = True
        after, h = (self.trail.seq, self.trail.h.hex()) if self.view and self._holes < HOLES else (0, "")
        mine = not self.place.token and "Authorization" in self._headers
        hello = wire.Hello(wire.VERSION, self.place.match, self.place.token, after, h, mine=mine)
        await socket.send(wire.encode(hello), text=True)

    async def _handle(self, socket: ClientConnection, message: wire.Outgoing) -> None:
        match message:
            case wire.Welcome():
                await self._welcomed(message)
            case wire.View() | wire.Frame():
                if self._greeting or not await self._apply(socket, message):
                    return
            case wire.Receipt() | wire.Foreseen() if message.match == self.place.match:
                self._replied(message)
            case wire.Refused(code="bad_token") if self._heir:
                await self._relinked(socket, self._heir)
            case wire.Refused():
                self._refused(message)
            case wire.Linked():
                await self._relinked(socket, message.link.token)
            case wire.Presence():
                self.presence = message
        if self._listen is not None and isinstance(message, HEARD):
            await self._listen(Heard(message, self))
        self._wake()

    async def _relinked(self, socket: ClientConnection, token: str) -> None:
        """Watch on by a token in place of the one that is void."""
        self._heir = ""
        self.place = structs.replace(self.place, token=token)
        await self._hello(socket)

    async def _apply(self, socket: ClientConnection, message: wire.View | wire.Frame) -> bool:
        """Return whether a view or frame was applied; if one is missing before it, send hello again."""
        if isinstance(message, wire.Frame):
            if self._apply_frame(message):
                return True
            missed = message.after > self.upto or message.upto > self.upto
        elif message.upto >= self.upto:
            self.trail.begin(message.upto, message.h)
            self.view, self.prompts, self._holes = message.view, message.prompts, 0
            return True
        elif self._holes >= HOLES:
            raise Broken(self.upto, "was shown, and the log does not reach it any more")
        else:
            missed = True
        if missed:
            self._holes += 1
            await self._hello(socket)
        return False

    async def _welcomed(self, welcome: wire.Welcome) -> None:
        self.welcome = welcome
        self.connections += 1
        self._greeting = False
        for command, _ in list(self._waiting.values()):
            await self._post(command)

    def _apply_frame(self, frame: wire.Frame) -> bool:
        """Return whether a frame was applied, which it is if it follows the view without a gap."""
        if frame.after != self.upto or not self.view:
            return False
        self.trail.follow(frame)
        self.view = merged(self.view, frame.patch)
        self.prompts, self._holes = frame.prompts, 0
        return True

    def _refused(self, message: wire.Refused) -> None:
        refused = RequestRefused(message)
        if message.command is not None:
            self._settle(message.command, refused)
        elif message.code in RETRYABLE:  # whether before the welcome or after it: the match is not watched
            raise TimeoutError(message.reason)
        else:
            raise refused

    def _replied(self, message: Reply) -> None:
        if isinstance(message, wire.Receipt):
            self.trail.pledge(message)
        self._settle(message.command, message)

    def _settle(self, command: UUID, answer: Reply | RequestRefused) -> None:
        _, future = self._waiting.get(command, (None, None))
        if future is None or future.done():
            return
        if isinstance(answer, RequestRefused):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _end(self, fault: BaseException) -> None:
        self._fault = self._fault or fault
        for _, future in self._waiting.values():
            if not future.done():
                future.set_exception(self._fault)
        self._wake()


async def create(url: str, wish: wire.Create, pace: Pace | None = None) -> wire.Created:
    """Offer a match and return it with its links, reconnecting as needed. Raises RequestRefused, Lost."""
    timing = pace or Pace()
    loop = asyncio.get_running_loop()
    began, pause = loop.time(), timing.first
    while True:
        try:
            async with (
                asyncio.timeout(timing.answer),
                connect(socket_url(url), compression=None, max_size=LARGEST) as socket,
            ):
                await socket.send(wire.encode(wish), text=True)
                return await _created(socket, wish.command)
        except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed, EOFError) as fault:
            if loop.time() - began > timing.patience:
                raise Lost(f"{url} cannot be reached: {fault}") from fault
        except RequestRefused as refused:
            if refused.code not in RETRYABLE - {"too_fast"} or loop.time() - began > timing.patience:
                raise
        await asyncio.sleep(pause)
        pause = min(2 * pause, timing.most)


async def _created(socket: ClientConnection, command: UUID) -> wire.Created:
    while True:
        message = wire.decode_outgoing(await socket.recv())
        if isinstance(message, wire.Created) and message.command == command:
            return message
        if isinstance(message, wire.Refused):
            raise RequestRefused(message)


__all__ = [
    "Broken",
    "Client",
    "Command",
    "Heard",
    "Listener",
    "Lost",
    "NoSeat",
    "Pace",
    "RequestRefused",
    "create",
    "merged",
]
