"""M7 Carrier Attacks."""

from domain.kernel.facts import Rolled
from domain.midway.choices import Targeted
from domain.midway.decisions import Lose, Target
from domain.midway.facts import CarrierDamaged, CarrierSunk, GroupLost, GroupMoved, StrengthLost
from tests.midway.board import JP, US, given, of, rolls

QUIET = [1] * 7


def test_m7_1_without_groups_in_attacking_the_step_is_empty() -> None:
    board = given({"ENT-D1": (5, "READY"), "AKA-D1": (5, "HOME")}, step=8)

    assert [] == of(board.facts, Rolled, Targeted)
    assert (3,) == board.open.steps


def test_m7_2_fighters_leave_first_and_never_attack() -> None:
    board = given({"ENT-F1": (5, "ATTACKING"), "ENT-D1": (5, "ATTACKING")}, step=8)

    assert [GroupMoved("ENT-F1", "ATTACKING", "HOME")] == of(board.facts, GroupMoved)
    assert {"ENT-D1"} == {d.group for d in board.offered() if isinstance(d, Target)}


def test_m7_3_each_bomber_group_in_data_order_picks_an_afloat_enemy_carrier() -> None:
    board = given({"YOR-D1": (5, "ATTACKING"), "ENT-T1": (4, "ATTACKING")}, step=8, damage={"KAGA": 10})

    assert [Target("ENT-T1", ship) for ship in ("AKAGI", "SORYU", "HIRYU")] == board.offered()
    board.decide(Target("ENT-T1", "SORYU"))
    assert [Target("YOR-D1", ship) for ship in ("AKAGI", "SORYU", "HIRYU")] == board.offered()
    assert [] == rolls(board.facts)


def test_m7_3_targets_are_picked_together_but_for_the_last() -> None:
    board = given({"YOR-D1": (5, "ATTACKING"), "ENT-T1": (4, "ATTACKING")}, step=8)

    assert tuple(board.offered()) == board.table.quiet(US)
    board.decide(Target("ENT-T1", "SORYU"))
    assert () == board.table.quiet(US)


def test_m7_3_a_crippled_carrier_may_be_attacked() -> None:
    board = given({"YOR-D1": (5, "ATTACKING")}, step=8, damage={"KAGA": 9})

    assert Target("YOR-D1", "KAGA") in board.offered()


def test_m7_4_groups_with_the_same_target_form_one_wave() -> None:
    board = given({"ENT-D1": (5, "ATTACKING"), "HOR-D1": (4, "ATTACKING")}, step=8)

    board.decide(Target("ENT-D1", "AKAGI"), Target("HOR-D1", "AKAGI"))

    assert [("AA", 7), ("ATTACK_D", 9)] == [(purpose, len(dice)) for purpose, dice in rolls(board.facts)]


def test_m7_5_waves_are_resolved_in_data_order_of_their_targets() -> None:
    board = given({"ENT-D1": (5, "ATTACKING"), "HOR-D1": (4, "ATTACKING")}, step=8)

    board.decide(Target("ENT-D1", "HIRYU"), Target("HOR-D1", "SORYU"))

    made = [(roll.purpose, roll.subject) for roll in board.facts if isinstance(roll, Rolled)]
    assert [("AA", "SORYU"), ("ATTACK_D", "SORYU"), ("AA", "HIRYU"), ("ATTACK_D", "HIRYU")] == made


def test_m7_6_one_aa_roll_of_the_owner_against_the_whole_wave() -> None:
    board = given(
        {"AKA-D1": (5, "ATTACKING"), "AKA-T1": (5, "ATTACKING")}, step=7, dice=[[3, 4, 5, 6] + [1] * 8]
    )

    board.decide(Target("AKA-D1", "YORKTOWN"), Target("AKA-T1", "YORKTOWN"))

    roll = of(board.facts, Rolled)[0]
    assert isinstance(roll, Rolled)
    assert ("M7.6", "AA", US, "YORKTOWN", "4+ hits") == (
        roll.rule,
        roll.purpose,
        roll.by,
        roll.subject,
        roll.target,
    )
    assert 12 == len(roll.dice)
    board.decide(*[Lose("AKA-D1")] * 3)
    assert {"AKA-D1": (2, "HOME")} == board.places("AKA-D1")


def test_m7_6_a_crippled_carrier_rolls_all_its_dice() -> None:
    board = given({"ENT-D1": (5, "ATTACKING")}, step=8, damage={"KAGA": 8})

    board.decide(Target("ENT-D1", "KAGA"))

    assert ("AA", (1,) * 9) == rolls(board.facts)[0]


