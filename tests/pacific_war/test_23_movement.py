"""P23 Movement: where task forces and ground units go, who goes aboard, who is stopped."""

from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.match.undo import reach as reach_of_undo
from domain.pacific_war.battle.movement import Movement, reach
from domain.pacific_war.board.atlas import FORBIDDEN, flood, kind, landward, place
from domain.pacific_war.board.table import home_hex
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Covered, Found, Sailed, UnitsAre
from domain.pacific_war.facts.fighting import WentAshore
from domain.pacific_war.facts.happenings import InterceptTried, Looked
from domain.pacific_war.facts.intelligence import show
from tests.pacific_war.board import (
    again_at,
    battle,
    change,
    dice_left,
    options,
    sea_distance,
    table_at,
    take,
    told,
)

JAPAN, ALLIES = 0, 1


def fleet(tf: str, hex: str, *screen: str, core: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Return a task force of Japan, or of the Allies if its id says so."""
    side = "JP" if tf.startswith("J") else "AL"
    return {"id": tf, "side": side, "hex": hex, "core": core, "screen": screen, **more}


IDLE = {"id": "J9", "side": "JP", "hex": "6540", "screen": ["dd_jp8"]}
"""A task force far away that can still move, so that the movement phase goes on."""


def ashore(unit: str, hex: str, **more: Any) -> dict[str, Any]:
    return {"id": unit, "hex": hex, **more}


def of(table: Table, side: int, *kinds: type[Any]) -> list[Any]:
    """Return the options of these kinds."""
    return [one for one in options(table, side) if isinstance(one, kinds)]


def places(table: Table, side: int) -> list[str]:
    return [one.node for one in of(table, side, d.SailTo)]


# P23.1, P23.3, P23.6: a task force


@pytest.mark.parametrize(
    ("ships", "farthest"),
    [
        ({"screen": ["ca_myoko_haguro", "dd_jp7"]}, 5),
        ({"core": ["cvs_kamikawa"], "screen": ["dd_jp7"]}, 4),
        ({"core": ["cvs_kamikawa", "aa_jp10"], "screen": ["dd_jp7"]}, 3),
    ],
)
def test_p23_3_p23_6_the_allowance_is_that_of_the_slowest_ship(ships: dict[str, Any], farthest: int) -> None:
    """Given a row of sea hexes to the south, then F goes 5 of them, M 4, S 3."""
    table = table_at(battle(tfs=[{"id": "J1", "side": "JP", "hex": "5540", **ships}]), Movement(side=JAPAN))
    take(table, JAPAN, d.MoveTF("J1"))

    row = [f"55{number}" for number in range(41, 47)]
    assert row[:farthest] == [node for node in row if node in places(table, JAPAN)]
    assert "5540" not in places(table, JAPAN)
    assert f"Choose where [J1] sails: {farthest} hexes left." == table.prompts[JAPAN].text


def test_p2_2_1_p23_3_a_crippled_ship_makes_its_task_force_slow() -> None:
    table = table_at(battle(tfs=[fleet("J1", "5540", "ca_myoko_haguro", "dd_jp7")]), Movement(side=JAPAN))
    change(table, JAPAN, {"ca_myoko_haguro": {"damage": 2}})  # 2 of 4 hits
    take(table, JAPAN, d.MoveTF("J1"))

    assert "5543" in places(table, JAPAN)
    assert "5544" not in places(table, JAPAN)


def test_p23_6_the_allowance_may_be_used_in_parts_and_the_window_closes_when_nothing_is_left() -> None:
    """Given 5 hexes, when 2 and then 3 are used, then nothing is left to do and the side is done (P0.3)."""
    table = table_at(battle(tfs=[fleet("J1", "5540", "ca_myoko_haguro", "dd_jp7")]), Movement(side=JAPAN))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5542"))
    take(table, JAPAN, d.MoveTF("J1"))
    assert "5545" in places(table, JAPAN)
    assert "5546" not in places(table, JAPAN)
    facts = take(table, JAPAN, d.SailTo("5545"))

    assert [("5543", "5544", "5545")] == [one.path for one in told(facts, Sailed)]
    assert "5545" == table.state.open.tfs["J1"].node
    assert {} == table.prompts
    assert [d.MoveTF("J1")] == of(again_at(table, Movement(side=JAPAN)), JAPAN, d.MoveTF)


@pytest.mark.parametrize(
    ("coast", "near"),
    [
        ("4740a", ["4640", "4641a", "4641b", "4641c", "4739", "4741", "4840", "4841"]),
        ("4740b", ["4640"]),
    ],
)
def test_p23_1_a_coast_is_left_by_its_own_hexsides_and_task_forces_share_hexes(
    coast: str, near: list[str]
) -> None:
    """Given Milne Bay with two coasts and 1 hex left, then each leads elsewhere; a fleet is no obstacle."""
    fleets = fleet("J1", coast, "dd_jp7", "dd_jp8"), fleet("A1", "4640", "dd_us2", "dd_us4")
    table = table_at(battle(tfs=fleets), Movement(side=JAPAN))
    own = table.state.own[JAPAN]
    own.fleets["J1"] = replace(own.fleets["J1"], used=4)

    assert near == reach(table.state.open, own, "J1")


def test_p1_2_r_49_no_task_force_leaves_the_area() -> None:
    """Given the area of E3, 12 to 5 degrees south, then nothing of it goes north of that."""
    table = table_at("E3", Movement(side=JAPAN), lighting="Night")
    take(table, JAPAN, d.MoveTF("J1"))

    lowest = min(place(node[:4])[0] for node in places(table, JAPAN))
    highest = max(place(node[:4])[0] for node in places(table, JAPAN))
    assert -12 <= lowest
    assert highest <= -5
    assert "5340" in places(table, JAPAN)
    assert "5136" not in places(table, JAPAN)  # 3 hexes away, at 4.6 degrees


def test_p0_3_1_p0_3_a_first_pick_whose_second_is_the_only_one_is_enough() -> None:
    """Given one transport at Lae, then the unit goes aboard it unasked, and with another one it is asked."""
    table = harbour("aa_jp10", unit="jp_kure5")
    assert [d.Embark("jp_kure5")] == of(table, JAPAN, d.Embark)
    table = harbour("aa_jp10", "aa_jp12", unit="jp_ssd")
    take(table, JAPAN, d.Embark("jp_ssd"))

    assert {"aa_jp10": 3, "aa_jp12": 1} == table.state.own[JAPAN].ground["jp_ssd"].aboard


def test_p0_9_4_a_task_force_with_one_place_to_go_sails_there_unasked() -> None:
    """Given an area of two hexes, then it goes to the other, and no sooner does a command go on from it."""
    narrow = {"lat": [-20.2, -18.4], "lon": [163.1, 163.3]}  # 5545 and 5546
    table = table_at(battle(area=narrow, tfs=[fleet("J1", "5545", "dd_jp7", "dd_jp8")]), Movement(side=JAPAN))
    assert ["5546"] == reach(table.state.open, table.state.own[JAPAN], "J1")
    assert d.MoveTF("J1") not in table.quiet(JAPAN)
    facts = take(table, JAPAN, d.MoveTF("J1"))

    assert [("5546",)] == [one.path for one in told(facts, Sailed)]


# P23.4.1: the path


def test_p23_4_1_p0_5_the_path_is_the_shortest_one_that_comes_first() -> None:
    table = table_at(battle(tfs=[fleet("J1", "5540", "dd_jp7", "dd_jp8")]), Movement(side=JAPAN))
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5742"))

    assert [("5641", "5741", "5742")] == [one.path for one in told(facts, Sailed)]


def test_p23_4_1_the_path_avoids_a_patrol_zone_if_it_is_no_longer_for_it() -> None:
    """Given a patrol whose zone has the first way, when another is as short, then that is gone."""
    tfs = [fleet("J1", "5540", "dd_jp7", "dd_jp8")]
    scene = battle(tfs=tfs, patrols=[{"side": "AL", "hex": "5841", "points": 1}])  # 5741 is in its zone
    table = table_at(scene, Movement(side=JAPAN))
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5742"))

    assert [("5641", "5642", "5742")] == [one.path for one in told(facts, Sailed)]
    assert [] == told(facts, Looked)


@pytest.mark.parametrize(("detected", "way"), [(["A1"], "5642"), ([], "5741")])
def test_p23_4_1_the_path_avoids_enemy_warships_that_are_known(detected: list[str], way: str) -> None:
    """Given a Detected cruiser on the first way, then the other is taken; an Undetected one is met."""
    tfs = [fleet("J1", "5540", "dd_jp7", "dd_jp8"), fleet("A1", "5741", "ca_us1", "dd_us2")]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN), detected=detected)
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5742"))

    assert ("5641", way) == tuple(node for one in told(facts, Sailed) for node in one.path)[:2]


def test_p23_4_1_transports_that_are_known_are_not_avoided() -> None:
    tfs = [fleet("J1", "5540", "dd_jp7", "dd_jp8"), fleet("A1", "5741", core=("aa_us1", "aa_us2"))]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN), detected=["A1"])
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5742"))

    assert ("5641", "5741") == told(facts, Sailed)[0].path


def test_p23_4_1_in_a_hex_first_the_patrol_attacks_then_the_enemy_intercepts() -> None:
    """Given both at 5541, when it comes, the die of the contact is before the question (9: no contact)."""
    tfs = [fleet("J1", "5540", "dd_jp7", "dd_jp8"), fleet("A1", "5541", "ca_us1", "dd_us2")]
    scene = battle(tfs=tfs, patrols=[{"side": "AL", "hex": "5542", "points": 4}])
    table = table_at(scene, Movement(side=JAPAN), 9)
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5541"))

    assert ["contact"] == [one.purpose for one in told(facts, RolledUnseen)]
    assert [d.Intercept(), d.Pass()] == options(table, ALLIES)


def test_p23_4_1_the_patrols_of_a_hex_attack_by_hex_number() -> None:
    patrols = [{"side": "AL", "hex": at, "points": 1} for at in ("5642", "5441", "5542")]
    scene = battle(tfs=[fleet("J1", "5540", "dd_jp7", "dd_jp8")], patrols=patrols)
    table = table_at(scene, Movement(side=JAPAN), 9, 9, 9)
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5541"))

    assert ["5441", "5542"] == [one.hex for one in told(facts, Looked)][:2]


def test_p23_4_1_a_task_force_that_is_slowed_goes_as_far_as_it_still_can() -> None:
    """Given 5 hexes to go, when a cruiser is crippled after 2, then it has 3 in all and goes 1 more."""
    tfs = [fleet("J1", "5540", "ca_furutaka_kako", core=("cv_shokaku",)), IDLE]
    scene = battle(tfs=tfs, patrols=[{"side": "AL", "hex": "5543", "points": 4}])
    table = table_at(scene, Movement(side=JAPAN), 0, (1,), 1, 9)
    change(table, JAPAN, {"ca_furutaka_kako": {"damage": 1}})
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5545"))

    # 8 points of strength: column 5, shift -2: column 3; die 1: 2 hits, the cruiser has 3 of 4.
    assert 3 == table.state.own[JAPAN].ships["ca_furutaka_kako"].damage
    assert ["5541", "5542", "5543"] == [node for one in told(facts, Sailed) for node in one.path]
    assert 0 == dice_left(table)


def test_p23_4_1_a_task_force_slowed_below_what_it_has_gone_ends_its_move_there() -> None:
    """Given 4 hexes gone before the patrol, when it is crippled, then it stops; the last is not sailed."""
    tfs = [fleet("J1", "5540", "ca_furutaka_kako", core=("cv_shokaku",)), IDLE]
    scene = battle(tfs=tfs, patrols=[{"side": "AL", "hex": "5545", "points": 4}])
    table = table_at(scene, Movement(side=JAPAN), 0, (1,), 1, 9)
    change(table, JAPAN, {"ca_furutaka_kako": {"damage": 1}})
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5545"))

    assert "5544" == table.state.open.tfs["J1"].node
    assert [d.MoveTF("J9")] == of(table, JAPAN, d.MoveTF)


def test_p23_4_1_a_task_force_that_is_sunk_ends_its_move() -> None:
    tfs = [fleet("J1", "5540", "dd_jp7"), fleet("J2", "6040", "dd_jp8")]
    scene = battle(tfs=tfs, patrols=[{"side": "AL", "hex": "5542", "points": 4}])
    table = table_at(scene, Movement(side=JAPAN), 0, (1,), 0)
    change(table, JAPAN, {"dd_jp7": {"damage": 1}})
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5545"))

    # Column 5 less 2: column 3, die 0: 2 hits, 3 of 3. Nobody is left to answer or to be Detected.
    assert "sunk" == table.state.open.lost["dd_jp7"]
    assert "J1" not in table.state.open.tfs
    assert "J1" not in table.state.own[JAPAN].fleets
    assert 0 == dice_left(table)


def test_p0_9_p0_9_3_p29_1_1_a_long_move_counts_as_single_ones_for_what_was_known_before() -> None:
    """Given a patrol that reports it on the way, then it was Detected before its last step, as hex by hex."""
    patrols = [{"side": "AL", "hex": "5542", "points": 4}]
    states = []
    for way in (["5544"], ["5541", "5542", "5543", "5544"]):
        scene = battle(tfs=[fleet("J1", "5540", "ca_myoko_haguro", "dd_jp8")], patrols=patrols)
        dice = (0, (1,), 9, 9, 4)  # contact, Myoko, no hit, no hit on the patrol, reported
        table = table_at(scene, Movement(side=JAPAN), *dice)
        for node in way:
            take(table, JAPAN, d.MoveTF("J1"), d.SailTo(node))
        states.append((table.state.open.tfs["J1"], table.state.own[JAPAN].fleets["J1"]))

    assert states[0] == states[1]
    assert states[0][0].known


# P23.6: interception


def meeting(*dice: int, more: int = 1, detected: tuple[str, ...] = (), **ships: Any) -> Table:
    """Return a table where J1 is about to come to `more` Allied task forces at 5542."""
    foes = [("ca_us1", "dd_us2"), ("ca_us2", "dd_us4"), ("ca_us4", "dd_us5")]
    tfs = [fleet("J1", "5540", *ships.get("screen", ("ca_myoko_haguro", "dd_jp7")))]
    tfs += [IDLE, *(fleet(f"A{n + 1}", "5542", *foes[n]) for n in range(more))]
    return table_at(battle(tfs=tfs), Movement(side=JAPAN), *dice, detected=detected)


@pytest.mark.parametrize(("face", "stopped"), [(3, True), (4, False)])
def test_p23_6_an_interception_succeeds_on_3_or_less(face: int, stopped: bool) -> None:
    table = meeting(face)
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5544"))
    assert "5542" == table.state.open.tfs["J1"].node
    facts = take(table, ALLIES, d.Intercept())

    (die,) = told(facts, RolledUnseen)
    assert ("interception", ALLIES, "3 or less", "A1") == (die.purpose, die.by, die.target, die.subject)
    assert [InterceptTried("J1", "A1", stopped)] == told(facts, InterceptTried)
    assert ("5542" if stopped else "5544") == table.state.open.tfs["J1"].node
    assert stopped == table.state.own[JAPAN].fleets["J1"].stopped


@pytest.mark.parametrize(("face", "stopped"), [(6, True), (7, False)])
def test_p23_6_a_detected_mover_and_a_faster_interceptor_raise_the_3(face: int, stopped: bool) -> None:
    """Given a Detected convoy of speed S and a fast cruiser, then 3 + 2 + 1 or less stops it."""
    tfs = [fleet("J1", "5540", core=("aa_jp10", "aa_jp12")), IDLE, fleet("A1", "5541", "ca_us1", "dd_us2")]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN), face, detected=["J1"])
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5542"))
    facts = take(table, ALLIES, d.Intercept())

    assert "6 or less" == told(facts, RolledUnseen)[0].target
    assert stopped == told(facts, InterceptTried)[0].stopped


def test_p23_6_an_interceptor_of_the_same_speed_adds_nothing() -> None:
    table = meeting(5, detected=("J1",))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5542"))
    facts = take(table, ALLIES, d.Intercept())

    assert "5 or less" == told(facts, RolledUnseen)[0].target
    assert told(facts, InterceptTried)[0].stopped


def test_p23_6_each_enemy_task_force_is_asked_in_the_fixed_order_until_one_succeeds() -> None:
    table = meeting(9, 0, more=3)
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5544"))
    assert "[J1] comes to [A1]: try to stop it, or pass." == table.prompts[ALLIES].text
    take(table, ALLIES, d.Intercept())
    assert "[J1] comes to [A2]: try to stop it, or pass." == table.prompts[ALLIES].text
    take(table, ALLIES, d.Intercept())

    assert ALLIES not in table.prompts
    assert "5542" == table.state.open.tfs["J1"].node
    assert [d.MoveTF("J9")] == of(table, JAPAN, d.MoveTF)
    assert 0 == dice_left(table)


def test_p23_6_who_passes_rolls_nothing_and_the_next_is_asked() -> None:
    table = meeting(more=2)
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5544"))
    facts = take(table, ALLIES, d.Pass())
    assert [] == told(facts, RolledUnseen)
    assert "A2" in table.prompts[ALLIES].text
    take(table, ALLIES, d.Pass())

    assert "5544" == table.state.open.tfs["J1"].node


@pytest.mark.parametrize("ships", [{"core": ("aa_us1", "aa_us2")}, {"screen": ("ca_us1",)}])
def test_p23_6_r_59_who_cannot_intercept_is_asked_too_and_can_only_pass(ships: dict[str, Any]) -> None:
    """Given transports alone, or a crippled cruiser, then the answer is none but it is asked for."""
    foe = {"id": "A1", "side": "AL", "hex": "5541", **ships}
    table = table_at(battle(tfs=[fleet("J1", "5540", "dd_jp7", "dd_jp8"), foe]), Movement(side=JAPAN))
    if "screen" in ships:
        change(table, ALLIES, {"ca_us1": {"damage": 2}})
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5542"))

    assert [d.Pass()] == options(table, ALLIES)
    take(table, ALLIES, d.Pass())
    assert "5542" == table.state.open.tfs["J1"].node


def test_p23_6_a_carrier_that_is_not_crippled_can_intercept() -> None:
    tfs = [fleet("J1", "5540", "dd_jp7", "dd_jp8"), fleet("A1", "5541", core=("cv_yorktown",))]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5541"))

    assert [d.Intercept(), d.Pass()] == options(table, ALLIES)


def test_p23_6_who_begins_its_move_beside_the_enemy_is_not_intercepted() -> None:
    tfs = [fleet("J1", "5540", "dd_jp7", "dd_jp8"), fleet("A1", "5540", "ca_us1", "dd_us2")]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5541"))

    assert ALLIES not in table.prompts
    assert "5541" == table.state.open.tfs["J1"].node


def test_r_47_p2_5_task_forces_on_other_coasts_of_a_hex_do_not_meet() -> None:
    """Given the enemy on the other coast of Milne Bay, when it comes, nobody is asked."""
    tfs = [
        fleet("J1", "4839", "dd_jp7", "dd_jp8"),
        {**fleet("A1", "4740", "ca_us1", "dd_us2"), "hex": "4740b"},
    ]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("4740a"))

    assert ALLIES not in table.prompts
    assert "4740a" == table.state.open.tfs["J1"].node


def test_p23_6_who_was_stopped_may_still_land_troops_there() -> None:
    """Given a convoy stopped at Guadalcanal after 2 of 3 hexes, then its troops may go ashore."""
    convoy = fleet("J1", "5139", core=("aa_jp10",), cargo={"aa_jp10": ["jp_kure5"]})
    scene = battle(tfs=[convoy, fleet("A1", "5340", "ca_us1", "dd_us2")])
    table = table_at(scene, Movement(side=JAPAN), 0)
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5340"))
    take(table, ALLIES, d.Intercept())

    assert [] == of(table, JAPAN, d.MoveTF)
    assert [d.Disembark("jp_kure5")] == of(table, JAPAN, d.Disembark)


# P23.2: ground units


def march_scene(unit: str = "jp_kure5", at: str = "lae", **more: Any) -> str:
    control = {"JP": ["lae"], "AL": ["buna", "port_moresby"]}
    return battle(ground=[ashore(unit, at), *more.pop("ground", [])], control=control, **more)


def test_p23_2_a_ground_unit_goes_to_each_hex_beside_it_that_is_joined_by_land() -> None:
    """Given Lae, then 4438, 4539 (Buna), 4440 (Port Moresby), 4339 and 4338, no sea, nothing farther."""
    table = table_at(march_scene(), Movement(side=JAPAN))

    there = ["4338", "4339", "4438", "4440", "4539"]
    assert [d.MoveGround("jp_kure5", to) for to in there] == of(table, JAPAN, d.MoveGround)


def test_p23_2_no_ground_unit_enters_forbidden_hexes() -> None:
    """Given a hex beside forbidden ground, then that is not on the list."""
    here = next(
        one
        for one in sorted({near for bad in FORBIDDEN for near in landward(bad)} - FORBIDDEN)
        if set(landward(one)) - FORBIDDEN
    )
    table = table_at(battle(ground=[ashore("jp_kure5", here)]), Movement(side=JAPAN))

    moves = {one.hex for one in of(table, JAPAN, d.MoveGround)}
    assert set(landward(here)) - FORBIDDEN == moves


def test_p23_6_a_ground_unit_goes_one_hex_a_phase() -> None:
    table = table_at(march_scene(), Movement(side=JAPAN))
    take(table, JAPAN, d.MoveGround("jp_kure5", "4438"))

    assert "4438" == table.state.own[JAPAN].ground["jp_kure5"].hex
    assert [["4438"], []] == [*map(list, table.state.open.troops)]
    assert {} == table.prompts
    assert [] != of(again_at(table, Movement(side=JAPAN)), JAPAN, d.MoveGround)


@pytest.mark.parametrize("state", [{"active": False}, {"broken": True, "active": False}, {"landing": True}])
def test_p23_6_only_an_activated_unbroken_unit_without_a_landing_marker_moves(state: dict[str, bool]) -> None:
    table = table_at(march_scene(), Movement(side=JAPAN))
    change(table, JAPAN, {"jp_kure5": state})

    assert [] == of(table, JAPAN, d.MoveGround)


def taken_back(facts: list[Any], side: int) -> bool:
    """Return whether the decision that led to these facts may be taken back."""
    return reach_of_undo([*enumerate(facts, 1)], side, alone=True) is not None


def test_p0_3_1_p23_2_who_marches_into_an_enemy_and_sees_him_cannot_take_it_back() -> None:
    """Given an empty hex and one with hidden troops beside Lae, then only the former march can be undone."""
    scene = march_scene(ground=[ashore("us_24div", "port_moresby")], tfs=[IDLE])
    table = table_at(scene, Movement(side=JAPAN))
    assert taken_back(take(table, JAPAN, d.MoveGround("jp_kure5", "4338")), JAPAN)

    table = table_at(scene, Movement(side=JAPAN))
    facts = take(table, JAPAN, d.MoveGround("jp_kure5", "4440"))
    assert {"us_24div", "jp_kure5"} == table.state.open.ground.keys()
    assert not taken_back(facts, JAPAN)


def test_p0_3_1_what_is_public_already_may_change_its_place_and_be_taken_back() -> None:
    """Given two Detected task forces on one node, when a ship goes to the other, then nothing is revealed."""
    tfs = [
        fleet("J1", "5540", "dd_jp7", "dd_jp8"),
        fleet("J2", "5540", "dd_jp27"),
        IDLE | {"screen": ["dd_jp4"]},
    ]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN), detected=["J1", "J2"])
    facts = take(table, JAPAN, d.TransferShip("dd_jp7"))

    assert ("dd_jp27", "dd_jp7") == table.state.open.contents["J2"].screen
    assert taken_back(facts, JAPAN)


def test_p0_3_1_a_hidden_ship_that_joins_a_detected_fleet_stays_there() -> None:
    tfs = [fleet("J1", "5540", "dd_jp7", "dd_jp8"), fleet("J2", "5540", "dd_jp27")]
    table = table_at(battle(tfs=tfs), Movement(side=JAPAN), detected=["J2"])
    facts = take(table, JAPAN, d.TransferShip("dd_jp7"))

    assert "dd_jp7" in table.state.open.ships
    assert not taken_back(facts, JAPAN)


def test_p23_2_p0_4_1_units_that_meet_are_public_and_held() -> None:
    """Given a battalion that enters Buna, then both are shown, and it cannot march out again."""
    table = table_at(march_scene(ground=[ashore("au_30bde", "buna")]), Movement(side=JAPAN))
    facts = take(table, JAPAN, d.MoveGround("jp_kure5", "4539"))

    assert {"jp_kure5", "au_30bde"} == set(table.state.open.ground)
    assert [] == told(facts, WentAshore)
    assert [] == of(again_at(table, Movement(side=JAPAN)), JAPAN, d.MoveGround)


def test_p2_7_no_move_breaks_the_limit_of_60_steps() -> None:
    """Given 59 steps in a hex, then 1 more may come, and 2 may not."""
    scene = march_scene(ground=[ashore("jp_84gd", "lae"), ashore("jp_ssd", "4438", steps=59)])
    table = table_at(scene, Movement(side=JAPAN))

    assert "4438" in {one.hex for one in of(table, JAPAN, d.MoveGround) if one.unit == "jp_84gd"}
    assert "4438" not in {one.hex for one in of(table, JAPAN, d.MoveGround) if one.unit == "jp_kure5"}


# P2.8: withdrawal


def held() -> Table:
    """Return a table with a Japanese battalion at Lae beside an enemy brigade; Buna is the enemy's."""
    return table_at(
        march_scene(ground=[ashore("au_30bde", "lae"), ashore("us_wakedb", "4438")]), Movement(side=0)
    )


def test_p2_8_a_unit_withdraws_to_a_hex_without_enemies_that_is_not_the_enemys() -> None:
    """Given the enemy at 4438 and his locations at 4440 and 4539, then 4338 and 4339 are left."""
    there = ["4338", "4339"]

    table = held()
    assert [d.WithdrawGround("jp_kure5", to) for to in there] == of(table, JAPAN, d.WithdrawGround)
    assert [] == of(table, JAPAN, d.MoveGround, d.Embark)


@pytest.mark.parametrize("state", [{"broken": True, "active": False}, {"landing": True}, {"active": False}])
def test_p2_8_a_unit_withdraws_whatever_its_state_and_is_deactivated(state: dict[str, bool]) -> None:
    table = held()
    change(table, JAPAN, {"jp_kure5": state})
    take(table, JAPAN, d.WithdrawGround("jp_kure5", "4339"))

    unit = table.state.own[JAPAN].ground["jp_kure5"]
    assert ("4339", False) == (unit.hex, unit.active)
    assert state.get("broken", False) == unit.broken
    assert ["4339"] == table.state.open.troops[JAPAN]
    assert [] == of(again_at(table, Movement(side=JAPAN)), JAPAN, d.MoveGround, d.WithdrawGround)


def test_p2_8_no_unit_withdraws_where_no_enemy_is() -> None:
    assert [] == of(table_at(march_scene(), Movement(side=JAPAN)), JAPAN, d.WithdrawGround)


# P23.6: embarking


def harbour(
    *ships: str, unit: str = "jp_ssd", at: str = "lae", screen: tuple[str, ...] = (), **more: Any
) -> Table:
    tfs = [fleet("J1", "4439", *screen, core=ships), *more.pop("tfs", [])]
    return table_at(march_scene(unit, at, tfs=tfs, **more), Movement(side=JAPAN))


def test_p23_6_a_unit_goes_aboard_a_task_force_whose_ships_are_filled_by_id() -> None:
    """Given 4 steps and two transports of 3, then 3 lie on the first and 1 on the second."""
    table = harbour("aa_jp10", "aa_jp12")
    facts = take(table, JAPAN, d.Embark("jp_ssd"))

    unit = table.state.own[JAPAN].ground["jp_ssd"]
    assert ("", {"aa_jp10": 3, "aa_jp12": 1}) == (unit.hex, unit.aboard)
    assert 1 == table.state.own[JAPAN].fleets["J1"].used
    assert [] == table.state.open.troops[JAPAN]
    assert [] == told(facts, UnitsAre)


def test_p23_6_or_one_of_its_ships_if_that_alone_can_lift_it() -> None:
    """Given 2 steps, then the task force and each transport can be named, no destroyer of 1 step."""
    table = harbour("aa_jp12", "aa_jp10", screen=("dd_jp7",), unit="jp_kure5")
    take(table, JAPAN, d.Embark("jp_kure5"))
    assert [d.Aboard("J1"), d.Aboard("aa_jp10"), d.Aboard("aa_jp12")] == options(table, JAPAN)
    assert "[jp_kure5] aboard, 2 steps" in table.prompts[JAPAN].text
    assert {"type": "aboard", "into": "aa_jp12"} == to_builtins(d.Aboard("aa_jp12"))
    take(table, JAPAN, d.Aboard("aa_jp12"))

    assert {"aa_jp12": 2} == table.state.own[JAPAN].ground["jp_kure5"].aboard


def test_p23_6_the_free_lift_must_take_all_steps() -> None:
    """Given a transport of 3 and a unit of 4, then it stays; and crippled it lifts 1 (P2.2.1)."""
    assert [] == of(harbour("aa_jp10"), JAPAN, d.Embark)
    table = harbour("aa_jp10", unit="jp_kure5")
    assert [d.Embark("jp_kure5")] == of(table, JAPAN, d.Embark)
    change(table, JAPAN, {"aa_jp10": {"damage": 2}})
    assert [] == of(table, JAPAN, d.Embark)


def test_p23_6_what_is_aboard_takes_its_lift() -> None:
    """Given a transport with 2 of 3 steps taken, then 2 more find no room and 1 does."""
    load = fleet("J1", "4439", core=("aa_jp10",), cargo={"aa_jp10": ["jp_51gd"]})
    scene = march_scene(tfs=[load], ground=[ashore("jp_84gd", "lae")])

    assert [d.Embark("jp_84gd")] == of(table_at(scene, Movement(side=JAPAN)), JAPAN, d.Embark)


@pytest.mark.parametrize(
    ("unit", "steps", "may"), [("jp_kure5", 1, True), ("jp_ssd", 1, True), ("jp_5div", 1, False)]
)
def test_p23_6_destroyers_carry_no_division(unit: str, steps: int, may: bool) -> None:
    table = harbour(unit=unit, screen=("dd_jp7",))
    change(table, JAPAN, {unit: {"steps": steps}})

    assert may == (d.Embark(unit) in options(table, JAPAN))


@pytest.mark.parametrize("state", [{"active": False}, {"broken": True, "active": False}])
def test_p23_6_only_an_activated_unit_embarks(state: dict[str, bool]) -> None:
    table = harbour("aa_jp10", "aa_jp12")
    change(table, JAPAN, {"jp_ssd": state})

    assert [] == of(table, JAPAN, d.Embark)


def test_p23_6_a_unit_embarks_in_the_hex_of_the_task_force_alone() -> None:
    assert [] == of(harbour("aa_jp10", "aa_jp12", at="4438"), JAPAN, d.Embark)


@pytest.mark.parametrize(("holder", "may"), [("JP", True), ("AL", False)])
def test_p23_6_r_107_with_the_enemy_in_the_hex_a_unit_embarks_in_a_friendly_port_alone(
    holder: str, may: bool
) -> None:
    """Read so that P23.6 goes before P2.8: a friendly port is a way out."""
    other = "AL" if holder == "JP" else "JP"
    scene = battle(
        tfs=[fleet("J1", "4439", core=("aa_jp10", "aa_jp12"))],
        ground=[ashore("jp_ssd", "lae"), ashore("au_30bde", "lae")],
        control={holder: ["lae"], other: ["buna", "port_moresby"]},
    )

    assert may == (d.Embark("jp_ssd") in options(table_at(scene, Movement(side=JAPAN)), JAPAN))


def test_p23_6_embarking_takes_a_hex_of_the_allowance() -> None:
    """Given a convoy of speed S, when it has embarked, then 2 are left; with none left it lifts none."""
    table = harbour("aa_jp10", "aa_jp12", tfs=[fleet("J2", "5540", "dd_jp8", "dd_jp27")])
    take(table, JAPAN, d.Embark("jp_ssd"))
    take(table, JAPAN, d.MoveTF("J1"))
    assert {2} == {_far("4439", node) for node in places(table, JAPAN)} - {1}

    tfs = [fleet("J1", "4538", core=("aa_jp10", "aa_jp12")), IDLE]
    table = table_at(march_scene("jp_ssd", tfs=tfs), Movement(side=JAPAN))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("4439"))
    assert [d.Embark("jp_ssd")] == of(table, JAPAN, d.Embark)
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("4538"))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("4439"))
    assert [] == of(table, JAPAN, d.Embark)


