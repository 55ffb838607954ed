"""P0 Conventions: dice, choices that make themselves, what is chosen when time runs out, what is public."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import Decided, RolledUnseen
from domain.kernel.procedures import Decision, Prompt
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.ground import GroundCombat
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.battle.retreat import Retreat
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.table import Air, Ground
from domain.pacific_war.clock import default
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.changes import public, seen
from domain.pacific_war.facts.cycle import MarkerRemoved, SetUp, UnitLost, UnitsAre
from domain.pacific_war.facts.secrets import OwnUnits
from tests.kernel.playing import Playing
from tests.pacific_war.board import battle, drawn, options, table_at, take, told

JAPAN, ALLIES = 0, 1


def chosen(table: Table, side: int) -> Decision:
    """Return what is chosen for a side whose time has run out."""
    return default(table.state, side, table.prompts[side])


def test_p0_1_two_players_a_seat_each() -> None:
    assert ("Japan", "Allies") == tuple(PACIFIC_WAR.sides)
    assert [0, 1] == [seat.side for seat in PACIFIC_WAR.seats("E1", {})]


# P0.3 choices


def test_p0_3_a_choice_that_is_the_only_one_is_made_and_recorded() -> None:
    """Given one transport that can take it, then the unit goes aboard without a second question."""
    scene = battle(
        tfs=[{"id": "J1", "side": "JP", "hex": "4439", "core": ["aa_jp10", "aa_jp12"]}],
        ground=[{"id": "jp_ssd", "hex": "lae"}],
        control={"JP": ["lae"], "AL": []},
    )
    table = table_at(scene, Movement(side=JAPAN))
    facts = take(table, JAPAN, d.Embark("jp_ssd"))

    assert ["chosen", "forced"] == [one.how for one in told(facts, Decided)]


def test_p0_3_r_59_r_54_who_is_always_asked_is_asked_with_one_choice_too() -> None:
    """Given the CAP window and nothing to put up, then both are asked, and can only be done."""
    table = table_at(battle(), AirMissions(side=JAPAN))

    assert [d.Done()] == options(table, JAPAN) == options(table, ALLIES)


# P0.5, P0.7


def test_p0_7_a_ship_that_is_sunk_and_its_empty_task_force_are_removed_at_once() -> None:
    scene = battle(tfs=[{"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"]}])
    table = table_at(scene, Movement(side=JAPAN))
    table.facts = []
    inflict(table, {"dd_jp7": 9})

    assert [UnitLost("dd_jp7", JAPAN, "sunk")] == told(table.facts, UnitLost)
    assert [MarkerRemoved("J1")] == told(table.facts, MarkerRemoved)
    assert ({}, {}) == (table.state.open.tfs, table.state.own[JAPAN].fleets)


# P0.4 what is public


def test_p0_4_1_p0_4_3_the_map_is_told_and_what_is_in_the_fleets_to_their_owner_alone() -> None:
    playing = Playing(PACIFIC_WAR, "B1", {}, seeded(1))
    facts = [fact for _, fact in playing.log]

    (start,) = told(facts, SetUp)
    assert Audience.ALL == start.audience()
    first = told(facts, OwnUnits)[:2]
    assert [Audience.of(0), Audience.of(1)] == [one.audience() for one in first]
    board = playing.state.open
    assert ({}, {}, {}, {}) == (board.contents, board.ships, board.air, board.ground)
    assert (["midway", "pearl_harbor"], ["6617"]) == (sorted(board.airfields[ALLIES]), board.troops[ALLIES])
    assert {"6617": 0, "7219": 0} == {at: patrol.points for at, patrol in board.patrols.items()}


def test_p0_4_1_public_copies_leave_out_what_is_the_owners_knowledge() -> None:
    air = Air("rabaul", 4, 2, active=False, ready=3, cap=1, searching=True)
    assert Air("rabaul", 4, 2) == public(air)
    ground = Ground("4440", {}, 3, broken=True, active=False, landing=True, moved=True)
    assert Ground("4440", {}, 3, broken=True, active=False, landing=True) == seen(ground)


def test_p0_4_1_a_change_of_a_public_unit_is_told_and_of_a_hidden_one_is_not() -> None:
    """Given a Detected and an Undetected task force, when both are hit by rule, then the copy follows."""
    tfs = [
        {"id": "J1", "side": "JP", "hex": "5540", "screen": ["ca_myoko_haguro"]},
        {"id": "J2", "side": "JP", "hex": "5740", "screen": ["ca_atago_takao"]},
    ]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN), detected=["J1"])
    table.facts = []
    inflict(table, {"ca_myoko_haguro": 1, "ca_atago_takao": 1})

    (fact,) = told(table.facts, UnitsAre)
    assert {"ca_myoko_haguro": 1} == {ship: one.damage for ship, one in fact.ships.items()}
    assert {"ca_myoko_haguro"} == set(table.state.open.ships)
    assert 1 == table.state.own[JAPAN].ships["ca_atago_takao"].damage


# P0.8 the clock


def carriers(**more: Any) -> str:
    return battle(
        tfs=[
            {
                "id": "J1",
                "side": "JP",
                "hex": "5540",
                "core": ["cv_shokaku", "cv_zuikaku"],
                "screen": ["dd_jp7"],
            },
            {
                "id": "A1",
                "side": "AL",
                "hex": "5543",
                "core": ["cv_yorktown"],
                "screen": ["ca_us1", "dd_us2"],
            },
        ],
        air=[{"id": f"cvg_{name}", "steps": 4, "level": 1} for name in ("shokaku", "zuikaku", "yorktown")],
        **more,
    )


def test_p0_8_combat_air_patrol_ends_and_no_mission_is_flown() -> None:
    table = table_at(carriers(), AirMissions(side=JAPAN), detected=["A1"])
    assert d.Done() == chosen(table, JAPAN) == chosen(table, ALLIES)
    take(table, JAPAN, d.Done())
    take(table, ALLIES, d.Done())

    assert d.EndMissions() == chosen(table, JAPAN)


def test_p0_8_a_mission_that_is_begun_takes_the_first_of_the_list_until_it_can_be_finished() -> None:
    """Given a strike declared, then its first target, one step of the first group, and it is done."""
    table = table_at(carriers(), AirMissions(side=JAPAN), 9, detected=["A1"])
    take(table, JAPAN, d.Done())
    take(table, ALLIES, d.Done())
    take(table, JAPAN, d.DeclareMission("strike_tf", "J1"))
    picks = []
    for _ in range(3):
        assert chosen(table, JAPAN) in table.prompts[JAPAN].options
        picks.append(chosen(table, JAPAN))
        take(table, JAPAN, picks[-1])

    assert [d.Target("A1"), d.AddSteps("cvg_shokaku", "strike", 1), d.Done()] == picks


def test_p0_8_a_strike_is_not_answered() -> None:
    table = table_at(carriers(), AirMissions(side=JAPAN), 0, detected=["J1", "A1"])
    take(table, JAPAN, d.Done())
    take(table, ALLIES, d.Done())
    take(
        table,
        JAPAN,
        d.DeclareMission("strike_tf", "J1"),
        d.Target("A1"),
        d.AddSteps("cvg_shokaku", "strike", 1),
        d.Done(),
    )
    assert {d.SimultaneousStrike(), d.Decline()} == set(options(table, ALLIES))
    assert d.Decline() == chosen(table, ALLIES)


def test_p0_8_the_first_pick_of_two_is_completed_with_the_first_second_one() -> None:
    scene = battle(tfs=[{"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"]}])
    table = table_at(scene, Movement(side=JAPAN))
    assert d.Done() == chosen(table, JAPAN)
    take(table, JAPAN, d.MoveTF("J1"))

    assert options(table, JAPAN)[0] == chosen(table, JAPAN)


def test_p0_8_a_naval_battle_is_evaded_the_range_held_and_no_order_given() -> None:
    """Given fleets on one node at Night, then the picks are these, until all is chosen."""
    tfs = [
        {"id": "J1", "side": "JP", "hex": "5340", "screen": ["ca_myoko_haguro"]},
        {"id": "A1", "side": "AL", "hex": "5340", "screen": ["ca_us1"]},
    ]
    table = table_at(battle(tfs=tfs), NavalBattles(), 5, 5, lighting="Night", advantage=JAPAN)
    assert d.Evade() == chosen(table, JAPAN) == chosen(table, ALLIES)
    take(table, JAPAN, d.Engage())
    take(table, ALLIES, d.Engage())
    assert d.Hold() == chosen(table, JAPAN) == chosen(table, ALLIES)
    take(table, JAPAN, d.Hold())
    take(table, ALLIES, d.Hold())
    assert d.Done() == chosen(table, JAPAN) == chosen(table, ALLIES)


def test_p0_8_an_order_that_is_begun_gets_its_first_target() -> None:
    prompt = Prompt("29.2", "", (d.At("ca_us1", torpedoes=False), d.At("ca_us1", torpedoes=True)))

    assert d.At("ca_us1", torpedoes=False) == default(
        table_at(battle(), Movement(side=JAPAN)).state, 0, prompt
    )


def ashore(*dice: int) -> Table:
    ground = [{"id": unit, "hex": "lae"} for unit in ("jp_kure5", "jp_ssd", "jp_84gd", "au_30bde")]
    scene = battle(ground=ground, control={"JP": [], "AL": ["lae"]})
    return table_at(scene, GroundCombat(hex="4439"), *dice)


def test_p0_8_on_land_nobody_attacks_and_an_attack_is_made_with_all_units() -> None:
    """Given an attack decided on, then every unit of the attacker takes part."""
    table = ashore(9, 9)
    assert d.NoAttack() == chosen(table, JAPAN) == chosen(table, ALLIES)
    take(table, JAPAN, d.Attack())
    take(table, ALLIES, d.NoAttack())
    picks: list[Decision] = []
    while table.prompts.get(JAPAN) and isinstance(chosen(table, JAPAN), d.CommitAttacker):
        picks.append(chosen(table, JAPAN))
        take(table, JAPAN, picks[-1])

    assert [d.CommitAttacker(unit) for unit in ("jp_84gd", "jp_kure5", "jp_ssd")] == picks
    assert {} == table.prompts  # it is fought


@pytest.mark.parametrize(
    ("given", "picked"),
    [
        ([d.Intercept(), d.Pass()], d.Pass()),
        ([d.Bombard("J1", "ground"), d.Pass()], d.Pass()),
        ([d.Demolish("jp_ssd", "port"), d.Pass()], d.Pass()),
        ([d.Deactivate("jp_ssd"), d.DeactivateTF("J1"), d.Done()], d.Done()),
        ([d.NextBattle("5340"), d.NextBattle("5440")], d.NextBattle("5340")),
        (
            [d.RetreatGround("jp_ssd", "4438"), d.RetreatGround("jp_ssd", "4539")],
            d.RetreatGround("jp_ssd", "4438"),
        ),
        ([d.TransferShip("dd_jp7"), d.NewTF("5540"), d.Done()], d.Done()),
    ],
)
def test_p0_8_anything_else_is_done_passed_or_declined_else_the_first(
    given: Sequence[Decision], picked: Decision
) -> None:
    state = table_at(battle(), Movement(side=JAPAN)).state

    assert picked == default(state, JAPAN, Prompt("", "", tuple(given)))


def test_p0_8_a_task_force_retreats_to_the_first_place() -> None:
    tfs = [{"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"]}]
    table = table_at(battle(tfs=tfs), Retreat(tfs=("J1",)))

    assert d.RetreatTF("J1", "5440") == chosen(table, JAPAN)


# P0.2.2


def test_p0_2_2_r_96_an_unseen_die_counts_by_itself_and_is_the_umpires() -> None:
    scene = battle(
        tfs=[{"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"], "core": ["cv_akagi"]}],
        patrols=[{"side": "AL", "hex": "5542", "points": 4}],
    )
    table = table_at(scene, Movement(side=JAPAN), 3, drawn(0), 9, 9, 9)
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5541"))

    dice = told(facts, RolledUnseen)
    assert [0, 1, 2, 3] == [one.index for one in dice]
    assert {Audience.UMPIRE} == {one.audience() for one in dice}
    assert 1 == table.state.rolls
