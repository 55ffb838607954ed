"""P28.2, P28.3, P2.3.2, P26.3 Which missions may be declared, at what, and who may fly them."""

from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Rolled
from domain.kernel.table import Illegal, NotOneCommand, Table
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.clock import default
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import AirStepsLost
from domain.pacific_war.facts.fighting import RaidsAre, TookOff
from domain.pacific_war.facts.happenings import NotFound
from domain.pacific_war.facts.intelligence import cover_bases
from domain.pacific_war.facts.secrets import OriginKept
from tests.pacific_war.board import (
    again_at,
    allot,
    battle,
    change,
    dice_left,
    fly,
    kinds,
    missions,
    options,
    rolls,
    table_at,
    take,
    told,
)

JAPAN, ALLIES = 0, 1
JF, JB, AF, AB, AH = "jn_1e_25af", "jn_2e_25af", "us_1e_35fg", "us_2e_3bg", "us_4e_feaf"


def declared(table: Table, side: int) -> set[tuple[str, str]]:
    """Return the missions on a side's list: kind and origin."""
    return {(one.kind, one.origin) for one in options(table, side) if isinstance(one, d.DeclareMission)}


def targets(table: Table, side: int, kind: str, origin: str) -> list[str]:
    """Return what a mission may be aimed at."""
    ahead = table.ahead(side, [d.DeclareMission(kind, origin)])
    return [one.target for one in options(ahead, side) if isinstance(one, d.Target)]


def additions(
    table: Table, side: int, kind: str, origin: str, target: str, *picks: d.AddSteps
) -> set[tuple[str, str, int]]:
    """Return what may be added to a mission after these picks: unit, role, steps."""
    ahead = table.ahead(side, [d.DeclareMission(kind, origin), d.Target(target), *picks])
    return {(one.unit, one.role, one.steps) for one in options(ahead, side) if isinstance(one, d.AddSteps)}


def rabaul(**changes: Any) -> str:
    """Return a battle with bombers at Port Moresby, 5 hexes from Rabaul with garrison and ships."""
    given: dict[str, Any] = {
        "naval": [{"at": "rabaul", "side": "JP", "units": ["dd_jp7"]}],
        "air": [
            {"id": AF, "steps": 3, "level": 1, "base": "port_moresby"},
            {"id": AB, "steps": 2, "level": 1, "base": "port_moresby"},
            {"id": "us_lra_swpa", "steps": 1, "level": 1, "base": "port_moresby"},
        ],
        "ground": [{"id": "jp_84gd", "hex": "rabaul"}],
        "bases": {"rabaul": {"fort": 1}},
    }
    return battle(**given | changes)


def test_p28_2_a_mission_needs_a_target_in_range_and_strength_for_it() -> None:
    """Given bombers of range 5 in reach of Rabaul, then all missions but the strike at a fleet."""
    table = missions(rabaul(), ALLIES)
    every = {"strike_airbase", "strike_port", "strike_ships_in_port", "strike_fort", "strike_ground"}
    ferries = {("ferry", unit) for unit in (AF, AB, "us_lra_swpa")}

    assert {(kind, "port_moresby") for kind in every} | ferries == declared(table, ALLIES)
    assert d.EndMissions() == options(table, ALLIES)[-1]
    assert ["rabaul"] == targets(table, ALLIES, "strike_ships_in_port", "port_moresby")
    assert ["rabaul"] == targets(table, ALLIES, "strike_fort", "port_moresby")
    assert ["4837"] == targets(table, ALLIES, "strike_ground", "port_moresby")
    assert {"rabaul", "gasmata", "lae"} <= {*targets(table, ALLIES, "strike_airbase", "port_moresby")}
    assert "gasmata" not in targets(table, ALLIES, "strike_port", "port_moresby")


def test_p28_2_steps_without_strength_take_no_strike_role() -> None:
    """Given patrol planes, and fighters too far off, then only bombers are offered at Rabaul."""
    table = missions(rabaul(), ALLIES)

    found = additions(table, ALLIES, "strike_airbase", "port_moresby", "rabaul")

    assert {(AB, "strike", 1), (AB, "strike", 2)} == found


