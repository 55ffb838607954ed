"""Which tests run which lines of a package, measured once before its mutants are tried."""

import subprocess
import sys
import time
from pathlib import Path

import coverage
import pytest
from msgspec import json

ROOT = Path(__file__).parents[2]


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
            measured.switch_context("")


class Covering:
    """The tests that run a line, the quick ones first."""

    def __init__(self, lines: dict[str, dict[int, list[str]]], seconds: dict[str, float]) -> None:
        """Take, for each module, its lines and the tests that run each; and the time of each test."""
        self._lines, self._seconds = lines, seconds

    def tests(self, module: str, line: int) -> list[str]:
        """Return the ids of the tests to try; for a line that runs on import, of all that run the module."""
        by_line = self._lines.get(module, {})
        ran = set(by_line.get(line, ())) or {test for tests in by_line.values() for test in tests}
        return sorted(ran, key=lambda test: (self._seconds[test], test))

    def seconds(self, tests: list[str]) -> float:
        """Return how long tests take together, in seconds of the processor, with coverage measured."""
        return sum(self._seconds[test] for test in tests)


def measured(package: str, folders: list[str], folder: Path) -> Covering:
    """Run the tests of a package once under coverage; `folder` is for what it writes.

    Raises CalledProcessError if they fail.
    """
    kept = str(folder / "lines")
    subprocess.run(
        [sys.executable, "-m", "tests.mutation.covering", package, kept, *folders], cwd=ROOT, check=True
    )
    data = coverage.CoverageData(kept)
    data.read()
    lines: dict[str, dict[int, list[str]]] = {}
    for name in data.measured_files():
        found = data.contexts_by_lineno(name)
        module = Path(name).relative_to(ROOT).as_posix()
        lines[module] = {line: [test for test in tests if test] for line, tests in found.items()}
    return Covering(lines, json.decode(Path(f"{kept}.json").read_bytes()))


def _main(package: str, kept: str, *folders: str) -> None:
    measuring = coverage.Coverage(
        data_file=kept, branch=False, source=[str(ROOT / package)], config_file=False
    )
    contexts = Contexts()
    measuring.start()
    failed = pytest.main(["-q", "-p", "no:xdist", "-m", "not soak", *folders], plugins=[contexts])
    measuring.stop()
    measuring.save()
    Path(f"{kept}.json").write_bytes(json.encode(contexts.seconds))
    sys.exit(failed)


if __name__ == "__main__":
    _main(*sys.argv[1:])
