"""Months of the war (S1) over a real server: what everybody saw, and each month on a node that knows nothing.

Two seats choose by chance over sockets, while a second connection of each side and two onlookers, one with
the link and one without, look on. In the first days of every month the server is stopped and another started
on the same database, which takes the match up from a position and goes on. Japan resigns at last. Then the
log is folded: each view that an onlooker had is what he may see, and no hidden unit was named to him; the
match is verified and decided again.

Deliberately absent: what a command sends, byte by byte (`test_secrecy_pacific_war`).
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from msgspec import Struct, json

from clients.bots import strengths
from clients.client import Client, Heard, create
from clients.links import Place
from clients.player import answer_all
from domain.kernel.audience import Audience, Viewer
from domain.match.adjudicate import readjudicate
from domain.match.chain import Entry
from domain.match.fold import Fold
from domain.pacific_war import PACIFIC_WAR
from projections import positions, record, verify
from projections.positions import find
from server.log.statements import MOST
from server.postgres.database import Database
from server.protocol import wire
from server.serving import Serving
from tests.conftest import running
from tests.pacific_war.test_00_secrecy import hidden, told

MONTHS = ("1942-01", "1942-02", "1942-03")
"""The months that begin at the end of each part of the match."""
FURTHER = 600
"""Facts of January that are played in the check-in, on the second node."""
EVERY = 250
"""Facts from one position to the next; and from one view that is kept to the next."""
NAMED = re.compile(rb'"([a-z0-9_]+)\\*"|\[([a-z0-9_]+)\]')
"""Ids in what is sent, as a text of their own or in a sentence."""
MOMENT = 60.0
"""Seconds within which everybody must have seen what is stored."""


SPAN = 1000
"""Commands of which a frame may tell at most."""


class Since(Struct):
    """The fact after which a frame begins; a view has none."""

    after: int | None = None


class Onlooker(Struct):
    """Somebody who looks on with the eyes of an audience, and what he was sent."""

    audience: Viewer
    token: str
    frames: dict[int, list[bytes]] = {}
    """By the fact up to which they go."""
    views: dict[int, dict[str, Any]] = {}
    """What he had made of them, now and then."""
    sealed: int = 0

    async def hear(self, heard: Heard) -> None:
        """Keep a message, and a view now and then."""
        message = heard.message
        if isinstance(message, wire.Frame | wire.View):
            if not heard.client.over:
                self.frames.setdefault(message.upto, []).append(json.encode(message))
            if isinstance(message, wire.View) or message.upto // EVERY > message.after // EVERY:
                self.views[message.upto] = heard.client.view
        if isinstance(message, wire.Frame):
            self.sealed += len(message.sealed)
            seen = {fact.seq for fact in message.facts} | {seq for seq, _ in message.sealed}
            assert set(range(message.after + 1, message.upto + 1)) == seen


class Table(Struct):
    """A match with two seats, and who looks on; `tokens` open the seats."""

    match: Any
    tokens: list[str]
    onlookers: list[Onlooker]


async def laid_open(server: Serving) -> Table:
    """Offer the war and take both seats."""
    created = await create(server.url, wire.Create(wire.VERSION, uuid4(), "pacific_war", "S1"))
    seats = sorted((one for one in created.links if one.role == "seat"), key=lambda one: one.seat or 0)
    link = next(one.token for one in created.links if one.role == "onlooker")
    neutral = [Onlooker(Audience.ONLOOKERS, token) for token in (link, "")]
    async with AsyncExitStack() as stack:
        places = [Place(server.url, created.match, seat.token) for seat in seats]
        clients = [await stack.enter_async_context(Client(place)) for place in places]
        await asyncio.gather(*(client.sit(bot=True) for client in clients))
        await clients[0].wait(lambda: bool(clients[0].match.get("started")))
        tokens = [client.place.token for client in clients]
    return Table(created.match, tokens, [*neutral, *(Onlooker(Audience.of(n), tokens[n]) for n in (0, 1))])


async def play_on(
    server: Serving, table: Table, until: str, further: int, seed: int, *, resign: bool
) -> None:
    """Let both seats play by chance until it is that month, and at least so many facts further.

    Then Japan resigns, or all leave.
    """
    begun = (await server.matches.get(table.match)).seq
    async with AsyncExitStack() as stack:
        seats = [
            await stack.enter_async_context(Client(Place(server.url, table.match, token)))
            for token in table.tokens
        ]
        watching = [
            await stack.enter_async_context(
                Client(Place(server.url, table.match, one.token), listen=one.hear)
            )
            for one in table.onlookers
        ]
        choose = strengths("pacific_war")["random"]
        players = [
            asyncio.create_task(answer_all(seat, choose, Random(f"{seed} {number}")))
            for number, seat in enumerate(seats)
        ]
        month = asyncio.create_task(
            seats[0].wait(
                lambda: (
                    seats[0].view.get("table", {}).get("month", "") >= until
                    and seats[0].upto >= begun + further
                )
            )
        )
        done, _ = await asyncio.wait([month, *players], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        assert month in done
        if resign:
            await seats[0].send(wire.Resign(table.match, uuid4()))
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        head = (await server.matches.get(table.match)).seq
        async with asyncio.timeout(MOMENT):
            for client in watching:
                await client.wait(lambda client=client: client.upto >= head)  # type: ignore[misc]
        for one, client in zip(table.onlookers, watching, strict=True):
            one.views[client.upto] = client.view


def commands(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Yield the commands of a match."""
    for _, command in groupby(entries, lambda entry: entry.command):
        yield list(command)


