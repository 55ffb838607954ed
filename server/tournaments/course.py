"""A tournament as the database has it: its row under a lock, its pairings with what became of their matches.

What a match came to is read from the view of standings, which is made from the log; a ruling goes before it.
A match that was called off has no result.

Deliberately absent: who may do what (`server.tournaments.entering`, `server.tournaments.directing`), and when
the next round comes (`server.tournaments.rounds`).
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, TypeAlias, cast
from uuid import UUID

from asyncpg import Record
from msgspec import Struct, json

from domain.match.notices import CALLED_OFF
from domain.match.refusals import RequestError
from projections.tournaments import Course, Entrant, Result
from server.people.sessions import Here
from server.postgres.database import Connection, PooledConnection
from server.protocol.tournaments import ResultKind

AnyConnection: TypeAlias = "Connection | PooledConnection"

_LOCK: Final = "SELECT * FROM people.tournament WHERE id = $1 FOR UPDATE"
_ENTRANTS: Final = """
SELECT number, withdrawn_at IS NOT NULL AS out FROM people.entrant
 WHERE tournament = $1 AND seed IS NOT NULL ORDER BY seed
"""
_PAIRINGS: Final = f"""
SELECT q.*, coalesce(s.started, false) AS started, coalesce(s.over, false) AS over, s.winner,
       coalesce(s.reason, '') AS ended, coalesce(s.reason = '{CALLED_OFF}', false) AS called_off
  FROM people.pairing q LEFT JOIN view.standings s ON s.match_id = q.match_id
 WHERE q.tournament = $1 ORDER BY q.number
"""  # noqa: S608 a constant
_RULED: Final = """
INSERT INTO people.ruling (tournament, by, what, entrant, pairing, reason) VALUES ($1, $2, $3, $4, $5, $6)
"""
_AUDIT: Final = "INSERT INTO log.audit (actor, action, subject, detail) VALUES ($1, $2, $3, $4)"
_BEGUN: Final = """
SELECT EXISTS (SELECT FROM log.fact WHERE match_id = $1 AND type = 'Started')
   AND NOT EXISTS (SELECT FROM view.standings WHERE match_id = $1 AND reason = $2)
"""
# Of the log: the view may be behind it.
_PLAYED: Final = """
SELECT EXISTS (SELECT FROM log.fact WHERE match_id = $1 AND CASE WHEN type = 'GameEnded'
                 THEN convert_from(body, 'UTF8')::jsonb ->> 'reason' <> $2 END)
