"""Results as they are read: the ladder of a title, what a person has played, how equal the sides are.

Laws of this module:
- Everybody is answered alike, whoever asks: private matches are on no list and in no record. A rating is the
  sum of all rated matches, private ones too, and tells nothing of one but that it was.
- A person is named by his handle. Who was erased is `someone`, and has neither ladder nor page.
- Each answer is a read (`server.http.reads`) that costs RESULTS, shared by all who ask for it at once. To
  whoever is signed in a ladder and a person's results count as look-ups, too (`server.people.shares`).

Deliberately absent: how ratings come about (`projections.ratings`), and matches that are going on.
"""

import math
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final
from uuid import UUID

import asyncpg
from msgspec import json

from domain.match.game import Game
from domain.match.notices import CALLED_OFF
from domain.match.refusals import RequestError
from domain.titles import TITLES
from projections.balance import ENOUGH, band
from projections.glicko2 import NEW, SCALE
from projections.ratings import HOUSE, PERIOD, PROVISIONAL
from server.http.asked import before_of, title_of
from server.http.luck import luck_of
from server.http.pages import Handler, Page, PageRequest
from server.http.reads import Reads
from server.limits import RESULTS
from server.lobby.seats import SOMEONE
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol.results import (
    Ladder,
    PersonResults,
    PlayedMatch,
    Player,
    PlayerKind,
    Rank,
    RatingPoint,
    ScenarioBalance,
    SideRecord,
    TitleBalance,
    TitleRating,
)

RANKS: Final = 50
"""Rows of a ladder's page."""

PAGES: Final = 1000
"""Pages that may be asked for."""

MATCHES: Final = 50
"""Matches of a person in one answer."""

POINTS: Final = 300
"""The longest curve of a rating, in matches."""

HANDLE: Final = re.compile("[a-z0-9_]{1,20}")
"""What a handle is like; nothing else is looked up."""

NOBODY: Final = "there is nobody of this name"

REPLACED: Final = "replaced"
"""The reason of an end for somebody whose seat another took over."""

