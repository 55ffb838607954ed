"""C13.1 to C13.4 Where beaten ground units go, what they gain there (C3.7), who goes along (C17.2)."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.coral_sea import battle, retreat
from domain.coral_sea.decisions import (
    ChooseUnit,
    Done,
    LandAt,
    PickUnit,
    PlayChit,
    RetreatTo,
    StartGroundMove,
    StartNavalMove,
    StepTo,
)
from domain.coral_sea.flight import destinations
from domain.coral_sea.happenings import LeaderWith, TookRefuge, UnitsMoved
from domain.coral_sea.places import ControlChanged
from domain.coral_sea.table import Fortress
from tests.coral_sea.board import AL, JP, Board, Where, fates, given, land_battle, of, operation

ABOARD = ("a_7", "a_14", "a_18")
MORESBY = {"fortresses": {"port_moresby": Fortress(AL, 1)}, "sieges": {"port_moresby": JP}}


def beaten(units: Mapping[str, Where] | None = None, **more: Any) -> Board:
    """The 30th Brigade at Buna is disorganised by the 144th Regiment, which came from Morobe."""
    board = land_battle(
        JP,
        "buna",
        {"j_144": ""},
        {"a_30": more.pop("state", "")},
        origin="morobe",
        others=units or {},
        draws=["j_g_close_combat"],
        dice=[10, 1],
        **more,
    )
    board.go(PlayChit("j_g_close_combat"))
    return board


def test_c13_2_never_into_an_area_with_an_enemy_unit() -> None:
    """Kokoda is nearer to Australia; with the 28th Regiment there only Tufi is left."""
    assert {"a_30": "tufi"} == beaten({"j_28": "kokoda"}, control={"kokoda": JP}).at("a_30")


def test_c13_2_c1_4_never_into_an_area_with_an_enemy_resource_point() -> None:
    assert {"a_30": "tufi"} == beaten(rp=({"kokoda": 1}, {})).at("a_30")


def test_c13_2_never_to_where_the_attackers_came_from() -> None:
    """Morobe is empty now, and nearest to the only resource point; the brigade has nowhere else to go."""
    board = beaten(
        {"j_28": "kokoda", "j_41": "tufi"}, rp=({}, {"lae": 1}), control={"kokoda": JP, "tufi": JP}
    )

    assert "destroyed" == board.state("a_30")


def test_c3_7_a_retreat_into_an_empty_area_gains_it() -> None:
    board = beaten(control={"kokoda": JP})

    assert [ControlChanged("kokoda", AL), ControlChanged("buna", JP)] == of(board.facts, ControlChanged)


def test_c3_7_a_retreat_within_own_land_changes_nothing() -> None:
    assert [ControlChanged("buna", JP)] == of(beaten().facts, ControlChanged)


@pytest.mark.parametrize(("aboard", "offered"), [(2, True), (3, False)])
def test_c13_3_ships_take_up_to_three_units_aboard_r44(aboard: int, offered: bool) -> None:
    load = dict.fromkeys(ABOARD[:aboard], "ward_hunt_strait")
    board = beaten({"a_tf17": "ward_hunt_strait", **load})

    assert offered == (RetreatTo("ward_hunt_strait") in board.offered())
    assert (AL in board.asked and bool(board.offered(RetreatTo))) == offered


def test_c13_3_truk_ships_take_nobody_aboard_c18_2() -> None:
    board = land_battle(
        AL,
        "buna",
        {"a_30": ""},
        {"j_144": "d"},
        origin="kokoda",
        others={"j_shokaku": "ward_hunt_strait"},
        draws=["a_g_bombardment"],
        dice=[10],
    )
    board.go(PlayChit("a_g_bombardment"))

    assert [RetreatTo("morobe"), RetreatTo("tufi")] == board.offered()


def landed(*aboard: str, others: Mapping[str, Where]) -> Board:
    """The 30th Brigade, landed at Abau out of the Papuan Coast, is beaten."""
    board = operation(
        AL,
        "papuan_coast",
        {"a_tf17": "papuan_coast", "a_30": "papuan_coast", "j_144": "milne_bay", **others},
        control={"milne_bay": JP},
        draws=["a_g_assault"],
        dice=[1, 10],
    )
    board.go(StartNavalMove(), LandAt("milne_bay"), *map(PickUnit, aboard), *([Done()] if aboard else []))
    board.go(PlayChit("a_g_assault"))
    return board


def test_c13_3_who_landed_goes_back_to_the_ships_it_came_from() -> None:
    """Ships in the Ward Hunt Strait are as near, and stay empty."""
    board = landed(others={"a_tf44": "ward_hunt_strait"})

    assert {"a_30": "papuan_coast"} == board.at("a_30")


def test_c13_3_who_landed_goes_to_other_ships_if_its_own_are_full() -> None:
    ships = {"a_tf44": "ward_hunt_strait", "a_tf62": "louisiade_sea"}
    board = land_battle(
        AL,
        "milne_bay",
        {"a_30": ""},
        {"j_144": ""},
        origin="papuan_coast",
        others={**ships, "a_tf17": "papuan_coast", **dict.fromkeys(ABOARD, "papuan_coast")},
        draws=["a_g_assault"],
        dice=[1, 10],
    )
    board.go(PlayChit("a_g_assault"))

    assert {RetreatTo("ward_hunt_strait"), RetreatTo("louisiade_sea")} == set(board.offered())


def test_c13_2_c13_3_a_beaten_attacker_may_choose_ships_instead_of_its_origin_r47() -> None:
    board = land_battle(
        AL,
        "buna",
        {"a_30": ""},
        {"j_144": ""},
        origin="kokoda",
        others={"a_tf17": "ward_hunt_strait"},
        draws=["a_g_assault"],
        dice=[1, 10],
    )
    board.go(PlayChit("a_g_assault"))

    assert [RetreatTo("kokoda"), RetreatTo("ward_hunt_strait")] == board.offered()


@pytest.mark.parametrize(("change", "fate"), [({}, "o"), (MORESBY, "destroyed")])
def test_c13_2_c16_1_a_beaten_attacker_cannot_go_back_to_before_a_fortress(
    change: dict[str, Any], fate: str
) -> None:
    """A fortress makes its area enemy-occupied: from Kokoda there is no way back to Port Moresby."""
    board = land_battle(
        JP,
        "kokoda",
        {"j_144": ""},
        {"a_30": ""},
        origin="port_moresby",
        draws=["j_g_poor_coordination"],
        dice=[10],
        change=change,
    )
    board.go(PlayChit("j_g_poor_coordination"))

    assert fate == board.state("j_144")


def test_c12_14_c13_4_attackers_that_the_guard_sends_back_are_not_isolated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Enemies hold all land beside Kokoda, but only of defenders it is asked who is isolated (C12.3)."""
    monkeypatch.setattr(battle, "CHIT_GUARD", 1)
    board = land_battle(
        JP,
        "kokoda",
        {"j_144": ""},
        {"a_30": ""},
        origin="port_moresby",
        others={"a_7": "buna"},
        draws=["j_g_close_combat"],
        change=MORESBY,
    )
    board.go(PlayChit("j_g_close_combat"))

    gone = "[j_144] is destroyed since it has no way to retreat (C13.4): 1 point for the [allied]"
    assert [gone] == fates(board)


