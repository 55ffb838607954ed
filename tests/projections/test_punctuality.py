"""Turns in time and too late: worked by hand, counted anew from whole matches, followed and rebuilt."""

import asyncio
from collections import Counter
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from msgspec import json
from msgspec.structs import astuple

from domain.kernel.facts import Fact, Paused, State, evolve
from domain.match.notices import TimeOutClaimed
from domain.match.undo import Undone, standing
from projections.feed import catch_up, turn
from projections.generations import rebuild
from projections.projection import ProjectedFact, Tables, UnprojectableFact
from projections.punctuality import ChangedSeats, Punctual, Punctuality
from projections.spells import Turns
from projections.turns import TurnMarks, undo_mark
from server.log.store import PostgresLog
from server.postgres.database import Database, PooledConnection, connection
from server.postgres.migrations import SCHEMA
from tests.projections.conftest import keep_all
from tests.projections.play import Played, keep, play
from tests.tiny import GAME

Counts = dict[int, tuple[int, int]]
"""Of each seat that was asked, how many turns ended in time, and how many too late."""


def lapsing(seed: int) -> Played:
    return play(
        GAME, "campaign", {"pairs": True}, seed=seed, undos=0.4, paused=0.1, lapses=0.2, corrected=0.1
    )


def asked(played: Played) -> set[int]:
    state: State[Any, Any] = evolve(GAME.state(), [fact for _, fact in standing(played.facts)])
    return set() if state.match.paused else set(state.asked)


def begun(played: Played, seat: int) -> int:
    """The fact with which the turn began that a seat has at the end of a match."""
    stand: list[tuple[int, Fact]] = []
    for seq, fact in played.facts:
        if isinstance(fact, Undone):
            stand = [one for one in stand if one[0] <= fact.back_to]
        stand.append((seq, fact))
    since = 0
    for seq, fact in reversed(stand):
        if isinstance(fact, TimeOutClaimed) and fact.seat == seat:
            return seq
        if isinstance(fact, Paused):
            if seat not in fact.seats:
                break
            since = seq
    return since


def turns(played: Played) -> Counts:
    """The turns of each seat as of the end of a match, from who is asked after each of its commands."""
    in_time, late, before = Counter[int](), Counter[int](), set[int]()
    ended: list[tuple[int, int, int, Counter[int]]] = []
    overdue: set[int] = set()
    for number, command in enumerate(played.commands, 1):
        earlier, now = played.cut(number - 1), asked(played.cut(number))
        types = {entry.type for entry in command}
        claimed = set()
        for entry in command:
            if entry.type == "TimeOutClaimed":
                fact = GAME.fact(entry.body)
                assert isinstance(fact, TimeOutClaimed)
                claimed.add(fact.seat)
                ended.append((begun(earlier, fact.seat), entry.seq, fact.seat, late))
        if "Undone" in types:
            back_to = next(undo_mark(entry.body).back_to for entry in command if entry.type == "Undone")
            overdue -= before - now
            for seat in now - before:
                gone = [counts for since, seq, one, counts in ended if one == seat and since <= back_to < seq]
                for counts in gone:
                    counts[seat] -= 1
                    overdue |= {seat} if counts is late else set()
            ended = [one for one in ended if one[1] <= back_to]
        elif "ClocksStopped" not in types:
            for seat in before - now - claimed:
                counts = late if seat in overdue else in_time
                ended.append((begun(earlier, seat), command[-1].seq, seat, counts))
                counts[seat] += 1
        late.update(claimed)
        overdue -= claimed | (before - now if "ClocksStopped" not in types else set())
        before = now
    return {seat: (in_time[seat], late[seat]) for seat in {*in_time, *late}}


async def read(database: Database, match: UUID) -> Counts:
    async with connection(database.read) as conn:
        rows = await conn.fetch(
            "SELECT seat, in_time, late FROM view.punctuality WHERE match_id = $1 AND until IS NULL", match
        )
    return {row["seat"]: (row["in_time"], row["late"]) for row in rows}


