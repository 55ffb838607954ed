"""The stories of units: where each fought, what it hit or was hit by, when it moved, was mended or lost.

A line made of a fact in sight of all is told to all. What a side alone knows, where its units are and go, is
told to that side: of a task force that sails, all are told of the ships that lie open in it, its owner of
the others. Deliberately absent: the chapters of a campaign (`chronicle`).
"""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact
from domain.match.chronicle import Kind, Line
from domain.pacific_war.board.charts import BOXES, GROUND, LOCATIONS, OWNERS, SHIPS
from domain.pacific_war.board.table import Air, Ground, Raid, Ship, at_base
from domain.pacific_war.facts.cycle import (
    AirStepsLost,
    Covered,
    MarkerPlaced,
    MarkerRemoved,
    PhaseBegan,
    Sailed,
    SetUp,
    ShipHit,
    Shown,
    UnitLost,
    UnitsAre,
)
from domain.pacific_war.facts.fighting import (
    KINDS,
    GroundBattleIs,
    GroundStepsLost,
    NavalBattleIs,
    OrdersGiven,
    RaidsAre,
    WentAshore,
    Withdrew,
)
from domain.pacific_war.facts.happenings import Ferried, Looked
from domain.pacific_war.facts.homefront import ToSea
from domain.pacific_war.facts.secrets import OwnUnits
from domain.pacific_war.facts.wording import at, number

MOST: Final = 4
"""So many who did something are named, the others counted."""
NOWHERE: Final = ""


class State(Struct, frozen=True, omit_defaults=True):
    """A unit as its owner knew it last: where it is, and its damage or its steps."""

    where: str = NOWHERE
    left: int = 0


class Seen(Struct):
    """What the stories have to know of the facts before."""

    units: dict[str, State] = {}
    """Own units of both sides."""
    fleets: dict[str, tuple[str, ...]] = {}
    """The ships in each task force, as its owner knows."""
    shown: dict[str, tuple[str, ...]] = {}
    """The ships in those that lie open."""
    nodes: dict[str, str] = {}
    """Where each task force is."""
    where: str = NOWHERE
    """Where is fought."""
    raids: tuple[Raid, ...] = ()
    orders: tuple[dict[str, str], dict[str, str]] = ({}, {})
    """The fire orders of each side: ship to target."""
    boats: bool = False
    """Whether submarines have come upon a task force last."""
    told: list[str] = []
    """What was told of the fight or the phase under way, and need not be told again."""


def told(seen: Seen, fact: Fact) -> list[Line]:
    """Return what a fact says of units, and note what is to be known of it."""
    match fact:
        case PhaseBegan():
            seen.told, seen.boats, seen.where = [], False, NOWHERE
            seen.raids, seen.orders = (), ({}, {})
        case OwnUnits():
            return _owned(seen, fact)
        case Shown():
            return _shown(seen, fact)
        case UnitsAre() | Covered() | SetUp() | MarkerPlaced() | ToSea() | MarkerRemoved():
            _mark(seen, fact)
        case Looked(where):
            seen.boats, seen.where, seen.orders = True, where, ({}, {})
        case RaidsAre(raids):
            return _raided(seen, raids)
        case NavalBattleIs(battle):
            seen.boats, seen.where = False, battle.node if battle else NOWHERE
            seen.orders = seen.orders if battle else ({}, {})
        case _:
            return [*_went(fact), *_fought(seen, fact), *_suffered(seen, fact)]
    return []


def _mark(seen: Seen, fact: Fact) -> None:
    """Note where markers are, and what lies open in them."""
    match fact:
        case UnitsAre(contents):
            seen.shown |= {tf: inside.ships for tf, inside in contents.items()}
        case Covered(contents):
            seen.shown = {tf: ships for tf, ships in seen.shown.items() if tf not in contents}
        case SetUp(tfs=tfs):
            seen.nodes = {tf: force.node for tf, force in tfs.items()}
        case MarkerPlaced(tf, force):
            seen.nodes[tf] = force.node
        case ToSea(tf, node):
            seen.nodes[tf] = node
        case MarkerRemoved(tf):
            seen.shown.pop(tf, None)
            seen.nodes.pop(tf, None)


def _went(fact: Fact) -> list[Line]:
    match fact:
        case WentAshore(units, _, spot):
            return [_line(unit, "fought", f"Landed{_at(spot)}") for unit in units]
        case Withdrew(unit, spot):
            return [_line(unit, "moved", f"Fell back to {at(spot)}")]
        case Ferried(unit, _, to):
            return [_line(unit, "moved", f"Flew to {at(to)}")]
    return []


