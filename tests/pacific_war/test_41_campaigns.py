"""P41 Whole campaigns: invariants after every decision, what is sent, and that each one ends.

By chance, which seldom comes to a fight, and between two of the house's bots, which fight for places.
"""

from collections.abc import Sequence
from random import Random

import pytest

from clients.bots import strengths
from domain.kernel.dice import seeded
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from server.bench.compare import command_of
from tests.kernel.playing import Playing
from tests.kernel.secrecy import listen
from tests.pacific_war import test_00_secrecy, test_00_twins, test_41_invariants
from tests.pacific_war.test_00_secrecy import (
    HIDING,
)
from tests.pacific_war.test_00_secrecy import (
    test_p0_4_1_a_unit_that_was_and_is_hidden_is_named_to_nobody_else as nothing_hidden_is_named,
)
from tests.pacific_war.test_41_invariants import play

LONGEST = 20_000
"""Decisions after which a campaign is a bug."""
SEEDS = [1, *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 32))]
"""One in every run; thirty behind the marker (P41.15)."""


@pytest.mark.parametrize("seed", SEEDS)
def test_p41_1_to_15_a_campaign_holds_after_every_decision_and_ends(seed: int) -> None:
    play("C1", seed, LONGEST)


@pytest.mark.parametrize("seed", SEEDS)
def test_p0_4_1_p41_14_a_campaign_names_nothing_hidden_to_the_other_side(seed: int) -> None:
    nothing_hidden_is_named("C1", seed)


@pytest.mark.parametrize("seed", [pytest.param(n, marks=pytest.mark.soak) for n in range(1, 6)])
def test_p0_3_2_r_54_no_pick_of_a_sealed_window_of_a_campaign_is_told_before_it_closes(seed: int) -> None:
    listen(PACIFIC_WAR, "C1", {}, seed, HIDING)


def test_p0_8_p41_15_defaults_alone_end_a_campaign() -> None:
    playing = Playing(PACIFIC_WAR, "C1", {}, seeded(1))
    for _ in range(LONGEST):
        if playing.state.match.over:
            break
        seat, prompt = next(iter(playing.table.prompts.items()))
        playing.decide(seat, PACIFIC_WAR.default(playing.state, seat, prompt), "default")

    assert "1942-12" == playing.state.open.war.month
    assert playing.state.match.over


def steady(table: Table, chance: Random) -> tuple[int, Sequence[Decision]]:
    """Return a seat that is asked and what the house's bot decides there."""
    seat = chance.choice(sorted(table.prompts))
    return seat, command_of(PACIFIC_WAR, table, seat, strengths("pacific_war")["steady"], chance)[1]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 6))
def test_p41_1_to_15_p0_4_a_campaign_between_bots_holds_and_tells_nothing_that_is_hidden(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (test_00_secrecy, test_00_twins, test_41_invariants):
        monkeypatch.setattr(module, "lively", steady)

    play("C1", seed, LONGEST)
    nothing_hidden_is_named("C1", seed)
    made = test_00_twins.compare("C1", seed, "1943-01", test_00_twins.OFTEN)

    assert made.total() > 50
