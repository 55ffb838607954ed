"""N9.1 The battle board: who stands where in the battle that is fought. Questions only."""

from domain.kernel import seats
from domain.nimitz.charts import (
    AIRFIELD_VALUE,
    BATTLE_AREAS,
    COUNTERS,
    JA,
    LENGTH_MOST,
    SIDE_NAMES,
    SIDE_OF,
    SIDES,
    TRANSPORT_VALUE,
    US,
)
from domain.nimitz.table import (
    AIRFIELD,
    CARRIERS,
    ESCORTS,
    MARIANAS,
    SB,
    SUBMARINE,
    TRANSPORT,
    TWO_PLAYERS,
    Open,
    at,
    fighting,
)

OCEAN, ISLAND, COASTAL, US_OCEAN = "JO", "IS", "CO", "UO"
ORDER = tuple(BATTLE_AREAS)
"""The battle areas in the order in which they fight (N0.8)."""
WATERS = (OCEAN, COASTAL, US_OCEAN)


def there(area: str) -> str:
    """Say where a battle area is."""
    if area == ISLAND:
        return f"on the [{area}]"
    return f"in [{area}]" if area == COASTAL else f"in the [{area}]"


def to(area: str) -> str:
    """Say where to, of a battle area."""
    return f"to [{area}]" if area == COASTAL else f"to the [{area}]"


def the(side: int) -> str:
    """Return a side within a sentence: `the [US]`, `[JA]`."""
    return seats.the(SIDE_NAMES[side], f"[{SIDES[side]}]")


def enemy(side: int) -> int:
    """Return the other side."""
    return 1 - side


def ships(open: Open, side: int, area: str = "", types: tuple[str, ...] = (*CARRIERS, *ESCORTS)) -> list[str]:
    """Return a side's ships of some types in a battle area, or on the whole board, by id."""
    return sorted(
        name
        for name, where in fighting(open).ships.items()
        if SIDE_OF[name] == side and COUNTERS[name].type in types and area in {"", where}
    )


def subs(open: Open, side: int, area: str = "") -> list[str]:
    """Return a side's submarines in a battle area, or on the whole board."""
    return ships(open, side, area, (SUBMARINE,))


def carriers(open: Open, side: int, area: str = "") -> list[str]:
    """Return a side's carriers in a battle area, or on the whole board."""
    return ships(open, side, area, CARRIERS)


def transported(open: Open, side: int) -> list[str]:
    """Return the infantry of a side's transport group, by id (N1.9)."""
    return [n for n in at(open, fighting(open).area, side, "INF") if open.forces[n].aboard]


def in_foxholes(open: Open, side: int) -> list[str]:
    """Return a side's infantry in foxholes, by id."""
    return sorted(name for name in fighting(open).foxhole if SIDE_OF[name] == side)


def on_beach(open: Open, side: int) -> list[str]:
    """Return a side's infantry on the beach, by id."""
    return sorted(name for name in fighting(open).beach if SIDE_OF[name] == side)


def landed(open: Open, side: int) -> list[str]:
    """Return a side's infantry ashore in the battle, in foxholes and on the beach (R-49)."""
    return sorted(in_foxholes(open, side) + on_beach(open, side))


def land_based(open: Open, side: int) -> list[str]:
    """Return a side's land-based aircraft that fly in the battle, by id."""
    return [n for n in aircraft(open, side) if COUNTERS[n].kind == "LBA"]


def on_airfields(open: Open, side: int) -> list[str]:
    """Return a side's aircraft on the airfield, bomber wings that are away included (N9.3), by id."""
    away = at(open, SB, US) if side == US and fighting(open).area == MARIANAS else []
    return sorted(land_based(open, side) + away)


def side_ashore(open: Open, side: int) -> bool:
    """Return whether a side is ashore in the battle (N1.8)."""
    return bool(landed(open, side) or land_based(open, side))


def aircraft(open: Open, side: int) -> list[str]:
    """Return a side's aircraft in the battle, by id."""
    return sorted(name for name in fighting(open).planes if SIDE_OF[name] == side)


def airborne(open: Open, side: int, area: str) -> list[str]:
    """Return a side's aircraft in the air over a battle area, by id."""
    battle = fighting(open)
    return [name for name in aircraft(open, side) if battle.planes[name].at == area]


def flights(open: Open, ship: str) -> list[str]:
    """Return the aircraft at home on a carrier, by id."""
    return sorted(name for name, plane in fighting(open).planes.items() if plane.home == ship)


def bombers(names: list[str]) -> list[str]:
    """Return those with a bomb rating (N1.5)."""
    return [name for name in names if COUNTERS[name].type == "BOMBER"]


def fit(open: Open, side: int) -> list[str]:
    """Return a side's carriers that are neither damaged nor sunk, by id."""
    return [ship for ship in carriers(open, side) if not open.forces[ship].damaged]


def surface_targets(open: Open, side: int, area: str) -> list[str]:
    """Return a side's surface ships in a battle area, and in Coastal its transport group."""
    group = [TRANSPORT] if area == COASTAL and transported(open, side) else []
    return ships(open, side, area) + group


def value(target: str) -> int:
    """Return the value that orders hits (N1.6): a transport group is 4, an airfield 1 (N11.1)."""
    if target == TRANSPORT:
        return TRANSPORT_VALUE
    return AIRFIELD_VALUE if target == AIRFIELD else COUNTERS[target].value


def on_board(open: Open, side: int) -> list[str]:
    """Return a side's counters on the board: ships, infantry, aircraft (N10.14)."""
    infantry = at(open, fighting(open).area, side, "INF")
    return [*ships(open, side), *subs(open, side), *infantry, *aircraft(open, side)]


def length(turns: int) -> int:
    """Return a battle length cut to its most (N9.8)."""
    return min(LENGTH_MOST, turns)


def allocator(open: Open, victim: int) -> tuple[int, ...]:
    """Return the seat that chooses who takes a hit: the US, of Japanese forces Japan's seat (N20.2)."""
    return (1,) if victim == JA and open.mode == TWO_PLAYERS else (fighting(open).seat,)
