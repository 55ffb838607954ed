"""Whom the seats of a match are for: who may take one, and why another may not.

A match may be for persons alone, as a rated one is, or for ratings within a band. Who keeps somebody away
meets him at no table of his own. Only in a tournament all meet who have entered it: else whoever keeps
others away would choose his opponents. Its seats are for those whom it has paired.

A match to which somebody is challenged is for the two until that is answered, and its links are no way in for
others. Those of the challenges from before, to private matches that are not `withdrawn`, are.

Deliberately absent: whether a seat is free (`server.lobby.seats`), how it is rated (`projections.ratings`).
"""

from typing import Final
from uuid import UUID

from asyncpg import Record

from domain.match.refusals import RequestError
from projections.glicko2 import Rating
from server.postgres.database import Pool, connection

# Who sits there, or has offered the match, and in whose hand he is: a bot is in its owner's.
_FOR: Final = """
SELECT EXISTS (SELECT FROM people.pairing q WHERE q.match_id = m.match_id) AS paired,
       EXISTS (SELECT FROM lobby.token t WHERE t.match_id = m.match_id AND t.person_id = $2
                  AND t.kind = 'seat' AND t.seat = $3 AND t.revoked_at IS NULL) AS meant,
       m.withdrawn AND EXISTS (
         SELECT FROM lobby.challenge c
          WHERE c.match_id = m.match_id AND c.answer IS NULL AND c.challenged IS DISTINCT FROM $2
            AND (c.challenger IS DISTINCT FROM $2
                 OR EXISTS (SELECT FROM lobby.seat s
                             WHERE s.match_id = m.match_id AND s.seat <> $3 AND s.person_id = $2))) AS kept,
       m.persons OR m.rated AS persons, m.rated, m.least, m.most, r.rating,
       coalesce(h.owner, h.id) AS hand,
       array(SELECT coalesce(o.owner, o.id) FROM lobby.seat s JOIN people.person o ON o.id = s.person_id
              WHERE s.match_id = m.match_id AND s.seat <> $3) AS there,
       EXISTS (SELECT FROM unnest(at_table.persons) AS o (id) WHERE people.keeps_away(o.id, $2)) AS kept_away,
       EXISTS (SELECT FROM unnest(at_table.persons) AS o (id) WHERE people.keeps_away($2, o.id)) AS keeps_away
  FROM lobby.match m
  LEFT JOIN people.person h ON h.id = $2
  CROSS JOIN LATERAL (
    SELECT array_agg(o.id) AS persons FROM people.person o
     WHERE o.id = m.person_id
        OR o.id IN (SELECT s.person_id FROM lobby.seat s WHERE s.match_id = m.match_id)) AS at_table
  LEFT JOIN view.rating r ON r.title = m.title AND r.subject = $2::text
 WHERE m.match_id = $1
"""


async def check_welcome(pool: Pool, match: UUID, seat: int, person: UUID | None, *, invited: bool) -> None:
    """Raise RequestError where somebody, None for a guest, may not take a seat of a match, and say why.

    A band is for those who come from the lobby: whoever is `invited` by a link, as its maker is, may come.
    """
    async with connection(pool) as conn:
        row = await conn.fetchrow(_FOR, match, person, seat)
    if row is None:
        return
    if row["paired"]:
        if not row["meant"]:
            raise RequestError("private", "this seat is kept for somebody whom a tournament has paired")
        return
    if row["kept"]:
        raise RequestError("private", "this seat is kept for somebody who is challenged to the match")
    if row["persons"] and person is None:
        kind = "rated" if row["rated"] else "for persons only"
        raise RequestError("no_session", f"this match is {kind}: sign in to take a seat")
    if row["rated"] and row["hand"] in row["there"]:
        raise RequestError("not_allowed", "a rated match is played by two different persons")
    if row["kept_away"]:
        raise RequestError("not_allowed", "somebody at this match does not play with you")
    if row["keeps_away"]:
        raise RequestError("not_allowed", "you keep somebody away who is at this match")
    if row["least"] is not None and not invited:
        _check_band(row, person)


def _check_band(row: Record, person: UUID | None) -> None:
    rating = row["rating"] if row["rating"] is not None else Rating().rating
    if person is None or not row["least"] <= round(rating) <= row["most"]:
        band = f"{row['least']} to {row['most']}"
        yours = "" if person is None else f"; yours is {round(rating)}"
        raise RequestError("not_allowed", f"this match is offered to ratings from {band}{yours}")
