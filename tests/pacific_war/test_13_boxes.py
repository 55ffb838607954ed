"""P13.2.4 Transfers into the boxes off the map, out of them and between two, and how long they take."""

from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted
from domain.kernel.facts import Rolled
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.boxes import travelling
from domain.pacific_war.board.charts import AIR, BOXES, LOCATIONS
from domain.pacific_war.board.room import hangars
from domain.pacific_war.board.table import Air, Ground, Ship
from domain.pacific_war.decisions.dispositions import (
    BoxTransfer,
    BreakDown,
    Recombine,
    RepairUnit,
    ReplaceAir,
    ReplaceGround,
    SwapLevels,
    To,
    Transport,
    UpgradeAA,
)
from domain.pacific_war.facts.cycle import Covered, There
from domain.pacific_war.facts.intelligence import show
from domain.pacific_war.facts.silence import sealed
from domain.pacific_war.months import transfers, transport
from domain.pacific_war.operations.eligible import idle
from tests import seen
from tests.pacific_war.board import Die, dice_left, told
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
    sight,
)
from tests.pacific_war.clash import act
from tests.pacific_war.invariants import invariants_of_state

POINTS = {"AL_US": 10, "AL_CW": 4}
HAWAII = "us_1e_haw"


def shipping(*dice: Die, **changes: Any) -> Table:
    """Return the war of January 1942 at the strategic transport of the Allies."""
    return administration(TRANSPORT, ALLIES, *dice, table=laid_out("1942-01", "S1"), **changes)


def ends(table: Table, unit: str) -> list[str]:
    """Return where a unit can be transferred; nothing if it is not listed."""
    if BoxTransfer(unit) not in of(table, ALLIES, BoxTransfer):
        return []
    found = after(table, ALLIES, BoxTransfer(unit)) if BoxTransfer(unit) in table.quiet(ALLIES) else ()
    return [one.place for one in found if isinstance(one, To)] or ["one"]


def left(table: Table) -> dict[str, int]:
    points: dict[str, int] = table.state.own[ALLIES].means.transport
    return points


# where to


@pytest.mark.parametrize(
    ("unit", "place", "found"),
    [
        ("dd_us17", "uswc", ["aus_s", "dutch_harbor", "pearl_harbor"]),
        ("dd_us17", "aus_s", ["fremantle", "sydney", "uswc"]),
        ("dd_us17", "pearl_harbor", ["one"]),
        ("dd_us17", "sydney", ["one"]),
        ("dd_us17", "colombo", []),  # no box of its nation
        ("dd_us17", "brisbane", []),  # no entry port
        ("ca_cw1", "india_w", ["colombo", "trincomalee"]),
        ("ca_cw1", "aus_s", ["fremantle", "sydney"]),  # not to the West Coast
        ("ca_cw1", "sydney", ["one"]),
        ("ca_cw1", "calcutta", []),  # Chengtu is for aircraft
    ],
)
def test_p13_2_4_p13_1_between_a_box_of_its_nation_and_its_entry_ports_or_the_two_boxes(
    unit: str, place: str, found: list[str]
) -> None:
    table = shipping(units={unit: Ship(port=place, active=False)})

    assert found == ends(table, unit)


def test_p13_2_4_only_aircraft_go_to_chengtu() -> None:
    at_ledo = Ground(LOCATIONS["ledo"].hex, steps=3, active=False)
    table = shipping(units={"us_1e_haw": Air("calcutta", 2, 1, active=False), "us_24div": at_ledo})

    assert ["one"] == ends(table, "us_1e_haw")
    assert [] == ends(table, "us_24div")
    act(table, ALLIES, BoxTransfer("us_1e_haw"))
    assert "chengtu" == table.state.own[ALLIES].air["us_1e_haw"].home


def test_p13_2_4_p13_2_3_the_entry_port_is_friendly_linked_without_the_enemy_and_has_room() -> None:
    ship = {"dd_us17": Ship(port="uswc", active=False)}
    pearl = LOCATIONS["pearl_harbor"].hex
    assert "pearl_harbor" in ends(shipping(units=ship), "dd_us17")

    for change in (
        {"bases": {"pearl_harbor": {"control": JAPAN}}},
        {"bases": {"pearl_harbor": {"port": 0}}},
        {"units": ship | {"jp_ichiki": Ground(pearl, steps=3, active=False)}},
    ):
        assert "pearl_harbor" not in ends(shipping(**({"units": ship} | change)), "dd_us17")


