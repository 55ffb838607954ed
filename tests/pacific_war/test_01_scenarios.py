"""P1 The scenarios: how they are set up, and the special rules of each."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.dice import seeded
from domain.kernel.facts import Rolled, RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.missions import bonus, destinations, targets
from domain.pacific_war.battle.movement import Movement, left
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.battle.search import search
from domain.pacific_war.battle.sequence import BattleCycle, refresh
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.atlas import area
from domain.pacific_war.board.charts import AIR, LOCATIONS, OWNERS, SCENARIOS, SIDES
from domain.pacific_war.board.special import intercepts, search_limit, spared
from domain.pacific_war.board.table import free_lift, printed, stack_room
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Found
from domain.pacific_war.facts.happenings import InterceptTried
from domain.pacific_war.setup.scenarios import set_up
from tests.kernel.playing import Playing
from tests.pacific_war.board import battle, dice_left, faces, kinds, options, table_at, take, told

JAPAN, ALLIES = 0, 1
NAMES = ("E1", "E2", "E3", "E4", "B1")


def of(table: Table, side: int, *which: type[Any]) -> list[Any]:
    return [one for one in options(table, side) if isinstance(one, which)]


# P1.1 the set-up


def test_p1_the_scenarios_in_the_order_of_the_book() -> None:
    assert [*NAMES, "C1", "S1", "S2"] == list(PACIFIC_WAR.scenarios)
    assert list(NAMES) == PACIFIC_WAR.short


@pytest.mark.parametrize("name", NAMES)
def test_p1_1_task_forces_start_undetected_where_the_scenario_says(name: str) -> None:
    state, given = table_at(name, Movement(side=JAPAN)).state, SCENARIOS[name]

    assert {row.id for row in given.tfs} == set(state.open.tfs)
    for row in given.tfs:
        force, fleet = state.open.tfs[row.id], state.own[SIDES.index(row.side)].fleets[row.id]
        assert (SIDES.index(row.side), row.hex, False) == (force.side, force.node, force.detected)
        assert (row.core, row.screen) == (fleet.ships.core, fleet.ships.screen)


@pytest.mark.parametrize("name", NAMES)
def test_p1_1_units_that_a_scenario_does_not_name_do_not_exist(name: str) -> None:
    own, given = table_at(name, Movement(side=JAPAN)).state.own, SCENARIOS[name]

    ships = {ship for row in given.tfs for ship in (*row.core, *row.screen)}
    ships |= {ship for row in given.naval for ship in row.units}
    cargo = {load.partition(":")[0] for row in given.tfs for loads in row.cargo.values() for load in loads}
    assert ships == {*own[0].ships, *own[1].ships}
    assert {row.id for row in given.air} == {*own[0].air, *own[1].air}
    assert {row.id for row in given.ground} | cargo == {*own[0].ground, *own[1].ground}
    for side in (0, 1):
        units = (*own[side].ships, *own[side].air, *own[side].ground)
        assert {side} == {OWNERS[unit] for unit in units} or not units


@pytest.mark.parametrize("name", NAMES)
def test_p1_1_air_units_stand_at_their_homes_with_steps_and_level(name: str) -> None:
    own = table_at(name, Movement(side=JAPAN), ready=False).state.own
    for row in SCENARIOS[name].air:
        air = own[OWNERS[row.id]].air[row.id]
        home = row.base or AIR[row.id].carrier
        assert (home, row.steps, row.level) == (air.home, air.steps, air.level)


def test_p1_4_cargo_lies_on_the_ships_that_are_named() -> None:
    """Given E1: 3 steps on Transport Group 10, on Transport Group 12 the other one and a battalion."""
    ground = table_at("E1", Movement(side=JAPAN)).state.own[JAPAN].ground

    assert ({"aa_jp10": 3, "aa_jp12": 1}, 4, "") == (
        ground["jp_ssd"].aboard,
        ground["jp_ssd"].steps,
        ground["jp_ssd"].hex,
    )
    assert ({"aa_jp12": 2}, 2) == (ground["jp_kure5"].aboard, ground["jp_kure5"].steps)


def test_p1_1_who_has_what_is_not_listed_is_as_it_was_in_december_1941() -> None:
    """Given two lists that name two places, then all others in the area are as printed."""
    scene = battle(control={"JP": ["lae"], "AL": ["tokyo"]})
    bases = table_at(scene, Movement(side=JAPAN)).state.open.bases

    assert (JAPAN, ALLIES) == (bases["lae"].control, bases["tokyo"].control)
    for place, base in bases.items():
        if place not in ("lae", "tokyo"):
            assert SIDES.index(LOCATIONS[place].control_1941_12) == base.control


def test_p1_1_installations_are_as_printed_unless_the_scenario_changes_them() -> None:
    scene = battle(bases={"lae": {"airbase": 0, "fort": 2}, "rabaul": {"port": 1}})
    bases = table_at(scene, Movement(side=JAPAN)).state.open.bases

    lae, rabaul = bases["lae"], bases["rabaul"]
    assert (LOCATIONS["lae"].port, 0, 2) == (lae.port, lae.airbase, lae.fort)
    assert (1, LOCATIONS["rabaul"].airbase, LOCATIONS["rabaul"].fort) == (
        rabaul.port,
        rabaul.airbase,
        rabaul.fort,
    )


@pytest.mark.parametrize("name", NAMES)
def test_p1_2_locations_outside_the_area_are_not_in_play(name: str) -> None:
    bases = table_at(name, Movement(side=JAPAN)).state.open.bases

    assert {place for place, one in LOCATIONS.items() if one.hex in area(name)} == set(bases)


def test_p0_4_3_each_sides_units_are_told_to_itself_alone() -> None:
    playing = Playing(PACIFIC_WAR, "E1", {}, seeded(1))

    assert "ca_us1" not in playing.state.own[JAPAN].ships
    assert "cv_shokaku" not in playing.state.own[ALLIES].ships
    assert {} == playing.state.open.ships


@pytest.mark.parametrize(("name", "advantage", "lighting"), [("E2", JAPAN, "Day"), ("E3", JAPAN, "Night")])
def test_p1_1_first_lighting_and_first_advantage_as_given(name: str, advantage: int, lighting: str) -> None:
    table = table_at(name, BattleCycle(cycle=1), advantage=ALLIES)

    assert (advantage, lighting) == (table.state.open.advantage, table.state.open.lighting)
    assert 0 == table.state.rolls


# E1


def coral_sea(side: int, *dice: int, **more: Any) -> Table:
    table = table_at("E1", AirMissions(side=side), *dice, **more)
    for one in (JAPAN, ALLIES):
        take(table, one, d.Done())
    return table


def test_e1_1_allied_aircraft_at_townsville_and_noumea_only_search_and_strike() -> None:
    """Given TF J3 beside Townsville, then bombers there strike; they ferry nowhere, as others do."""
    table = table_at("E1", AirMissions(side=ALLIES), detected=["J1"])
    assert {"cvg_lexington", "cvg_yorktown", "us_1e_35fg"} == {
        one.unit for one in of(table, ALLIES, d.AssignCAP)
    }
    tfs = table.state.open.tfs
    tfs["J1"] = replace(tfs["J1"], node="4744")
    for one in (JAPAN, ALLIES):
        take(table, one, d.Done())

    missions = [(one.kind, one.origin) for one in of(table, ALLIES, d.DeclareMission)]
    assert ("strike_tf", "townsville") in missions
    ferries = {unit for kind, unit in missions if kind == "ferry"}
    assert "us_1e_35fg" in ferries
    assert {"us_2e_3bg", "us_4e_feaf", "us_lra_sopac"}.isdisjoint(ferries)


def test_e1_1_a_fighter_at_townsville_puts_up_no_patrol_and_escorts_nobody() -> None:
    """Given the fighters of Port Moresby moved to Townsville by ferry, then they may strike alone."""
    table = table_at("E1", AirMissions(side=ALLIES), detected=["J1"])
    own, tfs = table.state.own[ALLIES], table.state.open.tfs
    own.air["us_1e_35fg"] = replace(own.air["us_1e_35fg"], home="townsville")
    tfs["J1"] = replace(tfs["J1"], node="4645")
    table._advance()
    assert "us_1e_35fg" not in {one.unit for one in of(table, ALLIES, d.AssignCAP)}
    for one in (JAPAN, ALLIES):
        take(table, one, d.Done())
    take(table, ALLIES, d.DeclareMission("strike_tf", "townsville"), d.Target("J1"))

    roles = {(one.unit, one.role) for one in of(table, ALLIES, d.AddSteps)}
    assert ("us_1e_35fg", "strike") in roles
    assert {"strike"} == {role for _, role in roles}


def test_e1_1_they_may_be_ferried_to_and_they_search() -> None:
    table = table_at("E1", Movement(side=JAPAN), detected=["J2", "J3"])
    board, own = table.state.open, table.state.own[ALLIES]
    assert "townsville" in destinations(board, own, ALLIES, "us_1e_35fg")
    table.dice._rolls = faces(9)  # type: ignore[attr-defined]
    own.air = {unit: air for unit, air in own.air.items() if unit == "us_4e_feaf"}
    own.fleets = {}
    board.tfs["J1"] = replace(board.tfs["J1"], node="4844")
    table.facts = []
    search(table, ALLIES)

    assert ["J1"] == [die.subject for die in told(table.facts, RolledUnseen)]


@pytest.mark.parametrize("kind", ["strike_airbase", "strike_port", "strike_fort", "strike_ground"])
def test_e1_1_no_japanese_strike_may_target_townsville_or_noumea(kind: str) -> None:
    """Given bombers of range 9 at Port Moresby, 6 hexes from Townsville, then others can be targets."""
    table = table_at("E1", AirMissions(side=JAPAN))
    board, own = table.state.open, table.state.own[JAPAN]
    own.air["jn_2e_25af"] = replace(own.air["jn_2e_25af"], home="milne_bay")
    board.bases["milne_bay"] = replace(board.bases["milne_bay"], control=JAPAN, airbase=3)
    for place in ("townsville", "noumea", "cairns", "espiritu_santo"):
        board.bases[place] = replace(board.bases[place], fort=1)
        board.troops[ALLIES].append(LOCATIONS[place].hex)

    seen = targets(board, own, JAPAN, kind, "milne_bay", {})
    assert {"cairns", "4344"} & set(seen)
    assert {"townsville", "noumea", "4446", "5747"}.isdisjoint(seen)


def test_e1_1_the_allies_are_not_barred_and_a_fleet_there_may_be_struck() -> None:
    table = table_at("E1", AirMissions(side=JAPAN), detected=["A1"])
    board, own = table.state.open, table.state.own[JAPAN]
    board.tfs["A1"] = replace(board.tfs["A1"], node="4446")
    board.tfs["J1"] = replace(board.tfs["J1"], node="4744")

    assert ["A1"] == targets(board, own, JAPAN, "strike_tf", "J1", {})
    assert (True, False) == (spared(board, JAPAN, "townsville"), spared(board, ALLIES, "townsville"))


# E2


def test_e2_1_in_the_first_cycle_the_allies_put_up_no_patrol() -> None:
    """Given their fighters with steps ready, then they can only be done; Japan can; and in cycle 2 both."""
    table = table_at("E2", AirMissions(side=JAPAN), cycle=1)
    assert [d.Done()] == options(table, ALLIES)
    assert {"AssignCAP", "Done"} == kinds(table, JAPAN)
    assert "AssignCAP" in kinds(table_at("E2", AirMissions(side=JAPAN), cycle=2), ALLIES)


@pytest.mark.parametrize(
    ("cycle", "node", "rolled"),
    [(1, "7917", True), (1, "7916", False), (2, "7916", True)],
)
def test_e2_1_allied_search_reaches_2_hexes_at_most(cycle: int, node: str, rolled: bool) -> None:
    """Given the fleets 2 or 3 hexes from Oahu (7919) with patrol planes, then no die falls beyond 2."""
    table = table_at("E2", Movement(side=JAPAN), cycle=cycle, detected=["J2"])
    board = table.state.open
    board.tfs["J1"] = replace(board.tfs["J1"], node=node)
    table.dice._rolls = faces(*([9] if rolled else []))  # type: ignore[attr-defined]
    table.facts = []
    search(table, ALLIES)

    assert 0 == dice_left(table)
    assert rolled == bool(told(table.facts, RolledUnseen))


def test_e2_1_japanese_search_is_not_limited() -> None:
    scene = table_at("E2", Movement(side=JAPAN), cycle=1)
    board, own = scene.state.open, scene.state.own[ALLIES]
    assert (99, 2) == (search_limit(board, JAPAN), search_limit(board, ALLIES))
    assert own


@pytest.mark.parametrize("kind", ["strike_ships_in_port", "strike_airbase", "strike_port"])
@pytest.mark.parametrize(("cycle", "shift", "flak"), [(1, 1, -2), (2, 0, 0)])
def test_e2_1_r_77_strikes_on_ports_and_airbases_are_shifted_and_flak_too(
    kind: str, cycle: int, shift: int, flak: int
) -> None:
    """Given one step of Akagi at Oahu, then +1 for the strike, and -2 further for the flak."""
    table = table_at("E2", AirMissions(side=JAPAN), 9, 9, cycle=cycle)
    board = table.state.open
    for tf in ("J1", "J2"):
        board.tfs[tf] = replace(board.tfs[tf], node="7917")
    table._advance()
    for one in (JAPAN, ALLIES):
        take(table, one, d.Done())
    strike = [d.DeclareMission(kind, "J1"), d.Target("pearl_harbor"), d.AddSteps("cvg_akagi", "strike", 1)]
    facts = take(table, JAPAN, *strike, d.Done())
    if kind == "strike_ships_in_port":
        facts += take(table, JAPAN, d.AllotStrike("cvg_akagi", "bb_arizona"), d.WithSteps(1))

    first, last = told(facts, Rolled)
    assert flak == sum(one.amount for one in first.modifiers if one.reason == "surprised")
    assert shift == sum(one.amount for one in last.modifiers if one.reason == "surprised")


def test_e2_1_strikes_on_a_fleet_and_on_troops_get_no_shift() -> None:
    board = table_at("E2", Movement(side=JAPAN), cycle=1).state.open
    kinds_ = ("strike_tf", "strike_ground", "strike_fort")
    assert [0, 0, 0] == [bonus(board, kind) for kind in kinds_]


def test_e2_2_in_the_second_cycle_the_aircraft_at_pearl_harbor_count_as_activated() -> None:
    """Given Allied units that are not Activated, then their aircraft are from cycle 2 on, nothing else is."""
    table = table_at("E2", Movement(side=JAPAN), ready=False)
    own = table.state.own[ALLIES]
    assert not any(one.active for one in (*own.air.values(), *own.ground.values(), *own.ships.values()))
    assert all(
        one.active for one in (*table.state.own[JAPAN].air.values(), *table.state.own[JAPAN].ships.values())
    )
    refresh(table, 1)
    assert not any(air.active for air in own.air.values())
    refresh(table, 2)

    assert all(air.active for air in own.air.values())
    assert not any(one.active for one in (*own.ground.values(), *own.ships.values()))


def test_e2_3_nobody_may_land_troops() -> None:
    """Given a Japanese battalion off Oahu, then it stays aboard, as it would not elsewhere."""
    for scenario, may in (("E2", False), ("E1", True)):
        table = table_at(scenario, Movement(side=JAPAN))
        board, own = table.state.open, table.state.own[JAPAN]
        other = table_at("E1", Movement(side=JAPAN)).state.own[JAPAN].ground["jp_kure5"]
        tf, place = ("J1", "7919") if scenario == "E2" else ("J3", "4440")
        board.tfs[tf] = replace(board.tfs[tf], node=place)
        ship = "dd_jp17" if scenario == "E2" else "aa_jp12"
        own.ground["jp_kure5"] = replace(other, aboard={ship: 2})
        table._advance()
        assert may == (d.Disembark("jp_kure5") in options(table, JAPAN))


# E3


def test_e3_1_the_allies_move_nothing_before_the_battle_and_j1_up_to_5_hexes() -> None:
    """Given the first movement phase, then it is Japan's; Guadalcanal is within 5; the Allies move in K."""
    table = table_at("E3", BattleCycle(cycle=1))
    assert ("5.2.C", {JAPAN}) == (table.state.open.phase, set(table.prompts))
    take(table, JAPAN, d.MoveTF("J1"))
    nodes = [one.node for one in of(table, JAPAN, d.SailTo)]
    assert 5 == left(table.state.open, table.state.own[JAPAN], "J1")
    assert "5340" in nodes


