"""7 Victory."""

from domain.match.notices import GameEnded
from tests.tiny.table import Table, afloat


def all_sunk(table: Table) -> None:
    """7.1 A side without boats has lost; if both have none, the match is drawn."""
    left = [side for side in (0, 1) if afloat(table.open, side)]
    if len(left) == 1:
        table.record(GameEnded(left[0], "the enemy fleet is sunk", "7.1"))
    elif not left:
        table.record(GameEnded(None, "both fleets are sunk", "7.1"))


def most_flags(table: Table) -> None:
    """7.2 After the last turn the side with more flags has won; with as many, the match is drawn."""
    north, south = ([*table.open.flags.values()].count(side) for side in (0, 1))
    winner = None if north == south else int(south > north)
    table.record(GameEnded(winner, f"{north} flags against {south}", "7.2"))
