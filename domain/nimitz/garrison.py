"""N5.1, N5.2 Which Japanese forces may be given orders, and which must stay."""

from domain.nimitz.charts import AREAS, COUNTERS, JA, SPECIAL, US
from domain.nimitz.marches import HeldBack
from domain.nimitz.table import EAST_ASIA, JAPAN, Open, Table, at, by_place, present_in

UNBOUND = (JAPAN, EAST_ASIA)
"""Areas without a lone force or a last garrison (N5.1, N5.2)."""
SILENT = ("OK", "IJ")
"""Areas whose forces get no orders in 1945 (N19.1)."""


def hold_back(table: Table) -> None:
    """N5.1: mark lone infantry or aircraft, and infantry beside US forces, as moved."""
    board = table.open
    beside = present_in(board, US)
    for area, names in sorted(by_place(board, JA).items()):
        if area not in AREAS:
            continue
        ground = [name for name in names if COUNTERS[name].kind != "SHIP"]
        if len(ground) == 1 and area not in UNBOUND and not board.forces[ground[0]].moved:
            table.record(HeldBack(tuple(ground), area, "alone there", "N5.1"))
        if area in beside:
            infantry = [n for n in ground if COUNTERS[n].kind == "INF" and not board.forces[n].moved]
            if infantry:
                table.record(HeldBack(tuple(infantry), area, "US forces are there", "N5.1"))


def orderable(open: Open, area: str) -> list[str]:
    """Return the Japanese forces of an area that may be given an order (N5.2), by id."""
    if area in SILENT and "no_orders_OK_IJ" in SPECIAL[open.year]:
        return []
    names = [name for name in at(open, area, JA) if not open.forces[name].moved]
    if names and at(open, area, US):
        return [name for name in names if COUNTERS[name].kind != "INF"]
    return names


def last_garrison(open: Open, area: str, names: list[str]) -> bool:
    """Return whether the orderable forces of an area are its last garrison (N5.2)."""
    if area in UNBOUND or not names or any(COUNTERS[name].kind == "SHIP" for name in names):
        return False
    there = at(open, area, JA, "INF", "LBA")
    return sum(not open.forces[name].arrived for name in there) <= 1


def to_order(table: Table, area: str) -> list[str]:
    """Return what may be ordered in an area, after the last garrison is marked without a roll (N5.2)."""
    names = orderable(table.open, area)
    if last_garrison(table.open, area, names):
        table.record(HeldBack(tuple(names), area, "the last garrison", "N5.2"))
        return []
    return names