@pytest.mark.parametrize("state", [{"active": True}, {"isolated": True}])
def test_p13_2_4_p13_2_1_only_inactive_units_that_are_not_isolated(state: dict[str, Any]) -> None:
    table = shipping(units={"dd_us17": Ship(port="pearl_harbor", **({"active": False} | state))})

    assert [] == ends(table, "dd_us17")


# what it costs


def test_p13_2_4_p13_1_a_ship_costs_nothing_others_as_when_they_are_carried() -> None:
    """Given a ship, 4 steps and an air unit at Pearl Harbor, then they cost 0, 2 and 1 of the Americans."""
    pearl = LOCATIONS["pearl_harbor"].hex
    units = {
        "dd_us17": Ship(port="pearl_harbor", active=False),
        "us_24div": Ground(pearl, steps=4, active=False),
        "us_1e_haw": Air("pearl_harbor", 2, 1, active=False),
    }
    table = shipping(units=units, entered=True, means={ALLIES: {"transport": POINTS}})
    for unit, points in (("dd_us17", 10), ("us_24div", 8), ("us_1e_haw", 7)):
        act(table, ALLIES, BoxTransfer(unit))
        assert POINTS | {"AL_US": points} == left(table)

    poor = {"means": {ALLIES: {"transport": {"AL_US": 1}}}, "entered": True}
    table = shipping(units=units, **poor)
    assert ["dd_us17", "us_1e_haw"] == [u for u in units if BoxTransfer(u) in of(table, ALLIES, BoxTransfer)]


def test_p13_2_4_p13_1_a_crippled_ship_far_away_is_carried_to_a_box_for_a_point() -> None:
    """Given a crippled destroyer at Brisbane, then the West Coast costs a point."""
    hurt = {"dd_us17": Ship(port="brisbane", damage=2, active=False)}
    table = shipping(units=hurt, entered=True, means={ALLIES: {"transport": POINTS}})
    places = [one.place for one in after(table, ALLIES, Transport("dd_us17")) if isinstance(one, To)]
    assert {"uswc", "aus_s"} <= set(places)
    assert "india_w" not in places
    act(table, ALLIES, Transport("dd_us17"), To("uswc"))

    own = table.state.own[ALLIES]
    assert POINTS | {"AL_US": 9} == left(table)
    assert ("uswc", True) == (own.ships["dd_us17"].port, travelling(own, "dd_us17"))

    whole = shipping(units={"dd_us17": Ship(port="brisbane", active=False)})
    assert Transport("dd_us17") not in of(whole, ALLIES, Transport)


def test_p13_2_4_p13_2_5_patrols_attack_who_sails_to_the_entry_port_of_a_box() -> None:
    """Given a patrol at Pearl Harbor, when a crippled ship of Brisbane goes to the West Coast, it attacks."""
    hurt = {"dd_us17": Ship(port="brisbane", damage=2, active=False)}
    patrols = {LOCATIONS["pearl_harbor"].hex: (JAPAN, 4)}
    table = shipping(9, units=hurt, patrols=patrols)
    act(table, ALLIES, Transport("dd_us17"), To("uswc"))

    assert 0 == dice_left(table)  # no contact
    assert "uswc" == table.state.own[ALLIES].ships["dd_us17"].port


# room


def flown(box: str, count: int) -> dict[str, Any]:
    """Return so many American air units in a box; the fighters of Hawaii are at Pearl Harbor."""
    land = [unit.id for unit in AIR.values() if unit.nat == "US" and not unit.carrier and unit.id != HAWAII]
    there = Air(box, 1, 1, active=False)
    return dict.fromkeys(land[:count], there) | {HAWAII: Air("pearl_harbor", 2, 1, active=False)}


@pytest.mark.parametrize(("count", "found"), [(19, ["one"]), (20, [])])
def test_p13_2_3_p2_3_2_the_west_coast_has_room_for_20_air_units(count: int, found: list[str]) -> None:
    table = shipping(units=flown("uswc", count))

    assert found == ends(table, HAWAII)


@pytest.mark.parametrize(("count", "found"), [(7, ["one"]), (8, [])])
def test_p13_2_3_p2_3_2_chengtu_has_room_for_8(count: int, found: list[str]) -> None:
    table = shipping(units=flown("chengtu", count) | {HAWAII: Air("calcutta", 2, 1, active=False)})

    assert found == ends(table, HAWAII)


