"""P1, P10, P11 What is printed for campaigns: their scenarios, the headquarters, the tables of months.

Sides are `JP` and `AL` here, as in the files. Deliberately absent: what changes in play (`war`).
"""

from functools import cache
from typing import Any, Final, Literal

from msgspec import Struct, convert, field

from domain.pacific_war.charts import SIDES, TABLES, read
from domain.pacific_war.printed import Area, Bases, Garrison, Harbour, SideId, Squadron

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
    """P1 A scenario of several months that is played with Operations."""

    id: str
    name: str
    type: Literal["campaign"]
    start_month: str
    end_month: str
    area: Area
    initiative: int
    hqs: dict[SideId, tuple[str, ...]]
    command_points: dict[SideId, dict[str, int]]
    submarines: dict[SideId, int]
    osb: dict[SideId, tuple[str, ...]]
    control: dict[SideId, tuple[str, ...]]
    bases: dict[str, Bases]
    naval: tuple[Harbour, ...]
    air: tuple[Squadron, ...]
    ground: tuple[Garrison, ...]
    reinforcements: tuple[Arrival, ...]
    replacements: dict[str, dict[str, int]]
    strategic_transport: dict[str, int]
    special: tuple[str, ...]
    victory: CampaignVictory


class HeadquartersFile(Struct, frozen=True):
    """`headquarters.json`."""

    headquarters: tuple[Headquarters, ...]


HEADQUARTERS: Final[dict[str, Headquarters]] = {
    one.id: one for one in read("headquarters.json", HeadquartersFile).headquarters
}
CAMPAIGNS: Final[dict[str, Campaign]] = {
    row["id"]: convert(row, Campaign)
    for row in read("scenarios.json", dict[str, Any])["scenarios"]
    if row["type"] == "campaign"
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
