"""P28.10 Ferry, P28.14 paradrop: no scenario has transports or parachute troops, so a battle is made up."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.table import Table
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.atlas import FORBIDDEN, distance, kind, within
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import AirStepsLost
from domain.pacific_war.facts.fighting import CapIs, GroundStepsLost, RaidsAre, WentAshore
from domain.pacific_war.facts.happenings import Ferried
from tests.pacific_war.board import (
    again_at,
    battle,
    change,
    dice_left,
    fly,
    guard,
    missions,
    options,
    rolls,
    table_at,
    take,
    told,
)

JAPAN, ALLIES = 0, 1
AF, AB, LEX, YORK, JF = "us_1e_35fg", "us_2e_3bg", "cvg_lexington", "cvg_yorktown", "jn_1e_25af"
TR, TR2, PARA, BRIGADE = "us_tr_1", "us_tr_2", "us_503", "us_11abn"


def places(table: Table, side: int, unit: str) -> list[str]:
    """Return where a unit may ferry to; nowhere if it may not ferry."""
    if d.DeclareMission("ferry", unit) not in options(table, side):
        return []
    ahead = table.ahead(side, [d.DeclareMission("ferry", unit)])
    return [one.target for one in options(ahead, side) if isinstance(one, d.Target)]


def ashore(**changes: Any) -> Table:
    """Return a table with Allied fighters (range 3) at Port Moresby, and a carrier off Milne Bay."""
    given: dict[str, Any] = {
        "tfs": [{"id": "A1", "side": "AL", "hex": "4641", "core": ["cv_lexington", "cv_yorktown"]}],
        "air": [
            {"id": AF, "steps": 3, "level": 1, "base": "port_moresby"},
            {"id": LEX, "steps": 3, "level": 1},
            {"id": YORK, "steps": 2, "level": 1},
        ],
        "bases": {"milne_bay": {"airbase": 1}},
    }
    return missions(battle(**given | changes), ALLIES)


def test_p28_10_to_own_airbases_with_room_up_to_twice_the_range() -> None:
    """Given fighters of range 3, then every own airbase within 6 hexes but their home, and no carrier."""
    table = ashore()
    board = table.state.open

    found = places(table, ALLIES, AF)

    assert {"milne_bay", "cairns", "townsville"} <= {*found}
    assert found == sorted(
        place
        for place, base in board.bases.items()
        if (base.control, bool(base.airbase)) == (ALLIES, True)
        and 0 < distance("4440", LOCATIONS[place].hex) <= 6
    )
    assert 6 == distance("4440", "4446")


def test_p28_10_p2_3_2_r_104_the_launch_limit_does_not_count_but_an_interdicted_airbase_stops_it() -> None:
    """Given Port Moresby of size 1 from which 6 steps have taken off, then its fighters may still ferry."""
    table = ashore(bases={"milne_bay": {"airbase": 1}, "port_moresby": {"airbase": 1}})
    table.state.open.launched = {"port_moresby": 6}
    table._advance()
    assert "milne_bay" in places(table, ALLIES, AF)

    board = table.state.open
    board.bases["port_moresby"] = replace(board.bases["port_moresby"], airbase_damage=1)
    table._advance()
    assert [] == places(table, ALLIES, AF)


def test_p28_10_an_interdicted_airbase_stops_nobody_elsewhere() -> None:
    """Given fighters on an interdicted airbase and bombers, later by id, on another, then these may ferry."""
    table = ashore(
        bases={"milne_bay": {"airbase": 1}},
        air=[
            {"id": AF, "steps": 1, "level": 1, "base": "port_moresby"},
            {"id": AB, "steps": 1, "level": 1, "base": "milne_bay"},
        ],
        tfs=[],
    )
    board = table.state.open
    board.bases["port_moresby"] = replace(board.bases["port_moresby"], airbase_damage=2)
    table._advance()

    assert [] == places(table, ALLIES, AF)
    assert "cairns" in places(table, ALLIES, AB)


def test_p28_10_r_20_land_based_air_units_move_by_ferry_alone() -> None:
    """Given fighters ashore alone, then nobody is asked in a movement phase, and they may ferry after it."""
    scene = battle(
        air=[{"id": AF, "steps": 3, "level": 1, "base": "port_moresby"}],
        bases={"milne_bay": {"airbase": 1}},
    )
    assert [] == options(table_at(scene, Movement(side=ALLIES)), ALLIES)

    table = missions(scene, ALLIES)
    take(table, ALLIES, d.DeclareMission("ferry", AF), d.Target("milne_bay"))
    assert "milne_bay" == table.state.own[ALLIES].air[AF].home


def test_p28_10_no_airbase_that_is_full() -> None:
    """Given two units at Milne Bay of size 1, then nobody ferries there."""
    table = ashore()
    assert "milne_bay" in places(table, ALLIES, AF)
    full = ashore(
        air=[
            {"id": AF, "steps": 3, "level": 1, "base": "port_moresby"},
            {"id": AB, "steps": 1, "level": 1, "base": "milne_bay"},
            {"id": "us_2e_42bg", "steps": 1, "level": 1, "base": "milne_bay"},
        ],
        tfs=[],
    )

    assert "milne_bay" not in places(full, ALLIES, AF)


def test_p28_10_the_whole_unit_flies_one_ready_step_is_enough_and_all_are_used() -> None:
    """Given 1 ready step, 1 on CAP and 1 used, then all 3 are at Milne Bay, used; no die falls."""
    table = ashore()
    change(table, ALLIES, {AF: {"ready": 1, "cap": 1}})

    facts = take(table, ALLIES, d.DeclareMission("ferry", AF), d.Target("milne_bay"))

    air = table.state.own[ALLIES].air[AF]
    assert ("milne_bay", 3, 0, 0) == (air.home, air.steps, air.ready, air.cap)
    assert [] == rolls(facts)
    assert [Ferried(AF, ALLIES, "milne_bay")] == told(facts, Ferried)
    assert ("milne_bay", 3) == (table.state.open.air[AF].home, table.state.open.air[AF].steps)
    assert "milne_bay" in table.state.open.airfields[ALLIES]
    assert "port_moresby" not in table.state.open.airfields[ALLIES]


def test_p28_10_p28_2_without_a_ready_step_or_not_activated_none_ferries() -> None:
    """Given no ready step, or an inactive unit, then no ferry."""
    table = ashore()
    for fields in ({"ready": 0}, {"ready": 3, "active": False}):
        change(table, ALLIES, {AF: fields})
        assert [] == places(table, ALLIES, AF)


def test_p28_10_p26_3_none_at_night() -> None:
    """Given Night, then no ferry mission is offered."""
    scene = battle(air=[{"id": AF, "steps": 3, "level": 1, "base": "port_moresby"}])

    assert {} == table_at(scene, AirMissions(side=ALLIES), lighting="Night").prompts


def test_p28_10_p2_1_carriers_take_groups_of_their_nation_that_fit() -> None:
    """Given Lexington's group of 3 ashore: its own ship, and Yorktown with room for 4; with 5 aboard not."""
    table = ashore()
    change(table, ALLIES, {LEX: {"home": "port_moresby"}})
    assert {"cv_lexington", "cv_yorktown"} <= {*places(table, ALLIES, LEX)}

    change(table, ALLIES, {YORK: {"steps": 4}})

    found = places(table, ALLIES, LEX)
    assert "cv_lexington" in found
    assert "cv_yorktown" not in found


