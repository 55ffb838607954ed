"""P5 The battle cycle: its phases in order, who acts in each, and when the game ends."""

from typing import Any

import pytest

from domain.kernel.dice import seeded
from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.notices import GameEnded
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.sequence import BattleCycle, PacificWar
from domain.pacific_war.board.charts import SCENARIOS
from domain.pacific_war.board.table import Open
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import (
    AdvantageIs,
    BaseIs,
    Counted,
    Covered,
    CycleBegan,
    LightingIs,
    PhaseBegan,
    SetUp,
)
from domain.pacific_war.facts.intelligence import show, show_base
from tests.kernel.playing import Playing
from tests.pacific_war.board import again_at, battle, change, kinds, options, table_at, take, told

JAPAN, ALLIES = 0, 1
ENGAGEMENT = [f"5.2.{letter}" for letter in "ABCDEFGHIJKLNO"]
BATTLE = [f"5.2.{letter}" for letter in "ABCDEFGHIJKLMNO"]


def by_defaults(scenario: str) -> list[Fact]:
    """Return all facts of a match in which nobody ever decides."""
    playing = Playing(PACIFIC_WAR, scenario, {}, seeded(1))
    while not playing.state.match.over:
        seat, prompt = next(iter(playing.table.prompts.items()))
        playing.decide(seat, PACIFIC_WAR.default(playing.state, seat, prompt), "default")
    return [fact for _, fact in playing.log]


@pytest.mark.parametrize(
    ("scenario", "cycle", "cycles"),
    [
        ("E1", ENGAGEMENT, 3),
        ("E2", ENGAGEMENT, 2),
        ("E3", ENGAGEMENT, 1),
        ("E4", ENGAGEMENT, 3),
        ("B1", BATTLE, 4),
    ],
)
def test_p1_p5_2_the_phases_in_order_as_many_times_as_the_scenario_has_cycles(
    scenario: str, cycle: list[str], cycles: int
) -> None:
    """Given a match without a decision, then each phase is logged; only a Battle has P5.2.M."""
    facts = by_defaults(scenario)

    assert cycle * cycles == [one.phase for one in told(facts, PhaseBegan)]
    assert [*range(1, cycles + 1)] == [one.cycle for one in told(facts, CycleBegan)]
    assert cycles == len(told(facts, LightingIs)) == len(told(facts, AdvantageIs))
    assert [SetUp, Counted, GameEnded] == [
        type(one) for one in facts if isinstance(one, SetUp | Counted | GameEnded)
    ]


def test_p5_2_the_names_of_the_phases() -> None:
    facts = by_defaults("B1")

    assert [
        ("5.2.A", "Lighting"),
        ("5.2.B", "Advantage"),
        ("5.2.C", "Advantage movement"),
        ("5.2.D", "Advantage air missions"),
        ("5.2.E", "Naval battle"),
        ("5.2.F", "Bombardment"),
        ("5.2.G", "Demolition"),
        ("5.2.H", "Ground combat"),
        ("5.2.I", "Airbase repair"),
        ("5.2.J", "Rally"),
        ("5.2.K", "Disadvantage movement"),
        ("5.2.L", "Disadvantage air missions"),
        ("5.2.M", "Deactivation"),
        ("5.2.N", "Detection removal"),
        ("5.2.O", "Day marker"),
    ] == [(one.phase, one.name) for one in told(facts, PhaseBegan)][:15]


# a cycle in which both sides have something to do


def strait(**changes: Any) -> str:
    """Return a battle with a fleet, aircraft and troops of both; nobody meets. The Allies have Advantage."""
    given: dict[str, Any] = {
        "first_advantage": "AL",
        "tfs": [
            {"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"], "core": ["cv_shokaku"]},
            {"id": "A1", "side": "AL", "hex": "6845", "screen": ["dd_us2"], "core": ["cv_yorktown"]},
        ],
        "air": [
            {"id": "cvg_shokaku", "steps": 4, "level": 1},
            {"id": "cvg_yorktown", "steps": 4, "level": 1},
        ],
        "control": {"JP": ["rabaul"], "AL": ["noumea"]},
    }
    return battle(changes.pop("like", "E1"), **given | changes)


