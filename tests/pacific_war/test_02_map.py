"""P2.5 The map as a graph, and P1.2 the area of a scenario: against counts, lengths and naive searches."""

import json
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import cos, hypot, isclose, radians, sin, sqrt
from random import Random
from typing import Any

import pytest

from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.atlas import (
    FORBIDDEN,
    HEX_NAMES,
    NODES,
    area,
    beside,
    course,
    distance,
    flood,
    kind,
    landward,
    name,
    nodes,
    place,
    seaward,
    terrain,
    within,
)
from domain.pacific_war.board.charts import AT, HEXES, LOCATIONS
from domain.pacific_war.board.table import location_of
from tests.pacific_war.board import sea_distance

DATA = files("domain.pacific_war").joinpath("data")
MAP: dict[str, Any] = json.loads(DATA.joinpath("map.json").read_bytes())
CHECK: dict[str, Any] = MAP["check"]
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")


def some(things: Sequence[Any], count: int, seed: int) -> list[Any]:
    return Random(seed).choices(things, k=count)


def port(location: str) -> str:
    coast = LOCATIONS[location].coast
    assert coast is not None
    return coast


def ends(pair: str) -> tuple[str, str]:
    one, other = pair.split("-")
    return one, other


def searched(
    start: str,
    near: Callable[[str], Collection[str]],
    most: int = 10_000,
    open: Collection[str] | None = None,
) -> dict[str, int]:
    """Return what a breadth-first search reaches, to its distance."""
    found, line = {start: 0}, deque([start])
    while line:
        one = line.popleft()
        for other in near(one):
            if found[one] < most and other not in found and (open is None or other[:4] in open):
                found[other] = found[one] + 1
                line.append(other)
    return found


# counts


def test_p2_5_a_map_of_85_columns_and_58_rows() -> None:
    assert 4930 == len(HEX_NAMES) == len(set(HEX_NAMES))
    assert {"0000", "8457"} <= {*HEX_NAMES}
    assert [58, 85] == [len(HEXES.kind_rows), *{len(row) for row in HEXES.kind_rows}]


def test_p2_5_the_hexes_of_each_kind() -> None:
    assert {"s": 3290, "l": 960, "h": 680} == Counter(map(kind, HEX_NAMES))
    assert CHECK["kind_rows"] == [*HEXES.kind_rows]


def test_p2_5_the_nodes_and_their_edges() -> None:
    assert 98 == sum(len(nodes(one)) > 1 for one in HEX_NAMES)
    assert 4089 == len(NODES) == len(set(NODES))
    assert 11_421 == sum(len(seaward(one)) for one in NODES) / 2


def test_p2_5_the_land_edges() -> None:
    assert 3576 == sum(len(landward(one)) for one in HEX_NAMES) / 2


def test_p2_5_637_hexes_are_forbidden_and_on_land_and_hold_no_location() -> None:
    assert 637 == len(FORBIDDEN) == len(HEXES.forbidden_ground)
    assert {"l", "h"} == {kind(one) for one in FORBIDDEN}
    assert not FORBIDDEN & {*AT}


def test_p2_5_all_waters_are_connected() -> None:
    assert {*NODES} == {*searched("5020", seaward)} == {*flood("5020", len(NODES))}


def test_p2_5_no_water_on_land() -> None:
    assert {()} == {nodes(one) for one in HEX_NAMES if kind(one) == "l"}


def test_p2_5_terrain_of_a_location_is_its_own() -> None:
    assert {i: spot.terrain for i, spot in LOCATIONS.items()} == {
        i: terrain(spot.hex) for i, spot in LOCATIONS.items()
    }
    assert "jungle" == terrain("4641")
    assert "mixed" == terrain("0101")


# the path lengths of `map.json`


@pytest.mark.parametrize(("pair", "length"), CHECK["sea_path"].items())
def test_p2_5_a_sea_path_from_port_to_port(pair: str, length: int) -> None:
    one, other = map(port, ends(pair))

    assert length == sea_distance(one, other) == sea_distance(other, one)
    assert length == searched(one, seaward)[other]
    assert length == len(course(one, other, length))


@pytest.mark.parametrize(("pair", "length"), CHECK["hex_distance"].items())
def test_p2_5_the_hexes_between_two_locations(pair: str, length: int) -> None:
    one, other = (LOCATIONS[end].hex for end in ends(pair))

    assert length == distance(one, other) == distance(other, one)


