"""M13 End of the game and victory."""

import pytest

from domain.match.draws import answer_draw, offer_draw
from domain.match.notices import GameEnded, resign
from domain.midway import MIDWAY
from domain.midway.decisions import Done, Target
from domain.midway.facts import Counted, StepStarted
from domain.midway.victory import leader, losses, points
from tests.fuzz.matches import Play
from tests.midway.board import DUEL, JP, US, Board, given, of

QUIET = [1] * 12
JAPANESE, AMERICAN = ("AKAGI", "KAGA", "SORYU", "HIRYU"), ("ENTERPRISE", "HORNET", "YORKTOWN")


def ended(board: Board) -> list[GameEnded]:
    return [fact for fact in board.facts if isinstance(fact, GameEnded)]


def counted(board: Board) -> Counted:
    return next(fact for fact in board.facts if isinstance(fact, Counted))


def test_m13_1_the_side_whose_carriers_are_all_sunk_loses() -> None:
    board = given(
        {"ENT-D1": (5, "ATTACKING")},
        step=8,
        damage=dict.fromkeys(JAPANESE, 10) | {"HIRYU": 9},
        dice=[[1] * 7, [5, 1, 1, 1, 1]],
    )

    assert [GameEnded(US, "annihilation", "M13.1")] == ended(board)
    assert {} == board.table.prompts


def test_m13_1_if_both_are_annihilated_points_decide() -> None:
    board = given(
        {"KAG-D1": (5, "ATTACKING"), "ENT-D1": (5, "ATTACKING")},
        step=7,
        damage=dict.fromkeys(JAPANESE + AMERICAN, 10) | {"HIRYU": 9, "YORKTOWN": 9},
        dice=[[1] * 12, [5, 1, 1, 1, 1], [1] * 7, [5, 1, 1, 1, 1]],
    )

    assert [GameEnded(US, "annihilation", "M13.1")] == ended(board)
    assert ((45, 60), "clear") == (counted(board).points, counted(board).grade)


def test_m13_1_the_check_waits_for_step_8() -> None:
    board = given(
        {"KAG-D1": (5, "ATTACKING"), "ENT-D1": (5, "ATTACKING")},
        step=7,
        damage=dict.fromkeys(AMERICAN, 10) | {"YORKTOWN": 9},
        dice=[[1] * 12, [5, 1, 1, 1, 1]],
    )

    assert [] == ended(board)
    board.decide(Target("ENT-D1", "AKAGI"))
    assert [GameEnded(JP, "annihilation", "M13.1")] == ended(board)


@pytest.mark.parametrize(
    ("kaga", "enterprise", "winner"), [(7, 6, US), (6, 7, JP), (9, 7, US), (7, 9, JP), (7, 7, US)]
)
def test_m13_2_sudden_death_by_a_crippled_carrier(kaga: int, enterprise: int, winner: int) -> None:
    groups = {"KAG-D1": (5, "HOME"), "ENT-D1": (5, "HOME"), "ENT-D2": (5, "HOME")}
    groups |= dict.fromkeys(("ENT-D3", "ENT-D4", "ENT-F1", "ENT-F2", "ENT-F3"), (5, "HOME"))
    board = given(groups, step=8, damage={"KAGA": kaga, "ENTERPRISE": enterprise}, scenario=DUEL)

    assert [GameEnded(winner, "sudden death", "M13.2")] == ended(board)


def test_m13_2_only_in_scenarios_that_say_so() -> None:
    board = given({"KAG-D1": (5, "HOME")}, step=8, damage={"KAGA": 7})

    assert [] == ended(board)


def test_m13_3_without_a_bomber_left_points_decide() -> None:
    board = given({"KAG-F1": (5, "HOME"), "ENT-F1": (5, "HOME")}, step=13, damage={"HORNET": 1})

    assert [GameEnded(JP, "exhaustion", "M13.3")] == ended(board)


