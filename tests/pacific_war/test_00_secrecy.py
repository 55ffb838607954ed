"""P0.2.2, P0.3.2, P0.4 Nothing that an audience is sent depends on what it may not know."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import RolledUnseen, State
from domain.kernel.table import Table
from domain.match.views import Views, patches
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.combat import month
from domain.pacific_war.board.table import Own, members
from domain.pacific_war.decisions.cycle import AssignCAP, Done, MoveTF, SailTo
from domain.pacific_war.facts.cycle import (
    AirStepsLost,
    Covered,
    Found,
    OutOfSight,
    ShipHit,
    UnitLost,
    UnitsAre,
)
from domain.pacific_war.facts.fighting import CapIs, GroundStepsLost
from tests.kernel.playing import Playing
from tests.kernel.secrecy import Hiding, listen, message
from tests.pacific_war.board import battle, table_at
from tests.pacific_war.lively import lively
from tests.seen import plain

SCENARIOS = ("E1", "E2", "E3", "E4", "B1")
SUBMARINES = {"krs": True, "sto": True}
"""P34: the options of the war."""


def pile(state: State[Any, Any], _purpose: str) -> Sequence[str]:
    """The ships that a patrol draws among: those of the task force that it has found (P25.2)."""
    tf = state.open.contacts[-1].split(":")[1]
    return sorted(members(state.own[state.open.tfs[tf].side], tf))


def nobody(_state: State[Any, Any], _side: int) -> Iterable[str]:
    """The set-up is public text, and so are all ids (P0.4.3); `hidden` below looks for them."""
    return ()


def sealed(table: Table, seat: int) -> bool:
    """A sealed window that this seat does not close."""
    return table.sealed(seat) and len(table.prompts) > 1


HIDING = Hiding(nobody, pile, sealed)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 62))])
def test_p0_3_2_r_54_no_pick_of_a_sealed_window_is_told_by_what_others_are_sent(
    scenario: str, seed: int
) -> None:
    listen(PACIFIC_WAR, scenario, {}, seed, HIDING)


def hidden(state: State[Any, Any], side: int) -> set[str]:
    """The units of a side that nobody else may know where they are (P0.4.1).

    Who was crippled in the Operation under way is told with its damage points.
    """
    own: Own = state.own[side]
    operation = state.open.war.operation if state.open.war else None
    crippled = {ship for toll in operation.tolls for ship in toll.crippled} if operation else set()
    shown = {*state.open.ships, *state.open.air, *state.open.ground, *state.open.lost, *crippled}
    return {*own.ships, *own.air, *own.ground} - shown


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(n, marks=pytest.mark.soak) for n in range(4, 300))]
)
def test_p0_4_1_a_unit_that_was_and_is_hidden_is_named_to_nobody_else(scenario: str, seed: int) -> None:
    seek(scenario, seed)


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 40))])
def test_p0_4_1_s1_1_a_hidden_unit_is_named_to_nobody_else_in_the_first_month_of_the_war(seed: int) -> None:
    seek("S1", seed, "1942-01")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_p0_4_1_a_hidden_unit_is_named_to_nobody_else_in_a_month_with_all_phases(seed: int) -> None:
    seek("S2", seed, "1944-02")


def seek(scenario: str, seed: int, until: str = "") -> None:
    """Facts, patches and prompts of every command are searched, and unseen dice with them (P41.14)."""
    chance = Random(seed)
    playing = Playing(PACIFIC_WAR, scenario, SUBMARINES if scenario in ("S1", "S2") else {}, seeded(seed))
    views, audiences = Views(PACIFIC_WAR), tuple(Audience.of(side) for side in (0, 1, None))
    seen = views.of(playing.state, audiences)
    searched = 0
    while not playing.state.match.over and not (until and month(playing.state.open) >= until):
        before = [hidden(playing.state, side) for side in (0, 1)]
        length = len(playing.log)
        playing.decide_all(*lively(playing.table, chance))
        facts = playing.log[length:]
        named = {unit for _, fact in facts for unit in told(fact)}
        now = views.of(playing.state, audiences)
        changes = patches({audience: (seen[audience], now[audience]) for audience in audiences})
        seen = now
        for side, audience in zip((0, 1, None), audiences, strict=True):
            said = message(playing.table, facts, changes[audience], side)
            assert not any(
                audience.sees(fact.audience()) for _, fact in facts if isinstance(fact, RolledUnseen)
            )
            for foe in (0, 1):
                if foe == side:
                    continue
                for unit in before[foe] & hidden(playing.state, foe) - named:
                    searched += 1
                    assert f'"{unit}"'.encode() not in said
                    assert f"[{unit}]".encode() not in said
    assert searched


def told(fact: object) -> Iterable[str]:
    """The units that a fact shows, covers or hits: these everybody may know at that moment."""
    match fact:
        case UnitsAre(_, ships, air, ground):
            return [
                *ships,
                *air,
                *ground,
                *(one.home for one in air.values()),
            ]  # a group's carrier is printed
        case Covered(_, ships, air, ground):
            return [*ships, *air, *ground]
        case (
            UnitLost(unit) | ShipHit(unit) | AirStepsLost(unit) | GroundStepsLost(unit)
        ):  # all losses are public, with names
            return [unit]
        case CapIs(_, _, steps):
            return [*steps]
        case OutOfSight():
            return []
    return []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_p0_4_p0_4_1_the_screen_of_a_side_is_in_its_own_view_alone(scenario: str) -> None:
    playing = Playing(PACIFIC_WAR, scenario, {}, seeded(1))
    views = Views(PACIFIC_WAR).of(playing.state)

    for side, name in ((0, "JP"), (1, "AL")):
        assert name == plain(views[Audience.of(side)])["table"]["own"]["side"]
    assert "own" not in plain(views[Audience.ONLOOKERS])["table"]


def _twins(**changes: Any) -> list[str]:
    """Two battles alike to the Allies: J1 and J2 have changed their ships, a destroyer and two carriers."""
    small: dict[str, Any] = {"screen": ["dd_jp8"]}
    large: dict[str, Any] = {
        "core": ["cv_shokaku", "cv_zuikaku"],
        "screen": ["ca_myoko_haguro", "dd_jp27", "dd_jp7"],
    }
    foe = {"id": "A1", "side": "AL", "hex": "5143", "core": ["cv_yorktown"], "screen": ["ca_us1"]}
    one, other = {"id": "J1", "side": "JP", "hex": "5039"}, {"id": "J2", "side": "JP", "hex": "6030"}
    groups = [{"id": f"cvg_{name}", "steps": 4, "level": 1} for name in ("shokaku", "zuikaku", "yorktown")]
    return [
        battle(tfs=[one | small, other | large, foe], air=groups, **changes),
        battle(tfs=[one | large, other | small, foe], air=groups, **changes),
    ]


def _shape(facts: Sequence[Any], side: int) -> list[str]:
    """What an audience can count: the kinds of facts it sees, and the places of the others."""
    audience = Audience.of(side)
    return [_name(fact) if audience.sees(fact.audience()) else "sealed" for fact in facts]


def _name(fact: Any) -> str:
    return f"Found {fact.tf}" if isinstance(fact, Found) else type(fact).__name__


@pytest.mark.parametrize("lighting", ["Day", "Night"])
def test_p41_14_a_hidden_task_force_moves_and_is_searched_for_alike_whatever_is_in_it(lighting: Any) -> None:
    """Given a patrol on its way and searchers near it, when it sails, what came of it fits as many facts."""
    alike = 0
    for seed in range(120):
        shapes = []
        for scene in _twins(patrols=[{"side": "AL", "hex": "5041", "points": 3}]):
            table = table_at(scene, Movement(side=0), lighting=lighting)
            table.dice = seeded(seed)
            facts = [*table.decide_all(0, [MoveTF("J1"), SailTo("5141")]), *table.decide_all(0, [Done()])]
            shapes.append(_shape(facts, 1))
        seen = [[kind for kind in shape if kind != "sealed"] for shape in shapes]
        if seen[0] == seen[1]:
            alike += 1
            assert shapes[0] == shapes[1]
    assert 10 < alike


def test_p28_1_r_54_the_cap_window_is_alike_whatever_flies() -> None:
    """Given carriers here or there, when CAP is assigned or not, as many facts are sealed."""
    shapes = set()
    for scene in _twins():
        table = table_at(scene, AirMissions(side=1))
        picks = [AssignCAP("cvg_shokaku", 2), AssignCAP("cvg_zuikaku", 1)]
        shapes.add(tuple(_shape(table.decide_all(0, [*picks, Done()]), 1)))
        table = table_at(scene, AirMissions(side=1))
        shapes.add(tuple(_shape(table.decide_all(0, [Done()]), 1)))
    assert 1 == len(shapes)
