"""Feeds projections from the log: catch up, follow, rebuild, swap.

Laws of this module:

1. The effects of a page and the new position of the cursor are committed together: each fact is applied
   exactly once, whichever process is killed, and however many runners there are. A projection's cursor is
   locked by one runner at a time; the others skip it.
2. A page is read in the order (xid, match, seq) and ends before the oldest transaction in progress, so no
   fact can appear later behind the cursor. Within a match this is the order of play.
3. A fact that cannot be applied stops its projection and nothing else. All facts before it are applied.
4. A cursor that names no fact of the log, as it may after a backup was restored, is of another log: its
   projection is rebuilt before it goes on. Otherwise facts would be missing from it, and nobody would know.
5. A rebuild fills tables of its own from the first fact on, while the old ones are read and kept up to date.
   They are swapped in one transaction. Readers name the view only, never a table.

Deliberately absent: any title. A projection that needs one gets it from `domain.titles`.
"""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final, Generic, TypeVar
from uuid import UUID

import asyncpg
import structlog
from msgspec import Struct

from server.postgres.database import Pool, PooledConnection, connection
from server.tracing import span

PAGE: Final = 5000
"""The most facts applied in one transaction."""

EVERY: Final = 1.0
"""Seconds after which a projection looks for new facts even if it was not woken."""

GATHER: Final = 0.1
"""Seconds to wait after a wake-up for more facts, so that not every decision costs a transaction."""

WRONG: Final = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError)
"""Errors of Postgres that are caused by some fact of the page."""

Tables = Mapping[str, str]
"""View name to the name of its table in one generation, both with the schema."""

_Folding = TypeVar("_Folding")

_LIVE = """
SELECT gen, xid::text, match_id, seq FROM view.cursor WHERE name = $1 AND live FOR UPDATE SKIP LOCKED
"""
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
_COMING = """
SELECT gen, xid::text, match_id, seq FROM view.cursor WHERE name = $1 AND gen = $2 FOR UPDATE SKIP LOCKED
"""
_FEED = """
SELECT f.xid::text AS place, f.match_id, f.seq, f.at, f.type, f.ver, f.body FROM log.fact f
 WHERE (f.xid, f.match_id, f.seq) > ($1::text::xid8, $2::uuid, $3::int)
   AND f.xid < pg_snapshot_xmin(pg_current_snapshot())
 ORDER BY f.xid, f.match_id, f.seq LIMIT $4
"""  # an output column named xid would be what ORDER BY sorts, as text: 1000 before 999
_MOVE = "UPDATE view.cursor SET xid = $3::text::xid8, match_id = $4, seq = $5 WHERE name = $1 AND gen = $2"
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
_LAG = """
SELECT EXTRACT(epoch FROM log.now() - f.at)::float8 AS lag
  FROM (SELECT) AS nothing LEFT JOIN view.cursor c ON c.name = $1 AND c.live CROSS JOIN LATERAL (
    SELECT at FROM log.fact
     WHERE (xid, match_id, seq)
         > (coalesce(c.xid, '0'), coalesce(c.match_id, $2::uuid), coalesce(c.seq, 0))
     ORDER BY xid, match_id, seq LIMIT 1) f
"""  # without a cursor a projection has applied nothing
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

log = structlog.get_logger()


class ProjectedFact(Struct, frozen=True, gc=False):
    """A fact as passed to projections. `at` is in microseconds since the epoch."""

    match: UUID
    seq: int
    at: int
    type: str
    ver: int
    body: bytes


class UnprojectableFact(Exception):
    """A fact that a projection cannot apply. The projection stops before it; the log does not change."""

    def __init__(self, projection: str, match: UUID, seq: int, why: str) -> None:
        super().__init__(f"{projection} stops before fact {seq} of match {match}: {why}")
        self.projection, self.match, self.seq, self.why = projection, match, seq, why


class Rebuilding(Exception):
    """Another process is rebuilding this projection."""


