"""The rounds of tournaments: each is paired once the one before is over, and its matches are made.

Laws of this module:
1. Who pairs has the tournament's row locked, so a round is paired once, by whichever node.
2. A match is made by a command that follows from its pairing, with the pairing's row locked: made by a node
   that was killed before it noted that, it is found again and not made twice. The tournament's row is shared
   meanwhile, and locked first, as everywhere: who rules waits, and knows of the match.
3. Its seats are opened to the two persons, by tokens that no link has, in the transaction that notes it. Its
   links are handed out to nobody, and the lobby does not list it while it is open.

A round begins by itself unless its director wants to say when: nobody should wait for a director who is away,
and what he rules of an earlier round later counts all the same.

While it is open, one whose director has been erased or banned is called off: nobody else can start it. Under
way, where nobody directs, since he has been erased, banned or muted, a round begins by itself, and the server
rules what would stand still for ever: a match that has not begun, or was called off, and was made STILL ago
is played anew, once, and at the next time both have lost it by forfeit. To tell who of the two is to blame
needs a person; a match more lets both mend it.

Deliberately absent: what comes next (`projections.tournaments`); what a director rules
(`server.tournaments.directing`).
"""

import asyncio
import hashlib
from collections.abc import Coroutine, Sequence
from typing import Final
from uuid import UUID

import structlog
from asyncpg import Record
from msgspec import Struct, json

from domain.kernel.seats import Clock
from domain.match.notices import CALLED_OFF
from domain.titles import TITLES
from projections.pairings import WHOLE_BYE, Pairing
from projections.tournaments import Course
from server.lobby.fitting import LABEL
from server.lobby.offers import Lobby
from server.lobby.seats import open_to
from server.notices.due import DUE, PUT, WAIT
from server.play.failures import failed, put_off
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol import wire
from server.tournaments.course import (
    AnyConnection,
    anew,
    course,
    drawn,
    note,
    ruled,
    void,
    without_those_out,
)

LOOK: Final = 1.0
"""Seconds between two looks at what is to be done."""

AT_ONCE: Final = 50
"""Matches that are made in one look."""

STILL: Final = 7
"""Days from the making of a match, after which one that nobody directs is ruled by the server."""

LONGEST: Final = 300.0
"""Seconds at most until what has failed is tried again."""

ALONE: Final = "The director of this tournament directs it no more, and this match was not played."

NOBODY_STARTS: Final = "The director of this tournament directs it no more, so nobody can start it."

