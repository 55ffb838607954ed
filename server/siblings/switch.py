"""The end of all lines, in the process that started the others: it passes on what they say.

It knows no message but its own few (`server.siblings.frames`), and keeps nothing of what it passes on. A
process for which MOST bytes wait has stopped reading: its line is cut, which ends it. One that is left out is
gone to its siblings, and comes to them anew as soon as it says something.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Final, cast

from server.siblings.frames import Frames, Kind, frame
from server.siblings.gathered import Gathered
from server.siblings.line import NUMBER

MOST: Final = 64 << 20
"""Bytes that may wait for one process."""

CHANNEL: Final = 16
"""Bytes of a channel's name."""


class Switch:
    """The lines of all processes, by number."""

    def __init__(self) -> None:
        self._ends: dict[int, End] = {}
        self._numbers: set[int] = set()
        """All that ever were there."""
        self._watching: dict[bytes, set[End]] = {}

    async def join(self, number: int, end: socket.socket, ready: Callable[[Kind, bytes], None]) -> "End":
        """Take up the line of a process; `ready` is told of READY and FAILED."""
        end.setblocking(False)
        loop = asyncio.get_running_loop()
        _, made = await loop.create_unix_connection(lambda: End(self, number, ready), sock=end)
        return made

    def _introduce(self, end: "End") -> None:
        """Make a process that serves from now on and its siblings known to each other."""
        for other in self._ends.values():
            other.say(frame(Kind.CAME, NUMBER.pack(end.number)))
            end.say(frame(Kind.CAME, NUMBER.pack(other.number)))
        self._ends[end.number] = end
        self._numbers.add(end.number)

    def leave_out(self, end: "End") -> bool:
        """Take a process for gone, as far as its siblings know; whether it was there."""
        if self._ends.get(end.number) is not end:
            return False
        del self._ends[end.number]
        self._pass_on(end, frame(Kind.GONE, NUMBER.pack(end.number)))
        return True

    def take_in(self, end: "End") -> None:
        """Make one that was left out known anew: it has heard of no sibling meanwhile, nor they of it.

        Nor of one that went: so all are gone to it that ever were there, before it hears of those that are.
        """
        for number in sorted(self._numbers - {end.number}):
            end.say(frame(Kind.GONE, NUMBER.pack(number)))
        self._introduce(end)

    def left(self, end: "End") -> None:
        """Take note that a line is lost."""
        end.ready(Kind.FAILED, b"a server process ended before it served")
        self.leave_out(end)
        for channel in end.channels:
            self._unwatch(end, channel)

    def said(self, end: "End", kind: int, rest: bytes) -> None:
        """Do with a frame what has to be done with its kind."""
        match kind:
            case Kind.PUBLISH:
                self._publish(end, rest)
            case Kind.TELL | Kind.ASK:
                self._pass_on(end, frame(Kind(kind), NUMBER.pack(end.number), rest))
            case Kind.REQUEST | Kind.ANSWER:
                to = self._ends.get(NUMBER.unpack_from(rest)[0])
                if to is not None:
                    to.say(frame(Kind(kind), NUMBER.pack(end.number), rest[NUMBER.size :]))
            case Kind.WATCH:
                self._watching.setdefault(rest, set()).add(end)
                end.channels.add(rest)
                end.say(frame(Kind.WATCH, rest))
            case Kind.UNWATCH:
                end.channels.discard(rest)
                self._unwatch(end, rest)
            case Kind.BEAT:
                end.say(frame(Kind.BEAT))
            case _:
                if kind == Kind.READY:
                    self._introduce(end)
                end.ready(Kind(kind), rest)

    def _publish(self, end: "End", message: bytes) -> None:
        watching = self._watching.get(message[:CHANNEL], set()) - {end}
        if watching:
            packed = frame(Kind.PUBLISH, NUMBER.pack(end.number), message)
            for other in watching:
                other.say(packed)

    def _unwatch(self, end: "End", channel: bytes) -> None:
        watching = self._watching.get(channel, set())
        watching.discard(end)
        if not watching:
            self._watching.pop(channel, None)

    def _pass_on(self, end: "End", packed: bytes) -> None:
        for other in self._ends.values():
            if other is not end:
                other.say(packed)


class End(asyncio.Protocol):
    """One line, at its end in the switch."""

    def __init__(self, switch: Switch, number: int, ready: Callable[[Kind, bytes], None]) -> None:
        self.number, self.ready = number, ready
        self.channels: set[bytes] = set()
        """What its process watches."""
        self.heard = asyncio.get_running_loop().time()
        """When something was heard last, by the clock of the event loop."""
        self._switch, self._frames = switch, Frames()
        self._said = Gathered(self._write)
        self._left_out = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 it makes no difference
        """Leave the switch."""
        self._switch.left(self)

    def data_received(self, data: bytes) -> None:
        """Have the switch do what is said."""
        self.heard = asyncio.get_running_loop().time()
        if self._left_out:
            self._left_out = False
            self._switch.take_in(self)
        for kind, rest in self._frames.taken(data):
            self._switch.said(self, kind, rest)

    def leave_out(self) -> None:
        """Let nobody wait for this process until it says something."""
        self._left_out = self._switch.leave_out(self) or self._left_out

    def say(self, packed: bytes) -> None:
        """Send frames with what else is said in this round; cut the line if too many bytes wait already."""
        self._said.put(packed)

    def _write(self, frames: bytes) -> None:
        if self._transport.get_write_buffer_size() > MOST:
            self._transport.abort()
        elif not self._transport.is_closing():
            self._transport.write(frames)

    def close(self) -> None:
        """Cut the line."""
        self._transport.abort()
