"""Long work gives way to everybody else, however much of it there is."""

import asyncio
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest

from server.play import slices
from server.play.slices import Slices

ROUND = "round"


@pytest.fixture(autouse=True)
def _a_slice_is_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 0.0)


def counting(name: str, steps: int, done: list[str]) -> Generator[None, None, str]:
    for _ in range(steps):
        done.append(name)
        yield
    return name


@asynccontextmanager
async def somebody_else(done: list[str]) -> AsyncIterator[None]:
    async def rounds() -> None:
        while True:
            done.append(ROUND)
            await asyncio.sleep(0)

    task = asyncio.create_task(rounds())
    yield
    task.cancel()


async def test_work_returns_what_it_came_to() -> None:
    assert "a" == await Slices().through(counting("a", 5, []))


async def test_between_two_slices_everybody_else_has_a_turn() -> None:
    done = list[str]()
    work = Slices()

    async with somebody_else(done):
        await asyncio.gather(*(work.through(counting(name, 5, done)) for name in "abc"))

    steps = [place for place, what in enumerate(done) if what != ROUND]
    assert 15 == len(steps)
    assert all(ROUND in done[one:other] for one, other in pairwise(steps))


async def test_work_takes_turns_with_other_work() -> None:
    done = list[str]()
    work = Slices()

    await asyncio.gather(*(work.through(counting(name, 3, done)) for name in "abc"))

    assert "abcabcabc" == "".join(done)


async def test_work_that_fails_or_is_given_up_stands_in_nobody_s_way() -> None:
    def failing() -> Generator[None, None, None]:
        yield
        raise LookupError

    work = Slices()
    given_up = asyncio.create_task(work.through(counting("a", 1_000_000, [])))
    await asyncio.sleep(0)
    given_up.cancel()

    with pytest.raises(LookupError):
        await work.through(failing())

    assert "b" == await work.through(counting("b", 3, []))


async def test_a_slice_has_as_many_steps_as_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 60.0)
    done = list[str]()

    async with somebody_else(done):
        await Slices().through(counting("a", 100, done))

    assert ["a"] * 100 == [what for what in done if what != ROUND]
    assert 1 >= done.count(ROUND)
