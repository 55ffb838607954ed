"""Who plays and looks on in a trial: tables, each with one match after the other, whose seats are bots.

All come through the balancer, so that seats and onlookers of a match are on different nodes, and all write
down what they were told, in the events of `tests.server.history`.
"""

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Awaitable
from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct, json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from clients.bots import FOR_ALL
from clients.client import LARGEST, Client, Command, Lost, Pace, Reply, RequestRefused, create
from clients.links import Place, socket_url
from clients.player import take_part
from domain.kernel.audience import Audience, Viewer
from domain.kernel.seats import Clock
from domain.match.game import Game
from domain.titles import TITLES
from server.protocol import wire
from tests.server.history import Acknowledged, Event, Invoked, Refused

PACE = Pace(first=0.05, most=0.5, patience=120.0, welcome=5.0, answer=5.0, held=0.2)
"""Of clients that lose no time, so that what is measured is the cluster's."""

LATE = 60.0
"""Seconds within which an onlooker must have seen the end of a match after its players have."""

BANK = 3600
"""Seconds on each clock: they run, and nobody's runs out."""

Span = tuple[int, int]


class BrokenOff(Exception):
    """A trial cannot go on. The message says why."""


class Told(Struct):
    """A fact as an onlooker reads it: where it stands."""

    seq: int


class Heard(Struct):
    """What an onlooker reads of a message."""

    t: str
    after: int = 0
    upto: int = 0
    h: str = ""
    facts: list[Told] = []
    code: str = ""
    reason: str = ""


class Seen(Struct, frozen=True):
    """The last view of somebody who looked at a match."""

    match: UUID
    audience: Viewer
    upto: int
    view: dict[str, Any]


class Book(Struct):
    """What was done, and what everybody was told."""

    events: list[Event] = []
    tables: dict[UUID, int] = {}
    """The table of each match."""
    titles: dict[UUID, Game] = {}
    ends: dict[UUID, int] = {}
    """The last fact of each match that has ended."""
    decided: set[UUID] = set()
    """The commands that hold decisions."""
    ranges: dict[UUID, dict[Span, tuple[int, ...]]] = {}
    """The seqs of the facts that onlookers were shown of each range of a match."""
    seen: list[Seen] = []
    faults: list[str] = []
    """What an onlooker saw that must not be."""
    deliveries: int = 0


class Recorded(Client):
    """A seat's client that writes down every command, and what it was told of it."""

    def __init__(self, place: Place, book: Book) -> None:
        super().__init__(place, pace=PACE)
        self._book = book

    async def _send_until_answered(self, command: Command) -> Reply:
        if isinstance(command, wire.Foresee):
            return await super()._send_until_answered(command)
        named, events = (command.match, command.command), self._book.events
        events.append(Invoked(*named, time.monotonic_ns()))
        if isinstance(command, wire.Decide):
            self._book.decided.add(command.command)
        try:
            reply = await super()._send_until_answered(command)
        except RequestRefused:
            events.append(Refused(*named, time.monotonic_ns()))
            raise
        assert isinstance(reply, wire.Receipt)
        events.append(Acknowledged(*named, time.monotonic_ns(), (reply.seq,), bytes.fromhex(reply.h)))
        return reply


class Table:
    """One match of a title after another, until it is cancelled."""

    def __init__(self, number: int, game: Game, url: str, book: Book, think: float, seed: int) -> None:
        self.number, self.game = number, game
        self.match: UUID | None = None
        self.begun = asyncio.Event()
        self._url, self._book, self._think = url, book, think
        self._seeds = random.Random(seed)

    async def run(self) -> None:
        """Play."""
        while True:
            offering = asyncio.create_task(self._offer())
            try:
                created = await asyncio.shield(offering)
            except asyncio.CancelledError:
                await offering  # it may be on the log already, and the book has to know of it
                raise
            match = self.match = created.match
            self.begun.set()
            seats = [link for link in created.links if link.role == "seat"]
            async with asyncio.TaskGroup() as group:
                witness = group.create_task(self._watch(match))
                played = [group.create_task(self._sit(match, link)) for link in seats]
                self._book.ends[match] = max([await one for one in played])
                await witness

    async def _offer(self) -> wire.Created:
        """Offer a match, and note it in the book."""
        clock = Clock(bank=BANK)
        wish = wire.Create(wire.VERSION, uuid4(), self.game.name, self.game.default_scenario, clock=clock)
        created = await create(self._url, wish, PACE)
        match = created.match
        self._book.tables[match], self._book.titles[match] = self.number, self.game
        self._book.ranges[match] = {}
        return created

    async def _sit(self, match: UUID, link: wire.Link) -> int:
        """Play a seat; the last fact that it saw."""
        async with Recorded(Place(self._url, match, link.token), self._book) as client:
            try:
                choose, seed = FOR_ALL["random"], self._seeds.getrandbits(32)
                await take_part(client, choose, seed=seed, think=self._think)
            finally:
                side = None if client.seat is None else client.match["seats"][client.seat]["side"]
                self._saw(client, Audience.of(side))
            return client.upto

    async def _watch(self, match: UUID) -> None:
        """Look on as a whole client does, which checks the chain and keeps the view."""
        async with Client(Place(self._url, match), pace=PACE) as client:
            try:
                await client.wait(lambda: client.over and client.upto >= self._book.ends.get(match, 1 << 40))
            finally:
                self._saw(client, Audience.ONLOOKERS)

    def _saw(self, client: Client, audience: Viewer) -> None:
        self._book.seen.append(Seen(client.place.match, audience, client.upto, client.view))


