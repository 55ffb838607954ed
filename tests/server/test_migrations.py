"""A new file of the schema is applied beside nodes that play: it waits, and they do not."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from server.postgres.database import Connection, apply
from server.postgres.migrations import SCHEMA, SchemaError
from server.serving import Serving
from tests.server.talk import offer, seated

WIDER = """
ALTER TABLE lobby.match ADD COLUMN wider text NOT NULL DEFAULT '';
ALTER TABLE log.fact ADD COLUMN wider int;
"""
COLUMNS = """
SELECT count(*)::int FROM information_schema.columns
 WHERE column_name = 'wider' AND table_name IN ('match', 'fact')
"""
WAITS = """
SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE NOT granted AND mode = 'AccessExclusiveLock' AND datname = current_database())
"""


@pytest.fixture
def wider(tmp_path: Path) -> Path:
    """Give the schema's folder with one file more, which takes two tables for itself."""
    folder = tmp_path / "schema"
    shutil.copytree(SCHEMA, folder)
    (folder / "9999_wider.sql").write_text(WIDER)
    return folder


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


async def test_play_goes_on_while_a_schema_file_waits_for_a_long_reader(
    server: Serving, dsn: str, owner: Connection, wider: Path
) -> None:
    reader = await asyncpg.connect(dsn)
    async with seated(server.url) as (created, north, _):
        await reader.execute("BEGIN; LOCK TABLE lobby.match, log.fact IN ACCESS SHARE MODE")
        applying = asyncio.create_task(apply(dsn, wider))
        while not await owner.fetchval(WAITS):
            await asyncio.sleep(0.01)
        offered = [(await offer(server.url))["t"] for _ in range(8)]
        waited = not applying.done()
        await reader.execute("ROLLBACK")
        names = await applying
        offered.append((await offer(server.url))["t"])
        ended = await north.ask("resign", match=created["match"])

    await reader.close()
    assert ["created"] * 9 == offered
    assert waited
    assert ["9999_wider.sql"] == names
    assert 2 == await owner.fetchval(COLUMNS)
    assert "receipt" == ended["t"]


async def test_a_schema_file_that_gets_no_lock_in_time_is_given_up_and_leaves_nothing(
    dsn: str, owner: Connection, wider: Path
) -> None:
    reader = await asyncpg.connect(dsn)
    await reader.execute("BEGIN; LOCK TABLE log.fact IN ACCESS SHARE MODE")

    with pytest.raises(SchemaError, match=r"9999_wider.sql could not be applied within 0 s.*Start again"):
        await apply(dsn, wider, patience=0.0)
    left = await owner.fetchval(COLUMNS)
    await reader.close()

    assert 0 == left
    assert ["9999_wider.sql"] == await apply(dsn, wider)
