"""P28.5 Attacks on ships: who is found, which ships are attacked, with what shifts."""

from typing import Any

import pytest

from domain.kernel.facts import RolledUnseen
from domain.kernel.table import NotOneCommand, Table, Unfinished
from domain.pacific_war.clock import default
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import ShipHit
from domain.pacific_war.facts.fighting import RaidsAre
from domain.pacific_war.facts.happenings import NotFound
from tests.pacific_war.board import (
    allot,
    battle,
    change,
    dice_left,
    fly,
    missions,
    options,
    rolls,
    sealed_facts,
    take,
    told,
)

JAPAN, ALLIES = 0, 1
AB, AH, JB = "us_2e_3bg", "us_4e_feaf", "jn_2e_25af"
LEX, YORK, SHO = "cvg_lexington", "cvg_yorktown", "cvg_shokaku"
CORE = ["cv_shokaku", "bb_hiei", "aa_jp1"]


def scene(hex: str = "5541", **changes: Any) -> str:
    """Return a battle with an Allied carrier fleet at 5543, and a Japanese fleet of many classes."""
    given: dict[str, Any] = {
        "tfs": [
            {"id": "J1", "side": "JP", "hex": hex, "core": CORE, "screen": ["dd_jp7", "ca_myoko_haguro"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
        ],
        "air": [{"id": LEX, "steps": 6, "level": 1}, {"id": YORK, "steps": 6, "level": 1}],
    }
    return battle(**given | changes)


def raid(table: Table, **steps: int) -> list[Any]:
    """Let the Allies strike J1 with steps of Lexington and Yorktown."""
    by = {"lexington": LEX, "yorktown": YORK}
    return list(fly(table, ALLIES, "strike_tf", "A1", "J1", {by[name]: n for name, n in steps.items()}))


def damage(table: Table) -> dict[str, int]:
    """Return the damage of Japanese ships that have some."""
    return {ship: one.damage for ship, one in table.state.own[JAPAN].ships.items() if one.damage}


# find


@pytest.mark.parametrize(
    ("hex", "lighting", "face", "found"),
    [
        ("5541", "Day", 8, True),
        ("5541", "Day", 9, False),
        ("5540", "Day", 7, True),
        ("5540", "Day", 8, False),
        ("5541", "Dusk", 7, True),
        ("5541", "Dusk", 8, False),
        ("5540", "Dusk", 6, True),
        ("5540", "Dusk", 7, False),
    ],
)
def test_p28_5_2_p26_3_the_faces_that_do_not_find(hex: str, lighting: Any, face: int, found: bool) -> None:
    """Given range 3: at 2 hexes 9 fails, at 3 hexes 8 or 9, at Dusk one face more."""
    table = missions(scene(hex), ALLIES, face, *[9] * found, lighting=lighting, detected=["J1", "A1"])

    facts = raid(table, lexington=1)

    assert found == (not told(facts, NotFound))
    assert 0 == dice_left(table)


def test_p28_5_2_the_longest_range_of_any_unit_that_takes_part_escorts_too() -> None:
    """Given bombers of range 9 with escorts of range 6 at 6 hexes, then 8 or 9 fails."""
    fleets = [{"id": "A1", "side": "AL", "hex": "5340", "screen": ["dd_us2"]}]
    air = [
        {"id": JB, "steps": 2, "level": 1, "base": "rabaul"},
        {"id": "jn_1e_25af", "steps": 2, "level": 1, "base": "rabaul"},
    ]
    table = missions(scene(tfs=fleets, air=air), JAPAN, 8, 8, 9, detected=["A1"])

    facts = fly(table, JAPAN, "strike_tf", "rabaul", "A1", {JB: 1}, {"jn_1e_25af": 1})
    assert [("finding the target", "8 or more fails", 0)] == rolls(facts)
    facts = fly(table, JAPAN, "strike_tf", "rabaul", "A1", {JB: 1})
    assert [("finding the target", "9 or more fails", 0)] == rolls(facts)[:1]


def test_p28_5_2_r_72_r_97_no_die_for_a_place_on_land_ships_in_port_included() -> None:
    """Given strikes at Rabaul, at an airbase, a port, ships in port and troops, then none rolls to find."""
    place = scene(
        tfs=[],
        naval=[{"at": "rabaul", "side": "JP", "units": ["dd_jp7"]}],
        air=[{"id": AH, "steps": 6, "level": 1, "base": "port_moresby"}],
        ground=[{"id": "jp_84gd", "hex": "rabaul"}],
        bases={"rabaul": {"fort": 1}},
    )
    table = missions(place, ALLIES, *[9] * 9)

    for kind, target in (
        ("strike_airbase", "rabaul"),
        ("strike_port", "rabaul"),
        ("strike_fort", "rabaul"),
        ("strike_ground", "4837"),
        ("strike_ships_in_port", "rabaul"),
    ):
        facts = fly(table, ALLIES, kind, "port_moresby", target, {AH: 1})
        assert "flak" == rolls(facts)[0][0]
        assert told(facts, RaidsAre)[1].raids[0].found


def test_p28_5_2_p0_2_2_the_find_die_is_unseen_while_the_origin_is_secret() -> None:
    """Given a strike from an Undetected fleet, then its find is unseen; from a Detected one it is open."""
    for detected, unseen in ((["J1"], 1), (["J1", "A1"], 0)):
        table = missions(scene(), ALLIES, 9, detected=detected)
        facts = raid(table, lexington=1)
        assert unseen == len(told(facts, RolledUnseen))
        assert [NotFound(ALLIES, "J1")] == told(facts, NotFound)


# targets


def test_p28_5_1_each_unit_may_be_put_on_each_ship_with_some_or_all_steps() -> None:
    """Given two groups and five ships, then each pair is offered once, and the rest at the best target."""
    table = missions(scene(), ALLIES, 0, 9, detected=["J1", "A1"])
    raid(table, lexington=2, yorktown=1)
    ships = sorted([*CORE, "dd_jp7", "ca_myoko_haguro"])

    assert [d.AllotStrike(unit, ship) for unit in (LEX, YORK) for ship in ships] == options(table, ALLIES)[
        :-1
    ]
    assert d.AllotRest() == options(table, ALLIES)[-1]
    ahead = table.ahead(ALLIES, [d.AllotStrike(LEX, "aa_jp1")])
    assert [d.WithSteps(1), d.WithSteps(2)] == options(ahead, ALLIES)
    ahead = table.ahead(ALLIES, [d.AllotStrike(LEX, "aa_jp1"), d.WithSteps(1)])
    assert d.AllotStrike(LEX, "aa_jp1") not in options(ahead, ALLIES)
    assert d.AllotStrike(LEX, "bb_hiei") in options(ahead, ALLIES)
    assert d.AllotStrike(YORK, "aa_jp1") in options(ahead, ALLIES)


def test_p28_5_1_all_steps_that_are_left_are_shared_out() -> None:
    """Given one ship alone, then a unit attacks it with all its steps, not with some."""
    fleets = [
        {"id": "J1", "side": "JP", "hex": "5541", "screen": ["dd_jp7"]},
        {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
    ]
    table = missions(scene(tfs=fleets), ALLIES, 0, 9, 9, detected=["J1"])
    raid(table, lexington=3)

    ahead = table.ahead(ALLIES, [d.AllotStrike(LEX, "dd_jp7")])

    assert [d.WithSteps(3)] == options(ahead, ALLIES)
    allot(table, ALLIES, (LEX, "dd_jp7", 3))
    assert 0 == dice_left(table)


def test_p28_5_1_targets_are_attacked_in_the_order_first_named_with_the_sum_on_them() -> None:
    """Given Lexington on Hiei and Shokaku, Yorktown on Shokaku, then Hiei first, 2 x 4, then Shokaku, 3 x 4.

    Hiei: 8, column 5, armour -1, face 0: 3 hits. Shokaku: 12, column 6, face 2: 3 hits.
    """
    table = missions(scene(), ALLIES, 0, 9, 0, 2, detected=["J1", "A1"])
    raid(table, lexington=4, yorktown=1)

    facts = allot(table, ALLIES, (LEX, "bb_hiei", 2), (YORK, "cv_shokaku", 1), (LEX, "cv_shokaku", 2))

    assert [("air attack", "column 4", -1), ("air attack", "column 6", 0)] == rolls(facts)
    assert [ShipHit("bb_hiei", 3, 3, 5), ShipHit("cv_shokaku", 3, 3, 5)] == told(facts, ShipHit)
    assert {"bb_hiei": 3, "cv_shokaku": 3} == damage(table)


def test_p28_5_1_p3_3_the_hits_stay_on_the_named_target() -> None:
    """Given more hits than Shoho can take, then she is sunk, and no other ship is hit."""
    fleets = [
        {"id": "J1", "side": "JP", "hex": "5541", "core": ["cvl_shoho"], "screen": ["dd_jp7"]},
        {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
    ]
    table = missions(scene(tfs=fleets), ALLIES, 0, 9, 0, detected=["J1", "A1"])
    raid(table, lexington=6)

    facts = allot(table, ALLIES, (LEX, "cvl_shoho", 6))

    assert [ShipHit("cvl_shoho", 8, 2, 2)] == told(facts, ShipHit)
    assert {"cvl_shoho": "sunk"} == table.state.open.lost
    assert {"cvl_shoho": 2} == damage(table)


def test_p0_8_the_rest_goes_to_the_carrier_else_the_ship_with_most_hits_left() -> None:
    """Given no time, then all steps of each unit that are left go to the carrier."""
    table = missions(scene(), ALLIES, 0, 9, 9, 9, detected=["J1", "A1"])
    raid(table, lexington=2, yorktown=2)
    assert d.AllotRest() == default(table.state, ALLIES, table.prompts[ALLIES])
    facts = take(table, ALLIES, d.AllotStrike(LEX, "aa_jp1"), d.WithSteps(1), d.AllotRest())
    named = [(one.unit, one.ship, one.steps) for one in told(facts, RaidsAre)[0].raids[0].allotted]
    assert [(LEX, "aa_jp1", 1), (LEX, "cv_shokaku", 1), (YORK, "cv_shokaku", 2)] == named


def test_p28_5_1_p0_8_the_rest_joins_the_steps_that_attack_the_best_target_already() -> None:
    """Given 1 of 3 steps at the carrier, then the rest: 3 x 4 = 12, column 6, not 4 of one or 8 of two."""
    table = missions(scene(), ALLIES, 0, 9, 9, detected=["J1", "A1"])
    raid(table, lexington=3)

    facts = take(table, ALLIES, d.AllotStrike(LEX, "cv_shokaku"), d.WithSteps(1), d.AllotRest())

    named = [(one.unit, one.ship, one.steps) for one in told(facts, RaidsAre)[0].raids[0].allotted]
    assert [(LEX, "cv_shokaku", 3)] == named
    assert [("air attack", "column 6", 0)] == rolls(facts, "air attack")


def test_p0_8_without_a_carrier_the_ship_with_most_hits_left() -> None:
    """Given Hiei with 2 of 5 hits and Myoko-Haguro with 4 hits, then the cruisers."""
    fleets = [
        {"id": "J1", "side": "JP", "hex": "5541", "core": ["bb_hiei"], "screen": ["ca_myoko_haguro"]},
        {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
    ]
    table = missions(scene(tfs=fleets), ALLIES, 0, 9, 9, detected=["J1"])
    change(table, JAPAN, {"bb_hiei": {"damage": 2}})
    raid(table, lexington=1)

    facts = take(table, ALLIES, d.AllotRest())

    assert ["ca_myoko_haguro"] == [one.ship for one in told(facts, RaidsAre)[0].raids[0].allotted]


def test_p0_3_2_allotting_comes_as_one_command_up_to_the_last_step() -> None:
    """Given 3 steps, then a command that leaves some is refused, and so is a ship of another fleet."""
    table = missions(scene(), ALLIES, 0, 9, detected=["J1", "A1"])
    raid(table, lexington=3)

    with pytest.raises(Unfinished):
        allot(table, ALLIES, (LEX, "aa_jp1", 2))
    with pytest.raises(NotOneCommand):
        allot(table, ALLIES, (LEX, "aa_jp1", 2), (LEX, "dd_us2", 1))


# shifts


@pytest.mark.parametrize(("level", "shift"), [(0, -1), (1, 0), (2, 1)])
def test_p28_5_1_the_level_of_the_attackers(level: int, shift: int) -> None:
    """Given 2 steps of a level on the destroyers: 8, column 5, and the shift of the level."""
    air = [{"id": LEX, "steps": 6, "level": level}]
    table = missions(scene(air=air), ALLIES, 0, 9, 9, detected=["J1", "A1"])
    raid(table, lexington=2)

    assert [("air attack", f"column {5 + shift}", shift)] == rolls(allot(table, ALLIES, (LEX, "dd_jp7", 2)))


@pytest.mark.parametrize(("yorktown", "shift"), [(2, -1), (1, 1), (3, -1)])
def test_p28_5_1_r_79_the_level_of_most_steps_the_lower_on_a_tie(yorktown: int, shift: int) -> None:
    """Given 2 steps of level 2 with 1, 2 or 3 of level 0 on one ship, then level 2, 0, 0."""
    air = [{"id": LEX, "steps": 6, "level": 2}, {"id": YORK, "steps": 6, "level": 0}]
    table = missions(scene(air=air), ALLIES, 0, 9, 9, detected=["J1", "A1"])
    raid(table, lexington=2, yorktown=yorktown)

    facts = allot(table, ALLIES, (LEX, "dd_jp7", 2), (YORK, "dd_jp7", yorktown))

    assert [shift] == [amount for _, _, amount in rolls(facts)]


@pytest.mark.parametrize(("ship", "shift"), [("bb_hiei", -1), ("aa_jp1", 1), ("dd_jp7", 0)])
def test_p28_5_1_the_air_defence_of_the_ship_is_taken_off(ship: str, shift: int) -> None:
    """Given air defence 1, -1 and 0, then -1, +1 and 0."""
    table = missions(scene(), ALLIES, 0, 9, 9, detected=["J1", "A1"])
    raid(table, lexington=2)

    assert [shift] == [amount for _, _, amount in rolls(allot(table, ALLIES, (LEX, ship, 2)))]


@pytest.mark.parametrize(("ready", "cap", "shift"), [(2, 0, 1), (1, 3, 0), (6, 0, 1), (0, 0, 0)])
def test_p28_5_1_a_carrier_with_two_ready_steps_aboard(ready: int, cap: int, shift: int) -> None:
    """Given 2 or more ready steps on Shokaku, then +1; steps on CAP or used do not count.

    Japan does not answer; CAP is taken down again before the attack, so that only the deck matters.
    """
    air = [{"id": LEX, "steps": 6, "level": 1}, {"id": SHO, "steps": 6, "level": 1}]
    table = missions(scene(air=air), ALLIES, 0, 9, 9, detected=["J1", "A1"])
    raid(table, lexington=2)
    take(table, JAPAN, d.Decline())
    change(table, JAPAN, {SHO: {"ready": ready, "cap": cap}})

    assert [shift] == [amount for _, _, amount in rolls(allot(table, ALLIES, (LEX, "cv_shokaku", 2)))]


def test_p28_5_1_ready_steps_of_all_groups_aboard_count_together() -> None:
    """Given two groups of 1 ready step each on Shokaku, then 2 steps are on her deck: +1."""
    air = [{"id": LEX, "steps": 6, "level": 1}, {"id": SHO, "steps": 1, "level": 1}]
    air += [{"id": "cvg_zuikaku", "steps": 1, "level": 1, "base": "rabaul"}]
    table = missions(scene(air=air), ALLIES, 0, 9, 9, detected=["J1", "A1"])
    change(table, JAPAN, {"cvg_zuikaku": {"home": "cv_shokaku"}})
    raid(table, lexington=2)
    take(table, JAPAN, d.Decline())

    assert [1] == [amount for _, _, amount in rolls(allot(table, ALLIES, (LEX, "cv_shokaku", 2)))]


def test_p28_5_1_launched_by_an_undetected_task_force() -> None:
    """Given A1 Undetected, then +1; the same strike by bombers from land has none."""
    table = missions(scene(), ALLIES, 0, 9, 9, detected=["J1"])
    raid(table, lexington=2)

    assert [1] == [amount for _, _, amount in rolls(allot(table, ALLIES, (LEX, "dd_jp7", 2)))]


def test_p28_5_1_in_port_and_the_inactive_ships_are_the_targets() -> None:
    """Given ships in port at Rabaul, then these are attacked, with +1, and lie open (P0.4.1)."""
    place = scene(
        tfs=[{"id": "J1", "side": "JP", "hex": "4837", "screen": ["dd_jp10"]}],
        naval=[{"at": "rabaul", "side": "JP", "units": ["dd_jp7", "bb_hiei"]}],
        air=[{"id": unit, "steps": 2, "level": 1, "base": "port_moresby"} for unit in (AH, AB)],
    )
    table = missions(place, ALLIES, 9, 9)
    fly(table, ALLIES, "strike_ships_in_port", "port_moresby", "rabaul", {AB: 2})
    assert {"bb_hiei", "dd_jp7"} == {*table.state.open.ships}
    named = {one.ship for one in options(table, ALLIES) if isinstance(one, d.AllotStrike)}
    assert {"bb_hiei", "dd_jp7"} == named

    facts = allot(table, ALLIES, (AB, "dd_jp7", 2))

    assert [("air attack", "column 3", 1)] == rolls(facts)


@pytest.mark.parametrize(("beside", "shift"), [("dd_jp10", -1), ("dd_jp7", 0)])
def test_p28_5_1_r_78_all_steps_on_the_target_are_4e(beside: str, shift: int) -> None:
    """Given 2 heavy bombers alone on a ship, then -1; with 2E steps on it, none; on another, -1."""
    place = scene(
        tfs=[{"id": "J1", "side": "JP", "hex": "4837", "screen": ["dd_jp7", "dd_jp10"]}],
        air=[{"id": unit, "steps": 2, "level": 1, "base": "port_moresby"} for unit in (AH, AB)],
    )
    table = missions(place, ALLIES, 0, 9, 9, 9, detected=["J1"])
    fly(table, ALLIES, "strike_tf", "port_moresby", "J1", {AH: 2, AB: 2})

    facts = allot(table, ALLIES, (AH, "dd_jp7", 2), (AB, beside, 2))

    assert shift == rolls(facts)[0][2]


def test_p28_5_1_p26_3_dusk() -> None:
    """Given Dusk, then -1."""
    table = missions(scene(), ALLIES, 0, 9, 9, lighting="Dusk", detected=["J1", "A1"])
    raid(table, lexington=2)

    assert [-1] == [amount for _, _, amount in rolls(allot(table, ALLIES, (LEX, "dd_jp7", 2)))]


def test_p28_5_1_e2_1_r_77_ships_in_port_at_pearl_harbor() -> None:
    """Given the first cycle and hidden carriers of level 2: +1, unseen +1, port +1, E2.1 +1, armour -1.

    6 x 5 = 30: column 9 + 3.
    """
    table = missions("E2", JAPAN, 9, 9)
    fly(table, JAPAN, "strike_ships_in_port", "J1", "pearl_harbor", {"cvg_akagi": 6})

    facts = allot(table, JAPAN, ("cvg_akagi", "bb_arizona", 6))

    assert [("air attack", "column 12", 3)] == rolls(facts)


def test_p3_1_a_column_below_1_rolls_and_hits_nothing_r_34() -> None:
    """Given 1 step of 2E, naval 1, at Hiei in the open: column 1, armour -1: a die without effect."""
    place = scene(
        tfs=[{"id": "J1", "side": "JP", "hex": "4837", "core": ["bb_hiei"]}],
        air=[{"id": AB, "steps": 2, "level": 1, "base": "port_moresby"}],
    )
    table = missions(place, ALLIES, 0, 9, 0, detected=["J1"])
    fly(table, ALLIES, "strike_tf", "port_moresby", "J1", {AB: 1})

    facts = allot(table, ALLIES, (AB, "bb_hiei", 1))

    assert [("air attack", "no column", -1)] == rolls(facts)
    assert {} == damage(table)


def test_p28_5_1_p0_4_1_damage_is_the_same_on_the_screen_and_on_the_open_table() -> None:
    """Given a Detected fleet that is hit, then the public copy of the ship is its owner's truth."""
    table = missions(scene(), ALLIES, 0, 9, 2, detected=["J1", "A1"])
    raid(table, lexington=3)
    allot(table, ALLIES, (LEX, "cv_shokaku", 3))

    assert table.state.own[JAPAN].ships["cv_shokaku"] == table.state.open.ships["cv_shokaku"]
    assert 3 == table.state.open.ships["cv_shokaku"].damage


def test_p28_5_1_no_more_facts_are_sealed_for_many_picks_than_for_few() -> None:
    """Given 4 steps, then one pick, four picks, and the rest at the best seal as much."""
    counts = set()
    for picks in (
        [d.AllotStrike(LEX, "dd_jp7"), d.WithSteps(4)],
        [one for ship in (*CORE, "dd_jp7") for one in (d.AllotStrike(LEX, ship), d.WithSteps(1))],
        [d.AllotRest()],
    ):
        table = missions(scene(), ALLIES, 0, 9, *[9] * 4, detected=["J1", "A1"])
        raid(table, lexington=4)
        facts = take(table, ALLIES, *picks)
        counts.add(sealed_facts(facts[: facts.index(told(facts, RaidsAre)[0])]))

    assert {9} == counts
