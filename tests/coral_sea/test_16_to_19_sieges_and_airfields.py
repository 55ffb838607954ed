"""C16 Fortresses and sieges, C19 airfields: what they cost, who counts, and where there is none."""

from collections.abc import Mapping

import pytest

from domain.coral_sea.airfields import carrier_near, repairs, works
from domain.coral_sea.decisions import (
    Besiege,
    BuildAirfield,
    PlayReaction,
    RemoveAirfield,
    Reorganize,
    Sortie,
    StartGroundMove,
    StepTo,
    Stop,
    TakeRefuge,
)
from domain.coral_sea.fighting import BattleBegan
from domain.coral_sea.fortress import sieges
from domain.coral_sea.happenings import CameOut, TookRefuge, UnitDestroyed, UnitsShown
from domain.coral_sea.places import AirfieldGone, AirfieldSet, FortressFell, SiegeLaid
from domain.coral_sea.supply import able
from domain.coral_sea.table import Fortress
from domain.kernel.procedures import Decision
from tests.coral_sea.board import AL, DARK, JP, Board, Where, given, of, opened, operation

FORTRESS = {"fortresses": {"port_moresby": Fortress(AL, 1)}}
SIEGE = {**FORTRESS, "sieges": {"port_moresby": JP}}
INSIDE: Where = ("port_moresby", "i")


def besieged(side: int, marker: str, units: Mapping[str, Where], **more: object) -> Board:
    """Port Moresby is under siege by the 144th Regiment; the 30th Brigade is inside."""
    given: dict[str, Where] = {"j_144": "port_moresby", "a_30": INSIDE, **units}
    return operation(side, marker, given, change=SIEGE, **more)


def test_c16_2_c16_3_the_fifth_unit_finds_no_room_and_fights() -> None:
    five = ("a_30", "a_7", "a_14", "a_18", "a_21")
    board = operation(
        JP,
        "buna",
        {"j_144": "kokoda", **dict.fromkeys(five, "port_moresby")},
        control={"buna": JP, "kokoda": JP},
        change=FORTRESS,
    )
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"), *map(TakeRefuge, five[:4]))

    assert [(("j_144",), ("a_21",))] == [fact.units for fact in of(board.facts, BattleBegan)]


def test_c16_3_nobody_takes_refuge_in_the_fortress_of_those_who_come() -> None:
    """An Allied force comes to relieve the fortress: the besiegers fight, and cannot go inside."""
    board = besieged(AL, "abau", {"a_7": "abau"})
    facts = board.go(StartGroundMove("abau"), StepTo("port_moresby"))

    assert [] == board.offered(TakeRefuge)
    assert [("j_144",)] == [fact.units[JP] for fact in of(facts, BattleBegan)]


def test_c16_3_c22_2_hidden_units_that_take_refuge_are_shown_first() -> None:
    board = operation(
        JP,
        "buna",
        {"j_144": "kokoda", "a_30": "port_moresby", "a_7": "port_moresby"},
        control={"buna": JP, "kokoda": JP},
        change=FORTRESS,
        options=DARK,
    )
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"))
    assert "a_7" in board.own(AL).units
    facts = board.go(TakeRefuge("a_7"))

    assert [["a_7"], ["a_7"]] == [[*fact.units] for fact in of(facts, UnitsShown, TookRefuge)]
    assert board.open.units["a_7"].inside


def test_c16_4_a_siege_is_laid_once() -> None:
    board = besieged(JP, "buna", {"j_28": "kokoda"}, control={"buna": JP, "kokoda": JP})
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"))

    assert ([], {"port_moresby": JP}) == (of(board.facts, SiegeLaid), board.open.sieges)
    assert AL == board.open.control["port_moresby"]


@pytest.mark.parametrize(("sp", "offered"), [(3, []), (4, [Besiege("port_moresby")])])
def test_c16_5_c7_5_a_siege_needs_four_supply_points(sp: int, offered: list[Decision]) -> None:
    now = given(
        {"j_144": "port_moresby", "a_30": INSIDE}, change={**SIEGE, **opened(JP, "papuan_coast", sp)}
    ).open

    assert offered == sieges(now, JP)


def test_c16_5_only_the_besieger_presses_and_only_with_units_that_can_act() -> None:
    units: dict[str, Where] = {"j_144": "port_moresby", "a_30": INSIDE, "a_7": "abau"}
    now = given(units, change={**SIEGE, **opened(AL, "papuan_coast")}).open
    assert [] == sieges(now, AL)
    far = given(units, change={**SIEGE, **opened(JP, "rabaul")}).open
    assert [] == sieges(far, JP)


