"""Types of Nimitz's table as pages and bots get it: keyed by ids, with all that is printed.

A field with a default is left out while it has it. What is printed (map, counters, charts) is the same object
for a whole campaign; what changes is beside it.
"""

from typing import Generic, Literal, TypedDict, TypeVar

from domain.match.parts import Part
from domain.nimitz.rows import BattleArea, CounterKind, SideId

T = TypeVar("T")
Place = Literal["JO", "IS", "CO", "UO"]
"""An area of the battle board (N9.1)."""


class BySide(TypedDict, Generic[T]):
    """One of it for each side."""

    US: T
    JA: T


class OfSides(TypedDict, Generic[T], total=False):
    """One of it for each side that has any."""

    US: T
    JA: T


class Ratings(Part, frozen=True, kw_only=True):
    """One face of a counter (N1.7); what is left out makes no attack."""

    aaa: int | None = None
    aaa_sup: int
    surface: int | None = None
    depth: int | None = None
    dogfight: int | None = None
    dogfight_sup: int
    bomb_ship: int | None = None
    bomb_ground: int | None = None
    infantry: int | None = None


class Faces(Part, frozen=True, kw_only=True):
    """Both faces of a counter."""

    full: Ratings
    damaged: Ratings


class Counter(Part, frozen=True, kw_only=True):
    """What is printed on a counter (N1.3)."""

    name: str
    side: SideId
    nation: str
    kind: CounterKind
    type: str
    value: int
    ratings: Faces
    buy: int
    start: str
    cag: str
    bomber_wing: bool


class Force(Part, frozen=True, kw_only=True):
    """A force as it stands; `place` is an area or a box."""

    place: str
    damaged: bool = False
    aboard: bool = False
    """Infantry on a transport (N1.9)."""
    moved: bool = False
    arrived: bool = False
    seat: int = -1
    """In mode c the seat that may move it this turn because it bought it or was lent it (N20.3)."""


class Plane(Part, frozen=True, kw_only=True):
    """An aircraft in a battle (N9.7): of which carrier, and over which battle area it is in the air."""

    home: str = ""
    at: str = ""
    damaged: bool = False
    flown: bool = False
    dived: bool = False


class Battle(Part, frozen=True, kw_only=True):
    """The battle board (N9)."""

    area: str
    seat: int
    """The US commander (N20.3)."""
    turn: int
    left: int
    """Turns left, the one being fought included."""
    ships: dict[str, Place]
    foxhole: tuple[str, ...]
    beach: tuple[str, ...]
    transports: BySide[tuple[str, ...]]
    airfields: OfSides[int]
    planes: dict[str, Plane]
    rooms: dict[str, int]
    """Carrier to the size of her group at the start (N9.7)."""
    plans: int
    """Japanese plans per turn (N9.9)."""
    cup: int
    """Japanese plan counters not yet drawn."""
    in_force: tuple[str, ...]
    screening: bool
    points: int
    held: tuple[str, ...]
    """US plans bought and not used."""
    used: tuple[str, ...]
    step: str = ""
    over: str | None = None
    """The combat step being fought, and where."""


class Hit(Part, frozen=True, kw_only=True):
    """A hit that somebody is asked about: whom it falls on, of what kind, where, and its target if named."""

    victim: SideId
    kind: str
    area: str
    target: str = ""


class Span(Part, frozen=True, kw_only=True):
    """A row of a table, from `lo` to `hi`; what is left out is open."""

    lo: int | None = None
    hi: int | None = None
    level: str
    order: str
    turns: int
    plans: int
    ships: int
    inf: int
    lba: int
    objectives: int


class OrderRow(Part, frozen=True, kw_only=True):
    """A row of the order table (N7.6)."""

    id: str
    roll_min: int | None = None
    roll_max: int | None = None
    ships: int
    inf: int
    lba: int
    resupply: int
    fallback: tuple[str, ...] | None = None
    lba_to_japan_if_no_ja_ashore: bool
    blocked_in: tuple[str, ...]


class Plan(Part, frozen=True, kw_only=True):
    """A battle plan (N11.6, N11.7)."""

    id: str
    name: str
    copies: int
    cost: int


class Area(Part, frozen=True, kw_only=True):
    """An area of the map (N1.1); without `airfield` there is no limit."""

    name: str
    x: int
    y: int
    airfield: int | None = None
    us_lba_unlimited: bool
    au: bool
    us_may_enter: bool
    ja_may_enter: bool
    neighbours: tuple[str, ...]
    dist_to_JA: int  # noqa: N815 the data file's own word
    dist_to_AU: int  # noqa: N815 the data file's own word
    dist_to_HI: int  # noqa: N815 the data file's own word


class Charts(Part, frozen=True, kw_only=True):
    """The charts of a year."""

    orders: dict[str, OrderRow]
    us_plans: dict[str, Plan]
    ja_plans: dict[str, Plan]
    reinforcements: tuple[Span, ...]
    evaluation: tuple[Span, ...]
    invasion: tuple[Span, ...]
    linked: tuple[Span, ...]
    objectives: tuple[str, ...]


class Table(Part, frozen=True, kw_only=True):
    """The whole game; nothing is hidden (N0.6)."""

    year: int
    mode: Literal["a", "b", "c"]
    linked: bool
    turn: int
    turns: int
    steps: tuple[str, ...]
    supply: dict[int, int]
    """US seat to supply points."""
    counter: int
    """The Japanese resupply counter (N7.2)."""
    raids: int
    held: tuple[str, ...]
    """The areas that are held (N1.10)."""
    supplied: tuple[str, ...]
    contested: tuple[str, ...]
    result: int
    """What the campaign would come to if it ended now (N18.2)."""
    result_level: str
    forces: dict[str, Force]
    returned: dict[CounterKind, tuple[str, ...]]
    auto_held: tuple[str, ...]
    scouts: dict[str, int]
    battles: tuple[str, ...]
    """Battles not yet fought (N8.3)."""
    counts: tuple[int, ...]
    """Objectives held at the end of each turn of this campaign (N17.3)."""
    results: dict[int, int]
    """Year to the result of a finished campaign (N18.1)."""
    map: dict[str, Area]
    boxes: dict[str, str]
    battle_areas: dict[str, BattleArea]
    counters: dict[str, Counter]
    charts: Charts
    date: str = ""
    step: int = 0
    step_name: str = ""
    invasion: int | None = None
    """Purchase points of the forces in the invasion box, if there are any."""
    battle: Battle | None = None
    hit: Hit | None = None
    level: str = ""
