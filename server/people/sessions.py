"""Sessions: browsers that are signed in, and bots that have come by a token of theirs.

The token of a session is in the browser's cookie, its SHA-256 in the database. A session ends when it is
ended, when it was not used for DAYS, or when its person is erased or banned; one that a passkey began, when
that is removed elsewhere. A bot's token begins with SIGN, so that it is taken neither for a session's nor for
a link's; it is good until it is removed, or the bot or its owner is erased or banned. Deliberately absent:
the cookie (`server.people.cookies`), and how tokens are made (`server.people.bots`).
"""

import re
import secrets
from collections.abc import Collection
from typing import Final, get_args
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.lobby.tokens import TOKEN, digest, written
from server.people.cookies import DAYS
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol.people import Scope

BROWSERS: Final = 50
"""Sessions of a person: where there would be more, those that were not used for longest end."""

_IN_FORCE: Final = f"""
s.seen_at > log.now() - interval '{DAYS} days' AND p.banned_at IS NULL AND p.erased_at IS NULL
"""
_BOTS: Final = """
people.token t JOIN people.person p ON p.id = t.person_id AND p.banned_at IS NULL AND p.erased_at IS NULL
               JOIN people.person o ON o.id = p.owner AND o.banned_at IS NULL AND o.erased_at IS NULL
"""
_OF: Final = f"""
SELECT s.id, s.person_id, p.handle, p.name, NULL AS scopes,
       s.seen_at < log.now() - interval '1 hour' AS stale
  FROM people.session s JOIN people.person p ON p.id = s.person_id WHERE s.hash = $1 AND {_IN_FORCE}
UNION ALL
SELECT t.id, t.person_id, p.handle, p.name, t.scopes,
       coalesce(t.used_at < log.now() - interval '1 hour', true)
  FROM {_BOTS} WHERE t.hash = $1
"""  # noqa: S608 constants of this module
_SLIDE: Final = "UPDATE people.session SET seen_at = log.now() WHERE hash = $1"
_USED: Final = "UPDATE people.token SET used_at = log.now() WHERE hash = $1"
_SEEN: Final = "UPDATE people.person SET seen_at = log.now() WHERE id = $1"
_IN_FORCE_OF: Final = f"""
SELECT s.hash FROM people.session s JOIN people.person p ON p.id = s.person_id
 WHERE s.hash = ANY($1::bytea[]) AND {_IN_FORCE}
UNION ALL
SELECT t.hash FROM {_BOTS} WHERE t.hash = ANY($1::bytea[])
"""  # noqa: S608 the same
_BEGIN: Final = """
INSERT INTO people.session (hash, person_id, passkey, browser) VALUES ($1, $2, $3, $4)
"""
_END: Final = "DELETE FROM people.session WHERE person_id = $1 AND id = $2"
_END_OTHERS: Final = "DELETE FROM people.session WHERE person_id = $1 AND id <> $2"

# Of a browser from before sessions were noted nobody knows which it has: its page says so once it is opened.
_END_PUSHES: Final = "DELETE FROM people.channel WHERE person_id = $1 AND kind = 'push' AND session IS NULL"
_TOO_MANY: Final = """
DELETE FROM people.session WHERE hash IN (
  SELECT hash FROM people.session WHERE person_id = $1 ORDER BY seen_at DESC OFFSET $2)
"""
OVER: Final = f"DELETE FROM people.session WHERE seen_at < log.now() - interval '{DAYS} days'"  # noqa: S608
"""Removes sessions that have ended by themselves."""

_BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)

BANNED: Final = (
    "the operator of this server has banned you; ask him why, or for what is kept of you, which he hands out"
    " or erases"
)

NO_BOT: Final = "this token of a bot is not known, or not any more"

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{27}")


SIGN: Final = "ff_"
"""What the token of a bot begins with: no other token is as long."""

ALL: Final[frozenset[Scope]] = frozenset(get_args(Scope))


class Here(Struct, frozen=True):
    """Who asks: the person, by which session or bot's token, and its hash; `scopes` are what it may do."""

    person: UUID
    session: int
    hash: bytes
    handle: str
    name: str
    bot: bool = False
    scopes: frozenset[Scope] = ALL


