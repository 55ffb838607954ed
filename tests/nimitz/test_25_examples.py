"""N25: the worked examples, die by die."""

from domain.kernel.facts import Rolled
from domain.nimitz.automaton import Chose
from domain.nimitz.decisions import (
    AllocateHit,
    BuyPlan,
    DoneAir,
    DonePlans,
    PlaceShip,
    SendAircraft,
    UsePlan,
)
from domain.nimitz.facts import CampaignEnded, ObjectivesHeld
from domain.nimitz.happenings import PlanDrawn
from domain.nimitz.marches import AutoHeld, CounterIs, OrderDone, Ordered
from domain.nimitz.orders import Orders
from domain.nimitz.planning import full_cup
from domain.nimitz.sequence import Turn
from domain.nimitz.table import held_objectives
from tests.nimitz.board import JA, US, Board, battle, given, of, rolls, short

CUP = [plan.removeprefix("ja.") for plan in full_cup()]


def drawn(*plans: str) -> list[int]:
    """The places, from 1, at which these plans lie in what is left of the cup."""
    left, places = list(CUP), []
    for plan in plans:
        places.append(left.index(plan) + 1)
        left.remove(plan)
    return places


def faces(board: Board) -> list[int]:
    return [face for fact in board.facts if isinstance(fact, Rolled) for face in fact.dice]


