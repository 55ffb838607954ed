"""What a seat is told in a prompt: of how many, from what, and what follows (C5 to C24).

That each sentence of whole matches can be read and is short enough, `tests/fuzz/test_sentences.py` tries.
"""

import pytest

from domain.coral_sea.battle import ChitEffects
from domain.coral_sea.checks import checks
from domain.coral_sea.decisions import (
    Done,
    LoadUnit,
    PickUnit,
    PlaceRp,
    PlaceUnitAt,
    PlayCard,
    PlayChit,
    Refit,
    StartGroundMove,
    StartNavalMove,
)
from domain.coral_sea.losses import Bereaved, CargoLoss, Excess
from domain.coral_sea.operation import OperationFrame
from domain.coral_sea.reactions import OP_OPEN, Window
from domain.coral_sea.sequence import CoralSea
from domain.coral_sea.sequence import Sequence as SequenceFrame
from tests.coral_sea.board import AL, JP, Board, Where, action, given, land_battle, off_papua, operation, sail

SHIPS = ("a_tf17", "a_tf44")


def said(board: Board) -> str:
    (prompt,) = board.table.prompts.values()
    return prompt.text


def test_c5_6_a_card_action_counts_the_hand_and_names_what_can_be_done() -> None:
    told = "Your card action, 1 of 5 cards in hand: draw a card or discard one for a resource point."

    assert told == said(action(AL, {}, hands=((), ("A24",))))


def test_c6_5_a_window_says_what_is_held_against_it() -> None:
    board = operation(JP, "rabaul", {"j_144": "rabaul"}, stop=True)

    assert [f"[window:{OP_OPEN}]: you hold no card that answers this."] == [
        one.text for one in board.table.prompts.values()
    ]


def test_c6_9_a_window_says_that_one_passes_there() -> None:
    board = given({}, Window(window=OP_OPEN, sides=(AL,)), options={"always_ask": True})
    board.table.own[AL].passing = (OP_OPEN,)
    again = Board(board.table.state, (), (), ())

    assert said(again).endswith("you pass here unless you answer at once.")


@pytest.mark.parametrize(
    ("units", "told"),
    [
        ({"a_30": ("abau", "a"), "a_tf17": ("noumea", "a")}, ""),
        ({"a_30": "abau"}, " No action is possible at [noumea] now: an operation there would end at once."),
        ({}, " No action is possible at any of them now: an operation there would end at once."),
    ],
)
def test_c7_1_it_is_told_where_an_operation_would_end_at_once(units: dict[str, Where], told: str) -> None:
    """Units that acted in the operation before may act again."""
    procedures = CoralSea(at="again"), SequenceFrame(at="first_card"), OperationFrame(side=AL)
    board = given(units, *procedures, rp=({}, {"abau": 1, "noumea": 1}))

    assert f"choose which of 2 places spends a resource point.{told}" in said(board)


def test_c7_2_c8_1_an_operation_counts_its_points_and_a_march_who_is_taken() -> None:
    board = operation(JP, "rabaul", {"j_144": "rabaul", "j_41": "rabaul", "j_28": "rabaul"})
    before = said(board)
    board.go(StartGroundMove("rabaul"), PickUnit("j_144"))

    assert "Your operation at [rabaul]: 6 supply points left. Choose an action." == before
    assert "choose the units that move together. 1 taken, Movement " in said(board)


def test_c9_1_c10_2_a_voyage_counts_ships_and_cargo() -> None:
    here = dict.fromkeys((*SHIPS, "a_14", "a_7"), "noumea")
    board = operation(AL, "noumea", here, rp=({}, {"noumea": 1}))
    board.go(StartNavalMove(), PickUnit(SHIPS[0]))
    picking = said(board)
    board.go(Done(), LoadUnit("a_14"))

    assert "1 taken, Range " in picking
    assert "Choose what goes aboard: 1 unit of 3, 0 resource points of 1 so far." in said(board)


def test_c9_3_the_way_says_the_range_and_what_can_be_done() -> None:
    board = off_papua()
    board.go(StartNavalMove())

    assert said(board).startswith("Range ")
    assert "left. Choose the next area" in said(board)


@pytest.mark.parametrize("kind", ["depleted", "destroyed"])
def test_c10_11_a_loss_aboard_says_what_befell_the_ship(kind: str) -> None:
    aboard = dict.fromkeys(("a_tf17", "a_14", "a_7"), "papuan_coast")
    board = given(aboard, CargoLoss(side=AL, area="papuan_coast", kind=kind))

    told = f"A ship at [papuan_coast] is {kind}: choose which of 2 units aboard shares its loss."
    assert told == said(board)


