"""Servers that are siblings, on real lines, with real sockets, on one Postgres, all in this process.

Those that are processes of their own are in `test_processes`.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from clients.client import Client
from clients.links import Place
from domain.titles import TITLES
from server.http.responses import NotReady, Ready
from server.http.together import Together, merged, worst
from server.proof.keys import generate
from server.serving import Serving, served
from server.settings import Settings
from server.siblings.line import ANSWER
from tests.conftest import MANY
from tests.server.family import Family, family_of_none
from tests.server.reading import get
from tests.server.talk import offer, talking
from tests.server.test_nodes import both_play
from tests.server.together import bot_sits, filled, free_port, until
from tests.tiny import GAME

GOOD = Ready(ready=True, bus=True, clock_offset=0.0, signed=True, signer=True)

TEXT = b"""# HELP fleetfold_bots Bots of the house
# TYPE fleetfold_bots gauge
fleetfold_bots 2.0
# HELP fleetfold_refusals_total Requests refused
# TYPE fleetfold_refusals_total counter
fleetfold_refusals_total{code="busy"} 1.0
"""


@pytest.fixture
async def family() -> AsyncIterator[Family]:
    async with family_of_none() as made:
        yield made


@asynccontextmanager
async def siblings(dsn: str, folder: Path, *ports: int, **settings: Any) -> AsyncIterator[list[Serving]]:
    """Run a server on each of these ports, 0 for any."""
    folder.mkdir()
    generate(folder / "keys")
    given: dict[str, Any] = {
        "database_url": dsn,
        "keys_file": folder / "keys",
        "data": folder,
        "offers_per_address": MANY,
    }
    async with family_of_none() as family, AsyncExitStack() as stack:
        stack.enter_context(pytest.MonkeyPatch.context()).setitem(TITLES, GAME.name, GAME)
        servers = []
        for port in ports:
            set_by, line = Settings(**(given | {"port": port} | settings)), await family.line()
            made = served(set_by, dsn, think=0.0, line=line, house_pass="carried by the bots of all")
            servers.append(await stack.enter_async_context(made))
        for line in family.lines:
            line.count = len(ports)
        yield servers


async def test_seats_and_onlookers_at_two_siblings_see_one_match(dsn: str, folder: Path) -> None:
    """And hear of all from each other: the log is asked when somebody comes, and then no more."""
    async with siblings(dsn, folder, 0, 0) as (one, two):
        created = await offer(one.url, scenario="campaign")
        match = UUID(created["match"])
        async with Client(Place(one.url, match)) as here, Client(Place(two.url, match)) as there:
            first, second = await both_play((one.url, two.url), created, folder)
            await here.wait(lambda: bool(here.match.get("key")))
            await there.wait(lambda: bool(there.match.get("key")))

            assert (first.upto, first.h) == (second.upto, second.h)
            assert here.view == there.view
            assert first.winner == here.match.get("winner")
            assert one.hub.tally.resyncs + two.hub.tally.resyncs < first.upto / 4


async def test_an_operator_is_told_of_all_whichever_he_asks(dsn: str, folder: Path) -> None:
    async with siblings(dsn, folder, 0, 0) as (one, two), talking(two.url):
        ready = await get(one.url, "/readyz")
        told = (await get(one.url, "/metrics")).body.decode()
        two.draining = True
        draining = await get(one.url, "/readyz")

        assert 2 == ready.json["processes"]
        assert (True, False) == (ready.json["ready"], draining.json["ready"])
        assert 'fleetfold_connections{process="0"} 0.0' in told
        assert 'fleetfold_connections{process="1"} 1.0' in told
        assert 'fleetfold_refusals_total{process="1",code="busy"} 0.0' in told
        assert 'fleetfold_processes{state="answering"} 2' in told


async def test_websockets_at_all_siblings_count_for_an_address(dsn: str, folder: Path) -> None:
    async with (
        siblings(dsn, folder, 0, 0, connections_per_address=4) as (one, two),
        AsyncExitStack() as stack,
    ):
        await filled(stack, one.url, 2)
        await until(lambda: _knows(two, 2))
        opened = await filled(stack, two.url, 9)
        await until(lambda: _knows(one, opened))

        assert 2 == opened
        assert 0 == await filled(stack, one.url, 1)


async def _knows(server: Serving, sockets: int) -> bool:
    """Whether a server knows of so many websockets at others."""
    return any(one.others_sockets == sockets for one in server.addresses.known.values())


async def test_a_bot_of_the_house_is_known_to_whichever_sibling_it_comes(dsn: str, folder: Path) -> None:
    """Given one port, behind which a bot comes to either, and an address with no room for another."""
    port = free_port()
    with capture_logs() as lines:
        await _seat_bots(dsn, folder, port)

    assert [] == [line for line in lines if line["event"] == "turned away"]


async def _seat_bots(dsn: str, folder: Path, port: int) -> None:
    async with (
        siblings(dsn, folder, port, port, connections_per_address=1) as (one, two),
        talking(one.url) as talk,
    ):
        assert one.url == two.url
        wish = {"version": 1, "title": "tiny", "scenario": "campaign", "bots": {"1": "random"}}
        created = [await talk.ask("create", "created", **wish) for _ in range(8)]
        await asyncio.gather(
            *(until(lambda match=made["match"]: bot_sits(one.url, match)) for made in created)  # type: ignore[misc]
        )

        assert 8 == one._bots() + two._bots()


# What an operator is told


def test_metrics_of_all_have_the_number_of_their_process() -> None:
    assert b"""# HELP fleetfold_bots Bots of the house
