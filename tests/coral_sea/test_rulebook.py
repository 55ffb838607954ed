"""Every number and every ruling of the rulebook is named by a test, and every number in the code is there."""

from pathlib import Path
from re import findall

from domain.coral_sea import CORAL_SEA, PROCEDURES
from tests.coral_sea.rulebook import CHAPTERS, RULEBOOK, RULINGS

HERE = Path(__file__).parent
RULES = Path(__file__).parents[2] / "domain" / "coral_sea"


def names() -> list[str]:
    return findall(r"def (test_\w+)", "".join(path.read_text() for path in HERE.glob("test_*.py")))


def test_every_rule_is_named_by_a_test() -> None:
    tested = {f"C{chapter}.{rule}" for name in names() for chapter, rule in findall(r"_c(\d+)_(\d+)", name)}

    assert 170 <= len(RULEBOOK)
    assert [] == [rule for rule in RULEBOOK if rule not in tested]


def test_every_ruling_is_named_by_a_test() -> None:
    tested = {f"R{number}" for name in names() for number in findall(r"_r(\d+)(?=_|$)", name)}

    assert 78 <= len(RULINGS)
    assert [] == [ruling for ruling in RULINGS if ruling not in tested]


def test_every_rule_that_the_code_names_is_in_the_book() -> None:
    code = "".join(path.read_text() for path in RULES.glob("*.py"))

    assert set() == set(findall(r"C\d+\.\d+", code)) - set(RULEBOOK)
    assert set() == set(findall(r"\bR\d+\b", code)) - set(RULINGS)


def test_every_step_has_a_rule_of_the_book_and_every_question_a_sentence() -> None:
    steps = [step for procedure in PROCEDURES for step, _ in procedure.steps.values()]

    assert set() == {step.rule for step in steps} - set(RULEBOOK) - CHAPTERS
    assert [] == [step.name for step in steps if step.by and not step.text]


def test_every_rule_that_the_options_name_is_in_the_book() -> None:
    assert set() == {option.rule for option in CORAL_SEA.options.values()} - set(RULEBOOK)
