"""One address cannot stop play: whoever plays at another is answered, whatever is sent from the first."""

import asyncio
import contextlib
import json
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest

from clients.bots import strengths
from clients.client import Client, create
from clients.links import Place
from clients.player import take_part
from domain.kernel.facts import Fact, Padding
from domain.titles import TITLES
from server.bench import share
from server.fanout.broadcasts import websocket_bytes
from server.lobby.offers import enter_imported
from server.log.store import PostgresLog
from server.postgres.database import Database, connection
from server.protocol import wire
from server.serving import Serving
from tests.projections.play import keep, play, retold, tale
from tests.server.beside import LINES, SECONDS, Noting, flood, offered, played_beside, playing
from tests.server.flood import READS
from tests.server.history import ROOT
from tests.server.tables import Node

KINDS = (
    "pings",
    "ping_frames",
    "pong_frames",
    "fragments",
    "hellos",
    "commands",
    "creates",
    "lines",
    "exchanges",
    "handshakes",
    "callers",
    "silent",
    *READS,
)

SOME = ("pings", "commands", "callers", "steps", "disputes")
"""One for each thing that is limited; all of them are sent behind `make soak`."""

DECISIONS = 3
LONG = 100

QUIET = 5.0
"""Seconds that are measured before a flood, and again behind it."""

PAUSE = 0.01

TWICE = 2.0
LATEST = 0.1
"""Seconds within which 99 of 100 decisions are answered beside any flood."""

CROWD = 2_000
"""Onlookers who come back at once, from as many addresses as HOMES."""

HOMES = 100

TABLES = 30
ONLOOKERS = 2


@pytest.fixture
async def node(dsn: str, folder: Path) -> AsyncIterator[Node]:
    """Give a server in a process of its own, with the tiny title."""
    folder.mkdir()
    started = Node(dsn, folder)
    await started.start()
    yield started
    await started.kill()


@pytest.fixture
async def long(database: Database) -> str:
    """Give a match that has ended, as long as only few are, and that everybody may read."""
    short = play(TITLES["midway"], "duel", most=20, resign_after=3)
    *before, (at, end) = tale(short)
    nothing: list[Fact] = [Padding() for _ in range(400)]
    one = retold(short, [*before, *[(at, nothing)] * 60, (at, end)])
    log = PostgresLog(database)
    await keep(log, one)
    await log.close()
    async with connection(database.append) as conn:
        await enter_imported(conn, one.entries[0], one.entries[-1])
    return str(one.match)


async def test_who_plays_at_another_address_is_answered_whatever_is_sent(node: Node, long: str) -> None:
    """Each kind comes from an address of its own, which has spent nothing yet."""
    shown = await create(node.url, wire.Create(wire.VERSION, uuid4(), "tiny", "skirmish"))
    for number, kind in enumerate(SOME, 2):
        target = long if kind in READS else str(shown.match)
        async with flood(kind, f"127.0.0.{number}", node, target) as under_way, asyncio.timeout(SECONDS):
            assert LINES <= await played_beside(under_way, node.url, shown.match, DECISIONS), kind


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
async def test_who_plays_on_while_it_is_sent_for_long_is_answered_each_time(
    node: Node, long: str, kind: str
) -> None:
    shown = await create(node.url, wire.Create(wire.VERSION, uuid4(), "tiny", "skirmish"))
    target = long if kind in READS else str(shown.match)
    async with flood(kind, "127.0.0.2", node, target) as under_way, asyncio.timeout(10 * SECONDS):
        assert LINES <= await played_beside(under_way, node.url, shown.match, LONG)


async def took(client: Client, seconds: float) -> list[tuple[float, float]]:
    """Decide and undo for so long, with pauses; return when each was answered, and after how many seconds."""
    clock, each = asyncio.get_running_loop().time, list[tuple[float, float]]()
    end = clock() + seconds
    while clock() < end:
        await client.wait(lambda: client.prompt is not None)
        assert client.prompt is not None
        option = client.prompt.options[0]
        decide = wire.Decide(client.place.match, uuid4(), client.upto, option)
        for command in (decide, wire.Undo(client.place.match, uuid4())):
            begun = clock()
            receipt = await client.send(command)
            each.append((clock(), clock() - begun))
            await client.wait(lambda seq=receipt.seq: client.upto >= seq)  # type: ignore[misc]
            await asyncio.sleep(PAUSE)
    return each


