"""Chat of a match: stored in the lobby's tables, where it may be erased, and never on the log.

A room takes so many lines, and of these at most a part from one seat, or from one address of onlookers: with
many connections it fills no room. Each match has a room for its seats and one for onlookers, so that what
onlookers say keeps nobody at the table from saying something.

Deliberately absent: who may write in which room (`server.socket.watching`), and delivery
(`server.fanout.hub`).
"""

from collections.abc import Hashable
from uuid import UUID

from asyncpg import Record

from domain.match.refusals import RequestError
from server.addresses import Address
from server.limits import ROOM_LINES, ROOM_SHARE, Bucket
from server.lobby.fitting import TEXT, fit
from server.postgres.database import Pool, connection
from server.protocol import wire

SHOWN = 200
"""Lines that a new watcher is sent."""

MANY = 1000
"""Rooms and shares of them kept above which those are forgotten in which nothing was said lately."""

MUTED = "the operator of this server has muted you: your lines are shown to nobody"

_MUTED = """
SELECT EXISTS (
  SELECT FROM people.person p LEFT JOIN people.person o ON o.id = p.owner
   WHERE p.id IN ($3, (SELECT person_id FROM lobby.seat WHERE match_id = $1 AND seat = $2))
     AND (p.muted_at IS NOT NULL OR o.muted_at IS NOT NULL))
"""


_KEPT_AWAY = """
SELECT true FROM lobby.seat mine JOIN lobby.seat other USING (match_id)
 WHERE mine.match_id = $1 AND mine.seat = $2 AND people.keeps_away(other.person_id, mine.person_id) LIMIT 1
"""


class Chat:
    """The chat of all matches, each with two chat rooms."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._look_at = MANY
        self._lines: dict[Hashable, Bucket] = {}
        """By room, and by room and seat or address."""

    async def say(
        self,
        match: UUID,
        room: wire.Room,
        seat: int | None,
        address: Address,
        text: str,
        person: UUID | None = None,
    ) -> wire.Said:
        """Store a line of chat, of a seat or (None) of an onlooker at an address, and return its message.

        `person` is who is signed in. Raises RequestError for an empty or unfit text, for who is muted or sits
        on the seat of somebody who is, and where more is said in the room than anybody reads, or than one
        seat or address may.
        """
        line = fit(text.strip(), TEXT, "a line of chat")
        if not line:
            raise RequestError("empty", "there is nothing to say")
        self._spend(match, room, address if seat is None else seat)
        async with connection(self._pool) as conn:
            if seat is not None and await conn.fetchval(_KEPT_AWAY, match, seat):
                raise RequestError("not_allowed", "somebody at this table does not talk with you")
            if await conn.fetchval(_MUTED, match, seat, person):
                raise RequestError("not_allowed", MUTED)
            row = await conn.fetchrow(
                "INSERT INTO lobby.chat (match_id, room, seat, text)"
                " VALUES ($1, $2, $3, $4) RETURNING id, at, seat, text",
                match,
                room,
                seat,
                line,
            )
        assert row is not None
        return _said(match, room, row)

    def _spend(self, match: UUID, room: wire.Room, who: Hashable) -> None:
        """Count a line for its room and the share of who says it; raises RequestError."""
        share = self._bucket((match, room, who), ROOM_SHARE)
        if share.acquire():
            if self._bucket((match, room), ROOM_LINES).acquire():
                return
            share.give_back()
        raise RequestError("too_fast", "too much is said here at once; wait some seconds")

    def _bucket(self, key: Hashable, limit: tuple[int, float]) -> Bucket:
        lines = self._lines.get(key)
        if lines is None:
            if len(self._lines) > self._look_at:
                self._lines = {one: kept for one, kept in self._lines.items() if not kept.full}
                self._look_at = max(MANY, 2 * len(self._lines))
            lines = self._lines[key] = Bucket(*limit)
        return lines

    async def last_lines(self, match: UUID, room: wire.Room) -> list[wire.Said]:
        """Return the last SHOWN lines of a chat room, oldest first."""
        async with connection(self._pool) as conn:
            rows = await conn.fetch(
                "SELECT id, at, seat, text FROM lobby.chat WHERE match_id = $1 AND room = $2"
                " ORDER BY id DESC LIMIT $3",
                match,
                room,
                SHOWN,
            )
        return [_said(match, room, row) for row in reversed(rows)]


def _said(match: UUID, room: wire.Room, row: Record) -> wire.Said:
    return wire.Said(match, room, row["id"], round(row["at"].timestamp() * 1e6), row["text"], row["seat"])
