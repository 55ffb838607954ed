"""Rematches as notices: who is yet to take one hears of it, and who sits there hears that it is declined.

Laws of this module:

1. Both are told of the match that is over, to the seat that somebody had there: there he finds the rematch,
   and who is there has seen it. Each is told once by a channel.
2. An offer has come to nothing once his seat is taken, or he has declined; once the rematch is over; and
   where who offers is banned, or the two keep away from each other. Of who is muted nobody hears a word.

Deliberately absent: how a rematch is made (`server.lobby.rematches`), declining (`server.people.rematches`).
"""

from typing import Final

OFFERED: Final = """
EXISTS (SELECT FROM lobby.match n JOIN view.standings v ON v.match_id = n.rematch_of
          JOIN lobby.seat had ON had.match_id = n.rematch_of AND had.person_id = {person}
         WHERE n.rematch_of = {match} AND n.ended_at IS NULL
           AND EXISTS (SELECT FROM lobby.seat k WHERE k.match_id = n.match_id AND k.strength = '')
           AND NOT EXISTS (SELECT FROM lobby.seat k WHERE k.match_id = n.match_id AND k.seat = CASE
                 WHEN n.same_sides THEN had.seat ELSE jsonb_array_length(v.chairs) - 1 - had.seat END)
           AND NOT EXISTS (SELECT FROM people.declined d
                            WHERE (d.match_id, d.person_id) = (n.match_id, {person}))
           AND NOT EXISTS (SELECT FROM lobby.seat k JOIN people.person they ON they.id = k.person_id
                            WHERE k.match_id = n.match_id
                              AND (they.banned_at IS NOT NULL OR people.keeps_away({person}, they.id)
                                   OR people.keeps_away(they.id, {person}))))
"""
"""SQL: whether the rematch of match `match` is offered to person `person`, who is yet to take it."""

REMATCHED: Final = """
SELECT c.id, c.person_id, n.rematch_of, s.seat, 'rematch', 0, {due}
  FROM now JOIN log.fact f ON f.at > now.at - $8::interval
  JOIN lobby.match n ON n.match_id = f.match_id AND n.rematch_of IS NOT NULL
  JOIN lobby.seat s ON s.match_id = n.rematch_of AND s.person_id IS NOT NULL
  JOIN people.channel c ON c.person_id = s.person_id AND c.state = 'on' AND c.made_at <= f.at
 WHERE (f.xid, f.match_id, f.seq) > ($1::text::xid8, $2::uuid, $3::int)
   AND (f.xid, f.match_id, f.seq) <= ($4::text::xid8, $5::uuid, $6::int)
   AND f.type = 'SeatTaken'
"""
"""SQL: what goes into the outbox of rematches at which somebody sat down, on a page of the log."""

DECLINED: Final = """
SELECT c.id, c.person_id, n.rematch_of, s.seat, 'refused', 0, {due}
  FROM now CROSS JOIN people.declined d JOIN lobby.match n USING (match_id)
  JOIN lobby.seat k ON k.match_id = n.match_id
  JOIN lobby.seat s ON s.match_id = n.rematch_of AND s.person_id = k.person_id
  JOIN people.channel c ON c.person_id = s.person_id AND c.state = 'on' AND c.made_at <= d.at
 WHERE d.at > $1
"""
"""SQL: the same of rematches that were declined after $1, to who sits there."""

STALE: Final = f"NOT {OFFERED.format(person='o.person_id', match='o.match_id')}"
"""SQL: whether notice `o`, that a rematch is offered, has come to nothing."""

WORD: Final = """
coalesce((SELECT d.word FROM lobby.match n JOIN people.declined d ON d.match_id = n.match_id
            JOIN people.person they ON they.id = d.person_id AND they.muted_at IS NULL
           WHERE o.kind = 'refused' AND n.rematch_of = o.match_id AND m.hidden IS NOT TRUE
           ORDER BY d.at LIMIT 1), '')
"""
"""SQL: what was said by who declined."""