def test_c17_2_in_a_retreat_a_leader_goes_with_any_one_of_the_units_r82() -> None:
    for stays in ("a_30", "a_5m"):
        board = land_battle(
            JP,
            "buna",
            {"j_144": ""},
            {"a_30": "", "a_5m": ""},
            origin="morobe",
            draws=["j_g_close_combat"],
            dice=[10, 1],
            change={"leaders": {"l_rupertus": "a_30"}},
        )
        board.go(PlayChit("j_g_close_combat"), ChooseUnit("a_30"))
        assert ({ChooseUnit("a_30"), ChooseUnit("a_5m")}, [AL]) == (set(board.offered()), board.asked)
        board.go(ChooseUnit(stays))
        assert {"l_rupertus": stays} == board.open.leaders


def test_c17_2_where_a_leader_goes_in_a_retreat_is_asked_once() -> None:
    board = beaten({"a_5m": "buna"}, change={"leaders": {"l_rupertus": "a_30"}})
    board.go(ChooseUnit("a_30"), ChooseUnit("a_30"))

    assert [] == board.offered(ChooseUnit)


def test_c17_2_without_other_units_a_leader_retreats_with_his_own() -> None:
    board = beaten(change={"leaders": {"l_rupertus": "a_30"}})

    assert ({"l_rupertus": "a_30"}, {"a_30": "kokoda"}) == (board.open.leaders, board.at("a_30"))
    assert [] == of(board.facts, LeaderWith)


PLAIN = [
    ({}, {}, "port_moresby"),
    ({"kokoda": 1}, {}, "kokoda"),
    ({"port_moresby": 1}, {"fortresses": {"kokoda": Fortress(AL, 1)}}, "kokoda"),
    ({"port_moresby": 1}, {"fortresses": {"kokoda": Fortress(JP, 1)}}, "tufi"),
]