def test_c10_12_the_excess_is_counted() -> None:
    aboard = dict.fromkeys(("a_tf17", "a_14", "a_7", "a_25", "a_126", "a_127"), "papuan_coast")
    board = given(aboard, Excess(side=AL))

    assert "5 units at sea at [papuan_coast], 3 may stay: choose the next of 2 that are lost." == said(board)


@pytest.mark.parametrize(
    ("by", "chit"), [(AL, "Your own [j_g_close_combat]"), (JP, "[j_g_close_combat] of [japan]")]
)
def test_c12_7_c12_8_a_battle_counts_chits_and_effects_and_says_whose(by: int, chit: str) -> None:
    board = land_battle(JP, "lae", {"j_144": "", "j_41": ""}, {"a_14": "", "a_7": ""}, origin="rabaul")
    board.table.open.battle.revealed_by = by
    fought = Board(board.table.state, (), (), [ChitEffects(chit="j_g_close_combat", defender=AL)])

    assert said(board).startswith("Battle of [lae]: you hold ")
    assert said(fought).startswith(f"{chit}, effect 1 of 2: choose which of your 2 units checks")


@pytest.mark.parametrize(
    ("modifier", "on_fail", "told"),
    [
        (0, "depleted", "checks; if it fails it is depleted"),
        (2, "depleted_and_disorganized", "checks at +2; if it fails it is depleted and disorganised"),
    ],
)
def test_c12_9_a_check_is_told_with_what_befalls_who_fails(modifier: int, on_fail: str, told: str) -> None:
    assert told == checks(modifier, on_fail)


@pytest.mark.parametrize(("once", "why"), [(False, "[a_5m] is gone"), (True, "The stack parts")])
def test_c17_2_who_is_asked_about_a_leader_is_told_why(once: bool, why: str) -> None:
    mates = ("a_14", "a_25")
    asks = Bereaved(side=AL, unit="a_5m", mates=mates, once=once)
    board = given(dict.fromkeys(mates, "buna"), asks, change={"leaders": {"l_rupertus": "a_5m"}})

    assert f"{why}: choose which of 2 units [l_rupertus] stays with." == said(board)


def test_c13_4_a_retreat_names_who_and_from_where() -> None:
    board = land_battle(
        AL,
        "buna",
        {"a_14": ""},
        {"j_144": ""},
        origin="kokoda",
        others={"a_tf17": "ward_hunt_strait"},
        draws=["a_g_assault"],
        dice=[1, 10],
    )
    board.go(PlayChit("a_g_assault"))

    assert "[a_14] retreats from [buna] at once: choose where to." == said(board)


def test_c15_2_new_resource_points_are_counted() -> None:
    board = action(AL, {}, hands=((), ("A10",)))
    board.go(PlayCard("A10"))
    before = said(board)
    board.go(PlaceRp("noumea"))

    assert before.endswith("new resource points to place: choose where the next goes.")
    assert before != said(board)


def test_c24_5_reinforcements_are_named_and_counted() -> None:
    board = action(AL, {}, hands=((), ("A13",)))
    board.go(PlayCard("A13"))
    before = said(board)
    board.go(board.offered(PlaceUnitAt)[0])

    assert "Reinforcements: choose where [a_14] arrives. " in before
    assert "more unit" in before
    assert before != said(board)


def test_c21_1_a_refit_counts_what_is_left_of_it() -> None:
    board = action(JP, dict.fromkeys(("j_144", "j_41", "j_28"), ("rabaul", "do")), hands=(("J19",), ()))
    board.go(PlayCard("J19"), Refit("j_144", "rebuild"))

    told = "Refit: 1 unit to rebuild and 2 units to reorganise at most. Choose one, then what is done."
    assert told == said(board)


def test_c12_7_the_turn_in_a_battle_names_the_chit_that_would_be_played_in_vain_and_why() -> None:
    board = land_battle(
        JP,
        "buna",
        {"j_144": ""},
        {"a_30": ""},
        origin="morobe",
        draws=["j_g_air_strike"],
        others={"j_shoho": "ward_hunt_strait"},
    )
    before = said(board)
    board.open.units["j_shoho"].area = "solomon_sea_west"
    lone = Board(board.table.state, (), (), ())

    assert before.endswith("Play one; then the other side plays.")
    assert said(lone).endswith(" No effect now: [j_g_air_strike] (no air support).")


def test_c12_7_a_chit_of_light_ships_lacks_those_of_its_nation() -> None:
    board = operation(
        AL, "papuan_coast", {"a_tf44": "papuan_coast", "j_crudiv6": "coral_sea_west"}, draws=["a_n_gunnery"]
    )
    sail(board, ["a_tf44"], "coral_sea_west")
    board.own(AL).chits = ["a_n_torpedoes", "a_n_gunnery"]

    told = said(Board(board.table.state, (), (), ()))

    assert told.endswith(" No effect now: [a_n_torpedoes] (no US light ships).")
