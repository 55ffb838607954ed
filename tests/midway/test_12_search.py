"""M12 The American search."""

import pytest

from domain.kernel.facts import Rolled
from domain.midway.choices import FleetFound, SearchAssigned
from domain.midway.decisions import Advance, Done, SearchAssign, SearchStart
from domain.midway.facts import GroupMoved
from domain.midway.table import at
from tests.midway.board import US, Board, given, of

HIDDEN = (True, False)


def searchers(count: int, place: str = "MOVING") -> dict[str, tuple[int, str]]:
    names = [f"{ship}-D{n}" for ship in ("ENT", "HOR") for n in (1, 2, 3, 4)]
    return dict.fromkeys(names[:count], (4, place))


def spread(board: Board) -> list[int]:
    """Start the search and let every group take the lowest number; return the sizes of the search groups."""
    board.decide(SearchStart())
    while board.offered(SearchAssign):
        board.decide(board.offered()[0])
    numbers = [fact.search_group for fact in board.facts if isinstance(fact, SearchAssigned)]
    return [numbers.count(number) for number in (1, 2, 3, 4)]


def test_m12_1_until_the_fleet_is_found_americans_do_not_advance_from_moving() -> None:
    board = given({**searchers(4), "ENT-F1": (5, "MOVING")}, step=4, found=HIDDEN)

    assert [SearchStart(), Done()] == board.offered()


def test_m12_2_the_search_is_begun_alone() -> None:
    groups = {**searchers(4), "ENT-F1": (5, "HOME"), "ENT-F2": (5, "HOME")}
    board = given(groups, step=4, found=HIDDEN)

    assert SearchStart() in board.offered()
    assert (Advance("ENT-F1"), Advance("ENT-F2")) == board.table.quiet(US)


def test_m12_1_japan_never_has_to_search() -> None:
    board = given({"AKA-D1": (5, "MOVING")}, step=3, found=HIDDEN)

    assert [Advance("AKA-D1"), Done()] == board.offered()


@pytest.mark.parametrize(
    ("moving", "elsewhere", "legal"), [(4, 4, True), (3, 1, False), (3, 0, True), (1, 0, True)]
)
def test_m12_2_the_search_needs_four_bomber_groups_or_all_that_are_left(
    moving: int, elsewhere: int, legal: bool
) -> None:
    others = {f"YOR-D{n}": (4, "HANGAR:YORKTOWN") for n in range(1, elsewhere + 1)}
    fighter = {"YOR-F1": (5, "HOME")}
    board = given({**searchers(moving), **others, **fighter}, step=4, found=HIDDEN)

    assert legal == (SearchStart() in board.offered())


def test_m12_2_groups_aboard_a_crippled_carrier_do_not_count_as_left() -> None:
    board = given(
        {**searchers(2), "YOR-D1": (4, "HANGAR:YORKTOWN"), "YOR-D2": (4, "DECK:YORKTOWN")},
        step=4,
        found=HIDDEN,
        damage={"YORKTOWN": 7},
    )

    assert SearchStart() in board.offered()


def test_m12_2_without_a_bomber_in_moving_there_is_no_search() -> None:
    board = given({"ENT-F1": (5, "MOVING"), "YOR-F1": (5, "HOME")}, step=4, found=HIDDEN)

    assert [Advance("YOR-F1"), Done()] == board.offered()


def test_m12_2_the_search_may_be_put_off() -> None:
    board = given(searchers(4), step=4, found=HIDDEN)

    board.decide(Done())

    assert [] == of(board.facts, FleetFound)
    assert [SearchStart(), Done()] == board.offered()


def test_m12_3_all_american_groups_in_moving_take_part() -> None:
    board = given({**searchers(4), "ENT-F1": (5, "MOVING"), "ENT-F2": (5, "HOME")}, step=4, found=HIDDEN)

    assert [2, 1, 1, 1] == spread(board)


