"""Audit: counts of dice and decisions, which anyone can verify from the facts.

Two views. `view.dice` has a row for each match, purpose and kind of die: how often each face fell, and the
difference of the sum from its expected value. `view.decisions` has a row for each match with what each seat
decided and the time it used. Rolls are counted at once. Draws and unseen rolls are for the umpire alone and
are counted when the match has ended and its key is revealed.
"""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final
from uuid import UUID

import asyncpg
from msgspec import Struct, field, json

from domain.kernel import facts
from domain.match import notices, pauses
from projections.projection import ProjectedFact, Projection, Tables
from projections.turns import (
    TURN_TYPES,
    DecisionMark,
    Mark,
    PromptMark,
    TurnMarks,
    decision_mark,
    prompt_mark,
    read_marks,
)
from server.postgres.database import PooledConnection

BAND: Final = 1.959963984540054
"""Half the width of a 95 % interval of the normal distribution, in standard deviations."""

_DICE: Final = """
  match_id uuid             NOT NULL,
  title    text             NOT NULL,
  purpose  text             NOT NULL,
  sides    integer          NOT NULL,      -- 0: a draw, each place taken as a share of what was left
  rolled   bigint           NOT NULL,      -- dice, or things drawn
  excess   double precision NOT NULL,      -- the sum of all, less what fair dice give in the mean
  variance double precision NOT NULL,      -- of that sum, if the dice are fair
  faces    bigint[]         NOT NULL,      -- how often 1, 2, 3 … fell; empty for a draw
  PRIMARY KEY (match_id, purpose, sides)
"""
_DECISIONS: Final = """
  match_id uuid    PRIMARY KEY,
  title    text    NOT NULL,
  at       bigint  NOT NULL,               -- of the last fact, µs since the epoch
  facts    integer NOT NULL,
  asked    jsonb   NOT NULL,               -- the seats whose time runs
  seats    jsonb   NOT NULL                -- of each seat, see Seat
"""
_READ_SEATS: Final = "SELECT match_id, title, at, facts, asked, seats FROM {table} WHERE match_id = ANY($1)"
_WRITE_SEATS: Final = """
INSERT INTO {table} (match_id, title, at, facts, asked, seats)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::int[], $5::jsonb[], $6::jsonb[])
    ON CONFLICT (match_id) DO UPDATE SET
       at = excluded.at, facts = excluded.facts, asked = excluded.asked, seats = excluded.seats
"""
_WRITE_DICE: Final = """
INSERT INTO {table} AS was (match_id, title, purpose, sides, rolled, excess, variance, faces)
SELECT match_id, title, purpose, sides, rolled, excess, variance,
       ARRAY(SELECT jsonb_array_elements_text(faces)::bigint)
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::float8[], $7::float8[],
              $8::jsonb[])
    AS t(match_id, title, purpose, sides, rolled, excess, variance, faces)
    ON CONFLICT (match_id, purpose, sides) DO UPDATE SET
       rolled = was.rolled + excluded.rolled, excess = was.excess + excluded.excess,
       variance = was.variance + excluded.variance,
       faces = ARRAY(SELECT a + b FROM unnest(was.faces, excluded.faces) AS pair(a, b))
"""
_SUMMED: Final = """
WITH counted AS MATERIALIZED (
  SELECT row_number() OVER () AS place, purpose, sides, rolled, excess, variance, faces
    FROM view.dice WHERE {which}
), fell AS MATERIALIZED (
  SELECT purpose, sides, face, sum(often)::bigint AS often
    FROM counted, unnest(faces) WITH ORDINALITY AS of_one(often, face) GROUP BY purpose, sides, face
), faces AS MATERIALIZED (
  SELECT purpose, sides, array_agg(often ORDER BY face) AS faces FROM fell GROUP BY purpose, sides
), sums AS MATERIALIZED (
  SELECT purpose, sides, sum(rolled)::bigint AS rolled, sum(excess ORDER BY place) AS excess,
         sum(variance ORDER BY place) AS variance
    FROM counted GROUP BY purpose, sides
)
SELECT purpose, sides, rolled, excess, variance, coalesce(faces, '{{}}') AS faces
  FROM sums LEFT JOIN faces USING (purpose, sides)
"""
"""By place, since the last bits of a sum depend on its order, and Postgres groups in any. Materialized, since
a generic plan expects few rows, and would read them again for each group."""
_HIDDEN: Final = """
SELECT match_id, body FROM log.fact
 WHERE match_id = ANY($1) AND type IN ('Drew', 'RolledUnseen') ORDER BY match_id, seq
"""


class Seat(Struct):
    """How often a seat decided, counted by commands, and the time it used, in microseconds."""

    chosen: int = 0
    forced: int = 0
    default: int = 0
    taken_back: int = 0
    used: int = 0
    longest: int = 0
    """The longest time between two commands while it was asked."""

    def count(self, mark: DecisionMark, by: int = 1) -> None:
        """Count a decision; with `by=-1` uncount it."""
        if mark.own:
            self.chosen += by * (not mark.joined)
        elif mark.how == "forced":
            self.forced += by
        else:
            self.default += by


