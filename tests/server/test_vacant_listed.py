"""Seats that are offered to others as their players stay away: where they are found, and where not."""

import asyncio

import pytest

from projections.standings import VACANT
from server.lobby import listing
from tests.server.authenticator import Browser
from tests.server.talk import Said, seated
from tests.server.test_claims import Weeks
from tests.server.test_claims import weeks as weeks  # noqa: PLC0414 a fixture
from tests.server.test_replacing import on_offer


async def found(weeks: Weeks, query: str) -> list[str]:
    _, told = await Browser(weeks.server.url).ask("GET", f"/api/matches?{query}")
    return [one["match"] for one in told["matches"]]


async def followed(weeks: Weeks) -> None:
    """Wait until the standings say that a seat is offered."""
    async with asyncio.timeout(10):
        while not await weeks.server.database.http.fetch(f"SELECT FROM view.standings WHERE {VACANT}"):
            await asyncio.sleep(0.05)


async def test_a_seat_on_offer_is_found_among_those_that_are_open_whatever_is_looked_for(
    weeks: Weeks,
) -> None:
    async with on_offer(weeks, label="Somebody here?") as (created, _, _):
        await followed(weeks)
        queries = ("state=open", "state=open&title=tiny", "state=open&q=somebody", "state=open,playing")
        there = [(await found(weeks, query)).count(created["match"]) for query in queries]
        other = await found(weeks, "state=open&title=midway")

    assert [1] * 4 == there
    assert [] == other


async def test_a_seat_on_offer_is_in_the_lobby_though_others_have_moved_since(
    weeks: Weeks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a lobby of one match in each state, and one that has moved since the seat was offered."""
    async with on_offer(weeks) as (created, _, _):
        await followed(weeks)
        async with seated(weeks.server.url) as (other, _, _):
            await later(weeks, other)
            monkeypatch.setattr(listing, "SHOWN", 1)
            lively = [str(one.match) for one in await weeks.server.listing.lively()]

    assert {other["match"], created["match"]} == set(lively)


async def later(weeks: Weeks, created: Said) -> None:
    """Wait until a match is listed as in play."""
    async with asyncio.timeout(10):
        while created["match"] not in await found(weeks, "state=playing"):
            await asyncio.sleep(0.05)


async def test_a_seat_on_offer_of_a_private_match_is_on_no_list(weeks: Weeks) -> None:
    async with on_offer(weeks, private=True) as (created, _, _):
        await followed(weeks)
        there = await found(weeks, "state=open,playing")

    assert created["match"] not in there
