"""C14 Reorganising and rebuilding."""

from domain.coral_sea import changes
from domain.coral_sea.atlas import at_sea
from domain.coral_sea.charts import REBUILD, REORGANIZE, UNITS
from domain.coral_sea.decisions import Rebuild, Reorganize
from domain.coral_sea.facts import UnitRebuiltThisOperation
from domain.coral_sea.isolation import friendly_port, isolated
from domain.coral_sea.stacking import pay
from domain.coral_sea.table import NAVAL, Open, Table, operating
from domain.kernel.procedures import Decision


def mending(open: Open, side: int, able: list[str]) -> list[Decision]:
    """Return who may be reorganised or rebuilt: not isolated, ships in a friendly port, none aboard (C14)."""
    options: list[Decision] = []
    operation = operating(open)
    for name in able:
        unit = open.units[name]
        if not (unit.depleted or unit.disorganised) or not _place(open, side, name):
            continue
        if unit.disorganised and operation.sp >= REORGANIZE:
            options.append(Reorganize(name))
        if unit.depleted and operation.sp >= REBUILD and not operation.rebuilt:
            options.append(Rebuild(name))
    return options


def _place(open: Open, side: int, name: str) -> bool:
    area = open.units[name].area
    if UNITS[name].domain == NAVAL and not friendly_port(open, area, side):
        return False
    return not (at_sea(area) or isolated(open, name))


def mend(table: Table, decision: Reorganize | Rebuild) -> None:
    """Take the marker off (C14.1), or flip the unit back, once an operation (C14.2); it has acted (C14.3)."""
    if isinstance(decision, Reorganize):
        pay(table, REORGANIZE, "reorganising")
        changes.reorganise(table, decision.unit)
    else:
        pay(table, REBUILD, "rebuilding")
        changes.rebuild(table, decision.unit)
        table.record(UnitRebuiltThisOperation())
    changes.acted(table, [decision.unit])
