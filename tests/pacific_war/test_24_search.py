"""P24 Search: who finds whom, at what distance, and what is told of it."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.facts import Fact, Modifier, Padding, RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.battle.deactivation import remove_detection
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.search import meetings, search, sources
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Found, Noticed, OutOfSight, UnitsAre
from domain.pacific_war.facts.intelligence import detect
from tests.pacific_war.board import Die, battle, change, dice_left, faces, table_at, take, told

JAPAN, ALLIES = 0, 1
TARGET = ["ca_myoko_haguro", "dd_jp7", "dd_jp8"]
"""Three ships: nothing is added or taken off for their number."""


def fleet(tf: str, hex: str, **ships: Any) -> dict[str, Any]:
    return {"id": tf, "side": "JP" if tf.startswith("J") else "AL", "hex": hex, **ships}


def wing(unit: str, base: str, steps: int = 2) -> dict[str, Any]:
    return {"id": unit, "steps": steps, "level": 1, "base": base}


NOUMEA = "5747"
CONTROL = {"JP": ["rabaul"], "AL": ["noumea", "townsville"]}


def hunt(at: str, *dice: Die, air: Any = (), tfs: Any = (), **more: Any) -> Table:
    """Return a table with J1 at a hex and Noumea of the Allies; these dice will fall."""
    keep = {key: more.pop(key) for key in ("lighting", "detected", "advantage", "cycle") if key in more}
    scene = battle(tfs=[fleet("J1", at, screen=TARGET), *tfs], air=air, control=CONTROL, **more)
    table = table_at(scene, Movement(side=JAPAN), **keep)
    table.dice._rolls = faces(*dice)  # type: ignore[attr-defined]
    table.facts = []
    return table


def found(table: Table, side: int = ALLIES) -> tuple[list[RolledUnseen], list[str]]:
    """Let a side search; return its dice and what is found."""
    search(table, side)
    assert 0 == dice_left(table)
    return told(table.facts, RolledUnseen), [one.tf for one in told(table.facts, Found)]


def need(table: Table, side: int = ALLIES) -> int:
    """Return the number that the one die of a search needs."""
    (die,), _ = found(table, side)
    assert (10, side, "J1") == (die.sides, die.by, die.subject)
    return int(die.target.removesuffix(" or less"))


# P24.2: the table. Noumea is 5747; 5647, 5644, 5743, 5741 and 5738 are 1, 3, 4, 6 and 9 hexes away.


@pytest.mark.parametrize(
    ("unit", "values"),
    [
        ("us_lra_sopac", (8, 8, 7, 7, 6, 6, 5, 5, 3, 3, 3, None)),
        ("us_4e_feaf", (7, 7, 6, 6, 5, 5, 4, 4, 2, 2, 2, None)),
        ("us_2e_3bg", (7, 7, 5, 5, 4, 4, 2, 2, None, None, None, None)),
        ("us_1e_35fg", (6, 6, 2, 2, None, None, None, None, None, None, None, None)),
    ],
)
def test_p24_2_an_air_unit_finds_by_its_kind_and_the_distance(
    unit: str, values: tuple[int | None, ...]
) -> None:
    """Given the unit at Noumea, then at 0 to 11 hexes the number is that of the table; else no die falls."""
    for far, value in enumerate(values):
        at = f"57{47 - far}".replace("5743", "5743a")
        if value is None:
            assert ([], []) == found(hunt(at, air=[wing(unit, "noumea")])), far
        else:
            assert value == need(hunt(at, 9, air=[wing(unit, "noumea")])), far


@pytest.mark.parametrize(("far", "value"), [(0, 8), (1, 8), (2, 6), (3, 6), (4, 2), (5, 2), (6, None)])
def test_p24_2_a_carrier_group_that_is_committed_finds(far: int, value: int | None) -> None:
    """Given a carrier alone with no other source in reach: from 2 hexes on she is no TF with a gun."""
    tfs = [fleet("A1", "6045", core=["cv_yorktown"])]
    group = [{"id": "cvg_yorktown", "steps": 4, "level": 1}]
    dice = () if value is None else (9,)
    table = hunt(f"60{45 - far}", *dice, air=group, tfs=tfs)
    change(table, ALLIES, {"cvg_yorktown": {"searching": True}})
    table.facts = []
    if value is None:
        assert ([], []) == found(table)
    else:
        assert value + (1 if far <= 1 else 0) == need(table)  # beside it, the TF is a further class


def test_p24_2_a_carrier_group_that_was_committed_and_went_down_finds_nothing() -> None:
    """Given a patrol that has sunk the carrier after a step of her group was committed."""
    tfs = [fleet("A1", "6045", core=["cv_yorktown"], screen=["dd_us2"])]
    table = hunt("6043", air=[{"id": "cvg_yorktown", "steps": 4, "level": 1}], tfs=tfs)
    change(table, ALLIES, {"cvg_yorktown": {"searching": True}})
    inflict(table, {"cv_yorktown": 4})

    assert 0 == table.state.own[ALLIES].air["cvg_yorktown"].steps
    assert ([], []) == found(table)


def test_p24_2_a_carrier_group_that_is_not_committed_finds_nothing() -> None:
    tfs = [fleet("A1", "6045", core=["cv_yorktown"])]
    group = [{"id": "cvg_yorktown", "steps": 4, "level": 1}]

    assert ([], []) == found(hunt("6043", air=group, tfs=tfs))


@pytest.mark.parametrize(
    ("ships", "far", "value"),
    [
        ({"core": ["cvs_us1"]}, 1, 7),  # floatplanes
        ({"core": ["cvs_us1"]}, 3, 5),
        ({"core": ["cvs_us1"]}, 4, None),
        ({"screen": ["dd_us2"]}, 1, 7),  # a ship
        ({"screen": ["dd_us2"]}, 2, None),
        ({"core": ["aa_us1"]}, 1, None),  # transports see nothing
        ({"screen": ["ca_us1"]}, 1, 8),  # 7 and a further class
        ({"screen": ["ca_us1"]}, 2, 5),
    ],
)
def test_p24_2_a_task_force_finds_with_its_ships_and_floatplanes(
    ships: dict[str, Any], far: int, value: int | None
) -> None:
    tfs = [fleet("A1", "6045", **ships)]
    if value is None:
        assert ([], []) == found(hunt(f"60{45 - far}", tfs=tfs))
    else:
        assert value == need(hunt(f"60{45 - far}", 9, tfs=tfs))


def test_p24_2_a_crippled_ship_still_sees() -> None:
    """Given a cruiser that is crippled, then her task force is a source: the rule asks for no more."""
    table = hunt("6044", 9, tfs=[fleet("A1", "6045", screen=["ca_us1"])])
    change(table, ALLIES, {"ca_us1": {"damage": 3}})

    assert 8 == need(table)


@pytest.mark.parametrize(("far", "value"), [(0, 8), (1, 8), (2, None)])
def test_p24_2_a_coast_with_an_own_unbroken_ground_unit_finds(far: int, value: int | None) -> None:
    ground = [{"id": "us_wakedb", "hex": "noumea"}]
    if value is None:
        assert ([], []) == found(hunt(f"57{47 - far}", ground=ground))
    else:
        assert value == need(hunt(f"57{47 - far}", 9, ground=ground))


def test_p24_2_no_coast_finds_with_broken_units() -> None:
    table = hunt("5746", ground=[{"id": "us_wakedb", "hex": "noumea"}])
    change(table, ALLIES, {"us_wakedb": {"broken": True, "active": False}})

    assert ([], []) == found(table)


def test_p24_2_no_coast_finds_without_control() -> None:
    """Given Japanese troops ashore at Noumea of the Allies, then they watch no coast there."""
    table = hunt("6545", ground=[{"id": "jp_84gd", "hex": "noumea"}])
    board, own = table.state.open, table.state.own[JAPAN]

    assert [] == [one for one in sources(board, own, JAPAN) if one[0] == "COAST"]


@pytest.mark.parametrize(("far", "value"), [(0, 9), (1, 9), (2, None)])
def test_p24_2_a_coastwatch_location_serves_the_allies_whoever_has_it_and_adds_1(
    far: int, value: int | None
) -> None:
    """Given Rabaul (4837) of Japan without a soldier, then 8 and 1 are 9 there and beside it."""
    at = f"48{37 - far}"
    if value is None:
        at = "4640"  # nowhere near one
        assert ([], []) == found(hunt(at))
    else:
        assert value == need(hunt(at, 9))


@pytest.mark.parametrize(
    "place", ["kavieng", "rabaul", "buka", "shortland", "munda", "rekata", "guadalcanal"]
)
def test_p24_2_the_coastwatch_locations_of_the_scenarios(place: str) -> None:
    table = hunt("6545")

    assert ("COAST", LOCATIONS[place].hex, 1) in sources(table.state.open, table.state.own[ALLIES], ALLIES)
    assert ("COAST", LOCATIONS[place].hex, 1) not in sources(table.state.open, table.state.own[JAPAN], JAPAN)


@pytest.mark.parametrize(("far", "value"), [(0, 5), (1, 5), (2, None)])
def test_p24_2_an_own_patrol_finds(far: int, value: int | None) -> None:
    patrols = [{"side": "AL", "hex": "6045", "points": 1}]
    if value is None:
        assert ([], []) == found(hunt(f"60{45 - far}", patrols=patrols))
    else:
        assert value == need(hunt(f"60{45 - far}", 9, patrols=patrols))


def test_p24_2_the_best_source_counts_and_each_further_class_adds_1_at_most_2() -> None:
    """Given at 3 hexes an LRA 7, a 4E 6 and a 2E 5, a second LRA: 7 + 2; with a 1E (2) still 7 + 2."""
    air = [wing("us_lra_sopac", "noumea", 1), wing("us_lra_pw1", "noumea", 1), wing("us_4e_feaf", "noumea")]
    assert 8 == need(hunt("5744", 9, air=air))
    air += [wing("us_2e_3bg", "noumea")]
    table = hunt("5744", 9, air=air)
    assert 9 == need(table)
    assert (Modifier("further sources", 2),) == told(table.facts, RolledUnseen)[0].modifiers
    air = [wing("us_lra_sopac", "noumea", 1), *air[2:], wing("us_1e_35fg", "noumea")]
    assert 9 == need(hunt("5744", 9, air=air))


# P24.2: which air units are sources


def test_p24_2_inactive_units_and_used_steps_search_too() -> None:
    table = hunt("5744", 9, air=[wing("us_lra_sopac", "noumea")])
    change(table, ALLIES, {"us_lra_sopac": {"active": False, "ready": 0}})

    assert 7 == need(table)


def test_p24_2_an_interdicted_airbase_searches_nothing() -> None:
    """Given Noumea's airbase of size 2, then damage 1 leaves the search, 2 ends it."""

    for damage, dice in ((1, (9,)), (2, ())):
        table = hunt("5744", *dice, air=[wing("us_lra_sopac", "noumea")])
        bases = table.state.open.bases
        bases["noumea"] = replace(bases["noumea"], airbase_damage=damage)
        assert len(dice) == len(found(table)[0])