def at_c(scene: str) -> Table:
    """Return a table in P5.2.C of the first cycle."""
    return table_at(scene, BattleCycle(cycle=1))


def finish(table: Table, *sides: int) -> None:
    """Let sides end what they are asked, in this order."""
    for side in sides:
        take(table, side, _end(table, side))


def until(table: Table, goal: str) -> list[tuple[str, str, int]]:
    """Let everybody end what he is asked until a phase; return in which phase, by which rule, and who."""
    asked = []
    while phase(table) != goal and table.prompts:
        side, prompt = next(iter(table.prompts.items()))
        asked.append((phase(table), prompt.rule, side))
        finish(table, side)
    return asked


def _end(table: Table, side: int) -> Decision:
    seen = options(table, side)
    return next(one for one in seen if isinstance(one, d.Done | d.EndMissions | d.Pass | d.Evade))


def phase(table: Table) -> str:
    board: Open = table.state.open
    return board.phase


@pytest.mark.parametrize(("first", "other", "name"), [(ALLIES, JAPAN, "AL"), (JAPAN, ALLIES, "JP")])
def test_p5_2_c_d_k_l_r_7_the_advantage_player_first_then_the_disadvantage_player(
    first: int, other: int, name: str
) -> None:
    """Given carriers of both, then C and the missions of D are the first's, K and those of L the other's."""
    table = at_c(strait(first_advantage=name))
    assert "MoveTF" in kinds(table, first)
    asked = until(table, "5.2.O")

    assert [("5.2.C", first), ("5.2.K", other)] == [
        (when, who) for when, rule, who in asked if rule == "23.6"
    ]
    patrols = [(when, who) for when, rule, who in asked if rule == "28.1"]
    assert [(when, side) for when in ("5.2.D", "5.2.L") for side in (JAPAN, ALLIES)] == sorted(patrols)
    assert [("5.2.D", first), ("5.2.L", other)] == [
        (when, who) for when, rule, who in asked if rule == "28.2"
    ]


def test_p5_2_b_the_advantage_is_found_after_the_lighting_and_holds_for_the_cycle() -> None:
    """Given E1, in which no lighting is rolled, then two dice make the Advantage player: 3 + 1 against 8."""
    scene = battle(tfs=[{"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"]}], initiative=1)
    table = again_at(table_at(scene, Movement(side=JAPAN)), BattleCycle(cycle=1), 3, 8)

    begun = [one for one in table.facts if isinstance(one, PhaseBegan | LightingIs | AdvantageIs)]
    assert ["PhaseBegan", "LightingIs", "PhaseBegan", "AdvantageIs"] == [type(one).__name__ for one in begun][
        :4
    ]
    assert AdvantageIs(ALLIES, (4, 8)) == begun[3]
    until(table, "5.2.N")
    assert ALLIES == table.state.open.advantage


def test_p5_2_c_there_is_no_combat_where_fleets_meet_in_a_movement_phase() -> None:
    """Given a fleet that comes to the enemy's, then both are Detected, nobody fires before P5.2.E."""
    tfs = [
        {"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"]},
        {"id": "A1", "side": "AL", "hex": "5543", "screen": ["dd_us2"]},
        {"id": "A2", "side": "AL", "hex": "6845", "screen": ["dd_us4"]},
    ]
    table = at_c(strait(tfs=tfs, air=[]))
    take(table, ALLIES, d.MoveTF("A1"), d.SailTo("5540"))
    take(table, JAPAN, d.Pass())
    table.dice = seeded(1)
    finish(table, ALLIES)

    assert table.state.open.tfs["J1"].detected
    assert table.state.open.tfs["A1"].detected
    finish(table, *table.prompts)
    assert ("5.2.E", {JAPAN, ALLIES}) == (phase(table), set(table.prompts))
    assert {"Engage", "Evade"} == kinds(table, ALLIES) == kinds(table, JAPAN)


