"""P1.3 What the special rules of the scenarios change."""

from domain.pacific_war.charts import ALLIES, JAPAN
from domain.pacific_war.table import Open, enemy, fort, hostile, location_of

SPARED = {"E1": ("townsville", "noumea")}
"""Scenario to the locations that no Japanese strike may target."""
SAFE = ("truk", "brisbane", "suva", "noumea")
"""C1.3: locations that ground units may not attack."""


def first_strike(open: Open) -> bool:
    """Return whether this is the first cycle of Pearl Harbor (E2.1)."""
    return open.scenario == "E2" and open.cycle == 1


def stands_down(open: Open, side: int) -> bool:
    """Return whether a side may assign no CAP (E2.1)."""
    return side == ALLIES and first_strike(open)


def only_strikes(open: Open, location: str) -> bool:
    """Return whether the air units at a location may only search and strike (E1.1)."""
    return location in SPARED.get(open.scenario, ())


def search_limit(open: Open, side: int) -> int:
    """Return the hexes that a side's searches reach at most (E2.1)."""
    return 2 if side == ALLIES and first_strike(open) else 99


def raid_shift(open: Open) -> int:
    """Return the shift of strikes on ports and airbases (E2.1, R-77)."""
    return 1 if first_strike(open) else 0


def flak_shift(open: Open, side: int) -> int:
    """Return the further flak shift of a side (E2.1)."""
    return -2 if side == ALLIES and first_strike(open) else 0


def spared(open: Open, side: int, location: str) -> bool:
    """Return whether no strike of a side may target a location (E1)."""
    return side == JAPAN and location in SPARED.get(open.scenario, ())


def wakes(open: Open, home: str, cycle: int) -> bool:
    """Return whether air units at a location count as Activated from this cycle on (E2.2)."""
    return open.scenario == "E2" and cycle > 1 and home == "pearl_harbor"


def may_land(open: Open, side: int, hex: str) -> bool:
    """Return whether troops may go into a hex (E2.3, E4.1, C1.3)."""
    if open.scenario == "E2":
        return False
    if open.scenario == "C1":
        return location_of(hex) not in SAFE or not hostile(open, hex, side)
    return open.scenario != "E4" or not fort(open, hex, enemy(side))


def intercepts(open: Open, side: int) -> bool:
    """Return whether a side intercepts at all (E3.2)."""
    return not (open.scenario == "E3" and side == ALLIES)


def surprised(open: Open) -> bool:
    """Return whether the Condition of this Operation is Surprise Attack without a die (C1.2)."""
    return open.scenario == "C1" and open.war is not None and open.war.operations == 1


def surprise(open: Open) -> int:
    """Return the side that has Surprise without a roll (E3.2), or -1."""
    return JAPAN if open.scenario == "E3" else -1
