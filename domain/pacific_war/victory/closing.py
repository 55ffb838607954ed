"""P5.3, P20.5 The end of an Operation: damage points, the initiative, what was noted and shown of it."""

from msgspec.structs import replace

from domain.pacific_war.board import toll
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import TABLES
from domain.pacific_war.board.special_boats import boats, harbours, owner
from domain.pacific_war.board.table import Table
from domain.pacific_war.facts.intelligence import cover_bases
from domain.pacific_war.facts.months import InitiativeIs, MeansAre, OperationIs, under_way, war
from domain.pacific_war.facts.special_boats import BoatIs

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
        bring_home(table, side)
        why = "the Operation is over"
        table.record(MeansAre(side, used={}, charged=(), near=(), condition="", order=-1, why=why))
    cover_bases(table)


def bring_home(table: Table, side: int) -> None:
    """Let the special submarines of a side be in the nearest own port again, of equals by id (P34.2).

    One that keeps a seaplane base stays there (R-121). That none is Activated any more is sealed for whoever
    has any, so that it does not tell whether one was.
    """
    board = table.open
    for piece, boat in boats(board, side).items():
        ports = harbours(board, side).values()
        if ports and boat.node not in ports and not boat.base:
            nearest = min(ports, key=lambda node: distance(node, boat.node))
            table.record(BoatIs(piece, replace(boat, node=nearest), "has gone home"))
    if any(owner(piece) == side for piece in war(board).special):
        table.record(MeansAre(side, roused=(), why="the Operation is over"))


def shift(difference: int) -> int:
    """Return how far the initiative moves for Japan's damage points less those of the Allies (P19.3)."""
    moved = min(MOST_SHIFT, abs(difference) // SHIFT_PER)
    return moved if difference > 0 else -moved
