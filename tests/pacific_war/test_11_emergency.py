"""P11.7 Emergency links: kept, dropped and established; whom they support; what the enemy sees of them."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted, seeded
from domain.kernel.facts import Decided
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.control import capture
from domain.pacific_war.battle.repair import rally, repair_airbases
from domain.pacific_war.board.charts import LOCATIONS, TABLES
from domain.pacific_war.board.table import Air, Ground
from domain.pacific_war.board.war import EmergencyLink, Post
from domain.pacific_war.command.costs import price
from domain.pacific_war.command.emergency import KINDS, supported, supports_bases
from domain.pacific_war.decisions.choices import Activate, UndoActivation
from domain.pacific_war.decisions.cycle import Aboard, Done, Embark
from domain.pacific_war.decisions.dispositions import (
    BreakDown,
    DropECL,
    EstablishECL,
    MaintainECL,
    Recombine,
    ReplaceAir,
    ReplaceGround,
    Transport,
    With,
)
from domain.pacific_war.decisions.orders_of_month import Suggested
from domain.pacific_war.facts.cycle import BaseIs
from domain.pacific_war.facts.months import MeansAre
from domain.pacific_war.homefront.shipping import assignable
from domain.pacific_war.months.dockyards import mates
from domain.pacific_war.months.isolation import isolate
from domain.pacific_war.operations.activation import Activation
from tests import seen
from tests.pacific_war.board import dice_left, options, take, told
from tests.pacific_war.campaign import (
    ALLIES,
    DOCKYARDS,
    JAPAN,
    REPLACEMENTS,
    TRANSPORT,
    administration,
    after,
    alter,
    laid_out,
    of,
)
from tests.pacific_war.invariants import invariants_of_state
from tests.pacific_war.months import in_sight
from tests.pacific_war.operations import activatable, led

LINKS = "11.7"
CUT = {"hq_sea": Post("truk"), "hq_cf": Post()}
"""Where Japan's headquarters stand so that Guadalcanal, Buna, Lae and Munda are out of their reach."""
OPEN_SEA = {"shortland": {"osb": False}}
HERE = LOCATIONS["guadalcanal"].hex
PURSE = {JAPAN: {"points": {"hq_sea": 9}}}
GARRISON = {
    "jp_engr2": {"hex": LOCATIONS["rabaul"].hex},
    "jp_84gd": {"hex": LOCATIONS["rabaul"].hex},
    "jp_41reg": {"hex": HERE},  # 3 steps
    "jp_engr3": {"hex": HERE},  # 1
    "jp_ichiki": {"hex": HERE},  # 3
    "jp_kure5": {"hex": HERE},  # 2
}
TOKYO_EXPRESS = EmergencyLink("destroyer", "dd_jp29")
BOATS = EmergencyLink("submarine", "truk")
FLIGHT = EmergencyLink("air", "jn_tr_1")


def cut_off(rule: str = LINKS, **changes: Any) -> Table:
    """Return a table at a chapter of Japan's, with a garrison that is cut off."""
    more: dict[str, Any] = {"posts": CUT, "bases": OPEN_SEA, "means": PURSE, "units": GARRISON} | changes
    return administration(rule, JAPAN, **more)


def linked_by(link: EmergencyLink, place: str = "guadalcanal", **changes: Any) -> dict[str, Any]:
    """Return what a test changes so that Japan has an emergency link at a place."""
    return {
        "posts": CUT,
        "units": GARRISON | {"jn_tr_1": Air("rabaul", 2, 1, active=False)} | changes.pop("units", {}),
        "bases": OPEN_SEA | {place: {"emergency": True} | changes.pop("base", {})},
        "means": {JAPAN: {"points": {"hq_sea": 9}, "emergency": {place: link}} | changes.pop("means", {})},
    }


def supports(link: EmergencyLink, **changes: Any) -> set[str]:
    """Return the units that a link to Guadalcanal supports."""
    table = laid_out()
    alter(table, **linked_by(link, **changes))
    own = table.state.own[JAPAN]
    return {unit for unit in (*own.ships, *own.air, *own.ground) if supported(table.state.open, own, unit)}


