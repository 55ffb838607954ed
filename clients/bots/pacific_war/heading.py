"""What an Operation that is under way is about: where the troops at sea go, or where it is fought ashore.

Who leads it knows by his own troops; who answers it guesses by what he has that the enemy is near.
Deliberately absent: what a landing needs (`plans`).
"""

from typing import Final

from clients.bots.pacific_war.objectives import contested, shore, swing
from clients.bots.pacific_war.plans import Plan, goal_from, marched, rendezvous
from clients.bots.pacific_war.table import Table
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.sight.shown import Screen

CONTACT: Final = ("5.1.R", "5.1.T")
"""The phases of contact movement."""
NEAR: Final = 8
"""Hexes from enemy task forces within which a place of ours may be what they come for."""
CLOSER: Final = 0.1
"""What each of these hexes takes off the worth of a place, as a part of it."""


def goal(table: Table, plan: Plan | None) -> str:
    """Return the place that the Operation under way is about, or an empty string; `plan` before it sails."""
    own = table.own
    operation = table.war.operation if table.war else None
    if operation is None or own is None:
        return ""
    if operation.player != own.side:
        return menaced(table, own)
    if table.phase == "5.1.P":
        return plan.goal if plan else ""
    return bound(table, own) or fought(table, own) or afoot(table, own) or joined(table)


def bound(table: Table, own: Screen) -> str:
    """Return where the troops at sea go, those of the task force with most of them, or an empty string."""
    steps = dict[str, int]()
    for ground in own.ground.values():
        for ship, count in ground.aboard.items():
            tf = own.ships[ship].tf if ship in own.ships else ""
            if tf in table.tfs:
                steps[tf] = steps.get(tf, 0) + count
    if not steps:
        return ""
    most = max(steps, key=lambda tf: (steps[tf], tf))
    return goal_from(table, table.tfs[most].node, sum(steps.values()))


def joined(table: Table) -> str:
    """Return where transports that sail empty are to join others, in contact movement, or an empty string."""
    to = rendezvous(table) if table.phase in CONTACT else None
    return to.port if to else ""


def fought(table: Table, own: Screen) -> str:
    """Return the place of most worth at which Activated troops of ours fight, or an empty string."""
    fighting = {one.hex for one in own.ground.values() if one.hex and one.steps and not one.inactive}
    places = [p for p, base in table.locations.items() if base.hex in fighting and contested(table, p)]
    return max(places, key=lambda place: (swing(table, place), place), default="")


def afoot(table: Table, own: Screen) -> str:
    """Return where Activated troops march to in the time that is paid for, or an empty string."""
    operation = table.war.operation if table.war else None
    if operation is None or operation.days >= operation.planned:
        return ""
    return marched(table, own)


def menaced(table: Table, own: Screen) -> str:
    """Return the place that the enemy's Operation is likely to be about: ours, near him, worth much."""
    foes = [one.node for one in table.tfs.values() if one.side != own.side]
    rows = [
        (value, place)
        for place, base in table.locations.items()
        if (base.control == own.side or contested(table, place)) and shore(place)
        if (value := _pull(table, place, foes)) > 0
    ]
    return max(rows, default=(0.0, ""))[1]


def _pull(table: Table, place: str, foes: list[str]) -> float:
    if contested(table, place):
        return swing(table, place)
    far = min((distance(LOCATIONS[place].hex, foe) for foe in foes), default=NEAR)
    return swing(table, place) * CLOSER * (NEAR - far)
