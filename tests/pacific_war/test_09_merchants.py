"""P9.3 Merchant shipping attrition: the worked example, and every shift."""

from typing import Any

import pytest

from domain.kernel.facts import Rolled, RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.homefront.merchants import (
    MOST_MSP,
    REGIONS,
    START_MSP,
    Toll,
    Trade,
    attrition,
    banded,
    grown,
    interdicted,
    marine_losses,
    merchant_shifts,
    regions,
    share_escort_losses,
)
from domain.pacific_war.months.command_points import japan
from domain.pacific_war.months.intelligence_level import level
from tests.pacific_war.board import dice_left, rolls, told
from tests.pacific_war.months import ALLIES, JAPAN, campaign, station

MERCHANTS, ESCORTS = "attack on merchants", "attack on escorts"
MARINE, ANSWER = "marine losses", "anti-submarine warfare"


def sea(*dice: int, month: str = "1943-06") -> Table:
    """Return a table in a month where these faces will fall."""
    table = campaign(*dice, month=month)
    table.facts = []
    return table


# the worked example


def test_p38_1_p9_3_merchant_attrition_in_june_1943() -> None:
    """Given P38.1, then level 3, 1 merchant in column 4, 1 at sea, 1 submarine point in column 1."""
    table = sea(3, 1, 0)
    assert 3 == level(ALLIES, "1943-06", 2)
    toll = attrition(table, Trade(msp=56, boats=12, markers=4, level=3))

    assert Toll(merchants=1, escorts=0, marine=1, boats=1) == toll
    assert [(MERCHANTS, "column 4", -2), (MARINE, "", 0), (ANSWER, "column 1", -4)] == rolls(table.facts)
    assert (54, 11) == (56 - toll.merchants - toll.marine, 12 - toll.boats)
    assert 81 == japan("1943-07", 54, 12, 20)
    assert 0 == dice_left(table)


def test_p38_1_p9_3_its_variant_with_priority_on_escorts() -> None:
    """Given the variant, then column 3 is halved up to 1, escorts none, and column 2 takes 2 points."""
    table = sea(3, 6, 1, 0)
    toll = attrition(table, Trade(msp=56, boats=12, markers=4, level=3, priority="escorts"))

    assert Toll(merchants=1, escorts=0, marine=1, boats=2) == toll
    assert [
        (MERCHANTS, "column 3", -3),
        (ESCORTS, "no column", -6),
        (MARINE, "", 0),
        (ANSWER, "column 2", -3),
    ] == rolls(table.facts)
    assert (54, 10) == (56 - toll.merchants - toll.marine, 12 - toll.boats)
    assert 0 == dice_left(table)


# dice


def test_p9_3_p0_2_2_the_first_die_is_unseen_and_the_others_are_open() -> None:
    table = sea(9, 9, 9, 9)
    attrition(table, Trade(56, 12, 4, priority="escorts"))

    assert [(MERCHANTS, ALLIES)] == [(one.purpose, one.by) for one in told(table.facts, RolledUnseen)]
    assert [(ESCORTS, ALLIES), (MARINE, -1), (ANSWER, JAPAN)] == [
        (one.purpose, one.by) for one in told(table.facts, Rolled)
    ]


def test_p9_3_p3_1_without_boats_one_die_falls_whatever_is_interdicted() -> None:
    table = sea(0)

    assert Toll(marine=1) == attrition(table, Trade(56, 0, 4, regions=4, priority="escorts"))
    assert [(MARINE, "", 0)] == rolls(table.facts)


def test_p9_3_regions_add_to_the_strength_against_merchants_alone() -> None:
    """Given 9 boats and a region, then 10 against merchants, column 6; against escorts 9, column 5."""
    table = sea(9, 9, 9, 9, month="1944-01")
    attrition(table, Trade(60, 9, 0, level=2, regions=1, priority="escorts"))

    assert ["column 5", "column 1"] == [target for _, target, _ in rolls(table.facts)][:2]  # 6 - 1, 5 - 4


