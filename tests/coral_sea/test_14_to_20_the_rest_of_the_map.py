"""C14 rebuilding, C15 resource points, C16 fortresses, C17 leaders, C18 Truk, C19 airfields, C20."""

from typing import Any

import pytest

from domain.coral_sea import battle, charts
from domain.coral_sea.airfields import in_range, works
from domain.coral_sea.atlas import SEAS
from domain.coral_sea.charts import ALLIED
from domain.coral_sea.decisions import (
    Besiege,
    BuildAirfield,
    ChooseMode,
    ChooseUnit,
    DiscardForRp,
    Done,
    DrawCard,
    EndOperation,
    LandAt,
    PickUnit,
    PlaceRp,
    PlayCard,
    PlayChit,
    Rebuild,
    RemoveAirfield,
    Reorganize,
    RetreatTo,
    Sortie,
    StartGroundMove,
    StepTo,
    Stop,
    TakeRefuge,
    TrukEntry,
)
from domain.coral_sea.facts import InitiativeChanged, SequenceBegan
from domain.coral_sea.fighting import BattleBegan, BattleEnded
from domain.coral_sea.flight import ground_destinations
from domain.coral_sea.happenings import LeaderLost
from domain.coral_sea.initiative import shift
from domain.coral_sea.places import AirfieldSet, FortressFell, RpHas, SiegeLaid, SiegeLifted
from domain.coral_sea.sequence import CoralSea
from domain.coral_sea.supply import reach
from domain.coral_sea.table import Fortress, Unit, occupied
from tests.coral_sea.board import (
    AL,
    JP,
    TRUK,
    Board,
    Where,
    action,
    dice_of,
    given,
    land_battle,
    of,
    operation,
    sail,
)

MORESBY = {"fortresses": {"port_moresby": Fortress(AL, 1)}}


def test_c14_1_reorganising_costs_one_and_no_die() -> None:
    board = operation(AL, "abau", {"a_30": ("abau", "o"), "a_7": ("abau", "o")})
    board.go(Reorganize("a_30"), Reorganize("a_7"))

    assert ("full", "full", []) == (board.state("a_30"), board.state("a_7"), dice_of(board.facts))


def test_c14_2_one_unit_is_rebuilt_in_an_operation_r51() -> None:
    board = operation(AL, "abau", {"a_30": ("abau", "d"), "a_7": ("abau", "d")})
    board.go(Rebuild("a_30"))

    assert ("full", []) == (board.state("a_30"), board.offered(Rebuild))


def test_c14_3_only_one_of_the_two() -> None:
    board = operation(AL, "abau", {"a_30": ("abau", "do"), "a_7": "abau"})
    assert {Reorganize("a_30"), Rebuild("a_30")} == set(board.offered(Reorganize, Rebuild))
    board.go(Rebuild("a_30"))

    assert [] == board.offered(Reorganize, Rebuild)


def test_c14_4_ships_only_in_a_friendly_port_and_nobody_aboard() -> None:
    port = operation(AL, "noumea", {"a_tf17": ("noumea", "d")})
    sea = operation(AL, "noumea_waters", {"a_tf17": ("noumea_waters", "d"), "a_30": ("noumea_waters", "d")})

    assert [Rebuild("a_tf17")] == port.offered(Rebuild)
    assert [] == sea.offered(Rebuild)


def test_c15_1_c15_3_resource_points_lie_in_towns_or_aboard() -> None:
    now = given().open

    assert {"rabaul", "australia", "noumea", "port_moresby", "papuan_coast"} == {*now.rp[0], *now.rp[1]}


def test_c15_2_where_new_ones_come() -> None:
    board = action(AL, {}, hands=((), ("A10",)))
    board.go(DiscardForRp("A10"))
    assert [PlaceRp("australia"), PlaceRp("noumea")] == board.offered()
    bombed = action(AL, {}, hands=((), ("A10",)), permanent=["J05"])
    bombed.go(DiscardForRp("A10"))

    assert {"noumea": 1} == bombed.open.rp[AL]


