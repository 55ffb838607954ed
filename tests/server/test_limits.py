"""Who sends nothing, too much, or reads nothing, each over a real socket: what is ended, and what is refused.

What is read of a connection, and when: `test_paced`. Whole floods: `test_floods`.
"""

import asyncio
import base64
import resource
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec
import pytest
from structlog.testing import capture_logs
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request

from server import addresses, limits, serving
from server.addresses import Addresses
from server.fanout.broadcasts import Timing
from server.fanout.hub import Hub
from server.http.pages import Connection
from server.lobby import chat
from server.postgres.database import connection
from server.serving import Serving
from server.socket import listening, paced, visit
from server.socket.listening import MESSAGE, UNSENT
from tests.conftest import running
from tests.server.reading import get
from tests.server.talk import Said, Talk, enter, new_token, offer, prompt, seated, talking
from tests.server.test_faults import never_reading, unsent

EVER = 1e9
"""Seconds until what was spent is back: not while a test runs."""

UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def until_the_end(url: str, sent: bytes) -> tuple[bytes, float]:
    """Send bytes, say no more, and return what came and after how many seconds the server had ended it."""
    place, begun = urlsplit(url), time.monotonic()
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        writer.write(sent)
        async with asyncio.timeout(10):
            return await reader.read(), time.monotonic() - begun
    finally:
        writer.transport.abort()


# Silence