def test_p28_10_not_to_a_crippled_carrier_one_of_another_nation_or_out_of_reach() -> None:
    """Given Lexington crippled, a British carrier near and Yorktown far off, then only airbases are left."""
    table = ashore(
        tfs=[
            {"id": "A1", "side": "AL", "hex": "4641", "core": ["cv_lexington", "cv_illustrious"]},
            {"id": "A2", "side": "AL", "hex": "5543", "core": ["cv_yorktown"]},
        ],
        air=[{"id": LEX, "steps": 3, "level": 1}],
    )
    change(table, ALLIES, {LEX: {"home": "port_moresby"}, "cv_lexington": {"damage": 3}})

    found = places(table, ALLIES, LEX)
    assert {"milne_bay", "cairns", "townsville"} <= {*found} <= {*table.state.open.bases}


@pytest.mark.parametrize(
    ("steps", "hex", "fits"), [(3, "5041", True), (4, "5041", False), (3, "5141", False), (3, "4641", True)]
)
def test_p28_10_a_carrier_just_in_reach_with_just_enough_room(steps: int, hex: str, fits: bool) -> None:
    """Given a group of 3 ashore, range 3: 6 hexes and room for 3 of 6 will do, 7 hexes or room for 2 not."""
    table = ashore(
        tfs=[
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
            {"id": "A2", "side": "AL", "hex": hex, "core": ["cv_yorktown"]},
        ],
        air=[{"id": LEX, "steps": 3, "level": 1}, {"id": YORK, "steps": steps, "level": 1}],
    )
    change(table, ALLIES, {LEX: {"home": "port_moresby"}})

    assert {"5041": 6, "5141": 7, "4641": 2}[hex] == distance("4440", hex)
    assert fits == ("cv_yorktown" in places(table, ALLIES, LEX))


