"""Punctuality: how many turns of each seat ended in time, and how many too late.

A turn is a spell, as `projections.spells` has it: from when a seat is asked until it is asked no longer. So a
turn of thirty decisions is one, and who is late in it was late once. The view `view.punctuality` has a row
for each seat, and several where a seat changed hands, each with the turns of who sat there. Laws of this
module:

- Too late is a turn whose time was claimed, as a decision by default, as the win, or to offer the seat to
  others, and one in which another took the seat over. Who is asked on after a claim has another turn. All
  else that ends a turn ends it in time.
- A pause ends no turn: it goes on behind it. Nor does an undo: who is asked no longer had none, and who is
  asked again goes on with the one that lasted at what is gone back to. What that counted, in time or too
  late, is taken back, and it is counted when it ends; who was late in it is. What else has ended since stays
  counted: it took its time. Of a seat the last KEPT turns are known by which this is told.
- What begins and ends in one command was no turn: it counts nothing, and where it is gone back to nothing is
  taken back for it. Who has resigned has none any more.
- It says nothing of persons, and nothing of clocks: whose seats they were, and which matches count, is asked
  when it is read (`server.http.results`).

Deliberately absent: how long somebody took (`projections.audit`).
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Final
from uuid import UUID

from msgspec import Struct, json
from msgspec.structs import astuple, replace

from projections.projection import ProjectedFact, Projection, Tables
from projections.turns import TurnMarks, asked_from, read_marks, seat_mark, undo_mark
from server.postgres.database import PooledConnection

_COLUMNS: Final = """
  match_id uuid        NOT NULL,
  seat     smallint    NOT NULL,
  place    smallint    NOT NULL,      -- 0: who sat down first, 1: who took over from him …
  until    timestamptz,               -- when the seat changed hands; null for who sits there
  in_time  integer     NOT NULL,
  late     integer     NOT NULL,
  since    bigint,                    -- of the turn that lasts, µs since the epoch
  claimed  boolean     NOT NULL,      -- whether that is too late already
  resigned boolean     NOT NULL,
  ended    bytea       NOT NULL,      -- JSON, see `Punctual`; no default, so that a version that does not
                                      -- know it is refused what it writes
  PRIMARY KEY (match_id, seat, place)
"""
_READ: Final = """
SELECT match_id, seat, place, until, in_time, late, since, claimed, resigned, ended
  FROM {table} WHERE match_id = ANY($1) AND until IS NULL
"""
_WRITE: Final = """
INSERT INTO {table} (match_id, seat, place, until, in_time, late, since, claimed, resigned, ended)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::timestamptz[], $5::int[], $6::int[],
                     $7::bigint[], $8::bool[], $9::bool[], $10::bytea[])
    ON CONFLICT (match_id, seat, place) DO UPDATE
   SET until = excluded.until, in_time = excluded.in_time, late = excluded.late, since = excluded.since,
       claimed = excluded.claimed, resigned = excluded.resigned, ended = excluded.ended
"""
KEPT: Final = 200
"""Turns of a seat that an undo may go on with: the last that have ended."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_OF_A_SEAT: Final = ("TimeOutClaimed", "SeatOffered", "WinClaimed", "SeatReplaced", "Resigned")


IN_TIME, LATE, NEITHER = range(3)
"""How a turn ended; neither is what begins and ends in one command."""

_ended = json.Decoder(tuple[int, ...]).decode


def _seq(ended: int) -> int:
    return ended // 3


class Punctual(Struct):
    """The turns of who sits on a seat, or sat there `until` it changed hands; `since`: of the one now."""

    place: int = 0
    until: datetime | None = None
    in_time: int = 0
    late: int = 0
    since: int | None = None
    claimed: bool = False
    resigned: bool = False
    ended: tuple[int, ...] = ()
    """The last turns that ended and stand: three times the seq of the fact with which each did, plus how."""

    def end(self, fact: ProjectedFact, *, late: bool = False) -> None:
        """Count the turn that ends with a fact, if there is one."""
        if self.since is None:
            return
        how = LATE if late or self.claimed else IN_TIME if fact.at > self.since else NEITHER
        self._count(how, 1)
        self.ended = (*self.ended, 3 * fact.seq + how)[-KEPT:]
        self.since, self.claimed = None, False

    def go_back(self, back_to: int, *, goes_on: bool) -> None:
        """Let go of the turns that ended behind a fact; take back what the first counted, if it goes on."""
        place = bisect_right(self.ended, back_to, key=_seq)
        if goes_on and place < len(self.ended):
            how = self.ended[place] % 3
            self.claimed = how == LATE
            self._count(how, -1)
        self.ended = self.ended[:place]

    def _count(self, how: int, by: int) -> None:
        self.in_time += by * (how == IN_TIME)
        self.late += by * (how == LATE)