_GONE: Final = "coalesce(d.erased_at, d.banned_at) IS NOT NULL"
_ALONE: Final = "coalesce(d.erased_at, d.banned_at, d.muted_at) IS NOT NULL"
_STILL: Final = f"""
  FROM people.pairing q JOIN lobby.match m ON m.match_id = q.match_id
  LEFT JOIN view.standings s ON s.match_id = q.match_id
 WHERE q.tournament = t.id AND q.how IS NULL AND (s.started IS NOT TRUE OR s.reason = '{CALLED_OFF}')
   AND m.created_at < (SELECT log.now()) - interval '{STILL} days'
"""
_DUE: Final = f"""
SELECT t.id FROM people.tournament t JOIN people.person d ON d.id = t.director
 WHERE t.id <> ALL($1::uuid[]) AND (t.state = 'open' AND {_GONE}
    OR t.state = 'under way' AND (
         EXISTS (SELECT FROM people.entrant e JOIN people.person p ON p.id = e.person_id
                  WHERE e.tournament = t.id AND e.withdrawn_at IS NULL AND p.erased_at IS NOT NULL)
      OR {_ALONE} AND EXISTS (SELECT {_STILL})
      OR (EXISTS (SELECT FROM people.round r WHERE r.tournament = t.id AND r.over_at IS NULL)
          OR {_ALONE})
         AND NOT EXISTS (SELECT FROM people.pairing q LEFT JOIN view.standings s ON s.match_id = q.match_id
                          WHERE q.tournament = t.id AND q.how IS NULL
                            AND (s.over IS NOT TRUE OR s.reason = '{CALLED_OFF}'))))
 LIMIT {AT_ONCE}
"""  # noqa: S608 constants
_CLAIM: Final = f"""
SELECT t.*, {_ALONE} AS alone
  FROM people.tournament t JOIN people.person d ON d.id = t.director
 WHERE t.id = $1 AND t.state IN ('open', 'under way') FOR UPDATE OF t SKIP LOCKED
"""  # noqa: S608 constants
_STANDING: Final = f"""
SELECT x.number, x.attempt FROM people.tournament t
 CROSS JOIN LATERAL (SELECT q.number, q.attempt {_STILL}) x WHERE t.id = $1 ORDER BY x.number
"""  # noqa: S608 constants
_ERASED: Final = """
UPDATE people.entrant e SET withdrawn_at = log.now() FROM people.person p
 WHERE e.tournament = $1 AND p.id = e.person_id AND p.erased_at IS NOT NULL AND e.withdrawn_at IS NULL
RETURNING e.number
"""
_ROUND: Final = "INSERT INTO people.round (tournament, number) VALUES ($1, $2)"
_OVER: Final = "UPDATE people.round SET over_at = log.now() WHERE tournament = $1 AND over_at IS NULL"
_PAIR: Final = """
INSERT INTO people.pairing (tournament, number, round, first, second, how, points, second_points)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
_ENDED: Final = "UPDATE people.tournament SET state = $2, ended_at = log.now() WHERE id = $1"
_PLACE: Final = "UPDATE people.entrant SET place = $3 WHERE tournament = $1 AND number = $2"
_UNMADE: Final = f"""
SELECT q.tournament, q.number FROM people.pairing q JOIN people.tournament t ON t.id = q.tournament
 WHERE q.match_id IS NULL AND q.how IS NULL AND t.state = 'under way'
   AND (q.tournament, q.number) NOT IN (SELECT * FROM unnest($1::uuid[], $2::smallint[]))
 ORDER BY q.tournament, q.number LIMIT {AT_ONCE}
"""  # noqa: S608 constants
_HOLD: Final = """
SELECT true FROM people.tournament WHERE id = $1 AND state = 'under way' FOR SHARE SKIP LOCKED
"""
_MAKE: Final = """
SELECT q.number, q.attempt, q.round, t.*, a.person_id AS north, b.person_id AS south
  FROM people.pairing q JOIN people.tournament t ON t.id = q.tournament
  JOIN people.entrant a ON (a.tournament, a.number) = (q.tournament, q.first)
  JOIN people.entrant b ON (b.tournament, b.number) = (q.tournament, q.second)
 WHERE q.tournament = $1 AND q.number = $2 AND q.match_id IS NULL AND q.how IS NULL AND t.state = 'under way'
   FOR UPDATE OF q SKIP LOCKED
"""
_MADE: Final = "UPDATE people.pairing SET match_id = $3 WHERE tournament = $1 AND number = $2"
_TELL: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at)
{PUT}
SELECT c.id, c.person_id, $2, $3, CASE WHEN p.owner IS NULL THEN 'round' ELSE 'botround' END, 1,
       {DUE.format(at="CASE WHEN p.owner IS NULL THEN now.at ELSE now.at + $4::interval END")}
  FROM now JOIN people.person p ON p.id = $1
  JOIN people.channel c ON c.person_id = coalesce(p.owner, p.id) AND c.state = 'on'
    ON CONFLICT DO NOTHING
"""  # noqa: S608 constants

log = structlog.get_logger(__name__)


