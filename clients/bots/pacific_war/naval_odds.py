"""What a naval combat comes to: who fires at whom at what range, by mean hits phase by phase (P29.2).

Deliberately absent: who is where, and any choice.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from clients.bots.pacific_war.odds import Mark, gain, likely, mean
from domain.pacific_war.board.charts import TABLES

LONG: Final = 2
"""The range at which no torpedoes are fired."""
ALL_FIRE: Final = 3
"""The combat phase in which all fire."""
GUN_SHIFT: Final[dict[str, dict[str, int]]] = TABLES["naval"]["gun_range_shift"]


class Hull(Struct, frozen=True):
    """A unit in naval combat."""

    name: str
    mark: Mark
    cls: str
    gun: int
    torpedo: int
    def_g: int
    def_a: int
    screen: bool
    salvos: int = 1

    @property
    def heavy(self) -> bool:
        """Whether it fires from the second phase on."""
        return self.cls in ("BB", "BC")


class Fire(Struct, frozen=True):
    """What shifts the fire of a side: at night its guns, its torpedoes."""

    night: int
    torpedo: int


def gun_shift(cls: str, at: int) -> int:
    """Return the shift of guns at a range: 2 long, 1 medium, 0 short."""
    return int(GUN_SHIFT.get(cls, GUN_SHIFT["other"])[str(at)])


def firing(hulls: Sequence[Hull], phase: int) -> list[Hull]:
    """Return who may fire and be fired at in a combat phase."""
    screen = [hull for hull in hulls if hull.screen]
    heavy = [hull for hull in hulls if hull.heavy]
    if phase >= ALL_FIRE:
        return list(hulls)
    if phase == 1:
        return screen or heavy or list(hulls)
    return [hull for hull in hulls if hull.screen or hull.heavy] or list(hulls)


def shot(hull: Hull, at: Hull, reach: int, fire: Fire, *, torpedoes: bool) -> list[tuple[int, int]]:
    """Return strength and shift of the guns of a unit, and of its torpedoes."""
    rows = [(hull.gun, gun_shift(hull.cls, reach) - at.def_g + fire.night)]
    if torpedoes and hull.torpedo and reach < LONG and at.cls != "FORT":
        rows.append((hull.torpedo, -reach - at.def_a + fire.torpedo))
    return rows


def orders(
    hulls: Sequence[Hull], foes: Sequence[Hull], reach: int, fire: Fire, spent: dict[str, int]
) -> dict[str, tuple[str, float]]:
    """Return each unit's target and mean hits: the strongest choose first, by points times chance."""
    taken = dict[str, float]()
    plan = dict[str, tuple[str, float]]()
    for hull in sorted(hulls, key=lambda one: (-one.gun - one.torpedo, one.name)):
        salvo = spent.get(hull.name, 0) < hull.salvos
        best, target, through = -1.0, "", 0.0
        for foe in foes:
            rows = shot(hull, foe, reach, fire, torpedoes=salvo)
            number = sum(mean(*row) for row in rows)
            damage = foe.mark.damage + taken.get(foe.name, 0.0)
            if damage >= foe.mark.hits + 0.5:
                worth = 0.0
            else:
                mark = (
                    foe.mark
                    if damage < 1
                    else Mark(
                        foe.mark.hits, foe.mark.sunk, foe.mark.crippled, min(int(damage), foe.mark.hits - 1)
                    )
                )
                worth = sum(gain(mark, *row) for row in rows)
            if worth > best:
                best, target, through = worth, foe.name, number
        if target:
            plan[hull.name] = (target, through)
            taken[target] = taken.get(target, 0.0) + through
    return plan


class Exchange(Struct, frozen=True):
    """What a naval combat can expect: points won and lost."""

    won: float
    lost: float

    @property
    def balance(self) -> float:
        """Return the points won less those lost."""
        return self.won - self.lost


@lru_cache(maxsize=2048)
def clash(
    ours: tuple[Hull, ...],
    theirs: tuple[Hull, ...],
    start: int,
    fires: tuple[Fire, Fire],
    phases: tuple[int, ...] = (1, 2, 3),
    surprise: int = -1,
    wish: int = 0,
) -> Exchange:
    """Return what a naval combat is likely to come to, by mean hits phase by phase.

    The range goes by `wish` each phase: -1 closes, 1 opens. `surprise` is 0 if it is ours, 1 if theirs.
    A fort alone falls or stands, so there the chance that it falls counts: mean hits would never take it.
    """
    lines, spent, at_fort = [list(ours), list(theirs)], dict[str, int](), list[tuple[int, int]]()
    totals = [0.0, 0.0]
    harm = {hull.name: float(hull.mark.damage) for hull in (*ours, *theirs)}
    reach = start
    for phase in phases:
        reach = max(0, min(2, reach + wish))
        fire = [firing(line, phase) for line in lines]
        if not all(fire):
            break
        volleys = [
            {}
            if phase == 1 and surprise == 1 - side
            else orders([weak(h, harm) for h in fire[side]], fire[1 - side], reach, fires[side], spent)
            for side in (0, 1)
        ]
        at_fort += [shot(h, theirs[0], reach, fires[0], torpedoes=False)[0] for h in fire[0]]
        for volley in volleys:
            for name, (target, number) in volley.items():
                harm[target] += number
                if reach < LONG:
                    spent[name] = spent.get(name, 0) + 1
        lines = [[h for h in line if harm[h.name] < h.mark.hits] for line in lines]
    for side, line in enumerate((ours, theirs)):
        totals[1 - side] = sum(h.mark.worth(harm[h.name]) - h.mark.worth(h.mark.damage) for h in line)
    if [hull.cls for hull in theirs] == ["FORT"]:
        totals[0] = theirs[0].mark.sunk * likely(at_fort, theirs[0].mark.hits - theirs[0].mark.damage)
    return Exchange(totals[0], totals[1])


def weak(hull: Hull, harm: dict[str, float]) -> Hull:
    """Return a unit with half its fire if it is crippled by now."""
    if 2 * harm[hull.name] < hull.mark.hits or 2 * hull.mark.damage >= hull.mark.hits:
        return hull
    return Hull(
        hull.name,
        hull.mark,
        hull.cls,
        hull.gun // 2,
        hull.torpedo // 2,
        hull.def_g,
        hull.def_a,
        hull.screen,
        hull.salvos,
    )
