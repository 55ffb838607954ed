"""The pump: many appends, one statement, one transaction, one flush.

What waits while a statement is in flight goes out together in the next. Laws:

1. A statement holds at most one command of a match, at most 512 commands, and at most 1 MiB unless one
   command alone is larger. It is alone in its transaction.
2. Sending a command again is harmless: the log takes a command id once and a seq once. So a statement whose
   answer never came is sent again, whole, on another connection, and the answer to that is the truth: had the
   first been stored, the second is not, and the look-up finds it. A look-up alone would not do: "not there"
   may mean "not yet", while a server process that was cut off is still at work.
3. A command that was not stored is looked up. There: it had been stored, by this statement or an earlier one.
   Not there: another moved first, or our clock is ahead.
4. Nobody waits longer than the deadline. Whoever is told `Unavailable` knows nothing; nobody is told "failed"
   of what is not known to have failed.

Look-ups go over the spare connection, so that the next statement need not wait for them.
Deliberately absent: timers to fill a statement (the flush in flight is the timer), and the rules of a match.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID

import asyncpg
import structlog
from msgspec import Struct

from domain.kernel.chain import Entry
from server.database import Held, Pool, connection

COMMANDS = 512
BYTES = 1 << 20
QUEUE = 4096
DEADLINE = 4.0
"""Seconds from the call to its answer, whatever happens."""

WRONG = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.SyntaxOrAccessError)
"""Answers of Postgres that will be the same the next time: a bug of ours, to be raised at once."""

_T = TypeVar("_T")

log = structlog.get_logger()

_PAUSE = 0.05  # seconds before a lost statement is tried again
_OVERHEAD = 200  # bytes of a fact besides its body, roughly
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_APPEND = """
WITH e AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::smallint[], $6::smallint[],
                       $7::smallint[], $8::bool[], $9::text[], $10::bytea[], $11::bytea[], $12::bytea[])
    AS t(match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, prev, hash, body)
), head AS (
  INSERT INTO log.fact (match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body)
  SELECT match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body
    FROM e
   WHERE cmd_ix = 0
     AND at <= clock_timestamp() + interval '2 seconds'
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

# A command is at most 256 facts in one place, so the scan along the match has an end.
_LOOK_UP = """
SELECT f.match_id, f.command_id, f.at, f.seq, f.cmd_ix, f.ver, f.audience, f.final, f.type, f.hash, f.body
  FROM unnest($1::uuid[], $2::uuid[]) AS w(match_id, command_id)
  JOIN log.fact h ON h.match_id = w.match_id AND h.command_id = w.command_id AND h.cmd_ix = 0
  JOIN log.fact f ON f.match_id = h.match_id AND f.command_id = h.command_id
                 AND f.seq >= h.seq AND f.seq < h.seq + 256
 ORDER BY f.match_id, f.seq
"""


class Stored(Struct, frozen=True):
    """The command is in the log, on disk, as it was sent."""


class Repeated(Struct, frozen=True):
    """The command id was in the log already, with these entries; nothing was added."""

    entries: tuple[Entry, ...]


class Moved(Struct, frozen=True):
    """Nothing was added: another moved first, the match has ended, or `at` is ahead of the log's clock."""


class Busy(Exception):
    """Too many appends wait; nothing was added. Come back later."""


class Unavailable(Exception):
    """The log gave no answer in time. The command may or may not have been stored: send it again to learn."""


Answer = Stored | Repeated | Moved


class _Waiting(Struct, eq=False):
    """One command on its way, and whoever waits for what becomes of it."""

    entries: Sequence[Entry]
    prev: bytes
    size: int
    answer: asyncio.Future[Answer]
    tries: int = 0


class Pump:
    """Appends of one node. It runs by itself from the first append to `close`."""

    def __init__(self, pool: Pool, *, deadline: float = DEADLINE, queue: int = QUEUE) -> None:
        self._pool = pool
        self._deadline = deadline
        self._limit = queue
        self._queue = _Queue()
        self._more = asyncio.Event()
        self._run: asyncio.Task[None] | None = None
        self._look_ups: set[asyncio.Task[None]] = set()
        self._closed = False
        self._away = False  # whether it has been said that the last connection was lost

    async def append(self, entries: Sequence[Entry], prev: bytes) -> Answer:
        """Store one command, whole or not at all. Raises Busy, Unavailable."""
        if self._closed:
            raise Unavailable("the log is closed")
        if len(self._queue) >= self._limit:
            raise Busy(f"{len(self._queue)} commands wait for the log")
        size = sum(len(entry.body) + _OVERHEAD for entry in entries)
        waiting = _Waiting(entries, prev, size, asyncio.get_running_loop().create_future())
        self._queue.put(waiting)
        self._more.set()
        if self._run is None:
            self._run = asyncio.create_task(self._pump(), name="pump")
        try:
            async with asyncio.timeout(self._deadline):
                return await waiting.answer
        except TimeoutError:
            raise Unavailable("the log gave no answer in time") from None
        finally:
            self._queue.drop(waiting)

    async def close(self) -> None:
        """Take nothing more, give every waiting command its answer, and let go of the connection."""
        self._closed = True
        self._more.set()
        if self._run is not None:
            await self._run
        while self._look_ups:
            await asyncio.wait(self._look_ups)

    async def _pump(self) -> None:
        while not (self._closed and not self._queue):
            try:
                async with connection(self._pool) as conn:
                    await self._keep_sending(conn)
            except Exception as fault:
                if not self._away:  # once, not with every attempt
                    log.warning("log.connection_lost", fault=repr(fault), waiting=len(self._queue))
                self._away = True
                await asyncio.sleep(_PAUSE)

    async def _keep_sending(self, conn: Held) -> None:
        """Send what waits, again and again, over one connection, until it breaks or the pump is closed."""
        while True:
            batch = self._queue.take()
            if batch:
                await self._send(conn, batch)
            elif self._closed:
                return
            else:
                self._more.clear()
                await self._more.wait()

    async def _send(self, conn: Held, batch: list[_Waiting]) -> None:
        for waiting in batch:
            waiting.tries += 1
        try:
            rows = await conn.fetch(_APPEND, *_columns(batch))
            self._away = False
        except WRONG as fault:
            self._blame(batch, fault)
            raise
        except BaseException:
            self._queue.put_back(batch)
            raise
        stored = {row["match_id"] for row in rows}
        refused = [waiting for waiting in batch if waiting.entries[0].match not in stored]
        for waiting in batch:
            if waiting.entries[0].match in stored:
                _tell(waiting, Stored())
        if refused:
            task = asyncio.create_task(self._look_up(refused), name="look-up")
            self._look_ups.add(task)
            task.add_done_callback(self._look_ups.discard)

    def _blame(self, batch: list[_Waiting], fault: Exception) -> None:
        """Deal with rows that the log can never take: a bug of ours, which is to cost its own match only.

        The statement is known to have failed, all of it. One command alone is to blame; of several, each goes
        alone.
        """
        if len(batch) > 1:
            self._queue.put_back(batch, alone=True)
        else:
            _fail(batch[0], fault)

    async def _look_up(self, refused: list[_Waiting]) -> None:
        """Find out what became of commands that were not stored."""
        commands = [(waiting.entries[0].match, waiting.entries[0].command) for waiting in refused]
        try:
            found = await ask(self._pool, lambda conn: look_up(conn, commands), self._deadline)
        except Unavailable:
            return  # their callers, who have waited longer, were told so
        except WRONG as fault:
            for waiting in refused:
                _fail(waiting, fault)
            return
        for waiting in refused:
            _tell(waiting, _verdict(waiting, found))


class _Queue:
    """What waits, by match and in order of arrival; those first that must each go by themselves."""

    def __init__(self) -> None:
        self._matches: OrderedDict[UUID, deque[_Waiting]] = OrderedDict()
        self._alone: deque[_Waiting] = deque()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, waiting: _Waiting) -> None:
        self._matches.setdefault(waiting.entries[0].match, deque()).append(waiting)
        self._size += 1

    def put_back(self, batch: Sequence[_Waiting], *, alone: bool = False) -> None:
        """Take back what was sent without an answer, to go first; `alone` when each must go by itself."""
        back = [waiting for waiting in batch if not waiting.answer.done()]
        self._size += len(back)
        if alone:
            self._alone.extend(back)
            return
        for waiting in reversed(back):
            match = waiting.entries[0].match
            self._matches.setdefault(match, deque()).appendleft(waiting)
            self._matches.move_to_end(match, last=False)

    def take(self) -> list[_Waiting]:
        """Take the next statement's commands. Matches with more to come go to the end of the line."""
        if self._alone:
            self._size -= 1
            return [self._alone.popleft()]
        batch: list[_Waiting] = []
        size = 0
        for match in list(self._matches):
            line = self._matches[match]
            size += line[0].size
            if batch and (len(batch) == COMMANDS or size > BYTES):
                break
            batch.append(line.popleft())
            self._matches.move_to_end(match)
            if not line:
                del self._matches[match]
        self._size -= len(batch)
        return batch

    def drop(self, waiting: _Waiting) -> None:
        """Forget one whose caller has gone, if it is still here.

        It is neither to go out late nor to take room.
        """
        match = waiting.entries[0].match
        for line in (self._matches.get(match), self._alone):
            if line and waiting in line:
                line.remove(waiting)
                self._size -= 1
        if not self._matches.get(match, True):
            del self._matches[match]


