"""P17 Engineering: bases are repaired and built, one job for each location and month.

A headquarters with a link to the location pays; the list names the one that does (P11.8).
"""

from collections.abc import Iterator
from typing import TypeAlias

from domain.kernel.procedures import Decision
from domain.pacific_war.board.atlas import terrain
from domain.pacific_war.board.charts import JAPAN, LOCATIONS, SIDES, TABLES
from domain.pacific_war.board.room import friendly
from domain.pacific_war.board.table import Base, Open, Own, Sight, Table, troop, troops_in
from domain.pacific_war.command.links import payers
from domain.pacific_war.decisions.dispositions import (
    BuildAirbase,
    BuildFort,
    BuildOSB,
    BuildPort,
    RemoveOSB,
    RepairAirbase,
    RepairPort,
    RepairResource,
)
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.months.desk import Chapter, Desk, pay, quiet_place

_TABLE = TABLES["engineering"]
AIRBASE_HIT: int = _TABLE["airbase_repair_cp_per_hit"]
PORT_HIT: int = _TABLE["port_repair_cp_per_hit"]
RESOURCE_HIT: int = _TABLE["resource_repair_cp_per_hit"]
AIRBASE: int = _TABLE["airbase_build_cp"]
NO_ENGINEER: int = _TABLE["airbase_build_without_engineer_extra_cp"]
PORT: int = _TABLE["port_build_cp"]
OSB: int = _TABLE["osb_cp"]
FORT: int = _TABLE["fort_cp"]
AIRBASE_MOST: int = _TABLE["airbase_max"]
ATOLL_MOST: int = _TABLE["atoll_airbase_max"]
PORT_MOST: int = _TABLE["port_max"]
FORT_MOST: int = _TABLE["fort_max"]
OSB_MOST = {side: TABLES["command_links"]["osb_max"][name] for side, name in enumerate(SIDES)}
Job: TypeAlias = (
    RepairAirbase | RepairPort | RepairResource | BuildAirbase | BuildPort | BuildFort | BuildOSB | RemoveOSB
)
REPAIRS: dict[type[Decision], str] = {
    RepairAirbase: "airbase_damage",
    RepairPort: "port_damage",
    RepairResource: "resource_damage",
}
"""P17.1: what is taken off."""
BUILDS: dict[type[Decision], tuple[str, str]] = {
    BuildAirbase: ("airbase", "has a larger airbase"),
    BuildPort: ("port", "has a larger port"),
    BuildFort: ("fort", "is fortified"),
}
"""P17.1: what becomes larger, and what is told of it."""
OSB_PORT = 1
"""P11.3: size of a port that takes an Offensive Support Base."""


def options(sight: Sight, desk: Desk) -> list[Decision]:
    """Return the jobs, kind by kind in the order of P40; one for each location and month."""
    board, side = sight.open, sight.side
    free = [
        place
        for place in sorted(board.bases)
        if friendly(board, side, place) and f"job:{place}" not in desk.done
    ]
    quiet = [place for place in free if quiet_place(board, side, place)]
    jobs = [(place, *job) for place in quiet for job in _jobs(sight, place)]
    found: list[Decision] = [
        kind(place, hits, hq)
        for kind in (RepairAirbase, RepairPort, RepairResource)
        for place, what, hits, cost in jobs
        if what is kind
        for hq in _payer(sight.own, place, cost)
    ]
    found += [
        kind(place, hq)
        for kind in (BuildAirbase, BuildPort, BuildFort, BuildOSB)
        for place, what, _, cost in jobs
        if what is kind
        for hq in _payer(sight.own, place, cost)
    ]
    return [*found, *(RemoveOSB(place) for place in free if board.bases[place].osb)]


def _payer(own: Own, place: str, cost: int) -> list[str]:
    return payers(own, LOCATIONS[place].hex, cost)[:1]


def _jobs(sight: Sight, place: str) -> Iterator[tuple[type[Decision], int, int]]:
    """Yield what could be done at a friendly location: the job, its hits, its Command Points (P17.1)."""
    board, own, side = sight.open, sight.own, sight.side
    base, printed = board.bases[place], LOCATIONS[place]
    for hits in range(1, base.airbase_damage + 1):
        yield RepairAirbase, hits, hits * AIRBASE_HIT
    for hits in range(1, base.port_damage + 1):
        yield RepairPort, hits, hits * PORT_HIT
    for hits in range(1, base.resource_damage + 1 if side == JAPAN else 1):
        yield RepairResource, hits, hits * RESOURCE_HIT
    if base.airbase < (ATOLL_MOST if terrain(printed.hex) == "atoll" else AIRBASE_MOST):
        yield BuildAirbase, 0, AIRBASE + (0 if engineers(board, own, printed.hex) else NO_ENGINEER)
    if base.port < PORT_MOST and printed.coast:
        yield BuildPort, 0, PORT
    if base.fort < FORT_MOST and _garrisoned(own, printed.hex):
        yield BuildFort, 0, FORT
    if not base.osb and base.port >= OSB_PORT and _supports(board, side) < OSB_MOST[side]:
        yield BuildOSB, 0, OSB


def engineers(open: Open, own: Own, hex: str) -> bool:
    """Return whether an own engineer unit is in a hex; Activated ones are not used (P5.4.3)."""
    return any(
        "engineer" in troop(open, unit).flags and not own.ground[unit].active for unit in troops_in(own, hex)
    )


def _garrisoned(own: Own, hex: str) -> bool:
    """Return whether an unbroken ground unit that is not Activated is in a hex (P17.1, P5.4.3)."""
    return any(not (own.ground[unit].broken or own.ground[unit].active) for unit in troops_in(own, hex))


def _supports(open: Open, side: int) -> int:
    """Return how many Offensive Support Bases a side has on the map (P11.3)."""
    return sum(base.osb for base in open.bases.values() if base.control == side)


def take(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Pay for a job, and do it."""
    assert isinstance(decision, Job)
    place = decision.location
    if not isinstance(decision, RemoveOSB):
        hits = getattr(decision, "hits", 0)
        jobs = _jobs(Sight(side, side, table.open, table.own[side]), place)
        cost = next(cost for what, n, cost in jobs if isinstance(decision, what) and n == hits)
        pay(table, side, decision.hq, cost, "for engineering")
    why, new = _done(table.open.bases[place], decision)
    installations(table, place, why, **new)
    return desk.did(f"job:{place}")


def _done(base: Base, decision: Job) -> tuple[str, dict[str, int]]:
    """Return what is told of a job, and what has changed by it."""
    if isinstance(decision, RepairAirbase | RepairPort | RepairResource):
        what = REPAIRS[type(decision)]
        return "is repaired", {what: getattr(base, what) - decision.hits}
    if isinstance(decision, BuildOSB):
        return "has a new support base", {"osb": True}
    if isinstance(decision, RemoveOSB):
        return "has no support base any more", {"osb": False}
    what, why = BUILDS[type(decision)]
    return why, {what: getattr(base, what) + 1}


CHAPTERS = (Chapter("17.1", "Choose what the engineers repair or build, or be done.", options, take),)
