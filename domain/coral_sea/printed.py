"""C3, C4, C6, C12, C16, C17 What is printed on map, counters, cards and chits: the shape of the data file.

Sides are words here, as in the file; `owner` gives the number. Deliberately absent: the data themselves.
"""

from typing import Any, Final, Literal

from msgspec import Struct

SideId = Literal["japan", "allied"]
Terrain = Literal["land", "sea", "box"]
Domain = Literal["ground", "naval"]
UnitType = Literal["infantry", "LS", "HS", "CV"]
Colour = Literal["green", "red", "blue", "yellow"]

SIDES: Final[tuple[SideId, SideId]] = ("japan", "allied")


class Area(Struct, frozen=True):
    """A place on the map (C3.1); `island` is the island whose part it is, if it is one."""

    id: str
    name: str
    kind: Terrain
    x: int
    y: int
    island: str | None
    mountain: bool
    urban: bool
    port: bool
    airfield: bool


class Edge(Struct, frozen=True):
    """Two neighbours (C3.2)."""

    a: str
    b: str
    kind: str
    cost: int


class Island(Struct, frozen=True):
    """An island and its areas (C3.10)."""

    id: str
    name: str
    areas: tuple[str, ...]


class Site(Struct, frozen=True):
    """What scores points (C23.2): all its areas must be controlled."""

    id: str
    urban_area: str
    value: int
    areas: tuple[str, ...]


class Values(Struct, frozen=True):
    """What one side of a counter says (C4.1)."""

    cohesion: int
    move: int
    tactical: int


class Counter(Struct, frozen=True):
    """A unit as it is printed (C4.1)."""

    id: str
    name: str
    side: SideId
    nationality: str
    domain: Domain
    type: UnitType
    full: Values
    depleted: Values
    truk_fleet: bool
    vp_if_destroyed: int

    @property
    def owner(self) -> int:
        """Its side as a number."""
        return SIDES.index(self.side)


class Pick(Struct, frozen=True):
    """A unit that a card takes away (C21.1 `remove_units`)."""

    side: str
    unit_type: str


class Effect(Struct, frozen=True):
    """What a card does (C21.1) or a leader's ability; each type uses some of the fields."""

    type: str
    amount: int = 0
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    mode: str = ""
    rp: int = 0
    entry: tuple[str, ...] = ()
    kind: str = ""
    side: str = ""
    areas: tuple[str, ...] = ()
    value: int = 0
    picks: tuple[Pick, ...] = ()
    sequences: int = 0
    rebuild: int = 0
    reorganize: int = 0
    checks: int = 0
    modifier: int = 0
    on_fail: str = ""
    targets: tuple[str, ...] = ()
    just_moved: bool = False
    retreat: bool = False
    prefer_type: str = ""
    moves: int = 0
    cost: int = 0
    count: int = 0
    max_distance: int = 0
    chooser: str = ""
    chits: tuple[str, ...] = ()


class Prerequisite(Struct, frozen=True):
    """What must hold before a card is played (C21.2)."""

    type: str
    side: str = ""
    site: str = ""
    n: int = 0
    card: str = ""
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    unit_type: str = ""
    domain: str = ""
    role: str = ""


class Switch(Struct, frozen=True):
    """What a card is once another lies beside the map (C6.8)."""

    colour: Colour
    timing: tuple[str, ...]
    prerequisites: tuple[Prerequisite, ...]


class Card(Struct, frozen=True):
    """A card (C6)."""

    id: str
    side: SideId
    name: str
    colour: Colour
    text: str
    timing: tuple[str, ...]
    prerequisites: tuple[Prerequisite, ...]
    effects: tuple[Effect, ...]
    sp_cost: int | None
    permanent: bool
    after_permanent: dict[str, Switch] = {}

    @property
    def owner(self) -> int:
        """Its side as a number."""
        return SIDES.index(self.side)


class ChitEffect(Struct, frozen=True):
    """One effect of a chit (C12.8)."""

    type: str
    side: str
    modifier: int = 0
    on_fail: str = ""
    result: str = ""
    check_modifier: int = 0
    modifier_if_not_hs: int = 0


class Condition(Struct, frozen=True):
    """When a chit is in the cup, may be drawn, or has an effect (C12.15)."""

    type: str
    unit_types: tuple[str, ...] = ()
    unit_type: str = ""
    nationality: str | None = None
    count_hand: bool = False


class Chit(Struct, frozen=True):
    """A kind of battle chit; `count` of them are printed (C12.5)."""

    id: str
    side: str
    domain: str
    name: str
    count: int
    in_cup_if: tuple[Condition, ...]
    effects: tuple[ChitEffect, ...]
    needs_when_drawn: Condition | None = None
    needs_when_played: Condition | None = None
    also: str = ""

    @property
    def owner(self) -> int:
        """Its side as a number."""
        return SIDES.index(self.side)


class Parameter(Struct, frozen=True):
    """A figure that a rule names."""

    value: Any


class Stock(Struct, frozen=True):
    """Resource points that lie somewhere when play begins (C24.3)."""

    side: str
    area: str
    count: int


class Stack(Struct, frozen=True):
    """Units that stand somewhere when play begins (C24.2)."""

    area: str
    units: tuple[str, ...]


class Holdings(Struct, frozen=True):
    """What Japan controls when play begins; the Allies have the rest (C24.1)."""

    japan_areas: tuple[str, ...]


class Fortification(Struct, frozen=True):
    """A fortress (C16.1)."""

    area: str
    side: str
    factor: int


class Officer(Struct, frozen=True):
    """A leader, the unit he begins with, and his abilities (C17.1)."""

    id: str
    name: str
    side: str
    unit: str
    effects: tuple[Effect, ...]


class SetUpRow(Struct, frozen=True):
    """A set-up (C24)."""

    id: str
    title: str
    text: str
    initiative: str
    units: tuple[Stack, ...]
    resource_points: tuple[Stock, ...]
    control: Holdings
    fortresses: tuple[Fortification, ...] = ()
    leaders: tuple[Officer, ...] = ()


class OptionRow(Struct, frozen=True):
    """An optional rule (C22)."""

    id: str
    rule: str
    text: str
    default: bool


class SpCost(Struct, frozen=True):
    """What an action costs (C7.5)."""

    action: str
    sp: int | str


class Charts(Struct, frozen=True):
    """The data file; what is not named here is for readers of the file."""

    parameters: dict[str, Parameter]
    sp_costs: tuple[SpCost, ...]
    options: tuple[OptionRow, ...]
    areas: tuple[Area, ...]
    edges: tuple[Edge, ...]
    islands: tuple[Island, ...]
    vp_sites: tuple[Site, ...]
    units: tuple[Counter, ...]
    scenarios: tuple[SetUpRow, ...]
    cards: tuple[Card, ...]
    chits: tuple[Chit, ...]
