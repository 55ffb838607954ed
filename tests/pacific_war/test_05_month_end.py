"""P5.4 Month ends, within an Operation and between two; P38.5. The phases of a month have their own tests."""

from collections.abc import Iterable
from typing import Any

import pytest

from domain.kernel.facts import Fact
from domain.kernel.table import Table
from domain.pacific_war.board.war import Operation, Toll
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import (
    Activate,
    Bid,
    BidFrom,
    ClaimOperation,
    Continue,
    EndContact,
    EndDay,
    Forfeit,
    NoBid,
    PlaceOSB,
)
from domain.pacific_war.facts.months import InitiativeIs, MonthIs, OperationIs, under_way, war
from tests.pacific_war.board import Die, drawn, kinds, options, rolls, told
from tests.pacific_war.days import (
    ALLIES,
    JAPAN,
    OPEN_SEA,
    POINTS,
    act,
    days,
    means,
    operation,
    outset,
    patrol,
    phases,
    play,
    put,
    quiet_sea,
    sail,
    sound,
    through,
    wake,
    within,
)


def at_sea(*, day: int = 29, at: str = OPEN_SEA, **fields: Any) -> Table:
    """Return a table of September 1942 with the task force of P38.5 at sea."""
    table = outset(day=day)
    operation(table, **fields)
    means(table, JAPAN, condition="I")
    sail(table, "A1", at, ["cv_saratoga"], ["ca_us1", "dd_us1"])
    return table


def ended(facts: Iterable[Fact]) -> list[str]:
    """Return the months that begin in facts."""
    return [fact.month for fact in facts if isinstance(fact, MonthIs)]


def kept(run: Operation) -> tuple[Any, ...]:
    """Return what a suspended Operation keeps (P5.4.2)."""
    return (run.player, run.hq, run.bid, run.spent, run.ap, run.answered, run.level, run.multiples, run.tolls)


# P38.5


def test_p38_5_a_p5_4_1_a_r_16_r_26_r_46_month_end_in_contact_resumes_at_step_3() -> None:
    table = at_sea(moved=3, days=1, spent=16, tolls=(Toll(points=3), Toll(air=2)))
    table = within(table, "contact")
    before = kept(under_way(table.state.open))
    facts = act(table, ALLIES, EndDay())
    assert ([30], []) == (days(facts), ended(facts))
    assert 6 == under_way(table.state.open).moved
    act(table, JAPAN, d.Pass())
    act(table, ALLIES, Continue())
    facts = act(table, ALLIES, EndDay())

    assert [0] == days(facts)
    assert ["1942-10"] == ended(facts)
    run = under_way(table.state.open)
    assert (9, 3, False, before) == (run.moved, run.days, run.suspended, kept(run))
    told_ = [type(fact).__name__ if not isinstance(fact, OperationIs) else fact.why for fact in facts]
    order = ["The Operation is suspended", "MonthIs", "The Operation goes on", "SearchesMade"]
    assert order == [word for word in told_ if word in order]
    assert "5.1.R" == table.state.open.phase
    assert 1 == phases(facts).count("5.1.R")
    assert {JAPAN} == table.prompts.keys()
    assert d.Pass() in options(table, JAPAN)
    assert ("cv_saratoga", "ca_us1", "dd_us1") == table.state.own[ALLIES].fleets["A1"].ships.ships
    act(table, JAPAN, d.Pass())
    act(table, ALLIES, Continue())
    assert [1] == days(act(table, ALLIES, EndDay()))


def test_p5_4_2_r_26_the_searches_of_that_day_come_after_the_month_end_and_the_condition_counts() -> None:
    """Given the flying boats at Shortland 7 hexes away: value 5, Ambush 2 more."""
    table = at_sea(day=30, at="5046")
    means(table, JAPAN, condition="A")
    facts = act(within(table, "contact", 8), ALLIES, EndDay())

    assert [("search", "7 or less", 2)] == rolls(facts, "search")
    kinds_ = [type(fact).__name__ for fact in facts]
    assert kinds_.index("MonthIs") < kinds_.index("RolledUnseen")


def test_p5_4_2_r_18_the_condition_is_kept_whatever_the_level_of_the_new_month() -> None:
    table = at_sea(day=30)
    means(table, JAPAN, level=3)
    facts = act(within(table, "contact"), ALLIES, EndDay())

    assert "I" == table.state.own[JAPAN].means.condition
    assert "5.1.Q" not in phases(facts)


def test_p5_4_2_searches_committed_on_the_last_day_count_after_the_month_end() -> None:
    table = at_sea(day=30)
    quiet_sea(table)
    sail(table, "J1", "6143", screen=["dd_jp29"])
    table = within(table, "contact", 1)
    act(table, ALLIES, d.CommitSearch("cvg_saratoga"))
    facts = act(table, ALLIES, EndDay())

    assert [("search", "1 or less", -1)] == rolls(facts, "search")
    assert table.state.open.tfs["J1"].detected


