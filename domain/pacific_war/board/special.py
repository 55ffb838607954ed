"""P1.3 What the special rules of the scenarios change."""

from domain.pacific_war.board.charts import ALLIES, JAPAN
from domain.pacific_war.board.table import Open, enemy, fort, hostile, location_of

SPARED = {"E1": ("townsville", "noumea")}
"""Scenario to the locations that no Japanese strike may target."""
SAFE = ("truk", "brisbane", "suva", "noumea")
"""C1.3: locations that ground units may not attack."""


def opening(open: Open) -> bool:
    """Return whether this is the first Operation of the war (S1.3, S1.5, S1.7)."""
    return open.scenario == "S1" and open.war is not None and open.war.operations == 1


def first_strike(open: Open) -> bool:
    """Return whether this is the first cycle of Pearl Harbor (E2.1), or of the war (S1.4)."""
    return open.cycle == 1 and (open.scenario == "E2" or opening(open))


def stands_down(open: Open, side: int) -> bool:
    """Return whether a side may assign no CAP (E2.1).

    In the first cycle of the war inactive Allied units assign none (S1.4); the Allies have no others (S1.5).
    """
    return side == ALLIES and first_strike(open)


def only_strikes(open: Open, location: str) -> bool:
    """Return whether the air units at a location may only search and strike (E1.1)."""
    return location in SPARED.get(open.scenario, ())


def search_limit(open: Open, side: int) -> int:
    """Return the hexes that a side's searches reach at most (E2.1, S1.4)."""
    return 2 if side == ALLIES and first_strike(open) else 99


def raid_shift(open: Open) -> int:
    """Return the shift of strikes on ports and airbases (E2.1, S1.4, R-77)."""
    return 1 if first_strike(open) else 0


def flak_shift(open: Open, side: int) -> int:
    """Return the further flak shift of a side (E2.1, S1.4)."""
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


GIVEN = {"C1": (ALLIES, 1), "S1": (JAPAN, 2)}
"""C1.2, S1.2: scenario to the Operation player of the first Operations without a bid, and their number."""


def given(open: Open, operations: int) -> int:
    """Return the Operation player of the next Operation if it has one without a bid (C1.2, S1.2), or -1."""
    side, most = GIVEN.get(open.scenario, (-1, 0))
    return side if operations < most else -1


def surprised(open: Open) -> bool:
    """Return whether the Condition of this Operation is Surprise Attack without a die (C1.2, S1.2)."""
    return open.war is not None and given(open, open.war.operations - 1) >= 0


def surprise(open: Open) -> int:
    """Return the side that has Surprise without a roll (E3.2), or -1."""
    return JAPAN if open.scenario == "E3" else -1
