"""The time by which matches are played, and the clocks of machines, which have no say in it."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest
from structlog.testing import capture_logs

from server.play import clock
from server.play.clock import Clock
from server.postgres.database import Connection, Database, Unfit, apply, connect
from server.postgres.embedded import Embedded
from server.serving import Serving
from tests.conftest import running
from tests.server.reading import get
from tests.server.talk import Said, Talk, offer, prompt, seated, talking

FAR = timedelta(hours=2)
MARK = "UPDATE log.clock SET trial = true"
SHIFT = "UPDATE log.clock SET shift = '2 hours'"
TIMES = """
SELECT created_at FROM lobby.match UNION ALL SELECT seen_at FROM lobby.match UNION ALL SELECT at FROM log.fact
UNION ALL SELECT created_at FROM lobby.token
UNION ALL SELECT revoked_at FROM lobby.token WHERE revoked_at IS NOT NULL
"""


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


@contextlib.contextmanager
def machine_clock(wrong: float) -> Iterator[None]:
    """Set the machine's wall clock wrong by so many seconds, for all code of this process."""
    right, right_ns = time.time, time.time_ns
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: right() + wrong)
        patch.setattr(time, "time_ns", lambda: right_ns() + int(wrong * 1e9))
        yield


async def asked(owner: Connection) -> datetime:
    now: datetime = await owner.fetchval("SELECT clock_timestamp()")
    return now


async def decide(talk: Talk, created: Said) -> Said:
    upto, options = await prompt(talk, 0)
    return await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])


def moment(microseconds: int) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=microseconds)


async def last_at(server: Serving, match: str) -> datetime:
    return moment((await server.log.read_everything(UUID(match)))[-1].at)


@pytest.mark.parametrize("wrong", [-90.0, 90.0])
async def test_a_node_plays_by_the_databases_time_whatever_its_own_clock_says(
    dsn: str, folder: Path, owner: Connection, wrong: float
) -> None:
    before = await asked(owner)
    with machine_clock(wrong), capture_logs() as lines:
        async with running(dsn, folder) as server, seated(server.url) as (created, north, _):
            receipt = await decide(north, created)
            await north.say("ping")
            pong = await north.hear("pong")
            ready = (await get(server.url, "/readyz")).json
            numbers = (await get(server.url, "/metrics")).body.decode()
            told = await last_at(server, created["match"])
    after = await asked(owner)

    born = moment((UUID(created["match"]).int >> 80) * 1000 + 999)
    assert "receipt" == receipt["t"]
    slack = timedelta(seconds=0.5)  # half of what a question to the database took, at most
    assert [True] * 3 == [before - slack < at < after + slack for at in (told, moment(pong["now"]), born)]
    assert pytest.approx(wrong, abs=1) == ready["clock_offset"]
    line = next(line for line in numbers.splitlines() if line.startswith("fleetfold_clock_offset_seconds "))
    assert pytest.approx(wrong, abs=1) == float(line.split()[1])
    assert 1 == [line["event"] for line in lines].count("clock off")


@pytest.mark.parametrize("wrong", [-90.0, 90.0])
async def test_no_seat_has_more_time_or_less_on_a_node_whose_clock_is_wrong(
    dsn: str, folder: Path, wrong: float
) -> None:
    async with running(dsn, folder) as right, seated(right.url, clock={"bank": 2}) as (created, _, _):
        match = UUID(created["match"])
    with machine_clock(wrong):
        async with running(dsn, folder) as server, asyncio.timeout(15):
            entries = await server.log.read_everything(match)
            while not any(entry.type == "TimeOutClaimed" for entry in entries):
                await asyncio.sleep(0.05)
                entries = await server.log.read_everything(match)

    claimed = next(place for place, entry in enumerate(entries) if entry.type == "TimeOutClaimed")
    assert 2_000_000 <= entries[claimed].at - entries[claimed - 1].at < 20_000_000


async def test_a_clock_that_is_set_while_a_node_runs_is_told_once_and_again_when_it_is_right(
    database: Database,
) -> None:
    kept = Clock(database.read)
    await kept.measure()
    with capture_logs() as lines:
        first = kept.now()
        with machine_clock(90):
            second = kept.now()
            await kept.measure()
            await kept.measure()
            assert kept.off
        await kept.measure()

    assert ["clock off", "clock right"] == [line["event"] for line in lines]
    assert 0 <= second - first < 1_000_000
    assert not kept.off


