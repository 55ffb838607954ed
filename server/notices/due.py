"""What is due: looked for in the log and the lobby, and put into the outbox.

Laws of this module:

1. A turn is due when it has lasted for WAIT, also by a channel that was added, or turned on, meanwhile. All
   else that a seat hears of is due WAIT after it happened. So who is there has seen it, and a worker sees
   that he is there.
2. The log is gone through once, by one node at a time, in the order of the feed, with a place that is kept in
   the transaction that puts in what was found. A place that no log has, as after a restore, is set to the
   end. So are the lines of chat, by their ids; those of the last minutes are looked at again and again, as
   challenges are, and rematches that are declined.
3. What happened longer than FRESH ago, or to a turn that began longer than WEEK ago, is not told any more:
   who has been away for so long knows that he was.
4. What was put in is put in again where a crash of Postgres loses it, so nothing waits for the disk.

Deliberately absent: whether somebody is at the match, and whether it has come to nothing meanwhile: that is
seen when it is told (`server.notices.worker`); when time runs low (`server.notices.running_low`).
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from server.notices.again import DECLINED, REMATCHED
from server.notices.challenged import ID, NEWS, TOLD
from server.postgres.database import Pool, asynchronous

WAIT: Final = timedelta(minutes=1)
FRESH: Final = timedelta(hours=6)
WEEK: Final = timedelta(days=7)

OVERLAP: Final = timedelta(minutes=5)
"""How far two looks overlap: by so much a line of chat may be seen later than one with a higher id."""

LAG: Final = timedelta(seconds=30)
"""How far two looks at turns, and at channels, overlap: by so much the view of turns may lag behind the log,
and a channel be seen later than it was added. Where the view lags by more, a walk finds them."""

WHOLE: Final = timedelta(minutes=10)
"""Time between two walks through all turns of the last WEEK, some at a look. The looks themselves see those
that have lasted WAIT since, and all of whoever has added a channel or turned one on. So what is to be told of
a seat that somebody has tied to himself may wait for as long."""

PAGE: Final = 5000
"""Facts that are gone through in one transaction."""

AT_ONCE: Final = 200
"""Turns that are looked at by one statement, and at one step of a walk: tens of thousands may last, and while
all of them were looked at decisions would wait."""

DUE: Final = """
CASE WHEN c.digest THEN date_trunc('hour', now.at) + interval '1 hour' ELSE {at} END
"""
"""SQL: when a notice is told that would be told at `at`, by channel `c`."""

PUT: Final = """
INSERT INTO people.outbox (channel, person_id, match_id, seat, kind, turn, due)
"""
HOLDS: Final = """
  JOIN lobby.seat s ON s.match_id = {match} AND s.person_id IS NOT NULL
  JOIN people.channel c ON c.person_id = s.person_id AND c.state = 'on'
"""
"""SQL: the channels of those who sit at a match."""

# Each turn is put in again and again, which its key keeps from being there twice: that is found by an index.
# A plan that asks what is there already may be one that was made when nothing was, and read all of it.
_TURNS: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at), lasting AS MATERIALIZED (
  SELECT match_id, seat, seq, since FROM view.turn
   WHERE since >= $1 AND (since, match_id, seat) > ($1, $2::uuid, $3::smallint)
     AND since <= (SELECT at FROM now) - $4::interval
   ORDER BY since, match_id, seat LIMIT $5
), put AS (
{PUT}
SELECT c.id, c.person_id, t.match_id, t.seat, 'turn', t.seq, {DUE.format(at="now.at")}
  FROM now CROSS JOIN lasting t
  {HOLDS.format(match="t.match_id")} AND s.seat = t.seat
    ON CONFLICT DO NOTHING
)
SELECT since, match_id, seat FROM lasting ORDER BY since, match_id, seat
"""  # noqa: S608 constants of this module
_ADDED: Final = "SELECT id FROM people.channel WHERE greatest(made_at, turned_on) >= $1 AND state = 'on'"
# Apart from the look for them, and seat by seat (OFFSET 0): a plan for all tables may begin with all turns.
_TURNS_OF: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at)
{PUT}
SELECT c.id, c.person_id, t.match_id, t.seat, 'turn', t.seq, {DUE.format(at="now.at")}
  FROM now JOIN people.channel c ON c.id = ANY($1::uuid[]) AND c.state = 'on'
  JOIN lobby.seat s ON s.person_id = c.person_id
  CROSS JOIN LATERAL (SELECT * FROM view.turn WHERE match_id = s.match_id AND seat = s.seat OFFSET 0) t
 WHERE t.since BETWEEN now.at - $2::interval AND now.at - $3::interval
    ON CONFLICT DO NOTHING