def test_p24_2_p2_3_2_air_units_above_the_room_of_their_airbase_do_not_search() -> None:
    """Given an airbase of size 1 with room for 2 units, then the third by id, the patrol planes, stays."""
    air = [wing(unit, "noumea") for unit in ("us_1e_35fg", "us_2e_3bg", "us_lra_sopac")]

    assert 3 == len({one for one, _, _ in sources(*_seen(hunt("5744", air=air)))} - {"COAST"})
    small = hunt("5744", air=air, bases={"noumea": {"airbase": 1}})
    assert {"1E", "2E"} == {one for one, _, _ in sources(*_seen(small))} - {"COAST"}


def _seen(table: Table) -> tuple[Any, Any, int]:
    return table.state.open, table.state.own[ALLIES], ALLIES


def test_p24_2_the_reach_of_search_exceeds_the_range() -> None:
    """Given fighters of range 3 and bombers of range 5, then the bombers search at 7 hexes."""
    assert 2 == need(hunt("5740", 9, air=[wing("us_2e_3bg", "noumea")]))


# P24.2: what is added


@pytest.mark.parametrize(("lighting", "value"), [("Day", 7), ("Dusk", 6), ("Night", 3)])
def test_p24_2_p26_3_at_dusk_1_and_at_night_4_are_taken_off(lighting: Any, value: int) -> None:
    assert value == need(hunt("5744", 9, air=[wing("us_lra_sopac", "noumea")], lighting=lighting))


