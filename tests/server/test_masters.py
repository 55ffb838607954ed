"""The bus through a Redis Cluster and through Sentinels: hubs, masters that change, real clients."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from redis.exceptions import ResponseError
from structlog.testing import capture_logs

from domain.kernel.audience import VIEWERS, Audience
from server.bench.redis_server import RedisServer
from server.fanout.broadcasts import Topic, end
from server.fanout.channels import PARTS, channel, part
from server.fanout.hub import Hub
from server.fanout.presence import Crowd
from server.fanout.redis_bus import RedisBus
from server.fanout.redis_ways import SLOTS, Masters, _table
from server.redis_url import RedisFault
from tests.conftest import new_place
from tests.server.certificates import Certificates
from tests.server.masters import SERVICE, Cluster, Pretender, Service, waited
from tests.server.test_bus import KEYS, PATIENT, Listener, broadcast, listening, quiet, redis_bus, told_by
from tests.server.watching import ListLog, Node, Watching, match_id, node, until

LEFT_ALONE = msgspec.structs.replace(PATIENT, beat=2.0, compare=60.0, look=1.0)
"""Heads are compared for a reason only, so that what is proved is not proved by the last resort.

A heartbeat that is late where the machine is busy is none.
"""

Watchers = list[tuple[UUID, Watching]]


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    """Give certificates for the loopback, of an authority of the test's own."""
    return Certificates(tmp_path / "tls")


@contextlib.asynccontextmanager
async def two_nodes(url: str, log: ListLog) -> AsyncIterator[tuple[Node, Node]]:
    """Two nodes on one log and the same Redises, both heard."""
    hubs = [Hub(log, RedisBus(url, KEYS, LEFT_ALONE), LEFT_ALONE) for _ in range(2)]
    async with node(hubs[0]) as here, node(hubs[1]) as there:
        await until(lambda: here.hub.bus_up and there.hub.bus_up)
        yield here, there


async def play(log: ListLog, matches: Sequence[UUID], nodes: tuple[Node, Node]) -> None:
    """Decide one after the other, now at one node and now at the other, for a minute at most."""
    async with asyncio.timeout(60):
        for one in itertools.cycle(nodes):
            for match in matches:
                one.hub.deliver(log.decide(match))
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def playing(log: ListLog, matches: Sequence[UUID], nodes: tuple[Node, Node]) -> AsyncIterator[None]:
    """Play from a little before something is done until a little after."""
    task = asyncio.create_task(play(log, matches, nodes))
    try:
        await a_little_is_played(log, matches)
        yield
        await a_little_is_played(log, matches)
    finally:
        await end([task])


async def a_little_is_played(log: ListLog, matches: Sequence[UUID]) -> None:
    upto = log.head(matches[-1]) + 20
    await until(lambda: log.head(matches[-1]) >= upto)


async def watched(log: ListLog, matches: Sequence[UUID], nodes: tuple[Node, Node]) -> Watchers:
    """Have each match watched for all audiences at both nodes, and wait until nobody asks the log."""
    for match in matches:
        log.decide(match)
    made = [
        (match, await one.watch(match, viewer)) for match in matches for one in nodes for viewer in VIEWERS
    ]
    for one in nodes:
        await one.current(len(matches) * len(VIEWERS))
    await quiet(log)
    return made


async def all_reach_the_head(log: ListLog, watching: Watchers, seconds: float = 5.0) -> None:
    """Wait until everybody has everything; each checks that he saw nothing twice or out of order."""
    for match, one in watching:
        await one.reach(log.head(match), seconds)


def at(cluster: Cluster, match: UUID) -> RedisServer:
    """Return the master of a match."""
    return cluster.master_of(channel(match))


def one_at(cluster: Cluster, master: RedisServer) -> UUID:
    """Return a match at a master, and not in the first part, where the heartbeat of the first master is."""
    for match in (match_id() for _ in range(2000)):
        if part(match) and at(cluster, match) is master:
            return match
    raise AssertionError("no match is there")


