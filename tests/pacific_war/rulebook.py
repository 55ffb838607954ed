"""The rulebook as the tests read it: its numbers, its rulings, its tables."""

from pathlib import Path
from re import DOTALL, MULTILINE, escape, findall, split, sub

TEXT = (
    (Path(__file__).parents[2] / "docs" / "rules" / "pacific-war.md")
    .read_text(encoding="utf-8")
    .replace("\N{MINUS SIGN}", "-")
    .replace("\N{EN DASH}", "-")
)
"""The book, its minus signs and dashes as hyphens."""

PLAYERS = sub(r"<!-- engine -->.*?<!-- /engine -->", "", TEXT, flags=DOTALL)
"""What players read: without what is enclosed for engines."""

PARAGRAPHS: tuple[str, ...] = tuple(
    dict.fromkeys(findall(r"^\*\*P(\d+(?:\.\d+)+(?:\.[A-T])?)\b", PLAYERS, MULTILINE))
)
"""The numbers of what players read, with sub-paragraphs (28.5.1) and the phases of the cycle (5.2.A)."""
SPECIALS: tuple[str, ...] = tuple(findall(r"^\*\*([EBCS]\d\.\d+)\b", PLAYERS, MULTILINE))
"""The numbers of the scenarios' own rules (E2.1)."""
CHAPTERS: tuple[str, ...] = tuple(findall(r"^## P(\d+) ", PLAYERS, MULTILINE))
RULINGS: tuple[str, ...] = tuple(findall(r"^\| R-(\d+) ", TEXT, MULTILINE))


def section(number: str) -> str:
    """The text of a chapter."""
    return TEXT.split(f"## P{number} ", 1)[1].split("\n## P", 1)[0]


def paragraph(number: str) -> str:
    """The text of a paragraph ("P28.5.1", "E2.1") with the tables and lists that follow it."""
    _, _, after = TEXT.partition(f"\n**{number} ")
    return split(r"\n(?:\*\*[PEBCS]\d+\.\d|## )", after, maxsplit=1)[0]


def tables(text: str) -> list[tuple[list[str], list[list[str]]]]:
    """The tables in a text, each as its head and its rows; code and engine marks are taken off the cells."""
    found: list[tuple[list[str], list[list[str]]]] = []
    for block in findall(r"(?:^\|.*\n?)+", text, MULTILINE):
        head, rule, *rest = block.splitlines()
        if set(rule) <= set("|- "):
            found.append((cells(head), [cells(line) for line in rest]))
    return found


def rows(text: str) -> list[list[str]]:
    """The rows of all tables in a text, without their heads."""
    return [row for _, lines in tables(text) for row in lines]


def table(text: str, first: str) -> list[list[str]]:
    """The rows of the table in a text whose head begins with `first`; fails unless there is exactly one."""
    ((_, lines),) = [one for one in tables(text) if one[0][0] == first]
    return lines


def cells(line: str) -> list[str]:
    plain = sub("|".join(escape(mark) for mark in ("<!-- engine -->", "<!-- /engine -->", "`")), "", line)
    return [cell.strip() for cell in plain.strip().removeprefix("|").removesuffix("|").split("|")]


def number(cell: str) -> int:
    """The whole number in a cell; a dash alone is 0."""
    return 0 if cell == "-" else int(cell)
