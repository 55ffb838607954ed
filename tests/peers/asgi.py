"""Sends one text of 600 bytes to all of its sockets for each line of input, under uvicorn.

Run by the Python that has the others' packages.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn
import uvloop

TEXT = "x" * 600

Event = MutableMapping[str, Any]
Send = Callable[[Event], Awaitable[None]]

crowd: set[Send] = set()


async def app(scope: Event, receive: Callable[[], Awaitable[Event]], send: Send) -> None:
    """Take a socket in until it ends."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    crowd.add(send)
    while (await receive())["type"] != "websocket.disconnect":
        pass
    crowd.discard(send)


async def deliver(lines: int) -> None:
    """Send to all, one after the other, as an application would."""
    for _ in range(lines):
        for send in crowd:
            await send({"type": "websocket.send", "text": TEXT})


async def main() -> None:
    """Serve until standard input ends."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    config = uvicorn.Config(
        app,
        log_level="error",
        lifespan="off",
        ws="websockets-sansio",
        ws_ping_interval=None,
        ws_per_message_deflate=False,
    )
    loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def read() -> None:
        lines = os.read(sys.stdin.fileno(), 64)
        if not lines:
            os._exit(0)
        task = asyncio.ensure_future(deliver(len(lines)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    loop.add_reader(sys.stdin.fileno(), read)
    serving = asyncio.ensure_future(uvicorn.Server(config).serve([listener]))
    print(f'{{"port":{listener.getsockname()[1]}}}', flush=True)
    await serving


if __name__ == "__main__":
    uvloop.run(main())
