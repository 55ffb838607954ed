"""C21.1, C21.2 What cards can work on: each condition once where it holds and once where it does not."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.coral_sea import targets
from domain.coral_sea.charts import CARDS
from domain.coral_sea.decisions import (
    ChooseUnit,
    FlyRp,
    FlyUnit,
    MoveRp,
    PlayChit,
    PlayReaction,
    Refit,
    RetreatTo,
)
from domain.coral_sea.table import Open
from tests.coral_sea.board import AL, JP, Where, given, off_papua, sail

PAPUA = {"lae": JP, "buna": JP}


def test_c21_1_midway_takes_carriers_of_the_side_on_the_map_and_no_truk_ships() -> None:
    units = {"j_shoho": "rabaul", "j_crudiv6": "rabaul", "j_shokaku": "nuguria_sea", "a_yorktown": "noumea"}
    now = given(units).open

    assert (["j_shoho"], ["a_yorktown"]) == tuple(targets.removable(now, side, "CV") for side in (JP, AL))


@pytest.mark.parametrize(
    ("units", "control", "change", "areas"),
    [
        ({"j_144": "lae"}, PAPUA, {}, ["lae"]),
        ({"j_144": "rabaul"}, PAPUA, {}, []),
        ({"j_crudiv6": "huon_gulf", "j_144": "lae"}, PAPUA, {}, ["lae", "huon_gulf"]),
        ({"a_30": "lae"}, {}, {}, []),
        ({"j_144": "lae"}, {**PAPUA, "port_moresby": JP}, {}, []),
        ({"j_144": "lae"}, PAPUA, {"suppressed": ["port_moresby"]}, []),
    ],
)
def test_c21_1_air_attack_within_range_of_a_working_airfield(
    units: Mapping[str, Where], control: Mapping[str, int], change: dict[str, Any], areas: list[str]
) -> None:
    """Port Moresby, range 4, is the only Allied field near; Lae is 3 from it, Rabaul 5.

    At Lae, which the Allies hold in two of the cases, they have a field too.
    """
    now = given(units, control=control, change=change).open

    assert areas == targets.air(now, AL, CARDS["A05"].effects[0])


@pytest.mark.parametrize(
    ("option", "change", "areas"),
    [(True, {}, ["lae"]), (False, {}, []), (True, {"damaged": ["lae"]}, [])],
)
def test_c22_1_an_airfield_alone_is_a_target_by_option_until_it_is_out_of_order(
    option: bool, change: dict[str, Any], areas: list[str]
) -> None:
    options = {"air_attacks_on_airfields": option}
    now = given({}, control={"lae": JP}, options=options, change=change).open

    assert areas == targets.air(now, AL, CARDS["A05"].effects[0])


@pytest.mark.parametrize(
    ("control", "airfields", "expected"),
    [
        ({"lae": JP}, {}, True),
        ({"lae": AL}, {}, False),
        ({"buna": JP}, {}, False),
        ({"buna": JP}, {"buna": JP}, True),
    ],
)
def test_c12_16_c22_1_an_airfield_of_the_enemy(
    control: dict[str, int], airfields: dict[str, int], expected: bool
) -> None:
    now = given({}, control=control, change={"airfields": airfields}).open

    assert expected == targets.enemy_airfield(now, AL, next(iter(control)))


@pytest.mark.parametrize(
    ("units", "rp", "sick"),
    [
        ({"j_144": "lae"}, {}, ["j_144"]),
        ({"j_144": "lae"}, {"lae": 1}, []),
        ({"j_144": "lae"}, {"rabaul": 1}, ["j_144"]),
        ({"j_144": "huon_gulf", "j_crudiv6": "huon_gulf"}, {}, []),
        ({"j_crudiv6": "rabaul"}, {}, []),
        ({"a_30": "abau"}, {}, []),
    ],
)
def test_c21_1_disease_strikes_enemy_ground_units_on_land_without_a_resource_point(
    units: dict[str, Where], rp: dict[str, int], sick: list[str]
) -> None:
    assert sick == targets.diseased(given(units, rp=(rp, {})).open, AL)


def refits(units: Mapping[str, Where], rebuild: int = 2, reorganize: int = 2, **more: Any) -> list[Any]:
    return targets.refits(given(units, **more).open, AL, rebuild, reorganize)


BOTH = [Refit("a_30", "rebuild"), Refit("a_30", "reorganize")]


@pytest.mark.parametrize(
    ("left", "offered"), [((2, 2), BOTH), ((0, 1), BOTH[1:]), ((1, 0), BOTH[:1]), ((0, 0), [])]
)
def test_c21_1_refit_while_the_number_lasts(left: tuple[int, int], offered: list[Refit]) -> None:
    assert offered == refits({"a_30": ("noumea", "do")}, *left)


@pytest.mark.parametrize(
    ("units", "more", "offered"),
    [
        ({"a_30": ("noumea", "d")}, {}, BOTH[:1]),
        ({"a_30": "noumea"}, {}, []),
        ({"a_30": ("abau", "d")}, {}, []),
        ({"a_30": ("noumea", "d")}, {"control": {"noumea": JP}}, []),
        ({"j_144": ("rabaul", "d")}, {}, []),
        ({"a_tf17": ("noumea", "d")}, {}, [Refit("a_tf17", "rebuild")]),
        ({"a_tf17": ("loyalty_sea", "d")}, {}, []),
        ({"a_30": ("buna", "d")}, {}, BOTH[:1]),
        ({"a_30": ("abau", "d"), "a_desron2": ("noumea", "d")}, {}, [Refit("a_desron2", "rebuild")]),
        ({"a_30": ("tulagi", "d")}, {}, BOTH[:1]),
        (
            {"a_30": ("tulagi", "d"), "j_chokai": "ironbottom_sound", "j_crudiv6": "indispensable_strait"},
            {},
            [],
        ),
    ],
)
def test_c21_1_refit_in_own_towns_ships_in_port_nobody_isolated(
    units: Mapping[str, Where], more: dict[str, Any], offered: list[Refit]
) -> None:
    assert offered == refits(units, **more)


def test_c21_1_c14_4_in_a_port_under_siege_neither_ships_nor_besiegers_are_refitted_r95() -> None:
    besieged: dict[str, Where] = {
        "j_kure3": ("rabaul", "di"),
        "j_crudiv6": ("rabaul", "d"),
        "a_1m": ("rabaul", "d"),
        "j_desron6": ("kavieng", "d"),
    }
    now = given(besieged, scenario="fortress", change={"sieges": {"rabaul": AL}}).open

    assert [Refit("j_kure3", "rebuild"), Refit("j_desron6", "rebuild")] == targets.refits(now, JP, 2, 2)


def test_c21_1_a_submarine_strikes_only_ships_of_the_stack_that_are_where_it_lies() -> None:
    """Task Force 44 has been driven into a port, so that only Task Force 17 is left to be struck."""
    board = off_papua(
        "a_tf44",
        others={"j_crudiv6": "louisiade_sea"},
        hands=(("J20",), ()),
        draws=["a_n_gunnery", "j_n_gunnery"],
        dice=[1, 10, 10, 1, 6],
    )
    sail(board, ["a_tf17", "a_tf44"], "louisiade_sea")
    board.watch = True
    board.go(PlayChit("a_n_gunnery"), ChooseUnit("a_tf44"), RetreatTo("port_moresby"))
    board.go(PlayChit("j_n_gunnery"), RetreatTo("rabaul"), PlayReaction("J20"))

    assert ("d", "o") == (board.state("a_tf17"), board.state("a_tf44"))


def test_c21_1_barges_carry_between_own_towns_in_reach() -> None:
    """From Rabaul Kavieng is 2, Lae 3, Buna 4; Madang, 2 away, is the enemy's, and Gasmata no town."""
    now: Open = given({}, rp=({"rabaul": 2}, {}), control=PAPUA).open
    reach = CARDS["J22"].effects[0].max_distance

    assert {MoveRp("rabaul", "lae"), MoveRp("rabaul", "buna"), MoveRp("rabaul", "kavieng")} == set(
        targets.barges(now, JP, reach)
    )
    assert MoveRp("rabaul", "buna") not in targets.barges(now, JP, 3)
    assert [MoveRp("rabaul", "kavieng")] == targets.barges(now, JP, 2)
    assert [] == targets.barges(now, AL, reach)