def test_e3_2_the_allies_do_not_intercept_and_are_not_asked() -> None:
    table = table_at("E3", BattleCycle(cycle=1), *[9] * 12)
    table.dice = seeded(1)
    take(table, JAPAN, d.MoveTF("J1"))
    facts = take(table, JAPAN, d.SailTo("5340"))

    assert [] == told(facts, InterceptTried)
    assert ALLIES not in table.prompts
    assert "5340" == table.state.open.tfs["J1"].node


def test_e3_2_japan_intercepts_as_always() -> None:
    board = table_at("E3", Movement(side=JAPAN)).state.open
    assert (True, False) == (intercepts(board, JAPAN), intercepts(board, ALLIES))
    assert intercepts(table_at("E1", Movement(side=JAPAN)).state.open, ALLIES)


@pytest.mark.parametrize("detected", [[], ["J1"]])
def test_e3_2_in_the_battle_japan_has_surprise_without_a_die_detected_or_not(detected: list[str]) -> None:
    table = table_at("E3", Movement(side=JAPAN), lighting="Night", detected=detected)
    board = table.state.open
    board.tfs["J1"] = replace(board.tfs["J1"], node="5340")
    table.state.stack = []
    table = Table(PACIFIC_WAR, table.state, seeded(1), NavalBattles())
    before = (table.state.rolls, table.state.unseen)
    take(table, JAPAN, d.Engage())
    facts = take(table, ALLIES, d.Engage())

    assert table.state.open.naval is not None
    assert JAPAN == table.state.open.naval.surprise
    assert before == (table.state.rolls, table.state.unseen)
    assert {"A1", "A2", "A3"} <= {one.tf for one in told(facts, Found)}


