"""The rulebook as the tests read it: its numbers and its rulings."""

from pathlib import Path
from re import MULTILINE, findall

TEXT = (Path(__file__).parents[2] / "docs" / "rules" / "coral-sea.md").read_text(encoding="utf-8")
MEASURED = {"C31.4", "C31.6", "C31.7", "C31.8"}
"""What a program found that is thrown away: no rule of it can be kept or broken."""
RULEBOOK: tuple[str, ...] = tuple(
    rule
    for rule in dict.fromkeys(
        [*findall(r"\*\*(C\d+\.\d+)\*\*", TEXT), *findall(r"^### (C30\.\d+)", TEXT, MULTILINE)]
    )
    if rule not in MEASURED
)
CHAPTERS = set(findall(r"^## (C\d+) ", TEXT, MULTILINE))
RULINGS: tuple[str, ...] = tuple(findall(r"^\| (?:\*\*)?(R\d+)(?:\*\*)? \|", TEXT, MULTILINE))
