"""A new file of the schema is applied beside nodes that play: it waits, and they do not.

An index on the log is built before its file is applied, while facts come.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from asyncpg import Record
from structlog.testing import capture_logs

from server.postgres import migrations
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


ORDERED = """
-- ahead: log.fact (at, match_id)
CREATE INDEX fact_at ON log.fact (at, match_id);
"""
BUILT = """
SELECT i.indexrelid::int AS id, i.indisvalid AS valid, i.indisready AS ready,
       EXISTS (SELECT FROM pg_inherits WHERE inhrelid = i.indexrelid) AS of_all
  FROM pg_index i WHERE i.indexrelid = to_regclass('log.fact_p0_at_match_id_idx')
"""
OF_ALL = "SELECT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1))"
BUILDS = """
SELECT pid FROM pg_stat_activity
 WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock' AND datname = current_database()
"""


@pytest.fixture
def ordered(tmp_path: Path) -> Path:
    """Give the schema's folder with one file more, which makes an index on the log."""
    folder = tmp_path / "ordered"
    shutil.copytree(SCHEMA, folder)
    (folder / "9999_ordered.sql").write_text(ORDERED)
    return folder


@asynccontextmanager
async def long_reader(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection with a snapshot, which whoever builds an index beside others waits for."""
    reader = await asyncpg.connect(dsn)
    await reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM lobby.match")
    try:
        yield reader
    finally:
        await reader.close()


async def built_as_far_as_the_reader(owner: Connection) -> int:
    """Wait until an index is built but for the readers that were there before; return whose work it is."""
    async with asyncio.timeout(10):
        while (pid := await owner.fetchval(BUILDS)) is None:
            await asyncio.sleep(0.01)
    assert isinstance(pid, int)
    return pid


async def built(owner: Connection) -> Record:
    row = await owner.fetchrow(BUILT)
    assert row is not None
    return row


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


async def test_an_index_on_the_log_is_built_while_facts_come_and_taken_over_by_its_file(
    server: Serving, dsn: str, owner: Connection, ordered: Path
) -> None:
    async with seated(server.url) as (created, north, _):
        async with long_reader(dsn) as reader:
            applying = asyncio.create_task(apply(dsn, ordered))
            await built_as_far_as_the_reader(owner)
            before = await built(owner)
            offered = [(await offer(server.url))["t"] for _ in range(4)]
            waited = not applying.done()
            await reader.execute("ROLLBACK")
            names = await applying
        ended = await north.ask("resign", match=created["match"])

    assert (False, False) == (before["valid"], before["of_all"])
    assert ["created"] * 4 == offered
    assert waited
    assert ["9999_ordered.sql"] == names
    assert (before["id"], True, True, True) == tuple(await built(owner))
    assert "receipt" == ended["t"]


async def test_an_index_whose_building_was_cut_short_is_built_anew(
    server: Serving, dsn: str, owner: Connection, ordered: Path
) -> None:
    await offer(server.url)
    async with long_reader(dsn):
        applying = asyncio.create_task(apply(dsn, ordered))
        await owner.execute("SELECT pg_terminate_backend($1)", await built_as_far_as_the_reader(owner))
        await asyncio.wait([applying])
        left = await built(owner)

    assert isinstance(applying.exception(), asyncpg.PostgresError)
    assert not left["valid"]
    assert ["9999_ordered.sql"] == await apply(dsn, ordered)
    assert left["id"] != (await built(owner))["id"]
    assert (True, True, True) == tuple(await built(owner))[1:]


async def test_of_servers_that_start_at_once_one_builds_the_index(
    server: Serving, dsn: str, owner: Connection, ordered: Path
) -> None:
    await offer(server.url)
    async with long_reader(dsn) as reader:
        first = asyncio.create_task(apply(dsn, ordered))
        await built_as_far_as_the_reader(owner)
        async with asyncio.timeout(10):
            with pytest.raises(SchemaError, match=r"9999_ordered.sql could not be applied within 0 s"):
                await apply(dsn, ordered, patience=0.0)
        second = asyncio.create_task(apply(dsn, ordered))
        await reader.execute("ROLLBACK")
        done = await asyncio.gather(first, second)

    assert [[], ["9999_ordered.sql"]] == sorted(done)


async def test_whom_the_building_of_an_index_waits_for_is_said_again_and_again(
    server: Serving, dsn: str, ordered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "SAY_EVERY", 0.05)
    await offer(server.url)
    with capture_logs() as lines:
        async with long_reader(dsn) as reader:
            applying = asyncio.create_task(apply(dsn, ordered))
            async with asyncio.timeout(10):
                while [line.get("waits_for") for line in lines].count([reader.get_server_pid()]) < 2:
                    await asyncio.sleep(0.01)
            await reader.execute("ROLLBACK")
            await applying
    said = [line for line in lines if line["event"] in {"schema.builds", "schema.built"}]

    assert {"log.fact_p0"} == {line["partition"] for line in said}
    assert ("schema.builds", "schema.built") == (said[0]["event"], said[-1]["event"])
    assert 1 == [line["event"] for line in said].count("schema.built")


async def test_an_index_is_known_by_its_columns_whatever_name_it_has(
    server: Serving, dsn: str, owner: Connection, ordered: Path
) -> None:
    await offer(server.url)
    await owner.execute("CREATE INDEX some_name ON log.fact_p0 (at, match_id)")
    with capture_logs() as lines:
        names = await apply(dsn, ordered)

    assert ["9999_ordered.sql"] == names
    assert [] == [line for line in lines if line["event"] == "schema.builds"]
    assert await owner.fetchval(OF_ALL, "log.some_name")


@pytest.mark.parametrize(
    "other", ["log.fact_p0 (at)", "log.fact_p0 (at, match_id) WHERE seq > 1", "log.part (n)"]
)
async def test_an_index_that_has_the_name_but_is_another_is_let_be(
    server: Serving, dsn: str, owner: Connection, ordered: Path, other: str
) -> None:
    await offer(server.url)
    await owner.execute("CREATE TABLE log.part (n int)")
    await owner.execute(f"CREATE INDEX fact_p0_at_match_id_idx ON {other}")
    before = await built(owner)
    with capture_logs() as lines:
        names = await apply(dsn, ordered)

    assert ["9999_ordered.sql"] == names
    assert ["log.fact_p0"] == [line["partition"] for line in lines if line["event"] == "schema.builds"]
    assert tuple(before) == tuple(await built(owner))
    assert not before["of_all"]
    assert await owner.fetchval(OF_ALL, "log.fact_p0_at_match_id_idx1")
