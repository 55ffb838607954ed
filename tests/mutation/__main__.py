"""`make mutation`: try the tests against small faults put into the rules, one at a time.

    python -m tests.mutation [--jobs N] [--whole] [MODULE ...]

A MODULE is a file or a folder under `domain/`; without one, all are looked at. Of a module that has not
changed since its last run, only what survived is tried again (`--whole`: all of it). What came of it is kept
in `tests/mutation/results/PACKAGE.json`: a digest of each module, the number of its mutants, and those that
survived. A survivor with a `reason` is one that somebody has read and that no test can kill; it is counted
apart, and not tried again while its module stays as it is.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from tests.mutation.covering import ROOT, Covering, measured
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.results import Kept, Survivor, load, save
from tests.mutation.trying import Outcome, Try

TESTS = {
    "kernel": ["tests/kernel", "tests/tiny"],
    "midway": ["tests/midway"],
    "coral_sea": ["tests/coral_sea"],
    "nimitz": ["tests/nimitz"],
}
"""The folders of tests that answer for each package of `domain/`."""


START = 10.0
"""Seconds of the processor that a mutant has beyond what its tests take: imports, and collecting them."""


def main() -> None:
    """Try what is asked for, keep what came of it, and print a line a module."""
    asked = argparse.ArgumentParser(prog="make mutation")
    asked.add_argument("modules", nargs="*", default=["domain"])
    asked.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    asked.add_argument("--whole", action="store_true")
    given = asked.parse_args()
    for package, modules in _wanted(given.modules).items():
        results = load(package)
        todo = {module: _todo(module, results.get(module), whole=given.whole) for module in modules}
        if any(todo.values()):
            with tempfile.TemporaryDirectory() as folder:
                covering = measured(f"domain/{package}", TESTS[package], Path(folder))
            for module, tried in todo.items():
                if tried:
                    results[module] = _tried(module, tried, results.get(module), covering, given.jobs)
                    save(package, results)
        for module in modules:
            print(results[module].line(module) if module in results else f"{module}: no mutants")  # noqa: T201


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


def _todo(module: str, kept: Kept | None, *, whole: bool) -> list[Mutant]:
    """Return the mutants to try: all of a module that is new or has changed, else what survived."""
    same = kept is not None and kept.digest == _digest(module) and not whole
    if same and kept is not None and all(one.reason for one in kept.survivors):
        return []
    every = list(mutants((ROOT / module).read_text(encoding="utf-8")))
    if not same or kept is None:
        return every
    again = {one.key() for one in kept.survivors if not one.reason}
    return [mutant for mutant in every if (mutant.within, mutant.was, mutant.now) in again]


def _tried(module: str, todo: list[Mutant], kept: Kept | None, covering: Covering, jobs: int) -> Kept:
    """Try mutants, several at a time, and return what is to be kept of the module."""
    digest = _digest(module)
    reasons = {one.key(): one.reason for one in kept.survivors} if kept else {}
    survivors = [
        Survivor(
            mutant.within, mutant.was, mutant.now, reasons.get((mutant.within, mutant.was, mutant.now), "")
        )
        for mutant, outcome in _outcomes(module, todo, covering, jobs)
        if outcome == "survived"
    ]
    if kept is None or kept.digest != digest or len(todo) > len(kept.survivors):
        return Kept(digest, len(todo), sorted(survivors, key=Survivor.key))
    stay = [one for one in kept.survivors if one.reason]
    return Kept(digest, kept.mutants, sorted([*stay, *survivors], key=Survivor.key))


def _outcomes(
    module: str, todo: list[Mutant], covering: Covering, jobs: int
) -> Iterator[tuple[Mutant, Outcome]]:
    waiting, running = list(reversed(todo)), list[Try]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            tests = covering.tests(module, mutant.line)
            running.append(Try(module, mutant, tests, START + 2 * covering.seconds(tests)))
        for one in list(running):
            if outcome := one.outcome():
                running.remove(one)
                yield one.mutant, outcome
        time.sleep(0.01)


if __name__ == "__main__":
    main()
