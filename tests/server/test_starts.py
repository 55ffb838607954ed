"""What a server finds at its start, and refuses, mends or tells."""

import asyncio
import base64
import contextlib
import os
import re
import secrets
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from structlog.testing import capture_logs

from server.bench.redis_server import RedisServer
from server.postgres.database import Connection, own_login
from server.postgres.embedded import Embedded
from server.postgres.folder import claim
from server.proof import sealed
from server.proof.keys import KeyFault
from server.serving import Serving
from tests.cluster.programs import free_ports
from tests.conftest import NO_DISK, running
from tests.server.reading import get
from tests.server.talk import Said, offer, seated

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


def key(name: str) -> str:
    return f"{name} {base64.b64encode(secrets.token_bytes(32)).decode()}\n"


async def served(
    dsn: str, folder: Path, keys: str, processes: int = 1, **others: str
) -> tuple[int | None, str]:
    """Let `fleetfold serve` try to start; return its exit code and what it said on standard error."""
    settings = {
        "FLEETFOLD_DATABASE_URL": dsn,
        "FLEETFOLD_DATA": str(folder),
        "FLEETFOLD_KEYS": keys,
        **others,
    }
    settings["FLEETFOLD_PROCESSES"] = str(processes)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "serve", env={**os.environ, **settings}, cwd=ROOT,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        _, said = await asyncio.wait_for(process.communicate(), 30 * (1 + processes))
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode, said.decode()


def runbook(after: str) -> str:
    """Return the SQL of the runbook that stands next behind some words."""
    text = (ROOT / "deploy" / "runbook.md").read_text().partition(after)[2]
    block = re.search(r"\n\n((?:    .+\n)+)", text)
    assert block is not None
    return block[1]


async def begun(folder: Path) -> int:
    """Wait until a database is set up in a folder; return the id of the process that does it."""
    draft = str(folder / "postgres.new")
    async with asyncio.timeout(10):
        while True:
            for one in Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    said = one.read_text().split("\0")
                    if draft in said and said[0].endswith("initdb"):
                        return int(one.parent.name)
            await asyncio.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_a_start_that_is_cut_short_while_a_database_is_set_up_ends_that_at_once(folder: Path) -> None:
    starting = asyncio.create_task(Embedded(folder, NO_DISK).start())
    setting_up = await begun(folder)
    starting.cancel()
    async with asyncio.timeout(1):
        await asyncio.wait([starting])

    assert starting.cancelled()
    with pytest.raises(ProcessLookupError):
        os.kill(setting_up, 0)
    claimed = claim(folder / "server.lock")
    assert claimed is not None
    claimed.close()


async def starts(dsn: str, folder: Path, **settings: Any) -> None:
    async with running(dsn, folder, **settings):
        pass


# the key ring


async def test_serve_ends_with_a_sentence_where_the_ring_does_not_open_the_matches(
    dsn: str, folder: Path
) -> None:
    old = key("old")
    async with running(dsn, folder, keys=old) as server:
        for _ in range(3):
            await offer(server.url)

    code, said = await served(dsn, folder, key("new"))

    assert 1 == code
    assert "3 matches that have not ended are sealed with key 'old', which is not on the key ring" in said
    assert "Put the line with that key back" in said
    assert "Traceback" not in said
    await starts(dsn, folder, keys=key("new") + old)


async def test_another_key_of_the_same_name_is_another_ring(dsn: str, folder: Path) -> None:
    async with running(dsn, folder, keys=key("a")) as server:
        await offer(server.url)

    with pytest.raises(KeyFault, match=r"1 match that .* key 'a', and the key ring has another of that name"):
        await starts(dsn, folder, keys=key("a"))


async def test_a_key_that_only_ended_matches_need_is_not_missed(
    dsn: str, folder: Path, owner: Connection
) -> None:
    new = key("new")
    async with running(dsn, folder, keys=key("old")) as server, seated(server.url) as (created, north, _):
        await north.ask("resign", match=created["match"])
    await owner.execute(
        "UPDATE lobby.match SET ended_at = NULL"
    )  # as where the server ended before it noted that

    async with running(dsn, folder, keys=new) as server:
        assert "created" == (await offer(server.url))["t"]


async def test_matches_whose_key_is_lost_are_given_up_as_the_runbook_says(
    dsn: str, folder: Path, owner: Connection
) -> None:
    old, new = key("old"), key("new")
    for ring in (old + new, new + old):
        async with running(dsn, folder, keys=ring) as server:
            await offer(server.url)
    await owner.execute(runbook("Give them up").replace("THE-ID", "old"))

    await starts(dsn, folder, keys=new)
    assert 1 == await owner.fetchval("SELECT count(*) FROM lobby.match WHERE ended_at IS NULL")


