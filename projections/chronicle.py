"""Chronicle: the chapters of long matches, and the story of each unit, each found by one query.

The view `view.chapter` has a row for each chapter of a match of a title with a chronicle, and `view.story`
one for each thing that befell a unit, with the audience of the fact that told it. `view.course` has what the
chronicle of a match goes on from: as it stands, and every so many facts before, to which an undo goes back.
They hold the secrets of both sides: nodes read them, and tell each reader what he may see.

A match that cannot be told on, by a fault in it, stays as far as it was told, and stops nobody else's.
Deliberately absent: what is a chapter, and what is worth a line (`domain.match.chronicle`).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final
from uuid import UUID

import asyncpg
import structlog
from msgspec import MsgspecError, Struct, field, json

from domain.kernel.audience import Reader
from domain.kernel.facts import Fact
from domain.match import notices
from domain.match.chronicle import Chapter, Chronicle, Kind
from domain.match.game import Game
from domain.match.undo import Undone, add
from domain.titles import TITLES
from projections.projection import ProjectedFact, Projection, Tables
from projections.turns import undo_mark
from server.postgres.database import PooledConnection

EVERY: Final = 5000
"""Facts of a match from one course that is kept to the next: at most as many are read again after an undo."""

_COURSE: Final = """
  match_id uuid    NOT NULL,
  seq      integer NOT NULL,      -- the last fact that it knows
  title    text    NOT NULL,
  body     bytea   NOT NULL,
  PRIMARY KEY (match_id, seq)
"""
_CHAPTER: Final = """
  match_id uuid    NOT NULL,
  number   integer NOT NULL,
  since    integer NOT NULL,      -- the fact that it begins with
  body     bytea   NOT NULL,
  PRIMARY KEY (match_id, number)
"""
_STORY: Final = """
  match_id uuid     NOT NULL,
  unit     text     NOT NULL,
  seq      integer  NOT NULL,
  place    smallint NOT NULL,     -- among what the fact told
  audience smallint NOT NULL,
  chapter  integer  NOT NULL,     -- 0 for none
  time     text     NOT NULL,     -- when it was, in words
  kind     text     NOT NULL,
  words    text     NOT NULL,
  PRIMARY KEY (match_id, unit, seq, place)
"""
_LATEST: Final = """
SELECT DISTINCT ON (c.match_id) c.match_id, c.seq, c.title, c.body
  FROM {table} c JOIN unnest($1::uuid[], $2::int[]) AS k(match_id, upto) ON c.match_id = k.match_id
 WHERE c.seq <= k.upto ORDER BY c.match_id, c.seq DESC
"""
_AGAIN: Final = """
SELECT seq, type, body FROM log.fact
 WHERE match_id = $1 AND type = ANY($2) AND seq > $3 AND seq < $4 ORDER BY seq
"""
_KEEP: Final = "INSERT INTO {table} (match_id, seq, title, body) VALUES ($1, $2, $3, $4)"
_FORGET: Final = """
DELETE FROM {table} WHERE match_id = $1 AND (seq > $2 OR seq > 0 AND seq / $4::int = $3::int / $4::int)
"""
_WRITE_CHAPTER: Final = """
INSERT INTO {table} (match_id, number, since, body) VALUES ($1, $2, $3, $4)
    ON CONFLICT (match_id, number) DO UPDATE SET since = excluded.since, body = excluded.body
"""
_WRITE_STORY: Final = """
INSERT INTO {table} (match_id, unit, seq, place, audience, chapter, time, kind, words)
SELECT $1, * FROM unnest($2::text[], $3::int[], $4::smallint[], $5::smallint[], $6::int[], $7::text[],
                         $8::text[], $9::text[])
"""
_STORY_OF: Final = """
SELECT seq, chapter, time, kind, words FROM view.story
 WHERE match_id = $1 AND unit = $2 AND ($3::int = 0 OR audience & $3::int <> 0) ORDER BY seq, place
