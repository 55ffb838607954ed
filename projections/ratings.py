"""Ratings: Glicko-2 of everybody who plays rated matches, for each title, and what each match did to them.

`view.rated` has two rows for each rated match, one a side, with the rating of who played it before and after.
`view.rating` has the latest for each subject and title. A subject is a person, by the text of its id, or a
bot of the house, as `house:STRENGTH`. Laws of this module:

- A match is rated if it was offered so, has a clock, is decided by play, resignation or claim, and each side
  was played by one subject, the two in different hands: a bot is in its owner's.
- Where a seat is given to another, the match is rated as of then, as lost by time: that might have been
  claimed, and who stays away must not be better off by an opponent who would rather play on. What comes later
  moves no rating.
- Who played is who sat down by the command that is on the log, as noted with it (`lobby.joining`): that never
  changes, whoever is tied to the seat later or erased. So a rebuild comes to the same.
- Matches count in the order of their ends, of those that end at one moment by id, in whatever order they come
  from the log: another node's may be stored later. From the first that came late all of the title are worked
  out again, each with what went before it, and that is the same figures to the last bit as if it had been in
  time.
- The balance of a scenario counts as of the matches before, in that order.
- Each match is a time of its own. Ratings are less sure by the days since the last one, PERIOD days for one
  period of Glicko-2, and no period passes within a match.

Deliberately absent: names of people; the arithmetic (`projections.glicko2`, `projections.balance`); what is
told of it (`projections.results`).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, ClassVar, Final
from uuid import UUID

import asyncpg
from msgspec import Struct, field, json

from domain.match import notices, replacing
from domain.match.claims import OUT_OF_TIME
from projections.balance import advantage
from projections.glicko2 import Rating, Result, aged, expected, rated
from projections.projection import ProjectedFact, Projection, Tables
from server.postgres.database import PooledConnection

PERIOD: Final = 5
"""Days of one period: a settled rating, of deviation 60, is provisional again after about a year."""

PROVISIONAL: Final = 110.0
"""The deviation from which on a rating is provisional."""

HOUSE: Final = "house:"
"""What the subjects of the house's bots begin with; their strength follows."""

DECIDED: Final = ("resignation", OUT_OF_TIME)
"""The reasons of an end by no rule of the title that is rated all the same: not a draw by agreement."""

