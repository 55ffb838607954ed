"""Checkpoints: a Merkle tree over all finished matches, whose signed root is published outside the database.

Anyone who keeps a published note can detect a later change of the log: if a match of the tree is altered or
removed, no consistency proof leads to the new root. The tree is `server.proof.tree`, the notes are
`server.proof.notes`.

Deliberately absent: whether a match's chain holds, which `verify` checks; witnesses.
"""

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path

import structlog

from server.postgres.database import Pool, PooledConnection, connection
from server.proof.notes import Checkpoint, Signer, read_note
from server.proof.tree import Tree, leaf_hash

INTERVAL = 60.0
"""Least seconds between two notes."""

STRIDE = 1000
"""Transactions by which the saved cursor may lag: an idle server writes nothing, and scans these again."""

WHOLE_LOG = 3600.0
"""Statement timeout, in seconds, for a scan of the whole log."""

LATEST = "checkpoint"
"""The file that holds the last note; each also has one of its own, named by its size."""

_CURSOR = "checkpoints"
_LOCK = 0x666C_6565_7466  # an advisory lock's number that nothing else uses: "fleetf"

log = structlog.get_logger()


class Tampered(Exception):
    """The tree is not consistent with a published note. Nothing more is signed until a person intervenes."""


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
SELECT note, log.now() - at < $1 AS young FROM log.checkpoint ORDER BY size DESC LIMIT 1
"""
_KEEP = "INSERT INTO log.checkpoint (size, root, note) VALUES ($1, $2, $3)"
LAST_NOTE = "SELECT note FROM log.checkpoint ORDER BY size DESC LIMIT 1"
"""SQL of the note that was signed last."""

_NOTES = "SELECT size, note FROM log.checkpoint WHERE size > $1 ORDER BY size"


async def always() -> bool:
    """Return that one may sign."""
    return True


class Sequencer:
    """Adds finished matches to the tree and signs its root. Several may run: an advisory lock admits one.

    `may_sign` says whether this one is to sign now; the others publish what it signs. Two that both take it
    to be their turn do no harm, since the lock covers the transaction.

    Its position in the feed is stored in view.cursor: everything below that xid is done. The row may be
    deleted, as after a logical restore; then the whole log is scanned again, and nothing is added twice.
    """

    def __init__(
        self,
        pool: Pool,
        signer: Signer,
        folder: Path,
        *,
        interval: float = INTERVAL,
        may_sign: Callable[[], Awaitable[bool]] = always,
    ) -> None:
        self._pool = pool
        self._may_sign = may_sign
        self._signer = signer
        self._folder = folder
        self._interval = timedelta(seconds=interval)
        self._tree = Tree()

    async def run(self) -> None:
        """Call `once` again and again until cancelled; retry while the database is away. Raises Tampered.

        After that this node neither signs nor publishes: what it keeps is evidence.
        """
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
        """Add newly finished matches; sign and publish the root if it is due. Raises Tampered.

        None if nothing was signed: the tree has not grown, the last note is recent, or it is not our turn.
        """
        signed = None
        turn = await self._may_sign()
        try:
            async with connection(self._pool) as conn:
                if turn:
                    async with conn.transaction():
                        signed = await self._grow(conn)
                await self._publish(conn)
        except BaseException:
            self._tree = Tree()  # it may hold leaves that were not committed
            raise
        return signed

    async def _grow(self, conn: PooledConnection) -> Checkpoint | None:
        if not await conn.fetchval("SELECT pg_try_advisory_xact_lock($1)", _LOCK):
            return None
        last = await conn.fetchrow(_LAST, self._interval)
        known = [read_note(last["note"])] if last else []
        if (published := self._folder / LATEST).exists():
            known.append(read_note(published.read_text(encoding="utf-8")))
        await self._add_finished(conn)
        await self._catch_up(conn, known)
        size = self._tree.size
        if size == 0 or (last and (last["young"] or known[0].size == size)):
            return None
        note = self._signer.sign(size, self._tree.root)
        await conn.execute(_KEEP, size, self._tree.root, note)
        log.info("checkpoint.signed", size=size)
        return read_note(note)

    async def _add_finished(self, conn: PooledConnection) -> None:
        done = await conn.fetchval(_DONE, _CURSOR) or "0"
        below = await conn.fetchval(_BELOW)
        astray = int(done) > int(below)  # of another cluster, as after a backup was restored
        if astray:
            log.warning("checkpoint.astray", cursor=done, cluster=below)
            done = "0"
        if done == "0":  # the whole log is scanned, once, which takes longer than the usual statement timeout
            await conn.execute(f"SET LOCAL statement_timeout = '{WHOLE_LOG:.0f}s'")
        finished = await conn.fetch(_FINISHED, done, below, timeout=WHOLE_LOG if done == "0" else None)
        size = await conn.fetchval("SELECT count(*) FROM log.leaf") if finished else 0
        await conn.executemany(_ADD, [(size + place, *row) for place, row in enumerate(finished)])
        if finished or astray or done == "0" or int(below) - int(done) > STRIDE:
            await conn.execute(_MARK, _CURSOR, below)

    async def _catch_up(self, conn: PooledConnection, known: Sequence[Checkpoint]) -> None:
        """Add new leaves to the tree, checking its root at the size of each known note. Raises Tampered."""
        roots = {note.size: note.root for note in known}
        for match, last_seq, head in await conn.fetch(_LEAVES, self._tree.size):
            self._tree.add(leaf_hash(match, last_seq, head))
            if roots.get(self._tree.size, self._tree.root) != self._tree.root:
                raise Tampered(f"the first {self._tree.size} leaves are not those of the published note")
        if any(size > self._tree.size for size in roots):
            raise Tampered(f"a note of {max(roots)} leaves was published: {self._tree.size} are left")

    async def _publish(self, conn: PooledConnection) -> None:
        """Write the notes that the folder does not have."""
        latest = self._folder / LATEST
        size = read_note(latest.read_text(encoding="utf-8")).size if latest.exists() else 0
        for row in await conn.fetch(_NOTES, size):
            await asyncio.to_thread(publish, self._folder, row["size"], row["note"])


def publish(folder: Path, size: int, note: str) -> None:
    """Write a note atomically, to a file named by its size and to LATEST."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (f"{size:012}", LATEST):
        draft = folder / f".{name}.{secrets.token_hex(4)}"
        with draft.open("w", encoding="utf-8") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / name)
