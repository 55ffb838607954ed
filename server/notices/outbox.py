"""The outbox: what is yet to be told, claimed by workers on any node, and what came of it.

Laws of this module:

1. A claim is a lease of a channel with an end: one worker tells by it at a time, and when that one is killed
   the next goes on. The lease goes by the clock of the database's machine, which no test shifts.
2. A notice counts as told when that is noted. Between the two it may be told twice, never not at all.
3. What failed is tried again after LATER, with chance in it, and is given up after GIVEN_UP. What waits for a
   night to pass, or for somebody to leave the match, has not failed. What has been due for GIVEN_UP, since
   nobody was there to try, is given up too: it is old news, but for a turn that lasts. What no node has a
   sender for is noted as off.
4. A notice is on disk, with its id, before it is told, and that it was sent before its channel is let go.
   All else is found or done again where Postgres crashes and loses it, so nothing waits for the disk for it:
   decisions do, on the same one.

Deliberately absent: what is put in (`server.notices.due`), and how it is told (`server.notices.worker`).
"""

import random
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.kernel.facts import OWN_CHOICE
from server.notices import again, invited
from server.notices.challenged import ACCEPTED, CLOCK, IS, JOINED, STALE, WORD
from server.notices.deadlines import UNTIL, date_of, said
from server.notices.places import AnyPlace, Boxes
from server.notices.terms import terms_of
from server.notices.words import Notice
from server.postgres.database import Pool, asynchronous, connection
from server.proof.keys import KeyRing

LATER: Final = tuple(timedelta(seconds=s) for s in (10, 60, 600, 3600, 6 * 3600))
"""How long after each try the next comes; the last of these again and again."""

CHANCE: Final = (0.75, 1.25)
"""By what such a time is multiplied, so that what failed together does not come back together."""

GIVEN_UP: Final = timedelta(days=1)
UNSENT: Final = timedelta(minutes=5)
"""How long a notice waits for a node that has a sender for it, while this one has none."""

KEPT: Final = timedelta(days=30)

LEASE: Final = timedelta(seconds=60)
"""For how long a channel is a worker's: longer than any channel takes to be told by."""

AT_ONCE: Final = 100
"""Notices of a digest."""

Kind = Literal["mail", "push", "webhook"]
Outcome = Literal["sent", "stale", "seen", "off", "gone", "given up"]

