"""What `fleetfold bench` compares for the fan-out, each in a process of its own: `... stands raw`."""

import asyncio
import os
import sys
from typing import Final

import uvloop

from server.bench.fanout import FRAME, Stand, library, ours, raw
from server.limits import allow_files
from tests.peers.processes import FILES

STANDS: Final = {"raw": raw, "broadcast": library, "ours": ours}


async def _run(name: str) -> None:
    allow_files(FILES)
    async with STANDS[name](b"x" * FRAME) as stand:
        hello = stand.hello.decode()
        print(f'{{"port":{stand.port},"plain":{str(not hello).lower()}}}', flush=True)
        await told(stand)


async def told(stand: Stand) -> None:
    """Deliver for each line of standard input, until it ends."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def read() -> None:
        lines = os.read(sys.stdin.fileno(), 64)
        for _ in lines:
            stand.deliver()
        if not lines:
            loop.remove_reader(sys.stdin.fileno())
            ended.set()

    loop.add_reader(sys.stdin.fileno(), read)
    await ended.wait()
    os._exit(0)  # thousands of goodbyes would be waited for


if __name__ == "__main__":
    uvloop.run(_run(sys.argv[1]))
