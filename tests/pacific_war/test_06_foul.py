"""P6.3 Foul weather: search, contact, movement, finding, CAP, paradrops and precision bombing."""

from typing import Any

import pytest

from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.battle.air_combat import fight
from domain.pacific_war.battle.movement import Movement, left
from domain.pacific_war.battle.paradrop import drop_zones
from domain.pacific_war.battle.search import search
from domain.pacific_war.board.atlas import HEX_NAMES, kind, within, zone
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.table import Raid
from domain.pacific_war.board.war import Operation, War
from domain.pacific_war.board.weather import ZONES, foul
from domain.pacific_war.facts.happenings import NotFound
from domain.pacific_war.homefront.raids import flyable
from domain.pacific_war.operations.contact import Contact, ReactionContact, ready
from tests.pacific_war.board import battle, dice_left, fly, missions, rolls, sealed_facts, table_at, told
from tests.pacific_war.campaign import laid_out

JAPAN, ALLIES = 0, 1
LEX, SHO, AH = "cvg_lexington", "cvg_shokaku", "us_4e_feaf"
SOUTH = ("south",)


def fleets(**changes: Any) -> str:
    """A Japanese and an Allied carrier fleet 2 hexes apart, in the zone south."""
    given: dict[str, Any] = {
        "tfs": [
            {"id": "J1", "side": "JP", "hex": "5541", "core": ["cv_shokaku"], "screen": ["dd_jp7", "dd_jp8"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington"]},
        ],
        "air": [{"id": LEX, "steps": 6, "level": 1}, {"id": SHO, "steps": 6, "level": 1}],
    }
    return battle(**given | changes)


def cloud(table: Table, *zones: str) -> Table:
    """Let the weather be foul in these zones."""
    table.state.open.war = War("1942-05", foul=zones, operation=Operation(JAPAN, "", 0))
    return table


def test_p6_3_foul_weather_is_in_its_zones_alone() -> None:
    board = cloud(table_at(fleets(), None), "south").state.open

    assert [one for one in HEX_NAMES if zone(one) == "south"] == [
        one for one in HEX_NAMES if foul(board, one)
    ]
    board.war = None
    assert not any(foul(board, one) for one in HEX_NAMES)


@pytest.mark.parametrize(("zones", "less"), [((), 0), (SOUTH, 2), (("north", "central"), 0)])
def test_p6_3_p24_2_search_has_two_less_in_foul_weather(zones: tuple[str, ...], less: int) -> None:
    beside = [
        {"id": "J1", "side": "JP", "hex": "5541", "screen": ["dd_jp7"]},
        {"id": "A1", "side": "AL", "hex": "5542", "screen": ["ca_us1"]},
    ]
    needs = []
    for foul_in in ((), zones):
        table = cloud(table_at(fleets(tfs=beside, air=[]), None), *foul_in)
        table.dice._rolls = [(10,)]  # type: ignore[attr-defined]
        table.facts = []
        search(table, ALLIES)
        (die,) = told(table.facts, RolledUnseen)
        needs.append(int(die.target.removesuffix(" or less")))

    assert less == needs[0] - needs[1]


@pytest.mark.parametrize(("zones", "most"), [((), 3), (SOUTH, 2)])
def test_p6_3_p23_4_a_day_begun_in_foul_weather_has_two_hexes(zones: tuple[str, ...], most: int) -> None:
    table = cloud(table_at(fleets(), None), *zones)
    ready(table, ALLIES, a_day=True)

    assert most == left(table.open, table.own[ALLIES], "A1", 3)


def test_p6_3_p23_5_1_the_answer_in_contact_is_no_day_and_is_not_slowed() -> None:
    table = cloud(table_at(fleets(), None), *SOUTH)
    ready(table, ALLIES)

    assert 3 == left(table.open, table.own[ALLIES], "A1", 3)
    assert {"dawn", "begin"} <= {*Contact.steps, *ReactionContact.steps}


@pytest.mark.parametrize(("zones", "most"), [((), 5), (SOUTH, 4), (("north",), 5)])
def test_p6_3_p23_6_a_movement_phase_begun_in_foul_weather_has_a_hex_less(
    zones: tuple[str, ...], most: int
) -> None:
    table = table_at(fleets(), None)
    table = cloud(table, *zones)
    made = Table(table.game, table.state, table.dice, Movement(side=ALLIES))

    assert most == left(made.open, made.own[ALLIES], "A1")


@pytest.mark.parametrize(
    ("zones", "face", "found"), [(SOUTH, 5, True), (SOUTH, 6, False), ((), 6, True), (("north",), 8, True)]
)
def test_p6_3_p28_5_2_a_strike_into_foul_weather_fails_to_find_on_six_or_more(
    zones: tuple[str, ...], face: int, found: bool
) -> None:
    table = cloud(missions(fleets(), ALLIES, face, *[9] * found, detected=["J1", "A1"]), *zones)

    facts = fly(table, ALLIES, "strike_tf", "A1", "J1", {LEX: 1})

    assert found == (not told(facts, NotFound))


def test_p6_3_p28_5_2_r_97_places_on_land_may_be_missed_in_foul_weather_too() -> None:
    """Given heavy bombers from Port Moresby at Rabaul, both in the zone south, then 6 or more fails."""
    place = fleets(tfs=[], air=[{"id": AH, "steps": 6, "level": 1, "base": "port_moresby"}])
    table = cloud(missions(place, ALLIES, 6), *SOUTH)

    facts = fly(table, ALLIES, "strike_airbase", "port_moresby", "rabaul", {AH: 1})

    assert [("finding the target", "6 or more fails", 0)] == rolls(facts)
    assert [NotFound(ALLIES, "rabaul")] == told(facts, NotFound)
    assert 0 == dice_left(table)


def test_p0_3_2_p6_3_a_hidden_origin_is_not_told_by_what_is_sealed() -> None:
    """Given strikes at Ponape, clear, from a hidden fleet in the zone south, then as much is sealed.

    Where the south is foul a die falls to find; where another zone is, none does.
    """
    there = LOCATIONS["ponape"].hex
    spot = next(one for one in within(there, 3) if zone(one) == "south" and kind(one) == "s")
    place = fleets(
        tfs=[{"id": "A1", "side": "AL", "hex": spot, "core": ["cv_lexington"]}],
        air=[{"id": LEX, "steps": 6, "level": 1}],
        bases={"ponape": {"airbase": 2}},
    )
    counts, found = [], []
    for zones, dice in ((SOUTH, (0, 9, 9)), (("southeast",), (9, 9))):
        table = cloud(missions(place, ALLIES, *dice), *zones)
        facts = fly(table, ALLIES, "strike_airbase", "A1", "ponape", {LEX: 1})
        counts.append(sealed_facts(facts))
        found.append("finding the target" in [purpose for purpose, _, _ in rolls(facts)])

    assert [True, False] == found
    assert counts[0] == counts[1]


@pytest.mark.parametrize(("zones", "shift"), [((), -1), (SOUTH, -2)])
def test_p6_3_p28_8_free_cap_in_foul_weather_has_one_less(zones: tuple[str, ...], shift: int) -> None:
    table = cloud(missions(fleets(), ALLIES, 9, cap={SHO: 3}, detected=["J1", "A1"]), *zones)
    table.facts = []
    fight(table, Raid(ALLIES, "strike_tf", "J1", "A1", {LEX: 3}, {}))

    assert [shift] == [amount for _, _, amount in rolls(table.facts, "free CAP fire")]


@pytest.mark.parametrize(("zones", "some"), [((), True), (SOUTH, False)])
def test_p6_3_p28_14_nobody_drops_into_foul_weather(zones: tuple[str, ...], some: bool) -> None:
    place = battle(
        air=[{"id": "us_tr_1", "steps": 3, "level": 1, "base": "port_moresby"}],
        ground=[{"id": "us_503", "hex": "port_moresby"}],
    )
    table = cloud(table_at(place, None), *zones)
    zones_found = drop_zones(table.open, table.own[ALLIES], ALLIES, "port_moresby", 9)

    assert some == any(zone(one) == "south" for one in zones_found)


@pytest.mark.parametrize(("zones", "may"), [((), True), (("north",), False), (("south",), True)])
def test_p6_3_p8_2_no_precision_bombing_while_the_north_is_foul(zones: tuple[str, ...], may: bool) -> None:
    board = laid_out("1944-07", "S2").open
    assert board.war is not None
    board.war.foul = zones

    assert may == flyable(board, "precision")
    board.war.month = "1945-03"
    assert flyable(board, "incendiary")


def test_p6_1_the_zones_of_the_dice_are_those_of_the_effects() -> None:
    assert {zone(one) for one in HEX_NAMES} == set(ZONES)
