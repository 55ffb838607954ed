"""The measurement beside others: what of it needs no registry is run, and the page is written from lines."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from server.bench import Say
from tests.peers import fanout
from tests.peers.__main__ import PARTS
from tests.peers.document import behind, write
from tests.peers.figures import Figure, Machine, Measured, read, written
from tests.peers.installed import HERE, LOCKS, Missing, Peers, versions
from tests.peers.processes import spent, started

MACHINE = Machine("A Processor", 2, "Linux 6.1 x86_64", {"ws": "8.0"}, "2026-11-29", "default", 0.2)
LONG = 60
"""Seconds, more than anybody waits."""

QUIETLY: Say = lambda _: None  # noqa: E731


def a_fanout(name: str, size: int, each: float) -> Figure:
    return Figure("fanout", name, size, {"µs a delivery": each})


def runs(pid: int) -> bool:
    """Whether there is such a process that has not ended, looked after by its parent or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_needs_no_registry_is_measured_beside_raw_writes(tmp_path: Path) -> None:
    found: list[Figure] = []

    fanout.measure(Peers(tmp_path), QUIETLY, found.append, [3], 1, 0.001, fanout.WITHOUT_PEERS)

    assert [("raw asyncio (uvloop)", 3, ""), ("Fleetfold's hub", 3, "")] == [
        (one.of, one.at, one.left_out) for one in found
    ]
    assert all(one.values["µs a delivery"] > 0 for one in found)
    assert not list(tmp_path.iterdir())


def test_who_cannot_be_installed_is_left_out_and_why_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    found: list[Figure] = []

    fanout.measure(Peers(tmp_path), QUIETLY, found.append, [2], 1, 0.001, ["C, epoll", "ws"])

    assert ["there is no `cc` here", "there is no `npm` here"] == [one.left_out for one in found]
    assert not any(one.values for one in found)
    assert not list(tmp_path.iterdir())


def test_half_an_installation_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "cc"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n: > half\nexit 1\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")

    with pytest.raises(Missing, match="could not be compiled"):
        Peers(tmp_path / "cache").fanout()

    assert not list((tmp_path / "cache").iterdir())


def test_time_of_a_server_is_its_own_and_that_of_whom_it_started() -> None:
    busy = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"
    starts = (
        f"import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', {busy!r} + 'input()'])\n"
        "print('listening', flush=True)\nchild.wait()"
    )
    with started((sys.executable, "-c", starts)) as server:
        before = spent([os.getpid()]) - spent([server.pid])
        end = time.monotonic() + 30
        while spent([server.pid]) < 0.3 and time.monotonic() < end:
            time.sleep(0.01)

        assert b"listening\n" == server.line
        assert 0.3 <= spent([server.pid]) < 3
        assert before >= 0
    assert server.process.returncode is not None


def test_a_server_that_ends_before_it_listens_is_told() -> None:
    with (
        pytest.raises(RuntimeError, match="ended with 3 before it listened"),
        started((sys.executable, "-c", "raise SystemExit(3)")),
    ):
        pass


def test_lines_are_read_as_they_were_written_and_the_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    first, again, missing = a_fanout("ws", 10, 5.0), a_fanout("ws", 10, 4.0), Figure("appends", "pgbench", 1)
    path.write_bytes(written([MACHINE, first, missing, again]))

    measured = read(path)

    assert MACHINE == measured.machine
    assert [again, missing] == measured.figures
    assert [again] == measured.of("fanout")
    assert [] == measured.of("appends")


def test_who_is_ahead_of_ours_is_said_by_how_much_at_most_and_why() -> None:
    measured = Measured(
        MACHINE,
        [
            a_fanout("Fleetfold's hub", 10, 8.0),
            a_fanout("Fleetfold's hub", 100, 9.0),
            a_fanout("ws", 10, 4.0),
            a_fanout("ws", 100, 10.0),
            a_fanout("socket.io", 10, 9.0),
            Figure("appends", "Fleetfold's log", 1, {"rows/s": 100.0}),
            Figure("appends", "somebody", 1, {"rows/s": 150.0}),
        ],
    )

    assert [
        "Fan-out: ws, 2.00 of ours; it has no watchers to ask whether they are current.",
        "Appends: somebody, 1.50 of ours; why has not been looked into.",
    ] == behind(measured)


