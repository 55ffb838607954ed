"""N13 Japanese reinforcement, N14 Japanese repair, N15 US return to port, N16 US supply check."""

import pytest

from domain.kernel.facts import Rolled
from domain.nimitz.automaton import Chose
from domain.nimitz.charts import REINFORCEMENTS
from domain.nimitz.decisions import JaKeepForce
from domain.nimitz.facts import InPort, OutOfSupply
from domain.nimitz.marches import BattalionBack, BattalionsCame, CounterIs, Reinforced, Returned
from domain.nimitz.rear import Repairs, check_supply, reinforce, return_to_port
from domain.nimitz.rows import row_of
from tests.nimitz.board import JA, TWO_PLAYERS, Board, given, of, reasons, short


def reinforced(board: Board, face: int) -> Board:
    board.dice.rolls = [face]
    reinforce(board.table)
    board.facts = list(board.table.facts)
    return board


def test_n13_1_r_28_the_roll_counts_counter_damage_and_raids() -> None:
    board = given(
        {"SI": ["25th-inf"], "RAID": ["sub-gp-1", "sub-gp-2"]},
        {
            "SI": ["55th-inf*", "8-sentai*", "59-sentai*"],
            "CI": ["kaga*", "6th-inf*", "7th-inf*"],
            "JA_RE": ["junyo"],
        },
        counter=9,
    )

    rolled = of(reinforced(board, 5).facts, Rolled)[0]

    assert [9, -5, -6] == [modifier.amount for modifier in rolled.modifiers]
    assert "row 3-5" in of(board.facts, CounterIs)[0].why


def test_n13_1_what_is_0_does_not_change_the_roll() -> None:
    (rolled,) = of(reinforced(given({}, {"JA_RE": ["junyo"]}), 2).facts, Rolled)

    assert () == rolled.modifiers


@pytest.mark.parametrize(
    ("total", "wanted"),
    [
        (-9, (1, 0, 0)),
        (0, (1, 0, 0)),
        (1, (1, 1, 0)),
        (2, (1, 1, 0)),
        (3, (1, 1, 1)),
        (5, (1, 1, 1)),
        (6, (2, 1, 1)),
        (8, (2, 1, 1)),
        (9, (2, 2, 1)),
        (11, (2, 2, 1)),
        (12, (2, 2, 2)),
        (14, (2, 2, 2)),
        (15, (3, 2, 2)),
        (17, (3, 2, 2)),
        (18, (3, 3, 3)),
        (30, (3, 3, 3)),
    ],
)
def test_n13_2_the_reinforcements_of_each_total(total: int, wanted: tuple[int, int, int]) -> None:
    row = row_of(REINFORCEMENTS, total)

    assert wanted == (row.ships, row.inf, row.lba)


def test_n13_2_n19_1_two_infantry_more_in_1944() -> None:
    ja = {"JA_RE": ["14th-inf", "10th-inf", "100th-inf", "102nd-inf", "amagi", "junyo"]}
    board = reinforced(given({}, ja, year=1944), 4)

    assert [1, 3] == [sum(f.kind == kind for f in of(board.facts, Reinforced)) for kind in ("SHIP", "INF")]


def test_n13_3_then_the_counter_is_0() -> None:
    assert 0 == reinforced(given(counter=12), 1).open.counter


def test_n13_4_r_27_fresh_forces_first_then_the_oldest_returned_all_full_in_japan() -> None:
    board = given({}, {"JA_RE": ["junyo", "hiyo", "kaga"]}, counter=8)
    board.open.returned["SHIP"] = ["42-ja-kaga", "42-ja-hiyo"]

    reinforced(board, 8)

    ships = [short(fact.force) for fact in of(board.facts, Reinforced) if fact.kind == "SHIP"]
    assert ["junyo", "kaga", "hiyo"] == ships
    assert {"junyo": "JA", "kaga": "JA", "hiyo": "JA"} == board.where("junyo", "kaga", "hiyo")
    assert [] == board.open.returned["SHIP"]