@pytest.mark.parametrize(("pair", "length"), CHECK["land_path"].items())
def test_p2_5_a_path_over_land_edges(pair: str, length: int | None) -> None:
    one, other = (LOCATIONS[end].hex for end in ends(pair))

    assert length == searched(one, landward).get(other)


def test_p42_6_from_hong_kong_to_amoy_there_is_only_forbidden_ground() -> None:
    permitted = {*HEX_NAMES} - FORBIDDEN
    hong_kong, amoy = LOCATIONS["hong_kong"].hex, LOCATIONS["amoy"].hex

    assert amoy in searched(hong_kong, landward)
    assert amoy not in searched(hong_kong, landward, open=permitted)


# hexes

ROUND_AN_EVEN_COLUMN = ("4229", "4329", "4330", "4231", "4130", "4129")
ROUND_AN_ODD_COLUMN = ("4329", "4430", "4431", "4331", "4231", "4230")


def test_p2_5_the_neighbours_of_a_hex_from_north_clockwise() -> None:
    assert beside("4230") == ROUND_AN_EVEN_COLUMN
    assert beside("4330") == ROUND_AN_ODD_COLUMN


def test_p2_5_the_neighbours_are_those_of_the_grid() -> None:
    steps = {
        which: [offsets[way] for way in DIRECTIONS] for which, offsets in MAP["grid"]["neighbours"].items()
    }

    for one in HEX_NAMES:
        column, row = int(one[:2]), int(one[2:])
        found = [(column + x, row + y) for x, y in steps["odd" if column % 2 else "even"]]
        assert [name(x, y) for x, y in found if x in range(85) and y in range(58)] == [*beside(one)]


def test_p2_5_the_map_has_corners() -> None:
    assert ("0100", "0001") == beside("0000")
    assert ("8456", "8357", "8356") == beside("8457")


def test_p2_5_a_neighbour_is_100_miles_away_and_each_is_the_others() -> None:
    for one in some(HEX_NAMES, 300, seed=1):
        for other in beside(one):
            assert one in beside(other)
            assert 1 == distance(one, other)
            assert isclose(100, hypot(*(a - b for a, b in zip(centre(one), centre(other), strict=True))))


def cubed(one: str) -> tuple[int, int]:
    """Return q and r of `map.json.grid.distance`."""
    column, row = int(one[:2]), int(one[2:4])
    return column, row - (column - (column & 1)) // 2


def test_p2_5_the_distance_is_that_of_the_grid() -> None:
    for one, other in zip(some(HEX_NAMES, 400, seed=2), some(HEX_NAMES, 400, seed=3), strict=True):
        (q, r), (p, s) = cubed(one), cubed(other)
        assert (abs(q - p) + abs(r - s) + abs(q + r - p - s)) // 2 == distance(one, other)


def test_p2_5_distances_add_up() -> None:
    """From a hex to itself there is none; a way round is no shorter."""
    trios = zip(*(some(HEX_NAMES, 400, seed=seed) for seed in (4, 5, 6)), strict=True)
    for one, other, third in trios:
        assert 0 == distance(one, one)
        assert distance(one, other) == distance(other, one)
        assert distance(one, third) <= distance(one, other) + distance(other, third)


def test_p2_5_the_distance_is_that_of_a_search_from_hex_to_hex() -> None:
    for start in ("0000", "8400", "4230", "0057", "8457"):
        assert searched(start, beside) == {one: distance(start, one) for one in HEX_NAMES}


def test_p2_5_the_distance_between_two_nodes_is_that_of_their_hexes() -> None:
    assert 1 == distance("1328c", "1329")
    assert 0 == distance("1328a", "1328b")


def test_p2_5_within_a_radius_are_the_hexes_at_most_so_far_away() -> None:
    for one, radius in zip(some(HEX_NAMES, 300, seed=7), some(range(7), 300, seed=8), strict=True):
        column, row = int(one[:2]), int(one[2:])
        square = [
            name(x, y)
            for x in range(max(0, column - radius), min(85, column + radius + 1))
            for y in range(max(0, row - radius - 1), min(58, row + radius + 2))
        ]
        assert {other for other in square if distance(one, other) <= radius} == within(one, radius)


def test_p2_5_within_a_radius_are_so_many() -> None:
    assert [1, 7, 19, 37, 61, 91] == [len(within("4230", radius)) for radius in range(6)]
    assert {"0000", *beside("0000")} == within("0000", 1)


# waters


def test_p0_5_the_neighbours_of_a_node_from_north_clockwise_coasts_a_before_b() -> None:
    for one in NODES:
        near = seaward(one)
        turned = [end for other in beside(one[:4]) for end in sorted(nodes(other)) if end in near]
        assert turned == [*near]


