"""The pump: batches appends, each batch in one statement, one transaction and one flush.

Commands that arrive while a statement is running are sent together in the next one. Laws:

1. A statement holds at most one command of a match, at most 256 commands, and at most 1 MiB unless one
   command alone is larger. It is alone in its transaction.
2. Appends are idempotent: the log takes a command id once and a seq once. A statement without an answer is
   therefore sent again, whole, on another connection, and that answer is conclusive: if the first was stored,
   the second is not, and the look-up finds the command. A look-up alone would not do: a missing command may
   still be stored by the backend of a broken connection.
3. A command that was not stored is looked up. Found: it had been stored, by this statement or an earlier one.
   Not found: its link is void, another append was first, or our clock is ahead. A void link stays void, hence
   one that is valid at the look-up was valid when the statement ran.
4. Every call returns or raises within the deadline. `Unavailable` means that the outcome is unknown; another
   failure is reported only when it is certain.

Look-ups use another pool, so that the next statement need not wait for them.
Deliberately absent: timers to fill a batch (the running statement is the timer), and the rules of a match.
"""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from uuid import UUID

import structlog

from domain.match.chain import Entry
from server.durations import Durations
from server.log.outcomes import DEADLINE, Busy, Moved, Outcome, Repeated, Stored, Unavailable, Void
from server.log.statements import APPEND, PAUSE, WRONG, ask, columns, look_up, void
from server.log.waiting import Queue, QueuedAppend
from server.postgres.database import Pool, PooledConnection, connection

QUEUE = 4096
"""Commands that may be queued; beyond it `Busy`."""

log = structlog.get_logger()

_OVERHEAD = 200  # bytes of a fact besides its body, roughly


