"""Offered matches and their links: data that may be changed and erased, unlike the log.

A link holds a token of 160 bits; the database stores its SHA-256 only. The first tokens of a match are
derived from the key ring, which makes `create` idempotent: sent again, it returns the same links. Tokens that
replace them are random. Deliberately absent: facts (`server.play.matches`), sockets
(`server.socket.gateway`), who takes a seat (`server.lobby.seats`), chat (`server.lobby.chat`).
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from uuid import UUID

from msgspec import Struct, json, structs

from domain.kernel.seats import Clock, Seat
from domain.match.chain import Entry
from domain.match.game import BadSetUp, Game
from domain.match.notices import Created, fit_clock
from domain.match.refusals import RequestError
from domain.titles import TITLES
from server.addresses import Address
from server.limits import OFFERS
from server.lobby.fitting import LABEL, NAME, fit
from server.lobby.makers import Makers, is_open_to_others
from server.lobby.rematches import Rematches
from server.lobby.seats import Seats, open_to
from server.lobby.tokens import TOKEN, Role, digest, link, link_roles, read_token, uuid7, written
from server.log.statements import void
from server.play.matches import Matches
from server.postgres.database import Pool, PooledConnection, connection
from server.proof import keys
from server.proof.keys import KeyRing
from server.protocol import wire

Options = dict[str, bool | int | str]

REUSED = "this command id was used to offer another match"

_OPENS = "SELECT kind, seat FROM lobby.token WHERE hash = $1 AND match_id = $2 AND revoked_at IS NULL"

_BESIDE = """
person_id IS NULL AND EXISTS (SELECT FROM lobby.token o WHERE o.hash = $2 AND o.kind = token.kind
                                                          AND o.seat IS NOT DISTINCT FROM token.seat)
"""
_OWN = """
SELECT hash, kind, seat FROM lobby.token
 WHERE match_id = $1 AND person_id = $2 AND revoked_at IS NULL AND ($3::smallint IS NULL OR seat = $3)
 ORDER BY seat NULLS LAST LIMIT 1
