"""The log: facts of matches, appended and read, never changed.

`Log` is the interface used by the rest of the server, `LogReader` the part of it for who only reads.
`PostgresLog` implements it, and `PostgresReader` that part by any pool; `MemoryLog` is for tests that need no
disk. All pass the same contract tests. An append is one command of one match, atomic. Its outcome is
`Stored`, `Repeated`, `Moved` or `Void`; it raises `Busy` when it was not begun, `Unavailable` when the
outcome is unknown. Before anything is written an append is checked against the limits (`Oversized`) and for
consistency (ValueError: a bug of the caller). Deliberately absent: the feed, which belongs to the
projections; commitments, which need the match key that the log holds only sealed.
"""

import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from functools import partial
from typing import Protocol
from uuid import UUID

import asyncpg
from msgspec import json

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Entry
from server.durations import Durations
from server.log.outcomes import DEADLINE, Busy, Moved, Outcome, Repeated, Stored, Unavailable, Void
from server.log.pump import Pump
from server.log.statements import COMMAND, MOST, ask, look_up, read_page, standing, void
from server.postgres.database import Database, Pool, PooledConnection

__all__ = [
    "Busy",
    "Log",
    "LogReader",
    "MemoryLog",
    "Moved",
    "Outcome",
    "Oversized",
    "PostgresLog",
    "PostgresReader",
    "Repeated",
    "Stored",
    "Unavailable",
    "Void",
]

BODY = 64 << 10
"""Bytes that a fact's body may have."""

BODIES = 16 << 20
"""Bytes that the bodies of a command's facts may have together."""

AHEAD = 2_000_000
"""Microseconds by which `at` may be ahead of the log's own clock."""

TYPE = 64
"""Characters that a fact's type may have."""

YEAR_10000 = 253_402_300_800_000_000
"""Upper bound of `at` in microseconds since the epoch: beyond it `datetime` overflows."""

_HEADS = """
SELECT w.match_id, f.seq FROM unnest($1::uuid[]) AS w(match_id)
 CROSS JOIN LATERAL (SELECT seq FROM log.fact WHERE match_id = w.match_id ORDER BY seq DESC LIMIT 1) f
"""
_PUT_SEALED_KEY = "INSERT INTO log.secret (match_id, box) VALUES ($1, $2) ON CONFLICT DO NOTHING"
_GET_SEALED_KEY = "SELECT box FROM log.secret WHERE match_id = $1"


class Oversized(Exception):
    """The command is larger than the log takes; nothing was written."""


class LogReader(Protocol):
    """The facts of the log, for who only reads."""

    async def read_everything(self, match: UUID, after: int = 0) -> list[Entry]:
        """Return the facts of a match with seq > `after`, of all audiences, in order. Raises Unavailable.

        For what a match in memory has missed: whole ones are read by `pages`.
        """
        ...

    def pages(self, match: UUID, after: int = 0, upto: int = MOST) -> AsyncIterator[list[Entry]]:
        """Yield the commands behind fact `after`, which ends one, that end at or before fact `upto`.

        Their facts come in order, some thousands at a time, so that nobody has to hold a long match in
        memory. Raises Unavailable, and Altered where a fact is in no command that there may be.
        """
        ...

    async def standing(self, match: UUID, seq: int) -> Entry | None:
        """Return fact `seq` of a match; None if there is none, or an undo goes back to before it.

        Raises Unavailable.
        """
        ...

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        """Return the last seq of each of these matches that has facts. Raises Unavailable."""
        ...

    async def sealed_key(self, match: UUID) -> bytes | None:
        """Return the sealed key of a match; None if it has none. Raises Unavailable."""
        ...


class Log(LogReader, Protocol):
    """The interface of the log."""

    async def append(
        self,
        entries: Sequence[Entry],
        prev: bytes,
        sealed_key: bytes | None = None,
        token: bytes | None = None,
    ) -> Outcome:
        """Store one command atomically behind the fact whose hash is `prev`.

        `sealed_key` goes with a match's first command only. It is stored first, in a transaction of its own;
        if the match already has a different one, the outcome is `Moved`. `token` is the hash of the sender's
        link token, None for the server's own commands; if the link is void when the command is stored, the
        outcome is `Void`. Raises Busy, Unavailable, Oversized; ValueError if `entries` are not one command.
        """
        ...

    async def stored(self, match: UUID, command: UUID) -> list[Entry]:
        """Return the facts of a command; empty if it is not stored. Raises Unavailable."""
        ...

    async def void(self, token: bytes) -> bool:
        """Whether a token, given by its hash, is void. Raises Unavailable."""
        ...


