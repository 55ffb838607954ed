"""Who hears of challenges, and what of their words is told."""

from typing import Any
from uuid import UUID

import pytest
from msgspec import json

from server.notices.notifying import Notifying
from server.notices.places import Webhook
from server.notices.terms import terms_of
from server.notices.words import unlinked
from tests.server.noticed import BOB, World, round_of
from tests.server.receivers import Browser, MailBox, Web


class Challenge:
    """A challenge of ann, who has a webhook, to bob, who has mail."""

    def __init__(self, world: World, match: UUID, ann: UUID, bob: UUID) -> None:
        self.world, self.match, self.ann, self.bob = world, match, ann, bob

    async def answered(self, answer: str, reply: str = "") -> None:
        """Answer it now."""
        await self.world.owner.execute(
            "UPDATE lobby.challenge SET answer = $2, reply = $3, answered_at = log.now() WHERE match_id = $1",
            self.match,
            answer,
            reply,
        )


async def challenge(world: World, telling: Notifying, hook: Web, word: str = "Again?") -> Challenge:
    """Let ann challenge bob now."""
    ann, bob = await world.person("ann"), await world.person("bob")
    await telling.channels.add(ann, Webhook(url=hook.url()))
    await telling.channels.add(bob, BOB)
    match = await world.match(ann)
    clock = {"bank": 604_800, "cap": 1_000_000, "turn": 172_800, "nights": True, "by_claim": True}
    await world.fact(match, 1, "Created", title="midway", options={}, clock=clock)
    await world.owner.execute("UPDATE lobby.match SET by_turns = true, rated = true")
    await world.owner.execute(
        "INSERT INTO lobby.challenge (match_id, challenger, challenged, word) VALUES ($1, $2, $3, $4)",
        match,
        ann,
        bob,
        word,
    )
    return Challenge(world, match, ann, bob)


async def kinds(world: World) -> list[tuple[Any, ...]]:
    return [(kind, seat, outcome) for kind, seat, _, outcome in await world.outbox()]


async def a_minute_later(world: World, telling: Notifying) -> None:
    """Look twice at once, as nodes do, and tell it a minute later."""
    await telling.look()
    await telling.look()
    await world.later(seconds=61)
    await round_of(telling)


