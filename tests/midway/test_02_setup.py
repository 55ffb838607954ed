"""M2 Setup."""

from math import floor

import pytest
from msgspec import convert, to_builtins
from msgspec.structs import asdict

from domain.match.game import BadSetUp
from domain.midway import MIDWAY
from domain.midway.charts import SHIPS, SQUADRONS
from domain.midway.decisions import Land
from domain.midway.facts import SetUp, StepStarted, TurnStarted
from domain.midway.table import Carrier, Group, Options, at
from tests.midway.board import DUEL, HISTORICAL, begun, happened

KAGA_ENTERPRISE = "Duel: Kaga against Enterprise"


def test_m2_1_all_options_are_off_by_default() -> None:
    flags = {name: value for name, value in MIDWAY.set_up(DUEL, {}).items() if name != "cap_rings"}

    assert {False} == set(flags.values())
    assert 3 == MIDWAY.set_up(DUEL, {})["cap_rings"]
    assert Options() == begun(DUEL).open.options


@pytest.mark.parametrize(
    ("scenario", "options"),
    [
        ("leyte", {}),
        (DUEL, {"submarines": True}),
        (DUEL, {"ditching": 1}),
        (DUEL, {"turn_limit": 21}),
        (DUEL, {"japanese_seats": 1}),
        (DUEL, {"american_seats": 1}),
        (HISTORICAL, {"team_play": True, "american_seats": 4}),
        (DUEL, {"team_play": True, "japanese_seats": 2}),
        (DUEL, {"japanese_search": True}),
    ],
)
def test_m2_1_what_cannot_be_chosen_is_refused(scenario: str, options: dict[str, bool | int]) -> None:
    with pytest.raises(BadSetUp):
        MIDWAY.set_up(scenario, options)


@pytest.mark.parametrize(
    ("scenario", "options", "why"),
    [
        (DUEL, {"american_seats": 1}, "a number of American seats can be chosen in team play alone (M14.3)"),
        (
            DUEL,
            {"team_play": True, "japanese_seats": 2},
            f"{KAGA_ENTERPRISE} has 1 Japanese carrier, and there is one seat at most for each (M14.3)",
        ),
        (
            DUEL,
            {"japanese_search": True},
            f"{KAGA_ENTERPRISE} is played without a search, so Japan cannot have to search (M15.10)",
        ),
    ],
)
def test_m2_1_a_refusal_speaks_to_players(scenario: str, options: dict[str, bool | int], why: str) -> None:
    with pytest.raises(BadSetUp) as caught:
        MIDWAY.set_up(scenario, options)

    assert why == str(caught.value)


@pytest.mark.parametrize(
    ("scenario", "options"),
    [
        (DUEL, {"team_play": True, "japanese_seats": 1, "american_seats": 1}),
        (HISTORICAL, {"team_play": True, "japanese_seats": 4, "american_seats": 3}),
        (HISTORICAL, {"japanese_search": True, "turn_limit": 20}),
    ],
)
def test_m2_1_what_the_scenario_allows_can_be_chosen(scenario: str, options: dict[str, bool | int]) -> None:
    chosen = MIDWAY.set_up(scenario, options)

    assert options == {name: chosen[name] for name in options}


def test_m2_1_each_scenario_is_described() -> None:
    fleets = "Akagi, Kaga, Soryu, Hiryu and Enterprise, Hornet, Yorktown"
    described = {scenario.id: scenario.text for scenario in MIDWAY.scenarios.values()}

    assert {
        HISTORICAL: f"{fleets}, 12 turns; the Japanese fleet has to be found first",
        DUEL: "Kaga and Enterprise, 8 turns; who first cripples or sinks the enemy carrier wins",
    } == described


def test_m2_2_play_starts_with_step_1_of_turn_1() -> None:
    board = begun()

    facts = happened(board.facts)
    assert isinstance(facts[0], SetUp)
    assert [TurnStarted(1), StepStarted(1, 0)] == facts[1:]
    assert {0} == {carrier.damage for carrier in board.open.carriers.values()}
    assert Land("AKA-D1", "AKAGI") in board.offered()


def test_m2_2_before_the_setup_the_board_is_blank() -> None:
    blank = {"options": Options(), "found": (False, False)}

    assert blank == {name: value for name, value in asdict(MIDWAY.open()).items() if value}


def test_m2_2_what_the_setup_does_not_say_is_none() -> None:
    akagi = {"side": 0, "aa": 7, "repair": 6, "capacity": 35, "seat": 0}
    group = {"side": 0, "home": "AKAGI", "type": "D", "full": 5, "strength": 5, "place": "WAITING"}
    board = begun().open

    assert akagi == to_builtins(board.carriers["AKAGI"])
    assert group == to_builtins(board.groups["AKA-D1"])
    assert 0 == convert(akagi, Carrier).damage
    assert board.groups["AKA-D1"] == convert(group, Group)


def test_m2_3_strength_is_five_for_nine_aircraft() -> None:
    scale = {s.id: min(5, floor(s.planes * 5 / 9 + 0.5)) for s in SQUADRONS.values()}

    assert scale == {s.id: s.strength for s in SQUADRONS.values()}


def test_m2_3_ships_roll_and_repair_as_printed() -> None:
    printed = {
        "AKAGI": (7, 6),
        "KAGA": (9, 6),
        "SORYU": (6, 6),
        "HIRYU": (7, 6),
        "ENTERPRISE": (12, 5),
        "HORNET": (12, 5),
        "YORKTOWN": (12, 4),
    }

    assert printed == {ship.id: (ship.aa_dice, ship.repair_min) for ship in SHIPS.values()}


def test_m2_3_both_sides_have_the_printed_strength() -> None:
    total = {
        (side, kind): sum(s.strength for s in SQUADRONS.values() if (s.side, s.type) == (side, kind))
        for side in ("JP", "US")
        for kind in "FDT"
    }

    assert [52, 39, 45, 44, 57, 22] == list(total.values())


def test_m2_4_the_strike_on_midway_waits_to_land() -> None:
    board = begun()
    strike = "AKA-F2 AKA-D1 AKA-D2 KAG-F2 KAG-D1 KAG-D2 SOR-F2 SOR-T1 SOR-T2 HIR-F2 HIR-T1 HIR-T2"

    assert strike.split() == at(board.open, 0, "WAITING")
    assert (["AKA-F3", "HIR-F3"], ["YOR-F3"]) == (at(board.open, 0, "CAP:1"), at(board.open, 1, "CAP:1"))
    assert ["ENT-F1", "ENT-D1", "ENT-D2", "ENT-D3"] == at(board.open, 1, "DECK:ENTERPRISE")
    assert ["HOR-F1", "HOR-D1", "HOR-D2", "HOR-D3"] == at(board.open, 1, "DECK:HORNET")
    assert (12, (True, False)) == (board.open.turn_limit, board.open.found)
    aboard = [g.place for g in board.open.groups.values() if g.place.startswith("HANGAR")]
    assert 33 == len(aboard)


def test_m2_5_the_duel_is_kaga_against_enterprise() -> None:
    board = begun(DUEL)

    assert ["KAGA", "ENTERPRISE"] == list(board.open.carriers)
    assert ["KAG-F1", "KAG-D1", "KAG-T1", "KAG-T2"] == at(board.open, 0, "DECK:KAGA")
    assert [] == at(board.open, 1, "DECK:ENTERPRISE")
    assert (8, True, (True, True)) == (board.open.turn_limit, board.open.sudden_death, board.open.found)
