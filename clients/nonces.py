"""The nonces of the seats that a client plays, and what is to be said until a match begins.

A nonce is kept before anybody hears what it is committed to by. One that counts no more, since another seat
has committed anew (`domain.match.anew`), gives way to another. Deliberately absent: sockets.
"""

import secrets
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from clients.links import NONCE_BYTES, keep_nonce, stored_nonce
from server.protocol import wire


class Nonces:
    """The nonces of one client."""

    def __init__(self, match: UUID, folder: Path | None, by: Callable[[int], bytes] | None) -> None:
        """Take the folder they are kept in, or a function of how many of a seat's count no more."""
        self._match, self._folder, self._by = match, folder, by
        self._own: dict[int, bytes] = {}

    def promise(self, seat: int) -> str:
        """Return what a seat commits by as it sits down."""
        return digest(self._kept(seat, 0) or self._drawn(seat))

    def next(self, seat: int, match: Mapping[str, Any]) -> wire.Show | wire.Anew | None:
        """Return what is to be said of a seat now, as its view has the match; None for nothing.

        Raises LookupError where another client has committed, and what is kept here does not count.
        """
        key, promises = str(seat), match["promises"]
        promise, spent = promises.get(key, ""), match.get("spent", {}).get(key, [])
        if match["started"] or key in match["nonces"] or key not in match["taken"]:
            return None
        if promise and len(promises) < len(match["seats"]):
            return None
        nonce = self._kept(seat, len(spent))
        if nonce and promise == digest(nonce):
            return wire.Show(self._match, uuid4(), nonce.hex())
        if nonce and promise:
            raise LookupError("this seat was taken from elsewhere, and its nonce is there")
        if not nonce or digest(nonce) in spent:
            nonce = self._drawn(seat)
        return wire.Anew(self._match, uuid4(), digest(nonce), promise)

    def _kept(self, seat: int, before: int) -> bytes:
        """Return the nonce of a seat of which `before` count no more; empty if there is none."""
        if self._by is not None:
            return self._by(before)
        stored = self._folder and stored_nonce(self._folder, self._match, seat)
        return stored or self._own.get(seat, b"")

    def _drawn(self, seat: int) -> bytes:
        """Draw a nonce for a seat, in place of what was kept, and keep it."""
        nonce = self._own[seat] = secrets.token_bytes(NONCE_BYTES)
        if self._folder is not None:
            keep_nonce(self._folder, self._match, seat, nonce)
        return nonce


def digest(nonce: bytes) -> str:
    """Return what a nonce is committed to by."""
    return sha256(nonce).hexdigest()
