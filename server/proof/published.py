"""Whether a log is the one of which checkpoints were published, and how much of that it lacks.

A log that was put back from a backup ends where that was made. What had ended by then has to be there as
it was signed; what ended later is lost, and whoever kept a later note can tell. Deliberately absent:
signatures, for the notes come from whoever puts the log back.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from server.postgres.database import Connection
from server.proof.checkpoints import Tampered
from server.proof.notes import BadNote, Checkpoint, read_note
from server.proof.tree import Tree, leaf_hash

_LEAVES: Final = "SELECT match_id, last_seq, head FROM log.leaf ORDER BY ix"
_NOTES: Final = "SELECT note FROM log.checkpoint ORDER BY size"

_NOT_THERE: Final = """
SELECT l.match_id FROM log.leaf l
 WHERE NOT EXISTS (SELECT FROM log.fact f
                    WHERE f.match_id = l.match_id AND f.seq = l.last_seq AND f.hash = l.head AND f.final)
 ORDER BY l.ix LIMIT 1
"""


async def grown(conn: Connection, notes: Iterable[Checkpoint] = ()) -> Tree:
    """Return the tree over the leaves of a log, in a transaction.

    Raises Tampered where a note has another root at its size. Notes of more leaves than there are say nothing
    here: see `lost`.
    """
    roots: dict[int, set[bytes]] = {}
    for note in notes:
        roots.setdefault(note.size, set()).add(note.root)
    tree = Tree()
    async for match, last_seq, head in conn.cursor(_LEAVES, prefetch=5000):
        tree.add(leaf_hash(match, last_seq, head))
        if roots.get(tree.size, {tree.root}) != {tree.root}:
            raise Tampered(f"the first {tree.size} matches that ended are not those of a signed checkpoint")
    return tree


async def own_notes(conn: Connection) -> list[Checkpoint]:
    """Read the notes that are in the log itself."""
    return [read_note(row["note"]) for row in await conn.fetch(_NOTES)]


async def refuse_other_ends(conn: Connection) -> None:
    """Raise Tampered where a match does not end with the fact that its leaf names."""
    if (match := await conn.fetchval(_NOT_THERE)) is not None:
        raise Tampered(f"match {match} does not end as was signed")


def lost(tree: Tree, published: Iterable[Checkpoint]) -> int:
    """Return how many matches are in a published note that are not in a tree."""
    return max((note.size - tree.size for note in published if note.size > tree.size), default=0)


def read_notes(place: Path) -> list[str]:
    """Read a published note, or all of a folder, the smallest first. Raises BadNote, OSError."""
    files = [place]
    if place.is_dir():
        files = [one for one in place.iterdir() if one.is_file() and not one.name.startswith(".")]
    try:
        return sorted(
            {one.read_text(encoding="utf-8") for one in files}, key=lambda text: read_note(text).size
        )
    except UnicodeDecodeError as fault:
        raise BadNote("not a note") from fault
