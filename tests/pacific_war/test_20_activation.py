"""P20 Activation: who can be activated, for how much, what is done in port, what is told."""

from typing import Any

import pytest

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.facts import Decided, Paused
from domain.kernel.table import Illegal, NotOneCommand, Table
from domain.match.views import Views
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.charts import AIR, GROUND, MARKERS, SHIPS
from domain.pacific_war.board.table import Air, Contents, Fleet, Ground, Open, Own, Ship, TaskForce
from domain.pacific_war.command.costs import level, price
from domain.pacific_war.decisions import choices as c
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import MarkerPlaced, MarkerRemoved, Shown, There
from domain.pacific_war.facts.intelligence import detect, show_port
from domain.pacific_war.facts.months import OperationIs
from domain.pacific_war.facts.secrets import OwnUnits
from domain.pacific_war.operations.activation import Activation
from tests.pacific_war.board import kinds, options, sealed_facts, take, told
from tests.pacific_war.operations import (
    ALLIES,
    CF,
    GONE,
    JAPAN,
    SEA,
    SOPAC,
    SWPA,
    activatable,
    activate,
    activating,
    afloat,
    laid_out,
    lead,
    led,
    means,
    offered,
    on,
    seen,
    sound,
)

SUVA, NOUMEA = "6545", "5747"
"""The nodes of these ports."""


# P20.1 costs


def own_with(unit: str, *, isolated: bool = False) -> Own:
    """Return a screen with one unit."""
    if unit in SHIPS:
        return Own(ships={unit: Ship(port="suva", isolated=isolated)})
    if unit in AIR:
        return Own(air={unit: Air("suva", 1, isolated=isolated)})
    return Own(ground={unit: Ground(SUVA, steps=1, isolated=isolated)})


SHIP_COSTS = {"CV": 3, "CVL": 2, "CVE": 2, "BB": 2, "BC": 2, "CA": 1, "CL": 1, "DD": 1, "AA": 1, "CVS": 1}


@pytest.mark.parametrize(("cls", "cost"), SHIP_COSTS.items())
def test_p20_1_p20_2_3_b_a_ship_costs_by_its_class(cls: str, cost: int) -> None:
    ships = [ship for ship, unit in SHIPS.items() if unit.cls == cls]

    assert {cost} == {price(Open(), own_with(ship), ship) for ship in ships}


@pytest.mark.parametrize(
    ("unit", "cost"),
    [
        ("us_1e_67fs", 1),
        ("us_2e_3bg", 1),
        ("us_4e_11bg", 2),
        ("us_lra_sopac", 1),
        ("us_tr_1", 1),
        ("us_1mardiv", 3),
        ("us_2mar", 1),
        ("us_raider", 1),
    ],
)
def test_p20_1_air_and_ground_units(unit: str, cost: int) -> None:
    assert cost == price(Open(), own_with(unit), unit)


@pytest.mark.parametrize(
    ("unit", "cost"), [("cv_saratoga", 6), ("us_4e_11bg", 4), ("us_1mardiv", 6), ("us_2mar", 2)]
)
def test_p20_1_p12_4_the_cost_is_doubled_while_isolated(unit: str, cost: int) -> None:
    assert cost == price(Open(), own_with(unit, isolated=True), unit)


def test_r_114_p20_1_a_unit_without_a_marker_costs_as_usual_beside_one_that_has_it() -> None:
    there = {unit: Ground(SUVA, steps=1, isolated=unit == "us_2mar") for unit in ("us_2mar", "us_raider")}

    assert {"us_2mar": 2, "us_raider": 1} == {unit: price(Open(), Own(ground=there), unit) for unit in there}


def test_p20_1_a_carrier_air_group_is_free_with_its_carrier() -> None:
    table = activating()
    activate(table, ALLIES, "cv_saratoga")

    assert 27 == means(table, ALLIES).points[SOPAC]
    group = table.state.own[ALLIES].air["cvg_saratoga"]
    assert (True, 6) == (group.active, group.ready)
    sound(table)


# P20.2.1 who is eligible


def test_p20_2_1_inactive_units_with_a_link_of_the_nations_of_the_headquarters() -> None:
    table = activating()
    found = activatable(table, ALLIES)

    assert {"cv_saratoga", "ca_cw1", "us_1e_67fs", "cw_2e_nz", "us_1mardiv", "au_7div"} <= found
    assert not [unit for unit in found if unit.startswith(("jp", "jn", "cvg"))]