_RATED: Final = """
  match_id          uuid             NOT NULL,
  side              smallint         NOT NULL,
  title             text             NOT NULL,
  scenario          text             NOT NULL,
  ended_at          timestamptz      NOT NULL,
  subject           text             NOT NULL,
  score             double precision NOT NULL,      -- 1, 0.5 or 0
  chance            double precision NOT NULL,      -- the score that was expected
  before            double precision NOT NULL,      -- rating, deviation and volatility when the match ended
  before_deviation  double precision NOT NULL,
  before_volatility double precision NOT NULL,
  rating            double precision NOT NULL,      -- and after it
  deviation         double precision NOT NULL,
  volatility        double precision NOT NULL,
  matches           integer          NOT NULL,      -- rated ones of the subject in the title, with this one
  played            integer          NOT NULL,      -- rated ones of the scenario, with this one
  points            double precision NOT NULL,      -- the side's score in all of these
  PRIMARY KEY (match_id, side)
"""
_RATING: Final = """
  subject    text             NOT NULL,
  title      text             NOT NULL,
  rating     double precision NOT NULL,
  deviation  double precision NOT NULL,      -- as of the last match
  volatility double precision NOT NULL,
  matches    integer          NOT NULL,
  last_at    timestamptz      NOT NULL,
  last_match uuid             NOT NULL,
  PRIMARY KEY (subject, title)
"""
_OFFERED: Final = """
SELECT m.match_id, f.body FROM lobby.match m JOIN log.fact f ON f.match_id = m.match_id AND f.seq = 1
 WHERE m.rated AND m.match_id = ANY($1)
"""
_JOINED: Final = """
SELECT j.match_id, j.seat, f.body, p.id::text AS subject, coalesce(p.owner, p.id)::text AS hand
  FROM lobby.joining j
  JOIN log.fact f ON f.match_id = j.match_id AND f.command_id = j.command_id AND f.cmd_ix = 0
  JOIN people.person p ON p.id = j.person_id
 WHERE j.match_id = ANY($1) AND f.type = 'SeatTaken'
"""
_HOUSE: Final = """
SELECT match_id, seat, $2 || strength AS subject FROM lobby.seat WHERE strength <> '' AND match_id = ANY($1)
"""
_REPLACED: Final = """
SELECT match_id, min(seq) AS seq FROM log.fact
 WHERE match_id = ANY($1) AND type = 'SeatReplaced' GROUP BY match_id
"""
_LATER: Final = """
SELECT * FROM {table} WHERE title = $1 AND (ended_at, match_id) >= ($2, $3) ORDER BY ended_at, match_id, side
"""
_BEFORE: Final = """
SELECT r.* FROM unnest($4::text[]) AS wanted(subject) CROSS JOIN LATERAL (
  SELECT * FROM {table} WHERE subject = wanted.subject AND title = $1 AND (ended_at, match_id) < ($2, $3)
   ORDER BY ended_at DESC, match_id DESC LIMIT 1) r
"""
_BALANCED: Final = """
SELECT r.* FROM unnest($4::text[]) AS wanted(scenario) CROSS JOIN LATERAL (
  SELECT * FROM {table}
   WHERE title = $1 AND scenario = wanted.scenario AND side = 0 AND (ended_at, match_id) < ($2, $3)
   ORDER BY ended_at DESC, match_id DESC LIMIT 1) r
"""
_WRITE_RATED: Final = """
INSERT INTO {table} (match_id, side, title, scenario, ended_at, subject, score, chance, before,
                     before_deviation, before_volatility, rating, deviation, volatility, matches, played,
                     points)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::timestamptz[], $6::text[],
                     $7::float8[], $8::float8[], $9::float8[], $10::float8[], $11::float8[], $12::float8[],
                     $13::float8[], $14::float8[], $15::int[], $16::int[], $17::float8[])
    ON CONFLICT (match_id, side) DO UPDATE SET
       chance = excluded.chance, before = excluded.before, before_deviation = excluded.before_deviation,
       before_volatility = excluded.before_volatility, rating = excluded.rating,
       deviation = excluded.deviation, volatility = excluded.volatility, matches = excluded.matches,
       played = excluded.played, points = excluded.points
"""
_WRITE_RATING: Final = """
INSERT INTO {table} (subject, title, rating, deviation, volatility, matches, last_at, last_match)
SELECT * FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::float8[], $6::int[],
                     $7::timestamptz[], $8::uuid[])
    ON CONFLICT (subject, title) DO UPDATE SET
       rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility,
       matches = excluded.matches, last_at = excluded.last_at, last_match = excluded.last_match
"""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY: Final = 86_400_000_000

_of_created = json.Decoder(notices.Created).decode
_of_taken = json.Decoder(notices.SeatTaken).decode
_of_replaced = json.Decoder(replacing.SeatReplaced).decode
_of_over = json.Decoder(notices.GameEnded).decode


class Outcome(Struct, frozen=True):
    """A match that is rated: when it ended, in microseconds since the epoch, and the score of side 0."""

    at: int
    match: UUID
    title: str
    scenario: str
    subjects: tuple[str, str]
    score: float

    @property
    def place(self) -> tuple[int, UUID]:
        """Its place in the order in which matches count."""
        return self.at, self.match


class Sitting(Struct, frozen=True):
    """Who sat down on a seat, and in whose hand he is; of a person with the fact of it, not decoded."""

    seat: int
    subject: str
    hand: str
    taken: bytes | None = None