def one_of_each(cluster: Cluster) -> list[UUID]:
    """Return a match at each master."""
    return [one_at(cluster, master) for master in cluster.masters]


async def goes_without_the_log(
    log: ListLog, matches: Sequence[UUID], nodes: tuple[Node, Node], watching: Watchers
) -> bool:
    """Play a little, and say whether it came to all without a look at the log."""
    await quiet(log)
    reads = log.reads
    for number in range(20):
        for match in matches:
            nodes[number % 2].hub.deliver(log.decide(match))
        await all_reach_the_head(log, [one for one in watching if one[0] in matches])
    return log.reads == reads


# A Cluster


async def test_each_match_is_told_by_its_own_master_alone(redis_cluster: Cluster) -> None:
    log, matches = ListLog(), one_of_each(redis_cluster)
    async with two_nodes(redis_cluster.url, log) as nodes:
        watching = await watched(log, matches, nodes)
        heard = [redis_cluster.channels(master) for master in redis_cluster.masters]

        assert await goes_without_the_log(log, matches, nodes, watching)
        for match, own in zip(matches, heard, strict=True):
            assert {channel(match).encode()} == own & {channel(one).encode() for one in matches}


async def test_who_is_present_is_summed_in_all_parts_of_a_cluster(redis_cluster: Cluster) -> None:
    matches = {part(match): match for match in (match_id() for _ in range(2000))}
    make: Callable[[], RedisBus] = lambda: redis_bus(redis_cluster.url, PATIENT)  # noqa: E731
    async with listening(make) as (here, _), listening(make) as (there, _):
        crowds = {match: Crowd(1, number) for number, match in matches.items()}
        await there.presence(crowds)

        assert PARTS == len(matches)
        assert {match: Crowd(3, 2 * crowd.onlookers) for match, crowd in crowds.items()} == (
            await here.presence({match: Crowd(2, crowd.onlookers) for match, crowd in crowds.items()})
        )


async def test_a_slot_that_is_moved_while_its_match_is_played_loses_nothing(redis_cluster: Cluster) -> None:
    log, matches = ListLog(), one_of_each(redis_cluster)
    source, target, _ = redis_cluster.masters
    async with two_nodes(redis_cluster.url, log) as nodes:
        watching = await watched(log, matches, nodes)
        async with playing(log, matches, nodes):
            await asyncio.to_thread(redis_cluster.move, SLOTS[part(matches[0])], source, target)
            await until(lambda: redis_cluster.hearers(target, matches[0]) == len(nodes))
        await all_reach_the_head(log, watching)
        await until(lambda: all(one.hub.bus_up for one in nodes))

        assert await goes_without_the_log(log, matches, nodes, watching)
        await until(lambda: all(one.hub.presence(matches[0]) == (3, 2) for one in nodes))


async def test_what_a_master_does_not_take_any_more_is_owed_to_the_next(redis_cluster: Cluster) -> None:
    timing = msgspec.structs.replace(PATIENT, look=60.0)
    source, other, target = redis_cluster.masters
    match = one_at(redis_cluster, source)
    make: Callable[[], RedisBus] = lambda: redis_bus(redis_cluster.url, timing)  # noqa: E731
    async with (
        listening(make, (match, Audience.ONLOOKERS)) as (_, there),
        listening(make) as (here, _),
    ):
        assert isinstance(here, RedisBus)
        line = next(line for line in here._lines if line.place[1] == other.port)
        await asyncio.to_thread(redis_cluster.move, SLOTS[part(match)], source, target)
        here.publish([broadcast(match, after=5)])
        await until(lambda: there.broadcasts)

        assert broadcast(match, after=5, text=b"") in there.broadcasts
        assert line in here._lines  # what need not change stays