def test_p2_5_every_edge_runs_both_ways_and_once() -> None:
    edges = Counter((one, other) for one in NODES for other in seaward(one))

    assert {1} == {*edges.values()}
    assert {(other, one) for one, other in edges} == edges.keys()


LEAVES = {
    # the Gulf of Siam, and what is west of the isthmus
    "1328c": ("1327", "1428", "1429"),
    "1328a": ("1228", "1229"),
    "1328b": ("1229", "1329"),
    # Manila Bay, and the east of Luzon
    "2725a": ("2625", "2626", "2726", "2826a"),
    "2725b": ("2724b", "2825", "2826b"),
    "2724a": ("2624",),
    "2724b": ("2725b", "2824", "2825"),
    # the Inland Sea, and the coast of the Pacific
    "3614a": ("3513", "3514b", "3615", "3713a"),
    "3614b": ("3615", "3714"),
    # Rangoon river, and Tokyo Bay
    "1222a": ("1223",),
    "4013b": ("4014a",),
}


@pytest.mark.parametrize(("coast", "ends"), LEAVES.items())
def test_p2_5_a_task_force_leaves_a_coast_by_its_hexsides_alone(coast: str, ends: tuple[str, ...]) -> None:
    assert ends == tuple(sorted(seaward(coast)))


def test_p2_5_a_coast_is_no_way_through() -> None:
    """Beside Penang, and ten hexes away by sea; two coasts of one hex are not beside each other."""
    assert port("singora") in nodes("1328")
    assert LOCATIONS["penang"].hex in beside("1328")
    assert not {"1328a", "1328b", port("penang")} & {*seaward(port("singora"))}
    assert ["1328b"] == [coast for coast in nodes("1328") if port("penang") in seaward(coast)]
    assert (10, 16, 21) == tuple(
        sea_distance(port(one), port(other))
        for one, other in (("singora", "penang"), ("singora", "tavoy"), ("bangkok", "rangoon"))
    )


def test_p2_5_no_coast_touches_another_of_its_hex() -> None:
    assert not [(one, end) for one in NODES for end in seaward(one) if one[:4] == end[:4]]
    assert {1} == {distance(one, end) for one in NODES for end in seaward(one)}


def test_p2_5_a_node_with_coasts_leaves_as_listed() -> None:
    assert {one: {*ends} for one, ends in HEXES.links.items()} == {
        one: {*seaward(one)} for one in HEXES.links
    }


# floods


@pytest.mark.parametrize("most", [0, 1, 3, 5, 9])
def test_p23_4_a_flood_is_what_a_search_finds_in_its_order(most: int) -> None:
    for start in some(NODES, 60, seed=most):
        found = searched(start, seaward, most)

        assert [*found.items()] == [*flood(start, most).items()]


def test_p1_2_a_flood_stays_where_it_is_open() -> None:
    for start in some(NODES, 100, seed=20):
        near = [*within(start[:4], 6)]
        opened = {*some(near, len(near), seed=21)}

        assert [*searched(start, seaward, 6, opened).items()] == [*flood(start, 6, opened).items()]


def test_p23_4_a_flood_may_go_round_the_map() -> None:
    start = port("tokyo")

    assert searched(start, seaward) == flood(start, len(NODES))
    assert 4089 == len(flood(start, len(NODES)))


# courses


def least(
    start: str, goal: str, open: Collection[str] | None, shunned: Collection[str]
) -> tuple[int, int, tuple[str, ...]] | None:
    """Return of the shortest ways the length, the fewest nodes shunned, and the first such way by P0.5.

    What is left to the goal is counted back from it; then each step is the first that loses nothing.
    """
    left, line = {goal: (0, 0)}, deque([goal])
    while line and start not in left:
        one = line.popleft()
        for other in seaward(one):
            if other not in left and (other == start or open is None or other[:4] in open):
                left[other] = (
                    left[one][0] + 1,
                    min(
                        left[end][1] + (end[:4] in shunned)
                        for end in seaward(other)
                        if end in left and left[end][0] == left[one][0]
                    ),
                )
                line.append(other)
    if start not in left or (open is not None and goal[:4] not in open):
        return None
    way = [start]
    while way[-1] != goal:
        steps, cost = left[way[-1]]
        way.append(
            next(
                end
                for end in seaward(way[-1])
                if end in left and left[end] == (steps - 1, cost - (end[:4] in shunned))
            )
        )
    return *left[start], tuple(way[1:])


