"""How a tournament is made, entered and left, who is invited, and how it starts.

Laws of this module:
- Who enters does so himself, or for a bot of his own: nobody is put in by others, the director neither. So
  an invitation is what lets somebody in late, or gives him a place that another has had.
- In a rated tournament a person and his bots are one hand, and a hand enters once.
- Until it starts, who leaves was never there. Later he has withdrawn, and his opponents get their points.

Deliberately absent: what a director rules (`server.tournaments.directing`), and rounds
(`server.tournaments.rounds`), and who may be invited (`server.tournaments.inviting`).
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from asyncpg import Record
from msgspec import Struct, json

from domain.kernel.seats import Clock
from domain.match.refusals import RequestError
from projections.tournaments import rounds_of
from server.lobby.fitting import fit
from server.lobby.offers import Lobby
from server.lobby.tokens import uuid7
from server.people.persons import look_up, micros
from server.people.sessions import Here
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol.tournaments import Invitation, TournamentKind
from server.tournaments.course import anew, drawn, locked, note, without_those_out
from server.tournaments.inviting import UNINVITE, check_heard, invitable, invite
from server.tournaments.rounds import Paired, go_on

GOING: Final = 20
"""Tournaments of a director that are open or under way."""

IN_A_DAY: Final = 30
"""Tournaments that a director makes in a day, whatever became of them."""

LEFT: Final = 5
"""How often somebody leaves a tournament before it starts, and may still come back."""

NAME: Final = 60
ABOUT: Final = 1000

MOST: Final[dict[TournamentKind, int]] = {"round robin": 24, "swiss": 128, "knock-out": 128}
"""Entrants of a tournament: where all meet twice, there are many matches."""

ROUNDS: Final = 20

_MAKE: Final = """
INSERT INTO people.tournament (id, command, director, name, about, title, scenario, options, clock, by_turns,
                               kind, rounds, rated, open, bots, by_itself, most)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) ON CONFLICT DO NOTHING
"""
_FOUND: Final = "SELECT id FROM people.tournament WHERE director = $1 AND command = $2"
_GOING: Final = """
SELECT count(*) FROM people.tournament WHERE director = $1 AND state IN ('open', 'under way')
"""
_DIRECTOR: Final = "SELECT muted_at IS NOT NULL FROM people.person WHERE id = $1 FOR NO KEY UPDATE"
_WHO: Final = """
SELECT id, owner, coalesce(owner, id) AS hand
  FROM people.person WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE
"""
_OWN_BOT: Final = "SELECT id FROM people.person WHERE owner = $1 AND handle = $2"
_THERE: Final = """
SELECT e.number, e.person_id, e.withdrawn_at, coalesce(p.owner, p.id) AS hand
  FROM people.entrant e JOIN people.person p ON p.id = e.person_id WHERE e.tournament = $1
"""
_KEPT_AWAY: Final = "SELECT people.keeps_away($1, $2)"
_INVITED: Final = "SELECT place FROM people.invitation WHERE tournament = $1 AND person_id = $2"
_ENTER: Final = """
INSERT INTO people.entrant (tournament, number, person_id, seed, late)
SELECT $1, coalesce(max(number), 0) + 1, $2, CASE WHEN $3 > 0 THEN coalesce(max(seed), 0) + 1 END, $3
  FROM people.entrant WHERE tournament = $1
RETURNING number
"""
_PLAYING: Final = """
SELECT count(*) FROM people.entrant WHERE tournament = $1 AND withdrawn_at IS NULL
"""
_LATEST: Final = "SELECT coalesce(max(number), 0) FROM people.round WHERE tournament = $1"
_LEAVE: Final = "DELETE FROM people.entrant WHERE tournament = $1 AND person_id = $2"
_WITHDRAW: Final = """
UPDATE people.entrant SET withdrawn_at = log.now()
 WHERE tournament = $1 AND person_id = $2 AND withdrawn_at IS NULL RETURNING number
