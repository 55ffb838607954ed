"""C9 The stages of a naval move: what is chosen in one go, how it stands, and what is sealed of it."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.coral_sea.decisions import (
    Done,
    EmbarkFrom,
    LandAt,
    LoadRp,
    LoadUnit,
    PickUnit,
    StartNavalMove,
    StepTo,
    Stop,
    UnloadRp,
    UnloadUnit,
)
from domain.coral_sea.table import Move
from domain.kernel.facts import Decided
from domain.kernel.procedures import Decision
from tests.coral_sea.board import AL, DARK, Board, Where, off_papua, operation
from tests.coral_sea.test_22_hidden_moves import copied, sealed_before_each

CHOOSING = {"C9.1", "C10.2", "C10.4"}
"""The rules under which it is chosen who sails, what goes aboard, and who embarks or lands."""

SEA, PORT = "papuan_coast", "noumea"


def chosen_in_one_go(board: Board) -> set[Decision]:
    """After which of the options the same side goes on choosing before anything else happens.

    These are picks, and what is put ashore in a port where something is left to be decided.
    """
    found = set()
    for option in copied(board.table).prompts[AL].options:
        later = copied(board.table)
        later.decide(board.asked[0], option)
        rule = later.prompts[AL].rule if AL in later.prompts else ""
        ashore = isinstance(option, UnloadUnit | UnloadRp) and not any(
            isinstance(fact, Decided) and fact.how == "forced" for fact in later.facts
        )
        if rule in CHOOSING or (rule == "C9.3" and ashore):
            found.add(option)
    return found


def at(area: str, *units: str, **more: Any) -> Board:
    """A board on which the Allies may sail from an area."""
    rp = more.pop("points", 0)
    stock = {area: rp} if rp else {}
    others: dict[str, Where] = more.pop("others", {})
    return operation(AL, area, {**dict.fromkeys(units, area), **others}, rp=({}, stock), **more)


def tired(board: Board, *units: str) -> Board:
    """The same with some units that have acted in this operation."""
    for unit in units:
        board.open.units[unit].acted = True
    return board


BEFORE = {
    "one ship": lambda: at(PORT, "a_tf17"),
    "two ships": lambda: at(PORT, "a_tf17", "a_tf44"),
    "three ships": lambda: at(PORT, "a_tf17", "a_tf44", "a_tf62"),
    "a ship and a unit": lambda: at(PORT, "a_tf17", "a_30"),
    "a ship and a unit that has acted": lambda: tired(at(PORT, "a_tf17", "a_30"), "a_30"),
    "a ship and a resource point": lambda: at(PORT, "a_tf17", points=1),
    "all ships of a sea area": lambda: at(SEA, "a_tf17", "a_30", "a_7", points=1),
    "a ship stays with room for all": lambda: tired(at(SEA, "a_tf17", "a_tf44", "a_30"), "a_tf44"),
    "one point must go": lambda: tired(at(SEA, "a_tf17", "a_tf44", points=2), "a_tf44"),
    "two points must go, the third may": lambda: tired(
        at(SEA, "a_tf17", "a_tf44", "a_tf62", "a_desron2", points=3), "a_desron2"
    ),
}
"""Boards before a naval move starts."""


@pytest.mark.parametrize("case", BEFORE)
def test_c9_1_c10_2_one_goes_on_choosing_exactly_where_there_is_a_choice(case: str) -> None:
    """Ships, then cargo: wherever something may be picked next, it is a part of the same command."""
    board = BEFORE[case]()
    while StartNavalMove() in board.offered() or board.rule in CHOOSING:
        expected = chosen_in_one_go(board)
        assert expected == {option for option in board.table.quiet(AL) if option in board.offered()}
        begin = StartNavalMove() in board.offered()
        board.go(StartNavalMove() if begin else board.offered()[0])

    assert board.offered(StepTo)


def embarking(*waiting: str, aboard: Sequence[str] = ()) -> Board:
    board = off_papua(*aboard, others=dict.fromkeys(waiting, "abau"))
    board.go(StartNavalMove())
    return board


@pytest.mark.parametrize(("waiting", "asked"), [(("a_21",), False), (("a_21", "a_7"), True)])
def test_c10_4_whom_to_embark_is_chosen_in_one_go_where_several_wait(
    waiting: tuple[str, ...], asked: bool
) -> None:
    board = embarking(*waiting)

    assert asked == (EmbarkFrom("abau") in board.table.quiet(AL))
    assert {EmbarkFrom("abau")} - chosen_in_one_go(board) == {EmbarkFrom("abau")} - {*board.table.quiet(AL)}


@pytest.mark.parametrize(("aboard", "asked"), [(("a_30",), False), (("a_30", "a_14"), True)])
def test_c10_4_who_lands_is_chosen_in_one_go_where_several_are_aboard(
    aboard: tuple[str, ...], asked: bool
) -> None:
    board = embarking(aboard=aboard)

    assert asked == (LandAt("abau") in board.table.quiet(AL))
    assert chosen_in_one_go(board) == {*board.table.quiet(AL)}


def in_lae(*aboard: str, rp: int = 0, range_left: bool = True, sp: int = 6, **more: Any) -> Board:
    """A squadron of Range 6 in Lae, from which one way alone leads on; another unit of its side is there."""
    board = operation(
        AL,
        "huon_gulf",
        {**dict.fromkeys(("a_desron2", *aboard), "huon_gulf"), "a_18": "lae"},
        rp=({}, {"huon_gulf": rp} if rp else {}),
        **more,
    )
    board.table.open.operation.sp = sp
    board.go(StartNavalMove())
    spare = (3 if aboard else 5) if not range_left else 1
    for area in ("solomon_sea_west", "huon_gulf", "solomon_sea_west", "huon_gulf", "lae")[-spare:]:
        board.go(StepTo(area))
    return board


@pytest.mark.parametrize("options", [{}, DARK])
@pytest.mark.parametrize(
    ("range_left", "sp"), [(True, 6), (True, 4), (True, 3), (True, 2), (False, 6), (False, 4)]
)
@pytest.mark.parametrize(("aboard", "rp"), [((), 1), (("a_30",), 0), (("a_30", "a_7"), 0), (("a_30",), 1)])
def test_c10_8_what_is_put_ashore_is_chosen_in_one_go_with_what_follows_r92(
    aboard: tuple[str, ...], rp: int, sp: int, range_left: bool, options: dict[str, bool]
) -> None:
    """Behind a screen one is asked again even where nothing else is left, or others would know (R110)."""
    board = in_lae(*aboard, rp=rp, sp=sp, range_left=range_left, options=options)

    assert chosen_in_one_go(board) == {*board.table.quiet(AL)}
    assert not options or {*board.offered(UnloadUnit, UnloadRp)} == {*board.table.quiet(AL)}


def under_way(board: Board) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Who sails, who is aboard, and the Range left, as all see it or behind the screen as its side does."""
    move = move_of(board)
    return move.units, move.cargo, move.left


