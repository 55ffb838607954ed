"""The embedded Postgres, used if none is configured: set up, started, restarted after a crash, stopped.

The engine is a real PostgreSQL in a process group of its own, reached through a Unix socket by password,
without TCP. It ends with its server, even if that is killed (`server.postgres.launch`).
`server.postgres.folder` describes its folder, `server.postgres.engine` finds the binaries.

Deliberately absent: accounts are never created, modes and owners outside the folder never changed, and no
process is ended but the engine of this folder. Not for Windows.
"""

import asyncio
import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import IO, Final
from urllib.parse import quote, urlencode

import asyncpg
import structlog

from server.postgres.engine import EmbeddedError, Engine, account, find_engine
from server.postgres.folder import PORT, claim, is_ready, major_of, own_folder, postmaster, socket_folder

OWNER: Final = "fleetfold"
DATABASE: Final = "fleetfold"

START_WITHIN: Final = 120.0  # seconds; recovery after a power cut may take long
STOP_WITHIN: Final = 30.0
LEFT_WITHIN: Final = 60.0  # for an earlier engine that is still shutting down
NAP: Final = 0.01

OPTIONS: Final = {
    "listen_addresses": "",
    "max_connections": "60",
    "max_prepared_transactions": "0",  # one left open would stall the feed
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "on",
    "log_directory": "log",
    "log_filename": "postgres-%a.log",
    "log_rotation_age": "1d",
    "log_rotation_size": "0",
    "log_truncate_on_rotation": "on",
}

log = structlog.get_logger()


