"""FLEETFOLD_REDIS_URL taken apart: in which way Redis is reached, and where.

| URL | what it names |
|---|---|
| `redis://user:password@host:6379/0`, `unix:///socket` | one Redis |
| `redis+sentinel://user:password@host:26379,host2:26379/service` | the master of a service, by Sentinels |
| `redis+cluster://user:password@host:6379,host2:6379` | a Redis Cluster, found by way of any of its servers |

With `rediss` in place of `redis` all connections have TLS. User and password are those of Redis; Sentinels
that ask for some get `?sentinel_username=` and `?sentinel_password=`. What else stands behind `?` is left to
the client library, such as `ssl_ca_certs=/file`. An `@` behind the hosts is written `%40`: one that
is not is most often the end of a password with a `/`, `?` or `#` in it, whose beginning is taken for a host.

Deliberately absent: connections, and the client library, which takes long to import.
"""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from msgspec import Struct

NAME: Final = "FLEETFOLD_REDIS_URL"

Place = tuple[str, int]
"""A host and a port; the path of a socket, and 0."""

SENTINEL_USER, SENTINEL_PASSWORD = "sentinel_username", "sentinel_password"


class RedisFault(ValueError):
    """Redis cannot be used as it is set or found. The message names the variable, never its value."""


class Way(Enum):
    """How Redis is reached."""

    ALONE = auto()
    SENTINEL = auto()
    CLUSTER = auto()


SCHEMES: Final = {
    "redis": (Way.ALONE, "redis"),
    "rediss": (Way.ALONE, "rediss"),
    "unix": (Way.ALONE, "unix"),
    "redis+sentinel": (Way.SENTINEL, "redis"),
    "rediss+sentinel": (Way.SENTINEL, "rediss"),
    "redis+cluster": (Way.CLUSTER, "redis"),
    "rediss+cluster": (Way.CLUSTER, "rediss"),
}
"""The way that each scheme means, and the scheme of a URL of one server."""

PORTS: Final = {Way.ALONE: 6379, Way.SENTINEL: 26379, Way.CLUSTER: 6379}


class RedisUrl(Struct, frozen=True):
    """A URL taken apart. Its repr holds no password."""

    way: Way
    places: tuple[Place, ...]
    """The Redis, the Sentinels, or servers of the cluster."""
    service: str
    """What Sentinels call it, else empty."""
    _text: str
    _parts: SplitResult

    def __repr__(self) -> str:
        """Leave out everything secret."""
        return f"RedisUrl({self.way.name}, {self.places}, {self.service!r})"

    def redis(self, place: Place) -> str:
        """Return the URL of one Redis, for the client library."""
        if self.way is Way.ALONE:
            return self._text
        user = self._parts.netloc.rpartition("@")[0]
        options = [one for one in parse_qsl(self._parts.query) if one[0] not in _OF_SENTINELS]
        return self._at(place, user, options)

    def sentinel(self, place: Place) -> str:
        """Return the URL of one Sentinel, for the client library."""
        options = parse_qsl(self._parts.query)
        own = {name: value for name, value in options if name in _OF_SENTINELS}
        user = ":".join(quote(own.get(name, ""), safe="") for name in (SENTINEL_USER, SENTINEL_PASSWORD))
        return self._at(place, user if own else "", [one for one in options if one[0] not in {*own, "db"}])

    def _at(self, place: Place, user: str, options: Sequence[tuple[str, str]]) -> str:
        netloc = f"{user}@{named(place)}" if user else named(place)
        return SplitResult(SCHEMES[self._parts.scheme][1], netloc, "", urlencode(options), "").geturl()


_OF_SENTINELS: Final = (SENTINEL_USER, SENTINEL_PASSWORD)


def named(place: Place) -> str:
    """Return a place as it is written in a URL and told in a log line."""
    host, port = place
    if not port:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def parse(text: str) -> RedisUrl:
    """Take a URL apart. Raises RedisFault."""
    try:
        parts = urlsplit(text)
    except ValueError:
        raise RedisFault(f"{NAME} is not a URL.") from None
    if parts.scheme not in SCHEMES:
        raise RedisFault(f"{NAME} must begin with {', '.join(f'{one}://' for one in SCHEMES)}.")
    if any("@" in rest for rest in (parts.path, parts.query, parts.fragment)):
        raise RedisFault(
            f"{NAME} must have its user and password percent-encoded, / as %2F, ? as %3F and # as %23, "
            "and an @ behind the hosts as %40."
        )
    way, service = SCHEMES[parts.scheme][0], parts.path.strip("/")
    if parts.scheme == "unix":
        return RedisUrl(way, ((parts.path, 0),), "", text, parts)
    form = f"{parts.scheme}://user:password@host:{PORTS[way]}"
    hosts = parts.netloc.rpartition("@")[2].split(",")
    if way is Way.ALONE and len(hosts) > 1:
        raise RedisFault(f"{NAME} must name one Redis, {form}: several are a Sentinel's or a Cluster's.")
    if way is Way.SENTINEL and (not service or "/" in service):
        raise RedisFault(f"{NAME} must name the service behind the Sentinels, {form}/service.")
    if way is Way.CLUSTER and (service or "db" in dict(parse_qsl(parts.query))):
        raise RedisFault(f"{NAME} must name no database, {form}: a Cluster has none with a number.")
    places = tuple(_place(host, way, form) for host in hosts)
    return RedisUrl(way, places, service if way is Way.SENTINEL else "", text, parts)


def _place(text: str, way: Way, form: str) -> Place:
    try:
        parts = urlsplit(f"//{text}")
        port = parts.port
    except ValueError:
        raise RedisFault(f"{NAME} has a port that is none; it is like {form}.") from None
    if port == 0 or (way is not Way.ALONE and not parts.hostname):
        raise RedisFault(f"{NAME} lacks a host or a port; it is like {form}.")
    return parts.hostname or "localhost", port or PORTS[way]
