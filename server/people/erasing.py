"""What is kept of a person: given to him whole, and erased by himself, at once.

Erased is all that says who he is. A row without anything in it stays, to which results of others refer, but
not that of a bot to which nothing does; on old matches he is called SOMEONE, and matches, hashes and replays
do not change. A seat of his that somebody has a link to is played on by that link. What he has offered and
has not begun is offered no more. What stands in backups goes with them. Deliberately absent: what is kept in
the log, which knows seats and no persons.
"""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar
from uuid import UUID

from asyncpg import DeadlockDetectedError
from msgspec import json

from domain.match.refusals import RequestError
from server.lobby.seats import SOMEONE
from server.lobby.withdrawing import withdraw_all
from server.people.mailboxes import Mailboxes
from server.people.persons import look_up, micros
from server.people.sessions import Here
from server.postgres.database import Connection, Pool, PooledConnection, connection

T = TypeVar("T")

TRIES: Final = 3
"""Times that an erasing is begun which meets with something else that is under way."""

_PERSON: Final = "SELECT FROM people.person WHERE id = $1 FOR UPDATE"
_IDS: Final = "SELECT id FROM people.person WHERE id = $1 OR owner = $1 ORDER BY id FOR UPDATE"

_BOT: Final = "SELECT id FROM people.person WHERE owner = $1 AND handle = $2 FOR UPDATE"

_ERASE: Final = (
    "DELETE FROM people.session WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.passkey WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.code WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.token WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.ceremony WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.block WHERE person_id = ANY($1::uuid[]) OR blocked = ANY($1::uuid[])",
    "DELETE FROM people.report WHERE by = ANY($1::uuid[])",
    "UPDATE people.report SET text = '' WHERE about = ANY($1::uuid[])",
    "DELETE FROM lobby.challenge WHERE challenger = ANY($1::uuid[]) OR challenged = ANY($1::uuid[])",
    "DELETE FROM people.declined WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.invitation WHERE person_id = ANY($1::uuid[])",
    """
    DELETE FROM people.entrant e USING people.tournament t
     WHERE e.person_id = ANY($1::uuid[]) AND t.id = e.tournament AND t.state = 'open'
    """,
    "UPDATE people.tournament SET name = 'A tournament', about = '' WHERE director = ANY($1::uuid[])",
    """
    UPDATE lobby.match m SET label = '' FROM people.pairing q JOIN people.tournament t ON t.id = q.tournament
     WHERE m.match_id = q.match_id AND t.director = ANY($1::uuid[])
    """,
    "UPDATE people.ruling SET reason = '' WHERE by = ANY($1::uuid[])",
    "DELETE FROM people.outbox WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.channel WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.holiday WHERE person_id = ANY($1::uuid[])",
    """
    DELETE FROM people.mailed m WHERE m.person_id = ANY($1::uuid[])
        OR EXISTS (SELECT FROM people.mail a WHERE a.person_id = ANY($1::uuid[]) AND a.mark = m.mark)
    """,
    "DELETE FROM people.mail WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.oidc WHERE person_id = ANY($1::uuid[])",
    "DELETE FROM people.leaving WHERE person_id = ANY($1::uuid[])",
    """
    DELETE FROM lobby.chat c USING lobby.seat s
     WHERE s.person_id = ANY($1::uuid[]) AND c.match_id = s.match_id AND c.seat = s.seat
       AND NOT EXISTS (SELECT FROM lobby.predecessor p
                        WHERE p.match_id = s.match_id AND p.seat = s.seat AND p.until >= c.at)
    """,
    """
    DELETE FROM lobby.chat c USING lobby.predecessor s
     WHERE s.person_id = ANY($1::uuid[]) AND c.match_id = s.match_id AND c.seat = s.seat AND c.at <= s.until
       AND NOT EXISTS (SELECT FROM lobby.predecessor p WHERE p.match_id = s.match_id AND p.seat = s.seat
                                                         AND p.until < s.until AND p.until >= c.at)
    """,
    f"UPDATE lobby.seat SET name = '{SOMEONE}' WHERE person_id = ANY($1::uuid[])",  # noqa: S608 a constant
    f"UPDATE lobby.predecessor SET name = '{SOMEONE}' WHERE person_id = ANY($1::uuid[])",  # noqa: S608
    f"UPDATE lobby.joining SET name = '{SOMEONE}' WHERE person_id = ANY($1::uuid[])",  # noqa: S608
    "UPDATE lobby.match SET label = '', person_id = NULL WHERE person_id = ANY($1::uuid[])",
    """
    UPDATE people.person SET handle = NULL, name = '', about = '', locale = '', zone = 'UTC', night = NULL,
                             shown = false, erased_at = log.now() WHERE id = ANY($1::uuid[])
    """,
)
"""What is carried out, in one transaction, for a person and his bots. Whoever adds a table that says
something of a person adds a line here, and one in `_EXPORT`."""

