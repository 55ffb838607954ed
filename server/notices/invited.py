"""Tournaments as notices: who is invited hears of it, and whoever has a bot that is invited, or has a round.

Laws of this module:

1. An invitation is of a person, and of no match. It is told once, since the id of its notice is made of
   tournament, person, place and channel; taken back and made anew it is told again only where it was not yet.
2. It has come to nothing once it was taken back or used up, and once it is too late to enter; and where
   director and invited do not hear of each other any more. Of a director who is muted nobody reads a name.
3. Of a bot hears its owner, in words of their own. A bot that runs has sat down by then, and nothing is told.

Deliberately absent: who may be invited (`server.tournaments.inviting`), and what is said
(`server.notices.words`).
"""

from typing import Final

from server.notices.due import DUE

_ID: Final = "md5(concat_ws(' ', {tournament}, 'invited', {person}, {place}, {channel}))::uuid"

INVITED: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at)
INSERT INTO people.outbox (id, channel, person_id, tournament, kind, turn, due)
SELECT {_ID.format(tournament="$1::uuid", person="p.id", place="coalesce($3::int, 0)", channel="c.id")},
       c.id, c.person_id, $1, CASE WHEN p.owner IS NULL THEN 'invited' ELSE 'botinvited' END,
       coalesce($3::int, 0), {DUE.format(at="now.at + $4::interval")}
  FROM now JOIN people.person p ON p.id = $2
  JOIN people.channel c ON c.person_id = coalesce(p.owner, p.id) AND c.state = 'on'
    ON CONFLICT (id) DO UPDATE SET due = excluded.due, outcome = NULL WHERE outbox.outcome = 'stale'
"""  # noqa: S608 constants of this package
"""SQL: tells that person $2 is invited to tournament $1, to place $3 (null: to enter), after $4."""

IS: Final = "o.kind IN ('invited', 'botinvited')"
"""SQL: whether a row `o` of the outbox is of these kinds."""

JOINED: Final = """
  LEFT JOIN people.tournament cup ON cup.id = o.tournament
  LEFT JOIN people.person director ON director.id = cup.director
"""
"""SQL: the tournament of a row `o`, none for other kinds, and who directs it."""

_OWN: Final = _ID.format(
    tournament="i.tournament", person="i.person_id", place="coalesce(i.place, 0)", channel="o.channel"
)

STALE: Final = f"""
(director.banned_at IS NOT NULL OR director.erased_at IS NOT NULL OR NOT EXISTS (
  SELECT FROM people.invitation i JOIN people.person w ON w.id = i.person_id
   WHERE i.tournament = o.tournament AND {_OWN} = o.id
     AND (cup.state = 'open' OR cup.state = 'under way' AND (i.place IS NOT NULL OR cup.kind = 'swiss'
          AND NOT EXISTS (SELECT FROM people.round r WHERE (r.tournament, r.number) = (cup.id, cup.rounds))))
     AND NOT EXISTS (SELECT FROM people.entrant e
                      WHERE (e.tournament, e.person_id) = (i.tournament, i.person_id))
     AND NOT people.keeps_away(w.id, cup.director) AND NOT people.keeps_away(cup.director, w.id)))
"""  # noqa: S608 constants of this module
"""SQL: whether one of these has come to nothing."""

NAME: Final = "CASE WHEN director.muted_at IS NULL THEN coalesce(cup.name, '') ELSE '' END"
"""SQL: what the tournament is called, which nobody has looked at yet."""