# what it costs, and what keeps it up


def test_p11_7_the_kinds_are_those_of_the_table() -> None:
    rows = {kind.id: (kind.steps, kind.reach, kind.bases) for kind in KINDS.values()}

    assert {"destroyer": (6, 8, True), "submarine": (2, 20, False), "air": (3, 6, False)} == rows
    assert (2, 2) == (TABLES["emergency_links"]["establish_cp"], TABLES["emergency_links"]["maintain_cp"])


def test_p11_7_it_is_established_where_units_are_cut_off_for_2_points() -> None:
    """Given Buna and Guadalcanal with troops, Munda with none, and Rabaul Linked, then the first two."""
    table = cut_off()
    assert {"guadalcanal", "buna", "lae"} >= {one.location for one in of(table, JAPAN, EstablishECL)}
    assert "guadalcanal" in {one.location for one in of(table, JAPAN, EstablishECL)}
    facts = take(table, JAPAN, EstablishECL("guadalcanal", "submarine", "hq_sea"), With("rabaul"))

    own = table.state.own[JAPAN]
    assert {"hq_sea": 7} == own.means.points
    assert {"guadalcanal": EmergencyLink("submarine", "rabaul")} == own.means.emergency
    assert {"truk": 2, "rabaul": 1} == own.means.submarines
    assert table.state.open.bases["guadalcanal"].emergency
    assert ["guadalcanal"] == [one.location for one in told(facts, BaseIs)]
    assert "guadalcanal" not in {one.location for one in of(table, JAPAN, EstablishECL)}
    assert [] == [*invariants_of_state(table.state)]


def test_p11_7_only_who_can_pay_is_asked_and_who_has_most_pays() -> None:
    poor = cut_off(means={JAPAN: {"points": {"hq_sea": 1}}})
    rich = cut_off(means={JAPAN: {"points": {"hq_sea": 2, "hq_burma": 3}}})

    assert [] == of(poor, JAPAN, EstablishECL)
    assert {"hq_burma"} == {one.hq for one in of(rich, JAPAN, EstablishECL)}


def keeping(kind: str, **changes: Any) -> list[str]:
    """Return what may keep up a link of a kind to Guadalcanal; nothing if there is none of the kind."""
    table = cut_off(**changes)
    pick = EstablishECL("guadalcanal", kind, "hq_sea")  # type: ignore[arg-type]
    if pick not in options(table, JAPAN):
        return []
    if pick in table.quiet(JAPAN):
        return [one.unit for one in after(table, JAPAN, pick) if isinstance(one, With)]
    take(table, JAPAN, pick)
    return [table.state.own[JAPAN].means.emergency["guadalcanal"].asset]


@pytest.mark.parametrize(
    ("ship", "found"),
    [
        ({}, True),  # in Rabaul, 6 hexes by sea
        ({"damage": 1}, True),
        ({"damage": 2}, False),  # crippled
        ({"active": True}, False),
        ({"port": "truk"}, False),  # 13 hexes
        ({"port": "munda"}, False),  # not Linked
        ({"port": "guadalcanal"}, False),
    ],
)
def test_p11_7_destroyer_an_uncrippled_inactive_dd_unit_within_8_hexes_by_sea(
    ship: Mapping[str, Any], found: bool
) -> None:
    assert ["dd_jp29"] * found == keeping("destroyer", units=GARRISON | {"dd_jp29": ship})


def test_p11_7_p13_2_4_not_what_has_gone_by_a_box_this_month() -> None:
    means = {JAPAN: PURSE[JAPAN] | {"crossing": {"dd_jp29": "rabaul"}}}

    assert [] == keeping("destroyer", means=means)


def test_p11_7_submarine_a_point_of_a_command_within_20_hexes() -> None:
    assert ["rabaul", "truk"] == keeping("submarine")

    spent = PURSE[JAPAN] | {"submarines": {"truk": 1}}
    assert ["truk"] == keeping("submarine", means={JAPAN: spent})
    far = PURSE[JAPAN] | {"submarines": {"mili": 2}}
    assert [] == keeping("submarine", means={JAPAN: far})


