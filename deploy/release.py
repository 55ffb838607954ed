"""Makes a release in dist/: wheel, notes, bills of materials, checksums. Asks no registry.

    python deploy/release.py

The version is that of pyproject.toml. CHANGELOG.md needs a chapter for it that says what to do when one
upgrades, and everything has to be committed, so that the same commit gives the same files, byte for byte.
Tags and publishing are the maintainer's.
"""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid5

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot5
from msgspec import Struct, json
from packageurl import PackageURL

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "clients" / "web"
DIST: Final = ROOT / "dist"

OURS: Final = "fleetfold (pyproject.toml"
"""Who asks for a package, in the lock, if that is ourselves; behind it stands a group, or nothing."""


class NotYet(Exception):
    """Something is missing that a release needs."""


class Locked(Struct, frozen=True):
    """A package of requirements.lock: `via` are those that ask for it."""

    name: str
    version: str
    via: tuple[str, ...]


def locked(text: str) -> list[Locked]:
    """Return the packages of a lock."""
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    return [_locked(block) for block in blocks]


def _locked(block: str) -> Locked:
    named = re.match(r"([a-z0-9._-]+)==([^\s;\\]+)", block)
    if named is None:
        raise NotYet(f"requirements.lock has a line that names no version: {block.splitlines()[0]}")
    via = block[block.index("# via") + 5 :] if "# via" in block else ""
    return Locked(named[1], named[2], tuple(one.strip(" #") for one in via.splitlines() if one.strip(" #")))


def needed(packages: list[Locked]) -> set[str]:
    """Return the names of those that a server runs with: ours, and what these ask for."""
    found: set[str] = set()
    while more := {
        one.name
        for one in packages
        if one.name not in found
        and any(via in found or (via.startswith(OURS) and not via.endswith(":dev)")) for via in one.via)
    }:
        found |= more
    return found


def python_bill(version: str, lock: str, at: datetime) -> str:
    """Write the bill of materials of the server as CycloneDX: all of the lock.

    What is for developers alone has the scope `excluded`.
    """
    packages = locked(lock)
    runs = needed(packages)
    us = _component("fleetfold", version, ComponentType.APPLICATION)
    parts = {
        one.name: _component(
            one.name,
            one.version,
            scope=ComponentScope.REQUIRED if one.name in runs else ComponentScope.EXCLUDED,
        )
        for one in packages
    }
    bill = Bom(components=parts.values(), serial_number=_serial(lock))
    bill.metadata.component, bill.metadata.timestamp = us, at
    for asks, by in _asked(packages).items():
        bill.register_dependency(parts.get(asks, us), [parts[name] for name in by])
    return JsonV1Dot5(bill).output_as_string(indent=2) + "\n"


def _component(
    name: str,
    version: str,
    kind: ComponentType = ComponentType.LIBRARY,
    scope: ComponentScope | None = None,
) -> Component:
    purl = PackageURL("pypi", name=name, version=version)
    return Component(name=name, version=version, type=kind, purl=purl, bom_ref=str(purl), scope=scope)


def _asked(packages: list[Locked]) -> Mapping[str, list[str]]:
    """Return who asks for which packages; ourselves are ''."""
    found: dict[str, list[str]] = {"": []}
    for one in packages:
        for via in one.via:
            found.setdefault("" if via.startswith(OURS) else via, []).append(one.name)
    return found


def page_bill(lock: str, at: datetime) -> str:
    """Write the bill of materials of the page, which npm makes of its lock; time and number are ours."""
    ran = _run("npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx", cwd=PAGE)
    bill: dict[str, Any] = json.decode(ran)
    bill["serialNumber"] = f"urn:uuid:{_serial(lock)}"
    bill["metadata"]["timestamp"] = at.isoformat()
    return json.format(json.encode(bill), indent=2).decode() + "\n"


def _serial(lock: str) -> UUID:
    """Return the number of a bill: it follows from what is billed."""
    return uuid5(UUID(int=0), sha256(lock.encode()).hexdigest())


def notes(version: str, changelog: str) -> str:
    """Return the chapter of a version; raises NotYet if there is none, or it does not say how to upgrade."""
    found = re.search(rf"^## {re.escape(version)}\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None:
        raise NotYet(f"CHANGELOG.md has no chapter {version}")
    if not re.search(r"^Upgrading\n- ", found[1], re.MULTILINE):
        raise NotYet(f"CHANGELOG.md does not say under {version} what to do when one upgrades")
    return f"# Fleetfold {version}\n{found[1].rstrip()}\n"


def made(version: str, at: datetime) -> Iterator[Path]:
    """Make everything but the checksums; yield the files."""
    texts = {
        "md": notes(version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")),
        "server.cdx.json": python_bill(version, (ROOT / "requirements.lock").read_text(encoding="utf-8"), at),
        "page.cdx.json": page_bill((PAGE / "package-lock.json").read_text(encoding="utf-8"), at),
    }
    wheel = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(DIST))
    _run(*wheel, environment={"SOURCE_DATE_EPOCH": str(int(at.timestamp()))})
    yield next(DIST.glob(f"fleetfold-{version}-*.whl"))
    for kind, text in texts.items():
        file = DIST / f"fleetfold-{version}.{kind}"
        file.write_text(text, encoding="utf-8")
        yield file


def _run(*command: str, cwd: Path = ROOT, environment: Mapping[str, str] | None = None) -> bytes:
    where = {**os.environ, **(environment or {})}
    try:
        ran = subprocess.run(command, cwd=cwd, env=where, capture_output=True, check=False)
    except OSError as why:
        raise NotYet(f"{command[0]} cannot be run: {why.strerror}") from None
    if ran.returncode:
        raise NotYet(f"{' '.join(command[:3])} failed:\n{(ran.stdout + ran.stderr).decode()[-2000:]}")
    return ran.stdout


def main() -> None:
    """Make the release of what is committed."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if changed := _run("git", "status", "--porcelain").decode():
        raise NotYet(f"not everything is committed:\n{changed}")
    if not (PAGE / "dist" / "index.html").exists():
        raise NotYet("the page is not built: make setup")
    at = datetime.fromtimestamp(int(_run("git", "log", "-1", "--format=%ct")), UTC)
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob(f"fleetfold-{version}*"):
        old.unlink()
    files = sorted(made(version, at))
    sums = "".join(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8")
    print(f"Fleetfold {version}, in dist/:", *(file.name for file in files), "SHA256SUMS", sep="\n  ")
    print(f"Look at them, then: git tag v{version}")


if __name__ == "__main__":
    try:
        main()
    except NotYet as why:
        sys.exit(f"No release: {why}")
