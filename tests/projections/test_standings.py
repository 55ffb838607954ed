import asyncio
from typing import Any
from uuid import UUID

import pytest
from msgspec import Raw, json

from domain.kernel.facts import Decided, State, evolve
from domain.kernel.seats import Clock
from domain.match.undo import standing
from projections.feed import catch_up
from projections.generations import prepare, rebuild
from projections.projection import ProjectedFact
from projections.standings import Chair, ChangedStandings, Standing, Standings, standings
from server.log.store import PostgresLog
from server.postgres.database import Database, connection
from tests.projections.conftest import keep_all
from tests.projections.play import Played, keep, play
from tests.tiny import GAME


async def read(database: Database, played: Played) -> Standing:
    async with connection(database.read) as conn:
        return (await standings(conn, [played.match]))[0]


async def all_of(database: Database) -> list[Standing]:
    async with connection(database.read) as conn:
        return await standings(conn)


def folded(played: Played) -> State[Any, Any]:
    return evolve(GAME.state(), [fact for _, fact in standing(played.facts)])


def decided(played: Played) -> list[int]:
    stand = [fact for _, fact in standing(played.facts)]
    seats = [fact.seat for fact in stand if isinstance(fact, Decided) and fact.how == "chosen"]
    return [seats.count(seat) for seat in range(len(folded(played).match.seats))]


def used(played: Played) -> list[int]:
    """Time used, by folding the match anew for every command."""
    times = [0] * len(folded(played).match.seats)
    commands = played.commands
    for number in range(1, len(commands)):
        passed = commands[number][0].at - commands[number - 1][0].at
        state = folded(played.cut(number))
        for seat in () if state.match.paused else state.asked:
            times[seat] += passed
    return times


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_after_every_command_it_is_the_fold_of_the_match(
    database: Database, log: PostgresLog, seed: int
) -> None:
    played = play(GAME, "campaign", {"pairs": True}, seed=seed, undos=0.4)
    assert any(entry.type == "Undone" for entry in played.entries)
    await prepare(database.projector, Standings())

    after = 0
    for number in range(1, len(played.commands) + 1):
        cut = played.cut(number)
        await keep(log, cut, after)
        after = len(cut.entries)
        await catch_up(database.projector, Standings())
        one, state = await read(database, cut), folded(cut)

        assert state.asked == one.asked
        assert decided(cut) == [chair.decisions for chair in one.chairs]
        assert used(cut) == [chair.used for chair in one.chairs]
        assert (state.match.started, state.match.over) == (one.started, one.over)
        assert len(cut.entries) == one.facts
        assert {seat for seat, chair in enumerate(one.chairs) if chair.turn} == set(one.asked)


async def test_in_one_page_and_in_many_it_is_the_same(database: Database, log: PostgresLog) -> None:
    matches = [play(GAME, "campaign", {"pairs": True}, seed=seed, undos=0.4) for seed in range(1, 6)]
    await prepare(database.projector, Standings())
    for played in matches:
        for number in range(5, len(played.commands), 5):
            cut = played.cut(number)
            await keep(log, cut, len(played.cut(number - 5).entries))
            await catch_up(database.projector, Standings())
        await keep(log, played, len(cut.entries))
    await catch_up(database.projector, Standings())
    piecewise = await all_of(database)

    await rebuild(database.projector, Standings())

    assert piecewise == await all_of(database)


async def test_of_nodes_that_start_at_once_one_makes_an_index_that_is_lacking(database: Database) -> None:
    projection = Standings()
    await prepare(database.projector, projection)
    lacking = [f"view.{view}_1_{name}" for view, named in projection.indexes.items() for name in named]
    for _ in range(10):
        async with connection(database.projector) as conn:
            for name in lacking:
                await conn.execute(f"DROP INDEX {name}")
        await asyncio.gather(*(prepare(database.projector, projection) for _ in range(2)))

    assert lacking


