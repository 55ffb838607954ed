"""Overland: which troops can walk to a place of the enemy, and how far they have to go (P23.2).

Deliberately absent: what a place is worth (`objectives`), and which march is best of all plans (`plans`).
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from clients.bots.pacific_war.objectives import closed, contested, wanted
from clients.bots.pacific_war.table import Table
from domain.pacific_war.board.atlas import FORBIDDEN, landward, within
from domain.pacific_war.board.charts import AT, GROUND, LOCATIONS
from domain.pacific_war.sight.shown import Screen

REACH: Final = 3
"""Hexes that troops walk in an Operation, at most."""

NEARBY: Final = 2
"""The part of a garrison that stays while the rest marches, one to so many: those can walk back."""


class Column(Struct, frozen=True):
    """Troops in a hex that can walk to a place `far` hexes away, the best first."""

    spot: str
    place: str
    far: int
    units: tuple[str, ...]


def by_land(table: Table, own: Screen, place: str) -> dict[str, int]:
    """Return the hexes from which troops of a side walk to a place, to the way; enemy troops bar it."""
    barred = table.troops["AL" if own.side == "JP" else "JP"]
    spot = LOCATIONS[place].hex
    found, edge = {spot: 0}, [spot]
    for far in range(1, REACH + 1):
        reached = {near for one in edge for near in landward(one)} - found.keys() - FORBIDDEN
        edge = sorted(reached.difference(barred))
        found |= dict.fromkeys(edge, far)
    return found


def columns(table: Table, own: Screen, *, active: bool = False) -> Iterator[Column]:
    """Yield who can walk to a place of the enemy, each hex apart; if `active`, of the Activated alone."""
    troops = _free(table, own, active=active)
    if not troops:
        return
    for place, base in table.locations.items():
        hostile = base.control != own.side or contested(table, place)
        if not hostile or closed(table, place) or not (near := within(base.hex, REACH) & troops.keys()):
            continue
        ways = by_land(table, own, place)
        for spot in sorted(near & ways.keys()):
            if ways[spot]:
                yield Column(spot, place, ways[spot], tuple(troops[spot]))


def _free(table: Table, own: Screen, *, active: bool) -> dict[str, list[str]]:
    """Return the hexes without enemy troops to the own units there that can leave, the best first."""
    foes = set(table.troops["AL" if own.side == "JP" else "JP"])
    found = dict[str, list[str]]()
    for unit, one in own.ground.items():
        fit = one.hex and one.steps and not (one.broken or one.isolated or one.aboard)
        if fit and one.hex not in foes and not (active and one.inactive):
            found.setdefault(one.hex, []).append(unit)
    for spot, units in found.items():
        units.sort(key=lambda unit: (-GROUND[unit].tq * own.ground[unit].steps, unit))
        if not active:
            _hold(table, own, spot, units)
    return {spot: units for spot, units in found.items() if units}


def _hold(table: Table, own: Screen, spot: str, units: list[str]) -> None:
    """Take off the list those who stay to hold the place in a hex: the least that are enough."""
    stay = wanted(table, AT[spot]) // NEARBY if spot in AT and AT[spot] in table.locations else 0
    while stay > 0 and units:
        stay -= own.ground[units.pop()].steps
