"""Luck of seats: what the dice of each seat of a match that has ended came to, beside what fair dice do.

The view `view.seat_luck` has a row for each seat that rolled and measure (`projections.luck`); several where
a seat changed hands, each with what was rolled until then. Laws of this module:

- A match is read once, when the fact that ends it is applied, and has no row before: nothing of a match that
  is played can be told from the view.
- It says nothing of persons. Who sat there is known to the lobby when the view is read, so nothing is left
  behind of who is erased, and a guest who signs up later has what he rolled.
- Dice are known to be a side's, and no more. A side of several seats is left out: nobody rolled for it alone.
- However a match ended, it counts, also one that was called off. Were it left out, whoever can call off a
  match would choose by his dice what counts.
- Rolls that were taken back by a correction count, as in the report of the match (`projections.report`): they
  fell, and whoever has bad ones corrected away would look lucky.
- A match whose facts cannot be read here is left out, and stops nobody else's.

Deliberately absent: luck over matches, which is the sum of what a person's seats have here
(`server.http.luck`), and the table: no title is needed, and no match is folded.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final
from uuid import UUID

import asyncpg
import structlog
from msgspec import Struct, field, json

from domain.kernel.facts import Rolled, RolledUnseen
from domain.match.notices import Created
from domain.match.replacing import SeatReplaced
from projections.luck import Tally
from projections.projection import ProjectedFact, Projection, Tables
from server.postgres.database import PooledConnection

AT_ONCE: Final = 500
"""Facts counted before control returns to the event loop."""

_COLUMNS: Final = """
  match_id uuid             NOT NULL,
  seat     smallint         NOT NULL,
  place    smallint         NOT NULL,      -- 0: who sat down first, 1: who took over from him …
  measure  text             NOT NULL,      -- hits, or checks
  until    timestamptz,                    -- when the seat changed hands; null for who sat there at the end
  title    text             NOT NULL,
  dice     integer          NOT NULL,
  came     integer          NOT NULL,
  expected double precision NOT NULL,      -- the mean of fair dice
  variance double precision NOT NULL,
  PRIMARY KEY (match_id, seat, place, measure)
"""
_FACTS: Final = """
SELECT seq, at, body FROM log.fact WHERE match_id = $1 AND seq > $2 AND type = ANY($3) ORDER BY seq LIMIT $4
"""
_TYPES: Final = ("Created", "SeatReplaced", "Rolled", "RolledUnseen")
_WRITE: Final = """
INSERT INTO {table} (match_id, seat, place, measure, until, title, dice, came, expected, variance)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::text[], $5::timestamptz[], $6::text[],
                     $7::int[], $8::int[], $9::float8[], $10::float8[])
    ON CONFLICT DO NOTHING
"""

_fact = json.Decoder(Created | SeatReplaced | Rolled | RolledUnseen).decode

log = structlog.get_logger()

Row = tuple[Any, ...]


class Seats(Struct):
    """The seats of a match as it is read, each with what it has rolled since it last changed hands."""

    match: UUID
    title: str = ""
    alone: dict[int, int] = field(default_factory=dict)
    """The seat of each side that has one."""
    places: dict[int, int] = field(default_factory=dict)
    tallies: dict[int, Tally] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    def add(self, at: datetime, body: bytes) -> None:
        """Count the next fact. Raises ValueError for one that cannot be read."""
        fact = _fact(body)
        if isinstance(fact, Created):
            sides = [seat.side for seat in fact.seats]
            self.title = fact.title
            self.alone = {side: seat for seat, side in enumerate(sides) if sides.count(side) == 1}
        elif isinstance(fact, SeatReplaced):
            self.close(fact.seat, at)
        elif fact.by in self.alone:
            self.tallies.setdefault(self.alone[fact.by], Tally()).add(fact)

    def close(self, seat: int, until: datetime | None) -> None:
        """Make rows of what a seat has rolled: it changes hands, or the match has ended."""
        place = self.places.get(seat, 0)
        self.places[seat] = place + 1
        tally = self.tallies.pop(seat, Tally())
        for (_, measure), count in sorted(tally.counts.items()):
            key = self.match, seat, place, measure, until, self.title
            self.rows.append((*key, count.dice, count.came, count.expected, count.variance))

    def end(self) -> list[Row]:
        """Return the rows of the match, of which all facts were added."""
        for seat in sorted(self.tallies):
            self.close(seat, None)
        return self.rows


class Folding(Struct):
    """The rows of the matches that end in a page, and those of the matches of which the end is folded."""

    counted: dict[UUID, list[Row]]
    rows: list[Row] = field(default_factory=list)


class SeatLuck(Projection[Folding]):
    """The projection of what the dice of seats came to."""

    name: ClassVar[str] = "luck"
    views: ClassVar[Mapping[str, str]] = {"seat_luck": _COLUMNS}

    async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> Folding:  # noqa: ARG002
        """Count the dice of the matches that end in the page."""
        ended = dict.fromkeys(fact.match for fact in page if fact.type == "Ended")
        return Folding({match: await _count(conn, match) for match in ended})

    def fold(self, folding: Folding, fact: ProjectedFact) -> None:
        """Fold one fact."""
        if fact.type == "Ended":
            folding.rows += folding.counted.pop(fact.match, [])

    async def store(self, conn: PooledConnection, folding: Folding, tables: Tables) -> None:
        """Write the rows of the matches that have ended."""
        if folding.rows:
            write = _WRITE.format(table=tables["view.seat_luck"])
            await conn.execute(write, *zip(*folding.rows, strict=True))


async def _count(conn: PooledConnection, match: UUID) -> list[Row]:
    """Return the rows of a match that has ended; none if it cannot be read."""
    try:
        seats = Seats(match)
        async for rows in _pages(conn, match):
            for row in rows:
                seats.add(row["at"], row["body"])
    except (ValueError, ArithmeticError, LookupError) as why:
        log.warning("luck.left_out", match=str(match), why=repr(why))
        return []
    return seats.end()


async def _pages(conn: PooledConnection, match: UUID) -> AsyncIterator[list[asyncpg.Record]]:
    """Yield the facts of a match that are counted, AT_ONCE at a time."""
    last = 0
    while rows := await conn.fetch(_FACTS, match, last, _TYPES, AT_ONCE):
        yield rows
        last = rows[-1]["seq"]
