"""What becomes of Fleetfold when there are more onlookers, matches, nodes.

Nobody else is beside it here: each figure stands against that of the smallest size.
"""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

from server.bench import LeftOut, Say, share
from server.bench.decision import Times, playing
from server.bench.endless import ENDLESS
from server.bench.node import Node
from server.bench.redis_server import RedisServer
from server.postgres.embedded import Embedded
from tests.peers.figures import Figure, Tell
from tests.peers.installed import Missing, Peers
from tests.peers.ours import serving
from tests.peers.processes import spent
from tests.peers.round_trip import Matches, fleetfold, played

DELIVERIES: Final = 100_000
"""Frames to onlookers at one size, within the limits of decisions below."""

FEW: Final = 20
MANY: Final = 200
"""The least and the most decisions that are measured at one size."""

PATIENCE: Final = 300.0
"""Seconds within which all onlookers have to be there."""

OURS: Final = "Fleetfold"


async def onlookers(postgres: Embedded, say: Say, tell: Tell, sizes: Sequence[int]) -> None:
    """Measure decisions of one match of Midway before so many onlookers."""
    async with serving(postgres) as servers:
        server = Node(servers[0].line.decode().strip(), 0, cast(Any, None))
        for size in sizes:
            count = max(FEW, min(MANY, DELIVERIES // size))
            say(f"{count} decisions before {size} onlookers")
            try:
                async with playing(server, size, PATIENCE) as table:
                    for _ in range(FEW):
                        await table.decide(Times())
                    times, began = Times(), spent([servers[0].pid])
                    for _ in range(count):
                        await table.decide(times)
                    each = (spent([servers[0].pid]) - began) / count
            except (OSError, TimeoutError) as why:
                tell(Figure("onlookers", OURS, size, left_out=f"{type(why).__name__} {why}".strip()))
                continue
            values = {
                "acknowledged p50 ms": share(times.acknowledged, 0.5),
                "acknowledged p99 ms": share(times.acknowledged, 0.99),
                "last onlooker p50 ms": share(times.last, 0.5),
                "last onlooker p99 ms": share(times.last, 0.99),
                "µs of the server an onlooker": each / size * 1e6,
            }
            tell(Figure("onlookers", OURS, size, values))


async def matches(
    peers: Peers, postgres: Embedded, say: Say, tell: Tell, sizes: Sequence[int], seconds: float
) -> None:
    """Measure so many matches of the small title at once, with two onlookers each."""
    for size in sizes:
        say(f"{size} matches at once")
        try:
            values = await played(peers, postgres, fleetfold(ENDLESS), Matches(size, 2), seconds)
        except (Missing, OSError) as why:
            tell(Figure("matches", OURS, size, left_out=f"{type(why).__name__} {why}".strip()))
        else:
            tell(Figure("matches", OURS, size, values))


async def nodes(
    peers: Peers,
    postgres: Embedded,
    say: Say,
    tell: Tell,
    sizes: Sequence[int],
    wanted: Matches,
    seconds: float,
) -> None:
    """Measure matches whose seats and onlookers are spread over so many nodes, with a Redis."""
    with contextlib.ExitStack() as stack:
        try:
            redis = stack.enter_context(_redis())
        except Missing as why:
            tell(Figure("nodes", OURS, max(sizes), left_out=str(why)))
            return
        for size in sizes:
            say(f"{wanted.count} matches on {size} nodes")
            values = await played(peers, postgres, fleetfold(ENDLESS, size, redis), wanted, seconds)
            tell(Figure("nodes", OURS, size, values))


@contextlib.contextmanager
def _redis() -> Iterator[str]:
    """Run a Redis that keeps nothing, and give its URL. Raises Missing."""
    with TemporaryDirectory(prefix="fleetfold-bench-") as folder:
        server = RedisServer(Path(folder))
        try:
            server.start()
        except LeftOut as why:
            server.kill()
            raise Missing(str(why)) from None
        try:
            yield server.url
        finally:
            server.kill()
