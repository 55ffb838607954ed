"""P10.1 to P10.4 Command Points of the war: resources, purses, points that vanish, the pool."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.table import Table
from domain.pacific_war.battle.deactivation import Deactivation
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.war import Operation, Post, Share
from domain.pacific_war.command.links import linked_hexes
from domain.pacific_war.command.pool import draw, owner, purse
from domain.pacific_war.decisions.choices import Activate, Bid, BidFrom, Forfeit, NoBid, UndoActivation
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_month import (
    AllocateCP,
    AsLastMonth,
    CommandPoints,
    Suggested,
    UndoAllocation,
)
from domain.pacific_war.decisions.orders_of_war import AllocateFOP
from domain.pacific_war.facts.months import BidsOpened, TotalsAre, under_way
from domain.pacific_war.month import suspend
from domain.pacific_war.months.command_points import Allocation, allies, japan, largest, poolable, proposal
from domain.pacific_war.months.schedule import resources
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.operations.bids import Bidding
from domain.pacific_war.operations.operation import OperationUnderWay
from tests.pacific_war.board import options, sealed_facts, take, told
from tests.pacific_war.campaign import ALLIES, JAPAN, campaign_at, laid_out, of

GHQ, CINCPAC = "hq_ghq", "hq_cincpac"


def month(scenario: str = "S2", **means: Any) -> Table:
    """A table in 5.1.G; `means` are fields of Japan's means."""
    table = laid_out(scenario=scenario)
    for name, value in means.items():
        setattr(table.state.own[JAPAN].means, name, value)
    return campaign_at(Allocation(), table=table)


# what a month brings


def test_p10_1_resource_hexes_count_while_they_are_japanese_intact_and_linked() -> None:
    """Given January 1944, then 14 of 15 count at most; one that is damaged, lost or unlinked does not."""
    table = laid_out(scenario="S2")
    board, reached = table.state.open, linked_hexes(table, JAPAN)
    all_of = [place for place, one in LOCATIONS.items() if one.resource]
    counted = [p for p in all_of if board.bases[p].control == JAPAN and LOCATIONS[p].hex in reached]

    assert 15 == len(all_of)
    assert len(counted) == resources(table)
    board.bases[counted[0]] = replace(board.bases[counted[0]], resource_damage=1)
    board.bases[counted[1]] = replace(board.bases[counted[1]], control=ALLIES)
    assert len(counted) - 2 == resources(table)
    assert board.war is not None
    board.war.posts = {hq: Post() for hq in board.war.posts}
    assert 0 == resources(table)


def test_p10_1_p10_2_p10_3_the_totals_are_told_to_all() -> None:
    table = month()
    (told_now,) = told(table.facts, TotalsAre)

    assert (japan("1944-01", 49, resources(table), 20), 134) == told_now.totals
    assert {"US": 110, "CW": 24} == allies("1944-01")


def test_p10_1_s1_1_in_december_1941_japan_has_120() -> None:
    assert [(120, 34)] == [one.totals for one in told(month("S1").facts, TotalsAre)]


def test_p10_3_us_points_and_commonwealth_points_go_to_their_headquarters() -> None:
    table = month("S1")
    given = {(one.purse, one.hq) for one in of(table, ALLIES, AllocateCP)}

    assert {"hq_cincpac", "hq_usaffe", "hq_abda", "hq_india", "hq_aus", "hq_norpac"} == {
        hq for name, hq in given if name == "US"
    }
    assert {"hq_malaya", "hq_abda", "hq_india", "hq_aus"} == {hq for name, hq in given if name == "CW"}


def test_p10_3_p0_9_1_what_is_proposed_is_said_by_purse() -> None:
    """Given two purses, then each share of the proposal names its own; Japan has one and reads none."""
    table = month("S1")
    given = proposal(table.open, table.own[ALLIES], ALLIES, ())
    words = {"US": "American", "CW": "Commonwealth"}
    shares = ", ".join(f"{words[one.purse]} [{one.hq}] {one.points}" for one in given)

    assert {"US", "CW"} == {one.purse for one in given}
    assert table.prompts[ALLIES].text.endswith(f"Proposed: {shares}.")
    assert "Proposed: [hq_" in table.prompts[JAPAN].text


def test_p10_3_r_9_unused_points_vanish_but_for_the_pool() -> None:
    table = month(points={"hq_cf": 30}, fop=12)

    assert ({}, 12) == (table.own[JAPAN].means.points, table.own[JAPAN].means.fop)
    take(table, JAPAN, AllocateCP("JP", "hq_cf"), CommandPoints(5), Done())
    assert ({"hq_cf": 5}, 12) == (table.own[JAPAN].means.points, table.own[JAPAN].means.fop)


# the pool


@pytest.mark.parametrize(("has", "most"), [(0, 15), (25, 15), (30, 10), (40, 0)])
def test_p10_4_at_most_15_a_month_and_40_in_all(has: int, most: int) -> None:
    table = month(fop=has)

    assert [AllocateFOP(n + 1) for n in range(most)] == of(table, JAPAN, AllocateFOP)
    if most:
        take(table, JAPAN, AllocateFOP(most), Done())
        assert has + most == table.own[JAPAN].means.fop


