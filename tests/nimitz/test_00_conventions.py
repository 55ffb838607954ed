"""N0 Conventions."""

import pytest

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.facts import Decided, Drew, Rolled
from domain.match.draws import offer_draw
from domain.match.notices import resign
from domain.match.refusals import RequestError
from domain.nimitz import NIMITZ
from domain.nimitz.attacks import GUNS, INFANTRY, attack
from domain.nimitz.automaton import Chose, area_roll, draw
from domain.nimitz.blows import Damaged
from domain.nimitz.decisions import DoneResupply, PlaceShip, Purchase
from domain.nimitz.resupply import Resupply
from domain.nimitz.scouting import Scouting
from tests.nimitz.board import COMMANDERS, SOLITAIRE, TWO_PLAYERS, battle, begun, given, of, rolls
from tests.nimitz.test_10_battle_turn import arena, clash, struck
from tests.seen import view


def test_n0_1_r_02_dice_show_1_to_10_and_every_roll_says_for_what() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"], dice=[10, 1])

    length = of(board.facts, Rolled)[0]
    assert (10, (10,), "battle length") == (length.sides, length.dice, length.purpose)
    told = "[side:1] rolled 1d10, battle length: 10, 1-2 one turn, 3-5 two, 6-8 three, 9-10 four (N9.8)"
    assert told == length.words()


@pytest.mark.parametrize(("face", "hits"), [(1, 2), (3, 2), (4, 1), (5, 1), (6, 0)])
def test_n0_2_a_roll_within_the_value_hits_and_within_the_superior_value_twice(face: int, hits: int) -> None:
    board = battle("SI", ["enterprise"], ["destroyer-gp-1"])
    board.dice.rolls = [face]

    from_carrier = attack(board.table, "42-us-enterprise", "Dogfight", "UO")

    assert from_carrier is None
    board.dice.rolls = [face]
    assert hits == attack(board.table, "42-us-enterprise:1F4F", "Dogfight", "UO")


def test_n0_2_r_43_value_0_or_none_rolls_no_die_and_10_always_hits() -> None:
    board = battle("SI", ["enterprise", "us-bn-01*"], ["yamato-musashi"])
    before = len(board.dice.rolled)

    assert attack(board.table, "42-us-enterprise", GUNS, "CO") is None
    assert attack(board.table, "us-bn-01", INFANTRY, "IS") is None
    assert before == len(board.dice.rolled)
    assert board.open.battle is not None
    board.open.battle.in_force = ["ja.ship_combat", "ja.attack_plan"]
    board.dice.rolls = [10]
    assert 1 <= (attack(board.table, "42-ja-yamato-musashi", GUNS, "CO") or 0)


@pytest.mark.parametrize(
    ("areas", "dice", "picked"),
    [
        (["SI"], [], "SI"),
        (["SI", "GI"], [5], "GI"),
        (["SI", "GI"], [6], "SI"),
        (["SI", "GI", "AK"], [10, 9], "SI"),
        (["SI", "GI", "AK"], [3], "AK"),
        (["SI", "GI", "AK", "HI"], [9, 10, 3], "GI"),
        (["AK", "AU", "BO", "CI", "GI", "HI", "IJ", "MA", "MI", "NG"], [7], "IJ"),
    ],
)
def test_n0_3_an_area_roll_shares_the_die_among_the_candidates(
    areas: list[str], dice: list[int], picked: str
) -> None:
    board = given()
    board.dice.rolls = list(dice)

    if len(areas) > 1:
        area, faces = area_roll(board.table, areas, "CI")
        assert (picked, tuple(dice)) == (area, faces)
    assert board.dice.rolls == []


def test_n0_3_more_than_ten_areas_are_drawn() -> None:
    board = given()
    areas = list("KJIHGFEDCBA")
    board.dice.draws = [11]

    assert ("K", (11,)) == area_roll(board.table, areas, "CI")


