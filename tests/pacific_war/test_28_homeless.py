"""P28.4.7 Return: what lands where, and air groups whose deck is gone."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import json

from domain.kernel.audience import Audience
from domain.kernel.table import Table
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import AirStepsLost, Covered, Shown, UnitLost
from tests.pacific_war.board import (
    again_at,
    battle,
    change,
    fly,
    guard,
    missions,
    options,
    sealed_facts,
    take,
    told,
)

JAPAN, ALLIES = 0, 1
LEX, YORK, ENT = "cvg_lexington", "cvg_yorktown", "cvg_enterprise"
DECKLESS = "without a deck to land on"


def fleet(
    *,
    core: list[str],
    steps: Mapping[str, int],
    levels: Mapping[str, int] | None = None,
    hex: str = "5543",
    cap: Mapping[str, int] | None = None,
    detected: bool = True,
    **changes: Any,
) -> Table:
    """Return a table with Allied carriers in A1, groups of these steps, and this CAP."""
    given: dict[str, Any] = {
        "tfs": [{"id": "A1", "side": "AL", "hex": hex, "core": core, "screen": ["dd_us2"]}],
        "air": [{"id": unit, "steps": n, "level": (levels or {}).get(unit, 1)} for unit, n in steps.items()],
    }
    scene = battle(**given | changes)
    return missions(scene, ALLIES, cap=cap, detected=["A1"] if detected else [])


def stand(table: Table, unit: str) -> tuple[str, int, int, int]:
    """Return the home of an Allied unit, its steps, those ready, those on CAP."""
    air = table.state.own[ALLIES].air[unit]
    return air.home, air.steps, air.ready, air.cap


def aloft(table: Table, unit: str, steps: int) -> dict[str, int]:
    """Let steps of an Allied unit be in the air, as on a mission."""
    change(table, ALLIES, {unit: {"ready": table.state.own[ALLIES].air[unit].ready - steps}})
    return {unit: steps}


def hit(table: Table, hits: Mapping[str, int], flying: Mapping[str, int] | None = None) -> list[Any]:
    """Let ships take hits; return the facts."""
    table.facts = []
    inflict(table, hits, flying)
    return table.facts


def test_p28_4_7_steps_that_are_left_land_at_their_home_and_are_used() -> None:
    """Given nothing hits, then the steps that flew are at home, and not ready."""
    table = fleet(
        core=["cv_lexington"],
        steps={LEX: 5},
        tfs=[
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
            {"id": "J1", "side": "JP", "hex": "5541", "screen": ["dd_jp7"]},
        ],
    )
    table = missions(table.state.open.scenario, ALLIES, 0, 9, 9, detected=["J1", "A1"])
    fly(table, ALLIES, "strike_tf", "A1", "J1", {LEX: 2}, {LEX: 1})

    take(table, ALLIES, d.AllotRest())

    assert ("cv_lexington", 5, 2, 0) == stand(table, LEX)
    assert {LEX: 2} == {unit: one.ready for unit, one in table.state.own[ALLIES].air.items()}
    assert () == table.state.open.raids


def test_p28_4_7_steps_aboard_a_sunk_carrier_that_did_not_fly_are_lost() -> None:
    """Given 5 steps aboard, 2 of them used, when Lexington is sunk, then all are lost with her, by name."""
    table = fleet(core=["cv_lexington"], steps={LEX: 5})
    change(table, ALLIES, {LEX: {"ready": 3}})

    facts = hit(table, {"cv_lexington": 5})

    assert [AirStepsLost(LEX, ALLIES, 5, "with the ship")] == told(facts, AirStepsLost)
    assert {"cv_lexington": "sunk", LEX: "destroyed"} == table.state.open.lost
    assert ("", 0, 0, 0) == stand(table, LEX)


def test_p28_4_7_steps_in_the_air_and_on_cap_join_another_carrier_of_the_fleet() -> None:
    """Given Lexington sunk, 2 in the air, 1 on CAP, 1 idle, then 3 join the group of Yorktown.

    They are used, or stay on CAP; the idle step is lost; the level is the lower of the two.
    """
    table = fleet(
        core=["cv_lexington", "cv_yorktown"], steps={LEX: 4, YORK: 3}, levels={YORK: 2, LEX: 1}, cap={LEX: 1}
    )

    facts = hit(table, {"cv_lexington": 9}, aloft(table, LEX, 2))

    assert ("cv_yorktown", 6, 3, 1) == stand(table, YORK)
    assert 1 == table.state.own[ALLIES].air[YORK].level
    assert ("", 0, 0, 0) == stand(table, LEX)
    assert [AirStepsLost(LEX, ALLIES, 1, "with the ship")] == told(facts, AirStepsLost)
    assert [0, 1] == table.state.open.steps_lost
    assert (6, 0) == (table.state.open.air[YORK].steps, table.state.open.air[YORK].cap)


def test_p28_4_7_p0_5_of_two_groups_on_a_carrier_the_first_takes_them_in() -> None:
    """Given the groups of Enterprise and Yorktown on Yorktown, then 2 steps of Lexington join the former."""
    table = fleet(core=["cv_enterprise", "cv_lexington", "cv_yorktown"], steps={LEX: 2, YORK: 2, ENT: 2})
    change(table, ALLIES, {"cv_enterprise": {"damage": 2}, ENT: {"home": "cv_yorktown"}})

    hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert ("cv_yorktown", 4, 2, 0) == stand(table, ENT)
    assert ("cv_yorktown", 2, 2, 0) == stand(table, YORK)


def test_p28_4_7_p0_4_1_a_group_that_moves_to_a_deck_in_sight_is_not_hidden_for_it() -> None:
    """Given Yorktown Detected and without a group, then that of Lexington is aboard her, and seen."""
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 2})

    facts = hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert "cv_yorktown" == table.state.open.air[LEX].home
    assert [] == [*told(facts, Covered), *told(facts, Shown)]


def test_p28_4_7_the_level_of_the_host_stays_if_it_is_the_lower() -> None:
    """Given steps of level 2 joining a group of level 0, then it is 0."""
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 2, YORK: 2}, levels={YORK: 0, LEX: 2})

    hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert (4, 0) == (table.state.own[ALLIES].air[YORK].steps, table.state.own[ALLIES].air[YORK].level)


def test_p28_4_7_a_crippled_carrier_keeps_the_steps_aboard() -> None:
    """Given Lexington crippled, 2 in the air, 3 aboard, then 2 join Yorktown, 3 stay aboard."""
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 5, YORK: 4})
    change(table, ALLIES, {LEX: {"ready": 4}})

    facts = hit(table, {"cv_lexington": 3}, aloft(table, LEX, 2))

    assert ("cv_lexington", 3, 2, 0) == stand(table, LEX)
    assert ("cv_yorktown", 6, 4, 0) == stand(table, YORK)
    assert [] == told(facts, AirStepsLost)


def test_p28_4_7_only_as_many_as_the_ship_has_room_for_those_on_a_mission_first() -> None:
    """Given room for 1, and 1 in the air and 2 on CAP, then that in the air lands, 2 are lost."""
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 3, YORK: 5}, cap={LEX: 2})

    facts = hit(table, {"cv_lexington": 5}, aloft(table, LEX, 1))

    assert ("cv_yorktown", 6, 5, 0) == stand(table, YORK)
    assert [AirStepsLost(LEX, ALLIES, 2, DECKLESS)] == told(facts, AirStepsLost)
    assert ["cv_lexington", LEX] == [one.unit for one in told(facts, UnitLost)]


def test_p28_4_7_hosts_come_in_the_order_of_their_ships() -> None:
    """Given Enterprise with room for 1 and Yorktown for 6, then Enterprise is filled first, by id."""
    table = fleet(core=["cv_yorktown", "cv_lexington", "cv_enterprise"], steps={LEX: 3, YORK: 2, ENT: 5})

    hit(table, {"cv_lexington": 5}, aloft(table, LEX, 3))

    assert 6 == stand(table, ENT)[1]
    assert 4 == stand(table, YORK)[1]


@pytest.mark.parametrize(("hex", "found"), [("5541", True), ("5540", False)])
def test_p28_4_7_within_two_hexes_of_the_fleet(hex: str, found: bool) -> None:
    """Given Yorktown in another fleet at 2 hexes, then she is a host, also Undetected; at 3 she is not."""
    fleets = [
        {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        {"id": "A2", "side": "AL", "hex": hex, "core": ["cv_yorktown"]},
    ]
    table = fleet(core=[], steps={LEX: 2, YORK: 2}, tfs=fleets)

    hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert (4 if found else 2) == stand(table, YORK)[1]
    assert YORK not in table.state.open.air
    assert [0, 0 if found else 2] == table.state.open.steps_lost


def test_p28_4_7_not_to_a_carrier_of_another_nation_nor_a_crippled_one() -> None:
    """Given a British carrier and Yorktown crippled in the same attack, then the steps are lost."""
    table = fleet(
        core=["cv_lexington", "cv_yorktown", "cv_illustrious"],
        steps={LEX: 2, YORK: 1, "cvg_illustrious": 1},
    )

    facts = hit(table, {"cv_lexington": 5, "cv_yorktown": 2}, aloft(table, LEX, 2))

    assert [AirStepsLost(LEX, ALLIES, 2, DECKLESS)] == told(facts, AirStepsLost)
    assert (1, 1) == (stand(table, YORK)[1], stand(table, "cvg_illustrious")[1])


def test_p28_4_7_two_decks_lost_at_once() -> None:
    """Given two carriers sunk with 2 each in the air, then Enterprise takes 3, in the fixed order."""
    table = fleet(core=["cv_lexington", "cv_yorktown", "cv_enterprise"], steps={LEX: 2, YORK: 2, ENT: 3})
    flying = aloft(table, LEX, 2) | aloft(table, YORK, 2)

    facts = hit(table, {"cv_lexington": 5, "cv_yorktown": 4}, flying)

    assert 6 == stand(table, ENT)[1]
    assert [AirStepsLost(YORK, ALLIES, 1, DECKLESS)] == told(facts, AirStepsLost)


# ashore


def test_p28_4_7_those_that_find_no_carrier_go_to_an_airbase_within_two_hexes() -> None:
    """Given Lexington sunk off Port Moresby, then her group lands there, used and on CAP."""
    table = fleet(core=["cv_lexington"], steps={LEX: 4}, hex="4541", cap={LEX: 1})

    facts = hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert ("port_moresby", 3, 0, 1) == stand(table, LEX)
    assert "port_moresby" in table.state.open.airfields[ALLIES]
    assert [AirStepsLost(LEX, ALLIES, 1, "with the ship")] == told(facts, AirStepsLost)
    assert 3 == table.state.open.air[LEX].steps


def test_p28_4_7_the_places_come_in_the_fixed_order() -> None:
    """Given Port Moresby at 1 hex and Buna at 2, both with room, then Buna, the first by id."""
    table = fleet(core=["cv_lexington"], steps={LEX: 2}, hex="4441", bases={"buna": {"airbase": 1}})
    assert (1, 2) == (distance("4441", "4440"), distance("4441", "4539"))

    hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert "buna" == stand(table, LEX)[0]


def test_p28_4_7_not_to_an_airbase_without_room_nor_of_the_enemy() -> None:
    """Given Port Moresby of size 1 with two units, and Lae in range, then the steps are lost."""
    air = [
        {"id": LEX, "steps": 2, "level": 1},
        {"id": "us_2e_3bg", "steps": 1, "level": 1, "base": "port_moresby"},
        {"id": "us_1e_35fg", "steps": 1, "level": 1, "base": "port_moresby"},
    ]
    bases = {"port_moresby": {"airbase": 1}}
    table = fleet(core=["cv_lexington"], steps={}, hex="4540", air=air, bases=bases)

    facts = hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert [AirStepsLost(LEX, ALLIES, 2, DECKLESS)] == told(facts, AirStepsLost)


def test_p2_3_2_a_patrol_that_is_up_may_land_at_an_interdicted_airbase() -> None:
    """Given Port Moresby interdicted, then CAP of a sunk carrier lands there."""
    table = fleet(core=["cv_lexington"], steps={LEX: 2}, hex="4541", cap={LEX: 2})
    base = table.state.open.bases["port_moresby"]
    table.state.open.bases["port_moresby"] = type(base)(ALLIES, airbase=2, airbase_damage=2)

    hit(table, {"cv_lexington": 5})

    assert ("port_moresby", 2, 0, 2) == stand(table, LEX)


def test_p28_4_7_r_100_steps_that_cannot_land_while_others_stay_aboard_are_lost() -> None:
    """Given a crippled carrier with 1 idle step off Port Moresby, then that stays, the rest is lost.

    A unit is in one place: the steps in the air could only join another group.
    """
    table = fleet(core=["cv_lexington"], steps={LEX: 3}, hex="4541")

    facts = hit(table, {"cv_lexington": 3}, aloft(table, LEX, 2))

    assert ("cv_lexington", 1, 1, 0) == stand(table, LEX)
    assert [AirStepsLost(LEX, ALLIES, 2, DECKLESS)] == told(facts, AirStepsLost)


def test_p28_4_7_nor_on_a_carrier_without_a_group_while_others_stay_aboard() -> None:
    """Given Lexington crippled with 1 idle step, and Yorktown empty, then the idle step stays where it is."""
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 3})

    facts = hit(table, {"cv_lexington": 3}, aloft(table, LEX, 2))

    assert ("cv_lexington", 1, 1, 0) == stand(table, LEX)
    assert [AirStepsLost(LEX, ALLIES, 2, DECKLESS)] == told(facts, AirStepsLost)


def test_p28_4_7_a_group_without_any_step_aboard_leaves_its_crippled_carrier() -> None:
    """Given all steps in the air when Lexington is crippled, then the group lands ashore."""
    table = fleet(core=["cv_lexington"], steps={LEX: 3}, hex="4541")

    hit(table, {"cv_lexington": 3}, aloft(table, LEX, 3))

    assert ("port_moresby", 3, 0, 0) == stand(table, LEX)


def test_p28_4_7_a_group_ashore_is_a_land_based_unit_there() -> None:
    """Given the group of Lexington at Port Moresby, then it strikes and puts up CAP from there."""
    table = fleet(core=["cv_lexington"], steps={LEX: 3}, hex="4541")
    hit(table, {"cv_lexington": 5}, aloft(table, LEX, 3))
    change(table, ALLIES, {LEX: {"ready": 3}})
    table = again_at(table, AirMissions(side=ALLIES))
    assert d.AssignCAP(LEX, 3) in options(table, ALLIES)
    guard(table, {})

    kinds = {(one.kind, one.origin) for one in options(table, ALLIES) if isinstance(one, d.DeclareMission)}

    assert ("strike_airbase", "port_moresby") in kinds


# a host without its own group


@pytest.mark.parametrize("own", ["dead", "ashore"])
def test_p28_4_7_r_105_on_a_carrier_without_a_group_the_group_itself_lands(own: str) -> None:
    """Given Yorktown whose group is dead, or ashore, then Lexington's group moves to her, used and on CAP."""
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 4, YORK: 3}, cap={LEX: 1})
    away = {"home": "", "steps": 0, "ready": 0} if own == "dead" else {"home": "port_moresby"}
    change(table, ALLIES, {YORK: away})

    hit(table, {"cv_lexington": 5}, aloft(table, LEX, 3))

    assert ("cv_yorktown", 4, 0, 1) == stand(table, LEX)
    assert "cv_yorktown" == table.state.open.air[LEX].home
    assert (3 if own == "ashore" else 0) == stand(table, YORK)[1]


