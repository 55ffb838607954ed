"""Standings: for every match what is played, who sits where, whose turn it is, the result, time used.

The view `view.standings` has one row for each match. A chair's `turn` is the seq of the fact since which the
seat has been asked, null while it is not: `(match, seat, turn)` is an idempotency key for notifying it.
Thinking time is the time between two commands, counted for every seat that is asked meanwhile. While a match
is paused no seat is asked.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final
from uuid import UUID

import asyncpg
from msgspec import Struct, json

from domain.match import notices, pauses, replacing
from projections.projection import ProjectedFact, Projection, Tables
from projections.turns import (
    TURN_TYPES,
    DecisionMark,
    PromptMark,
    TurnMarks,
    decision_mark,
    prompt_mark,
    read_marks,
)
from server.postgres.database import PooledConnection

_COLUMNS: Final = """
  match_id   uuid        PRIMARY KEY,
  title      text        NOT NULL,
  scenario   text        NOT NULL,
  created_at timestamptz NOT NULL,
  last_at    timestamptz NOT NULL,
  started    boolean     NOT NULL,
  over       boolean     NOT NULL,      -- decided; the key may not be revealed yet
  ended      boolean     NOT NULL,      -- nothing may follow
  winner     smallint,                  -- a side; null while it is played, and when it was drawn
  reason     text        NOT NULL,
  facts      integer     NOT NULL,
  decisions  integer     NOT NULL,      -- chosen by seats and not taken back
  asked      smallint[]  NOT NULL,      -- seats whose turn it is
  chairs     jsonb       NOT NULL       -- of each seat, see Chair
"""
BOT_ASKED: Final = """NOT over AND jsonb_path_exists(chairs, '$[*] ? (@.kind == "bot" && @.turn != null)')"""
"""In SQL, of a row: whether a bot is asked. There is an index for it, of the few for which it holds."""

VACANT: Final = """NOT over AND jsonb_path_exists(chairs, '$[*] ? (@.vacant == true)')"""
"""In SQL, of a row: whether a seat is offered to others. There is an index for it, as for the other."""

_READ: Final = "SELECT * FROM {table} WHERE match_id = ANY($1)"
_WRITE: Final = """
INSERT INTO {table} ({columns})
SELECT match_id, title, scenario, created_at, last_at, started, over, ended, winner, reason, facts,
       decisions, ARRAY(SELECT jsonb_array_elements_text(asked)::smallint), chairs
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::bool[],
              $7::bool[], $8::bool[], $9::smallint[], $10::text[], $11::int[], $12::int[], $13::jsonb[],
              $14::jsonb[])
    AS t({columns})
    ON CONFLICT (match_id) DO UPDATE SET {changes}
"""
_NAMES: Final = (
    "match_id",
    "title",
    "scenario",
    "created_at",
    "last_at",
    "started",
    "over",
    "ended",
    "winner",
    "reason",
    "facts",
    "decisions",
    "asked",
    "chairs",
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Chair(Struct):
    """A seat. `kind` is `person` or `bot`, empty while nobody sits there; `used` is in microseconds."""

    name: str
    side: int
    kind: str = ""
    resigned: bool = False
    decisions: int = 0
    used: int = 0
    turn: int | None = None
    """The seq of the fact since which the seat has been asked."""
    vacant: bool = False
    """Whether it is offered to others, as its player stays away."""


class Standing(Struct):
    """The standing of a match. Times are in microseconds since the epoch."""

    match: UUID
    title: str = ""
    scenario: str = ""
    created: int = 0
    last: int = 0
    started: bool = False
    over: bool = False
    ended: bool = False
    winner: int | None = None
    reason: str = ""
    facts: int = 0
    asked: tuple[int, ...] = ()
    chairs: list[Chair] = []

    @property
    def decisions(self) -> int:
        """The number of decisions chosen by seats and not taken back."""
        return sum(chair.decisions for chair in self.chairs)

    def ask(self, seq: int, seats: tuple[int, ...]) -> None:
        """Set the seats that are asked; one that was asked already keeps its `turn`."""
        for seat in self.asked:
            if seat not in seats:
                self.chairs[seat].turn = None
        for seat in seats:
            if seat not in self.asked:
                self.chairs[seat].turn = seq
        self.asked = seats

    def pass_time(self, at: int) -> None:
        """Add the time up to `at` to each seat that is asked."""
        for seat in self.asked:
            self.chairs[seat].used += at - self.last
        self.last = at


class ChangedStandings(Struct):
    """The standings that a page changes, and the marks of its matches with an undo in it."""

    standings: dict[UUID, Standing]
    marks: dict[UUID, TurnMarks]


class Standings(Projection[ChangedStandings]):
    """The projection of standings: one row for each match."""

    name: ClassVar[str] = "standings"
    views: ClassVar[Mapping[str, str]] = {"standings": _COLUMNS}
    indexes: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "standings": {
            "last_at": "(last_at)",
            "bot_asked": f"(match_id) WHERE {BOT_ASKED}",
            "vacant": f"(match_id) WHERE {VACANT}",
        }
    }

    async def load(
        self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables
    ) -> ChangedStandings:
        """Read the rows of the page's matches."""
        matches = list({fact.match for fact in page})
        query = _READ.format(table=tables["view.standings"])
        there = [read_standing(row) for row in await conn.fetch(query, matches)]
        return ChangedStandings({one.match: one for one in there}, await read_marks(conn, page))

    def fold(self, folding: ChangedStandings, fact: ProjectedFact) -> None:
        """Fold one fact."""
        standing = folding.standings.get(fact.match)
        if standing is None:
            standing = folding.standings[fact.match] = Standing(fact.match, created=fact.at, last=fact.at)
        if fact.seq != standing.facts + 1:
            raise ValueError(f"fact {fact.seq} comes after fact {standing.facts}")
        standing.facts = fact.seq
        standing.pass_time(fact.at)
        marks = folding.marks.get(fact.match)
        if marks is not None and fact.type in TURN_TYPES:
            for mark in marks.follow(fact.seq, fact.type, fact.body):
                if isinstance(mark, DecisionMark) and mark.own and not mark.joined:
                    standing.chairs[mark.seat].decisions -= 1
            standing.ask(fact.seq, marks.asked())
        handle = _HANDLERS.get(fact.type)
        if handle is not None:
            handle(standing, fact)

    async def store(self, conn: PooledConnection, folding: ChangedStandings, tables: Tables) -> None:
        """Write the rows."""
        changes = ", ".join(f"{name} = excluded.{name}" for name in _NAMES[1:])
        query = _WRITE.format(table=tables["view.standings"], columns=", ".join(_NAMES), changes=changes)
        await conn.execute(query, *zip(*map(_row, folding.standings.values()), strict=True))


