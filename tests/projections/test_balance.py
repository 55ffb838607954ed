import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.balance import ENOUGH, advantage, band
from projections.glicko2 import Rating, expected


@pytest.mark.parametrize(
    ("points", "matches", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),  # Wilson's interval without correction, as tables of it have it
        (0, 10, 0.0, 0.2775),
        (50, 100, 0.4038, 0.5962),
        (1, 1, 0.2065, 1.0),
    ],
)
def test_the_band_is_wilsons(points: float, matches: int, low: float, high: float) -> None:
    found = band(points, matches)

    assert (low, high) == (round(found.low, 4), round(found.high, 4))


def test_without_matches_the_band_is_all_there_is() -> None:
    assert (0.0, 1.0) == (band(0, 0).low, band(0, 0).high)


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_the_bands_of_both_sides_mirror_each_other(matches: int, share: float) -> None:
    points = round(2 * share * matches) / 2
    one, other = band(points, matches), band(matches - points, matches)

    assert one.low - 1e-9 <= points / matches <= one.high + 1e-9
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))


def test_a_side_has_an_advantage_only_from_enough_matches_on() -> None:
    assert 0.0 == advantage(ENOUGH - 1, ENOUGH - 1)
    assert advantage(ENOUGH, ENOUGH) > 0


@given(st.integers(ENOUGH, 10_000), st.floats(0, 1))
def test_what_one_side_is_worth_the_other_lacks(matches: int, share: float) -> None:
    points = round(2 * share * matches) / 2

    assert advantage(points, matches) == pytest.approx(-advantage(matches - points, matches), abs=1e-6)


def test_two_who_are_equally_strong_are_expected_to_share_as_the_sides_do() -> None:
    sure = Rating(1500, 0.0)

    assert 0.7 == pytest.approx(expected(sure, sure, advantage(7_000, 10_000)), abs=1e-3)