@pytest.mark.parametrize(("month", "value"), [("1942-12", 3), ("1943-01", 5)])
def test_p3_2_the_search_of_the_allies_at_night_by_date(month: str, value: int) -> None:
    table = hunt("5744", 9, air=[wing("us_lra_sopac", "noumea")], lighting="Night", month=month)

    assert value == need(table)


@pytest.mark.parametrize(("count", "value"), [(1, 6), (2, 6), (3, 7), (7, 7), (8, 8), (9, 8)])
def test_p24_2_many_ships_are_found_more_easily_and_few_less(count: int, value: int) -> None:
    ships = ["bb_kongo", "bb_hiei", "bb_haruna", "bb_kirishima", "bb_nagato", "cv_akagi"]
    light = ["dd_jp7", "dd_jp8", "dd_jp2"]
    screen, core = light[: min(3, count)], ships[: max(0, count - 3)]
    scene = battle(
        tfs=[fleet("J1", "5744", screen=screen, core=core)],
        air=[wing("us_lra_sopac", "noumea")],
        control=CONTROL,
    )
    table = table_at(scene, Movement(side=JAPAN), 9)
    table.facts = []

    assert value == need(table)


@pytest.mark.parametrize(("face", "seen"), [(7, ["J1"]), (8, []), (0, ["J1"]), (9, [])])
def test_p24_2_it_is_found_with_the_number_or_less(face: int, seen: list[str]) -> None:
    _, found_ = found(hunt("5744", face, air=[wing("us_lra_sopac", "noumea")]))

    assert seen == found_


