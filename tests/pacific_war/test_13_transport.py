"""P13 Strategic transport: purses and costs, what may be carried, by which paths, past which patrols."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.facts import Padding, RolledUnseen
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import BOXES, LOCATIONS, figures
from domain.pacific_war.board.routes import Ways, airbases, flights, regions_of, sails, way
from domain.pacific_war.board.table import Ground, Ship, TaskForce
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import safe
from domain.pacific_war.decisions.dispositions import MoveHQ, To, Transport
from domain.pacific_war.facts.cycle import Covered, PatrolIs, ShipHit, There, UnitLost
from domain.pacific_war.facts.intelligence import show
from domain.pacific_war.facts.months import LinksAre, PostIs
from domain.pacific_war.months.administration import Administration, chooses
from domain.pacific_war.months.desk import Desk
from domain.pacific_war.months.loads import load, purse
from domain.pacific_war.months.patrols import call_back
from domain.pacific_war.months.transport import sites, spread
from tests.pacific_war.board import dice_left, drawn, rolls, told
from tests.pacific_war.campaign import (
    ALLIES,
    JAPAN,
    TRANSPORT,
    administration,
    after,
    alter,
    campaign_at,
    laid_out,
    of,
    sight,
    through,
)
from tests.pacific_war.clash import act
from tests.pacific_war.invariants import invariants_of_state

CLEAR = {"us_1e_35fg": {"steps": 0, "home": ""}, "cw_1e_raaf": {"steps": 0, "home": ""}}
"""The Allied fighters of New Guinea are gone: the sea round Rabaul is safe for Japan."""


def carried(table: Table, side: int) -> set[str]:
    """Return the units that a side may carry."""
    return {one.unit for one in of(table, side, Transport)}


def goals(table: Table, side: int, unit: str) -> list[str]:
    """Return where a unit may be carried; it has a choice."""
    return [one.place for one in after(table, side, Transport(unit)) if isinstance(one, To)]


def purses(table: Table, side: int) -> dict[str, int]:
    left: dict[str, int] = table.state.own[side].means.transport
    return left


# P13.1


def test_p13_1_a_campaign_names_the_points_of_each_purse() -> None:
    assert {"JP": 6} == purses(administration(TRANSPORT, JAPAN), JAPAN)
    assert {"AL_US": 10, "AL_CW": 4} == purses(administration(TRANSPORT, ALLIES), ALLIES)


@pytest.mark.parametrize(
    ("nation", "name"), [("JP", "JP"), ("US", "AL_US"), ("CN", "AL_US"), ("CW", "AL_CW"), ("NL", "AL_CW")]
)
def test_p13_1_american_points_carry_the_chinese_those_of_the_commonwealth_the_dutch(
    nation: str, name: str
) -> None:
    assert name == purse(nation)


@pytest.mark.parametrize(
    ("unit", "to", "left"),
    [
        ("us_32div", "noumea", (7, 4)),  # 9 steps
        ("us_1mardiv", "noumea", (6, 4)),  # 10 steps
        ("us_3db", "noumea", (9, 4)),  # 1 step
        ("us_2mar", "noumea", (9, 4)),  # 3 steps
        ("au_7bde", "woodlark", (10, 2)),  # 4 steps
        ("us_4e_11bg", "noumea", (9, 4)),
        ("cw_1e_raaf", "cairns", (10, 3)),
        ("ca_us1", "noumea", (9, 4)),
    ],
)
def test_p13_1_a_point_for_3_steps_rounded_up_an_air_unit_or_a_crippled_ship(
    unit: str, to: str, left: tuple[int, int]
) -> None:
    table = administration(TRANSPORT, ALLIES, units={"ca_us1": {"damage": 2}})
    act(table, ALLIES, Transport(unit), To(to))

    assert left == (purses(table, ALLIES)["AL_US"], purses(table, ALLIES)["AL_CW"])


def test_p13_1_a_headquarters_costs_2_american_points() -> None:
    table = administration(TRANSPORT, ALLIES)
    act(table, ALLIES, MoveHQ("hq_swpa"), To("port_moresby"))
    assert {"AL_US": 8, "AL_CW": 4} == purses(table, ALLIES)

    poor = {"transport": {"AL_US": 1, "AL_CW": 4}}
    assert [] == of(administration(TRANSPORT, ALLIES, entered=True, means={ALLIES: poor}), ALLIES, MoveHQ)


def test_p13_1_what_costs_more_than_is_left_is_not_listed() -> None:
    table = administration(TRANSPORT, JAPAN, entered=True, means={JAPAN: {"transport": {"JP": 1}}})

    assert "jp_ichiki" in carried(table, JAPAN)  # 3 steps
    assert "jp_ssd" not in carried(table, JAPAN)  # 4 steps
    act(table, JAPAN, Transport("jp_ichiki"), To("guadalcanal"))
    assert "13.1" != table.prompts[JAPAN].rule  # nothing is left but Done, so it is passed (P0.3)


@pytest.mark.parametrize("side", [JAPAN, ALLIES])
def test_p0_3_1_a_first_pick_is_quiet_if_it_leaves_a_choice_of_where_to(side: int) -> None:
    table = administration(TRANSPORT, side, units={"ca_us1": {"damage": 2}, "dd_jp24": {"damage": 2}})
    board, desk = sight(table, side), Desk(entered=True)
    found = [one for one in table.prompts[side].options if chooses(board, desk, one)]

    assert found
    assert found == [*table.quiet(side)]


def test_p0_3_1_a_first_pick_with_one_second_is_enough() -> None:
    table = administration(TRANSPORT, JAPAN)
    act(table, JAPAN, Transport("jp_sas5"))  # from Kavieng there is a way to Rabaul alone

    assert "4837" == table.state.own[JAPAN].ground["jp_sas5"].hex


# P13.2


@pytest.mark.parametrize(
    ("unit", "state"),
    [
        ("jp_ichiki", {"active": True}),
        ("jp_ichiki", {"broken": True}),
        ("jp_ichiki", {"isolated": True}),
        ("jn_2e_25af", {"active": True}),
        ("jn_2e_25af", {"isolated": True}),
        ("jn_2e_25af", {"steps": 0, "home": ""}),
        ("dd_jp24", {"damage": 1}),  # not crippled
        ("dd_jp24", {"damage": 2, "active": True}),
        ("dd_jp24", {"damage": 2, "isolated": True}),
        ("dd_jp24", {"damage": 2, "port": ""}),
    ],
)
def test_p13_2_p13_2_1_p5_4_3_only_inactive_unbroken_units_that_are_not_isolated(
    unit: str, state: dict[str, Any]
) -> None:
    assert unit in carried(administration(TRANSPORT, JAPAN, units={"dd_jp24": {"damage": 2}}), JAPAN)

    assert unit not in carried(administration(TRANSPORT, JAPAN, units={unit: state}), JAPAN)


def test_p13_2_1_each_unit_once() -> None:
    table = administration(TRANSPORT, ALLIES)
    act(table, ALLIES, Transport("us_3db"), To("noumea"))

    assert "5747" == table.state.own[ALLIES].ground["us_3db"].hex
    assert "us_3db" not in carried(table, ALLIES)


def test_p13_2_1_a_carrier_group_stays_with_its_carrier() -> None:
    table = administration(TRANSPORT, ALLIES, units={"cv_wasp": {"damage": 2}})
    assert "cvg_wasp" not in carried(table, ALLIES)
    act(table, ALLIES, Transport("cv_wasp"), To("brisbane"))

    own = table.state.own[ALLIES]
    assert ("brisbane", "cv_wasp", 5) == (
        own.ships["cv_wasp"].port,
        own.air["cvg_wasp"].home,
        own.air["cvg_wasp"].steps,
    )


def test_p13_2_2_p2_8_nobody_is_carried_away_from_the_enemy() -> None:
    enemy = {"us_3db": {"hex": "4830"}}  # Truk

    assert "jp_ichiki" not in carried(administration(TRANSPORT, JAPAN, units=enemy), JAPAN)


def test_p13_2_2_both_ends_are_linked() -> None:
    """Given Rabaul's headquarters alone, then Truk is within its 10 hexes, and Kwajalein is not."""
    table = administration(TRANSPORT, JAPAN, posts={"hq_cf": Post()})
    assert "ponape" in goals(table, JAPAN, "jp_ichiki")
    assert "kwajalein" not in goals(table, JAPAN, "jp_ichiki")

    table = administration(TRANSPORT, JAPAN, posts={"hq_cf": Post()}, units={"jp_ichiki": {"hex": "5829"}})
    assert "jp_ichiki" not in carried(table, JAPAN)


