"""C27 What a view shows of areas, units, sites, cards, the initiative and moves, field by field."""

from typing import Any

import pytest

from domain.coral_sea import CORAL_SEA
from domain.coral_sea.charts import AREAS, CARDS, CHITS, ISLANDS, LEADERS, SIDE_NAMES, UNITS
from domain.coral_sea.decisions import (
    ChooseMode,
    ChooseUnit,
    Done,
    LandAt,
    PickUnit,
    PlayChit,
    StartNavalMove,
)
from domain.coral_sea.reactions import CHIT_REVEALED, OP_OPEN
from domain.coral_sea.table import HiddenStack
from domain.coral_sea.view import WINDOWS
from domain.kernel.audience import Audience
from domain.match.views import Views
from tests.coral_sea.board import AL, DARK, JP, Board, Where, given, off_papua, operation, sail
from tests.seen import plain, view


def seen(board: Board, side: int | None = None) -> dict[str, Any]:
    """The table as a side sees it, or onlookers."""
    table: dict[str, Any] = view(CORAL_SEA, board.table.state, Audience.of(side))["table"]
    return table


def test_before_the_set_up_there_is_nothing_to_see() -> None:
    assert {} == view(CORAL_SEA, CORAL_SEA.state(), Audience.ONLOOKERS)["table"]


def test_c3_an_area_is_shown_as_the_map_prints_it() -> None:
    areas = seen(given({}))["areas"]

    for field in ("urban", "mountain"):
        assert {a.id for a in AREAS.values() if getattr(a, field)} == {
            a for a in areas if areas[a].get(field)
        }


def test_c15_resource_points_are_shown_with_their_side_and_nowhere_else() -> None:
    areas = seen(given({}, rp=({"rabaul": 2, "lae": 1}, {"noumea": 3})))["areas"]

    shown = {area: areas[area]["rp"] for area in areas if "rp" in areas[area]}
    assert {"rabaul": {"japan": 2}, "lae": {"japan": 1}, "noumea": {"allied": 3}} == shown


def test_c19_1_what_keeps_an_airfield_from_working_is_shown() -> None:
    change = {"damaged": ["rabaul"], "suppressed": ["port_moresby"]}
    areas = seen(given({}, control={"rabaul": JP, "port_moresby": AL, "lae": JP}, change=change))["areas"]

    printed = {"printed": True}
    assert [
        {**printed, "works": False, "damaged": True},
        {**printed, "works": False, "suppressed": True},
        {**printed, "works": True},
    ] == [areas[area]["airfield"] for area in ("rabaul", "port_moresby", "lae")]


def test_c4_a_unit_is_shown_as_it_stands() -> None:
    units = seen(given({"j_144": ("rabaul", "doa"), "a_30": "buna", "j_kure3": ("rabaul", "i")}))["units"]

    marks = ("depleted", "disorganised", "acted", "inside")
    shown = {name: [mark for mark in marks if units[name].get(mark)] for name in ("j_144", "a_30", "j_kure3")}
    assert {"j_144": [*marks[:3]], "a_30": [], "j_kure3": ["inside"]} == shown
    assert ("rabaul", "map") == (units["j_144"]["area"], units["j_144"]["status"])
    assert ("pool", False) == (units["a_7"]["status"], "area" in units["a_7"])
    assert {n for n, counter in UNITS.items() if counter.truk_fleet} == {
        n for n in units if units[n].get("truk")
    }


@pytest.mark.parametrize(("side", "name"), [(JP, "japan"), (AL, "allied")])
def test_c23_2_a_site_is_held_and_counts_for_the_side_that_controls_all_of_it(side: int, name: str) -> None:
    everywhere = dict.fromkeys(given({}).open.control, side)
    table = seen(given({}, change={"control": everywhere}))

    other = {"japan": "allied", "allied": "japan"}[name]
    assert {name} == {site["held"] for site in table["sites"].values()}
    assert {name: sum(site["value"] for site in table["sites"].values()), other: 0} == table["points"]


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({}, {"side": "japan"}),
        ({"initiative": AL, "initiative_until": 7}, {"side": "allied", "until": 7}),
        ({"initiative": AL, "shifted": True}, {"side": "allied", "for_good": True}),
    ],
)
def test_c20_the_initiative_is_shown_with_its_end(change: dict[str, Any], shown: dict[str, Any]) -> None:
    assert shown == seen(given({}, change={"initiative": JP, "initiative_until": 0, **change}))["initiative"]


def test_c5_a_card_is_shown_with_what_it_costs_and_whether_it_stays() -> None:
    cards = tuple(card for card in CARDS if card.startswith("J"))
    hand = seen(given({}, hands=(cards, ())), JP)["own"]["hand"]

    assert {c: CARDS[c].sp_cost for c in cards if CARDS[c].sp_cost} == {
        c: hand[c]["sp"] for c in cards if "sp" in hand[c]
    }
    assert {c for c in cards if CARDS[c].permanent} == {c for c in cards if hand[c].get("permanent")}


