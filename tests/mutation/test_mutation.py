import subprocess
import sys

from tests.mutation.covering import ROOT
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.results import Kept, Survivor

SOURCE = '''\
LIMIT: int | None = 3


def ready(box: list[int] | None, item: int = 0) -> bool:
    """Say so."""
    note(item)
    if item < LIMIT:
        box = [*box, item]
    return item in box
'''


def changes(source: str) -> set[tuple[str, str]]:
    return {(mutant.was, mutant.now) for mutant in mutants(source)}


def test_a_statement_is_dropped_and_a_comparison_turned() -> None:
    found = changes(SOURCE)

    assert {
        ("note(item)", "pass"),
        ("box = [*box, item]", "pass"),
        ("return item in box", "pass"),
        ("return item in box", "return item not in box"),
        ("if item < LIMIT:", "if item <= LIMIT:"),
        ("if item < LIMIT:", "if not item < LIMIT:"),
    } <= found


def test_annotations_and_docstrings_are_left_alone() -> None:
    lines = {was for was, _ in changes(SOURCE)}

    assert '"""Say so."""' not in lines
    assert {
        ("LIMIT: int | None = 3", now) for now in ("LIMIT: int | None = 4", "LIMIT: int | None = 2", "pass")
    } == {change for change in changes(SOURCE) if change[0].startswith("LIMIT")}


def test_every_mutant_is_other_code_and_says_where_it_is() -> None:
    found = list(mutants(SOURCE))

    assert len({mutant.source for mutant in found}) == len(found)
    assert {"", "ready"} == {mutant.within for mutant in found}


TRY = """
import time
from tests.mutation.mutants import Mutant
from tests.mutation.trying import Try

def outcome(now, tests):
    with open("domain/kernel/dice.py") as file:
        source = file.read().replace("class Fair", now)
    one = Try("domain/kernel/dice.py", Mutant(1, "", "", "", source), tests, 20)
    while one.outcome() is None:
        time.sleep(0.02)
    return one.outcome()

test = "tests/kernel/test_dice.py::test_a_crafted_roll_begins_with_a_number_that_is_passed_over"
print(outcome("class Unfair", [test]), outcome("class Fair", [test]), outcome("class Unfair", []))
"""


def test_a_fault_that_a_test_notices_is_killed_and_another_survives() -> None:
    ran = subprocess.run([sys.executable, "-c", TRY], cwd=ROOT, capture_output=True, check=True, text=True)

    assert "killed survived survived" == ran.stdout.strip()


def test_what_is_explained_is_counted_apart() -> None:
    kept = Kept(
        "0", 10, [Survivor("f", "a", "b", "the same for every whole number"), Survivor("f", "a", "c")]
    )

    assert "domain/x.py: 80 % (8 of 10 killed, 1 explained)" == kept.line("domain/x.py")


def test_a_mutant_is_known_again_by_its_definition_and_its_text() -> None:
    mutant = Mutant(7, "ready", "if item < LIMIT:", "if item <= LIMIT:", "")

    assert Survivor("ready", "if item < LIMIT:", "if item <= LIMIT:").key() == (
        mutant.within,
        mutant.was,
        mutant.now,
    )
