"""P13.1, P13.2.4 The boxes off the map: who may be in which, what lies beside it, who is on the way."""

from typing import Final

from domain.pacific_war.board.charts import AIR, BOATS, BOXES, GROUND, SHIPS
from domain.pacific_war.board.table import Own, location_of

ROUTE: Final = ("aus_s", "uswc")
"""P13.1: the two boxes between which units are transferred."""


def beside(place: str) -> list[str]:
    """Return what a unit in a box or at an entry port can be transferred to, by id."""
    if place in BOXES:
        others = [box for box in ROUTE if place in ROUTE and box != place]
        return sorted((*BOXES[place].entry, *others))
    return sorted(box.id for box in BOXES.values() if place in box.entry)


def admits(box: str, unit: str) -> bool:
    """Return whether a unit may be in a box: one of its nation, of aircraft alone no other unit."""
    nation = (SHIPS.get(unit) or AIR.get(unit) or GROUND[unit]).nat
    return nation in BOXES[box].nats and (unit in AIR or not BOXES[box].air_only)


def whereabouts(own: Own, unit: str) -> str:
    """Return the location or the box that an own unit is in, or an empty string.

    A carrier group is where its carrier is.
    """
    if unit in own.ships:
        return own.ships[unit].port
    if unit in own.air:
        home = own.air[unit].home
        return own.ships[home].port if home in own.ships else "" if home in BOATS else home
    spot = own.ground[unit].hex
    return spot if spot in BOXES else location_of(spot)


def bound(own: Own, unit: str) -> str:
    """Return where an air unit is based, or the box to which it is on the way from another."""
    home = own.air[unit].home
    goal = own.means.crossing.get(unit, home)
    return goal if home in BOXES and goal in BOXES else home


def travelling(own: Own, unit: str) -> bool:
    """Return whether a unit, or its carrier, has gone into a box or out of one this month (P13.2.4)."""
    crossing = own.means.crossing
    return unit in crossing or (unit in own.air and own.air[unit].home in crossing)