def test_p10_4_once_a_month_from_american_points_alone() -> None:
    table = month("S1")
    ahead = table.ahead(ALLIES, [AllocateFOP(15)])

    assert [] == [one for one in ahead.prompts[ALLIES].options if isinstance(one, AllocateFOP)]
    take(table, ALLIES, AllocateCP("US", CINCPAC), CommandPoints(10), AllocateFOP(12), Done())
    assert (12, {CINCPAC: 10}) == (table.own[ALLIES].means.fop, table.own[ALLIES].means.points)
    spent = month("S1")
    ahead = spent.ahead(ALLIES, [AllocateCP("US", CINCPAC), CommandPoints(22)])
    assert [] == [one for one in ahead.prompts[ALLIES].options if isinstance(one, AllocateFOP)]


def test_p10_4_a_campaign_has_no_pool() -> None:
    assert [] == of(month("C1"), JAPAN, AllocateFOP)
    assert 0 == poolable(laid_out().open, laid_out().own[JAPAN], JAPAN, ())


def test_p10_3_p10_4_undo_takes_back_what_a_headquarters_has_and_leaves_the_pool() -> None:
    table = month()
    take(table, JAPAN, AllocateFOP(7), AllocateCP("JP", GHQ), CommandPoints(9), UndoAllocation(GHQ), Done())

    assert (7, {}) == (table.own[JAPAN].means.fop, table.own[JAPAN].means.points)


def test_p0_9_2_p10_4_as_last_month_repeats_the_pool() -> None:
    shares = (Share("JP", "hq_cf", 6), Share("JP", GHQ, 5, pooled=True))
    table = month(shares=shares)
    take(table, JAPAN, AsLastMonth(), Done())

    assert (5, {"hq_cf": 6}) == (table.own[JAPAN].means.fop, table.own[JAPAN].means.points)


def test_p0_3_2_p10_4_what_is_put_into_the_pool_is_not_told_by_the_count() -> None:
    one, other = month(), month()
    full = take(one, JAPAN, AllocateFOP(15), AllocateCP("JP", "hq_cf"), CommandPoints(5), Done())
    none = take(other, JAPAN, Done())

    suggested = take(month(), JAPAN, Suggested())
    assert largest(one.open) < sealed_facts(full) == sealed_facts(none) == sealed_facts(suggested)


# bids and spending


def pooled(points: dict[str, int], fop: int, site: str = "tokyo", scenario: str = "S2") -> Table:
    table = laid_out(scenario=scenario)
    war = table.state.open.war
    assert war is not None
    war.posts = war.posts | {GHQ: Post(site)}
    table.state.own[JAPAN].means.points, table.state.own[JAPAN].means.fop = dict(points), fop
    return table


def test_p10_4_p18_1_the_pool_is_added_to_the_bid_of_its_owner_alone() -> None:
    table = campaign_at(Bidding(), table=pooled({GHQ: 3, "hq_cf": 4}, 10))
    ahead = table.ahead(JAPAN, [BidFrom(GHQ)])

    assert GHQ == owner(JAPAN)
    assert Bid(13) == ahead.prompts[JAPAN].options[-1]
    other = table.ahead(JAPAN, [BidFrom("hq_cf")])
    assert Bid(4) == other.prompts[JAPAN].options[-1]


def test_p10_4_p18_1_the_pool_alone_can_bid_while_its_owner_is_on_the_map() -> None:
    table = campaign_at(Bidding(), table=pooled({}, 10))

    assert [BidFrom(GHQ), NoBid()] == options(table, JAPAN)
    gone = campaign_at(Bidding(), table=pooled({}, 10, site=""))
    assert [NoBid()] == options(gone, JAPAN)


def test_p10_4_p18_2_the_pool_is_drawn_after_the_ordinary_points() -> None:
    table = pooled({GHQ: 3}, 10)

    assert 13 == purse(table.open, table.own[JAPAN], GHQ)
    assert 0 == draw(table, JAPAN, GHQ, 2, "a test")
    assert 4 == draw(table, JAPAN, GHQ, 5, "a test")
    assert ({}, 6) == (table.own[JAPAN].means.points, table.own[JAPAN].means.fop)


def test_p10_4_p20_2_2_activation_draws_on_the_pool_and_undo_fills_it_again() -> None:
    table = pooled({GHQ: 0}, 5)
    war = table.state.open.war
    assert war is not None
    war.operation, war.operations = Operation(JAPAN, GHQ, 5), 1
    made = campaign_at(Activation(side=JAPAN, kind="operation"), table=table)
    unit = of(made, JAPAN, Activate)[0].unit
    take(made, JAPAN, Activate(unit))
    cost = sum(made.own[JAPAN].means.used.values())
    assert 5 - cost == made.own[JAPAN].means.fop

    if UndoActivation(unit) in options(made, JAPAN):
        take(made, JAPAN, UndoActivation(unit))
        assert (5, {}) == (made.own[JAPAN].means.fop, made.own[JAPAN].means.points)


