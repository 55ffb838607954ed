"""The schema, in numbered files, each applied once; beside nodes that play.

Laws of this module:
- A file `NNNN_name.sql` is applied in one transaction, under a lock that other servers wait for.
- Whoever waits for a lock on a table makes all wait who come after him. So a file that does not get one
  within LOCK_WITHIN is given up, and tried again a little later: nodes that run go on meanwhile. What it does
  under its locks holds others up for as long as it takes: no file may rewrite a table that grows.
- An index on a table that grows takes minutes. So the file that makes it names it in a line `-- ahead: TABLE
  (COLUMNS)`, and it is built on each partition first, in no transaction and while rows come (CREATE INDEX
  CONCURRENTLY). The file takes over what it finds. What was cut short is built anew at the next start.
  Only of columns that are there: a column and its index on a table that grows come in two files. Indexes that
  are unique, or of some rows (WHERE), cannot be built ahead: no later file has needed one.
- Nothing is applied where a restore has not ended (`server.postgres.restoring`).
- Expand, then contract: a file only adds what the version before it can do without. What is used no more is
  taken away by a file of a later version, when no node of the one before can be running.
"""

import asyncio
import contextlib
import hashlib
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import asyncpg
import structlog
from msgspec import Struct

from server.postgres.restoring import HALF_RESTORED, IS_RESTORING

SCHEMA: Final = Path(__file__).with_name("schema")

LOCK: Final = int.from_bytes(hashlib.sha256(b"fleetfold schema").digest()[:8], "big", signed=True)
"""The name of one advisory lock, for servers that start at once: the first eight bytes of a hash."""

BUILDING: Final = int.from_bytes(hashlib.sha256(b"fleetfold index").digest()[:8], "big", signed=True)
"""Another one, of who builds indexes. Nobody waits for it: a build waits for all who wait with a snapshot."""

LOCK_WITHIN: Final = "100ms"
"""How long an application waits for each lock. A file on seven tables may so stop them for 0.7 s at worst."""

PAUSE: Final = 0.5
"""Seconds between two attempts, in which whoever waited has his turn."""

PATIENCE: Final = 900.0
"""Seconds after which a start is given up: a dump, which holds all tables, may take minutes."""

SAY_EVERY: Final = 10.0
"""Seconds between two log lines about waiting, or about an index that is being built."""

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

Look: TypeAlias = Callable[[], Awaitable[Connection]]

log = structlog.get_logger()


class SchemaError(Exception):
    """The database's schema is not the one this server knows, or cannot become it. The message says why."""


class File(Struct, frozen=True):
    """One numbered file of the schema."""

    number: int
    name: str
    sql: str

    @property
    def digest(self) -> bytes:
        """SHA-256 of the file."""
        return hashlib.sha256(self.sql.encode()).digest()

    @property
    def ahead(self) -> list[tuple[str, str]]:
        """The table and the columns of each index that is built before the file is applied."""
        return _AHEAD.findall(self.sql)


class _Waits(Exception):
    """Another server builds an index."""


def numbered(folder: Path = SCHEMA) -> list[File]:
    """Read the files of a schema, in order."""
    found = sorted(folder.glob("[0-9]*.sql"))
    return [File(int(one.name.split("_")[0]), one.name, one.read_text(encoding="utf-8")) for one in found]


async def applied(conn: Connection) -> dict[int, bytes]:
    """Return the hashes of the files applied so far, by number."""
    # Not by to_regclass: it may answer from a cache that is older than the lock just waited for.
    if not await conn.fetchval(_IS_APPLIED):
        return {}
    return {
        row["number"]: row["sha256"] for row in await conn.fetch("SELECT number, sha256 FROM setup.applied")
    }


def missing(files: Sequence[File], there: Mapping[int, bytes]) -> list[File]:
    """Return the files still to be applied. Raises SchemaError if applied files differ from these."""
    known = {file.number: file for file in files}
    for number, digest in there.items():
        if number not in known:
            raise SchemaError(f"The database has schema file {number}, unknown to this server: it is older.")
        if digest != known[number].digest:
            raise SchemaError(f"{known[number].name} is not as it was applied. A change needs a new file.")
    return [file for file in files if file.number not in there]


async def apply_missing(
    conn: Connection, look: Look, files: Sequence[File], patience: float = PATIENCE
) -> list[str]:
    """Apply pending files and return the names of those applied now, in order.

    `look` connects once more, to see whom the building of an index waits for.
    A login without the right to create does for a database that is up to date. Raises SchemaError where a
    restore has not ended, a file was changed after it had been applied, was applied by a newer server, or has
    to wait for locks for more than `patience` seconds.
    """
    await _refuse_half_restored(conn)
    if not missing(files, await applied(conn)):
        return []
    return [file.name for file in files if await _apply_in_time(conn, look, file, files, patience)]


async def apply_in(conn: Connection, file: File) -> None:
    """Apply one file, and note that, in the caller's transaction."""
    await conn.execute(file.sql)
    await conn.execute(_TABLE)
    await conn.execute("INSERT INTO setup.applied VALUES ($1, $2, $3)", file.number, file.name, file.digest)


