"""What a release is made of: bills of materials that name everything, and notes."""

import re
import tomllib
from datetime import UTC, datetime
from functools import cache
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
