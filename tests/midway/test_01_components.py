"""M1 Components and terms."""

from importlib.resources import files
from random import Random
from typing import Any

import pytest
from msgspec import Struct, json
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Rolled, Secret, UmpireFact
from domain.midway import FACTS, MIDWAY, charts
from domain.midway.charts import SEQUENCE, SHIPS, SIDES, SQUADRONS
from domain.midway.decisions import Advance, CapVsFighters, Done, Land
from domain.midway.facts import GroupLost, GroupMoved, StepStarted, StrengthLost
from domain.midway.table import in_cap, state_of
from tests.fuzz.matches import Play, choose
from tests.midway.board import begun, given, of
from tests.seen import table, view

DATA = json.decode(files("domain.midway").joinpath("data", "midway.json").read_bytes())


def test_m1_1_japan_acts_first_in_every_pair_of_steps() -> None:
    assert ("JP", "US") == SIDES
    assert ["JP", "US"] * 7 == [row.side for row in SEQUENCE]


@pytest.mark.parametrize(
    ("damage", "state"),
    [(0, "operational"), (6, "operational"), (7, "crippled"), (9, "crippled"), (10, "sunk")],
)
def test_m1_2_the_state_of_a_carrier_follows_from_its_damage(damage: int, state: str) -> None:
    assert state == state_of(damage)


def test_m1_3_a_group_has_a_side_a_home_a_type_and_a_strength() -> None:
    group = begun().open.groups["KAG-T3"]

    assert (0, "KAGA", "T", 5, 5) == (group.side, group.home, group.type, group.full, group.strength)


def test_m1_4_groups_have_one_to_five_strength_points() -> None:
    assert set(range(1, 6)) >= {squadron.strength for squadron in SQUADRONS.values()}


def test_m1_4_strength_points_are_only_ever_lost() -> None:
    kinds = {kind for kind in FACTS if "strength" in kind.__struct_fields__}

    assert {StrengthLost} == kinds


def test_m1_5_a_group_without_strength_is_lost_and_stays_lost() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-F1": (1, "READY"), "ENT-D1": (5, "HOME")},
        step=5,
        dice=[[4, 4, 1, 1, 1], [1]],
    )

    facts = board.decide(CapVsFighters("AKA-F1"))

    assert [GroupLost("ENT-F1", 1, "CAP_DOGFIGHT")] == of(facts, GroupLost)
    assert {"ENT-F1": (0, "LOST")} == board.places("ENT-F1")
    assert [] == [d for d in board.offered() if getattr(d, "group", "") == "ENT-F1"]


def test_m1_6_every_group_of_a_scenario_is_in_a_place_of_the_list() -> None:
    boxes = {(box["id"], box["per"]): box["holds"] for box in DATA["boxes"]}

    for group in begun().open.groups.values():
        name, _, ship = group.place.partition(":")
        key = (name, "carrier") if ship in SHIPS else (group.place, "side")
        assert group.type in boxes[key]


def test_m1_7_groups_of_several_carriers_share_a_box() -> None:
    board = given({"AKA-F1": (5, "WAITING"), "KAG-F1": (5, "WAITING")}, step=1)

    assert Land("AKA-F1", "KAGA") in board.offered()
    assert Land("KAG-F1", "KAGA") in board.offered()


def test_m1_8_three_cap_positions_allow_three_attacks() -> None:
    board = given({"AKA-F1": (5, "CAP:1"), "ENT-F1": (5, "READY"), "ENT-D1": (5, "HOME")}, step=5)
    places = []
    for turn in (2, 3, 4):
        while CapVsFighters("AKA-F1") not in board.offered():
            board.decide(Done())
        board.decide(CapVsFighters("AKA-F1"))
        places.append(board.until(6, turn).groups["AKA-F1"].place)

    assert ["CAP:2", "CAP:3", "WAITING"] == places
    assert [] == in_cap(board.open, 0)


def test_m1_9_all_dice_are_six_sided() -> None:
    board = given({"YOR-D1": (5, "ATTACKING")}, step=8, damage={"KAGA": 3})
    board.decide(board.offered()[0])

    assert {6} == {fact.sides for fact in board.facts if isinstance(fact, Rolled)}


def test_m1_10_nothing_is_hidden() -> None:
    play = Play(MIDWAY, "duel", {}, 1)

    assert [] == [kind for kind in FACTS if issubclass(kind, Secret | UmpireFact)]
    views = [view(MIDWAY, play.state, Audience.of(side))["table"] for side in (0, 1, None)]
    assert views[0] == views[1] == views[2]


def test_m1_10_before_the_first_step_none_is_shown() -> None:
    shown = table(MIDWAY, replace(begun().open, steps=()))

    assert shown["steps"] == shown["active"] == []
    assert not {"step", "step_name"} & set(shown)


def test_m1_11_data_order_is_the_order_of_the_lists() -> None:
    ships = ["AKAGI", "KAGA", "SORYU", "HIRYU", "ENTERPRISE", "HORNET", "YORKTOWN"]

    assert ships == list(begun().open.carriers)
    assert [group["id"] for group in DATA["groups"]] == list(begun().open.groups)


def test_m1_11_lists_are_drawn_up_in_data_order() -> None:
    board = given({"HIR-D1": (5, "HOME"), "AKA-T1": (5, "HOME"), "AKA-D1": (5, "HOME")}, step=3)

    assert [Advance("AKA-D1"), Advance("AKA-T1"), Advance("HIR-D1")] == board.offered(Advance)


def test_m1_11_the_lists_of_the_data_file_do_not_change_in_play() -> None:
    rows = [kind for kind in vars(charts).values() if isinstance(kind, type) and issubclass(kind, Struct)]

    assert {charts.Ship, charts.Squadron} <= {*rows}
    assert [] == [row for row in rows if row is not Struct and not row.__struct_config__.frozen]


def ways() -> set[tuple[str, str, int, str]]:
    """The edges of the data file as (from, to, step, type)."""
    return {
        (edge["from"], edge["to"], number, kind)
        for edge in DATA["edges"]
        for number in edge["steps"]
        for kind in edge["types"]
    }


def test_m1_12_groups_go_only_the_ways_of_the_board_graph() -> None:
    used: set[tuple[str, str, int, str]] = set()
    for seed in range(12):
        play, random = Play(MIDWAY, ["duel", "historical-4-june"][seed % 2], {}, seed), Random(seed)
        while not play.over:
            play.decide(*choose(play, random, 0.9))
        used |= travelled([fact for _, fact in play.log])

    assert set() == used - ways()
    assert {place for place, _, _, _ in ways()} - {"*"} == {place for place, _, _, _ in used}


def travelled(facts: list[Any]) -> set[tuple[str, str, int, str]]:
    """The moves of a match as (from, to, step, type); a ship's places by their kind."""
    found, number = set[tuple[str, str, int, str]](), 0
    for fact in facts:
        if isinstance(fact, StepStarted):
            number = fact.step
        elif isinstance(fact, GroupMoved):
            kinds = [p.split(":")[0] if p.split(":")[-1] in SHIPS else p for p in (fact.origin, fact.to)]
            found.add((kinds[0], kinds[1], number, SQUADRONS[fact.group].type))
    return found
