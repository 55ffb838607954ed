"""The Postgres of a cluster: three, of which Patroni promotes a standby, or one that is started again.

Who leads is in etcd, and HAProxy leads connections to the primary, as deploy/patroni has it.
"""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import asyncpg

from server.postgres.database import own_login
from server.postgres.embedded import Embedded
from server.postgres.engine import account
from tests.cluster import examples, keeper
from tests.cluster.programs import LOOPBACK, NAP, NotThere, Program, fetched, free_ports

NEEDED = ("patroni", "etcd", "haproxy")


class Postgres(Protocol):
    """What the nodes keep their log in."""

    url: str
    """As the login of the nodes, which owns no more than they need."""
    kind: str
    """What it is, in words."""

    async def start(self) -> None:
        """Start it, and wait until it takes writes. Raises NotThere."""

    async def crash(self) -> None:
        """Kill whoever takes the writes, without a word, once whatever was killed before is back."""

    async def lose(self, role: str) -> Callable[[], Awaitable[None]]:
        """Kill the member that has a role, with all that is on its machine; return what starts it again.

        Raises NotThere if there are no members.
        """

    async def whole(self) -> bool:
        """Whether all of it is there."""

    async def stop(self) -> None:
        """End all of it."""


class Alone:
    """One Postgres, which is started again where it was when it has crashed."""

    kind = "one Postgres"

    def __init__(self, folder: Path) -> None:
        self._engine = Embedded(folder)
        self.url = ""

    async def start(self) -> None:
        self.url = await own_login(await self._engine.start())

    async def crash(self) -> None:
        if self._engine.pid is not None:
            os.kill(self._engine.pid, signal.SIGKILL)

    async def lose(self, role: str) -> Callable[[], Awaitable[None]]:
        raise NotThere(f"There is no {role}: run `deploy/provision haproxy patroni`.")

    async def whole(self) -> bool:
        return self._engine.pid is not None

    async def stop(self) -> None:
        await self._engine.stop()


def patroni_is_there() -> bool:
    """Whether this machine has what a Postgres that fails over needs."""
    return sys.platform == "linux" and all(map(shutil.which, NEEDED)) and binaries() is not None