def test_the_page_has_tables_drawings_and_who_was_left_out(tmp_path: Path) -> None:
    figures = [
        a_fanout("Fleetfold's hub", 10, 8.0),
        a_fanout("Fleetfold's hub", 100, 9.0),
        a_fanout("ws", 10, 4.0),
        Figure("fanout", "ws", 100, left_out="too few files"),
        Figure("matches", "Fleetfold", 1, {"decisions/s": 100.0, "µs of the server": 2000.0}),
        Figure("matches", "Fleetfold", 1000, {"decisions/s": 1500.0, "µs of the server": 650.0}),
    ]

    page, *drawings = write(Measured(MACHINE, figures), tmp_path)

    text = page.read_text()
    assert (
        "Taken on 2026-11-29 on 2 cores (A Processor), Linux 6.1 x86_64, at the default scale. ws 8.0."
        in text
    )
    assert "| ws | 4 | 2.00 | - | - |" in text
    assert "| 1,000 | 1,500 | 650 |" in text
    assert "Left out: ws, 100: too few files." in text
    assert "had other work" not in text
    assert 6 == text.count("Not measured.")
    assert ["benchmarks-fanout.svg", "benchmarks-matches.svg"] == [path.name for path in drawings]
    for path in drawings:
        assert f"](pictures/{path.name})" in text
        assert "svg" in ET.fromstring(path.read_bytes()).tag


def test_a_machine_with_other_work_is_said_to_have_it(tmp_path: Path) -> None:
    busy = Machine("A Processor", 2, "Linux", {}, "2026-11-29", "default", 1.4)

    page, *_ = write(Measured(busy, []), tmp_path)

    assert "**The machine had other work**: 1.4 of its cores were in use" in page.read_text()


def test_locks_name_exactly_what_is_measured_and_no_place_it_came_from() -> None:
    texts = {name: (HERE / name).read_text() for name in LOCKS}

    for name, version in versions().items():
        pinned = f'"{name}": "{version}"' in texts["package-lock.json"]
        assert pinned or f"{name}=={version}" in texts["requirements.lock"], name
    assert '"resolved"' not in texts["package-lock.json"]
    assert "://" not in texts["requirements.lock"]


@pytest.mark.parametrize(
    "parts",
    [pytest.param(["appends"], id="appends"), pytest.param([*PARTS], id="all", marks=pytest.mark.soak)],
)
async def test_one_command_measures_keeps_and_writes(tmp_path: Path, parts: list[str]) -> None:
    kept, docs = tmp_path / "kept.jsonl", tmp_path / "docs"
    only = [word for name in parts for word in ("--only", name)]
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-m", "tests.peers", "--quick", "--alone", *only],
        *["--kept", str(kept), "--docs", str(docs)],
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    _, err = await asyncio.wait_for(process.communicate(), 280)

    assert 0 == process.returncode, err.decode()
    assert parts == list(dict.fromkeys(one.part for one in read(kept).figures))
    assert all(one.values or one.of == "pgbench" for one in read(kept).figures)  # not everybody has that
    assert "| Fleetfold's log |" in (docs / "benchmarks.md").read_text()
    assert str(tmp_path) not in kept.read_text()


def test_a_server_ends_with_whoever_started_it_however_that_ends() -> None:
    waits = f"import time; print('listening', flush=True); time.sleep({LONG})"
    starts = (
        "import sys, time\nfrom tests.peers.processes import started\n"
        f"with started((sys.executable, '-c', {waits!r})) as server:\n"
        f"    print(server.pid, flush=True)\n    time.sleep({LONG})"
    )
    with subprocess.Popen([sys.executable, "-c", starts], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        assert runs(pid)

        starter.kill()
        end = time.monotonic() + 30
        while runs(pid) and time.monotonic() < end:
            time.sleep(0.01)

    assert not runs(pid)
