"""Somebody comes in by the operator's provider of identities, or adds it to what he is known by.

He leaves by a POST of this server's own page, and what he comes back with is sent by a POST of the page that
he comes back to: no GET begins a session, and no other site can begin or end the way for him (login CSRF).
The state is good once, for MINUTES, and in the browser that left, which has a cookie no other site has sent
(`SameSite=Strict`). Who is new chooses a handle: the subject is noted beside the state until then.
Deliberately absent: the protocol (`server.people.oidc`).
"""

import secrets
from typing import Final
from uuid import UUID

from asyncpg import UniqueViolationError
from msgspec import Struct

from domain.match.refusals import RequestError
from server.addresses import Address
from server.lobby.tokens import TOKEN, digest, uuid7, written
from server.people import codes, persons, sessions
from server.people.cookies import is_here, root_of
from server.people.mailing import Came, Mailing
from server.people.oidc import Oidc
from server.people.sessions import Here, hash_of
from server.people.shares import Shares
from server.postgres.database import Pool, PooledConnection, connection

MINUTES: Final = 10

BACK: Final = "/provider"
"""The path of the page that one comes back to."""

NONE: Final = "this server has no provider of identities; its operator would have to set that up"

OVER: Final = f"DELETE FROM people.leaving WHERE made_at < log.now() - interval '{MINUTES} minutes'"  # noqa: S608
"""Removes who has left and can come back no more, or has chosen no handle in time."""

_LEAVE: Final = "INSERT INTO people.leaving (hash, browser, person_id) VALUES ($1, $2, $3)"
_BACK: Final = f"""
UPDATE people.leaving SET back = true
 WHERE hash = $1 AND browser = $2 AND NOT back AND made_at > log.now() - interval '{MINUTES} minutes'
RETURNING person_id
"""  # noqa: S608 a number
_NEW: Final = "UPDATE people.leaving SET subject = $2 WHERE hash = $1"
_NAMED: Final = f"""
DELETE FROM people.leaving
 WHERE hash = $1 AND browser = $2 AND subject IS NOT NULL
   AND made_at > log.now() - interval '{MINUTES} minutes'
RETURNING subject
"""  # noqa: S608 the same
_DONE: Final = "DELETE FROM people.leaving WHERE hash = $1"
_WHOSE: Final = """
UPDATE people.oidc SET used_at = log.now() WHERE issuer = $1 AND subject = $2 RETURNING person_id
"""
# Nobody comes in by a provider that the operator has replaced.
_REPLACED: Final = "DELETE FROM people.oidc WHERE person_id = $1 AND issuer <> $2"
_ADD: Final = "INSERT INTO people.oidc (issuer, subject, person_id) VALUES ($1, $2, $3)"


class CameBack(Struct, frozen=True, forbid_unknown_fields=True):
    """What a browser has come back with; who is new sends the state again, with what he is to be called."""

    state: str
    code: str = ""
    handle: str = ""
    name: str = ""
    zone: str = "UTC"
    night: int | None = None
    """The hour by his zone at which eight quiet ones begin; None: there are none."""
    locale: str = ""


