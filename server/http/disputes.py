"""Disputes: a viewer of a match has one command of it decided again and gets the result.

It is decided from the log in Postgres, not from this node's memory, in a thread and one at a time, so that
play is not held up. Where a title has hidden information, the response is delayed to a multiple of BEAT
seconds, so that its timing reveals nothing. Deliberately absent: what each audience is told
(`projections.dispute`), and who may ask (`server.http.api`).
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
"""Disputes that may be queued; beyond it `Busy`."""

BEAT = 0.25
"""Seconds to a multiple of which a response is delayed if its timing might reveal something."""


class Disputes:
    """Answers the disputes of a node, one after the other."""

    def __init__(self, matches: Matches) -> None:
        """Take the matches of the node, used to read the log."""
        self._matches = matches
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def answer(self, match: UUID, seq: int, audience: Viewer) -> Dispute:
        """Decide the command of fact `seq` again; return what the audience may know of it.

        Raises RequestError if no rule decided that fact, Busy, and what `Matches.read` raises.
        """
        if self._waiting >= WAITING:
            raise Busy("too many disputes at once")
        asked_at = asyncio.get_running_loop().time()
        self._waiting += 1
        try:
            async with self._turn:
                entries, _ = await self._matches.read_everything(match)
                game = TITLES[(await self._matches.get(match)).game.name]
                ended = entries[-1].final
                reader = Audience.UMPIRE if ended else audience
                found = await asyncio.to_thread(dispute, game, entries, seq, reader)
        finally:
            self._waiting -= 1
        if not ended and game.own.__struct_fields__:
            await _beat(asked_at)
        if found is None:
            raise RequestError("no_step", "no rule decided this fact, or there is no such fact")
        return found


async def _beat(start: float) -> None:
    """Wait until a multiple of BEAT seconds has passed since `start`."""
    passed = asyncio.get_running_loop().time() - start
    await asyncio.sleep(math.ceil(passed / BEAT) * BEAT - passed)