def test_p10_4_r_92_a_forfeited_bid_is_taken_from_the_points_then_from_the_pool() -> None:
    table = pooled({GHQ: 3}, 10)
    war = table.state.open.war
    assert war is not None
    war.operation, war.operations, war.day = Operation(JAPAN, GHQ, 8), 1, 3
    made = campaign_at(OperationUnderWay(), table=table)
    take(made, JAPAN, Forfeit())

    assert ({}, 5) == (made.own[JAPAN].means.points, made.own[JAPAN].means.fop)


def test_p10_4_p20_2_5_overtime_may_be_paid_from_the_pool() -> None:
    table = pooled({}, 10)
    war = table.state.open.war
    assert war is not None
    war.operation = Operation(JAPAN, GHQ, 8, days=16)
    ground = next(u for u, g in table.state.own[JAPAN].ground.items() if g.hex)
    table.state.own[JAPAN].ground[ground] = replace(table.state.own[JAPAN].ground[ground], active=True)
    made = campaign_at(Deactivation(side=JAPAN), table=table)
    take(made, JAPAN, Done())

    assert 9 == made.own[JAPAN].means.fop


def test_p11_2_1_4_p10_4_a_headquarters_in_a_box_keeps_the_pool_and_bids_and_pays_with_it() -> None:
    table = laid_out("1944-03", "S2")
    assert table.state.open.war is not None
    own = table.state.own[ALLIES]
    own.means.fop = 7
    for site, found in (("pearl_harbor", 7), ("uswc", 7), ("", 0)):
        table.state.open.war.posts |= {CINCPAC: Post(site)}
        own.means.points = {CINCPAC: 2}
        assert 2 + found == purse(table.state.open, own, CINCPAC)
    table.state.open.war.posts |= {CINCPAC: Post("uswc")}
    own.means.points = {}
    table = campaign_at(Bidding(), table=table)

    assert BidFrom(CINCPAC) in options(table, ALLIES)
    take(table, JAPAN, NoBid())
    take(table, ALLIES, BidFrom(CINCPAC), Bid(7))
    assert CINCPAC == under_way(table.open).hq


def test_p18_4_r_46_r_9_after_a_month_end_the_new_points_of_the_headquarters_pay_up_to_the_bid() -> None:
    """Given a bid of 20 of which 12 are spent, and 30 new points, then 8 may be spent; with 5 new ones, 5."""
    for points, most in ((30, 8), (5, 5)):
        table = pooled({GHQ: points}, 0)
        war = table.state.open.war
        assert war is not None
        war.operation, war.operations = Operation(JAPAN, GHQ, 20, spent=12, ap=12, level=2), 1
        window = Activation(side=JAPAN, kind="joint", hq=GHQ)

        assert most == window.left(table.open, table.own[JAPAN])


def test_p5_4_4_r_9_r_46_the_rest_of_a_bid_is_lost_with_the_month_and_the_limit_stays() -> None:
    """Given a bid of 20 of which 12 are spent, 8 points left and 10 in the pool, when the month ends.

    The 8 are lost with all others. The headquarters is given 6, another 9: it may spend 6 and the pool, up to
    the 8 of the bid; the pool has lost nothing.
    """
    table = pooled({GHQ: 8, "hq_cf": 4}, 10)
    war = table.state.open.war
    assert war is not None
    war.operation = Operation(JAPAN, GHQ, 20, spent=12, ap=12, level=2, suspended=True)
    war.operations = 1
    window = Activation(side=JAPAN, kind="joint", hq=GHQ)
    assert 8 == window.left(table.open, table.own[JAPAN])
    table = campaign_at(Allocation(), table=table)

    assert ({}, 10) == (table.own[JAPAN].means.points, table.own[JAPAN].means.fop)
    gives = [AllocateCP("JP", GHQ), CommandPoints(6), AllocateCP("JP", "hq_cf"), CommandPoints(9)]
    take(table, JAPAN, *gives, Done())
    assert ({GHQ: 6, "hq_cf": 9}, 10) == (table.own[JAPAN].means.points, table.own[JAPAN].means.fop)
    assert 8 == window.left(table.open, table.own[JAPAN])  # 6 of its own and 2 of the pool
    table.own[JAPAN].means.fop = 0
    assert 6 == window.left(table.open, table.own[JAPAN])  # not those of another headquarters
    suspend(table, suspended=False)
    assert (20, 12) == (war.operation.bid, war.operation.spent)


def test_p18_2_both_bids_are_opened_with_what_the_pool_adds() -> None:
    table = campaign_at(Bidding(), table=pooled({}, 10))
    take(table, JAPAN, BidFrom(GHQ), Bid(10))
    facts = take(table, ALLIES, NoBid())

    assert [((GHQ, ""), (10, 0))] == [(one.hqs, one.amounts) for one in told(facts, BidsOpened)]