def binaries() -> Path | None:
    """Find the folder of a Postgres that has what Patroni calls, the newest of the distribution's first."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    if there := shutil.which("pg_rewind"):
        found.append(Path(there).resolve().parent)
    return next((path for path in found if (path / "pg_rewind").exists()), None)


class Member:
    """A Postgres with the Patroni that looks after it."""

    def __init__(self, number: int, folder: Path, logs: Path, etcd: int, password: str) -> None:
        self.folder = folder
        self.postgres, self.port = free_ports(2)
        where = binaries()
        assert where is not None
        folder.mkdir(mode=0o700)
        ports = {"etcd": etcd, "patroni": self.port, "postgres": self.postgres}
        settings = folder / "patroni.yml"
        settings.write_text(examples.patroni(f"postgres{number}", folder, where, ports, password))
        shutil.copy(keeper.__file__, folder)  # its account may not be able to read where this project lies
        who = account(folder / "data")
        for path in (folder, settings, folder / "keeper.py"):
            os.chown(path, who.user, who.group)
        program = _found("patroni")
        python = (
            Path(program).read_text().splitlines()[0].removeprefix("#!").split()
        )  # that account can run it
        kept: list[str | Path] = [*python, "-I", "-S", folder / "keeper.py", program, settings]
        self.program = Program(f"patroni{number}", kept, logs, account=who)

    async def leads(self) -> bool:
        """Whether it holds the lead and takes writes."""
        with contextlib.suppress(OSError, TimeoutError, IndexError):
            return (await fetched(self.port, "/primary"))[0] == 200
        return False

    def kill(self) -> None:
        """End its Postgres without a word."""
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):
            pid = int((self.folder / "data" / "postmaster.pid").read_text().split("\n", 1)[0])
            os.kill(pid, signal.SIGKILL)

    async def lose(self) -> None:
        """End its Postgres and its Patroni without a word: whoever keeps them ends when none is left."""
        async with asyncio.timeout(10):
            while (keeper := self.program.pid) is not None:
                for pid in descendants(keeper):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                await asyncio.sleep(NAP)

    async def again(self) -> None:
        """Start what was lost."""
        self.program.start()

    async def stop(self) -> None:
        await self.program.stop()


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    with contextlib.suppress(OSError):  # it has ended
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(one) for thread in threads for one in (thread / "children").read_text().split()]
        return children + [one for child in children for one in descendants(child)]
    return []


class Trio:
    """A primary and two standbys: a commit waits for one, which Patroni promotes if the primary is gone."""

    kind = "Postgres with two standbys, of which a commit waits for one, by Patroni"

    def __init__(self, folder: Path, logs: Path) -> None:
        folder.mkdir()
        folder.chmod(0o755)  # Postgres of an account of its own passes through
        client, peer, self.port = free_ports(3)
        self._owner, self._login = examples.password(), examples.password()
        here, there = f"http://{LOOPBACK}:{client}", f"http://{LOOPBACK}:{peer}"
        etcd: list[str | Path] = [_found("etcd"), "--data-dir", folder / "etcd", "--log-level", "error"]
        etcd += ["--listen-client-urls", here, "--advertise-client-urls", here, "--listen-peer-urls", there]
        etcd += ["--initial-advertise-peer-urls", there, "--initial-cluster", f"default={there}"]
        self._etcd = Program("etcd", etcd, logs)
        self._etcd_port = client
        self.members = [
            Member(number, folder / f"postgres{number}", logs, client, self._owner) for number in (1, 2, 3)
        ]
        settings = folder / "haproxy.cfg"
        settings.write_text(examples.primary(self.port, [(one.postgres, one.port) for one in self.members]))
        self._proxy = Program("haproxy-postgres", [_found("haproxy"), "-db", "-f", settings], logs)
        self.url = f"postgresql://fleetfold:{self._login}@{LOOPBACK}:{self.port}/fleetfold?sslmode=disable"

    async def start(self) -> None:
        self._etcd.start()
        await self._etcd.ready(partial(_healthy, self._etcd_port))
        for member in self.members:
            member.program.start()
        self._proxy.start()
        for member in self.members:
            await member.program.ready(self.whole, within=120)
        await self._proxy.ready(self._set_up)

    async def _set_up(self) -> bool:
        """Make the roles and the database of deploy/postgres/roles.sql."""
        address = f"postgresql://postgres:{quote(self._owner)}@{LOOPBACK}:{self.port}"
        conn = await asyncpg.connect(f"{address}/postgres?sslmode=disable", timeout=3)
        try:
            if not await conn.fetchval("SELECT EXISTS (SELECT FROM pg_database WHERE datname = 'fleetfold')"):
                await conn.execute("CREATE DATABASE fleetfold")
        finally:
            await conn.close()
        conn = await asyncpg.connect(f"{address}/fleetfold?sslmode=disable", timeout=3)
        try:
            async with conn.transaction():
                await conn.execute((examples.DEPLOY / "postgres" / "roles.sql").read_text())
                await conn.execute(f"ALTER ROLE fleetfold PASSWORD '{self._login}'")
        finally:
            await conn.close()
        return True

    async def primary(self, within: float = 60.0) -> Member:
        """Return whoever leads, as soon as somebody does. Raises TimeoutError."""
        async with asyncio.timeout(within):
            while True:
                for member in self.members:
                    if await member.leads():
                        return member
                await asyncio.sleep(NAP)

    async def _roles(self) -> dict[str, str]:
        """Return the role of each member that runs, by its name; nothing if nobody answers."""
        for member in self.members:
            with contextlib.suppress(OSError, TimeoutError, IndexError, ValueError):
                members = json.loads((await fetched(member.port, "/cluster"))[1])["members"]
                return {
                    one["name"]: one["role"] for one in members if one["state"] in {"running", "streaming"}
                }
        return {}

    async def whole(self) -> bool:
        return sorted((await self._roles()).values()) == ["leader", "replica", "sync_standby"]

    async def crash(self) -> None:
        await until(self.whole)
        (await self.primary()).kill()

    async def lose(self, role: str) -> Callable[[], Awaitable[None]]:
        await until(self.whole)
        roles = await self._roles()
        (lost,) = (one for one in self.members if roles[one.folder.name] == role)
        await lost.lose()
        return lost.again

    async def stop(self) -> None:
        self._proxy.kill()
        leading = [member for member in self.members if await member.leads()]
        for member in sorted(self.members, key=leading.__contains__):
            await member.stop()
        self._etcd.kill()


async def until(holds: Callable[[], Awaitable[bool]], within: float = 90.0) -> None:
    """Wait until something holds. Raises TimeoutError."""
    async with asyncio.timeout(within):
        while not await holds():
            await asyncio.sleep(NAP)


async def _healthy(port: int) -> bool:
    return "true" in (await fetched(port, "/health"))[1]


def _found(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise NotThere(f"There is no {program}: run `deploy/provision haproxy patroni`.")
    return found
