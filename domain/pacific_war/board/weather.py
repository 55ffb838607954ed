"""P6 Weather (5.1.A): in which zones it is Foul this month, and where that is felt (P6.3)."""

from typing import Any, Final

from domain.pacific_war.board.atlas import zone
from domain.pacific_war.board.charts import SLOWED, TABLES
from domain.pacific_war.board.combat import d10, month
from domain.pacific_war.board.table import Open, Table

ZONES: Final = tuple(zone["id"] for zone in TABLES["weather"]["zones"])
"""P6.1: the zones in the order of their dice."""
NORTH: Final = "north"
_EFFECTS: dict[str, Any] = TABLES["weather"]["foul_effects"]
SEARCH_SHIFT: Final[int] = _EFFECTS["search"]
FIND_FAILS: Final[int] = _EFFECTS["find_fails_at"]
CAP_SHIFT: Final[int] = _EFFECTS["cap_shift"]
_FOUL: dict[str, dict[str, int]] = TABLES["weather"]["foul_if_d10_at_most"]


def foul_on(zone: str, date: str) -> int:
    """Return the highest face that makes the weather of a zone Foul in a month (P6.2)."""
    number = int(date[5:])
    return next(face for season, face in _FOUL[zone].items() if _within(season, number))


def _within(season: str, number: int) -> bool:
    """Return whether a month is in a season `10-03`, which may run over the turn of the year."""
    first, last = map(int, season.split("-"))
    return first <= number <= last if first <= last else not last < number < first


def roll_weather(table: Table) -> frozenset[str]:
    """Roll a die for each zone and return those in which the weather is Foul this month (P6.2)."""
    foul = set[str]()
    for name in ZONES:
        most = foul_on(name, month(table.open))
        if d10(table, f"weather in the {name}", by=-1, target=f"{most} or less is Foul") <= most:
            foul.add(name)
    return frozenset(foul)


def foul(open: Open, hex: str) -> bool:
    """Return whether the weather is Foul in a hex or in that of a node (P6.3); in a battle it never is."""
    return open.war is not None and bool(open.war.foul) and zone(hex[:4]) in open.war.foul


def slowed(open: Open, node: str) -> int:
    """Return the hexes that a task force loses by beginning to move on a node (P6.3)."""
    return SLOWED if foul(open, node) else 0
