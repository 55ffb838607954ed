"""Pacific War as a bot sees it: what is where, what is likely in what is hidden, and what it is worth.

Read from the view that PROTOCOL.md describes: `table` has its form, `forces` the ships, `wings` the aircraft;
here are search, and what fights at sea and on land. Deliberately absent: any choice.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from clients.bots.pacific_war.naval_odds import Fire, Hull
from clients.bots.pacific_war.odds import Mark
from clients.bots.pacific_war.wings import Wings
from domain.pacific_war.board.atlas import distance, terrain
from domain.pacific_war.board.charts import (
    AIR,
    CLASSES,
    LIGHT,
    LOCATIONS,
    SEARCH,
    TABLES,
    band,
    by_date,
)
from domain.pacific_war.sight.shown import (
    Ground,
)

MANY: Final = 8
FEW: Final = 2
"""P24.2: so many ships are found more easily, or less."""


class Board(Wings):
    """The table as one seat's side sees it."""

    # search

    def found(self, tf: str, spots: Sequence[tuple[str, str]] = ()) -> float:
        """Return the chance to find an enemy task force, with further sources `(kind, hex)` (P24.2)."""
        force = self.table.tfs[tf]
        if force.detected:
            return 1.0
        there = force.node[:4]
        values = dict[str, int]()
        for kind, spot in (*self.eyes, *spots):
            row = SEARCH[kind]
            at = band(distance(spot, there))
            value = row[at] if at < len(row) else None
            if value is not None:
                values[kind] = max(values.get(kind, 0), value)
        if not values:
            return 0.0
        need = max(values.values()) + min(2, len(values) - 1)
        need += by_date("night_search_mod", self.side, self.table.month) if self.night else -self.dusk
        count = len(self.members(tf))
        need += (count >= MANY) - (count <= FEW)
        return max(0.0, min(1.0, (need + 1) / 10))

    @cached_property
    def eyes(self) -> tuple[tuple[str, str], ...]:
        """What searches for this side from where it is, carrier groups apart."""
        found = list[tuple[str, str]]()
        for unit, one in self.own.air.items():
            kind = CLASSES[AIR[unit].cls].search
            if one.steps and kind and kind != "CVG" and one.home in LOCATIONS:
                found.append((kind, LOCATIONS[one.home].hex))
        for tf in self.own.fleets:
            ships = self.members(tf)
            if any(self.printed(s).float_planes for s in ships):
                found.append(("FP", self.node(tf)[:4]))
            if any(self.printed(s).cls in LIGHT or self.printed(s).capital for s in ships):
                found.append(("TF", self.node(tf)[:4]))
        for place, base in self.table.locations.items():
            manned = base.control == self.me and base.hex in self.table.troops[self.me]
            if manned or (self.side == 1 and LOCATIONS[place].coastwatch):
                found.append(("COAST", base.hex))
        return tuple(found)

    # naval combat

    def hulls(self, tfs: Iterable[str], port: str = "") -> tuple[Hull, ...]:
        """Return the units of task forces and of a port as they fight."""
        found = []
        for tf in tfs:
            screen = self.own.fleets[tf].screen if tf in self.own.fleets else ()
            if tf not in self.own.fleets:
                force = self.table.tfs[tf]
                screen = force.screen or tuple(s for s in self.members(tf) if self.printed(s).cls in LIGHT)
            found += [self.hull(ship, ship in screen) for ship in self.members(tf)]
        if port:
            ships = [s for s, one in {**self.table.ships, **self.own.ships}.items() if one.port == port]
            found += [self.hull(ship, self.printed(ship).cls in LIGHT, half=True) for ship in ships]
            if fort := self.table.locations[port].fort:
                found.append(self.fort(port, fort))
        return tuple(found)

    def hull(self, ship: str, screen: bool, *, half: bool = False) -> Hull:
        """Return a ship as it fights."""
        unit, weak = self.printed(ship), 2 if self.crippled(ship) else 1
        weak *= 2 if half else 1
        salvos = 2 if unit.reload else 1
        torpedo = 0 if half else unit.torp // weak
        return Hull(
            ship, self.mark(ship), unit.cls, unit.gun // weak, torpedo, unit.def_g, unit.def_a, screen, salvos
        )

    def fort(self, place: str, level: int) -> Hull:
        """Return a fort as it fights (P29.1.3)."""
        row = TABLES["naval"]["fort"]
        base = self.table.locations[place]
        hits = row["hits_per_level"] * level
        worth = 2.0 + 0.1 * self.stakes
        if self.scenario == "E4":
            # All that can be won here hangs on it, while there is time to land.
            worth = 2.0 + self.stakes if self.moves_after else 0.0
        mark = Mark(hits, worth, 0.0, int(base.fort_hit))
        return Hull(
            f"fort:{place}", mark, "FORT", row["gun_per_level"] * level, 0, row["def_g"], row["def_a"], True
        )

    @cached_property
    def fires(self) -> tuple[Fire, Fire]:
        """What shifts our fire and the enemy's."""
        return self._fire(self.side), self._fire(1 - self.side)

    def _fire(self, side: int) -> Fire:
        night = by_date("night_gun_shift", side, self.table.month) if self.night else 0
        return Fire(night, by_date("ship_torpedo_shift", side, self.table.month) + max(-1, night))

    def port_of(self, node: str, *, ours: bool) -> str:
        """Return the location of a side whose ships or fort are met on a node, or an empty string."""
        side = self.me if ours else self.foe
        for place, base in self.table.locations.items():
            reached = base.hex == node[:4] and (not base.port or base.coast in (node, ""))
            if reached and base.control == side and (base.fort or side in base.ships):
                return place
        return ""

    # ground

    def terrain(self, hex: str) -> str:
        """Return the terrain of a hex."""
        return terrain(hex)

    def troops(self, hex: str, *, ours: bool) -> dict[str, Ground]:
        """Return the ground units of a side that are known in a hex."""
        units = self.own.ground if ours else self.table.ground
        side = self.me if ours else self.foe
        return {
            unit: one
            for unit, one in units.items()
            if one.hex == hex and one.steps and self.figures.ground[unit].side == side
        }
