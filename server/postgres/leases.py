"""Leases: what one node of several does for all, held by name, each by one node at a time.

A lease is an advisory lock of Postgres on a connection that a node keeps for nothing else. It ends with that
connection, however that ends: when the node closes it, is killed, or has shown no sign of life for
UNTIL_LOST. A sign goes out every BEAT seconds and is answered within ANSWER, or the node drops the connection
itself; so it knows that its leases are lost before another can have them, and tells those who hold by them.

A lease is no fence: a node that was stopped in the middle may go on for a moment when another has begun. What
is done under one must do no harm if two do it, and does not: the log stores each decision once, and leaves of
the tree are added under a lock of their own transaction.

Deliberately absent: what is done under which lease.
"""

import asyncio
import contextlib
import hashlib
import random
from collections.abc import Awaitable, Callable, Collection
from typing import Final

import structlog

from server.postgres.database import CONNECT_WITHIN, Connection, lease_connection

log = structlog.get_logger()

BEAT: Final = 1.0
"""Seconds between two signs of life, and between two attempts to connect."""

ANSWER: Final = 3.0
"""Seconds within which Postgres must answer, or all leases count as lost."""

UNTIL_LOST: Final = 6.0
"""Seconds without a sign of life after which Postgres ends the connection: more than BEAT and ANSWER."""

_CLASS: Final = 0x666C_6565
"""The first key of all our advisory locks of two keys: "flee"."""

_TAKE: Final = "SELECT key FROM unnest($2::int[]) AS key WHERE pg_try_advisory_lock($1, key)"
_RELEASE: Final = "SELECT count(pg_advisory_unlock($1, key)) FROM unnest($2::int[]) AS key"
_HERE: Final = "SELECT pg_advisory_lock_shared($1, $2)"
_ALL: Final = """
SELECT objid::bigint::bit(32)::int AS key, count(*) AS holders FROM pg_locks
 WHERE locktype = 'advisory' AND classid::bigint = $1 AND objsubid = 2 AND granted
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
 GROUP BY objid
"""
_NODE: Final = "node"
"""The name that each node holds together with all others, so that they can be counted."""

Lost = Callable[[frozenset[str]], None]
"""Called with the names of leases that this node no longer holds, at once; it must not wait."""


class Leases:
    """The leases of a node. Whatever fails is logged, and means that nothing is held."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._conn: Connection | None = None
        self._held: set[str] = set()
        self._lost: list[Lost] = []
        self._lock = asyncio.Lock()
        self._stopped = False
        self._reached = True

    def when_lost(self, call: Lost) -> None:
        """Call `call` whenever leases are lost or given up."""
        self._lost.append(call)

    def holds(self, name: str) -> bool:
        """Whether this node holds a lease, as far as it knows."""
        return name in self._held

    @property
    def held(self) -> frozenset[str]:
        """The leases that this node holds."""
        return frozenset(self._held)

    async def run(self) -> None:
        """Show signs of life until cancelled."""
        while not self._stopped:
            await self._ask(lambda conn: conn.execute("SELECT 1"))
            await asyncio.sleep(BEAT)

    async def take(self, name: str) -> bool:
        """Take a lease if nobody has it, without waiting; whether this node holds it then."""
        if name not in self._held:
            await self._ask(lambda conn: self._take(conn, [name]))
        return name in self._held

    async def give_up(self, name: str) -> None:
        """Give up a lease, so that another node may take it."""
        if name in self._held:
            await self._ask(lambda conn: self._give_up(conn, [name]))

    async def share(self, names: Collection[str]) -> frozenset[str]:
        """Hold an even share of these leases; return what is held of them.

        As many as there are for each node that is here. What is above that is given up, for a node that came;
        what nobody holds is taken. Several calls lead there, as each node makes its own.
        """
        await self._ask(lambda conn: self._share(conn, names))
        return frozenset(self._held.intersection(names))

    async def stop(self) -> None:
        """Give up all leases at once, and take no more."""
        self._stopped = True
        conn = self._conn
        self._forget(conn)
        if conn is not None:
            with contextlib.suppress(Exception):
                await conn.close(timeout=ANSWER)

    # on the connection

    async def _ask(self, work: Callable[[Connection], Awaitable[object]]) -> None:
        """Do some work on the connection, which is made if there is none. All is lost if that fails."""
        conn = None
        try:
            async with self._lock:
                if self._stopped:
                    return
                conn = self._conn or await self._connect()
                async with asyncio.timeout(ANSWER):
                    await work(conn)
                self._reached = True
        except Exception as why:
            if self._reached:
                log.warning("leases.unreachable", why=type(why).__name__)
            self._reached = False
            self._forget(conn)
            if conn is not None:
                conn.terminate()
        except asyncio.CancelledError:
            self._forget(conn)  # a statement may have been cut off: who knows what is held
            if conn is not None:
                conn.terminate()
            raise

    async def _connect(self) -> Connection:
        conn = await lease_connection(self._dsn, UNTIL_LOST)
        try:
            async with asyncio.timeout(CONNECT_WITHIN):
                # Each statement is known from now on, and is one message, sent whole or not at all. Of a node
                # that is frozen between two messages of one, Postgres waits for the second for ever.
                await conn.fetch(_TAKE, _CLASS, [])
                await conn.fetch(_RELEASE, _CLASS, [])
                await conn.fetch(_ALL, _CLASS)
                await conn.fetch(_HERE, _CLASS, _key(_NODE))
        except BaseException:
            conn.terminate()
            raise
        conn.add_termination_listener(self._forget)
        self._conn = conn
        return conn

    async def _take(self, conn: Connection, names: Collection[str]) -> None:
        keys = {_key(name): name for name in names if name not in self._held}
        rows = await conn.fetch(_TAKE, _CLASS, list(keys)) if keys else []
        if conn is self._conn:
            self._held |= {keys[row["key"]] for row in rows}

    async def _share(self, conn: Connection, names: Collection[str]) -> None:
        holders = {row["key"]: row["holders"] for row in await conn.fetch(_ALL, _CLASS)}
        ours = self._held.intersection(names)
        room = -(-len(names) // holders[_key(_NODE)]) - len(ours)
        if room < 0:
            await self._give_up(conn, random.sample(sorted(ours), -room))
        free = [name for name in names if _key(name) not in holders]
        if room > 0 and free:
            await self._take(conn, random.sample(free, min(room, len(free))))

    async def _give_up(self, conn: Connection, names: Collection[str]) -> None:
        self._held.difference_update(names)
        self._tell(frozenset(names))
        await conn.fetchval(_RELEASE, _CLASS, [_key(name) for name in names])

    def _forget(self, conn: object) -> None:
        """Hold nothing any more, if this is the connection that all was held by."""
        if conn is not None and conn is self._conn:
            self._conn = None
            lost, self._held = frozenset(self._held), set()
            self._tell(lost)

    def _tell(self, lost: frozenset[str]) -> None:
        if lost:
            log.info("leases.lost", leases=len(lost))
            for call in self._lost:
                call(lost)


def _key(name: str) -> int:
    """Return the second key of a lease's advisory lock: 4 bytes of a hash of its name, signed."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big", signed=True)
