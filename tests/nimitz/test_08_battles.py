"""N8 Battles, N9 Battle set-up, N12 End of a battle."""

import pytest

from domain.kernel.facts import Drew
from domain.nimitz.automaton import Chose
from domain.nimitz.battles import Battles, Fight, battle_areas
from domain.nimitz.board import on_board
from domain.nimitz.charts import AIR_GROUPS, JA_PLANS, LENGTH, PLAN_COUNT, SIDES, US_PLANS, YEARS
from domain.nimitz.decisions import (
    BuyPlan,
    BuyPoints,
    ChooseBattle,
    DonePlans,
    JaEscort,
    PlaceShip,
    PlaceSub,
)
from domain.nimitz.facts import BattlesFound, InPort, Landed, SupplyIs
from domain.nimitz.happenings import BattleBegan, BattleEnded, LengthIs, PlanDrawn, ShipsPlaced
from domain.nimitz.rows import row_of
from domain.nimitz.table import Battle
from tests.nimitz.board import COMMANDERS, JA, TWO_PLAYERS, US, Board, battle, given, of, reasons, short
from tests.nimitz.rulebook import rows, section

ESCORTS = ["tone-chikuma", "destroyer-gp-1", "kongo-haruna"]


def fight(board: Board) -> Battle:
    assert board.open.battle is not None
    return board.open.battle


def stand(board: Board) -> dict[str, str]:
    return {short(ship): area for ship, area in fight(board).ships.items()}


def test_n8_1_r_51_infantry_that_meets_no_enemy_lands() -> None:
    board = given({"GI": ["25th-inf~"]}, {"NG": ["55th-inf~"]}, Battles())

    assert {("42-us-25th-inf",), ("42-ja-55th-inf",)} == {fact.forces for fact in of(board.facts, Landed)}
    assert {"25th-inf": "GI", "55th-inf": "NG"} == board.where("25th-inf", "55th-inf")


def test_n8_1_infantry_of_either_side_that_meets_an_enemy_stays_aboard() -> None:
    board = given(
        {"NG": ["25th-inf"], "SI": ["43rd-inf~"]}, {"NG": ["55th-inf~"], "SI": ["6th-inf"]}, Battles()
    )

    assert [] == of(board.facts, Landed)


def test_n8_2_r_64_no_battle_between_submarines_alone_and_no_ship() -> None:
    us = {"SI": ["sub-gp-1"], "GI": ["sub-gp-2"], "NG": ["mag-13"], "MI": ["25th-inf"]}
    board = given(us, {"SI": ["55th-inf", "8-sentai"], "GI": ["kaga"], "NG": ["59-sentai"]})

    assert ["GI", "NG"] == battle_areas(board.open)


def test_n8_2_n9_6_r_72_transports_count_as_a_ship_for_submarines() -> None:
    board = given({"SI": ["sub-gp-1"]}, {"SI": ["55th-inf~"]})
    assert ["SI"] == battle_areas(board.open)

    begun = battle("SI", ["sub-gp-1"], ["55th-inf~"], dice=[1])
    assert {"sub-gp-1": "CO"} == stand(begun)


def test_n8_3_the_us_choose_the_order_and_each_battle_is_fought_once() -> None:
    us = {"NG": ["mag-13"], "SI": ["25th-inf"]}
    board = given(us, {"NG": ["55th-inf"], "SI": ["ja-bn-01"]}, Battles(), dice=[1])

    assert [ChooseBattle("NG"), ChooseBattle("SI")] == board.offered()
    board.decide(ChooseBattle("SI"))
    board.dice.rolls = []
    board.until("none")
    assert ["SI", "NG"] == [fact.area for fact in of(board.facts, BattleBegan)]
    assert [("NG", "SI")] == [fact.areas for fact in of(board.facts, BattlesFound)]


def test_n8_4_bomber_wings_return_after_the_last_battle() -> None:
    board = given({"SB": ["73rd-bw"]}, {}, Battles(), year=1944)

    assert ["MA"] == [fact.to for fact in of(board.facts, InPort)]


def test_n9_1_four_areas_and_ships_that_never_move() -> None:
    board = battle("SI", ["enterprise", "25th-inf"], ["kaga", *ESCORTS, "55th-inf"], dice=[6])
    before = stand(board)
    board.until("none")

    moved = {area for fact in of(board.facts, ShipsPlaced) for area in [fact.area]}
    assert moved <= {"JO", "IS", "CO", "UO"}
    assert len(before) == sum(len(fact.ships) for fact in of(board.facts, ShipsPlaced))


