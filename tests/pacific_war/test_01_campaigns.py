"""P1.9 The Solomons and Papua: its set-up, its own rules, and the phases of its months."""

from functools import cache
from itertools import pairwise
from random import Random

import pytest

from domain.kernel.dice import seeded
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.missions import objectives
from domain.pacific_war.battle.movement import landings, marches
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS, months
from domain.pacific_war.board.charts import AIR, GROUND, LOCATIONS, OWNERS, SIDES
from domain.pacific_war.board.special import may_land
from domain.pacific_war.board.table import Fleet, Ground, Ship, TaskForce
from domain.pacific_war.board.war import Toll
from domain.pacific_war.facts.cycle import PhaseBegan
from domain.pacific_war.facts.months import MonthIs
from domain.pacific_war.operations.eligible import idle
from tests.kernel.playing import Playing
from tests.pacific_war.campaign import ALLIES, JAPAN, alter, laid_out
from tests.pacific_war.days import operation, outset, wake, within
from tests.pacific_war.lively import lively
from tests.pacific_war.rulebook import paragraph, table

C1 = CAMPAIGNS["C1"]
NAMES = {place: one.name for place, one in LOCATIONS.items()}


def called(names: str) -> set[str]:
    """The ids of the locations that a cell of the book lists."""
    return {next(p for p, name in NAMES.items() if name == one) for one in names.split(", ")}


@pytest.mark.parametrize("side", [JAPAN, ALLIES])
def test_p1_9_p2_3_6_p2_3_7_the_bases_of_c1_are_those_of_the_book(side: int) -> None:
    board = laid_out().open
    rows = {row[0]: row[1 + side] for row in table(paragraph("P1.9"), "given in C1")}
    mine = {place: base for place, base in board.bases.items() if base.control == side}

    assert called(rows["offensive support bases"]) == {place for place, base in mine.items() if base.osb}
    assert called(rows["Submarine Commands"]) == {place for place, base in mine.items() if base.command}
    staffs = {HEADQUARTERS[hq].name for hq in C1.hqs[SIDES[side]]}
    assert set(rows["headquarters (P11.1)"].split(", ")) == staffs
    assert board.war is not None
    assert {hq: HEADQUARTERS[hq].site for hq in C1.hqs[SIDES[side]]}.items() <= {
        hq: post.site for hq, post in board.war.posts.items()
    }.items()


@pytest.mark.parametrize("side", [JAPAN, ALLIES])
def test_p1_9_the_units_of_c1_are_inactive_where_the_scenario_has_them(side: int) -> None:
    own = laid_out().own[side]

    ships = {ship: row.at for row in C1.naval if row.side == SIDES[side] for ship in row.units}
    air = {row.id: row for row in C1.air if OWNERS[row.id] == side}
    ground = {row.id: row for row in C1.ground if OWNERS[row.id] == side}
    assert ships == {ship: one.port for ship, one in own.ships.items()}
    assert {unit: (row.steps, row.level) for unit, row in air.items()} == {
        unit: (one.steps, one.level) for unit, one in own.air.items()
    }
    assert {unit: row.base or AIR[unit].carrier for unit, row in air.items()} == {
        unit: one.home for unit, one in own.air.items()
    }
    assert {unit: LOCATIONS[row.hex].hex for unit, row in ground.items()} == {
        unit: one.hex for unit, one in own.ground.items()
    }
    assert {unit: GROUND[unit].steps for unit in ground} == {u: one.steps for u, one in own.ground.items()}
    units = (*own.ships.values(), *own.air.values(), *own.ground.values())
    assert not any(unit.active for unit in units)


def test_p1_9_r_69_the_submarines_of_c1_are_shared_over_the_commands() -> None:
    own = laid_out().own

    assert {"truk": 2, "rabaul": 2} == own[JAPAN].means.submarines
    assert {"brisbane": 4} == own[ALLIES].means.submarines


def test_p1_9_p4_2_c1_goes_from_august_to_december() -> None:
    assert ("1942-08", "1942-09", "1942-10", "1942-11", "1942-12") == months("C1")


@cache
def played(seed: int) -> Playing:
    """A whole campaign by chance."""
    chance, playing = Random(seed), Playing(PACIFIC_WAR, "C1", {}, seeded(seed))
    while not playing.state.match.over:
        playing.decide_all(*lively(playing.table, chance))
    return playing


def test_c1_1_p5_1_a_b_c_d_e_f_g_h_i_n_o_r_5_r_30_a_month_has_five_phases_before_the_bids() -> None:
    facts = [fact for _, fact in played(1).log]
    begun = [fact.phase if isinstance(fact, PhaseBegan) else "month" for fact in facts if _marks(fact)]

    assert ["5.1.B", "5.1.G", "5.1.H", "5.1.I", "5.1.N", "5.1.O"] == begun[:6]
    each = " ".join(begun).split("month ")[1:]
    assert [True] * 4 == [one.startswith("5.1.B 5.1.G 5.1.H 5.1.I 5.1.N") for one in each]
    assert not {"5.1.A", "5.1.C", "5.1.D", "5.1.E", "5.1.F"} & set(begun)


