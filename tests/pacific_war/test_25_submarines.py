"""P25 Submarines: patrols, their zones, and an attack to the die."""

from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import Drew, Modifier, Rolled, RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.sequence import enter
from domain.pacific_war.battle.submarines import attack, zones
from domain.pacific_war.board.atlas import within
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Found, PatrolIs, Sailed, ShipHit
from domain.pacific_war.facts.happenings import Looked
from tests.pacific_war.board import (
    Die,
    again_at,
    battle,
    change,
    dice_left,
    drawn,
    faces,
    table_at,
    take,
    told,
)

JAPAN, ALLIES = 0, 1
AT = "5543"
IDLE = {"id": "J9", "side": "JP", "hex": "6540", "screen": ["dd_jp8"]}


def lurk(
    *dice: Die,
    points: int = 4,
    core: tuple[str, ...] = (),
    screen: tuple[str, ...] = ("ca_myoko_haguro", "dd_jp7"),
    hex: str = "5543",
    detected: tuple[str, ...] = (),
    month: str = "1942-05",
    damage: dict[str, int] | None = None,
    patrols: Any = None,
    cargo: Any = None,
) -> Table:
    """Return a table where J1 lies at a hex, a patrol of the Allies at 5543; these dice will fall."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": hex, "core": core, "screen": screen, "cargo": cargo or {}},
            IDLE,
        ],
        patrols=patrols or [{"side": "AL", "hex": AT, "points": points}],
        month=month,
    )
    table = table_at(scene, Movement(side=JAPAN), detected=detected)
    change(table, JAPAN, {ship: {"damage": hits} for ship, hits in (damage or {}).items()})
    table.dice._rolls = faces(*dice)  # type: ignore[attr-defined]
    table.facts = []
    return table


def target(table: Table, purpose: str) -> str:
    dice = [one for one in table.facts if isinstance(one, Rolled | RolledUnseen) and one.purpose == purpose]
    return dice[0].target


# the zone, and when


def test_p25_2_the_zone_is_the_hex_and_the_six_around_it() -> None:
    table = lurk()

    assert {AT: within(AT, 1)} == zones(table.state.open, ALLIES)
    assert 7 == len(zones(table.state.open, ALLIES)[AT])
    assert {} == zones(table.state.open, JAPAN)


def test_p25_2_a_task_force_that_enters_a_hex_of_the_zone_is_looked_for() -> None:
    """Given the zone from 5542 on, then nothing happens at 5541, and a die falls at 5542 (9: no contact)."""
    table = lurk(9, hex="5540")
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5541"))
    assert [] == told(facts, Looked)
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5542"))

    assert [Looked(AT, "J1")] == told(facts, Looked)
    assert 0 == dice_left(table)


def test_p25_2_once_for_each_patrol_task_force_and_phase() -> None:
    """Given a task force that goes on within the zone, then no second die falls until the next phase."""
    table = lurk(9, hex="5541")
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5542"))
    take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5544"))
    assert 0 == dice_left(table)
    enter(table, "5.2.K")
    table = again_at(table, Movement(side=JAPAN), 9)
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5543"))
    assert [Looked(AT, "J1")] == told(facts, Looked)


def test_p25_2_each_patrol_looks_once() -> None:
    """Given two patrols, their zones one hex apart, then the second looks when its zone is entered."""
    patrols = [{"side": "AL", "hex": at, "points": 1} for at in ("5542", "5543")]
    table = lurk(9, 9, hex="5540", patrols=patrols)
    facts = take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5543"))

    assert ["5542", "5543"] == [one.hex for one in told(facts, Looked)]
    assert [("5541",), ("5542",), ("5543",)] == [one.path for one in told(facts, Sailed)]


def test_p25_2_an_own_patrol_and_a_task_force_that_stays_are_left_alone() -> None:
    table = lurk(hex="5541", patrols=[{"side": "JP", "hex": AT, "points": 4}])
    assert [] == told(take(table, JAPAN, d.MoveTF("J1"), d.SailTo("5544")), Looked)
    table = lurk(5)
    facts = take(table, JAPAN, d.Done())  # the search of the patrol, and no contact

    assert [] == told(facts, Looked)


# contact


@pytest.mark.parametrize(
    ("points", "ships", "detected", "number"),
    [
        (1, {"core": ("bb_mutsu",), "screen": ()}, (), 2),
        (4, {"core": ("bb_mutsu",), "screen": ()}, (), 5),
        (4, {"core": (), "screen": ("dd_jp7",)}, (), 3),  # F
        (4, {"core": ("aa_jp10",), "screen": ("dd_jp7",)}, (), 5),  # S, by its slowest
        (4, {"core": ("bb_mutsu",), "screen": ()}, ("J1",), 6),
        (1, {"core": (), "screen": ("dd_jp7",)}, ("J1",), 1),
    ],
)
def test_p25_2_contact_is_made_by_points_speed_and_detection(
    points: int, ships: Any, detected: tuple[str, ...], number: int
) -> None:
    table = lurk(number + 1, points=points, detected=detected, **ships)
    attack(table, AT, "J1")

    assert f"{number} or less" == target(table, "contact")
    assert [] == told(table.facts, PatrolIs)


def test_p25_2_a_crippled_ship_is_slow_and_found_more_easily() -> None:
    table = lurk(6, screen=("dd_jp7",), damage={"dd_jp7": 2})
    attack(table, AT, "J1")

    assert "5 or less" == target(table, "contact")


@pytest.mark.parametrize("detected", [(), ("J1",)])
def test_p0_2_2_of_a_contact_that_fails_nothing_is_told(detected: tuple[str, ...]) -> None:
    """Given a die of 9, then all that is open is that the task force is in the zone."""
    table = lurk(9, detected=detected)
    attack(table, AT, "J1")

    assert [Looked(AT, "J1")] == [one for one in table.facts if one.audience() is Audience.ALL]
    assert ["contact"] == [one.purpose for one in told(table.facts, RolledUnseen)]
    assert 0 == table.state.open.patrols[AT].points


# the attack: the draw, torpedoes, the answer, the report


def test_p25_2_p0_2_2_r_53_an_attack_on_an_undetected_task_force_to_the_die() -> None:
    """Given 4 points, when the second of two ships is drawn, then 8 - 2 columns at die 0 are 2 hits.

    8: column 5; torpedoes of the Allies in 1942 -2; no air defence: column 3, die 0: 2 hits of 2 for Myoko's
    4: crippled. The answer: destroyers 2, column 2 - 2 is none, yet the die falls (R-34). Report on 4.
    """
    table = lurk(3, drawn(0), 0, 0, 4)
    attack(table, AT, "J1")

    assert 2 == table.state.own[JAPAN].ships["ca_myoko_haguro"].damage
    unseen = [(one.purpose, one.by, one.subject) for one in told(table.facts, RolledUnseen)]
    assert [
        ("contact", ALLIES, "J1"),
        ("the ship attacked", ALLIES, "J1"),
        ("submarine torpedoes", ALLIES, "J1"),
        ("anti-submarine attack", JAPAN, "J1"),
    ] == unseen
    assert ["report of a submarine"] == [one.purpose for one in told(table.facts, Rolled)]
    assert [ShipHit("ca_myoko_haguro", 2, 2, 4)] == told(table.facts, ShipHit)
    assert [PatrolIs(AT, ALLIES, 4)] == told(table.facts, PatrolIs)
    assert ["J1"] == [one.tf for one in told(table.facts, Found)]
    assert "column 3" == target(table, "submarine torpedoes")
    assert "no column" == target(table, "anti-submarine attack")
    assert 0 == dice_left(table)


def test_p0_2_1_against_a_detected_task_force_the_draw_and_the_torpedoes_are_open() -> None:
    table = lurk(4, drawn(1), 0, 0, 9, detected=("J1",))
    attack(table, AT, "J1")

    dice = told(table.facts, Rolled)
    assert [
        ("the ship attacked", 2),
        ("submarine torpedoes", 10),
        ("anti-submarine attack", 10),
        ("report of a submarine", 10),
    ] == [(one.purpose, one.sides) for one in dice]
    assert "dd_jp7" == dice[1].subject
    assert ["contact"] == [one.purpose for one in told(table.facts, RolledUnseen)]


def test_r_96_the_unseen_dice_of_an_attack_leave_no_gap_in_the_open_ones() -> None:
    table = lurk(3, drawn(0), 9, 9, 9)
    before = table.state.rolls
    attack(table, AT, "J1")

    (report,) = told(table.facts, Rolled)
    assert before == report.index
    assert [] == told(table.facts, Drew)
    assert [0, 1, 2, 3] == [one.index for one in told(table.facts, RolledUnseen)]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_p25_2_r_93_each_ship_may_be_drawn_by_id(place: int) -> None:
    """Given three ships, then the place is that in the order of their ids, core or screen."""
    table = lurk(0, drawn(place), 0, 9, 9, core=("cv_shokaku",), screen=("dd_jp7", "ca_myoko_haguro"))
    attack(table, AT, "J1")

    assert [["ca_myoko_haguro", "cv_shokaku", "dd_jp7"][place]] == [
        one.ship for one in told(table.facts, ShipHit)
    ]


@pytest.mark.parametrize(
    ("points", "ship", "month", "side", "shown"),
    [
        (1, "dd_jp7", "1942-05", "AL", "no column"),  # 2: column 2 - 2
        (3, "dd_jp7", "1942-05", "AL", "column 2"),  # 6: column 4 - 2
        (4, "bb_mutsu", "1942-05", "AL", "column 2"),  # 8: column 5 - 2, air defence 1
        (4, "aa_jp10", "1942-05", "AL", "column 4"),  # 8: column 5 - 2, air defence -1
        (4, "dd_jp7", "1943-08", "AL", "column 3"),
        (4, "dd_jp7", "1943-09", "AL", "column 4"),
        (4, "dd_jp7", "1944-01", "AL", "column 5"),
        (4, "dd_us2", "1942-05", "JP", "column 5"),
    ],
)
def test_p25_2_p3_2_the_strength_is_2_a_point_shifted_by_date_and_air_defence(
    points: int, ship: str, month: str, side: str, shown: str
) -> None:
    foe = "JP" if side == "AL" else "AL"
    tf, slot = f"{foe[0]}1", "screen" if ship.startswith("dd") else "core"
    scene = battle(
        tfs=[{"id": tf, "side": foe, "hex": AT, slot: [ship]}],
        patrols=[{"side": side, "hex": AT, "points": points}],
        month=month,
    )
    table = table_at(scene, Movement(side=["JP", "AL"].index(foe)))
    table.dice._rolls = faces(0, (1,), 9, 9, 9)  # type: ignore[attr-defined]
    table.facts = []
    attack(table, AT, tf)

    assert shown == target(table, "submarine torpedoes")


@pytest.mark.parametrize(("face", "left"), [(0, 3), (4, 3), (5, 4)])
def test_p25_2_the_answer_takes_exactly_one_point(face: int, left: int) -> None:
    """Given anti-submarine values of 2, 2, 2 and 1, then 7: column 5 - 2 is 3; die 0: 2 hits, yet 1 point."""
    screen = ("dd_jp7", "dd_jp2", "dd_jp4", "cl_sendai_yura")
    table = lurk(0, drawn(0), 9, face, 9, screen=screen)
    attack(table, AT, "J1")

    assert "column 3" == target(table, "anti-submarine attack")
    assert left == table.state.own[ALLIES].patrols[AT] == table.state.open.patrols[AT].points


def test_p25_2_the_last_point_ends_the_patrol() -> None:
    screen = ("dd_jp7", "dd_jp2", "dd_jp4", "cl_sendai_yura")
    table = lurk(0, drawn(0), 9, 0, 9, points=1, screen=screen)
    attack(table, AT, "J1")

    assert {} == table.state.own[ALLIES].patrols
    assert {} == table.state.open.patrols
    assert [1, 0] == [one.points for one in told(table.facts, PatrolIs)]


def test_p25_2_r_80_the_answer_counts_what_the_torpedoes_have_left() -> None:
    """Given destroyers of 2, when one of four is sunk, then 6 answer; crippled, it has 1 instead of 2."""
    screen = ("dd_jp10", "dd_jp2", "dd_jp4", "dd_jp7")
    table = lurk(0, drawn(0), 0, 9, 9, screen=screen, damage={"dd_jp10": 1})
    attack(table, AT, "J1")  # 2 hits, 3 of 3
    assert "sunk" == table.state.open.lost["dd_jp10"]
    assert "column 2" == target(table, "anti-submarine attack")  # 6: column 4 - 2

    table = lurk(0, drawn(1), 0, 9, 9, screen=("cl_sendai_yura", "dd_jp10", "dd_jp2"))
    attack(table, AT, "J1")  # 2 of 3 hits on dd_jp10
    assert "column 1" == target(table, "anti-submarine attack")  # 4, not 5: column 3 - 2


def test_p3_1_p0_2_2_an_answer_of_strength_0_rolls_no_die_and_does_not_show_it() -> None:
    """Given a battleship alone, or with a destroyer, then as many facts are sealed when nothing is hit."""
    counts = set()
    for ships, dice in (((), (0, drawn(0), 9, 9)), (("dd_jp7",), (0, drawn(0), 9, 9, 9))):
        table = lurk(*dice, core=("bb_mutsu",), screen=ships)
        attack(table, AT, "J1")
        assert 0 == dice_left(table)
        counts.add(sum(one.audience() is not Audience.ALL for one in table.facts))

    assert 1 == len(counts)


@pytest.mark.parametrize(("face", "detected"), [(4, True), (5, False)])
def test_p25_2_on_4_or_less_the_task_force_is_detected(face: int, detected: bool) -> None:
    table = lurk(0, drawn(0), 9, 9, face)
    attack(table, AT, "J1")

    assert "4 or less" == target(table, "report of a submarine")
    assert detected == table.state.open.tfs["J1"].detected


def test_p25_2_r_55_cargo_goes_down_with_its_ship_and_nobody_is_left_to_be_reported() -> None:
    table = lurk(
        0,
        drawn(0),
        0,
        core=("aa_jp10",),
        screen=(),
        damage={"aa_jp10": 1},
        cargo={"aa_jp10": ["jp_kure5"]},
    )
    attack(table, AT, "J1")  # column 4, die 0: 3 hits

    assert {"aa_jp10", "jp_kure5"} == set(table.state.open.lost)
    assert "J1" not in table.state.open.tfs
    assert 0 == dice_left(table)


def test_r_55_steps_aboard_stay_when_the_ship_is_crippled() -> None:
    """Given a transport of 3 with 2 steps, when she is crippled, then they stay, and no more come aboard."""
    table = lurk(0, drawn(0), 1, 9, core=("aa_jp10",), screen=(), cargo={"aa_jp10": ["jp_kure5"]})
    attack(table, AT, "J1")  # column 4, die 1: 2 hits of 3

    assert 2 == table.state.own[JAPAN].ships["aa_jp10"].damage
    assert {"aa_jp10": 2} == table.state.own[JAPAN].ground["jp_kure5"].aboard


def test_p0_4_2_a_carrier_that_is_crippled_does_not_tell_whether_steps_were_on_patrol() -> None:
    """Given a step on CAP or none, when she is crippled and it lands beside her, then as many are sealed."""
    counts = set()
    for cap in (0, 1):
        scene = battle(
            tfs=[
                {"id": "J1", "side": "JP", "hex": AT, "core": ["cv_shokaku", "cv_zuikaku"]},
                IDLE,
            ],
            air=[{"id": f"cvg_{name}", "steps": 3, "level": 1} for name in ("shokaku", "zuikaku")],
            patrols=[{"side": "AL", "hex": AT, "points": 4}],
        )
        table = table_at(scene, Movement(side=JAPAN))
        change(table, JAPAN, {"cv_shokaku": {"damage": 2}, "cvg_shokaku": {"ready": 2, "cap": cap}})
        table.dice._rolls = faces(0, drawn(0), 0, 9)  # type: ignore[attr-defined]
        table.facts = []
        attack(table, AT, "J1")  # 2 hits, 4 of 5
        assert 3 + cap == table.state.own[JAPAN].air["cvg_zuikaku"].steps
        counts.add(sum(one.audience() is not Audience.ALL for one in table.facts))

    assert 1 == len(counts)


def test_p2_2_5_b1_3_the_points_of_a_patrol_are_its_owners_until_contact() -> None:
    table = lurk(9)
    assert (ALLIES, 0) == (table.state.open.patrols[AT].side, table.state.open.patrols[AT].points)
    assert {AT: 4} == table.state.own[ALLIES].patrols
    assert {} == table.state.own[JAPAN].patrols


def test_p25_2_the_shifts_are_told_with_the_dice() -> None:
    table = lurk(4, drawn(1), 0, 0, 9, detected=("J1",))
    attack(table, AT, "J1")

    torpedoes, answer = told(table.facts, Rolled)[1:3]
    assert (Modifier("torpedoes of the time", -2),) == torpedoes.modifiers
    assert (Modifier("ASW", -2),) == answer.modifiers
