"""Who sends nothing, too much, or reads nothing, each over a real socket: what is ended, and what is refused.

What is read of a connection, and when: `test_paced`. Whole floods: `test_floods`.
"""

import asyncio
import base64
import time
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed

from server import serving
from server.addresses import Addresses
from server.fanout.broadcasts import Timing
from server.fanout.hub import Hub
from server.postgres.database import connection
from server.serving import MESSAGE, UNSENT, Serving
from server.socket import paced, visitor
from tests.conftest import running
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
    monkeypatch.setattr(serving, "PING", 0.1)
    monkeypatch.setattr(serving, "PONG", 1.0)
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
    monkeypatch.setattr(visitor, limit, (3, EVER))
    async with talking(server.url) as talk, talking(server.url) as other:
        await enter(talk, created)
        codes = await insist(talk, said, **fields)
        await other.say("ping")
        await other.hear("pong")

    assert visitor.PATIENCE == codes.count("too_fast")
    assert 1008 == talk.socket.close_code


async def test_who_tries_more_than_ten_links_that_open_nothing_is_closed(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await offer(server.url)
    monkeypatch.setattr(visitor, "HELLOS", (100, EVER))
    async with talking(server.url) as talk:
        codes = await insist(talk, "hello", version=1, match=created["match"], token=new_token())

    assert ["bad_token"] * visitor.PATIENCE == codes
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
