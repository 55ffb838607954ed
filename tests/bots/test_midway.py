"""The bot of Midway: it beats chance from either side, and its waves go in whole."""

from random import Random
from typing import NamedTuple

import pytest

from clients.bots import odds, strengths
from domain.midway.facts import StepEnded
from domain.midway.table import ATTACKING, BOMBERS, MOVING, READY, Open, at, strength
from domain.titles import TITLES
from server.bench import compare

GAME = TITLES["midway"]
STEADY, RANDOM = strengths("midway")["steady"], strengths("midway")["random"]
MOVE_STEPS = (3, 4)
WHOLE = [("historical-4-june", 100, 0.9), ("duel", 400, 0.85)]
"""Scenario, matches and the least share that is won, in the soak."""
MOST = 0.68
"""The share of wins that no side exceeds between sensible players (M21)."""


class Wave(NamedTuple):
    """Bombers' strength after a side has moved: what goes in, and what is on its way behind it."""

    seed: int
    turn: int
    gone: int
    waiting: int
    turns_left: int


def waves(seed: int) -> list[Wave]:
    """Play a match of two steady bots and return the waves that went in."""
    table, chance, board, found = (
        compare.laid_open(GAME, "historical-4-june", {}, seed),
        Random(seed),
        Open(),
        [],
    )
    facts = table.facts
    while facts:
        for fact in facts:
            if isinstance(fact, StepEnded) and fact.step in MOVE_STEPS:
                gone, ready, moving = (
                    strength(board, at(board, fact.side, place, BOMBERS))
                    for place in (ATTACKING, READY, MOVING)
                )
                left = board.turn_limit - board.turn
                if gone:
                    found.append(Wave(seed, board.turn, gone, ready + moving, left))
            fact.apply(board)
        facts = []
        if not table.state.match.over:
            compare.decide(table, next(iter(table.prompts)), STEADY, chance)
            facts = table.facts
    return found


@pytest.mark.parametrize(
    ("scenario", "games", "least"),
    [
        ("historical-4-june", 6, 0.9),
        ("duel", 20, 0.85),
        *(pytest.param(*one, marks=pytest.mark.soak) for one in WHOLE),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_steady_beats_random_from_either_side(scenario: str, games: int, least: float, side: int) -> None:
    bots = (STEADY, RANDOM) if side == 0 else (RANDOM, STEADY)

    won = compare.tally(GAME, scenario, bots, games)

    assert won[side] >= least * games


@pytest.mark.parametrize("games", [40, pytest.param(100, marks=pytest.mark.soak)])
def test_m21_among_steady_players_neither_side_wins_more_than_the_book_says(games: int) -> None:
    for scenario in GAME.scenarios:
        won = compare.tally(GAME, scenario, (STEADY, STEADY), games)

        assert max(won.values()) <= MOST * games, compare.line(GAME, ("steady", "steady"), won)


def test_m12_6_those_who_found_the_enemy_go_in_with_the_others() -> None:
    gone_in = [wave for seed in range(1, 11) for wave in waves(seed) if wave.turns_left > 1]

    assert len(gone_in) > 20
    assert [] == [wave for wave in gone_in if wave.gone < wave.waiting]


def test_m7_8_to_m7_10_the_odds_of_a_wave_add_up() -> None:
    for dive, torpedo in [(0, 0), (1, 0), (0, 1), (12, 7)]:
        assert sum(odds.hits(dive, torpedo)) == pytest.approx(1.0)
    one_dive, one_torpedo = odds.hits(1, 0), odds.hits(0, 1)

    assert 4 / 6 == pytest.approx(one_dive[0])
    assert 1 / 6 + 1 / 6 * 5 / 6 == pytest.approx(one_dive[1])
    assert 0.0 == one_torpedo[1]
    assert 1 / 6 * 5 / 6 == pytest.approx(one_torpedo[2])
    assert odds.hits(0, 0) == odds.through_flak(3, 0, 12)
