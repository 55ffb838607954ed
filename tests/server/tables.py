"""Matches played through a server that is killed again and again, and what everybody saw of them.

`play` makes the history: tables at which clients play one tiny match after the other, with watchers for every
audience, while the nemesis kills the server's process and crashes Postgres. `wrong` compares what they saw
with the log, in the order of platform.md's (1) to (6). Deliberately absent: Redis; nodes with it are in
`test_nodes`, the bus under faults is in `test_bus`.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct
from websockets.asyncio.client import connect as socket_to
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from clients.bots import strengths
from clients.client import Client, Command, Pace, RequestRefused, create, merged
from clients.links import Place, socket_url
from clients.player import take_part
from domain.kernel.audience import Audience
from domain.match.chain import Entry, check
from projections.views import seen_at
from server.log.store import PostgresLog
from server.postgres.database import connect
from server.postgres.embedded import Embedded
from server.proof.keys import find_ring, generate, salt_key
from server.protocol import wire
from tests.server import history
from tests.server.history import ROOT, Invoked, Range, watched
from tests.tiny import GAME

TABLES = 4
THINK = 0.05
"""Seconds for a decision, so that kills meet matches in all their phases."""

QUICK = Pace(first=0.05, most=0.5, patience=60.0, welcome=5.0, answer=5.0, held=0.1)

LEAST_KILLS = 3
"""Kills without which little is proved."""

TO_THE_END = 30.0
"""Seconds for the last matches to end when nobody is killed any more."""


class Told(Struct, frozen=True):
    """What a client was told of a command: its receipt, or nothing where it was refused for good."""

    match: UUID
    command: UUID
    begun: int
    time: int
    receipt: wire.Receipt | None


class Watched(Struct):
    """What a watcher was sent: for each connection where it stood and the ranges that came."""

    match: UUID
    side: int | None
    runs: list[tuple[int, list[Range]]]
    view: dict[str, Any]


class History(Struct):
    """What happened, and how much of it."""

    told: list[Told]
    watched: list[Watched]
    log: dict[UUID, list[Entry]]
    salts: dict[UUID, bytes]
    feed: list[tuple[UUID, int]]
    lines: str = ""
    kills: int = 0
    crashes: int = 0


class Noting(Client):
    """A client that notes every answer to its commands."""

    def __init__(self, place: Place, told: list[Told]) -> None:
        super().__init__(place, pace=QUICK)
        self._told = told

    async def send(self, command: Command) -> wire.Receipt:
        """Send, and note what came of it."""
        begun = time.monotonic_ns()
        try:
            receipt = await super().send(command)
        except RequestRefused:
            self._told.append(Told(command.match, command.command, begun, time.monotonic_ns(), receipt=None))
            raise
        self._told.append(Told(command.match, command.command, begun, time.monotonic_ns(), receipt))
        return receipt


class Node:
    """The server's process, always at one port."""

    def __init__(self, dsn: str, folder: Path, files: int | None = None) -> None:
        """Take how many files it may have open at most, if not as many as this process."""
        self._limited = () if files is None else ("sh", "-c", f'ulimit -n {files} && exec "$@"', "sh")
        keys = folder / "keys"
        generate(keys)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.lines = folder / "lines"
        self._settings = {
            **os.environ,
            "FLEETFOLD_DATABASE_URL": dsn,
            "FLEETFOLD_KEYS": str(keys),
            "FLEETFOLD_DATA": str(folder),
            "FLEETFOLD_PORT": str(self.port),
            "FLEETFOLD_OFFERS_PER_ADDRESS": "100000",
        }
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it as often as it takes: it does not start without its database."""
        while True:
            with self.lines.open("ab") as lines:
                self._process = await asyncio.create_subprocess_exec(
                    *self._limited, sys.executable, "-m", "tests.server.node", cwd=ROOT, env=self._settings,
                    stdout=asyncio.subprocess.PIPE, stderr=lines,
                )  # fmt: skip
            assert self._process.stdout is not None
            if await self._process.stdout.readline():
                return
            await self._process.wait()

    async def kill(self) -> None:
        """End it without a word."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.communicate()


