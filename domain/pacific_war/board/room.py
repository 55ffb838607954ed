"""P2.3 Locations of a side: which are its own, its ports, and what a port, an airbase and a box hold."""

from collections import Counter
from collections.abc import Iterable

from domain.pacific_war.board.boxes import admits, bound
from domain.pacific_war.board.charts import AIR, AIR_ROOM, BOXES, LOCATIONS, PORT_ROOM
from domain.pacific_war.board.table import Open, Own, stack_limit


def friendly(open: Open, side: int, place: str) -> bool:
    """Return whether a side controls a location on the map."""
    return place in open.bases and open.bases[place].control == side


def harbour(open: Open, side: int, place: str) -> bool:
    """Return whether a side has a port at a location."""
    return friendly(open, side, place) and open.bases[place].port > 0


def berths(open: Open, own: Own, places: Iterable[str]) -> frozenset[str]:
    """Return at which of these locations the port has room for a naval unit (P2.3.1)."""
    lying = Counter(ship.port for ship in own.ships.values())
    return frozenset(place for place in places if lying[place] < PORT_ROOM[open.bases[place].port])


def berth(open: Open, own: Own, place: str) -> bool:
    """Return whether a port has room for a naval unit (P2.3.1)."""
    return bool(berths(open, own, [place]))


def hangars(open: Open, own: Own, places: Iterable[str]) -> frozenset[str]:
    """Return at which of these locations and boxes the airbase has room for an air unit (P2.3.2).

    Who is on the way from one box to another has his room where he goes (P13.2.4).
    """
    wings = Counter(bound(own, unit) for unit, air in own.air.items() if air.steps)
    return frozenset(place for place in places if wings[place] < AIR_ROOM[_airbase(open, place)])


def hangar(open: Open, own: Own, place: str) -> bool:
    """Return whether a location or a box has room for an air unit (P2.3.2)."""
    return bool(hangars(open, own, [place]))


def quarters(own: Own, places: Iterable[str]) -> dict[str, int]:
    """Return each of these locations to the ground steps for which its hex has room (P2.7)."""
    there = Counter[str]()
    for unit in own.ground.values():
        there[unit.hex] += unit.steps
    spots = {place: LOCATIONS[place].hex for place in places}
    return {place: stack_limit(spot) - there[spot] for place, spot in spots.items()}


def takes(open: Open, own: Own, box: str, unit: str) -> bool:
    """Return whether a unit may come into a box: one of its nation, for aircraft there is room (P13.2.4)."""
    return admits(box, unit) and (unit not in AIR or hangar(open, own, box))


def _airbase(open: Open, place: str) -> int:
    return BOXES[place].airbase if place in BOXES else open.bases[place].airbase
