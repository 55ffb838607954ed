"""P1.10, P1.11, P42.9 The war: where everything stands in December 1941 and January 1944; S1.1 to S1.8."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.dice import seeded
from domain.kernel.facts import RolledUnseen, evolve
from domain.kernel.procedures import Decision
from domain.match.views import Views
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.cap import assignable
from domain.pacific_war.board.atlas import FORBIDDEN, distance, landward, place
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS, months
from domain.pacific_war.board.charts import AIR, BOXES, GROUPS, LOCATIONS, SHIPS, SIDES
from domain.pacific_war.board.special import flak_shift, given, raid_shift, search_limit, surprised
from domain.pacific_war.board.table import home_hex
from domain.pacific_war.board.war import Operation
from domain.pacific_war.decisions.choices import Activate, FormTF, PayFrom, TimeMultiple, UndoActivation
from domain.pacific_war.decisions.cycle import Done, SailTo
from domain.pacific_war.decisions.orders_of_war import PutToSea
from domain.pacific_war.facts.cycle import AdvantageIs, LightingIs, PhaseBegan
from domain.pacific_war.facts.months import OperationIs
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.operations.operation import learn_condition
from domain.pacific_war.setup.opening import MOST_STAFFS, at_sea, charge_of, refund_of
from tests.kernel.playing import Playing
from tests.pacific_war.board import take, told
from tests.pacific_war.campaign import ALLIES, JAPAN, campaign_at, laid_out, of
from tests.pacific_war.invariants import invariants_of_state
from tests.pacific_war.lively import lively
from tests.pacific_war.rulebook import paragraph, table
from tests.pacific_war.test_42_data import start

WAR = ("S1", "S2")
NAMES = {one.name: place for place, one in LOCATIONS.items()}


def called(names: str) -> set[str]:
    return {NAMES[one] for one in names.split(", ")}


# the set-up


@pytest.mark.parametrize("scenario", WAR)
def test_p42_9_p1_10_p1_11_every_unit_stands_where_the_files_say(scenario: str) -> None:
    """Given the data, then all units of the month are there, inactive, with the steps of their file."""
    own, data = laid_out(scenario=scenario).own, start(scenario)

    ships = {ship: one.port for mine in own for ship, one in mine.ships.items()}
    assert {ship: at for at, units in data.inactive.items() for ship in units} == ships
    homes = {unit: one.home for mine in own for unit, one in mine.air.items()}
    assert {
        **{unit: at for at, units in data.based.items() for unit in units},
        **{unit: AIR[unit].carrier for unit in data.aboard},
    } == homes
    assert data.steps == {unit: one.steps for mine in own for unit, one in mine.air.items()}
    troops = {unit: one.hex for mine in own for unit, one in mine.ground.items()}
    assert {
        unit: LOCATIONS[at].hex if at in LOCATIONS else at
        for at, units in data.ashore.items()
        for unit in units
    } == troops
    units = (unit for mine in own for book in (mine.ships, mine.air, mine.ground) for unit in book.values())
    assert not any(unit.active for unit in units)


@pytest.mark.parametrize("scenario", WAR)
def test_p1_10_p1_11_every_location_has_its_holder_and_its_installations(scenario: str) -> None:
    board, data = laid_out(scenario=scenario).open, start(scenario)

    assert set(LOCATIONS) == set(board.bases)
    assert {spot: SIDES.index(side) for spot, side in data.control.items()} == {
        spot: base.control for spot, base in board.bases.items()
    }
    for what in ("port", "airbase", "fort"):
        assert {spot: data.bases[spot].get(what, 0) for spot in LOCATIONS} == {
            spot: getattr(base, what) for spot, base in board.bases.items()
        }


@pytest.mark.parametrize(("number", "scenario"), [("P1.10", "S1"), ("P1.11", "S2")])
def test_p1_10_p1_11_r_69_what_is_given_is_that_of_the_book(number: str, scenario: str) -> None:
    state = laid_out(scenario=scenario).state
    rows = {row[0]: row[1:] for row in table(paragraph(number), f"given in {scenario}")}

    for side in (JAPAN, ALLIES):
        mine = {place: base for place, base in state.open.bases.items() if base.control == side}
        assert called(rows["offensive support bases"][side]) == {p for p, base in mine.items() if base.osb}
        assert called(rows["Submarine Commands"][side]) == {p for p, base in mine.items() if base.command}
        means = state.own[side].means
        boats = sum(means.submarines.values()) + means.duty
        assert int(rows["submarine points"][side]) == boats
    assert int(rows["escort points"][JAPAN]) == state.own[JAPAN].means.escorts
    assert {1} == set(state.own[ALLIES].means.submarines.values())
    assert 0 == state.own[JAPAN].means.duty


def test_p1_10_p4_2_p9_4_p8_1_the_war_begins_on_the_seventh_of_december() -> None:
    war = laid_out(scenario="S1").open.war

    assert war is not None
    assert ("1941-12", 7, 5, 60, 20) == (war.month, war.day, war.initiative, war.msp, war.hrl)
    assert (46, "1945-09") == (len(months("S1")), months("S1")[-1])


def test_p1_11_p4_2_p9_4_s2_begins_at_month_begin() -> None:
    war = laid_out(scenario="S2").open.war

    assert war is not None
    assert ("1944-01", 0, -6, 49, 20) == (war.month, war.day, war.initiative, war.msp, war.hrl)
    assert (21, "1945-09") == (len(months("S2")), months("S2")[-1])


@pytest.mark.parametrize("scenario", WAR)
def test_p1_10_p1_11_p11_2_1_headquarters_of_the_month_stand_and_later_ones_are_to_come(
    scenario: str,
) -> None:
    war, begin = laid_out(scenario=scenario).open.war, CAMPAIGNS[scenario].start_month

    assert war is not None
    here = {h for h, one in HEADQUARTERS.items() if one.arrive <= begin and (one.end or "9") > begin}
    assert here == {hq for hq, post in war.posts.items() if post.site}
    later = {hq: one.arrive for hq, one in HEADQUARTERS.items() if one.arrive > begin}
    assert later == {hq: post.returns for hq, post in war.posts.items() if not post.site}


def test_p1_11_three_headquarters_are_not_at_their_first_site() -> None:
    war = laid_out(scenario="S2").open.war

    assert war is not None
    moved = {hq: post.site for hq, post in war.posts.items() if post.site != HEADQUARTERS[hq].site}
    assert {"hq_swpa": "port_moresby", "hq_norpac": "adak", "hq_india": "trincomalee"} == moved


@pytest.mark.parametrize("scenario", WAR)
def test_p14_1_later_units_are_listed_in_their_month_but_groups_come_with_their_carriers(
    scenario: str,
) -> None:
    rows, begin = CAMPAIGNS[scenario].reinforcements, CAMPAIGNS[scenario].start_month
    coming = {unit: row.month for row in rows for unit in row.units}

    assert not set(coming) & set(GROUPS.values())
    late = {ship: one.arrive for ship, one in SHIPS.items() if one.arrive > begin and one.base}
    assert late.items() <= coming.items()
    assert all(begin < month <= "1945-09" for month in coming.values())


# boxes


def test_p0_4_1_p2_5_what_is_in_a_box_is_told_to_nobody_and_is_on_no_hex() -> None:
    """Given Saratoga on the West Coast, then no list of ports has the box, and nothing is wrong."""
    table = laid_out(scenario="S1")
    board, own = table.open, table.own[ALLIES]

    assert "uswc" == own.ships["cv_saratoga"].port
    assert "uswc" == own.ground["us_cb1"].hex
    for places in (board.ports, board.airfields, board.troops):
        assert not set(BOXES) & {*places[JAPAN], *places[ALLIES]}
    assert [] == list(invariants_of_state(table.state))


@pytest.mark.parametrize("scenario", WAR)
def test_p1_10_p1_11_the_war_is_shown_and_folded(scenario: str) -> None:
    playing = Playing(PACIFIC_WAR, scenario, {}, seeded(1))
    views = Views(PACIFIC_WAR).of(playing.state)

    assert 3 == len(views)
    folded = evolve(PACIFIC_WAR.state(), (fact for _, fact in playing.log))
    assert PACIFIC_WAR.encode(playing.state) == PACIFIC_WAR.encode(folded)


# S1.1 to S1.3


@cache
def begun() -> Playing:
    """The war as far as Japan's first choice of units."""
    chance, playing = Random(3), Playing(PACIFIC_WAR, "S1", {}, seeded(3))
    while playing.state.open.phase != "5.1.P":
        playing.decide_all(*lively(playing.table, chance))
    return playing


