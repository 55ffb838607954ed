"""P12 The Isolation Penalty: who is marked, what it costs, and that nobody else can count it."""

from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.battle.cap import assignable
from domain.pacific_war.battle.ground import nerve, quality
from domain.pacific_war.battle.missions import stationed, strikers
from domain.pacific_war.battle.movement import Movement, land
from domain.pacific_war.battle.paradrop import drop
from domain.pacific_war.battle.repair import rally
from domain.pacific_war.board.charts import GROUND, LOCATIONS
from domain.pacific_war.board.war import Operation, Post, War
from domain.pacific_war.facts.cycle import AirStepsLost, UnitLost
from domain.pacific_war.facts.fighting import GroundStepsLost
from domain.pacific_war.facts.months import IsolationJudged, LinksAre
from domain.pacific_war.facts.secrets import OwnUnits
from domain.pacific_war.months.isolation import FAR_HOME, isolate
from tests.pacific_war.board import battle, dice_left, sealed_facts, table_at, told
from tests.pacific_war.months import ALLIES, JAPAN, campaign, in_sight, station

NO_JAPAN = {"hq_cf": Post(), "hq_sea": Post()}
NO_ALLIES = {"hq_sopac": Post(), "hq_swpa": Post()}
TROOPS = 10
"""Ground units of Japan at the start of C1."""
HOLD = (0,) * TROOPS


def lonely(*dice: int, side: int = JAPAN, **more: Any) -> Table:
    """Return a table whose `side` has no headquarters; its unbroken troops roll these dice, by id."""
    table = campaign(posts=NO_ALLIES if side else NO_JAPAN, **more)
    table.dice._rolls = [tuple(die or 10 for die in dice)] if dice else []  # type: ignore[attr-defined]
    table.facts, table.rule = [], "5.1.H"
    return table


def marked(table: Table, side: int) -> set[str]:
    """Return the units of a side with an Isolated marker."""
    own = table.state.own[side]
    kinds = (own.ships, own.air, own.ground)
    return {unit for units in kinds for unit, one in units.items() if one.isolated}


def test_p12_at_the_start_everything_is_linked() -> None:
    """Given the set-up of C1, then nobody is marked and no die falls."""
    table = lonely()
    table.state.open.war.posts |= {hq: Post(at) for hq, at in (("hq_cf", "truk"), ("hq_sea", "rabaul"))}
    isolate(table)

    assert set() == marked(table, JAPAN) | marked(table, ALLIES)
    assert [] == told(table.facts, RolledUnseen)


def test_p12_what_is_not_linked_is_marked_and_what_is_linked_again_is_not() -> None:
    """Given no headquarters of Japan, then all its units are marked; with Rabaul back, none."""
    table = lonely(*HOLD)
    own = table.state.own[JAPAN]
    isolate(table)
    assert {*own.ships, *own.air, *own.ground} == marked(table, JAPAN)
    assert set() == marked(table, ALLIES)

    table.state.open.war.posts["hq_sea"] = Post("rabaul")
    isolate(table)

    assert {"dd_jp24", "aa_jp11", "jp_ichiki", "jp_51gd"} >= marked(table, JAPAN)
    table.state.open.war.posts["hq_cf"] = Post("truk")
    isolate(table)
    assert set() == marked(table, JAPAN)


def test_p12_r_73_any_headquarters_of_the_side_will_do() -> None:
    """Given only that of the Southwest Pacific, then troops in its reach are Linked."""
    table = lonely()
    table.state.open.war.posts |= {"hq_cf": Post("truk"), "hq_sea": Post("rabaul"), "hq_sopac": Post()}
    isolate(table)
    reach = told(table.facts, LinksAre)[1].links

    assert ["hq_swpa"] == [*reach]
    own = table.state.own[ALLIES]
    cut = {unit for unit, one in own.ground.items() if one.hex not in reach["hq_swpa"]}
    assert {unit for unit in marked(table, ALLIES) if unit in own.ground} == cut


def test_p12_r_21_activated_units_are_exempt_and_so_is_what_is_aboard() -> None:
    """Given an Activated unit of each kind, and one in a task force, then these are not marked."""
    units: dict[str, dict[str, Any]] = {
        "ca_chokai_maya": {"active": True},
        "jn_1e_25af": {"active": True},
        "jp_41reg": {"active": True},
        "jp_kure5": {"hex": "", "aboard": {"aa_jp10": 2}, "active": True},
    }
    table = lonely(*HOLD[2:], units=units)
    isolate(table)

    assert set() == marked(table, JAPAN) & units.keys()
    assert "jp_ssd" in marked(table, JAPAN)


