"""C7.7 Ships always find somewhere to go; C9.8 into which ports they may run; C10.2 to C10.4 cargo."""

import pytest

from domain.coral_sea.atlas import PORTS, ROUTES, SEA, at_sea
from domain.coral_sea.charts import UNITS
from domain.coral_sea.decisions import (
    Done,
    EmbarkFrom,
    LandAt,
    LoadUnit,
    PickUnit,
    StartNavalMove,
    StepTo,
    Stop,
)
from domain.coral_sea.table import NAVAL
from tests.coral_sea.board import AL, AROUND_LAE, JP, TRUK, Where, off_papua, operation
from tests.coral_sea.test_09_naval_moves import chosen_in_one_go


@pytest.mark.parametrize(("sp", "offered"), [(4, True), (3, False), (2, False)])
def test_c9_8_with_the_last_range_a_port_is_entered_only_if_the_stop_can_be_paid(
    sp: int, offered: bool
) -> None:
    """Destroyer Squadron 2, depleted and disorganised, has Range 4: three steps and Lae."""
    units: dict[str, Where] = {"a_desron2": ("huon_gulf", "do"), "a_18": "lae"}
    board = operation(AL, "huon_gulf", units)
    board.table.open.operation.sp = sp
    board.go(StartNavalMove(), StepTo("solomon_sea_west"), StepTo("ward_hunt_strait"), StepTo("huon_gulf"))

    assert offered == (StepTo("lae") in board.offered())


@pytest.mark.parametrize("sp", [4, 2])
def test_c9_8_a_port_may_be_passed_without_a_stop_while_range_is_left(sp: int) -> None:
    board = operation(AL, "huon_gulf", {"a_desron2": "huon_gulf", "a_18": "lae"})
    board.table.open.operation.sp = sp
    board.go(StartNavalMove())

    assert StepTo("lae") in board.offered()


@pytest.mark.parametrize(("sp", "offered"), [(4, True), (3, False)])
def test_c9_8_c3_3_a_port_without_a_stop_is_entered_only_with_range_to_leave_it(
    sp: int, offered: bool
) -> None:
    """Of Range 4 one is left in Australia, where the 30th Brigade is; from there to sea it takes 2."""
    board = operation(AL, "papuan_coast", {"a_desron2": ("papuan_coast", "do"), "a_30": "australia"})
    board.table.open.operation.sp = sp
    board.go(StartNavalMove(), StepTo("gulf_of_papua"))

    assert offered == (StepTo("australia") in board.offered())


@pytest.mark.parametrize(("state", "load", "at"), [("", [LoadUnit("j_144")], "lae"), ("do", [], "huon_gulf")])
def test_c10_3_c18_3_troops_are_loaded_only_if_the_range_left_leads_past_the_truk_fleet(
    state: str, load: list[LoadUnit], at: str
) -> None:
    """Cruiser Div 6, depleted and disorganised, has Range 4, and all seas within 2 of Lae are taken.

    So it sails without troops, by the only sea before the port.
    """
    units: dict[str, Where] = dict(zip(TRUK, AROUND_LAE, strict=True))
    in_lae: dict[str, Where] = {"j_crudiv6": ("lae", state), "j_chokai": "lae", "j_144": "lae"}
    board = operation(JP, "lae", {**units, **in_lae}, control={"lae": JP})
    board.table.open.operation.sp = 2
    board.go(StartNavalMove(), PickUnit("j_crudiv6"), Done())

    assert (load, {"j_crudiv6": at}) == (board.offered(LoadUnit), board.at("j_crudiv6"))


@pytest.mark.parametrize(("closed", "ends"), [(4, "gulf_of_papua"), (1, "papuan_coast")])
def test_c10_2_c18_2_the_truk_ships_take_nobody_aboard_r94(closed: int, ends: str) -> None:
    """A fleet that had to stop there takes its troops along, or stays with them if Range 2 leads nowhere."""
    around = ("gulf_of_papua", "papuan_coast", "coral_sea_west", "louisiade_sea")
    units: dict[str, Where] = dict(zip(TRUK[:closed], around[:closed], strict=True))
    stuck: dict[str, Where] = {"j_crudiv6": ("gulf_of_papua", "do"), "j_144": "gulf_of_papua"}
    board = operation(JP, "gulf_of_papua", {**units, **stuck})
    board.go(StartNavalMove(), PickUnit("j_crudiv6"))
    if StepTo(ends) in board.offered():
        board.go(StepTo(ends), Stop())

    assert {"j_crudiv6": ends, "j_144": ends} == board.at("j_crudiv6", "j_144")


@pytest.mark.parametrize("aboard", [(), ("a_30",)])
@pytest.mark.parametrize("waiting", [("a_7", "a_14"), ("a_7", "a_14", "a_18")])
def test_c10_4_who_embarks_is_picked_in_one_go(aboard: tuple[str, ...], waiting: tuple[str, ...]) -> None:
    board = off_papua(*aboard, others=dict.fromkeys(waiting, "abau"))
    board.go(StartNavalMove(), EmbarkFrom("abau"))
    while board.rule == "C10.4":
        assert chosen_in_one_go(board) == {*board.table.quiet(AL)}
        board.go(next(option for option in board.offered() if option != Done()))

    room = 3 - len(aboard)
    assert min(room, len(waiting)) == [*board.at(*waiting).values()].count("papuan_coast")


@pytest.mark.parametrize("aboard", [("a_7", "a_14"), ("a_7", "a_14", "a_18")])
def test_c10_4_who_lands_is_picked_in_one_go(aboard: tuple[str, ...]) -> None:
    board = off_papua(*aboard)
    board.go(StartNavalMove(), LandAt("abau"))
    while board.rule == "C10.4":
        assert chosen_in_one_go(board) == {*board.table.quiet(AL)}
        board.go(next(option for option in board.offered() if option != Done()))

    assert {"abau"} == {*board.at(*aboard).values()}


def test_c7_7_c18_3_a_ship_reaches_more_sea_areas_than_there_are_ships_it_must_not_end_with() -> None:
    """The Range of a ship is never below 4: its lowest side, disorganised."""
    ships = [counter for counter in UNITS.values() if counter.domain == NAVAL]
    least = min(side.move for ship in ships for side in (ship.full, ship.depleted)) - 1
    truk = sum(ship.truk_fleet for ship in ships)
    others = sum(ship.owner == JP for ship in ships) - truk

    def reached(area: str, left: int) -> set[str]:
        steps = [(to, left - cost) for to, cost in ROUTES[area].items() if at_sea(to) and cost <= left]
        return {to for to, _ in steps} | {far for to, rest in steps for far in reached(to, rest)}

    assert (4, 4, 9) == (least, truk, others)
    assert min(len(reached(port, least)) for port in PORTS) > truk
    assert min(len(reached(sea, least)) for sea in SEA) > others
