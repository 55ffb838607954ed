"""P1, P2 What is printed on the map, the counters and the tables: the shape of the data files.

Sides are `JP` and `AL` here, as in the files; `charts` gives them numbers. Deliberately absent: the data
themselves, and what months and operations need of them.
"""

from typing import Literal

from msgspec import Struct, field

SideId = Literal["JP", "AL"]
NavalClass = Literal["CV", "CVL", "CVE", "CVS", "BB", "BC", "CA", "CL", "DD", "AA"]
Speed = Literal["F", "M", "S"]
Terrain = Literal["clear", "mixed", "jungle", "city", "mountain", "atoll"]


class Location(Struct, frozen=True):
    """P2.3 A named place with its installations; `coast` is the node of its port."""

    id: str
    name: str
    lat: float
    lon: float
    hex: str
    terrain: Terrain
    zone: str
    control_1941_12: SideId
    port: int = 0
    airbase: int = 0
    fort: int = 0
    dock: int = 0
    coast: str | None = None
    homeland: bool = False
    resource: bool = False
    coastwatch: bool = False


class Box(Struct, frozen=True):
    """P2.5 A box off the map; from its entry ports one comes onto the map."""

    id: str
    name: str
    entry: tuple[str, ...]
    side: SideId
    nats: tuple[str, ...]
    port: int
    airbase: int
    dock: int
    months: int
    air_only: bool = False


class NavalUnit(Struct, frozen=True):
    """P2.2.1 Ships that are moved and hit together."""

    id: str
    name: str
    side: SideId
    nat: str
    cls: NavalClass
    ships: int
    gun: int
    aa: int
    torp: int
    asw: int
    def_g: int
    def_a: int
    hits: int
    spd: Speed
    cap: int
    lift: int
    capital: bool
    reload: bool
    float_planes: bool
    arrive: str
    base: str | None = None
    hist_lost: str | None = None
    base_1944_01: str | None = None


class AirUnit(Struct, frozen=True):
    """P2.2.3 An air unit; a carrier air group names its carrier."""

    id: str
    name: str
    side: SideId
    nat: str
    cls: str
    max_steps: int
    steps: int
    level: int
    arrive: str
    base: str | None = None
    carrier: str | None = None
    hist_lost: str | None = None
    base_1944_01: str | None = None
    steps_1944_01: int | None = None
    level_1944_01: int | None = None


class GroundUnit(Struct, frozen=True):
    """P2.2.4 A ground unit; a step is about a battalion."""

    id: str
    name: str
    side: SideId
    nat: str
    size: Literal["D", "R", "B"]
    max_steps: int
    steps: int
    tq: int
    arrive: str
    flags: tuple[str, ...] = ()
    base: str | None = None
    hist_lost: str | None = None
    base_1944_01: str | None = None
    steps_1944_01: int | None = None


class AirClass(Struct, frozen=True):
    """P2.2.3 What an air unit of a class can do: range in hexes, strengths a step."""

    range: int
    air: int
    nav: int
    gnd: int
    kind: Literal["1E", "2E", "4E", "CVG", "LRA", "TR"]
    search: str | None = None


class Area(Struct, frozen=True):
    """P1.2 The part of the map that is open: degrees from south to north, and from west to east past 180."""

    lat: tuple[float, float]
    lon: tuple[float, float]


class Fleet(Struct, frozen=True):
    """A task force as a scenario sets it up. `cargo` is a ship to units, each with `:steps` if not all."""

    id: str
    side: SideId
    hex: str
    core: tuple[str, ...] = ()
    screen: tuple[str, ...] = ()
    cargo: dict[str, tuple[str, ...]] = field(default_factory=dict)
    detected: bool = False


class Harbour(Struct, frozen=True):
    """Inactive ships of a side in a port."""

    at: str
    side: SideId
    units: tuple[str, ...]


