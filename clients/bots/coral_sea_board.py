"""Coral Sea as a bot sees it: where things are, how far, how strong, and what it would be worth to be there.

Read from the view that PROTOCOL.md describes. Deliberately absent: any choice.
"""

from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final

Option = dict[str, Any]
"""A decision that is legal, as it is sent."""
Judge = Callable[["Board", list[Option], Random], Option | None]
"""Chooses among the options of one kind, or has no opinion."""

SIDES: Final = ("japan", "allied")
KEEPS: Final = {"japan": ("rabaul",), "allied": ("port_moresby",)}
"""Places that are never left without troops: what the enemy needs most."""
HUBS: Final = {
    "japan": {"port_moresby": 12.0, "lae": 4.0, "buna": 4.0, "guadalcanal_lunga": 2.0, "tulagi": 2.0},
    "allied": {
        "port_moresby": 3.0,
        "guadalcanal_lunga": 3.0,
        "guadalcanal_west": 1.0,
        "buna": 1.0,
        "lae": 1.0,
    },
}
"""Places that matter beyond their points: Sudden Death and the initiative hang on them (C20.3, C21.4)."""
ODDS: Final = 1.15
"""How much stronger an attacker wants to be on land."""
GARRISON: Final = 20.0
"""Might that is wanted in a place of `KEEPS`."""
NEAR: Final = 4
"""Areas within which an enemy is a threat."""
DISTANCE: Final = 4.0
"""How little the way matters beside the goal."""
SEA_ODDS: Final = 1.1
HUNT: Final = 1.8
"""How much stronger a fleet wants to be that sails for nothing but battle."""


class Board:
    """The table as one seat's side sees it."""

    def __init__(self, view: dict[str, Any], prompt: dict[str, Any]) -> None:
        table = view["table"]
        self.table = table
        self.rule: str = prompt["rule"]
        self.side = SIDES[view["match"]["seats"][prompt["seat"]]["side"]]
        self.enemy = SIDES[1 - SIDES.index(self.side)]
        self.areas: dict[str, dict[str, Any]] = table["areas"]
        own = table.get("own", {})
        self.hand: dict[str, dict[str, Any]] = own.get("hand", {})
        self.units: dict[str, dict[str, Any]] = {**table["units"], **own.get("units", {})}
        self.ours = {n: u for n, u in self.units.items() if u["side"] == self.side and "area" in u}
        self.theirs = {n: u for n, u in self.units.items() if u["side"] == self.enemy and "area" in u}
        self.operation: dict[str, Any] = table.get("operation", {})
        self.move: dict[str, Any] = own.get("move") or table.get("move", {})
        self.battle: dict[str, Any] = table.get("battle", {})
        self.rp: dict[str, int] = {
            a: area["rp"][self.side] for a, area in self.areas.items() if self.side in area.get("rp", {})
        }
        self.rp |= own.get("rp", {})
        self._far: dict[tuple[str, bool], dict[str, int]] = {}
        self._goals: dict[str, float] | None = None

    @property
    def lead(self) -> int:
        """How many points we are ahead."""
        points: dict[str, int] = self.table["points"]
        return points[self.side] - points[self.enemy]

    def at(self, area: str, ours: bool, domain: str = "") -> list[dict[str, Any]]:
        """Return the units of one side in an area."""
        units = self.ours if ours else self.theirs
        return [u for u in units.values() if u["area"] == area and (not domain or u["domain"] == domain)]

    def unseen(self, area: str) -> int:
        """Return how many enemy counters of a hidden stack are not seen."""
        stack = self.table["stacks"].get(area, {}).get(self.enemy, {})
        return int(stack.get("height", 0))

    def strength(self, area: str, ours: bool, domain: str) -> float:
        """Return what the units of one side in an area are worth in a fight."""
        worth = might(self.at(area, ours, domain))
        return worth if ours else worth + 12.0 * self.unseen(area) / 2

    def far(self, start: str, by_sea: bool = False) -> dict[str, int]:
        """Return the distance from an area, by sea alone or at all (C3.4)."""
        found = self._far.get((start, by_sea))
        if found is None:
            found = self._far[start, by_sea] = self._search(start, by_sea)
        return found

    def _search(self, start: str, by_sea: bool) -> dict[str, int]:
        found, todo = {start: 0}, deque([start])
        while todo:
            here = todo.popleft()
            for there, kind in self.areas[here]["next"].items():
                if by_sea and kind != "sea" and not (kind == "box" or self.harbour(there) or here == start):
                    continue
                cost = found[here] + (2 if kind == "box" else 1)
                if cost < found.get(there, 999):
                    found[there] = cost
                    todo.append(there)
        return found

    def harbour(self, area: str) -> bool:
        """Return whether an area is a port of ours."""
        return bool(self.areas[area].get("port")) and self.areas[area].get("control") == self.side

    def goals(self) -> dict[str, float]:
        """Return what it is worth to take or hold each land area."""
        if self._goals is None:
            self._goals = {area: worth for area in self.areas if (worth := self._goal(area)) > 0}
        return self._goals

    def _goal(self, area: str) -> float:
        kind = self.areas[area]
        if kind["kind"] != "land":
            return 0.0
        worth: float = HUBS[self.side].get(area, 0.0) * 0.6
        for site in self.table["sites"].values():
            if area in site["areas"]:
                missing = sum(self.areas[a].get("control") != self.side for a in site["areas"])
                worth += site["value"] / max(1, missing)
        if kind.get("control") == self.side:
            if not any(site["area"] == area for site in self.table["sites"].values()):
                return 0.0
            return worth * 0.5 * self.short(area)
        worth += 2 * kind.get("rp", {}).get(self.enemy, 0) / 3
        return worth

    def threat(self, area: str) -> bool:
        """Return whether the enemy could soon be there."""
        near = self.far(area)
        return any(near.get(unit["area"], 99) <= NEAR for unit in self.theirs.values())

    def short(self, area: str) -> float:
        """Return what part of its garrison an area of ours lacks, with the enemy near."""
        held = self.strength(area, ours=True, domain="ground")
        if not self.threat(area) or (held and area not in KEEPS[self.side]):
            return 0.0
        return max(0.0, 1.0 - held / GARRISON)

    def prize(self, area: str, force: float) -> float:
        """Return what an area is worth to a force that arrives there; nothing if it would be beaten."""
        worth = self.goals().get(area, 0.0)
        against = self.strength(area, ours=False, domain="ground")
        if against and force < ODDS * against:
            return 0.0
        return worth * (0.8 if against else 1.0)

    def pull(self, start: str, force: float, by_sea: bool) -> float:
        """Return how strongly the goals draw a force from an area: the nearer, the more."""
        near = self.far(start, by_sea)
        found = 0.0
        for area in self.goals():
            doors = (
                [a for a, kind in self.areas[area]["next"].items() if kind == "coast"] if by_sea else [area]
            )
            steps = min((near[a] for a in doors if a in near), default=99)
            found = max(found, self.prize(area, force) / (DISTANCE + steps))
        return found


def might(units: Iterable[dict[str, Any]]) -> float:
    """Return what some units are worth in a fight: cohesion and tactics."""
    return float(sum(u["cohesion"] + 2 * u["tactical"] for u in units))