def move_of(board: Board) -> Move:
    move: Move = board.own(AL).move or board.table.open.move
    return move


@pytest.mark.parametrize("options", [{}, DARK])
def test_c9_2_c10_3_after_each_pick_it_is_said_who_sails_with_what_and_how_far(
    options: dict[str, bool],
) -> None:
    """TF 17 has Range 6, Destroyer Squadron 2 disorganised 5; ground units loaded cost 2."""
    others: dict[str, Where] = {"a_desron2": (PORT, "o")}
    board = at(PORT, "a_tf17", "a_tf44", "a_30", points=2, others=others, options=options)
    board.go(StartNavalMove())
    told, points = [], []
    for pick in (PickUnit("a_tf17"), PickUnit("a_desron2"), Done(), LoadRp(), LoadUnit("a_30")):
        board.go(pick)
        told.append(under_way(board))
        points.append(move_of(board).rp)

    two = ("a_tf17", "a_desron2")
    assert [(two[:1], (), 6), *[(two, (), 5)] * 3, (two, ("a_30",), 3)] == told
    assert [0, 0, 0, 1, 1] == points


@pytest.mark.parametrize("options", [{}, DARK])
def test_c10_2_c10_3_all_that_goes_along_from_sea_is_said_at_once(options: dict[str, bool]) -> None:
    board = at(SEA, "a_tf17", "a_30", points=1, options=options)
    board.go(StartNavalMove())

    assert (("a_tf17",), ("a_30",), 4) == under_way(board)
    assert move_of(board).rp


