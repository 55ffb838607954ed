"""Tokens and ids: the token in a link, its stored hash, and the id of a new match.

Deliberately absent: which token opens what (`server.lobby.links`).
"""

import base64
import hashlib
import secrets
import time
from typing import Literal
from uuid import UUID

from domain.match.refusals import RequestError
from server.protocol import wire

TOKEN = 20
"""Bytes of a token."""

Role = Literal["seat", "creator", "onlooker"]


def uuid7(at: int | None = None) -> UUID:
    """Return a new UUID of version 7 (RFC 9562): milliseconds since the epoch, then 74 random bits.

    `at` is the time in microseconds; else it is this machine's.
    """
    time_and_version = (
        (time.time_ns() // 1000 if at is None else at) // 1000 << 16 | 0x7000 | secrets.randbits(12)
    )
    return UUID(int=time_and_version << 64 | 0b10 << 62 | secrets.randbits(62))


def digest(token: bytes) -> bytes:
    """Return the hash of a token that is stored in its place: SHA-256."""
    return hashlib.sha256(token).digest()


def written(token: bytes) -> str:
    """Return a token in the text form of links: base64url without padding."""
    return base64.urlsafe_b64encode(token).decode().rstrip("=")


def read_token(text: str) -> bytes:
    """Decode a token from the text form of links; raises RequestError."""
    try:
        token = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        token = b""
    if len(token) != TOKEN:
        raise RequestError("bad_token", "this link is not complete")
    return token


def link_roles(seats: int) -> list[tuple[Role, int | None]]:
    """Return role and seat of each link that a new match gets."""
    return [*(("seat", seat) for seat in range(seats)), ("onlooker", None), ("creator", None)]


def link(match: UUID, role: Role, seat: int | None, token: bytes) -> wire.Link:
    """Make the link of a role and seat."""
    return wire.Link(role, written(token), f"/match/{match}#{written(token)}", seat)
