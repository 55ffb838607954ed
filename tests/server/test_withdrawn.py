"""Offers and challenges of who is here no more, or has taken them back, or has no seat left for his guest."""

import asyncio
import hashlib
import secrets
from pathlib import Path
from uuid import UUID

import pytest

from server.lobby.seats import open_to
from server.postgres.database import connection
from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.meets import signed_up
from tests.server.talk import enter, sit, talking, token
from tests.server.test_meeting import join, listed, offered
from tests.server.test_people_operator import Operator

GOES = ["erased", "banned"]


@pytest.fixture
async def anna(server_url: str) -> Browser:
    return await signed_up(server_url, "anna")


@pytest.fixture
async def bert(server_url: str) -> Browser:
    return await signed_up(server_url, "bert")


@pytest.fixture
def operator(dsn: str, folder: Path) -> Operator:
    return Operator(dsn, folder)


async def goes(how: str, anna: Browser, operator: Operator) -> None:
    """Have somebody erase himself, or be banned."""
    if how == "erased":
        status, _ = await anna.ask("DELETE", "/api/me", {"handle": "anna"})
        assert status == 200
    else:
        assert await operator.tell("ban", "anna") == (0, "Banned.\n")


async def challenged(server: Serving, by: Browser, whom: str) -> Said:
    """Offer a private match to which somebody is challenged, as it is stored, and sit down."""
    created = await offered(by, private=True)
    match = UUID(created["match"])
    async with connection(server.database.http) as conn:
        person = await conn.fetchval("SELECT id FROM people.person WHERE handle = $1", whom)
        await conn.execute(
            "INSERT INTO lobby.challenge (match_id, challenger, challenged)"
            " SELECT match_id, person_id, $2 FROM lobby.match WHERE match_id = $1",
            match,
            person,
        )
        await open_to(conn, person, match, "onlooker", None)
    return created


async def sees(browser: Browser, created: Said) -> str:
    """Return what a person is answered who looks at a match: a view, or a refusal."""
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        told = await talk.hear("view", "refused")
    return str(told.get("code", told["t"]))


async def on_the_list(browser: Browser, *offers: Said) -> None:
    """Wait until these matches are offered in the lobby, and no other."""
    wanted = {one["match"] for one in offers}
    async with asyncio.timeout(10):
        while True:
            _, told = await browser.ask("GET", "/api/matches?state=open")
            if {one["match"] for one in told["matches"]} == wanted:
                return
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("how", GOES)
async def test_what_somebody_offered_who_is_here_no_more_is_offered_to_nobody(
    operator: Operator, anna: Browser, bert: Browser, how: str
) -> None:
    """Given an offer of his, one of a bot of his, and one of somebody else."""
    await anna.ask("POST", "/api/me/bots", {"handle": "annas_bot"})
    _, made = await anna.ask("POST", "/api/me/bots/annas_bot/tokens", {"name": "", "scopes": ["play"]})
    own, other = await offered(anna), await offered(bert)
    as_bot = {"Authorization": f"Bearer {made['token']}"}
    async with talking(anna.origin, host="127.0.0.1", additional_headers=as_bot) as talk:
        bots = await talk.ask("create", "created", version=1, title="tiny", scenario="skirmish")
        await enter(talk, bots, 0)
        await sit(talk, bots)
    await on_the_list(bert, own, other, bots)

    await goes(how, anna, operator)
    await on_the_list(bert, other)

    assert ["private", "private"] == [(await join(bert, one))["code"] for one in (own, bots)]


@pytest.mark.parametrize("how", GOES)
async def test_challenges_of_who_is_here_no_more_wait_for_nobody(
    server: Serving, operator: Operator, anna: Browser, bert: Browser, how: str
) -> None:
    """Given one by him and one to him: whom he asked watches his match no longer."""
    by_him = await challenged(server, anna, "bert")
    to_him = await challenged(server, bert, "anna")
    before = await sees(bert, by_him)
    await listed(bert, 2)
    await goes(how, anna, operator)
    _, told = await bert.ask("GET", "/api/me/challenges")
    answers = {one["info"]["match"]: one["answer"] for one in told["challenges"]}

    assert ("view", "private") == (before, await sees(bert, by_him))
    gone = {by_him["match"]: "withdrawn", to_him["match"]: "declined"}
    assert answers == (gone if how == "banned" else {})


async def test_nobody_challenges_who_is_banned_nor_a_bot_of_his(
    operator: Operator, anna: Browser, bert: Browser
) -> None:
    await anna.ask("POST", "/api/me/bots", {"handle": "annas_bot"})
    await operator.tell("ban", "anna")
    told = [await bert.ask("GET", f"/api/me/challenges?to={who}") for who in ("anna", "annas_bot")]
    await operator.tell("unban", "anna")
    again, _ = await bert.ask("GET", "/api/me/challenges?to=anna")

    assert [403, 403, 200] == [*(status for status, _ in told), again]
    assert "anna does not play here any more" == told[0][1]["reason"]


async def test_a_match_that_has_begun_is_not_taken_back(
    server: Serving, operator: Operator, anna: Browser, bert: Browser
) -> None:
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with anna.talking() as north, bert.talking() as south:
        created = await north.ask("create", "created", version=1, title="tiny", scenario="skirmish")
        for seat, talk in enumerate((north, south)):
            await enter(talk, created, seat)
            await sit(talk, created, promise=hashlib.sha256(nonces[seat]).hexdigest())
        for seat, talk in enumerate((north, south)):
            await talk.ask("show", match=created["match"], nonce=nonces[seat].hex())
    match = UUID(created["match"])
    async with asyncio.timeout(10), connection(server.database.http) as conn:
        while not await conn.fetchval("SELECT started FROM view.standings WHERE match_id = $1", match):
            await asyncio.sleep(0.05)
        await operator.tell("ban", "anna")
        withdrawn = await conn.fetchval("SELECT withdrawn FROM lobby.match WHERE match_id = $1", match)

    assert withdrawn is False


async def test_who_was_challenged_to_an_offer_that_is_taken_back_watches_it_no_longer(
    server: Serving, anna: Browser, bert: Browser
) -> None:
    """Given that he watches just now."""
    created = await challenged(server, anna, "bert")
    async with bert.talking() as watching, anna.talking() as talk:
        await watching.say("hello", version=1, match=created["match"], mine=True)
        await watching.hear("view")
        await talk.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await talk.hear("view")
        await talk.say("withdraw", match=created["match"])
        await talk.hear("withdrawn")
        gone = await watching.hear("refused")

    assert ("bad_token", "private") == (gone["code"], await sees(bert, created))


@pytest.mark.parametrize("who", ["somebody else", "he himself"])
async def test_a_challenge_to_a_match_in_which_no_seat_is_left_waits_for_nobody(
    server: Serving, anna: Browser, bert: Browser, who: str
) -> None:
    """Given that the seat is taken by its link, by somebody who was given it, or by who was challenged."""
    created = await challenged(server, anna, "bert")
    by = bert if who == "he himself" else Browser(server.url)
    async with by.talking() as talk:
        await enter(talk, created, 1)
        await sit(talk, created)
    (seen,) = await listed(bert)

    assert seen["answer"] == ("accepted" if who == "he himself" else "withdrawn")
    assert await sees(bert, created) == ("view" if who == "he himself" else "private")
