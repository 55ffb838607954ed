"""A log of years, made up, in one partition and in one for each year: what the facts that are there cost.

    python -m server.bench.years FACTS FOLDER [PARTITIONS...]

It takes 400 bytes of disk a fact in FOLDER, one layout after the other, and leaves nothing. Facts are of the
usual size, in commands of 5 and matches of 200. Not a part of `fleetfold bench`, since it takes gigabytes.
Figures of one run are to be compared with each other only.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import asyncpg

from projections.feed import PAGE, turn
from projections.generations import prepare
from server.bench import Result, Say, scratch
from server.bench.append import appends
from server.bench.feed import Counted
from server.log.store import PostgresLog
from server.postgres.database import Connection, Database, connect

YEARS: Final = 6
MATCH: Final = 200
"""Facts of a match."""
COMMAND: Final = 5
"""Facts of a command."""
OPENED: Final = 60
"""Matches that are read."""
CHUNK: Final = 500
"""Matches that are made up at once."""
PATIENCE: Final = 7200.0

# Matches one after the other, the younger the later in the year, and a transaction for each command.
MADE: Final = """
INSERT INTO log.{table} (match_id, command_id, xid, at, seq, cmd_ix, ver, audience, final, type, hash, body)
SELECT m.id, md5(m.n || '-' || (q - 1) / {command})::uuid, ((m.n * {match} + q) / {command} + 10)::text::xid8,
       m.at + q * interval '1 s', q, (q - 1) % {command}, 1, 7, q = {match}, 'Moved',
       sha256((m.n || '.' || q)::bytea),
       convert_to('{{"type":"Moved","piece":"carrier ' || m.n || '","start":1205,"end":' || 1000 + q
                  || ',"note":"a move from one hex to the next"}}', 'UTF8')
  FROM (SELECT n, at, ('0' || substr(to_hex((extract(epoch FROM at) * 1000)::bigint), 1, 7) || '-'
                       || substr(to_hex((extract(epoch FROM at) * 1000)::bigint), 8) || '-7'
                       || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3) || '-'
                       || substr(md5(n::text), 7, 12))::uuid AS id
          FROM (SELECT n, $1::timestamptz + ($2::timestamptz - $1) * ((n - $3)::float8 / ($4 - $3)) AS at
                  FROM generate_series($5::bigint, $6::bigint) AS n) AS born) AS m,
       generate_series(1, {match}) AS q
