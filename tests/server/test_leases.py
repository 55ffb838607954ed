"""Leases: each by one node at a time, given up by whoever is gone, on a real Postgres."""

import asyncio
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from server.postgres import leases
from server.postgres.database import apply
from server.postgres.embedded import Embedded
from server.postgres.leases import Leases
from tests.server.proxy import Proxy, proxied

UNTIL_LOST = 2.0

NAMES = [f"share {number}" for number in range(8)]

HOLD = """
import asyncio, sys
from server.postgres import leases
async def hold():
    leases.UNTIL_LOST = float(sys.argv[2])
    ours = leases.Leases(sys.argv[1])
    ours.when_lost(lambda lost: print(*lost, "lost", flush=True))
    assert await ours.take("a")
    print("holds", flush=True)
    await ours.run()
asyncio.run(hold())
"""


@asynccontextmanager
async def node(dsn: str) -> AsyncIterator[Leases]:
    """Run the leases of a node."""
    ours = Leases(dsn)
    beating = asyncio.create_task(ours.run())
    yield ours
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)
    await ours.stop()


async def seconds_until(holds: Callable[[], Awaitable[bool]], within: float = 20) -> float:
    begun = time.monotonic()
    async with asyncio.timeout(within):
        while not await holds():
            await asyncio.sleep(0.02)
    return time.monotonic() - begun


async def test_a_lease_is_one_node_s_until_it_stops(dsn: str) -> None:
    async with node(dsn) as one, node(dsn) as two:
        first = [await one.take("a"), await two.take("a"), await one.take("a"), await two.take("b")]
        await one.stop()

        assert [True, False, True, True] == first
        assert not one.holds("a")
        assert not await one.take("a")
        await seconds_until(lambda: two.take("a"), 2)


async def test_leases_of_another_database_are_others(dsn: str, empty_dsn: str) -> None:
    conn = await asyncpg.connect(empty_dsn)
    try:
        async with node(dsn) as ours:
            key = leases._key(NAMES[0])
            assert await conn.fetchval("SELECT pg_try_advisory_lock($1, $2)", leases._CLASS, key)
            assert frozenset(NAMES) == await ours.share(NAMES)
    finally:
        await conn.close()


async def test_who_holds_is_told_at_once_when_postgres_ends_his_connection(dsn: str) -> None:
    owner = await asyncpg.connect(dsn)
    lost: list[frozenset[str]] = []
    async with node(dsn) as ours:
        ours.when_lost(lost.append)
        assert await ours.take("a")
        await owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
            " AND classid::bigint = $1 AND database = (SELECT oid FROM pg_database WHERE datname ="
            " current_database())",
            leases._CLASS,
        )
        await owner.close()
        await asyncio.sleep(0.3)

        assert [frozenset({"a"})] == lost
        assert await ours.take("a")


