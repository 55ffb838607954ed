"""Pacific War for a bot: which missions fly, at what, with whom, and which strikes are answered (P28)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.prospects import WORTH, carried, plan, targets
from clients.bots.pacific_war.strikes import at_ships
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions.cycle import (
    AddSteps,
    DeclareMission,
    Decline,
    EndMissions,
    SimultaneousStrike,
    Target,
)

UNFLOWN: Final = ("ferry", "paradrop", "supply")
"""Missions that the bot does not fly."""


def declare(board: Board, options: Sequence[DeclareMission]) -> DeclareMission | None:
    """Fly the mission that promises most points, by the exact chances, if its escort can carry it through."""
    chosen, most = None, WORTH
    for option in options:
        if option.kind in (*UNFLOWN, "strike_port"):
            continue
        for target in targets(board, option.kind):
            mission = plan(board, option.kind, option.origin, target)
            if mission.value > most and carried(mission):
                chosen, most = option, mission.value
    return chosen


def aim(board: Board, options: Sequence[Target]) -> Target | None:
    """Aim where the most points are to be expected."""
    mission = board.own.plan
    if mission is None or mission.kind in UNFLOWN:
        return None
    return max(options, key=lambda o: (plan(board, mission.kind, mission.origin, o.target).value, o.target))


def add(board: Board, options: Sequence[AddSteps]) -> AddSteps | None:
    """Send the strike, and with it the escort that pays."""
    drawn = board.own.plan
    if drawn is None:
        return options[0]
    mission = plan(board, drawn.kind, drawn.origin, drawn.target)
    wanted = [("strike", *one) for one in mission.strike] + [("escort", *one) for one in mission.escort]
    for role, unit, steps in wanted:
        if unit in (drawn.strike if role == "strike" else drawn.escort):
            continue
        offered = [o for o in options if o.unit == unit and o.role == role and o.steps <= steps]
        if offered:
            return max(offered, key=lambda one: one.steps)
    if not drawn.strike:
        strikes = [o for o in options if o.role == "strike"]
        return max(strikes, key=lambda one: one.steps) if strikes else options[0]
    return None


def end(board: Board, options: Sequence[EndMissions]) -> EndMissions | None:  # noqa: ARG001 judges are all alike
    """Fly no more: nothing that is left promises enough."""
    return options[0]


def answer(board: Board, options: Sequence[SimultaneousStrike]) -> SimultaneousStrike | None:
    """Strike back while his aircraft are in the air, if that promises enough."""
    raid = board.table.raids[0]
    kind = "strike_airbase" if raid.origin in LOCATIONS else "strike_tf"
    if kind == "strike_tf":
        wings = [wing for wing in board.own_wings if wing.place == raid.target]
        mission = at_ships(board, wings, board.node(raid.target)[:4], raid.origin)
    else:
        mission = plan(board, kind, raid.target, raid.origin)
    return options[0] if mission.value > WORTH / 2 else None


def decline(board: Board, options: Sequence[Decline]) -> Decline | None:  # noqa: ARG001 judges are all alike
    """Let the strike come: an answer would not pay."""
    return options[0]


AIR_WAR: Final[tuple[Judge[Board], ...]] = (
    judge(DeclareMission, declare),
    judge(EndMissions, end),
    judge(Target, aim),
    judge(AddSteps, add),
    judge(SimultaneousStrike, answer),
    judge(Decline, decline),
)
