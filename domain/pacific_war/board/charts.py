"""P1, P2, P3 The map, the units and the tables, read once from `data/`.

All numbers that a rule names come from here. Sides are 0 (Japan) and 1 (the Allies) throughout the rules; the
files have words. Deliberately absent: anything that changes in play, and who is beside whom (`atlas`).
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias, TypeVar

from msgspec import Struct, convert, json
from msgspec.structs import replace

from domain.pacific_war.board.printed import (
    AirClass,
    AirFile,
    Battle,
    GroundFile,
    GroundUnit,
    HexFile,
    MapFile,
    NavalFile,
    NavalUnit,
    SideId,
)

SIDES: Final[tuple[SideId, SideId]] = ("JP", "AL")
SIDE_NAMES: Final = ("Japan", "Allies")
JAPAN: Final = 0
ALLIES: Final = 1

Lighting: TypeAlias = Literal["Day", "Dusk", "Night"]
DAY: Final = "Day"
DUSK: Final = "Dusk"
NIGHT: Final = "Night"

Value = TypeVar("Value")


def read(name: str, kind: type[Value]) -> Value:
    """Return a file of `data/` as a type."""
    return json.decode(files("domain.pacific_war").joinpath("data", name).read_bytes(), type=kind)


def share(steps: int, part: int) -> int:
    """Return the steps of a part of a division, 0 to 2: as even as can be, the larger first (P16.9)."""
    return (steps + 2 - part) // 3


HEXES = read("hexes.json", HexFile)
_MAP = read("map.json", MapFile)
LOCATIONS = {location.id: location for location in _MAP.locations}
BOXES: Final = {box.id: box for box in _MAP.boxes}
"""P2.5: the boxes off the map."""
SHIPS = {unit.id: unit for unit in read("units-naval.json", NavalFile).units}
AIR = {unit.id: unit for unit in read("units-air.json", AirFile).units}
_UNITS = read("units-ground.json", GroundFile).units
PARTS: Final = {
    unit.id: tuple(f"{unit.id}.{letter}" for letter in "abc") for unit in _UNITS if unit.size == "D"
}
"""P16.9: division to the three units that it breaks down into."""
GROUND = {unit.id: unit for unit in _UNITS} | {
    part: replace(
        unit,
        id=part,
        name=f"{unit.name}, part {part[-1]}",
        size="R",
        max_steps=share(unit.max_steps, n),
        steps=share(unit.steps, n),
    )
    for unit in _UNITS
    if unit.size == "D"
    for n, part in enumerate(PARTS[unit.id])
}
OWNERS: Final = {unit.id: SIDES.index(unit.side) for units in (SHIPS, AIR, GROUND) for unit in units.values()}
"""Unit to its side."""
AT: Final = {location.hex: location.id for location in LOCATIONS.values()}
"""Hex to the location in it."""
GROUPS: Final = {unit.carrier: unit.id for unit in AIR.values() if unit.carrier}
"""Carrier to its air group."""

_SCENARIOS: dict[str, Any] = {row["id"]: row for row in read("scenarios.json", dict[str, Any])["scenarios"]}
SCENARIOS: Final[dict[str, Battle]] = {
    name: convert(row, Battle) for name, row in _SCENARIOS.items() if row["type"] in ("engagement", "battle")
}

TABLES: Final[dict[str, Any]] = read("tables.json", dict[str, Any])

CLASSES: Final = convert(TABLES["air"]["classes"], dict[str, AirClass])
LEVEL_SHIFT: Final[dict[int, int]] = convert(TABLES["air"]["level_shift"], dict[int, int], strict=False)
AIR_ROOM: Final[dict[int, int]] = {0: 0} | convert(
    TABLES["air"]["airbase_capacity_units"], dict[int, int], strict=False
)
"""P2.3.2: airbase size to the land-based air units it holds."""
LAUNCH_LIMIT: Final[dict[int, int]] = {0: 0} | convert(
    TABLES["air"]["airbase_launch_steps"], dict[int, int], strict=False
)
"""P2.3.2: working airbase size to the steps that take off in an air mission phase."""
PORT_ROOM: Final = {0: 0, 1: 6, 2: 16, 3: 40, 4: 10_000}
"""P2.3.1: port size to the inactive naval units it holds."""
MARKERS: Final[tuple[int, int]] = tuple(TABLES["naval"]["tf_limits"]["markers"][side] for side in SIDES)
CORE_MOST: Final[int] = TABLES["naval"]["tf_limits"]["core_max"]
SCREEN_MOST: Final[int] = TABLES["naval"]["tf_limits"]["screen_max"]
STACK: Final = TABLES["ground"]["stack_limit_steps"]
ALLOWANCE: Final[dict[str, int]] = TABLES["movement"]["battle_cycle"]
"""P23.6: speed class to the hexes of a movement phase."""
SLOWED: Final[int] = -TABLES["weather"]["foul_effects"]["battle_cycle_movement"]
"""P6.3: hexes that a task force loses which begins a day of contact or a movement phase in foul weather."""
SPEED: Final = {"F": 3, "M": 2, "S": 1}
"""P29.1: speed class as a number."""

LIGHT: Final = frozenset({"CA", "CL", "DD"})
CARRIERS: Final = frozenset({"CV", "CVL", "CVE"})

BOATS: Final[dict[str, str]] = {
    row["id"]: kind for kind in ("krs", "sto") for row in TABLES["options"][kind]["units"]
}
"""P34: special submarine piece to the option that brings it."""

_UCT: Final[list[list[int]]] = TABLES["uct"]["rows"]
_COLUMNS: Final = [(row["column"], row["min"]) for row in TABLES["uct"]["columns"]]
COLUMNS: Final = len(_UCT)


def column(strength: int) -> int:
    """Return the column of the universal combat table for a strength (P3.1); 0 for no strength."""
    return max((number for number, least in _COLUMNS if strength >= least), default=0)


def hits(at: int, face: int) -> int:
    """Return the hits of a face, 0 to 9, in a shifted column (P3.1): none below 1, the last above 12."""
    return _UCT[min(at, COLUMNS) - 1][face] if at >= 1 else 0


def by_date(name: str, side: int, month: str) -> int:
    """Return a shift by date (P3.2) for a side: the last entry not later than the month."""
    rows = TABLES["date_modifiers"][name][SIDES[side]]
    value: int = [amount for since, amount in rows if since <= month][-1]
    return value


def band(hexes: int) -> int:
    """Return the band of a search distance (P24.2), from 0; 5 for what is out of all bands."""
    return next((n for n, most in enumerate((1, 3, 5, 7, 10)) if hexes <= most), 5)


SEARCH: Final[Mapping[str, list[int | None]]] = {
    kind: row for kind, row in TABLES["search"]["detect_if_d10_at_most"].items() if kind != "bands"
}
"""P24.2: kind of source to its values by band; None where it finds nothing."""
REACH: Final = {
    kind: max(most for most, value in zip((1, 3, 5, 7, 10), row, strict=True) if value is not None)
    for kind, row in SEARCH.items()
}
"""P24.2: kind of source to the most hexes at which it may find something."""


class Figures(Struct, frozen=True):
    """What is printed on the units of a scenario, with what the scenario overrides."""

    ships: dict[str, NavalUnit]
    ground: dict[str, GroundUnit]


@cache
def figures(scenario: str) -> Figures:
    """Return the figures of naval and ground units in a scenario."""
    ships, ground = dict(SHIPS), dict(GROUND)
    battle = SCENARIOS.get(scenario)
    for row in battle.overrides if battle else ():
        given = {name: value for name in ("gun", "torp", "hits") if (value := getattr(row, name)) is not None}
        ships[row.id] = replace(ships[row.id], **given)
    for unit in battle.ground if battle else ():
        given = {name: value for name in ("max_steps", "tq") if (value := getattr(unit, name)) is not None}
        ground[unit.id] = replace(ground[unit.id], **given)
    return Figures(ships, ground)
