"""P0.9.1 What the house proposes to carry (P13), and where it places what comes (P14.1, P20.2.3, P11.2.1)."""

from typing import Any

import pytest

from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.table import Air, Ship
from domain.pacific_war.board.war import Post
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.dispositions import PlaceHQ, To
from domain.pacific_war.decisions.orders_of_month import Suggested
from tests.pacific_war.board import options, told
from tests.pacific_war.campaign import (
    ALLIES,
    ARRIVALS,
    HQS,
    JAPAN,
    PENALTY,
    TRANSPORT,
    administration,
    laid_out,
    of,
)
from tests.pacific_war.clash import act

DAMAGED = {"damage": 2}
RICH = {JAPAN: {"points": {"hq_sea": 9, "hq_cf": 5}}, ALLIES: {"points": {"hq_sopac": 9, "hq_swpa": 5}}}


def proposed(table: Table, side: int) -> tuple[str, ...]:
    """Return what the house proposes, in words."""
    found = of(table, side, Suggested)
    return found[0].picks if found else ()


# P13 crippled ships


def hurt(*more: str, **changes: Any) -> Table:
    """Return a table with a crippled cruiser at Suva, where no dock is, and others that are damaged."""
    units = {"ca_us1": {"port": "suva", **DAMAGED}} | {one: {"port": "brisbane", "damage": 1} for one in more}
    return administration(TRANSPORT, ALLIES, units=units, **changes)


def test_p0_9_1_p13_1_p15_1_a_crippled_ship_is_carried_to_a_dock_that_has_room() -> None:
    """Given the dock of Brisbane, which repairs two ships in a month."""
    table = hurt("dd_us1")
    assert ("transport [ca_us1] to [brisbane]",) == proposed(table, ALLIES)
    facts = act(table, ALLIES, *of(table, ALLIES, Suggested))

    assert "brisbane" == table.state.own[ALLIES].ships["ca_us1"].port
    assert [] == told(facts, RolledUnseen)
    assert "13.1" not in {prompt.rule for prompt in table.prompts.values()}
    assert () == proposed(hurt("dd_us1", "dd_us2"), ALLIES)
    assert () == proposed(hurt(bases={"brisbane": {"port_damage": 2}}), ALLIES)


def test_p0_9_1_p13_2_5_it_is_not_carried_past_a_patrol_which_would_roll_a_die() -> None:
    assert () == proposed(hurt(patrols={"4851": (JAPAN, 2)}), ALLIES)


@pytest.mark.parametrize(
    ("crippled", "carried"),
    [
        (4, []),
        (5, ["transport [ca_us1] to [brisbane]"]),
        (6, ["transport [ca_us1] to [brisbane]", "transport [ca_us2] to [brisbane]"]),
        (7, ["transport [ca_us1] to [brisbane]", "transport [ca_us2] to [brisbane]"]),
    ],
)
def test_p0_9_1_p15_1_of_several_as_many_go_as_are_too_many_and_as_a_dock_has_room_for(
    crippled: int, carried: list[str]
) -> None:
    """Given the docks of Sydney and Brisbane, which repair four ships and two in a month."""
    units = {f"ca_us{n}": {"port": "sydney", **DAMAGED} for n in range(1, crippled + 1)}
    table = administration(TRANSPORT, ALLIES, table=laid_out("1942-01", "S1"), units=units)

    assert carried == [one for one in proposed(table, ALLIES) if one.startswith("transport [ca_us")]


# P13 garrisons

ASHORE: dict[str, dict[str, Any]] = {
    "jp_84gd": {"hex": "4837"},
    "aa_jp10": {"port": "truk"},
    "aa_jp12": {"port": "truk"},
}
"""A battalion joins a regiment at Rabaul, and the transports there have gone."""
TWO = {"jp_51gd": {"hex": "4837"}}
FEW = {"jp_41reg": {"steps": 1}, "jp_engr3": {"hex": "4736"}, "jp_kure5": {"steps": 1}}


