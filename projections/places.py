"""Places in a tournament: by points, then by the opponents' points, then by games between those level.

Deliberately absent: who plays whom (`projections.pairings`).
"""

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct

from projections.pairings import Game


class Place(Struct, frozen=True):
    """A row of the table. Those who cannot be told apart share a place, and the next is left out."""

    place: int
    name: str
    points: float
    buchholz: float
    """The points of all opponents, each as often as he was met; byes add none."""
    direct: float
    """The points in games between those who are level in points and Buchholz."""


def places(entrants: Sequence[str], games: Sequence[Game]) -> list[Place]:
    """Return the table, the best first; of those who share a place in the order of the entrants."""
    points = {one: sum(game.points_of(one) for game in of(one, games)) for one in entrants}
    buchholz = {one: sum(points.get(other, 0.0) for other in opponents(one, games)) for one in entrants}

    def level(one: str) -> tuple[float, float]:
        return -points[one], -buchholz[one]

    table: list[Place] = []
    for _, those in groupby(sorted(entrants, key=level), key=level):
        group = list(those)
        among = [game for game in games if game.first in group and game.second in group]
        direct = {one: sum(game.points_of(one) for game in of(one, among)) for one in group}
        first = len(table) + 1
        for one in sorted(group, key=lambda name: -direct[name]):
            ahead = sum(direct[other] > direct[one] for other in group)
            table.append(Place(first + ahead, one, points[one], buchholz[one], direct[one]))
    return table


def of(one: str, games: Sequence[Game]) -> list[Game]:
    """Return the games of one, byes among them."""
    return [game for game in games if one in (game.first, game.second)]


def opponents(one: str, games: Sequence[Game]) -> list[str]:
    """Return whom one has met, as often as he has."""
    met = (game.second if game.first == one else game.first for game in of(one, games))
    return [other for other in met if other is not None]