class Paired(Struct, frozen=True):
    """What a round is played by: the conditions of all matches of a tournament."""

    title: str
    scenario: str
    options: dict[str, bool | int | str]
    clock: Clock | None
    by_turns: bool
    rated: bool
    name: str = ""

    def offer(self, tournament: UUID, round_: int = 1) -> wire.Create:
        """Return the offer of a match of a round."""
        return wire.Create(
            wire.VERSION,
            tournament,
            self.title,
            self.scenario,
            options=self.options,  # type: ignore[arg-type]
            clock=self.clock,
            label=f"{self.name}, round {round_}"[:LABEL],
            by_turns=self.by_turns,
            rated=self.rated,
            persons=True,
        )

    def seats(self) -> list[int]:
        """Return the seat of each side."""
        seats = TITLES[self.title].seats(self.scenario, self.options)
        return sorted(range(len(seats)), key=lambda seat: seats[seat].side)


def conditions(row: Record) -> Paired:
    """Return the conditions of a tournament, by its row."""
    return Paired(
        row["title"],
        row["scenario"],
        json.decode(row["options"]),
        None if row["clock"] is None else json.decode(row["clock"], type=Clock),
        row["by_turns"],
        row["rated"],
        row["name"],
    )


class Rounds:
    """The rounds of a node's database. Every node looks after them, and each thing is done by one."""

    def __init__(self, pool: Pool, lobby: Lobby) -> None:
        self._pool, self._lobby = pool, lobby
        self._woken = asyncio.Event()
        self._failed: dict[tuple[UUID, int], tuple[int, float]] = {}
        """What has failed, a pairing or 0 for a whole tournament: how often, and until when it waits."""

    def wake(self) -> None:
        """Look at once: something has been changed here."""
        self._woken.set()

    async def run(self) -> None:
        """Pair rounds and make their matches, until cancelled."""
        while True:
            self._woken.clear()
            with put_off("tournaments not looked after"):
                await self.look()
            try:
                async with asyncio.timeout(LOOK):
                    await self._woken.wait()
            except TimeoutError:
                pass

    async def look(self) -> None:
        """Do what is to be done now. Raises what the database does; then it is done at the next look."""
        now = asyncio.get_running_loop().time()
        later = [key for key, (_, until) in self._failed.items() if until > now]
        async with connection(self._pool) as conn:
            due = await conn.fetch(_DUE, [tournament for tournament, number in later if not number])
        for row in due:
            await self._try("a tournament does not go on", (row["id"], 0), self._go_on(row["id"]))
        async with connection(self._pool) as conn:
            unmade = await conn.fetch(_UNMADE, [key[0] for key in later], [key[1] for key in later])
        for tournament, number in unmade:
            making = self._make(tournament, number)
            await self._try("a match of a tournament not made", (tournament, number), making)

    async def _try(self, what: str, key: tuple[UUID, int], work: Coroutine[None, None, None]) -> None:
        """Do something; what fails is put off for longer each time, and stops nothing else."""
        try:
            await work
        except Exception as why:
            failed(what, why, tournament=str(key[0]))
            tries = self._failed.get(key, (0, 0.0))[0] + 1
            wait = min(LOOK * 2 ** min(tries - 1, 10), LONGEST)
            self._failed[key] = tries, asyncio.get_running_loop().time() + wait
        else:
            self._failed.pop(key, None)

    async def _go_on(self, tournament: UUID) -> None:
        async with connection(self._pool) as conn, conn.transaction():
            row = await conn.fetchrow(_CLAIM, tournament)
            if row is None:  # another node is at it
                return
            if row["state"] == "open":
                await end(conn, tournament, "called off")
                await note(conn, tournament, "called off", None, reason=NOBODY_STARTS)
                return
            for one in await conn.fetch(_ERASED, tournament):
                await note(conn, tournament, "withdrawn", None, entrant=one["number"])
            left = await without_those_out(conn, row)
            if row["alone"]:
                left += await _rule(conn, tournament)
            await go_on(conn, row, by=None, begins=row["by_itself"] or row["alone"])
        self.left(left)

    def left(self, matches: Sequence[UUID]) -> None:
        """Show those out who are at matches that nobody plays any more."""
        for match in matches:
            self._lobby.seats.links_changed(match)

    async def _make(self, tournament: UUID, number: int) -> None:
        async with connection(self._pool) as conn, conn.transaction():
            if not await conn.fetchval(_HOLD, tournament):  # somebody rules, or it is over
                return
            row = await conn.fetchrow(_MAKE, tournament, number)
            if row is None:  # another node is at it, or it has a result by now
                return
            of = conditions(row)
            match = await self._lobby.paired(of.offer(tournament, row["round"]), _command(row))
            await conn.execute(_MADE, tournament, number, match)
            for person, seat in zip((row["north"], row["south"]), of.seats(), strict=True):
                await open_to(conn, person, match, "seat", seat)
                await conn.execute(_TELL, person, match, seat, WAIT)
        log.info("tournament.match", tournament=str(tournament), pairing=number, match=str(match))


