"""The files of deploy/, tried on real servers: Postgres' roles and Redis' user."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import pytest
import redis
from structlog.testing import capture_logs

from server.bench.redis_server import RedisServer
from server.fanout.redis_bus import RedisBus
from server.postgres.embedded import Embedded
from tests.cluster.programs import free_ports
from tests.conftest import run_sql, running
from tests.deploy.files import DEPLOY
from tests.server.certificates import Certificates
from tests.server.masters import users
from tests.server.talk import enter, prompt, seated, talking
from tests.server.test_bus import KEYS, PATIENT, Listener
from tests.server.watching import until


async def test_a_server_lives_on_the_login_that_the_roles_give_it(
    folder: Path, own_postgres: Embedded
) -> None:
    roles = (DEPLOY / "postgres" / "roles.sql").read_text().replace("fleetfold", "elsewhere")  # ours is there
    await run_sql(own_postgres, "CREATE DATABASE elsewhere")
    owner = own_postgres.url("elsewhere")
    password = secrets.token_hex(8)
    made = await asyncpg.connect(owner)
    await made.execute(roles)
    await made.execute(f"ALTER ROLE elsewhere PASSWORD '{password}'")
    await made.close()
    place = urlsplit(owner)
    dsn = place._replace(netloc=f"elsewhere:{password}@{place.netloc.rpartition('@')[2]}").geturl()

    async with running(dsn, folder / "server") as server, seated(server.url) as (created, north, _):
        upto, options = await prompt(north, 0)
        receipt = await north.ask("decide", match=created["match"], answers=upto, decision=options[0])
        await until(lambda: server.lag.seconds and not any(server.lag.seconds.values()))
        assert "receipt" == receipt["t"]

    login = await asyncpg.connect(dsn)
    try:
        for forbidden in (
            "CREATE ROLE other",
            "CREATE DATABASE other",
            "SELECT pg_read_file('postgresql.conf')",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await login.execute(forbidden)
    finally:
        await login.close()


class Deployed:
    """A Redis with the settings and the user of deploy/redis, certified by an authority of the test's."""

    def __init__(self, folder: Path, password: str) -> None:
        self.certificates = Certificates(folder / "tls")
        listed = folder / "users.acl"
        listed.write_text("".join(f"user {' '.join(user)}\n" for user in users(password)))
        (port,) = free_ports(1)
        given = {"port": "0", "tls-port": str(port), "aclfile": str(listed), **self.certificates.settings}
        words = [word for name, value in given.items() for word in (f"--{name}", value)]
        self.server = RedisServer(folder, *words, port=port, config=DEPLOY / "redis" / "redis.conf")
        self.server.url = f"rediss://127.0.0.1:{port}{self.certificates.options}"
        self.url = self.server.url.replace("//", f"//fleetfold:{password}@")


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[Deployed]:
    """Give a Redis as deploy/redis says."""
    made = Deployed(tmp_path, "hunter2")
    made.server.start()
    yield made
    made.server.kill()


async def test_two_nodes_speak_over_tls_by_the_user_that_redis_is_given(
    dsn: str, folder: Path, deployed: Deployed
) -> None:
    url = deployed.url
    async with (
        running(dsn, folder, redis_url=url) as one,
        running(dsn, folder, redis_url=url) as two,
        seated(one.url) as (created, north, _),
        talking(two.url) as onlooker,
    ):
        await until(lambda: one.bus.up and two.bus.up)
        await enter(onlooker, created)
        upto, options = await prompt(north, 0)
        await north.ask("decide", match=created["match"], answers=upto, decision=options[0])
        await onlooker.hear("frame")
        await until(lambda: two.hub.presence(UUID(created["match"]))[0] == 0b11)  # who is on the other node

        assert one.bus.up
        assert two.bus.up

    with redis.Redis.from_url(url) as client:
        for command in (
            ("GET", "p:x"),
            ("SET", "q:x", "1"),
            ("PUBLISH", "g:x", ""),
            ("KEYS", "*"),
            ("FLUSHALL",),
        ):
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command)
    with pytest.raises(redis.exceptions.AuthenticationError):
        deployed.server.ask("PING")


def test_whoever_looks_after_redis_sees_who_is_there_and_reads_and_says_nothing(deployed: Deployed) -> None:
    """What the runbook has him ask."""
    url = deployed.url.replace("fleetfold:", "operator:")
    with redis.Redis.from_url(deployed.url) as node, redis.Redis.from_url(url) as client:
        with pytest.raises(redis.exceptions.NoPermissionError):
            node.execute_command("GET", "q:x")
        refused = client.execute_command("ACL LOG")
        there = client.execute_command("CLIENT LIST")
        memory = client.info("memory")

        assert ["fleetfold"] == [one["username"] for one in refused]
        assert {"fleetfold", "operator"} == {one["user"] for one in there}
        assert 256 << 20 == memory["maxmemory"]
        for command in (
            ("GET", "p:x"),
            ("PUBLISH", "f:x", ""),
            ("SUBSCRIBE", "f:x"),
            ("MONITOR",),
            ("SLOWLOG", "GET"),  # it has what was published
            ("CONFIG", "GET", "*"),
            ("ACL", "LIST"),
            ("CLIENT", "KILL", "TYPE", "normal"),
        ):
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command)


@pytest.mark.parametrize("fault", ["another authority", "another address", "another password", "no TLS"])
async def test_a_redis_that_is_not_the_one_that_was_meant_is_not_spoken_to(
    deployed: Deployed, tmp_path: Path, fault: str
) -> None:
    """Given that, the log line says why, and no password."""
    ours, other = str(deployed.certificates.ca), str(Certificates(tmp_path / "other").ca)
    url, why = {
        "another authority": (deployed.url.replace(ours, other), "CERTIFICATE_VERIFY_FAILED"),
        "another address": (deployed.url.replace("127.0.0.1", "localhost"), "CERTIFICATE_VERIFY_FAILED"),
        "another password": (deployed.url.replace("hunter2", "hunter3"), "AuthenticationError"),
        "no TLS": (deployed.url.partition("?")[0].replace("rediss:", "redis:"), "onnection"),
    }[fault]
    with capture_logs() as lines:
        bus = RedisBus(url, KEYS, PATIENT)
        await bus.start(Listener())
        await until(lambda: any(line["event"] == "bus.away" for line in lines))
        up = bus.up
        await bus.stop()

    assert not up
    assert why in next(line["fault"] for line in lines if line["event"] == "bus.away")
    assert "hunter" not in str(lines)
