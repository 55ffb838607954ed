"""The tables of projections: made, filled anew beside the old ones, and swapped in for them.

Laws of this module:

1. A rebuild fills tables of its own from the first fact on, while the old ones are read and kept up to date.
   They are swapped in one transaction. Readers name the view only, never a table.
2. A cursor that names no fact of the log, as it may after a backup was restored, is of another log: its
   projection is rebuilt before it goes on. Otherwise facts would be missing from it, and nobody would know.

Deliberately absent: what is in the tables (`projections.projection`), how facts come to them
(`projections.feed`).
"""

import contextlib
import hashlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import structlog

from projections.cursor import astray
from projections.feed import catch_up
from projections.projection import Projection, UnprojectableFact
from server.postgres.database import Pool, PooledConnection, connection

_FIRST = "INSERT INTO view.cursor (name, gen, live) VALUES ($1, 1, true) ON CONFLICT DO NOTHING RETURNING gen"
_ANY = "SELECT gen FROM view.cursor WHERE name = $1 AND live"
_THERE = "SELECT to_regclass($1) IS NOT NULL"
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
_NEXT = """
INSERT INTO view.cursor (name, gen) SELECT $1, max(gen) + 1 FROM view.cursor WHERE name = $1 RETURNING gen
"""
_UNFINISHED = "DELETE FROM view.cursor WHERE name = $1 AND NOT live RETURNING gen"
_OLD = "DELETE FROM view.cursor WHERE name = $1 AND live RETURNING gen"
_NEW = "UPDATE view.cursor SET live = true WHERE name = $1 AND gen = $2"

log = structlog.get_logger()


class Rebuilding(Exception):
    """Another process is rebuilding this projection."""


async def prepare(pool: Pool, projection: Projection[Any]) -> None:
    """Create the first generation of a projection that has none, and the indexes that a live one lacks.

    It lacks those that are younger than it is: an older node may have made it.
    """
    async with connection(pool) as conn:
        gen = await conn.fetchval(_ANY, projection.name)
        if gen is not None:
            await _index(conn, projection, gen)
            return
        async with conn.transaction():
            if await conn.fetchval(_FIRST, projection.name) is not None:
                await _make(conn, projection, 1)
                await _show(conn, projection, 1)


async def rebuild(pool: Pool, projection: Projection[Any], say: Callable[[int], None] | None = None) -> int:
    """Rebuild a projection from the whole log, swap it in for the old one, and return its generation.

    Raises Rebuilding if another process is rebuilding it, and UnprojectableFact; then the old one stays.
    """
    await prepare(pool, projection)
    async with _alone(pool, projection):
        return await _anew(pool, projection, say)


async def mend(pool: Pool, projection: Projection[Any]) -> None:
    """Rebuild a projection, if its cursor names no fact of the log. Raises as `rebuild` does."""
    async with _alone(pool, projection):
        cursor = await astray(pool, projection)
        if cursor is None:  # another process was first
            return
        log.warning("projection.astray", projection=projection.name, **{k: str(v) for k, v in cursor.items()})
        gen = await _anew(pool, projection)
        log.warning("projection.rebuilt", projection=projection.name, gen=gen)


async def _make(conn: PooledConnection, projection: Projection[Any], gen: int) -> None:
    for (_, table), columns in zip(projection.tables(gen).items(), projection.views.values(), strict=True):
        await conn.execute(f"CREATE TABLE {table} ({columns})")
        await _reserve(conn, projection, table)
    await _index(conn, projection, gen)


async def _index(conn: PooledConnection, projection: Projection[Any], gen: int) -> None:
    """Make the indexes that the tables of a generation lack. To look for one first takes no lock."""
    for view, indexes in projection.indexes.items():
        for name, what in indexes.items():
            table = f"{view}_{gen}"
            if not await conn.fetchval(_THERE, f"view.{table}_{name}"):
                async with conn.transaction():  # of those that start at once one makes it
                    await conn.execute(_ALONE, f"view.{table}_{name}")
                    await conn.execute(f"CREATE INDEX IF NOT EXISTS {table}_{name} ON view.{table} {what}")


async def _show(conn: PooledConnection, projection: Projection[Any], gen: int) -> None:
    """Point the views at the tables of a generation."""
    for view, table in projection.tables(gen).items():
        await conn.execute(f"DROP VIEW IF EXISTS {view}")
        await conn.execute(f"CREATE VIEW {view} AS SELECT * FROM {table}")  # noqa: S608 both are ours
        await _reserve(conn, projection, view)


async def _reserve(conn: PooledConnection, projection: Projection[Any], relation: str) -> None:
    """Take back what default privileges give to auditors, where a projection is for nodes only."""
    if projection.for_nodes_only:
        await conn.execute(f"REVOKE ALL ON {relation} FROM game_auditor")


async def _drop(conn: PooledConnection, projection: Projection[Any], gen: int) -> None:
    for table in projection.tables(gen).values():
        await conn.execute(f"DROP TABLE IF EXISTS {table}")


async def _anew(pool: Pool, projection: Projection[Any], say: Callable[[int], None] | None = None) -> int:
    """Fill a new generation and swap it in; return its number. Raises UnprojectableFact."""
    gen = await _begin(pool, projection)
    try:
        await catch_up(pool, projection, gen, say)
    except UnprojectableFact:
        await _forget_unfinished(pool, projection)
        raise
    await _swap(pool, projection, gen)
    return gen


async def _begin(pool: Pool, projection: Projection[Any]) -> int:
    """Create the next generation; drop what an earlier rebuild left unfinished."""
    await _forget_unfinished(pool, projection)
    async with connection(pool) as conn, conn.transaction():
        gen: int = await conn.fetchval(_NEXT, projection.name)
        await _make(conn, projection, gen)
    return gen


async def _forget_unfinished(pool: Pool, projection: Projection[Any]) -> None:
    async with connection(pool) as conn, conn.transaction():
        for row in await conn.fetch(_UNFINISHED, projection.name):
            await _drop(conn, projection, row["gen"])


async def _swap(pool: Pool, projection: Projection[Any], gen: int) -> None:
    async with connection(pool) as conn, conn.transaction():
        old = await conn.fetchval(_OLD, projection.name)
        await conn.execute(_NEW, projection.name, gen)
        await _show(conn, projection, gen)
        await _drop(conn, projection, old)


@contextlib.asynccontextmanager
async def _alone(pool: Pool, projection: Projection[Any]) -> AsyncIterator[None]:
    """Hold an advisory lock, so that a projection is rebuilt by one process at a time. Raises Rebuilding.

    The lock ends with its connection, so a rebuild that was killed blocks nobody.
    """
    digest = hashlib.sha256(f"fleetfold rebuild {projection.name}".encode()).digest()
    key = int.from_bytes(digest[:8], "big", signed=True)
    async with connection(pool) as conn:
        if not await conn.fetchval("SELECT pg_try_advisory_lock($1)", key):
            raise Rebuilding(f"{projection.name} is being rebuilt already")
        try:
            yield
        finally:
            await conn.execute("SELECT pg_advisory_unlock($1)", key)
