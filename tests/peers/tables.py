"""Matches of others, played as `server.bench.many` plays ours.

Two seats are as fast as they are answered; others look on. Of what comes no more is decoded than it takes to
know whose turn it is.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec

from server.bench.bare import BINARY, TEXT, Line
from server.bench.many import Measured

CELLS: Final = 9

JOIN, STATE, PATCH, CODE = 10, 14, 15, 31
"""Colyseus: what the first byte of a message says, and its bits that say it."""

MARK: Final = bytes((13, 0xA4)) + b"mark"
"""Colyseus: a message of the room, and its type."""

SOCKETS: Final = "/socket.io/?EIO=4&transport=websocket"
STATES: Final = re.compile(rb'"_stateID":(\d+)')

Hear = Callable[[Line, bytes], None]
"""Called with each message, as it came."""


class Peer(Line):
    """A websocket that passes each message on, with itself to answer by."""

    def __init__(self, port: int, path: str, hear: Hear) -> None:
        super().__init__(f"127.0.0.1:{port}", path)
        self._hear = hear

    def heard(self, message: bytes) -> None:
        """Pass a message on."""
        self._hear(self, message)


def _same(line: Line) -> Line:
    return line


class PeerMatch:
    """A match whose two seats mark cells in turn, each as soon as both have seen the mark before."""

    def __init__(self, measured: Measured) -> None:
        self.ready = asyncio.Event()
        self._begun = asyncio.Event()
        self.lines: list[Line] = []
        self._measured, self._going = measured, False
        self._seen, self._marked, self._sent = [-1, -1], -1, 0.0

    async def open(self, port: int, paths: Sequence[str]) -> None:
        """Let seats and onlookers come, and wait until both seats see the table.

        The first comes alone: some make the match for whoever asks for it, twice if two ask at once.
        """
        loop = asyncio.get_running_loop()
        for place, path in enumerate(paths):
            line = Peer(port, path, self.heard(place))
            self.lines.append(line)
            await loop.create_connection(partial(_same, line), "127.0.0.1", port)
            await self._begun.wait()
        await self.ready.wait()

    def heard(self, place: int) -> Hear:
        """Return what takes in messages of a seat (0, 1) or an onlooker."""
        raise NotImplementedError

    def mark(self, seat: int, marks: int) -> None:
        """Send the mark of a seat, before which there were so many."""
        raise NotImplementedError

    def go(self) -> None:
        """Begin to mark."""
        self._going = True
        self._decide()

    def stop(self) -> None:
        """Mark no more."""
        self._going = False

    def close(self) -> None:
        """Let all go."""
        for line in self.lines:
            line.close()

    def saw(self, place: int, marks: int) -> None:
        """Take note that a seat has seen a table with so many marks."""
        if place >= len(self._seen) or marks <= self._seen[place]:
            return
        self._seen[place] = marks
        self._begun.set()
        if self._going and marks == self._marked + 1 and place == self._marked % 2:
            self._measured.milliseconds.append((time.perf_counter() - self._sent) * 1000)
        if min(self._seen) >= 0:
            self.ready.set()
        self._decide()

    def _decide(self) -> None:
        marks, other = self._seen
        if self._going and marks == other > self._marked:
            self._marked, self._sent = marks, time.perf_counter()
            self.mark(marks % 2, marks)


class BoardgameMatch(PeerMatch):
    """A match of boardgame.io, which speaks socket.io."""

    def __init__(self, measured: Measured, name: str) -> None:
        super().__init__(measured)
        self._name = name

    def heard(self, place: int) -> Hear:
        """Greet as socket.io does, ask for the match, and take the number of the state."""
        player = f'"{place}"' if place < len(self._seen) else "null"
        sync = f'42/rows,["sync","{self._name}",{player},null,2]'.encode()

        def hear(line: Line, message: bytes) -> None:
            if message.startswith(b"42"):
                if place < len(self._seen) and (states := STATES.findall(message)):
                    self.saw(place, max(map(int, states)))
            elif message == b"2":
                line.write(TEXT, b"3")
            elif message.startswith(b"0"):
                line.write(TEXT, b"40/rows,")
            elif message.startswith(b"40"):
                line.write(TEXT, sync)

        return hear

    def mark(self, seat: int, marks: int) -> None:
        """Send a move, without credentials: the match asks for none."""
        payload = f'"payload":{{"type":"mark","args":[{marks % CELLS}],"playerID":"{seat}"}}'
        move = f'42/rows,["update",{{"type":"MAKE_MOVE",{payload}}},{marks},"{self._name}","{seat}"]'
        self.lines[seat].write(TEXT, move.encode())


class ColyseusMatch(PeerMatch):
    """A match of Colyseus: a state, and a patch of it for every mark."""

    def heard(self, place: int) -> Hear:
        """Answer the greeting, and count patches."""
        marks = 0

        def hear(line: Line, message: bytes) -> None:
            nonlocal marks
            code = message[0] & CODE
            if code == JOIN:
                line.write(BINARY, bytes((JOIN,)))
            elif code == STATE:
                self.saw(place, 0)
            elif code == PATCH:
                marks += 1
                self.saw(place, marks)

        return hear

    def mark(self, seat: int, marks: int) -> None:
        """Send a mark."""
        self.lines[seat].write(BINARY, MARK + msgspec.msgpack.encode(marks % CELLS))
