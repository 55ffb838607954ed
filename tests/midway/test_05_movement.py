"""M5 Move Planes."""

import pytest

from domain.midway.decisions import Advance, Done, Target
from domain.midway.facts import GroupMoved
from domain.midway.movement import NEXT
from tests.midway.board import JP, given, of


def test_m5_1_planes_go_round_a_circuit() -> None:
    assert {"MOVING": "READY", "READY": "ATTACKING", "HOME": "WAITING"} == NEXT


@pytest.mark.parametrize(("place", "to"), [("MOVING", "READY"), ("READY", "ATTACKING"), ("HOME", "WAITING")])
def test_m5_2_a_group_moves_one_box_or_is_left(place: str, to: str) -> None:
    board = given({"AKA-D1": (5, place), "AKA-D2": (5, place)}, step=3)

    facts = board.decide(Advance("AKA-D1"))

    assert GroupMoved("AKA-D1", place, to) in facts
    assert [Advance("AKA-D2"), Done()] == board.offered()


def test_m5_3_a_group_advances_once_in_a_step() -> None:
    board = given({"AKA-D1": (5, "MOVING"), "AKA-D2": (5, "MOVING")}, step=3)

    board.decide(Advance("AKA-D1"), Advance("AKA-D2"))

    assert {"AKA-D1": (5, "READY"), "AKA-D2": (5, "READY")} == board.places()
    assert 3 == board.open.turn


def test_m5_3_groups_advance_together_until_one_is_left() -> None:
    board = given({"AKA-D1": (5, "MOVING"), "AKA-D2": (5, "HOME")}, step=3)

    assert (Advance("AKA-D1"), Advance("AKA-D2")) == board.table.quiet(JP)
    board.decide(Advance("AKA-D1"))
    assert () == board.table.quiet(JP)


def test_m5_3_done_ends_the_step() -> None:
    board = given({"AKA-D1": (5, "MOVING"), "ENT-D1": (5, "HOME")}, step=3)

    board.decide(Done())

    assert (4,) == board.open.steps


def test_m5_3_americans_do_not_leave_moving_before_the_fleet_is_found() -> None:
    board = given({"ENT-D1": (5, "MOVING"), "ENT-F1": (5, "HOME")}, step=4, found=(True, False))

    assert [Advance("ENT-F1")] == board.offered(Advance)


@pytest.mark.parametrize("place", ["WAITING", "CAP:1", "CAP:2", "CAP:3", "HANGAR:AKAGI", "DECK:AKAGI"])
def test_m5_4_groups_elsewhere_do_not_advance(place: str) -> None:
    board = given({"AKA-F1": (5, place), "AKA-D1": (5, "HOME")}, step=3)

    assert [Advance("AKA-D1")] == board.offered(Advance)


def test_m5_5_a_group_in_attacking_must_attack_in_the_same_turn() -> None:
    board = given({"AKA-D1": (5, "READY")}, step=3)

    board.decide(Advance("AKA-D1"))

    assert (7,) == board.open.steps
    ships = ["ENTERPRISE", "HORNET", "YORKTOWN"]
    assert [Target("AKA-D1", ship) for ship in ships] == board.offered()


def test_m5_5_a_group_that_stays_in_ready_is_exposed_again() -> None:
    board = given({"AKA-D1": (5, "READY"), "YOR-F1": (5, "CAP:1")}, step=3)

    board.decide(Done())

    assert (6,) == board.open.steps
    assert [] == of(board.facts, GroupMoved)
