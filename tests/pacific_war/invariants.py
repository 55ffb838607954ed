"""P41 What must hold on the table after every decision. The fuzzer calls `invariants_of_state`."""

from collections.abc import Iterable, Iterator
from typing import Any

from domain.kernel.facts import State
from domain.pacific_war.board import atlas
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS, SPACES, of_side
from domain.pacific_war.board.charts import (
    AIR,
    AIR_ROOM,
    BOATS,
    BOXES,
    CORE_MOST,
    LIGHT,
    LOCATIONS,
    MARKERS,
    OWNERS,
    SCENARIOS,
    SCREEN_MOST,
)
from domain.pacific_war.board.special_boats import HITS
from domain.pacific_war.board.table import (
    Open,
    Own,
    Ship,
    aboard,
    active,
    air_class,
    at_base,
    based,
    contested,
    groups_of,
    members,
    printed,
    stack_room,
    troop,
    troops_in,
)
from domain.pacific_war.board.war import Operation, War
from domain.pacific_war.command.costs import joint_limit, reaction_limit
from domain.pacific_war.facts.changes import afloat, public, seen
from domain.pacific_war.homefront.merchants import MOST_MSP
from domain.pacific_war.homefront.strategic_bombing import START_HRL
from domain.pacific_war.months.dockyards import PAIRED


def invariants_of_state(state: State[Any, Any]) -> Iterator[str]:
    """Yield a sentence for each invariant that is broken."""
    board: Open = state.open
    if not board.scenario:
        return
    for side in (0, 1):
        own: Own = state.own[side]
        yield from places(board, own, side)
        yield from figures(board, own)
        yield from forces(board, own, side)
        yield from presence(board, own, side)
        yield from copies(board, own, side)
        if board.war and not state.match.over:
            yield from means(board, own, side)
    if board.war:
        yield from tallies(board.war)
        yield from seaplane_bases(board, state.own)
    for place, base in board.bases.items():
        if not 0 <= base.airbase_damage <= base.airbase or not 0 <= base.port_damage <= max(base.port, 0):
            yield f"{place} has more damage than size: {base}"
        if not 0 <= base.fort <= 3:
            yield f"{place} has a fort of {base.fort}"
        if not 0 <= base.resource_damage <= 2:
            yield f"{place} has resource damage of {base.resource_damage}"


def tallies(war: War) -> Iterator[str]:
    """41.5: what Japan lives on is within its bounds, and so are the bombers at each base."""
    if not 0 <= war.msp <= MOST_MSP or not 0 <= war.hrl <= START_HRL:
        yield f"Japan has {war.msp} Merchant Shipping Points and a Homeland Resource Level of {war.hrl}"
    if any(points <= 0 for points in war.bombers.values()) or war.grounded < 0:
        yield f"bombers are {war.bombers}, {war.grounded} wait"


def seaplane_bases(open: Open, own: list[Own]) -> Iterator[str]:
    """41.1, 34.1: a special submarine keeps its base ashore, for one LRA unit, and is not sunk."""
    assert open.war is not None
    for piece, boat in open.war.special.items():
        there = [unit for mine in own for unit in based(mine, piece)]
        if boat.base and (boat.hits >= HITS or atlas.kind(boat.node) != "h" or BOATS[piece] != "krs"):
            yield f"{piece} keeps a base: {boat}"
        if len(there) > boat.base or any(air_class(unit).kind != "LRA" for unit in there):
            yield f"{there} are at {piece}: {boat}"
    if not {one.home for mine in own for one in mine.air.values()} & BOATS.keys() <= open.war.special.keys():
        yield "an air unit is at a submarine that has not come"


def steady(before: War, after: War) -> Iterator[str]:
    """41.4, 41.5: what never goes back: months, and the Homeland Resource Level, which never rises."""
    if after.month < before.month:
        yield f"{after.month} follows {before.month}"
    if after.hrl > before.hrl:
        yield f"the Homeland Resource Level rises from {before.hrl} to {after.hrl}"


def boats(own: Own) -> int:
    """41.5: the submarine points of a side, wherever they are; they change by arrivals and losses alone."""
    means = own.means
    tied = sum(link.kind == "submarine" for link in means.emergency.values())
    return sum(own.patrols.values()) + sum(means.submarines.values()) + means.pool + means.duty + tied


