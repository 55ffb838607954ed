"""Makes wars that are longer than what is sent of a match at once, for tests and measurements of the page.

    python -m tests.long_war MATCH 1942-02     the house decides for all seats of a match until that month
    python -m tests.long_war war.ndjson        a whole war between bots, as a file to import; takes minutes

The match of the first is one of a server that runs on FLEETFOLD_DATA; after two Operations it gets as much
padding as a match has that is read in passages.
"""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID, uuid4

from clients.bots import strengths
from domain.kernel.audience import Audience
from domain.kernel.facts import Fact, Padding
from domain.pacific_war.board.war import War
from domain.titles import TITLES
from projections.record import record, written
from server.bench.chance import play, sealed
from server.bench.compare import command_of
from server.bench.sensible import ENDLESS, by
from server.commands.reach import reach
from server.commands.running import read_settings
from server.http.passages import WHOLE
from server.lobby.tokens import uuid7
from server.play.live import Live
from server.play.matches import Matches

GAME: Final = TITLES["pacific_war"]
STEADY: Final = strengths(GAME.name)["steady"]

OPERATIONS: Final = 2
"""Those before the padding, so that the last passage does not begin with the first."""
PADDING: Final = 1_000
"""Facts of a command of padding."""


def by_the_house(chance: Random) -> Callable[[Live], list[Fact]]:
    """Let the house's best bot decide for the first seat that is asked."""

    def act(live: Live) -> list[Fact]:
        assert live.table is not None
        seat = next(iter(live.table.prompts))
        return live.table.decide_all(seat, command_of(GAME, live.table, seat, STEADY, chance)[1])

    return act


def pad(live: Live) -> list[Fact]:
    """Record facts without content."""
    return live.note([Padding()] * PADDING)


def months(live: Live) -> War:
    """Return the months of a match."""
    war: War = live.state.open.war
    return war


async def play_on(match: UUID, until: str) -> int:
    """Play a match of the server until a month; return how many facts it has."""
    chance = Random(1)
    async with reach(read_settings()) as at:
        node = Matches(at.log, at.ring(), lambda _: None)
        while (war := await node.glance(match, months)).month < until:
            long = (await node.get(match)).seq > WHOLE
            act = by_the_house(chance) if long or war.operations < OPERATIONS else pad
            await node.command(match, uuid4(), act, lambda _live, _facts: False)
        return (await node.get(match)).seq


def whole(path: Path) -> UUID:
    """Write a whole war into a file; return its id."""
    entries = sealed(GAME, play(GAME, "S1", ENDLESS, choose=by(GAME, STEADY)), uuid7())
    with path.open("wb") as file:
        file.writelines(written(record(entries, Audience.UMPIRE)))
    return entries[0].match


if __name__ == "__main__":
    if sys.argv[2:]:
        told: object = asyncio.run(play_on(UUID(sys.argv[1]), sys.argv[2]))
    else:
        told = whole(Path(sys.argv[1]))
    sys.stdout.write(f"{told}\n")