FIELDS = {"buna": AL, "abau": AL}


@pytest.mark.parametrize(
    ("units", "rp", "change", "offered"),
    [
        ({"a_30": "port_moresby"}, {}, {}, {FlyUnit("a_30", "buna"), FlyUnit("a_30", "abau")}),
        ({}, {"port_moresby": 1}, {}, {FlyRp("port_moresby", "buna")}),
        ({"a_30": "kokoda"}, {"kokoda": 1}, {}, set()),
        ({"a_tf17": "port_moresby"}, {}, {}, set()),
        ({"a_30": "port_moresby"}, {}, {"suppressed": ["buna", "port_moresby"]}, set()),
        ({"a_30": "port_moresby", "j_144": "buna"}, {}, {}, {FlyUnit("a_30", "abau")}),
        ({"a_30": ("port_moresby", "i")}, {}, {}, set()),
    ],
)
def test_c21_1_air_transport_between_own_working_airfields(
    units: Mapping[str, Where], rp: dict[str, int], change: dict[str, Any], offered: set[Any]
) -> None:
    """Abau is no town: resource points are not flown there."""
    now = given(units, rp=({}, rp), control={"lae": JP}, change={"airfields": FIELDS, **change}).open

    assert offered == set(targets.flights(now, AL, 2))


def test_c15_2_c24_5_where_new_things_arrive_r96() -> None:
    now = given({}, control={"noumea": JP}, change={"sieges": {"rabaul": AL}}).open

    assert (["rabaul"], ["australia"]) == (targets.rp_areas(now, JP), targets.rp_areas(now, AL))
    assert [] == targets.rp_areas(now, AL, ("noumea",))
    assert ["kavieng"] == targets.arrivals(now, JP, ("rabaul", "kavieng", "lae"))
