"""P16.6 Ground units that were eliminated and come back: at Tokyo, or in the box of their nation."""

from domain.pacific_war.board.boxes import admits
from domain.pacific_war.board.charts import BOXES, GROUND, JAPAN, LOCATIONS, PARTS
from domain.pacific_war.board.room import friendly
from domain.pacific_war.board.table import Open, Own, Sight, stack_room, troop
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.months.arrivals import HOME
from domain.pacific_war.months.desk import Desk, quiet_place
from domain.pacific_war.months.divisions import living

MOST = 2
"""P16.6: steps with which a ground unit comes back."""
NEVER = frozenset({"para", "engineer"})
"""P16.6: kinds that do not come back."""
DONE = "raised anew"
"""What a desk notes: one unit comes back in a month."""


def raisable(sight: Sight, desk: Desk) -> list[str]:
    """Return the eliminated ground units that can come back, by id, while none has this month."""
    if DONE in desk.done:
        return []
    return [unit for unit in sorted(sight.own.ground) if _gone(sight.own, unit) and home(sight, unit)]


def _gone(own: Own, unit: str) -> bool:
    """Return whether a unit was eliminated: a part of a division does not come back as itself."""
    whole = unit in PARTS or "." not in unit
    alive = own.ground[unit].steps or (unit in PARTS and living(own, unit))
    return whole and not alive and NEVER.isdisjoint(GROUND[unit].flags)


def home(sight: Sight, unit: str) -> str:
    """Return where a unit comes back, a location or a box; or an empty string.

    Of several boxes of a nation it is the first in the order of P13.1, if one of its entry ports is in play.
    """
    board, own = sight.open, sight.own
    if sight.side == JAPAN:
        free = friendly(board, JAPAN, HOME) and quiet_place(board, JAPAN, HOME)
        return HOME if free and stack_room(own, LOCATIONS[HOME].hex) > 0 else ""
    return next((box for box in BOXES if admits(box, unit) and in_play(board, box)), "")


def in_play(open: Open, box: str) -> bool:
    """Return whether one can come from a box onto the map of the scenario."""
    return any(port in open.bases for port in BOXES[box].entry)


def most(sight: Sight, unit: str, left: int) -> int:
    """Return the most steps with which a unit can come back, with so many replacement steps left."""
    place = home(sight, unit)
    room = stack_room(sight.own, LOCATIONS[place].hex) if place in LOCATIONS else MOST
    return min(MOST, left, room, troop(sight.open, unit).max_steps)


def come_back(now: Changes, sight: Sight, unit: str, steps: int) -> None:
    """Let a unit come back."""
    place = home(sight, unit)
    spot = LOCATIONS[place].hex if place in LOCATIONS else place
    now.troops(unit, hex=spot, aboard={}, steps=steps, active=False, broken=False, isolated=False)
