"""Disputes: whoever looks at a match may have one step of it decided again, and hears what came of it.

It is decided from the log as it stands in Postgres, not from what this node has in memory, in a thread beside
the loop and one at a time: nobody's match waits for it. Where a title has screens, the answer is given on a
beat of the clock, so that the time the rules took tells nothing. Deliberately absent: what is told to whom
(`projections.dispute`), and who asks (`server.http.api`).
"""

import asyncio
import math
from uuid import UUID

from domain.kernel.audience import Audience, Viewer
from domain.match.refusals import RequestError
from domain.titles import TITLES
from projections.dispute import Dispute, dispute
from server.log.outcomes import Busy
from server.play.matches import Matches

WAITING = 8
"""Disputes that may wait for their turn; more are turned away."""

BEAT = 0.25
"""Seconds: an answer that might tell by its time is given after a whole number of these."""


class Disputes:
    """The disputes of a node, answered one after the other."""

    def __init__(self, matches: Matches) -> None:
        """Take the matches of the node, through which the log is read."""
        self._matches = matches
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def answer(self, match: UUID, seq: int, audience: Viewer) -> Dispute:
        """Decide the step of a fact again, for an audience; after the end everything is told.

        Raises RequestError where no rule decided that fact, Busy, and what reading the match raises.
        """
        if self._waiting >= WAITING:
            raise Busy("too many disputes at once")
        asked_at = asyncio.get_running_loop().time()
        self._waiting += 1
        try:
            async with self._turn:
                entries, _ = await self._matches.read(match)
                game = TITLES[(await self._matches.get(match)).game.name]
                ended = entries[-1].final
                access = Audience.UMPIRE if ended else audience
                found = await asyncio.to_thread(dispute, game, entries, seq, access)
        finally:
            self._waiting -= 1
        if not ended and game.own.__struct_fields__:
            await _beat(asked_at)
        if found is None:
            raise RequestError("no_step", "no rule decided this fact, or there is no such fact")
        return found


async def _beat(start: float) -> None:
    """Wait until a whole number of beats has passed since `start`."""
    passed = asyncio.get_running_loop().time() - start
    await asyncio.sleep(math.ceil(passed / BEAT) * BEAT - passed)
