"""What the bot of Pacific War reads of the table, and what is printed of the set-up, which is public."""

from array import array
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from msgspec import Struct

from domain.pacific_war.board.atlas import NODES, NUMBER, area, flood
from domain.pacific_war.board.charts import (
    SCENARIOS,
    SIDES,
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


class Table(Struct, frozen=True, kw_only=True, dict=True):
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

    @cached_property
    def notes(self) -> dict[str, Any]:
        """What is worked out from the table more than once, by a name that says of what."""
        return {}

    @cached_property
    def anchorages(self) -> dict[SideId, tuple[str, ...]]:
        """The hexes of the places in whose ports ships of each side lie, while it holds them."""
        return {
            side: tuple(
                one.hex for one in self.locations.values() if one.control == side and side in one.ships
            )
            for side in SIDES
        }


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


class Ways:
    """The nodes of a scenario's area by their distance by sea from a node, in a few bytes each.

    A whole war asks for thousands of these, each over the whole map.
    """

    __slots__ = ("_far", "_order")

    def __init__(self, start: str, scenario: str) -> None:
        found = flood(start, NEVER, area(scenario))
        self._order = array("H", (NUMBER[node] for node in found))
        self._far = bytearray([NEVER]) * len(NODES)
        for node, steps in found.items():
            self._far[NUMBER[node]] = steps

    def get(self, node: str, otherwise: int = NEVER) -> int:
        """Return the distance to a node, or something else if there is no way."""
        number = NUMBER.get(node)
        return otherwise if number is None or self._far[number] == NEVER else self._far[number]

    def __getitem__(self, node: str) -> int:
        """Return the distance to a node that is within reach."""
        return self._far[NUMBER[node]]

    def __contains__(self, node: str) -> bool:
        """Return whether there is a way."""
        return self.get(node) != NEVER

    def within(self, most: int) -> Iterator[tuple[str, int]]:
        """Yield the nodes within a distance, nearest first."""
        for number in self._order:
            if self._far[number] > most:
                return
            yield NODES[number], self._far[number]


@lru_cache(maxsize=1024)
def ways(start: str, scenario: str) -> Ways:
    """Return all nodes of a scenario's area to their distance by sea from a node."""
    return Ways(start, scenario)