def test_p20_2_1_not_what_is_activated_already() -> None:
    table = activating()
    activate(table, ALLIES, "us_1e_67fs", "us_2mar", "dd_us1")

    assert not {"us_1e_67fs", "us_2mar", "dd_us1"} & activatable(table, ALLIES)


def test_p20_2_1_not_without_a_link_to_the_headquarters_that_pays() -> None:
    """Given Japan's Southeast Area, which has no link to Funafuti, where a unit of its stands."""
    table = activating(side=JAPAN, lead=led(10, JAPAN, SEA), units={"jp_kure5": {"at": "funafuti"}})

    found = activatable(table, JAPAN)
    assert "jp_kure5" not in found
    assert "jp_41reg" in found


def test_p20_2_1_p12_4_an_isolated_ship_without_a_link_at_double_cost() -> None:
    lonely = {
        ship: {"port": "funafuti", "isolated": ship == "ca_chokai_maya"}
        for ship in ("dd_jp29", "ca_chokai_maya")
    }
    bases = {"funafuti": {"control": JAPAN, "port": 1}}
    table = activating(side=JAPAN, lead=led(10, JAPAN, SEA), units=lonely, bases=bases)
    assert "dd_jp29" not in activatable(table, JAPAN)
    activate(table, JAPAN, "ca_chokai_maya")

    assert 20 == means(table, JAPAN).points[SEA]


@pytest.mark.parametrize(("unit", "home"), [("jp_kure5", "at"), ("jn_2e_25af", "home")])
def test_p20_2_1_p12_4_no_isolated_air_or_ground_unit_without_a_link(unit: str, home: str) -> None:
    units = {unit: {home: "funafuti", "isolated": True}}
    bases = {"funafuti": {"control": JAPAN, "airbase": 1}}
    table = activating(side=JAPAN, lead=led(10, JAPAN, SEA), units=units, bases=bases)

    assert unit not in activatable(table, JAPAN)


def test_p20_2_1_ground_units_must_be_unbroken() -> None:
    table = activating(units={"us_2mar": {"broken": True}})

    assert "us_2mar" not in activatable(table, ALLIES)


def test_p20_2_1_ground_units_in_an_enemy_occupied_hex_too() -> None:
    table = activating(units={"jp_kure5": {"at": "milne_bay"}})

    assert {"au_7bde", "au_eng"} <= activatable(table, ALLIES)
    activate(table, ALLIES, "au_7bde")
    sound(table)


@pytest.mark.parametrize(("damage", "may"), [(1, True), (2, False)])
def test_p20_2_1_air_units_on_an_airbase_that_is_not_interdicted(damage: int, may: bool) -> None:
    table = activating(bases={"noumea": {"airbase_damage": damage}})

    assert may == ("us_1e_67fs" in activatable(table, ALLIES))


def test_p20_2_1_p2_3_2_air_units_above_the_capacity_too_since_they_may_ferry() -> None:
    """Given an airbase that was demolished to size 1, for 2 units, with 3 on it."""
    crowd = {unit: {"home": "noumea"} for unit in ("us_1e_35fg", "us_1e_49fg")}
    table = activating(bases={"noumea": {"airbase": 1}}, units=crowd)

    assert {"us_1e_35fg", "us_1e_49fg", "us_1e_67fs"} <= activatable(table, ALLIES)


def test_p20_2_1_r_91_a_carrier_group_is_not_activated_apart() -> None:
    table = activating()

    assert "cvg_saratoga" not in activatable(table, ALLIES)


def test_p20_2_1_a_carrier_group_on_an_airbase_is() -> None:
    table = activating(units={"cvg_saratoga": {"home": "suva"}})

    assert "cvg_saratoga" in activatable(table, ALLIES)


def test_p20_2_1_not_from_the_penalty_box() -> None:
    table = activating(
        units={"cv_saratoga": {"port": ""}}, means={ALLIES: {"penalty": {"cv_saratoga": "1942-11"}}}
    )

    assert "cv_saratoga" not in activatable(table, ALLIES)


@pytest.mark.parametrize(("day", "may"), [(14, False), (15, True)])
def test_c1_4_p14_1_not_before_its_day(day: int, may: bool) -> None:
    table = activating(day=day, means={ALLIES: {"barred": {"us_1e_67fs": 15}}})

    assert may == ("us_1e_67fs" in activatable(table, ALLIES))


