"""A bot that somebody keeps away by itself, on its own page: its owner and his other bots are welcome."""

import asyncio
import secrets
from contextlib import AbstractAsyncContextManager

import pytest

from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.meets import done, made, refused, signed_up
from tests.server.talk import Talk, enter, new_token, sit, talking, token

BOTS = ("berts_bot", "berts_other")


@pytest.fixture
async def anna(server_url: str) -> Browser:
    return await signed_up(server_url, "anna")


@pytest.fixture
async def bert(server_url: str) -> Browser:
    """Somebody with two bots."""
    browser = await signed_up(server_url, "bert")
    for bot in BOTS:
        await browser.ask("POST", "/api/me/bots", {"handle": bot})
    return browser


async def bots_talk(bert: Browser, bot: str) -> AbstractAsyncContextManager[Talk]:
    """Open a socket as one of his bots does."""
    path = f"/api/me/bots/{bot}/tokens"
    _, told = await bert.ask("POST", path, {"name": "", "scopes": ["play"]})
    return talking(
        bert.origin, host="127.0.0.1", additional_headers={"Authorization": f"Bearer {told['token']}"}
    )


async def offered(anna: Browser) -> Said:
    """Offer a match, and sit down."""
    async with anna.talking() as talk:
        created = await talk.ask("create", "created", version=1, title="tiny", scenario="skirmish")
        await enter(talk, created, 0)
        await sit(talk, created)
    return created


async def joined(talk: Talk, created: Said) -> Said:
    """Join a match from the lobby; return what is answered."""
    await talk.say("hello", version=1, match=created["match"])
    await talk.hear("view")
    fields = {"seat": 1, "token": new_token(), "promise": secrets.token_hex(32)}
    return await talk.ask("join", match=created["match"], **fields)


async def test_a_bot_that_is_kept_away_joins_nothing_and_its_fellow_does(
    anna: Browser, bert: Browser
) -> None:
    await anna.ask("POST", "/api/me/blocks", {"handle": "berts_bot"})
    created = await offered(anna)
    told = []
    for bot in BOTS:
        async with await bots_talk(bert, bot) as talk:
            told.append(await joined(talk, created))

    assert ("not_allowed", "receipt") == (told[0].get("code"), told[1]["t"])


async def test_whoever_keeps_a_bot_away_takes_no_seat_where_it_sits(anna: Browser, bert: Browser) -> None:
    async with await bots_talk(bert, "berts_bot") as talk:
        created = await talk.ask("create", "created", version=1, title="tiny", scenario="skirmish")
        await enter(talk, created, 0)
        await sit(talk, created)
    await anna.ask("POST", "/api/me/blocks", {"handle": "berts_bot"})
    async with anna.talking() as talk:
        told = await joined(talk, created)
    async with talking(bert.origin, host="127.0.0.1") as talk:
        await enter(talk, created, 1)
        await sit(talk, created)
    link = {"match": created["match"], "token": token(created, "seat", 1)}
    _, tied = await anna.ask("POST", "/api/me/seats", {"links": [link]})

    assert "you keep somebody away who is at this match" == told.get("reason")
    assert [] == tied["tied"]


async def test_a_bot_that_is_kept_away_says_nothing_at_that_table(anna: Browser, bert: Browser) -> None:
    created = await offered(anna)
    async with await bots_talk(bert, "berts_bot") as talk:
        await joined(talk, created)
        await talk.say("hello", version=1, match=created["match"], mine=True)
        await talk.hear("view")
        await anna.ask("POST", "/api/me/blocks", {"handle": "berts_bot"})
        await talk.say("say", match=created["match"], room="table", text="Beep")
        told = await talk.hear("said", "refused")

    assert "somebody at this table does not talk with you" == told.get("reason")


async def test_a_bot_that_one_keeps_away_is_challenged_by_oneself_no_more(
    anna: Browser, bert: Browser
) -> None:
    await anna.ask("POST", "/api/me/blocks", {"handle": "berts_bot"})
    told = [(await anna.ask("GET", f"/api/me/challenges?to={who}"))[0] for who in (*BOTS, "bert")]

    assert [403, 200, 200] == told
    assert bert.cookie


async def test_a_bot_that_one_keeps_away_is_not_invited(anna: Browser, bert: Browser) -> None:
    cup = await made(anna, bots=True)
    await anna.ask("POST", "/api/me/blocks", {"handle": "berts_bot"})

    assert "not_allowed" == await refused(anna, "POST", cup, "invitations", {"handle": "berts_bot"})
    await done(anna, "POST", cup, "invitations", {"handle": "berts_other"})
    assert bert.cookie


@pytest.mark.parametrize("asks", ["anna", "bert"])
async def test_who_keeps_whom_away_is_asked_of_the_database(
    server: Serving, bert: Browser, anna: Browser, asks: str
) -> None:
    """Given that a person keeps another's bot away, or the other person, and has a bot too."""
    await anna.ask("POST", "/api/me/bots", {"handle": "annas_bot"})
    await anna.ask("POST", "/api/me/blocks", {"handle": "berts_bot" if asks == "anna" else "bert"})
    query = """
        SELECT a.handle, b.handle FROM people.person a CROSS JOIN people.person b
         WHERE people.keeps_away(a.id, b.id) ORDER BY 1, 2
    """
    async with asyncio.timeout(10), server.database.http.acquire() as conn:
        found = [tuple(row) for row in await conn.fetch(query)]

    away = ["berts_bot"] if asks == "anna" else ["bert", *BOTS]
    assert [(keeper, who) for keeper in ("anna", "annas_bot") for who in away] == found
    assert bert.cookie