def test_p28_2_only_activated_ready_steps_fly_and_each_once_in_a_cycle() -> None:
    """Given 1 ready step of 2, then 1 flies; with none ready, or not Activated, no mission is offered."""
    table = missions(rabaul(), ALLIES)
    change(table, ALLIES, {AB: {"ready": 1}})
    assert {(AB, "strike", 1)} == additions(table, ALLIES, "strike_airbase", "port_moresby", "rabaul")

    change(table, ALLIES, {AB: {"ready": 0}})
    assert ("strike_fort", "port_moresby") not in declared(table, ALLIES)
    assert ("ferry", AB) not in declared(table, ALLIES)

    change(table, ALLIES, {AB: {"ready": 2, "active": False}})
    assert ("strike_fort", "port_moresby") not in declared(table, ALLIES)
    assert ("ferry", AB) not in declared(table, ALLIES)


def test_p28_2_only_detected_task_forces_are_targets() -> None:
    """Given two fleets in range and one Detected, then it is the only target."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5542", "screen": ["dd_jp7"]},
            {"id": "J2", "side": "JP", "hex": "5542", "screen": ["dd_jp8"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        ],
        air=[{"id": "cvg_lexington", "steps": 5, "level": 1}],
    )
    table = missions(scene, ALLIES, detected=["J2"])

    assert ["J2"] == targets(table, ALLIES, "strike_tf", "A1")


def test_p28_2_e1_1_no_japanese_strike_at_townsville() -> None:
    """Given E1 with Japanese bombers near, then Townsville and Noumea are no targets of Japan."""
    table = missions("E1", JAPAN)
    change(table, JAPAN, {"jn_2e_25af": {"home": "port_moresby"}})
    table.state.open.bases["port_moresby"] = replace(table.state.open.bases["port_moresby"], control=JAPAN)
    table._advance()

    found = targets(table, JAPAN, "strike_airbase", "port_moresby")

    assert "cairns" in found
    assert "townsville" not in found


def test_p28_2_r_52_where_a_strike_from_an_undetected_fleet_comes_from_stays_secret() -> None:
    """Given a hidden launching fleet whose find fails, then no open fact and no ledger of all names it."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5541", "core": ["cv_shokaku"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        ],
        air=[
            {"id": "cvg_shokaku", "steps": 4, "level": 1},
            {"id": "cvg_lexington", "steps": 5, "level": 1},
        ],
    )
    table = missions(scene, JAPAN, 9, detected=["A1"])

    facts = fly(table, JAPAN, "strike_tf", "J1", "A1", {"cvg_shokaku": 2}, {"cvg_shokaku": 1})

    raids = told(facts, RaidsAre)
    assert {"cvg_shokaku": 2} == raids[0].raids[0].strike
    assert all(raid.origin == "" for one in raids for raid in one.raids)
    assert [TookOff(JAPAN, {"cvg_shokaku": 3}, "")] == told(facts, TookOff)
    assert ["J1", ""] == [one.origin for one in told(facts, OriginKept)]
    assert [("finding the target", "9 or more fails", 0)] == rolls(facts)
    assert not [fact for fact in facts if fact.audience() is Audience.ALL and b"J1" in json.encode(fact)]


def test_p28_2_an_airbase_and_a_detected_fleet_are_told_as_origins() -> None:
    """Given a strike from Port Moresby, then the raid that all see comes from there."""
    table = missions(rabaul(), ALLIES, 9, 9)

    facts = fly(table, ALLIES, "strike_port", "port_moresby", "rabaul", {AB: 2})

    raid = told(facts, RaidsAre)[0].raids[0]
    assert ("strike_port", "rabaul", "port_moresby", {AB: 2}) == (
        raid.kind,
        raid.target,
        raid.origin,
        raid.strike,
    )


def test_p28_3_each_unit_once_in_a_role_and_at_least_one_step_strikes() -> None:
    """Given fighters and bombers, then Done once a step strikes, and a role of a unit is named once."""
    scene = battle(
        air=[
            {"id": AF, "steps": 3, "level": 1, "base": "port_moresby"},
            {"id": AB, "steps": 2, "level": 1, "base": "port_moresby"},
        ],
    )
    table = missions(scene, ALLIES)
    start = [d.DeclareMission("strike_airbase", "port_moresby"), d.Target("lae")]

    ahead = table.ahead(ALLIES, [*start, d.AddSteps(AF, "escort", 1)])
    assert {"AddSteps"} == kinds(ahead, ALLIES)
    ahead = table.ahead(ALLIES, [*start, d.AddSteps(AF, "escort", 1), d.AddSteps(AF, "strike", 1)])
    assert d.Done() == options(ahead, ALLIES)[-1]

    left = {(one.unit, one.role, one.steps) for one in options(ahead, ALLIES) if isinstance(one, d.AddSteps)}

    assert {(AB, "strike", 1), (AB, "strike", 2)} == left


