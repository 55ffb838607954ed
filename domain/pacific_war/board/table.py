"""P0.4, P2 The ledgers: what everybody sees, what each side knows of its own, and plain questions about them.

The truth about a side's units is on its own screen. The open table has markers and installations, and a copy
of each unit that is public at the moment; `changes` keeps both. Rules ask both screens, options are drawn up
from one screen and the open table. No value on a ledger is changed in place: facts put another one there.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from domain.kernel import facts, procedures, table
from domain.pacific_war.board import atlas
from domain.pacific_war.board.charts import (
    AIR,
    AIR_ROOM,
    ALLIES,
    AT,
    BOATS,
    CARRIERS,
    CLASSES,
    DAY,
    LAUNCH_LIMIT,
    LIGHT,
    LOCATIONS,
    OWNERS,
    SPEED,
    STACK,
    Lighting,
    figures,
)
from domain.pacific_war.board.printed import AirClass, GroundUnit, NavalUnit
from domain.pacific_war.board.war import Means, War


class Base(Struct, frozen=True, omit_defaults=True):
    """P2.3 The installations of a location, and whose it is."""

    control: int
    port: int = 0
    port_damage: int = 0
    airbase: int = 0
    airbase_damage: int = 0
    fort: int = 0
    fort_hit: bool = False
    """A hit on the fort in this cycle that waits for its pair (P29.1.3)."""
    resource_damage: int = 0
    osb: bool = False
    """An Offensive Support Base of who controls the location (P11.3)."""
    command: bool = False
    """His Submarine Command (P14.6)."""
    emergency: bool = False
    """An emergency link of his, of whatever kind (P11.7)."""

    @property
    def interdicted(self) -> bool:
        """Whether nothing flies from here: no airbase, or as much damage as size (P2.3.2)."""
        return self.airbase_damage >= self.airbase


class TaskForce(Struct, frozen=True, omit_defaults=True):
    """P2.2.2 A marker as everybody sees it."""

    side: int
    node: str
    detected: bool = False
    came: bool = False
    """It has entered its node in this cycle."""
    known: bool = False
    """Whether it counts as Detected in a naval battle of this cycle (P29.1.1)."""
    busy: bool = False
    """It has fought, bombarded or landed troops in this cycle (P32.2)."""
    fought: bool = False
    """It has fought in 5.2.E of this cycle (P29.3)."""
    seen: tuple[str, ...] = ()
    """The ships that were last seen in it."""
    seen_cycle: int = 0
    """The cycle in which that was; 0 if it was never seen."""


class Contents(Struct, frozen=True, omit_defaults=True):
    """P2.2.2 The ships of a task force by slot."""

    core: tuple[str, ...] = ()
    screen: tuple[str, ...] = ()

    @property
    def ships(self) -> tuple[str, ...]:
        """All its ships, those of the core first."""
        return self.core + self.screen


class Fleet(Struct, frozen=True, omit_defaults=True):
    """A task force as its owner knows it."""

    ships: Contents = Contents()
    used: int = 0
    """Hexes of its allowance used in this movement phase."""
    stopped: bool = False
    """It was intercepted, and goes no further in this phase."""


class Ship(Struct, frozen=True, omit_defaults=True):
    """P2.2.1 A naval unit: in a task force, in a port, or nowhere any more."""

    tf: str = ""
    port: str = ""
    damage: int = 0
    active: bool = True
    isolated: bool = False
    """It has an Isolated marker (P12)."""
    assault: bool = False
    """Transports that are fitted out for assault (P15.2)."""


class Air(Struct, frozen=True, omit_defaults=True):
    """P2.2.3 An air unit; steps that are neither ready nor on CAP are used.

    Public copies leave out what is ready, on CAP or Activated.
    """

    home: str = ""
    """A location, a carrier or a submarine with a seaplane base (P34.1); empty once it is lost."""
    steps: int = 0
    level: int = 0
    active: bool = True
    ready: int = 0
    cap: int = 0
    """Steps on CAP (P28.1)."""
    searching: bool = False
    """A step of it searches in this phase (P23.6)."""
    isolated: bool = False


class Ground(Struct, omit_defaults=True):
    """P2.2.4 A ground unit: in a hex, aboard ships, or lost."""

    hex: str = ""
    aboard: dict[str, int] = {}
    """Ship to the steps it carries."""
    steps: int = 0
    broken: bool = False
    active: bool = True
    landing: bool = False
    moved: bool = False
    """It has moved in this movement phase."""
    assault: bool = False
    """Its Landing marker is from transports fitted out for assault alone (P15.2)."""
    scattered: bool = False
    """It takes no part in this cycle's ground combat (P28.14)."""
    isolated: bool = False
    landed: int = 0
    """The Operation of a campaign in which it has landed last, by its number (P5.4.3)."""


