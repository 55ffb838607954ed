"""M6 CAP Attacks."""

from domain.kernel.facts import Rolled
from domain.midway.choices import Committed, HitsDesignated
from domain.midway.decisions import Advance, CapVsBombers, CapVsFighters, Done, HitType, Launch, Lose
from domain.midway.facts import GroupLost, GroupMoved, StepStarted, StrengthLost
from tests.midway.board import JP, US, given, of, rolls

RAID = {"ENT-F1": (5, "READY"), "ENT-D1": (5, "READY"), "ENT-T1": (4, "READY")}
PATROL = {"AKA-F1": (5, "CAP:1"), "AKA-F2": (5, "CAP:2"), "AKA-F3": (3, "CAP:3")}


def test_m6_1_nothing_happens_without_enemies_in_ready() -> None:
    board = given({**PATROL, "ENT-D1": (5, "ATTACKING"), "ENT-D2": (5, "MOVING")}, step=5)

    assert (8,) == board.open.steps


def test_m6_1_nothing_happens_with_an_empty_cap_box() -> None:
    board = given({**RAID, "AKA-F1": (5, "READY")}, step=5)

    assert (3, (3,)) == (board.open.turn, board.open.steps)


def test_m6_2_a_group_is_committed_whole_and_once() -> None:
    board = given({**PATROL, **RAID}, step=5)

    facts = board.decide(CapVsFighters("AKA-F3"))

    assert [Committed("AKA-F3", "fighters")] == facts
    assert [CapVsFighters("AKA-F1"), CapVsFighters("AKA-F2"), Done()] == board.offered()


def test_m6_3_against_fighters_while_they_are_not_matched() -> None:
    board = given({**PATROL, **RAID}, step=5)
    board.decide(CapVsFighters("AKA-F3"))

    board.decide(CapVsFighters("AKA-F1"))

    assert [CapVsBombers("AKA-F2"), Done()] == board.offered()


def test_m6_4_against_bombers_only_when_the_escorts_are_matched() -> None:
    board = given({**PATROL, **RAID}, step=5)

    assert [] == board.offered(CapVsBombers)
    board.decide(CapVsFighters("AKA-F1"))
    assert [] == board.offered(CapVsFighters)
    assert [CapVsBombers("AKA-F2"), CapVsBombers("AKA-F3")] == board.offered(CapVsBombers)


def test_m6_4_bombers_without_escorts_can_be_attacked_at_once() -> None:
    board = given({**PATROL, "ENT-D1": (5, "READY")}, step=5)

    assert [CapVsBombers(group) for group in PATROL] == board.offered(CapVsBombers)


def test_m6_3_groups_go_together_against_the_escorts_while_these_are_not_matched() -> None:
    patrol = {"AKA-F1": (5, "CAP:1"), "AKA-F3": (3, "CAP:1"), "SOR-F3": (2, "CAP:1"), "HIR-F3": (1, "CAP:1")}
    board = given({**patrol, "ENT-F1": (5, "READY")}, step=5)

    assert tuple(CapVsFighters(name) for name in ("AKA-F3", "SOR-F3", "HIR-F3")) == board.table.quiet(JP)
    board.decide(CapVsFighters("AKA-F3"))
    assert (CapVsFighters("HIR-F3"),) == board.table.quiet(JP)


def test_m6_4_groups_go_together_where_others_may_then_attack_bombers() -> None:
    board = given({**PATROL, **RAID}, step=5)

    assert tuple(CapVsFighters(name) for name in PATROL) == board.table.quiet(JP)
    board.decide(CapVsFighters("AKA-F1"))
    assert (CapVsBombers("AKA-F2"), CapVsBombers("AKA-F3")) == board.table.quiet(JP)
    board.decide(CapVsBombers("AKA-F2"))
    assert ([CapVsBombers("AKA-F3")], ()) == (board.offered(CapVsBombers), board.table.quiet(JP))


def test_m6_5_done_without_a_commitment_ends_the_step() -> None:
    board = given({**PATROL, **RAID, "YOR-F1": (5, "CAP:1"), "AKA-D1": (5, "READY")}, step=5)

    board.decide(Done())

    assert (6,) == board.open.steps
    assert [] == of(board.facts, Rolled, GroupMoved)