def test_s1_1_of_december_1941_there_is_only_the_allocation() -> None:
    phases = [fact.phase for _, fact in begun().log if isinstance(fact, PhaseBegan)]

    assert ["5.1.G", "5.1.O", "5.1.P"] == phases
    assert not [fact for _, fact in begun().log if isinstance(fact, RolledUnseen)]
    war = begun().state.open.war
    assert war is not None
    assert ((120, 34), 7) == (war.totals, war.day)


def test_s1_2_r_11_japan_leads_the_first_two_operations_without_a_bid_and_gets_a_support_base() -> None:
    operation = next(fact for _, fact in begun().log if isinstance(fact, OperationIs)).operation

    assert operation is not None
    assert (JAPAN, "", 0) == (operation.player, operation.hq, operation.bid)
    board = laid_out(scenario="S1").open
    assert [JAPAN, JAPAN, -1] == [given(board, count) for count in range(3)]


@pytest.mark.parametrize(("operations", "so"), [(1, True), (2, True), (3, False)])
def test_s1_2_the_condition_of_the_first_two_is_surprise_attack_without_a_die(
    operations: int, so: bool
) -> None:
    table = opened(operations=operations)

    assert so == surprised(table.open)
    if so:
        learn_condition(table)
        war = table.open.war
        assert war is not None
        assert war.operation is not None
        assert ("S", "S") == (war.operation.condition, table.own[ALLIES].means.condition)
        assert [] == told(table.facts, RolledUnseen)


