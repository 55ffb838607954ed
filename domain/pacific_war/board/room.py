"""P2.3 Locations of a side: which are its own, its ports, and what a port and an airbase hold."""

from domain.pacific_war.board.charts import AIR_ROOM, PORT_ROOM
from domain.pacific_war.board.table import Open, Own, based


def friendly(open: Open, side: int, place: str) -> bool:
    """Return whether a side controls a location on the map."""
    return place in open.bases and open.bases[place].control == side


def harbour(open: Open, side: int, place: str) -> bool:
    """Return whether a side has a port at a location."""
    return friendly(open, side, place) and open.bases[place].port > 0


def berth(open: Open, own: Own, place: str, count: int = 1) -> bool:
    """Return whether a port has room for naval units (P2.3.1)."""
    return sum(ship.port == place for ship in own.ships.values()) + count <= PORT_ROOM[open.bases[place].port]


def hangar(open: Open, own: Own, place: str) -> bool:
    """Return whether an airbase has room for an air unit (P2.3.2)."""
    return len(based(own, place)) < AIR_ROOM[open.bases[place].airbase]
