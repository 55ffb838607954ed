"""P2 Pieces: ships in task forces, air and ground units, installations, and how they are reorganised."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.table import Table
from domain.pacific_war.battle.bombardment import bombarding
from domain.pacific_war.battle.ground import GroundCombat
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.reorganise import Reorganise
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.charts import PORT_ROOM
from domain.pacific_war.board.table import (
    Base,
    crippled,
    fit,
    flies,
    fort,
    free_lift,
    housed,
    launch_limit,
    stack_room,
    value,
)
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import Found, MarkerPlaced, MarkerRemoved, UnitsAre
from domain.pacific_war.facts.secrets import OwnUnits
from tests.pacific_war.board import again_at, battle, change, guard, kinds, options, table_at, take, told

JAPAN, ALLIES = 0, 1
SEA = "5540"


def fleet(tf: str, *screen: str, core: Any = (), at: str = SEA, **more: Any) -> dict[str, Any]:
    side = "JP" if tf.startswith("J") else "AL"
    return {"id": tf, "side": side, "hex": at, "core": core, "screen": screen, **more}


def sea(*tfs: dict[str, Any], detected: Any = (), side: int = JAPAN, **more: Any) -> Table:
    """Return a table at the start of a movement phase."""
    return table_at(battle(tfs=tfs, **more), Movement(side=side), detected=detected)


def of(table: Table, *kinds: type[Any], side: int = JAPAN) -> list[Any]:
    return [one for one in options(table, side) if isinstance(one, kinds)]


# P2.1 nations


@pytest.mark.parametrize(("host", "steps"), [("cv_yorktown", 4), ("cv_indomitable", 3)])
def test_p2_1_a_group_flies_from_carriers_of_its_nation_alone(host: str, steps: int) -> None:
    """Given Lexington sunk with 1 step on patrol, then an American carrier takes it, no British one."""
    groups = [{"id": f"cvg_{name}", "steps": 3, "level": 1} for name in ("lexington", host[3:])]
    table = sea(fleet("A1", core=["cv_lexington", host]), air=groups, side=ALLIES)
    change(table, ALLIES, {"cvg_lexington": {"ready": 2, "cap": 1}})
    inflict(table, {"cv_lexington": 5})

    assert steps == table.state.own[ALLIES].air[f"cvg_{host[3:]}"].steps
    assert 0 == table.state.own[ALLIES].air["cvg_lexington"].steps


# P2.2.1 ships


@pytest.mark.parametrize(
    ("ship", "damage", "is_crippled"),
    [("ca_us1", 1, False), ("ca_us1", 2, True), ("cv_shokaku", 2, False), ("cv_shokaku", 3, True)],
)
def test_p2_2_1_a_ship_is_crippled_when_twice_its_damage_is_at_least_its_hits(
    ship: str, damage: int, is_crippled: bool
) -> None:
    """Given cruisers of 4 hits and a carrier of 5."""
    assert is_crippled == crippled(sea().state.open, ship, damage)


@pytest.mark.parametrize(
    ("ship", "what", "full", "half"),
    [
        ("bb_nagato", "gun", 11, 5),
        ("ca_myoko_haguro", "torp", 5, 2),
        ("cl_us7", "aa", 4, 2),
        ("ca_us1", "aa", 2, 1),
        ("dd_jp8", "asw", 2, 1),
        ("aa_jp10", "lift", 3, 1),
        ("cv_shokaku", "aa", 1, 0),
    ],
)
def test_p2_2_1_p0_6_a_crippled_ship_has_half_rounded_down(
    ship: str, what: str, full: int, half: int
) -> None:
    board = sea().state.open

    assert (full, half) == (value(board, ship, 0, what), value(board, ship, 5, what))


def test_p2_2_1_a_crippled_carrier_neither_launches_nor_lands() -> None:
    table = sea(fleet("J1", core=["cv_shokaku"]), air=[{"id": "cvg_shokaku", "steps": 4, "level": 1}])
    board, own = table.state.open, table.state.own[JAPAN]
    assert flies(board, own, "cvg_shokaku")
    change(table, JAPAN, {"cv_shokaku": {"damage": 3}})

    assert not fit(board, own, "cv_shokaku")
    assert not flies(board, own, "cvg_shokaku")


# P2.2.2 core and screen


def test_p2_2_2_light_ships_stand_in_the_screen_auxiliaries_in_the_core_capital_ships_in_both() -> None:
    """Given a task force to join, then each class has its slots there."""
    ships = ["bb_kongo", "cv_akagi", "cvs_kamikawa", "aa_jp10", "cve_taiyo"]
    table = sea(fleet("J1", "dd_jp7", "ca_myoko_haguro", "cl_sendai_yura", core=ships), fleet("J2", "dd_jp2"))
    slots = {}
    for ship in [*ships, "dd_jp7", "ca_myoko_haguro", "cl_sendai_yura"]:
        table = sea(
            fleet("J1", "dd_jp7", "ca_myoko_haguro", "cl_sendai_yura", core=ships), fleet("J2", "dd_jp2")
        )
        slots[ship] = _joins(table, ship)

    light, both, core = [("J2", "screen")], [("J2", "core"), ("J2", "screen")], [("J2", "core")]
    assert {
        "bb_kongo": both,
        "cv_akagi": both,
        "cvs_kamikawa": core,
        "aa_jp10": core,
        "cve_taiyo": core,
        "dd_jp7": light,
        "ca_myoko_haguro": light,
        "cl_sendai_yura": light,
    } == slots


def _joins(table: Table, ship: str) -> list[tuple[str, str]]:
    """Return where a ship may go; a single place is taken at once."""
    facts = take(table, JAPAN, d.TransferShip(ship))
    asked = [(one.tf, one.slot) for one in of(table, d.JoinTF)]
    if asked:
        return asked
    (fact,) = told(facts, OwnUnits)
    return [
        (tf, slot)
        for tf, one in fact.fleets.items()
        for slot in ("core", "screen")
        if one and ship in getattr(one.ships, slot)
    ]


def test_p2_2_2_a_core_has_6_ships_and_a_screen_4() -> None:
    """Given a task force that is full in one, then a carrier may go to the other, and nothing if in both."""
    core = ["bb_kongo", "bb_hiei", "bb_haruna", "bb_kirishima", "bb_nagato", "bb_mutsu"]
    screen = ["dd_jp2", "dd_jp4", "dd_jp7", "dd_jp8"]
    for inside, slots in (
        ((core[:5], screen[:3]), ["core", "screen"]),
        ((core, screen[:2]), ["screen"]),
        ((core[:2], screen), ["core"]),
        ((core, screen), []),
    ):
        table = sea(fleet("J1", "dd_jp10", core=["cv_akagi"]), fleet("J2", *inside[1], core=inside[0]))
        if slots:
            assert [("J2", slot) for slot in slots] == _joins(table, "cv_akagi")
        else:
            assert d.TransferShip("cv_akagi") not in options(table, JAPAN)


def test_p2_2_2_task_forces_merge_and_an_empty_one_is_removed() -> None:
    table = sea(fleet("J1", "dd_jp7"), fleet("J2", "dd_jp8", core=["cv_akagi"]))
    facts = take(table, JAPAN, d.TransferShip("dd_jp7"))

    assert [MarkerRemoved("J1")] == told(facts, MarkerRemoved)
    assert {"J2"} == set(table.state.open.tfs) == set(table.state.own[JAPAN].fleets)
    assert ("dd_jp8", "dd_jp7") == table.state.own[JAPAN].fleets["J2"].ships.screen
    assert "J2" == table.state.own[JAPAN].ships["dd_jp7"].tf


@pytest.mark.parametrize(("others", "marker"), [(("J1", "J3"), "J2"), (("J2", "J3"), "J1")])
def test_p2_2_2_the_first_marker_that_is_free_is_taken(others: tuple[str, str], marker: str) -> None:
    one, other = others
    table = sea(fleet(one, "dd_jp7", "dd_jp2"), fleet(other, "dd_jp8", at="5740"))

    assert [marker] == [made.tf for made in told(take(table, JAPAN, d.NewTF(SEA)), MarkerPlaced)]


def test_p2_2_2_a_task_force_splits_with_a_new_marker() -> None:
    table = sea(fleet("J1", "dd_jp7", core=["cv_akagi"]), fleet("J3", "dd_jp8", at="5740"))
    assert [d.NewTF(SEA)] == of(table, d.NewTF)
    facts = take(table, JAPAN, d.NewTF(SEA))
    assert ["J2"] == [one.tf for one in told(facts, MarkerPlaced)]
    assert [] == of(table, d.NewTF)  # one empty task force at a time
    take(table, JAPAN, d.TransferShip("cv_akagi"), d.JoinTF("J2", "core"))

    force = table.state.open.tfs["J2"]
    assert (JAPAN, SEA, False) == (force.side, force.node, force.detected)
    assert ("cv_akagi",) == table.state.own[JAPAN].fleets["J2"].ships.core


def test_p2_2_2_a_new_task_force_that_nothing_joins_is_removed() -> None:
    table = sea(fleet("J1", "dd_jp7", core=["cv_akagi"]), fleet("J2", "dd_jp8", at="5740"))
    take(table, JAPAN, d.NewTF(SEA))
    assert "J3" in table.state.open.tfs
    facts = take(table, JAPAN, d.MoveTF("J2"), d.SailTo("5741"))

    assert [MarkerRemoved("J3")] == told(facts, MarkerRemoved)
    assert {"J1", "J2"} == set(table.state.open.tfs)


def test_p2_2_2_one_ship_alone_is_not_split() -> None:
    assert [] == of(sea(fleet("J1", "dd_jp7"), fleet("J2", "dd_jp8", at="5740")), d.NewTF, d.TransferShip)


def test_p2_2_2_r_58_each_ship_changes_once() -> None:
    table = sea(fleet("J1", "dd_jp7", "dd_jp2"), fleet("J2", "dd_jp8", "dd_jp4"))
    assert [d.TransferShip(f"dd_jp{n}") for n in (2, 4, 7, 8)] == of(table, d.TransferShip)
    take(table, JAPAN, d.TransferShip("dd_jp7"))

    assert [d.TransferShip(f"dd_jp{n}") for n in (2, 4, 8)] == of(table, d.TransferShip)


def test_p2_2_2_r_47_on_the_same_node_alone() -> None:
    """Given fleets beside each other, or on two coasts of a hex, then nothing is exchanged."""
    for one, other in ((SEA, "5541"), ("4740a", "4740b")):
        table = sea(fleet("J1", "dd_jp7", at=one), fleet("J2", "dd_jp8", at=other))
        assert [] == of(table, d.TransferShip)


def test_p2_2_2_before_any_task_force_has_moved() -> None:
    table = sea(
        fleet("J1", "dd_jp7", "dd_jp2"), fleet("J2", "dd_jp8", "dd_jp4"), fleet("J3", "dd_jp10", at="5740")
    )
    take(table, JAPAN, d.MoveTF("J3"), d.SailTo("5741"))

    assert [] == of(table, d.TransferShip, d.NewTF)


def test_p2_2_2_a_ship_with_a_part_of_a_ground_unit_stays() -> None:
    """Given 4 steps on two transports and 2 on a third, then the third alone may leave."""
    cargo = {"aa_jp10": ["jp_ssd:3"], "aa_jp12": ["jp_ssd:1"], "aa_jp13": ["jp_kure5"]}
    table = sea(fleet("J1", core=list(cargo), cargo=cargo), fleet("J2", "dd_jp8"))
    assert [d.TransferShip("aa_jp13"), d.TransferShip("dd_jp8")] == of(table, d.TransferShip)
    take(table, JAPAN, d.TransferShip("aa_jp13"))

    assert {"aa_jp13": 2} == table.state.own[JAPAN].ground["jp_kure5"].aboard
    assert "J2" == table.state.own[JAPAN].ships["aa_jp13"].tf


def test_p2_2_2_r_58_no_new_task_force_where_none_of_two_ships_may_leave() -> None:
    """Given parts of a unit on two transports, also with a destroyer that has changed, then no split."""
    cargo = {"aa_jp10": ["jp_ssd:3"], "aa_jp12": ["jp_ssd:1"]}
    load = fleet("J1", core=["aa_jp10", "aa_jp12"], cargo=cargo)
    assert [d.NewTF("5740")] == of(sea(load, fleet("J2", "dd_jp7", "dd_jp8", at="5740")), d.NewTF)

    table = sea(load, fleet("J2", "dd_jp7"))
    take(table, JAPAN, d.TransferShip("dd_jp7"))
    assert ("dd_jp7",) == table.state.own[JAPAN].fleets["J1"].ships.screen
    assert [] == of(table, d.NewTF)


def test_p2_2_2_no_more_task_forces_than_markers() -> None:
    """Given 12 of Japan, then no other is formed; the Allies may have 16."""
    ships = [f"dd_jp{n}" for n in (2, 4, 7, 8, 10, 11, 15, 16, 17, 18, 19)]
    many = [fleet(f"J{n + 2}", ship, at="6040") for n, ship in enumerate(ships)]
    table = sea(fleet("J1", "dd_jp27", core=["cv_akagi"]), *many)
    assert 12 == len(table.state.open.tfs)
    assert [] == of(table, d.NewTF)
    table = sea(fleet("J1", "dd_jp27", core=["cv_akagi"]), *many[:-1])
    assert [d.NewTF(SEA)] == of(table, d.NewTF)
    assert ["J12"] == [made.tf for made in told(take(table, JAPAN, d.NewTF(SEA)), MarkerPlaced)]


def test_p2_2_2_a_ship_that_leaves_a_detected_task_force_makes_its_new_one_detected() -> None:
    """Given a carrier that was seen, then all that is with her now is seen."""
    table = sea(fleet("J1", "dd_jp7", core=["cv_akagi"]), fleet("J2", "dd_jp8"), detected=["J1"])
    take(table, JAPAN, d.TransferShip("cv_akagi"))
    text = "Choose the task force, and the place in it, that [cv_akagi] joins."
    assert text == table.prompts[JAPAN].text
    facts = take(table, JAPAN, d.JoinTF("J2", "core"))

    assert [("J2", "2.2.2")] == [(one.tf, one.rule) for one in told(facts, Found)]
    assert {"cv_akagi", "dd_jp7", "dd_jp8"} == set(table.state.open.ships)
    assert ("cv_akagi",) == table.state.open.contents["J2"].core
    assert () == table.state.open.contents["J1"].core


def test_p2_2_2_any_other_new_task_force_is_undetected_and_nothing_of_it_is_told() -> None:
    """Given a hidden ship that leaves for a hidden task force, then only a marker is seen."""
    table = sea(fleet("J1", "dd_jp7", core=["cv_akagi"]))
    take(table, JAPAN, d.NewTF(SEA))
    take(table, JAPAN, d.TransferShip("cv_akagi"))
    facts = take(table, JAPAN, d.JoinTF("J2", "core"))

    assert [] == [*told(facts, Found), *told(facts, UnitsAre)]
    assert {} == table.state.open.ships


def test_p2_2_2_p24_4_who_joins_a_detected_task_force_is_seen() -> None:
    table = sea(fleet("J1", "dd_jp7", "dd_jp2"), fleet("J2", "dd_jp8"), detected=["J2"])
    take(table, JAPAN, d.TransferShip("dd_jp7"))

    assert {"dd_jp7", "dd_jp8"} == set(table.state.open.ships)
    assert not table.state.open.tfs["J1"].detected


# P2.2.2 after a naval battle


def after_battle(*tfs: dict[str, Any], fought: tuple[str, ...], detected: Any = ()) -> Table:
    table = table_at(battle(tfs=tfs), Movement(side=ALLIES), detected=detected)
    for tf in fought:
        table.state.open.tfs[tf] = replace(table.state.open.tfs[tf], fought=True, busy=True)
    return again_at(table, Reorganise(side=JAPAN, tfs=fought))


def test_p2_2_2_after_a_battle_those_that_took_part_reorganise() -> None:
    """Given a third task force that was not in it, then nothing joins or leaves that one."""
    table = after_battle(
        fleet("J1", "dd_jp7", "dd_jp2"),
        fleet("J2", "dd_jp8", "dd_jp4"),
        fleet("J3", "dd_jp10", "dd_jp11"),
        fought=("J1", "J2"),
    )
    assert [d.TransferShip(f"dd_jp{n}") for n in (2, 4, 7, 8)] == of(table, d.TransferShip)
    take(table, JAPAN, d.TransferShip("dd_jp7"))
    assert {"dd_jp8", "dd_jp4", "dd_jp7"} == set(table.state.own[JAPAN].fleets["J2"].ships.ships)
    take(table, JAPAN, d.Done())
    assert {} == table.prompts


def test_p2_2_2_r_58_each_ship_changes_once_after_a_battle_too() -> None:
    table = after_battle(fleet("J1", "dd_jp7", "dd_jp2"), fleet("J2", "dd_jp8"), fought=("J1", "J2"))
    take(table, JAPAN, d.TransferShip("dd_jp7"))

    assert [d.TransferShip("dd_jp2"), d.TransferShip("dd_jp8")] == of(table, d.TransferShip)


def test_p0_3_1_p2_2_2_a_marker_that_is_used_again_is_one_task_force() -> None:
    """Given J1 merged into J2 and formed anew, then its ship has one way to go, which ends a command."""
    table = after_battle(
        fleet("J1", "dd_jp7"), fleet("J2", "dd_jp8", "dd_jp4", "dd_jp2"), fought=("J1", "J2", "J1")
    )

    assert d.TransferShip("dd_jp8") in of(table, d.TransferShip)
    assert [] == [one for one in table.quiet(JAPAN) if isinstance(one, d.TransferShip)]


def test_p2_2_2_a_bystander_gives_no_reason_for_a_new_task_force() -> None:
    """Given one ship that fought beside a fleet that did not, then there is nothing to choose."""
    table = after_battle(fleet("J1", "dd_jp7"), fleet("J3", "dd_jp10", "dd_jp11"), fought=("J1",))

    assert {} == table.prompts


def test_p29_3_p32_2_r_106_a_task_force_formed_of_one_that_fought_has_fought() -> None:
    """Given a battle off an enemy port, then the ships that left for a new task force may not bombard."""
    table = after_battle(fleet("J1", "dd_jp7", "dd_jp2", at="4440"), fought=("J1",), detected=["J1"])
    take(table, JAPAN, d.NewTF("4440"))
    take(table, JAPAN, d.TransferShip("dd_jp7"))

    force = table.state.open.tfs["J2"]
    assert (True, True, True) == (force.fought, force.busy, force.detected)
    assert [] == bombarding(table.state.open, JAPAN, ())


def test_p2_2_2_there_is_nothing_to_reorganise_of_one_ship() -> None:
    assert {} == after_battle(fleet("J1", "dd_jp7"), fought=("J1",)).prompts


# P2.2.3, P2.2.4, P2.2.5


def test_p2_2_ships_at_sea_are_in_task_forces_the_others_in_port() -> None:
    """Given each scenario, then a ship is in one task force, which lists it, or in a port, and inactive."""
    for scenario in ("E1", "E2", "E3", "E4", "B1"):
        for own in table_at(scenario, Movement(side=JAPAN)).state.own:
            listed = [ship for fleet in own.fleets.values() for ship in fleet.ships.ships]
            assert sorted(listed) == sorted(ship for ship, one in own.ships.items() if one.tf)
            assert all(bool(one.tf) == (not one.port) == one.active for one in own.ships.values())


def test_p2_4_only_activated_units_move_fly_missions_and_attack() -> None:
    """Given troops in and beside a hex of the enemy and bombers, all inactive, then nothing can be done."""
    scene = battle(
        ground=[
            {"id": "jp_kure5", "hex": "lae"},
            {"id": "jp_ssd", "hex": "port_moresby"},
            {"id": "us_24div", "hex": "port_moresby"},
        ],
        air=[{"id": "jn_2e_25af", "steps": 3, "level": 1, "base": "rabaul"}],
        control={"JP": ["lae", "rabaul"], "AL": ["port_moresby"]},
    )
    units = ("jp_kure5", "jp_ssd", "jn_2e_25af")
    for begin, wanted in (
        (lambda: Movement(side=JAPAN), "MoveGround"),
        (lambda: AirMissions(side=JAPAN), "DeclareMission"),
        (lambda: GroundCombat(hex="4440"), "Attack"),
    ):
        offered = []
        for active in (True, False):
            table = table_at(scene, begin())
            change(table, JAPAN, {unit: {"active": active} for unit in units})
            if wanted == "DeclareMission":
                guard(table, {})
            offered.append(wanted in kinds(table, JAPAN))
        assert [True, False] == offered


def test_p2_2_3_the_steps_of_an_air_unit_are_ready_on_patrol_or_used() -> None:
    """Given 4 steps, 1 ready and 2 on CAP, when losses fall, then each kind is taken in its turn."""
    for kind, lost, left in (
        ("used", 1, (3, 1, 2)),
        ("used", 2, (2, 0, 2)),
        ("used", 3, (1, 0, 1)),
        ("ready", 1, (3, 0, 2)),
        ("ready", 2, (2, 0, 2)),
        ("cap", 2, (2, 1, 0)),
        ("cap", 3, (1, 1, 0)),
    ):
        table = sea(air=[{"id": "jn_1e_25af", "steps": 4, "level": 1, "base": "rabaul"}])
        change(table, JAPAN, {"jn_1e_25af": {"ready": 1, "cap": 2}})
        now = Changes(table, "for the test")
        now.lose_air("jn_1e_25af", lost, "for the test", of=kind)
        now.record()
        air = table.state.own[JAPAN].air["jn_1e_25af"]
        assert left == (air.steps, air.ready, air.cap), (kind, lost)
        assert lost == table.state.open.steps_lost[JAPAN]


# P2.3 installations


@pytest.mark.parametrize(("size", "room"), [(1, 6), (2, 16), (3, 40)])
def test_p2_3_1_the_room_of_a_port(size: int, room: int) -> None:
    assert room == PORT_ROOM[size]
    assert PORT_ROOM[4] > 1000


@pytest.mark.parametrize(
    ("size", "damage", "limit"), [(1, 0, 6), (3, 0, 18), (3, 1, 12), (4, 0, 36), (3, 3, 0)]
)
def test_p2_3_2_the_launch_limit_goes_by_size_less_damage(size: int, damage: int, limit: int) -> None:
    table = sea(bases={"rabaul": {"airbase": size}})
    bases = table.state.open.bases
    bases["rabaul"] = replace(bases["rabaul"], airbase_damage=damage)

    assert limit == launch_limit(table.state.open, "rabaul")


@pytest.mark.parametrize(("damage", "interdicted"), [(0, False), (1, False), (2, True)])
def test_p2_3_2_an_airbase_with_as_much_damage_as_size_is_interdicted(damage: int, interdicted: bool) -> None:
    assert interdicted == Base(0, airbase=2, airbase_damage=damage).interdicted
    assert Base(0).interdicted


def test_p2_3_2_room_goes_by_size_whatever_the_damage_and_the_last_by_id_are_above_it() -> None:
    """Given an airbase of size 1 with three units, then the first two by id fly, and damage moves nobody."""
    air = [
        {"id": unit, "steps": 2, "level": 1, "base": "rabaul"}
        for unit in ("jn_1e_25af", "jn_2e_25af", "jn_lra_25af")
    ]
    table = sea(air=air, bases={"rabaul": {"airbase": 1}})
    board, own = table.state.open, table.state.own[JAPAN]
    assert ["jn_1e_25af", "jn_2e_25af"] == housed(board, own, "rabaul")
    assert [True, True, False] == [flies(board, own, unit["id"]) for unit in air]  # type: ignore[arg-type]

    table = sea(air=air, bases={"rabaul": {"airbase": 2}})
    bases = table.state.open.bases
    bases["rabaul"] = replace(bases["rabaul"], airbase_damage=1)
    assert 3 == len(housed(table.state.open, table.state.own[JAPAN], "rabaul"))


def test_p2_3_3_a_fort_is_that_of_whoever_controls_the_location() -> None:
    table = sea(bases={"wake": {"fort": 2}}, control={"JP": [], "AL": ["wake"]})

    assert (0, 2) == (fort(table.state.open, "5722", JAPAN), fort(table.state.open, "5722", ALLIES))


# P2.7 stacking


def test_p2_7_a_side_has_12_steps_in_an_atoll_hex_and_60_in_any_other() -> None:
    """Given steps ashore and steps aboard a ship in the hex, then those aboard do not count."""
    cargo = {"aa_jp10": ["jp_kure5"]}
    table = sea(
        fleet("J1", core=["aa_jp10"], cargo=cargo, at="5722"),
        ground=[{"id": "jp_ssd", "hex": "wake"}, {"id": "us_wakedb", "hex": "wake"}],
    )

    assert 8 == stack_room(table.state.own[JAPAN], "5722")
    assert 11 == stack_room(table.state.own[ALLIES], "5722")
    assert 60 == stack_room(table.state.own[JAPAN], "4440")


def test_p2_2_1_the_lift_of_a_ship_is_what_is_free_of_it() -> None:
    table = sea(fleet("J1", core=["aa_jp10"], cargo={"aa_jp10": ["jp_kure5"]}))
    board, own = table.state.open, table.state.own[JAPAN]
    assert 1 == free_lift(board, own, "aa_jp10")
    change(table, JAPAN, {"aa_jp10": {"damage": 2}})

    assert 0 == free_lift(board, own, "aa_jp10")  # half of 3 is 1, and 2 are aboard
