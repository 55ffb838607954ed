"""Types of the rows of the charts: counters, areas, orders, tables. The figures are in `charts`."""

from typing import Literal

from msgspec import Struct

SideId = Literal["US", "JA"]
CounterKind = Literal["SHIP", "INF", "LBA", "CAG"]

KINDS = ("SHIP", "INF", "LBA")


class Ratings(Struct, frozen=True):
    """One face of a counter (N1.7); None makes no attack."""

    aaa: int | None = None
    aaa_sup: int = 0
    surface: int | None = None
    depth: int | None = None
    dogfight: int | None = None
    dogfight_sup: int = 0
    bomb_ship: int | None = None
    bomb_ground: int | None = None
    infantry: int | None = None


class Faces(Struct, frozen=True):
    """Both faces of a counter."""

    full: Ratings
    damaged: Ratings


class Counter(Struct, frozen=True):
    """A force as printed (N1.3), or an aircraft of a carrier (`kind` CAG)."""

    id: str
    name: str
    side: SideId
    nation: str
    kind: CounterKind
    type: str
    value: int
    ratings: Faces
    buy: int = 0
    start: str = ""
    cag: str = ""
    bomber_wing: bool = False


class Area(Struct, frozen=True):
    """An area of the map (N1.1); `airfield` None is no limit."""

    id: str
    name: str
    x: int
    y: int
    airfield: int | None
    us_lba_unlimited: bool
    au: bool
    us_may_enter: bool
    ja_may_enter: bool
    neighbours: tuple[str, ...]
    dist_to_JA: int  # noqa: N815 the data file's own word
    dist_to_AU: int  # noqa: N815 the data file's own word
    dist_to_HI: int  # noqa: N815 the data file's own word


class Span(Struct, frozen=True):
    """A row of a table: from `lo` to `hi`, None being open."""

    lo: int | None
    hi: int | None
    level: str = ""
    order: str = ""
    turns: int = 0
    plans: int = 0
    ships: int = 0
    inf: int = 0
    lba: int = 0
    objectives: int = 0

    def holds(self, number: int) -> bool:
        """Return whether a number falls into this row."""
        return (self.lo is None or self.lo <= number) and (self.hi is None or number <= self.hi)

    def words(self) -> str:
        """Say the row as it is printed."""
        if self.lo is None:
            return f"{self.hi} or less"
        if self.hi is None:
            return f"{self.lo} or more"
        return f"{self.lo}" if self.lo == self.hi else f"{self.lo}-{self.hi}"


class OrderRow(Struct, frozen=True):
    """A row of the order table (N7.6)."""

    id: str
    roll_min: int | None
    roll_max: int | None
    ships: int
    inf: int
    lba: int
    resupply: int
    fallback: tuple[str, ...] | None
    lba_to_japan_if_no_ja_ashore: bool
    blocked_in: tuple[str, ...] = ()

    def limit(self, kind: str) -> int:
        """Return how many of a kind it moves at most."""
        return (self.ships, self.inf, self.lba)[KINDS.index(kind)]


class Plan(Struct, frozen=True):
    """A battle plan (N11.6, N11.7)."""

    id: str
    name: str
    copies: int
    cost: int = 0


class Aircraft(Struct, frozen=True):
    """A type of carrier aircraft (N9.7)."""

    value: int
    type: str
    ratings: Faces


class AirGroups(Struct, frozen=True):
    """What flies from the carriers of a side in a year."""

    groups: dict[str, tuple[str, ...]]
    aircraft: dict[str, Aircraft]


class Battalions(Struct, frozen=True):
    """How many battalions begin where."""

    area: str
    count: int


class Box(Struct, frozen=True):
    """A box beside the map (N1.13)."""

    id: str
    name: str


class BattleArea(Struct, frozen=True):
    """An area of the battle board (N9.1) and the numbers that send an air group there (N10.5)."""

    id: str
    name: str
    roll: tuple[int, int]


def row_of(rows: tuple[Span, ...], number: int) -> Span:
    """Return the row of a table for a number."""
    return next(row for row in rows if row.holds(number))
