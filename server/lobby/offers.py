"""Offered matches and their links: data that may be changed and erased, unlike the log.

A link holds a token of 160 bits; the database stores its SHA-256 only. The first tokens of a match are
derived from the key ring, which makes `create` idempotent: sent again, it returns the same links. Tokens that
replace them are random. Deliberately absent: facts (`server.play.matches`), sockets
(`server.socket.gateway`), what a link opens (`server.lobby.links`), who takes a seat (`server.lobby.seats`).
"""

import hashlib
import hmac
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from functools import partial
from uuid import UUID

from msgspec import json, structs

from domain.kernel.seats import Clock, Seat
from domain.match.chain import Entry
from domain.match.game import BadSetUp, Game
from domain.match.notices import Created, fit_clock
from domain.match.refusals import RequestError
from domain.titles import TITLES
from server.addresses import Address
from server.limits import OFFERS
from server.lobby.challenges import challenge, fit_challenge
from server.lobby.fitting import LABEL, fit
from server.lobby.links import Links
from server.lobby.makers import Makers, is_open_to_others
from server.lobby.muting import check_heard
from server.lobby.rematches import Before, Rematches
from server.lobby.seats import Seats, open_to
from server.lobby.tokens import TOKEN, Role, digest, link, link_roles, uuid7, written
from server.lobby.unfinished import Unfinished
from server.play.matches import Matches
from server.postgres.database import Pool, PooledConnection, connection
from server.proof import keys
from server.proof.keys import KeyRing
from server.protocol import wire

Options = dict[str, bool | int | str]

RATINGS = 5000
"""Above all ratings that there can be."""

