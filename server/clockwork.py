"""Decides for those who cannot: whose time has run out, and who has resigned while his team plays on.

Several nodes may watch one match: the claim's command id is the same on each, so the log takes one. Time is
read from the log (`domain.kernel.clock`); here is only the waiting.
"""

import asyncio
from uuid import UUID

import structlog

from domain.kernel.notices import Refused
from server import matches
from server.live import Live
from server.matches import Conflict, Matches, command_id

logger = structlog.get_logger()

AFTER = 0.02
"""Seconds to wait beyond the deadline, so that a timer that is early does not find a seat with time left."""

AGAIN = 1.0
"""Seconds until the next try when the log could not be reached."""


class Clockwork:
    """One timer for each match in which time runs or somebody is absent."""

    def __init__(self, all_matches: Matches) -> None:
        self._matches = all_matches
        self._timers: dict[UUID, asyncio.TimerHandle] = {}
        self._claims: set[asyncio.Task[None]] = set()
        all_matches.when_changed(self.changed)

    def changed(self, live: Live) -> None:
        """Set the timer of a match by what is asked now."""
        self._stop(live.match)
        if live.state.match.over:
            return
        for seat in live.asked_at:
            if seat in live.state.match.resigned:
                self._set(live.match, seat, live.seq, 0.0)
                return
        if live.clocks is None:
            return
        running = {seat: live.clocks.deadline(seat) for seat in live.asked_at}
        deadlines = {seat: at for seat, at in running.items() if at is not None}
        if deadlines:
            seat = min(deadlines, key=deadlines.__getitem__)
            wait = max(0.0, (deadlines[seat] - matches.now()) / 1e6) + AFTER
            self._set(live.match, seat, live.seq, wait)

    def _set(self, match: UUID, seat: int, seq: int, wait: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[match] = loop.call_later(wait, self._fire, match, seat, seq)

    def _fire(self, match: UUID, seat: int, seq: int) -> None:
        self._timers.pop(match, None)
        claim = asyncio.create_task(self._claim(match, seat, seq))
        self._claims.add(claim)
        claim.add_done_callback(self._claims.discard)

    async def _claim(self, match: UUID, seat: int, seq: int) -> None:
        try:
            resigned = seat in (await self._matches.get(match)).state.match.resigned
            act, same = matches.absent(seat) if resigned else matches.time_out(seat, None, matches.now)
            await self._matches.command(match, command_id(match, f"default {seat}", seq), act, same)
        except (Refused, Conflict):
            self.changed(await self._matches.get(match))
        except Exception as why:
            logger.warning("claim put off", match=str(match), why=type(why).__name__)
            self._set(match, seat, seq, AGAIN)

    def _stop(self, match: UUID) -> None:
        timer = self._timers.pop(match, None)
        if timer is not None:
            timer.cancel()

    async def stop(self) -> None:
        """Stop all timers and wait for the claims under way."""
        for match in list(self._timers):
            self._stop(match)
        await asyncio.gather(*self._claims, return_exceptions=True)
