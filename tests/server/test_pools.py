"""Which connections are taken for what is asked of a server: whoever reads makes nobody wait who plays.

Where all connections are held but those of some pools, what is answered has taken of these pools only.
"""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import AsyncIterator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg.pool
import pytest

from server.log.store import Unavailable
from server.play import acts, memory
from server.play.live import Live
from server.play.matches import Matches
from server.play.slices import SLICE
from server.play.snapshot import Snapshot
from server.postgres.database import EACH, Database, connection
from server.serving import Serving
from tests.conftest import running
from tests.server.reading import get
from tests.server.talk import Said, enter, offer, prompt, seated, talking, token


@pytest.fixture
async def forgetful(dsn: str, folder: Path) -> AsyncIterator[Serving]:
    """Give a server that keeps one match in memory."""
    async with running(dsn, folder, tables_in_memory=1) as server:
        yield server


@asynccontextmanager
async def only(server: Serving, *free: str) -> AsyncIterator[list[str]]:
    """Hold all connections of a node but those of these pools; give the names of pools that are asked.

    One to append by is the pump's for good: nobody else may have asked for the other.
    """
    pools = {name: getattr(server.database, name) for name in Database.__struct_fields__}
    acquire, asked = asyncpg.pool.Pool.acquire, list[str]()

    def noted(pool: Any, **given: Any) -> Any:
        asked.extend(name for name, one in pools.items() if one is pool)
        return acquire(pool, **given)

    async with AsyncExitStack() as stack:
        for name in pools.keys() - {"append", *free}:
            for _ in range(EACH):
                await stack.enter_async_context(connection(pools[name]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncpg.pool.Pool, "acquire", noted)
            yield asked
    assert "append" not in asked


async def cold(server: Serving, created: Said) -> None:
    """Have a match forgotten: another is in its place in memory."""
    other = await offer(server.url)
    await server.matches.get(UUID(other["match"]))
    assert UUID(created["match"]) not in server.matches.memory.live


async def ended(server: Serving) -> tuple[Said, int]:
    """Play a match with a decision to its end; return it, and the fact of the decision."""
    async with seated(server.url, title="midway", scenario="duel") as (created, north, south):
        async with asyncio.timeout(10):
            seat = 0 if any(asked["seat"] == 0 for asked in await asked_of(north)) else 1
        talk = (north, south)[seat]
        upto, options = await prompt(talk, seat)
        sent = await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])
        assert "receipt" == sent["t"]
        await north.ask("resign", match=created["match"])
        await south.hear("frame")
    return created, sent["seq"]


async def asked_of(talk: Any) -> list[Said]:
    """Return who is asked, as the last frame or view says that somebody is."""
    while True:
        for message in reversed(talk.heard):
            if message["t"] in {"frame", "view"} and message["prompts"]:
                return list(message["prompts"])
        await talk.hear("frame", "view")


@pytest.mark.parametrize("door", ["", "onlooker"])
@pytest.mark.parametrize(
    ("page", "more"),
    [
        ("", []),
        ("/steps", []),
        ("/steps?from=2&upto=5", []),
        ("/record", ["projector"]),  # which alone may read the tree that proves it
        ("/record?from=2&upto=9", []),
        ("/dispute/{seq}", []),
        ("/report", []),
        ("/chapters", []),
        ("/audit", []),
    ],
)
async def test_a_page_of_a_match_takes_connections_for_pages_alone(
    forgetful: Serving, page: str, more: list[str], door: str
) -> None:
    created, seq = await ended(forgetful)
    await cold(forgetful, created)
    by = token(created, door) if door else ""
    async with only(forgetful, "http", *more) as asked:
        got = await get(forgetful.url, f"/api/matches/{created['match']}{page.format(seq=seq)}", by)

    assert 200 == got.status, got.body
    assert {"http", *more} <= set(asked)


async def test_what_a_link_shows_of_a_match_takes_connections_for_pages_alone(forgetful: Serving) -> None:
    created = await offer(forgetful.url)
    await cold(forgetful, created)
    async with only(forgetful, "http"):
        shown = await forgetful.api.matches.describe(UUID(created["match"]))

    assert created["match"] == str(shown.match)