def test_n9_1_a_board_that_is_being_set_up_counts_nothing_yet() -> None:
    laid = fight(battle("SI", ["desron-1"], ["55th-inf"]))

    assert (0, 0, 0, 0, 0) == (laid.turn, laid.left, laid.plans, laid.points, laid.bought)


def test_n9_2_us_carriers_in_the_us_ocean_other_ships_as_one_likes() -> None:
    board = battle("SI", ["enterprise", "desron-1"], ["55th-inf"])

    assert {"enterprise": "UO"} == stand(board)
    ship = "42-us-desron-1"
    assert [PlaceShip(ship, "UO"), PlaceShip(ship, "CO")] == board.offered()


def test_n9_3_r_73_us_island_forces_with_wings_away_in_the_marianas() -> None:
    us = ["mag-22", "1st-marine", "3rd-marine~"]
    board = battle("MA", us, ["ja-bn-01"], elsewhere={"SB": ["73rd-bw"]}, year=1944)

    battle_board = fight(board)
    assert {US: 2, JA: 0} == battle_board.airfields
    assert ["44-us-1st-marine"] == [name for name in battle_board.foxhole if "us" in name]
    assert "44-us-73rd-bw" not in battle_board.planes
    assert "44-us-73rd-bw" not in on_board(board.open, US)


def test_n9_4_japanese_island_forces() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf", "6th-inf~", "8-sentai", "59-sentai"])

    assert 2 == fight(board).airfields[JA]
    assert ["42-ja-55th-inf"] == [name for name in fight(board).foxhole if "ja" in name]


def test_n9_5_r_45_escorts_go_to_the_ocean_lowest_first_and_to_coastal_highest_first() -> None:
    board = battle("SI", ["25th-inf"], ["kaga", "akagi", *ESCORTS, "destroyer-gp-4", "55th-inf"])

    assert {
        "kaga": "JO",
        "akagi": "JO",
        "destroyer-gp-1": "JO",
        "kongo-haruna": "CO",
        "destroyer-gp-4": "JO",
        "tone-chikuma": "CO",
    } == stand(board)
    assert [
        ["the lowest surface value", "by id"],
        ["the highest surface value"],
        ["the lowest surface value"],
    ] == (reasons(board.facts, "Escort"))


def test_n9_5_r_45_equal_surface_values_go_by_value_and_the_rest_to_coastal() -> None:
    ja = ["kaga", "akagi", "destroyer-gp-1", "kongo-haruna*", "tone-chikuma", "yamato-musashi*", "55th-inf"]
    board = battle("SI", ["25th-inf"], ja)

    placed = [(*map(short, fact.ships), fact.area, fact.why) for fact in of(board.facts, ShipsPlaced)]
    assert [
        ("akagi", "kaga", "JO", ""),
        ("destroyer-gp-1", "JO", ""),
        ("yamato-musashi", "CO", ""),
        ("kongo-haruna", "JO", ""),
        ("tone-chikuma", "CO", "the carriers have their escorts"),
    ] == placed
    assert [
        ["the lowest surface value", "the lowest value"],
        ["the highest surface value", "the highest value"],
        ["the lowest surface value"],
    ] == reasons(board.facts, "Escort")
    chosen = [short(fact.chosen[0]) for fact in of(board.facts, Chose) if "Escort" in fact.question]
    assert ["destroyer-gp-1", "yamato-musashi", "kongo-haruna"] == chosen


def test_n9_5_the_escort_that_the_id_decides_is_the_one_that_is_told() -> None:
    board = battle("SI", ["25th-inf"], ["kaga", "destroyer-gp-4", "destroyer-gp-1", "55th-inf"])

    assert ["42-ja-destroyer-gp-1"] == [fact.chosen[0] for fact in of(board.facts, Chose)]
    alone = battle("SI", ["25th-inf"], ["kaga", "tone-chikuma", "55th-inf"])
    assert ([], "JO") == (of(alone.facts, Chose), stand(alone)["tone-chikuma"])