def opened(points: dict[str, int] | None = None, operations: int = 1) -> Any:
    """A table of the first Operation of the war, with these points."""
    table = laid_out(scenario="S1")
    war = table.state.open.war
    assert war is not None
    war.operation, war.operations, war.totals = Operation(JAPAN, "", 0), operations, (120, 34)
    table.state.own[JAPAN].means.points = points or {
        "hq_cf": 40,
        "hq_south": 40,
        "hq_ghq": 40,
        "hq_north": 20,
    }
    return table


def activating(points: dict[str, int] | None = None, operations: int = 1) -> Any:
    return campaign_at(Activation(side=JAPAN, kind="operation"), table=opened(points, operations))


def use(table: Any, hq: str, count: int) -> None:
    """Let a headquarters pay for so many ground units and aircraft, and see to it that it can."""
    if PayFrom(hq) in table.prompts[JAPAN].options:
        take(table, JAPAN, PayFrom(hq))
    for _ in range(count):
        unit = next(one for one in of(table, JAPAN, Activate) if one.unit not in SHIPS)
        take(table, JAPAN, unit)


def test_s1_3_up_to_three_headquarters_pay_each_for_its_own_units() -> None:
    table = activating()
    use(table, "hq_cf", 1)
    use(table, "hq_south", 1)
    use(table, "hq_ghq", 1)
    means = table.own[JAPAN].means

    assert {"hq_cf", "hq_south", "hq_ghq"} == set(means.used)
    assert MOST_STAFFS == len(means.used)
    assert PayFrom("hq_north") not in table.prompts[JAPAN].options
    assert PayFrom("hq_cf") in table.prompts[JAPAN].options
    assert all(means.points[hq] + means.used[hq] == 40 for hq in means.used)


def test_s1_3_in_the_second_operation_one_headquarters_pays() -> None:
    table = activating(operations=2)
    use(table, "hq_south", 1)

    assert [] == of(table, JAPAN, PayFrom)