@pytest.mark.parametrize("order", [["lost", "kept", "kept"], ["kept", "kept", "lost"]])
async def test_of_many_matches_the_latest_and_the_oldest_are_looked_at(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch, order: list[str]
) -> None:
    monkeypatch.setattr(sealed, "LOOKED_AT", 1)
    lines = {name: key(name) for name in order}
    for name in order:
        async with running(
            dsn, folder, keys=lines[name] + "".join(lines.values()).replace(lines[name], "")
        ) as server:
            await offer(server.url)

    with pytest.raises(KeyFault, match="1 match that has not ended is sealed with key 'lost'"):
        await starts(dsn, folder, keys=lines["kept"])


async def test_one_sealed_key_that_was_altered_is_told_and_stops_nobody_else(
    dsn: str, folder: Path, owner: Connection
) -> None:
    async with running(dsn, folder) as server:
        first, second = [UUID((await offer(server.url))["match"]) for _ in range(2)]
    await owner.execute("ALTER TABLE log.secret DISABLE TRIGGER append_only")
    await owner.execute(
        "UPDATE log.secret SET box = set_byte(box, length(box) - 1, get_byte(box, length(box) - 1) # 1)"
        " WHERE match_id = $1",
        first,
    )

    with capture_logs() as lines:
        async with running(dsn, folder) as server:
            assert (await server.matches.get(second)).seq == 1

    assert [str(first)] == [line["match"] for line in lines if line["event"] == "key altered"]


# the login


async def test_a_superusers_login_is_warned_of_and_no_other(dsn: str, folder: Path) -> None:
    told = []
    for login in (dsn, await own_login(dsn)):
        with capture_logs() as lines:
            await starts(login, folder)
        told.append([line["log_level"] for line in lines if line["event"] == "database.superuser"])

    assert [["warning"], []] == told


# a restored database


async def listed(server: Serving, *created: Said) -> None:
    """Wait until the matches are on the list of open ones."""
    wanted = {one["match"] for one in created}
    async with asyncio.timeout(15):
        while wanted:
            await asyncio.sleep(0.05)
            matches = (await get(server.url, "/api/matches?state=open")).json["matches"]
            wanted -= {one["match"] for one in matches}


async def test_new_matches_are_listed_though_the_cursors_are_of_another_cluster(
    dsn: str, folder: Path, owner: Connection
) -> None:
    async with running(dsn, folder) as server:
        first = await offer(server.url)
        await listed(server, first)
    await owner.execute("UPDATE view.cursor SET xid = '99999999999'")

    async with running(dsn, folder) as server:
        await listed(server, first, await offer(server.url))


async def test_facts_of_another_cluster_keep_a_server_from_starting_until_they_are_marked_as_the_runbook_says(
    dsn: str, folder: Path, owner: Connection
) -> None:
    async with running(dsn, folder) as server:
        first = await offer(server.url)
        await listed(server, first)
    await owner.execute("ALTER TABLE log.fact DISABLE TRIGGER append_only")
    await owner.execute("UPDATE log.fact SET xid = '99999999999'")

    code, said = await served(dsn, folder, str(folder / "keys"))
    await owner.execute(runbook("Restored from a dump"))

    assert 1 == code
    assert "facts of transaction 99999999999" in said
    assert "set xid = '0' on all facts" in said
    assert "Traceback" not in said
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
        await owner.execute("UPDATE log.fact SET xid = '1'")
    async with running(dsn, folder) as server:
        await listed(server, first, await offer(server.url))


# Redis


async def test_serve_ends_with_a_sentence_where_redis_is_no_cluster(
    dsn: str, folder: Path, tmp_path: Path
) -> None:
    server = RedisServer(tmp_path, port=free_ports(1)[0])
    server.start()
    url = server.url.replace("redis://", "redis+cluster://fleet:hunter2@")
    server.ask("ACL", "SETUSER", "fleet", "on", ">hunter2", "~*", "&*", "+@all")
    try:
        code, said = await served(dsn, folder, key("own"), FLEETFOLD_REDIS_URL=url)
    finally:
        server.kill()

    assert 1 == code
    assert "Error: FLEETFOLD_REDIS_URL names a Redis Cluster, and the Redis there is none." in said
    assert "hunter2" not in said