def test_c15_4_half_of_what_is_captured_is_kept_r73() -> None:
    for found, kept in ((3, {"buna": 1}), (1, {})):
        board = operation(
            AL, "port_moresby", {"a_30": "kokoda"}, rp=({"buna": found}, {}), control={"buna": JP}
        )
        facts = board.go(StartGroundMove("kokoda"), StepTo("buna"))
        assert ({}, kept) == (board.open.rp[JP], board.open.rp[AL])
        assert [(JP, 0), *((AL, count) for count in kept.values())] == [
            (fact.side, fact.count) for fact in of(facts, RpHas)
        ]


def besieging(**more: Any) -> Board:
    """Japan marches from Kokoda on fortified Port Moresby."""
    standing = {"j_144": "kokoda", "a_30": "port_moresby", "a_7": "port_moresby"}
    board = operation(JP, "buna", standing, control={"buna": JP, "kokoda": JP}, change=MORESBY, **more)
    board.go(StartGroundMove("kokoda"), StepTo("port_moresby"))
    return board


def under_siege(**more: Any) -> Board:
    change = {**MORESBY, "sieges": {"port_moresby": JP}}
    units: dict[str, Where] = {"j_144": "port_moresby", "j_28": "port_moresby"}
    units["a_30"] = ("port_moresby", "i")
    side, marker = more.pop("side", JP), more.pop("marker", "gulf_of_papua")
    units |= more.pop("units", {})
    return operation(side, marker, units, change=change, **more)


def test_c16_1_a_fortress_makes_its_area_enemy_occupied_r89() -> None:
    now = given(None, scenario="fortress").open

    assert {"rabaul": Fortress(JP, 1), "port_moresby": Fortress(AL, 1)} == now.fortresses
    assert "port_moresby" in occupied(given({}, change=MORESBY).open, AL)


def test_c16_2_c16_3_units_take_refuge_one_by_one_r65() -> None:
    board = besieging()

    assert [TakeRefuge("a_30"), TakeRefuge("a_7"), Done()] == board.offered()
    board.go(TakeRefuge("a_30"), Done())
    assert [("a_7",)] == [fact.units[AL] for fact in of(board.facts, BattleBegan)]


def test_c16_3_a_unit_may_retreat_inside() -> None:
    board = besieging(draws=["j_g_close_combat"], dice=[10, 1])
    board.go(Done(), PlayChit("j_g_close_combat"), ChooseUnit("a_30"))
    assert RetreatTo("port_moresby") in board.offered()
    board.go(RetreatTo("port_moresby"))

    assert board.open.units["a_30"].inside


def test_c16_4_with_nobody_outside_the_siege_begins() -> None:
    board = besieging()
    assert [] == of(board.facts, SiegeLaid)
    facts = board.go(TakeRefuge("a_30"), TakeRefuge("a_7"))

    assert [SiegeLaid("port_moresby", JP)] == of(facts, SiegeLaid)
    assert ([], {"port_moresby": JP}) == (of(facts, BattleBegan), board.open.sieges)
    assert AL == board.open.control["port_moresby"]


def test_c16_5_the_fortress_falls_or_holds_r64() -> None:
    for die, falls in ((5, True), (6, False)):
        board = under_siege(dice=[die])
        board.go(Besiege("port_moresby"))
        assert falls == bool(of(board.facts, FortressFell))
        assert ("destroyed" if falls else "full") == board.state("a_30")
        assert (JP if falls else AL) == board.open.control["port_moresby"]


def test_c16_6_a_sortie_and_only_back_inside_r81() -> None:
    board = under_siege(side=AL, marker="port_moresby", draws=["j_g_ambush", "a_g_assault"], dice=[1, 10])
    board.go(Sortie("port_moresby"))

    assert [("port_moresby", AL)] == [(f.area, f.attacker) for f in of(board.facts, BattleBegan)]
    assert ["port_moresby"] == ground_destinations(board.open, "a_30", False, board.open.battle)


def test_c16_6_resource_points_inside_serve_those_inside_alone() -> None:
    now = under_siege(units={"a_7": "abau"}).open

    assert {"port_moresby"} == reach(now, AL, "port_moresby")
    assert "port_moresby" not in reach(now, AL, "abau")


