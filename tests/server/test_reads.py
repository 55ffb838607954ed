"""Whole matches read over HTTP: each address in its turn, no more than it may, and none waits for another."""

import asyncio
import sys
import threading
from collections.abc import Generator
from functools import partial
from typing import Any

import pytest

from domain.match.refusals import RequestError
from server import addresses, limits
from server.addresses import Address
from server.http import reads
from server.http.reads import Reads
from server.limits import READS, RECORD, STEPS
from server.log.outcomes import Busy
from server.serving import Serving
from server.socket import paced
from tests.server.reading import Got, get
from tests.server.talk import seated, token

EVER = 1e9
"""Seconds until what was spent is back: not while a test runs."""


class Work:
    """Reads that are under way until they are let go."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.go = asyncio.Event()

    async def do(self, name: str) -> bytes:
        self.begun.append(name)
        await self.go.wait()
        return name.encode()


def wanted(work: Work, all_of_them: Reads, address: Address, *names: str) -> list[asyncio.Task[bytes]]:
    return [asyncio.create_task(all_of_them.read(address, name, 1, partial(work.do, name))) for name in names]


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_an_address_reads_one_match_at_a_time_and_no_other_waits_for_it() -> None:
    all_of_them, work, one, other = Reads(), Work(), Address(), Address()

    tasks = wanted(work, all_of_them, one, "a", "b", "c")
    await settled()
    assert ["a"] == work.begun
    tasks += wanted(work, all_of_them, other, "d")
    await settled()
    assert ["a", "d"] == work.begun

    work.go.set()
    assert [b"a", b"b", b"c", b"d"] == await asyncio.gather(*tasks)
    assert one.readers == other.readers == 0


async def test_what_several_want_at_once_is_read_once_wherever_they_come_from() -> None:
    all_of_them, work, one, other = Reads(), Work(), Address(), Address()

    tasks = wanted(work, all_of_them, one, "a", "a") + wanted(work, all_of_them, other, "a")
    await settled()
    work.go.set()

    assert [b"a"] * 3 == await asyncio.gather(*tasks)
    assert ["a"] == work.begun


async def test_who_wants_what_waits_for_its_turn_elsewhere_has_it_at_once() -> None:
    all_of_them, work, one, other = Reads(), Work(), Address(), Address()

    tasks = wanted(work, all_of_them, one, "a", "b") + wanted(work, all_of_them, other, "b")
    await settled()

    assert ["a", "b"] == work.begun
    work.go.set()
    await asyncio.gather(*tasks)


async def test_an_address_that_has_read_more_than_it_may_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "READS", (10, EVER))
    all_of_them, work, one = Reads(), Work(), Address()
    work.go.set()

    assert b"a" == await all_of_them.read(one, "a", 11, partial(work.do, "a"))
    tasks = wanted(work, all_of_them, one, "b") + wanted(work, all_of_them, Address(), "c")
    await settled()

    assert ["a", "c"] == work.begun
    tasks[0].cancel()


async def test_more_than_may_wait_are_told_to_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "READERS", 3)
    all_of_them, work, one = Reads(), Work(), Address()

    tasks = wanted(work, all_of_them, one, "a", "b", "c", "d")
    await settled()
    work.go.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)

    assert [b"a", b"b", b"c"] == answers[:3]
    assert isinstance(answers[3], Busy)


async def test_who_has_waited_too_long_for_his_address_is_told_to_come_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given one whose turn is another's for long, and one who has the turn and owes for what was read."""
    monkeypatch.setattr(reads, "LONGEST", 0.05)
    monkeypatch.setattr(addresses, "READS", (10, 0.4))
    all_of_them, work, one, owing = Reads(), Work(), Address(), Address()
    first = wanted(work, all_of_them, one, "a")
    await settled()
    with pytest.raises(Busy):
        await all_of_them.read(one, "b", 1, partial(work.do, "b"))

    async with owing.turn:
        owing.reads.spend(10)
        waits = asyncio.create_task(all_of_them.read(owing, "c", 1, partial(work.do, "c")))
        await settled()
        owing.reads.spend(10)
    with pytest.raises(Busy):
        await waits
    assert ["a"] == work.begun
    assert (1, 0) == (one.readers, owing.readers)
    assert 1 == one.turned_away["reads"] == owing.turned_away["reads"]

    work.go.set()
    assert [b"a"] == await asyncio.gather(*first)
    assert b"d" == await all_of_them.read(one, "d", 1, partial(work.do, "d"))


