"""Tournaments as they stand: what comes next, and who is where."""

from collections.abc import Callable

import pytest

from projections.pairings import Pairing
from projections.tournaments import Course, Entrant, Result, rounds_of
from server.protocol.tournaments import ResultKind, TournamentKind


def played_out(
    kind: TournamentKind, count: int, points: Callable[[int, int], float], *, rounds: int = 0, out: int = 0
) -> Course:
    """Play a tournament to its end; `out` has withdrawn before the second round."""
    now = Course(kind, [Entrant(number) for number in range(1, count + 1)], [], rounds)
    for _ in range(200):
        step = now.step()
        if step.over:
            return now
        number = now.round if step.more else now.round + 1
        if number > 1 and out:
            entrants = [Entrant(one.number, out=one.number == out) for one in now.entrants]
            now = Course(kind, entrants, now.results, rounds)
        later = [
            result(now, place, number, pairing, points)
            for place, pairing in enumerate(step.more or step.following, len(now.results) + 1)
        ]
        now = Course(kind, now.entrants, [*now.results, *later], rounds)
    raise AssertionError("it does not end")


def result(
    now: Course, place: int, number: int, pairing: Pairing, points: Callable[[int, int], float]
) -> Result:
    first, second = int(pairing.first), None if pairing.second is None else int(pairing.second)
    if second is None:
        return Result(place, number, first, None, "bye", 1.0)
    gone = {one.number for one in now.entrants if one.out}
    how: ResultKind = "withdrawn" if gone & {first, second} else "played"
    if how == "withdrawn":
        return Result(place, number, first, second, how, float(first not in gone), float(second not in gone))
    return Result(place, number, first, second, how, points(first, second), 1.0 - points(first, second))


def stronger(first: int, second: int) -> float:
    return 1.0 if first < second else 0.0


@pytest.mark.parametrize("count", range(2, 10))
def test_in_a_round_robin_all_have_met_twice_and_places_go_by_strength(count: int) -> None:
    over = played_out("round robin", count, stronger)

    assert count * (count - 1) == len(over.results)
    assert [(place, place) for place in range(1, count + 1)] == [(r.place, r.entrant) for r in over.table()]
    assert {2 * (count - 1)} == {row.played for row in over.table()}


@pytest.mark.parametrize("count", range(2, 18))
def test_in_a_knock_out_the_strongest_wins_and_those_who_lose_in_a_round_share_a_place(count: int) -> None:
    over = played_out("knock-out", count, stronger)
    places = [row.place for row in over.table()]

    assert 1 == over.table()[0].entrant
    assert 1 == places.count(1) == places.count(2)
    assert count - 1 == len({frozenset((r.first, r.second)) for r in over.results if r.second is not None})
    assert 2 == over.table()[1].entrant


def test_a_tie_of_a_knock_out_that_is_level_has_more_games_in_the_same_round() -> None:
    games = [Result(1, 1, 1, 2, "played", 1.0, 0.0), Result(2, 1, 2, 1, "played", 1.0, 0.0)]
    level = Course("knock-out", [Entrant(1), Entrant(2)], games)
    ahead = Course("knock-out", level.entrants, [*games, *more(3, 1.0, 0.5)])

    assert [Pairing("1", "2"), Pairing("2", "1")] == level.step().more
    assert ahead.step().over
    assert [(1, 1), (2, 2)] == [(row.place, row.entrant) for row in ahead.table()]


def more(place: int, first: float, second: float) -> list[Result]:
    return [
        Result(place, 1, 1, 2, "played", first, 1.0 - first),
        Result(place + 1, 1, 2, 1, "played", second, 1.0 - second),
    ]


@pytest.mark.parametrize("count", range(2, 12))
def test_a_swiss_ends_after_its_rounds_and_a_bye_is_a_point(count: int) -> None:
    over = played_out("swiss", count, stronger, rounds=rounds_of(count))

    assert rounds_of(count) == over.round
    assert sum(row.points for row in over.table()) == over.round * ((count + 1) // 2)
    assert {count % 2 * over.round} == {sum(row.byes for row in over.table())}


def test_who_withdraws_early_from_a_round_robin_takes_his_games_with_him() -> None:
    over = played_out("round robin", 4, stronger, out=1)
    row = next(row for row in over.table() if row.entrant == 1)

    assert (0, 0.0, True) == (row.played, row.points, row.out)
    assert {1} == {number for r in over.results if r.number in over.void() for number in [1]}
    assert all(1 not in (r.first, r.second) for r in over.results if r.number not in over.void())
    assert [(1, 2), (2, 3), (3, 4)] == [(r.place, r.entrant) for r in over.table() if not r.out]


def test_who_withdraws_late_from_a_round_robin_leaves_points_to_whom_he_has_not_met() -> None:
    early = played_out("round robin", 2, stronger)
    late = Course(
        "round robin",
        [Entrant(1), Entrant(2, out=True)],
        [early.results[0], Result(2, 2, 2, 1, "withdrawn", 0.0, 1.0)],
    )

    assert frozenset() == late.void()
    assert [(1, 2.0), (2, 0.0)] == [(row.entrant, row.points) for row in late.table()]


def test_who_has_withdrawn_is_paired_no_more_in_a_swiss() -> None:
    over = played_out("swiss", 6, stronger, rounds=3, out=2)

    assert all(2 not in (r.first, r.second) for r in over.results if r.round > 2)
    assert 2 in [row.entrant for row in over.table() if row.out]


def test_where_both_forfeit_nobody_has_a_point_or_an_opponent() -> None:
    one = Course("swiss", [Entrant(1), Entrant(2)], [Result(1, 1, 1, 2, "forfeit", 0.0, 0.0)], 2)

    assert {(1, 0.0, 0.0)} == {(row.place, row.points, row.buchholz) for row in one.table()}
    assert {1} == {row.lost for row in one.table()}


def test_a_tournament_in_which_nobody_is_left_is_over() -> None:
    entrants = [Entrant(1, out=True), Entrant(2, out=True), Entrant(3)]
    now = Course("swiss", entrants, [Result(1, 1, 1, 2, "withdrawn", 0.0, 0.0)], 5)

    assert now.step().over


def tie(*points: tuple[float, float]) -> Course:
    """Return a tie of a knock-out of the second seed, named first, and the first, by the points of both."""
    games = [
        Result(place, 1, 2 - place % 2, 1 + place % 2, "adjudicated", *both)
        for place, both in enumerate(points, 1)
    ]
    return Course("knock-out", [Entrant(2), Entrant(1)], games)


def test_a_game_that_both_forfeit_is_over_in_a_tie_and_the_other_decides_it() -> None:
    one = tie((0.0, 0.0), (1.0, 0.0))

    assert one.step().over
    assert [(1, 2), (2, 1)] == [(row.place, row.entrant) for row in one.table()]


def test_a_tie_that_both_forfeit_is_the_better_seed_s() -> None:
    both = tie((0.0, 0.0), (0.0, 0.0))

    assert both.step().over
    assert [(1, 2), (2, 1)] == [(row.place, row.entrant) for row in both.table()]


def test_a_tie_that_is_level_after_six_games_is_the_better_seed_s() -> None:
    for count in (2, 4):
        assert 2 == len(tie(*[(0.5, 0.5)] * count).step().more)
    level = tie(*[(0.5, 0.5)] * 6)

    assert level.step().over
    assert [(1, 2), (2, 1)] == [(row.place, row.entrant) for row in level.table()]