def test_s1_3_p20_2_5_one_operation_cost_is_paid_for_all() -> None:
    """Given two headquarters that each spend more than 10 points, then the cost of 4 is paid once."""
    table = activating({"hq_south": 60, "hq_cf": 60})
    for hq in ("hq_south", "hq_cf"):
        use(table, hq, 0)
        while table.own[JAPAN].means.used.get(hq, 0) <= 10:
            take(table, JAPAN, next(one for one in of(table, JAPAN, Activate) if one.unit not in SHIPS))
            if not of(table, JAPAN, Activate):
                break
    means = table.own[JAPAN].means
    costs = 120 - sum(means.points.values()) - sum(means.used.values())

    assert {"hq_south", "hq_cf"} == set(means.charged)
    assert 4 == costs


@pytest.mark.parametrize(
    ("charged", "hq", "pays", "back"),
    [((), "hq_north", 3, 3), (("hq_north",), "hq_cf", 1, 1), (("hq_cf",), "hq_north", 0, 0)],
)
def test_s1_3_the_highest_operation_cost_is_paid_in_all(
    charged: tuple[str, ...], hq: str, pays: int, back: int
) -> None:
    """Given one cost that is paid, then a higher one costs the difference, and a lower one nothing."""
    table = opened()
    own = table.state.own[JAPAN]
    own.means.charged, own.means.used = charged, {hq: 10}

    assert 0 == charge_of(table.open, own, hq, 0)
    assert pays == charge_of(table.open, own, hq, 1)
    own.means.charged = (*charged, hq)
    assert back == refund_of(table.open, own, hq)
    table.state.open.war.operations = 2
    assert HEADQUARTERS[hq].op_cost == refund_of(table.open, own, hq)


def test_s1_3_p18_4_who_paid_most_leads_and_the_limit_is_what_the_month_brought() -> None:
    table = activating()
    use(table, "hq_south", 3)
    use(table, "hq_cf", 1)
    take(table, JAPAN, TimeMultiple(0))
    if JAPAN in table.prompts and Done() in table.prompts[JAPAN].options:
        take(table, JAPAN, Done())
    operation = table.open.war.operation

    assert ("hq_south", 120) == (operation.hq, operation.bid)


def test_s1_3_p20_4_in_the_joint_phase_the_three_may_pay_again() -> None:
    table = opened()
    table.state.open.war.operation = Operation(JAPAN, "hq_cf", 120, spent=30, ap=26, level=3)
    table.state.own[JAPAN].means.used = {"hq_cf": 20, "hq_south": 6}
    made = campaign_at(Activation(side=JAPAN, kind="joint"), table=table)

    assert {"hq_south", "hq_ghq", "hq_north"} >= {one.hq for one in of(made, JAPAN, PayFrom)} >= {"hq_south"}


# S1.4, S1.5


def test_s1_4_in_the_first_cycle_the_allies_are_surprised() -> None:
    table = opened()
    board = table.state.open
    board.cycle = 1

    assert (1, 2, 99, -2, 0) == (
        raid_shift(board),
        search_limit(board, ALLIES),
        search_limit(board, JAPAN),
        flak_shift(board, ALLIES),
        flak_shift(board, JAPAN),
    )
    own = table.state.own[ALLIES]
    own.air = {unit: replace(air, ready=air.steps) for unit, air in own.air.items()}
    assert [] == assignable(board, own, ALLIES, ())
    board.cycle = 2
    assert (0, 99, 0) == (raid_shift(board), search_limit(board, ALLIES), flak_shift(board, ALLIES))
    assert assignable(board, own, ALLIES, ())


@cache
def fought() -> Sequence[Any]:
    """The facts of the war up to its second cycle."""
    chance, playing = Random(5), Playing(PACIFIC_WAR, "S1", {}, seeded(5))
    while playing.state.open.cycle < 2 and not playing.state.match.over:
        playing.decide_all(*lively(playing.table, chance))
    return [fact for _, fact in playing.log]


