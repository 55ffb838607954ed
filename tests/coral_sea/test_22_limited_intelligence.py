"""C22.2 Hidden stacks do not change what is legal, and cannot be counted; what is seen of them."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.coral_sea.decisions import (
    ChooseMode,
    ChooseUnit,
    Done,
    EndOperation,
    LoseUnit,
    OpenOperation,
    PlayCard,
    PlayChit,
    PlayReaction,
    SetTop,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
    TrukEntry,
)
from domain.coral_sea.happenings import UnitDestroyed, UnitLeft, UnitsShown
from domain.coral_sea.intelligence import seen
from domain.coral_sea.places import AirfieldGone, HiddenStackSeen, RpHas
from domain.coral_sea.secrets import HiddenRp
from domain.coral_sea.sequence import CoralSea
from domain.coral_sea.sequence import Sequence as SequenceFrame
from domain.coral_sea.table import HiddenStack, occupied, opposed, ship_areas
from domain.kernel.audience import Audience
from domain.kernel.procedures import Sight
from tests.coral_sea.board import (
    AL,
    DARK,
    JP,
    Board,
    Opened,
    Where,
    action,
    given,
    land_battle,
    of,
    opened,
    operation,
    pick,
)


def test_c8_6_c22_2_a_hidden_stack_under_siege_promises_no_battle() -> None:
    """To join the besiegers must be paid, whoever is shut in: nobody there would fight."""
    board = operation(
        AL,
        "solomon_sea_west",
        {
            "a_1m": "rabaul",
            "a_5m": ("gasmata", "do"),
            "a_tf17": "solomon_sea_west",
            "j_kure3": ("rabaul", "i"),
        },
        scenario="fortress",
        control={"gasmata": AL, "cape_gloucester": AL},
        change={"sieges": {"rabaul": AL}},
        options=DARK,
    )
    board.table.open.operation.sp = 2
    board.go(StartGroundMove("gasmata"))

    assert [StepTo("cape_gloucester")] == board.offered()


def test_c22_2_c27_how_worn_a_hidden_stack_is_cannot_be_counted_in_the_jungle() -> None:
    assert 1 == len({march(state) for state in ("", "d", "o", "do")})


def march(state: str) -> int:
    """How many sealed facts the Allies count before they see two units go from port to port."""
    board = operation(
        JP, "lae", {"j_28": ("lae", state), "j_41": "lae"}, options=DARK, control={"lae": JP, "madang": JP}
    )
    board.go(StartGroundMove("lae"))
    pick(board, "j_28", "j_41")
    facts = board.table.decide(JP, StepTo("madang"))
    return next(place for place, fact in enumerate(facts) if Audience.of(AL).sees(fact.audience()))


def march_from_lae(state: str, to: str) -> Board:
    board = operation(JP, "lae", {"j_28": ("lae", state)}, options=DARK, control={"lae": JP})
    assert "j_28" in board.own(JP).units
    board.go(StartGroundMove("lae"), StepTo(to))
    return board


@pytest.mark.parametrize(("before", "after"), [("", "d"), ("d", "do"), ("o", "do"), ("do", "do")])
def test_c8_3_c22_2_the_jungle_wears_a_hidden_stack_as_any_other(before: str, after: str) -> None:
    assert after == march_from_lae(before, "madang").state("j_28")


def test_c22_2_who_marches_out_of_a_port_is_in_sight_and_no_longer_behind_the_screen() -> None:
    board = march_from_lae("", "morobe")

    assert ("morobe", False) == (board.table.open.units["j_28"].area, "j_28" in board.own(JP).units)


def test_c10_12_c22_2_a_hidden_unit_that_is_destroyed_is_shown_first() -> None:
    aboard = ("a_30", "a_7", "a_14", "a_18")
    board = operation(AL, "papuan_coast", dict.fromkeys(("a_tf17", *aboard), "papuan_coast"), options=DARK)
    assert "a_7" in board.own(AL).units
    facts = board.go(EndOperation(), LoseUnit("a_7"))

    assert [["a_7"], "a_7"] == [
        [*fact.units] if isinstance(fact, UnitsShown) else fact.unit
        for fact in of(facts, UnitsShown, UnitDestroyed)
    ]
    assert ("destroyed", False) == (board.state("a_7"), "a_7" in board.own(AL).units)


def test_c21_1_c22_2_a_hidden_ship_that_a_card_removes_is_shown_first() -> None:
    """Midway: both sides have a carrier in port; an operation has covered them."""
    board = operation(
        JP, "rabaul", {"j_shoho": "rabaul", "a_yorktown": "noumea"}, options=DARK, hands=(("J06",), ())
    )
    board.go(EndOperation(), *[ChooseMode("card")] * 2, PlayCard("J06"))

    assert ["j_shoho", "a_yorktown"] == [fact.unit for fact in of(board.facts, UnitLeft)]
    assert [["j_shoho"], ["a_yorktown"]] == [[*fact.units] for fact in of(board.facts, UnitsShown)]
    assert ["removed"] * 2 == [board.state(unit) for unit in ("j_shoho", "a_yorktown")]
    assert [{}, {}] == [board.own(side).units for side in (JP, AL)]


@pytest.mark.parametrize("side", [JP, AL])
def test_c7_1_c22_2_hidden_units_may_act_again_in_the_next_operation(side: int) -> None:
    unit, home, at_sea = [
        ("j_crudiv6", "rabaul", "st_georges_channel"),
        ("a_tf17", "noumea", "loyalty_sea"),
    ][side]
    stocks = ({"rabaul": 1}, {"noumea": 1})
    board = operation(side, home, {unit: home}, rp=stocks, options=DARK)
    board.go(StartNavalMove(), Done(), StepTo(at_sea), Stop())
    assert board.own(side).units[unit].acted
    board.go(ChooseMode("map" if side == JP else "card"), seat=JP)
    board.go(ChooseMode("map" if side == AL else "card"), seat=AL)
    if OpenOperation(home) in board.offered():
        board.go(OpenOperation(home))

    assert not board.own(side).units[unit].acted


def test_c22_2_a_hidden_stack_counts_as_a_ship_at_sea_and_as_a_ground_unit_ashore_r83() -> None:
    units = {"j_crudiv6": "coral_sea_west", "j_144": "lae", "a_tf17": "noumea"}
    board = operation(AL, "noumea", units, options=DARK, control={"lae": JP})
    known = seen(Sight(AL, AL, board.table.open, board.own(AL)))

    assert {"coral_sea_west"} == ship_areas(known, JP)
    assert {"coral_sea_west", "lae"} <= occupied(known, JP)
    assert (False, True) == (opposed(known, "coral_sea_west", AL), opposed(known, "lae", AL))


def under_way(area: str, units: Mapping[str, Where], **more: Any) -> Board:
    """A Japanese operation, between two actions, with hidden stacks."""
    return given(
        units,
        CoralSea(at="again"),
        SequenceFrame(at="first_card"),
        Opened(JP, area),
        options=DARK,
        change=opened(JP, area),
        **more,
    ).quiet()


def test_c22_2_resource_points_lie_open_in_towns_without_a_port_and_hidden_elsewhere() -> None:
    stocks = ({"buna": 1, "rabaul": 1}, {"guadalcanal_lunga": 2, "noumea": 1})
    board = under_way("rabaul", {"j_144": "rabaul"}, rp=stocks, control={"buna": JP})

    assert ({"buna": 1}, {"guadalcanal_lunga": 2}) == board.table.open.rp
    assert stocks == board.open.rp


def test_c22_2_the_newest_arrival_is_on_top() -> None:
    board = under_way("solomon_sea_east", {"j_crudiv6": "solomon_sea_east", "j_crudiv18": "solomon_sea_west"})
    board.go(StartNavalMove(), StepTo("solomon_sea_west"), Stop())

    assert ["j_crudiv18", "j_crudiv6"] == board.own(JP).order["solomon_sea_west"]
    assert HiddenStack("j_crudiv6", 2) == board.table.open.stacks[JP]["solomon_sea_west"]


def test_c22_2_another_top_is_one_of_those_below_it_and_the_stack_grows_no_higher_r84() -> None:
    board = under_way("rabaul", dict.fromkeys(("j_144", "j_41", "j_28"), "rabaul"))
    below = [SetTop("rabaul", "j_144"), SetTop("rabaul", "j_41")]
    assert ["j_144", "j_41", "j_28"] == board.own(JP).order["rabaul"]
    assert below == board.offered(SetTop)
    board.go(below[0])

    assert ["j_41", "j_28", "j_144"] == board.own(JP).order["rabaul"]
    assert HiddenStack("j_144", 3) == board.table.open.stacks[JP]["rabaul"]


def test_c21_1_c22_2_a_submarine_finds_hidden_ships_that_have_just_moved() -> None:
    board = under_way("rabaul", {"j_crudiv18": "rabaul"}, hands=((), ("A25",)), dice=[10])
    board.watch = True
    board.go(StartNavalMove(), StepTo("st_georges_channel"), Stop(), PlayReaction("A25"))

    assert "d" == board.state("j_crudiv18")


def test_c10_11_c22_2_a_ship_and_all_aboard_go_out_of_a_hidden_stack_together() -> None:
    """TF 17 is sunk from the air in the Huon Gulf, the 30th Brigade with it: all see the stack go, once."""
    board = under_way(
        "rabaul",
        {"j_144": "rabaul", "a_tf17": ("huon_gulf", "do"), "a_30": "huon_gulf"},
        hands=(("J18",), ()),
        rp=({"rabaul": 1}, {}),
        control={"lae": JP},
        dice=[10],
    )
    board.go(EndOperation(), ChooseMode("card"), ChooseMode("card"))
    facts = board.go(PlayCard("J18"), ChooseUnit("a_tf17"))

    assert ["a_tf17", "a_30"] == [fact.unit for fact in of(facts, UnitDestroyed)]
    assert [HiddenStackSeen(AL, "huon_gulf", "", 0)] == of(facts, HiddenStackSeen)


def test_c22_2_new_resource_points_in_a_port_are_not_in_sight() -> None:
    board = action(JP, {}, hands=(("J07",), ()), options=DARK)
    facts = board.go(PlayCard("J07"))

    assert ([], [1, 2]) == (of(facts, RpHas), [fact.count for fact in of(facts, HiddenRp)])


def test_c18_1_c22_2_the_truk_fleet_is_out_of_sight_once_it_has_appeared() -> None:
    board = action(JP, {}, hands=(("J01",), ()), options=DARK)
    board.go(PlayCard("J01"), TrukEntry("nuguria_sea"))

    assert {"nuguria_sea": HiddenStack("rp", 7)} == board.table.open.stacks[JP]
    assert 4 == len(board.own(JP).units)


GONE, COME = ("stack", AL, 0), ("stack", JP, 1)


@pytest.mark.parametrize(("found", "order"), [(0, ["airfield", COME]), (1, [COME, GONE, "airfield"])])
def test_c3_9_c22_2_what_is_seen_of_captured_resource_points_is_told_before_the_airfield_is_taken(
    found: int, order: list[object]
) -> None:
    """Where none are captured, what is seen of the stack is told after it."""
    board = operation(
        JP,
        "buna",
        {"j_144": "tufi"},
        rp=({}, {"milne_bay": found} if found else {}),
        control={"buna": JP, "tufi": JP},
        change={"airfields": {"milne_bay": AL}},
        options=DARK,
    )
    facts = board.go(StartGroundMove("tufi"), StepTo("milne_bay"))

    told = of(facts, HiddenStackSeen, AirfieldGone)
    assert order == [
        "airfield" if isinstance(fact, AirfieldGone) else ("stack", fact.side, fact.count) for fact in told
    ]


def test_c10_9_c22_2_ships_without_resource_points_carry_none() -> None:
    board = operation(JP, "rabaul", {"j_crudiv6": "rabaul"}, options=DARK)
    board.go(StartNavalMove(), Done(), StepTo("st_georges_channel"))
    facts = board.go(StepTo("nuguria_sea"))

    assert [("st_georges_channel", 0), ("nuguria_sea", 0)] == [(f.area, f.count) for f in of(facts, HiddenRp)]
    assert {"rabaul": 1} == board.own(JP).rp


def test_c12_13_c22_2_a_battle_over_its_units_are_out_of_sight_before_ships_leave_the_port() -> None:
    """The brigade has taken Lae; the cruisers that lay there may retreat to more than one port."""
    board = land_battle(
        AL,
        "lae",
        {"a_30": ""},
        {"j_144": ""},
        origin="morobe",
        others={"j_crudiv6": "lae"},
        control={"madang": JP, "finschhafen": JP},
        draws=["a_g_assault"],
        dice=[10],
        options=DARK,
    )
    assert "a_30" in board.table.open.units
    board.go(PlayChit("a_g_assault"))

    assert ([JP], "C13.4") == (board.asked, board.rule)
    assert ("a_30" in board.table.open.units, "a_30" in board.own(AL).units) == (False, True)