@pytest.mark.parametrize(
    ("units", "picks"),
    [
        ({}, ("transport [jp_84gd] to [cape_gloucester]",)),
        ({"us_1e_35fg": {"home": ""}, "cw_1e_raaf": {"home": ""}}, ("transport [jp_84gd] to [nauru]",)),
        (FEW, ()),
        (TWO, ("transport [jp_51gd] to [cape_gloucester]", "transport [jp_84gd] to [gasmata]")),
        (TWO | FEW, ("transport [jp_51gd] to [cape_gloucester]",)),
        ({"aa_jp10": {"port": "rabaul"}}, ()),
        ({"jp_84gd": {"hex": "4837", "isolated": True}}, ()),
        ({unit: {"hex": ""} for unit in ("jp_84gd", "jp_41reg", "jp_kure5")}, ()),
    ],
    ids=[
        "near",
        "a resource, for the sea is safe",
        "too few stay",
        "two",
        "too few stay for two",
        "transports lie there",
        "Isolated",
        "at sea",
    ],
)
def test_p0_9_1_p13_1_a_battalion_goes_to_a_place_without_troops_that_the_enemy_is_near_to(
    units: dict[str, dict[str, Any]], picks: tuple[str, ...]
) -> None:
    assert picks == proposed(administration(TRANSPORT, JAPAN, units=ASHORE | units), JAPAN)


def test_p0_9_1_p41_16_with_a_proposal_a_side_is_done_with_the_phase() -> None:
    table = administration(TRANSPORT, JAPAN, units=ASHORE)
    act(table, JAPAN, *of(table, JAPAN, Suggested))

    assert "4537" == table.state.own[JAPAN].ground["jp_84gd"].hex
    assert {"JP": 5} == table.state.own[JAPAN].means.transport
    assert "13.1" != table.prompts[JAPAN].rule


def test_p0_8_p13_1_time_that_has_run_out_carries_what_is_proposed() -> None:
    table = administration(TRANSPORT, JAPAN, units=ASHORE)

    assert of(table, JAPAN, Suggested) == [PACIFIC_WAR.default(table.state, JAPAN, table.prompts[JAPAN])]


# P13.2.4 boxes


def test_p0_9_1_p13_2_4_what_is_fit_comes_out_of_a_box_to_where_most_command_points_are() -> None:
    """Given a carrier and a damaged destroyer in the box, and more points at Pearl Harbor than in Alaska."""
    boxed = {
        ship: Ship(port="uswc", active=False, damage=damage)
        for ship, damage in (("cv_saratoga", 0), ("dd_us17", 1))
    }
    points = {ALLIES: {"points": {"hq_cincpac": 9, "hq_norpac": 2}}}
    table = administration(TRANSPORT, ALLIES, table=laid_out("1942-01", "S1"), units=boxed, means=points)

    assert "transfer [cv_saratoga] by a box to [pearl_harbor]" in proposed(table, ALLIES)
    assert not [one for one in proposed(table, ALLIES) if "dd_us17" in one]


def test_p0_9_1_p13_2_4_troops_that_come_out_of_a_box_spare_others_a_garrison() -> None:
    """Given a division in the box, a battalion and too few to stay at Dutch Harbor, the enemy at Kiska."""
    ashore = LOCATIONS["dutch_harbor"].hex
    units = {
        "us_phildiv": {"hex": "uswc"},
        "us_dav": {"hex": ashore},
        "us_aleut": {"hex": ashore, "steps": 1},
        **{ship: {"port": "pearl_harbor"} for ship in ("aa_us1", "aa_us2")},
    }
    table = administration(
        TRANSPORT,
        ALLIES,
        table=laid_out("1942-01", "S1"),
        units=units,
        bases={"kiska": {"control": JAPAN}},
        means={ALLIES: {"points": {"hq_norpac": 9, "hq_cincpac": 1}}},
    )
    *_, transfer, transport = proposed(table, ALLIES)

    assert "transfer [us_phildiv] by a box to [dutch_harbor]" == transfer
    assert "transport [us_dav] to [adak]" == transport
    act(table, ALLIES, *of(table, ALLIES, Suggested))
    assert LOCATIONS["adak"].hex == table.state.own[ALLIES].ground["us_dav"].hex