def means(open: Open, own: Own, side: int) -> Iterator[str]:
    """41.4, 41.6, 41.8: days, Command Points, and nobody Activated between Operations."""
    assert open.war is not None
    if not 0 <= open.war.day < SPACES:
        yield f"the day is {open.war.day}"
    for hq, points in own.means.points.items():
        if of_side(hq) != side or not 0 <= points:
            yield f"{hq} of side {side} has {points} points"
        if points and not open.war.posts[hq].site:
            yield f"{hq} has {points} points, and is disbanded"
    if min(own.means.duty, own.means.pool, own.means.escorts) < 0 or not 0 <= own.means.fop <= 40:
        yield f"side {side} has {own.means.fop} in its pool, {own.means.duty} on duty"
    yield from links(open, own, side)
    operation = open.war.operation
    if operation is None and (own.fleets or own.means.roused or active(own)):
        yield f"side {side} has units out, and there is no Operation"
    if operation and operation.player == side and operation.bid:
        fee = HEADQUARTERS[operation.hq].op_cost
        if operation.spent > operation.bid or own.means.used.get(operation.hq, 0) > operation.bid + fee:
            yield f"{operation.spent} of a bid of {operation.bid} is spent"
    if operation and operation.player != side:
        yield from answer(operation, own)


def answer(operation: Operation, own: Own) -> Iterator[str]:
    """41.6: the Reaction player keeps within what one phase or the whole Operation gives him."""
    if operation.answered > max(reaction_limit(operation, own.means.condition), joint_limit(operation)):
        yield f"{operation.answered} Activation Points answer {operation.ap}"


def links(open: Open, own: Own, side: int) -> Iterator[str]:
    """41.1: where an emergency link is everybody sees, and a unit keeps up one at most (P11.7)."""
    marked = {place for place, base in open.bases.items() if base.emergency and base.control == side}
    if marked != set(own.means.emergency):
        yield f"side {side} has emergency links {own.means.emergency}, and the markers are at {marked}"
    units = [link.asset for link in own.means.emergency.values() if link.kind != "submarine"]
    if len(units) != len(set(units)):
        yield f"a unit of side {side} keeps up two emergency links"


def places(open: Open, own: Own, side: int) -> Iterator[str]:
    """41.1: every unit is in exactly one place."""
    listed = [ship for fleet in own.fleets.values() for ship in fleet.ships.ships]
    if len(listed) != len(set(listed)):
        yield f"a ship of side {side} is in two task forces"
    for ship, one in own.ships.items():
        inside = [tf for tf, fleet in own.fleets.items() if ship in fleet.ships.ships]
        if inside != ([one.tf] if one.tf else []):
            yield f"{ship} says {one.tf or 'no task force'}, and is in {inside}"
        if one.tf and one.port:
            yield f"{ship} is at sea and in port"
        away = (ship in own.means.penalty) + (ship in own.means.escorting)
        gone = ship in open.lost or _used_up(open, ship, one)
        if away + gone + bool(one.tf or one.port) != 1:
            yield f"{ship} is in {one.tf or one.port or 'no place'}; lost: {ship in open.lost}"
    yield from _homes(own)
    yield from _loads(own)


def _used_up(open: Open, ship: str, one: Ship) -> bool:
    """Return whether a ship has left the game to mend another: it is in no place, and not lost (P15.2.3)."""
    mended = open.war is not None and printed(open, ship).cls in PAIRED and not (one.tf or one.port)
    return mended and not one.active and one.damage == printed(open, ship).hits


def _homes(own: Own) -> Iterator[str]:
    for unit, air in own.air.items():
        if bool(air.home) != bool(air.steps):
            yield f"{unit} has {air.steps} steps at {air.home or 'no home'}"
        if air.home and not at_base(air.home) and air.home not in BOXES:
            ship = own.ships[air.home]
            if not (ship.tf or ship.port or air.home in own.means.penalty):
                yield f"{unit} is aboard {air.home}, which is gone"


def _loads(own: Own) -> Iterator[str]:
    for unit, ground in own.ground.items():
        if bool(ground.steps) != bool(ground.hex or ground.aboard) or (ground.hex and ground.aboard):
            yield f"{unit} with {ground.steps} steps is at {ground.hex}, aboard {ground.aboard}"
        if ground.aboard and sum(ground.aboard.values()) != ground.steps:
            yield f"{unit} has {ground.steps} steps, {ground.aboard} are aboard"
        if len({own.ships[ship].tf for ship in ground.aboard}) > 1:
            yield f"{unit} is aboard two task forces"


def figures(open: Open, own: Own) -> Iterator[str]:
    """41.2: damage, steps and levels are within their bounds."""
    for ship, one in own.ships.items():
        if not 0 <= one.damage <= printed(open, ship).hits:
            yield f"{ship} has {one.damage} hits"
    for unit, air in own.air.items():
        if not 0 <= air.steps <= AIR[unit].max_steps or not 0 <= air.level <= 2:
            yield f"{unit} has {air.steps} steps of level {air.level}"
        if air.ready < 0 or air.cap < 0 or air.ready + air.cap > air.steps:
            yield f"{unit} has {air.ready} ready and {air.cap} on CAP of {air.steps}"
    for unit, ground in own.ground.items():
        if not 0 <= ground.steps <= troop(open, unit).max_steps:
            yield f"{unit} has {ground.steps} steps"
        if ground.broken and ground.active:
            yield f"{unit} is Broken and Activated"