def _fought(seen: Seen, fact: Fact) -> list[Line]:
    match fact:
        case Sailed(tf, path):
            return _sailed(seen, tf, path[-1])
        case OrdersGiven(side, orders):
            seen.orders = (orders, seen.orders[1]) if side == 0 else (seen.orders[0], orders)
            return _once(seen, orders, f"Fought in the naval battle{_at(seen.where)}")
        case GroundBattleIs(battle):
            seen.where = battle.hex if battle else NOWHERE
            return _once(seen, battle.attackers, f"Attacked{_at(seen.where)}") if battle else []
    return []


def _suffered(seen: Seen, fact: Fact) -> list[Line]:
    match fact:
        case ShipHit(ship, hits, damage, of):
            return _hit(seen, ship, hits, damage, of)
        case AirStepsLost(unit, _, steps, how):
            return [_line(unit, "hit", f"Lost {number(steps, 'step')} {how}{_at(seen.where)}")]
        case GroundStepsLost(unit, _, steps, broken) if f"{unit} lost" not in seen.told:
            what = [f"lost {number(steps, 'step')}"] * bool(steps) + ["was Broken"] * broken
            words = f"{' and '.join(what)}{_at(seen.where)}"
            return [_line(unit, "hit", words[:1].upper() + words[1:])] if what else []
        case UnitLost(unit, _, how):
            seen.told.append(f"{unit} lost")
            by = _whom(seen, unit, "by") if how == "sunk" else ""
            return [_line(unit, "lost", f"{how[:1].upper()}{how[1:]}{by}{_at(seen.where)}")]
    return []


def _raided(seen: Seen, raids: tuple[Raid, ...]) -> list[Line]:
    """Tell who flies a mission, as soon as it is known who does."""
    seen.raids, seen.boats, seen.where = raids, False, NOWHERE
    lines: list[Line] = []
    for raid in raids:
        seen.where = seen.nodes.get(raid.target, raid.target)
        words = f"a {KINDS[raid.kind]}, {at(raid.target)}{_at(seen.nodes.get(raid.target, NOWHERE))}"
        if raid.target in LOCATIONS or raid.target[:1].isdigit():
            words = f"a {KINDS[raid.kind]}{_at(raid.target)}"
        lines += _once(seen, raid.strike, f"Flew {words}")
        lines += _once(seen, raid.escort, f"Escorted {words}")
    return lines


def _by(seen: Seen, ship: str) -> list[str]:
    """Return who goes for a ship in the fight under way."""
    fired = [one for one, target in seen.orders[1 - OWNERS[ship]].items() if target == ship]
    flew = [one.unit for raid in seen.raids for one in raid.allotted if one.ship == ship]
    return [*dict.fromkeys(fired or flew)]


def _hit(seen: Seen, ship: str, hits: int, damage: int, of: int) -> list[Line]:
    """Tell a ship what she took and from whom, and those what they did; that she sank is told by itself."""
    sunk, crippled = damage >= of, damage * 2 >= of
    did = "Sank" if sunk else "Crippled" if crippled and (damage - hits) * 2 < of else "Hit"
    lines = [_line(one, "fought", f"{did} [{ship}]{_at(seen.where)}") for one in _by(seen, ship)]
    if sunk:
        return lines
    state = f"{damage} of {of}{', crippled' if crippled else ''}"
    words = f"Took {number(hits, 'hit')}{_whom(seen, ship, 'from')}{_at(seen.where)}: {state}"
    return [*lines, _line(ship, "hit", words)]


def _sailed(seen: Seen, tf: str, node: str) -> list[Line]:
    known, own = set(seen.shown.get(tf, ())), set(seen.fleets.get(tf, ()))
    seen.nodes[tf] = node
    words = f"Sailed with [{tf}] to {at(node)}"
    lines = [_line(ship, "moved", words) for ship in sorted(known)]
    return lines + [_line(ship, "moved", words, own=True) for ship in sorted(own - known)]