def _far(start: str, node: str) -> int:
    far = sea_distance(start, node)
    assert far is not None
    return far


def test_r_58_r_108_a_unit_marches_embarks_and_goes_ashore_once_each() -> None:
    """Given a unit that embarks and lands again, then it may march, but not embark a second time."""
    table = harbour("aa_jp10", "aa_jp12")
    take(table, JAPAN, d.Embark("jp_ssd"))
    assert [d.Disembark("jp_ssd")] == of(table, JAPAN, d.Disembark)
    take(table, JAPAN, d.Disembark("jp_ssd"))

    assert not table.state.own[JAPAN].ground["jp_ssd"].landing
    assert [] == of(table, JAPAN, d.Embark, d.Disembark)
    assert [] != of(table, JAPAN, d.MoveGround)


def test_r_58_a_unit_that_has_gone_ashore_and_aboard_again_stays_aboard() -> None:
    scene = battle(tfs=[convoy("4439"), IDLE], control={"JP": ["lae"], "AL": []})
    table = table_at(scene, Movement(side=JAPAN))
    take(table, JAPAN, d.Disembark("jp_ssd"))
    take(table, JAPAN, d.Embark("jp_ssd"))

    assert [d.MoveTF("J1"), d.MoveTF("J9")] == of(table, JAPAN, d.MoveTF)
    assert [] == of(table, JAPAN, d.Embark, d.Disembark)