class Sessions:
    """The sessions of this server's persons, and the tokens of their bots."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def of(self, token: str) -> Here | None:
        """Return whose session a token of a cookie opens; None for a guest. It is used by that."""
        hashed = hash_of(token)
        return await self.by_hash(hashed) if hashed else None

    async def by_hash(self, hashed: bytes) -> Here | None:
        """Return whose session or bot's token it is, by its hash; None where it has ended."""
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(_OF, hashed)
            if row is None:
                return None
            bot = row["scopes"] is not None
            if row["stale"]:
                await conn.execute(_USED if bot else _SLIDE, hashed)
                await conn.execute(_SEEN, row["person_id"])
        return Here(
            row["person_id"],
            row["id"],
            hashed,
            row["handle"],
            row["name"] or row["handle"],
            bot,
            frozenset(row["scopes"]) if bot else ALL,
        )

    async def needed(self, token: str) -> Here:
        """Return whose session it is; raises RequestError for a guest."""
        here = await self.of(token)
        if here is None:
            raise RequestError("no_session", "sign in first")
        return here

    async def bot(self, token: str) -> Here:
        """Return the bot that has a token; raises RequestError where there is none."""
        here = await self.by_hash(hash_of_bots(token))
        if here is None:
            raise RequestError("no_session", NO_BOT)
        return here

    async def night(self, person: UUID) -> tuple[str, int | None]:
        """Return the time zone of a person, and the hour by it at which his night begins, None for none."""
        async with connection(self._pool) as conn:
            row = await conn.fetchrow("SELECT zone, night FROM people.person WHERE id = $1", person)
        return (row["zone"], row["night"]) if row else ("", None)

    async def in_force(self, hashes: Collection[bytes]) -> set[bytes]:
        """Return which of these sessions and tokens have not ended."""
        if not hashes:
            return set()
        async with connection(self._pool) as conn:
            return {row["hash"] for row in await conn.fetch(_IN_FORCE_OF, list(hashes))}

    async def end(self, here: Here, *, session: int | None = None) -> None:
        """End one session of the person who asks; without its number all but the one that asks."""
        async with connection(self._pool) as conn, conn.transaction():
            if session is not None:
                await conn.execute(_END, here.person, session)
            else:
                await conn.execute(_END_OTHERS, here.person, here.session)
                await conn.execute(_END_PUSHES, here.person)


def hash_of(token: str) -> bytes:
    """Return the hash of a session's token, empty for what cannot be one."""
    return digest(token.encode()) if _TOKEN.fullmatch(token) else b""


def is_bots(token: str) -> bool:
    """Whether a token is a bot's, as far as can be told by its form."""
    return token.startswith(SIGN)


def hash_of_bots(token: str) -> bytes:
    """Return the hash of a bot's token."""
    return digest(token.encode())


async def begin(conn: PooledConnection, person: UUID, agent: str, passkey: int | None = None) -> str:
    """Begin a session of a person, perhaps by a passkey, and return its token.

    Raises RequestError, not_allowed, for who is banned.
    """
    if await conn.fetchval("SELECT banned_at FROM people.person WHERE id = $1", person) is not None:
        raise RequestError("not_allowed", BANNED)
    token = written(secrets.token_bytes(TOKEN))
    await conn.execute(_BEGIN, digest(token.encode()), person, passkey, browser(agent))
    await conn.execute(_TOO_MANY, person, BROWSERS)
    return token


async def end_without_passkey(conn: PooledConnection, here: Here) -> None:
    """End the sessions of a person that no passkey began, but for the one that asks."""
    await conn.execute(
        "DELETE FROM people.session WHERE person_id = $1 AND passkey IS NULL AND hash <> $2",
        here.person,
        here.hash,
    )


def browser(agent: str) -> str:
    """Return what a browser is called on the list, `Firefox on Linux`, by its User-Agent header."""
    name = next((name for sign, name in _BROWSERS if sign in agent), "A browser")
    system = next((f" on {system}" for sign, system in _SYSTEMS if sign in agent), "")
    return name + system
