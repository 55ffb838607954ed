"""What a wave of bombers can expect to do to a carrier; the figures are those of M7 in the rulebook.

Deliberately absent: which target is the better one.
"""

from functools import lru_cache
from typing import Final

from domain.midway.charts import SUNK_AT

DIVE: Final = (4 / 6, 1 / 6, 1 / 6)
"""A die of a dive bomber: no hit, one hit, one hit and a re-roll (M7.8)."""

TORPEDO: Final = (5 / 6, 0.0, 1 / 6)
"""A die of a torpedo bomber: no hit, -, two hits and a re-roll (M7.9)."""

Chances = tuple[float, ...]
"""The chance of 0, 1, … 9 hits, and of 10 or more: a carrier is sunk by then, so they are all alike."""


def _die(miss: float, hit: float, six: float, hits: int) -> Chances:
    chances = [miss, hit] + [0.0] * (SUNK_AT - 1)
    again, left = hits, six
    while again < SUNK_AT:
        chances[again] += left * 5 / 6
        again, left = again + 1, left / 6
    chances[SUNK_AT] += left
    return tuple(chances)


_ONE_DIVE = _die(*DIVE, 1)
_ONE_TORPEDO = _die(*TORPEDO, 2)


@lru_cache(maxsize=8192)
def hits(dive: int, torpedo: int) -> Chances:
    """Return the chances of hits by so many strength points that attack."""
    if dive:
        return _sum(hits(dive - 1, torpedo), _ONE_DIVE)
    if torpedo:
        return _sum(hits(0, torpedo - 1), _ONE_TORPEDO)
    return (1.0,) + (0.0,) * SUNK_AT


def through_flak(dive: int, torpedo: int, aa: int) -> Chances:
    """Return the chances of hits by a wave after its expected losses to `aa` dice of flak (M7.6)."""
    all_of_it = dive + torpedo
    if not all_of_it:
        return hits(0, 0)
    left = max(0.0, all_of_it - aa / 2) / all_of_it
    return hits(round(dive * left), round(torpedo * left))


def _sum(some: Chances, more: Chances) -> Chances:
    total = [0.0] * (SUNK_AT + 1)
    for a, chance in enumerate(some):
        if chance:
            for b, other in enumerate(more):
                total[min(SUNK_AT, a + b)] += chance * other
    return tuple(total)
