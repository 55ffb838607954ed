"""P34 The special submarine pieces: what is printed of them, where they are, where they can go."""

from typing import Any

from domain.pacific_war.board.atlas import area, flood, kind
from domain.pacific_war.board.charts import BOATS, LOCATIONS, SIDES, TABLES
from domain.pacific_war.board.room import harbour
from domain.pacific_war.board.table import Open, Own, enemy, location_of, members, printed
from domain.pacific_war.board.war import SpecialBoat

_OPTIONS: dict[str, Any] = {kind: TABLES["options"][kind] for kind in BOATS.values()}
_PRINTED: dict[str, dict[str, str]] = {row["id"]: row for one in _OPTIONS.values() for row in one["units"]}
NAMES: dict[str, str] = {piece: row["name"] for piece, row in _PRINTED.items()}
HITS = 2
MOVES: dict[str, int] = {piece: _OPTIONS[kind]["move"] for piece, kind in BOATS.items()}
"""Piece to its nodes in 5.2.C and 5.2.K."""
HUNTERS = ("DD", "CL")
"""P34.1: classes of which a task force must have one to hunt."""


def owner(piece: str) -> int:
    """Return whose piece it is."""
    return SIDES.index(_PRINTED[piece]["side"])


def home(piece: str) -> str:
    """Return the location where it comes."""
    return _PRINTED[piece]["base"]


def arrival(piece: str) -> str:
    """Return the month in which it comes: `1945-02`."""
    return _PRINTED[piece]["arrive"]


def boats(open: Open, side: int) -> dict[str, SpecialBoat]:
    """Return the pieces of a side that are afloat, by id."""
    if not open.war:
        return {}
    return {
        piece: boat
        for piece, boat in sorted(open.war.special.items())
        if boat.hits < HITS and owner(piece) == side
    }


def seaplane_bases(open: Open, side: int) -> dict[str, str]:
    """Return the pieces of a side that keep a seaplane base, to its hex, by id (P34.1)."""
    return {piece: boat.node[:4] for piece, boat in boats(open, side).items() if boat.base}


def sites(open: Open, own: Own, side: int) -> dict[str, str]:
    """Return the hexes where an Activated piece can open a seaplane base (P34.1), to the piece."""
    return {
        boat.node[:4]: piece
        for piece, boat in boats(open, side).items()
        if BOATS[piece] == "krs" and piece in own.means.roused and not boat.base
        if kind(boat.node) == "h" and boat.node[:4] not in open.troops[enemy(side)]
    }


def idle(open: Open, own: Own, side: int) -> list[str]:
    """Return the pieces that are not Activated and lie in a port of their side, by id.

    One that keeps a seaplane base is Activated there too (R-121).
    """
    return [
        piece
        for piece, boat in boats(open, side).items()
        if piece not in own.means.roused and (boat.base or harbour(open, side, location_of(boat.node)))
    ]


def harbours(open: Open, side: int) -> dict[str, str]:
    """Return the nodes of a side's ports, by location."""
    return {
        place: LOCATIONS[place].coast or LOCATIONS[place].hex
        for place in sorted(open.bases)
        if harbour(open, side, place)
    }


def turn(open: Open) -> str:
    """Return a name of the movement phase, or of the day of contact: in each a piece moves once."""
    assert open.war is not None
    return f"{open.war.operations}:{open.war.month}:{open.war.day}:{open.phase}"


def movable(open: Open, own: Own, side: int) -> list[str]:
    """Return the Activated pieces that have not moved in this phase or on this day, by id."""
    return [
        piece
        for piece, boat in boats(open, side).items()
        if piece in own.means.roused and boat.moved != turn(open)
    ]


def reach(open: Open, piece: str, most: int) -> list[str]:
    """Return the nodes that a piece can go to, by hex."""
    assert open.war is not None
    start = open.war.special[piece].node
    return sorted(flood(start, most, area(open.scenario)).keys() - {start})


def meetings(open: Open, hunter: int) -> list[str]:
    """Return the pieces that share their hex with a task force of the hunter, by id (P34.1)."""
    return [piece for piece, boat in boats(open, enemy(hunter)).items() if _near(open, boat, hunter)]


def together(open: Open, one: str, other: str) -> bool:
    """Return whether two pieces are in one hex."""
    assert open.war is not None
    return open.war.special[one].node[:4] == open.war.special[other].node[:4]


def _near(open: Open, boat: SpecialBoat, hunter: int) -> list[str]:
    spot = boat.node[:4]
    return sorted(tf for tf, one in open.tfs.items() if one.side == hunter and one.node[:4] == spot)


def hunting(open: Open, own: Own, hunter: int, piece: str) -> list[str]:
    """Return the own task forces with a DD or CL that can hunt a piece where it is, by id."""
    boat = boats(open, enemy(hunter)).get(piece)
    return [
        tf
        for tf in (_near(open, boat, hunter) if boat else [])
        if any(printed(open, ship).cls in HUNTERS for ship in members(own, tf))
    ]