def test_m13_3_one_bomber_group_goes_on() -> None:
    board = given({"KAG-F1": (5, "HOME"), "ENT-T1": (1, "HANGAR:KAGA")}, step=13, turn=3)

    assert [] == ended(board)


def test_m13_4_after_the_last_turn_points_decide() -> None:
    board = given({"KAG-D1": (5, "HOME"), "ENT-D1": (5, "HOME")}, step=13, turn=12, damage={"AKAGI": 2})

    assert [GameEnded(US, "turn limit", "M13.4")] == ended(board)
    assert [StepStarted(13, 0), StepStarted(14, 1)] == of(board.facts, StepStarted)


@pytest.mark.parametrize(("damage", "worth"), [(0, 0), (6, 6), (9, 9), (10, 15)])
def test_m13_5_fifteen_points_for_a_sunk_carrier_else_its_damage(damage: int, worth: int) -> None:
    board = given({"KAG-D1": (5, "HOME")}, step=3, damage={"HORNET": damage, "YORKTOWN": 1})

    assert (worth + 1, 0) == (points(board.open, JP), points(board.open, US))


def test_m13_6_with_equal_points_fewer_losses_win() -> None:
    board = given({"KAG-D1": (5, "HOME")}, step=3)
    lost = {side: losses(board.open, side) for side in (JP, US)}

    assert {JP: 131, US: 123} == lost
    assert US == leader(board.open)


def test_m13_6_with_equal_losses_too_the_game_is_drawn() -> None:
    groups = {"KAG-D1": (5, "HOME"), "KAG-D2": (5, "HOME"), "KAG-T1": (3, "HOME")}
    board = given(groups, step=13, turn=12)

    assert [GameEnded(None, "turn limit", "M13.4")] == ended(board)
    assert Counted((0, 0), (123, 123), "") == counted(board)


@pytest.mark.parametrize(
    ("damage", "grade"),
    [
        ({"HORNET": 10, "YORKTOWN": 10}, "decisive"),
        ({"HORNET": 10, "YORKTOWN": 9, "ENTERPRISE": 1}, "decisive"),
        ({"HORNET": 10, "YORKTOWN": 9}, "clear"),
        ({"HORNET": 10, "YORKTOWN": 10, "AKAGI": 6}, "clear"),
        ({"HORNET": 9, "YORKTOWN": 1}, "clear"),
        ({"HORNET": 9}, "narrow"),
    ],
)
def test_m13_7_the_grade_follows_from_the_difference(damage: dict[str, int], grade: str) -> None:
    board = given({"KAG-D1": (5, "HOME")}, step=13, turn=12, damage=damage)

    assert grade == counted(board).grade


def test_m13_7_annihilation_of_one_side_is_decisive() -> None:
    board = given(
        {"KAG-D1": (5, "HOME")}, step=8, damage=dict.fromkeys(AMERICAN, 10) | dict.fromkeys(JAPANESE[:3], 9)
    )

    # 45 points to 27 would be a clear victory
    assert "decisive" == counted(board).grade == board.open.grade


def test_m13_8_a_player_may_resign_at_any_time() -> None:
    play = Play(MIDWAY, DUEL, {}, 1)

    play.note(resign(play.state.match, US))

    assert (True, JP, "resignation") == (play.over, play.state.match.winner, play.state.match.reason)


def test_m13_8_the_players_may_agree_on_a_draw() -> None:
    play = Play(MIDWAY, DUEL, {}, 1)
    play.note(offer_draw(play.state.match, JP))
    play.decide(JP, Done())

    play.note(answer_draw(play.state.match, US, agreed=True))

    assert (True, None, "agreement") == (play.over, play.state.match.winner, play.state.match.reason)


def test_m13_8_a_team_has_resigned_when_all_its_seats_have() -> None:
    play = Play(MIDWAY, "historical-4-june", {"team_play": True}, 1)
    for seat in (4, 6):
        play.note(resign(play.state.match, seat))
    assert not play.over

    play.note(resign(play.state.match, 5))

    assert (True, JP) == (play.over, play.state.match.winner)
