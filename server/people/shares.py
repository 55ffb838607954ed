"""What an address, a network and a person may have of what is asked for, so that nobody uses it up for all.

A network is a /24 of IPv4, a /56 of IPv6: what one customer of a provider may have. A person has his own
share of look-ups, from wherever he asks: else whoever changes his address would go through all handles. The
counts are in memory, and forgotten when they are full again: nothing is kept of who came from where. Several
processes of a machine count for themselves. Deliberately absent: the limits of connections
(`server.addresses`).
"""

from collections import Counter
from ipaddress import ip_address, ip_network
from typing import Final, Literal, get_args
from uuid import UUID

from domain.match.refusals import RequestError
from server.addresses import Address
from server.limits import ATTEMPTS, LOOK_UPS, MAILS, OWN_LOOK_UPS, REGISTRATIONS, SIGN_UPS, Bucket

What = Literal["sign-ups", "attempts", "mails", "look-ups", "bots"]
WHATS: Final = get_args(What)

_LIMITS: Final[dict[What, tuple[float, float]]] = {
    "sign-ups": SIGN_UPS,
    "attempts": ATTEMPTS,
    "mails": MAILS,
    "look-ups": LOOK_UPS,
    "bots": REGISTRATIONS,
}

NETWORK: Final = 4
"""How many addresses' worth of each a network may have."""

MANY: Final = 10_000
"""Counts kept above which full ones are forgotten."""

_LATER: Final[dict[What, str]] = {
    "sign-ups": "too many have signed up from where you are; try again in an hour",
    "attempts": "too many attempts from where you are; try again in some minutes",
    "mails": "too many mails were asked for from where you are; try again in an hour",
    "look-ups": "too much was asked from where you are; try again in some minutes",
    "bots": "too many bots were registered from where you are; try again in an hour",
}
_YOURS: Final = "you have looked up too much; try again in some minutes"


class TooFast(RequestError):
    """Somebody has had his share; `after` is in how many seconds there is some more."""

    def __init__(self, reason: str, after: float) -> None:
        super().__init__("too_fast", reason)
        self.after = after


class Shares:
    """The counts of a node."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[What, str], Bucket] = {}
        self._enough = MANY
        self.refused: Counter[What] = Counter()
        """What was refused since the start."""

    def take(self, what: What, address: Address) -> None:
        """Count one; raise TooFast where an address or its network has had its share."""
        size, seconds = _LIMITS[what]
        for key, most in ((address.key, size), (network(address.key), NETWORK * size)):
            self._take(what, key, most, seconds, _LATER[what])

    def look_up(self, person: UUID) -> None:
        """Count a look-up of a person who is signed in; raise TooFast where he has had his share."""
        self._take("look-ups", str(person), *OWN_LOOK_UPS, _YOURS)

    def _take(self, what: What, key: str, size: float, seconds: float, later: str) -> None:
        bucket = self._bucket(what, key, size, seconds)
        if not bucket.acquire():
            self.refused[what] += 1
            raise TooFast(later, bucket.wait())

    def check(self, what: What, address: Address) -> None:
        """Raise as `take` does where the next would be refused; otherwise nothing is counted."""
        self.take(what, address)
        for key in (address.key, network(address.key)):
            self._buckets[what, key].give_back()

    def _bucket(self, what: What, key: str, size: float, seconds: float) -> Bucket:
        bucket = self._buckets.get((what, key))
        if bucket is None:
            if len(self._buckets) > self._enough:
                self._buckets = {name: one for name, one in self._buckets.items() if not one.full}
                self._enough = max(MANY, 2 * len(self._buckets))
            bucket = self._buckets[what, key] = Bucket(size, seconds)
        return bucket


def network(address: str) -> str:
    """Return the network that an address, or one's /64, belongs to; the text itself for what is none."""
    try:
        first = ip_address(address.partition("/")[0])
    except ValueError:
        return address
    return str(ip_network(f"{first}/{24 if first.version == 4 else 56}", strict=False))  # noqa: PLR2004
