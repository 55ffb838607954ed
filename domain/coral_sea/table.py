"""C2 Components as game state: the open table, each side's screen, and plain questions about them.

Deliberately absent: the decks. A card that nobody has seen is in no ledger; `pile` returns those left (C26).
With limited intelligence (C22.2) units in hidden stacks are on their owner's screen; `intelligence` combines
the ledgers for the rules.
"""

from typing import Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from domain.coral_sea.charts import DECKS, LEADERS, OWNERS, UNITS
from domain.coral_sea.printed import Effect
from domain.kernel import facts, procedures, table

POOL, MAP, DESTROYED, REMOVED, WITHDRAWN, LOST = "pool", "map", "destroyed", "removed", "withdrawn", "lost"
GROUND, NAVAL = "ground", "naval"
CARD: Final = "card"
MAP_CHOICE: Final = "map"


class Options(Struct, frozen=True):
    """The optional rules in force (C22)."""

    air_attacks_on_airfields: bool = False
    limited_intelligence: bool = False
    transport_troops_or_rp_exclusive: bool = False
    always_ask: bool = False
    standing_passes: bool | UnsetType = UNSET
    """Left out, as false, in matches of before there were any: their states stay the same bytes."""


class Unit(Struct, omit_defaults=True):
    """C2.2: a unit as it stands now; what is printed on it is in `charts.UNITS`."""

    status: str = POOL
    area: str = ""
    depleted: bool = False
    disorganised: bool = False
    acted: bool = False
    inside: bool = False
    """Inside a fortress under siege (C16.2)."""


class Operation(Struct):
    """C2.4: the operation that is open."""

    side: int
    area: str
    sp: int
    rebuilt: bool = False
    unattrited: int = 0
    """How many of the next ground moves suffer no jungle attrition."""
    airfield_cost: int = 0
    """What an airfield costs if not the usual (C21.1)."""
    moved: tuple[str, ...] = ()
    """The ships of the naval move just completed; hidden ones are on their owner's screen."""
    ended_at: tuple[str, ...] = ()
    """The sea areas where they are."""
    again: bool = False
    """Another operation follows this one (C21.1)."""


class Move(Struct, frozen=True):
    """C8, C9: the move under way. `how` is `march` or `sail`."""

    how: str = ""
    units: tuple[str, ...] = ()
    """Who moves together: ground units, or ships."""
    cargo: tuple[str, ...] = ()
    rp: int = 0
    """Resource points aboard."""
    origin: str = ""
    left: int = 0
    """Movement or Range left."""


class Check(Struct, frozen=True):
    """C12.9: a cohesion check as it stands."""

    unit: str
    modifier: int
    cohesion: int
    passed: bool
    rerolled: bool = False


class Battle(Struct):
    """C2.4: the battle that is fought."""

    area: str
    attacker: int
    domain: str
    origin: str
    units: tuple[list[str], list[str]]
    """By side."""
    isolated: tuple[str, ...] = ()
    """C12.3: frozen when the battle began."""
    bunkers: tuple[str, ...] = ()
    modifiers: list[int] = field(default_factory=lambda: [0, 0])
    """What is added to all checks of a side's units."""
    extra: list[int] = field(default_factory=lambda: [0, 0])
    """Chits drawn more in the first draw."""
    chits: list[int] = field(default_factory=lambda: [0, 0])
    """How many chits each side holds."""
    shown: list[str] = []
    """Chits that all have seen: revealed, exchanged, lost."""
    revealed: str = ""
    revealed_by: int = -1
    cancelled: bool = False
    plays: int = 0


class Fortress(Struct, frozen=True):
    """C16.1: a fortress on the map."""

    side: int
    factor: int


class HiddenStack(Struct, frozen=True):
    """C22.2: what the enemy sees of a stack: its top counter and how many there are."""

    top: str
    count: int


class Open(Struct):
    """What all can see."""

    scenario: str = ""
    options: Options = Options()
    control: dict[str, int] = {}
    airfields: dict[str, int] = {}
    """Areas with an airfield counter, and whose it is."""
    damaged: list[str] = []
    """Areas whose airfield is out of order (C22.1)."""
    suppressed: list[str] = []
    """Areas whose airfield does not work until the operation ends (C12.16)."""
    counters: list[int] = field(default_factory=lambda: [0, 0])
    """Airfield counters left (C19.5)."""
    rp: tuple[dict[str, int], dict[str, int]] = field(default_factory=lambda: ({}, {}))
    units: dict[str, Unit] = {}
    stacks: tuple[dict[str, HiddenStack], dict[str, HiddenStack]] = field(default_factory=lambda: ({}, {}))
    fortresses: dict[str, Fortress] = {}
    sieges: dict[str, int] = {}
    """Areas under siege, and the besieger (C16.4)."""
    leaders: dict[str, str] = {}
    """Leader to the unit he is with (C17.1)."""
    hands: list[int] = field(default_factory=lambda: [0, 0])
    decks: list[int] = field(default_factory=lambda: [0, 0])
    discards: list[int] = field(default_factory=lambda: [0, 0])
    played: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    permanent: list[str] = []
    bonus: list[int] = field(default_factory=lambda: [0, 0])
    destroyed_points: list[int] = field(default_factory=lambda: [0, 0])
    """Points for enemy units destroyed (C23.3)."""
    fallen: list[int] = field(default_factory=lambda: [0, 0])
    """How many of each side's own units have been destroyed, lost Truk ships included (C20.3)."""
    sequence: int = 0
    initiative: int = 0
    initiative_until: int = 0
    """The last sequence in which it is held for a time (C20.2); 0 if it is not."""
    shifted: bool = False
    """C20.3: held by the Allies for good."""
    committed: list[bool] = field(default_factory=lambda: [False, False])
    modes: tuple[str, ...] = ()
    card_action: int = -1
    """The side whose card action it is, or that of the last one in this sequence."""
    operation: Operation | None = None
    windows: list[str] = []
    """The reaction windows that are open (C6.5), the last one inside those before it."""
    move: Move | None = None
    battle: Battle | None = None
    check: Check | None = None
    points: tuple[int, ...] = ()
    """The final count."""


