r"""Checkpoints: a tree over all finished matches, whose signed head is published outside the database.

Whoever kept a published note can tell whether the log was changed since: a match that was in the tree stays
in it as it was, or the roots do not fit together.

The tree is that of RFC 6962 with SHA-256. A leaf's hash is

    SHA-256(0x00 ‖ match, 16 bytes ‖ seq of its last fact, 8 bytes big endian ‖ hash of its last fact)

a node's SHA-256(0x01 ‖ left ‖ right), the root of no leaves SHA-256 of nothing. Leaves stand in the order in
which the feed shows their matches' ends.

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

Deliberately absent: whether a match's chain holds, which `verify` asks; witnesses.
"""

import asyncio
import base64
import hashlib
import os
import re
import secrets
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from msgspec import Struct

from server.database import Held, Pool, connection
from server.keys import SIZE, KeyFault, private_text, write_private

INTERVAL = 60.0
"""Seconds between two notes, at least."""

EMPTY = hashlib.sha256().digest()
"""The root of a tree without leaves."""

LATEST = "checkpoint"
"""The file that holds the last note; each also has one of its own, named by its size."""

_CURSOR = "checkpoints"
_LOCK = 0x666C_6565_7466  # any number nobody else takes; "fleetf"
_ED25519 = b"\x01"
_NOTE = re.compile(
    r"([^\n]+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)\n((?:— [^ \n]+ [^ \n]+\n)+)"
)

log = structlog.get_logger()


class BadNote(Exception):
    """A note is not of the right form, or not signed by this key."""


class Tampered(Exception):
    """The tree does not lead to what was published before. Nothing is signed until a person has looked."""


class Checkpoint(Struct, frozen=True):
    """What a note says: that the tree of `origin` has `size` leaves and this root."""

    origin: str
    size: int
    root: bytes


# The tree


