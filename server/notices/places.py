"""Where channels lead: what each kind needs to know, and how that is sealed.

The box of a channel is its place as JSON, sealed as match keys are (`server.proof.keys`), with a ring derived
from the server's for this purpose alone, and good for this channel only. Deliberately absent: the database.
"""

import hashlib
import hmac
from typing import Final
from uuid import UUID

from msgspec import MsgspecError, Struct, json

from server.proof.keys import KeyRing, Unsealable

PURPOSE: Final = b"channels"
MARKS: Final = b"marks of channels"


class Place(Struct, frozen=True, tag=True):
    """Where a channel leads. The repr tells its kind only.

    `token`, 20 random bytes in base64url, stops the channel for whoever has it.
    """

    token: str = ""

    def __repr__(self) -> str:
        return type(self).__name__

    @property
    def names(self) -> str:
        """What the same place has in common each time that it is added."""
        raise NotImplementedError


class Mail(Place, frozen=True, kw_only=True):
    """A mail address, which is known to be the person's."""

    address: str

    @property
    def names(self) -> str:
        """The address."""
        return self.address.lower()


class Push(Place, frozen=True, kw_only=True):
    """A browser, as it says itself (W3C Push API): where to push, its public key and secret, in base64url.

    `by` is the server's public key that it subscribed with.
    """

    endpoint: str
    p256dh: str
    auth: str
    by: str

    @property
    def names(self) -> str:
        """The endpoint."""
        return self.endpoint


class Webhook(Place, frozen=True, kw_only=True):
    """An address on the web that takes a POST, of the shape `fleetfold`, `discord`, `slack` or `ntfy`.

    `secret`, 32 bytes in base64, signs those of our own shape.
    """

    url: str
    shape: str = "fleetfold"
    secret: str = ""

    @property
    def names(self) -> str:
        """The address."""
        return self.url


AnyPlace = Mail | Push | Webhook

_read = json.Decoder(AnyPlace).decode


class Boxes:
    """Seals places, and opens them again."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring, self._marks = ring.ring(PURPOSE), ring.derived(MARKS)

    def seal(self, channel: UUID, place: AnyPlace) -> bytes:
        """Return the box of a channel."""
        return self._ring.seal(channel, json.encode(place))

    def open(self, channel: UUID, box: bytes) -> AnyPlace | None:
        """Return the place in a box; None where the key is not on the ring, or the box was altered."""
        try:
            place: AnyPlace = _read(self._ring.open(channel, box))
        except (Unsealable, MsgspecError):
            return None
        return place

    def is_old(self, box: bytes) -> bool:
        """Whether a box is to be sealed anew, since the ring has another first key by now."""
        return not self._ring.sealed_by_first(box)

    def marks(self, place: AnyPlace) -> list[bytes]:
        """Return the keyed hashes of what a place names, by each key of the ring; the first is stored."""
        return [
            hmac.digest(key, f"{type(place).__name__} {place.names}".encode(), "sha256")
            for key in self._marks
        ]


def hashed(token: str) -> bytes:
    """Return the hash of a token that is stored in its place."""
    return hashlib.sha256(token.encode()).digest()