def sunk_at_the_end(day: int, *dice: Die, **points: Any) -> Table:
    """Return a table on which the last Allied unit was lost to a patrol on this day of contact."""
    table = outset(day=day, **points)
    operation(table, tolls=(Toll(points=11), Toll()))
    means(table, JAPAN, condition="I")
    sail(table, "A2", OPEN_SEA, screen=["dd_us2"])
    put(table, {"dd_us2": {"damage": 2}})
    patrol(table, JAPAN, "6146", 4)
    table = within(table, "contact", 0, drawn(0), 0, *dice)
    act(table, ALLIES, d.MoveTF("A2"), d.SailTo("6146"))
    return table


def test_p38_5_b_r_17_r_70_with_nobody_left_the_operation_is_over_and_japan_may_claim() -> None:
    """Given a destroyer sunk as well, 12 damage points move the initiative by 2."""
    table = sunk_at_the_end(30)
    facts = act(table, ALLIES, EndDay())

    assert [0] == days(facts)
    assert ["1942-10"] == ended(facts)
    assert [InitiativeIs(1, (12, 0))] == told(facts, InitiativeIs)
    assert war(table.state.open).operation is None
    assert "5.4.2" == table.prompts[JAPAN].rule
    assert [ClaimOperation(yes=True), ClaimOperation(yes=False)] == options(table, JAPAN)


def test_p38_5_b_if_he_does_not_claim_both_bid() -> None:
    table = sunk_at_the_end(30)
    act(table, ALLIES, EndDay())
    facts = act(table, JAPAN, ClaimOperation(yes=False))

    assert ["5.1.O"] == phases(facts)
    assert {JAPAN, ALLIES} == table.prompts.keys()
    assert 0 == war(table.state.open).day


def test_p5_4_2_p18_4_p18_5_r_11_who_claims_bids_openly_and_gets_a_support_base() -> None:
    table = sunk_at_the_end(30)
    act(table, ALLIES, EndDay())
    act(table, JAPAN, ClaimOperation(yes=True))
    assert [BidFrom("hq_sea")] == options(table, JAPAN)
    act(table, JAPAN, BidFrom("hq_sea"))
    assert [Bid(amount) for amount in range(1, 23)] == options(table, JAPAN)
    act(table, JAPAN, Bid(7))

    run = under_way(table.state.open)
    assert (JAPAN, "hq_sea", 7, JAPAN) == (run.player, run.hq, run.bid, table.state.open.operation)
    assert "PlaceOSB" in kinds(table, JAPAN)
    site = next(one for one in options(table, JAPAN) if isinstance(one, PlaceOSB))
    facts = act(table, JAPAN, site)
    assert table.state.open.bases[site.location].osb
    assert ["5.1.P"] == phases(facts)
    assert Forfeit() in options(table, JAPAN)


def test_p5_4_2_he_is_asked_though_he_has_no_points() -> None:
    table = sunk_at_the_end(30, points=({}, POINTS[ALLIES]))
    act(table, ALLIES, EndDay())

    assert [ClaimOperation(yes=False)] == options(table, JAPAN)


def test_p5_3_4_on_another_day_nobody_claims_and_no_day_passes() -> None:
    table = sunk_at_the_end(12)
    facts = act(table, ALLIES, EndDay())

    assert ([13], []) == (days(facts), ended(facts))
    assert ["5.1.O"] == phases(facts)
    assert {JAPAN, ALLIES} == table.prompts.keys()


def test_p5_4_1_an_operation_that_began_on_month_begin_and_ends_there_ends_no_month() -> None:
    """Given the marker on Month Begin since the month began, and contact ended at once after the loss."""
    table = sunk_at_the_end(0)
    facts = act(table, ALLIES, EndContact())

    assert ([], []) == (days(facts), ended(facts))
    assert ["5.1.O"] == phases(facts)


def test_p38_5_c_p5_4_1_c_past_month_begin_5_2_a_follows_on_day_1() -> None:
    """Given two Japanese units Activated; the lighting goes on from what it was, and so does the cycle."""
    table = outset(month="1942-10", day=30)
    operation(table, condition="I", days=4)
    wake(table, "jn_1e_25af", "jp_41reg")
    before = kept(under_way(table.state.open))
    table = within(table, "detection", 5, 4, 6, cycle=1)
    facts = through(table)

    assert [1] == days(facts)
    assert ["1942-11"] == ended(facts)
    assert ["5.2.N", "5.2.O", "5.2.A"] == phases(facts)[:3]
    assert 2 == table.state.open.cycle
    assert "Dusk" == table.state.open.lighting  # 5, after Day: not the first lighting
    run = under_way(table.state.open)
    assert (before, 6, False) == (kept(run), run.days, run.suspended)


def test_p5_4_1_b_the_marker_enters_month_begin_and_5_2_a_follows() -> None:
    table = outset(month="1942-10", day=29)
    operation(table, condition="I")
    wake(table, "jn_1e_25af")
    table = within(table, "detection", 5, 4, 6, cycle=1)
    facts = through(table)

    assert [0] == days(facts)
    assert ["1942-11"] == ended(facts)
    assert ["5.2.N", "5.2.O", "5.2.A"] == phases(facts)[:3]