def test_p0_4_1_a_public_unit_is_hidden_again_aboard_an_undetected_task_force() -> None:
    """Given a unit that was seen ashore, when it embarks, then nobody is told on which ship."""
    table = harbour("aa_jp10", "aa_jp12")
    show(table, ground=["jp_ssd"])
    facts = take(table, JAPAN, d.Embark("jp_ssd"))

    assert [Covered(ground=("jp_ssd",))] == told(facts, Covered)
    assert [] == told(facts, UnitsAre)
    assert {} == table.state.open.ground


def test_p24_4_a_unit_aboard_a_detected_task_force_is_public() -> None:
    tfs = [fleet("J1", "4439", core=("aa_jp10", "aa_jp12"))]
    table = table_at(march_scene("jp_ssd", tfs=tfs), Movement(side=JAPAN), detected=["J1"])
    take(table, JAPAN, d.Embark("jp_ssd"))

    assert {"aa_jp10": 3, "aa_jp12": 1} == table.state.open.ground["jp_ssd"].aboard


# P23.6: disembarking


def convoy(hex: str, **more: Any) -> dict[str, Any]:
    """Return a convoy with 4 steps on two transports."""
    cargo = {"aa_jp10": ["jp_ssd:3"], "aa_jp12": ["jp_ssd:1"]}
    return fleet("J1", hex, core=("aa_jp10", "aa_jp12"), cargo=cargo, **more)


