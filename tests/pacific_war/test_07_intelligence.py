"""P7 Strategic Intelligence: the level of each month, its secrecy, and what it helps."""

import pytest

from domain.kernel.facts import RolledUnseen
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.submarines import attack
from domain.pacific_war.board.charts import SIDES, TABLES
from domain.pacific_war.facts.months import MeansAre
from domain.pacific_war.months.intelligence_level import gather, level
from tests.pacific_war.board import battle, faces, rolls, sealed_facts, table_at, told
from tests.pacific_war.months import ALLIES, JAPAN, campaign, in_sight

BOOK = {
    ("AL", "1941-12"): (2, 2, 1, 1, 1, 1, 1, 0, 0, 0),
    ("AL", "1942-05"): (3, 3, 3, 2, 2, 2, 2, 1, 1, 1),
    ("AL", "1943-07"): (3, 3, 3, 3, 2, 2, 2, 2, 1, 1),
    ("JP", "1941-12"): (2, 2, 2, 2, 1, 1, 1, 1, 1, 0),
    ("JP", "1942-04"): (2, 2, 1, 1, 1, 1, 0, 0, 0, 0),
    ("JP", "1943-07"): (2, 1, 1, 1, 1, 0, 0, 0, 0, 0),
}
"""The table of P7.1 as the rules print it."""


@pytest.mark.parametrize(("side", "month"), BOOK)
def test_p7_1_the_level_goes_by_side_month_and_face(side: str, month: str) -> None:
    found = tuple(level(SIDES.index(side), month, face) for face in range(10))

    assert BOOK[side, month] == found


def test_p7_1_a_row_holds_until_the_next() -> None:
    """Given the month before a row begins, then the row before it counts; the table has no other rows."""
    assert (2, 3) == (level(ALLIES, "1942-04", 0), level(ALLIES, "1943-06", 0))
    assert (1, 1) == (level(JAPAN, "1942-03", 8), level(JAPAN, "1943-06", 4))
    rows = TABLES["strategic_intelligence"]["level_by_d10"]
    assert {*BOOK} == {(side, first) for side, lines in rows.items() for first, _ in lines}


def test_p7_1_one_unseen_die_a_side_japan_first_and_each_is_told_its_own() -> None:
    """Given faces 1 and 7 in August 1942, then Japan is at 2 and the Allies are at 1."""
    table = campaign(1, 7)
    table.facts = []
    gather(table)

    assert [2, 1] == [own.means.level for own in table.state.own]
    assert [JAPAN, ALLIES] == [one.by for one in told(table.facts, RolledUnseen)]
    assert [] == in_sight(table.facts, None)
    assert [MeansAre(ALLIES, level=1, why="for this month")] == in_sight(table.facts, ALLIES)


def test_p7_1_p0_4_2_a_level_that_stays_seals_as_much_as_one_that_changes() -> None:
    counts = set()
    for first in (0, 9):
        table = campaign(first, 0)
        table.facts = []
        gather(table)
        counts.add(sealed_facts(table.facts))

    assert {4} == counts


def test_p7_2_r_18_the_level_lasts_and_a_condition_stays_with_it() -> None:
    """Given a suspended Operation of which Japan knows the Condition, then the new level leaves it."""
    table = campaign(0, 0, means=({"condition": "I", "level": 1}, {}))
    gather(table)

    assert (2, "I") == (table.state.own[JAPAN].means.level, table.state.own[JAPAN].means.condition)


@pytest.mark.parametrize(("known", "more"), [(0, 0), (2, 0), (3, 1)])
def test_p7_2_p25_2_level_3_helps_a_sides_patrols(known: int, more: int) -> None:
    """Given a patrol of 2 points against battleships, then contact is made on 3, with level 3 on 4."""
    scene = battle(
        tfs=[{"id": "J1", "side": "JP", "hex": "5543", "core": ["bb_mutsu"]}],
        patrols=[{"side": "AL", "hex": "5543", "points": 2}],
    )
    table = table_at(scene, Movement(side=JAPAN))
    table.state.own[ALLIES].means.level = known
    table.dice._rolls = faces(9)  # type: ignore[attr-defined]
    table.facts = []
    attack(table, "5543", "J1")

    assert [("contact", f"{3 + more} or less", more)] == rolls(table.facts)