@pytest.mark.parametrize(("us", "ja"), [("hornet", "55th-inf~"), ("hornet", "8-sentai"), ("mag-13", "hosho")])
def test_n9_5_transports_or_aircraft_of_either_side_are_enough_to_cover_the_island(us: str, ja: str) -> None:
    board = battle("SI", ["enterprise", us], ["kaga", *ESCORTS, "yamato-musashi", ja])

    assert ("JO", "CO") == (stand(board)["destroyer-gp-1"], stand(board)["yamato-musashi"])


def test_n9_5_damaged_values_count() -> None:
    board = battle("SI", ["25th-inf"], ["kaga", "tone-chikuma*", "destroyer-gp-1", "55th-inf"])

    assert "JO" == stand(board)["tone-chikuma"]


def test_n9_5_with_nothing_on_the_island_all_stay_in_the_ocean_and_without_carriers_all_in_coastal() -> None:
    at_sea = battle("SI", ["enterprise"], ["kaga", *ESCORTS])
    guns = battle("SI", ["enterprise"], [*ESCORTS, "55th-inf"])

    assert {"JO"} == {stand(at_sea)[name] for name in ("kaga", *ESCORTS)}
    where = [fact.why for fact in of(at_sea.facts, ShipsPlaced) if fact.area == "JO"]
    assert ["nothing to cover on the island"] == where
    without = battle("SI", ["enterprise"], ESCORTS)
    assert {"CO"} == {stand(without)[name] for name in ESCORTS}
    assert {"CO"} == {stand(guns)[name] for name in ESCORTS}


@pytest.mark.parametrize(
    ("us", "area"),
    [(["enterprise"], "UO"), (["25th-inf~"], "CO"), (["mag-13"], "JO"), (["sub-gp-1", "mag-13"], "JO")],
)
def test_n9_6_r_46_japanese_submarines_go_together(us: list[str], area: str) -> None:
    board = battle("SI", us, ["sub-gp-1", "55th-inf"])

    assert area == {s: a for s, a in fight(board).ships.items() if "-ja-" in s}["42-ja-sub-gp-1"]


def test_n9_6_us_submarines_go_where_japanese_ships_are_or_take_no_part() -> None:
    board = battle("SI", ["sub-gp-1", "mag-13"], ["kaga", "tone-chikuma", "kongo-haruna", "55th-inf"])
    assert [PlaceSub("42-us-sub-gp-1", "JO"), PlaceSub("42-us-sub-gp-1", "CO")] == board.offered()

    without = battle("SI", ["sub-gp-1", "mag-13"], ["55th-inf"])
    assert ({}, "N9.11") == (stand(without), without.rule)


def test_n9_6_each_us_submarine_goes_where_its_commander_likes() -> None:
    board = battle("SI", ["sub-gp-1", "sub-gp-2"], ["kaga", "tone-chikuma", "kongo-haruna", "55th-inf"])

    board.decide(PlaceSub("42-us-sub-gp-1", "JO"))
    assert [PlaceSub("42-us-sub-gp-2", "JO"), PlaceSub("42-us-sub-gp-2", "CO")] == board.offered()


CARRIERS = {
    "Japanese fleet carrier": ("JA", "CV"),
    "Japanese light carrier": ("JA", "CVL"),
    "Japanese escort carrier": ("JA", "CVE"),
    "US fleet carrier from 1943 on, but for Enterprise and Saratoga (Essex class)": ("US", "CV6"),
    "Enterprise and Saratoga; in 1942 all US fleet carriers": ("US", "CV5"),
    "US light carrier": ("US", "CVL"),
    "US escort carrier": ("US", "CVE"),
}


def test_n9_7_the_groups_of_the_carriers_are_those_of_the_book() -> None:
    printed = {
        (year, *CARRIERS[carrier]): cell.split(", ")
        for carrier, *groups in rows(section("9"))[1:]
        for years, cell in zip(((1942,), (1943,), (1944, 1945)), groups, strict=True)
        for year in years
        if cell != "no such carriers"
    }

    assert printed == {
        (year, side, kind): list(group)
        for year in YEARS
        for side in SIDES
        for kind, group in AIR_GROUPS[year][side].groups.items()
    }


