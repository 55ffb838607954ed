"""Rematches: for the seats of the match before, sides swapped; and offers that are taken back."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from server.serving import Serving
from tests.conftest import running
from tests.server.reading import get
from tests.server.talk import Said, Talk, enter, new_token, offer, seated, talking, token
from tests.server.test_seats import join, look_on, wish


@asynccontextmanager
async def ended(server: Serving, **wish: Any) -> AsyncIterator[tuple[Said, list[Talk]]]:
    """A match that both have played and seat 0 has resigned."""
    async with seated(server.url, **wish) as (created, north, south):
        await north.ask("resign", match=created["match"])
        yield created, [north, south]


def asking(created: Said, nonce: bytes = b"") -> Said:
    promise = hashlib.sha256(nonce or secrets.token_bytes(16)).hexdigest()
    return {"match": created["match"], "command": str(uuid4()), "token": new_token(), "promise": promise}


async def ask(talk: Talk, asked: Said) -> Said:
    """Ask for a rematch and return what is linked, or the refusal."""
    await talk.say("rematch", **asked)
    answer = await talk.hear("linked", "refused")
    if answer["t"] == "linked":
        await talk.hear("receipt", command=asked["command"])
    return answer


async def detail(server: Serving, match: str) -> dict[str, Any]:
    found: dict[str, Any] = (await get(server.url, f"/api/matches/{match}")).json
    return found


async def test_both_who_ask_get_their_seats_in_one_match_with_sides_swapped_and_play_it(
    server: Serving,
) -> None:
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with ended(server, label="Club night", pace="live", clock={"bank": 600}) as (created, talks):
        asked = [asking(created, nonce) for nonce in nonces]
        links = [(await ask(talk, one))["link"] for talk, one in zip(talks, asked, strict=True)]
        match = links[0]["path"].removeprefix("/match/").partition("#")[0]
        for talk, one, nonce in zip(talks, asked, nonces, strict=True):
            await talk.say("hello", version=1, match=match, token=one["token"])
            await talk.hear("welcome", match=match)
            await talk.ask("show", match=match, nonce=nonce.hex())

    live = await server.matches.get(UUID(match))
    before = await server.matches.get(UUID(created["match"]))
    listed = await detail(server, match)
    assert [1, 0] == [link["seat"] for link in links]
    assert [one["token"] for one in asked] == [link["token"] for link in links]
    assert live.standing.started
    for name in ("title", "scenario", "options", "clock"):
        assert getattr(before.standing, name) == getattr(live.standing, name)
    assert ("Club night", "live", False) == tuple(listed[key] for key in ("label", "pace", "private"))
    assert match == (await detail(server, created["match"]))["rematch"]


async def test_who_watches_the_match_that_is_over_is_told_once_somebody_sits_in_its_rematch(
    server: Serving,
) -> None:
    async with ended(server) as (created, (north, south)), talking(server.url) as onlooker:
        await enter(onlooker, created)
        linked = await ask(north, asking(created))
        told = [await talk.hear("rematched") for talk in (south, onlooker)]

        assert [created["match"]] * 2 == [one["match"] for one in told]
        assert [linked["match"]] * 2 == [one["next"] for one in told]


async def test_others_are_told_though_who_asked_first_could_not_sit_down(server: Serving) -> None:
    async with ended(server) as (created, (north, south)):
        refused = await ask(north, asking(created) | {"name": "x" * 41})
        linked = await ask(north, asking(created))
        told = await south.hear("rematched")

    assert ("refused", "bad_text") == (refused["t"], refused["code"])
    assert linked["match"] == told["next"]


@pytest.mark.parametrize("nodes", [1, 2])
async def test_of_two_who_ask_at_once_each_sits_in_the_same_match(
    server: Serving, dsn: str, folder: Path, nodes: int
) -> None:
    async with running(dsn, folder) as other:
        for _ in range(8):
            async with ended(server) as (created, (north, _)), AsyncExitStack() as stack:
                south = await stack.enter_async_context(talking([server, other][nodes - 1].url))
                await enter(south, created, 1)
                links = await asyncio.gather(ask(north, asking(created)), ask(south, asking(created)))

            assert 1 == len({link["match"] for link in links})
            assert [1, 0] == [link["link"]["seat"] for link in links]


async def test_the_same_request_sent_again_is_answered_alike_and_another_is_refused(server: Serving) -> None:
    async with ended(server) as (created, (north, _)):
        asked = asking(created)
        first, again = await ask(north, asked), await ask(north, asked)
        other = await ask(north, asking(created))

        assert first == again
        assert ("refused", "seat_taken") == (other["t"], other["code"])


async def test_nobody_else_takes_a_seat_of_a_rematch(server: Serving) -> None:
    """Not by joining, and not with a link of the match before that opens no seat."""
    async with ended(server) as (created, (north, _)), talking(server.url) as stranger:
        match = (await ask(north, asking(created)))["match"]
        await look_on(stranger, {"match": match})
        joined = await join(stranger, wish({"match": match}, 0))
        await stranger.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await stranger.hear("welcome", match=created["match"])
        asked = await ask(stranger, asking(created))
        listed = (await get(server.url, "/api/matches?state=open")).json["matches"]

    assert ("refused", "private") == (joined["t"], joined["code"])
    assert ("refused", "not_seated") == (asked["t"], asked["code"])
    assert [] == (await detail(server, match))["joinable"]
    assert match not in [one["match"] for one in listed]


async def test_a_match_that_goes_on_has_no_rematch(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        refused = await ask(north, asking(created))

    assert ("refused", "not_allowed") == (refused["t"], refused["code"])


async def test_a_bot_of_the_server_plays_again_on_the_other_side(server: Serving) -> None:
    created = await offer(server.url, bots={"1": "random"})
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with talking(server.url) as talk:
        await enter(talk, created, 0)
        promise = hashlib.sha256(nonces[0]).hexdigest()
        await talk.ask("sit", match=created["match"], promise=promise, token=new_token())
        while len((await server.matches.latest(UUID(created["match"]))).standing.promises) < 2:
            await asyncio.sleep(0.02)
        await talk.ask("show", match=created["match"], nonce=nonces[0].hex())
        # The bot shows its nonce when it has heard of both promises.
        while not (await server.matches.latest(UUID(created["match"]))).standing.started:
            await asyncio.sleep(0.02)
        await talk.ask("resign", match=created["match"])
        asked = asking(created, nonces[1])
        linked = await ask(talk, asked)
        async with asyncio.timeout(10):
            while 0 not in (await server.matches.latest(UUID(linked["match"]))).standing.taken:
                await asyncio.sleep(0.02)

        assert 1 == linked["link"]["seat"]
        assert "random bot" == (await detail(server, linked["match"]))["seats"][0]["player"]


async def test_a_client_cannot_offer_by_the_command_of_a_rematch_and_so_learn_its_links(
    server: Serving,
) -> None:
    async with ended(server) as (created, (north, _)):
        match = (await ask(north, asking(created)))["match"]

    again = await offer(server.url, command=created["match"])

    assert again["match"] != match


async def test_an_offer_that_is_taken_back_is_on_no_list_and_joined_by_nobody(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as maker, talking(server.url) as guest:
        await look_on(guest, created)
        await maker.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await maker.hear("welcome")
        await maker.say("withdraw", match=created["match"])
        withdrawn = await maker.hear("withdrawn", "refused")
        answer = await join(guest, wish(created))
        listed = (await get(server.url, "/api/matches?state=open")).json["matches"]

    assert ("withdrawn", created["match"]) == (withdrawn["t"], withdrawn["match"])
    assert ("refused", "private") == (answer["t"], answer["code"])
    assert created["match"] not in [one["match"] for one in listed]


@pytest.mark.parametrize("who", ["seat", "onlooker"])
async def test_an_offer_is_taken_back_by_whoever_made_it_only(server: Serving, who: str) -> None:
    created = await offer(server.url)
    async with talking(server.url) as other:
        await enter(other, created, 1 if who == "seat" else None)
        await other.say("withdraw", match=created["match"])
        refused = await other.hear("withdrawn", "refused")

    assert ("refused", "not_allowed") == (refused["t"], refused["code"])
    assert [0, 1] == (await detail(server, created["match"]))["joinable"]


async def test_a_match_that_has_begun_is_no_offer_any_more(server: Serving) -> None:
    async with seated(server.url) as (created, _, _), talking(server.url) as maker:
        await maker.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await maker.hear("welcome")
        await maker.say("withdraw", match=created["match"])
        refused = await maker.hear("withdrawn", "refused")

    assert ("refused", "started") == (refused["t"], refused["code"])
