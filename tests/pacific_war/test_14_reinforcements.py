"""P14 Reinforcements: headquarters and penalised ships are back, units come; submarine points are shared."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war.board.campaigns import CAMPAIGNS, months
from domain.pacific_war.board.charts import AIR, GROUND, GROUPS, SHIPS, SIDES
from domain.pacific_war.board.table import Air, Ground, Ship
from domain.pacific_war.board.war import Post
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.dispositions import (
    AssignSubs,
    BuildSubCommand,
    PlaceHQ,
    PlaceReinforcement,
    RecallSubs,
    To,
)
from domain.pacific_war.facts.cycle import BaseIs, There
from domain.pacific_war.facts.months import PostIs
from tests.pacific_war.board import options, told
from tests.pacific_war.campaign import (
    ALLIES,
    ARRIVALS,
    HQS,
    JAPAN,
    PENALTY,
    SUBMARINES,
    administration,
    laid_out,
    of,
    through,
)
from tests.pacific_war.clash import act, check

LOST_LINKS = {"hq_sopac": Post(), "hq_swpa": Post()}
"""The Allies have no headquarters: nothing of theirs is Linked."""

FAR: dict[str, Any] = {
    "posts": {"hq_sopac": Post(), "hq_swpa": Post("funafuti")},
    "bases": {"espiritu_santo": {"osb": False}, "port_moresby": {"osb": False}},
}
"""The one headquarters of the Allies is so far east that Brisbane is out of its links."""


def places(table: Table, side: int) -> list[str]:
    """Return where the unit that is placed can go."""
    return [one.place for one in of(table, side, To)]


def where(table: Table, unit: str) -> Any:
    """Return a unit of either side, or None if it has not come."""
    for own in table.state.own:
        for units in (own.ships, own.air, own.ground):
            book: Mapping[str, Any] = units
            if unit in book:
                return book[unit]
    return None


# P14.1


@pytest.mark.parametrize("month", months("C1"))
@pytest.mark.parametrize("side", [JAPAN, ALLIES])
def test_p14_1_what_the_scenario_lists_for_the_month_comes_to_its_place(side: int, month: str) -> None:
    """Given no choice but that of an airbase that is full, then all are where they are listed, inactive."""
    table = administration(ARRIVALS, side, month=month, units={"us_4e_11bg": {"home": "noumea"}})
    rows = [row for row in CAMPAIGNS["C1"].reinforcements if (row.side, row.month) == (SIDES[side], month)]

    check(table)
    for row in rows:
        for unit in row.units:
            spot = table.state.open.bases[row.at] and row.at
            if unit in SHIPS:
                assert Ship(port=spot, active=False) == where(table, unit)
            elif unit in AIR:
                assert Air(spot, AIR[unit].steps, AIR[unit].level, active=False) == where(table, unit)
            else:
                assert GROUND[unit].steps == where(table, unit).steps
                assert not where(table, unit).active
    assert () == table.state.own[side].means.waiting


def test_p14_1_p0_5_units_are_placed_by_id_and_where_there_is_one_place_unasked() -> None:
    table = administration(ARRIVALS, JAPAN)

    placed = [one for one in table.facts if isinstance(one, There)]
    assert [] == [one.place for one in placed if one.side != JAPAN]
    assert "14.1" not in {prompt.rule for prompt in table.prompts.values()}
    assert ("truk", "rabaul") == (where(table, "cv_shokaku").port, where(table, "jn_1e_26af").home)


def test_p14_1_a_full_base_sends_it_to_any_linked_one_of_the_kind_with_room() -> None:
    """Given Espiritu Santo with an airbase of size 1 and 2 air units, then Marine fighters go elsewhere."""
    table = administration(ARRIVALS, ALLIES)
    assert "14.1" == table.prompts[ALLIES].rule
    assert [
        "brisbane",
        "cairns",
        "efate",
        "funafuti",
        "milne_bay",
        "noumea",
        "port_moresby",
        "suva",
        "townsville",
    ] == places(table, ALLIES)
    assert Done() not in options(table, ALLIES)  # it must be placed
    act(table, ALLIES, To("efate"))

    assert Air("efate", 4, 1, active=False) == where(table, "us_1e_mag23")
    assert () == table.state.own[ALLIES].means.waiting


@pytest.mark.parametrize(
    "base", [{"control": JAPAN}, {"airbase": 0}], ids=["not friendly", "without an airbase"]
)
def test_p14_1_so_does_one_that_is_not_friendly_or_has_no_airbase(base: dict[str, int]) -> None:
    table = administration(ARRIVALS, ALLIES, month="1942-09", bases={"brisbane": base})

    assert "cw_2e_beau" in table.state.own[ALLIES].means.waiting
    assert places(table, ALLIES)
    assert "brisbane" not in places(table, ALLIES)


def test_p14_1_so_does_one_that_is_not_linked() -> None:
    table = administration(ARRIVALS, ALLIES, month="1942-09", **FAR)

    assert "Choose where [cw_2e_beau] comes." == table.prompts[ALLIES].text
    assert ["efate", "funafuti", "noumea", "suva", "tarawa"] == places(table, ALLIES)


def test_p14_1_a_ship_needs_a_port_with_room() -> None:
    """Given Noumea's port of size 1 and 3 ships there, then 3 of 7 come to it, the others where they can."""
    table = administration(ARRIVALS, ALLIES, month="1942-09", bases={"noumea": {"port": 1}})
    own = table.state.own[ALLIES]

    assert 6 == sum(ship.port == "noumea" for ship in own.ships.values())
    assert "noumea" not in places(table, ALLIES)
    assert "woodlark" not in places(table, ALLIES)  # it has no port