def test_p28_10_a_group_that_ferries_to_a_deck_is_aboard_and_flies_from_there() -> None:
    """Given Lexington's group ferried to Yorktown, then in the next cycle both groups may fly from A1."""
    table = ashore()
    change(table, ALLIES, {LEX: {"home": "port_moresby"}})

    take(table, ALLIES, d.DeclareMission("ferry", LEX), d.Target("cv_yorktown"))

    assert "cv_yorktown" == table.state.own[ALLIES].air[LEX].home
    change(table, ALLIES, {LEX: {"ready": 3}})
    table = again_at(table, AirMissions(side=ALLIES))
    guard(table, {})
    ahead = table.ahead(ALLIES, [d.DeclareMission("strike_airbase", "A1"), d.Target("lae")])
    assert {LEX, YORK} == {one.unit for one in options(ahead, ALLIES) if isinstance(one, d.AddSteps)}


def test_p28_10_e1_1_none_from_townsville() -> None:
    """Given E1, then the bombers at Townsville do not ferry, and those at Port Moresby do."""
    table = missions("E1", ALLIES)

    assert [] == places(table, ALLIES, AB)
    assert places(table, ALLIES, AF)


def test_p28_10_the_question_names_the_unit() -> None:
    """Given a ferry, then the seat is asked where the unit flies to."""
    ahead = ashore().ahead(ALLIES, [d.DeclareMission("ferry", AF)])

    assert f"Choose where [{AF}] flies to." == ahead.prompts[ALLIES].text


# paradrop


def drop(*dice: int, cap: Any = None, **changes: Any) -> Table:
    """Return a table with 4 transport steps and 3 parachute steps at Port Moresby, beside Lae."""
    given: dict[str, Any] = {
        "air": [
            {"id": TR, "steps": 4, "level": 1, "base": "port_moresby"},
            {"id": JF, "steps": 2, "level": 1, "base": "lae"},
        ],
        "ground": [{"id": PARA, "hex": "port_moresby"}],
    }
    return missions(battle(**given | changes), ALLIES, *dice, cap=cap)


DECLARED = d.DeclareMission("paradrop", "port_moresby")


def jump(table: Table, hex: str, *units: str) -> list[Any]:
    """Let parachute troops drop from Port Moresby."""
    return take(table, ALLIES, DECLARED, d.Target(hex), *(d.AddPara(unit) for unit in units), d.Done())


def test_p28_14_to_land_and_shore_hexes_that_are_not_forbidden_within_six() -> None:
    """Given transports and troops at Port Moresby, then just these hexes of the area are offered."""
    table = drop()
    assert DECLARED in options(table, ALLIES)
    ahead = table.ahead(ALLIES, [DECLARED])

    found = {one.target for one in options(ahead, ALLIES) if isinstance(one, d.Target)}

    near = {spot for spot in within("4440", 6) if kind(spot) in "hl" and spot not in FORBIDDEN}
    assert near == found
    assert {"4439", "4339"} <= found
    assert "4441" not in found


