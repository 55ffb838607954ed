"""The landing that promises a side most: where to, from which port, with whom, paid by which headquarters.

A plan is drawn up anew from what the side sees whenever it is asked for; what is Activated already and still
in port is part of it. Deliberately absent: how it is carried out (`staff`, `voyages`, `landing`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from clients.bots.pacific_war.objectives import (
    GREAT,
    contested,
    exposure,
    garrison,
    manned,
    open_to,
    shore,
    swing,
    wanted,
)
from clients.bots.pacific_war.table import NEVER, Table, ways
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import GROUND, LOCATIONS, SHIPS
from domain.pacific_war.sight.shown import Screen, SideId

MARGIN: Final = 1.6
"""Landing steps for each step of a garrison."""
MORE: Final = 2
"""And these besides."""
ABLE: Final = 1.3
"""Own steps for each enemy step with which a fight ashore goes on."""
RELIEVED: Final = 0.3
"""What it is worth to bring troops to an own place that lacks them, as a part of its worth."""
GATHERED: Final = 5.0
"""What it is worth to bring troops to where transports wait for them."""
PRESSED: Final = 0.8
"""What a place is worth for which troops ashore fight, as a part of its worth."""
STAY: Final = 6
"""What is landed beyond need at a place that is worth much, to hold it."""
A_HEX: Final = 0.025
"""What a hex of the way takes off the worth of a place, as a part of it."""
A_STEP: Final = 0.02
"""The same for a step of its garrison."""
WORTH_IT: Final = 2.0
"""The points that a place must promise, way and garrison considered."""
LONGEST: Final = 30
"""Hexes of a way that a landing goes, at most."""
LEAST: Final = 10
"""The Command Points without which no landing is begun."""
TRANSPORTS: Final = 6
"""Ships of a convoy: what the core of a task force holds (P2.2.2)."""


RUNNERS: Final = 4
"""Destroyers that carry troops with them: what the screen holds; divisions do not fit on them."""


class Plan(Struct, frozen=True):
    """A landing: `far` is the way in hexes, `value` the points that it promises."""

    goal: str
    port: str
    hq: str
    transports: tuple[str, ...]
    troops: tuple[str, ...]
    far: int
    value: float


def needed(table: Table, own: Screen, place: str) -> int:
    """Return the steps that are to land at a place, those of ours that are there counted."""
    foe = garrison(table, place, "AL" if own.side == "JP" else "JP")
    if not foe and table.locations[place].control == own.side:
        return wanted(table, place) + idle_lift(own).get(place, 0) - manned(table, place)
    return max(1, round(MARGIN * foe) + MORE * bool(foe) - manned(table, place))


def short(table: Table, own: Screen) -> list[str]:
    """Return the own places that have fewer troops than are to hold them, or than transports wait for."""
    lift = idle_lift(own)
    return [
        place
        for place, base in table.locations.items()
        if base.control == own.side
        and not contested(table, place)
        and (called := wanted(table, place) + lift.get(place, 0))
        and manned(table, place) < called
    ]


def idle_lift(own: Screen) -> dict[str, int]:
    """Return the ports with transports that are fit for sea, to the steps that these carry."""
    found = dict[str, int]()
    for ship, one in own.ships.items():
        if one.port in LOCATIONS and SHIPS[ship].cls == "AA" and not one.crippled:
            found[one.port] = found.get(one.port, 0) + SHIPS[ship].lift
    return found


class Prospect(Struct, frozen=True):
    """A place to which troops may go, whoever carries them and from wherever."""

    place: str
    shore: str
    needed: int
    """The steps that are to land."""
    worth: float
    """The points that it promises, way and risk apart."""
    risk: float
    """The part of that which aircraft ashore are likely to cost."""

    def promise(self, far: int) -> float:
        """Return the points that it promises from so far."""
        return self.worth * max(0.0, 1 - A_HEX * far - self.risk)


def prospect(table: Table, own: Screen, place: str) -> Prospect:
    """Return what a place promises: its swing less its garrison, of an own place what it lacks of troops."""
    side: SideId = "AL" if own.side == "JP" else "JP"
    if table.locations[place].control == own.side and not contested(table, place):
        lacks = manned(table, place) < wanted(table, place)
        worth = max(swing(table, place) * RELIEVED * lacks, GATHERED)
    else:
        worth = swing(table, place) * max(0.1, 1 - A_STEP * garrison(table, place, side))
    return Prospect(place, shore(place), needed(table, own, place), worth, exposure(table, place, side))


def prospects(table: Table, own: Screen) -> list[Prospect]:
    """Return the places to which troops may go: the enemy's, and own ones that lack troops."""
    return [prospect(table, own, place) for place in (*open_to(table, own.side), *short(table, own))]