def plain(view: Any) -> Any:
    """Return a view as it goes over the wire."""
    return json.decode(json.encode(view))


def compare(table: Table, entries: list[Entry]) -> tuple[int, int]:
    """Fold the log beside what was sent; return how many views and how many hidden names were compared.

    A frame may tell of several commands: a name is hidden that was so before it and after each of them, and
    that no fact of them told.
    """
    fold, views, names = Fold(PACIFIC_WAR), 0, 0
    points: list[tuple[int, list[set[str]], set[str]]] = [(0, [set(), set()], set())]
    for command in commands(entries):
        facts, upto = fold.apply(command), command[-1].seq
        before = points[-1][0]
        named = {unit for fact in facts for unit in told(fact)}
        points.append((upto, [hidden(fold.state, side) for side in (0, 1)], named))
        for one in table.onlookers:
            for said in one.frames.get(upto, []):
                found = {(a or b).decode() for a, b in NAMED.findall(_without_roster(said))}
                since = json.decode(said, type=Since).after
                start = before if since is None else min(before, since)
                span = [point for point in points[-SPAN:] if point[0] >= start]
                assert span[0][0] == start
                for side in (0, 1):
                    if Audience.of(side) != one.audience:
                        units = set.intersection(*(point[1][side] for point in span))
                        units -= set[str]().union(*(point[2] for point in span[1:]))
                        names += len(units)
                        assert set() == units & found, (one.audience, since, upto)
            if upto in one.views:
                views += 1
                assert plain(fold.view(one.audience)) == one.views[upto], (one.audience, upto)
    return views, names


def _without_roster(said: bytes) -> bytes:
    """Return a message without the units as they are printed, which are public text (P0.4.3).

    A whole view also has the ships that were last seen in a task force, which stay noted (P32.2).
    """
    message = json.decode(said)
    table = message.get("view", message.get("patch"))["table"] if _tabled(message) else {}
    table.pop("roster", None)
    if "view" in message:
        for force in table.get("tfs", {}).values():
            force.pop("seen", None)
    return json.encode(message)


def _tabled(message: dict[str, Any]) -> bool:
    shown = message.get("view", message.get("patch", {}))
    return isinstance(shown.get("table"), dict)


@pytest.mark.parametrize(
    ("seed", "parts"),
    [
        (1, [(MONTHS[0], 0), (MONTHS[0], FURTHER)]),
        *(pytest.param(n, [(month, 0) for month in MONTHS], marks=pytest.mark.soak) for n in range(1, 12)),
    ],
)
async def test_p0_4_p5_4_s1_months_of_the_war_are_played_node_after_node_and_nobody_sees_what_is_hidden(
    dsn: str,
    database: Database,
    folder: Path,
    seed: int,
    parts: list[tuple[str, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given months of the war on a node each, when all is over, each saw what he may, and it is verified."""
    monkeypatch.setattr(positions, "EVERY", EVERY)
    table: Table | None = None
    for part, (month, further) in enumerate(parts, 1):
        async with running(dsn, folder) as server:
            if table is None:
                table = await laid_open(server)
            else:
                kept = await find(database.read, table.match, MOST)
                assert kept is not None
                head = (await server.matches.get(table.match)).seq
                assert 0 == server.matches.ignored
                assert head - 2 * EVERY < kept.position.seq <= head
            await play_on(server, table, month, further, seed, resign=part == len(parts))
            entries, _ = await server.matches.opening.everything(table.match)

    assert table is not None
    views, names = compare(table, entries)
    assert views > 3 * len(table.onlookers)
    assert names > 1000
    assert all(one.sealed for one in table.onlookers)
    assert verify.verify(record.record(entries, Audience.UMPIRE)).good
    assert [] == list(readjudicate(PACIFIC_WAR, [(one.seq, PACIFIC_WAR.fact(one.body)) for one in entries]))
