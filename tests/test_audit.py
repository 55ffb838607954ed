"""What is made of the registries' answers about known faults."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import json

from deploy import audit
from deploy.audit import Unanswered, page_faults, python_faults

ROOT = Path(__file__).parent.parent

FAULT = {"id": "PYSEC-2099-1", "fix_versions": ["1.2.4"], "aliases": [], "description": "It is open."}
SKIPPED = {"name": "beta", "skip_reason": "Dependency not found on PyPI and could not be audited: beta (2.0)"}


def test_every_fault_of_a_package_is_told_with_the_version_that_mends_it() -> None:
    told = [{"name": "alpha", "version": "1.2.3", "vulns": [FAULT]}, SKIPPED]

    assert ["alpha 1.2.3: PYSEC-2099-1, mended in 1.2.4"] == python_faults(
        json.encode({"dependencies": told})
    )


def test_where_packages_were_looked_up_and_none_has_a_fault_there_is_none() -> None:
    told = [{"name": "alpha", "version": "1.2.3", "vulns": []}, SKIPPED]

    assert [] == python_faults(json.encode({"dependencies": told, "fixes": []}))
    assert [] == page_faults(b'{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}')


def test_a_fault_of_what_the_page_is_made_with_is_told_of_whom_it_comes() -> None:
    advisory = {"source": 1, "title": "It is open", "url": "a/GHSA-x", "severity": "high", "range": "<2"}
    told = {"alpha": {"severity": "high", "via": [advisory]}, "beta": {"severity": "high", "via": ["alpha"]}}

    expected = ["alpha: It is open, GHSA-x (high)", "beta: alpha (high)"]
    assert expected == page_faults(json.encode({"vulnerabilities": told}))


@pytest.mark.parametrize(
    "answer", [b"", b"<html>", b"[]", b"{}", b'{"message":"405"}', json.encode({"dependencies": [SKIPPED]})]
)
def test_an_answer_that_tells_nothing_is_none(answer: bytes) -> None:
    for read in (python_faults, page_faults):
        with pytest.raises(Unanswered):
            read(answer)


def test_registries_that_cannot_be_reached_are_said_and_are_no_fault() -> None:
    nowhere = dict.fromkeys(("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"), "http://127.0.0.1:9")
    ran = subprocess.run(
        [sys.executable, ROOT / "deploy" / "audit.py"],
        env={**os.environ, **nowhere}, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (0, 2) == (ran.returncode, ran.stdout.count("were not looked up")), ran


def test_on_the_same_day_the_same_locks_are_not_asked_about_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def ask() -> list[str]:
        asked.append(1)
        return []

    monkeypatch.setattr(audit, "STAMP", tmp_path / "audited")
    monkeypatch.setattr(audit, "ask_python", ask)
    monkeypatch.setattr(audit, "ask_page", ask)
    codes = [audit.main(once=True), audit.main(once=True), audit.main(once=False)]
    os.utime(tmp_path / "audited", (0, 0))
    codes.append(audit.main(once=True))

    assert ([0] * 4, 6) == (codes, len(asked))
    assert 6 == capsys.readouterr().out.count(": 0.")


def test_a_fault_fails_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "STAMP", tmp_path / "audited")
    monkeypatch.setattr(audit, "ask_python", lambda: ["alpha 1.2.3: PYSEC-2099-1"])
    monkeypatch.setattr(audit, "ask_page", list)

    assert [1, 1] == [audit.main(once=True), audit.main(once=True)]
