"""Persons: how they are called, and what they and others are shown of them.

Deliberately absent: how a person proves who he is (`server.people.entry`), and how he goes
(`server.people.erasing`).
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final
from uuid import UUID
from zoneinfo import available_timezones

from asyncpg import Record, UniqueViolationError
from msgspec import UNSET, Struct, UnsetType

from domain.match.refusals import RequestError
from server.lobby.fitting import fit, fit_name
from server.lobby.muting import check_heard
from server.people.mailboxes import Mailboxes
from server.people.sessions import Here
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol import people
from server.protocol.people import BotInfo, BotToken, Me, Passkey, Person, Profile, SessionInfo, Ways

HANDLE: Final = re.compile(r"[a-z0-9_]{3,20}")
ABOUT: Final = 500
"""Characters that somebody may say of himself."""

LOCALE: Final = re.compile(r"[A-Za-z0-9-]{0,35}")

RESERVED: Final = frozenset(
    {
        "admin",
        "administrator",
        "director",
        "fleetfold",
        "house",
        "moderator",
        "nobody",
        "operator",
        "root",
        "someone",
        "support",
        "system",
        "umpire",
        "you",
    }
)
"""Handles that would say something untrue about who has them."""

_zones: Final = cache(available_timezones)
"""The names of time zones: asked for once, since each time the whole tz database is walked on the disk."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

_CREATE: Final = """
INSERT INTO people.person (id, handle, name, zone, night, locale, owner)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_ONE: Final = "SELECT * FROM people.person WHERE id = $1"
_BY_HANDLE: Final = """
SELECT p.*, o.handle AS owner_handle FROM people.person p LEFT JOIN people.person o ON o.id = p.owner
 WHERE p.handle = $1
"""
_PASSKEYS: Final = "SELECT id, name, created_at, used_at FROM people.passkey WHERE person_id = $1 ORDER BY id"
_SESSIONS: Final = """
SELECT id, browser, created_at, seen_at FROM people.session WHERE person_id = $1
 ORDER BY seen_at DESC, id DESC
"""
_BOTS: Final = """
SELECT id, handle, name, created_at FROM people.person
 WHERE owner = $1 AND handle IS NOT NULL ORDER BY id
"""
_TOKENS: Final = """
SELECT id, person_id, name, scopes, created_at, used_at FROM people.token
 WHERE person_id = ANY($1::uuid[]) ORDER BY id
"""
_BLOCKED: Final = """
SELECT p.handle FROM people.block b JOIN people.person p ON p.id = b.blocked
 WHERE b.person_id = $1 AND p.handle IS NOT NULL ORDER BY p.handle
"""
_WAYS: Final = """
SELECT (SELECT count(*) FROM people.passkey WHERE person_id = $1 AND id IS DISTINCT FROM $2)
     + (SELECT count(*) FROM people.code WHERE person_id = $1)
     + (SELECT count(*) FROM people.oidc WHERE person_id = $1 AND issuer = $3)
"""
_KNOWN: Final = "SELECT EXISTS (SELECT FROM people.oidc WHERE person_id = $1 AND issuer = $2)"
LAST_WAY: Final = "without it nobody could sign in for you; make new codes first"

_NEW_WORDS: Final = "SELECT $2 NOT IN ('', name) OR $3 NOT IN ('', about) FROM people.person WHERE id = $1"
_CODES: Final = "SELECT count(*) FROM people.code WHERE person_id = $1"


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person says about himself anew; what is left out stays. `night` null: no quiet hours."""

    name: str | UnsetType = UNSET
    about: str | UnsetType = UNSET
    locale: str | UnsetType = UNSET
    zone: str | UnsetType = UNSET
    night: int | UnsetType | None = UNSET
    shown: bool | UnsetType = UNSET