@pytest.mark.parametrize(("rp", "change", "there"), PLAIN)
def test_c13_1_by_the_plain_rule_two_areas_but_not_past_a_resource_point_or_fortress_r77(
    monkeypatch: pytest.MonkeyPatch, rp: dict[str, int], change: dict[str, Any], there: str
) -> None:
    monkeypatch.setattr(retreat, "RETREAT_AREAS", 2)
    board = beaten(rp=({}, rp), change=change, control={"milne_bay": JP}, units={"j_28": "milne_bay"})

    assert there == board.at("a_30")["a_30"]


def test_c13_1_by_the_plain_rule_a_unit_that_came_aboard_stays_there_r77(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retreat, "RETREAT_AREAS", 2)
    board = beaten({"a_tf17": "ward_hunt_strait"})
    board.go(RetreatTo("ward_hunt_strait"))

    assert {"a_30": "ward_hunt_strait"} == board.at("a_30")


def test_c13_1_by_the_plain_rule_nobody_is_asked_whether_to_leave_an_own_fortress_r77(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retreat, "RETREAT_AREAS", 2)
    fortress = {"fortresses": {"kokoda": Fortress(AL, 1)}}
    board = beaten(rp=({}, {"port_moresby": 1}), change=fortress)

    assert ({"a_30": "kokoda"}, []) == (board.at("a_30"), board.offered(RetreatTo))


INSIDE = dict.fromkeys(("a_7", "a_14", "a_18", "a_21"), ("port_moresby", "i"))


def test_c16_6_who_is_besieged_retreats_only_back_inside() -> None:
    """Ships off the coast do not take him aboard."""
    now = given({"a_30": ("port_moresby", "i"), "a_tf17": "papuan_coast"}, change=MORESBY).open

    assert ["port_moresby"] == destinations(now, "a_30", isolated=False)


@pytest.mark.parametrize(("inside", "room"), [(3, True), (4, False)])
def test_c16_3_c16_2_a_unit_retreats_inside_while_there_is_room(inside: int, room: bool) -> None:
    shut: dict[str, Where] = dict(list(INSIDE.items())[:inside])
    now = given({"a_30": "port_moresby", **shut}, change=MORESBY).open

    assert room == ("port_moresby" in destinations(now, "a_30", isolated=False))


def test_c16_3_who_retreats_inside_has_gone_nowhere() -> None:
    board = land_battle(
        JP,
        "port_moresby",
        {"j_144": ""},
        {"a_30": ""},
        origin="kokoda",
        draws=["j_g_close_combat"],
        dice=[10, 1],
        change={"fortresses": {"port_moresby": Fortress(AL, 1)}},
    )
    board.go(Done(), PlayChit("j_g_close_combat"), RetreatTo("port_moresby"))

    assert [TookRefuge(("a_30",), "port_moresby")] == of(board.facts, TookRefuge, UnitsMoved)


def test_c16_3_units_inside_another_fortress_take_no_room() -> None:
    two = {"fortresses": {"port_moresby": Fortress(AL, 1), "milne_bay": Fortress(AL, 1)}}
    elsewhere: dict[str, Where] = dict.fromkeys(INSIDE, ("milne_bay", "i"))
    now = given({"a_30": "port_moresby", **elsewhere}, change=two).open

    assert "port_moresby" in destinations(now, "a_30", isolated=False)


def test_c16_3_the_enemys_fortress_is_no_refuge() -> None:
    now = given({"j_144": "port_moresby"}, change=MORESBY, control={"kokoda": JP}).open

    assert "port_moresby" not in destinations(now, "j_144", isolated=False)


def test_c3_9_all_ships_leave_a_captured_port_one_by_one() -> None:
    units = {"j_144": "kokoda", "a_tf17": "port_moresby", "a_tf44": "port_moresby"}
    board = operation(JP, "buna", units, control={"buna": JP})
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"))
    board.go(RetreatTo("milne_bay"), RetreatTo("australia"))

    assert {"milne_bay", "australia"} == set(board.at("a_tf17", "a_tf44").values())


@pytest.mark.parametrize(("found", "kept"), [(2, 1), (4, 2), (5, 2), (6, 3)])
def test_c15_4_half_of_many_rounded_down(found: int, kept: int) -> None:
    board = operation(AL, "port_moresby", {"a_30": "kokoda"}, rp=({"buna": found}, {}), control={"buna": JP})
    board.go(StartGroundMove("kokoda"), StepTo("buna"))

    assert ({}, {"buna": kept}) == (board.open.rp[JP], board.open.rp[AL])