"""
# What a partition needs is made when the facts are there, which is faster, and taken over as it is attached.
ALONE: Final = """
CREATE TABLE log.{table} (LIKE log.fact INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE log.{table} SET (autovacuum_enabled = off);
"""
INDEXED: Final = """
ALTER TABLE log.{table} ADD PRIMARY KEY (match_id, seq);
CREATE UNIQUE INDEX {table}_command ON log.{table} (match_id, command_id) WHERE cmd_ix = 0;
CREATE INDEX {table}_order ON log.{table} (xid, match_id, seq);
ALTER TABLE log.fact ATTACH PARTITION log.{table} {bounds};
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON log.{table} FOR EACH STATEMENT EXECUTE FUNCTION log.refuse();
"""
BURN: Final = """
DO $$ BEGIN FOR i IN 1..{count} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$
"""
SIZES: Final = """
SELECT sum(pg_table_size(relid)) AS heap, sum(pg_indexes_size(relid)) AS indexes
  FROM pg_partition_tree('log.fact') WHERE isleaf
"""


async def years_bench(dsn: str, say: Say, facts: int, partitions: int) -> list[Result]:
    """Make up so many facts in 1 or YEARS partitions of a scratch database, and measure it."""
    owner = await asyncpg.connect(dsn, command_timeout=PATIENCE)
    try:
        tables = await _fill(owner, say, facts // MATCH, partitions)
        sizes = await owner.fetchrow(SIZES)
        assert sizes is not None
        database = await connect(dsn)
        try:
            say("the figures")
            results = [
                _figure("a fact, its row", sizes["heap"] / facts, "B"),
                _figure("a fact, its indexes", sizes["indexes"] / facts, "B"),
                _figure("append, 32 matches", await appends(database, 32, 5.0), "commands/s"),
                _figure("a match of 200 facts read", await _opening(owner, database), "ms"),
                _figure("feed", await _feed(owner, database, facts), "facts/s"),
            ]
            if partitions > 1:
                results += await _detach(owner, database, tables[0])
        finally:
            await database.close()
    finally:
        owner.terminate()
    return results


def _figure(name: str, value: float, unit: str) -> Result:
    return Result(name, value, unit, "", 1.0)


async def _fill(owner: Connection, say: Say, matches: int, partitions: int) -> list[str]:
    """Put matches of YEARS years into their partitions; return the names of these, the oldest first."""
    await owner.execute("DROP TABLE log.fact_p0; SET synchronous_commit = off")
    await owner.execute(BURN.format(count=matches * MATCH // COMMAND + 100))
    now = datetime.now(UTC)
    edges = [now - timedelta(days=365 * (YEARS - year)) for year in range(YEARS + 1)]
    edges = [edges[0], *edges[-partitions:]] if partitions > 1 else [edges[0], edges[-1]]
    tables = []
    for number in range(partitions):
        first, last = matches * number // partitions, matches * (number + 1) // partitions
        table = f"fact_y{number}"
        say(f"{(last - first) * MATCH:,} facts of partition {number + 1} of {partitions}")
        await owner.execute(ALONE.format(table=table))
        made = MADE.format(table=table, match=MATCH, command=COMMAND)
        for begin in range(first, last, CHUNK):
            end = min(begin + CHUNK, last) - 1
            await owner.execute(made, edges[number], edges[number + 1], first, last, begin, end)
        below, above = _lowest(edges[number]), _lowest(edges[number + 1])
        if number == partitions - 1:  # what is played now comes here
            bounds = f"FOR VALUES FROM ('{below}') TO (MAXVALUE)" if partitions > 1 else "DEFAULT"
        else:
            bounds = f"FOR VALUES FROM ('{below}') TO ('{above}')"
        await owner.execute(INDEXED.format(table=table, bounds=bounds))
        tables.append(table)
    await owner.execute("VACUUM ANALYZE log.fact")
    await owner.execute("CHECKPOINT")
    return tables


def _lowest(at: datetime) -> UUID:
    """Return the least id of a match that was born at a moment."""
    return UUID(int=int(at.timestamp() * 1000) << 80)


async def _opening(owner: Connection, database: Database) -> float:
    """Return the milliseconds in which the facts of a match are read, at the median of some of all years."""
    now, log, took = datetime.now(UTC), PostgresLog(database), list[float]()
    for number in range(OPENED):
        some = now - timedelta(days=365 * YEARS * (number + 0.5) / OPENED)
        match = await owner.fetchval(
            "SELECT match_id FROM log.fact WHERE match_id >= $1 ORDER BY match_id LIMIT 1", _lowest(some)
        )
        began = time.perf_counter()
        assert len(await log.read_everything(match)) == MATCH
        took.append(time.perf_counter() - began)
    await log.close()
    return statistics.median(took) * 1000


async def _feed(owner: Connection, database: Database, facts: int) -> float:
    """Return the facts a second that a projection is fed which is half way through the log."""
    counted, pages = Counted(), 40
    await prepare(database.projector, counted)
    half = await owner.fetchrow(
        "SELECT xid::text, match_id, seq FROM log.fact WHERE xid > $1::text::xid8 ORDER BY xid LIMIT 1",
        str(facts // COMMAND // 2),
    )
    assert half is not None
    await owner.execute(
        "UPDATE view.cursor SET xid = $1::text::xid8, match_id = $2, seq = $3 WHERE name = 'bench'",
        half["xid"],
        half["match_id"],
        half["seq"],
    )
    began = time.perf_counter()
    done = sum([await turn(database.projector, counted, limit=PAGE) for _ in range(pages)])
    return done / (time.perf_counter() - began)


async def _detach(owner: Connection, database: Database, table: str) -> list[Result]:
    """Detach the oldest year, frozen before, while matches are played: how long it takes, what they do."""
    freeze = await _seconds(lambda: owner.execute(f"VACUUM (FREEZE) log.{table}"))
    playing = asyncio.create_task(appends(database, 32, 5.0))
    await asyncio.sleep(1)
    detach = f"ALTER TABLE log.fact DETACH PARTITION log.{table} CONCURRENTLY"
    took = await _seconds(lambda: owner.execute(detach))
    return [
        _figure("freezing the oldest year", freeze, "s"),
        _figure("detaching it", took, "s"),
        _figure("append meanwhile, 32 matches", await playing, "commands/s"),
    ]


async def _seconds(do: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await do()
    return time.perf_counter() - began


async def _main(facts: int, folder: Path, layouts: Sequence[int]) -> None:
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as place:
        os.chmod(place, 0o711)  # noqa: PTH101, S103 Postgres may run under another account
        async with scratch.engine(Path(place) / "data") as engine:
            for partitions in layouts:
                async with scratch.scratch(engine, f"years_{partitions}") as dsn:
                    for one in await years_bench(dsn, _say, facts, partitions):
                        _say(f"  {partitions} partitions: {one.name}: {one.value:,.2f} {one.unit}")


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), Path(sys.argv[2]), [*map(int, sys.argv[3:])] or (1, YEARS)))
