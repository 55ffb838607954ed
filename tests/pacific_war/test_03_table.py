"""P3 Strength, hits and damage: one roll on the combat table, shifts by date, levels."""

from typing import Any

import pytest

from domain.kernel.facts import Modifier, Rolled, RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.board.combat import d10, dated, level_of, level_shift, pick_air, uct
from tests.pacific_war.board import Die, battle, dice_left, faces, table_at, told

JAPAN, ALLIES = 0, 1


def rolls(*dice: Die, month: str = "1942-05") -> Table:
    table = table_at(battle(month=month), Movement(side=JAPAN))
    table.dice._rolls = faces(*dice)  # type: ignore[attr-defined]
    table.facts = []
    return table


@pytest.mark.parametrize(
    ("strength", "shifts", "face", "hits"),
    [
        (1, (), 0, 1),
        (1, (), 2, 0),
        (2, (), 0, 2),
        (4, (), 4, 1),
        (5, (), 2, 2),
        (9, (), 3, 2),
        (10, (), 3, 3),
        (13, (), 9, 0),
        (18, (), 1, 5),
        (25, (), 9, 1),
        (34, (), 2, 7),
        (45, (), 5, 6),
        (60, (), 9, 3),
        (61, (), 0, 18),
        (5, (("up", 1),), 0, 4),  # column 4 and 1
        (5, (("up", 2), ("down", -1)), 0, 4),
        (5, (("down", -3),), 0, 1),  # column 1
        (200, (("up", 3),), 0, 18),  # never above 12
        (200, (("down", -1),), 0, 15),  # from 12
    ],
)
def test_p3_1_the_hits_of_a_strength_with_its_shifts(
    strength: int, shifts: Any, face: int, hits: int
) -> None:
    assert hits == uct(rolls(face), "test", strength, shifts, by=JAPAN)


def test_p3_1_strength_0_rolls_no_die() -> None:
    table = rolls()

    assert 0 == uct(table, "test", 0, (("up", 5),), by=JAPAN)
    assert [] == table.facts


def test_p3_1_r_34_below_column_1_the_die_is_rolled_without_effect() -> None:
    table = rolls(0)

    assert 0 == uct(table, "test", 2, (("down", -2),), by=JAPAN)
    assert 0 == dice_left(table)
    assert "no column" == told(table.facts, Rolled)[0].target


def test_p0_2_1_the_die_is_told_with_its_column_and_what_was_added() -> None:
    table = rolls(3)
    uct(table, "test", 10, (("one", 1), ("nothing", 0), ("other", -2)), by=ALLIES, subject="cv_akagi")

    (die,) = told(table.facts, Rolled)
    assert ("test", ALLIES, 10, (3,), "column 5", "cv_akagi") == (
        die.purpose,
        die.by,
        die.sides,
        die.dice,
        die.target,
        die.subject,
    )
    assert (Modifier("one", 1), Modifier("other", -2)) == die.modifiers


def test_p0_2_a_recorded_10_is_the_face_0() -> None:
    table = rolls(0, 9)

    assert (0, 9) == (d10(table, "test", by=JAPAN), d10(table, "test", by=JAPAN))
    assert [(10,), (9,)] == [die.dice for die in told(table.facts, Rolled)]


def test_p0_2_2_r_39_an_unseen_die_is_the_umpires() -> None:
    table = rolls(4, 5)
    d10(table, "test", by=JAPAN, unseen=True)
    d10(table, "test", by=JAPAN)

    assert [0] == [die.index for die in told(table.facts, RolledUnseen)]
    assert [0] == [die.index for die in told(table.facts, Rolled)]


@pytest.mark.parametrize(
    ("name", "month", "japan", "allies"),
    [
        ("flak_shift", "1941-12", -2, -2),
        ("flak_shift", "1942-08", -2, -2),
        ("flak_shift", "1942-09", -2, -1),
        ("flak_shift", "1944-03", -1, 1),
        ("cap_shift", "1942-12", 0, 0),
        ("cap_shift", "1943-01", 0, 1),
        ("ship_torpedo_shift", "1943-08", 0, -1),
        ("night_gun_shift", "1942-08", -1, -2),
        ("sub_torpedo_shift", "1942-06", 0, -2),
        ("night_search_mod", "1942-06", -4, -4),
        ("jungle_attack_shift", "1942-06", 1, 0),
        ("jungle_attack_shift", "1942-07", 0, 0),
    ],
)
def test_p3_2_the_last_entry_not_later_than_the_month_counts(
    name: str, month: str, japan: int, allies: int
) -> None:
    board = rolls(month=month).state.open

    assert (japan, allies) == (dated(board, name, JAPAN), dated(board, name, ALLIES))


@pytest.mark.parametrize(
    ("steps", "hits", "taken"),
    [
        ({"a": 3, "b": 2}, 1, {"a": 1}),
        ({"a": 3, "b": 2}, 2, {"a": 2}),  # then 2 and 2: the first in the fixed order
        ({"a": 3, "b": 2}, 3, {"a": 2, "b": 1}),
        ({"b": 2, "a": 2}, 1, {"a": 1}),
        ({"a": 1, "b": 1}, 5, {"a": 1, "b": 1}),
    ],
)
def test_p3_3_hits_on_air_steps_fall_on_the_unit_with_most_in_the_role(
    steps: dict[str, int], hits: int, taken: dict[str, int]
) -> None:
    assert taken == pick_air(steps, hits)


@pytest.mark.parametrize(
    ("steps", "level"), [([(2, 3), (0, 2)], 2), ([(2, 2), (0, 2)], 0), ([(1, 1), (2, 1), (1, 1)], 1)]
)
def test_r_79_the_level_is_that_of_most_steps_the_lower_on_a_tie(
    steps: list[tuple[int, int]], level: int
) -> None:
    assert level == level_of(steps)
    assert (-1, 0, 1) == tuple(map(level_shift, (0, 1, 2)))