class Embedded:
    """One Postgres on one folder, from `start` to `stop`; `embedded` is its context manager."""

    def __init__(self, folder: Path, options: Mapping[str, str] | None = None) -> None:
        """Take the folder, created if missing, and options of postgresql.conf besides ours."""
        self.folder = folder.absolute()
        self.options = {**OPTIONS, **(options or {})}
        self._account = account(self.folder / "postgres")
        self._claim: IO[bytes] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._engine: Engine | None = None
        self._sockets = self.folder / "postgres"

    @property
    def dsn(self) -> str:
        """The URL of the database, with the owner's password."""
        return self.url(DATABASE)

    @property
    def pid(self) -> int | None:
        """The postmaster's process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def url(self, database: str) -> str:
        """Return the URL of a database of this Postgres, with the owner's password."""
        password = (self.folder / "password").read_text(encoding="ascii").strip()
        place = urlencode({"host": str(self._sockets), "port": PORT}, quote_via=quote)
        return f"postgresql://{OWNER}:{password}@/{quote(database)}?{place}"

    async def start(self) -> str:
        """Set up what is missing, start Postgres, and return the URL of the database.

        Raises EmbeddedError; after that, or any other exception, nothing is left running.
        """
        try:
            await self._prepare()
            await self._spawn()
            await self._make_database()
        except BaseException:
            await self.stop()
            raise
        self._watch = asyncio.create_task(self._keep_running())
        return self.dsn

    async def stop(self) -> None:
        """Shut the engine down, by force after STOP_WITHIN seconds; release the folder's lock."""
        if self._watch is not None:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch
            self._watch = None
        if self._process is not None:
            await _end(self._process)
            self._process = None
        if self._sockets != self.folder / "postgres":
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = self.folder / "postgres"
        if self._claim is not None:
            self._claim.close()
            self._claim = None

    async def _prepare(self) -> None:
        """Lock the folder, find the engine, and initialise the database's own folder if there is none.

        Raises EmbeddedError if another server holds the lock, or no engine fits the folder.
        """
        own_folder(self.folder, self._account)
        self._claim = claim(self.folder / "server.lock")
        if self._claim is None:
            raise EmbeddedError(
                f"Another server runs on {self.folder}. Stop it, or choose another FLEETFOLD_DATA."
            )
        home = self.folder / "postgres"
        made_by = major_of(home)
        self._engine = find_engine(self.folder, made_by, self._account)
        self._sockets = socket_folder(home, self._account)
        if made_by is None:
            await self._initialise(self._engine, home)

    async def _initialise(self, engine: Engine, home: Path) -> None:
        """Initialise the database's folder under a temporary name, so that a partial one is never used.

        Where that is cut short, initdb and what it has started are killed, and nothing is lost.
        """
        log.info("embedded.initialise", folder=str(self.folder), version=engine.version)
        draft = self.folder / "postgres.new"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        password = self.folder / "password"
        password.unlink(missing_ok=True)
        password.touch(mode=0o600, exist_ok=False)
        password.write_text(secrets.token_urlsafe(32) + "\n", encoding="ascii")
        if self._account.other:
            os.chown(draft, self._account.user, self._account.group)
            os.chown(password, self._account.user, self._account.group)
        command = [engine.bin / "initdb", "-D", draft, "-U", OWNER, "--pwfile", password, "--data-checksums"]
        settings = ["--auth-local=scram-sha-256", "--auth-host=reject", "--encoding=UTF8", "--locale=C"]
        with (self.folder / "start.log").open("wb") as out:
            initdb = self._launch([*map(str, command), *settings], out)
        try:
            while initdb.poll() is None:  # noqa: ASYNC110 nobody tells us when it ends
                await asyncio.sleep(NAP)
        finally:
            if initdb.poll() is None:
                os.killpg(initdb.pid, signal.SIGKILL)
                initdb.wait()
        if initdb.returncode != 0:
            raise EmbeddedError(f"PostgreSQL could not set up {self.folder}.\n{self._last_output()}")
        draft.rename(home)

    async def _spawn(self) -> None:
        """Start the postmaster and wait until it takes connections. Raises EmbeddedError."""
        assert self._engine is not None
        home = self.folder / "postgres"
        lock = await self._free_of_earlier_engine(home)
        try:
            # Since we hold the lock, these files are stale. They would mislead Postgres if another process
            # has got the process id they name.
            (home / "postmaster.pid").unlink(missing_ok=True)
            for left in self._sockets.glob(".s.PGSQL.*"):
                left.unlink()
            options = {**self.options, "unix_socket_directories": f'"{self._sockets}"'}
            command = [str(self._engine.bin / "postgres"), "-D", str(home)]
            command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
            with (self.folder / "start.log").open("wb") as out:
                self._process = self._launch(command, out, lock.fileno())
        finally:
            lock.close()
        await self._wait_until_ready(home)

    async def _free_of_earlier_engine(self, home: Path) -> IO[bytes]:
        """Return, locked, the file that every engine process locks; end an engine whose server was killed.

        Raises EmbeddedError if that engine still runs after LEFT_WITHIN seconds.
        """
        end = time.monotonic() + LEFT_WITHIN
        asked = False
        while (lock := claim(self.folder / "engine.lock")) is None:
            if not asked and (left := postmaster(home)) is not None:
                log.info("embedded.earlier_engine", folder=str(self.folder), pid=left)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(left, signal.SIGINT)
                asked = True
            if time.monotonic() > end:
                raise EmbeddedError(f"An earlier PostgreSQL still runs on {self.folder} and does not stop.")
            await asyncio.sleep(NAP)
        return lock

    async def _wait_until_ready(self, home: Path) -> None:
        """Wait until the postmaster reports in its pid file that it is ready.

        Raises EmbeddedError if it ends before, or is not ready after START_WITHIN seconds.
        """
        assert self._process is not None
        end = time.monotonic() + START_WITHIN
        while not is_ready(home):
            if self._process.poll() is not None:
                raise EmbeddedError(f"PostgreSQL did not start on {self.folder}.\n{self._last_output()}")
            if time.monotonic() > end:
                raise EmbeddedError(
                    f"PostgreSQL took more than {START_WITHIN:.0f} s to start on {self.folder}."
                )
            await asyncio.sleep(NAP)

    async def _make_database(self) -> None:
        """Create our database if it is missing, as at the first start."""
        try:
            connection = await asyncpg.connect(self.dsn)
        except asyncpg.InvalidCatalogNameError:
            connection = await asyncpg.connect(self.url("postgres"))
            await connection.execute(f"CREATE DATABASE {DATABASE}")
        await connection.close()

    async def _keep_running(self) -> None:
        """Restart the engine whenever it ends by itself. The server answers `unavailable` meanwhile."""
        pause = 0.1
        while True:
            if self.pid is not None:
                pause = 0.1
                await asyncio.sleep(0.1)
                continue
            log.error("embedded.engine_ended", folder=str(self.folder))
            try:
                await self._spawn()
                log.info("embedded.engine_back", folder=str(self.folder))
            except (EmbeddedError, OSError) as fault:
                log.error("embedded.engine_not_back", folder=str(self.folder), fault=str(fault))  # noqa: TRY400
                await asyncio.sleep(pause)
                pause = min(2 * pause, 5.0)

    def _launch(self, command: list[str], out: IO[bytes], *keep: int) -> subprocess.Popen[bytes]:
        """Run a program of the engine under its account, in a session of its own.

        Ctrl-C at a terminal goes to every process of the session. The engine must not get it: we stop it
        ourselves, after the server has drained.
        """
        script = str(Path(__file__).with_name("launch.py"))
        starter = [sys.executable, "-I", "-S", script, str(os.getpid())]
        return subprocess.Popen(  # noqa: S603  a list, and all of it ours
            [*starter, str(self._account.user), str(self._account.group), *command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd="/",
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
            start_new_session=True,
            pass_fds=keep,
        )

    def _last_output(self) -> str:
        """Return the last 8 lines that the engine wrote during its start, for the operator."""
        said = (self.folder / "start.log").read_text(encoding="utf-8", errors="replace").splitlines()
        logs = sorted((self.folder / "postgres" / "log").glob("*.log"), key=lambda one: one.stat().st_mtime)
        for newest in logs[-1:]:
            said += newest.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(said[-8:])


@contextlib.asynccontextmanager
async def embedded(folder: Path, options: Mapping[str, str] | None = None) -> AsyncIterator[str]:
    """Run Postgres on a folder and yield its URL. Raises EmbeddedError on entering."""
    engine = Embedded(folder, options)
    dsn = await engine.start()
    try:
        yield dsn
    finally:
        await engine.stop()


async def _end(process: subprocess.Popen[bytes]) -> None:
    """Shut down in mode fast, with a last checkpoint; if that takes too long, in mode immediate, without."""
    for how in (signal.SIGINT, signal.SIGQUIT):
        process.send_signal(how)  # not sent to a process that has ended
        for _ in range(int(STOP_WITHIN / NAP)):
            if process.poll() is not None:
                return
            await asyncio.sleep(NAP)
    log.error("embedded.engine_stuck", pid=process.pid)
    process.kill()
    process.wait()