def test_n13_4_only_as_many_return_as_are_wanted_and_then_none_is_missing() -> None:
    ja = {"JA_RE": ["junyo", "8-sentai", "kaga", "hiyo", "2nd-inf"]}
    board = given({}, ja, spare=8)
    board.open.returned |= {"SHIP": ["42-ja-kaga", "42-ja-hiyo"], "INF": ["42-ja-2nd-inf"]}

    reinforced(board, 7)

    came = [short(fact.force) for fact in of(board.facts, Reinforced)]
    assert ["junyo", "kaga", "2nd-inf", "8-sentai"] == came
    assert ([], ["42-ja-hiyo"]) == (of(board.facts, BattalionsCame), board.open.returned["SHIP"])


def test_n13_4_two_battalions_for_each_missing_force_while_the_box_has_some() -> None:
    board = reinforced(given({}, {"JA_RE": ["junyo"]}, spare=5), 4)

    assert [2, 2] == [len(fact.forces) for fact in of(board.facts, BattalionsCame)]
    empty = reinforced(given({}, {"JA_RE": ["junyo"]}, spare=1), 4)
    assert [1] == [len(fact.forces) for fact in of(empty.facts, BattalionsCame)]


def test_n13_4_battalions_appear_ashore_in_japan_and_may_still_move() -> None:
    board = reinforced(given({}, {"JA_RE": ["junyo"]}, spare=2), 4)

    assert ["ja-bn-01", "ja-bn-02"] == [n for n in board.in_place("JA") if "bn" in n]
    assert {(False, False)} == {
        (force.moved, force.arrived) for force in board.open.forces.values() if force.place == "JA"
    }


def test_n13_4_the_oldest_returned_are_told() -> None:
    board = given({}, {"JA_RE": ["hiyo", "kaga"]}, counter=0)
    board.open.returned["SHIP"] = ["42-ja-kaga", "42-ja-hiyo"]

    reinforced(board, 4)

    assert [["the oldest returned"]] == reasons(board.facts, "Reinforcing ships")
    assert ["42-ja-hiyo"] == board.open.returned["SHIP"]


def test_n14_damaged_forces_return_full_battalions_to_their_box() -> None:
    ja = {"CI": ["kaga*", "akagi", "ja-bn-01*", "6th-inf"], "PH": ["8-sentai*", "2nd-inf"]}
    board = given({}, ja, Repairs())

    assert ["42-ja-kaga", "42-ja-8-sentai"] == [fact.force for fact in of(board.facts, Returned)]
    assert ["ja-bn-01"] == [fact.force for fact in of(board.facts, BattalionBack)]
    assert "JA_RE" == board.where("kaga")["kaga"]
    assert {"SHIP": ["42-ja-kaga"], "INF": [], "LBA": ["42-ja-8-sentai"]} == board.open.returned


def test_n14_r_29_infantry_beside_us_forces_and_the_last_of_an_area_stay() -> None:
    ja = {"SI": ["55th-inf*", "6th-inf"], "CI": ["6th-base*", "2nd-inf*", "48th-inf*", "14-sentai*"]}
    board = given({"SI": ["sub-gp-1"]}, ja, Repairs())

    assert {"55th-inf": "SI*", "2nd-inf": "CI*"} == board.where("55th-inf", "2nd-inf")
    assert {"48th-inf": "JA_RE", "6th-base": "JA_RE"} == board.where("48th-inf", "6th-base")
    assert [["the highest value, 3", "by id"]] == reasons(board.facts, "Last force")


def test_n14_infantry_stays_before_aircraft() -> None:
    board = given({}, {"CI": ["14-sentai*", "55th-inf*"]}, Repairs())

    assert {"14-sentai": "JA_RE", "55th-inf": "CI*"} == board.where("14-sentai", "55th-inf")


