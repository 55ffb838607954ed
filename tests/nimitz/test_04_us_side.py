"""N4 US resupply, N5 US scouting, N6 US movement."""

from domain.kernel.facts import Rolled
from domain.nimitz.decisions import (
    DoneMoving,
    DoneReserving,
    DoneResupply,
    DoneScouting,
    MoveForce,
    PlaceScout,
    Purchase,
    Repair,
    ReserveForInvasion,
)
from domain.nimitz.facts import ScoutSpent, SupplyIs
from domain.nimitz.garrison import to_order
from domain.nimitz.marches import AutoHeld, CounterIs, HeldBack, OrderDone
from domain.nimitz.movement import Movement
from domain.nimitz.resupply import Resupply
from domain.nimitz.scouting import ScoutedOrders, Scouting
from domain.nimitz.sequence import Turn
from tests.nimitz.board import Board, begun, given, of


def resupply(us: dict[str, list[str]], supply: int = 20, **settings: object) -> Board:
    return given(us, {}, Resupply(seats=(0,)), supply=supply, **settings)  # type: ignore[arg-type]


def move(us: dict[str, list[str]], ja: dict[str, list[str]] | None = None, **settings: object) -> Board:
    return given(us, ja or {}, Movement(seats=(0,)), **settings)  # type: ignore[arg-type]


def targets(board: Board, end: str) -> set[str]:
    wanted = [d for d in board.offered(MoveForce) if isinstance(d, MoveForce) and d.force.endswith(end)]
    return {decision.target for decision in wanted}


def test_n4_1_income_by_year_is_added_to_what_is_left() -> None:
    assert [21, 23, 27, 36] == [
        of(begun(year).facts, SupplyIs)[0].supply for year in (1942, 1943, 1944, 1945)
    ]
    board = given({"HI": ["25th-inf"], "US_RE": ["1st-marine"]}, {}, Turn(at="resupply"), supply=4)
    assert {0: 25} == board.open.supply


def test_n4_2_r_09_movement_is_free() -> None:
    board = move({"HI": ["25th-inf"]}, supply=3)

    board.decide(MoveForce("42-us-25th-inf", "MI"))

    assert {0: 3} == board.open.supply


def test_n4_3_r_08_a_purchase_comes_from_the_reinforcements_to_the_west_coast_australians_to_australia() -> (
    None
):
    board = resupply({"US_RE": ["hornet", "1-aust-inf"], "OUT": ["wasp"]}, supply=6)

    assert {Purchase("42-us-hornet"), Purchase("42-us-1-aust-inf")} == set(board.offered(Purchase))
    board.decide(Purchase("42-us-hornet"), Purchase("42-us-1-aust-inf"))
    assert {"hornet": "WC", "1-aust-inf": "AU"} == board.where("hornet", "1-aust-inf")
    assert {0: 0} == board.open.supply
    assert [] == resupply({"US_RE": ["hornet"]}, supply=4).asked


def test_n4_3_r_54_a_bought_force_may_move_in_the_same_turn() -> None:
    board = given({"US_RE": ["25th-inf"], "HI": ["43rd-inf"]}, {}, Turn(at="resupply"))
    board.decide(Purchase("42-us-25th-inf"))
    board.until("N6.4")

    assert "HI" in targets(board, "25th-inf")


def test_n4_4_r_62_repair_costs_half_rounded_down_at_least_1_wherever_the_force_is() -> None:
    us = {"SI": ["enterprise*"], "P1": ["abda*"], "NC": ["us-bn-01*"], "US_RE": ["hornet"]}
    board = resupply(us, supply=4)

    board.decide(Repair("42-us-enterprise"), Repair("42-us-abda"), Repair("us-bn-01"))

    assert [-2, -1, -1] == [fact.change for fact in of(board.facts, SupplyIs)]
    assert {"enterprise": "SI", "abda": "P1", "us-bn-01": "NC"} == board.where(
        "enterprise", "abda", "us-bn-01"
    )


def test_n4_4_who_is_out_of_reach_is_not_repaired() -> None:
    us = {"US_RE": ["essex*"], "OUT": ["saratoga*"], "RAID": ["sub-gp-1*"], "INV": ["1st-marine*"]}
    board = resupply({**us, "SB": ["73rd-bw*"], "P3": ["enterprise*"]}, year=1944)

    repairs = {Repair("44-us-73rd-bw"), Repair("44-us-enterprise")}
    assert repairs == {*board.offered(Repair)}


def test_n4_5_done_ends_the_resupply() -> None:
    board = resupply({"US_RE": ["25th-inf"]})

    board.decide(DoneResupply())

    assert [] == board.asked