def test_m6_6_three_rolls_in_this_order() -> None:
    board = given({**PATROL, **RAID, "ENT-F2": (2, "READY")}, step=5)

    board.decide(CapVsFighters("AKA-F1"), CapVsFighters("AKA-F2"), CapVsBombers("AKA-F3"))

    made = [fact for fact in board.facts if isinstance(fact, Rolled)]
    expected = [("CAP_DOGFIGHT", JP, 10), ("ESCORT_DOGFIGHT", US, 7), ("CAP_VS_BOMBERS", JP, 3)]
    assert expected == [(roll.purpose, roll.by, len(roll.dice)) for roll in made]
    assert {("M6.6", "4+ hits")} == {(roll.rule, roll.target) for roll in made}


def test_m6_6_escorts_roll_only_if_they_are_attacked() -> None:
    board = given({**PATROL, "ENT-D1": (5, "READY")}, step=5)

    board.decide(CapVsBombers("AKA-F1"), Done())

    assert [("CAP_VS_BOMBERS", (1, 1, 1, 1, 1))] == rolls(board.facts)


def test_m6_6_four_five_and_six_hit() -> None:
    board = given({"AKA-F1": (5, "CAP:1"), "ENT-D1": (5, "READY")}, step=5, dice=[[3, 4, 5, 6, 2]])

    board.decide(CapVsBombers("AKA-F1"))

    assert [StrengthLost("ENT-D1", 1, left, "CAP_VS_BOMBERS") for left in (4, 3, 2)] == of(
        board.facts, StrengthLost
    )


def test_m6_7_losses_do_not_reduce_the_dice_of_the_step() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-F1": (5, "READY")}, step=5, dice=[[6, 6, 6, 6, 6], [6, 6, 6, 6, 6]]
    )

    facts = board.decide(CapVsFighters("AKA-F1"))

    expected = [GroupLost("ENT-F1", 5, "CAP_DOGFIGHT"), GroupLost("AKA-F1", 5, "ESCORT_DOGFIGHT")]
    assert expected == of(facts, GroupLost)


def test_m6_7_hits_in_excess_are_lost_and_do_not_carry_over() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-F1": (1, "READY"), "ENT-D1": (5, "READY")},
        step=5,
        dice=[[6, 6, 6, 6, 6], [1]],
    )

    facts = board.decide(CapVsFighters("AKA-F1"))

    assert [GroupLost("ENT-F1", 1, "CAP_DOGFIGHT")] == of(facts, GroupLost)
    assert (5, "READY") == board.places("ENT-D1")["ENT-D1"]


def test_m6_7_escorts_hit_only_groups_committed_against_fighters() -> None:
    board = given({**PATROL, **RAID}, step=5, dice=[[1] * 5, [6] * 5, [1] * 5])

    board.decide(CapVsFighters("AKA-F1"), CapVsBombers("AKA-F2"), Done())

    assert [GroupLost("AKA-F1", 5, "ESCORT_DOGFIGHT")] == of(board.facts, GroupLost)


def test_m6_8_the_owner_picks_for_each_hit_first_the_enemy() -> None:
    board = given(
        {"AKA-F1": (4, "CAP:1"), "AKA-F2": (4, "CAP:1"), "ENT-F1": (4, "READY"), "ENT-F2": (4, "READY")},
        step=5,
        dice=[[4, 4, 1, 1, 1, 1, 1, 1], [5, 1, 1, 1, 1, 1, 1, 1]],
    )
    board.decide(CapVsFighters("AKA-F1"), CapVsFighters("AKA-F2"))

    assert ([US], "M6.8", [Lose("ENT-F1"), Lose("ENT-F2")]) == (board.asked, board.rule, board.offered())
    board.decide(Lose("ENT-F2"), Lose("ENT-F2"))
    assert ([JP], [Lose("AKA-F1"), Lose("AKA-F2")]) == (board.asked, board.offered())
    assert {"ENT-F1": (4, "READY"), "ENT-F2": (2, "READY")} == board.places("ENT-F1", "ENT-F2")


def test_m6_8_hits_are_taken_together_while_there_is_another_and_a_choice() -> None:
    board = given(
        {"AKA-F1": (4, "CAP:1"), "AKA-F2": (4, "CAP:1"), "ENT-F1": (4, "READY"), "ENT-F2": (1, "READY")},
        step=5,
        dice=[[4, 4, 1, 1, 1, 1, 1, 1], [1] * 5],
    )
    board.decide(CapVsFighters("AKA-F1"), CapVsFighters("AKA-F2"))

    assert (Lose("ENT-F1"),) == board.table.quiet(US)
    board.decide(Lose("ENT-F1"))
    assert ([Lose("ENT-F1"), Lose("ENT-F2")], ()) == (board.offered(), board.table.quiet(US))


