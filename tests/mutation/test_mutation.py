import subprocess
import sys

import pytest

from tests.mutation.__main__ import drawn
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


def test_a_sample_has_so_many_of_all_modules_and_is_that_of_its_seed() -> None:
    found = list(mutants(SOURCE))
    every = {"a.py": found, "b.py": found[:3]}
    sample = drawn(every, 5, 1)

    assert ["a.py", "b.py"] == [*sample]
    assert 5 == sum(map(len, sample.values()))
    assert drawn(every, 5, 1) == sample != drawn(every, 5, 2)
    assert every == drawn(every, 999, 1)


TRY = """
import pytest
from tests.mutation.covering import LOADING, ROOT, Covering
from tests.mutation.mutants import Mutant
from tests.mutation.trying import OPTIONS, Trying

MODULE, LINE = "domain/match/clock.py", {line}
TEST = "tests/kernel/test_clock.py::test_the_cap_holds_at_every_decision_and_without_it_time_adds_up"
LINES = (ROOT / MODULE).read_text().splitlines(keepends=True)

def mutant(now):
    return Mutant(LINE, "", "", now, "".join([*LINES[:LINE - 1], now, *LINES[LINE:]]))

def work(trying):
    for tests in [TEST], []:
        covering = Covering({{MODULE: {{LINE: [*tests, *{outside}]}}}}, dict.fromkeys(tests, 0.1))
        for now in {now!r}, LINES[LINE - 1]:
            (tried, outcome), = trying.outcomes(MODULE, [mutant(now)], covering, 1)
            told.append(outcome)

told = []
pytest.main([*OPTIONS, "tests/kernel/test_clock.py"], plugins=[Trying(work)])
print()
print(*told)
"""


@pytest.mark.parametrize("outside", [[], [""]], ids=["put in place", "loaded anew"])
def test_a_fault_that_a_test_notices_is_killed_and_another_survives(outside: list[str]) -> None:
    source = (ROOT / "domain/match/clock.py").read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(source, 1) if "min(more, most)" in text)
    now = source[line - 1].replace("min(", "max(") + "\n"
    tried = TRY.format(line=line, now=now, outside=outside)

    ran = subprocess.run([sys.executable, "-c", tried], cwd=ROOT, capture_output=True, check=True, text=True)

    assert "killed survived survived survived" == ran.stdout.splitlines()[-1]


def test_a_fault_that_runs_in_a_circle_is_ended_and_killed() -> None:
    source = (ROOT / "domain/match/clock.py").read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(source, 1) if "min(more, most)" in text)
    indent = len(source[line - 1]) - len(source[line - 1].lstrip())
    tried = TRY.format(line=line, now=" " * indent + "while True: pass\n", outside=[])

    ran = subprocess.run([sys.executable, "-c", tried], cwd=ROOT, capture_output=True, check=True, text=True)

    assert "killed survived survived survived" == ran.stdout.splitlines()[-1]


def test_what_is_explained_is_counted_apart() -> None:
    kept = Kept(
        "0", 10, [Survivor("f", "a", "b", "the same for every whole number"), Survivor("f", "a", "c")]
    )

    assert "domain/x.py: 80 % (8 of 10 killed, 1 explained)" == kept.line("domain/x.py")


def test_a_mutant_is_known_again_by_its_definition_and_its_text() -> None:
    mutant = Mutant(7, "ready", "if item < LIMIT:", "if item <= LIMIT:", "")

    assert Survivor("ready", "if item < LIMIT:", "if item <= LIMIT:").key() == mutant.key()