_CLAIM: Final = """
WITH now AS (SELECT log.now() AS at), waiting AS (
  SELECT channel, min(due) AS due FROM people.outbox
   WHERE outcome IS NULL AND due <= (SELECT at FROM now) GROUP BY channel
), taken AS (
  SELECT c.id FROM waiting w JOIN people.channel c ON c.id = w.channel
   WHERE c.kind = $1 AND c.leased_until < clock_timestamp()
   ORDER BY w.due LIMIT $2 FOR UPDATE OF c SKIP LOCKED
)
UPDATE people.channel c SET leased_until = clock_timestamp() + $3::interval
  FROM taken t, people.person p WHERE c.id = t.id AND p.id = c.person_id
RETURNING c.id, c.person_id, c.box, c.mark,
          CASE WHEN p.banned_at IS NULL THEN c.state ELSE 'off' END AS state, c.away, c.quiet, c.digest,
          c.leased_until, p.zone, p.night, (SELECT at FROM now) AS at
"""
# An offer is over for all when it is declined, made anew or carried out, or when somebody else takes a seat
# that has agreed to it, as that which makes it has; and a correction when somebody plays on or takes back, or
# the director withdraws it. Who has agreed, or sits there no more, is asked no more.
_OFFER_OVER: Final = """
EXISTS (SELECT FROM log.fact f JOIN log.fact made ON made.match_id = f.match_id AND made.seq = o.turn
         WHERE f.match_id = o.match_id AND f.seq > o.turn
           AND CASE WHEN f.type = replace(made.type, 'Offered', 'Answered')
                    THEN convert_from(f.body, 'UTF8')::jsonb @> '{"agreed": false}'
                      OR convert_from(f.body, 'UTF8')::jsonb -> 'seat' = to_jsonb(o.seat)
                    WHEN f.type = 'SeatReplaced'
                    THEN convert_from(f.body, 'UTF8')::jsonb -> 'seat'
                      IN (to_jsonb(o.seat),
                          convert_from(made.body, 'UTF8')::jsonb
                          -> CASE made.type WHEN 'CorrectionOffered' THEN 'by' ELSE 'seat' END)
                      OR EXISTS (SELECT FROM log.fact a
                                  WHERE a.match_id = f.match_id AND a.seq > o.turn AND a.seq < f.seq
                                    AND a.type = replace(made.type, 'Offered', 'Answered')
                                    AND convert_from(a.body, 'UTF8')::jsonb -> 'seat'
                                      = convert_from(f.body, 'UTF8')::jsonb -> 'seat')
                    ELSE (made.type, f.type) IN (('UndoOffered', 'Undone'), ('PauseOffered', 'ClocksStopped'),
                                                 ('CorrectionOffered', 'Decided'),
                                                 ('CorrectionOffered', 'Undone'),
                                                 ('CorrectionOffered', 'CorrectionWithdrawn'))
                      OR f.type IN (made.type, 'GameEnded') END)
"""
_BACK: Final = """
EXISTS (SELECT FROM log.fact f JOIN log.fact began ON began.match_id = f.match_id AND began.seq = o.turn
         WHERE f.match_id = o.match_id AND f.seq > o.turn AND f.type = 'HolidayEnded'
           AND convert_from(f.body, 'UTF8')::jsonb -> 'seat'
             = convert_from(began.body, 'UTF8')::jsonb -> 'seat')
"""
# Or the match has begun, which it does not without that, or come to its end.
_ANEW: Final = """
EXISTS (SELECT FROM log.fact f
         WHERE f.match_id = o.match_id AND f.seq > o.turn
           AND CASE WHEN f.type = 'NonceCommittedAnew'
                    THEN convert_from(f.body, 'UTF8')::jsonb -> 'seat' = to_jsonb(o.seat)
                    ELSE f.type IN ('Started', 'GameEnded') END)
"""
# His seat is another's by now, or he has decided himself, which withdraws the offer.
_NOT_VACANT: Final = f"""
EXISTS (SELECT FROM log.fact f
         WHERE f.match_id = o.match_id AND f.seq > o.turn
           AND CASE WHEN f.type IN ('SeatReplaced', 'Decided')
                    THEN convert_from(f.body, 'UTF8')::jsonb -> 'seat' = to_jsonb(o.seat)
                     AND (f.type = 'SeatReplaced' OR convert_from(f.body, 'UTF8')::jsonb ->> 'how'
                                                     IN ('{"', '".join(sorted(OWN_CHOICE))}'))
                    ELSE f.type = 'GameEnded' END)
"""
SEATED: Final = """
NOT EXISTS (SELECT FROM people.pairing q JOIN people.tournament t ON t.id = q.tournament
              JOIN lobby.match of_it ON of_it.match_id = q.match_id
             WHERE q.match_id = o.match_id AND q.how IS NULL AND of_it.ended_at IS NULL
               AND t.state = 'under way')
OR EXISTS (SELECT FROM lobby.seat k WHERE (k.match_id, k.seat) = (o.match_id, o.seat))
"""
"""SQL: whether the round of notice `o` needs nobody any more: he has sat down, or nobody plays it now."""

