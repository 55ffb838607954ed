"""How long it takes to open a match: its facts read from Postgres, folded, its prompts and views drawn up.

Just what a node does when somebody asks for a match that it does not have in memory. The matches are played
by chance and cut off near the number of facts, so that they are in the middle of play.
"""

import secrets
import statistics
import time
from typing import Final

from domain.match.game import Game
from domain.titles import TITLES
from server.bench import LeftOut, Result, share
from server.bench.chance import longest, play, sealed
from server.bench.scratch import put
from server.lobby.tokens import uuid7
from server.log.store import PostgresLog
from server.play.matches import Matches
from server.postgres.database import Database, connect
from server.proof import keys
from server.proof.keys import KeyRing

LIMITS: Final = {200: 5.0, 1000: 10.0}
"""Facts, and the milliseconds within which a match of so many is open."""


async def opening_bench(dsn: str, matches: int = 30) -> list[Result]:
    """Open so many matches of each size and title, each for the first time. Raises LeftOut."""
    database = await connect(dsn)
    try:
        found = [
            result
            for game in TITLES.values()
            for facts in LIMITS
            for result in await _results(dsn, database, game, facts, matches)
        ]
    finally:
        await database.close()
    if not found:
        raise LeftOut("no title has a match of so many facts")
    return found


async def _results(dsn: str, database: Database, game: Game, facts: int, matches: int) -> list[Result]:
    scenario = longest(game)
    played = [play(game, scenario, facts, seed) for seed in range(matches)]
    if min(len(one.facts) for one in played) < facts:
        return []
    ring = KeyRing({"bench": secrets.token_bytes(keys.SIZE)})
    ids = await put(dsn, ((sealed(game, one, uuid7()), one.key) for one in played), ring)
    log = PostgresLog(database)
    took = []
    for number, match in enumerate([ids[0], *ids]):
        node = Matches(log, ring, lambda _: None)
        begun = time.perf_counter()
        await node.get(match)
        if number:  # the first makes connection and plan
            took.append((time.perf_counter() - begun) * 1000)
    await log.close()
    limit, name = LIMITS[facts], f"open a match of {facts:,} facts, {game.name}"
    median, slow = statistics.median(took), share(took, 0.99)
    return [
        Result(name, median, "ms", f"limit {limit:.0f}", limit / median, 1.0),
        Result(f"{name}, p99", slow, "ms", f"limit {limit:.0f}", limit / slow),
    ]
