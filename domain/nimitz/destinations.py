"""N7.6 The order table: where an order may lead, and how one place of several is picked (N7.5)."""

from collections.abc import Callable

from domain.nimitz.automaton import Narrowed, narrowed
from domain.nimitz.charts import AREAS, COUNTERS, DISTANCE, JA, OBJECTIVES, ORDERS, US
from domain.nimitz.table import AUSTRALIA, EAST_ASIA, JAPAN, Open, ashore_in, at, present_in

HOLD, OFFENSIVE, REFIT, SOUTH, ALASKA = "HOLD", "OFFENSIVE", "REFIT", "SOUTH", "AK"


def order_for(total: int) -> str:
    """Return the order of a total of the order roll (N7.6)."""
    for row in ORDERS.values():
        if row.roll_min is None and row.roll_max is None:
            continue
        low = row.roll_min is None or row.roll_min <= total
        if low and (row.roll_max is None or total <= row.roll_max):
            return row.id
    raise AssertionError(total)


def destinations(open: Open, order: str, area: str) -> list[str]:
    """Return the valid destinations of an order, by id; never the own area, nor one Japan may not enter."""
    if area in ORDERS[order].blocked_in:
        return []
    found = WHERE[order](open, area)
    return sorted(there for there in found if there != area and AREAS[there].ja_may_enter)


def nowhere(order: str, area: str) -> str:
    """Return why an order has no valid destination (N7.6)."""
    if area in ORDERS[order].blocked_in:
        return "its forces are in Japan already"
    if order == SOUTH and DISTANCE[area][AUSTRALIA] == 1:
        return "it is beside Australia, where Japan may not go"
    return NOWHERE[order]


def closest(open: Open, order: str, area: str) -> tuple[list[str], list[Narrowed]]:
    """Return the valid destinations, of an OFFENSIVE the closest alone, and why (N7.6, R-22)."""
    valid, why = destinations(open, order, area), list[Narrowed]()
    if order == OFFENSIVE and valid:
        least = min(DISTANCE[area][there] for there in valid)
        near = [there for there in valid if DISTANCE[area][there] == least]
        narrowed(why, f"the closest, {least} link{'s' * (least > 1)} away", near, valid)
        return near, why
    return valid, why


def fewest(open: Open, areas: list[str]) -> list[str]:
    """Return the areas with the fewest Japanese forces in them, all counted (N7.5)."""
    count = {area: len(at(open, area, JA)) for area in areas}
    return [area for area in areas if count[area] == min(count.values())]


def _toward(distance: Callable[[str], int], area: str) -> list[str]:
    return [there for there in AREAS[area].neighbours if distance(there) == distance(area) - 1]


def _refit(_open: Open, _area: str) -> list[str]:
    return [JAPAN]


def _withdraw(_open: Open, area: str) -> list[str]:
    return _toward(lambda here: AREAS[here].dist_to_JA, area)


def _support(open: Open, _area: str) -> list[str]:
    return [there for there in ashore_in(open, JA) if there not in {JAPAN, EAST_ASIA}]


def _south(_open: Open, area: str) -> list[str]:
    nearer = _toward(lambda here: AREAS[here].dist_to_AU, area)
    return [] if AUSTRALIA in nearer else nearer


def _east(open: Open, area: str) -> list[str]:
    ashore = ashore_in(open, JA)
    return [there for there in _toward(lambda here: AREAS[here].dist_to_HI, area) if there in ashore]


def _battle(open: Open, _area: str) -> list[str]:
    return [
        there
        for there in present_in(open, US) & present_in(open, JA)
        if any(COUNTERS[name].type != "SS" for name in at(open, there, US))
    ]


def _reinforce(open: Open, _area: str) -> list[str]:
    ashore = ashore_in(open, JA)
    return [there for there in OBJECTIVES[open.year] if there in ashore]


def _sortie(open: Open, _area: str) -> list[str]:
    return list(ashore_in(open, JA) & ashore_in(open, US))


def _offensive(open: Open, _area: str) -> list[str]:
    ashore = ashore_in(open, JA)
    free = [there for there in OBJECTIVES[open.year] if there not in ashore]
    return [there for there in free if any(near in ashore for near in AREAS[there].neighbours)]


def _alaska(_open: Open, _area: str) -> list[str]:
    return [ALASKA]


NOWHERE = {
    "WITHDRAW": "no neighbour is closer to Japan",
    "SUPPORT": "Japan is ashore in no other area but Japan and East Asia",
    SOUTH: "no neighbour is closer to Australia",
    "EAST": "Japan is ashore in no neighbour that is closer to Hawaii",
    "BATTLE": "forces of both sides meet in no other area, US submarines not counted",
    "REINFORCE": "Japan is ashore in no other objective",
    "SORTIE": "both sides are ashore in no other area",
    OFFENSIVE: "no other objective without Japan ashore is beside an area with it",
    "ALASKA": "its forces are in Alaska already",
}
"""Why there is no other valid destination."""
WHERE: dict[str, Callable[[Open, str], list[str]]] = {
    "REFIT": _refit,
    "WITHDRAW": _withdraw,
    "SUPPORT": _support,
    "SOUTH": _south,
    "EAST": _east,
    "BATTLE": _battle,
    "REINFORCE": _reinforce,
    "SORTIE": _sortie,
    "OFFENSIVE": _offensive,
    "ALASKA": _alaska,
}
