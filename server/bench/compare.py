"""Plays bots against each other without a server and prints the share of wins.

    python -m server.bench.compare midway --scenario duel --games 200 steady random

Each plays both sides. A tool for those who write bots: here alone the rules run beside them, so that 200
matches take seconds. The bots see what they would see over the socket and nothing else.
"""

import sys
import time
from collections import Counter
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import click
from msgspec import Struct, to_builtins

from clients.bots import Choose, strengths
from domain.kernel.audience import Audience, Viewer
from domain.kernel.dice import seeded
from domain.kernel.facts import State
from domain.kernel.procedures import Decision
from domain.kernel.seats import Match
from domain.kernel.table import Table
from domain.match.game import Game
from domain.match.notices import Created, Started
from domain.match.views import Views
from domain.titles import TITLES


class Played(Struct, frozen=True):
    """How a match between bots ended."""

    winner: int | None
    reason: str
    decisions: int
    seconds: tuple[float, float]
    """What each side took to think."""
    end: dict[str, Any]
    """The view of onlookers at the end."""


def laid_open(game: Game, scenario: str, options: Mapping[str, Any], seed: int) -> Table:
    """Return the table of a match that begins, with dice that are the same for the same seed."""
    state: State[Any, Any] = game.state()
    chosen = game.set_up(scenario, options)
    created = Created(game.name, scenario, chosen, game.revision, "", game.seats(scenario, chosen))
    created.fold(state)
    Started().fold(state)
    return Table(game, state, seeded(seed), game.first(scenario, chosen))


def shown(game: Game, table: Table, audience: Viewer) -> dict[str, Any]:
    """Return what an audience sees now, as plain JSON."""
    seen = _views(game).of(table.state, (audience,))[audience]
    plain: dict[str, Any] = to_builtins(seen, str_keys=True)
    return plain


@cache
def _views(game: Game) -> Views:
    """Return the views of a title, which keep what one match has in common with the next."""
    return Views(game)


def choice(game: Game, table: Table, seat: int, bot: Choose, chance: Random) -> dict[str, Any]:
    """Return what a bot chooses for a seat, from what its side sees."""
    prompt, audience = table.prompts[seat], Audience.of(table.state.match.side(seat))
    asked = {"seat": seat, "rule": prompt.rule, "text": prompt.text, "options": to_builtins(prompt.options)}
    return bot(shown(game, table, audience), asked, chance)


def command_of(
    game: Game, table: Table, seat: int, bot: Choose, chance: Random
) -> tuple[list[dict[str, Any]], list[Decision]]:
    """Return a bot's next choice, in a sealed step with those that must follow, and these as decisions."""
    options, decisions = list[dict[str, Any]](), list[Decision]()
    while True:
        options.append(choice(game, table, seat, bot, chance))
        decisions.append(game.decision(game.encode(options[-1])))
        if not table.sealed(seat) or decisions[-1] not in table.quiet(seat):
            return options, decisions
        table = table.ahead(seat, decisions[-1:])


def decide(table: Table, seat: int, bot: Choose, chance: Random) -> list[dict[str, Any]]:
    """Let a bot decide for a seat with one command, and return what it chose. Raises Illegal."""
    options, decisions = command_of(TITLES[table.state.match.title], table, seat, bot, chance)
    table.decide_all(seat, decisions)
    return options


def play(game: Game, scenario: str, bots: tuple[Choose, Choose], seed: int, **options: Any) -> Played:
    """Play one match, each side by its bot."""
    table = laid_open(game, scenario, options, seed)
    chance = Random(seed)  # noqa: S311 a bot's choice is not a secret
    match: Match = table.state.match
    decisions, seconds = 0, [0.0, 0.0]
    while not match.over:
        seat = next(iter(table.prompts))
        side = match.side(seat)
        began = time.perf_counter()
        decide(table, seat, bots[side], chance)
        seconds[side] += time.perf_counter() - began
        decisions += 1
    end = shown(game, table, Audience.ONLOOKERS)
    return Played(match.winner, match.reason, decisions, (seconds[0], seconds[1]), end)


def tally(game: Game, scenario: str, bots: tuple[Choose, Choose], games: int, **options: Any) -> Counter[Any]:
    """Play matches with the seeds 1, 2, … and count the winners; None is a draw."""
    return Counter(play(game, scenario, bots, seed, **options).winner for seed in range(1, games + 1))


def line(game: Game, names: tuple[str, str], won: Counter[Any]) -> str:
    """Say who won how often."""
    games = sum(won.values())
    shares = [f"{side} ({names[i]}) {won[i] / games:.0%}" for i, side in enumerate(game.sides)]
    return f"{', '.join(shares)}, drawn {won[None] / games:.0%} of {games}"


@click.command()
@click.argument("title", type=click.Choice(list(TITLES)))
@click.argument("one")
@click.argument("other")
@click.option("--scenario", help="Which set-up; the title's first unless told.")
@click.option("--games", default=100, show_default=True, help="Matches for each way of sitting.")
def command(title: str, one: str, other: str, scenario: str | None, games: int) -> None:
    """Let two bots play TITLE against each other, each on both sides, and print who won how often."""
    game = TITLES[title]
    known = strengths(title)
    for name in (one, other):
        if name not in known:
            raise click.BadParameter(f"no bot {name}; there is {', '.join(known)}")
    for names in dict.fromkeys([(one, other), (other, one)]):
        began = time.perf_counter()
        won = tally(game, scenario or next(iter(game.scenarios)), (known[names[0]], known[names[1]]), games)
        click.echo(f"{line(game, names, won)}; {time.perf_counter() - began:.1f} s")
        sys.stdout.flush()


if __name__ == "__main__":
    command()