class PostgresReader:
    """The log in Postgres for those who read by one pool, which makes nobody wait who has another."""

    def __init__(self, pool: Pool, *, deadline: float = DEADLINE) -> None:
        """Take the pool, and how many seconds may pass until each answer."""
        self._read, self._deadline = pool, deadline

    async def read_everything(self, match: UUID, after: int = 0) -> list[Entry]:
        """See LogReader. Gives way to the event loop now and then."""
        return [one async for page in self.pages(match, after) for one in page]

    async def pages(self, match: UUID, after: int = 0, upto: int = MOST) -> AsyncIterator[list[Entry]]:
        """See LogReader."""
        more = True
        while more:
            read = partial(read_page, match=match, after=after, upto=upto)
            page, more = await ask(self._read, read, self._deadline)
            if page:
                after = page[-1].seq
                yield page

    async def standing(self, match: UUID, seq: int) -> Entry | None:
        """See LogReader."""
        return await ask(self._read, lambda conn: standing(conn, match, seq), self._deadline)

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        """See LogReader."""
        return {row["match_id"]: row["seq"] for row in await self._rows(_HEADS, list(matches))}

    async def sealed_key(self, match: UUID) -> bytes | None:
        """See LogReader."""
        rows = await self._rows(_GET_SEALED_KEY, match)
        return rows[0]["box"] if rows else None

    async def _rows(self, query: str, *values: object) -> list[asyncpg.Record]:
        return await ask(self._read, lambda conn: conn.fetch(query, *values), self._deadline)


class PostgresLog(PostgresReader):
    """The log in Postgres: appends through the pump, and reads by the pool for hellos and the lobby.

    What has to be asked before a decision is answered waits neither for those who read nor for who begins.
    """

    def __init__(self, database: Database, *, deadline: float = DEADLINE) -> None:
        super().__init__(database.read, deadline=deadline)
        self._play = database.play
        self._pump = Pump(database.append, database.play, deadline=deadline)

    async def append(
        self,
        entries: Sequence[Entry],
        prev: bytes,
        sealed_key: bytes | None = None,
        token: bytes | None = None,
    ) -> Outcome:
        """See Log. A sealed key that was stored stays, even if the command is not."""
        fit(entries, prev, sealed_key)
        if sealed_key is not None and not await self._keep(entries[0].match, sealed_key):
            return Moved()
        return await self._pump.append(entries, prev, token)

    async def _keep(self, match: UUID, sealed_key: bytes) -> bool:
        """Store a match's sealed key in a transaction of its own; False if it already has a different one.

        Whoever begins a match takes no connection of the pump's, which may need its second one at any time.
        """

        async def put(conn: PooledConnection) -> bool:
            await conn.execute(_PUT_SEALED_KEY, match, sealed_key)
            return bool(await conn.fetchval(_GET_SEALED_KEY, match) == sealed_key)

        return await ask(self._read, put, self._deadline)

    async def stored(self, match: UUID, command: UUID) -> list[Entry]:
        """See Log."""
        found = await ask(self._play, lambda conn: look_up(conn, [(match, command)]), self._deadline)
        return found.get((match, command), [])

    async def void(self, token: bytes) -> bool:
        """See Log."""
        return bool(await ask(self._play, lambda conn: void(conn, {token}), self._deadline))

    @property
    def took(self) -> Durations:
        """How long the statements took that append."""
        return self._pump.took

    async def close(self) -> None:
        """Resolve the appends that wait and accept no more. The connection pools are left to their owner."""
        await self._pump.close()


