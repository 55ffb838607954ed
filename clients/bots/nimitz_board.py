"""Nimitz as a bot sees it: who is where, how strong, and what an area is worth."""

from typing import Any, Final

from msgspec import Struct

Option = dict[str, Any]

WEIGHT: Final = {"CV": 7.0, "CVL": 4.5, "CVE": 3.0, "BB": 5.0, "CRU": 3.5, "DD": 3.0, "SS": 1.0}
"""What a ship is worth in a fight, by type."""
UNIT: Final = 0.8
"""What a point of infantry is worth in a fight."""
WINGS: Final = 3.0
"""What a group of aircraft is worth in a fight."""
HURT: Final = 0.5


class Piece(Struct, frozen=True):
    """A force with what is printed on it."""

    id: str
    side: str
    nation: str
    kind: str
    type: str
    value: int
    buy: int
    ratings: dict[str, Any]
    place: str
    damaged: bool
    aboard: bool
    moved: bool

    @property
    def power(self) -> float:
        """Return its worth in a fight."""
        if self.kind == "SHIP":
            return WEIGHT[self.type] * (HURT if self.damaged else 1)
        if self.kind == "LBA":
            return WINGS * (HURT if self.damaged else 1)
        return UNIT * float(self.ratings.get("infantry", 0))

    @property
    def ashore(self) -> bool:
        """Return whether it holds ground."""
        return self.kind != "SHIP" and not self.aboard


class Board:
    """The table: pieces by place, and what follows from them."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        table = view["table"]
        self.table: dict[str, Any] = table
        self.seat = seat
        self.year: int = table["year"]
        self.last = table["turn"] == table["turns"]
        self.map: dict[str, Any] = table["map"]
        self.objectives: set[str] = set(table["charts"]["objectives"])
        self.held, self.supplied = set(table["held"]), set(table["supplied"])
        self.points: int = table["supply"].get(str(seat), 0)
        self.pieces: dict[str, Piece] = {}
        self.at: dict[str, dict[str, list[Piece]]] = {}
        for name, force in table["forces"].items():
            piece = _piece(name, force, table["counters"][name])
            self.pieces[name] = piece
            self.at.setdefault(force["place"], {"US": [], "JA": []})[piece.side].append(piece)

    def here(self, place: str, side: str, *kinds: str) -> list[Piece]:
        """Return a side's pieces in a place, of some kinds or of all."""
        found = self.at.get(place, {}).get(side, [])
        return [piece for piece in found if not kinds or piece.kind in kinds]

    def power(self, place: str, side: str) -> float:
        """Return what a side's pieces in a place are worth in a fight."""
        return sum(piece.power for piece in self.here(place, side))

    def ground(self, place: str, side: str) -> float:
        """Return the infantry strength of a side in a place."""
        return sum(float(p.ratings.get("infantry", 0)) for p in self.here(place, side, "INF"))

    def room(self, place: str) -> int:
        """Return how many more groups of aircraft an area can take."""
        limit = self.map[place].get("airfield")
        if limit is None:
            return 9
        return int(limit) - len(self.here(place, "US", "LBA"))

    def threatened(self, place: str) -> bool:
        """Return whether Japan is ashore, or has ships, in the area or beside it."""
        return any(self.here(near, "JA") for near in (place, *self.map[place]["neighbours"]))

    def power_near(self, place: str) -> float:
        """Return what Japan has in the area and beside it."""
        return sum(self.power(near, "JA") for near in (place, *self.map[place]["neighbours"]))

    def prize(self, place: str) -> float:
        """Return what holding an area is worth: objectives, and what they are supplied through."""
        if place == "HI":
            return 5.0
        worth = 1.0 if place in self.objectives else 0.1
        beyond = [near for near in self.map[place]["neighbours"] if near in self.objectives - self.held]
        return worth + 0.15 * len(beyond)


def _piece(name: str, force: dict[str, Any], counter: dict[str, Any]) -> Piece:
    damaged = force.get("damaged", False)
    return Piece(
        name,
        counter["side"],
        counter["nation"],
        counter["kind"],
        counter["type"],
        counter["value"],
        counter.get("buy", 0),
        counter["ratings"]["damaged" if damaged else "full"],
        force["place"],
        damaged,
        force.get("aboard", False),
        force.get("moved", False),
    )
