"""N5 US scouting and scouted orders: who scouts, and whose order comes first."""

import pytest

from domain.kernel.facts import Rolled
from domain.kernel.procedures import Decision
from domain.nimitz.decisions import DoneScouting, GiveSupply, JaByRule, JaNextArea, PlaceScout
from domain.nimitz.scouting import ScoutedOrders, Scouting
from domain.nimitz.sequence import Turn
from tests.nimitz.board import COMMANDERS, TWO_PLAYERS, Board, given, of


@pytest.mark.parametrize(
    ("choice", "first"), [(JaNextArea("EA"), "EA"), (JaNextArea("JA"), "JA"), (JaByRule(), "EA")]
)
def test_n5_4_n20_2_japans_seat_chooses_among_tied_areas_or_leaves_it_to_the_ids(
    choice: Decision, first: str
) -> None:
    board = given({}, {"JA": ["kaga"], "EA": ["soryu"], "ML": ["akagi", "hiryu"]}, mode=TWO_PLAYERS)
    board.open.scouts = {"ML": 1, "JA": 1, "EA": 1}
    board = Board(board.table.state, board.dice, ScoutedOrders())
    assert [JaNextArea("EA"), JaNextArea("JA"), JaByRule()] == board.offered()

    board.decide(choice)

    areas = list(dict.fromkeys(fact.subject for fact in of(board.facts, Rolled) if "scouted" in fact.purpose))
    assert [first, *({"EA", "JA"} - {first}), "ML"] == areas


def test_n5_3_r_71_who_has_spent_the_last_point_still_ends_the_scouting() -> None:
    board = given({}, {"JA": ["kaga"]}, Scouting(seats=(0,)), supply=1)

    board.decide(PlaceScout("JA"))

    assert [DoneScouting()] == board.offered()


def test_n5_3_n20_3_one_commander_scouts_after_the_other_and_may_give_supply() -> None:
    board = given({}, {"JA": ["kaga"]}, Scouting(seats=(0, 1)), mode=COMMANDERS, supply={0: 2, 1: 0})
    assert ([0], [PlaceScout("JA"), GiveSupply(), DoneScouting()]) == (board.asked, board.offered())

    board.decide(GiveSupply(), DoneScouting())

    assert ([1], {0: 1, 1: 1}) == (board.asked, board.open.supply)
    board.decide(PlaceScout("JA"), DoneScouting())
    assert ([], {"JA": 1}) == (board.asked, board.open.scouts)


def test_n5_4_n3_scouted_orders_are_carried_out_before_the_us_move() -> None:
    us = {"HI": ["25th-inf"]}
    board = given(us, {"JA": ["kaga", "akagi"]}, Turn(at="scouting"), supply=1)

    board.decide(PlaceScout("JA"), DoneScouting())

    assert ["scouted order"] == [fact.purpose for fact in of(board.facts, Rolled)]
    assert ("N6.4", {}) == (board.rule, board.open.scouts)