def test_p28_4_7_the_steps_of_all_groups_aboard_fill_a_deck() -> None:
    """Given Lexington's group of 4 on Yorktown, then steps of Enterprise join it, up to 6, and 1 is lost."""
    table = fleet(core=["cv_enterprise", "cv_yorktown", "cv_lexington"], steps={ENT: 3, YORK: 1, LEX: 4})
    change(table, ALLIES, {LEX: {"home": "cv_yorktown"}, YORK: {"home": "", "steps": 0}})
    change(table, ALLIES, {"cv_lexington": {"damage": 3}})

    facts = hit(table, {"cv_enterprise": 4}, aloft(table, ENT, 3))

    assert ("cv_yorktown", 6) == stand(table, LEX)[:2]
    assert [AirStepsLost(ENT, ALLIES, 1, DECKLESS)] == told(facts, AirStepsLost)


def test_p28_4_7_a_guest_group_goes_down_with_the_ship_that_it_is_aboard() -> None:
    """Given Lexington's group on Yorktown, 1 on CAP, when she is sunk, then 2 go down with her."""
    table = fleet(core=["cv_enterprise", "cv_yorktown", "cv_lexington"], steps={ENT: 3, LEX: 3, YORK: 1})
    change(table, ALLIES, {LEX: {"home": "cv_yorktown", "ready": 2, "cap": 1}})

    facts = hit(table, {"cv_yorktown": 4})

    assert [(LEX, 2), (YORK, 1)] == [(one.unit, one.steps) for one in told(facts, AirStepsLost)]
    assert (4, 1) == (stand(table, ENT)[1], stand(table, ENT)[3])


