"""Plays campaigns of Pacific War, and the war, between bots without a server, and prints what they come to.

    python -m tests.bots.pacific_war_campaigns C1 --games 20
    python -m tests.bots.pacific_war_campaigns S1 --games 1 --months 46

For each seed: the level of the result, the month that was reached, Operations, the locations that the Allies
hold, decisions and facts, and both a second of processor time, of bots and rules together; the part of it
that the rules took; the most memory that the process has had so far, which stays if nothing grows.
"""

import argparse
import resource
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from clients.bots import Choose, strengths
from domain.kernel.audience import Audience
from domain.kernel.seats import Match
from domain.titles import TITLES
from server.bench import compare

GAME = TITLES["pacific_war"]
WIDTH = "{:>5} {:<18} {:>8} {:>4} {:>4} {:>8} {:>7} {:>7} {:>7} {:>6} {:>6}"
HEAD = WIDTH.format(
    "seed", "ended", "month", "ops", "AL", "decided", "facts", "dec/s", "facts/s", "rules", "MB"
)


class Campaign(Struct, frozen=True):
    """What a campaign came to, or so many months of it."""

    seed: int
    winner: int | None
    over: bool
    level: str
    month: str
    operations: int
    allied: int
    """Locations that the Allies hold at the end."""
    decisions: int
    facts: int
    seconds: float
    """Processor time of bots and rules."""
    rules: float
    """That of the rules alone."""
    peak: int
    """The most memory of the process so far, in MB."""


def campaign(scenario: str, bots: tuple[str, str], seed: int, months: int = 0) -> Campaign:
    """Play a campaign, each side by its bot, to its end or for so many months."""
    players: tuple[Choose, ...] = tuple(strengths("pacific_war")[name] for name in bots)
    table, chance = compare.laid_open(GAME, scenario, {}, seed), Random(seed)
    match: Match = table.state.match
    seen, decisions, facts, rules, began = set[str](), 0, 0, 0.0, time.process_time()
    while not match.over:
        seen.add(table.state.open.war.month)
        if months and len(seen) > months:
            break
        seat = next(iter(table.prompts))
        _, chosen = compare.command_of(GAME, table, seat, players[match.side(seat)], chance)
        before = time.process_time()
        facts += len(table.decide_all(seat, chosen))
        rules += time.process_time() - before
        decisions += len(chosen)
    seconds = time.process_time() - began
    end: dict[str, Any] = compare.shown(GAME, table, Audience.ONLOOKERS)["table"]
    held = Counter(base["control"] for base in end["locations"].values())
    return Campaign(
        seed,
        match.winner,
        match.over,
        end.get("level", ""),
        end["month"],
        end["war"]["operations"],
        held["AL"],
        decisions,
        facts,
        seconds,
        rules,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )


def row(one: Campaign) -> str:
    """Return what a campaign came to as a line."""
    return WIDTH.format(
        one.seed,
        one.level if one.over else "goes on",
        one.month,
        one.operations,
        one.allied,
        one.decisions,
        one.facts,
        round(one.decisions / one.seconds),
        round(one.facts / one.seconds),
        f"{one.rules / one.seconds:.0%}",
        one.peak,
    )


def report(
    scenario: str, bots: tuple[str, str], seeds: Sequence[int], months: int = 0
) -> Iterator[tuple[str, Campaign | None]]:
    """Play campaigns and yield what they come to, line by line, with the campaign of a line."""
    yield f"{scenario} {bots[0]} (Japan) against {bots[1]} (Allies)", None
    yield HEAD, None
    played = list[Campaign]()
    for seed in seeds:
        one = campaign(scenario, bots, seed, months)
        played.append(one)
        yield row(one), one
    ended = [one for one in played if one.over]
    if ended:
        levels = Counter(one.level for one in ended)
        yield compare.line(GAME, bots, Counter(one.winner for one in ended)), None
        yield ", ".join(f"{level} {number}" for level, number in levels.most_common()), None
    decisions, facts = sum(one.decisions for one in played), sum(one.facts for one in played)
    seconds = sum(one.seconds for one in played)
    yield (
        f"{decisions} decisions, {facts} facts, {decisions / seconds:.0f} and {facts / seconds:.0f} a second",
        None,
    )


def main() -> None:
    """Read the command line, play, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenarios", nargs="*", default=["C1"])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--months", type=int, default=0, help="how many months, 0 for all")
    parser.add_argument("--bots", nargs=2, default=("steady", "steady"))
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.games)
    for scenario in given.scenarios:
        for line, _ in report(scenario, (given.bots[0], given.bots[1]), seeds, given.months):
            print(line, flush=True)  # noqa: T201 to be read


if __name__ == "__main__":
    main()
