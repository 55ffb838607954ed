"""C6 cards and windows, C7 operations and supply, C8 ground movement, C9 naval movement."""

import pytest

from domain.coral_sea import charts
from domain.coral_sea.cards import legal
from domain.coral_sea.decisions import (
    BuildAirfield,
    ChooseMode,
    Done,
    LandAt,
    OpenOperation,
    Pass,
    PickUnit,
    PlayCard,
    PlayReaction,
    Rebuild,
    Reorganize,
    RetreatTo,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
)
from domain.coral_sea.facts import ActionEnded, OperationEnded, OperationOpened, SupplyLeft
from domain.coral_sea.fighting import BattleBegan
from domain.coral_sea.ground import starts
from domain.coral_sea.reactions import WINDOWS
from domain.coral_sea.sequence import CoralSea
from domain.coral_sea.supply import reach
from tests.coral_sea.board import AL, JP, action, given, land_battle, of, operation, pick, sail


def test_c6_1_the_hand_limit_is_checked_only_when_drawing() -> None:
    board = action(JP, {}, hands=(("J07", "J08", "J12", "J13", "J26"), ()))

    assert [PlayCard(c) for c in ("J07", "J08", "J12", "J13")] == board.offered(PlayCard)


def test_c6_2_attack_cards_are_for_the_owner_of_the_operation_and_cost_sp_r68() -> None:
    board = land_battle(
        JP, "buna", {"j_144": ""}, {"a_30": ""}, origin="morobe", hands=(("J31",), ()), watch=True
    )
    facts = board.go(PlayReaction("J31"))

    assert 5 == board.sp
    assert [SupplyLeft(5, "the attack card")] == of(facts, SupplyLeft)


def test_c6_2_an_attack_card_dearer_than_what_is_left_cannot_be_played_r68() -> None:
    board = land_battle(
        AL,
        "buna",
        {"a_30": ""},
        {"j_144": ""},
        origin="port_moresby",
        hands=((), ("A32",)),
        watch=True,
    )
    assert PlayReaction("A32") in board.offered()
    assert board.open.operation is not None
    board.open.operation.sp = 1

    assert not legal(board.open, AL, "A32", "battle_start")


def test_c6_3_any_number_may_be_played_and_the_hand_is_not_refilled() -> None:
    board = operation(AL, "papuan_coast", {"a_30": "abau"}, hands=((), ("A26", "A27")), stop=True)
    board.go(PlayReaction("A26"))
    board.go(PlayReaction("A27"))

    assert ([], ["A26", "A27"]) == (board.own(AL).hand, board.open.played[AL])


def test_c6_4_units_not_in_the_pool_are_skipped() -> None:
    board = action(JP, {"j_4": ("lae", "d")}, hands=(("J12",), ()))

    board.go(PlayCard("J12"))

    assert {"j_4": "lae", "j_16": "rabaul", "j_29": "rabaul"} == board.at("j_4", "j_16", "j_29")


def test_c6_5_windows_are_asked_in_order_until_each_passes_r60() -> None:
    assert 7 == len(WINDOWS)
    board = operation(AL, "papuan_coast", {"a_30": "abau", "j_144": "lae"}, stop=True, control={"lae": JP})

    assert ([AL], "C6.5") == (board.asked, board.rule)
    board._take(AL, Pass())
    assert ([JP], "C6.5") == (board.asked, board.rule)
    board._take(JP, Pass())
    assert ([AL], "C7.2") == (board.asked, board.rule)


@pytest.mark.parametrize("hand", [("J24",), ("J07",), ()])
def test_c6_6_who_is_asked_does_not_depend_on_the_hand_r79(hand: tuple[str, ...]) -> None:
    board = operation(AL, "papuan_coast", {"a_30": "abau"}, stop=True, hands=(hand, ()))
    board._take(AL, Pass())

    assert [JP] == board.asked
    assert Pass() in board.offered()