def test_p28_3_escorts_leave_a_step_that_can_strike() -> None:
    """Given fighters alone with 3 ready steps, then at most 2 may escort before one strikes."""
    scene = battle(air=[{"id": AF, "steps": 3, "level": 1, "base": "port_moresby"}])
    table = missions(scene, ALLIES)

    found = additions(table, ALLIES, "strike_airbase", "port_moresby", "lae")

    assert {1, 2} == {steps for _, role, steps in found if role == "escort"}
    assert {1, 2, 3} == {steps for _, role, steps in found if role == "strike"}
    found = additions(table, ALLIES, "strike_airbase", "port_moresby", "lae", d.AddSteps(AF, "escort", 2))
    assert {(AF, "strike", 1)} == found


def test_p28_3_bombers_do_not_escort_and_escorts_have_to_reach_the_target() -> None:
    """Given Rabaul at 5 hexes, then US fighters (range 3) do not escort there, and bombers never do."""
    table = missions(rabaul(), ALLIES)

    found = additions(table, ALLIES, "strike_airbase", "port_moresby", "rabaul", d.AddSteps(AB, "strike", 1))

    assert set() == found


def test_p2_3_2_the_launch_limit_counts_for_all_missions_of_a_phase() -> None:
    """Given an airbase of size 1 (6 steps), when 4 have flown, then 2 may (P28.3)."""
    scene = battle(
        air=[
            {"id": AB, "steps": 6, "level": 1, "base": "port_moresby"},
            {"id": "us_2e_42bg", "steps": 4, "level": 1, "base": "port_moresby"},
        ],
        bases={"port_moresby": {"airbase": 1}, "lae": {"fort": 0}},
    )
    table = missions(scene, ALLIES, 9, 9, 9, 9)
    fly(table, ALLIES, "strike_airbase", "port_moresby", "lae", {AB: 4})
    assert {"port_moresby": 4} == table.state.open.launched

    found = additions(table, ALLIES, "strike_airbase", "port_moresby", "lae")
    assert {
        (AB, "strike", 1),
        (AB, "strike", 2),
        ("us_2e_42bg", "strike", 1),
        ("us_2e_42bg", "strike", 2),
    } == found

    fly(table, ALLIES, "strike_airbase", "port_moresby", "lae", {"us_2e_42bg": 1, AB: 1})
    assert "strike_airbase" not in {kind for kind, _ in declared(table, ALLIES)}
    assert 0 == dice_left(table)


def test_p2_3_2_p26_3_the_launch_limit_holds_at_night() -> None:
    """Given Night and an airbase of size 1, then 5 of 6 steps leave 1 for another mission (P28.3)."""
    scene = battle(
        air=[{"id": unit, "steps": 6, "level": 1, "base": "port_moresby"} for unit in (AB, AH)],
        bases={"port_moresby": {"airbase": 1}},
    )
    table = table_at(scene, AirMissions(side=ALLIES), 9, 9, lighting="Night")

    fly(table, ALLIES, "strike_airbase", "port_moresby", "lae", {AB: 5})

    found = additions(table, ALLIES, "strike_airbase", "port_moresby", "lae")
    assert {(AB, "strike", 1), (AH, "strike", 1)} == found


def test_p2_3_2_the_launch_limit_goes_by_size_less_damage() -> None:
    """Given size 2 damaged 1, then 6 steps may take off of 8 ready ones; escorts count too (P28.3)."""
    scene = battle(
        air=[
            {"id": AF, "steps": 4, "level": 1, "base": "port_moresby"},
            {"id": AB, "steps": 4, "level": 1, "base": "port_moresby"},
        ],
    )
    table = missions(scene, ALLIES)
    base = table.state.open.bases["port_moresby"]
    table.state.open.bases["port_moresby"] = replace(base, airbase_damage=1)

    found = additions(table, ALLIES, "strike_airbase", "port_moresby", "lae", d.AddSteps(AB, "strike", 4))

    assert {(AF, "strike", 1), (AF, "strike", 2), (AF, "escort", 1), (AF, "escort", 2)} == found