def test_p13_2_2_both_ends_are_friendly() -> None:
    table = administration(TRANSPORT, JAPAN, bases={"ponape": {"control": ALLIES}})
    assert "ponape" not in goals(table, JAPAN, "jp_ichiki")

    open_land = administration(TRANSPORT, JAPAN, units={"jp_ichiki": {"hex": "4438"}})
    assert "jp_ichiki" not in carried(open_land, JAPAN)


def test_p13_2_2_a_path_shuns_5_hexes_round_an_airbase_with_enemy_aircraft() -> None:
    table = administration(TRANSPORT, JAPAN)
    assert "rabaul" not in goals(table, JAPAN, "jp_ichiki")

    assert "rabaul" in goals(administration(TRANSPORT, JAPAN, units=CLEAR), JAPAN, "jp_ichiki")


@pytest.mark.parametrize(
    ("unit", "dangerous"),
    [("us_1e_49fg", True), ("us_2e_3bg", True), ("us_4e_43bg", True), ("cw_lra_raaf", False)],
)
def test_p13_2_2_fighters_and_bombers_within_5_hexes_not_scouts(unit: str, dangerous: bool) -> None:
    """Given one Allied air unit at Suva alone, then Japan's safe hexes begin 6 hexes away from it."""
    table = laid_out()
    away = {one: {"steps": 0, "home": ""} for one in table.state.own[ALLIES].air if one != unit}
    alter(table, units=away | {unit: {"home": "suva", "steps": 1}})

    far = {distance(one, "6545") for one in safe(table, JAPAN)}
    assert (6 if dangerous else 0) == min(far)