def goal_from(table: Table, node: str, steps: int) -> str:
    """Return where so many steps that are at sea at a node promise most, or an empty string."""
    own = table.own
    assert own is not None
    near = ways(node, table.scenario)
    best, most = "", 0.0
    for one in prospects(table, own):
        far = near.get(one.shore)
        if far == NEVER or one.needed > steps:
            continue
        value = one.promise(far)
        if (value, one.place) > (most, best):
            best, most = one.place, value
    return best


# what is in a port


def lying(table: Table, own: Screen, ship: str) -> str:
    """Return the port in which a ship lies, or off which its task force was formed (5.1.P); or nothing."""
    one = own.ships[ship]
    if one.port in LOCATIONS:
        return one.port
    if one.tf and table.phase == "5.1.P":
        node = table.tfs[one.tf].node
        return next((p for p, base in table.locations.items() if base.coast == node), "")
    return ""


def in_ports(table: Table, own: Screen) -> dict[str, tuple[list[str], list[str]]]:
    """Return the ports with ships that carry troops, transports first, to these and to those who may go."""
    found = dict[str, tuple[list[str], list[str]]]()
    for ship, one in sorted(own.ships.items()):
        if SHIPS[ship].lift and not one.crippled and (port := lying(table, own, ship)):
            found.setdefault(port, ([], []))[0].append(ship)
    for ships, _ in found.values():
        ships.sort(key=lambda ship: (SHIPS[ship].cls != "AA", ship))
    hexes = {LOCATIONS[port].hex: port for port in found}
    for unit, ground in own.ground.items():
        carrier = next(iter(ground.aboard), "")
        port = lying(table, own, carrier) if carrier else hexes.get(ground.hex, "")
        if port in found and ground.steps and not (ground.broken or ground.isolated):
            found[port][1].append(unit)
    for port, (_, units) in found.items():
        units.sort(
            key=lambda unit: (not own.ground[unit].aboard, -GROUND[unit].tq * own.ground[unit].steps, unit)
        )
        _leave(table, own, port, units)
    return found


def _leave(table: Table, own: Screen, port: str, units: list[str]) -> None:
    """Take off the list those who stay to hold the port: the least that are enough."""
    stay = wanted(table, port)
    for unit in reversed(list(units)):
        if stay > 0 and not own.ground[unit].aboard and own.ground[unit].inactive:
            units.remove(unit)
            stay -= own.ground[unit].steps


def loaded(own: Screen, transports: Iterable[str], units: Iterable[str], steps: int) -> list[str]:
    """Return the troops that go, the best first, until there are enough: as many as the transports take."""
    ships = list(transports)
    room, large = (sum(SHIPS[s].lift for s in ships if s in some) for some in (ships, big(ships)))
    count, going = 0, list[str]()
    for unit in units:
        size, division = own.ground[unit].steps, GROUND[unit].size == "D"
        if size <= (min(room, large) if division else room) and count < steps:
            going.append(unit)
            room, count = room - size, count + size
            large -= size if division else 0
    return going


def big(ships: Iterable[str]) -> list[str]:
    """Return the ships that carry divisions too: transports."""
    return [ship for ship in ships if SHIPS[ship].cls == "AA"]


