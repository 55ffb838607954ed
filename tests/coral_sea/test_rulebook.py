"""Every number and every ruling of the rulebook is named by a test, and every number in the code is there."""

from pathlib import Path
from re import MULTILINE, findall

from domain.coral_sea import CORAL_SEA, PROCEDURES
from domain.coral_sea.charts import CARDS, CHITS, UNITS
from domain.coral_sea.printed import Counter
from tests.coral_sea.rulebook import CHAPTERS, RULEBOOK, RULINGS, TEXT

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


def test_c4_1_the_book_prints_the_values_of_every_unit() -> None:
    def values(unit: Counter, *, disorganised: int) -> list[str]:
        sides = ([side.cohesion, side.move, side.tactical] for side in (unit.full, unit.depleted))
        return ["/".join(str(max(1, value - disorganised)) for value in side) for side in sides]

    printed = {
        unit: columns.split(" | ")
        for columns, units in findall(
            r"^\| (?:Japan|Allies), [^|]*\| (.*) \| [^|]*<!-- engine -->(.*)<!--", TEXT, MULTILINE
        )
        for unit in findall(r"`(\w+)`", units)
    }

    assert {
        name: [*values(unit, disorganised=0), *values(unit, disorganised=1)] for name, unit in UNITS.items()
    } == printed


def test_c21_1_the_book_prints_the_words_of_every_card() -> None:
    name = r"([^|]*?)(?: \(permanent\))?<!-- engine --> (\w+)<!-- /engine -->"
    row = rf"^\| {name} \| (\w+) \| (\d?)\S* \| [^|]* \| (.*) \|$"

    printed = {
        card: (name, colour, cost, text) for name, card, colour, cost, text in findall(row, TEXT, MULTILINE)
    }

    assert {
        card.id: (card.name, card.colour, str(card.sp_cost or ""), card.text) for card in CARDS.values()
    } == printed


def test_c12_5_the_book_prints_every_chit_and_how_many_there_are() -> None:
    chapter = TEXT[TEXT.index("## C12 ") : TEXT.index("## C13 ")]

    printed = findall(r"^\|[^|]*\| ([A-Z][\w ]+) \| (\d) \|", chapter, MULTILINE)

    assert [(chit.name, str(chit.count)) for chit in CHITS.values()] == printed
