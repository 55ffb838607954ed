"""Whole matches played sensibly, in the rules alone: decisions and facts in a second, the median decision.

Matches by chance (`rules`) go where nobody would; here a title's best bot plays every side of every scenario.
Timed is what the rules do with a decision, not what the bot thinks nor the view that it is shown.
"""

import statistics
from collections.abc import Sequence
from random import Random
from typing import Final

from clients.bots import Choose, strengths
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.game import Game
from domain.titles import TITLES
from server.bench import Result, share
from server.bench.chance import Choice, Played, play
from server.bench.compare import choice

LIMIT: Final = 1_000.0
"""Microseconds that the median decision may take."""

ENDLESS: Final = 1_000_000
"""Facts that no match comes to."""


def sensible_bench(scenarios: int, most: int = ENDLESS) -> list[Result]:
    """Measure each title on a match of so many of its scenarios, each until it has `most` facts."""
    results: list[Result] = []
    for game in TITLES.values():
        best = list(strengths(game.name).values())[-1]
        chosen = game.short[:scenarios]
        results += _results(game.name, [play(game, name, most, choose=by(game, best)) for name in chosen])
    return results


def by(game: Game, bot: Choose) -> Choice:
    """Let a bot choose, from what its side sees."""

    def choose(table: Table, seat: int, random: Random) -> Decision:
        return game.decision(game.encode(choice(game, table, seat, bot, random)))

    return choose


def _results(name: str, matches: Sequence[Played]) -> list[Result]:
    took = [second for match in matches for second in match.seconds]
    facts, seconds = sum(len(match.facts) for match in matches), sum(took)
    median, slow = statistics.median(took) * 1e6, share(took, 0.99) * 1e6
    least = 1e6 / LIMIT
    against, a_decision = f"limit {LIMIT:,.0f}", facts / len(took)
    return [
        _rate(f"sensible, {name}", len(took) / seconds, "decisions/s", least),
        _rate(
            f"sensible, {name}, {a_decision:.1f} facts each", facts / seconds, "facts/s", a_decision * least
        ),
        Result(f"sensible, {name}, median", median, "µs", against, LIMIT / median, 1.0),
        Result(f"sensible, {name}, p99", slow, "µs", against, LIMIT / slow),
    ]


def _rate(name: str, value: float, unit: str, least: float) -> Result:
    return Result(name, value, unit, f"limit {least:,.0f}", value / least)
