"""The Merkle tree over finished matches: RFC 6962 with SHA-256.

A leaf's hash is

    SHA-256(0x00 ‖ match, 16 bytes ‖ seq of its last fact, 8 bytes big endian ‖ hash of its last fact)

a node's SHA-256(0x01 ‖ left ‖ right), the root of no leaves SHA-256 of nothing. Leaves stand in the order in
which the feed shows their matches' ends. Deliberately absent: where the leaves are kept, and who signs roots.
"""

import hashlib
from collections.abc import Sequence
from uuid import UUID

from server.proof.notes import Checkpoint

EMPTY = hashlib.sha256().digest()
"""The root of a tree without leaves."""


def leaf_hash(match: UUID, last_seq: int, head: bytes) -> bytes:
    """Return the leaf hash of a finished match; `head` is the hash of its last fact."""
    return hashlib.sha256(b"\x00" + match.bytes + last_seq.to_bytes(8, "big") + head).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node from those of its subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """An append-only tree that stores only the roots of its perfect subtrees, largest first."""

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
        """The root hash of the tree."""
        if not self._peaks:
            return EMPTY
        root = self._peaks[-1]
        for peak in self._peaks[-2::-1]:
            root = node_hash(peak, root)
        return root


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """Return the root of the tree over these leaf hashes."""
    tree = Tree()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the inclusion proof of leaf `index`: the audit path of RFC 6962, 2.1.1, leaf first."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"no leaf {index} in a tree of {len(leaves)}")
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if index < split:
        return [*inclusion_proof(leaves[:split], index), tree_root(leaves[split:])]
    return [*inclusion_proof(leaves[split:], index - split), tree_root(leaves[:split])]


def includes(root: bytes, size: int, index: int, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof puts a leaf at `index` into the tree of this root and size (RFC 9162, 2.1.3.2)."""
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
    """Return the proof that the tree of all leaves extends that of the first `size` (RFC 6962, 2.1.2)."""
    if not 0 <= size <= len(leaves):
        raise IndexError(f"no tree of {size} in one of {len(leaves)}")
    return _growth(leaves, size, whole=True) if size else []


def leads_to(old: Checkpoint, new: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the new tree extends the old one (RFC 9162, 2.1.4.2)."""
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
    """Return the number of leaves of the left subtree: the largest power of two below `size` (2 or more)."""
    return 1 << (size - 1).bit_length() - 1


def _growth(leaves: Sequence[bytes], size: int, *, whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962; `whole` while the reader of the proof knows the root of the old subtree."""
    if size == len(leaves):
        return [] if whole else [tree_root(leaves)]
    split = _split(len(leaves))
    if size <= split:
        return [*_growth(leaves[:split], size, whole=whole), tree_root(leaves[split:])]
    return [*_growth(leaves[split:], size - split, whole=False), tree_root(leaves[:split])]