def test_c5_2_the_choice_is_shown_to_its_owner_alone_until_both_are_in() -> None:
    both = operation(JP, "rabaul", {"j_144": "rabaul"}, stop=True)
    chosen = given({"j_144": "rabaul"})
    chosen.table.state.own[JP].mode = ChooseMode("card").mode

    assert {"japan": "map", "allied": "map"} == seen(both)["modes"]
    assert ["card", None, None] == [seen(chosen, side).get("own", {}).get("mode") for side in (JP, AL, None)]


def test_c22_2_the_order_and_the_points_of_hidden_stacks_are_shown_to_their_owner() -> None:
    board = given({"j_144": "rabaul"}, options=DARK)
    own = board.table.state.own[JP]
    own.order, own.rp = {"rabaul": ["rp", "j_144"]}, {"rabaul": 1}

    mine = seen(board, JP)["own"]
    assert ({"rabaul": ["rp", "j_144"]}, {"rabaul": 1}) == (mine["order"], mine["rp"])
    assert not {"order", "rp"} & {*seen(board, AL)["own"]}


def test_every_id_of_the_charts_has_its_name() -> None:
    named = CORAL_SEA.names

    for chart in (AREAS, CARDS, CHITS, LEADERS):
        assert {one.id: one.name for one in chart.values()}.items() <= named.items()
    assert {"Japanese Destroyer Sqn 4", "Allied Destroyer Sqn 4"} == {named["j_desron4"], named["a_desron4"]}
    assert {unit.name for unit in UNITS.values()} - {*named.values()} == {"Destroyer Sqn 4"}
    assert len(UNITS) == len({named[unit] for unit in UNITS})
    assert {f"island:{one.id}": one.name for one in ISLANDS.values()}.items() <= named.items()
    assert {f"window:{window}": when for window, when in WINDOWS.items()}.items() <= named.items()
    assert [*SIDE_NAMES] == [named[f"side:{side}"] for side in (JP, AL)]


def test_c22_2_of_hidden_stacks_of_both_sides_all_see_the_top_and_the_height() -> None:
    stacks = {"rabaul": HiddenStack("j_144", 1)}, {"noumea": HiddenStack("a_30", 2)}
    shown = seen(given({}, options=DARK, change={"stacks": stacks}))["stacks"]

    assert {
        "rabaul": {"japan": {"top": "j_144", "height": 1}},
        "noumea": {"allied": {"top": "a_30", "height": 2}},
    } == shown


def test_c6_5_of_windows_inside_another_the_innermost_is_shown() -> None:
    window = seen(given({}, change={"windows": [OP_OPEN, CHIT_REVEALED]}))["window"]

    assert (CHIT_REVEALED, WINDOWS[CHIT_REVEALED]) == (window["id"], window["name"])


def test_c27_a_screen_without_cards_is_that_of_the_side_that_has_none() -> None:
    board = given({}, change={"hands": [1, 0], "discards": [1, 0]})

    assert "allied" == seen(board, AL)["own"]["side"]


def test_c10_5_of_a_move_all_see_the_cargo_that_is_still_aboard() -> None:
    board = off_papua("a_30", "a_7", others={"j_144": "abau"}, control={"abau": JP})
    board.go(StartNavalMove(), LandAt("abau"), PickUnit("a_30"), Done())

    move = seen(board)["move"]
    assert ("abau", ["a_7"], "papuan_coast") == (seen(board)["battle"]["area"], move["cargo"], move["at"])


def test_c9_5_of_a_move_all_see_the_ships_that_are_not_destroyed() -> None:
    units: dict[str, Where] = {"a_tf17": ("papuan_coast", "do"), "j_desron2": "louisiade_sea"}
    draws = ["a_n_gunnery", "j_n_long_lance"]
    board = operation(AL, "papuan_coast", {**units, "a_tf44": "papuan_coast"}, draws=draws, dice=[1, 1, 10])
    sail(board, ["a_tf17", "a_tf44"], "louisiade_sea")
    board.go(PlayChit("a_n_gunnery"), ChooseUnit("a_tf44"))
    board.go(PlayChit("j_n_long_lance"), ChooseUnit("a_tf17"))

    move = seen(board)["move"]
    assert ("battle", ["a_tf44"], "louisiade_sea") == (seen(board)["step"], move["units"], move["at"])


def test_c6_8_a_card_in_the_hand_is_shown_as_it_is_once_another_lies_beside_the_map() -> None:
    board, views = given({}), Views(CORAL_SEA)
    board.table.state.own[AL].hand = ["A05"]

    def shown() -> tuple[str, list[str]]:
        card = plain(views.of(board.table.state)[Audience.SIDE_1])["table"]["own"]["hand"]["A05"]
        return card["colour"], card["when"]

    before = shown()
    board.table.state.open.permanent = ["A04"]

    assert ("green", list(CARDS["A05"].timing)) == before
    assert ("red", ["op_open", "op_after_action"]) == shown()
