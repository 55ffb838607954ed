"""Nimitz as a bot sees it: who is where, how strong, and what an area is worth."""

from functools import cached_property
from typing import Final

from msgspec import Struct, structs

from domain.nimitz.charts import COUNTERS
from domain.nimitz.rows import CounterKind, Ratings, SideId
from domain.nimitz.shown import Area, Battle, Charts, Force
from server.protocol.shown import View

WEIGHT: Final = {"CV": 7.0, "CVL": 4.5, "CVE": 3.0, "BB": 5.0, "CRU": 3.5, "DD": 3.0, "SS": 1.0}
"""What a ship is worth in a fight, by type."""
UNIT: Final = 0.8
"""What a point of infantry is worth in a fight."""
WINGS: Final = 3.0
"""What a group of aircraft is worth in a fight."""
HURT: Final = 0.5
BESIDE: Final = 0.25
"""What an area is worth for each objective beside it: supply, and no offensive from there (N7.6)."""


class Table(Struct, frozen=True):
    """What is read of `domain.nimitz.shown.Table`; what is printed on counters is taken from the charts.

    Decoding the whole table would take longer than all other work of the bot.
    """

    year: int
    supply: dict[int, int]
    held: tuple[str, ...]
    supplied: tuple[str, ...]
    forces: dict[str, Force]
    scouts: dict[str, int]
    battles: tuple[str, ...]
    map: dict[str, Area]
    charts: Charts
    battle: Battle | None = None


class Piece(Struct, frozen=True):
    """A force with what is printed on it."""

    id: str
    side: SideId
    kind: CounterKind
    type: str
    value: int
    buy: int
    ratings: Ratings
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
        return UNIT * (self.ratings.infantry or 0)

    def embarked(self) -> "Piece":
        """Return it as it would be on the way to where the enemy is."""
        return structs.replace(self, aboard=self.kind == "INF")

    @property
    def ashore(self) -> bool:
        """Return whether it holds ground."""
        return self.kind != "SHIP" and not self.aboard


def attacks(ratings: Ratings) -> int:
    """Return the sum of what a face of a counter attacks with, of every kind."""
    of_each_kind = (
        ratings.aaa,
        ratings.surface,
        ratings.depth,
        ratings.dogfight,
        ratings.bomb_ship,
        ratings.bomb_ground,
        ratings.infantry,
    )
    return sum(rating or 0 for rating in of_each_kind)


class Board:
    """The table: pieces by place, and what follows from them."""

    def __init__(self, view: View[Table], seat: int) -> None:
        table = view.table
        self.table = table
        self.seat = seat
        self.year = table.year
        self.map = table.map
        self.objectives = set(table.charts.objectives)
        self.held, self.supplied = set(table.held), set(table.supplied)
        self.points = table.supply.get(seat, 0)
        self.pieces = _Pieces(table.forces)

    @cached_property
    def at(self) -> dict[str, dict[SideId, list[str]]]:
        """Where everything is: the ids of each side by place."""
        found: dict[str, dict[SideId, list[str]]] = {}
        for name, force in self.table.forces.items():
            side = COUNTERS[name].side
            found.setdefault(force.place, {"US": [], "JA": []})[side].append(name)
        return found

    def here(self, place: str, side: SideId, *kinds: CounterKind) -> list[Piece]:
        """Return a side's pieces in a place, of some kinds or of all."""
        found = [self.pieces[name] for name in self.at.get(place, {}).get(side, [])]
        return [piece for piece in found if not kinds or piece.kind in kinds]

    def power(self, place: str, side: SideId) -> float:
        """Return what a side's pieces in a place are worth in a fight."""
        return sum(piece.power for piece in self.here(place, side))

    def room(self, place: str) -> int:
        """Return how many more groups of aircraft an area can take."""
        limit = self.map[place].airfield
        if limit is None:
            return 9
        return limit - len(self.here(place, "US", "LBA"))

    def threatened(self, place: str) -> bool:
        """Return whether Japan is ashore, or has ships, in the area or beside it."""
        return any(self.here(near, "JA") for near in (place, *self.map[place].neighbours))

    def exposed(self, place: str) -> bool:
        """Return whether Japan has a foot ashore next door: only then may an offensive come (N7.6)."""
        return any(p.ashore for near in self.map[place].neighbours for p in self.here(near, "JA"))

    def power_near(self, place: str) -> float:
        """Return what Japan has in the area and beside it."""
        return sum(self.power(near, "JA") for near in (place, *self.map[place].neighbours))

    def prize(self, place: str) -> float:
        """Return what holding an area is worth: objectives, and what they are supplied through."""
        if place == "HI":
            return 5.0
        beside = [near for near in self.map[place].neighbours if near in self.objectives]
        return (1.0 if place in self.objectives else 0.0) + BESIDE * len(beside)


class _Pieces(dict[str, Piece]):
    """Forces by id, each made on first access: in a battle that is a few out of hundreds."""

    def __init__(self, forces: dict[str, Force]) -> None:
        super().__init__()
        self._forces = forces

    def __missing__(self, name: str) -> Piece:
        piece = self[name] = _piece(name, self._forces[name])
        return piece


def _piece(name: str, force: Force) -> Piece:
    counter = COUNTERS[name]
    return Piece(
        name,
        counter.side,
        counter.kind,
        counter.type,
        counter.value,
        counter.buy,
        counter.ratings.damaged if force.damaged else counter.ratings.full,
        force.place,
        force.damaged,
        force.aboard,
        force.moved,
    )
