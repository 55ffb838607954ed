"""The rulebook as the tests read it: its numbers and its rulings."""

from pathlib import Path
from re import MULTILINE, findall

TEXT = (Path(__file__).parents[2] / "docs" / "rules" / "coral-sea.md").read_text(encoding="utf-8")
RULEBOOK: tuple[str, ...] = tuple(
    dict.fromkeys([*findall(r"\*\*(C\d+\.\d+)\*\*", TEXT), *findall(r"^### (C30\.\d+)", TEXT, MULTILINE)])
)
CHAPTERS = set(findall(r"^## (C\d+) ", TEXT, MULTILINE))
RULINGS: tuple[str, ...] = tuple(findall(r"^\| (R\d+) \|", TEXT, MULTILINE))