def test_n9_7_r_40_each_undamaged_carrier_has_a_full_group() -> None:
    board = battle("SI", ["enterprise", "hornet*"], ["kaga", "shoho", "taiyo"])

    planes = sorted(name.split(":")[1] for name in fight(board).planes)
    assert sorted(["1F4F", "2SBD", "3SBD", "4TBD", "1A6M", "2D3A", "3B5N", "1A6M", "2D3A", "1D3A"]) == planes
    assert {"enterprise": 4, "kaga": 3, "shoho": 2, "taiyo": 1} == {
        short(s): n for s, n in fight(board).rooms.items()
    }


@pytest.mark.parametrize(("face", "turns"), [(1, 1), (2, 1), (3, 2), (5, 2), (6, 3), (8, 3), (9, 4), (10, 4)])
def test_n9_8_the_length_of_a_battle(face: int, turns: int) -> None:
    assert turns == row_of(LENGTH, face).turns
    board = battle("SI", ["25th-inf"], ["55th-inf"], dice=[face])
    assert turns == of(board.facts, LengthIs)[0].left


@pytest.mark.parametrize(
    ("count", "plans"), [(1, 1), (4, 1), (5, 2), (9, 2), (10, 3), (16, 3), (17, 4), (40, 4)]
)
def test_n9_9_japanese_plans_per_turn(count: int, plans: int) -> None:
    assert plans == row_of(PLAN_COUNT, count).plans


def test_n9_9_r_60_plans_are_counted_once_without_transports_and_carrier_aircraft() -> None:
    board = battle("SI", ["25th-inf"], ["kaga", "sub-gp-1", "55th-inf~", "8-sentai"], dice=[10])

    assert 1 == fight(board).plans


def test_n9_10_all_22_counters_go_into_the_cup() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"])

    assert 22 == len(fight(board).cup) == sum(plan.copies for plan in JA_PLANS.values())


def test_n9_11_three_free_points_more_for_supply_each_plan_once() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"], supply=2)
    assert (3, 0) == (fight(board).points, fight(board).bought)

    board.decide(BuyPlan("us.engaged"), BuyPoints())
    assert (3, 3, {0: 1}) == (fight(board).points, fight(board).bought, board.open.supply)
    assert BuyPlan("us.engaged") not in board.offered()
    assert BuyPlan("us.damage_control") not in board.offered()
    assert tuple(one for one in board.offered() if one != DonePlans()) == board.table.quiet(0)
    board.decide(BuyPlan("us.charge"), DonePlans())
    assert ["us.engaged", "us.charge"] == fight(board).held
    assert -1 == of(board.facts, SupplyIs)[0].change


def test_n9_11_no_more_points_than_all_plans_cost() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"], supply=40)
    assert 29 == sum(plan.cost for plan in US_PLANS.values())

    for _ in range(10):
        board.decide(BuyPoints())

    assert BuyPoints() not in board.offered()


def test_n12_1_n12_2_a_battle_ends_with_all_infantry_ashore_and_battalions_in_their_box() -> None:
    board = battle("SI", ["1st-marine", "25th-inf~"], ["ja-bn-01", "55th-inf"], dice=[1, 1, 10, 10])
    board.until("none")

    assert ["SI"] == [fact.area for fact in of(board.facts, BattleEnded)]
    assert "25th-inf" in board.in_place("SI", US)
    fallen = of(board.facts, BattleEnded)
    assert fallen
    assert board.open.battle is None


def test_n12_1_infantry_that_is_still_aboard_when_a_battle_ends_is_ashore() -> None:
    laid = battle("SI", ["1st-marine", "25th-inf~"], ["55th-inf~"])
    laid.table.state.stack, laid.table.state.asked = [], ()

    board = Board(laid.table.state, laid.dice, Fight(at="end"))

    assert {"25th-inf": "SI", "55th-inf": "SI"} == board.where("25th-inf", "55th-inf")


def test_n12_2_r_47_what_is_destroyed_is_out_of_play() -> None:
    board = battle("SI", ["1st-marine", "2nd-marine"], ["6th-inf*"], dice=[1, 1, 1, 1, 1, 1, 1])
    board.until("none")

    assert "OUT" == board.where("6th-inf")["6th-inf"]


def test_n12_3_r_68_both_sides_may_stay_and_fight_again() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"], dice=[1])
    board.until("none")

    assert ["SI"] == battle_areas(board.open)


