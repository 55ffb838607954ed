"""Challenges as notices: who is challenged hears of it, and who has challenged hears what came of it.

Laws of this module:

1. These are of a person, not of a seat: whoever is challenged has none. Each is there once for its match,
   kind and channel, since its id is made of these.
2. Whoever was told of a challenge by a channel hears by it, too, that it was taken back; nobody else does.
3. One that was answered or taken back meanwhile has come to nothing. So has whatever comes from somebody who
   is kept away, keeps away, or is banned. Of somebody who is muted nobody hears a word.
4. That it was accepted is told in place of "somebody joined".

Deliberately absent: what is said (`server.notices.words`), and challenges themselves.
"""

from typing import Final

IS: Final = "o.kind IN ('challenged', 'accepted', 'declined', 'withdrawn')"
"""SQL: whether a row `o` of the outbox is of these kinds."""

NEWS: Final = """
news AS MATERIALIZED (
  SELECT match_id, 'challenged' AS kind, challenged AS whom, made_at AS at FROM lobby.challenge c
   WHERE made_at > $1 AND answer IS NULL
     AND EXISTS (SELECT FROM log.fact f WHERE f.match_id = c.match_id AND f.seq = 1)
   UNION ALL
  SELECT match_id, answer, CASE answer WHEN 'withdrawn' THEN challenged ELSE challenger END, answered_at
    FROM lobby.challenge WHERE answered_at > $1
)
"""
"""SQL: what happened to challenges after $1, and whom it concerns."""

TOLD: Final = """
EXISTS (SELECT FROM people.outbox o
         WHERE o.id = md5(concat_ws(' ', news.match_id, 'challenged', c.id))::uuid AND o.outcome = 'sent')
"""
"""SQL: whether channel `c` has told of the challenge of which `news` is."""

ID: Final = "md5(concat_ws(' ', news.match_id, news.kind, c.id))::uuid"
"""SQL: the id of the notice of `news` by channel `c`."""

JOINED: Final = f"""
  LEFT JOIN lobby.challenge ch ON {IS} AND ch.match_id = o.match_id
  LEFT JOIN people.person they
         ON they.id = CASE ch.challenger WHEN o.person_id THEN ch.challenged ELSE ch.challenger END
"""
"""SQL: the challenge of a row `o`, none for other kinds, and the other of its two."""

STALE: Final = """
(they.id IS NULL OR they.banned_at IS NOT NULL OR m.ended_at IS NOT NULL AND o.kind = 'challenged'
 OR ch.answer IS DISTINCT FROM nullif(o.kind, 'challenged')
 OR people.keeps_away(o.person_id, they.id) OR people.keeps_away(they.id, o.person_id))
"""
"""SQL: whether one of these has come to nothing."""

WORD: Final = """
CASE WHEN m.hidden OR they.muted_at IS NOT NULL THEN ''
     WHEN o.kind = 'challenged' THEN ch.word
     WHEN o.kind IN ('declined', 'withdrawn') THEN ch.reply
     ELSE '' END
"""
"""SQL: what the other said with it, which nobody has looked at yet."""

CLOCK: Final = """
CASE WHEN o.kind = 'challenged'
     THEN (SELECT convert_from(f.body, 'UTF8')::jsonb ->> 'clock' FROM log.fact f
            WHERE f.match_id = o.match_id AND f.seq = 1) END
"""
"""SQL: the clock of the match that somebody is challenged to, as JSON; null without one."""

ACCEPTED: Final = """
EXISTS (SELECT FROM log.fact f JOIN lobby.challenge h ON h.match_id = f.match_id
          JOIN lobby.seat taken ON taken.match_id = f.match_id AND taken.person_id = h.challenged
         WHERE f.match_id = o.match_id AND f.seq = o.turn AND h.challenger = o.person_id
           AND h.answer = 'accepted'
           AND convert_from(f.body, 'UTF8')::jsonb -> 'seat' = to_jsonb(taken.seat))
"""
"""SQL: whether the one who has joined was challenged by whom `o` is for."""
