"""Keys: one for each match, and the key ring that seals them.

A match key is 32 random bytes. Two keys follow from it by HKDF-SHA256 (RFC 5869, no salt, 32 bytes): `k_salt`
with info "salt", which hides the bodies of hidden facts (`domain.match.chain`), and `k_dice` with info
"dice", to which the first fact commits. So does the nonce of each seat that is played by a bot of the server,
with info "nonce" and a byte with the seat's number, 16 bytes of it: any node can show it, and it is as secret
as a random one. The last fact of a match reveals the match key, so that anyone can derive all of them.

Until then it is stored in the log, sealed with AES-256-GCM:

    1 byte version: 1 · 1 byte length of the id · the id, ASCII · 12 bytes nonce · ciphertext · 16 bytes tag
    associated data: the 16 bytes of the match id, so that a sealed key opens for its own match only

The ring's file, or the environment variable in its place, has a line for each key: its id, a space, 32 bytes
in base64. The first key seals, all open: to rotate keys, put a new line on top. Lines that begin with # are
comments. Deliberately absent: the database, any default key.
"""

import base64
import binascii
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from domain.match.notices import NONCE_BYTES

SIZE = 32
"""Bytes of every key."""

_VERSION = 1
_HEAD = 2
_NONCE = 12
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_DISTINCT = 12  # of 32 random bytes fewer are distinct once in 10^24; of a key typed by hand, nearly always


class KeyFault(Exception):
    """A key is missing, unfit, or readable by others. The message never contains any part of the key."""


class Unsealable(Exception):
    """A sealed key does not open: sealed with a key not on the ring, for another match, or altered."""


def match_key() -> bytes:
    """Draw the key of a new match: 32 random bytes."""
    return secrets.token_bytes(SIZE)


def salt_key(key: bytes) -> bytes:
    """Derive `k_salt`, 32 bytes, from a match key."""
    return _derive(key, b"salt")


def dice_key(key: bytes) -> bytes:
    """Derive `k_dice`, 32 bytes, from a match key."""
    return _derive(key, b"dice")


def dice_commitment(key: bytes) -> str:
    """Return the commitment to a match key's dice: SHA-256 of `k_dice` in hex, as in the first fact."""
    return hashlib.sha256(dice_key(key)).hexdigest()


def bot_nonce(key: bytes, seat: int, before: int = 0) -> bytes:
    """Derive the nonce of a seat that a bot of the server plays, 16 bytes, from a match key.

    `before` is how many of this seat's count no more.
    """
    return _derive(key, b"nonce" + bytes([seat, before] if before else [seat]))[:NONCE_BYTES]


class KeyRing:
    """Keys by id; the first seals, all open. The repr shows the ids only."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        if not keys:
            raise KeyFault("the key ring is empty")
        for name, key in keys.items():
            _fit(name, key)
        self._keys = {name: AESGCM(key) for name, key in keys.items()}
        self._first = next(iter(keys))
        self._roots = dict(keys)

    def __repr__(self) -> str:
        return f"KeyRing({', '.join(self._keys)})"

    def __contains__(self, name: object) -> bool:
        """Whether a key of this id is on the ring."""
        return name in self._keys

    def derived(self, info: bytes) -> list[bytes]:
        """Derive a key of 32 bytes, for the purpose `info`, from each key of the ring, in their order."""
        return [_derive(key, info) for key in self._roots.values()]

    def ring(self, info: bytes) -> "KeyRing":
        """Derive a ring for the purpose `info`, whose keys have the same ids in the same order.

        What it seals is of another kind and length, and no key of this ring opens it.
        """
        return KeyRing(dict(zip(self._roots, self.derived(info), strict=True)))

    def sealed_by_first(self, sealed_key: bytes) -> bool:
        """Whether something was sealed with the key that seals now."""
        return sealed_with(sealed_key) == self._first

    def seal(self, match: UUID, key: bytes) -> bytes:
        """Seal the key of a match with the ring's first key; the nonce is random, so each result differs."""
        name = self._first.encode("ascii")
        nonce = secrets.token_bytes(_NONCE)
        return (
            bytes((_VERSION, len(name)))
            + name
            + nonce
            + self._keys[self._first].encrypt(nonce, key, match.bytes)
        )

    def open(self, match: UUID, sealed_key: bytes) -> bytes:
        """Return the key, 32 bytes, that `seal` made a match's sealed key from. Raises Unsealable."""
        if sealed_key[:1] != bytes((_VERSION,)):
            raise Unsealable(f"the sealed key of match {match} is of no known version")
        name = sealed_with(sealed_key)
        start = _HEAD + len(name)
        if name not in self:
            raise Unsealable(f"the sealed key of match {match} needs key {name!r}, which is not on the ring")
        try:
            return self._keys[name].decrypt(
                sealed_key[start : start + _NONCE], sealed_key[start + _NONCE :], match.bytes
            )
        except (InvalidTag, ValueError) as fault:
            raise Unsealable(f"the sealed key of match {match} was changed or is another match's") from fault


