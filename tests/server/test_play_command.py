"""What `fleetfold play` says and opens."""

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.commands.play import ready
from server.settings import Settings, read

HOME = {"HOME": "/home/x"}
MAIL = {"FLEETFOLD_MAIL": "smtp://localhost", "FLEETFOLD_MAIL_FROM": "notices@fleet.example"}

READY = """
from server.commands.play import ready
from server.settings import Settings
import threading
ready(Settings(), {opens}, "http://127.0.0.1:8123", True)
for one in threading.enumerate():
    if one is not threading.main_thread():
        one.join(10)
"""


def started(
    tmp_path: Path, env: dict[str, str], *, opens: bool = True, terminal: bool = True
) -> tuple[str, str]:
    """Let it be ready, and return what it said and what a browser, which is a script, was given."""
    given = tmp_path / "given"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {given}\n')
    browser.chmod(0o755)
    ours, theirs = pty.openpty() if terminal else os.pipe()
    known = {name: value for name, value in os.environ.items() if name not in ("SSH_CONNECTION", "DISPLAY")}
    try:
        subprocess.run(
            [sys.executable, "-c", READY.format(opens=opens)],
            env={**known, "BROWSER": str(browser), **env},
            stdout=theirs,
            check=True,
            timeout=60,
        )
        said = os.read(ours, 4096).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    if env.get("DISPLAY") and opens and terminal and "SSH_CONNECTION" not in env:
        until = time.monotonic() + 10
        while not (given.exists() and given.read_text()) and time.monotonic() < until:
            time.sleep(0.02)
    return said, given.read_text() if given.exists() else ""


def test_the_page_opens_by_a_name_for_who_has_a_screen(tmp_path: Path) -> None:
    said, given = started(tmp_path, {"DISPLAY": ":9"})

    assert "Open http://localhost:8123 in a browser." in said
    assert "http://localhost:8123" == given


@pytest.mark.parametrize(
    ("opens", "terminal", "env"),
    [
        (True, True, {}),
        (False, True, {"DISPLAY": ":9"}),
        (True, False, {"DISPLAY": ":9"}),
        (True, True, {"DISPLAY": ":9", "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}),
    ],
)
def test_nothing_opens_without_a_screen_or_where_it_is_not_wanted(
    tmp_path: Path, opens: bool, terminal: bool, env: dict[str, str]
) -> None:
    said, given = started(tmp_path, env, opens=opens, terminal=terminal)

    assert "Open http://localhost:8123 in a browser." in said
    assert not given


@pytest.mark.parametrize(("settings", "said"), [(read(HOME), True), (read(HOME | MAIL), False)])
def test_who_starts_a_server_without_mail_hears_so_and_what_turns_it_on(
    settings: Settings, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    ready(settings, False, "http://127.0.0.1:8000", built=True)

    lines = capsys.readouterr().out.splitlines()
    assert said == any("No mail is sent" in line and "FLEETFOLD_MAIL" in line for line in lines)
