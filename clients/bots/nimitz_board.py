"""Nimitz as a bot sees it: who is where, how strong, and what an area is worth."""

from functools import cached_property
from typing import Any, Final

from msgspec import Struct, structs

Option = dict[str, Any]

WEIGHT: Final = {"CV": 7.0, "CVL": 4.5, "CVE": 3.0, "BB": 5.0, "CRU": 3.5, "DD": 3.0, "SS": 1.0}
"""What a ship is worth in a fight, by type."""
UNIT: Final = 0.8
"""What a point of infantry is worth in a fight."""
WINGS: Final = 3.0
"""What a group of aircraft is worth in a fight."""
HURT: Final = 0.5
BESIDE: Final = 0.25
"""What an area is worth for each objective beside it: supply, and no offensive from there (N7.6)."""


class Piece(Struct, frozen=True):
    """A force with what is printed on it."""

    id: str
    side: str
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

    def rating(self, name: str) -> float:
        """Return one of its ratings as it is now, 0 if it has none."""
        return float(self.ratings.get(name) or 0)

    def embarked(self) -> "Piece":
        """Return it as it would be on the way to where the enemy is."""
        return structs.replace(self, aboard=self.kind == "INF")

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
        self.pieces = _Pieces(table)

    @cached_property
    def at(self) -> dict[str, dict[str, list[str]]]:
        """Where everything is: the ids of each side by place."""
        found: dict[str, dict[str, list[str]]] = {}
        for name, force in self.table["forces"].items():
            side = self.table["counters"][name]["side"]
            found.setdefault(force["place"], {"US": [], "JA": []})[side].append(name)
        return found

    def here(self, place: str, side: str, *kinds: str) -> list[Piece]:
        """Return a side's pieces in a place, of some kinds or of all."""
        found = [self.pieces[name] for name in self.at.get(place, {}).get(side, [])]
        return [piece for piece in found if not kinds or piece.kind in kinds]

    def power(self, place: str, side: str) -> float:
        """Return what a side's pieces in a place are worth in a fight."""
        return sum(piece.power for piece in self.here(place, side))

    def room(self, place: str) -> int:
        """Return how many more groups of aircraft an area can take."""
        limit = self.map[place].get("airfield")
        if limit is None:
            return 9
        return int(limit) - len(self.here(place, "US", "LBA"))

    def threatened(self, place: str) -> bool:
        """Return whether Japan is ashore, or has ships, in the area or beside it."""
        return any(self.here(near, "JA") for near in (place, *self.map[place]["neighbours"]))

    def exposed(self, place: str) -> bool:
        """Return whether Japan has a foot ashore next door: only then may an offensive come (N7.6)."""
        return any(p.ashore for near in self.map[place]["neighbours"] for p in self.here(near, "JA"))

    def power_near(self, place: str) -> float:
        """Return what Japan has in the area and beside it."""
        return sum(self.power(near, "JA") for near in (place, *self.map[place]["neighbours"]))

    def prize(self, place: str) -> float:
        """Return what holding an area is worth: objectives, and what they are supplied through."""
        if place == "HI":
            return 5.0
        beside = [near for near in self.map[place]["neighbours"] if near in self.objectives]
        return (1.0 if place in self.objectives else 0.0) + BESIDE * len(beside)


class _Pieces(dict[str, Piece]):
    """Forces by id, each made when it is asked for: in a battle that is a few out of hundreds."""

    def __init__(self, table: dict[str, Any]) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, name: str) -> Piece:
        piece = self[name] = _piece(name, self._table["forces"][name], self._table["counters"][name])
        return piece


def _piece(name: str, force: dict[str, Any], counter: dict[str, Any]) -> Piece:
    damaged = force.get("damaged", False)
    return Piece(
        name,
        counter["side"],
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