def test_r_110_p11_7_points_on_patrol_keep_up_no_link() -> None:
    """Given two points of Truk on patrol and none in port, one of Rabaul's in port, then Rabaul's alone."""
    means = PURSE[JAPAN] | {"submarines": {"truk": 0, "rabaul": 1}, "commands": {"5541": "truk"}}

    assert ["rabaul"] == keeping("submarine", means={JAPAN: means}, patrols={"5541": (JAPAN, 2)})


@pytest.mark.parametrize(
    ("air", "found"),
    [
        (Air("rabaul", 2, 1, active=False), True),  # 6 hexes
        (Air("rabaul", 1, 1, active=False), False),
        (Air("rabaul", 2, 1), False),  # Activated
        (Air("rabaul", 2, 1, active=False, isolated=True), False),
        (Air("admiralties", 2, 1, active=False), False),  # 9 hexes
    ],
)
def test_p11_7_air_a_tr_unit_of_2_steps_on_an_airbase_within_6_hexes(air: Air, found: bool) -> None:
    assert ["jn_tr_1"] * found == keeping("air", units=GARRISON | {"jn_tr_1": air})


def test_p11_7_air_nothing_flies_from_an_interdicted_airbase() -> None:
    bases = OPEN_SEA | {"rabaul": {"airbase_damage": 3}}

    assert [] == keeping("air", units=GARRISON | {"jn_tr_1": Air("rabaul", 2, 1, active=False)}, bases=bases)


def test_p11_7_a_link_for_air_or_submarines_needs_troops_that_it_may_support() -> None:
    """Given a ship alone in Guadalcanal, then destroyers may come to it, and nobody else."""
    units: dict[str, Any] = {unit: {"hex": LOCATIONS["rabaul"].hex} for unit in GARRISON}
    units["ca_chokai_maya"] = {"port": "guadalcanal"}
    table = cut_off(units=units)

    assert {"destroyer"} == {
        one.kind for one in of(table, JAPAN, EstablishECL) if one.location == "guadalcanal"
    }


# what is tied up


def activating(**changes: Any) -> Table:
    """Return a table at which Japan activates in its Operation, with the points of one headquarters."""
    table = laid_out()
    alter(table, **changes)
    board = table.state.open
    assert board.war is not None
    board.war.operation = led(bid=9, player=JAPAN, hq="hq_sea")
    return Table(PACIFIC_WAR, table.state, Scripted(()), Activation(side=JAPAN, kind="operation"))


def test_p11_7_what_keeps_up_a_link_is_not_activated_or_carried() -> None:
    given = linked_by(TOKYO_EXPRESS)
    assert "dd_jp29" not in activatable(activating(**given), JAPAN)
    given["means"][JAPAN]["emergency"] = {}
    assert "dd_jp29" in activatable(activating(**given), JAPAN)

    for link, carried in ((FLIGHT, False), (BOATS, True)):
        table = administration(TRANSPORT, JAPAN, **linked_by(link))
        assert carried == (Transport("jn_tr_1") in options(table, JAPAN))


def test_p11_7_p9_1_p15_2_3_nor_is_it_sent_on_escort_duty_or_made_one_with_another() -> None:
    table = laid_out("1942-01", "S1")
    board, own = table.state.open, table.state.own[JAPAN]
    ship, *_ = assignable(board, own) or pytest.fail("no destroyer may escort")
    own.means.emergency = {"guam": EmergencyLink("destroyer", ship)}
    assert ship not in assignable(board, own)

    hurt = {"port": "rabaul", "damage": 2, "active": False}
    given = linked_by(TOKYO_EXPRESS, units={"dd_jp29": hurt, "dd_jp24": hurt})
    table = administration(DOCKYARDS, JAPAN, **given)
    assert [] == of(table, JAPAN, Recombine)
    assert [] == mates(table.state.open, table.state.own[JAPAN], "dd_jp24")
    table.state.own[JAPAN].means.emergency = {}
    assert ["dd_jp29"] == mates(table.state.open, table.state.own[JAPAN], "dd_jp24")


# what is supported