_TODAY = f"""
least({NEW}, sqrt(r.deviation ^ 2 + (r.volatility * {SCALE}) ^ 2 / {PERIOD}
  * greatest(0, (log.now() AT TIME ZONE 'UTC')::date - (r.last_at AT TIME ZONE 'UTC')::date)))
"""
_LADDER = f"""
WITH now AS MATERIALIZED (
  SELECT r.subject, r.rating, r.matches, r.last_at, {_TODAY} AS deviation
    FROM view.rating r WHERE r.title = $1
)
SELECT now.*, p.handle, p.name, o.handle AS owner, o.id IS NOT NULL AS bot, count(*) OVER () AS total,
       count(*) FILTER (WHERE deviation < {PROVISIONAL}) OVER () AS settled
  FROM now
  LEFT JOIN people.person p
    ON p.id = CASE WHEN now.subject LIKE '{HOUSE}%' THEN NULL ELSE now.subject::uuid END
  LEFT JOIN people.person o ON o.id = p.owner
 WHERE p.handle IS NOT NULL OR now.subject LIKE '{HOUSE}%'
 ORDER BY deviation >= {PROVISIONAL}, rating DESC, subject LIMIT {RANKS} OFFSET $2
"""  # noqa: S608 constants
_COUNT = f"""
SELECT count(*) FROM view.rating r
 WHERE title = $1 AND (r.subject LIKE '{HOUSE}%' OR EXISTS (
   SELECT FROM people.person p
    WHERE p.id = CASE WHEN r.subject LIKE '{HOUSE}%' THEN NULL ELSE r.subject::uuid END
      AND p.handle IS NOT NULL))
"""  # noqa: S608 constants
_PERSON = """
SELECT p.id, p.handle, p.name, o.handle AS owner, p.owner IS NOT NULL AS bot
  FROM people.person p LEFT JOIN people.person o ON o.id = p.owner WHERE p.handle = $1
"""
_RATINGS = f"""
SELECT r.title, r.rating, r.matches, {_TODAY} AS deviation FROM view.rating r
 WHERE r.subject = $1 ORDER BY r.matches DESC, r.title
"""  # noqa: S608 constants
_CURVE = f"""
SELECT ended_at, rating, deviation FROM view.rated WHERE subject = $1 AND title = $2
 ORDER BY ended_at DESC, match_id DESC LIMIT {POINTS}
"""  # noqa: S608 constants
# The matches that somebody has played on one side, each once, when they have ended; not what was called off.
# Whose seat was given to another has lost, as he was out of time.
_PLAYED = f"""
SELECT m.match_id, m.ended_at, m.clocked, s.title, s.scenario,
       CASE WHEN bool_or(mine.gone) THEN 1 - min((s.chairs -> mine.seat ->> 'side')::int)
            ELSE s.winner END AS winner,
       CASE WHEN bool_or(mine.gone) THEN '{REPLACED}' ELSE s.reason END AS reason, s.chairs,
       min((s.chairs -> mine.seat ->> 'side')::int) AS side, array_agg(mine.seat) AS seats
  FROM (SELECT match_id, seat, false AS gone FROM lobby.seat WHERE person_id = $1
        UNION SELECT match_id, seat, true FROM lobby.predecessor WHERE person_id = $1) mine
  JOIN lobby.match m USING (match_id) JOIN view.standings s USING (match_id)
 WHERE m.ended_at IS NOT NULL AND s.over AND NOT m.private
   AND s.reason <> '{CALLED_OFF}'
 GROUP BY m.match_id, s.match_id, s.title, s.scenario, s.winner, s.reason, s.chairs
HAVING count(DISTINCT s.chairs -> mine.seat ->> 'side') = 1
"""  # noqa: S608 constants
_RECORDS = f"""
SELECT title, scenario, side, count(*) FILTER (WHERE winner = side) AS won,
       count(*) FILTER (WHERE winner IS NULL) AS drawn, count(*) FILTER (WHERE winner <> side) AS lost
  FROM ({_PLAYED}) played GROUP BY title, scenario, side ORDER BY count(*) DESC, title, scenario, side
"""  # noqa: S608 constants
# Whoever was replaced has the turns until then, and whoever took over those since.
_TIMES = f"""
SELECT coalesce(sum(p.in_time), 0) AS in_time, coalesce(sum(p.late), 0) AS too_late
  FROM ({_PLAYED}) played
  JOIN (SELECT match_id, seat, NULL::timestamptz AS until FROM lobby.seat WHERE person_id = $1
        UNION ALL SELECT match_id, seat, until FROM lobby.predecessor WHERE person_id = $1) mine
 USING (match_id)
  JOIN view.punctuality p ON p.match_id = mine.match_id AND p.seat = mine.seat
                         AND p.until IS NOT DISTINCT FROM mine.until
 WHERE played.clocked
"""  # noqa: S608 constants
_LATEST = f"""
SELECT played.*, r.before, r.rating AS after,
       (SELECT json_agg(json_build_object(
                 'name', CASE WHEN o.hidden THEN '' WHEN p.erased_at IS NOT NULL THEN '{SOMEONE}'
                              WHEN p.name <> '' THEN p.name ELSE o.name END,
                 'handle', CASE WHEN NOT o.hidden THEN p.handle END,
                 'kind', CASE WHEN o.strength <> '' THEN 'house' WHEN p.owner IS NOT NULL THEN 'bot'
                              WHEN p.id IS NOT NULL THEN 'person' ELSE 'guest' END) ORDER BY o.seat)
          FROM lobby.seat o LEFT JOIN people.person p ON p.id = o.person_id
         WHERE o.match_id = played.match_id
           AND (played.chairs -> o.seat ->> 'side')::int <> played.side)::text AS opponents
  FROM ({_PLAYED}) played LEFT JOIN view.rated r ON r.match_id = played.match_id AND r.subject = $1::text
 WHERE played.ended_at < $2 ORDER BY played.ended_at DESC, played.match_id LIMIT {MATCHES + 1}
"""  # noqa: S608 constants
_BALANCE = """
SELECT r.scenario, r.played, r.points FROM unnest($2::text[]) AS wanted(scenario) CROSS JOIN LATERAL (
  SELECT scenario, played, points FROM view.rated
   WHERE title = $1 AND scenario = wanted.scenario AND side = 0
   ORDER BY ended_at DESC, match_id DESC LIMIT 1) r
"""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NEVER = datetime(9999, 1, 1, tzinfo=UTC)

_opponents = json.Decoder(list[Player]).decode


