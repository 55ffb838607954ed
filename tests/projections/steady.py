"""Whole matches between the house's bots, without a server: their logs, each decision a command."""

from functools import cache
from itertools import chain
from random import Random
from typing import Any
from uuid import UUID

from clients.bots import strengths
from domain.kernel.dice import seeded
from domain.kernel.facts import Fact
from domain.match.chain import Entry
from domain.match.notices import Ended
from domain.titles import TITLES
from server.bench import compare
from tests.kernel.playing import Playing
from tests.projections.play import draft


def entry(seq: int, command: int, fact: Fact) -> Entry:
    """Return a fact as it stands on a log, of a command that is known by its number."""
    name, ver, audience, final, body = draft(fact)
    return Entry(UUID(int=1), UUID(int=command), seq, seq, 0, ver, audience, final, name, b"", body)


@cache
def steady(title: str, scenario: str, seed: int, **options: Any) -> list[Entry]:
    """Play a match to its end, every seat by the title's steady bot."""
    game, chance = TITLES[title], Random(seed)
    playing = Playing(game, scenario, options, seeded(seed))
    bot = strengths(title)["steady"]
    begun = [fact for _, fact in playing.log]
    commands = [begun]
    while not playing.state.match.over:
        seat = next(iter(playing.table.prompts))
        _, decisions = compare.command_of(game, playing.table, seat, bot, chance)
        commands.append(playing.decide_all(seat, decisions))
    commands[-1] = [*commands[-1], Ended("00" * 32)]
    numbered = chain.from_iterable(((number, one) for one in facts) for number, facts in enumerate(commands))
    return [entry(seq, number, fact) for seq, (number, fact) in enumerate(numbered, 1)]