def test_c16_6_besieged_units_join_a_force_that_comes_to_relieve_them() -> None:
    board = under_siege(side=AL, marker="abau", units={"a_7": "abau"})
    board.go(StartGroundMove("abau"), StepTo("port_moresby"))

    (battle,) = of(board.facts, BattleBegan)
    assert ({"a_7", "a_30"}, {"j_144", "j_28"}) == (set(battle.units[AL]), set(battle.units[JP]))


def test_c16_7_the_marker_goes_with_the_last_besieger() -> None:
    board = under_siege(control={"kokoda": JP})
    board.go(StartGroundMove("port_moresby"), PickUnit("j_144"), PickUnit("j_28"), StepTo("kokoda"), Stop())

    assert [SiegeLifted("port_moresby")] == of(board.facts, SiegeLifted)
    assert not board.open.units["a_30"].inside


def test_c17_1_a_leader_moves_with_his_unit_and_his_abilities_count_r82() -> None:
    board = land_battle(
        AL, "buna", {"a_5m": ""}, {"j_144": ""}, origin="kokoda", change={"leaders": {"l_rupertus": "a_5m"}}
    )

    assert 4 == len(board.own(AL).chits)
    march = operation(
        JP, "lae", {"j_144": "lae"}, control={"lae": JP}, change={"leaders": {"l_horii": "j_144"}}
    )
    march.go(StartGroundMove("lae"), StepTo("morobe"))
    assert "full" == march.state("j_144")


def test_c17_1_where_a_stack_parts_the_owner_chooses_r82() -> None:
    board = operation(
        JP,
        "lae",
        {"j_144": "lae", "j_28": "lae"},
        control={"lae": JP},
        change={"leaders": {"l_horii": "j_144"}},
    )
    board.go(StartGroundMove("lae"), PickUnit("j_28"), Done())
    assert {ChooseUnit("j_144"), ChooseUnit("j_28")} == set(board.offered())
    board.go(ChooseUnit("j_28"))

    assert {"l_horii": "j_28"} == board.open.leaders


def test_c17_1_a_leader_is_seen_with_limited_intelligence_r91() -> None:
    board = given(None, CoralSea(), scenario="fortress", options={"limited_intelligence": True})

    assert {"l_horii": "j_144", "l_rupertus": "a_5m"} == board.table.open.leaders


def test_c17_2_a_leader_is_lost_with_the_last_unit() -> None:
    board = land_battle(
        JP,
        "tulagi",
        {"j_144": ""},
        {"a_5m": ""},
        origin="ironbottom_sound",
        others={"j_crudiv6": "ironbottom_sound"},
        draws=["j_g_close_combat"],
        dice=[10, 1],
        change={"leaders": {"l_rupertus": "a_5m"}},
    )
    board.go(PlayChit("j_g_close_combat"))

    assert [LeaderLost("l_rupertus")] == of(board.facts, LeaderLost)


AT_NUGURIA = dict.fromkeys(TRUK, "nuguria_sea")


def test_c18_1_the_fleet_appears_in_a_free_area() -> None:
    board = action(JP, {"j_shoho": "nuguria_sea"}, hands=(("J01",), ()))
    board.go(PlayCard("J01"))

    assert [TrukEntry("st_matthias_sea"), TrukEntry("nukumanu_sea")] == board.offered()
    board.go(TrukEntry("nukumanu_sea"))
    assert {"nukumanu_sea": 3} == board.open.rp[JP]


def test_c18_2_they_enter_no_port_and_carry_nobody() -> None:
    board = operation(JP, "nuguria_sea", {**AT_NUGURIA, "j_144": "namatanai"}, rp=({"nuguria_sea": 2}, {}))
    sail(board, list(TRUK))
    board.go(StepTo("st_georges_channel"))

    assert StepTo("rabaul") not in board.offered()
    assert [] == board.offered(LandAt)
    assert {"st_georges_channel": 2} == board.open.rp[JP]


def test_c18_3_they_pass_other_ships_but_do_not_stay_r57() -> None:
    units = {**AT_NUGURIA, "j_crudiv6": "st_georges_channel"}
    board = operation(JP, "nuguria_sea", units, rp=({"nuguria_sea": 2}, {}))
    sail(board, list(TRUK))
    board.go(StepTo("st_georges_channel"))

    assert [] == board.offered(Stop)
    assert board.offered(StepTo)


