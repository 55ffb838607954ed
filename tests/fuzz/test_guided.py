"""Parsers of what strangers write, under a fuzzer that is guided by what it reaches (`tests.fuzz.guided`)."""

import asyncio
import platform
import sys
from pathlib import Path

import pytest

SECONDS = 60
TARGETS = ("message", "record", "note", "link", "ring", "query", "headers")

THERE = sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info < (3, 14)
pytestmark = [
    pytest.mark.skipif(not THERE, reason="there is no atheris for other machines"),
    pytest.mark.soak,
]


async def guided(target: str, folder: Path, *options: str) -> tuple[int | None, str]:
    """Run a target in a process of its own; return its exit code and what it said."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fuzz.guided", target, f"-artifact_prefix={folder}/", *options,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await process.communicate()
    return process.returncode, said.decode(errors="replace")


async def test_the_fuzzer_finds_a_fault_behind_three_branches(tmp_path: Path) -> None:
    code, said = await guided("planted", tmp_path, "-runs=1000000", "-seed=1")

    assert 77 == code
    assert "ValueError: found" in said
    assert b"fle" == next(tmp_path.glob("crash-*")).read_bytes()[:3]


@pytest.mark.parametrize("target", TARGETS)
async def test_a_parser_raises_what_it_says_whatever_it_is_given(target: str, tmp_path: Path) -> None:
    code, said = await guided(target, tmp_path, f"-max_total_time={SECONDS}")

    assert 0 == code, said[-4000:]
    assert "DONE" in said
