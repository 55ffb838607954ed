"""P0.9.1, P13 What the house proposes to carry by strategic transport.

In this order: crippled ships to a dock, on ways that no enemy patrol watches, so that no die is rolled; a
battalion to each place near the enemy that has no troops, from where enough stay; out of the boxes what is
fit. Who lies where transports lie stays there, since he may be meant to go aboard. Deliberately
absent: headquarters, aircraft on the map and troops for an attack, which follow from a plan that the house
does not have.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from domain.kernel.procedures import Decision
from domain.pacific_war.battle import submarines
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import BOXES, LOCATIONS, SHIPS
from domain.pacific_war.board.room import berths
from domain.pacific_war.board.routes import about
from domain.pacific_war.board.table import Ground, Sight, enemy, fit, printed, troop
from domain.pacific_war.command.costs import COSTS
from domain.pacific_war.command.links import linked_to
from domain.pacific_war.decisions.dispositions import BoxTransfer, To, Transport
from domain.pacific_war.months import transfers
from domain.pacific_war.months.desk import Desk
from domain.pacific_war.months.dockyards import A_SIZE
from domain.pacific_war.months.loads import load
from domain.pacific_war.months.placing import best, staffs_of
from domain.pacific_war.months.transport import course, places, spread

NEAR = 10
"""Hexes within which an enemy location threatens a place without troops, and from where some are sent."""
ENOUGH = 3
"""Steps that stay where troops are taken from."""
FAR = 1000
"""More hexes than from anywhere to anywhere: to a box."""


class Move(NamedTuple):
    """What is carried, and where to."""

    pick: Transport | BoxTransfer
    place: str


class Plan:
    """What the seat would see after the moves that are planned so far: they cost points and fill places.

    Each search goes once through what it looks at: a move leaves fewer points and less room to what was
    passed over before it.
    """

    def __init__(self, sight: Sight, desk: Desk) -> None:
        self.sight, self.desk, self.net = sight, desk, spread(sight)
        self.steps = Counter[str]()
        """Hex, or box, to the own ground steps there."""
        for one in sight.own.ground.values():
            self.steps[one.hex] += one.steps

    def add(self, move: Move) -> None:
        """Note that a unit has been carried: its place, and the points that are left."""
        sight, unit, place = self.sight, move.pick.unit, move.place
        own = sight.own
        one = load(sight.open, own, unit)
        assert one is not None
        left, crossing = own.means.transport, own.means.crossing
        boxed = isinstance(move.pick, BoxTransfer)
        if not (boxed and unit in own.ships):
            left = left | {one.purse: left[one.purse] - one.cost}
        if boxed or place in BOXES:
            crossing = crossing | {unit: place}
        now = replace(own, means=replace(own.means, transport=left, crossing=crossing))
        if unit in own.ships:
            now.ships = own.ships | {unit: replace(own.ships[unit], port=place)}
        elif unit in own.air:
            now.air = own.air | {unit: replace(own.air[unit], home=place)}
        else:
            ground = own.ground[unit]
            now.ground = own.ground | {unit: replace(ground, hex=LOCATIONS[place].hex)}
            self.steps[ground.hex] -= ground.steps
            self.steps[LOCATIONS[place].hex] += ground.steps
        self.sight, self.desk = replace(sight, own=now), self.desk.did(f"carried:{unit}")

    def moved(self, unit: str) -> bool:
        """Return whether a unit has been carried this month, or is to be."""
        return f"carried:{unit}" in self.desk.done


def carried(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Yield what is carried, each unit and then its place; if a unit is picked, its place comes first."""
    return islice(_picks(sight, replace(desk, picked=())), 1 if desk.picked else 0, None)


