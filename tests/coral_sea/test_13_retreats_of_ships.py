"""C13.5 Where beaten ships go: a friendly port within Range of the owner's choice, and what bars the way.

From the Stewart Sea a ship reaches Tulagi for 2 Range, Espiritu Santo for 3, Buin and Efate for 4, Milne Bay
and Noumea for 5, Australia and Port Moresby for 6. TF 17 has Range 6, disorganised 5, depleted as well 4.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.coral_sea import battle, retreat
from domain.coral_sea.decisions import ChooseUnit, PlayChit, RetreatTo, StartGroundMove, StepTo
from domain.coral_sea.table import MAP, Unit
from tests.coral_sea.board import AL, DARK, JP, Board, Where, operation, sail

NEAR = {"tulagi", "espiritu_santo", "buin", "efate"}
FAR = {"milne_bay", "noumea"}


def beaten(units: Mapping[str, Where] | None = None, state: str = "", **more: Any) -> Board:
    """TF 17 in the Stewart Sea is disorganised by a squadron that came from the Indispensable Strait."""
    board = operation(
        JP,
        "indispensable_strait",
        {"j_desron2": "indispensable_strait", "a_tf17": ("stewart_sea", state), **(units or {})},
        dice=[10],
        draws=["j_n_gunnery"],
        **more,
    )
    sail(board, ["j_desron2"], "stewart_sea")
    board.go(PlayChit("j_n_gunnery"))
    return board


def havens(board: Board) -> set[str]:
    """Where the ship that retreats may go."""
    return {option.area for option in board.offered(RetreatTo) if isinstance(option, RetreatTo)}


@pytest.mark.parametrize("options", [{}, DARK])
@pytest.mark.parametrize(("state", "ports"), [("", NEAR | FAR), ("d", NEAR)])
def test_c13_5_the_owner_chooses_among_all_friendly_ports_within_range_r98(
    state: str, ports: set[str], options: dict[str, bool]
) -> None:
    board = beaten(state=state, options=options)

    assert ([AL], ports) == (board.asked, havens(board))
    board.go(RetreatTo("efate"))
    assert {"a_tf17": "efate"} == board.at("a_tf17")


def test_c13_5_ports_that_are_not_friendly_are_none_r98() -> None:
    """One that the enemy controls, and one where an enemy unit is: C1.5."""
    board = beaten({"j_28": "efate"}, control={"buin": JP})

    assert {"tulagi", "espiritu_santo", *FAR} == havens(board)


def test_c13_5_one_port_within_range_is_no_choice_r98() -> None:
    board = beaten(state="d", control=dict.fromkeys(NEAR - {"efate"}, JP))

    assert ({"a_tf17": "efate"}, "do") == (board.at("a_tf17"), board.state("a_tf17"))


@pytest.mark.parametrize("options", [{}, DARK])
def test_c13_5_a_beaten_ship_may_pass_through_where_its_attackers_came_from_r99(
    options: dict[str, bool],
) -> None:
    """Tulagi is 2 by way of the Indispensable Strait; by any other 5, and farther than Range 4."""
    assert "tulagi" in havens(beaten(state="d", options=options))


def test_c13_5_not_through_enemy_ships_that_stayed_where_the_attackers_came_from_r99() -> None:
    assert NEAR - {"tulagi"} == havens(beaten({"j_crudiv6": "indispensable_strait"}, state="d"))


def test_c13_5_without_a_port_a_beaten_ship_may_end_where_its_attackers_came_from_r99() -> None:
    """For Japan no port is left: any sea area that can be reached will do (C13.5)."""
    board = operation(
        AL,
        "coral_sea_central",
        {"a_tf17": "coral_sea_central", "a_tf62": "coral_sea_west", "j_crudiv6": "coral_sea_north"},
        control={"rabaul": AL, "kavieng": AL},
        dice=[10],
        draws=["a_n_gunnery"],
    )
    sail(board, ["a_tf17"], "coral_sea_north")
    board.go(PlayChit("a_n_gunnery"))

    assert "coral_sea_central" in havens(board)
    assert not {"coral_sea_west", "coral_sea_north", "rabaul", "tulagi"} & havens(board)
    board.go(RetreatTo("coral_sea_central"))
    assert {"j_crudiv6": "coral_sea_central"} == board.at("j_crudiv6")


def test_c13_5_a_beaten_attacker_need_not_go_back_the_way_it_came_r99() -> None:
    """S9.6.3f binds ground units to their origin; a ship goes to any port within Range."""
    board = operation(
        AL,
        "indispensable_strait",
        {"a_tf17": "indispensable_strait", "j_desron2": "stewart_sea"},
        dice=[1, 10],
        draws=["a_n_gunnery", "j_n_gunnery"],
    )
    sail(board, ["a_tf17"], "stewart_sea")
    board.go(PlayChit("a_n_gunnery"))

    assert NEAR | FAR == havens(board)


def test_c13_5_out_of_range_of_a_port_the_way_leads_to_the_nearest_alone_r98() -> None:
    """Rabaul is 6 from the Chesterfield Sea, Kavieng 7: Range 4 ends in the eastern Solomon Sea."""
    board = operation(
        AL,
        "coral_sea_south",
        {"a_tf17": "coral_sea_south", "j_crudiv6": ("chesterfield_sea", "d")},
        dice=[10],
        draws=["a_n_gunnery"],
    )
    sail(board, ["a_tf17"], "chesterfield_sea")
    board.go(PlayChit("a_n_gunnery"))

    assert {"j_crudiv6": "solomon_sea_east"} == board.at("j_crudiv6")


def test_c13_5_the_cheapest_way_is_one_that_enemy_ships_do_not_bar() -> None:
    """TF 44 is in the eastern Solomon Sea: Rabaul is 7 now, by the Louisiade Sea and the Ward Hunt Strait."""
    board = operation(
        AL,
        "coral_sea_south",
        {"a_tf17": "coral_sea_south", "j_crudiv6": ("chesterfield_sea", "d"), "a_tf44": "solomon_sea_east"},
        dice=[10],
        draws=["a_n_gunnery"],
    )
    sail(board, ["a_tf17"], "chesterfield_sea")
    board.go(PlayChit("a_n_gunnery"))

    assert {"j_crudiv6": "ward_hunt_strait"} == board.at("j_crudiv6")


def test_c13_5_a_truk_ship_with_enemy_ships_all_around_is_lost_c18_5(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the battle in the Slot goes on, enemy ships have come to where the Shokaku came from."""
    monkeypatch.setattr(battle, "CHIT_GUARD", 1)
    units = {"j_shokaku": "shortland_waters", "a_tf17": "the_slot", "a_tf44": "ironbottom_sound"}
    board = operation(JP, "shortland_waters", units, rp=({"shortland_waters": 1}, {}))
    sail(board, ["j_shokaku"], "the_slot")
    board.open.units["a_tf62"] = Unit(MAP, "shortland_waters")
    board.go(*board.offered(PlayChit)[:1])

    assert ("lost", [0, 3]) == (board.state("j_shokaku"), board.open.destroyed_points)


