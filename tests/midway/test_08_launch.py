"""M8 Launch Planes."""

from domain.midway.decisions import Done, Launch
from domain.midway.facts import GroupMoved
from domain.midway.table import on_deck
from tests.midway.board import JP, given, of

LOAD = {"AKA-F1": (5, "DECK:AKAGI"), "AKA-D1": (5, "DECK:AKAGI"), "KAG-D1": (5, "HANGAR:KAGA")}


def test_m8_1_groups_on_the_deck_of_an_operational_carrier_may_be_launched() -> None:
    board = given({**LOAD, "SOR-D1": (5, "DECK:SORYU")}, step=9, damage={"SORYU": 7})

    assert {"AKA-F1", "AKA-D1"} == {d.group for d in board.offered() if isinstance(d, Launch)}


def test_m8_2_a_full_deck_of_20_points_can_be_launched() -> None:
    groups = dict.fromkeys(("KAG-F1", "KAG-D1", "KAG-T1", "KAG-T2"), (5, "DECK:KAGA"))
    board = given(groups, step=9)

    board.decide(*(Launch(group, "MOVING") for group in groups))

    assert 4 == len(of(board.facts, GroupMoved))


def test_m8_3_every_type_to_moving_and_fighters_to_the_cap_centre() -> None:
    board = given(LOAD, step=9)

    expected = [Launch("AKA-F1", "MOVING"), Launch("AKA-F1", "CAP:1"), Launch("AKA-D1", "MOVING"), Done()]
    assert expected == board.offered()
    assert [GroupMoved("AKA-F1", "DECK:AKAGI", "CAP:1")] == board.decide(Launch("AKA-F1", "CAP:1"))


def test_m8_3_groups_are_launched_together_until_one_is_left() -> None:
    board = given(LOAD, step=9)
    launches = [Launch("AKA-F1", "MOVING"), Launch("AKA-F1", "CAP:1"), Launch("AKA-D1", "MOVING")]

    assert tuple(launches) == board.table.quiet(JP)
    board.decide(launches[2])
    assert (launches[:2], ()) == (board.offered(Launch), board.table.quiet(JP))


def test_m8_4_a_group_that_is_not_launched_stays_on_deck() -> None:
    board = given(LOAD, step=9)

    board.decide(Done())

    assert ["AKA-F1", "AKA-D1"] == on_deck(board.open, "AKAGI")


def test_m8_5_an_escort_flies_the_circuit_and_does_not_join_the_cap() -> None:
    board = given({"AKA-F1": (5, "MOVING")}, step=3)

    assert ["Advance", "Done"] == [type(decision).__name__ for decision in board.offered()]
