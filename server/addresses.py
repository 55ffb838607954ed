"""Limits for each client address: connections open together, and token buckets that they share.

Laws of this module:
- Above a limit connections wait. A new connection is aborted only if its wait would be too long.
- Limits of one address do not affect another.
- Where the process may open hardly any more files, whoever is new is turned away, wherever he comes from.

Deliberately absent: the traffic of a connection (`server.socket.paced`, `server.socket.visitor`).
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, Literal, get_args
from uuid import UUID
from weakref import ref

import structlog
from websockets.datastructures import Headers

from server.limits import (
    ARRIVALS,
    CALLS,
    CREATIONS,
    LONGEST_WAIT,
    READS,
    SOCKETS,
    WORK,
    Bucket,
    room_for,
)
from server.nobody import nobody

logger = structlog.get_logger()

MANY: Final = 1000
"""Addresses kept above which those at rest are evicted."""

OFFERERS: Final = 10_000
"""Evicted addresses whose offers are remembered, the latest. Whoever has more than these to evict others with
may offer more from them than he gains by what is forgotten."""

SUBNET: Final = 64
"""Prefix length, in bits, of the IPv6 network counted as one address: what one customer usually gets."""


_WITH_PORT: Final = re.compile(r"\[(.*)\](?::\d+)?|([\d.]+):\d+")

Why = Literal["connections", "files", "handshakes", "reads", "requests", "suggestions", "websockets"]
"""What there is too much of at an address: connections open, those made, matches that are read whole,
requests over HTTP, suggestions that wait, websockets open. Or of all of them together: files open. What else
a node has no room for does not count."""

WHYS: Final[tuple[Why, ...]] = get_args(Why)


class Address:
    """One address: its open connections and its token buckets."""

    __slots__ = (
        "__weakref__",
        "_calls",
        "_changed",
        "_sockets",
        "arrivals",
        "creations",
        "key",
        "most",
        "offering",
        "offers",
        "others_calls",
        "others_sockets",
        "readers",
        "reads",
        "told",
        "turn",
        "turned_away",
        "work",
    )

    def __init__(
        self,
        most: int = SOCKETS,
        turned_away: Counter[Why] | None = None,
        key: str = "",
        note: "Callable[[Address], object] | None" = None,
    ) -> None:
        """Take the number of websockets that may be open, and where those turned away are counted.

        `note` is called with this whenever something has changed that others are to know.
        """
        self.key = key
        """What it is counted under."""
        self._changed: Callable[[], object] = nobody if note is None else partial(_note, note, ref(self))
        self.turned_away = Counter() if turned_away is None else turned_away
        scale = max(1.0, most / SOCKETS)
        self.most = most
        self._calls = self._sockets = self.readers = 0
        self.others_calls = self.others_sockets = 0
        """The same at the other processes of this machine (`server.sharing`)."""
        self.arrivals = Bucket(ARRIVALS[0] * scale, ARRIVALS[1], changed=self._changed)
        self.work = Bucket(WORK[0] * scale, WORK[1], changed=self._changed)
        self.reads = Bucket(READS[0] * scale, READS[1], changed=self._changed)
        self.turn = asyncio.Lock()
        self.creations = Bucket(CREATIONS[0] * scale, CREATIONS[1], changed=self._changed)
        self.offers: set[UUID] = set()
        """The matches offered from it that may still be open."""
        self.offering = asyncio.Lock()
        """To be held from counting the open offers to making another."""
        self.told = Bucket(1, 60.0)

    @property
    def here(self) -> bool:
        """Whether it is this machine's own."""
        return self.key.startswith("127.") or self.key == network("::1")

    @property
    def calls(self) -> int:
        """Its open connections."""
        return self._calls

    @calls.setter
    def calls(self, calls: int) -> None:
        self._calls = calls
        self._changed()

    @property
    def sockets(self) -> int:
        """Those of them that are websockets."""
        return self._sockets

    @sockets.setter
    def sockets(self, sockets: int) -> None:
        self._sockets = sockets
        self._changed()

    def offer(self, match: UUID) -> None:
        """Count a match as offered from here."""
        self.offers.add(match)
        self._changed()

    def arrive(self) -> float | None:
        """Count a new connection; return the seconds it has to wait, None if it is to be aborted."""
        room = max(self.most, SOCKETS) + CALLS
        crowded = self.calls + self.others_calls >= room
        if crowded or self.arrivals.owed() > LONGEST_WAIT:
            self.turn_away("connections" if crowded else "handshakes")
            return None
        self.calls += 1
        return self.arrivals.spend()

    def turn_away(self, why: Why) -> None:
        """Count somebody who is turned away, and log it, for an address once a minute."""
        self.turned_away[why] += 1
        if self.told.acquire():
            logger.info("turned away", why=f"too many {why} from one address")

    def leave(self) -> None:
        """Uncount a connection."""
        self.calls -= 1

    @property
    def full(self) -> bool:
        """Whether no more websockets may be opened now."""
        return self.sockets + self.others_sockets >= self.most

    @property
    def at_rest(self) -> bool:
        """Whether it has no connections and full buckets, and may be evicted."""
        connected = self.calls or self.others_calls or self.readers
        return not connected and all(bucket.full for bucket in self.buckets)

    @property
    def buckets(self) -> tuple[Bucket, ...]:
        """Its token buckets."""
        return self.arrivals, self.work, self.reads, self.creations


