"""The charts of Nimitz, read once from `data/nimitz.json`: map, counters, orders, tables, set-ups.

All figures that a rule names come from here. Ids of forces carry their year and are unique; battalions are
made here, since the data file only counts them. Deliberately absent: anything that changes in play.
"""

from importlib.resources import files
from typing import Any, Final

from msgspec import json

from domain.nimitz.rows import (
    AirGroups,
    Area,
    Battalions,
    BattleArea,
    Box,
    Counter,
    Faces,
    OrderRow,
    Plan,
    Ratings,
    SideId,
    Span,
)

US, JA = 0, 1
SIDES: Final[tuple[SideId, SideId]] = ("US", "JA")
SIDE_NAMES = ("United States", "Japan")


def _type(what: Any, raw: Any) -> Any:
    return json.decode(json.encode(raw), type=what)


def _spans(raw: Any) -> tuple[Span, ...]:
    rows: tuple[Span, ...] = _type(tuple[Span, ...], raw)
    return rows


_RAW = json.decode(files(__package__).joinpath("data", "nimitz.json").read_bytes())
YEARS: tuple[int, ...] = tuple(map(int, _RAW["setup"]))
AREAS: dict[str, Area] = {area.id: area for area in _type(tuple[Area, ...], _RAW["areas"])}
BOXES: dict[str, str] = {box.id: box.name for box in _type(tuple[Box, ...], _RAW["boxes"])}
PLACES: Final[dict[str, str]] = BOXES | {area.id: area.name for area in AREAS.values()}
"""The name of each area and box."""
TRACK: tuple[str, ...] = tuple(_RAW["turns"]["track"])
TURNS: dict[int, int] = {int(y): n for y, n in _RAW["turns"]["turns_by_year"].items()}
OBJECTIVES: dict[int, tuple[str, ...]] = {
    int(y): tuple(sorted(row["areas"])) for y, row in _RAW["objectives"].items()
}
INCOME: dict[int, int] = {int(y): row["per_turn"] for y, row in _RAW["supply_points"].items()}
LAST_PORT: dict[int, str] = {int(y): box for y, box in _RAW["last_port_box"].items()}
SPECIAL: dict[int, tuple[str, ...]] = {
    year: tuple(_RAW["special_rules"].get(str(year), ())) for year in YEARS
}
RAID_PENALTY: int = _RAW["raid_penalty"]["per_submarine"]
FREE_POINTS: int = _RAW["costs"]["free_bpp"]
POINTS_PER_SUPPLY: int = _RAW["costs"]["bpp_per_supply"]
TRACK_MOST: int = _RAW["resupply_track"]["max"]

ORDERS: dict[str, OrderRow] = {row.id: row for row in _type(tuple[OrderRow, ...], _RAW["order_table"])}
ROLL_EAST = _spans(_RAW["roll_east"]["results"])
BANDS: tuple[tuple[int, int], ...] = tuple((lo, hi) for lo, hi in _RAW["order_modifiers"]["bands"])
ORDER_MODIFIERS: dict[int, tuple[int, ...]] = {
    int(y): tuple(row) for y, row in _RAW["order_modifiers"]["by_year"].items()
}
SCOUT_MODIFIERS: dict[int, int] = {int(y): n for y, n in _RAW["scout_modifiers"]["by_year"].items()}

BATTLE_AREAS: dict[str, BattleArea] = {
    area.id: area for area in _type(tuple[BattleArea, ...], _RAW["battle"]["areas"])
}
LENGTH = _spans(_RAW["battle"]["length"])
LENGTH_MOST: int = _RAW["battle"]["max_length"]
PLAN_COUNT = _spans(_RAW["battle"]["plan_count"])
TRANSPORT_VALUE: int = _RAW["battle"]["transport_value"]
TRANSPORT_HITS: int = _RAW["battle"]["transport_hit_factor"]
AIRFIELD_VALUE: int = _RAW["battle"]["airfield_value"]
US_PLANS: dict[str, Plan] = {p.id: p for p in _type(tuple[Plan, ...], _RAW["battle_plans"]["US"])}
JA_PLANS: dict[str, Plan] = {p.id: p for p in _type(tuple[Plan, ...], _RAW["battle_plans"]["JA"])}

