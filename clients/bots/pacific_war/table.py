"""What the bot of Pacific War reads of the table, and what is printed of the set-up, which is public."""

from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from domain.pacific_war.board.atlas import area, flood
from domain.pacific_war.board.charts import (
    SCENARIOS,
    figures,
)
from domain.pacific_war.board.printed import AirClass
from domain.pacific_war.sight.shown import (
    Air,
    BySide,
    Ground,
    GroundBattle,
    Location,
    NavalBattle,
    Patrol,
    Raid,
    Screen,
    Ship,
    SideId,
    TaskForce,
    War,
)

NEVER: Final = 99


class Table(Struct, frozen=True, kw_only=True):
    """What the bot reads of the table, as in `domain.pacific_war.sight.shown`."""

    scenario: str
    month: str
    cycle: int
    cycles: int
    phase: str
    lighting: str
    advantage: SideId | None = None
    locations: dict[str, Location]
    tfs: dict[str, TaskForce]
    ships: dict[str, Ship]
    air: dict[str, Air]
    ground: dict[str, Ground]
    troops: BySide[tuple[str, ...]]
    patrols: dict[str, Patrol]
    lost: dict[str, str]
    raids: tuple[Raid, ...] = ()
    naval: NavalBattle | None = None
    landed: GroundBattle | None = None
    war: War | None = None
    own: Screen | None = None


class Wing(Struct, frozen=True):
    """An air unit: where it flies from, and how many steps it may have."""

    unit: str
    place: str
    """A location or a task force."""
    hex: str
    steps: int
    level: int
    cls: AirClass


@cache
def beginning(scenario: str) -> dict[str, tuple[str, ...]]:
    """Return the task forces of the set-up to their ships; a campaign begins with none."""
    if scenario not in SCENARIOS:
        return {}
    return {tf.id: (*tf.core, *tf.screen) for tf in SCENARIOS[scenario].tfs}


@cache
def cargo(scenario: str) -> dict[str, int]:
    """Return the ships of the set-up that carry troops to the steps aboard."""
    aboard = dict[str, int]()
    for tf in SCENARIOS[scenario].tfs if scenario in SCENARIOS else ():
        for ship, loads in tf.cargo.items():
            for load in loads:
                unit, _, steps = load.partition(":")
                aboard[ship] = aboard.get(ship, 0) + int(steps or figures(scenario).ground[unit].steps)
    return aboard


@lru_cache(maxsize=4096)
def ways(start: str, scenario: str) -> dict[str, int]:
    """Return all nodes of a scenario's area to their distance by sea from a node."""
    return flood(start, NEVER, area(scenario))