def test_p23_6_a_unit_lands_with_all_its_steps_before_the_enemy_with_a_landing_marker() -> None:
    """Given Port Moresby of the enemy, then unit and convoy are public (P24.3)."""
    scene = battle(tfs=[convoy("4440")], control={"JP": ["lae"], "AL": ["port_moresby"]})
    table = table_at(scene, Movement(side=JAPAN))
    facts = take(table, JAPAN, d.Disembark("jp_ssd"))

    unit = table.state.own[JAPAN].ground["jp_ssd"]
    assert ("4440", {}, 4, True) == (unit.hex, unit.aboard, unit.steps, unit.landing)
    assert unit == table.state.open.ground["jp_ssd"]
    assert [WentAshore(("jp_ssd",), JAPAN, "4440", "J1")] == told(facts, WentAshore)
    force = table.state.open.tfs["J1"]
    assert (True, True, False) == (force.detected, force.busy, force.fought)
    assert 1 == table.state.own[JAPAN].fleets["J1"].used


def test_p23_6_enemy_troops_alone_make_it_a_landing_too() -> None:
    """Given a hex without a location where the enemy is, then both are shown as they meet."""
    scene = battle(tfs=[convoy("4438")], ground=[ashore("au_30bde", "4438")], control={"JP": [], "AL": []})
    table = table_at(scene, Movement(side=JAPAN))
    take(table, JAPAN, d.Disembark("jp_ssd"))

    assert table.state.own[JAPAN].ground["jp_ssd"].landing
    assert {"jp_ssd", "au_30bde"} <= set(table.state.open.ground)


