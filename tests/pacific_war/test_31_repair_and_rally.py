"""P31.7 Airbase repair, P31.8 rally (R-6, R-22)."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.table import Table
from domain.pacific_war.battle.repair import rally, repair_airbases
from domain.pacific_war.battle.retreat import Retreat
from domain.pacific_war.battle.sequence import BattleCycle
from tests.pacific_war.board import again_at, battle, table_at
from tests.pacific_war.clash import ALLIES, JAPAN, check, hidden, rolls, unseen, words


def quiet(*dice: int, **more: Any) -> Table:
    """Return a table at which nobody is asked; Port Moresby is Allied, Lae Japanese."""
    scene = battle(control={"AL": ["port_moresby"], "JP": ["lae"]}, **more)
    return table_at(scene, Retreat(tfs=()), *dice, advantage=ALLIES)


def damaged(table: Table, size: int, **damage: int) -> None:
    """Give airbases a size and damage."""
    for place, hits in damage.items():
        table.state.open.bases[place] = replace(
            table.state.open.bases[place], airbase=size, airbase_damage=hits
        )


def repaired(table: Table) -> list[Any]:
    """Repair, and return what happened."""
    table.facts = []
    repair_airbases(table)
    check(table)
    return list(table.facts)


@pytest.mark.parametrize(("face", "left"), [(4, 2), (5, 3), (0, 2), (9, 3)])
def test_p31_7_one_damage_and_one_more_on_a_die_of_4_or_less(face: int, left: int) -> None:
    table = quiet(face)
    damaged(table, 4, lae=4)
    facts = repaired(table)

    assert [("airbase repair", "lae", face)] == [(one[0], one[1], one[3]) for one in rolls(facts)]
    assert [] == unseen(facts)
    assert left == table.state.open.bases["lae"].airbase_damage


def test_p31_7_one_more_with_a_friendly_engineer_in_the_hex() -> None:
    table = quiet(9, ground=[{"id": "jp_engr1", "hex": "lae"}, {"id": "jp_ssd", "hex": "lae"}])
    damaged(table, 4, lae=4)
    repaired(table)

    assert 2 == table.state.open.bases["lae"].airbase_damage


def test_p31_7_never_below_none() -> None:
    table = quiet(0, ground=[{"id": "jp_engr1", "hex": "lae"}])
    damaged(table, 4, lae=1)
    repaired(table)

    assert 0 == table.state.open.bases["lae"].airbase_damage


def test_p31_7_p2_3_2_1_r_22_one_die_for_each_damaged_airbase_of_either_side_in_order() -> None:
    table = quiet(4, 9)
    damaged(table, 3, port_moresby=2, lae=2)
    facts = repaired(table)

    assert ["lae", "port_moresby"] == [one[1] for one in rolls(facts)]
    assert (0, 1) == (
        table.state.open.bases["lae"].airbase_damage,
        table.state.open.bases["port_moresby"].airbase_damage,
    )


def test_p31_7_not_in_an_enemy_occupied_hex_nor_without_damage() -> None:
    table = quiet(ground=[{"id": "us_24div", "hex": "lae"}, {"id": "jp_ssd", "hex": "lae"}])
    damaged(table, 3, lae=2, port_moresby=0)

    assert [] == repaired(table)


def broken(*dice: int, units: dict[str, str], sound: tuple[str, ...] = ()) -> Table:
    """Return a table with ground units, id to place, that are Broken but for those that are sound."""
    table = quiet(*dice, ground=[{"id": unit, "hex": place} for unit, place in units.items()])
    for own in table.state.own:
        for unit in set(own.ground) - set(sound):
            own.ground[unit] = replace(own.ground[unit], broken=True, active=False)
    return table


def rallied(table: Table) -> list[Any]:
    """Rally, and return what happened."""
    table.facts = []
    rally(table)
    check(table)
    return list(table.facts)


@pytest.mark.parametrize(("face", "still"), [(6, False), (7, True)])
def test_p31_8_at_most_the_troop_quality(face: int, still: bool) -> None:
    table = broken(face, units={"us_24div": "port_moresby"})
    facts = rallied(table)

    assert [("rally", "us_24div", "6 or less", face)] == rolls(facts)
    unit = table.state.own[ALLIES].ground["us_24div"]
    assert (still, False) == (unit.broken, unit.active)  # nothing is activated again (P32.1)


def test_p31_8_every_broken_unit_of_japan_then_of_the_allies_in_order() -> None:
    units = {"us_25div": "cairns", "us_24div": "port_moresby", "jp_ssd": "lae", "jp_kure5": "rabaul"}
    facts = rallied(broken(9, 9, 9, 9, units=units))

    assert ["jp_kure5", "jp_ssd", "us_24div", "us_25div"] == [one[1] for one in rolls(facts)]


def test_p31_8_r_6_not_in_an_enemy_occupied_hex_and_not_who_is_sound() -> None:
    units = {"us_24div": "lae", "jp_ssd": "lae", "us_25div": "port_moresby"}

    assert [] == rolls(rallied(broken(units=units, sound=("us_25div",))))


def test_p31_8_p0_2_2_the_dice_are_unseen_and_who_is_broken_cannot_be_counted() -> None:
    units = {"us_24div": "port_moresby", "us_25div": "port_moresby", "jp_ssd": "lae"}
    all_broken = rallied(broken(0, 0, 0, units=units))
    one = rallied(broken(9, units=units, sound=("us_24div", "jp_ssd")))
    none = rallied(broken(units=units, sound=tuple(units)))

    assert ["rally"] * 3 == unseen(all_broken)
    assert "" == words(all_broken) == words(one) == words(none)
    # A die for each of the 3 units, and for each side what became of its units.
    assert {3 + 2} == {hidden(all_broken), hidden(one), hidden(none)}


def test_p31_8_a_unit_that_is_public_rallies_in_sight_of_all() -> None:
    table = broken(0, units={"us_24div": "port_moresby"})
    table.state.open.ground["us_24div"] = table.state.own[ALLIES].ground["us_24div"]
    rallied(table)

    assert not table.state.open.ground["us_24div"].broken


def test_p5_2_i_p5_2_j_repair_comes_after_control_and_then_rally() -> None:
    """Given a damaged airbase and a Broken unit, when control is settled, then both phases follow."""
    table = broken(units={"us_24div": "port_moresby", "jp_ssd": "lae"}, sound=("jp_ssd",))
    damaged(table, 3, lae=2)
    cycle = BattleCycle(cycle=1, at="settle")
    table = again_at(table, cycle, 9, 0)

    assert 1 == table.state.open.bases["lae"].airbase_damage
    assert not table.state.own[ALLIES].ground["us_24div"].broken
    assert JAPAN == table.state.open.bases["lae"].control