_VOID: Final = """
UPDATE lobby.token SET revoked_at = log.now() WHERE person_id = ANY($1::uuid[]) AND revoked_at IS NULL
RETURNING match_id
"""

# Where something may be a bot's, too, `bot` is its handle, null where it is his own.
_HIS: Final = "$1 IN (h.id, h.owner)"
_BOTS: Final = "CASE WHEN h.id <> $1 THEN h.handle END AS bot"

_EXPORT: Final = {
    "person": """
        SELECT handle, name, about, locale, zone, night, shown, created_at, seen_at, muted_at, banned_at
          FROM people.person WHERE id = $1
    """,
    "passkeys": """
        SELECT name, created_at, used_at, transports FROM people.passkey WHERE person_id = $1 ORDER BY id
    """,
    "providers": """
        SELECT issuer, subject, created_at, used_at FROM people.oidc WHERE person_id = $1
    """,
    "sessions": """
        SELECT browser, created_at, seen_at FROM people.session WHERE person_id = $1 ORDER BY id
    """,
    "bots": """
        SELECT handle, name, created_at, seen_at, muted_at, banned_at FROM people.person WHERE owner = $1
         ORDER BY id
    """,
    "tokens": """
        SELECT b.handle AS bot, t.name, t.scopes, t.created_at, t.used_at
          FROM people.token t JOIN people.person b ON b.id = t.person_id WHERE b.owner = $1 ORDER BY t.id
    """,
    "channels": """
        SELECT kind, name, state, away, quiet, digest, made_at FROM people.channel
         WHERE person_id = $1 ORDER BY made_at, id
    """,
    "notices": """
        SELECT c.kind AS channel, o.kind, o.match_id AS match, o.tournament, o.made_at, o.sent_at, o.outcome
          FROM people.outbox o JOIN people.channel c ON c.id = o.channel
         WHERE o.person_id = $1 ORDER BY o.made_at, o.id
    """,
    "holiday": """
        SELECT since, until FROM people.holiday WHERE person_id = $1
    """,
    "offers": f"""
        SELECT m.match_id AS match, m.title, m.scenario, m.label, m.created_at, {_BOTS}
          FROM people.person h JOIN lobby.match m ON m.person_id = h.id WHERE {_HIS} ORDER BY m.match_id
    """,  # noqa: S608 constants of this module
    "seats": f"""
        SELECT s.match_id AS match, m.title, m.scenario, s.seat, s.name, {_BOTS}
          FROM people.person h JOIN lobby.seat s ON s.person_id = h.id JOIN lobby.match m USING (match_id)
         WHERE {_HIS} ORDER BY s.match_id, s.seat
    """,  # noqa: S608 constants of this module
    "seats_before": f"""
        SELECT s.match_id AS match, m.title, m.scenario, s.seat, s.name, s.until, {_BOTS}
          FROM people.person h JOIN lobby.predecessor s ON s.person_id = h.id
          JOIN lobby.match m USING (match_id) WHERE {_HIS} ORDER BY s.match_id, s.seat, s.until
    """,  # noqa: S608 constants of this module
    "ratings": f"""
        SELECT r.title, r.rating, r.deviation, r.matches, r.last_at, {_BOTS}
          FROM people.person h JOIN view.rating r ON r.subject = h.id::text WHERE {_HIS}
         ORDER BY h.id, r.title
    """,  # noqa: S608 constants of this module
    "results": f"""
        SELECT r.match_id AS match, r.title, r.scenario, r.side, r.score, r.ended_at, r.rating, r.deviation,
               {_BOTS}
          FROM people.person h JOIN view.rated r ON r.subject = h.id::text WHERE {_HIS}
         ORDER BY r.ended_at, r.match_id
    """,  # noqa: S608 constants of this module
    "blocked": """
        SELECT p.handle, b.made_at FROM people.block b JOIN people.person p ON p.id = b.blocked
         WHERE b.person_id = $1 ORDER BY b.made_at
    """,
    "reports": """
        SELECT match_id AS match, text, word, made_at FROM people.report WHERE by = $1 ORDER BY id
    """,
    "challenges": """
        SELECT c.match_id AS match, b.handle AS by, t.handle AS to, c.word, c.made_at, c.answer, c.reply
          FROM lobby.challenge c JOIN people.person b ON b.id = c.challenger
          JOIN people.person t ON t.id = c.challenged
         WHERE $1 IN (b.id, b.owner, t.id, t.owner) ORDER BY c.made_at
    """,
    "rematches": """
        SELECT n.rematch_of AS match, d.word, d.at FROM people.declined d JOIN lobby.match n USING (match_id)
          JOIN people.person h ON h.id = d.person_id WHERE $1 IN (h.id, h.owner) ORDER BY d.at
    """,
    "tournaments": f"""
        SELECT t.id, t.name, t.about, t.title, t.director = h.id AS directed, e.number, e.entered_at,
               e.withdrawn_at, e.place, i.made_at AS invited_at, {_BOTS}
          FROM people.person h CROSS JOIN people.tournament t
          LEFT JOIN people.entrant e ON (e.tournament, e.person_id) = (t.id, h.id)
          LEFT JOIN people.invitation i ON (i.tournament, i.person_id) = (t.id, h.id)
         WHERE {_HIS} AND (t.director = h.id OR e.person_id IS NOT NULL OR i.person_id IS NOT NULL
            OR EXISTS (SELECT FROM people.entrant_before b WHERE (b.tournament, b.person_id) = (t.id, h.id)))
         ORDER BY t.id, h.id
    """,  # noqa: S608 constants of this module
    "rulings": """
        SELECT tournament, at, what, entrant, pairing, reason FROM people.ruling WHERE by = $1 ORDER BY id
    """,
    "chat": f"""
        SELECT c.match_id AS match, c.at, c.text, {_BOTS}
          FROM people.person h CROSS JOIN lobby.chat c
         WHERE {_HIS} AND h.id = coalesce(
                 (SELECT coalesce(p.person_id, '00000000-0000-0000-0000-000000000000')
                    FROM lobby.predecessor p
                   WHERE p.match_id = c.match_id AND p.seat = c.seat AND p.until >= c.at
                   ORDER BY p.until LIMIT 1),
                 (SELECT s.person_id FROM lobby.seat s WHERE s.match_id = c.match_id AND s.seat = c.seat))
           AND c.match_id IN (SELECT match_id FROM lobby.seat WHERE person_id = h.id
                              UNION SELECT match_id FROM lobby.predecessor WHERE person_id = h.id)
         ORDER BY c.id
    """,  # noqa: S608 constants of this module
}


