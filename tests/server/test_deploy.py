"""The files of deploy/, tried on real servers: Postgres' roles and Redis' user."""

import hashlib
import secrets
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import pytest
import redis

from server.bench.redis_server import RedisServer
from server.postgres.embedded import Embedded
from tests.conftest import run_sql, running
from tests.deploy.files import DEPLOY
from tests.server.talk import enter, prompt, seated, talking
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


def fleetfold_user(server: RedisServer) -> str:
    """Give a Redis the users of deploy/redis; return its URL for the server."""
    password = secrets.token_hex(8)
    users = (DEPLOY / "redis" / "users.acl").read_text()
    users = users.replace("SHA256_OF_THE_PASSWORD", hashlib.sha256(password.encode()).hexdigest())
    with redis.Redis.from_url(server.url) as client:
        for line in reversed(users.splitlines()):  # the one that we are last
            client.execute_command("ACL", "SETUSER", *line.split()[1:])
    return server.url.replace("unix://", f"unix://fleetfold:{password}@")


async def test_two_nodes_speak_by_the_user_that_redis_is_given(
    dsn: str, folder: Path, own_redis: RedisServer
) -> None:
    url = fleetfold_user(own_redis)
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
    with redis.Redis.from_url(own_redis.url) as client, pytest.raises(redis.exceptions.AuthenticationError):
        client.ping()
