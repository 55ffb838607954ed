"""Pacific War for a bot: special submarines (P34)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from domain.pacific_war.decisions.special_boats import HuntSubmarine


def depth_charges(board: Board, tf: str) -> int:
    """Return the anti-submarine value of an own task force (P34.1)."""
    return sum(board.printed(ship).asw // (2 if board.crippled(ship) else 1) for ship in board.members(tf))


def hunt(board: Board, options: Sequence[HuntSubmarine]) -> HuntSubmarine:
    """Hunt the submarine, which costs nothing, with the task force that is best at it."""
    return max(options, key=lambda one: (depth_charges(board, one.tf), one.tf))


BOATS: Final[tuple[Judge[Board], ...]] = (judge(HuntSubmarine, hunt),)
