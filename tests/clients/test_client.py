import asyncio
import secrets
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec import Raw

from clients import links
from clients.client import Broken, Client, Heard, Lost, NoSeat, RequestRefused, create, merged
from clients.links import BadLink, Place, keep_nonce, stored_nonce
from clients.player import answer_all, offer_reply
from domain.kernel.audience import Audience
from domain.match.views import patch, patched
from server.protocol import wire
from tests.clients.scripted import QUICK, Line, Story, scripted, stay

PROMPT = wire.Asked(0, "1.1", "Choose", (Raw(b'{"type":"Go"}'), Raw(b'{"type":"Stay"}')))

plain = some.recursive(
    some.booleans() | some.integers() | some.text(max_size=3),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=2), inner, max_size=3),
    max_leaves=12,
)
views = some.dictionaries(some.text(max_size=2), plain, max_size=4)


@given(views, views)
def test_the_clients_fold_is_the_servers(old: dict[str, Any], new: dict[str, Any]) -> None:
    change = patch(old, new)

    assert new == merged(old, change)
    assert patched(old, change) == merged(old, change)


async def test_frames_that_join_up_are_folded() -> None:
    story = Story()
    story.happens(2)

    async def act(line: Line) -> None:
        await line.opened()
        story.happens(3)
        await line.say(
            story.frame(2, 3, {"table": {"a": 1}}), story.frame(3, 5, {"table": {"b": 2, "turn": None}})
        )
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.upto == 5)

        assert {"a": 1, "b": 2} == client.view["table"]
        assert story.hashes[5] == client.trail.h


async def test_facts_that_are_sealed_or_salted_are_linked_too() -> None:
    story = Story()

    async def act(line: Line) -> None:
        await line.opened()
        story.happens(2, audience=Audience.UMPIRE)
        story.happens(1, audience=Audience.SIDE_0, salt=secrets.token_hex(16))
        story.happens()
        await line.say(story.frame(0, 4))
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.upto == 4)

        assert story.hashes[4] == client.trail.h


async def test_an_old_frame_is_dropped() -> None:
    story = Story()
    story.happens()

    async def act(line: Line) -> None:
        await line.opened()
        story.happens()
        await line.say(story.frame(1, 2, {"table": {"n": 1}}), story.frame(1, 2, {"table": {"n": 2}}))
        story.happens()
        await line.say(story.frame(2, 3, {"table": {"m": 3}}))
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.upto == 3)

        assert 1 == client.view["table"]["n"]


@pytest.mark.parametrize("after", [3, 0], ids=["hole", "overlap"])
async def test_a_range_that_does_not_join_up_makes_it_say_hello_again(after: int) -> None:
    story = Story()
    story.happens()

    async def act(line: Line) -> None:
        await line.opened()
        story.happens(4)
        await line.say(story.frame(after, 5, {"table": {"wrong": 1}}))
        again = await line.welcome()
        await line.say(story.frame(1, 5, {"table": {"right": 1}}))

        assert (1, story.hashes[1].hex()) == (again.after, again.h)
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.upto == 5)

        assert {"turn": 1, "right": 1} == client.view["table"]


async def test_a_hole_that_stays_makes_it_ask_for_the_view() -> None:
    story = Story()
    story.happens()

    async def act(line: Line) -> None:
        await line.opened()
        story.happens(4)
        hello = wire.Hello(1, story.match, after=1)
        while hello.after:
            await line.say(story.frame(3, 5))
            hello = await line.welcome()
        await line.say(story.view())
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.upto == 5)

        assert 5 == client.view["table"]["turn"]


async def test_a_view_behind_what_was_shown_is_not_taken_and_no_fact_is_heard_twice() -> None:
    """As a server would send it that answers from a memory of its own, and then catches up."""
    story = Story()
    story.happens(2)
    early, hellos, heard = story.view(), [], list[int]()

    async def act(line: Line) -> None:
        await line.opened()
        story.happens(4)
        await line.say(story.frame(2, 6), early, story.frame(2, 6))
        hellos.append(await line.welcome())
        await line.say(early, story.frame(2, 6))
        hellos.append(await line.welcome())
        story.happens()
        await line.say(story.frame(6, 7))
        await stay(line)

    async def listen(news: Heard) -> None:
        if isinstance(news.message, wire.Frame):
            heard.extend(told.seq for told in news.message.facts)

    async with scripted(story, act) as place, Client(place, pace=QUICK, listen=listen) as client:
        await client.wait(lambda: client.upto == 7)

        assert [(6, story.hashes[6].hex())] * 2 == [(hello.after, hello.h) for hello in hellos]
        assert [3, 4, 5, 6, 7] == heard
        assert {"turn": 7} == client.view["table"]


