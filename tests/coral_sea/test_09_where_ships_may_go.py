"""C9.8 Into which ports ships may run, and C10.4 who is picked to embark and land."""

import pytest

from domain.coral_sea.decisions import Done, EmbarkFrom, LandAt, StartNavalMove, StepTo
from tests.coral_sea.board import AL, Where, off_papua, operation
from tests.coral_sea.test_09_naval_moves import chosen_in_one_go


@pytest.mark.parametrize(("sp", "offered"), [(4, True), (3, False), (2, False)])
def test_c9_8_with_the_last_range_a_port_is_entered_only_if_the_stop_can_be_paid(
    sp: int, offered: bool
) -> None:
    """Destroyer Squadron 2, depleted and disorganised, has Range 4: three steps and Lae."""
    units: dict[str, Where] = {"a_desron2": ("huon_gulf", "do"), "a_18": "lae"}
    board = operation(AL, "huon_gulf", units)
    board.table.open.operation.sp = sp
    board.go(StartNavalMove(), StepTo("solomon_sea_west"), StepTo("ward_hunt_strait"), StepTo("huon_gulf"))

    assert offered == (StepTo("lae") in board.offered())


@pytest.mark.parametrize("sp", [4, 2])
def test_c9_8_a_port_may_be_passed_without_a_stop_while_range_is_left(sp: int) -> None:
    board = operation(AL, "huon_gulf", {"a_desron2": "huon_gulf", "a_18": "lae"})
    board.table.open.operation.sp = sp
    board.go(StartNavalMove())

    assert StepTo("lae") in board.offered()


@pytest.mark.parametrize("aboard", [(), ("a_30",)])
@pytest.mark.parametrize("waiting", [("a_7", "a_14"), ("a_7", "a_14", "a_18")])
def test_c10_4_who_embarks_is_picked_in_one_go(aboard: tuple[str, ...], waiting: tuple[str, ...]) -> None:
    board = off_papua(*aboard, others=dict.fromkeys(waiting, "abau"))
    board.go(StartNavalMove(), EmbarkFrom("abau"))
    while board.rule == "C10.4":
        assert chosen_in_one_go(board) == {*board.table.quiet(AL)}
        board.go(next(option for option in board.offered() if option != Done()))

    room = 3 - len(aboard)
    assert min(room, len(waiting)) == [*board.at(*waiting).values()].count("papuan_coast")


@pytest.mark.parametrize("aboard", [("a_7", "a_14"), ("a_7", "a_14", "a_18")])
def test_c10_4_who_lands_is_picked_in_one_go(aboard: tuple[str, ...]) -> None:
    board = off_papua(*aboard)
    board.go(StartNavalMove(), LandAt("abau"))
    while board.rule == "C10.4":
        assert chosen_in_one_go(board) == {*board.table.quiet(AL)}
        board.go(next(option for option in board.offered() if option != Done()))

    assert {"abau"} == {*board.at(*aboard).values()}
