import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

import asyncpg
import pytest
from msgspec import Struct
from structlog.testing import capture_logs

from projections import feed
from projections import runner as runner_module
from projections.audit import Audit
from projections.feed import catch_up, turn
from projections.generations import Rebuilding, prepare, rebuild
from projections.projection import ProjectedFact, Projection, Tables, UnprojectableFact
from projections.runner import Runner
from projections.standings import Standings
from server.log.store import Busy, PostgresLog, Unavailable
from server.postgres.database import Database, Pool, PooledConnection, apply, connect, connection
from server.postgres.embedded import Embedded
from tests.projections.conftest import keep_all
from tests.projections.play import Played, keep, play
from tests.tiny import GAME

ROOT = Path(__file__).parents[2]
VIEWS = ("standings", "decisions", "dice")
MENDED = ("projection.astray", "projection.rebuilt")


class Adding(Struct):
    rows: list[tuple[UUID, int, str]]


class Diary(Projection[Adding]):
    """Writes down each fact once; a fact met twice breaks the key. Some facts can be made indigestible."""

    name: ClassVar[str] = "diary"
    views: ClassVar[Mapping[str, str]] = {
        "diary": "id bigint GENERATED ALWAYS AS IDENTITY, match uuid, seq int, type text, "
        "PRIMARY KEY (match, seq)"
    }
    bad: tuple[UUID, int] | None = None
    unstorable: tuple[UUID, int] | None = None

    async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> Adding:  # noqa: ARG002
        return Adding([])

    def fold(self, folding: Adding, fact: ProjectedFact) -> None:
        if (fact.match, fact.seq) == self.bad:
            raise ZeroDivisionError
        text = "\0" if (fact.match, fact.seq) == self.unstorable else fact.type
        folding.rows.append((fact.match, fact.seq, text))

    async def store(self, conn: PooledConnection, folding: Adding, tables: Tables) -> None:
        await conn.executemany(
            f"INSERT INTO {tables['view.diary']} (match, seq, type) VALUES ($1, $2, $3)", folding.rows
        )


@pytest.fixture
async def dsn(empty_dsn: str) -> str:
    """Give a database with the schema applied and no projection in it: here they are made."""
    await apply(empty_dsn)
    return empty_dsn


def matches(count: int, first: int = 1) -> list[Played]:
    return [play(GAME, "skirmish", seed=seed, undos=0.3) for seed in range(first, first + count)]


async def rows(database: Database, view: str) -> list[tuple[Any, ...]]:
    order = "id" if view == "diary" else "1, 2, 3"
    async with connection(database.read) as conn:
        return [tuple(row) for row in await conn.fetch(f"SELECT * FROM view.{view} ORDER BY {order}")]


async def caught_up(database: Database, projections: Sequence[Projection[Any]]) -> None:
    for projection in projections:
        await prepare(database.projector, projection)
        await catch_up(database.projector, projection)


async def diary_of(database: Database, match: UUID) -> list[int]:
    return [row[2] for row in await rows(database, "diary") if row[1] == match]


async def test_a_page_ends_at_the_limit_and_the_next_goes_on(database: Database, log: PostgresLog) -> None:
    played = matches(1)[0]
    await keep(log, played)
    diary = Diary()
    await prepare(database.projector, diary)

    took: list[int] = []
    while not took or took[-1]:
        took.append(await turn(database.projector, diary, limit=7))

    whole, rest = divmod(len(played.entries), 7)
    assert [*[7] * whole, *([rest] if rest else []), 0] == took
    assert [entry.seq for entry in played.entries] == await diary_of(database, played.match)


async def test_facts_of_a_match_come_in_order_whatever_else_is_appended(
    database: Database, log: PostgresLog
) -> None:
    played = matches(8)
    await keep_all(log, played)
    await caught_up(database, [Diary()])

    for one in played:
        assert [entry.seq for entry in one.entries] == await diary_of(database, one.match)


