"""The rows of a backup: read in one snapshot, put back into an empty database in one transaction.

By COPY alone, so that it needs no tools of PostgreSQL's, whose versions would have to fit. Schema, roles and
owners are not copied: they are made by the files of the schema, for whoever puts the rows back. Neither are:

- `log.fact.xid`: facts get the transaction that puts them back, in which those of a match stand in their
  order. So the feed goes through them as through any others, in a cluster that has come to others.
- the schema `view`, which is built again from the log, and `setup`, which the files of the schema fill.

Deliberately absent: where the rows go, and what they prove.
"""

from collections.abc import AsyncIterable, Callable, Coroutine, Iterable
from graphlib import TopologicalSorter
from typing import Any, Final

from msgspec import Struct

from server.postgres.database import Connection

KEPT: Final = ("log", "lobby", "people")
"""The schemas whose tables are kept, but for unlogged ones, which a crash of Postgres empties anyway."""

MADE_ANEW: Final = ("view", "setup")
"""The schemas that follow from what is kept."""

# Text that means the same whoever reads it: to the settings of a database it is nothing.
_FORM: Final = """
SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';
SET LOCAL bytea_output = 'hex'; SET LOCAL statement_timeout = 0;
SET LOCAL idle_in_transaction_session_timeout = 0;
"""

_EMPTY: Final = """
SELECT NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = ANY($1))
   AND NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'setup' AND tablename <> 'restoring')
"""

_TABLES: Final = """
SELECT format('%I.%I', n.nspname, c.relname) AS name,
       array_agg(a.attname ORDER BY a.attnum)::text[] AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
 WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
   AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   AND NOT (n.nspname = 'log' AND c.relname = 'fact' AND a.attname = 'xid')
 GROUP BY n.nspname, c.relname ORDER BY n.nspname, c.relname
"""

_REFERENCES: Final = """
SELECT format('%I.%I', rn.nspname, r.relname) AS referring, format('%I.%I', tn.nspname, t.relname) AS referred
  FROM pg_constraint k
  JOIN pg_class r ON r.oid = k.conrelid JOIN pg_namespace rn ON rn.oid = r.relnamespace
  JOIN pg_class t ON t.oid = k.confrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace
 WHERE k.contype = 'f' AND rn.nspname = ANY($1) AND k.conrelid <> k.confrelid
"""

_NUMBERED: Final = """
SELECT format('%I.%I', n.nspname, c.relname) AS name, format('%I', a.attname) AS column,
       pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) AS sequence
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
 WHERE n.nspname = ANY($1) AND a.attidentity <> ''
"""


class Table(Struct, frozen=True):
    """A table whose rows are kept: its name with its schema, and its columns."""

    name: str
    columns: tuple[str, ...]

    @property
    def listed(self) -> str:
        """The columns as SQL has them."""
        return ", ".join(f'"{column}"' for column in self.columns)


async def begin(conn: Connection) -> None:
    """Have the current transaction write and read rows in one form, for as long as it takes."""
    await conn.execute(_FORM)


async def is_empty(conn: Connection) -> bool:
    """Whether nothing of ours is there, but for the mark of a restore."""
    return bool(await conn.fetchval(_EMPTY, [*KEPT, "view"]))


async def kept_tables(conn: Connection) -> list[Table]:
    """Return the tables that are kept, each behind those that it refers to."""
    tables = {
        row["name"]: Table(row["name"], tuple(row["columns"])) for row in await conn.fetch(_TABLES, KEPT)
    }
    order = TopologicalSorter[str](dict.fromkeys(tables, ()))
    for row in await conn.fetch(_REFERENCES, KEPT):
        order.add(row["referring"], row["referred"])
    return [tables[name] for name in order.static_order()]


async def copy_out(
    conn: Connection, table: Table, write: Callable[[bytes], Coroutine[Any, Any, None]]
) -> int:
    """Give all rows of a table to `write`, piece by piece, and return how many they were."""
    query = f"SELECT {table.listed} FROM {table.name}"  # noqa: S608 names of the catalogue
    done = await conn.copy_from_query(query, output=write, format="text")
    return int(done.split()[1])


async def copy_in(conn: Connection, table: Table, pieces: AsyncIterable[bytes]) -> None:
    """Put rows into a table in place of what its making left there."""
    await conn.execute(f"DELETE FROM {table.name}")  # noqa: S608 a name of the catalogue
    schema, _, name = table.name.partition(".")
    await conn.copy_to_table(name, schema_name=schema, columns=table.columns, source=pieces, format="text")


async def count_on(conn: Connection) -> None:
    """Let what numbers its rows by itself go on behind the last of them."""
    for row in await conn.fetch(_NUMBERED, KEPT):
        last = await conn.fetchval(f"SELECT max({row['column']}) FROM {row['name']}")  # noqa: S608 the same
        if last is not None:
            await conn.execute("SELECT setval($1::text::regclass, $2)", row["sequence"], last)


async def analyze(conn: Connection, tables: Iterable[Table]) -> None:
    """Have Postgres look at what tables hold now, by which it plans; by itself it would do so later."""
    for table in tables:
        await conn.execute(f"ANALYZE {table.name}")
