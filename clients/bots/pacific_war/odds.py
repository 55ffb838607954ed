"""What an attack comes to on the universal combat table, exactly, and points made of it (P3.1).

Deliberately absent: who is where, and any choice.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

from msgspec import Struct

from domain.pacific_war.board.charts import column, hits

Chances = tuple[float, ...]
"""The chance of 0, 1, 2, … hits or steps."""

PROGRESS: Final = 0.15
"""What damage that neither sinks nor cripples is worth, as a part of the points of sinking."""


@cache
def chances(strength: int, shift: int, least: int = -99) -> Chances:
    """Return the chances of hits of an attack (P3.1); a strength of 0 hits nothing."""
    if strength <= 0:
        return (1.0,)
    at = max(least, column(strength) + shift)
    faces = [hits(at, face) for face in range(10)]
    return tuple(faces.count(number) / 10 for number in range(max(faces) + 1))


@cache
def mean(strength: int, shift: int, least: int = -99) -> float:
    """Return the mean of the hits of an attack (P3.1)."""
    return sum(number * chance for number, chance in enumerate(chances(strength, shift, least)))


class Mark(Struct, frozen=True):
    """A ship as a target: what it takes, and the points of sinking and of crippling it."""

    hits: int
    sunk: float
    crippled: float
    damage: int = 0
    shift: int = 0
    """What is added to air attacks on it: less its air defence, more if its deck is full."""

    def worth(self, damage: float) -> float:
        """Return what so much damage comes to in points."""
        if damage >= self.hits:
            return self.sunk
        begun = PROGRESS * self.sunk * damage / self.hits
        return begun + (self.crippled if 2 * damage >= self.hits else 0.0)


@lru_cache(maxsize=8192)
def gain(mark: Mark, strength: int, shift: int) -> float:
    """Return the points that an attack of this strength can expect."""
    before = mark.worth(mark.damage)
    return sum(
        chance * (mark.worth(mark.damage + number) - before)
        for number, chance in enumerate(chances(strength, shift))
        if number
    )


def likely(rows: Sequence[tuple[int, int]], least: int) -> float:
    """Return the chance that attacks one after the other come to so many hits together."""
    total: list[float] = [1.0]
    for row in rows:
        more = chances(*row)
        now = [0.0] * (len(total) + len(more) - 1)
        for a, one in enumerate(total):
            for b, other in enumerate(more):
                now[a + b] += one * other
        total = now
    return 1.0 - ([0.0, *accumulate(total)][min(least, len(total))])
