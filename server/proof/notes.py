"""Signed notes: the form of checkpoints, signatures, and signing keys.

A note is a C2SP tlog-checkpoint, signed as in C2SP signed-note. Its lines:

    <origin>
    <number of leaves, decimal>
    <root, base64>
                                    (empty)
    — <name> <base64 of key hash, 4 bytes, and signature, 64 bytes>

The signature is Ed25519 (RFC 8032) of the text up to and with the newline before the empty line. The key hash
is the beginning of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key). Keys are written as in that specification, too:
`<name>+<key hash, hexadecimal>+<base64 of 0x01 and the public key>`, a signing key behind `PRIVATE+KEY+` with
the seed in place of the public key.

A key that a server generates is named `fleetfold-` and the first 8 hexadecimal digits of the SHA-256 of its
public key (32 bytes), so that no two servers sign under one name. The name is stored in the key's file and
stays: older keys, all named `fleetfold.local`, and keys named by an operator keep their names. A signature is
matched to a key by name and key hash. A note without a signature of the key at hand is foreign (ForeignNote),
neither valid nor invalid. It is invalid (BadNote) only if it claims this key: by a signature with its name
and hash, or by a name that no other key can have.
"""

import base64
import hashlib
import re
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from msgspec import Struct

from server.proof.keys import SIZE, KeyFault, private_text, write_private

_ED25519 = b"\x01"  # the algorithm of a key, before its bytes

_MISSPELLED = bytes(1)  # stands for a signature whose base64 is not canonical; no key makes it

_NOTE = re.compile(
    r"([^\n]+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)\n((?:— [^ \n]+ [^ \n]+\n)+)"
)


class BadNote(Exception):
    """A note is not of the right form, or not signed by this key."""


class ForeignNote(BadNote):
    """A note is signed by another key only, so that this key cannot verify it."""


class Checkpoint(Struct, frozen=True):
    """The content of a note: the tree of `origin` has `size` leaves and this root."""

    origin: str
    size: int
    root: bytes


def read_note(note: str) -> Checkpoint:
    """Parse a note without checking signatures. Raises BadNote."""
    found = _NOTE.fullmatch(note)
    if found is None:
        raise BadNote("not a checkpoint")
    origin, size, root, _, _ = found.groups()
    return Checkpoint(origin, int(size), base64.b64decode(root))


class Verifier:
    """A public key with its name, made from its text form; raises BadNote."""

    def __init__(self, text: str) -> None:
        self.name, self.hash, key = _read_key(text.strip())
        self._key = Ed25519PublicKey.from_public_bytes(key)
        self.own = self.name == own_name(key)
        """Whether the name is derived from this key, so that no other key can have it."""
        if self.hash != key_hash(self.name, key):
            raise BadNote("the key does not fit its own hash")

    def open(self, note: str) -> Checkpoint:
        """Verify and parse a note signed by this key. Raises BadNote, ForeignNote if only others signed."""
        said = read_note(note)
        text, _, signatures = note.rpartition("\n\n")
        ours = [found for line in signatures.split("\n")[:-1] if (found := self._of_this_key(line))]
        if not ours and not (said.origin == self.name and self.own):
            raise ForeignNote(f"not signed by {self.name}")
        if said.origin != self.name or not any(self._signed(f"{text}\n", one) for one in ours):
            raise BadNote(f"not signed by {self.name}")
        return said

    def _of_this_key(self, line: str) -> bytes:
        """Return the signature in a line if it names this key, else empty bytes."""
        _, name, coded = line.split(" ")
        try:
            stamped = base64.b64decode(coded, validate=True)
        except ValueError:
            return b""
        if (name, stamped[:4]) != (self.name, self.hash):
            return b""
        return stamped[4:] if base64.b64encode(stamped).decode() == coded else _MISSPELLED

    def _signed(self, text: str, signature: bytes) -> bool:
        try:
            self._key.verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


class Signer:
    """A signing key with its name, which is the origin of its notes. Only the sequencer uses it."""

    def __init__(self, name: str, seed: bytes) -> None:
        if not name or "+" in name or name != "".join(name.split()):
            raise KeyFault("the name of a signing key has no spaces and no plus")
        self.name = name
        self._seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self._public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.hash = key_hash(name, self._public)

    def __repr__(self) -> str:
        return f"Signer({self.name})"

    @property
    def public(self) -> str:
        """The public key in the text form that `Verifier` reads, to be published."""
        return f"{self.name}+{self.hash.hex()}+{base64.b64encode(_ED25519 + self._public).decode()}"

    def sign(self, size: int, root: bytes) -> str:
        """Write and sign a note."""
        text = f"{self.name}\n{size}\n{base64.b64encode(root).decode()}\n"
        signature = base64.b64encode(self.hash + self._key.sign(text.encode())).decode()
        return f"{text}\n— {self.name} {signature}\n"

    def write(self, path: Path) -> None:
        """Write the key to a new file of mode 0600. Raises FileExistsError."""
        key = base64.b64encode(_ED25519 + self._seed).decode()
        write_private(path, f"PRIVATE+KEY+{self.name}+{self.hash.hex()}+{key}\n")


def new_signer(name: str = "") -> Signer:
    """Generate a signing key; without a name it gets one derived from its public key."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    seed = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    return Signer(name or own_name(public), seed)


def read_signer(path: Path) -> Signer:
    """Read a signing key from its file of mode 0600. Raises KeyFault."""
    return signer_of(private_text(path), str(path))


def signer_of(text: str, where: str) -> Signer:
    """Read a signing key from the text that `where` holds. Raises KeyFault, which names `where` only."""
    if not text.strip().startswith("PRIVATE+KEY+"):
        raise KeyFault(f"{where} holds no signing key")
    try:
        name, stated, seed = _read_key(text.strip().removeprefix("PRIVATE+KEY+"))
    except BadNote:
        raise KeyFault(f"{where} holds no signing key") from None
    signer = Signer(name, seed)
    if signer.hash != stated:
        raise KeyFault(f"the signing key in {where} does not fit its own hash")
    return signer


def find_signer(path: Path, *, text: str = "", file: Path | None = None, make: bool) -> Signer | None:
    """Return the signing key of a server. Raises KeyFault.

    In order: `text`, from the environment; `file`; `path`, if it is there. Without one, generate and write it
    to `path` if `make`, else return None.
    """
    if text:
        return signer_of(text, "FLEETFOLD_SIGNER")
    if file is not None:
        return read_signer(file)
    if not path.exists():
        if not make:
            return None
        new_signer().write(path)
    return read_signer(path)


def own_name(public: bytes) -> str:
    """Return the name derived from a public key, so that no two keys sign under one name."""
    return f"fleetfold-{hashlib.sha256(public).hexdigest()[:8]}"


def key_hash(name: str, public: bytes) -> bytes:
    """Return the 4 bytes of hash of a public key and its name that precede a signature."""
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:4]


def _read_key(text: str) -> tuple[str, bytes, bytes]:
    """Split the text form of a key into name, key hash and the 32 bytes of the key."""
    try:
        name, stated, coded = text.split("+", 2)
        key = base64.b64decode(coded, validate=True)
        if key[:1] != _ED25519 or len(key) != 1 + SIZE:
            raise BadNote("not an Ed25519 key")
        return name, bytes.fromhex(stated), key[1:]
    except ValueError:
        raise BadNote("not a key") from None