@pytest.mark.parametrize(
    ("link", "fed"),
    [
        (TOKYO_EXPRESS, {"jp_41reg", "jp_engr3", "jp_kure5"}),  # 3, 1, not 3, 2: in all 6
        (FLIGHT, {"jp_41reg"}),  # 3, and none is left
        (BOATS, {"jp_engr3"}),  # not 3, 1, not 3, not 2
    ],
)
def test_p11_7_r_81_units_come_in_their_order_and_one_that_is_too_large_is_passed_over(
    link: EmergencyLink, fed: set[str]
) -> None:
    assert fed == supports(link)


def test_p11_7_destroyers_support_the_bases_and_what_is_there_without_steps() -> None:
    units = {
        "ca_chokai_maya": {"port": "guadalcanal"},
        "jn_1e_25af": {"home": "guadalcanal"},
    }
    table = laid_out()
    alter(table, **linked_by(TOKYO_EXPRESS, units=units))
    assert supports_bases(table.state.open, table.state.own[JAPAN], "guadalcanal")

    assert set(units) < supports(TOKYO_EXPRESS, units=units)
    for link in (BOATS, FLIGHT):
        assert not set(units) & supports(link, units=units)


@pytest.mark.parametrize(
    ("link", "gone"),
    [
        (TOKYO_EXPRESS, {"units": {"dd_jp29": {"damage": 2}}}),
        (TOKYO_EXPRESS, {"units": {"dd_jp29": {"port": ""}}}),
        (FLIGHT, {"units": {"jn_tr_1": Air("rabaul", 1, 1, active=False)}}),
        (FLIGHT, {"units": {"jn_tr_1": Air(active=False)}}),
        (TOKYO_EXPRESS, {"units": {"dd_jp29": {"port": "truk"}}}),  # from the Penalty box, 13 hexes away
        (FLIGHT, {"units": {"jn_tr_1": Air("truk", 2, 1, active=False)}}),  # driven out of its airbase
        (EmergencyLink("submarine", "lae"), {}),  # no Command is there any more
    ],
)
def test_p11_7_a_link_whose_asset_is_gone_supports_nothing_and_can_only_be_dropped(
    link: EmergencyLink, gone: dict[str, Any]
) -> None:
    assert set() == supports(link, **gone)
    table = administration(LINKS, JAPAN, **linked_by(link, **gone))

    decided = [fact for fact in table.facts if isinstance(fact, Decided)]
    assert [(JAPAN, "forced")] == [(one.seat, one.how) for one in decided]
    assert {} == table.state.own[JAPAN].means.emergency
    assert not table.state.open.bases["guadalcanal"].emergency


# kept or dropped


def test_p11_7_first_each_link_is_kept_for_2_points_or_dropped() -> None:
    """Given two links, then there is no way past the choice; a kept one is not asked for again."""
    given = linked_by(TOKYO_EXPRESS)
    given["bases"] |= {"buna": {"emergency": True}}
    given["means"][JAPAN]["emergency"] = {"guadalcanal": TOKYO_EXPRESS, "buna": BOATS}
    table = administration(LINKS, JAPAN, **given)
    assert [
        MaintainECL("buna", "hq_sea"),
        DropECL("buna"),
        MaintainECL("guadalcanal", "hq_sea"),
        DropECL("guadalcanal"),
    ] == [one for one in options(table, JAPAN) if not isinstance(one, Suggested)]

    take(table, JAPAN, MaintainECL("guadalcanal", "hq_sea"))
    assert [MaintainECL("buna", "hq_sea"), DropECL("buna")] == of(table, JAPAN, MaintainECL, DropECL)
    take(table, JAPAN, DropECL("buna"))
    own = table.state.own[JAPAN]
    assert {"guadalcanal": TOKYO_EXPRESS} == own.means.emergency
    assert {"hq_sea": 7} == own.means.points
    assert 3 == own.means.submarines["truk"]  # it had 2 while the point was tied up
    assert [False, True] == [table.state.open.bases[one].emergency for one in ("buna", "guadalcanal")]
    assert Done() in options(table, JAPAN)  # now new ones


