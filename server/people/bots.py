"""Bots of a person: players of their own, with a handle, whose owner is shown, and tokens to come in by.

Deliberately absent: what a bot does with its token (`server.socket.visitor`), and the server's own bots
(`server.lobby.house`).
"""

import secrets
from collections.abc import Collection
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.addresses import Address
from server.lobby.fitting import NAME, fit
from server.lobby.muting import check_heard
from server.lobby.tokens import TOKEN, uuid7, written
from server.people import persons
from server.people.sessions import SIGN, Here, hash_of_bots
from server.people.shares import Shares
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol.people import Scope

BOTS: Final = 10
"""Bots of a person."""

TOKENS: Final = 10
"""Tokens of a bot."""

_MINE: Final = "SELECT id FROM people.person WHERE owner = $1 AND handle = $2 FOR NO KEY UPDATE"


class NewBot(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that is registered."""

    handle: str
    name: str = ""


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token that is made for a bot."""

    name: str
    scopes: tuple[Scope, ...]


class Bots:
    """The bots of this server's persons."""

    def __init__(self, pool: Pool, shares: Shares) -> None:
        self._pool, self._shares = pool, shares

    async def register(self, here: Here, asked: NewBot, address: Address) -> None:
        """Register a bot. Raises RequestError."""
        self._shares.take("bots", address)
        async with connection(self._pool) as conn, conn.transaction():
            there = "SELECT true FROM people.person WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE"
            if not await conn.fetchval(there, here.person):
                raise RequestError("no_session", "sign in first")
            count = await conn.fetchval(
                "SELECT count(*) FROM people.person WHERE owner = $1 AND handle IS NOT NULL", here.person
            )
            if count >= BOTS:
                raise RequestError("too_many", f"you have {BOTS} bots; remove one first")
            if asked.name:
                await check_heard(conn, here.person, "register it without a name")
            await persons.create(conn, uuid7(), asked.handle, asked.name, owner=here.person)

    async def id_of(self, conn: PooledConnection, here: Here, handle: str) -> UUID:
        """Return the id of a bot of the person who asks, and lock it. Raises RequestError: no_person."""
        bot: UUID | None = await conn.fetchval(_MINE, here.person, persons.look_up(handle))
        if bot is None:
            raise RequestError("no_person", "you have no bot that is called so")
        return bot

    async def make_token(self, here: Here, handle: str, asked: NewToken) -> str:
        """Make a token for a bot, and return it. Raises RequestError."""
        name, scopes = fit(asked.name.strip() or "Token", NAME, "a token's name"), _fit_scopes(asked.scopes)
        token = SIGN + written(secrets.token_bytes(TOKEN))
        async with connection(self._pool) as conn, conn.transaction():
            bot = await self.id_of(conn, here, handle)
            if await conn.fetchval("SELECT count(*) FROM people.token WHERE person_id = $1", bot) >= TOKENS:
                raise RequestError("too_many", f"this bot has {TOKENS} tokens; remove one first")
            await conn.execute(
                "INSERT INTO people.token (hash, person_id, name, scopes) VALUES ($1, $2, $3, $4)",
                hash_of_bots(token),
                bot,
                name,
                scopes,
            )
        return token

    async def remove_token(self, here: Here, handle: str, number: int) -> None:
        """Make a token void. Raises RequestError."""
        async with connection(self._pool) as conn, conn.transaction():
            bot = await self.id_of(conn, here, handle)
            done = await conn.execute(
                "DELETE FROM people.token WHERE id = $2 AND person_id = $1", bot, number
            )
        if done == "DELETE 0":
            raise RequestError("no_person", "this bot has no such token")


def _fit_scopes(scopes: Collection[Scope]) -> list[Scope]:
    if not scopes:
        raise RequestError("bad_text", "a token is good for something: play, or read")
    return sorted(set(scopes))
