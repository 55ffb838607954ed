"""C4 Units: what a unit is worth as it stands now."""

from domain.coral_sea.charts import UNITS
from domain.coral_sea.printed import Values
from domain.coral_sea.table import Open


def printed(open: Open, unit: str) -> Values:
    """Return the values of the side of the counter that is up (C4.1)."""
    counter = UNITS[unit]
    return counter.depleted if open.units[unit].depleted else counter.full


def cohesion(open: Open, unit: str, isolated: bool = False) -> int:
    """Return the cohesion: one less if disorganised, one less if isolated, at least 1 (C4.2)."""
    return max(1, printed(open, unit).cohesion - open.units[unit].disorganised - isolated)


def movement(open: Open, unit: str) -> int:
    """Return the movement factor of a ground unit or the Range of a ship (C4.2)."""
    return max(1, printed(open, unit).move - open.units[unit].disorganised)


def tactics(open: Open, unit: str) -> int:
    """Return the tactical value (C4.2)."""
    return max(1, printed(open, unit).tactical - open.units[unit].disorganised)
