"""Who is here, as the lobby tells it."""

import asyncio

import asyncpg
import pytest

from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.talk import Talk, offer, talking


async def until(talk: Talk, persons: int, guests: int) -> Said:
    """Return what the lobby says of who is here, once these are so many."""
    async with asyncio.timeout(15):
        while True:
            here = (await talk.hear("listed")).get("here")
            if here and (here["persons"], here["guests"]) == (persons, guests):
                found: Said = here
                return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby.here.EVERY", 0.1)


@pytest.mark.usefixtures("quick")
async def test_persons_are_counted_and_named_only_if_they_wish(server: Serving) -> None:
    """Given two persons and a guest who look at the lobby, one person by two browsers, and one at a match."""
    anna, bert = Browser(server.url), Browser(server.url)
    await anna.sign_up("anna")
    await bert.sign_up("bert")
    created = await offer(server.url)
    async with anna.talking() as one, anna.talking() as two, bert.talking() as three:
        async with talking(server.url) as guest, talking(server.url) as elsewhere:
            await elsewhere.say("hello", version=1, match=created["match"])
            for talk in (one, two, three, guest):
                await talk.say("lobby", watching=True)
            counted = await until(guest, 2, 1)
            status, _ = await anna.ask("PATCH", "/api/me", {"shown": True})
            async with asyncio.timeout(15):
                while (named := await until(guest, 2, 1))["named"] == []:
                    pass
                while (await until(three, 2, 1))["named"] == []:  # what was said before waits to be heard
                    pass
        await bert.ask("POST", "/api/me/blocks", {"handle": "anna"})
        left = await until(three, 2, 0)

    assert ([], 200, ["anna"]) == (counted["named"], status, named["named"])
    assert ["anna"] == left["named"]


@pytest.mark.usefixtures("quick")
async def test_who_has_left_is_here_no_more_also_where_his_process_is_gone(server: Serving, dsn: str) -> None:
    """Given a row of a process that said a minute ago that somebody is here, and nothing since."""
    anna = Browser(server.url)
    await anna.sign_up("anna")
    conn = await asyncpg.connect(dsn)
    try:
        await conn.execute(
            "INSERT INTO people.here SELECT gen_random_uuid(), now() - interval '1 minute', array_agg(id), 9"
            " FROM people.person"
        )
        async with talking(server.url) as guest:
            await guest.say("lobby", watching=True)
            async with anna.talking() as talk:
                await talk.say("lobby", watching=True)
                both = await until(guest, 1, 1)
            alone = await until(guest, 0, 1)
        left = await conn.fetchval("SELECT count(*) FROM people.here WHERE guests = 9")
    finally:
        await conn.close()

    assert (1, 0, 0) == (both["persons"], alone["persons"], left)