class MemoryLog:
    """The log in memory. `clock` returns microseconds since the epoch; `revoked` holds void token hashes."""

    def __init__(self, clock: Callable[[], int] = lambda: time.time_ns() // 1000) -> None:
        self._clock = clock
        self._matches: dict[UUID, list[Entry]] = {}
        self._commands: dict[tuple[UUID, UUID], tuple[Entry, ...]] = {}
        self._sealed_keys: dict[UUID, bytes] = {}
        self.revoked: set[bytes] = set()

    async def append(
        self,
        entries: Sequence[Entry],
        prev: bytes,
        sealed_key: bytes | None = None,
        token: bytes | None = None,
    ) -> Outcome:
        """See Log. Never raises Busy or Unavailable."""
        fit(entries, prev, sealed_key)
        first = entries[0]
        if sealed_key is not None and self._sealed_keys.setdefault(first.match, sealed_key) != sealed_key:
            return Moved()
        if token in self.revoked:
            return Void()
        there = self._commands.get((first.match, first.command))
        if there is not None:
            return Repeated(there)
        log = self._matches.get(first.match, [])
        if not self._follows(log, first, prev):
            return Moved()
        self._matches.setdefault(first.match, log).extend(entries)
        self._commands[first.match, first.command] = tuple(entries)
        return Stored()

    def _follows(self, log: list[Entry], first: Entry, prev: bytes) -> bool:
        if first.seq != len(log) + 1 or first.at > self._clock() + AHEAD:
            return False
        if not log:
            return prev == ZERO
        last = log[-1]
        return last.hash == prev and not last.final and last.at <= first.at

    async def read_everything(self, match: UUID, after: int = 0) -> list[Entry]:
        """See Log."""
        return self._matches.get(match, [])[max(after, 0) :]

    async def pages(self, match: UUID, after: int = 0, upto: int = MOST) -> AsyncIterator[list[Entry]]:
        """See Log."""
        found = (await self.read_everything(match))[after : upto + 1]
        if found := found if len(found) <= upto - after else found[: -1 - found[-1].index]:
            yield found

    async def standing(self, match: UUID, seq: int) -> Entry | None:
        """See LogReader."""
        log = self._matches.get(match, [])
        undone = (json.decode(one.body)["back_to"] < seq for one in log[seq:] if one.type == "Undone")
        return log[seq - 1] if 0 < seq <= len(log) and not any(undone) else None

    async def stored(self, match: UUID, command: UUID) -> list[Entry]:
        """See Log."""
        return list(self._commands.get((match, command), ()))

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        """See Log."""
        return {match: len(self._matches[match]) for match in matches if match in self._matches}

    async def sealed_key(self, match: UUID) -> bytes | None:
        """See Log."""
        return self._sealed_keys.get(match)

    async def void(self, token: bytes) -> bool:
        """See Log."""
        return token in self.revoked

    async def close(self) -> None:
        """Do nothing: here no append waits."""


def fit(entries: Sequence[Entry], prev: bytes, sealed_key: bytes | None = None) -> None:
    """Check the arguments of an append. Raises Oversized beyond a limit, ValueError if inconsistent."""
    if not entries:
        raise ValueError("a command has at least one fact")
    first, last = entries[0], entries[-1]
    if len(entries) > COMMAND:
        raise Oversized(f"{len(entries)} facts in a command: at most {COMMAND}")
    if (size := sum(len(one.body) for one in entries)) > BODIES:
        raise Oversized(f"{size} bytes in a command: at most {BODIES}")
    if last.seq > MOST:
        raise Oversized(f"fact {last.seq} of a match: at most {MOST}")
    if sealed_key is not None and first.seq != 1:
        raise ValueError("the sealed key of a match comes with its first command")
    if len(prev) != len(ZERO) or first.seq < 1:
        raise ValueError(f"fact {first.seq} cannot follow a hash of {len(prev)} bytes")
    for index, one in enumerate(entries):
        _fit(one, first, index)
        if one.final and one is not last:
            raise ValueError(f"fact {one.seq} is final and not the last of its command")


def _fit(one: Entry, first: Entry, index: int) -> None:
    if len(one.body) > BODY:
        raise Oversized(f"{len(one.body)} bytes in the body of fact {one.seq}: at most {BODY}")
    if (one.match, one.command, one.at) != (first.match, first.command, first.at):
        raise ValueError(f"fact {one.seq} is of another match, command or time than {first.seq}")
    if (one.seq, one.index) != (first.seq + index, index):
        raise ValueError(f"fact {one.seq} is not in its place in the command of {first.seq}")
    if not 0 < one.ver < 1 << 15 or not isinstance(one.audience, Audience) or not 0 <= one.at < YEAR_10000:
        raise ValueError(f"fact {one.seq} has version {one.ver}, audience {one.audience!r}, time {one.at}")
    if not 0 < len(one.type) <= TYPE or not one.type.isprintable() or len(one.hash) != len(ZERO):
        raise ValueError(f"fact {one.seq} has type {one.type!r} and a hash of {len(one.hash)} bytes")