def test_m7_7_the_owner_of_the_wave_picks_for_each_hit() -> None:
    board = given(
        {"ENT-D1": (5, "ATTACKING"), "ENT-T1": (2, "ATTACKING")}, step=8, dice=[[4, 4, 4, 1, 1, 1, 1]]
    )
    board.decide(Target("ENT-D1", "AKAGI"), Target("ENT-T1", "AKAGI"))

    assert ([US], "M7.7", [Lose("ENT-D1"), Lose("ENT-T1")]) == (board.asked, board.rule, board.offered())
    board.decide(Lose("ENT-T1"), Lose("ENT-T1"))
    assert [StrengthLost("ENT-D1", 1, 4, "AA")] == of(board.facts, StrengthLost)[1:]


def test_m7_7_a_wave_shot_down_rolls_no_attack_dice() -> None:
    board = given({"ENT-D1": (4, "ATTACKING"), "ENT-T1": (2, "ATTACKING")}, step=8, dice=[[4] * 6 + [1]])

    facts = board.decide(Target("ENT-D1", "AKAGI"), Target("ENT-T1", "AKAGI"))

    assert [GroupLost("ENT-D1", 4, "AA"), GroupLost("ENT-T1", 2, "AA")] == of(facts, GroupLost)
    assert ["AA"] == [purpose for purpose, _ in rolls(board.facts)]


def test_m7_8_dive_bombers_hit_on_five_and_six() -> None:
    board = given({"ENT-D1": (5, "ATTACKING")}, step=8, dice=[QUIET, [4, 5, 5, 3, 1]])

    board.decide(Target("ENT-D1", "AKAGI"))

    assert [CarrierDamaged("AKAGI", 2, 2)] == of(board.facts, CarrierDamaged)
    assert [("M7.8", "ATTACK_D", "5+ is 1 hit")] == [
        (roll.rule, roll.purpose, roll.target) for roll in board.facts if isinstance(roll, Rolled)
    ][1:2]


def test_m7_9_torpedo_bombers_hit_twice_on_six_after_the_dive_bombers() -> None:
    board = given(
        {"ENT-D1": (1, "ATTACKING"), "ENT-T1": (4, "ATTACKING")}, step=8, dice=[QUIET, [5], [6, 5, 4, 1], [1]]
    )

    board.decide(Target("ENT-D1", "AKAGI"), Target("ENT-T1", "AKAGI"))

    made = [(roll.purpose, roll.target) for roll in board.facts if isinstance(roll, Rolled)]
    needs = [("ATTACK_D", "5+ is 1 hit"), ("ATTACK_T", "6 is 2 hits"), ("REROLL_T", "6 is 1 hit")]
    assert [("AA", "4+ hits"), *needs] == made[:4]
    assert [CarrierDamaged("AKAGI", 3, 3)] == of(board.facts, CarrierDamaged)


def test_m7_10_sixes_of_dive_bombers_are_rolled_again_and_only_a_six_counts() -> None:
    dice = [QUIET, [6, 6, 5, 1, 1], [6, 5], [6], [5]]
    board = given({"ENT-D1": (5, "ATTACKING")}, step=8, dice=dice)

    board.decide(Target("ENT-D1", "AKAGI"))

    assert ["AA", "ATTACK_D", "REROLL_D", "REROLL_D", "REROLL_D"] == [p for p, _ in rolls(board.facts)][:5]
    assert [CarrierDamaged("AKAGI", 5, 5)] == of(board.facts, CarrierDamaged)


def test_m7_10_sixes_of_torpedo_bombers_are_one_more_hit_each() -> None:
    board = given({"ENT-T1": (2, "ATTACKING")}, step=8, dice=[QUIET, [6, 6], [6, 1], [6], [1]])

    board.decide(Target("ENT-T1", "AKAGI"))

    assert [CarrierDamaged("AKAGI", 6, 6)] == of(board.facts, CarrierDamaged)


def test_m7_11_the_hits_are_added_in_one_go_and_those_above_ten_ignored() -> None:
    board = given(
        {"ENT-D1": (5, "ATTACKING"), "ENT-T1": (1, "ATTACKING")},
        step=8,
        damage={"AKAGI": 8},
        dice=[QUIET, [5, 5, 5, 1, 1], [6], [1]],
    )

    facts = board.decide(Target("ENT-D1", "AKAGI"), Target("ENT-T1", "AKAGI"))

    assert [CarrierSunk("AKAGI", 5, ())] == of(facts, CarrierDamaged, CarrierSunk)
    assert 10 == board.damage("AKAGI")


def test_m7_12_the_survivors_go_home_at_once() -> None:
    board = given({"ENT-D1": (5, "ATTACKING")}, step=8, dice=[[4, 1, 1, 1, 1, 1, 1]])

    board.decide(Target("ENT-D1", "AKAGI"))

    assert {"ENT-D1": (4, "HOME")} == board.places("ENT-D1")
    assert JP not in board.asked
