"""C11 Stacking: what it costs to join own units on land."""

from collections.abc import Collection

from msgspec.structs import replace

from domain.coral_sea.atlas import at_sea
from domain.coral_sea.charts import OWNERS, STACKING
from domain.coral_sea.facts import SupplyLeft
from domain.coral_sea.table import Open, Table, operating


def company(open: Open, area: str, side: int, stack: Collection[str]) -> bool:
    """Return whether own units that do not belong to a stack are in an area (C11.2)."""
    return any(
        unit.area == area and OWNERS[name] == side and name not in stack for name, unit in open.units.items()
    )


def price(open: Open, area: str, side: int, stack: Collection[str]) -> int:
    """Return what it costs a stack to stop, land or unload in an area; at sea it is free (C11.2)."""
    return 0 if at_sea(area) or not company(open, area, side, stack) else STACKING


def less(open: Open, sp: int) -> Open:
    """Return the table as it is when supply points have been paid."""
    operation = operating(open)
    return replace(open, operation=replace(operation, sp=operation.sp - sp))


def pay(table: Table, sp: int, what: str) -> None:
    """Pay supply points out of the operation, for something that is named."""
    if sp:
        table.record(SupplyLeft(operating(table.open).sp - sp, what))
