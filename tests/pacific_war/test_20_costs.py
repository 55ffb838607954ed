"""P20.2.5 HQ cost and time, P20.3, P20.4 and P22.1 limits, a bid that is forfeited, C1.2; P38.2."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.battle.deactivation import Deactivation, owed
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.war import Condition, Operation
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.clock import default
from domain.pacific_war.command.costs import joint_limit, level, overtime, reaction_hexes, reaction_limit
from domain.pacific_war.decisions import choices as c
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.months import BidsOpened, DayIs, InitiativeIs, MeansAre, MonthIs, OperationIs
from domain.pacific_war.month import suspend
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.operations.bids import Claim
from domain.pacific_war.operations.operation import Joint, OperationUnderWay
from tests.pacific_war.board import dice_left, kinds, options, sealed_facts, take, told
from tests.pacific_war.operations import (
    ALLIES,
    CF,
    GONE,
    JAPAN,
    LANDED,
    SEA,
    SOPAC,
    SWPA,
    activatable,
    activate,
    activating,
    afloat,
    at,
    bid,
    determine,
    laid_out,
    lead,
    led,
    means,
    offered,
    on,
    seen,
    sound,
)

TEN = ("cv_saratoga", "cv_enterprise", "cv_wasp", "ca_us1")
"""Ships of 10 Activation Points."""


def rich(bid: int = 60, points: int = 60, **changes: Any) -> Table:
    """Return a table at the activation of the Allies with many points."""
    return activating(lead=led(bid), points={SOPAC: points, SWPA: 20, SEA: 30, CF: 30}, **changes)


# P20.2.5 the cost of a headquarters


def test_p20_2_5_ten_points_let_no_cost_fall_due() -> None:
    table = rich()
    activate(table, ALLIES, *TEN)

    assert 50 == means(table, ALLIES).points[SOPAC]
    assert () == means(table, ALLIES).charged


def test_p20_2_5_more_than_ten_points_let_the_cost_fall_due() -> None:
    table = rich()
    activate(table, ALLIES, *TEN, "us_2mar")

    assert 4 == HEADQUARTERS[SOPAC].op_cost
    assert 60 - 11 - 4 == means(table, ALLIES).points[SOPAC]
    take(table, ALLIES, d.Done())
    assert (11, 15) == (lead(table).ap, lead(table).spent)


def test_p20_2_5_once_an_operation() -> None:
    table = rich()
    activate(table, ALLIES, *TEN, "us_2mar", "us_1mardiv", "us_4e_11bg")
    assert 60 - 16 - 4 == means(table, ALLIES).points[SOPAC]
    take(table, ALLIES, d.Done())
    table = on(table, Activation(side=ALLIES, kind="joint"))
    activate(table, ALLIES, "us_raider")

    assert 60 - 17 - 4 == means(table, ALLIES).points[SOPAC]


def test_p20_2_5_the_points_of_the_whole_operation_count() -> None:
    """Given 9 AP in 5.1.P; in 5.2.M the second further one lets the cost fall due."""
    table = rich()
    activate(table, ALLIES, *TEN[:3])
    take(table, ALLIES, d.Done())
    table = on(table, Activation(side=ALLIES, kind="joint"))
    activate(table, ALLIES, "us_raider")
    assert 50 == means(table, ALLIES).points[SOPAC]
    activate(table, ALLIES, "us_2mar")

    assert 49 - 4 == means(table, ALLIES).points[SOPAC]
    take(table, ALLIES, d.Done())
    assert (11, 15) == (lead(table).ap, lead(table).spent)


def test_p20_2_5_r_28_for_each_headquarters_by_its_own_points() -> None:
    """Given a reaction of 10 AP from each of two headquarters."""
    table = activating(
        side=JAPAN,
        kind="reaction",
        lead=led(60, ap=40, level=3, condition="A"),
        points={SEA: 30, CF: 30},
        means={JAPAN: {"condition": "A", "used": {SEA: 10, CF: 9}}},
    )
    take(table, JAPAN, c.PayFrom(CF))
    activate(table, JAPAN, "dd_jp24")
    assert 29 == means(table, JAPAN).points[CF]
    take(table, JAPAN, c.PayFrom(SEA))
    activate(table, JAPAN, "jp_41reg")

    assert {CF: 29, SEA: 30 - 1 - 3} == means(table, JAPAN).points
    assert (SEA,) == means(table, JAPAN).charged


def test_p20_2_5_p20_2_2_it_comes_back_when_it_is_not_due_any_more() -> None:
    table = rich()
    activate(table, ALLIES, *TEN, "us_2mar", "us_raider")
    assert 60 - 12 - 4 == means(table, ALLIES).points[SOPAC]
    take(table, ALLIES, c.UndoActivation("us_2mar"))
    assert 60 - 11 - 4 == means(table, ALLIES).points[SOPAC]
    take(table, ALLIES, c.UndoActivation("us_raider"))
    assert 60 - 10 == means(table, ALLIES).points[SOPAC]
    assert () == means(table, ALLIES).charged
    take(table, ALLIES, d.Done())

    assert (10, 10) == (lead(table).ap, lead(table).spent)


def test_p20_2_5_not_what_was_due_before() -> None:
    table = activating(
        kind="joint",
        lead=led(40, ap=11, spent=15),
        means={ALLIES: {"used": {SOPAC: 11}, "charged": (SOPAC,)}},
    )
    activate(table, ALLIES, "us_2mar")
    take(table, ALLIES, c.UndoActivation("us_2mar"))

    assert 30 == means(table, ALLIES).points[SOPAC]
    assert (SOPAC,) == means(table, ALLIES).charged


# P20.2.5 time


@pytest.mark.parametrize(
    ("units", "ap", "each"), [(("us_2mar",), 1, 1), (("cv_saratoga",), 3, 2), (TEN, 10, 5)]
)
def test_p20_2_5_each_time_multiple_costs_half_the_points_rounded_up(
    units: tuple[str, ...], ap: int, each: int
) -> None:
    for k in range(5):
        table = rich()
        activate(table, ALLIES, *units)
        take(table, ALLIES, c.TimeMultiple(k))

        assert 60 - ap - k * each == means(table, ALLIES).points[SOPAC]
        assert (ap, ap + k * each, k) == (lead(table).ap, lead(table).spent, lead(table).multiples)


def test_p20_2_5_at_most_4_as_far_as_the_cost_fits() -> None:
    table = rich()
    activate(table, ALLIES, "cv_saratoga")
    assert [*map(c.TimeMultiple, range(5))] == offered(table, ALLIES, c.TimeMultiple)

    for limit, points in ((7, 60), (60, 7)):
        table = rich(limit, points)
        activate(table, ALLIES, "cv_saratoga")
        assert [*map(c.TimeMultiple, (0, 1, 2))] == offered(table, ALLIES, c.TimeMultiple)


def test_p20_2_5_half_of_the_activation_points_without_the_operation_cost() -> None:
    table = rich()
    activate(table, ALLIES, *TEN, "us_2mar", "us_raider")
    take(table, ALLIES, c.TimeMultiple(1))

    assert 12 + 4 + 6 == lead(table).spent


def test_p20_2_2_p0_3_the_time_multiple_is_the_last_pick() -> None:
    table = rich()
    activate(table, ALLIES, "us_2mar")
    take(table, ALLIES, c.TimeMultiple(1))

    assert {} == table.prompts
    assert 1 == lead(table).level


@pytest.mark.parametrize(
    ("days", "multiples", "over"),
    [(14, 0, False), (15, 0, True), (28, 1, False), (29, 1, True), (70, 4, False), (71, 4, True)],
)
def test_p20_2_5_an_operation_lasts_14_days_and_14_for_each_multiple(
    days: int, multiples: int, over: bool
) -> None:
    assert over == overtime(led(days=days, multiples=multiples))


# P20.2.5 overtime


def late(
    points: int = 9, units: Mapping[str, Mapping[str, Any]] | None = None, bid: int = 4, **more: Any
) -> Table:
    """Return C1 in an Operation of the Allies that lasts too long, its bid spent."""
    operation = led(bid, **{"spent": bid, "ap": 12, "level": 2, "days": 15} | more)
    return laid_out(operation=operation, points={SOPAC: points, SWPA: 20, SEA: 5}, units=units or {})


LAND = ("us_147", "us_cb2", "us_americal", "us_2mar", "us_raider", "us_3db", "us_37div", "us_1mardiv")


def out(*units: str) -> dict[str, dict[str, Any]]:
    """Return units as Activated."""
    return {unit: {"active": True} for unit in units}


@pytest.mark.parametrize(("count", "due"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2)])
def test_p20_2_5_overtime_is_a_point_for_4_activated_units_rounded_up(count: int, due: int) -> None:
    table = late(units=out(*LAND[:count]))

    assert due == owed(table.state.own[ALLIES], lead(table))


def test_p20_2_5_ships_air_and_ground_units_count_alike() -> None:
    table = late(units=out("us_147", "us_1e_67fs", "us_4e_11bg"))
    afloat(table, "A1", "6040", "dd_us1", "dd_us2")

    assert 2 == owed(table.state.own[ALLIES], lead(table))


def test_p20_2_5_r_91_carrier_groups_and_troops_aboard_count_nothing() -> None:
    table = late(units=out("us_147", "us_cb2") | {"us_2mar": {"active": True}})
    afloat(table, "A1", "6545", core=["cv_saratoga", "aa_us1"])
    table = on(table, Activation(side=ALLIES, kind="joint"))
    assert 2 == owed(table.state.own[ALLIES], lead(table))
    take(table, ALLIES, d.Embark("us_2mar"))
    take(table, ALLIES, d.Aboard("aa_us1"))

    assert 1 == owed(table.state.own[ALLIES], lead(table))  # two ships, two units ashore


def test_p20_2_5_done_pays_from_the_operation_headquarters_whatever_the_bid() -> None:
    table = on(late(units=out(*LAND[:5])), Deactivation(side=ALLIES))
    assert "to be done costs 2 Command Points of [hq_sopac]" in table.prompts[ALLIES].text
    facts = take(table, ALLIES, d.Done())

    assert {SOPAC: 7, SWPA: 20} == means(table, ALLIES).points
    assert 4 == lead(table).spent
    assert [] == told(facts, OperationIs)
    sound(table)


def test_p20_2_5_not_before_the_time_is_up() -> None:
    table = on(late(units=out(*LAND[:5]), days=14), Deactivation(side=ALLIES))
    take(table, ALLIES, d.Done())

    assert 9 == means(table, ALLIES).points[SOPAC]


def test_p20_2_5_or_units_are_deactivated_until_he_can_pay() -> None:
    table = on(late(points=1, units=out(*LAND[:5])), Deactivation(side=ALLIES))
    assert d.Done() not in options(table, ALLIES)
    take(table, ALLIES, d.Deactivate("us_147"))
    assert d.Done() in options(table, ALLIES)
    take(table, ALLIES, d.Done())

    assert {SWPA: 20} == means(table, ALLIES).points
    assert 4 == sum(unit.active for unit in table.state.own[ALLIES].ground.values())


def test_p20_2_5_the_reaction_player_pays_no_overtime() -> None:
    table = on(late(units=out("jp_41reg", "jp_kure5")), Deactivation(side=JAPAN))
    take(table, JAPAN, d.Done())

    assert {SEA: 5} == means(table, JAPAN).points


def test_p20_2_5_p0_4_2_how_many_units_pay_is_not_to_be_counted() -> None:
    counts = set()
    for units, days in ((LAND[:5], 15), (LAND[:1], 15), (LAND[:5], 14)):
        table = on(late(units=out(*units), days=days), Deactivation(side=ALLIES))
        counts.add(sealed_facts(take(table, ALLIES, d.Done())))

    assert 1 == len(counts)


# P20.3


@pytest.mark.parametrize(("units", "number"), [(TEN, 1), ((*TEN, "us_2mar"), 2)])
def test_p20_3_the_level_is_public_and_goes_by_the_points_of_5_1_p(
    units: tuple[str, ...], number: int
) -> None:
    table = rich()
    activate(table, ALLIES, *units)
    facts = take(table, ALLIES, d.Done())

    assert number == lead(table).level == level(lead(table).ap)
    assert f"Operation of Level {number}" in seen(facts, Audience.ONLOOKERS)[0].words()


def test_p20_3_points_of_the_joint_phase_do_not_raise_it() -> None:
    table = rich()
    activate(table, ALLIES, *TEN)
    take(table, ALLIES, d.Done())
    table = on(table, Activation(side=ALLIES, kind="joint"))
    activate(table, ALLIES, "us_1mardiv")
    take(table, ALLIES, d.Done())

    assert (13, 1) == (lead(table).ap, lead(table).level)


# P22.1 the reaction


@pytest.mark.parametrize(
    ("condition", "ap", "limit"),
    [
        ("S", 8, 3),
        ("S", 15, 3),
        ("S", 16, 4),
        ("S", 40, 10),
        ("I", 4, 6),
        ("I", 9, 6),
        ("I", 10, 7),
        ("I", 12, 9),
        ("A", 1, 1),
        ("A", 12, 18),
        ("A", 13, 19),
    ],
)
def test_p22_1_the_limit_in_5_1_s(condition: Condition, ap: int, limit: int) -> None:
    assert limit == reaction_limit(led(ap=ap), condition)


@pytest.mark.parametrize(
    ("condition", "moved", "hexes"),
    [
        ("S", 30, 0),
        ("I", 6, 3),
        ("I", 15, 7),
        ("I", 18, 9),
        ("I", 30, 9),
        ("A", 0, 3),
        ("A", 15, 18),
        ("A", 30, 18),
    ],
)
def test_p22_1_r_15_the_hexes_in_5_1_t(condition: Condition, moved: int, hexes: int) -> None:
    assert hexes == reaction_hexes(led(moved=moved, condition=condition))


def reacting(operation: Operation, *, kind: str = "reaction", condition: str = "S", **changes: Any) -> Table:
    """Return a table at the activation of Japan."""
    known = {"condition": condition} | changes.pop("mine", {})
    points = changes.pop("points", {SEA: 30, CF: 30})
    return activating(side=JAPAN, kind=kind, lead=operation, means={JAPAN: known}, points=points, **changes)


def test_p22_1_no_more_than_the_limit_is_activated() -> None:
    """Given Surprise Attack against 8 AP: 3 AP, and heavy units that do not fit."""
    table = reacting(led(ap=8, level=2))
    take(table, JAPAN, c.PayFrom(SEA))
    activate(table, JAPAN, "jp_41reg", "jp_kure5")
    assert "jp_ssd" in activatable(table, JAPAN)
    activate(table, JAPAN, "jp_ssd")
    assert set() == activatable(table, JAPAN)
    take(table, JAPAN, d.Done())

    assert 3 == lead(table).answered


def test_p22_1_the_cost_of_a_headquarters_is_outside_the_limit_but_not_outside_its_points() -> None:
    """Given 10 AP used before: 1 more costs 4 points, of a limit of 3 AP."""
    used = {"used": {SEA: 10}}
    for points, may in ((4, True), (3, False)):
        table = reacting(led(ap=8, level=2), mine=used, points={SEA: points, CF: 1})
        if not may:
            assert c.PayFrom(SEA) not in options(table, JAPAN)
            continue
        take(table, JAPAN, c.PayFrom(SEA))
        activate(table, JAPAN, "jp_41reg")
        assert {CF: 1} == means(table, JAPAN).points
        take(table, JAPAN, d.Done())
        assert 1 == lead(table).answered


@pytest.mark.parametrize(("number", "others"), [(1, []), (2, []), (3, [CF])])
def test_p22_1_one_headquarters_at_levels_1_and_2_two_at_3(number: int, others: list[str]) -> None:
    table = reacting(led(ap=20, level=number), condition="A", mine={"near": ()}, units=near_rabaul())
    take(table, JAPAN, c.PayFrom(SEA))
    activate(table, JAPAN, "jp_41reg")

    assert others == [one.hq for one in offered(table, JAPAN, c.PayFrom)]  # type: ignore[attr-defined]


def near_rabaul() -> dict[str, dict[str, Any]]:
    """Return an Activated Allied unit in reach of Rabaul and Truk."""
    return {"us_147": {"active": True, "hex": "4834"}}


@pytest.mark.parametrize(("number", "asked"), [(1, [SEA]), (2, [SEA]), (3, [CF, SEA])])
def test_p20_4_p22_1_the_number_of_headquarters_holds_in_5_2_m(number: int, asked: list[str]) -> None:
    table = reacting(led(ap=20, level=number, answered=2), kind="joint", mine={"used": {SEA: 2}})

    assert asked == [one.hq for one in offered(table, JAPAN, c.PayFrom)]  # type: ignore[attr-defined]


def test_p20_4_p22_1_a_third_headquarters_is_none_even_at_level_3() -> None:
    table = reacting(led(ap=20, level=3), kind="joint", mine={"used": {SEA: 2, "hq_south": 1}})

    assert [SEA] == [one.hq for one in offered(table, JAPAN, c.PayFrom)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("where", "active", "near"),
    [("4837", True, True), ("5837", True, True), ("5937", True, False), ("4837", False, False)],
)
def test_p22_1_at_level_1_only_units_within_10_hexes_of_what_is_activated(
    where: str, active: bool, near: bool
) -> None:
    """Given an Allied unit at a distance of Rabaul."""
    table = reacting(led(ap=8, level=1), units={"us_147": {"active": active, "hex": where}})

    assert near == ("jp_41reg" in means(table, JAPAN).near)
    if c.PayFrom(SEA) in options(table, JAPAN):
        take(table, JAPAN, c.PayFrom(SEA))
    assert near == ("jp_41reg" in activatable(table, JAPAN))


def test_p22_1_of_task_forces_and_air_units_too() -> None:
    table = laid_out(operation=led(ap=8, level=1))
    afloat(table, "A1", "5837", "dd_us1")
    assert "jp_41reg" in means(on(table, Activation(side=JAPAN, kind="reaction")), JAPAN).near

    table = reacting(led(ap=8, level=1), units={"us_1e_35fg": {"active": True}})
    assert "jp_41reg" in means(table, JAPAN).near


def test_p22_1_p11_6_1_what_is_in_reach_is_told_to_the_owner_alone() -> None:
    facts = reacting(led(ap=8, level=1)).facts

    near = [fact for fact in told(facts, MeansAre) if fact.near is not None]
    assert [Audience.SIDE_0] == [fact.audience() for fact in near]


def test_p22_1_p20_4_r_37_the_reach_does_not_hold_in_5_2_m_nor_at_level_2() -> None:
    for operation, kind in ((led(ap=8, level=1), "joint"), (led(ap=8, level=2), "reaction")):
        table = reacting(operation, kind=kind)
        take(table, JAPAN, c.PayFrom(SEA))
        assert "jp_41reg" in activatable(table, JAPAN)


# P20.4


@pytest.mark.parametrize(("ap", "answered", "left"), [(12, 9, 9), (13, 0, 19), (8, 12, 0)])
def test_p20_4_r_37_the_reaction_player_has_one_and_a_half_times_all_points_in_all(
    ap: int, answered: int, left: int
) -> None:
    operation = led(ap=ap, answered=answered, level=2, condition="S")

    assert left == joint_limit(operation) - answered
    table = reacting(operation, kind="joint")
    assert bool(left) == bool(table.prompts)


@pytest.mark.parametrize(("bid", "may"), [(16, False), (18, False), (19, True)])
def test_p20_4_the_operation_player_has_his_bid_less_what_is_spent(bid: int, may: bool) -> None:
    """Given 16 spent, a division of 3, regiments of 1."""
    table = activating(kind="joint", lead=led(bid, ap=12, spent=16, level=2))

    assert may == ("us_1mardiv" in activatable(table, ALLIES))
    assert (bid > 16) == ("us_2mar" in activatable(table, ALLIES))


# forfeit


def forfeiting(*dice: int, day: int = 8, osb: str = "", **changes: Any) -> Table:
    """Return a table at the activation of Japan after a bid of 5."""
    bases = {osb: {"osb": True}} if osb else {}
    table = laid_out(operation=led(5, JAPAN, SEA, osb=osb), day=day, bases=bases, **changes)
    return on(table, Campaign(scenario="C1", at="operate"), *dice)


def test_p20_2_2_r_57_r_4_r_92_a_bid_is_forfeited_a_day_passes_and_new_bids_follow() -> None:
    table = forfeiting()
    facts = take(table, JAPAN, c.Forfeit())

    assert {CF: 20, SEA: 17} == means(table, JAPAN).points
    assert [DayIs(9, "since nothing was activated")] == told(facts, DayIs)
    assert {"BidFrom", "NoBid"} == kinds(table, JAPAN) == kinds(table, ALLIES)
    assert table.state.open.war.operation is None
    assert [] == told(facts, InitiativeIs)
    sound(table)


def test_p20_2_2_r_4_also_who_can_activate_nothing() -> None:
    """Given Japan without a unit that the Southeast Area could activate."""
    lost: dict[str, dict[str, Any]] = {
        unit: GONE for unit, one in laid_out().state.own[JAPAN].ground.items() if one.hex
    }
    lost |= {unit: {"home": "", "steps": 0} for unit in laid_out().state.own[JAPAN].air}
    lost |= {ship: {"port": ""} for ship in laid_out().state.own[JAPAN].ships}
    table = forfeiting(units=lost)

    assert {CF: 20, SEA: 17} == means(table, JAPAN).points
    assert {"BidFrom", "NoBid"} == kinds(table, JAPAN)


def test_p20_2_2_r_68_the_free_support_base_of_this_bid_is_taken_back() -> None:
    table = forfeiting(osb="buna")
    take(table, JAPAN, c.Forfeit())

    assert not table.state.open.bases["buna"].osb
    assert table.state.open.bases["shortland"].osb  # that of another


def test_p20_2_2_r_92_all_of_a_headquarters_may_go() -> None:
    table = forfeiting(points={SEA: 5, SOPAC: 3})
    take(table, JAPAN, c.Forfeit())

    assert {} == means(table, JAPAN).points
    assert [c.NoBid()] == options(table, JAPAN)


def test_p20_2_2_r_4_p5_4_1_d_if_the_day_enters_month_begin_the_month_ends() -> None:
    table = forfeiting(5, 5, day=30, month="1942-08")  # for the Strategic Intelligence of September
    facts = take(table, JAPAN, c.Forfeit())

    assert [DayIs(0, "since nothing was activated")] == told(facts, DayIs)
    assert [MonthIs("1942-09")] == told(facts, MonthIs)


def test_p20_2_2_what_was_taken_back_before_costs_the_bid_alone() -> None:
    table = forfeiting()
    activate(table, JAPAN, "jp_41reg", "dd_jp29")
    take(table, JAPAN, c.UndoActivation("jp_41reg"))
    take(table, JAPAN, c.UndoActivation("dd_jp29"))
    take(table, JAPAN, c.Forfeit())

    assert {CF: 20, SEA: 17} == means(table, JAPAN).points
    sound(table)


def test_p18_4_unspent_points_stay_with_the_headquarters_r_1() -> None:
    table = forfeiting(4)
    activate(table, JAPAN, "jp_41reg")
    take(table, JAPAN, d.Done())

    assert {CF: 20, SEA: 21} == means(table, JAPAN).points
    assert (5, 1) == (lead(table).bid, lead(table).spent)


# C1.2 the first Operation


def first(*dice: int, **changes: Any) -> Table:
    """Return a table at the first activation of C1."""
    table = determine(*dice, first=True, **changes)
    take(table, ALLIES, d.Decline())
    return table


def test_c1_2_p1_3_one_headquarters_is_named_and_all_its_points_are_the_limit() -> None:
    table = first(points={SOPAC: 5, SWPA: 4, SEA: 9})
    assert [c.PayFrom(SOPAC), c.PayFrom(SWPA), c.Forfeit()] == options(table, ALLIES)
    take(table, ALLIES, c.PayFrom(SOPAC))
    assert [] == offered(table, ALLIES, c.PayFrom)
    activate(table, ALLIES, "cv_saratoga", "us_2mar", "us_raider")

    assert set() == activatable(table, ALLIES)
    assert {SWPA: 4} == means(table, ALLIES).points
    take(table, ALLIES, d.Done())
    assert (SOPAC, 5, 5) == (lead(table).hq, lead(table).ap, lead(table).spent)
    sound(table)


def test_c1_2_p0_4_2_what_the_headquarters_has_is_not_told() -> None:
    """Given any points of the headquarters that pays, what the others are told is alike."""
    streams = []
    for points in (14, 30):
        table = first(points={SOPAC: points, SEA: 9})
        facts = take(table, ALLIES, c.PayFrom(SOPAC))
        facts += activate(table, ALLIES, "us_2mar")
        facts += take(table, ALLIES, d.Done())
        streams.append((seen(facts, Audience.SIDE_0), seen(facts, Audience.ONLOOKERS)))

    assert streams[0] == streams[1]


def test_c1_2_p20_4_in_5_2_m_it_goes_on_with_what_is_left() -> None:
    table = activating(kind="joint", lead=led(0, ap=12, spent=16, level=2), points={SOPAC: 3, SWPA: 9})

    assert "us_1mardiv" in activatable(table, ALLIES)
    assert [] == offered(table, ALLIES, c.PayFrom)


def test_c1_2_the_condition_is_surprise_attack_without_a_die() -> None:
    table = first()
    take(table, ALLIES, c.PayFrom(SOPAC))
    activate(table, ALLIES, "us_2mar")
    facts = take(table, ALLIES, d.Done())

    assert [] == told(facts, RolledUnseen)
    assert "S" == lead(table).condition == means(table, JAPAN).condition
    assert "5.1.R" == table.state.open.phase


def test_c1_2_r_4_forfeited_it_costs_no_points_and_the_next_is_bid_for() -> None:
    table = first()
    take(table, ALLIES, c.Forfeit())

    assert {SOPAC: 30, SWPA: 20} == means(table, ALLIES).points
    assert {JAPAN, ALLIES} == table.prompts.keys()


# P38.2


def test_p38_2_bid_and_activation() -> None:
    """C1, September 1942: the bids are equal, the Allies lead, spend 16, and Japan learns I."""
    table = determine(
        4,
        points={SEA: 22, SOPAC: 30},
        month="1942-09",
        day=8,
        initiative=-1,
        bases={"guadalcanal": {"control": ALLIES}},
        units=LANDED,
        means={JAPAN: {"level": 1}},
    )
    # 1 Bids.
    bid(table, JAPAN, SEA, 18)
    facts = bid(table, ALLIES, SOPAC, 18)
    assert [BidsOpened((SEA, SOPAC), (18, 18))] == told(facts, BidsOpened)
    assert (ALLIES, SOPAC, 18) == (lead(table).player, lead(table).hq, lead(table).bid)
    assert {SEA: 22} == means(table, JAPAN).points
    # 2 Free base.
    take(table, ALLIES, c.PlaceOSB("guadalcanal"))
    assert table.state.open.bases["guadalcanal"].osb
    # 3 Activation.
    for units, points in (
        (["cv_saratoga"], 27),
        (["ca_us1"], 26),
        (["dd_us1", "dd_us2"], 24),
        (["aa_us1"], 23),
        (["us_2mar"], 22),
        (["us_1e_67fs"], 21),
        (["us_4e_11bg"], 21 - 2 - 4),
        (["cw_2e_nz"], 14),
    ):
        activate(table, ALLIES, *units)
        assert points == means(table, ALLIES).points[SOPAC]
    take(table, ALLIES, c.TimeMultiple(0))
    operation = lead(table)
    assert (12, 16, 0, 2) == (operation.ap, operation.spent, operation.multiples, operation.level)
    assert {SOPAC: 14} == means(table, ALLIES).points
    assert 2 == operation.bid - operation.spent
    # 4 Operational intelligence.
    assert 0 == dice_left(table)
    assert ("I", "") == (means(table, JAPAN).condition, operation.condition)
    # 6 Reaction, after two days of contact.
    assert (9, 18) == (reaction_limit(operation, "I"), joint_limit(operation))
    assert 3 == reaction_hexes(led(moved=6, condition="I"))
    sound(table)
    joint = on(table, Activation(side=ALLIES, kind="joint"))
    assert not {"us_1mardiv", "us_37div"} & activatable(joint, ALLIES)
    assert {"us_4e_43bg", "us_raider"} <= activatable(joint, ALLIES)


def test_p5_4_2_r_17_a_claimed_operation_is_activated_like_any_other() -> None:
    table = at(Claim(side=JAPAN), day=0)
    take(table, JAPAN, c.ClaimOperation(yes=True))
    take(table, JAPAN, c.BidFrom(SEA))
    take(table, JAPAN, c.Bid(3))
    take(table, JAPAN, d.Decline())
    table = on(table, OperationUnderWay())

    assert [] == offered(table, JAPAN, c.PayFrom)
    assert "jp_41reg" in activatable(table, JAPAN)
    assert [] == told(table.facts, OperationIs)


# P0.8


def test_p0_8_whose_time_is_up_forfeits_or_is_done_without_more_time() -> None:
    table = forfeiting()
    assert c.Forfeit() == default(table.state, JAPAN, table.prompts[JAPAN])
    take(table, JAPAN, c.Activate("dd_jp29"))
    take(table, JAPAN, c.Activate("ca_chokai_maya"))
    assert c.AssignToTF("J1", "screen") == default(table.state, JAPAN, table.prompts[JAPAN])
    take(table, JAPAN, c.FormTF("screen"))

    assert d.Done() == default(table.state, JAPAN, table.prompts[JAPAN])


# P20.5, R-25, R-46


def test_p20_5_p5_3_1_the_operation_ends_when_nobody_is_activated_any_more() -> None:
    """Given a last unit of either side; with the last one that is deactivated nobody may activate more."""
    table = laid_out(operation=led(30, ap=12, level=2, condition="A"), units=out("us_147"))
    table = on(table, Joint(side=ALLIES))
    take(table, ALLIES, d.Deactivate("us_147"))
    if ALLIES in table.prompts:
        take(table, ALLIES, d.Done())

    assert {} == table.prompts


def test_p20_4_r_46_after_a_month_end_new_points_pay_up_to_the_same_limit() -> None:
    """Given a bid of 18 of which 16 are spent, no points left, and 9 new ones."""
    table = laid_out(operation=led(ap=12, spent=16, level=2, suspended=True), points={SWPA: 5})
    for suspended in (True, False):
        suspend(table, suspended=suspended)
    assert set() == activatable(on(table, Activation(side=ALLIES, kind="joint")), ALLIES)
    table.record(MeansAre(ALLIES, points={SOPAC: 9}, used={SOPAC: 12}, charged=(SOPAC,)))
    table = on(table, Activation(side=ALLIES, kind="joint"))
    activate(table, ALLIES, "us_2mar", "us_raider")

    assert set() == activatable(table, ALLIES)
    assert 7 == means(table, ALLIES).points[SOPAC]


def test_p18_4_r_36_an_operation_may_begin_on_day_30() -> None:
    table = determine(day=30)
    bid(table, JAPAN, SEA, 5)
    take(table, ALLIES, c.NoBid())
    take(table, JAPAN, d.Decline())

    assert "jp_41reg" in activatable(table, JAPAN)
    assert (30, JAPAN) == (table.state.open.war.day, lead(table).player)