def test_c18_4_without_resource_points_they_go_home_at_the_end_r56() -> None:
    board = operation(JP, "nuguria_sea", AT_NUGURIA)
    assert "full" == board.state("j_shokaku")
    board.go(EndOperation())

    assert ["withdrawn"] * 4 == [board.state(name) for name in TRUK]
    assert [0, 0] == board.open.destroyed_points


def test_c18_5_disorganised_they_leave_lost_only_if_depleted_r55() -> None:
    for before, status, points in (("", "withdrawn", 0), ("d", "lost", 3)):
        board = operation(
            AL,
            "ontong_java_sea",
            {"a_tf64": "ontong_java_sea", "j_shokaku": ("nukumanu_sea", before)},
            rp=({"nukumanu_sea": 2}, {}),
            draws=["a_n_gunnery"],
            dice=[10, 1],
        )
        sail(board, ["a_tf64"], "nukumanu_sea")
        board.go(PlayChit("a_n_gunnery"))
        assert (status, points) == (board.state("j_shokaku"), board.open.destroyed_points[AL])
        assert {} == board.open.rp[JP]


def test_c18_5_c12_13_with_the_last_truk_ship_that_is_withdrawn_the_battle_is_over() -> None:
    board = operation(
        AL,
        "ontong_java_sea",
        {"a_tf64": "ontong_java_sea", "j_shokaku": "nukumanu_sea"},
        rp=({"nukumanu_sea": 1}, {}),
        draws=["a_n_gunnery"],
        dice=[10, 1],
    )
    sail(board, ["a_tf64"], "nukumanu_sea")
    board.go(PlayChit("a_n_gunnery"))

    assert [BattleEnded("nukumanu_sea", ((), ("a_tf64",)))] == of(board.facts, BattleEnded)


def kept_out(monkeypatch: pytest.MonkeyPatch) -> Board:
    """The Shokaku must retreat from the Ironbottom Sound; other Japanese ships are in all other sea areas."""
    monkeypatch.setattr(battle, "CHIT_GUARD", 1)
    units = {"j_shokaku": "the_slot", "a_tf17": "ironbottom_sound"}
    board = operation(JP, "the_slot", units, rp=({"the_slot": 1}, {}))
    sail(board, ["j_shokaku"], "ironbottom_sound")
    for sea in (sea for sea in SEAS if sea != "ironbottom_sound"):
        monkeypatch.setitem(charts.UNITS, f"j_{sea}", charts.UNITS["j_crudiv6"])
        monkeypatch.setitem(charts.OWNERS, f"j_{sea}", JP)
        board.open.units[f"j_{sea}"] = Unit("map", sea)
    board.go(*board.offered(PlayChit)[:1])
    return board


def test_c13_5_c18_3_a_truk_ship_that_other_ships_keep_out_is_only_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = kept_out(monkeypatch)

    assert ("withdrawn", [0, 0]) == (board.state("j_shokaku"), board.open.destroyed_points)


def test_c13_5_c18_5_a_truk_ship_that_is_only_removed_takes_its_resource_point_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    facts = kept_out(monkeypatch).facts

    assert RpHas(JP, "ironbottom_sound", 0, "gone with the ship") == of(facts, RpHas)[-1]


def test_c18_6_the_second_card_brings_back_lost_ships() -> None:
    board = action(JP, {}, hands=(("J02",), ()), change={"destroyed_points": [0, 3], "fallen": [1, 0]})
    board.open.units["j_shokaku"].status = "lost"
    board.open.units["j_zuikaku"].status = "withdrawn"
    board.go(PlayCard("J02"), TrukEntry("nukumanu_sea"))

    assert dict.fromkeys(TRUK, "nukumanu_sea") == board.at(*TRUK)
    assert {"full"} == {board.state(ship) for ship in TRUK}
    assert ([0, 3], [1, 0]) == (board.open.destroyed_points, board.open.fallen)


