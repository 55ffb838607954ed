"""M10 Repair Damage."""

import pytest

from domain.kernel.facts import Decided, Rolled
from domain.midway.decisions import Land
from domain.midway.facts import CarrierRestored, Repaired
from tests.midway.board import given, of

ALIVE = {"AKA-D1": (5, "WAITING")}


def test_m10_1_each_damaged_carrier_has_one_attempt_in_data_order() -> None:
    board = given(ALIVE, step=13, damage={"HIRYU": 1, "AKAGI": 3, "YORKTOWN": 2})

    made = [(roll.purpose, roll.subject, roll.by) for roll in board.facts if isinstance(roll, Rolled)]
    assert [("REPAIR", "AKAGI", 0), ("REPAIR", "HIRYU", 0), ("REPAIR", "YORKTOWN", 1)] == made
    assert [] == of(board.facts, Decided)


@pytest.mark.parametrize(
    ("ship", "least"),
    [
        ("AKAGI", 6),
        ("KAGA", 6),
        ("SORYU", 6),
        ("HIRYU", 6),
        ("ENTERPRISE", 5),
        ("HORNET", 5),
        ("YORKTOWN", 4),
    ],
)
def test_m10_2_the_attempt_succeeds_on_the_number_of_the_carrier(ship: str, least: int) -> None:
    for die in range(1, 7):
        board = given(ALIVE, step=13, damage={ship: 3}, dice=[[die]])

        assert (2 if die >= least else 3) == board.damage(ship)


def test_m10_3_success_removes_one_damage_and_never_more() -> None:
    board = given(ALIVE, step=13, damage={"YORKTOWN": 1}, dice=[[6]])

    assert [Repaired("YORKTOWN", 0)] == of(board.facts, Repaired)
    assert 1 == len(of(board.facts, Rolled))


def test_m10_4_a_crippled_carrier_that_comes_down_to_six_is_operational() -> None:
    board = given(ALIVE, step=13, damage={"AKAGI": 7}, dice=[[6]])

    assert [Repaired("AKAGI", 6), CarrierRestored("AKAGI")] == of(board.facts, Repaired, CarrierRestored)
    assert Land("AKA-D1", "AKAGI") in board.offered()


def test_m10_4_crippled_carriers_repair_like_others() -> None:
    board = given(ALIVE, step=13, damage={"AKAGI": 9}, dice=[[6]])

    assert [Repaired("AKAGI", 8)] == of(board.facts, Repaired, CarrierRestored)


def test_m10_5_sunk_carriers_are_never_repaired() -> None:
    board = given(ALIVE, step=13, damage={"HIRYU": 10})

    assert [] == of(board.facts, Rolled)


def test_m10_4_who_was_operational_already_is_not_restored() -> None:
    board = given(ALIVE, step=13, damage={"AKAGI": 6}, dice=[[6]])

    assert [Repaired("AKAGI", 5)] == of(board.facts, Repaired, CarrierRestored)
