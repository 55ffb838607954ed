"""Coral Sea for a bot: the way of a stack, step by step, on land and at sea, and its landing (C8 to C10)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.coral_sea_board import DISTANCE, HUNT, SEA_ODDS, Board, might
from clients.bots.coral_sea_operation import WORTH_MARCHING, first
from clients.bots.coral_sea_prospects import land_prize, prey
from clients.bots.judges import Judge, judge
from domain.coral_sea.decisions import LandAt, StepTo, UnloadRp
from domain.coral_sea.shown import Unit

WORTH_LANDING: Final = 0.5
"""What a coast must be worth to land there."""
PATIENCE: Final = 0.6
"""How much of the best goal in reach a landing must be worth."""


def step(board: Board, options: Sequence[StepTo]) -> StepTo | None:
    """Go where the goals draw: on land to the prize itself, at sea to its coast."""
    assert board.move
    area = board.move.at
    here = board.areas[area]
    if any(kind == "land" for kind in (here.next.get(o.to) for o in options)):
        return step_on_land(board, area, options)
    men = [u for u in board.at(area, ours=True, domain="ground") if u.acted]
    ships = [u for u in board.at(area, ours=True, domain="naval") if u.acted]
    force = might(men)
    drawn = max(options, key=lambda option: sea_pull(board, option.to, force, ships))
    stay = sea_pull(board, area, force, ships)
    return drawn if sea_pull(board, drawn.to, force, ships) > stay + 0.01 else None


def step_on_land(board: Board, area: str, options: Sequence[StepTo]) -> StepTo | None:
    """Step to the best prize, or towards it through land of nobody's."""
    men = [u for u in board.at(area, ours=True, domain="ground") if u.acted]
    force, reach = might(men), min((u.move for u in men), default=1)

    def merit(option: StepTo) -> float:
        prize = board.prize(option.to, force) if board.areas[option.to].control != board.side else 0.0
        return prize + 0.5 * land_prize(board, option.to, force, max(1, reach - 1))

    best = max(options, key=merit)
    return best if merit(best) > WORTH_MARCHING else None


def sea_pull(board: Board, area: str, force: float, ships: list[Unit]) -> float:
    """Return what draws a fleet to an area: a coast for its troops, prey, or a port to unload."""
    against = board.strength(area, ours=False, domain="naval")
    if against:
        return 2.0 if might(ships) > (SEA_ODDS if force else HUNT) * against else -5.0
    if force:
        return board.pull(area, force, by_sea=True)
    target = prey(board, area, ships)
    if target:
        return 1.0 / (1 + board.far(area, by_sea=True)[target])
    return home(board, area)


def home(board: Board, area: str) -> float:
    """Return how good a place is for ships to stay: where resource points are, best in a port."""
    near = board.far(area, by_sea=True)
    stores = min((near[a] for a in board.rp if a in near), default=9)
    return 0.4 / (1 + stores) + (0.1 if board.harbour(area) else 0.0)


def land(board: Board, options: Sequence[LandAt]) -> LandAt | None:
    """Land where the prize is best."""
    seas = set.intersection(*(set(board.areas[option.area].next) for option in options))
    men = [u for u in board.ours.values() if u.domain == "ground" and u.area in seas]
    force = might(men)
    best = max(options, key=lambda option: board.prize(option.area, force))
    worth = board.prize(best.area, force)
    beyond = max(board.pull(sea, force, by_sea=True) for sea in seas) * DISTANCE
    return best if worth > WORTH_LANDING and worth >= PATIENCE * beyond else None


WAYS: Final[tuple[Judge[Board], ...]] = (judge(LandAt, land), judge(UnloadRp, first), judge(StepTo, step))
