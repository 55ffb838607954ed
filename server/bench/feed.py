"""Facts a second from the log to projections: the feed alone, and the server's own projections made anew."""

import secrets
import time
from collections.abc import Sequence
from typing import Final

from domain.titles import TITLES
from projections.every import PROJECTIONS
from projections.feed import catch_up
from projections.generations import prepare, rebuild
from projections.projection import ProjectedFact, Projection, Tables
from server.bench import Result, rate
from server.bench.chance import longest, play, sealed
from server.bench.scratch import put
from server.lobby.tokens import uuid7
from server.postgres.database import Pool, PooledConnection, connect
from server.proof import keys
from server.proof.keys import KeyRing

FED: Final = 100_000
"""Facts a second that are the target of the feed."""


class Counted(Projection[None]):
    """Counts facts, and keeps nothing: what is measured is the way to a projection."""

    name = "bench"
    views = {}  # noqa: RUF012 the base class says that it is not to be changed

    def __init__(self) -> None:
        self.facts = 0

    async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> None:
        """Need nothing."""

    def fold(self, _: None, fact: ProjectedFact) -> None:
        """Count."""
        self.facts += bool(fact.body)

    async def store(self, conn: PooledConnection, _: None, tables: Tables) -> None:
        """Keep nothing."""


async def feed_bench(dsn: str, matches: int = 60, most: int = 1000) -> list[Result]:
    """Measure on so many matches of each title, of at most so many facts each."""
    ring = KeyRing({"bench": secrets.token_bytes(keys.SIZE)})
    for game in TITLES.values():
        scenario = longest(game)
        played = (play(game, scenario, most, seed) for seed in range(matches))
        await put(dsn, ((sealed(game, one, uuid7()), one.key) for one in played), ring)
    database = await connect(dsn)
    try:
        counted = Counted()
        await prepare(database.projector, counted)
        begun = time.perf_counter()
        facts = await catch_up(database.projector, counted)
        fed = facts / (time.perf_counter() - begun)
        results = [rate("feed to a projection", fed, "facts/s", FED)]
        for projection in PROJECTIONS:
            rebuilt = await _rebuilt(database.projector, projection, facts)
            name = f"rebuild of {projection.name}"
            results.append(Result(name, rebuilt, "facts/s", "the feed alone", rebuilt / fed))
    finally:
        await database.close()
    return results


async def _rebuilt(pool: Pool, projection: Projection[object], facts: int) -> float:
    begun = time.perf_counter()
    await rebuild(pool, projection)
    return facts / (time.perf_counter() - begun)
