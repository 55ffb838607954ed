"""Several processes of a machine, all in this one: their lines are real, and so is the switch."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

from server.fanout.sibling_bus import SiblingBus
from server.siblings.frames import Kind
from server.siblings.line import Line, connected
from server.siblings.switch import End, Switch


class Family:
    """Lines to one switch, in the order in which they came."""

    def __init__(self) -> None:
        self.switch = Switch()
        self.lines: list[Line] = []
        self._ends: list[End] = []
        self._beating: list[asyncio.Task[None]] = []

    async def line(self, number: int | None = None) -> Line:
        """Let one more process come, or another with the number of one that has gone."""
        ours, theirs = socket.socketpair()
        number = len(self.lines) if number is None else number
        end = await self.switch.join(number, ours, lambda *_: None)
        line = await connected(theirs)
        line.number, line.count = number, number + 1
        self._ends.append(end)
        self.lines.append(line)
        line.say(Kind.READY)
        self._beating.append(asyncio.create_task(line.run()))
        await line.round_trip()
        return line

    async def bus(self) -> SiblingBus:
        """Return the bus of one more process."""
        return SiblingBus(await self.line())

    def cut(self, number: int) -> None:
        """Lose a line."""
        self._ends[number].close()

    def leave_out(self, number: int) -> None:
        """Take a process for gone until it says something."""
        self._ends[number].leave_out()

    def freeze(self, number: int) -> None:
        """Read nothing more from a process."""
        self._ends[number]._transport.pause_reading()

    def thaw(self, number: int) -> None:
        """Read on."""
        self._ends[number]._transport.resume_reading()

    async def end(self) -> None:
        """Close all lines, at both of their ends: what is left open is told of in some later test."""
        for task in self._beating:
            task.cancel()
        for line in self.lines:
            line.close()
        for end in self._ends:
            end.close()
        await asyncio.gather(*(line.lost.wait() for line in self.lines))


@contextlib.asynccontextmanager
async def family_of_none() -> AsyncIterator[Family]:
    """Give a switch without any line so far."""
    made = Family()
    yield made
    await made.end()
