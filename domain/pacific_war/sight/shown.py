"""Types of Pacific War's table as pages and bots get it: keyed by ids, with what is printed on the units.

A field with a default is left out while it has it. The map is not sent: it is the same in every match.
"""

from typing import Generic, Literal, TypedDict, TypeVar

from domain.match.parts import Part

T = TypeVar("T")
SideId = Literal["JP", "AL"]


class BySide(TypedDict, Generic[T]):
    """One of it for each side."""

    JP: T
    AL: T


class StepOfPlay(Part, frozen=True, kw_only=True):
    """A phase of the battle cycle (P5.2)."""

    phase: str
    name: str


class Headquarters(Part, frozen=True, kw_only=True):
    """A headquarters (P11.2.1): where it stands, or the month in which it may be placed again."""

    name: str
    side: SideId
    site: str = ""
    returns: str = ""
    radius: int
    op_cost: int
    most: int
    """The most Command Points that it may have."""


class Operation(Part, frozen=True, kw_only=True):
    """The Operation under way (P20): points are Command Points, `days` since its activation."""

    player: SideId
    hq: str = ""
    bid: int
    spent: int = 0
    ap: int = 0
    answered: int = 0
    planned: int
    """The days that it may last without overtime (P20.2.5)."""
    level: int = 0
    days: int = 0
    moved: int = 0
    condition: str = ""
    forced: bool = False
    suspended: bool = False
    damage: BySide[int]
    """Damage points inflicted since its start (P19.3)."""


class SpecialBoat(Part, frozen=True, kw_only=True):
    """A special submarine piece (P34): whose it is, where, and the hits that it has taken of 2."""

    side: SideId
    node: str
    hits: int = 0
    base: bool = False
    """It keeps a seaplane base."""
    aircraft: bool = False
    """An air unit is at its seaplane base."""


class War(Part, frozen=True, kw_only=True):
    """The months of a campaign: the day (0 is Month Begin), initiative, headquarters, points."""

    ends: str
    """The last month."""
    day: int
    initiative: int
    headquarters: dict[str, Headquarters]
    operation: Operation | None = None
    operations: int
    totals: BySide[int]
    damage: BySide[int]
    places: BySide[int]
    foul: tuple[str, ...] = ()
    """The zones of foul weather (P6)."""
    msp: int = 0
    """Merchant Shipping Points; this and what follows are of the war alone."""
    hrl: int = 0
    bombers: dict[str, int] = {}  # noqa: RUF012
    """Strategic Bombing Points by airbase or box."""
    grounded: int = 0
    """Strategic Bombing Points without a place."""
    special: dict[str, SpecialBoat] = {}  # noqa: RUF012
    """Special submarine pieces (P34)."""


class EmergencyLink(Part, frozen=True, kw_only=True):
    """What keeps up an emergency link (P11.7): a unit, or the Command of a submarine point; and its kind."""

    kind: str
    asset: str


class Means(Part, frozen=True, kw_only=True):
    """What a side has besides units: Command Points and links by headquarters, submarine points in port."""

    points: dict[str, int]
    level: int
    condition: str = ""
    links: dict[str, tuple[str, ...]]
    submarines: dict[str, int]
    pool: int = 0
    penalty: dict[str, str]
    """Ship to the month in which it may return (P20.2.3)."""
    waiting: tuple[str, ...] = ()
    transport: dict[str, int]
    steps: dict[str, int]
    fop: int = 0
    """The Future Operation Pool (P10.4)."""
    duty: int = 0
    """Submarine points on merchant duty (P14.2)."""
    escorts: int = 0
    escorting: tuple[str, ...] = ()
    """Destroyers on escort duty (P9.1)."""
    priority: str = ""
    crossing: dict[str, str] = {}  # noqa: RUF012
    """Unit that goes by a box this month, to where it goes (P13.2.4)."""
    emergency: dict[str, EmergencyLink] = {}  # noqa: RUF012
    """Location to the emergency link there (P11.7)."""
    supplied: dict[str, int] = {}  # noqa: RUF012
    """Hex to the ground steps for which supply was flown in (P28.11)."""
    roused: tuple[str, ...] = ()
    """Special submarine pieces that are Activated (P34)."""


class Location(Part, frozen=True, kw_only=True):
    """A location (P2.3); `ships`, `aircraft`, `troops` are the sides that have such units there (P0.4.1)."""

    name: str
    hex: str
    control: SideId
    terrain: str
    port: int = 0
    port_damage: int = 0
    airbase: int = 0
    airbase_damage: int = 0
    fort: int = 0
    fort_hit: bool = False
    resource_damage: int = 0
    osb: bool = False
    command: bool = False
    emergency: bool = False
    """An emergency link (P11.7); what keeps it up is its owner's to know."""
    coast: str = ""
    ships: tuple[SideId, ...] = ()
    aircraft: tuple[SideId, ...] = ()


class TaskForce(Part, frozen=True, kw_only=True):
    """A marker (P2.2.2): what is in it while Detected, else what was last seen in it."""

    side: SideId
    node: str
    detected: bool = False
    busy: bool = False
    fought: bool = False
    core: tuple[str, ...] = ()
    screen: tuple[str, ...] = ()
    speed: str = ""
    seen: tuple[str, ...] = ()
    seen_cycle: int = 0


