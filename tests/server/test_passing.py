"""Commands of a match whose seats are at several nodes: one node carries them out, its home."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import msgpack

from server.fanout import room
from server.fanout.homes import TENURE, Homes
from server.play.passing import Outcome
from server.serving import Serving
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, prompt, seated, talking
from tests.server.watching import until

ONE, OTHER = b"one".ljust(16), b"other".ljust(16)


# Homes


def test_given_nothing_is_known_when_asked_then_a_match_has_no_home_elsewhere() -> None:
    assert Homes().of(uuid4()) is None


def test_given_two_moved_when_their_news_come_in_any_order_then_the_later_fact_says_the_home() -> None:
    for news in ([(1, ONE), (2, OTHER)], [(2, OTHER), (1, ONE)]):
        homes, match = Homes(), uuid4()
        for upto, node in news:
            homes.moved(match, upto, node)

        assert OTHER == homes.of(match)


def test_given_a_home_when_this_node_moves_the_match_then_it_is_at_home_here() -> None:
    homes, match = Homes(), uuid4()
    homes.moved(match, 1, ONE)
    homes.moved(match, 2)

    assert homes.of(match) is None


def test_given_a_home_when_nothing_moves_for_its_tenure_then_it_is_one_no_more() -> None:
    time, match = [0.0], uuid4()
    homes = Homes(lambda: time[0])
    homes.moved(match, 1, ONE)
    time[0] = TENURE
    still = homes.of(match)
    time[0] += 1

    assert (ONE, None) == (still, homes.of(match))


def test_given_a_node_is_silent_when_it_is_heard_of_again_then_it_is_a_home_again() -> None:
    homes, match, other = Homes(), uuid4(), uuid4()
    homes.moved(match, 1, ONE)
    homes.silent(ONE)
    silent = homes.of(match)
    homes.moved(other, 1, ONE)

    assert (None, ONE) == (silent, homes.of(match))


def test_given_a_home_when_it_gives_the_match_up_then_it_has_none() -> None:
    homes, match = Homes(), uuid4()
    homes.moved(match, 1, ONE)
    homes.left(match)

    assert homes.of(match) is None


# Two nodes


class Apart:
    """A match with a seat at each of two nodes."""

    def __init__(self, nodes: list[Serving], talks: list[Talk], created: Said) -> None:
        self.nodes, self.talks, self.created = nodes, talks, created
        self.match = UUID(created["match"])

    @property
    def decided(self) -> list[int]:
        """How many commands each node has stored."""
        return [node.matches.decisions for node in self.nodes]

    @property
    def passed(self) -> Counter[Outcome]:
        """What came of the commands that the second node has passed on."""
        return self.nodes[1].gateway.passing.passed

    async def decide(self, seat: int, **fields: Any) -> Said:
        """Send the first option of a seat's latest prompt, and return the answer when all have seen it."""
        upto, options = await prompt(self.talks[seat], seat)
        fields = {"answers": upto, "decision": options[0], **fields}
        answer = await self.talks[seat].ask("decide", match=self.match, **fields)
        if answer["t"] == "receipt":
            for talk in self.talks:
                if not any(said.get("upto", 0) >= answer["seq"] for said in talk.heard):
                    await talk.hear("frame", upto=answer["seq"])
        return answer

    async def go_on(self) -> Said:
        """Have a seat decide that is asked: the second where both are."""
        asked = (await self.nodes[0].matches.latest(self.match)).asked
        return await self.decide(max(asked))

    async def settle(self) -> None:
        """Let the first seat decide, so that the first node is the home, and the second is asked."""
        await self.decide(0)
        await until(lambda: self.nodes[1].hub.homes.of(self.match) is not None)


@asynccontextmanager
async def apart(dsn: str, folder: Path, redis_url: str, **wish: Any) -> AsyncIterator[Apart]:
    """Begin a match at one node, and have its second seat go to another."""
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(running(dsn, folder, redis_url=redis_url)) for _ in range(2)]
        async with seated(nodes[0].url, scenario="campaign", **wish) as (created, north, south):
            await south.say("bye", match=created["match"])
            there = await stack.enter_async_context(talking(nodes[1].url))
            await enter(there, created, 1)
            await until(lambda: all(node.hub.bus_up for node in nodes))
            yield Apart(nodes, [north, there], created)


async def test_given_seats_at_two_nodes_when_both_decide_then_one_node_decides_for_both(
    dsn: str, folder: Path, redis_url: str
) -> None:
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        before = two.decided[0]
        answers = [await two.go_on() for _ in range(12)]

        assert ["receipt"] * 12 == [answer["t"] for answer in answers]
        assert [before + 12, 0] == two.decided
        assert ["answered"] == list(two.passed)


