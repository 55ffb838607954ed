"""What is said to Postgres about facts: the append, the look-ups, and how entries become rows and back.

`ask` puts a question that may be put twice. Deliberately absent: when an append is sent, and with which
others (`server.log.pump`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID

import asyncpg
import structlog

from domain.kernel.audience import Audience
from domain.match.chain import Entry
from server.log.outcomes import DEADLINE, Unavailable
from server.postgres.database import Pool, PooledConnection, connection

WRONG = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.SyntaxOrAccessError)
"""Answers of Postgres that will be the same the next time: a bug of ours, to be raised at once."""

COMMAND = 512
"""Facts of a command, at most."""

PAUSE = 0.05
"""Seconds before what was lost is tried again."""

_T = TypeVar("_T")

log = structlog.get_logger()

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# The token is looked up by a scalar subquery: an EXISTS may be planned as a hash of the whole table.
APPEND = """
WITH e AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::smallint[], $6::smallint[],
                       $7::smallint[], $8::bool[], $9::text[], $10::bytea[], $11::bytea[], $12::bytea[],
                       $13::bytea[])
    AS t(match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, prev, hash, body, token)
), head AS (
  INSERT INTO log.fact (match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body)
  SELECT match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body
    FROM e
   WHERE cmd_ix = 0
     AND at <= clock_timestamp() + interval '2 seconds'
     AND (token IS NULL OR (SELECT k.revoked_at IS NULL FROM lobby.token k WHERE k.hash = e.token))
     AND CASE WHEN seq = 1
              THEN prev = '\\x0000000000000000000000000000000000000000000000000000000000000000'::bytea
              ELSE EXISTS (SELECT FROM log.fact p
                            WHERE p.match_id = e.match_id AND p.seq = e.seq - 1
                              AND p.hash = e.prev AND NOT p.final AND p.at <= e.at) END
   ORDER BY match_id
  ON CONFLICT DO NOTHING
  RETURNING match_id
), tail AS (
  INSERT INTO log.fact (match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body)
  SELECT match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body
    FROM e JOIN head USING (match_id)
   WHERE cmd_ix > 0
)
SELECT match_id FROM head
"""

# The facts of a command lie one behind the other, $3 at most, so the scan along the match has an end.
_LOOK_UP = """
SELECT f.match_id, f.command_id, f.at, f.seq, f.cmd_ix, f.ver, f.audience, f.final, f.type, f.hash, f.body
  FROM unnest($1::uuid[], $2::uuid[]) AS w(match_id, command_id)
  JOIN log.fact h ON h.match_id = w.match_id AND h.command_id = w.command_id AND h.cmd_ix = 0
  JOIN log.fact f ON f.match_id = h.match_id AND f.command_id = h.command_id
                 AND f.seq >= h.seq AND f.seq < h.seq + $3
 ORDER BY f.match_id, f.seq
"""

_VALID = "SELECT hash FROM lobby.token WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL"


async def ask(
    pool: Pool, question: Callable[[PooledConnection], Awaitable[_T]], deadline: float = DEADLINE
) -> _T:
    """Put a question that may be put twice, over another connection if need be. Raises Unavailable."""
    said = False
    try:
        async with asyncio.timeout(deadline):
            while True:
                try:
                    async with connection(pool) as conn:
                        return await question(conn)
                except WRONG:
                    raise
                except Exception as fault:
                    if not said:  # once a question: there may be hundreds, and twenty tries a second of each
                        log.warning("log.question_lost", fault=repr(fault))
                        said = True
                    await asyncio.sleep(PAUSE)
    except TimeoutError:
        raise Unavailable("the log gave no answer in time") from None


async def look_up(
    conn: PooledConnection, commands: Iterable[tuple[UUID, UUID]]
) -> dict[tuple[UUID, UUID], list[Entry]]:
    """Find commands by match and command id, each with its entries in order."""
    matches, ids = zip(*commands, strict=True)
    found: dict[tuple[UUID, UUID], list[Entry]] = {}
    for row in await conn.fetch(_LOOK_UP, matches, ids, COMMAND):
        found.setdefault((row["match_id"], row["command_id"]), []).append(entry(row))
    return found


async def void(conn: PooledConnection, tokens: Collection[bytes]) -> set[bytes]:
    """Return which of these tokens, given by their hashes, open nothing any more."""
    if not tokens:
        return set()
    return set(tokens) - {row["hash"] for row in await conn.fetch(_VALID, list(tokens))}


def entry(row: asyncpg.Record) -> Entry:
    """Read an entry from a row of log.fact, its columns in the order of Entry's fields."""
    match, command, at, seq, index, ver, audience, *rest = row
    return Entry(match, command, (at - _EPOCH) // _MICROSECOND, seq, index, ver, Audience(audience), *rest)


def columns(commands: Iterable[tuple[Sequence[Entry], bytes, bytes | None]]) -> list[tuple[object, ...]]:
    """Lay out the append's thirteen arrays: of commands with the hash each goes behind and its token's.

    It reads both of first facts only.
    """
    rows = [
        (
            one.match,
            one.command,
            _EPOCH + one.at * _MICROSECOND,
            one.seq,
            one.index,
            one.ver,
            one.audience.value,
            one.final,
            one.type,
            prev,
            one.hash,
            one.body,
            token,
        )
        for entries, prev, token in commands
        for one in entries
    ]
    return list(zip(*rows, strict=True))
