"""P33.3, P33.4 Collapse, surrender and automatic victory of the strategic scenarios."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.facts import Rolled
from domain.pacific_war.board.charts import LOCATIONS, TABLES
from domain.pacific_war.board.table import Ship
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.homefront.collapse import (
    BASTION,
    CAPITALS,
    FEW_BATTLESHIPS,
    HOMELAND,
    OUTPOSTS,
    Standing,
    automatic,
    can_bomb,
    fleet,
    level_of_surrender,
    level_without,
    points,
    surrenders,
)
from tests.pacific_war.board import dice_left, told
from tests.pacific_war.months import ALLIES, JAPAN, campaign

FIRM = Standing(hrl=20, msp=41, allied=frozenset(), carriers=3, battleships=4)
"""Japan as it stands with no collapse point."""


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ({}, 0),
        ({"hrl": 17}, 0),
        ({"hrl": 16}, 1),
        ({"hrl": 0}, 5),
        ({"msp": 40}, 1),
        ({"msp": 30}, 2),
        ({"msp": 31}, 1),
        ({"msp": 20}, 3),
        ({"msp": 10}, 4),
        ({"carriers": 2}, 1),
        ({"battleships": 3}, 1),
        ({"bombs": True}, 0),
    ],
)
def test_p33_4_resources_shipping_and_the_fleet(change: dict[str, Any], more: int) -> None:
    assert more == points("1945-07", replace(FIRM, **change))


@pytest.mark.parametrize(
    ("places", "more"),
    [
        ("saipan", 1),
        ("iwo_jima", 1),
        ("okinawa", 2),
        ("manila", 1),
        ("singapore", 1),
        ("takao", 1),
        ("rangoon", 1),
        ("palembang", 0),
        ("balikpapan", 0),
        ("palembang balikpapan", 1),
        ("kure", 4),
        ("kure sasebo", 8),
        ("truk guam", 0),
        ("saipan okinawa tokyo", 7),
    ],
)
def test_p33_4_allied_control_of_locations(places: str, more: int) -> None:
    assert more == points("1945-07", replace(FIRM, allied=frozenset(places.split())))


def test_p33_4_every_location_of_the_table_exists_and_the_homeland_has_seven() -> None:
    named = {place for places in TABLES["collapse"]["locations"] for place in places.split("+")}

    assert named <= LOCATIONS.keys()
    assert {"tokyo", "kure", "osaka", "sasebo", "kanoya", "ominato", "chitose"} == HOMELAND


def test_p33_4_none_before_june_1944_and_more_from_august_1945() -> None:
    """Given a beaten Japan, then nothing counts in May 1944; bombs 3 and the Soviets 2 from August 1945."""
    beaten = replace(FIRM, hrl=0, bombs=True)

    assert [0, 5, 5, 10] == [points(date, beaten) for date in ("1944-05", "1944-06", "1945-07", "1945-08")]
    assert 7 == points("1945-08", replace(beaten, bombs=False))


def test_p33_4_the_fleet_is_what_is_left_and_not_crippled() -> None:
    """Given carriers and battleships, then CV, CVL and BB count, in the Penalty box too, not crippled."""
    table = campaign()
    table.state.own[JAPAN].ships = {
        "cv_shokaku": Ship(port="truk"),
        "cvl_ryujo": Ship(tf="J1"),
        "cv_zuikaku": Ship(port="truk", damage=3),
        "cv_akagi": Ship(),
        "bb_mutsu": Ship(port="truk"),
        "bb_yamato": Ship(port="truk", damage=9),
        "dd_jp7": Ship(port="truk"),
    }

    assert (2, 1) == fleet(table.open, table.own[JAPAN])
    table.own[JAPAN].means.penalty = {"cv_akagi": "1945-03", "cv_kaga": "1945-03"}
    table.state.own[JAPAN].ships["cv_kaga"] = Ship(damage=3)
    assert (3, 1) == fleet(table.open, table.own[JAPAN])
    assert 3 == FEW_BATTLESHIPS


@pytest.mark.parametrize(
    ("place", "base", "bombing", "ready"),
    [
        ("saipan", {}, 5, True),
        ("saipan", {}, 4, False),
        ("saipan", {"airbase": 2}, 9, False),
        ("saipan", {"control": JAPAN}, 9, False),
        ("truk", {}, 9, False),
    ],
)
def test_p33_4_atomic_bombs_need_points_and_a_great_linked_airbase_near_japan(
    place: str, base: dict[str, int], bombing: int, ready: bool
) -> None:
    """Given an airbase of 3 in 18 hexes of Japan, or farther, Linked, then as named; not Linked, never."""
    bases = {place: {"control": ALLIES, "airbase": 3} | base}
    table = campaign(bases=bases, posts={"hq_sopac": Post(place)})
    assert not can_bomb(table.open, table.own[ALLIES], bombing)
    tell_links(table, ALLIES)

    assert ready == can_bomb(table.open, table.own[ALLIES], bombing)


@pytest.mark.parametrize(
    ("collapse", "dice", "gives_up"),
    [
        (12, (), False),
        (13, (9,), True),
        (13, (8,), False),
        (20, (2,), True),
        (20, (1,), False),
        (22, (0,), True),
    ],
)
def test_p33_4_from_13_points_on_die_and_points_must_reach_22(
    collapse: int, dice: tuple[int, ...], gives_up: bool
) -> None:
    table = campaign(*dice)
    table.facts = []

    assert gives_up == surrenders(table, collapse)
    assert 0 == dice_left(table)
    assert len(dice) == len(told(table.facts, Rolled))


@pytest.mark.parametrize(
    ("date", "result"),
    [
        ("1944-06", "Allied decisive"),
        ("1945-04", "Allied decisive"),
        ("1945-05", "Allied substantial"),
        ("1945-06", "Allied substantial"),
        ("1945-07", "Allied marginal"),
        ("1945-08", "Allied marginal"),
        ("1945-09", "draw"),
    ],
)
def test_p33_4_the_level_of_a_surrender_by_month(date: str, result: str) -> None:
    assert result == level_of_surrender(date)


def test_p33_4_without_a_surrender_the_points_count() -> None:
    assert ["Japanese decisive", "Japanese marginal"] == [level_without(n) for n in (11, 12)]


@pytest.mark.parametrize(
    ("date", "held", "won"),
    [
        ("1941-12", (BASTION,), True),
        ("1943-12", (BASTION,), True),
        ("1944-01", (BASTION,), False),
        ("1942-03", CAPITALS[:1], False),
        ("1942-03", CAPITALS[3:], True),
        ("1942-11", OUTPOSTS[:5], False),
        ("1942-12", OUTPOSTS[:4], False),
        ("1942-12", OUTPOSTS[6:], True),
        ("1942-12", (*OUTPOSTS[:4], CAPITALS[0]), False),
    ],
)
def test_p33_3_japan_wins_at_once_by_what_it_holds(date: str, held: tuple[str, ...], won: bool) -> None:
    assert won == automatic(date, held)


def test_p33_3_the_places_are_those_of_the_table() -> None:
    bastion, capitals, outposts = TABLES["collapse"]["japan_automatic"]["any_of"]

    assert bastion == BASTION
    assert f"two of {', '.join(CAPITALS)}" == capitals
    assert f"five of {', '.join(OUTPOSTS)} at the end of a month from 1942-12" == outposts