"""  # noqa: S608 constants of this module
_NOW: Final = "SELECT log.now()"

# A place with a fact is that fact; one without is a transaction, as the table begins.
_ASTRAY: Final = """
UPDATE people.heard SET xid = pg_snapshot_xmin(pg_current_snapshot()), match_id = DEFAULT, seq = 0
 WHERE seq > 0 AND NOT EXISTS (SELECT FROM log.fact f
                                WHERE (f.match_id, f.seq, f.xid) = (heard.match_id, heard.seq, heard.xid))
    OR xid > pg_snapshot_xmax(pg_current_snapshot())
"""
_PLACE: Final = "SELECT xid::text, match_id, seq FROM people.heard FOR UPDATE SKIP LOCKED"
_MOVE: Final = "UPDATE people.heard SET xid = $1::text::xid8, match_id = $2, seq = $3"
_PAGE: Final = """
SELECT f.xid::text AS place, f.match_id, f.seq FROM log.fact f
 WHERE (f.xid, f.match_id, f.seq) > ($1::text::xid8, $2::uuid, $3::int)
   AND f.xid < pg_snapshot_xmin(pg_current_snapshot())
 ORDER BY f.xid, f.match_id, f.seq LIMIT $4
"""  # an output column named xid would be what ORDER BY sorts, as text: 1000 before 999
# Nonces that were shown before count no more: once one is put aside, it is not by the next who commits anew.
_PUT_ASIDE: Final = """
EXISTS (SELECT FROM log.fact n
         WHERE n.match_id = page.match_id AND n.seq < page.seq AND n.type = 'NonceShown'
           AND convert_from(n.body, 'UTF8')::jsonb -> 'seat' = to_jsonb(s.seat)
           AND NOT EXISTS (SELECT FROM log.fact a WHERE a.match_id = n.match_id AND a.seq > n.seq
                              AND a.seq < page.seq AND a.type = 'NonceCommittedAnew'))
"""
# Who had not sat down yet when another did.
_SAT_LATER: Final = """
EXISTS (SELECT FROM log.fact n
         WHERE n.match_id = page.match_id AND n.seq > page.seq AND n.type = 'SeatTaken'
           AND convert_from(n.body, 'UTF8')::jsonb -> 'seat' = to_jsonb(s.seat))
"""
_HEARD: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at), page AS MATERIALIZED (
  SELECT f.match_id, f.seq, f.at, k.kind,
         CASE WHEN f.type IN ('Started', 'GameEnded') THEN NULL
              ELSE (convert_from(f.body, 'UTF8')::jsonb
                    ->> CASE f.type WHEN 'CorrectionOffered' THEN 'by' ELSE 'seat' END)::int END AS by
    FROM log.fact f
    JOIN (VALUES ('SeatTaken', 'joined'), ('NonceCommittedAnew', 'anew'),
                 ('Started', 'begun'), ('DrawOffered', 'offer'),
                 ('UndoOffered', 'offer'), ('PauseOffered', 'offer'),
                 ('CorrectionOffered', 'offer'), ('HolidayBegan', 'holiday'),
                 ('SeatReplaced', 'joined'), ('SeatOffered', 'vacant'),
                 ('GameEnded', 'ended'))
      AS k(type, kind) ON k.type = f.type
   WHERE (f.xid, f.match_id, f.seq) > ($1::text::xid8, $2::uuid, $3::int)
     AND (f.xid, f.match_id, f.seq) <= ($4::text::xid8, $5::uuid, $6::int)
)
{PUT}
SELECT c.id, c.person_id, page.match_id, s.seat, page.kind, page.seq,
       {DUE.format(at="page.at + $7::interval")}
  FROM now JOIN page ON page.at > now.at - $8::interval
  {HOLDS.format(match="page.match_id")} AND c.made_at <= page.at
   AND CASE page.kind WHEN 'vacant' THEN s.seat = page.by ELSE s.seat IS DISTINCT FROM page.by END
 WHERE CASE page.kind WHEN 'anew' THEN {_PUT_ASIDE} WHEN 'joined' THEN NOT {_SAT_LATER} ELSE true END
    ON CONFLICT DO NOTHING
"""  # noqa: S608 constants of this module

_CHALLENGES: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at), {NEWS}
INSERT INTO people.outbox (id, channel, person_id, match_id, seat, kind, turn, due)
SELECT {ID}, c.id, news.whom, news.match_id,
       (SELECT min(s.seat) FROM lobby.seat s WHERE s.match_id = news.match_id AND s.person_id = news.whom),
       news.kind, 0, {DUE.format(at="news.at + $2::interval")}
  FROM now CROSS JOIN news
  JOIN people.channel c ON c.person_id = news.whom AND c.state = 'on' AND c.made_at <= news.at
 WHERE news.kind <> 'withdrawn' OR {TOLD}
    ON CONFLICT DO NOTHING