@pytest.mark.parametrize(
    "units",
    [
        {TR: {"ready": 2}},
        {TR: {"active": False}},
        {PARA: {"active": False}},
        {PARA: {"broken": True}},
        {PARA: {"hex": "4439"}},
    ],
)
def test_p28_14_activated_units_at_the_same_airbase_that_fit(units: dict[str, Any]) -> None:
    """Given too few ready transports, or units inactive, Broken or elsewhere, then no paradrop."""
    table = drop()

    change(table, ALLIES, units)

    assert DECLARED not in options(table, ALLIES)


def test_p28_14_p26_3_none_at_night() -> None:
    """Given Night, then no paradrop."""
    scene = battle(
        air=[{"id": TR, "steps": 4, "level": 1, "base": "port_moresby"}],
        ground=[{"id": PARA, "hex": "port_moresby"}],
    )

    assert {} == table_at(scene, AirMissions(side=ALLIES), lighting="Night").prompts


def test_p28_14_only_parachute_troops_are_added_as_long_as_they_fit() -> None:
    """Given 7 transport steps, troops of 3 and 6 steps, and a guard force, then either, not both."""
    table = drop(
        air=[
            {"id": TR, "steps": 4, "level": 1, "base": "port_moresby"},
            {"id": TR2, "steps": 3, "level": 1, "base": "port_moresby"},
        ],
        ground=[{"id": unit, "hex": "port_moresby"} for unit in (PARA, BRIGADE, "au_30bde")],
    )
    ahead = table.ahead(ALLIES, [DECLARED, d.Target("4439")])
    assert [d.AddPara(BRIGADE), d.AddPara(PARA)] == options(ahead, ALLIES)

    ahead = table.ahead(ALLIES, [DECLARED, d.Target("4439"), d.AddPara(PARA)])

    assert [d.Done()] == options(ahead, ALLIES)


def test_p28_14_r_61_as_many_transport_steps_as_needed_are_taken_by_id() -> None:
    """Given 6 ground steps, transports of 4 and 3, then 4 and 2 fly, and are used."""
    table = drop(
        9,
        0,
        air=[
            {"id": TR, "steps": 4, "level": 1, "base": "port_moresby"},
            {"id": TR2, "steps": 3, "level": 1, "base": "port_moresby"},
        ],
        ground=[{"id": BRIGADE, "hex": "port_moresby"}],
    )

    facts = jump(table, "4439", BRIGADE)

    assert {TR: 4, TR2: 2} == told(facts, RaidsAre)[0].raids[0].strike
    own = table.state.own[ALLIES]
    assert (0, 1) == (own.air[TR].ready, own.air[TR2].ready)


def test_p28_14_p2_3_2_no_more_than_the_launch_limit() -> None:
    """Given an airbase of size 1 from which 4 of 6 steps have taken off, then 3 steps do not fit."""
    air = [
        {"id": TR, "steps": 4, "level": 1, "base": "port_moresby"},
        {"id": AB, "steps": 4, "level": 1, "base": "port_moresby"},
    ]
    table = drop(9, 9, air=air, bases={"port_moresby": {"airbase": 1}})
    assert DECLARED in options(table, ALLIES)

    fly(table, ALLIES, "strike_port", "port_moresby", "lae", {AB: 4})

    assert DECLARED not in options(table, ALLIES)


def test_p28_14_p2_3_2_what_is_added_stays_within_the_launch_limit() -> None:
    """Given a limit of 6 and 9 transport steps, then after 3 ground steps another 6 do not fit."""
    air = [
        {"id": TR, "steps": 4, "level": 1, "base": "port_moresby"},
        {"id": TR2, "steps": 5, "level": 1, "base": "port_moresby"},
    ]
    ground = [{"id": PARA, "hex": "port_moresby"}, {"id": BRIGADE, "hex": "port_moresby"}]
    table = drop(air=air, ground=ground, bases={"port_moresby": {"airbase": 1}})

    ahead = table.ahead(ALLIES, [DECLARED, d.Target("4439"), d.AddPara(PARA)])

    assert [d.Done()] == options(ahead, ALLIES)


