"""C7.4 Supply: which units can be activated. Pure functions."""

from domain.coral_sea.atlas import COAST, LAND, at_sea
from domain.coral_sea.charts import OWNERS, SUPPLY_AREAS, UNITS
from domain.coral_sea.table import NAVAL, Open, enemy, operating, stands


def reach(open: Open, side: int, marker: str) -> set[str]:
    """Return the land areas whose ground units a marker activates (C7.4a, b).

    Over land at most three steps, no area of the path holding an enemy unit; besieged units do not count,
    nor do ships in a port under siege (R95). Those inside are served by resource points inside alone (C16.6).
    """
    besieged = {area for area, besieger in open.sieges.items() if besieger != side}
    if at_sea(marker):
        return set(COAST[marker]) - besieged
    foes = stands(open, enemy(side)) - {area for area, besieger in open.sieges.items() if besieger == side}
    if marker in besieged:
        return {marker}
    if marker in foes:
        return set()
    found, edge = {marker}, [marker]
    for _ in range(SUPPLY_AREAS):
        edge = [there for here in edge for there in LAND[here] if there not in found and there not in foes]
        found.update(edge)
    return found - besieged


def able(open: Open) -> list[str]:
    """Return the units of the operation's owner that could act now (C7.3, C7.4)."""
    operation = operating(open)
    side, marker = operation.side, operation.area
    areas = reach(open, side, marker)
    return [
        name
        for name, unit in open.units.items()
        if unit.area
        and not unit.acted
        and OWNERS[name] == side
        and (unit.area == marker if UNITS[name].domain == NAVAL else unit.area in areas)
    ]


def able_ground(open: Open) -> list[str]:
    """Return the ground units on land that could act now, besieged ones left out."""
    return [name for name in able(open) if UNITS[name].domain != NAVAL and not open.units[name].inside]


def able_ships(open: Open) -> list[str]:
    """Return the ships that could act now."""
    return [name for name in able(open) if UNITS[name].domain == NAVAL]
