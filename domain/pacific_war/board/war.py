"""P4 to P22 The ledgers of a campaign: months, headquarters and the Operation for all, means for a side.

Deliberately absent: units and installations (`table`), and what is printed (`campaigns`).
"""

from typing import Literal

from msgspec import Struct

Condition = Literal["", "S", "I", "A"]
"""P21: Surprise Attack, Intercept, Ambush; empty while nobody has been told."""


class Post(Struct, frozen=True, omit_defaults=True):
    """P11.2.1 A headquarters: where it stands, or the month in which it may be placed again."""

    site: str = ""
    returns: str = ""


class Toll(Struct, frozen=True, omit_defaults=True):
    """P19.3 What a side has inflicted in an Operation: points of ships sunk and places taken, steps."""

    points: int = 0
    air: int = 0
    ground: int = 0
    crippled: tuple[str, ...] = ()
    """Ships that were crippled in it and are not sunk."""


class Operation(Struct, frozen=True, omit_defaults=True):
    """P20 The Operation under way, as everybody sees it. Points are Command Points, times are days."""

    player: int
    hq: str
    bid: int
    """The most he may spend (P18.4); 0 without a bid, when it is all that the headquarters has (P1.3)."""
    spent: int = 0
    """What he has spent of it, by the sums that were told."""
    ap: int = 0
    """Activation Points of the Operation player (P20.3)."""
    answered: int = 0
    """Activation Points of the Reaction player."""
    multiples: int = 0
    """Time Multiples (P20.2.5)."""
    level: int = 0
    """P20.3; 0 before the activation is over."""
    days: int = 0
    """Days since the activation."""
    moved: int = 0
    """The ONM marker: hexes of contact movement (P23.4)."""
    condition: Condition = ""
    forced: bool = False
    """The Reaction player has ended the Contact Phase (P23.5)."""
    osb: str = ""
    """The location of its free support base (P11.3.1)."""
    tolls: tuple[Toll, Toll] = (Toll(), Toll())
    """What Japan and the Allies have inflicted since its start."""
    suspended: bool = False
    """A month ends in it (P5.4.2)."""


class SpecialBoat(Struct, frozen=True, omit_defaults=True):
    """P34 A special submarine piece, which everybody sees."""

    node: str
    hits: int = 0
    """Hits that it has taken; with 2 it is sunk."""
    moved: str = ""
    """The phase or day of contact in which it has moved last."""
    base: bool = False
    """It keeps a seaplane base open where it is (P34.1)."""
    struck: int = 0
    """The Operation in which its aircraft have struck last, by its number."""


class War(Struct, omit_defaults=True):
    """P4, P19 The months, the headquarters and the Operation of a campaign; Japan first in pairs."""

    month: str
    day: int = 0
    initiative: int = 0
    """Above 0 Japan has it, below 0 the Allies (P19.1)."""
    posts: dict[str, Post] = {}
    """Headquarters to where it is."""
    operation: Operation | None = None
    operations: int = 0
    """How many have begun."""
    totals: tuple[int, int] = (0, 0)
    """Command Points of the month (P10.3)."""
    damage: tuple[int, int] = (0, 0)
    """Damage points of the Operations that are over (P19.3)."""
    places: tuple[int, int] = (0, 0)
    """Location points of the months that are over (P33.2)."""
    weathered: bool = False
    """Whether the months have weather (P5.1.A)."""
    foul: tuple[str, ...] = ()
    """The zones where it is Foul this month (P6)."""
    msp: int = 0
    """Merchant Shipping Points of Japan (P9.4)."""
    hrl: int = 0
    """Homeland Resource Level of Japan (P8.1)."""
    bombers: dict[str, int] = {}
    """Airbase or box to the Strategic Bombing Points there (P8.1)."""
    grounded: int = 0
    """Strategic Bombing Points that wait for a place."""
    doubled: dict[str, int] = {}
    """Hex in which both sides have a submarine patrol, to the points known of the one that `Open.patrols` has
    not (P25.1)."""
    chosen: tuple[str, ...] = ()
    """The options that were chosen (P34): `krs`, `sto`."""
    special: dict[str, SpecialBoat] = {}
    """The special submarine pieces that have come, those that were sunk among them (P34)."""