def test_p28_3_an_escort_leaves_room_under_the_limit_for_a_striker() -> None:
    """Given 6 steps may take off, then 5 of 6 fighters may escort before a bomber is named."""
    scene = battle(
        air=[
            {"id": AF, "steps": 6, "level": 1, "base": "port_moresby"},
            {"id": AB, "steps": 1, "level": 1, "base": "port_moresby"},
        ],
        bases={"port_moresby": {"airbase": 1}},
    )
    table = missions(scene, ALLIES)

    found = additions(table, ALLIES, "strike_airbase", "port_moresby", "lae")

    assert {1, 2, 3, 4, 5} == {steps for unit, role, steps in found if role == "escort"}


def test_p2_3_2_nothing_is_launched_from_an_interdicted_airbase() -> None:
    """Given damage equal to the size, then no mission starts there, not even a ferry."""
    table = missions(rabaul(), ALLIES)
    base = table.state.open.bases["port_moresby"]
    table.state.open.bases["port_moresby"] = replace(base, airbase_damage=2)
    table._advance()

    assert set() == declared(table, ALLIES)


def test_p2_3_2_units_for_which_there_is_no_room_may_only_ferry() -> None:
    """Given three units on an airbase of size 1, then the last of the fixed order flies no strike."""
    units = ("us_2e_3bg", "us_2e_42bg", "us_4e_feaf")
    scene = battle(
        air=[{"id": unit, "steps": 1, "level": 1, "base": "port_moresby"} for unit in units],
        bases={"port_moresby": {"airbase": 1}},
    )
    table = missions(scene, ALLIES)

    assert {"us_2e_3bg", "us_2e_42bg"} == {
        unit for unit, _, _ in additions(table, ALLIES, "strike_airbase", "port_moresby", "lae")
    }
    assert {("ferry", unit) for unit in units} <= declared(table, ALLIES)


def test_p28_3_carriers_have_no_launch_limit() -> None:
    """Given two groups of 6 in a fleet, then all 12 steps may fly in one mission."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5542", "screen": ["dd_jp7"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
        ],
        air=[{"id": "cvg_lexington", "steps": 6, "level": 1}, {"id": "cvg_yorktown", "steps": 6, "level": 1}],
    )
    table = missions(scene, ALLIES, detected=["J1"])

    found = additions(table, ALLIES, "strike_tf", "A1", "J1", d.AddSteps("cvg_lexington", "strike", 6))

    assert ("cvg_yorktown", "strike", 6) in found


def test_p28_2_a_crippled_or_inactive_carrier_launches_nothing() -> None:
    """Given Yorktown with 2 of 4 hits, then only the group of Lexington flies."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5542", "screen": ["dd_jp7"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
        ],
        air=[{"id": "cvg_lexington", "steps": 2, "level": 1}, {"id": "cvg_yorktown", "steps": 2, "level": 1}],
    )
    table = missions(scene, ALLIES, detected=["J1"])
    change(table, ALLIES, {"cv_yorktown": {"damage": 2}})
    assert {"cvg_lexington"} == {unit for unit, _, _ in additions(table, ALLIES, "strike_tf", "A1", "J1")}

    change(table, ALLIES, {"cv_lexington": {"damage": 3}})

    assert set() == declared(table, ALLIES)


def test_p26_3_at_night_only_bombers_strike_airbases_ports_and_troops() -> None:
    """Given Night, then 2E and 4E alone, at an airbase, a port installation or ground units, with shift -2.

    Flak 3 + 2 x 1 = 5: column 4 - 2. Bombs 2 x 4 = 8: column 5; level 1: 0, the port -1, half of the fort -1,
    Night -2: column 1; the face 0 hits once.
    """
    table = table_at(rabaul(), AirMissions(side=ALLIES), 9, 0, lighting="Night")
    every = {(kind, "port_moresby") for kind in ("strike_airbase", "strike_port", "strike_ground")}
    assert every == declared(table, ALLIES)
    assert "gasmata" in targets(table, ALLIES, "strike_airbase", "port_moresby")
    assert {AB} == {unit for unit, _, _ in additions(table, ALLIES, "strike_airbase", "port_moresby", "lae")}

    facts = fly(table, ALLIES, "strike_port", "port_moresby", "rabaul", {AB: 2})

    assert [("flak", "column 2", -2), ("bombing", "column 1", -4)] == rolls(facts)
    assert 1 == table.state.open.bases["rabaul"].port_damage