@cache
def legs(count: int, seed: int) -> list[tuple[str, str]]:
    """Return pairs of nodes that are up to nine edges apart."""
    return [
        (start, Random(start).choice([*flood(start, 1 + place % 9)]))
        for place, start in enumerate(some(NODES, count, seed))
    ]


def test_p23_4_1_a_course_is_a_way_by_sea_edges_and_none_is_shorter() -> None:
    for start, goal in legs(200, 30):
        way = course(start, goal, 9)

        assert goal == (start, *way)[-1]
        assert searched(start, seaward, 9)[goal] == len(way)
        assert all(end in seaward(one) for one, end in pairwise((start, *way)))


def test_p0_5_of_equal_courses_the_first_in_breadth_first_order() -> None:
    for start, goal in legs(200, 31):
        first = least(start, goal, None, ())

        assert first is not None
        assert first[2] == course(start, goal, 9)


def test_p0_5_a_course_turns_north_first() -> None:
    assert ("5019", "5018", "5117") == course("5020", "5117", 5)
    assert ("5019", "4918", "4818") == course("5020", "4818", 5)
    assert ("5120", "5221", "5222") == course("5020", "5222", 5)


def test_p23_4_1_r_98_of_the_shortest_courses_one_with_the_fewest_hexes_shunned() -> None:
    for start, goal in legs(200, 32):
        shunned = {*some([*within(start[:4], 9)], 90, seed=33)}
        way = course(start, goal, 9, None, shunned)
        best = least(start, goal, None, shunned)

        assert best is not None
        assert best[:2] == (len(way), sum(one[:4] in shunned for one in way))


def test_p23_4_1_a_course_goes_round_a_patrol_where_that_is_no_longer() -> None:
    assert ("5019", "5018", "5117") == course("5020", "5117", 3, None, {"5118"})
    assert ("5119", "5118", "5117") == course("5020", "5117", 3, None, {"5019"})
    assert ("5019", "5018", "5017") == course("5020", "5017", 3, None, {"5019"})


def test_p0_5_of_courses_that_are_equal_after_a_shunned_hex_the_first_in_breadth_first_order() -> None:
    """From 2740 southwest (2641) stands before northwest (2640a); neither way meets 2839."""
    expected = ("2840", "2740", "2641", "2541", "2442", "2341", "2241")

    assert (7, 0, expected) == least("2739c", "2241", None, {"2839"})
    assert expected == course("2739c", "2241", 9, None, {"2839"})


def test_p23_4_1_there_is_no_course_beyond_the_allowance() -> None:
    for start, goal in legs(200, 34):
        far = searched(start, seaward, 9)[goal]

        assert far == len(course(start, goal, far))
        assert () == course(start, goal, far - 1)


def test_p23_4_1_there_is_no_course_to_where_one_is() -> None:
    assert () == course("5020", "5020", 5)


def test_p1_2_a_course_stays_where_it_is_open() -> None:
    for start, goal in legs(200, 35):
        opened = {*some([*within(start[:4], 9)], 220, seed=36)}
        way = course(start, goal, 9, opened)
        reached = searched(start, seaward, 9, opened)

        assert opened >= {one[:4] for one in way}
        assert reached.get(goal, 0) == len(way)


def test_p1_2_a_course_leaves_a_hex_that_is_not_open_and_enters_none() -> None:
    assert ("5019", "5018") == course("5020", "5018", 2, {"5019", "5018"})
    assert () == course("5020", "5018", 2, {"5020", "5018"})
    assert () == course("5020", "5018", 2, {"5020", "5019"})
    assert ("5119", "5118", "5018") == course("5020", "5018", 3, {"5119", "5118", "5018"})


# land


def test_p2_5_land_edges_run_both_ways_between_neighbours_on_land() -> None:
    on_land = [one for one in HEX_NAMES if landward(one)]

    assert {"l", "h"} == {kind(one) for one in on_land}
    for one in on_land:
        for other in landward(one):
            assert one in landward(other)
            assert other in beside(one)


def test_p2_5_a_strait_is_no_land_edge() -> None:
    """Luzon and Leyte are two islands; so are New Britain and New Ireland."""
    for one, other in (("legaspi", "leyte"), ("rabaul", "kavieng"), ("palembang", "batavia")):
        assert HEXES.islands[LOCATIONS[one].hex] != HEXES.islands[LOCATIONS[other].hex]


# the area of a scenario


def centre(one: str) -> tuple[float, float]:
    """Return the miles east and north of the centre of the map at which the centre of a hex lies."""
    grid = MAP["grid"]
    column, row = int(one[:2]), int(one[2:4])
    shift = grid["odd_column_shift_y"] if column % 2 else 0
    return grid["origin_x"] + grid["column_step"] * column, grid["origin_y"] - grid["row_step"] * row + shift


