"""P41 Invariants after every decision of random Operations of C1, and P41.15: each can be ended soon."""

from random import Random
from typing import Any

import pytest
from msgspec.json import encode

from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import evolve
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.table import State
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import (
    Activate,
    EndContact,
    ForceEnd,
    Forfeit,
    NoBid,
    UndoActivation,
)
from domain.pacific_war.facts.months import MeansAre, war
from tests.kernel.playing import copy_of
from tests.pacific_war.course import Course
from tests.pacific_war.days import outset
from tests.pacific_war.invariants import invariants_of_state
from tests.pacific_war.lively import lively
from tests.pacific_war.test_00_secrecy import hidden, told

COMMANDS = 250
"""Commands of a random match; the phases of months give no points, so each side gets many at first."""
SELDOM: tuple[type[Decision], ...] = (NoBid, Forfeit, EndContact, ForceEnd, UndoActivation)
MOST_CYCLES = 3


def seeds(quick: int, soak: int) -> list[Any]:
    """Return so many seeds for every run, and more for a soak."""
    return [*range(quick), *(pytest.param(n, marks=pytest.mark.soak) for n in range(quick, soak))]


def begin(seed: int) -> Table:
    """Return a table of C1 at the bids, with many points for both, often late in a month."""
    points = ({"hq_sea": 40, "hq_cf": 60}, {"hq_sopac": 60, "hq_swpa": 60})
    table = outset(points=points, begun=seed % 2, day=(22 + seed) % 31)
    first = Campaign(scenario="C1", at="determine")
    table.state.stack = []
    return Table(PACIFIC_WAR, table.state, seeded(seed), first)


def pick(table: Table, chance: Random) -> tuple[int, list[Decision]]:
    """Return a seat and a whole command of it, seldom one that ends an Operation before it has begun."""
    for _ in range(3):
        seat, decisions = lively(table, chance)
        if not isinstance(decisions[0], SELDOM):
            break
    options = table.prompts[seat].options
    activations = [one for one in options if isinstance(one, Activate)]
    if activations and chance.random() < 0.6:
        return seat, [chance.choice(activations)]
    return seat, decisions


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(n, marks=pytest.mark.soak) for n in range(4, 60))]
)
def test_p41_1_to_12_random_operations_hold_after_every_decision(seed: int) -> None:
    """The table is restored at every prompt, and the log folds to the live state."""
    chance, table = Random(seed), begin(seed)
    folded, course = copy_of(PACIFIC_WAR, table.state), Course(war(table.state.open).day)
    for _ in range(COMMANDS):
        again = Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, table.state), seeded(seed))
        assert again.prompts == table.prompts
        facts = table.decide_all(*pick(table, chance))
        evolve(folded, facts)
        assert [] == [*invariants_of_state(table.state), *course.follow(facts)]
    assert PACIFIC_WAR.encode(folded) == PACIFIC_WAR.encode(table.state)


def fall_back(table: Table, player: int) -> tuple[int, Decision]:
    """Return a default, but for the Operation player, who deactivates all (P41.15)."""
    seat, prompt = next(iter(table.prompts.items()))
    if seat == player:
        out = [one for one in prompt.options if isinstance(one, d.Deactivate | d.DeactivateTF)]
        if out:
            return seat, out[0]
    return seat, PACIFIC_WAR.default(table.state, seat, prompt)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 40))]
)
def test_p41_15_r_25_r_41_r_125_an_operation_can_be_ended_within_three_cycles(seed: int) -> None:
    """Given a random Operation, when its player stands down and all else is by default, then it ends."""
    chance, table = Random(seed), begin(seed)
    tried = 0
    for n in range(COMMANDS):
        run = war(table.state.open).operation
        if run is not None and n % 20 == 0:
            tried += 1
            end(Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, table.state), seeded(n)), run.player)
        table.decide_all(*pick(table, chance))
    assert tried


def end(table: Table, player: int) -> None:
    """Let the Operation end; fail if it lasts more than three cycles from here."""
    begun, cycles = war(table.state.open).operations, 0
    for _ in range(600):
        board = war(table.state.open)
        if board.operation is None or board.operations != begun:
            return
        facts = table.decide(*fall_back(table, player))
        cycles += sum(type(fact).__name__ == "CycleBegan" for fact in facts)
        assert cycles <= MOST_CYCLES
    raise AssertionError("no end")


@pytest.mark.parametrize("overtime", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_p41_15_p20_2_5_defaults_alone_end_every_operation(seed: int, *, overtime: bool) -> None:
    """Given an Operation, with points for Overtime or without, then it ends by itself."""
    chance, table = Random(seed), begin(seed)
    for _ in range(100):
        table.decide_all(*pick(table, chance))
    copied = Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, table.state), seeded(seed))
    for side in () if overtime else (0, 1):
        copied.record(MeansAre(side, points=dict.fromkeys(copied.state.own[side].means.points, 0)))
    assert war(copied.state.open).operation
    begun = war(copied.state.open).operations
    for _ in range(3_000):
        board = war(copied.state.open)
        if board.operation is None or board.operations != begun:
            return
        seat, prompt = next(iter(copied.prompts.items()))
        copied.decide(seat, PACIFIC_WAR.default(copied.state, seat, prompt), "default")
    raise AssertionError("no end")


def crippled(state: State) -> set[str]:
    """Return the ships that were crippled in the Operation, which count for points: losses are public."""
    run = war(state.open).operation
    return {ship for toll in run.tolls for ship in toll.crippled} if run else set()


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_p0_4_1_p41_9_a_hidden_unit_of_an_operation_is_named_to_nobody_else(seed: int) -> None:
    """Facts that others are sent are searched for units that were hidden before and are so after them."""
    chance, table = Random(seed), begin(seed)
    searched = 0
    for _ in range(COMMANDS):
        before = [hidden(table.state, side) for side in (0, 1)]
        facts = table.decide_all(*pick(table, chance))
        named = {unit for fact in facts for unit in told(fact)} | crippled(table.state)
        for side in (0, 1):
            others = Audience.of(1 - side)
            sent = b" ".join(encode(fact) for fact in facts if others.sees(fact.audience()))
            for unit in before[side] & hidden(table.state, side) - named:
                searched += 1
                assert f'"{unit}"'.encode() not in sent
    assert searched