def test_p23_6_r_99_among_friends_it_gets_no_marker_and_nothing_is_told() -> None:
    scene = battle(tfs=[convoy("4439")], control={"JP": ["lae"], "AL": []})
    table = table_at(scene, Movement(side=JAPAN))
    facts = take(table, JAPAN, d.Disembark("jp_ssd"))

    assert not table.state.own[JAPAN].ground["jp_ssd"].landing
    assert ["4439"] == table.state.open.troops[JAPAN]
    assert [] == [*told(facts, WentAshore), *told(facts, UnitsAre), *told(facts, Found)]
    assert not table.state.open.tfs["J1"].busy


@pytest.mark.parametrize(("hex", "may"), [("4440", True), ("4541", False)])
def test_p23_6_a_unit_goes_ashore_in_a_shore_hex_alone(hex: str, may: bool) -> None:
    table = table_at(battle(tfs=[convoy(hex)]), Movement(side=JAPAN))

    assert may == (d.Disembark("jp_ssd") in options(table, JAPAN))


def test_p23_6_a_landing_takes_a_hex_of_the_allowance() -> None:
    """Given 3 hexes gone to Port Moresby, then none is left to land with."""
    start = next(node for node in _around("4440", 3))
    table = table_at(battle(tfs=[convoy(start)]), Movement(side=JAPAN))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("4440"))

    assert {} == table.prompts
    assert {"aa_jp10": 3, "aa_jp12": 1} == table.state.own[JAPAN].ground["jp_ssd"].aboard