@pytest.mark.parametrize(
    ("landed", "under_way", "exempt"), [(3, True, True), (2, True, False), (3, False, False)]
)
def test_p5_4_3_troops_that_landed_in_a_suspended_operation_are_exempt(
    landed: int, under_way: bool, exempt: bool
) -> None:
    """Given the third Operation and Broken troops that landed in it, or in another, then these suffer."""
    units = {"jp_ssd": {"broken": True, "landed": landed}}
    table = lonely(*HOLD[1:], units=units)
    board = table.state.open.war
    board.operations = 3
    board.operation = Operation(JAPAN, "hq_sea", 10, suspended=True) if under_way else None
    before = table.state.own[JAPAN].ground["jp_ssd"].steps
    isolate(table)

    assert exempt == ("jp_ssd" not in marked(table, JAPAN))
    assert before - (not exempt) == table.state.own[JAPAN].ground["jp_ssd"].steps


def test_p5_4_3_in_which_operation_troops_have_landed_is_noted_from_ships_and_by_parachute() -> None:
    """Given the third Operation, then a landing and a drop are of it; among friends there is none."""
    cargo = {"aa_jp10": ["jp_ssd:3"], "aa_jp12": ["jp_ssd:1"]}
    convoy = {"id": "J1", "side": "JP", "hex": "4440", "core": [*cargo], "cargo": cargo}
    for holder, number in (("AL", 3), ("JP", 0)):
        scene = battle(tfs=[convoy], control={holder: ["port_moresby"]})
        table = table_at(scene, Movement(side=JAPAN))
        table.state.open.war = War("1942-08", operations=3)
        land(table, JAPAN, "jp_ssd")
        assert number == table.state.own[JAPAN].ground["jp_ssd"].landed

    scene = battle(ground=[{"id": "jp_41reg", "hex": "lae"}])
    table = table_at(scene, Movement(side=JAPAN), 1)
    table.state.open.war = War("1942-08", operations=3)
    drop(table, JAPAN, ["jp_41reg"], "4440")
    assert 3 == table.state.own[JAPAN].ground["jp_41reg"].landed


def test_p12_units_in_boxes_are_exempt() -> None:
    """Given a ship, its group and troops in boxes, then they have no marker, and lose one that they had."""
    boxed = {
        "cv_wasp": {"port": "uswc", "isolated": True},
        "us_147": {"hex": "uswc", "isolated": True},
    }
    table = lonely(*(0,) * 11, side=ALLIES, units=boxed)
    isolate(table)

    assert set() == marked(table, ALLIES) & {*boxed, "cvg_wasp"}
    assert 5 == table.state.own[ALLIES].air["cvg_wasp"].steps


def test_p12_in_the_penalty_box_and_at_sea_a_marker_is_lost() -> None:
    """Given a marked ship in no port, and one in a task force, then they lose it; the rest is Linked."""
    units = {
        "ca_chokai_maya": {"port": "", "isolated": True},
        "dd_jp29": {"port": "", "tf": "J1", "isolated": True, "active": True},
        "jn_1e_25af": {"home": "", "steps": 0},
        "jp_ssd": {"hex": "", "steps": 0},
    }
    table = campaign(units=units)
    isolate(table)

    assert set() == marked(table, JAPAN)
    assert 0 == table.state.own[JAPAN].air["jn_1e_25af"].steps


def test_p12_what_all_are_told_is_that_it_was_judged() -> None:
    """Given nobody Isolated, then the fact is there all the same, and nothing is taken back past it."""
    table = campaign()
    table.facts = []
    isolate(table)

    (fact,) = in_sight(table.facts, None)
    assert fact.bars_undo
    assert "Units that no headquarters reaches are Isolated; each side knows its own" == fact.words()


@pytest.mark.parametrize("place", sorted(FAR_HOME))
def test_p12_r_94_allied_units_at_home_are_exempt(place: str) -> None:
    """Given troops in India, Australia, New Zealand or Hawaii, then they are never marked; at Noumea so."""
    table = lonely(*(0,) * 11, side=ALLIES, units={"us_147": {"hex": place}})
    isolate(table)

    assert "us_147" not in marked(table, ALLIES)
    assert "us_americal" in marked(table, ALLIES)


