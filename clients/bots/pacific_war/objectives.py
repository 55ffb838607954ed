"""What places are worth in a campaign, who holds them, and how strongly: what Operations are led for.

In a campaign it is what a place scores at the month ends that are left (P33.2). In the war Japan takes what
feeds it and what wins at once (P10.1, P33.3), the Allies what brings Japan down (P33.4) and what lies on the
way there. Deliberately absent: who is to go (`plans`).
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from clients.bots.pacific_war.table import Table
from domain.pacific_war.board.atlas import distance, nodes, within
from domain.pacific_war.board.campaigns import CAMPAIGNS, months
from domain.pacific_war.board.charts import GROUND, LOCATIONS, SCENARIOS, TABLES
from domain.pacific_war.board.printed import Points
from domain.pacific_war.sight.shown import SideId

_COLLAPSE: Final[dict[str, Any]] = TABLES["collapse"]
EARLY: Final[str] = _COLLAPSE["japan_automatic"]["until"]
"""P33.3: the last month in which Japan can win at once, by these: one, two or five of them."""
BASTION: Final = "pearl_harbor"
CAPITALS: Final = ("sydney", "brisbane", "auckland", "calcutta", "colombo")
OUTPOSTS: Final = (
    "midway",
    "port_moresby",
    "noumea",
    "suva",
    "samoa",
    "darwin",
    "townsville",
    "espiritu_santo",
    "guadalcanal",
    "dutch_harbor",
    "trincomalee",
)
REAR: Final = ("truk", "brisbane", "suva", "noumea")
"""C1.3: places that troops may not attack."""

UNKNOWN: Final = 4
GUARDED: Final = 6
"""Steps that are taken to be where there are troops of whom nothing is known, and where much is at stake."""
FED: Final = 6.0
"""What a resource hex is worth in the war."""
FALLS: Final = 6.0
"""What a collapse point of Japan is worth."""
OUTPOST: Final = 3.0
CAPITAL: Final = 8.0
HARBOUR: Final = 20.0
"""What the places of P33.3 are worth to Japan while they can win the war: of five, of two, alone."""
ON_THE_WAY: Final = 4.0
"""What it is worth to the Allies to come to where a collapse point is, less for each hex that is left."""
FAR: Final = 25
"""Hexes from such a place at which nothing of that is left."""
MENACE: Final = 14
"""Hexes within which ships of the enemy in port threaten a place."""
CLOSE: Final = 2
RANGE: Final = 6
"""Hexes from an airbase at which its aircraft are over a landing, and in range of it."""
OVERHEAD: Final = 0.12
IN_RANGE: Final = 0.04
"""What each of its sizes takes off the worth of a landing there, as a part of it."""
MOST_RISK: Final = 0.8
VAST: Final = 24.0
GREAT: Final = 8.0
SOME: Final = 3.0
"""What a place is worth that is held by most, by many, and by some."""
MOST: Final = 10
MANY: Final = 6
FEW: Final = 3
"""The steps with which a threatened place is held, by what it is worth."""


@cache
def worth(scenario: str) -> Points:
    """Return what ships and air steps are worth: by the scenario, in a campaign damage points (P19.3)."""
    if scenario in SCENARIOS:
        return SCENARIOS[scenario].victory.points
    row = TABLES["initiative"]["damage_points"]
    half = {cls: points // 2 for cls, points in row["sunk"].items()}
    return Points(row["sunk"], half, row["air_steps_per_point"])


def months_left(table: Table) -> int:
    """Return the month ends that are still to come."""
    return len([month for month in months(table.scenario) if month >= table.month])


def swing(table: Table, place: str) -> float:
    """Return the points by which the two sides differ at the end if a place changes hands now."""
    base = table.locations[place]
    size = (base.port + base.airbase + 1) // 2
    if CAMPAIGNS[table.scenario].strategic:
        return in_war(table.scenario, place, early=table.month <= EARLY) + size
    row = CAMPAIGNS[table.scenario].victory.locations.get(place, {})
    return sum(row.values()) * months_left(table) + size


@cache
def in_war(scenario: str, place: str, *, early: bool) -> float:
    """Return what a place is worth in the war, its size apart."""
    named: dict[str, int] = _COLLAPSE["locations"]
    falls = sum(points / len(key.split("+")) for key, points in named.items() if place in key.split("+"))
    if LOCATIONS[place].homeland:
        falls += _COLLAPSE["homeland_location"]
    value = FALLS * falls + (FED if LOCATIONS[place].resource else 0.0)
    if early and scenario == "S1":
        value += HARBOUR * (place == BASTION) + CAPITAL * (place in CAPITALS) + OUTPOST * (place in OUTPOSTS)
    goals = [LOCATIONS[one].hex for key in named for one in key.split("+")]
    near = min(distance(LOCATIONS[place].hex, one) for one in goals)
    return value + (0.0 if early else ON_THE_WAY * max(0.0, 1 - near / FAR))


def shore(place: str) -> str:
    """Return the node from which troops land at a place: that of its port, else any; or an empty string."""
    spot = LOCATIONS[place]
    return spot.coast or next(iter(nodes(spot.hex)), "")


def closed(table: Table, place: str) -> bool:
    """Return whether no troops may attack a place (C1.3)."""
    return table.scenario == "C1" and place in REAR


def barred(table: Table, place: str) -> bool:
    """Return whether no troops may land at a place: far inland, or by C1.3."""
    return not shore(place) or closed(table, place)


def contested(table: Table, place: str) -> bool:
    """Return whether troops of both sides are at a place."""
    return all(LOCATIONS[place].hex in table.troops[side] for side in ("JP", "AL"))


def open_to(table: Table, side: SideId) -> list[str]:
    """Return the places that troops of a side may be landed at: the enemy's, and own ones that he is in."""
    return [
        place
        for place, base in table.locations.items()
        if (base.control != side or contested(table, place)) and not barred(table, place)
    ]


