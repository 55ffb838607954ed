"""Many matches at once through two processes behind one port, beside one: what the way between them costs.

Both are started as an operator starts them, in turns, on the same database and with no core of their own. The
processor's time is that of all processes of the server, the one that keeps the others among them. Decisions a
second say what players and Postgres leave; decisions for a second of the processor say what a second process
costs.
"""

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from statistics import median
from typing import Final

from domain.match.game import Game
from server.bench import LeftOut, Result, Say
from server.bench.fanout import SPARE
from server.bench.many import ONLOOKERS, SEATS, Measured, load
from server.bench.node import MOST
from server.limits import allow_files
from server.proof import keys

COUNTS: Final = (1, 2)

KEEP: Final = 0.9
"""Of the decisions that one process makes in a second of the processor, how many two should make."""

PATIENCE: Final = 60.0
"""Seconds within which a server has to start, and to end."""


async def together_bench(
    dsn: str, folder: Path, say: Say, game: Game, matches: int, seconds: float, rounds: int
) -> list[Result]:
    """Measure matches of a title for so many seconds in each of so many rounds. Raises LeftOut."""
    wanted = matches * (SEATS + ONLOOKERS) + SPARE
    if allow_files(wanted) < wanted:
        raise LeftOut(f"{matches} matches need {wanted} open files: see `ulimit -n`")
    if sys.platform != "linux":
        raise LeftOut("what several processes take is read from /proc")
    await asyncio.to_thread(folder.mkdir)
    await asyncio.to_thread(keys.generate, folder / "keys")
    found: dict[int, list[Measured]] = {count: [] for count in COUNTS}
    for number in range(rounds):
        for count in COUNTS if number % 2 == 0 else reversed(COUNTS):
            say(f"decisions of {matches} matches of {game.title} at once, by {count} of a machine")
            async with _server(dsn, folder, count) as (url, pid):
                result = await load(url, lambda pid=pid: _spent(pid), game, matches, seconds)  # type: ignore[misc]
            found[count].append(result)
    return _results(f"{matches} matches of {game.title}", found)


def _results(name: str, found: dict[int, list[Measured]]) -> list[Result]:
    if not all(one.milliseconds for rounds in found.values() for one in rounds):
        raise LeftOut("no decision was stored")
    name = f"{name}, two processes"
    return [
        _compared(name, "a CPU second", found, lambda one: len(one.milliseconds) / one.spent, KEEP),
        _compared(name, "decisions/s", found, lambda one: len(one.milliseconds) / one.seconds),
    ]


def _compared(
    name: str,
    unit: str,
    found: dict[int, list[Measured]],
    rate: Callable[[Measured], float],
    keep: float | None = None,
) -> Result:
    """Compare medians; the ratio is the median of the rounds', since the machine's own speed changes."""
    one, two = ([rate(measured) for measured in found[count]] for count in COUNTS)
    ratio = median(fast / slow for slow, fast in zip(one, two, strict=True))
    return Result(name, median(two), unit, f"{median(one):,.0f} by one", ratio, keep)


@contextlib.asynccontextmanager
async def _server(dsn: str, folder: Path, count: int) -> AsyncIterator[tuple[str, int]]:
    """Run a server of so many processes; yield its URL and the id of the process that was started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = {
        "DATABASE_URL": dsn,
        "KEYS": str(folder / "keys"),
        "DATA": str(folder),
        "PORT": str(port),
        "CONNECTIONS_PER_ADDRESS": str(MOST),
        "OFFERS_PER_ADDRESS": str(MOST),
        "DRAIN_SECONDS": "0",
        "LOG_LEVEL": "error",
        "PROCESSES": str(count),
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "server", "serve"),
        env={**os.environ, **{f"FLEETFOLD_{name}": value for name, value in given.items()}},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            url = (await process.stdout.readline()).decode().strip()
        if not url:
            raise LeftOut("the server did not start")
        yield url, process.pid
    finally:
        if process.returncode is None:
            process.terminate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await process.wait()


async def _spent(pid: int) -> float:
    """Return the seconds of processor that a process and those that it started have taken."""
    return await asyncio.to_thread(lambda: sum(map(_seconds, [pid, *_started(pid)])))


def _started(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
