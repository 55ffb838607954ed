"""Offers and challenges that are taken back: by whoever made them, or since he is here no more.

An offer that is taken back is on no list, and is taken by its links alone. Where a challenge has come to
nothing, who was challenged watches its match no longer. Deliberately absent: who may take something back
(`server.lobby.links`, `server.people.challenges`), and who is told of it (`server.notices.challenged`).
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from server.postgres.database import Connection, PooledConnection

NOTHING: Final = """
NOT s.started AND EXISTS (SELECT FROM lobby.challenge c
                           WHERE c.match_id = m.match_id AND c.answer IN ('declined', 'withdrawn'))
AND NOT EXISTS (SELECT FROM lobby.seat o
                 WHERE o.match_id = m.match_id AND o.strength = '' AND o.person_id IS DISTINCT FROM $1)
"""
"""SQL: whether the challenge to match `m`, standing `s`, came to nothing, and only person $1 sits there."""

_OVER: Final = """
WITH over AS (
  UPDATE lobby.challenge c SET answer = {answer}, answered_at = log.now() WHERE c.answer IS NULL AND {which}
  RETURNING c.match_id, c.challenged)
UPDATE lobby.token t SET revoked_at = log.now() FROM over
 WHERE t.match_id = over.match_id AND t.person_id = over.challenged AND t.kind = 'onlooker'
   AND t.revoked_at IS NULL
RETURNING t.match_id
"""
_OF_MATCH: Final = _OVER.format(answer="'withdrawn'", which="c.match_id = $1")
# A bot of the server has its seat from the start.
_OF_FULL: Final = _OVER.format(
    answer="'withdrawn'",
    which="""c.match_id = $1 AND NOT EXISTS (
      SELECT FROM lobby.token free WHERE free.match_id = $1 AND free.kind = 'seat'
         AND NOT EXISTS (SELECT FROM lobby.seat s WHERE s.match_id = $1 AND s.seat = free.seat))""",
)
_OF_PERSONS: Final = _OVER.format(
    answer="CASE WHEN c.challenged = ANY($1::uuid[]) THEN 'declined' ELSE 'withdrawn' END",
    which="(c.challenged = ANY($1::uuid[]) OR c.challenger = ANY($1::uuid[]))",
)
_OFFER: Final = "UPDATE lobby.match SET withdrawn = true WHERE match_id = $1"
_OFFERS: Final = """
UPDATE lobby.match m SET withdrawn = true
 WHERE m.person_id = ANY($1::uuid[]) AND m.ended_at IS NULL AND NOT m.withdrawn
   AND NOT EXISTS (SELECT FROM view.standings s WHERE s.match_id = m.match_id AND s.started)
"""


async def withdraw(conn: PooledConnection, match: UUID) -> None:
    """Take back an offer, and the challenge to it; tokens of the match may be void then."""
    await conn.execute(_OFFER, match)
    await conn.execute(_OF_MATCH, match)


async def withdraw_if_full(conn: PooledConnection, match: UUID) -> None:
    """Take back the challenge to a match in which no seat is left for whoever is challenged."""
    await conn.execute(_OF_FULL, match)


async def withdraw_all(conn: "Connection | PooledConnection", persons: Sequence[UUID]) -> set[UUID]:
    """Take back what persons have offered who are here no more: their offers and challenges.

    For them those to them are declined. Matches that have begun stay as they are. Return the matches of
    which tokens are void now.
    """
    await conn.execute(_OFFERS, persons)
    return {row["match_id"] for row in await conn.fetch(_OF_PERSONS, persons)}