def test_p5_2_f_the_advantage_player_bombards_first_then_the_other() -> None:
    """Given a task force of each off a location of the other, then the Allies are asked first."""
    tfs = [
        {"id": "J1", "side": "JP", "hex": "5747", "screen": ["ca_myoko_haguro"]},
        {"id": "A1", "side": "AL", "hex": "4837", "screen": ["ca_us1"]},
    ]
    table = at_c(strait(tfs=tfs, air=[]))
    until(table, "5.2.F")
    assert ("5.2.F", {ALLIES}) == (phase(table), set(table.prompts))
    finish(table, ALLIES)
    assert ("5.2.F", {JAPAN}) == (phase(table), set(table.prompts))
    finish(table, JAPAN)
    assert "5.2.F" != phase(table)


def test_p5_2_g_the_advantage_player_demolishes_first_then_the_other_then_ground_combat() -> None:
    """Given troops of both at Lae and Port Moresby beside it, then G is both's, and H follows."""
    ground = [{"id": "jp_kure5", "hex": "lae"}, {"id": "au_30bde", "hex": "port_moresby"}]
    table = at_c(strait(ground=ground, control={"JP": ["lae"], "AL": ["port_moresby"]}))
    until(table, "5.2.G")
    assert ("5.2.G", {ALLIES}) == (phase(table), set(table.prompts))
    finish(table, ALLIES)
    assert ("5.2.G", {JAPAN}) == (phase(table), set(table.prompts))
    finish(table, JAPAN)
    assert "5.2.K" == phase(table)


def test_p5_2_h_p31_6_ground_combat_and_then_control() -> None:
    """Given Japanese troops alone at Port Moresby of the Allies, then it is theirs before P5.2.I."""
    table = at_c(
        strait(ground=[{"id": "jp_kure5", "hex": "port_moresby"}], control={"JP": [], "AL": ["port_moresby"]})
    )
    table.dice = seeded(1)
    until(table, "5.2.D")
    finish(table, *table.prompts)
    facts = [*table.facts]
    while "5.2.K" != phase(table):
        finish(table, next(iter(table.prompts)))
        facts += table.facts

    order = [one for one in facts if isinstance(one, PhaseBegan | BaseIs)]
    captured = next(n for n, one in enumerate(order) if isinstance(one, BaseIs))
    assert isinstance(order[captured - 1], PhaseBegan)
    assert ("5.2.H", "port_moresby", JAPAN) == (
        order[captured - 1].phase,  # type: ignore[union-attr]
        order[captured].location,  # type: ignore[union-attr]
        table.state.open.bases["port_moresby"].control,
    )


def test_p5_2_i_j_n_o_nobody_is_asked() -> None:
    """Given a cycle in which nothing is left to choose, then it runs to its end by itself (P5.2)."""
    table = table_at(
        battle(ground=[{"id": "us_wakedb", "hex": "wake"}], first_advantage="JP"), BattleCycle(cycle=1)
    )

    assert {JAPAN, ALLIES} == set(table.prompts)  # CAP is always asked
    finish(table, JAPAN, ALLIES)
    assert "5.2.L" == phase(table)
    finish(table, JAPAN, ALLIES)
    assert {} == table.prompts
    assert "5.2.O" == phase(table)


def test_p5_2_m_in_a_battle_the_operation_player_deactivates_then_the_reaction_player() -> None:
    """Given the Allies as Operation player, though Japan has the Advantage."""
    scene = strait(
        like="B1",
        first_advantage="JP",
        first_lighting="Day",
        operation_player="AL",
        reaction_player="JP",
        month="1942-06",
    )
    table = at_c(scene)
    until(table, "5.2.M")
    assert ("5.2.M", {ALLIES}) == (phase(table), set(table.prompts))
    finish(table, ALLIES)
    assert ("5.2.M", {JAPAN}) == (phase(table), set(table.prompts))