@pytest.mark.parametrize("restored", [False, True])
async def test_transactions_are_ordered_as_numbers_not_as_digits(
    database: Database, dsn: str, *, restored: bool
) -> None:
    played = matches(1)[0]
    number = {c[0].command: 0 if restored else 95 + place for place, c in enumerate(played.commands)}
    owner = await asyncpg.connect(dsn)
    await owner.executemany(
        "INSERT INTO log.fact "
        "(match_id, command_id, xid, at, seq, cmd_ix, ver, audience, final, type, hash, body)"
        " VALUES ($1, $2, $3::text::xid8, clock_timestamp(), $4, $5, $6, $7, $8, $9, $10, $11)",
        [
            (
                *(e.match, e.command, str(number[e.command]), e.seq, e.index, e.ver),
                *(e.audience.value, e.final, e.type, e.hash, e.body),
            )
            for e in played.entries
        ],
    )
    await owner.close()
    await prepare(database.projector, Diary())

    while await turn(database.projector, Diary(), limit=7):
        pass

    assert [entry.seq for entry in played.entries] == await diary_of(database, played.match)


async def test_a_page_of_one_transaction_is_read_in_order_and_not_sorted(
    database: Database, log: PostgresLog
) -> None:
    """Given a log that was restored, all of it is one transaction: a page may not cost with all of that."""
    await keep(log, matches(1)[0])
    async with connection(database.projector) as conn:
        await conn.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
        plan = await conn.fetch(f"EXPLAIN {feed._FEED}", "5", UUID(int=0), 0, 5)

    lines = "\n".join(row[0] for row in plan)
    assert "Sort" not in lines
    assert "Index Cond: ((ROW(xid, match_id, seq) > ROW(" in lines


async def test_two_runners_at_once_while_matches_are_played(
    database: Database, dsn: str, log: PostgresLog
) -> None:
    played = matches(12)
    other = await connect(dsn)
    runners = [
        Runner(pool, [Diary(), Standings(), Audit()], every=0.005)
        for pool in (database.projector, other.projector)
    ]
    tasks = [asyncio.create_task(runner.run()) for runner in runners]

    await keep_all(log, played)
    async with asyncio.timeout(10):
        while sum(len(one.entries) for one in played) > len(await rows_if_there(database, "diary")):
            await asyncio.sleep(0.02)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await other.close()

    assert [{}, {}] == [runner.stopped for runner in runners]
    for one in played:
        assert [entry.seq for entry in one.entries] == await diary_of(database, one.match)
    assert await live_and_anew(database)


async def rows_if_there(database: Database, view: str) -> list[tuple[Any, ...]]:
    try:
        return await rows(database, view)
    except Exception:
        return []


async def live_and_anew(database: Database) -> bool:
    """Whether a rebuild comes to what stands there now."""
    await caught_up(database, [Standings(), Audit()])
    live = [await rows(database, view) for view in VIEWS]
    await rebuild(database.projector, Standings())
    await rebuild(database.projector, Audit())
    return live == [await rows(database, view) for view in VIEWS]


async def test_runners_killed_again_and_again(database: Database, dsn: str, log: PostgresLog) -> None:
    async def follower() -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.projections.follow", dsn, stdout=asyncio.subprocess.PIPE, cwd=ROOT
        )
        assert process.stdout is not None
        assert await process.stdout.readline() == b"following\n"
        return process

    played = matches(10)
    followers = [await follower(), await follower()]
    try:
        for number in range(5):
            await keep_all(log, played[2 * number : 2 * number + 2])
            followers[0].kill()
            await followers.pop(0).wait()
            if number < 2:
                followers.append(await follower())
            if not followers:
                break
        await keep_all(log, played[2 * number + 2 :])
    finally:
        for one in followers:
            one.kill()
            await one.wait()

    assert await live_and_anew(database)
    facts = {row[0]: row[10] for row in await rows(database, "standings")}
    assert {one.match: len(one.entries) for one in played} == facts