def test_n5_1_r_07_r_10_r_26_lone_forces_and_infantry_beside_us_forces_may_not_move() -> None:
    board = given(
        {"SI": ["sub-gp-1"], "HI": ["25th-inf"]},
        {
            "CI": ["ja-bn-01", "kaga"],
            "NG": ["55th-inf", "tainan-kokutai"],
            "SI": ["6th-inf", "7th-inf", "8-sentai"],
            "JA": ["2nd-inf"],
            "EA": ["38th-inf"],
        },
        Turn(at="scouting"),
        supply=1,
    )

    held = {(fact.area, fact.forces) for fact in of(board.facts, HeldBack)}
    assert {("CI", ("ja-bn-01",)), ("SI", ("42-ja-6th-inf", "42-ja-7th-inf"))} == held


def test_n5_2_r_25_the_last_garrison_stays_without_a_roll_though_others_arrived() -> None:
    board = given(
        {"HI": ["25th-inf"]}, {"ML": ["6th-base", "1-kokutai"]}, ScoutedOrders(), supply=3, dice=[10, 9, 5]
    )
    assert [] == of(board.facts, ScoutSpent)

    board = given({"HI": ["25th-inf"]}, {"ML": ["6th-base", "1-kokutai"], "WI": ["ja-bn-01"]})
    board.open.forces["42-ja-6th-base"].arrived = board.open.forces["42-ja-6th-base"].moved = True
    assert [] == to_order(board.table, "ML")
    assert [("the last garrison", ("42-ja-1-kokutai",))] == [
        (fact.why, fact.forces) for fact in of(board.table.facts, HeldBack)
    ]


def test_n5_3_r_11_scouts_go_where_something_can_be_ordered_as_often_as_one_pays() -> None:
    board = given(
        {"HI": ["25th-inf"]},
        {"CI": ["ja-bn-01"], "ML": ["ja-bn-02", "kaga"], "JA": ["akagi"]},
        Turn(at="scouting"),
        supply=3,
    )

    assert [PlaceScout("JA"), PlaceScout("ML"), DoneScouting()] == board.offered()
    assert (PlaceScout("JA"), PlaceScout("ML")) == board.table.quiet(0)
    board.decide(PlaceScout("ML"), PlaceScout("ML"))
    assert ({"ML": 2}, {0: 1}) == (board.open.scouts, board.open.supply)


def scouted(ja: dict[str, list[str]], *areas: str, dice: tuple[int, ...] = (), year: int = 1942) -> Board:
    board = given({"HI": ["25th-inf"]}, ja, Scouting(seats=(0,)), supply=9, dice=dice, year=year)
    board.decide(*map(PlaceScout, areas), DoneScouting())
    return Board(board.table.state, board.dice, ScoutedOrders())


def test_n5_4_r_12_scouted_orders_roll_2d10_and_leave_the_counter_alone() -> None:
    board = scouted({"JA": ["kaga", "akagi"], "EA": ["soryu"]}, "JA", "EA", dice=(1, 2, 3, 4))

    assert [("EA", (1, 2), 2), ("JA", (3, 4), 2)] == [
        (fact.subject, fact.dice, fact.modifiers[0].amount) for fact in of(board.facts, Rolled)
    ]
    assert [] == of(board.facts, CounterIs)
    assert {"kaga": True, "akagi": True, "soryu": True} == {
        n: board.open.forces[f"42-ja-{n}"].moved for n in ("kaga", "akagi", "soryu")
    }


def test_n5_4_a_scout_is_lost_when_nothing_can_be_ordered_any_more() -> None:
    board = scouted({"EA": ["soryu"]}, "EA", "EA", dice=(1, 1))

    assert [False, True] == [fact.lost for fact in of(board.facts, ScoutSpent)]
    assert {} == board.open.scouts


def test_n5_4_r_13_a_scouted_order_uses_up_the_automatic_hold() -> None:
    board = scouted(
        {"NG": ["kaga", "akagi", "soryu", "hiryu", "shokaku", "zuikaku", "hosho"]}, "NG", "NG", dice=(1, 1)
    )

    assert ["NG"] == [fact.area for fact in of(board.facts, AutoHeld)]
    assert [("HOLD", 6), ("REFIT", 0)] == [(f.order, len(f.stayed)) for f in of(board.facts, OrderDone)]


def test_n6_1_up_to_seven_forces_a_turn_are_reserved_in_1945() -> None:
    names = ["1st-marine", "2nd-marine", "3rd-marine", "4th-marine", "5th-marine", "6th-marine"]
    board = move({"WC": [*names, "desron-1"], "HI": ["enterprise"], "MA": ["77th-inf"]}, year=1945)

    assert 8 == len(board.offered(ReserveForInvasion))
    for _ in range(7):
        board.decide(board.offered(ReserveForInvasion)[0])
    assert [] == board.offered(ReserveForInvasion)
    assert 7 == len(board.in_place("INV"))
    assert [] == move({"WC": ["25th-inf"]}).offered(ReserveForInvasion)


def test_n6_1_r_71_who_has_reserved_all_there_is_still_ends_it() -> None:
    board = move({"WC": ["1st-marine"], "MA": ["2nd-marine"]}, year=1945)

    board.decide(ReserveForInvasion("45-us-1st-marine"))

    assert [DoneReserving()] == board.offered()


