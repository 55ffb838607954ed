"""Access to Postgres: connection pools for each role, safe use of connections.

Elsewhere are the schema (`server.postgres.migrations`) and queries: `server.log.store` appends and reads,
`projections.feed` reads the feed.

One rule for all code that uses Postgres: take a connection with `connection(pool)`. On any exception while it
is held it is discarded, since a statement may have been cut off at any point, and asyncpg may raise an
`InternalClientError`, which is none of its usual classes.
"""

import asyncio
import contextlib
import hmac
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import asyncpg
import structlog
from asyncpg.connect_utils import SessionAttribute
from asyncpg.pool import PoolConnectionProxy
from msgspec import Struct

from server.postgres.migrations import LOCK, PATIENCE, SCHEMA, apply_missing, numbered

LOGIN: Final = "fleetfold_server"
"""The login that a server uses on its embedded Postgres."""

CONNECT_WITHIN: Final = 3.0  # seconds
ANSWER_WITHIN: Final = 4.0
PROJECT_WITHIN: Final = 20.0  # for a page of thousands of facts, and for the tree over all matches
EACH: Final = 2
"""Connections of a pool."""

_SUPERUSER: Final = "SELECT rolname FROM pg_roles WHERE rolname = session_user AND rolsuper"

# jit off: compiling costs more than any statement of ours takes.
_EVERYWHERE: Final = {"jit": "off", "idle_in_transaction_session_timeout": "5s", "timezone": "UTC"}
_NODE: Final = {
    "role": "game_node",
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "statement_timeout": "3s",
}
_PROJECTOR: Final = {"role": "game_projector", "statement_timeout": "15s"}
_LEASES: Final = {"role": "game_node", "statement_timeout": "2s"}
_AUDITOR: Final = {"role": "game_auditor"}

# A server in recovery takes no writes, and one that was promoted elsewhere must not be read either.
_PRIMARY: Final = SessionAttribute.read_write

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
PooledConnection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"

log = structlog.get_logger()


class Unfit(Exception):
    """The database cannot be served as it is. The message says what its operator is to do."""


class Database(Struct, frozen=True):
    """Connection pools, one for each use, each under its role. Made by `connect`, ended by `close`."""

    append: Pool  # game_node; to a primary that takes writes
    play: Pool  # game_node; for what has to be asked before a decision is answered
    read: Pool  # game_node; for hellos, lobby and fan-out; to a primary too: one reads what one has written
    http: Pool  # game_node; for whoever reads pages, and the matches and facts that pages are made of
    notices: Pool  # game_node; for what nobody waits for: who is told what, while he is away
    projector: Pool  # game_projector; with more time for a statement, since each is about many matches

    @property
    def pools(self) -> tuple[Pool, ...]:
        """All pools."""
        return self.append, self.play, self.read, self.http, self.notices, self.projector

    async def close(self) -> None:
        """Close all pools: gracefully within a deadline, else by force."""
        pools = self.pools
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                await asyncio.gather(*(pool.close() for pool in pools))
        except TimeoutError:
            for pool in pools:
                pool.terminate()


async def connect(dsn: str) -> Database:
    """Open the connection pools. Connections are made on demand, and replaced after they were lost.

    One connection to append is made at once: raises OSError, TimeoutError or an asyncpg error if the database
    cannot be reached or takes no writes.
    """
    append = await _pool(dsn, _NODE, 1, EACH)
    return Database(
        append=append,
        play=await _pool(dsn, _NODE, 0, EACH),
        read=await _pool(dsn, _NODE, 0, EACH),
        http=await _pool(dsn, _NODE, 0, EACH),
        notices=await _pool(dsn, _NODE, 0, EACH),
        projector=await _pool(dsn, _PROJECTOR, 0, EACH, PROJECT_WITHIN),
    )


@contextlib.asynccontextmanager
async def opened(dsn: str) -> AsyncIterator[Database]:
    """Apply pending migrations, yield open connection pools, and close them at the end."""
    await apply(dsn)
    database = await connect(dsn)
    try:
        yield database
    finally:
        await database.close()


async def own_login(dsn: str) -> str:
    """Apply pending migrations as the owner; return the URL of a login that may act as our roles only.

    For the embedded Postgres, whose owner is a superuser and used for nothing else. The login's password is
    derived from the owner's, so that a command run beside the server derives the same one.
    """
    await apply(dsn)
    parts = urlsplit(dsn)
    assert parts.password is not None  # `server.postgres.embedded` sees to it
    password = hmac.digest(parts.password.encode(), LOGIN.encode(), "sha256").hex()
    conn: Connection = await asyncpg.connect(dsn, timeout=CONNECT_WITHIN, server_settings=_EVERYWHERE)
    try:
        async with conn.transaction():
            await conn.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            if not await conn.fetchval("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", LOGIN):
                await conn.execute(f"CREATE ROLE {LOGIN} NOINHERIT")
            await conn.execute(f"ALTER ROLE {LOGIN} LOGIN PASSWORD '{password}'")
            await conn.execute(f"GRANT game_node, game_projector, game_auditor TO {LOGIN}")
    finally:
        conn.terminate()
    place = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{LOGIN}:{password}@{place}").geturl()


