"""Presence: which seats of a match have a connection, and how many onlookers there are.

Counted here for this node and summed over nodes by the bus, at most once a second. Not in the log, since it
matters only now. While the bus is away the number of onlookers is unknown, and given as None.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol
from uuid import UUID

import structlog
from msgspec import Struct

log = structlog.get_logger(__name__)


class Crowd(Struct, frozen=True):
    """The seats present, a bit each (1 << seat), and the number of connections without a seat."""

    seats: int = 0
    onlookers: int = 0


NOBODY: Final = Crowd()


class Sums(Protocol):
    """The part of the bus that presence needs."""

    async def presence(self, here: dict[UUID, Crowd]) -> dict[UUID, Crowd] | None:
        """Publish this node's crowds, return their sums over all nodes; None while these are unknown."""
        ...


Changed = Callable[[UUID, int, int | None], None]
"""Called with match, seats and onlookers (None: unknown) when one of these has changed."""


class Presence:
    """The counts of every match this node watches."""

    def __init__(self, sums: Sums, interval: float, changed: Changed | None = None) -> None:
        self.changed = changed
        self._sums = sums
        self._interval = interval
        self._seats: dict[UUID, Counter[int]] = {}
        self._onlookers: Counter[UUID] = Counter()
        self._left: set[UUID] = set()
        self._known: dict[UUID, tuple[int, int | None]] = {}

    def enter(self, match: UUID, seat: int | None) -> None:
        """Count a connection, of a seat or (None) of an onlooker. A seat may have several."""
        if seat is None:
            self._onlookers[match] += 1
        else:
            self._seats.setdefault(match, Counter())[seat] += 1

    def leave(self, match: UUID, seat: int | None) -> None:
        """Uncount a connection."""
        if seat is None:
            self._onlookers[match] -= 1
        else:
            self._seats[match][seat] -= 1
        if self.here(match) == NOBODY:
            self._onlookers.pop(match, None)
            self._seats.pop(match, None)
            self._left.add(match)

    def here(self, match: UUID) -> Crowd:
        """Return the crowd of a match on this node."""
        seats = sum(1 << seat for seat, count in self._seats.get(match, Counter()).items() if count)
        return Crowd(seats, self._onlookers.get(match, 0))

    def of(self, match: UUID) -> tuple[int, int | None]:
        """Return the seats present, a bit each, and the number of onlookers, None if unknown."""
        return self._known.get(match, (self.here(match).seats, None))

    async def run(self) -> None:
        """Do a round once an interval, until cancelled."""
        while True:
            await asyncio.sleep(self._interval)
            try:
                await self.round()
            except Exception:
                log.exception("presence.fault")  # a fault of a callback must not end this task

    async def round(self) -> None:
        """Ask the bus for the sums once, and call `changed` for each match whose presence changed."""
        left, self._left = self._left, set()
        matches = self._seats.keys() | self._onlookers.keys()
        here = {match: self.here(match) for match in matches | left}
        sums = await self._sums.presence(here)
        if sums is None:
            self._left |= left
        for match in here:
            crowd = self.here(match)
            if crowd == NOBODY:
                self._known.pop(match, None)
            elif sums is None:
                self._notify(match, (crowd.seats, None))
            elif match in sums:
                self._notify(match, (sums[match].seats, sums[match].onlookers))

    def _notify(self, match: UUID, found: tuple[int, int | None]) -> None:
        if self._known.get(match) == found:
            return
        self._known[match] = found
        if self.changed is not None:
            self.changed(match, *found)