class Decisions(Struct):
    """The seats of a match. `at` is the time of the last fact, in microseconds since the epoch."""

    match: UUID
    title: str = ""
    at: int = 0
    facts: int = 0
    asked: tuple[int, ...] = ()
    seats: list[Seat] = []

    def pass_time(self, at: int) -> None:
        """Add the time up to `at` to each seat that is asked."""
        for seat in self.asked:
            one = self.seats[seat]
            one.used += at - self.at
            one.longest = max(one.longest, at - self.at)
        self.at = at


class DiceCount(Struct):
    """The dice of one purpose and one number of sides: count, sum less its mean, variance, faces."""

    rolled: int = 0
    excess: float = 0.0
    variance: float = 0.0
    faces: list[int] = []

    def roll(self, faces: Sequence[int], sides: int) -> None:
        """Add the faces of a roll."""
        self.faces = self.faces or [0] * sides
        for face in faces:
            self.faces[face - 1] += 1
        self.rolled += len(faces)
        self.excess += sum(faces) - len(faces) * (sides + 1) / 2
        self.variance += len(faces) * (sides * sides - 1) / 12

    def draw(self, places: Sequence[int], left: int) -> None:
        """Add things drawn one by one from `left`; each counts as the middle of its place, from 0 to 1."""
        for gone, place in enumerate(places):
            size = left - gone
            self.excess += (place + 0.5) / size - 0.5
            self.variance += (1 - 1 / (size * size)) / 12
        self.rolled += len(places)


Key = tuple[UUID, str, int]


class ChangedCounts(Struct):
    """The rows that a page changes; `counts` holds what it adds to the dice."""

    matches: dict[UUID, Decisions]
    marks: dict[UUID, TurnMarks]
    hidden: dict[UUID, list[bytes]]
    """The draws and unseen rolls of the matches that end in the page."""
    counts: dict[Key, DiceCount] = field(default_factory=dict)

    def count_of(self, match: UUID, purpose: str, sides: int) -> DiceCount:
        """Return the count of a match, purpose and number of sides; a new one if there is none."""
        return self.counts.setdefault((match, purpose, sides), DiceCount())


class Audit(Projection[ChangedCounts]):
    """The projection that counts dice and decisions."""

    name: ClassVar[str] = "audit"
    views: ClassVar[Mapping[str, str]] = {"dice": _DICE, "decisions": _DECISIONS}

    async def load(
        self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables
    ) -> ChangedCounts:
        """Read the seats of the page's matches, and the hidden chance of those that end in it."""
        matches = list({fact.match for fact in page})
        query = _READ_SEATS.format(table=tables["view.decisions"])
        there = [_decisions(row) for row in await conn.fetch(query, matches)]
        hidden: dict[UUID, list[bytes]] = {}
        ended = [fact.match for fact in page if fact.type == "Ended"]
        for row in await conn.fetch(_HIDDEN, ended) if ended else []:
            hidden.setdefault(row["match_id"], []).append(row["body"])
        return ChangedCounts({one.match: one for one in there}, await read_marks(conn, page), hidden)

    def fold(self, folding: ChangedCounts, fact: ProjectedFact) -> None:
        """Fold one fact."""
        match = folding.matches.get(fact.match)
        if match is None:
            match = folding.matches[fact.match] = Decisions(fact.match, at=fact.at)
        if fact.seq != match.facts + 1:
            raise ValueError(f"fact {fact.seq} comes after fact {match.facts}")
        match.facts = fact.seq
        match.pass_time(fact.at)
        marks = folding.marks.get(fact.match)
        if marks is not None and fact.type in TURN_TYPES:
            _take_back(match, marks.follow(fact.seq, fact.type, fact.body))
            match.asked = marks.asked()
        self._count(folding, match, fact)

    def _count(self, folding: ChangedCounts, match: Decisions, fact: ProjectedFact) -> None:
        if fact.type == "Decided":
            mark: DecisionMark = decision_mark(fact.body)
            match.seats[mark.seat].count(mark)
        elif fact.type == "Paused":
            asked: PromptMark = prompt_mark(fact.body)
            match.asked = asked.seats
        elif fact.type == "Rolled":
            _count_chance(folding, fact.match, _of_rolled(fact.body))
        elif fact.type == "Created":
            created = _of_created(fact.body)
            match.title, match.seats = created.title, [Seat() for _ in created.seats]
        elif fact.type in ("GameEnded", "ClocksStopped"):
            match.asked = ()
        elif fact.type == "ClocksStarted":
            match.asked = _of_clocks_started(fact.body).running
        elif fact.type == "Ended":
            for one in map(_of_hidden, folding.hidden.get(fact.match, [])):
                _count_chance(folding, fact.match, one)

    async def store(self, conn: PooledConnection, folding: ChangedCounts, tables: Tables) -> None:
        """Write the seats, and add to the dice."""
        seats = [
            (one.match, one.title, one.at, one.facts, _text(one.asked), _text(one.seats))
            for one in folding.matches.values()
        ]
        query = _WRITE_SEATS.format(table=tables["view.decisions"])
        await conn.execute(query, *zip(*seats, strict=True))
        counts = [
            (
                match,
                folding.matches[match].title,
                purpose,
                sides,
                p.rolled,
                p.excess,
                p.variance,
                _text(p.faces),
            )
            for (match, purpose, sides), p in folding.counts.items()
        ]
        if counts:
            query = _WRITE_DICE.format(table=tables["view.dice"])
            await conn.execute(query, *zip(*counts, strict=True))


