"""Plays matches of Pacific War between bots without a server, and prints what they come to.

    python -m tests.bots.pacific_war_matches E1 B1 --games 200 --bots steady steady

For each scenario: points of both sides (mean, 10, 50, 90 %), ships and steps lost, levels, who won how often,
and what a command takes to think.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any

from msgspec import Struct

from clients.bots import strengths
from domain.pacific_war.board.charts import SHIPS, SIDES
from domain.titles import TITLES
from server.bench import compare

GAME = TITLES["pacific_war"]
SCENARIOS = ("E1", "E2", "E3", "E4", "B1")
SHARES = (10, 50, 90)


class Match(Struct, frozen=True):
    """What a match came to."""

    points: tuple[int, int]
    level: str
    winner: int | None
    lost: dict[str, str]
    steps: tuple[int, int]
    goal: bool
    """Whether Japan holds the place that it is to take."""
    commands: int
    seconds: tuple[float, float]


GOALS = {"E1": "port_moresby", "E4": "wake", "B1": "midway"}


def played(scenario: str, bots: tuple[str, str], seed: int) -> Match:
    """Play a match, each side by its bot, and return what it came to."""
    known = strengths("pacific_war")
    match = compare.play(GAME, scenario, (known[bots[0]], known[bots[1]]), seed)
    table: dict[str, Any] = match.end["table"]
    goal = GOALS.get(scenario)
    return Match(
        (table["points"]["JP"], table["points"]["AL"]),
        table["level"],
        match.winner,
        table["lost"],
        (table["steps_lost"]["JP"], table["steps_lost"]["AL"]),
        bool(goal) and table["locations"][goal]["control"] == "JP",
        match.decisions,
        match.seconds,
    )


def spread(numbers: Sequence[int]) -> str:
    """Return the mean of numbers and their 10, 50 and 90 % points."""
    row = sorted(numbers)
    at = [row[min(len(row) - 1, len(row) * share // 100)] for share in SHARES]
    return f"{mean(row):.1f} ({'/'.join(map(str, at))})"


def sunk(matches: Sequence[Match]) -> tuple[str, str]:
    """Return the ships that each side loses in a match by class, as means."""
    totals: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for match in matches:
        for ship, how in match.lost.items():
            if how == "sunk" and ship in SHIPS:
                totals[SIDES.index(SHIPS[ship].side)][SHIPS[ship].cls] += 1
    told = [
        ", ".join(f"{cls} {number / len(matches):.2f}" for cls, number in one.most_common()) for one in totals
    ]
    return told[0], told[1]


def report(scenario: str, bots: tuple[str, str], games: int) -> Iterator[str]:
    """Play matches with the seeds 1, 2, … and yield what they come to, line by line."""
    matches = [played(scenario, bots, seed) for seed in range(1, games + 1)]
    won = Counter(match.winner for match in matches)
    levels = Counter(match.level for match in matches)
    yield f"{scenario} {bots[0]} (Japan) against {bots[1]} (Allies): {compare.line(GAME, bots, won)}"
    yield (
        f"  points JP {spread([m.points[0] for m in matches])}, AL {spread([m.points[1] for m in matches])}, "
        f"JP - AL {spread([m.points[0] - m.points[1] for m in matches])}"
    )
    losses = sunk(matches)
    for side in (0, 1):
        steps = mean(match.steps[side] for match in matches)
        yield f"  lost by {SIDES[side]}: {losses[side] or 'no ship'}; air steps {steps:.1f}"
    yield "  " + ", ".join(f"{level} {number / games:.0%}" for level, number in levels.most_common())
    commands, taken = sum(m.commands for m in matches), sum(sum(m.seconds) for m in matches)
    yield (
        f"  goal taken {sum(m.goal for m in matches) / games:.0%}; {commands / games:.0f} commands, "
        f"{1000 * taken / commands:.1f} ms each"
    )


def main() -> None:
    """Read the command line, play, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", default=SCENARIOS)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--bots", nargs=2, default=("steady", "steady"))
    given = parser.parse_args()
    for scenario in given.scenarios:
        for line in report(scenario, (given.bots[0], given.bots[1]), given.games):
            print(line, flush=True)  # noqa: T201 to be read


if __name__ == "__main__":
    main()
