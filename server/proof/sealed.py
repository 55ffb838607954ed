"""Whether a key ring opens the matches that have not ended, which is asked before a server serves them.

By another ring no decision of theirs could be taken, and new matches would be sealed with a key that other
nodes do not have. Deliberately absent: a check of every match, of which there may be a million.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final
from uuid import UUID

import structlog
from asyncpg import Record

from server.postgres.database import Connection, Pool, PooledConnection, connection
from server.proof.keys import KeyFault, KeyRing, Unsealable, sealed_with

LOOKED_AT: Final = 2000
"""Of the matches that have not ended so many of the latest are looked at, and as many of the oldest: a wrong
ring is found by the latest, one from which an old key was taken away by the oldest."""

# A match that has no end in the lobby may have one on the log; one without a fact was never made.
_SEALED: Final = """
WITH going AS (
  (SELECT match_id FROM lobby.match WHERE ended_at IS NULL ORDER BY match_id DESC LIMIT $1)
   UNION
  (SELECT match_id FROM lobby.match WHERE ended_at IS NULL ORDER BY match_id LIMIT $1)
)
SELECT match_id, s.box FROM going JOIN log.secret s USING (match_id)
 WHERE NOT (SELECT final FROM log.fact f WHERE f.match_id = going.match_id ORDER BY seq DESC LIMIT 1)
"""

_ALL: Final = """
SELECT m.match_id, s.box FROM lobby.match m JOIN log.secret s USING (match_id)
 WHERE m.ended_at IS NULL
   AND NOT (SELECT final FROM log.fact f WHERE f.match_id = m.match_id ORDER BY seq DESC LIMIT 1)
"""
_GIVE_UP: Final = """
UPDATE lobby.match m
   SET ended_at = (SELECT at FROM log.fact f WHERE f.match_id = m.match_id ORDER BY seq DESC LIMIT 1)
 WHERE match_id = ANY($1)
"""

logger = structlog.get_logger()


async def refuse_other_ring(pool: Pool, ring: KeyRing) -> None:
    """Raise KeyFault where matches that have not ended are sealed with a key that is not on the ring.

    Where a key opens others and not some, these were altered in the database: they are logged.
    """
    async with connection(pool) as conn:
        await refuse_other_ring_on(conn, ring)


async def refuse_other_ring_on(conn: "Connection | PooledConnection", ring: KeyRing) -> None:
    """Do the same on a connection that is open already."""
    closed, missing = _closed(await conn.fetch(_SEALED, LOOKED_AT), ring)
    if missing:
        raise KeyFault(" ".join(_sentence(ring, name, count) for name, count in missing.items()) + _ADVICE)
    for match, name in closed.items():
        logger.error("key altered", match=str(match), key=name)


async def give_up(conn: Connection, ring: KeyRing | None) -> int:
    """Note as ended all matches that go on and are sealed with a key that the ring lacks; return how many.

    They ended with their last facts, as far as anybody can tell: none can follow.
    """
    closed, missing = _closed(await conn.fetch(_ALL), ring)
    lost = [match for match, name in closed.items() if name in missing]
    await conn.execute(_GIVE_UP, lost)
    return len(lost)


def _closed(rows: Iterable[Record], ring: KeyRing | None) -> tuple[dict[UUID, str], Counter[str]]:
    """Return the matches that a ring does not open, by the names of their keys, and those that open none."""
    closed, opened = dict[UUID, str](), set[str]()
    for match, box in rows:
        if ring is not None and _opens(ring, match, box):
            opened.add(sealed_with(box))
        else:
            closed[match] = sealed_with(box)
    return closed, Counter(name for name in closed.values() if name not in opened)


def _opens(ring: KeyRing, match: UUID, box: bytes) -> bool:
    try:
        ring.open(match, box)
    except Unsealable:
        return False
    return True


_ADVICE: Final = (
    " Put the line with that key back on the key ring (FLEETFOLD_KEYS, or the file `keys` in FLEETFOLD_DATA)"
    " and start again. If it is lost for good, see deploy/runbook.md, Keys."
)


def _sentence(ring: KeyRing, name: str, count: int) -> str:
    whose = "1 match that has not ended is" if count == 1 else f"{count} matches that have not ended are"
    why = "and the key ring has another of that name" if name in ring else "which is not on the key ring"
    return f"{whose} sealed with key {name!r}, {why}."