@asynccontextmanager
async def holding(dsn: str) -> AsyncIterator[tuple[Process, asyncio.StreamReader]]:
    """Start a process that holds a lease, and give what it says afterwards."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLD, dsn, f"{UNTIL_LOST}", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert b"holds\n" == await process.stdout.readline()
    yield process, process.stdout
    if process.returncode is None:
        process.kill()
    await process.wait()


async def test_who_is_killed_holds_nothing(dsn: str) -> None:
    async with holding(dsn) as (process, _), node(dsn) as ours:
        before = await ours.take("a")
        process.kill()

        assert not before
        assert await seconds_until(lambda: ours.take("a")) < 2


async def test_who_is_frozen_holds_nothing_and_knows_it_when_he_goes_on(dsn: str) -> None:
    async with holding(dsn) as (process, says), node(dsn) as ours:
        process.send_signal(signal.SIGSTOP)
        taken = await seconds_until(lambda: ours.take("a"))
        process.send_signal(signal.SIGCONT)

        assert taken < UNTIL_LOST + 2
        async with asyncio.timeout(10):
            while b"a lost\n" != await says.readline():
                pass


@asynccontextmanager
async def cut_off(dsn: str) -> AsyncIterator[tuple[Proxy, Leases, list[float]]]:
    """Run the leases of a node behind a proxy; it holds one, and the list has when it lost it."""
    parts = urlsplit(dsn)
    lost: list[float] = []
    async with proxied(f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432") as proxy:
        login = parts.netloc.rpartition("@")[0]
        url = f"postgresql://{login}@127.0.0.1:{proxy.port}{parts.path}?sslmode=disable"
        async with node(url) as ours:
            ours.when_lost(lambda _: lost.append(time.monotonic()))
            assert await ours.take("a")
            yield proxy, ours, lost
            proxy.resume()


async def test_who_is_cut_off_knows_it_before_another_can_hold(
    dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("BEAT", 0.3), ("ANSWER", 1.5), ("UNTIL_LOST", 3.0)):
        monkeypatch.setattr(leases, name, seconds)
    async with node(dsn) as other, cut_off(dsn) as (proxy, _, lost):
        proxy.stall()
        taken = await seconds_until(lambda: other.take("a"))
        then = time.monotonic()

    assert 1 == len(lost)
    assert lost[0] < then
    assert taken < leases.UNTIL_LOST + leases.BEAT + 2


async def test_who_is_forgotten_without_a_word_finds_out_by_himself(dsn: str) -> None:
    async with cut_off(dsn) as (proxy, ours, lost):
        proxy.half_open()
        begun = time.monotonic()
        async with asyncio.timeout(20):
            while not lost:
                await asyncio.sleep(0.02)

    assert lost[0] - begun < leases.BEAT + leases.ANSWER + 2
    assert not ours.held


async def test_a_statement_is_one_message_once_anything_is_held(dsn: str) -> None:
    """A session that is frozen between two messages of a statement is not ended by Postgres."""
    async with cut_off(dsn) as (proxy, ours, _):
        await ours.share(NAMES)
        async with node(dsn) as other:
            await other.take("b")
            await ours.share(NAMES)
        asked = bytes(proxy.links[-1].asked)

    texts = [b"pg_try_advisory_lock", b"pg_advisory_unlock", b"FROM pg_locks", b"pg_advisory_lock_shared"]
    assert [1] * 4 == [asked.count(text) for text in texts]
    assert max(asked.index(text) for text in texts) == asked.index(b"pg_advisory_lock_shared")


async def test_shares_are_even_and_nobody_s_twice_whoever_comes_and_goes(dsn: str) -> None:
    async def settled(*nodes: Leases) -> bool:
        shares = [await one.share(NAMES) for one in nodes]
        assert len(frozenset[str]().union(*shares)) == sum(map(len, shares))
        return sorted(NAMES) == sorted(name for share in shares for name in share)

    given_up: list[frozenset[str]] = []
    async with node(dsn) as one:
        one.when_lost(given_up.append)
        alone = await one.share(NAMES)
        async with node(dsn) as two, node(dsn) as three:
            await seconds_until(lambda: settled(one, two, three))
            sizes = sorted([len(await each.share(NAMES)) for each in (one, two, three)])
            left = sum(map(len, given_up))
        await seconds_until(lambda: settled(one))

        assert len(NAMES) == len(alone)
        assert [2, 3, 3] == sizes
        assert left in {len(NAMES) - 3, len(NAMES) - 2}
        assert frozenset(NAMES) == one.held


async def test_what_is_given_up_can_be_taken_at_once_though_it_was_asked_for_twice(dsn: str) -> None:
    """An advisory lock taken twice is to be given back twice."""
    async with node(dsn) as one, node(dsn) as two:
        for name in NAMES:
            assert [True] * 3 == await asyncio.gather(*(one.take(name) for _ in range(3)))
        await two.share(NAMES)
        half = await one.share(NAMES)

        assert 4 == len(half)
        assert frozenset(NAMES) - half == await two.share(NAMES)


async def test_leases_are_held_again_when_postgres_is_back(own_postgres: Embedded) -> None:
    await apply(own_postgres.dsn)
    lost: list[frozenset[str]] = []
    async with node(own_postgres.dsn) as ours:
        ours.when_lost(lost.append)
        assert await ours.take("a")
        await own_postgres.stop()
        meanwhile = await ours.take("b")
        await own_postgres.start()
        await seconds_until(lambda: ours.take("b"))

        assert not meanwhile
        assert [frozenset({"a"})] == lost
        assert {"b"} == ours.held
