"""The ways to Redis: who is master of which parts, of one Redis, behind Sentinels, and in a Cluster.

A way is asked again and again, since masters change; it connects anew each time and keeps nothing open. What
is published by which master is `server.fanout.redis_bus`'s business.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import ClusterDownError, RedisError, ResponseError

from server import redis_url
from server.fanout.channels import NODES, PARTS, TAGS
from server.redis_url import NAME, Place, RedisFault, RedisUrl

Masters = Mapping[Place, frozenset[int]]
"""The parts that each master serves."""

SLOTS: Final = [key_slot(b"%d" % tag) for tag in TAGS]
"""The slot of each part in a Cluster."""


class Redises(Protocol):
    """A way to Redis."""

    sharded: bool
    """Whether channels are those of a Cluster, each known to one master only."""

    async def masters(self) -> Masters:
        """Ask who is master of what. Raises RedisFault where it is of no use; else as the client."""
        ...


class Alone:
    """One Redis, which is master of all."""

    sharded = False

    def __init__(self, url: RedisUrl) -> None:
        self._masters: Masters = {url.places[0]: frozenset(range(PARTS))}

    async def masters(self) -> Masters:
        """Return the one that there is."""
        return self._masters


class Sentinels:
    """The master of a service; which it is, Sentinels know.

    One that is cut off names a master that is none any more, so each time another is asked first; and what
    is older than what one has said is taken only where nobody says anything newer.
    """

    sharded = False

    def __init__(self, url: RedisUrl, within: float) -> None:
        """Take the seconds within which a Sentinel has to answer."""
        self._url, self._within, self._places = url, within, list(url.places)
        self._epoch = 0  # of the master that was named last

    async def masters(self) -> Masters:
        """Ask one Sentinel after the other for a master that is not down."""
        named: list[tuple[int, Place]] = []
        fault: Exception = MasterNotFoundError()
        for place in list(self._places):
            self._places.append(self._places.pop(0))
            async with _asked(self._url.sentinel(place), self._within) as sentinel:
                try:
                    async with asyncio.timeout(self._within):
                        named.append(_named(await sentinel.sentinel_masters(), self._url.service))
                except (RedisError, OSError) as why:
                    fault = why
                    continue
            if named[-1][0] >= self._epoch:
                break
        if not named:
            raise fault
        self._epoch, master = max(named)
        return {master: frozenset(range(PARTS))}


def _named(masters: Mapping[str, Any], service: str) -> tuple[int, Place]:
    """Return since which epoch who is master, by what a Sentinel says. Raises MasterNotFoundError."""
    told = masters.get(service)
    if told is None or not told["is_master"] or told["is_sdown"] or told["is_odown"]:
        raise MasterNotFoundError(f"No master found for {service!r}")
    return int(told["config-epoch"]), (str(told["ip"]), int(told["port"]))


class Cluster:
    """The masters of a Redis Cluster, of version 7 or later."""

    sharded = True

    def __init__(self, url: RedisUrl, within: float) -> None:
        """Take the seconds within which a server has to answer."""
        self._url, self._within, self._places = url, within, list(url.places)

    async def masters(self) -> Masters:
        """Ask one server after the other for its table of slots, until one that serves knows of all parts.

        A server that is cut off still has its whole table: that is taken only where no other answers.
        """
        best: Masters = {}
        worth = False, 0
        fault: Exception | None = None
        for place in list(self._places):
            async with _asked(self._url.redis(place), self._within) as server:
                try:
                    async with asyncio.timeout(self._within):
                        slots, serves = await _slots(server), await _serves(server)
                except (RedisError, OSError) as why:
                    fault = why
                    continue
            found = _table(slots, place[0])
            if (serves, _served(found)) > worth:
                best, worth = found, (serves, _served(found))
                self._places = [*dict.fromkeys((place, *found, *self._url.places))]
            if worth == (True, PARTS):
                break
        if fault is not None and not best:
            raise fault
        return best


async def _slots(server: Any) -> Sequence[Any]:
    """Return the table of slots as a server knows it. Raises RedisFault where there is no Cluster of ours."""
    try:
        await server.execute_command("SPUBLISH", f"f:{{{TAGS[0]}}}", "")
    except ResponseError as why:  # most often it says whose slot this is
        text = str(why).lower()  # it may be about a command by which the client connects
        if text.startswith("unknown command") and "spublish" in text:
            raise RedisFault(
                f"{NAME} names a Redis Cluster that has no sharded channels (SSUBSCRIBE, SPUBLISH): "
                "it takes Redis 7.0 or later."
            ) from None
    try:
        slots: Sequence[Any] = await server.execute_command("CLUSTER SLOTS")
    except ResponseError as why:
        if "cluster support disabled" in str(why).lower():
            raise RedisFault(f"{NAME} names a Redis Cluster, and the Redis there is none.") from None
        raise
    return slots


async def _serves(server: Any) -> bool:
    """Whether a server is not cut off from its cluster: it takes what is published even if it is."""
    try:
        await server.execute_command("MGET", NODES)
    except ClusterDownError:
        return False
    except ResponseError:  # whose slot this is
        pass
    return True


def _table(slots: Sequence[Any], asked: str) -> Masters:
    """Return the masters by the answer to CLUSTER SLOTS of a host, which may leave out its own name."""
    found: dict[Place, set[int]] = {}
    for first, last, (host, port, *_), *_ in slots:
        name = host.decode() if host else asked
        parts = {part for part, slot in enumerate(SLOTS) if first <= slot <= last}
        if parts:
            found.setdefault((name, port), set()).update(parts)
    return {place: frozenset(parts) for place, parts in found.items()}


def _served(masters: Masters) -> int:
    return sum(len(parts) for parts in masters.values())


@asynccontextmanager
async def _asked(url: str, within: float) -> AsyncIterator[Any]:
    client = connected(url, within)
    try:
        yield client
    finally:
        await client.aclose()


def connected(url: str, within: float) -> Any:
    """Return a client of one server that connects within so many seconds, and whose answers have no deadline.

    No error may be retried: the library would make a new connection, for each task that uses the broken one,
    even with no retries, and hide from us what we must doubt.
    """
    return Redis.from_url(
        url,
        socket_timeout=None,  # a deadline for each answer costs as much as the answer
        socket_connect_timeout=within,
        retry=Retry(NoBackoff(), 0, supported_errors=()),
        health_check_interval=0,
    )


def said(fault: Exception) -> str:
    """Return what a log line tells of a fault: the repr of the client's errors leaves out what they say.

    Who does not know a command repeats what came with it, which is our password where it is HELLO.
    """
    name, text = type(fault).__name__, str(fault).partition(", with args beginning with")[0]
    if not text and isinstance(fault, TimeoutError):
        text = "no answer in time"
    return f"{name}: {text}" if text else name


def reached(url: RedisUrl, within: float) -> Redises:
    """Return the way that a URL names. Raises RedisFault for an option that the client does not take."""
    try:
        pool: Any = ConnectionPool.from_url(url.redis(url.places[0]))
        pool.make_connection()
    except (TypeError, ValueError, RedisError) as why:
        raise RedisFault(f"{NAME} has an option that the client does not take: {why}") from None
    match url.way:
        case redis_url.Way.SENTINEL:
            return Sentinels(url, within)
        case redis_url.Way.CLUSTER:
            return Cluster(url, within)
        case redis_url.Way.ALONE:
            return Alone(url)