class Own(Struct):
    """What one side alone can see."""

    hand: list[str] = []
    discards: list[str] = []
    """What is never drawn again (C26); nobody may look it up (C27)."""
    mode: str = ""
    chits: list[str] = []
    cup: list[str] = []
    """What is left in the cup; the owner can work it out (C27)."""
    seen: list[str] = []
    """Cards of the enemy's hand that were seen; the look itself is the fact that tells it (C27, R100)."""
    units: dict[str, Unit] = {}
    """Units in stacks that the enemy cannot look through (C22.2)."""
    rp: dict[str, int] = {}
    moved: tuple[str, ...] = ()
    """The ships of the naval move that was just completed, if they are hidden."""
    order: dict[str, list[str]] = {}
    """Hidden stacks from the bottom to the top."""
    move: Move | None = None
    """The move under way of a side whose stacks are hidden."""
    passing: tuple[str, ...] | UnsetType = UNSET
    """The kinds of window in which it passes until the operation ends (C6.9); left out if there are none."""


State: TypeAlias = facts.State[Open, Own]
Sight: TypeAlias = procedures.Sight[Open, Own]
Table: TypeAlias = table.TableOf[Open, Own]


def enemy(side: int) -> int:
    """Return the other side."""
    return 1 - side


def operating(open: Open) -> Operation:
    """Return the operation that is open."""
    assert open.operation is not None
    return open.operation


def fighting(open: Open) -> Battle:
    """Return the battle that is fought."""
    assert open.battle is not None
    return open.battle


def checking(open: Open) -> Check:
    """Return the cohesion check as it stands."""
    assert open.check is not None
    return open.check


def at(open: Open, area: str, side: int | None = None, domain: str = "") -> list[str]:
    """Return the units in an area, in the order of the data: of one side, of one domain, or all."""
    return [
        name
        for name, unit in open.units.items()
        if unit.area == area
        and (side is None or OWNERS[name] == side)
        and (not domain or UNITS[name].domain == domain)
    ]


def ships(open: Open, area: str, side: int) -> list[str]:
    """Return a side's ships in an area."""
    return at(open, area, side, NAVAL)


def troops(open: Open, area: str, side: int) -> list[str]:
    """Return a side's ground units in an area that are not shut in a fortress."""
    return [
        name
        for name, unit in open.units.items()
        if unit.area == area and not unit.inside and OWNERS[name] == side and UNITS[name].domain == GROUND
    ]


def opposed(open: Open, area: str, side: int) -> bool:
    """Return whether a side would have to fight in an area: not where it has shut the enemy in (C16.4)."""
    return open.sieges.get(area) != side and bool(troops(open, area, enemy(side)))


def stands(open: Open, side: int) -> set[str]:
    """Return all areas with a unit of a side, besieged units left out."""
    return {u.area for name, u in open.units.items() if u.area and not u.inside and OWNERS[name] == side}


def occupied(open: Open, side: int) -> set[str]:
    """Return the areas that a side occupies (C1.4): with a unit, a resource point or a fortress."""
    areas = {unit.area for name, unit in open.units.items() if unit.area and OWNERS[name] == side}
    areas |= open.rp[side].keys()
    return areas | {area for area, fortress in open.fortresses.items() if fortress.side == side}


def ship_areas(open: Open, side: int) -> set[str]:
    """Return the areas with ships of a side."""
    return {
        unit.area
        for name, unit in open.units.items()
        if unit.area and OWNERS[name] == side and UNITS[name].domain == NAVAL
    }


def controlled(open: Open, side: int) -> set[str]:
    """Return the areas that a side controls (C3.7)."""
    return {area for area, holder in open.control.items() if holder == side}


def is_truk(unit: str) -> bool:
    """Return whether a unit is a ship of the Truk Fleet (C4.5)."""
    return UNITS[unit].truk_fleet


def pile(state: State, side: int) -> list[str]:
    """Return the cards of a side that nobody has drawn, in the order of the data (C26)."""
    gone = {*state.own[side].hand, *state.own[side].discards, *state.open.played[side]}
    return [card for card in DECKS[side] if card not in gone]


def abilities(open: Open, unit: str) -> list[Effect]:
    """Return what the leaders with a unit can do (C17.1)."""
    return [
        e for leader, with_whom in open.leaders.items() if with_whom == unit for e in LEADERS[leader].effects
    ]