async def lasting(database: Database, view: str) -> set[tuple[Any, ...]]:
    since = {"turn": "since", "punctuality": "to_timestamp(since / 1e6)"}[view]
    async with connection(database.read) as conn:
        rows = await conn.fetch(f"SELECT match_id, seat, {since} AS since FROM view.{view}")
    return {(row["match_id"], row["seat"], row["since"]) for row in rows if row["since"]}


async def test_every_turn_of_a_match_is_counted_once_in_time_or_too_late(
    database: Database, log: PostgresLog
) -> None:
    matches = [lapsing(seed) for seed in range(1, 6)]
    await keep_all(log, matches)
    await catch_up(database.projector, Punctuality())

    found = [await read(database, played.match) for played in matches]

    assert [turns(played) for played in matches] == found
    assert all(sum(late for _, late in one.values()) for one in found)


async def test_command_by_command_it_is_the_same_as_in_one_page(database: Database, log: PostgresLog) -> None:
    """Given matches that were broken off: the turns that last are those of which players are told."""
    matches = [lapsing(seed).cut(20 + seed) for seed in range(1, 5)]
    after = dict.fromkeys(range(len(matches)), 0)
    for number in range(1, 25):
        for at, played in enumerate(matches):
            cut = played.cut(number)
            if len(cut.entries) > after[at]:
                await keep(log, cut, after[at])
                after[at] = len(cut.entries)
        for one in (Punctuality(), Turns()):
            await catch_up(database.projector, one)
    piecewise = [await read(database, played.match) for played in matches]
    last = await lasting(database, "punctuality")

    await rebuild(database.projector, Punctuality())

    assert piecewise == [await read(database, played.match) for played in matches]
    assert last == await lasting(database, "punctuality")
    assert {one[:2] for one in last} == {one[:2] for one in await lasting(database, "turn")}


async def test_rebuilt_while_matches_go_on_it_is_the_same_as_followed(
    database: Database, log: PostgresLog
) -> None:
    matches = [lapsing(seed) for seed in range(1, 9)]
    await keep_all(log, matches[::2])
    await catch_up(database.projector, Punctuality())

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        rebuilding = group.create_task(rebuild(database.projector, Punctuality()))
        for played in matches[1::2]:
            await keep(log, played)
            await turn(database.projector, Punctuality())
        await rebuilding
    await catch_up(database.projector, Punctuality())

    assert [turns(played) for played in matches] == [await read(database, one.match) for one in matches]


ANEW = (SCHEMA / "0029_turns_ended.sql").read_text(encoding="utf-8")
BEFORE = """
DROP VIEW view.punctuality;
ALTER TABLE view.punctuality_1 DROP COLUMN ended;
CREATE VIEW view.punctuality AS SELECT * FROM view.punctuality_1;
GRANT SELECT ON view.punctuality TO game_node;
UPDATE view.punctuality_1 SET in_time = in_time + 1;
"""


async def test_what_was_counted_by_the_version_before_is_counted_anew(
    dsn: str, database: Database, log: PostgresLog
) -> None:
    played = lapsing(3)
    await keep(log, played)
    await catch_up(database.projector, Punctuality())
    owner = await asyncpg.connect(dsn)
    await owner.execute(BEFORE)
    assert turns(played) != await read(database, played.match)

    await owner.execute(ANEW)
    await owner.close()

    assert {} == await read(database, played.match)
    await catch_up(database.projector, Punctuality())
    assert turns(played) == await read(database, played.match)


OLD = """
INSERT INTO {table} (match_id, seat, place, until, in_time, late, since, claimed, resigned)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::timestamptz[], $5::int[], $6::int[],
                     $7::bigint[], $8::bool[], $9::bool[])
    ON CONFLICT (match_id, seat, place) DO UPDATE
   SET until = excluded.until, in_time = excluded.in_time, late = excluded.late, since = excluded.since,
       claimed = excluded.claimed, resigned = excluded.resigned
"""