Key = tuple[UUID, int]
"""Match and seat."""


class ChangedSeats(Struct):
    """The seats of the matches of a page, as stored and as they become, and the marks of those undone."""

    stored: dict[Key, Punctual]
    seats: dict[Key, Punctual]
    asked: dict[UUID, tuple[int, ...]]
    marks: dict[UUID, TurnMarks]
    gone: list[tuple[Key, Punctual]] = []
    """Those who were replaced in the page."""

    def seat(self, match: UUID, seat: int) -> Punctual:
        """Return the turns of who sits on a seat."""
        return self.seats.setdefault((match, seat), Punctual())

    def ask(self, fact: ProjectedFact, seats: Iterable[int]) -> None:
        """Set the seats of a match that are asked."""
        before, now = self.asked.get(fact.match, ()), tuple(seats)
        undone = fact.type == "Undone"
        if undone:
            back_to = undo_mark(fact.body).back_to
            for (match, seat), one in self.seats.items():
                if match == fact.match:
                    again = seat in now and seat not in before and not one.resigned
                    one.go_back(back_to, goes_on=again)
        for seat in set(before) - set(now):
            one = self.seat(fact.match, seat)
            if undone or fact.type == "ClocksStopped":
                one.since = None
                one.claimed = one.claimed and not undone
            else:
                one.end(fact)
        for seat in set(now) - set(before):
            one = self.seat(fact.match, seat)
            if not one.resigned:
                one.since = fact.at
        self.asked[fact.match] = now

    def of_seat(self, fact: ProjectedFact) -> None:
        """Fold a fact that says something of one seat, of a type in _OF_A_SEAT."""
        seat = seat_mark(fact.body).seat
        one = self.seat(fact.match, seat)
        if fact.type == "SeatOffered":
            one.claimed = one.since is not None
            return
        one.end(fact, late=fact.type != "Resigned")
        if fact.type == "SeatReplaced":
            one.until = _EPOCH + fact.at * _MICROSECOND
            self.gone.append(((fact.match, seat), one))
            one = self.seats[fact.match, seat] = Punctual(one.place + 1)
        one.resigned = one.resigned or fact.type == "Resigned"
        if seat in self.asked.get(fact.match, ()) and not one.resigned:
            one.since = fact.at


class Punctuality(Projection[ChangedSeats]):
    """The projection of turns in time and too late."""

    name: ClassVar[str] = "punctuality"
    views: ClassVar[dict[str, str]] = {"punctuality": _COLUMNS}

    async def load(
        self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables
    ) -> ChangedSeats:
        """Read the seats of the page's matches."""
        matches = list({fact.match for fact in page})
        rows = await conn.fetch(_READ.format(table=tables["view.punctuality"]), matches)
        stored = {(match, seat): Punctual(*[*rest, _ended(ended)]) for match, seat, *rest, ended in rows}
        asked: dict[UUID, tuple[int, ...]] = {}
        for (match, seat), one in stored.items():
            if one.since is not None:
                asked[match] = (*asked.get(match, ()), seat)
        seats = {key: replace(one) for key, one in stored.items()}
        return ChangedSeats(stored, seats, asked, await read_marks(conn, page))

    def fold(self, folding: ChangedSeats, fact: ProjectedFact) -> None:
        """Fold one fact."""
        asked = asked_from(fact, folding.marks.get(fact.match))
        if asked is not None:
            folding.ask(fact, asked)
        elif fact.type in _OF_A_SEAT:
            folding.of_seat(fact)

    async def store(self, conn: PooledConnection, folding: ChangedSeats, tables: Tables) -> None:
        """Write the seats that have changed."""
        changed = [(key, one) for key, one in folding.seats.items() if folding.stored.get(key) != one]
        rows = [(*key, *astuple(one)[:-1], json.encode(one.ended)) for key, one in [*folding.gone, *changed]]
        if rows:
            await conn.execute(_WRITE.format(table=tables["view.punctuality"]), *zip(*rows, strict=True))
