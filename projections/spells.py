"""Spells: for every seat that is asked now, since when.

The view `view.turn` has one row for each. A spell lasts from when a seat is asked until it is asked no
longer; whoever is asked again in it goes on with the same one, so `(match, seat, seq)` names a turn, and is
the key by which a player is told of it once. Whose time-out is claimed and who is asked on begins another: he
decided nothing, and is told anew; so does whoever takes over a seat that is asked. What takes a decision
back, a pause and the end of a match end the spells of those who are asked no longer then.

Deliberately absent: the time left. It follows from more of a match than is read here, so `deadline` is null;
whoever has the match folded knows it (`server.notices.running_low`) and notes it (`server.lobby.clocks_due`).
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Final
from uuid import UUID

from msgspec import Struct

from projections.projection import ProjectedFact, Projection, Tables
from projections.turns import TurnMarks, asked_from, read_marks, seat_mark
from server.postgres.database import PooledConnection

_COLUMNS: Final = """
  match_id uuid        NOT NULL,
  seat     smallint    NOT NULL,
  seq      integer     NOT NULL,      -- of the fact since which the seat is asked
  since    timestamptz NOT NULL,      -- when that was stored
  deadline timestamptz,
  PRIMARY KEY (match_id, seat)
"""
_READ: Final = "SELECT match_id, seat, seq, since FROM {table} WHERE match_id = ANY($1)"
_END: Final = """
DELETE FROM {table} t USING unnest($1::uuid[], $2::smallint[]) AS gone(match_id, seat)
 WHERE t.match_id = gone.match_id AND t.seat = gone.seat
"""
_BEGIN: Final = """
INSERT INTO {table} (match_id, seat, seq, since)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::int[], $4::timestamptz[])
    ON CONFLICT (match_id, seat) DO UPDATE SET seq = excluded.seq, since = excluded.since
"""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class Spell(Struct, frozen=True):
    """A turn of a seat: the seq of its first fact, and when that was stored."""

    seq: int
    since: datetime


Spells = dict[tuple[UUID, int], Spell]
"""By match and seat."""


class ChangedSpells(Struct):
    """The spells of the matches of a page, as stored and as they become, and the marks of those undone."""

    stored: Spells
    spells: Spells
    asked: dict[UUID, tuple[int, ...]]
    marks: dict[UUID, TurnMarks]

    def ask(self, fact: ProjectedFact, now: tuple[int, ...]) -> None:
        """Set the seats of a match that are asked; one that was asked already goes on with its spell."""
        before = self.asked.get(fact.match, ())
        for seat in before:
            if seat not in now:
                del self.spells[fact.match, seat]
        for seat in now:
            if seat not in before:
                self.begin(fact, seat)
        self.asked[fact.match] = now

    def of_seat(self, fact: ProjectedFact) -> None:
        """Begin another spell of the seat that a fact names, if it is asked on."""
        seat = seat_mark(fact.body).seat
        if seat in self.asked.get(fact.match, ()):
            self.begin(fact, seat)

    def begin(self, fact: ProjectedFact, seat: int) -> None:
        """Begin a spell of a seat that is asked."""
        self.spells[fact.match, seat] = Spell(fact.seq, _EPOCH + fact.at * _MICROSECOND)


class Turns(Projection[ChangedSpells]):
    """The projection of whose turn it is: one row for each seat that is asked."""

    name: ClassVar[str] = "turns"
    views: ClassVar[dict[str, str]] = {"turn": _COLUMNS}
    indexes: ClassVar[dict[str, dict[str, str]]] = {"turn": {"since": "(since)"}}

    async def load(
        self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables
    ) -> ChangedSpells:
        """Read the spells of the page's matches."""
        matches = list({fact.match for fact in page})
        rows = await conn.fetch(_READ.format(table=tables["view.turn"]), matches)
        stored = {(row["match_id"], row["seat"]): Spell(row["seq"], row["since"]) for row in rows}
        asked: dict[UUID, tuple[int, ...]] = {}
        for match, seat in stored:
            asked[match] = (*asked.get(match, ()), seat)
        return ChangedSpells(stored, dict(stored), asked, await read_marks(conn, page))

    def fold(self, folding: ChangedSpells, fact: ProjectedFact) -> None:
        """Fold one fact."""
        asked = asked_from(fact, folding.marks.get(fact.match))
        if asked is not None:
            folding.ask(fact, asked)
        elif fact.type in {"TimeOutClaimed", "SeatReplaced"}:
            folding.of_seat(fact)

    async def store(self, conn: PooledConnection, folding: ChangedSpells, tables: Tables) -> None:
        """Write the spells that have begun or ended."""
        table = tables["view.turn"]
        gone = list(folding.stored.keys() - folding.spells.keys())
        begun = [
            (*key, one.seq, one.since)
            for key, one in folding.spells.items()
            if folding.stored.get(key) != one
        ]
        if gone:
            await conn.execute(_END.format(table=table), *zip(*gone, strict=True))
        if begun:
            await conn.execute(_BEGIN.format(table=table), *zip(*begun, strict=True))
