import random
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.pairings import (
    Game,
    Pairing,
    annulled,
    bracket,
    goes_on,
    legs,
    next_ties,
    round_robin,
    swiss,
)
from projections.places import Place, places


def named(number: int) -> list[str]:
    return [f"player {place:02}" for place in range(1, number + 1)]


def played(pairings: list[Pairing], chance: random.Random) -> list[Game]:
    return [
        Game(one.first, one.second, chance.choice([0.0, 0.5, 1.0]) if one.second else 1.0) for one in pairings
    ]


@pytest.mark.parametrize("number", range(2, 12))
def test_in_a_round_robin_each_meets_each_with_both_sides_and_once_a_round(number: int) -> None:
    rounds = round_robin(named(number))

    games = [(one.first, one.second) for pairings in rounds for one in pairings]
    assert sorted(permutations(named(number), 2)) == sorted(games)
    assert 2 * (number - 1 + number % 2) == len(rounds)
    for pairings in rounds:
        there = [name for one in pairings for name in (one.first, one.second)]
        assert len(set(there)) == len(there)


def test_who_withdraws_early_from_a_round_robin_has_played_nothing_and_late_all_that_he_has() -> None:
    games = [Game("ann", "bob", 1), Game("bob", "cyd", 1), Game("cyd", "bob", 0), Game("ann", "cyd", 0)]

    assert [games[1], games[2]] == annulled(games, "ann", 5)
    assert games == annulled(games, "ann", 4)


def test_the_first_round_of_a_swiss_pairs_the_upper_half_with_the_lower() -> None:
    pairings = swiss(named(8), [])

    assert [{1, 5}, {2, 6}, {3, 7}, {4, 8}] == [
        {int(name[-2:]) for name in (one.first, one.second or "")} for one in pairings
    ]
    assert 2 == sum(one.first <= "player 04" for one in pairings)


