"""A proxy of ours between the server and whatever it talks to: what goes through is noted, and may go wrong.

It listens on a port of the loopback and connects to a port, or to the Unix socket of a Postgres or a Redis of
the tests. Faults can be put in for all connections or for some; which these are is told by what went through
them (`saying`). Deliberately absent: any knowledge of a protocol, and chance; a test says what happens when.

| fault | what the two ends see |
|---|---|
| `delay` | everything arrives, so much later in each direction |
| `stall` | connections stay open, new ones are taken, nothing arrives until `resume`: then all of it does |
| `mute` | the target hears everything, its answers are held until `resume` |
| `half_open` | the target sees its connection end; the other end is told nothing and hears nothing |
| `reset` | both connections end at once, the other end's with RST |
| `cut_short` | the target hears what is said next; of its answer so many bytes pass, then `reset` |
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator
from typing import Any

CHUNK = 1 << 16


class Link:
    """One connection through the proxy, and all that was said on it."""

    def __init__(self, near: asyncio.StreamWriter) -> None:
        self.near = near
        self.far: asyncio.StreamWriter | None = None
        self.asked = bytearray()
        """What was said to the target."""
        self.answered = bytearray()
        """What the target said."""
        self.there, self.back = asyncio.Event(), asyncio.Event()
        self.there.set()
        self.back.set()
        self.most: int | None = None
        """How many more bytes of answers pass before the reset; None: all."""
        self.silent = False
        self.open = True

    def reset(self) -> None:
        """End both connections at once."""
        linger = struct.pack("ii", 1, 0)
        with contextlib.suppress(OSError):
            self.near.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close()

    def stall(self) -> None:
        """Let nothing through."""
        self.there.clear()
        self.back.clear()

    def resume(self) -> None:
        """Let through what was held, and all that comes."""
        self.there.set()
        self.back.set()

    def close(self) -> None:
        """End both connections; what waits to be sent is lost, and whoever waits at the gate goes."""
        self.open = False
        self.resume()
        for end in (self.near, self.far):
            if end is not None:
                end.transport.abort()


class Proxy:
    """Connections to one target. `port` is where it listens."""

    def __init__(self, target: str | int) -> None:
        """Take the target: the path of a Unix socket, or a port of the loopback."""
        self._target = target
        self.links: list[Link] = []
        self.delay = 0.0
        """Seconds by which everything is late, in each direction."""
        self.port = 0
        self._stalled = False
        self._tasks: set[asyncio.Task[Any]] = set()

    # faults

    def saying(self, text: bytes) -> list[Link]:
        """Return the open connections to whose target this was said; all open ones for no text."""
        return [link for link in self.links if link.open and text in link.asked]

    def stall(self, saying: bytes = b"") -> None:
        """Let nothing through any more, on new connections neither."""
        self._stalled = True
        for link in self.saying(saying):
            link.stall()

    def mute(self, saying: bytes = b"") -> None:
        """Let nothing through that the target says."""
        for link in self.saying(saying):
            link.back.clear()

    def resume(self) -> None:
        """Let everything through again, what was held first."""
        self._stalled = False
        for link in self.links:
            link.resume()

    def half_open(self, saying: bytes = b"") -> None:
        """End the target's connections and leave the other ends as they are."""
        for link in self.saying(saying):
            link.silent = True
            if link.far is not None:
                link.far.transport.abort()

    def reset(self, saying: bytes = b"") -> None:
        """End connections."""
        for link in self.saying(saying):
            link.reset()

    def cut_short(self, after: int, saying: bytes = b"") -> None:
        """Let so many more bytes of answers through, then end the connections."""
        for link in self.saying(saying):
            link.most = after

    # connections

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator["Proxy"]:
        """Listen on a free port."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for link in self.links:
                link.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        link = Link(near)
        self.links.append(link)
        if self._stalled:
            link.stall()
        try:
            await self._serve(link, reader)
        except OSError:
            pass
        finally:
            link.close()

    async def _serve(self, link: Link, reader: asyncio.StreamReader) -> None:
        await link.there.wait()
        if isinstance(self._target, int):
            far_reader, link.far = await asyncio.open_connection("127.0.0.1", self._target)
        else:
            far_reader, link.far = await asyncio.open_unix_connection(self._target)
        back = asyncio.create_task(self._answers(link, far_reader))
        self._tasks.add(back)
        back.add_done_callback(self._tasks.discard)
        while data := await reader.read(CHUNK):
            link.asked += data
            await self._late(link.there)
            if not link.silent:
                link.far.write(data)
                await link.far.drain()

    async def _answers(self, link: Link, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                link.answered += data
                await self._late(link.back)
                passed = data if link.most is None else data[: link.most]
                link.near.write(passed)
                if link.most is not None:
                    link.most -= len(passed)
                    if not link.most:
                        link.reset()
                        return
                await link.near.drain()
        if not link.silent:
            link.close()

    async def _late(self, gate: asyncio.Event) -> None:
        if self.delay:
            await asyncio.sleep(self.delay)
        await gate.wait()


@contextlib.asynccontextmanager
async def proxied(target: str | int) -> AsyncIterator[Proxy]:
    """Put a proxy in front of a Unix socket or a port."""
    async with Proxy(target).listening() as proxy:
        yield proxy