def test_c19_1_which_airfields_work() -> None:
    now = given({}, change={"airfields": {"buna": AL}}).open

    assert works(now, "port_moresby", AL)
    assert works(now, "buna", AL)
    assert not works(now, "lae", JP)
    now.suppressed.append("buna")
    assert not works(now, "buna", AL)


def test_c19_2_range_three_and_four() -> None:
    now = given({}, control={"lae": JP}).open

    assert in_range(now, JP, "gasmata")
    assert not in_range(now, JP, "indispensable_strait")
    assert in_range(now, AL, "coral_sea_north")


def test_c19_3_building_is_a_ground_units_action_r52() -> None:
    board = operation(AL, "abau", {"a_30": "abau", "a_7": "kokoda"})
    assert [BuildAirfield("abau", "a_30")] == board.offered(BuildAirfield)
    board.go(BuildAirfield("abau", "a_30"))

    assert ({"abau": AL}, [3, 2]) == (board.open.airfields, board.open.counters)
    assert board.open.units["a_30"].acted


def test_c19_4_a_removed_counter_goes_back_to_the_supply_r54() -> None:
    board = operation(
        AL, "abau", {"a_30": "abau", "a_7": "abau"}, change={"airfields": {"abau": AL}, "counters": [3, 2]}
    )
    board.go(RemoveAirfield("abau", "a_30"))

    assert ({}, [3, 3]) == (board.open.airfields, board.open.counters)


def test_c19_5_three_counters_a_side() -> None:
    board = operation(AL, "abau", {"a_30": "abau"}, change={"counters": [3, 0]})

    assert [] == board.offered(BuildAirfield)


def test_c19_6_a_captured_counter_is_replaced_r53() -> None:
    board = operation(
        AL,
        "port_moresby",
        {"a_30": "kokoda"},
        control={"buna": JP},
        change={"airfields": {"buna": JP}, "counters": [2, 3]},
    )
    board.go(StartGroundMove("kokoda"), StepTo("buna"))

    assert ({"buna": AL}, [2, 2]) == (board.open.airfields, board.open.counters)
    assert [True] == [fact.captured for fact in of(board.facts, AirfieldSet)]


def test_c20_1_japan_holds_it_at_the_start_r25() -> None:
    assert JP == given().open.initiative


def test_c20_2_tracking_stations_last_five_sequences() -> None:
    board = action(AL, {}, hands=((), ("A02",)))
    board.go(PlayCard("A02"))
    for _ in range(7):
        board.go(ChooseMode("card"), seat=JP)
        board.go(ChooseMode("card"), seat=AL)
        board.go(*board.offered(DrawCard, DiscardForRp)[:1])
        board.go(*board.offered(DrawCard, DiscardForRp)[:1])
        board.go(*board.offered(PlaceRp)[:1])
        board.go(*board.offered(PlaceRp)[:1])

    holders = [fact.initiative for fact in of(board.facts, SequenceBegan)]
    assert [AL] * 5 + [JP, JP] == holders[:7]


TWO = {"lae": JP, "buka": JP, "guadalcanal_west": JP}
"""Control that leaves the Allies Buna and Port Moresby of the five sites; two islands are split."""
THREE = {"lae": JP, "buka": JP}


@pytest.mark.parametrize(
    ("sites", "fallen", "shifted"),
    [({}, 8, True), (THREE, 8, True), (THREE, 9, True), (THREE, 7, False), (TWO, 8, False), ({}, 0, False)],
)
def test_c20_3_the_shift_needs_three_sites_and_eight_losses_r26(
    sites: dict[str, int], fallen: int, shifted: bool
) -> None:
    board = given(None, CoralSea(at="sequence"), control=sites, change={"fallen": [fallen, 0]})
    shift(board.table)
    shift(board.table)

    assert [InitiativeChanged(ALLIED, 0)] * shifted == of(board.table.facts, InitiativeChanged)
    assert shifted == board.open.shifted


def test_c20_3_losses_of_the_allies_do_not_count_r26() -> None:
    board = given(None, CoralSea(at="sequence"), change={"fallen": [0, 8]})
    shift(board.table)

    assert [] == of(board.table.facts, InitiativeChanged)
