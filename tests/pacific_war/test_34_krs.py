"""P34.1 KRS: when it comes, how it moves and is hunted, and the seaplane base that it keeps."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.control import settle
from domain.pacific_war.battle.deactivation import Deactivation, watched
from domain.pacific_war.battle.missions import destinations
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.search import sources
from domain.pacific_war.battle.special_boats import Hunt
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.atlas import kind
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.special_boats import reach, sites
from domain.pacific_war.board.table import Ground, TaskForce, based, home_hex
from domain.pacific_war.board.war import SpecialBoat
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.command.costs import price
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.decisions import choices as c
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.special_boats import HuntSubmarine, MoveBoat, OpenSeaplaneBase
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import AirStepsLost, There
from domain.pacific_war.facts.months import war
from domain.pacific_war.facts.special_boats import BoatHunted, BoatIs
from domain.pacific_war.month import come
from domain.pacific_war.months.isolation import isolate, marks
from domain.pacific_war.months.loads import load
from domain.pacific_war.months.replacements import serviced
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.operations.contact import Contact
from domain.pacific_war.sight import shown
from domain.pacific_war.sight.campaign_view import means, months
from domain.pacific_war.victory.closing import close
from tests.pacific_war.board import Die, again_at, options, take, told
from tests.pacific_war.campaign import ALLIES, JAPAN, laid_out, sight
from tests.pacific_war.invariants import invariants_of_state
from tests.pacific_war.special_boats import DESTROYERS, KRS, KURE, STO, boats_at

PALAU, LAGOON, SEA = LOCATIONS["palau"].hex, "3419", "3420"
"""Where it comes; a shore hex without a location; a sea hex."""
BOATS_FLYING = "jn_lra_home"
FOUR = (DESTROYERS, "dd_us2", "dd_us3", "dd_us4")


def war_at(procedure: Any, *dice: Die, boat: SpecialBoat, **more: Any) -> Table:
    """Return a table of S2 with the KRS and perhaps an Allied task force; without `dice` any may fall."""
    return boats_at(procedure, *dice, boats={KRS: boat}, **more)


def boat(table: Table) -> SpecialBoat:
    return war(table.state.open).special[KRS]


def fly_in(table: Table, *, active: bool = True) -> None:
    """Let the flying boats of the homeland be at the seaplane base, two steps strong."""
    now = Changes(table, "for the test")
    now.aircraft(BOATS_FLYING, home=KRS, steps=3, ready=3, active=active)
    now.record()


# the option, and when it comes


def test_p34_1_it_is_chosen_for_the_war_beside_the_other() -> None:
    assert {"weather": True, "krs": True, "sto": True} == PACIFIC_WAR.set_up("S1", {"krs": True, "sto": True})
    assert Campaign(scenario="S1", chosen=("krs",)) == PACIFIC_WAR.first("S1", {"krs": True})
    both = PACIFIC_WAR.first("S2", {"sto": True, "krs": True})
    assert Campaign(scenario="S2", chosen=("krs", "sto")) == both


@pytest.mark.parametrize(("chosen", "control"), [(("krs",), JAPAN), (("sto",), JAPAN), (("krs",), ALLIES)])
def test_p34_1_it_comes_in_december_1941_at_palau(chosen: tuple[str, ...], control: int) -> None:
    table = laid_out("1941-12", "S1")
    board = table.state.open
    war(board).chosen = chosen
    board.bases["palau"] = replace(board.bases["palau"], control=control)

    come(table)

    comes = chosen == ("krs",) and control == JAPAN
    assert ([BoatIs(KRS, SpecialBoat(PALAU), "comes")] if comes else []) == told(table.facts, BoatIs)


# activated, and at sea


def test_p34_1_p20_1_it_is_activated_in_a_port_for_a_point_which_its_owner_sees() -> None:
    table = war_at(Activation(side=JAPAN, kind="operation"), boat=SpecialBoat(KURE), roused=False)
    assert 1 == price(table.state.open, table.state.own[JAPAN], KRS)
    take(table, JAPAN, c.Activate(KRS))

    assert [(KRS,), ()] == [means(own.means).roused for own in table.state.own]
    assert [] == told(table.facts, BoatIs)


def test_p34_1_p5_2_c_k_it_moves_three_nodes_once_a_phase() -> None:
    table = war_at(Movement(side=JAPAN), boat=SpecialBoat(KURE))
    take(table, JAPAN, MoveBoat(KRS))
    nodes = reach(table.state.open, KRS, 3)
    assert list(map(d.SailTo, nodes)) == options(table, JAPAN)
    take(table, JAPAN, d.SailTo(nodes[0]))

    assert nodes[0] == boat(table).node
    assert MoveBoat(KRS) not in (options(table, JAPAN) if JAPAN in table.prompts else [])


def test_p34_1_its_hex_everybody_sees() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, 1, base=True))
    public = months("S2", war(table.state.open), (KRS,)).special

    assert {KRS: shown.SpecialBoat(side="JP", node=LAGOON, hits=1, base=True, aircraft=True)} == public
    assert "KRS submarines (I-121 class)" == PACIFIC_WAR.names[KRS]


# hunted


@pytest.mark.parametrize(("before", "face", "sunk"), [(0, 0, False), (1, 0, True), (0, 9, False)])
def test_p34_1_a_hunt_hits_once_at_most_and_its_die_is_unseen(before: int, face: int, sunk: bool) -> None:
    hunt = Hunt(side=ALLIES, left=(KRS,))
    table = war_at(hunt, face, boat=SpecialBoat(SEA, before), enemies=FOUR, at=SEA, detected=False)
    facts = take(table, ALLIES, HuntSubmarine("A1"))

    assert [BoatHunted(KRS, ALLIES, face == 0)] == told(facts, BoatHunted)
    assert [-2] == [one.amount for one in told(facts, RolledUnseen)[0].modifiers]
    assert before + (face == 0) == boat(table).hits
    assert sunk == (not sites(table.state.open, table.state.own[JAPAN], JAPAN) and boat(table).hits == 2)


@pytest.mark.parametrize(("first", "asked"), [(HuntSubmarine("A1"), False), (d.Pass(), True)])
def test_p34_1_r_120_two_in_a_hex_are_one_hunt(first: Any, asked: bool) -> None:
    """Given both pieces in a hex, when one is hunted, then the other is not; when it is let go, it may be."""
    boats = {KRS: SpecialBoat(SEA), STO: SpecialBoat(SEA)}
    table = boats_at(Hunt(side=ALLIES, left=(KRS, STO)), boats=boats, enemies=FOUR, at=SEA, detected=False)
    take(table, ALLIES, first)

    assert asked == (ALLIES in table.prompts)
    if asked:
        assert [HuntSubmarine("A1"), d.Pass()] == options(table, ALLIES)


def test_p34_1_r_120_in_two_hexes_each_is_hunted() -> None:
    boats = {KRS: SpecialBoat(SEA), STO: SpecialBoat("3521")}
    table = boats_at(Hunt(side=ALLIES, left=(KRS, STO)), boats=boats, enemies=FOUR, at=SEA, detected=False)
    table.state.open.tfs["A2"] = TaskForce(ALLIES, "3521")
    table.state.own[ALLIES].fleets["A2"] = table.state.own[ALLIES].fleets["A1"]
    take(table, ALLIES, HuntSubmarine("A1"))

    assert [HuntSubmarine("A2"), d.Pass()] == options(table, ALLIES)


# its seaplane base


@pytest.mark.parametrize(
    ("node", "may"),
    [(LAGOON, True), (KURE, True), (LOCATIONS["truk"].hex, True), (SEA, False)],
)
def test_p34_1_it_opens_a_base_at_a_shore_or_atoll_hex(node: str, may: bool) -> None:
    table = war_at(Movement(side=JAPAN), boat=SpecialBoat(node))
    assert ("h" == kind(node)) == may

    assert may == (OpenSeaplaneBase(node[:4]) in options(table, JAPAN))


@pytest.mark.parametrize("how", ["enemy ground", "idle", "open", "sto"])
def test_p34_1_no_base_is_opened(how: str) -> None:
    piece = STO if how == "sto" else KRS
    table = boats_at(
        Movement(side=JAPAN),
        boats={piece: SpecialBoat(LAGOON, base=how == "open")},
        roused=how != "idle",
    )
    if how == "enemy ground":
        table.state.open.troops[ALLIES].append(LAGOON)

    assert {} == sites(table.state.open, table.state.own[JAPAN], JAPAN)


@pytest.mark.parametrize("procedure", [Movement(side=JAPAN), Contact(side=JAPAN)])
def test_p34_1_it_is_opened_where_it_moves_and_all_are_told(procedure: Any) -> None:
    table = war_at(procedure, boat=SpecialBoat(LAGOON))
    facts = take(table, JAPAN, OpenSeaplaneBase(LAGOON))

    assert [BoatIs(KRS, SpecialBoat(LAGOON, base=True), "opens a seaplane base")] == told(facts, BoatIs)
    assert OpenSeaplaneBase(LAGOON) not in (options(table, JAPAN) if JAPAN in table.prompts else [])


def test_p34_1_p28_10_one_lra_unit_may_ferry_there_and_no_other() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    board, own = table.state.open, table.state.own[JAPAN]
    ashore = [unit for unit, air in own.air.items() if air.home in LOCATIONS]
    able = {unit for unit in ashore if KRS in destinations(board, own, JAPAN, unit)}
    assert {BOATS_FLYING, "jn_lra_yokohama", "jn_lra_toko", "jn_lra_25af"} == able
    fly_in(table)

    assert not any(KRS in destinations(board, own, JAPAN, unit) for unit in able)
    assert LAGOON == home_hex(board, own, BOATS_FLYING)
    assert [There("airfields", JAPAN, KRS, there=True)] == [
        one for one in told(table.facts, There) if one.place == KRS
    ]
    assert [] == list(invariants_of_state(table.state))


def test_p34_1_p28_10_it_flies_in_and_away_as_a_mission() -> None:
    table = war_at(AirMissions(side=JAPAN), boat=SpecialBoat(LAGOON, base=True))
    table.state.own[JAPAN].air[BOATS_FLYING] = replace(
        table.state.own[JAPAN].air[BOATS_FLYING], active=True, ready=1
    )
    table = again_at(table, AirMissions(side=JAPAN))
    while JAPAN not in table.prompts or d.DeclareMission("ferry", BOATS_FLYING) not in options(table, JAPAN):
        seat, prompt = next(iter(table.prompts.items()))
        table.decide(seat, PACIFIC_WAR.default(table.state, seat, prompt))
    take(table, JAPAN, d.DeclareMission("ferry", BOATS_FLYING), d.Target(KRS))
    own = table.state.own[JAPAN]
    assert KRS == own.air[BOATS_FLYING].home

    assert "tokyo" in destinations(table.state.open, own, JAPAN, BOATS_FLYING)


def test_p34_1_p23_4_it_ferries_in_contact_movement() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    fly_in(table)
    table = again_at(table, Contact(side=JAPAN))
    take(table, JAPAN, c.Ferry(BOATS_FLYING))
    assert d.Target("tokyo") in options(table, JAPAN)
    take(table, JAPAN, d.Target("tokyo"))

    assert "tokyo" == table.state.own[JAPAN].air[BOATS_FLYING].home


def test_p34_1_p24_2_p32_2_from_there_it_searches_and_watches() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True), enemies=FOUR, at="3422")
    board, own = table.state.open, table.state.own[JAPAN]
    assert ("LRA", LAGOON, 0) not in sources(board, own, JAPAN)
    own.ground.clear()
    board.troops[JAPAN].clear()
    assert not watched(table, "A1")
    fly_in(table)

    assert ("LRA", LAGOON, 0) in sources(board, own, JAPAN)
    assert watched(table, "A1")


def test_p34_1_p20_2_p32_1_the_unit_there_is_activated_and_stands_down_as_at_an_airbase() -> None:
    table = war_at(None, boat=SpecialBoat(KURE, base=True), roused=False)
    fly_in(table, active=False)
    table = again_at(table, Activation(side=JAPAN, kind="operation"))
    take(table, JAPAN, c.Activate(BOATS_FLYING))
    assert table.state.own[JAPAN].air[BOATS_FLYING].active

    table = again_at(table, Deactivation(side=JAPAN))
    assert d.Deactivate(BOATS_FLYING) in options(table, JAPAN)


@pytest.mark.parametrize("active", [True, False])
def test_p34_1_p22_enemies_near_it_may_react_if_it_is_activated(active: bool) -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    fly_in(table, active=active)
    table.state.own[ALLIES].ground["us_1mardiv"] = Ground("3414", steps=9, active=False)
    again_at(table, Activation(side=ALLIES, kind="reaction"))

    assert active == ("us_1mardiv" in table.state.own[ALLIES].means.near)


def test_p34_1_r_122_p13_1_nobody_is_carried_from_there() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    fly_in(table, active=False)
    board, own = table.state.open, table.state.own[JAPAN]

    assert load(board, own, BOATS_FLYING) is None
    assert load(board, own, "jn_lra_yokohama") is not None


def test_p34_1_r_122_p16_1_nobody_there_gets_replacements() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    tell_links(table, JAPAN)
    assert serviced(sight(table, JAPAN), BOATS_FLYING)
    fly_in(table, active=False)

    assert not serviced(sight(table, JAPAN), BOATS_FLYING)


# when the Operation is over, and when the base is gone


@pytest.mark.parametrize("base", [True, False])
def test_p34_1_r_121_when_the_operation_is_over_it_stays_with_its_base_or_is_in_port(base: bool) -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=base))

    close(table)

    assert (LAGOON if base else LOCATIONS["amami"].coast) == boat(table).node
    assert () == table.state.own[JAPAN].means.roused


def test_p34_1_p34_2_r_121_that_it_was_activated_nobody_counts_at_the_end() -> None:
    """Given one that was Activated and one that was not, then as many facts are sealed."""
    counts = set()
    for roused in (True, False):
        table = war_at(None, boat=SpecialBoat(KURE), roused=roused)
        table.facts = []
        close(table)
        counts.add(len(table.facts))

    assert 1 == len(counts)


@pytest.mark.parametrize("base", [True, False])
def test_p34_1_r_121_at_its_base_it_is_activated_as_in_a_port(base: bool) -> None:
    table = war_at(
        Activation(side=JAPAN, kind="operation"), boat=SpecialBoat("3615", base=base), roused=False
    )

    assert base == (c.Activate(KRS) in options(table, JAPAN))


def test_p34_1_r_122_the_base_is_no_location_and_who_is_there_is_not_isolated() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    fly_in(table, active=False)
    own = table.state.own[JAPAN]
    own.means.links = {}

    assert KRS not in table.state.open.bases
    assert (BOATS_FLYING, False) in marks(table.state.open, own, JAPAN)
    assert ("jn_lra_yokohama", True) in marks(table.state.open, own, JAPAN)
    isolate(table)
    assert KRS == own.air[BOATS_FLYING].home


def test_p34_1_r_123_when_it_moves_the_unit_flies_to_the_nearest_airbase_unharmed() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    fly_in(table)
    table = again_at(table, Movement(side=JAPAN))
    take(table, JAPAN, MoveBoat(KRS), d.SailTo(SEA))

    assert (SEA, False) == (boat(table).node, boat(table).base)
    own = table.state.own[JAPAN]
    assert (3, "amami") == (own.air[BOATS_FLYING].steps, own.air[BOATS_FLYING].home)
    assert KRS not in table.state.open.airfields[JAPAN]


def test_p34_1_r_123_p2_6_when_it_is_sunk_half_the_steps_are_lost() -> None:
    hunt = Hunt(side=ALLIES, left=(KRS,))
    table = war_at(None, boat=SpecialBoat(LAGOON, 1, base=True), enemies=FOUR, at=LAGOON)
    fly_in(table)
    table = again_at(table, hunt, 0)
    facts = take(table, ALLIES, HuntSubmarine("A1"))

    assert [2] == [one.steps for one in told(facts, AirStepsLost)]
    assert (2, False) == (boat(table).hits, boat(table).base)
    assert [] == based(table.state.own[JAPAN], KRS)
    assert [] == list(invariants_of_state(table.state))


def test_p34_1_r_123_p2_6_when_the_enemy_is_ashore_the_base_is_given_up() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    fly_in(table)
    table.state.own[ALLIES].ground["us_1mardiv"] = Ground(LAGOON, steps=9)
    table.state.open.troops[ALLIES].append(LAGOON)

    settle(table)

    assert SpecialBoat(LAGOON) == boat(table)
    assert 1 == table.state.own[JAPAN].air[BOATS_FLYING].steps


def test_p34_1_r_123_without_an_airbase_in_range_it_is_lost() -> None:
    table = war_at(None, boat=SpecialBoat(LAGOON, base=True))
    fly_in(table)
    board = table.state.open
    for place, base in board.bases.items():
        board.bases[place] = replace(base, control=ALLIES)
    board.troops[JAPAN].clear()
    board.troops[ALLIES].append(LAGOON)

    settle(table)

    assert ("", 0) == (
        table.state.own[JAPAN].air[BOATS_FLYING].home,
        table.state.own[JAPAN].air[BOATS_FLYING].steps,
    )
    assert "destroyed" == board.lost[BOATS_FLYING]
