"""P28.1 Combat air patrol: who may fly it, what is told of it, how long it stays up."""

from typing import Any

import pytest

from domain.kernel.facts import Padding
from domain.kernel.table import Illegal, NotOneCommand, Table, Unfinished
from domain.pacific_war.battle.cap import guarding
from domain.pacific_war.battle.sequence import refresh
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.fighting import CapIs
from tests.pacific_war.board import (
    again_at,
    allot,
    battle,
    change,
    dice_left,
    fly,
    guard,
    kinds,
    missions,
    options,
    sealed_facts,
    table_at,
    take,
    told,
)

JAPAN, ALLIES = 0, 1
JF, JB, AF, AB = "jn_1e_25af", "jn_2e_25af", "us_1e_35fg", "us_2e_3bg"


def scene(**changes: Any) -> str:
    """Return a battle with two carriers, and with fighters and bombers at Rabaul and Port Moresby."""
    given: dict[str, Any] = {
        "tfs": [
            {"id": "J1", "side": "JP", "hex": "5540", "core": ["cv_shokaku"], "screen": ["dd_jp7"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"], "screen": ["dd_us2"]},
        ],
        "air": [
            {"id": "cvg_shokaku", "steps": 4, "level": 1},
            {"id": "cvg_lexington", "steps": 5, "level": 1},
            {"id": JF, "steps": 3, "level": 1, "base": "rabaul"},
            {"id": JB, "steps": 4, "level": 1, "base": "rabaul"},
            {"id": AF, "steps": 5, "level": 0, "base": "port_moresby"},
            {"id": AB, "steps": 2, "level": 1, "base": "port_moresby"},
        ],
    }
    return battle(**given | changes)


def patrols(table: Table, side: int) -> dict[str, list[int]]:
    """Return what a side may assign: unit to steps."""
    found: dict[str, list[int]] = {}
    for one in options(table, side):
        if isinstance(one, d.AssignCAP):
            found.setdefault(one.unit, []).append(one.steps)
    return found


def test_p28_1_ready_steps_of_fighters_and_carrier_groups_are_offered() -> None:
    """Given units with some ready steps, then 1E and CVG units may assign any number of these."""
    table = table_at(scene(), AirMissions(side=JAPAN))
    change(table, JAPAN, {JF: {"ready": 2}, "cvg_shokaku": {"ready": 1}})

    assert {JF: [1, 2], "cvg_shokaku": [1]} == patrols(table, JAPAN)
    assert {AF: [1, 2, 3, 4, 5], "cvg_lexington": [1, 2, 3, 4, 5]} == patrols(table, ALLIES)
    assert d.Done() == options(table, JAPAN)[-1]


def test_p28_1_what_is_asked_goes_by_what_is_left_to_assign() -> None:
    """Given one unit that can fly CAP against none, then the sentence says so, before and after its pick."""
    air = [{"id": JF, "steps": 3, "level": 1, "base": "rabaul"}]
    table = table_at(scene(air=air), AirMissions(side=JAPAN))
    texts = [table.prompts[side].text for side in (JAPAN, ALLIES)]
    ahead = table.ahead(JAPAN, [d.AssignCAP(JF, 3)])

    assert texts == [
        "Assign steps to CAP, then be done. What you assign stays hidden.",
        "You have no steps that can go on CAP: be done.",
    ]
    assert (
        "No more steps can go on CAP: be done. What you assigned stays hidden." == ahead.prompts[JAPAN].text
    )
    assert texts[1] == ahead.prompts[ALLIES].text


def test_p28_1_an_inactive_land_based_unit_puts_up_half_rounded_down() -> None:
    """Given an inactive unit of 5 steps, then it offers 2; with 2 of these on CAP already, none."""
    table = table_at(scene(), AirMissions(side=JAPAN))
    change(table, ALLIES, {AF: {"active": False}})
    assert [1, 2] == patrols(table, ALLIES)[AF]

    change(table, ALLIES, {AF: {"ready": 3, "cap": 2}})

    assert AF not in patrols(table, ALLIES)


def test_p28_1_none_from_a_crippled_or_inactive_carrier() -> None:
    """Given Shokaku with 3 of 5 hits, and Lexington inactive, then their groups put up no CAP."""
    table = table_at(scene(), AirMissions(side=JAPAN))
    change(table, JAPAN, {"cv_shokaku": {"damage": 3}})
    change(table, ALLIES, {"cv_lexington": {"active": False}})

    assert [JF] == [*patrols(table, JAPAN)]
    assert [AF] == [*patrols(table, ALLIES)]


def test_p28_1_p2_3_2_none_from_an_interdicted_airbase_or_above_its_room() -> None:
    """Given Port Moresby interdicted, and a unit too many at Buka, then these put up no CAP."""
    crowd = [
        {"id": unit, "steps": 2, "level": 1, "base": "buka"}
        for unit in ("jn_1e_24af", "jn_1e_25af", "jn_1e_26af")
    ]
    table = table_at(
        scene(air=[*crowd, {"id": AF, "steps": 5, "level": 0, "base": "port_moresby"}]), AirMissions(side=0)
    )
    base = table.state.open.bases["port_moresby"]
    assert (1, 2) == (table.state.open.bases["buka"].airbase, base.airbase)
    assert ["jn_1e_24af", "jn_1e_25af"] == [*patrols(table, JAPAN)]
    assert [AF] == [*patrols(table, ALLIES)]

    table.state.open.bases["port_moresby"] = type(base)(ALLIES, airbase=2, airbase_damage=2)
    table._advance()

    assert {} == patrols(table, ALLIES)


def test_p28_1_each_unit_once() -> None:
    """Given a pick of a unit, then it is not offered again in the same window."""
    table = table_at(scene(), AirMissions(side=JAPAN))

    ahead = table.ahead(JAPAN, [d.AssignCAP(JF, 1)])

    assert ["cvg_shokaku"] == [*patrols(ahead, JAPAN)]
    with pytest.raises(NotOneCommand):
        take(table, JAPAN, d.AssignCAP(JF, 1), d.AssignCAP(JF, 1), d.Done())


def test_p28_1_steps_leave_the_ready_ones_and_are_done_for_the_cycle() -> None:
    """Given 2 of 3 fighters on CAP, then 1 is ready; in the next cycle all 3 are (P5.2.A)."""
    table = missions(scene(), JAPAN, cap={JF: 2})
    air = table.state.own[JAPAN].air
    assert (1, 2) == (air[JF].ready, air[JF].cap)

    refresh(table, 2)

    assert (3, 0) == (air[JF].ready, air[JF].cap)


def test_p28_1_r_42_r_7_the_patrol_stays_up_and_more_is_added_in_the_second_phase() -> None:
    """Given 2 steps up in 5.2.D, when 5.2.L assigns 1 more, then 3 guard."""
    table = missions(scene(), JAPAN, cap={JF: 2})
    table = again_at(table, AirMissions(side=ALLIES))
    assert [1] == patrols(table, JAPAN)[JF]

    guard(table, {JF: 1})

    air = table.state.own[JAPAN].air[JF]
    assert (0, 3) == (air.ready, air.cap)


def test_p28_1_p26_3_no_patrol_at_night() -> None:
    """Given Night, then the window does not open, and the phasing player is asked at once."""
    table = table_at(scene(), AirMissions(side=JAPAN), lighting="Night")

    assert set() == kinds(table, ALLIES)
    assert "AssignCAP" not in kinds(table, JAPAN)


def test_p28_1_r_54_both_are_asked_also_who_can_only_be_done() -> None:
    """Given no fighters at all, then both sides are asked, and each answers; nothing is forced."""
    table = table_at(battle(), AirMissions(side=JAPAN))

    assert [d.Done()] == options(table, JAPAN)
    assert [d.Done()] == options(table, ALLIES)
    take(table, JAPAN, d.Done())
    assert [d.Done()] == options(table, ALLIES)
    assert [] == options(table, JAPAN)


def test_e2_1_the_allies_assign_none_in_the_first_cycle() -> None:
    """Given Pearl Harbor, then the Allies can only be done, and put up CAP in the second cycle."""
    first = table_at("E2", AirMissions(side=JAPAN))
    assert [d.Done()] == options(first, ALLIES)
    assert [1, 2, 3, 4, 5] == patrols(first, JAPAN)["cvg_hiryu"]

    second = table_at("E2", AirMissions(side=JAPAN), cycle=2)

    assert {"us_1e_haw": [1, 2, 3], "us_1e_mag21": [1]} == patrols(second, ALLIES)


def test_p0_3_2_no_pick_alone_ends_a_command() -> None:
    """Given the sealed window, then a pick without Done is refused."""
    table = table_at(scene(), AirMissions(side=JAPAN))

    with pytest.raises(Unfinished):
        table.decide(JAPAN, d.AssignCAP(JF, 1))


SETS: tuple[dict[str, int], ...] = ({}, {JF: 3}, {JF: 1, "cvg_shokaku": 4})


@pytest.mark.parametrize("picks", SETS)
def test_p28_1_r_51_r_54_nobody_else_can_tell_what_was_picked(picks: dict[str, int]) -> None:
    """Given any picks, then the open table and the count of sealed facts are those of no picks (P0.3.2)."""
    empty, table = (table_at(scene(), AirMissions(side=ALLIES)) for _ in range(2))
    chosen = [d.AssignCAP(unit, steps) for unit, steps in picks.items()]

    none = take(empty, JAPAN, d.Done())
    some = take(table, JAPAN, *chosen, d.Done())

    assert sealed_facts(none) == len(none) == len(some) == sealed_facts(some)
    assert len(told(none, Padding)) > 0
    assert empty.state.open.air == table.state.open.air
    assert empty.state.open.tfs == table.state.open.tfs


@pytest.mark.parametrize("picks", SETS)
def test_p0_3_2_r_54_nor_from_the_command_that_closes_the_window(picks: dict[str, int]) -> None:
    """Given the Allies answered first, then the last command seals as many facts whatever Japan picks."""
    counts = set()
    for chosen in ({}, picks):
        table = table_at(scene(), AirMissions(side=ALLIES), detected=["J1"])
        take(table, ALLIES, d.Done())
        facts = take(table, JAPAN, *(d.AssignCAP(u, n) for u, n in chosen.items()), d.Done())
        counts.add((len(facts), sealed_facts(facts)))

    assert 1 == len(counts)


def test_p28_1_several_units_and_task_forces_of_a_hex_share_it() -> None:
    """Given fighters at Rabaul and a carrier in its hex, then both guard the hex, and no other."""
    fleets = [{"id": "J1", "side": "JP", "hex": "4837", "core": ["cv_shokaku"]}]
    air = [
        {"id": JF, "steps": 3, "level": 1, "base": "rabaul"},
        {"id": "cvg_shokaku", "steps": 4, "level": 1},
    ]
    table = missions(scene(tfs=fleets, air=air), ALLIES, cap={JF: 2, "cvg_shokaku": 3})

    assert {"cvg_shokaku": 3, JF: 2} == guarding(table, JAPAN, "4837")
    assert {} == guarding(table, JAPAN, "4838")
    assert {} == guarding(table, ALLIES, "4837")


def test_p28_1_r_51_an_undetected_carrier_guards_the_airbase_beside_it_and_its_steps_are_told() -> None:
    """Given a hidden carrier at Rabaul, when that is struck, then its CAP fights, and no more is told.

    Free CAP of 3 steps: strength 6, column 4, shift 0 - 1, column 3; the face 9 does not hit. Flak of Rabaul,
    3: column 3, shift -2, column 1. Bombs: 2 x 6 = 12, column 6, shift -1.
    """
    fleets = [{"id": "J1", "side": "JP", "hex": "4837", "core": ["cv_shokaku"]}]
    air = [
        {"id": "cvg_shokaku", "steps": 4, "level": 1},
        {"id": "us_4e_feaf", "steps": 2, "level": 1, "base": "port_moresby"},
        {"id": JF, "steps": 2, "level": 1, "base": "rabaul"},
    ]
    table = missions(scene(tfs=fleets, air=air), ALLIES, 9, 9, 9, cap={"cvg_shokaku": 3})

    facts = fly(table, ALLIES, "strike_airbase", "port_moresby", "rabaul", {"us_4e_feaf": 2})

    assert [CapIs(JAPAN, "4837", {"cvg_shokaku": 3})] == told(facts, CapIs)
    assert JF in table.state.open.air
    assert "cvg_shokaku" not in table.state.open.air
    assert "cv_shokaku" not in table.state.open.ships
    assert 0 == dice_left(table)


def test_p0_4_1_land_based_cap_is_public_once_it_has_fought_over_a_fleet() -> None:
    """Given fighters at Buka over a fleet in its hex, when it is struck, then they are public.

    Find 0; free CAP of 1 step: strength 2, column 2, shift -1, face 9; flak of the destroyers 1 - 2, face 9;
    bombs 1: column 1, face 9. Of what is on CAP the copy tells nothing (R-95).
    """
    fleets = [
        {"id": "J2", "side": "JP", "hex": "5038a", "screen": ["dd_jp7"]},
        {"id": "A1", "side": "AL", "hex": "4940", "core": ["cv_lexington"]},
    ]
    air = [
        {"id": "cvg_lexington", "steps": 5, "level": 1},
        {"id": JF, "steps": 3, "level": 1, "base": "buka"},
    ]
    table = missions(scene(tfs=fleets, air=air), ALLIES, 0, 9, 9, 9, cap={JF: 1}, detected=["J2", "A1"])
    assert JF not in table.state.open.air

    fly(table, ALLIES, "strike_tf", "A1", "J2", {"cvg_lexington": 1})
    allot(table, ALLIES, ("cvg_lexington", "dd_jp7", 1))

    shown = table.state.open.air[JF]
    assert (3, 1, "buka", 0, 0) == (shown.steps, shown.level, shown.home, shown.ready, shown.cap)


def test_p28_1_no_more_than_the_ready_steps() -> None:
    """Given 3 ready steps, then 4 are refused."""
    table = table_at(scene(), AirMissions(side=JAPAN))

    with pytest.raises(Illegal):
        table.decide(JAPAN, d.AssignCAP(JF, 4))