class Erasing:
    """What is kept of persons, given and erased."""

    def __init__(self, pool: Pool, mailboxes: Mailboxes) -> None:
        self._pool, self._mailboxes = pool, mailboxes

    async def export(self, here: Here) -> bytes:
        """Return all that is kept of a person, as `kept` does."""
        async with (
            connection(self._pool) as conn,
            conn.transaction(isolation="repeatable_read", readonly=True),
        ):
            return await kept(conn, here.person, self._mailboxes)

    async def erase(self, here: Here, handle: str) -> list[UUID]:
        """Erase a person, who has typed his handle; return the matches of which tokens are void now.

        Raises RequestError.
        """
        if handle.strip().lower() != here.handle:
            raise RequestError("bad_text", f"to erase all of it, type your handle: {here.handle}")

        async def once() -> list[UUID]:
            async with connection(self._pool) as conn, conn.transaction():
                return await erase(conn, here.person)

        return await through(once)

    async def erase_bot(self, here: Here, handle: str) -> list[UUID]:
        """Erase a bot of a person; return as `erase` does. Raises RequestError."""

        async def once() -> list[UUID]:
            async with connection(self._pool) as conn, conn.transaction():
                bot = await conn.fetchval(_BOT, here.person, look_up(handle))
                if bot is None:
                    raise RequestError("no_person", "you have no bot that is called so")
                void = await _erase(conn, [bot])
                await conn.execute("SELECT people.forget_bot($1)", bot)
                return void

        return await through(once)


async def through(once: Callable[[], Awaitable[T]]) -> T:
    """Erase somebody by `once`, which opens a transaction of its own; return what it does.

    It is begun again where it and something else have waited for each other: he enters a tournament, or takes
    a seat, just now. Raises what `once` does, DeadlockDetectedError at the last of TRIES.
    """
    for _ in range(TRIES - 1):
        with contextlib.suppress(DeadlockDetectedError):
            return await once()
    return await once()


async def kept(conn: "Connection | PooledConnection", person: UUID, mailboxes: Mailboxes) -> bytes:
    """Return all that is kept of a person, as JSON; times are in microseconds since the epoch."""
    found: dict[str, Any] = {
        name: [{key: _plain(value) for key, value in row.items()} for row in await conn.fetch(query, person)]
        for name, query in _EXPORT.items()
    }
    found["mail"] = await mailboxes.of(conn, person)
    return json.format(json.encode(found), indent=2)


async def erase(conn: "Connection | PooledConnection", person: UUID) -> list[UUID]:
    """Erase a person with his bots; return the matches of which tokens are void now."""
    # Who waits for a lock sees rows as of before: a bot that is being made would be left out.
    await conn.execute(_PERSON, person)
    return await _erase(conn, [row["id"] for row in await conn.fetch(_IDS, person)])


async def _erase(conn: "Connection | PooledConnection", ids: list[UUID]) -> list[UUID]:
    void = {row["match_id"] for row in await conn.fetch(_VOID, ids)} | await withdraw_all(conn, ids)
    for statement in _ERASE:
        await conn.execute(statement, ids)
    return sorted(void)


def _plain(value: Any) -> Any:
    return micros(value) if hasattr(value, "tzinfo") else value
