"""What a release is made of: bills of materials that name everything, and notes; and that it is made."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from deploy.release import NotYet, locked, needed, notes, page_bill, python_bill

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PAGE_LOCK = (ROOT / "clients" / "web" / "package-lock.json").read_text(encoding="utf-8")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
AT = datetime(2026, 1, 2, tzinfo=UTC)

LEAST = [".gitignore", "CHANGELOG.md", "pyproject.toml", "requirements.lock", "deploy/release.py"]
"""What is looked at before anything is made."""

PAGE = "clients/web/dist/index.html"
SOME = [
    "LICENSE",
    "README.md",
    PAGE,
    "clients/web/package.json",
    "clients/web/package-lock.json",
    "docs/rules",
]
"""What else a release needs; little of it, so that it is soon made."""

INSTALLED = ["LICENSE", "README.md", "clients", "domain", "projections", "server", "docs/rules"]
NOT_COMMITTED = shutil.ignore_patterns("node_modules", "__pycache__", ".svelte-check", "test-results")

WHEEL = f"fleetfold-{VERSION}-py3-none-any.whl"
MADE = [WHEEL, *(f"fleetfold-{VERSION}.{kind}" for kind in ("md", "page.cdx.json", "server.cdx.json"))]

OURS = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
GIT = {
    **OURS,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{who}_{what}": "tests" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_COMMITTER_DATE": AT.isoformat(),
}


@cache
def billed_page() -> str:
    return page_bill(PAGE_LOCK, AT)


def components(bill: str) -> list[dict[str, Any]]:
    told = json.decode(bill)
    assert "CycloneDX" == told["bomFormat"]
    assert AT == datetime.fromisoformat(told["metadata"]["timestamp"])
    found: list[dict[str, Any]] = told["components"]
    return found


def test_the_bill_of_the_server_names_every_package_of_the_lock_with_its_version() -> None:
    named = re.findall(r"^([a-z0-9._-]+)==([^ ]+)", LOCK, re.MULTILINE)
    parts = components(python_bill(VERSION, LOCK, AT))

    assert len(named) > 60
    assert sorted(named) == sorted((one["name"], one["version"]) for one in parts)
    assert {f"pkg:pypi/{name}@{version}" for name, version in named} == {one["purl"] for one in parts}


def test_the_bill_of_the_page_names_every_package_of_its_lock_with_its_version() -> None:
    packages = json.decode(PAGE_LOCK)["packages"]
    named = {(path.rpartition("node_modules/")[2], one["version"]) for path, one in packages.items() if path}

    assert len(named) > 100
    assert named == {(one["name"], one["version"]) for one in components(billed_page())}


def test_what_a_server_runs_with_is_told_from_what_developers_use() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    ours = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["embedded"]]
    direct = {re.split(r"[\[>]", one)[0] for one in ours}
    runs = needed(locked(LOCK))
    scopes = {one["name"]: one["scope"] for one in components(python_bill(VERSION, LOCK, AT))}

    assert direct < runs
    assert {"cffi", "hiredis"} < runs
    assert not {"ruff", "pytest", "pip-audit", "hypothesis"} & runs
    assert runs == {name for name, scope in scopes.items() if scope == "required"}


def test_the_bill_says_who_asks_for_what() -> None:
    told = json.decode(python_bill(VERSION, LOCK, AT))
    by = {one["ref"]: one.get("dependsOn", []) for one in told["dependencies"]}
    versions = {one.name: one.version for one in locked(LOCK)}

    def ref(name: str) -> str:
        return f"pkg:pypi/{name}@{versions[name]}"

    assert ref("cffi") in by[ref("cryptography")]
    assert {ref("asyncpg"), ref("ruff")} <= set(by[f"pkg:pypi/fleetfold@{VERSION}"])


def test_the_same_locks_give_the_same_bills() -> None:
    assert python_bill(VERSION, LOCK, AT) == python_bill(VERSION, LOCK, AT)
    assert billed_page() == page_bill(PAGE_LOCK, AT)


def test_no_bill_names_a_place_of_this_machine_or_a_registry() -> None:
    both = python_bill(VERSION, LOCK, AT) + billed_page()

    assert str(ROOT) not in both
    assert not re.findall(r"https?://(?!cyclonedx\.org|json-schema)[^\"]*(?:registry|pypi)[^\"]*", both)


def test_the_version_has_notes_with_what_to_do_when_one_upgrades() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert notes(VERSION, changelog).startswith(f"# Fleetfold {VERSION}\n\n")


@pytest.mark.parametrize(
    ("changelog", "why"),
    [
        ("# Changelog\n", "no chapter"),
        ("# Changelog\n\n## 9.9.8\n\nUpgrading\n- Nothing.\n", "no chapter"),
        ("# Changelog\n\n## 9.9.9\n\nAdded\n- A thing.\n\n## 9.9.8\n\nUpgrading\n- Nothing.\n", "upgrade"),
    ],
)
def test_without_notes_there_is_no_release(changelog: str, why: str) -> None:
    with pytest.raises(NotYet, match=why):
        notes("9.9.9", changelog)


def committed(tree: Path, *names: str) -> Path:
    """Copy files and folders of this one into a new one, with the page as it was built, and commit them."""
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=NOT_COMMITTED)
        else:
            shutil.copy(ROOT / name, tree / name)
    for command in (["init", "-q"], ["add", "--all"], ["commit", "-q", "-m", "all"]):
        subprocess.run(["git", *command], cwd=tree, env=GIT, check=True)
    return tree


def released(tree: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, tree / "deploy" / "release.py"],
        env=OURS, capture_output=True, text=True, check=False,
    )  # fmt: skip


def refused(tree: Path) -> str:
    """Ask for a release that is refused, and return why; nothing is left of it."""
    ran = released(tree)
    assert (1, "") == (ran.returncode, ran.stdout)
    assert not list((tree / "dist").glob("*"))
    return ran.stderr


def test_a_release_is_wheel_notes_and_bills_with_checksums(tmp_path: Path) -> None:
    """Given what an earlier attempt has left, and another version."""
    tree = committed(tmp_path, *LEAST, *SOME)
    dist = tree / "dist"
    dist.mkdir()
    others = ["fleetfold-0.0.9-py3-none-any.whl", f"fleetfold-{VERSION}-cp311-none-any.whl", "SHA256SUMS"]
    for name in others:
        (dist / name).write_text("old")
    ran = released(tree)
    assert 0 == ran.returncode, ran.stderr

    assert sorted([*MADE, "SHA256SUMS", others[0]]) == sorted(one.name for one in dist.iterdir())
    sums = [f"{sha256((dist / name).read_bytes()).hexdigest()}  {name}\n" for name in MADE]
    assert "".join(sums) == (dist / "SHA256SUMS").read_text()
    assert [*MADE, "SHA256SUMS"] == [line.strip() for line in ran.stdout.splitlines()[1:-1]]
    assert f"git tag v{VERSION}" in ran.stdout
    wheel, notes_of, page, server = (dist / name for name in MADE)
    assert notes(VERSION, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")) == notes_of.read_text()
    assert len(components(page.read_text())) > 100
    assert len(components(server.read_text())) > 60
    assert {PAGE, "server/rules/midway.md"} < set(zipfile.ZipFile(wheel).namelist())


def change(tree: Path) -> str:
    with (tree / "pyproject.toml").open("a") as file:
        file.write("\n")
    return " M pyproject.toml"


def add(tree: Path) -> str:
    (tree / "deploy" / "new.py").touch()
    return "?? deploy/new.py"


def take_away(tree: Path) -> str:
    (tree / "requirements.lock").unlink()
    return " D requirements.lock"


@pytest.mark.parametrize("spoil", [change, add, take_away])
def test_what_is_not_committed_is_no_release(tmp_path: Path, spoil: Callable[[Path], str]) -> None:
    tree = committed(tmp_path, *LEAST, PAGE)
    told = spoil(tree)

    assert f"No release: not everything is committed:\n{told}\n\n" == refused(tree)


def test_where_the_page_is_not_built_there_is_no_release(tmp_path: Path) -> None:
    assert "No release: the page is not built: make setup\n" == refused(committed(tmp_path, *LEAST))


def test_where_nothing_says_how_to_upgrade_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {VERSION}\n\nAdded\n- A thing.\n")
    names = [name for name in LEAST if name != "CHANGELOG.md"]

    assert "upgrade" in refused(committed(tmp_path, *names, PAGE))


@pytest.mark.soak
def test_the_same_commit_gives_the_same_files_byte_for_byte(tmp_path: Path) -> None:
    """Wherever it lies, whenever its files were written, and however often it is made."""
    trees = [committed(tmp_path / name, *LEAST, *INSTALLED) for name in ("here", "there, elsewhere")]
    for path in trees[1].rglob("*.py"):
        os.utime(path, (1e9, 1e9))
    made = []
    for tree in (*trees, trees[0]):
        assert 0 == released(tree).returncode
        made.append({path.name: path.read_bytes() for path in (tree / "dist").iterdir()})

    assert made[0] == made[1]
    assert made[0] == made[2]