# TYPE fleetfold_bots gauge
fleetfold_bots{process="0"} 2.0
fleetfold_bots{process="1"} 3.0
# HELP fleetfold_refusals_total Requests refused
# TYPE fleetfold_refusals_total counter
fleetfold_refusals_total{process="0",code="busy"} 1.0
fleetfold_refusals_total{process="1",code="busy"} 1.0
# HELP fleetfold_processes Server processes of this machine
# TYPE fleetfold_processes gauge
fleetfold_processes{state="answering"} 2
fleetfold_processes{state="missing"} 1
""" == merged({1: TEXT.replace(b"2.0", b"3.0"), 0: TEXT}, 3)


def test_ready_is_what_all_are() -> None:
    good = Ready(ready=True, bus=True, clock_offset=0.1, signed=True, signer=True)
    behind = Ready(ready=True, bus=False, clock_offset=-2.0, signed=False, signer=True)
    keyless = Ready(ready=True, bus=True, clock_offset=0.0, signed=True, signer=False)
    away = NotReady("TimeoutError")

    told = Ready(ready=True, bus=False, clock_offset=-2.0, signed=False, signer=True, processes=2, missing=1)
    assert told == worst([good, behind], 3)
    assert replace(told, signer=False, processes=3, missing=0) == worst([good, behind, keyless], 3)
    assert away == worst([good, away, behind], 3)


async def test_one_process_asks_the_others_how_they_are(family: Family) -> None:
    here, there, third = [await family.line() for _ in range(3)]
    told: dict[int, Ready | NotReady] = dict.fromkeys(range(3), GOOD)

    async def ready(number: int) -> Ready | NotReady:
        return told[number]

    all_of_them = [
        Together(line, lambda line=line: ready(line.number), lambda: TEXT)  # type: ignore[misc]
        for line in (here, there, third)
    ]
    here.count = 3
    first = await all_of_them[0].ready()
    told[2] = NotReady("TimeoutError")

    assert replace(GOOD, processes=3, missing=0) == first
    assert NotReady("TimeoutError") == await all_of_them[0].ready()
    assert b'fleetfold_bots{process="2"} 2.0' in await all_of_them[1].metrics()


async def test_a_process_that_does_not_know_in_time_how_it_is_says_so_in_time(family: Family) -> None:
    here, there = [await family.line() for _ in range(2)]

    async def hangs() -> Ready:
        await asyncio.sleep(60)
        raise AssertionError

    async def ready() -> Ready:
        return GOOD

    both = [Together(here, hangs, lambda: TEXT), Together(there, ready, lambda: TEXT)]
    async with asyncio.timeout(ANSWER):
        told = await asyncio.gather(*(one.ready() for one in both))

    assert [NotReady("TimeoutError")] * 2 == told


async def test_one_process_waits_for_no_answer_of_one_that_is_left_out_and_counts_it(family: Family) -> None:
    here, _ = [await family.line() for _ in range(2)]
    here.count = 2

    async def ready() -> Ready:
        return GOOD

    together = Together(here, ready, lambda: TEXT)
    family.leave_out(1)
    await here.round_trip()
    async with asyncio.timeout(ANSWER / 2):
        told, metrics = await together.ready(), await together.metrics()

    assert replace(GOOD, processes=1, missing=1) == told
    assert metrics.endswith(b'{state="answering"} 1\nfleetfold_processes{state="missing"} 1\n')


async def test_one_process_alone_says_its_own_and_that_it_is_alone() -> None:
    async def ready() -> Ready | NotReady:
        return GOOD

    alone = Together(None, ready, lambda: TEXT)

    head, told = (await alone.metrics()).split(b"# HELP fleetfold_process_ends")

    assert TEXT == head
    assert b"\nfleetfold_process_ends_total 0\n" in told
    assert told.endswith(b'{state="answering"} 1\nfleetfold_processes{state="missing"} 0\n')
    assert await ready() == await alone.ready()
