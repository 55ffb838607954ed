"""The worked examples of C30 as their tests play them, and the board that the rulebook's pictures show."""

from domain.coral_sea import CORAL_SEA
from domain.coral_sea.sequence import CoralSea
from domain.kernel.audience import Audience
from tests.coral_sea.board import given
from tests.coral_sea.test_30_examples import landing, naval_battle, operation_example
from tests.films import Film

HANDS = ("J10", "J15", "J20", "J28", "J31"), ("A05", "A10", "A14", "A25", "A31")
"""Cards of every colour, as Japan holds them at its first choice."""


def films() -> list[Film]:
    """The examples, each to its end, and the first choice of the campaign as Japan sees it."""
    examples = {"C30.1": operation_example(), "C30.3": naval_battle(), "C30.4": landing()}
    choice = given(None, CoralSea(at="sequence"), hands=HANDS, change={"sequence": 0})
    return [
        *(Film(name, CORAL_SEA, board.before, board.facts) for name, board in examples.items()),
        Film("choice", CORAL_SEA, choice.before, choice.facts, Audience.SIDE_0, still=True),
    ]
