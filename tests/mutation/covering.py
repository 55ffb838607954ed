"""Which tests run which lines of a package, measured once before its mutants are tried."""

import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import coverage
import pytest
from msgspec import Struct, json

ROOT = Path(__file__).parents[2]

LOADING = ""
"""What coverage notes in the place of a test for what runs outside of all."""

KEPT = ROOT / ".mutation_cache"
"""Where it is kept what each file of tests runs."""


class Ran(Struct, frozen=True):
    """What a file of tests runs: for each module its lines and their tests, and the seconds of each test."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]


class Contexts:
    """Tells coverage which test runs, and counts what each takes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        """The processor's time by test."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        """Count the lines that run from here on for this test."""
        measured = coverage.Coverage.current()
        assert measured is not None
        measured.switch_context(item.nodeid)
        began = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - began
            measured.switch_context(LOADING)


class Covering:
    """The tests that run a line, the quick ones first."""

    def __init__(self, lines: dict[str, dict[int, list[str]]], seconds: dict[str, float]) -> None:
        """Take, for each module, its lines and the tests that run each; and the time of each test."""
        self._lines, self._seconds = lines, seconds

    def within(self, seconds: float) -> "Covering":
        """Return the same without the tests that take longer."""
        quick = {test for test, took in self._seconds.items() if took <= seconds} | {LOADING}
        return Covering(
            {
                module: {line: [test for test in tests if test in quick] for line, tests in by_line.items()}
                for module, by_line in self._lines.items()
            },
            {test: took for test, took in self._seconds.items() if test in quick},
        )

    def tests(self, module: str, line: int) -> list[str]:
        """Return the ids of the tests to try.

        Of a line that runs on loading they are all there are: first those that run anything of its module.
        """
        if not self.on_loading(module, line):
            return sorted(self._running(module, line), key=lambda test: (self._seconds[test], test))
        near = {test for tests in self._lines.get(module, {}).values() for test in tests}
        return sorted(self._seconds, key=lambda test: (test not in near, self._seconds[test], test))

    def on_loading(self, module: str, line: int) -> bool:
        """Return whether a line runs when modules are loaded and tests collected."""
        return LOADING in self._running(module, line)

    def _running(self, module: str, line: int) -> list[str]:
        """Return what runs a line; of one within a statement, where Python does not stop, what runs that."""
        by_line = self._lines.get(module, {})
        above = max((other for other in by_line if other <= line), default=line)
        return by_line.get(above, [])

    def seconds(self, tests: list[str]) -> float:
        """Return how long tests take together, in seconds of the processor, with coverage measured."""
        return sum(self._seconds[test] for test in tests)


def measured(package: str, folders: list[str]) -> Covering:
    """Run the tests of a package once under coverage; `package` and `folders` are relative to the root.

    What a file of tests runs is kept until the package, that file or a module beside it changes. Raises
    CalledProcessError if tests fail.
    """
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("test_*.py"))]
    kept = {file.relative_to(ROOT).as_posix(): _place(package, file) for file in files}
    if missing := [file for file, path in kept.items() if not path.exists()]:
        (KEPT / package).mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "tests.mutation.covering", package, *missing], cwd=ROOT, check=True
        )
    for path in {*(KEPT / package).iterdir()} - {*kept.values()}:
        path.unlink()
    lines: dict[str, dict[int, list[str]]] = {}
    seconds: dict[str, float] = {}
    for path in kept.values():
        ran = json.decode(path.read_bytes(), type=Ran)
        seconds |= ran.seconds
        for module, by_line in ran.lines.items():
            for line, tests in by_line.items():
                lines.setdefault(module, {}).setdefault(line, []).extend(tests)
    return Covering(lines, seconds)


def _place(package: str, file: Path) -> Path:
    """Return where it is kept which lines a file of tests runs: named after all that decides it."""
    beside = (other for other in file.parent.glob("*.py") if not other.name.startswith("test_"))
    sources = [*sorted((ROOT / package).rglob("*.py")), *sorted(beside), file]
    digest = sha256(b"".join(sha256(source.read_bytes()).digest() for source in sources)).hexdigest()
    return KEPT / package / f"{digest[:16]}.json"


def _measure(package: str, *files: str) -> None:
    """Be the process that runs files of tests, and keep what each runs."""
    measuring = coverage.Coverage(
        data_file=None, branch=False, source=[str(ROOT / package)], config_file=False
    )
    contexts = Contexts()
    measuring.start()
    failed = pytest.main(["-q", "-p", "no:xdist", "-m", "not soak", *files], plugins=[contexts])
    measuring.stop()
    if failed:
        sys.exit(failed)
    data = measuring.get_data()
    for file in files:
        own = {test: took for test, took in contexts.seconds.items() if test.partition("::")[0] == file}
        lines = {
            Path(name).relative_to(ROOT).as_posix(): {
                line: found
                for line, tests in data.contexts_by_lineno(name).items()
                if (found := [test for test in tests if test == LOADING or test in own])
            }
            for name in data.measured_files()
        }
        _place(package, ROOT / file).write_bytes(json.encode(Ran(lines, own)))


if __name__ == "__main__":
    _measure(*sys.argv[1:])