class Onlooker:
    """Looks at what goes on at a table, and counts: nothing may be missing, and nothing shown twice."""

    def __init__(self, table: Table, url: str, book: Book, address: str) -> None:
        self.table, self.match = table, UUID(int=0)
        self.upto, self._h = 0, ""
        self.why = ""
        """Why its last connection ended."""
        self._url, self._book, self._address = url, book, address

    async def run(self) -> None:
        """Watch one match to its end, then the next."""
        await self.table.begun.wait()
        while True:
            assert self.table.match is not None
            if self.match != self.table.match:
                self.match, self.upto, self._h = self.table.match, 0, ""
            try:
                await self._connection()
            except (TimeoutError, OSError, ConnectionClosed, InvalidHandshake, EOFError) as why:
                self.why = repr(why)
            await asyncio.sleep(random.uniform(0.05, 0.3))

    async def _connection(self) -> None:
        async with connect(
            socket_url(self._url),
            compression=None,
            max_size=LARGEST,
            open_timeout=5,
            close_timeout=0.5,
            local_addr=(self._address, 0),
        ) as socket:
            hello = wire.Hello(wire.VERSION, self.match, "", self.upto, self._h)
            await socket.send(wire.encode(hello), text=True)
            await self._read(socket)

    async def _read(self, socket: ClientConnection) -> None:
        late: float | None = None
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    self._heard(json.decode(await socket.recv(), type=Heard))
            end = self._book.ends.get(self.match)
            if end is None:
                continue
            if self.upto >= end:
                if self.table.match != self.match:
                    return
                continue
            late = late or time.monotonic()
            if time.monotonic() - late > LATE:
                self._book.faults.append(f"an onlooker of {self.match} waits at {self.upto} of {end}")
                self.upto = end

    def _heard(self, heard: Heard) -> None:
        if heard.t == "refused":
            raise ConnectionError(heard.reason)
        if heard.t == "view":
            if heard.upto < self.upto:
                self._book.faults.append(f"{self.match}: shown {heard.upto} after {self.upto}")
            self.upto, self._h = heard.upto, heard.h
        elif heard.t == "frame":
            self._book.deliveries += 1
            if heard.after != self.upto:
                self._book.faults.append(f"{self.match}: {heard.after}-{heard.upto} after {self.upto}")
            shown, span = tuple(one.seq for one in heard.facts), (heard.after, heard.upto)
            if self._book.ranges[self.match].setdefault(span, shown) != shown:
                self._book.faults.append(f"{self.match}: {span} is shown in two ways")
            self.upto, self._h = heard.upto, heard.h


class Load:
    """Everybody who plays and looks on."""

    def __init__(self, url: str, tables: int, onlookers: int, think: float, seed: int) -> None:
        self.book = Book()
        games = itertools.cycle(TITLES.values())
        self.tables = [
            Table(number, game, url, self.book, think, seed + number)
            for number, game in zip(range(tables), games, strict=False)
        ]
        # Addresses of the loopback, since a server lets an address have so many connections and no more.
        self.onlookers = [
            Onlooker(table, url, self.book, f"127.0.1.{1 + number // 100}")
            for number, table in zip(range(onlookers), itertools.cycle(self.tables), strict=False)
        ]
        self._playing: list[asyncio.Task[None]] = []
        self._looking: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin, the onlookers a little after the players."""
        self._playing = [asyncio.create_task(table.run()) for table in self.tables]
        for table in self.tables:
            await self._or_fail(table.begun.wait())
        for onlooker in self.onlookers:
            self._looking.append(asyncio.create_task(onlooker.run()))
            await asyncio.sleep(0.002)

    async def _or_fail(self, work: Awaitable[object]) -> None:
        """Wait for something, or for a player who ended, whose fault is raised."""
        waiting = asyncio.ensure_future(work)
        await asyncio.wait([waiting, *self._playing], return_when=asyncio.FIRST_COMPLETED)
        self.check()
        await waiting

    def check(self) -> None:
        """Raise BrokenOff if somebody has ended who should go on."""
        for task in (*self._playing, *self._looking):
            if task.done() and not task.cancelled() and (why := task.exception()):
                raise ended(why) from why

    async def leave_seats(self) -> None:
        """Let the players go, and what they were told be written down."""
        await _end(self._playing)

    async def leave(self) -> None:
        """Let everybody go."""
        await _end([*self._playing, *self._looking])


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception) and not isinstance(outcome, Lost):
            raise ended(outcome) from outcome


def ended(why: BaseException) -> BrokenOff:
    """Return what is raised for somebody who has ended."""
    return BrokenOff(f"somebody who plays or looks on has ended: {', '.join(map(repr, leaves(why)))}")


def leaves(why: BaseException) -> list[BaseException]:
    """Return what went wrong, out of the groups that it came in."""
    if not isinstance(why, BaseExceptionGroup):
        return [why]
    return [leaf for one in why.exceptions for leaf in leaves(one)]
