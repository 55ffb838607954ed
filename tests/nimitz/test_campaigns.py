"""Random campaigns of each year in each mode: they end, can be put down and picked up, fold to what was live.

One of each in the check-in; `soak` plays 300 of each.
"""

from random import Random

import pytest

from domain.kernel.audience import VIEWERS
from domain.kernel.facts import evolve, seen_by
from domain.kernel.table import Table
from domain.match.adjudicate import readjudicate
from domain.nimitz import NIMITZ
from tests.fuzz.matches import Play, choose
from tests.nimitz.invariants import invariants, nameless
from tests.seen import view

YEARS = ("1942", "1943", "1944", "1945", "linked")
PUT_DOWN = 7
"""Every so many decisions the match is put down and picked up; in the soak at every one."""


@pytest.mark.parametrize("mode", [1, 2, 3])
@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize(
    ("first", "last", "every"),
    [pytest.param(0, 1, PUT_DOWN, id="1"), pytest.param(1, 300, 1, id="300", marks=pytest.mark.soak)],
)
def test_random_campaigns_end_are_restored_and_fold_to_the_live_state(
    first: int, last: int, every: int, year: str, mode: int
) -> None:
    for seed in range(first, last):
        random, play = Random(seed), Play(NIMITZ, year, {"mode": mode}, seed)
        decided = 0
        while not play.over:
            for prompt in play.table.prompts.values():
                assert 0 < len(prompt.options) == len(set(prompt.options))
            if decided % every == 0:
                kept = NIMITZ.encode(play.state)
                table = Table(NIMITZ, NIMITZ.restore(kept), play.dice)
                assert (play.table.prompts, [], kept) == (
                    table.prompts,
                    table.facts,
                    NIMITZ.encode(table.state),
                )
            play.decide(*choose(play, random, 0.95))
            assert [] == list(invariants(play.table.open))
            decided += 1
        play.finish()
        facts = [NIMITZ.fact(NIMITZ.encode(fact)) for _, fact in play.log]
        assert set() == nameless(facts)
        assert NIMITZ.encode(evolve(NIMITZ.state(), facts)) == NIMITZ.encode(play.state)
        for audience in VIEWERS:
            sent = evolve(NIMITZ.state(), seen_by(audience, facts))
            assert view(NIMITZ, play.state, audience)["table"] == view(NIMITZ, sent, audience)["table"]
        if seed % 4 == 0:
            assert [] == list(readjudicate(NIMITZ, play.log))