def test_p11_7_who_cannot_pay_drops_it() -> None:
    given = linked_by(TOKYO_EXPRESS, means={"points": {"hq_sea": 1}})
    table = administration(LINKS, JAPAN, **given)

    assert {} == table.state.own[JAPAN].means.emergency


def test_p11_7_p0_9_1_the_house_keeps_what_is_still_cut_off_as_far_as_points_go() -> None:
    """Given 3 points and links to Buna, Guadalcanal and Rabaul, then Buna is kept: Rabaul is Linked again."""
    given = linked_by(TOKYO_EXPRESS, means={"points": {"hq_sea": 3}})
    places = {"guadalcanal": TOKYO_EXPRESS, "buna": BOATS, "rabaul": EmergencyLink("submarine", "truk")}
    given["bases"] |= {place: {"emergency": True} for place in places}
    given["means"][JAPAN]["emergency"] = places
    table = administration(LINKS, JAPAN, **given)
    (option,) = of(table, JAPAN, Suggested)

    assert (
        "keep up the emergency link to [buna], paid by [hq_sea]",
        "drop the emergency link to [guadalcanal]",
        "drop the emergency link to [rabaul]",
    ) == option.picks
    assert option == PACIFIC_WAR.default(table.state, JAPAN, table.prompts[JAPAN])
    take(table, JAPAN, option)
    assert {"buna": BOATS} == table.state.own[JAPAN].means.emergency
    assert {"hq_sea": 1} == table.state.own[JAPAN].means.points


def test_p11_7_p0_8_no_new_link_is_established_for_who_has_no_time() -> None:
    table = cut_off()

    assert Done() == PACIFIC_WAR.default(table.state, JAPAN, table.prompts[JAPAN])


def test_p11_7_p0_9_1_the_house_proposes_nothing_about_a_link_that_was_just_established() -> None:
    table = cut_off()
    take(table, JAPAN, EstablishECL("guadalcanal", "submarine", "hq_sea"), With("rabaul"))

    assert "buna" in {one.location for one in of(table, JAPAN, EstablishECL)}
    assert [] == of(table, JAPAN, Suggested)


def test_p11_7_p0_9_1_a_link_that_was_kept_is_not_proposed_again_where_new_ones_are_established() -> None:
    """Given a link that is kept and another place that is cut off, then the house proposes nothing more."""
    given = linked_by(TOKYO_EXPRESS)
    given["units"] |= {"jp_ichiki": {"hex": LOCATIONS["buna"].hex}}
    table = administration(LINKS, JAPAN, **given)
    take(table, JAPAN, MaintainECL("guadalcanal", "hq_sea"))

    assert [] != of(table, JAPAN, EstablishECL)
    assert [] == of(table, JAPAN, Suggested)
    assert Done() == PACIFIC_WAR.default(table.state, JAPAN, table.prompts[JAPAN])


# what it is good for


def test_p11_7_p12_what_it_supports_is_not_isolated() -> None:
    """Given a garrison of 9 steps, then the unit beyond the 6 is marked, and no other of it."""
    table = laid_out()
    alter(table, **linked_by(TOKYO_EXPRESS))
    table = Table(PACIFIC_WAR, table.state, seeded("isolation"))
    isolate(table)

    troops = table.state.own[JAPAN].ground
    assert {"jp_ichiki"} == {unit for unit in GARRISON if troops[unit].isolated}


@pytest.mark.parametrize(
    ("suspended", "alone"),
    [(True, {"jp_ichiki", "jp_engr3", "jp_kure5"}), (False, {"jp_engr3", "jp_kure5"})],
)
def test_r_111_p11_7_p12_activated_units_leave_its_steps_to_others_while_the_operation_is_suspended(
    suspended: bool, alone: set[str]
) -> None:
    """Given 6 steps, an Activated unit of 3 and others of 1, 3 and 2, then all of these have them, or two."""
    table = laid_out()
    alter(table, **linked_by(TOKYO_EXPRESS, units={"jp_41reg": {"hex": HERE, "active": True}}))
    board, own = table.state.open, table.state.own[JAPAN]
    assert board.war is not None
    board.war.operation = led(bid=9, player=JAPAN, hq="hq_sea", suspended=suspended)

    others = {"jp_ichiki", "jp_engr3", "jp_kure5"}
    assert alone == {unit for unit in others if supported(board, own, unit)}


