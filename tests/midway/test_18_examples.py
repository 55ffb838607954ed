"""M18: the worked examples, as they stand in the data file."""

from importlib.resources import files
from typing import Any

import pytest
from msgspec import convert, json

from domain.kernel.facts import Rolled
from domain.kernel.procedures import Decision
from domain.midway import MIDWAY
from tests.midway.board import given, where

DATA = json.decode(files("domain.midway").joinpath("data", "midway.json").read_bytes())
EXAMPLES = {example["id"]: example for example in DATA["examples"]}


def decision(raw: dict[str, Any]) -> Decision:
    return MIDWAY.decision(json.encode(raw))


@pytest.mark.parametrize("name", EXAMPLES)
def test_m18_worked_example(name: str) -> None:
    example = EXAMPLES[name]
    written = [line for line in example["script"] if "roll" in line]
    board = given(
        {group: (strength, place) for group, (strength, place) in example["groups"].items()},
        step=example["step"],
        turn=example["turn"],
        damage=example["damage"],
        dice=[line["faces"] for line in written],
        found=(True, example["american_fleet_found_japanese"]),
        scenario=example["scenario"],
    )

    for line in example["script"]:
        if "illegal" in line:
            assert decision(line["illegal"]) not in board.offered()
        elif "decision" in line:
            board.decide(decision(line["decision"]))

    end, expect = example["end"], example["expect"]
    final = board.until(end["step"], end["turn"])
    expected = {group: (strength, place) for group, (strength, place) in expect["groups"].items()}
    assert expected == where(final, list(expected))
    assert expect["damage"] == {ship: c.damage for ship, c in final.carriers.items() if c.damage}
    assert expect.get("american_fleet_found_japanese", True) == final.found[1]
    rolled = [fact for fact in board.facts if isinstance(fact, Rolled)][: len(written)]
    assert [(line["roll"], convert(line["faces"], tuple[int, ...])) for line in written] == [
        (fact.purpose, fact.dice) for fact in rolled
    ]
    assert [line["ship"] for line in written if "ship" in line] == [
        fact.subject for line, fact in zip(written, rolled, strict=True) if "ship" in line
    ]
    assert board.dice.rolls == []
