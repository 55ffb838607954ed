"""An authenticator of software (WebAuthn, ES256, no attestation), and a browser that signs in by it."""

import asyncio
import base64
import hashlib
import json
import secrets
from contextlib import AbstractAsyncContextManager
from typing import Any
from urllib.parse import urlsplit

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.datastructures import Headers

from tests.server.talk import Talk, talking

Said = dict[str, Any]


def written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """Keeps one passkey."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(32)
        self.user = ""
        self.uses = 0

    def make(self, options: Said, origin: str) -> Said:
        """Answer `navigator.credentials.create()`."""
        self.user = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)})
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + key
        data = self._data(options["rp"]["id"], 0x45) + attested
        said = self._said("webauthn.create", options["challenge"], origin)
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        response = {
            "clientDataJSON": written(said),
            "attestationObject": written(made),
            "transports": ["internal"],
        }
        return self._credential(response)

    def sign(self, options: Said, origin: str) -> Said:
        """Answer `navigator.credentials.get()`."""
        self.uses += 1
        data = self._data(options["rpId"], 0x05)
        said = self._said("webauthn.get", options["challenge"], origin)
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": written(said),
            "authenticatorData": written(data),
            "signature": written(signature),
            "userHandle": self.user,
        }
        return self._credential(response)

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4)

    @staticmethod
    def _said(kind: str, challenge: str, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()

    def _credential(self, response: Said) -> Said:
        name = written(self.id)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        }


class Browser:
    """Asks a server as a page of it does, and keeps its cookie."""

    def __init__(self, url: str, agent: str = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0") -> None:
        port = urlsplit(url).port
        self.port = port or 80
        self.origin, self.agent = f"http://localhost:{port}", agent
        self.cookie = ""
        self.asked = ""
        """The cookie of who has asked for a link."""
        self.address = ""
        """The address of this machine that it asks from; empty for any."""
        self.proxied = False
        """Whether it asks through a proxy that speaks https with it."""
        self.headers: Headers = Headers()
        """Of the last answer."""

    def talking(self, *, origin: bool = True) -> AbstractAsyncContextManager[Talk]:
        """Open a socket as a page in this browser does; without an origin as some other program would."""
        headers = {"Cookie": self.cookie} | ({"Origin": self.origin} if origin else {})
        return talking(self.origin, host="127.0.0.1", additional_headers=headers)

    async def ask(self, verb: str, path: str, body: Any = None, **headers: str) -> tuple[int, Said]:
        """Send a request, and return the status and the JSON of its answer."""
        given = {"Host": f"localhost:{self.port}", "User-Agent": self.agent}
        if self.cookie or self.asked:
            given["Cookie"] = "; ".join(filter(None, (self.cookie, self.asked)))
        if self.proxied:
            given |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        sent = b""
        if verb != "GET":
            sent = json.dumps({} if body is None else body).encode()
            given |= {
                "Origin": self.origin,
                "Content-Type": "application/json",
                "Content-Length": str(len(sent)),
            }
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [
            f"{verb} {path} HTTP/1.1",
            *(f"{name}: {value}" for name, value in given.items() if value),
            "",
            "",
        ]
        answer = await raw(self.port, "\r\n".join(lines).encode() + sent, self.address)
        head, _, rest = answer.partition(b"\r\n\r\n")
        first, *others = head.decode("latin-1").split("\r\n")
        self.headers = Headers()
        for name, _, value in (line.partition(": ") for line in others):
            self.headers[name] = value
        if (kept := self.headers.get("Set-Cookie")) is not None:
            name, _, value = kept.partition(";")[0].partition("=")
            if name.endswith("-asked"):
                self.asked = f"{name}={value}"
            else:
                self.cookie = f"{name}={value}" if value else ""
        return int(first.split()[1]), json.loads(rest) if rest else {}

    async def sign_up(self, handle: str, key: Authenticator | None = None, **wish: Any) -> Said:
        """Sign up with a passkey and return what is answered."""
        key = key or Authenticator()
        status, told = await self.ask(
            "POST", "/api/me/passkeys/options", {"purpose": "sign up", "handle": handle}
        )
        assert status == 200, told
        credential = key.make(told["options"], self.origin)
        status, told = await self.ask(
            "POST", "/api/me/sign-up", {"handle": handle, "credential": credential, **wish}
        )
        assert status == 200, told
        return told

    async def sign_in(self, key: Authenticator) -> tuple[int, Said]:
        """Sign in with a passkey."""
        _, told = await self.ask("POST", "/api/me/passkeys/options", {"purpose": "sign in"})
        credential = key.sign(told["options"], self.origin)
        return await self.ask("POST", "/api/me/sign-in", {"credential": credential})


async def raw(port: int, data: bytes, address: str = "") -> bytes:
    """Send bytes to a server of this machine, perhaps from an address, and return all that it answers."""
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, local_addr=(address, 0) if address else None
        )
        try:
            writer.write(data)
            return await reader.read()
        finally:
            writer.close()
            await writer.wait_closed()
