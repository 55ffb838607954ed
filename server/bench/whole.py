"""What it takes to go through a whole match: to bring it in, to verify it, to tell of it.

Each is done by a process of its own, as a command does, whose memory is looked at before and after.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final
from uuid import UUID

from domain.kernel.audience import Audience
from domain.match.chain import Entry
from domain.titles import TITLES
from projections.dispute import dispute
from projections.history import undone
from projections.importing import bring_in
from projections.record import header_of, read_ends, stream
from projections.report import NotEnded, report
from projections.sources import RecordFile
from projections.verify import file_checks
from server.bench import LeftOut
from server.bench.endless import ENDLESS
from server.log.store import PostgresLog
from server.postgres.database import opened
from server.proof.keys import salt_key

STATUS: Final = Path("/proc/self/status")
RESET: Final = Path("/proc/self/clear_refs")

Cost = tuple[float, float]
"""Seconds, and the MiB by which a process grew."""


async def brought_in(path: Path, key: bytes, dsn: str) -> Cost:
    """Bring the match in a file into a log that has not got it; return what that costs. Raises LeftOut."""
    if not RESET.exists():
        raise LeftOut("this system does not say what a process weighs: there is no /proc")
    return await _apart(_import, path, key, dsn)


async def written_out(path: Path, match: UUID, dsn: str) -> Cost:
    """Write a match of a log into a file; return what that costs."""
    return await _apart(_export, path, match, dsn)


async def gone_through(path: Path, key: bytes) -> dict[str, Cost]:
    """Return what everything costs that goes through the whole match in a file, by name."""
    return {
        "verify": await _apart(_verify, path, key),
        "report": await _apart(_report, path),
        "dispute of the end": await _apart(_dispute, path),
    }


async def _apart(work: Callable[..., None], *given: object) -> Cost:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return await asyncio.get_running_loop().run_in_executor(pool, _weighed, work, given)


def _weighed(work: Callable[..., None], given: tuple[object, ...]) -> Cost:
    TITLES[ENDLESS.name] = ENDLESS
    RESET.write_text("5", encoding="ascii")  # from here on, the most is counted anew
    before, begun = _resident("VmRSS"), time.perf_counter()
    work(*given)
    return time.perf_counter() - begun, (_resident("VmHWM") - before) / 1024


def _resident(which: str) -> int:
    """Return the KiB that this process has in memory, or has had at most."""
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{which}:"))


def _import(path: Path, key: bytes, dsn: str) -> None:
    async def bring() -> None:
        async with opened(dsn) as database:
            log = PostgresLog(database)
            async for _ in bring_in(log, RecordFile(file), salt_key(key)):
                pass
            await log.close()

    with path.open("rb") as file:
        asyncio.run(bring())


def _export(path: Path, match: UUID, dsn: str) -> None:
    async def export() -> None:
        async with opened(dsn) as database:
            log = PostgresLog(database)
            first, last = await read_ends(log, match, (await log.heads([match]))[match])
            with path.open("wb") as file:
                async for text in stream(log, header_of(first, last), Audience.UMPIRE, b""):
                    file.write(text)
            await log.close()

    asyncio.run(export())


def _verify(path: Path, key: bytes) -> None:
    with path.open("rb") as file:
        for check in file_checks(file, key):
            if check.result == "fails":
                raise RuntimeError(check.text)


def _report(path: Path) -> None:
    with path.open("rb") as file:
        one = RecordFile(file)
        game = TITLES[one.header.title]
        with contextlib.suppress(NotEnded):  # it has no end, which is found out at the last fact
            report(game, _entries(one), undone(game, _entries(one)))


def _dispute(path: Path) -> None:
    with path.open("rb") as file:
        one = RecordFile(file)
        game = TITLES[one.header.title]
        undos = undone(game, _entries(one))
        told = dispute(game, _entries(one), one.header.head, Audience.SIDE_0, undos)
    if told is None or not told.same:
        raise RuntimeError("the last command was decided otherwise")


def _entries(one: RecordFile) -> Iterator[Entry]:
    return (entry for entry, _ in one.lines() if isinstance(entry, Entry))