def test_p11_7_p16_2_p16_4_steps_go_to_what_it_supports() -> None:
    units = {
        "jn_1e_25af": {"home": "guadalcanal", "steps": 1},
        "jp_41reg": {"hex": HERE, "steps": 2},
        "jp_ichiki": {"hex": HERE, "steps": 2},
        "jp_kure5": {"hex": HERE, "steps": 1},
    }
    table = administration(REPLACEMENTS, JAPAN, **linked_by(TOKYO_EXPRESS, units=units, base={"airbase": 1}))
    listed = {one.unit for one in of(table, JAPAN, ReplaceAir, ReplaceGround)}
    assert {"jn_1e_25af", "jp_41reg", "jp_ichiki", "jp_kure5"} <= listed

    table = administration(REPLACEMENTS, JAPAN, **linked_by(BOATS, units=units, base={"airbase": 1}))
    fed = {one.unit for one in of(table, JAPAN, ReplaceAir, ReplaceGround)}
    assert {"jp_41reg"} == fed & {"jn_1e_25af", "jp_41reg", "jp_ichiki", "jp_kure5"}


def test_p11_7_p16_9_a_supported_division_may_be_broken_down() -> None:
    units = {unit: {"hex": LOCATIONS["rabaul"].hex} for unit in GARRISON}
    division = Ground(HERE, steps=6, active=False)
    for steps, found in ((6, True), (7, False)):
        mine = units | {"jp_2div": replace(division, steps=steps)}
        table = administration(REPLACEMENTS, JAPAN, **linked_by(TOKYO_EXPRESS, units=mine))
        assert found == (BreakDown("jp_2div") in options(table, JAPAN))


def test_p11_7_p31_7_p2_3_2_1_its_airbases_are_repaired_if_it_supports_bases() -> None:
    base = {"airbase": 2, "airbase_damage": 2}
    for link, dice in ((TOKYO_EXPRESS, (9,)), (BOATS, ())):
        table = laid_out()
        alter(table, **linked_by(link, base=base))
        table = Table(PACIFIC_WAR, table.state, Scripted([*((one,) for one in dice)]))
        repair_airbases(table)
        engineer = 1
        left = 2 - (1 + engineer) * len(dice)
        assert left == table.state.open.bases["guadalcanal"].airbase_damage


def test_p11_7_p31_8_what_it_supports_may_rally_although_it_is_marked_still() -> None:
    """Given Broken units with markers, when boats have come for 2 steps since, then the one of 1 rallies."""
    lost = {"broken": True, "isolated": True}
    table = laid_out()
    alter(table, **linked_by(BOATS, units={unit: GARRISON[unit] | lost for unit in ("jp_41reg", "jp_engr3")}))
    table = Table(PACIFIC_WAR, table.state, Scripted([(10,)]))
    rally(table)

    assert 0 == dice_left(table)
    troops = table.state.own[JAPAN].ground
    assert (True, False) == (troops["jp_41reg"].broken, troops["jp_engr3"].broken)


def test_p11_7_p20_1_p20_2_1_activation_costs_double_where_no_headquarters_reaches() -> None:
    """Given 9 points, then what a link alone supports costs 2 and may be activated; the rest not at all."""
    table = activating(**linked_by(TOKYO_EXPRESS))
    board, own = table.state.open, table.state.own[JAPAN]
    here = {"jp_41reg", "jp_engr3", "jp_kure5", "jp_ichiki"}
    assert here - {"jp_ichiki"} == activatable(table, JAPAN) & here
    assert 2 == price(board, own, "jp_41reg")
    assert 1 == price(board, own, "jp_84gd")  # in Rabaul
    assert 1 == price(board, own, "jp_ichiki")  # not supported, and not marked yet

    take(table, JAPAN, Activate("jp_41reg"))
    assert {"hq_sea": 7} == table.state.own[JAPAN].means.points
    take(table, JAPAN, UndoActivation("jp_41reg"))
    assert {"hq_sea": 9} == table.state.own[JAPAN].means.points


