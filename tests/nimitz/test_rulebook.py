"""Every number and every ruling of the rulebook is named by a test, and the code names no other."""

from pathlib import Path
from re import findall

from domain.nimitz import PROCEDURES
from tests.nimitz.rulebook import CHAPTERS, PARAGRAPHS, RULINGS, TEXT

HERE = Path(__file__).parent
RULES = Path(__file__).parents[2] / "domain" / "nimitz"
NAMES = findall(r"def (test_\w+)", "".join(path.read_text() for path in HERE.glob("test_*.py")))


def test_every_rule_is_named_by_a_test() -> None:
    tested = {f"{chapter}.{rule}" for name in NAMES for chapter, rule in findall(r"n(\d+)_(\d+)(?!\d)", name)}
    whole = {chapter for name in NAMES for chapter in findall(r"n(\d+)_", name)}

    assert 85 < len(PARAGRAPHS)
    assert [] == [rule for rule in PARAGRAPHS if rule not in tested]
    assert [] == [chapter for chapter in CHAPTERS if chapter not in whole]


def test_every_ruling_is_named_by_a_test() -> None:
    tested = {number for name in NAMES for number in findall(r"_r_(\d+)", name)}

    assert 70 < len(RULINGS)
    assert [] == [ruling for ruling in RULINGS if ruling not in tested]


def test_every_rule_that_the_code_names_is_in_the_book() -> None:
    code = "".join(path.read_text() for path in RULES.glob("*.py"))

    assert set() == set(findall(r"\bN(\d+\.\d+)", code)) - set(PARAGRAPHS)
    assert set() == set(findall(r"\bR-(\d+)", code)) - set(RULINGS)


def test_every_step_has_a_rule_of_the_book_and_every_question_a_sentence() -> None:
    steps = [step for procedure in PROCEDURES for step, _ in procedure.steps.values()]

    assert set() == {step.rule[1:] for step in steps} - set(PARAGRAPHS) - set(CHAPTERS)
    assert [] == [step.name for step in steps if step.by and not step.text]


def test_the_book_speaks_to_players() -> None:
    assert "the seed" not in TEXT
    assert "shared/" not in TEXT
