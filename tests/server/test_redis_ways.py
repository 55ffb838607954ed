"""The ways to Redis asked by themselves: servers that know more or less than others, or speak otherwise."""

import pytest
from redis.exceptions import ResponseError
from structlog.testing import capture_logs

from server.fanout import redis_ways
from server.fanout.channels import PARTS
from server.fanout.redis_ways import SLOTS, _table, reached
from server.redis_url import RedisFault, parse
from tests.conftest import new_place
from tests.server.masters import SERVICE, Cluster, Pretender, Service, users, waited
from tests.server.test_bus import Listener, redis_bus
from tests.server.watching import until


def test_a_table_of_slots_names_masters_and_who_gives_no_name_is_who_was_asked() -> None:
    slots = [
        [0, 8191, [b"one.example", 7000, b"id", [b"ip", b"10.0.0.1"]], [b"two.example", 7001, b"id", []]],
        [8192, 16383, [None, 7002, b"id", []]],
    ]

    assert {("one.example", 7000): frozenset(range(32)), ("asked", 7002): frozenset(range(32, 64))} == (
        _table(slots, "asked")
    )


async def test_an_unknown_command_that_is_no_spublish_is_not_taken_for_a_missing_one() -> None:
    with Pretender(new_place(), {"rename-command": "HELLO "}) as one:
        with pytest.raises(ResponseError, match="unknown command 'HELLO'"):
            await reached(parse(one.url), within=10.0).masters()
        with pytest.raises(RedisFault, match="the Redis there is none"):
            await reached(parse(f"{one.url}?protocol=2"), within=10.0).masters()


@pytest.mark.parametrize("scheme", ["redis+cluster", "redis"])
async def test_no_password_is_logged_where_the_command_that_had_it_is_unknown(scheme: str) -> None:
    with Pretender(new_place(), {"rename-command": "HELLO "}) as one, capture_logs() as lines:
        bus = redis_bus(f"{scheme}://fleet:hunter2@127.0.0.1:{one.servers[0].port}")
        await bus.start(Listener())
        await until(lambda: "unknown command 'HELLO'" in str(lines))
        await bus.stop()

    assert "hunter2" not in str(lines)


async def test_a_server_that_is_cut_off_from_its_cluster_is_believed_only_where_no_other_answers(
    redis_cluster: Cluster,
) -> None:
    """Given one that knows of all our slots, and that its cluster is down, as one in a minority does."""
    places = {("127.0.0.1", master.port) for master in redis_cluster.masters}
    with Pretender(new_place(), {"cluster-enabled": "yes"}) as one:
        cut_off = "127.0.0.1", one.servers[0].port
        one.servers[0].ask("CLUSTER", "ADDSLOTSRANGE", 0, max(SLOTS))
        for name, *rights in users(redis_cluster.user.partition(":")[2]):
            if name != "default":
                one.servers[0].ask("ACL", "SETUSER", name, *rights)
        way = reached(parse(redis_cluster.url.replace("@", f"@127.0.0.1:{cut_off[1]},")), within=10.0)
        alone = reached(parse(one.url), within=10.0)

        for _ in range(2):
            assert places == {*await way.masters()}
        assert {cut_off: frozenset(range(PARTS))} == await alone.masters()


async def test_a_server_that_is_in_the_cluster_no_more_is_forgotten(redis_cluster: Cluster) -> None:
    """Given one that a table named once."""
    masters = {("127.0.0.1", master.port) for master in redis_cluster.masters}
    way = reached(parse(redis_cluster.url), within=10.0)
    assert isinstance(way, redis_ways.Cluster)
    way._places.append(("127.0.0.1", 1))

    assert masters == {*await way.masters()}
    assert sorted(masters) == sorted(way._places)


async def test_a_sentinel_that_knows_an_older_master_is_believed_only_where_no_other_answers() -> None:
    """Given two that do not hear each other, one of which has seen its master change."""
    with Service(new_place()) as old, Service(new_place()) as new:
        new.master.kill()
        places = [f"127.0.0.1:{one.sentinels[0].port}" for one in (old, new)]
        former, master = ("127.0.0.1", old.master.port), ("127.0.0.1", new.replica.port)
        all_parts = frozenset(range(PARTS))
        waited(lambda: new.named() == master[1])
        for one in (old, new):
            one.be_patient()
        way = reached(parse(f"redis+sentinel://{','.join(places)}/{SERVICE}"), within=10.0)

        assert {former: all_parts} == await way.masters()
        for _ in range(3):
            assert {master: all_parts} == await way.masters()
        new.sentinels[0].kill()
        for _ in range(2):
            assert {former: all_parts} == await way.masters()
