"""Who of those that watch the lobby has to be told of a challenge by or to him or his bot, or of a rematch.

Once a second one query asks what has come of these within WINDOW, by the sessions that watch; what was
told of it before is known here. Nothing is asked while nobody who is signed in watches. Deliberately absent:
what a challenge is (`server.people.challenges`), and notices of it to who is away (`server.notices`).
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Final
from uuid import UUID

from server.lobby.listing import SAT
from server.postgres.database import Pool, connection

WINDOW: Final = timedelta(seconds=15)
"""For so long one may be committed, or have its standing, later than it was made."""

_NEWS: Final = f"""
WITH since AS MATERIALIZED (SELECT log.now() - $2::interval AS at),
     news AS MATERIALIZED (
  SELECT * FROM lobby.challenge WHERE made_at > (SELECT at FROM since)
   UNION
  SELECT * FROM lobby.challenge WHERE answered_at > (SELECT at FROM since)
)
SELECT p.hash, news.match_id, news.answer
  FROM news JOIN people.person whom ON whom.id = news.challenged
  JOIN people.session p ON p.person_id IN (news.challenger, whom.id, whom.owner)
  JOIN view.standings s USING (match_id)
 WHERE p.hash = ANY($1::bytea[]) AND (news.answer IS NOT NULL OR {SAT})
 UNION ALL
SELECT p.hash, n.match_id, NULL
  FROM lobby.match n JOIN view.standings s USING (match_id)
  JOIN lobby.seat had ON had.match_id = n.rematch_of JOIN people.session p ON p.person_id = had.person_id
 WHERE n.rematch_of IS NOT NULL AND n.created_at > clock_timestamp() - $2::interval
   AND p.hash = ANY($1::bytea[]) AND {SAT}
"""  # noqa: S608 a constant of this package


class Calls:
    """What those who watch on this node were told of challenges."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._told: set[tuple[bytes, UUID, str | None]] = set()

    async def news(self, sessions: Collection[bytes]) -> set[bytes]:
        """Return which of these sessions, by their hashes, are to be told. Raises what the query does."""
        if not sessions:
            self._told.clear()
            return set()
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_NEWS, list(sessions), WINDOW)
        found = {(row["hash"], row["match_id"], row["answer"]) for row in rows}
        new, self._told = found - self._told, found
        return {session for session, _, _ in new}