class Before(Punctuality):
    """What a node of the version before writes, which knows nothing of how turns ended."""

    async def store(self, conn: PooledConnection, folding: ChangedSeats, tables: Tables) -> None:
        rows = [(*key, *astuple(one)[:-1]) for key, one in [*folding.gone, *folding.seats.items()]]
        if rows:
            await conn.execute(OLD.format(table=tables["view.punctuality"]), *zip(*rows, strict=True))


@pytest.mark.parametrize("follows", [False, True])
async def test_a_node_of_the_version_before_writes_nothing_and_stops_no_other(
    dsn: str, database: Database, log: PostgresLog, follows: bool
) -> None:
    """Given one that is the first to count behind the upgrade, and one that follows a newer node."""
    played = lapsing(3)
    half = played.cut(len(played.commands) // 2)
    await keep(log, half)
    await catch_up(database.projector, Punctuality())
    owner = await asyncpg.connect(dsn)
    await owner.execute(BEFORE)
    await owner.execute(ANEW)
    await owner.close()
    if follows:
        await catch_up(database.projector, Punctuality())
    before = await read(database, played.match)
    await keep(log, played, half.entries[-1].seq)

    with pytest.raises(UnprojectableFact, match="NotNullViolationError"):
        await catch_up(database.projector, Before())

    assert before == await read(database, played.match) == (turns(half) if follows else {})
    await catch_up(database.projector, Punctuality())
    assert turns(played) == await read(database, played.match)


MATCH = UUID(int=1)


class Told:
    """A match of two seats told fact by fact, each a second after the other unless said."""

    def __init__(self) -> None:
        self.folding, self.seq, self.at = ChangedSeats({}, {}, {}, {MATCH: TurnMarks()}), 0, 0

    def say(self, type: str, *, later: bool = True, **body: Any) -> "Told":
        self.seq, self.at = self.seq + 1, self.at + later * 1_000_000
        fact = ProjectedFact(MATCH, self.seq, self.at, type, 1, json.encode(body))
        Punctuality().fold(self.folding, fact)
        return self

    def ask(self, *seats: int, later: bool = True) -> "Told":
        return self.say("Paused", later=later, seats=seats)

    def turns(self, seat: int = 0) -> tuple[int, int]:
        one = self.folding.seats.get((MATCH, seat), Punctual())
        return one.in_time, one.late


def test_who_is_asked_again_and_again_in_a_turn_has_had_one() -> None:
    told = Told().ask(0).ask(0, 1).ask(0).ask(1)

    assert [(1, 0), (1, 0)] == [told.turns(0), told.turns(1)]


def test_a_turn_that_ends_with_the_match_was_in_time() -> None:
    assert (1, 0) == Told().ask(0).say("GameEnded", winner=0, reason="", rule="").turns()


def test_a_time_out_that_is_claimed_is_one_turn_too_late_whatever_is_asked_then() -> None:
    away = Told().ask(0).say("TimeOutClaimed", seat=0, by=1).ask(1, later=False)
    asked_on = Told().ask(0).say("TimeOutClaimed", seat=0, by=1).ask(0, later=False)

    assert [(0, 1), (0, 1)] == [away.turns(), asked_on.turns()]
    assert (1, 1) == asked_on.ask(1).turns()


def test_a_claimed_win_is_a_turn_too_late() -> None:
    told = Told().ask(0).say("WinClaimed", seat=0, by=1)

    assert (0, 1) == told.say("GameEnded", later=False, winner=1, reason="time", rule="").turns()


@pytest.mark.parametrize("claimed", [False, True])
def test_who_comes_back_to_a_seat_that_is_on_offer_was_late_once(claimed: bool) -> None:
    told = Told().ask(0).say("SeatOffered", seat=0, by=1)
    if claimed:
        told.say("TimeOutClaimed", seat=0, by=1).ask(1, later=False)
    else:
        told.ask(1)

    assert (0, 1) == told.turns()
    assert (1, 1) == told.ask(0).ask(1).turns()


def test_who_is_replaced_was_late_and_who_takes_over_begins_with_a_turn_of_his_own() -> None:
    told = Told().ask(0).ask(1).ask(0).say("SeatOffered", seat=0, by=1)
    told.say("SeatReplaced", seat=0, kind="person")
    ((_, before),) = told.folding.gone

    assert (0, 1, 1) == (before.place, before.in_time, before.late)
    assert before.until is not None
    assert (0, 0) == told.turns()
    assert (1, 0) == told.ask(1).turns()


def test_a_pause_ends_no_turn() -> None:
    told = Told().ask(0).say("ClocksStopped")

    assert (0, 0) == told.turns()
    assert (1, 0) == told.say("ClocksStarted", seat=1, running=[0]).ask(1).turns()


def test_what_is_gone_on_with_after_an_undo_takes_back_what_it_counted_and_nothing_else() -> None:
    """Given a turn in time, and one too late that is taken back with the next, which was in time."""
    told = Told().ask(0).ask(1).ask(0).say("SeatOffered", seat=0, by=1)
    before = told.seq
    told.ask(1).ask(0).ask(1)
    assert (2, 1) == told.turns()

    told.say("Undone", seat=0, back_to=before, consent=True)

    assert (2, 0) == told.turns()
    assert (2, 1) == told.ask(1).turns()
    told.say("Undone", seat=0, back_to=1, consent=True)
    assert (1, 1) == told.turns()


def test_behind_a_claim_that_is_gone_back_to_who_was_late_has_another_turn() -> None:
    told = Told().ask(0).ask(1).ask(0).say("TimeOutClaimed", seat=0, by=1)
    claimed = told.seq
    told.ask(1, later=False)
    assert (1, 1) == told.turns()

    told.say("Undone", seat=0, back_to=claimed, consent=True)

    assert (1, 1) == told.turns()
    assert (2, 1) == told.ask(1).turns()


def test_behind_a_claim_that_is_gone_back_to_later_turns_stay_counted() -> None:
    told = Told().ask(0).say("TimeOutClaimed", seat=0, by=1).ask(1, later=False).ask(0).ask(1)
    assert (1, 1) == told.turns()

    told.say("Undone", seat=0, back_to=2, consent=True)

    assert (1, 1) == told.turns()
    assert (2, 1) == told.ask(1).turns()


def test_behind_a_claim_that_is_gone_back_to_the_turn_that_followed_it_goes_on() -> None:
    told = Told().ask(0).say("TimeOutClaimed", seat=0, by=1).ask(0, later=False).ask(1)
    assert (1, 1) == told.turns()

    told.say("Undone", seat=0, back_to=2, consent=True)

    assert (0, 1) == told.turns()
    assert (1, 1) == told.ask(1).turns()


def test_who_had_answered_beforehand_and_is_asked_after_all_keeps_his_later_turns() -> None:
    told = Told().ask(1).ask(0).ask(1, later=False).ask(0).ask(1)
    assert (1, 0) == told.turns()

    told.say("Undone", seat=0, back_to=2, consent=True)

    assert (1, 0) == told.turns()
    assert (2, 0) == told.ask(1).turns()


def test_nothing_is_taken_back_from_who_took_a_seat_over_for_a_turn_of_the_one_before_him() -> None:
    told = Told().ask(0).say("SeatOffered", seat=0, by=1).say("SeatReplaced", seat=0, kind="person")
    told.ask(1).ask(0).ask(1)
    assert (2, 0) == told.turns()

    assert (1, 0) == told.say("Undone", seat=1, back_to=1, consent=True).turns()


def test_who_has_resigned_has_no_turns_any_more() -> None:
    told = Told().ask(0, 1).say("Resigned", seat=0)

    assert (1, 0) == told.ask(0).ask(1).ask(0).ask(1).turns()