def test_p26_3_at_night_carriers_fly_nothing() -> None:
    """Given Night and fleets in reach, then the phasing player is not asked."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5542", "screen": ["dd_jp7"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        ],
        air=[{"id": "cvg_lexington", "steps": 2, "level": 1}],
    )
    table = table_at(scene, AirMissions(side=ALLIES), lighting="Night", detected=["J1"])

    assert {} == table.prompts


def dusk(*core: str) -> str:
    """Return a battle with two groups and a bomber in reach of a destroyer division, and of this core."""
    return battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5541", "core": [*core], "screen": ["dd_jp7"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
        ],
        air=[
            {"id": "cvg_lexington", "steps": 4, "level": 1},
            {"id": "cvg_yorktown", "steps": 4, "level": 1},
            {"id": AH, "steps": 2, "level": 1, "base": "noumea"},
        ],
    )


def test_p26_3_r_88_dusk_landings_one_die_a_unit_that_flew() -> None:
    """Given Dusk, when two groups flew (one escorted) and a bomber, then each group rolls once.

    Find: at Dusk 8 or 9 fails (range 2 of 3). Flak 1 step: column 1 - 2, no hit. Attack 4: column 3, -1.
    Noumea to 5541 is 7 hexes. The faces 8 and 7: Lexington loses a step, Yorktown none.
    """
    table = missions(dusk(), ALLIES, 7, 0, 9, 7, 0, 9, 8, 7, lighting="Dusk", detected=["J1", "A1"])
    fly(table, ALLIES, "strike_tf", "A1", "J1", {"cvg_lexington": 1}, {"cvg_yorktown": 1})
    first = allot(table, ALLIES, ("cvg_lexington", "dd_jp7", 1))
    assert [("air attack", "column 2", -1)] == rolls(first)
    fly(table, ALLIES, "strike_tf", "noumea", "J1", {AH: 1})
    allot(table, ALLIES, (AH, "dd_jp7", 1))

    facts = take(table, ALLIES, d.EndMissions())

    assert [("landing at Dusk", "8 or 9 loses a step", 0)] * 2 == rolls(facts)
    air = table.state.own[ALLIES].air
    assert (3, 4, 2) == (air["cvg_lexington"].steps, air["cvg_yorktown"].steps, air[AH].steps)
    assert 3 == air["cvg_lexington"].ready
    assert [0, 1] == table.state.open.steps_lost
    assert 0 == dice_left(table)


def test_p26_3_r_88_who_lost_all_steps_that_flew_does_not_roll() -> None:
    """Given flak that takes the one step of Lexington that struck, then her idle steps roll no die.

    Flak 1 + 1 + 1 + 1 + 1 = 5, column 4, shift -2, face 0: 2 hits. The escort of Yorktown comes back.
    """
    ships = ("bb_hiei", "bb_haruna", "bb_kongo", "bb_kirishima")
    table = missions(dusk(*ships), ALLIES, 7, 0, 7, lighting="Dusk", detected=["J1", "A1"])
    facts = fly(table, ALLIES, "strike_tf", "A1", "J1", {"cvg_lexington": 1}, {"cvg_yorktown": 1})
    assert [AirStepsLost("cvg_lexington", ALLIES, 1, "to flak")] == told(facts, AirStepsLost)

    last = take(table, ALLIES, d.EndMissions())

    assert ["cvg_yorktown"] == [one.subject for one in told(last, Rolled)]
    assert 3 == table.state.own[ALLIES].air["cvg_lexington"].steps


def test_p26_3_r_88_who_found_nothing_has_flown_too() -> None:
    """Given the face 9, then the strike is over, and the group rolls for its landing: 8, a step."""
    table = missions(dusk(), ALLIES, 9, 8, lighting="Dusk", detected=["J1", "A1"])
    fly(table, ALLIES, "strike_tf", "A1", "J1", {"cvg_lexington": 1})

    facts = take(table, ALLIES, d.EndMissions())

    assert ["cvg_lexington"] == [one.subject for one in told(facts, Rolled)]
    assert [AirStepsLost("cvg_lexington", ALLIES, 1, "landing at Dusk")] == told(facts, AirStepsLost)


def test_p26_3_r_88_a_bomber_that_comes_first_rolls_no_die_and_its_escort_does() -> None:
    """Given bombers and fighters that escort, in this order by id, then the fighters roll: 8, a step.

    Flak of Lae 1: column 1 - 2; the bombs: 9.
    """
    air = [{"id": unit, "steps": 1, "level": 1, "base": "port_moresby"} for unit in ("cw_2e_raaf", AF)]
    scene = battle(air=air, control={"JP": ["lae"]}, bases={"lae": {"airbase": 1}})
    table = missions(scene, ALLIES, 9, 9, 8, lighting="Dusk")

    facts = fly(table, ALLIES, "strike_airbase", "port_moresby", "lae", {"cw_2e_raaf": 1}, {AF: 1})

    assert [(AF, 8)] == [(one.subject, one.dice[0]) for one in told(facts, Rolled) if "Dusk" in one.purpose]
    assert [AirStepsLost(AF, ALLIES, 1, "landing at Dusk")] == told(facts, AirStepsLost)


def test_p26_3_by_day_nobody_rolls_for_landing() -> None:
    """Given Day and a strike that flew, then ending the missions rolls no die."""
    table = missions(dusk(), ALLIES, 9, detected=["J1", "A1"])
    fly(table, ALLIES, "strike_tf", "A1", "J1", {"cvg_lexington": 1})

    facts = take(table, ALLIES, d.EndMissions())

    assert [] == rolls(facts)


def test_p28_5_ships_are_attacked_at_sea_and_in_port() -> None:
    """Given fleets at sea and off Rabaul, and ships in its port, then each is a target by itself."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "4837", "screen": ["dd_jp7"]},
            {"id": "J2", "side": "JP", "hex": "4839", "screen": ["dd_jp8"]},
        ],
        naval=[{"at": "rabaul", "side": "JP", "units": ["dd_jp27"]}],
        air=[{"id": AH, "steps": 4, "level": 1, "base": "port_moresby"}],
        control={"JP": ["rabaul"], "AL": ["port_moresby"]},
    )
    table = missions(scene, ALLIES, 9, detected=["J1", "J2"])
    targets = {}
    for kind in ("strike_tf", "strike_ships_in_port"):
        ahead = table.ahead(ALLIES, [d.DeclareMission(kind, "port_moresby")])
        targets[kind] = [one.target for one in options(ahead, ALLIES) if isinstance(one, d.Target)]

    assert {"strike_tf": ["J1", "J2"], "strike_ships_in_port": ["rabaul"]} == targets
    fly(table, ALLIES, "strike_ships_in_port", "port_moresby", "rabaul", {AH: 1})
    assert {"dd_jp27"} == {one.ship for one in options(table, ALLIES) if isinstance(one, d.AllotStrike)}


