"""P2.5 The map as a graph: who is beside whom, how far, and what a task force or a unit can reach.

Nodes are the waters of a hex: most hexes have one, named like the hex; those with several coasts have one a
coast. Neighbours are kept in arrays, in the order N, NE, SE, S, SW, NW, coasts a before b (P0.5), and floods
run over their numbers. Deliberately absent: what stands where.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from math import asin, atan2, cos, degrees, radians, sin, sqrt
from typing import Final

from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import AT, HEXES, LOCATIONS, SCENARIOS
from domain.pacific_war.board.printed import Terrain

COLUMNS: Final = len(HEXES.kind_rows[0])
ROWS: Final = len(HEXES.kind_rows)
_EVEN: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_ODD: Final = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""Steps to the neighbours N, NE, SE, S, SW, NW in even and odd columns."""


def name(column: int, row: int) -> str:
    """Return the number of a hex: two digits of its column, two of its row."""
    return f"{column:02}{row:02}"


HEX_NAMES: Final = tuple(name(column, row) for column in range(COLUMNS) for row in range(ROWS))
_CUBE: Final = {
    name(column, row): (column, row - (column - (column & 1)) // 2)
    for column in range(COLUMNS)
    for row in range(ROWS)
}


def zone(hex: str) -> str:
    """Return the zone of the weather in a hex, which is that of its centre (P6.1)."""
    return HEXES.zone_letters[HEXES.zone_rows[int(hex[2:4])][int(hex[:2])]]


def kind(hex: str) -> str:
    """Return `s` for sea, `h` for shore, `l` for land."""
    return HEXES.kind_rows[int(hex[2:4])][int(hex[:2])]


@cache
def terrain(hex: str) -> Terrain:
    """Return the terrain of a hex on land."""
    if hex in AT:
        return LOCATIONS[AT[hex]].terrain
    return HEXES.terrain_letters.get(HEXES.terrain_rows[int(hex[2:4])][int(hex[:2])], "clear")


def distance(one: str, other: str) -> int:
    """Return the hexes between two hexes or nodes (P2.5)."""
    q, r = _CUBE[one[:4]]
    p, s = _CUBE[other[:4]]
    q, r = q - p, r - s
    return max(abs(q), abs(r), abs(q + r))


@cache
def beside(hex: str) -> tuple[str, ...]:
    """Return the neighbours of a hex on the map, from N clockwise."""
    column, row = int(hex[:2]), int(hex[2:4])
    steps = ((column + x, row + y) for x, y in (_ODD if column & 1 else _EVEN))
    return tuple(name(x, y) for x, y in steps if 0 <= x < COLUMNS and 0 <= y < ROWS)


@cache
def within(hex: str, radius: int) -> frozenset[str]:
    """Return the hexes at most `radius` from a hex, itself included."""
    found, edge = {hex}, {hex}
    for _ in range(radius):
        edge = {near for one in edge for near in beside(one)} - found
        found |= edge
    return frozenset(found)


# the sea


@cache
def nodes(hex: str) -> tuple[str, ...]:
    """Return the nodes of a hex: none on land, one in most others, several where it has coasts."""
    if hex in HEXES.coasts:
        return HEXES.coasts[hex]
    return () if kind(hex) == "l" or hex in _DRY else (hex,)


_DRY: Final = frozenset(HEXES.no_sea)
_CLOSED: Final = frozenset(frozenset(pair) for pair in HEXES.sea_closed)
NODES: Final = tuple(node for one in HEX_NAMES for node in nodes(one))
NUMBER: Final = {node: number for number, node in enumerate(NODES)}
"""Node to its place in `NODES` and in the arrays."""


def _edges(node: str) -> Iterator[str]:
    listed = HEXES.links.get(node)
    for near in beside(node[:4]):
        for other in nodes(near):
            if listed is not None:
                if other in listed:
                    yield other
            elif other in HEXES.links:
                if node in HEXES.links[other]:
                    yield other
            elif frozenset((node, other)) not in _CLOSED:
                yield other


def _arrays() -> "tuple[array[int], array[int]]":
    starts, ends = array("i", [0]), array("i")
    for node in NODES:
        ends.extend(NUMBER[other] for other in _edges(node))
        starts.append(len(ends))
    return starts, ends


_STARTS, _ENDS = _arrays()


def seaward(node: str) -> tuple[str, ...]:
    """Return the nodes beside a node, in the order of P0.5."""
    number = NUMBER[node]
    return tuple(NODES[end] for end in _ENDS[_STARTS[number] : _STARTS[number + 1]])


def flood(start: str, most: int, open: Collection[str] | None = None) -> dict[str, int]:
    """Return the nodes within `most` edges of a node, itself included, to their distance, nearest first.

    With `open`, only hexes in it are entered.
    """
    seen = {NUMBER[start]: 0}
    edge = [NUMBER[start]]
    for steps in range(1, most + 1):
        edge_next: list[int] = []
        for one in edge:
            for end in _ENDS[_STARTS[one] : _STARTS[one + 1]]:
                if end not in seen and (open is None or NODES[end][:4] in open):
                    seen[end] = steps
                    edge_next.append(end)
        if not edge_next:
            break
        edge = edge_next
    return {NODES[number]: steps for number, steps in seen.items()}


def course(
    start: str, goal: str, most: int, open: Collection[str] | None = None, shunned: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the nodes of a path after its start (P23.4.1), or nothing if there is none within `most`.

    It is a shortest one; of these one with the fewest nodes in `shunned` hexes; of these the first in
    breadth-first order (P0.5).
    """
    best: dict[str, tuple[int, str]] = {start: (0, "")}
    edge = [start]
    for _ in range(most):
        if goal in best:
            break
        reached: dict[str, tuple[int, str]] = {}
        for one in edge:
            for end in seaward(one):
                if end in best or (open is not None and end[:4] not in open):
                    continue
                cost = best[one][0] + (end[:4] in shunned)
                if end not in reached or cost < reached[end][0]:
                    reached[end] = (cost, one)
        best |= reached
        rank = {one: number for number, one in enumerate(edge)}
        edge = sorted(reached, key=lambda end: (rank[reached[end][1]], seaward(reached[end][1]).index(end)))
    if goal not in best or goal == start:
        return ()
    way = [goal]
    while best[way[-1]][1] != start:
        way.append(best[way[-1]][1])
    return tuple(reversed(way))


# the land

_LAND_CLOSED: Final = frozenset(frozenset(pair) for pair in HEXES.land_closed)
FORBIDDEN: Final = frozenset(HEXES.forbidden_ground)
"""P2.5: hexes that ground units may not enter."""


@cache
def landward(hex: str) -> tuple[str, ...]:
    """Return the hexes that share a land edge with a hex, forbidden ones included."""
    island = HEXES.islands.get(hex)
    return tuple(
        other
        for other in beside(hex)
        if island is not None
        and HEXES.islands.get(other) == island
        and frozenset((hex, other)) not in _LAND_CLOSED
    )


# the area of a scenario

_RADIUS, _LAT0, _LON0 = 3440.065, radians(5.0), radians(150.0)
_LEFT, _TOP, _STEP = -4000.0, 3150.0, 86.60254037844386


@cache
def place(hex: str) -> tuple[float, float]:
    """Return latitude and longitude of the centre of a hex in degrees, the longitude from 0 to 360."""
    column, row = int(hex[:2]), int(hex[2:4])
    x, y = _LEFT + _STEP * column, _TOP - 100.0 * row - (50.0 if column & 1 else 0.0)
    far = sqrt(x * x + y * y)
    if not far:
        return degrees(_LAT0), degrees(_LON0)
    angle = 2 * asin(far / (2 * _RADIUS))
    lat = asin(cos(angle) * sin(_LAT0) + y * sin(angle) * cos(_LAT0) / far)
    lon = _LON0 + atan2(x * sin(angle), far * cos(_LAT0) * cos(angle) - y * sin(_LAT0) * sin(angle))
    return degrees(lat), degrees(lon) % 360


@cache
def area(scenario: str) -> frozenset[str]:
    """Return the hexes of a scenario's area (P1.2): those whose centre is inside."""
    limits = (SCENARIOS if scenario in SCENARIOS else CAMPAIGNS)[scenario].area
    (south, north), (west, east) = limits.lat, limits.lon
    places: Mapping[str, tuple[float, float]] = {one: place(one) for one in HEX_NAMES}
    return frozenset(h for h, (lat, lon) in places.items() if south <= lat <= north and west <= lon <= east)
