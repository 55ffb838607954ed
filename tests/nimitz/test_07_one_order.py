"""N7.4, N7.5 One order: who goes, who stays, and what is told of it."""

from tests.nimitz.board import Board
from tests.nimitz.test_07_orders import tried


def marked(board: Board) -> dict[str, tuple[bool, bool]]:
    """The forces that have moved or arrived, with both marks."""
    marks = {name: (force.moved, force.arrived) for name, force in board.open.forces.items()}
    return {name: both for name, both in marks.items() if any(both)}


def test_n7_5_n1_15_who_goes_has_moved_and_arrived_and_who_holds_has_moved() -> None:
    ja = {"CI": ["ja-bn-01", "ja-bn-03", "14-sentai", "kaga"], "NG": ["ja-bn-02"]}
    went, held = tried({}, ja, "CI", "SOUTH", dice=[10]), tried({}, ja, "CI", "HOLD")

    marks = dict.fromkeys(("ja-bn-01", "42-ja-14-sentai", "42-ja-kaga"), (True, True))
    assert marks == marked(went)
    assert dict.fromkeys(marks, (True, False)) == marked(held)
