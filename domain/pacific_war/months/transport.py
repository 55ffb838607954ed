"""P13 Strategic transport: units and headquarters are carried from one friendly, Linked place to another.

Points come in purses: Japan has one, the Allies one of the United States, which also carries headquarters
and the Chinese, and one of the Commonwealth, which also carries the Dutch. What may be carried is in `loads`,
the boxes are in `transfers`.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from domain.kernel.procedures import Decision
from domain.pacific_war.battle import submarines
from domain.pacific_war.board.boxes import admits
from domain.pacific_war.board.campaigns import HEADQUARTERS, of_side
from domain.pacific_war.board.charts import BOXES, JAPAN, LOCATIONS, SIDES, TABLES
from domain.pacific_war.board.room import berths, friendly, hangars, quarters
from domain.pacific_war.board.routes import Ways, airbases, carries, flights, sails, way, ways
from domain.pacific_war.board.table import Sight, Table, based, fit
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import FROM_HOME, linked_places
from domain.pacific_war.decisions.dispositions import BoxTransfer, MoveHQ, To, Transport
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.months import MeansAre, PostIs, war
from domain.pacific_war.months import transfers
from domain.pacific_war.months.desk import Chapter, Desk, quiet_place
from domain.pacific_war.months.loads import hide, load, pay
from domain.pacific_war.months.schedule import transport_points

HQ_COST: int = TABLES["strategic_transport"]["costs"]["hq"]
HQ_PORT = 3
"""P11.2.1: size of a port that takes a headquarters which is not on its list."""


class Net(NamedTuple):
    """Where a side can carry anything, searched once for all that it may carry."""

    ends: frozenset[str]
    """Friendly Linked places."""
    goals: frozenset[str]
    """Those of them without enemies."""
    ways: Ways
    fields: frozenset[str]
    """Friendly airbases, over which aircraft fly on."""
    berths: frozenset[str]
    """Goals with room for a ship."""
    hangars: frozenset[str]
    """Goals with room for an air unit."""
    rooms: dict[str, int]
    """Goal to the ground steps for which it has room."""


def enter(table: Table, side: int) -> None:
    """Give a side the transport points of the month (P13.1); who was on the way to a box arrives."""
    transfers.arrive(table, side)
    points = transport_points(table.open)
    mine = {name: count for name, count in points.items() if name.startswith(SIDES[side])}
    table.record(MeansAre(side, transport=mine, why="for strategic transport"))


def options(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Yield the units and headquarters that can be carried somewhere."""
    own, net = sight.own, spread(sight)
    units = sorted((*own.ships, *own.air, *own.ground))
    units = [unit for unit in units if f"carried:{unit}" not in desk.done]
    hqs = sorted(war(sight.open).posts)
    yield from (Transport(unit) for unit in units if places(sight, unit, net))
    yield from (MoveHQ(hq) for hq in hqs if f"moved:{hq}" not in desk.done and sites(sight, hq, net))
    yield from (BoxTransfer(unit) for unit in units if transfers.destinations(sight, unit))


def open_ends(sight: Sight, _desk: Desk, options: Sequence[Decision]) -> list[Decision]:
    """Return the first picks that can go to more than one place."""
    net = spread(sight)
    return [one for one in options if len(_ends(sight, one, net)) > 1]


def _ends(sight: Sight, decision: Decision, net: Net) -> Collection[str]:
    match decision:
        case Transport(unit):
            return places(sight, unit, net)
        case MoveHQ(hq):
            return sites(sight, hq, net)
        case BoxTransfer(unit):
            return transfers.destinations(sight, unit)
    return ()


def seconds(sight: Sight, desk: Desk) -> list[Decision]:
    """Return where what was picked can go, by id."""
    what, one = desk.picked
    pick = MoveHQ(one) if what == "hq" else BoxTransfer(one) if what == "box" else Transport(one)
    return [*map(To, sorted(_ends(sight, pick, spread(sight))))]


def picks(_desk: Desk, decision: Decision) -> tuple[str, ...]:
    """Return what is picked: where it goes must follow."""
    match decision:
        case Transport(unit):
            return "unit", unit
        case MoveHQ(hq):
            return "hq", hq
        case BoxTransfer(unit):
            return "box", unit
    return ()


def spread(sight: Sight) -> Net:
    """Return what is the same for all that a side may carry."""
    board, own, side = sight.open, sight.own, sight.side
    reached = linked_places(own) | FROM_HOME[side]
    ends = frozenset(p for p in board.bases if friendly(board, side, p) and LOCATIONS[p].hex in reached)
    goals = frozenset(place for place in ends if quiet_place(board, side, place))
    return Net(
        ends,
        goals,
        ways(board, own, side),
        airbases(board, side),
        berths(board, own, goals),
        hangars(board, own, goals),
        quarters(own, goals),
    )


