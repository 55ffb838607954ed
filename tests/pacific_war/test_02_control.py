"""P2.6 Control of locations, and what falls with them (R-85)."""

from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.control import settle
from domain.pacific_war.battle.retreat import Retreat
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.table import Base
from domain.pacific_war.facts.cycle import AirStepsLost, UnitLost
from tests.pacific_war.board import battle, change, table_at, told
from tests.pacific_war.clash import ALLIES, JAPAN, check, fleet, rolls
from tests.pacific_war.invariants import invariants_of_state

OURS = ["port_moresby", "townsville", "cairns"]


def taken(*dice: int, **more: Any) -> Table:
    """Return a table on which only Japan has ground units at Port Moresby, which is Allied."""
    kind = {"ground": [{"id": "jp_ssd", "hex": "port_moresby"}]} | more
    scene = battle(control={"AL": OURS, "JP": sorted(LOCATIONS.keys() - set(OURS))}, **kind)
    return quiet(scene, *dice)


def quiet(scene: str, *dice: int) -> Table:
    """Return a table at which nobody is asked."""
    return table_at(scene, Retreat(tfs=()), *dice, advantage=JAPAN)


def fall(table: Table) -> list[Any]:
    """Settle control, check the ledgers, and return what happened."""
    table.facts = []
    settle(table)
    check(table)
    return list(table.facts)


def test_p2_6_control_changes_when_only_the_other_side_has_ground_units() -> None:
    table = taken()
    fall(table)

    assert JAPAN == table.state.open.bases["port_moresby"].control


@pytest.mark.parametrize(
    "ground",
    [
        [],
        [{"id": "us_24div", "hex": "port_moresby"}],
        [{"id": "us_24div", "hex": "port_moresby"}, {"id": "jp_ssd", "hex": "port_moresby"}],
        [{"id": "jp_ssd", "hex": "4540"}],
    ],
)
def test_p2_6_otherwise_it_stays(ground: list[dict[str, Any]]) -> None:
    table = taken(ground=ground)

    assert [] == fall(table)
    assert ALLIES == table.state.open.bases["port_moresby"].control


def test_p2_6_troops_aboard_take_nothing() -> None:
    tfs = [fleet("J1", core=["aa_jp1"], at="4440", cargo={"aa_jp1": ["jp_ichiki"]})]
    table = taken(ground=[], tfs=tfs)

    assert [] == fall(table)


@pytest.mark.parametrize(("port", "airbase", "damage"), [(2, 2, 1), (3, 4, 1), (1, 0, 0), (4, 3, 2)])
def test_p2_6_the_airbase_is_damaged_by_its_size_and_the_port_by_half(
    port: int, airbase: int, damage: int
) -> None:
    table = taken(bases={"port_moresby": {"port": port, "airbase": airbase, "fort": 2}})
    fall(table)

    base = Base(JAPAN, port=port, port_damage=damage, airbase=airbase, airbase_damage=airbase, fort=2)
    assert base == table.state.open.bases["port_moresby"]
    assert base.interdicted


def test_p2_6_a_port_that_is_damaged_more_is_not_mended_and_a_resource_hex_keeps_its_state() -> None:
    scene = battle(control={"AL": ["palembang"]}, ground=[{"id": "jp_ssd", "hex": "palembang"}])
    table = quiet(scene)
    table.state.open.bases["palembang"] = Base(ALLIES, port=2, port_damage=2, airbase=1, resource_damage=1)
    fall(table)

    assert Base(JAPAN, 2, 2, 1, 1, resource_damage=1) == table.state.open.bases["palembang"]


def test_p2_6_r_85_each_inactive_ship_rolls_and_is_sunk_or_gone() -> None:
    ships = [{"at": "port_moresby", "side": "AL", "units": ["dd_us1", "ca_us1", "bb_arizona"]}]
    table = taken(4, 5, 0, naval=ships)
    facts = fall(table)

    # In the fixed order: the battleship, the cruisers, the destroyers.
    assert [("bb_arizona", 4), ("ca_us1", 5), ("dd_us1", 0)] == [(one[1], one[3]) for one in rolls(facts)]
    assert {"bb_arizona": "sunk", "ca_us1": "out of the scenario", "dd_us1": "sunk"} == table.state.open.lost
    assert [] == table.state.open.ports[ALLIES]
    assert all(not ship.port for ship in table.state.own[ALLIES].ships.values())


def moored(*dice: int) -> Table:
    """Return a table on which a carrier with 5 steps of her group lies in the port that falls."""
    ships = [{"at": "port_moresby", "side": "AL", "units": ["cv_yorktown"]}]
    return taken(*dice, naval=ships, air=[{"id": "cvg_yorktown", "steps": 5, "level": 1}])


def test_p2_6_r_85_the_air_group_goes_down_with_a_carrier_that_is_sunk_in_port() -> None:
    table = moored(4)
    fall(table)

    air = table.state.own[ALLIES].air["cvg_yorktown"]
    assert ("", 0, 0) == (air.home, air.steps, air.ready)
    assert {"cv_yorktown": "sunk", "cvg_yorktown": "destroyed"} == table.state.open.lost
    assert [0, 5] == table.state.open.steps_lost
    assert [] == [*invariants_of_state(table.state)]


