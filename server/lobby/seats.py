"""Seats: how one is taken, by the link to it or by joining from the lobby, and who holds it from then on.

The log says that a seat is taken, and by which command: the first that is stored. `Seats._give` is the one
place where it is written down who holds the seat. Today that is whoever has the token of its link.

Taking a seat has three steps, each idempotent, so that whatever breaks off is completed by the next:

1. The token that the seat is to be held by is noted beside the command, in lobby.joining. It opens nothing.
   Only the first token noted for a command counts, and none for a command that is on the log already: others
   can read its id there, and must not get the seat by it.
2. The command is appended to the log. Of several who ask for a seat at the same moment, by its link or
   without, one is stored. The others are refused, and the tokens they noted never open anything.
3. The token of the stored command becomes the seat's link, and earlier ones, the invitation among them, are
   void from then on, in one transaction with the player's name. The same command sent again does this if the
   first attempt could not, and so does a hello with that token, on any node; each node looks for what is left
   (`server.lobby.unfinished`).

Between steps 2 and 3 whoever has the earlier link may still come in by it, and sees nothing that is hidden:
no match begins before the seat has shown its nonce, which takes the new link. To another nonce he cannot
commit the seat either: before that step 3 is done (`Seats.settle`). All nodes show them out as they do after
an exchange (`server.socket.gateway`). A bot of the server keeps the link made for it, which nobody is told.

A seat that is offered to others, as its player stays away, is joined likewise in a match that has begun
(`domain.match.replacing`). What its earlier links open is hidden then, so they are void by the very statement
that stores the command (`server.log.statements`). Who sat there before is kept in lobby.predecessor.
Deliberately absent: links that are made anew (`server.lobby.links`).
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Final, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from asyncpg import Record
from msgspec import Struct

from domain.match.notices import check_seat
from domain.match.refusals import RequestError
from server.lobby.fitting import fit_name
from server.lobby.tokens import Role, digest, link, read_token
from server.lobby.welcome import check_welcome
from server.lobby.withdrawing import withdraw_if_full
from server.nobody import nobody
from server.play.matches import Matches
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol import wire

T = TypeVar("T")


class Holder(Struct, frozen=True):
    """A person who takes a seat, and the name that he goes by."""

    person: UUID
    name: str


Check = Callable[[UUID, int, UUID | None], Awaitable[None]]
"""Raises RequestError if a seat of a match may not be taken by a person, None for a guest."""


class Noted(Struct, frozen=True):
    """What is noted for a command that asks for a seat: the hash of its token, the seat, and for whom."""

    token: bytes
    seat: int
    person: UUID | None


SOMEONE: Final = "someone"
"""What somebody is called who was erased."""

FIRST = "somebody else has sat down here first"
HANDS = "you sit at this match already, or have, or a bot of yours does"

# By nobody who has seen the command on the log, and not with a token that opens something already.
_NOTE = """
INSERT INTO lobby.joining (hash, match_id, command_id, seat, name, kind, person_id)
SELECT $1, $2, $3, $4, $5, $6, $7
 WHERE NOT EXISTS (SELECT FROM lobby.token WHERE hash = $1)
   AND NOT EXISTS (SELECT FROM log.fact WHERE match_id = $2 AND command_id = $3 AND cmd_ix = 0)
    ON CONFLICT DO NOTHING
"""
_NOTED = "SELECT hash, seat, person_id FROM lobby.joining WHERE match_id = $1 AND command_id = $2"
_STORED = "SELECT true FROM log.fact WHERE match_id = $1 AND command_id = $2 AND cmd_ix = 0"
# But for whom a person has challenged to it, and who has not answered.
_KEPT = """
SELECT (withdrawn OR private OR rematch_of IS NOT NULL)
   AND NOT EXISTS (SELECT FROM lobby.challenge c
                    WHERE c.match_id = m.match_id AND c.challenged = $2 AND c.answer IS NULL)
  FROM lobby.match m WHERE match_id = $1
"""
# Whoever has the seat has accepted, whatever he said at that moment.
_ACCEPT = """
UPDATE lobby.challenge SET answer = 'accepted', answered_at = log.now()
 WHERE match_id = $1 AND challenged = $2 AND answer IS DISTINCT FROM 'accepted'
