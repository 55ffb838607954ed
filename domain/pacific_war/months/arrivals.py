"""P14 Reinforcements: headquarters come back, then ships from the Penalty box, then units that are new.

Units are placed one after the other by id (P0.5), and must be placed while there is a place. Points of the
schedule, bombing points and forts are in `points_of_month`, emergency links in `lifelines`, submarines in
`commands`.
"""

from collections.abc import Callable, Iterable, Sequence

from domain.kernel.procedures import Decision
from domain.pacific_war.board import room
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS, Arrival, of_side
from domain.pacific_war.board.charts import AIR, ALLIES, BOXES, GROUND, GROUPS, LOCATIONS, SHIPS, SIDES
from domain.pacific_war.board.room import friendly
from domain.pacific_war.board.table import (
    Air,
    Ground,
    Open,
    Own,
    Ship,
    Sight,
    Table,
    aboard,
    based,
)
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import reached_places
from domain.pacific_war.decisions.dispositions import PlaceHQ, PlaceReinforcement, To
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.intelligence import meet
from domain.pacific_war.facts.months import MeansAre, PostIs, war
from domain.pacific_war.months.desk import Chapter, Desk

HOME = "tokyo"
"""P14.1: where Japanese units come if no other place takes them."""

# P11.2.1: headquarters that were disbanded, or are new


def leave(table: Table, side: int) -> None:
    """Let the headquarters of a side leave whose last month is over (P11.2.1.3); their points are lost."""
    board = war(table.open)
    gone = [hq for hq in sorted(board.posts) if of_side(hq) == side and HEADQUARTERS[hq].end == board.month]
    for hq in gone:
        table.record(PostIs(hq, Post(), "leaves the war"))
    if left := {hq: 0 for hq in gone if table.own[side].means.points.get(hq)}:
        table.record(MeansAre(side, points=left, why="after a headquarters has left"))


def homecomings(sight: Sight, _desk: Desk) -> list[Decision]:
    """Return the headquarters that may be placed, and where: at a listed site that is friendly, or a box."""
    board = sight.open
    return [
        PlaceHQ(hq, site)
        for hq, post in sorted(war(board).posts.items())
        if of_side(hq) == sight.side and not post.site and "" < post.returns <= war(board).month
        for site in sorted((HEADQUARTERS[hq].site, *HEADQUARTERS[hq].alternate_sites))
        if site in BOXES
        or (friendly(board, sight.side, site) and (board.bases[site].port or board.bases[site].airbase))
    ]


def place_hq(table: Table, _side: int, desk: Desk, decision: Decision) -> Desk:
    """Place a headquarters."""
    assert isinstance(decision, PlaceHQ)
    table.record(PostIs(decision.hq, Post(decision.site), "is placed again"))
    return desk


# P20.2.3: units of the Penalty box


def released(sight: Sight) -> Iterable[str]:
    """Return the ships that may leave the Penalty box this month, by id."""
    months = sight.own.means.penalty
    return sorted(ship for ship, month in months.items() if month <= war(sight.open).month)


def harbours(sight: Sight, ship: str) -> list[str]:
    """Return the friendly, Linked ports with room for a ship, and ashore for its cargo (P20.2.3, P2.7)."""
    own, places = sight.own, reached_places(sight.open, sight.own, sight.side)
    berths = room.berths(sight.open, own, places)
    steps = sum(own.ground[unit].steps for unit in aboard(own, [ship]))
    left = room.quarters(own, places) if steps else {}
    return [place for place in places if place in berths and left.get(place, 0) >= steps]


