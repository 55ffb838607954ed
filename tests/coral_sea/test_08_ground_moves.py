"""C8 Ground moves: what they must still be able to pay, what the jungle spares, and when they are over."""

import pytest
from msgspec import Raw

from domain.coral_sea import CORAL_SEA
from domain.coral_sea.decisions import (
    ChooseUnit,
    Done,
    PickUnit,
    PlayChit,
    PlayReaction,
    StartGroundMove,
    StepTo,
    Stop,
)
from domain.coral_sea.ground import starts
from domain.coral_sea.happenings import LeaderWith
from domain.coral_sea.sequence import CoralSea
from domain.coral_sea.sequence import Sequence as SequenceFrame
from domain.kernel.audience import Audience
from domain.kernel.procedures import Decision
from tests.coral_sea.board import AL, JP, Board, Opened, given, of, opened, operation
from tests.seen import view


def test_c8_6_a_stop_that_takes_the_last_supply_is_legal_r12() -> None:
    board = operation(AL, "abau", {"a_30": "abau", "a_7": "port_moresby"})
    board.table.open.operation.sp = 3
    board.go(StartGroundMove("abau"), StepTo("port_moresby"))
    assert Stop() in board.offered()
    board.go(Stop())

    assert board.open.operation is None, "no supply point is left"


def test_c8_6_a_step_is_legal_if_only_the_last_area_in_reach_can_be_paid() -> None:
    """Movement 3, and own units in all areas but Wau, Morobe and Buna, three steps away."""
    others = {"a_7": "port_moresby", "a_14": "milne_bay", "a_30": "yule", "a_126": "kokoda", "a_127": "tufi"}
    board = operation(AL, "abau", {"a_18": "abau", "a_128": "abau", **others})
    board.table.open.operation.sp = 2
    board.go(StartGroundMove("abau"), StepTo("port_moresby"))

    assert {StepTo("yule"), StepTo("kokoda")} == set(board.offered())
    board.go(StepTo("yule"))
    assert {"a_18": "wau"} == board.at("a_18"), "the only way on, and a stop without a choice"


def test_c7_5_without_a_supply_point_no_move_starts() -> None:
    board = operation(AL, "abau", {"a_30": "abau"})
    board.table.open.operation.sp = 1
    board.go(StartGroundMove("abau"), StepTo("port_moresby"), Stop())

    assert board.open.operation is None


@pytest.mark.parametrize(("sp", "offered"), [(1, [StartGroundMove("abau")]), (0, [])])
def test_c8_1_c7_7_the_last_supply_point_pays_for_a_move_even_into_battle(
    sp: int, offered: list[Decision]
) -> None:
    now = given({"a_30": "abau", "j_144": "port_moresby"}, change=opened(AL, "papuan_coast", sp)).open

    assert offered == starts(now)


def test_c8_2_all_see_who_is_picked_and_the_lowest_movement_of_them() -> None:
    """The 18th Brigade has Movement 3, the 30th 2."""
    units = ("a_18", "a_30", "a_7")
    board = operation(AL, "port_moresby", dict.fromkeys(units, "port_moresby"))
    board.go(StartGroundMove("port_moresby"))
    moves = []
    for unit in units[:2]:
        board.go(PickUnit(unit))
        moves.append(view(CORAL_SEA, board.table.state, Audience.ONLOOKERS)["table"]["move"])

    place = {"how": "march", "from": "port_moresby", "at": "port_moresby"}
    assert [
        {**place, "units": ["a_18"], "left": 3},
        {**place, "units": ["a_18", "a_30"], "left": 2},
    ] == moves


BOOKMARK = '{{"type":"GroundMove","side":1,"area":"abau","stack":["a_30"],{}}}'


def resumed(notes: str) -> Board:
    """The 30th Brigade's march out of Abau, gone on with from the bookmark of a record."""
    return given(
        {"a_30": "abau"},
        CoralSea(at="again"),
        SequenceFrame(at="first_card"),
        Opened(AL, "abau"),
        CORAL_SEA.procedure(Raw(BOOKMARK.format(notes).encode())),
        change=opened(AL, "abau"),
    )