def _picks(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Yield all picks, the most urgent first."""
    plan = Plan(sight, desk)
    for move in _moves(plan):
        yield move.pick
        yield To(move.place)
        plan.add(move)


def _moves(plan: Plan) -> Iterator[Move]:
    """Yield what is carried; troops that come out of a box may spare others there a garrison.

    Nobody waits for the room that these leave: an entry port holds 60 steps (P2.7), and where so many are,
    all were spared before.
    """
    yield from _to_docks(plan)
    yield from _garrisons(plan, plan.sight.own.ground)
    for move in _out_of_boxes(plan):
        yield move
        ground = plan.sight.own.ground
        if move.pick.unit in ground:
            spot = ground[move.pick.unit].hex
            yield from _garrisons(plan, [unit for unit, one in ground.items() if one.hex == spot])


# crippled ships


def _to_docks(plan: Plan) -> Iterator[Move]:
    """Yield crippled ships that lie where no dock has room for them, those of most worth first."""
    board, own = plan.sight.open, plan.sight.own
    hurt = [
        ship
        for ship, one in own.ships.items()
        if one.port in LOCATIONS and not fit(board, own, ship) and not plan.moved(ship)
    ]
    if not hurt:
        return
    watched = frozenset[str]().union(*submarines.zones(board, enemy(plan.sight.side)).values())
    clear = [ship for ship in hurt if LOCATIONS[own.ships[ship].port].hex not in watched]
    for ship in sorted(clear, key=lambda one: (-COSTS[printed(board, one).cls], one)):
        sight, port = plan.sight, own.ships[ship].port
        if _docks(sight, port) >= 0:
            continue
        net = plan.net._replace(berths=berths(board, sight.own, plan.net.goals))
        docks = [
            place
            for place in places(sight, ship, net)
            if _docks(sight, place) > 0 and (place in BOXES or LOCATIONS[place].hex not in watched)
        ]
        for place in sorted(docks, key=partial(_far, port)):
            if watched.isdisjoint(node[:4] for node in course(sight, ship, place)):
                yield Move(Transport(ship), place)
                break


def _docks(sight: Sight, place: str) -> int:
    """Return how many ships more a dry dock or a box can repair in a month; below 0 so many too many."""
    size = BOXES[place].dock if place in BOXES else LOCATIONS[place].dock
    base = sight.open.bases.get(place)
    if base is not None and 2 * base.port_damage >= base.port:
        size = 0
    return A_SIZE * size - sum(ship.port == place and ship.damage > 0 for ship in sight.own.ships.values())


def _far(port: str, place: str) -> tuple[int, str]:
    """Return the hexes from a port to another, and its id; a box is further than all of them."""
    return (FAR if place in BOXES else distance(LOCATIONS[port].hex, LOCATIONS[place].hex)), place


# garrisons


def _garrisons(plan: Plan, units: Iterable[str]) -> Iterator[Move]:
    """Yield for each place that has no troops the nearest of these whose staffs have a link there."""
    board, own = plan.sight.open, plan.sight.own
    able = {unit: own.ground[unit] for unit in _spare(plan, units)}
    for place in _exposed(plan.sight) if able else ():
        spot = LOCATIONS[place].hex
        if plan.steps[spot]:
            continue
        near = sorted(
            (hexes, unit) for unit, one in able.items() if (hexes := distance(one.hex, spot)) <= NEAR
        )
        for _, unit in near:
            linked = any(linked_to(own, hq, spot) for hq in staffs_of(board, unit))
            if linked and _enough(plan, able[unit]) and place in places(plan.sight, unit, plan.net):
                yield Move(Transport(unit), place)
                del able[unit]
                break


def _spare(plan: Plan, units: Iterable[str]) -> list[str]:
    """Return which of these are battalions of plain troops from where enough stay and no transports lie."""
    board, own = plan.sight.open, plan.sight.own
    plain = [
        unit
        for unit in units
        if troop(board, unit).size == "B"
        and not troop(board, unit).flags
        and own.ground[unit].steps
        and own.ground[unit].hex not in {"", *BOXES}  # neither aboard nor in a box
        and _enough(plan, own.ground[unit])
        and not plan.moved(unit)
    ]
    if not plain:
        return []
    loading = {
        LOCATIONS[one.port].hex
        for ship, one in own.ships.items()
        if one.port in LOCATIONS and SHIPS[ship].cls == "AA"
    }
    return [unit for unit in plain if own.ground[unit].hex not in loading]


def _enough(plan: Plan, ground: Ground) -> bool:
    """Return whether enough stay where a unit leaves."""
    return plan.steps[ground.hex] - ground.steps >= ENOUGH


def _exposed(sight: Sight) -> list[str]:
    """Return the own places with an installation that the enemy is near to, those of most worth first."""
    board, side = sight.open, sight.side
    near = _threatened(frozenset(place for place, base in board.bases.items() if base.control != side))
    found = [
        (not LOCATIONS[place].resource, -base.port - base.airbase, place)
        for place, base in board.bases.items()
        if base.control == side and (LOCATIONS[place].resource or base.port or base.airbase) and place in near
    ]
    return [place for _, _, place in sorted(found)]


@lru_cache(8)
def _threatened(theirs: frozenset[str]) -> frozenset[str]:
    """Return the locations near enemy ones; this hangs on who controls what, which a month seldom changes."""
    return frozenset[str]().union(*(about(place, NEAR) for place in theirs))


# boxes


def _out_of_boxes(plan: Plan) -> Iterator[Move]:
    """Yield what lies in a box and is fit, with the entry port where the house would place it."""
    own = plan.sight.own
    boxed = [
        *(unit for unit, ship in own.ships.items() if ship.port in BOXES and not ship.damage),
        *(unit for unit, air in own.air.items() if air.home in BOXES),
        *(unit for unit, ground in own.ground.items() if ground.hex in BOXES),
    ]
    for unit in sorted(boxed):
        ports = [place for place in transfers.destinations(plan.sight, unit) if place not in BOXES]
        if ports:
            yield Move(BoxTransfer(unit), best(plan.sight, unit, ports))
