"""C23 Victory and the end of the game."""

from domain.coral_sea.charts import ALLIED, JAPAN, VP_SITES
from domain.coral_sea.facts import Counted
from domain.coral_sea.table import Open, Table, controlled
from domain.match.notices import GameEnded


def sites(open: Open, side: int) -> int:
    """Return what a side's sites are worth; a site on an island needs the whole island (C23.2)."""
    held = controlled(open, side)
    return sum(site.value for site in VP_SITES if held.issuperset(site.areas))


def points(open: Open, side: int) -> int:
    """Return a side's victory points: sites, units destroyed, bonus (C23.2 to C23.4)."""
    return sites(open, side) + open.destroyed_points[side] + open.bonus[side]


def end(table: Table, reason: str, rule: str) -> None:
    """End the game at once (C23.1): more points win, equal ones are a draw (C23.5)."""
    japan, allied = points(table.open, JAPAN), points(table.open, ALLIED)
    table.record(Counted((japan, allied)))
    winner = None if japan == allied else JAPAN if japan > allied else ALLIED
    table.record(GameEnded(winner, reason, rule))