def test_c8_3_a_recorded_march_that_nothing_spared_suffers_from_the_jungle() -> None:
    board = resumed('"at":"march","left":2')
    board.go(StepTo("port_moresby"))

    assert "d" == board.state("a_30")


@pytest.mark.parametrize(("left", "goes_on"), [('"left":1', True), ('"stepped":true', False)])
def test_c8_4_a_recorded_march_goes_as_far_as_movement_was_left(left: str, goes_on: bool) -> None:
    assert goes_on == bool(resumed(f'"at":"march",{left}').offered(StepTo))


@pytest.mark.parametrize(("fought", "goes_on"), [("", True), (',"fought":true', False)])
def test_c8_5_a_recorded_march_goes_on_unless_there_was_a_battle(fought: str, goes_on: bool) -> None:
    board = resumed(f'"at":"on","left":1,"stepped":true{fought}')

    assert goes_on == (StepTo("port_moresby") in board.offered())


def test_c8_5_after_a_battle_the_move_is_over_whatever_is_left_of_it() -> None:
    """The 144th Regiment has Movement 3, marches one area and wins."""
    board = operation(
        JP,
        "lae",
        {"j_144": "lae", "a_30": "morobe"},
        control={"lae": JP},
        dice=[10, 1],
        draws=["j_g_close_combat"],
    )
    board.go(StartGroundMove("lae"), StepTo("morobe"), PlayChit("j_g_close_combat"))

    assert ({"j_144": "morobe"}, JP) == (board.at("j_144"), board.open.control["morobe"])
    assert board.open.operation is None, "nothing but ending was legal"


def test_c8_3_c21_1_the_jungle_spares_one_move_of_a_card_and_no_more() -> None:
    board = operation(AL, "port_moresby", {"a_30": "abau", "a_14": "kokoda"}, hands=((), ("A27",)), stop=True)
    board.go(PlayReaction("A27"))
    board.watch = False
    board.quiet()
    board.go(StartGroundMove("abau"), StepTo("port_moresby"), Stop())
    board.go(StartGroundMove("kokoda"), StepTo("buna"), Stop())

    assert ("full", "d") == (board.state("a_30"), board.state("a_14"))


def test_c17_1_c21_1_a_move_spared_by_a_leader_uses_up_no_card_r82() -> None:
    board = operation(
        JP,
        "lae",
        {"j_144": "lae", "j_28": "madang", "j_41": "wau"},
        control=dict.fromkeys(("lae", "madang", "wau"), JP),
        hands=(("J23",), ()),
        change={"leaders": {"l_horii": "j_144"}},
        stop=True,
    )
    board.go(PlayReaction("J23"))
    board.watch = False
    board.quiet()
    board.go(StartGroundMove("lae"), StepTo("morobe"), Stop())
    board.go(StartGroundMove("madang"), StepTo("finschhafen"), Stop())
    board.go(StartGroundMove("wau"), StepTo("yule"), Stop())

    assert ["full", "full", "d"] == [board.state(unit) for unit in ("j_144", "j_28", "j_41")]


def led(*stack: str) -> Board:
    """Horii is with the 144th Regiment at Lae; some of the three units there march."""
    there = dict.fromkeys(("j_144", "j_41", "j_28"), "lae")
    leaders = {"leaders": {"l_horii": "j_144"}}
    board = operation(JP, "lae", there, control={"lae": JP}, change=leaders)
    board.go(StartGroundMove("lae"), *map(PickUnit, stack))
    return board


def test_c17_1_where_the_whole_stack_goes_nobody_asks_for_its_leader() -> None:
    board = led("j_144", "j_41", "j_28")

    assert ([], "C8.4") == (of(board.facts, LeaderWith), board.rule)


def test_c17_1_a_leader_may_stay_with_his_unit_where_the_stack_parts_and_is_asked_once_r82() -> None:
    board = led("j_41")
    board.go(Done())
    assert {ChooseUnit(unit) for unit in ("j_144", "j_41", "j_28")} == set(board.offered())
    board.go(ChooseUnit("j_144"))

    assert ({"l_horii": "j_144"}, "C8.4") == (board.open.leaders, board.rule)
