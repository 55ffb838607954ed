"""The bot of Nimitz: it does better than chance, and its campaigns stand beside the balance check of N26."""

from collections import Counter
from statistics import mean

import pytest

from clients.bots import Choose, compare, strengths
from domain.titles import TITLES
from tests.nimitz.rulebook import rows, section

GAME = TITLES["nimitz"]
STEADY, RANDOM = strengths("nimitz")["steady"], strengths("nimitz")["random"]
LEVELS = ("Great", "Good", "Historical", "Poor", "Replaced")
YEARS = ("1942", "1943", "1944", "1945")
FAST = 3
"""Campaigns of a year in the check-in; `soak` plays 200."""


def campaigns(year: str, bot: Choose, games: int) -> tuple[Counter[str], list[int], list[int]]:
    """Return levels, results and decisions of some campaigns against the automated side."""
    levels: Counter[str] = Counter()
    results, decisions = [], []
    for seed in range(1, games + 1):
        played = compare.play(GAME, year, (bot, bot), seed, mode=1)
        table = played.end["table"]
        levels[table["level"]] += 1
        results.append(table["results"][year])
        decisions.append(played.decisions)
    return levels, results, decisions


@pytest.mark.parametrize("games", [FAST, pytest.param(200, marks=pytest.mark.soak)])
def test_n26_sensible_campaigns_are_printed_beside_the_book(
    games: int, capsys: pytest.CaptureFixture[str]
) -> None:
    book = [row for row in rows(section("26")) if row[0].isdigit()]
    for year in YEARS:
        levels, results, decisions = campaigns(year, STEADY, games)
        shares = "  ".join(f"{level} {levels[level] / games:.0%}" for level in LEVELS)
        with capsys.disabled():
            print(f"\n  {year} steady, {games} campaigns: {shares}; mean {mean(results):.1f}", end="")  # noqa: T201 to be read
            print(f", {mean(decisions):.0f} decisions")  # noqa: T201 to be read
            for row in book:
                if row[0] == year:
                    print(f"    the book, {row[1]}: {' '.join(row[2:7])} %; mean {row[8]}")  # noqa: T201 to be read
        assert sum(levels.values()) == games


@pytest.mark.parametrize(("year", "more"), [("1944", 1.0), ("1945", 1.0)])
def test_steady_holds_more_than_chance_does(year: str, more: float) -> None:
    _, steady, _ = campaigns(year, STEADY, FAST)
    _, chance, _ = campaigns(year, RANDOM, FAST)

    assert mean(steady) >= mean(chance) + more


@pytest.mark.parametrize("mode", [2, 3])
def test_it_plays_every_seat_of_the_other_modes(mode: int) -> None:
    played = compare.play(GAME, "1944", (STEADY, STEADY), 4, mode=mode)

    assert played.reason


def test_it_plays_the_linked_war() -> None:
    assert "linked war" in compare.play(GAME, "linked", (STEADY, STEADY), 2, mode=1).reason