async def test_a_log_that_does_not_reach_what_was_shown_any_more_breaks_it() -> None:
    story = Story()
    story.happens(2)
    early = story.view()

    async def act(line: Line) -> None:
        await line.opened()
        story.happens(4)
        await line.say(story.frame(2, 6), early)
        while (await line.welcome()).after:
            await line.say(early)
        await line.say(early)
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        with pytest.raises(Broken, match="fact 6"):
            await client.wait(lambda: False)

    assert 6 == client.upto


async def test_a_fact_that_does_not_link_breaks_it() -> None:
    story, other = Story(), Story()
    other.match = story.match

    async def act(line: Line) -> None:
        await line.opened()
        story.happens(2)
        other.happens(2)
        story.told[2] = other.told[2]
        await line.say(story.frame(0, 2))
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        with pytest.raises(Broken) as broken:
            await client.wait(lambda: client.upto == 2)

        assert 2 == broken.value.seq


async def test_a_log_that_is_not_the_one_of_the_receipt_breaks_it() -> None:
    story = Story()
    story.happens()

    async def first(line: Line) -> None:
        await line.opened([PROMPT])
        story.happens()
        await line.say(story.receipt((await line.hear()).command))

    async def second(line: Line) -> None:
        del story.hashes[-1]
        story.happens()
        await line.opened()
        await stay(line)

    async with scripted(story, first, second) as place, Client(place, pace=QUICK) as client:
        await client.decide({"type": "Go"})
        with pytest.raises(Broken) as broken:
            await client.wait(lambda: client.upto == 2)

        assert 2 == broken.value.seq


async def test_a_command_without_an_answer_is_sent_again_under_its_id() -> None:
    story = Story()
    sent: list[wire.Decide] = []

    async def first(line: Line) -> None:
        await line.opened([PROMPT])
        sent.append(await line.hear())

    async def second(line: Line) -> None:
        hello = await line.welcome()
        sent.append(await line.hear())
        story.happens()
        await line.say(story.receipt(sent[-1].command), story.frame(hello.after, 1))
        await stay(line)

    async with scripted(story, first, second) as place, Client(place, pace=QUICK) as client:
        receipt = await client.decide({"type": "Go"})

        assert 1 == receipt.seq
        assert sent[0] == sent[1]
        assert 2 == client.connections


async def test_an_answer_that_does_not_come_is_asked_for_on_the_same_connection() -> None:
    story = Story()

    async def act(line: Line) -> None:
        await line.opened([PROMPT])
        once, again = await line.hear(), await line.hear()
        story.happens()
        await line.say(story.receipt(again.command))

        assert once == again
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        receipt = await client.decide({"type": "Go"})

        assert 1 == receipt.seq


async def test_it_comes_back_after_a_restart_with_what_it_knows() -> None:
    story = Story()
    story.happens(3)

    async def first(line: Line) -> None:
        await line.opened()
        await line.say(wire.Restarting())
        await stay(line)

    async def second(line: Line) -> None:
        hello = await line.welcome()
        story.happens()
        await line.say(story.frame(3, 4))

        assert (3, story.hashes[3].hex()) == (hello.after, hello.h)
        await stay(line)

    async with scripted(story, first, second) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.upto == 4)

        assert 2 == client.connections


async def test_a_refusal_is_raised_with_code_rule_and_head() -> None:
    story = Story()

    async def act(line: Line) -> None:
        await line.opened([PROMPT])
        decide = await line.hear()
        await line.say(wire.Refused("illegal", "not on the list", story.match, decide.command, "1.1", 7))
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        with pytest.raises(RequestRefused) as refused:
            await client.decide({"type": "Go"})

        assert ("illegal", "1.1", 7) == (refused.value.code, refused.value.rule, refused.value.seq)
        assert "not on the list (1.1)" == str(refused.value)


async def test_what_is_busy_is_asked_again_under_the_same_id() -> None:
    story = Story()

    async def act(line: Line) -> None:
        await line.opened([PROMPT])
        once = await line.hear()
        await line.say(wire.Refused("busy", "too much at once", story.match, once.command))
        again = await line.hear()
        story.happens()
        await line.say(story.receipt(again.command))

        assert once == again
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        receipt = await client.decide({"type": "Go"})

        assert 1 == receipt.seq


async def test_a_link_that_is_not_valid_is_said_at_once() -> None:
    story = Story()

    async def act(line: Line) -> None:
        await line.hear()
        await line.say(wire.Refused("bad_token", "this link is not valid", story.match))
        await stay(line)

    async with scripted(story, act) as place:
        with pytest.raises(RequestRefused) as refused:
            async with Client(place, pace=QUICK):
                pass

    assert "bad_token" == refused.value.code


