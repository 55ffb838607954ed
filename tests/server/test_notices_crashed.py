"""Postgres crashes while notices are told: what it had not written is done again, and nobody hears twice."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from projections.every import PROJECTIONS
from projections.generations import prepare
from server.postgres.database import opened
from server.postgres.embedded import Embedded
from tests.conftest import NO_DISK
from tests.server.certificates import Certificates
from tests.server.noticed import World, notifying, one_to_tell, owner_of, round_of
from tests.server.receivers import MailBox

SLOW_TO_WRITE = NO_DISK | {"wal_writer_delay": "10s"}
"""What nothing waits for is written after so long, and not before."""


@pytest.fixture
async def engine(made_folder: Path) -> AsyncIterator[Embedded]:
    """Give a Postgres of the test's own that writes late what nothing waits for."""
    one = Embedded(made_folder, SLOW_TO_WRITE)
    await one.start()
    yield one
    await one.stop()


@pytest.fixture
async def world(engine: Embedded) -> AsyncIterator[World]:
    """Give a world in it."""
    async with opened(engine.dsn) as database:
        for projection in PROJECTIONS:
            await prepare(database.projector, projection)
        owner = await owner_of(engine.dsn)
        one = World(owner, database)
        await one.begin()
        yield one
        await one.owner.close()


async def crash(engine: Embedded, world: World) -> None:
    """Let Postgres crash, and wait until it is there again."""
    before = engine.pid
    assert before
    os.kill(before, signal.SIGQUIT)
    world.owner.terminate()
    async with asyncio.timeout(30):
        while True:
            try:
                world.owner = await owner_of(engine.dsn)
            except (OSError, asyncpg.PostgresError):
                await asyncio.sleep(0.05)
            else:
                break
    for pool in world.database.pools:
        await pool.expire_connections()


async def test_what_was_put_in_and_is_lost_in_a_crash_is_put_in_again(
    engine: Embedded, world: World, box: MailBox, certificates: Certificates
) -> None:
    telling = notifying(world, box, certificates)
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.fact(match, 1, "Started")
    await world.later(seconds=61)
    await telling.look()
    assert [("turn", 1, 5, None), ("begun", 1, 1, None)] == await world.outbox()

    await crash(engine, world)
    lost = await world.outbox()
    await round_of(telling)

    assert [] == lost
    assert [("turn", 1, 5, "sent"), ("begun", 1, 1, "sent")] == await world.outbox()
    assert 2 == len(box.took)
    await telling.stop()


async def test_what_was_sent_before_a_crash_is_not_sent_again(
    engine: Embedded, world: World, box: MailBox, certificates: Certificates
) -> None:
    telling = notifying(world, box, certificates)
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)

    await crash(engine, world)
    await round_of(telling)

    assert [("turn", 1, 5, "sent")] == await world.outbox()
    assert 1 == len(box.took)
    await telling.stop()
