import asyncio
import cProfile
import gc
import sys
import time
from pathlib import Path

import pytest
from msgspec import json

from domain.coral_sea import CORAL_SEA
from domain.coral_sea.supply import able_ground
from domain.coral_sea.table import Operation
from server.bench import Result, rate, share
from server.bench.bare import parted
from server.bench.parts import PARTS, BenchReport, Machine, PartResults
from server.bench.questions import looked_at
from server.commands.bench import table
from server.fanout.broadcasts import websocket_bytes

WITHOUT_LONG = [name for name in PARTS if name != "long"]
"""The parts of the check-in: `war` measures the same of a real match, in as many processes."""


@pytest.mark.parametrize(
    "parts",
    [pytest.param(WITHOUT_LONG, id="without long"), pytest.param([], id="all", marks=pytest.mark.soak)],
)
async def test_all_parts_are_measured_quickly_and_written_down(tmp_path: Path, parts: list[str]) -> None:
    path = tmp_path / "of this run" / "bench.json"
    only = [word for name in parts for word in ("--only", name)]
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-m", "server", "bench", "--quick", *only, "--json", str(path)],
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 280)
    report = json.decode(path.read_bytes(), type=BenchReport) if path.exists() else None

    assert 0 == process.returncode, err.decode()
    assert report is not None
    assert (parts or list(PARTS)) == list(report.parts)
    assert {"midway"} <= set(report.shares)
    assert {"reach", "supply", "isolation"} == set(report.questions["coral_sea"])
    assert "In a match played sensibly, of what the rules of coral_sea take: reach" in out.decode()
    assert all(part.results or part.left_out for part in report.parts.values())
    for name in set(report.parts) - {"append", "memory"}:  # these need pgbench, and /proc
        assert not report.parts[name].left_out
    results = [result for part in report.parts.values() for result in part.results]
    assert all(result.value > 0 < result.ratio for result in results)
    assert all(result.name in out.decode() for result in results)
    assert str(tmp_path) not in path.read_text()
    assert "Traceback" not in err.decode()


def test_what_is_looked_at_counts_once_with_all_it_calls() -> None:
    table = CORAL_SEA.state().open
    table.operation = Operation(0, "lae", 6)
    able_ground(table)  # what is kept from the first call on is not looked at
    # Time of the process: what other processes take of the machine would be that of whoever is interrupted.
    profile = cProfile.Profile(time.process_time)
    # The collector runs where it likes, and its time would be that of whoever made the last object.
    gc.disable()
    try:
        profile.runcall(lambda: [able_ground(table) for _ in range(200)])
    finally:
        gc.enable()

    shares = looked_at(profile)

    assert 0.0 == shares["isolation"]
    assert shares["reach"] > 0 < shares["supply"]
    assert 0.9 < shares["reach"] + shares["supply"] <= 1.0


def test_the_table_says_what_is_kept_and_what_is_left_out() -> None:
    machine = Machine(2, "Linux", "3.11.7", "0.23", "17.4", "18.4")
    kept = Result("open a match", 5.0, "ms", "limit 10", 2.0, 1.0)
    lost = Result("append", 1234.5, "commands/s", "pgbench", 0.5, 0.6)
    looked_at = Result("p99", 80.0, "µs", "limit 200", 2.5)
    parts = {
        "append": PartResults([kept, lost, looked_at]),
        "memory": PartResults(left_out="there is no /proc"),
    }

    lines = table(BenchReport(machine, quick=False, parts=parts)).splitlines()

    assert "2 cores, Linux, Python 3.11.7, PostgreSQL 18.4" == lines[0]
    assert ["open", "a", "match", "5.00", "ms", "limit", "10", "2.00", "1.00", "yes"] == lines[3].split()
    assert ["append", "1,234", "commands/s", "pgbench", "0.50", "0.60", "no"] == lines[4].split()
    assert ["p99", "80.00", "µs", "limit", "200", "2.50"] == lines[5].split()
    assert "memory is left out: there is no /proc" == lines[-1]


def test_more_is_better() -> None:
    assert Result("fold", 400.0, "facts/s", "target 200", 2.0, 1.0) == rate("fold", 400.0, "facts/s", 200)
    assert rate("fold", 200.0, "facts/s", 200).ok is True
    assert rate("fold", 199.0, "facts/s", 200).ok is False


def test_a_share_of_the_values_is_not_above_it() -> None:
    assert 50 == share(range(1, 101), 0.5)
    assert 99 == share(range(1, 101), 0.99)
    assert 7 == share([7], 0.99)


def test_frames_are_told_apart_however_long_they_are() -> None:
    for size in (0, 125, 126, 65535, 65536):
        frame = websocket_bytes(b"x" * size)

        assert (1, len(frame) - size, len(frame)) == parted(frame + b"more", 0)
        assert parted(frame[:-1], 0) is None