def test_p24_2_a_detected_task_force_is_not_searched_for() -> None:
    table = hunt("5744", air=[wing("us_lra_sopac", "noumea")], detected=["J1"])

    assert ([], []) == found(table)


def test_p24_2_a_die_for_each_undetected_task_force_in_reach_in_the_fixed_order() -> None:
    tfs = [
        fleet("J3", "5745", screen=["dd_jp2"]),
        fleet("J2", "5744", screen=["dd_jp10"]),
        fleet("J4", "2030", screen=["dd_jp11"]),
    ]
    dice, seen = found(hunt("5744", 9, 0, 9, air=[wing("us_lra_sopac", "noumea")], tfs=tfs))

    assert ["J1", "J2", "J3"] == [die.subject for die in dice]
    assert ["J2"] == seen


# P24.1, P0.2.2, P24.4: the order, and what is told


def test_p24_1_r_19_japan_searches_first_then_the_allies_then_p24_3() -> None:
    """Given cruisers of both on one node at Night, then four dice fall: two searches, two of P24.3."""
    foe = [
        fleet("A1", "6044", screen=["ca_us1", "dd_us2", "dd_us4"]),
        fleet("J9", "2030", screen=["dd_jp11"]),
    ]
    table = hunt("6044", 9, 9, 9, 9, tfs=foe, lighting="Night", advantage=ALLIES)
    facts = take(table, JAPAN, d.Done())

    dice = [(one.purpose, one.by, one.subject) for one in told(facts, RolledUnseen)]
    assert [
        ("search", JAPAN, "A1"),
        ("search", ALLIES, "J1"),
        ("meeting", JAPAN, "A1"),
        ("meeting", ALLIES, "J1"),
    ] == dice