def _marks(fact: object) -> bool:
    return isinstance(fact, PhaseBegan | MonthIs)


FOLLOWS = {
    "5.1.O": ("5.1.P", "5.1.B", "5.1.O"),
    "5.1.P": ("5.1.Q", "5.1.O", "5.1.B"),
    "5.1.Q": ("5.1.R",),
    "5.1.R": ("5.1.S", "5.1.O", "5.1.B"),
    "5.1.S": ("5.1.T", "5.1.B"),
    "5.1.T": ("5.2.A",),
    "5.2.N": ("5.2.O",),
    "5.2.O": ("5.2.A", "5.1.O", "5.1.B"),
}
"""P5.1, P5.3, P5.4: the phase after a phase; the month may end in 5.1.O, P, R and 5.2.O."""


@pytest.mark.parametrize("seed", [2, 4])
def test_p5_1_o_p_q_r_s_t_the_phases_of_an_operation_follow_each_other(seed: int) -> None:
    begun = [fact.phase for _, fact in played(seed).log if isinstance(fact, PhaseBegan)]

    seen = set(pairwise(begun))
    assert {"5.1.P", "5.1.Q", "5.1.R", "5.1.S", "5.1.T", "5.2.A"} <= set(begun)
    for before, after in seen:
        assert after in FOLLOWS.get(before, (after,)), f"{after} after {before}"


@pytest.mark.parametrize("place", ["truk", "brisbane", "suva", "noumea"])
def test_c1_3_troops_may_not_attack_a_rear_base_and_aircraft_may(place: str) -> None:
    board = laid_out().open
    spot, foe = LOCATIONS[place].hex, 1 - board.bases[place].control

    assert not may_land(board, foe, spot)
    assert may_land(board, 1 - foe, spot)
    assert may_land(board, ALLIES, LOCATIONS["guadalcanal"].hex)
    assert place in objectives(board, foe, "strike_airbase")


def test_c1_3_no_troops_go_ashore_at_truk() -> None:
    table = laid_out()
    node = LOCATIONS["truk"].coast or ""
    table.state.open.tfs["A1"] = TaskForce(ALLIES, node)
    own = table.state.own[ALLIES]
    own.fleets["A1"] = Fleet()
    alter(table, units={"aa_us1": Ship(tf="A1"), "us_2mar": Ground(aboard={"aa_us1": 3}, steps=3)})
    own.fleets["A1"] = Fleet(ships=Fleet().ships.__class__(core=("aa_us1",)))

    assert [] == landings(table.open, own, ALLIES)
    node = LOCATIONS["guadalcanal"].coast or ""
    table.state.open.tfs["A1"] = TaskForce(ALLIES, node)
    assert ["us_2mar"] == [one.ground for one in landings(table.open, own, ALLIES)]


def test_c1_3_troops_do_not_march_into_brisbane() -> None:
    table = laid_out()
    spot = LOCATIONS["townsville"].hex
    alter(table, units={"jp_kawa": Ground(spot, steps=3)})

    assert not any(LOCATIONS["brisbane"].hex == one.hex for one in marches(table.open, table.own[JAPAN]))


def test_c1_4_units_that_come_on_day_15_wait_for_it() -> None:
    table = laid_out()
    alter(
        table,
        units={"cv_shokaku": Ship(port="truk", active=False)},
        means={JAPAN: {"barred": {"cv_shokaku": 15}}},
    )
    assert table.open.war is not None

    table.open.war.day = 14
    assert "cv_shokaku" not in idle(table.open, table.own[JAPAN], JAPAN)
    table.open.war.day = 15
    assert "cv_shokaku" in idle(table.open, table.own[JAPAN], JAPAN)


def test_p38_5_f_p5_4_2_r_23_r_86_the_last_month_ends_the_operation_under_way_and_the_game() -> None:
    """Given an Operation in December in which Japan has sunk a carrier, on the last day but one."""
    state = outset(month="1942-12", day=29)
    operation(state, condition="I", tolls=(Toll(points=6), Toll()))
    wake(state, "jn_1e_25af")
    ended = within(state, "day", cycle=1)

    assert ended.state.match.over
    board = ended.state.open.war
    assert board is not None
    assert (None, (6, 0)) == (board.operation, board.damage)
    assert "1942-12" == board.month


def test_r_12_submarines_in_port_are_no_target() -> None:
    state = laid_out()
    alter(state, units={ship: {"port": "townsville"} for ship in ("cl_us1", "dd_cw3")})

    assert 4 == state.own[ALLIES].means.submarines["brisbane"]
    assert "brisbane" not in objectives(state.open, JAPAN, "strike_ships_in_port")
    assert "townsville" in objectives(state.open, JAPAN, "strike_ships_in_port")
