import asyncio
from collections.abc import AsyncIterator, Iterable

import pytest

from domain.titles import TITLES
from server.log.store import PostgresLog
from server.postgres.database import Database
from tests.projections.play import Played, keep
from tests.tiny import GAME


@pytest.fixture
async def log(database: Database) -> AsyncIterator[PostgresLog]:
    """Give a log in a new database."""
    opened = PostgresLog(database)
    yield opened
    await opened.close()


@pytest.fixture
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tiny title be one of those that can be played."""
    monkeypatch.setitem(TITLES, GAME.name, GAME)


async def keep_all(log: PostgresLog, matches: Iterable[Played]) -> None:
    """Append matches side by side."""
    async with asyncio.TaskGroup() as group:
        for played in matches:
            group.create_task(keep(log, played))