# E4


@pytest.mark.parametrize(("level", "may"), [(1, False), (0, True)])
def test_e4_1_no_troops_land_at_wake_while_its_fort_has_a_level(level: int, may: bool) -> None:
    table = table_at("E4", Movement(side=JAPAN))
    board = table.state.open
    board.tfs["J1"] = replace(board.tfs["J1"], node="5722")
    board.bases["wake"] = replace(board.bases["wake"], fort=level)
    table._advance()

    landing = [d.Disembark("jp_51gd"), d.Disembark("jp_mai2")]
    assert (landing if may else []) == of(table, JAPAN, d.Disembark)


def test_e4_1_a_task_force_that_meets_the_fort_may_fight_it() -> None:
    table = table_at("E4", NavalBattles())
    board = table.state.open
    board.tfs["J1"] = replace(board.tfs["J1"], node="5722")
    table.state.stack = []
    table = Table(PACIFIC_WAR, table.state, seeded(1), NavalBattles())

    assert {d.Engage(), d.Evade()} == set(options(table, JAPAN))
    assert ALLIES not in table.prompts


# B1


def test_b1_1_the_four_fleet_carrier_groups_are_level_1() -> None:
    air = table_at("B1", Movement(side=JAPAN)).state.own[JAPAN].air

    assert [1, 1, 1, 1] == [air[f"cvg_{name}"].level for name in ("akagi", "kaga", "hiryu", "soryu")]


