"""C8 Ground moves: what they must still be able to pay, what the jungle spares, and when they are over."""

from domain.coral_sea.decisions import (
    PlayChit,
    PlayReaction,
    StartGroundMove,
    StepTo,
    Stop,
)
from tests.coral_sea.board import AL, JP, operation


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