async def ask(pool: Pool, question: Callable[[Held], Awaitable[_T]], deadline: float = DEADLINE) -> _T:
    """Put a question that may be put twice, over another connection if need be. Raises Unavailable."""
    said = False
    try:
        async with asyncio.timeout(deadline):
            while True:
                try:
                    async with connection(pool) as held:
                        return await question(held)
                except WRONG:
                    raise
                except Exception as fault:
                    if not said:  # once a question: there may be hundreds, and twenty tries a second of each
                        log.warning("log.question_lost", fault=repr(fault))
                        said = True
                    await asyncio.sleep(_PAUSE)
    except TimeoutError:
        raise Unavailable("the log gave no answer in time") from None


async def look_up(conn: Held, commands: Iterable[tuple[UUID, UUID]]) -> dict[tuple[UUID, UUID], list[Entry]]:
    """Find commands by match and command id, each with its entries in order."""
    matches, ids = zip(*commands, strict=True)
    found: dict[tuple[UUID, UUID], list[Entry]] = {}
    for row in await conn.fetch(_LOOK_UP, matches, ids):
        found.setdefault((row["match_id"], row["command_id"]), []).append(entry(row))
    return found


def entry(row: asyncpg.Record) -> Entry:
    """Read an entry from a row of log.fact, its columns in the order of Entry's fields."""
    match, command, at, *rest = row
    return Entry(match, command, (at - _EPOCH) // _MICROSECOND, *rest)


def _columns(batch: Iterable[_Waiting]) -> list[tuple[object, ...]]:
    """Lay out the statement's twelve arrays; of `prev` it reads those of first facts only."""
    rows = [
        (
            one.match,
            one.command,
            _EPOCH + one.at * _MICROSECOND,
            one.seq,
            one.index,
            one.ver,
            one.audience,
            one.final,
            one.type,
            waiting.prev,
            one.hash,
            one.body,
        )
        for waiting in batch
        for one in waiting.entries
    ]
    return list(zip(*rows, strict=True))


def _verdict(waiting: _Waiting, found: dict[tuple[UUID, UUID], list[Entry]]) -> Answer:
    first = waiting.entries[0]
    there = found.get((first.match, first.command))
    if there is None:
        return Moved()
    if waiting.tries > 1 and list(waiting.entries) == there:
        return Stored()
    return Repeated(tuple(there))


def _tell(waiting: _Waiting, answer: Answer) -> None:
    if not waiting.answer.done():
        waiting.answer.set_result(answer)


def _fail(waiting: _Waiting, fault: Exception) -> None:
    if not waiting.answer.done():
        waiting.answer.set_exception(fault)
