"""P5.3, P20.5 The end of an Operation: damage points, the initiative, what was noted and shown of it."""

from domain.pacific_war.board import toll
from domain.pacific_war.board.charts import TABLES
from domain.pacific_war.board.table import Table
from domain.pacific_war.facts.intelligence import cover_bases
from domain.pacific_war.facts.months import InitiativeIs, MeansAre, OperationIs, under_way, war

SHIFT_PER: int = TABLES["initiative"]["shift_per"]
MOST_SHIFT: int = TABLES["initiative"]["max_shift"]
LEAST: int = TABLES["initiative"]["track"][0]
MOST: int = TABLES["initiative"]["track"][1]


def close(table: Table) -> None:
    """End the Operation: the initiative moves by the difference of damage points (P19.3, P5.3.3).

    What was shown of bases is hidden again (P0.4.1), and a standing order ends with it, since the Contact
    Phase may have ended before its time (P0.9.5).
    """
    operation, board = under_way(table.open), war(table.open)
    mine, theirs = (toll.points(one) for one in operation.tolls)
    initiative = max(LEAST, min(MOST, board.initiative + shift(mine - theirs)))
    table.record(InitiativeIs(initiative, (mine, theirs)))
    table.record(OperationIs(None, "The Operation is over"))
    for side in (0, 1):
        why = "the Operation is over"
        table.record(MeansAre(side, used={}, charged=(), near=(), condition="", order=-1, why=why))
    cover_bases(table)


def shift(difference: int) -> int:
    """Return how far the initiative moves for Japan's damage points less those of the Allies (P19.3)."""
    moved = min(MOST_SHIFT, abs(difference) // SHIFT_PER)
    return moved if difference > 0 else -moved
