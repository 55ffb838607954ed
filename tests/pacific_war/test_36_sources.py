"""P36 Every line of the source has become a paragraph, a module and a test; what is to come is listed."""

from re import findall
from typing import Final

import pytest

from tests.pacific_war.rulebook import CHAPTERS, PARAGRAPHS, RULINGS, rows, section
from tests.pacific_war.test_rulebook_numbers import CODE, TESTED, TESTED_RULINGS

LINES: Final = [(line, subject, numbers) for line, subject, numbers in rows(section("36"))]


def numbers_of(cell: str) -> list[str]:
    """The paragraphs that a cell names: a span is all from its first to its last, `P5.2.A` one."""
    found = list[str]()
    for first, last in findall(r"P(\d+(?:\.\d+)*(?:\.[A-T])?)(?:-P?(\d+(?:\.\d+)*))?", cell):
        found.append(first)
        if last:
            head, _, start = first.rpartition(".")
            found += [f"{head}.{n}" for n in range(int(start) + 1, int(last.rpartition(".")[2]) + 1)]
    return [number for number in dict.fromkeys(found) if number in PARAGRAPHS or number in CHAPTERS]


def below(number: str) -> list[str]:
    """The paragraphs of a chapter, or a paragraph itself."""
    return [one for one in PARAGRAPHS if one.startswith(f"{number}.")] if number in CHAPTERS else [number]


def upwards(number: str) -> list[str]:
    """A paragraph with those that it is part of, down to two numbers: a chapter of the rules is a module."""
    parts = number.split(".")
    return [".".join(parts[:length]) for length in range(len(parts), 1, -1)] or [number]


CITED: Final = {
    one for pair in findall(r'\bP(\d+(?:\.\d+)*(?:\.[A-T])?)|"(\d+(?:\.\d+)+)"', CODE) for one in pair
}
"""What the modules of the rules and the numbers of their steps name."""


def test_every_line_of_the_source_is_in_the_table() -> None:
    assert 80 == len(LINES)
    assert [] == [subject for _, subject, cell in LINES if not numbers_of(cell) and "R-" not in cell]


@pytest.mark.parametrize(("line", "subject", "cell"), LINES, ids=[f"line {line}" for line, _, _ in LINES])
def test_a_line_of_the_source_has_a_rule_a_module_and_a_test(line: str, subject: str, cell: str) -> None:
    for ruling in findall(r"R-(\d+)", cell):
        assert ruling in RULINGS
        assert ruling in TESTED_RULINGS, f"line {line}, {subject}: no test of R-{ruling}"
    for number in numbers_of(cell):
        paragraphs = below(number)
        if not paragraphs:
            continue
        assert any(one in TESTED for one in paragraphs), f"line {line}, {subject}: no test of P{number}"
        cited = {one for paragraph in (number, *paragraphs) for one in upwards(paragraph)}
        assert cited & CITED, f"line {line}, {subject}: no module of P{number}"