def test_n6_2_r_78_submarines_raid_for_free_but_not_after_a_move() -> None:
    board = move({"HI": ["sub-gp-1", "sub-gp-2"], "P1": ["sub-gp-4"]})
    board.decide(MoveForce("42-us-sub-gp-1", "MI"), MoveForce("42-us-sub-gp-2", "RAID"))

    assert set() == targets(board, "sub-gp-1") | targets(board, "sub-gp-2") | targets(board, "sub-gp-4")
    assert ["sub-gp-2"] == board.in_place("RAID")


def test_n6_3_bomber_wings_of_the_marianas_fly_for_a_supply_point() -> None:
    us = {"MA": ["73rd-bw", "1st-marine", "us-bn-01"], "AU": ["43rd-bg"]}
    board = move(us, year=1944, supply=1)
    wing = "44-us-73rd-bw"
    moves = [d for d in board.offered() if isinstance(d, MoveForce)]
    assert [MoveForce(wing, "SB")] == [d for d in moves if d.target == "SB"]

    board.decide(MoveForce(wing, "SB"))

    assert ({0: 0}, "SB") == (board.open.supply, board.open.forces[wing].place)
    assert "SB" not in targets(move(us, year=1944, supply=0), "73rd-bw")
    assert "SB" not in targets(
        move({"AU": ["73rd-bw"], "MA": ["1st-marine"]}, year=1944, supply=1), "73rd-bw"
    )


def test_n6_4_ships_go_anywhere_but_to_japan_and_east_asia_once_a_turn_and_not_from_port() -> None:
    board = move({"HI": ["enterprise"], "P1": ["saratoga"]})

    assert 17 == len(targets(board, "enterprise"))
    assert set() == targets(board, "enterprise") & {"JA", "EA", "HI"} | targets(board, "saratoga")
    board.decide(MoveForce("42-us-enterprise", "CI"))
    assert set() == targets(board, "enterprise")


def test_n6_4_r_63_aircraft_go_where_the_us_were_ashore_at_the_start_and_there_is_room() -> None:
    board = move({"HI": ["11th-bg", "25th-inf"], "MI": ["mag-22", "mag-13"], "SA": ["us-bn-01"]})

    assert {"WC", "AU", "SA"} == targets(board, "11th-bg")
    board.decide(MoveForce("42-us-25th-inf", "GI"))
    assert "GI" not in targets(board, "11th-bg")
    board.decide(MoveForce("42-us-mag-22", "SA"))
    assert "MI" in targets(board, "11th-bg")


def test_n6_4_wings_away_still_fill_the_airfields_of_the_marianas() -> None:
    wings = ["73rd-bw", "313th-bw", "314th-bw", "315th-bw", "58th-bw"]
    board = move({"MA": [*wings, "1st-marine"], "AU": ["43rd-bg", "90th-bg"]}, year=1945, supply=9)
    board.decide(*(MoveForce(f"45-us-{wing}", "SB") for wing in wings))

    assert "MA" in targets(board, "43rd-bg")
    board.decide(MoveForce("45-us-43rd-bg", "MA"))
    assert "MA" not in targets(board, "90th-bg")


def test_n6_4_r_41_infantry_leaves_no_enemy_behind_and_comes_on_transports_to_one() -> None:
    board = move({"HI": ["25th-inf", "1st-marine"], "SI": ["43rd-inf"]}, {"SI": ["ja-bn-01"], "CI": ["kaga"]})

    assert set() == targets(board, "43rd-inf")
    board.decide(MoveForce("42-us-25th-inf", "CI"), MoveForce("42-us-1st-marine", "GI"))
    assert {"25th-inf": "CI~", "1st-marine": "GI"} == board.where("25th-inf", "1st-marine")


def test_n6_4_who_may_not_move_keeps_nobody_else_from_it() -> None:
    us = {"SI": ["25th-inf", "mag-13", "desron-1"], "HI": ["11th-bg", "enterprise"]}
    board = move(us, {"SI": ["ja-bn-01"]})
    board.decide(MoveForce("42-us-11th-bg", "AU"))

    movers = {d.force for d in board.offered(MoveForce) if isinstance(d, MoveForce)}
    assert {"42-us-mag-13", "42-us-desron-1", "42-us-enterprise"} == movers


def test_n6_4_australians_stay_near_home() -> None:
    board = move({"AU": ["abda", "1-aust-inf"], "NG": ["us-bn-01"]})

    assert {"BO", "NG", "SI", "NC"} == targets(board, "abda") == targets(board, "1-aust-inf")


def test_n6_5_nothing_has_to_stay_behind() -> None:
    board = move({"HI": ["25th-inf"]})

    board.decide(MoveForce("42-us-25th-inf", "MI"), DoneMoving())

    assert ([], []) == (board.in_place("HI"), board.asked)
