"""A holiday of a person, at all his matches at once.

| path | verb | what |
|---|---|---|
| /api/me/holiday | GET | how many days are left, and until when he is away |
| /api/me/holiday | POST | goes on holiday for some days, or comes back with 0, wherever time is claimed |

Laws of this module:
- Each match gets the command that its seat would send, with an id that follows from the request's: asked for
  again, as after a kill in the middle, the same request does what is left and answers for all.
- One match that refuses, with its reason, keeps no other from being done.
- Each match counts for itself, as the log knows no persons; the least that is left in any is said, since so
  many days he has at all of them. That is read from the matches as they are now, of which LOOKED_AT are.

Deliberately absent: what a holiday is (`domain.match.holidays`), and matches that begin while it lasts
(`server.people.holidays`).
"""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import UUID

import structlog
from msgspec import Struct

from domain.kernel.seats import Match
from domain.match.holidays import A_YEAR, AT_ONCE, left, taken
from domain.match.refusals import RequestError
from server.http.pages import Page, PageRequest, Routes, body_of, found
from server.people.holidays import Holidays, said_by
from server.people.persons import micros
from server.people.sessions import Here
from server.play.failures import refusal_for
from server.play.matches import Matches
from server.play.opening import NoMatch
from server.play.reading import UnknownTitle
from server.postgres.database import Pool, connection
from server.protocol import wire
from server.protocol.people import AwayAt, HolidayLeft, HolidaySaid

logger = structlog.get_logger()

_SEATS: Final = """
SELECT DISTINCT ON (t.match_id, t.seat) t.match_id, t.seat, t.hash, m.title,
       CASE WHEN m.hidden THEN '' ELSE m.label END AS label
  FROM lobby.token t JOIN lobby.match m USING (match_id)
 WHERE t.person_id = $1 AND t.kind = 'seat' AND t.revoked_at IS NULL AND m.clocked AND m.ended_at IS NULL
 ORDER BY t.match_id, t.seat
"""
LOOKED_AT: Final = 100
"""Seats of a person that are looked at for the days that are left."""

_OTHERS: Final = frozenset({"no_clock", "not_started", "over", "resigned"})
"""Codes of refusals by matches that a holiday is not for."""

_NONE: Final = "no_holiday"
"""The code where one comes back and was on none."""

Carry = Callable[[wire.Holiday, int, bytes], Awaitable[object]]
"""Carries out a command of a seat, by the hash of the token that opens it."""


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A holiday of so many days from now on, 0 to come back; `command` is the request's own id."""

    command: UUID
    days: int


class HolidayPages:
    """The holidays of persons."""

    def __init__(
        self, pool: Pool, here: Callable[[PageRequest], Awaitable[Here]], carry: Carry, matches: Matches
    ) -> None:
        """Take who says who asks, raising RequestError for a guest, and who carries out a command."""
        self._pool, self._here, self._carry, self._matches = pool, here, carry, matches
        self.lasting = Holidays(pool, matches)

    def routes(self) -> Routes:
        """Return what is read."""
        return {("api", "me", "holiday"): self._left}

    def verbs(self) -> dict[str, Routes]:
        """Return what is changed, by verb."""
        return {"POST": {("api", "me", "holiday"): self._holiday}}

    async def _left(self, request: PageRequest) -> Page:
        """Answer with HolidayLeft. Raises RequestError, and as `Matches.latest`."""
        here = await self._here(request)
        until = await self.lasting.until(here.person)
        ends = [] if until is None else [micros(until)]
        days: list[int] = []
        async with connection(self._pool) as conn:
            seats = await conn.fetch(_SEATS, here.person)
        for match, seat, *_ in seats[:LOOKED_AT]:
            with contextlib.suppress(NoMatch, UnknownTitle):
                standing, now = (await self._matches.latest(match)).standing, self._matches.now()
                if _counts(standing, seat):
                    days.append(left(standing, seat, now))
                    ends += [one.until for one in taken(standing, seat) if one.until > now]
        return found(
            HolidayLeft(min(days, default=A_YEAR), max(days, default=A_YEAR), max(ends, default=None))
        )

    async def _holiday(self, request: PageRequest) -> Page:
        """Answer with HolidaySaid. Raises RequestError."""
        here, wanted = await self._here(request), body_of(request, Wanted)
        if not 0 <= wanted.days <= AT_ONCE:
            raise RequestError("no_holiday", f"a holiday has 1 to {AT_ONCE} days; with 0 one is back")
        until = None
        if wanted.days:
            until = await self.lasting.begin(here.person, wanted.command, wanted.days)
        else:
            await self.lasting.end(here.person)
        async with connection(self._pool) as conn:
            seats = await conn.fetch(_SEATS, here.person)
        said: list[AwayAt] = []
        for match, seat, token, title, label in seats:
            own = said_by(wanted.command, match, seat)
            code, reason = await self._say(wire.Holiday(match, own, wanted.days), seat, token)
            if code not in _OTHERS and (wanted.days or code != _NONE):
                said.append(AwayAt(match, seat, title, label, code, reason))
        return found(HolidaySaid(said, None if until is None else micros(until)))

    async def _say(self, message: wire.Holiday, seat: int, token: bytes) -> tuple[str, str]:
        """Have one match told; return code and reason of the refusal, empty where it was done."""
        try:
            await self._carry(message, seat, token)
        except Exception as why:
            refusal = refusal_for(why)
            if refusal is None:
                logger.exception("bug", message="Holiday")
                return "bug", "the server has made a mistake; ask again"
            return refusal.code, refusal.reason
        return "", ""


def _counts(match: Match, seat: int) -> bool:
    """Whether a seat may go on holiday now or later."""
    by_claim = match.clock is not None and bool(match.clock.by_claim)
    return by_claim and match.started and not match.over and seat not in match.resigned
