"""C5 The secret choice and the card action, C6.5 who is asked in a window, by what all can see."""

from typing import Any

import pytest

from domain.coral_sea.decisions import (
    AskAgain,
    ChooseMode,
    EndOperation,
    Pass,
    PassOn,
    PlayCard,
    PlayChit,
    PlayReaction,
    SetTop,
)
from domain.coral_sea.facts import OperationWon, WindowOpened
from domain.coral_sea.reactions import (
    BATTLE_DRAWN,
    BATTLE_START,
    CHECK_FAILED,
    CHIT_REVEALED,
    OP_END,
    OP_OPEN,
    ordered,
)
from domain.coral_sea.secrets import StandingPasses
from domain.coral_sea.sequence import CoralSea
from domain.coral_sea.table import HiddenStack
from tests.coral_sea.board import AL, DARK, JP, Board, Where, action, given, land_battle, of, operation, sail
from tests.coral_sea.test_10_to_13_transport_and_combat import keep_only

STACKS: dict[str, Where] = {
    **dict.fromkeys(("j_desron2", "j_crudiv6"), "rabaul"),
    **dict.fromkeys(("j_desron3", "j_desron4"), "kavieng"),
    **dict.fromkeys(("a_tf17", "a_tf44"), "noumea"),
}
ASKING = {"always_ask": True}


def choosing(units: dict[str, Where] | None = None, **more: Any) -> Board:
    """Both sides are to choose Card or Map."""
    rp = {"madang": 1}, {"australia": 1}
    return given(units or {}, CoralSea(at="again"), rp=rp, **more)


def after_an_operation(**more: Any) -> Board:
    """An operation has ended, so that what lies in ports is out of sight (C22.2)."""
    units = {"a_30": "abau", **STACKS}
    board = operation(AL, "abau", units, options=DARK, **more)
    board.go(EndOperation())
    return board


def restack(board: Board, side: int, area: str) -> SetTop:
    """How a side may set the top of one of its stacks."""
    tops = [one for one in board.offered(SetTop, seat=side) if isinstance(one, SetTop)]
    (option,) = (one for one in tops if one.area == area)
    return option


def tops(board: Board, side: int) -> set[str]:
    """The stacks whose top a side may still set."""
    return {one.area for one in board.offered(SetTop, seat=side) if isinstance(one, SetTop)}


def test_c22_2_before_the_choice_each_side_sets_the_top_of_each_of_its_stacks_once_r84() -> None:
    board = after_an_operation()
    assert ({"rabaul", "kavieng"}, {"noumea"}) == (tops(board, JP), tops(board, AL))
    left = []
    for side, area in ((JP, "rabaul"), (AL, "noumea"), (JP, "kavieng")):
        top = restack(board, side, area)
        board.go(top, seat=side)
        assert HiddenStack(top.item, 2) == board.table.open.stacks[side][area]
        left.append((tops(board, JP), tops(board, AL)))

    assert [({"kavieng"}, {"noumea"}), ({"kavieng"}, set()), (set(), set())] == left


def test_c22_2_before_a_card_action_each_top_is_set_once_r84() -> None:
    board = after_an_operation(change={"modes": ("card", "map")})
    top = restack(board, JP, "rabaul")
    board.go(top)

    assert HiddenStack(top.item, 2) == board.table.open.stacks[JP]["rabaul"]
    assert ([JP], "C5.6", {"kavieng"}) == (board.asked, board.rule, tops(board, JP))


def test_c22_2_reinforcements_in_a_port_are_out_of_sight_when_the_card_action_is_over() -> None:
    board = action(AL, {}, hands=((), ("A15",)), options=DARK)
    board.go(PlayCard("A15"))
    while board.rule not in {"C5.2", "C5.6"}:
        board.go(board.offered()[0])

    assert [] == [unit for unit in ("a_2m", "a_8m") if unit in board.table.open.units]
    assert {"noumea"} == {*board.at("a_2m", "a_8m").values()}


