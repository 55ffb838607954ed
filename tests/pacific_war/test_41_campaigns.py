"""P41 Whole campaigns: invariants after every decision, what is sent, and that each one ends.

By chance, which seldom comes to a fight, and between two of the house's bots, which fight for places: a month
of these, of C1 and of the war, is in every run.
"""

from collections.abc import Sequence
from random import Random

import pytest

from clients.bots import strengths
from domain.kernel.dice import seeded
from domain.kernel.procedures import Decision
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.combat import month
from domain.pacific_war.facts.cycle import AirStepsLost, CycleBegan, ShipHit
from domain.pacific_war.facts.fighting import GroundStepsLost
from server.bench.compare import command_of
from tests.kernel.playing import Playing
from tests.kernel.secrecy import listen
from tests.pacific_war import test_00_secrecy, test_00_twins, test_41_invariants
from tests.pacific_war.test_00_secrecy import HIDING, seek
from tests.pacific_war.test_00_twins import OFTEN, SECRETS
from tests.pacific_war.test_41_invariants import play

LONGEST = 20_000
"""Decisions after which a campaign is a bug."""
FIGHTS = (CycleBegan, ShipHit, AirStepsLost, GroundStepsLost)
"""Cycles that are fought, and what is lost in them; random campaigns have hardly any."""
SEEDS = [1, *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 32))]
"""One in every run; thirty behind the marker (P41.15)."""


@pytest.mark.parametrize("seed", SEEDS)
def test_p41_1_to_15_a_campaign_holds_after_every_decision_and_ends(seed: int) -> None:
    play("C1", seed, LONGEST)


@pytest.mark.parametrize("seed", SEEDS)
def test_p0_4_1_p41_14_a_campaign_names_nothing_hidden_to_the_other_side(seed: int) -> None:
    seek("C1", seed)


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


# between bots

Commands = list[tuple[int, Sequence[Decision]]]


def between_bots(scenario: str, seed: int, until: str) -> tuple[Playing, Commands]:
    """Let two of the house's bots play until a month begins; return the match, and what they did."""
    chance, playing = Random(seed), Playing(PACIFIC_WAR, scenario, {}, seeded(seed))
    bot, done = strengths("pacific_war")["steady"], Commands()
    while not playing.state.match.over and month(playing.state.open) < until:
        seat = chance.choice(sorted(playing.table.prompts))
        done.append((seat, command_of(PACIFIC_WAR, playing.table, seat, bot, chance)[1]))
        playing.decide_all(*done[-1])
    return playing, done


@pytest.mark.parametrize(
    ("scenario", "seed", "until", "fights"),
    [
        ("C1", 1, "1942-09", 20),
        ("S1", 1, "1942-01", 4),
        *(pytest.param("C1", n, "1943-01", 60, marks=pytest.mark.soak) for n in range(1, 6)),
        *(pytest.param("S1", n, "1942-03", 8, marks=pytest.mark.soak) for n in range(1, 5)),
        *(pytest.param("S2", n, "1944-03", 8, marks=pytest.mark.soak) for n in range(1, 5)),
    ],
)
def test_p41_1_to_15_p0_4_a_campaign_between_bots_holds_and_tells_nothing_that_is_hidden(
    scenario: str, seed: int, until: str, fights: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given what bots have done, it is done again where invariants, names and twins are looked at."""
    playing, commands = between_bots(scenario, seed, until)
    for module in (test_00_secrecy, test_00_twins, test_41_invariants):
        again = iter(commands)
        monkeypatch.setattr(module, "lively", lambda *_, again=again: next(again))

    play(scenario, seed, LONGEST, until)
    seek(scenario, seed, until)
    made = test_00_twins.compare(scenario, seed, until, OFTEN)

    assert SECRETS[scenario] <= {kind for kind, count in made.items() if count}
    assert fights <= sum(isinstance(fact, FIGHTS) for _, fact in playing.log)
