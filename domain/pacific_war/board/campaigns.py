"""P1, P10, P11 What is printed for campaigns: their scenarios, the headquarters, the tables of months.

Sides are `JP` and `AL` here, as in the files. Deliberately absent: what changes in play (`war`).
"""

from functools import cache
from typing import Any, Final, Literal

from msgspec import Struct, convert, field

from domain.pacific_war.board.charts import AIR, GROUND, LOCATIONS, SHIPS, SIDES, TABLES, read
from domain.pacific_war.board.printed import (
    AirUnit,
    Area,
    Bases,
    Garrison,
    GroundUnit,
    Harbour,
    NavalUnit,
    SideId,
    Squadron,
)

MONTH_BEGIN: Final = 0
"""P4.1: the space of the Day Track on which a month begins and ends."""
SPACES: Final = 31
"""P4.1: the spaces of the Day Track, a ring."""


class Headquarters(Struct, frozen=True):
    """P11.1 A headquarters as it is printed: hexes of its links, cost of an Operation, most points."""

    id: str
    name: str
    side: SideId
    nats: tuple[str, ...]
    site: str
    radius: int
    op_cost: int
    cp_cap: int
    arrive: str
    alternate_sites: tuple[str, ...] = ()
    fop: bool = False
    end: str | None = None


class Arrival(Struct, frozen=True):
    """P14.1 Units that come in a month; before `day` they may not be activated."""

    month: str
    side: SideId
    at: str
    units: tuple[str, ...]
    day: int = 0


class CampaignLevel(Struct, frozen=True):
    """P33.2 A line of the levels: from this difference on, the result; None is whatever is less."""

    result: str
    min: int | None


class CampaignVictory(Struct, frozen=True):
    """P33.2 What the locations score for their holder at a month end, and the levels of the difference."""

    locations: dict[str, dict[SideId, int]] = field(name="monthly_location_points")
    levels: tuple[CampaignLevel, ...] = field(name="levels_AL_minus_JP")


class Campaign(Struct, frozen=True):
    """P1 A scenario of several months that is played with Operations: a campaign, or one of the war."""

    id: str
    name: str
    type: Literal["campaign", "strategic"]
    start_month: str
    end_month: str
    area: Area
    initiative: int
    hqs: dict[SideId, tuple[str, ...]]
    submarines: dict[SideId, int]
    osb: dict[SideId, tuple[str, ...]]
    control: dict[SideId, tuple[str, ...]]
    bases: dict[str, Bases]
    naval: tuple[Harbour, ...]
    air: tuple[Squadron, ...]
    ground: tuple[Garrison, ...]
    reinforcements: tuple[Arrival, ...]
    special: tuple[str, ...]
    start_day: int | Literal["MB"] = "MB"
    command_points: dict[SideId, dict[str, int]] = {}
    """What follows is of a campaign alone: in the war it goes by formulas and by tables of dates."""
    replacements: dict[str, dict[str, int]] = {}
    strategic_transport: dict[str, int] = {}
    victory: CampaignVictory = CampaignVictory({}, ())
    hq_sites: dict[str, str] = {}
    """What follows is of the war alone: headquarters that do not stand at their first site."""
    later_hqs: dict[str, str] = {}
    """Headquarters to the month in which it comes."""
    msp: int = 0
    hrl: int = 0
    escorts: int = 0
    bombers: int = 0

    @property
    def strategic(self) -> bool:
        """Whether it is one of the war (P1)."""
        return self.type == "strategic"


class HeadquartersFile(Struct, frozen=True):
    """`headquarters.json`."""

    headquarters: tuple[Headquarters, ...]


HEADQUARTERS: Final[dict[str, Headquarters]] = {
    one.id: one for one in read("headquarters.json", HeadquartersFile).headquarters
}
WORLD: Final = Area((-90.0, 90.0), (0.0, 360.0))