def test_c6_6_always_ask_opens_every_window_r79() -> None:
    quiet = operation(JP, "rabaul", {"j_144": "rabaul"}, stop=True, rp=({"rabaul": 1}, {}))
    quiet.open.played[AL].extend(["A24", "A28", "A05", "A06", "A07"])
    asked = operation(JP, "rabaul", {"j_144": "rabaul"}, stop=True, options={"always_ask": True})
    asked.open.played[AL].extend(["A24", "A28", "A05", "A06", "A07"])
    for board in (quiet, asked):
        board._take(JP, Pass())

    assert ("C7.2", "C6.5") == (quiet.rule, asked.rule)


def test_c6_7_played_cards_lie_face_up_and_permanent_ones_stay() -> None:
    board = action(JP, {}, hands=(("J05",), ()))

    board.go(PlayCard("J05"))

    assert (["J05"], ["J05"]) == (board.open.played[JP], board.open.permanent)


def test_c6_8_air_attack_changes_its_colour_r61() -> None:
    units = {"j_144": "lae"}
    before = action(AL, units, hands=((), ("A05",)), control={"lae": JP})
    after = action(AL, units, hands=((), ("A05",)), control={"lae": JP}, permanent=["A03", "A04"])

    assert ([PlayCard("A05")], []) == (before.offered(PlayCard), after.offered(PlayCard))
    board = operation(
        JP, "lae", units, hands=((), ("A05",)), control={"lae": JP}, permanent=["A03", "A04"], stop=True
    )
    board._take(JP, Pass())
    assert PlayReaction("A05") in board.offered()


def test_c7_1_opening_spends_one_resource_point() -> None:
    board = given(None, CoralSea(at="sequence"))
    board.go(ChooseMode("card"), seat=JP)
    board.go(ChooseMode("map"), seat=AL)
    assert {"australia", "noumea", "port_moresby", "papuan_coast"} == {
        option.area for option in board.offered(OpenOperation) if isinstance(option, OpenOperation)
    }

    facts = board.go(OpenOperation("papuan_coast"))

    assert [OperationOpened(AL, "papuan_coast", 6)] == of(facts, OperationOpened)
    assert "papuan_coast" not in board.open.rp[AL]


def test_c7_2_it_ends_when_nothing_but_ending_is_legal_r80() -> None:
    board = operation(AL, "noumea", {})

    assert [OperationEnded(AL, "no action is possible")] == of(board.facts, OperationEnded)


def test_c7_3_one_action_a_unit() -> None:
    board = operation(AL, "abau", {"a_30": ("abau", "do"), "a_7": "abau"})
    board.go(Reorganize("a_30"))

    assert [] == board.offered(Rebuild)
    board.go(StartGroundMove("abau"))
    assert {"a_30": "abau"} == board.at("a_30")
    assert StepTo("port_moresby") in board.offered()


def test_c7_4_activation_over_land_of_three_steps_r21_r22() -> None:
    now = given({"j_144": "wau"}).open

    assert {"port_moresby", "yule", "abau", "kokoda", "milne_bay", "buna", "tufi", "morobe"} == reach(
        now, AL, "port_moresby"
    )
    assert {"buna", "milne_bay", "tufi", "morobe", "goodenough"} == reach(now, AL, "ward_hunt_strait")
    assert {"australia"} == reach(now, AL, "australia")
    assert "lae" not in reach(now, AL, "port_moresby")


def test_c7_4_ships_only_in_the_markers_own_area() -> None:
    board = operation(AL, "port_moresby", {"a_tf17": "port_moresby", "a_tf44": "gulf_of_papua"})

    board.go(StartNavalMove())

    assert ["a_tf17"] == [unit for unit in board.open.units if board.open.units[unit].acted]


