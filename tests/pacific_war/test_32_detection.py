"""P32 Deactivation, detection removal, the day marker."""

from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.deactivation import Deactivation, remove_detection
from domain.pacific_war.battle.retreat import Retreat
from domain.pacific_war.battle.sequence import BattleCycle
from domain.pacific_war.board.table import Air, Ground, Ship
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Busy, Covered, PhaseBegan, UnitLost
from tests.pacific_war.board import again_at, battle, change, options, table_at, told
from tests.pacific_war.clash import ALLIES, JAPAN, SEA, act, check, fleet, hidden, words

CARRIERS = [fleet("J1", "dd_jp11", core=["cvl_shoho"], at="4837")]
SHOHO = {"id": "cvg_shoho", "steps": 2, "level": 1}


def standing(tfs: list[dict[str, Any]] | None = None, **more: Any) -> Table:
    """Return a table on which Japan may deactivate units; Rabaul, port 3, is Japanese."""
    kind = {"air": [SHOHO], "control": {"JP": ["rabaul", "lae"], "AL": ["port_moresby"]}} | more
    scene = battle("B1", tfs=tfs if tfs is not None else CARRIERS, **kind)
    return table_at(scene, Deactivation(side=JAPAN), advantage=JAPAN)


def test_p32_1_units_and_whole_task_forces_until_done() -> None:
    table = standing(
        air=[SHOHO, {"id": "jn_2e_25af", "steps": 2, "level": 1, "base": "rabaul"}],
        ground=[{"id": "jp_ssd", "hex": "lae"}, {"id": "us_24div", "hex": "port_moresby"}],
    )

    # A carrier group goes with its carrier, ships with their task force.
    assert [d.Deactivate("jn_2e_25af"), d.Deactivate("jp_ssd"), d.DeactivateTF("J1"), d.Done()] == options(
        table, JAPAN
    )
    text = "Choose a unit or task force that is to fight no more in this scenario, or be done."
    leaves = " A task force that is in no own port with room leaves the scenario with all aboard."
    assert f"{text}{leaves}" == table.prompts[JAPAN].text
    act(table, JAPAN, d.Deactivate("jn_2e_25af"))
    act(table, JAPAN, d.Deactivate("jp_ssd"))
    own = table.state.own[JAPAN]
    assert (False, False) == (own.air["jn_2e_25af"].active, own.ground["jp_ssd"].active)
    assert [d.DeactivateTF("J1"), d.Done()] == options(table, JAPAN)
    act(table, JAPAN, d.Done())
    assert {} == table.prompts


def test_p32_1_ships_in_a_friendly_port_become_inactive_and_their_cargo_lands() -> None:
    tfs = [fleet("J1", "dd_jp11", core=["aa_jp1"], at="4837", cargo={"aa_jp1": ["jp_ichiki"]})]
    table = standing(tfs=tfs, air=[])
    facts = act(table, JAPAN, d.DeactivateTF("J1"))

    own, board = table.state.own[JAPAN], table.state.open
    assert {"rabaul"} == {own.ships[ship].port for ship in ("dd_jp11", "aa_jp1")}
    assert not any(own.ships[ship].active for ship in ("dd_jp11", "aa_jp1"))
    unit = own.ground["jp_ichiki"]
    assert ("4837", {}, False, 3) == (unit.hex, unit.aboard, unit.active, unit.steps)
    assert {} == board.tfs == own.fleets
    assert ["rabaul"] == board.ports[JAPAN]
    assert ["4837"] == board.troops[JAPAN]
    assert {} == board.lost == board.ships  # which ships they are stays secret
    assert "jp_ichiki" not in words(facts)


def test_p32_1_cargo_that_lands_among_enemies_is_public() -> None:
    tfs = [fleet("J1", core=["aa_jp1"], at="4837", cargo={"aa_jp1": ["jp_ichiki"]})]
    table = standing(tfs=tfs, air=[], ground=[{"id": "us_24div", "hex": "rabaul"}])
    act(table, JAPAN, d.DeactivateTF("J1"))

    assert {"jp_ichiki", "us_24div"} == table.state.open.ground.keys()


def test_p32_1_a_carrier_group_goes_with_its_carrier() -> None:
    table = standing()
    act(table, JAPAN, d.DeactivateTF("J1"))

    air = table.state.own[JAPAN].air["cvg_shoho"]
    assert ("cvl_shoho", 2, False) == (air.home, air.steps, air.active)


