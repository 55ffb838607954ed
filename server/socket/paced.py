"""A websocket that is read no faster than its own budget and its address's allow.

Laws of this module:
- Every frame is counted before the next one is read: messages, fragments, pings, pongs, empty ones.
- Whoever sends more than that is not read for a while; it loses nothing and nobody answers it "no". Only
  whoever has sent a great deal more is closed, with a code after which it may come back.
- Nothing is read for a connection that does not take what was read before.

`websockets` parses whatever it is given in one go, and 64 KiB hold ten thousand pings. So bytes are given to
it by the slice, and the rest is kept here while the socket is not read.

Deliberately absent: what messages say (`server.socket.visitor`) and what they cost beyond their frames.
"""

import asyncio
from asyncio import FIRST_COMPLETED
from typing import Any, Final, cast

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode
from websockets.protocol import Event

from server.addresses import Address, Addresses
from server.http import pages
from server.limits import AHEAD, FRAMES, KIB, Bucket

logger = structlog.get_logger()

SLICE: Final = 128
"""Bytes given to the parser at once: no more than 21 frames."""

SHORTEST_WAIT: Final = 0.05
"""Seconds until one looks again whether there is something left to spend; a timer costs, too."""

REQUEST: Final = 10.0
"""Seconds within which a connection that is made has to ask for something."""

FAREWELL: Final = 1.0
"""Seconds in which whoever is closed for a flood can take the last frame."""

FLOOD: Final = "too much at once"

NO_REQUEST: Final = "no such request is answered: all is read with GET over HTTP/1.1, and none has a body"


class Paced(ServerConnection):
    """One connection, from the moment in which it is made."""

    address: Address

    def __init__(self, addresses: Addresses, *given: Any, **named: Any) -> None:
        """Take the addresses, and what every connection of `websockets` is made with."""
        super().__init__(*given, **named)
        self._addresses = addresses
        self._frames = Bucket(*FRAMES)
        self._unread = bytearray()
        self._cost = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._begun = self._arrived = self._inside = self._excused = False

    # arriving and leaving

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin now, or when the address may have one more."""
        self._open = cast("asyncio.Transport", transport)
        self.address = self._addresses.at(transport.get_extra_info("peername"))
        wait = self.address.arrive()
        if wait is None:
            self._open.abort()
            return
        self._arrived = True
        if wait:
            self._addresses.waiting.add(self._open)
            self._open.pause_reading()
            self._timer = self.loop.call_later(wait, self._begin)
        else:
            self._begin()

    def _begin(self) -> None:
        self._timer, self._begun = None, True
        self._addresses.waiting.discard(self._open)
        super().connection_made(self._open)
        self.recv_messages.resume = self._resume
        self._feed()

    def move(self, address: Address) -> None:
        """Belong to another address, which has counted this connection already."""
        self.address.leave()
        self.address = address

    def enter(self) -> None:
        """Be counted among the websockets of the address until the end."""
        self._inside = True
        self.address.sockets += 1

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget what was not read."""
        if self._timer is not None:
            self._timer.cancel()
        self._addresses.waiting.discard(self._open)
        self._unread.clear()
        if self._arrived:
            self.address.leave()
            self.address.sockets -= self._inside
        if self._begun:
            super().connection_lost(exc)

    async def handshake(self, *given: Any, **named: Any) -> None:
        """Answer the request, which has to come soon; what we need for the answer is our own affair."""
        async with asyncio.timeout(REQUEST):
            await asyncio.wait({self.request_rcvd, self.connection_lost_waiter}, return_when=FIRST_COMPLETED)
        await super().handshake(*given, **named)

    # reading

    def data_received(self, data: bytes) -> None:
        """Read what may be read now, and the rest later."""
        self._unread += data
        if self._timer is None:
            self._feed()

    def eof_received(self) -> None:
        """End."""
        if self._begun:
            super().eof_received()
        else:
            self._open.abort()

    @property
    def held(self) -> bool:
        """Whether something may have been said that has not been looked at."""
        there = self._timer is not None or self._unread or len(self.recv_messages.frames)
        return bool(there)

    def _feed(self) -> None:
        self._timer = None
        wait = 0.0
        while self._unread and not self.recv_messages.paused and not self.protocol.eof_sent:
            wait = max(self._frames.owed(), self.address.work.owed())
            if wait:
                break
            part = bytes(self._unread[:SLICE])
            del self._unread[:SLICE]
            self._cost = len(part) / KIB
            super().data_received(part)
            self._frames.spend(self._cost)
            self.address.work.spend(self._cost)
        if self._open.is_closing():
            self._unread.clear()
            return
        if wait and len(self._unread) > AHEAD:
            self._flooded()
        if self._unread and self.protocol.eof_sent:
            self._unread.clear()  # we have said the last word
            wait = SHORTEST_WAIT
        if wait:
            self._timer = self.loop.call_later(max(wait, SHORTEST_WAIT), self._feed)
        if wait or self._unread or self.recv_messages.paused:
            self._open.pause_reading()
        else:
            self._open.resume_reading()

    def _resume(self) -> None:
        """Read on: what was read is being taken."""
        if self._timer is None:
            self._timer = self.loop.call_later(0, self._feed)

    def process_event(self, event: Event) -> None:
        """Count a frame."""
        self._cost += self.request is not None
        super().process_event(event)

    def _flooded(self) -> None:
        """Close, with some time to hear why."""
        logger.info("closed", connection=self.id.hex, code=int(CloseCode.POLICY_VIOLATION), reason=FLOOD)
        self.protocol.fail(CloseCode.POLICY_VIOLATION, FLOOD)
        self.send_data()
        self.loop.call_later(FAREWELL, self._open.abort)

    # spending

    async def spend(self, amount: float) -> None:
        """Spend what a message costs beyond its frame; wait until the address can, or the end has come."""
        if wait := self.address.work.spend(amount):
            await self.wait(wait)

    async def wait(self, seconds: float) -> None:
        """Wait, but not longer than the connection lasts."""
        await asyncio.wait({self.connection_lost_waiter}, timeout=seconds)

    def give_back(self, amount: float, frames: float) -> None:
        """Take back what a message has cost and what its frames have."""
        self._frames.give_back(frames)
        self.address.work.give_back(amount + frames)

    # requests that cannot be read

    def send_data(self) -> None:
        """Answer a request that could not be parsed: `websockets` would end without a word."""
        fault = self.protocol.handshake_exc
        if isinstance(fault, InvalidMessage) and not self._excused:
            self._excused = True
            if not isinstance(fault.__cause__, EOFError):
                self.transport.write(pages.bad_request(NO_REQUEST).serialize())
        super().send_data()