@settings(max_examples=40)
@given(st.integers(3, 16), st.integers(0, 10_000))
def test_in_a_swiss_nobody_meets_twice_or_has_two_byes_while_that_can_be_helped(
    number: int, seed: int
) -> None:
    chance, games = random.Random(seed), list[Game]()
    for _ in range(min(5, (number + 1) // 2)):
        pairings = swiss(named(number), games)
        assert sorted(named(number)) == sorted(
            name for one in pairings for name in (one.first, one.second) if name
        )
        assert number % 2 == sum(one.second is None for one in pairings)
        games += played(pairings, chance)

    met = [frozenset((game.first, game.second)) for game in games]
    assert len(set(met)) == len(met)


def test_in_a_swiss_those_with_equal_points_meet_and_sides_change() -> None:
    chance, games = random.Random(1), list[Game]()
    for number in range(1, 6):
        games += [Game(one.first, one.second, chance.choice([0.0, 1.0])) for one in swiss(named(32), games)]
        points = {row.name: row.points for row in places(named(32), games)}
        if number < 5:
            for one in swiss(named(32), games):
                assert abs(points[one.first] - points[one.second or ""]) <= 1
    firsts = [sum(game.first == name for game in games) for name in named(32)]

    assert {2, 3} == set(firsts)


def test_the_bye_of_a_swiss_is_for_the_last_who_has_had_none() -> None:
    first = swiss(named(5), [])
    games = [Game(one.first, one.second, float(one.first < (one.second or "z"))) for one in first]

    second = swiss(named(5), games)

    assert Pairing("player 05", None) == first[-1]
    assert second[-1].second is None
    assert "player 05" != second[-1].first
    points = {row.name: row.points for row in places(named(5), games)}
    assert 0 == points[second[-1].first]


def test_half_a_point_for_a_late_entry_is_no_bye_that_was_had() -> None:
    games = [Game("ann", "bob", 1), Game("cyd", None, 0.5)]

    pairings = swiss(["ann", "bob", "cyd"], games, out=["ann"])
    alone = swiss(["ann", "bob", "cyd"], games, out=["ann", "bob"])

    assert [{"bob", "cyd"}] == [{one.first, one.second} for one in pairings]
    assert [Pairing("cyd", None)] == alone


def test_in_a_swiss_of_too_many_rounds_somebody_meets_again_and_there_is_no_dead_end() -> None:
    chance, games = random.Random(2), list[Game]()
    for _ in range(9):
        games += played(swiss(named(4), games), chance)

    met = [frozenset((game.first, game.second)) for game in games]
    assert {3} == {met.count(frozenset(pair)) for pair in combinations(named(4), 2)}


def test_a_swiss_is_the_same_each_time() -> None:
    games = played(swiss(named(15), []), random.Random(3))

    assert 1 == len({tuple(swiss(named(15), games)) for _ in range(5)})


def test_of_nobody_and_of_one_there_is_nothing_to_pair() -> None:
    assert [] == swiss([], [])
    assert [Pairing("ann", None)] == swiss(["ann"], [])


def test_in_a_bracket_the_strong_meet_late_and_have_the_byes() -> None:
    ties = bracket(named(6))

    assert [
        Pairing("player 01", None),
        Pairing("player 04", "player 05"),
        Pairing("player 02", None),
        Pairing("player 03", "player 06"),
    ] == ties
    assert [[], [Pairing("player 04", "player 05"), Pairing("player 05", "player 04")]] == [
        legs(tie) for tie in ties[:2]
    ]


@pytest.mark.parametrize("number", range(2, 34))
def test_if_the_stronger_always_wins_the_first_two_meet_in_the_last_round(number: int) -> None:
    ties = bracket(named(number))
    while len(ties) > 1:
        ties = next_ties(
            ties, {tie: tie.first if tie.second is None else min(tie.first, tie.second) for tie in ties}
        )

    assert {"player 01", "player 02"} == {ties[0].first, ties[0].second}
    assert [] == next_ties(ties, {ties[0]: "player 01"})


def test_a_tie_goes_on_while_it_is_level_and_ends_when_one_is_ahead_or_out() -> None:
    tie = Pairing("ann", "bob")
    one, other = Game("ann", "bob", 1), Game("bob", "ann", 1)

    assert goes_on(tie, []) is None
    assert goes_on(tie, [one]) is None
    assert goes_on(tie, [one, other]) is None
    assert goes_on(tie, [one, other, one]) is None
    assert "ann" == goes_on(tie, [one, other, one, Game("bob", "ann", 0.5)])
    assert "bob" == goes_on(tie, [Game("ann", "bob", 0.5), other])
    assert "bob" == goes_on(tie, [one], out=["ann"])
    assert "ann" == goes_on(tie, [one], out=["bob"])
    assert "ann" == goes_on(Pairing("ann", None), [])


def test_places_go_by_points_then_by_those_of_opponents_then_by_their_own_games() -> None:
    games = [
        Game("ann", "bob", 1),
        Game("cyd", "dan", 1),
        Game("ann", "cyd", 0),
        Game("dan", "bob", 1),
        Game("cyd", "bob", 0),
        Game("dan", "ann", 0),
    ]

    table = places(["ann", "bob", "cyd", "dan"], games)

    assert [
        Place(1, "cyd", 2, 4, 1),
        Place(2, "ann", 2, 4, 0),
        Place(3, "dan", 1, 5, 1),
        Place(4, "bob", 1, 5, 0),
    ] == table


def test_those_who_cannot_be_told_apart_share_a_place_and_a_bye_adds_nothing_of_opponents() -> None:
    table = places(["ann", "bob", "cyd"], [Game("ann", "bob", 0.5), Game("cyd", None, 1)])

    assert [
        Place(1, "cyd", 1, 0, 0),
        Place(2, "ann", 0.5, 0.5, 0.5),
        Place(2, "bob", 0.5, 0.5, 0.5),
    ] == table


def test_in_a_swiss_those_meet_whose_sides_can_be_evened_out() -> None:
    games = [Game("ann", "bob", 0.5), Game("cyd", "dan", 0.5)]

    pairings = swiss(["ann", "bob", "cyd", "dan"], games)

    assert {Pairing("dan", "ann"), Pairing("bob", "cyd")} == set(pairings)
