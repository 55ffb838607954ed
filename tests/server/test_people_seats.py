"""A seat of a person: by several sessions at once, and when one of them ends in the midst of play."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.authenticator import Authenticator, Browser, Said
from tests.server.talk import Talk, prompt, seated, token


@asynccontextmanager
async def at_the_match(browser: Browser, match: str) -> AsyncIterator[Talk]:
    """Come to the seat that is one's own."""
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=match, mine=True)
        await talk.hear("view")
        yield talk


async def ties(browser: Browser, created: Said) -> None:
    """Make the match's seat 0 a person's."""
    link = {"match": created["match"], "token": token(created, "seat", 0)}
    _, told = await browser.ask("POST", "/api/me/seats", {"links": [link]})
    assert [created["match"]] == told["tied"]


async def test_of_two_sessions_at_one_seat_both_see_and_one_decides(server_url: str) -> None:
    key, desk, phone = Authenticator(), Browser(server_url), Browser(server_url)
    await desk.sign_up("anna", key)
    await phone.sign_in(key)
    async with seated(server_url) as (created, _, _):
        await ties(desk, created)
        match = created["match"]
        async with at_the_match(desk, match) as first, at_the_match(phone, match) as second:
            upto, options = await prompt(first, 0)
            asked = {"match": match, "answers": upto, "decision": options[0]}
            answers = await asyncio.gather(*(one.ask("decide", **asked) for one in (first, second)))
            async with asyncio.timeout(10):
                while not any(one["t"] == "frame" and one["after"] >= upto for one in second.heard):
                    await second.hear("frame")

    assert ["receipt", "refused"] == sorted(one["t"] for one in answers)
    assert {"stale", "not_asked", None} >= {one.get("code") for one in answers}


async def test_a_removed_passkey_shows_out_the_session_that_plays_by_it_and_no_other(server_url: str) -> None:
    first, second, desk, phone = Authenticator(), Authenticator(), Browser(server_url), Browser(server_url)
    await desk.sign_up("anna", first)
    _, told = await desk.ask("POST", "/api/me/passkeys/options", {"purpose": "add"})
    body = {"name": "Telephone", "credential": second.make(told["options"], desk.origin)}
    _, me = await desk.ask("POST", "/api/me/passkeys", body)
    await phone.sign_in(second)
    async with seated(server_url) as (created, _, _):
        await ties(desk, created)
        match = created["match"]
        async with at_the_match(desk, match) as stays, at_the_match(phone, match) as goes:
            await desk.ask("DELETE", f"/api/me/passkeys/{me['person']['passkeys'][1]['id']}")
            with pytest.raises(ConnectionClosed) as closed:
                await goes.hear("nothing else")
            upto, options = await prompt(stays, 0)
            receipt = await stays.ask("decide", match=match, answers=upto, decision=options[0])

    assert closed.value.rcvd is not None
    assert (4401, "receipt") == (closed.value.rcvd.code, receipt["t"])


async def test_of_a_persons_matches_the_one_that_has_waited_longest_comes_first(server_url: str) -> None:
    anna = Browser(server_url)
    await anna.sign_up("anna")
    async with anna.talking() as talk:
        offers = [
            (await talk.ask("create", "created", version=1, title="tiny", scenario="skirmish"))["match"]
            for _ in range(2)
        ]
    async with seated(server_url) as (first, *_), seated(server_url) as (second, *_):
        waiting = [created["match"] for created in (first, second)]
        for created in (first, second):
            await ties(anna, created)
        async with asyncio.timeout(10):
            while True:  # the list follows the log
                _, told = await anna.ask("GET", "/api/me/matches")
                mine = [(one["info"]["match"], one["waits"]) for one in told["matches"]]
                if len(mine) == 4 and all(waits == (match in waiting) for match, waits in mine):
                    break
                await asyncio.sleep(0.05)

    assert [*waiting, *reversed(offers)] == [match for match, _ in mine]