async def test_who_would_wait_too_long_is_told_at_once_when_to_come_again(server: Serving) -> None:
    async with seated(server.url) as (created, _, _):
        size, seconds = READS
        home(server).reads.spend(size * (1 + 2 * reads.LONGEST / seconds))
        got = await get(server.url, f"/api/matches/{created['match']}/record")

    assert (503, {"code": "busy", "reason": reads.TOO_MUCH}) == (got.status, got.json)
    assert reads.LONGEST < int(got.headers["retry-after"]) <= 2 * reads.LONGEST
    assert 1 == server.addresses.turned_away["reads"]


async def test_a_read_that_fails_leaves_its_turn_to_the_next() -> None:
    all_of_them, one = Reads(), Address()

    async def failing() -> bytes:
        raise Busy

    async def fine() -> bytes:
        return b"fine"

    first, second = await asyncio.gather(
        all_of_them.read(one, "a", 1, failing), all_of_them.read(one, "b", 1, fine), return_exceptions=True
    )

    assert isinstance(first, Busy)
    assert b"fine" == second


def home(server: Serving) -> Address:
    return server.addresses.at(("127.0.0.1", 0))


def left(address: Address) -> float:
    address.reads.owed()
    return address.reads._tokens


@pytest.mark.parametrize(("what", "each"), [("record", RECORD), ("steps", STEPS), ("steps?all=1", STEPS)])
async def test_every_fact_of_a_match_that_is_read_counts_for_the_address(
    server: Serving, monkeypatch: pytest.MonkeyPatch, what: str, each: float
) -> None:
    monkeypatch.setattr(addresses, "READS", (1_000, EVER))
    async with seated(server.url) as (created, north, _):
        ended = await north.ask("resign", match=created["match"])

        got = await get(server.url, f"/api/matches/{created['match']}/{what}")

    assert 200 == got.status
    assert 1_000 - each * ended["seq"] == pytest.approx(left(home(server)), abs=0.01)


async def test_who_has_to_wait_is_answered_though_it_takes_longer_than_a_request_may(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paced, "REQUEST", 0.2)
    async with seated(server.url) as (created, _, _):
        async with home(server).turn:
            waiting = asyncio.create_task(get(server.url, f"/api/matches/{created['match']}/record"))
            await asyncio.sleep(0.5)
            assert not waiting.done()
        assert 200 == (await waiting).status


async def test_sixty_at_one_address_read_records_and_replays_at_once(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        await north.ask("resign", match=created["match"])
        doors = ["", token(created, "seat", 0), token(created, "seat", 1)]
        kinds = ["record", "steps", "steps?all=1", "steps?side=0", "steps?side=1"]

        def ask(number: int) -> Any:
            path = f"/api/matches/{created['match']}/{kinds[number % 5]}"
            return get(server.url, path, doors[number % 3])

        answers: list[Got] = await asyncio.gather(*map(ask, range(60)))

    assert {200} == {one.status for one in answers}
    assert 4 <= len({one.body for one in answers})


async def test_what_has_been_answered_is_read_anew() -> None:
    all_of_them, one = Reads(), Address()
    begun = []
    for _ in range(2):
        work = Work()
        work.go.set()
        assert b"a" == await all_of_them.read(one, "a", 1, partial(work.do, "a"))
        begun.append(work.begun)

    assert [["a"], ["a"]] == begun
    assert 0 == len(all_of_them._shared)


async def test_a_node_has_so_many_places_for_reads_whoever_wants_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reads, "PLACES", 2)
    all_of_them, work = Reads(), Work()

    tasks = [task for name in "abcd" for task in wanted(work, all_of_them, Address(), name)]
    await settled()

    assert ["a", "b"] == work.begun
    work.go.set()
    assert [b"a", b"b", b"c", b"d"] == await asyncio.gather(*tasks)