def staffs(own: Screen, port: str, ships: Iterable[str], units: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield the headquarters that command a port, ships and troops there, with their points."""
    means = own.means
    if means is None:
        return
    nations = [group for group in ({SHIPS[s].nat for s in ships}, {GROUND[u].nat for u in units}) if group]
    for hq, hexes in means.links.items():
        if LOCATIONS[port].hex in hexes and all(set(HEADQUARTERS[hq].nats) & group for group in nations):
            pool = means.fop if HEADQUARTERS[hq].fop else 0
            yield hq, means.points.get(hq, 0) + pool


def best_plan(table: Table, *, funded: bool = True) -> Plan | None:
    """Return the landing that promises most; before it begins it must be `funded`, if asked."""
    own = table.own
    if own is None or own.means is None or table.war is None:
        return None
    operation = table.war.operation
    leader = operation.hq if operation and operation.player == own.side else ""
    ports = in_ports(table, own)
    begun = [port for port, (ships, _) in ports.items() if any(own.ships[one].tf for one in ships)]
    funds = 0 if leader or begun or not funded else LEAST
    found = [*landings(table, own, {port: ports[port] for port in begun or ports}, leader, funds)]
    if not begun:
        found += pressing(table, own, leader, funds)
    return max(found, key=lambda plan: plan.value, default=None)


def landings(
    table: Table, own: Screen, ports: Mapping[str, tuple[list[str], list[str]]], leader: str, funds: int
) -> Iterator[Plan]:
    """Yield the best landing from each port by each headquarters with so many points, or by the `leader`."""
    places = prospects(table, own)
    for port, (ships, units) in sorted(ports.items()):
        for hq, points in sorted(staffs(own, port, ships, units), key=lambda one: (-one[1], one[0])):
            if units and hq == (leader or hq) and points >= funds:
                plan = _from(table, own, port, hq, places, (ships, units))
                if plan is not None:
                    yield plan


def pressing(table: Table, own: Screen, leader: str, funds: int) -> Iterator[Plan]:
    """Yield the fights ashore that go on with the troops that are there, without ships."""
    foe: SideId = "AL" if own.side == "JP" else "JP"
    for place, base in table.locations.items():
        if not contested(table, place):
            continue
        units = sorted(u for u, g in own.ground.items() if g.hex == base.hex and not g.broken and g.steps)
        steps = sum(own.ground[unit].steps for unit in units)
        if not units or steps < ABLE * garrison(table, place, foe):
            continue
        for hq, points in staffs(own, place, (), units):
            if hq == (leader or hq) and points >= funds:
                yield Plan(place, "", hq, (), tuple(units), 0, swing(table, place) * PRESSED)


def _from(
    table: Table,
    own: Screen,
    port: str,
    hq: str,
    places: Iterable[Prospect],
    there: tuple[list[str], list[str]],
) -> Plan | None:
    """Return the best landing from a port that a headquarters can lead."""
    nations = HEADQUARTERS[hq].nats
    ours = [ship for ship in there[0] if SHIPS[ship].nat in nations]
    ships = [*big(ours)[:TRANSPORTS], *(ship for ship in ours if ship not in big(ours))]
    ships = ships[: len(big(ships)) + RUNNERS]
    units = [unit for unit in there[1] if GROUND[unit].nat in nations]
    able = sum(own.ground[unit].steps for unit in loaded(own, ships, units, NEVER))
    near = ways(LOCATIONS[port].coast or "", table.scenario)
    best: tuple[float, str, int, int] = (WORTH_IT, "", 0, 0)
    for one in places:
        far = near.get(one.shore)
        if 0 < far <= LONGEST and one.needed <= able:
            best = max(best, (one.promise(far), one.place, far, one.needed))
    value, goal, far, steps = best
    if not goal:
        return None
    more = STAY if swing(table, goal) >= GREAT else MORE
    going = loaded(own, ships, units, steps + more)
    return Plan(goal, port, hq, tuple(fewest(own, ships, going)), tuple(going), far, value)


def fewest(own: Screen, ships: Iterable[str], units: Iterable[str]) -> list[str]:
    """Return as many transports as the troops need, those at sea first."""
    left, taken = sum(own.ground[unit].steps for unit in units), list[str]()
    for ship in sorted(ships, key=lambda one: (SHIPS[one].cls != "AA", not own.ships[one].tf, one)):
        if left > 0:
            taken.append(ship)
            left -= SHIPS[ship].lift
    return taken