@pytest.mark.parametrize(
    ("helpers", "inside", "die", "falls"),
    [
        ({}, (), 4, True),
        ({}, (), 5, False),
        ({}, ("a_7",), 4, False),
        ({"j_28": "port_moresby", "j_41": "port_moresby"}, (), 6, True),
        ({"j_28": "port_moresby", "j_41": "port_moresby"}, (), 7, False),
        ({"j_28": "abau", "j_41": "port_moresby"}, (), 6, False),
    ],
)
def test_c16_5_the_factor_and_units_inside_are_added_besiegers_that_act_subtracted_r64(
    helpers: dict[str, Where], inside: tuple[str, ...], die: int, falls: bool
) -> None:
    """Factor 1, the 30th Brigade inside, the 144th Regiment before it: 5 or less in all and it falls."""
    shut = dict.fromkeys(inside, INSIDE)
    board = besieged(JP, "papuan_coast", {**helpers, **shut}, dice=[die])
    board.go(Besiege("port_moresby"))

    assert falls == bool(of(board.facts, FortressFell))
    assert board.open.operation is None or 2 == board.sp
    assert falls == (board.state("a_30") == "destroyed")


@pytest.mark.parametrize(("die", "falls"), [(4, True), (5, False)])
def test_c16_5_a_besieger_that_has_acted_already_is_not_subtracted_r64(die: int, falls: bool) -> None:
    """Factor 1, one unit inside; of the two besiegers one has been reorganised in this operation."""
    board = besieged(JP, "papuan_coast", {"j_28": ("port_moresby", "o")}, dice=[die])
    board.go(Reorganize("j_28"), Besiege("port_moresby"))

    assert falls == bool(of(board.facts, FortressFell))


def test_c16_5_c7_3_the_besiegers_have_acted_and_march_no_more() -> None:
    board = besieged(JP, "papuan_coast", {"j_28": "abau"}, dice=[10])
    board.go(Besiege("port_moresby"))

    assert 2 == board.sp
    assert [StartGroundMove("abau")] == board.offered(StartGroundMove)


def test_c16_5_c22_2_when_the_fortress_falls_all_inside_are_laid_open_at_once() -> None:
    board = besieged(JP, "papuan_coast", {"a_7": INSIDE}, dice=[1], options=DARK)
    assert {"a_30", "a_7"} == set(board.own(AL).units)
    facts = board.go(Besiege("port_moresby"))

    fell = [type(fact).__name__ for fact in of(facts, UnitsShown, UnitDestroyed)]
    assert ["UnitsShown", "UnitDestroyed", "UnitDestroyed"] == fell


@pytest.mark.parametrize(("sp", "offered"), [(1, [Sortie("port_moresby")]), (0, [])])
def test_c16_6_c7_5_a_sortie_needs_one_supply_point_r81(sp: int, offered: list[Decision]) -> None:
    now = given(
        {"j_144": "port_moresby", "a_30": INSIDE}, change={**SIEGE, **opened(AL, "port_moresby", sp)}
    ).open

    assert offered == sieges(now, AL)


def test_c16_6_a_sortie_costs_one_and_is_for_those_inside_with_the_marker_there_r81() -> None:
    board = besieged(AL, "port_moresby", {"a_7": INSIDE, "a_14": "abau"}, dice=[1])
    board.go(Sortie("port_moresby"))

    (battle,) = of(board.facts, BattleBegan)
    assert ({"a_30", "a_7"}, ("j_144",)) == (set(battle.units[AL]), battle.units[JP])
    assert 5 == board.sp
    assert [True, True, False] == [board.open.units[unit].acted for unit in ("a_30", "a_7", "a_14")]


@pytest.mark.parametrize("marker", ["abau", "papuan_coast"])
def test_c16_6_resource_points_outside_do_not_serve_those_inside(marker: str) -> None:
    """Neither over land nor off the coast: no sortie, and nobody is mended."""
    units: dict[str, Where] = {"j_144": "port_moresby", "a_30": ("port_moresby", "id"), "a_14": "abau"}
    now = given(units, change={**SIEGE, **opened(AL, marker)}).open

    assert ["a_14"] == able(now)
    assert [] == sieges(now, AL)


def test_c16_7_who_is_besieged_elsewhere_stays_inside() -> None:
    two = {
        "fortresses": {"port_moresby": Fortress(AL, 1), "milne_bay": Fortress(AL, 1)},
        "sieges": {"port_moresby": JP, "milne_bay": JP},
    }
    units: dict[str, Where] = {"j_144": "port_moresby", "a_30": INSIDE, "j_28": "milne_bay"}
    board = operation(
        JP, "gulf_of_papua", {**units, "a_7": ("milne_bay", "i")}, change=two, control={"kokoda": JP}
    )
    board.go(StartGroundMove("port_moresby"), StepTo("kokoda"), Stop())

    assert {"milne_bay": JP} == board.open.sieges
    assert [False, True] == [board.open.units[unit].inside for unit in ("a_30", "a_7")]


def test_c16_7_nobody_comes_out_while_the_enemy_is_there_and_nobody_else_comes_out_at_all() -> None:
    """Whether the marker lies there or not; the 28th Regiment builds an airfield elsewhere."""
    for change in (FORTRESS, SIEGE):
        units: dict[str, Where] = {"j_144": "port_moresby", "a_30": INSIDE, "j_28": "abau", "a_7": "kokoda"}
        board = operation(JP, "papuan_coast", units, control={"abau": JP}, change=change)
        facts = board.go(BuildAirfield("abau", "j_28"))

        assert ([], True) == (of(facts, CameOut), board.open.units["a_30"].inside)


