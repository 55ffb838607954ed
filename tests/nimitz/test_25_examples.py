"""N25: the worked examples, die by die."""

from domain.kernel.facts import Rolled
from domain.nimitz.automaton import Chose
from domain.nimitz.decisions import AllocateHit
from domain.nimitz.facts import CampaignEnded, ObjectivesHeld
from domain.nimitz.happenings import PlanDrawn
from domain.nimitz.marches import AutoHeld, CounterIs, OrderDone, Ordered
from domain.nimitz.table import held_objectives
from tests.nimitz.board import JA, US, Board, of, rolls, short
from tests.nimitz.examples import ENTERPRISE, EXAMPLES


def faces(board: Board) -> list[int]:
    return [face for fact in board.facts if isinstance(fact, Rolled) for face in fact.dice]


def test_n25_1_orders() -> None:
    board = EXAMPLES["N25.1"].played()

    areas = next(fact for fact in of(board.facts, Chose) if fact.question == "Areas in order")
    assert ("ML", "NG", "PH", "JA", "CI") == areas.chosen
    assert [9, 10, 1, 1, 9] == faces(board)
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
    board = EXAMPLES["N25.2"].laid()
    ships, plans, aircraft, hits, second_turn = EXAMPLES["N25.2"].stages
    board.decide(*ships)
    fight = board.open.battle
    assert fight is not None
    assert {"hiryu": "JO", "destroyer-gp-1": "JO", "tone-chikuma": "CO"} == {
        short(ship): area for ship, area in fight.ships.items() if "-ja-" in ship
    }
    assert (2, 1, {US: 1, JA: 0}) == (fight.left, fight.plans, fight.airfields)

    board.decide(*plans)
    board.decide(*aircraft)

    assert [AllocateHit(f"{ENTERPRISE}:2SBD"), AllocateHit(f"{ENTERPRISE}:3SBD")] == board.offered()
    board.decide(*hits)
    assert written == board.dice.rolled
    planes = board.open.battle.planes if board.open.battle else {}
    assert {f"{ENTERPRISE}:1F4F": True, f"{ENTERPRISE}:2SBD": True, f"{ENTERPRISE}:3SBD": False} == {
        name: plane.damaged for name, plane in planes.items()
    }
    board.decide(*second_turn)

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
    board = EXAMPLES["N25.3"].played()

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
    board = EXAMPLES["N25.4"].played()

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