class Candidate(Struct):
    """A match that was offered as a rated one: its first fact, not decoded, and who sat down."""

    created: bytes
    sittings: list[Sitting] = field(default_factory=list)
    replaced: int | None = None
    """The first fact by which a seat was given to another."""

    def given(self, match: UUID, at: int, body: bytes) -> Outcome | None:
        """Return what it comes to that a seat was given to another; None if it is not rated."""
        lost = _of_created(self.created).seats[_of_replaced(body).seat].side
        return self._outcome(match, at, notices.GameEnded(1 - lost, OUT_OF_TIME, notices.BY_MATCH))

    def outcome(self, match: UUID, at: int, body: bytes) -> Outcome | None:
        """Return what its end came to; None if it is not rated."""
        return self._outcome(match, at, _of_over(body))

    def _outcome(self, match: UUID, at: int, end: notices.GameEnded) -> Outcome | None:
        created = _of_created(self.created)
        subjects = self._subjects(created)
        if created.clock is None or subjects is None:
            return None
        if end.rule == notices.BY_MATCH and end.reason not in DECIDED:
            return None
        score = 0.5 if end.winner is None else 1.0 - end.winner
        return Outcome(at, match, created.title, created.scenario, subjects, score)

    def _subjects(self, created: notices.Created) -> tuple[str, str] | None:
        """Return who played each side, if one did; None also where one hand has moved both."""
        sat = {one.seat: one for one in self.sittings if one.taken is None or self._took(one)}
        by_side: tuple[set[str], set[str]] = (set(), set())
        hands: tuple[set[str], set[str]] = (set(), set())
        for number, seat in enumerate(created.seats):
            if number not in sat:
                return None
            by_side[seat.side].add(sat[number].subject)
            hands[seat.side].add(sat[number].hand)
        if not all(len(one) == 1 for one in by_side) or hands[0] & hands[1]:
            return None
        return by_side[0].pop(), by_side[1].pop()

    @staticmethod
    def _took(one: Sitting) -> bool:
        assert one.taken is not None
        return _of_taken(one.taken).seat == one.seat


class Standing(Struct, frozen=True):
    """How a subject stands in a title after its last match, which ended `at` microseconds since the epoch."""

    rating: Rating = Rating()
    matches: int = 0
    at: int | None = None

    def now(self, at: int) -> Rating:
        """Return the rating at a later time, by the days in between, from midnight to midnight of UTC."""
        days = 0 if self.at is None else at // _DAY - self.at // _DAY
        return aged(self.rating, days / PERIOD)


class Balance(Struct, frozen=True):
    """How many matches of a scenario were rated, and the score of side 0 in them."""

    played: int = 0
    points: float = 0.0


class Folding(Struct):
    """The matches of a page that were offered as rated ones, and what became of those that have ended."""

    candidates: dict[UUID, Candidate]
    outcomes: list[Outcome] = field(default_factory=list)


class Ratings(Projection[Folding]):
    """The projection of ratings."""

    name: ClassVar[str] = "ratings"
    views: ClassVar[Mapping[str, str]] = {"rated": _RATED, "rating": _RATING}
    indexes: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "rated": {
            "order": "(title, ended_at, match_id)",
            "subject": "(subject, title, ended_at, match_id)",
            "scenario": "(title, scenario, side, ended_at, match_id)",
        },
        "rating": {"ladder": "(title, rating)"},
    }
    for_nodes_only: ClassVar[bool] = True

    async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> Folding:  # noqa: ARG002
        """Read how the matches that end in the page were offered, and who sat down."""
        over = list({fact.match for fact in page if fact.type in ("GameEnded", "SeatReplaced")})
        offered = await conn.fetch(_OFFERED, over) if over else []
        candidates = {row["match_id"]: Candidate(row["body"]) for row in offered}
        if candidates:
            for row in await conn.fetch(_JOINED, list(candidates)):
                sitting = Sitting(row["seat"], row["subject"], row["hand"], row["body"])
                candidates[row["match_id"]].sittings.append(sitting)
            for row in await conn.fetch(_HOUSE, list(candidates), HOUSE):
                sitting = Sitting(row["seat"], row["subject"], row["subject"])
                candidates[row["match_id"]].sittings.append(sitting)
            for row in await conn.fetch(_REPLACED, list(candidates)):
                candidates[row["match_id"]].replaced = row["seq"]
        return Folding(candidates)

    def fold(self, folding: Folding, fact: ProjectedFact) -> None:
        """Fold one fact."""
        candidate = folding.candidates.get(fact.match)
        if candidate is None:
            return
        outcome = None
        if fact.type == "SeatReplaced" and fact.seq == candidate.replaced:
            outcome = candidate.given(fact.match, fact.at, fact.body)
        elif fact.type == "GameEnded" and (candidate.replaced is None or fact.seq < candidate.replaced):
            outcome = candidate.outcome(fact.match, fact.at, fact.body)
        if outcome is not None:
            folding.outcomes.append(outcome)

    async def store(self, conn: PooledConnection, folding: Folding, tables: Tables) -> None:
        """Work out each title from the first match on that has come, and write what has changed."""
        by_title = attrgetter("title")
        for title, outcomes in groupby(sorted(folding.outcomes, key=by_title), key=by_title):
            await _work_out(conn, title, list(outcomes), tables)