"""

_HELD = "SELECT true FROM lobby.seat WHERE match_id = $1 AND seat = $2"

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


class Lobby:
    """The lobby of a node, stored in the database."""

    def __init__(
        self,
        pool: Pool,
        matches: Matches,
        ring: KeyRing,
        strengths: Callable[[str], Collection[str]],
        most: int = OFFERS,
    ) -> None:
        """Take a function that returns the bots' strengths of a title, and the open offers of an address."""
        self._pool, self._matches, self._ring, self._strengths = pool, matches, ring, strengths
        self.seats, self.makers = Seats(pool, matches), Makers(pool, most)
        self.rematches = Rematches(pool, matches, self._again)

    # offering a match

    async def create(self, asked: wire.Create, address: Address, person: UUID | None = None) -> wire.Created:
        """Create a match, of a person if one is signed in; return its links. Idempotent by command id.

        Raises RequestError.
        """
        game, options, seats = self._checked(asked)
        command = hashlib.sha256(asked.command.bytes).digest()
        if not is_open_to_others(asked, len(seats)):
            return await self._offered(asked, command, game, options, seats, person)
        async with address.offering:
            await self.makers.make_room(address, command)
            created = await self._offered(asked, command, game, options, seats, person)
            address.offer(created.match)
        return created

    async def _offered(
        self,
        asked: wire.Create,
        command: bytes,
        game: Game,
        options: Options,
        seats: tuple[Seat, ...],
        person: UUID | None,
    ) -> wire.Created:
        match = await self._created(asked, command, game, options, seats, person=person)
        return wire.Created(match, asked.command, await self._first_links(match, len(seats), asked.bots))

    async def _again(self, asked: wire.Create, command: bytes, before: UUID) -> UUID:
        """Create the rematch of a match."""
        return await self._created(asked, command, *self._checked(asked), before)

    async def _created(
        self,
        asked: wire.Create,
        command: bytes,
        game: Game,
        options: Options,
        seats: tuple[Seat, ...],
        before: UUID | None = None,
        person: UUID | None = None,
    ) -> UUID:
        await self._enter(asked, command, seats, before, person)
        match = await self._entered(asked, command)
        created = Created(game.name, asked.scenario, options, game.revision, "", seats, asked.clock)
        await self._matches.create(match, lambda promise: structs.replace(created, commitment=promise))
        stands = (await self._matches.get(match)).standing
        if (stands.options, stands.clock) != (options, asked.clock):
            raise RequestError("command_reused", REUSED)
        return match

    def _checked(self, asked: wire.Create) -> tuple[Game, Options, tuple[Seat, ...]]:
        game = TITLES.get(asked.title)
        if game is None:
            raise RequestError("no_title", f"there is no title {asked.title!r}; there is {', '.join(TITLES)}")
        try:
            options = game.set_up(asked.scenario, asked.options)
        except BadSetUp as why:
            raise RequestError("bad_set_up", str(why)) from None
        seats = game.seats(asked.scenario, options)
        fit_clock(asked.clock)
        if asked.rated:
            check_ratable(asked.clock, seats)
        fit(asked.label, LABEL, "a match's label")
        fit(asked.pace, NAME, "a pace")
        for seat, strength in asked.bots.items():
            if not 0 <= seat < len(seats):
                raise RequestError("no_seat", f"there is no seat {seat}; there are {len(seats)}, from 0")
            if strength not in self._strengths(game.name):
                known = ", ".join(self._strengths(game.name))
                raise RequestError(
                    "no_bot", f"there is no bot {strength!r} for {game.title}; there is {known}"
                )
        return game, options, seats

    async def _enter(
        self,
        asked: wire.Create,
        command: bytes,
        seats: tuple[Seat, ...],
        before: UUID | None,
        person: UUID | None,
    ) -> None:
        """Insert the match, its tokens and bots, unless this command was carried out before."""
        match = uuid7(self._matches.now())
        tokens = [
            (digest(self._derived(match, f"{role} {seat}")[0]), match, seat, role)
            for role, seat in link_roles(len(seats))
        ]
        async with connection(self._pool) as conn, conn.transaction():
            status = await conn.execute(
                "INSERT INTO lobby.match"
                " (match_id, title, scenario, label, pace, by_turns, private, clocked, command, rematch_of,"
                "  person_id, rated)"
                " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING",
                match,
                asked.title,
                asked.scenario,
                asked.label,
                asked.pace,
                asked.by_turns,
                asked.private,
                asked.clock is not None,
                command,
                before,
                person,
                asked.rated,
            )
            if status == "INSERT 0 0":
                return
            await conn.executemany(
                "INSERT INTO lobby.token (hash, match_id, seat, kind) VALUES ($1, $2, $3, $4)", tokens
            )
            await conn.executemany(
                "INSERT INTO lobby.seat (match_id, seat, name, kind, strength)"
                " VALUES ($1, $2, $3, 'bot', $4)",
                [(match, seat, f"{strength} bot", strength) for seat, strength in asked.bots.items()],
            )
            if person is not None:
                await open_to(conn, person, match, "creator", None)

    async def _entered(self, asked: wire.Create, command: bytes) -> UUID:
        """Return the match that this command inserted; raises RequestError if its arguments differed."""
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(
                "SELECT match_id, title, scenario, label, pace, by_turns, private, rated FROM lobby.match"
                " WHERE command = $1",
                command,
            )
            assert row is not None
            match, *listed = row
            bots = await conn.fetch(
                "SELECT seat, strength FROM lobby.seat WHERE match_id = $1 AND strength <> ''", match
            )
        said = (
            asked.title,
            asked.scenario,
            asked.label,
            asked.pace,
            asked.by_turns,
            asked.private,
            asked.rated,
        )
        if (tuple(listed), dict(map(tuple, bots))) != (said, asked.bots):
            raise RequestError("command_reused", REUSED)
        found: UUID = match
        return found

    async def _first_links(self, match: UUID, seats: int, bots: Collection[int]) -> list[wire.Link]:
        """Return the first links of a match, but for the seats of bots, whose hands nobody else may see."""
        return [
            link(match, role, seat, await self._token(match, role, seat))
            for role, seat in link_roles(seats)
            if seat not in bots
        ]

    async def _token(self, match: UUID, role: Role, seat: int | None) -> bytes:
        """Return the first token of a link, derived with the key of the ring that it was made with."""
        candidates = self._derived(match, f"{role} {seat}")
        async with connection(self._pool) as conn:
            known = await conn.fetchval(
                "SELECT hash FROM lobby.token WHERE match_id = $1 AND hash = ANY($2::bytea[])",
                match,
                [digest(token) for token in candidates],
            )
        return next((token for token in candidates if digest(token) == known), candidates[0])

    def _derived(self, match: UUID, purpose: str) -> list[bytes]:
        message = match.bytes + purpose.encode()
        return [hmac.digest(key, message, "sha256")[:TOKEN] for key in self._ring.derived(b"tokens")]

    # bots of the house

    async def title(self, match: UUID) -> str:
        """Return the title of a match that is in the lobby."""
        async with connection(self._pool) as conn:
            title: str = await conn.fetchval("SELECT title FROM lobby.match WHERE match_id = $1", match)
        return title

    async def bot_token(self, match: UUID, seat: int) -> str:
        """Return the token of a bot's seat, in the text form of links."""
        return written(await self._token(match, "seat", seat))

    async def bot_nonce(self, match: UUID, seat: int) -> bytes:
        """Return the nonce of a bot's seat, the same on every node."""
        return keys.bot_nonce((await self._matches.get(match)).key, seat)

    async def ended(self, match: UUID, at: datetime) -> None:
        """Record when a match ended: nobody has to look after it any more."""
        async with connection(self._pool) as conn:
            await conn.execute(
                "UPDATE lobby.match SET ended_at = $2 WHERE match_id = $1 AND ended_at IS NULL",
                match,
                at,
            )

    # links

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

    async def own(self, match: UUID, person: UUID, seat: int | None) -> Access:
        """Return the access that a person has to a match: to a seat of his, as its maker, or as an onlooker.

        `seat` says which, where several are his. Raises RequestError.
        """
        async with connection(self._pool) as conn:
            found = await conn.fetchrow(_OWN, match, person, seat)
        if found is None:
            if seat is not None:
                raise RequestError("not_seated", "this seat is not yours")
            return await self.access(match, "")
        return Access(match, found["kind"], found["seat"], found["hash"], own=True)

    async def _opened(self, match: UUID, token: bytes, pool: Pool) -> Access | None:
        """Return what a token opens, by its hash; None if it is void. A join that broke off is completed."""
        async with connection(pool) as conn:
            found = await conn.fetchrow(_OPENS, token, match)
        if found is None and await self.seats.complete(match, token, pool):
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
        async with self.seats.seating(access.match):
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
        async with connection(self._pool) as conn:
            await conn.execute("UPDATE lobby.match SET withdrawn = true WHERE match_id = $1", access.match)

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
            self.seats.links_changed(match)