def test_p13_2_2_an_interdicted_airbase_is_no_danger() -> None:
    bases = {place: {"airbase_damage": 2} for place in ("port_moresby", "milne_bay")}
    bases["milne_bay"] = {"airbase_damage": 1}

    assert "rabaul" in goals(administration(TRANSPORT, JAPAN, bases=bases), JAPAN, "jp_ichiki")


def test_p13_2_2_r_50_the_hexes_that_are_safe_are_told_to_their_owner_alone() -> None:
    table = administration(TRANSPORT, JAPAN)

    first = told(table.facts, LinksAre)[0]
    assert JAPAN == first.side
    assert first.safe == table.state.own[JAPAN].means.safe
    assert set(first.safe or ()) != set(table.state.own[ALLIES].means.safe)
    assert "4837" not in (first.safe or ())


def test_p13_2_2_a_path_shuns_enemy_task_forces() -> None:
    table = laid_out()
    assert "5232" in safe(table, JAPAN)
    table.state.open.tfs["A1"] = TaskForce(ALLIES, "5232")

    assert "5232" not in safe(table, JAPAN)


def test_p13_2_2_a_path_may_begin_and_end_in_any_hex() -> None:
    """Given Rabaul and Kavieng side by side, then troops are carried between them all the same."""
    table = administration(TRANSPORT, JAPAN)
    assert not {"4837", "4736"} & set(table.state.own[JAPAN].means.safe)

    assert "kavieng" in goals(table, JAPAN, "jp_41reg")
    assert "rekata" in goals(table, JAPAN, "jp_ichiki")  # a safe hex lies beside it
    assert "5239" not in table.state.own[JAPAN].means.safe


def test_p13_2_2_by_land_through_friendly_locations_and_where_no_enemy_unit_is() -> None:
    """Given Lae and Madang, then troops march by way of an empty hex, and not past an enemy."""
    table = administration(TRANSPORT, JAPAN)
    assert ["buna", "madang", "wewak"] == goals(table, JAPAN, "jp_mid2c")

    shut = {"us_3db": {"hex": "4438"}, "us_147": {"hex": "4338"}, "us_raider": {"hex": "4339"}}
    table = administration(TRANSPORT, JAPAN, units=shut)
    act(table, JAPAN, Transport("jp_mid2c"))
    assert "4539" == table.state.own[JAPAN].ground["jp_mid2c"].hex  # Buna is the one place left