def test_m6_9_the_active_side_designates_hits_by_type() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-D1": (1, "READY"), "ENT-T1": (2, "READY"), "HOR-T1": (2, "READY")},
        step=5,
        dice=[[4, 4, 1, 1, 1]],
    )
    board.decide(CapVsBombers("AKA-F1"))
    assert ([JP], "M6.9", [HitType("D"), HitType("T")]) == (board.asked, board.rule, board.offered())

    facts = board.decide(HitType("D"))

    expected = [HitsDesignated("D", 1), HitsDesignated("T", 1), GroupLost("ENT-D1", 1, "CAP_VS_BOMBERS")]
    assert expected == of(facts, HitsDesignated, GroupLost)
    assert ([US], [Lose("ENT-T1"), Lose("HOR-T1")]) == (board.asked, board.offered())


def test_m6_9_hits_are_designated_together_while_there_is_another_and_a_choice() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-D1": (1, "READY"), "ENT-T1": (2, "READY"), "HOR-T1": (2, "READY")},
        step=5,
        dice=[[4, 4, 1, 1, 1]],
    )
    board.decide(CapVsBombers("AKA-F1"))

    assert (HitType("T"),) == board.table.quiet(JP)
    board.decide(HitType("T"))
    assert ([HitType("D"), HitType("T")], ()) == (board.offered(), board.table.quiet(JP))


def test_m6_9_hits_that_equal_the_strength_take_all_and_nobody_picks() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-D1": (1, "READY"), "ENT-T1": (2, "READY")},
        step=5,
        dice=[[4, 4, 4, 1, 1]],
    )

    facts = board.decide(CapVsBombers("AKA-F1"))

    assert [GroupLost("ENT-D1", 1, "CAP_VS_BOMBERS"), GroupLost("ENT-T1", 2, "CAP_VS_BOMBERS")] == of(
        facts, GroupLost, HitsDesignated
    )


def test_m6_9_hits_that_equal_the_strength_of_a_type_take_all_of_it() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-D1": (1, "READY"), "HOR-D1": (1, "READY"), "ENT-T1": (2, "READY")},
        step=5,
        dice=[[4, 4, 1, 1, 1]],
    )

    board.decide(CapVsBombers("AKA-F1"), HitType("D"), HitType("D"))

    expected = [GroupLost("ENT-D1", 1, "CAP_VS_BOMBERS"), GroupLost("HOR-D1", 1, "CAP_VS_BOMBERS")]
    assert expected == of(board.facts, GroupLost)


def test_m6_9_hits_are_designated_anew_in_each_step() -> None:
    raid = {"YOR-D1": (4, "READY"), "YOR-T1": (3, "READY"), "AKA-D1": (4, "READY"), "AKA-T1": (4, "READY")}
    patrols = {"AKA-F1": (5, "CAP:1"), "YOR-F1": (5, "CAP:1")}
    board = given({**raid, **patrols}, step=5, dice=[[4, 1, 1, 1, 1], [4, 1, 1, 1, 1]])
    board.decide(CapVsBombers("AKA-F1"), HitType("D"))

    board.decide(CapVsBombers("YOR-F1"))

    assert ([US], [HitType("D"), HitType("T")]) == (board.asked, board.offered())
    assert [HitsDesignated("T", 1)] == of(board.decide(HitType("T")), HitsDesignated)


def test_m6_10_committed_groups_move_one_position_outward() -> None:
    board = given({**PATROL, "AKA-D1": (5, "HOME"), "ENT-D1": (5, "READY")}, step=5)

    board.decide(*(CapVsBombers(group) for group in PATROL))

    places = {name: group.place for name, group in board.until(6).groups.items() if name in PATROL}
    assert {"AKA-F1": "CAP:2", "AKA-F2": "CAP:3", "AKA-F3": "WAITING"} == places


def test_m6_10_groups_not_committed_stay() -> None:
    board = given({**PATROL, "ENT-D1": (5, "READY")}, step=5)

    board.decide(CapVsBombers("AKA-F1"), Done())

    assert [GroupMoved("AKA-F1", "CAP:1", "CAP:2")] == of(board.facts, GroupMoved)


def test_m6_11_a_fighter_in_waiting_has_to_land_before_it_flies_again() -> None:
    board = given({"AKA-F3": (3, "WAITING"), "ENT-D1": (5, "READY"), "AKA-F1": (5, "DECK:AKAGI")}, step=3)

    assert [] == [d for d in board.offered(Advance, Launch) if getattr(d, "group", "") == "AKA-F3"]
    board.decide(Done())
    assert [StepStarted(9, 0)] == of(board.facts, StepStarted)[-1:]
    assert {"AKA-F1"} == {d.group for d in board.offered() if isinstance(d, Launch)}
