"""Whom the director of a tournament may invite, to enter it or to the place of somebody.

Deliberately absent: what an invitation is good for (`server.tournaments.entering`).
"""

from typing import Final
from uuid import UUID

from asyncpg import Record

from domain.match.refusals import RequestError
from server.notices.due import WAIT
from server.notices.invited import INVITED
from server.people.persons import look_up
from server.people.sessions import Here
from server.postgres.database import PooledConnection

ASKED: Final = 300
"""Invitations to a tournament that are not taken back or used up."""

_BY_HANDLE: Final = """
SELECT p.id, p.owner IS NOT NULL AS bot,
       people.keeps_away(p.id, $2) AS kept_away, people.keeps_away($2, p.id) AS keeps_away
  FROM people.person p WHERE p.handle = $1
"""
_MUTED: Final = "SELECT muted_at IS NOT NULL FROM people.person WHERE id = $1"
_ASKED: Final = "SELECT count(*) FROM people.invitation WHERE tournament = $1"
_INVITE: Final = """
INSERT INTO people.invitation (tournament, person_id, place) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""
UNINVITE: Final = """
DELETE FROM people.invitation i USING people.person p
 WHERE i.tournament = $1 AND p.id = i.person_id AND p.handle = $2
"""
_IN_IT: Final = """
SELECT EXISTS (SELECT FROM people.entrant WHERE tournament = $1 AND person_id = $2)
"""


async def check_heard(conn: PooledConnection, here: Here) -> None:
    """Raise RequestError where the operator has muted a director: reasons and invitations are words, too."""
    if await conn.fetchval(_MUTED, here.person):
        raise RequestError("not_allowed", "the operator of this server has muted you")


async def invite(conn: PooledConnection, row: Record, whom: UUID, number: int | None) -> None:
    """Invite somebody, to a place if its number is given, and have him told. Raises RequestError."""
    if await conn.fetchval(_ASKED, row["id"]) >= ASKED:
        raise RequestError("too_many", f"{ASKED} are invited already: take some of these invitations back")
    if await conn.execute(_INVITE, row["id"], whom, number) != "INSERT 0 0":
        await conn.execute(INVITED, row["id"], whom, number, WAIT)


async def invitable(conn: PooledConnection, row: Record, handle: str) -> UUID:
    """Return who has a handle and may be invited to a tournament. Raises RequestError."""
    whom = await conn.fetchrow(_BY_HANDLE, look_up(handle), row["director"])
    if whom is None:
        raise RequestError("no_person", "nobody here is called so")
    if whom["bot"] and not row["bots"]:
        raise RequestError("not_allowed", "this tournament is for persons, not for bots")
    if whom["kept_away"]:
        raise RequestError("not_allowed", "this person is not invited by you")
    if whom["keeps_away"]:
        raise RequestError("not_allowed", "you keep this person away")
    found: UUID = whom["id"]
    return found


async def offer_place(conn: PooledConnection, row: Record, handle: str, number: int) -> None:
    """Offer the place of an entrant to somebody who is not in the tournament. Raises RequestError."""
    whom = await invitable(conn, row, handle)
    if await conn.fetchval(_IN_IT, row["id"], whom):
        raise RequestError("not_allowed", "whoever is offered a place has none here yet")
    await conn.execute(UNINVITE, row["id"], look_up(handle))
    await invite(conn, row, whom, number)