def test_p24_1_both_search_after_either_movement_phase() -> None:
    """Given the Allies who move, then both search when they are done."""
    scene = battle(
        tfs=[fleet("J1", "5744", screen=TARGET), fleet("A1", "5044", screen=["ca_us1", "dd_us2", "dd_us4"])],
        air=[wing("us_lra_sopac", "noumea"), wing("jn_lra_25af", "rabaul")],
        control=CONTROL,
    )
    table = table_at(scene, Movement(side=ALLIES), 0, 0)
    facts = take(table, ALLIES, d.Done())

    assert ["A1", "J1"] == [one.tf for one in told(facts, Found)]


@pytest.mark.parametrize("air", [(), [wing("us_lra_sopac", "noumea")]])
def test_p0_2_2_of_a_search_that_fails_nothing_is_told_not_even_that_it_was_made(air: Any) -> None:
    """Given a searcher in reach or none, then as many facts are sealed, and none is open."""
    table = hunt("5744", *([9] if air else []), air=air)
    found(table)

    assert ["RolledUnseen" if air else "Padding"] == [type(one).__name__ for one in table.facts]


def test_p24_4_r_27_what_a_detected_task_force_holds_is_public_with_cargo_and_groups() -> None:
    convoy = fleet(
        "J1",
        "5744",
        core=["cv_shokaku", "aa_jp10"],
        screen=["dd_jp7"],
        cargo={"aa_jp10": ["jp_kure5"]},
    )
    scene = battle(
        tfs=[convoy],
        air=[{"id": "cvg_shokaku", "steps": 4, "level": 2}, wing("us_lra_sopac", "noumea")],
        control=CONTROL,
    )
    table = table_at(scene, Movement(side=JAPAN), 0)
    table.facts = []
    assert {} == table.state.open.ships
    search(table, ALLIES)

    board = table.state.open
    assert {"cv_shokaku", "aa_jp10", "dd_jp7"} == set(board.ships)
    assert (("cv_shokaku", "aa_jp10"), ("dd_jp7",)) == (
        board.contents["J1"].core,
        board.contents["J1"].screen,
    )
    assert {"aa_jp10": 2} == board.ground["jp_kure5"].aboard
    air = board.air["cvg_shokaku"]
    assert ("cv_shokaku", 4, 2) == (air.home, air.steps, air.level)


def test_p0_4_1_r_95_what_is_ready_on_patrol_or_activated_of_a_public_air_unit_stays_secret() -> None:
    """Given a group whose steps are ready or not, then its public copy is the same."""
    copies = []
    for fields in ({"ready": 4}, {"ready": 0, "cap": 2}, {"ready": 1, "searching": True}, {"active": False}):
        scene = battle(
            tfs=[fleet("J1", "5744", core=["cv_shokaku"], screen=["dd_jp7", "dd_jp8"])],
            air=[{"id": "cvg_shokaku", "steps": 4, "level": 2}],
        )
        table = table_at(scene, Movement(side=JAPAN))
        change(table, JAPAN, {"cvg_shokaku": fields})

        detect(table, "J1", "for the test", "24.4")
        copies.append(table.state.open.air["cvg_shokaku"])

    assert 1 == len(set(copies))


# P24.3: seen without search


def meet(*dice: int, lighting: Any = "Day", detected: Any = (), **more: Any) -> Table:
    """Return a table with J1 and A1 on one node, J2 and A2 elsewhere alone; nobody has searched."""
    foe = [
        fleet("A1", "6044", screen=["ca_us1", "dd_us2"]),
        fleet("J2", "3030", screen=["dd_jp2"]),
        fleet("A2", "3033", screen=["dd_us4"]),
    ]
    return hunt("6044", *dice, tfs=foe, lighting=lighting, detected=detected, **more)


@pytest.mark.parametrize("lighting", ["Day", "Dusk"])
def test_p24_3_by_day_and_at_dusk_fleets_on_one_node_are_detected_without_a_die(lighting: Any) -> None:
    table = meet(lighting=lighting)
    meetings(table)

    assert {"A1", "J1"} == {one.tf for one in told(table.facts, Found)}
    assert [] == told(table.facts, RolledUnseen)


