"""What the runbook has an operator type: commands of ours that are there, with options that they have."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from server.__main__ import COMMANDS, main
from tests.deploy.files import texts

PAGES = [path for path in texts() if path.suffix == ".md"]
TYPED = re.compile(r"^ {4}(.+)$|`([^`]+)`", re.MULTILINE)
"""What stands as code: on a line of its own, or within one."""
COMMAND = re.compile(rf"\bfleetfold\s+((?:{'|'.join(COMMANDS)})\b.*)", re.DOTALL)


def commands(page: Path) -> Iterator[list[str]]:
    """Yield the words behind `fleetfold` wherever a command of it stands."""
    for found in TYPED.finditer(page.read_text()):
        said = COMMAND.search((found[1] or found[2]).partition(" # ")[0])
        if said is not None:
            yield said[1].split()


def options(words: list[str]) -> set[str]:
    """Return the options of a command, given with what stands behind it."""
    context, command = click.Context(main), main.get_command(click.Context(main), words[0])
    if isinstance(command, click.Group) and len(words) > 1:
        command = command.get_command(context, words[1]) or command
    assert command is not None
    return {option for one in command.get_params(context) for option in one.opts}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_command_that_the_runbook_has_somebody_type_has_the_options_that_it_is_given(page: Path) -> None:
    unknown = [
        (word, words)
        for words in commands(page)
        for word in words
        if word.startswith("-") and len(word) > 1 and word.rstrip(",.") not in options(words)
    ]

    assert [] == unknown


def test_commands_are_found() -> None:
    found = {words[0] for page in PAGES for words in commands(page)}

    assert {"backup", "bench", "export", "match", "rebuild", "restore", "serve", "signer", "verify"} <= found