"""
_THERE = "SELECT true FROM people.person WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE"
_BOT = "SELECT true FROM lobby.seat WHERE match_id = $1 AND seat = $2 AND strength <> ''"
_WON = """
SELECT j.seat, j.name, j.kind, j.person_id, f.seq, f.at, f.type = 'SeatReplaced' AS replaced
  FROM lobby.joining j
  JOIN log.fact f ON f.match_id = j.match_id AND f.command_id = j.command_id AND f.cmd_ix = 0
 WHERE j.hash = $1 AND j.match_id = $2
   AND CASE WHEN f.type IN ('SeatTaken', 'SeatReplaced')
            THEN (convert_from(f.body, 'UTF8')::jsonb ->> 'seat')::int = j.seat END
"""
# A seat that was taken, while whose token it is to be held by is no link yet.
_OWED = """
SELECT j.hash
  FROM lobby.joining j
  JOIN log.fact f ON f.match_id = j.match_id AND f.command_id = j.command_id AND f.cmd_ix = 0
 WHERE j.match_id = $1 AND j.seat = $2 AND f.type = 'SeatTaken'
   AND NOT EXISTS (SELECT FROM lobby.token t WHERE t.hash = j.hash)
"""
_LOST = """
SELECT EXISTS (
  SELECT FROM log.fact WHERE match_id = $1 AND seq > $2 AND type = 'SeatReplaced'
     AND CASE WHEN type = 'SeatReplaced' THEN (convert_from(body, 'UTF8')::jsonb ->> 'seat')::int = $3 END)
"""
_LEAVE = """
INSERT INTO lobby.predecessor (match_id, seat, until, name, hidden, person_id)
SELECT match_id, seat, $3, name, hidden, person_id FROM lobby.seat WHERE match_id = $1 AND seat = $2
"""
_FOLLOW = """
UPDATE lobby.seat SET name = $3, kind = $4, person_id = $5, hidden = false WHERE match_id = $1 AND seat = $2
"""
# Who was replaced may come back to his own side, of which he knows no more than it does.
_HANDS = """
SELECT EXISTS (
  SELECT FROM (SELECT person_id FROM lobby.seat WHERE match_id = $1
               UNION ALL SELECT person_id FROM lobby.predecessor
                          WHERE match_id = $1 AND seat <> ALL($3::smallint[])) s
    JOIN people.person o ON o.id = s.person_id
    JOIN people.person h ON h.id = $2 AND coalesce(h.owner, h.id) = coalesce(o.owner, o.id))
"""
_PERSONS = "SELECT EXISTS (SELECT FROM lobby.seat WHERE match_id = $1 AND person_id IS NOT NULL)"
_LOCK = "SELECT FROM lobby.match WHERE match_id = $1 FOR NO KEY UPDATE"
_OPEN = """
INSERT INTO lobby.token (hash, match_id, seat, kind) VALUES ($1, $2, $3, 'seat') ON CONFLICT DO NOTHING
"""
_CLOSE = """
UPDATE lobby.token SET revoked_at = log.now(), replaced_by = $1
 WHERE match_id = $2 AND seat = $3 AND revoked_at IS NULL AND hash <> $1
"""
_NAME = """
INSERT INTO lobby.seat (match_id, seat, name, kind, person_id) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
"""


_OPEN_TO = """
INSERT INTO lobby.token (hash, match_id, seat, kind, person_id) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
"""


async def open_to(conn: PooledConnection, person: UUID, match: UUID, role: Role, seat: int | None) -> None:
    """Open a role of a match to a person's sessions, by a token that no link has."""
    await conn.execute(_OPEN_TO, secrets.token_bytes(32), match, seat, role, person)