def test_c6_4_c21_1_a_decoy_is_of_no_use_against_a_side_without_chits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Torpedoes alone are left to the Allies, whose cruisers cannot use them."""
    keep_only(monkeypatch, "j_n_gunnery", "a_n_torpedoes")
    units = {"j_desron2": "louisiade_sea", "a_tf44": "papuan_coast"}
    board = operation(JP, "louisiade_sea", units, hands=(("J30",), ()))
    sail(board, ["j_desron2"], "papuan_coast")

    assert ([], False) == (board.own(AL).chits, WindowOpened(BATTLE_DRAWN) in board.facts)


def test_c5_3_all_see_both_totals_of_the_roll_for_the_operation() -> None:
    """Japan has the initiative, worth 2."""
    board = choosing(dice=[3, 6])
    board.go(ChooseMode("map"), seat=JP)
    board.go(ChooseMode("map"), seat=AL)

    assert [OperationWon(AL, (5, 6))] == of(board.facts, OperationWon)


def test_c5_2_once_laid_open_the_choice_is_no_longer_kept_secret() -> None:
    board = choosing()
    board.go(ChooseMode("map"), seat=JP)
    assert "map" == board.own(JP).mode
    board.go(ChooseMode("card"), seat=AL)

    assert ("", "") == (board.own(JP).mode, board.own(AL).mode)


def test_c6_9_asked_again_is_asked_in_windows_of_this_kind_and_all_others() -> None:
    board = operation(AL, "papuan_coast", {"a_30": "abau"}, stop=True)
    StandingPasses(JP, (OP_OPEN, CHECK_FAILED)).fold(board.table.state)
    board._take(AL, Pass())
    board._take(JP, AskAgain())

    assert () == (board.own(JP).passing or ())


def test_c6_6_c22_2_what_hidden_stacks_may_hold_is_taken_to_be_there() -> None:
    """Relentless Tempo needs a resource point of Japan's; all that are left lie hidden, or none does."""
    board = operation(JP, "rabaul", {"j_144": "rabaul"}, options=DARK)
    board.watch = True
    board.go(EndOperation())

    assert ([JP], [OP_END]) == (board.asked, board.table.open.windows)


def assault(**more: Any) -> Board:
    """The 30th Brigade attacks the 144th Regiment at Buna; no card is passed over."""
    return land_battle(AL, "buna", {"a_30": ""}, {"j_144": ""}, origin="kokoda", watch=True, **more)


def test_c6_5_after_a_failed_check_its_owner_alone_is_asked_and_the_pass_is_for_that_window_c6_9() -> None:
    """An Attack card has been played at the start of the battle: one window is open within another."""
    board = assault(hands=((), ("A32",)), dice=[10], options=ASKING)
    board.go(PlayReaction("A32"))
    StandingPasses(JP, (CHECK_FAILED,)).fold(board.table.state)

    assert ([JP], [BATTLE_START, CHECK_FAILED]) == (board.asked, board.table.open.windows)
    assert PassOn() == ordered(board.table.state, JP, board.table.prompts[JP])


def test_c6_5_after_a_failed_check_the_other_side_is_not_asked() -> None:
    board = assault(hands=((), ("A32",)), dice=[10], options=ASKING)
    board.go(PlayReaction("A32"))
    board._take(JP, Pass())

    assert [BATTLE_START] == board.table.open.windows[:1]
    assert CHECK_FAILED not in board.table.open.windows


def test_c6_5_who_reveals_a_chit_is_not_asked() -> None:
    board = assault(draws=["a_g_assault"], options=ASKING)
    while not board.offered(PlayChit):
        board._take(board.asked[0], Pass())
    board.go(PlayChit("a_g_assault"))
    assert ([JP], [CHIT_REVEALED]) == (board.asked, board.table.open.windows)
    board._take(JP, Pass())

    assert CHIT_REVEALED not in board.table.open.windows


@pytest.mark.parametrize(("chit", "asked"), [("j_n_long_lance", True), ("j_n_gunnery", False)])
def test_c6_6_c21_1_radar_fire_control_is_asked_for_against_its_two_chits_alone(
    chit: str, asked: bool
) -> None:
    units = {"j_desron2": "louisiade_sea", "a_tf17": "papuan_coast"}
    board = operation(JP, "louisiade_sea", units, draws=[chit])
    sail(board, ["j_desron2"], "papuan_coast")
    board.watch = True
    board.go(PlayChit(chit))

    assert asked == (WindowOpened(CHIT_REVEALED) in board.facts)