def test_p12_the_homeland_of_japan_is_exempt() -> None:
    """Given troops at Kure and at Palau, then only those at Palau are marked."""
    table = lonely(*HOLD[1:], units={"jp_41reg": {"hex": "kure"}, "jp_kure5": {"hex": "palau"}})
    isolate(table)

    assert {"jp_kure5"} == marked(table, JAPAN) & {"jp_41reg", "jp_kure5"}


def test_p12_1_an_air_unit_loses_a_step_and_the_last_one_is_its_end() -> None:
    """Given fighters of 3 and search aircraft of 1 step, then 2 are left, and none; all are told of both."""
    table = lonely(*HOLD, units={"jn_lra_25af": {"steps": 1}})
    isolate(table)

    air = table.state.own[JAPAN].air
    assert (2, 3, 0) == tuple(air[unit].steps for unit in ("jn_1e_25af", "jn_2e_25af", "jn_lra_25af"))
    assert not air["jn_lra_25af"].isolated
    assert AirStepsLost("jn_1e_25af", JAPAN, 1, "cut off") in table.facts
    assert [UnitLost("jn_lra_25af", JAPAN, "destroyed")] == told(table.facts, UnitLost)
    assert "shortland" not in table.state.open.airfields[JAPAN]


def test_p12_1_while_marked_it_flies_no_strike_and_no_cap() -> None:
    """Given ready, Activated bombers and fighters, when they are marked, then only ferrying is left."""
    table = table_at(
        battle(
            air=[
                {"id": "jn_2e_25af", "steps": 4, "level": 1, "base": "rabaul"},
                {"id": "jn_1e_25af", "steps": 3, "level": 1, "base": "rabaul"},
            ],
            ground=[{"id": "us_1mardiv", "hex": "guadalcanal"}],
            control={"AL": ["guadalcanal"], "JP": ["rabaul"]},
        ),
        None,
    )
    board, own = table.state.open, table.state.own[JAPAN]
    spot = LOCATIONS["guadalcanal"].hex
    assert ["jn_1e_25af", "jn_2e_25af"] == strikers(board, own, "strike_ground", "rabaul", spot)
    assert 3 == len(assignable(board, own, JAPAN, ()))

    station(table, {"jn_2e_25af": {"isolated": True}, "jn_1e_25af": {"isolated": True}})

    assert [] == strikers(board, own, "strike_ground", "rabaul", spot)
    assert [] == assignable(board, own, JAPAN, ())
    assert ["jn_1e_25af", "jn_2e_25af"] == stationed(board, own, "rabaul")


def test_p12_2_a_broken_unit_loses_a_step_and_rolls_no_die() -> None:
    """Given a Broken unit, then it is a step weaker, and all are told (P0.4.1); Broken it stays."""
    table = lonely(*HOLD[1:], units={"jp_ssd": {"broken": True}})
    before = table.state.own[JAPAN].ground["jp_ssd"].steps
    isolate(table)

    unit = table.state.own[JAPAN].ground["jp_ssd"]
    assert (before - 1, True, True) == (unit.steps, unit.broken, unit.isolated)
    assert [GroundStepsLost("jp_ssd", JAPAN, 1, broken=False)] == told(table.facts, GroundStepsLost)
    assert 0 == dice_left(table)


def test_p12_2_p2_6_with_its_last_step_a_location_that_the_enemy_shares_is_lost() -> None:
    """Given a Broken step alone at Buna with Australians, then it is gone, and control changes at the end."""
    units = {"jp_ssd": {"broken": True, "steps": 1}, "au_30bde": {"hex": "buna"}}
    table = lonely(*HOLD[1:], units=units)
    isolate(table)

    assert [UnitLost("jp_ssd", JAPAN, "destroyed")] == told(table.facts, UnitLost)
    assert ALLIES == table.state.open.bases["buna"].control
    assert "jp_ssd" not in marked(table, JAPAN)