@pytest.mark.parametrize("sent", [b"", b"GET /socket HTTP/1.1\r\nHost: x\r\n"])
async def test_a_connection_without_a_whole_request_is_ended_in_time(
    server: Serving, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(paced, "REQUEST", 0.2)

    got, seconds = await until_the_end(server.url, sent)

    assert b"" == got
    assert seconds >= 0.2


async def test_who_answers_no_ping_is_ended(dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "PING", 0.1)
    monkeypatch.setattr(listening, "PONG", 1.0)
    async with running(dsn, folder) as server, talking(server.url) as answering:
        await answering.say("ping")
        got, seconds = await until_the_end(server.url, UPGRADE + paced_ping())
        await answering.say("ping")
        for _ in range(2):
            await answering.hear("pong")

    assert b"\x03\xf3" in got[got.index(b"\x88") :]  # a close frame with 1011
    assert seconds >= 1.0


def paced_ping() -> bytes:
    """Return the message `ping` as a client's frame, under a mask of zeros."""
    return b"\x81\x8c" + bytes(4) + b'{"t":"ping"}'


# Messages beyond their limits


async def insist(talk: Talk, t: str, **fields: Any) -> list[str]:
    """Say something until the connection is closed; return the codes of what was refused."""
    with suppress(ConnectionClosed):
        for _ in range(100):
            await talk.say(t, **fields)
            await talk.say("ping")
            await talk.hear("pong")
    return [message["code"] for message in talk.heard if message["t"] == "refused"]


@pytest.mark.parametrize(("limit", "said"), [("HELLOS", "hello"), ("LINES", "say"), ("COMMANDS", "exchange")])
async def test_who_goes_on_beyond_a_limit_is_refused_ten_times_and_then_closed(
    server: Serving, monkeypatch: pytest.MonkeyPatch, limit: str, said: str
) -> None:
    created = await offer(server.url)
    fields: dict[str, Any] = {
        "hello": {"version": 1, "match": created["match"]},
        "say": {"match": created["match"], "room": "onlookers", "text": "Ahoy"},
        "exchange": {"match": created["match"]},
    }[said]
    monkeypatch.setattr(visit, limit, (3, EVER))
    async with talking(server.url) as talk, talking(server.url) as other:
        await enter(talk, created)
        codes = await insist(talk, said, **fields)
        await other.say("ping")
        await other.hear("pong")

    assert visit.PATIENCE == codes.count("too_fast")
    assert 1008 == talk.socket.close_code


async def test_a_room_hears_so_many_lines_and_who_says_more_is_refused_and_not_closed(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await offer(server.url)
    monkeypatch.setattr(chat, "ROOM_LINES", (3, EVER))
    monkeypatch.setattr(visit, "LINES", (100, EVER))
    async with talking(server.url) as talk, talking(server.url) as other:
        for one in (talk, other):
            await enter(one, created)
        codes = await insist(talk, "say", match=created["match"], room="onlookers", text="Ahoy")
        heard = [await other.hear("said") for _ in range(3)]

        assert ["too_fast"] * 97 == codes
        assert 3 == len(heard)
        assert talk.socket.close_code is None


async def test_who_tries_more_than_ten_links_that_open_nothing_is_closed(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await offer(server.url)
    monkeypatch.setattr(visit, "HELLOS", (100, EVER))
    async with talking(server.url) as talk:
        codes = await insist(talk, "hello", version=1, match=created["match"], token=new_token())

    assert ["bad_token"] * visit.PATIENCE == codes
    assert 4401 == talk.socket.close_code


async def test_a_link_holds_160_bits_and_is_kept_as_their_sha_256(server: Serving) -> None:
    links = [link["token"] for _ in range(2) for link in (await offer(server.url))["links"]]
    opened = [base64.urlsafe_b64decode(link + "=") for link in links]
    async with connection(server.database.read) as conn:
        rows = await conn.fetch("SELECT hash FROM lobby.token")

    assert {160} == {8 * len(one) for one in opened}
    assert 8 == len(set(opened))
    assert {sha256(one).digest() for one in opened} == {row[0] for row in rows}


# Readers that do not read


async def test_a_watcher_that_stays_behind_is_closed_with_4008_and_costs_64_kib(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timing = msgspec.structs.replace(Timing(), patience=0.5, farewell=0.2)
    monkeypatch.setattr(serving, "Hub", partial(Hub, timing=timing))
    async with running(dsn, folder) as server, seated(server.url) as (created, north, south):
        async with never_reading(server, created), talking(server.url) as keen:
            await enter(keen, created)
            await prompt(north, 0)
            largest, receipt = 0, Said()
            end = time.monotonic() + 30
            while not server.hub.tally.closed_slow:
                assert time.monotonic() < end
                upto, options = await prompt(north, 0)
                decision = {"match": created["match"], "answers": upto, "decision": options[0]}
                await north.ask("decide", **decision)
                receipt = await north.ask("undo", match=created["match"])
                largest = max([largest, *unsent(server)])
            for talk in (south, keen):
                await talk.hear("frame", upto=receipt["seq"])

        assert largest < UNSENT + MESSAGE
        assert 1 == server.hub.tally.closed_slow


# Behind proxies


@pytest.mark.parametrize(
    ("proxies", "forwarded", "counted"),
    [
        (0, [], "peer"),
        (0, ["203.0.113.1"], "peer"),
        (1, ["203.0.113.1"], "203.0.113.1"),
        (1, ["198.51.100.9, 203.0.113.1"], "203.0.113.1"),
        (1, ["198.51.100.9", "203.0.113.1"], "203.0.113.1"),
        (1, [], "peer"),
        (2, ["198.51.100.9, 203.0.113.1, 192.0.2.80"], "203.0.113.1"),
        (2, ["192.0.2.80"], "peer"),
        (1, ["2001:db8:1:2:3::4"], "2001:db8:1:2::/64"),
        (1, ["203.0.113.1:4711"], "203.0.113.1"),
        (1, ["[2001:db8:1:2:3::4]:4711"], "2001:db8:1:2::/64"),
        (1, ["[2001:db8:1:2:3::4]"], "2001:db8:1:2::/64"),
        (1, ["unknown"], "peer"),
        (1, ["203.0.113.1, whatever a client likes"], "peer"),
        (1, ["203.0.113.1,"], "peer"),
    ],
)
def test_the_address_is_the_one_that_our_outermost_proxy_wrote_and_none_that_a_client_forged(
    proxies: int, forwarded: list[str], counted: str
) -> None:
    addresses, headers = Addresses(proxies=proxies), Headers()
    for line in forwarded:
        headers["X-Forwarded-For"] = line
    peer = ("192.0.2.7", 40_000)

    address = addresses.behind(peer, headers)

    assert address is addresses._known["192.0.2.7" if counted == "peer" else counted]


# What is asked over HTTP


@pytest.mark.parametrize(
    ("path", "each"),
    [
        ("/api/titles", limits.FILE),
        ("/healthz", limits.FILE),
        ("/api/matches", limits.QUERY),
        ("/api/audit/midway", limits.QUERY),
        ("/api/matches?q=x", limits.SEARCH),
    ],
)
async def test_every_request_spends_of_the_work_of_its_address(
    server: Serving, monkeypatch: pytest.MonkeyPatch, path: str, each: float
) -> None:
    monkeypatch.setattr(addresses, "WORK", (100, EVER))

    assert 200 == (await get(server.url, path)).status

    work = server.addresses.at(("127.0.0.1", 0)).work
    work.owed()
    assert 100 - each - 1 <= work._tokens <= 100 - each


async def test_an_address_that_asks_too_much_waits_and_then_is_told_when_to_come_again(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "WORK", (100, 100.0))
    monkeypatch.setattr(paced, "REQUEST", 0.2)
    home = server.addresses.at(("127.0.0.1", 0))
    home.work.spend(100.5)
    begun = time.monotonic()
    waited = await get(server.url, "/api/titles")
    took = time.monotonic() - begun
    home.work.spend(100)
    asking = cast(
        "Connection", SimpleNamespace(id=uuid4(), address=home, spend=None, body=b"", unreadable=None)
    )

    refused = await server.pages.answer(asking, Request("/api/titles", Headers()))

    assert 200 == waited.status
    assert took > 0.4
    assert 429 == refused.status_code
    assert b"too_fast" in refused.body
    assert limits.LONGEST_DEBT < int(refused.headers["Retry-After"]) <= 101
    assert 1 == server.addresses.turned_away["requests"]


async def test_whoever_is_turned_away_is_counted_and_logged_once_a_minute(
    server: Serving,
) -> None:
    home = server.addresses.at(("127.0.0.1", 0))
    home.calls += limits.SOCKETS + limits.CALLS
    with capture_logs() as lines:
        for _ in range(3):
            assert b"" == (await until_the_end(server.url, b""))[0]

    assert 3 == server.addresses.turned_away["connections"]
    assert 1 == sum(line["event"] == "turned away" for line in lines)
    home.calls -= limits.SOCKETS + limits.CALLS
    told = (await get(server.url, "/metrics")).body.decode()
    assert 'fleetfold_turned_away_total{why="connections"} 3.0' in told


def test_a_kernel_that_refuses_what_its_hard_limit_allows_is_asked_for_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given one as that of macOS, which this machine has not."""
    given = list[tuple[int, int]]()

    def refuse_much(_: int, limit: tuple[int, int]) -> None:
        if limit[0] > 100_000:
            raise ValueError
        given.append(limit)

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse_much)

    assert 1 << 16 == limits.allow_files()
    assert [(1 << 16, resource.RLIM_INFINITY)] == given


def test_the_soft_limit_of_files_is_raised_to_the_hard_one_and_no_further() -> None:
    code = """
import resource
from server.limits import allow_files
hard = min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
assert allow_files(300) == 300
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)
assert allow_files() == allow_files(300) == hard
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
"""

    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)

    assert "" == done.stderr