async def _apply_in_time(
    conn: Connection, look: Look, file: File, files: Sequence[File], patience: float
) -> bool:
    """Apply one file unless that was done already, again and again until its locks are free."""
    began = said = time.monotonic()
    while True:
        try:
            await _build_ahead(conn, look, file, files)
            return await _apply_once(conn, file, files)
        except (asyncpg.LockNotAvailableError, _Waits):
            now = time.monotonic()
            if now - began > patience:
                raise SchemaError(
                    f"{file.name} could not be applied within {patience:.0f} s, since others use what it "
                    "changes: a backup or another long transaction, or a server that applies it now. "
                    "Nothing was changed. Start again when that is over."
                ) from None
            if now - said > SAY_EVERY or said == began:
                said = now
                log.warning("schema.waits", file=file.name, seconds=round(now - began))
            await asyncio.sleep(PAUSE)


async def _build_ahead(conn: Connection, look: Look, file: File, files: Sequence[File]) -> None:
    """Build the indexes that a file wants to find, on all partitions with rows. Raises _Waits.

    There is no limit to how long that takes, for it makes nobody wait: neither who appends nor who reads.
    Where it raises, the lock ends with the connection.
    """
    if not file.ahead or file not in missing(files, await applied(conn)):
        return
    if not await conn.fetchval("SELECT pg_try_advisory_lock($1)", BUILDING):
        raise _Waits
    await conn.execute("SET statement_timeout = 0; SET lock_timeout = 0")
    for table, columns in file.ahead:
        for part in await conn.fetch(_PARTS, table, columns.split(", ")):
            if part["built"]:
                continue
            builds = log.bind(file=file.name, partition=part["name"], columns=columns)
            async with _told(conn.get_server_pid(), look, builds):
                for left in part["cut_short"]:
                    await conn.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {left}")
                await conn.execute(f"CREATE INDEX CONCURRENTLY ON {part['name']} ({columns})")
    await conn.execute("SELECT pg_advisory_unlock($1)", BUILDING)


@contextlib.asynccontextmanager
async def _told(pid: int, look: Look, builds: structlog.typing.FilteringBoundLogger) -> AsyncIterator[None]:
    """Say that a connection builds an index, and again for as long as it does, with whom it waits for."""
    began = time.monotonic()
    builds.info("schema.builds")
    telling = asyncio.create_task(_tell(pid, look, builds, began))
    try:
        yield
    finally:
        telling.cancel()
        await asyncio.wait([telling])
    builds.info("schema.built", seconds=round(time.monotonic() - began))


async def _tell(pid: int, look: Look, builds: structlog.typing.FilteringBoundLogger, began: float) -> None:
    while True:
        await asyncio.sleep(SAY_EVERY)
        waits_for: list[int] = []
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            conn = await look()
            try:
                waits_for = await conn.fetchval("SELECT pg_blocking_pids($1)", pid)
            finally:
                conn.terminate()
        builds.warning("schema.builds", seconds=round(time.monotonic() - began), waits_for=waits_for)


async def _apply_once(conn: Connection, file: File, files: Sequence[File]) -> bool:
    """Apply one file unless that was done already; whether it was now. Raises LockNotAvailableError."""
    async with conn.transaction():
        await conn.execute(f"SET LOCAL lock_timeout = '{LOCK_WITHIN}'")
        await conn.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        await _refuse_half_restored(conn)
        if file not in missing(files, await applied(conn)):
            return False
        await apply_in(conn, file)
    log.info("schema.applied", file=file.name)
    return True


async def _refuse_half_restored(conn: Connection) -> None:
    if await conn.fetchval(IS_RESTORING):
        raise SchemaError(HALF_RESTORED)


_IS_APPLIED: Final = """
SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'setup' AND tablename = 'applied')
"""
_AHEAD: Final = re.compile(r"^-- ahead: ([a-z_.]+) \(([a-z_, ]+)\)$", re.MULTILINE)

# Of each partition with rows, whether it has an index that the file takes over, by what Postgres goes by: its
# columns, and that it is none of another's. And those that are such but for being cut short. Names tell
# nothing: anybody may give them, and Postgres shortens long ones.
_PARTS: Final = """
SELECT format('%I.%I', n.nspname, c.relname) AS name, coalesce(bool_or(i.indisvalid), false) AS built,
       coalesce(array_agg(i.indexrelid::regclass::text) FILTER (WHERE NOT i.indisvalid), '{}') AS cut_short
  FROM pg_partition_tree($1::text::regclass) p JOIN pg_class c ON c.oid = p.relid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN (pg_index i JOIN pg_class x ON x.oid = i.indexrelid AND NOT x.relispartition
                        JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree')
    ON i.indrelid = c.oid AND NOT i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL
   AND i.indkey::text = (
       SELECT string_agg(a.attnum::text, ' ' ORDER BY w.place)
         FROM unnest($2::text[]) WITH ORDINALITY w (name, place)
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = w.name)
   AND i.indnkeyatts = cardinality($2)
 WHERE p.isleaf AND pg_relation_size(c.oid) > 0 GROUP BY n.nspname, c.relname ORDER BY c.relname
"""

_TABLE: Final = """
CREATE SCHEMA IF NOT EXISTS setup;
CREATE TABLE IF NOT EXISTS setup.applied (
  number integer     PRIMARY KEY,
  name   text        NOT NULL,
  sha256 bytea       NOT NULL,
  at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT USAGE ON SCHEMA setup TO PUBLIC;
GRANT SELECT ON setup.applied TO PUBLIC;
"""
