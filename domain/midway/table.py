"""M1 Components: the open table, and questions about it that change nothing.

Everybody sees everything in Midway (M1.10), so a side's own screen is empty. Places are named as in M1.6,
without the side, since a group has one. Deliberately absent: a list of what is in a box, which would
duplicate each group's place.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.kernel import facts, procedures, table
from domain.midway.charts import CRIPPLED_AT, SIDES, SUNK_AT

JAPAN, UNITED_STATES = 0, 1
FIGHTERS, DIVE_BOMBERS, TORPEDO_BOMBERS = "F", "D", "T"
BOMBERS = DIVE_BOMBERS + TORPEDO_BOMBERS
MOVING, READY, ATTACKING, HOME, WAITING, LOST = "MOVING", "READY", "ATTACKING", "HOME", "WAITING", "LOST"
CAP = "CAP:"


class Options(Struct, frozen=True):
    """The options of M15 in force; those that are numbers of the scenario's own are not here."""

    team_play: bool = False
    cap_rings: int = 3
    cap_recall: bool = False
    cap_endurance: bool = False
    ditching: bool = False
    hangar_capacity: bool = False
    armed_decks: bool = False
    turn_back: bool = False
    weak_flak: bool = False
    japanese_search: bool = False
    free_decks: bool = False
    parallel_steps: bool = False


class Carrier(Struct, omit_defaults=True):
    """M1.2: a ship; its state follows from `damage`, the number of marked circles."""

    side: int
    aa: int
    repair: int
    """The least die that repairs."""
    capacity: int
    seat: int
    damage: int = 0


class Group(Struct, omit_defaults=True):
    """M1.3: one counter. What follows `place` matters during one step and is cleared at its end."""

    side: int
    home: str
    type: str
    full: int
    strength: int
    place: str
    target: str = ""
    committed: str = ""
    search_group: int = 0
    proposed: int = 0
    """Strength points that the admiral proposes to lose (M14.6)."""
    moved: bool = False


class Open(Struct):
    """The whole board: all can see it (M1.10)."""

    scenario: str = ""
    options: Options = Options()
    turn_limit: int = 0
    sudden_death: bool = False
    first_minute: int = 0
    """The time of day of turn 1, in minutes after midnight."""
    minutes_per_turn: int = 0
    carriers: dict[str, Carrier] = {}
    groups: dict[str, Group] = {}
    turn: int = 0
    steps: tuple[int, ...] = ()
    """The steps of the sequence at work, numbered as in M3.1: one, or a pair (M15.12)."""
    found: tuple[bool, bool] = (False, False)
    """Whether each side has found the enemy fleet, or need not search (M12)."""
    designated: dict[str, int] = {}
    """Hits designated to each type of bomber so far (M6.9)."""
    grade: str = ""
    """The grade of the victory, once counted (M13.7)."""


class Own(Struct):
    """Nothing is hidden (M1.10)."""


State: TypeAlias = facts.State[Open, Own]
Sight: TypeAlias = procedures.Sight[Open, Own]
Table: TypeAlias = table.TableOf[Open, Own]


def enemy(side: int) -> int:
    """Return the other side."""
    return 1 - side


def hangar(ship: str) -> str:
    """Return the place that is a carrier's hangar."""
    return f"HANGAR:{ship}"


def deck(ship: str) -> str:
    """Return the place that is a carrier's flight deck."""
    return f"DECK:{ship}"


def box(side: int, place: str) -> str:
    """Return the id by which a place is known to readers: boxes of a side carry its name."""
    return place if place.startswith(("HANGAR:", "DECK:")) else f"{SIDES[side]}:{place}"


def at(open: Open, side: int, place: str, types: str = "FDT") -> list[str]:
    """Return a side's groups of some types that are in a place, in data order."""
    return [
        name for name, g in open.groups.items() if g.place == place and g.side == side and g.type in types
    ]


def in_cap(open: Open, side: int) -> list[str]:
    """Return a side's groups in the CAP box, whatever the position (M1.8)."""
    return [name for name, g in open.groups.items() if g.side == side and g.place.startswith(CAP)]


def aboard(open: Open, ship: str) -> list[str]:
    """Return the groups in a carrier's hangar and on her deck (M1.6)."""
    places = (hangar(ship), deck(ship))
    return [name for name, g in open.groups.items() if g.place in places]


def on_deck(open: Open, ship: str) -> list[str]:
    """Return the groups on a carrier's deck."""
    return at(open, open.carriers[ship].side, deck(ship))


def strength(open: Open, groups: Iterable[str]) -> int:
    """Return the strength points of some groups together."""
    return sum(open.groups[name].strength for name in groups)


def state_of(damage: int) -> Literal["operational", "crippled", "sunk"]:
    """Return the state of a carrier with this much damage (M1.2)."""
    if damage >= SUNK_AT:
        return "sunk"
    return "crippled" if damage >= CRIPPLED_AT else "operational"


def operational(open: Open, ship: str) -> bool:
    """Return whether a carrier may land, launch and plan (M11.2)."""
    return open.carriers[ship].damage < CRIPPLED_AT


def carriers_of(open: Open, side: int) -> list[str]:
    """Return a side's carriers, sunk ones too, in data order."""
    return [name for name, carrier in open.carriers.items() if carrier.side == side]


def afloat(open: Open, side: int) -> list[str]:
    """Return a side's carriers that are not sunk, in data order."""
    return [name for name in carriers_of(open, side) if open.carriers[name].damage < SUNK_AT]


def outward(open: Open, place: str) -> str:
    """Return where a group goes that moves one CAP position outward (M6.10, M15.2)."""
    ring = int(place.removeprefix(CAP))
    return f"{CAP}{ring + 1}" if ring < open.options.cap_rings else WAITING


def owner(open: Open, group: str) -> int:
    """Return the seat of a group: that of its home carrier, wherever it is (M14.3)."""
    return open.carriers[open.groups[group].home].seat
