"""Onlookers who come at once, each to see a match.

`python -m tests.server.crowd NUMBER HOMES PORT MATCH` runs in a process of its own, so that it takes no time
of whoever measures. It begins with a line on standard input, writes what all of them were told, as JSON, when
each has seen the match, and keeps them there until standard input ends, as it does with whoever measures.
"""

import asyncio
import contextlib
import json
import re
import sys
from collections import Counter

from server.limits import allow_files
from tests.server.flood import BATCH, HANDSHAKE, Place, connected, said

WITHIN = 120.0
"""Seconds within which each must have seen the match."""

CROWD: list[asyncio.Task[None]] = []
"""Who has come: a task that nobody holds may end at any time."""

AGAIN = 1.0
"""Seconds after which one who was cut off comes again, as honest clients do."""

REFUSED = re.compile(rb'"t":"refused","code":"(\w+)"')
"""How a refusal begins, and its code."""

REFUSAL = 64
"""Bytes within which that stands."""


async def look_on(place: Place, match: str, told: Counter[str], seen: asyncio.Event) -> None:
    """Come and see the match, as often as it takes; stay until the connection ends, and come again."""
    while True:
        with contextlib.suppress(OSError, EOFError):
            reader, writer = await connected(place)
            try:
                writer.write(HANDSHAKE + said(t="hello", version=1, match=match))
                head = await reader.readuntil(b"\r\n\r\n")
                status = head.split()[1].decode()
                if status == "101":
                    while await heard(reader, told) != "view":
                        pass
                    seen.set()
                    await refusals(reader, told)
                else:
                    told[f"answers {status}"] += 1
            finally:
                writer.transport.abort()
        told["again"] += 1
        await asyncio.sleep(AGAIN)


async def refusals(reader: asyncio.StreamReader, told: Counter[str]) -> None:
    """Count what is refused until the connection ends. Nothing else is decoded: it may be a great deal."""
    unread = b""
    while some := await reader.read(BATCH):
        unread, end = unread + some, 0
        for refused in REFUSED.finditer(unread):
            told[refused[1].decode()] += 1
            end = refused.end()
        unread = unread[max(end, len(unread) - REFUSAL) :]


async def heard(reader: asyncio.StreamReader, told: Counter[str]) -> str:
    """Read one frame; count and return what it says."""
    head = await reader.readexactly(2)
    size = int.from_bytes(await reader.readexactly(2)) if head[1] == 126 else head[1]
    size = int.from_bytes(await reader.readexactly(8)) if size == 127 else size
    text = await reader.readexactly(size)
    if head[0] & 0x0F != 1:
        return ""
    message = json.loads(text)
    what: str = message.get("code", message["t"])
    told[what] += 1
    return what


async def come(number: int, homes: int, port: int, match: str) -> Counter[str]:
    """Let all come; return what they were told when each has seen the match. Raises TimeoutError."""
    told, seen = Counter[str](), [asyncio.Event() for _ in range(number)]
    for one, has_seen in enumerate(seen):
        place = (f"127.0.1.{one % homes + 1}", port)
        CROWD.append(asyncio.create_task(look_on(place, match, told, has_seen)))
    async with asyncio.timeout(WITHIN):
        for has_seen in seen:
            await has_seen.wait()
    return told


async def main(number: int, homes: int, port: int, match: str) -> None:
    """Return when standard input ends. Raises TimeoutError where some do not see the match within WITHIN."""
    allow_files(3 * number)
    lines = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(lines)
    pipe, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    if await lines.readline():
        ends, shown = asyncio.create_task(lines.read()), asyncio.create_task(come(number, homes, port, match))
        await asyncio.wait({ends, shown}, return_when=asyncio.FIRST_COMPLETED)
        if not ends.done():
            sys.stdout.write(json.dumps(shown.result()) + "\n")
            sys.stdout.flush()
            await ends
    pipe.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