def _note(note: Callable[[Address], object], one: "ref[Address]") -> None:
    """Note an address, which is held weakly by itself: it is freed where nobody else holds it any more."""
    address = one()
    if address is not None:
        note(address)


class Addresses:
    """The addresses with connections now or lately."""

    def __init__(self, most: int = SOCKETS, proxies: int = 0, *, shared: bool = False) -> None:
        """Take the limit of websockets of an address, and the number of the operator's proxies in front.

        `shared`: note which have changed, for the other processes of this machine.
        """
        self._shared = shared
        self.changed: dict[Address, None] = {}
        """Those that have changed and were not taken out since, in order; none unless they are shared."""
        self._most, self._proxies = most, proxies
        self._known: dict[str, Address] = {}
        self._offers: dict[str, set[UUID]] = {}
        """The offers of addresses that were evicted: they count as long as they are open."""
        self._enough = MANY
        """Addresses above which to look for those at rest: not each time while all are in use."""
        self.turned_away: Counter[Why] = Counter()
        self._told = Bucket(1, 60.0)
        self.closed = False
        """Whether no connection may begin any more: nobody would end it."""
        self.waiting: set[asyncio.Transport] = set()
        """Accepted connections that still wait for their rate limit."""

    @property
    def known(self) -> Mapping[str, Address]:
        """The addresses that connections share, by what they are counted under."""
        return self._known

    @property
    def remembered(self) -> Mapping[str, set[UUID]]:
        """The offers of addresses that were evicted, by what they were counted under."""
        return self._offers

    def under(self, key: str) -> Address:
        """Return the address that is counted under a key."""
        address = self._known.get(key)
        if address is None:
            if len(self._known) > self._enough:
                self._evict()
            note = self.changed.setdefault if self._shared else None
            address = self._known[key] = Address(self._most, self.turned_away, key, note)
            address.offers = self._offers.pop(key, address.offers)
        return address

    def _evict(self) -> None:
        """Evict the addresses at rest."""
        at_rest = {name: one for name, one in self._known.items() if one.at_rest}
        self._known = {name: one for name, one in self._known.items() if name not in at_rest}
        self._enough = max(MANY, 2 * len(self._known))
        self._offers |= {name: one.offers for name, one in at_rest.items() if one.offers}
        for name in list(self._offers)[:-OFFERERS]:
            del self._offers[name]

    def close(self) -> None:
        """Abort the connections that wait, and let no more begin."""
        self.closed = True
        for transport in self.waiting:
            transport.abort()

    def has_room(self, descriptor: int) -> bool:
        """Whether a new connection with this file descriptor may begin; else it is counted as turned away.

        That is logged once a minute, whoever they are: others than they may have used up the files.
        """
        if room_for(descriptor):
            return True
        self.turned_away["files"] += 1
        if self._told.acquire():
            logger.warning(
                "turned away", why="hardly any more files may be opened, and each connection is one"
            )
        return False

    @property
    def direct(self) -> bool:
        """Whether clients connect directly, and not through a proxy of the operator's."""
        return not self._proxies

    def at(self, peer: Any) -> Address:
        """Return the address of a new connection; behind a proxy an unshared one, until `behind` tells."""
        return self._of(str(peer[0])) if self.direct and peer else self.own()

    def behind(self, peer: Any, headers: Headers) -> Address:
        """Return the address of a request as the outermost of the operator's proxies saw it.

        Earlier entries of X-Forwarded-For are ignored, since any client may have written them. Where what
        counts is no address, since a proxy is not set up as it should be, the proxy itself is counted.
        """
        hops = [hop.strip() for line in headers.get_all("X-Forwarded-For") for hop in line.split(",")]
        told = network(hops[-self._proxies]) if 0 < self._proxies <= len(hops) else None
        return self._of(str(peer[0]) if peer else "") if told is None else self.under(told)

    def own(self) -> Address:
        """Return a new address that no other connection shares."""
        return Address(self._most, self.turned_away)

    def _of(self, name: str) -> Address:
        return self.under(network(name) or "unknown")


def network(name: str) -> str | None:
    """Return what an address is counted under: itself for IPv4, its network of SUBNET bits for IPv6.

    A port behind it, which some proxies write, is left out. None of what is no address.
    """
    bare = _WITH_PORT.fullmatch(name)
    try:
        address = ip_address((bare[1] or bare[2] if bare else name).partition("%")[0])
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> SUBNET << SUBNET)}/{SUBNET}"