def test_what_a_test_moves_in_a_cluster_is_put_back(redis_cluster: Cluster) -> None:
    source, target, _ = redis_cluster.masters
    match = one_at(redis_cluster, source)
    told: Callable[[], list[Masters]] = lambda: [  # noqa: E731
        _table(one.ask("CLUSTER SLOTS"), "asked")  # type: ignore[arg-type]
        for one in redis_cluster.masters
    ]
    before = told()
    redis_cluster.move(SLOTS[part(match)], source, target)
    moved = told()
    redis_cluster.put_back()

    assert before == told() != moved
    assert at(redis_cluster, match) is source


async def test_a_master_that_is_gone_leaves_the_matches_of_the_others_alone() -> None:
    with Cluster(new_place(), {"cluster-require-full-coverage": "no"}) as cluster:
        matches = one_of_each(cluster)
        make: Callable[[], RedisBus] = lambda: redis_bus(cluster.url, PATIENT)  # noqa: E731
        topics: list[Topic] = [(match, Audience.ONLOOKERS) for match in matches]
        async with listening(make, *topics) as (_, there), listening(make) as (here, _):
            cluster.masters[0].kill()
            for match in matches:
                here.publish([broadcast(match)])
            await until(lambda: len(there.broadcasts) == 2)
            await until(lambda: not here.up)
            for match in matches:
                here.publish([broadcast(match, after=1)])
            await until(lambda: len(there.broadcasts) == 4)

            assert {*matches[1:]} == {one.match for one in there.broadcasts}
            assert all(one.text for one in there.broadcasts)
            assert None is await here.presence({matches[1]: Crowd(1, 1)})


@pytest.mark.soak
async def test_a_master_whose_replica_takes_over_while_play_goes_on_loses_nothing() -> None:
    log = ListLog()
    with Cluster(new_place(), replicas=1) as cluster:
        matches = one_of_each(cluster)
        async with two_nodes(cluster.url, log) as nodes:
            watching = await watched(log, matches, nodes)
            async with playing(log, matches, nodes):
                cluster.masters[1].kill()
                await until(lambda: cluster.hearers(cluster.servers[4], matches[1]) == len(nodes), seconds=30)
            await all_reach_the_head(log, watching)
            await until(lambda: all(one.hub.bus_up for one in nodes), seconds=30)

            assert await goes_without_the_log(log, matches, nodes, watching)
            await until(lambda: all(one.hub.presence(matches[1]) == (3, 2) for one in nodes))
            async with playing(log, matches, nodes):
                cluster.start(cluster.masters[1])  # a replica now
            await all_reach_the_head(log, watching)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({}, "the Redis there is none"),
        ({"rename-command": "SPUBLISH "}, "has no sharded channels .* takes Redis 7.0"),
    ],
)
async def test_what_is_no_cluster_of_ours_is_refused_at_the_start(settings: dict[str, str], why: str) -> None:
    with Pretender(new_place(), settings) as one:
        bus = redis_bus(one.url)
        with pytest.raises(RedisFault, match=why):
            await bus.start(Listener())
        await bus.stop()


# Sentinels


async def masters_change(service: Service) -> None:
    """Play while the master is killed, until its replica is the master of both nodes."""
    log, matches = ListLog(), [match_id(), match_id()]
    async with two_nodes(service.url, log) as nodes:
        watching = await watched(log, matches, nodes)
        async with playing(log, matches, nodes):
            service.master.kill()
            for match in matches:
                await until(lambda one=match: service.hearers(one) == len(nodes), seconds=30)
        await all_reach_the_head(log, watching)
        await until(lambda: all(one.hub.bus_up for one in nodes), seconds=30)

        assert await goes_without_the_log(log, matches, nodes, watching)
        await until(lambda: all(one.hub.presence(matches[1]) == (3, 2) for one in nodes))


async def test_a_master_that_dies_is_followed_by_the_one_that_sentinels_make() -> None:
    with Service(new_place()) as service:
        await masters_change(service)


