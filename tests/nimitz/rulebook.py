"""The rulebook as the tests read it: its numbers, its rulings, its tables."""

from pathlib import Path
from re import MULTILINE, findall

TEXT = (Path(__file__).parents[2] / "docs" / "rules" / "nimitz.md").read_text(encoding="utf-8")
PARAGRAPHS: tuple[str, ...] = tuple(dict.fromkeys(findall(r"^\*\*N(\d+\.\d+)", TEXT, MULTILINE)))
CHAPTERS: tuple[str, ...] = tuple(findall(r"^## N(\d+) ", TEXT, MULTILINE))
RULINGS: tuple[str, ...] = tuple(findall(r"^\| R-(\d+) ", TEXT, MULTILINE))


def section(number: str) -> str:
    """The text of a chapter."""
    return TEXT.split(f"## N{number} ", 1)[1].split("\n## N", 1)[0]


def rows(text: str) -> list[list[str]]:
    """The rows of the tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "---" not in line]
