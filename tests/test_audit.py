"""What is made of the registries' answers about known faults."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec import json

from deploy import audit
from deploy.audit import Unanswered, page_faults, python_faults

ROOT = Path(__file__).parent.parent

Answer = Callable[[], list[str]]
"""What a registry says when it is asked: a line for each fault."""

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


def ran(*arguments: str, stamp: Path) -> tuple[int, int]:
    """Run the audit where no registry can be reached; how it ends, and how many are said not to answer."""
    nowhere = dict.fromkeys(("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"), "http://127.0.0.1:9")
    ran = subprocess.run(
        [sys.executable, ROOT / "deploy" / "audit.py", *arguments, "--stamp", stamp],
        env={**os.environ, **nowhere}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not ran.stderr
    return ran.returncode, ran.stdout.count("were not looked up")


def test_registries_that_cannot_be_reached_are_said_and_are_no_fault(tmp_path: Path) -> None:
    """And are asked again the next time, also by who asks once a day."""
    stamp = tmp_path / "audited"

    assert (0, 2) == ran("--once", stamp=stamp)
    assert not stamp.exists()


def test_who_asks_once_a_day_goes_by_the_stamp_that_is_named(tmp_path: Path) -> None:
    stamp = tmp_path / "audited"
    stamp.write_text(audit.locks())

    assert (0, 0) == ran("--once", stamp=stamp)


def none() -> list[str]:
    return []


def a_fault() -> list[str]:
    return ["alpha 1.2.3: PYSEC-2099-1"]


def unanswered() -> list[str]:
    raise Unanswered


class Asked:
    """An audit of which the answers are known, with a stamp of its own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.stamp, self.times = folder / "audited", 0
        self._patch = patch

    def __call__(self, python: Answer, page: Answer, *, once: bool) -> int:
        for name, answer in (("ask_python", python), ("ask_page", page)):
            self._patch.setattr(audit, name, partial(self._counted, answer))
        return audit.main(self.stamp, once=once)

    def _counted(self, answer: Answer) -> list[str]:
        self.times += 1
        return answer()


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(tmp_path, monkeypatch)


def test_on_the_same_day_the_same_locks_are_not_asked_about_again(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = [asked(none, none, once=once) for once in (True, True, False)]
    os.utime(asked.stamp, (0, 0))
    codes.append(asked(none, none, once=True))

    assert ([0] * 4, 6) == (codes, asked.times)
    assert 6 == capsys.readouterr().out.count(": 0.")


@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize("answers", [(unanswered, none), (none, unanswered), (unanswered, unanswered)])
def test_while_a_registry_does_not_answer_all_are_asked_each_time(
    asked: Asked, capsys: pytest.CaptureFixture[str], answers: tuple[Answer, Answer], once: bool
) -> None:
    codes = [asked(*answers, once=once), asked(*answers, once=True)]

    assert ([0, 0], 4) == (codes, asked.times)
    assert not asked.stamp.exists()
    assert 2 * answers.count(unanswered) == capsys.readouterr().out.count("were not looked up")


@pytest.mark.parametrize("other", [none, unanswered])
def test_a_fault_fails_each_time(asked: Asked, other: Answer) -> None:
    """Also later on a day on which none was known."""
    asked(none, none, once=True)

    assert [1, 1, 1] == [asked(a_fault, other, once=once) for once in (False, True, True)]