def test_p13_2_4_p13_2_3_carrier_groups_aboard_and_units_without_steps_take_no_room() -> None:
    units = flown("uswc", 20)
    units[next(iter(units))] = Air("uswc", 0, 1, active=False)
    table = shipping(units=units | {"cv_enterprise": Ship(port="uswc", active=False)})
    assert "cv_enterprise" == table.state.own[ALLIES].air["cvg_enterprise"].home

    assert ["one"] == ends(table, HAWAII)


def test_p13_2_4_p13_2_3_who_is_on_the_way_has_his_room_where_he_goes() -> None:
    """Given 20 air units on the West Coast, of which one has left for Australia, where 19 are."""
    units = flown("uswc", 20)
    gone, *others = sorted(units.keys() - {HAWAII})
    table = shipping(units=units, means={ALLIES: {"crossing": {gone: "aus_s"}}}, entered=True)
    table.state.own[ALLIES].means.transport = POINTS
    board, own = table.state.open, table.state.own[ALLIES]
    assert "uswc" in hangars(board, own, BOXES)

    away = [unit.id for unit in AIR.values() if unit.nat == "CW" and not unit.carrier][:19]
    own.air |= dict.fromkeys(away, Air("aus_s", 1, 1, active=False))
    assert "aus_s" not in hangars(board, own, BOXES)
    assert "aus_s" not in transfers.destinations(sight(table, ALLIES), others[0])
    own.air |= {away[0]: Air("sydney", 1, 1, active=False)}
    assert "aus_s" in transfers.destinations(sight(table, ALLIES), others[0])


# how long it takes


def test_p13_2_4_who_has_gone_into_a_box_is_there_at_once_and_goes_no_further_this_month() -> None:
    table = shipping(units={"dd_us17": Ship(port="pearl_harbor", active=False)})
    act(table, ALLIES, BoxTransfer("dd_us17"))

    assert "uswc" == table.state.own[ALLIES].ships["dd_us17"].port
    assert [] == ends(table, "dd_us17")
    assert [] == [*invariants_of_state(table.state)]


def test_p13_2_4_between_two_boxes_it_arrives_in_p5_1_i_of_the_next_month() -> None:
    table = shipping(units={"dd_us17": Ship(port="uswc", active=False)})
    act(table, ALLIES, BoxTransfer("dd_us17"), To("aus_s"))
    own = table.state.own[ALLIES]
    assert ("uswc", {"dd_us17": "aus_s"}) == (own.ships["dd_us17"].port, own.means.crossing)
    found = seen.view(PACIFIC_WAR, table.state, Audience.of(ALLIES))["table"]["own"]["means"]
    assert {"dd_us17": "aus_s"} == found["crossing"]

    table.state.stack = []
    table = administration(TRANSPORT, ALLIES, table=table, month="1942-02")
    own = table.state.own[ALLIES]
    assert ("aus_s", {}) == (own.ships["dd_us17"].port, own.means.crossing)
    assert ends(table, "dd_us17")  # it may go on


def test_p13_2_4_a_ship_that_is_sunk_after_it_has_come_out_does_not_come_back() -> None:
    table = laid_out("1942-02", "S1")
    alter(table, units={"dd_us17": Ship(damage=2)}, means={ALLIES: {"crossing": {"dd_us17": "pearl_harbor"}}})
    transport.enter(table, ALLIES)

    own = table.state.own[ALLIES]
    assert ("", {}) == (own.ships["dd_us17"].port, own.means.crossing)


def test_p13_2_4_it_is_activated_from_the_next_month_on() -> None:
    table = shipping(units={"dd_us17": Ship(port="uswc", active=False)})
    act(table, ALLIES, BoxTransfer("dd_us17"), To("pearl_harbor"))
    board, own = table.state.open, table.state.own[ALLIES]
    assert "pearl_harbor" == own.ships["dd_us17"].port
    assert "dd_us17" not in idle(board, own, ALLIES)

    transport.enter(table, ALLIES)
    assert "dd_us17" in idle(board, own, ALLIES)


def test_p13_2_4_a_carrier_takes_her_group_with_her() -> None:
    units = {"cv_saratoga": Ship(port="uswc", active=False)}
    table = shipping(units=units)
    act(table, ALLIES, BoxTransfer("cv_saratoga"), To("pearl_harbor"))

    own = table.state.own[ALLIES]
    assert "cv_saratoga" == own.air["cvg_saratoga"].home
    assert travelling(own, "cvg_saratoga")
    assert [] == [*invariants_of_state(table.state)]


