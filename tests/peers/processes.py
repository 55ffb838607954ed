"""Servers in processes of their own on one core, and the processor's time that they take.

A server is a program that prints one line when it listens, most often JSON, and ends when it is told to.
Where there are two cores it has the first, and whoever puts load on it the others.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from server.limits import allow_files
from server.postgres import launch

FILES: Final = 20_000
"""Open files that are asked for, here and in every server; fewer do for fewer sockets."""

PATIENCE: Final = 10.0
"""Seconds within which a server that is to end has ended."""

SCHEDULED: Final = 2
"""The clock of a process that counts what it ran, to the nanosecond (see clock_getcpuclockid)."""


class Started:
    """A server that listens."""

    def __init__(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        self.process, self.line = process, line
        self.pid = process.pid

    @property
    def told(self) -> dict[str, Any]:
        """What it told, where that is JSON."""
        return msgspec.json.decode(self.line, type=dict[str, Any])

    def say(self, line: bytes) -> None:
        """Write to its standard input."""
        stdin = self.process.stdin
        assert stdin is not None
        stdin.write(line)
        stdin.flush()

    def next_line(self) -> bytes:
        """Wait for what it prints next."""
        stdout = self.process.stdout
        assert stdout is not None
        return stdout.readline()


@contextlib.contextmanager
def started(
    arguments: Sequence[str | Path],
    cores: Iterable[int] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Started]:
    """Start a server, on these cores or on that of servers, and end it afterwards.

    Raises RuntimeError if it ends before it listens.
    """
    allow_files(FILES)
    with on(server_cores() if cores is None else cores):  # what is started has the cores of who starts it
        process = subprocess.Popen(
            [*ending_with_us(), *_found(arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"its server ended with {process.wait(PATIENCE)} before it listened")
        yield Started(process, line)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            pipe.close()


def ending_with_us() -> list[str]:
    """Return what to put before a command that is to end when this process ends, however it does."""
    return [sys.executable, "-I", "-S", launch.__file__, *map(str, (os.getpid(), os.getuid(), os.getgid()))]


def _found(arguments: Sequence[str | Path]) -> list[str]:
    """Return a command with the whole path of its program. Raises FileNotFoundError."""
    program, *others = map(str, arguments)
    path = shutil.which(program)
    if path is None:
        raise FileNotFoundError(f"there is no `{program}` here")
    return [path, *others]


def spent(pids: Iterable[int]) -> float:
    """Return the seconds of processor that processes and those that they started have taken so far."""
    total = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):  # some end meanwhile
            total += time.clock_gettime((~pid << 3) | SCHEDULED)
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
            total += spent(map(int, children.split()))
    return total


def server_cores() -> set[int]:
    """Return the core that a server has for itself; all of them if there is one alone."""
    return {min(_cores())}


def load_cores() -> set[int]:
    """Return the cores beside that of the servers; the same one if there is one alone."""
    return _cores() - server_cores() or _cores()


def beside_servers() -> None:
    """Keep this process, and all that it starts but servers, off the core of the servers."""
    os.sched_setaffinity(0, load_cores())


@contextlib.contextmanager
def on(cores: Iterable[int]) -> Iterator[None]:
    """Run on these cores, and let what is started meanwhile do so."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _cores() -> set[int]:
    return set(range(os.cpu_count() or 1))
