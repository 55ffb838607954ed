"""What the operator sees of persons, and does about them: muted, banned, and that taken back.

Who is muted writes nothing to others, nor do his bots: no lines of chat, no labels of offers, nothing new of
himself. Who is banned has no session from then on and comes in by no way; his bots' tokens are good for
nothing. What he and they have offered and has not begun is offered no more, and they are not challenged.
Links are not his alone, and go on. Deliberately absent: who is the operator (`server.commands.people`), and
how somebody is erased (`server.people.erasing`).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from asyncpg import Record
from msgspec import Struct

from domain.match.refusals import RequestError
from server.lobby.withdrawing import withdraw_all
from server.people.persons import micros
from server.postgres.database import Connection

Mark = Literal["muted", "banned"]

SHOWN: Final = 1000
"""Persons on a list at most."""

_LOOK: Final = """
SELECT p.id, p.handle, p.name, p.about, p.created_at, p.seen_at, p.muted_at, p.banned_at,
       coalesce(o.handle, '') AS owner,
       (SELECT count(*) FROM people.passkey k WHERE k.person_id = p.id) AS passkeys,
       (SELECT count(*) FROM people.session s WHERE s.person_id = p.id) AS sessions,
       (SELECT count(*) FROM people.person b WHERE b.owner = p.id AND b.handle IS NOT NULL) AS bots,
       (SELECT count(*) FROM lobby.seat s WHERE s.person_id = p.id) AS seats
  FROM people.person p LEFT JOIN people.person o ON o.id = p.owner
"""
_LIST: Final = f"""
{_LOOK}
 WHERE p.handle IS NOT NULL AND (p.handle LIKE $1 OR p.name ILIKE $1)
   AND ($2::text = '' OR ($2 = 'muted' AND p.muted_at IS NOT NULL)
                      OR ($2 = 'banned' AND p.banned_at IS NOT NULL))
 ORDER BY p.seen_at DESC, p.id LIMIT {SHOWN}
"""
_ONE: Final = f"{_LOOK} WHERE p.handle = $1"
_MARK: Final[dict[Mark, str]] = {
    "muted": "UPDATE people.person SET muted_at = CASE WHEN $2 THEN log.now() END WHERE id = $1",
    "banned": "UPDATE people.person SET banned_at = CASE WHEN $2 THEN log.now() END WHERE id = $1",
}
_SESSIONS: Final = "DELETE FROM people.session WHERE person_id = $1"
_HANDS: Final = "SELECT id FROM people.person WHERE id = $1 OR owner = $1"


class Looked(Struct, frozen=True):
    """A person or bot as the operator sees him. Times are in microseconds since the epoch.

    `owner` is the handle of a bot's person. The last four are counts.
    """

    id: UUID
    handle: str
    name: str
    about: str
    since: int
    seen: int
    muted: int | None
    banned: int | None
    owner: str
    passkeys: int
    sessions: int
    bots: int
    seats: int


async def listed(conn: Connection, words: str = "", mark: Mark | Literal[""] = "") -> Sequence[Looked]:
    """Return persons and bots, who was seen last first: with words in handle or name, with a mark."""
    plain = words.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return [_looked(row) for row in await conn.fetch(_LIST, f"%{plain}%", mark)]


async def looked_at(conn: Connection, handle: str) -> Looked:
    """Return one person or bot. Raises RequestError: no_person."""
    row = await conn.fetchrow(_ONE, handle.lower())
    if row is None:
        raise RequestError("no_person", f"Nobody is called {handle} here.")
    return _looked(row)


async def mark(conn: Connection, person: UUID, what: Mark, *, on: bool) -> None:
    """Mute or ban somebody, or take that back; who is banned has no session and no offer any more."""
    await conn.execute(_MARK[what], person, on)
    if what == "banned" and on:
        await conn.execute(_SESSIONS, person)
        await withdraw_all(conn, [row["id"] for row in await conn.fetch(_HANDS, person)])


def _looked(row: Record) -> Looked:
    values: dict[str, Any] = {
        name: micros(value) if isinstance(value, datetime) else value for name, value in row.items()
    }
    return Looked(
        values["id"],
        values["handle"],
        values["name"],
        values["about"],
        values["created_at"],
        values["seen_at"],
        values["muted_at"],
        values["banned_at"],
        values["owner"],
        values["passkeys"],
        values["sessions"],
        values["bots"],
        values["seats"],
    )
