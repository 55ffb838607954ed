"""The way of facts from the log to a projection, page by page.

Laws of this module:

1. The effects of a page and the new position of the cursor are committed together: each fact is applied
   exactly once, whichever process is killed, and however many runners there are. A projection's cursor is
   locked by one runner at a time; the others skip it.
2. A page is read in the order (xid, match, seq) and ends before the oldest transaction in progress, so no
   fact can appear later behind the cursor. Within a match this is the order of play.
3. A fact that cannot be applied stops its projection and nothing else. All facts before it are applied.

Deliberately absent: when a page is applied (`projections.runner`), and to which tables
(`projections.generations`).
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from projections.cursor import Cursor, locked, move
from projections.projection import WRONG, ProjectedFact, Projection, UnprojectableFact
from server.postgres.database import Pool, PooledConnection, connection
from server.tracing import span

PAGE: Final = 5000
"""The most facts applied in one transaction."""

_FEED = """
SELECT f.xid::text AS place, f.match_id, f.seq, f.at, f.type, f.ver, f.body FROM log.fact f
 WHERE (f.xid, f.match_id, f.seq) > ($1::text::xid8, $2::uuid, $3::int)
   AND f.xid < pg_snapshot_xmin(pg_current_snapshot())
 ORDER BY f.xid, f.match_id, f.seq LIMIT $4
"""  # an output column named xid would be what ORDER BY sorts, as text: 1000 before 999
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


async def turn(pool: Pool, projection: Projection[Any], gen: int | None = None, limit: int = PAGE) -> int:
    """Apply one page to the live generation, or to `gen`; return the number of facts applied.

    Returns 0 also if another runner holds the cursor. Raises UnprojectableFact at a fact that cannot be
    applied; all facts before it are applied.
    """
    try:
        with span("project", projection=projection.name):
            async with connection(pool) as conn, conn.transaction():
                return await _page(conn, projection, gen, limit)
    except _Shorter as shorter:
        applied = await turn(pool, projection, gen, shorter.limit)
        return applied + await turn(pool, projection, gen, limit)


async def catch_up(
    pool: Pool, projection: Projection[Any], gen: int | None = None, say: Callable[[int], None] | None = None
) -> int:
    """Apply pages until one is not full; return the number of facts applied. Raises UnprojectableFact.

    `say` is called after each page with the number so far.
    """
    done = 0
    while True:
        applied = await turn(pool, projection, gen)
        done += applied
        if say is not None:
            say(done)
        if applied < PAGE:
            return done


class _Shorter(Exception):
    """The page cannot be applied whole: retry with its first `limit` facts."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


async def _page(conn: PooledConnection, projection: Projection[Any], gen: int | None, limit: int) -> int:
    cursor = await locked(conn, projection, gen)
    if cursor is None:
        return 0
    rows = await conn.fetch(_FEED, cursor.xid, cursor.match, cursor.seq, limit)
    if not rows:
        return 0
    page = [ProjectedFact(row[1], row[2], (row[3] - _EPOCH) // _MICROSECOND, *row[4:]) for row in rows]
    try:
        await projection.apply(conn, page, projection.tables(cursor.gen))
    except UnprojectableFact as bad:
        place = next(n for n, one in enumerate(page) if (one.match, one.seq) == (bad.match, bad.seq))
        if place:
            raise _Shorter(place) from bad
        raise
    except WRONG as fault:
        raise _Shorter(len(page) // 2) from fault
    await move(conn, projection, Cursor(cursor.gen, *rows[-1][:3]))
    return len(page)
