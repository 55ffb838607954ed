"""P0.9.1, P13 What the house proposes to carry by strategic transport.

In this order: crippled ships to a dock, on ways that no enemy patrol watches, so that no die is rolled; a
battalion to each place near the enemy that has no troops, from where enough stay; out of the boxes what is
fit. Who lies where transports lie stays there, since he may be meant to go aboard. Deliberately
absent: headquarters, aircraft on the map and troops for an attack, which follow from a plan that the house
does not have.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import Final, NamedTuple

from msgspec.structs import replace

from domain.kernel.procedures import Decision
from domain.pacific_war.battle import submarines
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import BOXES, LOCATIONS, SHIPS
from domain.pacific_war.board.room import berths, quarters
from domain.pacific_war.board.table import Sight, enemy, fit, printed, troop
from domain.pacific_war.command.costs import COSTS
from domain.pacific_war.command.links import linked_to
from domain.pacific_war.decisions.dispositions import BoxTransfer, To, Transport
from domain.pacific_war.months import transfers
from domain.pacific_war.months.desk import Desk
from domain.pacific_war.months.dockyards import A_SIZE
from domain.pacific_war.months.loads import load
from domain.pacific_war.months.placing import rank, staffs_of
from domain.pacific_war.months.transport import Net, course, places, spread

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


def carried(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Yield what is carried, each unit and then its place; if a unit is picked, its place comes first."""
    return islice(_picks(sight, replace(desk, picked=())), 1 if desk.picked else 0, None)


def _picks(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Yield all picks, the most urgent first.

    Each leaves fewer points and less room to those before it, so that what was done with is done with; but
    troops that come out of a box may spare others a garrison.
    """
    net, urgent = spread(sight), 0
    while urgent < len(_URGENCY):
        if move := next(_URGENCY[urgent](sight, desk, net), None):
            yield move.pick
            yield To(move.place)
            sight, desk = _after(sight, move), desk.did(f"carried:{move.pick.unit}")
            if isinstance(move.pick, BoxTransfer) and move.pick.unit in sight.own.ground:
                urgent = _URGENCY.index(_garrisons)
        else:
            urgent += 1


def _after(sight: Sight, move: Move) -> Sight:
    """Return what the seat sees when a unit has been carried: its place, and the points that are left."""
    own, unit, place = sight.own, move.pick.unit, move.place
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
        now.ground = own.ground | {unit: replace(own.ground[unit], hex=LOCATIONS[place].hex)}
    return replace(sight, own=now)


# crippled ships


def _to_docks(sight: Sight, desk: Desk, net: Net) -> Iterator[Move]:
    """Yield crippled ships that lie where no dock has room for them, those of most worth first."""
    board, own = sight.open, sight.own
    hurt = [
        ship
        for ship, one in own.ships.items()
        if one.port in LOCATIONS
        and not fit(board, own, ship)
        and f"carried:{ship}" not in desk.done
        and _docks(sight, one.port) < 0
    ]
    if not hurt:
        return
    net = net._replace(berths=berths(board, own, net.goals))
    watched = frozenset[str]().union(*submarines.zones(board, enemy(sight.side)).values())
    clear = [ship for ship in hurt if LOCATIONS[own.ships[ship].port].hex not in watched]
    for ship in sorted(clear, key=lambda one: (-COSTS[printed(board, one).cls], one)):
        docks = [
            place
            for place in places(sight, ship, net)
            if _docks(sight, place) > 0 and (place in BOXES or LOCATIONS[place].hex not in watched)
        ]
        for place in sorted(docks, key=partial(_far, own.ships[ship].port)):
            if watched.isdisjoint(node[:4] for node in course(sight, ship, place)):
                yield Move(Transport(ship), place)


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


def _garrisons(sight: Sight, desk: Desk, net: Net) -> Iterator[Move]:
    """Yield for each place that has no troops the nearest battalion whose staffs have a link there."""
    board, own = sight.open, sight.own
    there = Counter[str]()
    for one in own.ground.values():
        there[one.hex] += one.steps
    able = [unit for unit in _spare(sight, there) if f"carried:{unit}" not in desk.done]
    bare = [place for place in _exposed(sight) if not there[LOCATIONS[place].hex]] if able else []
    if not bare:
        return
    net = net._replace(rooms=quarters(own, net.goals))
    for place in bare:
        spot = LOCATIONS[place].hex
        near = sorted(
            (hexes, unit) for unit in able if (hexes := distance(own.ground[unit].hex, spot)) <= NEAR
        )
        for _, unit in near:
            linked = any(linked_to(own, hq, spot) for hq in staffs_of(board, unit))
            if linked and place in places(sight, unit, net):
                yield Move(Transport(unit), place)
                break


def _spare(sight: Sight, there: Counter[str]) -> Iterator[str]:
    """Yield battalions of plain troops from where enough stay and no transports lie."""
    board, own = sight.open, sight.own
    loading = {
        LOCATIONS[one.port].hex
        for ship, one in own.ships.items()
        if one.port in LOCATIONS and SHIPS[ship].cls == "AA"
    }
    for unit, ground in own.ground.items():
        stay = there[ground.hex] - ground.steps
        if not ground.steps or stay < ENOUGH or ground.hex in BOXES or ground.hex in loading:
            continue
        if troop(board, unit).size == "B" and not troop(board, unit).flags:
            yield unit


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
    hexes = [LOCATIONS[place].hex for place in theirs]
    return frozenset(
        place for place, one in LOCATIONS.items() if any(distance(one.hex, foe) <= NEAR for foe in hexes)
    )


# boxes


def _out_of_boxes(sight: Sight, _desk: Desk, _net: Net) -> Iterator[Move]:
    """Yield what lies in a box and is fit, with the entry port where the house would place it."""
    own = sight.own
    boxed = [
        *(unit for unit, ship in own.ships.items() if ship.port in BOXES and not ship.damage),
        *(unit for unit, air in own.air.items() if air.home in BOXES),
        *(unit for unit, ground in own.ground.items() if ground.hex in BOXES),
    ]
    for unit in sorted(boxed):
        ports = [place for place in transfers.destinations(sight, unit) if place not in BOXES]
        if ports:
            yield Move(BoxTransfer(unit), min(ports, key=partial(rank, sight, unit)))


_URGENCY: Final[tuple[Callable[[Sight, Desk, Net], Iterator[Move]], ...]] = (
    _to_docks,
    _garrisons,
    _out_of_boxes,
)