"""  # the umpire's value, as a reader, is 0

_created = json.Decoder(notices.Created).decode
_chapter = json.Decoder(Chapter).decode

log = structlog.get_logger()


class StoryLine(Struct, frozen=True):
    """What befell a unit by a fact: a sentence without its subject, ids in square brackets."""

    seq: int
    chapter: int
    """The number of its chapter; 0 in a match without any."""
    when: str
    """`August 1942, day 4`; empty in a match without days."""
    kind: Kind
    words: str


class Telling(Struct):
    """A match in a page: where its chronicle goes on from, and the facts since that are in force."""

    game: Game
    chronicle: Chronicle[Any]
    start: int
    course: Any
    facts: list[tuple[int, Fact]] = field(default_factory=list)
    upto: int = 0
    again: bool = False
    """Whether what was told of the facts behind `start` is told anew."""

    def next(self, seq: int, type: str, body: bytes) -> None:
        """Add a fact, if the chronicle follows it; an undo takes back what it covers."""
        self.upto = seq
        if type in _types(self.chronicle):
            add(self.facts, seq, self.game.fact(body))


Tellings = dict[UUID, Telling]


class Chronicles(Projection[Tellings]):
    """The projection of chapters and stories."""

    name: ClassVar[str] = "chronicle"
    views: ClassVar[Mapping[str, str]] = {"course": _COURSE, "chapter": _CHAPTER, "story": _STORY}
    for_nodes_only: ClassVar[bool] = True

    async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> Tellings:
        """Read where each match goes on from; where a page takes something back, from before that."""
        firsts: dict[UUID, int] = {}
        back: dict[UUID, int] = {}
        for fact in page:
            firsts.setdefault(fact.match, fact.seq)
            if fact.type == "Undone":
                back[fact.match] = min(_back_to(fact.body), back.get(fact.match, fact.seq))
        table = tables["view.course"]
        upto = {match: min(first - 1, back.get(match, first)) for match, first in firsts.items()}
        found: Tellings = {}
        for row in await conn.fetch(_LATEST.format(table=table), list(upto), list(upto.values())):
            match = row["match_id"]
            telling = _telling(row)
            if telling is not None and match in back:
                telling = await _reread(conn, table, telling, match, firsts[match])
            if telling is not None and telling.upto == firsts[match] - 1:
                found[match] = telling
        return found

    def fold(self, folding: Tellings, fact: ProjectedFact) -> None:
        """Add a fact to its match; the first says whether its title has a chronicle."""
        if fact.type == "Created" and fact.match not in folding:
            game = TITLES.get(_title(fact.body))
            if game is not None and game.chronicle is not None:
                folding[fact.match] = Telling(game, game.chronicle, 0, game.chronicle.course())
        telling = folding.get(fact.match)
        if telling is None:
            return
        try:
            telling.next(fact.seq, fact.type, fact.body)
        except MsgspecError as why:
            _leave_out(fact.match, why)
            del folding[fact.match]

    async def store(self, conn: PooledConnection, folding: Tellings, tables: Tables) -> None:
        """Write what each match has come to, in place of what was told after the facts it goes on from."""
        for match, telling in folding.items():
            try:
                lines = _lines(telling)
                chapters = telling.chronicle.chapters(telling.course)
            except Exception as why:  # whatever a match holds, others are to be told
                _leave_out(match, why)
            else:
                await _write(conn, match, telling, lines, chapters, tables)


async def chapters(conn: PooledConnection, match: UUID) -> list[Chapter]:
    """Return the chapters of a match so far, in order; none of a match of a title without a chronicle."""
    rows = await conn.fetch("SELECT body FROM view.chapter WHERE match_id = $1 ORDER BY number", match)
    return [_chapter(row["body"]) for row in rows]


async def story(conn: PooledConnection, match: UUID, unit: str, reader: Reader) -> list[StoryLine]:
    """Return what befell a unit as far as a reader may know, in order."""
    rows = await conn.fetch(_STORY_OF, match, unit, reader.value)
    return [StoryLine(*row) for row in rows]


def _telling(row: asyncpg.Record) -> Telling | None:
    """Return where a match goes on from; None if that cannot be read here."""
    game = TITLES.get(row["title"])
    if game is None or game.chronicle is None:
        return None
    try:
        course = json.decode(row["body"], type=game.chronicle.course)
    except MsgspecError as why:
        _leave_out(row["match_id"], why)
        return None
    return Telling(game, game.chronicle, row["seq"], course, upto=row["seq"])


async def _reread(
    conn: PooledConnection, table: str, telling: Telling, match: UUID, first: int
) -> Telling | None:
    """Add the facts before fact `first` again; if they take back more, from an earlier course on."""
    telling.again = True
    rows = await conn.fetch(_AGAIN, match, list(_types(telling.chronicle)), telling.start, first)
    earlier = min((_back_to(row["body"]) for row in rows if row["type"] == "Undone"), default=first)
    if earlier < telling.start:
        row = await conn.fetchrow(_LATEST.format(table=table), [match], [earlier])
        before = None if row is None else _telling(row)
        return None if before is None else await _reread(conn, table, before, match, first)
    try:
        for row in rows:
            telling.next(row["seq"], row["type"], row["body"])
    except MsgspecError as why:
        _leave_out(match, why)
        return None
    telling.upto = first - 1
    return telling


def _lines(telling: Telling) -> list[tuple[Any, ...]]:
    """Follow the facts of a match; return the rows of its stories but for the match."""
    chronicle, course = telling.chronicle, telling.course
    rows: list[tuple[Any, ...]] = []
    for seq, fact in telling.facts:
        if isinstance(fact, Undone):
            continue
        lines = chronicle.follow(course, seq, fact)
        at = chronicle.chapter(course), chronicle.when(course)
        rows += [
            (line.unit, seq, place, line.audience.value, *at, line.kind, line.words)
            for place, line in enumerate(lines)
        ]
    return rows


async def _write(
    conn: PooledConnection,
    match: UUID,
    telling: Telling,
    lines: Sequence[tuple[Any, ...]],
    chapters: Sequence[Chapter],
    tables: Tables,
) -> None:
    course, story, chapter = (tables[f"view.{name}"] for name in ("course", "story", "chapter"))
    start, name = telling.start, telling.game.name
    if telling.again:
        await conn.execute(f"DELETE FROM {story} WHERE match_id = $1 AND seq > $2", match, start)  # noqa: S608
        await conn.execute(f"DELETE FROM {chapter} WHERE match_id = $1 AND since > $2", match, start)  # noqa: S608
    if lines:
        await conn.execute(_WRITE_STORY.format(table=story), match, *zip(*lines, strict=True))
    if chapters:
        rows = [(match, one.number, one.since, json.encode(one)) for one in chapters]
        await conn.executemany(_WRITE_CHAPTER.format(table=chapter), rows)
    if not start and not telling.again:
        empty = json.encode(telling.chronicle.course())
        await conn.execute(_KEEP.format(table=course), match, 0, name, empty)
    await conn.execute(_FORGET.format(table=course), match, start, telling.upto, EVERY)
    await conn.execute(_KEEP.format(table=course), match, telling.upto, name, json.encode(telling.course))


@cache
def _types(chronicle: Chronicle[Any]) -> frozenset[str]:
    """Return the names of the facts that a chronicle follows, and that of an undo."""
    return frozenset({Undone.__name__, *(one.__name__ for one in chronicle.types)})


def _title(body: bytes) -> str:
    """Return what is played, by the first fact of a match; empty for a damaged one."""
    try:
        return _created(body).title
    except MsgspecError:
        return ""


def _back_to(body: bytes) -> int:
    """Return how far an undo goes back; 0 for a damaged one."""
    try:
        return max(0, undo_mark(body).back_to)
    except MsgspecError:
        return 0


def _leave_out(match: UUID, why: Exception) -> None:
    log.warning("chronicle.left_out", match=str(match), why=repr(why))
