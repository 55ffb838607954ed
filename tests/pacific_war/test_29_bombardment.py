"""P29.3 Bombardment (R-71, R-74, R-84)."""

from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.bombardment import Bombardment
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Busy
from tests.pacific_war.board import again_at, battle, change, dice_left, options, table_at
from tests.pacific_war.clash import ALLIES, JAPAN, act, fleet, hidden, rolls, words

HIEI = fleet("J1", core=["bb_hiei"], at="5722")


def wake(*dice: int, tfs: tuple[dict[str, Any], ...] = (HIEI,), fort: int = 0, **more: Any) -> Table:
    """Return a table on which Japan bombards Wake Island: port 1, airbase 1."""
    kind = {"bases": {"wake": {"fort": fort, "airbase": 1, "port": 1}}} | more
    scene = battle(control={"AL": ["wake"]}, tfs=tfs, **kind)
    return table_at(scene, Bombardment(side=JAPAN), *dice, advantage=JAPAN)


GARRISON = [{"id": "us_wakedb", "hex": "wake"}]
PLANES = [
    {"id": "us_1e_wake", "steps": 2, "level": 1, "base": "wake"},
    {"id": "us_2e_haw", "steps": 3, "level": 1, "base": "wake"},
]


def test_p29_3_one_target_of_ground_units_airbase_port_and_fort() -> None:
    table = wake(fort=1, ground=GARRISON)

    assert [
        d.Bombard("J1", "ground"),
        d.Bombard("J1", "airbase"),
        d.Bombard("J1", "port"),
        d.Bombard("J1", "fort"),
        d.Pass(),
    ] == options(table, JAPAN)


def test_p29_3_only_what_is_there() -> None:
    table = wake(bases={"wake": {"port": 0, "airbase": 1}})

    assert [d.Bombard("J1", "airbase"), d.Pass()] == options(table, JAPAN)


def test_p29_3_enemy_ground_units_in_a_hex_without_an_enemy_location() -> None:
    scene = battle(control={"JP": ["wake"]}, tfs=[HIEI], ground=GARRISON)
    table = table_at(scene, Bombardment(side=JAPAN), 9, advantage=JAPAN)

    assert [d.Bombard("J1", "ground"), d.Pass()] == options(table, JAPAN)
    act(table, JAPAN, d.Bombard("J1", "ground"))
    assert [] == table.state.open.struck


def test_p29_3_nothing_to_bombard_no_question() -> None:
    scene = battle(control={"JP": ["wake"]}, tfs=[HIEI, fleet("J2", "ca_chokai_maya")])
    table = table_at(scene, Bombardment(side=JAPAN), advantage=JAPAN)

    assert {} == table.prompts


@pytest.mark.parametrize("fought", [False, True])
def test_p29_3_not_who_fought_in_this_cycle(fought: bool) -> None:
    table = wake()
    table.record(Busy(("J1",), fought=fought))
    fresh = again_at(table, Bombardment(side=JAPAN))

    assert fought == (options(fresh, JAPAN) == [])


def test_p29_3_each_task_force_once_and_who_passes_is_done() -> None:
    tfs = (HIEI, fleet("J2", "ca_chokai_maya", at="5722"))
    table = wake(9, tfs=tfs, bases={"wake": {"port": 1, "airbase": 0}})
    act(table, JAPAN, d.Bombard("J2", "port"))
    assert [d.Bombard("J1", "port"), d.Pass()] == options(table, JAPAN)
    act(table, JAPAN, d.Pass())

    assert {} == table.prompts


def test_p29_3_a_task_force_without_guns_is_asked_all_the_same_and_can_only_pass() -> None:
    """What it holds is its owner's secret, so that silence would tell."""
    table = wake(tfs=(fleet("J1", core=["aa_jp1"], at="5722"),))

    assert [d.Pass()] == options(table, JAPAN)


@pytest.mark.parametrize(
    ("what", "fort", "column"),
    # Guns 8: column 5; ground -3, airbase and port -1, fort -3; half the fort, rounded up, off.
    [
        ("ground", 0, 2),
        ("airbase", 0, 4),
        ("port", 0, 4),
        ("airbase", 1, 3),
        ("port", 2, 3),
        ("airbase", 3, 2),
        ("fort", 1, 1),
        ("ground", 2, 1),
    ],
)
def test_p29_3_the_shifts(what: Any, fort: int, column: int) -> None:
    table = wake(*[9] * fort, 9, fort=fort, ground=GARRISON)
    facts = act(table, JAPAN, d.Bombard("J1", what))

    assert ("bombardment", "wake", f"column {column}", 9) == rolls(facts)[-1]


