"""What is drawn up for all audiences after a decision, and the patches to it, in matches played by chance.

Timed as the node does it: the views of both sides and of the onlookers, from those of the decision before,
and the three patches. Beside it stand the same decisions with nothing kept, which is what it would cost to
draw up the whole board, and a moment at which nothing has changed.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.kernel.audience import VIEWERS, Viewer
from domain.kernel.facts import evolve
from domain.match.game import Game
from domain.match.parts import Part
from domain.match.views import Views, patches
from domain.titles import TITLES
from server.bench import Result, share
from server.bench.chance import WHOLE, Played, longest, play

LIMITS: Final = {"midway": 40.0}
"""Microseconds that a median decision may take; of other titles MOST."""

MOST: Final = 120.0
SAMPLE: Final = 10
"""Every so many decisions the whole board is drawn up as well."""


def views_bench(rounds: int = 5, most: int = WHOLE) -> list[Result]:
    """Measure each title on so many matches, each until it has `most` facts."""
    results: list[Result] = []
    for game in TITLES.values():
        scenario = longest(game, most)
        results += _measured(game, [play(game, scenario, most, seed) for seed in range(rounds)])
    return results


def _measured(game: Game, matches: Sequence[Played]) -> list[Result]:
    kept, anew, still = list[float](), list[float](), list[float]()
    for match in matches:
        state, views = game.state(), Views(game)
        shown: dict[Viewer, Part] = dict.fromkeys(VIEWERS, Part())
        for number, command in enumerate(match.commands):
            evolve(state, command)
            if number % SAMPLE == 0:
                took, _ = _timed(lambda: _seen(Views(game), state, shown))  # noqa: B023 called at once
                anew.append(took)
            took, now = _timed(lambda: _seen(views, state, shown))  # noqa: B023 called at once
            kept.append(took)
            shown = now
            if number % SAMPLE == 0:
                took, shown = _timed(lambda: _seen(views, state, shown))  # noqa: B023 called at once
                still.append(took)
    median, slow, limit = statistics.median(kept), share(kept, 0.99), LIMITS.get(game.name, MOST)
    whole, nothing = statistics.median(anew), statistics.median(still)
    name = f"views and patches, {game.name}"
    return [
        Result(f"{name}, median", median, "µs", f"limit {limit:.0f}", limit / median, 1.0),
        Result(f"{name}, p99", slow, "µs", f"drawn up whole {whole:.0f}", whole / slow),
        Result(f"{name}, nothing changed", nothing, "µs", f"drawn up whole {whole:.0f}", whole / nothing),
    ]


def _seen(views: Views, state: Any, shown: dict[Viewer, Part]) -> dict[Viewer, Part]:
    now = views.of(state)
    patches({audience: (shown[audience], view) for audience, view in now.items()})
    return dict(now)


def _timed(work: Callable[[], dict[Viewer, Part]]) -> tuple[float, dict[Viewer, Part]]:
    begun = time.perf_counter()
    done = work()
    return (time.perf_counter() - begun) * 1e6, done
