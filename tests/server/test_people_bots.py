"""Bots of persons, who come to the socket by a token."""

import asyncio
import contextlib
import hashlib
import os
import secrets
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from websockets.exceptions import ConnectionClosed

from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.reading import get
from tests.server.talk import Talk, enter, new_token, offer, prompt, sit, talking
from tests.server.talk import token as door

BOTH = ("play", "read")

READS = ("", "/steps", "/steps?from=8", "/record", "/audit")
"""What is read of a match over HTTP while it is played."""


@pytest.fixture
async def browser(server_url: str) -> Browser:
    """Give the browser of somebody who has a bot."""
    one = Browser(server_url)
    await one.sign_up("anna", name="Anna")
    await one.ask("POST", "/api/me/bots", {"handle": "anna_bot", "name": "Hornet"})
    return one


async def token_of(browser: Browser, scopes: Sequence[str] = BOTH) -> str:
    """Make a token for the bot."""
    body = {"name": "home", "scopes": scopes}
    status, made = await browser.ask("POST", "/api/me/bots/anna_bot/tokens", body)
    assert status == 200, made
    return str(made["token"])


def by(url: str, token: str) -> AbstractAsyncContextManager[Talk]:
    """Open a socket with the token of a bot."""
    return talking(url, additional_headers={"Authorization": f"Bearer {token}"})


@asynccontextmanager
async def playing(url: str, token: str, **wish: Any) -> AsyncIterator[Said]:
    """Begin a match whose seat 0 a bot has taken by its token."""
    created = await offer(url, **wish)
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with by(url, token) as bot, talking(url) as south:
        for seat, talk in enumerate((bot, south)):
            await enter(talk, created, seat)
            await sit(talk, created, promise=hashlib.sha256(nonces[seat]).hexdigest())
        for talk, nonce in zip((bot, south), nonces, strict=True):
            await talk.ask("show", match=created["match"], nonce=nonce.hex())
        yield created


async def says_hello(talk: Talk, match: str) -> Said:
    """Say hello from the bot's own place, and return the welcome."""
    await talk.say("hello", version=1, match=match, mine=True)
    return await talk.hear("welcome", "refused")


async def closed_by(talk: Talk) -> tuple[int, str]:
    """Wait until the server closes a connection, and return its code and reason."""
    with pytest.raises(ConnectionClosed) as closed:
        await talk.hear("nothing")
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


async def test_a_bot_takes_a_seat_by_its_own_name_and_says_that_it_is_one(
    server_url: str, browser: Browser
) -> None:
    created, token = await offer(server_url), await token_of(browser)
    async with by(server_url, token) as talk:
        await enter(talk, created, 0)
        await sit(talk, created, name="A person", kind="person")
    _, one = await browser.ask("GET", f"/api/matches/{created['match']}")

    seat = one["seats"][0]
    assert ("bot", "Hornet", "anna_bot") == (seat["taken"], seat["player"], seat["handle"])


async def test_a_bot_that_joins_says_that_it_is_one(server_url: str, browser: Browser) -> None:
    created, token = await offer(server_url), await token_of(browser)
    async with by(server_url, token) as talk:
        await enter(talk, created)
        fields = {"seat": 1, "token": new_token(), "promise": "0" * 64, "kind": "person", "name": ""}
        answer = await talk.ask("join", match=created["match"], **fields)
    _, one = await browser.ask("GET", f"/api/matches/{created['match']}")

    assert "receipt" == answer["t"]
    assert ("bot", "anna_bot") == (one["seats"][1]["taken"], one["seats"][1]["handle"])


async def test_a_bot_decides_on_the_seat_that_it_has_taken(server_url: str, browser: Browser) -> None:
    token = await token_of(browser)
    async with playing(server_url, token) as created, by(server_url, token) as talk:
        welcome = await says_hello(talk, created["match"])
        upto, options = await prompt(talk, 0)
        receipt = await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])

    assert ("seat", 0) == (welcome["role"], welcome["seat"])
    assert "receipt" == receipt["t"]


@pytest.mark.parametrize("program", [("-m", "server", "bot"), ("clients/bots/example.py",)])
async def test_a_program_plays_as_the_bot_whose_token_is_in_its_environment(
    server_url: str, browser: Browser, tmp_path: Path, program: tuple[str, ...]
) -> None:
    created = await offer(server_url, title="midway", scenario="duel")
    link = f"{server_url}/match/{created['match']}#{door(created, 'seat', 1)}"
    secret = {"FLEETFOLD_BOT_TOKEN": await token_of(browser), "XDG_STATE_HOME": str(tmp_path)}
    bot = await asyncio.create_subprocess_exec(sys.executable, *program, link, env=os.environ | secret)
    try:
        async with asyncio.timeout(30):
            while not (await browser.ask("GET", f"/api/matches/{created['match']}"))[1]["seats"][1]["handle"]:
                await asyncio.sleep(0.05)
    finally:
        with contextlib.suppress(ProcessLookupError):
            bot.kill()
        await bot.wait()
    _, one = await browser.ask("GET", f"/api/matches/{created['match']}")

    assert ("bot", "anna_bot") == (one["seats"][1]["taken"], one["seats"][1]["handle"])