def test_p13_2_2_sea_and_land_change_in_the_hex_of_a_friendly_location_alone() -> None:
    """Given safe seas off Lae, then they are one region with its land only if Lae is friendly."""
    table = laid_out()
    alter(table, units={unit: {"steps": 0, "home": ""} for unit in table.state.own[ALLIES].air})
    waters = safe(table, JAPAN)
    land = frozenset({"4439", "4438"})

    for harbours, joined in ((frozenset({"4439"}), True), (frozenset[str](), False)):
        regions = regions_of(Ways(waters, land, harbours))
        assert joined == (regions["L4439"] == regions["4439"])


def test_p13_2_2_air_units_need_airbases_each_within_twice_their_range() -> None:
    """Given range 3 at Milne Bay, then Townsville is reached by way of Cairns or Port Moresby alone."""
    table = administration(TRANSPORT, ALLIES)
    board = table.state.open
    near = {"cairns", "port_moresby", "townsville"}
    assert near == flights(airbases(board, ALLIES), "cw_1e_raaf", "milne_bay")

    for place in ("cairns", "port_moresby"):
        board.bases[place] = replace(board.bases[place], airbase=0)
    assert set() == flights(airbases(board, ALLIES), "cw_1e_raaf", "milne_bay")


def test_p13_2_3_p2_3_2_an_airbase_has_room() -> None:
    """Given Port Moresby with 2 of 4 units, then a third and a fourth come, and no fifth."""
    table = administration(TRANSPORT, ALLIES, units={"us_1e_49fg": {"home": "port_moresby"}})
    assert "port_moresby" in goals(table, ALLIES, "us_2e_3bg")

    full = {"us_1e_49fg": {"home": "port_moresby"}, "us_4e_43bg": {"home": "port_moresby"}}
    assert "port_moresby" not in goals(administration(TRANSPORT, ALLIES, units=full), ALLIES, "us_2e_3bg")


def test_p13_2_3_p2_7_12_steps_on_an_atoll() -> None:
    table = administration(TRANSPORT, ALLIES, units={"us_147": {"hex": "6639", "steps": 2}})
    assert "funafuti" in goals(table, ALLIES, "us_1mardiv")  # 10 steps

    table = administration(TRANSPORT, ALLIES, units={"us_147": {"hex": "6639", "steps": 3}})
    assert "funafuti" not in goals(table, ALLIES, "us_1mardiv")


def test_p13_2_3_p2_3_1_a_port_has_room() -> None:
    """Given Efate's port of size 1 with 6 ships, then no crippled ship goes there."""
    ships = ("dd_us2", "dd_us4", "dd_us5", "dd_us7", "dd_us8", "dd_us22")
    crippled = {"ca_us1": {"damage": 2}}
    for count, there in ((5, True), (6, False)):
        units = crippled | {ship: {"port": "efate"} for ship in ships[:count]}
        table = administration(TRANSPORT, ALLIES, units=units)
        assert there == ("efate" in goals(table, ALLIES, "ca_us1"))


def test_p13_2_3_no_enemy_ground_unit_is_there() -> None:
    table = administration(TRANSPORT, ALLIES, units={"jp_engr3": {"hex": "5747"}, "ca_us1": {"damage": 2}})

    assert "noumea" not in goals(table, ALLIES, "us_32div")
    assert "noumea" not in goals(table, ALLIES, "ca_us1")
    assert "noumea" not in goals(table, ALLIES, "us_2e_3bg")


# P13.2.5

CRIPPLED: dict[str, dict[str, Any]] = {"dd_us1": {"damage": 2}}
ON_THE_WAY = {"6047": (JAPAN, 2)}
"""A patrol beside the way from Suva to Noumea: 6545, 6446, 6346, 6247, 6147, 6048, 5948, 5848, 5747."""


def voyage(*dice: int | tuple[int, ...], **changes: Any) -> Table:
    """Return a table on which a crippled destroyer unit sails from Suva to Noumea, with these dice."""
    table = administration(TRANSPORT, ALLIES, *dice, units=CRIPPLED, **changes)
    table.facts = act(table, ALLIES, Transport("dd_us1"), To("noumea"))
    return table


