"""Coral Sea as a bot sees it: where things are, how far, how strong, and what it would be worth to be there.

Read from the view that PROTOCOL.md describes. Deliberately absent: any choice.
"""

from collections import deque
from collections.abc import Iterable
from random import Random
from typing import Final

from clients.bots.typed import TypedPrompt
from domain.coral_sea.printed import SIDES, Domain, SideId
from domain.coral_sea.shown import Area, Battle, Card, Chit, Move, Table, Unit
from server.protocol.shown import Decision, View

KEEPS: Final[dict[SideId, tuple[str, ...]]] = {"japan": ("rabaul",), "allied": ("port_moresby",)}
"""Places that are never left without troops: what the enemy needs most."""
HUBS: Final[dict[SideId, dict[str, float]]] = {
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
    """The table as one seat's side sees it, and the chance by which its bot decides what it leaves to it."""

    def __init__(self, view: View[Table], prompt: TypedPrompt[Decision], random: Random) -> None:
        table, own = view.table, view.table.own
        self.table = table
        self.rule = prompt.rule
        self.random = random
        self.side = SIDES[view.match.seats[prompt.seat].side]
        self.enemy = SIDES[1 - SIDES.index(self.side)]
        self.areas: dict[str, Area] = table.areas
        self.hand: dict[str, Card] = own.hand if own else {}
        self.chits: tuple[Chit, ...] = own.chits if own else ()
        self.units: dict[str, Unit] = table.units | (own.units if own else {})
        self.ours = {n: u for n, u in self.units.items() if u.side == self.side and u.area}
        self.theirs = {n: u for n, u in self.units.items() if u.side == self.enemy and u.area}
        self.marker = table.operation.area if table.operation else ""
        self.sp = table.operation.sp if table.operation else 0
        self.move: Move | None = (own.move if own else None) or table.move
        self.battle: Battle | None = table.battle
        self.rp: dict[str, int] = {
            name: area.rp[self.side] for name, area in self.areas.items() if area.rp and self.side in area.rp
        }
        self.rp |= own.rp if own else {}
        self._far: dict[tuple[str, bool], dict[str, int]] = {}
        self._goals: dict[str, float] | None = None

    @property
    def lead(self) -> int:
        """How many points we are ahead."""
        return self.table.points[self.side] - self.table.points[self.enemy]

    def at(self, area: str, ours: bool, domain: Domain | None = None) -> list[Unit]:
        """Return the units of one side in an area."""
        units = self.ours if ours else self.theirs
        return [u for u in units.values() if u.area == area and (not domain or u.domain == domain)]

    def unseen(self, area: str) -> int:
        """Return how many enemy counters of a hidden stack are not seen."""
        stack = self.table.stacks.get(area, {}).get(self.enemy)
        return stack.height if stack else 0

    def strength(self, area: str, ours: bool, domain: Domain) -> float:
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
            for there, kind in self.areas[here].next.items():
                if by_sea and kind != "sea" and not (kind == "box" or self.harbour(there) or here == start):
                    continue
                cost = found[here] + (2 if kind == "box" else 1)
                if cost < found.get(there, 999):
                    found[there] = cost
                    todo.append(there)
        return found

    def harbour(self, area: str) -> bool:
        """Return whether an area is a port of ours."""
        return self.areas[area].port and self.areas[area].control == self.side

    def goals(self) -> dict[str, float]:
        """Return what it is worth to take or hold each land area."""
        if self._goals is None:
            self._goals = {area: worth for area in self.areas if (worth := self._goal(area)) > 0}
        return self._goals

    def _goal(self, area: str) -> float:
        kind = self.areas[area]
        if kind.kind != "land":
            return 0.0
        worth = HUBS[self.side].get(area, 0.0) * 0.6
        for site in self.table.sites.values():
            if area in site.areas:
                missing = sum(self.areas[a].control != self.side for a in site.areas)
                worth += site.value / max(1, missing)
        if kind.control == self.side:
            if not any(site.area == area for site in self.table.sites.values()):
                return 0.0
            return worth * 0.5 * self.short(area)
        worth += 2 * (kind.rp or {}).get(self.enemy, 0) / 3
        return worth

    def threat(self, area: str) -> bool:
        """Return whether the enemy could soon be there."""
        near = self.far(area)
        return any(near.get(unit.area, 99) <= NEAR for unit in self.theirs.values())

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
            targets = (
                [a for a, kind in self.areas[area].next.items() if kind == "coast"] if by_sea else [area]
            )
            steps = min((near[a] for a in targets if a in near), default=99)
            found = max(found, self.prize(area, force) / (DISTANCE + steps))
        return found


def might(units: Iterable[Unit]) -> float:
    """Return what some units are worth in a fight: cohesion and tactics."""
    return float(sum(u.cohesion + 2 * u.tactical for u in units))
