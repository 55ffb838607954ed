"""P2.3 Room: what a port and an airbase hold."""

from domain.pacific_war.board.charts import AIR_ROOM, PORT_ROOM
from domain.pacific_war.board.table import Open, Own, based


def berth(open: Open, own: Own, place: str, count: int = 1) -> bool:
    """Return whether a port has room for naval units (P2.3.1)."""
    return sum(ship.port == place for ship in own.ships.values()) + count <= PORT_ROOM[open.bases[place].port]


def hangar(open: Open, own: Own, place: str) -> bool:
    """Return whether an airbase has room for an air unit (P2.3.2)."""
    return len(based(own, place)) < AIR_ROOM[open.bases[place].airbase]