def test_c3_9_ships_driven_from_a_port_choose_with_their_whole_range_r49_r98() -> None:
    """Not disorganised, TF 17 has Range 6: Milne Bay is 2, Australia 3, Buin 4, Lae 5, five ports 6."""
    board = operation(JP, "buna", {"j_144": "kokoda", "a_tf17": "port_moresby"}, control={"buna": JP})
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"))

    five = {"madang", "espiritu_santo", "efate", "noumea", "tulagi"}
    assert {"milne_bay", "australia", "buin", "lae", *five} == havens(board)
    board.go(RetreatTo("madang"))
    assert ({"a_tf17": "madang"}, "full") == (board.at("a_tf17"), board.state("a_tf17"))


def test_c3_9_ships_driven_from_a_port_leave_in_the_order_of_the_data() -> None:
    """The list names areas alone; TF 44 stands before TF 17."""
    units = dict.fromkeys(("a_tf17", "a_tf44"), "port_moresby")
    board = operation(JP, "buna", {"j_144": "kokoda", **units}, control={"buna": JP})
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"), RetreatTo("milne_bay"))

    assert {"a_tf44": "milne_bay", "a_tf17": "port_moresby"} == board.at("a_tf44", "a_tf17")


def test_c13_5_ships_driven_out_among_enemy_ships_are_destroyed_r48() -> None:
    """No sea area before Port Moresby is free of them, so none can be entered."""
    watch = {"j_crudiv6": "gulf_of_papua", "j_desron6": "papuan_coast"}
    units = {"j_144": "kokoda", "a_tf17": "port_moresby", **watch}
    board = operation(JP, "buna", units, control={"buna": JP})
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"))

    assert ("destroyed", 2) == (board.state("a_tf17"), board.open.destroyed_points[JP])


