"""P28.8 Air combat, P28.9 flak, and P3.3 as it concerns air steps."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.combat import pick_air
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import AirStepsLost
from domain.pacific_war.facts.fighting import CapIs, RaidsAre
from tests.pacific_war.board import (
    allot,
    battle,
    change,
    dice_left,
    fly,
    missions,
    options,
    rolls,
    table_at,
    take,
    told,
)

JAPAN, ALLIES = 0, 1
JF, AF, AB, AH = "jn_1e_25af", "us_1e_35fg", "us_2e_3bg", "us_4e_feaf"
LEX, YORK, SHO, ZUI = "cvg_lexington", "cvg_yorktown", "cvg_shokaku", "cvg_zuikaku"


def duel(
    *dice: int, cap: Mapping[str, int], levels: Mapping[str, int] | None = None, month: str = "1942-05"
) -> Table:
    """Return a table where the Allies may strike J1 from A1, with groups of 6 steps and this CAP."""
    at = {LEX: 1, YORK: 1, SHO: 1, ZUI: 1} | dict(levels or {})
    scene = battle(
        month=month,
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5541", "core": ["cv_shokaku", "cv_zuikaku"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
        ],
        air=[{"id": unit, "steps": 6, "level": level} for unit, level in at.items()],
    )
    return missions(scene, ALLIES, *dice, cap=cap, detected=["J1", "A1"])


def strike(table: Table, steps: Mapping[str, int], escort: Mapping[str, int] | None = None) -> list[Any]:
    """Let the Allies strike J1; Japan does not strike back."""
    facts = fly(table, ALLIES, "strike_tf", "A1", "J1", steps, escort)
    return facts + (take(table, JAPAN, d.Decline()) if options(table, JAPAN) else [])


def raid(table: Table) -> tuple[dict[str, int], dict[str, int]]:
    """Return the strike and escort steps of the raid under way."""
    return table.state.open.raids[0].strike, table.state.open.raids[0].escort


def steps(table: Table, side: int, unit: str) -> tuple[int, int, int]:
    """Return the steps of a unit, those ready, those on CAP."""
    air = table.state.own[side].air[unit]
    return air.steps, air.ready, air.cap


def test_p28_8_escorts_engaged_cap_and_free_cap_fire_in_this_order() -> None:
    """Given 3 escorts, 2 strike steps and 4 on CAP, then 3 are engaged and 1 is free.

    Escorts 3 x 2 = 6, column 4, face 3: 1 hit. Engaged CAP 2 x 3 = 6, column 4, face 1: 2 hits. Free CAP
    2 x 1 = 2, column 2 - 1, face 0: 1 hit. Flak of two carriers, 2: column 2 - 2, no column.
    """
    table = duel(0, 3, 1, 0, 0, cap={SHO: 4})

    facts = strike(table, {LEX: 2}, {YORK: 3})

    assert [
        ("finding the target", "9 or more fails", 0),
        ("escort fire", "column 4", 0),
        ("engaged CAP fire", "column 4", 0),
        ("free CAP fire", "column 1", -1),
        ("flak", "no column", -2),
    ] == rolls(facts)
    assert [CapIs(JAPAN, "5541", {SHO: 4})] == told(facts, CapIs)
    assert ({LEX: 1}, {YORK: 1}) == raid(table)
    assert (5, 2, 3) == steps(table, JAPAN, SHO)
    assert (5, 4, 0) == steps(table, ALLIES, LEX)
    assert (4, 3, 0) == steps(table, ALLIES, YORK)
    assert [1, 3] == table.state.open.steps_lost
    assert 0 == dice_left(table)


def test_p28_8_hits_of_the_escorts_above_the_engaged_steps_take_free_ones() -> None:
    """Given 1 escort of level 2 against 4 CAP steps of level 0, when it hits 3 times, then 1 step is free.

    Escort 2, column 2 + 2, face 0: 3 hits. Engaged CAP 2, column 2 - 2: no column. Free: 4 - 1 - (3 - 1) = 1:
    strength 2, column 2, level 0 less 1 = -1, at a strike -1: no column.
    """
    table = duel(0, 0, 0, 0, 9, cap={SHO: 4}, levels={YORK: 2, SHO: 0})

    facts = strike(table, {LEX: 2}, {YORK: 1})

    assert [
        ("escort fire", "column 4", 2),
        ("engaged CAP fire", "no column", -2),
        ("free CAP fire", "no column", -2),
    ] == rolls(facts)[1:4]
    assert (3, 2, 1) == steps(table, JAPAN, SHO)


def test_p28_8_both_lines_are_at_the_same_time() -> None:
    """Given 1 escort and 1 CAP step that hit each other, then both are lost, and no CAP is free."""
    table = duel(0, 0, 0, 9, cap={SHO: 1})

    facts = strike(table, {LEX: 1}, {YORK: 1})

    assert ["escort fire", "engaged CAP fire", "flak"] == [one for one, _, _ in rolls(facts)[1:]]
    assert ({LEX: 1}, {}) == raid(table)
    assert (5, 5, 0) == steps(table, JAPAN, SHO)


def test_p28_8_without_escorts_all_cap_is_free() -> None:
    """Given 3 CAP steps and no escort, then they fire with 6: column 4 - 1, face 2: 1 hit."""
    table = duel(0, 2, 9, cap={SHO: 3})

    facts = strike(table, {LEX: 3})

    assert [("free CAP fire", "column 3", -1)] == rolls(facts)[1:2]
    assert ({LEX: 2}, {}) == raid(table)


def test_p28_8_with_more_escorts_than_cap_all_of_it_is_engaged() -> None:
    """Given 4 escorts and 2 CAP steps, then all 4 fire, the CAP with 2, and none is free."""
    table = duel(0, 9, 9, 9, cap={SHO: 2})

    facts = strike(table, {LEX: 1}, {LEX: 2, YORK: 2})

    assert [
        ("escort fire", "column 5", 0),
        ("engaged CAP fire", "column 3", 0),
        ("flak", "no column", -2),
    ] == rolls(facts)[1:]


def test_p28_8_no_combat_without_cap_over_the_target() -> None:
    """Given CAP over another hex alone, then nobody fights, and no CAP is told (R-51)."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5541", "core": ["cv_shokaku"]},
            {"id": "J2", "side": "JP", "hex": "5540", "core": ["cv_zuikaku"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        ],
        air=[{"id": LEX, "steps": 5, "level": 1}, {"id": ZUI, "steps": 5, "level": 1}],
    )
    table = missions(scene, ALLIES, 0, 9, cap={ZUI: 5}, detected=["J1"])

    facts = strike(table, {LEX: 2}, {LEX: 2})

    assert ["finding the target", "flak"] == [one for one, _, _ in rolls(facts)]
    assert [] == told(facts, CapIs)