@pytest.mark.parametrize(
    ("bid", "points", "may"), [(3, 30, True), (2, 30, False), (18, 3, True), (18, 2, False)]
)
def test_p20_2_1_the_cost_must_fit_the_limit_and_the_points(bid: int, points: int, may: bool) -> None:
    table = activating(lead=led(bid), points={SOPAC: points, SWPA: 40})

    found = activatable(table, ALLIES)
    assert may == ("cv_saratoga" in found)
    assert "ca_us1" in found


def test_p20_2_1_p20_2_5_with_the_operation_cost_where_it_falls_due() -> None:
    """Given 10 AP spent and 4 points left: no unit of 1 AP, since 4 more would be due."""
    ten = ["cv_saratoga", "cv_enterprise", "cv_wasp", "ca_us1"]
    table = activating(lead=led(14))
    activate(table, ALLIES, *ten)
    assert set() == activatable(table, ALLIES)

    table = activating(lead=led(15))
    activate(table, ALLIES, *ten)
    assert {"ca_us2", "us_1e_67fs"} <= activatable(table, ALLIES)
    assert not {"bb_north_carolina", "us_4e_11bg"} & activatable(table, ALLIES)


# P20.2.1, P20.2.2, P20.2.3 task forces


def marked(table: Table, count: int, node: str = "6040") -> None:
    """Place so many empty Allied markers at sea."""
    for n in range(1, count + 1):
        table.record(MarkerPlaced(f"A{n}", TaskForce(ALLIES, node)))
        table.record(OwnUnits(ALLIES, {f"A{n}": Fleet()}))


def test_p20_2_1_ships_only_while_a_marker_is_free() -> None:
    for count, free in ((MARKERS[ALLIES] - 1, True), (MARKERS[ALLIES], False)):
        table = laid_out(operation=led())
        marked(table, count)
        found = activatable(on(table, Activation(side=ALLIES, kind="operation")), ALLIES)
        assert free == ("ca_us1" in found)
        assert "us_1e_67fs" in found


def test_p20_2_1_or_a_task_force_of_their_port_has_room_in_their_slot() -> None:
    """Given all markers at sea but for one at Suva with a full screen."""
    table = laid_out(operation=led())
    marked(table, MARKERS[ALLIES] - 1)
    afloat(table, "A16", SUVA, "ca_us1", "ca_us2", "ca_us5", "ca_us6")
    table = on(table, Activation(side=ALLIES, kind="operation"))
    found = activatable(table, ALLIES)

    assert {"cv_saratoga", "aa_us1", "bb_north_carolina"} <= found
    assert not {"dd_us1", "ca_us7", "cl_us7"} & found
    assert "aa_us6" not in found  # at Noumea
    take(table, ALLIES, c.Activate("bb_north_carolina"))
    assert ("bb_north_carolina",) == table.state.own[ALLIES].fleets["A16"].ships.core


@pytest.mark.parametrize(
    ("ship", "slots"),
    [
        ("dd_us1", ["screen"]),
        ("ca_us1", ["screen"]),
        ("cl_us7", ["screen"]),
        ("aa_us1", ["core"]),
        ("bb_north_carolina", ["core", "screen"]),
        ("cv_saratoga", ["core", "screen"]),
    ],
)
def test_p20_2_2_p2_2_2_a_new_task_force_takes_a_ship_in_its_slot(ship: str, slots: list[d.Slot]) -> None:
    table = activating()
    take(table, ALLIES, c.Activate(ship))

    if len(slots) == 1:  # the only choice is made
        assert (ship,) == getattr(table.state.own[ALLIES].fleets["A1"].ships, slots[0])
    else:
        assert [*map(c.FormTF, slots)] == options(table, ALLIES)


def test_p20_2_2_r_56_a_ship_joins_a_task_force_of_its_port_or_forms_another() -> None:
    table = activating()
    activate(table, ALLIES, "dd_us1")
    take(table, ALLIES, c.Activate("ca_us1"))

    assert [c.AssignToTF("A1", "screen"), c.FormTF("screen")] == options(table, ALLIES)
    take(table, ALLIES, c.FormTF("screen"))
    assert ("A2", "") == (
        table.state.own[ALLIES].ships["ca_us1"].tf,
        table.state.own[ALLIES].ships["ca_us1"].port,
    )
    sound(table)