class Persons:
    """The persons of this server."""

    def __init__(
        self, pool: Pool, mailboxes: Mailboxes, ways: Callable[[str], Ways], issuer: str = ""
    ) -> None:
        """Take what opens mail addresses, what says how one can come in at an origin, and the provider."""
        self._pool, self._mailboxes, self._ways, self._issuer = pool, mailboxes, ways, issuer

    async def me(self, here: Here | None, home: str) -> Me:
        """Return who asks, with all that the pages of a person show."""
        ways = self._ways(home)
        if here is None:
            return Me(None, ways)
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(_ONE, here.person)
            passkeys = await conn.fetch(_PASSKEYS, here.person)
            sessions = await conn.fetch(_SESSIONS, here.person)
            bots = await conn.fetch(_BOTS, here.person)
            tokens = await conn.fetch(_TOKENS, [bot["id"] for bot in bots])
            blocked = await conn.fetch(_BLOCKED, here.person)
            codes = await conn.fetchval(_CODES, here.person)
            mail = await self._mailboxes.of(conn, here.person)
            oidc = await conn.fetchval(_KNOWN, here.person, self._issuer)
        if row is None or row["handle"] is None:
            return Me(None, ways)
        person = Person(
            row["handle"],
            row["name"],
            row["about"],
            row["locale"],
            row["zone"],
            row["night"],
            micros(row["created_at"]),
            codes,
            [
                Passkey(one["id"], one["name"], micros(one["created_at"]), _when(one["used_at"]))
                for one in passkeys
            ],
            [
                SessionInfo(
                    one["id"],
                    one["browser"],
                    micros(one["created_at"]),
                    micros(one["seen_at"]),
                    one["id"] == here.session,
                )
                for one in sessions
            ],
            [
                BotInfo(
                    bot["handle"],
                    bot["name"],
                    micros(bot["created_at"]),
                    [_token(one) for one in tokens if one["person_id"] == bot["id"]],
                )
                for bot in bots
            ],
            [row["handle"] for row in blocked],
            mail,
            bool(oidc),
            row["shown"],
        )
        return Me(person, ways)

    async def address(self, here: Here) -> str:
        """Return a person's mail address, empty without one."""
        async with connection(self._pool) as conn:
            return await self._mailboxes.of(conn, here.person)

    async def profile(self, handle: str) -> Profile:
        """Return what is shown of a person to all. Raises RequestError: no_person."""
        known = look_up(handle.lower())
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(_BY_HANDLE, known)
        if row is None:
            raise RequestError("no_person", "nobody here is called so")
        owner = row["owner"] is not None
        return Profile(
            row["handle"],
            row["name"],
            row["about"],
            micros(row["created_at"]),
            owner,
            row["owner_handle"] or "",
        )

    async def check_free(self, handle: str) -> None:
        """Raise RequestError for a handle that cannot be had."""
        fit_handle(handle)
        async with connection(self._pool) as conn:
            if await conn.fetchval("SELECT true FROM people.person WHERE handle = $1", handle):
                raise taken(handle)

    async def change(self, here: Here, change: Change) -> None:
        """Change what a person says about himself. Raises RequestError."""
        given = {
            "name": UNSET if change.name is UNSET else fit_name(change.name),
            "about": UNSET
            if change.about is UNSET
            else fit(change.about.strip(), ABOUT, "what you say of yourself"),
            "locale": UNSET if change.locale is UNSET else fit_locale(change.locale),
            "zone": UNSET if change.zone is UNSET else fit_zone(change.zone),
            "night": UNSET if change.night is UNSET else fit_night(change.night),
            "shown": change.shown,
        }
        names = [name for name, value in given.items() if value is not UNSET]
        if not names:
            return
        sets = ", ".join(f"{name} = ${number}" for number, name in enumerate(names, 2))
        async with connection(self._pool) as conn:
            if await conn.fetchval(_NEW_WORDS, here.person, _said(given["name"]), _said(given["about"])):
                await check_heard(conn, here.person, "say nothing new of yourself")
            await conn.execute(
                f"UPDATE people.person SET {sets} WHERE id = $1 AND erased_at IS NULL",  # noqa: S608 names of this module
                here.person,
                *(given[name] for name in names),
            )


async def one_at_a_time(conn: PooledConnection, person: UUID) -> None:
    """Keep others from counting and changing what is a person's until the transaction ends."""
    await conn.execute("SELECT FROM people.person WHERE id = $1 FOR NO KEY UPDATE", person)


async def create(
    conn: PooledConnection,
    person: UUID,
    handle: str,
    name: str,
    *,
    zone: str = "UTC",
    night: int | None = None,
    locale: str = "",
    owner: UUID | None = None,
) -> None:
    """Create a person, or a bot of one. Raises RequestError.

    What his browser says of itself is taken as far as it is known: a zone that is not becomes UTC, a language
    that can be none is left out. He could not mend it, and may have made his passkey already.
    """
    try:
        await conn.execute(
            _CREATE,
            person,
            fit_handle(handle),
            fit_name(name),
            zone if zone in _zones() else "UTC",
            fit_night(night),
            locale if LOCALE.fullmatch(locale) else "",
            owner,
        )
    except UniqueViolationError:
        raise taken(handle) from None


async def ways_left(
    conn: PooledConnection, person: UUID, *, but: int | None = None, mail: bool = False, issuer: str = ""
) -> bool:
    """Whether a person could come in without a passkey, `but`: by another, a code, or the provider `issuer`.

    `mail`: whether he could by a mailed link.
    """
    return mail or bool(await conn.fetchval(_WAYS, person, but, issuer))


def fit_handle(handle: str) -> str:
    """Return a handle; raise RequestError for what cannot be one."""
    if not HANDLE.fullmatch(handle):
        raise RequestError("bad_text", "a handle has 3 to 20 of the letters a to z, digits and _")
    if handle in RESERVED:
        raise taken(handle)
    return handle


def look_up(handle: str) -> str:
    """Return a handle that somebody may have; raise RequestError, no_person, for what cannot be one."""
    if not HANDLE.fullmatch(handle):
        raise RequestError("no_person", "nobody here is called so")
    return handle


def taken(handle: str) -> RequestError:
    """Return the refusal of a handle that somebody has."""
    return RequestError("handle_taken", f"{handle} is taken; choose another")


def fit_zone(zone: str) -> str:
    """Return a time zone; raise RequestError for one that is not in the tz database."""
    if zone not in _zones():
        raise RequestError("bad_text", "this time zone is not known")
    return zone


def fit_locale(locale: str) -> str:
    """Return a language tag; raise RequestError for what cannot be one."""
    if not LOCALE.fullmatch(locale):
        raise RequestError("bad_text", "this language is not known")
    return locale


def fit_night(hour: int | None) -> int | None:
    """Return the hour at which a night begins, None for no night; raise RequestError for what is none."""
    if hour is not None and not 0 <= hour < 24:  # noqa: PLR2004 hours of a day
        raise RequestError("bad_text", "a night begins at a full hour, from 0 to 23")
    return hour


def micros(at: datetime) -> int:
    """Return a time in microseconds since the epoch."""
    return (at - _EPOCH) // _MICROSECOND


def _said(words: Any) -> str:
    return "" if words is UNSET else words


def _when(at: datetime | None) -> int | None:
    return None if at is None else micros(at)


def _token(row: Record) -> BotToken:
    scopes: list[people.Scope] = row["scopes"]
    return BotToken(row["id"], row["name"], scopes, micros(row["created_at"]), _when(row["used_at"]))
