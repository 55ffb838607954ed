"""The matches of a node for those who read them beside play, over connections of their own.

What they find open they share with whoever plays; what is not, they open over their own connections.
Deliberately absent: what is made of what is read, and who may read it (`server.http`).
"""

from uuid import UUID

from server.log.store import LogReader
from server.play.matches import Matches
from server.play.opening import Positions, Source
from server.play.snapshot import Snapshot


class MatchReader:
    """Reads the matches of a node, all by way of one log. Each method raises Unavailable."""

    def __init__(self, matches: Matches, log: LogReader, positions: Positions) -> None:
        """Take the log, and what finds the positions kept of it, over the connections to be used."""
        self._matches, self.log = matches, log
        self.opening = matches.opening_from(Source(log, positions))

    async def head(self, match: UUID) -> int:
        """Return the last seq of a match; 0 if it is not on the log."""
        return (await self.log.heads([match])).get(match, 0)

    async def get(self, match: UUID) -> Snapshot:
        """Return the snapshot of a match; a cached one may be behind the log. Raises NoMatch."""
        return await self._matches.get(match, self.opening)

    async def latest(self, match: UUID) -> Snapshot:
        """Return the snapshot of a match, level with the log's head now. Raises NoMatch."""
        return await self._matches.level_with(match, await self.head(match), self.opening)