def test_p20_2_2_not_one_of_another_port_nor_a_full_one() -> None:
    table = activating(units={ship: {"port": "noumea"} for ship in ("dd_us2", "dd_us4", "dd_us5", "dd_us7")})
    activate(table, ALLIES, "dd_us1", "dd_us15")
    assert {SUVA, NOUMEA} == {force.node for force in table.state.open.tfs.values()}
    activate(table, ALLIES, "dd_us2", "dd_us4", "dd_us5")
    assert 4 == len(table.state.own[ALLIES].fleets["A2"].ships.screen)
    take(table, ALLIES, c.Activate("dd_us7"))

    assert "A3" == table.state.own[ALLIES].ships["dd_us7"].tf


def test_p20_2_3_a_a_ship_at_sea_is_not_activated() -> None:
    table = laid_out(operation=led())
    afloat(table, "A1", "6040", "dd_us1")

    assert "dd_us1" not in activatable(on(table, Activation(side=ALLIES, kind="operation")), ALLIES)


def test_p20_2_3_c_r_65_a_crippled_ship_may_be_activated() -> None:
    table = activating(units={"ca_us1": {"damage": 3}})

    assert "ca_us1" in activatable(table, ALLIES)


def test_p20_2_3_e_a_task_force_leaves_from_the_coast_of_its_port() -> None:
    table = activating(units={"dd_us15": {"port": "milne_bay"}})
    activate(table, ALLIES, "dd_us15")

    assert "4740a" == table.state.open.tfs["A1"].node


# P20.2.2 PayFrom


def test_p20_2_2_the_operation_player_is_not_asked_who_pays() -> None:
    assert [] == offered(activating(), ALLIES, c.PayFrom)


def reacting(
    ap: int = 12,
    condition: str = "A",
    *,
    level: int = 2,
    kind: str = "reaction",
    lead: Any = None,
    **changes: Any,
) -> Table:
    """Return a table at Japan's activation against an Operation of so many AP."""
    operation = lead or led(30, ap=ap, spent=ap, level=level, condition=condition)
    return activating(
        side=JAPAN,
        kind=kind,
        lead=operation,
        **{"means": {JAPAN: {"condition": condition}}} | changes,
    )


def test_p20_2_2_the_reaction_player_names_who_pays_once_before_he_activates() -> None:
    table = reacting()
    assert [c.PayFrom(CF), c.PayFrom(SEA), d.Done()] == options(table, JAPAN)
    take(table, JAPAN, c.PayFrom(SEA))

    assert [] == offered(table, JAPAN, c.PayFrom)
    assert "jp_41reg" in activatable(table, JAPAN)
    activate(table, JAPAN, "jp_41reg")
    assert {CF: 20, SEA: 21} == means(table, JAPAN).points


def test_p20_2_2_a_headquarters_with_points_and_an_eligible_unit() -> None:
    assert [c.PayFrom(SEA), d.Done()] == options(reacting(points={SEA: 5}), JAPAN)
    # Surprise at Level 1: what is near pays from the one that commands it.
    nobody = dict.fromkeys(("jp_ichiki", "jp_51gd"), GONE)
    assert c.PayFrom(CF) in options(reacting(units=nobody), JAPAN)


def test_p22_1_r_58_at_level_3_it_may_be_changed_once() -> None:
    table = reacting(30, level=3)
    take(table, JAPAN, c.PayFrom(SEA))
    activate(table, JAPAN, "jp_41reg")
    assert [c.PayFrom(CF)] == offered(table, JAPAN, c.PayFrom)
    take(table, JAPAN, c.PayFrom(CF))
    activate(table, JAPAN, "jp_kure5")

    assert [] == offered(table, JAPAN, c.PayFrom)
    assert {CF: 19, SEA: 21} == means(table, JAPAN).points
    assert {SEA: 1, CF: 1} == means(table, JAPAN).used


# P20.2.2 Embark


def aboard(table: Table, unit: str) -> dict[str, int]:
    """Return the ships that carry a ground unit, and its steps on each."""
    loaded: dict[str, int] = next(own for own in table.state.own if unit in own.ground).ground[unit].aboard
    return loaded


def test_p20_2_2_r_10_troops_go_aboard_task_forces_of_their_port_and_fill_the_ships_by_id() -> None:
    table = activating()
    activate(table, ALLIES, "dd_us1", "aa_us2", "aa_us1", "us_2mar")
    assert [d.Embark("us_2mar")] == offered(table, ALLIES, d.Embark)
    take(table, ALLIES, d.Embark("us_2mar"))
    assert [d.Aboard("A1"), d.Aboard("aa_us1"), d.Aboard("aa_us2")] == options(table, ALLIES)
    take(table, ALLIES, d.Aboard("A1"))

    assert {"aa_us1": 3} == aboard(table, "us_2mar")
    sound(table)


