"""Pacific War for a bot: transport aircraft that bring supply to who is cut off, or drop troops (P28.11, 14).

They are activated with an Operation of the own side; whoever they help is there or comes with it.
"""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.objectives import garrison
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import AIR, AT, CLASSES, GROUND, LOCATIONS
from domain.pacific_war.decisions.cycle import AddPara, DeclareMission, Target

REACH: Final = 6
"""Hexes that transport aircraft fly with supply or with troops."""


def transports(board: Board, spot: str) -> list[str]:
    """Return the own transport aircraft that can fly to a hex, by id."""
    return [
        unit
        for unit, air in sorted(board.own.air.items())
        if CLASSES[AIR[unit].cls].kind == "TR"
        and air.ready
        and not air.isolated
        and air.home in LOCATIONS
        and 0 < distance(LOCATIONS[air.home].hex, spot) <= REACH
    ]


def hungry(board: Board) -> list[str]:
    """Return the hexes with troops of ours that are Isolated, those with most steps without supply first."""
    steps = dict[str, int]()
    for one in board.own.ground.values():
        if one.hex and one.isolated:
            steps[one.hex] = steps.get(one.hex, 0) + one.steps
    flown = board.own.means.supplied if board.own.means else {}
    left = {spot: count - flown.get(spot, 0) for spot, count in steps.items()}
    return sorted((spot for spot in left if left[spot] > 0), key=lambda spot: (-left[spot], spot))


def jumping(board: Board, goal: str) -> list[str]:
    """Return the parachute troops that can drop at a place, each after the aircraft that carry it."""
    spot, found = LOCATIONS[goal].hex, list[str]()
    for unit, one in sorted(board.own.ground.items()):
        if "para" not in GROUND[unit].flags or one.broken or one.isolated or one.hex not in AT:
            continue
        planes = [name for name in transports(board, spot) if board.own.air[name].home == AT[one.hex]]
        if one.steps and sum(board.own.air[name].ready for name in planes) >= one.steps:
            found += [name for name in (*planes, unit) if name not in found]
    return found


def lifting(board: Board, goal: str) -> list[str]:
    """Return the units that an Operation against a place activates to bring supply, and to drop there."""
    fed = [unit for spot in hungry(board) for unit in transports(board, spot)]
    return list(dict.fromkeys([*fed, *jumping(board, goal)]))


def supply(board: Board, options: Sequence[DeclareMission]) -> DeclareMission | None:
    """Fly supply to troops that are cut off."""
    able = [one for one in options if one.kind == "supply"]
    return next((o for spot in hungry(board) for o in able if o.origin in transports(board, spot)), None)


def drop(board: Board, options: Sequence[DeclareMission]) -> DeclareMission | None:
    """Drop troops in a campaign where ours fight for the goal, or where nobody holds it."""
    if not board.table.war or not board.attacks or not board.goal:
        return None
    spot = LOCATIONS[board.goal].hex
    if spot not in board.table.troops[board.me] and garrison(board.table, board.goal, board.foe):
        return None
    near = {board.own.air[unit].home for unit in transports(board, spot)}
    return next((one for one in options if one.kind == "paradrop" and one.origin in near), None)


def aim(board: Board, options: Sequence[Target]) -> Target | None:
    """Fly to where the supply is wanted, or the troops."""
    drawn = board.own.plan
    if drawn is None or drawn.kind not in ("supply", "paradrop"):
        return None
    jumped = [LOCATIONS[board.goal].hex] if board.goal else []
    wanted = hungry(board) if drawn.kind == "supply" else jumped
    return next((one for spot in wanted for one in options if one.target == spot), None)


def jump(board: Board, options: Sequence[AddPara]) -> AddPara | None:
    """Let all jump who can."""
    return max(options, key=lambda one: (board.own.ground[one.ground].steps, one.ground))


AIRLIFT: Final[tuple[Judge[Board], ...]] = (
    judge(DeclareMission, supply),
    judge(DeclareMission, drop),
    judge(Target, aim),
    judge(AddPara, jump),
)