"""
_BEFORE: Final = """
INSERT INTO people.entrant_before (tournament, number, until, person_id)
SELECT tournament, number, $3, person_id FROM people.entrant WHERE tournament = $1 AND number = $2
"""
_TAKE: Final = """
UPDATE people.entrant SET person_id = $3, withdrawn_at = NULL WHERE tournament = $1 AND number = $2
"""
_USED_UP: Final = """
DELETE FROM people.invitation
 WHERE tournament = $1 AND (place = $2 OR person_id IN ($3, (SELECT person_id FROM people.entrant
                                                            WHERE tournament = $1 AND number = $2)))
"""
_INVITATIONS: Final = """
SELECT p.handle, p.name, i.made_at, i.place, e.number IS NOT NULL AS entered
  FROM people.invitation i JOIN people.person p ON p.id = i.person_id
  LEFT JOIN people.entrant e ON (e.tournament, e.person_id) = (i.tournament, i.person_id)
 WHERE i.tournament = $1 AND p.handle IS NOT NULL ORDER BY i.made_at, p.handle
"""
_LATELY: Final = """
SELECT count(*) FROM people.tournament WHERE director = $1 AND made_at > log.now() - interval '1 day'
"""
_LEFT: Final = """
SELECT count(*) FROM people.ruling WHERE tournament = $1 AND by = $2 AND what = 'left'
"""
_SEED: Final = """
UPDATE people.entrant e SET seed = s.seed
  FROM (SELECT n.number,
               row_number() OVER (ORDER BY coalesce(r.rating, 1500) DESC, n.entered_at, n.number) AS seed
          FROM people.entrant n JOIN people.person p ON p.id = n.person_id AND p.erased_at IS NULL
          LEFT JOIN view.rating r ON r.title = $2 AND r.subject = p.id::text
         WHERE n.tournament = $1) s
 WHERE e.tournament = $1 AND e.number = s.number
"""
_START: Final = """
UPDATE people.tournament SET state = 'under way', started_at = log.now(), rounds = $2 WHERE id = $1
"""


class NewTournament(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tournament that somebody wants to direct. Sent again with the same `command` it is the same one."""

    command: UUID
    name: str
    title: str
    scenario: str
    kind: TournamentKind
    about: str = ""
    options: dict[str, bool | int | str] = {}
    clock: Clock | None = None
    by_turns: bool = False
    rounds: int = 0
    """Of a Swiss; 0: as many as leave one alone at the top."""
    rated: bool = False
    open: bool = True
    bots: bool = False
    by_itself: bool = True
    most: int | None = None


