"""C13.6 to C13.8 Isolation. It is worked out when it matters; a battle alone freezes it."""

from domain.coral_sea.atlas import BOX, COAST, LAND, PORTS, ROUTES, at_sea
from domain.coral_sea.charts import OWNERS, UNITS
from domain.coral_sea.table import NAVAL, Open, enemy, is_truk, occupied, ship_areas


def isolated(open: Open, unit: str) -> bool:
    """Return whether a unit is isolated (C13.6, C13.7). Units aboard ships and ships in port are not."""
    area, side = open.units[unit].area, OWNERS[unit]
    if UNITS[unit].domain == NAVAL:
        return at_sea(area) and _ship_isolated(open, area, side)
    return not at_sea(area) and area != BOX and _ground_isolated(open, area, side)


def friendly_port(open: Open, area: str, side: int) -> bool:
    """Return whether an area is a friendly port (C1.5)."""
    if area not in PORTS or open.control.get(area) != side:
        return False
    foe = enemy(side)
    return not any(u.area == area and OWNERS[name] == foe for name, u in open.units.items())


def _ground_isolated(open: Open, area: str, side: int) -> bool:
    """C13.6: all land around is enemy-occupied, and there is no way out by sea."""
    foes = occupied(open, enemy(side))
    return all(land in foes for land in LAND[area]) and not _sea_exit(open, area, side)


def _sea_exit(open: Open, area: str, side: int) -> bool:
    """C13.6: a friendly ship off the coast, a port with an open sea before it, or a ship in port."""
    foes = ship_areas(open, enemy(side))
    free = [sea for sea in COAST[area] if sea not in foes]
    if free and area in PORTS and open.control.get(area) == side:
        return True
    for name, unit in open.units.items():
        if unit.area and OWNERS[name] == side and UNITS[name].domain == NAVAL:
            if unit.area == area:
                return True
            if unit.area in free and not is_truk(name):
                return True
    return False


def _ship_isolated(open: Open, area: str, side: int) -> bool:
    """C13.7: enemy ships in every sea area around, and no friendly port beside."""
    foes = ship_areas(open, enemy(side))
    for beside in ROUTES[area]:
        if at_sea(beside):
            if beside not in foes:
                return False
        elif friendly_port(open, beside, side):
            return False
    return True
