"""The bot of Nimitz: it does better than chance, and its campaigns stand beside the balance check of N26."""

from collections import Counter
from functools import cache
from statistics import mean

import pytest
from msgspec import structs

from clients.bots import nimitz_board, strengths
from domain.nimitz import shown
from domain.nimitz.charts import EVALUATION, LINKED
from domain.titles import TITLES
from server.bench import compare
from tests.nimitz.rulebook import rows, section

GAME = TITLES["nimitz"]
LEVELS = ("Great", "Good", "Historical", "Poor", "Replaced")
YEARS = ("1942", "1943", "1944", "1945")
FAST, WHOLE = 1, 200
"""Campaigns of a year in the check-in and in the soak."""
BOOK = {tuple(row[:2]): row for row in rows(section("26")) if row[0].isdigit()}


@cache
def campaigns(year: str, strength: str, games: int) -> list[tuple[str, int, int]]:
    """Return level, result and decisions of campaigns with the seeds 1, 2, …, against the automated side."""
    bot = strengths("nimitz")[strength]
    played = [compare.play(GAME, year, (bot, bot), seed, mode=1) for seed in range(1, games + 1)]
    tables = [(match.end["table"], match.decisions) for match in played]
    return [(table["level"], table["results"][year], decisions) for table, decisions in tables]


@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize(
    ("games", "less"), [(FAST, 3.0), pytest.param(WHOLE, 0.4, marks=pytest.mark.soak)], ids=["fast", "whole"]
)
def test_n26_sensible_campaigns_are_printed_beside_the_book_and_not_far_behind_it(
    year: str, games: int, less: float, capsys: pytest.CaptureFixture[str]
) -> None:
    played = campaigns(year, "steady", games)
    levels, result = Counter(level for level, _, _ in played), mean(held for _, held, _ in played)
    with capsys.disabled():
        shares = "  ".join(f"{level} {levels[level] / games:.1%}" for level in LEVELS)
        print(f"\n  {year} steady, {games} campaigns: {shares}; mean {result:.1f}", end="")  # noqa: T201 to be read
        print(f", {mean(decisions for _, _, decisions in played):.0f} decisions")  # noqa: T201 to be read
        for policy in ("careful", "greedy", "nothing"):
            row = BOOK[year, policy]
            print(f"    the book, {policy}: {' '.join(row[2:7])} %; mean {row[8]}")  # noqa: T201 to be read

    assert result >= float(BOOK[year, "careful"][8]) - less
    assert set(levels) <= {row.level for row in EVALUATION[int(year)]}


def test_what_the_bot_reads_of_the_table_is_of_the_type_that_is_shown() -> None:
    types = {field.name: field.type for field in structs.fields(shown.Table)}
    read = {field.name: field.type for field in structs.fields(nimitz_board.Table)}

    assert read == {name: types[name] for name in read}


@pytest.mark.parametrize("games", [FAST, pytest.param(20, marks=pytest.mark.soak)])
@pytest.mark.parametrize("year", ["1944", "1945"])
def test_steady_holds_more_than_chance_does(year: str, games: int) -> None:
    steady, chance = campaigns(year, "steady", games), campaigns(year, "random", games)

    assert mean(held for _, held, _ in steady) >= mean(held for _, held, _ in chance) + 1


@pytest.mark.parametrize("mode", [2, 3])
def test_it_plays_every_seat_of_the_other_modes(mode: int) -> None:
    steady = strengths("nimitz")["steady"]
    played = compare.play(GAME, "1944", (steady, steady), 4, mode=mode)

    assert played.reason


@pytest.mark.parametrize("wars", [1, pytest.param(50, marks=pytest.mark.soak)])
def test_n18_3_it_plays_the_linked_war_to_its_end(wars: int, capsys: pytest.CaptureFixture[str]) -> None:
    steady = strengths("nimitz")["steady"]
    played = [compare.play(GAME, "linked", (steady, steady), seed, mode=1) for seed in range(1, wars + 1)]
    tables = [match.end["table"] for match in played]
    with capsys.disabled():
        levels = Counter(table["level"] for table in tables)
        print(f"\n  linked war, steady, {wars}: {dict(levels)}", end="")  # noqa: T201 to be read
        print(f"; best sum {max(sum(table['results'].values()) for table in tables)}")  # noqa: T201 to be read

    assert all("linked war" in match.reason for match in played)
    assert {table["level"] for table in tables} <= {row.level for row in LINKED}