def test_p14_1_p2_7_a_ground_unit_needs_room_to_stack() -> None:
    table = administration(
        ARRIVALS, ALLIES, month="1942-12", units={"us_37div": {"hex": "5747", "steps": 40}}
    )

    assert "noumea" not in places(table, ALLIES)  # 40, 9, 3, 1 and 9 are more than 60
    assert {"brisbane", "suva"} <= set(places(table, ALLIES))


def test_p14_1_with_no_place_free_it_waits_and_is_offered_again() -> None:
    table = administration(ARRIVALS, ALLIES, month="1942-12", posts=LOST_LINKS)
    assert ("us_25div",) == table.state.own[ALLIES].means.waiting
    assert where(table, "us_25div") is None

    table.state.stack = []
    back = administration(ARRIVALS, ALLIES, table=table, month="1942-12", posts={"hq_sopac": Post("noumea")})
    assert "us_25div" in back.state.own[ALLIES].ground


def test_p14_1_carriers_bring_their_groups_named_or_not() -> None:
    table = administration(ARRIVALS, ALLIES, month="1942-09")
    assert "cvg_hornet" == GROUPS["cv_hornet"]
    group = AIR["cvg_hornet"]

    assert Air("cv_hornet", group.steps, group.level, active=False) == where(table, "cvg_hornet")


def test_p14_1_units_with_a_day_are_barred_until_it() -> None:
    table = administration(ARRIVALS, JAPAN)
    barred = table.state.own[JAPAN].means.barred

    assert (15, 15) == (barred["cv_shokaku"], barred["jp_kawa"])
    assert "jn_1e_26af" not in barred  # Rabaul's airmen may fly at once

    table.state.stack = []
    later = administration(ARRIVALS, JAPAN, table=table, month="1942-09")
    assert {} == later.state.own[JAPAN].means.barred


def test_p14_1_who_has_waited_for_a_month_is_barred_no_more() -> None:
    table = administration(ARRIVALS, ALLIES, posts=LOST_LINKS)
    assert ("us_1e_mag23",) == table.state.own[ALLIES].means.waiting

    table.state.stack = []
    posts = {"hq_sopac": Post("noumea"), "hq_swpa": Post("brisbane")}
    later = administration(ARRIVALS, ALLIES, table=table, month="1942-09", posts=posts)
    act(later, ALLIES, To("efate"))
    assert {} == later.state.own[ALLIES].means.barred


def test_p14_1_p0_4_1_nobody_else_sees_what_has_come_only_where() -> None:
    """Given Nauru's empty airbase, then only presence is told; a place where others were says nothing."""
    table = administration(ARRIVALS, ALLIES)
    facts = act(table, ALLIES, To("funafuti"))

    assert [There("airfields", ALLIES, "funafuti", there=True)] == [
        fact for fact in facts if fact.audience().name == "ALL"
    ]


def test_p14_1_p0_4_1_who_comes_among_enemies_is_public() -> None:
    table = administration(ARRIVALS, ALLIES, month="1942-12", units={"jp_engr3": {"hex": "5747"}})

    assert {"us_25div", "jp_engr3"} <= table.state.open.ground.keys()


# P20.2.3.F


def penalised(month: str = "1942-08", **changes: Any) -> Table:
    """Return a table with a carrier and a loaded transport in Japan's Penalty box since July."""
    units = {
        "cvl_ryujo": Ship(active=False),
        "cvg_ryujo": Air("cvl_ryujo", 2, 1, active=False),
        "aa_jp10": {"port": ""},
        "jp_kure5": {"hex": "", "aboard": {"aa_jp10": 2}},
    }
    box = {"aa_jp10": "1942-08", "cvl_ryujo": "1942-09"}
    more = changes.pop("units", {})
    return administration(
        PENALTY, JAPAN, month=month, units=units | more, means={JAPAN: {"penalty": box}}, **changes
    )


