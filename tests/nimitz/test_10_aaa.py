"""N10.7 AAA, and the US plan that lets a ship fire once more (N11.7)."""

import pytest

from domain.nimitz import flak
from domain.nimitz.decisions import PassPlan, UsePlan
from tests.nimitz.board import US, Board
from tests.nimitz.test_10_battle_turn import arena, fight, fired, struck


def fired_at(dice: list[int]) -> Board:
    """One Japanese group over a destroyer that has fired and missed, with Anti-Aircraft in hand."""
    air, held = {"8-sentai": "CO"}, ["us.anti_aircraft"]
    return arena(
        ["desron-1"], ["8-sentai"], flak.Flak(side=US, area="CO"), air=air, held=held, dice=[10, *dice]
    )


def test_n10_7_n0_2_a_ship_of_aaa_1_fires() -> None:
    air = {"8-sentai": "CO"}
    board = arena(["abda*"], ["8-sentai"], flak.Flak(side=US, area="CO"), air=air, dice=[1])

    assert (["abda"], ["8-sentai"]) == (fired(board), struck(board))


@pytest.mark.parametrize(("face", "hit"), [(3, ["8-sentai"]), (4, [])])
def test_n11_7_anti_aircraft_hits_only_as_its_own_roll_does(face: int, hit: list[str]) -> None:
    board = fired_at([face])

    board.decide(UsePlan("us.anti_aircraft", "42-us-desron-1"))

    assert (hit, [], ["us.anti_aircraft"]) == (struck(board), board.asked, fight(board).used)


def test_n11_7_anti_aircraft_that_is_passed_is_kept() -> None:
    board = fired_at([1])

    board.decide(PassPlan())

    assert (["desron-1"], [], ["us.anti_aircraft"]) == (fired(board), board.asked, fight(board).held)
