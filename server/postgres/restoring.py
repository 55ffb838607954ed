"""The mark of a restore that has not ended, in the database itself, where a server on any machine finds it.

It is there before anything is put back, is not a part of that transaction, and goes when the rest is done,
what lies beside the database included. Until then whoever opens the database is refused
(`server.postgres.migrations`).

Deliberately absent: what is put back (`server.postgres.copying`).
"""

from typing import Final
from uuid import UUID

import asyncpg

IS_RESTORING: Final = """
SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'setup' AND tablename = 'restoring')
"""
"""SQL that asks for the mark. Any login may."""

_BEGIN: Final = """
CREATE SCHEMA IF NOT EXISTS setup;
DROP TABLE IF EXISTS setup.restoring;
CREATE TABLE setup.restoring (backup uuid NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
"""

HALF_RESTORED: Final = (
    "A backup is being restored into this database, or that was cut short. Wait for its end, or run "
    "`fleetfold restore` again with the same file and settings. To give it up, take another database, or "
    "FLEETFOLD_DATA."
)
"""What is said to whoever opens a database with the mark."""


async def begin(conn: "asyncpg.Connection[asyncpg.Record]", backup: UUID) -> None:
    """Set the mark, in a transaction; one that is there is replaced."""
    await conn.execute(_BEGIN)
    await conn.execute("INSERT INTO setup.restoring VALUES ($1)", backup)


async def end(conn: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Take the mark away."""
    await conn.execute("DROP TABLE IF EXISTS setup.restoring")