class Pump:
    """Batches the appends of one node in a task that runs from the first append to `close`."""

    def __init__(
        self, pool: Pool, look_up_pool: Pool, *, deadline: float = DEADLINE, queue: int = QUEUE
    ) -> None:
        """Take the pool for appends, of which a second connection is the spare, and the one for look-ups."""
        self._pool, self._look_up_pool = pool, look_up_pool
        self._deadline = deadline
        self._limit = queue
        self._queue = Queue()
        self._more = asyncio.Event()
        self._run: asyncio.Task[None] | None = None
        self._look_ups: set[asyncio.Task[None]] = set()
        self._deadlines: deque[tuple[float, asyncio.Future[Outcome]]] = deque()
        """When each command has to have its outcome, in the event loop's time; the oldest first."""
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._away = False  # whether the loss of the connection has been logged
        self.took = Durations()
        """From making each statement of a batch to its answer."""

    async def append(self, entries: Sequence[Entry], prev: bytes, token: bytes | None = None) -> Outcome:
        """Store one command atomically behind the fact with hash `prev`. Raises Busy, Unavailable."""
        if self._closed:
            raise Unavailable("the log is closed")
        if len(self._queue) >= self._limit:
            raise Busy
        size = sum(len(entry.body) + _OVERHEAD for entry in entries)
        waiting = QueuedAppend(entries, prev, size, self._outcome(), token)
        self._queue.put(waiting)
        self._more.set()
        if self._run is None:
            self._run = asyncio.create_task(self._pump(), name="pump")
        try:
            return await waiting.outcome
        finally:
            self._queue.drop(waiting)

    def _outcome(self) -> asyncio.Future[Outcome]:
        """Return a future that fails with Unavailable at the deadline; one timer serves all of them."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[Outcome] = loop.create_future()
        self._deadlines.append((loop.time() + self._deadline, outcome))
        if self._timer is None:
            self._timer = loop.call_at(self._deadlines[0][0], self._expire)
        return outcome

    def _expire(self) -> None:
        """Fail the commands whose deadline has passed; the next timer is for the oldest that is left."""
        loop = asyncio.get_running_loop()
        while self._deadlines and (self._deadlines[0][1].done() or self._deadlines[0][0] <= loop.time()):
            _, outcome = self._deadlines.popleft()
            if not outcome.done():
                outcome.set_exception(Unavailable("the log gave no answer in time"))
        self._timer = loop.call_at(self._deadlines[0][0], self._expire) if self._deadlines else None

    async def close(self) -> None:
        """Accept no more commands, resolve those that wait, and release the connection."""
        self._closed = True
        self._more.set()
        if self._run is not None:
            await self._run
        while self._look_ups:
            await asyncio.wait(self._look_ups)
        if self._timer is not None:
            self._timer.cancel()

    async def _pump(self) -> None:
        while not (self._closed and not self._queue):
            try:
                async with connection(self._pool) as conn:
                    await self._keep_sending(conn)
            except Exception as fault:
                if not self._away:  # logged once, not at every attempt
                    log.warning("log.connection_lost", fault=repr(fault), waiting=len(self._queue))
                self._away = True
                await asyncio.sleep(PAUSE)

    async def _keep_sending(self, conn: PooledConnection) -> None:
        """Send batch after batch over one connection, until it breaks or the pump is closed."""
        while True:
            batch = self._queue.next_batch()
            if batch:
                await self._send(conn, batch)
            elif self._closed:
                return
            else:
                self._more.clear()
                await self._more.wait()

    async def _send(self, conn: PooledConnection, batch: list[QueuedAppend]) -> None:
        for waiting in batch:
            waiting.tries += 1
        try:
            commands = ((waiting.entries, waiting.prev, waiting.token) for waiting in batch)
            sent = time.perf_counter()
            rows = await conn.fetch(APPEND, *columns(commands))
            self.took.add(time.perf_counter() - sent)
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
                _resolve(waiting, Stored())
        if refused:
            task = asyncio.create_task(self._look_up(refused), name="look-up")
            self._look_ups.add(task)
            task.add_done_callback(self._look_ups.discard)

    def _blame(self, batch: list[QueuedAppend], fault: Exception) -> None:
        """Handle a statement that Postgres rejects: a bug of ours, which must fail its own command only.

        The whole statement is known to have failed. A batch of several commands is queued again, each command
        in a statement of its own; a single command fails with `fault`.
        """
        if len(batch) > 1:
            self._queue.put_back(batch, alone=True)
        else:
            _fail(batch[0], fault)

    async def _look_up(self, refused: list[QueuedAppend]) -> None:
        """Resolve commands that the statement did not store: look them and their tokens up."""
        commands = [(waiting.entries[0].match, waiting.entries[0].command) for waiting in refused]
        tokens = {waiting.token for waiting in refused if waiting.token is not None}

        async def both(conn: PooledConnection) -> tuple[dict[tuple[UUID, UUID], list[Entry]], set[bytes]]:
            return await look_up(conn, commands), await void(conn, tokens)

        try:
            found, voided = await ask(self._look_up_pool, both, self._deadline)
        except Unavailable:
            return  # the callers' own deadline has passed by now: they got Unavailable
        except WRONG as fault:
            for waiting in refused:
                _fail(waiting, fault)
            return
        for waiting in refused:
            first = waiting.entries[0]
            there = found.get((first.match, first.command))
            answer = _verdict(waiting, there, void=waiting.token in voided)
            if answer is None:
                _fail(waiting, Unavailable("a statement that was cut off may still store it"))
            else:
                _resolve(waiting, answer)


def _verdict(waiting: QueuedAppend, there: list[Entry] | None, *, void: bool) -> Outcome | None:
    """Return the outcome of a command that the last statement did not store; None if it is unknown."""
    again = waiting.tries > 1
    if there is not None and again and list(waiting.entries) == there:
        return Stored()
    if not void:
        return Moved() if there is None else Repeated(tuple(there))
    if there is None and again:
        return None  # an earlier statement may have begun while the link was valid, and still be running
    return Void()


def _resolve(waiting: QueuedAppend, outcome: Outcome) -> None:
    if not waiting.outcome.done():
        waiting.outcome.set_result(outcome)


def _fail(waiting: QueuedAppend, fault: Exception) -> None:
    if not waiting.outcome.done():
        waiting.outcome.set_exception(fault)