async def test_by_a_token_for_reading_a_bot_sees_what_its_seats_see_and_commands_nothing(
    server_url: str, browser: Browser
) -> None:
    plays, reads = await token_of(browser), await token_of(browser, ["read"])
    async with playing(server_url, plays) as created, by(server_url, reads) as talk:
        welcome = await says_hello(talk, created["match"])
        upto, options = await prompt(talk, 0)
        decided = await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])
        offered = await talk.ask("create", "created", "refused", version=1, title="tiny", scenario="skirmish")
        await talk.say("say", match=created["match"], room="table", text="Hello")
        said = await talk.hear("said", "refused")
        await talk.say("ping")
        await talk.hear("pong")

    assert ("seat", 0) == (welcome["role"], welcome["seat"])
    assert ["not_allowed"] * 3 == [one.get("code") for one in (decided, offered, said)]


async def test_a_link_gives_a_bot_with_a_token_for_reading_nothing_more(
    server_url: str, browser: Browser
) -> None:
    created, token = await offer(server_url), await token_of(browser, ["read"])
    async with by(server_url, token) as talk:
        await enter(talk, created, 0)
        answer = await sit(talk, created)

    assert "not_allowed" == answer["code"]


async def test_a_removed_token_ends_the_connections_that_came_by_it(
    server_url: str, browser: Browser
) -> None:
    created, token = await offer(server_url), await token_of(browser)
    _, me = await browser.ask("GET", "/api/me")
    number = me["person"]["bots"][0]["tokens"][0]["id"]
    async with by(server_url, token) as talk:
        await says_hello(talk, created["match"])
        await browser.ask("DELETE", f"/api/me/bots/anna_bot/tokens/{number}")
        closed = await closed_by(talk)

    assert (4401, "signed out") == closed


async def test_a_token_that_is_not_known_makes_nobody_a_guest(server_url: str, browser: Browser) -> None:
    created, token = await offer(server_url), await token_of(browser)
    async with by(server_url, token[:-1] + ("A" if token[-1] != "A" else "B")) as talk:
        await talk.say("hello", version=1, match=created["match"])
        closed = await closed_by(talk)

    assert 4401 == closed[0]


async def test_a_page_is_not_made_a_bot_by_a_token(server_url: str, browser: Browser) -> None:
    """Given that a browser sends its Origin, and its cookie says who is there."""
    created, token = await offer(server_url), await token_of(browser)
    headers = {"Authorization": f"Bearer {token}", "Origin": browser.origin, "Cookie": browser.cookie}
    async with talking(browser.origin, host="127.0.0.1", additional_headers=headers) as talk:
        await enter(talk, created, 0)
        await sit(talk, created)
    _, one = await browser.ask("GET", f"/api/matches/{created['match']}")

    assert ("person", "anna") == (one["seats"][0]["taken"], one["seats"][0]["handle"])


async def test_a_bots_token_opens_no_seat_and_no_page_of_a_person(server_url: str, browser: Browser) -> None:
    created, token = await offer(server_url, private=True), await token_of(browser)
    bearer = {"Authorization": f"Bearer {token}"}
    other = Browser(server_url)
    async with talking(server_url) as talk:
        await talk.say("hello", version=1, match=created["match"], token=token)
        refused = await talk.hear("welcome", "refused")

    assert "bad_token" == refused["code"]
    assert 403 == (await other.ask("GET", f"/api/matches/{created['match']}", **bearer))[0]
    assert (await other.ask("GET", "/api/me", **bearer))[1]["person"] is None
    assert 401 == (await other.ask("PATCH", "/api/me", {"name": "x"}, **bearer))[0]
    other.cookie = f"fleetfold={token}"
    assert (await other.ask("GET", "/api/me"))[1]["person"] is None


async def test_a_bot_reads_its_own_matches_over_http(server_url: str, browser: Browser) -> None:
    token, other = await token_of(browser), Browser(server_url)
    async with playing(server_url, token) as created:
        async with asyncio.timeout(10):
            while True:
                _, mine = await other.ask("GET", "/api/me/matches", Authorization=f"Bearer {token}")
                if mine["matches"]:
                    break
                await asyncio.sleep(0.05)
    _, hers = await browser.ask("GET", "/api/me/matches")
    status, told = await other.ask("GET", "/api/me/matches", Authorization=f"Bearer {token}x")

    assert [(created["match"], [0])] == [(one["info"]["match"], one["seats"]) for one in mine["matches"]]
    assert [] == hers["matches"]
    assert (401, "no_session") == (status, told["code"])


