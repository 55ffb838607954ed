"""`fleetfold play`: what it says when it serves."""

import pytest

from server.commands.play import ready
from server.settings import Settings, read

HOME = {"HOME": "/home/x"}
MAIL = {"FLEETFOLD_MAIL": "smtp://localhost", "FLEETFOLD_MAIL_FROM": "notices@fleet.example"}


@pytest.mark.parametrize(("settings", "said"), [(read(HOME), True), (read(HOME | MAIL), False)])
def test_who_starts_a_server_without_mail_hears_so_and_what_turns_it_on(
    settings: Settings, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    ready(settings, "http://127.0.0.1:8000", built=True)

    lines = capsys.readouterr().out.splitlines()
    assert said == any("No mail is sent" in line and "FLEETFOLD_MAIL" in line for line in lines)