def forces(open: Open, own: Own, side: int) -> Iterator[str]:
    """41.3: task forces fit their slots and markers, groups their carriers, ground units their hexes."""
    mine = {tf for tf, force in open.tfs.items() if force.side == side}
    if mine != set(own.fleets):
        yield f"side {side} has markers {sorted(mine)} and task forces {sorted(own.fleets)}"
    if len(mine) > MARKERS[side]:
        yield f"side {side} has {len(mine)} markers"
    for tf, fleet in own.fleets.items():
        core, screen = fleet.ships.core, fleet.ships.screen
        if len(core) > CORE_MOST or len(screen) > SCREEN_MOST:
            yield f"{tf} has {len(core)} in its core, {len(screen)} in its screen"
        if any(printed(open, ship).cls in LIGHT for ship in core):
            yield f"a light ship is in the core of {tf}"
        if any(printed(open, ship).cls not in LIGHT and not printed(open, ship).capital for ship in screen):
            yield f"an auxiliary is in the screen of {tf}"
    yield from _room(open, own, side)


def _room(open: Open, own: Own, side: int) -> Iterator[str]:
    for unit, air in own.air.items():
        if air.home in own.ships and air.steps > printed(open, air.home).cap:
            yield f"{unit} has {air.steps} steps aboard {air.home}"
    for place, base in open.bases.items():
        built = _built(open, place)
        if base.control == side and base.airbase == built and len(based(own, place)) > AIR_ROOM[built]:
            yield f"{len(based(own, place))} air units are at {place}"
    for spot in {one.hex for one in own.ground.values() if one.hex and one.hex not in BOXES}:
        if stack_room(own, spot) < 0:
            yield f"too many steps of side {side} are in {spot}"


def presence(open: Open, own: Own, side: int) -> Iterator[str]:
    """0.4.1: everybody is told rightly where there are units of a kind."""
    ports = {ship.port for ship in own.ships.values() if ship.port and ship.port not in BOXES}
    fields = {air.home for air in own.air.values() if air.steps and at_base(air.home)}
    troops = {one.hex for one in own.ground.values() if one.hex and one.hex not in BOXES}
    for kind, truth in (("ports", ports), ("airfields", fields), ("troops", troops)):
        told = getattr(open, kind)[side]
        if len(told) != len(set(told)) or set(told) != truth:
            yield f"{kind} of side {side} are {sorted(truth)}, and told are {sorted(told)}"


def copies(open: Open, own: Own, side: int) -> Iterator[str]:
    """0.4.1: what is public is as it is, and public is what must be, nothing else."""
    for tf, force in open.tfs.items():
        if force.side != side:
            continue
        if force.detected != (tf in open.contents):
            yield f"{tf} is {'Detected' if force.detected else 'Undetected'}, and its contents are not so"
        inside = members(own, tf)
        units = (*inside, *groups_of(own, tf), *aboard(own, inside))
        hidden = [unit for unit in units if not _known(open, unit)]
        if force.detected and (hidden or open.contents[tf] != own.fleets[tf].ships):
            yield f"{tf} is Detected, and {hidden or 'its slots'} are not public"
        if not force.detected and any(ship in open.ships for ship in inside):
            yield f"{tf} is Undetected, and ships of it are public"
    for spot in {ground.hex for ground in own.ground.values() if ground.hex}:
        if contested(open, spot) and not all(unit in open.ground for unit in troops_in(own, spot)):
            yield f"ground units of side {side} in {spot} meet the enemy, and are not public"
    keels = {ship: afloat(one) for ship, one in own.ships.items()}
    yield from _stale((one for one in open.ships if OWNERS[one] == side), open.ships, keels)
    shown = {unit: public(air) for unit, air in own.air.items()}
    yield from _stale((one for one in open.air if OWNERS[one] == side), open.air, shown)
    troops = {unit: seen(ground) for unit, ground in own.ground.items()}
    yield from _stale((one for one in open.ground if OWNERS[one] == side), open.ground, troops)


def _known(open: Open, unit: str) -> bool:
    return unit in open.ships or unit in open.air or unit in open.ground


def _stale(units: Iterable[str], told: dict[str, Any], truth: dict[str, Any]) -> Iterator[str]:
    for unit in units:
        if told[unit] != truth[unit]:
            yield f"{unit} is told to be {told[unit]}, and is {truth[unit]}"


def _built(open: Open, place: str) -> int:
    """Return the size of an airbase before any demolition, after which there may be too many units."""
    given = (SCENARIOS if open.scenario in SCENARIOS else CAMPAIGNS)[open.scenario].bases.get(place)
    return LOCATIONS[place].airbase if given is None or given.airbase is None else given.airbase
