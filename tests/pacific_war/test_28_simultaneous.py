"""P28.12 The answer: a simultaneous strike, and two windows of targets in one mission."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.facts import Rolled
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war.clock import default
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import AirStepsLost, Found
from domain.pacific_war.facts.fighting import CapIs, RaidsAre, TookOff
from domain.pacific_war.facts.happenings import NotFound
from tests.pacific_war.board import (
    allot,
    answer,
    battle,
    change,
    dice_left,
    fly,
    missions,
    options,
    rolls,
    sealed_facts,
    take,
    told,
)

JAPAN, ALLIES = 0, 1
LEX, SHO, ZUI, JB, AH = "cvg_lexington", "cvg_shokaku", "cvg_zuikaku", "jn_2e_25af", "us_4e_feaf"
BETRAYAL = "betrayal of the position"


def scene(hex: str = "5541", **changes: Any) -> str:
    """Return a battle with Shokaku and Zuikaku (range 4) and Lexington (range 3), some hexes apart."""
    given: dict[str, Any] = {
        "tfs": [
            {"id": "J1", "side": "JP", "hex": hex, "core": ["cv_shokaku", "cv_zuikaku"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"], "screen": ["dd_us2"]},
        ],
        "air": [
            {"id": SHO, "steps": 4, "level": 1},
            {"id": ZUI, "steps": 4, "level": 1},
            {"id": LEX, "steps": 5, "level": 1},
        ],
    }
    return battle(**given | changes)


def raid(table: Table, escort: int = 0) -> list[Any]:
    """Let Japan strike A1 with 2 steps of Shokaku."""
    return list(fly(table, JAPAN, "strike_tf", "J1", "A1", {SHO: 2}, {SHO: escort} if escort else None))


def asked(table: Table) -> list[Any]:
    """Return what the defender may decide."""
    return options(table, ALLIES)


def test_p28_12_a_detected_carrier_fleet_in_range_may_be_struck_back_without_a_die() -> None:
    """Given both Detected at 2 hexes, then the Allies are asked, and no betrayal is rolled."""
    table = missions(scene(), JAPAN, 0, detected=["A1", "J1"])

    facts = raid(table)

    assert [d.SimultaneousStrike(), d.Decline()] == asked(table)
    assert ["finding the target"] == [one for one, _, _ in rolls(facts)]
    assert d.Decline() == default(table.state, ALLIES, table.prompts[ALLIES])


def test_p28_12_only_a_strike_that_finds_its_target_is_answered() -> None:
    """Given the find fails, then nobody is asked, and no betrayal is rolled (P28.4)."""
    table = missions(scene(), JAPAN, 9, detected=["A1"])

    assert 1 == len(rolls(raid(table)))
    assert [] == asked(table)


@pytest.mark.parametrize(("face", "betrayed"), [(2, True), (3, False)])
def test_p28_12_r_64_a_hidden_position_is_betrayed_on_2_or_less(face: int, betrayed: bool) -> None:
    """Given J1 Undetected: the faces 2 and 3. The die is open, rolled before the Allies are asked."""
    table = missions(scene(), JAPAN, 0, face, 9, detected=["A1"])

    facts = raid(table)

    assert (BETRAYAL, "2 or less", 0) in rolls(facts)
    assert BETRAYAL in [one.purpose for one in told(facts, Rolled)]
    assert betrayed == (d.SimultaneousStrike() in asked(table))
    assert ("J1" if betrayed else "") == told(facts, RaidsAre)[-1].raids[0].origin
    assert not table.state.open.tfs["J1"].detected


def test_p28_12_no_die_where_the_answer_would_be_out_of_range() -> None:
    """Given Lexington's range of 3 and J1 at 4 hexes, then nothing is rolled, and nobody is asked."""
    for detected in (["A1"], ["A1", "J1"]):
        table = missions(scene("5539"), JAPAN, 0, 9, detected=detected)
        facts = raid(table)
        assert BETRAYAL not in [one for one, _, _ in rolls(facts)]
        assert [] == asked(table)


def test_p28_12_no_answer_without_an_uncrippled_carrier_that_has_aircraft() -> None:
    """Given Lexington crippled, or without a group, then nobody is asked."""
    for units in ({"cv_lexington": {"damage": 3}}, {LEX: {"home": "port_moresby"}}):
        table = missions(scene(), JAPAN, 0, 9, detected=["A1", "J1"])
        change(table, ALLIES, units)
        raid(table)
        assert [] == asked(table)


