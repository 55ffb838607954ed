"""Web push: to the push service of a browser's maker, which leads it to the browser (RFC 8030, 8291, 8292).

The server's key is derived from the key ring, so all nodes have the same and nobody has one more to keep. A
browser subscribes with the public key of the ring's first, and is pushed to with that one for as long as it
is on the ring; a page whose browser has another subscribes anew.
"""

import base64
import hashlib
import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from msgspec import json
from py_vapid import Vapid02

from server.notices.channels import unpadded
from server.notices.outward import Outward
from server.notices.places import Push
from server.notices.sealing import point, sealed
from server.notices.words import Failed, Gone, Home, Notice, heading_of
from server.proof.keys import KeyRing

PURPOSE: Final = b"push"
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of P-256."""

TTL: Final = 86_400
"""Seconds for which a push service keeps what a browser that is off has not got."""

PROOF: Final = 12 * 3600
"""Seconds for which a proof of who pushes is good: some refuse one of more than a day, by their own clock."""

NOBODY: Final = "mailto:nobody@example.org"
"""What push services are told in place of an operator whom nobody can reach: some refuse a localhost."""

LINES: Final = 5
"""Of what is told at once, how many are written out."""

DONE: Final = range(200, 300)
FORGET: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


class PushKeys:
    """The keys by which a server says who it is, by their public text; the first is for new browsers."""

    def __init__(self, ring: KeyRing) -> None:
        self._keys: dict[str, ec.EllipticCurvePrivateKey] = {}
        for secret in ring.derived(PURPOSE):
            key = ec.derive_private_key(int.from_bytes(secret) % (ORDER - 1) + 1, ec.SECP256R1())
            self._keys[written(point(key.public_key()))] = key
        self.public = next(iter(self._keys))
        """What a page subscribes with (`applicationServerKey`), in base64url."""

    def authorization(self, by: str, endpoint: str, contact: str) -> str:
        """Return the header that proves to a push service who pushes. Raises Gone without the key."""
        key = self._keys.get(by)
        if key is None:
            raise Gone
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "sub": contact,
            "exp": int(time.time()) + PROOF,
        }
        return str(Vapid02(key, conf={"no-strict": True}).sign(claims)["Authorization"])


class WebPush:
    """Tells notices to browsers."""

    def __init__(self, outward: Outward, keys: PushKeys, home: Home, contact: str) -> None:
        """Take what links begin with, and where push services find the operator: `mailto:` or `https:`."""
        self._outward, self._keys, self._home, self._contact = outward, keys, home, contact

    async def send(self, to: Push, notices: Sequence[Notice], person: UUID | None = None) -> None:
        """Tell notices at once by a channel of this person's. Raises Failed, Gone."""
        body = sealed(self.text(tuple(notices)), unpadded(to.p256dh), unpadded(to.auth))
        headers = {
            "Authorization": self._keys.authorization(to.by, to.endpoint, self._contact),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(TTL),
            "Urgency": "normal",
            "Topic": topic(tuple(notices)),
        }
        status = await self._outward.post(to.endpoint, headers, body, person)
        if status in FORGET:
            raise Gone
        if status not in DONE:
            raise Failed(f"answered with status {status}")

    def text(self, notices: tuple[Notice, ...]) -> bytes:
        """Return what the service worker of the page reads: title, body, link, and tag."""
        first = notices[0]
        lines = first.lines if len(notices) == 1 else [_line(one) for one in notices]
        return json.encode(
            {
                "title": heading_of(notices),
                "body": "\n".join(lines[:LINES]),
                "link": first.link(self._home()) if len(notices) == 1 else f"{self._home()}/",
                "tag": topic(notices),
            }
        )


def _line(one: Notice) -> str:
    return f"{one.heading}, {one.lasts}" if one.lasts else one.heading


def contact_of(mail_from: str, public_url: str | None) -> str:
    """Return where push services find the operator: his address for notices, or that of his server."""
    if mail_from:
        return f"mailto:{mail_from}"
    parts = urlsplit(public_url or "")
    host = parts.hostname or ""
    public = (
        "." in host and not host.replace(".", "").isdigit() and not host.endswith((".local", ".localhost"))
    )
    return f"https://{parts.netloc}" if parts.scheme == "https" and public else NOBODY


def topic(notices: tuple[Notice, ...]) -> str:
    """Return 32 letters by which a later notice of the same kind about the same takes the place of this."""
    first = notices[0]
    about = f"{first.kind} {first.match or first.tournament}" if len(notices) == 1 else "digest"
    return written(hashlib.sha256(about.encode()).digest()[:24])


def written(key: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(key).decode().rstrip("=")
