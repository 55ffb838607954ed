"""P33.2 Victory in a campaign: location points of each month, damage points, and the level of the result.

Deliberately absent: the damage points of an Operation that is under way at the end (P19.3, R-86). Who ends
the game counts them before.
"""

from domain.match.notices import GameEnded
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import SIDES
from domain.pacific_war.board.table import Open, Table
from domain.pacific_war.facts.cycle import Counted
from domain.pacific_war.facts.months import PlacesScored, war
from domain.pacific_war.victory.battles import Row, winner


def place_rows(open: Open) -> list[Row]:
    """Return what the locations score for who controls them (P33.2), without what is worth nothing."""
    rows: list[Row] = []
    for place, worth in CAMPAIGNS[open.scenario].victory.locations.items():
        holder = open.bases[place].control
        points = worth[SIDES[holder]]
        if points:
            rows.append((place, (0, points) if holder else (points, 0)))
    return rows


def score_month(table: Table) -> None:
    """Score the locations at a month end (P33.2); that of the last month is scored once, as any other."""
    table.record(PlacesScored(war(table.open).month, tuple(place_rows(table.open))))


def totals(open: Open) -> list[Row]:
    """Return what counts at the end: locations of all months, and damage points of the game (P33.2)."""
    board = war(open)
    return [("Locations", board.places), ("Damage points", board.damage)]


def level(scenario: str, japan: int, allies: int) -> str:
    """Return the level of a result, by the points of the Allies less those of Japan (P33.2)."""
    ahead = allies - japan
    levels = CAMPAIGNS[scenario].victory.levels
    return next(row.result for row in levels if row.min is None or ahead >= row.min)


def end(table: Table) -> None:
    """End the game with its level (P33.2)."""
    rows = totals(table.open)
    japan, allies = (sum(points[side] for _, points in rows) for side in (0, 1))
    result = level(table.open.scenario, japan, allies)
    table.record(Counted(tuple(rows), (japan, allies), result))
    table.record(GameEnded(winner(result), result, "33.2"))
