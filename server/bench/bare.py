"""The lightest of websockets, so that what is measured is the server's work.

Deliberately absent: checks of what a server sends, fragments, compression, and masks that hide anything: they
are for proxies, and here there are none.
"""

import asyncio
import struct
from typing import Final, cast

UPGRADE: Final = (
    "GET {path} HTTP/1.1\r\nHost: {place}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HEAD_ENDS: Final = b"\r\n\r\n"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
FINAL, MASKED = 0x80, 0x80
SHORT: Final = 126
"""Lengths below it fit the header's second byte; it means that two bytes follow, and one more eight."""


def upgrade(place: str, path: str) -> bytes:
    """Return the request of a websocket; a place is host and port."""
    return UPGRADE.format(place=place, path=path).encode()


def masked(kind: int, content: bytes) -> bytes:
    """Return a websocket frame of less than 64 KiB as a client sends it, masked with zeros."""
    length = len(content)
    if length < SHORT:
        return struct.pack("!BBI", FINAL | kind, MASKED | length, 0) + content
    return struct.pack("!BBHI", FINAL | kind, MASKED | SHORT, length, 0) + content


def parted(data: bytes, start: int) -> tuple[int, int, int] | None:
    """Return opcode, start and end of the content of the websocket frame at `start`; None if incomplete."""
    if len(data) < start + 2:
        return None
    length, begin = data[start + 1], start + 2
    if length >= SHORT:
        size = 2 if length == SHORT else 8
        length, begin = int.from_bytes(data[begin : begin + size], "big"), begin + size
    end = begin + length
    return None if len(data) < end else (data[start] & 0x0F, begin, end)


class Line(asyncio.Protocol):
    """A websocket that answers pings; an end that the server makes is raised as ConnectionError."""

    def __init__(self, place: str, path: str) -> None:
        self._upgrade = upgrade(place, path)
        self._rest, self._open = b"", False
        self._transport: asyncio.Transport | None = None

    def opened(self) -> None:
        """Take note that it may be written."""

    def heard(self, message: bytes) -> None:
        """Take in a message."""
        raise NotImplementedError

    def write(self, kind: int, content: bytes) -> None:
        """Write one websocket frame."""
        assert self._transport is not None
        self._transport.write(masked(kind, content))

    def close(self) -> None:
        """Close the transport without a close frame."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a websocket."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._upgrade)

    def data_received(self, data: bytes) -> None:
        """Handle complete websocket frames; buffer the rest."""
        data = self._rest + data if self._rest else data
        if not self._open:
            head, found, rest = data.partition(HEAD_ENDS)
            if not found:
                self._rest = data
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                raise ConnectionError(head.decode(errors="replace"))
            self._open, data = True, rest
            self.opened()
        start = 0
        while (frame := parted(data, start)) is not None:
            kind, begin, start = frame
            if kind == PING:
                self.write(PONG, data[begin:start])
            elif kind == CLOSE:
                raise ConnectionError(data[begin + 2 : start].decode(errors="replace"))
            else:
                self.heard(data[begin:start])
        self._rest = data[start:]