class Projection(Generic[_Folding]):
    """A read model of matches, made from their facts alone.

    `views` has the columns of each view, in SQL; each generation has a table for each. A page is processed by
    `load`, `fold` for each of its facts, and `store`. Only `fold` may fail because of a fact.
    """

    name: ClassVar[str]
    views: ClassVar[Mapping[str, str]]
    indexes: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Of each view, by a name of their own, the indexes of its tables besides the primary key, in SQL."""
    for_nodes_only: ClassVar[bool] = False
    """Whether auditors may not read the views, since these hold secrets in a form that nobody has to see."""

    async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> _Folding:
        """Read the rows that the facts of a page will change, without decoding their bodies."""
        raise NotImplementedError

    def fold(self, folding: _Folding, fact: ProjectedFact) -> None:
        """Fold one fact. Any exception stops the projection before this fact."""
        raise NotImplementedError

    async def store(self, conn: PooledConnection, folding: _Folding, tables: Tables) -> None:
        """Write what has changed."""
        raise NotImplementedError

    async def apply(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> None:
        """Apply a page in the current transaction, which the caller must roll back if it raises.

        Raises UnprojectableFact.
        """
        folding = await self.load(conn, page, tables)
        for fact in page:
            try:
                self.fold(folding, fact)
            except Exception as fault:
                raise UnprojectableFact(self.name, fact.match, fact.seq, repr(fault)) from fault
        try:
            await self.store(conn, folding, tables)
        except WRONG as fault:
            if len(page) == 1:
                raise UnprojectableFact(self.name, page[0].match, page[0].seq, repr(fault)) from fault
            raise

    def tables(self, gen: int) -> dict[str, str]:
        """Return the tables of a generation, by view."""
        return {f"view.{view}": f"view.{view}_{gen}" for view in self.views}


class Runner:
    """Keeps projections up to date, each in a task of its own, until cancelled."""

    def __init__(self, pool: Pool, projections: Iterable[Projection[Any]], *, every: float = EVERY) -> None:
        """Take the projectors' pool; `every` is the most seconds between two looks for new facts."""
        self._pool = pool
        self._every = every
        self._projections = {projection.name: projection for projection in projections}
        self._news = {name: asyncio.Event() for name in self._projections}
        self._mending = asyncio.Lock()  # a rebuild takes two connections, and a pool may have no more
        self.stopped: dict[str, UnprojectableFact] = {}
        """The projections that stopped at a fact they could not apply, by name."""

    def wake(self) -> None:
        """Signal that there may be new facts. Cheap enough to call for every command."""
        for event in self._news.values():
            event.set()

    async def run(self) -> None:
        """Follow the log until cancelled; after a database error try again."""
        async with asyncio.TaskGroup() as group:
            for projection in self._projections.values():
                group.create_task(self._follow(projection), name=f"projection {projection.name}")

    async def lag(self) -> dict[str, float]:
        """Return by projection the age in seconds of the oldest fact not applied yet; 0 if there is none.

        A projection without a cursor has applied nothing.
        """
        found: dict[str, float] = {}
        async with connection(self._pool) as conn:
            for name in self._projections:
                found[name] = max(0.0, await conn.fetchval(_LAG, name, UUID(int=0)) or 0.0)
        return found

    async def _follow(self, projection: Projection[Any]) -> None:
        ready = False
        while projection.name not in self.stopped:
            news = self._news[projection.name]
            news.clear()
            try:
                if not ready:
                    await prepare(self._pool, projection)
                    if await _astray(self._pool, projection) is not None:
                        async with self._mending:
                            await mend(self._pool, projection)
                    ready = True
                applied = await turn(self._pool, projection) if await self._is_behind(projection) else 0
            except UnprojectableFact as bad:
                self._stop(bad)
                return
            except Rebuilding:
                applied = 0
            except Exception as fault:
                log.warning("projection.put_off", projection=projection.name, fault=repr(fault))
                applied, ready = 0, False  # what comes back may be another log, restored from a backup
            if applied < PAGE:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._every):
                        await news.wait()
                await asyncio.sleep(GATHER)

    async def _is_behind(self, projection: Projection[Any]) -> bool:
        """Return whether there are facts to apply. Unlike locking the cursor, this writes nothing."""
        async with connection(self._pool) as conn:
            return bool(await conn.fetchval(_NEWS, projection.name))

    def _stop(self, bad: UnprojectableFact) -> None:
        self.stopped[bad.projection] = bad
        log.error(
            "projection.stopped",
            projection=bad.projection,
            match=str(bad.match),
            seq=bad.seq,
            fault=bad.why,
        )


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
        cursor = await _astray(pool, projection)
        if cursor is None:  # another process was first
            return
        log.warning("projection.astray", projection=projection.name, **{k: str(v) for k, v in cursor.items()})
        gen = await _anew(pool, projection)
        log.warning("projection.rebuilt", projection=projection.name, gen=gen)


async def _astray(pool: Pool, projection: Projection[Any]) -> asyncpg.Record | None:
    """Return the cursor of the live generation, if the log has no such fact."""
    async with connection(pool) as conn:
        return await conn.fetchrow(_ASTRAY, projection.name)


class _Shorter(Exception):
    """The page cannot be applied whole: retry with its first `limit` facts."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


async def _page(conn: PooledConnection, projection: Projection[Any], gen: int | None, limit: int) -> int:
    if gen is None:
        cursor = await conn.fetchrow(_LIVE, projection.name)
    else:
        cursor = await conn.fetchrow(_COMING, projection.name, gen)
    if cursor is None:
        return 0
    rows = await conn.fetch(_FEED, cursor["xid"], cursor["match_id"], cursor["seq"], limit)
    if not rows:
        return 0
    page = [ProjectedFact(row[1], row[2], (row[3] - _EPOCH) // _MICROSECOND, *row[4:]) for row in rows]
    try:
        await projection.apply(conn, page, projection.tables(cursor["gen"]))
    except UnprojectableFact as bad:
        place = next(n for n, one in enumerate(page) if (one.match, one.seq) == (bad.match, bad.seq))
        if place:
            raise _Shorter(place) from bad
        raise
    except WRONG as fault:
        raise _Shorter(len(page) // 2) from fault
    last = rows[-1]
    await conn.execute(_MOVE, projection.name, cursor["gen"], last["place"], last["match_id"], last["seq"])
    return len(page)


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