def test_p29_3_the_strength_is_the_sum_of_all_guns() -> None:
    # 8 + 6 + 6 // 2 (crippled) = 17, column 7 - 1.
    table = wake(9, tfs=(fleet("J1", "ca_chokai_maya", "ca_atago_takao", core=["bb_hiei"], at="5722"),))
    change(table, JAPAN, {"ca_atago_takao": {"damage": 2}})
    facts = act(table, JAPAN, d.Bombard("J1", "port"))

    assert [("bombardment", "wake", "column 6", 9)] == rolls(facts)


def test_p29_3_each_hit_damages_the_port_up_to_its_size() -> None:
    table = wake(0, bases={"wake": {"port": 2, "airbase": 0}})  # column 4, face 0: 3 hits
    act(table, JAPAN, d.Bombard("J1", "port"))

    assert 2 == table.state.open.bases["wake"].port_damage


def test_p29_3_r_84_each_hit_on_an_airbase_is_a_damage_and_a_parked_step() -> None:
    # Column 4, face 0: 3 hits; damage is capped at 1, the steps are not: of the unit with
    # most, ties by id.
    table = wake(0, air=PLANES)
    facts = act(table, JAPAN, d.Bombard("J1", "airbase"))

    own = table.state.own[ALLIES]
    assert 1 == table.state.open.bases["wake"].airbase_damage
    assert (1, 1) == (own.air["us_1e_wake"].steps, own.air["us_2e_haw"].steps)
    assert [0, 3] == table.state.open.steps_lost
    assert {"us_1e_wake", "us_2e_haw"} == table.state.open.air.keys()
    assert "in a bombardment" in words(facts)


def test_p29_3_r_84_steps_on_patrol_are_not_on_the_ground() -> None:
    table = wake(0, air=[PLANES[0]])
    change(table, ALLIES, {"us_1e_wake": {"cap": 1, "ready": 1}})
    act(table, JAPAN, d.Bombard("J1", "airbase"))

    assert (1, 1) == (
        table.state.own[ALLIES].air["us_1e_wake"].steps,
        table.state.own[ALLIES].air["us_1e_wake"].cap,
    )


@pytest.mark.parametrize(
    ("face", "left"),
    # Two battleships, guns 16, column 7; -3 and half the fort of 2: column 3: 2, 2, 1, 1, 1, 0 ...
    [(0, 1), (2, 2), (5, 2)],
)
def test_p29_3_r_84_every_two_hits_lower_the_fort_and_a_single_one_is_lost(face: int, left: int) -> None:
    table = wake(9, 9, face, tfs=(fleet("J1", core=["bb_hiei", "bb_kirishima"], at="5722"),), fort=2)
    facts = act(table, JAPAN, d.Bombard("J1", "fort"))

    assert ("bombardment", "wake", "column 3", face) == rolls(facts)[-1]
    assert (left, False) == (table.state.open.bases["wake"].fort, table.state.open.bases["wake"].fort_hit)


def test_p29_3_hits_on_ground_units_are_tests_of_quality() -> None:
    # Column 2, face 0: 2 hits. 8 is above 7: Broken; then all are Broken and 8 costs a step.
    table = wake(0, 8, 8, ground=GARRISON)
    facts = act(table, JAPAN, d.Bombard("J1", "ground"))

    assert [
        ("bombardment", "column 2"),
        ("troop quality", "7 or less holds"),
        ("troop quality", "7 or less holds"),
    ] == [(one[0], one[2]) for one in rolls(facts)]
    assert "destroyed" == table.state.open.lost["us_wakedb"]
    assert [] == table.state.open.troops[ALLIES]


def test_p2_2_4_a_unit_broken_by_bombardment_is_deactivated_and_public() -> None:
    table = wake(1, 8, ground=GARRISON)  # column 2, face 1: 1 hit
    act(table, JAPAN, d.Bombard("J1", "ground"))

    unit = table.state.open.ground["us_wakedb"]
    assert (True, False, 1) == (unit.broken, unit.active, unit.steps)


# the fort replies


def test_p29_3_each_level_of_the_fort_replies_first_with_strength_3() -> None:
    table = wake(9, 9, 9, fort=2)
    facts = act(table, JAPAN, d.Bombard("J1", "airbase"))

    assert [
        ("the fort replies", "bb_hiei", "column 3", 9),
        ("the fort replies", "bb_hiei", "column 3", 9),
        ("bombardment", "wake", "column 3", 9),
    ] == rolls(facts)