async def _rule(conn: PooledConnection, tournament: UUID) -> list[UUID]:
    """Rule what stands still in a tournament that nobody directs; return matches that nobody plays now."""
    attempts = dict(map(tuple, await conn.fetch(_STANDING, tournament)))
    left = []
    for one in await drawn(conn, tournament):
        number = one.result.number
        if number not in attempts or one.match is None:
            continue
        if attempts[number] > 1:
            if not await void(conn, one.match):
                continue
            await ruled(conn, tournament, number, "forfeit", 0.0, 0.0)
        elif not await anew(conn, tournament, one):
            continue
        what = "forfeited" if attempts[number] > 1 else "played anew"
        await note(conn, tournament, what, None, pairing=number, reason=ALONE)
        left.append(one.match)
    return left


def _command(row: Record) -> bytes:
    """Return the hash of the command that makes a match of a pairing; no client's is the hash of so much."""
    said = f"{row['number']} {row['attempt']}".encode()
    return hashlib.sha256(b"tournament" + row["id"].bytes + said).digest()


async def go_on(conn: AnyConnection, row: Record, *, by: UUID | None, begins: bool) -> bool:
    """Do what comes next in a tournament, whose row is locked; whether its round is over.

    The next round is paired if it `begins` now.
    """
    now = await course(conn, row)
    if not now.settled:
        return False
    step = await asyncio.to_thread(now.step)  # a large Swiss takes seconds
    if step.more:
        await _add(conn, now, row["id"], now.round, step.more)
        return True
    await conn.execute(_OVER, row["id"])
    if step.over:
        await place(conn, row["id"], now)
        await end(conn, row["id"], "over")
    elif begins:
        await conn.execute(_ROUND, row["id"], now.round + 1)
        await _add(conn, now, row["id"], now.round + 1, step.following)
        await note(conn, row["id"], "paired", by)
    return True


async def place(conn: AnyConnection, tournament: UUID, now: Course) -> None:
    """Note the places of a tournament that is over."""
    for one in now.table():
        await conn.execute(_PLACE, tournament, one.entrant, one.place)


async def end(conn: AnyConnection, tournament: UUID, state: str) -> None:
    """End a tournament: it is over, or called off."""
    await conn.execute(_ENDED, tournament, state)


async def _add(
    conn: AnyConnection, now: Course, tournament: UUID, number: int, pairings: Sequence[Pairing]
) -> None:
    out = {one.number for one in now.entrants if one.out}
    last = max((one.number for one in now.results), default=0)
    for place, one in enumerate(pairings, last + 1):
        first, second = int(one.first), None if one.second is None else int(one.second)
        result: tuple[str | None, float | None, float | None] = (None, None, None)
        if second is None:
            result = ("bye", WHOLE_BYE, None)
        elif out & {first, second}:
            result = ("withdrawn", float(first not in out), float(second not in out))
        await conn.execute(_PAIR, tournament, place, number, first, second, *result)