# Who was out of time is asked no more, or anew; or whoever was to claim it has to decide himself.
_NOTHING_TO_CLAIM: Final = """
NOT EXISTS (SELECT FROM view.turn t WHERE t.match_id = o.match_id AND t.seq = o.turn)
OR EXISTS (SELECT FROM view.turn t WHERE t.match_id = o.match_id AND t.seat = o.seat)
"""
_ROWS: Final = f"""
SELECT o.id, o.match_id, o.seat, o.kind, o.made_at, o.due, o.tries, o.tried_at,
       coalesce(m.title, cup.title, '') AS title,
       CASE WHEN m.hidden THEN '' ELSE coalesce(m.label, {invited.NAME}) END AS label,
       CASE WHEN o.kind IN ('turn', 'low')
            THEN NOT EXISTS (SELECT FROM view.turn t
                              WHERE t.match_id = o.match_id AND t.seat = o.seat AND t.seq = o.turn)
            WHEN o.kind = 'out' THEN {_NOTHING_TO_CLAIM}
            WHEN o.kind = 'offer' THEN {_OFFER_OVER}
            WHEN o.kind = 'holiday' THEN {_BACK}
            WHEN o.kind = 'anew' THEN {_ANEW}
            WHEN o.kind = 'joined' THEN {ACCEPTED}
            WHEN o.kind = 'rematch' THEN {again.STALE}
            WHEN {IS} THEN {STALE}
            WHEN o.kind = 'vacant' THEN {_NOT_VACANT}
            WHEN o.kind IN ('round', 'botround') THEN {SEATED}
            WHEN {invited.IS} THEN {invited.STALE}
            ELSE false END AS stale,
       CASE WHEN {IS} THEN ARRAY[they.handle]
            WHEN {invited.IS} THEN ARRAY[director.handle]
            ELSE ARRAY(SELECT CASE WHEN s.hidden THEN '' ELSE s.name END
               FROM view.standings v CROSS JOIN lobby.seat s
              WHERE v.match_id = o.match_id AND s.match_id = o.match_id
                AND v.chairs -> s.seat::int -> 'side' <> v.chairs -> o.seat::int -> 'side'
              ORDER BY s.seat) END AS others, {WORD} || {again.WORD} AS word, o.tournament,
       {CLOCK} AS clock, m.by_turns, m.rated, {UNTIL} AS until
  FROM people.outbox o LEFT JOIN lobby.match m ON m.match_id = o.match_id
  {JOINED} {invited.JOINED}
 WHERE o.channel = $1 AND o.outcome IS NULL AND o.due <= $2 ORDER BY o.due, o.made_at LIMIT $3
"""  # noqa: S608 constants of this package
_TRIED: Final = """
UPDATE people.outbox o SET tries = o.tries + 1, tried_at = coalesce(o.tried_at, log.now())
  FROM people.channel c
 WHERE o.id = ANY($1::uuid[]) AND o.outcome IS NULL AND c.id = o.channel
   AND c.leased_until = $2 AND c.leased_until > clock_timestamp() + $3::interval
RETURNING o.id
"""
_NOTED: Final = """
UPDATE people.outbox SET outcome = $2, fault = $3, sent_at = CASE WHEN $2 = 'sent' THEN log.now() END
 WHERE id = ANY($1::uuid[]) AND outcome IS NULL
"""
_PUT_OFF: Final = "UPDATE people.outbox SET due = $2, fault = coalesce($3, fault) WHERE id = ANY($1::uuid[])"
_LET_GO: Final = """
UPDATE people.channel SET leased_until = '-infinity' WHERE id = $1 AND leased_until = $2
"""
_GONE: Final = "UPDATE people.channel SET state = 'gone' WHERE id = $1 AND mark = $2"
_RESEAL: Final = "UPDATE people.channel SET box = $2 WHERE id = $1 AND box = $3"
_UNSENT: Final = """
UPDATE people.outbox o SET outcome = 'off' FROM people.channel c
 WHERE c.id = o.channel AND c.kind <> ALL($1::text[])
   AND o.outcome IS NULL AND o.due < (SELECT log.now()) - $2::interval
"""
_OLD: Final = "DELETE FROM people.outbox WHERE made_at < (SELECT log.now()) - $1::interval"
_AGE: Final = """
SELECT coalesce(extract(epoch FROM log.now() - min(due)), 0)::float8 FROM people.outbox WHERE outcome IS NULL
"""


class Row(Struct, frozen=True):
    """A notice of the outbox, and whether it has come to nothing."""

    id: UUID
    notice: Notice
    made_at: datetime
    due: datetime
    tries: int
    tried_at: datetime | None
    stale: bool


class Claim(Struct, frozen=True):
    """A channel that is this worker's until `until`, where it leads, None if that is unknown, and its use.

    `mark` is that of where it leads.

    `at` is the database's time, `zone` and `night` are the person's.
    """

    channel: UUID
    person: UUID
    place: AnyPlace | None
    mark: bytes
    state: str
    away: bool
    quiet: bool
    digest: bool
    until: datetime
    at: datetime
    zone: str
    night: int | None
    rows: Sequence[Row] = ()


