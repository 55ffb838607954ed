"""Who has access to a match on a node, and whom a look at its links concerns."""

import asyncio
from collections.abc import Collection
from uuid import UUID

import pytest

from server.lobby.offers import Access
from server.serving import Serving
from server.socket import gateway
from server.socket.accesses import Accesses
from tests.server.talk import enter, offer, talking, token
from tests.server.watching import until


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
        monkeypatch.setattr(Accesses, "tokens", noted)
        await server.gateway.end_void_accesses(UUID(here["match"]))

        assert 2 == len(looked) == len(set(looked))
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