def _around(node: str, far: int) -> list[str]:
    return [at for at, steps in flood(node, far).items() if steps == far and kind(at[:4]) == "s"]


def test_p2_7_no_landing_breaks_the_limit_of_an_atoll() -> None:
    """Given 9 steps at Wake, then 4 more would be 13 of 12; steps aboard do not count."""
    scene = battle(
        tfs=[convoy("5722")], ground=[ashore("jp_5div", "wake")], control={"JP": ["wake"], "AL": []}
    )
    table = table_at(scene, Movement(side=JAPAN))
    change(table, JAPAN, {"jp_5div": {"steps": 9}})
    assert [] == of(table, JAPAN, d.Disembark)
    change(table, JAPAN, {"jp_5div": {"steps": 8}})
    assert [d.Disembark("jp_ssd")] == of(table, JAPAN, d.Disembark)


# P23.6: the search of a carrier group


def test_p23_6_a_group_commits_one_step_to_search_once_a_phase() -> None:
    scene = battle(
        tfs=[fleet("J1", "5540", "dd_jp7", core=("cv_shokaku", "cv_zuikaku"))],
        air=[
            {"id": "cvg_shokaku", "steps": 4, "level": 1},
            {"id": "cvg_zuikaku", "steps": 4, "level": 1},
            {"id": "jn_1e_25af", "steps": 4, "level": 1, "base": "rabaul"},
        ],
        control={"JP": ["rabaul"], "AL": []},
    )
    table = table_at(scene, Movement(side=JAPAN))
    change(table, JAPAN, {"cv_zuikaku": {"damage": 3}})  # 3 of 5: crippled, she launches nothing
    assert [d.CommitSearch("cvg_shokaku")] == of(table, JAPAN, d.CommitSearch)
    facts = take(table, JAPAN, d.CommitSearch("cvg_shokaku"))

    air = table.state.own[JAPAN].air["cvg_shokaku"]
    assert (4, 3, True) == (air.steps, air.ready, air.searching)
    assert [] == of(table, JAPAN, d.CommitSearch)
    assert [] == told(facts, UnitsAre)
    table = again_at(table, Movement(side=JAPAN))
    assert not table.state.own[JAPAN].air["cvg_shokaku"].searching
    assert [d.CommitSearch("cvg_shokaku")] == of(table, JAPAN, d.CommitSearch)