def test_p13_2_5_a_crippled_ship_takes_the_shortest_safe_way() -> None:
    table = administration(TRANSPORT, ALLIES)
    own = table.state.own[ALLIES]

    assert ("6545", "6446", "6346", "6247", "6147", "6048", "5948", "5848", "5747") == way(
        own, "suva", "noumea"
    )
    assert "noumea" in sails(own.means.safe, "6545")
    ring = tuple(one for one in own.means.safe if distance(one, "5747") != 3)
    assert "noumea" not in sails(ring, "6545")


def test_p13_2_5_each_patrol_whose_zone_is_crossed_looks_once_by_hex() -> None:
    table = voyage(4, 4, patrols={"6346": (JAPAN, 2), "6047": (JAPAN, 2), "5844": (JAPAN, 4)})

    found = [one for one in table.facts if isinstance(one, RolledUnseen)]
    assert [("13.2.5", "3 or less", (4,))] * 2 == [(one.rule, one.target, one.dice) for one in found]
    assert "noumea" == table.state.own[ALLIES].ships["dd_us1"].port
    assert [] == told(table.facts, PatrolIs)  # of a failed contact nothing is told (P0.2.2)


def test_p13_2_5_p25_2_a_slow_undetected_ship_contact_draw_torpedoes_asw() -> None:
    """Given contact by 2 points, then torpedoes with 4 of strength; the ship goes down and fires nothing."""
    table = voyage(3, drawn(0), 4, patrols=ON_THE_WAY)

    assert [("contact", "3 or less", 0), ("the ship attacked", "1 to 1, by id", 0)] == rolls(table.facts)[:2]
    assert ("submarine torpedoes", "column 3", 0) == rolls(table.facts)[2]
    assert [PatrolIs("6047", JAPAN, 2)] == told(table.facts, PatrolIs)
    assert [ShipHit("dd_us1", 1, 3, 3)] == told(table.facts, ShipHit)
    assert [UnitLost("dd_us1", ALLIES, "sunk")] == told(table.facts, UnitLost)
    assert Ship(damage=3, active=False) == table.state.own[ALLIES].ships["dd_us1"]
    assert 1 == len(told(table.facts, Padding))  # where the die of its escorts would have been
    assert 0 == dice_left(table)


def test_p13_2_5_the_level_3_of_its_owner_helps_a_patrol() -> None:
    table = voyage(5, patrols=ON_THE_WAY, means={JAPAN: {"level": 3}})

    assert [("contact", "4 or less", 1)] == rolls(table.facts)


def test_p13_2_5_r_50_a_patrol_loses_its_point_when_both_are_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given a unit with more ASW than any that is printed, crippled, then 6 of strength at column 2."""
    ships = figures("C1").ships
    monkeypatch.setitem(ships, "dd_us1", replace(ships["dd_us1"], asw=12))
    table = voyage(3, drawn(0), 9, 0, patrols=ON_THE_WAY)
    assert ("anti-submarine attack", "column 2", -2) == rolls(table.facts)[-1]
    assert [PatrolIs("6047", JAPAN, 2)] == told(table.facts, PatrolIs)
    assert {"6047": 2} == table.state.own[JAPAN].patrols

    through(table, ALLIES)
    assert {"6047": 1} == table.state.own[JAPAN].patrols
    assert 1 == table.state.open.patrols["6047"].points


@pytest.mark.parametrize(("recalled", "left", "in_port"), [(0, 1, 1), (1, 1, 0), (2, 2, 0)])
def test_p14_2_p13_2_5_a_point_that_was_recalled_is_not_lost_with_its_patrol(
    recalled: int, left: int, in_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a patrol of 2 points, of which so many were recalled before escorts took one off it."""
    ships = figures("C1").ships
    monkeypatch.setitem(ships, "dd_us1", replace(ships["dd_us1"], asw=12))
    means = {"submarines": {"truk": -recalled}, "commands": {"6047": "truk"}, "pool": recalled}
    table = voyage(3, drawn(0), 9, 0, patrols=ON_THE_WAY, means={JAPAN: means})
    through(table, ALLIES)
    assert {"6047": left} == table.state.own[JAPAN].patrols
    assert 1 == table.state.open.patrols["6047"].points  # the recall is secret

    call_back(table, JAPAN)
    assert in_port == table.state.own[JAPAN].means.submarines.get("truk", 0)
    assert recalled == table.state.own[JAPAN].means.pool


