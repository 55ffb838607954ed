"""Shares the limits of each address between the processes of one machine.

Every SHARE seconds each tells the others what its connections from an address have spent, and how many they
are; the others spend as much. So together they keep to the limits of one, but for what comes in the moment
until the others know. A process that ends takes its connections with it; what it spent refills as ever. Only
what has changed is looked at: there may be a hundred thousand addresses.

Deliberately absent: the limits themselves (`server.limits`), and what each process keeps for itself: of an
address it reads one match at a time.
"""

import asyncio
from itertools import islice
from typing import Final
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from msgspec import Struct, msgpack

from server.addresses import Address, Addresses
from server.siblings.line import Line

logger = structlog.get_logger()

LIMITS: Final = 2
"""The topic on which processes tell what was spent."""

SHARE: Final = 0.1
"""Seconds between two tellings."""

AT_ONCE: Final = 2000
"""Addresses in one telling, which takes some milliseconds: more wait for the next."""


BUCKETS: Final = 4
"""How many buckets an address has."""


class Share(Struct, frozen=True, array_like=True):
    """What one process tells of one address: how many connections it has, what it spent since the last."""

    address: str
    calls: int
    sockets: int
    spent: list[float]
    """Of each bucket, in the order of `Address.buckets`."""
    offers: list[bytes]
    """Matches that were offered from it since."""


class Told(Struct):
    """What was told of an address so far."""

    calls: int
    sockets: int
    spent: list[float]
    offers: set[UUID]
    round: int
    """How many siblings had come."""


class Sharing:
    """What this process shares, and takes from others."""

    def __init__(self, addresses: Addresses, line: Line) -> None:
        """Take addresses that are `shared`."""
        self._addresses, self._line = addresses, line
        self._told: WeakKeyDictionary[Address, Told] = WeakKeyDictionary()
        self._round = 0
        self._evicted: list[str] = []
        """Addresses that were evicted, and whose offers a process that came is still to be told."""
        self._others: dict[int, dict[str, Share]] = {}
        """The last that each sibling told of each address with connections there."""
        line.hear(LIMITS, self._take)
        line.when_came(lambda _: self._tell_all())
        line.when_gone(self._gone)

    async def run(self) -> None:
        """Tell every SHARE seconds until cancelled."""
        while True:
            await asyncio.sleep(SHARE)
            try:
                self.tell()
            except Exception:
                logger.exception("limits not shared")

    def tell(self) -> None:
        """Tell what has changed since the last time, of the first AT_ONCE addresses that have."""
        changed = self._addresses.changed
        taken = list(islice(changed, AT_ONCE))
        for one in taken:
            del changed[one]
        shares = [share for one in taken if (share := self._share(one)) is not None]
        shares += self._remembered(AT_ONCE - len(taken))
        if shares:
            self._line.tell(LIMITS, msgpack.encode(shares))

    def _tell_all(self) -> None:
        """Tell a process that came how many connections there are from each address, and what was offered."""
        self._round += 1
        self._addresses.changed.update(dict.fromkeys(self._addresses.known.values()))
        self._evicted = list(self._addresses.remembered)
        self.tell()

    def _remembered(self, most: int) -> list[Share]:
        """Return what is to be told of the next addresses that were evicted, so many at most."""
        keys, self._evicted = self._evicted[:most], self._evicted[most:]
        shares = list[Share]()
        for key in keys:
            one = self._addresses.known.get(key)
            if one is not None:
                self._addresses.changed[one] = None  # it came again meanwhile
            elif offers := self._addresses.remembered.get(key):
                unspent = [0.0] * BUCKETS
                shares.append(Share(key, 0, 0, unspent, [match.bytes for match in offers]))
        return shares

    def _share(self, one: Address) -> Share | None:
        told = self._told_of(one)
        again = told.round != self._round
        offers = set(one.offers) if again else one.offers - told.offers
        # One that was forgotten and came again is two for a while, of which the latter has the connections.
        now = self._addresses.known.get(one.key, one)
        spent = [bucket.spent for bucket in one.buckets]
        if (told.calls, told.sockets, told.spent) == (now.calls, now.sockets, spent) and not (
            offers or (again and now.calls)
        ):
            return None
        since = [this - before for this, before in zip(spent, told.spent, strict=True)]
        self._told[one] = Told(now.calls, now.sockets, spent, set(one.offers), self._round)
        return Share(one.key, now.calls, now.sockets, since, [match.bytes for match in offers])

    def _told_of(self, one: Address) -> Told:
        """Return what was told of an address so far."""
        told = self._told.get(one)
        if told is None:
            told = self._told[one] = Told(0, 0, [0.0] * BUCKETS, set(), self._round)
        return told

    def _take(self, number: int, told: bytes) -> None:
        there = self._others.setdefault(number, {})
        for share in msgpack.decode(told, type=list[Share]):
            one = self._addresses.under(share.address)
            before = there.pop(share.address, None)
            one.others_calls += share.calls - (before.calls if before else 0)
            one.others_sockets += share.sockets - (before.sockets if before else 0)
            for bucket, spent in zip(one.buckets, share.spent, strict=True):
                bucket.spent_elsewhere(spent)
            offers = {UUID(bytes=match) for match in share.offers}
            one.offers |= offers
            if offers:
                self._told_of(one).offers |= offers
            if share.calls or share.sockets:
                there[share.address] = share

    def _gone(self, number: int) -> None:
        for key, share in self._others.pop(number, {}).items():
            one = self._addresses.under(key)
            one.others_calls -= share.calls
            one.others_sockets -= share.sockets