@pytest.mark.parametrize("at", [SEA, "4440"])
def test_p32_1_elsewhere_all_are_out_of_the_scenario_and_not_lost(at: str) -> None:
    tfs = [
        fleet("J1", core=["cvl_shoho", "aa_jp1"], at=at, cargo={"aa_jp1": ["jp_ichiki"]}),
    ]
    table = standing(tfs=tfs)
    facts = act(table, JAPAN, d.DeactivateTF("J1"))

    board = table.state.open
    gone = {"cvl_shoho", "aa_jp1", "cvg_shoho", "jp_ichiki"}
    assert dict.fromkeys(gone, "out of the scenario") == board.lost
    assert gone == {one.unit for one in told(facts, UnitLost)}
    assert [0, 0] == board.steps_lost
    own = table.state.own[JAPAN]
    assert [Ship(active=False)] * 2 == [own.ships[ship] for ship in ("aa_jp1", "cvl_shoho")]
    assert (Air(level=1, active=False), Ground(active=False)) == (
        own.air["cvg_shoho"],
        own.ground["jp_ichiki"],
    )


def test_p32_1_p2_3_1_a_port_without_room_takes_nobody() -> None:
    ships = ["dd_jp1", "dd_jp2", "dd_jp3", "dd_jp4", "dd_jp5", "dd_jp6"]
    naval = [{"at": "lae", "side": "JP", "units": ships[:5]}]
    for screen, port in ((["dd_jp11"], "lae"), (["dd_jp11", "dd_jp15"], "")):
        table = standing(tfs=[fleet("J1", *screen, at="4439")], air=[], naval=naval)  # size 1, room for 6
        act(table, JAPAN, d.DeactivateTF("J1"))
        assert port == table.state.own[JAPAN].ships["dd_jp11"].port


def test_p32_1_p2_5_on_another_coast_than_the_port_there_is_none() -> None:
    for node, port in (("5038a", "buka"), ("5038b", "")):
        table = standing(tfs=[fleet("J1", "dd_jp11", at=node)], air=[], control={"JP": ["buka"]})
        act(table, JAPAN, d.DeactivateTF("J1"))
        assert port == table.state.own[JAPAN].ships["dd_jp11"].port


def test_p32_1_r_40_ground_units_among_enemies_are_deactivated_and_stay() -> None:
    table = standing(ground=[{"id": "jp_ssd", "hex": "lae"}, {"id": "us_24div", "hex": "lae"}])
    act(table, JAPAN, d.Deactivate("jp_ssd"))

    assert ("4439", False) == (
        table.state.own[JAPAN].ground["jp_ssd"].hex,
        table.state.own[JAPAN].ground["jp_ssd"].active,
    )


def test_p32_1_p0_4_1_who_has_nothing_left_is_asked_all_the_same() -> None:
    """Whether units are Activated is their owner's knowledge, so that silence would tell."""
    table = standing(tfs=[], air=[], ground=[{"id": "jp_ssd", "hex": "lae"}])
    change(table, JAPAN, {"jp_ssd": {"active": False}})
    assert [d.Done()] == options(table, JAPAN)

    sound = standing(tfs=[], air=[], ground=[{"id": "jp_ssd", "hex": "lae"}])
    assert hidden(act(sound, JAPAN, d.Done())) == hidden(act(table, JAPAN, d.Done()))
    assert {} == standing(tfs=[], air=[]).prompts


@pytest.mark.parametrize("kind", ["air", "ground"])
def test_p32_1_what_is_deactivated_is_not_told(kind: str) -> None:
    table = standing(
        air=[{"id": "jn_2e_25af", "steps": 2, "level": 1, "base": "rabaul"}],
        ground=[{"id": "jp_ssd", "hex": "lae"}],
    )
    facts = act(table, JAPAN, d.Deactivate("jn_2e_25af" if kind == "air" else "jp_ssd"))

    assert "" == words(facts)
    assert 2 == hidden(facts)  # the decision, and the units


def test_p5_2_m_only_in_a_battle_the_operation_player_first() -> None:
    scene = battle("E1", ground=[{"id": "jp_ssd", "hex": "lae"}])
    table = again_at(table_at(scene, Retreat(tfs=()), advantage=JAPAN), BattleCycle(cycle=1, at="joint"))
    assert {} == table.prompts

    scene = battle("B1", ground=[{"id": "jp_ssd", "hex": "lae"}, {"id": "us_24div", "hex": "port_moresby"}])
    table = again_at(table_at(scene, Retreat(tfs=()), advantage=ALLIES), BattleCycle(cycle=1, at="joint"))
    assert [] == options(table, ALLIES)
    act(table, JAPAN, d.Done())
    assert [d.Deactivate("us_24div"), d.Done()] == options(table, ALLIES)


# P32.2


def seen(*tfs: dict[str, Any], lighting: str = "Day", **more: Any) -> Table:
    """Return a table on which J1 is Detected on the open sea."""
    kind = {"control": {"JP": []}} | more
    scene = battle(tfs=[fleet("J1", "ca_atago_takao"), *tfs], **kind)
    return table_at(scene, Retreat(tfs=()), detected=["J1"], lighting=lighting)  # type: ignore[arg-type]


def hides(table: Table) -> bool:
    """Return whether J1 gets out of sight."""
    remove_detection(table)
    check(table)
    return not table.state.open.tfs["J1"].detected