def test_p20_2_3_r_89_a_ship_comes_back_from_its_month_on_where_its_owner_likes() -> None:
    table = penalised()
    assert "20.2.3" == table.prompts[JAPAN].rule
    assert "truk" in places(table, JAPAN)
    assert Done() not in options(table, JAPAN)
    act(table, JAPAN, To("kavieng"))

    own = table.state.own[JAPAN]
    assert Ship(port="kavieng", active=False) == own.ships["aa_jp10"]
    assert {"cvl_ryujo": "1942-09"} == own.means.penalty
    assert "20.2.3" != table.prompts[JAPAN].rule


def test_p20_2_3_its_cargo_lands_there_and_its_group_is_with_it() -> None:
    table = penalised("1942-09")
    act(table, JAPAN, To("kavieng"))
    act(table, JAPAN, To("truk"))

    own = table.state.own[JAPAN]
    assert Ground("4736", {}, 2, active=False) == own.ground["jp_kure5"]
    assert ("truk", 2) == (own.ships["cvl_ryujo"].port, own.air["cvg_ryujo"].steps)
    assert {} == own.means.penalty


def test_p20_2_3_the_port_is_friendly_linked_and_has_room() -> None:
    table = penalised(
        posts={"hq_cf": Post()},
        bases={"lae": {"control": ALLIES}},
        units={f"dd_jp{n}": Ship(port="wewak", active=False) for n in (2, 4, 10, 11, 15, 16)},
    )

    assert "kavieng" in places(table, JAPAN)
    assert not {"lae", "wewak", "kwajalein", "gasmata"} & set(places(table, JAPAN))


def test_p20_2_3_p2_7_there_is_room_ashore_for_its_cargo() -> None:
    full = {"jp_41reg": {"hex": "4736", "steps": 57}}  # with 2 steps there already

    assert "kavieng" not in places(penalised(units=full), JAPAN)


def test_p20_2_3_without_a_port_it_is_next_month() -> None:
    table = penalised(posts={"hq_cf": Post(), "hq_sea": Post()})

    assert {"aa_jp10": "1942-08", "cvl_ryujo": "1942-09"} == table.state.own[JAPAN].means.penalty


# P11.2.1.3


def test_p11_2_1_3_a_disbanded_headquarters_is_placed_again_in_its_month() -> None:
    posts = {"hq_sopac": Post(returns="1942-09")}
    assert "11.2.1" not in {
        prompt.rule for prompt in administration(HQS, ALLIES, posts=posts).prompts.values()
    }

    table = administration(HQS, ALLIES, posts=posts, month="1942-09")
    assert [PlaceHQ("hq_sopac", "noumea"), PlaceHQ("hq_sopac", "suva")] == of(table, ALLIES, PlaceHQ)
    assert Done() not in options(table, ALLIES)
    facts = act(table, ALLIES, PlaceHQ("hq_sopac", "suva"))
    assert [PostIs("hq_sopac", Post("suva"), "is placed again")] == told(facts, PostIs)
    assert "11.2.1" != table.prompts[ALLIES].rule


def test_p11_2_1_3_with_no_site_free_it_is_offered_again() -> None:
    away = {place: {"control": JAPAN} for place in ("noumea", "suva")}
    posts = {"hq_sopac": Post(returns="1942-08")}
    table = administration(HQS, ALLIES, posts=posts, bases=away)
    assert table.state.open.war is not None
    assert Post(returns="1942-08") == table.state.open.war.posts["hq_sopac"]

    table.state.stack = []
    later = administration(HQS, ALLIES, table=table, month="1942-09", bases={"noumea": {"control": ALLIES}})
    assert later.state.open.war is not None
    assert Post("noumea") == later.state.open.war.posts["hq_sopac"]  # the one site there is


# P14.2, P14.6


def test_p14_2_p14_3_r_69_in_c1_all_points_begin_at_the_commands_and_no_more_come() -> None:
    for month in months("C1"):
        table = laid_out(month)
        assert [{"truk": 2, "rabaul": 2}, {"brisbane": 4}] == [
            own.means.submarines for own in table.state.own
        ]
        for side in (JAPAN, ALLIES):
            begun = administration(SUBMARINES, side, table=laid_out(month))
            assert 0 == begun.state.own[side].means.pool
            assert [] == of(begun, side, RecallSubs, AssignSubs)  # there is no other Command