def test_p9_3_no_more_is_lost_than_there_is() -> None:
    """Given the last 2 merchants and 1 escort against 61 boats, or 1 boat against 61, no more is lost."""
    table = sea(0, 0, 0, 0, month="1944-01")
    toll = attrition(table, Trade(2, 61, 1, level=3, priority="escorts"))
    assert (2, 1, 0) == (toll.merchants, toll.escorts, toll.marine)

    table = sea(9, 9, 0)

    assert Toll(boats=1) == attrition(table, Trade(60, 1, 56))


def test_p9_3_priority_on_escorts_halves_what_merchants_lose_rounded_up() -> None:
    """Given column 6 - 1 with face 1, 3 hits, then 2 merchants; with face 5, 1 hit, then 1."""
    for face, lost in ((1, 2), (5, 1), (9, 0)):
        table = sea(face, 9, 9, 9, month="1944-01")
        assert lost == attrition(table, Trade(60, 12, 0, level=2, priority="escorts")).merchants


# shifts


@pytest.mark.parametrize(
    ("trade", "month", "shifts"),
    [
        (Trade(60, 1, 0, level=0), "1942-01", (-2, -2, 0, 0, 0)),
        (Trade(60, 1, 0, level=1), "1942-01", (-1, -2, 0, 0, 0)),
        (Trade(60, 1, 3, level=2), "1943-08", (0, -2, 0, 0, 0)),
        (Trade(35, 1, 4, level=3), "1943-09", (1, -1, -1, 0, 0)),
        (Trade(34, 1, 6, ("dd_jp2", "dd_jp4"), 3), "1944-01", (1, 0, -1, -1, 0)),
        (Trade(24, 1, 7, ("dd_jp2", "dd_jp4"), 3), "1944-01", (1, 0, -2, -2, 0)),
        (Trade(14, 1, 15, (), 3, 0, "escorts"), "1944-01", (1, 0, -3, -3, -1)),
    ],
)
def test_p9_3_the_shifts_on_merchants(trade: Trade, month: str, shifts: tuple[int, ...]) -> None:
    table = sea(month=month)

    assert shifts == tuple(amount for _, amount in merchant_shifts(table.open, trade))


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("escort_shift", {0: 0, 3: 0, 4: -1, 8: -1, 9: -2, 14: -2, 15: -3, 60: -3}),
        ("scarcity_shift", {0: -3, 14: -3, 15: -2, 24: -2, 25: -1, 34: -1, 35: 0, 65: 0}),
    ],
)
def test_p9_3_escorts_and_scarcity_by_bands(name: str, steps: dict[int, int]) -> None:
    assert steps == {value: banded(name, value) for value in steps}


@pytest.mark.parametrize(
    ("month", "first", "shift"),
    [
        ("1942-01", False, -4),
        ("1943-12", False, -4),
        ("1944-01", False, -5),
        ("1945-01", False, -6),
        ("1943-12", True, -3),
        ("1945-09", True, -5),
    ],
)
def test_p9_3_the_answer_of_the_escorts_by_date(month: str, first: bool, shift: int) -> None:
    """Given 4 + 2 on duty, then strength 11, column 6."""
    table = sea(9, *[9] * first, 9, 9, month=month)
    trade = Trade(60, 5, 4, ("dd_jp2", "dd_jp4"), priority="escorts" if first else "merchants")
    attrition(table, trade)

    at = 6 + shift
    assert (ANSWER, f"column {at}" if at > 0 else "no column", shift) == rolls(table.facts)[-1]


@pytest.mark.parametrize(("month", "shift"), [("1943-08", -6), ("1943-09", -5), ("1944-01", -4)])
def test_p9_3_torpedoes_of_the_time_against_escorts(month: str, shift: int) -> None:
    table = sea(9, 9, 9, 9, month=month)
    attrition(table, Trade(60, 5, 4, priority="escorts"))

    assert shift == rolls(table.facts)[1][2]


