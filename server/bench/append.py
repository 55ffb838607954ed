"""Commands stored in a second, beside `pgbench` on the same database in the same minute.

Ours: so many matches at once, each sending its next command as soon as the last one is stored, through the
log with its pump, encoding and hashing included. Theirs: `pgbench -M prepared` inserting one row of 100 bytes
with one index, a client for each match, at most 32. The two take turns within each round; a ratio is the
median of the rounds'. Judge by the ratios. The database must be a scratch one with the schema applied: what
is stored stays.
"""

import asyncio
import os
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import uuid4

import asyncpg
import msgspec
from msgspec import Struct, structs

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Entry, seal
from server.bench import LeftOut, Result
from server.lobby.tokens import uuid7
from server.log.store import PostgresLog, Stored
from server.postgres.database import Database, connect
from server.postgres.engine import places

MATCHES: Final = (1, 32, 512)
KEEP: Final = {32: 0.6}
"""The ratio to pgbench that is to be kept for a number of matches."""

KEEP_SLOW: Final = {1: 0.6, 32: 0.6, 512: 1.5}
"""Likewise where a flush is slow: one commit for many matches gains most where commits are dear."""

SLOW: Final = 0.002
"""Seconds of a flush from which on KEEP_SLOW applies."""

CLIENTS: Final = 32
"""The most clients of pgbench: with more it gains nothing."""

TABLE: Final = """
CREATE SCHEMA IF NOT EXISTS bench;
CREATE TABLE IF NOT EXISTS bench.row (
  id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  body bytea  NOT NULL
);
"""
INSERT: Final = f"INSERT INTO bench.row (body) VALUES ('\\\\x{'5a' * 100}');\n"  # noqa: S608  all of it ours


class NoPgbench(LeftOut):
    """There is no pgbench to compare with. The message says what to install."""


class Moved(Struct, frozen=True, tag=True):
    """A fact of about the usual size, 110 bytes as JSON."""

    piece: str
    start: int
    end: int
    note: str


async def append_bench(
    dsn: str, *, seconds: float = 3.0, rounds: int = 3, matches: Sequence[int] = MATCHES
) -> list[Result]:
    """Measure appends for each number of matches. Raises NoPgbench."""
    program = find_pgbench()
    owner = await asyncpg.connect(dsn)
    await owner.execute(TABLE)
    keep = KEEP_SLOW if await _flush(owner) >= SLOW else KEEP
    await owner.close()
    database = await connect(dsn)
    try:
        found = [await _result(program, dsn, database, count, seconds, rounds) for count in matches]
        return [structs.replace(one, keep=keep.get(count)) for one, count in zip(found, matches, strict=True)]
    finally:
        await database.close()


def find_pgbench() -> Path:
    """Find pgbench on the PATH or beside a PostgreSQL's other programs. Raises NoPgbench."""
    on_path = [Path(found)] if (found := shutil.which("pgbench")) else []
    for path in [*on_path, *(place / "pgbench" for place in places())]:
        if path.exists():
            return path
    raise NoPgbench(
        "There is no pgbench to measure against. On Debian: apt-get install postgresql-contrib, or anywhere: "
        "pip install 'fleetfold[embedded]'."
    )


async def _flush(owner: "asyncpg.Connection[asyncpg.Record]") -> float:
    """Return the seconds of a bare commit, at the median."""
    took = []
    for _ in range(20):
        began = time.perf_counter()
        await owner.execute("INSERT INTO bench.row (body) VALUES ('')")
        took.append(time.perf_counter() - began)
    return statistics.median(took)


async def _result(
    program: Path, dsn: str, database: Database, matches: int, seconds: float, rounds: int
) -> Result:
    clients = min(matches, CLIENTS)
    ours, theirs = [], []
    for _ in range(rounds):
        theirs.append(await _pgbench(program, dsn, clients, seconds))
        ours.append(await appends(database, matches, seconds))
    ratio = statistics.median(our / their for our, their in zip(ours, theirs, strict=True))
    name = f"append, {matches} {'match' if matches == 1 else 'matches'}"
    against = f"pgbench, {clients} {'client' if clients == 1 else 'clients'}"
    return Result(name, statistics.median(ours), "commands/s", against, ratio)


async def appends(database: Database, matches: int, seconds: float) -> float:
    """Commands of one fact stored in a second, by so many matches at once."""
    log = PostgresLog(database)
    await asyncio.gather(*(_play(log, 0) for _ in range(matches)))  # plans and pages made
    began = time.perf_counter()
    done = sum(await asyncio.gather(*(_play(log, seconds) for _ in range(matches))))
    rate = done / (time.perf_counter() - began)
    await log.close()
    return rate


async def _play(log: PostgresLog, seconds: float) -> int:
    """Store one command after the other to a new match for so long, at least one; how many."""
    end = time.perf_counter() + seconds
    match, k_salt = uuid7(), os.urandom(32)
    last: Entry | None = None
    while True:
        after, prev, at = (last.seq, last.hash, last.at) if last else (0, ZERO, 0)
        body = msgspec.json.encode(
            Moved("carrier 17", 1205, 1206 + after % 7, "a move from one hex to the next")
        )
        draft = ("Moved", 1, Audience.ALL, False, body)
        entries = seal(match, uuid4(), max(at, time.time_ns() // 1000), after, prev, [draft], k_salt)
        answer = await log.append(entries, prev)
        assert answer == Stored(), answer
        last = entries[0]
        if time.perf_counter() >= end:
            return last.seq


async def _pgbench(program: Path, dsn: str, clients: int, seconds: float) -> float:
    """Transactions in a second, as pgbench reports them."""
    place = urlsplit(dsn)
    query = {name: values[0] for name, values in parse_qs(place.query).items()}
    environment = {
        **os.environ,
        "PGHOST": query.get("host") or place.hostname or "",
        "PGPORT": query.get("port") or str(place.port or 5432),
        "PGUSER": unquote(place.username or ""),
        "PGPASSWORD": unquote(place.password or ""),
        "PGDATABASE": unquote(place.path.lstrip("/")),
    }
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(INSERT)
        script.flush()
        arguments = ["-n", "-M", "prepared", "-c", str(clients), "-j", str(min(clients, 2))]
        process = await asyncio.create_subprocess_exec(
            program,
            *[*arguments, "-T", str(max(1, round(seconds))), "-f", script.name],
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
    found = re.search(r"^tps = ([0-9.]+) \(without", out.decode(), re.MULTILINE)
    if found is None:
        raise NoPgbench(f"{program} failed: {err.decode().strip()[-300:]}")
    return float(found[1])
