"""Connections from one address that send as much as they can.

`python -m tests.server.flood KIND ADDRESS PORT MATCH` runs in a process of its own until it is killed or
`MOST` seconds are over. A connection that is closed is made again. On standard output stands a line when the
first of them has been answered, and from then on one more each time that so much more has been sent as
`amount` says of the kind: whoever reads them knows that it goes on (`tests.server.beside`).

| kind | what each of them sends |
|---|---|
| `pings` | the message `ping` |
| `ping_frames`, `pong_frames` | control frames |
| `fragments` | one text message, in frames of one byte and of none |
| `hellos` | hellos to a match |
| `commands` | decisions for a match in which it has no seat |
| `creates` | offers of new matches |
| `lines` | chat among the onlookers of a match |
| `exchanges` | requests for another link in place of one that it has not |
| `handshakes` | handshakes, each on a connection of its own |
| `steps`, `record`, `report` | requests for all of a long match, each on a connection of its own |
| `disputes` | requests to decide a command of that match again |
| `audits` | requests for its dice |
| `title_audits` | requests for the dice of all matches of a title |
| `lists` | searches of the list of matches |
| `rules` | requests for a rulebook, compressed |
| `callers` | nothing: connections that are opened and closed |
| `silent` | nothing: connections that are opened and kept |
"""

import asyncio
import contextlib
import json
import os
import sys
from itertools import count
from uuid import uuid4

MOST = 1200.0
"""Seconds after which it ends by itself."""

CONNECTIONS = 60

LEAST = 19
"""The priority of this process once it is at work: it stands for other
machines, whose processors are not the server's."""

Place = tuple[str, int]
"""The address they come from, and the server's port."""

BATCH = 64 << 10
"""Bytes that are written at once."""

NO_MASK = bytes(4)
"""A mask that leaves the bytes as they are."""

HANDSHAKE = (
    b"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

READS = {
    "steps": "matches/{match}/steps",
    "record": "matches/{match}/record",
    "report": "matches/{match}/report",
    "disputes": "matches/{match}/dispute/{number}",
    "audits": "matches/{match}/audit",
    "title_audits": "audit/midway",
    "lists": "matches?q={number}",
    "rules": "rules/midway",
}
"""The paths that are read, by kind; a number differs each time."""

NUMBERS = count(1)

TEXT, MORE, PING, PONG = 0x1, 0x0, 0x9, 0xA
LAST = 0x80


def frame(kind: int, data: bytes = b"", last: int = LAST) -> bytes:
    """Write one masked frame."""
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return bytes([last | kind]) + length + NO_MASK + data


def said(**message: object) -> bytes:
    """Write a message as one frame."""
    return frame(TEXT, json.dumps(message).encode())


def messages(kind: str, match: str) -> tuple[bytes, bytes]:
    """Return what a connection sends first, and what it sends from then on."""
    hello = said(t="hello", version=1, match=match)
    decide = said(t="decide", match=match, command=match, answers=1, decision={"type": "Pass"})
    return {
        "pings": (b"", said(t="ping")),
        "ping_frames": (b"", frame(PING)),
        "pong_frames": (b"", frame(PONG, b"x")),
        "fragments": (frame(TEXT, b"x", 0), frame(MORE, b"x", 0) + frame(MORE, b"", 0)),
        "hellos": (b"", hello),
        "commands": (hello, decide),
        "creates": (b"", b"".join(create() for _ in range(200))),
        "lines": (hello, said(t="say", match=match, room="onlookers", text="Ahoy")),
        "exchanges": (hello, said(t="exchange", match=match)),
    }[kind]


def create() -> bytes:
    """Offer a match that nobody has offered yet."""
    return said(t="create", version=1, command=str(uuid4()), title="tiny", scenario="skirmish")


async def connected(place: Place) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    address, port = place
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))


def amount(kind: str) -> int:
    """Return for how much there is a line: batches of BATCH bytes, or what has a connection of its own."""
    return 1 if kind in READS else 5


class Sent:
    """What all of them have sent together."""

    def __init__(self, kind: str) -> None:
        self.answered = asyncio.Event()
        self._kind, self._amount, self._more = kind, amount(kind), 0

    def answer(self) -> None:
        """Note that one has been answered; write the kind if it is the first."""
        if not self.answered.is_set():
            self.answered.set()
            self._say(self._kind)

    def more(self) -> None:
        """Count one more; write how many they are with each amount."""
        self._more += 1
        if self._more % self._amount == 0:
            self._say(str(self._more))

    @staticmethod
    def _say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


async def pour(place: Place, first: bytes, then: bytes, sent: Sent) -> None:
    """Send for as long as the connection lasts."""
    reader, writer = await connected(place)
    try:
        writer.write(HANDSHAKE)
        await reader.readuntil(b"\r\n\r\n")
        sent.answer()
        reading = asyncio.create_task(drained(reader))
        writer.write(first)
        batch = then * (BATCH // len(then))
        while not reading.done():
            writer.write(batch)
            await writer.drain()
            sent.more()
    finally:
        writer.transport.abort()


async def drained(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(BATCH):
            pass


async def knock(place: Place, kind: str, match: str, sent: Sent) -> None:
    """Open one connection and leave."""
    reader, writer = await connected(place)
    try:
        if kind == "handshakes":
            writer.write(HANDSHAKE)
            await reader.readuntil(b"\r\n\r\n")
        elif kind in READS:
            path = READS[kind].format(match=match, number=next(NUMBERS))
            writer.write(f"GET /api/{path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            await drained(reader)
        sent.answer()
        sent.more()
        if kind == "silent":
            await reader.read()
    finally:
        writer.transport.abort()


async def attack(kind: str, place: Place, match: str, sent: Sent) -> None:
    """Do it again and again."""
    while True:
        with contextlib.suppress(OSError, EOFError):
            if kind in {"handshakes", "callers", "silent", *READS}:
                await knock(place, kind, match, sent)
            else:
                await pour(place, *messages(kind, match), sent)
        await asyncio.sleep(0)


async def main(kind: str, place: Place, match: str) -> None:
    sent = Sent(kind)
    number = 20 * CONNECTIONS if kind == "silent" else CONNECTIONS
    attacks = [asyncio.create_task(attack(kind, place, match, sent)) for _ in range(number)]
    await sent.answered.wait()
    os.nice(LEAST)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*attacks), MOST)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], (sys.argv[2], int(sys.argv[3])), sys.argv[4]))
