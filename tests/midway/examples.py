"""The worked examples of M18 as the data file writes them, played; and the boards that the rulebook shows."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from msgspec import json

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.midway import MIDWAY
from domain.midway.facts import StepStarted
from tests.films import Film
from tests.midway.board import DUEL, HISTORICAL, Board, begun, given

DATA = json.decode(files("domain.midway").joinpath("data", "midway.json").read_bytes())
EXAMPLES = {example["id"]: example for example in DATA["examples"]}


def decision(raw: dict[str, Any]) -> Decision:
    return MIDWAY.decision(json.encode(raw))


def played(name: str) -> Board:
    """An example played as it is written; what it calls illegal is not on the list."""
    example = EXAMPLES[name]
    board = given(
        {group: (strength, place) for group, (strength, place) in example["groups"].items()},
        step=example["step"],
        turn=example["turn"],
        damage=example["damage"],
        dice=[line["faces"] for line in example["script"] if "roll" in line],
        found=(True, example["american_fleet_found_japanese"]),
        scenario=example["scenario"],
    )
    for line in example["script"]:
        if "illegal" in line:
            assert decision(line["illegal"]) not in board.offered()
        elif "decision" in line:
            board.decide(decision(line["decision"]))
    return board


def upto(board: Board, step: int, turn: int) -> Sequence[Fact]:
    """The facts before a step began."""
    state = MIDWAY.restore(board.before)
    for place, fact in enumerate(board.facts):
        if isinstance(fact, StepStarted) and (fact.step, state.open.turn) == (step, turn):
            return board.facts[:place]
        fact.fold(state)
    raise AssertionError(f"step {step} of turn {turn} has not begun")


def films() -> list[Film]:
    """The examples, each up to where it ends, and the two scenarios as they are set up."""
    examples = [
        Film(name, MIDWAY, board.before, upto(board, **example["end"]))
        for name, example in EXAMPLES.items()
        for board in [played(name)]
    ]
    scenarios = [
        Film(name, MIDWAY, board.before, board.facts, still=True)
        for name in (DUEL, HISTORICAL)
        for board in [begun(name)]
    ]
    return [*examples, *scenarios]