async def _work_out(conn: PooledConnection, title: str, come: Sequence[Outcome], tables: Tables) -> None:
    table = tables["view.rated"]
    first = min(one.place for one in come)
    since = title, _EPOCH + first[0] * _MICROSECOND, first[1]
    later = await conn.fetch(_LATER.format(table=table), *since)
    there = {(row["match_id"], row["side"]): tuple(row.values()) for row in later}
    outcomes = sorted([*come, *_outcomes(later)], key=attrgetter("place"))
    subjects = {subject for one in outcomes for subject in one.subjects}
    before = await conn.fetch(_BEFORE.format(table=table), *since, sorted(subjects))
    scenarios = sorted({one.scenario for one in outcomes})
    balanced = await conn.fetch(_BALANCED.format(table=table), *since, scenarios)
    table_of = _Table(
        {row["subject"]: _standing(row) for row in before},
        {row["scenario"]: Balance(row["played"], row["points"]) for row in balanced},
    )
    rows = [row for one in outcomes for row in table_of.play(one)]
    changed = [row for row in rows if there.get(row[:2]) != row]
    if changed:
        await conn.execute(_WRITE_RATED.format(table=table), *zip(*changed, strict=True))
    last = {row[5]: row for row in rows}
    latest = [(subject, title, *row[11:15], row[4], row[0]) for subject, row in sorted(last.items())]
    write = _WRITE_RATING.format(table=tables["view.rating"])
    await conn.execute(write, *zip(*latest, strict=True))


class _Table:
    """How all subjects of a title stand, and its scenarios, as match after match is played."""

    def __init__(self, standings: dict[str, Standing], balances: dict[str, Balance]) -> None:
        self._standings, self._balances = standings, balances

    def play(self, one: Outcome) -> list[tuple[Any, ...]]:
        """Take the next match and return its two rows of `view.rated`."""
        balance = self._balances.get(one.scenario, Balance())
        worth = advantage(balance.points, balance.played)
        after = Balance(balance.played + 1, balance.points + one.score)
        self._balances[one.scenario] = after
        was = [self._standings.get(subject, Standing()) for subject in one.subjects]
        now = [standing.now(one.at) for standing in was]
        rows: list[tuple[Any, ...]] = []
        for side, subject in enumerate(one.subjects):
            score = one.score if side == 0 else 1.0 - one.score
            points = after.points if side == 0 else after.played - after.points
            own = worth if side == 0 else -worth
            mine, other = now[side], now[1 - side]
            reached = rated(mine, [Result(other, score, own)], 0.0)
            self._standings[subject] = Standing(reached, was[side].matches + 1, one.at)
            rows.append(
                (
                    one.match,
                    side,
                    one.title,
                    one.scenario,
                    _EPOCH + one.at * _MICROSECOND,
                    subject,
                    score,
                    expected(mine, other, own),
                    mine.rating,
                    mine.deviation,
                    mine.volatility,
                    reached.rating,
                    reached.deviation,
                    reached.volatility,
                    was[side].matches + 1,
                    after.played,
                    points,
                )
            )
        return rows


def _outcomes(rows: Iterable[asyncpg.Record]) -> list[Outcome]:
    """Return the matches of rows of `view.rated`, in their order: side 0 of each, then side 1."""
    pairs = [tuple(pair) for _, pair in groupby(rows, key=lambda row: row["match_id"])]
    return [
        Outcome(
            (north["ended_at"] - _EPOCH) // _MICROSECOND,
            north["match_id"],
            north["title"],
            north["scenario"],
            (north["subject"], south["subject"]),
            north["score"],
        )
        for north, south in pairs
    ]


def _standing(row: asyncpg.Record) -> Standing:
    rating = Rating(row["rating"], row["deviation"], row["volatility"])
    return Standing(rating, row["matches"], (row["ended_at"] - _EPOCH) // _MICROSECOND)
