"""What processes of a machine say to each other."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.siblings import line as lines
from server.siblings import switch
from server.siblings.frames import Frames, Kind, frame
from server.siblings.gathered import AT_ONCE, Gathered
from tests.server.family import Family, family_of_none


@pytest.fixture
async def family() -> AsyncIterator[Family]:
    async with family_of_none() as made:
        yield made


async def answer(text: bytes) -> bytes:
    return text


def test_frames_are_whole_however_they_are_cut() -> None:
    sent = [(Kind.TELL, b"one"), (Kind.BEAT, b""), (Kind.PUBLISH, b"x" * 300)]
    stream = b"".join(frame(kind, rest) for kind, rest in sent)
    for size in (1, 2, 3, 7, 500):
        frames = Frames()
        parts = [stream[place : place + size] for place in range(0, len(stream), size)]

        assert sent == [one for part in parts for one in frames.taken(part)]


async def test_what_is_said_in_one_round_of_the_loop_goes_out_in_one_write() -> None:
    written: list[bytes] = []
    said = Gathered(written.append)
    for text in (b"one", b"two"):
        said.put(text)
    before = list(written)
    await asyncio.sleep(0)
    said.put(b"three")
    await asyncio.sleep(0)

    assert ([], [b"onetwo", b"three"]) == (before, written)


async def test_much_that_is_said_does_not_wait_for_the_end_of_the_round() -> None:
    written: list[bytes] = []
    said = Gathered(written.append)
    for text in (b"x" * (AT_ONCE - 1), b"y", b"z"):
        said.put(text)
    before = list(written)
    await asyncio.sleep(0)

    assert [b"x" * (AT_ONCE - 1) + b"y"] == before
    assert [b"z"] == written[1:]


async def test_what_is_said_last_is_heard_though_the_line_is_closed_at_once(family: Family) -> None:
    here, there = [await family.line() for _ in range(2)]
    heard = asyncio.Event()
    here.hear(1, lambda _, text: heard.set() if text == b"last" else None)
    there.tell(1, b"last")
    there.close()

    await asyncio.wait_for(heard.wait(), 5)


async def test_all_siblings_are_asked_and_answer(family: Family) -> None:
    here, *others = [await family.line() for _ in range(3)]
    for other in others:
        other.answer_with(b"who", lambda other=other: answer(b"%d" % other.number))  # type: ignore[misc]

    assert {1: b"1", 2: b"2"} == await here.ask(b"who")
    assert {1, 2} == here.siblings


async def test_questions_are_answered_however_many_were_asked_before(family: Family) -> None:
    """Given as many as a number of four bytes tells apart."""
    here, there = [await family.line() for _ in range(2)]
    there.answer_with(b"who", lambda: answer(b"there"))
    here._asked = lines.QUESTIONS - 2

    assert [{1: b"there"}] * 3 == [await here.ask(b"who") for _ in range(3)]
    assert {} == here._questions


async def test_who_is_alone_asks_nobody(family: Family) -> None:
    here = await family.line()

    assert {} == await here.ask(b"who")


async def test_of_who_does_not_answer_in_time_there_is_no_answer(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "ANSWER", 0.2)
    here, there, other = [await family.line() for _ in range(3)]
    there.answer_with(b"who", lambda: answer(b"there"))

    assert {1: b"there"} == await here.ask(b"who")
    assert other.number == 2


async def test_who_is_lost_while_he_is_asked_is_not_waited_for(family: Family) -> None:
    here, _ = [await family.line() for _ in range(2)]
    asked = asyncio.create_task(here.ask(b"who"))
    await here.round_trip()
    family.cut(1)

    assert {} == await asyncio.wait_for(asked, lines.ANSWER / 2)
    assert set() == here.siblings


async def test_one_that_is_left_out_is_gone_to_its_siblings_until_it_says_something(family: Family) -> None:
    lines = [await family.line() for _ in range(3)]
    here, there, other = lines
    changes: list[tuple[str, int]] = []
    there.when_gone(lambda number: changes.append(("gone", number)))
    there.when_came(lambda number: changes.append(("came", number)))
    family.leave_out(1)
    await here.round_trip()
    without = here.siblings | other.siblings
    there.tell(9, b"still here")
    for line in (there, here):
        await line.round_trip()

    assert {0, 2} == without
    assert [{1, 2}, {0, 2}, {0, 1}] == [line.siblings for line in lines]
    assert [("gone", 0), ("gone", 2), ("came", 0), ("came", 2)] == changes


async def test_one_that_was_left_out_is_not_taken_in_when_its_line_is_lost(family: Family) -> None:
    here, _ = [await family.line() for _ in range(2)]
    family.leave_out(1)
    family.cut(1)
    await here.round_trip()

    assert set() == here.siblings


async def test_one_that_was_left_out_has_no_sibling_that_went_meanwhile(family: Family) -> None:
    here, there, _ = [await family.line() for _ in range(3)]
    family.leave_out(0)
    family.cut(2)
    here.tell(9, b"still here")
    for line in (here, there):
        await line.round_trip()

    assert ({1}, {0}) == (here.siblings, there.siblings)


async def test_of_two_that_were_left_out_one_has_the_other_when_both_have_said_something(
    family: Family,
) -> None:
    lines = [await family.line() for _ in range(2)]
    known = []
    for number in (0, 1):
        family.leave_out(number)
    for line in lines:
        line.tell(9, b"still here")
        for each in lines[: line.number + 1]:
            await each.round_trip()
        known.append([set(each.siblings) for each in lines])
    family.cut(1)
    await lines[0].round_trip()

    assert [set(), {1}] == [each[0] for each in known]
    assert {0} == known[1][1]
    assert set() == lines[0].siblings


async def test_one_that_comes_in_place_of_one_that_is_known_is_another(family: Family) -> None:
    """Given nobody has said that the one before is gone."""
    here = await family.line()
    changes: list[tuple[str, int]] = []
    here.when_gone(lambda number: changes.append(("gone", number)))
    here.when_came(lambda number: changes.append(("came", number)))
    for _ in range(2):
        here.data_received(frame(Kind.CAME, lines.NUMBER.pack(1)))

    assert [("came", 1), ("gone", 1), ("came", 1)] == changes
    assert {1} == here.siblings


async def test_a_receiver_that_raises_keeps_nobody_from_hearing_what_comes_next(family: Family) -> None:
    faults: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: faults.append(str(context["exception"]))
    )
    here, there = [await family.line() for _ in range(2)]
    heard: list[bytes] = []
    came: list[int] = []

    def fails(*_: object) -> None:
        raise ValueError(len(faults))

    here.hear(1, fails)
    here.hear(2, lambda _, text: heard.append(text))
    for call in (fails, came.append):
        here.when_came(call)
    for topic in (1, 2):
        there.tell(topic, b"news")
    await there.round_trip()
    third = await family.line()
    await third.round_trip()
    await here.round_trip()

    assert (["0", "1"], [b"news"], [2]) == (faults, heard, came)


async def test_a_process_that_reads_nothing_is_cut_off(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(switch, "MOST", 1 << 20)
    here, there = [await family.line() for _ in range(2)]
    assert there._transport is not None
    there._transport.pause_reading()
    for _ in range(1000):
        here.tell(9, b"x" * 10_000)
        await asyncio.sleep(0)
    async with asyncio.timeout(5):
        while here.siblings:
            await asyncio.sleep(0.005)
    there._transport.resume_reading()
    await asyncio.wait_for(there.lost.wait(), 5)
