"""Whom a person keeps away, and what he reports to the operator.

Who is kept away takes no seat at a table of that person, does not challenge him, says nothing to him there,
and enters no tournament that he directs. With a person all his bots are kept away, a bot alone by itself:
people.keeps_away of the database says it to all who look. Deliberately absent: where that is
(`server.lobby.welcome`, `server.lobby.chat`, `server.tournaments.entering`), and what an operator does about
a report (`fleetfold people`).
"""

from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta, Struct

from domain.match.refusals import RequestError
from server.lobby.fitting import fit
from server.people.persons import look_up, one_at_a_time
from server.people.sessions import Here
from server.postgres.database import Pool, connection

BLOCKS: Final = 200
"""Persons whom one may keep away."""

WORD: Final = 500
REPORTS: Final = 20
"""Reports of a person in a day."""

_BLOCK: Final = """
INSERT INTO people.block (person_id, blocked)
SELECT $1, id FROM people.person WHERE handle = $2 AND id <> $1 ON CONFLICT DO NOTHING
"""
# About whoever had the seat when the line was said: the first of those who were replaced later.
_REPORT: Final = """
INSERT INTO people.report (by, match_id, line, seat, about, text, word)
SELECT $1, c.match_id, c.id, c.seat,
       CASE WHEN before.until IS NULL THEN s.person_id ELSE before.person_id END, c.text, $4
  FROM lobby.chat c LEFT JOIN lobby.seat s ON s.match_id = c.match_id AND s.seat = c.seat
  LEFT JOIN LATERAL (
    SELECT p.until, p.person_id FROM lobby.predecessor p
     WHERE p.match_id = c.match_id AND p.seat = c.seat AND p.until >= c.at
     ORDER BY p.until LIMIT 1) before ON true
 WHERE c.match_id = $2 AND c.id = $3
   AND (c.room = 'onlookers' AND EXISTS (SELECT FROM lobby.match m WHERE m.match_id = $2 AND NOT m.private)
        OR EXISTS (SELECT FROM lobby.seat mine WHERE mine.match_id = $2 AND mine.person_id = $1)
        OR EXISTS (SELECT FROM lobby.predecessor mine
                    WHERE mine.match_id = $2 AND mine.person_id = $1 AND mine.until >= c.at))
    ON CONFLICT DO NOTHING RETURNING id
"""


OVER: Final = "DELETE FROM people.report WHERE done_at < log.now() - interval '1 year'"
"""Removes reports that were dealt with long ago."""


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody, by his handle."""

    handle: str


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of chat that is reported, and why."""

    match: UUID
    line: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    word: str = ""


class Blocks:
    """Whom the persons of this server keep away, and what they report."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def block(self, here: Here, handle: str) -> None:
        """Keep somebody away. Raises RequestError."""
        look_up(handle)
        async with connection(self._pool) as conn, conn.transaction():
            await one_at_a_time(conn, here.person)
            count = await conn.fetchval("SELECT count(*) FROM people.block WHERE person_id = $1", here.person)
            if count >= BLOCKS:
                raise RequestError("too_many", f"you keep {BLOCKS} away already")
            await conn.execute(_BLOCK, here.person, handle)
            known = await conn.fetchval("SELECT id FROM people.person WHERE handle = $1", handle)
        if known is None or known == here.person:
            raise RequestError("no_person", "nobody else here is called so")

    async def unblock(self, here: Here, handle: str) -> None:
        """Keep somebody away no longer. Raises RequestError for what is no handle."""
        look_up(handle)
        async with connection(self._pool) as conn:
            await conn.execute(
                "DELETE FROM people.block b USING people.person p"
                " WHERE b.person_id = $1 AND p.id = b.blocked AND p.handle = $2",
                here.person,
                handle,
            )

    async def report(self, here: Here, asked: Report) -> None:
        """Report a line of chat that one could read. Raises RequestError."""
        word = fit(asked.word.strip(), WORD, "why you report it")
        async with connection(self._pool) as conn, conn.transaction():
            await one_at_a_time(conn, here.person)
            count = await conn.fetchval(
                "SELECT count(*) FROM people.report WHERE by = $1 AND made_at > log.now() - interval '1 day'",
                here.person,
            )
            if count >= REPORTS:
                raise RequestError("too_fast", "you have reported a lot today; write to the operator")
            if await conn.fetchval(_REPORT, here.person, asked.match, asked.line, word) is None:
                known = "SELECT true FROM people.report WHERE by = $1 AND line = $2"
                if not await conn.fetchval(known, here.person, asked.line):
                    raise RequestError("no_match", "there is no such line that you could read")