class Patrol(Struct, frozen=True, omit_defaults=True):
    """P2.2.5 A submarine patrol; `points` are those made known by a contact, 0 before."""

    side: int
    points: int = 0


class Allotted(Struct, frozen=True):
    """P28.5.1 Steps of an air unit that attack a ship."""

    unit: str
    ship: str
    steps: int


class Raid(Struct, omit_defaults=True):
    """P28.2 A mission that flies, as everybody sees it."""

    side: int
    kind: str
    target: str
    origin: str = ""
    """A location or a task force; empty while it is secret (P28.2)."""
    strike: dict[str, int] = {}
    escort: dict[str, int] = {}
    found: bool = False
    unseen: bool = False
    """It was launched by an Undetected task force (P28.5.1)."""
    answer: bool = False
    """It is a simultaneous strike (P28.12)."""
    allotted: tuple[Allotted, ...] = ()
    kamikaze: tuple[str, ...] = ()
    """Air units whose steps that strike are kamikaze (P28.13)."""


class Plan(Struct, omit_defaults=True):
    """P28.2, P28.3 A mission that its player puts together."""

    kind: str = ""
    origin: str = ""
    target: str = ""
    strike: dict[str, int] = {}
    escort: dict[str, int] = {}
    para: tuple[str, ...] = ()
    kamikaze: tuple[str, ...] = ()
    """Air units whose steps that strike are kamikaze (P28.13)."""


class Order(Struct, frozen=True, omit_defaults=True):
    """P29.2 A fire order."""

    target: str
    torpedoes: bool = False


class NavalBattle(Struct, omit_defaults=True):
    """P29 The naval combat that is fought."""

    node: str
    forces: tuple[tuple[str, ...], tuple[str, ...]]
    """The task forces of each side that fight."""
    ports: tuple[str, str] = ("", "")
    """Location whose inactive ships and fort fight for a side."""
    phase: int = 0
    range: int = 0
    surprise: int = -1
    """The side that has surprise, or -1."""
    salvos: dict[str, int] = {}
    """Ship to the torpedo salvos it has fired."""


class GroundBattle(Struct, frozen=True, omit_defaults=True):
    """P31 The ground combat that is fought; `attackers` are committed."""

    hex: str
    attacker: int = -1
    attackers: tuple[str, ...] = ()


class Open(Struct):
    """What all can see."""

    scenario: str = ""
    cycle: int = 0
    phase: str = ""
    """The phase of the battle cycle: `5.2.A` to `5.2.O`."""
    lighting: Lighting = DAY
    advantage: int = -1
    operation: int = 0
    """The Operation player."""
    bases: dict[str, Base] = {}
    tfs: dict[str, TaskForce] = {}
    contents: dict[str, Contents] = {}
    """What is in a Detected task force."""
    ships: dict[str, Ship] = {}
    air: dict[str, Air] = {}
    ground: dict[str, Ground] = {}
    """Copies of the units that are public."""
    ports: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    """By side, the locations with inactive ships."""
    airfields: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    """By side, the locations with land-based air units."""
    troops: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    """By side, the hexes with ground units."""
    patrols: dict[str, Patrol] = {}
    """Hex to the patrol there."""
    lost: dict[str, str] = {}
    """Units that are lost, to what became of them."""
    steps_lost: list[int] = field(default_factory=lambda: [0, 0])
    """Air steps that each side has lost."""
    struck: list[str] = []
    """Locations that were struck, bombarded or fought in during this cycle."""
    contacts: list[str] = []
    """`hex:tf` for each patrol that has looked for a task force in this phase (P25.2)."""
    launched: dict[str, int] = {}
    """Airbase to the steps that have taken off in this phase (P2.3.2)."""
    flown: list[str] = []
    """The air units of which steps have come back from a mission in this phase, at Dusk (P26.3)."""
    raids: tuple[Raid, ...] = ()
    naval: NavalBattle | None = None
    landed: GroundBattle | None = None
    score: tuple[tuple[str, tuple[int, int]], ...] = ()
    """What scored at the end, and the points of Japan and of the Allies for it."""
    points: tuple[int, ...] = ()
    """The final count, Japan first."""
    level: str = ""
    """The level of the result."""
    war: War | None = None
    """The months of a campaign; None in a battle."""