# P5.2.A


def test_p5_2_a_all_steps_are_ready_and_landing_markers_are_removed() -> None:
    scene = strait(ground=[{"id": "jp_kure5", "hex": "lae"}, {"id": "au_30bde", "hex": "port_moresby"}])
    table = table_at(scene, Movement(side=ALLIES))
    change(table, JAPAN, {"cvg_shokaku": {"ready": 1, "cap": 2}, "jp_kure5": {"landing": True}})
    table = again_at(table, BattleCycle(cycle=1))

    air = table.state.own[JAPAN].air["cvg_shokaku"]
    assert (4, 4, 0) == (air.steps, air.ready, air.cap)
    assert not table.state.own[JAPAN].ground["jp_kure5"].landing


def test_p5_2_a_p0_4_1_ships_in_port_and_aircraft_on_land_are_hidden_again_ships_at_sea_are_not() -> None:
    air = [
        {"id": "jn_2e_25af", "steps": 4, "level": 1, "base": "rabaul"},
        {"id": "cvg_shokaku", "steps": 4, "level": 1},
    ]
    naval = [{"at": "rabaul", "side": "JP", "units": ["dd_jp8"]}]
    table = table_at(strait(air=air, naval=naval), Movement(side=ALLIES), detected=["J1"])
    show(table, ships=["dd_jp8"], air=["jn_2e_25af"])
    assert {"dd_jp8", "dd_jp7", "cv_shokaku"} == set(table.state.open.ships)
    table = again_at(table, BattleCycle(cycle=1))

    assert {"dd_jp7", "cv_shokaku"} == set(table.state.open.ships)
    assert {"cvg_shokaku"} == set(table.state.open.air)


def test_p5_2_a_p0_4_1_a_group_that_flew_from_a_hidden_carrier_is_hidden_again() -> None:
    table = table_at(strait(), Movement(side=ALLIES))
    show(table, air=["cvg_shokaku"])
    table = again_at(table, BattleCycle(cycle=1))

    assert {} == table.state.open.air


def test_p5_2_a_what_becomes_ready_cannot_be_counted() -> None:
    """Given units of both or of one side, then as many facts are sealed when the cycle begins."""
    counts = set()
    for air in ([], [{"id": "cvg_shokaku", "steps": 4, "level": 1}]):
        table = at_c(strait(air=air))
        begin = next(n for n, one in enumerate(table.facts) if isinstance(one, PhaseBegan))
        light = next(n for n, one in enumerate(table.facts) if isinstance(one, LightingIs))
        counts.add(len([one for one in table.facts[begin:light] if not isinstance(one, Covered)]))

    assert {3} == counts  # the phase, and two


def test_p5_2_a_p28_14_who_landed_or_was_scattered_is_so_for_one_cycle() -> None:
    scene = battle(first_advantage="JP", ground=[{"id": "jp_ssd", "hex": "lae"}])
    table = table_at(scene, Movement(side=JAPAN))
    change(table, JAPAN, {"jp_ssd": {"landing": True, "scattered": True}})
    again_at(table, BattleCycle(cycle=1), *[0] * 9)

    unit = table.state.own[JAPAN].ground["jp_ssd"]
    assert (False, False) == (unit.landing, unit.scattered)


def test_p5_2_a_p0_4_1_what_was_struck_and_who_was_sunk_is_not_kept_for_the_next_cycle() -> None:
    """Given Rabaul laid open and a ship of a Detected task force sunk, then of all that the other is seen."""
    scene = battle(
        first_advantage="JP",
        naval=[{"at": "rabaul", "side": "JP", "units": ["dd_jp7"]}],
        tfs=[{"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp8", "dd_jp10"]}],
    )
    table = table_at(scene, Movement(side=JAPAN), detected=["J1"])
    show_base(table, "rabaul", JAPAN, "port")
    inflict(table, {"dd_jp10": 3})
    board = table.state.open
    assert (["rabaul"], {"dd_jp7", "dd_jp8", "dd_jp10"}) == (board.struck, {*board.ships})

    again_at(table, BattleCycle(cycle=1), 0, 0, 0)
    assert ([], {"dd_jp8"}) == (board.struck, {*board.ships})


