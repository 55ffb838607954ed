"""P11 Command Links, headquarters and support bases; P2.3.2.1 bases that are Linked."""

from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.table import Table
from domain.pacific_war.battle.control import settle
from domain.pacific_war.battle.repair import repair_airbases
from domain.pacific_war.board.atlas import FORBIDDEN, HEX_NAMES, beside, distance, nodes, seaward, within
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.table import Air, Base
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import (
    covered,
    held,
    linked,
    linked_hexes,
    linked_to,
    links,
    menacing,
    payers,
    reach,
    roads,
    spread,
    tell_links,
)
from domain.pacific_war.decisions import choices as c
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.months import LinksAre, MeansAre, PostIs
from domain.pacific_war.facts.secrets import OwnUnits
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.operations.bids import Claim, FreeSupportBase
from domain.pacific_war.operations.eligible import commanded
from tests.pacific_war.board import kinds, options, sea_distance, take, told
from tests.pacific_war.operations import (
    ALLIES,
    CF,
    JAPAN,
    LANDED,
    SEA,
    SOPAC,
    SWPA,
    afloat,
    at,
    determine,
    laid_out,
    lead,
    led,
    means,
    offered,
    on,
    sound,
)

RABAUL, SHORTLAND, NOUMEA = "4837", "5039", "5747"
OCEAN = "6030"
"""A sea hex with no land near."""
NO_BASES: dict[str, dict[str, Any]] = {
    place: {"osb": False} for place in ("shortland", "espiritu_santo", "port_moresby")
}


# P11.6 the path


def ways(start: str, goal: str) -> int:
    """Return the edges of the shortest sea way between hexes with one node each."""
    far = sea_distance(start, goal)
    assert far is not None
    return far


def test_p11_6_a_path_is_as_long_as_the_radius_at_most() -> None:
    found = spread([OCEAN], 3, ())

    assert {spot for spot in HEX_NAMES if distance(OCEAN, spot) <= 3} == found.keys()
    assert all(distance(OCEAN, spot) == far for spot, far in found.items())


@pytest.mark.parametrize(("hq", "site", "radius"), [(SEA, "4837", 10), (CF, "4830", 15)])
def test_p11_1_p11_6_the_radius_is_that_of_the_headquarters(hq: str, site: str, radius: int) -> None:
    table = laid_out(bases=NO_BASES)
    found = reach(table, JAPAN, ())[hq]

    assert radius == HEADQUARTERS[hq].radius
    assert {spot for spot in HEX_NAMES if distance(site, spot) > radius}.isdisjoint(found)
    edge = [
        spot for spot in HEX_NAMES if spot == (nodes(spot) or ("",))[0] and distance(site, spot) == radius
    ]
    by_sea = [spot for spot in edge if ways(site, spot) == radius]
    assert by_sea
    assert set(by_sea) <= found


def test_p11_6_r_67_the_coasts_and_the_land_of_a_shore_hex_connect() -> None:
    spot = "4638"  # Gasmata, on the southern of two coasts
    by_coast = [{end[:4] for end in seaward(node)} for node in nodes(spot)]

    assert len(by_coast) > 1
    assert by_coast[0] != by_coast[1]
    assert set().union(*by_coast) <= set(roads(spot))
    assert set(roads("4539")) & {"4540", "4439"}  # from Buna, a shore hex, overland too


def test_p11_6_r_76_forbidden_ground_bars_land_edges_alone() -> None:
    for spot in FORBIDDEN:
        by_sea = {end[:4] for node in nodes(spot) for end in seaward(node)}
        assert by_sea == set(roads(spot))
    assert all(end not in FORBIDDEN or nodes(end) for spot in HEX_NAMES for end in roads(spot))


def test_p11_6_no_path_goes_through_a_blocked_hex_but_it_may_end_there() -> None:
    ring = set(beside(OCEAN))

    assert {OCEAN} | ring == spread([OCEAN], 5, ring).keys()


def test_p11_6_the_first_hex_of_a_path_is_never_blocked() -> None:
    assert len(within(OCEAN, 2)) == len(spread([OCEAN], 2, {OCEAN}))


def test_p11_6_a_way_round_counts_with_its_length() -> None:
    start, goal = OCEAN, next(spot for spot in within(OCEAN, 2) if distance(OCEAN, spot) == 2)
    between = set(beside(start)) & set(beside(goal))

    assert goal not in spread([start], 2, between)
    assert goal in spread([start], 4, between)


