"""C13.1 to C13.5 Where a unit may retreat to. Pure functions; `retreat` carries it out."""

from collections.abc import Callable

from domain.coral_sea.atlas import COAST, DISTANCE, HOLDABLE, LAND, ROUTES, SEAS, at_sea
from domain.coral_sea.charts import GROUND_LIMIT, OWNERS, REFUGE, RETREAT_EDGE, UNITS
from domain.coral_sea.isolation import friendly_port
from domain.coral_sea.table import GROUND, NAVAL, Battle, Open, at, enemy, is_truk, occupied, ship_areas
from domain.coral_sea.units import movement

FAR = 10**6


def destinations(open: Open, unit: str, isolated: bool) -> list[str]:
    """Return where a unit may retreat to now, in the order of the data; none means that it is destroyed."""
    if UNITS[unit].domain == NAVAL:
        return ship_destinations(open, unit)
    return ground_destinations(open, unit, isolated, open.battle)


def ground_destinations(open: Open, unit: str, isolated: bool, battle: Battle | None) -> list[str]:
    """Return the legal destinations of a ground unit (C13.2 to C13.4, C16.3)."""
    area, side = open.units[unit].area, OWNERS[unit]
    if open.units[unit].inside:
        return [area]
    attacks = battle is not None and battle.attacker == side
    origin = battle.origin if battle else ""
    aboard = aboard_ships(open, area, side)
    if attacks and at_sea(origin):
        return [origin] if origin in aboard else aboard
    foes = occupied(open, enemy(side))
    if attacks:
        land = [origin] if origin in LAND[area] and origin not in foes else []
    elif isolated:
        land = []
    else:
        land = nearest(open, [a for a in LAND[area] if a != origin and a not in foes], side)
    return land + aboard + refuge(open, area, side)


def aboard_ships(open: Open, area: str, side: int) -> list[str]:
    """Return the sea areas beside with ships to take a ground unit aboard (C13.3)."""
    foes = ship_areas(open, enemy(side))
    return [
        sea
        for sea in COAST[area]
        if sea not in foes
        and any(not is_truk(ship) for ship in at(open, sea, side, NAVAL))
        and len(at(open, sea, side, GROUND)) < GROUND_LIMIT
    ]


def refuge(open: Open, area: str, side: int) -> list[str]:
    """Return the area itself if an own fortress there has room (C16.3)."""
    fortress = open.fortresses.get(area)
    if fortress is None or fortress.side != side:
        return []
    return [area] if inside(open, area) < REFUGE else []


def inside(open: Open, area: str) -> int:
    """Return how many units are inside a fortress (C16.2)."""
    return sum(unit.inside for unit in open.units.values() if unit.area == area)


def nearest(open: Open, areas: list[str], side: int) -> list[str]:
    """Return the areas nearest to an own resource point, or to the edge of the map (C13.2)."""
    goals = list(open.rp[side]) or [RETREAT_EDGE[side]]
    far = {area: min(DISTANCE[area][goal] for goal in goals) for area in areas}
    least = min(far.values(), default=0)
    return [area for area in areas if far[area] == least]


def ship_destinations(open: Open, unit: str) -> list[str]:
    """Return the legal destinations of a ship: all friendly ports within Range (C13.5, R98).

    Where its attackers came from, or it came from itself, is an area like others (R99).
    """
    start, side, reach = open.units[unit].area, OWNERS[unit], movement(open, unit)
    foes, mixed = ship_areas(open, enemy(side)), strangers(open, unit)
    truk = is_truk(unit)

    def enterable(area: str) -> bool:
        return area not in foes if at_sea(area) else not truk and friendly_port(open, area, side)

    costs = _costs(start, enterable)
    ports = {area: far for area, far in costs.items() if not at_sea(area) and area != start}
    least = min(ports.values(), default=FAR)
    if least <= reach:
        return [area for area in HOLDABLE if ports.get(area, FAR) <= reach]
    if not ports:
        return [area for area in SEAS if 0 < costs.get(area, FAR) <= reach and area not in mixed]
    found: set[str] = set()
    for port, far in ports.items():
        if far == least:
            found |= _on_the_way(
                costs, _costs(port, lambda a: a == start or enterable(a)), least, reach, mixed
            )
    return [area for area in SEAS if area in found]


def open_water(open: Open, unit: str) -> bool:
    """Return whether any sea area beside a ship has no enemy ships."""
    foes = ship_areas(open, enemy(OWNERS[unit]))
    return any(at_sea(area) and area not in foes for area in ROUTES[open.units[unit].area])


def strangers(open: Open, unit: str) -> set[str]:
    """Return the areas where a ship may not end: Truk ships and others never end together (C18.3)."""
    side, truk = OWNERS[unit], is_truk(unit)
    return {
        other.area
        for name, other in open.units.items()
        if other.area and OWNERS[name] == side and UNITS[name].domain == NAVAL and is_truk(name) != truk
    }


def _on_the_way(
    out: dict[str, int], back: dict[str, int], least: int, reach: int, mixed: set[str]
) -> set[str]:
    """Return how far a ship gets along the cheapest routes to a port; it stops short of a strange fleet."""
    route = {area for area, far in out.items() if far + back.get(area, FAR) == least}
    ends = {
        area
        for area in route
        if 0 < out[area] <= reach
        and not any(b in route and out[area] < out[b] <= reach for b in ROUTES[area])
    }
    clear = {area for area in ends if area not in mixed}
    short = {
        before
        for area in ends - clear
        for before in ROUTES[area]
        if before in route and 0 < out[before] < out[area] and before not in mixed
    }
    return {area for area in clear | short if at_sea(area)}


def _costs(start: str, enterable: Callable[[str], bool]) -> dict[str, int]:
    """Return the Range it takes to reach each area through areas that may be entered (C9.3)."""
    found = {start: 0}
    todo = [start]
    while todo:
        here = min(todo, key=found.__getitem__)
        todo.remove(here)
        for there, cost in ROUTES[here].items():
            far = found[here] + cost
            if far < found.get(there, FAR) and enterable(there):
                found[there] = far
                if there not in todo:
                    todo.append(there)
    return found
