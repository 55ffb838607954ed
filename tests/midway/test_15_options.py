"""M15 Options."""

import pytest

from domain.kernel.facts import Rolled
from domain.midway import MIDWAY
from domain.midway.choices import FleetFound
from domain.midway.decisions import (
    Advance,
    CapVsBombers,
    Done,
    Land,
    Launch,
    Recall,
    SearchStart,
    Spot,
    Target,
    TurnBack,
)
from domain.midway.facts import (
    CarrierDamaged,
    GroupLost,
    GroupMoved,
    StepEnded,
    StepStarted,
    StrengthLost,
    TurnStarted,
)
from tests.midway.board import JP, US, begun, given, happened, of, rolls
from tests.seen import table


def test_m15_1_turn_limit_replaces_the_scenarios() -> None:
    assert (6, 12) == (begun(turn_limit=6).open.turn_limit, begun().open.turn_limit)


@pytest.mark.parametrize(("rings", "place"), [(1, "WAITING"), (2, "CAP:2"), (4, "CAP:2")])
def test_m15_2_the_number_of_cap_positions(rings: int, place: str) -> None:
    board = given({"AKA-F1": (5, "CAP:1"), "ENT-D1": (5, "READY")}, step=5, cap_rings=rings)

    board.decide(CapVsBombers("AKA-F1"))

    assert place == board.until(6).groups["AKA-F1"].place


def test_m15_2_from_the_last_of_four_to_waiting() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:3"), "AKA-F2": (5, "CAP:4"), "ENT-D1": (5, "READY")}, step=5, cap_rings=4
    )

    board.decide(CapVsBombers("AKA-F1"), CapVsBombers("AKA-F2"))

    assert ["CAP:4", "WAITING"] == [board.until(6).groups[name].place for name in ("AKA-F1", "AKA-F2")]


def test_m15_3_cap_groups_may_be_recalled() -> None:
    board = given({"AKA-F1": (5, "CAP:2"), "AKA-D1": (5, "HOME")}, step=3, cap_recall=True)

    assert [Recall("AKA-F1")] == board.offered(Recall)
    assert [GroupMoved("AKA-F1", "CAP:2", "WAITING")] == board.decide(Recall("AKA-F1"))
    assert [] == given({"AKA-F1": (5, "CAP:2"), "AKA-D1": (5, "HOME")}, step=3).offered(Recall)


def test_m15_4_at_the_end_of_the_own_move_step_cap_groups_move_outward() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "AKA-F2": (5, "CAP:3"), "YOR-F1": (5, "CAP:1"), "ENT-D1": (5, "READY")},
        step=3,
        cap_endurance=True,
    )

    expected = [GroupMoved("AKA-F1", "CAP:1", "CAP:2"), GroupMoved("AKA-F2", "CAP:3", "WAITING")]
    assert expected == of(board.facts, GroupMoved)
    board.decide(Done())
    assert GroupMoved("YOR-F1", "CAP:1", "CAP:2") in board.facts


def test_m15_4_a_recalled_group_does_not_move_twice() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "AKA-D1": (5, "HOME")}, step=3, cap_endurance=True, cap_recall=True
    )

    board.decide(Recall("AKA-F1"), Done())

    assert [GroupMoved("AKA-F1", "CAP:1", "WAITING")] == of(board.facts, GroupMoved)


def test_m15_5_groups_still_waiting_lose_a_point() -> None:
    board = given(
        {
            "AKA-D1": (5, "WAITING"),
            "AKA-D2": (1, "WAITING"),
            "AKA-T1": (5, "WAITING"),
            "ENT-D1": (5, "WAITING"),
        },
        step=1,
        ditching=True,
    )

    facts = board.decide(Land("AKA-T1", "AKAGI"), Done())

    expected = [StrengthLost("AKA-D1", 1, 4, "DITCHING"), GroupLost("AKA-D2", 1, "DITCHING")]
    assert expected == of(facts, StrengthLost, GroupLost)


@pytest.mark.parametrize(("points", "legal"), [(4, False), (3, True)])
def test_m15_6_no_more_aboard_than_the_hangar_capacity(points: int, legal: bool) -> None:
    aboard = dict.fromkeys(("AKA-F1", "AKA-F2", "AKA-D1", "AKA-D2", "AKA-T1", "AKA-T2"), (5, "HANGAR:AKAGI"))
    groups = {**aboard, "KAG-F1": (2, "HANGAR:AKAGI"), "KAG-D1": (points, "WAITING")}
    board = given(groups, step=1, hangar_capacity=True)

    assert legal == (Land("KAG-D1", "AKAGI") in board.offered())
    assert Land("KAG-D1", "KAGA") in board.offered()


@pytest.mark.parametrize(("die", "damage"), [(4, 1), (5, 2), (6, 2)])
def test_m15_7_armed_decks_take_one_more_hit(die: int, damage: int) -> None:
    board = given(
        {"ENT-D1": (5, "ATTACKING"), "AKA-D1": (5, "DECK:AKAGI")},
        step=8,
        dice=[[1] * 7, [5, 1, 1, 1, 1], [die]],
        armed_decks=True,
    )

    board.decide(Target("ENT-D1", "AKAGI"))

    roll = of(board.facts, Rolled)[2]
    assert isinstance(roll, Rolled)
    assert ("M15.7", "ARMED_DECK", US, (die,)) == (roll.rule, roll.purpose, roll.by, roll.dice)
    assert [CarrierDamaged("AKAGI", damage, damage)] == of(board.facts, CarrierDamaged)


