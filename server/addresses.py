"""Who comes from where: what all connections of one address have open together, and what they may still do.

Laws of this module:
- Whoever is beyond a limit waits. Only where too many wait already is a new connection cut off.
- What one address does costs no other address anything.

Deliberately absent: what is read and said on a connection (`server.socket.paced`, `server.socket.visitor`).
"""

import asyncio
import contextlib
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

import structlog
from websockets.datastructures import Headers

from server.limits import ARRIVALS, CALLS, CREATIONS, LONGEST_WAIT, READS, SOCKETS, WORK, Bucket

logger = structlog.get_logger()

MANY: Final = 1000
"""Addresses above which those are forgotten of which there is nothing to remember."""

SUBNET: Final = 64
"""Bits of an IPv6 address that a network gives its customer to fill as he likes."""


class Address:
    """One address: its connections that are open, and its buckets."""

    __slots__ = (
        "arrivals",
        "calls",
        "creations",
        "most",
        "readers",
        "reads",
        "sockets",
        "told",
        "turn",
        "work",
    )

    def __init__(self, most: int = SOCKETS) -> None:
        """Take how many websockets it may have open."""
        scale = max(1.0, most / SOCKETS)
        self.most = most
        self.calls = self.sockets = self.readers = 0
        self.arrivals = Bucket(ARRIVALS[0] * scale, ARRIVALS[1])
        self.work = Bucket(WORK[0] * scale, WORK[1])
        self.reads = Bucket(READS[0] * scale, READS[1])
        self.turn = asyncio.Lock()
        self.creations = Bucket(*CREATIONS)
        self.told = Bucket(1, 60.0)

    def arrive(self) -> float | None:
        """Count a connection that is made; return the seconds it has to wait, None if it is to be cut off."""
        room = max(self.most, SOCKETS) + CALLS
        if self.calls >= room or self.arrivals.owed() > LONGEST_WAIT:
            if self.told.acquire():
                logger.info("turned away", why="too many connections at once from one address")
            return None
        self.calls += 1
        return self.arrivals.spend()

    def leave(self) -> None:
        """Forget a connection that has arrived."""
        self.calls -= 1

    @property
    def full(self) -> bool:
        """Whether it may open no more websockets now."""
        return self.sockets >= self.most

    @property
    def at_rest(self) -> bool:
        """Whether there is nothing to remember of it."""
        buckets = (self.arrivals, self.work, self.reads, self.creations)
        return not self.calls and not self.readers and all(bucket.full for bucket in buckets)


class Addresses:
    """All addresses from which somebody comes or came of late."""

    def __init__(self, most: int = SOCKETS, proxies: int = 0) -> None:
        """Take the websockets that an address may have open, and how many proxies of our own are in front."""
        self._most, self._proxies = most, proxies
        self._known: dict[str, Address] = {}
        self.waiting: set[asyncio.Transport] = set()
        """Connections that are made and not begun."""

    def close(self) -> None:
        """Cut off those that wait."""
        for transport in self.waiting:
            transport.abort()

    @property
    def direct(self) -> bool:
        """Whether the other end of a connection is whoever wants something, and no proxy of ours."""
        return not self._proxies

    def at(self, peer: Any) -> Address:
        """Return the address of whoever opens a connection. Behind a proxy nothing is known of it yet."""
        return self._of(str(peer[0])) if self.direct and peer else self.own()

    def behind(self, peer: Any, headers: Headers) -> Address:
        """Return the address of a request, as the outermost of our own proxies saw it.

        What stands in X-Forwarded-For before the addresses that they wrote, anybody may have written.
        """
        hops = [hop.strip() for line in headers.get_all("X-Forwarded-For") for hop in line.split(",")]
        if self._proxies and len(hops) >= self._proxies:
            return self._of(hops[-self._proxies])
        return self._of(str(peer[0]) if peer else "unknown")

    def own(self) -> Address:
        """Return an address that nobody else shares."""
        return Address(self._most)

    def _of(self, name: str) -> Address:
        if len(self._known) > MANY:
            self._known = {name: one for name, one in self._known.items() if not one.at_rest}
        key = network(name)
        address = self._known.get(key)
        if address is None:
            address = self._known[key] = self.own()
        return address


def network(name: str) -> str:
    """Return what an address is counted under: itself, or the network of which its user has the whole."""
    with contextlib.suppress(ValueError):
        address = ip_address(name.partition("%")[0])
        if not isinstance(address, IPv6Address):
            return str(address)
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> SUBNET << SUBNET)}/{SUBNET}"
    return name
