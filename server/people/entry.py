"""How a person comes in: by a passkey, by a recovery code, or by a mailed link.

Nothing of a sign-up is kept before its passkey has signed, or its link was opened. Deliberately absent: what
passkeys are (`server.people.passkeys`), and how links are mailed (`server.people.mailing`).
"""

from collections import Counter
from typing import Any, Final, Literal

from msgspec import Struct

from domain.match.refusals import RequestError
from server.addresses import Address
from server.lobby.fitting import NAME, fit, fit_name
from server.lobby.tokens import uuid7
from server.people import codes, passkeys, persons, sessions
from server.people.mailing import Came, Mailing, Opened
from server.people.persons import Persons
from server.people.providing import CameBack, Providing
from server.people.sessions import Here
from server.people.shares import Shares
from server.postgres.database import Pool, connection

Credential = dict[str, Any]

_STAYS: Final = "UPDATE people.session SET passkey = NULL WHERE hash = $1 AND passkey = $2"
"""Keeps a session from going with the passkey that began it."""

Way = Literal["passkey", "recovery", "mail", "oidc"]
"""By what somebody comes in."""


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Asks for what an authenticator is to be handed; with a handle in order to sign up."""

    purpose: Literal["sign up", "sign in", "add"]
    handle: str = ""
    name: str = ""


class SignUp(Struct, frozen=True, forbid_unknown_fields=True):
    """A new person, and what his authenticator has answered."""

    handle: str
    credential: Credential
    name: str = ""
    zone: str = "UTC"
    night: int | None = None
    """The hour by his zone at which eight quiet ones begin; None: there are none."""
    locale: str = ""
    passkey: str = ""
    """What he calls his passkey."""


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """Who comes back: what his authenticator has answered, or one of his recovery codes."""

    credential: Credential | None = None
    recovery: str = ""


class Entry:
    """The door for persons."""

    def __init__(
        self, pool: Pool, known: Persons, shares: Shares, mailing: Mailing, providing: Providing
    ) -> None:
        self._pool, self._persons, self._shares = pool, known, shares
        self._mailing, self._providing = mailing, providing
        self.sign_ups = 0
        """Persons who have signed up here since the start."""
        self.sign_ins: Counter[Way] = Counter()
        """Sessions that have begun since the start but by a sign-up, by what they were begun."""

    async def options(self, wanted: Wanted, home: str, here: Here | None, address: Address) -> dict[str, Any]:
        """Return what the authenticator is to be handed. Raises RequestError."""
        self._shares.take("attempts", address)
        if wanted.purpose == "sign in":
            async with connection(self._pool) as conn:
                return await passkeys.request(conn, home)
        if wanted.purpose == "add":
            if here is None:
                raise RequestError("no_session", "sign in first")
            who, handle, name = here.person, here.handle, here.name
        else:
            # Else the passkey would be made for nothing: a device keeps it, and no form mends that.
            self._shares.check("sign-ups", address)
            await self._persons.check_free(wanted.handle)
            who, handle, name = uuid7(), wanted.handle, fit_name(wanted.name)
        async with connection(self._pool) as conn:
            return await passkeys.creation(conn, home, wanted.purpose, who, handle, name)

    async def sign_up(self, asked: SignUp, home: str, agent: str, address: Address) -> tuple[str, list[str]]:
        """Make a person; return the token of his session, and his recovery codes. Raises RequestError."""
        self._shares.take("sign-ups", address)
        async with connection(self._pool) as conn:
            proof, person = await passkeys.once(conn, asked.credential, "sign up")
            assert person is not None
            async with conn.transaction():
                await persons.create(
                    conn,
                    person,
                    asked.handle,
                    asked.name,
                    zone=asked.zone,
                    night=asked.night,
                    locale=asked.locale,
                )
                key = await passkeys.add(conn, home, proof, asked.passkey, person)
                made = await codes.make_codes(conn, person)
                token = await sessions.begin(conn, person, agent, key)
        self.sign_ups += 1
        return token, made

    async def sign_in(self, asked: SignIn, home: str, agent: str, address: Address) -> str:
        """Return the token of a new session. Raises RequestError."""
        self._shares.take("attempts", address)
        token = await self._sign_in(asked, home, agent)
        self.sign_ins["recovery" if asked.credential is None else "passkey"] += 1
        return token

    async def _sign_in(self, asked: SignIn, home: str, agent: str) -> str:
        async with connection(self._pool) as conn:
            if asked.credential is None:
                async with conn.transaction():
                    person = await codes.use_code(conn, asked.recovery)
                    if person is None:
                        raise RequestError("bad_recovery", "this code is not known, or was used already")
                    return await sessions.begin(conn, person, agent)
            proof, _ = await passkeys.once(conn, asked.credential, "sign in")
            async with conn.transaction():
                person, key = await passkeys.use(conn, home, proof)
                return await sessions.begin(conn, person, agent, key)

    async def open_link(
        self, asked: Opened, here: Here | None, browser: str, agent: str, address: Address
    ) -> Came:
        """Let in by a mailed link; see `Mailing.open`."""
        return self._count("mail", await self._mailing.open(asked, here, browser, agent, address))

    async def come_back(
        self, asked: CameBack, here: Here | None, home: str, browser: str, agent: str, address: Address
    ) -> Came:
        """Let in by the provider; see `Providing.come_back`."""
        came = await self._providing.come_back(asked, here, home, browser, agent, address)
        return self._count("oidc", came)

    def _count(self, way: Way, came: Came) -> Came:
        if came.session:
            self.sign_ups += bool(came.codes)
            self.sign_ins[way] += not came.codes
        return came

    async def add_passkey(self, here: Here, name: str, credential: Credential, home: str) -> None:
        """Keep one more passkey of a person who is signed in. Raises RequestError."""
        async with connection(self._pool) as conn:
            proof, person = await passkeys.once(conn, credential, "add")
            if person != here.person:
                raise RequestError("bad_passkey", passkeys.BAD)
            async with conn.transaction():
                await passkeys.add(conn, home, proof, name, here.person)

    async def rename_passkey(self, here: Here, number: int, name: str) -> None:
        """Call a passkey something else. Raises RequestError."""
        named = fit(name.strip() or "Passkey", NAME, "a passkey's name")
        async with connection(self._pool) as conn:
            done = await conn.execute(
                "UPDATE people.passkey SET name = $3 WHERE id = $2 AND person_id = $1",
                here.person,
                number,
                named,
            )
        if done == "UPDATE 0":
            raise RequestError("no_person", "you have no such passkey")

    async def remove_passkey(self, here: Here, number: int) -> None:
        """Remove a passkey, and end the sessions that it began, but for the one that asks.

        Raises RequestError. The last one stays unless there are recovery codes: else nobody could come in
        any more.
        """
        async with connection(self._pool) as conn, conn.transaction():
            await persons.one_at_a_time(conn, here.person)
            mail, issuer = await self._mailing.is_way(conn, here.person), self._providing.issuer
            if not await persons.ways_left(conn, here.person, but=number, mail=mail, issuer=issuer):
                raise RequestError("not_allowed", persons.LAST_WAY)
            await conn.execute(_STAYS, here.hash, number)
            done = await conn.execute(
                "DELETE FROM people.passkey WHERE id = $2 AND person_id = $1", here.person, number
            )
        if done == "DELETE 0":
            raise RequestError("no_person", "you have no such passkey")

    async def new_codes(self, here: Here) -> list[str]:
        """Make the recovery codes anew; earlier ones are void."""
        async with connection(self._pool) as conn, conn.transaction():
            return await codes.make_codes(conn, here.person)

    async def sign_out(self, here: Here) -> None:
        """End the session that asks."""
        async with connection(self._pool) as conn:
            await conn.execute("DELETE FROM people.session WHERE hash = $1", here.hash)