def test_p28_4_7_p28_5_2_a_mission_that_fails_is_over_and_its_steps_are_used() -> None:
    """Given the face 9, then nothing is attacked, 2 of 4 steps are ready, and more may be flown."""
    table = missions(dusk(), ALLIES, 9, detected=["J1", "A1"])

    facts = fly(table, ALLIES, "strike_tf", "A1", "J1", {"cvg_lexington": 1}, {"cvg_lexington": 1})

    assert [NotFound(ALLIES, "J1")] == told(facts, NotFound)
    air = table.state.own[ALLIES].air["cvg_lexington"]
    assert (4, 2) == (air.steps, air.ready)
    assert ("strike_tf", "A1") in declared(table, ALLIES)
    assert () == table.state.open.raids


def test_p28_2_the_missions_go_on_until_they_are_ended() -> None:
    """Given the missions are ended, then nobody is asked any more in this phase."""
    table = missions(dusk(), ALLIES, detected=["J1"])

    take(table, ALLIES, d.EndMissions())

    assert {} == table.prompts


def test_p28_2_a_player_without_a_mission_is_not_asked() -> None:
    """Given nothing in reach of Japan, then after CAP the phase is over."""
    table = missions(dusk(), JAPAN)

    assert {} == table.prompts


def test_p0_8_a_mission_that_is_begun_takes_the_first_of_the_list() -> None:
    """Given no time, then no further mission; one begun takes the first option until it can be done."""
    table = missions(rabaul(), ALLIES)
    assert d.EndMissions() == default(table.state, ALLIES, table.prompts[ALLIES])
    ahead = table.ahead(ALLIES, [d.DeclareMission("strike_port", "port_moresby"), d.Target("rabaul")])
    assert d.AddSteps(AB, "strike", 1) == default(ahead.state, ALLIES, ahead.prompts[ALLIES])
    ahead = ahead.ahead(ALLIES, [d.AddSteps(AB, "strike", 1)])
    assert d.Done() == default(ahead.state, ALLIES, ahead.prompts[ALLIES])