def test_p13_2_5_a_ship_that_is_sunk_meets_no_other_patrol() -> None:
    table = voyage(0, drawn(0), 0, patrols={"6346": (JAPAN, 2), "6047": (JAPAN, 2)})

    assert 0 == dice_left(table)


# P11.2.1.2


def test_p11_2_1_2_a_headquarters_moves_to_a_listed_site_or_a_large_port() -> None:
    """Given hq_swpa at Brisbane, then Port Moresby is on its list, Noumea and Suva have ports of size 3."""
    table = administration(TRANSPORT, ALLIES)
    assert [To("noumea"), To("port_moresby"), To("suva")] == [*after(table, ALLIES, MoveHQ("hq_swpa"))]
    facts = act(table, ALLIES, MoveHQ("hq_swpa"), To("port_moresby"))

    assert [PostIs("hq_swpa", Post("port_moresby"), "moves")] == told(facts, PostIs)
    assert MoveHQ("hq_swpa") not in of(table, ALLIES, MoveHQ)  # once a month
    assert MoveHQ("hq_sopac") in of(table, ALLIES, MoveHQ)


@pytest.mark.parametrize("base", [{"control": JAPAN}, {"port": 0, "airbase": 0}], ids=["enemy", "no base"])
def test_p11_2_1_1_a_site_is_friendly_and_has_a_port_or_an_airbase(base: dict[str, int]) -> None:
    table = administration(TRANSPORT, ALLIES, bases={"port_moresby": base})

    assert To("port_moresby") not in after(table, ALLIES, MoveHQ("hq_swpa"))


def test_p11_2_1_2_a_large_port_that_is_not_listed_needs_a_path() -> None:
    """Given Truk, then Rabaul is too near to enemy aircraft for its staff; Rabaul's has Truk on its list."""
    for units, found in (({}, ["kwajalein"]), (CLEAR, ["kwajalein", "rabaul"])):
        table = administration(TRANSPORT, JAPAN, units=units)
        seen, net = sight(table, JAPAN), spread(sight(table, JAPAN))
        assert found == sorted(sites(seen, "hq_cf", net))
        assert "truk" in sites(seen, "hq_sea", net)


def test_p11_2_1_2_r_50_links_are_told_anew_when_the_own_side_has_changed() -> None:
    table = administration(TRANSPORT, ALLIES)
    before = set(table.state.own[ALLIES].means.links["hq_swpa"])
    facts = act(table, ALLIES, MoveHQ("hq_swpa"), To("port_moresby"))

    (links,) = told(facts, LinksAre)
    assert (ALLIES, None) == (links.side, links.safe)
    assert before != set(table.state.own[ALLIES].means.links["hq_swpa"])


def test_r_50_nothing_that_one_side_does_bears_on_the_list_of_the_other() -> None:
    """Given the fighters that cut Rabaul off, when they leave, then Japan's list is what it was."""
    both = campaign_at(Administration())
    before = of(both, JAPAN, Transport), both.state.own[JAPAN].means.safe
    act(both, ALLIES, Transport("us_1e_35fg"), To("cairns"))
    act(both, ALLIES, Transport("cw_1e_raaf"), To("townsville"))

    assert before == (of(both, JAPAN, Transport), both.state.own[JAPAN].means.safe)


# who sees it


def test_p0_4_1_others_see_only_where_units_are() -> None:
    table = administration(TRANSPORT, ALLIES)
    facts = act(table, ALLIES, Transport("us_32div"), To("ndeni"))
    open_facts = [fact for fact in facts if fact.audience().name == "ALL"]

    assert [There("troops", ALLIES, "5740", there=True)] == open_facts


def test_p0_4_1_a_unit_that_was_public_is_hidden_where_it_goes() -> None:
    table = administration(TRANSPORT, ALLIES)
    show(table, ground=["us_32div"])
    facts = act(table, ALLIES, Transport("us_32div"), To("ndeni"))

    assert [Covered(ground=("us_32div",))] == told(facts, Covered)
    assert {} == table.state.open.ground


