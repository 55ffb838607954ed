"""Perft: on a tiny board, with dice that fall by a wheel, the number of lines n decisions long."""

import pytest

from domain.kernel.table import Table
from domain.midway import MIDWAY
from tests.midway.board import DUEL, Board, given


class Wheel:
    """Dice that turn by one face with every die and every roll of the match."""

    def __init__(self, start: int) -> None:
        self.start = start

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:
        return tuple((self.start + index + die) % sides + 1 for die in range(count))


TINY = {
    "KAG-F1": (2, "CAP:1"),
    "KAG-D1": (2, "DECK:KAGA"),
    "KAG-T1": (2, "READY"),
    "ENT-F1": (1, "READY"),
    "ENT-D1": (2, "READY"),
    "ENT-T1": (1, "HOME"),
}
LINES = {
    # where the wheel starts: lines of 1, 2, 3, … decisions
    0: (2, 8, 22, 44, 90, 206, 530, 1244, 2731),
    1: (2, 8, 22, 44, 90, 206, 530, 1244, 2725),
    2: (2, 8, 22, 44, 90, 201, 492, 1128, 2468),
    3: (2, 8, 22, 44, 90, 201, 487, 1096, 2371),
    5: (2, 8, 22, 44, 90, 201, 492, 1128, 2474),
}


def lines(state: bytes, start: int, depth: int) -> int:
    """Count the lines of `depth` decisions from a state; a match that ends earlier is no line."""
    table = Table(MIDWAY, MIDWAY.restore(state), Wheel(start))
    total = 0
    for seat, prompt in table.prompts.items():
        if depth == 1:
            total += len(prompt.options)
            continue
        for option in prompt.options:
            branch = Table(MIDWAY, MIDWAY.restore(state), Wheel(start))
            branch.decide(seat, option)
            total += lines(MIDWAY.encode(branch.state), start, depth - 1)
    return total


def tiny() -> Board:
    return given(TINY, step=3, turn=3, scenario=DUEL)


def test_m3_3_the_first_decisions_of_the_tiny_board_counted_by_hand() -> None:
    # KAG-T1 advances or not: 2. Then one of ENT-F1, ENT-D1 and ENT-T1 advances, or none does: 4 each.
    # Then one of the two others, or none (3 for each that has advanced); or, after none, KAG-F1 takes on the
    # escorts or not: 2.
    state = MIDWAY.encode(tiny().table.state)

    assert [2, 2 * 4, 2 * (3 * 3 + 2)] == [lines(state, 0, depth) for depth in (1, 2, 3)]


@pytest.mark.parametrize("start", LINES)
def test_m3_3_the_number_of_lines_on_the_tiny_board(start: int) -> None:
    state = MIDWAY.encode(tiny().table.state)

    assert LINES[start] == tuple(lines(state, start, depth) for depth in range(1, len(LINES[start]) + 1))
