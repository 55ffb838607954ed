"""Disputes: a viewer of a match has one command of it decided again and gets the result.

It is decided from the log in Postgres, not from this node's memory nor from a position, in a thread and one
at a time, so that play is not held up; a match is folded as it is read, and not held, however long it is.
Where a title has hidden information, the response is delayed to a multiple of BEAT seconds, so that its
timing reveals nothing. Deliberately absent: what each audience is told (`projections.dispute`), and who may
ask (`server.http.api`).
"""

import asyncio
import math
from uuid import UUID

from domain.kernel.audience import Audience, Reader, Viewer
from domain.match.game import Game
from domain.match.refusals import RequestError
from domain.titles import TITLES
from projections.dispute import Dispute, dispute
from projections.history import undone
from projections.sources import FactsInLog
from server.log.outcomes import Busy
from server.log.store import Log
from server.play.matches import Matches

WAITING = 8
"""Disputes that may be queued; beyond it `Busy`."""

BEAT = 0.25
"""Seconds to a multiple of which a response is delayed if its timing might reveal something."""


class Disputes:
    """Answers the disputes of a node, one after the other."""

    def __init__(self, log: Log, matches: Matches) -> None:
        """Take the log, and the matches of the node, which know how each stands."""
        self._log, self._matches = log, matches
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def answer(self, match: UUID, seq: int, audience: Viewer) -> Dispute:
        """Decide the command of fact `seq` again; return what the audience may know of it.

        Raises RequestError if no rule decided that fact, Busy, and what `Matches.latest` raises.
        """
        if self._waiting >= WAITING:
            raise Busy("too many disputes at once")
        asked_at = asyncio.get_running_loop().time()
        self._waiting += 1
        try:
            async with self._turn:
                live = await self._matches.latest(match)
                game, ended = TITLES[live.game.name], bool(live.standing.key)
                reader = Audience.UMPIRE if ended else audience
                facts = FactsInLog(self._log, match, live.seq)
                found = await asyncio.to_thread(_decided, game, facts, seq, reader)
        finally:
            self._waiting -= 1
        if not ended and game.own.__struct_fields__:
            await _beat(asked_at)
        if found is None:
            raise RequestError("no_step", "no rule decided this fact, or there is no such fact")
        return found


def _decided(game: Game, facts: FactsInLog, seq: int, reader: Reader) -> Dispute | None:
    return dispute(game, facts, seq, reader, undone(game, facts))


async def _beat(start: float) -> None:
    """Wait until a multiple of BEAT seconds has passed since `start`."""
    passed = asyncio.get_running_loop().time() - start
    await asyncio.sleep(math.ceil(passed / BEAT) * BEAT - passed)