def test_b1_2_midway_holds_12_ground_steps_of_a_side() -> None:
    own = table_at("B1", Movement(side=JAPAN)).state.own

    assert (12, 9) == (stack_room(own[JAPAN], "6617"), stack_room(own[ALLIES], "6617"))


def test_b1_3_the_patrols_lie_at_midway_and_beside_french_frigate_shoals_and_stay() -> None:
    table = table_at("B1", Movement(side=JAPAN))
    own = table.state.own

    assert ({"7219": 2}, {"6617": 3}) == (own[JAPAN].patrols, own[ALLIES].patrols)
    assert {"7219": JAPAN, "6617": ALLIES} == {at: one.side for at, one in table.state.open.patrols.items()}
    assert LOCATIONS["ff_shoals"].hex == "7318"
    assert not any(hasattr(one, "points") for one in options(table, JAPAN))


def test_p1_5_pearl_harbor_has_six_carriers_at_sea_and_a_sleeping_fleet() -> None:
    """Given E2, then 34 air steps come by sea, 19 ships lie at Pearl Harbor, and no Allied unit is awake."""
    state = table_at("E2", Movement(side=JAPAN)).state
    japan, allies = state.own

    assert {"J1": "7916", "J2": "7916"} == {tf: force.node for tf, force in state.open.tfs.items()}
    assert 34 == sum(air.steps for air in japan.air.values())
    assert 19 == sum(ship.port == "pearl_harbor" and not ship.active for ship in allies.ships.values())
    assert not any(one.active for one in (*allies.air.values(), *allies.ground.values()))
    assert all(one.active for one in (*japan.air.values(), *japan.ships.values()))
    assert (6, 0) == (allies.air["us_1e_haw"].steps, allies.air["us_1e_haw"].level)


