"""What a real war costs, Pacific War's from December 1941 to its end between bots, beside its beginning.

`long` has a match without end, in which each turn is like the others; here tables, views and prompts are
those of a title, and change as a war does. It is played in the rules alone, which takes minutes.
"""

import time
from typing import Final

from clients.bots import strengths
from domain.titles import TITLES
from server.bench import Result, Say
from server.bench.chance import play
from server.bench.long import Lengths
from server.bench.sensible import by
from server.postgres.database import connect

TITLE: Final = "pacific_war"
SCENARIO: Final = "S1"

BEGINNING: Final = 1_000
"""Facts of the beginning that the war is set against."""

REST: Final = 2_000
"""Facts of a war that has ended which are left out: at its end seats are to decide on."""


async def war_bench(dsn: str, say: Say, most: int) -> list[Result]:
    """Measure a war of at most so many facts, and its beginning."""
    game = TITLES[TITLE]
    choose = by(game, list(strengths(TITLE).values())[-1])
    say("a war is played between bots, which takes minutes")
    begun = time.perf_counter()
    played = play(game, SCENARIO, most, choose=choose)
    facts = len(played.facts)
    told = f"{len(played.seconds):,} decisions, {facts:,} facts, {time.perf_counter() - begun:,.0f} s"
    say(f"the war was played: {told}")
    database = await connect(dsn)
    try:
        length = facts if facts >= most else facts - REST
        return await Lengths(dsn, database, say, game, choose).measured(
            played, (min(BEGINNING, length // 2), length)
        )
    finally:
        await database.close()