TRAVELLED = {"crossing": dict.fromkeys(["dd_us17", "aa_us1", "us_1e_haw", "us_24div"], "pearl_harbor")}
PEARL = LOCATIONS["pearl_harbor"].hex
THERE = {
    "dd_us17": Ship(port="pearl_harbor", active=False, damage=1),
    "aa_us1": Ship(port="pearl_harbor", active=False),
    "us_1e_haw": Air("pearl_harbor", 2, 1, active=False),
    "us_1e_mag21": Air("pearl_harbor", 2, 0, active=False),
    "us_24div": Ground(PEARL, steps=4, active=False),
}


@pytest.mark.parametrize(
    ("rule", "decision"),
    [
        (DOCKYARDS, RepairUnit("dd_us17")),
        (REPLACEMENTS, ReplaceAir("us_1e_haw")),
        (REPLACEMENTS, SwapLevels("us_1e_haw")),
        (REPLACEMENTS, ReplaceGround("us_24div")),
        (REPLACEMENTS, BreakDown("us_24div")),
        (REPLACEMENTS, UpgradeAA("aa_us1", "hq_cincpac")),
    ],
)
def test_p13_2_4_this_month_it_is_not_repaired_filled_up_or_changed(rule: str, decision: Any) -> None:
    for travelled in (False, True):
        means = {"points": {"hq_cincpac": 20}} | (TRAVELLED if travelled else {})
        table = administration(
            rule, ALLIES, table=laid_out("1943-02", "S1"), units=THERE, means={ALLIES: means}
        )
        assert travelled == (decision not in table.prompts[ALLIES].options)


@pytest.mark.parametrize("travelled", [False, True])
def test_p13_2_4_p15_2_3_nobody_is_mended_with_one_that_came_by_a_box_this_month(travelled: bool) -> None:
    mates = {ship: Ship(port="pearl_harbor", active=False, damage=2) for ship in ("dd_us17", "dd_us1")}
    means = TRAVELLED if travelled else {}
    table = administration(
        DOCKYARDS, ALLIES, table=laid_out("1942-02", "S1"), units=mates, means={ALLIES: means}
    )

    assert travelled == (Recombine("dd_us1") not in table.prompts[ALLIES].options)


# who sees it


def test_p13_2_4_p0_4_1_who_goes_into_a_box_is_seen_no_more_and_what_is_in_it_is_nobodys_to_know() -> None:
    table = shipping(units={"dd_us17": Ship(port="pearl_harbor", active=False)})
    show(table, ships=["dd_us17"])
    facts = act(table, ALLIES, BoxTransfer("dd_us17"))

    assert ("dd_us17",) == told(facts, Covered)[0].ships
    for viewer in (None, JAPAN):
        shown = [one for one in facts if Audience.of(viewer).sees(one.audience())]
        assert all(isinstance(one, Covered | There) for one in shown)
    assert [] == told(facts, Rolled)


def test_p13_2_4_a_port_that_is_left_by_the_last_ship_is_told_to_be_empty() -> None:
    table = shipping(units={"dd_us17": Ship(port="dutch_harbor", active=False)})
    alone = sum(one.port == "dutch_harbor" for one in table.state.own[ALLIES].ships.values())
    facts = act(table, ALLIES, BoxTransfer("dd_us17"))

    assert ([There("ports", ALLIES, "dutch_harbor", there=False)] if alone == 1 else []) == told(facts, There)
    assert "dd_us17" not in [one.unit for one in of(table, ALLIES, BoxTransfer)]
    assert sight(table, ALLIES).own.means.crossing == {"dd_us17": "uswc"}


@pytest.mark.parametrize(
    ("at", "to"), [("uswc", ""), ("pearl_harbor", "pearl_harbor"), ("uswc", "uswc"), ("uswc", "aus_s")]
)
def test_p13_2_4_p0_4_1_as_much_is_sealed_at_an_arrival_whoever_was_on_the_way(at: str, to: str) -> None:
    crossing = {"dd_us17": to} if to else {}
    table = laid_out("1942-01", "S1")
    alter(
        table,
        units={"dd_us17": Ship(port=at, active=False)},
        means={ALLIES: {"crossing": crossing}},
    )
    arriving = Table(PACIFIC_WAR, table.state, Scripted(()))
    transfers.arrive(arriving, ALLIES)

    assert 2 == sealed(arriving)
    assert {} == arriving.state.own[ALLIES].means.crossing