@pytest.mark.parametrize(
    ("bombers", "sizes"), [(4, [1, 1, 1, 1]), (5, [2, 1, 1, 1]), (6, [2, 2, 1, 1]), (8, [2, 2, 2, 2])]
)
def test_m12_4_bombers_end_up_as_evenly_divided_as_possible(bombers: int, sizes: list[int]) -> None:
    board = given(searchers(bombers), step=4, found=HIDDEN)

    assert sizes == spread(board)


def test_m12_4_planes_are_divided_together_while_fighters_are_to_come() -> None:
    board = given({**searchers(4), "ENT-F1": (5, "MOVING")}, step=4, found=HIDDEN)
    board.decide(SearchStart(), SearchAssign("ENT-D1", 2))

    assert tuple(board.offered()) == board.table.quiet(US)
    board.decide(SearchAssign("ENT-D2", 1), SearchAssign("ENT-D3", 4))
    assert [SearchAssign("ENT-F1", k) for k in (1, 2, 3, 4)] == board.offered()
    assert () == board.table.quiet(US)


def test_m12_4_bombers_are_asked_for_first_then_fighters_for_whom_every_group_is_legal() -> None:
    board = given({**searchers(4), "ENT-F1": (5, "MOVING")}, step=4, found=HIDDEN)
    board.decide(SearchStart())

    assert [SearchAssign("ENT-D1", k) for k in (1, 2, 3, 4)] == board.offered()
    board.decide(SearchAssign("ENT-D1", 2))
    assert [SearchAssign("ENT-D2", k) for k in (1, 3, 4)] == board.offered()
    board.decide(SearchAssign("ENT-D2", 1), SearchAssign("ENT-D3", 4))
    assert [SearchAssign("ENT-F1", k) for k in (1, 2, 3, 4)] == board.offered()


def test_m12_5_five_and_six_are_rolled_again_and_every_roll_is_recorded() -> None:
    board = given(searchers(4), step=4, found=HIDDEN, dice=[[5], [6], [3]])

    spread(board)

    made = [(roll.rule, roll.purpose, roll.by, roll.dice) for roll in board.facts if isinstance(roll, Rolled)]
    assert [("M12.5", "SEARCH", US, (face,)) for face in (5, 6, 3)] == made
    need = "1 to 4 names the search group, 5 and 6 again"
    assert {need} == {roll.target for roll in board.facts if isinstance(roll, Rolled)}


def test_m12_6_the_finders_go_to_ready_and_the_others_stay() -> None:
    board = given({**searchers(4), "ENT-F1": (5, "HOME")}, step=4, found=HIDDEN, dice=[[3]])

    spread(board)

    assert [FleetFound(1, 3, ("ENT-D1", "ENT-D2", "ENT-D4")), GroupMoved("ENT-D3", "MOVING", "READY")] == of(
        board.facts, FleetFound, GroupMoved
    )
    assert [Advance("ENT-F1"), Done()] == board.offered()
    board.decide(Done())
    assert [Advance(f"ENT-{name}") for name in ("F1", "D1", "D2", "D3", "D4")] == board.offered(Advance)


def test_m12_6_after_the_step_the_search_groups_are_no_more() -> None:
    board = given({**searchers(4), "ENT-F1": (5, "HOME")}, step=4, found=HIDDEN, dice=[[3]])
    spread(board)
    assert [1, 2, 3, 4] == [board.open.groups[f"ENT-D{n}"].search_group for n in (1, 2, 3, 4)]

    board.decide(Done())

    assert {0} == {group.search_group for group in board.until(5).groups.values()}


def test_m12_6_the_fleet_is_found_also_by_an_empty_search_group() -> None:
    board = given(searchers(2), step=4, found=HIDDEN, dice=[[4]])

    spread(board)

    assert (True, True) == board.open.found
    assert ["ENT-D1", "ENT-D2"] == at(board.until(5), US, "MOVING")