async def play(engine: Embedded, folder: Path, seconds: float, seed: int) -> History:
    """Let tables play for so long while the nemesis is at work, and to their ends; then read the log."""
    made, chance = History([], [], {}, {}, []), random.Random(seed)
    node = Node(engine.dsn, folder)
    await node.start()
    database = await connect(engine.dsn)
    earlier = await history.there(database)
    reading = asyncio.create_task(history.follow(database, made.feed, earlier))
    end = time.monotonic() + seconds
    try:
        playing = [asyncio.create_task(table(node.url, made, end, number)) for number in range(TABLES)]
        await nemesis(engine, node, made, end, chance)
        async with asyncio.timeout(TO_THE_END):
            await asyncio.gather(*playing)
        await gather(PostgresLog(database, deadline=30), folder, made)
    finally:
        for task in (*playing, reading):
            task.cancel()
        await asyncio.gather(*playing, reading, return_exceptions=True)
        await node.kill()
        await database.close()
    made.lines = node.lines.read_text()
    return made


async def nemesis(engine: Embedded, node: Node, made: History, end: float, chance: random.Random) -> None:
    """Kill the server about every two seconds, Postgres about every five; long enough for some kills."""
    crash = time.monotonic() + chance.uniform(2, 4)
    while time.monotonic() < end or made.kills < LEAST_KILLS or not made.crashes:
        await asyncio.sleep(chance.uniform(0.7, 2))
        if time.monotonic() > crash and engine.pid:
            os.kill(engine.pid, signal.SIGQUIT)  # stop immediate
            made.crashes += 1
            crash = time.monotonic() + chance.uniform(3, 6)
            if chance.random() < 0.5:
                continue
        await node.kill()
        made.kills += 1
        await node.start()


async def table(url: str, made: History, end: float, number: int) -> None:
    """Play match after match; begin none after the time is up."""
    while time.monotonic() < end:
        pairs = bool(number % 2)
        wish = wire.Create(wire.VERSION, uuid4(), "tiny", "campaign", {"pairs": pairs})
        try:
            created = await create(url, wish, QUICK)
        except RequestRefused:  # so many matches an address and no more, until the server is killed again
            await asyncio.sleep(0.2)
            continue
        await one_match(url, created, made, number)


async def one_match(url: str, created: wire.Created, made: History, number: int) -> None:
    """Let every seat play and every audience watch, to the end."""
    made.log[created.match] = []
    places = {
        link.seat: Place(url, created.match, link.token) for link in created.links if link.role != "creator"
    }
    choose, watching = strengths("tiny")["random"], []
    async with contextlib.AsyncExitStack() as stack:
        clients = {
            seat: await stack.enter_async_context(Noting(place, made.told))
            for seat, place in places.items()
            if seat is not None
        }
        for side, seat in ((0, 0), (1, 1), (None, None)):
            seen = Watched(created.match, side, [], {})
            made.watched.append(seen)
            by = places[None] if seat is None else clients[seat]
            watching.append(asyncio.create_task(watch(by, seen)))
        await asyncio.gather(
            *(take_part(client, choose, seed=number, think=THINK) for client in clients.values())
        )
    await asyncio.gather(*watching)


async def watch(by: Client | Place, seen: Watched) -> None:
    """Watch to the end over as many connections as it takes, and note what came on each.

    A seat is watched by the link that its client has: once the seat is taken that is another.
    """
    upto, h = 0, ""
    while not seen.view.get("match", {}).get("key"):
        run: list[Range] = []
        seen.runs.append((upto, run))
        with contextlib.suppress(OSError, TimeoutError, EOFError, ConnectionClosed, InvalidHandshake):
            async for message in messages(by if isinstance(by, Place) else by.place, upto, h):
                if message["t"] == "view":
                    run = []
                    seen.runs.append((message["upto"], run))
                    seen.view = message["view"]
                elif message["t"] == "frame":
                    run.append(
                        (message["after"], message["upto"], [fact["seq"] for fact in message["facts"]])
                    )
                    seen.view = merged(seen.view, message["patch"])
                else:
                    continue
                upto, h = message["upto"], message["h"]
                if seen.view["match"]["key"]:
                    return
        await asyncio.sleep(0.1)


