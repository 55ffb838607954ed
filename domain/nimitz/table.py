"""N1 Terms: the open table, and questions about it that change nothing.

Nothing is hidden (N0.6), so a side's own screen is empty. A force is an entry of `forces`; what is printed on
it is in `charts`. Deliberately absent: lists of what is in an area, which would duplicate each force's place,
and carrier aircraft outside a battle (N2.4).
"""

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

from domain.kernel import facts, procedures, table
from domain.nimitz.charts import AREAS, COUNTERS, JA, OBJECTIVES, SIDE_OF, US
from domain.nimitz.rows import KINDS, Ratings

US_RE, JA_RE, JA_BN, OUT, RAID, SB, INV = "US_RE", "JA_RE", "JA_BN", "OUT", "RAID", "SB", "INV"
PORTS = ("P1", "P2", "P3")
JAPAN, EAST_ASIA, HAWAII, WEST_COAST, AUSTRALIA, MARIANAS = "JA", "EA", "HI", "WC", "AU", "MA"
ESCORTS, CARRIERS, SUBMARINE = ("BB", "CRU", "DD"), ("CV", "CVL", "CVE"), "SS"
SOLITAIRE, TWO_PLAYERS, COMMANDERS = 1, 2, 3
AIRFIELD, TRANSPORT = "airfield", "transport"


class Force(Struct, omit_defaults=True):
    """N1.3: one counter, full or damaged. `place` is an area or a box."""

    place: str
    damaged: bool = False
    aboard: bool = False
    """Infantry on a transport (N1.9)."""
    moved: bool = False
    arrived: bool = False
    seat: int = -1
    """In mode c the seat that may move it this turn because it bought it or was lent it; else -1 (N20.3)."""


class Plane(Struct, omit_defaults=True):
    """N9.7: an aircraft in a battle, of a carrier (`home`) or land-based (no `home`)."""

    home: str = ""
    at: str = ""
    """The battle area over which it is in the air."""
    damaged: bool = False
    flown: bool = False
    """Sent at first light: it does not move again this turn (N10.3)."""
    dived: bool = False
    """A kamikaze: it is destroyed after the bomb step (N11.6)."""


class Battle(Struct, omit_defaults=True):
    """N9.1: the battle board."""

    area: str
    seat: int = 0
    """The US commander (N20.3)."""
    turn: int = 0
    left: int = 0
    """Turns left, the one being fought included: L of N9.8."""
    plans: int = 0
    """Japanese plans per turn (N9.9)."""
    ships: dict[str, str] = {}
    """Ship to battle area."""
    foxhole: list[str] = []
    beach: list[str] = []
    airfields: dict[int, int] = {}
    """Side to airfield counters."""
    planes: dict[str, Plane] = {}
    rooms: dict[str, int] = {}
    """Carrier to the size of her group at the start (N9.7)."""
    cup: list[str] = []
    """Japanese plan counters not yet drawn (N9.10), by id."""
    drawn: list[str] = []
    """Kinds that count as already drawn (N10.2)."""
    in_force: list[str] = []
    """Japanese plans in force this turn, in the order in which they take effect."""
    screening: bool = False
    """Whether a Screening Ship waits (N11.6)."""
    points: int = 0
    bought: int = 0
    held: list[str] = []
    """US plans bought and not used."""
    used: list[str] = []
    step: str = ""
    over: str = ""
    """The combat step being fought, and where."""
    fallen: list[str] = []
    """Destroyed Japanese battalions, until the battle ends (N12.2)."""


class Open(Struct):
    """The whole game: all can see it (N0.6)."""

    mode: int = SOLITAIRE
    linked: bool = False
    year: int = 0
    turn: int = 0
    step: int = 0
    """The step of the campaign turn, numbered as in N3."""
    supply: dict[int, int] = {}
    """US seat to supply points."""
    counter: int = 0
    """The Japanese resupply counter (N7.2)."""
    forces: dict[str, Force] = {}
    returned: dict[str, list[str]] = {}
    """Kind to the returned queue of JA_RE, oldest first (N13.4)."""
    auto_held: list[str] = []
    scouts: dict[str, int] = {}
    battles: list[str] = []
    """Battles not yet fought (N8.3)."""
    battle: Battle | None = None
    counts: list[int] = []
    """Objectives held at the end of each turn of this campaign (N17.3)."""
    results: dict[int, int] = {}
    """Year to the result of a finished campaign (N18.1)."""
    level: str = ""
    """The level of the last campaign, or of the whole linked war, when it has ended."""


class Own(Struct):
    """Nothing is hidden (N0.6)."""


