"""The rulebook as the tests read it: its numbers and the text under each."""

from pathlib import Path
from re import MULTILINE, findall, split

TEXT = (Path(__file__).parents[2] / "docs" / "rules" / "midway.md").read_text(encoding="utf-8")
NUMBERED = r"^(?:\| )?\*\*(M\d+\.\d+)"
RULEBOOK: tuple[str, ...] = tuple(dict.fromkeys(findall(NUMBERED, TEXT, MULTILINE)))


def section(rule: str) -> str:
    """The text of a rule, up to the next one."""
    parts = split(NUMBERED, TEXT, flags=MULTILINE)
    return parts[parts.index(rule) + 1]
