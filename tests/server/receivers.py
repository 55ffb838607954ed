"""Whoever notices are sent to, for tests: a mail server, a push service and webhooks, on the loopback.

They do what real ones do: take, refuse, fail, stall, come back. The push service checks who pushes, and opens
what is pushed with the browser's keys by RFC 8291, with code of its own.
"""

import asyncio
import base64
import contextlib
import hmac
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
from msgspec import Struct

from server.nobody import nobody
from server.notices.names import LookUp
from server.notices.outward import Outward
from server.notices.places import Push
from server.notices.sealing import point
from tests.server.certificates import Certificates

NAMES = ("hook.example.org", "push.example.org")


class Took(Struct):
    """A request that was taken, and what was answered, 0 until then."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    status: int = 0


class Web:
    """A server of https. It answers with `status` when `open` is set, and sends `tail` without end."""

    def __init__(self, certificates: Certificates) -> None:
        self.took: list[Took] = []
        self.told: Callable[[Took], None] = nobody
        """Called with what was taken."""
        self.statuses: list[int] = []
        """Answers to the next requests; then `status`."""
        self.status = 201
        self.open = asyncio.Event()
        self.open.set()
        self.extra = ""
        self.tail = b""
        self.news = asyncio.Condition()
        self.connections = 0
        self._context = _context(certificates)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, ssl=self._context)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Listen no more, and close all connections."""
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def url(self, host: str = "127.0.0.1", path: str = "/hook") -> str:
        """Return an address here."""
        return f"https://{host}:{self.port}{path}"

    async def heard(self, count: int, within: float = 40) -> list[Took]:
        """Wait for so many requests, for so many seconds at most. Raises TimeoutError."""
        async with asyncio.timeout(within), self.news:
            await self.news.wait_for(lambda: len(self.took) >= count)
        return self.took

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {
                name.lower(): value for name, _, value in (one.partition(": ") for one in head[1:] if one)
            }
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            async with self.news:
                self.took.append(took := Took(method, path, headers, body))
                self.told(took)
                self.news.notify_all()
            await self.open.wait()
            took.status = status = self.statuses.pop(0) if self.statuses else self.status
            writer.write(f"HTTP/1.1 {status} So\r\nConnection: close\r\n{self.extra}\r\n".encode())
            if self.tail:
                while True:
                    writer.write(self.tail)
                    await writer.drain()
        except (OSError, EOFError, ssl.SSLError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with contextlib.suppress(Exception):
                await writer.wait_closed()


@contextlib.asynccontextmanager
async def web(certificates: Certificates) -> AsyncIterator[Web]:
    """Run a server of https."""
    one = Web(certificates)
    await one.start()
    try:
        yield one
    finally:
        await one.stop()


def trusting(certificates: Certificates, look_up: LookUp | None = None, *, loopback: bool = True) -> Outward:
    """Return what sends requests there."""
    trust = ssl.create_default_context(cafile=certificates.ca)
    return Outward(loopback=loopback, look_up=look_up, trust=trust)


def found_at(*addresses: str) -> tuple[LookUp, list[str]]:
    """Return what finds any name at these addresses, one after the other, and what it was asked."""
    left, asked = list(addresses), list[str]()

    async def look_up(host: str, _port: int) -> list[str]:
        asked.append(host)
        return [left.pop(0) if len(left) > 1 else left[0]]

    return look_up, asked


class Browser:
    """A browser that has subscribed, with keys of its own."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"

    def place(self, endpoint: str, by: str) -> Push:
        """Return what it tells the server."""
        mine = point(self.key.public_key())
        return Push(endpoint=endpoint, p256dh=coded(mine), auth=coded(self.auth), by=by)

    def opened(self, body: bytes) -> dict[str, Any]:
        """Open what was pushed."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, box = body[21 : 21 + length], body[21 + length :]
        assert len(box) <= size
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        )
        key_info = b"WebPush: info\x00" + point(self.key.public_key()) + theirs
        ikm = HKDF(SHA256(), 32, self.auth, key_info).derive(shared)
        prk = hmac.digest(salt, ikm, "sha256")
        key = HKDFExpand(SHA256(), 16, b"Content-Encoding: aes128gcm\x00").derive(prk)
        nonce = HKDFExpand(SHA256(), 12, b"Content-Encoding: nonce\x00").derive(prk)
        text, mark, rest = AESGCM(key).decrypt(nonce, box, None).rpartition(b"\x02")
        assert mark
        assert not rest.strip(b"\x00")
        found: dict[str, Any] = json.loads(text)
        return found