def test_p1_6_savo_has_chokai_and_chicago_alone() -> None:
    """Given E3, then these two pieces have the values of one ship, the others those of P2.2.1."""
    board = table_at("E3", Movement(side=JAPAN)).state.open

    assert ["5139", "5340", "5340", "5340"] == [board.tfs[tf].node for tf in ("J1", "A1", "A2", "A3")]
    chokai, chicago, furutaka = (
        printed(board, f"ca_{one}") for one in ("chokai_maya", "us5", "furutaka_kako")
    )
    assert (3, 3, 2) == (chokai.gun, chokai.torp, chokai.hits)
    assert (3, 0, 2) == (chicago.gun, chicago.torp, chicago.hits)
    assert (5, 4, 4) == (furutaka.gun, furutaka.torp, furutaka.hits)


def test_p1_7_wake_has_a_fort_and_3_steps_on_their_way() -> None:
    """Given E4, then both landing units are on Transport Group 13, which is full, and Wake has a step."""
    table = table_at("E4", Movement(side=JAPAN))
    japan, allies, board = *table.state.own, table.state.open

    assert {"jp_mai2": {"aa_jp13": 1}, "jp_51gd": {"aa_jp13": 2}} == {
        unit: one.aboard for unit, one in japan.ground.items()
    }
    assert 0 == free_lift(board, japan, "aa_jp13")
    assert (1, 1, 1, ALLIES) == (
        board.bases["wake"].port,
        board.bases["wake"].airbase,
        board.bases["wake"].fort,
        board.bases["wake"].control,
    )
    assert ("5722", 1) == (allies.ground["us_wakedb"].hex, allies.ground["us_wakedb"].steps)


