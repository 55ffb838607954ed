"""Where each projection stands in the log: its cursor, which names the last fact that was applied.

One row for each generation of a projection's tables, of which one is live; `projections.generations` makes
and swaps them. A cursor is locked by whoever applies a page (`projections.feed`), and moves with its effects.

Deliberately absent: facts.
"""

from typing import Any
from uuid import UUID

import asyncpg
from msgspec import Struct

from projections.projection import Projection
from server.postgres.database import Pool, PooledConnection, connection

_LIVE = """
SELECT gen, xid::text, match_id, seq FROM view.cursor WHERE name = $1 AND live FOR UPDATE SKIP LOCKED
"""
_COMING = """
SELECT gen, xid::text, match_id, seq FROM view.cursor WHERE name = $1 AND gen = $2 FOR UPDATE SKIP LOCKED
"""
_MOVE = "UPDATE view.cursor SET xid = $3::text::xid8, match_id = $4, seq = $5 WHERE name = $1 AND gen = $2"
_NEWS = """
SELECT EXISTS (
  SELECT FROM view.cursor c CROSS JOIN LATERAL (
    SELECT FROM log.fact f WHERE (f.xid, f.match_id, f.seq) > (c.xid, c.match_id, c.seq)
       AND f.xid < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY f.xid, f.match_id, f.seq LIMIT 1) f
   WHERE c.name = $1 AND c.live)
"""
_ASTRAY = """
SELECT c.xid::text AS xid, c.match_id, c.seq FROM view.cursor c
 WHERE c.name = $1 AND c.live AND c.seq > 0
   AND NOT EXISTS (SELECT FROM log.fact f WHERE (f.match_id, f.seq, f.xid) = (c.match_id, c.seq, c.xid))
"""
_LAG = """
SELECT EXTRACT(epoch FROM log.now() - f.at)::float8 AS lag
  FROM (SELECT) AS nothing LEFT JOIN view.cursor c ON c.name = $1 AND c.live CROSS JOIN LATERAL (
    SELECT at FROM log.fact
     WHERE (xid, match_id, seq)
         > (coalesce(c.xid, '0'), coalesce(c.match_id, $2::uuid), coalesce(c.seq, 0))
     ORDER BY xid, match_id, seq LIMIT 1) f
"""  # without a cursor a projection has applied nothing


class Cursor(Struct, frozen=True):
    """A cursor that is locked by the current transaction: a generation, and the last fact applied to it."""

    gen: int
    xid: str
    match: UUID
    seq: int


async def locked(conn: PooledConnection, projection: Projection[Any], gen: int | None) -> Cursor | None:
    """Lock the cursor of the live generation, or of `gen`; None if there is none or another has it."""
    if gen is None:
        row = await conn.fetchrow(_LIVE, projection.name)
    else:
        row = await conn.fetchrow(_COMING, projection.name, gen)
    return None if row is None else Cursor(*row)


async def move(conn: PooledConnection, projection: Projection[Any], to: Cursor) -> None:
    """Move a locked cursor."""
    await conn.execute(_MOVE, projection.name, to.gen, to.xid, to.match, to.seq)


async def is_behind(pool: Pool, projection: Projection[Any]) -> bool:
    """Return whether there are facts to apply. Unlike locking the cursor, this writes nothing."""
    async with connection(pool) as conn:
        return bool(await conn.fetchval(_NEWS, projection.name))


async def astray(pool: Pool, projection: Projection[Any]) -> asyncpg.Record | None:
    """Return the cursor of the live generation, if the log has no such fact."""
    async with connection(pool) as conn:
        return await conn.fetchrow(_ASTRAY, projection.name)


async def lag(conn: PooledConnection, name: str) -> float:
    """Return the age in seconds of the oldest fact not applied yet; 0 if there is none.

    A projection without a cursor has applied nothing.
    """
    return max(0.0, await conn.fetchval(_LAG, name, UUID(int=0)) or 0.0)