async def warn_of_superuser(pool: Pool) -> None:
    """Log a warning where the login of a pool is a superuser's, though it acts as one of our roles."""
    async with connection(pool) as conn:
        login = await conn.fetchval(_SUPERUSER)
    if login is not None:
        log.warning(
            "database.superuser",
            login=login,
            why="who breaks into this server has the whole cluster; use a login that may take our roles only",
        )


@contextlib.asynccontextmanager
async def auditor(dsn: str) -> AsyncIterator[Connection]:
    """Yield one connection that reads everything but match keys, for tools; a standby will do."""
    conn = await asyncpg.connect(dsn, timeout=CONNECT_WITHIN, server_settings={**_EVERYWHERE, **_AUDITOR})
    try:
        yield conn
    finally:
        conn.terminate()


@contextlib.asynccontextmanager
async def alone(dsn: str) -> AsyncIterator[Connection]:
    """Yield one connection under the login itself, for what is its owner's to do: a backup, a restore."""
    conn = await asyncpg.connect(
        dsn, timeout=CONNECT_WITHIN, server_settings=_EVERYWHERE, target_session_attrs=_PRIMARY
    )
    try:
        yield conn
    finally:
        conn.terminate()


async def lease_connection(dsn: str, until_ended: float) -> Connection:
    """Open a connection to hold leases by, which Postgres ends when it was idle for so many seconds."""
    settings = {**_EVERYWHERE, **_LEASES, "idle_session_timeout": f"{until_ended * 1000:.0f}ms"}
    return await asyncpg.connect(
        dsn,
        timeout=CONNECT_WITHIN,
        server_settings=settings,
        target_session_attrs=_PRIMARY,
        max_cached_statement_lifetime=0,  # for ever
    )


@contextlib.asynccontextmanager
async def connection(pool: Pool, within: float = CONNECT_WITHIN) -> AsyncIterator[PooledConnection]:
    """Yield a connection of a pool; discard it on any exception, including cancellation.

    Raises TimeoutError if none is free within `within` seconds, and what connecting raises.
    """
    conn = await pool.acquire(timeout=within)
    try:
        yield conn
    except BaseException:
        # At once, before the library asks to cancel what took too long: a commit that waits for its standby
        # would end the wait, and be found on a machine that may be lost.
        with contextlib.suppress(asyncpg.InterfaceError):  # the server may have ended it before us
            conn.terminate()
        raise
    finally:
        await pool.release(conn)


@contextlib.asynccontextmanager
async def asynchronous(pool: Pool) -> AsyncIterator[PooledConnection]:
    """Yield a connection in a transaction whose commit is not waited for until it is on disk.

    Where Postgres crashes, or another takes its place, what was committed so in the last second may be lost,
    as a whole: this is for what is done again then. Raises as `connection` does.
    """
    async with connection(pool) as conn, conn.transaction():
        await conn.execute("SET LOCAL synchronous_commit = off")
        yield conn


async def apply(dsn: str, folder: Path = SCHEMA, patience: float = PATIENCE) -> list[str]:
    """Apply pending files of the schema, as `apply_missing` does, and return their names."""

    async def connect() -> Connection:
        return await asyncpg.connect(
            dsn, timeout=CONNECT_WITHIN, server_settings=_EVERYWHERE, target_session_attrs=_PRIMARY
        )

    conn = await connect()
    try:
        return await apply_missing(conn, connect, numbered(folder), patience)
    finally:
        conn.terminate()


async def _pool(
    dsn: str,
    settings: Mapping[str, str],
    least: int,
    most: int,
    answer_within: float = ANSWER_WITHIN,
) -> Pool:
    """Open a pool of connections to a primary; they are not reset between uses, since no code changes them.

    The statement timeout of Postgres is at least a second below our own, so that a statement that we give up
    does not go on, with its locks.
    """
    return await asyncpg.create_pool(
        dsn,
        min_size=least,
        max_size=most,
        command_timeout=answer_within,
        timeout=CONNECT_WITHIN,
        max_inactive_connection_lifetime=0,
        reset=_leave_as_it_is,
        target_session_attrs=_PRIMARY,
        server_settings={**_EVERYWHERE, **settings},
    )


async def _leave_as_it_is(_held: Connection) -> None:
    """Skip asyncpg's reset, which would cost a round trip for every append."""