async def test_who_is_challenged_hears_of_it_once_with_its_word(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    one = await challenge(world, telling, hook)
    await a_minute_later(world, telling)
    await a_minute_later(world, telling)

    (mail,) = box.took
    assert [("challenged", None, "sent")] == await kinds(world)
    assert "You are challenged to Midway, against ann: Friday" == mail["Subject"]
    for part in ("plain", "html"):
        body = mail.get_body((part,))
        assert body is not None
        text = body.get_content()
        assert "ann says: " in text
        assert "Again?" in text
        assert "by turns, 7 days each, +2 days a turn, nights off, rated" in text
        assert f"/match/{one.match}" in text


async def test_who_answers_within_a_minute_hears_nothing(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    one = await challenge(world, telling, hook)
    await telling.look()
    await one.answered("declined", "No time")
    await a_minute_later(world, telling)

    assert [("challenged", None, "stale"), ("declined", 0, "sent")] == await kinds(world)
    assert not box.took


@pytest.mark.parametrize(("answer", "reply"), [("accepted", ""), ("declined", "No time")])
async def test_who_challenged_hears_how_it_was_answered(
    world: World, telling: Notifying, hook: Web, answer: str, reply: str
) -> None:
    one = await challenge(world, telling, hook)
    await a_minute_later(world, telling)
    await one.answered(answer, reply)
    await a_minute_later(world, telling)

    (told,) = [notice for took in hook.took for notice in json.decode(took.body)["data"]["notices"]]
    assert (answer, "bob", f"https://fleet.example/match/{one.match}") == (
        told["kind"],
        told["opponents"],
        told["link"],
    )
    assert (f'bob says: "{reply}"' if reply else "") == told["said"]


async def test_that_it_was_accepted_is_told_in_place_of_somebody_joined(
    world: World, telling: Notifying, hook: Web
) -> None:
    one = await challenge(world, telling, hook)
    await world.fact(one.match, 2, "SeatTaken", seat=1)
    await world.owner.execute(
        "INSERT INTO lobby.seat (match_id, seat, name, kind, person_id) VALUES ($1, 1, 'Bob', 'person', $2)",
        one.match,
        one.bob,
    )
    await one.answered("accepted")
    await a_minute_later(world, telling)

    assert [("accepted", 0, "sent"), ("joined", 0, "stale")] == sorted(
        (kind, seat, outcome) for kind, seat, outcome in await kinds(world) if seat == 0
    )


async def test_who_is_at_his_match_has_seen_how_it_was_answered(
    world: World, telling: Notifying, hook: Web
) -> None:
    one = await challenge(world, telling, hook)
    await one.answered("accepted")
    world.there = {one.match: 0b01}
    await a_minute_later(world, telling)

    assert [("accepted", 0, "seen")] == await kinds(world)
    assert not hook.took


async def test_that_it_was_taken_back_hears_who_has_heard_of_it(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    one = await challenge(world, telling, hook)
    await a_minute_later(world, telling)
    await one.answered("withdrawn", "Sorry")
    await a_minute_later(world, telling)

    assert [("challenged", None, "sent"), ("withdrawn", None, "sent")] == await kinds(world)
    assert "A challenge to you is taken back: Midway, against ann: Friday" == box.took[-1]["Subject"]
    assert str(one.match) not in box.took[-1].as_string()


async def test_what_was_taken_back_before_it_was_told_is_told_to_nobody(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    one = await challenge(world, telling, hook)
    await telling.look()
    await one.answered("withdrawn")
    await a_minute_later(world, telling)

    assert [("challenged", None, "stale")] == await kinds(world)
    assert not box.took


@pytest.mark.parametrize("keeper", ["ann", "bob"])
async def test_between_two_who_keep_away_meanwhile_nothing_is_told(
    world: World, telling: Notifying, box: MailBox, hook: Web, keeper: str
) -> None:
    one = await challenge(world, telling, hook)
    pair = (one.ann, one.bob) if keeper == "ann" else (one.bob, one.ann)
    await world.owner.execute("INSERT INTO people.block (person_id, blocked) VALUES ($1, $2)", *pair)
    await a_minute_later(world, telling)

    assert [("challenged", None, "stale")] == await kinds(world)
    assert not box.took


async def test_of_who_is_muted_nobody_hears_a_word_and_of_who_is_banned_nothing(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    await challenge(world, telling, hook, "Something bad")
    await world.owner.execute("UPDATE people.person SET muted_at = now() WHERE handle = 'ann'")
    await a_minute_later(world, telling)
    await world.owner.execute("UPDATE people.outbox SET outcome = NULL")
    await world.owner.execute("UPDATE people.person SET banned_at = now() WHERE handle = 'ann'")
    await a_minute_later(world, telling)

    assert [("challenged", None, "stale")] == await kinds(world)
    (mail,) = box.took
    assert "Something" not in mail.as_string()


async def test_of_a_person_who_was_erased_nothing_is_told(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    await challenge(world, telling, hook)
    await telling.look()
    await world.owner.execute("DELETE FROM lobby.challenge")
    await a_minute_later(world, telling)

    assert [("challenged", None, "stale")] == await kinds(world)
    assert not box.took


async def test_each_channel_is_told_of_a_challenge_and_none_makes_a_link_of_its_word(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    one = await challenge(world, telling, hook, "[Win](https://evil.example/x) me@evil.example <b>")
    browser = Browser()
    await telling.channels.add(one.bob, browser.place(hook.url(path="/push"), telling.keys.public))
    for shape in ("fleetfold", "discord", "slack", "ntfy"):
        await telling.channels.add(one.bob, Webhook(url=hook.url(path=f"/{shape}"), shape=shape))
    await world.owner.execute("UPDATE lobby.challenge SET made_at = log.now()")
    await a_minute_later(world, telling)

    bodies = {took.path: took.body for took in hook.took if took.path != "/push"}
    push = next(browser.opened(took.body) for took in hook.took if took.path == "/push")
    (mail,) = box.took
    parts = [body.get_content() for part in ("plain", "html") if (body := mail.get_body((part,)))]
    assert [("challenged", None, "sent")] * 6 == await kinds(world)
    assert {"/fleetfold", "/discord", "/slack", "/ntfy"} == bodies.keys()
    for text in (*(body.decode() for body in bodies.values()), *parts, push["body"]):
        assert "ann says: " in text
        assert "Win" in text
        assert "by turns, 7 days each, +2 days a turn, nights off, rated" in text
        assert not any(link in text for link in ("evil.example", "://evil", "@evil", "](", "<b>"))


def test_a_sentence_without_an_address_stays_as_it_is() -> None:
    for text in ("At 20:30, for 1/2 an hour... all right?", "Dr. No: yes. So be it", "Straße, עברית"):
        assert text == unlinked(text)
    assert "http: / / a. b. c/ d" == unlinked("http://a.b.c/d")
    assert "a。 b" == unlinked("a。b")


async def test_a_challenge_whose_match_never_came_about_is_told_to_nobody(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    """Given a node that died between the two."""
    one = await challenge(world, telling, hook)
    other = await world.match(one.ann)
    await world.owner.execute(
        "INSERT INTO lobby.challenge (match_id, challenger, challenged) VALUES ($1, $2, $3)",
        other,
        one.ann,
        one.bob,
    )
    await a_minute_later(world, telling)

    assert [("challenged", None, "sent")] == await kinds(world)
    assert 1 == len(box.took)


@pytest.mark.parametrize(
    ("clock", "by_turns", "words"),
    [
        (None, True, "by turns, no clock"),
        ('{"bank":1200,"increment":10,"cap":1800}', False, "live, 20 min each, +10 s a move"),
        (
            '{"bank":86400,"turn":43200,"nights":true,"weekends":true}',
            True,
            "by turns, 1 day each, +12 h a turn, nights and weekends off",
        ),
        ('{"bank":90}', False, "live, 90 s each"),
    ],
)
def test_how_it_is_played_is_said_in_a_few_words(clock: str | None, by_turns: bool, words: str) -> None:
    assert words == terms_of(clock, by_turns=by_turns, rated=False)