REINFORCEMENTS = _spans(_RAW["reinforcement_table"]["rows"])
EXTRA_INF: dict[int, int] = {int(y): n for y, n in _RAW["reinforcement_table"]["extra_inf"].items()}
BATTALIONS_PER_MISSING: int = _RAW["reinforcement_table"]["battalions_per_missing"]
INVASION = _spans(_RAW["invasion_table"]["rows"])
INVASION_LIMIT: int = _RAW["invasion_table"]["limit_per_turn"]
INVASION_FROM: tuple[str, ...] = tuple(_RAW["invasion_table"]["from_areas"])
EVALUATION: dict[int, tuple[Span, ...]] = {
    int(y): _spans(rows) for y, rows in _RAW["evaluation"]["by_year"].items()
}
CHECK_FROM: dict[int, int] = {int(y): n for y, n in _RAW["evaluation"]["replaced_check_from_turn"].items()}
CLASS: dict[str, str] = _RAW["evaluation"]["result_class"]
LINKED = _spans(_RAW["evaluation"]["linked"])
SWPA: tuple[str, ...] = tuple(_RAW["theatres"]["SWPA"])

FORCES: dict[int, dict[str, Counter]] = {
    year: {
        force.id: force
        for side in SIDES
        for force in _type(tuple[Counter, ...], _RAW["forces"][str(year)][side])
    }
    for year in YEARS
}
BATTALIONS: dict[int, dict[str, tuple[Battalions, ...]]] = {
    year: {
        side: _type(tuple[Battalions, ...], _RAW["setup"][str(year)]["battalions"][side]) for side in SIDES
    }
    for year in YEARS
}
POOL: dict[int, int] = {int(y): n for y, n in _RAW["battalions"]["JA"]["pool_by_year"].items()}
AIR_GROUPS: dict[int, dict[str, AirGroups]] = {
    year: {side: _type(AirGroups, _RAW["carrier_air_groups"][str(year)][side]) for side in SIDES}
    for year in YEARS
}


def _battalion(side: SideId, number: int) -> Counter:
    full, damaged = _RAW["battalions"][side]["infantry"]
    faces = Faces(Ratings(infantry=full), Ratings(infantry=damaged))
    return Counter(
        id=f"{side.lower()}-bn-{number:02}",
        name=f"{'US' if side == 'US' else 'Japanese'} Battalion {number}",
        side=side,
        nation=side,
        kind="INF",
        type="BN",
        value=_RAW["battalions"][side]["value"],
        ratings=faces,
    )


def _flights(year: int, carrier: Counter) -> dict[str, Counter]:
    groups = AIR_GROUPS[year][carrier.side]
    flights = {}
    for slot, name in enumerate(groups.groups[carrier.cag], start=1):
        kind = groups.aircraft[name]
        flights[f"{carrier.id}:{slot}{name}"] = Counter(
            id=f"{carrier.id}:{slot}{name}",
            name=f"{name} {slot} of {carrier.name}",
            side=carrier.side,
            nation=carrier.nation,
            kind="CAG",
            type=kind.type,
            value=kind.value,
            ratings=kind.ratings,
            start=carrier.id,
        )
    return flights


_MOST: dict[SideId, int] = {
    "JA": max(POOL.values()),
    "US": max(sum(b.count for b in BATTALIONS[y]["US"]) for y in YEARS),
}
FLIGHTS: dict[str, tuple[str, ...]] = {}
"""Carrier to the ids of its full air group, by slot (N9.7)."""
COUNTERS: dict[str, Counter] = {}
"""Every counter there is, by id: forces of all years, battalions, carrier aircraft."""
for _side, _most in _MOST.items():
    COUNTERS |= {b.id: b for b in (_battalion(_side, n) for n in range(1, _most + 1))}
for _year, _forces in FORCES.items():
    COUNTERS |= _forces
    for _force in _forces.values():
        if _force.cag:
            FLIGHTS[_force.id] = tuple(_flights(_year, _force))
            COUNTERS |= _flights(_year, _force)

SIDE_OF: dict[str, int] = {name: SIDES.index(counter.side) for name, counter in COUNTERS.items()}


def _links(start: str) -> dict[str, int]:
    found, edge = {start: 0}, [start]
    while edge:
        here = edge.pop(0)
        for there in AREAS[here].neighbours:
            if there not in found:
                found[there] = found[here] + 1
                edge.append(there)
    return found


DISTANCE: dict[str, dict[str, int]] = {area: _links(area) for area in AREAS}
"""The smallest number of links between two areas (N1.1)."""
