"""Every number and every ruling that players read is named by a test, and the code names no other."""

from pathlib import Path
from re import findall

from domain.pacific_war import PROCEDURES
from tests.pacific_war.rulebook import CHAPTERS, PARAGRAPHS, RULINGS, SPECIALS, TEXT

HERE = Path(__file__).parent
RULES = Path(__file__).parents[2] / "domain" / "pacific_war"
NAMES = findall(r"def (test_\w+)", "".join(path.read_text() for path in HERE.glob("test_*.py")))
CODE = "".join(path.read_text() for path in sorted(RULES.rglob("*.py")))


def named(letters: str) -> set[str]:
    """Return the numbers in the names of tests that begin with one of these letters: `P28.5.1`."""
    found = {
        f"{letter}.{number}".replace("_", ".").upper()
        for name in NAMES
        for letter, number in findall(rf"(?<=_)([{letters}])(\d+(?:_\d+)*)(?=_|$)", name)
    }
    return {one.replace(".", "", 1) for one in found}


def phases() -> set[str]:
    """Return the phases that the names of tests hold: `5.2.C`, also of `p5_2_c_d_k_l`, and `5.1.A`."""
    runs = [run for name in NAMES for run in findall(r"p5_([12])((?:_[a-t](?=_|$))+)", name)]
    return {f"5.{part}.{letter.upper()}" for part, run in runs for letter in run.split("_") if letter}


def lettered() -> set[str]:
    """Return the paragraphs with a letter that the names of tests hold: `20.2.3.F` of `p20_2_3_f`."""
    rules = {rule: f"_p{rule.lower().replace('.', '_')}_" for rule in PARAGRAPHS if rule[-1].isalpha()}
    return {rule for rule, name in rules.items() if any(name in f"{one}_" for one in NAMES)}


TESTED = {one.removeprefix("P") for one in named("p")} | phases() | lettered()
TESTED_SPECIALS = named("ebcs")
TESTED_RULINGS = {number for name in NAMES for number in findall(r"_r_(\d+)(?=_|$)", name)}


def test_every_rule_is_named_by_a_test() -> None:
    assert 100 < len(PARAGRAPHS)
    assert [] == [rule for rule in PARAGRAPHS if rule not in TESTED]
    whole = {rule.partition(".")[0] for rule in TESTED}
    assert [] == [chapter for chapter in CHAPTERS if chapter not in whole | {"35"}]  # the rulings, below


def test_every_special_rule_is_named_by_a_test() -> None:
    assert 10 < len(SPECIALS)
    assert [] == [rule for rule in SPECIALS if rule not in TESTED_SPECIALS]


def test_every_ruling_is_named_by_a_test() -> None:
    assert 50 < len(RULINGS)
    assert [] == [ruling for ruling in RULINGS if ruling not in TESTED_RULINGS]


def test_every_rule_that_the_code_names_is_in_the_book() -> None:
    cited = set(findall(r"\bP(\d+(?:\.\d+)+(?:\.[A-T])?)", CODE))
    assert set() == cited - set(PARAGRAPHS)
    assert set() == set(findall(r"\b([EBCS]\d\.\d+)", CODE)) - set(SPECIALS)
    assert set() == set(findall(r"\bR-(\d+)", CODE)) - set(RULINGS)


def test_every_step_has_a_rule_of_the_book_and_every_question_a_sentence() -> None:
    steps = [step for procedure in PROCEDURES for step, _ in procedure.steps.values()]

    assert set() == {step.rule for step in steps} - set(PARAGRAPHS)
    assert [] == [step.name for step in steps if step.by and not step.text]


def test_the_book_speaks_to_players() -> None:
    assert "the seed" not in TEXT
    assert "shared/" not in TEXT
