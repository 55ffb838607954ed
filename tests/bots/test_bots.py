from random import Random
from typing import Any

import pytest
from msgspec import json

from clients.bots import Choose, strengths
from domain.match.game import BadSetUp, Game
from domain.titles import TITLES
from server.bench import compare

MIXES = {"midway": 8, "coral_sea": 2, "nimitz": 1, "pacific_war": 4}
"""Of titles whose matches are long fewer are played; what their options open is played in their own tests."""
MANY = 60


def mix(game: Game, chance: Random) -> tuple[str, dict[str, Any]]:
    """Return a scenario with a random choice of the options that go with it."""
    while True:
        scenario = chance.choice(game.short)
        options: dict[str, Any] = {}
        for option in game.options.values():
            if option.least is not None and option.most is not None:
                options[option.id] = chance.randint(option.least, option.most)
            else:
                options[option.id] = chance.random() < 0.5
        try:
            game.set_up(scenario, options)
        except BadSetUp:
            continue
        return scenario, options


def pure(bot: Choose) -> Choose:
    """Hold a bot to it: it chooses the same when asked again, and leaves what it was given as it was."""

    def checked(view: Any, prompt: Any, chance: Random) -> Any:
        before, again = json.encode((view, prompt)), Random()
        again.setstate(chance.getstate())
        option = bot(view, prompt, chance)

        assert before == json.encode((view, prompt))
        assert option == bot(view, prompt, again)
        return option

    return checked


@pytest.mark.parametrize(
    ("title", "mixes"),
    [*MIXES.items(), *(pytest.param(title, MANY, marks=pytest.mark.soak) for title in TITLES)],
)
def test_every_bot_answers_every_prompt_of_every_mix_of_options_legally_and_changes_nothing(
    title: str, mixes: int
) -> None:
    game, known = TITLES[title], [pure(bot) for bot in strengths(title).values()]
    asked: set[str] = set()
    for seed in range(mixes):
        chance = Random(seed)
        scenario, options = mix(game, chance)
        table = compare.laid_open(game, scenario, options, seed)
        while not table.state.match.over:
            seat = chance.choice(list(table.prompts))
            # Each takes over from any other at any time.
            chosen = compare.decide(table, seat, chance.choice(known), chance)
            asked |= {one["type"] for one in chosen}

    if title == "midway":
        assert asked >= {
            "ACCEPT",
            "REFUSE",
            "RECALL",
            "TURN_BACK",
            "SEARCH_ASSIGN",
            "HIT_TYPE",
            "STRIKE_BELOW",
        }
