"""Pacific War for a bot: what threatens a task force on a node: from the air, from ships, under way.

Deliberately absent: any choice.
"""

from collections.abc import Sequence
from typing import Final

from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.naval import expected
from clients.bots.pacific_war.strikes import peril, raiders, seen
from clients.bots.pacific_war.table import NEVER, ways

COMES: Final = 0.35
"""How likely an enemy fleet is to come to a node within its reach, and to bring us to battle there."""
STOPS: Final = 0.5
"""How likely an enemy fleet is to stop what sails over its node."""
STRIKES: Final = 0.6
"""How likely the enemy is to send his aircraft where they could go."""


def from_air(board: Board, tf: str, node: str, *, moving: bool = True, cap: int | None = None) -> float:
    """Return the points that the enemy's aircraft are likely to win on a task force at a node."""
    raids = raiders(board, node[:4], moving=moving)
    if not raids:
        return 0.0
    wings = [wing for wing in board.own_wings if wing.place == tf]
    up = sum(board.own.air[w.unit].steps for w in wings) // 3 if cap is None else cap
    level = max((wing.level for wing in wings), default=1)
    part = 0.5 if board.night else 1.0
    return part * STRIKES * seen(board, tf) * peril(board, raids, board.members(tf), up, level)


def from_ships(board: Board, tf: str, node: str, beside: Sequence[str] = ()) -> float:
    """Return the points that enemy surface fleets within reach of a node are likely to win."""
    # Ways from the enemy serve for all nodes that are asked about: those from each would cost a flood each.
    total, ours = 0.0, sorted({tf, *beside})
    for foe in board.foes:
        there = board.node(foe)
        if there == node or not board.guns(foe):
            continue
        if ways(there, board.scenario).get(node, NEVER) <= board.allowance(foe):
            total += COMES * max(0.0, -expected(board, ours, (foe,)).balance)
    return total


def under_way(board: Board, tf: str, node: str, beside: Sequence[str] = ()) -> float:
    """Return the points that enemy fleets on the way to a node are likely to win by stopping a task force."""
    start = board.node(tf)
    ahead = ways(start, board.scenario)
    total = 0.0
    for foe in board.foes:
        there = board.node(foe)
        if there in (start, node) or there not in ahead or not board.guns(foe):
            continue
        if ahead[there] + ways(there, board.scenario).get(node, NEVER) == ahead[node]:
            total += STOPS * max(0.0, -expected(board, sorted({tf, *beside}), (foe,)).balance)
    return total