def _in_war(row: dict[str, Any]) -> Campaign:
    """Return a scenario of the war: what it says of units and headquarters is looked up in their files."""
    start: str = row["start_month"]
    late = start != EARLY
    given = TABLES["points_schedule"][f"start_{start.replace('-', '_')}"]
    units: list[NavalUnit | AirUnit | GroundUnit] = [*SHIPS.values(), *AIR.values(), *_WHOLE]
    at = {unit.id: base for unit in units if (base := _base(unit, start))}
    control = row.get("control") or {
        side: tuple(place for place, one in LOCATIONS.items() if one.control_1941_12 == side)
        for side in SIDES
    }
    held = {place for places in control.values() if not isinstance(places, str) for place in places}
    here = [hq for hq in HEADQUARTERS.values() if hq.arrive <= start and not (hq.end and hq.end <= start)]
    listed: dict[str, Any] = {
        "area": WORLD,
        "hqs": {side: tuple(hq.id for hq in here if hq.side == side) for side in SIDES},
        "later_hqs": {hq.id: hq.arrive for hq in HEADQUARTERS.values() if hq.arrive > start},
        "control": {
            side: tuple(place for place in LOCATIONS if place not in held)
            if isinstance(places, str)
            else places
            for side, places in control.items()
        },
        "bases": row["base_overrides"],
        "naval": [
            {"at": at[ship.id], "side": ship.side, "units": (ship.id,)}
            for ship in SHIPS.values()
            if ship.id in at
        ],
        "air": [_squadron(unit, at[unit.id], late) for unit in AIR.values() if unit.id in at],
        "ground": [
            {"id": unit.id, "hex": at[unit.id], "steps": unit.steps_1944_01 if late else None}
            for unit in _WHOLE
            if unit.id in at
        ],
        "reinforcements": [
            {"month": unit.arrive, "side": unit.side, "at": unit.base, "units": (unit.id,)}
            for unit in units
            if unit.arrive > start and unit.base and not (isinstance(unit, AirUnit) and unit.carrier)
        ],
        "submarines": {"JP": given["jp_submarines"], "AL": given["al_submarines"]},
        "escorts": given["jp_escort_points"],
        "bombers": given["al_strategic_bombing_points"],
        "victory": {"monthly_location_points": {}, "levels_AL_minus_JP": []},
    }
    return convert(row | listed, Campaign)


def _base(unit: NavalUnit | AirUnit | GroundUnit, start: str) -> str:
    """Return where a unit stands when the war is taken up; empty if it is not there (P1.10, P1.11)."""
    return (unit.base if start == EARLY else unit.base_1944_01) or "" if unit.arrive <= start else ""


def _squadron(unit: AirUnit, base: str, late: bool) -> dict[str, Any]:
    """Return an air unit as it is set up; a carrier group is aboard."""
    steps = unit.steps_1944_01 if late and unit.steps_1944_01 is not None else unit.steps
    level = unit.level_1944_01 if late and unit.level_1944_01 is not None else unit.level
    return {"id": unit.id, "steps": steps, "level": level, "base": "" if unit.carrier else base}


EARLY: Final = "1941-12"
"""P1.10: the month in which the war begins."""
_WHOLE: Final = [unit for unit in GROUND.values() if "." not in unit.id]
CAMPAIGNS: Final[dict[str, Campaign]] = {
    row["id"]: _in_war(row) if row["type"] == "strategic" else convert(row, Campaign)
    for row in read("scenarios.json", dict[str, Any])["scenarios"]
    if row["type"] in ("campaign", "strategic")
}


@cache
def months(scenario: str) -> tuple[str, ...]:
    """Return the months of a campaign, first to last (P4.2)."""
    one = CAMPAIGNS[scenario]
    found = [one.start_month]
    while found[-1] < one.end_month:
        found.append(month_after(found[-1]))
    return tuple(found)


def month_after(month: str, count: int = 1) -> str:
    """Return the month that is `count` months later: `1942-12` to `1943-01` (P4.2)."""
    year, number = int(month[:4]), int(month[5:]) - 1 + count
    return f"{year + number // 12}-{number % 12 + 1:02}"


def since(rows: list[list[Any]], month: str) -> Any:
    """Return the value of the last row `[first month, value]` that is not later than a month (P3.2)."""
    return [value for first, value in rows if first <= month][-1]


def of_side(hq: str) -> int:
    """Return the side of a headquarters."""
    return SIDES.index(HEADQUARTERS[hq].side)


@cache
def submarine_commands(scenario: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the locations of the Submarine Commands at the start, by side (P14.2)."""
    start = TABLES["submarine_command"]["start"][scenario]
    return tuple(start["JP"]), tuple(start["AL"])


@cache
def roster(scenario: str) -> frozenset[str]:
    """Return all units that a campaign names: those of its start and those that come (P1.1)."""
    one = CAMPAIGNS[scenario]
    units = {unit for harbour in one.naval for unit in harbour.units}
    units |= {squadron.id for squadron in one.air} | {garrison.id for garrison in one.ground}
    return frozenset(units | {unit for row in one.reinforcements for unit in row.units})