def test_p20_2_2_all_steps_must_fit() -> None:
    table = activating(lead=led(40), points={SOPAC: 40})
    activate(table, ALLIES, "aa_us1", "aa_us2", "aa_us3", "us_1mardiv")  # 9 of 10 steps
    assert [] == offered(table, ALLIES, d.Embark)
    activate(table, ALLIES, "aa_us4")

    assert [d.Embark("us_1mardiv")] == offered(table, ALLIES, d.Embark)
    take(table, ALLIES, d.Embark("us_1mardiv"))
    assert {"aa_us1": 3, "aa_us2": 3, "aa_us3": 3, "aa_us4": 1} == aboard(table, "us_1mardiv")


def test_p20_2_2_destroyers_lift_regiments_brigades_and_battalions_alone() -> None:
    """Given destroyers with lift for 2 steps of a battalion, or for the last 2 of a division."""
    table = activating(units={"us_37div": {"steps": 2}}, lead=led(40), points={SOPAC: 40})
    activate(table, ALLIES, "dd_us1", "dd_us2", "us_raider", "us_37div")
    assert ("B", "D") == (GROUND["us_raider"].size, GROUND["us_37div"].size)

    assert [d.Embark("us_raider")] == offered(table, ALLIES, d.Embark)
    take(table, ALLIES, d.Embark("us_raider"))
    assert {"dd_us1": 1, "dd_us2": 1} == aboard(table, "us_raider")


def test_p20_2_2_a_division_fills_no_destroyer_beside_transports() -> None:
    table = activating(units={"us_37div": {"steps": 4}})
    activate(table, ALLIES, "dd_us1", "aa_us1", "us_37div")

    assert [] == offered(table, ALLIES, d.Embark)


def test_p20_2_2_only_activated_troops_in_the_same_port() -> None:
    table = activating()
    activate(table, ALLIES, "aa_us1", "us_147")

    assert [] == offered(table, ALLIES, d.Embark)


def test_p20_2_2_embarking_in_port_costs_no_allowance() -> None:
    """Given five transports of speed S, whose allowance is 3, and four units that go aboard."""
    troops = ["us_2mar", "us_raider", "us_147", "us_cb2"]
    units: dict[str, dict[str, Any]] = {unit: {"at": "suva"} for unit in troops}
    table = activating(units=units, lead=led(40), points={SOPAC: 40})
    activate(table, ALLIES, "aa_us1", "aa_us2", "aa_us3", "aa_us4", *troops)
    for unit in troops:
        take(table, ALLIES, d.Embark(unit))
        take(table, ALLIES, d.Aboard("A1"))

    assert 0 == table.state.own[ALLIES].fleets["A1"].used
    assert all(aboard(table, unit) for unit in troops)


def test_p20_2_2_p20_4_in_the_joint_phase_too_after_a_task_force_has_used_its_allowance() -> None:
    table = laid_out(operation=led(20), units={"us_2mar": {"active": True}})
    afloat(table, "A1", SUVA, core=["aa_us1"])
    table.record(OwnUnits(ALLIES, {"A1": Fleet(Contents(("aa_us1",)), used=3)}))
    table = on(table, Activation(side=ALLIES, kind="joint"))

    assert [d.Embark("us_2mar")] == offered(table, ALLIES, d.Embark)


def test_p20_2_2_p0_4_1_troops_that_go_aboard_a_detected_task_force_are_seen() -> None:
    table = laid_out(operation=led(20), units={"us_raider": {"active": True}})
    afloat(table, "A1", SUVA, "dd_us1", "dd_us2")
    detect(table, "A1", "for the test", "24.4")
    table = on(table, Activation(side=ALLIES, kind="joint"))
    assert d.Embark("us_raider") not in table.quiet(ALLIES)  # the one way to go aboard is taken at once
    take(table, ALLIES, d.Embark("us_raider"))

    assert {"dd_us1": 1, "dd_us2": 1} == aboard(table, "us_raider")
    assert "us_raider" in table.state.open.ground
    sound(table)


# P20.2.2 UndoActivation


def test_p20_2_2_an_activation_is_taken_back_each_unit_once() -> None:
    table = activating()
    activate(table, ALLIES, "us_1e_67fs", "us_2mar")
    take(table, ALLIES, c.UndoActivation("us_1e_67fs"))
    assert 29 == means(table, ALLIES).points[SOPAC]
    assert not table.state.own[ALLIES].air["us_1e_67fs"].active
    assert [c.UndoActivation("us_2mar")] == offered(table, ALLIES, c.UndoActivation)
    activate(table, ALLIES, "us_1e_67fs")

    assert [c.UndoActivation("us_2mar")] == offered(table, ALLIES, c.UndoActivation)
    assert 28 == means(table, ALLIES).points[SOPAC]


