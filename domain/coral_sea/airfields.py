"""C19 Airfields: which work, where one may be built or removed, and their capture."""

from domain.coral_sea.atlas import COAST, WITHIN, at_sea
from domain.coral_sea.charts import AIRFIELD, AIRFIELD_RANGE, AREAS, OWNERS, UNITS
from domain.coral_sea.decisions import BuildAirfield, RemoveAirfield, RepairAirfield
from domain.coral_sea.places import AirfieldFreed, AirfieldGone, AirfieldSet
from domain.coral_sea.table import GROUND, Open, Table, at
from domain.kernel.procedures import Decision


def has_airfield(open: Open, area: str) -> bool:
    """Return whether there is an airfield in an area, printed or a counter, working or not."""
    return AREAS[area].airfield or area in open.airfields


def works(open: Open, area: str, side: int) -> bool:
    """Return whether a side has a working airfield in an area (C19.1)."""
    if open.control.get(area) != side or area in open.damaged or area in open.suppressed:
        return False
    return AREAS[area].airfield or open.airfields.get(area) == side


def working(open: Open, side: int) -> list[str]:
    """Return the areas with a working airfield of a side."""
    return [area for area in open.control if has_airfield(open, area) and works(open, area, side)]


def in_range(open: Open, side: int, area: str) -> bool:
    """Return whether an area is within range of a working airfield of a side (C19.2)."""
    return any(area in WITHIN[AIRFIELD_RANGE[side]][field] for field in working(open, side))


def reached(open: Open, side: int) -> set[str]:
    """Return all areas within range of a side's working airfields (C19.2)."""
    areas: set[str] = set()
    for field in working(open, side):
        areas |= WITHIN[AIRFIELD_RANGE[side]][field]
    return areas


def carrier_near(open: Open, side: int, area: str) -> bool:
    """Return whether a carrier of a side is in the area, or at sea off its coast (C12.15)."""
    near = (area,) if at_sea(area) else COAST[area]
    return any(
        unit.area in near and OWNERS[name] == side and UNITS[name].type == "CV"
        for name, unit in open.units.items()
    )


def cost(open: Open) -> int:
    """Return what building or removing an airfield costs in this operation (C7.5, C21.1)."""
    return (open.operation and open.operation.airfield_cost) or AIRFIELD


def works_to_do(open: Open, side: int, able: list[str]) -> list[Decision]:
    """Return what may be built and removed by the units that could act (C19.3, C19.4)."""
    options: list[Decision] = []
    for unit in able:
        area = open.units[unit].area
        if at_sea(area) or open.control.get(area) != side:
            continue
        if open.airfields.get(area) == side:
            options.append(RemoveAirfield(area, unit))
        elif not AREAS[area].mountain and not has_airfield(open, area) and open.counters[side]:
            options.append(BuildAirfield(area, unit))
    return options


def repairs(open: Open, side: int, activated: set[str]) -> list[Decision]:
    """Return which airfields may be repaired: a unit is there, even besieged, and does not act (C22.1)."""
    return [
        RepairAirfield(area)
        for area in open.damaged
        if area in activated and open.control.get(area) == side and at(open, area, side, GROUND)
    ]


def build(table: Table, side: int, area: str) -> None:
    """Build an airfield (C19.3)."""
    table.record(AirfieldSet(area, side, table.open.counters[side] - 1))


def remove(table: Table, side: int, area: str) -> None:
    """Take a counter back into the supply (C19.4)."""
    table.record(AirfieldGone(area, side, table.open.counters[side] + 1))


def capture(table: Table, side: int, area: str) -> None:
    """Replace an enemy counter by an own one if there is one left; the enemy's is gone for good (C19.6).

    An airfield that shells had stopped serves its new owner at once: it failed its old one alone (C12.16).
    """
    now = table.open
    if area in now.suppressed:
        table.record(AirfieldFreed(area))
    if now.airfields.get(area, side) == side:
        return
    table.record(AirfieldGone(area, 1 - side, now.counters[1 - side]))
    if now.counters[side]:
        table.record(AirfieldSet(area, side, now.counters[side] - 1, captured=True))
