"""Who signs checkpoints: one node of those that have a key, by lease; and whether anybody does.

A node whose log does not agree with a note that it knows signs nothing any more. It gives up the lease: the
fault may be its own, as a folder of notes of another cluster; where it is the log's, the next finds it too.

A node without a key serves, and tells from its start that it has none (`key`, and a line in the log). Every
node looks each minute whether matches that have ended wait to be signed, those without a key too: where
nobody signs, an administrator may change the log and nobody can tell. Deliberately absent: what is signed
(`server.proof.checkpoints`).
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from server.postgres.database import Pool, connection
from server.postgres.leases import Leases
from server.proof.checkpoints import Tampered
from server.proof.notes import BadNote, ForeignNote, Signer, Verifier, read_note

log = structlog.get_logger()

LOOK: Final = 60.0
"""Seconds between two looks."""

LATE: Final = 600.0
"""Seconds that a match may wait to be signed; a note is signed once a minute."""

LEASE: Final = "checkpoints"

_TODO: Final = "run `fleetfold signer new` on a node of this cluster, keep the file, and start it again"

# A match that was imported ended long ago: it waits since the last note, at most.
_WAITS: Final = """
WITH last AS (SELECT size, at, note FROM log.checkpoint ORDER BY size DESC LIMIT 1)
SELECT (SELECT note FROM last) AS note,
       CASE WHEN count(*) = 0 THEN 0
            ELSE extract(epoch FROM log.now() - greatest(min(s.last_at), (SELECT at FROM last)))
       END::float8 AS seconds
  FROM view.standings s
 WHERE s.ended AND NOT EXISTS (SELECT FROM log.leaf l WHERE l.match_id = s.match_id
                                                        AND l.ix < (SELECT size FROM last))
"""


class Signing:
    """Whether this node signs, and for how long matches that have ended have waited."""

    def __init__(self, pool: Pool, leases: Leases, signer: Signer | None) -> None:
        """Take a pool of the projector's, and the key of this node, if it has one."""
        self._pool, self._leases, self._signer = pool, leases, signer
        self._other = ""
        """The name of another key, of which it was said that it has signed."""
        self.waiting = 0.0
        """Seconds that a match has waited to be signed, as of the last look; 0 if none waits."""
        self.late = False
        """Whether one had waited too long at the last two looks."""
        self.refused = False
        """Whether this node has refused to sign, since the log does not agree with a published note."""

    @property
    def key(self) -> str:
        """The public key that this node's notes are checked with; empty where it has none."""
        return "" if self._signer is None else self._signer.public

    @property
    def here(self) -> bool:
        """Whether this node signs."""
        return self._signer is not None and self._leases.holds(LEASE)

    async def may_sign(self) -> bool:
        """Take the lease if nobody has it; whether this node has it then."""
        return await self._leases.take(LEASE)

    async def sign(self, run: Callable[[], Awaitable[None]]) -> None:
        """Run a sequencer until cancelled, or until it refuses; then leave signing to others."""
        try:
            await run()
        except Tampered:
            self.refused = True
            await self._leases.give_up(LEASE)

    async def run(self) -> None:
        """Look every LOOK seconds until cancelled."""
        if self._signer is None:
            log.warning("signer.missing", todo=f"unless another node signs: {_TODO}")
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.look()
            except Exception as fault:
                log.warning("signing.not_looked_after", fault=repr(fault))

    async def look(self) -> None:
        """Ask what waits to be signed, and whose the last note is; log what an operator has to know."""
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(_WAITS)
        assert row is not None
        before, self.waiting = self.waiting, row["seconds"]
        late = min(before, self.waiting) > LATE
        if late and not self.late:
            log.error("checkpoint.nobody_signs", seconds=round(self.waiting), todo=_TODO)
        self.late = late
        if self._signer is not None and row["note"] is not None:
            self._compare(self._signer, row["note"])

    def _compare(self, signer: Signer, note: str) -> None:
        """Log it if the last note is of another key than this node's: a cluster has one."""
        try:
            Verifier(signer.public).open(note)
        except ForeignNote:
            name = read_note(note).origin
            if name != self._other:
                log.warning(
                    "checkpoint.other_key",
                    last=name,
                    ours=signer.name,
                    todo="give all nodes one signer; after a change of keys publish the new one, too",
                )
            self._other = name
        except BadNote as fault:
            log.error("checkpoint.forged", fault=str(fault))  # noqa: TRY400 no traceback tells more
        else:
            self._other = ""