def test_s1_4_p26_1_p27_1_the_first_cycle_is_by_day_and_japan_has_the_advantage() -> None:
    assert "Day" == told(fought(), LightingIs)[0].lighting
    assert AdvantageIs(JAPAN) == told(fought(), AdvantageIs)[0]


def test_s1_5_there_is_no_reaction_activation_in_the_first_operation() -> None:
    phases = [fact.phase for fact in told(fought(), PhaseBegan)]

    assert "5.1.T" in phases
    assert "5.1.S" not in phases[: phases.index("5.2.A")]


# S1.6, S1.7


def test_s1_6_thailand_is_japanese_and_its_land_is_open() -> None:
    board = laid_out(scenario="S1").open

    assert {JAPAN} == {board.bases[place].control for place in ("bangkok", "singora")}
    walk, edge = set[str](), {LOCATIONS["bangkok"].hex}
    while edge:
        walk |= edge
        edge = {end for one in edge for end in landward(one) if end not in walk and end not in FORBIDDEN}
    thai = [one for one in walk if 7 < place(one)[0] < 18 and 98.5 < place(one)[1] < 102]
    assert LOCATIONS["singora"].hex in walk
    assert len(thai) > 5


def formed(ship: str, hq: str) -> Any:
    """Japan has formed a task force of a ship."""
    table = activating()
    take(table, JAPAN, PayFrom(hq), Activate(ship))
    if table.prompts[JAPAN].options and FormTF("core") in table.prompts[JAPAN].options:
        take(table, JAPAN, FormTF("core"))
    return table


def at(table: Any, port: str, cls: tuple[str, ...]) -> str:
    ships: dict[str, Any] = table.own[JAPAN].ships
    return next(s for s, one in sorted(ships.items()) if one.port == port and SHIPS[s].cls in cls)


def test_s1_7_task_forces_of_etorofu_begin_at_7916_and_only_once() -> None:
    ship = at(activating(), "etorofu", ("CV",))
    table = formed(ship, "hq_north")
    tf = next(iter(table.open.tfs))

    assert [PutToSea(tf)] == of(table, JAPAN, PutToSea)
    assert UndoActivation(ship) in table.prompts[JAPAN].options
    take(table, JAPAN, PutToSea(tf))
    assert "7916" == table.open.tfs[tf].node
    assert [] == of(table, JAPAN, PutToSea)
    assert UndoActivation(ship) not in table.prompts[JAPAN].options


def test_s1_7_others_begin_within_six_hexes_by_sea_and_clear_of_allied_places() -> None:
    ship = at(activating(), "palau", ("CA", "CL", "DD", "CVL", "AA", "CVS"))
    table = formed(ship, "hq_cf")
    tf = next(iter(table.open.tfs))
    start_at = table.open.tfs[tf].node
    take(table, JAPAN, PutToSea(tf))
    nodes = [one.node for one in of(table, JAPAN, SailTo)]

    theirs = [LOCATIONS[p].hex for p, base in table.open.bases.items() if base.control == ALLIES]
    assert nodes
    assert list(at_sea(table.open, tf)) == nodes
    assert 6 == max(distance(start_at, node) for node in nodes)
    assert 3 <= min(distance(node, spot) for node in nodes for spot in theirs)
    decision: Decision = SailTo(nodes[-1])
    take(table, JAPAN, decision)
    assert nodes[-1] == table.open.tfs[tf].node


def test_s1_7_in_the_second_operation_nobody_begins_at_sea() -> None:
    table = activating(operations=2)
    ship = at(table, "palau", ("CA", "CL", "DD", "CVL", "AA", "CVS"))
    take(table, JAPAN, PayFrom("hq_cf"), Activate(ship))

    assert [] == of(table, JAPAN, PutToSea)


def test_p2_5_aircraft_aboard_a_carrier_in_a_box_are_on_no_hex() -> None:
    table = laid_out(scenario="S1")

    assert "cv_saratoga" == table.own[ALLIES].air["cvg_saratoga"].home
    with pytest.raises(KeyError):
        home_hex(table.open, table.own[ALLIES], "cvg_saratoga")