async def test_a_decision_in_a_match_that_is_not_in_memory_waits_for_nobody_who_reads_or_comes(
    forgetful: Serving,
) -> None:
    async with seated(forgetful.url) as (created, north, _):
        upto, options = await prompt(north, 0)
        sent = {"match": created["match"], "answers": upto, "decision": options[0]}
        await cold(forgetful, created)
        async with only(forgetful, "play"):
            stored = await north.ask("decide", **sent)
        await cold(forgetful, created)
        async with only(forgetful, "play"):
            refused = await north.ask("decide", **sent)

    assert ("receipt", "not_asked") == (stored["t"], refused["code"])


async def test_a_hello_in_a_match_that_is_not_in_memory_takes_connections_for_hellos_alone(
    forgetful: Serving,
) -> None:
    async with seated(forgetful.url) as (created, _, _), talking(forgetful.url) as again:
        await cold(forgetful, created)
        async with only(forgetful, "read") as asked:
            answer = await enter(again, created, 0)

    assert "view" == answer["t"]
    assert "read" in asked


@asynccontextmanager
async def reading_waits(server: Serving, match: UUID, pool: str, head: int) -> AsyncIterator[list[Snapshot]]:
    """Have somebody read a match by a pool whose connections are all held, and wait; give what he has read.

    All others are held as well, but play's. What is given is empty until there are connections again.
    """
    opening = {"http": server.reader.opening, "read": server.matches.opening}[pool]
    read = list[Snapshot]()
    async with only(server, "play") as asked, asyncio.timeout(10):
        reading = asyncio.create_task(server.matches.level_with(match, head, opening))
        while pool not in asked:
            await asyncio.sleep(0)
        yield read
        assert not reading.done()
    async with asyncio.timeout(10):
        read.append(await reading)


@pytest.mark.parametrize("pool", ["http", "read"])
async def test_a_decision_waits_for_nobody_who_is_just_opening_the_same_match(
    forgetful: Serving, pool: str
) -> None:
    async with seated(forgetful.url) as (created, north, _):
        match = UUID(created["match"])
        upto, options = await prompt(north, 0)
        await cold(forgetful, created)
        async with reading_waits(forgetful, match, pool, upto) as read, asyncio.timeout(2):
            stored = await north.ask("decide", match=match, answers=upto, decision=options[0])

    assert "receipt" == stored["t"]
    assert [stored["seq"]] == [one.seq for one in read]


@pytest.mark.parametrize("pool", ["http", "read"])
async def test_a_decision_waits_for_nobody_who_is_just_reading_what_the_same_match_lacks(
    forgetful: Serving, pool: str
) -> None:
    async with seated(forgetful.url) as (created, north, _):
        match = UUID(created["match"])
        upto, options = await prompt(north, 0)
        elsewhere = Matches(forgetful.log, forgetful.matches._ring, lambda _: None)
        moved = await elsewhere.command(match, uuid4(), *acts.offer(1, "draw", elsewhere.now))
        async with reading_waits(forgetful, match, pool, moved.seq) as read, asyncio.timeout(2):
            stored = await north.ask("decide", match=match, answers=upto, decision=options[0])

    assert ("receipt", True) == (stored["t"], stored["seq"] > moved.seq)
    assert [stored["seq"]] == [one.seq for one in read]


async def test_a_hello_waits_for_no_page_that_is_just_opening_the_same_match(forgetful: Serving) -> None:
    async with seated(forgetful.url) as (created, _, _), talking(forgetful.url) as again:
        await cold(forgetful, created)
        async with only(forgetful, "read") as asked, asyncio.timeout(5):
            page = asyncio.create_task(forgetful.reader.get(UUID(created["match"])))
            while "http" not in asked:
                await asyncio.sleep(0)
            answer = await enter(again, created, 0)
            assert not page.done()
        assert (await page).seq == answer["upto"]

    assert "view" == answer["t"]