def come_back(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Let a ship of the Penalty box into a port, where its cargo lands."""
    assert isinstance(decision, To)
    ship, place, own = desk.picked[0], decision.place, table.own[side]
    spot = LOCATIONS[place].hex
    now = Changes(table, "back from the Penalty box")
    now.ship(ship, port=place, active=False)
    for unit in based(own, ship):
        now.aircraft(unit, active=False, ready=0, cap=0)
    for unit in aboard(own, [ship]):
        now.troops(unit, hex=spot, aboard={}, active=False)
    now.record()
    meet(table, spot)
    table.record(MeansAre(side, penalty={ship: ""}, why="out of the Penalty box"))
    return desk.did(f"placed:{ship}")


# P14.1: arrivals


def enter(table: Table, side: int) -> None:
    """Let the units of the month wait for their places; bars of other months are over (P14.1)."""
    means = table.own[side].means
    new = [unit for row in _rows(table, side) for unit in row.units]
    barred = dict.fromkeys(means.barred, 0)
    if new or barred:
        waiting = (*means.waiting, *new)
        table.record(MeansAre(side, waiting=waiting, barred=barred, why="with what has come"))


def _rows(table: Table, side: int) -> list[Arrival]:
    """Return what comes for a side this month."""
    rows = CAMPAIGNS[table.open.scenario].reinforcements
    return [row for row in rows if row.side == SIDES[side] and row.month == war(table.open).month]


def due(sight: Sight) -> Iterable[str]:
    """Return the units that wait for their places, by id."""
    return sorted(sight.own.means.waiting)


def berths(sight: Sight, unit: str) -> list[str]:
    """Return where a unit may come: its listed base or box, else all friendly, Linked places that take it."""
    board, own = sight.open, sight.own
    rows = CAMPAIGNS[board.scenario].reinforcements
    listed = next(row.at for row in rows if unit in row.units)
    if listed in BOXES and room.takes(board, own, listed, unit):
        return [listed]
    fit = _fits(board, own, unit, reached_places(board, own, sight.side))
    return [listed] if listed in fit else [*fit, *_refuges(sight, unit, fit)]


def _refuges(sight: Sight, unit: str, fit: Sequence[str]) -> list[str]:
    """Return where a unit of the war may come beside the Linked places that take it (P14.1).

    An Allied one may come to any box of its nation; a Japanese one, if nothing else takes it, to Tokyo or
    else to the nearest port of the homeland that is friendly and has room, Linked or not.
    """
    board, own = sight.open, sight.own
    if not CAMPAIGNS[board.scenario].strategic:
        return []
    if sight.side == ALLIES:
        boxes = [box.id for box in BOXES.values() if not box.air_only]
        return [box for box in boxes if room.takes(board, own, box, unit)]
    tokyo = LOCATIONS[HOME].hex
    homes = sorted(
        (distance(LOCATIONS[place].hex, tokyo), place)
        for place, base in board.bases.items()
        if LOCATIONS[place].homeland and base.port and base.control == sight.side
    )
    return _fits(board, own, unit, [place for _, place in homes])[:1] if not fit else []


def _fits(board: Open, own: Own, unit: str, places: Sequence[str]) -> list[str]:
    """Return which of these locations have the port, the airbase or the room that a unit needs."""
    if unit in SHIPS:
        roomy = room.berths(board, own, places)
    elif unit in AIR:
        roomy = room.hangars(board, own, places)
    else:
        left = room.quarters(own, places)
        roomy = frozenset(place for place in places if left[place] >= GROUND[unit].steps)
    return [place for place in places if place in roomy]


def arrive(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Place a unit with all its steps, a carrier with her group; some may not be activated at once."""
    assert isinstance(decision, To)
    unit, place, means = desk.picked[0], decision.place, table.own[side].means
    spot = place if place in BOXES else LOCATIONS[place].hex
    now = Changes(table, "come as reinforcements")
    if unit in SHIPS:
        now.come(unit, Ship(port=place, active=False))
        if unit in GROUPS:
            group = AIR[GROUPS[unit]]
            now.come(group.id, Air(unit, group.steps, group.level, active=False))
    elif unit in AIR:
        now.come(unit, Air(place, AIR[unit].steps, AIR[unit].level, active=False))
    else:
        now.come(unit, Ground(spot, steps=GROUND[unit].steps, active=False))
    now.record()
    meet(table, spot)
    day = next((row.day for row in _rows(table, side) if unit in row.units), 0)
    waiting = tuple(one for one in means.waiting if one != unit)
    table.record(MeansAre(side, waiting=waiting, barred={unit: day}, why="after it has come"))
    return desk.did(f"placed:{unit}")


# both


def one_by_one(
    whose: Callable[[Sight], Iterable[str]], where: Callable[[Sight, str], list[str]]
) -> Callable[[Sight, Desk], list[Decision]]:
    """Return a list of the first unit, by id, that has a place; the others wait for their turn (P0.5)."""

    def first(sight: Sight, _desk: Desk) -> list[Decision]:
        unit = next((unit for unit in whose(sight) if where(sight, unit)), "")
        return [PlaceReinforcement(unit)] if unit else []

    return first


def to(where: Callable[[Sight, str], list[str]]) -> Callable[[Sight, Desk], list[Decision]]:
    """Return a list of the places of the unit that is picked."""
    return lambda sight, desk: [To(place) for place in where(sight, desk.picked[0])]


def picks(_desk: Desk, decision: Decision) -> tuple[str, ...]:
    """Return the unit that is picked: where it goes must follow."""
    return (decision.unit,) if isinstance(decision, PlaceReinforcement) else ()


next_back = one_by_one(released, harbours)
next_new = one_by_one(due, berths)

CHAPTERS = (
    Chapter(
        "11.2.1",
        "Place the headquarters that come to the map.",
        homecomings,
        place_hq,
        enter=leave,
        must=True,
    ),
    Chapter(
        "20.2.3",
        "Place the next ship that comes back from the Penalty box.",
        next_back,
        come_back,
        picks,
        to(harbours),
        lambda picked: f"Choose the port to which [{picked[0]}] comes back from the Penalty box.",
        must=True,
    ),
    Chapter(
        "14.1",
        "Place the next reinforcement.",
        next_new,
        arrive,
        picks,
        to(berths),
        lambda picked: f"Choose where [{picked[0]}] comes.",
        enter,
        must=True,
    ),
)
