"""How commands run: the event loop, signals, log lines, and how far something has come."""

import asyncio
import contextlib
import logging
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, TextIO, TypeVar

import click
import structlog
import uvloop
from asyncpg import PostgresError
from structlog.typing import EventDict

from server import settings as environment
from server.answering import name_what_is_answered
from server.limits import allow_files, files_for, give_way_sooner, search_less_for_garbage
from server.postgres.database import Unfit
from server.postgres.engine import EmbeddedError
from server.postgres.migrations import SchemaError
from server.proof.keys import KeyFault
from server.redis_url import RedisFault
from server.settings import Settings, SettingsError

logger = structlog.get_logger()

Result = TypeVar("Result")
Server = TypeVar("Server")


class Progress:
    """Says on standard error, once a second, how far something long has come."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def say(self, text: str) -> None:
        """Say it, unless something was said within the last second."""
        if time.monotonic() - self._said > 1:
            self._said = time.monotonic()
            click.echo(text, err=True)

    def facts(self, what: str, count: int) -> None:
        """Say so of the facts of a match."""
        self.say(f"{what}: {count} facts")


def read_settings() -> Settings:
    """Read the environment; an invalid value raises a click error with its message."""
    try:
        return environment.read()
    except SettingsError as why:
        raise click.ClickException(str(why)) from None


def log_lines(level: str, file: TextIO = sys.stderr, process: int | None = None) -> None:
    """Write log lines as JSON, one event a line, with the time, and which process of several it is."""
    structlog.configure(
        processors=[
            name_what_is_answered,
            *([] if process is None else [partial(_name_process, process)]),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.WriteLoggerFactory(file),
        cache_logger_on_first_use=False,
    )
    for chatty in ("asyncpg", "websockets"):  # our own lines cover what they log
        logging.getLogger(chatty).setLevel(logging.CRITICAL)


def _name_process(process: int, _: object, __: str, event: EventDict) -> EventDict:
    return {**event, "process": process}


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine on the fast event loop; errors that an operator can mend become click errors."""
    try:
        return uvloop.run(work)
    except Exception as why:
        said = failure(why)
        if said is None:
            raise
        raise click.ClickException(said) from None


def failure(why: Exception) -> str | None:
    """Return what to say of an error that an operator can mend; None of a bug."""
    match why:
        case EmbeddedError() | KeyFault() | RedisFault() | SchemaError() | SettingsError() | Unfit():
            return str(why)
        case OSError() | PostgresError():
            return f"{type(why).__name__}: {why}"
    return None


@contextlib.contextmanager
def told_to_stop() -> Iterator[asyncio.Event]:
    """Yield an event that is set by SIGINT or SIGTERM, which do nothing else meanwhile."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    yield stop
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.remove_signal_handler(number)


def open_many_files(settings: Settings) -> None:
    """Raise the limit of open files as far as may be; warn if the server's own limits may need more."""
    there, enough = allow_files(), files_for(settings.connections_per_address)
    if there < enough:
        logger.warning(
            "few files",
            why=f"{there} files may be open, and connections within the limits may need {enough}: raise the"
            " hard limit (LimitNOFILE, ulimits), or newcomers are turned away before they come to that",
        )


async def serve_until_stopped(settings: Settings, ready: Callable[[str, bool], None]) -> None:
    """Serve by one process until SIGINT or SIGTERM, which end a start that is not done, too.

    `ready` is told the URL and whether there is a page to open.
    """
    open_many_files(settings)
    with told_to_stop() as stop:
        from server.serving import serving  # noqa: PLC0415 most commands serve nothing, and start without it

        await _entered(serving(settings), stop, lambda server: ready(server.url, server.site.built))


async def serve_together(
    settings: Settings, count: int, level: str, ready: Callable[[str, bool], None]
) -> None:
    """Serve by several processes, which log from a level on; else as `serve_until_stopped`.

    Ctrl-Z at a terminal, which would stop this process alone, and leave the others without lines, is refused.
    """
    open_many_files(settings)
    with told_to_stop() as stop:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTSTP, logger.warning, "not paused: the other processes would go on")
        from server.machine.parent import processes  # noqa: PLC0415 as above

        await _entered(
            processes(settings, count, level), stop, lambda serving: ready(serving.url, serving.built)
        )


async def _entered(
    serving: AbstractAsyncContextManager[Server], stop: asyncio.Event, ready: Callable[[Server], None]
) -> None:
    """Stay in a context, of which `ready` is told, until told to stop; its start is cut short by that."""
    begun = asyncio.Event()

    async def stay() -> None:
        async with serving as server:
            begun.set()
            search_less_for_garbage()
            give_way_sooner()
            ready(server)
            await stop.wait()

    staying, stopping = asyncio.create_task(stay()), asyncio.create_task(stop.wait())
    await asyncio.wait([staying, stopping], return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not begun.is_set():
        staying.cancel()
    await asyncio.wait([staying])
    if not staying.cancelled():
        staying.result()
