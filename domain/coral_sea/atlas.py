"""C3 Map, distance and control: the fixed geography, and which areas can be controlled.

Computed once from the map's edges. Deliberately absent: where units are.
"""

from collections import deque

from domain.coral_sea.charts import AREAS, CHARTS, ISLANDS

LAND: dict[str, tuple[str, ...]] = dict.fromkeys(AREAS, ())
"""Land area to the land areas beside it (C3.2)."""
COAST: dict[str, tuple[str, ...]] = dict.fromkeys(AREAS, ())
"""Land area to the sea areas at its coast, and sea area to the coasts beside it. The box has none (C3.3)."""
ROUTES: dict[str, dict[str, int]] = {area: {} for area in AREAS}
"""Area to the seas and ports beside it, with the Range it costs to go there (C9.3)."""
_STEPS: dict[str, dict[str, int]] = {area: {} for area in AREAS}


def _link(a: str, b: str, kind: str, cost: int) -> None:
    _STEPS[a][b] = cost
    if kind == "land":
        LAND[a] += (b,)
        return
    if kind == "coast":
        COAST[a] += (b,)
    if all(AREAS[end].kind == "sea" or AREAS[end].port for end in (a, b)):
        ROUTES[a][b] = cost


for _edge in CHARTS.edges:
    _link(_edge.a, _edge.b, _edge.kind, _edge.cost)
    _link(_edge.b, _edge.a, _edge.kind, _edge.cost)


def _distances(start: str) -> dict[str, int]:
    """Return the distance from an area to every other (C3.4)."""
    found = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for there, cost in _STEPS[here].items():
            if found[here] + cost < found.get(there, len(AREAS)):
                found[there] = found[here] + cost
                todo.append(there)
    return found


DISTANCE = {area: _distances(area) for area in AREAS}
"""C3.4: how far apart two areas are, whoever is in them."""
WITHIN = {
    reach: {area: frozenset(b for b, far in DISTANCE[area].items() if far <= reach) for area in AREAS}
    for reach in range(5)
}
"""Distance to area to all areas no farther away."""

SEAS = tuple(area.id for area in AREAS.values() if area.kind == "sea")
SEA = frozenset(SEAS)
PORTS = frozenset(area.id for area in AREAS.values() if area.port)
BOX = "australia"
HOLDABLE = tuple(area.id for area in AREAS.values() if area.kind != "sea")
"""The areas that somebody controls: land, and the box."""


def at_sea(area: str) -> bool:
    """Return whether an area is a sea area."""
    return area in SEA


def site_areas(site: str) -> tuple[str, ...]:
    """Return the areas that make up a site: an island's, or the one area itself (C3.10)."""
    island = ISLANDS.get(site)
    return island.areas if island else (site,)