def test_p28_14_p2_7_no_drop_above_the_stacking_limit() -> None:
    """Given 58 own steps in a hex, then 3 more do not drop there; two drops are counted together."""
    crowd = [{"id": unit, "hex": "4339", "steps": 29} for unit in ("us_24div", "us_25div")]
    table = drop(ground=[{"id": PARA, "hex": "port_moresby"}, *crowd])
    found = options(table.ahead(ALLIES, [DECLARED]), ALLIES)
    assert d.Target("4339") not in found
    assert d.Target("4439") in found

    crowd = [{"id": unit, "hex": "4339", "steps": 27} for unit in ("us_24div", "us_25div")]
    both = [{"id": PARA, "hex": "port_moresby"}, {"id": BRIGADE, "hex": "port_moresby"}]
    air = [{"id": unit, "steps": n, "level": 1, "base": "port_moresby"} for unit, n in ((TR, 4), (TR2, 6))]
    table = drop(air=air, ground=[*both, *crowd])
    ahead = table.ahead(ALLIES, [DECLARED, d.Target("4339"), d.AddPara(PARA)])

    assert [d.Done()] == options(ahead, ALLIES)


@pytest.mark.parametrize(
    ("face", "steps", "broken", "scattered"),
    [
        (0, 3, False, False),
        (6, 3, False, False),
        (7, 2, True, False),
        (8, 2, True, False),
        (9, 2, True, True),
    ],
)
def test_p28_14_one_die_for_each_ground_unit(face: int, steps: int, broken: bool, scattered: bool) -> None:
    """Given a drop at Lae: 0 to 6 lands; 7 and 8 loses a step and is Broken; 9 takes no part besides.

    Flak of Lae 1: column 1 - 2. It needs no die to find the place. The troops get a Landing marker.
    """
    table = drop(9, face)

    facts = jump(table, "4439", PARA)

    assert ["flak", "parachute landing"] == [one for one, _, _ in rolls(facts)]
    unit = table.state.own[ALLIES].ground[PARA]
    assert ("4439", steps, True) == (unit.hex, unit.steps, unit.landing)
    assert (broken, not broken, scattered) == (unit.broken, unit.active, unit.scattered)
    assert [WentAshore((PARA,), ALLIES, "4439")] == told(facts, WentAshore)
    assert "4439" in table.state.open.troops[ALLIES]
    assert "4440" not in table.state.open.troops[ALLIES]
    assert replace(unit, moved=False) == table.state.open.ground[PARA]
    assert (4, 1) == (table.state.own[ALLIES].air[TR].steps, table.state.own[ALLIES].air[TR].ready)
    assert 0 == dice_left(table)


def test_p28_14_a_unit_of_one_step_that_loses_it_is_lost() -> None:
    """Given 1 step and the face 7, then the unit is lost, and does not land."""
    table = missions(
        battle(
            air=[{"id": "jn_tr_1", "steps": 2, "level": 1, "base": "rabaul"}],
            ground=[{"id": "jp_yok1", "hex": "rabaul"}],
        ),
        JAPAN,
        9,
        7,
    )

    facts = take(
        table,
        JAPAN,
        d.DeclareMission("paradrop", "rabaul"),
        d.Target("4440"),
        d.AddPara("jp_yok1"),
        d.Done(),
    )

    assert [] == told(facts, WentAshore)
    assert [GroundStepsLost("jp_yok1", JAPAN, 1, broken=False)] == told(facts, GroundStepsLost)
    assert "destroyed" == table.state.open.lost["jp_yok1"]
    assert "4440" not in table.state.open.troops[JAPAN]


def test_p28_14_each_transport_step_that_is_shot_down_takes_a_ground_step_with_it() -> None:
    """Given 2 CAP steps over Lae and a fort of 3: 1 step in air combat, 1 by flak, then 1 of 3 lands.

    Free CAP 4, column 3 - 1, face 1: 1 hit. Flak 1 + 2 x 3 = 7, column 5 - 2, face 3: 1 hit.
    """
    table = drop(1, 3, 0, cap={JF: 2}, bases={"lae": {"fort": 3}})

    facts = jump(table, "4439", PARA)

    assert [
        ("free CAP fire", "column 2", -1),
        ("flak", "column 3", -2),
        ("parachute landing", "7 or 8 loses a step, 9 is scattered", 0),
    ] == rolls(facts)
    assert [CapIs(JAPAN, "4439", {JF: 2})] == told(facts, CapIs)
    assert [1, 1] == [one.steps for one in told(facts, AirStepsLost)]
    assert [GroundStepsLost(PARA, ALLIES, 1, broken=False)] * 2 == told(facts, GroundStepsLost)
    assert 1 == table.state.own[ALLIES].ground[PARA].steps
    assert 2 == table.state.own[ALLIES].air[TR].steps


