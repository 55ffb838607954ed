"""P38 The worked examples, to the die."""

from tests.pacific_war.board import dice_left, kinds
from tests.pacific_war.examples import EXAMPLES, JAPAN


def test_p38_3_search_and_carrier_strike_with_a_simultaneous_strike() -> None:
    """Given the fleets of 38.3, when both strike, then all falls as the example says."""
    example = EXAMPLES["P38.3"]
    board = example.laid()
    search, strike = example.stages
    board.take(*search)
    seen = board.table.open
    assert seen.tfs["J1"].detected
    assert 13 == dice_left(board.table)

    board.take(*strike)

    japan, allies = board.table.own
    assert 0 == dice_left(board.table)
    assert (3, 1) == (japan.ships["cv_shokaku"].damage, japan.ships["cv_zuikaku"].damage)
    assert "sunk" == seen.lost["cv_lexington"]
    assert 0 == allies.air["cvg_lexington"].steps
    assert (6, 1) == (allies.air["cvg_yorktown"].steps, allies.air["cvg_yorktown"].cap)
    assert 0 == allies.air["cvg_yorktown"].ready
    assert (1, 1, "cv_shokaku") == (
        japan.air["cvg_shokaku"].steps,
        japan.air["cvg_shokaku"].ready,
        japan.air["cvg_shokaku"].home,
    )
    zuikaku = japan.air["cvg_zuikaku"]
    assert (3, 1, 0) == (zuikaku.steps, zuikaku.cap, zuikaku.ready)
    assert [4, 5] == seen.steps_lost


def test_p38_4_naval_battle_over_three_phases() -> None:
    """Given the fleets of 38.4, when both engage, then the three phases fall as the example says."""
    example = EXAMPLES["P38.4"]
    board = example.laid()
    one, two, three = example.stages
    seen = board.table.open
    board.take(*one)
    assert 3 == seen.ships["ca_us1"].damage
    board.take(*two)
    assert "sunk" == seen.lost["ca_us1"]
    assert 2 == seen.ships["bb_kirishima"].damage

    board.take(*three)

    assert 0 == dice_left(board.table)
    assert 4 == seen.ships["bb_kirishima"].damage
    assert 0 == seen.ships["bb_washington"].damage
    assert {"RetreatTF"} == kinds(board.table, JAPAN)