def test_p20_2_2_a_ship_leaves_its_task_force_again_with_her_group() -> None:
    table = activating()
    activate(table, ALLIES, "cv_saratoga")
    facts = take(table, ALLIES, c.UndoActivation("cv_saratoga"))

    ship, group = table.state.own[ALLIES].ships["cv_saratoga"], table.state.own[ALLIES].air["cvg_saratoga"]
    assert ("", "suva", False, False) == (ship.tf, ship.port, ship.active, group.active)
    assert ["A1"] == [fact.tf for fact in told(facts, MarkerRemoved)]
    assert 30 == means(table, ALLIES).points[SOPAC]
    sound(table)


def test_p20_2_2_a_ship_with_cargo_does_not() -> None:
    table = activating()
    activate(table, ALLIES, "aa_us1", "dd_us1", "us_2mar")
    take(table, ALLIES, d.Embark("us_2mar"))
    take(table, ALLIES, d.Aboard("aa_us1"))

    undo = offered(table, ALLIES, c.UndoActivation)
    assert [c.UndoActivation("dd_us1"), c.UndoActivation("us_2mar")] == undo


def test_p20_2_2_troops_leave_their_ship_again() -> None:
    table = activating()
    activate(table, ALLIES, "aa_us1", "us_2mar")
    take(table, ALLIES, d.Embark("us_2mar"))
    take(table, ALLIES, d.Aboard("aa_us1"))
    take(table, ALLIES, c.UndoActivation("us_2mar"))

    unit = table.state.own[ALLIES].ground["us_2mar"]
    assert (SUVA, {}, False) == (unit.hex, unit.aboard, unit.active)
    assert 29 == means(table, ALLIES).points[SOPAC]
    assert c.UndoActivation("aa_us1") in options(table, ALLIES)
    sound(table)


def test_p20_2_2_p0_4_1_troops_back_ashore_beside_the_enemy_are_seen() -> None:
    units = {"jp_kure5": {"at": "milne_bay"}, "aa_us6": {"port": "milne_bay"}}
    table = activating(units=units)
    activate(table, ALLIES, "aa_us6", "au_eng")
    take(table, ALLIES, d.Embark("au_eng"))
    take(table, ALLIES, d.Aboard("aa_us6"))
    assert "au_eng" not in table.state.open.ground
    take(table, ALLIES, c.UndoActivation("au_eng"))

    assert "au_eng" in table.state.open.ground
    sound(table)


def test_p20_2_2_only_what_was_chosen_in_this_window() -> None:
    table = laid_out(operation=led(20, ap=1, spent=1), units={"us_2mar": {"active": True}})
    table = on(table, Activation(side=ALLIES, kind="joint"))

    assert [] == offered(table, ALLIES, c.UndoActivation)


# P20.2.2 the window


def test_p20_2_2_p40_the_list_is_in_the_order_of_the_catalogue() -> None:
    table = activating()
    activate(table, ALLIES, "aa_us1", "us_2mar")
    order = [c.Activate, c.UndoActivation, d.Embark, c.TimeMultiple, d.Done]
    found = [order.index(type(one)) for one in options(table, ALLIES)]

    assert sorted(found) == found
    assert {*range(5)} == {*found}


def test_p20_2_2_done_needs_a_unit_and_forfeit_none_r_57() -> None:
    table = activating()
    assert "Forfeit" in kinds(table, ALLIES)
    assert not {"Done", "TimeMultiple"} & kinds(table, ALLIES)
    activate(table, ALLIES, "us_2mar")
    assert "Forfeit" not in kinds(table, ALLIES)
    assert {"Done", "TimeMultiple"} <= kinds(table, ALLIES)
    take(table, ALLIES, c.UndoActivation("us_2mar"))

    assert "Forfeit" in kinds(table, ALLIES)
    assert not {"Done", "TimeMultiple"} & kinds(table, ALLIES)


