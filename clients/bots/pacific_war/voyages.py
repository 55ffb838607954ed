"""Pacific War for a bot: contact movement of a campaign, and the way home (P23.4, P32.1)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.carriers import is_carrier_force
from clients.bots.pacific_war.heading import CONTACT
from clients.bots.pacific_war.objectives import contested, manned
from clients.bots.pacific_war.table import NEVER, ways
from domain.pacific_war.board.atlas import landward
from domain.pacific_war.board.charts import LOCATIONS, PORT_ROOM
from domain.pacific_war.decisions.choices import Continue, EndContact, EndDay, ForceEnd
from domain.pacific_war.decisions.cycle import (
    Deactivate,
    DeactivateTF,
    Done,
    MoveGround,
    MoveTF,
    Pass,
    SailTo,
)

STAND_OFF: Final = 4
"""Hexes from the goal at which carriers wait."""
GIVES_UP: Final = 14
"""Days of overtime after which an Operation is given up."""
CYCLE: Final = 2
"""Days of a battle cycle (P32.3)."""
A_UNIT: Final = 4
"""Activated units for which overtime costs a Command Point (P20.2.5)."""
COME_FOR: Final = 8
"""Steps for whose sake transports go home to a port."""
LARGE: Final = 2
"""The size of a port that fleets go home to."""
FARTHER: Final = 6
"""Hexes that a fleet sails farther to such a port, to one with a link, and transports to troops."""

JOINING: Final = 18
"""The same for empty transports to where others wait for them."""


def aims(board: Board, tf: str) -> int:
    """Return how near to the goal a task force is to come in contact movement.

    A convoy goes so near that it lands in the first cycle, which takes a hex of its allowance.
    """
    if is_carrier_force(board, tf) and not board.laden(tf):
        return STAND_OFF
    return board.allowance(tf) - 1


def contact_goal(board: Board, tf: str) -> str:
    """Return the node that a task force sails towards: the goal, for the Reaction player the enemy."""
    if board.attacks:
        return board.goal_node if board.goal else ""
    foes = [board.node(one) for one in board.foes]
    near = ways(board.node(tf), board.scenario)
    return min(foes, key=lambda node: (near.get(node, NEVER), node), default="")


def approaching(board: Board, tf: str) -> bool:
    """Return whether a task force is not yet where contact movement is to take it."""
    goal = contact_goal(board, tf)
    return bool(goal) and ways(goal, board.scenario).get(board.node(tf), NEVER) > aims(board, tf)


def in_contact(board: Board) -> bool:
    """Return whether a Contact Phase is played."""
    return board.table.phase in CONTACT


def walking(board: Board) -> bool:
    """Return whether Activated troops of this side have farther to march."""
    return board.attacks and any(march_to(board, unit) for unit in board.own.ground)


def march_to(board: Board, unit: str) -> tuple[str, ...]:
    """Return the hexes that bring Activated troops nearer to the goal by land, if there is a way."""
    ground, near = board.own.ground[unit], board.on_foot
    if ground.inactive or ground.broken or not ground.steps or not near.get(ground.hex):
        return ()
    return tuple(spot for spot in landward(ground.hex) if near.get(spot, NEVER) < near[ground.hex])


def march(board: Board, options: Sequence[MoveGround]) -> MoveGround | None:
    """March on the place that is to be taken."""
    if not board.operation or not board.attacks:
        return None
    return next((one for one in options if one.hex in march_to(board, one.unit)), None)


def sortie(board: Board, options: Sequence[MoveTF]) -> MoveTF | None:
    """Sail towards the goal."""
    if not in_contact(board):
        return None
    return next((one for one in options if approaching(board, one.tf)), None)


def sail(board: Board, options: Sequence[SailTo]) -> SailTo | None:
    """Sail towards the goal, no nearer than needed."""
    tf = next((name for name in board.named if name in board.own.fleets), "")
    if not tf:
        return None
    goal = contact_goal(board, tf) if in_contact(board) else home(board, tf) if retires(board, tf) else ""
    if not goal:
        return None
    far, least = ways(goal, board.scenario), aims(board, tf) if in_contact(board) else 0
    return min(options, key=lambda one: (max(far.get(one.node), least), one.node))


def end_day(board: Board, options: Sequence[EndDay]) -> EndDay | None:  # noqa: ARG001
    """End the day: all fleets have sailed."""
    return options[0]


def arrived(board: Board) -> bool:
    """Return whether no task force with troops has farther to go, or none at all where nobody has troops."""
    convoys = [tf for tf in board.own.fleets if board.laden(tf)]
    return not any(approaching(board, tf) for tf in convoys or board.own.fleets)


def end_contact(board: Board, options: Sequence[EndContact]) -> EndContact | None:
    """End the contact movement: the landing is within reach."""
    if any(isinstance(one, EndDay) for one in board.options):
        going = any(approaching(board, tf) for tf in board.own.fleets) or walking(board)
        return None if going else options[0]
    return options[0] if arrived(board) and not walking(board) else None


def go_on(board: Board, options: Sequence[Continue]) -> Continue | None:
    """Go on with another day: the goal is still far."""
    going = any(approaching(board, tf) for tf in board.own.fleets) or walking(board)
    return options[0] if going else None


def force(board: Board, options: Sequence[ForceEnd]) -> ForceEnd | None:  # noqa: ARG001
    """Force the end: the enemy is near."""
    return options[0]


def wait(board: Board, options: Sequence[Pass]) -> Pass | None:
    """Let him come."""
    return options[0] if board.table.phase == "5.1.R" else None


# the way home


def retires(board: Board, tf: str) -> bool:
    """Return whether a task force of a campaign has done what it came for, or can do it no more."""
    if not board.operation:
        return False
    if not board.attacks:
        return not board.foes
    if over(board) or late(board, tf):
        return True
    if board.laden(tf):
        return not board.goal
    if (
        all(board.printed(ship).cls == "AA" for ship in board.own.fleets[tf].core)
        and board.own.fleets[tf].core
    ):
        return True
    return not fights_on(board) or ashore(board)


def ashore(board: Board) -> bool:
    """Return whether the goal is left to troops that march there, and to those who fight there."""
    return not contested(board.table, board.goal) and any(march_to(board, unit) for unit in board.own.ground)


def fights_on(board: Board) -> bool:
    """Return whether the Operation of this side is not done: troops are to land, or fight for its goal."""
    return bool(board.goal)


def overtime(board: Board) -> int:
    """Return the Command Points that a cycle costs in overtime (P20.2.5)."""
    units = sum(not one.inactive for one in board.own.ships.values())
    units += sum(not one.inactive for one in board.own.ground.values())
    units += sum(not one.inactive and one.home in LOCATIONS for one in board.own.air.values())
    return -(-units // A_UNIT)


def late(board: Board, tf: str) -> bool:
    """Return whether a task force must sail now to be home while it can be paid for."""
    assert board.operation is not None
    port = home(board, tf)
    if not port:
        return False
    cycles = -(-ways(port, board.scenario).get(board.node(tf)) // board.allowance(tf))
    left = board.operation.planned - board.operation.days
    unpaid = max(0, cycles + 1 - max(0, left) // CYCLE)
    return board.points_of.get(board.operation.hq, 0) < unpaid * overtime(board)


def over(board: Board) -> bool:
    """Return whether the time that this side can pay for is over (P20.2.5)."""
    assert board.operation is not None
    days = board.operation.days - board.operation.planned
    if days < 0:
        return False
    return days >= GIVES_UP or board.points_of.get(board.operation.hq, 0) < overtime(board)


def home(board: Board, tf: str) -> str:
    """Return the own port to which a task force goes home, or an empty string.

    It has room and is near; better where it can be Activated again, for transports where troops are.
    """
    near, ships = ways(board.node(tf), board.scenario), board.members(tf)
    empty = not board.laden(tf) and any(board.printed(ship).cls == "AA" for ship in ships)
    links = {spot for hexes in (board.own.means.links if board.own.means else {}).values() for spot in hexes}
    together = board.rendezvous.port if empty and board.rendezvous else ""
    lying = Counter(one.port for one in board.own.ships.values())
    rows = list[tuple[int, str]]()
    for place, base in board.table.locations.items():
        if base.control != board.me or base.coast not in near or contested(board.table, place):
            continue
        if lying[place] + len(ships) > PORT_ROOM[base.port]:
            continue
        far = near[base.coast] + FARTHER * (base.hex not in links)
        far += FARTHER * (base.port < LARGE) + FARTHER * (empty and manned(board.table, place) < COME_FOR)
        far -= JOINING * (empty and place == together)
        rows.append((far, base.coast))
    return min(rows, default=(0, ""))[1]


def return_home(board: Board, options: Sequence[MoveTF]) -> MoveTF | None:
    """Sail home: what there was to do is done."""
    if in_contact(board):
        return None
    for option in options:
        goal = home(board, option.tf) if retires(board, option.tf) else ""
        if goal and goal != board.node(option.tf) and board.left(option.tf):
            return option
    return None


def must(board: Board) -> bool:
    """Return whether somebody has to stand down before the phase can end."""
    return not any(isinstance(one, Done) for one in board.options)


def moor(board: Board, options: Sequence[DeactivateTF]) -> DeactivateTF | None:
    """Let a fleet that has come home enter its port; who cannot be paid for stands down where he is."""
    if not board.operation:
        return None
    for option in options:
        if retires(board, option.tf) and home(board, option.tf) == board.node(option.tf):
            return option
    if must(board) and not any(isinstance(one, Deactivate) for one in board.options):
        return min(options, key=lambda one: (len(board.members(one.tf)), one.tf))
    return None


def stand_down(board: Board, options: Sequence[Deactivate]) -> Deactivate | None:
    """Let units stand down that have nothing more to do in this Operation."""
    if not board.operation:
        return None
    if must(board):
        return options[0]
    if board.attacks and board.operation.days >= board.operation.planned:
        idle = [one for one in options if one.unit in board.own.air]
        if idle:
            return idle[0]
    fighting = board.attacks and fights_on(board) and not over(board)
    return None if fighting or board.own.fleets else options[0]


VOYAGES: Final[tuple[Judge[Board], ...]] = (
    judge(MoveGround, march),
    judge(MoveTF, sortie),
    judge(MoveTF, return_home),
    judge(SailTo, sail),
    judge(ForceEnd, force),
    judge(EndContact, end_contact),
    judge(Continue, go_on),
    judge(EndDay, end_day),
    judge(Pass, wait),
    judge(DeactivateTF, moor),
    judge(Deactivate, stand_down),
)