@pytest.mark.parametrize(("place", "face"), [("HANGAR:AKAGI", 5), ("DECK:AKAGI", 4), ("DECK:KAGA", 5)])
def test_m15_7_without_a_hit_or_planes_on_deck_there_is_no_roll(place: str, face: int) -> None:
    board = given(
        {"ENT-D1": (5, "ATTACKING"), "AKA-D1": (5, place)},
        step=8,
        dice=[[1] * 7, [face, 1, 1, 1, 1]],
        armed_decks=True,
    )

    board.decide(Target("ENT-D1", "AKAGI"))

    assert "ARMED_DECK" not in {purpose for purpose, _ in rolls(board.facts)}


def test_m15_8_groups_in_moving_or_ready_may_turn_back() -> None:
    board = given(
        {"AKA-D1": (5, "MOVING"), "AKA-D2": (5, "READY"), "AKA-T1": (5, "HOME")}, step=3, turn_back=True
    )

    assert [TurnBack("AKA-D1"), TurnBack("AKA-D2")] == board.offered(TurnBack)
    assert [GroupMoved("AKA-D2", "READY", "HOME")] == board.decide(TurnBack("AKA-D2"))
    board.decide(Advance("AKA-D1"))
    assert [] == board.offered(TurnBack)
    assert [Advance("AKA-T1"), Done()] == board.offered()


@pytest.mark.parametrize(
    ("ship", "damage", "dice", "fewer"),
    [("KAGA", 7, 5, [-4]), ("KAGA", 6, 9, []), ("AKAGI", 8, 4, [-3]), ("SORYU", 9, 3, [-3])],
)
def test_m15_9_a_crippled_carrier_rolls_half_its_dice_rounded_up(
    ship: str, damage: int, dice: int, fewer: list[int]
) -> None:
    board = given({"ENT-D1": (5, "ATTACKING")}, step=8, damage={ship: damage}, weak_flak=True)

    board.decide(Target("ENT-D1", ship))

    roll = of(board.facts, Rolled)[0]
    assert isinstance(roll, Rolled)
    assert ("AA", (1,) * dice) == (roll.purpose, roll.dice)
    assert fewer == [modifier.amount for modifier in roll.modifiers]


def test_m15_10_japan_searches_in_step_3_with_its_own_die() -> None:
    groups = {f"AKA-{name}": (5, "MOVING") for name in ("D1", "D2", "T1", "T2", "F1")}
    board = given(groups, step=3, found=(False, False), japanese_search=True, dice=[[2]])
    assert ([JP], [SearchStart(), Done()]) == (board.asked, board.offered())

    board.decide(SearchStart())
    while not of(board.facts, FleetFound):
        board.decide(board.offered()[0])

    assert (True, False) == board.open.found
    assert ["AKA-D2"] == [name for name, g in board.until(4).groups.items() if g.place == "READY"]


def test_m15_10_without_the_option_japan_has_found_the_fleet() -> None:
    assert ((True, False), (False, False)) == (begun().open.found, begun(japanese_search=True).open.found)


def test_m15_11_both_sides_plan_before_turn_1() -> None:
    board = begun(free_decks=True)

    assert (0, (11,), [JP]) == (board.open.turn, board.open.steps, board.asked)
    board.decide(Spot("AKA-F1"), Done())
    assert (0, (12,), [US]) == (board.open.turn, board.open.steps, board.asked)
    facts = board.decide(Done())
    assert [StepEnded(12, 1), TurnStarted(1), StepStarted(1, 0)] == facts


def test_m15_12_landing_is_open_to_both_sides_at_the_same_time() -> None:
    board = given({"AKA-D1": (5, "WAITING"), "ENT-D1": (5, "WAITING")}, step=1, parallel_steps=True)

    assert ([JP, US], (1, 2)) == (board.asked, board.open.steps)
    assert {"steps": [1, 2], "active": ["JP", "US"], "step": 1}.items() <= table(MIDWAY, board.open).items()
    american = board.offered(seat=US)
    board.decide(Land("AKA-D1", "KAGA"))
    assert ([US], american) == (board.asked, board.offered())
    board.decide(Land("ENT-D1", "HORNET"))
    assert [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] == [
        fact.step for fact in board.facts if isinstance(fact, StepStarted)
    ][:10]


@pytest.mark.parametrize(("step", "pair"), [(9, (9, 10)), (11, (11, 12))])
def test_m15_12_launching_and_planning_too(step: int, pair: tuple[int, int]) -> None:
    groups = {"AKA-D1": (5, "DECK:AKAGI"), "ENT-D1": (5, "DECK:ENTERPRISE")}
    board = given(groups, step=step, parallel_steps=True)

    assert ([JP, US], pair) == (board.asked, board.open.steps)
    board.decide(board.offered(seat=US)[0], seat=US)
    assert [JP] == board.asked


def test_m15_12_moving_and_fighting_are_not() -> None:
    board = given({"AKA-D1": (5, "HOME"), "ENT-D1": (5, "HOME")}, step=3, parallel_steps=True)

    assert ([JP], (3,)) == (board.asked, board.open.steps)
    assert [StepStarted(3, 0)] == happened(board.facts)
    assert [] == board.offered(Launch)