async def test_poison_stops_one_projection_only_and_is_named(database: Database, log: PostgresLog) -> None:
    played = matches(2)
    diary = Diary()
    diary.bad = (played[1].match, 9)
    await keep(log, played[0])
    runner = Runner(database.projector, [diary, Standings()], every=0.01)
    running = asyncio.create_task(runner.run())

    await keep(log, played[1])
    runner.wake()
    async with asyncio.timeout(5):
        while not runner.stopped or len(await rows_if_there(database, "standings")) < 2:
            await asyncio.sleep(0.01)
    standings = {row[0]: row[10] for row in await rows(database, "standings")}
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert ["diary"] == list(runner.stopped)
    assert (played[1].match, 9) == (runner.stopped["diary"].match, runner.stopped["diary"].seq)
    assert f"fact 9 of match {played[1].match}" in str(runner.stopped["diary"])
    assert [entry.seq for entry in played[0].entries] == await diary_of(database, played[0].match)
    assert list(range(1, 9)) == await diary_of(database, played[1].match)
    assert played[0].match in standings


async def test_a_fact_that_cannot_be_stored_is_found_in_its_page(
    database: Database, log: PostgresLog
) -> None:
    played = matches(1)[0]
    diary = Diary()
    diary.unstorable = (played.match, 23)
    await keep(log, played)
    await prepare(database.projector, diary)

    with pytest.raises(UnprojectableFact) as bad:
        await turn(database.projector, diary)

    assert 23 == bad.value.seq
    assert list(range(1, 23)) == await diary_of(database, played.match)


async def test_a_stopped_projection_goes_on_once_it_is_mended(database: Database, log: PostgresLog) -> None:
    played = matches(1)[0]
    diary = Diary()
    diary.bad = (played.match, 5)
    await keep(log, played)
    await prepare(database.projector, diary)
    with contextlib.suppress(UnprojectableFact):
        await turn(database.projector, diary)

    await catch_up(database.projector, Diary())

    assert [entry.seq for entry in played.entries] == await diary_of(database, played.match)


async def test_a_rebuild_gives_the_same_and_drops_the_old_tables(
    database: Database, log: PostgresLog
) -> None:
    await keep_all(log, matches(6))
    await caught_up(database, [Diary()])
    before = await rows(database, "diary")

    generations = [await rebuild(database.projector, Diary()), await rebuild(database.projector, Diary())]

    async with connection(database.read) as conn:
        tables = await conn.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'view' ORDER BY 1")
        cursors = await conn.fetch("SELECT gen, live FROM view.cursor WHERE name = 'diary'")
    assert [2, 3] == generations
    assert before == await rows(database, "diary")
    assert ["cursor", "diary_3"] == [row[0] for row in tables]
    assert [(3, True)] == [tuple(row) for row in cursors]


async def test_a_rebuild_while_matches_are_played_and_read(database: Database, log: PostgresLog) -> None:
    early, late = matches(6), matches(6, 7)
    await keep_all(log, early)
    await caught_up(database, [Diary()])
    runner = Runner(database.projector, [Diary()], every=0.01)
    running = asyncio.create_task(runner.run())
    facts = sum(len(one.entries) for one in early)
    seen: list[int] = []

    async def look() -> None:
        while True:
            seen.append(len(await rows(database, "diary")))
            await asyncio.sleep(0.005)

    looking = asyncio.create_task(look())
    playing = asyncio.create_task(keep_all(log, late))
    await rebuild(database.projector, Diary())
    await playing
    await asyncio.sleep(0.1)
    for task in (looking, running):
        task.cancel()
    await asyncio.gather(looking, running, return_exceptions=True)
    await catch_up(database.projector, Diary())

    assert min(seen) >= facts
    for one in [*early, *late]:
        assert [entry.seq for entry in one.entries] == await diary_of(database, one.match)