class Providing:
    """The way by the provider."""

    def __init__(self, pool: Pool, shares: Shares, oidc: Oidc | None, public_url: str | None) -> None:
        """Take the provider, None where the operator has none, and the server's own URL."""
        self._pool, self._shares, self._oidc, self._public = pool, shares, oidc, public_url

    @property
    def issuer(self) -> str:
        """The provider, as its discovery names it; empty without one."""
        return self._oidc.issuer if self._oidc is not None else ""

    def name(self, home: str) -> str:
        """Return what the provider is called, empty where nobody can come in by it at an origin."""
        possible = is_here(home) or self._public is not None
        return self._oidc.name if self._oidc is not None and possible else ""

    def _there(self, home: str, address: Address) -> tuple[Oidc, str]:
        root = root_of(self._public, home, address)
        if self._oidc is None or root is None:
            raise RequestError("not_allowed", NONE)
        return self._oidc, f"{root}{BACK}"

    async def leave(self, here: Here | None, home: str, browser: str, address: Address) -> tuple[str, str]:
        """Return the address that a browser goes to, and the token of its cookie. Raises RequestError."""
        oidc, back = self._there(home, address)
        self._shares.take("attempts", address)
        kept = browser if hash_of(browser) else written(secrets.token_bytes(TOKEN))
        state = written(secrets.token_bytes(TOKEN))
        to = await oidc.leave_for(state, kept, back)
        async with connection(self._pool) as conn:
            await conn.execute(OVER)
            await conn.execute(_LEAVE, digest(state.encode()), hash_of(kept), here.person if here else None)
        return to, kept

    async def come_back(
        self, asked: CameBack, here: Here | None, home: str, browser: str, agent: str, address: Address
    ) -> Came:
        """Let in who has come back in the browser that left. Raises RequestError."""
        oidc, back = self._there(home, address)
        self._shares.take("attempts", address)
        hashed = digest(asked.state.encode())
        if not asked.code:
            return await self._sign_up(oidc, asked, hashed, browser, agent, address)
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(_BACK, hashed, hash_of(browser))
        if row is None:
            raise _late(oidc)
        subject = await oidc.subject(asked.code, asked.state, browser, back)
        async with connection(self._pool) as conn, conn.transaction():
            if row["person_id"] is not None:
                if here is None or here.person != row["person_id"]:
                    raise RequestError("no_session", "sign in first, as who has asked to add this")
                await _add(conn, oidc, subject, here.person)
                came = Came()
            else:
                person: UUID | None = await conn.fetchval(_WHOSE, oidc.issuer, subject)
                if person is None:
                    await conn.execute(_NEW, hashed, subject)
                    return Came(new=True)
                came = Came(await sessions.begin(conn, person, agent))
            await conn.execute(_DONE, hashed)
            return came

    async def _sign_up(
        self, oidc: Oidc, asked: CameBack, hashed: bytes, browser: str, agent: str, address: Address
    ) -> Came:
        self._shares.take("sign-ups", address)
        async with connection(self._pool) as conn, conn.transaction():
            subject = await conn.fetchval(_NAMED, hashed, hash_of(browser))
            if subject is None:
                raise _late(oidc)
            person = uuid7()
            await persons.create(
                conn,
                person,
                asked.handle,
                asked.name,
                zone=asked.zone,
                night=asked.night,
                locale=asked.locale,
            )
            await _add(conn, oidc, subject, person)
            made = await codes.make_codes(conn, person)
            return Came(await sessions.begin(conn, person, agent), tuple(made))

    async def remove(self, here: Here, mailing: Mailing) -> None:
        """Forget a person's subject, and end the sessions that no passkey began, but for the one that asks.

        Raises RequestError where nobody could come in any more.
        """
        async with connection(self._pool) as conn, conn.transaction():
            await persons.one_at_a_time(conn, here.person)
            mail = await mailing.is_way(conn, here.person)
            if not await persons.ways_left(conn, here.person, mail=mail):
                raise RequestError("not_allowed", persons.LAST_WAY)
            if await conn.execute("DELETE FROM people.oidc WHERE person_id = $1", here.person) == "DELETE 0":
                raise RequestError("no_person", "you are not known by a provider here")
            await sessions.end_without_passkey(conn, here)


async def _add(conn: PooledConnection, oidc: Oidc, subject: str, person: UUID) -> None:
    try:
        await conn.execute(_REPLACED, person, oidc.issuer)
        await conn.execute(_ADD, oidc.issuer, subject, person)
    except UniqueViolationError:
        raise RequestError(
            "not_allowed", f"somebody is known by this already; sign in by {oidc.name} instead"
        ) from None


def _late(oidc: Oidc) -> RequestError:
    return RequestError(
        "bad_link",
        f"coming in by {oidc.name} is good once, for {MINUTES} minutes, in the browser that left; try again",
    )
