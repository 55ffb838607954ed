"""How equal the sides of a scenario are: the share of the rated matches of it that a side has won.

A draw counts half. The share has a band in which it lies in 19 of 20 cases (Wilson's), and the middle of
that band stands for it where ratings take it into account: it is nearer to a half the fewer matches there
were, and never 0 or 1.

Everything here is pure. Deliberately absent: which matches are rated, and in which order
(`projections.ratings`).
"""

import math
from typing import Final

from msgspec import Struct

from projections.audit import BAND
from projections.glicko2 import SCALE

ENOUGH: Final = 50
"""Rated matches of a scenario from which on its balance is taken into account."""


class Band(Struct, frozen=True, gc=False):
    """The range in which a share lies in 19 of 20 cases."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        """Where the range has its middle."""
        return (self.low + self.high) / 2.0


def band(points: float, matches: int) -> Band:
    """Return the band of a share of `points` in so many matches; from 0 to 1 where there are none."""
    if matches == 0:
        return Band(0.0, 1.0)
    share, z2 = points / matches, BAND**2
    around = share + z2 / (2.0 * matches)
    half = BAND * math.sqrt(share * (1.0 - share) / matches + z2 / (4.0 * matches**2))
    whole = 1.0 + z2 / matches
    return Band(max(0.0, (around - half) / whole), min(1.0, (around + half) / whole))


def advantage(points: float, matches: int) -> float:
    """Return what a side with so many points in rated matches is worth, in points of rating.

    0 for fewer than ENOUGH matches.
    """
    if matches < ENOUGH:
        return 0.0
    share = band(points, matches).middle
    return SCALE * math.log(share / (1.0 - share))
