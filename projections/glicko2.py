"""Glicko-2: how strong a player is, how sure that is, and how steady his results are.

By Mark Glickman's paper "Example of the Glicko-2 system", whose worked example is a test. Two things are
wider than there: a result may come with an advantage, which is added to the difference of the ratings, and
time is counted in periods that need not be whole. Figures are rounded to a millionth (volatility: a
billionth), so that machines whose mathematical libraries differ in the last bit come to the same.

Everything here is pure. Deliberately absent: what a period is, which matches count (`projections.ratings`),
and where an advantage comes from (`projections.balance`).
"""

import math
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

SCALE: Final = 173.7178
"""Points of rating to one unit of the scale on which Glicko-2 calculates."""

NEW: Final = 350.0
"""The deviation of who has played nothing, and the greatest there is."""

STEADY: Final = 0.5
"""How far volatility may move in a period (τ of the paper, which advises 0.3 to 1.2)."""

_CLOSE: Final = 1e-6
"""How exactly volatility is sought."""

_ROUNDS: Final = 200
"""Steps within which it is always found; it takes about ten."""


class Rating(Struct, frozen=True, gc=False):
    """A rating and its deviation, in points, and the volatility; by default of who has played nothing."""

    rating: float = 1500.0
    deviation: float = NEW
    volatility: float = 0.06

    @property
    def mu(self) -> float:
        """The rating, on the scale on which Glicko-2 calculates."""
        return (self.rating - 1500.0) / SCALE

    @property
    def phi(self) -> float:
        """The deviation, on that scale."""
        return self.deviation / SCALE


class Result(Struct, frozen=True, gc=False):
    """One result: against whom, 1 for a win, 0.5 for a draw or 0, and one's own advantage, in points."""

    opponent: Rating
    score: float
    advantage: float = 0.0


def aged(one: Rating, periods: float) -> Rating:
    """Return a rating after so many periods without play: it is less sure."""
    deviation = SCALE * math.sqrt(one.phi**2 + max(0.0, periods) * one.volatility**2)
    return _rounded(one.rating, min(NEW, deviation), one.volatility)


def expected(one: Rating, opponent: Rating, advantage: float = 0.0) -> float:
    """Return the score that is expected, from 0 to 1, as far as the opponent's strength is known."""
    return 1.0 / (1.0 + math.exp(-_weight(opponent.phi) * (one.mu - opponent.mu + advantage / SCALE)))


def rated(one: Rating, results: Sequence[Result], periods: float = 1.0) -> Rating:
    """Return a rating after the results of one time, which lasted so many periods, 0 for a moment.

    All ratings are those before it. Without results it is aged.
    """
    if not results:
        return aged(one, periods)
    precision, gain = 0.0, 0.0
    for result in results:
        weight = _weight(result.opponent.phi)
        chance = expected(one, result.opponent, result.advantage)
        precision += weight**2 * chance * (1.0 - chance)
        gain += weight * (result.score - chance)
    variance = 1.0 / precision
    volatility = _volatility(one, variance, variance * gain)
    before = one.phi**2 + periods * volatility**2
    phi = 1.0 / math.sqrt(1.0 / before + precision)
    return _rounded(1500.0 + SCALE * (one.mu + phi**2 * gain), min(NEW, SCALE * phi), volatility)


def _weight(phi: float) -> float:
    """Return how much a result counts against an opponent of this deviation (g of the paper)."""
    return 1.0 / math.sqrt(1.0 + 3.0 * phi**2 / math.pi**2)


def _volatility(one: Rating, variance: float, change: float) -> float:
    """Return the new volatility, a root that is sought by the Illinois method (step 5 of the paper)."""
    start = math.log(one.volatility**2)
    surprise = change**2 - one.phi**2 - variance

    def off(x: float) -> float:
        e = math.exp(x)
        spread = one.phi**2 + variance + e
        return e * (surprise - e) / (2.0 * spread**2) - (x - start) / STEADY**2

    left = start
    if surprise > 0.0:
        right = math.log(surprise)
    else:
        right = next(x for k in range(1, _ROUNDS) if off(x := start - k * STEADY) >= 0.0)
    at_left, at_right = off(left), off(right)
    for _ in range(_ROUNDS):
        if abs(right - left) <= _CLOSE:
            break
        middle = left + (left - right) * at_left / (at_right - at_left)
        at_middle = off(middle)
        if at_middle * at_right <= 0.0:
            left, at_left = right, at_right
        else:
            at_left /= 2.0
        right, at_right = middle, at_middle
    return math.exp(left / 2.0)


def _rounded(rating: float, deviation: float, volatility: float) -> Rating:
    return Rating(round(rating, 6), round(deviation, 6), round(volatility, 9))