State: TypeAlias = facts.State[Open, Own]
Sight: TypeAlias = procedures.Sight[Open, Own]
Table: TypeAlias = table.TableOf[Open, Own]


def at(open: Open, place: str, side: int, *kinds: str) -> list[str]:
    """Return a side's forces in a place, of some kinds or of all, by id."""
    wanted = kinds or KINDS
    there = [name for name, force in open.forces.items() if force.place == place]
    return sorted([name for name in there if SIDE_OF[name] == side and COUNTERS[name].kind in wanted])


def by_place(open: Open, side: int) -> dict[str, list[str]]:
    """Return each place with a side's forces in it, by id."""
    places: dict[str, list[str]] = {}
    for name in sorted(open.forces):
        if SIDE_OF[name] == side:
            places.setdefault(open.forces[name].place, []).append(name)
    return places


def is_ashore(open: Open, name: str) -> bool:
    """Return whether a force is ashore: infantry not on a transport, or land-based aircraft (N1.8)."""
    kind = COUNTERS[name].kind
    return kind == "LBA" or (kind == "INF" and not open.forces[name].aboard)


def ashore(open: Open, area: str, side: int) -> bool:
    """Return whether a side is ashore in an area (N1.8)."""
    return any(is_ashore(open, name) for name in at(open, area, side))


def ashore_in(open: Open, side: int) -> set[str]:
    """Return the areas in which a side is ashore (N1.8)."""
    return {
        force.place
        for name, force in open.forces.items()
        if force.place in AREAS and SIDE_OF[name] == side and is_ashore(open, name)
    }


def present_in(open: Open, side: int) -> set[str]:
    """Return the areas in which a side has any force."""
    return {f.place for name, f in open.forces.items() if f.place in AREAS and SIDE_OF[name] == side}


def contested(open: Open) -> list[str]:
    """Return the areas with forces of both sides (N1.11), by id."""
    return sorted(present_in(open, US) & present_in(open, JA))


def supply(open: Open) -> tuple[set[str], set[str]]:
    """Return the areas held and those in supply (N1.10)."""
    return supply_from(ashore_in(open, US), ashore_in(open, JA))


def supply_from(us_ashore: set[str], ja_ashore: set[str]) -> tuple[set[str], set[str]]:
    """Return the areas held and those in supply, from the West Coast outward, by who is ashore (N1.10)."""
    garrisoned = (us_ashore - ja_ashore) | {AUSTRALIA}
    held, supplied, edge = {WEST_COAST}, {WEST_COAST}, [WEST_COAST]
    while edge:
        for area in AREAS[edge.pop()].neighbours:
            if area in supplied or not AREAS[area].us_may_enter:
                continue
            supplied.add(area)
            if area in garrisoned:
                held.add(area)
                edge.append(area)
    return held, supplied


def held_objectives(open: Open) -> list[str]:
    """Return the objectives of the year that are held (N1.12), by id."""
    held, _ = supply(open)
    return [area for area in OBJECTIVES[open.year] if area in held]


def rated(open: Open, name: str) -> Ratings:
    """Return the ratings of a force or of an aircraft in battle as it is now, full or damaged (N1.7)."""
    faces = COUNTERS[name].ratings
    return faces.damaged if is_damaged(open, name) else faces.full


def is_damaged(open: Open, name: str) -> bool:
    """Return whether a force or an aircraft in battle is damaged."""
    if name in open.forces:
        return open.forces[name].damaged
    return name in planes(open) and planes(open)[name].damaged


def planes(open: Open) -> dict[str, Plane]:
    """Return the aircraft in the battle."""
    return open.battle.planes if open.battle else {}


def fighting(open: Open) -> Battle:
    """Return the battle that is being fought."""
    assert open.battle is not None
    return open.battle


def of_type(names: Iterable[str], *types: str) -> list[str]:
    """Return those of some types."""
    return [name for name in names if COUNTERS[name].type in types]


def fresh(open: Open, kind: str) -> list[str]:
    """Return the fresh set of JA_RE of a kind (N13.4), by id."""
    queue = open.returned.get(kind, [])
    return [name for name in at(open, JA_RE, JA, kind) if name not in queue]


def battalions(open: Open) -> list[str]:
    """Return the battalion box (N1.14), by id."""
    return at(open, JA_BN, JA)


def us_seats(open: Open) -> tuple[int, ...]:
    """Return the US seats in the order in which they decide (N20.3)."""
    return (0, 1) if open.mode == COMMANDERS else (0,)


def japan(open: Open) -> tuple[int, ...]:
    """Return the seat of Japan, if a person has it (N20.2)."""
    return (1,) if open.mode == TWO_PLAYERS else ()
