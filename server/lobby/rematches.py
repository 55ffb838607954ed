"""Rematches: the same match again, for the seats of the match before it and nobody else.

Sides are swapped, unless the first who asks wants the same again.

Whoever had a seat of a match that is over asks. The first creates the rematch, and everybody takes his seat
there by asking. Its links are handed out to nobody, the lobby does not list it while it is open, and its
seats cannot be joined. Deliberately absent: how a seat is taken (`server.lobby.seats`), how a match is
created (`server.lobby.offers`).
"""

import hashlib
from collections.abc import Awaitable, Callable
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.play.matches import Matches
from server.postgres.database import Pool, connection
from server.protocol import wire

_MADE = "SELECT match_id FROM lobby.match WHERE rematch_of = $1"
_LISTED = """
SELECT pace, by_turns, private, hidden, label, rated, persons, same_sides,
       EXISTS (SELECT FROM people.pairing q WHERE q.match_id = m.match_id) AS paired
  FROM lobby.match m WHERE match_id = $1
"""
_BOTS = "SELECT seat, strength FROM lobby.seat WHERE match_id = $1 AND strength <> ''"


class Before(Struct, frozen=True):
    """The match before a rematch, and whether nobody changes sides."""

    match: UUID
    same: bool


class Rematch(Struct, frozen=True):
    """A rematch: its id, its bots (seat to strength), and the number of its seats."""

    match: UUID
    bots: dict[int, str]
    seats: int
    same: bool

    def seat(self, before: int) -> int:
        """Return the seat of whoever had seat `before`: sides are swapped, unless they are the same."""
        return before if self.same else self.seats - 1 - before


class Rematches:
    """The rematches of this server."""

    def __init__(
        self,
        pool: Pool,
        matches: Matches,
        create: Callable[[wire.Create, bytes, Before], Awaitable[UUID]],
    ) -> None:
        """Take a function that creates a match by the hash of a command, as the rematch of another."""
        self._pool, self._matches, self._create = pool, matches, create

    async def of(self, match: UUID, *, again: bool = False) -> tuple[Rematch, bool]:
        """Return the rematch of a match that is over, and whether it was created now. Raises RequestError.

        `again`: with the same sides, if it is created now.
        """
        standing = (await self._matches.latest(match)).standing
        if not standing.over:
            raise RequestError("not_allowed", "a rematch is for a match that is over")
        last = len(standing.seats) - 1
        async with connection(self._pool) as conn:
            made = await conn.fetchval(_MADE, match)
            listed = await conn.fetchrow(_LISTED, made or match)
            assert listed is not None
            same = again if made is None else listed["same_sides"]
            bots = {
                seat if same else last - seat: strength for seat, strength in await conn.fetch(_BOTS, match)
            }
        # The label of a tournament's match is the tournament's: nothing of it is played here.
        nameless = made is None and (listed["hidden"] or listed["paired"])
        wish = wire.Create(
            wire.VERSION,
            match,
            standing.title,
            standing.scenario,
            options=standing.options,  # type: ignore[arg-type]
            clock=standing.clock,
            private=listed["private"],
            label="" if nameless else listed["label"],
            pace=listed["pace"],
            by_turns=listed["by_turns"],
            rated=listed["rated"],
            persons=listed["persons"],
            bots=bots,
        )
        # Not what any command of a client hashes to: the answer to that would hold the links.
        command = hashlib.sha256(b"rematch" + match.bytes).digest()
        # One that was made is completed: its first fact may not be on the log yet.
        found = await self._create(wish, command, Before(match, same))
        async with connection(self._pool) as conn:  # another may have created it at the same moment
            same = await conn.fetchval("SELECT same_sides FROM lobby.match WHERE match_id = $1", found)
        return Rematch(found, bots, last + 1, same), made is None