def test_c7_5_what_actions_cost() -> None:
    assert (1, 2, 2, 1, 1, 3, 1, 4, 1) == (
        charts.MOVE_GROUND,
        charts.MOVE_NAVAL,
        charts.STACKING,
        charts.REORGANIZE,
        charts.REBUILD,
        charts.AIRFIELD,
        charts.REPAIR,
        charts.BESIEGE,
        charts.SORTIE,
    )


def test_c7_6_attack_cards_need_no_supply_path() -> None:
    board = land_battle(
        JP,
        "buna",
        {"j_144": ""},
        {"a_30": ""},
        origin="morobe",
        marker="rabaul",
        hands=(("J31",), ()),
        watch=True,
    )

    assert PlayReaction("J31") in board.offered()


def test_c7_7_an_action_must_be_payable_to_its_end() -> None:
    units = {"a_30": "abau", "a_7": "port_moresby", "a_14": "milne_bay", "a_18": "kokoda", "a_21": "yule"}
    now = operation(AL, "abau", {**units, "a_25": "tufi", "a_tf17": "abau"}).open
    assert now.operation is not None
    assert StartGroundMove("abau") in starts(now)
    now.operation.sp = 2

    assert StartGroundMove("abau") not in starts(now)


def test_c8_1_picks_one_at_a_time_r69() -> None:
    board = operation(AL, "abau", {"a_30": "abau", "a_7": "abau"})

    board.go(StartGroundMove("abau"))

    assert [PickUnit("a_30"), PickUnit("a_7")] == board.offered()
    board.go(PickUnit("a_30"))
    assert [PickUnit("a_7"), Done()] == board.offered()
    board.go(Done())
    assert 5 == board.sp


def test_c8_2_the_lowest_movement_factor_is_fixed_r24() -> None:
    board = operation(JP, "lae", {"j_144": "lae", "j_base8": "lae"}, control={"lae": JP})
    board.go(StartGroundMove("lae"))
    pick(board, "j_144", "j_base8")
    board.go(StepTo("morobe"))

    assert {"j_144": "morobe", "j_base8": "morobe"} == board.at("j_144", "j_base8")
    assert [] == board.offered(StepTo)


def test_c8_3_landing_and_embarking_are_no_march() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "papuan_coast"})
    board.go(StartNavalMove(), LandAt("abau"))

    assert "full" == board.state("a_30")


@pytest.mark.parametrize(("before", "after"), [("", "d"), ("d", "do"), ("do", "do"), ("o", "do")])
def test_c8_3_the_jungle_r23(before: str, after: str) -> None:
    board = operation(JP, "lae", {"j_144": ("lae", before)}, control={"lae": JP})

    board.go(StartGroundMove("lae"), StepTo("morobe"))

    assert after == board.state("j_144")


def test_c8_4_no_sea_on_foot() -> None:
    board = operation(AL, "abau", {"a_30": "abau"})
    board.go(StartGroundMove("abau"))

    assert [StepTo("milne_bay"), StepTo("port_moresby")] == sorted(board.offered(StepTo), key=str)


def test_c8_5_entering_enemy_ground_units_is_a_battle_and_ends_the_move() -> None:
    board = operation(
        JP, "lae", {"j_144": "lae", "a_30": "morobe"}, control={"lae": JP}, draws=["a_g_assault"]
    )

    facts = board.go(StartGroundMove("lae"), StepTo("morobe"))

    assert [("morobe", JP, "lae")] == [(f.area, f.attacker, f.origin) for f in of(facts, BattleBegan)]


def test_c8_5_ships_in_port_leave_and_the_move_may_go_on_c9_7() -> None:
    board = operation(JP, "buna", {"j_144": "kokoda", "a_tf17": "port_moresby"}, control={"buna": JP})

    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"), RetreatTo("milne_bay"))

    assert JP == board.open.control["port_moresby"]
    assert ("full", {"a_tf17": "milne_bay"}) == (board.state("a_tf17"), board.at("a_tf17"))
    assert [StepTo("yule"), StepTo("kokoda"), StepTo("abau"), Stop()] == board.offered()