def test_c13_5_each_of_two_ships_chooses_for_itself_c12_8_r98() -> None:
    board = beaten({"a_tf44": "stewart_sea"}, state="d")
    board.go(ChooseUnit("a_tf17"), RetreatTo("buin"))

    assert {"a_tf17": "buin", "a_tf44": "stewart_sea"} == board.at("a_tf17", "a_tf44")


def test_c13_5_c22_2_a_ship_that_has_retreated_is_out_of_sight_while_others_fight_on() -> None:
    board = beaten({"a_tf44": "stewart_sea"}, options=DARK)
    board.go(ChooseUnit("a_tf17"), RetreatTo("efate"))

    assert board.open.battle is not None
    assert ({"a_tf17"}, False) == ({*board.own(AL).units}, "a_tf17" in board.table.open.units)


def test_c13_1_by_the_plain_rule_too_a_ship_retreats_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two areas are the retreat of ground units (R77)."""
    monkeypatch.setattr(retreat, "RETREAT_AREAS", 2)
    board = beaten()
    board.go(RetreatTo("efate"))

    assert ({"a_tf17": "efate"}, []) == (board.at("a_tf17"), board.offered(RetreatTo))


def adrift(*truk: str, control: Mapping[str, int] | None = None) -> Board:
    """Cruiser Div 6, Range 4, is beaten in the Chesterfield Sea; Truk ships lie in some areas."""
    fleet = dict(zip(("j_shokaku", "j_zuikaku", "j_batdiv11"), truk, strict=False))
    board = operation(
        AL,
        "coral_sea_south",
        {"a_tf17": "coral_sea_south", "j_crudiv6": ("chesterfield_sea", "d"), **fleet},
        rp=(dict.fromkeys(truk, 1), {}),
        control=control or {},
        dice=[10],
        draws=["a_n_gunnery"],
    )
    sail(board, ["a_tf17"], "chesterfield_sea")
    board.go(PlayChit("a_n_gunnery"))
    return board


def test_c13_5_only_the_nearest_port_out_of_range_counts() -> None:
    """Tulagi is 5, Rabaul 6: Range 4 ends before Tulagi, on either side of Guadalcanal."""
    board = adrift(control={"tulagi": JP})

    assert {"indispensable_strait", "ironbottom_sound"} == havens(board)


def test_c13_5_c18_3_one_area_short_of_the_truk_fleet_r57() -> None:
    assert {"new_georgia_sea", "louisiade_sea"} == havens(adrift("solomon_sea_east"))


def test_c13_5_c18_3_one_of_two_areas_short_of_the_truk_fleet_r57() -> None:
    board = adrift("solomon_sea_east", "louisiade_sea")

    assert {"j_crudiv6": "new_georgia_sea"} == board.at("j_crudiv6")


def test_c13_5_c18_3_where_even_short_of_it_there_is_no_room_it_is_destroyed_r57() -> None:
    board = adrift("solomon_sea_east", "louisiade_sea", "new_georgia_sea")

    assert ("destroyed", 2) == (board.state("j_crudiv6"), board.open.destroyed_points[AL])


@pytest.mark.parametrize(("state", "reached"), [("", True), ("d", False)])
def test_c13_5_without_a_port_any_sea_area_within_range_but_not_beyond(state: str, reached: bool) -> None:
    """The St Matthias Sea is 5 from the northern Coral Sea, Range 5 or 4."""
    board = operation(
        AL,
        "coral_sea_central",
        {"a_tf17": "coral_sea_central", "j_crudiv6": ("coral_sea_north", state), "j_shokaku": "rennell_sea"},
        control={"rabaul": AL, "kavieng": AL},
        dice=[10],
        draws=["a_n_gunnery"],
    )
    sail(board, ["a_tf17"], "coral_sea_north")
    board.go(PlayChit("a_n_gunnery"))

    assert reached == ("st_matthias_sea" in havens(board))
    assert "rennell_sea" not in havens(board), "the Truk Fleet is there"
    assert "bismarck_sea" in havens(board)
