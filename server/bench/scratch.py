"""A Postgres to measure on, with its defaults, so that every commit is on disk; and matches put into it."""

import contextlib
from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import asyncpg

from domain.match.chain import Entry
from server.postgres.database import apply
from server.postgres.embedded import Embedded
from server.proof.keys import KeyRing

COLUMNS: Final = (
    "match_id",
    "command_id",
    "at",
    "seq",
    "cmd_ix",
    "ver",
    "audience",
    "final",
    "type",
    "hash",
    "body",
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@contextlib.asynccontextmanager
async def engine(folder: Path) -> AsyncIterator[Embedded]:
    """Run a Postgres in a folder. Raises EmbeddedError."""
    running = Embedded(folder)
    await running.start()
    try:
        yield running
    finally:
        await running.stop()


@contextlib.asynccontextmanager
async def scratch(running: Embedded, name: str) -> AsyncIterator[str]:
    """Give the URL of a new database with the schema applied, and drop it afterwards."""
    await _run(running, f"CREATE DATABASE bench_{name}")
    url = running.url(f"bench_{name}")
    try:
        await apply(url)
        yield url
    finally:
        await _run(running, f"DROP DATABASE bench_{name} WITH (FORCE)")


async def version(running: Embedded) -> str:
    """Return the version of Postgres, as 18.4."""
    conn = await asyncpg.connect(running.url("postgres"))
    try:
        text: str = await conn.fetchval("SHOW server_version")
    finally:
        await conn.close()
    return text.split(maxsplit=1)[0]


async def put(dsn: str, matches: Iterable[tuple[list[Entry], bytes]], ring: KeyRing) -> list[UUID]:
    """Put whole matches and their keys into the log as its owner, past the pump; return their ids."""
    conn = await asyncpg.connect(dsn)
    found: list[UUID] = []
    try:
        for entries, key in matches:
            match = entries[0].match
            sealed_key = ring.seal(match, key)
            await conn.execute("INSERT INTO log.secret (match_id, box) VALUES ($1, $2)", match, sealed_key)
            await conn.copy_records_to_table(
                "fact", schema_name="log", columns=COLUMNS, records=map(row, entries)
            )
            found.append(match)
        await conn.execute("ANALYZE log.fact")
    finally:
        await conn.close()
    return found


async def alter(dsn: str, sql: str) -> None:
    """Run a statement in a database as its owner."""
    conn = await asyncpg.connect(dsn)
    try:
        await conn.execute(sql)
    finally:
        await conn.close()


def row(entry: Entry) -> tuple[object, ...]:
    """Return a fact as a row of log.fact, as COLUMNS names it."""
    return (
        entry.match,
        entry.command,
        _EPOCH + timedelta(microseconds=entry.at),
        entry.seq,
        entry.index,
        entry.ver,
        entry.audience.value,
        entry.final,
        entry.type,
        entry.hash,
        entry.body,
    )


async def _run(running: Embedded, sql: str) -> None:
    conn = await asyncpg.connect(running.url("postgres"))
    try:
        await conn.execute(sql)
    finally:
        await conn.close()
