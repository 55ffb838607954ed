"""Onlookers who come at once, each to see a match.

`python -m tests.server.crowd NUMBER HOMES PORT MATCH` runs in a process of its own, so that it takes no time
of whoever measures. It begins with a line on standard input, writes what all of them were told, as JSON, when
each has seen the match, and keeps them there until it is killed.
"""

import asyncio
import contextlib
import json
import sys
from collections import Counter

from server.limits import allow_files
from tests.server.flood import HANDSHAKE, Place, connected, drained, said

AGAIN = 1.0
"""Seconds after which one who was cut off comes again, as honest clients do."""


async def look_on(place: Place, match: str, told: Counter[str]) -> None:
    """Come and see the match, as often as it takes; stay until the connection ends, and come again."""
    while True:
        with contextlib.suppress(OSError, EOFError):
            reader, writer = await connected(place)
            try:
                writer.write(HANDSHAKE + said(t="hello", version=1, match=match))
                await reader.readuntil(b"\r\n\r\n")
                while await heard(reader, told) != "view":
                    pass
                await drained(reader)
            finally:
                writer.transport.abort()
        told["again"] += 1
        await asyncio.sleep(AGAIN)


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


async def main(number: int, homes: int, port: int, match: str) -> None:
    allow_files(3 * number)
    told = Counter[str]()
    await asyncio.to_thread(sys.stdin.readline)
    crowd = [
        asyncio.create_task(look_on((f"127.0.1.{one % homes + 1}", port), match, told))
        for one in range(number)
    ]
    while told["view"] < number:
        await asyncio.sleep(0.05)
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
    await asyncio.gather(*crowd)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