async def test_given_a_home_elsewhere_when_it_stores_then_the_seat_has_frame_and_receipt_in_one_write(
    dsn: str, folder: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given that frames may be held back for longer, since this machine may be busy elsewhere."""
    monkeypatch.setattr(room, "HELD_BACK", 3.0)
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        there, together = two.nodes[1].hub, list[bool]()
        receipt = there.receipt

        def noted(*told: Any) -> bool:
            together.append(receipt(*told))
            return together[-1]

        monkeypatch.setattr(there, "receipt", noted)
        for _ in range(6):
            await two.go_on()

        assert sum(together) > len(together) / 2  # a message of who is present may take a frame along


async def test_given_a_home_elsewhere_when_it_refuses_then_the_seat_is_told_what_its_home_says(
    dsn: str, folder: Path, redis_url: str
) -> None:
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        head = len(await two.nodes[0].log.read_everything(two.match))
        _, options = await prompt(two.talks[1], 1)
        refused = [
            await two.decide(1, decision={"t": "no such"}),
            await two.decide(1, decision={**options[0], "islet": "nowhere"}),
            await two.decide(1, answers=1),
        ]

        assert ["bad_decision", "illegal", "stale"] == [answer["code"] for answer in refused]
        assert "4.1" == refused[1]["rule"]
        assert head == refused[2]["seq"]
        assert {"answered": 3} == two.passed
        assert head == len(await two.nodes[0].log.read_everything(two.match))


async def test_given_a_home_elsewhere_when_a_command_is_sent_again_then_it_has_its_one_answer(
    dsn: str, folder: Path, redis_url: str
) -> None:
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        upto, options = await prompt(two.talks[1], 1)
        sent = {"match": two.match, "command": uuid4(), "answers": upto, "decision": options[0]}
        answers = [await two.talks[1].ask("decide", **sent) for _ in range(2)]
        other = await two.talks[1].ask("decide", **{**sent, "decision": options[1]})

        assert answers[0] == answers[1]
        assert ("receipt", "command_reused") == (answers[0]["t"], other["code"])


@pytest.mark.usefixtures("links_unheard")
async def test_given_a_link_was_replaced_when_it_is_passed_on_then_it_decides_nothing(
    dsn: str, folder: Path, redis_url: str
) -> None:
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        head = len(await two.nodes[0].log.read_everything(two.match))
        async with talking(two.nodes[0].url) as again:
            await enter(again, two.created, 1)
            await again.say("exchange", match=two.match)
            await again.hear("linked")
            refused = await two.decide(1)

        assert "bad_token" == refused["code"]
        assert "no_hello" == (await two.talks[1].ask("undo", match=two.match))["code"]
        assert head == len(await two.nodes[0].log.read_everything(two.match))


async def test_given_no_seat_is_at_the_home_when_a_command_comes_then_the_other_node_becomes_it(
    dsn: str, folder: Path, redis_url: str
) -> None:
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        await two.talks[0].say("bye", match=two.match)
        await until(lambda: not two.nodes[0].hub.seated(two.match))
        two.talks.pop(0)
        upto, options = await prompt(two.talks[0], 1)
        refused = await two.talks[0].ask("decide", match=two.match, answers=1, decision=options[0])
        home = two.nodes[1].hub.homes.of(two.match)
        answer = await two.talks[0].ask("decide", match=two.match, answers=upto, decision=options[0])

        assert ("stale", None, "receipt") == (refused["code"], home, answer["t"])
        assert {"elsewhere": 1} == two.passed
        assert 1 == two.decided[1]
        assert two.nodes[1].hub.homes.of(two.match) is None


async def test_given_the_home_does_not_answer_when_a_command_comes_then_it_is_stored_once(
    dsn: str, folder: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        home, homes, other = two.nodes[0], two.nodes[1].hub.homes, uuid4()
        homes.moved(other, 1, homes.of(two.match))
        done = asyncio.Event()
        answer = home.hub.answer

        async def unheard(question: bytes) -> bytes:
            await answer(question)
            done.set()
            await asyncio.sleep(60)
            return b""

        monkeypatch.setattr(home.hub, "answer", unheard)
        receipt = await two.decide(1)
        stored = await home.log.read_everything(two.match)

        assert done.is_set()
        assert homes.of(other) is None
        assert ("receipt", {"silent": 1}) == (receipt["t"], two.passed)
        assert 1 == [str(entry.command) for entry in stored if not entry.index].count(receipt["command"])


@pytest.mark.parametrize(
    "form",
    [
        b"\xc1",  # nothing that msgpack has
        msgpack.encode({"stored": "in a map"}),
        msgpack.encode([None, {"code": "a later code", "reason": "why"}]),
    ],
)
async def test_given_the_home_answers_in_another_form_when_a_command_comes_then_it_is_stored_once(
    dsn: str, folder: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch, form: bytes
) -> None:
    """As a newer node may, during an upgrade."""
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        home = two.nodes[0]
        answer = home.hub.answer

        async def otherwise(question: bytes) -> bytes:
            await answer(question)
            return form

        monkeypatch.setattr(home.hub, "answer", otherwise)
        receipt = await two.decide(1)
        stored = await home.log.read_everything(two.match)

        assert ("receipt", {"elsewhere": 1}) == (receipt["t"], two.passed)
        assert 1 == [str(entry.command) for entry in stored if not entry.index].count(receipt["command"])


async def test_given_a_home_elsewhere_when_a_seat_looks_ahead_then_it_sees_the_table_as_it_is(
    dsn: str, folder: Path, redis_url: str
) -> None:
    async with apart(dsn, folder, redis_url) as two:
        await two.settle()
        while 1 not in (await two.nodes[0].matches.latest(two.match)).asked or not two.passed:
            await two.go_on()
        upto, options = await prompt(two.talks[1], 1)
        ahead = await two.talks[1].ask(
            "foresee", "foreseen", "refused", match=two.match, answers=upto, decisions=options[:1]
        )

        assert "stale" != ahead.get("code")
        assert two.nodes[1].matches.decisions == 0