def _created(standing: Standing, fact: ProjectedFact) -> None:
    notice = _of_created(fact.body)
    standing.title, standing.scenario = notice.title, notice.scenario
    standing.chairs = [Chair(seat.name, seat.side) for seat in notice.seats]


def _taken(standing: Standing, fact: ProjectedFact) -> None:
    notice = _of_taken(fact.body)
    standing.chairs[notice.seat].kind = notice.kind


def _offered(standing: Standing, fact: ProjectedFact) -> None:
    standing.chairs[_of_offered(fact.body).seat].vacant = True


def _replaced(standing: Standing, fact: ProjectedFact) -> None:
    notice = _of_replaced(fact.body)
    chair = standing.chairs[notice.seat]
    chair.kind, chair.vacant = notice.kind, False
    if chair.turn is not None:
        chair.turn = fact.seq


def _began(standing: Standing, _fact: ProjectedFact) -> None:
    standing.started = True


def _resigned(standing: Standing, fact: ProjectedFact) -> None:
    standing.chairs[_of_resigned(fact.body).seat].resigned = True


def _decided(standing: Standing, fact: ProjectedFact) -> None:
    mark: DecisionMark = decision_mark(fact.body)
    chair = standing.chairs[mark.seat]
    chair.decisions += mark.own and not mark.joined
    chair.vacant = chair.vacant and not mark.own


def _paused(standing: Standing, fact: ProjectedFact) -> None:
    mark: PromptMark = prompt_mark(fact.body)
    standing.ask(fact.seq, mark.seats)


def _clocks_stopped(standing: Standing, fact: ProjectedFact) -> None:
    standing.ask(fact.seq, ())


def _clocks_started(standing: Standing, fact: ProjectedFact) -> None:
    standing.ask(fact.seq, _of_clocks_started(fact.body).running)


def _over(standing: Standing, fact: ProjectedFact) -> None:
    notice = _of_over(fact.body)
    standing.over, standing.winner, standing.reason = True, notice.winner, notice.reason
    standing.ask(fact.seq, ())


def _ended(standing: Standing, _fact: ProjectedFact) -> None:
    standing.ended = True


_of_created = json.Decoder(notices.Created).decode
_of_taken = json.Decoder(notices.SeatTaken).decode
_of_offered = json.Decoder(replacing.SeatOffered).decode
_of_replaced = json.Decoder(replacing.SeatReplaced).decode
_of_resigned = json.Decoder(notices.Resigned).decode
_of_clocks_started = json.Decoder(pauses.ClocksStarted).decode
_of_over = json.Decoder(notices.GameEnded).decode
_of_chairs = json.Decoder(list[Chair]).decode

_HANDLERS: Final = {
    "Created": _created,
    "SeatTaken": _taken,
    "SeatOffered": _offered,
    "SeatReplaced": _replaced,
    "Started": _began,
    "Resigned": _resigned,
    "Decided": _decided,
    "Paused": _paused,
    "ClocksStopped": _clocks_stopped,
    "ClocksStarted": _clocks_started,
    "GameEnded": _over,
    "Ended": _ended,
}


def read_standing(row: asyncpg.Record) -> Standing:
    """Return the standing in a row of the view."""
    return Standing(
        row["match_id"],
        row["title"],
        row["scenario"],
        (row["created_at"] - _EPOCH) // _MICROSECOND,
        (row["last_at"] - _EPOCH) // _MICROSECOND,
        row["started"],
        row["over"],
        row["ended"],
        row["winner"],
        row["reason"],
        row["facts"],
        tuple(row["asked"]),
        _of_chairs(row["chairs"]),
    )


def _row(one: Standing) -> tuple[Any, ...]:
    return (
        one.match,
        one.title,
        one.scenario,
        _EPOCH + one.created * _MICROSECOND,
        _EPOCH + one.last * _MICROSECOND,
        one.started,
        one.over,
        one.ended,
        one.winner,
        one.reason,
        one.facts,
        one.decisions,
        json.encode(one.asked).decode(),
        json.encode(one.chairs).decode(),
    )


async def standings(conn: PooledConnection, matches: Sequence[UUID] | None = None) -> list[Standing]:
    """Return the standings of all matches or of those named, latest first; none for one without facts."""
    if matches is None:
        rows = await conn.fetch("SELECT * FROM view.standings ORDER BY last_at DESC")
    else:
        rows = await conn.fetch(
            "SELECT * FROM view.standings WHERE match_id = ANY($1) ORDER BY last_at DESC", list(matches)
        )
    return list(map(read_standing, rows))
