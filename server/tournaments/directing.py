"""What a director does while a tournament is under way: rule, withdraw or replace somebody, call it off.

Before it starts he takes somebody off the list, who was never there then; whom he also keeps away stays out.
A ruling counts whatever the match comes to. It may come late: standings follow, rounds that were paired stay,
and for LATE after the end so do places, since nobody could rule anything of the last round else.
Only in a knock-out nothing of a round that is over is ruled, since others have gone on by it. Of a match that
he or a bot of his plays a director rules only that the other has won, or has it played anew. A match that is
played he corrects with the consent of both who play it: what he rules is the proposal, which is on the
match's log before it is noted here. Should noting it fail, it stands there without its reason, and they may
decline. He withdraws it the same way, without saying why. Deliberately absent: entries
(`server.tournaments.entering`).
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, Literal
from uuid import UUID

from asyncpg import Record
from msgspec import Meta, Struct

from domain.match.refusals import RequestError
from server.lobby.fitting import fit
from server.people.sessions import Here
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol.tournaments import Directed
from server.tournaments.course import (
    LATE,
    AnyConnection,
    Drawn,
    anew,
    course,
    drawn,
    locked,
    note,
    ruled,
    void,
    without_those_out,
)
from server.tournaments.entering import check_going
from server.tournaments.inviting import check_heard, offer_place
from server.tournaments.rounds import end, go_on, place

REASON: Final = 500

PROPOSED: Final = "correction proposed"
WITHDRAWN: Final = "correction withdrawn"

Number = Annotated[int, Meta(ge=0, le=2**15 - 1)]
"""The number of a pairing or an entrant, as the database can have it."""

_ROUND_OVER: Final = "SELECT over_at IS NOT NULL FROM people.round WHERE tournament = $1 AND number = $2"
_LATE: Final = "SELECT log.now() < $1::timestamptz + $2::interval"
_WITHDRAW: Final = """
UPDATE people.entrant SET withdrawn_at = log.now()
 WHERE tournament = $1 AND number = $2 AND withdrawn_at IS NULL
"""
# Else he comes back by the invitation that let him in.
_TAKE_OUT: Final = """
WITH taken AS (DELETE FROM people.entrant WHERE tournament = $1 AND number = $2 RETURNING person_id),
     used AS (DELETE FROM people.invitation i USING taken
               WHERE i.tournament = $1 AND i.person_id = taken.person_id)
SELECT true FROM taken
"""
_OWN: Final = """
SELECT array_agg(e.number) FROM people.entrant e JOIN people.person p ON p.id = e.person_id
 WHERE e.tournament = $1 AND e.number = ANY($2::smallint[]) AND coalesce(p.owner, p.id) = $3
"""
_DIRECTED: Final = """
SELECT q.tournament, q.number FROM people.pairing q JOIN people.tournament t ON t.id = q.tournament
 WHERE q.match_id = $1 AND t.director = $2 AND t.state = 'under way' AND q.how IS NULL
