"""P27 Advantage: two dice, and what is added to them."""

from typing import Any

import pytest

from domain.kernel.facts import Rolled
from domain.kernel.table import Table
from domain.pacific_war.battle.lighting import take_advantage
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.facts.cycle import AdvantageIs
from tests.pacific_war.board import Die, battle, dice_left, faces, table_at, told

JAPAN, ALLIES = 0, 1
FORCES = [
    {"id": f"{side[0]}{n}", "side": side, "hex": "5540" if side == "JP" else "6044", "screen": [ship]}
    for side, ships in (
        ("JP", ("dd_jp7", "dd_jp8", "dd_jp2", "dd_jp4")),
        ("AL", ("dd_us2", "dd_us4", "dd_us5")),
    )
    for n, ship in enumerate(ships, 1)
]


def roll_off(*dice: Die, cycle: int = 1, like: str = "E1", **more: Any) -> Table:
    """Let both roll in a cycle of a scenario made up; return the table."""
    keep = {key: more.pop(key) for key in ("lighting", "detected", "advantage") if key in more}
    scene = battle(like, tfs=FORCES, control={"JP": [], "AL": []}, **({"initiative": 0} | more))
    table = table_at(scene, Movement(side=JAPAN), cycle=cycle, **keep)
    table.dice._rolls = faces(*dice)  # type: ignore[attr-defined]
    table.facts = []
    take_advantage(table, cycle)
    assert 0 == dice_left(table)
    return table


def totals(table: Table) -> tuple[int, ...]:
    (fact,) = told(table.facts, AdvantageIs)
    return fact.totals


def added(table: Table, side: int) -> int:
    die = next(one for one in told(table.facts, Rolled) if one.by == side)
    return sum(one.amount for one in die.modifiers)


def test_p27_1_each_side_rolls_japan_first_in_the_open_and_the_higher_has_it() -> None:
    table = roll_off(3, 4)
    assert [("Advantage", JAPAN, (3,)), ("Advantage", ALLIES, (4,))] == [
        (die.purpose, die.by, die.dice) for die in told(table.facts, Rolled)
    ]
    assert AdvantageIs(ALLIES, (3, 4)) == table.facts[-1]
    assert ALLIES == table.state.open.advantage
    assert JAPAN == roll_off(9, 8).state.open.advantage


@pytest.mark.parametrize("before", [JAPAN, ALLIES])
def test_p27_1_a_tie_is_the_operation_players_first_and_later_whoever_had_it(before: int) -> None:
    assert JAPAN == roll_off(5, 5, cycle=1, advantage=before).state.open.advantage
    other = roll_off(5, 5, cycle=1, advantage=before, operation_player="AL", reaction_player="JP")
    assert ALLIES == other.state.open.advantage
    assert before == roll_off(5, 5, cycle=2, advantage=before).state.open.advantage


@pytest.mark.parametrize(("scenario", "side"), [("E2", JAPAN), ("E3", JAPAN)])
def test_p27_1_e2_1_where_the_scenario_names_who_has_it_no_die_is_rolled(scenario: str, side: int) -> None:
    table = table_at(scenario, Movement(side=JAPAN), advantage=ALLIES)
    table.facts = []
    take_advantage(table, 1)

    assert [AdvantageIs(side)] == table.facts


def test_p27_1_in_the_second_cycle_of_e2_dice_are_rolled() -> None:
    """Given Japan with the Initiative: 4 + 1 against 6; the Surprise Attack adds nothing any more."""
    table = table_at("E2", Movement(side=JAPAN), cycle=2)
    table.dice._rolls = faces(4, 6)  # type: ignore[attr-defined]
    table.facts = []
    take_advantage(table, 2)

    assert AdvantageIs(ALLIES, (5, 6)) == table.facts[-1]


@pytest.mark.parametrize(
    ("condition", "cycle", "japan", "allies"),
    [("S", 1, 4, 0), ("A", 1, 0, 3), ("I", 1, 0, 0), ("S", 2, 0, 0), ("A", 2, 0, 0)],
)
def test_p27_1_the_condition_adds_in_the_first_cycle(
    condition: str, cycle: int, japan: int, allies: int
) -> None:
    """Given Japan as Operation player, then a Surprise Attack is for it, an Ambush for the other."""
    table = roll_off(1, 1, cycle=cycle, condition=condition)

    assert (japan, allies) == (added(table, JAPAN), added(table, ALLIES))
    table = roll_off(1, 1, cycle=cycle, condition=condition, operation_player="AL", reaction_player="JP")
    assert (allies, japan) == (added(table, JAPAN), added(table, ALLIES))


@pytest.mark.parametrize(("initiative", "japan", "allies"), [(2, 1, 0), (1, 1, 0), (-1, 0, 1), (0, 0, 0)])
@pytest.mark.parametrize("cycle", [1, 2])
def test_p27_1_the_initiative_adds_1_in_every_cycle(
    initiative: int, japan: int, allies: int, cycle: int
) -> None:
    table = roll_off(1, 1, initiative=initiative, cycle=cycle)

    assert (japan, allies) == (added(table, JAPAN), added(table, ALLIES))


@pytest.mark.parametrize(
    ("detected", "japan", "allies"),
    [
        ((), 0, 0),
        (("A1",), 1, 0),
        (("A1", "A2"), 2, 0),
        (("A1", "A2", "A3"), 2, 0),
        (("J1",), 0, 1),
        (("J1", "J2", "J3", "J4", "A1"), 0, 2),
        (("J1", "A1"), 0, 0),
        (("J1", "A1", "A2"), 1, 0),
    ],
)
def test_p27_1_each_detected_enemy_more_than_own_adds_1_at_most_2(
    detected: tuple[str, ...], japan: int, allies: int
) -> None:
    table = roll_off(1, 1, detected=detected)

    assert (japan, allies) == (added(table, JAPAN), added(table, ALLIES))


@pytest.mark.parametrize(
    ("lighting", "month", "japan"),
    [("Night", "1942-12", 1), ("Night", "1943-01", 0), ("Day", "1942-05", 0), ("Dusk", "1942-05", 0)],
)
def test_p27_1_at_night_until_december_1942_japan_adds_1(lighting: Any, month: str, japan: int) -> None:
    table = roll_off(1, 1, lighting=lighting, month=month)

    assert (japan, 0) == (added(table, JAPAN), added(table, ALLIES))


def test_p27_1_all_is_added_up() -> None:
    """Given an Ambush at Night, one more enemy Detected, the Initiative of Japan: 5 + 3 against 6 + 3."""
    table = roll_off(5, 6, condition="A", lighting="Night", initiative=1, detected=["A1"])

    assert (8, 9) == totals(table)
    assert ALLIES == table.state.open.advantage