def test_p23_6_a_group_without_a_ready_step_commits_nothing() -> None:
    scene = battle(
        tfs=[fleet("J1", "5540", "dd_jp7", core=("cv_shokaku",))],
        air=[{"id": "cvg_shokaku", "steps": 4, "level": 1}],
    )
    table = table_at(scene, Movement(side=JAPAN), ready=False)
    change(table, JAPAN, {"cvg_shokaku": {"ready": 0}})

    assert [] == of(table, JAPAN, d.CommitSearch)


def test_p23_6_carriers_take_their_groups_along() -> None:
    scene = battle(
        tfs=[fleet("J1", "5540", "dd_jp7", core=("cv_shokaku",))],
        air=[{"id": "cvg_shokaku", "steps": 4, "level": 1}],
    )
    table = table_at(scene, Movement(side=JAPAN))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5545"))

    assert "5545" == home_hex(table.state.open, table.state.own[JAPAN], "cvg_shokaku")


def test_p23_6_the_phase_is_passed_if_there_is_nothing_to_choose() -> None:
    """Given a garrison on an island, then its owner is not asked (P0.3)."""
    table = table_at(battle(ground=[ashore("us_wakedb", "wake")]), Movement(side=ALLIES))

    assert {} == table.prompts


def test_p23_6_the_window_lists_what_may_be_done_and_says_so() -> None:
    tfs = [fleet("J1", "4439", "dd_jp7", core=("aa_jp10", "aa_jp12"))]
    table = table_at(march_scene("jp_kure5", tfs=tfs), Movement(side=JAPAN))

    kinds = [type(one).__name__ for one in options(table, JAPAN)]
    assert ["NewTF", "MoveTF", *["MoveGround"] * 5, "Embark", "Done"] == kinds
    text = "You may reorganise task forces first, then move task forces, march or embark, or be done."
    assert text == table.prompts[JAPAN].text
