"""M18: the worked examples, as they stand in the data file."""

import pytest
from msgspec import convert

from domain.kernel.facts import Rolled
from tests.midway.board import where
from tests.midway.examples import EXAMPLES, played


@pytest.mark.parametrize("name", EXAMPLES)
def test_m18_worked_example(name: str) -> None:
    example = EXAMPLES[name]
    written = [line for line in example["script"] if "roll" in line]

    board = played(name)

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
