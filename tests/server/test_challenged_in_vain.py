"""Matches to which somebody was challenged in vain: the challenger is told so, and is rid of them."""

import asyncio
import secrets
from collections.abc import Callable

import pytest

from tests.server.authenticator import Browser, Said
from tests.server.talk import new_token, talking, token
from tests.server.test_meeting import anna as anna  # noqa: PLC0414 a fixture
from tests.server.test_meeting import bert as bert  # noqa: PLC0414 a fixture
from tests.server.test_meeting import challenged, listed


async def mine(browser: Browser, enough: Callable[[Said], bool]) -> Said:
    """Return somebody's matches, once the list has followed the log so far."""
    async with asyncio.timeout(10):
        while True:
            _, told = await browser.ask("GET", "/api/me/matches")
            if enough(told):
                return told
            await asyncio.sleep(0.05)


def ids(told: Said) -> list[str]:
    return [one["info"]["match"] for one in told["matches"]]


@pytest.mark.parametrize("answer", ["declined", "withdrawn"])
async def test_a_match_to_which_one_challenged_in_vain_is_no_more_among_ones_own(
    anna: Browser, bert: Browser, answer: str
) -> None:
    created = await challenged(anna)
    match = created["match"]
    await mine(anna, lambda told: ids(told) == [match])
    path, who = f"/api/me/challenges/{match}", bert if answer == "declined" else anna

    await who.ask("POST", path, {"answer": answer, "word": "No time"})

    told = await mine(anna, lambda _: True)
    assert ([], [match]) == (ids(told), told["gone"])
    (seen,) = await listed(anna)
    assert (answer, "No time") == (seen["answer"], seen["reply"])


async def test_it_is_ones_own_again_once_somebody_else_sits_there_by_its_link(
    server_url: str, anna: Browser, bert: Browser
) -> None:
    created = await challenged(anna)
    match = created["match"]
    await bert.ask("POST", f"/api/me/challenges/{match}", {"answer": "declined"})
    await mine(anna, lambda told: told["gone"] == [match])

    async with talking(server_url) as guest:
        await guest.say("hello", version=1, match=match, token=token(created, "seat", 1))
        await guest.hear("view")
        sat = await guest.ask("sit", match=match, promise=secrets.token_hex(32), token=new_token())
        assert "receipt" == sat["t"]

    told = await mine(anna, lambda told: ids(told) == [match])
    assert [] == told["gone"]