def test_p13_1_what_can_be_carried_and_for_what() -> None:
    table = laid_out()
    board, own = table.state.open, table.state.own[ALLIES]

    assert ("brisbane", "AL_US", 3) == _load(board, own, "us_32div")
    assert ("milne_bay", "AL_CW", 2) == _load(board, own, "au_7bde")
    own.ground["us_32div"] = Ground("4438", steps=9, active=False)
    assert load(board, own, "us_32div") is None


def _load(board: Any, own: Any, unit: str) -> tuple[str, str, int] | None:
    one = load(board, own, unit)
    return (one.origin, one.purse, one.cost) if one else None


@pytest.mark.parametrize(
    ("hq", "box", "found"),
    [("hq_cincpac", "uswc", ["pearl_harbor"]), ("hq_india", "india_w", ["colombo", "trincomalee"])],
)
def test_p11_2_1_p13_1_a_headquarters_comes_out_of_a_box_to_sites_of_its_own_that_are_linked(
    hq: str, box: str, found: list[str]
) -> None:
    table = administration(TRANSPORT, ALLIES, table=laid_out("1943-01", "S1"), posts={hq: Post(box)})
    seen = sight(table, ALLIES)

    assert found == sorted(sites(seen, hq, spread(seen)))
    act(table, ALLIES, MoveHQ(hq), *(To(one) for one in found[:1] if len(found) > 1))
    assert table.state.open.war.posts[hq] == Post(found[0])


@pytest.mark.parametrize(
    ("hq", "box", "ports"),
    [
        ("hq_cincpac", "uswc", ("pearl_harbor", "dutch_harbor")),
        ("hq_india", "india_w", ("colombo", "trincomalee")),
    ],
)
def test_r_109_p11_2_1_2_p13_2_2_a_headquarters_goes_into_a_box_of_its_list_by_an_entry_port(
    hq: str, box: str, ports: tuple[str, str]
) -> None:
    """A box is friendly and Linked while one of its entry ports is, without the enemy's troops."""
    for lost, found in (((), True), (ports[:1], True), (ports, False)):
        bases = {place: {"control": JAPAN} for place in lost}
        table = administration(TRANSPORT, ALLIES, table=laid_out("1943-01", "S1"), bases=bases)
        assert found == (To(box) in movable(table, hq))
    spots = [Ground(LOCATIONS[port].hex, steps=2, active=False) for port in ports]
    enemies = dict(zip(("jp_ichiki", "jp_kure5"), spots, strict=True))
    table = administration(TRANSPORT, ALLIES, table=laid_out("1943-01", "S1"), units=enemies)
    assert To(box) not in movable(table, hq)
    blind = administration(TRANSPORT, ALLIES, table=laid_out("1943-01", "S1"))
    blind.state.own[ALLIES].means.links = {}
    seen = sight(blind, ALLIES)
    assert [] == sites(seen, hq, spread(seen))


def test_r_109_p11_2_1_2_a_headquarters_goes_into_no_other_box_and_is_there_at_once() -> None:
    table = administration(TRANSPORT, ALLIES, table=laid_out("1943-01", "S1"))
    for hq in ("hq_sopac", "hq_swpa", "hq_cincpac"):
        found = [box for box in BOXES if To(box) in movable(table, hq)]
        assert ["uswc"] * (hq == "hq_cincpac") == found
    points = table.state.own[ALLIES].means.transport["AL_US"]
    facts = act(table, ALLIES, MoveHQ("hq_cincpac"), To("uswc"))

    assert [PostIs("hq_cincpac", Post("uswc"), "moves")] == told(facts, PostIs)
    assert points - 2 == table.state.own[ALLIES].means.transport["AL_US"]
    assert LOCATIONS["pearl_harbor"].hex in table.state.own[ALLIES].means.links["hq_cincpac"]
    assert [] == [*invariants_of_state(table.state)]


def movable(table: Table, hq: str) -> set[Decision]:
    """Return where a headquarters can move, as decisions."""
    seen = sight(table, ALLIES)
    return {*map(To, sites(seen, hq, spread(seen)))}