@pytest.mark.parametrize("kind", ["reaction", "joint"])
def test_p22_1_p20_2_5_the_reaction_player_takes_no_time_and_may_be_done_with_nothing(kind: str) -> None:
    table = reacting(kind=kind)
    take(table, JAPAN, c.PayFrom(SEA))
    assert not {"TimeMultiple", "Forfeit"} & kinds(table, JAPAN)
    facts = take(table, JAPAN, d.Done())

    assert {} == table.prompts
    assert [] == told(facts, OperationIs)


def test_p20_2_2_one_command_may_activate_many() -> None:
    table = activating()
    take(table, ALLIES, c.Activate("us_2mar"), c.Activate("us_1e_67fs"), c.UndoActivation("us_2mar"))

    assert {"us_1e_67fs"} == {u for u, air in table.state.own[ALLIES].air.items() if air.active}


def test_p20_2_2_a_command_goes_no_further_than_a_detected_task_force() -> None:
    """Given one marker left, whose task force is Detected: who joins it is shown."""
    table = laid_out(operation=led())
    marked(table, MARKERS[ALLIES] - 1)
    afloat(table, "A16", SUVA, "ca_us1")
    detect(table, "A16", "for the test", "24.4")
    table = on(table, Activation(side=ALLIES, kind="joint"))
    assert c.Activate("dd_us1") not in table.quiet(ALLIES)
    with pytest.raises(NotOneCommand):
        take(table, ALLIES, c.Activate("dd_us1"), d.Done())
    facts = take(table, ALLIES, c.Activate("dd_us1"))

    assert "dd_us1" in {ship for fact in told(facts, Shown) for ship in fact.ships}


def test_p20_2_2_p0_4_r_124_who_may_have_points_is_asked_until_he_is_done() -> None:
    """Given one point left of a bid, then whether anybody can be activated for it is not told."""
    table = activating(kind="joint", lead=led(17, ap=12, spent=16, level=2), means=CHARGED)
    again = c.Activate("us_2mar"), c.UndoActivation("us_2mar"), c.Activate("us_2mar")
    take(table, ALLIES, *again)
    assert [d.Done()] == options(table, ALLIES)
    assert "You can activate nobody more: say that you are done." == table.prompts[ALLIES].text
    take(table, ALLIES, d.Done())

    assert {} == table.prompts
    assert (13, 17) == (lead(table).ap, lead(table).spent)


@pytest.mark.parametrize("kind", ["reaction", "joint"])
def test_p22_1_p20_4_r_124_who_answers_is_asked_without_points(kind: str) -> None:
    table = reacting(kind=kind, points={SOPAC: 5})

    assert {JAPAN: [d.Done()]} == {side: [*prompt.options] for side, prompt in table.prompts.items()}


def test_p20_4_r_124_who_has_spent_his_bid_is_not_asked() -> None:
    assert {} == activating(kind="joint", lead=led(17, ap=12, spent=17, level=2), means=CHARGED).prompts


def test_p20_4_r_124_r_37_who_has_spent_what_may_answer_is_not_asked() -> None:
    def answering(answered: int) -> Table:
        return reacting(kind="joint", lead=led(30, ap=12, spent=12, level=2, answered=answered))

    assert {JAPAN} == answering(17).prompts.keys()
    assert {} == answering(18).prompts


CHARGED: dict[int, dict[str, Any]] = {ALLIES: {"used": {SOPAC: 12}, "charged": (SOPAC,)}}
"""What the Allies have paid in an Operation of 12 points."""


# P20.2.4, P0.4 what is told


def test_p20_2_4_the_sum_is_told_at_the_end_and_no_unit() -> None:
    table = activating()
    activate(table, ALLIES, "us_4e_11bg", "us_2mar", "us_1e_67fs")
    facts = take(table, ALLIES, d.Done())

    for one in (Audience.SIDE_0, Audience.ONLOOKERS):
        (fact,) = seen(facts, one)
        assert isinstance(fact, OperationIs)
        assert (4, 4, 0, 1) == (
            lead(table).ap,
            lead(table).spent,
            lead(table).multiples,
            lead(table).level,
        )
        assert "4 Activation Points" in fact.words()


def test_p20_2_4_p0_4_1_of_air_and_ground_units_nothing_is_told() -> None:
    table = activating()
    facts = activate(table, ALLIES, "us_4e_11bg", "us_2mar")

    assert [] == seen(facts, Audience.SIDE_0)
    assert [] == seen(facts, Audience.ONLOOKERS)


