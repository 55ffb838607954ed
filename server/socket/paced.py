"""A websocket whose reading is rate limited, by its own token bucket and by its address's.

Laws of this module:
- Every websocket frame is counted before the next one is read: messages, fragments, pings, pongs, empty ones.
- Above the rate limit, reading pauses (backpressure): nothing is lost and nothing is refused. A connection is
  closed only when more than AHEAD bytes are waiting, with a close code after which it may connect again.
- Nothing more is read while the messages read before are not consumed.

`websockets` parses all bytes it is given at once, and 64 KiB hold ten thousand pings. So it is given bytes in
slices, one of each address in turn (`server.socket.rota`), and the rest is buffered here while the socket is
not read.

A request that has a body is read by another parser (`server.socket.body`), within the same limits.

Deliberately absent: the content of messages (`server.socket.visitor`) and their cost beyond websocket frames.
"""

import asyncio
from asyncio import FIRST_COMPLETED
from contextlib import suppress
from typing import Any, Final, cast

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.protocol import Event, State

from server.addresses import Address, Addresses
from server.fanout.broadcasts import websocket_bytes
from server.fanout.room import UNSENT
from server.http import pages
from server.limits import AHEAD, FRAMES, KIB, Bucket
from server.socket.body import GO_ON, BodyReader, is_verb
from server.socket.rota import Part, Rota

logger = structlog.get_logger()

SLICE: Final = 256
"""Bytes given to the parser at once: most commands, and at most 42 websocket frames."""

SHORTEST_WAIT: Final = 0.05
"""Shortest pause of reading, in seconds, since a timer has a cost, too."""

REQUEST: Final = 10.0
"""Seconds within which a new connection must send its HTTP request."""

PARTS: Final = 10
"""Parts in which REQUEST is waited: one in which what came was not read yet does not count."""

FAREWELL: Final = 1.0
"""Seconds from the close frame of a flooding connection until its transport is aborted."""

FLOOD: Final = "too much at once"

NO_REQUEST: Final = (
    "no such request is answered: all is read with GET over HTTP/1.1, for which none has a body"
)


