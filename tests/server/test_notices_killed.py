"""Whoever tells notices is killed: none is lost, and at most the one that was being told is told twice."""

import asyncio
import contextlib
import random
import sys
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from server.notices.places import Webhook
from tests.server.certificates import Certificates
from tests.server.noticed import World
from tests.server.receivers import Took, Web, trusting
from tests.server.teller import LEASE


@contextlib.asynccontextmanager
async def teller(dsn: str, certificates: Certificates) -> AsyncIterator[Process]:
    """Run a process that tells notices."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.server.teller", dsn, str(certificates.ca)
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def turns(world: World, hook: Web, certificates: Certificates, count: int) -> None:
    """Make so many turns, each of a person with a webhook, that are due."""
    making = world.notifying(lambda: trusting(certificates))
    for number in range(count):
        person = await world.person()
        await making.channels.add(person, Webhook(url=hook.url(path=f"/{number}")))
        await world.ask(await world.match(None, person), 1, 5)
    await making.stop()
    await world.later(seconds=61)


async def all_told(world: World) -> None:
    """Wait until nothing is left to be told."""
    async with asyncio.timeout(60):
        while not (rows := await world.outbox()) or any(outcome is None for *_, outcome in rows):
            await asyncio.sleep(0.02)


def ids(took: list[Took]) -> Counter[str]:
    return Counter(one.headers["webhook-id"] for one in took)


async def test_killed_between_telling_and_noting_it_one_is_told_twice_and_none_is_lost(
    world: World, dsn: str, hook: Web, certificates: Certificates
) -> None:
    """Given a webhook that has taken a notice, and whose answer never came to who told it."""
    await turns(world, hook, certificates, 1)
    hook.open.clear()
    async with teller(dsn, certificates) as process:
        await hook.heard(1)
        process.kill()
        await process.wait()
    hook.open.set()
    alive = world.notifying(lambda: trusting(certificates), lease=LEASE)
    running = asyncio.create_task(alive.run())
    await all_told(world)
    running.cancel()
    await asyncio.wait([running])
    await alive.stop()

    assert [2] == list(ids(hook.took).values())
    assert [("turn", 1, 5, "sent")] == await world.outbox()


@pytest.mark.soak
async def test_killed_again_and_again_none_is_lost(
    world: World, dsn: str, hook: Web, certificates: Certificates
) -> None:
    """Given processes that tell, each killed after some notices, wherever it is."""
    await turns(world, hook, certificates, 200)
    hook.statuses = [random.choice((201, 201, 500)) for _ in range(300)]
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(10):
            process = await stack.enter_async_context(teller(dsn, certificates))
            with contextlib.suppress(TimeoutError):  # all may be told by now
                await hook.heard(len(hook.took) + random.randrange(1, 20), within=10)
            process.kill()
            await world.later(minutes=2)  # what failed is tried again
        await stack.enter_async_context(teller(dsn, certificates))
        async with asyncio.timeout(120):
            while [outcome for *_, outcome in await world.outbox()].count("sent") < 200:
                await world.later(minutes=2)
                await asyncio.sleep(0.2)

    assert 200 == len(await world.outbox()) == len(ids(hook.took))