# P11.6 what blocks


def menaced(table: Table, side: int) -> set[str]:
    """Return the hexes that enemy aircraft block for a side: those that no fighters of its own keep open."""
    return menacing(table, side) - covered(table, side)


def test_p11_6_a_an_enemy_location_with_an_unbroken_ground_unit_blocks() -> None:
    table = laid_out()

    assert LOCATIONS["buna"].hex in held(table, ALLIES)
    assert LOCATIONS["guadalcanal"].hex in held(table, ALLIES)
    assert LOCATIONS["kavieng"].hex not in held(table, JAPAN)  # one's own
    assert LOCATIONS["munda"].hex not in held(table, ALLIES)  # nobody is there


def test_p11_6_a_a_broken_one_does_not_nor_one_in_a_place_that_is_not_its_own() -> None:
    broken = laid_out(units={"jp_ssd": {"broken": True}})
    assert LOCATIONS["buna"].hex not in held(broken, ALLIES)

    abroad = laid_out(units={"jp_ssd": {"at": "woodlark"}, "jp_kure5": {"hex": "4540"}})
    assert LOCATIONS["woodlark"].hex not in held(abroad, ALLIES)
    assert "4540" not in held(abroad, ALLIES)


@pytest.mark.parametrize(
    ("ships", "core", "damage", "blocks"),
    [
        (["dd_us1"], [], {}, True),
        (["ca_us1"], [], {}, True),
        ([], ["bb_north_carolina"], {}, True),
        ([], ["aa_us1", "cvs_us3"], {}, False),
        (["dd_us1"], ["aa_us1"], {"dd_us1": 2}, False),
        (["dd_us1"], ["aa_us1"], {"dd_us1": 1}, True),
    ],
)
def test_p11_6_b_an_enemy_task_force_with_an_uncrippled_warship_blocks(
    ships: list[str], core: list[str], damage: dict[str, int], blocks: bool
) -> None:
    table = laid_out(units={ship: {"damage": hits} for ship, hits in damage.items()})
    afloat(table, "A1", OCEAN, *ships, core=core)

    assert blocks == (OCEAN in held(table, JAPAN))
    assert OCEAN not in held(table, ALLIES)


def near(*places: str) -> set[str]:
    """Return the hexes within 2 of locations."""
    return {spot for place in places for spot in within(LOCATIONS[place].hex, 2)}


def air(place: str, *units: str) -> dict[str, dict[str, Any]]:
    """Return air units at a place, of 2 steps."""
    return {unit: {"home": place, "steps": 2} for unit in units}


def test_p11_6_c_two_units_of_an_enemy_linked_airbase_block_within_2_hexes() -> None:
    """Given two units at Rabaul, one at Shortland, which only searches."""
    table = laid_out()

    assert near("rabaul") - near_fighters(table, ALLIES) == menaced(table, ALLIES)


@pytest.mark.parametrize(
    ("home", "blocks"),
    [(["jn_1e_25af"], False), (["jn_1e_25af", "jn_lra_25af"], False), (["jn_1e_25af", "jn_2e_25af"], True)],
)
def test_p11_6_c_two_of_them_fighters_or_bombers(home: list[str], blocks: bool) -> None:
    units: dict[str, dict[str, Any]] = {
        u: {"home": "", "steps": 0} for u in ("jn_1e_25af", "jn_2e_25af", "jn_lra_25af")
    }
    table = laid_out(units=units | air("rabaul", *home))

    assert blocks == bool(menaced(table, ALLIES))


def test_p11_6_c_heavy_bombers_count_too() -> None:
    nobody = {unit: {"home": "", "steps": 0} for unit in ("us_1e_35fg", "us_1e_49fg", "us_2e_3bg")}
    table = laid_out(units=nobody | air("port_moresby", "us_4e_43bg", "us_4e_11bg"))

    assert near("port_moresby") - near_fighters(table, JAPAN) == menaced(table, JAPAN)


def near_fighters(table: Table, side: int) -> set[str]:
    """Return the hexes within 2 of a side's land-based fighters."""
    homes = {one.home for unit, one in table.state.own[side].air.items() if "_1e_" in unit and one.steps}
    return near(*homes)


def test_p11_6_c_not_if_the_airbase_is_interdicted() -> None:
    table = laid_out(bases={"rabaul": {"airbase_damage": 3}})
    assert set() == menaced(table, ALLIES)

    table = laid_out(bases={"rabaul": {"airbase_damage": 2}})
    assert near("rabaul") - near_fighters(table, ALLIES) == menaced(table, ALLIES)


