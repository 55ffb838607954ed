"""Histograms of how long things take, cheap enough for every decision.

Deliberately absent: their names, and their form for Prometheus (`server.metrics`).
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

EDGES: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12)
"""Upper bounds of the buckets, in seconds; longer durations have a bucket without one."""


class Durations:
    """A histogram of durations since the process began."""

    __slots__ = ("_counts", "total")

    def __init__(self) -> None:
        self._counts = [0] * (len(EDGES) + 1)
        self.total = 0.0
        """The sum of all durations, in seconds."""

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self._counts[bisect_left(EDGES, seconds)] += 1
        self.total += seconds

    def buckets(self) -> Iterator[tuple[str, int]]:
        """Yield each upper bound, the last of which is +Inf, and how many durations were no longer."""
        return zip((*map(str, EDGES), "+Inf"), accumulate(self._counts), strict=True)
