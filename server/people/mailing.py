"""The mailed link: somebody comes in by a mail address, or adds it to what he is known by.

1. Who asks is answered the same, by the same statements, whether the address is known here or not: it is not
   even looked up. The mail goes out beside the request (`server.people.post`).
2. A link is 160 random bits, kept as a hash, good for MINUTES and once, and only in the browser that asked,
   which has a cookie. Whoever reads the mail elsewhere, as a scanner of mails does, uses nothing up.
3. A link leads to the server's own URL, never to a name that a request came by: whoever asks in the name of
   another host, with an address that is not his, would be sent its token.

Deliberately absent: the cookie itself (`server.people.cookies`), and when old links are removed
(`server.people.sweeping`).
"""

import secrets
from typing import Final
from uuid import UUID, uuid4

from asyncpg import Record
from msgspec import Struct

from domain.match.refusals import RequestError
from server.addresses import Address
from server.lobby.tokens import TOKEN, digest, uuid7, written
from server.people import codes, persons, sessions
from server.people.cookies import is_here, root_of
from server.people.mailboxes import NO_MORE_MAILS, Mailboxes, fit_address
from server.people.post import MINUTES, Post
from server.people.sessions import Here, hash_of
from server.people.shares import Shares
from server.postgres.database import Pool, PooledConnection, connection
from server.proof.keys import Unsealable

HOURLY: Final = 5
"""Mails that an address, or a person who adds one, is sent within an hour."""

NONE: Final = "this server sends no mail; its operator would have to set that up"