@pytest.mark.parametrize("link", ["http://[/match/x", "ftp://host/match/x", "http://host/x", "x", ""])
def test_what_is_no_link_is_said_to_be_none(link: str) -> None:
    with pytest.raises(BadLink):
        links.place(link)


@pytest.mark.parametrize("code", [1008, 1012, 4008, 4009])
async def test_a_close_that_may_be_the_server_s_doing_is_answered_by_connecting_again(code: int) -> None:
    story = Story()

    async def closed(line: Line) -> None:
        await line.opened()
        await line.socket.close(code, "later")

    async def opened(line: Line) -> None:
        await line.welcome()
        await stay(line)

    async with scripted(story, closed, opened) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.connections == 2)


@pytest.mark.parametrize("code", [4400, 4401, 1009])
async def test_a_close_that_is_meant_is_not_answered_by_connecting_again(code: int) -> None:
    story = Story()

    async def act(line: Line) -> None:
        await line.opened()
        await line.socket.close(code, "no")

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        with pytest.raises(Lost):
            await client.wait(lambda: client.upto == 1)


@pytest.mark.parametrize("code", ["busy", "unavailable", "too_fast"])
async def test_who_is_welcome_and_cannot_be_shown_the_match_yet_comes_again(code: str) -> None:
    story = Story()

    async def away(line: Line) -> None:
        await line.opened()
        await line.say(wire.Refused(code, "not now", story.match))
        await line.hear()

    async def back(line: Line) -> None:
        await line.welcome()
        story.happens()
        await line.say(story.view())
        await stay(line)

    async with scripted(story, away, back) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.upto == 1)

        assert 2 == client.connections


async def test_one_that_was_too_slow_comes_back() -> None:
    story = Story()

    async def first(line: Line) -> None:
        await line.opened()
        await line.socket.close(4008, "too slow")

    async def second(line: Line) -> None:
        await line.welcome()
        story.happens()
        await line.say(story.view())
        await stay(line)

    async with scripted(story, first, second) as place, Client(place, pace=QUICK) as client:
        await client.wait(lambda: client.upto == 1)

        assert 2 == client.connections


async def test_a_message_of_another_protocol_ends_it() -> None:
    story = Story()

    async def act(line: Line) -> None:
        await line.opened()
        await line.socket.send('{"t":"surprise"}')
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        with pytest.raises(Lost):
            await client.wait(lambda: client.upto == 1)


async def test_a_server_that_is_not_there_is_given_up_in_the_end() -> None:
    pace = QUICK.__class__(first=0.01, most=0.02, patience=0.1)
    with pytest.raises(Lost):
        async with Client(Place("http://127.0.0.1:1", uuid4()), pace=pace):
            pass


async def test_a_slow_listener_makes_the_server_wait() -> None:
    story = Story()
    said, listening = 0, asyncio.Event()
    line_of_chat = wire.Said(story.match, "onlookers", 1, 1, "x" * 16_000)

    async def act(line: Line) -> None:
        nonlocal said
        await line.opened()
        for _ in range(4000):
            await line.say(line_of_chat)
            said += 1

    async def listen(heard: Heard) -> None:
        if isinstance(heard.message, wire.Said):
            await listening.wait()

    async with scripted(story, act) as place, Client(place, listen=listen, pace=QUICK):
        before = -1
        while said != before:
            before = said
            await asyncio.sleep(0.2)

        assert said < 4000
        listening.set()
        while said < 4000:
            await asyncio.sleep(0.01)


async def test_it_sits_and_shows_its_nonce_also_after_it_was_started_again(tmp_path: Path) -> None:
    story = Story()
    nobody: dict[str, Any] = {"taken": {}, "promises": {}, "nonces": {}, "started": False}
    promised: dict[str, Any] = {}

    async def first(line: Line) -> None:
        await line.opened(**nobody)
        sit = await line.hear()
        story.happens()
        promised.update(nobody, taken={"0": "bot"}, promises={"0": sit.promise, "1": "f" * 64})
        await line.say(story.receipt(sit.command))
        await stay(line)

    async def second(line: Line) -> None:
        await line.opened(**promised)
        show = await line.hear()
        await line.say(story.receipt(show.command))
        story.happens()
        await line.say(story.frame(1, 2, {"match": {"started": True}}))

        assert promised["promises"]["0"] == sha256(bytes.fromhex(show.nonce)).hexdigest()
        await stay(line)

    async with scripted(story, first, second) as place:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5), Client(place, nonces=tmp_path, pace=QUICK) as client:
                await client.sit("a name", bot=True)
        async with Client(place, nonces=tmp_path, pace=QUICK) as client:
            await client.sit("a name", bot=True)

            assert client.match["started"]
    assert [0o600] * 2 == [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()]