def test_p20_2_4_p0_4_1_of_ships_the_marker_and_that_none_are_left_in_port() -> None:
    table = activating(units={"aa_us6": {"port": "suva"}, "cvs_us3": {"port": "suva"}})
    first = seen(activate(table, ALLIES, "dd_us15"), Audience.SIDE_0)

    assert [
        MarkerPlaced("A1", TaskForce(ALLIES, NOUMEA)),
        There("ports", ALLIES, "noumea", there=False),
    ] == first
    assert {} == table.state.open.contents


def test_p20_2_4_p0_2_2_what_a_ship_is_changes_neither_what_is_told_nor_how_much_is_sealed() -> None:
    """Given a carrier with her group or a battleship that join a task force."""
    streams = []
    for ship in ("cv_saratoga", "bb_north_carolina"):
        table = activating()
        activate(table, ALLIES, "dd_us1")
        facts = activate(table, ALLIES, ship)
        streams.append(
            ([seen(facts, one) for one in VIEWERS if one is not Audience.SIDE_1], sealed_facts(facts))
        )

    assert streams[0] == streams[1]


@pytest.mark.parametrize(
    "pair",
    [
        (("us_2mar",), ("us_raider",)),
        (("us_1e_67fs",), ("us_2mar",)),
        (("us_4e_11bg",), ("bb_north_carolina",)),
        (("cv_saratoga",), ("cv_wasp",)),
    ],
)
def test_p20_2_4_p0_4_others_see_the_same_table_whatever_was_activated(
    pair: tuple[tuple[str, ...], tuple[str, ...]],
) -> None:
    """Given a task force at Suva and units of the same cost, then what the others are shown is the same."""
    shown = []
    for units in pair:
        table = activating()
        activate(table, ALLIES, "dd_us1", *units)
        made = [Views(PACIFIC_WAR).of(table.state)]
        take(table, ALLIES, d.Done())
        made.append(Views(PACIFIC_WAR).of(table.state))
        shown.append([view[one] for view in made for one in (Audience.SIDE_0, Audience.ONLOOKERS)])

    assert shown[0] == shown[1]


def test_p20_2_4_nor_does_it_whether_a_unit_is_dear() -> None:
    """Given 10 AP of the headquarters: the unit that lets its cost fall due, or one that costs 1 more."""
    counts = []
    for before in ([], ["cv_saratoga", "cv_enterprise", "cv_wasp", "ca_us1"]):
        table = activating()
        activate(table, ALLIES, *before)
        counts.append(sealed_facts(activate(table, ALLIES, "us_2mar")))

    assert counts[0] == counts[1]


def test_p20_2_4_who_pays_for_a_reaction_is_not_told() -> None:
    table = reacting()
    facts = take(table, JAPAN, c.PayFrom(SEA))
    facts += activate(table, JAPAN, "jp_41reg")
    assert [] == seen(facts, Audience.SIDE_1)
    assert {Decided, Paused} < {type(fact) for fact in facts}
    facts = take(table, JAPAN, d.Done())

    assert [1] == [fact.operation.answered for fact in seen(facts, Audience.SIDE_1)]  # type: ignore[attr-defined]


def test_p20_2_4_p0_4_1_a_carrier_that_was_seen_in_port_is_hidden_at_sea_with_her_group() -> None:
    table = laid_out(operation=led())
    show_port(table, "suva", ALLIES)
    table.record(Shown(air={"cvg_saratoga": Air("cv_saratoga", 6, 1)}))
    table = on(table, Activation(side=ALLIES, kind="joint"))
    activate(table, ALLIES, "cv_saratoga")

    assert "cv_saratoga" not in table.state.open.ships
    assert "cvg_saratoga" not in table.state.open.air
    sound(table)


# the window is the same table when it is restored


def test_p20_2_the_procedure_can_be_restored_at_any_prompt() -> None:
    table = activating()
    activate(table, ALLIES, "dd_us1", "aa_us1", "us_2mar")
    take(table, ALLIES, c.Activate("cv_saratoga"))
    again = Table(PACIFIC_WAR, PACIFIC_WAR.restore(PACIFIC_WAR.encode(table.state)), table.dice)

    assert table.prompts == again.prompts


def test_p20_2_2_nothing_else_is_legal() -> None:
    table = activating()

    for decision in (d.Done(), c.TimeMultiple(0), c.Activate("jp_41reg"), c.UndoActivation("us_2mar")):
        with pytest.raises(Illegal):
            take(table, ALLIES, decision)


def test_p20_3_the_level_goes_by_the_activation_points() -> None:
    assert [1, 1, 2, 2, 3, 3] == [level(ap) for ap in (1, 10, 11, 25, 26, 60)]
