"""Golden matches: recorded once, they fold to the same states for ever and are decided again as they were."""

from pathlib import Path

import pytest

from domain.kernel.facts import Decided, Fact, Paused
from domain.kernel.procedures import END, Decision
from domain.match.adjudicate import readjudicate
from domain.titles import TITLES
from tests.golden.make import HERE, MATCHES, StateHash, read, state_hash

GOLDEN = sorted(HERE.glob("*/*.jsonl"))


def log_of(path: Path) -> tuple[list[tuple[int, Fact]], list[StateHash]]:
    lines = list(read(TITLES[path.parent.name], path))
    facts = [line for line in lines if isinstance(line, Fact)]
    return list(enumerate(facts, start=1)), [line for line in lines if isinstance(line, StateHash)]


def test_every_golden_match_that_can_be_made_is_there() -> None:
    expected = {(title, name) for title, matches in MATCHES.items() for name in matches}

    assert expected == {(path.parent.name, path.stem) for path in GOLDEN}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_match_folds_to_its_states(path: Path) -> None:
    log, hashes = log_of(path)

    assert hashes[-1].after == len(log)
    assert hashes == [
        StateHash(h.after, state_hash(TITLES[path.parent.name], log[: h.after])) for h in hashes
    ]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_tag_and_step_of_a_golden_match_still_resolves(path: Path) -> None:
    game = TITLES[path.parent.name]
    log, _ = log_of(path)

    for _, fact in log:
        if isinstance(fact, Decided):
            assert isinstance(game.decision(fact.decision), Decision)
        elif isinstance(fact, Paused):
            pushed = [game.procedure(raw) for raw in fact.push]
            steps = {name for procedure in pushed for name in procedure.steps}
            assert {procedure.at for procedure in pushed} <= {END} | steps


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_match_is_decided_again_as_it_was(path: Path) -> None:
    log, _ = log_of(path)

    assert [] == list(readjudicate(TITLES[path.parent.name], log))
