"""SQL of the log: the append, the look-ups, and the conversion of entries to rows and back.

`ask` runs an idempotent query with retries. Deliberately absent: when an append is sent, and in which batch
(`server.log.pump`).
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
from server.log.outcomes import DEADLINE, Altered, Unavailable
from server.postgres.database import Pool, PooledConnection, connection

WRONG = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.SyntaxOrAccessError)
"""Errors of Postgres that a retry would not mend: a bug of ours, raised at once."""

COMMAND = 4096
"""Facts that a command may have: those of the most decisions, padded, and of what they bring about."""

PAGE = 5000
"""Facts read of a match at once: more than a command may have."""

AT_ONCE = 500
"""Rows converted to facts before control returns to the event loop."""

MOST = 2**31 - 2
"""Facts that a match can have: their number is an integer of Postgres."""

PAUSE = 0.05
"""Seconds between attempts after a lost connection."""

_T = TypeVar("_T")

log = structlog.get_logger()

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# Whoever loses his seat to another loses its links by the same statement: nothing more is stored by them.
# Which matches these are is an array, so that no token is looked at for all other commands.
# The token is looked up by a scalar subquery: an EXISTS may be planned as a hash of the whole table.
# The time is asked by another, once a statement and not for every row.
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
     AND at <= (SELECT log.now()) + interval '2 seconds'
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
), gone AS MATERIALIZED (
  SELECT e.match_id, (convert_from(e.body, 'UTF8')::jsonb ->> 'seat')::smallint AS seat
    FROM e JOIN head USING (match_id)
   WHERE e.cmd_ix = 0 AND e.type = 'SeatReplaced'
), void AS (
  UPDATE lobby.token k SET revoked_at = (SELECT log.now())
   WHERE k.match_id = ANY (ARRAY(SELECT match_id FROM gone)) AND k.revoked_at IS NULL
     AND (k.match_id, k.seat) IN (SELECT match_id, seat FROM gone)
)
SELECT match_id FROM head
"""

# A command's facts have consecutive seqs, $3 at most, which bounds the scan along the match.
_LOOK_UP = """
SELECT f.match_id, f.command_id, f.at, f.seq, f.cmd_ix, f.ver, f.audience, f.final, f.type, f.hash, f.body
  FROM unnest($1::uuid[], $2::uuid[]) AS w(match_id, command_id)
  JOIN log.fact h ON h.match_id = w.match_id AND h.command_id = w.command_id AND h.cmd_ix = 0
  JOIN log.fact f ON f.match_id = h.match_id AND f.command_id = h.command_id
                 AND f.seq >= h.seq AND f.seq < h.seq + $3
 ORDER BY f.match_id, f.seq
"""

_READ = """
SELECT match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body FROM log.fact
 WHERE match_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4
"""

_STANDING = """
SELECT match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body FROM log.fact f
 WHERE match_id = $1 AND seq = $2
   AND NOT EXISTS (SELECT FROM log.fact u WHERE u.match_id = $1 AND u.seq > $2 AND u.type = 'Undone'
                      AND (convert_from(u.body, 'UTF8')::jsonb ->> 'back_to')::int < $2)
"""

_VALID = "SELECT hash FROM lobby.token WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL"


async def ask(
    pool: Pool, question: Callable[[PooledConnection], Awaitable[_T]], deadline: float = DEADLINE
) -> _T:
    """Run an idempotent query, retrying on a new connection. Raises Unavailable after `deadline` seconds.

    What another attempt would not mend is raised at once: WRONG, and Altered.
    """
    said = False
    try:
        async with asyncio.timeout(deadline):
            while True:
                try:
                    async with connection(pool) as conn:
                        return await question(conn)
                except (*WRONG, Altered):
                    raise
                except Exception as fault:
                    if not said:  # once a call: hundreds may be under way, each trying 20 times a second
                        log.warning("log.question_lost", fault=repr(fault))
                        said = True
                    await asyncio.sleep(PAUSE)
    except TimeoutError:
        raise Unavailable("the log gave no answer in time") from None


async def look_up(
    conn: PooledConnection, commands: Iterable[tuple[UUID, UUID]]
) -> dict[tuple[UUID, UUID], list[Entry]]:
    """Return the stored commands among these, by (match, command id), each with its entries in order."""
    matches, ids = zip(*commands, strict=True)
    found: dict[tuple[UUID, UUID], list[Entry]] = {}
    for row in await conn.fetch(_LOOK_UP, matches, ids, COMMAND):
        found.setdefault((row["match_id"], row["command_id"]), []).append(entry(row))
    return found


async def read_page(
    conn: PooledConnection, match: UUID, after: int, upto: int = MOST
) -> tuple[list[Entry], bool]:
    """Return the next facts of a match with `after` < seq <= `upto`, and whether more may follow.

    They are whole commands, if `after` ends one, and at most PAGE facts. Gives way to the event loop after
    every AT_ONCE facts. Raises Altered where no command ends within a page: who reads on would not get on.
    """
    rows = await conn.fetch(_READ, match, after, upto + 1, PAGE)
    entries: list[Entry] = []
    for first in range(0, len(rows), AT_ONCE):
        entries += map(entry, rows[first : first + AT_ONCE])
        await asyncio.sleep(0)  # converting thousands of rows would block the event loop
    found, more = whole(entries, upto), len(rows) == PAGE
    if more and not found:
        last = entries[-1]
        raise Altered(
            f"match {match}: fact {last.seq} says that {last.index} facts of its command are before it, and"
            f" a command has {COMMAND} at most"
        )
    return found, more


def whole(entries: list[Entry], upto: int) -> list[Entry]:
    """Return what was read of a match without the last command, if that may have been cut off, or goes on."""
    if entries and (len(entries) == PAGE or entries[-1].seq > upto):
        return entries[: max(0, len(entries) - 1 - entries[-1].index)]
    return entries


async def standing(conn: PooledConnection, match: UUID, seq: int) -> Entry | None:
    """Return a fact of a match that no undo has taken back, None if there is none."""
    row = await conn.fetchrow(_STANDING, match, seq)
    return None if row is None else entry(row)


async def void(conn: PooledConnection, tokens: Collection[bytes]) -> set[bytes]:
    """Return which of these token hashes are void: unknown, replaced or revoked."""
    if not tokens:
        return set()
    return set(tokens) - {row["hash"] for row in await conn.fetch(_VALID, list(tokens))}


def entry(row: asyncpg.Record) -> Entry:
    """Convert a row of log.fact, its columns in the order of Entry's fields."""
    match, command, at, seq, index, ver, audience, *rest = row
    return Entry(match, command, (at - _EPOCH) // _MICROSECOND, seq, index, ver, Audience(audience), *rest)


def columns(commands: Iterable[tuple[Sequence[Entry], bytes, bytes | None]]) -> list[tuple[object, ...]]:
    """Return the thirteen parameter arrays of APPEND for commands given as (entries, prev, token hash).

    APPEND uses `prev` and the token in the row of a command's first fact only.
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
