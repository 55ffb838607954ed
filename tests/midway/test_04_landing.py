"""M4 Land Planes."""

import pytest

from domain.midway.decisions import Advance, Done, Land
from domain.midway.facts import GroupMoved
from domain.midway.table import at
from tests.midway.board import JP, given, of

WAITING = {f"HIR-{name}": (5, "WAITING") for name in ("F1", "F2", "D1", "D2", "T1")}


def test_m4_1_landing_is_voluntary_and_for_groups_in_waiting() -> None:
    board = given({"AKA-D1": (5, "WAITING"), "AKA-D2": (5, "HOME")}, step=1)

    assert {"AKA-D1"} == {d.group for d in board.offered() if isinstance(d, Land)}
    assert Done() in board.offered()


@pytest.mark.parametrize(("damage", "legal"), [(6, True), (7, False), (10, False)])
def test_m4_2_only_operational_carriers_take_planes_in(damage: int, legal: bool) -> None:
    board = given({"AKA-D1": (5, "WAITING")}, step=1, damage={"KAGA": damage})

    assert legal == (Land("AKA-D1", "KAGA") in board.offered())


def test_m4_2_the_deck_must_be_clear() -> None:
    board = given(
        {"AKA-D1": (5, "WAITING"), "KAG-D1": (1, "DECK:KAGA"), "SOR-D1": (5, "HANGAR:SORYU")}, step=1
    )

    ships = ["AKAGI", "SORYU", "HIRYU"]
    assert [Land("AKA-D1", ship) for ship in ships] == board.offered(Land)


def test_m4_3_a_carrier_takes_in_at_most_20_points() -> None:
    board = given(WAITING, step=1, damage={"AKAGI": 7, "KAGA": 7, "SORYU": 7})

    board.decide(*(Land(group, "HIRYU") for group in list(WAITING)[:4]))

    assert ["HIR-T1"] == at(board.until(2), 0, "WAITING")


def test_m4_3_points_are_counted_at_present_strength() -> None:
    groups = dict.fromkeys(WAITING, (4, "WAITING"))
    board = given(groups, step=1, damage={"AKAGI": 7, "KAGA": 7, "SORYU": 7})

    board.decide(*(Land(group, "HIRYU") for group in groups))

    assert list(WAITING) == at(board.until(2), 0, "HANGAR:HIRYU")


def test_m4_3_landings_that_leave_room_for_another_may_be_sent_together() -> None:
    board = given(WAITING, step=1, damage={"AKAGI": 7, "KAGA": 7, "SORYU": 7})
    landings = [Land(group, "HIRYU") for group in WAITING]

    board.decide(*landings[:2])
    assert tuple(landings[2:]) == board.table.quiet(JP)
    board.decide(landings[2])
    assert (landings[3:], ()) == (board.offered(Land), board.table.quiet(JP))


def test_m4_3_room_on_another_carrier_is_room_for_another() -> None:
    board = given(WAITING, step=1, damage={"AKAGI": 7, "KAGA": 7})
    board.decide(*(Land(group, "HIRYU") for group in ("HIR-F1", "HIR-F2", "HIR-D1")))

    left = [Land(group, ship) for group in ("HIR-D2", "HIR-T1") for ship in ("SORYU", "HIRYU")]
    assert tuple(left) == board.table.quiet(JP)
    board.decide(Land("HIR-D2", "SORYU"))
    assert (left[2:], ()) == (board.offered(Land), board.table.quiet(JP))


def test_m4_4_the_group_goes_to_the_hangar_of_that_ship() -> None:
    board = given(WAITING, step=1)

    facts = board.decide(Land("HIR-D1", "HIRYU"))

    assert [GroupMoved("HIR-D1", "WAITING", "HANGAR:HIRYU")] == facts


def test_m4_4_done_ends_the_step() -> None:
    board = given({**WAITING, "AKA-D1": (5, "HOME")}, step=1)

    board.decide(Done())

    assert (3,) == board.open.steps
    assert [Advance("AKA-D1"), Done()] == board.offered()


def test_m4_5_a_group_may_land_on_any_carrier_of_its_side() -> None:
    board = given({"HIR-D1": (5, "WAITING")}, step=1)

    assert ["AKAGI", "KAGA", "SORYU", "HIRYU"] == [d.ship for d in board.offered() if isinstance(d, Land)]


def test_m4_5_hangars_have_no_limit() -> None:
    aboard = {f"AKA-{name}": (5, "HANGAR:KAGA") for name in ("F1", "F2", "D1", "D2", "T1", "T2")}
    aboard |= {f"KAG-{name}": (5, "HANGAR:KAGA") for name in ("F1", "F2", "F3", "D1", "D2", "T1", "T2")}
    board = given({"HIR-D1": (5, "WAITING"), **aboard}, step=1)

    assert Land("HIR-D1", "KAGA") in board.offered()


def test_m4_6_a_group_that_does_not_land_waits_without_loss() -> None:
    board = given({"HIR-D1": (5, "WAITING")}, step=1, damage={"HIRYU": 1})

    board.decide(Done())

    assert (3, (1,)) == (board.open.turn, board.open.steps)
    assert {"HIR-D1": (5, "WAITING")} == board.places("HIR-D1")
    assert [] == of(board.facts, GroupMoved)
