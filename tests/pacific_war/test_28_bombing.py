"""P28.6 Attacks on installations, P28.7 on ground units."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.facts import Rolled
from domain.kernel.table import Table
from domain.pacific_war.facts.changes import seen
from domain.pacific_war.facts.cycle import AirStepsLost, BaseIs, UnitLost
from domain.pacific_war.facts.fighting import GroundStepsLost
from tests.pacific_war.board import battle, change, dice_left, fly, missions, rolls, told

JAPAN, ALLIES = 0, 1
AB, AH, JF, JB = "us_2e_3bg", "us_4e_feaf", "jn_1e_25af", "jn_2e_25af"


def rabaul(*dice: int, level: int = 1, cap: Mapping[str, int] | None = None, **changes: Any) -> Table:
    """Return a table where the Allies may strike Rabaul (3 and 3) from Port Moresby; the flak never hits."""
    given: dict[str, Any] = {
        "air": [
            {"id": AB, "steps": 6, "level": level, "base": "port_moresby"},
            {"id": AH, "steps": 6, "level": level, "base": "port_moresby"},
            {"id": JF, "steps": 3, "level": 1, "base": "rabaul"},
            {"id": JB, "steps": 4, "level": 1, "base": "rabaul"},
        ],
        "ground": [
            {"id": "jp_84gd", "hex": "rabaul", "steps": 2},
            {"id": "jp_51gd", "hex": "rabaul", "steps": 2},
        ],
    }
    return missions(battle(**given | changes), ALLIES, *dice, cap=cap)


def strike(table: Table, kind: str, steps: int = 2, unit: str = AB) -> list[Any]:
    """Let the Allies strike Rabaul with bombers."""
    target = "4837" if kind == "strike_ground" else "rabaul"
    return list(fly(table, ALLIES, kind, "port_moresby", target, {unit: steps}))


@pytest.mark.parametrize(
    ("kind", "fort", "level", "shift"),
    [
        ("strike_airbase", 0, 1, -1),
        ("strike_airbase", 1, 2, -1),
        ("strike_airbase", 3, 0, -4),
        ("strike_port", 0, 2, 0),
        ("strike_port", 2, 1, -2),
        ("strike_fort", 1, 1, -3),
        ("strike_fort", 3, 2, -2),
        ("strike_ground", 0, 1, -3),
        ("strike_ground", 1, 0, -5),
        ("strike_ground", 2, 2, -3),
        ("strike_ground", 3, 1, -5),
    ],
)
def test_p28_6_p28_7_the_shifts_of_a_target(kind: str, fort: int, level: int, shift: int) -> None:
    """Given levels -1, 0, +1, airbase and port -1, fort and troops -3, and half of the fort, rounded up."""
    table = rabaul(9, 9, level=level, bases={"rabaul": {"fort": fort}})

    facts = strike(table, kind)

    assert shift == rolls(facts, "bombing")[0][2]


@pytest.mark.parametrize(("kind", "rule"), [("strike_port", "28.6"), ("strike_ground", "28.7")])
def test_p28_6_p28_7_p28_9_each_die_names_the_rule_that_asks_for_it(kind: str, rule: str) -> None:
    """Given 4 hits on troops that hold, then flak, bombs and tests of quality name theirs."""
    table = rabaul(9, 0, *[1, 1, 1, 1] * (kind == "strike_ground"))

    facts = strike(table, kind, steps=6)

    found = [(one.purpose, one.rule) for one in told(facts, Rolled)]
    tests = [("troop quality", "28.7")] * 4 * (kind == "strike_ground")
    assert [("flak", "28.9"), ("bombing", rule), *tests] == found


def test_p28_6_the_strength_is_the_sum_of_the_ground_strengths() -> None:
    """Given 2 steps of 4 and 1 of 6, then 14: column 7, the port -1; face 4: 2 hits of column 6."""
    table = rabaul(9, 4)

    facts = fly(table, ALLIES, "strike_port", "port_moresby", "rabaul", {AB: 2, AH: 1})

    assert [("bombing", "column 6", -1)] == rolls(facts, "bombing")
    assert 2 == table.state.open.bases["rabaul"].port_damage
    assert 0 == table.state.open.bases["rabaul"].airbase_damage


def test_p28_6_damage_above_the_size_is_lost() -> None:
    """Given 4 hits on a port of 3, then its damage is 3; another strike changes nothing."""
    table = rabaul(9, 1, 9, 1)
    strike(table, "strike_port", 4)
    assert 3 == table.state.open.bases["rabaul"].port_damage

    facts = strike(table, "strike_port", 2)

    assert [] == told(facts, BaseIs)
    assert 3 == table.state.open.bases["rabaul"].port_damage


def test_p28_6_every_two_hits_lower_a_fort_by_one_and_one_without_its_pair_is_lost() -> None:
    """Given 36, column 10 - 3: 4 hits and 1 hit, then a fort of 3 has 1, and 1 still."""
    table = rabaul(9, 3, 9, 8, bases={"rabaul": {"fort": 3}})
    strike(table, "strike_fort", 6, AH)
    assert 1 == table.state.open.bases["rabaul"].fort

    change(table, ALLIES, {AH: {"ready": 6}})
    table.state.open.launched.clear()
    strike(table, "strike_fort", 6, AH)

    assert (1, False) == (table.state.open.bases["rabaul"].fort, table.state.open.bases["rabaul"].fort_hit)


def test_p28_6_r_84_an_airbase_hit_loses_half_as_many_steps_rounded_up_also_above_its_size() -> None:
    """Given 4 x 4 = 16, column 7 - 1, face 0: 5 hits; damage 3 of 3, and 3 steps on the ground.

    Bombers 4, fighters 3: bombers, then (3 each) fighters by id, then bombers.
    """
    table = rabaul(9, 0)

    facts = strike(table, "strike_airbase", 4)

    assert 3 == table.state.open.bases["rabaul"].airbase_damage
    assert [JB, JF, JB] == [one.unit for one in told(facts, AirStepsLost)]
    air = table.state.own[JAPAN].air
    assert (2, 2) == (air[JF].steps, air[JB].steps)
    assert (2, 2) == (air[JF].ready, air[JB].ready)
    assert (2, 2) == (table.state.open.air[JF].steps, table.state.open.air[JB].steps)
    assert [3, 0] == table.state.open.steps_lost


def test_p28_6_ready_steps_are_lost_first() -> None:
    """Given 1 ready fighter of 3 and no ready bomber of 4, then the ready one, then bombers, the larger unit.

    8, column 5 - 1, face 0: 3 hits, 2 steps.
    """
    table = rabaul(9, 0)
    change(table, JAPAN, {JF: {"ready": 1}, JB: {"ready": 0}})

    facts = strike(table, "strike_airbase", 2)

    assert [JF, JB] == [one.unit for one in told(facts, AirStepsLost)]
    air = table.state.own[JAPAN].air
    assert ((2, 0), (3, 0)) == ((air[JF].steps, air[JF].ready), (air[JB].steps, air[JB].ready))


def test_p28_6_steps_on_cap_are_not_on_the_ground() -> None:
    """Given fighters all on CAP and no bomber, then none is lost on the ground, whatever the hits.

    Free CAP 6, column 4 - 1, face 9: none. 8, column 5 - 1, face 0: 3 hits.
    """
    air = [
        {"id": AB, "steps": 6, "level": 1, "base": "port_moresby"},
        {"id": JF, "steps": 3, "level": 1, "base": "rabaul"},
    ]
    table = rabaul(9, 9, 0, cap={JF: 3}, air=air)

    facts = strike(table, "strike_airbase", 2)

    assert 3 == table.state.open.bases["rabaul"].airbase_damage
    assert [] == told(facts, AirStepsLost)
    assert (3, 3) == (table.state.own[JAPAN].air[JF].steps, table.state.own[JAPAN].air[JF].cap)


def test_p28_6_no_steps_of_other_bases_and_no_more_than_there_are() -> None:
    """Given 1 step on the ground and 3 hits, then that step is lost, the unit with it, and none elsewhere."""
    air = [
        {"id": AB, "steps": 6, "level": 1, "base": "port_moresby"},
        {"id": JF, "steps": 1, "level": 1, "base": "rabaul"},
        {"id": JB, "steps": 4, "level": 1, "base": "kavieng"},
    ]
    table = rabaul(9, 0, air=air)

    facts = strike(table, "strike_airbase", 2)

    assert [UnitLost(JF, JAPAN, "destroyed")] == told(facts, UnitLost)
    assert 4 == table.state.own[JAPAN].air[JB].steps
    assert "rabaul" not in table.state.open.airfields[JAPAN]


@pytest.mark.parametrize("kind", ["strike_airbase", "strike_port"])
def test_e2_1_strikes_on_airbase_and_port_at_pearl_harbor_have_a_shift(kind: str) -> None:
    """Given the first cycle, then +1: level 2 +1, the target -1, E2.1 +1; in the second cycle it is gone."""
    for cycle, shift in ((1, 1), (2, 0)):
        table = missions("E2", JAPAN, 9, 9, cycle=cycle, detected=["J1"])
        facts = fly(table, JAPAN, kind, "J1", "pearl_harbor", {"cvg_akagi": 6})
        assert shift == rolls(facts, "bombing")[0][2]


# ground units


def test_p28_7_each_hit_tests_the_unbroken_unit_with_most_steps_and_breaks_it_above_its_quality() -> None:
    """Given units of 3 and 2 steps, quality 6, and 2 hits: 7 breaks the first, 6 does not break the other.

    6 x 6 = 36, column 10 - 3 = 7; the face 6 hits twice.
    """
    ground = [{"id": "jp_84gd", "hex": "rabaul", "steps": 3}, {"id": "jp_51gd", "hex": "rabaul", "steps": 2}]
    table = rabaul(9, 6, 7, 6, ground=ground)

    facts = strike(table, "strike_ground", 6, AH)

    assert [("troop quality", "6 or less holds", 0)] * 2 == rolls(facts, "troop quality")
    assert [GroundStepsLost("jp_84gd", JAPAN, 0, broken=True)] == told(facts, GroundStepsLost)
    units = table.state.own[JAPAN].ground
    assert (True, False, 3) == (units["jp_84gd"].broken, units["jp_84gd"].active, units["jp_84gd"].steps)
    assert (False, True) == (units["jp_51gd"].broken, units["jp_51gd"].active)
    assert 0 == dice_left(table)


def test_p28_7_ties_go_by_the_fixed_order() -> None:
    """Given two units of 2 steps, then the first by id tests, and holds, and tests again."""
    table = rabaul(9, 6, 0, 0)

    facts = strike(table, "strike_ground", 6, AH)

    tested = [one.subject for one in facts if getattr(one, "purpose", "") == "troop quality"]
    assert ["jp_51gd", "jp_51gd"] == tested


def test_p28_7_when_all_are_broken_the_one_with_most_steps_loses_a_step_above_its_quality() -> None:
    """Given one broken unit and one of 1 step, then it breaks, then the larger loses a step, then holds.

    36, column 7, face 4: 3 hits; 9, 9, 6.
    """
    ground = [{"id": "jp_84gd", "hex": "rabaul", "steps": 1}, {"id": "jp_51gd", "hex": "rabaul", "steps": 2}]
    table = rabaul(9, 4, 9, 9, 6, ground=ground)
    change(table, JAPAN, {"jp_51gd": {"broken": True, "active": False}})

    facts = strike(table, "strike_ground", 6, AH)

    assert [
        GroundStepsLost("jp_84gd", JAPAN, 0, broken=True),
        GroundStepsLost("jp_51gd", JAPAN, 1, broken=False),
    ] == told(facts, GroundStepsLost)
    assert 1 == table.state.own[JAPAN].ground["jp_51gd"].steps
    assert 0 == dice_left(table)


def test_p28_7_the_last_step_is_lost_and_no_more_dice_are_rolled() -> None:
    """Given a broken unit of 1 step alone and 3 hits, then it is lost, and no other hit counts."""
    table = rabaul(9, 4, 9, ground=[{"id": "jp_84gd", "hex": "rabaul", "steps": 1}])
    change(table, JAPAN, {"jp_84gd": {"broken": True, "active": False}})

    strike(table, "strike_ground", 6, AH)

    assert "destroyed" == table.state.open.lost["jp_84gd"]
    assert "4837" not in table.state.open.troops[JAPAN]
    assert 0 == dice_left(table)


def test_p28_7_p0_4_1_ground_units_that_are_struck_are_public_on_both_ledgers() -> None:
    """Given a strike that hits nobody, then all ground units there are public, and no air unit."""
    table = rabaul(9, 9)

    strike(table, "strike_ground", 2)

    board, own = table.state.open, table.state.own[JAPAN]
    assert {unit: seen(one) for unit, one in own.ground.items()} == board.ground
    assert JF not in board.air


def test_p28_6_p0_4_1_what_is_on_a_base_that_is_struck_is_public_but_not_what_is_ready() -> None:
    """Given a strike on the airbase, then the air units there are public (R-95), the ground units are not."""
    table = rabaul(9, 9)

    strike(table, "strike_airbase", 2)

    board = table.state.open
    assert {AB, JF, JB} == {*board.air}
    assert replace(table.state.own[JAPAN].air[JF], ready=0, cap=0) == board.air[JF]
    assert {} == board.ground
    assert ["rabaul"] == board.struck


@pytest.mark.parametrize(
    ("kind", "ships", "aircraft"),
    [
        ("strike_airbase", False, True),
        ("strike_port", True, True),
        ("strike_ships_in_port", True, True),
        ("strike_fort", False, False),
        ("strike_ground", False, False),
    ],
)
def test_p28_6_p0_4_1_p2_3_a_strike_lays_open_no_more_than_what_it_goes_against(
    kind: str, ships: bool, aircraft: bool
) -> None:
    """Given ships in port, aircraft and troops at Rabaul, then ships are shown when the port is struck.

    Aircraft are on a base, which is an airbase or a port; a fort is neither.
    """
    table = rabaul(
        9, 9, naval=[{"at": "rabaul", "side": "JP", "units": ["dd_jp7"]}], bases={"rabaul": {"fort": 1}}
    )
    strike(table, kind)

    board = table.state.open
    assert ships == ("dd_jp7" in board.ships)
    assert aircraft == (JF in board.air)
    assert (["rabaul"] if ships or aircraft else []) == board.struck
