"""Coral Sea for a bot: which operation is opened, and what is done in it (C7, C10, C14, C19)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.coral_sea_board import Board, might
from clients.bots.coral_sea_prospects import WANTED_FIELDS, land_prize, last, prey, promise, spare
from clients.bots.judges import Judge, judge
from domain.coral_sea.decisions import (
    Besiege,
    BuildAirfield,
    LoadRp,
    LoadUnit,
    OpenOperation,
    PickUnit,
    Rebuild,
    Refit,
    Reorganize,
    RepairAirfield,
    StartGroundMove,
    StartNavalMove,
)
from server.protocol.shown import Decision

WORTH_SAILING: Final = 0.25
"""How strongly the goals must draw troops before ships are sent."""
WORTH_MARCHING: Final = 0.8
"""What a prize must be worth to be marched for."""
FREIGHT: Final = 0.6
"""How readily a fleet takes one more resource point along."""


def open_at(board: Board, options: Sequence[OpenOperation]) -> OpenOperation | None:
    """Open the operation where it promises most."""
    return max(options, key=lambda option: promise(board, option.area))


def march(board: Board, options: Sequence[StartGroundMove]) -> StartGroundMove | None:
    """March where a prize is in reach with the troops that may leave."""
    best, worth = None, WORTH_MARCHING
    for option in options:
        area = option.area
        men = [u for u in spare(board, area) if not u.acted]
        prize = land_prize(board, area, might(men), max((u.move for u in men), default=0))
        if prize > worth:
            best, worth = option, prize
    return best


def sail(board: Board, options: Sequence[StartNavalMove]) -> StartNavalMove | None:
    """Sail with troops that have a goal, or against a weaker fleet."""
    marker = board.marker
    men = [u for u in spare(board, marker) if not u.acted]
    ships = [u for u in board.at(marker, ours=True, domain="naval") if not u.acted]
    if men and board.pull(marker, might(men[:3]), by_sea=True) > WORTH_SAILING:
        return options[0]
    return options[0] if prey(board, marker, ships) else None


def mend(
    board: Board, options: Sequence[Refit | Reorganize | Rebuild]
) -> Refit | Reorganize | Rebuild | None:
    """Mend the most valuable unit first, those with a mission last."""
    return max(options, key=lambda option: board.units[option.unit].points)


def build(board: Board, options: Sequence[BuildAirfield]) -> BuildAirfield | None:  # noqa: ARG001 judges are all alike
    """Build where an airfield reaches far."""
    return next((option for option in options if option.area in WANTED_FIELDS), None)


def pick(board: Board, options: Sequence[PickUnit]) -> PickUnit | None:
    """Take all along but a garrison: the weakest unit of a place that is needed stays."""
    first = board.units[options[0].unit]
    if first.domain == "naval" or board.areas[first.area].kind == "sea":
        return options[0]
    if last(board, first.area):
        return None
    return max(options, key=lambda option: might([board.units[option.unit]]))


def load(board: Board, options: Sequence[LoadUnit]) -> LoadUnit | None:
    """Take the best troops, and leave a garrison where one is needed."""
    if last(board, board.units[options[0].unit].area):
        return None
    return max(options, key=lambda option: might([board.units[option.unit]]))


def load_rp(board: Board, options: Sequence[LoadRp]) -> LoadRp | None:
    """Take a resource point along if the base keeps one, or the fleet is at sea."""
    marker = board.marker
    if board.areas[marker].kind == "sea":
        return options[0]
    return options[0] if board.rp.get(marker, 0) > 1 and board.random.random() < FREIGHT else None


def first(board: Board, options: Sequence[Decision]) -> Decision | None:  # noqa: ARG001 judges are all alike
    """Take the first."""
    return options[0]


OPERATIONS: Final[tuple[Judge[Board], ...]] = (
    judge(Refit, mend),
    judge(OpenOperation, open_at),
    judge(Besiege, first),
    judge(Reorganize, mend),
    judge(Rebuild, mend),
    judge(StartGroundMove, march),
    judge(StartNavalMove, sail),
    judge(BuildAirfield, build),
    judge(RepairAirfield, first),
    judge(LoadUnit, load),
    judge(LoadRp, load_rp),
    judge(PickUnit, pick),
)
"""In the order they are asked. Sorties, embarking and removing airfields have none."""