def test_p1_8_midway_has_two_patrols_and_a_convoy() -> None:
    """Given B1, then 5 steps are aboard J2, and Nagara has the values of one ship."""
    table = table_at("B1", Movement(side=JAPAN))
    japan, allies, board = *table.state.own, table.state.open

    assert ({"7219": 2}, {"6617": 3}) == (japan.patrols, allies.patrols)
    assert {"jp_ichiki": {"aa_jp1": 3}, "jp_mid2c": {"aa_jp2": 2}} == {
        unit: one.aboard for unit, one in japan.ground.items()
    }
    assert 5 == sum(force.side == JAPAN for force in board.tfs.values())
    nagara = printed(board, "cl_jintsu_nagara")
    assert (2, 2, 2) == (nagara.gun, nagara.torp, nagara.hits)
    assert (2, 1) == (board.bases["midway"].airbase, board.bases["midway"].fort)


def test_p1_1_set_up_twice_is_the_same() -> None:
    one, other = PACIFIC_WAR.state(), PACIFIC_WAR.state()
    for state in (one, other):
        set_up(Table(PACIFIC_WAR, state, seeded(1)), "B1")

    assert PACIFIC_WAR.encode(one) == PACIFIC_WAR.encode(other)


def test_p1_the_lobby_says_how_many_cycles_or_months_a_scenario_has() -> None:
    said = {one.id: one.text.rpartition(". ")[2] for one in PACIFIC_WAR.scenarios.values()}
    months = {name: said.pop(name) for name in ("C1", "S1", "S2")}

    assert {
        "E1": "Three cycles.",
        "E2": "Two cycles.",
        "E3": "One cycle.",
        "E4": "Three cycles.",
        "B1": "Four cycles.",
    } == said
    assert {"C1": "Five months.", "S1": "Forty-six months.", "S2": "Twenty-one months."} == months
