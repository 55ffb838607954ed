"""Whoever tells notices is killed: none is lost, and what was under way then is told again at most.

A kill falls between telling and noting of as many as a worker tells at once, and may fall there again, of the
same notice, when the next process tells it. So what holds of each notice is that no process tells it again
once it was taken, and that the next one does not where its turn is over.
"""

import asyncio
import contextlib
import random
import sys
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import pytest
from msgspec import Struct

from server.notices.outward import WITHIN
from server.notices.places import Webhook
from server.notices.worker import AT_ONCE
from tests.server.certificates import Certificates
from tests.server.noticed import World
from tests.server.receivers import Took, Web, trusting

LEASE = timedelta(seconds=1)
LONG = timedelta(seconds=2 * WITHIN + 2)
"""A lease that, as the true one does, lasts longer than any telling, however slow."""


class Turn(Struct, frozen=True):
    """A turn of seat 1, and whose it is."""

    match: UUID
    person: UUID


class Over(Struct, frozen=True):
    """The end of a turn: by which process it may be told even so, and how many requests there were before."""

    teller: int | None
    after: int


@contextlib.asynccontextmanager
async def teller(dsn: str, certificates: Certificates, lease: timedelta = LEASE) -> AsyncIterator[Process]:
    """Run a process that tells notices."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.server.teller", dsn, str(certificates.ca), str(lease.total_seconds())
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def turns(world: World, hook: Web, certificates: Certificates, count: int) -> list[Turn]:
    """Make so many turns, each of a person with a webhook, its number the path, that are due."""
    making = world.notifying(lambda: trusting(certificates))
    made = []
    for number in range(count):
        person = await world.person()
        await making.channels.add(person, Webhook(url=hook.url(path=f"/{number}")))
        made.append(Turn(await world.match(None, person), person))
        await world.ask(made[-1].match, 1, 5)
    await making.stop()
    await world.later(seconds=61)
    return made


async def ends(world: World, turn: Turn) -> bool:
    """End a turn; whether it was being told, or may have been: a claim that saw it is waited for."""
    await world.moved(turn.match, 1)
    leased: bool = await world.owner.fetchval(
        "SELECT leased_until > clock_timestamp() FROM people.channel WHERE person_id = $1 FOR UPDATE",
        turn.person,
    )
    return leased


async def all_told(world: World) -> None:
    """Wait until nothing is left to be told."""
    async with asyncio.timeout(60):
        while not (rows := await world.outbox()) or any(outcome is None for *_, outcome in rows):
            await asyncio.sleep(0.02)


async def all_noted(world: World) -> bool:
    """Whether it is noted of each turn that lasts that it was told, and of all else what came of it."""
    noted: bool = await world.owner.fetchval(
        "SELECT NOT EXISTS (SELECT FROM people.outbox WHERE outcome IS NULL) AND NOT EXISTS ("
        " SELECT FROM view.turn t LEFT JOIN people.outbox o USING (match_id, seat)"
        " WHERE o.outcome IS DISTINCT FROM 'sent')"
    )
    return noted


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


async def test_killed_between_telling_and_noting_it_one_whose_turn_is_over_is_told_no_more(
    world: World, dsn: str, hook: Web, certificates: Certificates
) -> None:
    """Given a webhook whose answer never came to who told it, and a turn that ends before the next does."""
    (turn,) = await turns(world, hook, certificates, 1)
    hook.open.clear()
    async with teller(dsn, certificates) as process:
        await hook.heard(1)
        process.kill()
        await process.wait()
    hook.open.set()
    await world.moved(turn.match, 1)
    alive = world.notifying(lambda: trusting(certificates), lease=LEASE)
    running = asyncio.create_task(alive.run())
    await all_told(world)
    running.cancel()
    await asyncio.wait([running])
    await alive.stop()

    assert [1] == list(ids(hook.took).values())
    assert [("turn", 1, 5, "stale")] == await world.outbox()


@pytest.mark.soak
async def test_killed_again_and_again_none_is_lost_and_few_are_doubled_and_none_that_is_over(
    world: World, dsn: str, hook: Web, certificates: Certificates
) -> None:
    """Given processes that tell, each killed after some notices, wherever it is, while turns end.

    No process tells a notice again that was taken from it, and of what was taken from one no more is told
    again by others than it tells at once. Of a turn that is over nothing is told but, once, by the process
    that had claimed it before.
    """
    lasting = dict(enumerate(await turns(world, hook, certificates, 400)))
    hook.statuses = [random.choice((201, 201, 500)) for _ in range(400)]
    number, tellers, over = 0, list[int](), dict[int, Over]()
    hook.told = lambda _: tellers.append(number)

    async def some_end() -> None:
        for one in random.sample(sorted(lasting), 4):
            under_way = await ends(world, lasting.pop(one))
            over[one] = Over(number if under_way else None, len(hook.took))

    async with contextlib.AsyncExitStack() as stack:
        for _ in range(10):
            number += 1
            process = await stack.enter_async_context(teller(dsn, certificates, LONG))
            await hook.heard(len(hook.took) + random.randrange(1, 40))
            await some_end()
            await hook.heard(len(hook.took) + random.randrange(1, 5))
            process.kill()
            await process.wait()
            await some_end()
            await world.later(minutes=2)  # what failed is tried again
        number += 1
        await stack.enter_async_context(teller(dsn, certificates, LONG))
        async with asyncio.timeout(120):
            while not await all_noted(world):
                await world.later(minutes=2)
                await asyncio.sleep(0.2)

    told = list(zip((int(one.path.removeprefix("/")) for one in hook.took), tellers, strict=True))
    taken: dict[int, list[int]] = {}
    for (one, by), took in zip(told, hook.took, strict=True):
        if took.status == 201:
            taken.setdefault(one, []).append(by)
    doubled = Counter(by for processes in taken.values() for by in processes[:-1])
    late = [(one, by) for at, (one, by) in enumerate(told) if one in over and at >= over[one].after]

    assert set() == set(lasting) - set(taken)
    assert len({one for one, _ in told}) == len({(one.path, one.headers["webhook-id"]) for one in hook.took})
    assert [] == [processes for processes in taken.values() if len(set(processes)) < len(processes)]
    assert max(doubled.values(), default=0) <= AT_ONCE["webhook"]
    assert [] == [(one, by) for one, by in late if by != over[one].teller]
    assert len(set(late)) == len(late)