def subs(**changes: Any) -> Table:
    """Return a table at the submarines of the Allies, who have another Command at Noumea."""
    return administration(SUBMARINES, ALLIES, bases={"noumea": {"command": True}}, **changes)


def test_p14_2_points_are_recalled_first_then_assigned_each_command_once() -> None:
    table = subs()
    assert [RecallSubs("brisbane", n) for n in (1, 2, 3, 4)] == of(table, ALLIES, RecallSubs)
    act(table, ALLIES, RecallSubs("brisbane", 3))
    assert ({"brisbane": 1}, 3) == _points(table)
    assert [] == of(table, ALLIES, RecallSubs)
    act(table, ALLIES, AssignSubs("noumea", 2))

    assert ({"brisbane": 1, "noumea": 2}, 1) == _points(table)
    assert [AssignSubs("brisbane", 1)] == of(table, ALLIES, AssignSubs)
    act(table, ALLIES, Done())
    assert 1 == _points(table)[1]  # what is left stays in the pool


def _points(table: Table) -> tuple[dict[str, int], int]:
    means = table.state.own[ALLIES].means
    return means.submarines, means.pool


def test_p14_2_points_on_patrol_may_be_recalled_and_the_patrol_stands() -> None:
    table = subs(
        patrols={"5340": (ALLIES, 3)},
        means={ALLIES: {"submarines": {"brisbane": 1}, "commands": {"5340": "brisbane"}}},
    )
    assert RecallSubs("brisbane", 4) == of(table, ALLIES, RecallSubs)[-1]
    act(table, ALLIES, RecallSubs("brisbane", 4))

    assert ({"brisbane": -3}, 4) == _points(table)  # 3 come back from patrol in 5.1.N
    assert {"5340": 3} == table.state.own[ALLIES].patrols


def test_p14_2_japan_assigns_what_is_in_its_pool_and_recalls_nothing() -> None:
    table = administration(SUBMARINES, JAPAN, means={JAPAN: {"pool": 2}})

    assert [] == of(table, JAPAN, RecallSubs)
    assert [AssignSubs(place, n) for place in ("rabaul", "truk") for n in (1, 2)] == of(
        table, JAPAN, AssignSubs
    )


def test_p14_6_the_points_of_a_lost_command_return_to_the_pool() -> None:
    table = administration(SUBMARINES, JAPAN, bases={"rabaul": {"command": False}})

    assert ({"truk": 2}, 2) == (
        table.state.own[JAPAN].means.submarines,
        table.state.own[JAPAN].means.pool,
    )


def test_p14_6_p11_8_a_command_costs_3_points_of_the_richest_headquarters() -> None:
    points = {"hq_sopac": 9, "hq_swpa": 9}
    table = administration(SUBMARINES, ALLIES, means={ALLIES: {"points": points}})
    built = of(table, ALLIES, BuildSubCommand)
    ports = ["cairns", "espiritu_santo", "noumea", "port_moresby", "suva", "townsville"]
    assert [BuildSubCommand(port, "hq_sopac") for port in ports] == built
    facts = act(table, ALLIES, BuildSubCommand("noumea", "hq_sopac"))

    assert ["noumea"] == [one.location for one in told(facts, BaseIs)]
    assert table.state.open.bases["noumea"].command
    assert {"hq_sopac": 6, "hq_swpa": 9} == table.state.own[ALLIES].means.points
    ports.remove("noumea")  # one for each location
    assert [BuildSubCommand(port, "hq_swpa") for port in ports] == of(table, ALLIES, BuildSubCommand)


def test_p14_6_it_needs_a_friendly_linked_port_of_size_2_and_the_points() -> None:
    for changes in (
        {"bases": {"townsville": {"port": 1}}},
        {"bases": {"townsville": {"control": JAPAN}}},
        FAR,
    ):
        table = administration(SUBMARINES, ALLIES, means={ALLIES: {"points": {"hq_swpa": 3}}}, **changes)
        assert "townsville" not in {one.port for one in of(table, ALLIES, BuildSubCommand)}

    poor = administration(SUBMARINES, ALLIES, means={ALLIES: {"points": {"hq_swpa": 2, "hq_sopac": 2}}})
    assert [] == of(poor, ALLIES, BuildSubCommand)


def test_p14_5_a_unit_whose_last_hit_is_off_is_fit_without_a_decision() -> None:
    table = administration(ARRIVALS, ALLIES, month="1942-11", units={"dd_us1": {"damage": 0}})
    through(table, ALLIES)

    assert PlaceReinforcement("dd_us1") not in options(table, ALLIES)
    assert "suva" == where(table, "dd_us1").port
