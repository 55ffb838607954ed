"""P33.3, P33.4 The end of the war: at once by Japan's victory, by its surrender, or after the last month."""

from domain.match.notices import GameEnded
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import ALLIES, JAPAN
from domain.pacific_war.board.table import Table
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.facts.cycle import Counted
from domain.pacific_war.facts.months import war
from domain.pacific_war.homefront.collapse import (
    Standing,
    at_once,
    automatic,
    can_bomb,
    fleet,
    level_of_surrender,
    level_without,
    points,
    surrenders,
)
from domain.pacific_war.homefront.raids import bombing
from domain.pacific_war.victory.battles import winner
from domain.pacific_war.victory.closing import close

AT_ONCE = "Japanese decisive"
"""P33.3: what it is called when Japan wins at once. Read so: the highest of the levels that it can reach."""
ONLY_IN = "S1"
"""P33.3: the scenario in which Japan can win at once."""


def judge(table: Table) -> None:
    """End the war at a month end if Japan has won or surrenders, or after the last month (P33.3, R-86)."""
    board = war(table.open)
    last = board.month == CAMPAIGNS[table.open.scenario].end_month
    if table.open.scenario == ONLY_IN and automatic(board.month, _held(table)):
        _end(table, AT_ONCE, ())
        return
    collapse = points(board.month, standing(table))
    if surrenders(table, collapse):
        _end(table, level_of_surrender(board.month), (("Collapse", (0, collapse)),))
    elif last:
        _end(table, level_without(collapse), (("Collapse", (0, collapse)),))


def storm(table: Table) -> None:
    """End the war when control has changed, if Japan wins at once by what it now controls (P33.3, P0.7)."""
    if table.open.scenario == ONLY_IN and at_once(war(table.open).month, _held(table)):
        _end(table, AT_ONCE, ())


def _held(table: Table) -> list[str]:
    """Return the locations that Japan controls."""
    return [place for place, base in table.open.bases.items() if base.control == JAPAN]


def standing(table: Table) -> Standing:
    """Return how Japan stands (P33.4)."""
    board, tally = table.open, war(table.open)
    tell_links(table, ALLIES)
    carriers, battleships = fleet(board, table.own[JAPAN])
    return Standing(
        tally.hrl,
        tally.msp,
        frozenset(place for place, base in board.bases.items() if base.control == ALLIES),
        carriers,
        battleships,
        can_bomb(board, table.own[ALLIES], bombing(board)),
    )


def _end(table: Table, result: str, rows: tuple[tuple[str, tuple[int, int]], ...]) -> None:
    """End the game with its level; the damage points of an Operation under way are counted first."""
    if war(table.open).operation is not None:
        close(table)
    total = sum(points[1] for _, points in rows)
    table.record(Counted(rows, (0, total), result))
    table.record(GameEnded(winner(result), result, "33.3"))