class Own(Struct):
    """What one side alone can see."""

    fleets: dict[str, Fleet] = {}
    ships: dict[str, Ship] = {}
    air: dict[str, Air] = {}
    ground: dict[str, Ground] = {}
    patrols: dict[str, int] = {}
    """Hex to the points of a patrol."""
    plan: Plan | None = None
    origin: str = ""
    """Where the mission under way comes from."""
    means: Means = field(default_factory=Means)


UPGRADED_LIFT = 4
"""P15.2.4: ground steps that Allied transports carry once they are fitted out for assault."""

State: TypeAlias = facts.State[Open, Own]
Sight: TypeAlias = procedures.Sight[Open, Own]
Table: TypeAlias = table.TableOf[Open, Own]


def enemy(side: int) -> int:
    """Return the other side."""
    return 1 - side


# printed figures


def printed(open: Open, ship: str) -> NavalUnit:
    """Return what is printed on a naval unit in this scenario."""
    return figures(open.scenario).ships[ship]


def troop(open: Open, unit: str) -> GroundUnit:
    """Return what is printed on a ground unit in this scenario."""
    return figures(open.scenario).ground[unit]


def air_class(unit: str) -> AirClass:
    """Return the class of an air unit."""
    return CLASSES[AIR[unit].cls]


def crippled(open: Open, ship: str, damage: int) -> bool:
    """Return whether a naval unit with this damage is crippled (P2.2.1)."""
    return damage * 2 >= printed(open, ship).hits


def fit(open: Open, own: Own, ship: str) -> bool:
    """Return whether an own naval unit is not crippled."""
    return not crippled(open, ship, own.ships[ship].damage)


def value(open: Open, ship: str, damage: int, what: str) -> int:
    """Return `gun`, `torp`, `aa` or `asw` of a naval unit with this damage, halved if crippled."""
    full: int = getattr(printed(open, ship), what)
    return full // 2 if crippled(open, ship, damage) else full


# task forces


def tfs_at(open: Open, node: str, side: int) -> list[str]:
    """Return the task forces of a side on a node, by id."""
    return sorted(tf for tf, force in open.tfs.items() if force.node == node and force.side == side)


def fleet_hex(open: Open, tf: str) -> str:
    """Return the hex of a task force."""
    return open.tfs[tf].node[:4]


def members(own: Own, tf: str) -> tuple[str, ...]:
    """Return the ships of an own task force."""
    return own.fleets[tf].ships.ships


def speed(open: Open, own: Own, ships: Iterable[str]) -> str:
    """Return the speed class of the slowest of own ships (P23.3): F, M or S."""
    classes = ["S" if not fit(open, own, ship) else printed(open, ship).spd for ship in ships]
    return min(classes, key=SPEED.__getitem__, default="S")


def warship(open: Open, own: Own, tf: str) -> bool:
    """Return whether an own task force has an uncrippled CA, CL, DD or capital unit."""
    return any(fit(open, own, ship) and surface(open, ship) for ship in members(own, tf))


def surface(open: Open, ship: str) -> bool:
    """Return whether a naval unit is a CA, CL, DD or capital unit."""
    unit = printed(open, ship)
    return unit.capital or unit.cls in LIGHT


# air units


def at_base(home: str) -> bool:
    """Return whether the home of an air unit is an airbase, or a submarine with a seaplane base (P34.1)."""
    return home in LOCATIONS or home in BOATS


def base_hex(open: Open, home: str) -> str:
    """Return the hex of an airbase or of a seaplane base."""
    if home in LOCATIONS:
        return LOCATIONS[home].hex
    assert open.war is not None
    return open.war.special[home].node[:4]


def interdicted(open: Open, home: str) -> bool:
    """Return whether nothing flies from a base: an interdicted airbase (P2.3.2), never a seaplane base."""
    return home in LOCATIONS and open.bases[home].interdicted


def home_hex(open: Open, own: Own, unit: str) -> str:
    """Return the hex of an air unit: that of its base, or of its carrier."""
    home = own.air[unit].home
    if at_base(home):
        return base_hex(open, home)
    ship = own.ships[home]
    return fleet_hex(open, ship.tf) if ship.tf else LOCATIONS[ship.port].hex


def based(own: Own, location: str) -> list[str]:
    """Return the own air units at a location, by id."""
    return sorted(unit for unit, air in own.air.items() if air.home == location and air.steps)


def housed(open: Open, own: Own, location: str) -> list[str]:
    """Return the air units at a location for which it has capacity (P2.3.2): the others may only ferry."""
    return based(own, location)[: AIR_ROOM[open.bases[location].airbase]]