def test_p11_6_c_not_if_the_airbase_is_not_linked() -> None:
    table = laid_out()
    for hq in (CF, SEA):
        table.record(PostIs(hq, Post(returns="1942-10"), "is disbanded"))

    assert set() == menaced(table, ALLIES)


def test_p11_6_c_that_airbase_is_linked_without_this_test() -> None:
    """Given Japanese bombers at Buka, around which Allied ones at Shortland block every hex."""
    table = laid_out(
        bases=NO_BASES | {"shortland": {"control": ALLIES}},
        units=air("shortland", "us_2e_3bg", "us_4e_43bg") | air("buka", "jn_2e_25af") | air("", "jn_1e_25af"),
    )
    table.record(OwnUnits(JAPAN, air={"jn_2e_26af": Air("buka", 2, 1, active=False)}))
    assert set(beside(LOCATIONS["buka"].hex)) <= menaced(table, JAPAN)

    assert near("buka") - near_fighters(table, ALLIES) == menaced(table, ALLIES)


@pytest.mark.parametrize(("unit", "covers"), [("us_1e_35fg", True), ("us_2e_3bg", False)])
def test_p11_6_c_own_fighters_within_2_hexes_keep_a_hex_open(unit: str, covers: bool) -> None:
    table = laid_out(bases={"gasmata": {"control": ALLIES, "airbase": 1}}, units=air("gasmata", unit))
    open_ones = near_fighters(table, ALLIES)

    assert covers == (near("gasmata") <= open_ones)
    assert near("rabaul") - open_ones == menaced(table, ALLIES)


def test_p11_6_c_carrier_groups_keep_a_hex_open() -> None:
    table = laid_out()
    afloat(table, "A1", "4938", "dd_us1", core=["cv_saratoga"])

    assert near("rabaul") - within("4938", 2) - near_fighters(table, ALLIES) == menaced(table, ALLIES)


def test_p11_6_links_go_round_what_blocks_and_end_in_it() -> None:
    """Given six Japanese warships around Noumea, where the only Allied headquarters stands."""
    table = laid_out(bases=NO_BASES, units={"jp_kure5": {"hex": "5746"}})
    table.record(PostIs(SWPA, Post(returns="1942-10"), "is disbanded"))
    assert LOCATIONS["suva"].hex in links(table, ALLIES)[SOPAC]
    fleets = ["dd_jp29", "dd_jp24", "ca_chokai_maya", "ca_aoba_kinugasa", "ca_furutaka_kako"]
    ring = [*beside(NOUMEA)]
    for n, (spot, ship) in enumerate(zip(ring, [*fleets, "cl_tenryu_yubari"], strict=True), 1):
        afloat(table, f"J{n}", nodes(spot)[0], ship)
    afloat(table, "A1", nodes(ring[0])[0], "dd_us1")

    # Its own place, and that of its own task force, which lies in a blocked hex.
    assert (ring[0], NOUMEA) == links(table, ALLIES)[SOPAC]


# P11.3, P11.6 support bases


def based_reach(*places: str, hq: str = SEA) -> frozenset[str]:
    """Return the reach of a Japanese headquarters with support bases at these places alone."""
    bases = NO_BASES | {place: {"osb": True, "control": JAPAN} for place in places}
    return reach(laid_out(bases=bases), JAPAN, ())[hq]


def test_p11_3_p11_6_r_75_links_run_on_from_a_support_base_8_hexes_far() -> None:
    found = based_reach("shortland")
    beyond = {spot for spot in found if distance(RABAUL, spot) > 10}

    assert beyond
    assert 8 == max(distance(SHORTLAND, spot) for spot in beyond)
    assert not [spot for spot in based_reach() if distance(RABAUL, spot) > 10]


def test_p11_6_chains_of_support_bases_are_allowed() -> None:
    ndeni = LOCATIONS["ndeni"].hex  # 7 hexes from Shortland, 9 from Rabaul
    alone, both = based_reach("shortland"), based_reach("shortland", "ndeni")
    beyond = both - alone

    assert beyond
    assert 8 == max(distance(ndeni, spot) for spot in beyond)


def test_p11_3_p11_6_not_from_one_that_is_not_linked_itself() -> None:
    table = laid_out(bases=NO_BASES | {"funafuti": {"osb": True, "control": JAPAN}})

    assert distance(RABAUL, LOCATIONS["funafuti"].hex) > 10
    assert based_reach() == reach(table, JAPAN, ())[SEA]