def _count_chance(folding: ChangedCounts, match: UUID, one: facts.Roll | facts.Drew) -> None:
    if isinstance(one, facts.Drew):
        folding.count_of(match, one.purpose, 0).draw(one.places, one.left)
    else:
        folding.count_of(match, one.purpose, one.sides).roll(one.dice, one.sides)


def _take_back(match: Decisions, marks: Sequence[Mark]) -> None:
    for mark in marks:
        if isinstance(mark, DecisionMark):
            seat = match.seats[mark.seat]
            seat.count(mark, -1)
            seat.taken_back += mark.own and not mark.joined


def _text(value: object) -> str:
    return json.encode(value).decode()


def _decisions(row: asyncpg.Record) -> Decisions:
    return Decisions(
        row["match_id"],
        row["title"],
        row["at"],
        row["facts"],
        _of_asked(row["asked"]),
        _of_seats(row["seats"]),
    )


_of_clocks_started = json.Decoder(pauses.ClocksStarted).decode
_of_created = json.Decoder(notices.Created).decode
_of_rolled = json.Decoder(facts.Rolled).decode
_of_hidden = json.Decoder(facts.Drew | facts.RolledUnseen).decode
_of_asked = json.Decoder(tuple[int, ...]).decode
_of_seats = json.Decoder(list[Seat]).decode


class Fairness(Struct, frozen=True):
    """The dice of one purpose compared with fair dice.

    `mean` is that of the faces; for draws, of the places scaled to 0 to 1. The mean of fair dice is between
    `low` and `high` in 95 of 100 cases, so one of twenty purposes outside is to be expected. `chance` is the
    p-value of a chi-square test: the probability that fair dice fall at least as unevenly.
    """

    purpose: str
    sides: int
    rolled: int
    faces: tuple[int, ...]
    mean: float
    expected: float
    low: float
    high: float
    chi_square: float | None
    chance: float | None


def fairness(purpose: str, sides: int, dice_count: DiceCount) -> Fairness:
    """Return the fairness of a count of dice, which must not be empty."""
    expected = (sides + 1) / 2 if sides else 0.5
    width = BAND * math.sqrt(dice_count.variance) / dice_count.rolled
    mean = expected + dice_count.excess / dice_count.rolled
    square = chance = None
    if sides > 1:
        each = dice_count.rolled / sides
        square = sum((count - each) ** 2 for count in dice_count.faces) / each
        chance = chi_square_tail(square, sides - 1)
    return Fairness(
        purpose,
        sides,
        dice_count.rolled,
        tuple(dice_count.faces),
        mean,
        expected,
        expected - width,
        expected + width,
        square,
        chance,
    )


def chi_square_tail(square: float, freedom: int) -> float:
    """Return the probability that chi-square with so many degrees of freedom is at least `square`.

    By the recurrence of the incomplete gamma function, Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1), which for
    whole degrees of freedom starts at Q(1/2, x) = erfc(√x) or Q(1, x) = e^-x.
    """
    x = square / 2
    odd = freedom % 2
    a = 0.5 if odd else 1.0
    tail = math.erfc(math.sqrt(x)) if odd else math.exp(-x)
    while a < freedom / 2:
        tail += math.exp(a * math.log(x) - x - math.lgamma(a + 1)) if x else 0.0
        a += 1
    return min(tail, 1.0)


async def dice(
    conn: PooledConnection, *, title: str | None = None, match: UUID | None = None
) -> list[Fairness]:
    """Return the fairness of the dice of all matches, of a title, or of one match, by purpose and sides."""
    # Without a condition for what is not asked for: so an index serves.
    given = {name: value for name, value in {"title": title, "match_id": match}.items() if value is not None}
    which = " AND ".join(f"{name} = ${number}" for number, name in enumerate(given, 1)) or "true"
    counts = {
        (row["purpose"], row["sides"]): DiceCount(row["rolled"], row["excess"], row["variance"], row["faces"])
        for row in await conn.fetch(_SUMMED.format(which=which), *given.values())
    }
    return [fairness(purpose, sides, dice_count) for (purpose, sides), dice_count in sorted(counts.items())]


async def decisions(conn: PooledConnection, match: UUID) -> Decisions | None:
    """Return the counts and times of a match's seats; None for a match without facts."""
    row = await conn.fetchrow("SELECT * FROM view.decisions WHERE match_id = $1", match)
    return None if row is None else _decisions(row)
