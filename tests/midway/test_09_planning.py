"""M9 Planning."""

import pytest

from domain.midway.decisions import Done, Land, Launch, Spot, StrikeBelow
from domain.midway.facts import GroupMoved
from tests.midway.board import JP, given


@pytest.mark.parametrize(("place", "launches", "lands"), [("DECK", True, False), ("HANGAR", False, True)])
def test_m9_1_a_carrier_launches_or_lands_next_turn_not_both(place: str, launches: bool, lands: bool) -> None:
    board = given({"AKA-D1": (5, f"{place}:AKAGI"), "AKA-D2": (5, "WAITING")}, step=11)
    board.decide(Done())

    assert lands == (Land("AKA-D2", "AKAGI") in board.offered())
    board.decide(Done())
    assert launches == (Launch("AKA-D1", "MOVING") in board.offered())


def test_m9_2_only_operational_carriers_plan() -> None:
    board = given(
        {"AKA-D1": (5, "DECK:AKAGI"), "AKA-D2": (5, "HANGAR:AKAGI"), "KAG-D1": (5, "HANGAR:KAGA")},
        step=11,
        damage={"AKAGI": 7},
    )

    assert [Spot("KAG-D1"), Done()] == board.offered()


def test_m9_3_at_no_time_more_than_20_points_on_a_deck() -> None:
    board = given(
        {
            "AKA-D1": (5, "DECK:AKAGI"),
            "AKA-D2": (5, "DECK:AKAGI"),
            "AKA-T1": (5, "DECK:AKAGI"),
            "AKA-T2": (4, "HANGAR:AKAGI"),
            "AKA-F1": (2, "HANGAR:AKAGI"),
        },
        step=11,
    )

    assert [Spot("AKA-F1"), Spot("AKA-T2")] == board.offered(Spot)
    board.decide(Spot("AKA-T2"))
    assert [] == board.offered(Spot)


def test_m9_4_spot_and_strike_below_each_group_once() -> None:
    board = given(
        {"AKA-D1": (5, "DECK:AKAGI"), "AKA-T1": (5, "HANGAR:AKAGI"), "KAG-D1": (5, "DECK:KAGA")}, step=11
    )

    assert [GroupMoved("AKA-D1", "DECK:AKAGI", "HANGAR:AKAGI")] == board.decide(StrikeBelow("AKA-D1"))
    assert [GroupMoved("AKA-T1", "HANGAR:AKAGI", "DECK:AKAGI")] == board.decide(Spot("AKA-T1"))
    assert [StrikeBelow("KAG-D1"), Done()] == board.offered()


HANGAR = {f"AKA-{name}": (5, "HANGAR:AKAGI") for name in ("T1", "T2", "D1", "D2")}


def test_m9_4_groups_are_spotted_together_while_the_deck_has_room_for_both() -> None:
    board = given(HANGAR, step=11)
    board.decide(Spot("AKA-T1"), Spot("AKA-T2"))
    assert (Spot("AKA-D1"), Spot("AKA-D2")) == board.table.quiet(JP)

    board = given({**HANGAR, "AKA-F3": (1, "HANGAR:AKAGI")}, step=11)
    board.decide(Spot("AKA-T1"), Spot("AKA-T2"), Spot("AKA-F3"))
    assert ([Spot("AKA-D1"), Spot("AKA-D2")], ()) == (board.offered(Spot), board.table.quiet(JP))


def test_m9_4_groups_of_two_carriers_do_not_take_each_others_room() -> None:
    board = given({**HANGAR, "KAG-D1": (5, "HANGAR:KAGA")}, step=11)
    board.decide(Spot("AKA-T1"), Spot("AKA-T2"), Spot("AKA-D1"))

    assert (Spot("AKA-D2"), Spot("KAG-D1")) == board.table.quiet(JP)


def test_m9_4_what_is_struck_below_takes_no_room() -> None:
    board = given({**HANGAR, "AKA-D2": (5, "DECK:AKAGI")}, step=11)
    board.decide(Spot("AKA-T1"), Spot("AKA-T2"))

    assert (Spot("AKA-D1"), StrikeBelow("AKA-D2")) == board.table.quiet(JP)


def test_m9_4_the_last_plan_is_sent_alone() -> None:
    board = given({"AKA-D1": (5, "DECK:AKAGI")}, step=11)

    assert ([StrikeBelow("AKA-D1"), Done()], ()) == (board.offered(), board.table.quiet(JP))


def test_m9_5_a_group_that_landed_in_this_turn_may_be_spotted_and_launched_in_the_next() -> None:
    board = given({"AKA-D1": (5, "WAITING")}, step=1)

    board.decide(Land("AKA-D1", "HIRYU"), Spot("AKA-D1"))

    assert (3, (9,)) == (board.open.turn, board.open.steps)
    assert [Launch("AKA-D1", "MOVING"), Done()] == board.offered()
