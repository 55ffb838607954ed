"""Who is muted by the operator, and his bots with him: he writes nothing that others read.

Deliberately absent: lines of chat (`server.lobby.chat`), which are a seat's as well.
"""

from typing import Final
from uuid import UUID

from domain.match.refusals import RequestError
from server.postgres.database import PooledConnection

_MUTED: Final = """
SELECT EXISTS (SELECT FROM people.person p LEFT JOIN people.person o ON o.id = p.owner
                WHERE p.id = $1 AND coalesce(p.muted_at, o.muted_at) IS NOT NULL)
"""


async def check_heard(conn: PooledConnection, person: UUID, instead: str) -> None:
    """Raise RequestError where a person or bot is muted; it says what he may do instead."""
    if await conn.fetchval(_MUTED, person):
        raise RequestError("not_allowed", f"the operator of this server has muted you: {instead}")
