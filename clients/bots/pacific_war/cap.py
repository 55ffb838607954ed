"""Pacific War for a bot: CAP by the threat, against what the same steps would win in a strike (P28.1)."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.strikes import at_ships, perils, raiders, seen, together
from clients.bots.pacific_war.table import Wing
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions.cycle import AssignCAP

LATER: Final = 0.6
"""How likely a strike that comes after our own movement is to find what is in reach now."""
BLOW: Final = 0.75
"""The most of a carrier force that a strike is trusted to put out of action."""
RETURNS: Final = 1.1
"""How much of what the enemy can do in the second half of the cycle is counted."""
ANSWERS: Final = 0.3
"""How likely the enemy is to answer our strikes in the last mission phase of a cycle."""


def cap(board: Board, options: Sequence[AssignCAP]) -> AssignCAP | None:
    """Put up the CAP that saves more than the same steps would win in a strike."""
    by_unit = dict[str, int]()
    for option in options:
        by_unit[option.unit] = max(by_unit.get(option.unit, 0), option.steps)
    for unit, most in sorted(by_unit.items()):
        home = board.own.air[unit].home
        if home in LOCATIONS:
            wanted = min(most, cap_at_base(board, unit))
        else:
            tf = board.own.ships[home].tf
            wanted = min(most, share_of_cap(board, tf, unit))
        if wanted > 0:
            return AssignCAP(unit, wanted)
    return None


def cap_at_base(board: Board, unit: str) -> int:
    """Return the steps of fighters ashore that guard: all that no strike needs, if an enemy can come."""
    air = board.own.air[unit]
    spot = LOCATIONS[air.home].hex
    near = any(distance(wing.hex, spot) <= wing.cls.range + 5 for wing in board.wings if wing.cls.gnd)
    covering = any(board.node(tf)[:4] == spot for tf in board.own.fleets)
    if not near and not covering:
        return 0
    spare = 0 if covering or board.second_half else air.ready // 3
    return air.ready - spare


def share_of_cap(board: Board, tf: str, unit: str) -> int:
    """Return the steps of a carrier group that guard: as many as its part of what its place needs."""
    wings = [wing for wing in board.own_wings if wing.place == tf]
    total = best_cap(board, tf, wings)
    up = sum(board.own.air[w.unit].cap for w in wings)
    ready = sum(wing.steps for wing in wings)
    left = max(0, min(total - up, ready))
    for wing in sorted(wings, key=lambda one: (-one.steps, one.unit)):
        part = min(wing.steps, -(-left * wing.steps // ready)) if ready else 0
        if wing.unit == unit:
            return part
        left, ready = left - part, ready - wing.steps
    return 0


def best_cap(board: Board, tf: str, wings: Sequence[Wing]) -> int:
    """Return how many steps on CAP are best: what they save against what they would win in a strike."""
    spot = board.node(tf)[:4]
    ships = [ship for one in board.at(board.node(tf), ours=True) for ship in board.members(one)]
    up = sum(board.own.air[w.unit].cap for w in wings)
    ready, level = sum(w.steps for w in wings), max((w.level for w in wings), default=1)
    ours = board.first != board.second_half
    """Whether this is our own mission phase."""
    answered = raiders(board, spot, moving=False)
    raids, likely = answered, float(board.table.tfs[tf].detected)
    if ours and not board.second_half:
        raids, likely = raiders(board, spot, moving=True), seen(board, tf)
    elif ours:
        likely = ANSWERS
    if not raids or not likely:
        return up
    prospects = [
        target for target in board.foes if distance(spot, board.node(target)[:4]) <= 4 + 5 * (not ours)
    ]
    whence = [next(w.place for w in board.wings if w.unit == groups[0].unit) for groups in raids]
    near = [t for t in prospects if board.table.tfs[t].detected]
    found, most = up, -1e9
    for more in range(ready + 1):
        left, threats = _less(wings, more), perils(board, raids, ships, up + more, level)
        if ours and near:
            value = max(_exchange(board, left, spot, t, whence, threats, likely) for t in near)
        elif not ours and not board.second_half and prospects:
            value = LATER * max(_from_near(board, left, t) for t in prospects) - likely * together(threats)
        else:
            value = -likely * together(threats)
        if value > most + 1e-9:
            found, most = up + more, value
    return found


def _exchange(
    board: Board,
    wings: Sequence[Wing],
    spot: str,
    target: str,
    whence: Sequence[str],
    threats: Sequence[float],
    likely: float,
) -> float:
    """Return what a strike now wins, less what the enemy's strikes win later with what it leaves of them."""
    gains = at_ships(board, wings, spot, target).value
    worth = sum(board.mark(ship).sunk for ship in board.carriers(target))
    left = 1 - min(BLOW, gains / worth) if worth else 1.0
    rest = together(
        [one * (left if place == target else 1.0) for one, place in zip(threats, whence, strict=True)]
    )
    return gains - likely * RETURNS * rest


def _from_near(board: Board, wings: Sequence[Wing], target: str) -> float:
    """Return what a strike would be worth from a place in range."""
    return at_ships(board, wings, board.node(target)[:4], target).value


def _less(wings: Sequence[Wing], steps: int) -> list[Wing]:
    """Return air units without so many steps, taken evenly."""
    left = {wing.unit: wing.steps for wing in wings}
    for _ in range(steps):
        unit = max(left, key=lambda one: (left[one], one))
        left[unit] -= 1
    return [replace(wing, steps=left[wing.unit]) for wing in wings if left[wing.unit]]


CAP: Final[tuple[Judge[Board], ...]] = (judge(AssignCAP, cap),)
