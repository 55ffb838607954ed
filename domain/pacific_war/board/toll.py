"""P19.3 Damage points: what each side has inflicted since the Operation under way began.

The facts of losses call these functions when they are folded; between Operations, while one is suspended, and
in battles nothing is counted.
"""

from msgspec.structs import replace

from domain.pacific_war.board.charts import OWNERS, SHIPS, TABLES
from domain.pacific_war.board.table import Base, Open
from domain.pacific_war.board.war import Toll

SUNK: dict[str, int] = TABLES["initiative"]["damage_points"]["sunk"]
AIR_STEPS: int = TABLES["initiative"]["damage_points"]["air_steps_per_point"]
GROUND_STEPS: int = TABLES["initiative"]["damage_points"]["ground_steps_per_point"]
HEADQUARTERS_TAKEN: int = TABLES["initiative"]["damage_points"]["hq_captured"]
SUBMARINE_POINT: int = TABLES["initiative"]["damage_points"]["sub_point"]


def points(toll: Toll) -> int:
    """Return the damage points for what was inflicted (P19.3): ships left crippled count half."""
    crippled = sum(SUNK[SHIPS[ship].cls] // 2 for ship in toll.crippled)
    return toll.points + crippled + toll.air // AIR_STEPS + toll.ground // GROUND_STEPS


def _inflict(open: Open, loser: int, **more: int) -> None:
    toll = _toll(open, loser)
    if toll is not None:
        _set(open, loser, replace(toll, **{what: getattr(toll, what) + n for what, n in more.items()}))


def _toll(open: Open, loser: int) -> Toll | None:
    """Return what was inflicted on a side so far; None where nothing is counted."""
    operation = open.war.operation if open.war else None
    return operation.tolls[1 - loser] if operation and not operation.suspended else None


def _set(open: Open, loser: int, toll: Toll) -> None:
    operation = open.war.operation if open.war else None
    if open.war and operation:
        mine, theirs = operation.tolls
        open.war.operation = replace(operation, tolls=(mine, toll) if loser == 0 else (toll, theirs))


def hit(open: Open, ship: str, before: int, damage: int, of: int) -> None:
    """Note that a ship has come from one damage to another; it may be crippled by it, once an Operation."""
    toll = _toll(open, OWNERS[ship])
    if toll is not None and ship not in toll.crippled and before * 2 < of <= damage * 2 < of * 2:
        _set(open, OWNERS[ship], replace(toll, crippled=(*toll.crippled, ship)))


def lost(open: Open, unit: str, how: str) -> None:
    """Note that a ship was sunk or scuttled (R-85)."""
    toll = _toll(open, OWNERS[unit])
    if toll is not None and unit in SHIPS and how == "sunk":
        left = tuple(ship for ship in toll.crippled if ship != unit)
        _set(open, OWNERS[unit], replace(toll, points=toll.points + SUNK[SHIPS[unit].cls], crippled=left))


def air_lost(open: Open, side: int, steps: int) -> None:
    """Note air steps that a side has lost."""
    _inflict(open, side, air=steps)


def ground_lost(open: Open, side: int, steps: int) -> None:
    """Note ground steps that a side has lost."""
    _inflict(open, side, ground=steps)


def taken(open: Open, before: Base, after: Base) -> None:
    """Note that a location was captured: half of its port and airbase and 1, rounded down."""
    if before.control != after.control:
        _inflict(open, before.control, points=(after.port + after.airbase + 1) // 2)


def headquarters_taken(open: Open, side: int) -> None:
    """Note that a headquarters of a side was captured."""
    _inflict(open, side, points=HEADQUARTERS_TAKEN)


def submarines_lost(open: Open, side: int, count: int) -> None:
    """Note submarine points that a side has lost to escorts."""
    _inflict(open, side, points=SUBMARINE_POINT * count)