@pytest.mark.parametrize("scopes", [["read"], ["play"]])
async def test_a_bot_reads_its_private_match_as_its_seat_sees_it(
    server_url: str, browser: Browser, scopes: list[str]
) -> None:
    plays, reads = await token_of(browser), await token_of(browser, scopes)
    async with playing(server_url, plays, private=True) as created:
        path, seat = f"/api/matches/{created['match']}", door(created, "seat", 0)
        async with asyncio.timeout(15):
            while True:  # views follow the log
                by_token, by_link, looking_on = [
                    [await get(server_url, path + part, who) for part in READS] for who in (reads, seat, "")
                ]
                if [got.body for got in by_link[1:]] == [got.body for got in by_token[1:]]:
                    break
        not_its_own = await get(server_url, f"{path}/steps?seat=1", reads)

    assert [200] * len(READS) == [got.status for got in by_token]
    assert [got.body for got in by_link[1:]] == [got.body for got in by_token[1:]]  # who is there may change
    assert [403] * len(READS) == [got.status for got in looking_on]
    assert "not_seated" == not_its_own.json["code"]


async def test_a_bot_changes_nothing_over_http_whatever_its_token_is_for(
    server_url: str, browser: Browser
) -> None:
    bearer, other = {"Authorization": f"Bearer {await token_of(browser)}"}, Browser(server_url)
    told = [
        await other.ask("PATCH", "/api/me", {"name": "x"}, **bearer),
        await other.ask("POST", "/api/me/bots", {"handle": "one_more"}, **bearer),
        await other.ask("POST", "/api/me/seats", {"links": []}, **bearer),
        await other.ask("GET", "/api/me/export", **bearer),
    ]

    assert [401] * 4 == [status for status, _ in told]


async def test_by_a_bots_token_that_is_void_no_match_is_read(server_url: str, browser: Browser) -> None:
    created, held = await offer(server_url), await token_of(browser)
    _, me = await browser.ask("GET", "/api/me")
    number = me["person"]["bots"][0]["tokens"][0]["id"]
    other, path = Browser(server_url), f"/api/matches/{created['match']}"

    before = (await other.ask("GET", path, Authorization=f"Bearer {held}"))[0]
    await browser.ask("DELETE", f"/api/me/bots/anna_bot/tokens/{number}")
    after, told = await other.ask("GET", path, Authorization=f"Bearer {held}")

    assert (200, 401, "no_session") == (before, after, told["code"])


async def test_that_a_token_was_used_is_shown_to_whose_bot_it_is(server: Serving, browser: Browser) -> None:
    created, token = await offer(server.url), await token_of(browser)
    async with by(server.url, token) as talk:
        await says_hello(talk, created["match"])
    _, me = await browser.ask("GET", "/api/me")

    assert me["person"]["bots"][0]["tokens"][0]["used"] is not None


@pytest.mark.parametrize("who", ["anna", "anna_bot"])
async def test_a_bot_that_is_banned_or_whose_owner_is_has_no_token_any_more(
    server: Serving, dsn: str, browser: Browser, who: str
) -> None:
    created, token = await offer(server.url), await token_of(browser)
    async with by(server.url, token) as talk:
        await says_hello(talk, created["match"])
        await ban(dsn, who)
        server.gateway.look_at_sessions()
        closed = await closed_by(talk)

    assert (4401, "signed out") == closed


async def test_of_a_removed_bot_that_has_done_nothing_no_row_is_left(dsn: str, browser: Browser) -> None:
    await token_of(browser)
    statuses = []
    for _ in range(3):
        statuses.append((await browser.ask("DELETE", "/api/me/bots/anna_bot", {}))[0])
        statuses.append((await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot"}))[0])
    conn = await asyncpg.connect(dsn)
    try:
        rows = await conn.fetchval("SELECT count(*) FROM people.person")
    finally:
        await conn.close()

    assert [200] * 6 == statuses
    assert 2 == rows


async def test_of_a_removed_bot_that_has_a_seat_an_empty_row_is_left(
    server_url: str, dsn: str, browser: Browser
) -> None:
    async with playing(server_url, await token_of(browser)):
        status, _ = await browser.ask("DELETE", "/api/me/bots/anna_bot", {})
    conn = await asyncpg.connect(dsn)
    try:
        kept = await conn.fetch(
            "SELECT p.handle, p.name, s.name AS seat FROM people.person p"
            " JOIN lobby.seat s ON s.person_id = p.id WHERE p.owner IS NOT NULL"
        )
    finally:
        await conn.close()

    assert 200 == status
    assert [(None, "", "someone")] == [tuple(row) for row in kept]


async def test_bots_are_registered_up_to_an_addresss_share(server: Serving, browser: Browser) -> None:
    """Given somebody who has registered one already, and goes on with handles that cannot be had."""
    told = [await browser.ask("POST", "/api/me/bots", {"handle": "-"}) for _ in range(60)]

    assert [400] * 59 + [429] == [status for status, _ in told]
    assert 1 == server.people.shares.refused["bots"]


async def ban(dsn: str, handle: str) -> None:
    """Note in the database that somebody is banned."""
    conn = await asyncpg.connect(dsn)
    await conn.execute("UPDATE people.person SET banned_at = now() WHERE handle = $1", handle)
    await conn.close()
