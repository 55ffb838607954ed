"""The landing that promises a side most: where to, from which port, with whom, paid by which headquarters.

A plan is drawn up anew from what the side sees whenever it is asked for; what is Activated already and still
in port is part of it. Deliberately absent: how it is carried out (`staff`, `voyages`, `landing`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from clients.bots.pacific_war.harbours import (
    RUNNERS,
    TRANSPORTS,
    Ports,
    big,
    fewest,
    idle_lift,
    in_ports,
    loaded,
    staffs,
    transports,
    waiting,
)
from clients.bots.pacific_war.marches import Column, columns
from clients.bots.pacific_war.objectives import (
    GREAT,
    airfields,
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
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS
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
ON_FOOT: Final = 0.12
"""The same for a hex of a march, in which a fleet would sail six."""
A_STEP: Final = 0.02
"""The same for a step of its garrison."""
WORTH_IT: Final = 2.0
"""The points that a place must promise in a campaign, way and garrison considered."""
WORTH_A_WAR: Final = 0.5
"""The same in the war, where Command Points that are not spent are lost with the month (P10.3)."""
LONGEST: Final = 30
"""Hexes of a way that a landing goes, at most."""
LEAST: Final = 10
"""The Command Points without which no landing is begun."""
BEFORE: Final = 0.5
"""What it is worth to bring the transports together for a landing, as a part of what that promises."""


class Plan(Struct, frozen=True):
    """A landing: `far` is the way in hexes, `value` the points that it promises.

    Without troops it brings transports together: the goal is the port where others wait. Without a port it is
    a march, `far` over land, or a fight ashore that goes on.
    """

    goal: str
    port: str
    hq: str
    transports: tuple[str, ...]
    troops: tuple[str, ...]
    far: int
    value: float


def needed(table: Table, own: Screen, place: str, lift: Mapping[str, int]) -> int:
    """Return the steps that are to land at a place, those of ours that are there counted.

    `lift` is what transports in the own ports wait for.
    """
    foe = garrison(table, place, "AL" if own.side == "JP" else "JP")
    if not foe and table.locations[place].control == own.side:
        return wanted(table, place) + lift.get(place, 0) - manned(table, place)
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


class Prospect(Struct, frozen=True):
    """A place to which troops may go, whoever carries them and from wherever."""

    place: str
    shore: str
    needed: int
    """The steps that are to land."""
    hostile: bool
    """Whether the enemy holds it, or has troops there."""
    worth: float
    """The points that it promises, way and risk apart."""
    risk: float
    """The part of that which aircraft ashore are likely to cost."""

    def promise(self, far: int) -> float:
        """Return the points that it promises from so far."""
        return self.worth * max(0.0, 1 - A_HEX * far - self.risk)


def prospects(table: Table, own: Screen) -> list[Prospect]:
    """Return the places to which troops may go: the enemy's, and own ones that lack troops."""
    if "prospects" not in table.notes:
        table.notes["prospects"] = _prospects(table, own)
    found: list[Prospect] = table.notes["prospects"]
    return found


def _prospects(table: Table, own: Screen) -> list[Prospect]:
    foe: SideId = "AL" if own.side == "JP" else "JP"
    fields, lift = airfields(table, foe), idle_lift(own)
    hostile = [
        (place, True, swing(table, place) * max(0.1, 1 - A_STEP * garrison(table, place, foe)))
        for place in open_to(table, own.side)
    ]
    ours = [
        (place, False, max(swing(table, place) * RELIEVED * lacks, GATHERED * (place in lift)))
        for place in short(table, own)
        for lacks in (manned(table, place) < wanted(table, place),)
    ]
    return [
        Prospect(place, shore(place), needed(table, own, place, lift), held, worth, exposure(place, fields))
        for place, held, worth in (*hostile, *ours)
    ]


def least(table: Table) -> float:
    """Return what a place must promise."""
    return WORTH_A_WAR if CAMPAIGNS[table.scenario].strategic else WORTH_IT


def goal_from(table: Table, node: str, steps: int) -> str:
    """Return where so many steps that are at sea at a node promise most, or an empty string.

    They go to where transports wait for troops only if nothing else is worth it: else they would go ashore in
    the port from which they have just put to sea.
    """
    own = table.own
    assert own is not None
    near = ways(node, table.scenario)
    best = (False, 0.0, "")
    for one in prospects(table, own):
        far = near.get(one.shore)
        if far == NEVER or one.needed > steps:
            continue
        value, called = one.promise(far), one.hostile or manned(table, one.place) < wanted(table, one.place)
        if value > 0:
            best = max(best, (called and value > least(table), value, one.place))
    return best[2]


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
    some, places = {port: ports[port] for port in begun or ports}, prospects(table, own)
    found = [*landings(table, own, some, places, leader, funds)]
    found += gatherings(table, own, some, leader, funds)
    if not begun:
        found += [*pressing(table, own, leader, funds), *marching(table, own, leader, funds)]
    return max(found, key=lambda plan: plan.value, default=None)