@pytest.mark.parametrize("advantage", [JAPAN, ALLIES])
def test_p24_3_r_83_at_night_each_undetected_one_on_6_or_less_the_advantage_players_first(
    advantage: int,
) -> None:
    table = meet(6, 7, lighting="Night", advantage=advantage)
    meetings(table)

    first, other = ("J1", "A1") if advantage == JAPAN else ("A1", "J1")
    assert [(first, 10), (other, 10)] == [(die.subject, die.sides) for die in told(table.facts, RolledUnseen)]
    assert [first] == [one.tf for one in told(table.facts, Found)]
    assert 0 == dice_left(table)


def test_p24_3_at_night_a_detected_one_rolls_no_die() -> None:
    table = meet(7, lighting="Night", detected=["A1"])
    meetings(table)

    assert ["J1"] == [die.subject for die in told(table.facts, RolledUnseen)]
    assert [] == told(table.facts, Found)


def test_p24_3_r_47_fleets_on_two_coasts_of_a_hex_do_not_see_each_other() -> None:
    scene = battle(
        tfs=[fleet("J1", "4740a", screen=TARGET), fleet("A1", "4740b", screen=["ca_us1", "dd_us2"])]
    )
    table = table_at(scene, Movement(side=JAPAN))
    table.facts = []
    meetings(table)

    assert [] == told(table.facts, Found)


def test_p29_1_1_what_counts_as_detected_in_battle_is_from_before_p24_3() -> None:
    """Given fleets that have not moved in this cycle, then search counts, the meeting does not."""
    table = meet(detected=["A1"])
    meetings(table)

    tfs = table.state.open.tfs
    assert (True, True) == (tfs["J1"].detected, tfs["A1"].detected)
    assert (False, True) == (tfs["J1"].known, tfs["A1"].known)


def test_p29_1_1_it_is_noted_only_of_whom_that_has_changed() -> None:
    """Given one fleet that search has found and one that it has not, then the former is noted, and once."""
    tfs = [
        {"id": "J1", "side": "JP", "hex": "5540", "screen": ["dd_jp7"]},
        {"id": "J2", "side": "JP", "hex": "6030", "screen": ["dd_jp8"]},
    ]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN))
    detect(table, "J1", "for the test", "24.2")
    notes = []
    for _ in range(2):
        table.facts = []
        meetings(table)
        notes.append(told(table.facts, Noticed))

    assert [[Noticed({"J1": True})], []] == notes
    assert (True, False) == (table.open.tfs["J1"].known, table.open.tfs["J2"].known)


def test_p29_1_1_a_task_force_that_entered_the_node_is_known_as_before_that_move() -> None:
    """Given one that came unseen and was found by search after it, then it was not Detected."""
    table = meet(detected=["J1"])
    tfs = table.state.open.tfs
    tfs["J1"] = replace(tfs["J1"], came=True, known=False)
    meetings(table)

    assert not tfs["J1"].known


def test_p24_3_nothing_of_a_meeting_at_night_is_told_by_the_count_of_sealed_facts() -> None:
    kinds = set()
    for dice in ((0, 9), (9, 0), (9, 9)):
        table = meet(*dice, lighting="Night")
        meetings(table)
        kinds.add(tuple(type(one).__name__ for one in table.facts if _sealed(one)))

    assert {("RolledUnseen", "RolledUnseen")} == kinds


def _sealed(fact: Fact) -> bool:
    return isinstance(fact, RolledUnseen | Padding)


def test_p24_4_it_is_hidden_again_when_it_is_out_of_sight() -> None:
    """Given a Detected task force that no enemy is near, then P5.2.N takes the copies away."""

    table = hunt("6044", detected=["J1"])
    assert set(TARGET) == set(table.state.open.ships)
    remove_detection(table)

    assert [OutOfSight("J1")] == told(table.facts, OutOfSight)
    assert ({}, {}) == (table.state.open.ships, table.state.open.contents)
    assert [] == told(table.facts, UnitsAre)
