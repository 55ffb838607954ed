"""The process that keeps the others, and the port: with stand-ins that start at once, die and stand still."""

import asyncio
import contextlib
import math
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from server.commands.serve import command
from server.machine import cores, parent, signs
from server.machine.cores import quota
from server.machine.parent import Child, Start, decoded, encoded, processes
from server.machine.port import reserved, shared_with_others
from server.postgres.database import Unfit
from server.postgres.engine import EmbeddedError
from server.postgres.folder import RESTORING
from server.settings import Settings
from server.siblings.frames import Kind, frame
from server.siblings.switch import Switch
from tests.server.family import family_of_none
from tests.server.test_starts import key, served
from tests.server.together import PATIENCE, ROOT, alive, until

START = Start(Settings(data=Path("/a folder"), port=4711), "postgresql:///x", 0, 2, "a pass", "info")
SERVES = frame(Kind.READY, b'{"url":"http://here","built":false}')


def says(said: bytes, then: str) -> list[str]:
    """Return a program that says something over its line, and then does something else."""
    line = "import os, socket, sys, time\nline = socket.socket(fileno=int(sys.argv[1]))\n"
    # It reads what it is told first: the kernel drops what was said by one who ends with something unread.
    return ["-I", "-S", "-c", f"{line}line.recv(1 << 16)\nline.sendall({said!r})\n{then}"]


@asynccontextmanager
async def kept(child: Child) -> AsyncIterator[None]:
    keeping = asyncio.create_task(child.keep())
    yield
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    await child.end(0)


def test_what_a_process_has_to_know_comes_as_it_was_sent() -> None:
    assert decoded(encoded(START)) == START


async def test_a_process_that_cannot_serve_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parent, "PROGRAM", says(frame(Kind.FAILED, b"no such key"), "time.sleep(60)"))
    child = Child(Switch(), START)

    with pytest.raises(Unfit, match="no such key"):
        await child.begin()
    await child.end(0)
    assert None is child.pid


async def test_a_process_that_ends_before_it_serves_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parent, "PROGRAM", says(b"", "sys.exit(3)"))
    child = Child(Switch(), START)

    with pytest.raises(Unfit, match="ended before it served"):
        await child.begin()
    await child.end(0)


async def test_a_process_that_ends_again_and_again_is_started_after_longer_and_longer_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parent, "PROGRAM", says(SERVES, "sys.exit(3)"))
    monkeypatch.setattr(parent, "PAUSES", (0.01, 0.04))
    child = Child(Switch(), START)
    with capture_logs() as lines:
        await child.begin()
        async with kept(child):
            await until(lambda: _five(lines))
    ends = [line for line in lines if line["event"] == "process.ended"]

    assert [0.01, 0.02, 0.04, 0.04, 0.04] == [line["again_in"] for line in ends[:5]]
    assert {3} == {line["code"] for line in ends[:5]}


async def _five(lines: Sequence[Mapping[str, Any]]) -> bool:
    return [line["event"] for line in lines].count("process.ended") >= 5


async def one_that_stands_still(monkeypatch: pytest.MonkeyPatch, looks: int) -> tuple[Child, int | None]:
    """Begin a process that says nothing more, and is ended after so many looks; give it and its id."""
    monkeypatch.setattr(parent, "PROGRAM", says(SERVES, "time.sleep(60)"))
    monkeypatch.setattr(parent, "STILL", looks * looks_often(monkeypatch))
    child = Child(Switch(), START)
    await child.begin()
    return child, child.pid


async def test_a_process_that_stands_still_is_ended_and_another_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child, first = await one_that_stands_still(monkeypatch, 6)
    async with kept(child):
        await until(lambda: another(child, first))


def looks_often(monkeypatch: pytest.MonkeyPatch) -> float:
    """Have signs of life looked at every so many seconds."""
    seconds = 0.05
    monkeypatch.setattr(parent, "LOOK", seconds)
    monkeypatch.setattr(signs, "LOOK", seconds)
    return seconds


async def another(child: Child, first: int | None) -> bool:
    return child.pid not in {None, first}