def test_p28_8_r_79_the_level_of_a_role_is_that_of_most_steps_the_lower_on_a_tie() -> None:
    """Given escorts 2 of level 2 and 2 of level 0, CAP 2 of level 2 and 1 of level 0: 0 against 2."""
    table = duel(0, 9, 9, 9, cap={SHO: 2, ZUI: 1}, levels={LEX: 2, YORK: 0, SHO: 2, ZUI: 0})

    facts = strike(table, {LEX: 1}, {LEX: 2, YORK: 2})

    assert [("escort fire", "column 3", -2), ("engaged CAP fire", "column 6", 2)] == rolls(facts)[1:3]


def test_p28_8_p3_2_radar_helps_allied_cap_from_1943() -> None:
    """Given January 1943, then Allied CAP fires with a shift of +1, engaged and free; Japanese does not."""
    scene = battle(
        month="1943-01",
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5541", "core": ["cv_shokaku"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        ],
        air=[{"id": LEX, "steps": 5, "level": 1}, {"id": SHO, "steps": 5, "level": 1}],
    )
    table = missions(scene, JAPAN, 0, 9, 9, 9, 9, cap={LEX: 2}, detected=["A1", "J1"])

    facts = fly(table, JAPAN, "strike_tf", "J1", "A1", {SHO: 1}, {SHO: 1})
    facts += take(table, ALLIES, d.Decline())

    assert [
        ("escort fire", "column 2", 0),
        ("engaged CAP fire", "column 3", 1),
        ("free CAP fire", "column 2", 0),
    ] == rolls(facts)[1:4]
    table = duel(0, 9, 9, 9, 9, cap={SHO: 2}, month="1943-01")
    assert ("engaged CAP fire", "column 2", 0) == rolls(strike(table, {LEX: 1}, {LEX: 1}))[2]