async def test_what_is_played_and_how_it_ended(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", seed=4, clock=Clock(60))
    await keep(log, played)
    await prepare(database.projector, Standings())
    await catch_up(database.projector, Standings())
    one, match = await read(database, played), folded(played).match

    assert ("tiny", "campaign") == (one.title, one.scenario)
    assert (True, True, True) == (one.started, one.over, one.ended)
    assert (match.winner, match.reason) == (one.winner, one.reason)
    assert (played.entries[0].at, played.entries[-1].at) == (one.created, one.last)
    assert [match.taken[0], match.taken[1]] == [chair.kind for chair in one.chairs]
    assert ["North", "South"] == [chair.name for chair in one.chairs]
    assert () == one.asked


async def test_who_has_resigned(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", {"pairs": True}, seed=4, resign_after=3)
    await keep(log, played)
    await prepare(database.projector, Standings())
    await catch_up(database.projector, Standings())
    one = await read(database, played)

    assert [True, False, True, False] == [chair.resigned for chair in one.chairs]
    assert (1, "resignation") == (one.winner, one.reason)


async def test_a_turn_has_one_number_as_long_as_it_lasts(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", seed=5, undos=0.3)
    await prepare(database.projector, Standings())
    turns: list[tuple[int | None, ...]] = []
    asked: list[tuple[int, ...]] = []

    after = 0
    for number in range(1, len(played.commands) + 1):
        cut = played.cut(number)
        await keep(log, cut, after)
        after = len(cut.entries)
        await catch_up(database.projector, Standings())
        one = await read(database, played)
        turns.append(tuple(chair.turn for chair in one.chairs) or (None, None))
        asked.append(one.asked)

    for before, after_it, was, now in zip(turns, turns[1:], asked, asked[1:], strict=False):
        for seat in (0, 1):
            if seat in was and seat in now:
                assert before[seat] == after_it[seat]
            elif seat in now:
                assert after_it[seat] is not None
                assert before[seat] is None


async def test_while_a_match_is_paused_no_seat_is_asked_and_none_uses_time(
    database: Database, log: PostgresLog
) -> None:
    played = play(GAME, "campaign", seed=3, paused=0.3)
    await prepare(database.projector, Standings())
    await keep(log, played)
    stopped = next(n for n, (head, *_) in enumerate(played.commands) if head.type == "ClocksStarted")
    during, after = played.cut(stopped), played.cut(stopped + 1)

    await catch_up(database.projector, Standings())

    assert used(played) == [chair.used for chair in (await read(database, played)).chairs]
    for cut, asked in ((during, ()), (after, folded(after).asked)):
        standing_then = standing_of(cut)
        assert asked == standing_then.asked
        assert [seat in asked for seat in (0, 1)] == [
            chair.turn is not None for chair in standing_then.chairs
        ]


def standing_of(played: Played) -> Standing:
    """The standing of a match, folded without a database."""
    changed = ChangedStandings({}, {})
    for entry in played.entries:
        fact = ProjectedFact(played.match, entry.seq, entry.at, entry.type, entry.ver, entry.body)
        Standings().fold(changed, fact)
    return changed.standings[played.match]


async def test_the_latest_first(database: Database, log: PostgresLog) -> None:
    matches = [play(GAME, "skirmish", seed=seed) for seed in range(1, 5)]
    await keep_all(log, matches)
    await prepare(database.projector, Standings())
    await catch_up(database.projector, Standings())

    latest = sorted(matches, key=lambda one: -one.entries[-1].at)

    assert [one.match for one in latest] == [one.match for one in await all_of(database)]


def test_several_decisions_of_one_command_count_as_one() -> None:
    match = UUID(int=1)
    one = Standing(match, facts=1, chairs=[Chair("North", 0)])
    folding = ChangedStandings({match: one}, {})
    for seq, joined in ((2, False), (3, True), (4, True), (5, False)):
        body = json.encode(Decided(0, Raw(b'{"type":"Pass"}'), "chosen", joined=joined))
        Standings().fold(folding, ProjectedFact(match, seq, 0, "Decided", 1, body))

    assert 2 == one.decisions
