"""Links: what each opens, and how it is made void or anew.

Deliberately absent: the first links of a match (`server.lobby.offers`), who takes a seat by one
(`server.lobby.seats`).
"""

import secrets
from collections.abc import Collection
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.lobby.seats import Seats
from server.lobby.tokens import TOKEN, Role, digest, link, read_token
from server.lobby.withdrawing import withdraw
from server.log.statements import void
from server.play.matches import Matches
from server.postgres.database import Pool, connection
from server.protocol import wire

_OPENS = "SELECT kind, seat FROM lobby.token WHERE hash = $1 AND match_id = $2 AND revoked_at IS NULL"

_BESIDE = """
person_id IS NULL AND EXISTS (SELECT FROM lobby.token o WHERE o.hash = $2 AND o.kind = token.kind
                                                          AND o.seat IS NOT DISTINCT FROM token.seat)
"""
_OWN = """
SELECT hash, kind, seat FROM lobby.token
 WHERE match_id = $1 AND person_id = $2 AND revoked_at IS NULL AND ($3::smallint IS NULL OR seat = $3)
 ORDER BY seat NULLS LAST, kind LIMIT 1
"""

_HELD = "SELECT true FROM lobby.seat WHERE match_id = $1 AND seat = $2"

SEATS = 100
"""A number that no seat of any title has: only smaller ones are looked up."""

TAKEN = (
    "this seat is taken, and whoever sits there alone can begin the match; "
    "if it is the wrong person, offer another match"
)


class Access(Struct, frozen=True):
    """What a link opens at a match: role and seat. `token` is the hash of its token, empty without a link.

    `own`: it is opened by the session of a person, whose it is, by a token that no link has.
    """

    match: UUID
    role: Role
    seat: int | None = None
    token: bytes = b""
    own: bool = False


class Links:
    """The links of all matches."""

    def __init__(self, pool: Pool, matches: Matches, seats: Seats) -> None:
        self._pool, self._matches, self._seats = pool, matches, seats

    async def access(self, match: UUID, token: str, pool: "Pool | None" = None) -> Access:
        """Return the access that a token opens; an onlooker's without a token. Raises RequestError.

        It is looked up over the lobby's own connections, or over those of `pool`.
        """
        pool = pool or self._pool
        async with connection(pool) as conn:
            private = await conn.fetchval("SELECT private FROM lobby.match WHERE match_id = $1", match)
            if private is None:
                raise RequestError("no_match", "there is no such match")
            if not token:
                if private:
                    raise RequestError(
                        "private", "this match is private: it is watched by its onlookers' link"
                    )
                return Access(match, "onlooker")
        found = await self._opened(match, digest(read_token(token)), pool)
        if found is None:
            raise RequestError("bad_token", "this link is not valid, or not any more")
        return found

    async def own(self, match: UUID, person: UUID, seat: int | None, pool: "Pool | None" = None) -> Access:
        """Return the access that a person has to a match: to a seat of his, as its maker, or as an onlooker.

        `seat` says which, where several are his. `pool` is as in `access`. Raises RequestError.
        """
        found = None
        if seat is None or 0 <= seat < SEATS:
            async with connection(pool or self._pool) as conn:
                found = await conn.fetchrow(_OWN, match, person, seat)
        if found is None:
            if seat is not None:
                raise RequestError("not_seated", "this seat is not yours")
            return await self.access(match, "", pool)
        return Access(match, found["kind"], found["seat"], found["hash"], own=True)

    async def _opened(self, match: UUID, token: bytes, pool: Pool) -> Access | None:
        """Return what a token opens, by its hash; None if it is void. A join that broke off is completed."""
        async with connection(pool) as conn:
            found = await conn.fetchrow(_OPENS, token, match)
        if found is None and await self._seats.complete(match, token, pool):
            async with connection(pool) as conn:
                found = await conn.fetchrow(_OPENS, token, match)
        return Access(match, found["kind"], found["seat"], token) if found else None

    async def void(self, tokens: Collection[bytes]) -> set[bytes]:
        """Return which of these token hashes are void: unknown, replaced or revoked."""
        if not tokens:
            return set()
        async with connection(self._pool) as conn:
            return await void(conn, tokens)

    async def exchange(self, access: Access) -> wire.Link:
        """Replace the token of an access by a new one and return its link; raises RequestError.

        Of a person's own, the link that others may have is replaced, and his access stays.
        """
        if not access.token:
            raise RequestError("bad_token", "there is no token to exchange")
        token = secrets.token_bytes(TOKEN)
        await self._replace(access.match, _BESIDE if access.own else "hash = $2", access.token, token)
        return link(access.match, access.role, access.seat, token)

    async def revoke(self, access: Access, seat: int) -> wire.Link:
        """Replace the token of a seat that is not taken; for the creator only. Raises RequestError.

        A taken seat is refused: only its player knows the nonce it has committed to, so that with another
        player the match could never begin.
        """
        if access.role != "creator":
            raise RequestError("not_allowed", "only the creator of a match can revoke a link")
        token = secrets.token_bytes(TOKEN)
        async with self._seats.seating(access.match):
            match = (await self._matches.latest(access.match)).standing
            if match.started:
                raise RequestError("started", "the match has begun")
            if not 0 <= seat < len(match.seats):
                raise RequestError(
                    "no_seat", f"there is no seat {seat}; there are {len(match.seats)}, from 0"
                )
            if seat in match.taken:
                raise RequestError("seat_taken", TAKEN)
            await self._replace(access.match, "seat = $2", seat, token)
        return link(access.match, "seat", seat, token)

    async def withdraw(self, access: Access) -> None:
        """Take an offer off the list, to be taken by its links only. Raises RequestError."""
        if access.role != "creator":
            raise RequestError("not_allowed", "only whoever offered a match can take the offer back")
        if (await self._matches.latest(access.match)).standing.started:
            raise RequestError("started", "the match has begun")
        async with connection(self._pool) as conn, conn.transaction():
            await withdraw(conn, access.match)
        self._seats.links_changed(access.match)

    async def _replace(self, match: UUID, which: str, value: bytes | int, token: bytes) -> None:
        try:
            async with connection(self._pool) as conn, conn.transaction():
                # Serialise concurrent replacements of a link: the second must see the token of the first.
                await conn.execute("SELECT FROM lobby.match WHERE match_id = $1 FOR NO KEY UPDATE", match)
                if isinstance(value, int) and await conn.fetchval(_HELD, match, value):
                    raise RequestError("seat_taken", TAKEN)
                done = await conn.fetchrow(
                    f"INSERT INTO lobby.token (hash, match_id, seat, kind)"  # noqa: S608 two constants
                    f" SELECT DISTINCT $3::bytea, match_id, seat, kind FROM lobby.token"
                    f" WHERE match_id = $1 AND {which} AND revoked_at IS NULL RETURNING kind",
                    match,
                    value,
                    digest(token),
                )
                if done is None:
                    raise RequestError("bad_token", "there is no valid link to replace")
                await conn.execute(
                    f"UPDATE lobby.token SET revoked_at = log.now(), replaced_by = $3"  # noqa: S608
                    f" WHERE match_id = $1 AND {which} AND revoked_at IS NULL AND hash <> $3",
                    match,
                    value,
                    digest(token),
                )
        finally:  # also where the answer to the commit is lost: it may be done
            self._seats.links_changed(match)
