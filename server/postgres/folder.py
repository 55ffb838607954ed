"""The data folder of a server with an embedded Postgres: its ownership, locks and contents.

The folder, which may be moved while no server runs on it:

    server.lock     held by the one server that may use the folder
    engine.lock     held by Postgres and every process of it, through a file they inherit: whoever gets this
                    lock knows that no process of an earlier engine is left, however it was ended
    password        of the database's owner, from which that of the server's login follows; mode 0600
    start.log       what the engine said while starting
    postgres/       PostgreSQL's own folder, mode 0700, with the socket and a log for each day of the week
    engine/18.4/    as root only: a copy of the engine, where its account cannot reach the installed one
    restoring       until a restore has made the database, which has a mark of its own from then on
                    (`server.postgres.restoring`): nothing is served meanwhile

Deliberately absent: starting and stopping anything (`server.postgres.embedded`). Modes and owners outside the
folder are never changed.
"""

import fcntl
import os
import socket
import tempfile
from pathlib import Path
from typing import IO, Final

import structlog

from server.postgres.engine import Account, EmbeddedError, can_run

RESTORING: Final = "restoring"

PORT: Final = 5432  # of the socket's name only
LONGEST_SOCKET: Final = 103  # bytes; Linux takes 107, macOS 103

log = structlog.get_logger()


def own_folder(folder: Path, who: Account) -> None:
    """Create the folder, or check an existing one. Raises EmbeddedError if it cannot be used.

    An account other than ours must be able to pass through the folder to its own part of it, and through all
    folders above, whose modes are not ours to change.
    """
    if '"' in str(folder) or not str(folder).isprintable():
        raise EmbeddedError(f"PostgreSQL's own tools cannot work in a folder of this name: {folder!r}.")
    mode = 0o711 if who.other else 0o700
    try:
        fresh = not folder.exists() or not any(folder.iterdir())
        folder.mkdir(parents=True, exist_ok=True)
        if fresh:
            folder.chmod(mode)
    except OSError as fault:
        raise EmbeddedError(f"The data folder {folder} cannot be used: {fault.strerror}.") from fault
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise EmbeddedError(f"The data folder {folder} cannot be written to.")
    if who.other and not can_run(who, "/bin/sh", "-c", 'test -x "$0"', str(folder)):
        raise EmbeddedError(
            f"Run by root, PostgreSQL works under account {who.name}, which cannot reach {folder}. "
            "Set FLEETFOLD_DATA to a folder it can reach, such as /var/lib/fleetfold."
        )


def begin_restoring(folder: Path) -> None:
    """Mark a data folder: from now on nothing is served from it, until `end_restoring`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / RESTORING).open("wb") as file:
        os.fsync(file.fileno())


def is_restoring(folder: Path) -> bool:
    """Whether the mark is there. What we may not look at is not ours to say."""
    return os.path.exists(folder / RESTORING)  # noqa: PTH110 Path.exists raises for it


def end_restoring(folder: Path) -> None:
    """Take the mark away."""
    (folder / RESTORING).unlink(missing_ok=True)


def refuse_half_restored(folder: Path) -> None:
    """Raise EmbeddedError where a backup was being put back and that has not come to its end."""
    if is_restoring(folder):
        raise EmbeddedError(
            f"A backup was being restored into {folder}, and that was cut short. Run `fleetfold restore` "
            f"again with the same settings. To give it up, remove {folder / RESTORING}: then this is a new "
            "server, and an empty one."
        )


def claim(path: Path) -> IO[bytes] | None:
    """Lock a file without waiting and return it open; None if it is locked. Closing it frees the lock."""
    # Mode 0600: any account that may open a file may lock it.
    file = open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def socket_folder(home: Path, who: Account) -> Path:
    """Return the socket's folder: the database's own, unless its path is too long or unfit for a socket.

    In that case it is a new folder of mode 0700 among the system's temporary files.
    """
    path = f"{home}/.s.PGSQL.{PORT}"
    if len(os.fsencode(path)) <= LONGEST_SOCKET and "," not in path:
        return home
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    base = runtime if not who.other and os.path.isdir(runtime) else "/tmp"  # noqa: PTH112, S108
    place = Path(tempfile.mkdtemp(prefix="fleetfold-", dir=base))
    if who.other:
        os.chown(place, who.user, who.group)
    log.info(
        "embedded.socket_elsewhere", reason="the data folder's path is not fit for a socket", to=str(place)
    )
    return place


def major_of(home: Path) -> int | None:
    """Return the major version that made a database's folder, or None where there is none yet."""
    try:
        return int((home / "PG_VERSION").read_text(encoding="ascii"))
    except FileNotFoundError:
        return None


def postmaster(home: Path) -> int | None:
    """Return the process id in the postmaster's pid file if a postmaster answers on the socket named there.

    Without that check the id might by now be another program's.
    """
    try:
        lines = (home / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(f"{lines[4]}/.s.PGSQL.{lines[3]}")
        return int(lines[0])
    except (OSError, ValueError, IndexError):
        return None


def is_ready(home: Path) -> bool:
    """Whether the eighth line of the postmaster's pid file says that it takes connections."""
    try:
        lines = (home / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return False
    return [line.strip() for line in lines[7:8]] in (["ready"], ["standby"])
