"""P20.1, P20.2.5, P22 What it costs to activate units, and how much a side may spend."""

from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import AIR, BOATS, GROUND, LOCATIONS, SHIPS, SIDES, TABLES
from domain.pacific_war.board.special_boats import owner
from domain.pacific_war.board.table import Open, Own, air_class
from domain.pacific_war.board.war import Condition, Operation
from domain.pacific_war.command.emergency import supported
from domain.pacific_war.command.links import linked

COSTS: dict[str, int] = TABLES["activation"]["costs"]
THRESHOLD: int = TABLES["activation"]["hq_threshold"]
"""P20.2.5: more Activation Points of one headquarters than these let its Operation cost fall due."""
LEVELS: list[tuple[int, int | None]] = [
    (row["level"], row["max_ap"]) for row in TABLES["activation"]["levels"]
]
MOST_MULTIPLES = 4
DAYS: int = TABLES["activation"]["base_days"]
HEADQUARTERS_BY_LEVEL = {1: 1, 2: 1, 3: 2}
"""P22: Operation Level to the headquarters that the Reaction player may use."""
UNITS_PER_POINT: int = TABLES["activation"]["penalty_cp_per_4_units"] * 4
"""P20.2.5: Activated units for which a Command Point is due in overtime."""


def nation(unit: str) -> str:
    """Return the nation of a unit."""
    if unit in BOATS:
        return SIDES[owner(unit)]
    return (SHIPS.get(unit) or AIR.get(unit) or GROUND[unit]).nat


def price(open: Open, own: Own, unit: str) -> int:
    """Return the Activation Points of an own unit (P20.1).

    They are doubled while it is Isolated, or while an emergency link alone reaches it (P11.7).
    """
    if unit in BOATS:
        return COSTS[BOATS[unit].upper()]
    if unit in SHIPS:
        cost, isolated = COSTS[SHIPS[unit].cls], own.ships[unit].isolated
        place = own.ships[unit].port
    elif unit in AIR:
        heavy = air_class(unit).kind == "4E"
        cost, isolated = COSTS["air_4E" if heavy else "air"], own.air[unit].isolated
        place = own.air[unit].home
    else:
        cost, isolated = COSTS[f"ground_{GROUND[unit].size}"], own.ground[unit].isolated
        place = own.ground[unit].hex
    spot = LOCATIONS[place].hex if place in LOCATIONS else place
    apart = supported(open, own, unit) and not linked(own, spot)
    return 2 * cost if isolated or apart else cost


def due(own: Own, hq: str, more: int) -> int:
    """Return the Operation cost that falls due when a headquarters spends so many AP more (P20.2.5)."""
    if hq in own.means.charged or own.means.used.get(hq, 0) + more <= THRESHOLD:
        return 0
    return HEADQUARTERS[hq].op_cost


def level(points: int) -> int:
    """Return the Operation Level for Activation Points (P20.3)."""
    return next(number for number, most in LEVELS if most is None or points <= most)


def multiple_cost(points: int) -> int:
    """Return what a Time Multiple costs after so many Activation Points (P20.2.5)."""
    return (points + 1) // 2


def overtime(operation: Operation) -> bool:
    """Return whether more days have passed than were planned (P20.2.5)."""
    return operation.days > DAYS * (1 + operation.multiples)


def reaction_limit(operation: Operation, condition: Condition) -> int:
    """Return the Activation Points of the Reaction player in 5.1.S (P22)."""
    points = operation.ap
    if condition == "S":
        return max(3, points // 4)
    return max(6, points * 3 // 4) if condition == "I" else points * 3 // 2


def joint_limit(operation: Operation) -> int:
    """Return the Activation Points of the Reaction player in the whole Operation (P20.4, R-37)."""
    return operation.ap * 3 // 2


def reaction_hexes(operation: Operation) -> int:
    """Return how far the Reaction player's task forces move in 5.1.T (P22)."""
    if operation.condition == "S":
        return 0
    if operation.condition == "I":
        return min(9, operation.moved // 2)
    return min(18, operation.moved + 3)