def leaf_hash(match: UUID, last_seq: int, head: bytes) -> bytes:
    """Hash a finished match into its leaf."""
    return hashlib.sha256(b"\x00" + match.bytes + last_seq.to_bytes(8, "big") + head).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash two subtrees into one."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows: it keeps the roots of its perfect subtrees only, largest first."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add the hash of a leaf."""
        self.size += 1
        self._peaks.append(leaf)
        below = self.size
        while below % 2 == 0:
            right = self._peaks.pop()
            self._peaks.append(node_hash(self._peaks.pop(), right))
            below //= 2

    @property
    def root(self) -> bytes:
        """The hash of the whole tree."""
        if not self._peaks:
            return EMPTY
        root = self._peaks[-1]
        for peak in self._peaks[-2::-1]:
            root = node_hash(peak, root)
        return root


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """Find the root over hashes of leaves."""
    tree = Tree()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Prove that leaf `index` is among `leaves`: the audit path of RFC 6962, 2.1.1, leaf first."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"no leaf {index} in a tree of {len(leaves)}")
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if index < split:
        return [*inclusion_proof(leaves[:split], index), tree_root(leaves[split:])]
    return [*inclusion_proof(leaves[split:], index - split), tree_root(leaves[:split])]


def includes(root: bytes, size: int, index: int, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """Tell whether a proof puts a leaf at `index` into the tree of this root and size (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, found = index, size - 1, leaf
    for step in proof:
        if last == 0:
            return False
        if place % 2 or place == last:
            found = node_hash(step, found)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            found = node_hash(found, step)
        place, last = place // 2, last // 2
    return last == 0 and found == root


def consistency_proof(leaves: Sequence[bytes], size: int) -> list[bytes]:
    """Prove that the first `size` leaves are the beginning of the tree of all (RFC 6962, 2.1.2)."""
    if not 0 <= size <= len(leaves):
        raise IndexError(f"no tree of {size} in one of {len(leaves)}")
    return _growth(leaves, size, whole=True) if size else []


def leads_to(old: Checkpoint, new: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Tell whether a proof makes the old tree the beginning of the new one (RFC 9162, 2.1.4.2)."""
    if old.origin != new.origin or old.size > new.size:
        return False
    if old.size == 0:
        return not proof and old.root == EMPTY
    if old.size == new.size:
        return not proof and old.root == new.root
    path = [old.root, *proof] if old.size & (old.size - 1) == 0 else list(proof)
    place, last = old.size - 1, new.size - 1
    while place % 2:
        place, last = place // 2, last // 2
    if not path:
        return False
    before = after = path[0]
    for step in path[1:]:
        if last == 0:
            return False
        if place % 2 or place == last:
            before, after = node_hash(step, before), node_hash(step, after)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            after = node_hash(after, step)
        place, last = place // 2, last // 2
    return last == 0 and before == old.root and after == new.root


def _split(size: int) -> int:
    """Find the leaves of the left subtree: the largest power of two below `size`, which is 2 or more."""
    return 1 << (size - 1).bit_length() - 1


def _growth(leaves: Sequence[bytes], size: int, *, whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962; `whole` while the old tree's root is one its reader knows."""
    if size == len(leaves):
        return [] if whole else [tree_root(leaves)]
    split = _split(len(leaves))
    if size <= split:
        return [*_growth(leaves[:split], size, whole=whole), tree_root(leaves[split:])]
    return [*_growth(leaves[split:], size - split, whole=False), tree_root(leaves[:split])]


# The note


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
        if self.hash != key_hash(self.name, key):
            raise BadNote("the key does not fit its own hash")

    def open(self, note: str) -> Checkpoint:
        """Read a note that this key signed, whoever else did. Raises BadNote."""
        said = read_note(note)
        text, _, signatures = note.rpartition("\n\n")
        text += "\n"
        if said.origin != self.name or not any(
            self._signed(text, line) for line in signatures.split("\n")[:-1]
        ):
            raise BadNote(f"not signed by {self.name}")
        return said

    def _signed(self, text: str, line: str) -> bool:
        _, name, coded = line.split(" ")
        try:
            signature = base64.b64decode(coded, validate=True)
            if (
                name != self.name
                or signature[:4] != self.hash
                or base64.b64encode(signature).decode() != coded
            ):
                return False
            self._key.verify(signature[4:], text.encode())
        except (ValueError, InvalidSignature):
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


def new_signer(name: str) -> Signer:
    """Draw a new signing key."""
    key = Ed25519PrivateKey.generate()
    return Signer(name, key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))


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


# The sequencer

_DONE = "SELECT xid::text FROM view.cursor WHERE name = $1 AND gen = 1"
_BELOW = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text"
_MARK = """
INSERT INTO view.cursor (name, gen, xid) VALUES ($1, 1, $2::text::xid8)
    ON CONFLICT (name, gen) DO UPDATE SET xid = excluded.xid
"""
_FINISHED = """
SELECT match_id, seq, hash FROM log.fact f
 WHERE xid >= $1::text::xid8 AND xid < $2::text::xid8 AND final
   AND NOT EXISTS (SELECT FROM log.leaf l WHERE l.match_id = f.match_id)
 ORDER BY xid, match_id, seq
"""
_ADD = "INSERT INTO log.leaf (ix, match_id, last_seq, head) VALUES ($1, $2, $3, $4)"
_LEAVES = "SELECT match_id, last_seq, head FROM log.leaf WHERE ix >= $1 ORDER BY ix"
_LAST = """
SELECT note, clock_timestamp() - at < $1 AS young FROM log.checkpoint ORDER BY size DESC LIMIT 1
"""
_KEEP = "INSERT INTO log.checkpoint (size, root, note) VALUES ($1, $2, $3)"
_NOTES = "SELECT size, note FROM log.checkpoint WHERE size > $1 ORDER BY size"


class Sequencer:
    """Adds finished matches to the tree and signs its growth. Any number may run: an advisory lock lets one.

    How far it has come in the feed stands in view.cursor: everything below that xid is done. The row may be
    deleted, as after a logical restore; then the whole log is looked through once more and nothing is added
    twice.
    """

    def __init__(self, pool: Pool, signer: Signer, folder: Path, *, interval: float = INTERVAL) -> None:
        self._pool = pool
        self._signer = signer
        self._folder = folder
        self._interval = timedelta(seconds=interval)
        self._tree = Tree()

    async def run(self) -> None:
        """Work until cancelled; wait for a lost database. Raises Tampered."""
        while True:
            try:
                await self.once()
            except Tampered as fault:
                log.error("checkpoint.refused", fault=str(fault))  # noqa: TRY400  no traceback tells more
                raise
            except Exception as fault:
                log.warning("checkpoint.put_off", fault=repr(fault))
            await asyncio.sleep(min(self._interval.total_seconds(), 1.0))

    async def once(self) -> Checkpoint | None:
        """Add what has finished; sign and publish if there is reason to. Raises Tampered.

        None where nothing was signed: nothing has grown, the last note is too young, or another is at it.
        """
        try:
            async with connection(self._pool) as held:
                async with held.transaction():
                    signed = await self._grow(held)
                await self._publish(held)
        except BaseException:
            self._tree = Tree()  # it may hold leaves that were not kept
            raise
        return signed

    async def _grow(self, held: Held) -> Checkpoint | None:
        if not await held.fetchval("SELECT pg_try_advisory_xact_lock($1)", _LOCK):
            return None
        last = await held.fetchrow(_LAST, self._interval)
        known = [read_note(last["note"])] if last else []
        if (published := self._folder / LATEST).exists():
            known.append(read_note(published.read_text(encoding="utf-8")))
        await self._add_finished(held)
        await self._catch_up(held, known)
        size = self._tree.size
        if size == 0 or (last and (last["young"] or known[0].size == size)):
            return None
        note = self._signer.sign(size, self._tree.root)
        await held.execute(_KEEP, size, self._tree.root, note)
        log.info("checkpoint.signed", size=size)
        return read_note(note)

    async def _add_finished(self, held: Held) -> None:
        done = await held.fetchval(_DONE, _CURSOR) or "0"
        below = await held.fetchval(_BELOW)
        finished = await held.fetch(_FINISHED, done, below)
        size = await held.fetchval("SELECT count(*) FROM log.leaf") if finished else 0
        await held.executemany(_ADD, [(size + place, *row) for place, row in enumerate(finished)])
        await held.execute(_MARK, _CURSOR, below)

    async def _catch_up(self, held: Held, known: Sequence[Checkpoint]) -> None:
        """Take new leaves in; the tree must pass through the roots that are known. Raises Tampered."""
        roots = {note.size: note.root for note in known}
        for match, last_seq, head in await held.fetch(_LEAVES, self._tree.size):
            self._tree.add(leaf_hash(match, last_seq, head))
            if roots.get(self._tree.size, self._tree.root) != self._tree.root:
                raise Tampered(f"the first {self._tree.size} leaves are not those of the published note")
        if any(size > self._tree.size for size in roots):
            raise Tampered(f"a note of {max(roots)} leaves was published: {self._tree.size} are left")

    async def _publish(self, held: Held) -> None:
        """Write the notes that the folder lacks."""
        latest = self._folder / LATEST
        size = read_note(latest.read_text(encoding="utf-8")).size if latest.exists() else 0
        for row in await held.fetch(_NOTES, size):
            await asyncio.to_thread(publish, self._folder, row["size"], row["note"])


def publish(folder: Path, size: int, note: str) -> None:
    """Write a note to a file of its own, then in the place of the last one; each is whole or absent."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (f"{size:012}", LATEST):
        draft = folder / f".{name}.{secrets.token_hex(4)}"
        with draft.open("w", encoding="utf-8") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / name)
