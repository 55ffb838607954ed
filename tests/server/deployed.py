"""A Postgres with the files of deploy/, of the system: the one that is bundled has neither TLS nor lz4.

The files are taken as they are but for lines that are named. Where it lies is on its command line: folder,
port, socket, and the loopback in place of all addresses.
"""

import asyncio
import os
import pwd
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import asyncpg

from server.postgres.engine import account
from tests.cluster.database import binaries
from tests.cluster.examples import with_lines
from tests.cluster.programs import LOOPBACK, Program, free_ports

OWNER = "postgres"
MISSING = "there is no Postgres of the system: run `deploy/provision postgres`"


class Deployed:
    """A Postgres in a folder that any account may pass through; programs run under its account."""

    def __init__(self, folder: Path, environ: Mapping[str, str] | None = None) -> None:
        """Take an existing folder, and what its archive command finds in its environment."""
        found = binaries()
        assert found is not None, MISSING
        self.folder, self.data, self.bin = folder, folder / "data", found
        self.account = account(self.data)
        (self.port,) = free_ports(1)
        path = f"{self.bin}:/usr/local/bin:/usr/bin:/bin"
        place = {"PGHOST": str(folder), "PGPORT": str(self.port)}
        self.environ = {"PATH": path, "LC_ALL": "C.UTF-8", **place, **(environ or {})}
        self._program: Program | None = None
        self.own(folder)

    def own(self, *paths: Path) -> None:
        """Give files to the account that Postgres runs under."""
        for path in paths:
            os.chown(path, self.account.user, self.account.group)

    def laid(self, file: Path, changes: Mapping[str, str]) -> Path:
        """Put a file beside the data with some whole lines changed. Each has to be in it."""
        text = with_lines(file.read_text(), changes)
        name = pwd.getpwuid(self.account.user).pw_name
        if file.name == "pg_hba.conf" and name != OWNER:
            # Only root can take on the superuser's account. Whoever else runs this stands for it.
            text = text.replace("peer\n", "peer map=here\n")
            (self.folder / "pg_ident.conf").write_text(f"here {name} {OWNER}\n")
        copy = self.folder / file.name
        copy.write_text(text)
        self.own(copy)
        return copy

    def set_up(self) -> None:
        """Make its data folder, as the packages of a distribution do."""
        self.run(self.bin / "initdb", "-D", self.data, "-U", OWNER, "--no-sync", "--auth=reject")

    async def start(self, command: Sequence[str | Path]) -> None:
        """Start it by the words behind `postgres` that say which files it reads; wait until it answers."""
        words: list[str | Path] = [self.bin / "postgres", "-D", self.data, *command]
        here = {
            "port": self.port,
            "listen_addresses": LOOPBACK,
            "unix_socket_directories": self.folder,
            "ident_file": self.folder / "pg_ident.conf",
        }
        words += [word for name, value in here.items() for word in ("-c", f"{name}={value}")]
        self._program = Program("postgres", words, self.folder, account=self.account, environ=self.environ)
        self._program.start()
        await self._program.ready(partial(asyncio.to_thread, self._answers))

    def _answers(self) -> bool:
        self.run(self.bin / "pg_isready", "-q", "-t", "1")
        return True

    @property
    def said(self) -> str:
        """What it has written into its log."""
        return (self.folder / "postgres.log").read_text()

    async def stop(self) -> None:
        """Stop it with a last checkpoint, and with the last of the log archived."""
        assert self._program is not None
        await self._program.stop(within=60)

    async def drop(self) -> None:
        """End it at once; its data is not to be used again."""
        if self._program is not None:
            self._program.signal(signal.SIGQUIT)
            await self._program.stop()

    def run(self, *command: str | Path, given: str = "", **environ: str) -> str:
        """Run a program under its account, and return what it said. Raises CalledProcessError."""
        change: dict[str, int | list[int]] = {}
        if self.account.other:
            change = {"user": self.account.user, "group": self.account.group, "extra_groups": []}
        done = subprocess.run(  # type: ignore[call-overload]
            [str(word) for word in command],
            check=False,
            capture_output=True,
            text=True,
            input=given,
            cwd=self.folder,
            env={**self.environ, **environ},
            **change,
        )
        assert isinstance(done, subprocess.CompletedProcess)
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, str(command[0]), done.stdout, done.stderr)
        return str(done.stdout)

    def sql(self, *words: str | Path, database: str = OWNER, given: str = "") -> str:
        """Have the superuser say something by the socket, as people on the machine do."""
        psql: list[str | Path] = [self.bin / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1"]
        return self.run(*psql, "-U", OWNER, "-d", database, *words, given=given).strip()

    def give_roles(self, roles: Path, password: str) -> None:
        """Make database, roles and login as `roles.sql` says, and give the login its password."""
        self.sql("-c", "CREATE DATABASE fleetfold")
        self.sql(database="fleetfold", given=roles.read_text())
        self.sql(given=f"ALTER ROLE fleetfold PASSWORD '{password}';")

    def url(self, user: str, password: str, database: str = "fleetfold", options: str = "") -> str:
        """Return the URL by which somebody comes over the network."""
        return f"postgresql://{user}:{password}@{LOOPBACK}:{self.port}/{database}{options}"


async def asked(url: str, query: str) -> list[asyncpg.Record]:
    """Connect once, and ask."""
    conn = await asyncpg.connect(url, timeout=10)
    try:
        return list(await conn.fetch(query))
    finally:
        await conn.close()