def garrison(table: Table, place: str, side: SideId) -> int:
    """Return the steps that an enemy, `side`, is known or taken to have at a place."""
    spot = LOCATIONS[place].hex
    if spot not in table.troops[side]:
        return 0
    known = sum(g.steps for u, g in table.ground.items() if g.hex == spot and GROUND[u].side == side)
    guess = GUARDED if swing(table, place) >= GREAT else UNKNOWN
    begun = begun_with(table.scenario, place, side)
    return known or (max(UNKNOWN, begun) if begun else guess)


def airfields(table: Table, side: SideId) -> dict[str, int]:
    """Return the hexes of the airbases from which aircraft of a side fly, to their sizes."""
    return {
        base.hex: base.airbase
        for base in table.locations.values()
        if base.control == side and side in base.aircraft
    }


def exposure(place: str, fields: Mapping[str, int]) -> float:
    """Return the part of a landing at a place that aircraft from the enemy's `fields` are likely to cost."""
    spot = LOCATIONS[place].hex
    near = sorted(within(spot, RANGE) & fields.keys())
    risk = sum(fields[one] * (OVERHEAD if distance(one, spot) <= CLOSE else IN_RANGE) for one in near)
    return min(MOST_RISK, risk)


@cache
def begun_with(scenario: str, place: str, side: SideId) -> int:
    """Return the steps that a side has at a place in the set-up."""
    rows = (row for row in CAMPAIGNS[scenario].ground if row.hex == place and GROUND[row.id].side == side)
    return sum(GROUND[row.id].steps if row.steps is None else row.steps for row in rows)


def manned(table: Table, place: str) -> int:
    """Return the own steps at a place."""
    assert table.own is not None
    spot = LOCATIONS[place].hex
    return sum(one.steps for one in table.own.ground.values() if one.hex == spot)


def threatened(table: Table, place: str) -> bool:
    """Return whether ships of the enemy lie in a port near enough to land at an own place soon."""
    spot = LOCATIONS[place].hex
    foe: SideId = "AL" if table.locations[place].control == "JP" else "JP"
    return any(distance(port, spot) <= MENACE for port in table.anchorages[foe])


def wanted(table: Table, place: str) -> int:
    """Return the steps that are to hold an own place: by what it is worth, where the enemy is near."""
    known: dict[str, int] = table.notes.setdefault("wanted", {})
    if place not in known:
        value = swing(table, place)
        safe = value < SOME or barred(table, place) or not threatened(table, place)
        known[place] = 0 if safe else MOST if value >= VAST else MANY if value >= GREAT else FEW
    return known[place]
