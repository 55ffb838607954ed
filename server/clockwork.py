"""Decides for those who cannot or need not: whose time has run out, who has resigned, who can only pass.

Several nodes may watch one match: the claim's command id is the same on each, so the log takes one. Time is
read from the log (`domain.kernel.clock`); here is only the waiting.
"""

import asyncio
import math
import random
from uuid import UUID

import structlog

from domain.kernel.notices import Refused
from server import acts, matches
from server.matches import Conflict, Matches, command_id
from server.snapshot import Snapshot

logger = structlog.get_logger()

AFTER = 0.02
"""Seconds to wait beyond the deadline, so that a timer that is early does not find a seat with time left."""

SPARE = (1.0, 4.0)
"""Seconds between which the server passes for a seat that can do nothing else.

Drawn anew each time and from nothing that a seat holds: who waits for the answer cannot tell a seat that had
nothing to play from one that thought and passed.
"""

AGAIN = 1.0
"""Seconds until the next try when the log could not be reached."""


class Clockwork:
    """One timer for each match in which time runs or somebody is absent."""

    def __init__(self, all_matches: Matches, spare: tuple[float, float] = SPARE) -> None:
        """Take the matches of the node, and the seconds between which a seat is spared an answer."""
        self._matches, self._spare = all_matches, spare
        self._chance = random.SystemRandom()
        self._timers: dict[UUID, asyncio.TimerHandle] = {}
        self._claims: set[asyncio.Task[None]] = set()
        self._stopping = False
        all_matches.when_changed(self.changed)

    def changed(self, live: Snapshot) -> None:
        """Set the timer of a match by what is asked now."""
        self._stop(live.match)
        if self._stopping:
            return
        waits = {} if live.standing.over else {seat: self._wait(live, seat) for seat in live.asked_at}
        if waits:
            seat = min(waits, key=waits.__getitem__)
            if waits[seat] < math.inf:
                self._set(live.match, seat, live.seq, waits[seat])

    def _wait(self, live: Snapshot, seat: int) -> float:
        """Return in how many seconds something is decided for a seat that is asked; infinite if never."""
        if seat in live.standing.resigned:
            return 0.0
        if seat in live.idle:
            return self._chance.uniform(*self._spare)
        deadline = live.deadlines.get(seat)
        return math.inf if deadline is None else max(0.0, (deadline - matches.now()) / 1e6) + AFTER

    def _set(self, match: UUID, seat: int, seq: int, wait: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[match] = loop.call_later(wait, self._fire, match, seat, seq)

    def _fire(self, match: UUID, seat: int, seq: int) -> None:
        self._timers.pop(match, None)
        claim = asyncio.create_task(self._claim(match, seat, seq))
        self._claims.add(claim)
        claim.add_done_callback(self._claims.discard)

    async def _claim(self, match: UUID, seat: int, seq: int) -> None:
        """Decide for a seat; while the log cannot be reached, try again and again."""
        try:
            await self._decide(match, seat, seq)
        except Exception as why:
            logger.warning("claim put off", match=str(match), why=type(why).__name__)
            if not self._stopping:
                self._set(match, seat, seq, AGAIN)

    async def _decide(self, match: UUID, seat: int, seq: int) -> None:
        live = await self._matches.get(match)
        absent = seat in live.standing.resigned or seat in live.idle
        act, same = acts.absent(seat) if absent else acts.time_out(seat, None, matches.now)
        try:
            await self._matches.command(match, command_id(live.key, f"default {seat}", seq), act, same)
        except (Refused, Conflict):
            self.changed(await self._matches.get(match))

    def _stop(self, match: UUID) -> None:
        timer = self._timers.pop(match, None)
        if timer is not None:
            timer.cancel()

    async def stop(self) -> None:
        """Stop all timers, set none any more, and wait for the claims under way."""
        self._stopping = True
        for match in list(self._timers):
            self._stop(match)
        await asyncio.gather(*self._claims, return_exceptions=True)