def _shown(seen: Seen, fact: Shown) -> list[Line]:
    """Tell where units were seen that become public."""
    seen.shown |= {tf: inside.ships for tf, inside in fact.contents.items()}
    seen.nodes |= fact.nodes
    lines: list[Line] = []
    for tf, inside in fact.contents.items():
        spot = fact.nodes.get(tf, "")
        lines += _once(seen, inside.ships, f"Seen in [{tf}]{_at(spot)}", "seen")
    inside_one = {ship for inside in fact.contents.values() for ship in inside.ships}
    places = {unit: one.port for unit, one in fact.ships.items() if unit not in inside_one}
    places |= {unit: one.home for unit, one in fact.air.items()}
    places |= {unit: one.hex for unit, one in fact.ground.items()}
    for unit, place in places.items():
        if place:
            lines += _once(seen, [unit], f"Seen{_at(place)}", "seen")
    return lines


def _owned(seen: Seen, fact: OwnUnits) -> list[Line]:
    """Tell its side where own units have gone, and what was mended, by what it knew of them before."""
    now = {tf: fleet.ships.ships for tf, fleet in fact.fleets.items() if fleet is not None}
    seen.fleets = {tf: ships for tf, ships in seen.fleets.items() if tf not in fact.fleets} | now
    lines: list[Line] = []
    units: Mapping[str, Ship | Air | Ground] = {**fact.ships, **fact.air, **fact.ground}
    for unit, one in units.items():
        before, after = seen.units.get(unit), _state(one)
        if before == after:
            continue
        seen.units[unit] = after
        lines += [_line(unit, kind, words, own=True) for kind, words in _changed(unit, before, after)]
    return lines


def _state(unit: Ship | Air | Ground) -> State:
    if isinstance(unit, Ship):
        return State(unit.tf or unit.port, unit.damage)
    if isinstance(unit, Air):
        return State(unit.home, unit.steps)
    return State(unit.hex or next(iter(sorted(unit.aboard)), NOWHERE), unit.steps)


def _changed(unit: str, before: State | None, now: State) -> list[tuple[Kind, str]]:
    if before is None:
        return [("came", f"Began{_in(now.where)}")] if now.where else []
    found: list[tuple[Kind, str]] = []
    if before.where != now.where and now.where and not (before.where in SHIPS and unit in GROUND):
        found.append(("moved", _gone(unit, before.where, now.where)))
    if unit in SHIPS and now.left < before.left:
        rest = f"{number(now.left, 'hit')} left" if now.left else "whole again"
        found.append(("mended", f"Repaired{_in(now.where)}: {rest}"))
    if unit not in SHIPS and now.left > before.left:
        found.append(("mended", f"Brought up to {number(now.left, 'step')}{_in(now.where)}"))
    return found


def _gone(unit: str, before: str, now: str) -> str:
    if now in SHIPS:
        return f"Went aboard [{now}]"
    if unit not in SHIPS:
        return f"Went to {at(now)}"
    if now in LOCATIONS or now in BOXES:
        return f"Put into {at(now)}"
    return f"Put to sea in [{now}]{f' from {at(before)}' if before in LOCATIONS else ''}"


def _once(seen: Seen, units: Iterable[str], words: str, kind: Kind = "fought") -> list[Line]:
    """Return lines for units of whom this has not been told in the phase under way."""
    fresh = [unit for unit in units if f"{unit} {words}" not in seen.told]
    seen.told += [f"{unit} {words}" for unit in fresh]
    return [_line(unit, kind, words) for unit in fresh]


def _line(unit: str, kind: Kind, words: str, *, own: bool = False) -> Line:
    return Line(unit, kind, words, Audience.of(OWNERS[unit]) if own else Audience.ALL)


def _at(place: str) -> str:
    """Return where something was in a sentence; nothing of what is nowhere."""
    return f" at {at(place)}" if place else ""


def _in(place: str) -> str:
    if not place:
        return ""
    return f" {'at' if _fixed(place) else 'in' if place not in SHIPS else 'aboard'} {at(place)}"


def _fixed(place: str) -> bool:
    """Whether it is a place on the map or a box, and neither a task force nor a ship."""
    return place[:1].isdigit() or at_base(place) or place in BOXES


def _whom(seen: Seen, ship: str, word: str) -> str:
    """Return who goes for a ship, after a word: ` by [a], [b] and 2 more`; submarines are not named."""
    units = _by(seen, ship)
    if not units:
        return f" {word} submarines" if seen.boats else ""
    rest = len(units) - MOST
    names = [f"[{unit}]" for unit in units[:MOST]] + [f"{rest} more"] * (rest > 0)
    return f" {word} {', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"