class Share(Struct, frozen=True, omit_defaults=True):
    """P10.3 Command Points of a purse for a headquarters."""

    purse: str
    hq: str
    points: int
    pooled: bool = False
    """They go to the Future Operation Pool, of which the headquarters is the owner (P10.4)."""


class Posting(Struct, frozen=True):
    """P25.1 A patrol as it is sent: from which Submarine Command, how strong, where to."""

    command: str
    points: int
    hex: str


class Boats(Struct, frozen=True):
    """P14.2 Submarine points that were recalled from a Command or assigned to it in 5.1.J."""

    command: str
    points: int
    recalled: bool = False


class EmergencyLink(Struct, frozen=True):
    """P11.7 What keeps up a link: a DD or TR unit, or the Command of a submarine point; and of which kind."""

    kind: str
    asset: str


class Means(Struct, omit_defaults=True):
    """P7, P10, P11 What a side has besides units, behind its screen."""

    points: dict[str, int] = {}
    """Headquarters to its Command Points."""
    used: dict[str, int] = {}
    """Headquarters to the Activation Points it has paid in this Operation (P20.2.5)."""
    charged: tuple[str, ...] = ()
    """Headquarters that have paid the cost of this Operation."""
    level: int = 0
    """Strategic Intelligence (P7.1)."""
    condition: Condition = ""
    """P21: of the Operation in which it is the Reaction player."""
    links: dict[str, tuple[str, ...]] = {}
    """Headquarters to the hexes with a link, as they were told last (P11.6.1)."""
    near: tuple[str, ...] = ()
    """Units that may react at Operation Level 1 (P22)."""
    safe: tuple[str, ...] = ()
    """Hexes that a transport path may use (P13.2.2)."""
    submarines: dict[str, int] = {}
    """Submarine Command to the points in port there."""
    pool: int = 0
    """Submarine points that are assigned to nothing (P14.2)."""
    commands: dict[str, str] = {}
    """Hex of a patrol to the Command that its points come from."""
    penalty: dict[str, str] = {}
    """Ship in the Penalty box to the month in which it may return (P20.2.3)."""
    waiting: tuple[str, ...] = ()
    """Units that have come and are not placed yet (P14.1)."""
    barred: dict[str, int] = {}
    """Unit to the day of this month before which it may not be activated (P14.1)."""
    transport: dict[str, int] = {}
    """Purse to the transport points left in this month (P13.1)."""
    steps: dict[str, int] = {}
    """Kind to the replacement steps left in this month (P16.1), as `US.1E`."""
    order: int = -1
    """The hexes of a standing order (P0.9.5), or -1."""
    fop: int = 0
    """Future Operation Pool (P10.4)."""
    duty: int = 0
    """Submarine points on merchant duty (P14.2)."""
    escorts: int = 0
    """Escort points that are markers (P9.1)."""
    escorting: tuple[str, ...] = ()
    """DD units on escort duty, in no place on the map (P9.1)."""
    priority: str = ""
    """What the submarines on merchant duty go for this month (P9.2)."""
    shares: tuple[Share, ...] = ()
    """What was picked in 5.1.G last, for `AsLastMonth` (P0.9.2)."""
    postings: tuple[Posting, ...] = ()
    """What was picked in 5.1.N last."""
    boats: tuple[Boats, ...] = ()
    """What was picked in 5.1.J last."""
    boats_before: tuple[Boats, ...] = ()
    """What was picked in that of the month before."""
    crossing: dict[str, str] = {}
    """Unit that has gone by a box this month, to where it has gone, or will have next month (P13.2.4)."""
    emergency: dict[str, EmergencyLink] = {}
    """Location to the emergency link there (P11.7)."""
    supplied: dict[str, int] = {}
    """Hex to the ground steps for which supply was flown in (P28.11)."""
    roused: tuple[str, ...] = ()
    """Special submarine pieces that are Activated (P34)."""
