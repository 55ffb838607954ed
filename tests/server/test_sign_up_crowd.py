"""Sign-ups from many addresses at once: each network has its share, and who plays meanwhile is answered.

On Linux all of 127.0.0.0/8 are addresses of this machine.
"""

import asyncio
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import count
from pathlib import Path
from statistics import median
from uuid import uuid4

import pytest

from clients.client import Client
from server.bench import share
from server.limits import SIGN_UPS
from server.people.shares import NETWORK
from server.protocol import wire
from tests.server.authenticator import Authenticator, Browser
from tests.server.beside import SECONDS, playing, stored
from tests.server.reading import get
from tests.server.tables import Node

DECISIONS = 10
"""Decisions, and as many undos, that are made beside a crowd at least."""

A_MINUTE = 1000
QUIET = 5.0
MOST = 3.0
"""How many times as long the median decision may take beside a thousand sign-ups a minute."""

_handles = count()


@pytest.fixture
async def node(dsn: str, folder: Path) -> AsyncIterator[Node]:
    """Give a server in a process of its own."""
    folder.mkdir()
    started = Node(dsn, folder)
    await started.start()
    yield started
    await started.kill()


def browser_at(node: Node, address: str) -> Browser:
    one = Browser(node.url)
    one.address = address
    return one


async def signs_up(node: Node, address: str) -> int:
    """Sign up in the way that a page does; return the status of the last answer."""
    one, handle = browser_at(node, address), f"crowd_{next(_handles)}"
    wanted = {"purpose": "sign up", "handle": handle}
    status, told = await one.ask("POST", "/api/me/passkeys/options", wanted)
    if status == 200:
        credential = Authenticator().make(told["options"], one.origin)
        status, _ = await one.ask("POST", "/api/me/sign-up", {"handle": handle, "credential": credential})
    return status


async def tries(node: Node, address: str) -> int:
    """Ask to be signed up with what is no passkey, which costs as much of a share."""
    body = {"handle": f"crowd_{next(_handles)}", "credential": {}}
    return (await browser_at(node, address).ask("POST", "/api/me/sign-up", body))[0]


async def decides(client: Client, until: asyncio.Event, least: int) -> list[float]:
    """Decide and take back until something has happened, so often at least; return how long each took."""
    clock, took = asyncio.get_running_loop().time, list[float]()
    while not until.is_set() or len(took) < 2 * least:
        await client.wait(lambda: client.prompt is not None)
        assert client.prompt is not None
        for command in (
            wire.Decide(client.place.match, uuid4(), client.upto, client.prompt.options[0]),
            wire.Undo(client.place.match, uuid4()),
        ):
            begun = clock()
            await stored(client, command)
            took.append(clock() - begun)
        await asyncio.sleep(0.01)
    return took


async def crowd(node: Node, addresses: Sequence[str], apiece: int, at_once: int = 8) -> Counter[int]:
    """Let each address ask so often; return how often each status was answered."""
    turns, statuses = asyncio.Semaphore(at_once), Counter[int]()

    async def one(address: str) -> None:
        async with turns:
            statuses[await tries(node, address)] += 1

    async with asyncio.TaskGroup() as all_of_them:
        for _ in range(apiece):
            for address in addresses:
                all_of_them.create_task(one(address))
    return statuses


async def refused(node: Node) -> int:
    """Return how many sign-ups the metrics say were refused."""
    told = (await get(node.url, "/metrics")).body.decode()
    (found,) = re.findall(r"^fleetfold_shares_refused_total\{[^}]*sign-ups[^}]*\} (\S+)$", told, re.MULTILINE)
    return int(float(found))


async def test_a_network_of_many_addresses_has_its_share_of_sign_ups_and_play_goes_on(node: Node) -> None:
    """Given a crowd of which no address has asked for more than its own share."""
    most, over = int(NETWORK * SIGN_UPS[0]), 10
    addresses = [f"127.7.7.{number}" for number in range(1, 51)]
    clock, done = asyncio.get_running_loop().time, asyncio.Event()
    begun = clock()
    async with asyncio.timeout(SECONDS), playing(node.url, set()) as client, asyncio.TaskGroup() as both:
        playing_on = both.create_task(decides(client, done, DECISIONS))
        statuses = await crowd(node, addresses, (most + over) // len(addresses))
        more = 1 + (clock() - begun) * most / SIGN_UPS[1]  # that a network has again meanwhile
        elsewhere = await signs_up(node, "127.7.8.1")
        done.set()

    assert ({400, 429}, most + over) == (set(statuses), statuses.total())
    assert most <= statuses[400] <= most + more
    assert 200 == elsewhere
    assert statuses[429] == await refused(node)
    assert 2 * DECISIONS <= len(playing_on.result())


@pytest.mark.soak
async def test_a_thousand_sign_ups_a_minute_from_many_networks_leave_play_alone(
    node: Node, capsys: pytest.CaptureFixture[str]
) -> None:
    """Quiet seconds before and behind them are the measure; for a machine that does nothing else."""
    clock, statuses, done = asyncio.get_running_loop().time, Counter[int](), asyncio.Event()

    async def quiet(client: Client) -> list[float]:
        over = asyncio.Event()
        asyncio.get_running_loop().call_later(QUIET, over.set)
        return await decides(client, over, 1)

    async def comes(number: int, begun: float) -> None:
        await asyncio.sleep(begun + number * 60 / A_MINUTE - clock())
        statuses[await signs_up(node, f"127.8.{number % 25}.{1 + number % 200}")] += 1

    async with asyncio.timeout(2 * SECONDS), playing(node.url, set()) as client:
        before = await quiet(client)
        async with asyncio.TaskGroup() as both:
            beside = both.create_task(decides(client, done, DECISIONS))
            begun = clock()
            async with asyncio.TaskGroup() as all_of_them:
                for number in range(A_MINUTE):
                    all_of_them.create_task(comes(number, begun))
            seconds = clock() - begun
            done.set()
        still = before + await quiet(client)
    ratio = median(beside.result()) / median(still)
    with capsys.disabled():
        sys.stdout.write(
            f"{statuses.total()} sign-ups in {seconds:.0f} s, {statuses[200]} of them done; a decision beside"
            f" them {ratio:.2f} of one alone at the median ({1000 * median(still):.1f} ms),"
            f" p99 {1000 * share(beside.result(), 0.99):.0f} ms of {1000 * share(still, 0.99):.0f}\n"
        )

    assert {200} <= set(statuses) <= {200, 503}  # later, where all are busy
    assert ratio <= MOST