def test_p11_3_not_from_one_of_the_enemy() -> None:
    table = laid_out(bases=NO_BASES | {"shortland": {"osb": True, "control": ALLIES}})

    assert based_reach() == reach(table, JAPAN, ())[SEA]


def test_p11_2_1_3_no_links_run_from_a_headquarters_that_is_disbanded() -> None:
    table = laid_out()
    table.record(PostIs(SEA, Post(returns="1942-10"), "is disbanded"))

    assert {CF} == links(table, JAPAN).keys()


# P11.6.1 what is told


def test_p11_6_1_the_owner_alone_is_told() -> None:
    table = laid_out()
    tell_links(table, JAPAN, ALLIES)

    assert [LinksAre, LinksAre] == [type(fact) for fact in table.facts]
    assert [Audience.SIDE_0, Audience.SIDE_1] == [fact.audience() for fact in table.facts]
    assert {CF, SEA} == means(table, JAPAN).links.keys()
    assert {SOPAC, SWPA} == means(table, ALLIES).links.keys()


def test_p11_6_1_r_38_locations_own_task_forces_and_own_units_are_ends() -> None:
    table = laid_out(units={"us_147": {"hex": "5846"}})
    afloat(table, "A1", "6041", "dd_us1")
    ends = set(links(table, ALLIES)[SOPAC])

    places = {LOCATIONS[place].hex for place in table.state.open.bases}
    assert {"5846", "6041"} == ends - places
    assert "6041" not in {spot for hexes in links(table, JAPAN).values() for spot in hexes}


@pytest.mark.parametrize("kind", ["operation", "reaction", "joint"])
def test_p11_6_1_links_are_told_when_an_activation_begins(kind: str) -> None:
    lead = led(12, ALLIES, ap=12, level=2, condition="A")
    table = on(laid_out(operation=lead, means={JAPAN: {"condition": "A"}}), Activation(side=JAPAN, kind=kind))  # type: ignore[arg-type]

    assert links(table, JAPAN) == means(table, JAPAN).links
    assert {} == means(table, ALLIES).links


def test_p11_6_1_both_are_told_before_the_bids() -> None:
    table = determine()

    assert all(means(table, side).links for side in (JAPAN, ALLIES))


# R-73 whose headquarters, P11.8 who pays


def test_p11_6_r_73_any_headquarters_supplies_one_of_the_nation_commands() -> None:
    table = laid_out()
    table.record(LinksAre(ALLIES, {"hq_cincpac": (LOCATIONS["suva"].hex,), SOPAC: ()}))
    own = table.state.own[ALLIES]

    assert linked(own, LOCATIONS["suva"].hex)
    assert commanded(table.state.open, own, "hq_cincpac", "ca_us1")
    assert not commanded(table.state.open, own, "hq_cincpac", "ca_cw1")  # it commands US units alone
    assert not commanded(table.state.open, own, SOPAC, "ca_us1")


def test_p11_6_linked_to_is_by_what_was_told() -> None:
    table = laid_out()
    table.record(LinksAre(ALLIES, {SOPAC: ("5747",)}))

    assert linked_to(table.state.own[ALLIES], SOPAC, "5747")
    assert not linked_to(table.state.own[ALLIES], SWPA, "5747")
    assert not linked(table.state.own[ALLIES], "5746")


@pytest.mark.parametrize(
    ("points", "cost", "who"),
    [
        ({SOPAC: 5, SWPA: 9}, 4, [SWPA, SOPAC]),
        ({SOPAC: 9, SWPA: 9}, 4, [SOPAC, SWPA]),
        ({SOPAC: 3, SWPA: 4}, 4, [SWPA]),
        ({SOPAC: 3}, 4, []),
    ],
)
def test_p11_8_who_has_most_points_pays_ties_by_id(points: dict[str, int], cost: int, who: list[str]) -> None:
    table = laid_out(points=points)
    table.record(LinksAre(ALLIES, {SOPAC: ("5747",), SWPA: ("5747",)}))

    assert who == payers(table.state.own[ALLIES], "5747", cost)
    assert [] == payers(table.state.own[ALLIES], "5746", cost)


# P2.3.2.1


