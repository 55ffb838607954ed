"""Seats that were taken and not given: a node was killed in between, and whoever took one never came back.

Whoever sends his command again, or says hello with the token he made, completes it himself
(`server.lobby.seats`). A browser that was lost does neither, and a person would sit at no match of his while
the log says that a seat is taken. So every node looks for such seats: when it starts among all that were
asked for within a MONTH, later among those since the look before.

Laws of this module:

1. It is found by when a seat was asked for, by an index, a page at a time: a look costs with what was asked
   for, and not with all matches.
2. Nothing is decided here. `Seats.complete` is idempotent and gives a seat to nobody else than the log says,
   so nodes that look at once, and the node that is at it, do no harm to each other.
3. Two looks overlap by OVERLAP: so long may a command take from its note to the log.

Deliberately absent: who gets a link. A guest has it if his browser kept the token, a person's sessions open
the seat; nobody is told a token that was not his.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from server.lobby.seats import Seats
from server.play.failures import failed, put_off
from server.postgres.database import Pool, connection

LOOK: Final = 5.0
"""Seconds between two looks."""

OVERLAP: Final = timedelta(minutes=2)

MONTH: Final = timedelta(days=30)

PAGE: Final = 1000
"""Seats that were asked for which are gone through by one statement."""

# Scalar subqueries: an EXISTS may be planned as a hash of the whole table.
_ASKED: Final = f"""
SELECT j.created_at, j.hash, j.match_id,
       (SELECT true FROM lobby.token t WHERE t.hash = j.hash) IS NULL
         AND (SELECT f.type FROM log.fact f
               WHERE f.match_id = j.match_id AND f.command_id = j.command_id AND f.cmd_ix = 0)
             IN ('SeatTaken', 'SeatReplaced') AS owed
  FROM lobby.joining j WHERE (j.created_at, j.hash) > ($1, $2)
 ORDER BY j.created_at, j.hash LIMIT {PAGE}
"""  # noqa: S608 a constant


class Unfinished:
    """The seats of this server that were taken and not given."""

    def __init__(self, pool: Pool, seats: Seats) -> None:
        self._pool, self._seats = pool, seats
        self._looked: datetime | None = None
        """When the last look began that found nothing, or completed all that it found."""

    async def run(self) -> None:
        """Complete them until cancelled."""
        while True:
            with put_off("seats not looked after"):
                await self.look()
            await asyncio.sleep(LOOK)

    async def look(self) -> None:
        """Complete those that are found now. Raises what the database does."""
        async with connection(self._pool) as conn:
            now: datetime = await conn.fetchval("SELECT log.now()")
        after = (now - MONTH if self._looked is None else self._looked - OVERLAP), b""
        done, more = True, True
        while more:
            async with connection(self._pool) as conn:
                page = await conn.fetch(_ASKED, *after)
            for row in page:
                if row["owed"]:
                    done = await self._complete(row["match_id"], row["hash"]) and done
            more = len(page) == PAGE
            if more:
                after = page[-1]["created_at"], page[-1]["hash"]
        if done:
            self._looked = now

    async def _complete(self, match: UUID, token: bytes) -> bool:
        """Complete one; whether it need not be tried again."""
        try:
            await self._seats.complete(match, token, self._pool)
        except Exception as why:
            return not failed("a seat not given", why, match=str(match))
        return True
