"""Positions at the edge of the rules, where two of them meet: each was played otherwise before revision 3."""

import pytest

from domain.coral_sea.airfields import works
from domain.coral_sea.decisions import (
    Besiege,
    Done,
    LandAt,
    LoadRp,
    LoadUnit,
    Pass,
    PickUnit,
    PlaceUnitsAt,
    PlayCard,
    PlayChit,
    PlayReaction,
    RepairAirfield,
    RetreatTo,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
    UnloadRp,
    UnloadUnit,
)
from domain.coral_sea.facts import SupplyLeft
from domain.coral_sea.fighting import BattleBegan
from domain.coral_sea.places import AirfieldFreed
from tests.coral_sea.board import (
    AL,
    AROUND_LAE,
    DARK,
    EXCLUSIVE,
    JP,
    TRUK,
    Board,
    Where,
    action,
    besieged_rabaul,
    land_battle,
    of,
    off_papua,
    operation,
)

UPCOUNTRY = {"gasmata": AL, "cape_gloucester": AL}


def test_c10_8_c11_2_a_resource_point_is_unloaded_for_nothing_where_own_units_are_r92() -> None:
    board = into_port_moresby(sp=3)

    assert {UnloadRp()} == set(board.offered(UnloadRp, UnloadUnit, Stop))
    board.go(UnloadRp())
    assert 1 == board.sp
    assert {"port_moresby": 1} == board.open.rp[AL]


def test_c10_8_c11_2_who_stops_after_unloading_still_pays_for_stacking_r92() -> None:
    board = into_port_moresby(sp=6)
    board.go(UnloadRp(), Stop())

    assert 2 == board.sp


def into_port_moresby(sp: int) -> Board:
    """A ship with a brigade and a resource point enters a port in which another brigade is."""
    board = off_papua("a_30", others={"a_14": "port_moresby", "a_7": "abau"}, rp=({}, {"papuan_coast": 1}))
    board.table.open.operation.sp = sp
    board.go(StartNavalMove(), StepTo("port_moresby"))
    return board


def test_c10_2_c10_1_what_cannot_stay_is_loaded_before_the_other_kind_is_shut_out_r9() -> None:
    board = off_papua("a_tf44", "a_desron2", "a_30", rp=({}, {"papuan_coast": 2}), options=EXCLUSIVE)
    board.go(StartNavalMove(), PickUnit("a_tf17"), PickUnit("a_tf44"))
    board.go(Done())

    assert [LoadRp(), Done()] == board.offered()
    board.go(Done(), StepTo("gulf_of_papua"), Stop())
    assert {"papuan_coast": 1, "gulf_of_papua": 1} == board.open.rp[AL]


def test_c7_3_c10_4_who_fought_and_came_aboard_is_not_landed_again_r93() -> None:
    board = off_papua(
        "a_14",
        others={"a_30": "abau", "j_28": "port_moresby"},
        control={"port_moresby": JP},
        dice=[10],
        draws=["a_g_poor_coordination"],
    )
    board.go(StartGroundMove("abau"), StepTo("port_moresby"))
    board.go(PlayChit("a_g_poor_coordination"), RetreatTo("papuan_coast"))
    board.go(StartNavalMove(), LandAt("abau"))

    assert {"a_14": "abau", "a_30": "papuan_coast"} == board.at("a_14", "a_30")


def test_c7_3_c10_4_with_nobody_fresh_aboard_there_is_no_landing_r93() -> None:
    board = off_papua(others={"a_30": ("papuan_coast", "oa")})
    board.open.units["a_30"].acted = True
    board.go(StartNavalMove())

    assert [] == board.offered(LandAt)
    board.go(StepTo("gulf_of_papua"), Stop())
    assert {"a_30": "gulf_of_papua"} == board.at("a_30")


def test_c9_8_c18_3_a_fleet_that_can_no_longer_end_its_move_stops_where_it_is_r94() -> None:
    """Truk ships in all seas around, one point of Range left, and the port can no longer be paid."""
    truk = zip(TRUK, AROUND_LAE, strict=True)
    board = operation(
        JP,
        "louisiade_sea",
        {
            **dict(truk),
            "j_crudiv6": ("louisiade_sea", "d"),
            "j_144": "louisiade_sea",
            "j_41": "lae",
            "a_30": "morobe",
        },
        control={"lae": JP},
        hands=(("J31",), ()),
        dice=[1, 10],
        draws=["a_g_assault"],
    )
    board.table.open.operation.sp = 4
    board.watch = True
    board.go(StartNavalMove(), StepTo("ward_hunt_strait"), StepTo("huon_gulf"), LandAt("morobe"))
    board.go(PlayReaction("J31"))
    board.watch = False
    board.quiet()
    while board.open.battle is not None:
        board.go(board.offered()[0])

    assert 1 == of(board.facts, SupplyLeft)[-1].sp
    assert {"j_crudiv6": "huon_gulf"} == board.at("j_crudiv6")