@pytest.mark.soak
async def test_a_decision_takes_at_most_twice_as_long_beside_any_flood(
    node: Node, long: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Quiet seconds before and behind each flood are its measure; for a machine that does nothing else."""
    shown = await create(node.url, wire.Create(wire.VERSION, uuid4(), "tiny", "skirmish"))
    ratios, slowest = dict[str, float](), dict[str, float]()
    async with playing(node.url, set()) as client:
        await took(client, QUIET)
        for number, kind in enumerate(KINDS, 2):
            before = await took(client, QUIET)
            target = long if kind in READS else str(shown.match)
            async with flood(kind, f"127.0.0.{number}", node, target):
                beside = [seconds for _, seconds in await took(client, 2 * QUIET)]
            quiet = [seconds for _, seconds in before + await took(client, QUIET)]
            ratios[kind], slowest[kind] = median(beside) / median(quiet), share(beside, 0.99)
            with capsys.disabled():
                sys.stdout.write(
                    f"{kind:12} p50 {1000 * median(quiet):6.1f} ms, beside it {1000 * median(beside):6.1f}:"
                    f" {ratios[kind]:4.2f}; p99 {1000 * share(quiet, 0.99):6.1f},"
                    f" beside it {1000 * slowest[kind]:6.1f}\n"
                )

    assert {} == {kind: ratio for kind, ratio in ratios.items() if ratio > TWICE}
    assert {} == {kind: seconds for kind, seconds in slowest.items() if seconds > LATEST}


async def crowd(port: int, match: UUID, number: int = CROWD) -> asyncio.subprocess.Process:
    """Start the process of a crowd, which waits for a line before it comes."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.server.crowd", str(number), str(HOMES), str(port), str(match),
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def comes(one: asyncio.subprocess.Process) -> dict[str, int]:
    """Let a crowd come; return what it was told, when each of it has seen the match."""
    assert one.stdin is not None
    assert one.stdout is not None
    one.stdin.write(b"\n")
    told: dict[str, int] = json.loads(await one.stdout.readline())
    return told


def later(told: set[str]) -> set[str]:
    """Return what asks to come again later, of what players and onlookers were told."""
    return {why for why in told if why in {"unavailable", "busy"} or "answers" in why}


@pytest.mark.soak
async def test_play_goes_on_while_two_thousand_onlookers_come_back_at_once(
    node: Node, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them come, leave together, and come again from processes of their own."""
    clock, told = asyncio.get_running_loop().time, set[str]()
    async with playing(node.url, told) as client, asyncio.timeout(10 * SECONDS):
        match = client.place.match
        before, back = await crowd(node.port, match), await crowd(node.port, match)
        try:
            told |= (await comes(before)).keys()
            before.kill()
            begun = clock()
            answers = [begun]
            async with asyncio.TaskGroup() as group:
                coming = group.create_task(comes(back))
                while not coming.done():
                    answers += [at for at, _ in await took(client, 0.5)]
        finally:
            for one in (before, back):
                with contextlib.suppress(ProcessLookupError):
                    one.kill()
                await one.communicate()
    crowd_told, longest = coming.result(), max(later - earlier for earlier, later in pairwise(answers))
    with capsys.disabled():
        sys.stdout.write(
            f"{CROWD} came back in {answers[-1] - begun:.1f} s, with {len(answers) - 1} decisions,"
            f" {longest:.2f} s without one at most; {crowd_told}\n"
        )

    assert set() == later(told | crowd_told.keys())
    assert longest < 1.0


@pytest.mark.parametrize("comes_first", [True, False])
async def test_a_crowd_ends_when_whoever_started_it_does(server: Serving, comes_first: bool) -> None:
    match, _ = await offered(server.url)
    one = await crowd(urlsplit(server.url).port or 0, match, 3)
    try:
        async with asyncio.timeout(SECONDS):
            if comes_first:
                assert 3 == (await comes(one))["view"]
            assert one.stdin is not None
            one.stdin.close()
            assert 0 == await one.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            one.kill()
        await one.communicate()


async def test_who_sees_the_match_twice_does_not_stand_for_another_of_the_crowd() -> None:
    """Given a server that shows the match to one and cuts him off, and to the other when it did so twice."""
    came, twice = Counter[str](), asyncio.Event()

    async def show(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        home = writer.get_extra_info("peername")[0]
        came[home] += 1
        if home == "127.0.1.2":
            await twice.wait()
        elif came[home] == 3:
            twice.set()
        writer.write(b"HTTP/1.1 101 \r\n\r\n" + websocket_bytes(b'{"t":"view"}'))
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(show, "127.0.0.1", 0)
    one = await crowd(listening.sockets[0].getsockname()[1], uuid4(), 2)
    try:
        async with asyncio.timeout(SECONDS):
            assert (await comes(one))["view"] >= 3
    finally:
        one.kill()
        await one.communicate()
        listening.close()
        await listening.wait_closed()


async def test_a_crowd_and_a_player_note_that_they_are_to_come_again_later() -> None:
    """Given a server that answers over HTTP first, and then shows the match and refuses something."""
    said, came, told = wire.Refused("unavailable", "later", uuid4()), Counter[str](), set[str]()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        came["in all"] += 1
        shown = websocket_bytes(b'{"t":"view"}') + websocket_bytes(wire.encode(said))
        writer.write(b"HTTP/1.1 101 \r\n\r\n" + shown if came["in all"] > 1 else b"HTTP/1.1 503 \r\n\r\n")
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(refuse, "127.0.0.1", 0)
    one = await crowd(listening.sockets[0].getsockname()[1], uuid4(), 1)
    try:
        async with asyncio.timeout(SECONDS):
            crowd_told = await comes(one)
    finally:
        one.kill()
        await one.communicate()
        listening.close()
        await listening.wait_closed()
    with pytest.raises(TimeoutError):
        Noting(Place("http://localhost", uuid4(), ""), told)._refused(said)

    assert {"unavailable", "answers 503"} == later(set(crowd_told))
    assert {"unavailable"} == later(told)


async def table(url: str, told: set[str], rounds: int) -> int:
    """Play match after match as fast as it goes, watched; return how many have been played to the end."""
    ended = 0
    for _ in range(rounds):
        match, (north, south, onlooker, _) = await offered(url)
        choose, doors = strengths("tiny")["random"], [north, south, *ONLOOKERS * [onlooker]]
        async with contextlib.AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(Noting(Place(url, match, door), told)) for door in doors
            ]
            await asyncio.gather(*(take_part(client, choose, seed=1) for client in clients[:2]))
            for client in clients:
                await client.wait(lambda client=client: client.over)  # type: ignore[misc]
        ended += 1
    return ended


async def hall(url: str, rounds: int) -> None:
    """Let sixty players and their onlookers play from one address; nobody comes to a limit.

    A machine that is busy with other things may be late: that is no limit, and costs nobody a match.
    """
    told: set[str] = set()
    ended = await asyncio.gather(*(table(url, told, rounds) for _ in range(TABLES)))

    assert [rounds] * TABLES == ended
    assert not {"too_fast", "too_many"} & told
    assert [] == [why for why in told if re.search("closed: (1008|4\\d\\d\\d)|answers", why)]


async def test_sixty_players_and_their_onlookers_play_undisturbed_from_one_address(server: Serving) -> None:
    await hall(server.url, 1)


@pytest.mark.soak
async def test_sixty_players_go_on_from_match_to_match_at_one_address(server: Serving) -> None:
    await hall(server.url, 2)
