"""N10.1 The battle turn as a whole: what its steps leave to the next ones."""

from domain.kernel.facts import Rolled
from domain.nimitz import rounds
from domain.nimitz.decisions import UsePlan
from domain.nimitz.happenings import BattalionDug, BattleTurnBegan, PlanUsed
from tests.nimitz.board import Board, battle, of
from tests.nimitz.test_10_battle_turn import arena, fight, struck


def test_n10_1_battle_turns_are_counted_from_1() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"], dice=[6])

    board.until("none")

    assert [1, 2, 3] == [fact.turn for fact in of(board.facts, BattleTurnBegan)]


def test_n10_3_r_76_a_battalion_drawn_after_first_light_comes_after_its_attack() -> None:
    board = arena(["enterprise"], ["kaga"], spare=1)
    fight(board).plans, fight(board).in_force = 2, ["ja.first_light", "ja.battalion"]
    board = Board(board.table.state, board.dice, rounds.BattleTurn(at="japanese_plans"))

    order = [getattr(fact, "purpose", "battalion") for fact in of(board.facts, Rolled, BattalionDug)]
    assert ("N10.4", ["AAA", "Bomb runs", "Bomb runs", "battalion"]) == (board.rule, order)


def test_n10_10_n11_6_artillery_hits_though_nobody_is_in_a_foxhole() -> None:
    board = arena(["25th-inf"], ["55th-inf", "8-sentai"], plans=["ja.artillery"])
    fight(board).foxhole, fight(board).beach = [], ["42-ja-55th-inf", "42-us-25th-inf"]
    board = Board(board.table.state, board.dice, rounds.BattleTurn(at="infantry"))

    assert ["25th-inf"] == struck(board)


def test_n10_11_in_a_battle_turn_infantry_comes_ashore() -> None:
    procedure = rounds.BattleTurn(at="infantry_advance")
    board = arena(["25th-inf~", "1st-marine~"], ["55th-inf~"], procedure)

    assert (["42-us-1st-marine"], ["42-us-25th-inf", "42-ja-55th-inf"]) == (
        fight(board).foxhole,
        fight(board).beach,
    )


def test_n11_7_asw_is_spent() -> None:
    procedure = rounds.BattleTurn(at="before_torpedoes")
    board = arena(["enterprise", "desron-1"], ["sub-gp-1"], procedure, held=["us.asw"], coastal=False)

    board.decide(UsePlan("us.asw"))

    used = [("us.asw", "depth charges come first")]
    assert used == [(fact.plan, fact.effect) for fact in of(board.facts, PlanUsed)]
    assert ([], ["us.asw"]) == (fight(board).held, fight(board).used)