@pytest.mark.parametrize("few", [0, 50])
async def test_who_looks_at_a_match_that_lacks_many_facts_folds_them_where_nobody_decides(
    forgetful: Serving, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(memory, "FEW", few)
    at_play, folded = forgetful.matches.memory._slices, list[int]()

    async def noted(steps: Generator[None, None, None]) -> None:
        folded.append(1)
        await through(steps)

    async with seated(forgetful.url) as (created, _, _):
        match = UUID(created["match"])
        before = await forgetful.matches.get(match)
        elsewhere = Matches(forgetful.log, forgetful.matches._ring, lambda _: None)
        moved = await elsewhere.command(match, uuid4(), *acts.offer(1, "draw", elsewhere.now))
        through = at_play.through
        monkeypatch.setattr(at_play, "through", noted)
        looked = await asyncio.gather(*(forgetful.matches.level_with(match, moved.seq) for _ in range(3)))

    assert (before.seq + 1, before.seq + 1) == (moved.seq, looked[0].seq)
    assert ([1] if few else []) == folded
    assert forgetful.matches.memory.live[match].snapshot is looked[0] is looked[2]


async def test_all_who_wait_for_a_reading_are_told_at_once_that_it_failed(
    forgetful: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_: UUID) -> Live:
        asked.append(1)
        await go_on.wait()
        raise Unavailable("away")

    asked, go_on = list[int](), asyncio.Event()
    monkeypatch.setattr(forgetful.matches.opening, "live", fails)
    match = uuid4()
    readers = [asyncio.create_task(forgetful.matches.get(match)) for _ in range(6)]
    while not asked:
        await asyncio.sleep(0)
    go_on.set()
    told = await asyncio.gather(*readers, return_exceptions=True)

    assert [1] == asked
    assert [Unavailable] * 6 == [type(one) for one in told]


async def test_what_a_reader_has_opened_is_thrown_away_if_the_match_has_moved_since_and_is_gone_again(
    forgetful: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(forgetful.url) as (created, north, _):
        match, pages = UUID(created["match"]), forgetful.reader.opening
        upto, options = await prompt(north, 0)
        await cold(forgetful, created)
        opened, go_on, live = asyncio.Queue[int](), asyncio.Event(), pages.live

        async def slowly(which: UUID) -> Live:
            read = await live(which)
            opened.put_nowait(read.seq)
            await go_on.wait()
            return read

        monkeypatch.setattr(pages, "live", slowly)
        async with asyncio.timeout(10):
            page = asyncio.create_task(forgetful.reader.get(match))
            seqs = [await opened.get()]
            stored = await north.ask("decide", match=match, answers=upto, decision=options[0])
            await cold(forgetful, created)
            go_on.set()
            snapshot = await page
            seqs.append(await opened.get())

    assert [upto, stored["seq"]] == seqs
    assert stored["seq"] == snapshot.seq == forgetful.matches.memory.live[match].seq


async def test_of_those_who_read_a_match_by_one_pool_one_reads_and_in_the_end_nothing_is_locked(
    forgetful: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(forgetful.url) as (created, _, _):
        await cold(forgetful, created)
        pages, opened = forgetful.reader.opening, list[UUID]()
        live = pages.live

        async def noted(which: UUID) -> Live:
            opened.append(which)
            return await live(which)

        monkeypatch.setattr(pages, "live", noted)
        async with asyncio.timeout(10):
            read = await asyncio.gather(*(forgetful.reader.get(UUID(created["match"])) for _ in range(20)))

    assert (1, 1) == (len(opened), len({id(one) for one in read}))
    gc.collect()
    assert (0, 0) == (len(forgetful.matches.memory._locks), len(pages.flights))


async def test_who_decides_in_a_match_that_is_not_in_memory_waits_for_nothing_that_others_fold(
    forgetful: Serving,
) -> None:
    turns: Counter[int] = Counter()

    def endless(which: int) -> Generator[None, None, None]:
        while True:
            turns[which] += 1
            end = time.monotonic() + SLICE
            while time.monotonic() < end:
                pass
            yield

    async with seated(forgetful.url) as (created, north, _):
        upto, options = await prompt(north, 0)
        await cold(forgetful, created)
        crowd = [asyncio.create_task(forgetful.matches.slices.through(endless(one))) for one in range(500)]
        stored = await north.ask("decide", match=created["match"], answers=upto, decision=options[0])
        for one in crowd:
            one.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    assert "receipt" == stored["t"]
    assert {1} == set(turns.values())