def test_p11_7_p20_1_it_is_not_doubled_twice_nor_where_a_headquarters_reaches() -> None:
    marked = linked_by(TOKYO_EXPRESS, units={"jp_41reg": {"hex": HERE, "isolated": True}})
    table = activating(**marked)
    assert 2 == price(table.state.open, table.state.own[JAPAN], "jp_41reg")

    back = linked_by(TOKYO_EXPRESS) | {"posts": {"hq_sea": Post("rabaul"), "hq_cf": Post()}}
    table = activating(**back)
    assert 1 == price(table.state.open, table.state.own[JAPAN], "jp_41reg")


def test_p11_7_p20_2_2_what_was_paid_comes_back_although_the_unit_has_gone_aboard() -> None:
    """Given a battalion that a link supports, when it has gone aboard, then 2 points come back for it."""
    units = {"dd_jp24": {"port": "guadalcanal"}}
    table = activating(**linked_by(TOKYO_EXPRESS, units=units))
    take(table, JAPAN, Activate("dd_jp24"))
    take(table, JAPAN, Activate("jp_engr3"))
    assert {"hq_sea": 5} == table.state.own[JAPAN].means.points
    take(table, JAPAN, Embark("jp_engr3"), Aboard("J1"))
    assert not table.state.own[JAPAN].ground["jp_engr3"].hex

    take(table, JAPAN, UndoActivation("jp_engr3"))
    assert {"hq_sea": 7} == table.state.own[JAPAN].means.points


# its end, and who sees what


@pytest.mark.parametrize("link", [TOKYO_EXPRESS, BOATS, FLIGHT])
def test_p11_7_p2_6_it_ends_when_its_location_is_captured(link: EmergencyLink) -> None:
    table = laid_out()
    alter(table, **linked_by(link))
    boats = table.state.own[JAPAN].means.submarines["truk"]
    capture(table, "guadalcanal", ALLIES)

    means = table.state.own[JAPAN].means
    assert {} == means.emergency
    assert not table.state.open.bases["guadalcanal"].emergency
    assert boats + (link is BOATS) == means.submarines["truk"]
    assert [] == [*invariants_of_state(table.state)]


def test_p11_7_p0_4_1_everybody_sees_where_it_is_and_nobody_else_what_keeps_it_up() -> None:
    """Given links of three kinds, then the enemy and onlookers are told the same of each, to its end."""
    told_of = set()
    for kind, asset in (("destroyer", "dd_jp29"), ("submarine", "truk"), ("air", "jn_tr_1")):
        table = cut_off(units=GARRISON | {"jn_tr_1": Air("rabaul", 2, 1, active=False)})
        pick = EstablishECL("guadalcanal", kind, "hq_sea")  # type: ignore[arg-type]
        facts = [*take(table, JAPAN, pick, *([With(asset)] if pick in table.quiet(JAPAN) else []))]
        capture(table, "guadalcanal", ALLIES)
        facts += table.facts
        shown = (in_sight(facts, ALLIES), in_sight(facts, None))
        assert not any(asset in fact.words() for seen in shown for fact in seen)
        told_of.add((repr(shown), sum(isinstance(fact, MeansAre) for fact in facts)))

    assert 1 == len(told_of)


def test_p11_7_p0_4_1_its_place_is_in_the_view_of_all_its_asset_in_the_owners() -> None:
    table = administration(TRANSPORT, JAPAN, **linked_by(TOKYO_EXPRESS))
    japan, allies = (
        seen.view(PACIFIC_WAR, table.state, Audience.of(side))["table"] for side in (JAPAN, ALLIES)
    )

    assert {"guadalcanal": {"kind": "destroyer", "asset": "dd_jp29"}} == japan["own"]["means"]["emergency"]
    assert japan["locations"]["guadalcanal"]["emergency"]
    assert allies["locations"]["guadalcanal"]["emergency"]
    assert "emergency" not in allies["own"]["means"]
