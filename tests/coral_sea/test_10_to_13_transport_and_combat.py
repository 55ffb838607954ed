"""C10 naval transport, C11 stacking, C12 combat, C13 retreat and isolation."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.coral_sea import battle, charts
from domain.coral_sea.decisions import (
    ChooseUnit,
    Done,
    EmbarkFrom,
    EndOperation,
    LandAt,
    LoadRp,
    LoadUnit,
    LoseUnit,
    PickUnit,
    PlayCard,
    PlayChit,
    PlayReaction,
    Rebuild,
    RetreatTo,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
    UnloadRp,
    UnloadUnit,
)
from domain.coral_sea.facts import SupplyLeft
from domain.coral_sea.fighting import (
    BattleBegan,
    BattleEnded,
    CheckRolled,
    ChitInVain,
    ChitsHeld,
    ChitShown,
    CupRefilled,
)
from domain.coral_sea.isolation import isolated
from tests.coral_sea.board import (
    AL,
    JP,
    Board,
    Where,
    action,
    dice_of,
    given,
    land_battle,
    of,
    operation,
    pick,
    sail,
)

PORT = {"a_tf17": "noumea", "a_30": "noumea", "a_7": "noumea", "a_14": "noumea", "a_18": "noumea"}


def loading(**more: Any) -> Board:
    board = operation(AL, "noumea", PORT, rp=({}, {"noumea": 2}), **more)
    board.go(StartNavalMove())
    return board


def test_c10_1_three_ground_units_and_one_resource_point_a_ship_r9_r29() -> None:
    board = loading()
    board.go(LoadUnit("a_30"), LoadUnit("a_7"), LoadUnit("a_14"))
    assert [] == board.offered(LoadUnit)
    board.go(LoadRp())
    assert [] == board.offered(LoadRp)


def test_c10_1_troops_or_resource_points_by_option_r9() -> None:
    board = loading(options={"transport_troops_or_rp_exclusive": True})
    board.go(LoadUnit("a_30"))

    assert [] == board.offered(LoadRp)


def test_c10_2_from_sea_all_cargo_goes_with_all_ships() -> None:
    board = operation(
        AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "papuan_coast"}, rp=({}, {"papuan_coast": 1})
    )
    board.go(StartNavalMove(), StepTo("gulf_of_papua"))

    assert ({"a_30": "gulf_of_papua"}, {"gulf_of_papua": 1}) == (board.at("a_30"), board.open.rp[AL])


def test_c10_2_what_stays_must_have_room_c10_10_r19() -> None:
    units = {"a_tf17": "papuan_coast", "a_tf44": "papuan_coast"}
    board = operation(AL, "papuan_coast", units, rp=({}, {"papuan_coast": 2}))
    board.go(StartNavalMove(), PickUnit("a_tf17"), Done())
    board.go(StepTo("gulf_of_papua"), Stop())

    assert {"papuan_coast": 1, "gulf_of_papua": 1} == board.open.rp[AL]


def test_c10_3_range_deductions_add_up_r14_r17() -> None:
    board = operation(
        AL,
        "papuan_coast",
        {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "a_7": "abau"},
    )
    board.go(StartNavalMove(), EmbarkFrom("abau"))
    board.go(StepTo("louisiade_sea"), StepTo("coral_sea_north"))

    assert [] == board.offered(StepTo)


def test_c10_4_one_pause_at_one_coast_r13_r15() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "a_7": "abau"})
    board.go(StartNavalMove())
    assert {EmbarkFrom("abau"), LandAt("abau"), LandAt("port_moresby"), LandAt("milne_bay")} == set(
        board.offered(EmbarkFrom, LandAt)
    )
    board.go(LandAt("port_moresby"))

    assert [] == board.offered(EmbarkFrom, LandAt)
    assert board.offered(StepTo)


def test_c10_5_landing_costs_only_stacking() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "a_7": "abau"})
    board.go(StartNavalMove(), LandAt("abau"))

    assert 2 == board.sp


def test_c10_6_landing_among_the_enemy_is_a_battle_from_the_sea() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "j_28": "abau"})

    facts = board.go(StartNavalMove(), LandAt("abau"))

    assert [("abau", "papuan_coast")] == [(f.area, f.origin) for f in of(facts, BattleBegan)]


def test_c10_6_where_only_enemy_ships_are_they_retreat() -> None:
    board = operation(
        AL,
        "bismarck_sea",
        {"a_tf17": "bismarck_sea", "a_30": "bismarck_sea", "j_crudiv6": "kavieng"},
    )
    board.go(StartNavalMove(), LandAt("kavieng"))

    assert AL == board.open.control["kavieng"]
    assert "kavieng" != board.open.units["j_crudiv6"].area


def test_c10_7_passengers_have_acted_r16() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "a_7": "abau"})
    board.go(StartNavalMove(), LandAt("port_moresby"), Stop())

    assert board.open.units["a_30"].acted
    assert [StartGroundMove("abau")] == board.offered(StartGroundMove)


def test_c10_8_unloading_in_a_port_on_the_way_r11_r18() -> None:
    board = operation(
        AL,
        "papuan_coast",
        {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "a_7": "papuan_coast", "a_14": "port_moresby"},
        rp=({}, {"papuan_coast": 1}),
    )
    board.go(StartNavalMove(), StepTo("port_moresby"))
    assert {UnloadUnit("a_30"), UnloadUnit("a_7"), UnloadRp()} == set(board.offered(UnloadUnit, UnloadRp))
    board.go(UnloadUnit("a_30"))
    assert 2 == board.sp
    board.go(UnloadRp(), StepTo("gulf_of_papua"), Stop())

    assert {"a_30": "port_moresby", "a_7": "gulf_of_papua"} == board.at("a_30", "a_7")
    assert {"port_moresby": 1} == board.open.rp[AL]
    assert 2 == of(board.facts, SupplyLeft)[-1].sp


def test_c10_9_resource_points_never_go_over_a_beach_r18() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast"}, rp=({}, {"papuan_coast": 1}))
    board.go(StartNavalMove())

    assert [] == board.offered(LandAt, UnloadRp)


def test_c10_10_the_last_ship_takes_all_cargo_along() -> None:
    board = operation(
        JP,
        "louisiade_sea",
        {
            "j_desron2": "louisiade_sea",
            "a_tf17": "papuan_coast",
            "a_30": "papuan_coast",
        },
        dice=[9],
        draws=["j_n_gunnery"],
        rp=({}, {"papuan_coast": 1}),
    )
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_gunnery"), RetreatTo("port_moresby"))

    assert {"a_tf17": "port_moresby", "a_30": "port_moresby"} == board.at("a_tf17", "a_30")
    assert {"port_moresby": 1} == board.open.rp[AL]


def test_c10_11_losses_aboard_are_the_owners_pick() -> None:
    board = operation(
        JP,
        "louisiade_sea",
        {
            "j_desron2": "louisiade_sea",
            "a_tf17": "papuan_coast",
            "a_30": "papuan_coast",
            "a_7": ("papuan_coast", "d"),
        },
        dice=[9],
        draws=["j_n_long_lance"],
    )
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_long_lance"))

    assert {ChooseUnit("a_30"), ChooseUnit("a_7")} == set(board.offered(ChooseUnit))
    board.go(ChooseUnit("a_7"))
    assert ("d", "full", "do") == (board.state("a_tf17"), board.state("a_30"), board.state("a_7"))


def test_c10_11_all_cargo_goes_down_with_the_last_ship() -> None:
    board = operation(
        JP,
        "louisiade_sea",
        {"j_desron2": "louisiade_sea", "a_tf17": ("papuan_coast", "do"), "a_30": "papuan_coast"},
        dice=[9],
        draws=["j_n_long_lance"],
        rp=({}, {"papuan_coast": 1}),
    )
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_long_lance"))

    assert ("destroyed", "destroyed") == (board.state("a_tf17"), board.state("a_30"))
    assert {} == board.open.rp[AL]
    assert [3, 0] == board.open.destroyed_points


def test_c10_12_no_more_than_three_units_stay_at_sea_r29() -> None:
    units = dict.fromkeys(("a_tf17", "a_tf44", "a_30", "a_7", "a_14", "a_18"), "papuan_coast")
    board = operation(AL, "papuan_coast", units)
    board.go(EndOperation())

    assert {LoseUnit(n) for n in ("a_30", "a_7", "a_14", "a_18")} == set(board.offered(LoseUnit))
    board.go(LoseUnit("a_7"))
    assert "destroyed" == board.state("a_7")


def test_c11_1_no_limit_to_a_stack() -> None:
    board = operation(AL, "abau", dict.fromkeys(("a_30", "a_7", "a_14", "a_18", "a_21", "a_25"), "abau"))
    board.go(StartGroundMove("abau"))

    assert 6 == len(board.offered(PickUnit))


def test_c11_2_joining_own_units_on_land_costs_two_once_r11() -> None:
    board = operation(AL, "abau", {"a_30": "abau", "a_7": "port_moresby", "a_tf17": "port_moresby"})
    board.go(StartGroundMove("abau"), StepTo("port_moresby"), Stop())

    assert [5, 3] == [fact.sp for fact in of(board.facts, SupplyLeft)][:2]


def test_c11_3_what_is_together_costs_nothing() -> None:
    board = operation(AL, "abau", {"a_30": "abau", "a_7": "abau"})
    board.go(StartGroundMove("abau"))
    pick(board, "a_30", "a_7")
    board.go(StepTo("port_moresby"), Stop())

    assert 5 == of(board.facts, SupplyLeft)[-1].sp


def test_c12_1_c12_2_attacker_and_defenders_r69() -> None:
    board = operation(
        JP,
        "lae",
        {"j_144": "lae", "j_28": "wau", "a_30": "morobe", "a_7": "morobe", "a_14": "buna"},
        control={"lae": JP, "wau": JP},
    )
    facts = board.go(StartGroundMove("lae"), StepTo("morobe"))

    assert [(("j_144",), ("a_30", "a_7"))] == [fact.units for fact in of(facts, BattleBegan)]


def test_c12_3_isolation_is_frozen_as_before_the_attack_r43() -> None:
    board = operation(
        AL,
        "port_moresby",
        {"a_30": "port_moresby", "j_144": "kokoda"},
        control={"kokoda": JP, "buna": JP},
        change={},
        rp=({}, {"buna": 1}),
    )
    facts = board.go(StartGroundMove("port_moresby"), StepTo("kokoda"))

    assert [("j_144",)] == [fact.isolated for fact in of(facts, BattleBegan)]


def test_c12_4_a_side_without_units_after_attack_cards_ends_it() -> None:
    board = land_battle(
        JP, "buna", {"j_144": ""}, {"a_30": ""}, origin="morobe", hands=(("J31",), ()), watch=True, dice=[10]
    )
    board.go(PlayReaction("J31"))
    board.quiet()

    assert ({"a_30": "kokoda"}, "o") == (board.at("a_30"), board.state("a_30"))
    assert [(("j_144",), ())] == [fact.units for fact in of(board.facts, BattleEnded)]
    assert [] == of(board.facts, ChitsHeld)


def fight(attackers: dict[str, str], defenders: dict[str, str], **more: Any) -> Board:
    side = JP if next(iter(attackers)).startswith("j") else AL
    return land_battle(side, "buna", attackers, defenders, origin="morobe", **more)


def test_c12_5_as_many_chits_as_the_highest_tactical_value() -> None:
    board = fight({"j_144": "", "j_base8": ""}, {"a_30": "", "a_18": "d"})

    assert (3, 2) == (len(board.own(JP).chits), len(board.own(AL).chits))


def test_c12_6_a_useless_chit_is_shown_and_another_drawn_r35_r74() -> None:
    board = operation(
        JP,
        "papuan_coast",
        {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west"},
        draws=["j_n_long_lance", "j_n_gunnery"],
    )
    facts = sail(board, ["j_crudiv6"], "coral_sea_west")

    assert "j_n_long_lance" in {fact.chit for fact in of(facts, ChitShown)}
    assert 3 == len(board.own(JP).chits)


def test_c12_6_an_empty_cup_is_filled_again_with_what_is_eligible_r34_r35_r86() -> None:
    board = operation(JP, "papuan_coast", {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west"})
    sail(board, ["j_crudiv6"], "coral_sea_west")
    for _ in range(30):
        board.go(board.offered(PlayChit)[0])

    assert 1 < sum(fact.side == AL for fact in of(board.facts, CupRefilled))


def keep_only(monkeypatch: pytest.MonkeyPatch, *kinds: str) -> None:
    """Leave some kinds of chits in the box."""
    for kind in charts.CHITS:
        if kind not in kinds:
            monkeypatch.setitem(charts.CHITS, kind, replace(charts.CHITS[kind], count=0))


def test_c12_6_with_no_usable_chit_a_side_draws_none_and_passes_r86(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_only(monkeypatch, "j_n_long_lance", "a_n_gunnery")
    board = operation(JP, "papuan_coast", {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west"})
    facts = sail(board, ["j_crudiv6"], "coral_sea_west")

    assert ([], [AL]) == (board.own(JP).chits, board.asked)
    assert {"j_n_long_lance"} == {fact.chit for fact in of(facts, ChitShown)}
    board.go(PlayChit("a_n_gunnery"))
    assert [AL] == board.asked


def test_c12_14_when_neither_side_can_play_the_attackers_retreat_r86(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_only(monkeypatch, "j_n_long_lance", "a_n_torpedoes")
    board = operation(JP, "papuan_coast", {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west"})
    facts = sail(board, ["j_crudiv6"], "coral_sea_west")

    assert [["j_crudiv6"], ["a_tf17"]] == [list(units) for f in of(facts, BattleBegan) for units in f.units]
    board.go(RetreatTo("rabaul"))
    assert board.open.battle is None
    assert ({"j_crudiv6": "rabaul"}, "full") == (board.at("j_crudiv6"), board.state("j_crudiv6"))


def test_c10_11_with_a_ship_one_unit_goes_down_while_others_stay() -> None:
    units: dict[str, Where] = {"j_desron2": "louisiade_sea", "a_tf17": ("papuan_coast", "do")}
    aboard = dict.fromkeys(("a_tf44", "a_30", "a_7"), "papuan_coast")
    board = operation(JP, "louisiade_sea", {**units, **aboard}, dice=[9], draws=["j_n_long_lance"])
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_long_lance"), ChooseUnit("a_tf17"))

    assert {ChooseUnit("a_30"), ChooseUnit("a_7")} == set(board.offered())
    board.go(ChooseUnit("a_7"))
    assert ["destroyed", "destroyed", "full", "full"] == [
        board.state(name) for name in ("a_tf17", "a_7", "a_30", "a_tf44")
    ]


def test_c12_7_the_sides_alternate_and_draw_again_at_once_r33() -> None:
    board = fight({"j_144": "d"}, {"a_30": "d"}, draws=["j_g_ambush", "j_g_ambush", "a_g_assault"])

    assert [JP] == board.asked
    board.go(PlayChit("j_g_ambush"))
    assert [AL] == board.asked
    board.go(PlayChit("a_g_assault"))
    assert ([JP], 1) == (board.asked, len(board.own(AL).chits))


def test_c12_7_a_chit_whose_need_fails_has_no_effect_r74() -> None:
    board = fight(
        {"j_144": ""},
        {"a_30": ""},
        draws=["j_g_air_strike"],
        others={"j_shoho": "ward_hunt_strait"},
    )
    board.open.units["j_shoho"].area = "solomon_sea_west"
    facts = board.go(PlayChit("j_g_air_strike"))

    assert ["j_g_air_strike"] == [fact.chit for fact in of(facts, ChitInVain)]
    assert [] == dice_of(board.facts)


def test_c12_8_the_defender_suffers_first_and_the_owner_picks_r32() -> None:
    board = fight({"j_144": "", "j_28": ""}, {"a_30": "", "a_7": ""}, draws=["j_g_might_of_will"], dice=[1])
    board.go(PlayChit("j_g_might_of_will"))

    assert ([AL], {ChooseUnit("a_30"), ChooseUnit("a_7")}) == (board.asked, set(board.offered()))
    board.go(ChooseUnit("a_7"))
    assert [JP] == board.asked


@pytest.mark.parametrize(("die", "after"), [(6, "full"), (7, "d"), (10, "d")])
def test_c12_9_a_check_passes_at_or_below_the_cohesion(die: int, after: str) -> None:
    board = fight({"j_144": ""}, {"a_30": ""}, draws=["j_g_ambush"], dice=[die])
    board.go(PlayChit("j_g_ambush"))

    assert after == board.state("a_30")


def test_c12_10_might_of_will_depletes_without_a_check() -> None:
    board = fight({"j_144": ""}, {"a_30": ""}, draws=["j_g_might_of_will"])
    board.go(PlayChit("j_g_might_of_will"))

    assert ("d", 1) == (board.state("j_144"), len(dice_of(board.facts)))


OUTCOMES = [
    ("", "j_g_ambush", "d", False),
    ("", "j_g_close_combat", "o", True),
    ("o", "j_g_ambush", "do", False),
    ("o", "j_g_close_combat", "o", True),
    ("d", "j_g_ambush", "do", True),
    ("d", "j_g_close_combat", "do", True),
    ("do", "j_g_ambush", "do", True),
    ("do", "j_g_close_combat", "do", True),
]


@pytest.mark.parametrize(("before", "chit", "after", "gone"), OUTCOMES)
def test_c12_11_results_for_ground_units_r39_r40(before: str, chit: str, after: str, gone: bool) -> None:
    board = fight({"j_144": ""}, {"a_30": before}, draws=[chit], dice=[10, 1])
    board.go(PlayChit(chit))
    board.go(*board.offered(RetreatTo)[:1])

    assert (after, gone) == (board.state("a_30"), board.open.units["a_30"].area != "buna")


NAVAL = [
    ("", "a_n_night_battle", "do"),
    ("d", "a_n_night_battle", "do"),
    ("o", "a_n_night_battle", "do"),
    ("do", "a_n_night_battle", "destroyed"),
    ("do", "a_n_gunnery", "do"),
    ("", "a_n_gunnery", "o"),
]


@pytest.mark.parametrize(("before", "chit", "after"), NAVAL)
def test_c12_11_results_for_ships_r40_r41(before: str, chit: str, after: str) -> None:
    board = operation(
        AL,
        "papuan_coast",
        {"a_tf17": "papuan_coast", "j_desron6": ("coral_sea_west", before)},
        draws=[chit],
        dice=[10, 1],
    )
    sail(board, ["a_tf17"], "coral_sea_west")
    board.go(PlayChit(chit))
    board.go(*board.offered(RetreatTo)[:1])

    assert after == board.state("j_desron6")


def test_c12_11_outside_battles_nobody_retreats_r38() -> None:
    board = action(JP, {"a_30": ("gasmata", "d")}, hands=(("J18",), ()), dice=[10], control={"gasmata": AL})
    board.go(PlayCard("J18"))

    assert ("do", {"a_30": "gasmata"}) == (board.state("a_30"), board.at("a_30"))


def test_c12_13_the_battle_ends_when_a_side_has_no_unit_left_r36() -> None:
    board = fight({"j_144": ""}, {"a_30": ""}, draws=["j_g_close_combat"], dice=[10, 1])
    board.go(PlayChit("j_g_close_combat"))

    assert 1 == len(of(board.facts, BattleEnded))
    assert JP == board.open.control["buna"]
    assert [([], [])] * 2 == [(board.own(side).chits, board.own(side).cup) for side in (JP, AL)]


def test_c12_14_the_guard_r70(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battle, "CHIT_GUARD", 4)
    board = fight({"j_144": ""}, {"a_30": ""})
    for _ in range(4):
        board.go(board.offered(PlayChit)[0])
        board.go(*board.offered(ChooseUnit)[:1])

    assert board.open.battle is None
    assert ("morobe", False) == (board.open.units["j_144"].area, "o" in board.state("j_144"))


@pytest.mark.parametrize(
    ("others", "chit", "there"),
    [
        ({"a_tf17": "ward_hunt_strait"}, "a_g_shore_bombardment", True),
        ({"a_yorktown": "ward_hunt_strait"}, "a_g_shore_bombardment", False),
        ({"a_yorktown": "ward_hunt_strait"}, "a_g_air_strike", True),
        ({}, "a_g_shore_bombardment", False),
        ({}, "a_g_air_strike", True),
        ({}, "a_g_assault", True),
    ],
)
def test_c12_15_what_is_in_the_cup(others: dict[str, str], chit: str, there: bool) -> None:
    board = fight({"a_30": ""}, {"j_144": ""}, others=others)

    assert there == (chit in [*board.own(AL).cup, *board.own(AL).chits])


def test_c12_15_bunkers_only_for_the_defender() -> None:
    attacker = fight({"j_144": ""}, {"a_30": ""}).own(JP)
    defender = fight({"a_30": ""}, {"j_144": ""}).own(JP)

    assert (False, True) == tuple("j_g_bunkers" in [*o.cup, *o.chits] for o in (attacker, defender))


def test_c12_16_shore_bombardment_stops_the_enemy_airfield() -> None:
    board = fight(
        {"a_30": ""},
        {"j_144": ""},
        others={"a_tf17": "ward_hunt_strait"},
        draws=["a_g_shore_bombardment"],
        change={"airfields": {"buna": JP}},
    )
    board.go(PlayChit("a_g_shore_bombardment"))

    assert ["buna"] == board.open.suppressed


def dug_in(state: str, *dice: int) -> Board:
    """The 144th Regiment has a bunker and must check next; the 28th, without one, has held before."""
    draws = ["a_g_assault", "a_g_assault", "j_g_bunkers", "j_g_ambush", "j_g_ambush"]
    board = fight({"a_30": ""}, {"j_144": state, "j_28": ""}, draws=draws, dice=[8, 1, *dice])
    board.go(PlayChit("a_g_assault"), ChooseUnit("j_28"))
    board.go(PlayChit("j_g_bunkers"))
    assert {ChooseUnit("j_144"), ChooseUnit("j_28")} == set(board.offered())
    board.go(ChooseUnit("j_144"), PlayChit("a_g_assault"), ChooseUnit("j_144"))
    return board


def checks(board: Board) -> list[tuple[str, int, int, bool]]:
    """Who checked, with which modifier against which cohesion, and whether it held."""
    return [(f.unit, f.modifier, f.cohesion, f.passed) for f in of(board.facts, CheckRolled)]


def test_c12_17_a_bunker_takes_two_off_the_checks_of_its_unit_alone() -> None:
    board = dug_in("", 10, 1)

    assert [("j_28", 0, 8, True), ("a_30", 0, 6, True), ("j_144", -2, 8, True)] == checks(board)[:3]
    assert "full" == board.state("j_144")
    assert board.open.battle is not None
    assert ("j_144",) == board.open.battle.bunkers


def test_c12_17_a_bunker_goes_with_its_unit_when_it_leaves_the_battle() -> None:
    board = dug_in("d", 10, 1)

    assert ("j_144", -2, 7, False) == checks(board)[2]
    assert ("do", {"j_144": "tufi"}) == (board.state("j_144"), board.at("j_144"))
    assert board.open.battle is not None
    assert (["j_28"], ()) == (board.open.battle.units[JP], board.open.battle.bunkers)


def test_c12_17_each_unit_has_one_bunker_at_most() -> None:
    draws = ["j_g_bunkers", "j_g_bunkers", "j_g_ambush", "a_g_assault", "a_g_assault"]
    board = fight({"a_30": ""}, {"j_144": "", "j_28": ""}, draws=draws)
    board.go(PlayChit("a_g_assault"), ChooseUnit("j_28"), PlayChit("j_g_bunkers"), ChooseUnit("j_144"))
    board.go(PlayChit("a_g_assault"), ChooseUnit("j_28"), PlayChit("j_g_bunkers"))

    assert board.open.battle is not None
    assert ("j_144", "j_28") == board.open.battle.bunkers, "the second goes to the other without a choice"


def test_c12_17_no_more_bunkers_than_units() -> None:
    board = fight(
        {"a_30": ""}, {"j_144": ""}, draws=["j_g_bunkers", "j_g_bunkers", "j_g_ambush", "j_g_ambush"]
    )

    assert 1 == board.own(JP).chits.count("j_g_bunkers")
    assert ["j_g_bunkers"] == [fact.chit for fact in of(board.facts, ChitShown)]


def test_c12_18_gunnery_is_harder_for_all_but_heavy_ships_r31() -> None:
    board = operation(
        AL,
        "papuan_coast",
        {"a_tf17": "papuan_coast", "j_desron6": "coral_sea_west"},
        draws=["a_n_gunnery"],
        dice=[6, 7],
    )
    sail(board, ["a_tf17"], "coral_sea_west")
    board.go(PlayChit("a_n_gunnery"))

    assert ("o", "full") == (board.state("j_desron6"), board.state("a_tf17"))


def test_c13_1_a_retreat_goes_one_area_and_costs_nothing() -> None:
    board = fight({"j_144": ""}, {"a_30": ""}, draws=["j_g_close_combat"], dice=[10, 1])
    board.go(PlayChit("j_g_close_combat"))

    assert ({"a_30": "kokoda"}, "o", 6) == (board.at("a_30"), board.state("a_30"), board.sp)


def test_c13_2_a_defender_goes_nearest_to_its_resource_points_r45_r46() -> None:
    for rp, area in (({"port_moresby": 1}, "kokoda"), ({"milne_bay": 1}, "tufi"), ({}, "kokoda")):
        board = land_battle(
            JP,
            "buna",
            {"j_144": ""},
            {"a_30": ""},
            origin="morobe",
            draws=["j_g_close_combat"],
            dice=[10, 1],
            rp=({}, rp),
        )
        board.go(PlayChit("j_g_close_combat"))
        assert {"a_30": area} == board.at("a_30")


def test_c13_2_an_attacker_goes_back_to_its_origin_r47() -> None:
    board = fight({"j_144": ""}, {"a_30": ""}, draws=["j_g_ambush", "a_g_assault"], dice=[1, 1, 10])
    board.go(PlayChit("j_g_ambush"), PlayChit("a_g_assault"))

    assert ({"j_144": "morobe"}, "o") == (board.at("j_144"), board.state("j_144"))


def test_c13_3_onto_ships_r44() -> None:
    board = fight(
        {"j_144": ""},
        {"a_30": ""},
        draws=["j_g_close_combat"],
        dice=[10, 1],
        others={"a_tf17": "ward_hunt_strait"},
    )
    board.go(PlayChit("j_g_close_combat"))
    assert RetreatTo("ward_hunt_strait") in board.offered()
    board.go(RetreatTo("ward_hunt_strait"))

    assert {"a_30": "ward_hunt_strait"} == board.at("a_30")


def test_c13_3_landed_attackers_go_back_aboard_r88() -> None:
    board = operation(
        AL,
        "papuan_coast",
        {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "j_144": "abau"},
        draws=["a_g_assault"],
        dice=[1, 10],
    )
    board.go(StartNavalMove(), LandAt("abau"), PlayChit("a_g_assault"))

    assert {"a_30": "papuan_coast"} == board.at("a_30")
    board.go(StepTo("gulf_of_papua"), Stop())
    assert {"a_30": "gulf_of_papua"} == board.at("a_30")


def test_c13_4_with_nowhere_to_go_it_is_destroyed_r37() -> None:
    board = land_battle(
        JP,
        "tulagi",
        {"j_144": ""},
        {"a_30": ""},
        origin="ironbottom_sound",
        others={"j_crudiv6": "ironbottom_sound"},
        draws=["j_g_close_combat"],
        dice=[10, 1],
    )
    board.go(PlayChit("j_g_close_combat"))

    assert "destroyed" == board.state("a_30")


def test_c13_5_resource_points_beyond_the_room_go_along_r50() -> None:
    board = operation(
        JP,
        "louisiade_sea",
        {
            "j_desron2": "louisiade_sea",
            "a_tf17": "papuan_coast",
            "a_tf44": "papuan_coast",
            "a_30": "papuan_coast",
        },
        dice=[9],
        draws=["j_n_gunnery"],
        rp=({}, {"papuan_coast": 2}),
    )
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_gunnery"), ChooseUnit("a_tf17"), RetreatTo("milne_bay"))

    assert {"papuan_coast": 1, "milne_bay": 1} == board.open.rp[AL]
    assert {"a_30": "papuan_coast"} == board.at("a_30")


def test_c13_6_isolation_of_ground_units_r42() -> None:
    kokoda = {"j_144": "kokoda", "a_30": "port_moresby", "a_7": "buna"}

    assert isolated(given(kokoda).open, "j_144")
    assert not isolated(given({**kokoda, "a_7": "tufi"}).open, "j_144")
    assert not isolated(given({"j_144": "tulagi"}, control={"tulagi": JP}).open, "j_144")
    assert isolated(given({"j_144": "choiseul"}).open, "j_144")
    assert not isolated(given({"j_144": "choiseul", "j_crudiv6": "the_slot"}).open, "j_144")


def test_c13_7_isolation_of_ships() -> None:
    around = {"a_tf17": "torpedo_junction", "a_tf44": "stewart_sea", "a_tf62": "espiritu_sea"}
    now = given({"j_crudiv6": "santa_cruz_sea", **around}).open

    assert isolated(now, "j_crudiv6")
    assert not isolated(given({"j_crudiv6": "santa_cruz_sea"}).open, "j_crudiv6")


def test_c13_8_isolated_units_are_not_mended_and_lose_one() -> None:
    units: dict[str, Where] = {"j_144": ("choiseul", "d"), "j_shokaku": "the_slot"}
    board = operation(JP, "the_slot", units, control={"choiseul": JP}, rp=({"the_slot": 1}, {}))

    assert isolated(board.open, "j_144")
    assert [] == board.offered(Rebuild)
    joined: dict[str, Where] = {"j_144": ("choiseul", "d"), "j_desron2": "the_slot"}
    board = operation(JP, "the_slot", joined, control={"choiseul": JP}, rp=({"the_slot": 1}, {}))
    assert [Rebuild("j_144")] == board.offered(Rebuild)
