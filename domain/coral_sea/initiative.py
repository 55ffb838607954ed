"""C20 Initiative."""

from domain.coral_sea.atlas import site_areas
from domain.coral_sea.charts import ALLIED, INITIATIVE_SHIFT, JAPAN
from domain.coral_sea.facts import InitiativeChanged
from domain.coral_sea.table import Open, Table


def controls(open: Open, side: int, site: str) -> bool:
    """Return whether a side controls a site: the area, or the whole island (C3.10)."""
    return all(open.control.get(area) == side for area in site_areas(site))


def shift(table: Table) -> None:
    """Test whether the Allies get it for good (C20.3): sites held, and Japanese units destroyed."""
    now = table.open
    held = sum(controls(now, ALLIED, site) for site in INITIATIVE_SHIFT["sites"])
    enough = (
        held >= INITIATIVE_SHIFT["sites_needed"]
        and now.fallen[JAPAN] >= INITIATIVE_SHIFT["japanese_units_destroyed"]
    )
    if enough and not now.shifted:
        table.record(InitiativeChanged(ALLIED, 0))


def lend(table: Table, side: int, sequences: int) -> None:
    """Give a side the initiative for the next so many sequences (C20.2)."""
    table.record(InitiativeChanged(side, table.open.sequence + sequences))


def holder(open: Open) -> tuple[int, int]:
    """Return who holds the initiative in the sequence that begins now, and until when (C5.8, C20.2)."""
    if open.initiative_until and open.sequence >= open.initiative_until:
        return JAPAN, 0
    return open.initiative, open.initiative_until