# P14, P20.2.3.F, P11.2.1.3


def test_p0_9_1_p14_1_a_unit_comes_to_the_headquarters_of_its_nation_with_most_points() -> None:
    """Given Marine fighters that find no room where they are listed."""
    for means, place in ((RICH, "noumea"), ({ALLIES: {"points": {"hq_sopac": 5, "hq_swpa": 9}}}, "brisbane")):
        table = administration(ARRIVALS, ALLIES, means=means)
        assert (f"to [{place}]",) == proposed(table, ALLIES)
        assert of(table, ALLIES, Suggested) == [
            PACIFIC_WAR.default(table.state, ALLIES, table.prompts[ALLIES])
        ]
        act(table, ALLIES, *of(table, ALLIES, Suggested))

        assert Air(place, 4, 1, active=False) == table.state.own[ALLIES].air["us_1e_mag23"]


def test_p0_9_1_p14_1_else_to_where_most_headquarters_have_a_link_and_least_of_its_kind_is() -> None:
    """Given a small airbase at the headquarters, then of places with both links to that without aircraft."""
    full = {place: {"airbase": 0} for place in ("noumea", "brisbane")}
    table = administration(ARRIVALS, ALLIES, bases=full, means=RICH)
    links, places = table.state.own[ALLIES].means.links, [one.place for one in of(table, ALLIES, To)]
    both = [p for p in places if all(LOCATIONS[p].hex in links[hq] for hq in ("hq_sopac", "hq_swpa"))]
    homes = [air.home for air in table.state.own[ALLIES].air.values() if air.steps]

    assert len(both) > 1
    assert (f"to [{min(both, key=lambda place: (homes.count(place), place))}]",) == proposed(table, ALLIES)
    assert ("to [cairns]",) == proposed(table, ALLIES)


def penalised(month: str) -> Table:
    """Return a table on which two Japanese ships may come back."""
    units = {
        "cvl_ryujo": Ship(active=False),
        "cvg_ryujo": Air("cvl_ryujo", 2, 1, active=False),
        "aa_jp10": {"port": ""},
    }
    box = {"penalty": {"aa_jp10": "1942-08", "cvl_ryujo": "1942-09"}}
    return administration(PENALTY, JAPAN, month=month, units=units, means={JAPAN: RICH[JAPAN] | box})


def test_p0_9_1_p20_2_3_what_is_proposed_for_one_ship_is_not_taken_for_the_next() -> None:
    table = penalised("1942-09")
    assert ("to [rabaul]",) == proposed(table, JAPAN)
    act(table, JAPAN, *of(table, JAPAN, Suggested))

    assert "rabaul" == table.state.own[JAPAN].ships["aa_jp10"].port
    assert (
        "Choose the port to which [cvl_ryujo] comes back from the Penalty box." == table.prompts[JAPAN].text
    )
    assert To("truk") in options(table, JAPAN)
    assert Done() not in options(table, JAPAN)


def test_p0_9_1_p11_2_1_3_a_headquarters_comes_back_to_its_own_site_else_to_the_first_that_is_listed() -> (
    None
):
    posts = {"hq_sopac": Post(returns="1942-09")}
    table = administration(HQS, ALLIES, posts=posts, month="1942-09")
    assert ("place [hq_sopac] at [noumea]",) == proposed(table, ALLIES)
    act(table, ALLIES, *of(table, ALLIES, Suggested))

    war = table.state.open.war
    assert war is not None
    assert "noumea" == war.posts["hq_sopac"].site
    assert [] == of(table, ALLIES, PlaceHQ)
