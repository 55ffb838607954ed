"""P3, P28, P29 Each die of strikes and naval battles in random matches, by a second reading of the rules."""

from collections import Counter
from random import Random

import pytest

from domain.kernel.dice import seeded
from domain.kernel.facts import Decided
from domain.pacific_war import PACIFIC_WAR
from tests.kernel.playing import Playing
from tests.pacific_war.lively import lively
from tests.pacific_war.oracle import Oracle

JUDGED = {
    *("guns", "torpedoes", "hits", "bombardment"),
    *(
        "allotted",
        "air attack",
        "bombing",
        "base",
        "flak",
        "escort fire",
        "engaged CAP fire",
        "free CAP fire",
        "steps",
    ),
}


def judged(scenario: str, seeds: range) -> tuple[Counter[str], list[str]]:
    """Play random matches that seek battle; return what an oracle met in them, and what was wrong."""
    met, wrong = Counter[str](), list[str]()
    for seed in seeds:
        chance, playing = Random(seed), Playing(PACIFIC_WAR, scenario, {}, seeded(seed))
        oracle, told = Oracle(PACIFIC_WAR.state()), 0
        while not playing.state.match.over:
            playing.decide_all(*lively(playing.table, chance))
            for _, fact in playing.log[told:]:
                if isinstance(fact, Decided):
                    oracle.decided(PACIFIC_WAR.decision(fact.decision))
                oracle.meet(fact)
                fact.fold(oracle.state)
            told = len(playing.log)
        met += oracle.met
        wrong += [f"{scenario}, seed {seed}: {one}" for one in oracle.wrong]
    return met, wrong


@pytest.mark.parametrize("count", [10, pytest.param(200, marks=pytest.mark.soak)])
def test_p28_p29_each_die_has_the_column_of_the_rules_and_its_effect(count: int) -> None:
    met, wrong = Counter[str](), list[str]()
    for scenario in ("E1", "E2", "E3", "E4", "B1"):
        found, bad = judged(scenario, range(count))
        met += found
        wrong += bad

    assert [] == wrong
    assert JUDGED == set(met) - {"the fort replies"}
    assert min(met[what] for what in JUDGED) > count
