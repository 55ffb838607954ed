"""P28.14 Paradrops: who jumps, where, and what becomes of them."""

from collections.abc import Iterable

from domain.pacific_war.board.atlas import FORBIDDEN, area, distance, kind
from domain.pacific_war.board.charts import LOCATIONS, OWNERS
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.special import may_land
from domain.pacific_war.board.table import (
    Open,
    Own,
    Table,
    air_class,
    flies,
    housed,
    operation_number,
    stack_room,
    troop,
    troops_in,
)
from domain.pacific_war.board.weather import foul
from domain.pacific_war.decisions.cycle import AddPara
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.fighting import GroundStepsLost, WentAshore
from domain.pacific_war.facts.intelligence import meet, show

RANGE = 6
BROKEN_ON, SCATTERED_ON = 7, 9
"""P28.14: from this face on a unit loses a step and is Broken; on this face it is scattered besides."""


def transports(open: Open, own: Own, place: str) -> list[str]:
    """Return the TR units at an airbase that may fly, by id."""
    return [
        unit
        for unit in housed(open, own, place)
        if air_class(unit).kind == "TR"
        and own.air[unit].active
        and not own.air[unit].isolated
        and flies(open, own, unit)
    ]


def jumpers(open: Open, own: Own, place: str, chosen: Iterable[str], most: int) -> list[AddPara]:
    """Return the para units at an airbase whose steps fit the ready TR steps left (P28.14), by id.

    `most` is how many steps may drop in all: those that may take off, or for which there is room (P2.7).
    """
    taken = list(chosen)
    left = min(most, sum(own.air[unit].ready for unit in transports(open, own, place)))
    left -= sum(own.ground[unit].steps for unit in taken)
    return [
        AddPara(unit)
        for unit in troops_in(own, LOCATIONS[place].hex)
        if unit not in taken
        and "para" in troop(open, unit).flags
        and own.ground[unit].active
        and not own.ground[unit].broken
        and own.ground[unit].steps <= left
    ]


def drop_zones(open: Open, own: Own, side: int, place: str, most: int) -> list[str]:
    """Return the hexes within range that troops may drop into, by number; `most` steps may take off."""
    fitting = jumpers(open, own, place, (), most)
    if not fitting:
        return []
    least = min(own.ground[one.ground].steps for one in fitting)
    return sorted(
        spot
        for spot in area(open.scenario)
        if kind(spot) in "hl"
        and spot not in FORBIDDEN
        and distance(spot, LOCATIONS[place].hex) <= RANGE
        and stack_room(own, spot) >= least
        and may_land(open, side, spot)
        and not foul(open, spot)
    )


def carriers_of(open: Open, own: Own, place: str, steps: int) -> dict[str, int]:
    """Return the TR steps that carry so many ground steps, by id (P28.14)."""
    taken = dict[str, int]()
    for unit in transports(open, own, place):
        if count := min(own.air[unit].ready, steps):
            taken[unit] = count
            steps -= count
    return taken


def shot_down(table: Table, units: Iterable[str], steps: int) -> None:
    """Let jumpers go down with their transports: most steps first, ties by id (P28.14)."""
    now = Changes(table, "shot down")
    aboard = sorted(units)
    for _ in range(steps):
        left = [unit for unit in aboard if now.ground_now(unit).steps]
        if left:
            unit = min(left, key=lambda one: (-now.ground_now(one).steps, one))
            now.lose_ground(unit, 1, "shot down")
            now.tell(GroundStepsLost(unit, OWNERS[unit], 1, broken=False))
    now.record()


def drop(table: Table, side: int, units: Iterable[str], hex: str) -> None:
    """Let the jumpers that are left land in a hex, one die a unit (P28.14)."""
    own = table.own[side]
    for unit in sorted(units):
        if not own.ground[unit].steps:
            continue
        face = d10(
            table, "parachute landing", by=side, target="7 or 8 loses a step, 9 is scattered", subject=unit
        )
        now = Changes(table, "dropped")
        landed = operation_number(table.open)
        now.troops(unit, hex=hex, landing=True, landed=landed, moved=True, scattered=face >= SCATTERED_ON)
        if face >= BROKEN_ON:
            now.lose_ground(unit, 1)
            if now.ground_now(unit).steps:
                now.troops(unit, broken=True, active=False)
            now.tell(GroundStepsLost(unit, side, 1, broken=bool(now.ground_now(unit).steps)))
        now.record()
        if own.ground[unit].steps:
            show(table, ground=[unit])
            table.record(WentAshore((unit,), side, hex))
    meet(table, hex)