@pytest.mark.parametrize("options", [{}, DARK])
def test_c10_5_landing_costs_no_range_and_who_is_ashore_is_no_longer_aboard(options: dict[str, bool]) -> None:
    board = off_papua("a_30", "a_7", options=options)
    board.go(StartNavalMove(), LandAt("abau"), PickUnit("a_7"), Done())

    assert (("a_tf17",), ("a_30",), 4) == under_way(board)


@pytest.mark.parametrize("options", [{}, DARK])
def test_c10_4_c10_3_who_is_embarked_is_aboard_for_two_range(options: dict[str, bool]) -> None:
    board = off_papua("a_30", others={"a_21": "abau"}, options=options)
    board.go(StartNavalMove(), EmbarkFrom("abau"))

    assert (("a_tf17",), ("a_30", "a_21"), 2) == under_way(board)


def test_c22_2_who_is_embarked_is_out_of_sight_at_once() -> None:
    board = off_papua(others={"a_21": "abau"}, options=DARK)
    board.go(StartNavalMove())
    assert "a_21" in board.table.open.units
    board.go(EmbarkFrom("abau"))

    assert "a_21" not in board.table.open.units
    assert "papuan_coast" == board.own(AL).units["a_21"].area


@pytest.mark.parametrize("options", [{}, DARK])
def test_c10_8_what_is_put_ashore_is_no_longer_aboard(options: dict[str, bool]) -> None:
    board = off_papua("a_30", "a_7", rp=({}, {"papuan_coast": 1}), options=options)
    board.go(StartNavalMove(), StepTo("port_moresby"), UnloadUnit("a_30"))
    before = move_of(board)
    assert (("a_tf17",), ("a_7",), 3) == under_way(board)
    board.go(UnloadRp())

    assert before.rp - 1 == move_of(board).rp


ASHORE = [
    (),
    (UnloadRp(),),
    (UnloadRp(), UnloadRp()),
    (UnloadUnit("a_30"),),
    (UnloadRp(), UnloadUnit("a_30"), UnloadRp(), UnloadUnit("a_7")),
]
"""What may be put ashore before the stack leaves or stops."""


def sealed_in_port(company: tuple[str, ...], *decisions: Decision) -> list[list[int]]:
    """How much is sealed by a command in Port Moresby up to each fact that all see, in each of its ways."""
    found = []
    for ashore in ASHORE:
        others = dict.fromkeys(company, "port_moresby")
        units: dict[str, Where] = {"a_tf44": SEA, **others}
        board = off_papua("a_30", "a_7", others=units, rp=({}, {SEA: 2}), options=DARK)
        board.go(StartNavalMove(), PickUnit("a_tf17"), PickUnit("a_tf44"), StepTo("port_moresby"))
        found.append(sealed_before_each(board.table.decide_all(AL, [*ashore, *decisions])))
    return found


@pytest.mark.parametrize("last", [Stop(), StepTo("gulf_of_papua")])
def test_c22_3_leaving_a_port_or_stopping_tells_nothing_of_what_was_put_ashore(last: Decision) -> None:
    ways = sealed_in_port((), last)

    assert [ways[0]] * len(ASHORE) == ways


def test_c22_3_paying_for_a_stack_in_port_tells_nothing_of_what_was_unloaded_before() -> None:
    ways = sealed_in_port(("a_14",), Stop())

    assert [ways[0]] * len(ASHORE) == ways