def test_p32_2_out_of_sight_with_all_that_is_in_it_and_what_was_seen_is_noted() -> None:
    table = seen()

    assert hides(table)
    board = table.state.open
    assert {} == board.contents == board.ships
    assert ("ca_atago_takao",) == board.tfs["J1"].seen


def test_p32_2_p0_4_1_the_air_group_and_the_cargo_go_out_of_sight_too() -> None:
    """Given a carrier with her group and a transport with troops, both seen, then no copy is left."""
    core, cargo = ["cvl_shoho", "aa_jp1"], {"aa_jp1": ["jp_ichiki"]}
    scene = battle(tfs=[fleet("J1", core=core, cargo=cargo)], air=[SHOHO], control={"JP": []})
    table = table_at(scene, Retreat(tfs=()), detected=["J1"])
    board = table.state.open
    assert ({*core}, {"cvg_shoho"}, {"jp_ichiki"}) == ({*board.ships}, {*board.air}, {*board.ground})
    table.facts = []

    assert hides(table)
    assert ({}, {}, {}, {}) == (board.contents, board.ships, board.air, board.ground)
    assert [Covered(("J1",), tuple(core), ("cvg_shoho",), ("jp_ichiki",))] == told(table.facts, Covered)


@pytest.mark.parametrize(("at", "lighting", "hidden_"), [
    ("5540", "Day", False), ("5539", "Day", True), ("5540", "Night", True), ("5542", "Night", False),
    ("5541", "Night", True),
])  # fmt: skip
def test_p32_2_a_warship_within_3_hexes_or_1_at_night(at: str, lighting: str, hidden_: bool) -> None:
    table = seen(fleet("A1", "dd_us1", at=at), lighting=lighting)

    assert hidden_ == hides(table)


def test_p32_2_crippled_ones_and_auxiliaries_do_not_count() -> None:
    table = seen(fleet("A1", "dd_us1", at="5542"))
    change(table, ALLIES, {"dd_us1": {"damage": 2}})
    assert hides(table)

    assert hides(seen(fleet("A1", core=["aa_us1", "cvs_us1"], at="5542")))
    assert not hides(seen(fleet("A1", core=["cv_hornet"], at="5542")))


def near_guadalcanal(**more: Any) -> Table:
    """Return a table on which J1 is Detected 3 hexes from Guadalcanal."""
    scene = battle(
        control={"AL": ["guadalcanal"]},
        bases={"guadalcanal": {"airbase": 2}},
        tfs=[fleet("J1", "ca_atago_takao", at="5343")],
        **more,
    )
    return table_at(scene, Retreat(tfs=()), detected=["J1"])


def test_p32_2_a_ground_unit_or_an_airbase_with_an_air_unit() -> None:
    planes = [{"id": "us_1e_35fg", "steps": 1, "level": 1, "base": "guadalcanal"}]

    assert hides(near_guadalcanal())
    assert not hides(near_guadalcanal(ground=[{"id": "us_24div", "hex": "guadalcanal"}]))
    assert not hides(near_guadalcanal(air=planes))
    assert hides(near_guadalcanal(ground=[{"id": "jp_ssd", "hex": "guadalcanal"}]))

    table = near_guadalcanal(air=planes)
    base = table.state.open.bases["guadalcanal"]
    table.state.open.bases["guadalcanal"] = type(base)(ALLIES, airbase=2, airbase_damage=2)
    assert hides(table)  # interdicted


def test_p32_2_not_who_fought_bombarded_or_landed_in_this_cycle() -> None:
    table = seen()
    table.record(Busy(("J1",)))
    assert not hides(table)


def test_p32_2_both_sides_are_looked_at() -> None:
    table = table_at(
        battle(tfs=[fleet("J1", "dd_jp11"), fleet("A1", "dd_us1", at="5340")]),
        Retreat(tfs=()),
        detected=["J1", "A1"],
    )
    remove_detection(table)

    assert [False, False] == [force.detected for force in table.state.open.tfs.values()]


def test_p0_4_1_ground_units_without_an_enemy_in_the_hex_are_hidden_again() -> None:
    table = table_at(
        battle(
            ground=[
                {"id": "jp_ssd", "hex": "lae"},
                {"id": "us_24div", "hex": "lae"},
                {"id": "us_25div", "hex": "port_moresby"},
            ]
        ),
        Retreat(tfs=()),
    )
    for own in table.state.own:
        table.state.open.ground |= own.ground
    remove_detection(table)

    assert {"jp_ssd", "us_24div"} == table.state.open.ground.keys()


def test_p32_3_p5_2_o_the_day_marker_ends_the_cycle() -> None:
    scene = battle(ground=[{"id": "us_wakedb", "hex": "wake"}])  # somebody is Activated
    table = table_at(scene, Retreat(tfs=()))
    facts = again_at(table, BattleCycle(cycle=1, at="detection")).facts

    assert [PhaseBegan("5.2.N", "Detection removal"), PhaseBegan("5.2.O", "Day marker")] == facts[:2]