def groups_of(own: Own, tf: str) -> list[str]:
    """Return the air groups with steps on the carriers of an own task force, by id."""
    ships = set(members(own, tf))
    return sorted(unit for unit, air in own.air.items() if air.home in ships and air.steps)


def flies(open: Open, own: Own, unit: str) -> bool:
    """Return whether steps of an air unit may take off from where it is."""
    air = own.air[unit]
    if not air.steps:
        return False
    if air.home in LOCATIONS:
        return not open.bases[air.home].interdicted and unit in housed(open, own, air.home)
    if air.home in BOATS:
        return True
    return air.home in own.ships and own.ships[air.home].active and fit(open, own, air.home)


def launch_limit(open: Open, location: str) -> int:
    """Return how many steps an airbase launches in an air mission phase (P2.3.2)."""
    base = open.bases[location]
    return LAUNCH_LIMIT[max(0, base.airbase - base.airbase_damage)]


def is_carrier(open: Open, ship: str) -> bool:
    """Return whether a naval unit carries aircraft."""
    return printed(open, ship).cls in CARRIERS


# submarine patrols


def patrols_of(open: Open, side: int) -> dict[str, int]:
    """Return the hexes with a patrol of a side to the points that are known of it (P25.1), by hex."""
    doubled = open.war.doubled if open.war else {}
    found = {at: one.points for at, one in open.patrols.items() if one.side == side}
    found |= {at: points for at, points in doubled.items() if open.patrols[at].side != side}
    return dict(sorted(found.items()))


# ground units


def troops_in(own: Own, hex: str) -> list[str]:
    """Return the own ground units in a hex, by id."""
    return sorted(unit for unit, ground in own.ground.items() if ground.hex == hex and ground.steps)


def aboard(own: Own, ships: Sequence[str]) -> list[str]:
    """Return the own ground units aboard any of these ships, by id."""
    return sorted(unit for unit, ground in own.ground.items() if any(ship in ground.aboard for ship in ships))


def stack_limit(hex: str) -> int:
    """Return how many ground steps of a side fit into a hex (P2.7)."""
    limit: int = STACK["atoll" if atlas.terrain(hex) == "atoll" else "other"]
    return limit


def stack_room(own: Own, hex: str) -> int:
    """Return how many ground steps of a side still fit into a hex (P2.7)."""
    return stack_limit(hex) - sum(one.steps for one in own.ground.values() if one.hex == hex)


def lift(open: Open, own: Own, ship: str) -> int:
    """Return the steps that an own ship carries, halved if crippled; upgraded Allied transports lift more."""
    one = own.ships[ship]
    full = UPGRADED_LIFT if one.assault and OWNERS[ship] == ALLIES else printed(open, ship).lift
    return full if fit(open, own, ship) else full // 2


def free_lift(open: Open, own: Own, ship: str) -> int:
    """Return how many steps a ship can still take aboard."""
    carried = sum(ground.aboard.get(ship, 0) for ground in own.ground.values())
    return max(0, lift(open, own, ship) - carried)


def operation_number(open: Open) -> int:
    """Return the number of the Operation of a campaign that has begun last; 0 in a battle."""
    return open.war.operations if open.war else 0


def contested(open: Open, hex: str) -> bool:
    """Return whether ground units of both sides are in a hex."""
    return hex in open.troops[0] and hex in open.troops[1]


def location_of(hex: str) -> str:
    """Return the location in a hex, or in that of a node; or an empty string."""
    return AT.get(hex[:4], "")


def hostile(open: Open, hex: str, side: int) -> bool:
    """Return whether a hex has enemy ground units or a location that the enemy controls."""
    place = location_of(hex)
    controlled = place in open.bases and open.bases[place].control == enemy(side)
    return controlled or hex in open.troops[enemy(side)]


def fort(open: Open, hex: str, side: int) -> int:
    """Return the level of the fort that a side has in a hex."""
    place = location_of(hex)
    if place not in open.bases or open.bases[place].control != side:
        return 0
    return open.bases[place].fort


def spent(screens: Sequence[Own]) -> bool:
    """Return whether neither side has an Activated unit: then the game is over (R-45)."""
    return not any(active(own) for own in screens)


def active(own: Own) -> bool:
    """Return whether a side has an Activated unit."""
    ships = any(ship.active and (ship.tf or ship.port) for ship in own.ships.values())
    return (
        ships
        or any(air.active and air.steps for air in own.air.values())
        or any(ground.active and ground.steps for ground in own.ground.values())
    )