def test_p28_12_r_95_r_101_he_is_asked_even_if_he_can_only_decline() -> None:
    """Given no ready step on Lexington, then the Allies are asked all the same."""
    for detected, dice in ((["A1", "J1"], (0, 9)), (["A1"], (0, 2, 9))):
        table = missions(scene(), JAPAN, *dice, detected=detected)
        change(table, ALLIES, {LEX: {"ready": 0}})
        raid(table)
        assert [d.Decline()] == asked(table)
        take(table, ALLIES, d.Decline())


def test_p28_12_by_day_or_at_dusk() -> None:
    """Given Dusk, then he is asked too."""
    table = missions(scene(), JAPAN, 0, lighting="Dusk", detected=["A1", "J1"])
    raid(table)

    assert [d.SimultaneousStrike(), d.Decline()] == asked(table)


def test_p28_12_he_names_steps_by_p28_3_from_the_fleet_that_is_struck() -> None:
    """Given Lexington struck and Yorktown in another fleet, then only Lexington's steps may fly."""
    fleets = [
        {"id": "J1", "side": "JP", "hex": "5541", "core": ["cv_shokaku"]},
        {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        {"id": "A2", "side": "AL", "hex": "5543", "core": ["cv_yorktown"]},
    ]
    air = [{"id": SHO, "steps": 4, "level": 1}, {"id": LEX, "steps": 3, "level": 1}]
    air += [{"id": "cvg_yorktown", "steps": 5, "level": 1}]
    table = missions(scene(tfs=fleets, air=air), JAPAN, 0, detected=["A1", "J1"])
    raid(table)

    ahead = table.ahead(ALLIES, [d.SimultaneousStrike()])

    assert {(LEX, "strike", n) for n in (1, 2, 3)} | {(LEX, "escort", n) for n in (1, 2)} == {
        (one.unit, one.role, one.steps) for one in options(ahead, ALLIES) if isinstance(one, d.AddSteps)
    }
    assert d.Done() not in options(ahead, ALLIES)


def test_p28_12_both_strikes_go_stage_by_stage_the_phasing_players_first() -> None:
    """Given CAP over both fleets, then find P, betrayal, find D; air combat P, D; flak P, D; attacks P, D.

    The position is betrayed on 1; both find on 0; all else are faces 9, without effect.
    """
    dice = (0, 1, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)
    table = missions(scene(), JAPAN, *dice, detected=["A1"], cap={LEX: 2, ZUI: 2})
    facts = raid(table, escort=1)
    facts += answer(table, ALLIES, {LEX: 1}, {LEX: 1})
    facts += allot(table, JAPAN, (SHO, "cv_lexington", 2))
    facts += allot(table, ALLIES, (LEX, "cv_zuikaku", 1))

    who = [(one.purpose, one.by) for one in facts if hasattr(one, "dice")]

    assert [
        ("finding the target", JAPAN),
        (BETRAYAL, ALLIES),
        ("finding the target", ALLIES),
        ("escort fire", JAPAN),
        ("engaged CAP fire", ALLIES),
        ("free CAP fire", ALLIES),
        ("escort fire", ALLIES),
        ("engaged CAP fire", JAPAN),
        ("free CAP fire", JAPAN),
        ("flak", ALLIES),
        ("flak", JAPAN),
        ("air attack", JAPAN),
        ("air attack", ALLIES),
    ] == who
    assert [ALLIES, JAPAN] == [one.side for one in told(facts, CapIs)]
    assert 0 == dice_left(table)


def test_p28_12_r_64_a_betrayed_fleet_that_is_found_becomes_detected() -> None:
    """Given J1 betrayed and found, then it is Detected, and its strike keeps its +1 (P28.5.1)."""
    table = missions(scene(), JAPAN, 0, 0, 0, 9, 9, 9, 9, detected=["A1"])
    raid(table)

    facts = answer(table, ALLIES, {LEX: 2})

    assert ["J1"] == [one.tf for one in told(facts, Found)]
    assert [True, True] == [one.found for one in table.state.open.raids]
    assert ("cv_shokaku", "cv_zuikaku") == table.state.open.contents["J1"].core
    allot(table, JAPAN, (SHO, "dd_us2", 2))
    facts = allot(table, ALLIES, (LEX, "cv_zuikaku", 2))
    assert [("air attack", 1), ("air attack", 1)] == [(one, amount) for one, _, amount in rolls(facts)]


def test_p28_12_if_his_find_fails_only_the_answer_ends() -> None:
    """Given J1 betrayed and not found, then it stays Undetected, his steps are used, and Japan attacks."""
    table = missions(scene(), JAPAN, 0, 0, 9, 9, 9, detected=["A1"])
    raid(table)

    facts = answer(table, ALLIES, {LEX: 2})

    assert [NotFound(ALLIES, "J1")] == told(facts, NotFound)
    assert not table.state.open.tfs["J1"].detected
    assert (5, 3) == (table.state.own[ALLIES].air[LEX].steps, table.state.own[ALLIES].air[LEX].ready)
    assert [] == options(table, ALLIES)
    facts = allot(table, JAPAN, (SHO, "cv_lexington", 2))
    assert ["air attack"] == [one for one, _, _ in rolls(facts)]


def test_p28_12_his_find_fails_on_one_more_face_at_his_longest_range() -> None:
    """Given 3 hexes, the range of Lexington but not of Shokaku, then 8 finds for Japan alone."""
    table = missions(scene("5540"), JAPAN, 8, 8, 9, detected=["A1", "J1"])
    raid(table)

    facts = answer(table, ALLIES, {LEX: 2})

    assert [NotFound(ALLIES, "J1")] == told(facts, NotFound)


def test_p28_12_all_damage_counts_at_the_end() -> None:
    """Given Japan sinks Lexington, then her strike in the air still attacks, and cripples Shokaku.

    Lexington: 2 x 5 = 10, column 6, 2 or more ready aboard +1: 7, face 1: 5 hits. Shokaku: 4 x 4 = 16,
    column 7, 2 ready aboard +1, face 6: 3 hits.
    """
    table = missions(scene(), JAPAN, 0, 0, 9, 9, 1, 6, detected=["A1", "J1"])
    change(table, ALLIES, {LEX: {"steps": 6, "ready": 6}})
    raid(table)
    answer(table, ALLIES, {LEX: 4})
    allot(table, JAPAN, (SHO, "cv_lexington", 2))
    facts = allot(table, ALLIES, (LEX, "cv_shokaku", 4))

    assert [("air attack", "column 7", 1), ("air attack", "column 8", 1)] == rolls(facts)
    assert "sunk" == table.state.open.lost["cv_lexington"]
    assert 3 == table.state.own[JAPAN].ships["cv_shokaku"].damage


@pytest.mark.parametrize(("flying", "shift"), [(3, 1), (4, 0)])
def test_p28_12_steps_that_take_off_are_not_on_deck(flying: int, shift: int) -> None:
    """Given 5 ready steps, then with 3 in the air 2 are on deck, with 4 only 1."""
    table = missions(scene(), JAPAN, 0, 0, 9, 9, 9, 9, detected=["A1", "J1"])
    raid(table)
    answer(table, ALLIES, {LEX: flying})
    allot(table, JAPAN, (SHO, "cv_lexington", 2))

    facts = allot(table, ALLIES, (LEX, "cv_zuikaku", flying))

    assert shift == rolls(facts)[0][2]


def test_p28_12_one_answer_to_a_mission_and_no_answer_to_an_answer() -> None:
    """Given an answer, then Japan is asked for no other; the next mission may be answered again."""
    table = missions(scene(), JAPAN, 0, 0, 9, 9, 9, 9, 0, detected=["A1", "J1"])
    raid(table)
    answer(table, ALLIES, {LEX: 2})
    assert {"AllotStrike", "AllotRest"} == {type(one).__name__ for one in options(table, JAPAN)}
    allot(table, JAPAN, (SHO, "dd_us2", 2))
    allot(table, ALLIES, (LEX, "cv_zuikaku", 2))

    fly(table, JAPAN, "strike_tf", "J1", "A1", {ZUI: 1})

    assert [d.SimultaneousStrike(), d.Decline()] == asked(table)


def test_p28_12_the_targets_are_sealed_for_both_at_once() -> None:
    """Given both strikes found, then both are asked at once, and nothing is told before the second."""
    for first, second in ((JAPAN, ALLIES), (ALLIES, JAPAN)):
        table = missions(scene(), JAPAN, 0, 0, 9, 9, 9, 9, detected=["A1", "J1"])
        raid(table)
        answer(table, ALLIES, {LEX: 2})
        picks = {JAPAN: (SHO, "dd_us2", 2), ALLIES: (LEX, "cv_zuikaku", 2)}
        assert options(table, JAPAN)
        assert options(table, ALLIES)
        before = table.state.open.raids

        facts = allot(table, first, picks[first])

        assert sealed_facts(facts) == len(facts)
        assert before == table.state.open.raids
        assert [] == options(table, first)
        facts = allot(table, second, picks[second])
        picked = told(facts, RaidsAre)[0]
        assert [2, 2] == [sum(one.steps for one in r.allotted) for r in picked.raids]
        assert "2 steps of [cvg_shokaku] at [dd_us2]" in picked.words()
        assert "2 steps of [cvg_lexington] at [cv_zuikaku]" in picked.words()


def test_p28_12_r_54_the_count_of_sealed_facts_tells_nothing_of_the_picks() -> None:
    """Given 4 steps each, then any picks seal as much until the window closes."""
    ships = ("cv_lexington", "dd_us2")
    sets = (
        [d.AllotRest()],
        [d.AllotStrike(SHO, ships[0]), d.WithSteps(4)],
        [d.AllotStrike(SHO, ships[0]), d.WithSteps(3), d.AllotStrike(SHO, ships[1]), d.WithSteps(1)],
    )
    for first in (True, False):
        counts = set()
        for picks in sets:
            table = missions(scene(), JAPAN, 0, 0, *[9] * 5, detected=["A1", "J1"])
            fly(table, JAPAN, "strike_tf", "J1", "A1", {SHO: 4})
            answer(table, ALLIES, {LEX: 4})
            if not first:
                take(table, ALLIES, d.AllotRest())
            facts = take(table, JAPAN, *picks)
            shut = told(facts, RaidsAre)[:1]
            counts.add(sealed_facts(facts[: facts.index(shut[0])] if shut else facts))
        assert 1 == len(counts)


def test_p28_12_with_one_strike_shot_down_the_other_alone_picks_targets() -> None:
    """Given the Japanese strike step shot down, then the Allies alone allot, and the mission ends well.

    Free CAP of 1: column 2 - 1, face 0: 1 hit. No flak at nobody.
    """
    table = missions(scene(), JAPAN, 0, 0, 0, 9, 9, detected=["A1", "J1"], cap={LEX: 1})
    fly(table, JAPAN, "strike_tf", "J1", "A1", {SHO: 1})
    answer(table, ALLIES, {LEX: 2})

    assert [] == options(table, JAPAN)
    facts = allot(table, ALLIES, (LEX, "cv_shokaku", 2))
    assert ["air attack"] == [one for one, _, _ in rolls(facts)]
    assert 0 == dice_left(table)


# from land


def ashore(*dice: int, **changes: Any) -> Table:
    """Return a table where Japan strikes A1, 2 hexes from Rabaul, with bombers from there."""
    given: dict[str, Any] = {
        "tfs": [{"id": "A1", "side": "AL", "hex": "5038a", "core": ["cv_lexington"], "screen": ["dd_us2"]}],
        "air": [
            {"id": LEX, "steps": 5, "level": 1},
            {"id": JB, "steps": 4, "level": 1, "base": "rabaul"},
            {"id": "jn_1e_25af", "steps": 2, "level": 1, "base": "rabaul"},
        ],
    }
    return missions(battle(**given | changes), JAPAN, *dice, detected=["A1"])


def test_p28_12_r_43_against_an_airbase_the_answer_is_a_strike_on_that_airbase() -> None:
    """Given bombers from Rabaul, then the answer needs no find die, and hits what is on the ground.

    Find 0; flak of A1 2, column 2 - 2; flak of Rabaul 3, column 3 - 2; Lexington 1 step: Japan attacks
    with 2 x 4 = 8, column 5, +1 deck; the Allies with 3 x 2 = 6, column 4 - 1, face 0: 2 hits, 1 step.
    Of the bombers 2 of 4 are in the air: fighters 2 and bombers 2 are on the ground, the former first by id.
    """
    table = ashore(0, 9, 9, 9, 0)
    fly(table, JAPAN, "strike_tf", "rabaul", "A1", {JB: 2})
    assert [d.SimultaneousStrike(), d.Decline()] == asked(table)

    facts = answer(table, ALLIES, {LEX: 3})
    assert ("strike_airbase", "rabaul", "A1", True) == (
        (reply := table.state.open.raids[1]).kind,
        reply.target,
        reply.origin,
        reply.answer,
    )
    assert [] == asked(table)
    facts += allot(table, JAPAN, (JB, "cv_lexington", 2))

    assert ["flak", "flak", "air attack", "bombing"] == [one for one, _, _ in rolls(facts)]
    assert 2 == table.state.open.bases["rabaul"].airbase_damage
    air = table.state.own[JAPAN].air
    assert (1, 4) == (air["jn_1e_25af"].steps, air[JB].steps)
    assert {"jn_1e_25af", JB, LEX} == {*table.state.open.air}
    assert ["rabaul"] == table.state.open.struck


def test_p28_12_p28_6_steps_in_the_air_are_not_on_the_ground() -> None:
    """Given all bombers in the air and no fighter, then the bombs on Rabaul hit no aircraft."""
    air = [{"id": LEX, "steps": 5, "level": 1}, {"id": JB, "steps": 4, "level": 1, "base": "rabaul"}]
    table = ashore(0, 9, 9, 9, 0, air=air)
    fly(table, JAPAN, "strike_tf", "rabaul", "A1", {JB: 4})
    answer(table, ALLIES, {LEX: 5})

    allot(table, JAPAN, (JB, "dd_us2", 4))

    assert 3 == table.state.open.bases["rabaul"].airbase_damage
    assert 4 == table.state.own[JAPAN].air[JB].steps
    assert [0, 0] == table.state.open.steps_lost


def test_p28_12_p28_6_escorts_in_the_air_are_not_on_the_ground_either() -> None:
    """Given all bombers in the air and all fighters with them, then the bombs on Rabaul hit no aircraft."""
    table = ashore(0, 9, 9, 9, 0)
    fly(table, JAPAN, "strike_tf", "rabaul", "A1", {JB: 4}, {"jn_1e_25af": 2})
    answer(table, ALLIES, {LEX: 5})

    facts = allot(table, JAPAN, (JB, "dd_us2", 4))

    assert 3 == table.state.open.bases["rabaul"].airbase_damage
    assert [] == told(facts, AirStepsLost)


def test_p28_12_e1_1_no_answer_against_townsville() -> None:
    """Given E1 and a strike from Townsville, then Japan is not asked; from Cairns it would be."""
    for base, may in (("townsville", False), ("cairns", True)):
        table = missions("E1", ALLIES, 0, 9, detected=["J1"])
        board = table.state.open
        board.tfs["J1"] = replace(board.tfs["J1"], node="4544")
        change(table, ALLIES, {"us_4e_feaf": {"home": base}})
        table.state.open.launched.clear()
        table._advance()

        facts = fly(table, ALLIES, "strike_tf", base, "J1", {"us_4e_feaf": 2})

        assert may == (d.SimultaneousStrike() in options(table, JAPAN))
        assert [TookOff(ALLIES, {"us_4e_feaf": 2}, base)] == told(facts, TookOff)


def test_p28_12_r_7_in_5_2_l_too() -> None:
    """Given the other side is the phasing player, then Japan is asked to answer."""
    table = missions(scene(), ALLIES, 0, detected=["A1", "J1"], advantage=JAPAN)
    fly(table, ALLIES, "strike_tf", "A1", "J1", {LEX: 2})

    assert [d.SimultaneousStrike(), d.Decline()] == options(table, JAPAN)


def test_p28_12_a_strike_at_ships_in_port_or_a_base_is_not_answered() -> None:
    """Given a strike on an airbase where a carrier lies off, then nobody is asked."""
    table = ashore(9, 9, tfs=[{"id": "A1", "side": "AL", "hex": "4440", "core": ["cv_lexington"]}])

    fly(table, JAPAN, "strike_airbase", "rabaul", "port_moresby", {JB: 2})

    assert [] == asked(table)


def test_p28_12_what_the_defender_is_told() -> None:
    """Given a betrayed position, then the question names both places, and the others name the target."""
    table = missions(scene(), JAPAN, 0, 0, detected=["A1"])
    raid(table)

    assert "[A1] is struck from [J1]: strike back at the same time, or decline." == table.prompts[ALLIES].text
    ahead = table.ahead(ALLIES, [d.SimultaneousStrike()])
    assert "Add steps to the strike that answers, against [J1], then be done." == ahead.prompts[ALLIES].text
    joined: list[Decision] = [d.SimultaneousStrike()]
    while more := [one for one in ahead.prompts[ALLIES].options if isinstance(one, d.AddSteps)]:
        joined.append(more[-1])
        ahead = table.ahead(ALLIES, joined)
    assert (
        "Nothing more can join the strike that answers, against [J1]: take off." == ahead.prompts[ALLIES].text
    )
