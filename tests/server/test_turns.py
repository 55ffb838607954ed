"""Turns at the database: who waits, who is next, and what those who wait are told."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed, ConnectionClosedError

from domain.match.refusals import RequestError
from server import turns
from server.addresses import Address
from server.log.outcomes import Busy, Unavailable
from server.turns import Turns


class Queue:
    """Some who want a turn, each of whom asks until it is told to stop."""

    def __init__(self, at_once: Turns) -> None:
        self.turns, self.asking, self.home = at_once, list[str](), Address()
        self.told: dict[str, asyncio.Future[None]] = {}

    def come(
        self, name: str, address: Address | None = None, connection: "Caller | None" = None
    ) -> asyncio.Task[None]:
        self.told[name] = asyncio.get_running_loop().create_future()
        return asyncio.create_task(self._ask(name, address or self.home, connection))

    async def _ask(self, name: str, address: Address, connection: "Caller | None") -> None:
        async with self.turns.turn(address, connection):
            self.asking.append(name)
            try:
                await self.told[name]
            finally:
                self.asking.remove(name)

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not true():
                await asyncio.sleep(0)


class Caller:
    """A connection, as far as it can end."""

    def __init__(self) -> None:
        self.connection_lost_waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(self) -> None:
        self.connection_lost_waiter.set_result(None)

    def look_there(self) -> None:
        if self.connection_lost_waiter.done():
            raise ConnectionClosedError(None, None)


async def test_who_comes_from_elsewhere_waits_behind_one_of_a_crowd_and_not_behind_all_of_it() -> None:
    queue, other = Queue(Turns(1)), Address()
    tasks = [queue.come(name) for name in "abcd"]
    await queue.until(lambda: queue.asking == ["a"])
    tasks += [queue.come(name, other) for name in "xy"]
    await asyncio.sleep(0)  # both begin to wait

    order = list[str]()
    for _ in tasks:
        await queue.until(lambda: len(queue.asking) == 1 and not queue.told[queue.asking[0]].done())
        order += queue.asking
        queue.told[order[-1]].set_result(None)
    await asyncio.gather(*tasks)

    assert [*"abxcyd"] == order


async def test_nothing_is_kept_of_who_goes_while_he_waits() -> None:
    queue = Queue(Turns(1))
    first, gone = [queue.come(name) for name in "ab"]
    await queue.until(lambda: queue.turns.crowded)

    gone.cancel()
    await asyncio.wait([gone])
    assert not queue.turns.crowded
    queue.told["a"].set_result(None)
    await first


async def test_so_many_ask_at_once_and_the_others_of_an_address_in_the_order_in_which_they_came() -> None:
    queue = Queue(Turns(2))
    tasks = [queue.come(name) for name in "abcd"]
    await queue.until(lambda: queue.asking == ["a", "b"])

    queue.told["b"].set_result(None)
    await queue.until(lambda: queue.asking == ["a", "c"])
    queue.told["a"].set_result(None)
    await queue.until(lambda: queue.asking == ["c", "d"])
    for name in "cd":
        queue.told[name].set_result(None)
    await asyncio.gather(*tasks)
    tasks = [queue.come(name) for name in "ef"]
    await queue.until(lambda: queue.asking == ["e", "f"])
    for task in tasks:
        task.cancel()


async def test_who_goes_while_he_waits_or_as_his_turn_comes_takes_nobody_s_turn() -> None:
    queue = Queue(Turns(1))
    first, gone, late, last = [queue.come(name) for name in "abcd"]
    await queue.until(lambda: queue.asking == ["a"])

    gone.cancel()
    await asyncio.wait([gone])
    queue.told["a"].set_result(None)
    await first  # with its end the turn is given to `late`, which has not run since
    late.cancel()
    await queue.until(lambda: queue.asking == ["d"])
    queue.told["d"].set_result(None)
    await last


async def test_who_has_waited_for_long_or_has_many_before_him_is_told_later_and_leaves_his_turn() -> None:
    queue = Queue(Turns(1))
    first = queue.come("a")
    await queue.until(lambda: queue.asking == ["a"])

    async def wait(longest: float | None = None, most: int | None = None) -> None:
        async with asyncio.timeout(5), queue.turns.turn(queue.home, longest=longest, most=most):
            raise AssertionError

    with pytest.raises(Busy):
        await wait(longest=0.01)
    with pytest.raises(Busy):
        await wait(most=0)
    assert not queue.turns.crowded

    late, last = asyncio.create_task(wait(longest=0.0)), queue.come("last")
    queue.told["a"].set_result(None)
    await first  # with its end the turn is given to `late`, which has not run since, and its time is over
    with pytest.raises(Busy):
        await late
    await queue.until(lambda: queue.asking == ["last"])
    queue.told["last"].set_result(None)
    await last


@pytest.mark.parametrize("when", ["before", "while it waits", "as its turn comes"])
async def test_whose_connection_ends_has_no_turn_waits_no_more_and_is_no_answer_of_the_database(
    when: str,
) -> None:
    queue, caller = Queue(Turns(1)), Caller()
    first = queue.come("a")
    await queue.until(lambda: queue.asking == ["a"])
    if when == "before":
        caller.end()
    gone = queue.come("gone", connection=caller)
    await asyncio.sleep(0)
    if when == "while it waits":
        assert queue.turns.crowded
        caller.end()
        with pytest.raises(ConnectionClosed):
            await gone
    assert queue.turns.crowded is (when == "as its turn comes")

    last = queue.come("last")
    await asyncio.sleep(0)
    queue.told["a"].set_result(None)
    await first  # with its end the turn is given to the next, who has not run since
    if when == "as its turn comes":
        caller.end()
    with pytest.raises(ConnectionClosed):
        await gone
    await queue.until(lambda: queue.asking == ["last"])
    assert 1 == queue.turns._answered
    queue.told["last"].set_result(None)
    await last


async def test_where_nobody_had_an_answer_while_one_waited_for_long_all_who_wait_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "SILENT", 0.02)
    queue = Queue(Turns(2))
    silent, other, *waiting = [queue.come(name) for name in "abcd"]
    await queue.until(lambda: queue.asking == ["a", "b"])
    await asyncio.sleep(0.05)

    queue.told["a"].set_exception(TimeoutError)
    for task in waiting:
        with pytest.raises(Unavailable):
            await task
    with pytest.raises(TimeoutError):
        await silent
    assert queue.asking == ["b"]
    later = queue.come("e")
    await queue.until(lambda: queue.asking == ["b", "e"])
    for name in "be":
        queue.told[name].set_result(None)
    await asyncio.gather(other, later)


@pytest.mark.parametrize("meanwhile", ["another was answered", "it was short"])
async def test_a_failure_that_tells_nothing_of_the_database_refuses_nobody_else(
    monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    monkeypatch.setattr(turns, "SILENT", 0.02 if meanwhile == "another was answered" else 60.0)
    queue = Queue(Turns(2))
    tasks = [queue.come(name) for name in "abcd"]
    await queue.until(lambda: queue.asking == ["a", "b"])
    await asyncio.sleep(0.05)
    if meanwhile == "another was answered":
        queue.told["b"].set_result(None)
        await queue.until(lambda: queue.asking == ["a", "c"])

    queue.told["a"].set_exception(TimeoutError)
    await queue.until(lambda: queue.asking[-1] == ("d" if meanwhile == "another was answered" else "c"))
    for told in queue.told.values():
        if not told.done():
            told.set_result(None)
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [TimeoutError, type(None), type(None), type(None)] == [type(end) for end in ends]


async def test_one_who_is_refused_for_what_he_asks_makes_nobody_else_go() -> None:
    queue = Queue(Turns(1))
    wrong, next_one = [queue.come(name) for name in "ab"]
    await queue.until(lambda: queue.asking == ["a"])

    queue.told["a"].set_exception(RequestError("bad_token", "void"))
    await queue.until(lambda: queue.asking == ["b"])
    queue.told["b"].set_result(None)
    await next_one
    with pytest.raises(RequestError):
        await wrong


async def test_equal_questions_that_wait_share_one_that_begins_after_all_of_them() -> None:
    """Given a turn that is taken, three who ask for one thing and one who asks for another."""
    queue, asked = Queue(Turns(1)), list[str]()
    first = queue.come("a")
    await queue.until(lambda: queue.asking == ["a"])
    go_on = asyncio.Event()

    async def look(name: str) -> int:
        asked.append(name)
        await go_on.wait()
        return len(asked)

    def ask(name: str, address: Address) -> asyncio.Task[int]:
        return asyncio.create_task(queue.turns.shared(name, address, partial(look, name)))

    waiting = [ask(name, Address()) for name in ("same", "same", "other", "same")]
    await asyncio.sleep(0)
    queue.told["a"].set_result(None)
    await queue.until(lambda: asked == ["same"])
    late = ask("same", Address())
    await asyncio.sleep(0)
    go_on.set()
    async with asyncio.timeout(5):
        assert [1, 1, 2, 1] == await asyncio.gather(*waiting)
        assert 3 == await late
        await first

    assert ["same", "other", "same"] == asked
    assert 0 == len(queue.turns._shared)


async def test_who_goes_while_it_shares_a_question_keeps_nobody_else_from_the_answer() -> None:
    queue = Queue(Turns(1))
    first = queue.come("a")
    await queue.until(lambda: queue.asking == ["a"])

    async def look() -> str:
        raise RequestError("no_match", "there is no such match")

    gone, stays = [asyncio.create_task(queue.turns.shared("same", Address(), look)) for _ in range(2)]
    await asyncio.sleep(0)
    gone.cancel()
    queue.told["a"].set_result(None)
    async with asyncio.timeout(5):
        with pytest.raises(RequestError):
            await stays
        await first

    assert 0 == len(queue.turns._shared)


async def test_a_question_is_not_asked_where_all_have_gone_who_would_share_it() -> None:
    queue, asked, callers = Queue(Turns(1)), list[str](), [Caller(), Caller()]
    first = queue.come("a")
    await queue.until(lambda: queue.asking == ["a"])

    async def look() -> str:
        asked.append("asked")
        return "answer"

    def ask(caller: Caller) -> asyncio.Task[str]:
        return asyncio.create_task(queue.turns.shared("same", Address(), look, caller))

    gone = [ask(caller) for caller in callers]
    await asyncio.sleep(0)
    for caller in callers:
        caller.end()
    async with asyncio.timeout(5):
        for one in gone:
            with pytest.raises(ConnectionClosed):
                await one
        while queue.turns.crowded:
            await asyncio.sleep(0)
        assert 0 == len(queue.turns._shared)
        late = ask(Caller())
        queue.told["a"].set_result(None)
        assert "answer" == await late
        await first

    assert ["asked"] == asked
