"""The others, installed from their registries into a cache: exactly what the lock files here name.

`package-lock.json` and `requirements.lock` are written anew, after a change of `package.json` or
`requirements.in`, by

    npm install --package-lock-only --ignore-scripts
    uv pip compile --universal --generate-hashes --no-header -o requirements.lock requirements.in

Nothing of a package is run while it is installed. What cannot be installed is left out, and why is said.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

HERE: Final = Path(__file__).parent
LOCKS: Final = ("package.json", "package-lock.json", ".npmrc", "requirements.lock", "fanout.c")
PATIENCE: Final = 600.0
"""Seconds for one installation."""


class Missing(Exception):
    """A peer cannot be measured here. The message says why."""


class Peers:
    """Where the others are; each is installed when it is first asked for."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _cache() / f"peers-{_of_locks()}"
        self._failed: dict[str, str] = {}

    def packages(self) -> Path:
        """Return the folder with what Node's packages are in. Raises Missing."""
        return self._made("node", _install_packages)

    def python(self) -> Path:
        """Return the Python that has the others' packages. Raises Missing."""
        return self._made("python", _install_python) / "bin" / "python"

    def fanout(self) -> Path:
        """Return the compiled `fanout.c`. Raises Missing."""
        return self._made("c", _compile) / "fanout"

    def _made(self, name: str, make: Callable[[Path], None]) -> Path:
        """Return a folder of the cache, made whole or not at all."""
        folder = self.folder / name
        if folder.exists():
            return folder
        if name in self._failed:
            raise Missing(self._failed[name])
        half = folder.with_name(f"{name}.{os.getpid()}")
        half.mkdir(parents=True)
        try:
            make(half)
            half.rename(folder)
        except (OSError, subprocess.SubprocessError) as why:
            self._failed[name] = _reason(name, why)
            raise Missing(self._failed[name]) from why
        finally:
            shutil.rmtree(half, ignore_errors=True)
        return folder


def versions() -> dict[str, str]:
    """Return the versions of what is measured beside us, by package."""
    packages = msgspec.json.decode((HERE / "package.json").read_bytes(), type=dict[str, object])
    found = msgspec.convert(packages["dependencies"], dict[str, str])
    for line in (HERE / "requirements.in").read_text().split():
        name, _, version = line.partition("==")
        found[name.partition("[")[0]] = version
    return dict(sorted(found.items()))


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fleetfold"


def _of_locks() -> str:
    text = b"".join((HERE / name).read_bytes() for name in LOCKS)
    return hashlib.sha256(text + platform.python_version().encode()).hexdigest()[:12]


def _install_packages(folder: Path) -> None:
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, folder)
    _run("npm", "ci", "--ignore-scripts", "--loglevel=error", folder=folder)


def _install_python(folder: Path) -> None:
    uv = Path(sys.executable).with_name("uv")
    # It is moved afterwards, into its place.
    _run(uv, "venv", "--quiet", "--relocatable", "--python", sys.executable, ".", folder=folder)
    packages = ("--require-hashes", "--requirement", HERE / "requirements.lock")
    _run(
        uv,
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        "--python",
        "bin/python",
        *packages,
        folder=folder,
    )


def _compile(folder: Path) -> None:
    _run("cc", "-O2", "-Wall", "-o", "fanout", HERE / "fanout.c", folder=folder)


def _run(*arguments: str | Path, folder: Path) -> None:
    subprocess.run(
        list(map(str, arguments)), cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE
    )


def _reason(name: str, why: Exception) -> str:
    """Say why without naming places of this machine."""
    if isinstance(why, FileNotFoundError):
        return f"there is no `{Path(why.filename).name}` here"
    said = why.stderr.strip().splitlines() if isinstance(why, subprocess.CalledProcessError) else []
    print(*said, sep="\n", file=sys.stderr)
    return {"c": "it could not be compiled", "node": "npm could not install it"}.get(
        name, "uv could not install it"
    )
