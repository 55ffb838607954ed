"""A provider of identities of the tests' own (OpenID Connect): discovery, authorize, token, keys.

It answers as a good one does, but for what a test changes. As a program it stands by itself, for the page's
tests.
"""

import asyncio
import base64
import contextlib
import hashlib
import json
import secrets
import sys
import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import h11
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from server.settings import Provider

SECRET = "what the provider knows this server by"


class Identities:
    """The provider. Whoever comes is `subject`."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})
        self.signs: Any = self.key
        self.subject = "248289761001"
        self.issuer = ""
        self.said: dict[str, Any] = {}
        """What its discovery says otherwise."""
        self.claims: dict[str, Any] = {}
        """What its tokens say otherwise; None: nothing."""
        self.status = 200
        """Of its answer to a code."""
        self.asked: list[dict[str, str]] = []
        self.told: list[dict[str, str]] = []
        """The tokens that it has given."""
        self.open = asyncio.Event()
        self.open.set()
        self._codes: dict[str, dict[str, str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def provider(self, **other: str) -> Provider:
        """Return the settings of a server that takes it."""
        given = {"issuer": self.issuer, "client_id": "fleetfold", "secret": SECRET, "name": "Harbour"}
        return Provider(**(given | other))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def stop(self) -> None:
        """Answer nobody any more, and close all connections."""
        for task in (tasks := list(self._tasks)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, h11.RemoteProtocolError):
            reading, body, head = h11.Connection(h11.SERVER), b"", None
            while not isinstance(event := reading.next_event(), h11.EndOfMessage):
                if event is h11.NEED_DATA:
                    reading.receive_data(await reader.read(65536))
                elif isinstance(event, h11.Request):
                    head = event
                elif isinstance(event, h11.Data):
                    body += event.data
                else:
                    break
            if head is not None:
                await self.open.wait()
                status, more, answer = self._answer(head, body)
                writer.write(f"HTTP/1.1 {status} So\r\n{more}Connection: close\r\n".encode())
                writer.write(f"Content-Length: {len(answer)}\r\n\r\n".encode() + answer)
                await writer.drain()

    def _answer(self, head: h11.Request, body: bytes) -> tuple[int, str, bytes]:
        target, headers = urlsplit(head.target.decode()), dict(head.headers)
        if target.path == "/.well-known/openid-configuration":
            return 200, "", json.dumps(self._discovery()).encode()
        if target.path == "/keys":
            return 200, "", json.dumps(KeySet([self.key]).as_dict(private=False)).encode()
        if target.path == "/authorize":
            asked = {name: values[0] for name, values in parse_qs(target.query).items()}
            return 302, f"Location: {self.lets_in(asked)}\r\n", b""
        if target.path == "/token":
            form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            return self._redeem(form, headers.get(b"authorization", b"").decode())
        return 404, "", b"{}"

    def _discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            **self.said,
        }

    def lets_in(self, asked: dict[str, str]) -> str:
        """Return where somebody who has said who he is goes back to."""
        assert (asked["response_type"], asked["scope"]) == ("code", "openid")
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def _redeem(self, form: dict[str, str], basic: str) -> tuple[int, str, bytes]:
        self.asked.append(form)
        asked = self._codes.pop(form["code"], None)
        known = base64.b64encode(f"fleetfold:{SECRET}".encode()).decode()
        made = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode()
        if (
            asked is None
            or basic != f"Basic {known}"
            or form["redirect_uri"] != asked["redirect_uri"]
            or made.rstrip("=") != asked["code_challenge"]
        ):
            return 400, "", b'{"error":"invalid_grant"}'
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": self.subject,
            "aud": "fleetfold",
            "exp": now + 300,
            "iat": now,
            "nonce": asked["nonce"],
            **self.claims,
        }
        said = {name: value for name, value in claims.items() if value is not None}
        tokens = {"id_token": self._signed(said), "access_token": secrets.token_urlsafe(16)}
        self.told.append(tokens)
        return self.status, "", json.dumps({**tokens, "token_type": "Bearer"}).encode()

    def _signed(self, claims: dict[str, Any]) -> str:
        if self.signs is None:  # as those do who take `none` for a signature
            parts = ({"alg": "none"}, claims)
            coded = [base64.urlsafe_b64encode(json.dumps(one).encode()).decode().rstrip("=") for one in parts]
            return f"{coded[0]}.{coded[1]}."
        return jwt.encode({"alg": "RS256", "kid": "first"}, claims, self.signs)


@contextlib.asynccontextmanager
async def identities() -> AsyncIterator[Identities]:
    """Give a provider."""
    one = Identities()
    server = await asyncio.start_server(one.serve, "127.0.0.1", 0)
    one.issuer = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield one
    finally:
        server.close()
        await asyncio.sleep(0)  # whoever was just taken is served then
        await one.stop()


async def _stand() -> None:
    """Say where it is, and answer until nobody listens any more."""
    async with identities() as one:
        print(one.issuer, flush=True)  # noqa: T201 what the page's tests read
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_stand())
