"""Every number of the rulebook is named by a test, and every number in the code is in the rulebook."""

from pathlib import Path
from re import findall

from domain.midway import MIDWAY, PROCEDURES
from tests.midway.rulebook import RULEBOOK, TEXT

HERE = Path(__file__).parent
RULES = Path(__file__).parents[2] / "domain" / "midway"


def test_every_rule_is_named_by_a_test() -> None:
    names = findall(r"def (test_\w+)", "".join(path.read_text() for path in HERE.glob("test_*.py")))
    tested = {f"M{chapter}.{rule}" for name in names for chapter, rule in findall(r"m(\d+)_(\d+)", name)}

    assert 100 < len(RULEBOOK)
    assert [] == [rule for rule in RULEBOOK if rule not in tested]


def test_every_rule_that_the_code_names_is_in_the_book() -> None:
    code = "".join(path.read_text() for path in RULES.glob("*.py"))

    assert set() == set(findall(r"M\d+\.\d+", code)) - set(RULEBOOK)


def test_every_step_has_a_rule_of_the_book_and_every_question_a_sentence() -> None:
    chapters = set(findall(r"^## (M\d+) ", TEXT, 8))
    steps = [step for procedure in PROCEDURES for step, _ in procedure.steps.values()]

    assert set() == {step.rule for step in steps} - set(RULEBOOK) - chapters
    assert [] == [step.name for step in steps if step.by and not step.text]


def test_every_rule_that_the_options_name_is_in_the_book() -> None:
    assert set() == {option.rule for option in MIDWAY.options.values()} - set(RULEBOOK)
