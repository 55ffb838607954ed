"""The messages between nodes: what the audiences of one match are told, for nodes alone to read and to make.

    16 bytes node · 12 bytes number · AES-256-GCM of the rest, with the channel's name as associated data:
    4 bytes seconds since the epoch
    for each broadcast: 1 byte audience · 4 bytes after · 4 bytes upto · 4 bytes length · the text

What one node asks another (`server.fanout.letters`) is sealed in the same way.

Numbers are big endian. A node seals with a key of its own, BLAKE2b of its name under a key that follows from
the key ring, and counts its messages: no two have the same key and number. So whoever holds Redis can read no
message, make none, alter none, put none into another channel, and give no audience another's text. The ring's
first key seals, all open, so that keys can be rotated.

A message sent again in its own channel tells what was told there before: rings drop frames that they have,
and a line of chat has an id by which clients know it. Beyond STALE seconds it is refused like a forgery, so
that nothing comes back that was erased since, or that a restored log has lost.
"""

import contextlib
import itertools
import secrets
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Final
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from domain.kernel.audience import VIEWERS
from server.fanout.broadcasts import Broadcast

PURPOSE: Final = b"fan-out 1"
"""What keys are derived for (`KeyRing.derived`); another form of the messages takes another name."""

LARGEST: Final = 16 << 10
"""Bytes of text that a broadcast may carry; of a larger one only the range is sent."""

STALE: Final = 60
"""Seconds by which the time of a message may be off. All nodes go by the database's clock."""

NODE: Final = 16
NUMBER: Final = 12
TIME: Final = 4

_PART: Final = struct.Struct("!BIII")
_AUDIENCES: Final = {viewer.value: viewer for viewer in VIEWERS}


class NotOurs(Exception):
    """A message was not made by a node of the cluster for this channel, or too long ago."""


def wall_clock() -> int:
    """Return the time of this machine, in microseconds since the epoch: of tools, which play nothing."""
    return time.time_ns() // 1000


class Seals:
    """Makes and opens the messages of one node, which draws a name."""

    def __init__(self, keys: Sequence[bytes], now: Callable[[], int] = wall_clock) -> None:
        """Take keys of 32 bytes, the first of which seals, and the cluster's time, in microseconds."""
        self._now = now
        self.node = secrets.token_bytes(NODE)
        self._keys = keys
        self._own = _key(keys[0], self.node)
        self._numbers = itertools.count()
        self._others: dict[bytes, AESGCM] = {}  # of nodes whose messages did open

    def pack(self, channel: bytes, broadcasts: Iterable[Broadcast]) -> bytes:
        """Return the message for a match's channel."""
        return self.seal(channel, packed(broadcasts))

    def seal(self, channel: bytes, parts: Iterable[bytes]) -> bytes:
        """Return parts, one after the other, as a message for a channel."""
        body = b"".join(((self._now() // 1_000_000).to_bytes(TIME, "big"), *parts))
        number = next(self._numbers).to_bytes(NUMBER, "big")
        return self.node + number + self._own.encrypt(number, body, channel)

    def is_own(self, message: bytes) -> bool:
        """Whether a message says that it is of this node, which has nothing to learn from it."""
        return message.startswith(self.node)

    def open(self, channel: bytes, match: UUID, message: bytes) -> list[Broadcast]:
        """Return what a message of a match's channel tells. Raises NotOurs."""
        with contextlib.suppress(struct.error, KeyError):  # of another form than ours
            return told(match, self.unseal(channel, message))
        raise NotOurs

    def unseal(self, channel: bytes, message: bytes) -> bytes:
        """Return the parts of a message of a channel, in one. Raises NotOurs."""
        node, number, sealed = sender(message), message[NODE : NODE + NUMBER], message[NODE + NUMBER :]
        known = self._others.get(node)
        for cipher in [known] if known is not None else [_key(key, node) for key in self._keys]:
            try:
                body = cipher.decrypt(number, sealed, channel)
            except (InvalidTag, ValueError):  # the second where a part is missing
                continue
            self._others[node] = cipher
            if abs(self._now() // 1_000_000 - int.from_bytes(body[:TIME], "big")) <= STALE:
                return body[TIME:]
            break
        raise NotOurs


def sender(message: bytes) -> bytes:
    """Return the name of the node that a message says it is of."""
    return message[:NODE]


def _key(key: bytes, node: bytes) -> AESGCM:
    return AESGCM(blake2b(node, key=key, digest_size=32).digest())


def packed(broadcasts: Iterable[Broadcast]) -> list[bytes]:
    """Return broadcasts of one match as parts of a message, those above LARGEST without their text."""
    parts = []
    for broadcast in broadcasts:
        text = broadcast.text if len(broadcast.text) <= LARGEST else b""
        parts.append(_PART.pack(broadcast.audience._value_, broadcast.after, broadcast.upto, len(text)))
        parts.append(text)
    return parts


def told(match: UUID, body: bytes, place: int = 0) -> list[Broadcast]:
    """Take apart, from a place on, what a node has put together. Raises struct.error or KeyError."""
    broadcasts = []
    while place < len(body):
        audience, after, upto, length = _PART.unpack_from(body, place)
        place += _PART.size
        broadcasts.append(Broadcast(match, _AUDIENCES[audience], after, upto, body[place : place + length]))
        place += length
    return broadcasts