def places(sight: Sight, unit: str, net: Net) -> Collection[str]:
    """Return where a unit can be carried: a crippled ship to boxes too (P13.1, P13.2.2, P13.2.3)."""
    board, own = sight.open, sight.own
    if unit in own.ships and fit(board, own, unit):
        return ()
    one = load(board, own, unit)
    if one is None or own.means.transport.get(one.purse, 0) < one.cost or one.origin not in net.ends:
        return ()
    start = LOCATIONS[one.origin]
    if unit in own.ships:
        if not start.coast:
            return ()
        near = sails(own.means.safe, start.coast)
        ports = near & net.goals
        boxes = {box for box in BOXES if admits(box, unit) and one.origin not in BOXES[box].entry}
        return near & net.berths | {box for box in boxes if not ports.isdisjoint(BOXES[box].entry)}
    if unit in own.air:
        return flights(net.fields, unit, one.origin) & net.hangars
    near, steps = carries(net.ways, start.hex), own.ground[unit].steps
    return [goal for goal in near & net.goals if net.rooms[goal] >= steps]


def sites(sight: Sight, hq: str, net: Net) -> list[str]:
    """Return where a headquarters can move (P11.2.1).

    Its own sites need a port or an airbase and a link, others a port of size 3 and a path. Read so: no enemy
    ground unit may be there, as for all that is carried (P13.2.3). From a box it goes to its own sites; a box
    is such a site while one of its entry ports is (R-109).
    """
    board, own, side = sight.open, sight.own, sight.side
    here = war(board).posts[hq].site
    payer = "JP" if side == JAPAN else "AL_US"
    if of_side(hq) != side or here not in {*board.bases, *BOXES}:
        return []
    if own.means.transport.get(payer, 0) < HQ_COST:
        return []
    listed = (HEADQUARTERS[hq].site, *HEADQUARTERS[hq].alternate_sites)
    near = carries(net.ways, LOCATIONS[here].hex) if here in net.ends else frozenset[str]()
    boxes = [box for box in listed if box in BOXES and box != here]
    return [box for box in boxes if not net.goals.isdisjoint(BOXES[box].entry)] + [
        place
        for place in net.goals - {here}
        for base in (board.bases[place],)
        if (place in listed and (base.port or base.airbase)) or (base.port >= HQ_PORT and place in near)
    ]


def take(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Carry what was picked; a crippled ship sails by P13.2.5."""
    assert isinstance(decision, To)
    board, own, place = table.open, table.own[side], decision.place
    what, one = desk.picked
    if what == "hq":
        pay(table, side, "JP" if side == JAPAN else "AL_US", HQ_COST)
        table.record(PostIs(one, Post(place), "moves"))
        return desk.did(f"moved:{one}")
    if what == "box":
        transfers.transfer(table, side, one, place)
        return desk.did(f"carried:{one}")
    given = load(board, own, one)
    assert given is not None
    pay(table, side, given.purse, given.cost)
    after = desk.did(f"carried:{one}")
    if one in own.ships:
        return replace(after, sailing=(one, place))
    hide(table, one)
    now = Changes(table, "carried by strategic transport")
    if one in own.air:
        now.aircraft(one, home=place)
    else:
        now.troops(one, hex=LOCATIONS[place].hex)
    now.record()
    return after


def voyage(table: Table, side: int, ship: str, place: str) -> dict[str, int]:
    """Let a crippled ship sail to a port, and return patrols to the points they are to lose (P13.2.5).

    Every patrol whose zone the path crosses attacks once, by hex. Read so: the port it leaves counts. Into a
    box it goes by the nearest entry port.
    """
    own = table.own[side]
    hexes = {node[:4] for node in course(Sight(side, side, table.open, own), ship, place)}
    lost = dict[str, int]()
    for at, zone in submarines.zones(table.open, 1 - side).items():
        if zone & hexes:
            lost[at] = int(submarines.waylay(table, at, ship))
        if not own.ships[ship].port:
            return lost
    if place in BOXES:
        transfers.enter(table, side, ship, place)
        return lost
    hide(table, ship, *based(own, ship))
    now = Changes(table, "carried by strategic transport")
    now.ship(ship, port=place)
    now.record()
    return lost


def course(sight: Sight, ship: str, place: str) -> tuple[str, ...]:
    """Return the nodes of the way of a crippled ship to a port, for a box to its entry port (P13.2.5)."""
    own = sight.own
    origin = own.ships[ship].port
    if place not in BOXES:
        return way(own, origin, place)
    coast, goals = LOCATIONS[origin].coast, spread(sight).goals
    assert coast is not None
    near = sails(own.means.safe, coast)
    ways = [way(own, origin, port) for port in sorted(BOXES[place].entry) if port in near and port in goals]
    return min(ways, key=len)


CHAPTERS = (
    Chapter(
        "13.1",
        "Choose what is carried by strategic transport, or be done.",
        options,
        take,
        picks,
        seconds,
        lambda picked: f"Choose where [{picked[1]}] goes.",
        enter,
        forks=open_ends,
    ),
)
