import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.glicko2 import NEW, SCALE, Rating, Result, aged, expected, rated

RATINGS = st.builds(
    Rating,
    st.floats(200, 3000),
    st.floats(20, NEW),
    st.floats(0.02, 0.3),
)
SCORES = st.sampled_from([0.0, 0.5, 1.0])
ADVANTAGES = st.floats(-400, 400)


def test_the_worked_example_of_its_author_comes_out_to_the_digits() -> None:
    """The paper goes on with rounded figures: 1464.06 is 1500 + 173.7178 times -0.2069."""
    player = Rating(1500, 200, 0.06)
    results = [
        Result(Rating(1400, 30), 1),
        Result(Rating(1550, 100), 0),
        Result(Rating(1700, 300), 0),
    ]

    after = rated(player, results)

    mu, phi = round(after.mu, 4), round(after.phi, 4)
    assert (-0.2069, 0.8722, 0.05999) == (mu, phi, math.floor(after.volatility * 1e5) / 1e5)
    assert (1464.06, 151.52) == (round(1500 + SCALE * mu, 2), round(SCALE * phi, 2))
    assert (1464.05, 151.52) == (round(after.rating, 2), round(after.deviation, 2))
    assert [0.639, 0.432, 0.303] == [round(expected(player, one.opponent), 3) for one in results]


def test_after_a_period_without_play_only_the_deviation_has_grown() -> None:
    before = Rating(1700, 60, 0.06)

    after = rated(before, [])

    assert (1700, 0.06) == (after.rating, after.volatility)
    assert SCALE * math.sqrt((60 / SCALE) ** 2 + 0.06**2) == pytest.approx(after.deviation, abs=1e-6)


def test_the_deviation_grows_with_the_time_and_never_over_that_of_a_newcomer() -> None:
    one = Rating(1700, 60, 0.06)

    grown = [aged(one, periods).deviation for periods in (0, 0.5, 1, 10, 100, 10_000, 1e9)]

    assert sorted(grown) == grown
    assert (60, NEW) == (grown[0], grown[-1])
    assert aged(one, -3) == one


def test_two_periods_at_once_are_as_two_one_after_the_other() -> None:
    one = Rating(1700, 60, 0.06)

    assert aged(aged(one, 3.5), 4.5).deviation == pytest.approx(aged(one, 8).deviation, abs=1e-5)


def test_a_great_surprise_makes_results_less_steady_and_an_expected_one_steadier() -> None:
    one, equal, weak = Rating(1500, 80), Rating(1500, 30), Rating(800, 30)

    assert rated(one, [Result(weak, 0)] * 20).volatility > one.volatility
    assert rated(one, [Result(equal, 0.5)] * 20).volatility < one.volatility


@pytest.mark.parametrize("volatility", [1e-6, 0.001, 0.06, 0.5, 1.2])
@pytest.mark.parametrize("difference", [-5000.0, -600.0, 0.0, 600.0, 5000.0])
@pytest.mark.parametrize("score", [0.0, 1.0])
def test_volatility_is_found_also_at_the_edges(volatility: float, difference: float, score: float) -> None:
    one = Rating(1500 + difference, 30, volatility)

    after = rated(one, [Result(Rating(1500, 30), score)] * 30)

    assert all(map(math.isfinite, (after.rating, after.deviation, after.volatility)))
    assert after.volatility > 0
    assert 0 < after.deviation <= NEW


@given(RATINGS, RATINGS, ADVANTAGES)
def test_a_win_never_lowers_a_rating_nor_a_defeat_raises_it(
    one: Rating, other: Rating, advantage: float
) -> None:
    lost, drawn, won = (rated(one, [Result(other, score, advantage)], 0) for score in (0.0, 0.5, 1.0))

    assert lost.rating - 1e-6 <= one.rating <= won.rating + 1e-6
    assert lost.rating <= drawn.rating <= won.rating


@given(RATINGS, RATINGS, SCORES, ADVANTAGES)
def test_a_result_at_a_moment_makes_a_rating_surer_by_more_than_it_unsettles_it(
    one: Rating, other: Rating, score: float, advantage: float
) -> None:
    after = rated(one, [Result(other, score, advantage)], 0)

    assert after.deviation <= one.deviation + 1e-6


@given(st.floats(20, NEW), st.floats(0.02, 0.3), SCORES)
def test_what_one_of_two_equals_wins_the_other_loses(
    deviation: float, volatility: float, score: float
) -> None:
    one = Rating(1500, deviation, volatility)

    mine = rated(one, [Result(one, score)], 0)
    others = rated(one, [Result(one, 1 - score)], 0)

    assert mine.rating - 1500 == pytest.approx(1500 - others.rating, abs=1e-5)
    assert (mine.deviation, mine.volatility) == pytest.approx((others.deviation, others.volatility), abs=1e-5)


@given(RATINGS, RATINGS, ADVANTAGES)
def test_an_advantage_counts_as_so_many_points_of_rating(
    one: Rating, other: Rating, advantage: float
) -> None:
    stronger = Rating(one.rating + advantage, one.deviation, one.volatility)

    assert expected(one, other, advantage) == pytest.approx(expected(stronger, other), abs=1e-9)
