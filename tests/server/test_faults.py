"""What holds when Postgres or Redis is late, silent, cut off or gone, and when a client never reads.

Faults are put in by a proxy of ours (`tests.server.proxy`) between the server and the real thing. The log
itself under kills and crashes is in `test_history`, the bus alone in `test_bus`, the hub alone in `test_hub`.
"""

import asyncio
import contextlib
import itertools
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

import pytest
import structlog
from structlog.testing import capture_logs

from server import addresses, serving
from server.bench.redis_server import RedisServer
from server.fanout.room import UNSENT
from server.postgres import database
from server.postgres.database import CONNECT_WITHIN
from server.postgres.embedded import Embedded
from server.serving import Serving
from server.socket import paced
from server.socket.arriving import ARRIVING
from server.socket.listening import MESSAGE
from tests.conftest import NO_DISK, running
from tests.server.proxy import Proxy, proxied
from tests.server.reading import get
from tests.server.talk import Said, Talk, enter, offer, prompt, seated, talking, token
from tests.server.watching import until

log = structlog.get_logger()

WITHIN = 4.5
"""Seconds within which everybody has an answer, whatever it is."""

APPEND = b"INSERT INTO log.fact"
"""What is said on the connection that appends and on no other."""

NEWS = b"ORDER BY f.xid, f.match_id, f.seq LIMIT 1) f"
"""What a projection says, and nobody else, when it looks whether there are new facts."""

Answer = TypeVar("Answer")


