"""`make mutation`: try the tests against small faults put into the rules, one at a time.

    python -m tests.mutation [--jobs N] [--whole] [--seconds N] [--sample N [--seed N]] [MODULE ...]

A MODULE is a file or a folder under `domain/`; without one, all are looked at. Of a module that has not
changed since its last run, only what survived is tried again (`--whole`: all of it). With `--seconds` only
tests run that take no longer: a first run over much is done sooner, and the next one, with all tests, tries
what survived it. What came of it is kept in `tests/mutation/results/PACKAGE.json`: a digest of each module,
the number of its mutants, and those that survived. A survivor with a `reason` is one that somebody has read
and that no test can kill; it is counted apart, and not tried again while its module stays as it is.

With `--sample` so many mutants of all modules of a package are tried that the seed draws, whatever was tried
before; those that survive are printed, and nothing is kept.
"""

import argparse
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from multiprocessing import get_context
from random import Random

import pytest
from msgspec import Struct

from tests.mutation.covering import ROOT, measured
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.results import Kept, Survivor, load, save
from tests.mutation.trying import OPTIONS, Trying

TESTS = {
    "kernel": ["tests/kernel", "tests/tiny"],
    "match": ["tests/kernel", "tests/tiny"],
    "midway": ["tests/midway"],
    "coral_sea": ["tests/coral_sea"],
    "nimitz": ["tests/nimitz"],
    "pacific_war": ["tests/pacific_war"],
}
"""The folders of tests that answer for each package of `domain/`."""


def main() -> None:
    """Try what is asked for, keep what came of it, and print a line a module."""
    asked = argparse.ArgumentParser(prog="make mutation")
    asked.add_argument("modules", nargs="*", default=["domain"])
    asked.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    asked.add_argument("--whole", action="store_true")
    asked.add_argument("--seconds", type=float, default=math.inf)
    asked.add_argument("--sample", type=int, default=0)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    for package, modules in _wanted(given.modules).items():
        if given.sample:
            if modules:
                _in_child(_sample, package, modules, given)
            continue
        results = load(package)
        left = [one for one in modules if given.whole or not _settled(one, results.get(one))]
        if left:
            _in_child(_try, package, left, given)
            results = load(package)
        for module in modules:
            print(results[module].line(module) if module in results else f"{module}: no mutants")  # noqa: T201


def _in_child(work: Callable[[str, list[str], argparse.Namespace], None], *given: object) -> None:
    """Let a process of its own do what loads a package, and exit as it does if that goes wrong."""
    child = get_context("fork").Process(target=work, args=given)
    child.start()
    child.join()
    if child.exitcode:
        sys.exit(child.exitcode)


def _wanted(names: list[str]) -> dict[str, list[str]]:
    """Return the modules that are meant, by package."""
    found: dict[str, list[str]] = {package: [] for package in TESTS}
    for name in names:
        path = ROOT / name
        if not path.exists():
            sys.exit(f"there is no {name}")
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            package = file.relative_to(ROOT / "domain").parts[0]
            if package in found:
                found[package].append(file.relative_to(ROOT).as_posix())
    return found


def _digest(module: str) -> str:
    return sha256((ROOT / module).read_bytes()).hexdigest()[:16]


class Todo(Struct, frozen=True):
    """What is to be tried of a module: all of its mutants, or those that survived and nobody explained."""

    every: int
    """The number of the module's mutants."""
    mutants: list[Mutant]
    stay: list[Survivor]
    """Those that are explained, and not tried again."""


def _settled(module: str, kept: Kept | None) -> bool:
    """Whether a module is as it was when nothing survived that nobody explained."""
    return kept is not None and kept.digest == _digest(module) and all(one.reason for one in kept.survivors)


def _todo(module: str, kept: Kept | None, *, whole: bool) -> Todo:
    """Return all mutants of a module that is new or has changed, else what survived."""
    every = list(mutants((ROOT / module).read_text(encoding="utf-8")))
    if whole or kept is None or kept.digest != _digest(module):
        return Todo(len(every), every, [])
    again = {one.key() for one in kept.survivors if not one.reason}
    stay = [one for one in kept.survivors if one.reason]
    return Todo(len(every), [one for one in every if one.key() in again], stay)


def _try(package: str, modules: list[str], given: argparse.Namespace) -> None:
    """Try the mutants of a package, and keep what came of each module when it is through.

    It loads the package, so it is done in a process of its own, which exits with another status than 0 if
    tests cannot be collected or this goes wrong.
    """
    covering = measured(f"domain/{package}", TESTS[package]).within(given.seconds)

    def work(trying: Trying) -> None:
        results = load(package)
        for module in modules:
            todo = _todo(module, results.get(module), whole=given.whole)
            outcomes = trying.outcomes(module, todo.mutants, covering, given.jobs)
            survivors = [mutant for mutant, outcome in outcomes if outcome == "survived"]
            if todo.every:
                results[module] = _kept(module, todo, survivors, results.get(module))
                save(package, results)

    sys.exit(pytest.main([*OPTIONS, *TESTS[package]], plugins=[Trying(work)]))


def drawn(every: Mapping[str, Sequence[Mutant]], count: int, seed: int) -> dict[str, list[Mutant]]:
    """Return so many mutants of modules, all equally likely, in their order; all if there are no more."""
    places = [(module, place) for module, found in every.items() for place in range(len(found))]
    chosen = sorted(Random(seed).sample(range(len(places)), min(count, len(places))))
    return {
        module: [every[module][places[one][1]] for one in chosen if places[one][0] == module]
        for module in every
    }


def _sample(package: str, modules: list[str], given: argparse.Namespace) -> None:
    """Try a sample of the mutants of modules, and print how many were killed, and those that survived.

    It loads the package, so it is done in a process of its own, as `_try` is.
    """
    covering = measured(f"domain/{package}", TESTS[package]).within(given.seconds)
    every = {module: [*mutants((ROOT / module).read_text(encoding="utf-8"))] for module in modules}
    chosen = drawn(every, given.sample, given.seed)

    def work(trying: Trying) -> None:
        killed = tried = 0
        for module, some in chosen.items():
            outcomes = [*trying.outcomes(module, some, covering, given.jobs)]
            survived = [one for one, outcome in outcomes if outcome == "survived"]
            tried, killed = tried + len(outcomes), killed + len(outcomes) - len(survived)
            for one in survived:
                print(f"{module}:{one.line} {one.within}: {one.was}  ->  {one.now}", flush=True)  # noqa: T201
        print(f"{package}: {killed} of {tried} killed, of {sum(map(len, every.values()))} in all")  # noqa: T201

    sys.exit(pytest.main([*OPTIONS, *TESTS[package]], plugins=[Trying(work)]))


def _kept(module: str, todo: Todo, survived: list[Mutant], kept: Kept | None) -> Kept:
    """Return what is to be kept of a module."""
    reasons = {one.key(): one.reason for one in kept.survivors} if kept else {}
    survivors = [Survivor(*one.key(), reasons.get(one.key(), "")) for one in survived]
    return Kept(_digest(module), todo.every, sorted([*todo.stay, *survivors], key=Survivor.key))


if __name__ == "__main__":
    main()
