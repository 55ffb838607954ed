"""Luck: the dice of each side beside what fair dice do, in a sentence.

Only rolls are counted whose target says which faces succeed: hits, repairs, checks that hold. A roll for the
higher total, or on a table, is luck too, but nobody can say for whom. Unseen rolls are counted with the rest:
the match has ended.
"""

import math
import re
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.facts import Roll
from projections.audit import BAND

_SUCCEEDS = re.compile(r"(\d+)(\+| or less| or more) (?:holds|repairs|puts)\b")

FEW = 10
"""With fewer dice nobody speaks of luck."""

HARDLY = 0.25
"""A difference below so many standard deviations is none."""


class Luck(Struct, frozen=True):
    """The dice of a side: how often they succeeded, what fair dice do, and the range of 19 in 20 matches."""

    side: int
    dice: int
    came: int
    expected: float
    low: float
    high: float
    words: str


class _Count(Struct):
    dice: int = 0
    came: int = 0
    expected: float = 0.0
    variance: float = 0.0
    other: bool = False
    """Whether some were not about hits."""


class Tally:
    """The rolls of a match, counted as they come."""

    def __init__(self) -> None:
        self._counts: dict[int, _Count] = {}

    def add(self, roll: Roll) -> None:
        """Count the next roll."""
        succeeds = _successes(roll)
        if roll.by < 0 or succeeds is None:
            return
        count = self._counts.setdefault(roll.by, _Count())
        each = [succeeds(face) for face in range(1, roll.sides + 1)]
        mean = sum(each) / roll.sides
        count.dice += len(roll.dice)
        count.came += sum(succeeds(face) for face in roll.dice)
        count.expected += len(roll.dice) * mean
        count.variance += len(roll.dice) * (sum(one * one for one in each) / roll.sides - mean * mean)
        count.other = count.other or roll.hits() is None

    def luck(self) -> list[Luck]:
        """Return the luck of each side that rolled, by side."""
        return [_luck(side, count) for side, count in sorted(self._counts.items())]


def luck(rolls: Iterable[Roll]) -> list[Luck]:
    """Return the luck of each side that rolled, by side."""
    tally = Tally()
    for roll in rolls:
        tally.add(roll)
    return tally.luck()


def _successes(roll: Roll) -> Callable[[int], int] | None:
    """Return what a face of a roll counts; None if its target does not say which faces succeed."""
    if roll.hits() is not None:
        return lambda face: replace(roll, dice=(face,)).hits() or 0
    told = _SUCCEEDS.match(roll.target)
    if told is None:
        return None
    number, how = int(told[1]), told[2]
    if how == " or less":
        plus = sum(modifier.amount for modifier in roll.modifiers)
        return lambda face: int(face + plus <= number)
    return lambda face: int(face >= number)


def _luck(side: int, count: _Count) -> Luck:
    spread = math.sqrt(count.variance)
    low = max(0.0, count.expected - BAND * spread)
    high = count.expected + BAND * spread
    off = (count.came - count.expected) / spread if spread else 0.0
    words = f"{_came(side, count)}: too few to speak of luck."
    if count.dice >= FEW:
        words = (
            f"{_came(side, count)}, where fair dice give {count.expected:.1f} on average"
            f" and {math.ceil(low)} to {math.floor(high)} in 19 of 20 matches: {_said(off)}."
        )
    return Luck(side, count.dice, count.came, count.expected, low, high, words)


def _came(side: int, count: _Count) -> str:
    one, several = ("success", "successes") if count.other else ("hit", "hits")
    dice = "1 die" if count.dice == 1 else f"{count.dice} dice"
    return f"[side:{side}] had {count.came} {one if count.came == 1 else several} with {dice}"


def _said(off: float) -> str:
    """Say how far off the mean, in standard deviations, in words."""
    if abs(off) < HARDLY:
        return "neither lucky nor unlucky"
    kind = "lucky" if off > 0 else "unlucky"
    if abs(off) < 1:
        return f"a little {kind}"
    return kind if abs(off) < BAND else f"{kind} beyond what is usual"
