"""Reproducible benchmarks: figures of the server as ratios to a baseline.

    append     commands stored, beside pgbench
    fanout     deliveries, beside raw writes
    decision   from a decision to the last onlooker, through a whole server, beside a flush and an echo
    many       many matches at once through a whole server on one core, beside what we want to reach
    together   the same through two processes behind one port, beside one
    apart      a match with its seats at two nodes, beside one with both at one
    rules      folding and deciding in memory, for each title
    sensible   whole matches of bots in memory: what a decision takes, and what dear questions take of it
    views      what is drawn up for all audiences after a decision, and the patches to it
    opening    a match read from Postgres and made ready to play
    feed       the log to projections, and projections made anew
    long       a match of 1,000 to 500,000 facts: what grows with its length
    war        the whole of a real war beside its beginning, by the same figures
    memory     what a connection at rest costs, and a match that is watched
    years      a log of years, in one partition and in six; by itself, not as a part
    parts      which of these there are, in which order, and how much of each is done

In every ratio more is better. Deliberately absent: a figure that makes anything fail, since machines differ.
"""

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

Say = Callable[[str], None]
"""Called with a sentence about what is being measured, to show progress."""


class Result(Struct, frozen=True):
    """One figure: its value in a unit, and its ratio to the baseline; more is better."""

    name: str
    value: float
    unit: str
    against: str
    ratio: float
    keep: float | None = None
    """The least ratio that is acceptable; None if none is defined."""

    @property
    def ok(self) -> bool | None:
        """Whether the ratio is acceptable; None if no least ratio is defined."""
        return None if self.keep is None else self.ratio >= self.keep


class LeftOut(Exception):
    """A part cannot be measured on this machine. The message says why, and what would help."""


def rate(name: str, value: float, unit: str, target: float) -> Result:
    """Set a rate against the target it should reach."""
    return Result(name, value, unit, f"target {target:,.0f}", value / target, 1.0)


def share(values: Sequence[float], part: float) -> float:
    """Return the least value that `part` of the values (0 to 1) do not exceed."""
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]