class Squadron(Struct, frozen=True):
    """An air unit as a scenario sets it up; one without a base is aboard its carrier."""

    id: str
    steps: int
    level: int
    base: str = ""


class Garrison(Struct, frozen=True):
    """A ground unit as a scenario sets it up; figures that are None are those printed."""

    id: str
    hex: str
    steps: int | None = None
    max_steps: int | None = None
    tq: int | None = None


class Override(Struct, frozen=True):
    """What a naval unit has in this scenario instead of what is printed."""

    id: str
    gun: int | None = None
    torp: int | None = None
    hits: int | None = None


class Patrol(Struct, frozen=True):
    """P2.2.5 A submarine patrol at the start; `hex` may name a location."""

    side: SideId
    hex: str
    points: int


class Bases(Struct, frozen=True):
    """Installations that differ from what is printed."""

    port: int | None = None
    airbase: int | None = None
    fort: int | None = None


class Level(Struct, frozen=True):
    """P33.1 A line of the levels: from this difference on, the result; None is whatever is less."""

    result: str
    min: int | None


class Points(Struct, frozen=True):
    """P33.1 What scores: a class to its points, and what the scenario counts at the end."""

    sunk: dict[str, int]
    crippled: dict[str, int]
    air_steps_per_point: int
    JP_controls_port_moresby: int = 0
    AL_if_no_japanese_ground_step_ashore_at_port_moresby: int = 0
    JP_controls_midway: int = 0
    AL_controls_midway_uncontested: int = 0
    JP_controls_wake: int = 0
    AL_controls_wake_uncontested: int = 0


class Victory(Struct, frozen=True):
    """P33.1 How a scenario is won: what scores, and the levels by Japan's points less those of the Allies."""

    points: Points
    levels: tuple[Level, ...] = field(name="levels_JP_minus_AL")


class Battle(Struct, frozen=True):
    """P1 A scenario that is played with battle cycles alone: an Engagement or a Battle."""

    id: str
    name: str
    type: Literal["engagement", "battle"]
    month: str
    start_day: int
    battle_cycles: int
    area: Area
    operation_player: SideId
    reaction_player: SideId
    condition: Literal["S", "I", "A"]
    initiative: int
    first_lighting: Literal["Day", "Dusk", "Night", "roll"]
    control: dict[SideId, tuple[str, ...]]
    bases: dict[str, Bases]
    tfs: tuple[Fleet, ...]
    air: tuple[Squadron, ...]
    ground: tuple[Garrison, ...]
    overrides: tuple[Override, ...]
    special: tuple[str, ...]
    victory: Victory
    first_advantage: SideId | None = None
    naval: tuple[Harbour, ...] = ()
    patrols: tuple[Patrol, ...] = ()


class MapFile(Struct, frozen=True):
    """`map.json`."""

    locations: tuple[Location, ...]
    boxes: tuple[Box, ...]


class NavalFile(Struct, frozen=True):
    """`units-naval.json`."""

    units: tuple[NavalUnit, ...]


class AirFile(Struct, frozen=True):
    """`units-air.json`."""

    units: tuple[AirUnit, ...]


class GroundFile(Struct, frozen=True):
    """`units-ground.json`."""

    units: tuple[GroundUnit, ...]


class HexFile(Struct, frozen=True):
    """`hexes.json`: the finished map; its field `read_me` says how to read it."""

    kind_rows: tuple[str, ...]
    terrain_rows: tuple[str, ...]
    terrain_letters: dict[str, Terrain]
    zone_rows: tuple[str, ...]
    zone_letters: dict[str, str]
    coasts: dict[str, tuple[str, ...]]
    no_sea: tuple[str, ...]
    sea_closed: tuple[tuple[str, str], ...]
    links: dict[str, tuple[str, ...]]
    land_closed: tuple[tuple[str, str], ...]
    islands: dict[str, int]
    forbidden_ground: tuple[str, ...]
    ports: dict[str, str | None]
