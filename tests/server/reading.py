"""A plain reader over HTTP for tests: it asks for what it is told to and keeps every byte it gets."""

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct


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


async def get(url: str, path: str, token: str = "", method: str = "GET") -> Got:
    """Ask for a path as it stands."""
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return await exchange(
        url, f"{method} {path} HTTP/1.1\r\nHost: fleet.example\r\n{authorization}\r\n".encode()
    )


async def exchange(url: str, request: bytes) -> Got:
    """Send bytes and read until the server closes."""
    parts = urlsplit(url)
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(request)
        raw = await reader.read()
        writer.close()
    if not raw:
        return Got(raw, 0, {}, b"")
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
    return Got(raw, int(first.split()[1]), headers, body)