@pytest.mark.parametrize(
    ("area", "change", "offered"),
    [
        ("abau", {}, [BuildAirfield("abau", "a_30")]),
        ("abau", {"airfields": {"abau": AL}}, [RemoveAirfield("abau", "a_30")]),
        ("kokoda", {}, []),
        ("port_moresby", {}, []),
        ("abau", {"counters": [3, 0]}, []),
    ],
)
def test_c19_3_c19_4_where_one_may_be_built_or_removed(
    area: str, change: dict[str, object], offered: list[Decision]
) -> None:
    """Not in the mountains, not where one is printed, not without a counter."""
    board = operation(AL, area, {"a_30": area, "a_7": area}, change=change)

    only = [d for d in board.offered(BuildAirfield, RemoveAirfield) if "a_30" in str(d)]
    assert offered == only


def test_c19_3_nobody_builds_aboard_or_besieged() -> None:
    board = operation(AL, "papuan_coast", {"a_tf17": "papuan_coast", "a_30": "papuan_coast"})
    shut = besieged(AL, "port_moresby", {})

    assert [] == board.offered(BuildAirfield)
    assert [] == shut.offered(BuildAirfield, RemoveAirfield)


@pytest.mark.parametrize(("card", "left"), [(True, 5), (False, 3)])
def test_c19_3_c7_5_an_airfield_costs_three_or_what_seabees_ask(card: bool, left: int) -> None:
    board = operation(
        AL, "papuan_coast", {"a_30": "abau", "a_7": "milne_bay"}, hands=((), ("A26",)), stop=True
    )
    board.go(*[PlayReaction("A26")] * card)
    board.watch = False
    board.quiet()
    board.go(BuildAirfield("abau", "a_30"))

    assert left == board.sp


@pytest.mark.parametrize(("counters", "airfields"), [([2, 3], {"buna": AL}), ([2, 0], {})])
def test_c19_6_a_captured_counter_is_gone_and_replaced_if_one_is_left_r53(
    counters: list[int], airfields: dict[str, int]
) -> None:
    board = operation(
        AL,
        "port_moresby",
        {"a_30": "kokoda"},
        control={"buna": JP},
        change={"airfields": {"buna": JP}, "counters": counters},
    )
    facts = board.go(StartGroundMove("kokoda"), StepTo("buna"))

    assert (airfields, counters[JP]) == (board.open.airfields, board.open.counters[JP])
    assert [AirfieldGone("buna", JP, 2)] == of(facts, AirfieldGone)
    assert len(airfields) == len(of(facts, AirfieldSet))


def test_c19_1_c22_1_an_airfield_out_of_order_does_not_work() -> None:
    now = given({}, change={"airfields": {"buna": AL}, "damaged": ["buna"]}).open

    assert (False, True) == (works(now, "buna", AL), works(now, "port_moresby", AL))


@pytest.mark.parametrize(
    ("area", "units", "near"),
    [
        ("buna", {"a_yorktown": "ward_hunt_strait"}, True),
        ("buna", {"a_yorktown": "louisiade_sea"}, False),
        ("buna", {"a_tf17": "ward_hunt_strait"}, False),
        ("buna", {"j_shoho": "ward_hunt_strait"}, False),
        ("louisiade_sea", {"a_yorktown": "louisiade_sea"}, True),
    ],
)
def test_c12_15_a_carrier_supports_off_the_coast(area: str, units: dict[str, Where], near: bool) -> None:
    assert near == carrier_near(given(units).open, AL, area)


@pytest.mark.parametrize(
    ("unit", "control", "activated", "repaired"),
    [
        ("port_moresby", AL, True, True),
        ("abau", AL, True, False),
        ("port_moresby", JP, True, False),
        ("port_moresby", AL, False, False),
    ],
)
def test_c22_1_a_repair_needs_a_unit_there_control_and_supply_r71(
    unit: str, control: int, activated: bool, repaired: bool
) -> None:
    now = given({"a_30": unit}, control={"port_moresby": control}, change={"damaged": ["port_moresby"]}).open

    assert repaired == bool(repairs(now, AL, {"port_moresby"} if activated else set()))


def test_c19_3_a_besieger_builds_nothing_before_the_fortress_and_others_build_all_the_same() -> None:
    """Abau is the fortress here: the enemy controls it, and it has no airfield."""
    siege = {"fortresses": {"abau": Fortress(AL, 1)}, "sieges": {"abau": JP}}
    units: dict[str, Where] = {"j_144": "abau", "a_30": ("abau", "i"), "j_28": "milne_bay"}
    board = operation(JP, "papuan_coast", units, control={"milne_bay": JP}, change=siege)

    assert [BuildAirfield("milne_bay", "j_28")] == board.offered(BuildAirfield)
