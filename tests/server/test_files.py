"""Few files that may be open: the operator is warned, and newcomers are turned away while some are left."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from clients.client import Client, create
from clients.links import Place
from server import limits
from server.protocol import wire
from tests.server.reading import get
from tests.server.tables import Node

FEW = 160
"""Files that the server may have open: some tens are open before anybody comes."""

ROOM = FEW - FEW // limits.SPARE_FILES[1]


@asynccontextmanager
async def node(dsn: str, folder: Path, files: int) -> AsyncIterator[Node]:
    """Run a server that may have so many files open."""
    folder.mkdir()
    started = Node(dsn, folder, files)
    try:
        async with asyncio.timeout(60):
            await started.start()
        yield started
    finally:
        await started.kill()


def logged(one: Node, event: str) -> list[dict[str, Any]]:
    lines = map(json.loads, filter(lambda line: line.startswith("{"), one.lines.read_text().splitlines()))
    return [line for line in lines if line["event"] == event]


def warned(one: Node, files: int) -> bool:
    """Whether a server that may have so many files open has said so once."""
    (told,) = logged(one, "few files")
    needed = f"{files} files may be open, and connections within the limits may need {limits.FILES}: "
    return told["level"] == "warning" and str(told["why"]).startswith(needed)


async def test_of_several_processes_with_few_files_one_warns_the_operator(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLEETFOLD_PROCESSES", "2")

    async with node(dsn, folder, 1000) as started:
        assert warned(started, 1000)


def test_a_server_needs_files_for_all_that_one_address_may_open() -> None:
    assert limits.FILES == limits.files_for(limits.SOCKETS)
    assert 100_000 < limits.files_for(100_000) < 100_000 + 2 * limits.SPARE_FILES[0]


async def test_newcomers_are_turned_away_and_counted_before_the_files_run_out_and_play_goes_on(
    dsn: str, folder: Path
) -> None:
    """Given a crowd of silent connections from many addresses, twice as many as there are files."""
    async with node(dsn, folder, FEW) as one, asyncio.timeout(60), AsyncExitStack() as stack:
        created = await create(one.url, wire.Create(wire.VERSION, uuid4(), "tiny", "skirmish"))
        north, south, *_ = (Place(one.url, created.match, link.token) for link in created.links)
        client, other = [await stack.enter_async_context(Client(place)) for place in (north, south)]
        await asyncio.gather(client.sit(), other.sit())

        crowd = [await silent(one.port, number) for number in range(2 * FEW)]
        waiting = [asyncio.create_task(reader.read()) for reader, _ in crowd]
        await asyncio.wait(waiting[-1:])  # whoever came before it was taken or cut off before it
        await asyncio.sleep(0.2)
        cut = sum(task.done() for task in waiting)
        await client.wait(lambda: client.prompt is not None)
        assert client.prompt is not None
        await client.decide(client.prompt.options[0])
        for _, writer in crowd:
            writer.transport.abort()
        await asyncio.gather(*waiting, return_exceptions=True)
        counted, more = await again(one)

        assert FEW / 2 < len(crowd) - cut < ROOM
        assert cut <= counted <= cut + more
        (line,) = logged(one, "turned away")
        assert ("warning", True) == (line["level"], "hardly any more files" in line["why"])
        assert warned(one, FEW)


async def silent(port: int, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect from one of many addresses."""
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.1.{1 + number % 200}", 0))


async def again(one: Node) -> tuple[int, int]:
    """Return how many were turned away, when a newcomer is served, and how many were not before him."""
    told, more = None, 0
    while told is None or told.status != 200:
        with contextlib.suppress(OSError):  # cut off unread
            told = await get(one.url, "/metrics")
        more += 1
        await asyncio.sleep(0.01)
    found = re.search(r'^fleetfold_turned_away_total{why="files"} (\d+)', told.body.decode(), re.MULTILINE)
    assert found is not None
    return int(found[1]), more
