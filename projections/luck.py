"""Luck: the dice of each side beside what fair dice do, in a sentence.

Only rolls are counted whose target says which faces succeed: hits, repairs, checks that hold. A roll for the
higher total, or on a table, is luck too, but nobody can say for whom. Unseen rolls are counted with the rest:
the match has ended.

Over matches the differences from the mean are added, and so are their variances: hits for themselves, and
what else succeeds for itself, since a hit is not worth a check that holds. They are not divided by what is
usual in each match. How many dice a match has goes by how they fell, so quotients are not zero in the mean,
and a sum of differences is, whenever a match ends and whatever is decided in it.

Deliberately absent: what a success was worth to whom, and who sat at the match (`projections.seat_luck`).
"""

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.kernel.facts import Roll, Rolled
from projections.audit import BAND

_SUCCEEDS = re.compile(r"(\d+)(\+| or less| or more) (?:holds|repairs|puts)\b")

FEW = 10
"""With fewer dice nobody speaks of luck."""

HARDLY = 0.25
"""A difference below so many standard deviations is none."""

JUST = 0.05
"""A difference below so many successes is not told: rounded, it is none."""


class Luck(Struct, frozen=True):
    """The dice of a side: how often they succeeded, what fair dice do, and the range of 19 in 20 matches."""

    side: int
    dice: int
    came: int
    expected: float
    low: float
    high: float
    words: str


Measure = Literal["hits", "checks"]
"""What dice are counted by: the hits that they make, or how many of other kinds succeed."""


class Count(Struct):
    """Dice of one measure: their number, what they came to, and the mean and variance of fair ones."""

    dice: int = 0
    came: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def plus(self, other: "Count") -> "Count":
        """Return both together."""
        return Count(
            self.dice + other.dice,
            self.came + other.came,
            self.expected + other.expected,
            self.variance + other.variance,
        )

    @property
    def range(self) -> tuple[float, float]:
        """What fair dice come to in 19 of 20 cases: from the first to the second."""
        width = self.width
        return max(0.0, self.expected - width), self.expected + width

    @property
    def width(self) -> float:
        """Half of that range, where it is not cut off at zero."""
        return BAND * math.sqrt(self.variance)

    @property
    def off(self) -> float:
        """How far off the mean it is, in standard deviations."""
        return (self.came - self.expected) / math.sqrt(self.variance) if self.variance else 0.0


class Tally:
    """The rolls of a match, counted as they come, by side and measure."""

    def __init__(self) -> None:
        self.counts: dict[tuple[int, Measure], Count] = {}

    def add(self, roll: Roll) -> None:
        """Count the next roll."""
        if roll.by < 0:
            return
        worth = _worth(roll.target, roll.sides, sum(modifier.amount for modifier in roll.modifiers))
        if worth is None:
            return
        count = self.counts.setdefault((roll.by, worth.measure), Count())
        count.dice += len(roll.dice)
        count.came += sum(worth.faces[face - 1] for face in roll.dice)
        count.expected += len(roll.dice) * worth.mean
        count.variance += len(roll.dice) * worth.variance

    def luck(self) -> list[Luck]:
        """Return the luck of each side that rolled, by side."""
        return [self._luck(side) for side in sorted({side for side, _ in self.counts})]

    def _luck(self, side: int) -> Luck:
        hits, checks = self.counts.get((side, "hits")), self.counts.get((side, "checks"))
        return _luck(side, (hits or Count()).plus(checks or Count()), hits_only=checks is None)


def luck(rolls: Iterable[Roll]) -> list[Luck]:
    """Return the luck of each side that rolled, by side."""
    tally = Tally()
    for roll in rolls:
        tally.add(roll)
    return tally.luck()


class _Worth(Struct, frozen=True):
    """What each face of a die counts, from 1 on, in which measure; mean and variance of a fair one."""

    measure: Measure
    faces: tuple[int, ...]
    mean: float
    variance: float


@lru_cache(maxsize=4096)
def _worth(target: str, sides: int, plus: int) -> _Worth | None:
    """Return what a die counts; None if its target does not say which faces succeed.

    `plus` is the sum of the roll's modifiers.
    """
    each = _faces(target, sides, plus)
    if each is None:
        return None
    mean = sum(each) / sides
    variance = sum(one * one for one in each) / sides - mean * mean
    return _Worth("checks" if _SUCCEEDS.match(target) else "hits", each, mean, variance)


def _faces(target: str, sides: int, plus: int) -> tuple[int, ...] | None:
    faces = range(1, sides + 1)
    hits = [Rolled(0, "", "", 0, sides, (face,), target).hits() for face in faces]
    if hits and None not in hits:
        return tuple(one or 0 for one in hits)
    told = _SUCCEEDS.match(target)
    if told is None:
        return None
    number, how = int(told[1]), told[2]
    if how == " or less":
        return tuple(int(face + plus <= number) for face in faces)
    return tuple(int(face >= number) for face in faces)


def over_matches(measure: Measure, count: Count) -> str:
    """Say in a sentence what the dice of many matches came to, the verdict first."""
    what = "hits" if measure == "hits" else "successes"
    dice = "1 die" if count.dice == 1 else f"{count.dice:,} dice"
    if count.dice < FEW:
        return f"Too few to speak of luck: {dice} for {what}."
    excess = count.came - count.expected
    off = f"{abs(excess):.1f} {what} {'above' if excess > 0 else 'below'} what was to be expected"
    if abs(excess) < JUST:
        off = f"as many {what} as were to be expected"
    said = _said(count.off)
    verdict = f"Within ordinary luck, {said}" if abs(count.off) < BAND else said.capitalize()
    return f"{verdict}: {off} of {dice}, where fair dice stay within ± {count.width:.1f} in 19 of 20 cases."


def _luck(side: int, count: Count, *, hits_only: bool) -> Luck:
    low, high = count.range
    came = _came(side, count, hits_only=hits_only)
    words = f"{came}: too few to speak of luck."
    if count.dice >= FEW:
        words = (
            f"{came}, where fair dice give {count.expected:.1f} on average"
            f" and {math.ceil(low)} to {math.floor(high)} in 19 of 20 matches: {_said(count.off)}."
        )
    return Luck(side, count.dice, count.came, count.expected, low, high, words)


def _came(side: int, count: Count, *, hits_only: bool) -> str:
    one, several = ("hit", "hits") if hits_only else ("success", "successes")
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