@pytest.mark.parametrize(("above", "broken"), [(0, False), (1, True)])
def test_p12_2_p12_3_an_unbroken_unit_breaks_on_a_die_above_its_quality(above: int, broken: bool) -> None:
    """Given the detachment at Buna, then its TQ holds, and one more breaks it; dice by id, the fourth."""
    ids = sorted(campaign().state.own[JAPAN].ground)
    dice = [0] * TROOPS
    dice[ids.index("jp_ssd")] = GROUND["jp_ssd"].tq + above
    table = lonely(*dice)
    steps = table.state.own[JAPAN].ground["jp_ssd"].steps
    isolate(table)

    unit = table.state.own[JAPAN].ground["jp_ssd"]
    assert (broken, steps) == (unit.broken, unit.steps)
    assert {"jp_ssd"} >= {u for u, one in table.state.own[JAPAN].ground.items() if one.broken}
    (roll,) = told(table.facts, RolledUnseen)
    assert (JAPAN, TROOPS, 10) == (roll.by, len(roll.dice), roll.sides)


def test_p12_3_while_marked_its_quality_counts_2_less_in_ground_combat() -> None:
    """Given a unit of a TQ, when it is marked, then 2 less count, on average and by itself."""
    table = lonely()
    board, own = table.state.open, table.state.own[JAPAN]
    tq = GROUND["jp_ssd"].tq
    assert (tq, tq) == (nerve(board, own, "jp_ssd"), quality(board, own, ["jp_ssd"]))

    station(table, {"jp_ssd": {"isolated": True}})

    assert (tq - 2, tq - 2) == (nerve(board, own, "jp_ssd"), quality(board, own, ["jp_ssd"]))


def test_p12_2_p31_8_r_6_a_marked_unit_does_not_rally() -> None:
    """Given a Broken unit that the enemy leaves alone, when it is marked, then it does not roll."""
    table = table_at(battle(ground=[{"id": "jp_ssd", "hex": "lae"}], control={"JP": ["lae"]}), None, 0)
    station(table, {"jp_ssd": {"broken": True, "isolated": True}})
    table.facts = []
    rally(table)

    assert 1 == dice_left(table)
    assert table.state.own[JAPAN].ground["jp_ssd"].broken


def test_p12_4_a_naval_unit_is_marked_and_nothing_more() -> None:
    table = lonely(*HOLD)
    ship = table.state.own[JAPAN].ships["ca_chokai_maya"]
    isolate(table)

    now = table.state.own[JAPAN].ships["ca_chokai_maya"]
    assert (ship.port, ship.damage, True) == (now.port, now.damage, now.isolated)


def test_p12_japan_is_first_and_the_links_of_the_allies_are_tested_after_its_units_suffer() -> None:
    """Given Broken troops of Japan, then they block no link of the Allies any more (P11.6 a)."""
    table = lonely(*(9,) * TROOPS)
    isolate(table)

    order = [(type(one).__name__, one.side) for one in table.facts if isinstance(one, LinksAre | OwnUnits)]
    assert [("LinksAre", JAPAN), ("OwnUnits", JAPAN), ("LinksAre", ALLIES)] == order


FATES: tuple[tuple[tuple[int, ...], dict[str, dict[str, Any]]], ...] = (
    (HOLD, {}),
    ((9,) * TROOPS, {}),
    (HOLD[1:], {"jp_ssd": {"broken": True}}),
    ((), {unit: {"broken": True, "steps": 2} for unit in sorted(campaign().state.own[JAPAN].ground)}),
)


@pytest.mark.parametrize(("dice", "units"), FATES)
def test_p12_p0_4_2_nobody_can_count_who_was_marked_or_rolled(dice: Any, units: Any) -> None:
    """Given any fates, then as many facts are sealed as when nobody is Isolated, and the dice are unseen."""
    quiet, table = campaign(), lonely(*dice, units=units)
    for one in (quiet, table):
        one.facts = []
        isolate(one)

    assert sealed_facts(quiet.facts) == sealed_facts(table.facts) == 6
    hidden = {RolledUnseen.__name__, LinksAre.__name__}
    assert not hidden & {type(fact).__name__ for fact in in_sight(table.facts, None)}
    assert 1 == len(told(in_sight(table.facts, None), IsolationJudged))


def test_p0_4_1_the_enemy_is_told_losses_and_nothing_of_markers() -> None:
    """Given fighters whose public copy stands, then the copy has a step less and no marker."""
    table = lonely(*HOLD, units={"au_30bde": {"hex": "buna"}})
    table.state.open.ground["jp_ssd"] = table.state.own[JAPAN].ground["jp_ssd"]
    isolate(table)

    assert table.state.own[JAPAN].ground["jp_ssd"].isolated
    assert not table.state.open.ground["jp_ssd"].isolated
    assert [] == [one for one in in_sight(table.facts, ALLIES) if one.audience() == Audience.of(JAPAN)]
