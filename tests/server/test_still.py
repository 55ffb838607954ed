"""Processes that stand still, and what goes wrong with who ends them; with stand-ins as in `test_parent`."""

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import Process
from functools import partial

import pytest
import structlog
from structlog.testing import capture_logs
from structlog.typing import EventDict

from server.machine import parent, signs
from server.machine.parent import Child
from server.siblings.switch import Switch
from tests.server.test_parent import SERVES, START, another, kept, looks_often, one_that_stands_still, says
from tests.server.together import alive, until


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel")
async def test_a_process_that_stands_still_is_killed_before_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For who reads the log may take his time, and the process may go on meanwhile."""
    child, first = await one_that_stands_still(monkeypatch, 6)
    ended: list[bool] = []

    def says_slowly(_: object, __: str, event: EventDict) -> EventDict:
        if event["event"] == "process.still":
            end = time.monotonic() + 2
            while alive(first or 0) and time.monotonic() < end:
                pass
            ended.append(not alive(first or 0))
        raise structlog.DropEvent

    with capture_logs(processors=[says_slowly]):
        async with kept(child):
            await until(lambda: another(child, first))

    assert [True] == ended[:1]


async def test_a_late_look_is_not_counted_for_what_was_said_may_not_have_been_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(signs, "LOOK", 0.3)
    monkeypatch.setattr(signs, "STARVED", -1.0)  # it may be about to fall asleep
    process = await asyncio.create_subprocess_exec("sleep", "60")
    try:
        look = partial(signs.Signs(process.pid).look, 1.0)
        seconds = [look(), look()]
        time.sleep(0.7)  # noqa: ASYNC251 as whoever writes to a log that nobody reads
        seconds += [look(), look()]
    finally:
        process.kill()
        await process.wait()

    assert [0, 1, 1, 2] == pytest.approx([one / 0.3 for one in seconds])


async def test_a_process_is_started_again_though_who_keeps_it_has_made_a_mistake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given one that is looked after by what fails at first, and ends then."""
    monkeypatch.setattr(parent, "PROGRAM", says(SERVES, "time.sleep(60)"))
    monkeypatch.setattr(parent, "PAUSES", (0.01, 0.04))
    child, looked = Child(Switch(), START), signs.Signs.look

    def fails(_: signs.Signs, heard: float) -> float:
        monkeypatch.setattr(signs.Signs, "look", looked)
        raise ValueError(heard)

    looks_often(monkeypatch)
    monkeypatch.setattr(signs.Signs, "look", fails)
    await child.begin()
    first = child.pid
    assert first is not None

    async def said() -> bool:
        return "bug" in [line["event"] for line in lines]

    with capture_logs() as lines:
        async with kept(child):
            await until(said)
            os.kill(first, signal.SIGKILL)
            await until(lambda: another(child, first))


async def test_a_process_that_has_ended_by_itself_when_it_is_killed_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given it stands still as it ends, and nobody has told who keeps it that it has ended."""
    monkeypatch.setattr(parent, "PROGRAM", says(SERVES, "time.sleep(60)"))
    monkeypatch.setattr(parent, "PAUSES", (0.01, 0.04))
    looks_often(monkeypatch)
    child, kill = Child(Switch(), START), Process.kill
    await child.begin()
    first = child.pid

    def late(process: Process) -> None:
        kill(process)
        raise ProcessLookupError

    monkeypatch.setattr(Process, "kill", late)
    monkeypatch.setattr(parent, "STILL", 0.1)
    with capture_logs() as lines:
        async with kept(child):
            await until(lambda: another(child, first))

    assert "bug" not in [line["event"] for line in lines]
