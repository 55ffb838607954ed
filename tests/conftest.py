"""A real Postgres and a real Redis for whoever asks, one of each for a worker, and private ones to break.

Their files lie in short paths and not in `tmp_path`: sockets want short paths, and as root Postgres runs
under an account that cannot enter folders of root's.
"""

import asyncio
import contextlib
import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio
from hypothesis import settings

from domain.titles import TITLES
from projections.every import PROJECTIONS
from projections.generations import prepare
from server.bench.redis_server import RedisServer
from server.postgres.database import Database, connect, opened
from server.postgres.embedded import Embedded
from server.proof.keys import generate
from server.serving import Serving, serving
from server.settings import Settings
from server.socket.gateway import Gateway
from tests import tiny
from tests.server.masters import Cluster

# Programs are killed in tests, the machine is not: what was written is kept without waiting for the disk.
NO_DISK = {"fsync": "off", "full_page_writes": "off", "log_checkpoints": "off"}

# How long an example takes says how busy the machine is, and nothing about the code.
settings.register_profile("fleetfold", deadline=None)
settings.load_profile("fleetfold")

numbers = itertools.count(1)

MEMORY = Path("/dev/shm")
ROOM = 2 << 30

MANY = 100_000


def place_for_files() -> str | None:
    """Return where files are put that nobody keeps: in memory if there is room, else where it is usual.

    What was written outlives every process there as on a disk, and that is all that tests rely on.
    """
    try:
        there = os.statvfs(MEMORY)
    except OSError:
        return None
    room = there.f_bavail * there.f_frsize > ROOM and os.access(MEMORY, os.W_OK)
    return str(MEMORY) if room and not there.f_flag & os.ST_NOEXEC else None


def new_place() -> Path:
    """Return a new folder with a short path."""
    return Path(tempfile.mkdtemp(prefix="fleet-", dir=place_for_files()))


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give an empty folder, with a space in its path, that any account may pass through."""
    above = new_place()
    above.chmod(0o755)
    yield above / "the data"
    shutil.rmtree(above)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def model() -> AsyncIterator[Path]:
    """Give a data folder that was set up and is at rest, to be copied: setting one up takes seconds."""
    place = new_place()
    engine = Embedded(place, NO_DISK)
    await engine.start()
    await engine.stop()
    yield place
    shutil.rmtree(place)


def copy_of(model: Path, folder: Path) -> Path:
    """Copy a data folder with its owners and modes, which Postgres insists on."""
    subprocess.run(["cp", "-a", model, folder], check=True)
    return folder


@pytest.fixture
def links_unheard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no node show out whose link has become void: what comes by such a link has to be met by itself."""

    async def never(_: Gateway) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Gateway, "look_after", never)


@pytest.fixture
def made_folder(model: Path, folder: Path) -> Path:
    """Give a data folder of the test's own in which a database was set up."""
    return copy_of(model, folder)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def postgres(model: Path) -> AsyncIterator[Embedded]:
    """Give the worker's Postgres. Not to be stopped or killed: `own_postgres` is."""
    place = copy_of(model, model.with_name(f"{model.name}-w"))
    engine = Embedded(place, NO_DISK)
    await engine.start()
    yield engine
    await engine.stop()
    shutil.rmtree(place)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def template(postgres: Embedded) -> str:
    """Give the name of a database as a server leaves it that has told nothing yet: others are copied from it.

    Schema and empty projections are there: to make them for each test anew takes as long as many a test.
    """
    await run_sql(postgres, "CREATE DATABASE template_fleet")
    async with opened(postgres.url("template_fleet")) as database:
        for projection in PROJECTIONS:
            await prepare(database.projector, projection)
    return "template_fleet"


@pytest.fixture
async def empty_dsn(postgres: Embedded) -> AsyncIterator[str]:
    """Give the URL, as its owner, of a new database with nothing in it."""
    name = f"empty_{next(numbers)}"
    await run_sql(postgres, f"CREATE DATABASE {name} STRATEGY file_copy")
    yield postgres.url(name)
    await run_sql(postgres, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def dsn(postgres: Embedded, template: str) -> AsyncIterator[str]:
    """Give the URL, as its owner, of a new database with the schema applied."""
    name = f"test_{next(numbers)}"
    await run_sql(postgres, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    yield postgres.url(name)
    await run_sql(postgres, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    """Give the pools of a new database."""
    pools = await connect(dsn)
    yield pools
    await pools.close()


@pytest.fixture
async def own_postgres(made_folder: Path) -> AsyncIterator[Embedded]:
    """Give a Postgres that belongs to the test, which may stop, kill and start it."""
    engine = Embedded(made_folder, NO_DISK)
    await engine.start()
    yield engine
    await engine.stop()


async def run_sql(engine: Embedded, sql: str) -> None:
    """Run one statement in a Postgres, outside of all databases of tests."""
    connection = await asyncpg.connect(engine.url("postgres"))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


@contextlib.contextmanager
def redis_of_its_own() -> Iterator[RedisServer]:
    """Run a Redis on a socket."""
    server = RedisServer(new_place())
    server.start()
    yield server
    server.kill()
    shutil.rmtree(server.folder)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Give the worker's Redis. Not to be killed: `own_redis` is."""
    with redis_of_its_own() as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """Give the URL of an empty Redis."""
    redis_server.ask("FLUSHALL")
    return redis_server.url


@pytest.fixture(scope="session")
def worker_cluster() -> Iterator[Cluster]:
    """Give the worker's Cluster, for `redis_cluster`."""
    with Cluster(new_place()) as cluster:
        yield cluster


@pytest.fixture
def redis_cluster(worker_cluster: Cluster) -> Iterator[Cluster]:
    """Give the worker's Cluster of three masters. None is to be killed; slots that are moved go back."""
    yield worker_cluster
    worker_cluster.put_back()


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """Give a Redis that belongs to the test, which may kill, freeze and start it."""
    with redis_of_its_own() as server:
        yield server


@pytest.fixture
async def server(dsn: str, folder: Path) -> AsyncIterator[Serving]:
    """Give a whole server on a new database, with the tiny title beside the others."""
    async with running(dsn, folder) as served:
        yield served


@pytest.fixture
def server_url(server: Serving) -> str:
    """Give the address of a whole server."""
    return server.url


@contextlib.asynccontextmanager
async def running(dsn: str, folder: Path, *, think: float = 0.0, **settings: Any) -> AsyncIterator[Serving]:
    """Run a whole server on a database; a second one on the same database is a second node."""
    folder.mkdir(exist_ok=True)
    keys_file = folder / "keys"
    if not keys_file.exists():
        generate(keys_file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(TITLES, tiny.GAME.name, tiny.GAME)
        given: dict[str, Any] = {"database_url": dsn, "keys_file": keys_file, "data": folder, "port": 0}
        given["offers_per_address"] = MANY  # all tests are at one address
        set_by = Settings(**(given | settings))
        async with serving(set_by, think=think) as served:
            yield served
