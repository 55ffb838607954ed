"""Passages of a match: the view at any moment and what followed, from the position before."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from msgspec import to_builtins

from clients import reading
from clients.links import Place
from projections import positions
from server.http import passages
from server.limits import READS
from server.serving import Serving
from tests.server.reading import get
from tests.server.talk import Said, Talk, seated, token
from tests.server.test_pages import api, until, view
from tests.server.test_truth import decide_if_asked

EVERY = 20


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "EVERY", EVERY)


class Long:
    """A match under way, at which both seats have decided often enough for positions."""

    def __init__(self, server: Serving, created: Said, seats: tuple[Talk, Talk]) -> None:
        self.server, self.created, self.seats = server, created, seats
        self.match = UUID(created["match"])

    async def play(self, facts: int) -> int:
        """Decide until there are so many facts, and until their positions are kept; return the head."""
        head = 0
        while head < facts:
            before = head
            for seat, talk in enumerate(self.seats):
                answer = await decide_if_asked(talk, self.created, seat)
                head = answer["seq"] if answer else head
            assert head > before, f"the match has ended at {head} of {facts} facts"
        await until(lambda: self.position(head), lambda seq: seq >= head - head % EVERY)
        return head

    async def position(self, upto: int) -> int:
        return await self.server.matches.opening.last_position(self.match, upto)

    async def steps(self, query: str = "", seat: int | None = None) -> list[Said]:
        door = "" if seat is None else token(self.created, "seat", seat)
        return (await get(self.server.url, api(self.created, f"/steps{query}"), door)).lines


@pytest.fixture
async def long(server: Serving) -> AsyncIterator[Long]:
    """Give a match of the longer scenario, begun: by night (5.2), where no side is sunk before 100 facts."""
    async with seated(server.url, scenario="campaign", options={"night": True}) as (created, north, south):
        yield Long(server, created, (north, south))


@pytest.mark.parametrize("seat", [None, 0, 1])
async def test_a_passage_is_the_view_and_the_frames_of_that_reader(long: Long, seat: int | None) -> None:
    head = await long.play(90)
    whole = await long.steps(seat=seat)

    for number in range(1, len(whole), 5):
        first, last = whole[number - 1]["upto"], whole[min(number + 3, len(whole) - 1)]["upto"]
        passage = await long.steps(f"?from={first}&upto={last}", seat)
        alone = await long.steps(f"?from={whole[number]['upto'] - 1}", seat)

        assert view(whole[:number]) == passage[0]["view"]
        assert (first, whole[number - 1]["h"]) == (passage[0]["upto"], passage[0]["h"])
        assert [one for one in whole if first < one["upto"] <= last] == passage[1:]
        assert passage[:1] == alone
    assert [head] == [one["upto"] for one in await long.steps(f"?from={head + 99}", seat)]


async def test_from_0_a_passage_begins_with_the_first_command(long: Long) -> None:
    await long.play(30)
    whole = await long.steps(seat=0)
    last = whole[5]["upto"]

    passage = await long.steps(f"?from=0&upto={last}", 0)
    of_the_record = await get(long.server.url, api(long.created, f"/record?from=0&upto={last}"))

    assert (0, "00" * 32) == (passage[0]["upto"], passage[0]["h"])
    assert whole[:6] == [{**passage[1], "patch": view(passage[:2])}, *passage[2:]]
    assert (400, "bad_request") == (of_the_record.status, of_the_record.json["code"])


async def test_a_client_reads_a_match_that_is_sent_in_passages_alone(
    long: Long, monkeypatch: pytest.MonkeyPatch
) -> None:
    await long.play(90)
    place = Place(long.server.url, long.match, token(long.created, "seat", 0))
    whole = await long.steps(seat=0)
    monkeypatch.setattr(passages, "WHOLE", 30)
    monkeypatch.setattr(passages, "LONGEST", 30)
    monkeypatch.setattr(reading, "AT_ONCE", 30)
    asked = list[str]()
    get_ = reading.get

    def heard(url: str, path: str, token: str = "") -> bytes:
        asked.append(path.partition("?")[2])
        return get_(url, path, token)

    monkeypatch.setattr(reading, "get", heard)

    frames = await asyncio.to_thread(lambda: [*reading.steps(place)])
    all_asked, after = len(asked), whole[-5]["upto"]
    rest = await asyncio.to_thread(lambda: [*reading.steps(place, after)])

    assert [one["upto"] for one in whole] == [frame.upto for frame in frames]
    assert [one["facts"] for one in whole] == to_builtins([frame.facts for frame in frames])
    assert all_asked > 3
    assert [f"from={after}&upto={after + 30}"] == asked[all_asked + 1 :][:1]
    assert frames[-4:] == rest


async def test_of_a_match_that_goes_on_nobody_is_shown_another_s_passage(long: Long) -> None:
    head = await long.play(60)
    query = f"?from={head - 30}&upto={head}"

    own = await long.steps(query, 0)

    assert own == await long.steps(f"{query}&side=1&all=1", 0)
    assert own != await long.steps(query, 1)
    assert any(frame["sealed"] for frame in own[1:])


async def test_when_it_has_ended_everybody_may_see_everything_of_a_passage(long: Long) -> None:
    await long.play(60)
    head = (await long.seats[0].ask("resign", match=long.created["match"]))["seq"]
    whole = await long.steps("?side=1&all=1")
    first = whole[len(whole) // 2]["upto"]

    passage = await long.steps(f"?from={first}&upto={head}&side=1&all=1")

    assert [one for one in whole if one["upto"] > first] == passage[1:]
    assert not any(frame["sealed"] for frame in passage[1:])
    assert view(whole) == view(passage)


@pytest.mark.parametrize(
    "query", ["?from=x", "?from=0", "?from=9&upto=8", "?upto=-1", "?from=1e3", "?from=²"]
)
async def test_what_is_no_passage_is_refused(long: Long, query: str) -> None:
    await long.play(20)

    got = await get(long.server.url, api(long.created, f"/steps{query}"))

    assert (400, "bad_request") == (got.status, got.json["code"])


async def test_a_passage_is_no_longer_than_it_may_be_and_a_long_match_is_not_sent_whole(
    long: Long, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = await long.play(40)
    monkeypatch.setattr(passages, "LONGEST", 10)
    monkeypatch.setattr(passages, "WHOLE", 30)

    answers: list[Any] = [
        await get(long.server.url, api(long.created, f"/steps{query}"))
        for query in (f"?from={head - 12}&upto={head}", "", f"?from={head - 10}&upto={head}")
    ]

    assert [(400, "bad_request"), (400, "too_long")] == [
        (one.status, one.json["code"]) for one in answers[:2]
    ]
    assert 200 == answers[2].status


async def test_a_passage_costs_what_it_shows_and_the_way_from_the_position_before(long: Long) -> None:
    head = await long.play(90)
    opening = long.server.matches.opening
    near = await passages.cost(opening, long.match, passages.Passage(head, head))
    far = await passages.cost(opening, long.match, passages.Passage(head - EVERY, head))

    assert near <= 5 + EVERY
    assert far >= near + 5 * EVERY - EVERY / 2  # the position before it is no later
    assert near < READS[0] / 1000


@pytest.mark.parametrize("ended", [False, True])
async def test_the_passages_of_a_record_are_its_lines(long: Long, *, ended: bool) -> None:
    head = await long.play(60)
    if ended:
        head = (await long.seats[0].ask("resign", match=long.created["match"]))["seq"]
    door = token(long.created, "seat", 0)
    whole = (await get(long.server.url, api(long.created, "/record"), door)).body
    read, seq = b"", 0
    while seq < head:
        query = f"?from={seq + 1}&upto={seq + 40}"
        part = await get(long.server.url, api(long.created, f"/record{query}"), door)
        read += part.body
        seq = part.lines[-1]["seq"]

    assert whole == read
    assert head + 1 == len(whole.splitlines())
    assert ended != (b'"sealed"' in whole)