def test_p2_6_p1_1_the_air_group_is_out_of_the_scenario_with_a_carrier_that_is() -> None:
    table = moored(5)
    fall(table)

    air = table.state.own[ALLIES].air["cvg_yorktown"]
    assert ("", 0, 0) == (air.home, air.steps, air.ready)
    assert dict.fromkeys(("cv_yorktown", "cvg_yorktown"), "out of the scenario") == table.state.open.lost
    assert [0, 0] == table.state.open.steps_lost
    assert [] == [*invariants_of_state(table.state)]


def test_p2_6_task_forces_in_the_harbour_are_not_touched() -> None:
    table = taken(tfs=[fleet("A1", "dd_us1", at="4440")])
    facts = fall(table)

    assert [] == rolls(facts)
    assert "A1" in table.state.open.tfs


def test_p2_6_r_85_air_units_lose_half_their_steps_rounded_up_and_fly_to_the_nearest_airbase() -> None:
    air = [{"id": "us_2e_3bg", "steps": 5, "level": 1, "base": "port_moresby"}]
    table = taken(air=air)
    facts = fall(table)

    unit = table.state.own[ALLIES].air["us_2e_3bg"]
    assert [AirStepsLost("us_2e_3bg", ALLIES, 3, "on the ground")] == told(facts, AirStepsLost)
    # Cairns is 5 hexes away, Townsville 6; the bombers reach 5.
    assert (2, "cairns", 0, 0) == (unit.steps, unit.home, unit.ready, unit.cap)
    assert [0, 3] == table.state.open.steps_lost
    assert ["cairns"] == table.state.open.airfields[ALLIES]


def test_p2_6_out_of_range_the_rest_is_lost_and_counts_too() -> None:
    air = [{"id": "us_1e_35fg", "steps": 3, "level": 1, "base": "port_moresby"}]  # range 3
    table = taken(air=air)
    fall(table)

    assert 0 == table.state.own[ALLIES].air["us_1e_35fg"].steps
    assert [0, 3] == table.state.open.steps_lost
    assert "destroyed" == table.state.open.lost["us_1e_35fg"]


def test_p2_6_a_unit_of_one_step_is_lost_at_once() -> None:
    air = [{"id": "us_2e_3bg", "steps": 1, "level": 1, "base": "port_moresby"}]
    table = taken(air=air)
    facts = fall(table)

    assert [UnitLost("us_2e_3bg", ALLIES, "destroyed")] == told(facts, UnitLost)
    assert [0, 1] == table.state.open.steps_lost


def test_p2_6_an_airbase_without_room_is_passed_over() -> None:
    # Cairns has size 1 and room for 2 units; Townsville is out of range of bombers, not of heavy ones.
    air = [
        {"id": "us_4e_feaf", "steps": 4, "level": 1, "base": "port_moresby"},
        {"id": "us_1e_haw", "steps": 1, "level": 0, "base": "cairns"},
        {"id": "us_1e_mag21", "steps": 1, "level": 0, "base": "cairns"},
    ]
    table = taken(air=air, bases={"cairns": {"airbase": 1}})
    fall(table)

    assert "townsville" == table.state.own[ALLIES].air["us_4e_feaf"].home


def test_p2_6_units_fill_the_room_in_the_fixed_order() -> None:
    air = [
        {"id": "us_2e_3bg", "steps": 4, "level": 1, "base": "port_moresby"},
        {"id": "us_2e_haw", "steps": 4, "level": 1, "base": "port_moresby"},
        {"id": "us_1e_haw", "steps": 1, "level": 0, "base": "cairns"},
    ]
    table = taken(air=air, bases={"cairns": {"airbase": 1}})
    fall(table)

    assert ("cairns", 2) == (
        table.state.own[ALLIES].air["us_2e_3bg"].home,
        table.state.own[ALLIES].air["us_2e_3bg"].steps,
    )
    assert 0 == table.state.own[ALLIES].air["us_2e_haw"].steps
    assert [0, 6] == table.state.open.steps_lost


def test_p2_6_steps_on_patrol_come_down_with_the_rest() -> None:
    air = [{"id": "us_2e_3bg", "steps": 4, "level": 1, "base": "port_moresby"}]
    table = taken(air=air)
    change(table, ALLIES, {"us_2e_3bg": {"cap": 2, "ready": 2}})
    fall(table)

    unit = table.state.own[ALLIES].air["us_2e_3bg"]
    assert (2, 0, 0) == (unit.steps, unit.cap, unit.ready)


def test_p0_4_1_a_captured_port_shows_its_ships_and_no_aircraft() -> None:
    ships = [{"at": "port_moresby", "side": "AL", "units": ["dd_us1"]}]
    air = [{"id": "us_2e_3bg", "steps": 5, "level": 1, "base": "port_moresby"}]
    table = taken(9, naval=ships, air=air)
    fall(table)

    assert {"dd_us1"} == table.state.open.ships.keys()
    assert {} == table.state.open.air


def test_p2_6_places_fall_in_the_fixed_order() -> None:
    ground = [{"id": "jp_ssd", "hex": "port_moresby"}, {"id": "jp_kure5", "hex": "cairns"}]
    naval = [
        {"at": "port_moresby", "side": "AL", "units": ["dd_us1"]},
        {"at": "cairns", "side": "AL", "units": ["dd_us2"]},
    ]
    facts = fall(taken(9, 9, ground=ground, naval=naval))

    assert ["dd_us2", "dd_us1"] == [one[1] for one in rolls(facts)]
