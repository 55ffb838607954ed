"""Who is here: how many persons and guests look at the lobby, and the handles of those who let it be seen.

Each process says every EVERY seconds who looks at it there; of all that was said within LASTS the lobby is
told the sum. Guests are counted by their addresses. It is the same for everybody: whom somebody keeps away
shows in nothing. Of a guest nothing is kept, of a person that he is here, for as long as he is. Deliberately
absent: who is at a match (`server.fanout.presence`).
"""

import asyncio
from datetime import timedelta
from typing import Final
from uuid import uuid4

from server.lobby.board import Board
from server.play.failures import put_off
from server.postgres.database import Pool, connection
from server.protocol.listing import WhoIsHere

EVERY: Final = 5.0
LASTS: Final = timedelta(seconds=20)

NAMED: Final = 12
"""Handles that the lobby is told at most: a line."""

_SAY: Final = """
INSERT INTO people.here (process, at, persons, guests)
SELECT $1, clock_timestamp(),
       array(SELECT DISTINCT s.person_id FROM people.session s WHERE s.hash = ANY($2::bytea[])), $3
    ON CONFLICT (process) DO UPDATE
    SET (at, persons, guests) = (excluded.at, excluded.persons, excluded.guests)
"""
_OVER: Final = "DELETE FROM people.here WHERE at < clock_timestamp() - $1::interval"
_HERE: Final = """
WITH said AS MATERIALIZED (
  SELECT persons, guests FROM people.here WHERE at > clock_timestamp() - $1::interval
), there AS (
  SELECT p.handle, p.shown FROM people.person p
   WHERE p.id IN (SELECT unnest(persons) FROM said) AND p.handle IS NOT NULL AND p.banned_at IS NULL
)
SELECT (SELECT count(*) FROM there) AS persons, (SELECT coalesce(sum(guests), 0) FROM said)::int AS guests,
       array(SELECT handle FROM there WHERE shown ORDER BY handle LIMIT $2) AS named
"""


class WhoIs:
    """Who looks at the lobby, on all processes, as the board of this one tells it."""

    def __init__(self, pool: Pool, board: Board) -> None:
        self._pool, self._board = pool, board
        self._process, self._said = uuid4(), False

    async def run(self) -> None:
        """Say who is here, and have the board told who is everywhere, until cancelled."""
        while True:
            with put_off("who is here not said"):
                await self.look()
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Do so once. Raises what the database does."""
        sessions, guests = self._board.who()
        anybody = self._board.watchers > 0
        async with connection(self._pool) as conn:
            await conn.execute(_OVER, LASTS)  # also of processes that are gone
            if anybody or self._said:
                await conn.execute(_SAY, self._process, list(sessions), guests)
            self._said = anybody
            if not anybody:
                return
            row = await conn.fetchrow(_HERE, LASTS, NAMED)
        assert row is not None
        self._board.here = WhoIsHere(row["persons"], row["guests"], row["named"])