def test_c12_16_c19_6_a_captured_airfield_serves_its_new_owner_at_once() -> None:
    board = land_battle(
        AL,
        "lae",
        {"a_1m": "", "a_5m": ""},
        {"j_28": "d"},
        origin="huon_gulf",
        others={"a_tf17": "huon_gulf"},
        dice=[10],
        draws=["a_g_shore_bombardment"],
    )
    facts = board.go(PlayChit("a_g_shore_bombardment"))

    assert [AirfieldFreed("lae")] == of(facts, AirfieldFreed)
    assert works(board.open, "lae", AL)


def test_c12_16_what_was_not_captured_stays_out_of_use() -> None:
    board = land_battle(
        AL,
        "lae",
        {"a_1m": ""},
        {"j_28": ""},
        origin="huon_gulf",
        others={"a_tf17": "huon_gulf"},
        draws=["a_g_shore_bombardment"],
    )
    board.go(PlayChit("a_g_shore_bombardment"))

    assert not works(board.open, "lae", JP)


@pytest.mark.parametrize("options", [{}, DARK])
@pytest.mark.parametrize("ships", [{}, {"j_desron2": "rabaul"}])
def test_c7_4_c16_6_besieged_units_do_not_keep_supply_from_the_besiegers_r95(
    ships: dict[str, Where], options: dict[str, bool]
) -> None:
    board = besieged_rabaul(AL, "cape_gloucester", ships, control=UPCOUNTRY, options=options)

    assert [Besiege("rabaul")] == board.offered(Besiege)


def test_c24_5_c16_4_no_reinforcements_into_a_fortress_under_siege_r96() -> None:
    units: dict[str, Where] = {"a_1m": "rabaul", "j_kure3": ("rabaul", "i")}
    board = action(
        JP,
        units,
        scenario="fortress",
        hands=(("J12", "J14"), ()),
        change={"sieges": {"rabaul": AL}},
    )

    assert [PlayCard("J14")] == board.offered(PlayCard)
    board.go(PlayCard("J14"))
    assert {"j_chokai": "kavieng"} == board.at("j_chokai")
    assert [] == board.offered(PlaceUnitsAt)


def test_c22_1_c16_6_who_is_besieged_may_repair_the_airfield_with_supply_from_inside() -> None:
    board = besieged_rabaul(
        JP, "rabaul", {}, options={"air_attacks_on_airfields": True}, change={"damaged": ["rabaul"]}
    )
    board.go(RepairAirfield("rabaul"))

    assert ([], 5) == (board.open.damaged, board.sp)


def test_c6_4_c12_4_no_card_for_a_battle_that_attack_cards_have_decided() -> None:
    board = land_battle(
        JP,
        "abau",
        {"j_28": ""},
        {"a_30": "do"},
        origin="port_moresby",
        dice=[10],
        hands=(("J31", "J26"), ("A29",)),
        watch=True,
    )
    board.go(PlayReaction("J31"))
    assert (AL, "check_failed") == (*board.asked, board.open.windows[-1])
    board.go(Pass())

    assert board.open.battle is None
    assert ["op_after_action"] == board.open.windows


def test_c12_13_c16_6_who_joins_the_relief_from_inside_has_acted() -> None:
    board = besieged_rabaul(
        JP,
        "solomon_sea_west",
        {"a_1m": ("rabaul", "d"), "j_144": "gasmata", "j_desron2": "solomon_sea_west"},
        control={"gasmata": JP, "cape_gloucester": JP},
        dice=[10],
        draws=["j_g_close_combat"],
    )
    board.go(StartGroundMove("gasmata"), StepTo("rabaul"))

    assert [("j_144", "j_kure3")] == [fact.units[JP] for fact in of(board.facts, BattleBegan)]
    assert board.open.units["j_kure3"].acted


def test_c10_2_a_resource_point_is_still_loaded_where_nothing_shuts_it_out_r9() -> None:
    board = off_papua("a_tf44", "a_30", rp=({}, {"papuan_coast": 1}))
    board.go(StartNavalMove(), PickUnit("a_tf17"), Done())

    assert {LoadUnit("a_30"), LoadRp(), Done()} == set(board.offered())
