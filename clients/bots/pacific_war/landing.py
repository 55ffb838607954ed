"""Pacific War for a bot: transports and what goes with them: by the safest way, in time, ashore (P23.6)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.dangers import from_air, from_ships, under_way
from clients.bots.pacific_war.naval import expected
from clients.bots.pacific_war.table import NEVER, ways
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions.cycle import Disembark, JoinTF, NewTF, TransferShip

LANDED: Final = 0.4
"""The part of what is at stake that troops ashore win, whoever holds the place in the end."""
TAKEN: Final = 0.3
"""How likely a combat ashore is to take the place."""
PART: Final = 0.04
"""What each unit takes off that must land in a later movement phase, or not at all."""
SOON: Final = 0.85
"""How likely a convoy gets ashore that is on its way in time."""
CLOSE: Final = 2
"""Hexes within which warships go with a convoy."""
A_HEX: Final = 0.1
"""What a hex of the way to a landing is worth in a campaign, as a part of what is at stake."""
UNAVOIDED: Final = 0.35
"""How much of what threatens from the air is counted: most of it would threaten later, or elsewhere, too."""


def laden(board: Board) -> list[str]:
    """Return the own task forces with troops aboard, by id."""
    return [tf for tf in sorted(board.own.fleets) if board.laden(tf)]


def escorts(board: Board, tf: str) -> list[str]:
    """Return the own task forces without troops that are on the node of a convoy, or near it."""
    near = ways(board.node(tf), board.scenario)
    return [
        one
        for one in sorted(board.own.fleets)
        if one != tf
        and not board.laden(one)
        and near.get(board.node(one), NEVER) <= CLOSE
        and board.guns(one) > 1
        and len(board.carriers(one)) <= 1
    ]


def barred(board: Board) -> bool:
    """Return whether nobody may land at the goal, since its fort stands (E4.1)."""
    return board.scenario == "E4" and board.table.locations[board.goal].fort > 0


def convoy_goal(board: Board, tf: str, left: int) -> str:
    """Return where a convoy sails: towards the landing, in time, where the least is to be feared."""
    start, goal = board.node(tf), board.goal_node
    if board.table.war:
        return straight(board, tf, left) if goal else start
    near, far = ways(start, board.scenario), ways(goal or start, board.scenario)
    allowance, escort = board.allowance(tf), escorts(board, tf)
    ships = board.members(tf)
    more = sum(any(ship in one.aboard for ship in ships) for one in board.own.ground.values()) - 1
    best, most = start, -1e9
    for node, steps in near.within(left):
        value = progress(board, (far.get(node) if goal else NEVER) + more, left - steps, allowance, more)
        if value >= 0 or node == start:
            foes = board.at(node, ours=False)
            if foes:
                value += expected(board, sorted({tf, *escort}), foes).balance
            value -= UNAVOIDED * from_air(board, tf, node) + from_ships(board, tf, node, escort)
            value -= under_way(board, tf, node, escort) + 0.01 * steps
        if value > most:
            best, most = node, value
    return best


def straight(board: Board, tf: str, left: int) -> str:
    """Return where a convoy of a campaign sails: as near to the landing as can be, not where it is beaten.

    A hex of the allowance is kept for going ashore.
    """
    near, far = ways(board.node(tf), board.scenario), ways(board.goal_node, board.scenario)
    escort = escorts(board, tf)

    def value(row: tuple[str, int]) -> tuple[float, int]:
        node, steps = row
        foes = board.at(node, ours=False)
        risk = -expected(board, sorted({tf, *escort}), foes).balance if foes else 0.0
        risk += from_ships(board, tf, node, escort) + under_way(board, tf, node, escort)
        hexes = far.get(node) + (not far.get(node) and steps == left)
        return -A_HEX * board.stakes * hexes - max(0.0, risk), -steps

    return max(near.within(left), key=value)[0]


def progress(board: Board, far: int, left: int, allowance: int, more: int) -> float:
    """Return what a place is worth to a convoy: hexes to get ashore but one, and hexes left in this phase.

    `more` are the units beyond the first, each of which takes a hex to land.
    """
    after = board.moves_left - 1
    if barred(board):
        if far == more:
            return -1.0
        return board.stakes * (0.2 - 0.02 * far) if after else 0.0
    if far == more and left > 0:
        return board.stakes * (ashore(board, 0) - PART * max(0, more + 1 - left))
    phases = -(-(far + 1) // allowance)
    if phases > after and -(-(far + 1 - more) // allowance) <= after:
        return board.stakes * (SOON * ashore(board, after) - PART)
    if phases > after:
        return 0.0
    return board.stakes * SOON * ashore(board, phases)


def ashore(board: Board, phases: int) -> float:
    """Return the part of what is at stake that troops win who land so many movement phases from now (P31)."""
    combats = max(0, board.moves_left - phases - board.second_half)
    return LANDED + (1 - LANDED) * (1 - (1 - TAKEN) ** combats)


def land(board: Board, options: Sequence[Disembark]) -> Disembark | None:
    """Put the troops ashore where they are wanted, the strongest first."""
    for option in sorted(options, key=lambda o: (-board.own.ground[o.ground].steps, o.ground)):
        ship = next(iter(board.own.ground[option.ground].aboard))
        tf = board.own.ships[ship].tf
        if board.goal and board.node(tf)[:4] == LOCATIONS[board.goal].hex:
            return option
    return None


# warships go ahead of the transports against a fort


def mixed(board: Board) -> str:
    """Return a convoy with warships that are to go ahead against the fort, or an empty string."""
    if not barred(board) or board.moves_left <= 1:
        return ""
    for tf in laden(board):
        if board.own.fleets[tf].screen and board.own.fleets[tf].core:
            return tf
    return ""


def split(board: Board, options: Sequence[NewTF]) -> NewTF | None:
    """Let the warships form a task force of their own: the transports wait until the fort has fallen."""
    tf = mixed(board)
    if not tf or len(board.at(board.node(tf), ours=True)) > 1:
        return None
    return next((o for o in options if o.node == board.node(tf)), None)


def transfer(board: Board, options: Sequence[TransferShip]) -> TransferShip | None:
    """Move the warships out of the convoy."""
    tf = mixed(board)
    ahead = [one for one, fleet in board.own.fleets.items() if not fleet.core and not board.laden(one)]
    if not tf or not ahead:
        return None
    return next((o for o in options if o.ship in board.own.fleets[tf].screen), None)


def join(board: Board, options: Sequence[JoinTF]) -> JoinTF | None:
    """Join the task force of warships."""
    able = [o for o in options if not board.laden(o.tf) and o.slot == "screen"]
    return able[0] if able else options[0]


LANDINGS: Final[tuple[Judge[Board], ...]] = (
    judge(Disembark, land),
    judge(NewTF, split),
    judge(TransferShip, transfer),
    judge(JoinTF, join),
)
