"""Those who offer matches: whether they are there, and how many open offers they have.

An offer leaves the list while its maker is away (`server.lobby.listing`), so that nobody joins a match at
which nobody waits; nothing is deleted. Whoever has the creator's link, or that of a seat, counts as its
maker, but for the server's own bots, which are always there.
"""

from collections.abc import Collection
from uuid import UUID

from domain.match.refusals import RequestError
from server.addresses import Address
from server.lobby.listing import FREE, HERE
from server.postgres.database import Pool, connection
from server.protocol import wire

# In the order of ids, so that two nodes that do this at once do not wait for each other in a ring.
_SEEN = """
WITH there AS (
  SELECT m.match_id FROM lobby.match m
   WHERE m.ended_at IS NULL
     AND m.match_id IN (
       SELECT w.match_id FROM unnest($1::uuid[], $2::smallint[]) AS w(match_id, seat)
        WHERE NOT EXISTS (SELECT FROM lobby.seat b WHERE b.match_id = w.match_id AND b.seat = w.seat
                                                      AND b.strength <> ''))
     AND NOT EXISTS (SELECT FROM view.standings s WHERE s.match_id = m.match_id AND s.started)
   ORDER BY m.match_id FOR NO KEY UPDATE
)
UPDATE lobby.match m SET seen_at = log.now() FROM there WHERE m.match_id = there.match_id
"""
_WAITING = f"""
SELECT m.match_id, {HERE} AS here FROM lobby.match m LEFT JOIN view.standings s USING (match_id)
 WHERE m.match_id = ANY($1) AND m.ended_at IS NULL AND NOT m.withdrawn
   AND (s.match_id IS NULL OR NOT s.started AND NOT s.over AND {FREE})
 ORDER BY m.match_id
"""  # noqa: S608 constants of this package
_WITHDRAW = "UPDATE lobby.match SET withdrawn = true WHERE match_id = ANY($1)"
_OFFERED = "SELECT true FROM lobby.match WHERE command = $1"


class Makers:
    """The makers of the offers on this node."""

    def __init__(self, pool: Pool, most: int) -> None:
        """Take the number of open offers that an address may have."""
        self._pool, self._most = pool, most

    async def seen(self, there: Collection[tuple[UUID, int | None]]) -> None:
        """Record that somebody with the link of a seat, or (None) with the creator's, is at these matches."""
        if there:
            matches, seats = zip(*there, strict=True)
            async with connection(self._pool) as conn:
                await conn.execute(_SEEN, matches, seats)

    async def make_room(self, address: Address, command: bytes) -> None:
        """Make room for one more open offer of an address. Raises RequestError if it has as many as it may.

        Counted are those that this node remembers. Of offers whose makers are away the oldest leave the list
        for good where there would be too many once they are back. An offer that was made before by this
        command, given by the hash of its id, is allowed, and takes no room.
        """
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_WAITING, list(address.offers))
            address.offers &= {row["match_id"] for row in rows}
            if len(rows) < self._most or await conn.fetchval(_OFFERED, command):
                return
            if sum(row["here"] for row in rows) >= self._most:
                raise RequestError(
                    "too_many",
                    f"{self._most} matches that were offered from here are still open; offer the next when"
                    " somebody has joined one of them, or make it private",
                )
            away = [row["match_id"] for row in rows if not row["here"]][: len(rows) + 1 - self._most]
            await conn.execute(_WITHDRAW, away)
            address.offers -= set(away)


def is_open_to_others(asked: wire.Create, seats: int) -> bool:
    """Whether anybody but who offers this match, with so many seats, could take a seat of it unasked."""
    return not (asked.private or asked.challenge) and seats - len(asked.bots) > 1