async def test_nobody_waits_for_a_process_that_says_nothing_though_it_is_not_ended_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parent, "PROGRAM", says(SERVES, "time.sleep(60)"))
    monkeypatch.setattr(parent, "QUIET", 6 * looks_often(monkeypatch))
    monkeypatch.setattr(parent, "STILL", 60.0)
    async with family_of_none() as family:
        sibling = await family.line()
        child = Child(family.switch, replace(START, number=1))
        await child.begin()
        first = child.pid
        await sibling.round_trip()
        before = set(sibling.siblings)

        async def left_out() -> bool:
            return not sibling.siblings

        async with kept(child):
            await until(left_out)

            assert ({1}, first) == (before, child.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who is starved")
async def test_a_process_that_is_given_no_processor_is_let_be_until_it_has_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given it is in an endless loop, beside another that goes before it on the one core."""
    core = {max(os.sched_getaffinity(0))}
    monkeypatch.setattr(parent, "PROGRAM", says(SERVES, "while True: pass"))
    monkeypatch.setattr(parent, "STILL", 6 * looks_often(monkeypatch))
    child = Child(Switch(), START)
    await child.begin()
    first = child.pid
    assert first is not None
    hog = await asyncio.create_subprocess_exec(sys.executable, "-ISc", "while True: pass")
    try:
        os.sched_setaffinity(hog.pid, core)
        os.sched_setaffinity(first, core)
        os.sched_setscheduler(first, os.SCHED_IDLE, os.sched_param(0))
        with contextlib.suppress(OSError):  # sessions share the processor evenly where the kernel says so
            Path(f"/proc/{first}/autogroup").write_text("19")
        async with kept(child):
            await asyncio.sleep(1)  # three times as long as it may stand still
            let_be = child.pid == first
            hog.kill()
            await until(lambda: another(child, first))
    finally:
        if hog.returncode is None:
            hog.kill()
        await hog.wait()

    assert let_be


async def test_a_process_that_does_not_end_when_it_is_told_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    deaf = "import signal"  # before it says that it serves
    program = says(SERVES, "time.sleep(60)")
    program[-1] = f"{deaf}\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n{program[-1]}"
    monkeypatch.setattr(parent, "PROGRAM", program)
    child = Child(Switch(), START)
    await child.begin()
    with capture_logs() as lines:
        await child.end(0.2)

    assert None is child.pid
    assert ["process.stuck"] == [line["event"] for line in lines]


# The end of the one that keeps them

HANGS = """
import os, signal, sys
from server.postgres.launch import end_with
end_with(int(sys.argv[1]), signal.SIGKILL)
print(os.getpid(), flush=True)
while True:
    pass
"""
STARTS = """
import os, subprocess, sys
subprocess.run([sys.executable, "-c", sys.argv[1], str(os.getpid())])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel")
async def test_a_process_that_hangs_ends_with_the_one_that_started_it() -> None:
    starter = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STARTS, HANGS, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert starter.stdout is not None
    hanging = int(await asyncio.wait_for(starter.stdout.readline(), PATIENCE))
    starter.kill()
    await starter.wait()

    async def gone() -> bool:
        return not alive(hanging)

    await until(gone)


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel")
async def test_a_process_whose_starter_has_ended_before_it_could_ask_ends_at_once() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HANGS, "0", cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    _, said = await asyncio.wait_for(process.communicate(), PATIENCE)

    assert (1, b"its starter has ended") == (process.returncode, said.strip())


# The port


def listening(port: int = 0, *, shared: bool = False) -> socket.socket:
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    one.bind(("127.0.0.1", port))
    one.listen()
    return one


def test_a_port_that_somebody_has_is_not_shared_and_the_next_is_tried() -> None:
    with listening(shared=True) as taken, listening() as free:
        ports = [one.getsockname()[1] for one in (taken, free)]
        free.close()
        with reserved("127.0.0.1", ports) as port:
            assert ports[1] == port
        with pytest.raises(OSError, match="in use"):
            reserved("127.0.0.1", ports[:1]).__enter__()


def test_two_servers_that_start_at_once_do_not_share_a_port_that_nobody_listens_on_yet() -> None:
    with reserved("127.0.0.1", [0]) as port, pytest.raises(OSError, match="in use"):
        reserved("127.0.0.1", [port]).__enter__()


LISTENS = """
import socket, sys
one = socket.socket()
one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
one.bind(("127.0.0.1", int(sys.argv[1])))
one.listen()
print("listening", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
async def test_who_listens_on_the_same_port_and_is_none_of_ours_is_found() -> None:
    with reserved("127.0.0.1", [0]) as port, listening(port, shared=True):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-c", LISTENS, str(port),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            assert await asyncio.wait_for(process.stdout.readline(), PATIENCE)
            us, him = os.getpid(), process.pid
            found = [shared_with_others(pids) for pids in ([us], [him], [us, him])]
        finally:
            await process.communicate(b"")

        assert [True, True, False] == found
        assert not shared_with_others([us])


async def test_a_parent_that_stood_still_itself_ends_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given it looks again after longer than a process may be silent, then what they said is read first."""
    child, first = await one_that_stands_still(monkeypatch, 20)
    async with kept(child):
        await asyncio.sleep(0.06)
        time.sleep(1.5)  # noqa: ASYNC251 as a machine does that is woken
        await asyncio.sleep(0.06)

        assert first == child.pid


def test_on_a_port_that_is_held_processes_of_ours_listen_and_nobody_else() -> None:
    with reserved("localhost", [0]) as port:
        with listening(port, shared=True), listening(port, shared=True):
            pass
        with (
            listening(port, shared=True),
            pytest.raises(OSError, match="in use"),
            reserved("127.0.0.1", [port]),
        ):
            pass


# As an operator sees it


async def test_what_keeps_all_from_serving_is_said_once(dsn: str, folder: Path) -> None:
    code, said = await served(dsn, folder, key("first") + "nonsense\n", processes=2)

    assert 1 == code
    assert 1 == said.count("Error")
    assert "Traceback" not in said


async def test_several_processes_serve_no_folder_that_a_backup_is_put_back_into(folder: Path) -> None:
    await asyncio.to_thread(folder.mkdir)
    await asyncio.to_thread((folder / RESTORING).touch)
    with pytest.raises(EmbeddedError, match="that was cut short"):
        async with processes(Settings(data=folder), 2, "info"):
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one")
def test_there_is_a_process_for_each_core_but_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--processes" in command.params[0].opts
    given = {(1, math.inf): 1, (4, math.inf): 4, (100, math.inf): parent.USUAL, (8, 2.5): 3, (8, 0.2): 1}
    for (few, left), count in given.items():
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, few=few: set(range(few)))
        monkeypatch.setattr(cores, "quota", lambda left=left: left)

        assert count == parent.usual()
    monkeypatch.setattr(sys, "platform", "darwin")

    assert 1 == parent.usual()