def landings(
    table: Table, own: Screen, ports: Ports, places: Sequence[Prospect], leader: str, funds: int
) -> Iterator[Plan]:
    """Yield the best landing from each port by each headquarters with so many points, or by the `leader`."""
    for port, (ships, units) in sorted(ports.items()):
        for hq, points in sorted(
            staffs(own, LOCATIONS[port].hex, ships, units), key=lambda one: (-one[1], one[0])
        ):
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
        for hq, points in staffs(own, base.hex, (), units):
            if hq == (leader or hq) and points >= funds:
                yield Plan(place, "", hq, (), tuple(units), 0, swing(table, place) * PRESSED)


def marching(table: Table, own: Screen, leader: str, funds: int) -> Iterator[Plan]:
    """Yield the marches to places of the enemy, by those who have so many points, or by the `leader`."""
    for column in columns(table, own):
        for hq, points in staffs(own, column.spot, (), column.units):
            if hq == (leader or hq) and points >= funds:
                nations = HEADQUARTERS[hq].nats
                able = [unit for unit in column.units if GROUND[unit].nat in nations]
                plan = march(table, own, replace(column, units=tuple(able)), hq)
                if plan is not None:
                    yield plan


def march(table: Table, own: Screen, column: Column, hq: str = "") -> Plan | None:
    """Return the march of as many troops of a column as it takes, or None if they are too few."""
    place = column.place
    foe = garrison(table, place, "AL" if own.side == "JP" else "JP")
    value = swing(table, place) * max(0.1, 1 - A_STEP * foe) * (1 - ON_FOOT * column.far)
    steps = needed(table, own, place, {})
    if value <= least(table) or sum(own.ground[unit].steps for unit in column.units) < steps:
        return None
    more = STAY if swing(table, place) >= GREAT else MORE
    going, count = list[str](), 0
    for unit in column.units:
        if count < steps + more:
            going.append(unit)
            count += own.ground[unit].steps
    return Plan(place, "", hq, (), tuple(going), column.far, value)


def marched(table: Table, own: Screen) -> str:
    """Return where Activated troops that are ashore march to, or an empty string."""
    found = [march(table, own, column) for column in columns(table, own, active=True)]
    best = max((one for one in found if one), key=lambda plan: (plan.value, plan.goal), default=None)
    return best.goal if best else ""


class Rendezvous(Struct, frozen=True):
    """The port where transports are to be brought together, as a staff there has troops for a landing."""

    port: str
    hq: str
    room: int
    """The steps that go aboard when the transports are there, divisions broken down (P16.9)."""
    value: float
    """What the landing promises."""


def rendezvous(table: Table) -> Rendezvous | None:
    """Return where a landing that may need transports from several ports promises most."""
    if "rendezvous" not in table.notes:
        table.notes["rendezvous"] = _rendezvous(table)
    found: Rendezvous | None = table.notes["rendezvous"]
    return found


def _rendezvous(table: Table) -> Rendezvous | None:
    own = table.own
    if own is None or own.means is None:
        return None
    ships, found = transports(own), list[Rendezvous]()
    places = [one for one in prospects(table, own) if one.hostile]
    for port, units in sorted(waiting(table, own).items()):
        near = ways(LOCATIONS[port].coast or "", table.scenario)
        hopes = [
            (one.needed, one.promise(far)) for one in places if 0 < (far := near.get(one.shore)) <= LONGEST
        ]
        for hq, _ in sorted(staffs(own, LOCATIONS[port].hex, (), units)):
            nations = HEADQUARTERS[hq].nats
            lift = sum(SHIPS[s].lift for s in [s for s in ships if SHIPS[s].nat in nations][:TRANSPORTS])
            able = min(lift, sum(own.ground[u].steps for u in units if GROUND[u].nat in nations))
            value = max((promise for steps, promise in hopes if steps <= able), default=0.0)
            if value > least(table):
                found.append(Rendezvous(port, hq, able, value))
    return max(found, key=lambda one: one.value, default=None)


def gatherings(table: Table, own: Screen, ports: Ports, leader: str, funds: int) -> Iterator[Plan]:
    """Yield the voyages of transports, empty, to where troops wait for them."""
    to = rendezvous(table)
    if to is None:
        return
    near = ways(LOCATIONS[to.port].coast or "", table.scenario)
    for port, (ships, _) in sorted(ports.items()):
        far = near.get(LOCATIONS[port].coast or "")
        going = [ship for ship in big(ships) if SHIPS[ship].nat in HEADQUARTERS[to.hq].nats][:TRANSPORTS]
        if not going or not 0 < far <= LONGEST:
            continue
        for hq, points in staffs(own, LOCATIONS[port].hex, going, ()):
            if hq == (leader or hq) and points >= funds:
                value = BEFORE * to.value * (1 - A_HEX * far)
                yield Plan(to.port, port, hq, tuple(going), (), far, value)


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
    best: tuple[float, str, int, int] = (least(table), "", 0, 0)
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
