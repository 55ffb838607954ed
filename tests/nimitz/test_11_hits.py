"""N11.1 to N11.7 Hits: on transports, between plans that cancel them, and what is told of them."""

import pytest

from domain.nimitz import attacks
from domain.nimitz.automaton import Chose
from domain.nimitz.blows import Damaged
from domain.nimitz.decisions import AllocateHit, CancelHit, TakeHit
from domain.nimitz.happenings import PlanUsed, PlanVoid, Screening
from tests.nimitz.board import JA, SOLITAIRE, TWO_PLAYERS, US, Board, of
from tests.nimitz.test_10_battle_turn import arena, fight, struck
from tests.nimitz.test_11_hits_and_plans import hits

DAMAGE_CONTROL, SCREENING_SHIP = "ja.damage_control", "ja.screening_ship"


def test_n11_2_of_us_targets_nothing_is_chosen_by_rule() -> None:
    board = arena(["25th-inf", "us-bn-01"], ["55th-inf"], hits(US, attacks.INFANTRY, "IS", 1))

    assert (["us-bn-01"], []) == (struck(board), of(board.facts, Chose))


def test_n11_1_where_japan_has_one_target_there_is_no_choice_to_tell() -> None:
    board = arena(["25th-inf"], ["55th-inf"], hits(JA, attacks.INFANTRY, "IS", 1))

    assert (["55th-inf"], []) == (struck(board), of(board.facts, Chose))


def test_n11_4_r_74_inside_a_transport_group_no_hit_can_be_cancelled() -> None:
    us, held = ["25th-inf~", "32nd-inf~"], ["us.damage_control"]
    board = arena(us, ["sub-gp-1"], hits(US, attacks.TORPEDOES, "CO", 1), held=held)
    board.decide(TakeHit())

    board.decide(AllocateHit("42-us-25th-inf"), AllocateHit("42-us-32nd-inf"))

    assert (["25th-inf", "32nd-inf"], [], held) == (struck(board), board.asked, fight(board).held)


def test_n11_7_a_hit_that_was_allocated_can_be_cancelled() -> None:
    us, held = ["desron-1", "abda"], ["us.damage_control"]
    board = arena(us, ["sub-gp-1", "55th-inf"], hits(US, attacks.TORPEDOES, "CO", 1), held=held)

    board.decide(AllocateHit("42-us-abda"))

    assert [CancelHit("us.damage_control"), TakeHit()] == board.offered()


def test_n11_4_n11_5_hits_left_when_a_transport_group_is_gone_fall_on_others() -> None:
    ja = ["ja-bn-01*~", "yamato-musashi"]
    board = arena(["desron-1"], ja, hits(JA, attacks.TORPEDOES, "CO", 2))

    board.decide(AllocateHit("transport"))

    assert ["ja-bn-01!", "yamato-musashi"] == struck(board)


@pytest.mark.parametrize(
    ("us", "kind", "area", "subject"),
    [
        (["mag-13"], attacks.BOMBS, "IS", "airfield"),
        (["25th-inf~"], attacks.TORPEDOES, "CO", "transport"),
        (["desron-1"], attacks.TORPEDOES, "CO", "42-us-desron-1"),
    ],
)
def test_n11_7_a_plan_that_cancels_a_hit_names_what_it_spares(
    us: list[str], kind: attacks.Kind, area: str, subject: str
) -> None:
    board = arena(us, ["55th-inf"], hits(US, kind, area, 1), held=["us.damage_control"])

    board.decide(CancelHit("us.damage_control"))

    assert [subject] == [fact.subject for fact in of(board.facts, PlanUsed)]


@pytest.mark.parametrize(
    ("ja", "spared"), [("tone-chikuma", "[42-ja-tone-chikuma]"), ("55th-inf~", "the transports")]
)
def test_n11_6_damage_control_says_whom_it_spares(ja: str, spared: str) -> None:
    board = arena(["desron-1"], [ja], hits(JA, attacks.GUNS, "CO", 1), plans=[DAMAGE_CONTROL])

    assert [f"cancels the hit on {spared}"] == [fact.why for fact in of(board.facts, PlanVoid)]


@pytest.mark.parametrize(
    ("mode", "plans", "screened_first"),
    [
        (SOLITAIRE, [SCREENING_SHIP, DAMAGE_CONTROL], False),
        (TWO_PLAYERS, [SCREENING_SHIP, DAMAGE_CONTROL], True),
        (TWO_PLAYERS, [DAMAGE_CONTROL, SCREENING_SHIP], False),
    ],
)
def test_n11_6_n20_2_damage_control_is_used_first_unless_japans_seat_has_it_wait(
    mode: int, plans: list[str], screened_first: bool
) -> None:
    board = arena(["enterprise"], ["kaga"], plans=plans, mode=mode)
    fight(board).screening = True
    board = Board(board.table.state, board.dice, hits(JA, attacks.BOMBS, "JO", 1))

    first = Screening if screened_first else PlanVoid
    assert [first] == [type(fact) for fact in of(board.facts, PlanVoid, Screening, Damaged)]


@pytest.mark.parametrize(
    ("us", "left", "quiet"),
    [
        (["desron-1", "abda"], 1, []),
        (["desron-1", "abda"], 2, ["abda", "desron-1"]),
        (["desron-1*", "abda"], 2, ["abda"]),
        (["desron-1*", "abda", "desron-6"], 2, ["abda", "desron-1", "desron-6"]),
    ],
)
def test_n11_5_a_hit_is_quiet_while_its_seat_is_asked_about_the_next(
    us: list[str], left: int, quiet: list[str]
) -> None:
    board = arena(us, ["sub-gp-1", "55th-inf"], hits(US, attacks.TORPEDOES, "CO", left))
    found = board.table.quiet(0)

    assert [AllocateHit(f"42-us-{name}") for name in quiet] == [*found]
    for one in found:
        assert board.asked == [*board.table.ahead(0, [one]).prompts]


def test_n11_7_a_hit_is_quiet_where_a_plan_may_cancel_it() -> None:
    us, held = ["desron-1", "abda"], ["us.damage_control"]
    board = arena(us, ["sub-gp-1", "55th-inf"], hits(US, attacks.TORPEDOES, "CO", 1), held=held)
    before = board.offered()

    assert before == [*board.table.quiet(0)]
    assert "N11.7" == board.table.ahead(0, before[:1]).prompts[0].rule


@pytest.mark.parametrize(
    ("ja", "quiet"),
    [
        (["destroyer-gp-1", "destroyer-gp-2"], 0),
        ([f"destroyer-gp-{one}*" for one in (1, 2, 3)], 3),
    ],
)
def test_n11_1_a_hit_on_japan_is_quiet_where_the_next_one_is_asked_about(ja: list[str], quiet: int) -> None:
    board = arena(["desron-1"], ja, hits(JA, attacks.GUNS, "CO", 2))

    assert quiet == len(board.table.quiet(0))
