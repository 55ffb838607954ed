"""P13.1, P13.2.4 Transfers into boxes, out of them and between two, which are over next month.

Who goes into a box or out of it is there at once, who goes from one to another when the next P5.1.I begins;
until then they do nothing else (`travelling`).
"""

from domain.pacific_war.board.boxes import beside, whereabouts
from domain.pacific_war.board.charts import ALLIES, BOXES, LOCATIONS
from domain.pacific_war.board.room import berth, hangar, takes
from domain.pacific_war.board.table import Open, Own, Sight, Table, based, stack_room
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.months import MeansAre
from domain.pacific_war.facts.silence import cushion, sealed
from domain.pacific_war.months.desk import quiet_place, ready
from domain.pacific_war.months.loads import hide, load, pay
from domain.pacific_war.months.schedule import strategic

UNITS_AND_MEANS = 2
"""Facts that an arrival seals at most; only Allied units have boxes."""


def arrive(table: Table, side: int) -> None:
    """Let arrive who was on the way from one box to another; nobody is on the way any more.

    As much is sealed whoever was on the way: nobody decides here, and the boxes are secret (P0.4.1).
    """
    own, before = table.own[side], sealed(table)
    if own.means.crossing:
        now = Changes(table, "arrived")
        for unit, place in sorted(own.means.crossing.items()):
            if place in BOXES and whereabouts(own, unit) in BOXES:
                _put(now, own, unit, place)
        now.record()
        over = dict.fromkeys(own.means.crossing, "")
        table.record(MeansAre(side, crossing=over, why="after the transfers"))
    if side == ALLIES and strategic(table.open):
        cushion(table, before, UNITS_AND_MEANS)


def destinations(sight: Sight, unit: str) -> list[str]:
    """Return the boxes and entry ports to which a unit can be transferred, by id.

    The port, whether it comes from there or goes there, is friendly and Linked; where it goes, in a box too,
    there is room, and no enemy ground unit (P13.2.2, P13.2.3).
    """
    board, own, side = sight.open, sight.own, sight.side
    here = whereabouts(own, unit)
    if here not in BOXES and here not in BY_PORT:
        return []
    one = load(board, own, unit)
    if one is None or (unit not in own.ships and own.means.transport.get(one.purse, 0) < one.cost):
        return []
    if here not in BOXES and not ready(board, own, side, here):
        return []
    return [
        place
        for place in beside(here)
        if (takes(board, own, place, unit) if place in BOXES else _open(sight, unit, place))
    ]


BY_PORT = {port: beside(port) for box in BOXES.values() for port in box.entry}
"""P13.1: entry port to its boxes."""


def _open(sight: Sight, unit: str, place: str) -> bool:
    """Return whether a unit can come out of a box at an entry port."""
    board, own, side = sight.open, sight.own, sight.side
    return (
        ready(board, own, side, place) and quiet_place(board, side, place) and _fits(board, own, unit, place)
    )


def _fits(board: Open, own: Own, unit: str, place: str) -> bool:
    if unit in own.ships:
        return berth(board, own, place)
    if unit in own.air:
        return hangar(board, own, place)
    return stack_room(own, LOCATIONS[place].hex) >= own.ground[unit].steps


def transfer(table: Table, side: int, unit: str, place: str) -> None:
    """Transfer a unit; a ship costs nothing (P13.1)."""
    own = table.own[side]
    one = load(table.open, own, unit)
    assert one is not None
    if unit not in own.ships:
        pay(table, side, one.purse, one.cost)
    enter(table, side, unit, place)


def enter(table: Table, side: int, unit: str, place: str) -> None:
    """Let a unit go into a box or out of it at once, or set out for another box (P13.2.4)."""
    own = table.own[side]
    if not (place in BOXES and whereabouts(own, unit) in BOXES):
        hide(table, unit, *(based(own, unit) if unit in own.ships else ()))
        now = Changes(table, "by way of a box")
        _put(now, own, unit, place)
        now.record()
    table.record(MeansAre(side, crossing={unit: place}, why="for a transfer"))


def _put(now: Changes, own: Own, unit: str, place: str) -> None:
    if unit in own.ships:
        now.ship(unit, port=place)
    elif unit in own.air:
        now.aircraft(unit, home=place)
    else:
        now.troops(unit, hex=place if place in BOXES else LOCATIONS[place].hex)