class NavalUnit(Part, frozen=True, kw_only=True):
    """What is printed on a naval unit of this scenario (P2.2.1)."""

    name: str
    side: SideId
    nation: str
    cls: str
    gun: int = 0
    aa: int = 0
    torp: int = 0
    asw: int = 0
    def_g: int = 0
    def_a: int = 0
    hits: int
    speed: str
    cap: int = 0
    lift: int = 0
    reload: bool = False
    float_planes: bool = False


class AirUnit(Part, frozen=True, kw_only=True):
    """What is printed on an air unit (P2.2.3): strengths a step, the range in hexes."""

    name: str
    side: SideId
    nation: str
    cls: str
    kind: str
    range: int
    air: int = 0
    nav: int = 0
    gnd: int = 0
    most: int


class GroundUnit(Part, frozen=True, kw_only=True):
    """What is printed on a ground unit of this scenario (P2.2.4)."""

    name: str
    side: SideId
    nation: str
    size: str
    tq: int
    most: int
    flags: tuple[str, ...] = ()


class Roster(Part, frozen=True, kw_only=True):
    """All units of the scenario, as they are printed: its set-up is public (P0.4.3)."""

    ships: dict[str, NavalUnit]
    air: dict[str, AirUnit]
    ground: dict[str, GroundUnit]


class Ship(Part, frozen=True, kw_only=True):
    """A naval unit as it stands."""

    tf: str = ""
    port: str = ""
    damage: int = 0
    crippled: bool = False
    inactive: bool = False
    isolated: bool = False
    assault: bool = False
    """Transports that are fitted out for assault (P15.2.4)."""


class Air(Part, frozen=True, kw_only=True):
    """An air unit as it stands; `ready` and `cap` are told to its owner alone (R-95)."""

    home: str
    steps: int
    level: int
    inactive: bool = False
    ready: int = 0
    cap: int = 0
    searching: bool = False
    isolated: bool = False


class Ground(Part, frozen=True, kw_only=True):
    """A ground unit as it stands."""

    hex: str = ""
    aboard: dict[str, int] = {}  # noqa: RUF012 a Struct copies its defaults
    steps: int
    broken: bool = False
    inactive: bool = False
    landing: bool = False
    moved: bool = False
    isolated: bool = False


class Patrol(Part, frozen=True, kw_only=True):
    """A submarine patrol; its points once they are known."""

    side: SideId
    points: int = 0


class Raid(Part, frozen=True, kw_only=True):
    """A mission that flies (P28.2): steps by air unit."""

    side: SideId
    kind: str
    target: str
    origin: str = ""
    strike: dict[str, int] = {}  # noqa: RUF012
    escort: dict[str, int] = {}  # noqa: RUF012
    found: bool = False
    answer: bool = False
    kamikaze: tuple[str, ...] = ()
    """Air units whose steps that strike are kamikaze (P28.13)."""


class NavalBattle(Part, frozen=True, kw_only=True):
    """The naval combat that is fought (P29): task forces and ports by side."""

    node: str
    forces: BySide[tuple[str, ...]]
    ports: BySide[str]
    phase: int = 0
    range: int = 0
    surprise: SideId | None = None


class GroundBattle(Part, frozen=True, kw_only=True):
    """The ground combat that is fought (P31)."""

    hex: str
    attacker: SideId | None = None
    attackers: tuple[str, ...] = ()


class Fleet(Part, frozen=True, kw_only=True):
    """An own task force (P2.2.2): its ships, and the hexes it has used in this movement phase."""

    core: tuple[str, ...] = ()
    screen: tuple[str, ...] = ()
    speed: str = ""
    used: int = 0
    stopped: bool = False


class Plan(Part, frozen=True, kw_only=True):
    """The mission that is put together (P28.3)."""

    kind: str
    origin: str
    target: str = ""
    strike: dict[str, int] = {}  # noqa: RUF012
    escort: dict[str, int] = {}  # noqa: RUF012
    para: tuple[str, ...] = ()
    kamikaze: tuple[str, ...] = ()


class Screen(Part, frozen=True, kw_only=True):
    """What one side alone sees: its own units, whatever of them is public."""

    side: SideId
    fleets: dict[str, Fleet]
    ships: dict[str, Ship]
    air: dict[str, Air]
    ground: dict[str, Ground]
    patrols: dict[str, int] = {}  # noqa: RUF012
    plan: Plan | None = None
    origin: str = ""
    means: Means | None = None
    """Of a campaign."""


class Table(Part, frozen=True, kw_only=True):
    """The table as onlookers see it; `own` is a side's screen."""

    scenario: str
    month: str
    cycle: int
    cycles: int
    phase: str
    sequence_of_play: tuple[StepOfPlay, ...]
    lighting: str
    advantage: SideId | None = None
    operation: SideId
    area: tuple[str, ...]
    """The hexes that are open (P1.2)."""
    roster: Roster
    locations: dict[str, Location]
    tfs: dict[str, TaskForce]
    ships: dict[str, Ship]
    air: dict[str, Air]
    ground: dict[str, Ground]
    troops: BySide[tuple[str, ...]]
    """By side, the hexes with ground units."""
    patrols: dict[str, Patrol]
    lost: dict[str, str]
    steps_lost: BySide[int]
    struck: tuple[str, ...] = ()
    raids: tuple[Raid, ...] = ()
    naval: NavalBattle | None = None
    landed: GroundBattle | None = None
    points: BySide[int] | None = None
    level: str = ""
    war: War | None = None
    """Of a campaign."""
    own: Screen | None = None
