"""Whether a key ring opens the matches that have not ended, which is asked before a server serves them.

By another ring no decision of theirs could be taken, and new matches would be sealed with a key that other
nodes do not have. Deliberately absent: a check of every match, of which there may be a million.
"""

from collections import Counter
from typing import Final
from uuid import UUID

import structlog

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

logger = structlog.get_logger()


async def refuse_other_ring(pool: Pool, ring: KeyRing) -> None:
    """Raise KeyFault where matches that have not ended are sealed with a key that is not on the ring.

    Where a key opens others and not some, these were altered in the database: they are logged.
    """
    async with connection(pool) as conn:
        await refuse_other_ring_on(conn, ring)


async def refuse_other_ring_on(conn: "Connection | PooledConnection", ring: KeyRing) -> None:
    """Do the same on a connection that is open already."""
    rows = await conn.fetch(_SEALED, LOOKED_AT)
    closed, opened = dict[UUID, str](), set[str]()
    for match, box in rows:
        try:
            ring.open(match, box)
        except Unsealable:
            closed[match] = sealed_with(box)
        else:
            opened.add(sealed_with(box))
    missing = Counter(name for name in closed.values() if name not in opened)
    if missing:
        raise KeyFault(" ".join(_sentence(ring, name, count) for name, count in missing.items()) + _ADVICE)
    for match, name in closed.items():
        logger.error("key altered", match=str(match), key=name)


_ADVICE: Final = (
    " Put the line with that key back on the key ring (FLEETFOLD_KEYS, or the file `keys` in FLEETFOLD_DATA)"
    " and start again. If it is lost for good, see deploy/runbook.md, Keys."
)


def _sentence(ring: KeyRing, name: str, count: int) -> str:
    whose = "1 match that has not ended is" if count == 1 else f"{count} matches that have not ended are"
    why = "and the key ring has another of that name" if name in ring else "which is not on the key ring"
    return f"{whose} sealed with key {name!r}, {why}."
