"""P26 Lighting: by scenario or by a die, and what it does."""

from typing import Any

import pytest

from domain.kernel.facts import Rolled
from domain.kernel.table import Table
from domain.pacific_war.battle.cap import AssignmentOfCAP
from domain.pacific_war.battle.lighting import light
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.naval import START
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.facts.cycle import LightingIs
from tests.pacific_war.board import Die, battle, dice_left, faces, kinds, options, table_at, told

JAPAN, ALLIES = 0, 1


def dusk_till(scenario: str, *dice: Die, before: Any = "Day") -> Table:
    """Return a table of a scenario with the lighting of the last cycle; these dice will fall."""
    table = table_at(scenario, Movement(side=JAPAN), lighting=before)
    table.dice._rolls = faces(*dice)  # type: ignore[attr-defined]
    table.facts = []
    return table


@pytest.mark.parametrize(
    ("scenario", "lighting"), [("E1", "Day"), ("E2", "Day"), ("E3", "Night"), ("E4", "Day")]
)
def test_p26_1_the_scenario_gives_the_first_lighting_without_a_die(scenario: str, lighting: str) -> None:
    table = dusk_till(scenario)
    light(table, 1)

    assert [LightingIs(lighting)] == table.facts  # type: ignore[arg-type]
    assert lighting == table.state.open.lighting


TABLE = {
    "first": "Day Day Day Day Day Day Dusk Dusk Night Night",
    "Day": "Day Day Day Day Dusk Dusk Night Night Night Night",
    "Dusk": "Day Day Day Day Day Dusk Night Night Night Night",
    "Night": "Day Day Day Day Day Day Day Day Dusk Night",
}
"""P26.2: the lighting for each face, 0 to 9."""


@pytest.mark.parametrize("face", range(10))
def test_p26_1_in_b1_the_first_lighting_is_rolled(face: int) -> None:
    """Given no lighting before, then the first row counts; the die is open and nobody's."""
    for before in ("Day", "Night"):
        table = dusk_till("B1", face, before=before)
        light(table, 1)

        assert TABLE["first"].split()[face] == table.state.open.lighting
        assert ("lighting", -1, 10) == _die(table)


@pytest.mark.parametrize("face", range(10))
@pytest.mark.parametrize("before", ["Day", "Dusk", "Night"])
@pytest.mark.parametrize("scenario", ["E1", "B1"])
def test_p26_2_later_the_die_is_read_in_the_row_of_the_last_lighting(
    scenario: str, before: str, face: int
) -> None:
    table = dusk_till(scenario, face, before=before)
    light(table, 2)

    assert TABLE[before].split()[face] == table.state.open.lighting
    assert ("lighting", -1, 10) == _die(table)
    assert 0 == dice_left(table)


def _die(table: Table) -> tuple[str, int, int]:
    (die,) = told(table.facts, Rolled)
    return die.purpose, die.by, die.sides


def carriers() -> str:
    return battle(
        tfs=[{"id": "J1", "side": "JP", "hex": "5540", "core": ["cv_shokaku"], "screen": ["dd_jp7"]}],
        air=[
            {"id": "cvg_shokaku", "steps": 4, "level": 1},
            {"id": "jn_2e_25af", "steps": 4, "level": 1, "base": "rabaul"},
        ],
        control={"JP": ["rabaul"], "AL": ["buka"]},
        bases={"buka": {"airbase": 1}},
    )


@pytest.mark.parametrize("lighting", ["Day", "Dusk"])
def test_p26_3_by_day_and_at_dusk_patrols_and_strikes_fly(lighting: Any) -> None:
    table = table_at(carriers(), AirMissions(side=JAPAN), lighting=lighting)

    assert {"AssignCAP", "Done"} == kinds(table, JAPAN)


def test_p26_3_at_night_there_is_no_combat_air_patrol_and_only_bombers_fly_at_what_is_on_land() -> None:
    """Given the enemy's airbase and port in range of both, then only the 2E unit at Rabaul may strike."""
    table = table_at(carriers(), AirMissions(side=JAPAN), lighting="Night")

    missions = {(one.kind, one.origin) for one in options(table, JAPAN) if hasattr(one, "kind")}  # type: ignore[attr-defined]
    assert {("strike_airbase", "rabaul"), ("strike_port", "rabaul")} == missions
    assert {} == table_at(carriers(), AssignmentOfCAP(), lighting="Night").prompts


def test_p26_3_naval_battles_start_at_long_medium_or_short_range() -> None:
    assert {"Day": 2, "Dusk": 1, "Night": 0} == START