class Entering:
    """The tournaments of this server, as they are entered."""

    def __init__(self, pool: Pool, lobby: Lobby) -> None:
        self._pool, self._lobby = pool, lobby

    async def make(self, here: Here, asked: NewTournament) -> UUID:
        """Make a tournament and return its id. Raises RequestError."""
        name, about = (
            fit(asked.name.strip(), NAME, "a name"),
            fit(asked.about.strip(), ABOUT, "what it is about"),
        )
        if len(name) < 3:  # noqa: PLR2004 a name, and not an initial
            raise RequestError("bad_text", "the name of a tournament has at least 3 characters")
        rounds = asked.rounds if asked.kind == "swiss" else 0
        if not 0 <= rounds <= ROUNDS:
            raise RequestError("bad_set_up", f"a Swiss has at most {ROUNDS} rounds")
        most = MOST[asked.kind] if asked.most is None else asked.most
        if not 2 <= most <= MOST[asked.kind]:  # noqa: PLR2004 two who play
            raise RequestError("bad_set_up", f"a {asked.kind} is for 2 to {MOST[asked.kind]}")
        of = Paired(
            asked.title, asked.scenario, asked.options, asked.clock, asked.by_turns, asked.rated, name
        )
        options = self._lobby.check_paired(of.offer(asked.command))
        async with connection(self._pool) as conn, conn.transaction():
            if await conn.fetchval(_DIRECTOR, here.person):
                raise RequestError("not_allowed", "the operator of this server has muted you")
            made: UUID | None = await conn.fetchval(_FOUND, here.person, asked.command)
            if made is not None:
                return made
            if await conn.fetchval(_GOING, here.person) >= GOING:
                raise RequestError("too_many", f"you direct {GOING} tournaments already")
            if await conn.fetchval(_LATELY, here.person) >= IN_A_DAY:
                raise RequestError("too_fast", f"you have made {IN_A_DAY} tournaments today already")
            made = uuid7()
            await conn.execute(
                _MAKE,
                made,
                asked.command,
                here.person,
                name,
                about,
                asked.title,
                asked.scenario,
                json.encode(options).decode(),
                None if asked.clock is None else json.encode(asked.clock).decode(),
                asked.by_turns,
                asked.kind,
                rounds,
                asked.rated,
                asked.open,
                asked.bots,
                asked.by_itself,
                most,
            )
            await note(conn, made, "made", here.person)
        return made

    async def enter(self, here: Here, tournament: UUID, bot: str = "") -> list[UUID]:
        """Enter, or enter one's bot; return matches that nobody plays any more. Raises RequestError."""
        async with connection(self._pool) as conn, conn.transaction():
            row = await locked(conn, tournament)
            who = await _who(conn, here, bot)
            there = {one["person_id"]: one for one in await conn.fetch(_THERE, tournament)}
            if (mine := there.get(who["id"])) is not None:
                if mine["withdrawn_at"] is not None:
                    raise RequestError("not_allowed", "whoever has withdrawn does not come back")
                return []
            if who["owner"] is not None and not row["bots"]:
                raise RequestError("not_allowed", "this tournament is for persons, not for bots")
            if row["rated"] and who["hand"] in {
                one["hand"] for one in there.values() if one["withdrawn_at"] is None
            }:
                raise RequestError("not_allowed", "in a rated tournament you and your bots enter once")
            if await conn.fetchval(_KEPT_AWAY, row["director"], who["id"]):
                raise RequestError("not_allowed", "the director of this tournament does not play with you")
            invited = await conn.fetchrow(_INVITED, tournament, who["id"])
            if invited is not None and invited["place"] is not None:
                return await _take_place(conn, row, who["id"], invited["place"])
            late = await _late(conn, row, invited)
            if not row["open"] and invited is None and who["id"] != row["director"]:
                raise RequestError(
                    "not_allowed", "this tournament is for those whom its director has invited"
                )
            await _check_room(conn, row)
            if await conn.fetchval(_LEFT, tournament, who["id"]) >= LEFT:
                raise RequestError("too_many", f"whoever has left {LEFT} times does not come back")
            number = await conn.fetchval(_ENTER, tournament, who["id"], late)
            what = "late entry" if late else "entered"
            await note(conn, tournament, what, who["id"], entrant=number)
        return []

    async def leave(self, here: Here, tournament: UUID, bot: str = "") -> list[UUID]:
        """Withdraw, or withdraw one's bot; return matches that nobody plays any more. Raises RequestError."""
        async with connection(self._pool) as conn, conn.transaction():
            row = await locked(conn, tournament)
            who = await _who(conn, here, bot)
            if row["state"] == "open":
                if await conn.execute(_LEAVE, tournament, who["id"]) == "DELETE 0":
                    raise RequestError("not_allowed", "you have not entered this tournament")
                await note(conn, tournament, "left", who["id"])
                return []
            check_going(row)
            number = await conn.fetchval(_WITHDRAW, tournament, who["id"])
            if number is None:
                raise RequestError("not_allowed", "you do not play in this tournament, or not any more")
            await note(conn, tournament, "withdrawn", who["id"], entrant=number)
            return await without_those_out(conn, row)

    async def invite(self, here: Here, tournament: UUID, handle: str) -> None:
        """Invite somebody. Raises RequestError."""
        async with connection(self._pool) as conn, conn.transaction():
            row = await locked(conn, tournament, here)
            await check_heard(conn, here)
            if row["state"] != "open" and not (row["state"] == "under way" and row["kind"] == "swiss"):
                raise RequestError("not_allowed", "once it has started, only a Swiss is entered")
            await _check_room(conn, row)
            await invite(conn, row, await invitable(conn, row, handle), None)

    async def take_back(self, here: Here, tournament: UUID, handle: str) -> None:
        """Take an invitation back; who has entered stays in. Raises RequestError."""
        async with connection(self._pool) as conn, conn.transaction():
            await locked(conn, tournament, here)
            await conn.execute(UNINVITE, tournament, look_up(handle))

    async def invited(self, here: Here, tournament: UUID) -> Sequence[Invitation]:
        """Return whom its director has invited, for himself. Raises RequestError."""
        async with connection(self._pool) as conn, conn.transaction():
            await locked(conn, tournament, here)
            rows = await conn.fetch(_INVITATIONS, tournament)
        return [
            Invitation(
                row["handle"],
                row["name"] or row["handle"],
                micros(row["made_at"]),
                row["place"],
                "entered" if row["entered"] else None,
            )
            for row in rows
        ]

    async def start(self, here: Here, tournament: UUID) -> None:
        """Start a tournament: seed the entrants by their ratings, and pair the first round.

        Raises RequestError.
        """
        async with connection(self._pool) as conn, conn.transaction():
            row = await locked(conn, tournament, here)
            if row["state"] != "open":
                raise RequestError("not_allowed", "this tournament has started already, or was called off")
            entrants = int((await conn.execute(_SEED, tournament, row["title"])).rpartition(" ")[2])
            if entrants < 2:  # noqa: PLR2004 two who play
                raise RequestError("not_allowed", "a tournament starts with at least two who have entered")
            rounds = (row["rounds"] or rounds_of(entrants)) if row["kind"] == "swiss" else 0
            await conn.execute(_START, tournament, rounds)
            await note(conn, tournament, "started", here.person)
            await go_on(conn, await locked(conn, tournament), by=here.person, begins=True)


