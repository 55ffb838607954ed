"""Who has access to a match on a node, and whom a look at its links concerns."""

import asyncio
from collections.abc import Collection
from uuid import UUID

import pytest

from domain.match.refusals import RequestError
from server.lobby.links import Access, Links
from server.log.store import Unavailable
from server.protocol import wire
from server.serving import Serving
from server.socket import gateway
from server.socket.accesses import Accesses
from tests.server.talk import enter, offer, talking, token
from tests.server.watching import until


async def rested(server: Serving) -> None:
    """Wait until no look is due on account of who came, or of links that changed."""
    await until(lambda: not server.gateway._doubted)
    await asyncio.sleep(3 * gateway.LOOK_REST)  # one may be under way, or come before this was seen


async def test_a_look_at_the_links_of_a_match_concerns_nobody_who_has_access_to_others_only(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "LOOK_AGAIN", 600.0)
    here, elsewhere = await offer(server.url), await offer(server.url)
    looked, tokens = list[Accesses](), Accesses.tokens

    def noted(accesses: Accesses, matches: Collection[UUID] | None = None) -> set[bytes]:
        looked.append(accesses)
        return tokens(accesses, matches)

    async with talking(server.url) as one, talking(server.url) as both, talking(server.url) as other:
        await enter(one, here, 0)
        for created in (here, elsewhere):
            await enter(both, created)
        await enter(other, elsewhere, 0)
        await rested(server)
        monkeypatch.setattr(Accesses, "tokens", noted)
        await server.gateway.end_void_accesses(UUID(here["match"]))

        assert 2 == len(looked) == len(set(looked)) < len(server.gateway.holders.of())
        assert all(accesses.get(UUID(here["match"])) for accesses in looked)


async def test_who_is_let_in_as_his_link_is_exchanged_and_does_not_watch_yet_is_shown_out(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given that his link was looked up before, and that others watch as he would."""
    monkeypatch.setattr(gateway, "LOOK_AGAIN", 600.0)
    created, looked_up, go_on = await offer(server.url), asyncio.Event(), asyncio.Event()
    checked = Accesses.checked

    async def slowly(accesses: Accesses, match: UUID) -> Access:
        access = await checked(accesses, match)
        looked_up.set()
        await go_on.wait()
        return access

    async with talking(server.url) as owner, talking(server.url) as thief, asyncio.timeout(10):
        await enter(owner, created, 0)
        monkeypatch.setattr(Accesses, "checked", slowly)
        await thief.say("hello", version=1, match=created["match"], token=token(created, "seat", 0))
        await looked_up.wait()
        await owner.say("exchange", match=created["match"])
        await owner.say("ping")
        await owner.hear("pong")
        go_on.set()

        assert "bad_token" == (await thief.hear("refused", "view"))["code"]


async def test_who_asks_by_a_void_link_for_the_next_is_shown_out(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given that he asks again and again, and that each time takes long."""
    monkeypatch.setattr(gateway, "LOOK_AGAIN", 600.0)
    created, exchange, turn = await offer(server.url), Links.exchange, asyncio.Lock()

    async def slowly(links: Links, access: Access) -> wire.Link:
        async with turn:
            return await exchange(links, access)

    async with talking(server.url) as owner, talking(server.url) as thief, asyncio.timeout(10):
        for seated in (owner, thief):
            await enter(seated, created, 0)
        monkeypatch.setattr(Links, "exchange", slowly)
        async with turn:
            await owner.say("exchange", match=created["match"])
            for _ in range(20):
                await thief.say("exchange", match=created["match"])
            await until(lambda: len(turn._waiters or ()) == 2)
        await owner.hear("linked")
        refused = [(await thief.hear("refused"))["code"] for _ in range(20)]

        assert ["bad_token", *["no_hello"] * 19] == refused
        assert 1 == len(server.gateway.holders.of())


async def test_a_new_link_that_is_void_when_it_comes_opens_nothing(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a link that is revoked after it was looked up, and before it is in use."""
    monkeypatch.setattr(gateway, "LOOK_AGAIN", 600.0)
    created, access = await offer(server.url), Links.access
    looked_up, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(links: Links, match: UUID, token: str) -> Access:
        found = await access(links, match, token)
        looked_up.set()
        await go_on.wait()
        return found

    async with talking(server.url) as creator, talking(server.url) as seated, asyncio.timeout(10):
        await creator.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await creator.hear("view")
        await enter(seated, created, 0)
        monkeypatch.setattr(Links, "access", slowly)
        await seated.say("exchange", match=created["match"])
        await looked_up.wait()
        await creator.say("revoke", match=created["match"], seat=0)
        await creator.hear("linked")
        await rested(server)
        go_on.set()

        assert "bad_token" == (await seated.hear("refused"))["code"]
        await until(lambda: len(server.gateway.holders.of()) == 1)


@pytest.mark.parametrize(
    "why", [Unavailable("away"), RequestError("started", "too late")], ids=["away", "refused"]
)
async def test_who_has_no_link_in_place_of_one_that_became_void_is_shown_out_soon(
    server: Serving, monkeypatch: pytest.MonkeyPatch, why: Exception
) -> None:
    monkeypatch.setattr(gateway, "LOOK_AGAIN", 600.0)
    created, asked, go_on = await offer(server.url), asyncio.Event(), asyncio.Event()
    exchange = Links.exchange

    async def fails(_: Links, __: Access) -> wire.Link:
        asked.set()
        await go_on.wait()
        raise why

    async with talking(server.url) as owner, talking(server.url) as thief, asyncio.timeout(10):
        for seated in (owner, thief):
            await enter(seated, created, 0)
        monkeypatch.setattr(Links, "exchange", fails)
        await thief.say("exchange", match=created["match"])
        await asked.wait()
        monkeypatch.setattr(Links, "exchange", exchange)
        await owner.say("exchange", match=created["match"])
        await owner.hear("linked")
        await rested(server)
        assert 2 == len(server.gateway.holders.of())
        go_on.set()

        assert "bad_token" != (await thief.hear("refused"))["code"]
        assert "bad_token" == (await thief.hear("refused"))["code"]


async def test_of_whoever_has_gone_nothing_is_kept(server: Serving) -> None:
    """Since he left the match, was shown out, or is disconnected."""
    created, holders = await offer(server.url), server.gateway.holders
    async with talking(server.url) as leaves, talking(server.url) as thief:
        await enter(leaves, created)
        async with talking(server.url) as owner:
            for seated in (owner, thief):
                await enter(seated, created, 0)
            assert 3 == len(holders.of())
            await leaves.say("bye", match=created["match"])
            await owner.say("exchange", match=created["match"])
            await thief.hear("refused")
            await until(lambda: len(holders.of()) == 1)
        await until(lambda: not holders._of)
