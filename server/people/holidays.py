"""A holiday of a person, for as long as it lasts: at matches that begin, or become his, in the meantime.

The page says it at all matches that are going on (`server.http.holidays`). Of the others nobody knows yet
when they begin, and he is away then. So the server looks for them and says the rest of it, by the command
that the seat would send.

Laws of this module:

1. A person has one holiday, and it is said at a seat once: by an id that follows from that of the request,
   whoever says it. So a node that is killed in between has said it, or the next one does.
2. Its row is locked while it is said at a match. Who comes back waits for that, and then ends it there too.
3. The rest is counted in whole days, as a day that has begun is spent. A match that refuses it, for too few
   days left, is not asked again.

Deliberately absent: what a holiday is, and how many days there are (`domain.match.holidays`), whom it is told
to (`server.notices`).
"""

import asyncio
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid5

from domain.match.refusals import RequestError
from server.play import acts
from server.play.failures import failed, put_off
from server.play.matches import BadToken, Matches
from server.postgres.database import Pool, connection

LOOK: Final = 5.0
"""Seconds between two looks."""

WITHIN: Final = 2.0
"""Seconds that a match has to take it; so long is a holiday locked, and who comes back waits."""

AT_ONCE: Final = 100
"""Seats at which it is said in one look."""

KEPT: Final = timedelta(days=30)
"""How long after its end a holiday is kept, so that a request for it that comes again begins no other."""

DAY: Final = timedelta(days=1)

_BEGIN: Final = """
INSERT INTO people.holiday AS h (person_id, command, until)
VALUES ($1, $2, log.now() + make_interval(hours => 24 * $3))
    ON CONFLICT (person_id) DO UPDATE
   SET command = excluded.command, since = excluded.since, until = excluded.until, told = '{}'
 WHERE h.until <= excluded.since AND h.command <> excluded.command
"""
_UNTIL: Final = "SELECT until FROM people.holiday WHERE person_id = $1 AND until > log.now()"
_END: Final = "UPDATE people.holiday SET until = log.now() WHERE person_id = $1 AND until > log.now()"

# By chance, so that those at which it fails keep no others waiting.
_OWED: Final = f"""
SELECT h.person_id, t.match_id, t.seat
  FROM people.holiday h
  JOIN lobby.token t ON t.person_id = h.person_id AND t.kind = 'seat' AND t.revoked_at IS NULL
  JOIN lobby.match m ON m.match_id = t.match_id AND m.clocked AND m.ended_at IS NULL
  JOIN view.standings s ON s.match_id = t.match_id AND s.started AND NOT s.over
 WHERE h.until > (SELECT log.now()) AND t.match_id || ' ' || t.seat <> ALL(h.told)
 ORDER BY random() LIMIT {AT_ONCE}
"""  # noqa: S608 constants of this module
_HOLD: Final = """
SELECT h.command, h.until, log.now() AS now, t.hash
  FROM people.holiday h
  JOIN lobby.token t ON t.person_id = h.person_id AND t.match_id = $2 AND t.seat = $3 AND t.kind = 'seat'
                    AND t.revoked_at IS NULL
 WHERE h.person_id = $1 AND h.until > log.now() AND $4 <> ALL(h.told)
   FOR UPDATE OF h SKIP LOCKED
"""
_TOLD: Final = "UPDATE people.holiday SET told = array_append(told, $2) WHERE person_id = $1"
_OLD: Final = "DELETE FROM people.holiday WHERE until < (SELECT log.now()) - $1::interval"


class Holidays:
    """The holidays of all persons. Every node looks after them, and each thing is done by one."""

    def __init__(self, pool: Pool, matches: Matches) -> None:
        self._pool, self._matches = pool, matches
        self._given_up: set[tuple[UUID, UUID, int]] = set()
        """Persons and seats at which it failed as it would again; until this node starts anew."""

    async def begin(self, person: UUID, command: UUID, days: int) -> datetime | None:
        """Note that a person is on holiday from now on, by a request. One that lasts already goes on.

        Returns until when he is; None where he is not, as the request is an old one.
        """
        async with connection(self._pool) as conn:
            await conn.execute(_BEGIN, person, command, days)
        return await self.until(person)

    async def until(self, person: UUID) -> datetime | None:
        """Return until when a person is on holiday; None where he is not."""
        async with connection(self._pool) as conn:
            until: datetime | None = await conn.fetchval(_UNTIL, person)
        return until

    async def end(self, person: UUID) -> None:
        """Note that a person is back: from then on it is said at no further match."""
        async with connection(self._pool) as conn:
            await conn.execute(_END, person)

    async def run(self) -> None:
        """Say holidays at matches that have begun since, until cancelled."""
        while True:
            with put_off("holidays not looked after"):
                await self.look()
            await asyncio.sleep(LOOK)

    async def look(self) -> None:
        """Say each holiday where that is due. Raises what the database does."""
        async with connection(self._pool) as conn:
            await conn.execute(_OLD, KEPT)
            owed = await conn.fetch(_OWED)
        for person, match, seat in owed:
            if (person, match, seat) in self._given_up:
                continue
            try:
                await self._say(person, match, seat)
            except Exception as why:
                if not failed("a holiday not said", why, match=str(match)):
                    self._given_up.add((person, match, seat))

    async def _say(self, person: UUID, match: UUID, seat: int) -> None:
        at = f"{match} {seat}"
        async with connection(self._pool) as conn, conn.transaction():
            row = await conn.fetchrow(_HOLD, person, match, seat, at)
            if row is None:  # another node is at it, or he is back
                return
            act = acts.holiday(seat, rest(row["until"], row["now"]), self._matches.now)
            own = said_by(row["command"], match, seat)
            try:
                await self._matches.command(match, own, *act, row["hash"], within=WITHIN)
            except BadToken:  # and the next look finds whether he has another
                return
            except RequestError:
                pass
            await conn.execute(_TOLD, person, at)


def said_by(command: UUID, match: UUID, seat: int) -> UUID:
    """Return the id of the command by which a holiday is said at a seat, or that one is back."""
    return uuid5(command, f"{match} {seat}")


def rest(until: datetime, now: datetime) -> int:
    """Return how many days are left, the one that has begun among them."""
    return -((now - until) // DAY)