def test_p28_3_what_is_asked_while_a_mission_is_put_together() -> None:
    """Given bombers alone in range, then steps are asked for; with all of them in it, only to take off."""
    table = missions(rabaul(), ALLIES)
    begun = [d.DeclareMission("strike_port", "port_moresby"), d.Target("rabaul")]

    ahead = table.ahead(ALLIES, begun)
    assert "Add steps to the strike at the port against [rabaul], then be done." == ahead.prompts[ALLIES].text

    ahead = table.ahead(ALLIES, [*begun, d.AddSteps(AB, "strike", 2)])
    assert "Nothing more can join the strike at the port against [rabaul]: take off." == (
        ahead.prompts[ALLIES].text
    )


def test_p28_3_nothing_that_is_not_listed_flies() -> None:
    """Given 2 ready steps, then 3 are refused, and so is a mission of the other side."""
    table = missions(rabaul(), ALLIES)
    with pytest.raises(NotOneCommand):
        fly(table, ALLIES, "strike_port", "port_moresby", "rabaul", {AB: 3})

    with pytest.raises(Illegal):
        table.decide(JAPAN, d.EndMissions())


def test_p28_2_what_flew_is_hidden_again_with_the_next_cycle() -> None:
    """Given bombers that flew and what lay open at Rabaul, then all of it is covered at 5.2.A (P0.4.1)."""
    scene = rabaul(
        air=[
            {"id": AB, "steps": 2, "level": 1, "base": "port_moresby"},
            {"id": JB, "steps": 2, "level": 1, "base": "rabaul"},
        ]
    )
    table = missions(scene, ALLIES, 9, 9)
    fly(table, ALLIES, "strike_port", "port_moresby", "rabaul", {AB: 1})
    board = table.state.open
    assert {AB, JB} == {*board.air}
    assert (2, 0) == (board.air[AB].steps, board.air[AB].ready)
    assert {"dd_jp7"} == {*board.ships}
    assert {} == board.ground

    cover_bases(table)

    assert ({}, {}) == (board.air, board.ships)


def test_p28_2_a_group_that_flew_from_a_hidden_fleet_is_hidden_again_with_the_next_cycle() -> None:
    """Given a strike from an Undetected fleet, then its group is public until 5.2.A, its ship never."""
    table = missions(dusk(), ALLIES, 9, detected=["J1"])
    fly(table, ALLIES, "strike_tf", "A1", "J1", {"cvg_lexington": 1})
    assert {"cvg_lexington"} == {*table.state.open.air}
    assert "cv_lexington" not in table.state.open.ships

    cover_bases(table)

    assert {} == table.state.open.air


def test_p28_r_7_the_second_phase_is_flown_as_the_first() -> None:
    """Given groups used in a phase, then only the bomber is left for another in the same cycle."""
    table = missions(dusk(), ALLIES, 9, detected=["J1"])
    fly(table, ALLIES, "strike_tf", "A1", "J1", {"cvg_lexington": 4, "cvg_yorktown": 4})
    take(table, ALLIES, d.EndMissions())
    table = again_at(table, AirMissions(side=ALLIES))
    take(table, ALLIES, d.Done())
    take(table, JAPAN, d.Done())

    assert {("strike_tf", "noumea"), ("ferry", AH)} == declared(table, ALLIES)