class Paced(ServerConnection):
    """One connection, from its acceptance to its end."""

    address: Address
    plays = False
    """Whether it holds a seat now, and is read before those that do not (`server.socket.accesses`)."""
    body = b""
    """The body of its request, where that has one."""
    unreadable: pages.Unreadable | None = None
    """Why its request could not be read, where that has a body."""
    session: bytes = b""
    """The hash of the session or of the bot's token that its handshake carried, empty without one."""
    bot = False
    """Whether that is a bot's token."""

    def __init__(self, addresses: Addresses, rota: Rota, *given: Any, **named: Any) -> None:
        """Take the addresses of the node and their rotation, and the arguments of `ServerConnection`."""
        super().__init__(*given, **named)
        self._addresses, self._rota = addresses, rota
        self._frames = Bucket(*FRAMES)
        self._unread = bytearray()
        self._cost = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._first = bytearray()
        self._reader: BodyReader | None = None
        self._websocket = False
        self._begun = self._arrived = self._inside = self._excused = self._asked = False

    # arriving and leaving

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin in turn, after the wait that the address's rate limit demands.

        Abort if that is too long, or if hardly any more files may be opened.
        """
        self._open = cast("asyncio.Transport", transport)
        self.address = self._addresses.at(transport.get_extra_info("peername"))
        if self._addresses.closed:  # it was accepted while the server ended
            self._open.abort()
            return
        if not self._addresses.has_room(transport.get_extra_info("socket").fileno()):
            self._open.abort()
            return
        wait = self.address.arrive()
        if wait is None:
            self._open.abort()
            return
        self._arrived = True
        self._addresses.waiting.add(self._open)
        self._open.pause_reading()
        if wait:
            self._timer = self.loop.call_later(wait, self._ask, self._begin)
        else:
            self._ask(self._begin)

    def _ask(self, part: Part) -> None:
        """Do something in its turn, for which one at a time is asked."""
        self._timer, self._asked = None, True
        self._rota.ask(self.address, part, 0 if self.plays else 1 if self._begun else 2)

    def _begin(self) -> None:
        self._asked = False
        self._addresses.waiting.discard(self._open)
        if self._open.is_closing():
            return
        self._begun = True
        super().connection_made(self._open)
        self.recv_messages.resume = self._resume
        self._look()

    def move(self, address: Address) -> float | None:
        """Arrive at another address and leave this one; return what `Address.arrive` does.

        Where that is None, this one is not left. Raises ConnectionClosed if the connection has ended: it has
        left already, and would not leave the other.
        """
        self.look_there()
        wait = address.arrive()
        if wait is not None:
            self.address.leave()
            self.address = address
        return wait

    def enter(self) -> None:
        """Count as a websocket of the address until the connection ends.

        Raises ConnectionClosed if it has ended already, after which nobody would uncount it: `websockets` has
        a request answered even then.
        """
        self.look_there()
        self._inside = True
        self.address.sockets += 1

    def connection_lost(self, exc: Exception | None) -> None:
        """Discard unread bytes and release the address."""
        if self._timer is not None:
            self._timer.cancel()
        self._addresses.waiting.discard(self._open)
        self._unread.clear()
        if self._arrived:
            self.address.leave()
            self.address.sockets -= self._inside
        if self._begun:
            super().connection_lost(exc)
            # Ours refers to this connection, which would be left to the search for garbage.
            self.recv_messages.resume = self._open.resume_reading

    async def handshake(self, *given: Any, **named: Any) -> None:
        """Answer the HTTP request; raise TimeoutError if it does not come in REQUEST seconds of reading."""
        left, come = PARTS, {self.request_rcvd, self.connection_lost_waiter}
        while not (await asyncio.wait(come, timeout=REQUEST / PARTS, return_when=FIRST_COMPLETED))[0]:
            left -= not self.held
            if not left:
                raise TimeoutError
        await super().handshake(*given, **named)

    # reading

    def data_received(self, data: bytes) -> None:
        """Buffer the bytes, and parse as many as the rate limits allow now."""
        self._unread += data
        self._look()

    def eof_received(self) -> None:
        """Take the end of the input; abort a connection that has not begun."""
        if self._begun:
            super().eof_received()
        else:
            self._open.abort()

    @property
    def held(self) -> bool:
        """Whether bytes or messages received may still be unread; of a message, all of its fragments."""
        messages = (frame.fin for frame in self.recv_messages.frames.queue)
        return self._timer is not None or bool(self._unread) or any(messages)

    def _look(self) -> None:
        """Have what is unread parsed in turn, or later if that is beyond a limit; read on if nothing is."""
        if self._timer is not None or self._asked:
            return
        wait = 0.0
        if self._unread and self.protocol.eof_sent:
            self._unread.clear()  # our close frame is sent: what still comes is discarded
            wait = SHORTEST_WAIT
        elif self._unread:
            wait = max(self._frames.owed(), self.address.work.owed())
            if wait and len(self._unread) > AHEAD:
                self._flooded()
        if wait:
            self._timer = self.loop.call_later(max(wait, SHORTEST_WAIT), self._again)
        elif self._unread and not self.recv_messages.paused:
            self._ask(self._feed)
            if not self._asked:
                return  # it had its turn at once, and has looked again
        if wait or self._unread or self.recv_messages.paused:
            self._open.pause_reading()
        else:
            self._open.resume_reading()

    def _again(self) -> None:
        self._timer = None
        self._look()

    def _feed(self) -> None:
        """Parse the next slice."""
        self._asked = False
        if not self._open.is_closing():
            part = bytes(self._unread[:SLICE])
            del self._unread[:SLICE]
            self._cost = len(part) / KIB
            try:
                self._parse(part)
            except Exception:
                self._open.abort()  # as the loop does where it calls a protocol itself
                raise
            self._frames.spend(self._cost)
            self.address.work.spend(self._cost)
        if self._open.is_closing():
            self._unread.clear()
        else:
            self._look()

    def _parse(self, part: bytes) -> None:
        """Give a slice to the parser of this connection, which its first bytes tell."""
        if self._websocket:
            super().data_received(part)
            return
        if self._reader is None:
            self._first += part
            verb = is_verb(bytes(self._first))
            if verb is None:
                return
            part = bytes(self._first)
            self._first.clear()
            if not verb:
                self._websocket = True
                super().data_received(part)
                return
            self._reader = BodyReader()
        self._read_on(self._reader, part)

    def _read_on(self, reader: BodyReader, part: bytes) -> None:
        """Read on in a request that has a body; what comes behind it is discarded."""
        if self.request is not None:
            return
        try:
            request = reader.take(part)
        except pages.Unreadable as why:
            self.unreadable, request = why, Request("/", Headers(), "POST")
        if request is not None:
            self.body = bytes(reader.body)
            super().process_event(request)
        elif reader.awaited:
            self.transport.write(GO_ON)

    def _resume(self) -> None:
        """Resume parsing, since queued messages are being consumed."""
        if self._timer is None and not self._asked:
            self._timer = self.loop.call_later(0, self._again)

    def process_event(self, event: Event) -> None:
        """Count a websocket frame."""
        self._cost += self.request is not None
        super().process_event(event)

    def _flooded(self) -> None:
        """Send a close frame, and abort the transport FAREWELL seconds later."""
        logger.info("closed", connection=self.id.hex, code=int(CloseCode.POLICY_VIOLATION), reason=FLOOD)
        self.protocol.fail(CloseCode.POLICY_VIOLATION, FLOOD)
        self.send_data()
        self.loop.call_later(FAREWELL, self._open.abort)

    # spending

    async def spend(self, amount: float) -> None:
        """Spend a message's cost beyond its websocket frames; wait until the address owes no tokens.

        Raises ConnectionClosed if the connection ends meanwhile: nothing is done for who has gone.
        """
        if wait := self.address.work.spend(amount):
            await self.wait(wait)

    async def wait(self, seconds: float) -> None:
        """Wait for so many seconds. Raises ConnectionClosed if the connection ends meanwhile."""
        await asyncio.wait({self.connection_lost_waiter}, timeout=seconds)
        self.look_there()

    def look_there(self) -> None:
        """Raise ConnectionClosed if the connection has ended."""
        if self.connection_lost_waiter.done():
            raise self.protocol.close_exc

    def give_back(self, amount: float, frames: float) -> None:
        """Refund the cost of a message and of its websocket frames."""
        self._frames.give_back(frames)
        self.address.work.give_back(amount + frames)

    # writing

    async def tell(self, text: bytes) -> None:
        """Send a text message: at once where nothing else waits to be sent, else when it has its turn.

        Written past `websockets` under the same conditions as the fan-out's (`server.fanout.room`). Raises
        ConnectionClosed.
        """
        if (
            self.protocol.state is State.OPEN
            and self.send_in_progress is None
            and self.transport.get_write_buffer_size() < UNSENT
        ):
            with suppress(OSError, RuntimeError):  # the transport ended in this iteration of the loop
                self.transport.write(websocket_bytes(text))
                return
        await self.send(text, text=True)

    # requests that cannot be read

    def send_data(self) -> None:
        """Send pending bytes; answer an HTTP request that cannot be parsed, which `websockets` does not."""
        fault = self.protocol.handshake_exc
        if isinstance(fault, InvalidMessage) and not self._excused:
            self._excused = True
            if not isinstance(fault.__cause__, EOFError):
                self.transport.write(pages.bad_request(NO_REQUEST).serialize())
        super().send_data()
