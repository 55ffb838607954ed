"""C6 When a card may be played, and what all learn of it."""

import pytest

from domain.coral_sea.decisions import PlayCard, PlayReaction, StartGroundMove, StepTo
from domain.coral_sea.facts import CardPlayed, HandHas
from tests.coral_sea.board import AL, DARK, JP, action, of, operation

HANDS = ((), ("A32",))


@pytest.mark.parametrize(("sp", "offered"), [(2, False), (3, True)])
def test_c6_2_an_attack_card_is_paid_from_what_the_operation_has_left(sp: int, offered: bool) -> None:
    """Air Strike costs 2; the march that led to the battle cost 1."""
    board = operation(
        AL, "abau", {"a_30": "abau", "j_144": "port_moresby"}, hands=HANDS, control={"port_moresby": JP}
    )
    board.table.open.operation.sp = sp
    board.watch = True
    board.go(StartGroundMove("abau"), StepTo("port_moresby"))

    assert offered == (PlayReaction("A32") in board.offered(seat=AL))
    if offered:
        board.watch = False
        board.go(PlayReaction("A32"))
        assert 0 == board.sp


def test_c6_7_c27_all_see_which_card_is_played_and_how_many_are_left() -> None:
    board = action(JP, {}, hands=(("J05", "J28"), ()))
    facts = board.go(PlayCard("J05"))

    assert [CardPlayed(JP, "J05", permanent=True)] == of(facts, CardPlayed)
    assert HandHas(JP, 1, 30, 0) == of(facts, HandHas)[0]


def test_c6_4_c22_2_a_card_in_hand_is_refused_if_no_hidden_stack_could_be_its_target() -> None:
    """None is within range of a Japanese airfield, and its owner sees that of hidden stacks as well."""
    board = action(JP, {}, hands=(("J18",), ()), options=DARK)

    assert PlayCard("J18") not in board.offered()
