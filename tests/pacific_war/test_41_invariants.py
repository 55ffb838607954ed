"""P41 Invariants after every decision of random matches that seek battle, and the fold of their logs."""

from random import Random

import pytest

from domain.kernel.dice import seeded
from domain.kernel.facts import evolve
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.combat import month
from tests.kernel.playing import Playing, copy_of
from tests.pacific_war.course import course
from tests.pacific_war.invariants import invariants_of_state
from tests.pacific_war.lively import lively

SCENARIOS = ("E1", "E2", "E3", "E4", "B1")
LONGEST = 2_000
"""Commands after which a match is a bug."""


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in range(10, 300, 10))])
def test_p41_1_to_15_ten_matches_hold_after_every_decision_and_end(scenario: str, first: int) -> None:
    for seed in range(first, first + 10):
        play(scenario, seed)


def play(scenario: str, seed: int, longest: int = LONGEST, until: str = "") -> None:
    """Play a match to its end, or a month; restore the table at every prompt, and fold the log at the end."""
    chance, playing = Random(seed), Playing(PACIFIC_WAR, scenario, {}, seeded(seed))
    for _ in range(longest):
        if playing.state.match.over or (until and month(playing.state.open) >= until):
            break
        again = Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, playing.state), seeded(seed))
        assert again.prompts == playing.table.prompts
        playing.decide_all(*lively(playing.table, chance))
        broken = list(invariants_of_state(playing.state))
        assert [] == broken
    assert playing.state.match.over or until
    assert [] == course(fact for _, fact in playing.log)
    folded = evolve(PACIFIC_WAR.state(), (fact for _, fact in playing.log))
    assert PACIFIC_WAR.encode(playing.state) == PACIFIC_WAR.encode(folded)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_p41_15_defaults_alone_end_the_game(scenario: str) -> None:
    playing = Playing(PACIFIC_WAR, scenario, {}, seeded(1))
    for _ in range(LONGEST):
        if playing.state.match.over:
            return
        seat, prompt = next(iter(playing.table.prompts.items()))
        playing.decide(seat, PACIFIC_WAR.default(playing.state, seat, prompt), "default")
    raise AssertionError("no end")
