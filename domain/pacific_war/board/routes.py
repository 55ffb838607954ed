"""P13.2.2 Paths of strategic transport: where a unit, a headquarters or a crippled ship can be carried.

Between its ends a path keeps to safe waters and to land that is friendly or nobody's. All hexes that such
paths join make one region, so an end is reached from another if both touch the same region. Deliberately
absent: boxes (`boxes`), in which a path ends (P13.2.4).
"""

from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from domain.pacific_war.board.atlas import FORBIDDEN, area, course, distance, kind, landward, nodes, seaward
from domain.pacific_war.board.charts import AT, LOCATIONS
from domain.pacific_war.board.table import Open, Own, air_class, enemy

FAR = 1000
"""More hexes than any path has."""


class Ways(NamedTuple):
    """What transports of a side may cross: safe waters, land, and hexes where a path changes between them."""

    safe: tuple[str, ...]
    land: frozenset[str]
    harbours: frozenset[str]


def ways(open: Open, own: Own, side: int) -> Ways:
    """Return what transports of a side may cross; land is friendly, or nobody's and without the enemy."""
    theirs = {LOCATIONS[place].hex for place, base in open.bases.items() if base.control != side}
    mine = {LOCATIONS[place].hex for place, base in open.bases.items() if base.control == side}
    land = _land(open.scenario) - theirs - set(open.troops[enemy(side)])
    return Ways(own.means.safe, frozenset(land), frozenset(mine))


@lru_cache(256)
def carries(ways: Ways, start: str) -> frozenset[str]:
    """Return the friendly locations to which ground units can be carried from the hex of another."""
    regions, touching = regions_of(ways), _harbours_on(ways)
    near = {after[:4] for node in nodes(start) for after in seaward(node)} & ways.harbours
    ends = near.union(*(touching.get(region, ()) for region in _touched(regions, start)))
    return frozenset(AT[end] for end in ends if end != start)


@lru_cache(8)
def _harbours_on(ways: Ways) -> dict[int, set[str]]:
    """Return each region to the friendly locations, as hexes, that touch it."""
    regions, found = regions_of(ways), defaultdict[int, set[str]](set)
    for end in ways.harbours:
        for region in _touched(regions, end):
            found[region].add(end)
    return found


@lru_cache(256)
def sails(safe: tuple[str, ...], start: str) -> frozenset[str]:
    """Return the locations to whose ports a ship can sail from the port on a coast."""
    regions, near = regions_of(Ways(safe, frozenset(), frozenset())), set(seaward(start))
    mine = _beside(regions, start)
    return frozenset(
        place
        for place, one in LOCATIONS.items()
        if one.coast
        and one.coast != start
        and (one.coast in near or not mine.isdisjoint(_beside(regions, one.coast)))
    )


def way(own: Own, origin: str, goal: str) -> tuple[str, ...]:
    """Return the nodes of the shortest path of a ship from one port to another, both included (P13.2.5)."""
    return _way(own.means.safe, origin, goal)


@lru_cache(128)
def _way(safe: tuple[str, ...], origin: str, goal: str) -> tuple[str, ...]:
    start, end = LOCATIONS[origin].coast, LOCATIONS[goal].coast
    assert start is not None
    assert end is not None
    return (start, *course(start, end, FAR, {*safe, end[:4]}))


def airbases(open: Open, side: int) -> frozenset[str]:
    """Return where a side has an airbase on the map."""
    return _once(
        frozenset(place for place, base in open.bases.items() if base.control == side and base.airbase)
    )


def flights(fields: frozenset[str], unit: str, origin: str) -> frozenset[str]:
    """Return which of these airbases an air unit can reach, each within twice its range of the next."""
    return _hops(2 * air_class(unit).range, origin, fields) - {origin}


@lru_cache(64)
def _once(places: frozenset[str]) -> frozenset[str]:
    """Return the first of equal sets: from most origins the same airbases are reached, which is held once."""
    return places


@lru_cache(256)
def _hops(most: int, origin: str, fields: frozenset[str]) -> frozenset[str]:
    first = [chain for chain in _chains(most, fields) if origin in chain] or [
        chain for chain in _chains(most, fields) if not chain.isdisjoint(about(origin, most))
    ]
    return _once(frozenset().union(*first))


@lru_cache(16)
def _chains(most: int, fields: frozenset[str]) -> tuple[frozenset[str], ...]:
    """Return the airbases parted into chains, in which each is so near to the next."""
    left, found = set(fields), list[frozenset[str]]()
    while left:
        edge = {left.pop()}
        chain = set(edge)
        while edge:
            edge = left.intersection(near for one in edge for near in about(one, most))
            left -= edge
            chain |= edge
        found.append(frozenset(chain))
    return tuple(found)


@cache
def about(place: str, most: int) -> frozenset[str]:
    """Return the locations within so many hexes of one, itself included."""
    start = LOCATIONS[place].hex
    return frozenset(one for one, there in LOCATIONS.items() if distance(start, there.hex) <= most)


@lru_cache(8)
def _land(scenario: str) -> set[str]:
    return {one for one in area(scenario) if kind(one) != "s" and one not in FORBIDDEN}


@lru_cache(16)
def regions_of(ways: Ways) -> dict[str, int]:
    """Return the nodes of safe waters, and the hexes of land as `L5340`, to the region each is in."""
    safe, land, harbours = ways
    starts = [*(node for one in safe for node in nodes(one)), *(f"L{one}" for one in sorted(land))]
    changes = harbours.intersection(safe, land)
    left, found = set(starts), dict[str, int]()
    for number, start in enumerate(starts):
        edge = {start} & left
        left -= edge
        while edge:
            one = edge.pop()
            found[one] = number
            near = _near(one) & left
            if one.removeprefix("L")[:4] in changes:
                near |= _across(one) & left
            left -= near
            edge |= near
    return found


@cache
def _near(one: str) -> frozenset[str]:
    """Return the nodes beside a node, or the hexes of land beside one."""
    return frozenset((f"L{end}" for end in landward(one[1:])) if one.startswith("L") else seaward(one))


@cache
def _across(one: str) -> frozenset[str]:
    """Return the nodes of a hex of land, or the land of a node."""
    return frozenset(nodes(one[1:]) if one.startswith("L") else (f"L{one[:4]}",))


def _touched(regions: dict[str, int], hex: str) -> set[int]:
    """Return the regions that a path can enter from a friendly location: a path ends in any hex."""
    ashore = {regions[f"L{hex}"]} if f"L{hex}" in regions else set[int]()
    return ashore.union(*(_beside(regions, node) for node in nodes(hex)))


def _beside(regions: dict[str, int], node: str) -> set[int]:
    return {regions[end] for end in seaward(node) if end in regions}
