"""Each proxy of deploy/proxy, as it is in deploy/, before a node. Where a program is missing this fails."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from server.serving import Serving
from tests.conftest import running
from tests.server.fronts import FILES, Front, fronted
from tests.server.talk import prompt, seated, talking

each = pytest.mark.parametrize("name", FILES)

COUNTED = {
    "nginx": {"limit_conn fleetfold 640;": "limit_conn fleetfold 3;"},
    "haproxy": {
        "tcp-request connection reject if { sc0_conn_cur gt 640 } || { sc0_conn_rate gt 1024 }": (
            "tcp-request connection reject if { sc0_conn_cur gt 3 } || { sc0_conn_rate gt 1024 }"
        )
    },
}
"""An address has three connections where the example says 640."""

HASTY = {
    "nginx": {
        "client_header_timeout 10s;": "client_header_timeout 3s;",
        "client_body_timeout 10s;": "client_body_timeout 3s;",
        "keepalive_timeout 60s;": "keepalive_timeout 3s;",
    },
    "caddy": {
        "read_header 10s": "read_header 3s",
        "read_body 10s": "read_body 3s",
        "idle 1m": "idle 3s",
    },
    "haproxy": {
        "timeout client 15s": "timeout client 3s",
        "timeout http-request 10s": "timeout http-request 3s",
        "timeout http-keep-alive 60s": "timeout http-keep-alive 3s",
    },
}
"""Who says nothing is cut off after three seconds."""


@pytest.fixture
async def behind(dsn: str, folder: Path) -> AsyncIterator[Serving]:
    """Give a node that is told by one proxy who asks."""
    async with running(dsn, folder, proxies=1) as node:
        yield node


@each
async def test_a_page_and_a_match_come_through_the_proxy_over_tls(
    behind: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    async with fronted(name, tmp_path / "front", behind.url) as front:
        monkeypatch.setenv("SSL_CERT_FILE", str(front.certificates.ca))
        page, numbers = await front.get("/"), await front.get("/metrics")
        plain = await front.get("/rules/midway?a=b", plain=True)
        async with seated(front.url) as (created, north, _):
            upto, options = await prompt(north, 0)
            receipt = await north.ask("decide", match=created["match"], answers=upto, decision=options[0])

    assert (200, True) == (page.status, b"<!doctype html>" in page.body.lower())
    assert 404 == numbers.status
    there = urlsplit(plain.headers["location"])
    assert plain.status in {301, 308}
    assert ("https", urlsplit(front.url).hostname, "/rules/midway", "a=b") == (
        there.scheme,
        there.hostname,
        there.path,
        there.query,
    )
    assert "receipt" == receipt["t"]


@each
async def test_who_comes_through_the_proxy_is_counted_where_he_is_and_not_where_he_says(
    behind: Serving, tmp_path: Path, name: str
) -> None:
    """And the page is one of https, whatever he says: only from there may it connect."""
    said = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "http", "Forwarded": "for=192.0.2.8"}
    async with fronted(name, tmp_path / "front", behind.url) as front:
        at = {"ssl": front.trusting, "local_addr": ("127.0.0.2", 0), "additional_headers": said}
        async with talking(front.url, origin=front.url, **at):
            sockets = {key: one.sockets for key, one in behind.addresses.known.items() if one.sockets}
        with pytest.raises(InvalidStatus) as refused:
            await _opened(front, origin=front.url.replace("https", "http"), **at)
        await front.get("/api/titles", headers=said)

    assert {"127.0.0.2": 1} == sockets
    assert 403 == refused.value.response.status_code
    assert not {"192.0.2.7", "192.0.2.8"} & set(behind.addresses.known)
    assert "127.0.0.1" in behind.addresses.known


@pytest.mark.parametrize("name", COUNTED)
async def test_the_proxy_refuses_an_address_one_connection_too_many_and_no_other(
    behind: Serving, tmp_path: Path, name: str
) -> None:
    async with (
        fronted(name, tmp_path / "front", behind.url, COUNTED[name]) as front,
        contextlib.AsyncExitStack() as stack,
    ):
        at = {"ssl": front.trusting, "local_addr": ("127.0.0.2", 0)}
        for _ in range(3):
            await stack.enter_async_context(talking(front.url, **at))
        with pytest.raises((InvalidStatus, OSError)) as refused:
            await _opened(front, **at)
        other = await front.get("/healthz")

    if isinstance(refused.value, InvalidStatus):
        assert 503 == refused.value.response.status_code
    assert 200 == other.status


@each
async def test_a_socket_at_rest_outlives_the_time_that_a_request_may_take(
    behind: Serving, tmp_path: Path, name: str
) -> None:
    """Given a connection that says nothing beside it, which the proxy ends when that time is over."""
    async with (
        fronted(name, tmp_path / "front", behind.url, HASTY[name]) as front,
        talking(front.url, ssl=front.trusting) as talk,
        asyncio.timeout(10),
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", front.port, ssl=front.trusting)
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            with contextlib.suppress(ConnectionResetError):
                await reader.read()  # until it is ended
        finally:
            writer.close()
        await talk.say("ping")
        answer = await talk.hear("pong")

    assert "pong" == answer["t"]


async def _opened(front: Front, **settings: object) -> None:
    async with talking(front.url, **settings):
        pass
