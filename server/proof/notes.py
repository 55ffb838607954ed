"""Signed notes: what a checkpoint says, who signed it, and the keys.

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

A key that a server makes for itself has a name of its own, `fleetfold-` and the first 8 hexadecimal digits of
the SHA-256 of the 32 bytes of its public key, so that no two servers sign under one name. The name stands in
the file of the key and stays with it: keys of before that are called `fleetfold.local`, all of them, go on
under that name, and so do those that an operator has named. Which key signed is told by name and key hash
together; a note without a signature of the key at hand is another's, and neither right nor wrong. It is wrong
only where it says that it is of this key: by a signature with its name and hash, or by a name that no other
key can have.
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

_MISSPELLED = bytes(1)  # a signature that no key makes, in the place of one whose base64 says more than it

_NOTE = re.compile(
    r"([^\n]+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)\n((?:— [^ \n]+ [^ \n]+\n)+)"
)


class BadNote(Exception):
    """A note is not of the right form, or not signed by this key."""


class ForeignNote(BadNote):
    """A note is signed by another key: whether rightly, this one cannot tell."""


class Checkpoint(Struct, frozen=True):
    """What a note says: that the tree of `origin` has `size` leaves and this root."""

    origin: str
    size: int
    root: bytes


def read_note(note: str) -> Checkpoint:
    """Read what a note says, whoever signed it. Raises BadNote."""
    found = _NOTE.fullmatch(note)
    if found is None:
        raise BadNote("not a checkpoint")
    origin, size, root, _, _ = found.groups()
    return Checkpoint(origin, int(size), base64.b64decode(root))


class Verifier:
    """A public key with its name. Read it from its text; raises BadNote."""

    def __init__(self, text: str) -> None:
        self.name, self.hash, key = _read_key(text.strip())
        self._key = Ed25519PublicKey.from_public_bytes(key)
        self.own = self.name == own_name(key)
        """Whether the name is that of this key alone."""
        if self.hash != key_hash(self.name, key):
            raise BadNote("the key does not fit its own hash")

    def open(self, note: str) -> Checkpoint:
        """Read a note that this key signed, whoever else did. Raises BadNote, ForeignNote if another did."""
        said = read_note(note)
        text, _, signatures = note.rpartition("\n\n")
        ours = [found for line in signatures.split("\n")[:-1] if (found := self._of_this_key(line))]
        if not ours and not (said.origin == self.name and self.own):
            raise ForeignNote(f"not signed by {self.name}")
        if said.origin != self.name or not any(self._signed(f"{text}\n", one) for one in ours):
            raise BadNote(f"not signed by {self.name}")
        return said

    def _of_this_key(self, line: str) -> bytes:
        """Return the signature in a line that names this key; nothing where it names another."""
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
    """A signing key with its name, which is the origin of its notes. Only the sequencer has it."""

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
        """The public key, to be published: what a Verifier reads."""
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
    """Draw a new signing key; unless it is given one, its name follows from it."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    seed = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    return Signer(name or own_name(public), seed)


def read_signer(path: Path) -> Signer:
    """Read a signing key from its file of mode 0600. Raises KeyFault."""
    text = private_text(path).strip()
    if not text.startswith("PRIVATE+KEY+"):
        raise KeyFault(f"{path} holds no signing key")
    try:
        name, stated, seed = _read_key(text.removeprefix("PRIVATE+KEY+"))
    except BadNote:
        raise KeyFault(f"{path} holds no signing key") from None
    signer = Signer(name, seed)
    if signer.hash != stated:
        raise KeyFault(f"the signing key in {path} does not fit its own hash")
    return signer


def find_signer(path: Path, *, make: bool) -> Signer | None:
    """Read the key of a server; where there is none make one, named after itself, or return None."""
    if not path.exists():
        if not make:
            return None
        new_signer().write(path)
    return read_signer(path)


def own_name(public: bytes) -> str:
    """Name a public key after itself, so that no two keys sign under one name."""
    return f"fleetfold-{hashlib.sha256(public).hexdigest()[:8]}"


def key_hash(name: str, public: bytes) -> bytes:
    """Hash a public key and its name into the 4 bytes that stand before a signature."""
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:4]


def _read_key(text: str) -> tuple[str, bytes, bytes]:
    """Take a key's text apart: name, key hash, 32 bytes."""
    try:
        name, stated, coded = text.split("+", 2)
        key = base64.b64decode(coded, validate=True)
        if key[:1] != _ED25519 or len(key) != 1 + SIZE:
            raise BadNote("not an Ed25519 key")
        return name, bytes.fromhex(stated), key[1:]
    except ValueError:
        raise BadNote("not a key") from None