@asynccontextmanager
async def behind_a_proxy(dsn: str, folder: Path, **settings: Any) -> AsyncIterator[tuple[Proxy, Serving]]:
    """Run a server that reaches its Postgres through a proxy."""
    parts = urlsplit(dsn)
    async with proxied(f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432") as proxy:
        login = parts.netloc.rpartition("@")[0]
        url = f"postgresql://{login}@127.0.0.1:{proxy.port}{parts.path}?sslmode=disable"
        async with running(url, folder, **settings) as server:
            yield proxy, server
            proxy.resume()
            proxy.delay = 0


async def timed(answer: Awaitable[Answer]) -> tuple[Answer, float]:
    """Wait for an answer; how many seconds it took."""
    begun = time.monotonic()
    return await answer, time.monotonic() - begun


async def choice(talk: Talk, created: Said, seat: int) -> dict[str, Any]:
    """Return a decision that can be sent twice."""
    upto, options = await prompt(talk, seat)
    return {"match": created["match"], "command": uuid4(), "answers": upto, "decision": options[0]}


async def times_stored(server: Serving, sent: dict[str, Any]) -> int:
    """How often a command stands in the log."""
    entries = await server.log.read_everything(UUID(sent["match"]))
    return sum(entry.command == sent["command"] and entry.index == 0 for entry in entries)


async def until_stored(talk: Talk, sent: dict[str, Any]) -> Said:
    """Send a command until it is answered otherwise than by `unavailable`."""
    while True:
        answer = await talk.ask("decide", **sent)
        if answer.get("code") != "unavailable":
            return answer


# Postgres


async def test_while_postgres_is_silent_everybody_is_told_in_time_and_afterwards_all_goes_on(
    dsn: str, folder: Path
) -> None:
    async with AsyncExitStack() as stack:
        proxy, server = await stack.enter_async_context(behind_a_proxy(dsn, folder))
        created, north, south = await stack.enter_async_context(seated(server.url))
        # More than may ask at once: the others wait for their turn.
        crowd = [await stack.enter_async_context(talking(server.url)) for _ in range(ARRIVING + 4)]
        sent = [await choice(talk, created, seat) for seat, talk in enumerate((north, south))]
        proxy.stall()

        async def hello(late: Talk) -> Said:
            await late.say("hello", version=1, match=created["match"])
            return await late.hear("refused")

        told, pages = await asyncio.gather(
            asyncio.gather(
                timed(north.ask("decide", **sent[0])),
                timed(south.ask("decide", **sent[1])),
                timed(offer(server.url)),
                *(timed(hello(late)) for late in crowd),
            ),
            asyncio.gather(
                timed(get(server.url, "/readyz")),
                timed(get(server.url, f"/api/matches/{created['match']}")),
                timed(get(server.url, f"/api/matches/{created['match']}/record")),
            ),
        )
        proxy.resume()
        receipts = [await until_stored(talk, one) for talk, one in zip((north, south), sent, strict=True)]

        assert ["unavailable"] * (3 + len(crowd)) == [answer["code"] for answer, _ in told]
        assert [503] * 3 == [page.status for page, _ in pages]
        assert all(seconds < WITHIN for _, seconds in (*told, *pages)), [s for _, s in (*told, *pages)]
        assert ["receipt"] * 2 == [answer["t"] for answer in receipts]
        assert [1, 1] == [await times_stored(server, one) for one in sent]


@pytest.mark.soak
async def test_a_crowd_that_comes_at_once_to_a_slow_postgres_waits_and_nobody_is_refused(
    dsn: str, folder: Path
) -> None:
    async with AsyncExitStack() as stack:
        proxy, server = await stack.enter_async_context(behind_a_proxy(dsn, folder))
        created = await offer(server.url)
        crowd = [await stack.enter_async_context(talking(server.url)) for _ in range(35)]
        proxy.delay = 0.04

        async def hello(talk: Talk) -> Said:
            """By a link: what is asked without one is asked once for all of them."""
            await talk.say("hello", version=1, match=created["match"], token=token(created, "onlooker"))
            return await talk.hear("welcome", "refused")

        told = [timed(hello(talk)) for talk in crowd]
        answers = await asyncio.gather(*told)

        assert {"welcome"} == {answer["t"] for answer, _ in answers}
        # Longer than a connection to Postgres is waited for: without turns the last would have been refused.
        assert max(seconds for _, seconds in answers) > CONNECT_WITHIN


async def test_who_waits_behind_another_s_decision_is_told_in_time_and_shown_what_came_of_it(
    dsn: str, folder: Path
) -> None:
    """Only appends are held, and reach Postgres when nobody waits for them any more."""
    async with behind_a_proxy(dsn, folder) as (proxy, server), seated(server.url) as (created, north, south):
        sent = [await choice(talk, created, seat) for seat, talk in enumerate((north, south))]
        proxy.stall(saying=APPEND)

        first = asyncio.create_task(timed(north.ask("decide", **sent[0])))
        await asyncio.sleep(0.5)  # it has the match by now, and whoever comes later waits behind it
        told = [await timed(south.ask("decide", **sent[1])), await first]
        proxy.resume()
        receipt = await until_stored(north, sent[0])
        frame, late = await timed(south.hear("frame", upto=receipt["seq"]))
        other = await until_stored(south, sent[1])

        assert ["unavailable"] * 2 == [answer["code"] for answer, _ in told]
        assert all(seconds < WITHIN for _, seconds in told), told
        assert receipt["h"] == frame["h"]
        assert late < 2
        assert "receipt" == other["t"] or "stale" == other["code"]
        assert [1, int(other["t"] == "receipt")] == [await times_stored(server, one) for one in sent]


@pytest.mark.parametrize("fault", ["lost on the way", "lost on the way back", "cut short"])
async def test_a_connection_that_ends_in_mid_append_is_settled_by_looking_it_up(
    dsn: str, folder: Path, fault: str
) -> None:
    async with behind_a_proxy(dsn, folder) as (proxy, server), seated(server.url) as (created, north, south):
        sent = await choice(north, created, 0)
        if fault == "lost on the way":
            proxy.reset(saying=APPEND)
        else:
            proxy.cut_short(0 if fault == "lost on the way back" else 7, saying=APPEND)

        receipt, seconds = await timed(north.ask("decide", **sent))
        frame = await south.hear("frame", upto=receipt["seq"])

        assert "receipt" == receipt["t"]
        assert receipt["h"] == frame["h"]
        assert seconds < 1
        assert 1 == await times_stored(server, sent)


async def test_an_append_that_nobody_heard_of_is_shown_as_soon_as_the_log_can_be_read(
    dsn: str, folder: Path
) -> None:
    """Postgres stores it, its answer is lost in silence, and the client gives up."""
    async with AsyncExitStack() as stack:
        proxy, server = await stack.enter_async_context(behind_a_proxy(dsn, folder))
        created, north, _ = await stack.enter_async_context(seated(server.url))
        onlooker = await stack.enter_async_context(talking(server.url))
        before = (await enter(onlooker, created))["upto"]
        sent = await choice(north, created, 0)
        proxy.mute(saying=APPEND)

        answer, seconds = await timed(north.ask("decide", **sent))
        frame, late = await timed(onlooker.hear("frame"))

        assert "unavailable" == answer["code"]
        assert seconds < WITHIN
        assert before == frame["after"]
        assert late < 2
        assert 1 == await times_stored(server, sent)


async def test_a_connection_that_is_dead_without_a_word_is_dropped(dsn: str, folder: Path) -> None:
    async with behind_a_proxy(dsn, folder) as (proxy, server), seated(server.url) as (created, north, south):
        sent = await choice(north, created, 0)
        proxy.half_open(saying=APPEND)

        answer, seconds = await timed(north.ask("decide", **sent))
        receipt, again = await timed(until_stored(north, sent))
        other, third = await timed(south.ask("decide", **await choice(south, created, 1)))

        assert "unavailable" == answer["code"]
        assert seconds < WITHIN
        assert ["receipt"] * 2 == [receipt["t"], other["t"]]
        assert max(again, third) < 1
        assert 1 == await times_stored(server, sent)


async def test_a_server_whose_connections_are_all_dead_ends_all_the_same(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (serving, database):
        monkeypatch.setattr(module, "ANSWER_WITHIN", 0.3)
    async with asyncio.timeout(10), behind_a_proxy(dsn, folder) as (proxy, server):
        await offer(server.url)
        proxy.half_open()
        await asyncio.sleep(1.2)  # the projections look at the log every second

    assert server.draining


async def test_a_slow_postgres_makes_play_slow_and_nothing_else(dsn: str, folder: Path) -> None:
    async with behind_a_proxy(dsn, folder) as (proxy, server), seated(server.url) as (created, north, south):
        proxy.delay = 0.1
        sent = [await choice(talk, created, seat) for seat, talk in enumerate((north, south))]

        receipts = await asyncio.gather(north.ask("decide", **sent[0]), south.ask("decide", **sent[1]))

        assert ["receipt"] * 2 == [receipt["t"] for receipt in receipts]


# Redis


@asynccontextmanager
async def two_nodes(
    dsn: str, folder: Path, own_redis: RedisServer
) -> AsyncIterator[tuple[Proxy, list[Serving]]]:
    """Run two servers on one database that reach one Redis through a proxy."""
    async with proxied(own_redis.url.removeprefix("unix://")) as proxy, AsyncExitStack() as stack:
        url = f"redis://127.0.0.1:{proxy.port}"
        nodes = [await stack.enter_async_context(running(dsn, folder, redis_url=url)) for _ in range(2)]
        await until(lambda: all(node.bus.up for node in nodes))
        yield proxy, nodes


@pytest.mark.parametrize("fault", ["stall", "half_open", "reset"])
async def test_with_redis_silent_or_cut_off_decisions_go_on_and_the_others_hear_of_them(
    dsn: str, folder: Path, own_redis: RedisServer, fault: str
) -> None:
    async with AsyncExitStack() as stack:
        proxy, (one, two) = await stack.enter_async_context(two_nodes(dsn, folder, own_redis))
        created, north, south = await stack.enter_async_context(seated(one.url))
        onlooker = await stack.enter_async_context(talking(two.url))
        await enter(onlooker, created)
        getattr(proxy, fault)()

        first, seconds = await timed(north.ask("decide", **await choice(north, created, 0)))
        second, more = await timed(south.ask("decide", **await choice(south, created, 1)))
        _, late = await timed(onlooker.hear("frame", upto=second["seq"]))
        proxy.resume()
        log.info("redis", fault=fault, late=round(late, 2))

        assert ["receipt"] * 2 == [first["t"], second["t"]]
        assert max(seconds, more) < 0.5
        assert late < 4.5
        assert sound(onlooker)


def sound(talk: Talk) -> bool:
    """Whether the frames that came join up behind the view."""
    ranges = [(m.get("after", 0), m["upto"]) for m in talk.heard if m["t"] in {"view", "frame"}]
    return all(after == upto for (_, upto), (after, _) in itertools.pairwise(ranges))


# Clients that never read


async def test_onlookers_that_never_read_cost_little_memory_and_nobody_else_a_frame(server: Serving) -> None:
    async with AsyncExitStack() as stack:
        created, north, south = await stack.enter_async_context(seated(server.url))
        deaf = [await stack.enter_async_context(never_reading(server, created)) for _ in range(5)]
        keen = [await stack.enter_async_context(talking(server.url)) for _ in range(5)]
        for talk in keen:
            await enter(talk, created)
        await prompt(north, 0)

        upto, largest = 0, 0
        for _ in range(100):
            receipt = await north.ask("decide", **await choice(north, created, 0))
            undone = await north.ask("undo", match=created["match"])
            upto = undone["seq"]
            largest = max([largest, *unsent(server)])
        assert "receipt" == receipt["t"] == undone["t"]
        for talk in (south, *keen):
            await talk.hear("frame", upto=upto)

        assert len(deaf) == server.hub.behind
        assert UNSENT / 2 < largest < UNSENT + (16 << 10)
        assert all(sound(talk) for talk in keen)


def unsent(server: Serving) -> list[int]:
    """Bytes that wait in each connection."""
    return [connection.transport.get_write_buffer_size() for connection in server.gateway.connections]


@asynccontextmanager
async def never_reading(server: Serving, created: Said) -> AsyncIterator[Talk]:
    """Look on, and read nothing after the view; the system's own buffers are small on both sides."""
    before = set(server.gateway.connections)
    with socket.socket() as small:
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        small.setblocking(False)
        parts = urlsplit(server.url)
        await asyncio.get_running_loop().sock_connect(small, (parts.hostname, parts.port))
        async with talking(server.url, sock=small, max_queue=1, close_timeout=0.1) as talk:
            await enter(talk, created)
            (connection,) = set(server.gateway.connections) - before
            ours = connection.transport.get_extra_info("socket")
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            talk.socket.transport.pause_reading()
            yield talk
            talk.socket.transport.abort()


async def test_who_asks_and_asks_and_never_reads_the_answers_is_not_heard_any_more(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much may be asked."""
    monkeypatch.setattr(paced, "FRAMES", (1e9, 1.0))
    monkeypatch.setattr(addresses, "WORK", (1e9, 1.0))
    async with talking(server.url, max_queue=1, close_timeout=0.1) as greedy:
        await greedy.say("ping")
        await greedy.hear("pong")
        (connection,) = server.gateway.connections
        connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        greedy.socket.transport.pause_reading()
        writing = asyncio.create_task(write_on(greedy))
        await asyncio.wait([writing], timeout=1)
        largest = max(unsent(server))
        held = greedy.socket.transport.get_write_buffer_size()
        async with talking(server.url) as talk:
            await talk.say("ping")
            _, seconds = await timed(talk.hear("pong"))
        stuck = not writing.done() and held > 0
        writing.cancel()
        greedy.socket.transport.abort()

        assert stuck
        assert largest < UNSENT + MESSAGE
        assert seconds < 0.5


async def write_on(talk: Talk) -> None:
    """Ask without end, as fast as the server listens."""
    while not talk.socket.transport.is_closing():
        talk.socket.transport.write(PINGS)
        while talk.socket.transport.get_write_buffer_size():
            await asyncio.sleep(0.001)


def masked(text: bytes) -> bytes:
    """Return a short text as a client's websocket frame, under a mask of zeros."""
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text


PINGS = masked(b'{"t":"ping"}') * 1000


# Projections


async def test_a_projection_whose_answer_never_comes_goes_on_over_another_connection(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long it waits is shortened; that it waits no longer is what is tested."""
    monkeypatch.setattr(database, "PROJECT_WITHIN", 1.0)
    async with behind_a_proxy(dsn, folder) as (proxy, server):
        await until(lambda: len(proxy.saying(NEWS)) > 0)
        proxy.mute(NEWS)
        with capture_logs() as lines:
            created = await offer(server.url)
            async with asyncio.timeout(10):
                while not (
                    created["match"] in await open_matches(server)
                    and "projection.put_off" in [line["event"] for line in lines]
                ):
                    await asyncio.sleep(0.05)


async def open_matches(server: Serving) -> list[str]:
    """Return the matches that the list of the lobby shows."""
    found = (await get(server.url, "/api/matches?state=open")).json["matches"]
    return [one["match"] for one in found]


# Disk full


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """Give a folder on a file system of 160 MiB, which is made with the rights of root."""
    place = Path(tempfile.mkdtemp(prefix="fleet-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m,mode=0755", "tmpfs", place], check=True)
    yield place
    subprocess.run(["umount", place], check=True)
    shutil.rmtree(place)


@pytest.mark.soak
async def test_a_full_disk_loses_nothing_and_all_goes_on_when_there_is_room(
    small_disk: Path, folder: Path
) -> None:
    """Needs root, to mount a small tmpfs; so it is among the soak tests."""
    engine = Embedded(small_disk / "data", NO_DISK)
    await engine.start()
    try:
        await full(engine, small_disk, folder)
    finally:
        await engine.stop()


def fill(ballast: Path) -> None:
    """Write until there is no room."""
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass


async def full(engine: Embedded, disk: Path, folder: Path) -> None:
    """Play, fill the disk, try to play, make room, play."""
    async with running(engine.dsn, folder) as server, seated(server.url) as (created, north, _):
        ballast = disk / "ballast"
        fill(ballast)
        receipts, answer = [], await north.ask("decide", **await choice(north, created, 0))
        while answer["t"] == "receipt":
            receipts.append(answer)
            receipts.append(await north.ask("undo", match=created["match"]))
            sent = await choice(north, created, 0)
            answer = await north.ask("decide", **sent)
        ballast.unlink()
        receipts.append(await until_stored(north, sent))
        ends = {
            entry.seq: entry.hash.hex() for entry in await server.log.read_everything(UUID(created["match"]))
        }

        assert "unavailable" == answer["code"]
        assert [one["h"] for one in receipts] == [ends[one["seq"]] for one in receipts]
        assert 1 == await times_stored(server, sent)