def check_ratable(clock: Clock | None, seats: Collection[Seat]) -> None:
    """Raise RequestError where the result of a match with this clock and these seats can be no rated one."""
    if clock is None:
        raise RequestError("bad_clock", "a rated match needs a clock: otherwise nobody has to finish it")
    if len({seat.side for seat in seats}) == 1:
        raise RequestError("bad_set_up", "a rated match is played by two sides, each with a seat")


async def enter_imported(conn: PooledConnection, first: Entry, last: Entry) -> bool:
    """Insert an imported match that has ended into the lobby; False if it is there already.

    `first` and `last` are its first and its last fact. No links are made: everybody may see all of an ended
    match.
    """
    said = json.decode(first.body, type=Created)
    status = await conn.execute(
        "INSERT INTO lobby.match (match_id, title, scenario, pace, private, command, imported, created_at,"
        " ended_at) VALUES ($1, $2, $3, '', false, $4, true, $5, $6) ON CONFLICT DO NOTHING",
        first.match,
        said.title,
        said.scenario,
        hashlib.sha256(b"import" + first.match.bytes).digest(),
        datetime.fromtimestamp(first.at / 1e6, UTC),
        datetime.fromtimestamp(last.at / 1e6, UTC),
    )
    return bool(status == "INSERT 0 1")
