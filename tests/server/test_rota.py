"""Whose bytes are parsed next: no address waits for one with much to say, and who plays not for who comes."""

import asyncio
from functools import partial
from typing import Any

from server.addresses import Address
from server.socket.rota import AT_ONCE, Rota


async def done_in_each_iteration(done: list[str]) -> list[list[str]]:
    """Return what was done at once, and then in each iteration, until nothing more is."""
    seen: list[list[str]] = []
    while done:
        seen.append(done.copy())
        done.clear()
        await asyncio.sleep(0)
    return seen


async def test_where_nobody_waits_a_few_are_served_at_once_and_the_next_in_the_next_iteration() -> None:
    rota, one, done = Rota(), Address(), list[str]()

    for number in range(AT_ONCE + 1):
        rota.ask(one, partial(done.append, f"{number}"))
    at_once, *later = await done_in_each_iteration(done)

    assert AT_ONCE == len(at_once)
    assert [[f"{AT_ONCE}"]] == later


async def test_of_two_addresses_the_one_with_less_to_say_is_served_as_soon_as_the_other() -> None:
    rota, crowd, one, done = Rota(), Address(), Address(), list[str]()

    for _ in range(10 * AT_ONCE):
        rota.ask(crowd, partial(done.append, "crowd"))
    rota.ask(one, partial(done.append, "one"))
    iterations = await done_in_each_iteration(done)

    assert "one" in iterations[1]
    assert {AT_ONCE} == {len(iteration) for iteration in iterations[:-1]}


async def test_who_plays_goes_before_who_comes_and_one_of_those_is_served_each_time() -> None:
    rota, playing, done = Rota(), Address(), list[str]()

    for number in range(5 * AT_ONCE):
        rota.ask(Address(), partial(done.append, f"comes {number}"))
    for _ in range(2 * AT_ONCE):
        rota.ask(playing, partial(done.append, "plays"), 0)
    _, second, third, *_ = await done_in_each_iteration(done)

    assert [AT_ONCE - 1] * 2 == [second.count("plays"), third.count("plays")]
    assert [AT_ONCE] * 2 == [len(second), len(third)]


async def test_who_has_begun_is_done_before_more_begin_and_one_of_those_begins_each_time() -> None:
    rota, done = Rota(), list[str]()

    for name, rank in (("new", 2), ("begun", 1)) * (5 * AT_ONCE):
        rota.ask(Address(), partial(done.append, name), rank)  # type: ignore[arg-type]
    _, second, third, *_ = await done_in_each_iteration(done)

    expected = ["begun"] * (AT_ONCE - 1) + ["new"]
    assert [expected] * 2 == [second, third]


async def test_where_many_play_one_who_has_begun_and_one_who_is_new_are_served_by_turns() -> None:
    rota, done = Rota(), list[str]()

    for _ in range(5 * AT_ONCE):
        rota.ask(Address(), partial(done.append, "plays"), 0)
        rota.ask(Address(), partial(done.append, "begun"), 1)
        rota.ask(Address(), partial(done.append, "new"), 2)
    _, second, third, *_ = await done_in_each_iteration(done)

    playing = ["plays"] * (AT_ONCE - 1)
    assert [[*playing, "begun"], [*playing, "new"]] == sorted([second, third])


async def test_what_a_part_raises_is_told_and_all_others_are_done() -> None:
    rota, done, told = Rota(), list[str](), list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))

    def bad() -> None:
        raise ValueError("no part of ours")

    for _ in range(AT_ONCE):
        rota.ask(Address(), bad)
        rota.ask(Address(), partial(done.append, "part"))
        rota.ask(Address(), bad)
    for _ in range(5):
        await asyncio.sleep(0)
    rota.ask(Address(), partial(done.append, "later"))
    await asyncio.sleep(0)

    assert ["part"] * AT_ONCE + ["later"] == done
    assert ["no part of ours"] * 2 * AT_ONCE == [str(context["exception"]) for context in told]


async def test_what_a_part_asks_for_has_its_turn_later() -> None:
    rota, one, done = Rota(), Address(), list[str]()

    def again(left: int) -> None:
        done.append("part")
        if left:
            rota.ask(one, partial(again, left - 1))

    rota.ask(one, partial(again, 3 * AT_ONCE))
    iterations = await done_in_each_iteration(done)

    assert max(len(iteration) for iteration in iterations) <= AT_ONCE