async def test_a_seat_that_has_begun_elsewhere_since_cannot_be_taken(tmp_path: Path) -> None:
    """Given a nonce that is kept here, and counts no more."""
    story = Story()

    async def act(line: Line) -> None:
        await line.opened(nonces={}, promises={"0": "0" * 64, "1": "1" * 64}, started=False)
        await stay(line)

    keep_nonce(tmp_path, story.match, 0, bytes(16))
    async with scripted(story, act) as place, Client(place, nonces=tmp_path, pace=QUICK) as client:
        with pytest.raises(NoSeat):
            await client.sit()


@pytest.mark.parametrize("promises", [{"0": "0" * 64, "1": "1" * 64}, {"1": "1" * 64}])
async def test_a_seat_whose_nonce_is_elsewhere_or_counts_no_more_commits_anew(
    promises: dict[str, str], tmp_path: Path
) -> None:
    story, said = Story(), list[Any]()

    async def act(line: Line) -> None:
        await line.opened(nonces={}, promises=promises, started=False)
        said.append(anew := await line.hear())
        story.happens()
        patch = {"match": {"promises": {"0": anew.promise}}}
        await line.say(story.receipt(anew.command), story.frame(1, 2, patch))
        said.append(show := await line.hear())
        story.happens()
        await line.say(story.receipt(show.command), story.frame(2, 3, {"match": {"started": True}}))
        await stay(line)

    story.happens()
    async with scripted(story, act) as place, Client(place, nonces=tmp_path, pace=QUICK) as client:
        async with asyncio.timeout(5):
            await client.sit()

    anew, show = said
    assert promises.get("0", "") == anew.instead
    assert anew.promise == sha256(bytes.fromhex(show.nonce)).hexdigest()
    assert stored_nonce(tmp_path, story.match, 0).hex() == show.nonce


async def test_a_decision_that_was_overtaken_is_made_anew() -> None:
    story = Story()
    story.happens()

    async def act(line: Line) -> None:
        await line.opened([PROMPT])
        late = await line.hear()
        story.happens()
        await line.say(wire.Refused("stale", "the match has moved on", story.match, late.command, seq=2))
        await line.say(story.frame(1, 2, prompts=[PROMPT]))
        anew = await line.hear()
        story.happens()
        await line.say(story.frame(2, 3, {"match": {"over": True}}), story.receipt(anew.command))

        assert (1, 2) == (late.answers, anew.answers)
        assert late.command != anew.command
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        decisions = await answer_all(
            client, lambda _view, prompt, _chance: prompt["options"][0], secrets.SystemRandom()
        )

        assert 1 == decisions


@pytest.mark.parametrize(
    ("offers", "expected"),
    [
        ({"undo": [1]}, ("undo", True)),
        ({"draw": [1]}, ("draw", False)),
        ({"draw": [0]}, None),
        ({}, None),
        ({"undo": [1], "over": True}, None),
        ({"correction": {"by": 1, "back_to": 3, "of": 0, "agreed": [1]}}, ("correction", False)),
        ({"correction": {"back_to": 3, "of": 0, "agreed": []}}, ("correction", True)),
        ({"correction": {"back_to": 3, "of": 0, "agreed": [0]}}, None),
        ({"correction": {"by": 1, "back_to": 3, "of": 0, "agreed": [1]}, "paused": True}, None),
    ],
)
async def test_a_bot_agrees_to_an_undo_or_a_directors_correction_and_declines_a_draw(
    offers: dict[str, Any], expected: tuple[str, bool] | None
) -> None:
    story = Story()

    async def act(line: Line) -> None:
        await line.opened(**offers)
        await stay(line)

    async with scripted(story, act) as place, Client(place, pace=QUICK) as client:
        said = offer_reply(client)

        assert expected == (said and (said.what, said.agreed))


async def test_an_offer_is_made_once_over_two_connections() -> None:
    story = Story()
    wish = wire.Create(1, uuid4(), "tiny", "one")
    heard: list[Any] = []

    async def first(line: Line) -> None:
        heard.append(await line.hear())

    async def second(line: Line) -> None:
        heard.append(await line.hear())
        await line.say(wire.Created(story.match, wish.command, []))
        await stay(line)

    async with scripted(story, first, second) as place:
        created = await create(place.url, wish, QUICK)

    assert story.match == created.match
    assert [wish, wish] == heard