def test_n20_2_japans_seat_chooses_among_tied_escorts() -> None:
    ja = ["kaga", "destroyer-gp-1", "destroyer-gp-4", "55th-inf"]
    board = battle("SI", ["25th-inf"], ja, mode=TWO_PLAYERS)

    assert [JaEscort("42-ja-destroyer-gp-1"), JaEscort("42-ja-destroyer-gp-4")] == board.offered(JaEscort)
    board.decide(JaEscort("42-ja-destroyer-gp-4"))
    assert {"kaga": "JO", "destroyer-gp-4": "JO", "destroyer-gp-1": "CO"} == stand(board)


def test_n20_2_japans_seat_chooses_one_escort_after_the_other() -> None:
    ja = ["kaga", "akagi", "destroyer-gp-1", "destroyer-gp-4", "destroyer-gp-5", "55th-inf"]
    board = battle("SI", ["25th-inf"], ja, mode=TWO_PLAYERS)

    board.decide(JaEscort("42-ja-destroyer-gp-4"))
    assert [JaEscort("42-ja-destroyer-gp-1"), JaEscort("42-ja-destroyer-gp-5")] == board.offered(JaEscort)
    board.decide(JaEscort("42-ja-destroyer-gp-5"))
    assert {"destroyer-gp-4": "JO", "destroyer-gp-5": "CO", "destroyer-gp-1": "JO"} == {
        name: stand(board)[name] for name in ("destroyer-gp-4", "destroyer-gp-5", "destroyer-gp-1")
    }


def test_n20_3_two_commanders_choose_battles_in_turn_swpa_first_and_command_their_own() -> None:
    us = {"NG": ["mag-13"], "GI": ["25th-inf"]}
    board = given(us, {"NG": ["55th-inf"], "GI": ["ja-bn-01"]}, Battles(), mode=COMMANDERS, supply=1)

    assert [1] == board.asked
    board.decide(ChooseBattle("NG"))
    assert ([1], 1) == (board.asked, fight(board).seat)
    board.decide(BuyPoints())
    assert {0: 1, 1: 0} == board.open.supply
    board.until("none")
    assert [1, 0] == [fact.seat for fact in of(board.facts, BattleBegan)]


def test_n20_3_each_commander_chooses_every_second_battle() -> None:
    areas = {"GI": "ja-bn-01", "MI": "ja-bn-02", "NG": "ja-bn-03", "SI": "ja-bn-04"}
    us = dict(zip(areas, (["25th-inf"], ["32nd-inf"], ["43rd-inf"], ["americal-inf"]), strict=True))
    board = given(us, {area: [name] for area, name in areas.items()}, Battles(), mode=COMMANDERS)

    chose = []
    for _ in range(3):
        chose += board.asked
        board.decide(ChooseBattle(board.open.battles[0]))
        board.until("N8.3")

    assert [1, 0, 1] == chose


def test_n10_2_r_39_a_kind_is_drawn_once_and_an_empty_cup_is_filled_again() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"], dice=[1])
    fight(board).cup, fight(board).drawn = ["ja.attack_plan", "ja.duration"], ["ja.attack_plan"]

    board.decide(DonePlans())

    plans = [(fact.plan, fact.aside) for fact in of(board.facts, PlanDrawn)]
    assert [("ja.attack_plan", True), ("ja.duration", False)] == plans
    assert len(of(board.facts, Drew)) == 2
    assert [] == of(board.facts, Chose)


def test_n10_2_a_kind_drawn_this_turn_is_set_aside_when_it_comes_again() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"], dice=[1])
    fight(board).plans, fight(board).cup = 2, ["ja.attack_plan", "ja.attack_plan", "ja.duration"]

    board.decide(DonePlans())

    plans = [(fact.plan, fact.aside) for fact in of(board.facts, PlanDrawn)]
    assert [("ja.attack_plan", False), ("ja.attack_plan", True), ("ja.duration", False)] == plans


def test_n10_2_the_kinds_in_force_are_not_drawn_again_from_a_new_cup() -> None:
    board = battle("SI", ["25th-inf"], ["55th-inf"], dice=[1])
    fight(board).plans, fight(board).cup = 2, ["ja.air_combat"]

    board.decide(DonePlans())

    plans = [(fact.plan, fact.aside) for fact in of(board.facts, PlanDrawn)]
    assert [("ja.air_combat", False), ("ja.air_combat", True), ("ja.artillery", False)] == plans