def test_p28_4_7_p0_4_1_a_group_that_lands_in_a_hidden_fleet_is_hidden_with_it() -> None:
    """Given an Undetected host without a group, then the group that lands there is public no more."""
    fleets = [
        {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        {"id": "A2", "side": "AL", "hex": "5542", "core": ["cv_yorktown"]},
    ]
    table = fleet(core=[], steps={LEX: 2}, tfs=fleets)
    assert LEX in table.state.open.air

    facts = hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert "cv_yorktown" == stand(table, LEX)[0]
    assert LEX not in table.state.open.air
    assert not [one for one in facts if one.audience() is Audience.ALL and b"cv_yorktown" in json.encode(one)]


def test_p28_4_7_p0_4_1_a_group_that_lands_in_a_detected_fleet_is_public() -> None:
    """Given a hidden carrier sunk beside a Detected fleet, then its group is public where it lands."""
    fleets = [
        {"id": "A1", "side": "AL", "hex": "5542", "core": ["cv_yorktown"]},
        {"id": "A2", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
    ]
    table = fleet(core=[], steps={LEX: 2}, tfs=fleets)
    assert LEX not in table.state.open.air

    hit(table, {"cv_lexington": 5}, aloft(table, LEX, 2))

    assert ("cv_yorktown", 2) == (table.state.open.air[LEX].home, table.state.open.air[LEX].steps)


def test_p26_3_p28_4_7_steps_from_a_mission_come_back_as_their_group_or_join_another() -> None:
    """Given 2 steps that return, then they are their own group's on their deck and ashore, on no other."""
    unhurt = fleet(core=["cv_lexington"], steps={LEX: 3})
    ashore = fleet(core=["cv_lexington"], steps={LEX: 2}, hex="4541")
    lost = fleet(core=["cv_lexington"], steps={LEX: 2})
    mates = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 2, "cvg_yorktown": 2})

    assert {LEX: 2} == inflict(unhurt, {"cv_lexington": 1}, aloft(unhurt, LEX, 2))
    assert {LEX: 2} == inflict(ashore, {"cv_lexington": 5}, aloft(ashore, LEX, 2))
    assert {} == inflict(lost, {"cv_lexington": 5}, aloft(lost, LEX, 2))
    assert {} == inflict(mates, {"cv_lexington": 5}, aloft(mates, LEX, 2))
    assert 4 == mates.state.own[ALLIES].air["cvg_yorktown"].steps


