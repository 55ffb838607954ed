"""Shares the limits of each address between the processes of one machine.

Every SHARE seconds each tells the others what its connections from an address have spent, and how many they
are; the others spend as much. So together they keep to the limits of one, but for what comes in the moment
until the others know. A process that ends takes its connections with it; what it spent refills as ever.

Deliberately absent: the limits themselves (`server.limits`), and what each process keeps for itself: of an
address it reads one match at a time.
"""

import asyncio
from typing import Final
from uuid import UUID

import structlog
from msgspec import Struct, msgpack

from server.addresses import Address, Addresses
from server.siblings.line import Line

logger = structlog.get_logger()

LIMITS: Final = 2
"""The topic on which processes tell what was spent."""

SHARE: Final = 0.1
"""Seconds between two tellings."""


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

    one: Address
    """To tell it from another under the same key, which is made when this one was at rest and forgotten."""
    calls: int
    sockets: int
    spent: list[float]
    offers: set[UUID]


class Sharing:
    """What this process shares, and takes from others."""

    def __init__(self, addresses: Addresses, line: Line) -> None:
        self._addresses, self._line = addresses, line
        self._told: dict[str, Told] = {}
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
        """Tell what has changed since the last time."""
        known = self._addresses.known
        shares = self._forgotten()
        shares += [share for key, one in known.items() if (share := self._share(key, one)) is not None]
        if shares:
            self._line.tell(LIMITS, msgpack.encode(shares))

    def _forgotten(self) -> list[Share]:
        """Tell that there are no connections any more from addresses that were forgotten since."""
        known = self._addresses.known
        gone = {key: told for key, told in self._told.items() if known.get(key) is not told.one}
        for key in gone:
            del self._told[key]
        return [
            Share(key, 0, 0, [0.0] * len(told.spent), [])
            for key, told in gone.items()
            if told.calls or told.sockets
        ]

    def _share(self, key: str, one: Address) -> Share | None:
        told = self._told_of(key, one)
        spent = [bucket.spent for bucket in one.buckets]
        offers = [match.bytes for match in one.offers - told.offers]
        if (told.calls, told.sockets, told.spent) == (one.calls, one.sockets, spent) and not offers:
            return None
        since = [now - before for now, before in zip(spent, told.spent, strict=True)]
        self._told[key] = Told(one, one.calls, one.sockets, spent, set(one.offers))
        return Share(key, one.calls, one.sockets, since, offers)

    def _told_of(self, key: str, one: Address) -> Told:
        """Return what was told of an address so far."""
        told = self._told.get(key)
        if told is None or told.one is not one:
            told = self._told[key] = Told(one, 0, 0, [0.0] * len(one.buckets), set())
        return told

    def _tell_all(self) -> None:
        """Tell a process that came how many connections there are from each address."""
        self.tell()  # so that what is told now is what the next telling starts from
        nothing = [0.0] * len(Address().buckets)
        shares = [
            Share(key, one.calls, one.sockets, nothing, [match.bytes for match in one.offers])
            for key, one in self._addresses.known.items()
            if one.calls or one.offers
        ]
        if shares:
            self._line.tell(LIMITS, msgpack.encode(shares))

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
                self._told_of(share.address, one).offers |= offers
            if share.calls or share.sockets:
                there[share.address] = share

    def _gone(self, number: int) -> None:
        for key, share in self._others.pop(number, {}).items():
            one = self._addresses.under(key)
            one.others_calls -= share.calls
            one.others_sockets -= share.sockets
