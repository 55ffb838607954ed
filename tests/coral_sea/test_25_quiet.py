"""Picks after which another may follow in one command: nothing is rolled, drawn, shown or asked between."""

import pytest

from domain.coral_sea.decisions import (
    Done,
    PlaceRp,
    PlaceUnitAt,
    PlayCard,
    Refit,
    StartGroundMove,
    StepTo,
    TakeRefuge,
)
from domain.kernel.procedures import Decision
from tests.coral_sea.board import AL, DARK, JP, Board, action, operation

WORN = ("j_144", "j_41")
REFIT = (Refit("j_144", "rebuild"), Refit("j_144", "reorganize"), Refit("j_41", "rebuild"))


def refit(units: dict[str, tuple[str, str]], **more: dict[str, bool]) -> Board:
    board = action(JP, units, hands=(("J19",), ()), **more)
    board.go(PlayCard("J19"))
    return board


def quiet(board: Board) -> list[Decision]:
    """What is declared quiet of the seat that is asked, each tried on a copy of the table."""
    (seat,) = board.asked
    found = [*board.table.quiet(seat)]
    for option in found:
        board.table.ahead(seat, [option])  # raises NotQuiet if it is not
    return found


def test_c21_1_refits_are_quiet_while_something_is_left_to_mend() -> None:
    board = refit({"j_144": ("rabaul", "do"), "j_41": ("rabaul", "d")})

    assert {*REFIT} == {*quiet(board)}
    board.table.decide_all(JP, [*REFIT])
    assert Done() not in board.offered()


def test_c21_1_the_last_refit_that_can_be_done_is_not_quiet() -> None:
    assert [] == quiet(refit({"j_144": ("rabaul", "d")}))


def test_c21_1_a_refit_that_uses_up_its_kind_is_quiet_only_if_the_other_kind_is_left() -> None:
    board = refit(dict.fromkeys(("j_144", "j_41", "j_28"), ("rabaul", "d")))
    before = quiet(board)
    board.go(Refit("j_144", "rebuild"))

    assert 3 == len(before)
    assert [] == quiet(board)


def test_c15_2_resource_points_are_quiet_up_to_the_last() -> None:
    board = action(AL, {}, hands=((), ("A10",)))
    board.go(PlayCard("A10"))
    before = [quiet(board)]
    for _ in range(2):
        board.go(PlaceRp("noumea"))
        before.append(quiet(board))

    both = [PlaceRp("australia"), PlaceRp("noumea")]
    assert [both, both, []] == [sorted(some, key=str) for some in before]


def test_c24_5_reinforcements_that_arrive_each_by_itself_are_quiet_up_to_the_last() -> None:
    board = action(AL, {}, hands=((), ("A13",)))
    board.go(PlayCard("A13"))
    before = quiet(board)
    board.go(PlaceUnitAt("a_14", "port_moresby"))

    assert {PlaceUnitAt("a_14", "port_moresby"), PlaceUnitAt("a_14", "australia")} == {*before}
    assert [] == quiet(board)


@pytest.mark.parametrize("inside", [0, 3])
def test_c16_3_who_goes_into_a_fortress_is_quiet_while_another_may_follow(inside: int) -> None:
    five = ("a_30", "a_7", "a_14", "a_25", "a_18")
    here = {unit: ("port_moresby", "i" if place < inside else "") for place, unit in enumerate(five)}
    board = operation(JP, "kokoda", {"j_144": "kokoda", **here}, scenario="fortress")
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"))

    takes = board.offered(TakeRefuge)
    assert 5 - inside == len(takes)
    assert (takes if inside < 3 else []) == quiet(board)


@pytest.mark.parametrize("card", ["A10", "A13", "J19"])
def test_c22_2_where_stacks_are_hidden_none_of_these_is_quiet(card: str) -> None:
    side = JP if card.startswith("J") else AL
    worn = dict.fromkeys(WORN, ("rabaul", "do")) if side == JP else {}
    board = action(side, worn, hands=((card,), ()) if side == JP else ((), (card,)), options=DARK)
    board.go(PlayCard(card))

    assert len(board.offered()) > 1
    assert [] == quiet(board)