def test_p29_3_the_reply_is_at_the_ship_with_most_guns_as_they_are_now() -> None:
    """Given two cruisers with guns of 6, when the first is crippled, then the second has most guns."""
    tfs = (fleet("J1", "ca_atago_takao", "ca_chokai_maya", "cl_sendai_yura", at="5722"),)
    # Face 0: 2 hits of 4 cripple Atago; the next level fires at Chokai; then
    # 3 + 6 + 3 = 12, column 6 - 1 - 1.
    table = wake(0, 9, 9, tfs=tfs, fort=2)
    facts = act(table, JAPAN, d.Bombard("J1", "port"))

    assert ["ca_atago_takao", "ca_chokai_maya", "wake"] == [one[1] for one in rolls(facts)]
    assert "column 4" == rolls(facts)[-1][2]


def test_p29_3_a_task_force_that_is_sunk_by_the_reply_does_not_bombard() -> None:
    table = wake(0, fort=2, tfs=(fleet("J1", "cl_tenryu_yubari", at="5722"),))
    change(table, JAPAN, {"cl_tenryu_yubari": {"damage": 1}})
    facts = act(table, JAPAN, d.Bombard("J1", "port"))

    assert ["the fort replies"] == [one[0] for one in rolls(facts)]
    assert "sunk" == table.state.open.lost["cl_tenryu_yubari"]
    assert {} == table.prompts
    assert 0 == dice_left(table)


def test_p29_3_without_a_fort_level_nobody_replies() -> None:
    table = wake(9)
    facts = act(table, JAPAN, d.Bombard("J1", "port"))

    assert ["bombardment"] == [one[0] for one in rolls(facts)]


# what is told


def test_p29_3_p24_3_who_bombards_is_detected_and_cannot_hide() -> None:
    table = wake(9)
    act(table, JAPAN, d.Bombard("J1", "port"))

    force = table.state.open.tfs["J1"]
    assert (True, True, False) == (force.detected, force.busy, force.fought)


def test_p0_4_1_a_base_that_is_bombarded_shows_ships_and_aircraft_and_troops_do_not() -> None:
    table = wake(9, air=PLANES, ground=GARRISON, naval=[{"at": "wake", "side": "AL", "units": ["dd_us1"]}])
    act(table, JAPAN, d.Bombard("J1", "port"))

    board = table.state.open
    assert {"us_1e_wake", "us_2e_haw"} == board.air.keys()
    assert {"bb_hiei", "dd_us1"} == board.ships.keys()
    assert {} == board.ground


def test_p0_4_1_troops_that_are_bombarded_are_shown_and_the_base_is_not() -> None:
    table = wake(9, air=PLANES, ground=GARRISON, naval=[{"at": "wake", "side": "AL", "units": ["dd_us1"]}])
    act(table, JAPAN, d.Bombard("J1", "ground"))

    board = table.state.open
    assert {"us_wakedb"} == board.ground.keys()
    assert {} == board.air
    assert {"bb_hiei"} == board.ships.keys()


def test_p29_3_p0_4_1_ships_in_port_are_shown_only_when_the_port_is_bombarded() -> None:
    """Given a destroyer in port, when the airbase or the fort is bombarded, then it stays hidden."""
    naval = [{"at": "wake", "side": "AL", "units": ["dd_us1"]}]
    shown = {}
    for what in ("airbase", "port", "fort"):
        table = wake(9, 9, fort=1, air=PLANES, naval=naval)
        act(table, JAPAN, d.Bombard("J1", what))
        board = table.state.open
        shown[what] = ("dd_us1" in board.ships, "us_2e_haw" in board.air, board.struck)

    assert (False, True, ["wake"]) == shown["airbase"]
    assert (True, True, ["wake"]) == shown["port"]
    assert (False, False, []) == shown["fort"]


def test_p5_2_f_p29_3_the_player_chooses_the_order_of_his_task_forces() -> None:
    """Given fleets off Wake and off Midway, then both are offered, and the one off Wake may be the second."""
    tfs = [fleet("J1", core=["bb_hiei"], at="5722"), fleet("J2", core=["bb_kongo"], at="6617")]
    scene = battle(control={"AL": ["wake", "midway"]}, tfs=tfs)
    table = table_at(scene, Bombardment(side=JAPAN), 9, 9, 9, advantage=JAPAN)
    assert ["J1", "J2"] == list(dict.fromkeys(one.tf for one in options(table, JAPAN)[:-1]))  # type: ignore[attr-defined]
    act(table, JAPAN, d.Bombard("J2", "airbase"))

    assert {"J1"} == {one.tf for one in options(table, JAPAN)[:-1]}  # type: ignore[attr-defined]
    act(table, JAPAN, d.Bombard("J1", "airbase"))
    assert {} == table.prompts


def test_p5_2_f_to_pass_is_the_same_for_others_whatever_is_aboard() -> None:
    strong = wake()
    weak = wake(tfs=(fleet("J1", core=["aa_jp1"], at="5722"),))

    assert hidden(act(strong, JAPAN, d.Pass())) == hidden(act(weak, JAPAN, d.Pass()))
