"""P21 Operational Intelligence."""

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.facts.months import MeansAre, under_way
from tests.pacific_war.board import rolls, sealed_facts, told
from tests.pacific_war.days import ALLIES, JAPAN, OPEN_SEA, operation, outset, phases, sail, within

ROWS = ("IISSSSSSSS", "AIIIISSSSS", "AAAIIIISSS", "AAAAAIIISS")
"""P21: by the Reaction player's level, the Condition for each face, 0 to 9."""


def informed(level: int, face: int, *, of: int = 2, player: int = ALLIES) -> Table:
    """Return a table after 5.1.Q: level of Strategic Intelligence, face of the die, Operation Level."""
    table = outset(levels=(level, 3 - level) if player == ALLIES else (3 - level, level))
    operation(table, player, level=of)
    tf, screen = ("A1", ["dd_us1"]) if player == ALLIES else ("J1", ["dd_jp29"])
    sail(table, tf, OPEN_SEA, screen=screen)
    return within(table, "intelligence", face)


@pytest.mark.parametrize("face", range(10))
@pytest.mark.parametrize("level", range(4))
def test_p21_1_the_condition_by_level_and_die(level: int, face: int) -> None:
    table = informed(level, face)

    assert ROWS[level][face] == table.state.own[JAPAN].means.condition
    assert "" == table.state.own[ALLIES].means.condition


@pytest.mark.parametrize("face", range(10))
@pytest.mark.parametrize(("of", "more"), [(1, 1), (2, 0), (3, -1)])
def test_p21_1_plus_1_at_operation_level_1_minus_1_at_level_3_within_0_and_9(
    of: int, more: int, face: int
) -> None:
    for level in range(4):
        table = informed(level, face, of=of)

        assert ROWS[level][max(0, min(9, face + more))] == table.state.own[JAPAN].means.condition
        assert [more] == [shift for purpose, _, shift in rolls(table.facts) if "intelligence" in purpose]


def test_p21_1_the_reaction_player_learns_it_whoever_he_is() -> None:
    table = informed(3, 0, player=JAPAN)

    assert ("", "A") == tuple(own.means.condition for own in table.state.own)


@pytest.mark.parametrize("face", range(10))
def test_p21_1_p0_2_2_the_die_and_the_condition_are_unseen(face: int) -> None:
    """The Operation player and onlookers cannot tell the Conditions apart; the umpire knows the die."""
    table = informed(1, face)

    (die,) = told(table.facts, RolledUnseen)
    assert Audience.UMPIRE is die.audience()
    (learnt,) = told(table.facts, MeansAre)
    assert (Audience.SIDE_0, JAPAN) == (learnt.audience(), learnt.side)
    assert "" == under_way(table.state.open).condition
    assert ["5.1.Q", "5.1.R"] == phases(table.facts)
    assert 5 == sealed_facts(table.facts)  # die, Condition, what is made ready (2), the pause


def test_c1_2_the_first_condition_is_surprise_attack_without_a_die() -> None:
    table = outset(begun=0)
    operation(table)
    sail(table, "A1", OPEN_SEA, screen=["dd_us1"])
    table = within(table, "intelligence")

    assert ("S", "S") == (under_way(table.state.open).condition, table.state.own[JAPAN].means.condition)
