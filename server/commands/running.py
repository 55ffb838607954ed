"""How commands run: the event loop, signals, log lines, and how far something has come."""

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any, TextIO, TypeVar

import click
import structlog
import uvloop
from asyncpg import PostgresError

from server import settings as environment
from server.answering import name_what_is_answered
from server.limits import FILES, allow_files, search_less_for_garbage
from server.postgres.database import SchemaError, Unfit
from server.postgres.engine import EmbeddedError
from server.proof.keys import KeyFault
from server.settings import Settings, SettingsError

Result = TypeVar("Result")


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


def log_lines(level: str, file: TextIO = sys.stderr) -> None:
    """Write log lines as JSON, one event a line, with the time."""
    structlog.configure(
        processors=[
            name_what_is_answered,
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


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine on the fast event loop; errors that an operator can mend become click errors."""
    try:
        return uvloop.run(work)
    except (EmbeddedError, KeyFault, SchemaError, SettingsError, Unfit) as why:
        raise click.ClickException(str(why)) from None
    except (OSError, PostgresError) as why:
        raise click.ClickException(f"{type(why).__name__}: {why}") from None


async def serve_until_stopped(settings: Settings, ready: Callable[[str, bool], None]) -> None:
    """Serve until SIGINT or SIGTERM. `ready` is told the URL and whether there is a page to open."""
    allow_files(FILES)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    from server.serving import serving  # noqa: PLC0415 most commands serve nothing, and start without it

    async with serving(settings) as server:
        search_less_for_garbage()
        ready(server.url, server.site.built)
        await stop.wait()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
