"""M11 Damage and losses aboard."""

import pytest

from domain.midway.decisions import Done, Land, Launch, Spot, StrikeBelow, Target
from domain.midway.facts import CarrierCrippled, CarrierDamaged, CarrierSunk
from domain.midway.victory import points
from tests.midway.board import given, of

QUIET = [1] * 7
STRIKE = {"ENT-D1": (5, "ATTACKING")}


def test_m11_1_light_damage_has_no_effect_but_points() -> None:
    board = given({"AKA-D1": (5, "WAITING")}, step=1, damage={"AKAGI": 6})

    assert Land("AKA-D1", "AKAGI") in board.offered()
    assert 6 == points(board.open, 1)


@pytest.mark.parametrize("step", [1, 9, 11])
def test_m11_2_a_crippled_carrier_neither_lands_nor_launches_nor_plans(step: int) -> None:
    board = given(
        {"AKA-D1": (5, "DECK:AKAGI"), "AKA-D2": (5, "WAITING"), "AKA-T1": (5, "HANGAR:AKAGI")},
        step=step,
        damage={"AKAGI": 7, "KAGA": 7, "SORYU": 7, "HIRYU": 7},
    )

    assert step not in board.open.steps
    assert [] == board.offered(Land, Launch, Spot, StrikeBelow)


def test_m11_2_it_is_told_when_a_carrier_becomes_crippled() -> None:
    board = given(STRIKE, step=8, damage={"AKAGI": 6}, dice=[QUIET, [5, 1, 1, 1, 1]])

    facts = board.decide(Target("ENT-D1", "AKAGI"))

    assert [CarrierDamaged("AKAGI", 1, 7), CarrierCrippled("AKAGI")] == of(
        facts, CarrierDamaged, CarrierCrippled
    )


def test_m11_2_a_carrier_that_is_crippled_does_not_become_so_again() -> None:
    board = given(STRIKE, step=8, damage={"AKAGI": 7}, dice=[QUIET, [5, 1, 1, 1, 1]])

    facts = board.decide(Target("ENT-D1", "AKAGI"))

    assert [CarrierDamaged("AKAGI", 1, 8)] == of(facts, CarrierDamaged, CarrierCrippled)


def test_m11_3_planes_aboard_a_crippled_carrier_are_unharmed() -> None:
    aboard = {"AKA-D1": (5, "DECK:AKAGI"), "AKA-T1": (5, "HANGAR:AKAGI")}
    board = given({**STRIKE, **aboard}, step=8, damage={"AKAGI": 6}, dice=[QUIET, [5, 1, 1, 1, 1]])

    board.decide(Target("ENT-D1", "AKAGI"))

    assert aboard == board.places(*aboard)


def test_m11_3_planes_that_wanted_to_land_there_may_land_elsewhere() -> None:
    board = given({"AKA-D1": (5, "WAITING")}, step=1, damage={"AKAGI": 7})

    assert ["KAGA", "SORYU", "HIRYU"] == [d.ship for d in board.offered() if isinstance(d, Land)]


def test_m11_4_ten_damage_sinks_for_good() -> None:
    board = given(STRIKE, step=8, damage={"AKAGI": 9}, dice=[QUIET, [5, 1, 1, 1, 1], [6]])

    facts = board.decide(Target("ENT-D1", "AKAGI"))

    assert [CarrierSunk("AKAGI", 1, ())] == of(facts, CarrierSunk)
    assert 10 == board.damage("AKAGI")


def test_m11_5_planes_aboard_are_lost_and_those_in_the_air_fly_on() -> None:
    board = given(
        {
            **STRIKE,
            "AKA-D1": (5, "DECK:AKAGI"),
            "KAG-T1": (5, "HANGAR:AKAGI"),
            "AKA-T1": (5, "WAITING"),
            "AKA-F1": (5, "CAP:1"),
            "AKA-D2": (5, "HANGAR:KAGA"),
        },
        step=8,
        damage={"AKAGI": 9},
        dice=[QUIET, [5, 1, 1, 1, 1]],
    )

    facts = board.decide(Target("ENT-D1", "AKAGI"))

    assert [CarrierSunk("AKAGI", 1, ("AKA-D1", "KAG-T1"))] == of(facts, CarrierSunk)
    assert {"AKA-F1", "AKA-D2", "AKA-T1", "ENT-D1"} == set(board.places())
    board.decide(Done())
    while not board.offered(Land):
        board.decide(Done())
    assert Land("AKA-T1", "KAGA") in board.offered()