def test_c8_6_a_stop_that_cannot_be_paid_is_illegal_r12() -> None:
    board = operation(AL, "abau", {"a_30": "abau", "a_7": "port_moresby"})
    assert board.open.operation is not None
    board.open.operation.sp = 2
    board.go(StartGroundMove("abau"), StepTo("port_moresby"))

    assert [StepTo("yule"), StepTo("kokoda"), StepTo("abau")] == board.offered()


def test_c9_1_one_ship_costs_as_much_as_a_stack_r8() -> None:
    board = operation(AL, "noumea_waters", {"a_tf17": "noumea_waters", "a_tf44": "noumea_waters"})
    board.go(StartNavalMove(), PickUnit("a_tf17"), Done())

    assert 4 == board.sp


def test_c9_2_the_lowest_range_counts() -> None:
    board = operation(
        AL, "coral_sea_central", {"a_tf17": "coral_sea_central", "a_desron2": ("coral_sea_central", "do")}
    )
    sail(board, ["a_tf17", "a_desron2"])
    for area in ("coral_sea_east", "torpedo_junction", "santa_cruz_sea", "stewart_sea"):
        board.go(StepTo(area))

    assert [] == board.offered(StepTo)


def test_c9_3_steps_to_seas_and_friendly_ports() -> None:
    board = operation(AL, "gulf_of_papua", {"a_tf17": "gulf_of_papua"})
    board.go(StartNavalMove())

    assert {"papuan_coast", "port_moresby", "australia"} == {
        option.to for option in board.offered(StepTo) if isinstance(option, StepTo)
    }


def test_c9_4_no_enemy_port() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast"}, control={"milne_bay": JP})
    board.go(StartNavalMove())

    assert StepTo("milne_bay") not in board.offered()


def test_c9_5_enemy_ships_at_sea_are_fought_and_the_move_is_over() -> None:
    board = operation(
        AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "j_crudiv6": "gulf_of_papua"}
    )

    facts = sail(board, ["a_tf17"], "gulf_of_papua")

    (battle,) = of(facts, BattleBegan)
    assert (("j_crudiv6",), ("a_tf17",)) == battle.units
    assert {"a_30": "gulf_of_papua"} == board.at("a_30")


def test_c9_6_ships_may_end_anywhere_at_sea_r63() -> None:
    board = operation(AL, "coral_sea_central", {"a_tf17": "coral_sea_central", "a_tf44": "coral_sea_east"})
    board.go(StartNavalMove(), StepTo("coral_sea_east"), Stop())

    assert 4 == of(board.facts, SupplyLeft)[-1].sp


def test_c9_7_ships_in_port_are_not_attacked_by_ships() -> None:
    board = operation(JP, "papuan_coast", {"j_crudiv6": "papuan_coast", "a_tf17": "port_moresby"})
    board.go(StartNavalMove())

    assert StepTo("port_moresby") not in board.offered()


def test_c9_8_at_sea_a_move_may_stay_where_it_began() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast"})
    board.go(StartNavalMove())

    assert Stop() in board.offered()


def test_c9_8_a_port_that_cannot_be_paid_is_no_end() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "port_moresby"})
    assert board.open.operation is not None
    board.open.operation.sp = 3
    board.go(StartNavalMove(), StepTo("port_moresby"))

    assert [] == board.offered(Stop)
    board.go(StepTo("gulf_of_papua"), Stop())
    assert 1 == of(board.facts, SupplyLeft)[-1].sp


def test_c7_2_every_action_is_followed_by_a_window() -> None:
    board = operation(AL, "abau", {"a_30": "abau"})
    assert BuildAirfield("abau", "a_30") in board.offered()
    board.go(BuildAirfield("abau", "a_30"))

    assert {"abau": AL} == board.open.airfields
    assert 1 == len(of(board.facts, ActionEnded))
