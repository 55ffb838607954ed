"""Puts a season of rated matches of Midway beside a server that runs: `python -m tests.rated_season`.

For the browser tests of ladders and of what a person has played.
"""

import asyncio
import random
import sys
import time
from typing import Final

from server.commands.reach import reach
from server.commands.running import read_settings
from server.postgres.database import connection
from tests.projections.play import START
from tests.projections.rated import DAY, Duel, Thrown, dice, enter, enter_person, store, uid

OFTEN: Final = ("nagumo", "spruance", "tanaka", "fletcher")
"""Who plays often."""

DAYS: Final = 160
"""The length of a season."""


def season() -> list[Duel]:
    """Matches that have ended lately: of four who play often, a bot of one, the house's, others."""
    began = (time.time() * 1e6 - START) / DAY - DAYS - 6
    chance = random.Random(1)
    skill = {name: number for number, name in enumerate(OFTEN)}
    duels = []
    for number in range(120):
        one, other = chance.sample(OFTEN, 2)
        first = chance.random() < 0.5 + 0.12 * (skill[one] - skill[other]) + 0.1
        winner = None if chance.random() < 0.05 else int(not first)
        duels.append(midway(f"{number}", (one, other), winner, began + DAYS * number / 120))
    more = [
        ("house:steady", "spruance", 1, "duel"),
        ("nagumos_bot", "fletcher", 0, "historical-4-june"),
        ("newcomer", "spruance", 1, "historical-4-june"),
        ("gone", "spruance", 0, "duel"),
    ]
    for number, (one, other, won, scenario) in enumerate(more):
        duels.append(midway(one, (one, other), won, began + DAYS + number, scenario))
    return [*duels, with_dice(began + DAYS - 1)]


def with_dice(day: float) -> Duel:
    """A friendly match in which Spruance's dice hit less often than fair ones, and his repairs go well."""
    between = (
        dice(1, (6,) * 11 + (1,) * 19),
        dice(1, (5,) * 6 + (1,) * 6, "5+ repairs"),
        dice(0, (6,) * 5),
    )
    players = ("nagumo", "spruance")
    return Thrown(name="dice", players=players, day=day, title="midway", rated=False, between=between)


def midway(
    name: str, players: tuple[str, str], winner: int | None, day: float, scenario: str = "duel"
) -> Duel:
    """A match of Midway."""
    return Duel(name=name, players=players, winner=winner, day=day, title="midway", scenario=scenario)


async def put() -> int:
    """Put the season there; return how many matches it has."""
    duels = season()
    async with reach(read_settings()) as at:
        async with connection(at.database.read) as conn:
            await enter_person(conn, "nagumo")
            await enter_person(conn, "nagumos_bot", of="nagumo")
            for duel in duels:
                await enter(conn, duel)
            erase = "UPDATE people.person SET handle = NULL, name = '', erased_at = log.now() WHERE id = $1"
            await conn.execute(erase, uid("gone"))
        for duel in duels:
            await store(at.log, duel)
    return len(duels)


if __name__ == "__main__":
    sys.stdout.write(f"{asyncio.run(put())}\n")
