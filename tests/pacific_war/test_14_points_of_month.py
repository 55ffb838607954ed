"""P14.1 to P14.4, P13.1, P16.1, P11.2.1 What the months of the war bring, and who comes and leaves."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.facts import Decided
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.control import capture
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS
from domain.pacific_war.board.charts import AIR, BOXES, LOCATIONS, SHIPS
from domain.pacific_war.board.table import Air
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import links, tell_links
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.dispositions import AssignSubs, PlaceHQ, RecallSubs, RepairUnit
from domain.pacific_war.decisions.orders_of_month import AsLastMonth
from domain.pacific_war.facts.months import PostIs
from domain.pacific_war.months.arrivals import berths
from domain.pacific_war.months.replacements import serviced
from domain.pacific_war.months.schedule import replacement_steps, transport_points
from tests.pacific_war.board import options, take, told
from tests.pacific_war.campaign import (
    ALLIES,
    ARRIVALS,
    DOCKYARDS,
    HQS,
    JAPAN,
    SUBMARINES,
    administration,
    laid_out,
    of,
    sight,
)
from tests.pacific_war.invariants import boats, invariants_of_state

POINTS = "8.1"


def war(month: str, scenario: str = "S1") -> Table:
    table = laid_out(month, scenario)
    for side in (JAPAN, ALLIES):
        tell_links(table, side)
    table.facts = []
    return table


# P13.1, P16.1


@pytest.mark.parametrize(
    ("month", "msp", "points"),
    [
        ("1941-12", 60, {"JP": 12, "AL_US": 6, "AL_CW": 4}),
        ("1942-04", 59, {"JP": 11, "AL_US": 10, "AL_CW": 4}),
        ("1943-01", 49, {"JP": 10, "AL_US": 16, "AL_CW": 6}),
        ("1944-01", 35, {"JP": 7, "AL_US": 24, "AL_CW": 8}),
        ("1945-01", 5, {"JP": 2, "AL_US": 30, "AL_CW": 10}),
    ],
)
def test_p13_1_transport_goes_by_shipping_and_by_date(month: str, msp: int, points: dict[str, int]) -> None:
    table = war(month)
    assert table.state.open.war is not None
    table.state.open.war.msp = msp

    assert points == transport_points(table.open)


def test_p16_1_replacement_steps_go_by_date() -> None:
    assert {"any_air": 2, "ground": 3} == replacement_steps(war("1942-06").open)["CW"]
    assert {"any_air": 3, "ground": 4} == replacement_steps(war("1942-07").open)["CW"]
    assert 18 == replacement_steps(war("1945-01").open)["US"]["CVG"]
    assert CAMPAIGNS["C1"].replacements == replacement_steps(laid_out().open)


# P14.3


def test_p14_3_japan_gets_ships_submarines_and_escorts_the_allies_submarines() -> None:
    table = war("1942-06")
    administration(POINTS, JAPAN, table=table)
    administration(POINTS, ALLIES, table=table)
    board = table.open.war

    assert board is not None
    assert 61 == board.msp
    assert (1, 3) == (table.own[JAPAN].means.pool, table.own[JAPAN].means.escorts)
    assert 1 == table.own[ALLIES].means.pool


@pytest.mark.parametrize(
    ("month", "linked", "more"), [("1942-03", False, 3), ("1944-03", True, 2), ("1944-03", False, 1)]
)
def test_p14_3_from_july_1942_ships_are_halved_with_fewer_than_4_resource_hexes(
    month: str, linked: bool, more: int
) -> None:
    table = war(month, "S2")
    if not linked:
        for place, base in table.state.open.bases.items():
            if LOCATIONS[place].resource:
                table.state.open.bases[place] = replace(base, resource_damage=1)
    administration(POINTS, JAPAN, table=table)
    board = table.open.war

    assert board is not None
    assert 49 + more == board.msp


def test_p9_4_shipping_is_never_above_65() -> None:
    table = war("1942-03")
    assert table.state.open.war is not None
    table.state.open.war.msp = 64
    administration(POINTS, JAPAN, table=table)

    assert 65 == table.state.open.war.msp


# P14.4, S1.8, S2.1


@pytest.mark.parametrize(
    ("scenario", "month", "forts"),
    [
        ("S1", "1943-06", {"tarawa": 2, "rabaul": 2, "kwajalein": 1}),
        ("S1", "1944-03", {"saipan": 1}),
        ("S1", "1944-08", {"iwo_jima": 3}),
        ("S1", "1944-10", {"okinawa": 2}),
        ("S1", "1944-12", {"manila": 1}),
        ("S2", "1944-08", {"iwo_jima": 3}),
        ("S2", "1944-10", {"okinawa": 2}),
        ("S2", "1944-12", {"manila": 1}),
        ("S2", "1944-04", {}),
    ],
)
def test_s1_8_s2_1_p14_4_forts_rise_where_japan_controls_the_place(
    scenario: str, month: str, forts: dict[str, int]
) -> None:
    for holder, rises in ((JAPAN, True), (ALLIES, False)):
        table = war(month, scenario)
        bases = table.state.open.bases
        for place in forts:
            bases[place] = replace(bases[place], control=holder, fort=0)
        before = {place: base.fort for place, base in bases.items()}
        administration(POINTS, JAPAN, table=table)

        after = {p: base.fort for p, base in table.open.bases.items() if base.fort != before[p]}
        assert (forts if rises else {}) == after


def test_s1_8_a_higher_fort_is_not_lowered() -> None:
    table = war("1944-03")
    table.state.open.bases["saipan"] = replace(table.state.open.bases["saipan"], fort=3)
    administration(POINTS, JAPAN, table=table)

    assert 3 == table.open.bases["saipan"].fort


# P14.1: boxes, Tokyo


def test_p14_1_a_unit_that_is_listed_for_a_box_comes_there() -> None:
    table = administration(ARRIVALS, ALLIES, table=war("1942-01"))
    while "cv_yorktown" not in table.own[ALLIES].ships:
        found = options(table, ALLIES)
        take(table, ALLIES, found[0])

    assert "uswc" == table.own[ALLIES].ships["cv_yorktown"].port
    assert "cv_yorktown" == table.own[ALLIES].air["cvg_yorktown"].home
    assert [] == list(invariants_of_state(table.state))


def test_p14_1_an_allied_unit_without_its_base_may_come_to_a_box_of_its_nation() -> None:
    table = war("1942-03")
    row = next(
        row
        for row in CAMPAIGNS["S1"].reinforcements
        if row.side == "AL" and row.at in LOCATIONS and row.units[0] in AIR and AIR[row.units[0]].nat == "US"
    )
    table.state.open.bases[row.at] = replace(table.state.open.bases[row.at], control=JAPAN)
    found = berths(sight(table, ALLIES), row.units[0])

    assert {"uswc", "aus_s"} == set(found) & set(BOXES)
    assert row.at not in found


def test_p14_1_p2_3_2_nor_one_to_a_box_that_is_full() -> None:
    """Given 20 air units on the West Coast, then an air unit without its base may come to Australia alone."""
    table = war("1942-03")
    plane, base = next(
        (row.units[0], row.at)
        for row in CAMPAIGNS["S1"].reinforcements
        if row.side == "AL" and row.at in LOCATIONS and row.units[0] in AIR and AIR[row.units[0]].nat == "US"
    )
    table.state.open.bases[base] = replace(table.state.open.bases[base], control=JAPAN)
    land = [unit.id for unit in AIR.values() if unit.nat == "US" and not unit.carrier and unit.id != plane]
    for count, boxes in ((19, {"uswc", "aus_s"}), (20, {"aus_s"})):
        own = table.state.own[ALLIES]
        own.air = dict.fromkeys(land[:count], Air("uswc", 1, 1, active=False))
        assert boxes == set(berths(sight(table, ALLIES), plane)) & set(BOXES)


def test_p14_1_p0_5_japan_has_tokyo_instead_of_a_box_then_the_nearest_port() -> None:
    table = war("1942-03")
    table.state.own[JAPAN].means.links = {}
    row = next(row for row in CAMPAIGNS["S1"].reinforcements if row.side == "JP" and row.units[0] in SHIPS)

    assert ["tokyo"] == berths(sight(table, JAPAN), row.units[0])
    table.state.open.bases["tokyo"] = replace(table.state.open.bases["tokyo"], control=ALLIES)
    (other,) = berths(sight(table, JAPAN), row.units[0])
    far = {
        place: distance(one.hex, LOCATIONS["tokyo"].hex)
        for place, one in LOCATIONS.items()
        if one.homeland and place != "tokyo"
    }
    assert far[other] == min(far.values())


def test_p14_1_a_reinforcement_of_the_war_is_listed_in_its_month() -> None:
    table = administration(ARRIVALS, JAPAN, table=war("1942-01"))
    rows = [row for row in CAMPAIGNS["S1"].reinforcements if (row.month, row.side) == ("1942-01", "JP")]
    listed = {unit for row in rows for unit in row.units}

    assert listed
    mine = table.own[JAPAN]
    assert listed == {*mine.means.waiting, *(listed & {*mine.ships, *mine.air, *mine.ground})}


# P14.2: merchant duty


def test_p14_2_points_go_from_merchant_duty_to_commands_and_back() -> None:
    table = administration(SUBMARINES, ALLIES, table=war("1942-01"))
    before = boats(table.own[ALLIES])
    assert 8 == table.own[ALLIES].means.duty
    assert RecallSubs("merchants", 8) in options(table, ALLIES)
    take(table, ALLIES, RecallSubs("merchants", 5))
    take(table, ALLIES, AssignSubs("manila", 3))
    take(table, ALLIES, AssignSubs("merchants", 1))
    means = table.own[ALLIES].means

    assert (4, 4, 1) == (means.duty, means.submarines["manila"], means.pool)
    assert AssignSubs("merchants", 1) not in options(table, ALLIES)
    assert before == boats(table.own[ALLIES])


def test_p14_2_japan_and_a_campaign_have_no_merchant_duty() -> None:
    table = war("1942-01")
    table.state.own[JAPAN].means.pool = 2
    made = administration(SUBMARINES, JAPAN, table=table)

    assert {"kure", "kwajalein"} == {one.command for one in of(made, JAPAN, AssignSubs)}


# P0.9.2


def february(duty: int = 8) -> Table:
    """Return the Allies at their submarines after a January in which 5 were recalled, 3 and 1 assigned."""
    table = administration(SUBMARINES, ALLIES, table=war("1942-01"))
    for one in (RecallSubs("merchants", 5), AssignSubs("manila", 3), AssignSubs("merchants", 1), Done()):
        take(table, ALLIES, one)
    table.state.stack = []
    table.state.own[ALLIES].means.duty = duty
    return administration(SUBMARINES, ALLIES, table=table, month="1942-02")


def test_p0_9_2_p14_2_as_last_month_is_written_down_as_single_picks_and_the_choice_goes_on() -> None:
    table = february()
    facts = take(table, ALLIES, AsLastMonth())
    taken = [(PACIFIC_WAR.decision(bytes(one.decision)), one.how) for one in told(facts, Decided)]

    assert [
        (AsLastMonth(), "chosen"),
        (RecallSubs("merchants", 5), "forced"),
        (AssignSubs("manila", 3), "forced"),
        (AssignSubs("merchants", 1), "forced"),
    ] == taken
    assert (4, 7, 2) == (
        table.own[ALLIES].means.duty,
        table.own[ALLIES].means.submarines["manila"],
        table.own[ALLIES].means.pool,
    )
    assert AsLastMonth() not in options(table, ALLIES)
    assert {"manila", "merchants"}.isdisjoint(one.command for one in of(table, ALLIES, AssignSubs))
    assert Done() in options(table, ALLIES)


def test_p0_9_2_p14_2_what_is_not_allowed_now_is_left_out_and_not_made_up_for() -> None:
    """Given 3 on duty, of which 5 cannot be recalled, and 1 in the pool, then 1 is assigned to the duty."""
    table = february(3)
    facts = take(table, ALLIES, AsLastMonth())
    taken = [PACIFIC_WAR.decision(bytes(one.decision)) for one in told(facts, Decided)]

    assert [AsLastMonth(), AssignSubs("merchants", 1)] == taken
    assert (4, 0) == (table.own[ALLIES].means.duty, table.own[ALLIES].means.pool)


def test_p0_9_2_p14_2_only_after_a_month_with_picks_that_are_allowed_now() -> None:
    assert AsLastMonth() not in options(administration(SUBMARINES, ALLIES, table=war("1942-01")), ALLIES)

    table = february()
    assert AsLastMonth() in options(table, ALLIES)
    for one in (RecallSubs("merchants", 1), Done()):
        take(table, ALLIES, one)
    assert (1, 3) == (len(table.own[ALLIES].means.boats), len(table.own[ALLIES].means.boats_before))


def test_p0_9_2_p41_16_as_last_month_leaves_the_state_of_the_single_picks() -> None:
    tables = [february(), february()]
    take(tables[0], ALLIES, AsLastMonth())
    for one in (RecallSubs("merchants", 5), AssignSubs("manila", 3), AssignSubs("merchants", 1)):
        take(tables[1], ALLIES, one)

    assert tables[0].own[ALLIES] == tables[1].own[ALLIES]


# P11.2.1: headquarters


def empty(table: Table, place: str) -> None:
    """Let nothing of the Allies be in a port or on an airbase, so that no die falls when it is captured."""
    own = table.state.own[ALLIES]
    own.ships = {ship: one for ship, one in own.ships.items() if one.port != place}
    own.air = {unit: one for unit, one in own.air.items() if one.home != place}


def test_p11_2_1_headquarters_leave_in_their_last_month_with_their_points() -> None:
    table = war("1942-03")
    table.state.own[ALLIES].means.points = {"hq_malaya": 7, "hq_abda": 3}
    made = administration(HQS, ALLIES, table=table)
    board = made.open.war

    assert board is not None
    assert HEADQUARTERS["hq_malaya"].end == "1942-03"
    assert Post() == board.posts["hq_malaya"]
    assert {"hq_abda": 3} == made.own[ALLIES].means.points


def test_p11_2_1_a_headquarters_comes_in_its_month_to_one_of_its_sites() -> None:
    """Given Singapore and Ambon Japanese, then the Southwest Area may come there, not before April."""
    for month, sites in (("1942-03", []), ("1942-04", ["ambon", "singapore"])):
        table = war(month)
        for place in ("ambon", "singapore"):
            table.state.open.bases[place] = replace(table.state.open.bases[place], control=JAPAN)
        made = administration(HQS, JAPAN, table=table)
        assert [PlaceHQ("hq_swa", site) for site in sites] == of(made, JAPAN, PlaceHQ)


def test_p11_2_1_a_headquarters_without_a_site_is_offered_again() -> None:
    table = administration(HQS, JAPAN, table=war("1942-04"))
    board = table.open.war

    assert board is not None
    assert [] == of(table, JAPAN, PlaceHQ)
    assert Post(returns="1942-04") == board.posts["hq_swa"]


def test_p11_2_1_a_captured_headquarters_is_disbanded_and_comes_again_in_the_second_month() -> None:
    table = war("1941-12")
    table.state.own[ALLIES].means.points = {"hq_usaffe": 9}
    empty(table, "manila")
    capture(table, "manila", JAPAN)

    (lost,) = told(table.facts, PostIs)
    assert ("hq_usaffe", Post(returns="1942-02"), True) == (lost.hq, lost.post, lost.captured)
    assert {} == table.own[ALLIES].means.points
    for month, found in (("1942-01", False), ("1942-02", True)):
        assert table.state.open.war is not None
        table.state.open.war.month = month
        made = administration(HQS, ALLIES, table=table)
        assert found == any(one.hq == "hq_usaffe" for one in of(made, ALLIES, PlaceHQ))


def test_p2_6_a_captured_place_loses_its_support_base_and_its_submarine_command() -> None:
    table = war("1941-12")
    base = replace(table.state.open.bases["manila"], osb=True)
    table.state.open.bases["manila"] = base
    assert base.command
    empty(table, "manila")
    capture(table, "manila", JAPAN)

    after = table.open.bases["manila"]
    assert (JAPAN, False, False) == (after.control, after.osb, after.command)


def test_p11_2_1_a_headquarters_in_a_box_has_links_from_the_entry_ports_with_less_radius() -> None:
    table = war("1941-12")
    assert table.state.open.war is not None
    table.state.open.war.posts = table.state.open.war.posts | {"hq_cincpac": Post("uswc")}
    found: Any = links(table, ALLIES)["hq_cincpac"]

    assert LOCATIONS["pearl_harbor"].hex in found
    assert LOCATIONS["dutch_harbor"].hex in found
    bases = table.state.open.bases
    bases["pearl_harbor"] = replace(bases["pearl_harbor"], control=JAPAN)
    assert LOCATIONS["pearl_harbor"].hex not in links(table, ALLIES)["hq_cincpac"]


def test_r_109_p11_2_1_3_one_that_was_disbanded_may_be_placed_in_its_box_in_any_case() -> None:
    table = war("1943-01")
    assert table.state.open.war is not None
    table.state.open.war.posts |= {"hq_cincpac": Post(returns="1943-01")}
    for place in ("pearl_harbor", "dutch_harbor", "saipan"):
        table.state.open.bases[place] = replace(table.state.open.bases[place], control=JAPAN)
    made = administration(HQS, ALLIES, table=table)

    assert ["uswc"] == [one.site for one in of(made, ALLIES, PlaceHQ) if one.hq == "hq_cincpac"]
    take(made, ALLIES, PlaceHQ("hq_cincpac", "uswc"))
    assert [PostIs("hq_cincpac", Post("uswc"), "is placed again")] == told(made.facts, PostIs)


# P15.1, P16.2: boxes


def test_p15_1_twelve_ships_are_repaired_on_the_west_coast_and_four_at_bombay() -> None:
    for box, most in (("uswc", 12), ("india_w", 4), ("aus_s", 0)):
        table = war("1942-01")
        own = table.state.own[ALLIES]
        hurt = [s for s in sorted(own.ships) if SHIPS[s].hits > 1][: most + 2]
        own.ships = {s: replace(one, damage=0) for s, one in own.ships.items()}
        own.ships |= {s: replace(own.ships[s], port=box, damage=1) for s in hurt}
        made = administration(DOCKYARDS, ALLIES, table=table)
        mended = 0
        while ALLIES in made.prompts and (left := of(made, ALLIES, RepairUnit)):
            take(made, ALLIES, left[0])
            mended += 1

        assert most == mended


def test_p16_2_an_air_unit_in_a_box_can_be_filled_up() -> None:
    table = war("1942-01")
    unit = next(u for u, one in table.own[ALLIES].air.items() if one.home in LOCATIONS)
    own = table.state.own[ALLIES]
    own.air[unit] = replace(own.air[unit], home="uswc")

    assert serviced(sight(table, ALLIES), unit)