class Outbox:
    """The outbox of all nodes."""

    def __init__(self, pool: Pool, ring: KeyRing, lease: timedelta = LEASE) -> None:
        self._pool, self._boxes, self._lease = pool, Boxes(ring), lease

    async def claim(self, kind: Kind, most: int) -> list[Claim]:
        """Claim channels of a kind by which something is due, at most so many, the longest due first.

        A claim has one notice, or all that are due of a digest; none where another worker was faster.
        """
        async with asynchronous(self._pool) as conn:
            claims = []
            for row in await conn.fetch(_CLAIM, kind, most, self._lease):
                channel, person, box, mark, state, away, quiet, digest, until, zone, night, at = row.values()
                place = self._boxes.open(channel, box)
                if place is not None and self._boxes.is_old(box):
                    await conn.execute(_RESEAL, channel, self._boxes.seal(channel, place), box)
                due = await conn.fetch(_ROWS, channel, at, AT_ONCE if digest else 1)
                rows = [_row(at, zone, *one.values()) for one in due]
                claims.append(
                    Claim(
                        channel, person, place, mark, state, away, quiet, digest, until, at, zone, night, rows
                    )
                )
        return claims

    async def trying(self, claim: Claim, rows: Collection[UUID]) -> Collection[UUID]:
        """Count a try of these notices, before it is made, and return those that may be told.

        None, unless half of the lease is left: another worker may be at them before they are told.
        """
        async with connection(self._pool) as conn:
            tried = await conn.fetch(_TRIED, list(rows), claim.until, self._lease / 2)
        return {row["id"] for row in tried}

    async def note(self, rows: Collection[UUID], outcome: Outcome, fault: str | None = None) -> None:
        """Note what came of notices."""
        lasting = connection if outcome == "sent" else asynchronous
        async with lasting(self._pool) as conn:
            await conn.execute(_NOTED, list(rows), outcome, fault)

    async def put_off(self, rows: Collection[UUID], due: datetime, fault: str | None = None) -> None:
        """Have notices told later."""
        async with asynchronous(self._pool) as conn:
            await conn.execute(_PUT_OFF, list(rows), due, fault)

    async def gone(self, claim: Claim) -> bool:
        """Note that a channel leads nowhere any more; not where it leads elsewhere since it was claimed."""
        async with asynchronous(self._pool) as conn:
            return await conn.execute(_GONE, claim.channel, claim.mark) != "UPDATE 0"

    async def let_go(self, claim: Claim) -> None:
        """End a lease before its time."""
        async with asynchronous(self._pool) as conn:
            await conn.execute(_LET_GO, claim.channel, claim.until)

    async def unsent(self, kinds: Collection[Kind]) -> None:
        """Note as off what is due by channels of other kinds than these, and that no other node has told."""
        async with asynchronous(self._pool) as conn:
            await conn.execute(_UNSENT, list(kinds), UNSENT)

    async def tidy(self) -> None:
        """Delete what is older than KEPT."""
        async with asynchronous(self._pool) as conn:
            await conn.execute(_OLD, KEPT)

    async def age(self) -> float:
        """Return for how many seconds the notice has been due that is so the longest; 0 without any."""
        async with connection(self._pool) as conn:
            age: float = await conn.fetchval(_AGE)
        return max(0.0, age)


def next_try(at: datetime, tries: int) -> datetime:
    """Return when a notice is tried again after so many tries, the last of which failed at `at`."""
    wait = LATER[min(tries, len(LATER)) - 1]
    return at + wait * random.uniform(*CHANCE)  # noqa: S311 no secret


def is_given_up(at: datetime, tried_at: datetime | None) -> bool:
    """Whether a notice that was first tried then, and failed again at `at`, is not tried any more."""
    return tried_at is not None and at - tried_at >= GIVEN_UP


def _row(
    at: datetime,
    zone: str,
    id: UUID,
    match: UUID | None,
    seat: int | None,
    kind: str,
    made_at: datetime,
    due: datetime,
    tries: int,
    tried_at: datetime | None,
    title: str,
    label: str,
    stale: bool,
    others: list[str | None],
    word: str,
    tournament: UUID | None,
    clock: str | None,
    by_turns: bool | None,
    rated: bool | None,
    until: int | None,
) -> Row:
    names = tuple(name or "" for name in others)
    terms = terms_of(clock, by_turns=bool(by_turns), rated=bool(rated)) if kind == "challenged" else ""
    end = date_of(until)
    lasts = said(end, at, zone)
    notice = Notice(id, kind, match, seat, title, label, names, word, tournament, terms, end, lasts)
    return Row(id, notice, made_at, due, tries, tried_at, stale)