@pytest.mark.parametrize(("day", "to", "month"), [
    (0, 2, False), (1, 3, False), (27, 29, False), (28, 30, False), (29, 0, True), (30, 1, True),
])  # fmt: skip
def test_p4_1_p32_3_two_days_and_the_month_ends_if_month_begin_is_entered_or_passed(
    day: int, to: int, month: bool
) -> None:
    table = outset(month="1942-10", day=day)
    operation(table, condition="I", days=4)
    wake(table, "jn_1e_25af")
    table = within(table, "day", 5, 4, 6, cycle=1)
    facts = through(table)

    assert [to] == days(facts)
    assert month == bool(ended(facts))
    assert 6 == under_way(table.state.open).days


@pytest.mark.parametrize(("japan", "allies", "initiative"), [
    (Toll(points=8), Toll(points=1), 0), (Toll(points=5), Toll(), -1), (Toll(), Toll(points=7), -2),
])  # fmt: skip
def test_p38_5_d_nobody_activated_the_operation_is_over_and_the_initiative_moves(
    japan: Toll, allies: Toll, initiative: int
) -> None:
    table = outset(day=29)
    operation(table, condition="I", tolls=(japan, allies))
    table = within(table, "tally", cycle=3)
    facts = through(table)

    assert [initiative] == [fact.initiative for fact in told(facts, InitiativeIs)]
    assert ["5.2.N", "5.2.O", "5.1.O"] == phases(facts)
    assert [0] == days(facts)
    assert ["1942-10"] == ended(facts)
    assert war(table.state.open).operation is None
    assert {JAPAN, ALLIES} == table.prompts.keys()
    sound(table)


def test_p38_5_e_p5_4_1_d_nobody_bids() -> None:
    table = play(outset(day=12), Campaign(scenario="C1", at="determine"))
    act(table, JAPAN, NoBid())
    facts = act(table, ALLIES, NoBid())

    assert [0] == days(facts)
    assert ["1942-10"] == ended(facts)
    assert ["5.1.O"] == phases(facts)
    assert {JAPAN, ALLIES} == table.prompts.keys()


def test_p5_4_1_d_no_operation_is_suspended_then() -> None:
    table = play(outset(day=12), Campaign(scenario="C1", at="determine"))
    act(table, JAPAN, NoBid())
    facts = act(table, ALLIES, NoBid())

    assert [] == told(facts, OperationIs)


@pytest.mark.parametrize(("day", "to", "month"), [(12, 13, False), (29, 30, False), (30, 0, True)])
def test_p20_2_2_r_4_a_forfeit_costs_a_day_and_may_end_the_month(day: int, to: int, month: bool) -> None:
    table = play(outset(day=day), Campaign(scenario="C1", at="determine"))
    act(table, JAPAN, NoBid())
    act(table, ALLIES, BidFrom("hq_sopac"), Bid(5))
    act(table, ALLIES, d.Decline())
    facts = act(table, ALLIES, Forfeit())

    assert [to] == days(facts)
    assert month == bool(ended(facts))
    assert ["5.1.O"] == phases(facts)


def test_p4_3_the_month_advances_by_one_each_time_a_month_ends() -> None:
    table = play(outset(day=12), Campaign(scenario="C1", at="determine"))
    for month in ("1942-10", "1942-11"):
        act(table, JAPAN, NoBid())
        act(table, ALLIES, NoBid())
        assert month == war(table.state.open).month


def test_p5_4_r_36_an_operation_may_begin_on_day_30_and_the_month_ends_in_it() -> None:
    table = play(outset(day=30), Campaign(scenario="C1", at="determine"), 0)
    act(table, JAPAN, NoBid())
    act(table, ALLIES, BidFrom("hq_sopac"), Bid(18))
    act(table, ALLIES, d.Decline())
    act(table, ALLIES, Activate("dd_us1"))
    act(table, ALLIES, d.Done())
    assert "5.1.R" == table.state.open.phase
    facts = act(table, ALLIES, EndDay())

    assert ([0], ["1942-10"]) == (days(facts), ended(facts))
    assert (1, 18) == (under_way(table.state.open).days, under_way(table.state.open).bid)


def test_p5_4_r_32_the_reaction_player_has_no_task_force_in_5_1_r() -> None:
    """Given an Operation from its bids on, only the Operation player has activated anything."""
    table = play(outset(), Campaign(scenario="C1", at="determine"), 0)
    act(table, JAPAN, NoBid())
    act(table, ALLIES, BidFrom("hq_sopac"), Bid(18))
    act(table, ALLIES, d.Decline())
    act(table, ALLIES, Activate("dd_us1"))
    act(table, ALLIES, d.Done())

    assert {ALLIES} == {force.side for force in table.state.open.tfs.values()}
    assert not any(unit.active for unit in table.state.own[JAPAN].ground.values())