@pytest.mark.parametrize(
    ("month", "row"),
    [
        ("1941-12", (1, 1, 1, 0, 0, 0, 0, 0, 0, 0)),
        ("1943-12", (1, 1, 1, 0, 0, 0, 0, 0, 0, 0)),
        ("1944-01", (2, 2, 1, 1, 1, 1, 1, 1, 0, 0)),
        ("1945-09", (1, 1, 1, 1, 1, 1, 1, 0, 0, 0)),
    ],
)
def test_p9_3_marine_losses_by_year(month: str, row: tuple[int, ...]) -> None:
    assert row == tuple(marine_losses(month, face) for face in range(10))


# what is lost, what interdicts, what is added


@pytest.mark.parametrize(
    ("lost", "taken"),
    [
        (2, (2, {})),
        (3, (3, {})),
        (5, (3, {"dd_jp2": 2})),
        (6, (3, {"dd_jp2": 2, "dd_jp4": 1})),
        (9, (3, {"dd_jp2": 2, "dd_jp4": 3})),
    ],
)
def test_p9_3_r_35_markers_go_first_then_hits_by_the_lowest_id(lost: int, taken: Any) -> None:
    """Given 3 markers and two destroyers with 2 and 3 hits left, then as named; no more than they have."""
    found = share_escort_losses(3, {"dd_jp4": 3, "dd_jp2": 2}, lost)

    assert taken == found


def test_p9_3_r_82_escorts_are_those_on_duty_at_the_beginning() -> None:
    """Given 1 marker that is sunk, then the answer still counts it: 1 + 5, column 4."""
    table = sea(9, 0, 9, 9, month="1944-01")
    toll = attrition(table, Trade(60, 12, 1, priority="escorts"))

    assert 1 == toll.escorts
    assert (ANSWER, "no column", -4) == rolls(table.facts)[-1]


def test_p9_3_a_choke_region_counts_once_by_any_of_its_bases() -> None:
    assert {"luzon_strait", "formosa", "east_china_sea", "bonins"} == {*REGIONS}
    assert 0 == regions({"saipan"})
    assert 1 == regions({"manila", "lingayen", "saipan"})
    assert 4 == regions({places[-1] for places in REGIONS.values()})


@pytest.mark.parametrize(
    ("unit", "base", "found"),
    [
        ("us_4e_43bg", {}, 1),
        ("us_2e_3bg", {}, 1),
        ("us_lra_sopac", {}, 1),
        ("us_1e_49fg", {}, 0),
        ("us_4e_43bg", {"airbase_damage": 2}, 0),
        ("us_4e_43bg", {"control": JAPAN}, 0),
    ],
)
def test_p9_3_an_allied_linked_airbase_with_bombers_interdicts(
    unit: str, base: dict[str, int], found: int
) -> None:
    """Given Okinawa taken, a headquarters there, and a unit, then it counts by kind, damage and holder."""
    given = {"control": ALLIES, "airbase": 2} | base
    table = campaign(bases={"okinawa": given}, posts={"hq_sopac": Post("okinawa")})
    station(table, {unit: {"home": "okinawa"}})
    assert 0 == interdicted(table.open, table.own[ALLIES])  # not Linked by what was told
    tell_links(table, ALLIES)

    assert found == interdicted(table.open, table.own[ALLIES])


@pytest.mark.parametrize(
    ("msp", "month", "resources", "left"),
    [
        (50, "1942-03", 0, 53),
        (50, "1942-06", 3, 51),
        (50, "1944-03", 4, 52),
        (50, "1944-03", 3, 51),
        (50, "1942-09", 3, 50),
        (64, "1942-03", 15, 65),
        (50, "1945-07", 15, 50),
    ],
)
def test_p9_4_p14_3_merchants_are_added_up_to_65_and_halved_without_resources(
    msp: int, month: str, resources: int, left: int
) -> None:
    assert left == grown(msp, month, resources)
    assert (65, {"1941-12": 60, "1944-01": 49}) == (MOST_MSP, START_MSP)