_ASK: Final = f"""
INSERT INTO people.mailed (hash, id, mark, box, browser, person_id)
SELECT $1, $2, $3, $4, $5, $6
 WHERE (SELECT count(*) FROM people.mailed
         WHERE mark = ANY($7::bytea[]) AND made_at > log.now() - interval '1 hour') < {HOURLY}
   AND (SELECT count(*) FROM people.mailed
         WHERE person_id = $6 AND made_at > log.now() - interval '1 hour') < {HOURLY}
"""  # noqa: S608 a number
_FIND: Final = f"""
SELECT id, box, person_id FROM people.mailed
 WHERE hash = $1 AND browser = $2 AND used_at IS NULL
   AND made_at > log.now() - interval '{MINUTES} minutes' FOR UPDATE
"""  # noqa: S608 a number
_USED: Final = "UPDATE people.mailed SET used_at = log.now(), box = NULL WHERE hash = $1"
OVER: Final = "DELETE FROM people.mailed WHERE made_at < log.now() - interval '1 day'"
"""Removes links, and for whom they were asked."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """An address to which a link is to be mailed."""

    address: str


class Opened(Struct, frozen=True, forbid_unknown_fields=True):
    """The token of a link that was opened; who signs up by it adds what he is to be called."""

    token: str
    handle: str = ""
    name: str = ""
    zone: str = "UTC"
    night: int | None = None
    """The hour by his zone at which eight quiet ones begin; None: there are none."""
    locale: str = ""


class Came(Struct, frozen=True):
    """What an opened link came to: a session's token and, of who is new, his codes.

    Without a session's token the address was added, or it is `new` here and a handle has to be chosen first.
    """

    session: str = ""
    codes: tuple[str, ...] = ()
    new: bool = False


def bad_link() -> RequestError:
    """Return the refusal of a link, whatever is wrong with it."""
    reason = f"a link is good once, for {MINUTES} minutes, in the browser that asked for it; ask for another"
    return RequestError("bad_link", reason)


class Mailing:
    """The mailed links of this server."""

    def __init__(
        self, pool: Pool, mailboxes: Mailboxes, shares: Shares, post: Post | None, public_url: str | None
    ) -> None:
        """Take what sends mails, None where the operator has no mail server, and what links begin with."""
        self._pool, self._mailboxes, self._shares = pool, mailboxes, shares
        self.post, self._public = post, public_url

    def possible(self, home: str) -> bool:
        """Whether links can be mailed to who asks at an origin of this server, as far as that can tell."""
        return self.post is not None and (is_here(home) or self._public is not None)

    async def ask(self, asked: Asked, here: Here | None, home: str, browser: str, address: Address) -> str:
        """Mail a link to an address; return the token of the browser's cookie. Raises RequestError."""
        root = root_of(self._public, home, address)
        if self.post is None or root is None:
            raise RequestError("not_allowed", NONE)
        mail = fit_address(asked.address)
        self._shares.take("mails", address)
        self.post.check_room()
        kept = browser if hash_of(browser) else written(secrets.token_bytes(TOKEN))
        token, link, marks = written(secrets.token_bytes(TOKEN)), uuid4(), self._mailboxes.marks(mail)
        async with connection(self._pool) as conn:
            done = await conn.execute(
                _ASK,
                digest(token.encode()),
                link,
                marks[0],
                self._mailboxes.seal(link, mail),
                hash_of(kept),
                here.person if here else None,
                marks,
            )
        if done == "INSERT 0 0":
            self._shares.refused["mails"] += 1
            raise RequestError("too_fast", "this address was sent enough mails; try again in an hour")
        self.post.put(mail, f"{root}/mailed#{token}")
        return kept

    async def open(
        self, asked: Opened, here: Here | None, browser: str, agent: str, address: Address
    ) -> Came:
        """Let in who has opened a link in the browser that asked for it. Raises RequestError.

        A refusal uses nothing up.
        """
        self._shares.take("attempts", address)
        async with connection(self._pool) as conn, conn.transaction():
            hashed = digest(asked.token.encode())
            row = await conn.fetchrow(_FIND, hashed, hash_of(browser))
            if row is None:
                raise bad_link()
            came = await self._come(conn, row, asked, here, agent, address)
            if not came.new:
                await conn.execute(_USED, hashed)
            return came

    async def _come(
        self,
        conn: PooledConnection,
        row: Record,
        asked: Opened,
        here: Here | None,
        agent: str,
        address: Address,
    ) -> Came:
        try:
            mail = self._mailboxes.open(row["id"], row["box"])
        except Unsealable:  # the ring was changed meanwhile
            raise bad_link() from None
        if row["person_id"] is not None:
            if here is None or here.person != row["person_id"]:
                raise RequestError("no_session", "sign in first, as who has asked to add this address")
            await self._mailboxes.keep(conn, here.person, mail)
            return Came()
        person = await self._mailboxes.whose(conn, mail)
        if person is not None:
            await self._mailboxes.keep(conn, person, mail)
            return Came(await sessions.begin(conn, person, agent))
        if not asked.handle:
            return Came(new=True)
        self._shares.take("sign-ups", address)
        return await self._sign_up(conn, mail, asked, agent)

    async def _sign_up(self, conn: PooledConnection, mail: str, asked: Opened, agent: str) -> Came:
        person: UUID = uuid7()
        await persons.create(
            conn,
            person,
            asked.handle,
            asked.name,
            zone=asked.zone,
            night=asked.night,
            locale=asked.locale,
        )
        await self._mailboxes.keep(conn, person, mail)
        made = await codes.make_codes(conn, person)
        return Came(await sessions.begin(conn, person, agent), tuple(made))

    async def is_way(self, conn: PooledConnection, person: UUID) -> bool:
        """Whether a person could come in by a mailed link: mail is sent, and a key opens his address."""
        return self.post is not None and bool(await self._mailboxes.of(conn, person))

    async def remove(self, here: Here, issuer: str) -> None:
        """Forget a person's address, and end the sessions that no passkey began, but for the one that asks.

        `issuer` is the provider of identities, empty without one. Raises RequestError where nobody could come
        in any more.
        """
        async with connection(self._pool) as conn, conn.transaction():
            await persons.one_at_a_time(conn, here.person)
            if not await persons.ways_left(conn, here.person, issuer=issuer):
                raise RequestError("not_allowed", persons.LAST_WAY)
            done = await conn.execute("DELETE FROM people.mail WHERE person_id = $1", here.person)
            if done == "DELETE 0":
                raise RequestError("no_person", "you have no mail address here")
            await conn.execute("DELETE FROM people.mailed WHERE person_id = $1", here.person)
            await conn.execute(NO_MORE_MAILS, here.person)
            await sessions.end_without_passkey(conn, here)

    async def run(self) -> None:
        """Send mails, until cancelled; nothing where the operator has no mail server."""
        if self.post is not None:
            await self.post.run()
