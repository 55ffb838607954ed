"""Perft: on a tiny board, with dice that fall by a wheel, the number of lines n decisions long."""

import pytest

from domain.kernel.table import Table
from domain.midway import MIDWAY
from tests.midway.board import DUEL, given


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


Counted = dict[tuple[bytes, int], tuple[int, ...]]


def lines(table: Table, start: int, depth: int, counted: Counted) -> tuple[int, ...]:
    """Count the lines of 1, 2, … `depth` decisions from here; a match that ends earlier is no line.

    What follows from a state is all in its bytes, however it was come to: it is counted once.
    """
    here = sum(len(prompt.options) for prompt in table.prompts.values())
    if depth == 1:
        return (here,)
    state = MIDWAY.encode(table.state)
    if (state, depth) not in counted:
        beyond = [0] * (depth - 1)
        for seat, prompt in table.prompts.items():
            for option in prompt.options:
                branch = Table(MIDWAY, MIDWAY.restore(state), Wheel(start))
                branch.decide(seat, option)
                further = lines(branch, start, depth - 1, counted)
                beyond = [sum(both) for both in zip(beyond, further, strict=True)]
        counted[state, depth] = (here, *beyond)
    return counted[state, depth]


def tiny(start: int) -> Table:
    state = MIDWAY.encode(given(TINY, step=3, turn=3, scenario=DUEL).table.state)
    return Table(MIDWAY, MIDWAY.restore(state), Wheel(start))


def test_m3_3_the_first_decisions_of_the_tiny_board_counted_by_hand() -> None:
    # KAG-T1 advances or not: 2. Then one of ENT-F1, ENT-D1 and ENT-T1 advances, or none does: 4 each.
    # Then one of the two others, or none (3 for each that has advanced); or, after none, KAG-F1 takes on the
    # escorts or not: 2.
    assert (2, 2 * 4, 2 * (3 * 3 + 2)) == lines(tiny(0), 0, 3, {})


@pytest.mark.parametrize("start", LINES)
def test_m3_3_the_number_of_lines_on_the_tiny_board(start: int) -> None:
    assert LINES[start] == lines(tiny(start), start, len(LINES[start]), {})
