"""Searches of the list of matches: one at a time, of each address in turn, and nobody else waits for them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from server import turns
from server.addresses import Address
from server.lobby import listing
from server.lobby.listing import LIVELY, Listing, Wish
from server.log.outcomes import Busy
from server.postgres.database import Database

SEARCH = Wish(LIVELY, words="midway")


@asynccontextmanager
async def held_up(dsn: str) -> AsyncIterator[None]:
    """Let whoever reads the matches wait within the context, as behind a search that takes long."""
    owner = await asyncpg.connect(dsn)
    try:
        async with owner.transaction():
            await owner.execute("LOCK TABLE lobby.match IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        await owner.close()


async def waits(matches: Listing, address: Address, number: int) -> None:
    async with asyncio.timeout(10):
        while matches._searches.waiting_at(address) < number:
            await asyncio.sleep(0)


async def test_who_searches_elsewhere_waits_behind_one_search_of_a_crowd_and_not_behind_all(
    database: Database, dsn: str
) -> None:
    matches, crowd, other, order = (
        Listing(database.http, lambda _: (0, None)),
        Address(),
        Address(),
        list[str](),
    )

    async def search(name: str, address: Address) -> None:
        assert [] == await matches.matches(SEARCH, address)
        order.append(name)

    async with asyncio.TaskGroup() as group, held_up(dsn):
        for name in "abcd":
            group.create_task(search(name, crowd))
        await waits(matches, crowd, 3)
        group.create_task(search("x", other))
        await waits(matches, other, 1)

    assert [*"abxcd"] == order


async def test_a_search_that_has_waited_too_long_is_for_later_and_leaves_its_turn(
    database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches, home = Listing(database.http, lambda _: (0, None)), Address()
    monkeypatch.setattr(listing, "LONGEST", 0.05)

    async with held_up(dsn):
        first = asyncio.create_task(matches.matches(SEARCH, home))
        await asyncio.sleep(0)
        with pytest.raises(Busy, match=turns.LATER):
            await matches.matches(SEARCH, home)
        assert 0 == matches._searches.waiting_at(home)

    assert [] == await first == await matches.matches(SEARCH, home)


async def test_whoever_searches_for_no_words_waits_for_no_search(database: Database) -> None:
    matches = Listing(database.http, lambda _: (0, None))

    async with matches._searches.turn(Address()), asyncio.timeout(10):
        assert [] == await matches.matches(Wish(LIVELY), Address())