@pytest.mark.parametrize(
    "cursor",
    [
        pytest.param("xid = '99999999999'", id="of another cluster, ahead of this one"),
        pytest.param("xid = '1'", id="of before the facts were copied"),
        pytest.param("match_id = '018f4e2a-7b3c-7def-8123-456789abcdef'", id="of a match that is not there"),
    ],
)
async def test_a_cursor_that_names_no_fact_has_its_projection_rebuilt(
    database: Database, dsn: str, log: PostgresLog, cursor: str
) -> None:
    early, late = matches(2), matches(2, 3)
    await keep_all(log, early)
    await caught_up(database, [Diary(), Standings()])
    await execute(dsn, f"UPDATE view.cursor SET {cursor}")
    await keep_all(log, late)

    facts = sum(len(one.entries) for one in [*early, *late])
    other = await connect(dsn)
    pools = (database.projector, other.projector)
    runners = [Runner(pool, [Diary(), Standings()], every=0.01) for pool in pools]
    with capture_logs() as lines:
        tasks = [asyncio.create_task(runner.run()) for runner in runners]
        async with asyncio.timeout(10):
            for view, counted in (("diary", len), ("standings", lambda found: sum(row[10] for row in found))):
                while facts > counted(await rows(database, view)):
                    await asyncio.sleep(0.02)
            while 2 > [line["event"] for line in lines].count("projection.rebuilt"):
                await asyncio.sleep(0.02)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await other.close()

    for one in [*early, *late]:
        assert [entry.seq for entry in one.entries] == await diary_of(database, one.match)
    assert await live_and_anew(database)
    told = sorted((line["projection"], line["event"]) for line in lines if line["event"] in MENDED)
    assert [(name, event) for name in ("diary", "standings") for event in MENDED] == told