def projected(lat: float, lon: float) -> tuple[float, float]:
    """Return `map.json.projection` of a place."""
    how = MAP["projection"]
    middle, north, east = radians(how["lat0"]), radians(lat), radians(lon - how["lon0"])
    k = sqrt(2 / (1 + sin(middle) * sin(north) + cos(middle) * cos(north) * cos(east)))
    return (
        how["radius_nm"] * k * cos(north) * sin(east),
        how["radius_nm"] * k * (cos(middle) * sin(north) - sin(middle) * cos(north) * cos(east)),
    )


def test_p2_5_the_place_of_a_hex_is_projected_to_its_centre() -> None:
    for one in HEX_NAMES:
        (x, y), (east, north) = projected(*place(one)), centre(one)
        assert hypot(x - east, y - north) < 1e-6


def test_p2_5_longitudes_are_counted_from_0_to_360() -> None:
    longitudes = [place(one)[1] for one in HEX_NAMES]

    assert 49 < min(longitudes) < 50
    assert 234 < max(longitudes) < 235


def test_p2_5_a_location_lies_in_the_hex_whose_centre_is_nearest() -> None:
    for spot in LOCATIONS.values():
        x, y = projected(spot.lat, spot.lon)
        miles = {
            one: hypot(x - east, y - north)
            for one in (spot.hex, *beside(spot.hex))
            for east, north in [centre(one)]
        }

        assert spot.hex == min(miles, key=lambda one: miles[one])
        assert miles[spot.hex] < 58


RAW: dict[str, dict[str, Any]] = {
    row["id"]: row for row in json.loads(DATA.joinpath("scenarios.json").read_bytes())["scenarios"]
}


def inside(row: dict[str, Any]) -> set[str]:
    (south, north), (west, east) = row["area"]["lat"], row["area"]["lon"]
    return {
        one for one in HEX_NAMES for lat, lon in [place(one)] if south <= lat <= north and west <= lon <= east
    }


@pytest.mark.parametrize(
    ("scenario", "count", "just_in", "just_out"),
    [
        ("E1", 260, ("4934", "5943", "4648", "4147"), ("4534", "5944", "5748", "4035")),
        ("E2", 228, ("8009", "8413", "7626", "7122"), ("7610", "8209", "8125", "7123")),
        ("E3", 32, ("4937", "5541"), ("5437", "5638", "5042", "4841")),
        ("E4", 111, ("5620", "6321", "6230", "5327"), ("5420", "6320", "5530", "5328")),
        ("B1", 461, ("5808", "7812", "7523", "5213"), ("7006", "8016", "7024", "5214")),
    ],
)
def test_p1_2_the_area_of_a_scenario(
    scenario: str, count: int, just_in: Sequence[str], just_out: Sequence[str]
) -> None:
    found = area(scenario)

    assert inside(RAW[scenario]) == found
    assert count == len(found)
    assert {*just_in} <= found
    assert not {*just_out} & found


def test_p1_2_every_engagement_and_battle_has_an_area() -> None:
    assert ["E1", "E2", "E3", "E4", "B1"] == PACIFIC_WAR.short
    assert all(area(scenario) for scenario in PACIFIC_WAR.short)


@pytest.mark.parametrize("scenario", ["E1", "E2", "E3", "E4", "B1", "C1"])
def test_p1_2_what_a_scenario_names_lies_in_its_area(scenario: str) -> None:
    """Its task forces, ports, airbases, garrisons, patrols, bases, and the places whose control it sets."""
    row = RAW[scenario]
    spots = [spot for listed in row["control"].values() for spot in listed]
    spots += [one["at"] for one in row.get("naval", []) + row.get("reinforcements", [])]
    spots += [one["hex"] for one in row.get("tfs", []) + row["ground"] + row.get("patrols", [])]
    spots += [one["base"] for one in row["air"] if "base" in one]
    spots += [*row["bases"], *(spot for listed in row.get("osb", {}).values() for spot in listed)]

    hexes = {LOCATIONS[spot].hex if spot in LOCATIONS else spot for spot in spots}

    assert set() == hexes - inside(row)


def test_p2_5_a_node_on_a_coast_is_at_the_location_of_its_hex() -> None:
    for node, found in (("4740", "milne_bay"), ("4740a", "milne_bay"), ("4740b", "milne_bay"), ("5540", "")):
        assert found == location_of(node)