def check_going(row: Record) -> None:
    """Raise RequestError for a tournament, by its row, that is not under way."""
    if row["state"] != "under way":
        text = "has not started yet" if row["state"] == "open" else "is over"
        raise RequestError("not_allowed", f"this tournament {text}")


async def _who(conn: PooledConnection, here: Here, bot: str) -> Record:
    """Return who enters or leaves: who asks, or a bot of his. Raises RequestError."""
    person: UUID | None = here.person
    if bot:
        person = None if here.bot else await conn.fetchval(_OWN_BOT, here.person, look_up(bot))
    if "play" not in here.scopes:
        raise RequestError("not_allowed", "this bot's token is for reading, and not for playing")
    who = None if person is None else await conn.fetchrow(_WHO, person)
    if who is None:
        raise RequestError("no_person", "you have no bot that is called so")
    return who


async def _check_room(conn: PooledConnection, row: Record) -> None:
    """Raise RequestError where all places are taken; those who have withdrawn have none."""
    if await conn.fetchval(_PLAYING, row["id"]) >= row["most"]:
        raise RequestError("too_many", f"this tournament is for {row['most']}, and that many are in it")


async def _late(conn: PooledConnection, row: Record, invited: Record | None) -> int:
    """Return the first round of who enters now, 0 for all. Raises RequestError where he cannot."""
    if row["state"] == "open":
        return 0
    check_going(row)
    if row["kind"] != "swiss":
        raise RequestError("not_allowed", "once it has started, only a Swiss is entered")
    if invited is None:
        raise RequestError("not_allowed", "it has started: only the director can let you in, by inviting you")
    latest: int = await conn.fetchval(_LATEST, row["id"])
    if latest >= row["rounds"]:
        raise RequestError("not_allowed", "the last round has begun")
    return latest + 1


async def _take_place(conn: PooledConnection, row: Record, person: UUID, number: int) -> list[UUID]:
    """Give somebody the place of another, who keeps what is over or begun; return matches made anew.

    Whoever keeps something of the latest round has had the place up to and with that one.
    """
    check_going(row)
    latest = await conn.fetchval(_LATEST, row["id"])
    own = [
        one
        for one in await drawn(conn, row["id"])
        if one.result.round == latest and number in (one.result.first, one.result.second)
    ]
    given = [one for one in own if one.open and await anew(conn, row["id"], one)]
    left = [one.match for one in given if one.match is not None]
    until = latest - 1 if own and len(given) == len(own) else latest
    await conn.execute(_BEFORE, row["id"], number, until)
    await conn.execute(_USED_UP, row["id"], number, person)  # else who had the place takes it back
    await conn.execute(_TAKE, row["id"], number, person)
    await note(conn, row["id"], "place taken", person, entrant=number)
    return left