def sealed_with(sealed_key: bytes) -> str:
    """Return the id of the ring's key that a match's key was sealed with."""
    return sealed_key[_HEAD : _HEAD + int.from_bytes(sealed_key[1:_HEAD], "big")].decode("ascii", "replace")


def read_ring(text: str) -> KeyRing:
    """Return the ring that a file's text describes: a line for each key, its id and its 32 bytes in base64.

    Empty lines and lines that begin with `#` are skipped. Raises KeyFault.
    """
    keys: dict[str, bytes] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, _, coded = line.strip().partition(" ")
        if not coded:
            raise KeyFault(f"line {number} of the key ring is not an id and a key")
        if name in keys:
            raise KeyFault(f"key {name!r} stands twice in the key ring")
        keys[name] = _decoded(name, coded.strip())
    return KeyRing(keys)


def find_ring(*, text: str = "", file: Path | None = None, folder: Path | None = None) -> KeyRing:
    """Return the key ring of this server. Raises KeyFault.

    In order: `text`, from the environment; `file`, of mode 0600; with an embedded database the file `keys` in
    the data `folder`, created at the first start. Without an embedded database there is no folder, and keys
    must be configured.
    """
    if text.strip():
        return read_ring(text)
    if file is not None:
        return read_ring(private_text(file))
    if folder is None:
        raise KeyFault(
            "no key ring: name a file of mode 0600 with a line 'id base64-of-32-bytes', or give it in the "
            "environment; only a server with its own embedded database makes one for itself"
        )
    path = folder / "keys"
    if not path.exists():
        generate(path)
    return read_ring(private_text(path))


def generate(path: Path) -> None:
    """Write a ring of one new key to a new file of mode 0600. Raises FileExistsError."""
    name = "k" + secrets.token_hex(4)
    write_private(path, f"{name} {base64.b64encode(secrets.token_bytes(SIZE)).decode()}\n")


def private_text(path: Path) -> str:
    """Read a file of secrets. Raises KeyFault if it is missing or readable by others."""
    try:
        with path.open(encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or stat.S_IMODE(status.st_mode) & 0o177:
                raise KeyFault(f"{path} must be a file of mode 0600: it holds secrets")
            return file.read()
    except (OSError, UnicodeDecodeError) as fault:
        raise KeyFault(f"{path} cannot be read: {type(fault).__name__}") from fault


def write_private(path: Path, text: str) -> None:
    """Write a new file of mode 0600, atomically. Raises FileExistsError."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    finally:
        draft.unlink()


def _derive(key: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=SIZE, salt=None, info=info).derive(key)


def _decoded(name: str, coded: str) -> bytes:
    try:
        return base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError):
        raise KeyFault(f"key {name!r} is not base64") from None


def _fit(name: str, key: bytes) -> None:
    if not _ID.fullmatch(name):
        raise KeyFault("the id of a key is 1 to 64 letters, digits, dots, dashes and underlines")
    if len(key) != SIZE:
        raise KeyFault(f"key {name!r} has {len(key)} bytes, not {SIZE}")
    if len(set(key)) < _DISTINCT or _runs(key):
        raise KeyFault(f"key {name!r} is not random: generate one")


def _runs(key: bytes) -> bool:
    """Whether each byte differs from the next by the same step, as in 00 01 02 …."""
    return len({(later - earlier) % 256 for earlier, later in pairwise(key)}) == 1
