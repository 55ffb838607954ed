"""P4 Time: the Day Track, the Month Track."""

import pytest

from domain.pacific_war.board.campaigns import CAMPAIGNS, MONTH_BEGIN, SPACES, month_after, months
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import Continue, EndDay, NoBid
from domain.pacific_war.facts.months import war
from tests.pacific_war.days import (
    ALLIES,
    JAPAN,
    OPEN_SEA,
    act,
    days,
    means,
    operation,
    outset,
    play,
    sail,
    within,
)


def test_p4_1_r_14_the_day_track_is_a_ring_of_31_spaces() -> None:
    assert (0, 31) == (MONTH_BEGIN, SPACES)


@pytest.mark.parametrize("day", range(31))
def test_p4_1_a_day_of_contact_advances_the_marker_by_one_space(day: int) -> None:
    table = outset(day=day)
    operation(table)
    means(table, JAPAN, condition="I")
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"], ["ca_us1", "dd_us1"])
    facts = act(within(table, "contact"), ALLIES, EndDay())

    assert [(day + 1) % 31] == days(facts)


def test_p4_1_r_14_all_months_are_alike() -> None:
    """Given days of contact from Month Begin on, then 31 of them come round to it, in any month."""
    for month in ("1942-08", "1942-09"):
        table = outset(month=month, day=0)
        operation(table)
        means(table, JAPAN, condition="I")
        sail(table, "A1", OPEN_SEA, ["cv_saratoga"], ["ca_us1", "dd_us1"])
        passed = []
        for _ in range(4):
            table = within(table, "contact")
            for n in range(10):
                passed += days(act(table, ALLIES, EndDay()))
                act(table, JAPAN, d.Pass())
                if n < 9:
                    act(table, ALLIES, Continue())
        assert [*range(1, 31), *range(10)] == passed


def test_p4_2_the_months_of_c1() -> None:
    assert ("1942-08", "1942-09", "1942-10", "1942-11", "1942-12") == months("C1")


def test_p4_2_december_is_followed_by_january() -> None:
    assert ("1943-01", "1943-11", "1945-09") == (
        month_after("1942-12"),
        month_after("1942-12", 11),
        month_after("1941-12", 45),
    )


def test_p4_3_c1_begins_in_august_on_month_begin() -> None:
    table = outset(month=CAMPAIGNS["C1"].start_month, day=0, begun=0)

    assert ("1942-08", 0) == (war(table.state.open).month, war(table.state.open).day)


def test_p4_3_nobody_bids_and_the_marker_stands_on_month_begin() -> None:
    table = play(outset(day=17), Campaign(scenario="C1", at="determine"))
    act(table, JAPAN, NoBid())
    act(table, ALLIES, NoBid())

    assert ("1942-10", 0) == (war(table.state.open).month, war(table.state.open).day)