def test_n25_1_orders() -> None:
    written = [9, 10, 1, 1, 9]
    board = given(
        {
            "HI": ["25th-inf"],
            "MI": ["mag-22"],
            "SI": ["us-bn-01"],
            "NC": ["us-bn-02"],
            "SA": ["mag-13"],
            "AK": ["28th-bg"],
        },
        {
            "CI": [
                "furutaka-kako",
                "aoba-kinugasa",
                "destroyer-gp-4",
                "destroyer-gp-5",
                "sub-gp-3",
                "ja-bn-01",
            ],
            "GI": ["ja-bn-02"],
            "WI": ["ja-bn-03"],
            "JA": ["kaga", "akagi", "ja-bn-04", "ja-bn-05"],
            "ML": ["6th-base", "1-kokutai"],
            "NG": ["55th-inf", "tainan-kokutai"],
            "PH": ["ashigara-nachi", "14-sentai", "24-sentai"],
        },
        Orders(),
        spare=8,
        dice=written,
        # forces are drawn by their places among those left, in the order of their ids
        draws=[1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    )

    areas = next(fact for fact in of(board.facts, Chose) if fact.question == "Areas in order")
    assert ("ML", "NG", "PH", "JA", "CI") == areas.chosen
    assert written == faces(board)
    assert [
        ("ML", "WITHDRAW"),
        ("NG", "HOLD"),
        ("PH", "SOUTH"),
        ("JA", "HOLD"),
        ("JA", "HOLD"),
        ("CI", "OFFENSIVE"),
    ] == [(fact.area, fact.order) for fact in of(board.facts, OrderDone)]
    assert ["NG"] == [fact.area for fact in of(board.facts, AutoHeld)]
    assert ["JA REFIT", "JA HOLD"] == [
        f"{fact.area} {fact.order}" for fact in of(board.facts, Ordered) if fact.area == "JA"
    ][1:]
    assert [0, 1, 5, 9, 13, 5] == [fact.counter for fact in of(board.facts, CounterIs)]
    assert 5 == len(board.in_place("JA_BN"))
    ships = ["aoba-kinugasa", "destroyer-gp-4", "destroyer-gp-5", "furutaka-kako", "sub-gp-3"]
    assert sorted([*ships, "ja-bn-06~", "ja-bn-07~", "ja-bn-08~"]) == board.in_place("SI", JA)
    assert ["us-bn-01"] == board.in_place("SI", US)
    assert ["6th-base", "ja-bn-03"] == board.in_place("WI")
    assert ["ashigara-nachi"] == board.in_place("BO")
    assert ["24-sentai", "akagi", "ja-bn-04", "ja-bn-05", "kaga"] == board.in_place("JA")
    assert (["14-sentai"], ["ja-bn-01"], ["1-kokutai"]) == tuple(map(board.in_place, ("PH", "CI", "ML")))


def test_n25_2_carrier_battle_at_midway_island() -> None:
    written = [3, 5, 8, 6, 9, 3, 2, 7, 3, 8, 2, 4, 6, 3, 3, 4, 9]
    board = battle(
        "MI",
        ["enterprise", "chester-louisville", "desron-1", "mag-22", "us-bn-01"],
        ["hiryu", "tone-chikuma", "destroyer-gp-1", "ja-bn-01~"],
        elsewhere={"HI": ["25th-inf"]},
        spare=8,
        dice=written,
        draws=drawn("attack_plan", "no_contact"),
    )
    enterprise, destroyers = "42-us-enterprise", "42-us-desron-1"
    board.decide(PlaceShip("42-us-chester-louisville", "CO"), PlaceShip(destroyers, "UO"))
    fight = board.open.battle
    assert fight is not None
    assert {"hiryu": "JO", "destroyer-gp-1": "JO", "tone-chikuma": "CO"} == {
        short(ship): area for ship, area in fight.ships.items() if "-ja-" in ship
    }
    assert (2, 1, {US: 1, JA: 0}) == (fight.left, fight.plans, fight.airfields)

    board.decide(BuyPlan("us.furball"), BuyPlan("us.charge"), BuyPlan("us.ranging_shots"), DonePlans())
    board.decide(SendAircraft(f"{enterprise}:1F4F", "UO"))
    board.decide(*(SendAircraft(f"{enterprise}:{slot}", "JO") for slot in ("2SBD", "3SBD", "4TBD")))
    board.decide(SendAircraft("42-us-mag-22", "CO"), DoneAir())

    assert [AllocateHit(f"{enterprise}:2SBD"), AllocateHit(f"{enterprise}:3SBD")] == board.offered()
    board.decide(AllocateHit(f"{enterprise}:2SBD"))
    board.decide(UsePlan("us.ranging_shots"))
    assert written == board.dice.rolled
    planes = board.open.battle.planes if board.open.battle else {}
    assert {f"{enterprise}:1F4F": True, f"{enterprise}:2SBD": True, f"{enterprise}:3SBD": False} == {
        name: plane.damaged for name, plane in planes.items()
    }
    board.decide(DoneAir())

    assert ["ja.attack_plan", "ja.no_contact"] == [fact.plan for fact in of(board.facts, PlanDrawn)]
    assert [] == board.asked
    assert board.open.battle is None
    assert ["chester-louisville", "desron-1", "enterprise", "us-bn-01"] == board.in_place("MI", US)
    assert ["destroyer-gp-1"] == board.in_place("MI", JA)
    assert ["mag-22"] == board.in_place("US_RE")
    assert 9 == len(board.in_place("JA_BN"))
    assert written == board.dice.rolled
    assert "MI" in held_objectives(board.open)


def test_n25_3_landing_at_the_solomons() -> None:
    written = [1, 4, 7, 4, 4, 2, 5, 4]
    board = battle(
        "SI",
        ["colorado-maryland", "25th-inf", "1st-marine~", "43rd-inf~"],
        ["55th-inf", "ja-bn-01", "4-kokutai", "59-sentai"],
        spare=8,
        dice=written,
        draws=drawn("artillery"),
    )
    board.decide(PlaceShip("42-us-colorado-maryland", "CO"))
    board.decide(BuyPlan("us.artillery"), BuyPlan("us.charge"), BuyPlan("us.leathernecks"), DonePlans())

    board.decide(UsePlan("us.charge", "42-us-25th-inf"), UsePlan("us.artillery"))

    assert written == board.dice.rolled
    length, bombers, fighters = rolls(board.facts)[:3]
    assert ("battle length", "", 1) == length
    assert (("air group", "bombers:LBA", 4), ("air group", "fighters:LBA", 7)) == (bombers, fighters)
    assert ["1st-marine", "43rd-inf", "colorado-maryland"] == board.in_place("SI", US)
    assert ["4-kokutai", "55th-inf*", "59-sentai"] == board.in_place("SI", JA)
    assert 9 == len(board.in_place("JA_BN"))
    assert [] == board.asked
    assert "SI" not in held_objectives(board.open)


def test_n25_4_end_of_a_turn() -> None:
    board = given(
        {
            "SI": ["colorado-maryland", "abda", "1st-marine", "43rd-inf"],
            "HI": ["25th-inf"],
            "AK": ["28th-bg"],
            "MI": ["mag-22"],
            "NC": ["us-bn-01"],
            "RAID": ["sub-gp-1"],
            "P1": ["yorktown"],
        },
        {
            "SA": ["ja-bn-01"],
            "SI": ["55th-inf*", "4-kokutai", "59-sentai"],
            "CI": ["destroyer-gp-4*", "furutaka-kako"],
            "PH": ["14-sentai*", "24-sentai"],
            "JA_RE": ["junyo", "hiyo", "unyo", "6th-inf", "misawa-kokutai"],
        },
        Turn(at="reinforcement"),
        turn=3,
        counter=7,
        spare=8,
        dice=[8],
        draws=[2, 1],
    )

    assert [8] == faces(board)
    japan = ["6th-inf", "hiyo", "junyo", "misawa-kokutai"]
    assert sorted([*japan, "ja-bn-02", "ja-bn-03"]) == board.in_place("JA")
    assert (6, 0) == (len(board.in_place("JA_BN")), board.open.counter)
    assert {"SHIP": ["42-ja-destroyer-gp-4"], "INF": [], "LBA": ["42-ja-14-sentai"]} == board.open.returned
    assert {"yorktown": "HI", "colorado-maryland": "P1", "sub-gp-1": "P1", "abda": "AU"} == board.where(
        "yorktown", "colorado-maryland", "sub-gp-1", "abda"
    )
    assert {"us-bn-01": "NC*", "1st-marine": "SI*", "43rd-inf": "SI*", "55th-inf": "SI*"} == board.where(
        "us-bn-01", "1st-marine", "43rd-inf", "55th-inf"
    )
    assert [("AK", "HI", "MI")] == [fact.areas for fact in of(board.facts, ObjectivesHeld)]
    assert [(3, "Replaced")] == [(fact.result, fact.level) for fact in of(board.facts, CampaignEnded)]
    match = board.table.state.match
    assert (True, JA) == (match.over, match.winner)
