"""C21.1, C21.2 Possible targets of cards: pure functions, shared by prerequisites and effects."""

from domain.coral_sea.airfields import reached, working
from domain.coral_sea.atlas import DISTANCE, HOLDABLE, at_sea
from domain.coral_sea.charts import AREAS, OWNERS, RP_AREAS, UNITS
from domain.coral_sea.decisions import FlyRp, FlyUnit, MoveRp, Refit
from domain.coral_sea.intelligence import HIDDEN
from domain.coral_sea.isolation import friendly_port, isolated
from domain.coral_sea.printed import Effect
from domain.coral_sea.table import GROUND, NAVAL, Open, enemy, is_truk, stands
from domain.kernel.procedures import Decision


def ended_at_sea(open: Open, side: int) -> list[str]:
    """Return the sea areas where ships of the enemy's naval move just completed are now (C21.2)."""
    operation, foe = open.operation, enemy(side)
    if operation is None or operation.side != foe:
        return []
    if open.options.limited_intelligence:
        return [area for area in operation.ended_at if area in open.stacks[foe]]
    return [
        area for area in operation.ended_at if any(open.units[ship].area == area for ship in operation.moved)
    ]


def just_moved(open: Open, area: str) -> list[str]:
    """Return the ships of the naval move just completed that are in an area now, as far as is known."""
    moved = open.operation.moved if open.operation else ()
    return [ship for ship in moved if ship in open.units and open.units[ship].area == area]


def rp_areas(open: Open, side: int, only: tuple[str, ...] = ()) -> list[str]:
    """Return where new resource points may be placed (C15.2); `only` narrows it (C21.1)."""
    return [area for area in RP_AREAS[side] if open.control.get(area) == side and (not only or area in only)]


def arrivals(open: Open, side: int, places: tuple[str, ...]) -> list[str]:
    """Return where reinforcements of a side may arrive (C24.5): a fortress under siege is closed (R96)."""
    return [
        place
        for place in places
        if at_sea(place) or (open.control.get(place) == side and place not in open.sieges)
    ]


def removable(open: Open, side: int, unit_type: str) -> list[str]:
    """Return a side's units of a type on the map that are not of the Truk Fleet (C21.1)."""
    return [
        name
        for name, unit in open.units.items()
        if unit.area and OWNERS[name] == side and UNITS[name].type == unit_type and not is_truk(name)
    ]


def air(open: Open, side: int, effect: Effect) -> list[str]:
    """Return the areas that an air attack of a side may go to (C21.1 `air_attack`, C22.1)."""
    foe = enemy(side)
    inside = reached(open, side)
    if effect.just_moved:
        areas = set(ended_at_sea(open, side))
    else:
        areas = {
            u.area
            for n, u in open.units.items()
            if u.area and OWNERS[n] == foe and UNITS[n].domain in effect.targets
        }
        if open.options.air_attacks_on_airfields:
            areas |= {a for a in HOLDABLE if a not in open.damaged and enemy_airfield(open, side, a)}
    return [area for area in AREAS if area in areas and area in inside]


def enemy_airfield(open: Open, side: int, area: str) -> bool:
    """Return whether the enemy controls an airfield in an area (C22.1)."""
    if open.control.get(area) != enemy(side):
        return False
    return AREAS[area].airfield or area in open.airfields


def diseased(open: Open, side: int) -> list[str]:
    """Return the enemy ground units on land in areas without a resource point of theirs (C21.1).

    With limited intelligence only those that lie open: what hidden stacks hold is not known (R83).
    """
    foe, dark = enemy(side), HIDDEN if open.options.limited_intelligence else frozenset[str]()
    return [
        name
        for name, unit in open.units.items()
        if unit.area
        and not at_sea(unit.area)
        and OWNERS[name] == foe
        and UNITS[name].domain == GROUND
        and unit.area not in open.rp[foe]
        and unit.area not in dark
    ]


def refits(open: Open, side: int, rebuild: int, reorganize: int) -> list[Decision]:
    """Return what may be rebuilt and reorganised by a card (C21.1 `refit`)."""
    options: list[Decision] = []
    for name, unit in open.units.items():
        if OWNERS[name] != side or not (unit.depleted or unit.disorganised):
            continue
        area = AREAS.get(unit.area)
        if area is None or not area.urban or open.control.get(unit.area) != side or isolated(open, name):
            continue
        if UNITS[name].domain == NAVAL and not friendly_port(open, unit.area, side):
            continue
        if unit.depleted and rebuild:
            options.append(Refit(name, "rebuild"))
        if unit.disorganised and reorganize:
            options.append(Refit(name, "reorganize"))
    return options


def urban(open: Open, side: int) -> list[str]:
    """Return the urban areas that a side controls."""
    return [area for area, owner in open.control.items() if owner == side and AREAS[area].urban]


def barges(open: Open, side: int, reach: int) -> list[Decision]:
    """Return where one resource point may be moved between urban areas (C21.1 `move_rp`)."""
    towns = urban(open, side)
    return [
        MoveRp(origin, to)
        for origin in towns
        if open.rp[side].get(origin)
        for to in towns
        if to != origin and DISTANCE[origin][to] <= reach
    ]


def flights(open: Open, side: int, reach: int) -> list[Decision]:
    """Return what may be flown between working airfields (C21.1 `air_transport`)."""
    fields, foes = working(open, side), stands(open, enemy(side))
    options: list[Decision] = []
    for origin in fields:
        near = [to for to in fields if to not in foes | {origin} and DISTANCE[origin][to] <= reach]
        riders = [
            n
            for n, u in open.units.items()
            if u.area == origin and OWNERS[n] == side and UNITS[n].domain == GROUND and not u.inside
        ]
        options += [FlyUnit(unit, to) for unit in riders for to in near]
        if open.rp[side].get(origin):
            options += [FlyRp(origin, to) for to in near if AREAS[to].urban]
    return options
