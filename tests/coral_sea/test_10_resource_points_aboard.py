"""C10.11, C18.2 Resource points aboard: one a ship, whatever becomes of the ships."""

import pytest

from domain.coral_sea.atlas import SEA
from domain.coral_sea.charts import SCENARIOS
from domain.coral_sea.decisions import (
    ChooseUnit,
    Done,
    LoadRp,
    PickUnit,
    PlayCard,
    PlayChit,
    RemoveUnit,
    StartNavalMove,
    StepTo,
    Stop,
)
from domain.coral_sea.places import RpHas
from domain.coral_sea.table import ships
from tests.coral_sea.board import AL, DARK, JP, TRUK, Board, Where, action, given, of, operation, sail


def sunk(rp: int, *others: str, options: dict[str, bool] | None = None) -> Board:
    """Long Lance sinks TF 17 of a fleet with some resource points aboard; `others` are with it."""
    units: dict[str, Where] = {"j_desron2": "louisiade_sea", "a_tf17": ("papuan_coast", "do")}
    board = operation(
        JP,
        "louisiade_sea",
        {**units, **dict.fromkeys(others, "papuan_coast")},
        rp=({}, {"papuan_coast": rp, "noumea": 2}),
        dice=[9],
        draws=["j_n_long_lance"],
        options=options,
    )
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_long_lance"), ChooseUnit("a_tf17"))
    assert "destroyed" == board.state("a_tf17")
    return board


@pytest.mark.parametrize(("rp", "left"), [(1, 1), (2, 2), (3, 2)])
def test_c10_11_a_sunk_ship_takes_down_what_the_others_have_no_room_for_r97(rp: int, left: int) -> None:
    board = sunk(rp, "a_tf44", "a_desron2")

    assert {"papuan_coast": left, "noumea": 2} == board.open.rp[AL]


def test_c10_11_a_sunk_ship_takes_down_a_resource_point_and_one_unit_r97() -> None:
    board = sunk(2, "a_tf44", "a_30", "a_7")
    board.go(ChooseUnit("a_7"))

    assert {"papuan_coast": 1, "noumea": 2} == board.open.rp[AL]
    assert ("full", "destroyed") == (board.state("a_30"), board.state("a_7"))


def test_c10_11_c22_2_the_height_of_the_stack_falls_at_once_r97() -> None:
    """Else a sealed fact would tell of the loss first. A ship, a brigade and a resource point are left."""
    board = sunk(2, "a_tf44", "a_30", options=DARK)

    assert {"papuan_coast": 1, "noumea": 2} == board.own(AL).rp
    assert 3 == board.table.open.stacks[AL]["papuan_coast"].count


def test_c10_11_c21_1_midway_takes_a_carriers_resource_point_off_the_map_r97() -> None:
    units = {
        "j_shoho": "bismarck_sea",
        "j_crudiv6": "bismarck_sea",
        "a_yorktown": "noumea",
        "a_tf17": "noumea",
    }
    board = action(JP, units, rp=({"bismarck_sea": 2, "rabaul": 3}, {"noumea": 4}), hands=(("J06",), ()))
    board.go(PlayCard("J06"))

    assert ("removed", "removed") == (board.state("j_shoho"), board.state("a_yorktown"))
    assert {"bismarck_sea": 1, "rabaul": 3} == board.open.rp[JP]
    assert {"noumea": 4} == board.open.rp[AL], "in a port nothing is aboard"


def test_c10_11_c21_1_midway_takes_all_with_the_last_ship_r97() -> None:
    units = {"j_shoho": "bismarck_sea", "j_ryujo": "kavieng", "j_28": "bismarck_sea"}
    board = action(JP, units, rp=({"bismarck_sea": 1}, {}), hands=(("J06",), ()))
    board.go(PlayCard("J06"), RemoveUnit("j_shoho"))

    assert ({}, "destroyed") == (board.open.rp[JP], board.state("j_28"))


@pytest.mark.parametrize(("state", "fate"), [("", "withdrawn"), ("d", "lost")])
@pytest.mark.parametrize(("ships", "left"), [(2, 1), (3, 2), (4, 3)])
def test_c18_5_a_truk_ship_that_leaves_takes_what_the_others_have_no_room_for_r97(
    ships: int, left: int, state: str, fate: str
) -> None:
    fleet: dict[str, Where] = dict.fromkeys(TRUK[:ships], ("nukumanu_sea", state))
    board = operation(
        AL,
        "ontong_java_sea",
        {"a_tf64": "ontong_java_sea", **fleet},
        rp=({"nukumanu_sea": 3 if ships > 2 else 2}, {}),
        draws=["a_n_gunnery"],
        dice=[10, 1],
    )
    sail(board, ["a_tf64"], "nukumanu_sea")
    board.go(PlayChit("a_n_gunnery"), ChooseUnit("j_shokaku"))

    assert fate == board.state("j_shokaku")
    assert {"nukumanu_sea": left} == board.open.rp[JP]


def test_c18_2_a_truk_ship_loads_one_resource_point_and_leaves_no_more_than_the_rest_can_carry_r97() -> None:
    fleet = dict.fromkeys(TRUK[:3], "nuguria_sea")
    board = operation(JP, "nuguria_sea", fleet, rp=({"nuguria_sea": 3}, {}))
    board.go(StartNavalMove(), PickUnit("j_shokaku"), Done())

    assert [StepTo("st_matthias_sea"), StepTo("st_georges_channel"), StepTo("nukumanu_sea")] == board.offered(
        StepTo
    ), "three points for three ships: one goes without a choice"
    board.go(StepTo("nukumanu_sea"), Stop())
    assert {"nuguria_sea": 2, "nukumanu_sea": 1} == board.open.rp[JP]


def test_c18_2_what_a_truk_ship_need_not_take_it_may_take_r97() -> None:
    fleet = dict.fromkeys(TRUK[:3], "nuguria_sea")
    board = operation(JP, "nuguria_sea", fleet, rp=({"nuguria_sea": 2}, {}))
    board.go(StartNavalMove(), PickUnit("j_shokaku"), Done())

    assert {LoadRp(), Done()} == set(board.offered())
    board.go(LoadRp())
    assert [] == board.offered(LoadRp)


def test_c10_11_nothing_is_said_where_nothing_is_lost_r97() -> None:
    assert [] == [fact for fact in of(sunk(1, "a_tf44").facts, RpHas) if fact.area == "papuan_coast"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_c10_1_c24_3_no_ship_carries_two_at_set_up_r97(scenario: str) -> None:
    now = given(None, scenario=scenario).open
    at_sea = {(side, area): count for side in (JP, AL) for area, count in now.rp[side].items() if area in SEA}

    assert at_sea
    assert {} == {k: count for k, count in at_sea.items() if count > len(ships(now, k[1], k[0]))}