@pytest.mark.parametrize(
    ("units", "shift"), [({AH: 2}, -2), ({AH: 1, AB: 1}, -1)], ids=["4E alone", "4E and 2E"]
)
def test_p28_8_free_cap_has_one_more_off_against_4e_alone(units: dict[str, int], shift: int) -> None:
    """Given 2 CAP steps over Lae against heavy bombers, then -1 and -1; with a 2E beside them, -1."""
    scene = battle(
        air=[
            {"id": AH, "steps": 2, "level": 1, "base": "port_moresby"},
            {"id": AB, "steps": 2, "level": 1, "base": "port_moresby"},
            {"id": JF, "steps": 2, "level": 1, "base": "lae"},
        ]
    )
    table = missions(scene, ALLIES, 9, 9, 9, cap={JF: 2})

    facts = fly(table, ALLIES, "strike_port", "port_moresby", "lae", units)

    assert [("free CAP fire", f"column {3 + shift}", shift)] == rolls(facts, "free CAP fire")


def test_p3_3_hits_fall_on_the_unit_with_most_steps_in_the_role_ties_in_the_fixed_order() -> None:
    """Given 3 and 2 steps, then of 3 hits the larger loses the first, then the ties go by id."""
    assert {"b": 1} == pick_air({"a": 2, "b": 3}, 1)
    assert {"b": 1, "a": 1} == pick_air({"a": 2, "b": 3}, 2)
    assert {"b": 2, "a": 1} == pick_air({"a": 2, "b": 3}, 3)
    assert {"b": 3, "a": 2} == pick_air({"a": 2, "b": 3}, 9)
    assert {} == pick_air({}, 2)


def test_p3_3_steps_of_another_role_or_on_the_ground_do_not_take_the_hits() -> None:
    """Given 1 strike step and 2 escorts of one group, when flak hits twice, then 1 step is lost.

    Flak of 3 destroyers in 1944: column 3 - 1, face 0: 2 hits on 1 strike step.
    """
    scene = battle(
        month="1944-01",
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5541", "screen": ["dd_jp7", "dd_jp8", "dd_jp10"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        ],
        air=[{"id": LEX, "steps": 5, "level": 1}],
    )
    table = missions(scene, ALLIES, 0, 0, detected=["J1"])

    facts = strike(table, {LEX: 1}, {LEX: 2})

    assert [("flak", "column 2", -1)] == rolls(facts, "flak")
    assert [AirStepsLost(LEX, ALLIES, 1, "to flak")] == told(facts, AirStepsLost)
    assert (4, 2, 0) == steps(table, ALLIES, LEX)


def test_p28_8_a_raid_whose_strike_steps_are_all_shot_down_goes_home() -> None:
    """Given 1 strike step that free CAP hits, then no flak, no targets, no attack; the escorts come home.

    CAP 4: 1 engaged, 3 free: 6, column 4 - 1, face 0: 2 hits on 1 step.
    """
    table = duel(0, 9, 9, 0, cap={SHO: 4})

    facts = strike(table, {LEX: 1}, {LEX: 1})

    assert 4 == len(rolls(facts))
    assert () == table.state.open.raids
    assert {"DeclareMission", "EndMissions"} == {type(one).__name__ for one in options(table, ALLIES)}
    assert (5, 4, 0) == steps(table, ALLIES, LEX)
    assert {} != told(facts, RaidsAre)[0].raids[0].strike


def test_p28_8_a_unit_whose_last_step_is_shot_down_is_lost() -> None:
    """Given a group of 1 step that is shot down, then it is lost, with its name (P0.7)."""
    table = duel(0, 0, cap={SHO: 6})
    change(table, ALLIES, {LEX: {"steps": 1, "ready": 1}})

    strike(table, {LEX: 1})

    assert {LEX: "destroyed"} == table.state.open.lost
    assert "" == table.state.own[ALLIES].air[LEX].home


# flak


def test_p28_9_flak_of_a_fleet_is_that_of_all_its_ships_crippled_ones_half() -> None:
    """Given two CA of 2 and two DD of 1, one CA and one DD crippled, then 2 + 1 + 1 + 0 = 4: column 3 - 2."""
    scene = battle(
        tfs=[
            {"id": "A1", "side": "AL", "hex": "5541", "screen": ["ca_us1", "ca_us2", "dd_us2", "dd_us4"]},
            {"id": "J1", "side": "JP", "hex": "5543", "core": ["cv_shokaku"]},
        ],
        air=[{"id": SHO, "steps": 5, "level": 1}],
    )
    table = missions(scene, JAPAN, 0, 0, detected=["A1"])
    change(table, ALLIES, {"ca_us2": {"damage": 2}, "dd_us4": {"damage": 2}})

    facts = fly(table, JAPAN, "strike_tf", "J1", "A1", {SHO: 3})

    assert [("flak", "column 1", -2)] == rolls(facts, "flak")
    assert {SHO: 2} == table.state.open.raids[0].strike


