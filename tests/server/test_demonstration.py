"""`make demo-cluster`: its last line, how it ends, and what it says where it comes to no end."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec import json

from tests.cluster import __main__ as command
from tests.cluster import trial as trials
from tests.cluster.cluster import Cluster
from tests.cluster.load import BrokenOff, Load
from tests.cluster.programs import NotThere
from tests.cluster.trial import Nemesis, Outcome, Plan, Report
from tests.server.history import ROOT

COMMAND = [sys.executable, "-m", "tests.cluster", "demo"]
KEYS = ["nodes", "kills", "decisions", "acknowledged", "violations", "recovery_p50_ms", "recovery_max_ms"]
SECONDS = 60
NOT_SENT = "a fact was acknowledged and is not there"


def finding(*violations: str) -> Outcome:
    return Outcome(Report(3, 2, 50, 49, len(violations), 70, 900), list(violations), [], [])


def demonstrated(patch: pytest.MonkeyPatch, outcome: Outcome | Exception) -> int:
    """Demonstrate with a trial that comes to this; how it ends."""

    async def come_to(plan: Plan, say: Callable[[str], None]) -> Outcome:
        assert plan.seconds == 7
        say("Starting …")
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    patch.setattr(command, "trial", come_to)
    return command.main(["demo", "7"])


def test_without_a_violation_it_ends_well_and_its_last_line_is_the_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == demonstrated(monkeypatch, finding())

    *_, last = capsys.readouterr().out.splitlines()
    assert list(zip(KEYS, [3, 2, 50, 49, 0, 70, 900], strict=True)) == list(json.decode(last).items())


@pytest.mark.parametrize("number", [1, command.SHOWN + 5])
def test_at_a_violation_it_ends_with_1_and_tells_it_before_the_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    assert 1 == demonstrated(monkeypatch, finding(*[NOT_SENT] * number))

    *before, last = capsys.readouterr().out.splitlines()
    assert min(number, command.SHOWN) == before.count(NOT_SENT)
    assert (KEYS, number) == (list(told := json.decode(last)), told["violations"])


@pytest.mark.parametrize(
    ("why", "last"),
    [
        (NotThere("There is no haproxy."), "There is no haproxy."),
        (BrokenOff("redis is not back"), "It broke off, .*: redis is not back"),
        (TimeoutError(), r"It broke off, .*: TimeoutError\(\)"),
    ],
)
def test_a_trial_that_comes_to_no_end_ends_with_1_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], why: Exception, last: str
) -> None:
    assert 1 == demonstrated(monkeypatch, why)

    said = capsys.readouterr()
    assert "Starting …\n" == said.out
    assert re.fullmatch(last, said.err.splitlines()[-1])


def test_where_a_program_is_missing_the_command_says_so_and_ends_with_1(tmp_path: Path) -> None:
    ran = subprocess.run(
        [*COMMAND, "1"], cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )

    assert (1, "There is no redis-server") == (ran.returncode, ran.stderr.partition(":")[0])


async def test_who_ends_and_should_go_on_is_told_out_of_the_group_that_he_ended_in() -> None:
    async def end() -> None:
        async with asyncio.TaskGroup():
            raise ValueError("no such option")

    load = Load("", 0, 0, 0.0, 0)
    load._playing = [asyncio.create_task(end())]
    await asyncio.wait(load._playing, timeout=SECONDS)
    told = r" has ended: ValueError\('no such option'\)$"

    with pytest.raises(BrokenOff, match=told):
        load.check()
    with pytest.raises(BrokenOff, match=told):
        await load.leave()


class Postgres:
    """One that is killed, or was."""

    def __init__(self, *, there: bool) -> None:
        self._there = there

    async def whole(self) -> bool:
        return self._there


@pytest.mark.parametrize(("there", "away"), [(False, "postgres"), (True, "node2, redis")])
async def test_what_is_not_back_in_time_is_named(
    monkeypatch: pytest.MonkeyPatch, there: bool, away: str
) -> None:
    monkeypatch.setattr(trials, "BACK", 0.1)
    monkeypatch.setattr(trials, "AWAY", 0.0)
    made = SimpleNamespace(postgres=Postgres(there=there), nodes=[])
    nemesis = Nemesis(cast(Cluster, made), Plan(seconds=0), spared=False)
    nemesis._bring_back("node1", partial(asyncio.sleep, 0))
    await nemesis._coming["node1"]
    for what in ("node2", "redis") if there else ():
        nemesis._bring_back(what, asyncio.Event().wait)

    with pytest.raises(BrokenOff, match=f"^{away} is not back 0.1 s after the last kill$"):
        async with asyncio.timeout(SECONDS):
            await nemesis.run(Load("", 0, 0, 0.0, 0), print)


@pytest.mark.soak
def test_a_demonstration_of_ten_seconds_kills_and_finds_nothing() -> None:
    ran = subprocess.run(
        [*COMMAND, "10"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=10 * SECONDS
    )
    assert 0 == ran.returncode, ran.stdout + ran.stderr

    *_, last = ran.stdout.splitlines()
    told = json.decode(last)
    assert list(told) == KEYS
    assert (3, 1, 0) == (told["nodes"], told["kills"], told["violations"])
    assert told["decisions"] >= told["acknowledged"] > 10
    assert told["recovery_max_ms"] >= told["recovery_p50_ms"] > 0