REUSED = "this command id was used to offer another match"


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
        self.unfinished = Unfinished(pool, self.seats)
        self.links = Links(pool, matches, self.seats)
        self.rematches = Rematches(pool, matches, self._again)

    # offering a match

    async def create(self, asked: wire.Create, address: Address, person: UUID | None = None) -> wire.Created:
        """Create a match, of a person if one is signed in; return its links. Idempotent by command id.

        Raises RequestError.
        """
        game, options, seats = self._checked(asked)
        if asked.challenge and person is None:
            raise RequestError("no_session", "sign in to challenge somebody")
        command = hashlib.sha256(asked.command.bytes).digest()
        if asked.pace not in wire.PACES and not await self._is_offered(command):
            raise RequestError("bad_request", f"a pace is {', '.join(map(repr, wire.PACES[1:]))}, or empty")
        if not is_open_to_others(asked, len(seats)):
            return await self._offered(asked, command, game, options, seats, person)
        async with address.offering:
            await self.makers.make_room(address, command)
            created = await self._offered(asked, command, game, options, seats, person)
            address.offer(created.match)
        return created

    async def _is_offered(self, command: bytes) -> bool:
        """Return whether a match was offered by a command: of an earlier version, maybe, which took more."""
        async with connection(self._pool) as conn:
            return bool(await conn.fetchval("SELECT true FROM lobby.match WHERE command = $1", command))

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

    async def _again(self, asked: wire.Create, command: bytes, before: Before) -> UUID:
        """Create the rematch of a match."""
        return await self._created(asked, command, *self._checked(asked), before)

    def check_paired(self, asked: wire.Create) -> Options:
        """Return the options of a match of two persons, a side each. Raises RequestError."""
        _, options, seats = self._checked(asked)
        if sorted(seat.side for seat in seats) != [0, 1]:
            raise RequestError("bad_set_up", "a tournament is played by two, each with a side and a seat")
        return options

    async def check_offered(self, match: UUID) -> None:
        """Raise RequestError where a seat is not offered to others, since a tournament says who plays."""
        async with connection(self._pool) as conn:
            if await conn.fetchval("SELECT true FROM people.pairing WHERE match_id = $1", match):
                text = "a seat of a tournament's match is not offered to others: ask its director"
                raise RequestError("not_allowed", text)

    async def paired(self, asked: wire.Create, command: bytes) -> UUID:
        """Create a match by the hash of a command that no client has; its seats are nobody's yet.

        It is on no list while it is open, and its links are handed out to nobody. Idempotent.
        """
        return await self._created(asked, command, *self._checked(asked), kept=True)

    async def _created(
        self,
        asked: wire.Create,
        command: bytes,
        game: Game,
        options: Options,
        seats: tuple[Seat, ...],
        before: Before | None = None,
        person: UUID | None = None,
        *,
        kept: bool = False,
    ) -> UUID:
        await self._enter(asked, command, seats, before, person, kept=kept)
        match = await self._entered(asked, command, kept=kept)
        clock = _rewinding(asked.clock)
        created = Created(game.name, asked.scenario, options, game.revision, "", seats, clock)
        await self._matches.create(match, lambda promise: structs.replace(created, commitment=promise))
        stands = (await self._matches.get(match)).standing
        if (stands.options, _rewinding(stands.clock)) != (options, clock):
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
        check_band(asked.band)
        fit_challenge(asked, len(seats))
        fit(asked.label, LABEL, "a match's label")
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
        before: Before | None,
        person: UUID | None,
        *,
        kept: bool,
    ) -> None:
        """Insert the match, its tokens and bots, and challenge to it, unless this was done before.

        Raises RequestError.
        """
        match = uuid7(self._matches.now())
        tokens = [
            (digest(self._derived(match, f"{role} {seat}")[0]), match, seat, role)
            for role, seat in link_roles(len(seats))
        ]
        async with connection(self._pool) as conn, conn.transaction():
            status = await conn.execute(
                "INSERT INTO lobby.match"
                " (match_id, title, scenario, label, pace, by_turns, private, clocked, command, rematch_of,"
                "  same_sides, person_id, rated, persons, withdrawn, least, most)"
                " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)"
                " ON CONFLICT DO NOTHING",
                match,
                asked.title,
                asked.scenario,
                asked.label,
                asked.pace,
                asked.by_turns,
                asked.private,
                asked.clock is not None,
                command,
                before and before.match,
                before is not None and before.same,
                person,
                asked.rated,
                asked.persons,
                kept or asked.challenge != "",
                *(asked.band or (None, None)),
            )
            if status == "INSERT 0 0":
                return
            if person is not None and asked.label:
                await check_heard(conn, person, "offer it without a label")
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
                if asked.challenge:
                    await challenge(conn, match, person, asked)

    async def _entered(self, asked: wire.Create, command: bytes, *, kept: bool) -> UUID:
        """Return the match that this command inserted; raises RequestError if its arguments differed.

        Of one that is `kept` the label may be another now: who directs a tournament has been erased.
        """
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(
                "SELECT m.match_id, m.title, m.scenario, m.label, m.pace, m.by_turns, m.private, m.rated,"
                "       m.persons, m.least, m.most, coalesce(t.handle, ''), coalesce(c.word, '')"
                "  FROM lobby.match m LEFT JOIN lobby.challenge c USING (match_id)"
                "  LEFT JOIN people.person t ON t.id = c.challenged WHERE m.command = $1",
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
            row["label"] if kept else asked.label,
            asked.pace,
            asked.by_turns,
            asked.private,
            asked.rated,
            asked.persons,
            *(asked.band or (None, None)),
            asked.challenge,
            asked.word.strip(),
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

    async def bots_of(self, match: UUID) -> list[int]:
        """Return the seats of a match that bots of the house have."""
        async with connection(self._pool) as conn:
            rows = await conn.fetch(
                "SELECT seat FROM lobby.seat WHERE match_id = $1 AND strength <> '' ORDER BY seat", match
            )
        return [row["seat"] for row in rows]

    async def title(self, match: UUID) -> str:
        """Return the title of a match that is in the lobby."""
        async with connection(self._pool) as conn:
            title: str = await conn.fetchval("SELECT title FROM lobby.match WHERE match_id = $1", match)
        return title

    async def bot_token(self, match: UUID, seat: int) -> str:
        """Return the token of a bot's seat, in the text form of links."""
        return written(await self._token(match, "seat", seat))

    async def bot_nonces(self, match: UUID, seat: int) -> Callable[[int], bytes]:
        """Return the nonces of a bot's seat, the same on every node, by how many before count no more."""
        return partial(keys.bot_nonce, (await self._matches.get(match)).key, seat)

    async def ended(self, match: UUID, at: datetime) -> None:
        """Record when a match ended: nobody has to look after it any more."""
        async with connection(self._pool) as conn:
            await conn.execute(
                "UPDATE lobby.match SET ended_at = $2 WHERE match_id = $1 AND ended_at IS NULL",
                match,
                at,
            )
            await conn.execute("DELETE FROM lobby.clock_due WHERE match_id = $1", match)


def check_band(band: tuple[int, int] | None) -> None:
    """Raise RequestError for ratings that nobody can have."""
    if band is not None and not 0 <= band[0] <= band[1] <= RATINGS:
        raise RequestError("bad_set_up", f"a band of ratings lies between 0 and {RATINGS:,}, the lower first")


def _rewinding(clock: Clock | None) -> Clock | None:
    """Return a clock by which taking back gives no time: that of every match that begins."""
    return clock and structs.replace(clock, rewinds=True)


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
