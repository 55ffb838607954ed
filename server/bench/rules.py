"""The rules of each title and nothing else: facts folded in a second, decisions taken in a second.

Matches are played by chance, in the title's longest scenario. A decision is all that the kernel does with it:
checked against the list, carried out, and the next list drawn up. Folding is measured with facts in memory,
and from the bytes of the log, decoding included.
"""

import cProfile
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, Final

import domain
from domain.kernel.facts import Fact, evolve
from domain.match.game import Game
from domain.titles import TITLES
from server.bench import Result, rate, share
from server.bench.chance import WHOLE, Played, longest, play

FOLDED: Final = 200_000
"""Facts folded in a second that are the target."""

DECIDED: Final = 5_000
"""Decisions taken in a second that are the target."""

FOLDER: Final = Path(domain.__file__).parent

Shares = dict[str, float]
"""A module, by its name under `domain`, and its share of the time, 0 to 1; what is small is `the rest`."""

SMALL: Final = 0.02


def rules_bench(rounds: int = 5, most: int = WHOLE) -> list[Result]:
    """Measure each title on so many matches, each until it has `most` facts."""
    results: list[Result] = []
    for game in TITLES.values():
        scenario = longest(game, most)
        matches = [play(game, scenario, most, seed) for seed in range(rounds)]
        results += _deciding(game, matches)
        results += _folding(game, matches[0].facts, rounds)
    return results


def rules_shares(most: int = WHOLE) -> dict[str, Shares]:
    """Return for each title the share of decision time that each module takes."""
    return {
        game.name: spent(lambda game=game: play(game, longest(game, most), most))  # type: ignore[misc]
        for game in TITLES.values()
    }


def _deciding(game: Game, matches: Sequence[Played]) -> list[Result]:
    took = [second for match in matches for second in match.seconds]
    median, slow = statistics.median(took), share(took, 0.99)
    limit = 1e6 / DECIDED
    median, slow, against = median * 1e6, slow * 1e6, f"limit {limit:.0f}"
    return [
        rate(f"decide, {game.name}", len(took) / sum(took), "decisions/s", DECIDED),
        Result(f"decide, {game.name}, median", median, "µs", against, limit / median),
        Result(f"decide, {game.name}, p99", slow, "µs", against, limit / slow),
    ]


def _folding(game: Game, facts: Sequence[Fact], rounds: int) -> list[Result]:
    bodies = [game.encode(fact) for fact in facts]

    def in_memory() -> None:
        evolve(game.state(), facts)

    def from_json() -> None:
        evolve(game.state(), map(game.fact, bodies))

    return [
        rate(f"fold, {game.name}, in memory", _rate(in_memory, len(facts), rounds), "facts/s", FOLDED),
        rate(f"fold, {game.name}, from JSON", _rate(from_json, len(facts), rounds), "facts/s", FOLDED),
    ]


def _rate(work: Callable[[], None], amount: int, rounds: int) -> float:
    """Return how much is done in a second, at the median of some rounds after a first."""
    work()
    took = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        took.append(time.perf_counter() - begun)
    return amount / statistics.median(took)


def spent(work: Callable[[], Any]) -> Shares:
    """Return where the time of some work goes: to modules of `domain`, what they call elsewhere included."""
    profile = cProfile.Profile(builtins=True)
    profile.runcall(work)
    times: defaultdict[str, float] = defaultdict(float)
    for entry in profile.getstats():
        if (module := module_of(entry.code)) is None:
            continue
        outside = sum(call.inlinetime for call in entry.calls or () if module_of(call.code) is None)
        times[module] += entry.inlinetime + outside
    return _shares(times)


def _took(item: tuple[str, float]) -> float:
    return -item[1]


def module_of(code: CodeType | str) -> str | None:
    """Name a module of `domain` as it is written there; None for everything else."""
    if isinstance(code, str):
        return None
    path = Path(code.co_filename)
    if not path.is_relative_to(FOLDER):
        return None
    return ".".join(path.relative_to(FOLDER).with_suffix("").parts)


def _shares(times: Mapping[str, float]) -> Shares:
    whole = sum(times.values())
    found = {name: took / whole for name, took in sorted(times.items(), key=_took) if took / whole >= SMALL}
    return {name: round(part, 3) for name, part in found.items()} | {
        "the rest": round(max(0.0, 1 - sum(found.values())), 3)
    }
