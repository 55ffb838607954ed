"""Tournaments where things cross, come twice, or stand still."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from server.postgres.database import Connection
from server.serving import Serving
from tests.server.meets import all_made, begun, done, pairings, read, refused, rule, signed_up, until
from tests.server.test_tournaments import sat

_SLOW = """
CREATE FUNCTION people.slow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_sleep(0.7); RETURN NEW; END $$;
CREATE TRIGGER slow BEFORE UPDATE OF match_id ON people.pairing FOR EACH ROW EXECUTE FUNCTION people.slow()
"""
_SLEEPS = """
SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep')
"""


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection as the owner of the database."""
    opened = await asyncpg.connect(dsn)
    yield opened
    await opened.close()


async def test_who_rules_while_a_match_is_made_waits_and_nobody_plays_it(
    server: Serving, owner: Connection
) -> None:
    await owner.execute(_SLOW)
    tournament, (anna, bert) = await begun(server.url, 2, rounds=1)
    async with asyncio.timeout(10):
        while not await owner.fetchval(_SLEEPS):
            await asyncio.sleep(0.02)
    told = await rule(anna, tournament, "call off")
    (pair,) = pairings(await read(anna, tournament))

    assert "called off" == told["info"]["state"]
    assert pair["match"] is not None
    assert ["not_seated"] * 2 == [(await sat(one, pair["match"]))[0] for one in (anna, bert)]


async def test_an_invitation_to_a_place_is_used_up_when_somebody_takes_it(server_url: str) -> None:
    tournament, (anna, _) = await begun(server_url, 2, rounds=1)
    carl, emil, dora = [await signed_up(server_url, handle) for handle in ("carl", "emil", "dora")]
    for handle in ("carl", "dora"):
        await rule(anna, tournament, "replace", entrant=2, handle=handle)
    await done(carl, "POST", tournament, "entry")
    beaten = await refused(dora, "POST", tournament, "entry")
    await rule(anna, tournament, "replace", entrant=2, handle="emil")
    told = await done(emil, "POST", tournament, "entry")
    _, invited = await anna.ask("GET", f"/api/tournaments/{tournament}/invitations")

    assert ["anna", "emil"] == [one["player"]["handle"] for one in told["entrants"]]
    assert ["not_allowed"] * 2 == [beaten, await refused(carl, "POST", tournament, "entry")]
    assert [] == invited["invited"]
