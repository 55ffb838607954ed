"""A plain reader over HTTP for tests, which keeps every byte it gets, and pages to read without a server."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

from msgspec import Struct
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from server.addresses import Addresses
from server.http.pages import Pages
from server.socket.paced import Paced
from server.socket.rota import Rota


class Got(Struct, frozen=True):
    """An answer: all its bytes, and what they say. Status 0: there was none."""

    raw: bytes
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)

    @property
    def lines(self) -> list[Any]:
        """The body, read as a JSON value a line."""
        return [json.loads(line) for line in self.body.splitlines()]


async def get(url: str, path: str, token: str = "", method: str = "GET", reads: str = "") -> Got:
    """Ask for a path as it stands; `reads` is the header Accept-Encoding."""
    more = f"Authorization: Bearer {token}\r\n" if token else ""
    more += f"Accept-Encoding: {reads}\r\n" if reads else ""
    return await exchange(url, f"{method} {path} HTTP/1.1\r\nHost: fleet.example\r\n{more}\r\n".encode())


async def exchange(url: str, request: bytes) -> Got:
    """Send bytes and read until the server closes."""
    parts = urlsplit(url)
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            writer.write(request)
            raw = await reader.read()
        finally:
            writer.close()
    if not raw:
        return Got(raw, 0, {}, b"")
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
    return Got(raw, int(first.split()[1]), headers, body)


HEADERS = {
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of every answer."""


@asynccontextmanager
async def pages(served: Pages) -> AsyncIterator[str]:
    """Serve pages and nothing else on a free port."""

    async def none(_: ServerConnection) -> None:
        raise AssertionError

    async def answer(connection: ServerConnection, request: Request) -> Response:
        assert isinstance(connection, Paced)
        return await served.answer(connection, request)

    made = cast("type[ServerConnection]", partial(Paced, Addresses(), Rota()))
    async with serve(
        none, "127.0.0.1", 0, process_request=answer, server_header=None, create_connection=made
    ) as server:
        yield f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
