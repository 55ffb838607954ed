"""P34.2 STO: when it comes, how it is activated, moves and is hunted, and what its aircraft do."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.dice import Scripted
from domain.kernel.facts import Rolled, RolledUnseen
from domain.kernel.table import Table
from domain.match.game import BadSetUp
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.special_boats import Hunt, strike, strikes
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.charts import LOCATIONS, by_date, column
from domain.pacific_war.board.special_boats import reach
from domain.pacific_war.board.table import printed
from domain.pacific_war.board.war import SpecialBoat
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.command.costs import price
from domain.pacific_war.decisions import choices as c
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.special_boats import HuntSubmarine, MoveBoat, STOStrike
from domain.pacific_war.facts.cycle import ShipHit
from domain.pacific_war.facts.months import MeansAre, OperationIs, war
from domain.pacific_war.facts.special_boats import BoatHunted, BoatIs
from domain.pacific_war.month import come
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.operations.contact import Contact, ReactionContact
from domain.pacific_war.sight import shown
from domain.pacific_war.sight.campaign_view import months
from domain.pacific_war.victory.closing import close
from tests.pacific_war.board import Die, options, take, told
from tests.pacific_war.campaign import ALLIES, JAPAN, laid_out
from tests.pacific_war.special_boats import CARRIER, DESTROYERS, HQ, KURE, STO, UNDER_WAY, boats_at

IN_PORT = SpecialBoat(KURE)


def war_at(procedure: Any, *dice: Die, boat: SpecialBoat = IN_PORT, **more: Any) -> Table:
    """Return a table of S2 with the STO and perhaps an Allied task force; without `dice` any may fall."""
    return boats_at(procedure, *dice, boats={STO: boat}, **more)


def boat(table: Table) -> SpecialBoat:
    return war(table.state.open).special[STO]


# the option, and when it comes


def test_p34_2_it_is_chosen_for_the_war_and_without_it_nothing_is_different() -> None:
    assert [True, False] == [PACIFIC_WAR.set_up("S1", given)["sto"] for given in ({"sto": True}, {})]
    assert {} == PACIFIC_WAR.set_up("C1", {"sto": True})
    assert Campaign(scenario="S1", chosen=("sto",)) == PACIFIC_WAR.first("S1", {"sto": True})
    assert Campaign(scenario="S1") == PACIFIC_WAR.first("S1", {}) == PACIFIC_WAR.first("S1", {"sto": False})
    with pytest.raises(BadSetUp):
        PACIFIC_WAR.set_up("S1", {"sto": 3})


@pytest.mark.parametrize(
    ("month", "chosen", "control", "comes"),
    [
        ("1945-01", ("sto",), JAPAN, False),
        ("1945-02", ("sto",), JAPAN, True),
        ("1945-02", (), JAPAN, False),
        ("1945-02", ("sto",), ALLIES, False),
    ],
)
def test_p34_2_it_comes_in_february_1945_at_kure(
    month: str, chosen: tuple[str, ...], control: int, comes: bool
) -> None:
    table = laid_out(month, "S2")
    board = table.state.open
    war(board).chosen = chosen
    board.bases["kure"] = replace(board.bases["kure"], control=control)

    come(table)

    assert ([BoatIs(STO, SpecialBoat(KURE), "comes")] if comes else []) == told(table.facts, BoatIs)
    table.facts = []
    come(table)
    assert [] == table.facts


def test_p34_2_where_it_is_everybody_sees() -> None:
    table = war_at(Movement(side=JAPAN))

    assert {STO: shown.SpecialBoat(side="JP", node=KURE)} == months("S2", war(table.state.open)).special
    assert "STO submarines (I-400 class)" == PACIFIC_WAR.names[STO]


# activated, and at sea


def test_p34_2_p20_1_it_is_activated_in_a_port_for_a_point() -> None:
    table = war_at(Activation(side=JAPAN, kind="operation"), roused=False)
    assert 1 == price(table.state.open, table.state.own[JAPAN], STO)
    assert c.Activate(STO) in options(table, JAPAN)
    facts = take(table, JAPAN, c.Activate(STO))

    assert [(STO,)] == [one.roused for one in told(facts, MeansAre) if one.roused is not None]
    assert [] == told(facts, BoatIs)
    assert c.Activate(STO) not in options(table, JAPAN)
    take(table, JAPAN, c.UndoActivation(STO))
    assert () == table.state.own[JAPAN].means.roused
    assert 20 == table.state.own[JAPAN].means.points[HQ]


def test_p34_2_at_sea_it_is_not_activated() -> None:
    table = war_at(Activation(side=JAPAN, kind="operation"), roused=False, boat=SpecialBoat("3615"))

    assert c.Activate(STO) not in options(table, JAPAN)


def test_p34_2_it_moves_three_nodes_once_a_phase() -> None:
    table = war_at(Movement(side=JAPAN))
    take(table, JAPAN, MoveBoat(STO))
    nodes = [one.node for one in options(table, JAPAN) if isinstance(one, d.SailTo)]
    assert reach(table.state.open, STO, 3) == nodes
    assert set(nodes) > set(reach(table.state.open, STO, 2))
    take(table, JAPAN, d.SailTo(nodes[0]))

    assert nodes[0] == boat(table).node
    assert MoveBoat(STO) not in (options(table, JAPAN) if JAPAN in table.prompts else [])


@pytest.mark.parametrize(("roused", "hits"), [(False, 0), (True, 2)])
def test_p34_2_inactive_or_sunk_it_does_not_move(roused: bool, hits: int) -> None:
    table = war_at(Movement(side=JAPAN), roused=roused, boat=SpecialBoat(KURE, hits))

    assert MoveBoat(STO) not in (options(table, JAPAN) if JAPAN in table.prompts else [])


def test_p34_2_p23_4_it_moves_as_a_task_force_on_each_day_of_contact() -> None:
    table = war_at(Contact(side=JAPAN))
    ship = next(iter(table.state.own[JAPAN].ships))
    table.state.own[JAPAN].ships[ship] = replace(table.state.own[JAPAN].ships[ship], active=True)
    take(table, JAPAN, MoveBoat(STO))
    first = reach(table.state.open, STO, 3)
    assert list(map(d.SailTo, first)) == options(table, JAPAN)
    take(table, JAPAN, d.SailTo(first[0]))
    assert MoveBoat(STO) not in options(table, JAPAN)
    take(table, JAPAN, c.EndDay())
    take(table, ALLIES, d.Pass())
    take(table, JAPAN, c.Continue())

    assert MoveBoat(STO) in options(table, JAPAN)


def test_p34_2_p23_5_1_in_the_answer_it_moves_as_far_as_task_forces() -> None:
    table = war_at(ReactionContact(side=JAPAN))
    table.record(OperationIs(replace(UNDER_WAY, player=ALLIES, moved=3, condition="A"), "for the test"))
    table = Table(PACIFIC_WAR, table.state, Scripted(()), ReactionContact(side=JAPAN))
    take(table, JAPAN, MoveBoat(STO))

    assert list(map(d.SailTo, reach(table.state.open, STO, 6))) == options(table, JAPAN)


def test_p34_2_p5_3_when_the_operation_is_over_it_is_in_the_nearest_port() -> None:
    table = war_at(Movement(side=JAPAN), boat=SpecialBoat("3615"))

    close(table)

    assert LOCATIONS["kanoya"].hex == boat(table).node  # as near as Kure
    assert () == table.state.own[JAPAN].means.roused


# hunted


@pytest.mark.parametrize(("ships", "able"), [((DESTROYERS,), True), ((CARRIER,), False)])
def test_p34_2_who_shares_its_hex_is_asked_and_hunts_with_destroyers(
    ships: tuple[str, ...], able: bool
) -> None:
    table = war_at(Movement(side=JAPAN), boat=SpecialBoat("3615"), enemies=ships, at="3615", detected=False)
    table.decide(JAPAN, d.Done())

    assert [*([HuntSubmarine("A1")] if able else []), d.Pass()] == options(table, ALLIES)
    assert d.Pass() == PACIFIC_WAR.default(table.state, ALLIES, table.prompts[ALLIES])


@pytest.mark.parametrize(("before", "face", "hits"), [(0, 0, 1), (1, 0, 2), (0, 9, 0)])
def test_p34_2_a_hunt_hits_once_at_most_and_its_die_is_unseen(before: int, face: int, hits: int) -> None:
    ships = (DESTROYERS, "dd_us2", "dd_us3", "dd_us4")
    hunt = Hunt(side=ALLIES, left=(STO,))
    table = war_at(hunt, face, boat=SpecialBoat("3615", before), enemies=ships, at="3615", detected=False)
    facts = take(table, ALLIES, HuntSubmarine("A1"))

    assert [BoatHunted(STO, ALLIES, face == 0)] == told(facts, BoatHunted)
    assert ["anti-submarine attack"] == [one.purpose for one in told(facts, RolledUnseen)]
    assert [-2] == [one.amount for one in told(facts, RolledUnseen)[0].modifiers]
    assert hits == boat(table).hits
    assert ALLIES not in table.prompts


def test_p34_2_nobody_is_asked_where_it_is_alone() -> None:
    table = war_at(Movement(side=JAPAN), boat=SpecialBoat("3615"), enemies=(DESTROYERS,), at="4030")
    table.decide(JAPAN, d.Done())

    assert ALLIES not in table.prompts


# its strike


def test_p34_2_it_strikes_within_two_hexes_at_ships_ports_and_airbases() -> None:
    table = war_at(Movement(side=JAPAN), boat=SpecialBoat("3615"), enemies=(DESTROYERS, CARRIER), at="3617")
    board, own = table.state.open, table.state.own[JAPAN]

    assert [STOStrike(STO, "strike_tf", ship) for ship in (CARRIER, DESTROYERS)] == strikes(board, own, JAPAN)
    board.bases["kure"] = replace(board.bases["kure"], control=ALLIES)
    assert {"kure"} == {one.target for one in strikes(board, own, JAPAN) if one.kind == "strike_port"}
    assert {"kure"} == {one.target for one in strikes(board, own, JAPAN) if one.kind == "strike_airbase"}
    war(board).special = {STO: SpecialBoat("3615", struck=war(board).operations)}
    assert [] == strikes(board, own, JAPAN)


@pytest.mark.parametrize("how", ["far", "hidden", "night", "idle"])
def test_p34_2_it_does_not_strike(how: str) -> None:
    table = war_at(
        Movement(side=JAPAN),
        boat=SpecialBoat("3615"),
        enemies=(DESTROYERS,),
        at="3618" if how == "far" else "3617",
        detected=how != "hidden",
        lighting="Night" if how == "night" else "Day",
        roused=how != "idle",
    )

    assert [] == strikes(table.state.open, table.state.own[JAPAN], JAPAN)


FORCE = (DESTROYERS, "dd_us2", "dd_us3", "dd_us4")
ORDER = STOStrike(STO, "strike_tf", DESTROYERS)


def test_p34_2_half_the_flak_fires_then_the_attack_has_strength_two() -> None:
    table = war_at(None, 9, 0, boat=SpecialBoat("3615"), enemies=FORCE, at="3617")
    half = sum(printed(table.state.open, ship).aa for ship in FORCE) // 2
    assert column(half) < column(2 * half)

    strike(table, JAPAN, ORDER)

    fired, struck = told(table.facts, Rolled)
    assert ("flak", "air attack") == (fired.purpose, struck.purpose)
    assert f"column {column(half) + by_date('flak_shift', ALLIES, '1945-03')}" == fired.target
    assert f"column {column(2)}" == struck.target
    assert [DESTROYERS] == [one.ship for one in told(table.facts, ShipHit)]


def test_p34_2_a_hit_of_the_flak_and_there_is_no_attack() -> None:
    table = war_at(None, 0, boat=SpecialBoat("3615"), enemies=FORCE, at="3617")

    strike(table, JAPAN, ORDER)

    assert ["flak"] == [one.purpose for one in told(table.facts, Rolled)]
    assert [] == told(table.facts, ShipHit)


@pytest.mark.parametrize("kind", ["port", "airbase"])
def test_p34_2_a_port_or_an_airbase_is_damaged(kind: Any) -> None:
    table = war_at(None, 9, 0, boat=SpecialBoat("3615"))
    board = table.state.open
    board.bases["kure"] = replace(board.bases["kure"], control=ALLIES)

    strike(table, JAPAN, STOStrike(STO, f"strike_{kind}", "kure"))  # type: ignore[arg-type]

    assert 0 < getattr(board.bases["kure"], f"{kind}_damage")


def test_p34_2_p28_2_it_is_a_mission_of_the_air_mission_phase_once_in_an_operation() -> None:
    table = war_at(AirMissions(side=JAPAN), boat=SpecialBoat("3615"), enemies=FORCE, at="3617")
    while JAPAN not in table.prompts or ORDER not in options(table, JAPAN):
        seat, prompt = next(iter(table.prompts.items()))
        table.decide(seat, PACIFIC_WAR.default(table.state, seat, prompt))
    take(table, JAPAN, ORDER)

    assert war(table.state.open).operations == boat(table).struck
    assert ORDER not in (options(table, JAPAN) if JAPAN in table.prompts else [])
