"""C7 What may be done in an operation and what it costs, C14 reorganising and rebuilding, its windows."""

from typing import Any

import pytest

from domain.coral_sea.decisions import (
    BuildAirfield,
    EndOperation,
    LoseUnit,
    Rebuild,
    Reorganize,
    RepairAirfield,
    SetTop,
    StartGroundMove,
    StepTo,
    Stop,
)
from domain.coral_sea.facts import ActionEnded, OperationEnded, WindowOpened
from domain.coral_sea.places import SiegeLifted
from domain.coral_sea.supply import able_ground
from domain.coral_sea.table import HiddenStack
from tests.coral_sea.board import AL, DARK, JP, Board, Where, besieged_rabaul, given, of, opened, operation


def left_with(sp: int, units: dict[str, Where], area: str = "port_moresby", **more: Any) -> Board:
    """An operation of the Allies with so many supply points left."""
    board = operation(AL, area, units, stop=True, **more)
    board.table.open.operation.sp = sp
    board.watch = False
    return board.quiet()


def test_c7_4_a_nobody_is_activated_from_an_area_that_an_enemy_has_retreated_into() -> None:
    """The last resource point of Buna is spent, and nobody was there to keep the 30th Brigade out."""
    now = given({"a_30": "buna", "j_144": "kokoda"}, control={"kokoda": JP}, change=opened(JP, "buna")).open

    assert [] == able_ground(now)


def test_c7_1_without_a_resource_point_no_further_operation_is_opened() -> None:
    """A card has let another follow, but the last resource point has been spent."""
    board = operation(JP, "rabaul", {"j_144": "rabaul"})
    board.table.open.operation.again = True
    board.go(EndOperation())

    assert board.open.operation is None
    assert "C5.2" == board.rule


def test_c7_2_where_nothing_can_be_done_no_action_has_ended() -> None:
    board = operation(AL, "noumea", {})

    assert ([], None) == (of(board.facts, ActionEnded), board.open.operation)


def test_c7_2_it_is_told_that_the_points_are_spent() -> None:
    board = left_with(1, {"a_7": "abau", "a_30": ("abau", "o")})
    board.go(Reorganize("a_30"))

    assert [OperationEnded(AL, "no supply point is left")] == of(board.facts, OperationEnded)


def test_c7_2_whoever_ends_it_gives_no_reason() -> None:
    board = left_with(6, {"a_30": "abau"})
    board.go(EndOperation())

    assert [OperationEnded(AL)] == of(board.facts, OperationEnded)


def test_c7_2_c22_2_whether_hidden_units_could_still_act_is_not_told() -> None:
    board = operation(AL, "coral_sea_west", {}, options={"limited_intelligence": True})

    assert [OperationEnded(AL)] == of(board.facts, OperationEnded)


@pytest.mark.parametrize(
    ("sp", "offered"), [(3, [BuildAirfield("abau", "a_30")]), (2, []), (4, [BuildAirfield("abau", "a_30")])]
)
def test_c7_5_an_airfield_is_built_for_the_last_three_points(sp: int, offered: list[BuildAirfield]) -> None:
    board = left_with(sp, {"a_30": "abau"})

    assert offered == board.offered(BuildAirfield)


def test_c7_5_c22_1_an_airfield_is_repaired_for_the_last_point() -> None:
    board = left_with(1, {"a_30": "port_moresby"}, change={"damaged": ["port_moresby"]})
    assert RepairAirfield("port_moresby") in board.offered()
    board.go(RepairAirfield("port_moresby"))

    assert ([], None) == (board.open.damaged, board.open.operation)


@pytest.mark.parametrize(("state", "decision"), [("o", Reorganize("a_30")), ("d", Rebuild("a_30"))])
@pytest.mark.parametrize("sp", [6, 1])
def test_c14_1_c14_2_mending_costs_one_even_the_last(state: str, decision: Any, sp: int) -> None:
    """A unit that is only disorganised is not rebuilt, nor one that is only depleted reorganised."""
    board = left_with(sp, {"a_7": "abau", "a_30": ("abau", state)})
    assert [decision] == board.offered(Reorganize, Rebuild)
    board.go(decision)

    assert "full" == board.state("a_30")
    assert (board.open.operation is None) == (sp == 1)
    assert sp == 1 or sp - 1 == board.sp


def test_c14_1_a_sound_unit_before_it_does_not_keep_another_from_being_reorganised() -> None:
    board = left_with(6, {"a_30": "abau", "a_7": ("abau", "o"), "a_14": "abau", "a_18": ("abau", "o")})

    assert {Reorganize("a_7"), Reorganize("a_18")} == set(board.offered(Reorganize))


def test_c14_4_no_ship_is_mended_in_a_port_with_an_enemy_in_it() -> None:
    board = besieged_rabaul(JP, "rabaul", {"j_crudiv6": ("rabaul", "d")})

    assert [] == board.offered(Rebuild)


@pytest.mark.parametrize(("units", "chosen"), [(("a_30",), False), (("a_30", "a_7"), True)])
def test_c8_1_who_marches_is_chosen_in_one_go_where_there_are_several(
    units: tuple[str, ...], chosen: bool
) -> None:
    board = operation(AL, "port_moresby", dict.fromkeys(units, "abau"))

    assert chosen == (StartGroundMove("abau") in board.table.quiet(AL))


FAR: dict[str, Where] = {"a_30": "abau", **dict.fromkeys(("a_tf17", "a_tf44"), "noumea")}


def test_c22_2_each_stack_has_its_top_set_once_and_then_an_action_is_chosen_r84() -> None:
    board = operation(AL, "abau", FAR, options=DARK)
    top = board.table.open.stacks[AL]["noumea"].top
    (other,) = (ship for ship in ("a_tf17", "a_tf44") if ship != top)
    assert [SetTop("noumea", other)] == board.offered(SetTop)
    board.go(SetTop("noumea", other))

    assert HiddenStack(other, 2) == board.table.open.stacks[AL]["noumea"]
    assert ([], True) == (board.offered(SetTop), StartGroundMove("abau") in board.offered())


def test_c22_2_who_marches_into_a_port_is_out_of_sight_when_the_action_is_over() -> None:
    board = operation(AL, "abau", {"a_30": "abau"}, options=DARK)
    board.watch = True
    board.go(StartGroundMove("abau"), StepTo("port_moresby"), Stop())

    assert "a_30" not in board.table.open.units
    assert HiddenStack("a_30", 1) == board.table.open.stacks[AL]["port_moresby"]


def test_c10_12_c22_2_a_stack_is_lower_by_the_excess_that_was_lost() -> None:
    units = dict.fromkeys(("a_tf17", "a_30", "a_7", "a_14", "a_18"), "papuan_coast")
    board = operation(AL, "papuan_coast", units, options=DARK)
    before = board.table.open.stacks[AL]["papuan_coast"].count
    board.go(EndOperation(), LoseUnit("a_7"))

    assert before - 1 == board.table.open.stacks[AL]["papuan_coast"].count


def test_c16_7_the_siege_is_lifted_before_the_end_of_the_action_is_answered() -> None:
    board = besieged_rabaul(AL, "gasmata", {})
    before = len(board.facts)
    board.watch = True
    board.go(StartGroundMove("rabaul"), Stop())
    facts = [
        fact for fact in board.facts[before:] if isinstance(fact, SiegeLifted | ActionEnded | WindowOpened)
    ]

    assert [SiegeLifted, ActionEnded] == [type(fact) for fact in facts[:2]]
