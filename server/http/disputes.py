"""Disputes: a viewer of a match has one command of it decided again and gets the result.

It is decided from the log in Postgres, not from this node's memory nor from a position, in a thread, and
behind all who read (`server.http.reads`), so that play is not held up; a match is folded as it is read, and
not held, however long it is.
Where a title has hidden information, the response is delayed to a multiple of BEAT seconds, so that its
timing reveals nothing. Deliberately absent: what each audience is told (`projections.dispute`), and who may
ask (`server.http.matches`).
"""

import asyncio
import math
from functools import partial
from uuid import UUID

from domain.kernel.audience import Audience, Reader, Viewer
from domain.match.game import Game
from domain.match.refusals import RequestError
from domain.titles import TITLES
from projections.dispute import Dispute, dispute
from projections.history import undone
from projections.sources import FactsInLog
from server.addresses import Address
from server.http.reads import Reads
from server.limits import DISPUTE
from server.play.reader import MatchReader

BEAT = 0.25
"""Seconds to a multiple of which a response is delayed if its timing might reveal something."""


class Disputes:
    """Answers the disputes of a node."""

    def __init__(self, reader: MatchReader, reads: Reads) -> None:
        """Take what reads the matches of the node, and its reads, of which disputes are the last."""
        self._reader, self._reads = reader, reads

    async def answer(self, address: Address, match: UUID, seq: int, audience: Viewer) -> Dispute:
        """Decide the command of fact `seq` again; return what the audience may know of it.

        Raises RequestError if no rule decided that fact, Busy, and what `MatchReader.latest` raises.
        """
        asked_at = asyncio.get_running_loop().time()
        live = await self._reader.latest(match)
        game, ended = TITLES[live.game.name], bool(live.standing.key)
        reader = Audience.UMPIRE if ended else audience
        facts = FactsInLog(self._reader.log, match, live.seq)
        wish, cost = ("dispute", match, live.seq, seq, reader), DISPUTE * live.seq
        work = partial(facts.read_by, partial(_decided, game, seq, reader))
        found = await self._reads.read(address, wish, cost, work, dispute=True)
        if not ended and game.own.__struct_fields__:
            await _beat(asked_at)
        if found is None:
            raise RequestError("no_step", "no rule decided this fact, or there is no such fact")
        return found


def _decided(game: Game, seq: int, reader: Reader, facts: FactsInLog) -> Dispute | None:
    return dispute(game, facts, seq, reader, undone(game, facts))


async def _beat(start: float) -> None:
    """Wait until a multiple of BEAT seconds has passed since `start`."""
    passed = asyncio.get_running_loop().time() - start
    await asyncio.sleep(math.ceil(passed / BEAT) * BEAT - passed)
