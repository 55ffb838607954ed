"""Pacific War for a bot: contact movement of a campaign, and the way home (P23.4, P32.1)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.carriers import is_carrier_force
from clients.bots.pacific_war.table import NEVER, ways
from domain.pacific_war.board.charts import PORT_ROOM
from domain.pacific_war.decisions.choices import Continue, EndContact, EndDay, ForceEnd
from domain.pacific_war.decisions.cycle import Deactivate, DeactivateTF, Done, MoveTF, Pass, SailTo

ARRIVED: Final = 3
"""Hexes from the goal at which a convoy has arrived: it lands in the first cycle."""
STAND_OFF: Final = 4
"""Hexes from the goal at which carriers wait."""
GIVES_UP: Final = 6
"""Days of overtime after which a fleet stands down wherever it is."""
DAYS_LEFT: Final = 4
"""Days before the end of the planned time at which fleets turn home."""


def aims(board: Board, tf: str) -> int:
    """Return how near to the goal a task force is to come in contact movement."""
    return STAND_OFF if is_carrier_force(board, tf) and not board.laden(tf) else ARRIVED


def contact_goal(board: Board, tf: str) -> str:
    """Return the node that a task force sails towards: the goal, for the Reaction player the enemy."""
    if board.attacks:
        return board.goal_node
    foes = [board.node(one) for one in board.foes]
    near = ways(board.node(tf), board.scenario)
    return min(foes, key=lambda node: (near.get(node, NEVER), node), default="")


def approaching(board: Board, tf: str) -> bool:
    """Return whether a task force is not yet where contact movement is to take it."""
    goal = contact_goal(board, tf)
    return bool(goal) and ways(goal, board.scenario).get(board.node(tf), NEVER) > aims(board, tf)


def in_contact(board: Board) -> bool:
    """Return whether a Contact Phase is played."""
    return board.table.phase in ("5.1.R", "5.1.T")


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
    return min(options, key=lambda one: (max(far.get(one.node, NEVER), least), one.node))


def end_day(board: Board, options: Sequence[EndDay]) -> EndDay | None:  # noqa: ARG001
    """End the day: all fleets have sailed."""
    return options[0]


def arrived(board: Board) -> bool:
    """Return whether no task force has farther to go."""
    return not any(approaching(board, tf) for tf in board.own.fleets if board.laden(tf)) and bool(
        not board.goal or not board.own.fleets or any(board.laden(tf) for tf in board.own.fleets)
    )


def end_contact(board: Board, options: Sequence[EndContact]) -> EndContact | None:
    """End the contact movement: the landing is within reach."""
    if any(isinstance(one, EndDay) for one in board.options):
        return None if any(approaching(board, tf) for tf in board.own.fleets) else options[0]
    return options[0] if arrived(board) else None


def go_on(board: Board, options: Sequence[Continue]) -> Continue | None:
    """Go on with another day: the goal is still far."""
    return options[0] if any(approaching(board, tf) for tf in board.own.fleets) else None


def force(board: Board, options: Sequence[ForceEnd]) -> ForceEnd | None:  # noqa: ARG001
    """Force the end: the enemy is near."""
    return options[0]


def wait(board: Board, options: Sequence[Pass]) -> Pass | None:
    """Let him come."""
    return options[0] if board.table.phase == "5.1.R" else None


# the way home


def retires(board: Board, tf: str) -> bool:
    """Return whether a task force of a campaign has done what it came for, or time runs out."""
    if not board.operation:
        return False
    if board.operation.planned - board.operation.days <= DAYS_LEFT:
        return True
    if board.laden(tf):
        return False
    if board.attacks:
        fighting = any(spot in board.table.troops[board.foe] for spot in board.table.troops[board.me]) or any(
            board.laden(one) for one in board.own.fleets
        )
        return not fighting or all(board.printed(ship).cls == "AA" for ship in board.own.fleets[tf].core)
    return not board.foes


def home(board: Board, tf: str) -> str:
    """Return the nearest own port with room for a task force, or an empty string."""
    near, count = ways(board.node(tf), board.scenario), len(board.members(tf))
    ports = [
        (near[base.coast], base.coast)
        for place, base in board.table.locations.items()
        if base.control == board.me
        and base.coast in near
        and sum(one.port == place for one in board.own.ships.values()) + count <= PORT_ROOM[base.port]
    ]
    return min(ports, default=(0, ""))[1]


def return_home(board: Board, options: Sequence[MoveTF]) -> MoveTF | None:
    """Sail home: what there was to do is done."""
    if in_contact(board):
        return None
    for option in options:
        goal = home(board, option.tf) if retires(board, option.tf) else ""
        if goal and goal != board.node(option.tf):
            return option
    return None


def moor(board: Board, options: Sequence[DeactivateTF]) -> DeactivateTF | None:
    """Let a fleet that has come home enter its port; one that does not come home gives up at last."""
    if not board.operation:
        return None
    if board.operation.days >= board.operation.planned + GIVES_UP:
        return options[0]
    for option in options:
        if retires(board, option.tf) and home(board, option.tf) == board.node(option.tf):
            return option
    return None


def stand_down(board: Board, options: Sequence[Deactivate]) -> Deactivate | None:
    """Let units stand down that have nothing more to do in this Operation."""
    if not board.operation:
        return None
    over = board.operation.planned - board.operation.days <= DAYS_LEFT or not board.own.fleets
    fighting = {spot for spot in board.table.troops[board.me] if spot in board.table.troops[board.foe]}
    for option in options:
        one = board.own.ground.get(option.unit)
        if over and not (one and one.hex in fighting):
            return option
    if board.operation.planned <= board.operation.days or not any(isinstance(o, Done) for o in board.options):
        return options[0]
    return None


VOYAGES: Final[tuple[Judge[Board], ...]] = (
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
