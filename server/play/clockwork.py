"""Timers that decide for seats that are out of time, have resigned, or have ordered a decision in advance.

Where time-outs are decided by claims (`Clock.by_claim`), a seat that waits claims them, and no timer. For a
bot of the house, which sleeps while it waits, this module claims: the default decision and never the win,
which a program that does not mind waiting would take from somebody who may come back.

Several nodes may run a timer for one match: command id and delay are the same on each, so the log stores the
command once. Time used is computed from the log (`domain.match.clock`); this module only schedules.
"""

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Collection, Iterator
from uuid import UUID

import structlog
from msgspec import Struct
from msgspec.structs import replace

from domain.match.refusals import RequestError
from server.play import acts
from server.play.acts import Action, IsRepetition
from server.play.matches import Matches, command_id
from server.play.snapshot import Snapshot
from server.protocol.beat import beat

logger = structlog.get_logger()

AFTER = 0.02
"""Seconds added to the deadline, so that a timer that fires early does not find a seat with time left."""

RETRY_AFTER = 1.0
"""Seconds between attempts while the log cannot be reached."""


class Claim(Struct, frozen=True):
    """A command of the server's own to be sent at `when`, in seconds of the event loop's clock."""

    when: float
    match: UUID
    command: UUID
    does: tuple[Action, IsRepetition]
    late: int | None = None
    """The seat that is out of time, where only a bot of the house claims that; `does` is of no use then."""


class Clockwork:
    """One timer for each match in which a time-out, a default for a resigned seat, or an order is due."""

    def __init__(
        self,
        all_matches: Matches,
        think: float,
        house: Callable[[UUID], Awaitable[Collection[int]]] | None = None,
    ) -> None:
        """Take the matches of the node, and the mean delay in seconds before an order is carried out.

        And who says which seats of a match bots of the house have; none does where it is left out.
        """
        self._matches, self._think, self._house = all_matches, think, house
        self._timers: dict[UUID, asyncio.TimerHandle] = {}
        self._orders: dict[UUID, dict[tuple[int, int], float]] = {}
        """Per match, by (seat, seq at which its prompt began): when the order is carried out."""
        self._claims: set[asyncio.Task[None]] = set()
        self._stopping = False
        all_matches.memory.when_changed(self.changed)

    def changed(self, live: Snapshot) -> None:
        """Reset the timer of a match from its current prompts."""
        self._stop(live.match)
        before = self._orders.pop(live.match, {})
        if self._stopping or live.standing.over or live.standing.paused:
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

    def due(self, live: Snapshot) -> int | None:
        """Return when this next sends a command to a match, in microseconds since the epoch.

        None if it does not before the match moves.
        """
        now = asyncio.get_running_loop().time()
        claims = [*self._ordered(live, self._orders.get(live.match, {})), *self._due(live, now)]
        first = min((claim.when for claim in claims), default=None)
        return None if first is None else self._matches.now() + round((first - now) * 1e6)

    def _ordered(self, live: Snapshot, orders: dict[tuple[int, int], float]) -> Iterator[Claim]:
        """Yield a claim for each order of a seat that is asked."""
        for (seat, since), when in orders.items():
            command = command_id(live.key, f"ordered {seat}", since)
            yield Claim(when, live.match, command, acts.carry_out(seat, since))

    def _due(self, live: Snapshot, now: float) -> Iterator[Claim]:
        """Yield a claim for each seat that will take the default decision."""
        clock = live.standing.clock
        by_claim = clock is not None and clock.by_claim
        for seat in live.asked_at:
            deadline = live.deadlines.get(seat)
            if by_claim and (self._house is None or not _waiting_bots(live)):
                deadline = None
            if seat in live.standing.resigned:
                yield Claim(now, live.match, _default(live, seat), acts.absent(seat))
            elif deadline is not None:
                wait = max(0.0, (deadline - self._matches.now()) / 1e6) + AFTER
                does = acts.time_out(seat, None, self._matches.now)
                yield Claim(now + wait, live.match, _default(live, seat), does, seat if by_claim else None)

    def _set(self, claim: Claim) -> None:
        loop = asyncio.get_running_loop()
        self._timers[claim.match] = loop.call_at(claim.when, self._fire, claim)

    def _fire(self, claim: Claim) -> None:
        self._timers.pop(claim.match, None)
        task = asyncio.create_task(self._claim(claim))
        self._claims.add(task)
        task.add_done_callback(self._claims.discard)

    async def _claim(self, claim: Claim) -> None:
        """Send the command; while the log cannot be reached, retry every RETRY_AFTER seconds until `stop`."""
        try:
            await self._decide(claim)
        except Exception as why:
            logger.warning("claim put off", match=str(claim.match), why=type(why).__name__)
            if not self._stopping:
                self._set(replace(claim, when=asyncio.get_running_loop().time() + RETRY_AFTER))

    async def _decide(self, claim: Claim) -> None:
        try:
            does = claim.does if claim.late is None else await self._claimed(claim.match, claim.late)
            if does is not None:
                await self._matches.command(claim.match, claim.command, *does)
        except RequestError:
            self.changed(await self._matches.get(claim.match))

    async def _claimed(self, match: UUID, late: int) -> tuple[Action, IsRepetition] | None:
        """Return the claim of the first bot of the house that waits for a seat; None where none does."""
        assert self._house is not None
        house, live = await self._house(match), await self._matches.get(match)
        by = next((seat for seat in _waiting_bots(live) if seat in house), None)
        return None if by is None else acts.time_out(late, by, self._matches.now)

    def _stop(self, match: UUID) -> None:
        timer = self._timers.pop(match, None)
        if timer is not None:
            timer.cancel()

    async def stop(self) -> None:
        """Cancel all timers, set no more, and wait for the claims under way."""
        self._stopping = True
        for match in list(self._timers):
            self._stop(match)
        await asyncio.gather(*self._claims, return_exceptions=True)


def _waiting_bots(live: Snapshot) -> list[int]:
    """Return the seats of bots, of whomever they are, that wait for others."""
    match = live.standing
    return [
        seat
        for seat, kind in sorted(match.taken.items())
        if kind == "bot" and seat not in live.asked_at and seat not in match.resigned
    ]


def _default(live: Snapshot, seat: int) -> UUID:
    return command_id(live.key, f"default {seat}", live.seq)


def share(key: bytes, seat: int, since: int) -> float:
    """Return a number uniform in 0 to 1 for a prompt: equal on all nodes, unpredictable without the key."""
    drawn = hmac.digest(key, f"beat {seat} {since}".encode(), "sha256")
    return int.from_bytes(drawn[:8]) / 2**64