class Seats:
    """The seats of all matches, as the lobby knows them."""

    def __init__(self, pool: Pool, matches: Matches) -> None:
        self._pool, self._matches = pool, matches
        self._seating: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self.links_changed: Callable[[UUID], None] = nobody
        """Called with a match of which a link has become void, once that is committed or may be."""

    def seating(self, match: UUID) -> asyncio.Lock:
        """Return the match's lock, to be held while a seat is taken or its link is revoked.

        It covers this node only. If a link is revoked on one node just while somebody sits down by it on
        another, the seat may be taken by somebody whose link is void. Nobody who joins is left so.
        """
        return self._seating.setdefault(match, asyncio.Lock())

    async def sit(
        self, asked: wire.Sit, seat: int, store: Callable[[], Awaitable[T]], holder: Holder | None = None
    ) -> tuple[wire.Link | None, T]:
        """Take the seat whose link one has by `store`, which appends to the log; return as `join` does.

        The link is None for a bot of the server, which keeps its own. Raises RequestError, and what `store`
        raises.
        """
        if not await self._is_bots(asked.match, seat):
            async with self.seating(asked.match):
                return await self._take(asked, seat, store, holder)
        name = fit_name(asked.name)
        async with self.seating(asked.match):
            result = await store()
            await self._give(asked.match, seat, name, asked.kind)
        return None, result

    async def join(
        self,
        asked: wire.Join,
        store: Callable[[], Awaitable[T]],
        holder: Holder | None = None,
        *,
        sat: bool = False,
    ) -> tuple[wire.Link, T]:
        """Take a free seat of a match by `store`, which appends to the log; return its link and the result.

        `sat`: who asks is known to sit there already, or to have sat there. Raises RequestError, and what
        `store` raises.
        """
        check = partial(self._check_free, sat=sat)
        async with self.seating(asked.match):
            try:
                return await self._take(asked, asked.seat, store, holder, check)
            except RequestError as why:
                raise RequestError("seat_taken", FIRST) if why.code == "seat_taken" else why from None

    async def follow(
        self, asked: wire.Join, store: Callable[[], Awaitable[T]], holder: Holder | None = None
    ) -> tuple[wire.Link, T]:
        """Take the seat of a rematch, which nobody else may take; otherwise as `join`."""
        async with self.seating(asked.match):
            return await self._take(asked, asked.seat, store, holder)

    async def _take(
        self,
        asked: wire.Sit | wire.Join,
        seat: int,
        store: Callable[[], Awaitable[T]],
        holder: Holder | None,
        check: Check | None = None,
    ) -> tuple[wire.Link, T]:
        """Go the three steps, after a `check` of whoever gets the seat, unless the log has the command.

        That is the person who was noted for it, if one was, whoever sends it again. A command that was noted
        may have been refused since, and much may have happened until it comes again. Raises RequestError, and
        what `store` and `check` raise.
        """
        name, token = fit_name(holder.name if holder else asked.name), read_token(asked.token)
        noted = await self._noted(asked)
        if noted is None:
            await self._check(asked.match, seat, holder.person if holder else None, check)
            noted = await self._note(asked, seat, name, digest(token), holder)
        elif _is_for(noted, token, seat):
            try:
                await self._check(asked.match, seat, noted.person, check)
            except RequestError:
                if not await self._is_stored(asked):
                    raise
        if noted is None or not _is_for(noted, token, seat):
            raise RequestError("command_reused", "this command id or token was used for something else")
        result = await store()
        if not await self.complete(asked.match, digest(token), self._pool):
            raise RequestError("command_reused", "this command id was used for something else")
        return link(asked.match, "seat", seat, token), result

    async def _check(self, match: UUID, seat: int, person: UUID | None, check: Check | None) -> None:
        """Raise RequestError if a person, None for a guest, may not take a seat."""
        if check is not None:
            await check(match, seat, person)
        await check_welcome(self._pool, match, seat, person, invited=check is None)

    async def complete(self, match: UUID, token: bytes, pool: Pool) -> bool:
        """Give a seat to the token, by its hash, whose command has taken it; whether there is such a seat.

        That is looked up over the connections of `pool`.
        """
        async with connection(pool) as conn:
            won = await conn.fetchrow(_WON, token, match)
        if won is None:
            return False
        return await self._give(match, won["seat"], won["name"], won["kind"], token, won)

    async def settle(self, match: UUID, seat: int) -> None:
        """Give a seat to whoever has taken it, if that is still to be done: earlier links are void then.

        Of a seat that changed hands they are void with the command already, so there is nothing to settle.
        """
        async with connection(self._pool) as conn:
            owed = await conn.fetchval(_OWED, match, seat)
        if owed is not None:
            await self.complete(match, owed, self._pool)

    async def _note(
        self, asked: wire.Sit | wire.Join, seat: int, name: str, token: bytes, holder: Holder | None
    ) -> Noted | None:
        """Note the token of a command that asks for a seat, and return what is noted for it then."""
        async with connection(self._pool) as conn:
            person = holder.person if holder else None
            await conn.execute(_NOTE, token, asked.match, asked.command, seat, name, asked.kind, person)
        return await self._noted(asked)

    async def _noted(self, asked: wire.Sit | wire.Join) -> Noted | None:
        """Return what was noted for a command."""
        async with connection(self._pool) as conn:
            noted = await conn.fetchrow(_NOTED, asked.match, asked.command)
        return Noted(*noted) if noted else None

    async def _is_stored(self, asked: wire.Sit | wire.Join) -> bool:
        """Whether a command is on the log."""
        async with connection(self._pool) as conn:
            return await conn.fetchval(_STORED, asked.match, asked.command) is not None

    async def _check_free(self, match: UUID, seat: int, person: UUID | None, *, sat: bool) -> None:
        """Raise RequestError if a seat cannot be joined; of two who find that it can, the log takes one."""
        snapshot = await self._matches.latest(match)
        standing = snapshot.standing
        check_seat(standing, seat)
        if seat in snapshot.vacant and not standing.over:
            if sat:
                raise RequestError("not_allowed", HANDS)
            await self._check_vacant(match, seat, person, standing.seats_of(standing.side(seat)))
            return
        async with connection(self._pool) as conn:
            kept = await conn.fetchval(_KEPT, match, person)
        if kept is not False:
            raise RequestError("private", "the seats of this match are kept for those who were asked")
        if standing.started:
            raise RequestError("started", "the match has begun")
        if seat in standing.taken:
            raise RequestError("seat_taken", FIRST)
        if await self._is_bots(match, seat):
            raise RequestError("seat_taken", "this seat is for a bot of the server")

    async def _check_vacant(self, match: UUID, seat: int, person: UUID | None, side: Collection[int]) -> None:
        """Raise RequestError if somebody may not take a seat that is offered to others; `side` has these.

        Where a person sits at the match, a person takes it: of a guest nobody knows that he is another.
        """
        if await self._is_bots(match, seat):
            raise RequestError("seat_taken", "this seat is for a bot of the server")
        async with connection(self._pool) as conn:
            if person is None and await conn.fetchval(_PERSONS, match):
                raise RequestError("no_session", "persons play this match: sign in to take the seat")
            if person is not None and await conn.fetchval(_HANDS, match, person, list(side)):
                raise RequestError("not_allowed", HANDS)

    async def _is_bots(self, match: UUID, seat: int) -> bool:
        """Whether a seat is that of a bot of the server."""
        async with connection(self._pool) as conn:
            return await conn.fetchval(_BOT, match, seat) is not None

    async def _give(
        self, match: UUID, seat: int, name: str, kind: str, token: bytes = b"", won: Record | None = None
    ) -> bool:
        """Write down who holds a seat that the log says is taken: the one place where a seat gets its holder.

        With the hash of a new token, that token is the seat's link from now on, and all others are void; once
        it was made so nothing changes it any more but its holder. Without one its link stays. The first name
        stays, and so does the first person, until another takes the seat over: then nothing is given to who
        sat there before, and False returned. `won` is the row of `_WON`.
        """
        person = won["person_id"] if won else None
        try:
            async with connection(self._pool) as conn, conn.transaction():
                await conn.execute(_LOCK, match)  # as those who replace a link do (`server.lobby.links`)
                if won and await conn.fetchval(_LOST, match, won["seq"], seat):
                    return False
                opened = bool(token) and await conn.execute(_OPEN, token, match, seat) != "INSERT 0 0"
                if opened:
                    await conn.execute(_CLOSE, token, match, seat)
                there = person is not None and await conn.fetchval(_THERE, person)
                name = SOMEONE if person is not None and not there else name
                if won and won["replaced"]:
                    if not opened:
                        return True
                    await conn.execute(_LEAVE, match, seat, won["at"])
                    made = await conn.execute(_FOLLOW, match, seat, name, kind, person if there else None)
                else:
                    made = await conn.execute(_NAME, match, seat, name, kind, person)
                if person is not None and there and made != "INSERT 0 0":
                    await open_to(conn, person, match, "seat", seat)
                    await conn.execute(_ACCEPT, match, person)
                await withdraw_if_full(conn, match)
        finally:
            if token:  # also where the answer to the commit is lost: it may be done
                self.links_changed(match)
        return True


def _is_for(noted: Noted, token: bytes, seat: int) -> bool:
    """Whether this is what was noted for a command, and not another's."""
    return (noted.token, noted.seat) == (digest(token), seat)
