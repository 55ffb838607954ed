"""Decides for those who cannot: whose time has run out, who has resigned, who has said beforehand what to do.

Several nodes may watch one match: the id of a command and its wait are the same on each; the log takes one.
Time is read from the log (`domain.match.clock`); here is only the waiting.
"""

import asyncio
import hmac
from collections.abc import Iterator
from uuid import UUID

import structlog
from msgspec import Struct
from msgspec.structs import replace

from domain.match.refusals import RequestError
from server.play import acts, matches
from server.play.acts import Act, Same
from server.play.matches import Conflict, Matches, command_id
from server.play.snapshot import Snapshot
from server.protocol.beat import beat

logger = structlog.get_logger()

AFTER = 0.02
"""Seconds to wait beyond the deadline, so that a timer that is early does not find a seat with time left."""

RETRY_AFTER = 1.0
"""Seconds until the next try when the log could not be reached."""


class Claim(Struct, frozen=True):
    """What is to be done in a match, and when by the clock of the event loop."""

    when: float
    match: UUID
    command: UUID
    does: tuple[Act, Same]


class Clockwork:
    """One timer for each match in which time runs, somebody is absent, or an order is to be carried out."""

    def __init__(self, all_matches: Matches, think: float) -> None:
        """Take the matches of the node, and the seconds that its bots take for a decision."""
        self._matches, self._think = all_matches, think
        self._timers: dict[UUID, asyncio.TimerHandle] = {}
        self._orders: dict[UUID, dict[tuple[int, int], float]] = {}
        """By match, seat and the fact since which it is asked: when its order is carried out."""
        self._claims: set[asyncio.Task[None]] = set()
        self._stopping = False
        all_matches.when_changed(self.changed)

    def changed(self, live: Snapshot) -> None:
        """Set the timer of a match by what is asked now."""
        self._stop(live.match)
        before = self._orders.pop(live.match, {})
        if self._stopping or live.standing.over:
            return
        now = asyncio.get_running_loop().time()
        orders = {
            (seat, since): before.get((seat, since), now + beat(self._think, share(live.key, seat, since)))
            for seat, since in live.asked_at.items()
            if seat in live.ordered
        }
        if orders:
            self._orders[live.match] = orders
        claims = [*self._ordered(live, orders), *self._due(live, now)]
        if claims:
            self._set(min(claims, key=lambda claim: claim.when))

    def _ordered(self, live: Snapshot, orders: dict[tuple[int, int], float]) -> Iterator[Claim]:
        """Yield what seats have said beforehand."""
        for (seat, since), when in orders.items():
            command = command_id(live.key, f"ordered {seat}", since)
            yield Claim(when, live.match, command, acts.carry_out(seat, since))

    def _due(self, live: Snapshot, now: float) -> Iterator[Claim]:
        """Yield what is decided by default."""
        for seat in live.asked_at:
            command = command_id(live.key, f"default {seat}", live.seq)
            deadline = live.deadlines.get(seat)
            if seat in live.standing.resigned:
                yield Claim(now, live.match, command, acts.absent(seat))
            elif deadline is not None:
                wait = max(0.0, (deadline - matches.now()) / 1e6) + AFTER
                yield Claim(now + wait, live.match, command, acts.time_out(seat, None, matches.now))

    def _set(self, claim: Claim) -> None:
        loop = asyncio.get_running_loop()
        self._timers[claim.match] = loop.call_at(claim.when, self._fire, claim)

    def _fire(self, claim: Claim) -> None:
        self._timers.pop(claim.match, None)
        task = asyncio.create_task(self._claim(claim))
        self._claims.add(task)
        task.add_done_callback(self._claims.discard)

    async def _claim(self, claim: Claim) -> None:
        """Decide for a seat; while the log cannot be reached, try again and again."""
        try:
            await self._decide(claim)
        except Exception as why:
            logger.warning("claim put off", match=str(claim.match), why=type(why).__name__)
            if not self._stopping:
                self._set(replace(claim, when=asyncio.get_running_loop().time() + RETRY_AFTER))

    async def _decide(self, claim: Claim) -> None:
        try:
            await self._matches.command(claim.match, claim.command, *claim.does)
        except (RequestError, Conflict):
            self.changed(await self._matches.get(claim.match))

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


def share(key: bytes, seat: int, since: int) -> float:
    """Draw for a question, evenly from 0 to 1: the same on every node, unknown to all without the key."""
    drawn = hmac.digest(key, f"beat {seat} {since}".encode(), "sha256")
    return int.from_bytes(drawn[:8]) / 2**64