async def test_whoever_reads_goes_before_whoever_disputes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "PLACES", 1)
    all_of_them, work = Reads(), Work()

    tasks = wanted(work, all_of_them, Address(), "first")
    await settled()
    disputed = partial(all_of_them.read, Address(), "dispute", 1, partial(work.do, "dispute"))
    tasks.append(asyncio.create_task(disputed(dispute=True)))
    await settled()
    tasks += wanted(work, all_of_them, Address(), "read")
    await settled()
    work.go.set()
    await asyncio.gather(*tasks)

    assert ["first", "read", "dispute"] == work.begun


async def test_a_read_begins_when_no_hello_waits_and_not_never(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "LOOK", 0)
    monkeypatch.setattr(reads, "LOOKS", 100)
    waiting = [True] * 50
    work = Work()
    work.go.set()
    hellos, for_ever = Reads(lambda: bool(waiting) and waiting.pop()), Reads(lambda: True)

    tasks = wanted(work, hellos, Address(), "a")
    await settled()
    assert [] == work.begun
    tasks += wanted(work, for_ever, Address(), "b")
    await asyncio.gather(*tasks)

    assert [] == waiting


async def test_who_has_waited_too_long_for_a_place_is_told_to_come_later_and_leaves_it_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reads, "PLACES", 1)
    monkeypatch.setattr(reads, "LONGEST", 0.01)
    all_of_them, work = Reads(), Work()

    first = wanted(work, all_of_them, Address(), "a")
    await settled()
    with pytest.raises(Busy):
        await all_of_them.read(Address(), "b", 1, partial(work.do, "b"))
    work.go.set()

    assert [b"a"] == await asyncio.gather(*first)
    assert b"c" == await all_of_them.read(Address(), "c", 1, partial(work.do, "c"))


async def test_what_nobody_waits_for_any_more_is_read_no_further_and_keeps_nobody() -> None:
    all_of_them, work, one, other = Reads(), Work(), Address(), Address()
    gone = wanted(work, all_of_them, one, "a", "b", "c")
    stays = wanted(work, all_of_them, other, "a")
    await settled()
    for task in gone:
        task.cancel()
    await settled()
    begun = list(work.begun)
    work.go.set()

    assert (["a"], 0) == (begun, one.readers)
    assert [b"a"] == await asyncio.gather(*stays)
    assert [b"d"] == await asyncio.gather(*wanted(work, all_of_them, one, "d"))


async def test_a_read_that_is_cancelled_leaves_its_place_to_the_next() -> None:
    places = reads.Places(1, lambda: False)
    let_go, served = asyncio.Event(), list[str]()

    async def take(name: str) -> None:
        async with places.place():
            served.append(name)
            await let_go.wait()

    tasks = [asyncio.create_task(take(name)) for name in "abc"]
    await settled()
    tasks[1].cancel()
    await settled()
    assert 1 == places.waiting
    let_go.set()
    await asyncio.gather(*tasks, return_exceptions=True)

    assert ["a", "c"] == served


async def test_long_work_beside_the_loop_gives_its_value_or_what_it_raises() -> None:
    def work(steps: int) -> Generator[None, None, int]:
        for _ in range(steps):
            yield
        if not steps:
            raise RequestError("too_early", "the match has not ended")
        return steps

    assert 3 == await reads.beside_the_loop(work(3))
    with pytest.raises(RequestError):
        await reads.beside_the_loop(work(0))


async def test_long_work_that_nobody_waits_for_any_more_ends_at_its_next_step() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> Generator[None, None, None]:
        try:
            while True:
                begun.set()
                yield
        finally:
            ended.set()

    task = asyncio.create_task(reads.beside_the_loop(work()))
    assert await asyncio.to_thread(begun.wait, 10)
    task.cancel()

    assert await asyncio.to_thread(ended.wait, 10)
    with pytest.raises(asyncio.CancelledError):
        await task


def test_threads_that_reckon_let_the_loop_wake_ten_times_as_soon_as_by_python_s_own_measure() -> None:
    before = sys.getswitchinterval()
    try:
        limits.give_way_sooner()
        assert before / 10 == pytest.approx(sys.getswitchinterval())
    finally:
        sys.setswitchinterval(before)
