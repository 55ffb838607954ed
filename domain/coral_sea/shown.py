"""Types of Coral Sea's table as pages and bots get it: keyed by ids, with all that is printed.

A field with a default is left out while it has it. `Own` is one side's screen; onlookers get none.
"""

from typing import Generic, Literal, TypedDict, TypeVar

from msgspec import field

from domain.coral_sea.printed import Colour, Domain, SideId, Terrain, UnitType
from domain.coral_sea.table import Options
from domain.match.parts import Part

T = TypeVar("T")


class BySide(TypedDict, Generic[T]):
    """One of it for each side."""

    japan: T
    allied: T


class OfSides(TypedDict, Generic[T], total=False):
    """One of it for each side that has any."""

    japan: T
    allied: T


class StepOfPlay(Part, frozen=True, kw_only=True):
    """A step of a sequence (C5); `within` is the step whose part it is."""

    step: str
    rule: str
    name: str
    within: str = ""


class Initiative(Part, frozen=True, kw_only=True):
    """Who has the initiative (C20), and to the end of which sequence if it is for a time."""

    side: SideId
    until: int = 0
    for_good: bool = False


class Airfield(Part, frozen=True, kw_only=True):
    """An airfield (C19): printed, or whose counter it is, and whether it works for who controls the area."""

    printed: bool
    works: bool
    counter: SideId | None = None
    damaged: bool = False
    suppressed: bool = False


class Fortress(Part, frozen=True, kw_only=True):
    """A fortress (C16), and the side that besieges it."""

    side: SideId
    factor: int
    besieger: SideId | None = None


class Area(Part, frozen=True, kw_only=True):
    """A place on the map (C3) and what all know of it; `next` is neighbour to the kind of the edge."""

    name: str
    kind: Terrain
    x: int
    y: int
    urban: bool = False
    port: bool = False
    mountain: bool = False
    island: str = ""
    next: dict[str, str]
    control: SideId | None = None
    airfield: Airfield | None = None
    rp: OfSides[int] | None = None
    fortress: Fortress | None = None


class Unit(Part, frozen=True, kw_only=True):
    """A unit: what is printed on its counter, and how it stands. What is not on the map has no values."""

    name: str
    side: SideId
    nationality: str
    domain: Domain
    type: UnitType
    status: str
    points: int
    """What it is worth to the enemy if it is destroyed (C23.3)."""
    truk: bool = False
    area: str = ""
    cohesion: int = 0
    move: int = 0
    tactical: int = 0
    depleted: bool = False
    disorganised: bool = False
    acted: bool = False
    inside: bool = False
    """Inside a fortress under siege (C16.2)."""


class Stack(Part, frozen=True, kw_only=True):
    """The units of one side in an area that all see; of a hidden stack the top and the height (C22.2)."""

    units: tuple[str, ...] = ()
    top: str = ""
    height: int = 0


class Site(Part, frozen=True, kw_only=True):
    """What scores points (C23.2), and who holds it all."""

    area: str
    value: int
    areas: tuple[str, ...]
    held: SideId | Literal[""]


class Track(Part, frozen=True, kw_only=True):
    """What a side has beside the map; `played` is card to its name."""

    hand: int
    deck: int
    discards: int
    played: dict[str, str]
    airfields: int
    sites: int
    destroyed: int
    bonus: int
    fallen: int
    islands: tuple[str, ...]


class Card(Part, frozen=True, kw_only=True):
    """A card as it is now (C6.8): when it may be played, and what it costs in supply points."""

    name: str
    colour: Colour
    when: tuple[str, ...]
    text: str
    effects: tuple[str, ...]
    sp: int = 0
    permanent: bool = False


class Operation(Part, frozen=True, kw_only=True):
    """The operation that is open (C2.4), as `table.Operation` has it."""

    side: SideId
    area: str
    sp: int
    rebuilt: bool
    unattrited: int
    airfield_cost: int
    moved: tuple[str, ...]
    ended_at: tuple[str, ...]
    again: bool


class Window(Part, frozen=True, kw_only=True):
    """A reaction window that is open (C6.5)."""

    id: str
    rule: str
    name: str


class Move(Part, frozen=True, kw_only=True):
    """The move under way (C8, C9): who is still of it, where it began and is, and how far it may go."""

    how: str
    """`march` or `sail`."""
    units: tuple[str, ...]
    origin: str = field(name="from")
    at: str
    left: int
    """Movement or Range left."""
    cargo: tuple[str, ...] = ()
    rp: int = 0


class Revealed(Part, frozen=True, kw_only=True):
    """The chit that is shown, and whose it is."""

    chit: str
    side: SideId


class Check(Part, frozen=True, kw_only=True):
    """A cohesion check as it stands (C12.9)."""

    unit: str
    modifier: int
    cohesion: int
    passed: bool
    rerolled: bool


class Battle(Part, frozen=True, kw_only=True):
    """The battle that is fought (C12)."""

    area: str
    origin: str
    domain: str
    attacker: SideId
    units: BySide[tuple[str, ...]]
    isolated: tuple[str, ...]
    bunkers: tuple[str, ...]
    modifiers: BySide[int]
    chits: BySide[int]
    """How many chits each side holds."""
    shown: tuple[str, ...]
    plays: int
    revealed: Revealed | None = None
    check: Check | None = None


class Leader(Part, frozen=True, kw_only=True):
    """A leader, and the unit he is with (C17)."""

    name: str
    unit: str


class Chit(Part, frozen=True, kw_only=True):
    """A battle chit in the hand."""

    id: str
    name: str


class Own(Part, frozen=True, kw_only=True):
    """One side's screen, without its discards and a hand once seen: nobody looks them up (C27)."""

    hand: dict[str, Card]
    chits: tuple[Chit, ...]
    cup: dict[str, int]
    """Kind of chit to how many are left."""
    side: SideId | None = None
    mode: str = ""
    passing: dict[str, str] = field(default_factory=dict)
    """The kinds of window in which the side passes until the operation ends (C6.9), and what they are."""
    units: dict[str, Unit] = field(default_factory=dict)
    rp: dict[str, int] = field(default_factory=dict)
    move: Move | None = None
    order: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Hidden stacks from the bottom to the top."""


class Table(Part, frozen=True, kw_only=True):
    """The table as one side or the onlookers see it."""

    scenario: str
    options: Options
    sequence: int
    step: str
    """The step of a sequence that is open, by its name in `sequence_of_play`."""
    sequence_of_play: tuple[StepOfPlay, ...]
    initiative: Initiative
    areas: dict[str, Area]
    units: dict[str, Unit]
    stacks: dict[str, OfSides[Stack]]
    sites: dict[str, Site]
    points: BySide[int]
    tracks: BySide[Track]
    permanent: dict[str, Card]
    committed: tuple[SideId, ...]
    """Who has chosen between Card and Map (C5.2)."""
    modes: BySide[str] | None = None
    operation: Operation | None = None
    window: Window | None = None
    move: Move | None = None
    battle: Battle | None = None
    leaders: dict[str, Leader] = field(default_factory=dict)
    count: BySide[int] | None = None
    """The final count (C23)."""
    own: Own | None = None
