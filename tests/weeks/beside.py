"""A process beside this one, which answers over a pipe and ends when that is closed."""

import asyncio
import contextlib
import multiprocessing
import signal
from collections.abc import AsyncIterator, Callable
from multiprocessing.connection import Connection
from typing import Any, Final

WITHIN: Final = 20
"""Seconds in which it ends, before it is killed."""


@contextlib.asynccontextmanager
async def beside(work: Callable[[Any, Connection], None], about: object) -> AsyncIterator[Connection]:
    """Run a function, of a module's own, in a process of its own; yield our end of its pipe."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(work, about, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        await asyncio.to_thread(process.join, WITHIN)
        process.kill()
        process.join()
        process.close()


def _run(work: Callable[[Any, Connection], None], about: object, line: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when its pipe is closed
    work(about, line)