async def test_a_node_goes_on_comparing_while_it_runs(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "EVERY", 0.02)
    async with running(dsn, folder) as server:
        before = server.clock.off
        with machine_clock(-90):
            async with asyncio.timeout(10):
                while not server.clock.off:
                    await asyncio.sleep(0.02)

    assert not before


async def test_while_the_database_is_away_time_goes_on(
    own_postgres: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "EVERY", 0.01)
    await apply(own_postgres.dsn)
    database = await connect(own_postgres.dsn)
    kept = Clock(database.read)
    await kept.measure()
    work = asyncio.create_task(kept.run())
    with capture_logs() as lines:
        await own_postgres.stop()
        before = kept.now()
        async with asyncio.timeout(10):
            while "clock not measured" not in [line["event"] for line in lines]:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        away = kept.now() - before
        await own_postgres.start()
        await kept.measure()
    work.cancel()
    await database.close()

    assert 100_000 < away
    assert abs(kept.offset) < 1
    assert 1 == [line["event"] for line in lines].count("clock not measured")


def test_the_answer_that_came_fastest_counts_until_it_has_grown_old(database: Database) -> None:
    kept = Clock(database.read)
    kept.take(0, 1_000_000_100, 100)
    assert 1_000_000_050 == kept._ahead

    kept.take(1_000, 1_000_001_900, 2_000)  # right within 500, and the first within 50
    assert 1_000_000_050 == kept._ahead

    kept.take(10_000_000, 1_010_001_000, 10_001_000)  # by now the first is right within 2,050
    assert 1_000_000_500 == kept._ahead


def test_an_answer_that_cannot_be_right_beside_the_one_before_takes_its_place(database: Database) -> None:
    kept = Clock(database.read)
    kept.take(0, 1_000_000_100, 100)

    kept.take(1_000, 5_000_001_900, 2_000)  # the database's clock was set

    assert 5_000_000_400 == kept._ahead


# a shift


async def test_in_a_database_made_by_a_test_a_shift_is_everybodys_time(
    dsn: str, folder: Path, owner: Connection
) -> None:
    await owner.execute(MARK)
    await owner.execute(SHIFT)
    before = await asked(owner) + FAR
    async with running(dsn, folder) as server, seated(server.url) as (created, north, _):
        await decide(north, created)
        async with talking(server.url) as talk:
            await talk.say("ping")
            pong = await talk.hear("pong")
        told = [await last_at(server, created["match"]), moment(pong["now"])]
        told += [row[0] for row in await owner.fetch(TIMES)]
    after = await asked(owner) + FAR

    slack = timedelta(seconds=0.5)
    assert len(told) > 7
    assert all(before - slack < at < after + slack for at in told)


async def test_without_the_mark_a_shift_does_not_count_and_no_server_starts(
    dsn: str, folder: Path, owner: Connection
) -> None:
    await owner.execute(SHIFT)

    assert timedelta(seconds=1) > await owner.fetchval("SELECT log.now() - clock_timestamp()")
    with pytest.raises(Unfit, match=r"shifted by 2:00:00.* log\.clock"):
        async with running(dsn, folder):
            pass


async def test_the_mark_is_not_set_once_there_are_facts(dsn: str, folder: Path, owner: Connection) -> None:
    async with running(dsn, folder) as server:
        await offer(server.url)

    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="was not made by a test or a demo"):
        await owner.execute(MARK)


@pytest.mark.parametrize("role", ["game_node", "game_projector", "game_auditor"])
async def test_the_owner_alone_sets_the_clock(owner: Connection, role: str) -> None:
    await owner.execute(f"SET ROLE {role}")

    assert await owner.fetchval("SELECT log.now() IS NOT NULL")
    for sql in (MARK, SHIFT, "INSERT INTO log.clock DEFAULT VALUES", "DELETE FROM log.clock"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await owner.execute(sql)


async def test_time_goes_on_though_the_row_of_the_shift_is_gone(
    owner: Connection,
) -> None:
    await owner.execute("DELETE FROM log.clock")

    assert timedelta(seconds=1) > await owner.fetchval("SELECT log.now() - clock_timestamp()")