def test_n14_who_stays_as_the_last_is_told_with_the_area() -> None:
    board = given({}, {"CI": ["14-sentai*", "55th-inf*", "7th-inf*"]}, Repairs())

    (chose,) = of(board.facts, Chose)
    why = ["infantry before aircraft", "by id"]
    assert ("CI", ("42-ja-55th-inf",), why) == (
        chose.about,
        chose.chosen,
        [step.reason for step in chose.steps],
    )
    assert ("42-ja-14-sentai", "42-ja-55th-inf", "42-ja-7th-inf") == chose.candidates


def test_n14_in_every_area_a_last_one_stays() -> None:
    board = given({}, {"CI": ["2nd-inf*"], "PH": ["55th-inf*", "kaga*"]}, Repairs())

    stayed = {"2nd-inf": "CI*", "55th-inf": "PH*", "kaga": "JA_RE"}
    assert stayed == board.where("2nd-inf", "55th-inf", "kaga")
    told = [(fact.about, fact.chosen) for fact in of(board.facts, Chose)]
    assert [("CI", ("42-ja-2nd-inf",)), ("PH", ("42-ja-55th-inf",))] == told


def test_n14_n20_2_japans_seat_keeps_one_of_the_equals() -> None:
    board = given({}, {"CI": ["2nd-inf*", "48th-inf*"]}, Repairs(), mode=TWO_PLAYERS)

    assert [JaKeepForce("42-ja-2nd-inf"), JaKeepForce("42-ja-48th-inf")] == board.offered(JaKeepForce)
    board.decide(JaKeepForce("42-ja-48th-inf"))
    assert {"2nd-inf": "JA_RE", "48th-inf": "CI*"} == board.where("2nd-inf", "48th-inf")


@pytest.mark.parametrize(("year", "box"), [(1942, "P1"), (1943, "P2"), (1944, "P3"), (1945, "P3")])
def test_n15_r_30_ships_go_to_the_last_box_of_the_year(year: int, box: str) -> None:
    board = given(
        {"MI": ["enterprise"], "WC": ["desron-1"], "HI": ["desron-2"], "RAID": ["sub-gp-1"]}, year=year
    )

    return_to_port(board.table)

    assert {"enterprise": box, "desron-1": box, "desron-2": "HI", "sub-gp-1": box} == board.where(
        "enterprise", "desron-1", "desron-2", "sub-gp-1"
    )


def test_n15_r_31_boxes_move_up_and_abda_goes_to_australia() -> None:
    board = given(
        {"P1": ["enterprise"], "P2": ["desron-1"], "P3": ["desron-2"], "SI": ["sub-gp-1"]}, year=1944
    )
    return_to_port(board.table)
    assert {"enterprise": "HI", "desron-1": "P1", "desron-2": "P2", "sub-gp-1": "P3"} == board.where(
        "enterprise", "desron-1", "desron-2", "sub-gp-1"
    )

    abda = given({"SI": ["abda"]})
    return_to_port(abda.table)
    assert ["AU"] == [fact.to for fact in of(abda.table.facts, InPort)]


def test_n15_r_31_ships_in_hawaii_and_abda_in_australia_stay() -> None:
    board = given({"HI": ["enterprise"], "AU": ["abda", "19th-bg"]})

    return_to_port(board.table)

    assert [] == of(board.table.facts, InPort)


def test_n16_out_of_supply_each_infantry_and_group_takes_a_hit() -> None:
    us = {"NC": ["us-bn-01", "25th-inf*", "mag-13", "desron-1"], "HI": ["43rd-inf"], "AU": ["19th-bg"]}
    board = given(us, {"MI": ["ja-bn-01"]})

    check_supply(board.table)

    fact = of(board.table.facts, OutOfSupply)[0]
    assert ("NC", ("42-us-mag-13", "us-bn-01"), ("42-us-25th-inf",)) == (
        fact.area,
        fact.damaged,
        fact.destroyed,
    )
    assert {"desron-1": "NC", "25th-inf": "OUT", "19th-bg": "AU"} == board.where(
        "desron-1", "25th-inf", "19th-bg"
    )
    assert JA == 1
