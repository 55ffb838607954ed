"""P28.13 Kamikaze: who may dive, how strong they are, what flak does, and that none comes back."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.kernel.facts import Fact, Rolled
from domain.kernel.table import Table
from domain.pacific_war.battle.missions import divers
from domain.pacific_war.board.charts import SHIPS, column
from domain.pacific_war.board.table import Allotted
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import AirStepsLost
from domain.pacific_war.facts.fighting import RaidsAre
from domain.pacific_war.facts.happenings import CameBack, NotFound
from tests.pacific_war.board import battle, dice_left, missions, options, take, told

JAPAN, ALLIES = 0, 1
FIGHTERS, BOMBERS = "jn_1e_25af", "jn_2e_25af"
DIVE: d.Role = "kamikaze"
AT_SEA = "5037"
"""Two hexes from Rabaul."""
STRIKE, AT_THEM = d.DeclareMission("strike_tf", "rabaul"), d.Target("A1")


def off_rabaul(*dice: int, month: str = "1944-10", level: int = 1, **more: Any) -> Table:
    """Return a table with Allied destroyers off Rabaul, where fighters and bombers of 4 steps are ready."""
    fleet = {"id": "A1", "side": "AL", "hex": more.pop("at", AT_SEA), "screen": ["dd_us2"]}
    scene = battle(
        month=month,
        tfs=[fleet],
        air=[
            {"id": FIGHTERS, "steps": 4, "level": level, "base": "rabaul"},
            {"id": BOMBERS, "steps": 4, "level": level, "base": "rabaul"},
        ],
        control={"JP": ["rabaul"]},
    )
    return missions(scene, JAPAN, *dice, detected=more.pop("detected", ["A1"]), **more)


def dives(table: Table) -> set[str]:
    """Return the units that may dive at the destroyers."""
    ahead = table.ahead(JAPAN, [STRIKE, AT_THEM])
    return {one.unit for one in options(ahead, JAPAN) if isinstance(one, d.AddSteps) and one.role == DIVE}


def fly(table: Table, *picks: d.AddSteps) -> list[Fact]:
    """Let a strike at the destroyers be flown, with all steps on them."""
    facts = take(table, JAPAN, STRIKE, AT_THEM, *picks, d.Done())
    return facts + (take(table, JAPAN, d.AllotRest()) if d.AllotRest() in options(table, JAPAN) else [])


def attack(facts: Sequence[Fact], purpose: str) -> list[tuple[str, dict[str, int]]]:
    """Return the column and the shifts of each die with a purpose."""
    return [
        (one.target, {shift.reason: shift.amount for shift in one.modifiers})
        for one in told(facts, Rolled)
        if one.purpose == purpose
    ]


@pytest.mark.parametrize(("month", "many"), [("1944-09", 0), ("1944-10", 1), ("1945-03", 1)])
def test_p28_13_japanese_land_based_fighters_from_october_1944(month: str, many: int) -> None:
    assert [FIGHTERS] * many == sorted(dives(off_rabaul(month=month)))


def test_p28_13_not_at_night_not_of_the_allies_and_not_from_carriers() -> None:
    table = off_rabaul()
    board, own = table.state.open, table.state.own[JAPAN]
    assert [FIGHTERS] == divers(board, own, "strike_tf", "rabaul", "A1")
    assert [] == divers(board, own, "strike_ground", "rabaul", AT_SEA)
    board.lighting = "Night"
    assert [] == divers(board, own, "strike_tf", "rabaul", "A1")

    scene = battle(
        month="1944-10",
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5036", "core": ["cv_shokaku"]},
            {"id": "A1", "side": "AL", "hex": AT_SEA, "screen": ["dd_us2"]},
        ],
        air=[
            {"id": "cvg_shokaku", "steps": 4, "level": 1},
            {"id": "us_1e_35fg", "steps": 4, "level": 1, "base": "lae"},
        ],
        control={"AL": ["lae"]},
    )
    for side, origin, goal in ((JAPAN, "J1", "A1"), (ALLIES, "lae", "J1")):
        table = missions(scene, side, detected=["A1", "J1"])
        begun = d.DeclareMission("strike_tf", origin)
        if begun in options(table, side):
            ahead = table.ahead(side, [begun, d.Target(goal)])
            assert not any(getattr(one, "role", "") == DIVE for one in options(ahead, side))


def test_p28_13_only_at_a_detected_task_force_within_range() -> None:
    assert STRIKE not in options(off_rabaul(detected=[]), JAPAN)
    assert STRIKE in options(off_rabaul(at="4937"), JAPAN)
    far = off_rabaul(at="5837")
    board, own = far.state.open, far.state.own[JAPAN]
    assert [] == divers(board, own, "strike_tf", "rabaul", "A1")


@pytest.mark.parametrize("level", [0, 1, 2])
def test_p28_13_p28_5_1_a_step_has_4_and_its_level_makes_no_shift(level: int) -> None:
    """Given 3 steps of any level at a destroyer, then strength 12, with its protection taken off alone."""
    table = off_rabaul(0, 9, 9, level=level)
    facts = fly(table, d.AddSteps(FIGHTERS, DIVE, 3))

    ((found, shifts),) = attack(facts, "air attack")
    assert "level" not in shifts
    assert f"column {column(12) - SHIPS['dd_us2'].def_a}" == found
    plain = off_rabaul(0, 9, 9, level=level)
    facts = fly(plain, d.AddSteps(BOMBERS, "strike", 3))
    ((_, shifts),) = attack(facts, "air attack")
    assert {0: -1, 2: 1}.get(level, 0) == shifts.get("level", 0)


def test_p28_13_p28_9_flak_has_3_less_if_all_that_attack_are_kamikaze() -> None:
    alone = fly(off_rabaul(0, 9, 9), d.AddSteps(FIGHTERS, DIVE, 3))
    assert [-3] == [shifts.get("kamikaze", 0) for _, shifts in attack(alone, "flak")]

    both = off_rabaul(0, 9, 9)
    facts = fly(both, d.AddSteps(BOMBERS, "strike", 1), d.AddSteps(FIGHTERS, DIVE, 3))
    assert [0] == [shifts.get("kamikaze", 0) for _, shifts in attack(facts, "flak")]


def test_p28_13_all_steps_that_are_left_are_eliminated_and_no_others() -> None:
    """Given bombers and kamikaze of 3 steps in one mission, then the fighters keep the step at home."""
    table = off_rabaul(0, 9, 9)
    facts = fly(table, d.AddSteps(BOMBERS, "strike", 2), d.AddSteps(FIGHTERS, DIVE, 3))

    own = table.state.own[JAPAN]
    assert [AirStepsLost(FIGHTERS, JAPAN, 3, "as kamikaze")] == told(facts, AirStepsLost)
    assert (1, 4) == (own.air[FIGHTERS].steps, own.air[BOMBERS].steps)
    assert () == table.state.open.raids
    assert 0 == dice_left(table)
    dived = [one for one in told(facts, RaidsAre) if one.what == "The kamikaze have dived"]
    assert [{BOMBERS: 2}] == [one.raids[0].strike for one in dived]
    allotted = {Allotted(BOMBERS, "dd_us2", 2), Allotted(FIGHTERS, "dd_us2", 3)}
    assert allotted == {*dived[0].raids[0].allotted}


def test_p28_13_they_come_home_if_they_find_nothing() -> None:
    table = off_rabaul(9)
    facts = fly(table, d.AddSteps(FIGHTERS, DIVE, 3))

    assert [NotFound(JAPAN, "A1")] == told(facts, NotFound)
    assert (4, 1) == (table.state.own[JAPAN].air[FIGHTERS].steps, table.state.own[JAPAN].air[FIGHTERS].ready)


def test_p28_13_r_88_at_dusk_none_of_them_lands() -> None:
    """Given all steps of the fighters diving at Dusk, then nobody rolls for them."""
    table = off_rabaul(0, 9, 9, lighting="Dusk")
    facts = fly(table, d.AddSteps(FIGHTERS, DIVE, 4))
    facts += take(table, JAPAN, d.EndMissions()) if d.EndMissions() in options(table, JAPAN) else []

    assert [] == told(facts, CameBack)
    assert [] == attack(facts, "landing at Dusk")
    assert 0 == table.state.own[JAPAN].air[FIGHTERS].steps


def test_p28_13_p28_3_it_is_a_role_of_its_own_and_a_unit_has_one_sort_of_striking_steps() -> None:
    table = off_rabaul()
    ahead = table.ahead(JAPAN, [STRIKE, AT_THEM, d.AddSteps(FIGHTERS, DIVE, 2)])
    left = {(one.unit, one.role) for one in options(ahead, JAPAN) if isinstance(one, d.AddSteps)}

    assert {(BOMBERS, "strike"), (FIGHTERS, "escort")} == left  # 2 steps are over for an escort
    assert d.Done() in options(ahead, JAPAN)
    assert "2 steps of [jn_1e_25af] dive as kamikaze" == d.AddSteps(FIGHTERS, DIVE, 2).words()
    assert "1 step of [jn_1e_25af] dives as kamikaze" == d.AddSteps(FIGHTERS, DIVE, 1).words()
    assert "1 step of [jn_1e_25af] escorts" == d.AddSteps(FIGHTERS, "escort", 1).words()


def test_p28_13_p28_12_a_carrier_strikes_back_at_their_airbase() -> None:
    """Given a carrier with ready steps as the target, then its owner is asked."""
    scene = battle(
        month="1944-10",
        tfs=[{"id": "A1", "side": "AL", "hex": AT_SEA, "core": ["cv_lexington"]}],
        air=[
            {"id": FIGHTERS, "steps": 4, "level": 1, "base": "rabaul"},
            {"id": "cvg_lexington", "steps": 3, "level": 1},
        ],
        control={"JP": ["rabaul"]},
    )
    table = missions(scene, JAPAN, 0, detected=["A1"])
    fly(table, d.AddSteps(FIGHTERS, DIVE, 3))

    assert [d.SimultaneousStrike(), d.Decline()] == options(table, ALLIES)


def test_p28_13_everybody_is_told_who_dives() -> None:
    facts = fly(off_rabaul(0, 9, 9), d.AddSteps(FIGHTERS, DIVE, 3))

    (flying, *_) = told(facts, RaidsAre)
    assert flying.words().endswith("with 3 steps of [jn_1e_25af], [jn_1e_25af] as kamikaze")