"""
_ENTRANT: Final = "SELECT true FROM people.entrant WHERE tournament = $1 AND number = $2"


class Ruling(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="what"):
    """What is ruled, and why: that is shown to all."""

    reason: str


class Adjudicate(Ruling, frozen=True, tag="adjudicate"):
    """Give a pairing its result."""

    pairing: Number
    points: float
    """Of the first: 0, 0.5 or 1."""


class Forfeit(Ruling, frozen=True, tag="forfeit"):
    """One has lost, or both, by what has not to do with the game."""

    pairing: Number
    loser: Literal[0, 1, 2]
    """The first, the second, or 0: both."""


class Replay(Ruling, frozen=True, tag="replay"):
    """Another match, for one that has not begun or was called off."""

    pairing: Number


class Withdraw(Ruling, frozen=True, tag="withdraw"):
    """An entrant plays no more; before the start he is off the list."""

    entrant: Number


class Replace(Ruling, frozen=True, tag="replace"):
    """The place of an entrant is offered to somebody, who takes it by entering."""

    entrant: Number
    handle: str


class Correct(Ruling, frozen=True, tag="correct"):
    """It is proposed to both players to go on from a fact of their match, behind which a decision stands."""

    pairing: Number
    back_to: int


class CallOff(Ruling, frozen=True, tag="call off"):
    """The tournament ends without a result."""


AnyRuling = Adjudicate | Forfeit | Replay | Correct | Withdraw | Replace | CallOff

Propose = Callable[[UUID, int], Awaitable[object]]
"""Proposes, as the director, to go on in a match from a fact, or withdraws it. Raises what the match does."""


class Directing:
    """The tournaments of this server, as they are directed."""

    def __init__(self, pool: Pool, propose: Propose, withdraw: Propose) -> None:
        self._pool, self._propose, self._withdraw = pool, propose, withdraw

    async def directed(self, here: Here, match: UUID) -> Directed:
        """Return the pairing of a match, if it is of a tournament under way that this person directs."""
        async with connection(self._pool) as conn:
            row = None if here.bot else await conn.fetchrow(_DIRECTED, match, here.person)
        return Directed(row["tournament"], row["number"]) if row else Directed()

    async def withdraw(self, here: Here, match: UUID, back_to: int) -> None:
        """Withdraw what the director proposes to correct in a match. Raises RequestError."""
        what = await self.directed(here, match)
        if what.tournament is None or what.pairing is None:
            raise RequestError(
                "not_allowed", "only the director of its tournament withdraws what he proposes"
            )
        async with connection(self._pool) as conn, conn.transaction():
            check_going(await locked(conn, what.tournament, here))
            await self._withdraw(match, back_to)
            await note(conn, what.tournament, WITHDRAWN, here.person, pairing=what.pairing)

    async def pair(self, here: Here, tournament: UUID) -> None:
        """Begin the next round. Raises RequestError while the last is not over."""
        async with connection(self._pool) as conn, conn.transaction():
            row = await locked(conn, tournament, here)
            check_going(row)
            if not await go_on(conn, row, by=here.person, begins=True):
                open_ = sum(one.result.how is None for one in await drawn(conn, tournament))
                raise RequestError("too_early", f"the round is not over: {open_} pairings have no result yet")

    async def rule(self, here: Here, tournament: UUID, asked: AnyRuling) -> list[UUID]:
        """Rule something; return the matches that nobody plays any more. Raises RequestError."""
        reason = fit(asked.reason.strip(), REASON, "a reason")
        if not reason:
            raise RequestError("bad_text", "say why: all see the reason of a ruling")
        async with connection(self._pool) as conn, conn.transaction():
            row = await locked(conn, tournament, here)
            await check_heard(conn, here)
            if isinstance(asked, CallOff):
                return await call_off(conn, row, here.person, reason)
            if isinstance(asked, Adjudicate | Forfeit) and await _is_ruled_late(conn, row):
                left = await _about_pairing(conn, row, here, asked, reason)
                await place(conn, row["id"], await course(conn, row))
                return left
            if isinstance(asked, Withdraw) and row["state"] == "open":
                await _take_out(conn, row, here, asked.entrant, reason)
                return []
            check_going(row)
            if isinstance(asked, Withdraw | Replace):
                return await _about_entrant(conn, row, here, asked, reason)
            if isinstance(asked, Correct):
                one = await _pairing(conn, row, asked.pairing)
                if one.match is None or one.result.how is not None:
                    raise RequestError("not_allowed", "only a match that is played is corrected")
                if await _own(conn, row, one):
                    raise RequestError(
                        "not_allowed", "you play this match, or your bot does: propose it as who plays"
                    )
                await self._propose(one.match, asked.back_to)
                await note(conn, row["id"], PROPOSED, here.person, pairing=asked.pairing, reason=reason)
                return []
            return await _about_pairing(conn, row, here, asked, reason)


async def _is_ruled_late(conn: PooledConnection, row: Record) -> bool:
    """Whether results of a tournament that is over are ruled still; nobody has gone on by them."""
    if row["state"] != "over" or row["kind"] == "knock-out":
        return False
    late: bool = await conn.fetchval(_LATE, row["ended_at"], LATE)
    return late


async def _about_pairing(
    conn: PooledConnection, row: Record, here: Here, asked: Adjudicate | Forfeit | Replay, reason: str
) -> list[UUID]:
    one = await _pairing(conn, row, asked.pairing)
    match asked:
        case Adjudicate(points=points):
            if points not in (0.0, 0.5, 1.0):
                raise RequestError("bad_request", "the points of the first are 0, 0.5 or 1")
            what = "adjudicated"
            await _check_against_himself(conn, row, one, points, 1.0 - points)
            await ruled(conn, row["id"], asked.pairing, "adjudicated", points, 1.0 - points)
        case Forfeit(loser=loser):
            what = "forfeited"
            points, others = float(loser == 2), float(loser == 1)  # noqa: PLR2004
            await _check_against_himself(conn, row, one, points, others)
            await ruled(conn, row["id"], asked.pairing, "forfeit", points, others)
        case Replay():
            what = "played anew"
            if not one.open or not await anew(conn, row["id"], one):
                text = "only a match that has not begun or was called off is played anew"
                raise RequestError("not_allowed", text)
    await note(conn, row["id"], what, here.person, pairing=asked.pairing, reason=reason)
    if isinstance(asked, Replay) or await void(conn, one.match):
        return [one.match] if one.match is not None else []
    return []


async def _pairing(conn: PooledConnection, row: Record, number: int) -> Drawn:
    """Return a pairing that may be ruled. Raises RequestError."""
    one = next((one for one in await drawn(conn, row["id"]) if one.result.number == number), None)
    if one is None or one.result.second is None:
        raise RequestError("bad_request", "there is no such pairing")
    if row["kind"] == "knock-out" and await conn.fetchval(_ROUND_OVER, row["id"], one.result.round):
        raise RequestError("not_allowed", "in a knock-out others have gone on by the results of that round")
    return one


async def _own(conn: PooledConnection, row: Record, one: Drawn) -> list[int]:
    """Return which of the two of a pairing are the director himself, or a bot of his."""
    pair = [one.result.first, one.result.second]
    return await conn.fetchval(_OWN, row["id"], pair, row["director"]) or []


async def _check_against_himself(
    conn: PooledConnection, row: Record, one: Drawn, points: float, others: float
) -> None:
    """Raise RequestError where a director plays a pairing himself, unless its other entrant is given the win.

    A match of his that is played anew gives nobody anything, so that is his to rule as any other.
    """
    own = await _own(conn, row, one)
    wins = {one.result.first: (0.0, 1.0), one.result.second: (1.0, 0.0)}
    if own and (points, others) not in [wins[number] for number in own]:
        text = "you play this match, or your bot does: you rule of it only that the other has won"
        raise RequestError("not_allowed", text)


async def _about_entrant(
    conn: PooledConnection, row: Record, here: Here, asked: Withdraw | Replace, reason: str
) -> list[UUID]:
    if not await conn.fetchval(_ENTRANT, row["id"], asked.entrant):
        raise RequestError("bad_request", "there is no such entrant")
    if isinstance(asked, Replace):
        await offer_place(conn, row, asked.handle, asked.entrant)
        await note(conn, row["id"], "place offered", here.person, entrant=asked.entrant, reason=reason)
        return []
    if await conn.execute(_WITHDRAW, row["id"], asked.entrant) == "UPDATE 0":
        raise RequestError("not_allowed", "he has withdrawn already")
    await note(conn, row["id"], "withdrawn", here.person, entrant=asked.entrant, reason=reason)
    return await without_those_out(conn, row)


async def _take_out(conn: PooledConnection, row: Record, here: Here, number: int, reason: str) -> None:
    """Take somebody off the list of a tournament that has not started. Raises RequestError."""
    if not await conn.fetchval(_TAKE_OUT, row["id"], number):
        raise RequestError("bad_request", "there is no such entrant")
    await note(conn, row["id"], "taken out", here.person, reason=reason)  # whoever enters next has his number


async def call_off(conn: AnyConnection, row: Record, by: UUID | None, reason: str) -> list[UUID]:
    """Call a tournament off, whose row is locked; return as `rule`. Raises RequestError once it is over."""
    if row["state"] not in ("open", "under way"):
        raise RequestError("not_allowed", "this tournament is over")
    await end(conn, row["id"], "called off")
    await note(conn, row["id"], "called off", by, reason=reason)
    return [
        one.match
        for one in await drawn(conn, row["id"])
        if one.result.how is None and one.match is not None and await void(conn, one.match)
    ]