class Results:
    """The results of a node's database."""

    def __init__(self, pool: Pool, reads: Reads, looks_up: Callable[[PageRequest], Awaitable[None]]) -> None:
        """Take what counts a look-up of whoever is signed in."""
        self._pool, self._reads, self._looks_up = pool, reads, looks_up

    def routes(self) -> dict[tuple[str, ...], Handler]:
        """Return the handlers by path; `*` stands for one part."""
        return {
            ("api", "ratings", "*"): self.ladder,
            ("api", "people", "*", "results"): self.person,
            ("api", "balance", "*"): self.balance,
        }

    async def ladder(self, request: PageRequest) -> Page:
        """Answer with a Ladder, of the title in the path. Raises RequestError, and as `Reads.read`."""
        title, page = title_of(request.parts[2]), request.query.get("page", "1")
        if not (page.isascii() and page.isdecimal() and len(page) <= len(str(PAGES)) and int(page) > 0):
            raise RequestError("bad_request", "pages of a ladder are numbered from 1 on")
        number = int(page)
        await self._looks_up(request)
        work = partial(self._ladder, title, number)
        return Page(await self._reads.read(request.address, ("ladder", title, number), RESULTS, work))

    async def person(self, request: PageRequest) -> Page:
        """Answer with PersonResults, of the handle in the path. Raises as `ladder` does."""
        handle, before = request.parts[2].lower(), before_of(request.query)
        if not HANDLE.fullmatch(handle):
            raise RequestError("no_person", NOBODY)
        await self._looks_up(request)
        work = partial(self._person, handle, before)
        return Page(await self._reads.read(request.address, ("results", handle, before), RESULTS, work))

    async def balance(self, request: PageRequest) -> Page:
        """Answer with a TitleBalance, of the title in the path. Raises as `ladder` does."""
        game = TITLES[title_of(request.parts[2])]
        work = partial(self._balance, game)
        return Page(await self._reads.read(request.address, ("balance", game.name), RESULTS, work))

    async def _ladder(self, title: str, page: int) -> bytes:
        first = (page - 1) * RANKS
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_LADDER, title, first)
            total = rows[0]["total"] if rows else await conn.fetchval(_COUNT, title)
        ranks = [_rank(row, first + number) for number, row in enumerate(rows, 1)]
        return json.encode(Ladder(title, page, max(1, math.ceil(total / RANKS)), ranks))

    async def _person(self, handle: str, before: int | None) -> bytes:
        until = _NEVER if before is None else _EPOCH + before * _MICROSECOND
        async with connection(self._pool) as conn:
            person = await conn.fetchrow(_PERSON, handle)
            if person is None:
                raise RequestError("no_person", NOBODY)
            found: UUID = person["id"]
            matches = await conn.fetch(_LATEST, found, until)
            times = await conn.fetchrow(_TIMES, found)
            assert times is not None
            records = await conn.fetch(_RECORDS, found)
            ratings = [await _rating(conn, str(found), row) for row in await conn.fetch(_RATINGS, str(found))]
            luck = await luck_of(conn, found)
        return json.encode(
            PersonResults(
                Player(person["name"] or person["handle"], person["handle"], _kind(person)),
                person["owner"],
                ratings,
                [SideRecord(**row) for row in records],
                [_played(row) for row in matches[:MATCHES]],
                len(matches) > MATCHES,
                times["in_time"],
                times["too_late"],
                luck,
            )
        )

    async def _balance(self, game: Game) -> bytes:
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_BALANCE, game.name, list(game.scenarios))
        known: Mapping[str, asyncpg.Record] = {row["scenario"]: row for row in rows}
        scenarios = [_balanced(scenario, known.get(scenario)) for scenario in game.scenarios]
        return json.encode(TitleBalance(game.name, list(game.sides), scenarios))


def _kind(row: asyncpg.Record) -> PlayerKind:
    return "bot" if row["bot"] else "person"


def _rank(row: asyncpg.Record, place: int) -> Rank:
    subject: str = row["subject"]
    if subject.startswith(HOUSE):
        player = Player(f"{subject.removeprefix(HOUSE)} bot", None, "house")
    else:
        player = Player(row["name"] or row["handle"], row["handle"], _kind(row))
    return Rank(
        player,
        row["owner"],
        place if place <= row["settled"] else None,
        round(row["rating"]),
        round(row["deviation"]),
        row["matches"],
        _micros(row["last_at"]),
    )


async def _rating(conn: PooledConnection, subject: str, row: asyncpg.Record) -> TitleRating:
    curve = await conn.fetch(_CURVE, subject, row["title"])
    return TitleRating(
        row["title"],
        round(row["rating"]),
        round(row["deviation"]),
        row["deviation"] >= PROVISIONAL,
        row["matches"],
        [
            RatingPoint(_micros(one["ended_at"]), round(one["rating"]), round(one["deviation"]))
            for one in reversed(curve)
        ],
    )


def _played(row: asyncpg.Record) -> PlayedMatch:
    return PlayedMatch(
        str(row["match_id"]),
        row["title"],
        row["scenario"],
        row["side"],
        _micros(row["ended_at"]),
        0.5 if row["winner"] is None else float(row["winner"] == row["side"]),
        row["reason"],
        _opponents(row["opponents"] or "[]"),
        None if row["before"] is None else round(row["before"]),
        None if row["after"] is None else round(row["after"]),
    )


def _balanced(scenario: str, row: asyncpg.Record | None) -> ScenarioBalance:
    matches, points = (row["played"], row["points"]) if row else (0, 0.0)
    of = band(points, matches)
    return ScenarioBalance(scenario, matches, points, of.low, of.high, matches >= ENOUGH)


def _micros(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND
