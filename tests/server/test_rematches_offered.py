"""Rematches that are offered to persons: what waits for them, who hears of it, and how one is declined."""

import asyncio
import secrets
from uuid import UUID

import pytest

from server.notices.notifying import Notifying
from server.notices.places import Webhook
from tests.server.authenticator import Browser, Said
from tests.server.noticed import BOB, World
from tests.server.receivers import MailBox, Web
from tests.server.talk import new_token
from tests.server.test_meeting import anna, bert, played
from tests.server.test_notices_challenged import a_minute_later, kinds

__all__ = ["anna", "bert"]


async def offer_again(browser: Browser, created: Said, *, again: bool = False) -> None:
    """Ask for a rematch as the person who has a seat."""
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        await talk.hear("view")
        fields = {"token": new_token(), "promise": secrets.token_hex(32)}
        await talk.ask("rematch", match=created["match"], again=again, **fields)


async def waits(browser: Browser, created: Said, expected: bool) -> Said:
    """Return the match that is over as a person has it, once it waits for him, or does not."""
    async with asyncio.timeout(10):
        while True:  # the list follows the log
            _, told = await browser.ask("GET", "/api/me/matches")
            for found in told["matches"]:
                info, is_so = found["info"], found["waits"] == expected
                if info["match"] == created["match"] and info["rematch"] and is_so:
                    assert not expected or told["matches"][0] == found
                    return dict(found)
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("again", [False, True])
async def test_a_rematch_waits_for_the_other_until_he_takes_it_and_says_its_sides(
    anna: Browser, bert: Browser, again: bool
) -> None:
    created = await played(anna, bert)
    await offer_again(anna, created, again=again)
    offered = await waits(bert, created, expected=True)
    await waits(anna, created, expected=False)
    await offer_again(bert, created)
    await waits(bert, created, expected=False)

    assert again == offered["info"]["same_sides"]


async def test_who_declines_a_rematch_is_not_waited_for_and_may_think_again(
    anna: Browser, bert: Browser
) -> None:
    created = await played(anna, bert)
    path = f"/api/me/rematches/{created['match']}"
    early, _ = await bert.ask("POST", path, {})
    await offer_again(anna, created)
    await waits(bert, created, expected=True)
    own, _ = await anna.ask("POST", path, {})
    status, told = await bert.ask("POST", path, {"word": "Not today"})
    twice, _ = await bert.ask("POST", path, {})
    _, kept = await bert.ask("GET", "/api/me/export")
    await offer_again(bert, created)

    assert ([400] * 3, 200) == ([early, own, twice], status), told
    assert [False] == [one["waits"] for one in told["matches"] if one["info"]["match"] == created["match"]]
    assert [(created["match"], "Not today")] == [(one["match"], one["word"]) for one in kept["rematches"]]


class Offered:
    """A match that ann, who has a webhook, and bob, who has mail, have played, and ann plays again."""

    def __init__(self, world: World, match: UUID, again: UUID, ann: UUID, bob: UUID) -> None:
        self.world, self.match, self.again, self.ann, self.bob = world, match, again, ann, bob

    async def taken(self) -> None:
        """Let bob take his seat."""
        await self.world.owner.execute(
            "INSERT INTO lobby.seat (match_id, seat, name, kind, person_id)"
            " VALUES ($1, 0, 'b', 'person', $2)",
            self.again,
            self.bob,
        )


async def offered(world: World, telling: Notifying, hook: Web) -> Offered:
    ann, bob = await world.person("ann"), await world.person("bob")
    await telling.channels.add(ann, Webhook(url=hook.url()))
    await telling.channels.add(bob, BOB)
    match, again = await world.match(ann, bob), await world.match()
    await world.owner.execute("UPDATE lobby.match SET ended_at = log.now() WHERE match_id = $1", match)
    await world.owner.execute("UPDATE lobby.match SET rematch_of = $2 WHERE match_id = $1", again, match)
    await world.owner.execute(
        "INSERT INTO lobby.seat (match_id, seat, name, kind, person_id) VALUES ($1, 1, 'a', 'person', $2)",
        again,
        ann,
    )
    await world.fact(again, 1, "SeatTaken", seat=1)
    return Offered(world, match, again, ann, bob)


async def test_who_is_away_hears_once_that_a_rematch_is_offered(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    one = await offered(world, telling, hook)
    await a_minute_later(world, telling)
    await a_minute_later(world, telling)

    (mail,) = box.took
    assert [("rematch", 0, "stale"), ("rematch", 1, "sent")] == sorted(await kinds(world))
    assert "A rematch of Midway is offered to you, against Player 0: Friday" == mail["Subject"]
    body = mail.get_body(("plain",))
    assert body is not None
    assert f"/match/{one.match}" in body.get_content()
    assert [] == hook.took


@pytest.mark.parametrize("how", ["taken", "declined", "blocked", "banned", "there"])
async def test_what_has_come_to_nothing_within_a_minute_is_told_to_nobody(
    world: World, telling: Notifying, box: MailBox, hook: Web, how: str
) -> None:
    one = await offered(world, telling, hook)
    await telling.look()
    match how:
        case "taken":
            await one.taken()
        case "declined":
            await world.owner.execute("INSERT INTO people.declined VALUES ($1, $2)", one.again, one.bob)
        case "blocked":
            await world.owner.execute(
                "INSERT INTO people.block (person_id, blocked) VALUES ($1, $2)", one.bob, one.ann
            )
        case "banned":
            await world.owner.execute("UPDATE people.person SET banned_at = log.now() WHERE id = $1", one.ann)
        case _:
            assert world.there is not None
            world.there[one.match] = 0b10
    await a_minute_later(world, telling)

    assert [] == box.took


async def test_who_offered_a_rematch_hears_with_what_word_it_is_declined(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    one = await offered(world, telling, hook)
    await world.owner.execute(
        "INSERT INTO people.declined (match_id, person_id, word) VALUES ($1, $2, 'Not today')",
        one.again,
        one.bob,
    )
    await a_minute_later(world, telling)
    await a_minute_later(world, telling)

    assert [] == box.took
    (told,) = [request.body for request in hook.took]
    assert b'"refused"' in told
    assert b"Not today" in told