"""  # noqa: S608 constants of this package
_REMATCHED: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at)
{PUT} {REMATCHED.format(due=DUE.format(at="f.at + $7::interval"))} ON CONFLICT DO NOTHING
"""
_DECLINED: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at)
{PUT} {DECLINED.format(due=DUE.format(at="d.at + $2::interval"))} ON CONFLICT DO NOTHING
"""

# From behind the last line that is older than the overlap: such a line has no younger one with a lower id.
_LINES: Final = """
SELECT chat, coalesce((SELECT id FROM lobby.chat WHERE at <= (SELECT log.now()) - $1::interval
                        ORDER BY id DESC LIMIT 1), 0) AS settled
  FROM people.heard FOR UPDATE SKIP LOCKED
"""
_PAST: Final = "UPDATE people.heard SET chat = $1"

# Once an hour for each seat, however much is written.
_WRITTEN: Final = f"""
WITH now AS MATERIALIZED (SELECT log.now() AS at)
{PUT}
SELECT DISTINCT ON (c.id, l.match_id, s.seat, floor(extract(epoch FROM l.at) / 3600))
       c.id, c.person_id, l.match_id, s.seat, 'wrote', floor(extract(epoch FROM l.at) / 3600)::bigint,
       {DUE.format(at="l.at + $1::interval")}
  FROM now JOIN lobby.chat l ON l.id > $3 AND l.at > now.at - $2::interval AND l.room = 'table'
  {HOLDS.format(match="l.match_id")} AND s.seat <> l.seat AND c.made_at <= l.at
 ORDER BY c.id, l.match_id, s.seat, floor(extract(epoch FROM l.at) / 3600), l.at
    ON CONFLICT DO NOTHING
"""  # noqa: S608 constants of this module


class Due:
    """Looks for what is due, for one node. Of several that look at once each thing is put in by one."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._looked: datetime | None = None
        self._walked: datetime | None = None
        """When the last walk through all turns began."""
        self._step: tuple[object, ...] | None = None
        """How far it has come, while it goes on."""

    @property
    def walks(self) -> bool:
        """Whether turns that have lasted for longer are yet to be looked at by the next looks."""
        return self._step is not None

    async def look(self) -> None:
        """Put in what has become due since the last look. Raises what the database does."""
        await self._since_the_last()
        await self._walk()
        while await self._hear():
            pass
        await self._read()

    async def _since_the_last(self) -> None:
        """Put in challenges, turns that have lasted WAIT, and all of whose channel was added or turned on."""
        async with asynchronous(self._pool) as conn:
            now: datetime = await conn.fetchval(_NOW)
            looked = self._looked or now - FRESH
            for told in (_CHALLENGES, _DECLINED):
                await conn.execute(told, max(looked - OVERLAP, now - FRESH), WAIT)
            added = [row["id"] for row in await conn.fetch(_ADDED, looked - LAG)]
            if added:
                await conn.execute(_TURNS_OF, added, WEEK, WAIT)
        step: tuple[object, ...] | None = (looked - WAIT - LAG, UUID(int=0), -1)
        while step is not None:
            step = await self._turns_after(step)
        self._looked = now

    async def _walk(self) -> None:
        """Go a step through all turns, from their beginning if that was WHOLE ago."""
        assert self._looked is not None
        if self._step is None and (self._walked is None or self._looked - self._walked >= WHOLE):
            self._walked, self._step = self._looked, (self._looked - WEEK, UUID(int=0), -1)
        if self._step is not None:
            self._step = await self._turns_after(self._step)

    async def _turns_after(self, step: tuple[object, ...]) -> tuple[object, ...] | None:
        """Put in the next turns, AT_ONCE at most, and return the last of them; None: there are no more."""
        async with asynchronous(self._pool) as conn:
            page = await conn.fetch(_TURNS, *step, WAIT, AT_ONCE)
        return tuple(page[-1]) if len(page) == AT_ONCE else None

    async def _hear(self) -> bool:
        """Go through the next page of the log; whether there may be more."""
        async with asynchronous(self._pool) as conn:
            place = await conn.fetchrow(_PLACE)
            if place is None:  # another node is at it
                return False
            if await conn.execute(_ASTRAY) != "UPDATE 0":
                return True
            rows = await conn.fetch(_PAGE, *place, PAGE)
            if not rows:
                return False
            for told in (_HEARD, _REMATCHED):
                await conn.execute(told, *place, *rows[-1], WAIT, FRESH)
            await conn.execute(_MOVE, *rows[-1])
        return len(rows) == PAGE

    async def _read(self) -> None:
        """Go through the lines of chat since the last look of any node."""
        async with asynchronous(self._pool) as conn:
            place = await conn.fetchrow(_LINES, OVERLAP)
            if place is None:  # another node is at it
                return
            after, settled = place
            await conn.execute(_WRITTEN, WAIT, FRESH, min(after, settled))  # less: as after a restore
            if settled != after:
                await conn.execute(_PAST, settled)
