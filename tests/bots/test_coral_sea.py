"""The bot of Coral Sea: it beats chance from either side, and its matches look like those of C31."""

from collections import Counter
from statistics import median

import pytest

from clients.bots import compare, strengths
from domain.titles import TITLES

GAME = TITLES["coral_sea"]
STEADY, RANDOM = strengths("coral_sea")["steady"], strengths("coral_sea")["random"]
OF_THE_BOOK = "Japan 45 %, Allies 53 %, drawn 2 %; length 59; Port Moresby 34 %, Turn of the Tide 10 %"
"""C31.2, C31.3."""


@pytest.mark.parametrize("side", [0, 1])
def test_steady_beats_random_from_either_side(side: int) -> None:
    bots = (STEADY, RANDOM) if side == 0 else (RANDOM, STEADY)

    won = compare.tally(GAME, "campaign", bots, 12)

    assert won[side] >= 9


@pytest.mark.parametrize("games", [20, pytest.param(500, marks=pytest.mark.soak)])
def test_c31_2_c31_3_shares_of_wins_and_lengths_are_printed(
    games: int, capsys: pytest.CaptureFixture[str]
) -> None:
    played = [compare.play(GAME, "campaign", (STEADY, STEADY), seed) for seed in range(1, games + 1)]
    won = Counter(match.winner for match in played)
    ends = Counter(match.reason for match in played)
    lengths = [match.end["table"]["sequence"] for match in played]
    with capsys.disabled():
        print(f"\n  coral_sea: {compare.line(GAME, ('steady', 'steady'), won)}")  # noqa: T201 to be read
        print(f"  length {median(lengths):.0f} sequences; " + ends_of(ends, games))  # noqa: T201
        print(f"  the book: {OF_THE_BOOK}")  # noqa: T201

    assert won[0] >= games // 5
    assert won[1] >= games // 5
    assert 41 <= median(lengths) <= 69


def ends_of(ends: Counter[str], games: int) -> str:
    return ", ".join(f"{reason} {count / games:.0%}" for reason, count in ends.most_common())


def test_it_plays_every_option_and_the_other_scenario() -> None:
    options = dict.fromkeys(GAME.options, True)

    match = compare.play(GAME, "fortress", (STEADY, STEADY), 3, **options)

    assert match.reason
