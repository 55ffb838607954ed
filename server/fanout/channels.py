"""The names of channels and keys in Redis, and the part of a Redis Cluster that each lies in.

Everything that nodes say has a hash tag, one of PARTS: what has the same lies in the same slot of a Cluster,
and so at one master. A match is in one part with its channel and its keys, a node with its letters.
"""

from typing import Final
from uuid import UUID

# fmt: off
TAGS: Final = (
    10, 18, 113, 342, 29, 21, 3, 122, 69, 61, 72, 162, 50, 58, 153, 43,
    11, 19, 112, 343, 28, 20, 2, 123, 68, 60, 73, 163, 51, 59, 152, 42,
    12, 102, 111, 119, 133, 23, 1, 9, 173, 63, 70, 78, 52, 142, 49, 41,
    13, 103, 110, 118, 132, 22, 0, 8, 172, 62, 71, 79, 53, 143, 48, 40,
)
# fmt: on
"""Hash tags; the n-th is the least number whose slot is in the n-th 64th of a Cluster's 16,384 slots."""

PARTS: Final = len(TAGS)

NODES: Final = f"p:{{{TAGS[0]}}}:nodes"
"""The key of the set of nodes, in the first part."""

_PART: Final = {b"%d" % tag: part for part, tag in enumerate(TAGS)}


def part(match: UUID) -> int:
    """Return the part that a match is in."""
    return match.int % PARTS


def part_of(name: bytes) -> int:
    """Return the part that a name of ours is in."""
    return _PART[name[name.index(b"{") + 1 : name.index(b"}")]]


def tag(match: UUID) -> str:
    """Return the match's hash tag, which puts all its keys into one slot of a Redis Cluster."""
    return f"{{{TAGS[part(match)]}}}"


def channel(match: UUID) -> str:
    """Return the name of a match's channel: f:{tag}:<match>."""
    return f"f:{tag(match)}:{match}"


def crowd(match: UUID, node: str) -> str:
    """Return the key under which a node tells who is present at a match."""
    return f"p:{tag(match)}:{match}:{node}"


def letters(node: bytes) -> bytes:
    """Return the name of the channel of letters to a node."""
    return b"f:{%d}:to:%b" % (TAGS[node[-1] % PARTS], node.hex().encode())


def pulse(part: int, node: bytes) -> bytes:
    """Return the name of the channel in which a node hears its own heartbeat in some part."""
    return b"f:{%d}:pulse:%b" % (TAGS[part], node.hex().encode())