def test_n0_4_a_draw_takes_one_after_the_other_by_id_and_one_of_one_is_an_event() -> None:
    board = given()
    board.dice.draws = [2, 2, 1]

    drawn = draw(board.table, "N7.5", "Ships for [HOLD]", ["42-ja-kaga", "42-ja-akagi", "42-ja-soryu"], 2)
    alone = draw(board.table, "N7.5", "Ships for [HOLD]", ["42-ja-kaga"])

    assert ["42-ja-kaga", "42-ja-soryu"] == drawn
    assert ["42-ja-kaga"] == alone
    chose = of(board.table.facts, Chose)
    assert [("42-ja-akagi", "42-ja-kaga", "42-ja-soryu"), ("42-ja-kaga",)] == [c.candidates for c in chose]
    assert [(2, 2), (1,)] == [c.die for c in chose]
    assert [(1, 1), (0,)] == [d.places for d in of(board.table.facts, Drew)]


def test_n0_5_lists_are_in_the_order_of_ids() -> None:
    board = battle("SI", ["chester-louisville", "desron-1", "abda"], ["55th-inf"])

    ships = [decision.ship for decision in board.offered(PlaceShip)]  # type: ignore[attr-defined]
    assert sorted(ships) == ships


def test_n0_6_nothing_is_hidden() -> None:
    board = begun()

    assert {} == {
        name: fact
        for name, fact in enumerate(board.facts)
        if fact.audience() not in {Audience.ALL, Audience.UMPIRE}
    }
    assert all(
        isinstance(f, Drew | Decided) or type(f).__name__ == "Paused"
        for f in board.facts
        if f.audience() is Audience.UMPIRE
    )
    views = [view(NIMITZ, board.table.state, audience) for audience in VIEWERS]
    assert [views[0]] * 3 == views


def test_n0_7_r_71_a_step_with_done_alone_is_passed_over_until_something_was_picked() -> None:
    board = given({"WC": ["25th-inf"], "US_RE": ["hornet"]}, {"CI": ["kaga"]}, Resupply(seats=(0,)), supply=5)

    assert [Purchase("42-us-hornet"), DoneResupply()] == board.offered()
    board.decide(Purchase("42-us-hornet"))
    assert [DoneResupply()] == board.offered()
    assert [] == given({"WC": ["25th-inf"]}, {"CI": ["kaga"]}, Scouting(seats=(0,)), supply=0).asked


def test_n0_7_one_legal_decision_is_applied_by_itself() -> None:
    board = battle(
        "SI", ["1st-marine", "sub-gp-1"], ["kaga", "tone-chikuma", "destroyer-gp-1", "2nd-inf"], dice=[1]
    )

    assert "N9.6" == board.rule
    forced = battle("SI", ["1st-marine", "sub-gp-1"], ["destroyer-gp-1"], dice=[1])
    assert ["forced"] == [fact.how for fact in of(forced.facts, Decided)]


def test_n0_7_r_83_resignation_and_draws() -> None:
    alone, two, both = (begun(mode=mode).table.state.match for mode in (SOLITAIRE, TWO_PLAYERS, COMMANDERS))

    assert 1 == resign(alone, 0)[-1].winner  # type: ignore[attr-defined]
    assert 1 == len(resign(both, 0))
    assert 1 == len(offer_draw(two, 0))
    for match in (alone, both):
        with pytest.raises(RequestError) as refused:
            offer_draw(match, 0)
        assert "nobody" == refused.value.code


def test_n0_8_both_sides_roll_before_hits_fall_us_first_each_by_id() -> None:
    board = battle("SI", ["32nd-inf", "25th-inf"], ["55th-inf", "2nd-inf"], dice=[1, 1, 1, 1, 1])
    board.until("none")

    kinds = [(purpose, who) for purpose, who, _ in rolls(board.facts) if purpose == "Infantry"][:4]
    assert [("Infantry", n) for n in ("25th-inf", "32nd-inf", "2nd-inf", "55th-inf")] == kinds
    first = next(i for i, fact in enumerate(board.facts) if isinstance(fact, Damaged))
    assert 4 == len([f for f in board.facts[:first] if isinstance(f, Rolled) and f.purpose == "Infantry"])


def test_n0_8_r_84_hits_fall_on_infantry_ashore_though_the_last_friend_ashore_fell_in_the_same_step() -> None:
    us, ja = ["colorado-maryland", "25th-inf"], ["tone-chikuma", "ja-bn-01*"]
    board = arena(us, ja, clash(GUNS, "CO"), dice=[4, 4])

    assert ["ja-bn-01!", "25th-inf"] == struck(board)
