"""Pacific War for a bot: which ships the strike steps attack (P28.5.1)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.air_odds import shares
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.odds import Mark
from clients.bots.pacific_war.prospects import in_port
from domain.pacific_war.board.charts import AIR, CLASSES, LEVEL_SHIFT
from domain.pacific_war.decisions.cycle import AllotRest, AllotStrike, WithSteps
from domain.pacific_war.sight.shown import Raid

COARSE: Final = 3
"""The most steps of a unit that attack one ship, where there are ships for the others."""


def picks(board: Board, raid: Raid) -> tuple[list[tuple[str, str]], int]:
    """Return the units of a raid and the ships that they attack, and the steps of each pick."""
    where = raid.target
    ships = list(board.members(where)) if where in board.table.tfs else in_port(board, where)
    ships = [s for s in ships if s in board.table.ships]
    nav = {unit: CLASSES[AIR[unit].cls].nav for unit in raid.strike}
    total = sum(raid.strike.values())
    power = sum(nav[u] * n for u, n in raid.strike.items()) / total
    level = max((board.own.air[u].level for u in raid.strike), default=1)
    shift = LEVEL_SHIFT[level] - (1 if board.dusk else 0)
    shift += (1 + board.asleep) if raid.kind == "strike_ships_in_port" else 0
    marks: list[Mark] = [board.mark(ship) for ship in ships]
    best_steps = shares(total, power, shift, tuple(marks)).steps[total]
    left = dict(zip(ships, best_steps, strict=True))
    grain = grain_of(best_steps, max(raid.strike.values()))
    found = list[tuple[str, str]]()
    for unit, steps in sorted(raid.strike.items()):
        for chunk in chunks(steps, grain):
            able = [s for s in ships if (unit, s) not in found] or ships
            ship = max(able, key=lambda one: (left[one], one))
            left[ship] -= chunk
            found.append((unit, ship))
    return found, grain


def grain_of(steps: Sequence[int], most: int) -> int:
    """Return how many steps of a unit attack one ship: what a target gets on average, three at most."""
    hit = [one for one in steps if one]
    return max(1, min(COARSE, sum(hit) // max(1, len(hit))), -(-most // len(steps)))


def chunks(steps: int, grain: int) -> list[int]:
    """Return the steps of a unit as they are allotted.

    They depend on nothing else, since the prompt does not tell which unit and ship the steps are for.
    """
    return [min(grain, steps - start) for start in range(0, steps, grain)]


def allot(board: Board, options: Sequence[AllotStrike]) -> AllotStrike | None:
    """Attack the ships where the steps win most points, by the exact chances."""
    raid = next(one for one in board.table.raids if one.side == board.me)
    offered = {(o.unit, o.ship): o for o in options}
    units = {o.unit for o in options}
    for pick in picks(board, raid)[0]:
        if pick in offered and pick[0] in units:
            return offered[pick]
    return options[0]


def with_steps(board: Board, options: Sequence[WithSteps]) -> WithSteps | None:
    """Give a target its share of the steps of a unit."""
    raid = next(one for one in board.table.raids if one.side == board.me)
    wanted = picks(board, raid)[1]
    return min(options, key=lambda o: abs(o.steps - wanted))


def rest(board: Board, options: Sequence[AllotRest]) -> AllotRest | None:  # noqa: ARG001 judges are all alike
    """Put all that are left on the best target."""
    return options[0]


TARGETS: Final[tuple[Judge[Board], ...]] = (
    judge(AllotStrike, allot),
    judge(WithSteps, with_steps),
    judge(AllotRest, rest),
)
