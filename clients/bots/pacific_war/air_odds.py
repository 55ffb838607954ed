"""What strikes come to: CAP and flak on the way, and the best shares of what is left (P28.5, P28.8, P28.9).

Deliberately absent: who is where, and any choice.
"""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from clients.bots.pacific_war.odds import Chances, Mark, chances, gain

CAP_STRENGTH: Final = 2


class Raid(Struct, frozen=True):
    """A strike on its way: steps, levels, and what they are a step in the air and at ships."""

    strike: int
    escort: int
    level: int
    escort_level: int
    nav: float
    bombers: bool = False
    """Whether the strike is of 4E alone."""


class Guard(Struct, frozen=True):
    """What waits for it: CAP steps and their level, flak and its shift."""

    cap: int
    level: int
    flak: int
    flak_shift: int
    cap_shift: int = 0


class Passage(Struct, frozen=True):
    """What comes of the way in: the chances of strike steps that are left, and mean losses in steps."""

    left: Chances
    lost: float
    shot: float
    """CAP steps shot down."""


def _ahead(one: int, other: int) -> int:
    return max(-2, min(2, one - other))


@lru_cache(maxsize=4096)
def passage(raid: Raid, guard: Guard) -> Passage:
    """Return what is left of a raid that has met CAP and flak."""
    tied = min(raid.escort, guard.cap)
    left = [0.0] * (raid.strike + 1)
    lost = shot = 0.0
    by_escorts: Chances = (1.0,)
    if tied:
        by_escorts = chances(CAP_STRENGTH * raid.escort, _ahead(raid.escort_level, guard.level))
        back = _ahead(guard.level, raid.escort_level) + guard.cap_shift
        lost += _capped(chances(CAP_STRENGTH * tied, back), raid.escort)
        shot = _capped(by_escorts, guard.cap)
    for number, chance in enumerate(by_escorts):
        if not chance:
            continue
        free = guard.cap - tied - max(0, number - tied)
        shift = _ahead(guard.level, raid.level) + guard.cap_shift - 1 - raid.bombers
        for down, likely in enumerate(chances(CAP_STRENGTH * max(0, free), shift)):
            through = max(0, raid.strike - down)
            fire = chances(guard.flak if through else 0, guard.flak_shift)
            for more, also in enumerate(fire):
                left[max(0, through - more)] += chance * likely * also
    lost += sum(chance * (raid.strike - steps) for steps, chance in enumerate(left))
    return Passage(tuple(left), lost, shot)


def _capped(some: Chances, most: int) -> float:
    return sum(chance * min(number, most) for number, chance in enumerate(some))


# attack on ships, P28.5.1


class Shares(Struct, frozen=True):
    """How strike steps are best shared out: for so many steps the points, and the steps on each target."""

    points: tuple[float, ...]
    steps: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1024)
def shares(steps: int, nav: float, shift: int, marks: tuple[Mark, ...]) -> Shares:
    """Return the best shares of up to `steps` steps among targets, by the exact chances."""
    best = [0.0] * (steps + 1)
    how: list[tuple[int, ...]] = [()] * (steps + 1)
    for mark in marks:
        gains = [gain(mark, int(k * nav), shift + mark.shift) if k else 0.0 for k in range(steps + 1)]
        now = [max((best[s - k] + gains[k], -k) for k in range(s + 1)) for s in range(steps + 1)]
        how = [(*how[s + least], -least) for s, (_, least) in enumerate(now)]
        best = [points for points, _ in now]
    return Shares(tuple(best), tuple(how))


@lru_cache(maxsize=2048)
def strike(raid: Raid, guard: Guard, shift: int, marks: tuple[Mark, ...]) -> tuple[float, float, float]:
    """Return what a strike on ships can expect: points of damage, own steps lost, CAP steps shot down."""
    way = passage(raid, guard)
    points = shares(raid.strike, raid.nav, shift, marks).points
    return sum(chance * points[steps] for steps, chance in enumerate(way.left)), way.lost, way.shot
