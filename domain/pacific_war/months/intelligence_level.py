"""P7 Strategic Intelligence (5.1.B): each side's level of the month, by an unseen die."""

from typing import Any

from domain.pacific_war.board.campaigns import since
from domain.pacific_war.board.charts import ALLIES, JAPAN, SIDES, TABLES
from domain.pacific_war.board.combat import d10, month
from domain.pacific_war.board.table import Table
from domain.pacific_war.facts.months import MeansAre

LEVELS: dict[str, list[list[Any]]] = TABLES["strategic_intelligence"]["level_by_d10"]
"""P7.1: side to rows of a first month and the levels by face."""


def level(side: int, date: str, face: int) -> int:
    """Return the level of a side in a month for a face of the die (P7.1)."""
    levels: list[int] = since(LEVELS[SIDES[side]], date)
    return levels[face]


def gather(table: Table) -> None:
    """Set the levels of both sides, Japan first; each is told its own (P7.1).

    They last until the next month; the Condition of a suspended Operation stays (P7.2, R-18).
    """
    for side in (JAPAN, ALLIES):
        face = d10(table, "Strategic Intelligence", by=side, unseen=True)
        found = level(side, month(table.open), face)
        table.record(MeansAre(side, level=found, why="for this month"))