async def test_after_the_database_was_away_a_cursor_is_looked_at_again(
    own_postgres: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    await apply(own_postgres.dsn)
    database = await connect(own_postgres.dsn)
    log = PostgresLog(database)
    early, late = matches(2)
    await keep(log, early)
    waits, goes_on = asyncio.Event(), asyncio.Event()

    async def held(pool: Pool, projection: Projection[Any]) -> None:
        waits.set()
        await goes_on.wait()
        await prepare(pool, projection)

    running = asyncio.create_task(Runner(database.projector, [Diary()], every=0.01).run())
    async with asyncio.timeout(20):
        while len(await rows_if_there(database, "diary")) < len(early.entries):
            await asyncio.sleep(0.02)
        monkeypatch.setattr(runner_module, "prepare", held)
        await own_postgres.stop()
        await waits.wait()
        await own_postgres.start()
        await execute(own_postgres.dsn, "UPDATE view.cursor SET xid = '99999999999'")
        goes_on.set()
        await keep(log, late)
        while len(await diary_of(database, late.match)) < len(late.entries):
            await asyncio.sleep(0.02)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert [entry.seq for entry in early.entries] == await diary_of(database, early.match)
    await log.close()
    await database.close()


async def execute(dsn: str, sql: str) -> None:
    owner = await asyncpg.connect(dsn)
    await owner.execute(sql)
    await owner.close()


async def test_one_rebuild_at_a_time(database: Database, dsn: str, log: PostgresLog) -> None:
    begun, met = asyncio.Event(), asyncio.Event()

    class Waiting(Diary):
        async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> Adding:
            begun.set()
            await met.wait()
            return await super().load(conn, page, tables)

    await keep_all(log, matches(2))
    other = await connect(dsn)
    first = asyncio.create_task(rebuild(database.projector, Waiting()))
    await begun.wait()
    with pytest.raises(Rebuilding):
        await rebuild(other.projector, Diary())
    met.set()
    await other.close()

    assert 0 < await first


async def test_a_rebuild_that_meets_poison_leaves_the_old_one(database: Database, log: PostgresLog) -> None:
    played = matches(1)[0]
    await keep(log, played)
    await caught_up(database, [Diary()])
    before = await rows(database, "diary")
    broken = Diary()
    broken.bad = (played.match, 3)

    with pytest.raises(UnprojectableFact):
        await rebuild(database.projector, broken)

    assert before == await rows(database, "diary")
    async with connection(database.read) as conn:
        assert [(1, True)] == [tuple(r) for r in await conn.fetch("SELECT gen, live FROM view.cursor")]


async def test_what_an_unfinished_rebuild_left_goes_with_the_next(
    database: Database, log: PostgresLog
) -> None:
    await keep_all(log, matches(1))
    await caught_up(database, [Diary()])
    async with connection(database.projector) as conn:
        await conn.execute("INSERT INTO view.cursor (name, gen) VALUES ('diary', 2)")
        await conn.execute("CREATE TABLE view.diary_2 (left_over int)")

    await rebuild(database.projector, Diary())

    async with connection(database.read) as conn:
        assert await conn.fetchval("SELECT count(*) FROM view.diary") > 0
        assert await conn.fetchval("SELECT count(*) FROM view.cursor") == 1


async def test_facts_of_a_transaction_still_writing_are_waited_for(
    database: Database, dsn: str, log: PostgresLog
) -> None:
    first, second = matches(2)
    await keep(log, first)
    await prepare(database.projector, Diary())
    other = await connect(dsn)
    async with connection(other.append) as conn:
        writing = conn.transaction()
        await writing.start()
        await conn.execute("SELECT pg_current_xact_id()")
        await keep(log, second)
        await catch_up(database.projector, Diary())
        during = len(await rows(database, "diary"))
        await writing.rollback()
    await other.close()
    await catch_up(database.projector, Diary())

    assert len(first.entries) == during
    assert len(first.entries) + len(second.entries) == len(await rows(database, "diary"))


async def test_a_database_that_goes_and_comes_back(own_postgres: Embedded) -> None:
    await apply(own_postgres.dsn)
    database = await connect(own_postgres.dsn)
    log = PostgresLog(database)
    first, second = matches(2)
    runner = Runner(database.projector, [Standings()], every=0.05)
    running = asyncio.create_task(runner.run())
    await keep(log, first)

    pid = own_postgres.pid
    assert pid is not None
    os.kill(pid, signal.SIGQUIT)
    async with asyncio.timeout(20):
        while own_postgres.pid in (pid, None):
            await asyncio.sleep(0.05)
        while not await appended(log, second):
            await asyncio.sleep(0.1)
        while sum(row[10] for row in await rows_if_there(database, "standings")) < len(first.entries) + len(
            second.entries
        ):
            await asyncio.sleep(0.05)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await log.close()
    await database.close()

    assert {} == runner.stopped


async def appended(log: PostgresLog, played: Played) -> bool:
    """Whether a match could be appended; what of it is there already stays."""
    try:
        there = await log.read_everything(played.match)
        await keep(log, played, there[-1].seq if there else 0)
    except (Busy, Unavailable):
        return False
    return True


async def test_lag_is_the_age_of_what_is_not_applied(database: Database, log: PostgresLog) -> None:
    runner = Runner(database.projector, [Diary()])
    await prepare(database.projector, Diary())
    empty = await runner.lag()
    await keep(log, matches(1)[0])
    behind = await runner.lag()
    await catch_up(database.projector, Diary())

    assert {"diary": 0.0} == empty
    assert behind["diary"] > 0
    assert {"diary": 0.0} == await runner.lag()


async def test_a_projection_that_has_not_begun_lags_as_long_as_the_oldest_fact(
    database: Database, log: PostgresLog
) -> None:
    runner = Runner(database.projector, [Diary()])
    before = await runner.lag()
    await keep(log, matches(1)[0])
    unbegun = await runner.lag()
    await prepare(database.projector, Diary())

    assert {"diary": 0.0} == before
    assert 0 < unbegun["diary"] <= (await runner.lag())["diary"]


async def test_nodes_and_auditors_may_read_the_views_of_every_generation(
    database: Database, log: PostgresLog
) -> None:
    await keep_all(log, matches(1))
    await rebuild(database.projector, Standings())

    async with connection(database.projector) as conn:
        for role in ("game_node", "game_auditor"):
            assert await conn.fetchval("SELECT has_table_privilege($1, 'view.standings', 'SELECT')", role)


async def test_a_runner_with_nothing_to_do_writes_nothing(database: Database, log: PostgresLog) -> None:
    await keep(log, matches(1)[0])
    runner = Runner(database.projector, [Standings(), Audit()], every=0.01)
    running = asyncio.create_task(runner.run())
    async with asyncio.timeout(10):
        while sum(row[10] for row in await rows_if_there(database, "standings")) < len(matches(1)[0].entries):
            await asyncio.sleep(0.02)
        while any((await runner.lag()).values()):
            await asyncio.sleep(0.02)
    before = await touched(database)
    await asyncio.sleep(0.5)
    after = await touched(database)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert before == after


async def touched(database: Database) -> list[tuple[Any, ...]]:
    """Which transactions last wrote or held each cursor."""
    async with connection(database.read) as conn:
        return [
            tuple(row) for row in await conn.fetch("SELECT name, xmin::text, xmax::text FROM view.cursor")
        ]