def test_p28_4_7_no_place_is_looked_for_twice() -> None:
    """Given a carrier crippled before, when she is sunk, then only what is aboard is lost."""
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 3, YORK: 3})
    change(table, ALLIES, {"cv_lexington": {"damage": 3}})

    facts = hit(table, {"cv_lexington": 2})

    assert [AirStepsLost(LEX, ALLIES, 3, "with the ship")] == told(facts, AirStepsLost)
    assert 3 == stand(table, YORK)[1]


@pytest.mark.parametrize(
    ("steps", "cap"),
    [
        ({LEX: 3}, {}),
        ({LEX: 3}, {LEX: 1}),
        ({LEX: 3}, {LEX: 3}),
        ({LEX: 2, YORK: 3}, {LEX: 2}),
        ({LEX: 2, YORK: 6}, {LEX: 2}),
        ({}, {}),
    ],
)
@pytest.mark.parametrize("damage", [3, 5])
def test_p0_4_2_a_carrier_that_is_crippled_or_sunk_does_not_tell_what_was_on_patrol(
    steps: dict[str, int], cap: dict[str, int], damage: int
) -> None:
    """Given steps on CAP or none, room for them or none: 2 facts are sealed, hers and her group's."""
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps=steps, cap=cap)

    assert 2 == sealed_facts(hit(table, {"cv_lexington": damage}))


def test_p0_4_2_nor_does_it_tell_how_many_groups_were_aboard() -> None:
    """Given a guest group aboard Lexington with a step of each on CAP, then both land by one sealed fact."""
    core = ["cv_hornet", "cv_lexington", "cv_yorktown"]
    table = fleet(core=core, steps={LEX: 2, YORK: 2, "cvg_hornet": 2})
    guest = {"home": "cv_lexington", "cap": 1, "ready": 1}
    change(table, ALLIES, {LEX: {"cap": 1, "ready": 1}, "cvg_hornet": guest})

    assert 2 == sealed_facts(hit(table, {"cv_lexington": 3}))
    assert ("cv_yorktown", 4, 2, 2) == stand(table, YORK)


def test_p0_4_2_a_ship_that_is_no_carrier_or_not_crippled_seals_her_own_fact_alone() -> None:
    table = fleet(core=["cv_lexington", "cv_yorktown"], steps={LEX: 3}, cap={LEX: 1})

    assert 1 == sealed_facts(hit(table, {"dd_us2": 2}))
    assert 1 == sealed_facts(hit(table, {"cv_lexington": 2}))