def proven(took: Took, audience: str) -> dict[str, Any]:
    """Check who pushes, as a push service does (RFC 8292), and return his claims, with the key as `k`."""
    scheme, _, rest = took.headers["authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
    r, s = (int.from_bytes(half, "big") for half in (decoded(signature)[:32], decoded(signature)[32:]))
    key.verify(utils.encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    said: dict[str, Any] = json.loads(decoded(claims))
    assert ("vapid", "ES256") == (scheme, json.loads(decoded(head))["alg"])
    assert audience == said["aud"]
    assert time.time() < said["exp"] <= time.time() + 86_400 + 60
    return said | {"k": parts["k"]}


def coded(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Read such a text."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class MailBox:
    """A mail server that hangs unless `open` is set. `answer` is said to a message, `to` to an address.

    With `certificates` it speaks TLS: from the first byte where `at_once`, else when asked to, and takes
    nothing before that.
    """

    def __init__(self, certificates: Certificates | None = None, *, at_once: bool = False) -> None:
        self._context, self._at_once = _context(certificates) if certificates else None, at_once
        self.took: list[EmailMessage] = []
        self.told: Callable[[EmailMessage], None] = nobody
        """Called with what was taken."""
        self.answer = "250 taken"
        self.to = "250 known"
        self.open = asyncio.Event()
        self.open.set()
        self.parting = asyncio.Event()
        """Unless it is set, nobody hears a goodbye."""
        self.parting.set()
        self.parted = 0
        self.news = asyncio.Condition()
        self.begun = 0
        self._server: asyncio.Server | None = None
        self._made: list[SMTP] = []
        self.port = 0

    async def start(self, make: Callable[[], SMTP] | None = None) -> None:
        """Listen."""
        loop = asyncio.get_running_loop()
        context = self._context if self._at_once else None
        self._server = await loop.create_server(make or self._smtp, "127.0.0.1", self.port, ssl=context)
        self.port = self._server.sockets[0].getsockname()[1]

    def _smtp(self) -> SMTP:
        asked = None if self._at_once else self._context
        one = SMTP(
            self,
            loop=asyncio.get_running_loop(),
            hostname="mail.test",
            tls_context=asked,
            require_starttls=asked is not None,
        )
        self._made.append(one)
        return one

    async def stop(self) -> None:
        """Listen no more, and close all connections."""
        assert self._server is not None
        self._server.close()
        await asyncio.sleep(0)  # whoever was just taken has a connection then
        for one in self._made:
            if isinstance(one.transport, asyncio.WriteTransport):
                one.transport.abort()
        self._made.clear()
        await self._server.wait_closed()

    async def handle_RCPT(  # noqa: N802 the library calls it so
        self, _smtp: SMTP, _session: Any, envelope: Envelope, to: str, _options: Any
    ) -> str:
        if self.to.startswith("250"):
            envelope.rcpt_tos.append(to)
        return self.to

    async def handle_DATA(self, _smtp: SMTP, _session: Any, envelope: Envelope) -> str:  # noqa: N802 the same
        self.begun += 1
        async with self.news:
            self.news.notify_all()
        await self.open.wait()
        if self.answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            async with self.news:
                self.took.append(message := message_from_bytes(envelope.content, policy=policy.default))
                self.told(message)
                self.news.notify_all()
        return self.answer

    async def handle_QUIT(self, _smtp: SMTP, _session: Any, _envelope: Envelope) -> str:  # noqa: N802 the same
        self.parted += 1
        await self.parting.wait()
        return "221 goodbye"

    async def heard(self, count: int) -> list[EmailMessage]:
        """Wait for so many messages."""
        async with asyncio.timeout(40), self.news:
            await self.news.wait_for(lambda: len(self.took) >= count)
        return self.took


def _context(certificates: Certificates) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates.crt, certificates.key)
    return context


@contextlib.asynccontextmanager
async def mail_box(
    certificates: Certificates | None = None, *, at_once: bool = False
) -> AsyncIterator[MailBox]:
    """Run a mail server, with TLS as `MailBox` says."""
    one = MailBox(certificates, at_once=at_once)
    await one.start()
    try:
        yield one
    finally:
        await one.stop()


def certificates_in(folder: Path) -> Certificates:
    """Make certificates for the loopback and NAMES."""
    return Certificates(folder / "tls", names=NAMES)
