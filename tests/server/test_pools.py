"""Which connections are taken for what is asked of a server: whoever reads makes nobody wait who plays.

Where all connections are held but those of some pools, what is answered has taken of these pools only.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg.pool
import pytest

from server.postgres.database import EACH, Database, connection
from server.serving import Serving
from tests.conftest import running
from tests.server.reading import get
from tests.server.talk import Said, enter, offer, prompt, seated, talking, token


@pytest.fixture
async def forgetful(dsn: str, folder: Path) -> AsyncIterator[Serving]:
    """Give a server that keeps one match in memory."""
    async with running(dsn, folder, tables_in_memory=1) as server:
        yield server


@asynccontextmanager
async def only(server: Serving, *free: str) -> AsyncIterator[list[str]]:
    """Hold all connections of a node but those of these pools; give the names of pools that are asked.

    One to append by is the pump's for good: nobody else may have asked for the other.
    """
    pools = {name: getattr(server.database, name) for name in Database.__struct_fields__}
    acquire, asked = asyncpg.pool.Pool.acquire, list[str]()

    def noted(pool: Any, **given: Any) -> Any:
        asked.extend(name for name, one in pools.items() if one is pool)
        return acquire(pool, **given)

    async with AsyncExitStack() as stack:
        for name in pools.keys() - {"append", *free}:
            for _ in range(EACH):
                await stack.enter_async_context(connection(pools[name]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncpg.pool.Pool, "acquire", noted)
            yield asked
    assert "append" not in asked


async def cold(server: Serving, created: Said) -> None:
    """Have a match forgotten: another is in its place in memory."""
    other = await offer(server.url)
    await server.matches.get(UUID(other["match"]))
    assert UUID(created["match"]) not in server.matches._live


async def ended(server: Serving) -> tuple[Said, int]:
    """Play a match with a decision to its end; return it, and the fact of the decision."""
    async with seated(server.url, title="midway", scenario="duel") as (created, north, south):
        async with asyncio.timeout(10):
            seat = 0 if any(asked["seat"] == 0 for asked in await asked_of(north)) else 1
        talk = (north, south)[seat]
        upto, options = await prompt(talk, seat)
        sent = await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])
        assert "receipt" == sent["t"]
        await north.ask("resign", match=created["match"])
        await south.hear("frame")
    return created, sent["seq"]


async def asked_of(talk: Any) -> list[Said]:
    """Return who is asked, as the last frame or view says that somebody is."""
    while True:
        for message in reversed(talk.heard):
            if message["t"] in {"frame", "view"} and message["prompts"]:
                return list(message["prompts"])
        await talk.hear("frame", "view")


@pytest.mark.parametrize("door", ["", "onlooker"])
@pytest.mark.parametrize(
    ("page", "more"),
    [
        ("", []),
        ("/steps", []),
        ("/steps?from=2&upto=5", []),
        ("/record", ["projector"]),  # which alone may read the tree that proves it
        ("/record?from=2&upto=9", []),
        ("/dispute/{seq}", []),
        ("/report", []),
        ("/chapters", []),
        ("/audit", []),
    ],
)
async def test_a_page_of_a_match_takes_connections_for_pages_alone(
    forgetful: Serving, page: str, more: list[str], door: str
) -> None:
    created, seq = await ended(forgetful)
    await cold(forgetful, created)
    by = token(created, door) if door else ""
    async with only(forgetful, "http", *more) as asked:
        got = await get(forgetful.url, f"/api/matches/{created['match']}{page.format(seq=seq)}", by)

    assert 200 == got.status, got.body
    assert {"http", *more} <= set(asked)


async def test_what_a_link_shows_of_a_match_takes_connections_for_pages_alone(forgetful: Serving) -> None:
    created = await offer(forgetful.url)
    await cold(forgetful, created)
    async with only(forgetful, "http"):
        shown = await forgetful.api.describe(UUID(created["match"]))

    assert created["match"] == str(shown.match)


async def test_a_decision_in_a_match_that_is_not_in_memory_waits_for_nobody_who_reads_or_comes(
    forgetful: Serving,
) -> None:
    async with seated(forgetful.url) as (created, north, _):
        upto, options = await prompt(north, 0)
        sent = {"match": created["match"], "answers": upto, "decision": options[0]}
        await cold(forgetful, created)
        async with only(forgetful, "play"):
            stored = await north.ask("decide", **sent)
        await cold(forgetful, created)
        async with only(forgetful, "play"):
            refused = await north.ask("decide", **sent)

    assert ("receipt", "not_asked") == (stored["t"], refused["code"])


async def test_a_hello_in_a_match_that_is_not_in_memory_takes_connections_for_hellos_alone(
    forgetful: Serving,
) -> None:
    async with seated(forgetful.url) as (created, _, _), talking(forgetful.url) as again:
        await cold(forgetful, created)
        async with only(forgetful, "read") as asked:
            answer = await enter(again, created, 0)

    assert "view" == answer["t"]
    assert "read" in asked