# P0.7, R-45, P1.1


def idle(table: Table) -> None:
    """Let nothing of either side be Activated."""
    for own in table.state.own:
        own.ships = {}
        own.fleets = {}
        own.air = {}
        own.ground = {}
    table.state.open.tfs = {}
    table.state.open.troops = ([], [])


@pytest.mark.parametrize("asked", ["5.2.D", "5.2.K", "5.2.L"])
def test_r_45_p0_7_the_cycle_ends_at_once_when_nobody_is_activated(asked: str) -> None:
    """Given a phase that ends with nobody Activated on either side, then no other begins."""
    table = at_c(strait())
    while phase(table) != asked:
        finish(table, next(iter(table.prompts)))
    idle(table)
    finish(table, *[*table.prompts])

    assert {} == table.prompts
    assert asked == phase(table)


def test_r_45_p0_7_p2_6_control_does_not_change_after_the_end() -> None:
    """Given nobody Activated after ground combat, then who is alone at a place does not take it any more.

    Else he takes it, and a die falls for the repair of its airbase.
    """
    for active in (False, True):
        scene = battle(control={"AL": ["lae"]}, ground=[{"id": "jp_ssd", "hex": "lae"}])
        table = table_at(scene, Movement(side=JAPAN), advantage=JAPAN)
        change(table, JAPAN, {"jp_ssd": {"active": active}})
        table = again_at(table, BattleCycle(cycle=1, at="settle"), *([9] if active else []))

        assert (JAPAN if active else ALLIES) == table.state.open.bases["lae"].control


def test_r_45_one_side_with_an_activated_unit_goes_on() -> None:
    table = at_c(strait())
    for own in table.state.own[:1]:
        own.ships, own.fleets, own.air = {}, {}, {}
    table.state.open.tfs.pop("J1")

    assert "5.2.L" in [when for when, _, _ in until(table, "5.2.O")]


def test_r_45_the_match_ends_with_its_count() -> None:
    """Given a Battle in which both deactivate all they have, then no second cycle begins."""
    scene = strait(
        like="B1",
        first_advantage="JP",
        first_lighting="Day",
        month="1942-06",
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"]},
            {"id": "A1", "side": "AL", "hex": "6845", "screen": ["dd_us2"]},
        ],
        air=[],
        ground=[],
    )
    assert 1 < SCENARIOS[scene].battle_cycles
    state = table_at(scene, Movement(side=JAPAN)).state
    state.stack = []
    table = Table(PACIFIC_WAR, state, seeded(1), PacificWar(scenario=scene))
    while phase(table) != "5.2.M":
        finish(table, next(iter(table.prompts)))
    for side, tf in ((JAPAN, "J1"), (ALLIES, "A1")):
        facts = take(table, side, d.DeactivateTF(tf))

    assert [] == told(facts, PhaseBegan)
    assert 1 == len(told(facts, Counted)) == len(told(facts, GameEnded))
    assert table.state.match.over


def test_r_45_in_a_movement_phase_nobody_searches_any_more() -> None:
    """Given the last unit of all, when a patrol sinks it, then the game is over, and no other die falls."""
    scene = battle(
        tfs=[{"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"]}],
        patrols=[{"side": "AL", "hex": "5542", "points": 4}],
        first_advantage="JP",
    )
    table = table_at(scene, BattleCycle(cycle=1), 0, (1,), 0)
    change(table, JAPAN, {"dd_jp7": {"damage": 1}})
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5541"))

    assert [] == told(facts, PhaseBegan)
    assert "5.2.C" == phase(table)
    assert {} == table.prompts