V2 = "0::/a.slice/b\n"
V1 = "12:pids:/x\n4:cpu,cpuacct:/docker/id\n0::/\n"


@pytest.mark.parametrize(
    ("own", "files", "left"),
    [
        (V2, {}, math.inf),
        (V2, {"a.slice/b/cpu.max": "max 100000"}, math.inf),
        (V2, {"a.slice/b/cpu.max": "250000 100000"}, 2.5),
        (V2, {"a.slice/b/cpu.max": "max 100000", "a.slice/cpu.max": "150000 50000"}, 3),
        (V2, {"a.slice/b/cpu.max": "100000 100000", "a.slice/cpu.max": "150000 50000"}, 1),
        ("0::/\n", {"cpu.max": "50000 100000"}, 0.5),
        ("0::/../../other\n", {"cpu.max": "200000 100000"}, 2),
        ("1:name=systemd:/\n0::/a\n", {"unified/a/cpu.max": "200000 100000"}, 2),
        (V1, {"cpu,cpuacct/docker/id/cpu.cfs": "-1 100000"}, math.inf),
        (V1, {"cpu,cpuacct/docker/id/cpu.cfs": "400000 100000"}, 4),
        (V1, {"cpu/cpu.cfs": "150000 100000"}, 1.5),
        (V1, {"pids/x/cpu.max": "100000 100000"}, math.inf),
        (V2, {"a.slice/b/cpu.max": "nonsense"}, math.inf),
    ],
)
def test_the_processor_that_control_groups_leave_is_the_least_of_them(
    tmp_path: Path, own: str, files: dict[str, str], left: float
) -> None:
    (tmp_path / "own").write_text(own)
    for name, text in files.items():
        path = tmp_path / "groups" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.name == "cpu.cfs":
            for part, value in zip(("quota", "period"), text.split(), strict=True):
                path.with_name(f"cpu.cfs_{part}_us").write_text(f"{value}\n")
        else:
            path.write_text(f"{text}\n")

    assert left == quota(tmp_path / "groups", tmp_path / "own")


def test_where_there_are_no_control_groups_nothing_is_limited(tmp_path: Path) -> None:
    assert math.inf == quota(tmp_path, tmp_path / "none")
