"""P31.7 Airbase repair and P31.8 rally in a campaign: Linked airbases, units that are not Isolated."""

from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.battle.repair import rally, repair_airbases
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.war import Post
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.facts.months import PostIs
from domain.pacific_war.operations.operation import CampaignCycle
from tests.pacific_war.board import rolls, sealed_facts, told
from tests.pacific_war.days import operation, outset, play, put, sound

NOBODY = CampaignCycle(cycle=1, at="day")


def quiet(*dice: Any, **changes: dict[str, Any]) -> Table:
    """Return a table of an Operation at which nobody is asked; units have changed."""
    table = outset()
    operation(table, condition="I")
    put(table, changes)
    table = play(table, NOBODY, *dice)
    table.facts = []
    return table


def hit(table: Table, **damage: int) -> Table:
    """Let airbases have damage."""
    for place, hits in damage.items():
        installations(table, place, "is hit", airbase_damage=hits)
    table.facts = []
    return table


@pytest.mark.parametrize(("face", "left"), [(4, 1), (5, 2), (0, 1), (9, 2)])
def test_p31_7_a_linked_airbase_is_repaired(face: int, left: int) -> None:
    table = hit(quiet(face), townsville=3)
    repair_airbases(table)

    assert left == table.state.open.bases["townsville"].airbase_damage


def test_p31_7_one_more_with_an_engineer() -> None:
    """Given Rabaul with the 3rd Engineers, size 3: 1, and 1 more, none on the die."""
    table = hit(quiet(9), rabaul=3)
    repair_airbases(table)

    assert 1 == table.state.open.bases["rabaul"].airbase_damage


def test_p31_7_p2_3_2_1_an_airbase_without_a_link_is_not() -> None:
    """Given the South Pacific Area disbanded and the other headquarters too far, nothing rolls."""
    table = quiet()
    for hq in ("hq_sopac", "hq_swpa"):
        table.record(PostIs(hq, Post(), "is disbanded"))
    table = hit(table, townsville=2, suva=1)
    repair_airbases(table)

    assert [] == rolls(table.facts)
    assert 2 == table.state.open.bases["townsville"].airbase_damage


def test_p31_7_r_73_any_friendly_headquarters_serves() -> None:
    for gone in ("hq_sopac", "hq_swpa"):
        table = quiet(9)
        table.record(PostIs(gone, Post(), "is disbanded"))
        table = hit(table, townsville=2)
        repair_airbases(table)

        assert 1 == table.state.open.bases["townsville"].airbase_damage


def test_p31_7_not_in_an_enemy_occupied_hex() -> None:
    table = hit(quiet(us_raider={"hex": LOCATIONS["kavieng"].hex}), kavieng=1)
    repair_airbases(table)

    assert [] == rolls(table.facts)
    assert 1 == table.state.open.bases["kavieng"].airbase_damage


def test_p31_7_one_open_die_for_each_locations_by_id() -> None:
    table = hit(quiet(9, 9, 9), townsville=2, kavieng=1, rabaul=3)
    repair_airbases(table)

    assert ["airbase repair"] * 3 == [purpose for purpose, _, _ in rolls(table.facts)]
    assert ["kavieng", "rabaul", "townsville"] == [
        fact.subject for fact in table.facts if hasattr(fact, "subject")
    ]
    assert [] == told(table.facts, RolledUnseen)


# P31.8

BROKEN = {"broken": True}


@pytest.mark.parametrize(("face", "broken"), [(0, False), (7, False), (8, True), (9, True)])
def test_p31_8_a_broken_unit_rallies_on_its_troop_quality_or_less(face: int, *, broken: bool) -> None:
    """Given the 2nd Marines, of troop quality 7."""
    table = quiet(face, us_2mar=BROKEN)
    rally(table)
    sound(table)

    assert broken == table.state.own[1].ground["us_2mar"].broken


def test_p31_8_r_6_isolated_units_do_not_rally() -> None:
    table = quiet(us_2mar=BROKEN | {"isolated": True})
    rally(table)

    assert table.state.own[1].ground["us_2mar"].broken
    assert [] == rolls(table.facts)


def test_p31_8_r_6_units_in_an_enemy_occupied_hex_do_not_rally() -> None:
    here = LOCATIONS["kavieng"].hex
    table = quiet(us_raider=BROKEN | {"hex": here}, jp_sas5=BROKEN)
    rally(table)

    assert [] == rolls(table.facts)


def test_p31_8_units_at_sea_do_not_rally_and_the_others_by_id() -> None:
    """Given three Broken units of both sides, one roll a side of as many dice: 9 for one, 0 for another."""
    table = quiet(
        (9,), (9, 10), us_2mar=BROKEN, us_147=BROKEN, jp_kure5=BROKEN, au_7div=BROKEN | {"isolated": True}
    )
    rally(table)
    own = table.state.own

    assert (True, True, False) == (
        own[0].ground["jp_kure5"].broken,
        own[1].ground["us_147"].broken,
        own[1].ground["us_2mar"].broken,
    )


@pytest.mark.parametrize("broken", [0, 1, 3])
def test_p31_8_p0_2_2_as_many_facts_are_sealed_whoever_is_broken(broken: int) -> None:
    units = ("us_2mar", "us_147", "us_americal")[:broken]
    table = quiet(*([(10,) * broken] if broken else []), **dict.fromkeys(units, BROKEN))
    rally(table)

    assert 4 == sealed_facts(table.facts)
    assert all(fact.audience() is not Audience.ALL for fact in table.facts)