def test_p28_14_the_steps_shot_down_come_off_the_largest_unit() -> None:
    """Given units of 3 and 1 steps, and 2 transport steps lost, then both are of the first.

    Free CAP 4, column 3 - 1, face 0: 2 hits; flak of Rabaul 3, column 3 - 2, face 9.
    """
    table = drop(
        0,
        9,
        0,
        0,
        air=[
            {"id": TR2, "steps": 6, "level": 1, "base": "port_moresby"},
            {"id": JF, "steps": 2, "level": 1, "base": "rabaul"},
        ],
        ground=[{"id": PARA, "hex": "port_moresby"}, {"id": BRIGADE, "hex": "port_moresby", "steps": 1}],
        cap={JF: 2},
    )

    facts = jump(table, "4837", PARA, BRIGADE)

    ground = table.state.own[ALLIES].ground
    assert (1, 1) == (ground[PARA].steps, ground[BRIGADE].steps)
    assert [BRIGADE, PARA] == [one.units[0] for one in told(facts, WentAshore)]


def test_p28_14_all_shot_down() -> None:
    """Given all transports with troops shot down, then nobody drops, and the mission is over.

    Free CAP 12, column 6 - 1, face 0: 4 hits on 3 steps.
    """
    air = [
        {"id": TR, "steps": 3, "level": 1, "base": "port_moresby"},
        {"id": JF, "steps": 6, "level": 1, "base": "lae"},
    ]
    table = drop(0, air=air, cap={JF: 6})

    facts = jump(table, "4439", PARA)

    assert ["free CAP fire"] == [one for one, _, _ in rolls(facts)]
    assert {TR: "destroyed", PARA: "shot down"} == table.state.open.lost
    assert () == table.state.open.raids


@pytest.mark.parametrize(
    ("target", "bases", "fires"),
    [
        ("4439", {"lae": {"airbase": 0, "port": 1}}, False),
        ("4439", {"lae": {"airbase": 0, "port": 1, "fort": 1}}, True),
        ("4439", {"lae": {"airbase": 1, "port": 0}}, True),
        ("4339", {}, False),
    ],
)
def test_p28_14_flak_only_if_the_hex_holds_an_enemy_airbase_or_fort(
    target: str, bases: dict[str, Any], fires: bool
) -> None:
    """Given a port alone, or no location, then no flak; with an airbase or a fort there is."""
    air = [{"id": TR, "steps": 4, "level": 1, "base": "port_moresby"}]
    table = drop(*[9] * fires, 0, air=air, bases=bases)

    facts = jump(table, target, PARA)

    assert fires == ("flak" in [one for one, _, _ in rolls(facts)])


def test_p28_14_p0_4_1_all_ground_units_of_the_hex_are_public_where_they_meet() -> None:
    """Given a guard force at Lae, then it and the troops that drop on it are public."""
    table = drop(9, 0, ground=[{"id": PARA, "hex": "port_moresby"}, {"id": "jp_84gd", "hex": "lae"}])

    jump(table, "4439", PARA)

    assert {PARA, "jp_84gd"} == {*table.state.open.ground}


def test_p28_14_the_questions() -> None:
    """Given a paradrop, then the seat is asked for the hex, then for the units."""
    ahead = drop().ahead(ALLIES, [DECLARED])
    assert "Choose the target of the paradrop from [port_moresby]." == ahead.prompts[ALLIES].text

    ahead = ahead.ahead(ALLIES, [d.Target("4439")])

    assert "Choose the units that drop at [lae], then be done." == ahead.prompts[ALLIES].text
    (unit,) = ahead.prompts[ALLIES].options
    ahead = ahead.ahead(ALLIES, [unit])
    assert "Nobody else can drop at [lae]: take off." == ahead.prompts[ALLIES].text