def test_p2_3_2_1_p31_7_a_base_without_a_link_is_not_linked() -> None:
    table = laid_out(bases={"suva": {"airbase_damage": 1}, "noumea": {"airbase_damage": 1}})
    for hq in (SOPAC, SWPA):
        table.record(PostIs(hq, Post(returns="1942-10"), "is disbanded"))
    assert set() == linked_hexes(table, ALLIES)
    repair_airbases(table)

    assert 1 == table.state.open.bases["suva"].airbase_damage


# P11.3.1 the free support base


def sites(**changes: Any) -> list[str]:
    """Return where the Allies may place a free support base."""
    table = laid_out(operation=led(), **changes)
    tell_links(table, ALLIES)
    return [one.location for one in offered(on(table, FreeSupportBase(side=ALLIES)), ALLIES, c.PlaceOSB)]  # type: ignore[attr-defined]


def test_p11_3_1_at_a_friendly_linked_location_with_a_port_and_without_one_yet() -> None:
    found = sites()

    held_by = laid_out().state.open.bases
    assert all(held_by[place].control == ALLIES and held_by[place].port for place in found)
    assert "noumea" in found
    assert not {"espiritu_santo", "port_moresby"} & set(found)  # they have one
    assert "woodlark" not in sites(bases={"woodlark": {"port": 0}})
    assert "woodlark" in sites(bases={"woodlark": {"port": 1}})


def test_p11_3_1_not_with_an_enemy_ground_unit_in_the_hex() -> None:
    assert "milne_bay" in sites()
    assert "milne_bay" not in sites(units={"jp_kure5": {"at": "milne_bay"}})


def test_p11_3_1_not_without_a_link() -> None:
    table = laid_out(operation=led())
    table.record(LinksAre(ALLIES, {SOPAC: (LOCATIONS["suva"].hex,)}))

    assert [c.PlaceOSB("suva"), d.Decline()] == options(on(table, FreeSupportBase(side=ALLIES)), ALLIES)


@pytest.mark.parametrize(("side", "most"), [(JAPAN, 6), (ALLIES, 10)])
def test_p11_3_no_more_than_6_and_10_on_the_map(side: int, most: int) -> None:
    mine = [place for place, base in laid_out().state.open.bases.items() if base.control == side]
    for count, asked in ((most - 1, True), (most, False)):
        bases = NO_BASES | {place: {"osb": True} for place in mine[:count]}
        table = laid_out(operation=led(1, side), bases=bases)
        tell_links(table, side)
        assert asked == bool(on(table, FreeSupportBase(side=side)).prompts)


def test_p11_3_1_it_is_placed_free_of_cost_or_declined() -> None:
    table = laid_out(operation=led())
    tell_links(table, ALLIES)
    table = on(table, FreeSupportBase(side=ALLIES))
    before = means(table, ALLIES).points
    take(table, ALLIES, c.PlaceOSB("noumea"))

    assert table.state.open.bases["noumea"].osb
    assert "noumea" == lead(table).osb
    assert before == means(table, ALLIES).points

    table = laid_out(operation=led())
    tell_links(table, ALLIES)
    table = on(table, FreeSupportBase(side=ALLIES))
    take(table, ALLIES, d.Decline())
    assert "" == lead(table).osb
    assert not table.state.open.bases["noumea"].osb


def test_p11_3_1_r_11_also_when_an_operation_is_claimed() -> None:
    table = at(Claim(side=JAPAN), units=LANDED)
    take(table, JAPAN, c.ClaimOperation(yes=True))
    take(table, JAPAN, c.BidFrom(SEA))
    take(table, JAPAN, c.Bid(3))

    assert {"PlaceOSB", "Decline"} == kinds(table, JAPAN)


def test_p11_3_c1_2_r_11_also_in_the_first_operation_of_c1() -> None:
    table = determine(first=True)

    assert {"PlaceOSB", "Decline"} == kinds(table, ALLIES)


def test_p11_3_p2_6_it_is_eliminated_when_its_location_is_captured() -> None:
    table = laid_out(units={"us_1mardiv": {"at": "shortland"}})
    settle(table)

    base: Base = table.state.open.bases["shortland"]
    assert (ALLIES, False) == (base.control, base.osb)
    sound(table)


def test_p11_6_1_points_of_a_headquarters_without_a_place_are_no_links() -> None:
    table = laid_out()
    table.record(MeansAre(ALLIES, points={SOPAC: 3}))
    table.record(PostIs(SOPAC, Post(returns="1942-10"), "is disbanded"))
    tell_links(table, ALLIES)

    assert [] == [fact for fact in told(table.facts, LinksAre) if SOPAC in fact.links]