@pytest.mark.soak
async def test_three_sentinels_one_of_which_is_gone_make_another_master_while_play_goes_on() -> None:
    with Service(new_place(), sentinels=3) as service:
        service.sentinels[0].kill()
        await masters_change(service)


async def test_what_no_sentinel_knows_is_asked_for_again_and_no_password_is_logged() -> None:
    with Service(new_place()) as service, capture_logs() as lines:
        bus = redis_bus(service.url.replace("/fleet", "/freight"), PATIENT)
        await bus.start(Listener())
        bus.watch((match_id(), Audience.ONLOOKERS))
        bus.publish([broadcast(match_id())])
        up = bus.up
        await bus.stop()

    assert not up
    assert ["bus.no_masters"] == [line["event"] for line in lines]
    assert "No master found for 'freight'" in lines[0]["fault"]
    assert service.user.partition(":")[2] not in str(lines)


async def test_of_sentinels_that_are_away_no_password_is_logged() -> None:
    secret = "hunter2"
    url = f"redis+sentinel://fleet:{secret}@127.0.0.1:1/fleet?sentinel_password={secret}"
    with capture_logs() as lines:
        bus = redis_bus(url, PATIENT)
        await bus.start(Listener())
        await bus.stop()

    assert "127.0.0.1" in lines[0]["fault"]
    assert secret not in str(lines)


async def test_sentinels_are_asked_one_after_the_other() -> None:
    with Service(new_place()) as service:
        url = service.url.replace("@", "@127.0.0.1:1,")
        async with listening(lambda: redis_bus(url, PATIENT)) as (bus, _):
            assert bus.up


@pytest.mark.parametrize("way", [Service, pytest.param(Cluster, marks=pytest.mark.soak)])
async def test_several_are_reached_by_tls_and_a_user_with_few_rights(
    certificates: Certificates, way: type[Service] | type[Cluster]
) -> None:
    match = match_id()
    with way(new_place(), certificates=certificates) as several:
        make: Callable[[], RedisBus] = lambda: redis_bus(several.url, PATIENT)  # noqa: E731
        async with (
            listening(make, (match, Audience.ONLOOKERS)) as (bus, there),
            listening(make) as (here, _),
        ):
            await told_by(here, there, match)
            await bus.presence({match: Crowd(1, 1)})

            assert {match: Crowd(3, 2)} == await here.presence({match: Crowd(2, 1)})


async def test_what_was_told_to_a_master_that_lives_but_is_none_any_more_is_owed() -> None:
    """Given two nodes, one of which learns of the new master later than the other."""
    match = match_id()
    early, late = (msgspec.structs.replace(PATIENT, look=look) for look in (0.1, 60.0))
    with Service(new_place()) as service:
        async with (
            listening(lambda: redis_bus(service.url, early), (match, Audience.ONLOOKERS)) as (first, there),
            listening(lambda: redis_bus(service.url, late)) as (second, _),
        ):
            assert isinstance(first, RedisBus)
            assert isinstance(second, RedisBus)
            await asyncio.to_thread(waited, partial(replaces_its_master, service))
            await until(lambda: masters_of(first) == {service.replica.port}, seconds=20)
            await until(lambda: first.up and not first._gone)
            second.publish([broadcast(match, after=5)])
            await second._lines[0]._idle.wait()
            known, heard = masters_of(second), list(there.broadcasts)
            second._unsure.set()
            await until(lambda: there.broadcasts)

            assert ({service.master.port}, []) == (known, heard)
            assert [broadcast(match, after=5, text=b"")] == there.broadcasts


def replaces_its_master(service: Service) -> bool:
    """Have the replica made master while the other lives; a Sentinel does not know at once that it is fit."""
    try:
        service.sentinels[0].ask("SENTINEL", "FAILOVER", SERVICE)
    except ResponseError:
        return False
    return True


def masters_of(bus: RedisBus) -> set[int]:
    """Return the ports of the masters that a node knows."""
    return {line.place[1] for line in bus._lines}
