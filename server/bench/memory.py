"""What a connection at rest costs a whole server: how much it grows by when more onlookers come and stay."""

import asyncio
from pathlib import Path
from typing import Final

from domain.titles import TITLES
from server.bench import LeftOut, Result
from server.bench.decision import PATIENCE, SETTLE, VIEW, Arrivals
from server.bench.fanout import SPARE
from server.bench.node import Node, Socket, begun, connected, node
from server.limits import allow_files

LIMIT: Final = 24.0
"""KiB that a connection may cost."""


async def memory_bench(dsn: str, folder: Path, connections: int = 1000) -> list[Result]:
    """Weigh a server before and after so many onlookers of one match have come. Raises LeftOut."""
    wanted = connections + connections // 4 + SPARE
    if allow_files(wanted) < wanted:
        raise LeftOut(f"no more than {allow_files(wanted)} files may be open at once: see `ulimit -n`")
    async with node(dsn, folder) as server:
        each = await _come(server, connections)
        if each is None:
            raise LeftOut("this system does not say what a process weighs: there is no /proc")
    return [Result("a connection at rest", each, "KiB", f"limit {LIMIT:.0f}", LIMIT / each, 1.0)]


async def _come(server: Node, connections: int) -> float | None:
    """Return the KiB that each connection adds, once the first of them have filled what all share."""
    match, _ = await begun(server.url, next(iter(TITLES.values())))
    views, sockets = Arrivals(), list[Socket]()

    def hear(text: bytes) -> None:
        if text.startswith(VIEW):
            views.count(len(text))

    async def come(count: int) -> int:
        async with asyncio.timeout(PATIENCE):
            views.expect(count)
            for _ in range(count):
                sockets.append(await connected(server.url, match, hear))
            await views.all()
        await asyncio.sleep(SETTLE)
        return await server.resident()

    try:
        before = await come(connections // 4)
        after = await come(connections)
    finally:
        for socket in sockets:
            socket.close()
    return max(after - before, 1024) / connections / 1024 if before else None
