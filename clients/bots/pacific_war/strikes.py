"""Pacific War for a bot: what strikes from the air promise, ours and the enemy's, and how to make them up.

Exact by the chances of CAP, flak and attack; guessed is how many enemy steps are up, and what is hidden.
Deliberately absent: any choice.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from clients.bots.pacific_war.air_odds import Guard, Raid, passage, strike
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.odds import Mark, chances
from clients.bots.pacific_war.table import Wing
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import AIR, CARRIERS, CLASSES, GROUPS, LEVEL_SHIFT, LOCATIONS

UP: Final = {"early": 0.35, "late": 0.65}
"""The part of an enemy group that is likely to be on CAP: with a strike ahead of it, and without."""
AT_BASES: Final = 0.5
SENT: Final = 0.65
"""The part of an enemy group that is likely to strike at us."""
ESCORTING: Final = 0.15
SEEN: Final = 0.55
"""The chance that the enemy finds a task force of ours that he has not."""
MORE: Final = 0.5
"""How much of what a further strike at the same ships could win is counted."""
CARRIER_MOVE: Final = 5


class Group(Struct, frozen=True):
    """Steps of an air unit that may fly a mission: what a step is at the target, and what it may do."""

    unit: str
    steps: int
    level: int
    power: int
    escorts: bool
    heavy: bool = False


class Bombs(Struct, frozen=True):
    """A target that is not a ship: the shift of the attack, and the points by its hits."""

    shift: int
    points: tuple[float, ...]

    def worth(self, strength: int) -> float:
        """Return the points that an attack of a strength can expect."""
        last = len(self.points) - 1
        return sum(c * self.points[min(last, n)] for n, c in enumerate(chances(strength, self.shift)))


class Mission(Struct, frozen=True):
    """The best that can be made of some groups: points, and steps by unit."""

    value: float = 0.0
    damage: float = 0.0
    strike: tuple[tuple[str, int], ...] = ()
    escort: tuple[tuple[str, int], ...] = ()
    free: int = 0
    """CAP steps that nobody engages."""


@lru_cache(maxsize=2048)
def best(
    groups: tuple[Group, ...],
    guard: Guard,
    shift: int,
    target: tuple[Mark, ...] | Bombs,
    price: float,
    limit: int = 99,
) -> Mission:
    """Return the best mission at a target, by its escort; `price` is that of an air step."""
    found = Mission()
    pool = sum(group.steps for group in groups if group.escorts)
    for wanted in range(min(pool, guard.cap + 2 if guard.cap else 0) + 1):
        escort, left = _told_off(groups, wanted)
        striking = [(g, n) for g, n in left if g.power and (g.power > 1 or not _better(groups))]
        spare = max(0, limit - sum(n for _, n in escort))
        sent = _limited(striking, spare)
        steps = sum(n for _, n in sent)
        if not steps:
            continue
        power = sum(g.power * n for g, n in sent) / steps
        level = _level(sent)
        heavy = all(g.heavy for g, _ in sent)
        raid = Raid(steps, sum(n for _, n in escort), level, _level(escort), power, heavy)
        if isinstance(target, Bombs):
            way = passage(raid, guard)
            aimed = Bombs(target.shift + LEVEL_SHIFT[level], target.points)
            damage = sum(c * aimed.worth(int(s * power)) for s, c in enumerate(way.left))
            lost, shot = way.lost, way.shot
        else:
            more = LEVEL_SHIFT[level] - (1 if heavy else 0)
            damage, lost, shot = strike(raid, guard, shift + more, target)
        value = damage + price * (shot - lost)
        if value > found.value:
            free = max(0, guard.cap - raid.escort)
            found = Mission(
                value,
                damage,
                tuple((g.unit, n) for g, n in sent),
                tuple((g.unit, n) for g, n in escort),
                free,
            )
    return found


def _better(groups: Sequence[Group]) -> bool:
    return any(group.power > 1 for group in groups)


def _told_off(
    groups: Sequence[Group], wanted: int
) -> tuple[list[tuple[Group, int]], list[tuple[Group, int]]]:
    """Return so many escorting steps, of those that strike least, and the steps that are left."""
    taken = dict.fromkeys((g.unit for g in groups), 0)
    for _ in range(wanted):
        able = [g for g in groups if g.escorts and taken[g.unit] < g.steps]
        one = min(able, key=lambda g: (g.power, taken[g.unit] - g.steps, g.unit))
        taken[one.unit] += 1
    escort = [(g, taken[g.unit]) for g in groups if taken[g.unit]]
    return escort, [(g, g.steps - taken[g.unit]) for g in groups if g.steps > taken[g.unit]]


def _limited(steps: Sequence[tuple[Group, int]], most: int) -> list[tuple[Group, int]]:
    found = []
    for group, number in sorted(steps, key=lambda one: (-one[0].power, one[0].unit)):
        if taken := min(number, most):
            found.append((group, taken))
            most -= taken
    return found


def _level(steps: Iterable[tuple[Group, int]]) -> int:
    totals: dict[int, int] = {}
    for group, number in steps:
        totals[group.level] = totals.get(group.level, 0) + number
    return min(totals, key=lambda level: (-totals[level], level), default=1)


# what flies where


def price(board: Board) -> float:
    """Return what an air step is worth: its points, and a little for what it may still do."""
    return 1 / board.points.air_steps_per_point + (0.0 if board.last and board.second_half else 0.3)


def grouped(
    wings: Iterable[Wing], far: int, at: str, *, escorting: bool = True, night: bool = False
) -> tuple[Group, ...]:
    """Return air units as they may fly a mission so far; `at` is `nav` or `gnd`."""
    found = []
    for wing in wings:
        if wing.cls.range < far or not wing.steps or (night and wing.cls.kind not in ("2E", "4E")):
            continue
        escorts = escorting and wing.cls.kind in ("1E", "CVG")
        power = wing.cls.nav if at == "nav" else wing.cls.gnd
        if power or escorts:
            found.append(Group(wing.unit, wing.steps, wing.level, power, escorts, wing.cls.kind == "4E"))
    return tuple(found)


def cap_over(board: Board, place: str, hex: str) -> tuple[int, int]:
    """Return how many enemy CAP steps are likely over a hex, and their level."""
    if board.asleep and board.side == 0:
        return 0, 1
    late = board.second_half or not board.first
    up, level, most = 0.0, 1, 0
    for wing in board.wings:
        if wing.hex != hex or wing.cls.kind not in ("1E", "CVG") or board.spared(wing.place):
            continue
        part = AT_BASES if wing.place in LOCATIONS else UP["late" if late else "early"]
        up += part * wing.steps
        if wing.steps > most:
            most, level = wing.steps, wing.level
    del place
    return round(up), level


def at_ships(board: Board, wings: Iterable[Wing], origin: str, tf: str, limit: int = 99) -> Mission:
    """Return the best strike of air units at one place at an enemy task force, by day even at Night."""
    spot = board.node(tf)[:4]
    groups = grouped(wings, distance(origin, spot), "nav")
    if not groups:
        return Mission()
    ships = board.members(tf)
    cap, level = cap_over(board, tf, spot)
    guard = board.guard(ships, cap, level, ours=False)
    return best(groups, guard, -1 if board.dusk else 0, board.marks(ships), price(board), limit)


# what the enemy may do to us


def raiders(board: Board, hex: str, *, moving: bool) -> tuple[tuple[Group, ...], ...]:
    """Return the enemy's air units that can strike at ships in a hex, with the steps they may send.

    `moving`: whether his carriers move before they strike.
    """
    origins = dict[str, list[Wing]]()
    for wing in board.wings:
        if not wing.cls.nav and wing.cls.kind != "1E":
            continue
        reach = wing.cls.range + (CARRIER_MOVE if moving and wing.place not in LOCATIONS else 0)
        if distance(wing.hex, hex) <= reach and not (board.scenario == "E2" and board.table.cycle == 1):
            origins.setdefault(wing.place, []).append(wing)
    found = []
    for place, wings in sorted(origins.items()):
        groups = []
        for wing in wings:
            carrier = wing.cls.kind == "CVG"
            sent = round(wing.steps * (SENT + ESCORTING if carrier else 1.0))
            escorts = wing.cls.kind in ("1E", "CVG") and not board.spared(place)
            if sent:
                groups.append(
                    Group(wing.unit, sent, wing.level, wing.cls.nav, escorts, wing.cls.kind == "4E")
                )
        if groups:
            found.append(tuple(groups))
    return tuple(found)


def perils(
    board: Board, raids: tuple[tuple[Group, ...], ...], ships: Sequence[str], cap: int, level: int
) -> list[float]:
    """Return the points that each of the enemy's strikes at our ships would be likely to win alone."""
    guard = board.guard(ships, cap, level, ours=True)
    marks = board.marks(ships)
    return [best(groups, guard, -1 if board.dusk else 0, marks, price(board)).value for groups in raids]


def together(points: Sequence[float]) -> float:
    """Return what strikes one after the other win: the later ones find less to sink."""
    return max(points) + MORE * (sum(points) - max(points)) if points else 0.0


def peril(
    board: Board, raids: tuple[tuple[Group, ...], ...], ships: Sequence[str], cap: int, level: int
) -> float:
    """Return the points that the enemy's strikes at our ships are likely to win."""
    return together(perils(board, raids, ships, cap, level))


def seen(board: Board, tf: str) -> float:
    """Return how likely the enemy is to know where one of our task forces is when he strikes."""
    return 1.0 if board.table.tfs[tf].detected else SEEN


def own_groups(board: Board, tf: str) -> list[Wing]:
    """Return the air groups of an own task force that can fly."""
    return [wing for wing in board.own_wings if wing.place == tf]


def groups_aboard(board: Board, ships: Iterable[str]) -> list[str]:
    """Return the air groups of carriers."""
    return [GROUPS[s] for s in ships if board.printed(s).cls in CARRIERS and s in GROUPS]


def kind(unit: str) -> str:
    """Return the kind of an air unit."""
    return CLASSES[AIR[unit].cls].kind