"""
_VOID: Final = "UPDATE lobby.token SET revoked_at = log.now() WHERE match_id = $1 AND revoked_at IS NULL"
_FORGOTTEN: Final = "UPDATE lobby.match SET ended_at = log.now() WHERE match_id = $1 AND ended_at IS NULL"
_RESULT: Final = """
UPDATE people.pairing SET how = $3, points = $4, second_points = $5 WHERE tournament = $1 AND number = $2
"""
_NAMELESS: Final = "UPDATE lobby.match SET label = '' WHERE match_id = $1"
_ANEW: Final = """
UPDATE people.pairing SET match_id = NULL, attempt = attempt + 1 WHERE tournament = $1 AND number = $2
"""

LATE: Final = timedelta(days=3)
"""For how long the results of a round robin or a Swiss are ruled that is over."""

NO_SUCH: Final = "there is no such tournament"


class _Begun(Exception):
    """A match has begun."""


class Drawn(Struct, frozen=True):
    """A pairing: what the course has of it, and its match (None: not made yet) as it stands."""

    result: Result
    match: UUID | None
    started: bool
    over: bool
    called_off: bool
    ended: str

    @property
    def open(self) -> bool:
        """Whether it has no result, and its match is not played."""
        return self.result.how is None and (not self.started or self.called_off)


async def locked(conn: AnyConnection, tournament: UUID, director: Here | None = None) -> Record:
    """Return the row of a tournament, which nobody else changes until the transaction ends.

    Raises RequestError, also for who is not its director, if one is given.
    """
    row = await conn.fetchrow(_LOCK, tournament)
    if row is None:
        raise RequestError("no_page", NO_SUCH)
    if director is not None and (director.bot or row["director"] != director.person):
        raise RequestError("not_allowed", "only the director of a tournament does this")
    return row


async def drawn(conn: AnyConnection, tournament: UUID) -> list[Drawn]:
    """Return the pairings of a tournament, in their order."""
    return [_drawn(row) for row in await conn.fetch(_PAIRINGS, tournament)]


async def course(conn: AnyConnection, row: Record, pairings: Sequence[Drawn] | None = None) -> Course:
    """Return the course of a tournament, given by its row."""
    entrants = [Entrant(one["number"], one["out"]) for one in await conn.fetch(_ENTRANTS, row["id"])]
    found = await drawn(conn, row["id"]) if pairings is None else pairings
    return Course(row["kind"], entrants, [one.result for one in found], row["rounds"])


async def note(
    conn: AnyConnection,
    tournament: UUID,
    what: str,
    by: UUID | None,
    *,
    entrant: int | None = None,
    pairing: int | None = None,
    reason: str = "",
) -> None:
    """Write down what was done, for all to see, and in the audit log, there without the words."""
    await conn.execute(_RULED, tournament, by, what, entrant, pairing, reason)
    detail = {"entrant": entrant, "pairing": pairing}
    said = json.encode({name: value for name, value in detail.items() if value is not None}).decode()
    actor = "server" if by is None else f"person {by}"
    await conn.execute(_AUDIT, actor, f"tournament: {what}", str(tournament), said)


async def void(conn: AnyConnection, match: UUID | None) -> bool:
    """Let nobody play a match that has not begun or was called off; whether it was such a one."""
    if match is None:
        return False
    try:
        await _revoke(conn, match)
    except _Begun:
        return False
    await conn.execute(_FORGOTTEN, match)
    return True


async def _revoke(conn: AnyConnection, match: UUID) -> None:
    """Revoke the links of a match. Raises _Begun, and leaves them, where it has begun."""
    async with conn.transaction():
        await conn.execute(_VOID, match)
        if await conn.fetchval(_BEGUN, match, CALLED_OFF):  # asked last: it does not begin any more
            raise _Begun


async def anew(conn: AnyConnection, tournament: UUID, one: Drawn) -> bool:
    """Have another match made for one that has not begun or was called off; whether it is such a one."""
    if one.match is not None:
        if not await void(conn, one.match):
            return False
        await conn.execute(_NAMELESS, one.match)  # no pairing leads there, when its director is erased
    await conn.execute(_ANEW, tournament, one.result.number)
    return True


async def ruled(
    conn: AnyConnection,
    tournament: UUID,
    number: int,
    how: ResultKind,
    points: float,
    second_points: float | None,
) -> None:
    """Give a pairing its result by a ruling, whatever its match comes to."""
    await conn.execute(_RESULT, tournament, number, how, points, second_points)


async def without_those_out(conn: AnyConnection, row: Record) -> list[UUID]:
    """Give those their points whose opponents have withdrawn; return matches that nobody plays any more."""
    pairings = await drawn(conn, row["id"])
    out = {one.number for one in (await course(conn, row, pairings)).entrants if one.out}
    left = []
    for one in pairings:
        result = one.result
        if result.how is not None or not out & {result.first, result.second}:
            continue
        if one.match is not None and await conn.fetchval(_PLAYED, one.match, CALLED_OFF):
            continue
        first, second = float(result.first not in out), float(result.second not in out)
        await ruled(conn, row["id"], result.number, "withdrawn", first, second)
        if one.match is not None and await void(conn, one.match):
            left.append(one.match)
    return left


def _drawn(row: Record) -> Drawn:
    how, points, second = row["how"], row["points"], row["second_points"]
    if how is None and row["over"] and not row["called_off"]:
        how = "played"
        points = 0.5 if row["winner"] is None else 1.0 - row["winner"]
        second = 1.0 - points
    kind = cast("ResultKind | None", how)
    result = Result(row["number"], row["round"], row["first"], row["second"], kind, points, second)
    return Drawn(result, row["match_id"], row["started"], row["over"], row["called_off"], row["ended"])
