"""What is worth an Operation in a campaign: places by their points over distance and garrison."""

from functools import cache
from typing import Final

from clients.bots.pacific_war.table import NEVER, Table, ways
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS, months
from domain.pacific_war.board.charts import GROUND, LOCATIONS, SCENARIOS, TABLES
from domain.pacific_war.board.printed import Points
from domain.pacific_war.sight.shown import SideId

REAR: Final = ("truk", "brisbane", "suva", "noumea")
"""C1.3: places that troops may not attack."""
UNKNOWN: Final = 4
"""Steps that are taken to be where there are troops of whom nothing is known."""
OWN_RATE: Final = 0.06
"""What a hex of the way takes off the worth of a place, as a part of it."""
PER_STEP: Final = 0.05
"""The same for a step of its garrison."""
WORTH_IT: Final = 2.0
"""The points that a place must promise, way and garrison considered."""


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
    row = CAMPAIGNS[table.scenario].victory.locations.get(place, {})
    base = table.locations[place]
    return sum(row.values()) * months_left(table) + (base.port + base.airbase + 1) // 2


def garrison(table: Table, place: str) -> int:
    """Return the steps that an enemy is known or taken to have at a place."""
    spot, side = LOCATIONS[place].hex, table.locations[place].control
    if spot not in table.troops[side]:
        return 0
    known = sum(g.steps for u, g in table.ground.items() if g.hex == spot and GROUND[u].side == side)
    return known or max(UNKNOWN, begun_with(table.scenario, place))


@cache
def begun_with(scenario: str, place: str) -> int:
    """Return the steps that a place has in the set-up."""
    rows = (row for row in CAMPAIGNS[scenario].ground if row.hex == place)
    return sum(GROUND[row.id].steps if row.steps is None else row.steps for row in rows)


def sources(table: Table, side: SideId) -> list[str]:
    """Return the ports of a side that a headquarters of its own is near."""
    staffs = (
        [post.site for post in table.war.headquarters.values() if post.side == side and post.site]
        if (table.war)
        else []
    )
    return [
        place
        for place, base in table.locations.items()
        if base.control == side
        and base.port
        and base.coast
        and any(distance(base.hex, LOCATIONS[one].hex) <= HEADQUARTERS_REACH for one in staffs)
    ]


HEADQUARTERS_REACH: Final = max(one.radius for one in HEADQUARTERS.values())


def promise(table: Table, side: SideId, place: str) -> float:
    """Return what a place promises to the side that takes it: its swing less the way and its garrison."""
    node = LOCATIONS[place].coast or LOCATIONS[place].hex
    near = ways(node, table.scenario)
    far = min((near.get(table.locations[p].coast, NEVER) for p in sources(table, side)), default=NEVER)
    return swing(table, place) * (1 - OWN_RATE * far - PER_STEP * garrison(table, place))


def objective(table: Table) -> str:
    """Return the place that the Operation is led for: that which promises its player most, if any does."""
    operation = table.war.operation if table.war else None
    return best(table, operation.player) if operation else ""


def best(table: Table, side: SideId) -> str:
    """Return the enemy place that promises a side most, or an empty string if none is worth it."""
    promises = {
        place: promise(table, side, place)
        for place, base in table.locations.items()
        if base.control != side and place not in REAR
    }
    place = max(promises, key=lambda one: (promises[one], one), default="")
    return place if place and promises[place] >= WORTH_IT else ""