@pytest.mark.parametrize(
    ("kind", "target", "base", "strength"),
    [
        ("strike_airbase", "rabaul", {"airbase": 2, "port": 3, "fort": 0}, 3),
        ("strike_airbase", "rabaul", {"airbase": 4, "port": 3, "fort": 0}, 4),
        ("strike_port", "rabaul", {"airbase": 3, "port": 3, "fort": 1}, 5),
        ("strike_fort", "rabaul", {"airbase": 3, "port": 3, "fort": 2}, 7),
        ("strike_ground", "4837", {"airbase": 3, "port": 3, "fort": 2}, 7),
        ("strike_ships_in_port", "rabaul", {"airbase": 4, "port": 3, "fort": 0}, 5),
    ],
)
def test_p28_9_base_flak(kind: str, target: str, base: dict[str, int], strength: int) -> None:
    """Given the larger of airbase and port, twice the fort, and half of the flak of 3 ships in port.

    From January 1944 the Japanese shift is -1: strengths of 3 to 7 are columns 3, 3, 4, 5 less 1.
    """
    scene = battle(
        month="1944-01",
        naval=[{"at": "rabaul", "side": "JP", "units": ["dd_jp7", "dd_jp8", "dd_jp10"]}],
        air=[{"id": AH, "steps": 2, "level": 1, "base": "port_moresby"}],
        ground=[{"id": "jp_84gd", "hex": "rabaul"}],
        bases={"rabaul": base},
    )
    table = missions(scene, ALLIES, 9, 9)

    facts = fly(table, ALLIES, kind, "port_moresby", target, {AH: 2})

    column = {3: 3, 4: 3, 5: 4, 7: 5}[strength]
    assert [("flak", f"column {column - 1}", -1)] == rolls(facts, "flak")


def test_p28_9_damage_does_not_silence_the_flak_of_a_base() -> None:
    """Given Rabaul with all its damage, then its flak is by its sizes."""
    scene = battle(air=[{"id": AH, "steps": 2, "level": 1, "base": "port_moresby"}])
    table = missions(scene, ALLIES, 9, 9)
    base = table.state.open.bases["rabaul"]
    table.state.open.bases["rabaul"] = type(base)(JAPAN, port=3, port_damage=3, airbase=3, airbase_damage=3)

    facts = fly(table, ALLIES, "strike_port", "port_moresby", "rabaul", {AH: 2})

    assert [("flak", "column 1", -2)] == rolls(facts, "flak")


def test_p28_9_no_flak_at_troops_without_an_enemy_location() -> None:
    """Given Japanese troops in an Allied location and in a hex without one, then no flak fires there."""
    scene = battle(
        air=[{"id": AH, "steps": 2, "level": 1, "base": "townsville"}],
        ground=[{"id": "jp_84gd", "hex": "port_moresby"}, {"id": "jp_51gd", "hex": "4339"}],
    )
    for target in ("4440", "4339"):
        table = missions(scene, ALLIES, 9)
        facts = fly(table, ALLIES, "strike_ground", "townsville", target, {AH: 1})
        assert ["bombing"] == [one for one, _, _ in rolls(facts)]


def test_e2_1_allied_flak_has_a_further_shift_in_the_first_cycle() -> None:
    """Given Pearl Harbor, airbase and port 4: strength 4, column 3; the shift of the time -2, E2.1 -2."""
    table = table_at("E2", AirMissions(side=JAPAN), 9, 9, detected=["J1"])
    take(table, JAPAN, d.Done())
    take(table, ALLIES, d.Done())

    facts = fly(table, JAPAN, "strike_airbase", "J1", "pearl_harbor", {"cvg_akagi": 6})

    assert [("flak", "no column", -4), ("bombing", "column 7", 1)] == rolls(facts)


def test_p28_4_the_dice_of_a_strike_fall_in_its_order() -> None:
    """Given a strike with escorts at a guarded carrier, then find, air combat, flak, attacks (P28.4)."""
    table = duel(0, 9, 9, 9, 9, 9, 9, cap={SHO: 4})

    facts = strike(table, {LEX: 2}, {LEX: 2})
    facts += allot(table, ALLIES, (LEX, "cv_zuikaku", 1), (LEX, "cv_shokaku", 1))

    assert [
        "finding the target",
        "escort fire",
        "engaged CAP fire",
        "free CAP fire",
        "flak",
        "air attack",
        "air attack",
    ] == [one for one, _, _ in rolls(facts)]