async def messages(place: Place, after: int, h: str) -> AsyncIterator[Any]:
    """Say hello and yield what comes, until the connection ends; a refusal ends it too."""
    async with socket_to(socket_url(place.url), max_size=None, close_timeout=0.2) as connection:
        hello = wire.Hello(wire.VERSION, place.match, place.token, after, h)
        await connection.send(wire.encode(hello).decode())
        async for text in connection:
            message = json.loads(text)
            if message["t"] == "refused":
                return
            yield message


async def gather(log: PostgresLog, folder: Path, made: History) -> None:
    """Read the log, and wait until the feed has come to its end."""
    ring = find_ring(file=folder / "keys")
    for match in made.log:
        made.log[match] = await log.read_everything(match)
        box = await log.sealed_key(match)
        assert box is not None
        made.salts[match] = salt_key(ring.open(match, box))
    await log.close()
    async with asyncio.timeout(10):
        while len(made.feed) < sum(map(len, made.log.values())):
            await asyncio.sleep(0.05)


def wrong(made: History) -> list[str]:
    """Name everything in a history that must not be."""
    return [
        *_told(made),
        *_chained(made),
        *history._in_real_time(_events(made), made.log),
        *history._fed(made.log, made.feed),
        *_seen(made),
    ]


def _told(made: History) -> list[str]:
    """(1) A receipt names the last fact of its command, there once; what was refused is not there."""
    found = []
    commands = history._commands(made.log)
    for told in made.told:
        there = commands.get((told.match, told.command), [])
        if told.receipt is None:
            found += [f"refused, yet there: {told.command} of {told.match}"] if there else []
        elif not there or (told.receipt.seq, told.receipt.h) != (there[-1].seq, there[-1].hash.hex()):
            found.append(f"acknowledged at {told.receipt.seq}, not there: {told.command} of {told.match}")
    return found


def _chained(made: History) -> list[str]:
    """(2) and (3) Facts 1 to n, linked; commands whole and side by side; the end is there."""
    found = []
    for match, entries in made.log.items():
        if fault := check(entries, made.salts[match]):
            found.append(f"fact {fault.seq} {fault.why}: {match}")
        if not entries or not entries[-1].final:
            found.append(f"has not ended: {match}")
    for (match, command), there in history._commands(made.log).items():
        if [(one.seq - there[0].seq, one.index) for one in there] != [(n, n) for n in range(len(there))]:
            found.append(f"not whole: {command} of {match}")
    return found


def _events(made: History) -> list[history.Event]:
    """(4) What writers did, as the other history check wants it; the server's own commands began at once."""
    events: list[history.Event] = []
    for told in made.told:
        events.append(Invoked(told.match, told.command, told.begun))
        if told.receipt is not None:
            h = bytes.fromhex(told.receipt.h)
            events.append(history.Acknowledged(told.match, told.command, told.time, (told.receipt.seq,), h))
    ours = ((match, entries[0].command) for match, entries in made.log.items() if entries)
    return [*(Invoked(match, command, 0) for match, command in ours), *events]


def _seen(made: History) -> list[str]:
    """(6) A watcher's ranges join up, show what its audience may see, and fold to its view of the end."""
    found = []
    for seen in made.watched:
        entries = made.log[seen.match]
        who = f"side {seen.side} of {seen.match}"
        visible = {entry.seq for entry in entries if Audience.of(seen.side).sees(entry.audience)}
        for start, ranges in seen.runs:
            found += [f"{who}: {fault}" for fault in watched(ranges, visible, start)]
        if seen.view != _plain(seen_at(GAME, entries, Audience.of(seen.side), len(entries))):
            found.append(f"{who}: another view than the log's")
    return found


def _plain(view: Any) -> Any:
    return json.loads(wire.encode(wire.View(UUID(int=0), 0, "", view, [])))["view"]


def bugs(lines: str) -> list[str]:
    """Return the log lines that the server writes about mistakes of its own.

    Libraries write their own lines about a database that is away; those are no JSON.
    """
    ours = [line for line in lines.splitlines() if line.startswith("{")]
    return [line for line in ours if '"event": "bug"' in line or "Traceback" in line]
