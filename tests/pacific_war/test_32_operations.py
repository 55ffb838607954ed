"""P32 Deactivation, detection removal and the day marker in an Operation (R40, R41)."""

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.deactivation import Deactivation
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Busy, LightingIs, OutOfSight
from domain.pacific_war.facts.intelligence import meet
from domain.pacific_war.facts.months import under_way
from domain.pacific_war.operations.eligible import idle
from tests.pacific_war.board import options, told
from tests.pacific_war.days import (
    ALLIES,
    JAPAN,
    OPEN_SEA,
    act,
    days,
    operation,
    outset,
    phases,
    play,
    put,
    sail,
    wake,
    within,
)

KAVIENG = LOCATIONS["kavieng"].hex


def out(*units: str) -> Table:
    """Return a table of an Allied Operation with these units Activated, at the Allied deactivation."""
    table = outset()
    operation(table, condition="I")
    wake(table, "jn_1e_25af", *units)
    return table


def test_p32_1_air_units_at_an_airbase_ground_units_in_any_hex_task_forces_whole() -> None:
    table = out("us_1e_67fs", "us_147")
    put(table, {"us_raider": {"active": True, "hex": "4340"}})
    sail(table, "A1", OPEN_SEA, ["cv_saratoga", "aa_us1"], cargo={"aa_us1": ["us_2mar"]})
    table = play(table, Deactivation(side=ALLIES))

    # The group goes with its carrier, the troops aboard with their ship.
    units = ["us_1e_67fs", "us_147", "us_raider"]
    assert [*map(d.Deactivate, units), d.DeactivateTF("A1"), d.Done()] == options(table, ALLIES)


def test_p32_1_a_carrier_group_ashore_is_deactivated_there() -> None:
    table = out()
    put(table, {"cvg_wasp": {"active": True, "home": "suva"}})
    table = play(table, Deactivation(side=ALLIES))

    assert [d.Deactivate("cvg_wasp"), d.Done()] == options(table, ALLIES)


def test_p32_1_crippled_ships_may_stay_out() -> None:
    table = out()
    sail(table, "A1", OPEN_SEA, screen=["dd_us1"])
    put(table, {"dd_us1": {"damage": 2}})
    table = play(table, Deactivation(side=ALLIES))
    act(table, ALLIES, d.Done())

    assert "A1" in table.state.own[ALLIES].fleets


def test_p32_1_r_40_in_a_contested_hex_they_stay_and_may_be_activated_again() -> None:
    table = out()
    put(table, {"us_raider": {"active": True, "hex": KAVIENG}})
    meet(table, KAVIENG)
    table = play(table, Deactivation(side=ALLIES))
    act(table, ALLIES, d.Deactivate("us_raider"))

    unit = table.state.own[ALLIES].ground["us_raider"]
    assert (KAVIENG, False, 2) == (unit.hex, unit.active, unit.steps)
    assert "us_raider" in idle(table.state.open, table.state.own[ALLIES], ALLIES)  # P20.2.1


def test_p32_1_r_40_so_an_operation_can_end_with_enemies_in_one_hex() -> None:
    table = outset()
    operation(table, condition="I")
    put(table, {"us_raider": {"active": True, "hex": KAVIENG}})
    meet(table, KAVIENG)
    table = play(table, Deactivation(side=ALLIES))
    act(table, ALLIES, d.Deactivate("us_raider"))

    assert {} == table.prompts


def test_p32_1_p20_2_1_a_broken_unit_is_not_activated() -> None:
    table = out()
    put(table, {"us_raider": {"broken": True}})

    assert "us_raider" not in idle(table.state.open, table.state.own[ALLIES], ALLIES)


# P32.2


@pytest.mark.parametrize(("lighting", "at", "stays"), [
    ("Day", "5343", True), ("Day", "5344", False), ("Dusk", "5343", True), ("Night", "5343", False),
    ("Night", "5341", True),
])  # fmt: skip
def test_p32_2_within_3_hexes_of_an_enemy_or_1_at_night(lighting: str, at: str, *, stays: bool) -> None:
    """Given the Japanese at Guadalcanal, 5340."""
    table = out("us_1e_67fs")
    sail(table, "A1", at, ["cv_saratoga"], detected=True)
    table.record(LightingIs(lighting))  # type: ignore[arg-type]
    table = within(table, "detection", 0, 0, 0, 0, 0, cycle=1)

    assert stays == table.state.open.tfs["A1"].detected
    assert ["5.2.N", "5.2.O", "5.2.A"] == phases(table.facts)[:3]


def test_p32_2_not_if_it_fought_bombarded_or_landed() -> None:
    for busy in (True, False):
        table = out("us_1e_67fs")
        sail(table, "A1", OPEN_SEA, ["cv_saratoga"], detected=True)
        if busy:
            table.record(Busy(("A1",)))
        table = within(table, "detection", 0, 0, 0, cycle=1)
        assert busy == (not told(table.facts, OutOfSight))


# P32.3


def test_p32_3_two_days_and_the_days_of_the_operation() -> None:
    table = out("us_1e_67fs")
    operation(table, condition="I", days=13)
    table = within(table, "day", 0, 0, 0, cycle=1)

    assert [10] == days(table.facts)
    assert 15 == under_way(table.state.open).days


def test_p32_3_r_3_the_days_pass_though_the_operation_is_over() -> None:
    table = outset()
    operation(table, condition="I")
    table = within(table, "tally", cycle=1)

    assert [10] == days(table.facts)
    assert {JAPAN, ALLIES} == table.prompts.keys()
